//! Corrects the spelling of query words, including joined and split words.
//!
//! Invariant: pure; never changes a word that the collection has, nor the digits of a number.

use super::{
    corpus::{Corpus, Words},
    languages,
    postings::Postings,
    query::Query,
    together::ATTACHED,
    tokens, wordpiece,
};
use std::collections::BTreeSet;

/// The weight of a corrected word, relative to one that matches.
pub const REPAIRED: f64 = 0.8;
/// The weight of longer words that start with the last query word.
pub const BEGINS: f64 = 0.5;

/// From so many letters on, a word may be misspelt.
const MISSPELT: usize = 4;
/// From so many, it may be two words without a blank.
const TWO_WORDS: usize = 6;
/// From so many, two of its letters may be wrong.
const LONG: usize = 8;
/// A longer one is no word, and is not looked for in another spelling.
const LONGEST: usize = 40;

/// The replacements for a word whose stem is unknown.
pub fn unknown(word: &str, corpus: &dyn Corpus) -> Vec<String> {
    let letters = word.chars().count();
    if letters < MISSPELT || is_spelt_right(word) {
        return Vec::new();
    }
    let near = alike(word, corpus);
    if let Some(known) = misspelt(word, 1, &near) {
        return vec![known];
    }
    if letters >= TWO_WORDS
        && let Some(two) = split(word, corpus)
    {
        return two.map(str::to_owned).to_vec();
    }
    let far = if letters >= LONG { misspelt(word, 2, &near) } else { None };
    far.into_iter().collect()
}

/// The known word that a word with one wrong letter was meant to be; with another digit, a word is
/// another one.
pub(super) fn slip(word: &str, corpus: &dyn Corpus) -> Option<String> {
    let has_digit = word.contains(char::is_numeric);
    if has_digit || word.chars().count() < MISSPELT || is_spelt_right(word) {
        return None;
    }
    misspelt(word, 1, &alike(word, corpus))
}

/// A word of the language is spelt correctly and merely does not occur; so is a number.
fn is_spelt_right(word: &str) -> bool {
    word.chars().all(char::is_numeric) || wordpiece::is_word(word)
}

/// The known words that an unknown one is in another spelling, with ss for ß or ß for ss, each with
/// its weight. With ss, it may also end a longer one.
pub(super) fn respelt(word: &str, postings: &Postings<'_>) -> Vec<(String, f64)> {
    if word.len() > LONGEST {
        return Vec::new();
    }
    let with_ss = word.replace('ß', "ss");
    if with_ss != word {
        if !postings.is_unknown(&with_ss) {
            return vec![(with_ss, 1.0)];
        }
        let longer = postings.corpus.containing(&with_ss);
        let ending = longer.all().filter(|known| known.text.ends_with(&with_ss));
        return ending.map(|known| (known.text.to_owned(), REPAIRED)).collect();
    }
    let one = |(at, _): (usize, &str)| format!("{}ß{}", &word[..at], &word[at + 2..]);
    let all = word.matches("ss").nth(1).map(|_| word.replace("ss", "ß"));
    let known = word.match_indices("ss").map(one).chain(all);
    known.filter(|known| !postings.is_unknown(known)).map(|known| (known, 1.0)).collect()
}

/// Adjacent words of a question that the collection writes as one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Joined {
    pub(super) word: String,
    /// As they were asked, without function words.
    pub(super) parts: Vec<String>,
}

/// Two or three adjacent words, and all groups of a number, that the collection writes as one.
pub(super) fn joined(query: &Query, postings: &Postings<'_>) -> Vec<Joined> {
    let few = (2..=3).flat_map(|length| query.words.windows(length));
    // What is longer than 12,500,000 in groups is no word.
    let numbers = query.words.windows(4).filter(|groups| are_groups(groups));
    let whole =
        few.chain(numbers).map(|parts| Joined { word: parts.concat(), parts: parts.into() });
    let with_function_word = attached(&query.text, postings).into_iter();
    let is_known = |joined: &Joined| postings.corpus.frequency(&joined.word).is_some();
    whole.chain(with_function_word).filter(is_known).collect()
}

/// Whether these are a number with separators: three digits in all groups but the first.
fn are_groups(groups: &[String]) -> bool {
    let is_number = |group: &String| group.bytes().all(|byte| byte.is_ascii_digit());
    groups.iter().all(is_number) && groups.iter().skip(1).all(|group| group.len() == 3)
}

/// Each word of a text with the function word beside it: with one after a hyphen, as in `stand-up`,
/// or, if no text has the word, with one that is often attached. Names must not become words: of
/// "to Ken", nobody means a token.
fn attached(text: &str, postings: &Postings<'_>) -> Vec<Joined> {
    let mut words: Vec<(String, bool)> = Vec::new();
    for run in text.split_whitespace() {
        let is_hyphenated = run.contains(['-', '\u{2010}', '\u{2011}']);
        let of_run = tokens::words(run).into_iter().enumerate();
        words.extend(of_run.map(|(at, word)| (word, is_hyphenated && at > 0)));
    }
    let mut seen = BTreeSet::new();
    let joined = words.windows(2).filter_map(|pair| {
        let [(left, _), (right, is_after_hyphen)] = pair else { return None };
        let say_little = [left, right].map(|word| languages::is_function_word(word));
        let (function_word, part) = match say_little {
            [true, false] => (left, right),
            [false, true] => (right, left),
            _ => return None,
        };
        let is_usual = || ATTACHED.contains(&function_word.as_str()) && postings.is_unknown(part);
        let word = format!("{left}{right}");
        let may_be_one = *is_after_hyphen || is_usual();
        let is_new = may_be_one && !languages::is_function_word(&word) && seen.insert(word.clone());
        is_new.then(|| Joined { word, parts: vec![part.clone()] })
    });
    joined.collect()
}

/// Two known words of at least three letters, not both of them function words; of several splits,
/// the one whose rarer word is the most frequent.
fn split<'a>(word: &'a str, corpus: &dyn Corpus) -> Option<[&'a str; 2]> {
    let cuts = word.char_indices().map(|(at, _)| at).skip(3);
    let halves = cuts.map(|at| word.split_at(at)).filter(|(left, right)| {
        let say_little = || languages::is_function_word(left) && languages::is_function_word(right);
        right.chars().count() >= 3 && !say_little()
    });
    let known = halves.filter_map(|(left, right)| {
        let frequency = corpus.frequency(left)?.min(corpus.frequency(right)?);
        Some((frequency, [left, right]))
    });
    known.max_by_key(|(frequency, _)| *frequency).map(|(_, two)| two)
}

/// The known words with the same first letter.
fn alike(word: &str, corpus: &dyn Corpus) -> Words {
    let first: String = word.chars().take(1).collect();
    corpus.beginning_with(&first)
}

/// The most frequent of these words that is so many edits away (Damerau and Levenshtein).
fn misspelt(word: &str, most: usize, words: &Words) -> Option<String> {
    let letters = word.chars().count();
    let near = words.all().filter(|known| {
        known.text.chars().count().abs_diff(letters) <= most
            && strsim::damerau_levenshtein(known.text, word) <= most
    });
    // Of two equally frequent words, the first alphabetically.
    let best = near.max_by_key(|known| (known.frequency, std::cmp::Reverse(known.text)));
    best.map(|known| known.text.to_owned())
}
