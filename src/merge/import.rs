//! What an import would make of an identity: one proposal, shown by `diff`, applied by `import`,
//! taken back by `undo`.
//!
//! Invariant: pure; the same current and incoming identity at the same time give the same proposal.
//! Nothing that is here and not taken away by a later forget leaves under [`How::Merge`]; git's own
//! files never come in from outside.

use super::{
    Decision, Policy,
    change::{ChangeSet, Fact},
    documents,
    ids::{self, Renumbered},
    merge, tidy,
};
use crate::identity::{
    ContentHash, Kind, Memory, RelPath, Snapshot, Stamp, kind::LEDGER, ledger::Match,
};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// How an identity comes in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// Joined with what is here.
    Merge,
    /// Joined, and what was forgotten here comes back as well.
    RestoreForgotten,
    /// In place of what is here.
    Replace,
}

/// A fact of the source that will not be there afterwards.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NotTaken {
    /// The fact, as the source has it.
    #[serde(flatten)]
    pub fact: Fact,
    /// Why.
    pub why: String,
}

/// What an import would change.
#[derive(Clone, PartialEq, Debug)]
pub struct Proposal {
    /// The identity now.
    pub before: Snapshot,
    /// The identity afterwards.
    pub after: Snapshot,
    /// The files between the two, and each choice behind them.
    pub change: ChangeSet,
    /// Memories that get another number than they have in the source.
    pub renumbered: Vec<Renumbered>,
    /// Facts of the source that stay out.
    pub not_taken: Vec<NotTaken>,
    /// How many facts both have.
    pub same: usize,
}

/// Works out what the import of `incoming` into `current` would change.
pub fn propose(current: &Snapshot, incoming: &Snapshot, how: How, now: Stamp) -> Proposal {
    let incoming = without_git(incoming);
    let (after, mut decisions) = match how {
        How::Merge => joined(current, &incoming, Policy::Import, now),
        How::RestoreForgotten => joined(current, &incoming, Policy::RestoreForgotten, now),
        How::Replace => replaced(current, &incoming, now),
    };
    let assigned = ids::assign(&after, current);
    decisions.extend(assigned.decisions);
    let mut proposal = Proposal::between(current, &assigned.snapshot);
    proposal.change.decisions = decisions;
    let theirs = incoming.memories();
    proposal.not_taken = not_taken(&theirs, &assigned.snapshot);
    proposal.renumbered = assigned.renumbered;
    let here = hashes(current);
    proposal.same = theirs
        .iter()
        .map(|memory| memory.hash)
        .collect::<BTreeSet<_>>()
        .intersection(&here)
        .count();
    proposal
}

fn without_git(incoming: &Snapshot) -> Snapshot {
    incoming
        .iter()
        .filter(|(path, _)| path.kind() != Kind::GitMeta)
        .map(|(path, blob)| (path.clone(), blob.clone()))
        .collect()
}

fn joined(
    current: &Snapshot,
    incoming: &Snapshot,
    policy: Policy,
    now: Stamp,
) -> (Snapshot, Vec<Decision>) {
    let merged = merge(None, current, incoming, policy);
    let settled = match policy {
        // What comes back although the ledger took it is learned again, so that the next sync does
        // not take it once more.
        Policy::RestoreForgotten => tidy::tidy(
            &merged.snapshot,
            &merged.snapshot,
            tidy::Clock { now, mtimes: &BTreeMap::new() },
        ),
        _ => tidy::settle(&merged.snapshot, now),
    };
    let mut decisions = merged.decisions;
    decisions.extend(settled.decisions);
    (settled.snapshot, decisions)
}

/// The incoming identity under our ledger. What was here and is not there is forgotten, and what
/// was edited there is newer now, so that the next sync carries the replacement to every laptop
/// instead of undoing it.
fn replaced(current: &Snapshot, incoming: &Snapshot, now: Stamp) -> (Snapshot, Vec<Decision>) {
    let mut wanted = incoming.clone();
    let mut ledger = current.ledger();
    ledger.join(&incoming.ledger());
    if let Some(text) = ledger.write() {
        wanted.put(RelPath::known(LEDGER), text.into_bytes());
    }
    // Git's own files stay, and so does what differs only in when it was stamped.
    let stays = |path: &RelPath, blob| {
        path.kind() == Kind::GitMeta
            || incoming.get(path).is_some_and(|theirs| documents::says_the_same(blob, theirs))
    };
    for (path, blob) in current.iter().filter(|(path, blob)| stays(path, blob)) {
        wanted.put(path.clone(), blob.clone());
    }
    let tidied = tidy::tidy(&wanted, current, tidy::Clock { now, mtimes: &BTreeMap::new() });
    (tidied.snapshot, tidied.decisions)
}

