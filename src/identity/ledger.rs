//! `knowledge/forgotten.md`: what was forgotten, when, and which memory it was.
//!
//! Invariant: joining only adds lines; of two about the same text of the same memory the later
//! stamp counts. The text itself is never written, only its hash. Unreadable lines are carried.

use super::{hash::ContentHash, memory::Memory, stamp::Stamp};
use std::collections::BTreeMap;

const HEADER: &str = "# Forgotten\n\n";

/// Maps (origin, text hash) to when it was forgotten.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Ledger {
    lines: BTreeMap<(Stamp, ContentHash), Stamp>,
    /// The latest stamp by text alone, so that lookups need not walk the lines.
    by_text: BTreeMap<ContentHash, Stamp>,
    /// Lines that are neither heading nor entry, with their number; `check` reports them.
    strange: Vec<(usize, String)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Match {
    Text,
    /// Also another text of the same memory, for sides without common history, as an old archive.
    TextOrOrigin,
}

impl Ledger {
    /// Tolerant of order, duplicates and unreadable lines.
    pub fn read(bytes: &[u8]) -> Ledger {
        let mut ledger = Ledger::default();
        for (number, line) in String::from_utf8_lossy(bytes).lines().enumerate() {
            let text = line.trim_start_matches('\u{feff}').trim();
            if text.is_empty() || text == HEADER.trim() {
                continue;
            }
            match read_line(text) {
                Some((origin, hash, stamp)) => ledger.add(origin, hash, stamp),
                None => ledger.strange.push((number + 1, line.trim_end().to_owned())),
            }
        }
        ledger
    }

    /// `None` when there is nothing to write.
    pub fn write(&self) -> Option<String> {
        if self.lines.is_empty() && self.strange.is_empty() {
            return None;
        }
        let mut text = HEADER.to_owned();
        for ((origin, hash), stamp) in &self.lines {
            text.push_str(&format!("- {origin} {hash} {stamp}\n"));
        }
        let mut strange: Vec<&str> = self.strange.iter().map(|(_, line)| line.as_str()).collect();
        strange.sort_unstable();
        strange.dedup();
        for line in strange {
            text.push_str(line);
            text.push('\n');
        }
        Some(text)
    }

    /// A later stamp replaces an earlier one.
    pub fn add(&mut self, origin: Stamp, hash: ContentHash, stamp: Stamp) {
        let known = self.lines.entry((origin, hash)).or_insert(stamp);
        *known = stamp.max(*known);
        let latest = self.by_text.entry(hash).or_insert(stamp);
        *latest = stamp.max(*latest);
    }

    pub fn join(&mut self, other: &Ledger) {
        for (&(origin, hash), &stamp) in &other.lines {
            self.add(origin, hash, stamp);
        }
        self.strange.extend(other.strange.iter().cloned());
        self.strange.sort_by(|a, b| a.1.cmp(&b.1));
        self.strange.dedup_by(|a, b| a.1 == b.1);
    }

    pub fn get(&self, origin: Stamp, hash: ContentHash) -> Option<Stamp> {
        self.lines.get(&(origin, hash)).copied()
    }

    /// The latest stamp for this text, whatever the memory.
    pub fn of_text(&self, hash: ContentHash) -> Option<Stamp> {
        self.by_text.get(&hash).copied()
    }

    /// The latest stamp for any text of this origin. Different facts may share a coarse origin
    /// (whole seconds, a bare date), so only a precise one identifies a memory.
    pub fn of_origin(&self, origin: Stamp) -> Option<Stamp> {
        let from = (origin, ContentHash::from_digest([0; 32]));
        let to = (origin, ContentHash::from_digest([255; 32]));
        let lines = self.lines.range(from..=to).map(|(_, stamp)| *stamp);
        lines.max().filter(|_| origin.is_precise())
    }

    /// The stamp of the latest line that forgets this memory: later than the memory's own.
    pub fn takes(&self, memory: &Memory, how: Match) -> Option<Stamp> {
        let by_text = self.of_text(memory.hash);
        let by_origin = match how {
            Match::TextOrOrigin => self.of_origin(memory.created),
            Match::Text => None,
        };
        by_text.max(by_origin).filter(|stamp| *stamp > memory.latest())
    }

    pub fn iter(&self) -> impl Iterator<Item = (Stamp, ContentHash, Stamp)> + '_ {
        self.lines.iter().map(|((origin, hash), stamp)| (*origin, *hash, *stamp))
    }

    /// Unreadable lines, with their number from 1.
    pub fn strange(&self) -> &[(usize, String)] {
        &self.strange
    }

    pub fn len(&self) -> usize {
        self.lines.len()
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }
}

fn read_line(text: &str) -> Option<(Stamp, ContentHash, Stamp)> {
    let mut words = text.strip_prefix('-')?.split_whitespace();
    let origin = Stamp::parse(words.next()?)?.stamp;
    let hash = ContentHash::parse(words.next()?)?;
    let stamp = Stamp::parse(words.next()?)?.stamp;
    words.next().is_none().then_some((origin, hash, stamp))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins_sorts_and_keeps_the_later_stamp() {
        let (a, b) = (ContentHash::of_body("a"), ContentHash::of_body("b"));
        let mut ledger = Ledger::default();
        ledger.add(Stamp::from_micros(5), b, Stamp::from_micros(9));
        ledger.add(Stamp::from_micros(5), b, Stamp::from_micros(7));
        ledger.add(Stamp::from_micros(1), a, Stamp::from_micros(2));
        let text = ledger.write().expect("two lines");
        assert_eq!(text.lines().count(), 4);
        assert!(text.starts_with("# Forgotten\n\n- 1970-01-01T00:00:00.000001Z sha256:"));
        assert_eq!(Ledger::read(text.as_bytes()), ledger);
        assert_eq!(ledger.get(Stamp::from_micros(5), b), Some(Stamp::from_micros(9)));
    }

    #[test]
    fn strange_lines_are_carried_once() {
        let mut ledger = Ledger::read(b"hello\n- not a line\n");
        ledger.join(&Ledger::read(b"hello\n"));
        assert_eq!(ledger.write().as_deref(), Some("# Forgotten\n\n- not a line\nhello\n"));
    }
}
