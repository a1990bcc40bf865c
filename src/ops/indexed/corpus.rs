//! The texts of one store, in memory or in its index.
//!
//! Invariant: a store in memory and a store in an index answer alike. What the index cannot say is
//! remembered as trouble, and the answer of then is not used.

use super::{Rung, model::Model, rows};
use crate::identity::{Finding, RelPath};
use crate::ops::{
    recall::Among,
    store::{Placed, Scope, Store},
};
use crate::recall::{
    Candidate, Collection, Corpus,
    corpus::{self, Document, Posting, Word},
    embed,
    vectors::Vectors,
};
use crate::system::index::{Entry, Index, IndexError, Instance, Stat};
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
    Indexed(Box<Indexed>),
}

struct Indexed {
    index: Index,
    rung: Rung,
    model: Model,
    /// Whether the vectors of another model are left aside.
    built_in: Cell<bool>,
    entries: Vec<Entry>,
    documents: Vec<Document>,
    /// The place of each id among the documents.
    places: Vec<u32>,
    words: OnceCell<Vec<Word>>,
    word_vectors: OnceCell<Vectors>,
    vectors: OnceCell<Vectors>,
    made_vectors: OnceCell<Vectors>,
    /// Texts that a question has asked for.
    lower: RefCell<BTreeMap<u32, String>>,
    trouble: Cell<bool>,
}

const NOWHERE: u32 = u32::MAX;
/// Of so many that a filter leaves, words are counted anew: those of the others are not theirs.
const FEW: usize = 5_000;

/// By time, as everywhere; of the same text and moment, by path.
fn in_order(entries: &mut [Entry], index: &Index) -> Result<(), IndexError> {
    entries.sort_by_key(|entry| (entry.created, entry.tie));
    for same in entries.chunk_by_mut(|a, b| (a.created, a.tie) == (b.created, b.tie)) {
        if same.len() > 1 {
            let mut paths = BTreeMap::new();
            for entry in same.iter() {
                paths.insert(entry.id, index.reads().path(entry.id)?);
            }
            same.sort_by(|a, b| paths[&a.id].cmp(&paths[&b.id]));
        }
    }
    Ok(())
}

impl Part {
    /// All files of the store are read.
    pub(in crate::ops) fn read(store: Store, among: &Among) -> (Part, Vec<Finding>) {
        let (mut placed, findings) = store.memories();
        placed.retain(|placed| among.has(&placed.memory));
        (Part::of(store, placed), findings)
    }

    fn of(store: Store, mut placed: Vec<Placed>) -> Part {
        let order = |placed: &Placed| {
            let memory = &placed.memory;
            (memory.created, memory.hash.tie(), memory.path.clone())
        };
        placed.sort_by_cached_key(order);
        let candidates: Vec<Candidate> = placed.iter().map(candidate).collect();
        let held = Held::Read { collection: Box::new(Collection::of(&candidates)), placed };
        Part { store, held }
    }

    /// A few documents of an index, counted by themselves.
    fn of_entries(store: Store, index: &Index, entries: &[Entry]) -> Result<Part, IndexError> {
        let mut placed = Vec::new();
        for entry in entries {
            let memory = super::memory(index.reads().content(entry.id)?);
            placed.extend(memory.map(|memory| store.place(memory)));
        }
        Ok(Part::of(store, placed))
    }

    pub(in crate::ops) fn indexed(
        store: Store,
        opened: super::Opened,
        among: &Among,
    ) -> Result<(Part, Vec<Finding>), IndexError> {
        let index = opened.index;
        let mut entries = index.reads().documents()?;
        if !among.is_all() {
            let mut allowed = BTreeSet::new();
            index.reads().each_facts(|id, packed| {
                if rows::facts(packed).is_some_and(|facts| among.has(&facts)) {
                    allowed.insert(id);
                }
            })?;
            entries.retain(|entry| allowed.contains(&entry.id));
            if entries.len() <= FEW && opened.model.is_built_in() {
                let part = Part::of_entries(store, &index, &entries)?;
                return Ok((part, opened.findings));
            }
        }
        in_order(&mut entries, &index)?;
        let document = |entry: &Entry| {
            let Entry { created, tie, source, length, .. } = *entry;
            Document { created, tie, source, length }
        };
        let highest = entries.iter().map(|entry| entry.id).max().unwrap_or(0);
        let mut places = vec![NOWHERE; usize::try_from(highest).unwrap_or(0) + 1];
        for (at, entry) in entries.iter().enumerate() {
            places[entry.id as usize] = at as u32;
        }
        let indexed = Indexed {
            documents: entries.iter().map(document).collect(),
            rung: opened.rung,
            model: opened.model,
            built_in: Cell::new(false),
            index,
            entries,
            places,
            words: OnceCell::new(),
            word_vectors: OnceCell::new(),
            vectors: OnceCell::new(),
            made_vectors: OnceCell::new(),
            lower: RefCell::default(),
            trouble: Cell::new(false),
        };
        let held = Held::Indexed(Box::new(indexed));
        Ok((Part { store, held }, opened.findings))
    }

