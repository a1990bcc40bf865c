//! The files of a folder that a person names.
//!
//! Invariant: each file is read or left out with its reason; nothing outside of the folder is read,
//! whatever a link says. Must not know: what is in a file.

use super::report::Left;
use crate::machine::{Context, files};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// How many files of a folder are read.
pub(super) const MAX_FILES: usize = 2_000;
/// How many names of it are looked at.
const MAX_NAMES: usize = 20_000;
/// How deep to descend.
const DEPTH: usize = 6;
/// Endings of what is read.
const ENDINGS: &[&str] = &[
    "md", "markdown", "mdown", "mkd", "mdx", "mdc", "rst", "org", "adoc", "txt", "text", "json",
    "jsonl", "ndjson", "zip",
];
/// Files without an ending that are no rules.
const OTHERS: &[&str] = &[
    "brewfile",
    "copying",
    "dockerfile",
    "gemfile",
    "jenkinsfile",
    "justfile",
    "license",
    "makefile",
    "procfile",
    "rakefile",
    "vagrantfile",
];
/// Folders of programs, which nobody wrote.
const OF_PROGRAMS: &[&str] =
    &[".cache", ".git", ".hg", ".jj", ".obsidian", ".svn", ".venv", "node_modules", "target"];

/// What is in a folder.
pub(super) struct Folder<'a> {
    context: &'a Context,
    root: PathBuf,
    /// The files that are read, with links resolved.
    seen: BTreeSet<PathBuf>,
    names: usize,
    pub found: Vec<PathBuf>,
    pub left: Vec<Left>,
}

impl<'a> Folder<'a> {
    pub(super) fn of(context: &'a Context, path: &Path) -> Folder<'a> {
        let mut folder = Folder {
            context,
            root: files::resolve(path),
            seen: BTreeSet::new(),
            names: 0,
            found: Vec::new(),
            left: Vec::new(),
        };
        folder.within(path, DEPTH);
        folder
    }

    fn within(&mut self, folder: &Path, depth: usize) {
        for name in files::names(folder) {
            self.names += 1;
            if self.names > MAX_NAMES {
                return self.leave(folder, &format!("more than {MAX_NAMES} files"));
            }
            let path = folder.join(&name);
            if files::is_link(&path) {
                self.link(&path, &name);
            } else if !files::is_dir(&path) {
                self.file(&path, &name);
            } else if OF_PROGRAMS.contains(&name.as_str()) {
                self.leave_other(&path, "a program's own folder");
            } else if !files::can_be_listed(&path) {
                self.leave(&path, "a folder that cannot be read");
            } else if depth == 1 {
                self.leave(&path, &format!("more than {DEPTH} folders deep"));
            } else {
                self.within(&path, depth - 1);
            }
        }
    }

    fn link(&mut self, path: &Path, name: &str) {
        if !files::is_there(path) {
            self.leave(path, "a broken link");
        } else if !files::resolve(path).starts_with(&self.root) {
            self.leave(path, "a link that leaves the folder");
        } else if files::is_dir(path) {
            self.leave_other(path, "a link to a folder");
        } else {
            self.file(path, name);
        }
    }

    fn file(&mut self, path: &Path, name: &str) {
        if !is_read(name) {
            self.leave_other(path, "not a kind of file that is read in a folder");
        } else if !files::is_file(path) {
            self.leave_other(path, "not a regular file");
        } else if self.found.len() >= MAX_FILES {
            self.leave(path, &format!("more than {MAX_FILES} files"));
        } else if self.seen.insert(files::resolve(path)) {
            self.found.push(path.to_owned());
        } else {
            self.leave_other(path, "the same file as another");
        }
    }

    /// What a person may miss.
    fn leave(&mut self, path: &Path, why: &str) {
        self.left.push(Left {
            file: self.context.shown(path),
            at: None,
            text: String::new(),
            why: why.to_owned(),
            is_alike: false,
            is_rejected: false,
            is_minor: false,
        });
    }

    fn leave_other(&mut self, path: &Path, why: &str) {
        self.leave(path, why);
        if let Some(left) = self.left.last_mut() {
            left.is_minor = true;
        }
    }
}

/// Whether a file may have rules or memories, by its name: `AGENTS`, `.cursorrules`, `notes.md`.
fn is_read(name: &str) -> bool {
    let name = name.to_lowercase();
    let bare = name.trim_start_matches('.');
    match bare.rsplit_once('.') {
        Some((_, ending)) => ENDINGS.contains(&ending),
        None if bare.len() < name.len() => bare.ends_with("rules") || bare.ends_with("hints"),
        None => !OTHERS.contains(&bare),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_rules_and_memories() {
        for name in ["a.md", "B.MARKDOWN", "c.rst", "AGENTS", ".cursorrules", ".clinerules"] {
            assert!(is_read(name), "{name}");
        }
        for name in ["a.rs", "picture.png", "Makefile", ".env", ".gitignore", ".DS_Store", "a."] {
            assert!(!is_read(name), "{name}");
        }
    }
}
