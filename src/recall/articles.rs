//! Which documents answer a query: by each document's whole text, best chunks, labels and path.
//!
//! Invariant: pure; the same for every kind of corpus. The weights of whole texts and chunks were
//! measured. Must not know: what a topic is, where the texts come from.

use super::{
    article::{Article, ArticleParts, ChunkHit, Hit, PASSAGES, rate},
    corpus::Corpus,
    in_path::InPath,
    phrases::{Phrases, excluded},
    query::Query,
    score::{Bm25, CANDIDATES, CoverageParts, DATE, OF_PASSAGES, best, idf, relative},
    searcher::{Ranked, SearchParams},
    silence,
    terms::{self, ByWords, Postings, Terms, by_words},
    trust::{self, Scale, Trust},
};
use std::{collections::BTreeSet, ops::Range};

/// Saturation and length normalisation over whole documents.
const WHOLE: Bm25 = Bm25 { k1: 1.2, b: 0.75 };
/// The weight of the best chunk, and of the second best relative to it.
const CHUNK: f64 = 0.7;
const SECOND: f64 = 0.5;
/// The weight of the encoder's cosine for a chunk, relative to a fact's.
const ENCODED: f64 = 0.5;
/// Weight if all words of the query are labels of the document, or parts of its path.
const LABEL: f64 = 0.4;
const PATH: f64 = 0.3;
/// How much more the path counts if the query has the document's whole name.
const NAMED: f64 = 1.5;

/// Documents, for any number of queries.
pub struct Articles<C> {
    corpus: C,
    articles: Vec<Article>,
    /// The article of each chunk.
    of_chunk: Vec<u32>,
    lengths: Vec<f64>,
    average_length: f64,
    average_chunk: f64,
}

/// Scores of the chunks, by index.
struct Chunks {
    bm25: Vec<f64>,
    /// The share of the query's words, weighted by rarity.
    words: Vec<f64>,
    cos: Vec<f32>,
    /// The weighted sum of words and meaning.
    sums: Vec<f64>,
    scale: Scale,
    trust: Option<Trust>,
}

impl Chunks {
    /// How much of the query a chunk covers, by words or by meaning: from 0 to 1.
    fn coverage(&self, at: usize) -> f64 {
        self.scale.comparable_coverage(self.words[at], self.cos(at))
    }

    fn cos(&self, at: usize) -> f64 {
        f64::from(self.cos[at])
    }

    fn why(&self, at: usize) -> CoverageParts {
        CoverageParts { words: self.words[at], cosine: self.cos(at) }
    }

    fn each_of(&self, chunks: &[Option<u32>; PASSAGES]) -> [Option<ChunkHit>; PASSAGES] {
        let hit = |chunk: u32| {
            let at = chunk as usize;
            ChunkHit { chunk, coverage: self.coverage(at), why: self.why(at) }
        };
        chunks.map(|chunk| chunk.map(hit))
    }

    /// How much of the query the best of these chunks covers, and why.
    fn best_of(&self, chunks: &[Option<u32>]) -> (f64, f64, CoverageParts) {
        let all = || chunks.iter().flatten().map(|chunk| *chunk as usize);
        let best = all().max_by(|a, b| self.coverage(*a).total_cmp(&self.coverage(*b)));
        let passage = all().map(|at| self.scale.coverage(self.words[at], self.cos(at)));
        let best =
            best.map_or((0.0, CoverageParts::default()), |at| (self.coverage(at), self.why(at)));
        (best.0, passage.fold(0.0, f64::max), best.1)
    }
}

/// Scores of whole documents, by index.
struct Wholes {
    bm25: Vec<f64>,
    /// The share of the query that is in the text, and in the labels: by idf, from 0 to 1.
    words: Vec<f64>,
    labels: Vec<f64>,
}

