//! Knowledge documents of one store in its index: one row per passage.
//!
//! Invariant: as for facts: the files are the source of truth, index and file scan give the same
//! answers, and a failed index read sets a flag.

use super::{
    Encoding, Freshness, Opened, open,
    row_positions::RowPositions,
    rows::{Prepared, Preparer, packed},
    words::{all_word_vectors, all_words, counted, counted_words, vectors_of},
};
use crate::identity::{Blob, ContentHash, Digest, Finding, RelPath};
use crate::knowledge::{self, DocSummary, Topic, indexing};
use crate::ops::store::Store;
use crate::ops::workspace::Workspace;
use crate::recall::{
    Candidate, Corpus,
    corpus::{self, Document as Chunk, Posting, Word},
    vectors::Vectors,
    words_of,
};
use crate::system::{
    folder::{self, Listed},
    index::{self, Content, DocRow as Row, Index, IndexError, Reads, Searchable, Stat, Unit},
};
use serde::{Deserialize, Serialize};
use std::{
    cell::{Cell, OnceCell},
    collections::BTreeMap,
    ops::Range,
    rc::Rc,
};

/// Increase it when the stored form of a document changes.
pub(super) const EDITION: u32 = 6;

/// What the index stores of a document besides its bytes: the fields for filters and lists.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(in crate::ops) struct DocMeta {
    pub(in crate::ops) labels: Vec<String>,
    pub(in crate::ops) tags: Vec<String>,
    pub(in crate::ops) source: Option<String>,
    /// In microseconds since 1970.
    pub(in crate::ops) created: i64,
    /// Whether every context includes it.
    pub(in crate::ops) is_always_included: bool,
    /// Whether search includes it.
    pub(in crate::ops) is_searched: bool,
    pub(in crate::ops) prompt_order: Option<i64>,
}

impl DocMeta {
    fn of(entry: &DocSummary) -> DocMeta {
        DocMeta {
            labels: entry.labels().map(str::to_owned).collect(),
            tags: entry.tags.clone(),
            source: entry.source.clone(),
            created: indexing::created(entry),
            is_always_included: entry.is_always_included(),
            is_searched: entry.is_searched(),
            prompt_order: entry.prompt_order,
        }
    }
}

/// The stored findings for a document.
pub(super) fn digest(packed: &[u8]) -> Option<Digest> {
    Some(postcard::from_bytes::<(DocMeta, Digest)>(packed).ok()?.1)
}

/// Reads one file. One that is not a document becomes a row without words.
pub(super) fn prepared(preparer: &mut Preparer, listed: &Listed) -> Result<Prepared, Finding> {
    // Taken before the bytes, so that a change in between is noticed next time.
    let stat = Stat::of(&listed.file).unwrap_or_default().settled();
    let (blob, _) = folder::read_file(&listed.path, &listed.file)?;
    let (row, is_sound) = preparer.row(listed, stat, &blob);
    let entry = DocSummary::read(&listed.path, &blob).filter(|_| !row.is_kept_out());
    let Some(Ok(entry)) = entry else {
        return Ok(Prepared { row, words: Vec::new(), text: String::new() });
    };
    let digest = knowledge::check::digest(&listed.path, &blob, &entry, is_sound);
    let facts = packed(&(DocMeta::of(&entry), digest));
    let (mut searchable, mut words) = (Vec::new(), Vec::new());
    // Documents that every context includes are listed, but not searched.
    let chunks = if entry.is_searched() { indexing::chunks(&entry) } else { Vec::new() };
    for chunk in chunks {
        let [body, tags] = words_of(&chunk.body, &chunk.tags);
        searchable.push(Searchable {
            created: chunk.created,
            hash_prefix: chunk.hash_prefix,
            text: ContentHash::of_body(&chunk.body).hash_prefix(),
            length: (body.len() + tags.len()) as u32,
            body: preparer.stemmed(&body),
            tags: preparer.stemmed(&tags),
            vector: Some(preparer.embedder.vector(&chunk.body).packed().to_bytes()),
            ..Searchable::default()
        });
        words.extend(body);
        words.extend(tags);
    }
    Ok(Prepared { row: index::FileRow { facts, searchable, ..row }, words, text: String::new() })
}

