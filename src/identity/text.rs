//! Characters that are invisible and change what a person reads.
//!
//! Invariant: letters of every script, emoji and their joiners are never reported.

/// Control and bidi characters, and the tag characters that spell invisible text.
pub fn is_hidden(letter: char) -> bool {
    letter.is_control() || is_bidi(letter) || ('\u{e0000}'..='\u{e007f}').contains(&letter)
}

/// Letters that nobody sees, and that a reader passes over. Joiners and the selectors of emoji are
/// none: without them what people write looks otherwise.
pub fn is_ignored(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{e0000}'..='\u{e0fff}')
}

/// Characters that change the direction of text.
pub fn is_bidi(letter: char) -> bool {
    matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{061c}')
}

/// Text without control and bidi characters; line ends and tabs stay.
pub fn safe(text: &str) -> String {
    text.chars().filter(|c| matches!(c, '\n' | '\t') || !(c.is_control() || is_bidi(*c))).collect()
}

/// Line (from 1) and letter of the first control or bidi character but tabs and line ends.
pub fn unseen(text: &str) -> Option<(usize, char)> {
    // Fast path: most files have none of these bytes.
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
    fn nothing_drives_the_terminal() {
        assert_eq!(safe("a\u{1b}[2Jb\u{9b}c\u{202e}d\n\te"), "a[2Jbcd\n\te");
    }

    #[test]
    fn only_what_nobody_sees() {
        assert_eq!(unseen("Zürich “東京” 👩‍💻 \t\r\n café £ ©"), None);
        assert_eq!(unseen("a\nb\u{202e}c"), Some((2, '\u{202e}')));
        assert_eq!(unseen("a\u{1b}[2J"), Some((1, '\u{1b}')));
        assert_eq!(unseen("a\u{85}"), Some((1, '\u{85}')));
    }
}
