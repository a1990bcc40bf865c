//! The facts of one store, in memory or in its index.
//!
//! Invariant: a store in memory and a store in an index give the same answers. If a read of the
//! index fails, a flag is set and that answer is discarded.

use super::{
    Encoding, Opened, SearchMode,
    model::Model,
    row_positions::RowPositions,
    rows,
    words::{all_word_vectors, all_words, counted, counted_words, vectors_of},
};
use crate::identity::{Calendar, Finding, RelPath, Stamp, kind::MEMORIES};
use crate::ops::{
    recall::RecallFilter,
    store::{PlacedFact, Scope, Store},
};
use crate::recall::{
    Candidate, Collection, Corpus,
    corpus::{self, Document, Posting, Word},
    embed,
    vectors::Vectors,
    words_of,
};
use crate::system::index::{DocRow, IndexError, Reads, Stat, Unit};
use std::{
    cell::{Cell, OnceCell, RefCell},
    collections::{BTreeMap, BTreeSet},
};

pub(in crate::ops) struct StoreCorpus {
    store: Store,
    /// Of all facts, also of those that a filter excludes.
    numbers: Vec<u64>,
    backing: Backing,
}

enum Backing {
    Read { placed: Vec<PlacedFact>, collection: Box<Collection> },
    Indexed(Box<Indexed>),
}

struct Indexed {
    opened: Opened,
    /// Whether to ignore the endpoint's vectors and use the built-in ones.
    built_in: Cell<bool>,
    entries: Vec<DocRow>,
    documents: Vec<Document>,
    positions: RowPositions,
    /// Whether a filter excludes some documents: their words are not counted.
    is_filtered: bool,
    words: OnceCell<Vec<Word>>,
    word_vectors: OnceCell<Vectors>,
    vectors: OnceCell<Vectors>,
    made_vectors: OnceCell<Vectors>,
    encoded: Option<Vectors>,
    /// Texts that the question has loaded so far.
    lower: RefCell<BTreeMap<u32, String>>,
    failed: Cell<bool>,
}

/// By time, as everywhere; documents with the same time and text, by path.
fn in_order(entries: &mut [DocRow], reads: &Reads<'_>) -> Result<(), IndexError> {
    entries.sort_by_key(|entry| (entry.created, entry.hash_prefix));
    for same in
        entries.chunk_by_mut(|a, b| (a.created, a.hash_prefix) == (b.created, b.hash_prefix))
    {
        if same.len() > 1 {
            let mut paths = BTreeMap::new();
            for entry in same.iter() {
                paths.insert(entry.id, reads.path(entry.id)?);
            }
            same.sort_by(|a, b| paths[&a.id].cmp(&paths[&b.id]));
        }
    }
    Ok(())
}

fn order(placed: &PlacedFact) -> (Stamp, u64, RelPath) {
    let memory = &placed.memory;
    (memory.created, memory.hash.hash_prefix(), memory.path.clone())
}

impl StoreCorpus {
    /// Reads all files of the store.
    pub(in crate::ops) fn read(
        store: Store,
        (among, calendar): (&RecallFilter, &Calendar),
        encoding: &Encoding<'_>,
    ) -> (StoreCorpus, Vec<Finding>) {
        let (mut placed, mut findings) = store.memories();
        let numbers = placed.iter().filter_map(|placed| placed.memory.id).collect();
        placed.retain(|placed| {
            let path = &placed.memory.path;
            let is_out = rows::holds_secret(path.as_str(), &placed.memory.blob);
            findings.extend(is_out.then(|| rows::kept_out(path)));
            !is_out && among.has(&placed.memory, calendar)
        });
        let mut part = StoreCorpus::of(store, numbers, placed);
        if let Backing::Read { placed, collection } = part.backing {
            let texts: Vec<&str> = placed.iter().map(|placed| placed.memory.text()).collect();
            let encoded = encoding.of_texts(&texts);
            let collection = Box::new(collection.with_encoded(encoded));
            part.backing = Backing::Read { placed, collection };
        }
        (part, findings)
    }

