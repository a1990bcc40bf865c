//! Files that a rule of the identity keeps on this laptop, in words.
//!
//! Invariant: a sync names each of them once.

use super::{SyncContext, last::Last};
use crate::identity::RelPath;
use crate::system::{Context, git::IgnoreRule};

/// The sentences about files that no sync has named.
pub(super) fn not_named_yet(
    cx: &SyncContext<'_>,
    ignored: &[(RelPath, IgnoreRule)],
) -> Vec<String> {
    if ignored.is_empty() {
        return Vec::new();
    }
    let last = Last::read(&cx.store);
    let new = ignored.iter().filter(|(path, _)| !last.has_named(path));
    new.map(|(path, rule)| stays(cx.context, path, rule)).collect()
}

/// The sentence about a file that a rule keeps on this laptop.
pub fn stays(context: &Context, path: &RelPath, rule: &IgnoreRule) -> String {
    let IgnoreRule { file, line, pattern } = rule;
    let file = context.shown(file);
    format!("{path} stays on this laptop: {file}:{line} (`{pattern}`) ignores it")
}
