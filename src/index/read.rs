//! Reads the memories of a store from its index, if there is one, without parsing them again.
//!
//! Invariant: equals reading the files. Lists and contexts use the cheap freshness check
//! (`Freshness::Usual`); checks stat every file.

use super::{
    Freshness, HeldFacts, IndexSpec, Opened,
    database::{Content, FileMeta, Index, IndexError, Name, Stat, Unit, name_of},
    documents,
    kept_out::{kept_out, memory_at},
    opening::{from_index, open, open_existing},
    rows,
    store::Store,
};
use crate::git::meta_cache::ByName;
use crate::identity::{
    Blob, Code, Digests, Finding, Memory, RelPath, Stamp, blob,
    handle::Shared,
    memory::{MemoryMeta, summary_of},
};
use crate::machine::{
    Context, files,
    folder::{self, Listing, Prefetched, Reading},
};
use crate::recall::{alike::VectorCache, vectors::Packed};
use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
};

/// Every memory with its contents, unordered, and findings for files that are not memories.
pub(crate) fn memories(store: &Store, context: &Context) -> (Vec<Memory>, Vec<Finding>) {
    let read = |opened: &Opened| {
        let metas = opened.index.reads(Unit::Facts).metas().ok()?;
        let texts = Texts::of(store, context)?;
        let memory = |meta: &FileMeta| {
            let (path, facts) = (RelPath::new(&meta.path)?, rows::facts(&meta.facts)?);
            // Without a blob id the bytes cannot be loaded.
            (meta.name != Name::default()).then_some(())?;
            Some(Memory { blob: texts.blob(meta, Some(facts)), path })
        };
        let memories: Option<Vec<Memory>> = metas.iter().map(memory).collect();
        Some(memories?.into_iter().chain(kept_out(store, &opened.index)).collect::<Vec<Memory>>())
    };
    from_index(store, context, read, |memories| memories)
}

/// The facts in an index, whether or not it is up to date, with the sizes of their files, by blob
/// id.
pub(crate) fn facts_by_name(store: &Store, context: &Context) -> ByName {
    let index = IndexSpec::of(store, context).open_if_possible();
    let kept = index.and_then(|index| index.reads(Unit::Facts).facts_by_name().ok());
    let known = |(name, size, facts): (Name, u64, Vec<u8>)| {
        // A row without a blob id cannot be looked up.
        (name != Name::default() && size > 0).then_some(())?;
        Some((name, (size, rows::facts(&facts)?)))
    };
    kept.unwrap_or_default().into_iter().filter_map(known).collect()
}

/// A memory as a context shows it.
pub(crate) struct Shown {
    pub(crate) memory: Memory,
    pub(crate) summary: String,
    /// Whether the rules for secrets find nothing in it.
    pub(crate) is_plain: bool,
    /// What is said of when it holds.
    pub(crate) marks: Vec<String>,
}

impl Shown {
    fn of(memory: Memory) -> Shown {
        Shown { summary: memory.summary(), is_plain: false, marks: Vec::new(), memory }
    }

    /// With what is said of when it holds; `None` if it is not wanted.
    fn held(self, store: &Store, held: &HeldFacts) -> Option<Shown> {
        let path = self.memory.path.as_str();
        let wanted = held.wants(store, path);
        let marks = held.held(store, path, |scope, by| by.handle(scope, Shared::No)).marks;
        wanted.then_some(Shown { marks, ..self })
    }

    /// As the file is now: another program may have edited it since the folders were looked at.
    fn now(store: &Store, content: Content) -> Option<Shown> {
        if Stat::of(&store.root.join(&content.path)) == Some(content.stat) {
            return Shown::read(content);
        }
        memory_at(store, &content.path).map(Shown::of)
    }

    fn read(content: Content) -> Option<Shown> {
        let (facts, first_line, digest) = rows::of_memory(&content.facts)?;
        let summary = summary_of(&first_line);
        let (path, blob) = (RelPath::new(&content.path)?, Blob::known(content.bytes, facts)?);
        let (memory, is_plain) = (Memory { path, blob }, digest.is_plain);
        Some(Shown { memory, summary, is_plain, marks: Vec::new() })
    }
}

