//! Handles for facts: `12`, `p12` for a fact of the project, `acme/12` for one of a layer,
//! `12-3fa9` if two facts share a number, `sha256:…`.
//!
//! Invariant: a handle that is shown means one fact alone, and every verb accepts it.

use super::{Error, ErrorKind, VerbError, Workspace, last_sync::Last};
use crate::identity::{
    ContentHash, FactList, FactView, LayerName, Memory, RelPath, Stamp,
    handle::{Handle, Shared},
};
use crate::index::{
    FactIndex,
    store::{PlacedFact, Scope, Store},
};
use crate::merge::change::FieldChange;
use std::collections::{BTreeMap, BTreeSet};

/// Why a handle does not identify exactly one memory.
#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    #[error("`{text}` is not the handle of a fact")]
    NoHandle { text: String },
    #[error("there is no fact {text}")]
    NotFound {
        text: String,
        /// Whether the log tells of such a fact.
        is_in_log: bool,
    },
    #[error("`{text}` {}", why_ambiguous(*is_renumbered))]
    Ambiguous {
        text: String,
        /// A line for each memory: its handle and how it begins.
        candidates: Vec<String>,
        /// Whether a sync gave the number to another memory.
        is_renumbered: bool,
    },
}

impl VerbError for ShowError {
    fn kind(&self) -> ErrorKind {
        match self {
            ShowError::NoHandle { .. } => ErrorKind::Invalid,
            ShowError::NotFound { .. } => ErrorKind::NotFound,
            ShowError::Ambiguous { .. } => ErrorKind::NeedsChoice,
        }
    }
}

