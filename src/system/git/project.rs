//! Which project the repository around a folder is, wherever it was cloned to.
//!
//! Invariant: nothing is fetched, written or run. A repository of another user, or one that cannot
//! be read, names no project.

use super::repository_above;
use crate::identity::project::Project;
use crate::system::files;
use gix::{bstr::ByteSlice, remote::Direction};
use std::path::{Path, PathBuf};

/// The work tree that others are linked to, and what its repository is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checkout {
    pub root: PathBuf,
    pub project: Option<Project>,
    /// What its other remotes are called.
    pub others: Vec<Project>,
}

/// Commits that are walked for the first one.
const MAX_COMMITS: usize = 200_000;

/// `None` for a folder in no repository.
pub fn checkout_of(folder: &Path) -> Option<Checkout> {
    let root = files::resolve(&repository_above(folder)?);
    let options = gix::open::Options::default().bail_if_untrusted(true);
    let Ok(repository) = gix::open_opts(&root, options) else {
        return Some(Checkout { root, project: Some(Project::unknown()), others: Vec::new() });
    };
    // A linked work tree has its own `.git`, and shares the folder of the main one.
    let common = files::resolve(repository.common_dir());
    let main = match common.parent().filter(|_| common.ends_with(".git")) {
        None if files::resolve(repository.git_dir()) == common => None,
        // Of a bare repository there is no main work tree.
        None if repository.git_dir().starts_with(common.join("worktrees")) => Some(common),
        main => main.map(Path::to_owned),
    };
    let mut others = by_remotes(&repository);
    let first = (!others.is_empty()).then(|| others.remove(0));
    let project = first.or_else(|| by_first_commit(&repository));
    Some(Checkout { root: main.unwrap_or(root), project, others })
}

/// By the remotes that others can reach, `origin` first.
fn by_remotes(repository: &gix::Repository) -> Vec<Project> {
    let mut names: Vec<String> =
        repository.remote_names().iter().map(|name| name.to_str_lossy().into_owned()).collect();
    names.sort_by_key(|name| (name != "origin", name.clone()));
    let named = names.iter().filter_map(|name| {
        let remote = repository.find_remote(name.as_str()).ok()?;
        Project::of_remote(&remote.url(Direction::Fetch)?.to_bstring().to_str_lossy())
    });
    named.collect()
}

/// The beginning of a shallow clone is not that of its repository.
fn by_first_commit(repository: &gix::Repository) -> Option<Project> {
    if repository.is_shallow().unwrap_or(true) {
        return None;
    }
    let head = repository.head_id().ok()?;
    let mut first = head.detach();
    let walk = repository.rev_walk([first]).first_parent_only().all().ok()?;
    for (count, step) in walk.enumerate() {
        if count > MAX_COMMITS {
            return None;
        }
        first = step.ok()?.id;
    }
    Some(Project::of_first_commit(&first.to_string()))
}
