//! `co init`: a new identity, one in a folder that is there, and one from a remote.

mod agents;
mod folder;
mod identity;
mod remote;
