//! Files as rows of the catalog: read, and taken apart into words.
//!
//! Invariant: a row holds exactly what scanning the file would give.

use crate::identity::{
    Blob, Code, Digest, Finding, Memory, RelPath, Stamp, check, memory::MemoryMeta,
};
use crate::recall::{
    corpus,
    embed::{self, BuiltIn},
    tokens::Stems,
    words_of,
};
use crate::secrets::{self, Allowed};
use crate::system::{
    catalog::{FileRow, Searchable, Stat, name_of},
    folder::{self, Listed},
};
use serde::Serialize;
use std::collections::HashMap;

/// A row, and the words that its text has.
pub(super) struct Prepared {
    pub(super) row: FileRow,
    pub(super) words: Vec<String>,
    /// What a vector is made of.
    pub(super) text: String,
}

/// Whether vectors are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Vectors {
    Kept,
    Left,
}

/// Takes files apart, and remembers stems and word pieces for the next.
pub(super) struct Preparer {
    vectors: Vectors,
    now: Stamp,
    pub(super) embedder: BuiltIn,
    stems: Stems,
    known: HashMap<String, String>,
}

impl Preparer {
    pub(super) fn new(vectors: Vectors, now: Stamp) -> Preparer {
        let (embedder, stems) = (BuiltIn::default(), Stems::default());
        Preparer { vectors, now, embedder, stems, known: HashMap::new() }
    }

    /// A row of a file, without what was read in it, and whether it has no fault of its own. The bytes
    /// of one that holds what looks like a secret are not copied.
    pub(super) fn row(&self, listed: &Listed, stat: Stat, blob: &Blob) -> (FileRow, bool) {
        let (found, _) = check::check_file(&listed.path, blob, self.now, &Allowed::default());
        let has_secret = found.iter().any(|finding| finding.code == Code::Secret);
        let bytes = if has_secret { Vec::new() } else { blob.to_vec() };
        let (path, name) = (listed.path.to_string(), name_of(blob).unwrap_or_default());
        (FileRow { path, stat, name, bytes, ..FileRow::default() }, found.is_empty())
    }

    /// Reads one file, as somebody would who looks for faults. One that is no memory is a row without
    /// words.
    pub(super) fn read(&mut self, listed: &Listed) -> Result<Prepared, Finding> {
        // Before the bytes: a change between the two is seen the next time.
        let stat = Stat::of(&listed.file).unwrap_or_default().settled();
        let (blob, _) = folder::read_file(&listed.path, &listed.file)?;
        let (row, is_sound) = self.row(listed, stat, &blob);
        if row.is_kept_out() {
            return Ok(Prepared { row, words: Vec::new(), text: String::new() });
        }
        let Ok(memory) = Memory::read(&listed.path, &blob) else {
            return Ok(Prepared { row, words: Vec::new(), text: String::new() });
        };
        let facts = blob.facts().expect("because it could be read as a memory");
        let digest = Digest::of(&blob, is_sound && facts.is_sound());
        let digest = Digest { latest: Some(facts.latest()), ..digest };
        let facts = packed(&(facts, memory.summary(), digest));
        let [body, tags] = words_of(memory.text(), &memory.tags);
        let searchable = Searchable {
            created: memory.created.micros(),
            hash_prefix: memory.hash.hash_prefix(),
            source: corpus::source_key(memory.source.as_deref().unwrap_or_default()),
            length: (body.len() + tags.len()) as u32,
            number: memory.id,
            pinned: memory.pinned,
            latest: memory.latest().micros(),
            text: memory.hash.hash_prefix(),
            body: self.stemmed(&body),
            tags: self.stemmed(&tags),
            vector: match self.vectors {
                Vectors::Kept => Some(self.embedder.vector(memory.text()).packed().to_bytes()),
                Vectors::Left => None,
            },
        };
        let words = body.into_iter().chain(tags).collect();
        let text = memory.text().to_owned();
        Ok(Prepared { row: FileRow { facts, searchable: vec![searchable], ..row }, words, text })
    }

    /// The stems of some words, with blanks between.
    pub(super) fn stemmed(&mut self, words: &[String]) -> String {
        let mut stemmed = String::new();
        for word in words {
            if !self.known.contains_key(word) {
                self.known.insert(word.clone(), self.stems.of(word));
            }
            stemmed.push_str(&self.known[word]);
            stemmed.push(' ');
        }
        stemmed
    }
}

/// Whether a file is searched by nobody, because it holds what looks like a secret.
pub(in crate::ops) fn holds_secret(path: &str, bytes: &[u8]) -> bool {
    !secrets::scan_file(path, bytes, &Allowed::default()).is_empty()
}

/// What is said of such a file.
pub(in crate::ops) fn kept_out(path: &RelPath) -> Finding {
    Finding::new(Code::Secret, path, "contains what looks like a secret; not searched")
}

pub(super) fn packed(kept: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(kept).expect("because it is numbers and texts")
}

/// The facts that a row keeps; they stand first.
pub(super) fn facts(packed: &[u8]) -> Option<MemoryMeta> {
    Some(postcard::take_from_bytes(packed).ok()?.0)
}

/// Everything that a row keeps of a memory: its facts, its first line, and what was found in it.
pub(super) fn of_memory(packed: &[u8]) -> Option<(MemoryMeta, String, Digest)> {
    postcard::from_bytes(packed).ok()
}

/// How often words occur more than before, or less.
#[derive(Default)]
pub(super) struct Counts(HashMap<String, i64>);

impl Counts {
    pub(super) fn add(&mut self, words: Vec<String>, times: i64) {
        for word in words {
            *self.0.entry(word).or_default() += times;
        }
    }

    pub(super) fn words(&self) -> &HashMap<String, i64> {
        &self.0
    }
}

/// The vector of a word, as the index keeps it.
pub(super) fn word_vector(word: &str) -> Vec<u8> {
    embed::embed(word).packed().to_bytes()
}