fn why_ambiguous(is_renumbered: bool) -> &'static str {
    if is_renumbered {
        "has belonged to another fact since a sync, so it could mean either"
    } else {
        "matches several facts"
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FactRef {
    handle: Handle,
    /// `None` without a prefix: the identity's fact, or the project's if only that has the number.
    scope: Option<Scope>,
}

impl FactRef {
    /// `None` if it is plain text.
    pub fn parse(text: &str) -> Option<FactRef> {
        let text = text.trim();
        if let Some(handle) = Handle::parse(text) {
            return Some(FactRef { handle, scope: None });
        }
        let of_layer = || {
            let (name, rest) = text.split_once('/')?;
            Some((Scope::Layer(LayerName::new(name)?), rest))
        };
        let of_project = text.strip_prefix(['p', 'P']).map(|rest| (Scope::Project, rest));
        let (scope, rest) = match of_project {
            Some((scope, rest)) if Handle::parse(rest).is_some() => (scope, rest),
            _ => of_layer()?,
        };
        match Handle::parse(rest)? {
            handle @ (Handle::Id(_) | Handle::IdAndHash(..)) => {
                Some(FactRef { handle, scope: Some(scope) })
            }
            Handle::Hash(_) => None,
        }
    }

    /// Whether it explicitly refers to a fact of the project (`p12`).
    pub fn is_of_project(&self) -> bool {
        self.scope == Some(Scope::Project)
    }

    /// The layer that it explicitly refers to (`acme/12`).
    pub fn layer(&self) -> Option<LayerName> {
        self.scope.and_then(Scope::layer)
    }

    /// Whether a fact has this handle, wherever it is kept.
    pub fn names(&self, memory: &Memory) -> bool {
        self.handle.names(memory)
    }

    /// The facts of a store with this handle. The index says which files to read; what they contain
    /// decides.
    pub fn facts_in(&self, store: &Store, ws: &Workspace) -> Vec<PlacedFact> {
        // A bare number is none of a layer's.
        let is_bare = self.scope.is_none() && !matches!(self.handle, Handle::Hash(_));
        let is_of_layer = store.scope.layer().is_some() && ws.only != Some(store.scope);
        if self.scope.is_some_and(|scope| scope != store.scope) || (is_bare && is_of_layer) {
            return Vec::new();
        }
        facts_named(std::slice::from_ref(&self.handle), store, ws)
    }

    /// Drops the project's facts if a bare number also matches one of the identity.
    pub fn settle<T>(&self, found: &mut Vec<T>, scope: impl Fn(&T) -> Scope) {
        let of_identity = found.iter().any(|fact| scope(fact) == Scope::Identity);
        let bare = matches!(self.handle, Handle::Id(_)) && self.scope.is_none();
        if bare && of_identity {
            found.retain(|fact| scope(fact) == Scope::Identity);
        }
    }
}

/// With more handles, reading every file costs less.
const LOOKED_UP: usize = 64;

/// The facts of a store with one of these handles. The index says which files to read; what they
/// contain decides.
pub fn facts_named(handles: &[Handle], store: &Store, ws: &Workspace) -> Vec<PlacedFact> {
    let is_named = |placed: &PlacedFact| handles.iter().any(|handle| handle.names(&placed.memory));
    facts_or_more(handles, store, ws).into_iter().filter(is_named).collect()
}

/// All facts of a store with one of these handles, and perhaps others.
fn facts_or_more(handles: &[Handle], store: &Store, ws: &Workspace) -> Vec<PlacedFact> {
    let found = (handles.len() <= LOOKED_UP).then(|| looked_up(handles, store, ws)).flatten();
    found.unwrap_or_else(|| store.memories().0)
}

/// The facts of a store with this text. That there is none is no reason to compare a large store.
pub fn facts_with(hash: ContentHash, store: &Store, ws: &Workspace) -> Vec<PlacedFact> {
    let looked_up = || {
        let index = FactIndex::for_lookup(store, ws)?;
        Some(facts_at(index.files_named(&Handle::Hash(hash.hex()))?, store))
    };
    let all = looked_up().unwrap_or_else(|| store.memories().0);
    all.into_iter().filter(|placed| placed.memory.hash == hash).collect()
}

/// `None` if every file has to be read.
fn looked_up(handles: &[Handle], store: &Store, ws: &Workspace) -> Option<Vec<PlacedFact>> {
    let index = FactIndex::for_lookup(store, ws)?;
    let found = read_named(&index, handles, store)?;
    let is_found = |handle: &Handle| found.iter().any(|placed| handle.names(&placed.memory));
    if !index.is_coarse() || handles.iter().all(is_found) {
        return Some(found);
    }
    // A file may have been edited in place.
    read_named(&index.compared_with_files()?, handles, store)
}

/// The facts that an index has under one of these handles.
fn read_named(index: &FactIndex<'_>, handles: &[Handle], store: &Store) -> Option<Vec<PlacedFact>> {
    let files = handles.iter().map(|handle| index.files_named(handle));
    let files: Option<Vec<Vec<RelPath>>> = files.collect();
    Some(facts_at(files?.into_iter().flatten(), store))
}

/// The facts in these files, each once.
fn facts_at(files: impl IntoIterator<Item = RelPath>, store: &Store) -> Vec<PlacedFact> {
    let files: BTreeSet<RelPath> = files.into_iter().collect();
    files.iter().filter_map(|path| store.fact_at(path)).collect()
}

/// For a bare number that a sync took from another fact on this laptop, also returns that fact
/// while it is there under another number: the person may mean either.
pub fn with_moved(ws: &Workspace, named: &FactRef, found: &mut Vec<(Store, PlacedFact)>) {
    let Handle::Id(number) = named.handle else { return };
    let [(store, placed)] = found.as_slice() else { return };
    if named.scope.is_some() || store.scope != Scope::Identity {
        return;
    }
    let moved = Last::read(store).moved(ws.now()).into_iter();
    let of_it = moved.filter(|(was, _)| *was == number);
    let origins: BTreeSet<Stamp> = of_it.map(|(_, origin)| origin).collect();
    let (store, hash) = (store.clone(), placed.memory.hash);
    let is_other = |other: &PlacedFact| {
        let memory = &other.memory;
        memory.id != Some(number) && memory.hash != hash
    };
    let others = facts_created(&origins, &store, ws).into_iter().filter(is_other);
    found.extend(others.map(|other| (store.clone(), other)));
}

/// The numbers that a sync took from facts of this laptop which are still here, under others.
pub fn taken_numbers(ws: &Workspace) -> BTreeSet<u64> {
    let store = ws.identity_place();
    let moved = Last::read(store).moved(ws.now());
    let origins: BTreeSet<Stamp> = moved.iter().map(|(_, origin)| *origin).collect();
    let facts = facts_created(&origins, store, ws);
    let is_elsewhere = |(was, origin): &(u64, Stamp)| {
        let mut its = facts.iter().filter(|placed| placed.memory.created == *origin);
        its.any(|placed| placed.memory.id != Some(*was))
    };
    moved.into_iter().filter(is_elsewhere).map(|(was, _)| was).collect()
}

/// The fact as it is shown, with a handle that means it alone.
pub fn view(ws: &Workspace, placed: &PlacedFact) -> FactView {
    placed.view(shared(ws, placed), ws.calendar())
}

/// Several facts as [`view`] shows each. Their stores are looked at once, however many they are.
pub fn views(ws: &Workspace, facts: &[&PlacedFact]) -> Vec<FactView> {
    views_of(ws, facts, &numbered(ws, facts, facts_or_more))
}

/// As [`views`], by an index of one store that is open already.
pub fn views_by_index(
    ws: &Workspace,
    index: FactIndex<'_>,
    facts: &[&PlacedFact],
) -> Vec<FactView> {
    let numbered = numbered(ws, facts, |handles, store, ws| {
        if !index.is_of(store) {
            return facts_or_more(handles, store, ws);
        }
        read_named(&index, handles, store).unwrap_or_else(|| store.memories().0)
    });
    // An open read would block the writer of the index.
    drop(index);
    views_of(ws, facts, &numbered)
}

/// The scopes and numbers of all facts that have the numbers of these.
fn numbered(
    ws: &Workspace,
    facts: &[&PlacedFact],
    look_up: impl Fn(&[Handle], &Store, &Workspace) -> Vec<PlacedFact>,
) -> Vec<(Scope, Option<u64>)> {
    let mut ids: BTreeMap<Scope, BTreeSet<u64>> = BTreeMap::new();
    for placed in facts {
        ids.entry(placed.scope).or_default().extend(placed.memory.id);
    }
    let mut numbered = Vec::new();
    for (scope, ids) in ids {
        let handles: Vec<Handle> = ids.into_iter().map(Handle::Id).collect();
        for store in ws.to_read(Some(scope)).unwrap_or_default() {
            let found = look_up(&handles, &store, ws);
            numbered.extend(found.iter().map(|placed| (scope, placed.memory.id)));
        }
    }
    numbered
}

fn views_of(
    ws: &Workspace,
    facts: &[&PlacedFact],
    numbered: &[(Scope, Option<u64>)],
) -> Vec<FactView> {
    if facts.is_empty() {
        return Vec::new();
    }
    let numbers = Numbers::of(ws, numbered.iter().copied());
    let view = |placed: &&PlacedFact| {
        placed.view(numbers.shared(placed.scope, placed.memory.id), ws.calendar())
    };
    facts.iter().map(view).collect()
}

/// Names the facts that one replaces by their handles: a hash tells nobody which are meant.
pub fn name_fields<'a>(ws: &Workspace, fields: impl Iterator<Item = &'a mut FieldChange>) {
    let handle = |hash: ContentHash| {
        let stores = ws.to_read(None).unwrap_or_default().into_iter();
        let placed = stores.flat_map(|store| facts_with(hash, &store, ws)).next()?;
        Some(view(ws, &placed).handle)
    };
    fields.for_each(|field| field.name(&handle));
}

