//! What a short text claims, in a form in which two can be compared: word stems, without who says
//! it, with one word for what is said in several ("moved to" is "live in").
//!
//! Invariant: pure; the tables are those of short facts about a person, and a word that is in none
//! is kept as it is. Must not know: other texts.

use crate::recall::tokens::StemCache;
use std::{rc::Rc, sync::LazyLock};

/// The longest text that is compared, in words.
const MAX_LEN: usize = 25;
/// Who the facts are about.
const PERSON: &[&str] = &["i", "we", "user", "ich", "wir", "je", "yo"];
/// Words that change nothing about a claim.
const FILLERS: &[&str] = &[
    "do",
    "does",
    "did",
    "always",
    "please",
    "really",
    "very",
    "just",
    "now",
    "currently",
    "nowadays",
    "still",
    "anymore",
    "immer",
    "jetzt",
    "ne",
];
const ARTICLES: &[&str] = &["a", "an", "the", "any", "some", "der", "die", "das", "ein", "eine"];
/// A text with one of them says that there is more.
const BESIDE: &[&str] = &[
    "also",
    "too",
    "another",
    "additionally",
    "sometimes",
    "besides",
    "both",
    "auch",
    "noch",
    "aussi",
    "también",
];
const NEGATIONS: &[&str] = &[
    "not", "never", "no", "cannot", "stop", "stops", "stopped", "quit", "nicht", "nie", "niemals",
    "kein", "keine", "keinen", "pas", "jamais", "nunca",
];
/// The one word that stands for each of them.
pub(super) const NOT: &str = "not";
/// Words that say the opposite of another, or the same.
const SAME: &[(&str, &str, Sense)] = &[
    ("dislike", "like", Sense::Opposite),
    ("dislikes", "like", Sense::Opposite),
    ("hate", "like", Sense::Opposite),
    ("hates", "like", Sense::Opposite),
    ("love", "like", Sense::Same),
    ("loves", "like", Sense::Same),
    ("enjoy", "like", Sense::Same),
    ("enjoys", "like", Sense::Same),
    ("avoid", "use", Sense::Opposite),
    ("avoids", "use", Sense::Opposite),
    ("disable", "enable", Sense::Opposite),
    ("disabled", "enabled", Sense::Opposite),
    ("without", "with", Sense::Opposite),
    ("i'm", "am", Sense::Same),
    ("we're", "are", Sense::Same),
    ("manager", "boss", Sense::Same),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sense {
    Same,
    Opposite,
}

/// Two words that stand for others.
const PHRASES: &[(&[&str], &[&str], &[&str])] = &[
    (&["live", "lives", "living"], &["in", "at"], &["live", "in"]),
    (&["move", "moved", "moving", "relocated", "relocating"], &["to"], &["live", "in"]),
    (&["based", "reside", "resides", "residing"], &["in"], &["live", "in"]),
    (&["work", "works", "working"], &["at", "for"], &["work", "at"]),
    (&["employed"], &["at", "by"], &["work", "at"]),
    (&["rather"], &["than"], &["over"]),
    (&["instead"], &["of"], &["over"]),
    (&["no"], &["longer"], &["not"]),
    (&["wohne", "wohnt"], &["in"], &["live", "in"]),
];
/// Before one of those phrases they only help.
const HELPERS: &[&str] = &["am", "is", "are", "have", "has", "i'm", "we're", "i've", "we've"];
/// What happened once may have happened several times.
const PAST: &[&str] =
    &["was", "were", "went", "met", "ran", "saw", "had", "took", "wrote", "bought", "war", "waren"];
/// Every word that is read in a way of its own, sorted. Most words are none of them.
static SPECIAL: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let starts = PHRASES.iter().flat_map(|(words, ..)| *words);
    let same = SAME.iter().map(|(word, ..)| word);
    let lists = [PERSON, HELPERS, NEGATIONS, &["the", "to"]];
    let mut all: Vec<&str> =
        lists.into_iter().flatten().chain(starts).chain(same).copied().collect();
    all.sort_unstable();
    all
});
/// Words that end like a past form.
const NO_PAST: &[&str] = &[
    "based",
    "called",
    "named",
    "employed",
    "moved",
    "relocated",
    "stopped",
    "need",
    "speed",
    "feed",
    "indeed",
    "married",
    "engaged",
    "born",
];

/// A word of a claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ClaimWord {
    pub(super) stem: Rc<str>,
    /// Written with a capital, as names are.
    pub(super) is_name: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Claim {
    /// With a word for each negation.
    pub(super) said: Vec<ClaimWord>,
    /// Says the opposite of what it says without its negations.
    pub(super) is_negated: bool,
    /// Tells what happened.
    pub(super) is_past: bool,
}

