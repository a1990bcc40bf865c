//! Two short texts that say different things of one subject: another value ("The rent is 900
//! euros"), the other order ("tabs over spaces"), or the opposite ("likes coriander").
//!
//! Invariant: pure and symmetric; a guess, which a person or an agent decides on. Of what may have
//! several values (languages, friends, likes, what happened) nothing is guessed. Only texts that
//! share a beginning, their ends or all words are compared, so that the work stays linear.

mod claim;

use crate::identity::Memory;
use crate::recall::tokens::StemCache;
use claim::{Claim, ClaimWord, NOT, is_article};
use std::collections::{BTreeSet, HashMap};

/// The maximum of differing words in either text.
const DIFFERENT: usize = 4;
/// The minimum of words in common.
const COMMON: usize = 2;
/// A larger group of texts that start alike is a list, not a set of contradictions.
const CROWD: usize = 30;

/// Between two things they say which is which.
const DIRECTED: &[&str] = &[
    "over", "than", "to", "befor", "after", "abov", "below", "under", "from", "into", NOT, "statt",
    "über", "vor", "nach", "als", "que", "sobr", "avant",
];
/// What follows them is the value of what comes before.
const IS: &[&str] = &["is", "are", "ist", "sind", "es", "est"];
const CALLED: &[&str] = &["call", "name", "cost", "heißt", "kostet"];
const PLACES: &[&str] = &["in", "at", "to", "by", "with", "on", "from", "until", "after", "befor"];
/// What one does in one place or with one thing, and the words between both.
const ONE_PLACE: &[(&str, &[&str])] = &[
    ("live", &["in"]),
    ("work", &["at"]),
    ("report", &["to"]),
    ("deploy", &["to", "with"]),
    ("host", &["in", "at", "on", "by"]),
    ("store", &["in", "at", "on"]),
    ("keep", &["in", "at", "on"]),
    ("park", &["in", "at", "on"]),
    ("indent", &["with", "by"]),
    ("format", &["with"]),
    ("bank", &["with", "at"]),
    ("marri", &["to"]),
    ("engag", &["to"]),
    ("born", &["in", "on"]),
    ("commut", &["by"]),
    ("start", &["at", "on"]),
    ("begin", &["at", "on"]),
    ("end", &["at", "on"]),
];
/// Whose it is: there is one of it.
const WHOSE: &[&str] = &[
    "my", "our", "his", "her", "their", "your", "its", "mein", "meine", "unser", "unsere", "mon",
    "ma", "notre", "mi", "nuestro", "favourit", "favorit", "default", "main", "primari", "usual",
];
/// Of them, people have several.
const SEVERAL: &[&str] = &[
    "friend",
    "colleagu",
    "hobbi",
    "brother",
    "sister",
    "sibl",
    "child",
    "children",
    "kid",
    "son",
    "daughter",
    "cousin",
    "cat",
    "dog",
    "pet",
    "languag",
    "skill",
    "interest",
    "goal",
    "client",
    "custom",
    "teammat",
    "neighbour",
    "neighbor",
    "uncl",
    "aunt",
    "one",
    "freund",
    "hobbys",
];
/// A number after them names one of many.
const NUMBERED: &[&str] =
    &["ticket", "issu", "bug", "pr", "task", "chapter", "page", "step", "item", "case"];
/// Numbers and months.
const NUMBERS: &[&str] = &[
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelv", "januari", "februari", "march", "april", "may", "june", "juli", "august", "septemb",
    "octob", "novemb", "decemb",
];
/// Of what a number after them says, there is one.
const COUNTED: &[&str] = &[
    "is", "are", "am", "have", "has", "use", "take", "cost", "weigh", "drink", "pay", "get",
    "wake", "sleep", "need", "want", "plan", "earn", "own", "start", "begin", "end", "close",
    "open", "listen", "run", "read", "eat", "smoke", "work", "train", "limit", "max", "born",
    "wieg", "koste", "ist", "bin",
];

/// Pairs of texts by their index in the list, the older first.
pub fn pairs(by_age: &[&Memory]) -> Vec<(usize, usize)> {
    let stems = StemCache::default();
    let claims: Vec<Option<Claim>> =
        by_age.iter().map(|memory| Claim::read(memory.text(), &stems)).collect();
    let mut groups: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, claim) in claims.iter().enumerate() {
        for key in claim.iter().flat_map(keys).collect::<BTreeSet<String>>() {
            groups.entry(key).or_default().push(at);
        }
    }
    let mut found = BTreeSet::new();
    for group in groups.into_values().filter(|group| group.len() <= CROWD) {
        for (nth, older) in group.iter().enumerate() {
            let is_opposed = |newer: &&usize| match (&claims[*older], &claims[**newer]) {
                (Some(a), Some(b)) => differ(a, b),
                _ => false,
            };
            let opposed = group[nth + 1..].iter().filter(is_opposed);
            found.extend(opposed.map(|newer| (*older, *newer)));
        }
    }
    found.into_iter().collect()
}

/// Whether there can be a text that says something else of the same subject.
pub fn can_be_opposed(text: &str) -> bool {
    Claim::read(text, &StemCache::default()).is_some()
}

/// Tells of another text whether it says something else of the subject of this one, so that the
/// newer may replace the older.
pub fn opposed_to(text: &str) -> impl Fn(&str) -> bool {
    let stems = StemCache::default();
    let claim = Claim::read(text, &stems);
    move |other| {
        let differs = |claim| Claim::read(other, &stems).is_some_and(|other| differ(&other, claim));
        claim.as_ref().is_some_and(differs)
    }
}

