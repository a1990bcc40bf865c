//! Files excluded from a commit (damaged, or with a secret): HEAD's version is committed and the
//! file stays as it is.
//!
//! Invariant: a damaged file never replaces a good fact on other laptops, and no secret that
//! matches a rule gets into a commit.

use super::{Error, Stop, context::SyncContext, error::HeldBackError};
use crate::identity::{
    Blob, ContentHash, FileChange, Finding, Memory, RelPath, Snapshot, check, cloud,
    memory::Unusable, portable,
};
use crate::index::store::Store;
use crate::machine::{
    files,
    folder::{Listing, Reading},
};
use crate::secrets::{self, Secret};
use crate::workspace::{guard, last_sync::hash_of};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// With fewer changed files, no threads are started.
const FEW: usize = 16;

#[derive(Clone, Default, Debug)]
pub(super) struct HeldBack {
    /// With conflict markers or damage, for the user to repair.
    pub(super) damaged: BTreeSet<RelPath>,
    /// Secrets that are not in the last commit, with their files.
    pub(super) secrets: Vec<(RelPath, Secret)>,
    unreadable: BTreeSet<RelPath>,
    /// Unreadable folders, with a trailing `/`.
    folders: Vec<String>,
    /// Files outside a sparse checkout; the remote's changes to them are merged, not written.
    left_out: BTreeSet<RelPath>,
    pub(super) findings: Vec<Finding>,
    /// New files among the memories that co cannot read; they are committed all the same.
    pub(super) carried: Vec<RelPath>,
}

impl HeldBack {
    /// What a listing alone shows, without reading files.
    pub(super) fn of_listing(listing: Listing) -> HeldBack {
        let Listing { unreadable, closed, findings, .. } = listing;
        let unreadable = unreadable.into_iter().collect();
        HeldBack { unreadable, folders: closed, findings, ..HeldBack::default() }
    }

    /// Whether a file on disk must be left alone.
    pub(super) fn holds(&self, path: &RelPath) -> bool {
        self.left_out.contains(path) || self.stays_behind(path)
    }

    fn stays_behind(&self, path: &RelPath) -> bool {
        self.folders.iter().any(|folder| path.as_str().starts_with(folder.as_str()))
            || self.damaged.contains(path)
            || self.unreadable.contains(path)
            || self.has_secret(path)
    }

    fn has_secret(&self, path: &RelPath) -> bool {
        self.secrets.iter().any(|(held, _)| held == path)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.damaged.is_empty()
            && self.secrets.is_empty()
            && self.unreadable.is_empty()
            && self.folders.is_empty()
    }

    /// The remote must not change a file that is held back: once repaired, the file would look as
    /// if a person had undone that change.
    pub(super) fn refuse_change(&self, ours: &Snapshot, tree: &Snapshot) -> Result<(), Error> {
        let changes = crate::merge::ChangeSet::between(ours, tree).files;
        let Some(change) = changes.iter().find(|change| self.stays_behind(&change.path)) else {
            return Ok(());
        };
        let secret = self.secrets.iter().find(|(path, _)| *path == change.path);
        let why = secret.map(|(_, secret)| guard::describe(None, secret));
        Err(HeldBackError::File { path: change.path.to_string(), why }.into())
    }
}

/// The files that are held back, with the hash of their bytes.
pub(super) fn hashes(store: &Store, held: &HeldBack) -> BTreeMap<String, String> {
    let secrets = held.secrets.iter().map(|(path, _)| path);
    let hash = |path: &RelPath| {
        let bytes = files::read(&store.root.join(path.as_str())).ok().flatten()?;
        Some((hash_of(path), ContentHash::of_bytes(&bytes).to_string()))
    };
    held.damaged.iter().chain(secrets).filter_map(hash).collect()
}

/// Replaces everything that must be held back with HEAD's version.
pub(super) fn hold_back(
    cx: &SyncContext<'_>,
    reading: &mut Reading,
    committed: &Snapshot,
    left_out: &BTreeSet<RelPath>,
) -> Result<HeldBack, Stop> {
    for path in left_out {
        reading.snapshot.set(path, committed.get(path));
    }
    let damaged = damaged(&cx.store, &reading.snapshot, committed);
    let mut held = HeldBack { damaged, ..HeldBack::default() };
    let (secrets, former) = secrets(cx, reading, committed)?;
    held.secrets = secrets;
    held.left_out.clone_from(left_out);
    for (path, was) in former {
        reading.snapshot.put(path, was);
    }
    let evicted: Vec<RelPath> =
        reading.snapshot.paths().filter(|path| cloud::evicted(path).is_some()).cloned().collect();
    for path in evicted {
        reading.snapshot.remove(&path);
        reading.unreadable.extend(cloud::evicted(&path));
    }
    let below = |path: &RelPath| {
        reading.closed.iter().any(|folder| path.as_str().starts_with(folder.as_str()))
    };
    reading.unreadable.extend(committed.paths().filter(|path| below(path)).cloned());
    held.unreadable.extend(reading.unreadable.iter().cloned());
    held.folders.clone_from(&reading.closed);
    held.findings.append(&mut reading.findings);
    let with_secrets = held.secrets.iter().map(|(path, _)| path);
    for path in held.damaged.iter().chain(with_secrets).chain(&reading.unreadable) {
        reading.snapshot.set(path, committed.get(path));
    }
    held.carried = carried(&reading.snapshot, committed);
    Ok(held)
}

