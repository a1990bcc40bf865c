//! Loaded state of a search over memories and documents, reusable for several queries.
//!
//! Invariant: changes since loading are detected and reloaded, and the files are the fallback if a
//! index fails.

use super::{
    Answer, NEAREST, Passage, QueryLoad, Question, RecallFilter, Report, SearchMode,
    facts::FactSearch,
    merged::{MergedHit, merged},
};
use crate::identity::{Calendar, FactView};
use crate::ops::workspace::Workspace;
use crate::ops::{
    Error,
    index::{Budget, Encoding, Freshness, Opened, Sources, Wanted},
    knowledge::{list, search},
    store::Store,
};
use crate::recall::{Hit, Ranked, query};
use crate::system::{Context, index::Unit};

/// Facts and documents loaded for any number of questions.
pub struct SearchSession {
    among: RecallFilter,
    budget: Budget,
    facts: Option<FactSearch>,
    documents: Option<search::DocumentSearch>,
    /// `None` for a store that is read from its files.
    indexes: Vec<(Store, Option<Opened>)>,
    notes: Vec<String>,
    problem: Option<String>,
}

/// How the next question can tell whether something changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CacheValidity {
    ByIndexes,
    /// Some stores were read from files alone.
    ByFiles,
    /// It cannot: everything is read again.
    Unknown,
}

impl SearchSession {
    pub fn read(
        ws: &Workspace,
        among: &RecallFilter,
        load: QueryLoad,
    ) -> Result<SearchSession, Error> {
        let budget = match load {
            QueryLoad::OneQuestion => Budget::Blink,
            QueryLoad::Many => Budget::All,
        };
        SearchSession::open_at(ws, among, Some(Freshness::Usual), budget)
    }

    fn open_at(
        ws: &Workspace,
        among: &RecallFilter,
        freshness: Option<Freshness>,
        budget: Budget,
    ) -> Result<SearchSession, Error> {
        let mut units = Vec::new();
        units.extend(among.facts().then_some(Unit::Facts));
        units.extend(among.documents().then_some(Unit::Documents));
        let wanted = Wanted { scope: among.scope, units: &units, look: freshness, budget };
        let sources = Sources::open(ws, wanted)?;
        let encoding = Encoding::of(ws, budget);
        let facts = among.facts().then(|| FactSearch::of(ws, &sources, among, &encoding));
        let of_documents = list::Among { scope: among.scope, ..list::Among::default() };
        let documents = among
            .documents()
            .then(|| search::DocumentSearch::of(&sources, &of_documents, &[], &encoding));
        let Sources { stores, mut notes, problem } = sources;
        notes.extend(facts.iter().flat_map(|facts| facts.notes.clone()));
        let (among, indexes) = (among.clone(), stores);
        Ok(SearchSession { among, budget, facts, documents, indexes, notes, problem })
    }

    /// Lets others write until the next question.
    pub(super) fn release(&mut self) -> CacheValidity {
        self.notes.clear();
        let opened = self.indexes.iter().filter_map(|(_, opened)| opened.as_ref());
        // Releases each, even if another one failed.
        let failed = opened.filter(|opened| opened.release().is_err()).count();
        let is_all = self.indexes.iter().all(|(_, opened)| opened.is_some());
        match (failed, is_all && self.problem.is_none()) {
            (0, true) => CacheValidity::ByIndexes,
            (0, false) => CacheValidity::ByFiles,
            _ => CacheValidity::Unknown,
        }
    }

    /// Whether some stores were read from files alone, so that a listing is needed.
    pub(super) fn scans(&self) -> bool {
        self.problem.is_some() || self.indexes.iter().any(|(_, opened)| opened.is_none())
    }

    /// Whether nothing changed since the release.
    pub(super) fn is_unchanged(&self, context: &Context) -> bool {
        self.indexes.iter().all(|(store, opened)| {
            opened.as_ref().is_none_or(|opened| opened.is_unchanged(store, context))
        })
    }

    /// Searches again if the file of a result was edited in place, and falls back to the files if
    /// the index fails.
    pub fn answer(&mut self, ws: &Workspace, query: &str, limit: usize) -> Report {
        let (report, is_stale) = self.answered(ws, query, limit);
        if !is_stale && !self.has_failed() {
            return report;
        }
        // A failing index is rebuilt; if that does not help, the files are read.
        let freshness = if is_stale { Freshness::Whole } else { Freshness::Anew };
        self.read_again(ws, Some(freshness));
        let (report, _) = self.answered(ws, query, limit);
        if !self.has_failed() {
            return report;
        }
        self.read_again(ws, None);
        self.answered(ws, query, limit).0
    }

