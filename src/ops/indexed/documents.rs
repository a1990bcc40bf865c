//! Knowledge documents of one store in their index: a row for each chunk.
//!
//! Invariant: as for facts: the files are the truth, the index and a scan of the files answer alike,
//! and what the index cannot say is remembered as trouble.

use super::{
    Look, Place, What,
    corpus::counted,
    rows::{Prepared, Preparer},
};
use crate::identity::{Blob, Finding, RelPath};
use crate::knowledge::{Entry, Topic, paper};
use crate::ops::store::Store;
use crate::recall::{
    Candidate, Corpus,
    corpus::{self, Document as Chunk, Posting, Word},
    vectors::Vectors,
    words_of,
};
use crate::system::{
    Context,
    folder::{self, Listed},
    index::{self, Content, Entry as Row, Index, IndexError, Searchable, Stat},
};
use serde::{Deserialize, Serialize};
use std::{
    cell::{Cell, OnceCell},
    collections::BTreeMap,
    ops::Range,
};

/// A change to what is kept of a document needs another one.
pub(super) const EDITION: u32 = 1;

/// What the index keeps of a document beside its bytes: what filters and lists need.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(in crate::ops) struct Card {
    pub(in crate::ops) labels: Vec<String>,
    pub(in crate::ops) tags: Vec<String>,
    pub(in crate::ops) source: Option<String>,
    /// In microseconds since 1970.
    pub(in crate::ops) created: i64,
}

impl Card {
    fn of(entry: &Entry) -> Card {
        Card {
            labels: entry.labels().map(str::to_owned).collect(),
            tags: entry.tags.clone(),
            source: entry.source.clone(),
            created: paper::created(entry),
        }
    }
}

/// Reads one file. One that is no document is a row without words.
pub(super) fn prepared(preparer: &mut Preparer, listed: &Listed) -> Result<Prepared, Finding> {
    // Before the bytes: a change between the two is seen the next time.
    let stat = Stat::of(&listed.file).unwrap_or_default().settled();
    let (blob, _) = folder::read_file(&listed.path, &listed.file)?;
    let row = index::Row {
        path: listed.path.to_string(),
        stat,
        bytes: blob.to_vec(),
        ..index::Row::default()
    };
    let Some(Ok(entry)) = Entry::read(&listed.path, &blob) else {
        return Ok(Prepared { row, words: Vec::new(), text: String::new() });
    };
    let facts =
        postcard::to_stdvec(&Card::of(&entry)).expect("because a card is texts and numbers");
    let (mut searchable, mut words) = (Vec::new(), Vec::new());
    // Parts of the profile are listed, and never searched.
    let chunks = if entry.is_always_included() { Vec::new() } else { paper::chunks(&entry) };
    for chunk in chunks {
        let [body, tags] = words_of(&chunk.body, &chunk.tags);
        searchable.push(Searchable {
            created: chunk.created,
            tie: chunk.tie,
            length: (body.len() + tags.len()) as u32,
            body: preparer.stemmed(&body),
            tags: preparer.stemmed(&tags),
            vector: Some(preparer.embedder.vector(&chunk.body).packed().to_bytes()),
            ..Searchable::default()
        });
        words.extend(body);
        words.extend(tags);
    }
    Ok(Prepared { row: index::Row { facts, searchable, ..row }, words, text: String::new() })
}

/// The words that a document was counted with.
pub(super) fn words(content: &Content) -> Vec<Vec<String>> {
    let entry = entry_of(content).filter(|entry| !entry.is_always_included());
    let chunks = entry.map_or_else(Vec::new, |entry| paper::chunks(&entry));
    chunks.iter().flat_map(|chunk| words_of(&chunk.body, &chunk.tags)).collect()
}

fn entry_of(content: &Content) -> Option<Entry> {
    let path = RelPath::new(&content.path)?;
    Entry::read(&path, &Blob::from(content.bytes.as_slice()))?.ok()
}

/// The documents of a store, up to date. None when there are too few for an index.
pub(in crate::ops) fn open(
    store: &Store,
    context: &Context,
    look: Look,
) -> Result<Option<Documents>, IndexError> {
    let opened = super::open_place(&Place::of(What::Documents, store, context), look, &|_, _| {})?;
    let Some(opened) = opened else { return Ok(None) };
    let papers = opened.index.reads().papers()?;
    let card = |(file, path, card): (i64, String, Vec<u8>)| {
        Some(Paper { file, path: RelPath::new(&path)?, card: postcard::from_bytes(&card).ok()? })
    };
    let papers: Option<Vec<Paper>> = papers.into_iter().map(card).collect();
    let documents = Documents {
        papers: papers.unwrap_or_default(),
        findings: opened.findings,
        store: store.clone(),
        index: opened.index,
    };
    Ok(Some(documents))
}

/// A document of the index.
pub(in crate::ops) struct Paper {
    file: i64,
    pub(in crate::ops) path: RelPath,
    pub(in crate::ops) card: Card,
}

impl Paper {
    pub(in crate::ops) fn topic(&self) -> Option<Topic> {
        Topic::of(&self.path)
    }

    /// Whether it has a label, whatever its case.
    pub(in crate::ops) fn has_label(&self, wanted: &str) -> bool {
        let wanted = wanted.to_lowercase();
        self.card.labels.iter().any(|label| label.to_lowercase() == wanted)
    }
}

