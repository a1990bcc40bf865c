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
    tokens::{self, Stems},
    word_hash::ByWord,
};
use crate::secrets::{self, Allowed};
use crate::system::{
    folder::{self, Listed},
    index::{FileRow, Searchable, Stat, name_of},
};
use serde::Serialize;
use std::sync::{Mutex, PoisonError};

/// A row, and the words of its texts.
#[derive(Default)]
pub(super) struct Prepared {
    pub(super) row: FileRow,
    /// Each followed by a space.
    pub(super) words: String,
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
    /// The stem of each word.
    known: ByWord<Box<str>>,
}

/// How many stems are known before the cache begins anew.
const STEMS: usize = 16_384;

/// The stems of a text and of its tags, each followed by a space, and the number of all.
pub(super) struct Stemmed {
    pub(super) body: String,
    pub(super) tags: String,
    pub(super) length: u32,
}

impl Preparer {
    pub(super) fn new(vectors: Vectors, now: Stamp) -> Preparer {
        let (embedder, stems) = (BuiltIn::default(), Stems::default());
        Preparer { vectors, now, embedder, stems, known: ByWord::default() }
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
        let names_secrets = !digest.secrets.is_empty();
        let facts = packed(&(facts, first_line(memory.text()), digest));
        let mut words = String::new();
        let Stemmed { body, tags, length } = self.stemmed(memory.text(), &memory.tags, &mut words);
        let searchable = Searchable {
            created: memory.created.micros(),
            hash_prefix: memory.hash.hash_prefix(),
            source: corpus::source_key(memory.source.as_deref().unwrap_or_default()),
            length,
            number: memory.id,
            pinned: memory.pinned,
            latest: memory.latest().micros(),
            text: memory.hash.hash_prefix(),
            body,
            tags,
            vector: self.vector(memory.text()),
            encoded: None,
        };
        let texts = vec![memory.text().to_owned()];
        let row = FileRow { facts, names_secrets, searchable: vec![searchable], ..row };
        Ok(Prepared { row, words, texts })
    }

    /// The vector of a text from the static table; `None` if an endpoint is asked for it.
    pub(super) fn vector(&mut self, text: &str) -> Option<Vec<u8>> {
        match self.vectors {
            Vectors::Kept => Some(self.embedder.vector(text).packed().to_bytes()),
            Vectors::Left => None,
        }
    }

    /// The stems of a text. Its words are added to `words`.
    pub(super) fn stemmed(&mut self, text: &str, tags: &[String], words: &mut String) -> Stemmed {
        let Preparer { known, stems, .. } = self;
        if known.len() > STEMS {
            known.clear();
        }
        let mut length = 0;
        let mut stemmed = |text: &str, stemmed: &mut String| {
            tokens::each_word(text, |word| {
                words.push_str(word);
                words.push(' ');
                if let Some(stem) = known.get(word) {
                    stemmed.push_str(stem);
                } else {
                    let stem = stems.stem(word);
                    stemmed.push_str(&stem);
                    known.insert(word.into(), stem.into_boxed_str());
                }
                stemmed.push(' ');
                length += 1;
            });
        };
        let (mut body, mut of_tags) = (String::with_capacity(text.len() + 1), String::new());
        stemmed(text, &mut body);
        tags.iter().for_each(|tag| stemmed(tag, &mut of_tags));
        Stemmed { body, tags: of_tags, length }
    }
}

/// The preparers of a refresh: one for each thread, with what it knows of words, from batch to
/// batch.
pub(super) struct Preparers {
    vectors: Vectors,
    now: Stamp,
    idle: Mutex<Vec<Preparer>>,
}

impl Preparers {
    pub(super) fn new(vectors: Vectors, now: Stamp) -> Preparers {
        Preparers { vectors, now, idle: Mutex::default() }
    }

    pub(super) fn with<T>(&self, done: impl FnOnce(&mut Preparer) -> T) -> T {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let known = idle().pop();
        let mut preparer = known.unwrap_or_else(|| Preparer::new(self.vectors, self.now));
        let result = done(&mut preparer);
        idle().push(preparer);
        result
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
pub(super) struct Counts(ByWord<i64>);

impl Counts {
    /// Words are separated by spaces.
    pub(super) fn add(&mut self, words: &str, times: i64) {
        for word in words.split_ascii_whitespace() {
            match self.0.get_mut(word) {
                Some(count) => *count += times,
                None => {
                    self.0.insert(word.into(), times);
                }
            }
        }
    }

    pub(super) fn words(&self) -> impl Iterator<Item = (&str, i64)> {
        self.0.iter().map(|(word, change)| (&**word, *change))
    }
}

/// The vector of a word, in the form that the index stores.
pub(super) fn word_vector(word: &str) -> Vec<u8> {
    embed::embed(word).packed().to_bytes()
}
