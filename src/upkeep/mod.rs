//! The verbs that look after an identity and a laptop: check, fix, doctor, status, scan, reindex,
//! upgrade, and what plain git calls.
//!
//! Invariant: what only looks changes nothing; a repair is an operation that can be undone. It is
//! the last of the rooms of verbs: none may use it.

pub mod check;
pub mod doctor;
mod fix;
pub mod git_hook;
pub mod reindex;
pub mod revision;
pub mod scan;
pub mod status;
pub mod upgrade;
