//! A repository of its own for a look at a remote: bare, empty, and gone with its folder.
//!
//! Invariant: nobody but this process writes there. Must not know what is looked for.

use super::{GitError, Repo, trusted};
use crate::machine::files;
use std::{fs, io, path::Path};

const MAKE: &str = "query the remote";

/// In a private folder: in a shared one, anybody's HEAD and config would be obeyed.
pub(super) fn repository(url: &str) -> Result<tempfile::TempDir, GitError> {
    let folder =
        tempfile::tempdir().map_err(|error| GitError::local(MAKE, Path::new(url), error))?;
    make_in(folder.path()).map_err(|error| GitError::local(MAKE, folder.path(), error))?;
    Ok(folder)
}

/// What git needs of a repository, and none of the twenty files that `git init` adds. Source:
/// gitrepository-layout(5).
fn make_in(here: &Path) -> io::Result<()> {
    fs::create_dir_all(here.join("objects/info"))?;
    fs::create_dir_all(here.join("refs/heads"))?;
    fs::write(here.join("HEAD"), "ref: refs/heads/main\n")?;
    fs::write(here.join("config"), "[core]\n\trepositoryformatversion = 0\n\tbare = true\n")
}

/// What [`repository`] made, with the configuration that git would read there.
pub(super) fn opened(here: &Path) -> Result<Repo, GitError> {
    let gix = trusted::open(here).map_err(|error| GitError::local(MAKE, here, error))?;
    Ok(Repo::at(gix, here.to_owned()))
}

/// What is in a repository already need not be fetched.
pub(super) fn borrow_objects(here: &Path, repo: &Repo) -> Result<(), GitError> {
    let objects = format!("{}\n", files::resolve(&repo.objects()).display());
    fs::write(here.join("objects/info/alternates"), objects)
        .map_err(|error| GitError::local(MAKE, here, error))
}
