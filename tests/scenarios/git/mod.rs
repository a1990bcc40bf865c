//! Git around the identity: a person's settings, repositories, signatures, and git that was killed.

mod dotfiles;
mod environment;
mod index;
mod inside_repository;
mod killed;
mod signed;
