//! Wraps lines that are wider than the terminal between words.
//!
//! Invariant: output to a pipe is never touched; words, paths and links stay whole where a line of
//! their own has room for them, so that they can be copied.

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
                // The terminal would break them as well, and go on in its first column.
                .break_words(true)
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

/// Where a column may begin at most: further to the right, too little room is left for its text.
pub(super) fn furthest(width: usize) -> usize {
    width * 3 / 5
}

/// Where the text of a line begins: after its indent, or after the columns before it.
fn column(line: &str, width: usize) -> usize {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let most = furthest(width);
    let (mut column, mut before, mut rest) = (indent, 0, line);
    // Not beyond where a column may begin: a line may be a whole file.
    while let Some(at) = rest.find(' ') {
        before += display_width(&rest[..=at]);
        if before > most {
            break;
        }
        let is_gap = at == 0;
        rest = &rest[at + 1..];
        let begins = rest.chars().next().is_some_and(|next| !next.is_whitespace());
        if is_gap && begins && before > indent {
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
        assert_eq!(wrap(path), "see\n/a/very/long/path/that/i\ns/wider/than/it now\n");
        let whole = "see what is in /a/path/that/fits now\n";
        assert_eq!(wrap(whole), "see what is in\n/a/path/that/fits now\n");
        let link = "   4  https://example.org/a?b=c&d=e now\n";
        let broken = "   4  https://example.or\n      g/a?b=c&d=e now\n";
        assert_eq!(wrapped(link, 24), broken);
        let chinese = "   4  我喜欢在早上喝乌龙茶和普洱茶\n";
        assert_eq!(wrap(chinese), "   4  我喜欢在早上喝乌龙\n      茶和普洱茶\n");
        let dim = "\u{1b}[2mone two three four five six\u{1b}[0m\n";
        assert!(wrap(dim).contains("five\nsix"));
    }

    /// Measuring the text before each blank took hours for this line.
    #[test]
    fn a_line_as_long_as_a_file_is_wrapped() {
        let long = format!("  row   {}\n", "word ".repeat(400_000));
        let wrapped = wrapped(&long, 80);
        assert!(wrapped.lines().count() > 20_000);
        assert!(wrapped.lines().skip(1).all(|line| line.starts_with("        word")));
    }
}
