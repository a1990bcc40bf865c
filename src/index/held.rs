//! Which facts of some stores hold, told from the few that say anything of their time.
//!
//! Invariant: equals reading every file, and depends on the moment that is asked about, not on when
//! the index was written. Where no fact says anything of its time, no row is read. Must not know
//! who asks, or what is shown of a fact.

use super::{
    FactIndex, Opened,
    database::{self, FileMeta, Index, IndexError, Unit},
    kept_out::kept_out,
    opening::from_index,
    rows,
    spec::file_of,
    store::{Scope, Store},
};
use crate::identity::{
    Calendar, ContentHash, Memory, Stamp, Standing, StandingFilter, When,
    current::{self, Dated},
    fact_list::nearness,
    fact_view::Held,
    memory::MemoryMeta,
};
use crate::machine::Context;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// A fact that says when it holds, or that another replaces.
struct TimedFact {
    /// The place of its store among those of the reader.
    store: usize,
    path: String,
    /// Its file in the index; `None` if it was read from the file itself.
    file: Option<i64>,
    facts: MemoryMeta,
}

impl TimedFact {
    fn read(store: usize, memory: &Memory) -> TimedFact {
        let path = memory.path.to_string();
        TimedFact { store, path, file: None, facts: MemoryMeta::clone(memory) }
    }
}

/// How many facts of a store do not hold, and how many of those that do should have been checked by
/// now.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct TimedCount {
    pub(crate) not_held: usize,
    pub(crate) unchecked: usize,
}

/// A few of very many files: that one is not among them, its bit nearly always tells.
pub(super) struct FewFiles {
    bits: [u64; WORDS],
    files: BTreeSet<i64>,
}

/// Enough bits for a few hundred files.
const WORDS: usize = 64;

impl FewFiles {
    fn of(files: BTreeSet<i64>) -> FewFiles {
        let mut bits = [0_u64; WORDS];
        for (word, bit) in files.iter().map(|file| bit_of(*file)) {
            bits[word] |= bit;
        }
        FewFiles { bits, files }
    }

    pub(super) fn has(&self, file: i64) -> bool {
        let (word, bit) = bit_of(file);
        self.bits[word] & bit != 0 && self.files.contains(&file)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = i64> {
        self.files.iter().copied()
    }
}

/// Its word, and its bit there.
fn bit_of(file: i64) -> (usize, u64) {
    let file = file.cast_unsigned();
    ((file >> 6) as usize % WORDS, 1 << (file & 63))
}

/// Which facts of some stores hold at a moment.
pub(crate) struct HeldFacts {
    /// The folders of the stores.
    roots: Vec<(PathBuf, Scope)>,
    which: StandingFilter,
    at: Stamp,
    calendar: Calendar,
    facts: Vec<TimedFact>,
    standings: Vec<Standing>,
    /// Of each store, where the fact of a path is in `facts`.
    places: Vec<BTreeMap<String, usize>>,
    next_change: Option<Stamp>,
}

impl HeldFacts {
    /// Of stores whose indexes are open.
    pub(super) fn of_opened(
        stores: &[(Store, Opened)],
        which: StandingFilter,
        context: &Context,
    ) -> Result<HeldFacts, IndexError> {
        let mut facts = Vec::new();
        for (at, (store, opened)) in stores.iter().enumerate() {
            facts.extend(of_index((at, store), &opened.index)?);
        }
        let hashes = superseded(&facts);
        for (at, (store, opened)) in stores.iter().enumerate() {
            facts.extend(replaced_in_index((at, store), &opened.index, &hashes)?);
        }
        let stores: Vec<&Store> = stores.iter().map(|(store, _)| store).collect();
        Ok(HeldFacts::of_facts(&stores, facts, which, context))
    }

    /// From the index of each store that has one, else from its files.
    pub(crate) fn of_stores(
        stores: &[&Store],
        which: StandingFilter,
        context: &Context,
    ) -> HeldFacts {
        let mut facts: Vec<TimedFact> = Vec::new();
        let all = || stores.iter().copied().enumerate();
        for (at, store) in all() {
            let of_files = |memories: Vec<Memory>| -> Vec<TimedFact> {
                memories.iter().map(|memory| TimedFact::read(at, memory)).collect()
            };
            let of_index = |opened: &Opened| of_index((at, store), &opened.index).ok();
            facts.extend(if has_index(store, context) {
                from_index(store, context, of_index, of_files).0
            } else {
                of_files(store.memories().0.into_iter().map(|placed| placed.memory).collect())
            });
        }
        let hashes = superseded(&facts);
        for (at, store) in all().filter(|_| !hashes.is_empty()) {
            let of_index =
                |opened: &Opened| replaced_in_index((at, store), &opened.index, &hashes).ok();
            // Without an index, all are among them already.
            if has_index(store, context) {
                facts.extend(from_index(store, context, of_index, |_| Vec::new()).0);
            }
        }
        HeldFacts::of_facts(stores, facts, which, context)
    }

