//! What a question asks: its text without what is no matter of its answer, which is its length
//! beyond a limit, marks and bullets at its ends, courtesy, and quotes around a single word.
//!
//! Invariant: pure; the one place for it, so that words, dates and vectors are taken from the same
//! text; what is plain stays as it is.

use super::tokens;
use std::sync::LazyLock;

/// Further letters of a question hardly change its answers, and cost time.
pub const MAX_CHARS: usize = 4_000;

/// Phrases with which people begin or end a question, and those with which they only begin one.
static COURTESY: LazyLock<[Vec<Vec<&str>>; 2]> = LazyLock::new(|| {
    let both = include_str!("words/courtesy.txt").split_once("\n\n");
    let (anywhere, beginnings) = both.expect("because an empty line is between the two");
    [anywhere, beginnings]
        .map(|phrases| phrases.lines().map(|phrase| phrase.split(' ').collect()).collect())
});

/// The part of a question that is searched for.
pub fn cut(text: &str) -> &str {
    text.char_indices().nth(MAX_CHARS).map_or(text, |(at, _)| &text[..at])
}

/// The question as it is read, with quotes as `"`.
pub(super) fn plain(text: &str) -> String {
    let visible = cut(text).replace(['\u{ad}', '\u{200b}', '\u{feff}'], "");
    let straight = visible.replace(['“', '”', '„', '«', '»', '「', '」', '『', '』'], "\"");
    let mut plain = tokens::single_spaced(&straight);
    // What one of them takes away may bare what another does.
    loop {
        let lines: Vec<String> = plain.lines().map(without_quoted_words).collect();
        let lines = lines.join("\n");
        let shorter = without_courtesy(without_marks(without_frame(&lines))).to_owned();
        if shorter == plain {
            return plain;
        }
        plain = shorter;
    }
}

/// A question without parentheses around all of it, or the marks of bold text.
fn without_frame(text: &str) -> &str {
    let text = text.trim();
    let is_plain = |inner: &&str| !inner.contains(['(', ')', '*']) && !inner.is_empty();
    let framed = |open: &str, close: &str| {
        text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)).filter(is_plain)
    };
    framed("(", ")").or_else(|| framed("**", "**")).unwrap_or(text)
}

/// A question without punctuation and bullets at its ends.
fn without_marks(text: &str) -> &str {
    let text = text.trim_end_matches(|end: char| {
        end.is_whitespace()
            || matches!(end, '?' | '!' | '.' | ',' | ';' | ':' | '…' | '‽' | '-' | '–' | '—')
            || matches!(end, '*' | '•' | '·' | '？' | '！' | '。' | '，' | '、')
    });
    let text = text.trim_start_matches(|start: char| {
        start.is_whitespace() || matches!(start, '¿' | '¡' | '•' | '·' | '–' | '—' | '‣' | '▪')
    });
    let word = text.split_whitespace().next().unwrap_or_default();
    let after_dash = word.trim_start_matches('-');
    let is_bullet = matches!(word, "*" | "+" | "#" | ">") || after_dash.is_empty();
    if is_bullet && !word.is_empty() {
        return without_marks(&text[word.len()..]);
    }
    // `-word` excludes, but nobody means to exclude each text with "which".
    let is_phrase = after_dash.starts_with('"');
    let is_dash = word.len() - after_dash.len() > 1 || (is_function_word(after_dash) && !is_phrase);
    if is_dash { text.trim_start_matches('-') } else { text }
}

fn is_function_word(word: &str) -> bool {
    let words = tokens::words(word);
    matches!(words.as_slice(), [one] if tokens::is_stop_word(one))
}

/// A question without the phrases that ask for an answer, unless there is nothing else.
fn without_courtesy(text: &str) -> &str {
    let words: Vec<&str> = text.split_whitespace().collect();
    let folded: Vec<String> = words.iter().map(|word| folded(word)).collect();
    let begins = COURTESY.iter().flatten().filter(|phrase| {
        let beginning = folded.get(..phrase.len());
        folded.len() > phrase.len() && beginning.is_some_and(|words| is(words, phrase))
    });
    if let Some(phrase) = begins.max_by_key(|phrase| phrase.len()) {
        return after(text, phrase.len());
    }
    let ends = COURTESY[0].iter().filter(|phrase| {
        let ending = folded.len().checked_sub(phrase.len()).filter(|before| *before > 0);
        ending.is_some_and(|from| is(&folded[from..], phrase))
    });
    let Some(phrase) = ends.max_by_key(|phrase| phrase.len()) else { return text };
    let kept = words.len() - phrase.len();
    let rest = after(text, kept);
    text[..text.len() - rest.len()].trim_end()
}

