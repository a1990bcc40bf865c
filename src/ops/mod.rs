//! The verbs: typed request in, typed report out, the same for the command line and for agents.
//!
//! Invariant: no printing, no prompts, no command-line arguments. Where a person should see the
//! effect first (forget, undo, import, move, init, agents' files), a verb makes a plan that can be
//! shown, and then applies it.

pub mod agent;
pub mod at;
pub mod check;
pub mod config;
pub mod context;
pub mod diff;
pub mod doctor;
pub mod edit;
mod error;
pub mod export;
mod fix;
pub mod forget;
pub mod git_hooks;
pub mod guard;
pub mod import;
mod index;
pub mod init;
pub mod knowledge;
pub mod list;
pub mod log;
mod merged_in;
pub mod named;
pub mod notes;
pub mod pin;
pub mod power_loss;
pub mod recall;
pub mod recognise;
pub mod reindex;
pub mod relocate;
pub mod remember;
pub mod restore;
pub mod review;
pub mod revision;
pub mod save;
pub mod scan;
pub mod secret;
pub mod show;
pub mod similar;
pub mod source;
pub mod status;
pub mod store;
mod stray_files;
pub mod sync;
pub mod transaction;
pub mod undo;
pub mod workspace;

pub use error::{Error, ErrorKind};

/// Called during long work with the amounts done and in total.
pub type Progress<'a> = dyn Fn(usize, usize) + 'a;
