//! Keeps near-duplicates apart if they differ in a number, identifier or name.
//!
//! Invariant: symmetric; only words that are in just one of the two texts are considered. Treating
//! two different facts as alike would hide one, so in doubt they are treated as distinct.

use std::collections::BTreeSet;

/// Pairs of similar facts are cached; those from another edition are recomputed.
pub const EDITION: u32 = 3;

/// Endings of capitalised sentence openers that are not names: verbs and adverbs.
const ENDS: [&str; 4] = ["s", "ed", "ing", "ly"];
/// Capitalised sentence openers that are not names.
const OPENERS: &[&str] = &[
    "a", "all", "an", "and", "any", "as", "at", "but", "by", "can", "do", "don", "each", "ever",
    "every", "for", "from", "he", "i", "if", "in", "is", "it", "keep", "likes", "my", "never",
    "no", "not", "of", "on", "only", "or", "our", "run", "she", "so", "the", "they", "this", "to",
    "use", "want", "we", "what", "when", "with", "you", "your",
];

/// Whether two texts mention different numbers, identifiers or names.
pub fn are_apart(a: &str, b: &str) -> bool {
    let (mine, theirs) = (words(a), words(b));
    let lower = |words: &[DistinctWord<'_>]| -> BTreeSet<String> {
        words.iter().map(|word| word.text.to_lowercase()).collect()
    };
    let (known_to_a, known_to_b) = (lower(&mine), lower(&theirs));
    let tells = |word: &DistinctWord<'_>, known: &BTreeSet<String>| {
        word.names_something() && !known.contains(&word.text.to_lowercase())
    };
    mine.iter().any(|word| tells(word, &known_to_b))
        || theirs.iter().any(|word| tells(word, &known_to_a))
}

struct DistinctWord<'a> {
    text: &'a str,
    begins: bool,
}

impl DistinctWord<'_> {
    fn names_something(&self) -> bool {
        let text = self.text;
        let has_digit = text.contains(char::is_numeric);
        let inside = text.chars().skip(1);
        let is_identifier =
            text.contains(['_', '.', '@']) || inside.clone().any(char::is_uppercase);
        let is_capital = text.chars().next().is_some_and(char::is_uppercase);
        has_digit || is_identifier || (is_capital && !(self.begins && self.is_opener()))
    }

    fn is_opener(&self) -> bool {
        let lower = self.text.to_lowercase();
        ENDS.iter().any(|end| lower.ends_with(end)) || OPENERS.contains(&lower.as_str())
    }
}

/// The words of a text; inner punctuation does not split a word: `ACME-2782`, `main.rs`, `a_b`.
fn words(text: &str) -> Vec<DistinctWord<'_>> {
    let mut begins = true;
    let mut words = Vec::new();
    for piece in text.split_whitespace() {
        let text = piece.trim_matches(|letter: char| !letter.is_alphanumeric());
        if !text.is_empty() {
            // `a/b` and `a,b` are split into their words.
            let parts =
                if text.contains(|letter: char| letter.is_numeric() || "_.@".contains(letter)) {
                    vec![text]
                } else {
                    text.split(|letter: char| !letter.is_alphanumeric()).collect()
                };
            for part in parts.into_iter().filter(|part| !part.is_empty()) {
                words.push(DistinctWord { text: part, begins });
                begins = false;
            }
        }
        begins = piece.ends_with(['.', '!', '?', ':']);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_names_and_identifiers_tell_apart() {
        for (a, b, apart) in [
            (
                "Ticket ACME-2782 is about the login page",
                "Ticket ACME-2999 is about the login page",
                true,
            ),
            ("The port of the server is 8080", "The port of the server is 8081", true),
            (
                "Alice likes tea in the morning with milk",
                "Bob likes tea in the morning with milk",
                true,
            ),
            ("Meets Sarah on Fridays at the office", "Meets Peter on Fridays at the office", true),
            (
                "Calls parse_line before the lexer runs",
                "Calls parse_file before the lexer runs",
                true,
            ),
            ("Uses useState for local things", "Uses useReducer for local things", true),
            ("Always run uv sync before pytest", "always run uv sync before pytest!", false),
            (
                "Builds command line tools with typer",
                "Builds command-line tools using typer",
                false,
            ),
            ("Prefers pytest over unittest", "Likes pytest over unittest", false),
            ("I prefer async/await over callbacks", "prefers async and await to callbacks", false),
            ("Never use tabs", "Don't use tabs", false),
        ] {
            assert_eq!(are_apart(a, b), apart, "{a} / {b}");
            assert_eq!(are_apart(b, a), apart, "{b} / {a}");
        }
    }
}
