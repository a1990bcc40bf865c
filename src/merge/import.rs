//! What an import would change: a single proposal for `diff`, `import` and `undo`.
//!
//! Invariant: pure; the same current and incoming identities at the same time give the same
//! proposal. Under [`ImportMode::Merge`] only a later forget removes what is here; git's own files
//! never come in from outside.

use super::{
    Decision, History, Policy, Reason,
    change::{ChangeSet, Fact, FileChange},
    files,
    ids::{self, Renumbered},
    merge_with, tidy,
};
use crate::identity::{
    Calendar, ContentHash, Kind, Memory, RelPath, Role, Snapshot, Stamp, kind::LEDGER,
    ledger::Match,
};
use serde::Serialize;
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImportMode {
    Merge,
    /// Like a merge, except that facts forgotten here come back.
    RestoreForgotten,
    Replace,
}

/// A fact in the source that will not be here afterwards.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NotTaken {
    #[serde(flatten)]
    pub fact: Fact,
    pub why: String,
}

#[derive(Clone, PartialEq, Debug)]
pub struct ImportPreview {
    pub before: Snapshot,
    pub after: Snapshot,
    pub change: ChangeSet,
    /// Memories whose number differs from the one in the source.
    pub renumbered: Vec<Renumbered>,
    pub not_taken: Vec<NotTaken>,
    /// How many facts both have in common.
    pub same: usize,
}

/// What an import would do now, for a person with this calendar.
pub fn propose(
    current: &Snapshot,
    incoming: &Snapshot,
    mode: ImportMode,
    (now, calendar): (Stamp, &Calendar),
) -> ImportPreview {
    let incoming = without_git(incoming);
    let joined = |policy| joined(current, &incoming, policy, (now, calendar));
    let (after, mut decisions) = match mode {
        ImportMode::Merge => joined(Policy::Import),
        ImportMode::RestoreForgotten => joined(Policy::RestoreForgotten),
        ImportMode::Replace => replaced(current, &incoming, now),
    };
    let assigned = ids::assign(&after, current);
    decisions.extend(assigned.decisions);
    let mut proposal = ImportPreview::between(current, &assigned.snapshot);
    proposal.change.decisions = decisions;
    let theirs = incoming.memories();
    proposal.not_taken = not_taken(&theirs, &assigned.snapshot, calendar);
    proposal.not_taken.extend(deleted_documents(&incoming, &assigned.snapshot, &proposal.change));
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

fn without_git(incoming: &Snapshot) -> Cow<'_, Snapshot> {
    let is_own = |path: &RelPath| path.role() != Role::Git;
    if incoming.paths().all(is_own) {
        return Cow::Borrowed(incoming);
    }
    Cow::Owned(incoming.only(|path, _| is_own(path)))
}

