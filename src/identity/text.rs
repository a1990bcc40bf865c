//! Measures of a text: its number of tokens, and invisible characters that change what a person
//! reads.
//!
//! Invariant: letters of every script, emoji and their joiners are never reported.

use crate::foreign::is_bidi;

/// A rough estimate: four bytes per token.
pub const fn tokens(bytes: usize) -> usize {
    bytes.div_ceil(4)
}

/// Line (from 1) and character of the first control or bidi character, except tabs and line ends.
pub fn unseen(text: &str) -> Option<(usize, char)> {
    // Fast path: most files have none of these bytes.
    let suspicious = |byte: u8| {
        (byte < 0x20 && !matches!(byte, b'\n' | b'\t' | b'\r'))
            || byte == 0x7f
            || matches!(byte, 0xc2 | 0xd8 | 0xe2)
    };
    // All of them are looked at, which takes a processor less than to stop at each.
    if !text.bytes().fold(false, |any, byte| any | suspicious(byte)) {
        return None;
    }
    let unseen = |letter: &char| {
        is_bidi(*letter) || (letter.is_control() && !matches!(letter, '\n' | '\t' | '\r'))
    };
    text.split('\n')
        .enumerate()
        .find_map(|(at, line)| line.chars().find(unseen).map(|letter| (at + 1, letter)))
}

/// The same as a sentence: `line 2 holds U+202E, which nobody sees`.
pub fn unseen_in_words(text: &str) -> Option<String> {
    let (line, letter) = unseen(text)?;
    Some(format!("line {line} contains the invisible character U+{:04X}", u32::from(letter)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_sees() {
        assert_eq!(unseen("Zürich “東京” 👩‍💻 \t\r\n café £ ©"), None);
        assert_eq!(unseen("a\nb\u{202e}c"), Some((2, '\u{202e}')));
        assert_eq!(unseen("a\u{1b}[2J"), Some((1, '\u{1b}')));
        assert_eq!(unseen("a\u{85}"), Some((1, '\u{85}')));
    }
}
