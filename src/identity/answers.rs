//! `knowledge/reviewed.md`: which proposals a person answered, so that no laptop asks again.
//!
//! Invariant: a proposal is identified by the hash of its text, which is not written. A merge never
//! removes lines and keeps unreadable ones. Must not know: what was proposed, or by whom.

use super::{hash::ContentHash, stamp::Stamp};
use std::collections::BTreeMap;

/// The file without answers.
pub const HEADER: &str = "# Reviewed\n\n";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answered {
    /// It is now a fact, possibly reworded.
    Kept,
    /// It says nothing about the person.
    Declined,
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Answers {
    lines: BTreeMap<ContentHash, String>,
    text: String,
}

impl Answers {
    pub fn read(bytes: &[u8]) -> Answers {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let line = |line: &str| {
            let hash = line.trim().strip_prefix("- ")?.split_whitespace().next()?;
            Some((ContentHash::parse(hash)?, line.to_owned()))
        };
        Answers { lines: text.lines().filter_map(line).collect(), text }
    }

    pub fn has(&self, proposal: ContentHash) -> bool {
        self.lines.contains_key(&proposal)
    }

    /// Whether the person said no.
    pub fn is_declined(&self, proposal: ContentHash) -> bool {
        let word = |line: &String| line.split_whitespace().nth(2) == Some("declined");
        self.lines.get(&proposal).is_some_and(word)
    }

    pub fn add(&mut self, proposal: ContentHash, answered: Answered, at: Stamp) {
        if self.has(proposal) {
            return;
        }
        let word = match answered {
            Answered::Kept => "kept",
            Answered::Declined => "declined",
        };
        let line = format!("- {proposal} {word} {at}");
        if self.text.is_empty() {
            self.text.push_str(HEADER);
        }
        if !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.text.push_str(&format!("{line}\n"));
        self.lines.insert(proposal, line);
    }

    pub fn write(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_answered_is_known_and_other_lines_stay() {
        let (one, two) = (ContentHash::of_body("one"), ContentHash::of_body("two"));
        let mut answers = Answers::read(b"# Reviewed\n\nby hand\n");
        answers.add(one, Answered::Kept, Stamp::EPOCH);
        answers.add(one, Answered::Declined, Stamp::EPOCH);
        let again = Answers::read(answers.write().as_bytes());
        assert!(again.has(one) && !again.has(two));
        assert_eq!(
            again.write(),
            format!("# Reviewed\n\nby hand\n- {one} kept 1970-01-01T00:00:00Z\n")
        );
    }
}