    fn has_failed(&self) -> bool {
        self.facts.as_ref().is_some_and(|facts| facts.corpus().has_failed())
            || self.documents.as_ref().is_some_and(search::DocumentSearch::has_failed)
    }

    fn read_again(&mut self, ws: &Workspace, freshness: Option<Freshness>) {
        // An open read would block the writer.
        (self.facts, self.documents, self.indexes) = (None, None, Vec::new());
        // The stores existed a moment ago; if they are gone, nothing is found.
        if let Ok(again) = SearchSession::open_at(ws, &self.among, freshness, self.budget) {
            let notes = [std::mem::take(&mut self.notes), again.notes].concat();
            *self = SearchSession { notes, ..again };
        }
    }

    /// The results, and whether the file of one has changed since.
    fn answered(&self, context: &Context, text: &str, limit: usize) -> (Report, bool) {
        let text = query::cut(text);
        let question = Question::encode(text, &Encoding::of(context, self.budget));
        let facts = self.facts.as_ref().map(|facts| facts.ranked(context, &question, limit));
        let documents =
            self.documents.as_ref().map(|documents| documents.ranked(context, &question, limit));
        let (facts, problem) = facts.unwrap_or_default();
        let documents = documents.unwrap_or_default();
        let found = merged(&facts, &documents, limit);
        let is_stale = found.iter().any(|found| self.is_stale(found));
        let calendar = context.calendar();
        let results: Vec<Answer> =
            found.iter().filter_map(|found| self.found(found, calendar)).collect();
        let nearest =
            if results.is_empty() { self.nearest(text, &facts, calendar) } else { Vec::new() };
        let is_unquoted = (facts.is_unquoted && !facts.hits.is_empty())
            || (documents.is_unquoted && !documents.hits.is_empty());
        let of_facts = |facts: &FactSearch| facts.findings.clone();
        let of_documents = |documents: &search::DocumentSearch| documents.findings();
        let findings = self.facts.as_ref().map_or_else(Vec::new, of_facts).into_iter();
        let report = Report {
            query: text.to_owned(),
            count: results.len(),
            unquoted: is_unquoted && !results.is_empty(),
            results,
            nearest,
            searched: self.facts.as_ref().map_or(0, FactSearch::count),
            documents: self.documents.as_ref().map_or(0, search::DocumentSearch::count),
            mode: self.facts.as_ref().map_or(SearchMode::Scan, FactSearch::mode),
            trust: facts.trust,
            trust_in_documents: documents.trust,
            notes: self.notes.clone(),
            problem: problem.or_else(|| self.problem.clone()),
            findings: findings
                .chain(self.documents.as_ref().map_or_else(Vec::new, of_documents))
                .collect(),
        };
        (report, is_stale)
    }

    fn nearest(&self, text: &str, ranked: &Ranked<Hit>, calendar: &Calendar) -> Vec<FactView> {
        let Some(facts) = &self.facts else { return Vec::new() };
        let spelt = facts.spelt_like(text, NEAREST, calendar);
        if !spelt.is_empty() {
            return spelt;
        }
        ranked.nearest.iter().take(NEAREST).filter_map(|hit| facts.view(hit.at, calendar)).collect()
    }

    fn is_stale(&self, found: &MergedHit) -> bool {
        match (found, &self.facts, &self.documents) {
            (MergedHit::Fact(hit), Some(facts), _) => facts.corpus().is_stale(hit.at),
            (MergedHit::Document(hit), _, Some(documents)) => documents.is_stale(hit.at),
            _ => false,
        }
    }

    fn found(&self, found: &MergedHit, calendar: &Calendar) -> Option<Answer> {
        match found {
            MergedHit::Fact(hit) => self.facts.as_ref()?.found(hit, calendar).map(Answer::Memory),
            MergedHit::Document(hit) => {
                let answer = self.documents.as_ref()?.found(hit)?;
                Some(Answer::Document(Passage::of(answer, hit, calendar)))
            }
        }
    }
}
