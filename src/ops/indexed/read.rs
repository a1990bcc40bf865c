//! Memories of a store out of its index, where there is one: not read and parsed a second time.
//!
//! Invariant: the same memories as in the files, as far as `Look::Usual` looks.

use super::{Look, Place, What, memory, open, open_existing};
use crate::identity::{Finding, Memory, Stamp};
use crate::ops::store::Store;
use crate::recall::{
    embed,
    similar::Known,
    vectors::{Packed, Vectors},
};
use crate::system::{
    Context,
    folder::{self, AtHand, Reading},
    index::{Content, IndexError, Stat},
};
use rayon::prelude::*;

/// Every memory, in no order, and findings for files that are none.
pub(in crate::ops) fn memories(store: &Store, context: &Context) -> (Vec<Memory>, Vec<Finding>) {
    if let Ok(Some(opened)) = open(store, context, Look::Usual, &|_, _| {})
        && let Ok(contents) = opened.index.reads().contents()
    {
        let memories: Option<Vec<Memory>> = contents.into_par_iter().map(memory).collect();
        if let Some(memories) = memories {
            return (memories, opened.findings);
        }
    }
    let (placed, findings) = store.memories();
    (placed.into_iter().map(|placed| placed.memory).collect(), findings)
}

/// The first memories for a context: pinned ones, then the newest until one of them is enough, and
/// those with these ties; and how many there are in all.
pub(in crate::ops) fn newest(
    store: &Store,
    context: &Context,
    ties: &[u64],
    mut is_enough: impl FnMut(&Memory) -> bool,
) -> (Vec<Memory>, usize) {
    if let Ok(Some(opened)) = open(store, context, Look::Usual, &|_, _| {})
        && let Ok(found) = newest_of(&opened, ties, &mut is_enough)
    {
        return found;
    }
    let (placed, _) = store.memories();
    let count = placed.len();
    (placed.into_iter().map(|placed| placed.memory).collect(), count)
}

fn newest_of(
    opened: &super::Opened,
    ties: &[u64],
    is_enough: &mut impl FnMut(&Memory) -> bool,
) -> Result<(Vec<Memory>, usize), IndexError> {
    let reads = opened.index.reads();
    let mut memories = Vec::new();
    reads.newest(|content| {
        let Some(memory) = memory(content) else { return false };
        let enough = is_enough(&memory);
        memories.push(memory);
        enough
    })?;
    for tie in ties {
        let known = |found: &Memory| memories.iter().all(|memory| memory.path != found.path);
        let found = reads.with_tie(*tie)?.into_iter().filter_map(memory);
        let new: Vec<Memory> = found.filter(known).collect();
        memories.extend(new);
    }
    Ok((memories, reads.count_documents()?))
}

/// All files of a store; memories that did not change since they were indexed come from there.
pub(in crate::ops) fn reading(store: &Store, context: &Context) -> Reading {
    let at_hand = at_hand(store, context).unwrap_or_default();
    folder::read_listed(folder::list(&store.root, ""), &at_hand)
}

fn at_hand(store: &Store, context: &Context) -> Option<AtHand> {
    let contents = open_existing(What::Facts, store, context)?.index.reads().contents().ok()?;
    let known = |content: Content| {
        let modified = Stamp::from_micros(content.stat.modified / 1_000);
        // One without a time was too young to be trusted.
        let memory = memory(content).filter(|_| modified.micros() != 0)?;
        Some((memory.path, (memory.blob, modified)))
    };
    Some(contents.into_par_iter().filter_map(known).collect())
}

/// The built-in vectors that an index keeps, whether it is up to date or not: they are those of
/// texts.
pub(in crate::ops) fn vectors(store: &Store, context: &Context) -> Known {
    let mut known = Known::new();
    let place = Place::of(What::Facts, store, context);
    if let Some((index, _)) = place.open().filter(|_| place.model.is_built_in()) {
        // What could not be read is made again.
        let _ = index.reads().each_vector_by_tie(|tie, bytes| {
            known.insert(tie, Packed::from_bytes(bytes));
        });
    }
    known
}

/// How many memories are looked at more closely.
const NEAREST: usize = 20;
/// An index of more is not searched for a hint.
const MOST: usize = 20_000;

/// The memories that mean most nearly what a text means, as the index knows them: it is not brought
/// up to date, so that a save does not wait. None where there is no index with vectors.
pub(in crate::ops) fn near(store: &Store, context: &Context, text: &str) -> Option<Vec<Memory>> {
    let place = Place::of(What::Facts, store, context);
    let (index, _) = place.open().filter(|_| place.model.is_built_in())?;
    let reads = index.reads();
    if reads.count().ok()? > MOST {
        return Some(Vec::new());
    }
    let (mut ids, mut vectors) = (Vec::new(), Vectors::default());
    let read = reads.each_vector(|id, bytes| {
        ids.push(id);
        vectors.push_bytes(bytes);
    });
    read.ok().filter(|_| !ids.is_empty())?;
    let mut near: Vec<(f32, i64)> =
        vectors.cosines(&embed::embed(text).packed()).into_iter().zip(ids).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    let still_there = |id: i64| {
        let content = reads.content(id).ok()?;
        let file = store.root.join(&content.path);
        (Stat::of(&file) == Some(content.stat)).then(|| memory(content)).flatten()
    };
    Some(near.into_iter().take(NEAREST).filter_map(|(_, id)| still_there(id)).collect())
}