fn readable(path: &RelPath, blob: &Blob) -> bool {
    !matches!(
        Memory::read(path, blob),
        Err(Unusable::Broken(_) | Unusable::NoFrontmatter | Unusable::BadCreated(_))
    )
}

/// Unreadable memories that are in no commit yet: they are committed as they are.
fn carried(work: &Snapshot, committed: &Snapshot) -> Vec<RelPath> {
    let is_carried = |change: &FileChange| {
        let new = change.after.as_ref().filter(|_| change.before.is_none());
        change.path.is_memory() && new.is_some_and(|blob| !readable(&change.path, blob))
    };
    let changes = committed.changes_to(work).into_iter();
    changes.filter(is_carried).map(|change| change.path).collect()
}

/// Files with conflict markers, memories that broke since the last commit, and, unless already
/// committed, machine-local files and copies that `check --fix` merges.
fn damaged(store: &Store, work: &Snapshot, committed: &Snapshot) -> BTreeSet<RelPath> {
    let marked = |path: &RelPath, blob: &Blob| match path.is_memory().then(|| blob.facts()) {
        Some(Ok(facts)) => facts.marked,
        _ => path.name().ends_with(".md") && check::marker_line(blob).is_some(),
    };
    // Without its original, the copy is all there is; nothing is merged into a symlink's target.
    let is_copy = |path: &RelPath, blob: &Blob| {
        cloud::folds_into(path, blob, work).is_some_and(|original| {
            work.get(&original).is_some() && !files::is_link(&store.root.join(original.as_str()))
        })
    };
    let stays = |path: &RelPath, blob: &Blob| {
        let old = committed.get(path);
        let marked = marked(path, blob);
        if old == Some(blob) {
            return marked;
        }
        let broke =
            path.is_memory() && !readable(path, blob) && old.is_some_and(|old| readable(path, old));
        let is_new = old.is_none();
        let state = is_new && portable::machine_state(path).is_some();
        marked || broke || state || (is_new && is_copy(path, blob))
    };
    let gits = portable::git_metadata(work.paths());
    let gits = gits.into_iter().map(|(path, _)| path).filter(|path| committed.get(path).is_none());
    let others = work.iter().filter(|(path, blob)| stays(path, blob)).map(|(path, _)| path);
    others.chain(gits).cloned().collect()
}

type Secrets = Vec<(RelPath, Secret)>;
type Files = Vec<(RelPath, Blob)>;

/// The new secrets, and the old versions of their files that moved. A secret that is already in the
/// last commit does not hold back other edits of its file. A file that is held back under a new
/// name keeps its old one in the commit.
fn secrets(
    cx: &SyncContext<'_>,
    reading: &Reading,
    committed: &Snapshot,
) -> Result<(Secrets, Files), Stop> {
    let merging = cx.repo.merge_head().map(|theirs| cx.repo.snapshot(Some(theirs))).transpose()?;
    let is_gone =
        |path: &RelPath| reading.snapshot.get(path).is_none() && !reading.unreadable.contains(path);
    let changes = committed.changes_to(&reading.snapshot);
    let gone = changes.iter().filter(|change| is_gone(&change.path));
    let gone: Vec<(&RelPath, &Blob)> =
        gone.filter_map(|change| Some((&change.path, change.before.as_ref()?))).collect();
    let created =
        |path: &RelPath, blob: &Blob| Memory::read(path, blob).ok().map(|memory| memory.created);
    let former = |path: &RelPath, blob: &Blob| -> Option<(RelPath, Blob)> {
        let origin = created(path, blob);
        let same = |(old, was): &&(&RelPath, &Blob)| {
            **was == *blob || (origin.is_some() && created(old, was) == origin)
        };
        gone.iter().find(same).map(|(old, was)| ((*old).clone(), (*was).clone()))
    };
    let changed: Vec<(&RelPath, &Blob)> =
        changes.iter().filter_map(|change| Some((&change.path, change.after.as_ref()?))).collect();
    let allowed = &cx.request.allowed;
    let scan = |(path, blob): &(&RelPath, &Blob)| -> Secrets {
        if secrets::scan_file(path.as_str(), blob, allowed).is_empty() {
            return Vec::new();
        }
        let there = merging.as_ref().and_then(|theirs| theirs.get(path));
        let was = former(path, blob).map(|(_, was)| was);
        let known = [committed.get(path).cloned(), there.cloned(), was];
        let known = known.into_iter().flatten().collect::<Vec<Blob>>().join(&b'\n');
        let new = secrets::new_in(path.as_str(), Some(&known), blob, allowed);
        new.into_iter().map(|secret| ((*path).clone(), secret)).collect()
    };
    // Starting threads takes longer than scanning a few files.
    let found: Secrets = if changed.len() < FEW {
        changed.iter().flat_map(scan).collect()
    } else {
        changed.par_iter().flat_map_iter(scan).collect()
    };
    if let (Some((path, secret)), true) = (found.first(), merging.is_some()) {
        return Err(in_open_merge(path, secret).into());
    }
    let back = found
        .iter()
        .filter_map(|(path, _)| former(path, reading.snapshot.get(path)?))
        .filter(|(old, _)| committed.get(old).is_some())
        .collect();
    Ok((found, back))
}

fn in_open_merge(path: &RelPath, secret: &Secret) -> Error {
    HeldBackError::InMerge { what: guard::describe(Some(path), secret) }.into()
}
