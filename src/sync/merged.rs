//! Second phase of a sync: merges the remote's commit with ours and writes the work tree.

use super::{
    Error, Stop, checkout,
    context::{Before, SyncContext},
    error::SyncError,
    held_back::HeldBack,
    message::summary,
    open_merge::Opened,
    questions,
    request::Phase,
    sides::{base_of, edit_times},
};
use crate::git::{Id, Repo, SUBJECT, journal::Journal};
use crate::identity::{
    ContentHash, EditTimes, FileChange, RelPath, Snapshot, Stamp,
    kind::PROFILE,
    recognise::{Content, content},
};
use crate::machine::{files, folding};
use crate::merge::{
    ChangeSet, Decision, History, discarded, guard, ids, join, relocation::in_one_layout,
    renames::one_file_where_case_is_ignored,
};
use crate::workspace::recognise;
use std::{collections::BTreeSet, path::Path};

pub(super) struct Merged {
    pub(super) ours: Snapshot,
    pub(super) theirs: Snapshot,
    pub(super) tree: Snapshot,
    /// The commits before and after.
    pub(super) commits: (Option<Id>, Id),
    /// The remote's commit that was merged.
    pub(super) taken_in: Id,
    /// Changes of this laptop that the merge dropped.
    pub(super) lost: Vec<FileChange>,
    pub(super) decisions: Vec<Decision>,
    pub(super) renumbered: Vec<ids::Renumbered>,
}

impl Merged {
    /// A merge that a person began with git and that co finished.
    pub(super) fn by_hand(
        opened: Opened,
        tree: &Snapshot,
        commits: (Option<Id>, Id),
        now: Stamp,
    ) -> Merged {
        let (ours, theirs) = opened.sides;
        let base = opened.base.unwrap_or_default();
        Merged {
            lost: lost((&base, &ours, &theirs), Some(opened.times.each_ref()), tree, now),
            ours,
            theirs,
            tree: tree.clone(),
            commits,
            taken_in: opened.theirs,
            decisions: Vec::new(),
            renumbered: Vec::new(),
        }
    }

    /// Numbers that facts had on this laptop until the merge. What came from the other side, or is
    /// a second text of one fact, never had one here.
    pub(super) fn numbers_lost(&self) -> Vec<(u64, Stamp)> {
        if self.renumbered.is_empty() {
            return Vec::new();
        }
        let ours = self.ours.memories();
        let had = |(was, origin): &(u64, Stamp)| {
            ours.iter().any(|memory| memory.created == *origin && memory.id == Some(*was))
        };
        let changes = self.renumbered.iter();
        changes.filter_map(|change| Some((change.was?, change.origin))).filter(had).collect()
    }
}

/// Merges the remote's commit into our branch; `None` if it is already merged.
pub(super) fn merge_remote(
    cx: &SyncContext<'_>,
    before: &Before,
    held: &HeldBack,
    theirs: Id,
) -> Result<Option<Merged>, Stop> {
    let repo = &cx.repo;
    let head = repo.head()?;
    if let Some(head) = head
        && repo.is_ancestor(theirs, head)?
    {
        return Ok(None);
    }
    repo.refuse_unsafe(theirs)?;
    (cx.on_step)(Phase::Merging);
    let (ours, incoming) = (repo.snapshot(head)?, repo.snapshot(Some(theirs))?);
    let fast_forward = head.map_or(Ok(ours.is_empty()), |head| repo.is_ancestor(head, theirs))?;
    let base = match head {
        Some(head) if !fast_forward => base_of(repo, head, theirs)?,
        _ => Some(ours.clone()),
    };
    refuse_incoming(cx, (head, base.as_ref()), &incoming)?;
    let past = match base {
        Some(_) => None,
        // The remote was squashed: its last known state shows which side changed a text.
        None => before.tracking.map(|tracking| repo.snapshot(Some(tracking))).transpose()?,
    };
    if let Some(past) = &past {
        refuse_stranger(cx, past, &incoming)?;
    }
    let times = match head {
        Some(head) => edit_times(repo, (head, &ours), (theirs, &incoming), base.as_ref())?,
        None => Default::default(),
    };
    let (times, calendar) = (Some(times.each_ref()), Some(cx.ws.calendar()));
    let history =
        History { base: base.as_ref(), past: past.as_ref(), times, calendar, ..History::default() };
    let joined = join(history, &our_part(repo, history, &ours), &incoming, cx.ws.now());
    if !cx.request.accept_deletions
        && let Some(mass) = guard::guard(&ours, &joined.snapshot, &joined.snapshot.ledger())
    {
        return Err(cx.mass_deletion_there(mass).into());
    }
    let tree = questions::noted((base.as_ref(), &ours, &incoming), &joined);
    cx.intact(&ChangeSet::between(&ours, &tree).files)?;
    held.refuse_change(&ours, &tree)?;
    refuse_clashes(&cx.store.root, &ours, &tree)?;
    let sides = Commits { head, theirs, fast_forward };
    let new = commit(cx, &sides, &ours, &incoming, &tree)?;
    let journal = Journal {
        branch: cx.branch.local.clone(),
        prefix: repo.prefix.clone(),
        old: head.map(|id| id.to_string()),
        new: new.to_string(),
    };
    checkout::check_out(cx, held, &journal)?;
    let from = match &base {
        _ if fast_forward || past.is_some() => None,
        Some(base) => Some(base.clone()),
        // Joined: where both sides had set something, the remote's value stayed.
        None => Some(Snapshot::default()),
    };
    let lost = from
        .map_or_else(Vec::new, |from| lost((&from, &ours, &incoming), times, &tree, cx.ws.now()));
    let (decisions, renumbered) = (joined.decisions, joined.renumbered);
    let (commits, taken_in, theirs) = ((head, new), theirs, incoming);
    Ok(Some(Merged { ours, theirs, tree, commits, taken_in, lost, decisions, renumbered }))
}

