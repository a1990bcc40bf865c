//! The only access to the machine: files, locks, processes, keyring, settings, clock, terminal.
//!
//! Invariant: nothing but this, `git` and the database of `index` opens a file; nothing else starts
//! a process, reads the environment or asks the clock (enforced by clippy's disallowed lists and by
//! the architecture test). It must not know git, the index, or how two identities merge.

pub mod archive;
pub mod batch;
pub mod boot;
pub mod cloud;
pub mod context;
pub mod embedder;
mod entries;
pub mod env;
pub mod error;
pub mod extractor;
pub mod fetch;
pub mod files;
mod flush;
pub mod folder;
pub mod folding;
pub mod git_env;
mod guarded;
mod gzip;
mod http;
pub mod in_turn;
pub mod keyring;
mod link_farm;
pub mod links;
pub mod local_server;
pub mod lock;
pub mod monotonic;
pub mod moving;
pub mod names;
pub mod oplog;
pub mod owners;
pub mod paths;
pub mod pipes;
pub mod platform;
pub mod process;
pub mod program;
pub mod recall_log;
pub mod record;
pub mod repositories;
pub mod seal_keys;
pub mod secret;
pub mod settings;
pub mod staged_folder;
pub mod stat;
mod temporary;
pub mod terminal;
pub mod tool_log;
pub mod zone;

pub use context::Context;
pub use error::SystemError;
