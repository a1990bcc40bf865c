//! Building blocks of hints.

pub(super) type Hints = Vec<String>;

/// The command that retries a remote.
pub(super) const SYNC: &str = "`co sync`";