/// What this side contributes to the merge. When joining an identity without common history, the
/// other side's values win.
pub(super) fn our_part(repo: &Repo, history: History<'_>, ours: &Snapshot) -> Snapshot {
    match (history.base, history.past, repo.prefix.is_empty()) {
        (None, None, true) => discarded::stamped_first(ours),
        _ => ours.clone(),
    }
}

fn refuse_incoming(
    cx: &SyncContext<'_>,
    (head, base): (Option<Id>, Option<&Snapshot>),
    incoming: &Snapshot,
) -> Result<(), Error> {
    // A remote without common history may be somebody's project.
    if base.is_none() || head.is_none() {
        let url = cx.branch.url.as_deref().unwrap_or("the remote");
        recognise::refuse_other(url, incoming.paths())?;
    }
    match base.filter(|base| !base.is_empty()) {
        Some(base) => refuse_no_identity(cx, base, incoming),
        None => Ok(()),
    }
}

/// Refuses to merge a branch that had an identity and now has other content or none: that would
/// delete here what nobody forgot.
fn refuse_no_identity(
    cx: &SyncContext<'_>,
    base: &Snapshot,
    incoming: &Snapshot,
) -> Result<(), Error> {
    if content(base.paths()) != Content::Identity || cx.request.accept_deletions {
        return Ok(());
    }
    let url = cx.branch.url.as_deref().unwrap_or("the remote");
    recognise::refuse_other(url, incoming.paths())?;
    if content(incoming.paths()) == Content::Identity {
        return Ok(());
    }
    Err(SyncError::NoIdentityThere { url: url.to_owned() }.into())
}

/// A known remote that now has nothing in common with its earlier state belongs to somebody else:
/// only a person can agree to join it.
fn refuse_stranger(
    cx: &SyncContext<'_>,
    known: &Snapshot,
    incoming: &Snapshot,
) -> Result<(), Error> {
    let facts = |side: &Snapshot| -> BTreeSet<ContentHash> {
        side.memories().iter().map(|memory| memory.hash).collect()
    };
    let profile = RelPath::known(PROFILE);
    let in_common = match (facts(known), facts(incoming)) {
        (ours, theirs) if ours.is_empty() || theirs.is_empty() => {
            known.get(&profile) == incoming.get(&profile)
        }
        (ours, theirs) => !ours.is_disjoint(&theirs),
    };
    if in_common || cx.request.accept_deletions {
        return Ok(());
    }
    let url = cx.branch.url.as_deref().unwrap_or("the remote");
    Err(SyncError::OtherIdentity { url: url.to_owned() }.into())
}