/// The words that were counted for a document.
pub(super) fn words(content: &Content) -> Vec<Vec<String>> {
    let entry = entry_of(content).filter(DocSummary::is_searched);
    let chunks = entry.map_or_else(Vec::new, |entry| indexing::chunks(&entry));
    chunks.iter().flat_map(|chunk| words_of(&chunk.body, &chunk.tags)).collect()
}

fn entry_of(content: &Content) -> Option<DocSummary> {
    let path = RelPath::new(&content.path)?;
    DocSummary::read(&path, &Blob::from(content.bytes.as_slice()))?.ok()
}

/// The metadata of each document in a store, from its index if there is one.
pub(in crate::ops) fn document_metas(store: &Store, ws: &Workspace) -> Vec<(RelPath, DocMeta)> {
    if let Ok(Some(opened)) = open(store, ws, Freshness::Usual, &|_, _| {})
        && let Ok(documents) = opened.documents(store)
    {
        return documents
            .document_files
            .into_iter()
            .map(|document| (document.path, document.meta))
            .collect();
    }
    let meta = |listed: &Listed| {
        let (blob, _) = folder::read_file(&listed.path, &listed.file).ok()?;
        let entry = DocSummary::read(&listed.path, &blob)?.ok()?;
        Some((listed.path.clone(), DocMeta::of(&entry)))
    };
    store.document_listing().files.iter().filter_map(meta).collect()
}

impl Opened {
    pub(in crate::ops) fn documents(&self, store: &Store) -> Result<Documents, IndexError> {
        let document_files = self.index.reads(Unit::Documents).document_files()?;
        let indexed = |(file, path, bytes): (i64, String, Vec<u8>)| {
            let (path, meta) = (RelPath::new(&path)?, postcard::take_from_bytes(&bytes).ok()?.0);
            Some(IndexedDocument { file, path, meta })
        };
        let document_files: Option<Vec<IndexedDocument>> =
            document_files.into_iter().map(indexed).collect();
        let (store, index) = (store.clone(), self.index.clone());
        let document_files = document_files.unwrap_or_default();
        Ok(Documents { document_files, is_filtered: false, store, index })
    }
}

pub(in crate::ops) struct IndexedDocument {
    file: i64,
    pub(in crate::ops) path: RelPath,
    pub(in crate::ops) meta: DocMeta,
}

impl IndexedDocument {
    pub(in crate::ops) fn topic(&self) -> Option<Topic> {
        Topic::of(&self.path)
    }

    /// Whether it has a label, ignoring case.
    pub(in crate::ops) fn has_label(&self, wanted: &str) -> bool {
        let wanted = wanted.to_lowercase();
        self.meta.labels.iter().any(|label| label.to_lowercase() == wanted)
    }
}

/// All documents, before a search.
pub(in crate::ops) struct Documents {
    store: Store,
    index: Rc<Index>,
    /// By path.
    pub(in crate::ops) document_files: Vec<IndexedDocument>,
    /// Whether a filter excludes some: their words are not counted.
    is_filtered: bool,
}

impl Documents {
    pub(in crate::ops) fn retain(&mut self, keep: impl Fn(&IndexedDocument) -> bool) {
        let searched = |document_files: &[IndexedDocument]| {
            document_files.iter().filter(|document| document.meta.is_searched).count()
        };
        let all = searched(&self.document_files);
        self.document_files.retain(keep);
        self.is_filtered |= searched(&self.document_files) < all;
    }

    fn reads(&self) -> Reads<'_> {
        self.index.reads(Unit::Documents)
    }

    /// The passages of the documents, and which belong to which document.
    pub(in crate::ops) fn searched(
        self,
        encoding: &Encoding<'_>,
    ) -> Result<ChunkCorpus, IndexError> {
        let mut by_file: BTreeMap<i64, Vec<Row>> = BTreeMap::new();
        for row in self.reads().documents()? {
            by_file.entry(index::file_of(row.id)).or_default().push(row);
        }
        let (mut rows, mut runs): (Vec<Row>, Vec<Range<u32>>) = (Vec::new(), Vec::new());
        for document in &self.document_files {
            let start = rows.len() as u32;
            rows.extend(by_file.remove(&document.file).unwrap_or_default());
            runs.push(start..rows.len() as u32);
        }
        let positions = RowPositions::of(rows.iter().map(|row| row.id));
        let chunk = |row: &Row| {
            let Row { created, hash_prefix, source, length, .. } = *row;
            Chunk { created, hash_prefix, source, length }
        };
        let chunks = rows.iter().map(chunk).collect();
        let encoded = encoding.kept(&self.reads(), rows.len(), |id| positions.of_id(id))?;
        Ok(ChunkCorpus {
            encoded,
            documents: self,
            runs,
            chunks,
            positions,
            words: OnceCell::new(),
            word_vectors: OnceCell::new(),
            vectors: OnceCell::new(),
            failed: Cell::new(false),
        })
    }
}

