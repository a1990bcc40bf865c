//! Which documents contain a phrase verbatim, and which what a query excludes.
//!
//! Invariant: the words of a phrase find candidates, their texts decide; if there are very many,
//! only the best are read (see [`MAX`]).

use super::{
    corpus::{Ends, Posting, Word},
    query::{Exclusion, Query},
    score::{PHRASE, QUOTE},
    terms::Postings,
    tokens::{self, Stems},
};
use std::collections::{BTreeMap, BTreeSet};

/// How many texts are read for one phrase.
const MAX: usize = 400;
/// So few texts are read sooner than another word is looked up.
const FEW: usize = 8;
/// So many letters can be meant as any part of a longer word, fewer as its beginning.
const PART: usize = 4;

/// The phrases of a query, with the documents that contain them.
pub struct Phrases {
    whole: Vec<u32>,
    quotes: BTreeMap<String, Vec<u32>>,
}

impl Phrases {
    /// `scores` are the documents' scores for the words of the query.
    pub fn find(query: &Query, postings: &Postings<'_>, scores: &[f64]) -> Phrases {
        let of = |phrase: &str| holding(phrase, postings, scores);
        // A pasted text may have the same one many times.
        let quotes: BTreeSet<&String> = query.quotes.iter().collect();
        let quotes = quotes.into_iter().map(|quote| (quote.clone(), of(quote))).collect();
        Phrases { whole: of(&query.phrase), quotes }
    }

    pub fn documents(&self) -> impl Iterator<Item = usize> {
        self.quotes.values().chain([&self.whole]).flatten().map(|at| *at as usize)
    }

    /// Whether a document has at least one phrase of every required group.
    pub fn allow(&self, query: &Query, at: usize) -> bool {
        let has = |phrase: &String| self.quotes.get(phrase).is_some_and(|found| is_in(found, at));
        query.required.iter().all(|group| group.iter().any(has))
    }

    /// Whether these documents together have at least one phrase of every required group.
    pub fn allow_any(&self, query: &Query, documents: std::ops::Range<u32>) -> bool {
        let has = |phrase: &String| {
            let found = self.quotes.get(phrase);
            found.is_some_and(|found| documents.clone().any(|at| is_in(found, at as usize)))
        };
        query.required.iter().all(|group| group.iter().any(has))
    }

    pub fn score(&self, at: usize) -> f64 {
        if self.whole.is_empty() && self.quotes.is_empty() {
            return 0.0;
        }
        let quotes = self.quotes.values().filter(|found| is_in(found, at)).count();
        QUOTE * quotes as f64 + if is_in(&self.whole, at) { PHRASE } else { 0.0 }
    }
}

fn is_in(found: &[u32], at: usize) -> bool {
    found.binary_search(&(at as u32)).is_ok()
}

/// The documents that contain what a query excludes, in ascending order.
pub(super) fn excluded(query: &Query, postings: &Postings<'_>) -> Vec<usize> {
    let all = query.excluded.iter().flat_map(|one| having_all(one, postings));
    let mut excluded: Vec<usize> = all.map(|at| at as usize).collect();
    excluded.sort_unstable();
    excluded
}

fn having_all(excluded: &Exclusion, postings: &Postings<'_>) -> Vec<u32> {
    let with = |stem: &String| -> BTreeSet<u32> {
        postings.with_stem(stem).iter().map(|posting| posting.at).collect()
    };
    let found = excluded.stems.iter().map(with).reduce(|found, more| &found & &more);
    let found: Vec<u32> = found.unwrap_or_default().into_iter().collect();
    let Some(phrase) = &excluded.phrase else { return found };
    let holds = postings.corpus.holding(&found, phrase, Ends::Anywhere);
    found.into_iter().zip(holds).filter(|(_, holds)| *holds).map(|(at, _)| at).collect()
}

/// The documents that contain a phrase (in lower case), in ascending order: where it begins and
/// ends with a word, or if it is nowhere so, within longer ones. A word that some text has is not
/// meant as a part of another; a short one may begin it.
fn holding(phrase: &str, postings: &Postings<'_>, scores: &[f64]) -> Vec<u32> {
    let words = tokens::words(phrase);
    if words.iter().any(|word| word.chars().any(tokens::is_cjk)) {
        return holding_at(phrase, postings, scores, Ends::Anywhere);
    }
    let whole = holding_at(phrase, postings, scores, Ends::Words);
    let stems = Stems::default();
    let is_known = |word: &String| !postings.with_stem(&stems.stem(word)).is_empty();
    if !whole.is_empty() || words.iter().all(is_known) {
        return whole;
    }
    let is_long = words.len() > 1 || phrase.chars().count() >= PART;
    let ends = if is_long { Ends::Anywhere } else { Ends::Beginning };
    holding_at(phrase, postings, scores, ends)
}

