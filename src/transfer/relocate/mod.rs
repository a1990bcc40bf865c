//! `identity move`: moves the identity to another folder.
//!
//! Invariant: nothing is deleted. Outside other repositories the folder moves as a whole, with its
//! own repository, and an undo moves it back. Into another repository the files are copied and
//! compared, because no repository may be inside another; the old folder, with its own history, is
//! renamed.

mod copied;
mod error;
mod place;
mod planned;
mod whole;

use super::init;
use crate::git::{self, IgnoredAround, dotfiles_repo, is_repository};
use crate::machine::{Context, cloud, files, oplog::OpVerb, paths};
use crate::sync;
use crate::workspace::{Error, Workspace, transaction::FolderMove};
pub use error::RelocateError;
use place::{refuse_named_elsewhere, repository_around};
pub use planned::{Applied, MoveMethod, Plan};
pub use whole::{has_moved_on, move_whole, plan_back};

use std::path::Path;

pub fn plan(ws: &Workspace, target: &str) -> Result<Plan, Error> {
    let store = ws.identity()?;
    refuse_named_elsewhere(ws)?;
    // It would be the current folder.
    if target.trim().is_empty() {
        return Err(RelocateError::EmptyName.into());
    }
    let wanted = ws.typed_path(target);
    // A non-empty folder belongs to somebody: co creates its own subfolder there.
    let taken = !files::names(&wanted).is_empty();
    let to = if taken { wanted.join(init::OWN_FOLDER) } else { wanted };
    let resolved = paths::resolve_new(&to);
    let there = ws.elsewhere(&resolved);
    let inside = repository_around(ws, store, &there)?;
    let ignored_by = match &inside {
        Some(_) => None,
        None => git::ignored_around(&there)?,
    };
    // A cloud service would damage a repository.
    let may_move = if is_repository(&store.root) {
        cloud::service_of(&resolved).is_none()
    } else {
        is_free(ws)?
    };
    let is_whole = inside.is_none() && may_move;
    // No repository would have the copy.
    if let (false, Some(around)) = (is_whole, &ignored_by) {
        return Err(refused_by(ws, &resolved, around).into());
    }
    let (method, files) = if is_whole {
        whole::method(ws, store, (to.as_path(), resolved.as_path()))?
    } else {
        copied::method(ws, store)?
    };
    let pushes_to = match (&inside, is_whole) {
        (Some(_), _) => sync::upstream(&there)?,
        // Its own remote, which a broken repository may not tell.
        (None, true) => sync::upstream(ws).ok().flatten(),
        (None, false) => None,
    };
    let from = store.root.clone();
    Ok(Plan { from, to, method, inside, ignored_by, pushes_to, files })
}

fn refused_by(context: &Context, to: &Path, around: &IgnoredAround) -> RelocateError {
    let IgnoredAround { root, folder, rule } = around;
    // Rules in a `.gitignore` are relative to its folder.
    let is_inside = rule.file.ends_with(".gitignore") && rule.file.starts_with(root);
    let base = rule.file.parent().filter(|_| is_inside).unwrap_or(root);
    let below = |path: &Path| {
        let below = path.strip_prefix(base).unwrap_or(path).to_string_lossy().into_owned();
        below.replace(std::path::MAIN_SEPARATOR, "/")
    };
    RelocateError::Ignored {
        to: context.shown(to),
        ignored: below(folder),
        below: below(to),
        file: context.shown(&rule.file).into(),
        line: rule.line,
        pattern: rule.pattern.clone().into(),
    }
}

/// Whether no repository around the identity has its files.
fn is_free(ws: &Workspace) -> Result<bool, Error> {
    let around = ws.repo()?;
    Ok(around.is_none() && dotfiles_repo(ws).is_none())
}

/// If the folder cannot be moved, or a file cannot be copied, everything is as before.
pub fn apply(ws: &Workspace, plan: &Plan, on_step: &sync::OnStep<'_>) -> Result<Applied, Error> {
    let what = format!("{} → {}", ws.shown(&plan.from), ws.shown(&plan.to));
    match &plan.method {
        MoveMethod::Copy { aside, .. } => {
            copied::apply(ws, plan, (aside.as_path(), what.as_str()), on_step)
        }
        MoveMethod::Whole { moved, .. } => {
            let verb = OpVerb::Relocate;
            let wanted = FolderMove { verb, what: &what, moved, undoes: None };
            Ok(Applied { synced: None, warnings: move_whole(ws, &wanted)? })
        }
    }
}
