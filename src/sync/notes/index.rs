//! The index of an agent's notes: which lines it gets and loses with the notes it lists.
//!
//! Invariant: a line that the agent wrote about a note that is there stays. The index is not made
//! longer than what the agent reads of it; what is left out for that is named. Must not know: where
//! the folder is.

use crate::agents::notes::{self, IndexLimit};
use crate::identity::{
    RelPath, Snapshot,
    note::{INDEX, Note},
};
use std::collections::BTreeSet;

/// An agent reads its index, not its folder: a note from elsewhere gets an entry there. An entry is
/// removed with its note, and co's entry is removed once the agent has its own.
///
/// Returns the notes that are not in the part that the agent reads.
pub(super) fn settle(
    prefix: &str,
    [base, mine, theirs]: [&Snapshot; 3],
    merged: &mut Snapshot,
    limit: IndexLimit,
) -> Vec<String> {
    let index = RelPath::known(&format!("{prefix}{INDEX}"));
    let before = merged.get(&index).map(|blob| String::from_utf8_lossy(blob).into_owned());
    let mut text = before.clone().unwrap_or_default();
    let is_at_top = |path: &RelPath| !path.as_str()[prefix.len()..].contains('/');
    let is_note = |path: &&RelPath| **path != index && is_at_top(path);
    let known = [base, mine, theirs].into_iter().flat_map(Snapshot::paths).filter(is_note);
    for path in known.collect::<BTreeSet<&RelPath>>() {
        let versions = [Some(base), Some(mine), Some(theirs), Some(&*merged)];
        let versions = versions.into_iter().flatten().filter_map(|side| side.get(path));
        let ours: BTreeSet<String> =
            versions.map(|blob| notes::index_line(path, &Note::lenient(blob))).collect();
        let is_gone = merged.get(path).is_none();
        let mut others = text.lines().filter(|line| !ours.contains(*line));
        let is_told = others.any(|line| notes::names(line, path.name()));
        let goes = |line: &&str| {
            if is_gone {
                ours.contains(*line) || notes::is_entry_of(line, path.name())
            } else {
                is_told && ours.contains(*line)
            }
        };
        if text.lines().any(|line| goes(&line)) {
            // The others keep how they end.
            let stays = |whole: &&str| !whole.lines().any(|line| goes(&line));
            text = text.split_inclusive('\n').filter(stays).collect();
        }
    }
    let is_new = |path: &&RelPath| is_note(path) && mine.get(path).is_none();
    let mut unlisted = beyond(&text, limit, merged.paths().filter(is_note));
    for path in merged.paths().filter(is_new) {
        if notes::names(&text, path.name()) {
            continue;
        }
        let note = merged.get(path).map(|blob| Note::lenient(blob)).unwrap_or_default();
        let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let gap = if text.is_empty() || text.ends_with('\n') { "" } else { end };
        let longer = format!("{text}{gap}{}{end}", notes::index_line(path, &note));
        if limit.read_part(&longer) == longer {
            text = longer;
        } else {
            unlisted.push(path.name().to_owned());
        }
    }
    if text != before.unwrap_or_default() {
        merged.put(index, text.into_bytes());
    }
    unlisted
}

/// The notes that an index lists where its agent no longer reads.
fn beyond<'a>(
    text: &str,
    limit: IndexLimit,
    paths: impl Iterator<Item = &'a RelPath>,
) -> Vec<String> {
    let read = limit.read_part(text);
    let is_cut =
        |path: &&RelPath| notes::names(text, path.name()) && !notes::names(read, path.name());
    let cut = paths.filter(is_cut).map(|path| path.name().to_owned());
    if read == text { Vec::new() } else { cut.collect() }
}
