//! `memory forget`: by handle or by text.
//!
//! Invariant: logged before anything is deleted. The file is deleted before the line is added to
//! the ledger, so that a crash in between looks like a deletion outside co, which sync completes.
//! Several matches are listed, and nothing is deleted without a choice.

use super::life;
use crate::identity::{ContentHash, FactView, LayerName, StandingFilter, handle::Handle};
use crate::index::{
    HeldFacts,
    store::{PlacedFact, Scope, Store},
};
use crate::machine::oplog::OpVerb;
use crate::merge::{
    change::{ChangeSet, FileChange},
    tidy,
};
use crate::recall::tokens::is_cjk;
use crate::workspace::{
    Error, ErrorKind, VerbError, Workspace, each_once, layers, ledger,
    named::{self, FactRef},
    transaction::TransactionError,
};
use std::{collections::BTreeSet, path::PathBuf};

#[derive(Clone, Debug, Default)]
pub struct Request {
    /// A handle, the text of a fact, or whole words from it.
    pub what: String,
    pub scope: Option<Scope>,
}

#[derive(Clone, Debug)]
pub struct Plan {
    matches: Vec<(Store, PlacedFact)>,
}

impl Plan {
    /// The facts that would be forgotten.
    pub fn matches(&self, ws: &Workspace) -> Vec<FactView> {
        let facts: Vec<&PlacedFact> = self.matches.iter().map(|(_, placed)| placed).collect();
        named::views(ws, &facts)
    }

    pub fn count(&self) -> usize {
        self.matches.len()
    }

    pub fn only(mut self, at: usize) -> Plan {
        self.matches = self.matches.into_iter().skip(at).take(1).collect();
        self
    }

    /// Combines several plans into one.
    pub fn joined(plans: Vec<Plan>) -> Plan {
        let mut matches: Vec<_> = plans.into_iter().flat_map(|plan| plan.matches).collect();
        one_per_fact(&mut matches);
        Plan { matches }
    }

    pub fn ambiguous(&self, text: &str) -> Error {
        named::ambiguous(
            text,
            self.matches.iter().map(|(_, placed)| (&placed.memory, placed.scope)),
        )
    }
}

/// Why nothing was forgotten.
#[derive(Debug, thiserror::Error)]
pub enum ForgetError {
    #[error("say what to forget")]
    Nothing,
    #[error("no fact matches `{wanted}`")]
    NoMatch { wanted: String },
    #[error("there is no fact {handle}")]
    NotThere {
        handle: String,
        /// Whether the log tells of such a fact.
        is_in_log: bool,
    },
}

impl VerbError for ForgetError {
    fn kind(&self) -> ErrorKind {
        match self {
            ForgetError::Nothing => ErrorKind::Invalid,
            ForgetError::NoMatch { .. } | ForgetError::NotThere { .. } => ErrorKind::NotFound,
        }
    }
}

pub fn plan(ws: &Workspace, request: &Request) -> Result<Plan, Error> {
    let wanted = request.what.trim();
    if wanted.is_empty() {
        return Err(ForgetError::Nothing.into());
    }
    // The name of a layer that is not on this laptop is a word like any other.
    let is_known = |named: &FactRef| {
        let is_on_list = |layer: LayerName| layers::find(ws, layer.as_str()).is_ok();
        named.layer().is_none_or(|layer| layer == LayerName::here() || is_on_list(layer))
    };
    let named = FactRef::parse(wanted).filter(is_known);
    let pattern = wanted.to_lowercase();
    let mut matches: Vec<(Store, PlacedFact)> = Vec::new();
    for store in ws.to_read(request.scope)? {
        let meant: Vec<PlacedFact> = match &named {
            Some(named) => named.facts_in(&store, ws),
            // What others wrote is forgotten by its handle only.
            None if store.is_of_others() && ws.only != Some(store.scope) => continue,
            None => {
                let all = store.memories().0.into_iter();
                all.filter(|placed| says(placed.memory.text(), &pattern)).collect()
            }
        };
        matches.extend(meant.into_iter().map(|placed| (store.clone(), placed)));
    }
    if matches.is_empty() {
        let wanted = wanted.to_owned();
        if named.is_none() {
            return Err(ForgetError::NoMatch { wanted }.into());
        }
        let is_in_log = life::tells_of(ws, &wanted, request.scope);
        return Err(ForgetError::NotThere { handle: wanted, is_in_log }.into());
    }
    let is_whole =
        |(_, placed): &(Store, PlacedFact)| placed.memory.text().to_lowercase() == pattern;
    if named.is_none() && matches.iter().any(is_whole) {
        matches.retain(is_whole);
    }
    if let Some(named) = &named {
        named.settle(&mut matches, |(store, _)| store.scope);
        named::with_moved(ws, named, &mut matches);
    }
    one_per_fact(&mut matches);
    Ok(Plan { matches })
}

