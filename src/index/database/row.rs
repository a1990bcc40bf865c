//! What the index keeps of a file and of each of its texts, before it is written.

use super::{Name, Stat, TextRow};

/// What the index stores for one file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FileRow {
    /// Relative to the root of its store.
    pub path: String,
    pub stat: Stat,
    /// The blob id of the file's bytes, whether or not they are stored; zeros if there is none.
    pub name: Name,
    pub bytes: Vec<u8>,
    /// The packed facts parsed from the bytes; empty for a file that is not a document.
    pub facts: Vec<u8>,
    /// Whether these facts say that it names secrets.
    pub names_secrets: bool,
    /// Whether these facts say when the fact holds.
    pub is_timed: bool,
    /// The searchable texts: none for a file that is not a document, one for a memory, the chunks
    /// of an article.
    pub searchable: Vec<Searchable>,
}

impl FileRow {
    /// Whether the file is not empty, but its bytes are not stored.
    pub fn is_kept_out(&self) -> bool {
        self.bytes.is_empty() && self.stat.size > 0
    }
}

/// A text, with its words and vectors.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Searchable {
    /// Its id and its file are those that it gets when it is stored, whatever they are here.
    pub row: TextRow,
    /// Stems, separated by spaces.
    pub body: String,
    pub tags: String,
    /// From the static table or an endpoint.
    pub vector: Option<Vec<u8>>,
    /// From the encoder, if it was computed already.
    pub encoded: Option<Vec<u8>>,
}
