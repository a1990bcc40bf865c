//! An edit of a text as a single replacement, so that it can be undone exactly.
//!
//! Invariant: undoing an edit gives the same bytes as before, and is refused if the text is no
//! longer the one that the edit produced.

use crate::identity::ContentHash;
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Splice {
    /// Byte offset from the start.
    at: usize,
    removed: String,
    inserted: String,
    /// Hash of the text that the edit produced.
    after: String,
}

impl Splice {
    pub fn between(before: &str, after: &str) -> Splice {
        let same = |(a, b): &((usize, char), (usize, char))| a.1 == b.1;
        let head = before.char_indices().zip(after.char_indices()).take_while(same).last();
        let at = head.map_or(0, |((at, letter), _)| at + letter.len_utf8());
        let (old, new) = (&before[at..], &after[at..]);
        let tail: usize = old
            .chars()
            .rev()
            .zip(new.chars().rev())
            .take_while(|(a, b)| a == b)
            .map(|(letter, _)| letter.len_utf8())
            .sum();
        Splice {
            at,
            removed: old[..old.len() - tail].to_owned(),
            inserted: new[..new.len() - tail].to_owned(),
            after: ContentHash::of_bytes(after.as_bytes()).hex(),
        }
    }

    /// The text before the edit; `None` if it was changed since.
    pub fn taken_back(&self, text: &str) -> Option<String> {
        if ContentHash::of_bytes(text.as_bytes()).hex() != self.after {
            return None;
        }
        let (head, rest) = text.split_at_checked(self.at)?;
        let tail = rest.strip_prefix(self.inserted.as_str())?;
        Some(format!("{head}{}{tail}", self.removed))
    }

    /// Whether the edit inserted this.
    pub fn wrote(&self, text: &str) -> bool {
        self.inserted.contains(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn back_to_the_byte() {
        for (before, after) in [
            ("", "abc"),
            ("abc", ""),
            ("{ }\n", "{ \"a\": 1 }\n"),
            ("aaa", "aaaa"),
            ("äöü", "äxü"),
            ("same", "same"),
            ("é", "è"),
        ] {
            let splice = Splice::between(before, after);
            assert_eq!(splice.taken_back(after).as_deref(), Some(before));
            assert_eq!(splice.taken_back(&format!("{after} ")), None);
        }
    }
}
