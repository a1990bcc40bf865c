//! The scorer: BM25 and meaning, what was said around a memory, dates, and exact phrases on top.
//!
//! Invariant: the same on every rung; recency decides only exact ties.

use super::{
    around,
    corpus::{Corpus, Document},
    dates::{self, When},
    phrases::Phrases,
    query::Query,
    score::{
        CANDIDATES, DATE, Hit, MEANING, MEANING_CJK, NEAR, Parts, Signals, TAG, TEXT, best, idf,
        relative,
    },
    session::Sessions,
    terms::{self, Postings, Terms},
    tokens,
    vectors::Packed,
};
use jiff::civil::Date;
use std::cmp::Reverse;

/// What a query is asked with, beside its words.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The query's vector, of the kind that the corpus has.
    pub vector: Packed,
    /// The cosine from which a memory without any of the words is an answer.
    pub meant: f64,
    pub signals: Signals,
    pub today: Date,
}

/// A corpus with what is counted over all of it, for any number of queries.
pub struct Searcher<C> {
    corpus: C,
    sessions: Sessions,
    average_length: f64,
}

/// What documents have of their own, by place.
struct Own {
    bm25: Vec<f64>,
    cos: Vec<f64>,
    tag: Vec<f64>,
    /// The weight of `cos`.
    meaning: f64,
}

impl Own {
    fn sums(&self) -> Vec<f64> {
        let parts = self.bm25.iter().zip(&self.cos).zip(&self.tag);
        parts.map(|((bm25, cos), tag)| bm25 + self.meaning * cos + tag).collect()
    }
}

impl<C: Corpus> Searcher<C> {
    pub fn new(corpus: C) -> Searcher<C> {
        let documents = corpus.documents();
        let total: f64 = documents.iter().map(|document| f64::from(document.length)).sum();
        let average_length = (total / documents.len().max(1) as f64).max(1.0);
        Searcher { sessions: Sessions::of(documents), average_length, corpus }
    }

    pub fn corpus(&self) -> &C {
        &self.corpus
    }

    /// The best answers first.
    pub fn rank(&self, query: &Query, asked: &Asked, limit: usize) -> Vec<Hit> {
        let mut hits = self.ranked(query, asked);
        if hits.is_empty() && query.filters() {
            hits = self.ranked(&query.without_filters(), asked);
        }
        hits.truncate(limit);
        hits
    }

    fn ranked(&self, query: &Query, asked: &Asked) -> Vec<Hit> {
        let documents = self.corpus.documents();
        let postings = Postings::new(&self.corpus);
        let terms = terms::of(query, &postings, self.average_length, asked.signals);
        let own = self.own(query, &terms, asked);
        let phrases = Phrases::of(query, &postings, &own.bm25);
        let mut is_candidate = vec![false; documents.len()];
        let by_words = best(&own.bm25, CANDIDATES, |score| score > 0.0);
        let by_meaning = best(&own.cos, CANDIDATES, |cos| cos >= asked.meant);
        for at in by_words.into_iter().chain(by_meaning).chain(phrases.documents()) {
            is_candidate[at] = true;
        }
        let context = match asked.signals.context {
            true => around::of(&own.sums(), &terms, documents, &self.sessions),
            false => around::Context::default(),
        };
        context.candidates.iter().for_each(|at| is_candidate[*at] = true);
        let whens =
            if asked.signals.dates { dates::named(&query.text, asked.today) } else { Vec::new() };
        let excluded = excluded(query, &postings);
        let is_allowed = |at: &usize| {
            is_candidate[*at] && excluded.binary_search(at).is_err() && phrases.allow(query, *at)
        };
        let hit = |at: usize| {
            let parts = Parts {
                bm25: own.bm25[at],
                meaning: own.meaning * own.cos[at],
                tag: own.tag[at],
                context: context.of(at),
                date: DATE * date(&whens, documents[at].created),
                phrase: phrases.score(at),
            };
            Hit { at, score: parts.sum(), parts }
        };
        let mut hits: Vec<Hit> = (0..documents.len()).filter(is_allowed).map(hit).collect();
        sort(&mut hits, documents);
        let least = hits.first().map_or(0.0, |best| NEAR * best.score);
        let is_meant = |hit: &Hit| own.cos[hit.at] >= asked.meant;
        hits.retain(|hit| hit.parts.bm25 > 0.0 || is_meant(hit) || hit.score >= least);
        hits
    }