/// The documents that contain a phrase, in ascending order. If more than [`MAX`] might, those with
/// the highest scores.
fn holding_at(phrase: &str, postings: &Postings<'_>, scores: &[f64], ends: Ends) -> Vec<u32> {
    let corpus = postings.corpus;
    let Some(mut found) = having_the_words(phrase, postings, ends) else { return Vec::new() };
    if found.len() > MAX {
        let newer = |at: u32| std::cmp::Reverse(corpus.documents()[at as usize].created);
        found.sort_by(|a, b| {
            let better = scores[*b as usize].total_cmp(&scores[*a as usize]);
            better.then(newer(*a).cmp(&newer(*b)))
        });
        found.truncate(MAX);
        found.sort_unstable();
    }
    let holds = corpus.holding(&found, phrase, ends);
    found.into_iter().zip(holds).filter(|(_, holds)| *holds).map(|(at, _)| at).collect()
}

/// Whether a text may hold a phrase in lower case, however its words are spaced, told from its
/// bytes alone. If it does hold it, this is true.
pub fn may_hold(text: &[u8], phrase: &str) -> bool {
    // In lower case, these two begin with an ASCII letter as well: the Kelvin sign and İ. The last
    // is an apostrophe.
    const ODD: [&str; 3] = ["\u{212a}", "\u{130}", "’"];
    let has = |letter: &str| memchr::memmem::find(text, letter.as_bytes()).is_some();
    let is_plain = || text.is_ascii() || !ODD.into_iter().any(has);
    let mut words = phrase.split_whitespace().map(str::as_bytes);
    let Some(first) = words.next().filter(|_| phrase.is_ascii() && is_plain()) else {
        return true;
    };
    let rest: Vec<&[u8]> = words.collect();
    let text = text.to_ascii_lowercase();
    let finder = memchr::memmem::Finder::new(first);
    let mut from = 0;
    // One may begin within another: the second "ana" of "banana split".
    while let Some(at) = finder.find(&text[from..]) {
        if goes_on(&text[from + at + first.len()..], &rest) {
            return true;
        }
        from += at + 1;
    }
    false
}

fn goes_on(mut text: &[u8], words: &[&[u8]]) -> bool {
    for word in words {
        let is_space = |byte: &u8| byte.is_ascii_whitespace() || byte.is_ascii_control();
        let spaces = text.iter().take_while(|byte| is_space(byte)).count();
        let after = &text[spaces..];
        // There are other spaces, too.
        if after.first().is_some_and(|byte| !byte.is_ascii()) {
            return true;
        }
        match after.strip_prefix(*word).filter(|_| spaces > 0) {
            Some(further) => text = further,
            None => return false,
        }
    }
    true
}

/// The documents with every word of the phrase; `None` for a phrase without words.
fn having_the_words(phrase: &str, postings: &Postings<'_>, ends: Ends) -> Option<Vec<u32>> {
    let words = tokens::words(phrase);
    let last = words.len().checked_sub(1)?;
    let mut order: Vec<usize> = (0..words.len()).collect();
    // Common words last, when they are usually no longer needed; those that may begin a word after
    // those that are known, and the one that may end a word, for which all are read, at the end.
    let reach = |at: usize| if at == 0 { 2 } else { u8::from(at == last) };
    order.sort_by_key(|at| (tokens::is_stop_word(&words[*at]), reach(*at)));
    let mut found: Option<Vec<u32>> = None;
    for at in order {
        let enough = if tokens::is_stop_word(&words[at]) { MAX } else { FEW };
        if found.as_ref().is_some_and(|found| found.len() <= enough) {
            break;
        }
        let word = words[at].as_str();
        // Of "Ann's tea", the index has no "s".
        if at < last && word == "s" {
            continue;
        }
        let corpus = postings.corpus;
        // The first and the last may be part of a longer word.
        let is_any = ends == Ends::Anywhere || (last == 0 && word == "s");
        let having = match (is_any && at == 0, (is_any || ends == Ends::Beginning) && at == last) {
            (true, true) => having_one(corpus.containing(word).all(), postings),
            (true, false) => {
                let with = corpus.containing(word);
                having_one(with.all().filter(|one| one.text.ends_with(word)), postings)
            }
            (false, true) => having_one(corpus.beginning_with(word).all(), postings),
            (false, false) => {
                let known = corpus.frequency(word).map(|frequency| Word { text: word, frequency });
                having_one(known.into_iter(), postings)
            }
        };
        found = Some(match found {
            None => having,
            Some(found) => in_both(&found, &having),
        });
    }
    found
}

/// The documents with any of these words.
fn having_one<'a>(words: impl Iterator<Item = Word<'a>>, postings: &Postings<'_>) -> Vec<u32> {
    let stems = Stems::default();
    let mut stems: Vec<String> = words.map(|word| stems.stem(word.text)).collect();
    stems.sort_unstable();
    stems.dedup();
    let at = |posting: &Posting| posting.at;
    let mut found: Vec<u32> = stems
        .iter()
        .flat_map(|stem| postings.with_stem(stem).iter().map(at).collect::<Vec<_>>())
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

