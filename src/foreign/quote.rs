//! Foreign text of several lines, each behind a margin or escaped, and the way back.
//!
//! Invariant: a quoted text starts no line of its own. Must not know: who reads it.

use super::{line::Foreign, said::Said};
use std::borrow::Cow;

/// Precedes each line of a quoted text, for programs and models. No text that people write has it
/// on every line, so it can be removed again.
pub const MARGIN: &str = "│ ";

impl Foreign<'_> {
    /// Every line behind the margin, without invisible characters. Ends with a line ending unless
    /// the text is empty.
    pub fn quote(self, margin: &'static str) -> Said {
        Said::of_quote(&self.lines(), margin)
    }

    /// On one line, escaped for an XML element or attribute.
    pub fn markup(self) -> Said {
        Said::of_markup(&self.line())
    }

    /// Its lines in an XML element, each behind the margin.
    pub fn marked_up(self, margin: &'static str) -> Said {
        Said::of_quote(Said::of_markup(&self.lines()).as_str(), margin)
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
