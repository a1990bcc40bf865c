//! Moves the identity into another repository: copies its files and renames the old folder.
//!
//! Invariant: the copy is compared before the old folder is renamed; what is not copied is named in
//! the plan.

use super::{
    error::RelocateError,
    planned::{Applied, MoveMethod, Plan},
};
use crate::identity::{RelPath, Snapshot};
use crate::index::store::Store;
use crate::integrations::git_hooks;
use crate::machine::{files, folder, lock, moving, oplog::OpVerb};
use crate::sync;
use crate::workspace::{
    Error, Workspace, config,
    transaction::{self, Unrecorded},
};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

/// How long to wait for a running sync.
const WAIT: Duration = Duration::from_secs(10);

pub(super) fn method(ws: &Workspace, store: &Store) -> Result<(MoveMethod, usize), Error> {
    let reading = folder::read(&store.root);
    if let Some(finding) = reading.findings.first() {
        let (path, why) = (finding.path.clone(), finding.message.clone());
        return Err(RelocateError::Unreadable { path, why }.into());
    }
    let day = ws.calendar().day(ws.now());
    let name = store
        .root
        .file_name()
        .map_or_else(String::new, |name| format!("{}.moved-{day}", name.to_string_lossy()));
    let aside = free_name(&store.root.with_file_name(name));
    let leaves = sync::upstream(ws)?.map(|upstream| upstream.url);
    let around = ws.repo()?;
    let within = around.filter(|repo| !repo.prefix.is_empty()).map(|repo| repo.root.clone());
    let stays = stays(&store.root, &reading.snapshot);
    let method = MoveMethod::Copy { aside, leaves, within, stays };
    Ok((method, reading.snapshot.len()))
}

/// What a copy of the identity leaves behind.
fn stays(root: &Path, copied: &Snapshot) -> Vec<String> {
    let is_copied =
        |name: &String| RelPath::new(name).is_some_and(|path| copied.get(&path).is_some());
    let git = files::exists(&root.join(".git")).then(|| ".git".to_owned());
    let others = moving::everything_in(root).into_iter().filter(|name| !is_copied(name));
    git.into_iter().chain(others).collect()
}

/// The path itself, or the first free one with a number: `PATH-2`.
fn free_name(path: &Path) -> PathBuf {
    let numbered = (2..).map(|number| PathBuf::from(format!("{}-{number}", path.display())));
    std::iter::once(path.to_owned())
        .chain(numbered)
        .find(|path| !files::exists(path))
        .expect("because numbers do not end")
}

pub(super) fn apply(
    ws: &Workspace,
    plan: &Plan,
    (aside, what): (&Path, &str),
    on_step: &sync::OnStep<'_>,
) -> Result<Applied, Error> {
    let store = ws.identity()?;
    let has_hooks = git_hooks::is_set_up(ws);
    let _lock = lock::folder(&store.root, WAIT)?;
    let writing = store.lock()?;
    let before = folder::read(&store.root).snapshot;
    files::make_dir(&plan.to)?;
    let target = files::resolve(&plan.to);
    let nothing = Snapshot::default();
    transaction::write_unrecorded(Unrecorded::Copy, &target, &nothing, &before, &|_, _| {})?;
    if folder::read(&target).snapshot != before {
        return Err(RelocateError::NotCopied { to: ws.shown(&plan.to) }.into());
    }
    // The lock stays until the old folder has another name: nothing may be saved there any more.
    writing.unmark();
    config::set_place(ws, &ws.shown(&plan.to))?;
    transaction::move_state(ws, &store.root, &target)?;
    transaction::rename_folder(Unrecorded::Copy, &store.root, aside)?;
    drop(writing);
    let moved = ws.elsewhere(&plan.to);
    moved.note_operation(moved.identity_place(), OpVerb::Relocate, what);
    let mut applied = Applied::default();
    if has_hooks && !git_hooks::is_set_up(&moved) {
        let said = "git's hooks stayed with the old folder; `co hook install` sets them up here";
        applied.warnings.push(said.to_owned());
    }
    let request =
        sync::Request { own_commits: sync::OwnCommits::Unpublished, ..sync::Request::default() };
    let inside = moved.repo()?;
    applied.synced = inside.map(|_| sync::run(&moved, &request, on_step));
    Ok(applied)
}
