//! The facts of one store, as a corpus.
//!
//! Invariant: in the order of time, as everywhere, so that equal scores fall alike in every index.

use super::{
    Encoding, HeldFacts, Opened,
    corpus::{IndexCorpus, Searched},
    database::{FileMeta, IndexError, Reads, TextRow, Unit},
    placed::PlacedTexts,
    rows,
    search::RecallFilter,
    store::{PlacedFact, Scope, Store},
};
use crate::identity::{Calendar, Finding, kind::MEMORIES};
use crate::recall::{Corpus, union::AsCorpus};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) struct FactCorpus {
    /// Of all facts, also of those that a filter excludes.
    numbers: Vec<u64>,
    texts: IndexCorpus,
    /// How many were asked for and do not hold.
    not_held: usize,
}

impl AsCorpus for FactCorpus {
    fn corpus(&self) -> &dyn Corpus {
        &self.texts
    }
}

impl FactCorpus {
    /// With the findings for files that are not facts. The words of the few facts that do not hold
    /// are counted like those of the others.
    pub(crate) fn of(
        (store, opened): (&Store, &Opened),
        (among, calendar, held): (&RecallFilter, &Calendar, &HeldFacts),
        encoding: &Encoding<'_>,
    ) -> Result<(FactCorpus, Vec<Finding>), IndexError> {
        let reads = opened.index.reads(Unit::Facts);
        let mut numbers = Vec::with_capacity(reads.count_texts());
        let of_facts = |finding: &&Finding| finding.path.starts_with(MEMORIES);
        let findings = store.named(opened.findings.iter().filter(of_facts).cloned().collect());
        let mut allowed: Option<BTreeSet<i64>> = None;
        if !among.is_all() {
            let is_allowed = |meta: &FileMeta| {
                rows::facts(&meta.facts).is_some_and(|facts| among.has(&facts, calendar))
            };
            let metas = reads.metas()?.into_iter().filter(is_allowed);
            allowed = Some(metas.map(|meta| meta.id).collect());
        }
        let scope = if allowed.is_some() { Searched::Some } else { Searched::All };
        let hidden = held.hidden_files(store);
        let is_asked_for =
            |file: i64| allowed.as_ref().is_none_or(|allowed| allowed.contains(&file));
        let texts = PlacedTexts::read(&reads, |row| {
            if let Some(number) = row.number {
                numbers.push(number);
            }
            is_asked_for(row.file) && !hidden.has(row.file)
        })?;
        let not_held = hidden.iter().filter(|file| is_asked_for(*file)).count();
        let texts = (texts.by_time(&reads)?, scope);
        let texts = IndexCorpus::new((store, opened, Unit::Facts), texts, encoding);
        Ok((FactCorpus { numbers, texts, not_held }, findings))
    }

    pub(crate) fn not_held(&self) -> usize {
        self.not_held
    }

    pub(crate) fn texts(&self) -> &IndexCorpus {
        &self.texts
    }

    /// How many facts have a number.
    pub(crate) fn numbered(&self, number: u64) -> usize {
        self.numbers.iter().filter(|known| **known == number).count()
    }

    pub(crate) fn scope(&self) -> Scope {
        self.texts.store().scope
    }

    pub(crate) fn placed(&self, at: usize) -> Option<PlacedFact> {
        let content = self.texts.content(self.texts.file(at))?;
        Some(self.texts.store().place(rows::memory(content)?))
    }

    pub(crate) fn is_stale(&self, at: usize) -> bool {
        self.texts.is_stale(self.texts.file(at))
    }
}

/// By time; facts with the same time and text, by path.
pub(super) fn in_order(rows: &mut [TextRow], reads: &Reads<'_>) -> Result<(), IndexError> {
    rows.sort_by_key(|row| (row.created, row.hash_prefix));
    let of = |row: &TextRow| (row.created, row.hash_prefix);
    for same in rows.chunk_by_mut(|a, b| of(a) == of(b)).filter(|same| same.len() > 1) {
        let mut paths = BTreeMap::new();
        for row in same.iter() {
            paths.insert(row.id, reads.path(row.file)?);
        }
        same.sort_by(|a, b| paths[&a.id].cmp(&paths[&b.id]));
    }
    Ok(())
}
