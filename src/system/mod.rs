//! The one door to the machine: files, git, clock, environment, locks.
//!
//! Invariant: nothing outside this module opens a file, starts a process, reads the environment or
//! asks the clock (held by clippy's disallowed lists and by the architecture test). Must not know:
//! what a memory means, how two identities merge.

pub mod archive;
pub mod batch;
pub mod boot;
pub mod calls;
pub mod catalog;
pub mod cloud;
pub mod context;
mod disk;
pub mod embedder;
pub mod env;
pub mod error;
pub mod extractor;
pub mod fetch;
pub mod files;
pub mod folder;
pub mod folding;
pub mod git;
mod guarded;
pub mod keyring;
mod linked;
pub mod lock;
pub mod oplog;
pub mod outer;
pub mod past;
pub mod pipes;
pub mod program;
pub mod settings;
pub mod terminal;
pub mod usage;

pub use context::Context;
pub use error::SystemError;
