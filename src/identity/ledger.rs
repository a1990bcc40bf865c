//! `knowledge/forgotten.md`: what was forgotten, when, and from which memory or document.
//!
//! Invariant: joining only adds lines; of two lines about the same text of the same memory or
//! document, the later stamp counts. The text itself is never written, only its hash. Unreadable
//! lines are kept, so that an older co keeps the lines about documents, which it cannot read.

use super::{hash::ContentHash, memory::Memory, path::RelPath, stamp::Stamp};
use std::collections::BTreeMap;

const HEADER: &str = "# Forgotten\n\n";

/// Maps (origin, text hash) to when it was forgotten.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Ledger {
    lines: BTreeMap<(Stamp, ContentHash), Stamp>,
    /// The latest stamp by text alone, so that lookups need not scan the lines.
    by_text: BTreeMap<ContentHash, Stamp>,
    /// Deleted documents: the text's hash and the path it had.
    documents: BTreeMap<(ContentHash, RelPath), Stamp>,
    /// Lines that are neither heading nor entry, with their numbers; `check` reports them.
    strange: Vec<(usize, String)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Match {
    Text,
    /// Also other texts of the same memory, for sides without common history, as an old archive.
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
            match (read_line(text), read_document(text)) {
                (Some((origin, hash, stamp)), _) => ledger.add(origin, hash, stamp),
                (None, Some((path, hash, stamp))) => ledger.add_document(path, hash, stamp),
                (None, None) => ledger.strange.push((number + 1, line.trim_end().to_owned())),
            }
        }
        ledger
    }

    /// `None` when there is nothing to write.
    pub fn write(&self) -> Option<String> {
        if self.is_empty() && self.strange.is_empty() {
            return None;
        }
        let mut text = HEADER.to_owned();
        for ((origin, hash), stamp) in &self.lines {
            text.push_str(&format!("- {origin} {hash} {stamp}\n"));
        }
        for ((hash, path), stamp) in &self.documents {
            text.push_str(&format!("- document {hash} {stamp} {path}\n"));
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

    /// A later stamp replaces an earlier one.
    pub fn add_document(&mut self, path: RelPath, hash: ContentHash, stamp: Stamp) {
        let known = self.documents.entry((hash, path)).or_insert(stamp);
        *known = stamp.max(*known);
    }

    /// When a document with this text was deleted, wherever it was.
    pub fn of_document(&self, hash: ContentHash) -> Option<Stamp> {
        let lines = self.documents.iter().filter(|((of, _), _)| *of == hash);
        lines.map(|(_, stamp)| *stamp).max()
    }

    /// The ledger without the lines that were added between `before` and `after`.
    pub fn without(&self, before: &Ledger, after: &Ledger) -> Ledger {
        let mut left = self.clone();
        let is_new = |line: &(Stamp, ContentHash), stamp: &Stamp| {
            after.lines.get(line) == Some(stamp) && before.lines.get(line) != Some(stamp)
        };
        left.lines.retain(|line, stamp| !is_new(line, stamp));
        left.documents.retain(|line, stamp| {
            after.documents.get(line) != Some(stamp) || before.documents.get(line) == Some(stamp)
        });
        left.by_text.clear();
        for ((_, hash), stamp) in &left.lines {
            let latest = left.by_text.entry(*hash).or_insert(*stamp);
            *latest = (*stamp).max(*latest);
        }
        left
    }

    pub fn join(&mut self, other: &Ledger) {
        for ((hash, path), stamp) in &other.documents {
            self.add_document(path.clone(), *hash, *stamp);
        }
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
    fn of_origin(&self, origin: Stamp) -> Option<Stamp> {
        let from = (origin, ContentHash::from_digest([0; 32]));
        let to = (origin, ContentHash::from_digest([255; 32]));
        let lines = self.lines.range(from..=to).map(|(_, stamp)| *stamp);
        lines.max().filter(|_| origin.is_precise())
    }

    /// The stamp of the latest line that forgets this memory, if it is later than the memory's own.
    pub fn takes(&self, memory: &Memory, how: Match) -> Option<Stamp> {
        let by_text = self.of_text(memory.hash);
        let by_origin = match how {
            Match::TextOrOrigin => self.of_origin(memory.created),
            Match::Text => None,
        };
        by_text.max(by_origin).filter(|stamp| *stamp > memory.latest())
    }

    /// Whether a memory that existed beside an earlier ledger was forgotten since. A line that was
    /// there already did not forget it: an edit on another laptop outlives a forgetting.
    pub fn forgets_since(&self, earlier: &Ledger, memory: &Memory) -> bool {
        let forgets = |((origin, hash), stamp): (&(Stamp, ContentHash), &Stamp)| {
            let is_its_origin = *origin == memory.created && origin.is_precise();
            let is_new = earlier.get(*origin, *hash).is_none_or(|known| known < *stamp);
            (*hash == memory.hash || is_its_origin) && is_new && *stamp > memory.latest()
        };
        self.takes(memory, Match::TextOrOrigin).is_some() && self.lines.iter().any(forgets)
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
        self.lines.is_empty() && self.documents.is_empty()
    }
}

fn read_line(text: &str) -> Option<(Stamp, ContentHash, Stamp)> {
    let mut words = text.strip_prefix('-')?.split_whitespace();
    let origin = Stamp::parse(words.next()?)?.stamp;
    let hash = ContentHash::parse(words.next()?)?;
    let stamp = Stamp::parse(words.next()?)?.stamp;
    words.next().is_none().then_some((origin, hash, stamp))
}

/// `document sha256:… STAMP PATH`; the path may contain spaces.
fn read_document(text: &str) -> Option<(RelPath, ContentHash, Stamp)> {
    let mut words = text.strip_prefix("- document ")?.splitn(3, ' ');
    let hash = ContentHash::parse(words.next()?)?;
    let stamp = Stamp::parse(words.next()?)?.stamp;
    Some((RelPath::new(words.next()?)?, hash, stamp))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::Blob;

    #[test]
    fn documents_have_lines_of_their_own() {
        let (hash, path) = (ContentHash::of_body("a"), RelPath::known("knowledge/people/a b.md"));
        let mut ledger = Ledger::default();
        ledger.add_document(path, hash, Stamp::from_micros(7));
        let text = ledger.write().expect("a line");
        assert_eq!(Ledger::read(text.as_bytes()), ledger);
        assert!(ledger.strange().is_empty() && ledger.of_document(hash).is_some());
        assert!(ledger.without(&Ledger::default(), &ledger).is_empty());
    }

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

    #[test]
    fn an_old_line_forgets_nothing_that_outlived_it_and_a_new_one_does() {
        let origin = Stamp::parse("2026-10-01T09:00:00.000123Z").expect("a stamp").stamp;
        let text = b"---\ncreated: 2026-10-01T09:00:00.000123Z\n---\nPlays chess and go\n";
        let path = RelPath::known("knowledge/memories/003-plays-chess.md");
        let memory = Memory::read(&path, &Blob::from(text.to_vec())).expect("a memory");
        let stamp = |text: &str| Stamp::parse(text).expect("a stamp").stamp;
        // On a laptop whose clock was ahead, its former text was forgotten.
        let mut earlier = Ledger::default();
        let former = ContentHash::of_body("Plays chess\n");
        earlier.add(origin, former, stamp("2026-12-24T00:00:00Z"));
        let mut now = earlier.clone();
        assert!(now.takes(&memory, Match::TextOrOrigin).is_some());
        assert!(!now.forgets_since(&earlier, &memory));
        now.add(origin, memory.hash, stamp("2026-11-25T00:00:00Z"));
        assert!(now.forgets_since(&earlier, &memory));
        assert!(!now.forgets_since(&now, &memory));
    }
}
