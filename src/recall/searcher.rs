//! The scorer: BM25 and meaning, with session context, dates and exact phrases on top.
//!
//! Invariant: the same for every kind of corpus; recency only breaks exact ties.

use super::{
    corpus::{Corpus, Document},
    dates::Times,
    neighbours::Neighbours,
    phrases::{Phrases, excluded},
    query::Query,
    repair, same_language,
    score::{CANDIDATES, CoverageParts, Hit, NEAR, OF_FACTS, Parts, Signals, TAG, best, relative},
    session::Sessions,
    session_score, silence,
    terms::{self, ByWords, Postings, Terms, by_words},
    trust::{self, Scale, Trust},
    vectors::Packed,
};
use crate::identity::Calendar;
use jiff::civil::Date;
use std::{cell::OnceCell, cmp::Reverse, collections::BTreeSet};

/// The parameters of a search besides the query.
#[derive(Clone, Debug)]
pub struct SearchParams {
    /// The query's vector, of the same model as the corpus.
    pub vector: Packed,
    /// The query's vector from the encoder; `None` if that is switched off.
    pub encoded: Option<Packed>,
    /// The cosine with `vector` from which a memory without any query word is an answer.
    pub meant: f64,
    pub signals: Signals,
    /// The days of the person who asks.
    pub calendar: Calendar,
    pub today: Date,
}

impl SearchParams {
    /// For tests: by the static table, on a certain day.
    #[cfg(test)]
    pub(super) fn of_words(query: &str) -> SearchParams {
        SearchParams {
            vector: super::embed::embed(query).packed(),
            encoded: None,
            meant: super::score::MEANT,
            signals: Signals::default(),
            calendar: Calendar::default(),
            today: jiff::civil::date(2026, 1, 1),
        }
    }

    /// The encoder's cosines with all texts of a corpus, if it has them all.
    pub(super) fn encoded(&self, corpus: &impl Corpus) -> Option<Vec<f32>> {
        let question = self.encoded.as_ref().filter(|_| self.signals.meaning)?;
        corpus.encoded_cosines(question)
    }

    /// The times that a query asks for.
    pub(super) fn times(&self, query: &Query) -> Times {
        if !self.signals.dates {
            return Times::default();
        }
        let times = Times::asked(&query.text, self.today);
        if query.quotes.is_empty() { times } else { times.beside_phrases() }
    }

