//! The scorer: BM25 over body and tags, a little for a tag that is named, an exact phrase on top,
//! recency as tie-break.

use super::{
    query::Query,
    tokens::{self, Stems},
};
use std::collections::HashMap;

const K1: f64 = 0.8;
const B: f64 = 0.4;
const TAG_BONUS: f64 = 0.1;
const PHRASE_BONUS: f64 = 10.0;
const RECENCY: f64 = 0.02;

#[derive(Clone, Debug)]
pub struct Candidate {
    pub body: String,
    pub tags: Vec<String>,
    /// When it was learned, in microseconds; only breaks ties.
    pub created: i64,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Hit {
    /// Index into the candidates.
    pub at: usize,
    /// Higher is better; comparable within one query.
    pub score: f64,
}

pub fn rank(query: &Query, candidates: &[Candidate], limit: usize) -> Vec<Hit> {
    let stems = Cached::default();
    let documents: Vec<Document> =
        candidates.iter().map(|candidate| Document::read(query, candidate, &stems)).collect();
    let bm25 = bm25(query, &documents);
    let highest = bm25.iter().copied().fold(0.0, f64::max);
    let newest = candidates.iter().map(|c| c.created).max().unwrap_or(0);
    let oldest = candidates.iter().map(|c| c.created).min().unwrap_or(0);
    let span = (newest - oldest).max(1) as f64;
    let mut hits: Vec<Hit> = Vec::new();
    for (at, document) in documents.iter().enumerate() {
        if document.excluded || !(document.phrase || bm25[at] > 0.0) {
            continue;
        }
        let text = if highest > 0.0 { bm25[at] / highest } else { 0.0 };
        let recency = (candidates[at].created - oldest) as f64 / span * RECENCY;
        let mut score = text + recency;
        if document.tag {
            score += TAG_BONUS;
        }
        if document.phrase {
            score += PHRASE_BONUS;
        }
        hits.push(Hit { at, score });
    }
    hits.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then(candidates[b.at].created.cmp(&candidates[a.at].created))
            .then(a.at.cmp(&b.at))
    });
    hits.truncate(limit);
    hits
}

#[derive(Default)]
struct Cached {
    stems: Stems,
    known: std::cell::RefCell<HashMap<String, String>>,
}

impl Cached {
    fn of(&self, word: &str) -> String {
        if let Some(stem) = self.known.borrow().get(word) {
            return stem.clone();
        }
        let stem = self.stems.of(word);
        self.known.borrow_mut().insert(word.to_owned(), stem.clone());
        stem
    }
}

struct Document {
    /// How often each term of the query occurs.
    counts: Vec<f64>,
    length: f64,
    phrase: bool,
    tag: bool,
    excluded: bool,
}

impl Document {
    fn read(query: &Query, candidate: &Candidate, stems: &Cached) -> Document {
        let lower = candidate.body.to_lowercase();
        let tags: Vec<String> = candidate.tags.iter().map(|tag| tag.to_lowercase()).collect();
        let mut counts = vec![0.0; query.terms.len()];
        let mut length = 0.0;
        let (mut excluded, mut tag) = (false, false);
        let last = query.terms.len().saturating_sub(1);
        let in_tags = tags.iter().flat_map(|tag| tokens::words(tag)).map(|word| (word, true));
        for (word, is_tag) in
            tokens::words(&candidate.body).into_iter().map(|word| (word, false)).chain(in_tags)
        {
            length += 1.0;
            let stem = stems.of(&word);
            excluded |= query.excluded.contains(&stem);
            match query.terms.iter().position(|term| *term == stem) {
                Some(at) => {
                    counts[at] += 1.0;
                    tag |= is_tag;
                }
                None if query
                    .prefix
                    .as_ref()
                    .is_some_and(|prefix| word.starts_with(prefix.as_str())) =>
                {
                    counts[last] += 0.5
                }
                None => {}
            }
        }
        let holds = |phrase: &String| {
            lower.contains(phrase.as_str()) || tags.iter().any(|tag| tag.contains(phrase.as_str()))
        };
        let required = query.required.iter().all(holds);
        let phrase = if query.required.is_empty() {
            !query.phrase.is_empty() && holds(&query.phrase)
        } else {
            required
        };
        Document { counts, length, phrase, tag, excluded: excluded || !required }
    }
}

fn bm25(query: &Query, documents: &[Document]) -> Vec<f64> {
    let total = documents.len() as f64;
    let average =
        (documents.iter().map(|document| document.length).sum::<f64>() / total.max(1.0)).max(1.0);
    let weights: Vec<f64> = (0..query.terms.len())
        .map(|term| {
            let with =
                documents.iter().filter(|document| document.counts[term] > 0.0).count() as f64;
            ((total - with + 0.5) / (with + 0.5) + 1.0).ln()
        })
        .collect();
    let score = |document: &Document| {
        let norm = K1 * (1.0 - B + B * document.length / average);
        document
            .counts
            .iter()
            .zip(&weights)
            .map(|(count, weight)| weight * count * (K1 + 1.0) / (count + norm))
            .sum()
    };
    documents.iter().map(score).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates() -> Vec<Candidate> {
        let make = |(at, (body, tag)): (usize, (&str, &str))| Candidate {
            body: body.into(),
            tags: vec![tag.into()],
            created: at as i64,
        };
        let facts = [
            ("User prefers async/await over callbacks", "python"),
            ("Always run uv sync before pytest", "testing"),
            ("Prefers pytest as a test runner", "testing"),
            ("Lives in Seattle", "life"),
        ];
        facts.into_iter().enumerate().map(make).collect()
    }

    fn best(query: &str) -> Vec<usize> {
        rank(&Query::parse(query), &candidates(), 5).iter().map(|hit| hit.at).collect()
    }

    #[test]
    fn phrases_words_tags_and_exclusion() {
        assert_eq!(best("async/await over"), [0]);
        assert_eq!(best("which test runner do I like?").first(), Some(&2));
        assert_eq!(best("PYTHON"), [0]);
        assert_eq!(best("pytest -uv"), [2]);
        assert_eq!(best("\"uv sync\""), [1]);
        assert_eq!(best("seat"), [3]);
        assert_eq!(best("nothing like it here"), Vec::<usize>::new());
    }

    proptest::proptest! {
        #[test]
        fn no_query_is_an_error(text in ".{0,40}") {
            rank(&Query::parse(&text), &candidates(), 5);
        }
    }
}
