//! Wraps lines that are wider than the terminal between words.
//!
//! Invariant: output to a pipe is never touched; words, paths and links stay whole, so that they
//! can be copied.

use crate::recall::tokens::is_cjk;
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm, core::display_width};

/// The minimum indentation of a wrapped line's rest, if the line may contain foreign text: that
/// never starts a line.
const LEAST: usize = 2;

/// The text with every line that is too wide wrapped between words. The rest is indented to the
/// column where the text of the line begins.
pub(super) fn wrapped(text: &str, width: usize) -> String {
    hanging(text, width, LEAST)
}

/// Like [`wrapped`], for co's own paragraphs.
pub(super) fn prose(text: &str, width: usize) -> String {
    hanging(text, width, 0)
}

fn hanging(text: &str, width: usize, least: usize) -> String {
    let mut result = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        if display_width(line) <= width {
            result.push_str(line);
        } else {
            let hanging = " ".repeat(column(line, width).max(least));
            // Elsewhere only white space separates: paths and links stay whole.
            let separator = if line.contains(is_cjk) {
                WordSeparator::UnicodeBreakProperties
            } else {
                WordSeparator::AsciiSpace
            };
            let options = Options::new(width)
                .break_words(false)
                .word_separator(separator)
                .word_splitter(WordSplitter::NoHyphenation)
                .wrap_algorithm(WrapAlgorithm::FirstFit)
                .subsequent_indent(&hanging);
            result.push_str(&textwrap::wrap(line, options).join("\n"));
        }
        result.push_str(end);
    }
    result
}

/// Where the text of a line begins: after its indent, or after the columns before it.
fn column(line: &str, width: usize) -> usize {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let mut column = indent;
    let letters = line.char_indices().zip(line.chars().skip(1));
    for ((at, _), next) in letters.filter(|((_, letter), next)| *letter == ' ' && *next != ' ') {
        let before = display_width(&line[..=at]);
        let gap = line[..at].ends_with(' ') && !next.is_whitespace();
        if gap && before > indent && before <= width * 3 / 5 {
            column = before;
        }
    }
    column
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_hang_below_their_text() {
        let wrap = |text| prose(text, 24);
        assert_eq!(
            wrapped("one two three four five six\n", 24),
            "one two three four five\n  six\n"
        );
        assert_eq!(wrap("short\nlines\n"), "short\nlines\n");
        assert_eq!(wrap("one two three four five six\n"), "one two three four five\nsix\n");
        let row = "  learned  + one two three four\n";
        assert_eq!(wrap(row), "  learned  + one two\n           three four\n");
        let odd = "  profile       one two three four\n";
        assert_eq!(wrapped(odd, 28), "  profile       one two\n                three four\n");
        let path = "see /a/very/long/path/that/is/wider/than/it now\n";
        assert_eq!(wrap(path), "see\n/a/very/long/path/that/is/wider/than/it\nnow\n");
        let chinese = "   4  我喜欢在早上喝乌龙茶和普洱茶\n";
        assert_eq!(wrap(chinese), "   4  我喜欢在早上喝乌龙\n      茶和普洱茶\n");
        let dim = "\u{1b}[2mone two three four five six\u{1b}[0m\n";
        assert!(wrap(dim).contains("five\nsix"));
    }
}
