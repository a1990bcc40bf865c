//! Hashes of the texts that this laptop added from each file, to notice a document that another
//! laptop updated while the file here did not change.
//!
//! Invariant: local to this laptop, in its caches; a file without an entry is treated as new.

use crate::identity::ContentHash;
use crate::index::store::Store;
use crate::machine::files;
use std::{collections::BTreeMap, path::PathBuf};

/// The most texts remembered per file.
const MAX: usize = 8;

/// The hashes of each file's texts, oldest first.
pub(super) struct AddedHashes {
    texts: BTreeMap<String, Vec<ContentHash>>,
    list: PathBuf,
}

/// Which side is newer, the file or its document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sidecar {
    /// The document was made here: the file wins.
    Here,
    /// Another laptop updated the document, and the file here did not change.
    There,
    /// Another laptop updated the document, and the file here changed as well.
    Both,
}

impl AddedHashes {
    pub(super) fn read(store: &Store) -> AddedHashes {
        let list = store.state.join("added");
        let text = files::read_text(&list).ok().flatten().unwrap_or_default();
        let line = |line: &str| {
            let (sums, file) = line.split_once(' ')?;
            let sums: Option<Vec<ContentHash>> = sums.split(',').map(ContentHash::parse).collect();
            Some((file.to_owned(), sums?))
        };
        AddedHashes { texts: text.lines().filter_map(line).collect(), list }
    }

    /// `document` is the text that the document was made of.
    pub(super) fn side(
        &self,
        file: &str,
        now: ContentHash,
        document: Option<ContentHash>,
    ) -> Sidecar {
        let Some(known) = self.texts.get(file) else { return Sidecar::Here };
        let is_of_here = document.is_none_or(|sum| sum == now || known.contains(&sum));
        match is_of_here {
            true => Sidecar::Here,
            false if known.last() == Some(&now) => Sidecar::There,
            false => Sidecar::Both,
        }
    }

    pub(super) fn note(&mut self, file: &str, sum: ContentHash) {
        let texts = self.texts.entry(file.to_owned()).or_default();
        texts.retain(|known| *known != sum);
        texts.push(sum);
        let surplus = texts.len().saturating_sub(MAX);
        texts.drain(..surplus);
    }

    /// A failed write only means that these files are treated as new.
    pub(super) fn write(&self) {
        let line = |(file, sums): (&String, &Vec<ContentHash>)| {
            let sums: Vec<String> = sums.iter().map(ContentHash::to_string).collect();
            format!("{} {file}\n", sums.join(","))
        };
        let text: String = self.texts.iter().map(line).collect();
        let _ = files::write_private(&self.list, text.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_laptop_made_is_newer_than_a_file_that_stayed() {
        let sum = |text: &str| ContentHash::of_body(text);
        let mut seen = AddedHashes { texts: BTreeMap::new(), list: PathBuf::new() };
        assert_eq!(seen.side("n", sum("a"), Some(sum("b"))), Sidecar::Here);
        seen.note("n", sum("a"));
        assert_eq!(seen.side("n", sum("a"), Some(sum("a"))), Sidecar::Here);
        assert_eq!(seen.side("n", sum("b"), Some(sum("a"))), Sidecar::Here);
        assert_eq!(seen.side("n", sum("a"), Some(sum("there"))), Sidecar::There);
        assert_eq!(seen.side("n", sum("b"), Some(sum("there"))), Sidecar::Both);
        // After an undo, the document has an older text of this laptop.
        seen.note("n", sum("b"));
        assert_eq!(seen.side("n", sum("b"), Some(sum("a"))), Sidecar::Here);
    }
}
