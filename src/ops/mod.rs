//! The verbs: a typed request in, a typed report out, the same for the command line and for agents.
//!
//! Invariant: no printing, no asking, no arguments of a command line. What changes something has a plan that can be shown first.

pub mod check;
pub mod context;
pub mod edit;
mod failure;
pub mod forget;
pub mod init;
pub mod list;
pub mod log;
pub mod recall;
pub mod save;
pub mod show;
pub mod status;
pub mod store;
pub mod sync;
pub mod undo;

pub use failure::{Exit, Failure};
