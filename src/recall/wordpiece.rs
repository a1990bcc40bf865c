//! Splits texts into the word pieces of the embedder's vocabulary. `build.rs` makes the tables,
//! with the hash in `slot`.
//!
//! Invariant: like BERT (uncased): cleaned, lower case, without accents, split at white space and
//! punctuation, then greedily into the longest known pieces from the left. Unlike BERT, `tokens`
//! leaves out unknown words.

use super::{slot, tokens::runs};
use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_normalization::UnicodeNormalization;

const TEXT: &str = include_str!("../../models/vocab.txt");
const IN_SLOTS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/vocab.slots"));
const STARTS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/vocab.starts"));

pub const COUNT: usize = STARTS.len() / 4 - 1;
/// A longer word is unknown.
const MAX_LEN: usize = 100;
/// The token for a word that is not in the vocabulary.
pub const UNKNOWN: u16 = 100;

/// The ids of a text's tokens; words that are not in the vocabulary are left out.
pub fn tokens(text: &str) -> Vec<u16> {
    let mut ids = Vec::new();
    each_word(text, |word| pieces(word, &mut ids));
    ids
}

/// Calls `each` with the words of a text, in the vocabulary's spelling.
pub fn each_word(text: &str, mut each: impl FnMut(&str)) {
    let folded = folded(text);
    let mut start = 0;
    for (at, letter) in folded.char_indices() {
        if letter.is_ascii_alphanumeric() {
            continue;
        }
        let is_alone = is_punctuation(letter) || is_ideograph(letter);
        if !is_alone && !letter.is_whitespace() {
            continue;
        }
        if start < at {
            each(&folded[start..at]);
        }
        start = at + letter.len_utf8();
        if is_alone {
            each(&folded[at..start]);
        }
    }
    if start < folded.len() {
        each(&folded[start..]);
    }
}

/// A text in lower case, without accents and invisible characters.
fn folded(text: &str) -> String {
    // Most texts.
    if is_plain(text) {
        return text.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(text.len());
    for run in runs(text) {
        if is_plain(run) {
            let start = folded.len();
            folded.push_str(run);
            folded[start..].make_ascii_lowercase();
            continue;
        }
        for letter in run.nfd().filter(|letter| !is_accent(*letter)) {
            let is_dropped = is_control(letter) || letter == '\u{fffd}';
            if letter.is_whitespace() || !is_dropped {
                folded.extend(letter.to_lowercase().filter(|letter| !is_accent(*letter)));
            }
        }
    }
    folded
}

/// Whether a text is visible ASCII and white space. All bytes are looked at, which takes a
/// processor less than to stop at each.
fn is_plain(text: &str) -> bool {
    text.bytes().fold(true, |all, byte| all & matches!(byte, b'\t'..=b'\r' | b' '..=b'~'))
}

/// Adds the pieces of a word, or none if any part of it is unknown.
pub fn pieces(word: &str, ids: &mut Vec<u16>) {
    if word.chars().count() > MAX_LEN {
        return;
    }
    let first = ids.len();
    let mut rest = word;
    let mut continued = String::new();
    while !rest.is_empty() {
        let mut end = rest.len();
        let found = loop {
            let piece = &rest[..end];
            let id = if ids.len() == first {
                id_of(piece)
            } else {
                continued.clear();
                continued.push_str("##");
                continued.push_str(piece);
                id_of(&continued)
            };
            if id.is_some() || end == 0 {
                break id;
            }
            end = rest.floor_char_boundary(end - 1);
        };
        match found {
            Some(id) if end > 0 => ids.push(id),
            _ => {
                ids.truncate(first);
                return;
            }
        }
        rest = &rest[end..];
    }
}

/// Whether the whole word is in the vocabulary.
pub fn is_word(word: &str) -> bool {
    id_of(word).is_some()
}

fn id_of(token: &str) -> Option<u16> {
    if token.is_empty() {
        return None;
    }
    let mut at = slot::first(token.as_bytes());
    loop {
        let id = u16::from_le_bytes([IN_SLOTS[2 * at], IN_SLOTS[2 * at + 1]]);
        if id == slot::FREE {
            return None;
        }
        if spelt(usize::from(id)) == token {
            return Some(id);
        }
        at = (at + 1) % slot::SLOTS;
    }
}

fn spelt(id: usize) -> &'static str {
    &TEXT[start(id)..start(id + 1) - 1]
}

fn start(id: usize) -> usize {
    let at = 4 * id;
    u32::from_le_bytes([STARTS[at], STARTS[at + 1], STARTS[at + 2], STARTS[at + 3]]) as usize
}

/// Invisible characters: control, format and unassigned ones.
fn is_control(letter: char) -> bool {
    use GeneralCategory::{Control, Format, PrivateUse, Unassigned};
    !letter.is_ascii_graphic()
        && matches!(get_general_category(letter), Control | Format | PrivateUse | Unassigned)
}

/// A mark that takes up no space; vowel signs that do are letters.
fn is_accent(letter: char) -> bool {
    !letter.is_ascii() && get_general_category(letter) == GeneralCategory::NonspacingMark
}

/// ASCII symbols, and the punctuation of every script.
fn is_punctuation(letter: char) -> bool {
    use GeneralCategory::{
        ClosePunctuation, ConnectorPunctuation, DashPunctuation, FinalPunctuation,
        InitialPunctuation, OpenPunctuation, OtherPunctuation,
    };
    let is_sign = || {
        matches!(
            get_general_category(letter),
            ClosePunctuation
                | ConnectorPunctuation
                | DashPunctuation
                | FinalPunctuation
                | InitialPunctuation
                | OpenPunctuation
                | OtherPunctuation
        )
    };
    letter.is_ascii_punctuation() || (!letter.is_ascii() && is_sign())
}

fn is_ideograph(letter: char) -> bool {
    matches!(u32::from(letter),
        0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x2CEAF
        | 0x2F800..=0x2FA1F)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_into_the_longest_known_pieces() {
        // "prefers" is not a single token, and "async" is three.
        assert_eq!(
            tokens("User prefers async/await over callbacks"),
            [5310, 19233, 2004, 6038, 2278, 1013, 26751, 2058, 2655, 12221]
        );
        assert_eq!(tokens("Café"), tokens("cafe"));
        assert_eq!(tokens("cafe\u{301} Äb"), tokens("cafe ab"));
        assert_eq!(tokens("te\u{0}a\u{200b}s\tand\u{a0}milk"), tokens("teas and milk"));
        assert_eq!(tokens("x\u{37e}y"), tokens("x;y"));
        assert_eq!(tokens("a茶b"), tokens("a 茶 b"));
        assert_eq!(tokens(""), Vec::<u16>::new());
        assert_eq!(tokens(&"x".repeat(101)), Vec::<u16>::new());
    }
}
