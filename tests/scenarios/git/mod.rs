//! Git around the identity: a person's settings and repositories, signatures, git's index, and a co
//! that is killed with its git.

mod authors;
mod dotfiles;
mod environment;
mod index;
mod inside_repository;
mod killed;
mod signed;