    fn own(&self, query: &Query, terms: &Terms, asked: &Asked) -> Own {
        let documents = self.corpus.documents();
        let (mut bm25, mut tag) = (vec![0.0; documents.len()], vec![0.0; documents.len()]);
        for term in terms.values() {
            let weight = term.weight * idf(term.postings.len(), documents.len());
            for posting in term.postings.iter() {
                let at = posting.at as usize;
                let length = f64::from(documents[at].length);
                bm25[at] +=
                    weight * TEXT.gain(f64::from(posting.often), length, self.average_length);
                if posting.in_tags {
                    tag[at] = TAG;
                }
            }
        }
        let cos = match asked.signals.meaning {
            true => {
                let cosines = self.corpus.vectors().cosines(&asked.vector);
                cosines.into_iter().map(f64::from).collect()
            }
            false => vec![0.0; documents.len()],
        };
        Own { bm25: relative(bm25), cos, tag, meaning: meaning_weight(&query.text, MEANING) }
    }
}

fn sort(hits: &mut [Hit], documents: &[Document]) {
    let order = |hit: &Hit| (Reverse(documents[hit.at].created), documents[hit.at].tie);
    hits.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| order(a).cmp(&order(b))));
}

/// The weight of a cosine: `usual`, and less for Chinese and Japanese.
pub(super) fn meaning_weight(text: &str, usual: f64) -> f64 {
    let letters: Vec<char> = text.chars().filter(|letter| letter.is_alphanumeric()).collect();
    let cjk = letters.iter().filter(|letter| tokens::is_cjk(**letter)).count();
    let share = cjk as f64 / letters.len().max(1) as f64;
    usual * (1.0 - share) + MEANING_CJK * share
}

fn date(whens: &[When], created: i64) -> f64 {
    whens.iter().map(|when| when.score(created)).fold(0.0, f64::max)
}

/// The documents with an excluded stem, in ascending order.
pub(super) fn excluded(query: &Query, postings: &Postings<'_>) -> Vec<usize> {
    let of = |stem: &String| -> Vec<usize> {
        postings.of(stem).iter().map(|posting| posting.at as usize).collect()
    };
    let mut excluded: Vec<usize> = query.excluded.iter().flat_map(of).collect();
    excluded.sort_unstable();
    excluded
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::{Candidate, Collection, embed, score::MEANT};
    use jiff::civil::date;

    fn searcher() -> Searcher<Collection> {
        let make = |(at, (body, tag)): (usize, (&str, &str))| Candidate {
            body: body.into(),
            tags: vec![tag.into()],
            created: at as i64,
            tie: at as u64,
            source: format!("{at}"),
        };
        let facts = [
            ("User prefers async/await over callbacks", "python"),
            ("Always run uv sync before pytest", "testing"),
            ("Prefers pytest as a test runner", "testing"),
            ("Lives in Seattle", "life"),
            ("Notes on global warming", "reading"),
        ];
        let facts: Vec<Candidate> = facts.into_iter().enumerate().map(make).collect();
        Searcher::new(Collection::of(&facts))
    }

    fn best_of(query: &str) -> Vec<usize> {
        let asked = Asked {
            vector: embed::embed(query).packed(),
            meant: MEANT,
            signals: Signals::default(),
            today: date(2026, 1, 1),
        };
        let hits = searcher().rank(&Query::parse(query), &asked, 5);
        hits.iter().map(|hit| hit.at).collect()
    }

    #[test]
    fn phrases_words_tags_and_exclusion() {
        assert_eq!(best_of("async/await over").first(), Some(&0));
        assert_eq!(best_of("which test runner do I like?").first(), Some(&2));
        assert_eq!(best_of("PYTHON").first(), Some(&0));
        assert_eq!(best_of("pytest -uv"), [2]);
        assert_eq!(best_of("\"uv sync\""), [1]);
        assert_eq!(best_of("seat").first(), Some(&3));
        assert_eq!(best_of("xylophone quartet"), Vec::<usize>::new());
    }

    #[test]
    fn other_words_typos_and_what_filters_all_away() {
        assert_eq!(best_of("climate change").first(), Some(&4));
        assert_eq!(best_of("seatle").first(), Some(&3));
        assert_eq!(best_of("py test").first(), Some(&2));
        assert_eq!(best_of("\"callbacks over\"").first(), Some(&0), "answered without the quotes");
    }

    proptest::proptest! {
        #[test]
        fn no_query_is_an_error(text in ".{0,40}") {
            best_of(&text);
        }
    }
}
