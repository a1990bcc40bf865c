//! Files that belong to another user, or that this one may not write.
//!
//! Invariant: only reads names and attributes; symlinks are not followed.

use super::platform;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// How many there are, and the first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundFiles {
    pub first: PathBuf,
    pub count: usize,
}

/// Files and folders of other users, from a folder down, itself included.
pub fn of_others(root: &Path) -> Option<FoundFiles> {
    found(root, &|path| fs::symlink_metadata(path).is_ok_and(|meta| platform::is_of_another(&meta)))
}

/// Files and folders that cannot be written.
pub fn unwritable(root: &Path) -> Option<FoundFiles> {
    found(root, &|path| !path.is_symlink() && !platform::can_be_written(path))
}

fn found(root: &Path, is_it: &dyn Fn(&Path) -> bool) -> Option<FoundFiles> {
    let mut all = Vec::new();
    walk(root, is_it, &mut all);
    all.sort();
    let count = all.len();
    all.into_iter().next().map(|first| FoundFiles { first, count })
}

fn walk(path: &Path, is_it: &dyn Fn(&Path) -> bool, all: &mut Vec<PathBuf>) {
    if is_it(path) {
        all.push(path.to_owned());
    }
    if path.is_symlink() {
        return;
    }
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    entries.for_each(|entry| walk(&entry.path(), is_it, all));
}
