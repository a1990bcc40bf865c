//! The world of one call: the identity, the projects around it and the repository, opened once.
//!
//! Invariant: opened by the interfaces, in one place each (a command, a call of the server, a
//! request of the page); what a killed co left is finished before anything is read. Must not know
//! any verb, nor what an interface asked.

pub mod agent_places;
pub mod asked;
pub mod at;
pub mod config;
mod error;
pub mod guard;
mod known_then;
pub mod last_sync;
pub mod layers;
pub mod ledger;
pub mod login;
pub mod merged_in;
pub mod named;
mod oddities;
mod opening;
pub mod power_loss;
pub mod recognise;
pub mod recovery;
pub mod skills;
mod stores;
pub mod transaction;
mod world;

pub use error::{Error, ErrorKind, VerbError};
pub use oddities::Oddities;
pub use stores::each_once;
pub use transaction::file_writer::Progress;
pub use world::Workspace;