/// The chunks of the documents as a corpus.
pub(in crate::ops) struct ChunkCorpus {
    pub(in crate::ops) documents: Documents,
    /// The range of chunks of each document.
    pub(in crate::ops) runs: Vec<Range<u32>>,
    chunks: Vec<Chunk>,
    positions: RowPositions,
    words: OnceCell<Vec<Word>>,
    word_vectors: OnceCell<Vectors>,
    vectors: OnceCell<Vectors>,
    encoded: Option<Vectors>,
    failed: Cell<bool>,
}

impl ChunkCorpus {
    fn tried<T>(&self, result: Result<T, IndexError>) -> Option<T> {
        if result.is_err() {
            self.failed.set(true);
        }
        result.ok()
    }

    /// Whether a read of the index failed.
    pub(in crate::ops) fn has_failed(&self) -> bool {
        self.failed.get()
    }

    fn position(&self, id: i64) -> Option<u32> {
        self.positions.of_id(id)
    }

    fn content(&self, at: usize) -> Option<Content> {
        self.tried(self.documents.reads().content(self.documents.document_files[at].file))
    }

    /// A document, read from the index's copy of its file.
    pub(in crate::ops) fn entry(&self, at: usize) -> Option<DocSummary> {
        entry_of(&self.content(at)?)
    }

    /// Whether its file differs from the index's copy.
    pub(in crate::ops) fn is_stale(&self, at: usize) -> bool {
        let Some(content) = self.content(at) else { return true };
        Stat::of(&self.documents.store.root.join(&content.path)) != Some(content.stat)
    }
}

impl Corpus for ChunkCorpus {
    fn documents(&self) -> &[Chunk] {
        &self.chunks
    }

    fn words(&self) -> &[Word] {
        self.words.get_or_init(|| {
            if self.documents.is_filtered {
                let contents =
                    (0..self.documents.document_files.len()).filter_map(|at| self.content(at));
                counted_words(contents.map(|content| words(&content).concat()))
            } else {
                self.tried(all_words(&self.documents.reads())).unwrap_or_default()
            }
        })
    }

    fn word_vectors(&self) -> &Vectors {
        self.word_vectors.get_or_init(|| {
            if self.documents.is_filtered {
                vectors_of(self.words())
            } else {
                let kept = all_word_vectors(&self.documents.reads(), self.words().len());
                self.tried(kept).unwrap_or_else(|| Vectors::empty(self.words().len()))
            }
        })
    }

    fn postings(&self, stem: &str) -> Vec<Posting> {
        let found = self.tried(self.documents.reads().instances(stem)).unwrap_or_default();
        counted(found, |id| self.position(id))
    }

    fn vectors(&self) -> &Vectors {
        self.vectors.get_or_init(|| {
            let mut vectors = Vectors::empty(self.chunks.len());
            let read = self.documents.reads().each_vector(|id, bytes| {
                if let Some(at) = self.position(id) {
                    vectors.put_bytes(at as usize, bytes);
                }
            });
            self.tried(read);
            vectors
        })
    }

    fn encoded(&self) -> Option<&Vectors> {
        self.encoded.as_ref()
    }

    fn lower(&self, chunks: &[u32]) -> Vec<String> {
        let mut read: BTreeMap<usize, Vec<Candidate>> = BTreeMap::new();
        let mut lower = |chunk: &u32| {
            let document = self.runs.partition_point(|run| run.end <= *chunk);
            let texts = read.entry(document).or_insert_with(|| {
                self.entry(document).map_or_else(Vec::new, |entry| indexing::chunks(&entry))
            });
            let text = texts.get((*chunk - self.runs[document].start) as usize);
            text.map(|text| corpus::lower(&text.body, &text.tags)).unwrap_or_default()
        };
        chunks.iter().map(&mut lower).collect()
    }
}
