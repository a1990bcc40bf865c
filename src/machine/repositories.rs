//! Where a git repository is, as its folders alone tell.
//!
//! Invariant: only looks. Must not know what is in a repository, or whether it can be read.

use std::path::{Path, PathBuf};

/// The nearest folder at or above `path` that contains a repository.
pub fn repository_above(path: &Path) -> Option<PathBuf> {
    path.ancestors().find(|folder| is_repository(folder)).map(Path::to_owned)
}

/// Whether a folder is the top of a work tree, including that of a submodule.
pub fn is_repository(folder: &Path) -> bool {
    // A `.git` without HEAD is left by an interrupted `git init`, and not yet a repository.
    let git = folder.join(".git");
    git.is_file() || git.join("HEAD").exists()
}
