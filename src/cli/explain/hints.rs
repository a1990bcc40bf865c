//! What hints are made of.

pub(super) type Hints = Vec<String>;

/// The command that tries a remote once more.
pub(super) const SYNC: &str = "`co sync`";
