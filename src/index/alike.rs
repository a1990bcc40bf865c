//! Near-duplicate pairs, cached in the index.
//!
//! Invariant: the cache is valid only for exactly the current memories; any write to the index
//! drops it.

use super::{
    IndexSpec,
    database::{Alike, FileMeta, IndexError, Unit},
    read,
    rows::word_vector,
    store::Store,
};
use crate::identity::{Digests, Memory};
use crate::machine::Context;
use crate::recall::alike::{self, Pair, Similar};
use std::collections::HashMap;

/// For each memory, the older one that is most like it; `before` is what the index knew of their
/// files.
pub(crate) fn alike(
    store: &Store,
    context: &Context,
    memories: &[Memory],
    before: &Digests,
) -> Vec<Similar> {
    let all = alike::by_age(memories);
    if all.is_empty() {
        return Vec::new();
    }
    let spec = IndexSpec::of(store, context);
    let is_known = |memory: &&Memory| before.get(&memory.path, &memory.blob).is_some();
    let has_index = spec.settings.index && spec.model.is_built_in();
    let is_kept = has_index && all.iter().all(is_known);
    if let Some(pairs) = is_kept.then(|| kept(&spec, &all)).flatten() {
        return alike::described(&all, &pairs);
    }
    let pairs = alike::pairs(&all, &read::vectors(store, context));
    if is_kept {
        // If they cannot be stored, they are computed again next time.
        let _ = keep(&spec, &all, &pairs);
    }
    alike::described(&all, &pairs)
}

/// `None` if a memory changed since the last comparison, or is not in the index.
fn kept(spec: &IndexSpec<'_>, all: &[&Memory]) -> Option<Vec<Pair>> {
    let index = spec.open_if_possible()?;
    let reads = index.reads(Unit::Facts);
    let alike = reads.alike().ok()??;
    if reads.count_texts() != all.len() {
        return None;
    }
    let positions: HashMap<&str, usize> = positions(all);
    let pair = |alike: Alike| {
        let newer = *positions.get(alike.newer.as_str())?;
        Some(Pair { newer, older: *positions.get(alike.older.as_str())?, score: alike.score })
    };
    alike.into_iter().map(pair).collect()
}

fn keep(spec: &IndexSpec<'_>, all: &[&Memory], pairs: &[Pair]) -> Result<(), IndexError> {
    let Some(writer) = spec.update()? else { return Ok(()) };
    // Another process may have saved a fact meanwhile.
    let known = writer.reads(Unit::Facts).metas()?;
    let positions = positions(all);
    let is_same = |meta: &FileMeta| {
        let at = positions.get(meta.path.as_str());
        at.is_some_and(|at| all[*at].blob.name() == Some(&meta.name))
    };
    if known.len() != all.len() || !known.iter().all(is_same) {
        return Ok(());
    }
    let path = |at: usize| all[at].path.to_string();
    let alike =
        |pair: &Pair| Alike { newer: path(pair.newer), older: path(pair.older), score: pair.score };
    writer.put_alike(&pairs.iter().map(alike).collect::<Vec<Alike>>())?;
    writer.finish_as_listed(&word_vector).map(drop)
}

fn positions<'a>(all: &[&'a Memory]) -> HashMap<&'a str, usize> {
    all.iter().enumerate().map(|(at, memory)| (memory.path.as_str(), at)).collect()
}
