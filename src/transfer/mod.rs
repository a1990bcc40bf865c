//! The verbs that bring an identity, or knowledge, from one place to another: init, import, export,
//! restore, diff, move, the sealing of a remote, and what agents know already.
//!
//! Invariant: nothing arrives that a guard or a person has not let through, and what is there
//! stays. Must not know what an undo takes back, or how a laptop is looked after.

pub mod adopt;
pub mod diff;
pub mod export;
pub mod import;
pub mod init;
pub mod layers;
pub mod propose;
pub mod relocate;
pub mod restore;
pub mod seal;
pub mod source;