fn in_both(a: &[u32], b: &[u32]) -> Vec<u32> {
    a.iter().filter(|at| b.binary_search(at).is_ok()).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::{Candidate, Collection};

    #[test]
    fn every_text_with_a_phrase_is_found_however_its_words_are_cut() {
        let mut bodies: Vec<String> = (0..40).map(|at| format!("Green tea number {at}")).collect();
        let odd = [
            "Ann's green tea is the best",
            "Evergreen teapots of Ann's",
            "Zoë’s green tea",
            "green\ntea",
            "a green, tea",
            "我喜欢绿茶",
            "The green and the tea",
        ];
        bodies.extend(odd.map(str::to_owned));
        let candidate = |body: &String| Candidate {
            body: body.clone(),
            tags: vec!["drinks".into(), "Green Tea".into()],
            ..Candidate::default()
        };
        let all = Collection::new(&bodies.iter().map(candidate).collect::<Vec<_>>());
        let documents: Vec<u32> = (0..bodies.len() as u32).collect();
        let scores = vec![0.0; bodies.len()];
        let asked = [
            "green tea",
            "s green tea",
            "ann's green",
            "green tea is the",
            "green teapot",
            "tea",
            "’s green",
            "the best",
            "number 1",
            "of ann's",
            "欢绿",
            "a green, tea",
            "the",
            "s",
            "drinks",
            "the green and the tea",
            "green tea number 39",
            "green and blue",
        ];
        for phrase in asked {
            let holds = crate::recall::Corpus::holding(&all, &documents, phrase, Ends::Anywhere);
            let has = |at: &u32| holds[*at as usize];
            let exact: Vec<u32> = documents.iter().copied().filter(has).collect();
            let postings = Postings::new(&all);
            let anywhere = holding_at(phrase, &postings, &scores, Ends::Anywhere);
            assert_eq!(anywhere, exact, "{phrase}");
            let holds = crate::recall::Corpus::holding(&all, &documents, phrase, Ends::Words);
            let has = |at: &u32| holds[*at as usize];
            let exact: Vec<u32> = documents.iter().copied().filter(has).collect();
            let whole = holding_at(phrase, &postings, &scores, Ends::Words);
            assert_eq!(whole, exact, "{phrase}");
        }
    }

    #[test]
    fn a_word_that_some_text_has_is_not_found_within_others() {
        let of = |bodies: &[&str], phrase: &str| {
            let candidate =
                |body: &&str| Candidate { body: (*body).to_owned(), ..Candidate::default() };
            let all = Collection::new(&bodies.iter().map(candidate).collect::<Vec<_>>());
            holding(phrase, &Postings::new(&all), &vec![0.0; bodies.len()])
        };
        assert_eq!(of(&["Our car", "Eats no carne", "A car's key"], "car"), [0, 2]);
        assert_eq!(of(&["My wife is Inês", "A Kinesis keyboard"], "ines"), [0; 0]);
        assert_eq!(of(&["Fidelidade", "inside"], "ide"), [0; 0]);
        assert_eq!(of(&["Das Fahrradschloss", "Tea"], "schloss"), [0]);
        assert_eq!(of(&["Das Fahrradschloss", "Am Rad", "Radlager"], "rad"), [1]);
        assert_eq!(of(&["Flight TP764", "HTTP"], "tp"), [0]);
        assert_eq!(of(&["Works in Vienna", "I work", "workshop"], "work"), [0, 1]);
        assert_eq!(of(&["12,500 EUR", "room 12, left", "abc123"], "12"), [1]);
        assert_eq!(of(&["My wife’s name"], "wife's name"), [0]);
        assert_eq!(of(&["green tea", "evergreen teapots"], "green tea"), [0]);
        assert_eq!(of(&["evergreen teapots"], "green tea"), [0]);
        assert_eq!(of(&["我喜欢绿茶"], "欢绿"), [0]);
    }

    #[test]
    fn no_text_with_a_phrase_is_passed_over() {
        let texts = [
            "Green tea",
            "GREEN\r\n\ttea",
            "green\u{a0}tea",
            "green\u{b}tea",
            "green\u{1c}tea",
            "greentea",
            "green, tea",
            "evergreen teapot",
            "drin\u{212a} green tea",
            "\u{130}green tea",
            "gr\u{e9}en tea",
            "a green green  tea",
            "green",
            "",
            "greën tea green\u{2003}tea",
            "a banana split",
            "1000 km",
        ];
        for text in texts {
            for phrase in [
                "green tea",
                "tea",
                "n t",
                "green  tea",
                "drink",
                "é",
                "i",
                "",
                "ana split",
                "00 km",
            ] {
                let holds = crate::recall::corpus::lower(text, &[]).contains(phrase);
                assert!(!holds || may_hold(text.as_bytes(), phrase), "{text:?} {phrase:?}");
            }
        }
        for (text, phrase) in [
            ("green, tea", "green tea"),
            ("greentea", "green tea"),
            ("tea", "green"),
            ("green", "green tea"),
        ] {
            assert!(!may_hold(text.as_bytes(), phrase), "{text:?} {phrase:?}");
        }
    }
}
