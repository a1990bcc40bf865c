//! Foreign text as one line of visible characters, or as several.
//!
//! Invariant: what is shown of a letter depends on the letters around it alone. Must not know: what
//! is written around it.

use super::letters::{LetterClass, each, is_plain, is_plain_line};
use std::borrow::Cow;

/// Characters of a foreign text within a line.
pub(super) const MAX_IN_LINE: usize = 2_000;

/// Text that co did not write: from a file, its name, a remote, git, another program, the person.
#[derive(Clone, Copy, Debug)]
pub struct Foreign<'a>(pub &'a str);

impl<'a> Foreign<'a> {
    /// On one line, cut if it is too long. Control and bidi characters are escaped, so that a file
    /// name shows them; invisible characters are removed.
    pub fn line(self) -> Cow<'a, str> {
        let text = self.0;
        if text.len() <= MAX_IN_LINE && is_plain_line(text) {
            return Cow::Borrowed(text);
        }
        let mut line = String::with_capacity(text.len().min(4 * MAX_IN_LINE));
        let mut count = 0;
        each(text, |letter| {
            count += 1;
            match letter {
                _ if count > MAX_IN_LINE => {}
                LetterClass::Letter('\n' | '\t') => line.push(' '),
                LetterClass::Letter(letter) => line.push(letter),
                LetterClass::Driving(letter) => line.extend(letter.escape_unicode()),
            }
        });
        if count > MAX_IN_LINE {
            line.push('…');
        }
        Cow::Owned(line)
    }

    /// Whether it is a single line in which nothing is removed or escaped.
    pub fn is_seen_whole(self) -> bool {
        self.line() == self.0
    }

    /// Whether one of its lines has characters that nobody sees.
    pub fn hides_text(self) -> bool {
        self.0.split('\n').map(str::trim_end).any(|line| Foreign(line).lines() != line)
    }

    /// Its lines without invisible characters; trailing white space is removed.
    pub fn lines(self) -> Cow<'a, str> {
        let text = self.0.trim_end();
        if is_plain(text) {
            return Cow::Borrowed(text);
        }
        let mut lines = String::with_capacity(text.len());
        each(text, |letter| {
            if let LetterClass::Letter(letter) = letter {
                lines.push(letter);
            }
        });
        lines.truncate(lines.trim_end().len());
        Cow::Owned(lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_one_line() {
        assert_eq!(Foreign("a\nb\u{2028}c\td\r\n").line(), "a b c d ");
        assert_eq!(
            Foreign("\u{1b}]52;c;x\u{7}a\u{202e}\u{200b}.md").line(),
            "\\u{1b}]52;c;x\\u{7}a\\u{202e}.md"
        );
        assert_eq!(Foreign("plain").line(), "plain");
        let long = "é".repeat(5_000);
        assert_eq!(Foreign(&long).line().chars().count(), MAX_IN_LINE + 1);
    }
}
