//! The second half of a sync: what the remote has, merged with ours and carried to the work tree.

use super::{Again, Exit, Failure, Session, Step, apply, work::message};
use crate::identity::{RelPath, Snapshot, Stamp};
use crate::merge::{Decision, Policy, change::ChangeSet, guard, ids, merge, tidy};
use crate::system::{
    Machine, files,
    git::{Id, Repo, journal::Journal},
};
use std::path::Path;

impl Session<'_> {
    /// Brings our branch to hold what the remote's commit holds. `Again` when the branch moved meanwhile.
    pub(super) fn take_in(&mut self, theirs: Id) -> Step<()> {
        let head = self.repo.head()?;
        if let Some(head) = head
            && self.repo.is_ancestor(theirs, head)?
        {
            return Ok(Ok(()));
        }
        let ours = self.repo.snapshot(head)?;
        let incoming = self.repo.snapshot(Some(theirs))?;
        let fast_forward = head.map_or(Ok(ours.is_empty()), |head| self.repo.is_ancestor(head, theirs))?;
        let base = match head {
            Some(head) if !fast_forward => self.base_of(head, theirs)?,
            _ => Some(ours.clone()),
        };
        let tree = self.merged(base.as_ref(), &ours, &incoming)?;
        self.refuse_held(&ours, &tree)?;
        refuse_file_and_folder(&self.store.root, &ours, &tree)?;
        let new = self.commit_merge(head, theirs, fast_forward, &ours, &incoming, &tree)?;
        self.seen.theirs = Some(incoming);
        if self.seen.merged.is_none() {
            self.seen.ours.clone_from(&ours);
        }
        let journal =
            Journal { branch: self.branch.local.clone(), prefix: self.repo.prefix.clone(), old: head.map(|id| id.to_string()), new: new.to_string() };
        if apply::check_out(self, &journal)?.is_err() {
            return Ok(Err(Again));
        }
        self.seen.changed |= ours != tree;
        self.seen.merged = Some(tree);
        Ok(Ok(()))
    }

    /// A file that stays behind here must not be changed under it: once mended, it would look as if a person had undone the change.
    fn refuse_held(&self, ours: &Snapshot, tree: &Snapshot) -> Result<(), Failure> {
        let changes = ChangeSet::between(ours, tree).files;
        let Some(change) = changes.iter().find(|change| self.seen.held.holds(&change.path)) else { return Ok(()) };
        let why = self.seen.secrets.iter().find(|(path, _)| *path == change.path).map(|(_, secret)| crate::ops::guard::told_of(None, secret));
        let why = why.map_or_else(String::new, |why| format!(" for {why}"));
        let message = format!("{} stays behind here{why}, and the remote changed it", change.path);
        Err(Failure::new(Exit::Refused, message).hint("`co identity check` says what is wrong with it; mend it, and `co identity sync` again"))
    }

    fn merged(&mut self, base: Option<&Snapshot>, ours: &Snapshot, theirs: &Snapshot) -> Result<Snapshot, Failure> {
        let joined = join(base, ours, theirs, self.machine.now());
        if !self.request.accept_deletions
            && let Some(mass) = guard::guard(ours, &joined.snapshot, &joined.snapshot.ledger())
        {
            return Err(self.mass_deletion(mass));
        }
        self.seen.decisions.extend(joined.decisions);
        self.seen.renumbered.extend(joined.renumbered);
        Ok(joined.snapshot)
    }

    pub(super) fn base_of(&self, a: Id, b: Id) -> Result<Option<Snapshot>, Failure> {
        base_of(&self.repo, a, b)
    }

    fn commit_merge(
        &mut self,
        head: Option<Id>,
        theirs: Id,
        fast_forward: bool,
        ours: &Snapshot,
        incoming: &Snapshot,
        tree: &Snapshot,
    ) -> Result<Id, Failure> {
        if fast_forward && tree == incoming {
            self.repo.refuse_dirty(&self.repo.outside_changes(head.map(|head| self.repo.tree_of(head)).transpose()?, self.repo.tree_of(theirs)?)?)?;
            return Ok(theirs);
        }
        let their_root = self.repo.tree_of(theirs)?;
        let from_theirs = ChangeSet::between(incoming, tree);
        let with_identity = self.repo.write_tree(Some(their_root), &from_theirs.files)?;
        let root = match head {
            Some(head) if !fast_forward => {
                let base = self.repo.merge_bases(head, theirs)?.first().map(|base| self.repo.tree_of(*base)).transpose()?;
                let identity = self.repo.identity_tree(with_identity)?;
                self.repo.merge_outside(base, self.repo.tree_of(head)?, their_root, identity)?
            }
            _ => with_identity,
        };
        self.repo.refuse_dirty(&self.repo.outside_changes(head.map(|head| self.repo.tree_of(head)).transpose()?, root)?)?;
        let parents: Vec<Id> = if fast_forward { vec![theirs] } else { head.into_iter().chain([theirs]).collect() };
        let change = ChangeSet::between(ours, tree);
        Ok(self.repo.commit(root, &parents, &message(&change, &self.machine.host).replacen("identity:", "identity: merged,", 1))?)
    }
}