/// Whether the number of a fact means another one, too: one that has it as well, or had it here
/// until a sync renumbered that one. For several facts, [`views`] costs less.
pub fn shared(ws: &Workspace, placed: &PlacedFact) -> Shared {
    let Some(id) = placed.memory.id else { return Shared::No };
    let stores = ws.to_read(Some(placed.scope)).unwrap_or_default();
    let is_twice = stores.iter().any(|store| is_of_another(id, placed, store, ws));
    let was_another = || placed.scope == Scope::Identity && taken_numbers(ws).contains(&id);
    (is_twice || was_another()).into()
}

/// Whether another fact of a store has this number. The file of the fact itself is not read again.
fn is_of_another(id: u64, placed: &PlacedFact, store: &Store, ws: &Workspace) -> bool {
    let handle = Handle::Id(id);
    let files = FactIndex::for_lookup(store, ws).and_then(|index| index.files_named(&handle));
    let numbered = match files {
        Some(files) => {
            let is_other = |path: &RelPath| path.below(&store.shown) != placed.file;
            facts_at(files.into_iter().filter(is_other), store)
        }
        None => store.memories().0,
    };
    numbered.iter().any(|other| other.file != placed.file && handle.names(&other.memory))
}

/// Which numbers mean one fact alone, among all facts of some stores.
#[derive(Clone, Debug)]
pub struct Numbers {
    /// Those that several facts have.
    taken_twice: BTreeSet<(Scope, u64)>,
    /// Those that another fact had here until a sync renumbered it.
    lost: BTreeSet<u64>,
}

