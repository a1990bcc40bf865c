//! Which facts can say nearly what a new one does, or something else of its subject, for the hint
//! after a save.
//!
//! Invariant: what is read is bounded, however many facts there are: the vectors of a few thousand,
//! or of those that share the rarest stems with the new one, and of these the texts that can be
//! like it. From the index as it is, the notes of what was saved since, and those of these files
//! that were edited since: a refresh would delay a save.

use super::{
    IndexSpec,
    database::{Index, IndexError, Reads, Stat, Unit},
    facts::in_order,
    rows::memory,
    store::Store,
};
use crate::identity::{ContentHash, Memory};
use crate::machine::{Context, folder};
use crate::recall::{
    alike,
    cosines::Cosines,
    embed,
    tokens::{self, Stems},
    vectors::Packed,
};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

/// How many memories to compare in detail.
const NEAREST: usize = 20;
/// How many vectors to compare.
const COMPARED: usize = 256;
/// How often the stems that are looked up may occur.
const OCCURRENCES: usize = 4_096;

/// A text that others may be like.
struct Wanted<'a> {
    text: &'a str,
    hash: ContentHash,
    vector: Packed,
    /// The least cosine of one that is.
    least: f32,
}

/// The memories that are about much the same as a text, closest in meaning first, each with its
/// cosine. `None` if there is no index with vectors.
pub(crate) fn near(
    store: &Store,
    context: &Context,
    (text, hash): (&str, ContentHash),
) -> Option<Vec<(Memory, f32)>> {
    let spec = IndexSpec::of(store, context);
    let index = spec.open_as_is().ok()?.filter(|_| spec.model.is_built_in())?;
    let (vector, least) = (embed::embed(text).packed(), alike::least_near(text));
    let (reads, wanted) = (index.reads(Unit::Facts), Wanted { text, hash, vector, least });
    let found = nearest(&reads, &wanted).ok()??;
    let still_there = |(file, cosine): (i64, f32)| {
        let content = reads.content(file).ok()?;
        let now = Stat::of(&store.root.join(&content.path))?;
        // A row without a time was too recent for it to be trusted: co wrote it just before.
        let is_as_written = now == content.stat || Stat { modified: 0, ..now } == content.stat;
        let known = memory(content)?;
        Some((if is_as_written { known } else { with_new_labels(store, &known)? }, cosine))
    };
    let mut near: Vec<(Memory, f32)> = found.into_iter().filter_map(still_there).collect();
    near.extend(among_recent(&spec, &index, &wanted));
    // Stable: of those equally close, the oldest.
    near.sort_by(|(_, cosine), (_, other)| other.total_cmp(cosine));
    near.truncate(NEAREST);
    Some(near)
}

/// A memory whose file was edited in place since the index was written, if its text, and so its
/// vector, is still the same.
fn with_new_labels(store: &Store, known: &Memory) -> Option<Memory> {
    let (blob, _) = folder::read_file(&known.path, &store.root.join(known.path.as_str())).ok()?;
    let memory = Memory::read(&known.path, &blob).ok()?;
    (memory.hash == known.hash).then_some(memory)
}

/// Of the memories that were saved since the index was written, those that can be like a text.
fn among_recent(spec: &IndexSpec<'_>, index: &Index, wanted: &Wanted<'_>) -> Vec<(Memory, f32)> {
    let mut notes = spec.recent(index).unwrap_or_default();
    notes.retain(|note| note.hash_prefix != wanted.hash.hash_prefix());
    let mut cosines = Cosines::new(&wanted.vector, notes.len());
    notes.iter().enumerate().for_each(|(at, note)| cosines.put_bytes(at, &note.vector));
    let near = notes.iter().zip(cosines.found());
    let near = near.filter(|(_, cosine)| *cosine >= wanted.least);
    near.filter_map(|(note, cosine)| Some((spec.saved(note)?, cosine))).collect()
}

/// The files of the texts closest in meaning, with their cosines, closest first; of those equally
/// close, the oldest. `None` if not each of them has a vector.
fn nearest(reads: &Reads<'_>, wanted: &Wanted<'_>) -> Result<Option<Vec<(i64, f32)>>, IndexError> {
    if reads.count_texts() == 0 {
        return Ok(None);
    }
    let Some(mut like) = cosines(reads, wanted.text, &wanted.vector)? else {
        return Ok(None);
    };
    like.retain(|(_, cosine)| *cosine >= wanted.least);
    if like.len() > NEAREST {
        let farther = |(_, cosine): &(i64, f32), (_, other): &(i64, f32)| other.total_cmp(cosine);
        let (_, (_, least), _) = like.select_nth_unstable_by(NEAREST, farther);
        let least = *least;
        like.retain(|(_, cosine)| *cosine >= least);
    }
    let like: BTreeMap<i64, f32> = like.into_iter().collect();
    let mut rows = reads.texts_of(&like.keys().copied().collect())?;
    rows.retain(|row| row.hash_prefix != wanted.hash.hash_prefix());
    in_order(&mut rows, reads)?;
    rows.sort_by(|a, b| like[&b.id].total_cmp(&like[&a.id]));
    rows.truncate(NEAREST);
    Ok(Some(rows.iter().map(|row| (row.file, like[&row.id])).collect()))
}

/// The texts that share most stems with one.
fn likely(reads: &Reads<'_>, text: &str) -> Result<BTreeSet<i64>, IndexError> {
    let words = tokens::words(text).into_iter().filter(|word| !tokens::is_stop_word(word));
    let stemmed = Stems::default();
    let stems: BTreeSet<String> = words.map(|word| stemmed.stem(&word)).collect();
    let mut counted = Vec::with_capacity(stems.len());
    for stem in &stems {
        counted.push((reads.count_occurrences(stem)?, stem));
    }
    counted.sort();
    let mut ids = Vec::new();
    for (count, stem) in counted {
        if ids.len() + count > OCCURRENCES {
            break;
        }
        ids.extend(reads.occurrences(stem)?.into_iter().map(|found| found.id));
    }
    ids.sort_unstable();
    let shared = ids.chunk_by(|a, b| a == b).map(|same| (same[0], same.len()));
    let mut shared: Vec<(i64, usize)> = shared.collect();
    // The sort is stable: of those that share as many, the oldest.
    shared.sort_by_key(|(_, count)| Reverse(*count));
    shared.truncate(COMPARED);
    Ok(shared.into_iter().map(|(id, _)| id).collect())
}

/// The cosines of the texts with one: of all where that is quick, which also finds what says the
/// same in other words; else of those that share its stems. `None` if not each has a vector.
fn cosines(
    reads: &Reads<'_>,
    text: &str,
    asked: &Packed,
) -> Result<Option<Vec<(i64, f32)>>, IndexError> {
    let mut found = Vec::new();
    let count = reads.count_texts();
    let are_few = count <= OCCURRENCES;
    let ids = if are_few { BTreeSet::new() } else { likely(reads, text)? };
    let wanted = if are_few { count } else { ids.len() };
    let mut cosines = Cosines::new(asked, wanted);
    let put = |id, bytes: &[u8]| {
        cosines.put_bytes(found.len(), bytes);
        found.push(id);
    };
    if are_few {
        reads.each_vector(put)?;
    } else {
        reads.each_vector_of(&ids, put)?;
    }
    let has_all = found.len() == wanted;
    Ok(has_all.then(|| found.into_iter().zip(cosines.found()).collect()))
}
