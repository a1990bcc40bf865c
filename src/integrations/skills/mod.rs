//! The verbs for skills: adding, showing and removing them, taking over those that agents have, and
//! making agents find those that the person agreed to.
//!
//! Invariant: a skill changes only through a transaction of the workspace; agents are led to agreed
//! copies only. Must not know how a person is asked.

mod add;
pub mod adopt;
mod error;
mod follow;
pub mod list;
mod placed;
mod read;
mod record;

pub use add::{Change, add, remove};
pub use error::SkillError;
pub use follow::{Followed, are_placed, follow, install, uninstall};