/// Memories for a context: those that hold, pinned, then newest until `enough`, plus those with
/// these hash prefixes; and the total count of those that hold.
pub(crate) fn newest(
    store: &Store,
    (context, held): (&Context, &HeldFacts),
    ties: &[u64],
    mut is_enough: impl FnMut(&Shown) -> bool,
) -> (Vec<Shown>, usize) {
    if let Ok(Some(opened)) = open(store, context, Freshness::Usual, &|_, _| {})
        && let Ok((mut found, count)) =
            newest_of((store, context, &opened), held, ties, &mut is_enough)
    {
        let others = kept_out(store, &opened.index);
        let count = count + others.len();
        found.extend(others.into_iter().filter_map(|memory| Shown::of(memory).held(store, held)));
        return (found, count.saturating_sub(held.count_hidden(store)));
    }
    let (placed, _) = store.memories();
    let shown = placed.into_iter().filter_map(|one| Shown::of(one.memory).held(store, held));
    let shown: Vec<Shown> = shown.collect();
    let count = shown.len();
    (shown, count)
}

fn newest_of(
    (store, context, opened): (&Store, &Context, &Opened),
    held: &HeldFacts,
    ties: &[u64],
    is_enough: &mut impl FnMut(&Shown) -> bool,
) -> Result<(Vec<Shown>, usize), IndexError> {
    let reads = opened.index.reads(Unit::Facts);
    let is_coarse = IndexSpec::of(store, context).is_coarse(&opened.index);
    let read = |content: Content| {
        let shown = if is_coarse { Shown::now(store, content) } else { Shown::read(content) };
        shown?.held(store, held)
    };
    let mut shown: Vec<Shown> = Vec::new();
    let tied = reads.newest(ties, |content| {
        let Some(one) = read(content) else { return false };
        let enough = is_enough(&one);
        shown.push(one);
        enough
    })?;
    let found = tied.into_iter().filter_map(read);
    let is_known = |found: &Shown| shown.iter().any(|one| one.memory.path == found.memory.path);
    let new: Vec<Shown> = found.filter(|found| !is_known(found)).collect();
    shown.extend(new);
    Ok((shown, reads.count_texts()))
}

/// All files of a store, and the findings of an earlier check.
#[derive(Default)]
pub(crate) struct CheckedStore {
    pub(crate) reading: Reading,
    pub(crate) before: Digests,
    texts: Option<Arc<IndexBlobs>>,
}

impl CheckedStore {
    /// Reads the files, without the index.
    pub(crate) fn at_files(store: &Store) -> CheckedStore {
        let reading = folder::read(&store.root);
        CheckedStore { reading, before: Digests::default(), texts: None }
    }

    /// Whether all requested bytes could be loaded: a file may have changed meanwhile.
    pub(crate) fn all_loaded(&self) -> bool {
        self.texts.as_ref().is_none_or(|texts| !texts.is_lost.load(Ordering::Acquire))
    }
}

/// Takes unchanged facts and documents from the index, and loads their bytes on demand. Does not
/// create an index.
pub(crate) fn reading(store: &Store, context: &Context) -> CheckedStore {
    let opened = open_existing(store, context);
    checked_store(store, context, folder::list(&store.root, ""), opened)
}

/// As [`reading`], but creates a missing index.
pub(crate) fn reading_closely(store: &Store, context: &Context) -> CheckedStore {
    let opened = open_up_to_date(store, context);
    checked_store(store, context, folder::list(&store.root, ""), opened)
}

/// As [`reading_closely`], for facts only.
pub(crate) fn reading_memories(store: &Store, context: &Context) -> CheckedStore {
    let opened = open_up_to_date(store, context);
    checked_store(store, context, store.memory_listing(), opened)
}

fn open_up_to_date(store: &Store, context: &Context) -> Option<Opened> {
    if !files::is_dir(&store.root) {
        return None;
    }
    open(store, context, Freshness::Whole, &|_, _| {}).ok()?
}

