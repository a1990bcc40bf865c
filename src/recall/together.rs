//! Finds the texts that write an unknown word of a question as several, one after another: 12500 as
//! "12,500", oncall as "on call", `parseManifestV2` as `parse_manifest_v2`.
//!
//! Invariant: pure; the parts must be adjacent in a text, so that what can be cut by chance finds
//! nothing.

use super::{
    corpus::Posting,
    languages,
    postings::Postings,
    tokens::{self, Stems},
    wordpiece,
};
use std::{cmp::Reverse, collections::BTreeSet, rc::Rc};

/// The function words that people write together with another word as well as apart from it.
pub(super) const ATTACHED: [&str; 8] = ["co", "e", "in", "off", "on", "out", "re", "up"];

/// A shorter word is hardly two, and a longer one is a key.
const LENGTHS: std::ops::RangeInclusive<usize> = 4..=40;
/// A number of fewer digits has no separator, and one of more is no quantity.
const DIGITS: std::ops::RangeInclusive<usize> = 4..=12;
/// How many ways to cut a word are tried: texts are read for each.
const CUTS: usize = 8;
/// How many texts are read for one of them.
const MAX: usize = 400;

/// The parts of a word with blanks between, and the texts that have them one after another.
pub(super) fn find(word: &str, postings: &Postings<'_>) -> Option<(String, Rc<[Posting]>)> {
    let ways = if is_number(word) { vec![groups(word)] } else { cuts(word, postings) };
    ways.into_iter().take(CUTS).find_map(|parts| {
        let found = adjacent(&parts, postings);
        (!found.is_empty()).then(|| (parts.join(" "), found.into()))
    })
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The groups of three digits of a number, from the right; none if it is too short or too long.
fn groups(number: &str) -> Vec<&str> {
    if !DIGITS.contains(&number.len()) {
        return Vec::new();
    }
    let first = number.len() % 3;
    let (first, rest) = number.split_at(if first == 0 { 3 } else { first });
    let rest = (0..rest.len() / 3).map(|at| &rest[3 * at..3 * at + 3]);
    [first].into_iter().chain(rest).collect()
}

/// The ways to cut a word into two or three known parts, at least one of them with a meaning; into
/// two first. A word of the vocabulary is only cut from an attached function word.
fn cuts<'a>(word: &'a str, postings: &Postings<'_>) -> Vec<Vec<&'a str>> {
    if !LENGTHS.contains(&word.chars().count()) || word.contains(tokens::is_cjk) {
        return Vec::new();
    }
    let is_plain = wordpiece::is_word(word);
    let is_part = |part: &&str| is_attached(part) || has_meaning(part, postings);
    let (mut two, mut three) = (Vec::new(), Vec::new());
    for (first, rest) in halves(word) {
        let may_be_two = !is_plain || is_attached(first) || is_attached(rest);
        if !may_be_two || !is_part(&first) {
            continue;
        }
        if is_part(&rest) {
            two.push(vec![first, rest]);
        }
        if !is_plain {
            let further = halves(rest).filter(|(second, last)| is_part(second) && is_part(last));
            three.extend(further.map(|(second, last)| vec![first, second, last]));
        }
    }
    two.append(&mut three);
    two.retain(|parts| !parts.iter().all(|part| is_attached(part)));
    two
}

/// Each way to cut a word in two, but for the digits of a number.
fn halves(word: &str) -> impl Iterator<Item = (&str, &str)> {
    let cuts = word.char_indices().skip(1).map(move |(at, _)| word.split_at(at));
    cuts.filter(|(left, right)| {
        let is_in_number = left.ends_with(|end: char| end.is_ascii_digit())
            && right.starts_with(|start: char| start.is_ascii_digit());
        !is_in_number
    })
}

fn is_attached(part: &str) -> bool {
    ATTACHED.contains(&part)
}

/// Whether a part is a number or a word that some text has, and no function word.
fn has_meaning(part: &str, postings: &Postings<'_>) -> bool {
    (is_number(part) || part.chars().nth(1).is_some())
        && !languages::is_function_word(part)
        && postings.corpus.frequency(part).is_some()
}

/// The texts with these words one after another, or each in a tag, in ascending order.
fn adjacent(parts: &[&str], postings: &Postings<'_>) -> Vec<Posting> {
    let stems = Stems::default();
    let wanted: Vec<String> = parts.iter().map(|part| stems.stem(part)).collect();
    let lists: Vec<Rc<[Posting]>> = wanted.iter().map(|stem| postings.with_stem(stem)).collect();
    let sets = lists.iter().map(|list| list.iter().map(|one| one.at).collect::<BTreeSet<u32>>());
    let both = sets.reduce(|all, more| &all & &more).unwrap_or_default();
    let mut having: Vec<u32> = both.into_iter().collect();
    let documents = postings.corpus.documents();
    having.sort_by_key(|at| Reverse(documents[*at as usize].created));
    having.truncate(MAX);
    having.sort_unstable();
    let is_tag = |list: &Rc<[Posting]>, at: u32| {
        let place = list.binary_search_by_key(&at, |posting| posting.at);
        place.is_ok_and(|place| list[place].in_tags)
    };
    let bodies = postings.corpus.bodies(&having);
    let posting = |(at, body): (u32, String)| {
        let words = stems.of_text(&body);
        let times = words.windows(wanted.len()).filter(|some| *some == wanted.as_slice()).count();
        let in_tags = lists.iter().all(|list| is_tag(list, at));
        (times > 0 || in_tags).then(|| Posting { at, frequency: times.max(1) as u32, in_tags })
    };
    having.into_iter().zip(bodies).filter_map(posting).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::{Candidate, Collection};

    fn found(word: &str, bodies: &[&str]) -> Vec<u32> {
        let candidate =
            |body: &&str| Candidate { body: (*body).to_owned(), ..Candidate::default() };
        let all = Collection::new(&bodies.iter().map(candidate).collect::<Vec<_>>());
        let found = find(word, &Postings::new(&all));
        found.map_or(Vec::new(), |(_, found)| found.iter().map(|one| one.at).collect())
    }

    #[test]
    fn a_number_is_found_in_its_groups() {
        let bodies = [
            "Our budget is 12,500 EUR",
            "Rent is 1.450 a month",
            "It has 12 500 seats",
            "Paid 12'500 francs",
            "Has 500 books and 12 chairs",
            "Inhabitants: 1,234,567",
        ];
        assert_eq!(found("12500", &bodies), [0, 2, 3]);
        assert_eq!(found("1450", &bodies), [1]);
        assert_eq!(found("1234567", &bodies), [5]);
        for missing in ["12501", "500", "50012", "450", "1234567890123"] {
            assert!(found(missing, &bodies).is_empty(), "{missing}");
        }
    }

    #[test]
    fn a_word_is_found_in_its_parts() {
        let bodies = [
            "The function parse_manifest_v2 is the hot path",
            "def retry(fn, base_delay_ms=200)",
            "My laptop is an X1 Carbon",
            "Always run `uv sync` before pytest",
            "Tomás is on call in week 48",
            "Our stand-up is at nine",
            "Send an e-mail first",
            "Flight TP 764 to Oslo",
            "Call the plumber on Monday",
            "Drives a Volvo XC 40",
        ];
        for (word, at) in [
            ("parsemanifestv2", 0),
            ("basedelayms", 1),
            ("x1carbon", 2),
            ("uvsync", 3),
            ("oncall", 4),
            ("standup", 5),
            ("email", 6),
            ("tp764", 7),
            ("xc40", 9),
        ] {
            assert_eq!(found(word, &bodies), [at], "{word}");
        }
        for missing in ["callon", "upon", "pathdef", "tp7640", "isat"] {
            assert!(found(missing, &bodies).is_empty(), "{missing}");
        }
    }
}