fn joined(
    current: &Snapshot,
    incoming: &Snapshot,
    policy: Policy,
    (now, calendar): (Stamp, &Calendar),
) -> (Snapshot, Vec<Decision>) {
    let history = History { calendar: Some(calendar), ..History::default() };
    let merged = merge_with(history, current, incoming, policy);
    let settled = match policy {
        // Restored facts are learned again, so that the next sync does not remove them again.
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

/// The incoming identity with our ledger. Facts missing from it are forgotten and its edits stamped
/// newer, so that the next sync spreads the replacement instead of undoing it.
fn replaced(current: &Snapshot, incoming: &Snapshot, now: Stamp) -> (Snapshot, Vec<Decision>) {
    let mut wanted = incoming.clone();
    let mut ledger = current.ledger();
    ledger.join(&incoming.ledger());
    if let Some(text) = ledger.write() {
        wanted.put(RelPath::known(LEDGER), text.into_bytes());
    }
    // git's own files stay, and so do files that differ only in stamp and checksum.
    let stays = |path: &RelPath, blob| {
        path.role() == Role::Git
            || incoming.get(path).is_some_and(|theirs| files::says_the_same(blob, theirs))
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

/// Documents that were deleted here and that an older copy does not bring back.
fn deleted_documents(incoming: &Snapshot, after: &Snapshot, change: &ChangeSet) -> Vec<NotTaken> {
    let of = |decision: &Decision| {
        let path = RelPath::new(&decision.path).filter(|path| !path.is_memory())?;
        let blob = incoming.get(&path).filter(|_| after.get(&path).is_none())?;
        let fact = Fact::of_document(&path, blob);
        Some(NotTaken { fact, why: decision.why.clone() })
    };
    let forgotten = change.decisions.iter().filter(|decision| decision.reason == Reason::Forgotten);
    forgotten.filter_map(of).collect()
}

fn not_taken(incoming: &[Memory], after: &Snapshot, calendar: &Calendar) -> Vec<NotTaken> {
    let (staying, ledger) = (after.memories(), after.ledger());
    let have: BTreeSet<ContentHash> = staying.iter().map(|memory| memory.hash).collect();
    let origins: BTreeSet<Stamp> = staying.iter().map(|memory| memory.created).collect();
    let why = |memory: &Memory| match (
        ledger.takes(memory, Match::TextOrOrigin),
        origins.contains(&memory.created),
    ) {
        (Some(stamp), _) => {
            let day = calendar.day(stamp);
            format!("forgotten here on {day}; --restore-forgotten imports it")
        }
        (None, true) => "the version here is newer".to_owned(),
        (None, false) => "now part of another fact".to_owned(),
    };
    let missing = incoming.iter().filter(|memory| !have.contains(&memory.hash));
    missing.map(|memory| NotTaken { why: why(memory), fact: Fact::of(memory) }).collect()
}

/// Changes that a person accepts or declines as a whole.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ImportGroup {
    Learned,
    Changed,
    Removed,
}

/// One thing to accept: a memory, wherever it was before and after, or another file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportItem {
    pub group: ImportGroup,
    pub summary: String,
    pub paths: Vec<RelPath>,
}

impl ImportPreview {
    pub fn between(before: &Snapshot, after: &Snapshot) -> ImportPreview {
        ImportPreview {
            before: before.clone(),
            after: after.clone(),
            change: ChangeSet::between(before, after),
            renumbered: Vec::new(),
            not_taken: Vec::new(),
            same: 0,
        }
    }

    /// What can be accepted, by group and path. co's own bookkeeping is no item: it follows the
    /// rest, and the ledger the removals.
    pub fn items(&self) -> Vec<ImportItem> {
        let mut by_key: BTreeMap<String, ImportItem> = BTreeMap::new();
        let is_item = |file: &&FileChange| file.path.role() != Role::Record;
        for file in self.change.files.iter().filter(is_item) {
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
                (None, _) => ImportGroup::Learned,
                (_, None) => ImportGroup::Removed,
                _ => ImportGroup::Changed,
            };
            let summary = memory.map_or_else(|| file.path.to_string(), Memory::summary);
            match by_key.get_mut(&key) {
                // One memory at two paths: it moved.
                Some(item) => {
                    item.group = ImportGroup::Changed;
                    item.paths.push(file.path.clone());
                }
                None => {
                    by_key
                        .insert(key, ImportItem { group, summary, paths: vec![file.path.clone()] });
                }
            }
        }
        let mut items: Vec<ImportItem> = by_key.into_values().collect();
        self.copies_are_changes(&mut items);
        items.sort_by(|a, b| (a.group, &a.paths).cmp(&(b.group, &b.paths)));
        items
    }

    /// Deleting a copy whose fact remains elsewhere removes nothing.
    fn copies_are_changes(&self, items: &mut [ImportItem]) {
        let staying = hashes(&self.after);
        for item in items.iter_mut().filter(|item| item.group == ImportGroup::Removed) {
            let stays = |path: &RelPath| {
                let blob = self.before.get(path)?;
                Memory::read(path, blob).ok().map(|memory| staying.contains(&memory.hash))
            };
            if item.paths.iter().all(|path| stays(path) == Some(true)) {
                item.group = ImportGroup::Changed;
            }
        }
    }

    /// The proposal with only these items. The ledger is included unless a removal was declined: a
    /// line without its removal would only cause the fact to be learned again.
    pub fn only(&self, agreed: &[ImportItem]) -> ImportPreview {
        let items = self.items();
        let removal_declined =
            items.iter().any(|item| item.group == ImportGroup::Removed && !agreed.contains(item));
        let nothing_agreed = agreed.is_empty() && !items.is_empty();
        let wanted = |path: &RelPath| match (path.role(), path.kind()) {
            (_, Kind::Ledger) => !removal_declined && !nothing_agreed,
            (Role::Record, _) => !nothing_agreed,
            _ => agreed.iter().any(|item| item.paths.contains(path)),
        };
        let mut part = self.clone();
        part.change.files.retain(|file| wanted(&file.path));
        part.after = part.change.apply(&self.before);
        part
    }
}
