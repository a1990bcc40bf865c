//! Finds every place of some known bytes in a text.
//!
//! Invariant: both ways of looking find the same, in the same order. An automaton looks through a
//! text fastest, but takes a millisecond to make, which a command that sees one sentence saves.
//! Must not know: what the bytes are for.

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind, StartKind};
use std::sync::{
    OnceLock,
    atomic::{AtomicUsize, Ordering},
};

/// Up to this many bytes are looked through without an automaton: about what making it costs.
const FEW: usize = 16 * 1024;

pub(super) struct Finder<T> {
    /// In the order of their bytes.
    needles: Vec<T>,
    /// Where the needles begin that start with each byte, and, last, their number.
    by_first: [usize; 257],
    automaton: OnceLock<AhoCorasick>,
    /// How many bytes were looked through without it.
    seen: AtomicUsize,
}

impl<T: AsRef<[u8]>> Finder<T> {
    /// A few hundred short needles, none of them empty. They are numbered in the order of their
    /// bytes.
    pub(super) fn new(mut needles: Vec<T>) -> Finder<T> {
        needles.sort_by(|a, b| a.as_ref().cmp(b.as_ref()));
        let mut by_first = [0; 257];
        for needle in &needles {
            by_first[usize::from(needle.as_ref()[0]) + 1] += 1;
        }
        for byte in 1..by_first.len() {
            by_first[byte] += by_first[byte - 1];
        }
        Finder { needles, by_first, automaton: OnceLock::new(), seen: AtomicUsize::new(0) }
    }

    pub(super) fn needle(&self, number: usize) -> &[u8] {
        self.needles[number].as_ref()
    }

    /// Calls `each` with the number of a needle and its first byte in the text, for all of them, by
    /// where they end; of those that end in one place, the longest first.
    pub(super) fn each(&self, text: &[u8], each: impl FnMut(usize, usize)) {
        let before = self.seen.fetch_add(text.len(), Ordering::Relaxed);
        if before.saturating_add(text.len()) <= FEW {
            self.each_alone(text, each);
        } else {
            self.each_by_automaton(text, each);
        }
    }

    fn each_alone(&self, text: &[u8], mut each: impl FnMut(usize, usize)) {
        let mut found: Vec<(usize, usize, usize)> = Vec::new();
        for (start, byte) in text.iter().enumerate() {
            let byte = usize::from(*byte);
            for number in self.by_first[byte]..self.by_first[byte + 1] {
                let needle = self.needle(number);
                if text[start..].starts_with(needle) {
                    found.push((start + needle.len(), start, number));
                }
            }
        }
        found.sort_unstable();
        for (_, start, number) in found {
            each(number, start);
        }
    }

    fn each_by_automaton(&self, text: &[u8], mut each: impl FnMut(usize, usize)) {
        let automaton = self.automaton.get_or_init(|| {
            AhoCorasick::builder()
                .kind(Some(AhoCorasickKind::DFA))
                .match_kind(MatchKind::Standard)
                .start_kind(StartKind::Unanchored)
                .build(&self.needles)
                .expect("because the needles are a few hundred short constants")
        });
        for found in automaton.find_overlapping_iter(text) {
            each(found.pattern().as_usize(), found.start());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_find_the_same_in_the_same_order() {
        let needles = ["abc", "b", "bc", "c", "ab", "a", "-----BEGIN", "EGIN", "GIN", "aba", "é"];
        let finder = Finder::new(needles.to_vec());
        for text in [
            "",
            "a",
            "abc",
            "xabcabcx",
            "ababa",
            "-----BEGIN RSA",
            "------BEGIN--BEGIN",
            "né à Begin",
            "aaaa bbb ccc",
        ] {
            let (mut alone, mut by_automaton) = (Vec::new(), Vec::new());
            finder.each_alone(text.as_bytes(), |number, start| alone.push((number, start)));
            finder.each_by_automaton(text.as_bytes(), |number, start| {
                by_automaton.push((number, start));
            });
            assert_eq!(alone, by_automaton, "{text}");
            for (number, start) in alone {
                assert!(text.as_bytes()[start..].starts_with(finder.needle(number)), "{text}");
            }
        }
    }

    #[test]
    fn much_text_is_looked_through_by_an_automaton() {
        let finder = Finder::new(vec!["key"]);
        let count = |text: &str| {
            let mut found = 0;
            finder.each(text.as_bytes(), |_, _| found += 1);
            found
        };
        assert_eq!(count("a key and a key"), 2);
        assert!(finder.automaton.get().is_none());
        assert_eq!(count(&"key ".repeat(FEW)), FEW);
        assert!(finder.automaton.get().is_some());
        assert_eq!(count("a key"), 1);
    }
}
