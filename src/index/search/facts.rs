//! The facts of some stores, loaded for any number of questions.
//!
//! Invariant: the same for an index on disk and one in memory. Must not know how the stores were
//! opened.

use super::{Question, RecallFilter};
use crate::identity::{Calendar, FactView, Finding, handle::Shared};
use crate::index::{
    Encoding, FactCorpus, IndexCorpus, Sources,
    database::IndexError,
    store::{PlacedFact, Scope},
};
use crate::machine::Context;
use crate::recall::{
    Corpus, CoverageParts, Hit, Parts, Ranked, SearchParams, Searcher, spelling, union::Union,
};
use serde::Serialize;
use std::collections::BTreeSet;

/// A matching fact.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FactHit {
    #[serde(flatten)]
    pub fact: FactView,
    /// Comparable only within one query, among facts.
    pub score: f64,
    /// How well it matches the question, from 0 to 1: ranks facts among documents.
    pub relevance: f64,
    pub why: CoverageParts,
    /// The contribution of each signal to the score.
    pub signals: Parts,
}

pub(super) struct FactSearch {
    searcher: Searcher<Union<FactCorpus>>,
    /// Numbers that another fact had until a sync renumbered it.
    lost: BTreeSet<u64>,
    pub(super) findings: Vec<Finding>,
}

impl FactSearch {
    pub(super) fn of(
        context: &Context,
        sources: &Sources,
        (among, lost): (&RecallFilter, &BTreeSet<u64>),
        encoding: &Encoding<'_>,
    ) -> Result<FactSearch, IndexError> {
        let (mut parts, mut findings) = (Vec::new(), Vec::new());
        for (store, opened) in &sources.stores {
            let wanted = (among, context.calendar());
            let (part, bad) = FactCorpus::of((store, opened), wanted, encoding)?;
            parts.push(part);
            findings.extend(bad);
        }
        findings.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(FactSearch { searcher: Searcher::new(Union::new(parts)), lost: lost.clone(), findings })
    }

    fn corpus(&self) -> &Union<FactCorpus> {
        self.searcher.corpus()
    }

    pub(super) fn corpora(&self) -> impl Iterator<Item = &IndexCorpus> {
        self.corpus().parts().iter().map(FactCorpus::texts)
    }

    pub(super) fn count(&self) -> usize {
        self.corpus().documents().len()
    }

    pub(super) fn ranked(
        &self,
        question: &Question,
        asked: &SearchParams,
        limit: usize,
    ) -> Ranked<Hit> {
        self.searcher.rank(&question.query, asked, limit)
    }

    /// The facts with words that are spelt most like the query's.
    pub(super) fn spelt_like(
        &self,
        query: &str,
        limit: usize,
        calendar: &Calendar,
    ) -> Vec<FactView> {
        let near = spelling::spelt_like(query, self.corpus(), limit);
        near.into_iter().filter_map(|at| self.view(at, calendar)).collect()
    }

    /// Whether the file of a fact was edited in place since it was read.
    pub(super) fn is_stale(&self, at: usize) -> bool {
        let (part, at) = self.corpus().within(at);
        part.is_stale(at)
    }

    fn placed(&self, at: usize) -> Option<PlacedFact> {
        let (part, at) = self.corpus().within(at);
        part.placed(at)
    }

    pub(super) fn view(&self, at: usize, calendar: &Calendar) -> Option<FactView> {
        let placed = self.placed(at)?;
        Some(placed.view(self.shared(at, &placed), calendar))
    }

    /// Whether the number of a fact means another one, too.
    fn shared(&self, at: usize, placed: &PlacedFact) -> Shared {
        let id = placed.memory.id;
        let was_another =
            placed.scope == Scope::Identity && id.is_some_and(|id| self.lost.contains(&id));
        (was_another || self.sharing(at, id) > 1).into()
    }

    /// How many facts of the same scope share a fact's number, whether or not they are asked.
    fn sharing(&self, at: usize, number: Option<u64>) -> usize {
        let (part, _) = self.corpus().within(at);
        let Some(number) = number else { return 0 };
        let same = self.corpus().parts().iter().filter(|other| other.scope() == part.scope());
        same.map(|part| part.numbered(number)).sum()
    }

    pub(super) fn found(&self, hit: &Hit, calendar: &Calendar) -> Option<FactHit> {
        let placed = self.placed(hit.at)?;
        Some(FactHit {
            fact: placed.whole_view(self.shared(hit.at, &placed), calendar),
            score: (hit.score * 1000.0).round() / 1000.0,
            relevance: (hit.coverage * 100.0).round() / 100.0,
            why: hit.why,
            signals: hit.parts,
        })
    }
}