    pub(super) fn corpus(&self) -> &dyn Corpus {
        match &self.held {
            Held::Read { collection, .. } => &**collection,
            Held::Indexed(indexed) => &**indexed,
        }
    }

    pub(super) fn number(&self, at: usize) -> Option<u64> {
        match &self.held {
            Held::Read { placed, .. } => placed[at].memory.id,
            Held::Indexed(indexed) => indexed.entries[at].number,
        }
    }

    pub(super) fn numbered(&self, number: u64) -> usize {
        match &self.held {
            Held::Read { placed, .. } => {
                placed.iter().filter(|placed| placed.memory.id == Some(number)).count()
            }
            Held::Indexed(indexed) => {
                indexed.entries.iter().filter(|entry| entry.number == Some(number)).count()
            }
        }
    }

    pub(super) fn placed(&self, at: usize) -> Option<Placed> {
        match &self.held {
            Held::Read { placed, .. } => Some(placed[at].clone()),
            Held::Indexed(indexed) => {
                let content = indexed.index.reads().content(indexed.entries[at].id);
                let memory = super::memory(indexed.tried(content)?)?;
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
            Held::Indexed(indexed) => Some(&indexed.model).filter(|model| !model.is_built_in()),
        }
    }

    /// From now on the vectors are those of the built-in table.
    pub(super) fn use_built_in(&self) {
        if let Held::Indexed(indexed) = &self.held {
            indexed.built_in.set(true);
        }
    }

    /// Whether the index could not answer.
    pub(super) fn has_trouble(&self) -> bool {
        match &self.held {
            Held::Read { .. } => false,
            Held::Indexed(indexed) => indexed.trouble.get(),
        }
    }

    pub(super) fn rung(&self) -> Rung {
        match &self.held {
            Held::Read { .. } => Rung::Scan,
            Held::Indexed(indexed) => indexed.rung,
        }
    }

    /// Whether a document's file is no longer what the index knows.
    pub(super) fn is_stale(&self, at: usize) -> bool {
        let Held::Indexed(indexed) = &self.held else { return false };
        let content = indexed.tried(indexed.index.reads().content(indexed.entries[at].id));
        let Some(content) = content else { return true };
        let file = RelPath::new(&content.path).map(|path| self.store.root.join(path.as_str()));
        file.and_then(|file| Stat::of(&file)) != Some(content.stat)
    }
}

impl Indexed {
    /// A result, or nothing and the memory of trouble.
    fn tried<T>(&self, result: Result<T, IndexError>) -> Option<T> {
        if result.is_err() {
            self.trouble.set(true);
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
            let words = self.tried(self.index.reads().words()).unwrap_or_default();
            words.into_iter().map(|(text, often)| Word { text, often }).collect()
        })
    }

    fn word_vectors(&self) -> &Vectors {
        self.word_vectors.get_or_init(|| {
            let mut vectors = Vectors::default();
            self.tried(self.index.reads().each_word_vector(|bytes| vectors.push_bytes(bytes)));
            vectors
        })
    }

    fn postings(&self, stem: &str) -> Vec<Posting> {
        let instances = self.tried(self.index.reads().instances(stem)).unwrap_or_default();
        let place = |id: i64| self.places.get(id as usize).copied().filter(|at| *at != NOWHERE);
        counted(instances, place)
    }

    fn vectors(&self) -> &Vectors {
        let is_usable = self.model.is_built_in() || !self.built_in.get();
        match self.rung == Rung::Hybrid && is_usable {
            true => self.vectors.get_or_init(|| self.kept_vectors()),
            false => self.made_vectors.get_or_init(|| self.made_vectors()),
        }
    }

    fn lower(&self, documents: &[u32]) -> Vec<String> {
        let reads = self.index.reads();
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

/// The postings of a stem, by where it occurs; `place` knows the documents that are searched.
pub(super) fn counted(
    instances: Vec<Instance>,
    place: impl Fn(i64) -> Option<u32>,
) -> Vec<Posting> {
    let mut postings: Vec<Posting> = Vec::new();
    for instance in instances {
        let Some(at) = place(instance.id) else { continue };
        match postings.last_mut().filter(|last| last.at == at) {
            Some(last) => {
                last.often += 1;
                last.in_tags |= instance.in_tags;
            }
            None => postings.push(Posting { at, often: 1, in_tags: instance.in_tags }),
        }
    }
    postings.sort_unstable_by_key(|posting| posting.at);
    postings
}

/// Where a text is read without its path.
const UNNAMED: &str = "knowledge/memories/unnamed.md";

impl Indexed {
    fn kept_vectors(&self) -> Vectors {
        let mut vectors = Vectors::empty(self.entries.len());
        self.tried(self.index.reads().each_vector(|id, bytes| {
            let at = self.places.get(id as usize).copied().filter(|at| *at != NOWHERE);
            if let Some(at) = at {
                vectors.put_bytes(at as usize, bytes);
            }
        }));
        vectors
    }

    fn made_vectors(&self) -> Vectors {
        let mut embedder = embed::BuiltIn::default();
        let mut of = |entry: &Entry| {
            let content = self.tried(self.index.reads().content(entry.id));
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