/// Changes of this laptop that lost to later or stronger ones of the other side. `times` are those
/// of the merge.
pub(super) fn lost(
    (base, ours, theirs): (&Snapshot, &Snapshot, &Snapshot),
    times: Option<[&EditTimes; 2]>,
    merged: &Snapshot,
    now: Stamp,
) -> Vec<FileChange> {
    let laid_out = in_one_layout([base, ours, theirs], times);
    let [base, ours, theirs] =
        laid_out.as_ref().map_or([base, ours, theirs], |sides| sides.each_ref());
    let last = discarded::stamped_last(base, ours, theirs);
    let newest = discarded::newest(base, ours, theirs);
    if last.is_none() && newest == EditTimes::default() {
        return Vec::new();
    }
    let times = Some([&newest, &EditTimes::default()]);
    let history = History { base: Some(base), times, is_laid_out: true, ..History::default() };
    let wanted = join(history, last.as_ref().unwrap_or(ours), theirs, now).snapshot;
    discarded::lost(&wanted, merged)
}

/// What this laptop and the remote both had: the remote's last known commit, or the merge base
/// if that was fetched and never merged (`git fetch`, `co diff origin`), or if the remote is new
/// here and has the same history. `met` is what a remote had that is new here.
pub(super) fn known_to_both(
    cx: &SyncContext<'_>,
    before: &Before,
    met: Option<Id>,
) -> Result<Snapshot, Error> {
    let tracking = before.tracking.or_else(|| met.filter(|_| before.head.is_some()));
    if let (Some(tracking), Some(head)) = (tracking, before.head)
        && !cx.repo.is_ancestor(tracking, head)?
    {
        return Ok(base_of(&cx.repo, head, tracking)?.unwrap_or_default());
    }
    Ok(cx.repo.snapshot(tracking)?)
}

struct Commits {
    head: Option<Id>,
    theirs: Id,
    fast_forward: bool,
}

fn commit(
    cx: &SyncContext<'_>,
    commits: &Commits,
    ours: &Snapshot,
    incoming: &Snapshot,
    tree: &Snapshot,
) -> Result<Id, Stop> {
    let repo = &cx.repo;
    let theirs = commits.theirs;
    let our_root = commits.head.map(|head| repo.tree_of(head)).transpose()?;
    let their_root = repo.tree_of(theirs)?;
    if commits.fast_forward && tree == incoming {
        repo.refuse_dirty(&repo.enclosing_changes(our_root, their_root)?)?;
        return Ok(theirs);
    }
    let from_theirs = ChangeSet::between(incoming, tree);
    let with_identity = repo.write_tree(Some(their_root), &from_theirs.files)?;
    let root = match (commits.head, our_root) {
        (Some(head), Some(our_root)) if !commits.fast_forward => {
            let base = repo.merge_bases(head, theirs)?.first().copied();
            let base = base.map(|base| repo.tree_of(base)).transpose()?;
            let identity = repo.identity_tree(with_identity)?;
            repo.merge_enclosing(base, our_root, their_root, identity)?
        }
        _ => with_identity,
    };
    repo.refuse_dirty(&repo.enclosing_changes(our_root, root)?)?;
    let parents: Vec<Id> = if commits.fast_forward {
        vec![theirs]
    } else {
        commits.head.into_iter().chain([theirs]).collect()
    };
    let summary = summary(&ChangeSet::between(ours, tree).files);
    let message = format!("{SUBJECT}merged, {summary} on {}\n", cx.ws.host);
    cx.before_signing();
    Ok(repo.commit(root, &parents, &message, &[])?)
}

/// Before anything is written, refuses a path that is both file and folder, and two paths that are
/// the same file here: one of the two can be renamed.
pub fn refuse_clashes(root: &Path, ours: &Snapshot, tree: &Snapshot) -> Result<(), Error> {
    let above = |path: &RelPath| -> Vec<RelPath> {
        let slashes = path.as_str().match_indices('/');
        slashes.filter_map(|(at, _)| RelPath::new(&path.as_str()[..at])).collect()
    };
    let on_disk = |path: &RelPath| root.join(path.as_str());
    if folding::folds(root)
        && let Some((one, other)) = one_file_where_case_is_ignored(tree).first()
    {
        return Err(SyncError::OneFile { one: one.to_string(), other: other.to_string() }.into());
    }
    for path in tree.paths().filter(|path| ours.get(path) != tree.get(path)) {
        let is_file = |folder: &RelPath| {
            tree.get(folder).is_some()
                || (files::exists(&on_disk(folder)) && !files::is_dir(&on_disk(folder)))
        };
        if above(path).iter().any(is_file) || files::is_dir(&on_disk(path)) {
            return Err(SyncError::FileAndFolder { path: path.to_string() }.into());
        }
    }
    Ok(())
}
