//! The only access to the machine: files, git, clock, environment, locks.
//!
//! Invariant: nothing outside this module opens a file, starts a process, reads the environment or
//! asks the clock (enforced by clippy's disallowed lists and by the architecture test). It parses
//! memories only to cache and compare their metadata (`index`, `git::meta_cache`,
//! `git::history`); it must not know how two identities merge.

pub mod archive;
pub mod batch;
pub mod boot;
pub mod cloud;
pub mod context;
pub mod embedder;
pub mod env;
pub mod error;
pub mod extractor;
pub mod fetch;
pub mod files;
mod flush;
pub mod folder;
pub mod folding;
pub mod git;
pub mod git_env;
mod guarded;
mod gzip;
pub mod in_turn;
pub mod index;
pub mod interrupt;
pub mod keyring;
mod link_farm;
pub mod local_server;
pub mod lock;
pub mod moving;
pub mod oplog;
pub mod owners;
pub mod past;
pub mod paths;
pub mod pipes;
mod platform;
pub mod process;
pub mod program;
pub mod recall_log;
pub mod settings;
pub mod terminal;
pub mod tool_log;
pub mod zone;

pub use context::Context;
pub use error::SystemError;
