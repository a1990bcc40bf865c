//! The facts of one store, in memory or in its catalog.
//!
//! Invariant: a store in memory and a store in a catalog answer alike. What the catalog cannot say is
//! remembered as trouble, and the answer of then is not used.

use super::{
    Encoding, Opened, Rung,
    model::Model,
    places::Places,
    rows,
    words::{all_word_vectors, all_words, counted, counted_words, vectors_of},
};
use crate::identity::{Finding, RelPath, Stamp, kind::MEMORIES};
use crate::ops::{
    recall::Among,
    store::{Placed, Scope, Store},
};
use crate::recall::{
    Candidate, Collection, Corpus,
    corpus::{self, Document, Posting, Word},
    embed,
    vectors::Vectors,
    words_of,
};
use crate::system::catalog::{CatalogError, Entry, Reads, Stat, Unit};
use std::{
    cell::{Cell, OnceCell, RefCell},
    collections::{BTreeMap, BTreeSet},
};

/// One store.
pub(in crate::ops) struct Part {
    store: Store,
    held: Held,
}

enum Held {
    Read { placed: Vec<Placed>, collection: Box<Collection> },
    Catalogued(Box<Catalogued>),
}

struct Catalogued {
    opened: Opened,
    /// Whether the vectors of another model are left aside.
    built_in: Cell<bool>,
    entries: Vec<Entry>,
    documents: Vec<Document>,
    places: Places,
    /// Whether a filter left some out: their words are not counted.
    is_filtered: bool,
    words: OnceCell<Vec<Word>>,
    word_vectors: OnceCell<Vectors>,
    vectors: OnceCell<Vectors>,
    made_vectors: OnceCell<Vectors>,
    encoded: Option<Vectors>,
    /// Texts that a question has asked for.
    lower: RefCell<BTreeMap<u32, String>>,
    trouble: Cell<bool>,
}

