//! What a text is called in lists and titles: its first line with a word in it.
//!
//! Invariant: whatever looks like a secret is redacted before anything is cut. What is made here is
//! cached: a change needs a new edition of [`MemoryMeta`](super::memory::MemoryMeta). Must not
//! know: whose text it is.

use crate::secrets;

/// How many characters a [`first_line`] has at most, and how many a [`summary`].
const FIRST_LINE: usize = 200;
const SUMMARY: usize = 80;

/// Stands for further lines.
const MORE: &str = " …";

/// The summary of a text, for programs and titles: see [`summary_of`].
pub fn summary(text: &str) -> String {
    summary_of(&first_line(text))
}

/// A shorter [`first_line`]. Whatever is left out shows: more than 80 characters are cut to 77 and
/// `...`, and further lines are a ` …`.
pub fn summary_of(line: &str) -> String {
    let (start, end) = summary_parts(line);
    [start, end].concat()
}

/// A [`summary_of`] a line as what is left of that line, and what stands for the rest.
pub fn summary_parts(line: &str) -> (&str, &'static str) {
    let first = line.strip_suffix(MORE).unwrap_or(line);
    let start = start_of(first, SUMMARY);
    match start.len() {
        all if all == first.len() => (line, ""),
        // As many bytes as characters: there is no need to count them again.
        SUMMARY => (&start[..SUMMARY - 3], "..."),
        _ => (start_of(start, SUMMARY - 3), "..."),
    }
}

/// The first characters of a text, at most this many.
fn start_of(text: &str, most: usize) -> &str {
    // Hot: every fact of a list goes through here.
    match text.as_bytes().get(..most) {
        None => text,
        Some(start) if start.is_ascii() => &text[..most],
        Some(_) => &text[..text.char_indices().nth(most).map_or(text.len(), |(at, _)| at)],
    }
}

/// The first line with a word in it, redacted, for a list that cuts it to its own width: a rule or
/// a fence above it names nothing. More than 200 characters end in `…`, and further lines are a
/// ` …`.
pub fn first_line(text: &str) -> String {
    let mut lines = text.lines().skip(named_at(text));
    let first = lines.next().unwrap_or_default();
    // Redacted before it is cut, so that even half a token is recognised.
    let first = secrets::redact(&first[..first.floor_char_boundary(2048)]);
    if first.chars().count() > FIRST_LINE {
        [start_of(&first, FIRST_LINE - 1), "…"].concat()
    } else if lines.any(|line| !line.trim().is_empty()) {
        format!("{}{MORE}", first.trim_end())
    } else {
        first.into_owned()
    }
}

/// The line that [`first_line`] shows, whole and as it is.
pub fn naming_line(text: &str) -> &str {
    text.lines().nth(named_at(text)).unwrap_or_default()
}

/// Which line has the first word; the first one if none has any.
fn named_at(text: &str) -> usize {
    text.lines().position(|line| !is_mere_mark(line)).unwrap_or(0)
}

/// Whether a line has no word: blank, a rule, a lone `>`, or a fence, whatever its language.
fn is_mere_mark(line: &str) -> bool {
    const LINES: &str = "—–─━═•·";
    let mark = |letter: char| {
        letter.is_whitespace() || letter.is_ascii_punctuation() || LINES.contains(letter)
    };
    let line = line.trim_start_matches(['>', ' ', '\t']);
    let is_fence = ['`', '~'].into_iter().any(|sign| {
        let info = line.trim_start_matches(sign);
        line.len() - info.len() >= 3 && !info.contains(sign) && info.split_whitespace().count() < 2
    });
    is_fence || line.chars().all(mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_summary_leaves_out_shows() {
        let long = "x".repeat(81);
        let long_and_more = format!("{long}\nmore");
        for (text, shown) in [
            ("One line.", "One line.".to_owned()),
            ("One line.\n\n", "One line.".to_owned()),
            ("One line.\nAnother.", "One line. …".to_owned()),
            ("One line. \r\n\r\nAnother.", "One line. …".to_owned()),
            (long.as_str(), format!("{}...", "x".repeat(77))),
            (long_and_more.as_str(), format!("{}...", "x".repeat(77))),
        ] {
            assert_eq!(summary(text), shown);
        }
        let (wide, wider) = ("x".repeat(200), "x".repeat(201));
        for (text, shown) in [
            ("One line.", "One line.".to_owned()),
            ("One line. \nAnother.", "One line. …".to_owned()),
            (long.as_str(), long.clone()),
            (long_and_more.as_str(), format!("{long} …")),
            (wide.as_str(), wide.clone()),
            (wider.as_str(), format!("{}…", "x".repeat(199))),
        ] {
            assert_eq!(first_line(text), shown);
        }
    }

    #[test]
    fn a_summary_is_cut_at_a_character() {
        for letter in ["x", "é", "日", "🍵", "e\u{301}"] {
            for count in [1, 26, 27, 38, 39, 40, 41, 76, 77, 78, 79, 80, 81, 82, 200] {
                for before in ["", "a", "ab", "é"] {
                    let text = format!("{before}{}", letter.repeat(count));
                    let cut = text.chars().take(77).chain("...".chars()).collect::<String>();
                    let shown = if text.chars().count() > 80 { &cut } else { &text };
                    assert_eq!(summary_of(&text), *shown, "{text}");
                    assert_eq!(summary_of(&format!("{text} …")).starts_with(&text), *shown == text);
                }
            }
        }
    }

    #[test]
    fn a_line_without_a_word_names_nothing() {
        for (text, shown) in [
            ("---\nA rule above", "A rule above"),
            ("---\n\nBetween rules\n\n---", "Between rules …"),
            ("***\n* * *\nStars", "Stars"),
            ("```rust\nlet a = 1;\n```", "let a = 1; …"),
            ("~~~\nls\n~~~", "ls …"),
            (">\n> A quote", "> A quote"),
            ("> ```sh\n> ls", "> ls"),
            ("═══\nBox", "Box"),
            ("===\n🍵\nTea", "🍵 …"),
            ("```x``` is code\nMore", "```x``` is code …"),
            ("---", "---"),
            ("!!!\n???", "!!! …"),
            ("- Likes tea\n- Has a dog", "- Likes tea …"),
        ] {
            assert_eq!(first_line(text), shown, "{text:?}");
        }
    }
}
