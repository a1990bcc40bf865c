//! The first half of a sync: the work tree, tidied and committed.

use super::{Again, Exit, Failure, Session, Step, apply};
use crate::identity::{
    Blob, Kind, Memory, RelPath, Snapshot, check,
    memory::Unusable,
    portable,
    secrets::{self, Secret},
};
use crate::merge::{Policy, change::ChangeSet, guard, ids, merge, tidy};
use crate::system::{
    Machine, SystemError, files,
    folder::{self, Reading},
    git::{Id, Repo, TIDIED, Unfinished, index::IndexLock},
};
use rayon::prelude::*;
use std::collections::BTreeMap;

impl Session<'_> {
    /// Commits what the person and co wrote since the last commit. `Again` when somebody wrote meanwhile.
    pub(super) fn commit_work(&mut self) -> Step<()> {
        let unfinished = self.repo.refuse_unfinished()?;
        let head = self.repo.head()?;
        let (listed, _) = folder::list(&self.store.root, "");
        let difference = self.repo.compare(&listed)?;
        if unfinished == Unfinished::Nothing && difference.is_clean() && self.nothing_to_tidy(head)? {
            return Ok(Ok(()));
        }
        {
            let _writing = self.store.lock()?;
            folder::remove_leftovers(&self.store.root);
        }
        let mut reading = folder::read(&self.store.root);
        if head.is_none() && reading.snapshot.is_empty() {
            // A fresh clone: the first commit is the remote's.
            return Ok(Ok(()));
        }
        let committed = self.repo.snapshot_like(head, &reading.snapshot, &difference)?;
        if listed.is_empty() && !committed.is_empty() {
            let path = self.machine.shown(&self.store.shown);
            return Err(Failure::new(Exit::NotSetUp, format!("{path} is empty, and its repository is not"))
                .hint("is a disk not mounted? `git checkout -- .` there brings the files back"));
        }
        let reference = self.reference(head, &committed)?;
        for path in &difference.ignored {
            reading.snapshot.remove(path);
        }
        self.hold_back(&mut reading, &committed)?;
        let merged_in = if unfinished == Unfinished::Merge { self.finish_merge(&mut reading, head)? } else { None };
        let tree = self.tidied(&reading, &reference, (head, &committed))?;
        if apply::write_tidied(self, &reading.snapshot, &tree)?.is_err() {
            return Ok(Err(Again));
        }
        self.seen.found = reading.snapshot.clone();
        // What a person did by hand is what an undo of this sync takes back.
        self.seen.files = ChangeSet::between(&committed, &tree).files;
        self.seen.changed |= !self.seen.files.is_empty() || reading.snapshot != tree;
        let new = self.commit_tree(head, merged_in, &committed, &tree)?;
        let Some(new) = new else { return Ok(Err(Again)) };
        if merged_in.is_some() {
            self.repo.clear_merge();
        }
        self.repo.set_tidied(new)?;
        IndexLock::take(&self.repo)?.write(self.repo.tree_of(new)?, &BTreeMap::new())?;
        self.seen.ours = tree;
        self.set_marker(new);
        Ok(Ok(()))
    }

    /// What tidy compares with: the last commit that co tidied, as far as HEAD still comes from it; commits by hand count as not tidied.
    fn reference(&self, head: Option<Id>, committed: &Snapshot) -> Result<Snapshot, Failure> {
        reference(&self.repo, head, committed)
    }

    /// Files that cannot be read, hold conflict markers, or broke since the last commit: what HEAD has travels, the file itself stays as it
    /// is. A good fact on every other laptop must not be replaced by a damaged file.
    fn hold_back(&mut self, reading: &mut Reading, committed: &Snapshot) -> Result<(), Failure> {
        let marked = |blob: &Blob| check::marker_line(blob).is_some();
        let with_markers: Vec<RelPath> =
            reading.snapshot.iter().filter(|(path, blob)| path.name().ends_with(".md") && marked(blob)).map(|(path, _)| path.clone()).collect();
        let readable = |path: &RelPath, blob: &Blob| {
            !matches!(Memory::read(path, blob), Err(Unusable::Broken(_) | Unusable::NoFrontmatter | Unusable::BadCreated(_)))
        };
        let broke = |path: &RelPath, blob: &Blob| !readable(path, blob) && committed.get(path).is_some_and(|old| readable(path, old));
        let memories = reading.snapshot.iter().filter(|(path, _)| path.kind() == Kind::Memory);
        let broken: Vec<RelPath> = memories.filter(|(path, blob)| broke(path, blob)).map(|(path, _)| path.clone()).collect();
        // What belongs to this machine does not travel; what a commit has already is the user's to remove.
        let new_state = |path: &&RelPath| portable::machine_state(path).is_some() && committed.get(path).is_none();
        let state: Vec<RelPath> = reading.snapshot.paths().filter(new_state).cloned().collect();
        let held: Vec<RelPath> = with_markers.into_iter().chain(broken).chain(state).collect();
        self.hold_back_secrets(reading, committed)?;
        let evicted: Vec<RelPath> = reading.snapshot.paths().filter(|path| placeholder_of(path).is_some()).cloned().collect();
        for path in evicted {
            reading.snapshot.remove(&path);
            reading.unreadable.extend(placeholder_of(&path));
        }
        let below = |path: &RelPath| reading.closed.iter().any(|folder| path.as_str().starts_with(folder.as_str()));
        reading.unreadable.extend(committed.paths().filter(|path| below(path)).cloned());
        self.seen.held.damaged.extend(held.iter().cloned());
        self.seen.held.unreadable.extend(reading.unreadable.iter().cloned());
        self.seen.held.folders.extend(reading.closed.iter().cloned());
        self.seen.findings.append(&mut reading.findings);
        for path in held.iter().chain(&self.seen.held.secret).chain(&reading.unreadable) {
            match committed.get(path) {
                Some(blob) => reading.snapshot.put(path.clone(), blob.clone()),
                None => {
                    reading.snapshot.remove(path);
                }
            }
        }
        Ok(())
    }

    /// A secret that the last commit has already is no reason to keep other edits of its file from the other laptops. A file that stays
    /// behind under a new name leaves the old one in the commit.
    fn hold_back_secrets(&mut self, reading: &mut Reading, committed: &Snapshot) -> Result<(), Failure> {
        let merging = self.repo.merge_head().map(|theirs| self.repo.snapshot(Some(theirs))).transpose()?;
        let gone: Vec<(&RelPath, &Blob)> =
            committed.iter().filter(|(path, _)| reading.snapshot.get(path).is_none() && !reading.unreadable.contains(path)).collect();
        let created = |path: &RelPath, blob: &Blob| Memory::read(path, blob).ok().map(|memory| memory.created);
        let former = |path: &RelPath, blob: &Blob| -> Option<(RelPath, Blob)> {
            let origin = created(path, blob);
            let same = |(old, was): &&(&RelPath, &Blob)| **was == *blob || (origin.is_some() && created(old, was) == origin);
            gone.iter().find(same).map(|(old, was)| ((*old).clone(), (*was).clone()))
        };
        let changed: Vec<(&RelPath, &Blob)> = reading.snapshot.iter().filter(|(path, blob)| committed.get(path) != Some(blob)).collect();
        let allowed = &self.request.allowed;
        let scan = |(path, blob): &(&RelPath, &Blob)| -> Vec<(RelPath, Secret)> {
            if secrets::scan_file(path, blob, allowed).is_empty() {
                return Vec::new();
            }
            let there = merging.as_ref().and_then(|theirs| theirs.get(path));
            let was = former(path, blob).map(|(_, was)| was);
            let known = [committed.get(path).cloned(), there.cloned(), was].into_iter().flatten().collect::<Vec<Blob>>().join(&b'\n');
            secrets::new_in(path, Some(&known), blob, allowed).into_iter().map(|secret| ((*path).clone(), secret)).collect()
        };
        let found: Vec<(RelPath, Secret)> = changed.par_iter().flat_map_iter(scan).collect();
        if let (Some((path, secret)), true) = (found.first(), merging.is_some()) {
            let told = crate::ops::guard::told_of(Some(path), secret);
            return Err(Failure::new(Exit::Refused, format!("a merge is open, and it would commit a secret: {told}; nothing was committed")).hint(
                "take it out of the file (`co secret set NAME` keeps it), or drop the merge with `git merge --abort`; then `co identity sync` again",
            ));
        }
        let back: Vec<(RelPath, Blob)> =
            found.iter().filter_map(|(path, _)| former(path, reading.snapshot.get(path)?)).filter(|(old, _)| committed.get(old).is_some()).collect();
        self.seen.held.secret = found.iter().map(|(path, _)| path.clone()).collect();
        self.seen.secrets = found;
        for (old, was) in back {
            reading.snapshot.put(old, was);
        }
        Ok(())
    }

    /// An open `git merge`: files that git left unresolved get what our engine makes of both sides.
    fn finish_merge(&mut self, reading: &mut Reading, head: Option<Id>) -> Result<Option<Id>, Failure> {
        let (Some(head), Some(theirs)) = (head, self.repo.merge_head()) else { return Ok(None) };
        if !self.repo.prefix.is_empty() {
            return Err(Failure::new(Exit::NeedsUser, format!("a merge is open in {}", self.repo.root.display()))
                .hint("finish it with `git commit` or drop it with `git merge --abort`, then `co identity sync` again"));
        }
        let base = self.base_of(head, theirs)?;
        let ours = self.repo.snapshot(Some(head))?;
        let merged = merge(base.as_ref(), &ours, &self.repo.snapshot(Some(theirs))?, Policy::Sync);
        for path in self.repo.unmerged()?.iter().filter_map(|path| RelPath::new(path)) {
            // A file without markers was resolved by the user, who only did not say so to git yet.
            if !self.seen.held.damaged.remove(&path) {
                continue;
            }
            match merged.snapshot.get(&path) {
                Some(blob) => reading.snapshot.put(path.clone(), blob.clone()),
                None => {
                    reading.snapshot.remove(&path);
                }
            }
            // What git wrote with markers is not the user's text; put ours on disk so that the guarded write finds what it expects.
            if let Some(blob) = reading.snapshot.get(&path) {
                files::write(&self.store.root.join(path.as_str()), blob)?;
            }
        }
        for (path, blob) in merged.snapshot.iter() {
            if reading.snapshot.get(path).is_none() && ours.get(path).is_none() {
                files::write(&self.store.root.join(path.as_str()), blob)?;
                reading.snapshot.put(path.clone(), blob.clone());
            }
        }
        self.seen.decisions.extend(merged.decisions);
        Ok(Some(theirs))
    }

    fn tidied(&mut self, reading: &Reading, reference: &Snapshot, (head, committed): (Option<Id>, &Snapshot)) -> Result<Snapshot, Failure> {
        let hand = tidy::Hand { now: self.machine.now(), mtimes: &reading.mtimes };
        let tidied = tidy::tidy(&reading.snapshot, reference, hand);
        if !self.request.accept_deletions
            && tidied.removed_by_hand > 0
            && let Some(mass) = guard::judge(tidied.removed_by_hand, reference.memories().len())
        {
            return Err(self.mass_deletion(mass));
        }
        self.seen.decisions.extend(tidied.decisions);
        let tracking = self.repo.ref_id(&self.branch.tracking);
        let known = if tracking.is_some() && tracking == head { committed.clone() } else { self.repo.snapshot(tracking)? };
        let assigned = ids::assign(&tidied.snapshot, &known);
        self.seen.renumbered.extend(assigned.renumbered);
        self.seen.decisions.extend(assigned.decisions);
        if self.seen.remote_before.is_none() {
            self.seen.remote_before = Some(self.known_to_both(tracking, head)?.unwrap_or(known));
        }
        Ok(assigned.snapshot)
    }

    /// What this laptop and the remote both had: the remote's last known commit, unless that was fetched and never merged (`git fetch`,
    /// `co identity diff origin`): then what the two come from. `None` for the first case.
    pub(super) fn known_to_both(&self, tracking: Option<Id>, head: Option<Id>) -> Result<Option<Snapshot>, Failure> {
        let (Some(tracking), Some(head)) = (tracking, head) else { return Ok(None) };
        if self.repo.is_ancestor(tracking, head)? {
            return Ok(None);
        }
        Ok(Some(self.base_of(head, tracking)?.unwrap_or_default()))
    }

    pub(super) fn mass_deletion(&self, mass: guard::MassDeletion) -> Failure {
        let path = self.machine.shown(&self.store.shown);
        Failure::new(Exit::Refused, format!("{} of {} facts in {path} are gone, and co did not forget them", mass.gone, mass.of))
            .hint("`git checkout -- knowledge/memories` there brings them back")
            .hint("`co identity sync --accept-deletions` lets them go on every laptop")
    }

    /// The commit that holds exactly this identity; HEAD itself when it does. `None` when the branch moved meanwhile.
    fn commit_tree(&mut self, head: Option<Id>, merged_in: Option<Id>, committed: &Snapshot, tree: &Snapshot) -> Result<Option<Id>, Failure> {
        let changes = ChangeSet::between(committed, tree);
        if let (Some(head), true, None) = (head, changes.is_empty(), merged_in) {
            return Ok(Some(head));
        }
        let root = head.map(|head| self.repo.tree_of(head)).transpose()?;
        let new_root = self.repo.write_tree(root, &changes.files)?;
        let parents: Vec<Id> = head.into_iter().chain(merged_in).collect();
        let new = self.repo.commit(new_root, &parents, &message(&changes, &self.machine.host))?;
        let moved = self.repo.move_ref(&self.branch.local, head, new, "co: sync")?;
        Ok(moved.then_some(new))
    }

    fn marker_file(&self) -> std::path::PathBuf {
        self.repo.co_dir().join("clean")
    }

    /// Whether a clean work tree is one that co has tidied: by the marker, or by looking at index and tree.
    fn nothing_to_tidy(&self, head: Option<Id>) -> Result<bool, Failure> {
        let (Some(head), Some(stamp)) = (head, self.repo.index_stamp()) else { return Ok(false) };
        if self.repo.ref_id(TIDIED) != Some(head) {
            return Ok(false);
        }
        let known = files::read_text(&self.marker_file()).ok().flatten() == Some(format!("{head} {stamp}"));
        Ok(known || self.repo.index_holds(self.repo.tree_of(head)?)?)
    }

    pub(super) fn set_marker(&self, head: Id) {
        if let (Some(stamp), true) = (self.repo.index_stamp(), self.seen.held.is_empty()) {
            let _ = files::write_cache(&self.marker_file(), format!("{head} {stamp}").as_bytes());
        }
    }
}

