//! Turns files into rows of the index, with their words.
//!
//! Invariant: a row contains exactly what scanning the file would give.

use crate::identity::{
    Blob, Code, Digest, Finding, Memory, RelPath, Stamp, check,
    memory::{MemoryMeta, first_line},
};
use crate::recall::{
    corpus,
    embed::{self, BuiltIn},
    tokens::Stems,
    words_of,
};
use crate::secrets::{self, Allowed};
use crate::system::{
    folder::{self, Listed},
    index::{FileRow, Searchable, Stat, name_of},
};
use serde::Serialize;
use std::collections::HashMap;

/// A row, and the words of its texts.
#[derive(Default)]
pub(super) struct Prepared {
    pub(super) row: FileRow,
    pub(super) words: Vec<String>,
    /// The texts that vectors are computed from.
    pub(super) texts: Vec<String>,
}

/// Whether vectors are computed here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Vectors {
    Kept,
    Left,
}

/// Turns files into rows, and caches stems and word pieces.
pub(super) struct Preparer {
    vectors: Vectors,
    now: Stamp,
    embedder: BuiltIn,
    stems: Stems,
    known: HashMap<String, String>,
}

impl Preparer {
    pub(super) fn new(vectors: Vectors, now: Stamp) -> Preparer {
        let (embedder, stems) = (BuiltIn::default(), Stems::default());
        Preparer { vectors, now, embedder, stems, known: HashMap::new() }
    }

    /// A row for a file, without its parsed contents, and whether the file has no findings. The
    /// bytes of a file with a suspected secret are not copied.
    pub(super) fn row(&self, listed: &Listed, stat: Stat, blob: &Blob) -> (FileRow, bool) {
        let (found, _) = check::check_file(&listed.path, blob, self.now, &Allowed::default());
        let has_secret = found.iter().any(|finding| finding.code == Code::Secret);
        let bytes = if has_secret { Vec::new() } else { blob.to_vec() };
        let (path, name) = (listed.path.to_string(), name_of(blob).unwrap_or_default());
        (FileRow { path, stat, name, bytes, ..FileRow::default() }, found.is_empty())
    }

    /// Reads and checks one file. One that is not a memory becomes a row without words.
    pub(super) fn read(&mut self, listed: &Listed) -> Result<Prepared, Finding> {
        // Taken before the bytes, so that a change in between is noticed next time.
        let stat = Stat::of(&listed.file).unwrap_or_default().settled();
        let (blob, _) = folder::read_file(&listed.path, &listed.file)?;
        let (row, is_sound) = self.row(listed, stat, &blob);
        if row.is_kept_out() {
            return Ok(Prepared { row, ..Prepared::default() });
        }
        let Ok(memory) = Memory::read(&listed.path, &blob) else {
            return Ok(Prepared { row, ..Prepared::default() });
        };
        let facts = blob.facts().expect("because it could be read as a memory");
        let digest = Digest::of(&blob, is_sound && facts.is_sound());
        let digest = Digest { latest: Some(facts.latest()), ..digest };
        let facts = packed(&(facts, first_line(memory.text()), digest));
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
            vector: self.vector(memory.text()),
            encoded: None,
        };
        let words = body.into_iter().chain(tags).collect();
        let texts = vec![memory.text().to_owned()];
        Ok(Prepared { row: FileRow { facts, searchable: vec![searchable], ..row }, words, texts })
    }

    /// The vector of a text from the static table; `None` if an endpoint is asked for it.
    pub(super) fn vector(&mut self, text: &str) -> Option<Vec<u8>> {
        match self.vectors {
            Vectors::Kept => Some(self.embedder.vector(text).packed().to_bytes()),
            Vectors::Left => None,
        }
    }

    /// The stems of some words, separated by spaces.
    pub(super) fn stemmed(&mut self, words: &[String]) -> String {
        let mut stemmed = String::new();
        for word in words {
            if !self.known.contains_key(word) {
                self.known.insert(word.clone(), self.stems.stem(word));
            }
            stemmed.push_str(&self.known[word]);
            stemmed.push(' ');
        }
        stemmed
    }
}

/// Whether a file is excluded from search because of a suspected secret.
pub(super) fn holds_secret(path: &str, bytes: &[u8]) -> bool {
    !secrets::scan_file(path, bytes, &Allowed::default()).is_empty()
}

/// The finding for such a file.
pub(super) fn kept_out(path: &RelPath) -> Finding {
    Finding::new(Code::Secret, path, "contains what looks like a secret; not searched")
}

pub(super) fn packed(kept: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(kept).expect("because it is numbers and texts")
}

/// The facts in a row; they are serialized first.
pub(super) fn facts(packed: &[u8]) -> Option<MemoryMeta> {
    Some(postcard::take_from_bytes(packed).ok()?.0)
}

/// As [`of_memory`], without the findings, which are serialized last.
pub(super) fn with_first_line(packed: &[u8]) -> Option<(MemoryMeta, String)> {
    Some(postcard::take_from_bytes(packed).ok()?.0)
}

/// Everything that a row stores about a memory: its facts, its first line and its findings.
pub(super) fn of_memory(packed: &[u8]) -> Option<(MemoryMeta, String, Digest)> {
    postcard::from_bytes(packed).ok()
}

/// By how much the count of each word changes.
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

/// The vector of a word, in the form that the index stores.
pub(super) fn word_vector(word: &str) -> Vec<u8> {
    embed::embed(word).packed().to_bytes()
}
