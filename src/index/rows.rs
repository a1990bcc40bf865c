//! Turns files into rows of the index, with their words.
//!
//! Invariant: a row contains exactly what scanning the file would give.

use super::database::{Content, FileRow, Searchable, Stat, TextRow, name_of};
use crate::identity::{
    Blob, Code, Digest, Finding, Memory, RelPath, Stamp, check,
    memory::{MemoryMeta, first_line},
};
use crate::machine::folder::{self, Listed};
use crate::recall::{
    corpus,
    embed::{self, BuiltIn},
    tokens::{self, Stems},
    word_hash::ByWord,
};
use crate::secrets::{self, Allowed};
use serde::Serialize;
use std::sync::{Mutex, PoisonError};

/// Increase it when the stored form of a document changes.
pub(super) const EDITION_OF_DOCUMENTS: u32 = 7;

/// A row, and its texts.
#[derive(Default)]
pub(super) struct Prepared {
    pub(super) row: FileRow,
    /// The texts that vectors are computed from; none if they are [`Texts::Dropped`].
    pub(super) texts: Vec<String>,
}

/// Whether vectors are computed here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Vectors {
    Kept,
    Left,
}

/// Whether texts are needed besides their rows, because vectors are computed from them later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Texts {
    Kept,
    Dropped,
}

/// Turns files into rows, and caches stems and word pieces. Counts the words of the rows.
pub(super) struct Preparer {
    vectors: Vectors,
    texts: Texts,
    now: Stamp,
    embedder: BuiltIn,
    stems: Stems,
    known: ByWord<Word>,
    /// How often words occurred that are not known any more.
    forgotten: Counts,
}

struct Word {
    stem: Box<str>,
    /// How often it occurred since the counts were taken.
    count: i64,
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
    pub(super) fn new(vectors: Vectors, texts: Texts, now: Stamp) -> Preparer {
        let (embedder, stems) = (BuiltIn::default(), Stems::default());
        let (known, forgotten) = (ByWord::default(), Counts::default());
        Preparer { vectors, texts, now, embedder, stems, known, forgotten }
    }

    /// A row for a file, without its parsed contents, and whether the file has no findings. The
    /// bytes of a file with a suspected secret are not copied.
    pub(super) fn row(
        &self,
        listed: &Listed,
        stat: Stat,
        blob: &Blob,
    ) -> Result<(FileRow, bool), Finding> {
        let (found, _) = check::check_file(&listed.path, blob, self.now, &Allowed::default());
        let has_secret = found.iter().any(|finding| finding.code == Code::Secret);
        let bytes = if has_secret { Vec::new() } else { blob.to_vec() };
        // A file whose name contains a secret gets no row at all.
        if bytes.is_empty() && holds_secret(listed.path.as_str(), b"") {
            return Err(kept_out(&listed.path));
        }
        let (path, name) = (listed.path.to_string(), name_of(blob).unwrap_or_default());
        Ok((FileRow { path, stat, name, bytes, ..FileRow::default() }, found.is_empty()))
    }

    /// Reads and checks one file. One that is not a memory becomes a row without words.
    pub(super) fn read(&mut self, listed: &Listed) -> Result<Prepared, Finding> {
        let (blob, stat) = folder::read_and_stat(&listed.path, &listed.file)?;
        let (row, is_sound) = self.row(listed, stat, &blob)?;
        if row.is_kept_out() {
            return Ok(Prepared { row, ..Prepared::default() });
        }
        let Ok(memory) = Memory::read(&listed.path, &blob) else {
            return Ok(Prepared { row, ..Prepared::default() });
        };
        let facts = blob.facts().expect("because it could be read as a memory");
        let digest = Digest::of(&blob, is_sound && facts.is_sound());
        let digest = Digest { latest: Some(facts.latest()), ..digest };
        let (names_secrets, is_timed) = (!digest.secrets.is_empty(), facts.times.is_some());
        let facts = packed(&(facts, first_line(memory.text()), digest));
        let Stemmed { body, tags, length } = self.stemmed(memory.text(), &memory.tags);
        let text = TextRow {
            created: memory.created.micros(),
            hash_prefix: memory.hash.hash_prefix(),
            source: corpus::source_key(memory.source.as_deref().unwrap_or_default()).into(),
            length,
            number: memory.id,
            pinned: memory.pinned,
            latest: memory.latest().micros(),
            text: memory.hash.hash_prefix(),
            ..TextRow::default()
        };
        let vector = self.vector(memory.text());
        let searchable = Searchable { row: text, body, tags, vector, encoded: None };
        let texts = match self.texts {
            Texts::Kept => vec![memory.text().to_owned()],
            Texts::Dropped => Vec::new(),
        };
        Ok(Prepared {
            row: FileRow { facts, names_secrets, is_timed, searchable: vec![searchable], ..row },
            texts,
        })
    }