fn is(words: &[String], phrase: &[&str]) -> bool {
    words.iter().eq(phrase.iter())
}

/// A text without its first words.
fn after(text: &str, words: usize) -> &str {
    let mut rest = text.trim_start();
    for _ in 0..words {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        rest = rest[end..].trim_start();
    }
    rest
}

fn folded(word: &str) -> String {
    let word =
        word.trim_matches(|letter: char| matches!(letter, ',' | ';' | ':' | '.' | '!' | '?' | '…'));
    word.replace('’', "'").to_lowercase()
}

/// A line without the quotes around single words; those that are alternatives of `OR` or beside
/// other quotes keep them, because there they say what must occur.
fn without_quoted_words(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let is_syntax = |at: Option<usize>| {
        let word = at.and_then(|at| words.get(at)).copied().unwrap_or_default();
        word == "OR" || word.starts_with('"') || word.ends_with('"')
    };
    let plain = words.iter().enumerate().map(|(at, word)| {
        let is_beside = is_syntax(at.checked_sub(1)) || is_syntax(Some(at + 1));
        if is_beside { (*word).to_owned() } else { without_quotes(word) }
    });
    plain.collect::<Vec<String>>().join(" ")
}

/// A word without quotes around it.
fn without_quotes(word: &str) -> String {
    let is_end = |letter: char| matches!(letter, '.' | ',' | ';' | ':' | '!' | '?');
    let quoted = word.trim_end_matches(is_end);
    let mut letters = quoted.chars();
    let (Some(first), Some(last)) = (letters.next(), letters.next_back()) else {
        return word.to_owned();
    };
    let inner = letters.as_str();
    let is_pair = matches!(
        (first, last),
        ('"', '"') | ('\'', '\'') | ('`', '`') | ('‘', '’') | ('«', '»') | ('‹', '›')
    );
    // An apostrophe is part of a word; without spaces, a phrase looks like one.
    let is_word = inner.contains(char::is_alphanumeric)
        && !inner.contains(['"', '`'])
        && (first != '\'' || !inner.contains('\''))
        && (first != '"' || !inner.contains(tokens::is_cjk));
    if is_pair && is_word { format!("{inner}{}", &word[quoted.len()..]) } else { word.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_no_answer_is_left_out() {
        for text in [
            "Which editor do I use?",
            "Which editor do I use ?!",
            "  Which  editor\tdo I use...",
            "- Which editor do I use",
            "-Which editor do I use",
            "— Which editor do I use —",
            "* Which editor do I use -",
            "• Which editor do I use",
            "please Which editor do I use",
            "Which editor do I use, please?",
            "Can you tell me Which editor do I use? Thanks!",
            "Could you please tell me: Which editor do I use",
            "Which \"editor\" do I use",
            "Which “editor” do I 'use'?",
            "Which `editor` do I use.",
            "¿Which editor do I use?",
            "(Which editor do I use?)",
            "**Which editor do I use?**",
            "Which editor do I use\u{200b}?",
            "\u{feff}Which editor do I use",
        ] {
            assert_eq!(plain(text), "Which editor do I use", "{text:?}");
        }
    }

    #[test]
    fn quotes_around_a_word_with_an_apostrophe_are_left_out() {
        for text in ["where is \"Xenia's\" mother", "where is `Xenia's` mother"] {
            assert_eq!(plain(text), "where is Xenia's mother", "{text:?}");
        }
        assert_eq!(plain("'我喜欢什么茶'"), "我喜欢什么茶");
        assert_eq!(plain("\"我喜欢什么茶\""), "\"我喜欢什么茶\"");
    }

    #[test]
    fn what_says_something_stays() {
        for text in [
            "please",
            "-docker pytest",
            "pytest -docker",
            "\"uv sync\" OR \"pytest\" -docker",
            "\"salted water\" \"tomatoes\"",
            "\"two cats\"",
            "C++ and C#",
            ".env files",
            "我喜欢什么茶",
            "tell me",
            "what did the doctor tell me",
            "dime novels",
            "(a) or (b)",
            "**/*.rs",
            "",
        ] {
            assert_eq!(plain(text), text, "{text:?}");
        }
        for nothing in ["?", "...", "- ", "--", " ", "!!!", "。\t"] {
            assert_eq!(plain(nothing), "", "{nothing:?}");
        }
        assert_eq!(plain(&"a".repeat(9_000)).len(), MAX_CHARS);
    }

    proptest::proptest! {
        #[test]
        fn a_plain_question_stays(text in "[ -?a-e\"'“”•\n]{0,30}") {
            let once = plain(&text);
            proptest::prop_assert_eq!(plain(&once), once);
        }
    }
}
