//! The facts of some stores, loaded for any number of questions.
//!
//! Invariant: a store read from files and one in an index give the same answers.

use super::{Question, RecallFilter};
use crate::identity::{Calendar, FactView, Finding, handle::Shared};
use crate::ops::workspace::Workspace;
use crate::ops::{
    index::{Encoding, JointCorpus, SearchMode, Sources, StoreCorpus},
    named,
    store::{PlacedFact, Scope},
};
use crate::recall::{Corpus, CoverageParts, Hit, Parts, Ranked, Searcher, near};
use crate::system::Context;
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
    searcher: Searcher<JointCorpus>,
    /// Numbers that another fact had until a sync renumbered it.
    lost: BTreeSet<u64>,
    pub(super) findings: Vec<Finding>,
    pub(super) notes: Vec<String>,
}

impl FactSearch {
    pub(super) fn of(
        ws: &Workspace,
        sources: &Sources,
        among: &RecallFilter,
        encoding: &Encoding<'_>,
    ) -> FactSearch {
        let (mut parts, mut findings, mut notes) = (Vec::new(), Vec::new(), Vec::new());
        for (store, opened) in &sources.stores {
            let wanted = (among, ws.calendar());
            let read = || StoreCorpus::read(store.clone(), wanted, encoding);
            let (part, bad) = match opened.clone() {
                None => read(),
                Some(opened) => StoreCorpus::indexed(store.clone(), opened, wanted, encoding)
                    .unwrap_or_else(|error| {
                        notes.push(format!("{error}; all files are read instead"));
                        read()
                    }),
            };
            parts.push(part);
            findings.extend(bad);
        }
        findings.sort_by(|a, b| a.path.cmp(&b.path));
        let lost = named::taken_numbers(ws);
        FactSearch { searcher: Searcher::new(JointCorpus::new(parts)), lost, findings, notes }
    }

    pub(super) fn corpus(&self) -> &JointCorpus {
        self.searcher.corpus()
    }

    pub(super) fn count(&self) -> usize {
        self.corpus().documents().len()
    }

    pub(super) fn mode(&self) -> SearchMode {
        self.corpus().mode()
    }

    /// The ranked facts, and why the vectors are not from the model in the settings.
    pub(super) fn ranked(
        &self,
        context: &Context,
        question: &Question,
        limit: usize,
    ) -> (Ranked<Hit>, Option<String>) {
        let (vector, problem) = self.corpus().asked(context, &question.query.meant);
        let asked = question.asked(context, vector);
        (self.searcher.rank(&question.query, &asked, limit), problem)
    }

    /// The facts with words that are spelt most like the query's.
    pub(super) fn spelt_like(
        &self,
        query: &str,
        limit: usize,
        calendar: &Calendar,
    ) -> Vec<FactView> {
        let near = near::spelt_like(query, self.corpus(), limit);
        near.into_iter().filter_map(|at| self.view(at, calendar)).collect()
    }

    pub(super) fn view(&self, at: usize, calendar: &Calendar) -> Option<FactView> {
        let placed = self.corpus().placed(at)?;
        Some(placed.view(self.shared(at, &placed), calendar))
    }

    /// Whether the number of a fact means another one, too.
    fn shared(&self, at: usize, placed: &PlacedFact) -> Shared {
        let id = placed.memory.id;
        let was_another =
            placed.scope == Scope::Identity && id.is_some_and(|id| self.lost.contains(&id));
        (was_another || self.corpus().sharing(at) > 1).into()
    }

    pub(super) fn found(&self, hit: &Hit, calendar: &Calendar) -> Option<FactHit> {
        let placed = self.corpus().placed(hit.at)?;
        Some(FactHit {
            fact: placed.whole_view(self.shared(hit.at, &placed), calendar),
            score: (hit.score * 1000.0).round() / 1000.0,
            relevance: (hit.coverage * 100.0).round() / 100.0,
            why: hit.why,
            signals: hit.parts,
        })
    }
}
