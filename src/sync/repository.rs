//! The repository of the identity, and the error if there is none.

use super::{Error, error::RepositoryError};
use crate::git::{DotfilesRepo, IgnoreRule, IgnoredAround, Repo, dotfiles_repo, ignored_around};
use crate::identity::Snapshot;
use crate::machine::{Context, cloud, files};
use crate::workspace::Workspace;
use std::rc::Rc;

pub fn repository(ws: &Workspace) -> Result<Rc<Repo>, Error> {
    ws.repo()?.ok_or_else(|| no_repository(ws))
}

/// The error for no repository, with what to set if a dotfiles manager tracks or links the files.
pub fn no_repository(context: &Context) -> Error {
    let path = context.shown(&context.identity.path);
    if let Some(service) = cloud::service_of(&context.identity.resolved) {
        return in_cloud(context, service);
    }
    let error = match dotfiles_repo(context) {
        Some(DotfilesRepo::Tracked { git_dir, command }) => {
            RepositoryError::Tracked { path, tracker: context.shown(&git_dir), command }
        }
        Some(DotfilesRepo::Links { folder }) => {
            RepositoryError::Links { path, folder: context.shown(&folder) }
        }
        None => match ignored_around(context).ok().flatten() {
            Some(IgnoredAround { root, rule: IgnoreRule { file, line, pattern }, .. }) => {
                let (root, file) = (context.shown(&root), context.shown(&file));
                RepositoryError::Ignored { path, root, file, line, pattern }
            }
            None => RepositoryError::NoRepository { path },
        },
    };
    error.into()
}

/// Two programs that write the same files damage a repository: co creates none there.
pub fn in_cloud(context: &Context, service: &str) -> Error {
    let path = context.shown(&context.identity.path);
    let place = context.shown(&context.config_dir.join("identity"));
    RepositoryError::Cloud { service: service.to_owned(), path, instead: place }.into()
}

/// Warns if a dotfiles manager that links the whole configuration folder would commit this
/// machine's settings and databases.
pub(super) fn machine_state_in(context: &Context, repo: &Repo) -> Option<String> {
    let folder = files::resolve(&context.config_dir);
    // If the work tree is the home folder (yadm, vcsh), only explicitly added files are committed.
    if repo.prefix.is_empty() || context.env("GIT_DIR").is_some() || !folder.starts_with(&repo.root)
    {
        return None;
    }
    let exposed: Vec<&str> = ["settings.json", "local", "sessions"]
        .into_iter()
        .filter(|name| files::exists(&folder.join(name)) && repo.would_add(&folder.join(name)))
        .collect();
    if exposed.is_empty() {
        return None;
    }
    let place = context.shown(&folder);
    let lines: Vec<String> = exposed.iter().map(|name| format!("/{name}")).collect();
    Some(format!(
        "{place} is in a repository that would commit {}, which belong to this laptop; add them \
         to {place}/.gitignore: {}",
        exposed.join(", "),
        lines.join(" ")
    ))
}

/// The identity as last seen on the remote; `None` if it was never seen there.
pub fn published_identity(ws: &Workspace) -> Result<Option<Snapshot>, Error> {
    let Some(repo) = ws.repo()? else { return Ok(None) };
    let Ok(branch) = repo.branch(&ws.settings.sync) else { return Ok(None) };
    let Some(commit) = repo.ref_id(&branch.tracking) else { return Ok(None) };
    Ok(Some(repo.snapshot(Some(commit))?))
}