/// What there is, before anything is searched.
pub(in crate::ops) struct Documents {
    store: Store,
    index: Index,
    /// By path.
    pub(in crate::ops) papers: Vec<Paper>,
    pub(in crate::ops) findings: Vec<Finding>,
}

impl Documents {
    /// Keeps some of the documents.
    pub(in crate::ops) fn retain(&mut self, keep: impl Fn(&Paper) -> bool) {
        self.papers.retain(keep);
    }

    /// Their chunks, and which of them belong to which document.
    pub(in crate::ops) fn searched(self) -> Result<Searched, IndexError> {
        let mut by_file: BTreeMap<i64, Vec<Row>> = BTreeMap::new();
        for row in self.index.reads().documents()? {
            by_file.entry(index::file_of(row.id)).or_default().push(row);
        }
        let (mut rows, mut runs): (Vec<Row>, Vec<Range<u32>>) = (Vec::new(), Vec::new());
        for paper in &self.papers {
            let start = rows.len() as u32;
            rows.extend(by_file.remove(&paper.file).unwrap_or_default());
            runs.push(start..rows.len() as u32);
        }
        let mut places: Vec<(i64, u32)> =
            rows.iter().enumerate().map(|(at, row)| (row.id, at as u32)).collect();
        places.sort_unstable();
        let chunk = |row: &Row| {
            let Row { created, tie, source, length, .. } = *row;
            Chunk { created, tie, source, length }
        };
        let chunks = rows.iter().map(chunk).collect();
        Ok(Searched {
            documents: self,
            runs,
            chunks,
            places,
            words: OnceCell::new(),
            word_vectors: OnceCell::new(),
            vectors: OnceCell::new(),
            trouble: Cell::new(false),
        })
    }
}

/// The chunks of the documents as a corpus.
pub(in crate::ops) struct Searched {
    pub(in crate::ops) documents: Documents,
    /// The chunks of each document.
    pub(in crate::ops) runs: Vec<Range<u32>>,
    chunks: Vec<Chunk>,
    /// The place of each chunk, by its id.
    places: Vec<(i64, u32)>,
    words: OnceCell<Vec<Word>>,
    word_vectors: OnceCell<Vectors>,
    vectors: OnceCell<Vectors>,
    trouble: Cell<bool>,
}

impl Searched {
    fn tried<T>(&self, result: Result<T, IndexError>) -> Option<T> {
        if result.is_err() {
            self.trouble.set(true);
        }
        result.ok()
    }

    /// Whether the index could not answer.
    pub(in crate::ops) fn has_trouble(&self) -> bool {
        self.trouble.get()
    }

    fn place(&self, id: i64) -> Option<u32> {
        let at = self.places.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(self.places[at].1)
    }

    fn content(&self, at: usize) -> Option<Content> {
        self.tried(self.documents.index.reads().content(self.documents.papers[at].file))
    }

    /// A document, read from what the index has of its file.
    pub(in crate::ops) fn entry(&self, at: usize) -> Option<Entry> {
        entry_of(&self.content(at)?)
    }

    /// Whether its file is no longer what the index knows.
    pub(in crate::ops) fn is_stale(&self, at: usize) -> bool {
        let Some(content) = self.content(at) else { return true };
        Stat::of(&self.documents.store.root.join(&content.path)) != Some(content.stat)
    }
}

impl Corpus for Searched {
    fn documents(&self) -> &[Chunk] {
        &self.chunks
    }

    fn words(&self) -> &[Word] {
        self.words.get_or_init(|| {
            let words = self.tried(self.documents.index.reads().words()).unwrap_or_default();
            words.into_iter().map(|(text, often)| Word { text, often }).collect()
        })
    }

    fn word_vectors(&self) -> &Vectors {
        self.word_vectors.get_or_init(|| {
            let mut vectors = Vectors::default();
            let reads = self.documents.index.reads();
            self.tried(reads.each_word_vector(|bytes| vectors.push_bytes(bytes)));
            vectors
        })
    }

    fn postings(&self, stem: &str) -> Vec<Posting> {
        let found = self.tried(self.documents.index.reads().instances(stem)).unwrap_or_default();
        counted(found, |id| self.place(id))
    }

    fn vectors(&self) -> &Vectors {
        self.vectors.get_or_init(|| {
            let mut vectors = Vectors::empty(self.chunks.len());
            let read = self.documents.index.reads().each_vector(|id, bytes| {
                if let Some(at) = self.place(id) {
                    vectors.put_bytes(at as usize, bytes);
                }
            });
            self.tried(read);
            vectors
        })
    }

    fn lower(&self, chunks: &[u32]) -> Vec<String> {
        let mut read: BTreeMap<usize, Vec<Candidate>> = BTreeMap::new();
        let mut lower = |chunk: &u32| {
            let document = self.runs.partition_point(|run| run.end <= *chunk);
            let texts = read.entry(document).or_insert_with(|| {
                self.entry(document).map_or_else(Vec::new, |entry| paper::chunks(&entry))
            });
            let text = texts.get((*chunk - self.runs[document].start) as usize);
            text.map(|text| corpus::lower(&text.body, &text.tags)).unwrap_or_default()
        };
        chunks.iter().map(&mut lower).collect()
    }
}