fn checked_store(
    store: &Store,
    context: &Context,
    listing: Listing,
    opened: Option<Opened>,
) -> CheckedStore {
    let texts = opened.as_ref().and_then(|_| Texts::of(store, context));
    let prefetched =
        opened.zip(texts.as_ref()).and_then(|(opened, texts)| prefetched(&opened, texts));
    let (prefetched, before) = prefetched.unwrap_or_default();
    let mut reading = folder::read_listed(listing, &prefetched);
    // Files that vanished since the listing were forgotten meanwhile.
    let is_there = |path: &str| {
        let file = store.root.join(path);
        files::exists(&file) || files::is_link(&file)
    };
    reading.findings.retain(|finding| finding.code != Code::Unreadable || is_there(&finding.path));
    reading.unreadable.retain(|path| is_there(path.as_str()));
    CheckedStore { reading, before, texts: texts.map(|texts| texts.0) }
}

fn prefetched(opened: &Opened, texts: &Texts) -> Option<(Prefetched, Digests)> {
    let (mut prefetched, mut before) = (Prefetched::new(), Digests::default());
    for unit in Unit::ALL {
        for meta in opened.index.reads(unit).metas().ok()? {
            let (facts, digest) = match unit {
                Unit::Facts => {
                    let (facts, _, digest) = rows::of_memory(&meta.facts)?;
                    (Some(facts), digest)
                }
                Unit::Documents => (None, documents::digest(&meta.facts)?),
            };
            // A zero time marks a row that was too recent to be trusted.
            if meta.stat.modified == 0 || meta.name == Name::default() {
                continue;
            }
            let (path, modified) = (RelPath::new(&meta.path)?, meta.stat.modified / 1_000);
            prefetched
                .insert(path.clone(), (texts.blob(&meta, facts), Stamp::from_micros(modified)));
            before.insert(path, meta.name, digest);
        }
    }
    Some((prefetched, before))
}

/// File contents as stored in the index, with the files as a fallback.
struct Texts(Arc<IndexBlobs>);

struct IndexBlobs {
    index: Mutex<Index>,
    root: PathBuf,
    rows: RwLock<HashMap<Name, (i64, String)>>,
    /// Whether requested bytes were found neither in the index nor in the files.
    is_lost: AtomicBool,
}

impl Texts {
    /// Opens its own connection, because several threads load texts.
    fn of(store: &Store, context: &Context) -> Option<Texts> {
        let index = IndexSpec::of(store, context).open_if_possible()?;
        // It reads what is there when a text is asked for, which has its blob id.
        index.pause().ok()?;
        let index = Mutex::new(index);
        let (root, rows) = (store.root.clone(), RwLock::default());
        Some(Texts(Arc::new(IndexBlobs { index, root, rows, is_lost: AtomicBool::new(false) })))
    }

    fn blob(&self, meta: &FileMeta, facts: Option<MemoryMeta>) -> Blob {
        let mut rows = self.0.rows.write().unwrap_or_else(PoisonError::into_inner);
        rows.insert(meta.name, (meta.id, meta.path.clone()));
        Blob::stored(meta.name, meta.stat.size.cast_unsigned(), facts, self.0.clone())
    }
}

impl blob::Store for IndexBlobs {
    fn load(&self, name: &Name) -> Vec<u8> {
        let rows = self.rows.read().unwrap_or_else(PoisonError::into_inner);
        let Some((id, path)) = rows.get(name) else { return Vec::new() };
        let index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = index.reads(Unit::Facts).bytes_of(*id, name).ok().flatten();
        // Rather nothing than the bytes of a newer version: writers compare first.
        let read = || files::read(&self.root.join(path)).ok().flatten();
        let is_same = |bytes: &Vec<u8>| name_of(bytes).as_ref() == Some(name);
        kept.or_else(|| read().filter(is_same)).unwrap_or_else(|| {
            self.is_lost.store(true, Ordering::Release);
            Vec::new()
        })
    }
}

/// The built-in vectors in an index, whether or not it is up to date: they depend only on the
/// texts.
pub(crate) fn vectors(store: &Store, context: &Context) -> VectorCache {
    let mut known = VectorCache::new();
    let spec = IndexSpec::of(store, context);
    if let Some(index) = spec.open_if_possible().filter(|_| spec.model.is_built_in()) {
        // Missing vectors are computed again.
        let _ = index.reads(Unit::Facts).each_vector_by_hash_prefix(|hash_prefix, bytes| {
            known.insert(hash_prefix, Packed::from_bytes(bytes));
        });
    }
    known
}
