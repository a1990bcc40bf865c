//! Memories of a store out of its index, where there is one: not read and parsed a second time.
//!
//! Invariant: the same memories as in the files, as far as `Look::Usual` looks.

use super::{Look, memory, open};
use crate::identity::{Finding, Memory};
use crate::ops::store::Store;
use crate::system::{Context, index::IndexError};
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

/// The first memories for a context, pinned ones first, then the newest, until one of
/// them is enough; and how
/// many there are in all.
pub(in crate::ops) fn newest(
    store: &Store,
    context: &Context,
    mut is_enough: impl FnMut(&Memory) -> bool,
) -> (Vec<Memory>, usize) {
    if let Ok(Some(opened)) = open(store, context, Look::Usual, &|_, _| {})
        && let Ok(found) = newest_of(&opened, &mut is_enough)
    {
        return found;
    }
    let (placed, _) = store.memories();
    let count = placed.len();
    (placed.into_iter().map(|placed| placed.memory).collect(), count)
}

fn newest_of(
    opened: &super::Opened,
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
    Ok((memories, reads.count_documents()?))
}