/// Two sides as one identity that can be published.
pub(super) struct Joined {
    pub(super) snapshot: Snapshot,
    decisions: Vec<Decision>,
    renumbered: Vec<ids::Renumbered>,
}

/// Merges two sides, settles the result and gives every memory an id of its own, against what the remote has.
pub(super) fn join(base: Option<&Snapshot>, ours: &Snapshot, theirs: &Snapshot, now: Stamp) -> Joined {
    let merged = merge(base, ours, theirs, Policy::Sync);
    let settled = tidy::settle(&merged.snapshot, now);
    let assigned = ids::assign(&settled.snapshot, theirs);
    let decisions = merged.decisions.into_iter().chain(assigned.decisions).collect();
    Joined { snapshot: assigned.snapshot, decisions, renumbered: assigned.renumbered }
}

/// What two commits come from. Several merge bases are first merged with each other, oldest first.
pub(super) fn base_of(repo: &Repo, a: Id, b: Id) -> Result<Option<Snapshot>, Failure> {
    let mut bases = repo.merge_bases(a, b)?.into_iter();
    let Some(first) = bases.next() else { return Ok(None) };
    let mut tree = repo.snapshot(Some(first))?;
    for next in bases {
        let below = base_of(repo, first, next)?;
        tree = merge(below.as_ref(), &tree, &repo.snapshot(Some(next))?, Policy::Sync).snapshot;
    }
    Ok(Some(tree))
}

/// One path cannot be a file and a folder; found out before anything is written, a person can rename one of them.
///
/// # Errors
/// [`Exit::NeedsUser`]
pub fn refuse_file_and_folder(root: &Path, ours: &Snapshot, tree: &Snapshot) -> Result<(), Failure> {
    let above =
        |path: &RelPath| -> Vec<RelPath> { path.as_str().match_indices('/').filter_map(|(at, _)| RelPath::new(&path.as_str()[..at])).collect() };
    let on_disk = |path: &RelPath| root.join(path.as_str());
    for path in tree.paths().filter(|path| ours.get(path) != tree.get(path)) {
        let is_file = |folder: &RelPath| tree.get(folder).is_some() || (files::exists(&on_disk(folder)) && !files::is_dir(&on_disk(folder)));
        if above(path).iter().any(is_file) || files::is_dir(&on_disk(path)) {
            return Err(Failure::new(Exit::NeedsUser, format!("{path} is a file on one laptop and a folder on another"))
                .hint("rename one of the two, then run the command again"));
        }
    }
    Ok(())
}

/// What the remote has, and what a sync would make of it and the identity here. Fetches; changes no file and no branch.
///
/// # Errors
/// As [`super::run`]; [`Exit::NotFound`] when the remote has nothing yet.
pub fn preview(machine: &Machine, here: &Snapshot) -> Result<(Snapshot, Snapshot, Vec<Decision>), Failure> {
    let mut session = Session::open(machine, &super::Request::default())?;
    let nothing = |remote: &str| Failure::new(Exit::NotFound, format!("{remote} has nothing yet")).hint("`co identity sync` publishes what is here");
    let remote = session.branch.remote.clone().ok_or_else(|| nothing("the remote"))?;
    let known = session.repo.ref_id(&session.branch.tracking);
    let theirs = session.fetch(&remote, known)?.ok_or_else(|| nothing(&remote))?;
    let head = session.repo.head()?;
    let base = head.map(|head| session.base_of(head, theirs)).transpose()?.flatten();
    let incoming = session.repo.snapshot(Some(theirs))?;
    let joined = join(base.as_ref(), here, &incoming, machine.now());
    Ok((incoming, joined.snapshot, joined.decisions))
}
