//! Text that co did not write, on its way to a screen or a model: the only sanitiser.
//!
//! Invariant: only [`Said`] is printed or returned. Its own words are literals in the source;
//! anything that [`said!`] puts between them becomes [`Foreign`] first: one line of visible
//! characters. Text of several lines comes in only as a [`quote`](Foreign::quote), whose every line
//! starts with a margin. So foreign text cannot drive a terminal, hide, or start a line: it is
//! never a frame, heading, turn, fence or list hit. Held by the types, and by
//! `tests/journey/untrusted_text.rs` for every verb and tool. Must not know: what the texts are.

mod letters;
pub mod said;

pub use letters::{is_bidi, is_seen};
pub(crate) use said::said;
pub use said::{Said, Say};

use letters::{LetterClass, each, is_plain, is_plain_line};
use std::borrow::Cow;

/// Precedes each line of a quoted text, for programs and models. No text that people write has it
/// on every line, so it can be removed again.
pub const MARGIN: &str = "│ ";
/// Characters of a foreign text within a line.
const MAX_IN_LINE: usize = 2_000;

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

    /// Every line behind the margin, without invisible characters. Ends with a line ending unless
    /// the text is empty.
    pub fn quote(self, margin: &'static str) -> Said {
        Said::of_quote(&self.lines(), margin)
    }

    /// Whether it is a single line in which nothing is removed or escaped.
    pub fn is_seen_whole(self) -> bool {
        self.line() == self.0
    }

    /// On one line, escaped for an XML element or attribute.
    pub fn markup(self) -> Said {
        Said::of_markup(&self.line())
    }

    /// Its lines in an XML element, each behind the margin.
    pub fn marked_up(self, margin: &'static str) -> Said {
        Said::of_quote(Said::of_markup(&self.lines()).as_str(), margin)
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

/// Removes the margins from a text that an agent read and sends back; any other is unchanged.
pub fn unquoted(text: &str) -> Cow<'_, str> {
    let bare = |line: &str| -> Option<String> {
        let line = line.trim_start();
        let bare = line.strip_prefix(MARGIN).or_else(|| line.strip_prefix(MARGIN.trim_end()));
        bare.map(str::to_owned)
    };
    let lines = text
        .trim_start_matches('\u{feff}')
        .trim()
        .lines()
        .map(bare)
        .collect::<Option<Vec<String>>>();
    match lines {
        Some(lines) if !lines.is_empty() => Cow::Owned(lines.join("\n")),
        _ => Cow::Borrowed(text),
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

    #[test]
    fn what_comes_back_is_the_original() {
        for text in ["one line", "two\n\n  lines\n> quoted\n│ drawn", "```\n## x\n```", "│ x"] {
            let quoted = Foreign(text).quote(MARGIN);
            assert!(quoted.lines().all(|line| line.starts_with("│")), "{quoted:?}");
            assert_eq!(unquoted(quoted.as_str()), text);
        }
        assert_eq!(unquoted("  │ first\n  │\n  │ third\n"), "first\n\nthird");
        assert_eq!(unquoted("a tree:\n.\n│ x"), "a tree:\n.\n│ x");
        assert_eq!(unquoted("plain"), "plain");
    }
}