    /// The cosines with the vectors that every corpus has.
    pub(super) fn by_table(&self, corpus: &impl Corpus) -> Vec<f32> {
        if self.signals.meaning {
            corpus.cosines(&self.vector)
        } else {
            vec![0.0; corpus.documents().len()]
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Ranked<H> {
    /// The best results first.
    pub hits: Vec<H>,
    /// The nearest results, if nothing is an answer.
    pub nearest: Vec<H>,
    /// `None` if the encoder was not used.
    pub trust: Option<Trust>,
    /// Whether no text has a required phrase, so that the search was repeated without it.
    pub is_unquoted: bool,
}

impl<H> Default for Ranked<H> {
    fn default() -> Ranked<H> {
        Ranked { hits: Vec::new(), nearest: Vec::new(), trust: None, is_unquoted: false }
    }
}

impl<H> Ranked<H> {
    /// Required phrases are dropped if nothing has them. Nothing asked is nothing found.
    pub(super) fn or_unquoted(query: &Query, ask: impl Fn(&Query) -> Ranked<H>) -> Ranked<H> {
        if query.words.is_empty() {
            return Ranked::default();
        }
        let ranked = ask(query);
        if ranked.hits.is_empty() && !query.required.is_empty() {
            return Ranked { is_unquoted: true, ..ask(&query.without_required()) };
        }
        ranked
    }

    /// Leaves out what is not allowed: whatever else there is stays as it was.
    pub(super) fn without(mut self, is_excluded: impl Fn(&H) -> bool) -> Ranked<H> {
        self.hits.retain(|hit| !is_excluded(hit));
        self.nearest.retain(|hit| !is_excluded(hit));
        self
    }

    /// Steps back for results of another kind that have the phrase which none of these has.
    pub fn yield_to<O>(&mut self, others: &Ranked<O>) {
        if self.is_unquoted && !others.is_unquoted && !others.hits.is_empty() {
            self.hits.clear();
        }
    }

    pub(super) fn first(mut self, limit: usize) -> Ranked<H> {
        self.hits.truncate(limit);
        self
    }

    /// Leaves what answers; if nothing does, all are mere suggestions.
    pub(super) fn only(mut self, is_answer: impl Fn(&H) -> bool) -> Ranked<H> {
        if !self.hits.iter().any(&is_answer) {
            return self.silenced();
        }
        self.hits.retain(is_answer);
        self
    }

    /// Turns the hits into mere suggestions.
    pub(super) fn silenced(self) -> Ranked<H> {
        Ranked { nearest: self.hits, hits: Vec::new(), ..self }
    }
}

/// A corpus with its global statistics, for any number of queries.
pub struct Searcher<C> {
    corpus: C,
    sessions: Sessions,
    average_length: f64,
    neighbours: OnceCell<Neighbours>,
}

/// Each document's own scores, by index.
struct Own {
    /// Divided by the maximum and weighted.
    bm25: Vec<f64>,
    /// The share of the query's words, weighted by rarity.
    words: Vec<f64>,
    /// Narrow, as they are computed: there are many.
    cos: Vec<f32>,
    tag: Vec<f64>,
    /// Whether any has a word of the query, and not merely a related one, as a tag.
    is_tagged: bool,
    /// Those in the query's language.
    same_language: BTreeSet<usize>,
    scale: Scale,
    trust: Option<Trust>,
}

impl Own {
    fn sums(&self) -> Vec<f64> {
        let parts = self.bm25.iter().zip(&self.cos).zip(&self.tag);
        let sum = |((bm25, cos), tag): ((&f64, &f32), &f64)| {
            bm25 + self.scale.meaning * f64::from(*cos) + tag
        };
        parts.map(sum).collect()
    }

    /// Which documents may be answers by their words, meaning or context.
    fn candidates(&self, phrases: &Phrases, context: &session_score::Context) -> Vec<bool> {
        let mut is_candidate = vec![false; self.bm25.len()];
        let by_words = best(&self.bm25, CANDIDATES, |score| score > 0.0);
        let by_meaning = best(&self.cos, CANDIDATES, |cos| cos >= self.scale.candidate);
        let found = by_words.into_iter().chain(by_meaning).chain(phrases.documents());
        found.chain(context.candidates.iter().copied()).for_each(|at| is_candidate[at] = true);
        is_candidate
    }

    fn cos(&self, at: usize) -> f64 {
        f64::from(self.cos[at])
    }

    fn meaning(&self, at: usize) -> f64 {
        let is_same = self.same_language.contains(&at);
        self.scale.meaning * self.cos(at) + if is_same { same_language::LANGUAGE } else { 0.0 }
    }

    fn is_meant(&self, at: usize) -> bool {
        self.cos(at) >= self.scale.meant
    }

    /// How much of the query a document covers, by words or by meaning: from 0 to 1.
    fn coverage(&self, at: usize) -> f64 {
        self.scale.comparable_coverage(self.words[at], self.cos(at))
    }
}

impl<C: Corpus> Searcher<C> {
    pub fn new(corpus: C) -> Searcher<C> {
        let documents = corpus.documents();
        let total: f64 = documents.iter().map(|document| f64::from(document.length)).sum();
        let average_length = (total / documents.len().max(1) as f64).max(1.0);
        let (sessions, neighbours) = (Sessions::of(documents), OnceCell::new());
        Searcher { sessions, average_length, neighbours, corpus }
    }

    pub fn corpus(&self) -> &C {
        &self.corpus
    }

    /// The best results first.
    pub fn rank(&self, query: &Query, asked: &SearchParams, limit: usize) -> Ranked<Hit> {
        let excluded = excluded(query, &Postings::new(&self.corpus));
        let ranked = Ranked::or_unquoted(query, |query| self.ranked(query, asked, &excluded));
        let is_excluded = |hit: &Hit| excluded.binary_search(&hit.at).is_ok();
        // What has no word of the question is no answer to one whose words were found, but in texts
        // that are left out.
        let had_words = ranked.hits.iter().any(|hit| is_excluded(hit) && hit.parts.bm25 > 0.0);
        let has_none = |hit: &Hit| had_words && hit.parts.bm25 <= 0.0 && hit.parts.phrase <= 0.0;
        ranked.without(|hit| is_excluded(hit) || has_none(hit)).first(limit)
    }

    /// `excluded` are left out later.
    fn ranked(&self, query: &Query, asked: &SearchParams, excluded: &[usize]) -> Ranked<Hit> {
        let documents = self.corpus.documents();
        let postings = Postings::new(&self.corpus);
        let terms = terms::weighted(query, &postings, self.average_length, asked.signals);
        let own = self.own(query, &terms, &postings, asked);
        let phrases = Phrases::find(query, &postings, &own.bm25);
        let context = if asked.signals.context {
            session_score::context_scores(&own.sums(), &terms, documents, &self.sessions)
        } else {
            session_score::Context::default()
        };
        let mut is_candidate = own.candidates(&phrases, &context);
        let times = asked.times(query);
        for (at, document) in documents.iter().enumerate() {
            is_candidate[at] |= times.are_wholly(document.created, &asked.calendar);
        }
        let is_allowed = |at: &usize| is_candidate[*at] && phrases.allow(query, *at);
        let hit = |at: usize| {
            let parts = Parts {
                bm25: own.bm25[at],
                meaning: own.meaning(at),
                tag: own.tag[at],
                context: own.scale.context * context.score(at),
                date: own.scale.date * times.score(documents[at].created, &asked.calendar),
                phrase: phrases.score(at),
            };
            let why = CoverageParts { words: own.words[at], cosine: own.cos(at) };
            // A phrase is the whole of what is asked, and so may a time be.
            let is_whole = parts.phrase > 0.0 || (times.are_alone() && parts.date > 0.0);
            let coverage = if is_whole { 1.0 } else { own.coverage(at) };
            Hit { at, score: parts.sum(), coverage, why, parts }
        };
        let mut hits: Vec<Hit> = (0..documents.len()).filter(is_allowed).map(hit).collect();
        sort(&mut hits, documents);
        let is_then = |hit: &Hit| times.are_alone() && hit.parts.date > 0.0;
        if times.are_alone() {
            hits.sort_by_key(|hit| hit.parts.phrase <= 0.0 && !is_then(hit));
        }
        let least = hits.first().map_or(0.0, |best| NEAR * best.score);
        let by_itself = own.trust.is_some();
        hits.retain(|hit| {
            let is_said = hit.parts.bm25 > 0.0 || hit.parts.phrase > 0.0;
            let is_meant = own.is_meant(hit.at);
            // What is merely near the best one may be near what is excluded.
            let is_near = hit.score >= least && (excluded.is_empty() || is_meant);
            is_said || (is_meant && !by_itself) || is_near || is_then(hit)
        });
        if times.leave_out_others() {
            let ranked = Ranked { hits, trust: own.trust, ..Ranked::default() };
            return ranked.only(|hit| is_then(hit) || times.are_said(hit.parts.phrase));
        }
        let of_then = |hit: &Hit| times.are_mostly_asked() && hit.parts.date > 0.0;
        let matched = |hit: &Hit| hit.parts.phrase > 0.0 || of_then(hit);
        let is_silent =
            own.trust.is_some_and(|trust| silence::is_kept(query, &trust, documents.len()))
                && !own.is_tagged
                && !hits.iter().any(matched);
        let ranked = Ranked { hits, trust: own.trust, ..Ranked::default() };
        if is_silent { ranked.silenced() } else { ranked }
    }

    fn own(
        &self,
        query: &Query,
        terms: &Terms,
        postings: &Postings<'_>,
        asked: &SearchParams,
    ) -> Own {
        let documents = self.corpus.documents();
        let most = trust::most(query, postings);
        let ByWords { bm25, words } = by_words(terms, documents, self.average_length, most);
        let mut tag = vec![0.0; documents.len()];
        let mut is_tagged = false;
        for term in terms.values() {
            for posting in term.postings.iter().filter(|posting| posting.in_tags) {
                tag[posting.at as usize] = TAG;
                is_tagged |= term.weight >= repair::REPAIRED;
            }
        }
        let (cos, trust, scale) = match self.encoded(asked) {
            Some(cos) => {
                let trust = Trust::measure(&bm25, most, &cos, &OF_FACTS);
                let scale = Scale::of_encoder(&query.text, &trust, &OF_FACTS, documents.len());
                (cos, Some(trust), scale)
            }
            None => {
                let scale = Scale::of_table(&query.text, asked.meant);
                (asked.by_table(&self.corpus), None, scale)
            }
        };
        let mut bm25 = relative(bm25);
        let matching = bm25.iter_mut().filter(|score| **score > 0.0);
        matching.for_each(|score| *score = scale.words * score.powf(scale.power));
        tag.iter_mut().for_each(|tag| *tag *= scale.words);
        let same_language = BTreeSet::new();
        let mut own = Own { bm25, words, cos, tag, is_tagged, same_language, scale, trust };
        if own.trust.is_some() {
            own.same_language = same_language::among(query, &self.corpus, &own.sums());
        }
        own
    }

    /// The encoder's cosines, smoothed with the neighbours of each text.
    fn encoded(&self, asked: &SearchParams) -> Option<Vec<f32>> {
        if self.sessions.weight() <= 0.0 {
            return asked.encoded(&self.corpus);
        }
        let question = asked.encoded.as_ref().filter(|_| asked.signals.meaning)?;
        let vectors = self.corpus.encoded()?;
        let of = || Neighbours::find(vectors, &self.sessions);
        Some(self.neighbours.get_or_init(of).cosines(&vectors.cosines(question)))
    }
}

fn sort(hits: &mut [Hit], documents: &[Document]) {
    let order = |hit: &Hit| (Reverse(documents[hit.at].created), documents[hit.at].hash_prefix);
    hits.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| order(a).cmp(&order(b))));
}

#[cfg(test)]
mod tests;
