//! Characters that a person does not see and that change what they read.
//!
//! Invariant: letters of every script, emoji and their joiners are no finding.

/// Whether a letter is one that nobody sees and that can change what is read: control characters,
/// those that turn text around, and the tags that spell text out of sight.
pub fn is_hidden(letter: char) -> bool {
    letter.is_control() || is_bidi(letter) || ('\u{e0000}'..='\u{e007f}').contains(&letter)
}

/// Characters that turn the direction of text around.
pub fn is_bidi(letter: char) -> bool {
    matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{061c}')
}

/// The first line (from 1) with a control or bidi character, and that character. Tabs and line ends
/// are none.
pub fn unseen(text: &str) -> Option<(usize, char)> {
    // Most files are plain: one pass over the bytes says so.
    let suspicious = |byte: u8| {
        (byte < 0x20 && !matches!(byte, b'\n' | b'\t' | b'\r'))
            || byte == 0x7f
            || matches!(byte, 0xc2 | 0xd8 | 0xe2)
    };
    if !text.bytes().any(suspicious) {
        return None;
    }
    let unseen = |letter: &char| {
        is_bidi(*letter) || (letter.is_control() && !matches!(letter, '\n' | '\t' | '\r'))
    };
    text.split('\n')
        .enumerate()
        .find_map(|(at, line)| line.chars().find(unseen).map(|letter| (at + 1, letter)))
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