    /// All facts of one store, as a lookup sees them: if this call has already compared the index
    /// with the files, it does not compare them again.
    pub(crate) fn for_lookup(store: &Store, context: &Context) -> HeldFacts {
        let which = StandingFilter::All;
        let index = FactIndex::for_lookup(store, context);
        let held = index.and_then(|index| HeldFacts::with_saved(store, &index, which, context));
        held.unwrap_or_else(|| HeldFacts::of_stores(&[store], which, context))
    }

    /// Of one store, from its index and what was saved since. `None` if a read of the index fails.
    pub(crate) fn with_saved(
        store: &Store,
        index: &FactIndex<'_>,
        which: StandingFilter,
        context: &Context,
    ) -> Option<HeldFacts> {
        let mut facts = of_index((0, store), &index.index).ok()?;
        facts.extend(index.saved.iter().map(|memory| TimedFact::read(0, memory)));
        let hashes = superseded(&facts);
        facts.extend(replaced_in_index((0, store), &index.index, &hashes).ok()?);
        Some(HeldFacts::of_facts(&[store], facts, which, context))
    }

    fn of_facts(
        stores: &[&Store],
        facts: Vec<TimedFact>,
        which: StandingFilter,
        context: &Context,
    ) -> HeldFacts {
        let calendar = context.calendar().clone();
        let when = When { at: context.moment(), calendar: &calendar };
        let scope = |place: usize| stores[place].scope;
        let near = |place: usize| nearness(scope(place), place, stores.len());
        let dated: Vec<Dated<'_>> =
            facts.iter().map(|fact| Dated::of(&fact.facts, near(fact.store))).collect();
        let standings = current::standings(&dated, when);
        let next_change = current::next_change(&dated, when);
        let at = when.at;
        let mut places = vec![BTreeMap::new(); stores.len()];
        for (place, fact) in facts.iter().enumerate() {
            places[fact.store].entry(fact.path.clone()).or_insert(place);
        }
        let roots = stores.iter().map(|store| (store.root.clone(), store.scope)).collect();
        HeldFacts { roots, which, at, calendar, facts, standings, places, next_change }
    }

    fn when(&self) -> When<'_> {
        When { at: self.at, calendar: &self.calendar }
    }

    /// Whether nothing began, ended or became due since; the clock may have been set back, too.
    pub(super) fn is_as_at(&self, context: &Context) -> bool {
        let now = context.moment();
        let is_within = self.at <= now && self.next_change.is_none_or(|next| now < next);
        self.facts.is_empty() || (is_within && self.calendar == *context.calendar())
    }

    fn place(&self, root: &Path, path: &str) -> Option<usize> {
        if self.facts.is_empty() {
            return None;
        }
        let store = self.roots.iter().position(|(known, _)| known == root)?;
        self.places[store].get(path).copied()
    }

    /// Whether the fact in this file is wanted.
    pub(crate) fn wants(&self, store: &Store, path: &str) -> bool {
        let place = self.place(&store.root, path);
        place.is_none_or(|place| self.which.wants(self.standings[place]))
    }

    /// Those of a store that are not wanted.
    fn hidden<'a>(&'a self, store: &'a Store) -> impl Iterator<Item = &'a TimedFact> {
        let is_hidden = move |(place, fact): &(usize, &TimedFact)| {
            self.roots[fact.store].0 == store.root && !self.which.wants(self.standings[*place])
        };
        self.facts.iter().enumerate().filter(is_hidden).map(|(_, fact)| fact)
    }

    /// Their files in the index.
    pub(super) fn hidden_files(&self, store: &Store) -> FewFiles {
        FewFiles::of(self.hidden(store).filter_map(|fact| fact.file).collect())
    }

    /// How many there are.
    pub(super) fn count_hidden(&self, store: &Store) -> usize {
        self.hidden(store).count()
    }

    /// Whichever facts are wanted.
    pub(super) fn counts(&self, store: &Store) -> TimedCount {
        let mut counts = TimedCount::default();
        let in_store = |place: &usize| self.roots[self.facts[*place].store].0 == store.root;
        for place in (0..self.facts.len()).filter(in_store) {
            let holds = self.standings[place] == Standing::Current;
            let since = current::unchecked_since(&self.dated(place), self.when());
            counts.not_held += usize::from(!holds);
            counts.unchecked += usize::from(holds && since.is_some());
        }
        counts
    }

    /// The texts of the facts that replace this one of the same store, whether or not they do now.
    pub(crate) fn superseding(&self, hash: ContentHash) -> BTreeSet<ContentHash> {
        let named = self.facts.iter().filter(|fact| {
            fact.facts.times.as_deref().is_some_and(|times| times.supersedes.contains(&hash))
        });
        named.map(|fact| fact.facts.hash).collect()
    }

