//! What several rows of the table say, in the same words.
//!
//! Invariant: a phrase is here once two rows say it.

/// What to do next, the likeliest first.
pub(super) type Hints = Vec<String>;

/// The command that retries a remote.
pub(super) const SYNC: &str = "`co sync`";

pub(super) const LISTED: &str = "list_memories lists the facts";
pub(super) const NOTHING_CHANGED: &str = "nothing was changed; call it again";
