//! Paths of places that may not exist yet.
//!
//! Invariant: nothing is created or changed; an existing folder on the way counts with its symlinks
//! resolved.

use super::files;
use std::path::{Component, Path, PathBuf};

/// The path without `.` and `..`, as text: symlinks are not looked at.
pub fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(normal.pop()),
            part => normal.push(part),
        }
    }
    normal
}

/// The path with the symlinks of its existing part resolved.
pub fn resolve_new(path: &Path) -> PathBuf {
    let there = path.ancestors().find(|above| files::is_there(above)).unwrap_or(path);
    match path.strip_prefix(there) {
        Ok(rest) if !rest.as_os_str().is_empty() => normal(&files::resolve(there).join(rest)),
        _ => files::resolve(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_taken_out() {
        for (path, wanted) in
            [("/a/./b/../c", "/a/c"), ("/a/b/..", "/a"), ("a/../b", "b"), ("/..", "/")]
        {
            assert_eq!(normal(Path::new(path)), Path::new(wanted), "{path}");
        }
    }

    #[test]
    fn what_exists_of_a_path_is_resolved() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = files::resolve(folder.path());
        assert_eq!(resolve_new(&folder.path().join("x/y")), root.join("x/y"));
        assert_eq!(resolve_new(folder.path()), root);
    }
}