/// By time, as everywhere; of the same text and moment, by path.
fn in_order(entries: &mut [Entry], reads: &Reads<'_>) -> Result<(), CatalogError> {
    entries.sort_by_key(|entry| (entry.created, entry.tie));
    for same in entries.chunk_by_mut(|a, b| (a.created, a.tie) == (b.created, b.tie)) {
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

fn order(placed: &Placed) -> (Stamp, u64, RelPath) {
    let memory = &placed.memory;
    (memory.created, memory.hash.tie(), memory.path.clone())
}

impl Part {
    /// All files of the store are read.
    pub(in crate::ops) fn read(
        store: Store,
        among: &Among,
        encoding: &Encoding<'_>,
    ) -> (Part, Vec<Finding>) {
        let (mut placed, mut findings) = store.memories();
        placed.retain(|placed| {
            let path = &placed.memory.path;
            let is_out = rows::holds_secret(path.as_str(), &placed.memory.blob);
            findings.extend(is_out.then(|| rows::kept_out(path)));
            !is_out && among.has(&placed.memory)
        });
        let mut part = Part::of(store, placed);
        if let Held::Read { placed, collection } = part.held {
            let texts: Vec<&str> = placed.iter().map(|placed| placed.memory.text()).collect();
            let encoded = encoding.of_texts(&texts);
            let collection = Box::new(collection.with_encoded(encoded));
            part.held = Held::Read { placed, collection };
        }
        (part, findings)
    }

    fn of(store: Store, mut placed: Vec<Placed>) -> Part {
        placed.sort_by_cached_key(order);
        let candidates: Vec<Candidate> = placed.iter().map(candidate).collect();
        let held = Held::Read { collection: Box::new(Collection::of(&candidates)), placed };
        Part { store, held }
    }

    pub(in crate::ops) fn catalogued(
        store: Store,
        opened: Opened,
        among: &Among,
        encoding: &Encoding<'_>,
    ) -> Result<(Part, Vec<Finding>), CatalogError> {
        let reads = opened.catalog.reads(Unit::Whole);
        let mut entries = reads.documents()?;
        let of_facts = |finding: &&Finding| finding.path.starts_with(MEMORIES);
        let findings = opened.findings.iter().filter(of_facts).cloned().collect();
        if !among.is_all() {
            let mut allowed = BTreeSet::new();
            reads.each_facts(|id, packed| {
                if rows::facts(packed).is_some_and(|facts| among.has(&facts)) {
                    allowed.insert(id);
                }
            })?;
            entries.retain(|entry| allowed.contains(&entry.id));
        }
        in_order(&mut entries, &reads)?;
        let document = |entry: &Entry| {
            let Entry { created, tie, source, length, .. } = *entry;
            Document { created, tie, source, length }
        };
        let places = Places::of(entries.iter().map(|entry| entry.id));
        let encoded = encoding.kept(&reads, entries.len(), |id| places.of_id(id))?;
        let catalogued = Catalogued {
            documents: entries.iter().map(document).collect(),
            built_in: Cell::new(false),
            is_filtered: !among.is_all(),
            opened,
            entries,
            places,
            words: OnceCell::new(),
            word_vectors: OnceCell::new(),
            vectors: OnceCell::new(),
            made_vectors: OnceCell::new(),
            encoded,
            lower: RefCell::default(),
            trouble: Cell::new(false),
        };
        let held = Held::Catalogued(Box::new(catalogued));
        Ok((Part { store, held }, findings))
    }

    pub(super) fn corpus(&self) -> &dyn Corpus {
        match &self.held {
            Held::Read { collection, .. } => &**collection,
            Held::Catalogued(catalogued) => &**catalogued,
        }
    }

    pub(super) fn number(&self, at: usize) -> Option<u64> {
        match &self.held {
            Held::Read { placed, .. } => placed[at].memory.id,
            Held::Catalogued(catalogued) => catalogued.entries[at].number,
        }
    }

    pub(super) fn numbered(&self, number: u64) -> usize {
        match &self.held {
            Held::Read { placed, .. } => {
                placed.iter().filter(|placed| placed.memory.id == Some(number)).count()
            }
            Held::Catalogued(catalogued) => {
                catalogued.entries.iter().filter(|entry| entry.number == Some(number)).count()
            }
        }
    }

    pub(super) fn placed(&self, at: usize) -> Option<Placed> {
        match &self.held {
            Held::Read { placed, .. } => Some(placed[at].clone()),
            Held::Catalogued(catalogued) => {
                let content = catalogued.reads().content(catalogued.entries[at].id);
                let memory = super::memory(catalogued.tried(content)?)?;
                Some(self.store.place(memory))
            }
        }
    }

    pub(super) fn scope(&self) -> Scope {
        self.store.scope
    }

    /// The endpoint whose vectors it has.
    pub(super) fn endpoint(&self) -> Option<&Model> {
        match &self.held {
            Held::Read { .. } => None,
            Held::Catalogued(catalogued) => {
                Some(&catalogued.opened.model).filter(|model| !model.is_built_in())
            }
        }
    }

    /// From now on the vectors are those of the built-in table.
    pub(super) fn use_built_in(&self) {
        if let Held::Catalogued(catalogued) = &self.held {
            catalogued.built_in.set(true);
        }
    }

    /// Whether the catalog could not answer.
    pub(super) fn has_trouble(&self) -> bool {
        match &self.held {
            Held::Read { .. } => false,
            Held::Catalogued(catalogued) => catalogued.trouble.get(),
        }
    }

    pub(super) fn rung(&self) -> Rung {
        match &self.held {
            Held::Read { .. } => Rung::Scan,
            Held::Catalogued(_) => Rung::Catalog,
        }
    }

    /// Whether a document's file is no longer what the catalog knows.
    pub(super) fn is_stale(&self, at: usize) -> bool {
        let Held::Catalogued(catalogued) = &self.held else { return false };
        let content = catalogued.tried(catalogued.reads().content(catalogued.entries[at].id));
        let Some(content) = content else { return true };
        let file = RelPath::new(&content.path).map(|path| self.store.root.join(path.as_str()));
        file.and_then(|file| Stat::of(&file)) != Some(content.stat)
    }
}

impl Catalogued {
    fn reads(&self) -> Reads<'_> {
        self.opened.catalog.reads(Unit::Whole)
    }

    /// A result, or nothing and the memory of trouble.
    fn tried<T>(&self, result: Result<T, CatalogError>) -> Option<T> {
        if result.is_err() {
            self.trouble.set(true);
        }
        result.ok()
    }
}

impl Corpus for Catalogued {
    fn documents(&self) -> &[Document] {
        &self.documents
    }

    fn words(&self) -> &[Word] {
        self.words.get_or_init(|| match self.is_filtered {
            true => counted_words(self.entries.iter().filter_map(|entry| {
                let memory = super::memory(self.tried(self.reads().content(entry.id))?)?;
                Some(words_of(memory.text(), &memory.tags).concat())
            })),
            false => self.tried(all_words(&self.reads())).unwrap_or_default(),
        })
    }

    fn word_vectors(&self) -> &Vectors {
        self.word_vectors.get_or_init(|| match self.is_filtered {
            true => vectors_of(self.words()),
            false => {
                let kept = all_word_vectors(&self.reads(), self.words().len());
                self.tried(kept).unwrap_or_else(|| Vectors::empty(self.words().len()))
            }
        })
    }

    fn postings(&self, stem: &str) -> Vec<Posting> {
        let instances = self.tried(self.reads().instances(stem)).unwrap_or_default();
        counted(instances, |id| self.places.of_id(id))
    }

    fn vectors(&self) -> &Vectors {
        match self.opened.model.is_built_in() || !self.built_in.get() {
            true => self.vectors.get_or_init(|| self.kept_vectors()),
            false => self.made_vectors.get_or_init(|| self.made_vectors()),
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

/// Where a text is read without its path.
const UNNAMED: &str = "knowledge/memories/unnamed.md";

impl Catalogued {
    fn kept_vectors(&self) -> Vectors {
        let mut vectors = Vectors::empty(self.entries.len());
        self.tried(self.reads().each_vector(|id, bytes| {
            if let Some(at) = self.places.of_id(id) {
                vectors.put_bytes(at as usize, bytes);
            }
        }));
        vectors
    }

    fn made_vectors(&self) -> Vectors {
        let mut embedder = embed::BuiltIn::default();
        let mut of = |entry: &Entry| {
            let content = self.tried(self.reads().content(entry.id));
            let memory = content.and_then(super::memory);
            embedder.vector(memory.as_ref().map_or("", |memory| memory.text())).packed()
        };
        self.entries.iter().map(&mut of).collect()
    }
}

fn candidate(placed: &Placed) -> Candidate {
    Candidate {
        body: placed.memory.text().to_owned(),
        tags: placed.memory.tags.clone(),
        created: placed.memory.created.micros(),
        tie: placed.memory.hash.tie(),
        source: placed.memory.source.clone().unwrap_or_default(),
    }
}
