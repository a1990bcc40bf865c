//! The repository that the identity lives in, and the failure where there is none.

use super::{Exit, Failure};
use crate::system::{
    Context, SystemError, cloud, files,
    git::{Elsewhere, Repo, elsewhere},
};

pub fn repository(context: &Context) -> Result<Repo, Failure> {
    Repo::discover(context).map_err(SystemError::from)?.ok_or_else(|| no_repository(context))
}

/// Says what to set where a dotfiles manager tracks or links the identity's files.
pub fn no_repository(context: &Context) -> Failure {
    let path = context.shown(&context.identity.path);
    let failure = |message: String| Failure::new(Exit::NotSetUp, message);
    if let Some(service) = cloud::service_of(&context.identity.resolved) {
        return in_cloud(context, service);
    }
    match elsewhere(context) {
        Some(Elsewhere::Tracked { git_dir, command }) => {
            let tracker = context.shown(&git_dir);
            failure(format!("{path} is tracked by {tracker}, which is not set here"))
                .hint(format!("`{command}` works in it"))
        }
        Some(Elsewhere::Links { folder }) => {
            let folder = context.shown(&folder);
            failure(format!(
                "the files in {path} are links into {folder}; a new fact would not get there"
            ))
            .hint(format!(
                "remove the links and `ln -s {folder} {path}`; or set identity_path to {folder} \
                 in settings.json"
            ))
        }
        None => failure(format!("{path} is not in a git repository"))
            .hint("`co init` makes it one, `co init URL` connects it to yours"),
    }
}

/// Two programs that write the same files damage a repository: co makes none there.
pub fn in_cloud(context: &Context, service: &str) -> Failure {
    let path = context.shown(&context.identity.path);
    let place = context.shown(&context.config_dir.join("identity"));
    let message = format!(
        "{service} syncs {path}, and would damage a git repository in it, so there is none to sync"
    );
    Failure::new(Exit::NeedsUser, message)
        .hint(format!("`co identity move {place}` takes it out of there, then `co init URL`"))
        .hint(format!("or leave the sync to {service}: everything but `co sync` works there"))
}

/// Warns where a dotfiles manager that links the whole configuration folder would commit this
/// machine's settings and databases.
pub(super) fn machine_state_in(context: &Context, repo: &Repo) -> Option<String> {
    let folder = files::resolve(&context.config_dir);
    // A work tree that is the home folder (yadm, vcsh) commits only what was added explicitly.
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
        "{place} lies in a repository that would commit {}, which belong to this machine; put \
         them into {place}/.gitignore: {}",
        exposed.join(", "),
        lines.join(" ")
    ))
}
