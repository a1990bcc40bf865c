//! `co seal`: a remote that nobody else can read, its keys, and attacks on it.

mod attacks;
mod keys;
mod remote;
mod without_keyring;