impl<C: Corpus> Articles<C> {
    pub fn new(corpus: C, articles: Vec<Article>) -> Articles<C> {
        let mut of_chunk = vec![0; corpus.documents().len()];
        let mut lengths = vec![0.0; articles.len()];
        for (at, article) in articles.iter().enumerate() {
            for chunk in article.chunks.clone() {
                of_chunk[chunk as usize] = at as u32;
                lengths[at] += f64::from(corpus.documents()[chunk as usize].length);
            }
        }
        let total: f64 = lengths.iter().sum();
        let average = |count: usize| (total / count.max(1) as f64).max(1.0);
        let (average_length, average_chunk) = (average(articles.len()), average(of_chunk.len()));
        Articles { corpus, articles, of_chunk, lengths, average_length, average_chunk }
    }

    pub fn corpus(&self) -> &C {
        &self.corpus
    }

    pub fn articles(&self) -> &[Article] {
        &self.articles
    }

    /// The chunks of a document.
    pub fn chunks_of_article(&self, at: usize) -> Range<u32> {
        self.articles[at].chunks.clone()
    }

    /// The best results first.
    pub fn rank(&self, query: &Query, asked: &SearchParams, limit: usize) -> Ranked<Hit> {
        let ranked = Ranked::or_unquoted(query, |query| self.ranked(query, asked));
        let excluded = excluded(query, &Postings::new(&self.corpus));
        let excluded: BTreeSet<usize> = excluded.into_iter().map(|at| self.article(at)).collect();
        let mut ranked = ranked.without(|hit| excluded.contains(&hit.at)).first(limit);
        rate(&mut ranked.hits);
        ranked
    }

    fn ranked(&self, query: &Query, asked: &SearchParams) -> Ranked<Hit> {
        let postings = Postings::new(&self.corpus);
        let terms = terms::weighted(query, &postings, self.average_chunk, asked.signals);
        let chunks = self.chunks(query, &terms, &postings, asked);
        let wholes = self.wholes(query, &terms);
        let phrases = Phrases::find(query, &postings, &chunks.bm25);
        let mut candidates = self.candidates(&wholes, &chunks, &phrases);
        let times = asked.times(query);
        let is_then = |at: &usize| times.are_wholly(self.articles[*at].created, &asked.calendar);
        candidates.extend((0..self.articles.len()).filter(is_then));
        // Required phrases may be in different chunks.
        candidates.retain(|at| phrases.allow_any(query, self.articles[*at].chunks.clone()));
        let in_path = InPath::of(&terms, self.of_chunk.len());
        let trusted = chunks.scale.words;
        let hit = |at: usize| {
            let (named, by_chunks) = self.best_chunks(at, &chunks.sums);
            let path = &self.articles[at].path;
            let whole_name = if in_path.names(path) { NAMED } else { 1.0 };
            let phrase = self.chunks_of(at).map(|chunk| phrases.score(chunk)).fold(0.0, f64::max);
            let parts = ArticleParts {
                bm25: trusted * wholes.bm25[at],
                chunks: CHUNK * by_chunks,
                labels: trusted * LABEL * wholes.labels[at],
                path: trusted * PATH * whole_name * in_path.share(path),
                date: DATE * times.score(self.articles[at].created, &asked.calendar),
                phrase,
            };
            let is_whole = phrase > 0.0 || is_then(&at);
            let coverage = self.coverage(at, is_whole, &wholes, &chunks);
            let (chunk_coverage, chunk_relevance, why) = chunks.best_of(&named);
            let chunk_coverage = if is_whole { 1.0 } else { chunk_coverage };
            let (score, relevance, chunks) = (parts.sum(), 0.0, chunks.each_of(&named));
            Hit {
                at,
                score,
                relevance,
                coverage,
                chunk_coverage,
                chunk_relevance,
                why,
                chunks,
                parts,
            }
        };
        let mut hits: Vec<Hit> = candidates.into_iter().map(hit).collect();
        hits.sort_by(|a, b| {
            let newer = self.articles[b.at].created.cmp(&self.articles[a.at].created);
            b.score.total_cmp(&a.score).then(newer).then(a.at.cmp(&b.at))
        });
        rate(&mut hits);
        let of_then = |hit: &Hit| times.are_mostly_asked() && hit.parts.date > 0.0;
        let matched = |hit: &Hit| hit.parts.phrase + hit.parts.labels > 0.0 || of_then(hit);
        let is_silent =
            chunks.trust.is_some_and(|trust| silence::is_kept(query, &trust, self.of_chunk.len()))
                && !hits.iter().any(matched);
        let ranked = Ranked { hits, trust: chunks.trust, ..Ranked::default() };
        if times.leave_out_others() {
            return ranked.only(|hit| hit.parts.date > 0.0 || times.are_said(hit.parts.phrase));
        }
        if is_silent { ranked.silenced() } else { ranked }
    }

