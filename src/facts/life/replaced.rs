//! That a fact was replaced: the one event of its life that is told by the file of another fact.
//!
//! Invariant: it was when the other fact began to name a text that this one had, whatever both
//! became since. Must not know who asks.

use super::{
    sources::{Part, Past},
    step::Step,
};
use crate::facts::superseding;
use crate::identity::{ContentHash, Memory, Stamp};
use crate::index::store::Store;
use crate::workspace::{Error, Workspace};
use std::collections::BTreeSet;

/// That a fact was replaced by another.
pub(super) struct Replaced {
    pub(super) step: Step,
    pub(super) by: Memory,
    pub(super) at: Stamp,
    /// The operation that did it, if it was done here.
    pub(super) op: Option<u64>,
    /// The commit, and who made it.
    pub(super) commit: Option<(String, String)>,
}

/// One for each fact that replaces the last version of this one.
pub(super) fn by_others(
    (ws, store): (&Workspace, &Store),
    past: &Past<'_>,
    parts: &[Part],
    last: &Memory,
) -> Result<Vec<Replaced>, Error> {
    let texts = texts_of(parts, last);
    let others = superseding::successors(ws, store, last.hash).into_iter();
    let others = others.filter(|by| by.created != last.created);
    others.map(|by| replaced(past, (last, &texts), by)).collect()
}

/// The texts that a fact had: what replaces it names another one after each edit.
fn texts_of(parts: &[Part], last: &Memory) -> BTreeSet<ContentHash> {
    let done = parts.iter().flat_map(|part| &part.done);
    let done = done.flat_map(|done| [&done.before, &done.after]);
    let committed = parts.iter().flat_map(|part| &part.committed);
    let committed = committed.flat_map(|committed| [&committed.before, &committed.after]);
    let versions = done.chain(committed).flatten();
    versions.chain([last]).map(|version| version.hash).collect()
}

/// `texts` are all that the old fact had.
fn replaced(
    past: &Past<'_>,
    (old, texts): (&Memory, &BTreeSet<ContentHash>),
    by: Memory,
) -> Result<Replaced, Error> {
    let (done, first) = past.replacing_since(&by, texts)?;
    // Of what another laptop did, an operation here only tells when it came.
    let done = done.filter(|_| first.as_ref().is_none_or(|first| first.is_own));
    // Later changes of the other fact are none of this one's.
    let of_commit = first.as_ref().map(|first| {
        let after = first.after.as_ref();
        after.map_or(first.at, |after| after.latest())
    });
    let at = done.as_ref().map(|done| done.at).or(of_commit);
    Ok(Replaced {
        step: Step::replaced_by(old, &by),
        at: at.unwrap_or_else(|| by.latest()),
        op: done.map(|done| done.op),
        commit: first.map(|first| (first.commit, first.who)),
        by,
    })
}
