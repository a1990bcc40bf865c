//! The facts of some stores, loaded for any number of questions.
//!
//! Invariant: the same for an index on disk and one in memory. Must not know how the stores were
//! opened.

use super::{Question, RecallFilter, merged};
use crate::identity::{Calendar, FactView, Finding, handle::Shared};
use crate::index::{
    Encoding, FactCorpus, HeldFacts, IndexCorpus, Sources,
    database::IndexError,
    store::{PlacedFact, Scope},
};
use crate::machine::Context;
use crate::recall::{
    Corpus, CoverageParts, Hit, Parts, Ranked, SearchParams, Searcher, spelling, union::Union,
};
use serde::Serialize;
use std::collections::BTreeSet;

/// How many more are ranked than asked for, to take the places of weak ones that are left out.
const SPARE: usize = 10;

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
    held: HeldFacts,
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
        let held = HeldFacts::of_opened(&sources.stores, among.which, context)?;
        for (store, opened) in &sources.stores {
            let wanted = (among, context.calendar(), &held);
            let (part, bad) = FactCorpus::of((store, opened), wanted, encoding)?;
            parts.push(part);
            findings.extend(bad);
        }
        findings.sort_by(|a, b| a.path.cmp(&b.path));
        let searcher = Searcher::new(Union::new(parts));
        Ok(FactSearch { searcher, held, lost: lost.clone(), findings })
    }

    /// Whether the same facts hold as when they were loaded.
    pub(super) fn is_as_held(&self, context: &Context) -> bool {
        self.held.is_as_at(context)
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

    /// How many of those that were asked for are left out because they do not hold.
    pub(super) fn count_not_held(&self) -> usize {
        self.corpus().parts().iter().map(FactCorpus::not_held).sum()
    }

    pub(super) fn ranked(
        &self,
        question: &Question,
        asked: &SearchParams,
        limit: usize,
    ) -> Ranked<Hit> {
        let more = limit.saturating_add(SPARE);
        let mut ranked = self.searcher.rank(&question.query, asked, more);
        let mut strongest = 0.0;
        ranked.hits.retain(|hit| {
            let before = strongest;
            strongest = f64::max(before, hit.coverage);
            !merged::fills_up(before, hit.coverage, merged::least_of_fact(hit))
        });
        ranked.hits.truncate(limit);
        ranked
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
        let view = placed.view(self.shared(placed.scope, placed.memory.id), calendar);
        Some(self.held(at, &placed, view))
    }

    /// Says of a fact whether it holds.
    fn held(&self, at: usize, placed: &PlacedFact, view: FactView) -> FactView {
        let (part, _) = self.corpus().within(at);
        let path = placed.memory.path.as_str();
        let held = self.held.held(part.texts().store(), path, |scope, by| {
            by.handle(scope, self.shared(scope, by.id))
        });
        FactView { held, ..view }
    }

    /// Whether a number means several facts of a scope, whether or not they are asked, or meant
    /// another one.
    fn shared(&self, scope: Scope, id: Option<u64>) -> Shared {
        let Some(id) = id else { return Shared::No };
        let was_another = scope == Scope::Identity && self.lost.contains(&id);
        let same = self.corpus().parts().iter().filter(|part| part.scope() == scope);
        (was_another || same.map(|part| part.numbered(id)).sum::<usize>() > 1).into()
    }

    pub(super) fn found(&self, hit: &Hit, calendar: &Calendar) -> Option<FactHit> {
        let placed = self.placed(hit.at)?;
        let shared = self.shared(placed.scope, placed.memory.id);
        let view = placed.whole_view(shared, calendar);
        Some(FactHit {
            fact: self.held(hit.at, &placed, view),
            score: (hit.score * 1000.0).round() / 1000.0,
            relevance: (hit.coverage * 100.0).round() / 100.0,
            why: hit.why,
            signals: hit.parts,
        })
    }
}