impl Numbers {
    /// Of the scopes and numbers of all facts.
    pub fn of(ws: &Workspace, facts: impl IntoIterator<Item = (Scope, Option<u64>)>) -> Numbers {
        let number = |(scope, id): (Scope, Option<u64>)| Some((scope, id?));
        let mut all: Vec<(Scope, u64)> = facts.into_iter().filter_map(number).collect();
        // They come in order, but for those that were edited since the index was made: two runs.
        all.sort();
        let same = all.windows(2).filter(|two| two[0] == two[1]);
        Numbers { taken_twice: same.map(|two| two[0]).collect(), lost: taken_numbers(ws) }
    }

    /// Whether the number of one of these facts means another one, too.
    pub fn shared(&self, scope: Scope, id: Option<u64>) -> Shared {
        let is_twice = |id: u64| self.taken_twice.contains(&(scope, id));
        let was_another = |id: u64| scope == Scope::Identity && self.lost.contains(&id);
        id.is_some_and(|id| is_twice(id) || was_another(id)).into()
    }
}

/// Appends the start of the hash to each number that does not mean one fact alone. The list has all
/// facts of some stores.
pub fn tell_apart(ws: &Workspace, list: &mut FactList) {
    let numbers = Numbers::of(ws, list.iter().map(|row| (row.scope(), row.id())));
    list.tell_apart(|scope, id| numbers.shared(scope, id));
}

/// The facts of a store that were learned at one of these times.
pub fn facts_created(origins: &BTreeSet<Stamp>, store: &Store, ws: &Workspace) -> Vec<PlacedFact> {
    if origins.is_empty() {
        return Vec::new();
    }
    let files = FactIndex::for_lookup(store, ws).and_then(|index| index.files_created(origins));
    let mut facts = files.map_or_else(|| store.memories().0, |files| facts_at(files, store));
    facts.retain(|placed| origins.contains(&placed.memory.created));
    facts
}

/// What to say if a handle means several facts: each with a handle that means only it.
pub fn ambiguous<'a>(text: &str, candidates: impl Iterator<Item = (&'a Memory, Scope)>) -> Error {
    let asked = text.trim().parse::<u64>().ok();
    // A fact with another number had this one here, until a sync renumbered it.
    let was = |memory: &Memory| asked.filter(|asked| memory.id.is_some_and(|id| id != *asked));
    let line = |(memory, scope): (&Memory, Scope)| {
        let before = was(memory).map_or_else(String::new, |was| {
            format!("  (was {was} on this laptop, until a sync renumbered it)")
        });
        format!("{}  {}{before}", memory.handle(scope, Shared::Yes), memory.summary())
    };
    let candidates: Vec<(&Memory, Scope)> = candidates.collect();
    let is_renumbered = candidates.iter().any(|(memory, _)| was(memory).is_some());
    let candidates = candidates.into_iter().map(line).collect();
    ShowError::Ambiguous { text: text.to_owned(), candidates, is_renumbered }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_p_names_the_projects_fact_and_words_name_none() {
        let scope = |typed: &str| FactRef::parse(typed).map(|named| named.scope);
        assert_eq!(scope("12"), Some(None));
        assert_eq!(scope("p12"), Some(Some(Scope::Project)));
        assert_eq!(scope("P12-3fa9"), Some(Some(Scope::Project)));
        let acme = LayerName::new("acme").expect("a name");
        assert_eq!(scope("acme/12"), Some(Some(Scope::Layer(acme))));
        assert_eq!(scope("acme/12-3fa9"), Some(Some(Scope::Layer(acme))));
        for words in
            ["p", "python", "p sha256:3fa9", "psha256:3fa9", "people/sarah", "acme/", "/12", "A/12"]
        {
            assert_eq!(scope(words), None, "{words}");
        }
    }
}