/// Whether a text contains these lower-case words as a whole: part of a word does not match.
fn says(text: &str, words: &str) -> bool {
    let text = text.to_lowercase();
    // CJK is written without spaces, so each of its characters may begin a word.
    let goes_on = |letter: Option<char>| {
        letter.is_some_and(|letter| letter.is_alphanumeric() && !is_cjk(letter))
    };
    let is_inside = |outer: Option<char>, inner: Option<char>| goes_on(outer) && goes_on(inner);
    text.match_indices(words).any(|(at, found)| {
        let (before, after) = (&text[..at], &text[at + found.len()..]);
        !is_inside(before.chars().next_back(), found.chars().next())
            && !is_inside(after.chars().next(), found.chars().next_back())
    })
}

/// Copies of one fact in one store are one match: all copies are forgotten.
fn one_per_fact(matches: &mut Vec<(Store, PlacedFact)>) {
    let mut seen: BTreeSet<(PathBuf, ContentHash)> = BTreeSet::new();
    matches.retain(|(store, placed)| seen.insert((store.root.clone(), placed.memory.hash)));
}

/// The facts that hold again once these are forgotten, because those replaced them.
pub fn again(ws: &Workspace, plan: &Plan) -> Vec<FactView> {
    let replaces = |placed: &PlacedFact| {
        placed.memory.times.as_deref().is_some_and(|times| !times.supersedes.is_empty())
    };
    if !plan.matches.iter().any(|(_, placed)| replaces(placed)) {
        return Vec::new();
    }
    let stores = ws.to_read(None).unwrap_or_default();
    let all: Vec<&Store> = stores.iter().collect();
    let held = HeldFacts::of_stores(&all, StandingFilter::Current, ws);
    let gone = plan.matches.iter().map(|(store, placed)| (store.root.clone(), placed.memory.hash));
    let again = held.again_without(&gone.collect());
    let facts = again.into_iter().flat_map(|(at, hash)| named::facts_with(hash, &stores[at], ws));
    let facts: Vec<PlacedFact> = facts.collect();
    named::views(ws, &facts.iter().collect::<Vec<&PlacedFact>>())
}

/// The forgotten facts. A caller that asked a person after the plan was made has called
/// [`Workspace::forget_compared`].
pub fn apply(ws: &Workspace, plan: &Plan) -> Result<Vec<FactView>, Error> {
    let forgotten = plan.matches(ws);
    // The identity comes last; each project gets its own log entry.
    for store in each_once(plan.matches.iter().rev().map(|(store, _)| store)) {
        let here = plan.matches.iter().filter(|(other, _)| other.root == store.root);
        let facts: Vec<&PlacedFact> = here.map(|(_, placed)| placed).collect();
        forget(ws, store, &facts)?;
    }
    Ok(forgotten)
}

/// Forgets all given facts of a store in one operation.
fn forget(ws: &Workspace, store: &Store, facts: &[&PlacedFact]) -> Result<(), Error> {
    let write = ws.write_found(store)?;
    let change = change(ws, store, facts)?;
    let what: Vec<String> = facts.iter().map(|placed| placed.memory.summary()).collect();
    write.operation(OpVerb::Forget, what.join(" · ")).apply(&change)
}

/// The order matters: files are deleted first, ledger lines are written last.
fn change(ws: &Workspace, store: &Store, facts: &[&PlacedFact]) -> Result<ChangeSet, Error> {
    let texts: BTreeSet<String> = facts.iter().map(|fact| fact.memory.hash.hex()).collect();
    let texts: Vec<Handle> = texts.into_iter().map(Handle::Hash).collect();
    let copies = named::facts_named(&texts, store, ws);
    // One that cannot be read a second time is not forgotten.
    let is_there =
        |fact: &&PlacedFact| copies.iter().any(|copy| copy.memory.hash == fact.memory.hash);
    if let Some(missing) = facts.iter().copied().find(|fact| !is_there(fact)) {
        return Err(TransactionError::Changed { what: missing.memory.path.to_string() }.into());
    }
    let mut files: Vec<FileChange> =
        copies.iter().map(|copy| FileChange::removing(&copy.memory)).collect();
    if store.scope != Scope::Project {
        files.extend(ledger::with(store, |ledger| {
            for copy in &copies {
                let stamp = tidy::forget_stamp(ws.now(), &copy.memory, ledger);
                ledger.add(copy.memory.created, copy.memory.hash, stamp);
            }
        })?);
    }
    Ok(ChangeSet::of(files))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_of_a_word_is_none() {
        for (text, words, is_said) in [
            ("The cartographer likes maps", "ograph", false),
            ("The cartographer likes maps", "cartographer likes", true),
            ("The cartographer likes maps", "map", false),
            ("Uses C++ and C#", "c++", true),
            ("Prefers `uv sync`", "uv sync", true),
            ("maps, mapped maps", "maps", true),
            ("我喜欢在早上喝乌龙茶", "乌龙茶", true),
            ("Über alles", "über", true),
        ] {
            assert_eq!(says(text, words), is_said, "{words} in {text}");
        }
    }
}
