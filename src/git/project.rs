//! Identifies the project of the repository around a folder, wherever it was cloned to.
//!
//! Invariant: fetches, writes and runs nothing. A repository that belongs to another user, or
//! cannot be read, identifies no project.

use super::{repository_above, trusted};
use crate::identity::project::Project;
use crate::machine::files;
use gix::{bstr::ByteSlice, remote::Direction};
use std::path::{Path, PathBuf};

/// The main work tree, and the project of its repository.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checkout {
    pub root: PathBuf,
    pub project: Option<Project>,
    /// The projects identified by its other remotes.
    pub others: Vec<Project>,
    /// The branch that the folder's work tree is on.
    pub branch: Option<String>,
}

/// How many commits to walk to find the first one.
const MAX_COMMITS: usize = 200_000;

/// `None` if the folder is not in a repository.
pub fn checkout_of(folder: &Path) -> Option<Checkout> {
    let root = files::resolve(&repository_above(folder)?);
    let Ok(repository) = trusted::open(&root) else {
        let project = Some(Project::unknown());
        return Some(Checkout { root, project, others: Vec::new(), branch: None });
    };
    // A linked work tree has its own `.git`, and shares the main one's common directory.
    let common = files::resolve(repository.common_dir());
    let main = match common.parent().filter(|_| common.ends_with(".git")) {
        None if files::resolve(repository.git_dir()) == common => None,
        // A bare repository has no main work tree.
        None if repository.git_dir().starts_with(common.join("worktrees")) => Some(common),
        main => main.map(Path::to_owned),
    };
    let mut others = by_remotes(&repository);
    let first = (!others.is_empty()).then(|| others.remove(0));
    let project = first.or_else(|| by_first_commit(&repository));
    let branch = repository.head_name().ok().flatten();
    let branch = branch.map(|name| name.shorten().to_str_lossy().into_owned());
    Some(Checkout { root: main.unwrap_or(root), project, others, branch })
}

/// Whether git tracks a file in a folder of a work tree, and so brings it to other laptops itself.
pub fn tracks_below(root: &Path, folder: &Path) -> bool {
    let Ok(repository) = trusted::open(root) else { return false };
    let Ok(index) = repository.index_or_empty() else { return false };
    let prefix = format!("{}/", folder.to_string_lossy().replace('\\', "/"));
    index.prefixed_entries(prefix.as_bytes().as_bstr()).is_some_and(|all| !all.is_empty())
}

/// The projects of all remotes of the repository around a folder, to fetch from and to push to, as
/// they are written and as git rewrites them; none outside one. `None` if the repository cannot be
/// read, or belongs to another user.
pub fn remotes_around(folder: &Path) -> Option<Vec<Project>> {
    let Some(root) = repository_above(folder) else { return Some(Vec::new()) };
    let repository = trusted::open(&files::resolve(&root)).ok()?;
    let config = repository.config_snapshot();
    let mut all = Vec::new();
    for name in repository.remote_names() {
        let name = name.to_str_lossy().into_owned();
        for key in ["url", "pushurl"] {
            let written = config.plumbing().strings(&format!("remote.{name}.{key}"));
            let written = written.unwrap_or_default();
            all.extend(written.iter().filter_map(|url| Project::of_remote(&url.to_str_lossy())));
        }
        let Ok(remote) = repository.find_remote(name.as_str()) else { continue };
        for direction in [Direction::Fetch, Direction::Push] {
            let rewritten = remote.urls(direction).map(|url| url.to_bstring());
            all.extend(rewritten.filter_map(|url| Project::of_remote(&url.to_str_lossy())));
        }
    }
    Some(all)
}

/// Projects by the remotes that others can reach, `origin` first.
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

/// By the first commit; a shallow clone does not have it.
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