    /// Whether texts are needed besides their rows.
    pub(super) fn texts(&self) -> Texts {
        self.texts
    }

    /// The vector of a text from the static table; `None` if an endpoint is asked for it.
    pub(super) fn vector(&mut self, text: &str) -> Option<Vec<u8>> {
        match self.vectors {
            Vectors::Kept => Some(self.embedder.vector(text).packed().to_bytes()),
            Vectors::Left => None,
        }
    }

    /// Adds how often each word occurred since the last time.
    pub(super) fn give_counts(&mut self, counts: &mut Counts) {
        for (word, count) in self.forgotten.0.drain() {
            counts.add_word(&word, count);
        }
        for (word, known) in self.known.iter_mut().filter(|(_, known)| known.count > 0) {
            counts.add_word(word, std::mem::take(&mut known.count));
        }
    }

    /// The stems of a text. Its words are counted.
    pub(super) fn stemmed(&mut self, text: &str, tags: &[String]) -> Stemmed {
        let Preparer { known, stems, forgotten, .. } = self;
        if known.len() > STEMS {
            for (word, known) in known.drain() {
                forgotten.add_word(&word, known.count);
            }
        }
        let mut length = 0;
        let mut stemmed = |text: &str, stemmed: &mut String| {
            tokens::each_word(text, |word| {
                if let Some(known) = known.get_mut(word) {
                    known.count += 1;
                    stemmed.push_str(&known.stem);
                } else {
                    let stem = stems.stem(word);
                    stemmed.push_str(&stem);
                    let stem = stem.into_boxed_str();
                    known.insert(word.into(), Word { stem, count: 1 });
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
    texts: Texts,
    now: Stamp,
    idle: Mutex<Vec<Preparer>>,
}

impl Preparers {
    pub(super) fn new(vectors: Vectors, texts: Texts, now: Stamp) -> Preparers {
        Preparers { vectors, texts, now, idle: Mutex::default() }
    }

    /// Adds how often each word occurred since the last time.
    pub(super) fn give_counts(&self, counts: &mut Counts) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.iter_mut().for_each(|preparer| preparer.give_counts(counts));
    }

    pub(super) fn with<T>(&self, done: impl FnOnce(&mut Preparer) -> T) -> T {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let known = idle().pop();
        let mut preparer =
            known.unwrap_or_else(|| Preparer::new(self.vectors, self.texts, self.now));
        let result = done(&mut preparer);
        idle().push(preparer);
        result
    }
}

/// Whether a file is excluded from search because of a suspected secret.
fn holds_secret(path: &str, bytes: &[u8]) -> bool {
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

/// The memory stored in a row.
pub(super) fn memory(content: Content) -> Option<Memory> {
    let blob = Blob::known(content.bytes, facts(&content.facts)?)?;
    Some(Memory { path: RelPath::new(&content.path)?, blob })
}

/// Everything that a row stores about a memory: its facts, its first line and its findings. A list
/// reads the first two itself (`listed`).
pub(super) fn of_memory(packed: &[u8]) -> Option<(MemoryMeta, String, Digest)> {
    postcard::from_bytes(packed).ok()
}

/// By how much the count of each word changes.
#[derive(Default)]
pub(super) struct Counts(ByWord<i64>);

impl Counts {
    /// Words are separated by spaces.
    pub(super) fn add(&mut self, words: &str, times: i64) {
        words.split_ascii_whitespace().for_each(|word| self.add_word(word, times));
    }

    fn add_word(&mut self, word: &str, times: i64) {
        match self.0.get_mut(word) {
            Some(count) => *count += times,
            None => {
                self.0.insert(word.into(), times);
            }
        }
    }

    pub(super) fn words(&self) -> impl Iterator<Item = (&str, i64)> {
        self.0.iter().map(|(word, change)| (&**word, *change))
    }
}

/// The vector of a word, in the form that the index stores; an empty one if it has no meaning.
pub(super) fn word_vector(word: &str) -> Vec<u8> {
    if corpus::has_meaning(word) { embed::embed(word).packed().to_bytes() } else { Vec::new() }
}