    fn of(store: Store, numbers: Vec<u64>, mut placed: Vec<PlacedFact>) -> StoreCorpus {
        placed.sort_by_cached_key(order);
        let candidates: Vec<Candidate> = placed.iter().map(candidate).collect();
        let backing = Backing::Read { collection: Box::new(Collection::new(&candidates)), placed };
        StoreCorpus { store, numbers, backing }
    }

    pub(in crate::ops) fn indexed(
        store: Store,
        opened: Opened,
        (among, calendar): (&RecallFilter, &Calendar),
        encoding: &Encoding<'_>,
    ) -> Result<(StoreCorpus, Vec<Finding>), IndexError> {
        let reads = opened.index.reads(Unit::Facts);
        let mut entries = reads.documents()?;
        let numbers = entries.iter().filter_map(|entry| entry.number).collect();
        let of_facts = |finding: &&Finding| finding.path.starts_with(MEMORIES);
        let findings = opened.findings.iter().filter(of_facts).cloned().collect();
        if !among.is_all() {
            let mut allowed = BTreeSet::new();
            reads.each_facts(|id, packed| {
                if rows::facts(packed).is_some_and(|facts| among.has(&facts, calendar)) {
                    allowed.insert(id);
                }
            })?;
            entries.retain(|entry| allowed.contains(&entry.id));
        }
        in_order(&mut entries, &reads)?;
        let document = |entry: &DocRow| {
            let DocRow { created, hash_prefix, source, length, .. } = *entry;
            Document { created, hash_prefix, source, length }
        };
        let positions = RowPositions::of(entries.iter().map(|entry| entry.id));
        let encoded = encoding.kept(&reads, entries.len(), |id| positions.of_id(id))?;
        let indexed = Indexed {
            documents: entries.iter().map(document).collect(),
            built_in: Cell::new(false),
            is_filtered: !among.is_all(),
            opened,
            entries,
            positions,
            words: OnceCell::new(),
            word_vectors: OnceCell::new(),
            vectors: OnceCell::new(),
            made_vectors: OnceCell::new(),
            encoded,
            lower: RefCell::default(),
            failed: Cell::new(false),
        };
        let backing = Backing::Indexed(Box::new(indexed));
        Ok((StoreCorpus { store, numbers, backing }, findings))
    }

    pub(super) fn corpus(&self) -> &dyn Corpus {
        match &self.backing {
            Backing::Read { collection, .. } => &**collection,
            Backing::Indexed(indexed) => &**indexed,
        }
    }

    pub(super) fn number(&self, at: usize) -> Option<u64> {
        match &self.backing {
            Backing::Read { placed, .. } => placed[at].memory.id,
            Backing::Indexed(indexed) => indexed.entries[at].number,
        }
    }

    pub(super) fn numbered(&self, number: u64) -> usize {
        self.numbers.iter().filter(|known| **known == number).count()
    }

    pub(super) fn placed(&self, at: usize) -> Option<PlacedFact> {
        match &self.backing {
            Backing::Read { placed, .. } => Some(placed[at].clone()),
            Backing::Indexed(indexed) => {
                let content = indexed.reads().content(indexed.entries[at].id);
                let memory = super::memory(indexed.tried(content)?)?;
                Some(self.store.place(memory))
            }
        }
    }

    pub(super) fn scope(&self) -> Scope {
        self.store.scope
    }

    /// The endpoint that made its vectors.
    pub(super) fn endpoint(&self) -> Option<&Model> {
        match &self.backing {
            Backing::Read { .. } => None,
            Backing::Indexed(indexed) => {
                Some(&indexed.opened.model).filter(|model| !model.is_built_in())
            }
        }
    }

    /// Uses the vectors of the built-in table from now on.
    pub(super) fn use_built_in(&self) {
        if let Backing::Indexed(indexed) = &self.backing {
            indexed.built_in.set(true);
        }
    }

    /// Whether a read of the index failed.
    pub(super) fn has_failed(&self) -> bool {
        match &self.backing {
            Backing::Read { .. } => false,
            Backing::Indexed(indexed) => indexed.failed.get(),
        }
    }

    pub(super) fn mode(&self) -> SearchMode {
        match &self.backing {
            Backing::Read { .. } => SearchMode::Scan,
            Backing::Indexed(_) => SearchMode::Index,
        }
    }