/// The file that a cloud service took off the disk and left `.NAME.icloud` for.
fn placeholder_of(path: &RelPath) -> Option<RelPath> {
    let name = path.name().strip_prefix('.')?.strip_suffix(".icloud")?;
    RelPath::new(&format!("{}{name}", path.folder()))
}

/// The commit's message: what a person would say about it.
pub(super) fn message(changes: &ChangeSet, host: &str) -> String {
    format!("identity: {} on {host}\n", summary(changes))
}

/// What a change comes to, in a few words.
pub(super) fn summary(changes: &ChangeSet) -> String {
    let meaning = changes.meaning();
    let counts = [
        (meaning.learned.len(), "learned"),
        (meaning.edited.len(), "edited"),
        (meaning.forgotten.len(), "forgotten"),
        (meaning.documents.len(), "documents"),
    ];
    let parts: Vec<String> = counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{what} {count}")).collect();
    if parts.is_empty() { "tidied".to_owned() } else { parts.join(", ") }
}

pub(super) fn reference(repo: &Repo, head: Option<Id>, committed: &Snapshot) -> Result<Snapshot, Failure> {
    let (Some(head), Some(tidied)) = (head, repo.ref_id(TIDIED)) else { return Ok(committed.clone()) };
    if tidied == head {
        return Ok(committed.clone());
    }
    match repo.merge_bases(tidied, head)?.first() {
        Some(base) => Ok(repo.snapshot(Some(*base))?),
        None => Ok(committed.clone()),
    }
}

/// The identity here with what a person did by hand taken up, as the next sync would commit it. When so much is gone that the guard would
/// stop a sync, nothing is taken up: what is gone then counts as not there, not as forgotten, and an import can bring it back.
///
/// # Errors
/// When the repository cannot be read.
pub fn taken_up(machine: &Machine, reading: &Reading) -> Result<Snapshot, Failure> {
    let Some(repo) = Repo::discover(machine).map_err(SystemError::from)? else { return Ok(reading.snapshot.clone()) };
    let head = repo.head()?;
    let committed = repo.snapshot(head)?;
    let reference = reference(&repo, head, &committed)?;
    let hand = tidy::Hand { now: machine.now(), mtimes: &reading.mtimes };
    let mut work = reading.snapshot.clone();
    for path in &reading.unreadable {
        if let Some(blob) = committed.get(path) {
            work.put(path.clone(), blob.clone());
        }
    }
    let mut tidied = tidy::tidy(&work, &reference, hand);
    if guard::judge(tidied.removed_by_hand, reference.memories().len()).is_some() {
        return Ok(reading.snapshot.clone());
    }
    for path in &reading.unreadable {
        tidied.snapshot.remove(path);
    }
    Ok(tidied.snapshot)
}
