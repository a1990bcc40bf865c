//! `identity move`: moves the identity to another folder.
//!
//! Invariant: nothing is deleted. Outside other repositories the folder moves as a whole, with its
//! own repository, and an undo moves it back. Into another repository the files are copied and
//! compared, because no repository may be inside another; the old folder, with its own history, is
//! renamed.

mod copied;
mod error;
mod whole;

use super::init;
use crate::git::{self, IgnoredAround, dotfiles_repo, is_inside_git, is_repository};
use crate::index::store::Store;
use crate::machine::{
    Context, cloud,
    context::IdentitySource,
    files,
    oplog::{MovedFolder, OpVerb},
    paths,
};
use crate::sync;
use crate::workspace::{Error, Workspace, config, recognise, transaction::FolderMove};
pub use error::RelocateError;
pub use whole::{has_moved_on, move_whole, plan_back};

use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Plan {
    pub from: PathBuf,
    pub to: PathBuf,
    #[serde(rename = "way")]
    pub method: MoveMethod,
    /// The enclosing repository that the identity will be committed in.
    pub inside: Option<PathBuf>,
    /// The enclosing repository that ignores the new folder.
    pub ignored_by: Option<IgnoredAround>,
    /// Where the repository is pushed to, and the identity with it.
    pub pushes_to: Option<sync::Upstream>,
    pub files: usize,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveMethod {
    /// The folder, with everything in it.
    Whole {
        /// Whether a repository of its own moves along.
        repository: bool,
        #[serde(skip)]
        moved: MovedFolder,
    },
    /// The identity's files; the rest stays.
    Copy {
        /// Where the old folder is renamed to.
        aside: PathBuf,
        /// The remote that stays with the old folder, or with the repository around it.
        leaves: Option<String>,
        /// The repository around the old folder, which has its files and is not changed.
        #[serde(skip_serializing_if = "Option::is_none")]
        within: Option<PathBuf>,
        /// What is not copied: the repository, and files that are no part of the identity.
        stays: Vec<String>,
    },
}

#[derive(Default)]
pub struct Applied {
    /// The first sync in another repository: the identity has moved in any case.
    pub synced: Option<Result<sync::Report, Error>>,
    /// What could not follow.
    pub warnings: Vec<String>,
}

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

fn refuse_named_elsewhere(context: &Context) -> Result<(), Error> {
    if matches!(
        context.identity.source,
        IdentitySource::Flag | IdentitySource::Environment | IdentitySource::Layer
    ) {
        return Err(RelocateError::NamedElsewhere.into());
    }
    Ok(())
}

/// The repository that would have the identity's files there; refuses a place that no identity can
/// move to.
fn repository_around(
    context: &Context,
    store: &Store,
    there: &Workspace,
) -> Result<Option<PathBuf>, Error> {
    let to = &there.identity.resolved;
    refuse_place(context, store, to)?;
    let repo = there.repo()?;
    let inside = repo.map(|repo| repo.root.clone());
    refuse_other_identity(context, to, inside.as_deref())?;
    config::refuse_unfit(context)?;
    Ok(inside)
}

fn refuse_place(context: &Context, store: &Store, to: &Path) -> Result<(), Error> {
    if context.identity.links.is_some() {
        let (path, folder) = (context.shown(&context.identity.path), context.shown(&store.root));
        return Err(RelocateError::Links { path, folder }.into());
    }
    if git::is_submodule(&store.root) {
        return Err(RelocateError::Submodule { path: context.shown(&store.root) }.into());
    }
    let shown = context.shown(to);
    if to.starts_with(&store.root) || store.root.starts_with(to) {
        return Err(RelocateError::Nested { to: shown }.into());
    }
    if files::exists(to) && !files::is_dir(to) || !files::names(to).is_empty() {
        return Err(RelocateError::Taken { to: shown }.into());
    }
    if is_inside_git(to) {
        return Err(RelocateError::InGitDir { to: shown }.into());
    }
    Ok(())
}

fn refuse_other_identity(context: &Context, to: &Path, inside: Option<&Path>) -> Result<(), Error> {
    let up_to = inside.unwrap_or(Path::new("/"));
    let mut above = to.ancestors().skip(1).take_while(|folder| folder.starts_with(up_to));
    match above.find(|folder| recognise::is_identity(folder)) {
        Some(another) => Err(RelocateError::InIdentity { folder: context.shown(another) }.into()),
        None => Ok(()),
    }
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