/// Whether one of two texts, which may be alike in meaning, is about another value, order or the
/// opposite.
pub fn says_otherwise(a: &str, b: &str) -> bool {
    let stems = StemCache::default();
    let both = Claim::read(a, &stems).zip(Claim::read(b, &stems));
    both.is_some_and(|(a, b)| a.is_negated != b.is_negated || differ(&a, &b))
}

/// The words of a text, in lower case, without surrounding punctuation.
pub fn words(text: &str) -> Vec<String> {
    let trim =
        |word: &str| word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    text.split_whitespace().map(trim).filter(|word| !word.is_empty()).collect()
}

/// Texts that differ have one of them in common.
fn keys(claim: &Claim) -> Vec<String> {
    let plain = claim.plain();
    let mut sorted = plain.clone();
    sorted.sort_unstable();
    let mut keys = vec![format!("all {}", sorted.join(" "))];
    if let [first, .., last] = plain.as_slice() {
        keys.push(format!("ends {first} {last}"));
        keys.push(format!("begins {first} {}", plain[1]));
    }
    keys
}

fn differ(a: &Claim, b: &Claim) -> bool {
    if a.is_negated != b.is_negated {
        return a.plain() == b.plain();
    }
    is_swapped(&a.bare(), &b.bare()) || has_another_value(a, b)
}

/// How many items two lists share at their beginnings, and how many at the ends of the rest.
fn shared<T: PartialEq>(a: &[T], b: &[T]) -> (usize, usize) {
    let before = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (rest_a, rest_b) = (&a[before..], &b[before..]);
    let after = rest_a.iter().rev().zip(rest_b.iter().rev()).take_while(|(a, b)| a == b).count();
    (before, after)
}

fn sorted<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let mut words = words.to_vec();
    words.sort_unstable();
    words
}

/// `tabs over spaces` and `spaces over tabs`: the same words, with two parts exchanged around one
/// that says which is which.
fn is_swapped(a: &[&str], b: &[&str]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let (before, after) = shared(a, b);
    let (a, b) = (&a[before..a.len() - after], &b[before..b.len() - after]);
    if !a.iter().any(|word| DIRECTED.contains(word)) || sorted(a) != sorted(b) {
        return false;
    }
    let is_split = |first: usize, last: usize| {
        let (left, between, right) = (&a[..first], &a[first..last], &a[last..]);
        between.iter().any(|word| DIRECTED.contains(word)) && [right, between, left].concat() == b
    };
    (1..a.len()).any(|first| (first + 1..a.len()).any(|last| is_split(first, last)))
}

fn has_another_value(a: &Claim, b: &Claim) -> bool {
    let (before, after) = shared(&a.stems(), &b.stems());
    if before == 0 || before + after < COMMON || a.is_past || b.is_past {
        return false;
    }
    let value =
        |claim: &Claim| -> Vec<ClaimWord> { claim.said[before..claim.said.len() - after].to_vec() };
    let (mine, theirs) = (value(a), value(b));
    let fits = |value: &[ClaimWord]| {
        (1..=DIFFERENT).contains(&value.len()) && !value.iter().any(|word| &*word.stem == "and")
    };
    if !fits(&mine) || !fits(&theirs) || is_article(&mine[0].stem) != is_article(&theirs[0].stem) {
        return false;
    }
    let known: Vec<&str> = a.said[..before].iter().map(|word| &*word.stem).collect();
    let next = a.said.get(a.said.len() - after).map(|word| &*word.stem);
    has_one_value(&known, (mine.as_slice(), theirs.as_slice()), next)
}

/// Whether what is said before a value, and after it, lets it have only one.
fn has_one_value(
    known: &[&str],
    (mine, theirs): (&[ClaimWord], &[ClaimWord]),
    next: Option<&str>,
) -> bool {
    let end = known.iter().rposition(|word| !is_article(word) && !["my", "our"].contains(word));
    let Some(end) = end else { return false };
    let (subject, last) = (&known[..end], known[end]);
    if subject.iter().any(|word| SEVERAL.contains(word)) {
        return false;
    }
    let are_names = mine[0].is_name && theirs[0].is_name;
    let is_of_one = subject.iter().any(|word| WHOSE.contains(word) || word.ends_with("'s"));
    let is_named = subject.len() > 1 && are_names;
    if IS.contains(&last) && (is_of_one || is_named) {
        return true;
    }
    if CALLED.contains(&last)
        && !subject.is_empty()
        && !["have", "has"].iter().any(|word| subject.contains(word))
    {
        return true;
    }
    if PLACES.contains(&last) {
        let is_one_place =
            |(verb, places): &(&str, &[&str])| subject.contains(verb) && places.contains(&last);
        let stands = subject.len() > 2 && subject.iter().any(|word| IS.contains(word));
        if ONE_PLACE.iter().any(is_one_place) || (stands && (is_of_one || subject[0] == "the")) {
            return true;
        }
    }
    let is_counted = known.iter().any(|word| COUNTED.contains(word)) && !NUMBERED.contains(&last);
    next == Some("as") || (is_counted && are_numbers(mine, theirs))
}

/// Whether two values differ in numbers alone.
fn are_numbers(mine: &[ClaimWord], theirs: &[ClaimWord]) -> bool {
    let is_number = |word: &ClaimWord| {
        let digits = word.stem.strip_prefix('v').unwrap_or(&word.stem);
        digits.starts_with(char::is_numeric) || NUMBERS.contains(&&*word.stem)
    };
    let are_both =
        |(a, b): (&ClaimWord, &ClaimWord)| a.stem == b.stem || (is_number(a) && is_number(b));
    mine.len() == theirs.len() && mine.iter().zip(theirs).all(are_both)
}

#[cfg(test)]
mod tests;