fn hashes(snapshot: &Snapshot) -> BTreeSet<ContentHash> {
    snapshot.memories().iter().map(|memory| memory.hash).collect()
}

fn not_taken(incoming: &[Memory], after: &Snapshot) -> Vec<NotTaken> {
    let (staying, ledger) = (after.memories(), after.ledger());
    let have: BTreeSet<ContentHash> = staying.iter().map(|memory| memory.hash).collect();
    let origins: BTreeSet<Stamp> = staying.iter().map(|memory| memory.created).collect();
    let why = |memory: &Memory| match (
        ledger.takes(memory, Match::TextOrOrigin),
        origins.contains(&memory.created),
    ) {
        (Some(stamp), _) => {
            format!("forgotten here on {}; --restore-forgotten takes it", stamp.date())
        }
        (None, true) => "the version here is newer".to_owned(),
        (None, false) => "part of another memory now".to_owned(),
    };
    let missing = incoming.iter().filter(|memory| !have.contains(&memory.hash));
    missing.map(|memory| NotTaken { why: why(memory), fact: Fact::of(memory) }).collect()
}

/// What a person agrees to or declines together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Group {
    /// New facts and files.
    Learned,
    /// Facts and files with other content.
    Changed,
    /// Facts and files that go.
    Removed,
}

/// One thing to agree to: a memory, wherever its file lies before and afterwards, or another file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// Its group.
    pub group: Group,
    /// What it is, in one line.
    pub summary: String,
    /// Its files.
    pub paths: Vec<RelPath>,
}

impl Proposal {
    /// Every change between two identities, without a source.
    pub fn between(before: &Snapshot, after: &Snapshot) -> Proposal {
        Proposal {
            before: before.clone(),
            after: after.clone(),
            change: ChangeSet::between(before, after),
            renumbered: Vec::new(),
            not_taken: Vec::new(),
            same: 0,
        }
    }

    /// The things to agree to, by group and path. The ledger is no thing of its own: it follows
    /// what is removed.
    pub fn items(&self) -> Vec<Item> {
        let mut by_key: BTreeMap<String, Item> = BTreeMap::new();
        for file in self.change.files.iter().filter(|file| file.path.kind() != Kind::Ledger) {
            let read = |blob: &Option<crate::identity::Blob>| {
                let blob = blob.as_ref().filter(|_| file.path.is_memory())?;
                Memory::read(&file.path, blob).ok()
            };
            let (before, after) = (read(&file.before), read(&file.after));
            let memory = after.as_ref().or(before.as_ref());
            let key = memory.map_or_else(
                || format!("file {}", file.path),
                |memory| format!("memory {}", memory.created),
            );
            let group = match (&file.before, &file.after) {
                (None, _) => Group::Learned,
                (_, None) => Group::Removed,
                _ => Group::Changed,
            };
            let summary = memory.map_or_else(|| file.path.to_string(), Memory::summary);
            match by_key.get_mut(&key) {
                // One memory at two paths: it moved.
                Some(item) => {
                    item.group = Group::Changed;
                    item.paths.push(file.path.clone());
                }
                None => {
                    by_key.insert(key, Item { group, summary, paths: vec![file.path.clone()] });
                }
            }
        }
        let mut items: Vec<Item> = by_key.into_values().collect();
        self.copies_are_changes(&mut items);
        items.sort_by(|a, b| (a.group, &a.paths).cmp(&(b.group, &b.paths)));
        items
    }

    /// A copy that goes because its fact stays elsewhere removes nothing.
    fn copies_are_changes(&self, items: &mut [Item]) {
        let staying = hashes(&self.after);
        for item in items.iter_mut().filter(|item| item.group == Group::Removed) {
            let stays = |path: &RelPath| {
                let blob = self.before.get(path)?;
                Memory::read(path, blob).ok().map(|memory| staying.contains(&memory.hash))
            };
            if item.paths.iter().all(|path| stays(path) == Some(true)) {
                item.group = Group::Changed;
            }
        }
    }

    /// The proposal with only these items. The ledger goes along unless a removal was declined: a
    /// line without its removal would only have the fact learned again.
    pub fn only(&self, agreed: &[Item]) -> Proposal {
        let items = self.items();
        let removal_declined =
            items.iter().any(|item| item.group == Group::Removed && !agreed.contains(item));
        let nothing_agreed = agreed.is_empty() && !items.is_empty();
        let wanted = |path: &RelPath| match path.kind() {
            Kind::Ledger => !removal_declined && !nothing_agreed,
            _ => agreed.iter().any(|item| item.paths.contains(path)),
        };
        let mut part = self.clone();
        part.change.files.retain(|file| wanted(&file.path));
        part.after = part.change.apply(&self.before);
        part
    }
}