    /// Whether a document's file differs from the index's copy.
    pub(super) fn is_stale(&self, at: usize) -> bool {
        let Backing::Indexed(indexed) = &self.backing else { return false };
        let content = indexed.tried(indexed.reads().content(indexed.entries[at].id));
        let Some(content) = content else { return true };
        let file = RelPath::new(&content.path).map(|path| self.store.root.join(path.as_str()));
        file.and_then(|file| Stat::of(&file)) != Some(content.stat)
    }
}

impl Indexed {
    fn reads(&self) -> Reads<'_> {
        self.opened.index.reads(Unit::Facts)
    }

    /// The result, or `None`; a failure is recorded in `failed`.
    fn tried<T>(&self, result: Result<T, IndexError>) -> Option<T> {
        if result.is_err() {
            self.failed.set(true);
        }
        result.ok()
    }
}

impl Corpus for Indexed {
    fn documents(&self) -> &[Document] {
        &self.documents
    }

    fn words(&self) -> &[Word] {
        self.words.get_or_init(|| {
            if self.is_filtered {
                counted_words(self.entries.iter().filter_map(|entry| {
                    let memory = super::memory(self.tried(self.reads().content(entry.id))?)?;
                    Some(words_of(memory.text(), &memory.tags).concat())
                }))
            } else {
                self.tried(all_words(&self.reads())).unwrap_or_default()
            }
        })
    }

    fn word_vectors(&self) -> &Vectors {
        self.word_vectors.get_or_init(|| {
            if self.is_filtered {
                vectors_of(self.words())
            } else {
                let kept = all_word_vectors(&self.reads(), self.words().len());
                self.tried(kept).unwrap_or_else(|| Vectors::empty(self.words().len()))
            }
        })
    }

    fn postings(&self, stem: &str) -> Vec<Posting> {
        let instances = self.tried(self.reads().instances(stem)).unwrap_or_default();
        counted(instances, |id| self.positions.of_id(id))
    }

    fn vectors(&self) -> &Vectors {
        if self.opened.model.is_built_in() || !self.built_in.get() {
            self.vectors.get_or_init(|| self.kept_vectors())
        } else {
            self.made_vectors.get_or_init(|| self.made_vectors())
        }
    }

    fn encoded(&self) -> Option<&Vectors> {
        self.encoded.as_ref()
    }

    fn lower(&self, documents: &[u32]) -> Vec<String> {
        let reads = self.reads();
        let read = |at: u32| {
            let text = self.tried(reads.text(self.entries[at as usize].id));
            let memory = text.and_then(|(bytes, facts)| super::memory_of(UNNAMED, bytes, &facts));
            memory.map(|memory| corpus::lower(memory.text(), &memory.tags)).unwrap_or_default()
        };
        let mut known = self.lower.borrow_mut();
        let mut lower = |at: &u32| known.entry(*at).or_insert_with(|| read(*at)).clone();
        documents.iter().map(&mut lower).collect()
    }
}

/// The path for a text that is read without one.
const UNNAMED: &str = "knowledge/memories/unnamed.md";

impl Indexed {
    fn kept_vectors(&self) -> Vectors {
        let mut vectors = Vectors::empty(self.entries.len());
        self.tried(self.reads().each_vector(|id, bytes| {
            if let Some(at) = self.positions.of_id(id) {
                vectors.put_bytes(at as usize, bytes);
            }
        }));
        vectors
    }

    fn made_vectors(&self) -> Vectors {
        let mut embedder = embed::BuiltIn::default();
        let mut of = |entry: &DocRow| {
            let content = self.tried(self.reads().content(entry.id));
            let memory = content.and_then(super::memory);
            embedder.vector(memory.as_ref().map_or("", |memory| memory.text())).packed()
        };
        self.entries.iter().map(&mut of).collect()
    }
}

fn candidate(placed: &PlacedFact) -> Candidate {
    Candidate {
        body: placed.memory.text().to_owned(),
        tags: placed.memory.tags.clone(),
        created: placed.memory.created.micros(),
        hash_prefix: placed.memory.hash.hash_prefix(),
        source: placed.memory.source.clone().unwrap_or_default(),
    }
}