    /// The facts that would hold again if these were gone, by the folders of their stores: the
    /// place of the store, and the text.
    pub(crate) fn again_without(
        &self,
        gone: &BTreeSet<(PathBuf, ContentHash)>,
    ) -> BTreeSet<(usize, ContentHash)> {
        let is_left =
            |fact: &TimedFact| !gone.contains(&(self.roots[fact.store].0.clone(), fact.facts.hash));
        let left: Vec<usize> =
            (0..self.facts.len()).filter(|place| is_left(&self.facts[*place])).collect();
        let dated: Vec<Dated<'_>> = left.iter().map(|place| self.dated(*place)).collect();
        let standings = current::standings(&dated, self.when());
        let is_again = |place: usize, standing: Standing| {
            matches!(self.standings[place], Standing::ReplacedBy(_))
                && standing == Standing::Current
        };
        let again = left.into_iter().zip(standings);
        let again = again.filter(|(place, standing)| is_again(*place, *standing));
        again.map(|(place, _)| (self.facts[place].store, self.facts[place].facts.hash)).collect()
    }

    fn dated(&self, place: usize) -> Dated<'_> {
        let TimedFact { store, facts, .. } = &self.facts[place];
        let scope = self.roots[*store].1;
        Dated::of(facts, nearness(scope, *store, self.roots.len()))
    }

    /// What is said of the fact in this file. `handle` names the one that replaces it.
    pub(crate) fn held(
        &self,
        store: &Store,
        path: &str,
        handle: impl FnOnce(Scope, &MemoryMeta) -> String,
    ) -> Held {
        let Some(place) = self.place(&store.root, path) else { return Held::default() };
        let standing = self.standings[place];
        let by = if let Standing::ReplacedBy(by) = standing { Some(&self.facts[by]) } else { None };
        let by = by.map(|by| handle(self.roots[by.store].1, &by.facts));
        let marks = current::marks(&self.dated(place), standing, by.as_deref(), self.when());
        Held { standing: standing.word(), marks }
    }
}

/// Making one costs more than reading the files once.
fn has_index(store: &Store, context: &Context) -> bool {
    context.settings.recall.index && database::is_there(&file_of(store, context))
}

/// The texts that some of these facts replace.
fn superseded(facts: &[TimedFact]) -> BTreeSet<ContentHash> {
    let times = facts.iter().filter_map(|fact| fact.facts.times.as_deref());
    times.flat_map(|times| times.supersedes.iter().copied()).collect()
}

/// The facts that say when they hold.
fn of_index((at, store): (usize, &Store), index: &Index) -> Result<Vec<TimedFact>, IndexError> {
    const DAMAGED: IndexError = IndexError::Damaged("which facts say when they hold");
    let mut facts = Vec::new();
    for meta in index.reads(Unit::Facts).timed()? {
        let read = rows::facts(&meta.facts).filter(|facts| facts.times.is_some());
        let read = read.ok_or(DAMAGED)?;
        facts.push(TimedFact { store: at, path: meta.path, file: Some(meta.id), facts: read });
    }
    let others = kept_out(store, index).into_iter();
    let others = others.filter(|memory| memory.times.is_some());
    facts.extend(others.map(|memory| TimedFact::read(at, &memory)));
    Ok(facts)
}

/// The facts with one of these texts that say nothing of their time.
fn replaced_in_index(
    (at, store): (usize, &Store),
    index: &Index,
    hashes: &BTreeSet<ContentHash>,
) -> Result<Vec<TimedFact>, IndexError> {
    if hashes.is_empty() {
        return Ok(Vec::new());
    }
    let prefixes: BTreeSet<u64> = hashes.iter().map(ContentHash::hash_prefix).collect();
    let prefixes: Vec<u64> = prefixes.into_iter().collect();
    let is_wanted = |facts: &MemoryMeta| facts.times.is_none() && hashes.contains(&facts.hash);
    let found = index.reads(Unit::Facts).with_hash_prefixes(&prefixes)?;
    let timed = |meta: FileMeta| {
        let facts = rows::facts(&meta.facts).filter(is_wanted)?;
        Some(TimedFact { store: at, path: meta.path, file: Some(meta.id), facts })
    };
    let mut facts: Vec<TimedFact> = found.into_iter().filter_map(timed).collect();
    let others = kept_out(store, index).into_iter();
    let others = others.filter(|memory| is_wanted(memory));
    facts.extend(others.map(|memory| TimedFact::read(at, &memory)));
    Ok(facts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whether_a_file_is_one_of_few_is_told_of_each() {
        let files = BTreeSet::from([-1, 1, 63, 64, 4_095, 4_097, 9_000, i64::MAX]);
        let few = FewFiles::of(files.clone());
        for file in (-70..10_000).chain([i64::MIN, i64::MAX]) {
            assert_eq!(few.has(file), files.contains(&file), "{file}");
        }
        assert!(few.iter().eq(files));
        assert!(!FewFiles::of(BTreeSet::new()).has(0));
    }
}