    /// Which may be answers by their words, meaning or phrases.
    fn candidates(&self, wholes: &Wholes, chunks: &Chunks, phrases: &Phrases) -> BTreeSet<usize> {
        let by_words = best(&wholes.bm25, CANDIDATES, |score| score > 0.0).into_iter();
        let by_meaning = best(&chunks.cos, CANDIDATES, |cos| cos >= chunks.scale.meant);
        let by_chunks = by_meaning.into_iter().chain(phrases.documents());
        by_words.chain(by_chunks.map(|at| self.article(at))).collect()
    }

    /// A phrase match covers the whole query, and so does a time if nothing else is asked for.
    fn coverage(&self, at: usize, phrase: bool, wholes: &Wholes, chunks: &Chunks) -> f64 {
        let meant = self.chunks_of(at).map(|at| chunks.cos(at)).fold(0.0, f64::max);
        if phrase { 1.0 } else { chunks.scale.coverage(wholes.words[at], meant) }
    }

    fn article(&self, chunk: usize) -> usize {
        self.of_chunk[chunk] as usize
    }

    fn chunks_of(&self, at: usize) -> impl Iterator<Item = usize> + use<'_, C> {
        let Range { start, end } = self.articles[at].chunks;
        start as usize..end as usize
    }

    fn chunks(
        &self,
        query: &Query,
        terms: &Terms,
        postings: &Postings<'_>,
        asked: &SearchParams,
    ) -> Chunks {
        let documents = self.corpus.documents();
        let most = trust::most(query, postings);
        let ByWords { bm25, words } = by_words(terms, documents, self.average_chunk, most);
        let (cos, trust, scale) = match asked.encoded(&self.corpus) {
            Some(cos) => {
                let trust = Trust::measure(&bm25, most, &cos, &OF_PASSAGES);
                let scale = Scale::of_encoder(&query.text, &trust, &OF_PASSAGES, documents.len());
                (cos, Some(trust), scale.with_meaning(ENCODED))
            }
            None => {
                let scale = Scale::of_table(&query.text, asked.meant);
                (asked.by_table(&self.corpus), None, scale)
            }
        };
        let bm25 = relative(bm25);
        let weighed =
            |bm25: f64| if bm25 > 0.0 { scale.words * bm25.powf(scale.power) } else { 0.0 };
        let both = bm25.iter().zip(&cos);
        let sums =
            both.map(|(bm25, cos)| weighed(*bm25) + scale.meaning * f64::from(*cos)).collect();
        Chunks { bm25, words, cos, sums, scale, trust }
    }

    fn wholes(&self, query: &Query, terms: &Terms) -> Wholes {
        let count = self.articles.len();
        let mut wholes =
            Wholes { bm25: vec![0.0; count], words: vec![0.0; count], labels: vec![0.0; count] };
        // A word that no document has is still part of the query.
        let missing = query.words.len().saturating_sub(terms.len()) as f64;
        let mut all = missing * idf(0, count);
        let mut frequency: Vec<(f64, bool)> = vec![(0.0, false); count];
        for term in terms.values() {
            let mut found: Vec<usize> = Vec::new();
            for posting in term.postings.iter() {
                let at = self.article(posting.at as usize);
                if found.last() != Some(&at) {
                    found.push(at);
                }
                frequency[at].0 += f64::from(posting.frequency);
                frequency[at].1 |= posting.in_tags;
            }
            let weight = term.weight * idf(found.len(), count);
            all += weight;
            for at in found {
                let (times, is_label) = std::mem::take(&mut frequency[at]);
                wholes.bm25[at] +=
                    weight * WHOLE.gain(times, self.lengths[at], self.average_length);
                wholes.words[at] += weight;
                wholes.labels[at] += if is_label { weight } else { 0.0 };
            }
        }
        let share =
            |parts: &mut Vec<f64>| parts.iter_mut().for_each(|part| *part /= all.max(f64::EPSILON));
        share(&mut wholes.words);
        share(&mut wholes.labels);
        wholes.bm25 = relative(wholes.bm25);
        wholes
    }

    /// The best chunks, and the combined score of the first two.
    fn best_chunks(&self, at: usize, sums: &[f64]) -> ([Option<u32>; PASSAGES], f64) {
        let run = self.articles[at].chunks.clone();
        let of_run = &sums[run.start as usize..run.end as usize];
        let order = best(of_run, PASSAGES, |sum| sum > 0.0);
        let worth = |place: usize| order.get(place).map_or(0.0, |chunk| of_run[*chunk]);
        let mut chunks = [None; PASSAGES];
        chunks.iter_mut().zip(&order).for_each(|(place, at)| *place = Some(run.start + *at as u32));
        (chunks, worth(0) + SECOND * worth(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::{Candidate, Collection};

    const TEXTS: &[(&str, &str, &[&str])] = &[
        (
            "people sarah",
            "sarah postgresql person",
            &["Sarah is the tech lead and knows PostgreSQL.", "She likes tea."],
        ),
        (
            "decisions database choice",
            "database decision sarah",
            &["We use PostgreSQL for its JSON support.", "Sarah recommended it over MySQL."],
        ),
        ("reference oauth setup", "auth reference", &["Register a client.", "Ask for the scopes."]),
        ("insights pasta", "", &["Cook it in salted water.", "The sauce of tomatoes and basil."]),
    ];

    fn ask(query: &str) -> Vec<Hit> {
        let (mut candidates, mut articles) = (Vec::new(), Vec::new());
        for (at, (path, tags, chunks)) in TEXTS.iter().enumerate() {
            let start = candidates.len() as u32;
            for (n, body) in chunks.iter().enumerate() {
                let tags =
                    if n == 0 { vec![(*tags).to_owned(), (*path).to_owned()] } else { Vec::new() };
                candidates.push(Candidate {
                    body: (*body).to_owned(),
                    tags,
                    ..Candidate::default()
                });
            }
            let chunks = start..candidates.len() as u32;
            let path = path.replace(' ', "/");
            articles.push(Article { chunks, path, created: at as i64 });
        }
        let articles = Articles::new(Collection::new(&candidates), articles);
        let asked = SearchParams::of_words(query);
        articles.rank(&Query::parse(query), &asked, 5).hits
    }

    #[test]
    fn the_example_of_the_seed() {
        let hits = ask("What did Sarah recommend for the database?");
        let found: Vec<usize> = hits.iter().map(|hit| hit.at).collect();
        assert_eq!(found, [1, 0]);
        let best = hits[0].chunks[0].map(|best| best.chunk);
        assert_eq!(best, Some(3), "the chunk that says what she recommended");
        assert!(hits.iter().all(|hit| hit.relevance > 0.3), "{hits:?}");
        assert!(hits.is_sorted_by(|a, b| a.relevance >= b.relevance));
    }

    #[test]
    fn other_words_phrases_and_exclusion() {
        assert_eq!(ask("making spaghetti").first().map(|hit| hit.at), Some(3));
        assert_eq!(ask("\"salted water\"")[0].at, 3);
        assert_eq!(ask("\"salted water\" \"tomatoes\"")[0].at, 3, "in two chunks");
        assert_eq!(ask("postgresql -json").iter().map(|hit| hit.at).collect::<Vec<_>>(), [0]);
        let nothing = ask("quarterly zoning bylaws");
        assert!(nothing.iter().all(|hit| hit.relevance < 0.3), "{nothing:?}");
    }

    proptest::proptest! {
        #[test]
        fn no_query_is_an_error(text in ".{0,40}") {
            for hit in ask(&text) {
                proptest::prop_assert!((0.0..=1.0).contains(&hit.relevance));
            }
        }
    }
}
