//! Memories of a store out of its catalog, where there is one: not read and parsed a second time.
//!
//! Invariant: the same memories as in the files, as far as `Look::Usual` looks.

use super::{Look, Place, memory, open, open_existing};
use crate::identity::{Code, Finding, Memory, RelPath, Stamp, kind::MEMORIES};
use crate::ops::store::Store;
use crate::recall::{
    embed,
    similar::Known,
    vectors::{Packed, Vectors},
};
use crate::system::{
    Context,
    catalog::{CatalogError, Content, Stat, Unit},
    folder::{self, AtHand, Reading},
};
use rayon::prelude::*;

/// Every memory, in no order, and findings for files that are none.
pub(in crate::ops) fn memories(store: &Store, context: &Context) -> (Vec<Memory>, Vec<Finding>) {
    if let Ok(Some(opened)) = open(store, context, Look::Usual, &|_, _| {})
        && let Ok(contents) = opened.catalog.reads(Unit::Whole).contents()
    {
        let memories: Option<Vec<Memory>> = contents.into_par_iter().map(memory).collect();
        if let Some(mut memories) = memories {
            memories.extend(kept_out(store, &opened));
            // Those of the documents are theirs.
            let of_facts = |finding: &Finding| {
                finding.path.starts_with(MEMORIES) && finding.code != Code::Secret
            };
            return (memories, opened.findings.into_iter().filter(of_facts).collect());
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
        && let Ok((mut found, count)) = newest_of(&opened, ties, &mut is_enough)
    {
        let others = kept_out(store, &opened);
        let count = count + others.len();
        found.extend(others);
        return (found, count);
    }
    let (placed, _) = store.memories();
    let count = placed.len();
    (placed.into_iter().map(|placed| placed.memory).collect(), count)
}

/// The facts whose bytes are in their files alone.
fn kept_out(store: &Store, opened: &super::Opened) -> Vec<Memory> {
    let others = opened.catalog.reads(Unit::Whole).others().unwrap_or_default();
    let read = |content: Content| {
        let path = RelPath::new(&content.path)?;
        let (blob, _) = folder::read_file(&path, &store.root.join(path.as_str())).ok()?;
        Memory::read(&path, &blob).ok()
    };
    others.into_iter().filter(Content::is_kept_out).filter_map(read).collect()
}

fn newest_of(
    opened: &super::Opened,
    ties: &[u64],
    is_enough: &mut impl FnMut(&Memory) -> bool,
) -> Result<(Vec<Memory>, usize), CatalogError> {
    let reads = opened.catalog.reads(Unit::Whole);
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

/// All files of a store; memories that did not change since they were catalogued come from there.
pub(in crate::ops) fn reading(store: &Store, context: &Context) -> Reading {
    let at_hand = at_hand(store, context).unwrap_or_default();
    folder::read_listed(folder::list(&store.root, ""), &at_hand)
}

fn at_hand(store: &Store, context: &Context) -> Option<AtHand> {
    let contents = open_existing(store, context)?.catalog.reads(Unit::Whole).contents().ok()?;
    let known = |content: Content| {
        let modified = Stamp::from_micros(content.stat.modified / 1_000);
        // One without a time was too young to be trusted.
        let memory = memory(content).filter(|_| modified.micros() != 0)?;
        Some((memory.path, (memory.blob, modified)))
    };
    Some(contents.into_par_iter().filter_map(known).collect())
}

/// The built-in vectors that a catalog keeps, whether it is up to date or not: they are those of
/// texts.
pub(in crate::ops) fn vectors(store: &Store, context: &Context) -> Known {
    let mut known = Known::new();
    let place = Place::of(store, context);
    if let Some(catalog) = place.open().filter(|_| place.model.is_built_in()) {
        // What could not be read is made again.
        let _ = catalog.reads(Unit::Whole).each_vector_by_tie(|tie, bytes| {
            known.insert(tie, Packed::from_bytes(bytes));
        });
    }
    known
}

/// How many memories are looked at more closely.
const NEAREST: usize = 20;
/// A catalog of more is not searched for a hint.
const MOST: usize = 20_000;

/// The memories that mean most nearly what a text means, as the catalog knows them: it is not brought
/// up to date, so that a save does not wait. None where there is no catalog with vectors.
pub(in crate::ops) fn near(store: &Store, context: &Context, text: &str) -> Option<Vec<Memory>> {
    let place = Place::of(store, context);
    let catalog = place.open().filter(|_| place.model.is_built_in())?;
    let reads = catalog.reads(Unit::Whole);
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
        let now = Stat::of(&file)?;
        // One that was too young to be trusted is looked at as it is.
        let is_same = now == content.stat || Stat { modified: 0, ..now } == content.stat;
        is_same.then(|| memory(content)).flatten()
    };
    Some(near.into_iter().take(NEAREST).filter_map(|(_, id)| still_there(id)).collect())
}
