//! Text that co did not write, on its way to a screen or a model: the one neutraliser.
//!
//! Invariant: nothing but [`Said`] is printed or answered. Its own words are literals of the source;
//! whatever [`said!`] puts between them is made [`Foreign`] first: one line of letters that are
//! seen. A text of several lines comes in as a [`quote`](Foreign::quote) alone, whose every line
//! begins with a margin. So no foreign text can drive a terminal, hide, or begin a line: it is no
//! frame, heading, turn, fence, or hit of a list. Held by the types, and by
//! `tests/journey/foreign.rs` for every verb and tool. Knows nothing of what the texts are.

mod letters;
mod said;

pub use letters::{is_bidi, is_seen};
pub(crate) use said::said;
pub use said::{Said, Say};

use letters::{LetterClass, each, is_plain};
use std::borrow::Cow;

/// Before each line of a quoted text, for programs and models. No text that people write begins
/// every line with it, so it can be taken off again.
pub const MARGIN: &str = "│ ";
/// Letters of a foreign text within a line.
const MAX_IN_LINE: usize = 2_000;

/// A text that co did not write: of a file, its name, a remote, git, another program, the person.
#[derive(Clone, Copy, Debug)]
pub struct Foreign<'a>(pub &'a str);

impl<'a> Foreign<'a> {
    /// On one line, cut where it is longer than a line can be. Controls and marks of direction are
    /// written out, so that the name of a file shows them; what nobody sees goes.
    pub fn line(self) -> Cow<'a, str> {
        let text = self.0;
        if text.len() <= MAX_IN_LINE && is_plain(text) && !text.contains(['\n', '\t']) {
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

    /// Every line behind the margin, without what nobody sees. Ends with the end of a line, but for
    /// a text that says nothing.
    pub fn quote(self, margin: &'static str) -> Said {
        Said::of_quote(&self.lines(), margin)
    }

    /// Whether it is one line of which nothing goes and nothing is written out.
    pub fn is_seen_whole(self) -> bool {
        self.line() == self.0
    }

    /// On one line, as an element or attribute of XML takes it.
    pub fn markup(self) -> Said {
        Said::of_markup(&self.line())
    }

    /// Its lines in an element of XML, each behind the margin.
    pub fn marked_up(self, margin: &'static str) -> Said {
        Said::of_quote(Said::of_markup(&self.lines()).as_str(), margin)
    }

    /// Its lines without what nobody sees; blanks at the end of the text go.
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

/// A text that an agent read behind margins and sends back, without them; any other as it is.
pub fn unquoted(text: &str) -> Cow<'_, str> {
    let bare = |line: &str| -> Option<String> {
        let line = line.trim_start();
        let bare = line.strip_prefix(MARGIN).or_else(|| line.strip_prefix(MARGIN.trim_end()));
        bare.map(str::to_owned)
    };
    let lines = text.trim().lines().map(bare).collect::<Option<Vec<String>>>();
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
