//! Opens a repository that is looked at as a whole.
//!
//! Invariant: one that belongs to another user is refused, as git does: its configuration may name
//! programs.

use std::path::Path;

pub(super) fn open(path: &Path) -> gix::Result<gix::Repository> {
    gix::open_opts(path, gix::open::Options::default().bail_if_untrusted(true))
}