impl Claim {
    /// `None` of what is too long to compare, and of what says that there is more.
    pub(super) fn read(text: &str, stems: &StemCache) -> Option<Claim> {
        let mut raw = raw_words(text);
        let is_long = raw.len() > MAX_LEN;
        raw.retain(|word| !FILLERS.contains(&word.text.as_str()));
        let lower: Vec<&str> = raw.iter().map(|word| word.text.as_str()).collect();
        let says_more = lower.iter().any(|word| BESIDE.contains(word))
            || lower.windows(2).any(|two| two == ["as", "well"]);
        if is_long || says_more {
            return None;
        }
        let mut claim = Claim { said: Vec::new(), is_negated: false, is_past: is_past(&lower) };
        let mut at = 0;
        while at < raw.len() {
            at += claim.take(&raw, at, stems);
        }
        (!claim.said.is_empty()).then_some(claim)
    }

    /// Reads what begins there; how many words that were.
    fn take(&mut self, raw: &[RawWord], at: usize, stems: &StemCache) -> usize {
        let text = |at: usize| raw.get(at).map(|word| word.text.as_str());
        let (word, next) = (raw[at].text.as_str(), text(at + 1));
        if SPECIAL.binary_search(&word).is_err() && !word.ends_with("n't") {
            self.push_as_written(&raw[at], stems);
            return 1;
        }
        if let Some(phrase) = phrase(word, next) {
            for word in phrase {
                self.push(word, stems);
            }
            return 2;
        }
        let begins_phrase = |next: &str| next != "no" && phrase(next, text(at + 2)).is_some();
        let helps = HELPERS.contains(&word) && next.is_some_and(begins_phrase);
        let is_person = PERSON.contains(&word) || (word == "the" && next == Some("user"));
        if helps || (at == 0 && is_person) || word == "user" {
            return 1;
        }
        // `don't`, `isn't`, `can't`
        if let Some(verb) = word.strip_suffix("n't") {
            self.negate();
            match verb {
                "do" | "does" | "did" => {}
                "ca" => self.push("can", stems),
                "wo" => self.push("will", stems),
                verb => self.push(verb, stems),
            }
            return 1;
        }
        let prefers = || self.said.iter().any(|known| &*known.stem == "prefer");
        match SAME.iter().find(|(known, ..)| *known == word) {
            _ if word == "to" && prefers() => self.push("over", stems),
            _ if NEGATIONS.contains(&word) => self.negate(),
            Some((_, same, sense)) => {
                if *sense == Sense::Opposite {
                    self.negate();
                }
                self.push(same, stems);
            }
            None => self.push_as_written(&raw[at], stems),
        }
        1
    }

    fn push_as_written(&mut self, word: &RawWord, stems: &StemCache) {
        self.push(&word.text, stems);
        if let Some(last) = self.said.last_mut() {
            last.is_name = word.is_name;
        }
    }

    fn negate(&mut self) {
        self.is_negated = !self.is_negated;
        self.said.push(ClaimWord { stem: NOT.into(), is_name: false });
    }

    fn push(&mut self, word: &str, stems: &StemCache) {
        if word == NOT {
            self.negate();
            return;
        }
        // What belongs to somebody is told from the one who has it.
        let stem = if word.ends_with("'s") { word.into() } else { stems.stem(word) };
        self.said.push(ClaimWord { stem, is_name: false });
    }

    pub(super) fn stems(&self) -> Vec<&str> {
        self.said.iter().map(|word| &*word.stem).collect()
    }

    /// Its stems without articles.
    pub(super) fn bare(&self) -> Vec<&str> {
        self.stems().into_iter().filter(|stem| !is_article(stem)).collect()
    }

    /// Its stems without articles and negations.
    pub(super) fn plain(&self) -> Vec<&str> {
        self.bare().into_iter().filter(|stem| *stem != NOT).collect()
    }
}

pub(super) fn is_article(stem: &str) -> bool {
    ARTICLES.contains(&stem)
}

/// A word of a text.
struct RawWord {
    /// In lower case, without surrounding punctuation.
    text: String,
    is_name: bool,
}

fn raw_words(text: &str) -> Vec<RawWord> {
    let word = |piece: &str| {
        let word = piece.trim_matches(|letter: char| !letter.is_alphanumeric());
        let is_name = word.starts_with(char::is_uppercase);
        let text = word.to_lowercase().replace('’', "'");
        (!word.is_empty()).then_some(RawWord { text, is_name })
    };
    text.split_whitespace().filter_map(word).collect()
}

fn phrase(word: &str, next: Option<&str>) -> Option<&'static [&'static str]> {
    let is_it = |(words, nexts, _): &&(&[&str], &[&str], &[&str])| {
        words.contains(&word) && next.is_some_and(|next| nexts.contains(&next))
    };
    PHRASES.iter().find(is_it).map(|(_, _, phrase)| *phrase)
}

fn is_past(words: &[&str]) -> bool {
    let is_past = |at: usize| {
        let word = words[at];
        let has_helper = at > 0 && (HELPERS.contains(&words[at - 1]) || words[at - 1] == "been");
        let ends = word.len() > 4 && word.ends_with("ed") && !NO_PAST.contains(&word);
        PAST.contains(&word) || (ends && !has_helper)
    };
    !words.contains(&"born") && (0..words.len()).any(is_past)
}
