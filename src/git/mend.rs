//! Repairs refs and the index that a power cut left empty or zero-filled.
//!
//! Invariant: only blank files of git are touched, never the person's own. A ref comes back from
//! co's journal or the reflog, else it is deleted and fetched again; staged changes are lost with
//! the index.

use super::{Id, Repo, TIDIED, blank::is_blank, journal::Journal, process};
use crate::machine::files;
use std::path::Path;

/// Whether [`Repo::mend`] has work, as far as a few small reads show. Every command checks this.
pub fn needs_mending(git_dir: &Path) -> bool {
    let begins_blank =
        |name: &str| files::beginning(&git_dir.join(name), 4).is_some_and(|b| is_blank(&b));
    let head = files::beginning(&git_dir.join("HEAD"), 256).unwrap_or_default();
    let head = String::from_utf8_lossy(&head).trim().strip_prefix("ref: ").map(str::to_owned);
    let here = head.is_some_and(|name| begins_blank(&name));
    here || ["HEAD", "packed-refs", "index", "co/journal"].into_iter().any(begins_blank)
}

/// Whether HEAD is no longer where co left it, as far as loose refs show.
pub fn has_moved(git_dir: &Path) -> bool {
    let read = |name: &str| files::beginning(&git_dir.join(name), 256);
    let head = String::from_utf8_lossy(&read("HEAD").unwrap_or_default()).trim().to_owned();
    let here = head.strip_prefix("ref: ").and_then(read);
    matches!((here, read(TIDIED)), (Some(here), Some(tidied)) if here != tidied)
}

/// Points a blank HEAD to the last checked-out branch, if the reflogs show it. Without HEAD git
/// does not recognise the repository, so this runs before opening it.
pub fn restore_head(git_dir: &Path) {
    let head = git_dir.join("HEAD");
    if !std::fs::read(&head).is_ok_and(|bytes| is_blank(&bytes)) {
        return;
    }
    let log = std::fs::read_to_string(git_dir.join("logs/HEAD")).unwrap_or_default();
    let moved_to = log.lines().rev().find_map(|line| {
        let (_, branches) = line.split_once("checkout: moving from ")?;
        branches.rsplit_once(" to ").map(|(_, branch)| format!("refs/heads/{branch}"))
    });
    let mut branches = Vec::new();
    names_below(&git_dir.join("logs"), "refs/heads", &mut branches);
    let only = || branches.first().filter(|_| branches.len() == 1).cloned();
    let branch = moved_to.filter(|branch| branches.contains(branch)).or_else(only);
    if let Some(branch) = branch {
        let _ = files::write(&head, format!("ref: {branch}\n").as_bytes());
    }
}

impl Repo {
    /// Repairs files blanked by a power cut. Refs: from the journal of the interrupted checkout,
    /// else from the reflog; if neither has it, the ref is deleted, and fetch and sync create it
    /// again. The index: from the last commit.
    pub fn mend(&self, journal: Option<&Journal>) {
        // Read directly: the library follows HEAD to the ref, and fails on it.
        let head = std::fs::read_to_string(self.git_dir().join("HEAD")).unwrap_or_default();
        let head = head.trim().strip_prefix("ref: ").unwrap_or(TIDIED);
        let common = self.gix.common_dir();
        let mut names = vec![head.to_owned(), TIDIED.to_owned()];
        names_below(common, "refs/remotes", &mut names);
        let lost_packed = remove_blank(&common.join("packed-refs"));
        if lost_packed {
            names_below(&common.join("logs"), "refs", &mut names);
        }
        for name in names.iter().map(String::as_str) {
            let file = common.join(name);
            let broken = match std::fs::read(&file) {
                Ok(bytes) => is_blank(&bytes),
                Err(_) => lost_packed,
            };
            if !broken {
                continue;
            }
            let of_journal = journal.filter(|journal| journal.branch == name).and_then(|journal| {
                [journal.new_id(), journal.old_id()].into_iter().flatten().find(|id| self.has(*id))
            });
            match of_journal.or_else(|| self.last_in_reflog(name)) {
                Some(id) => {
                    let _ = files::write(&file, format!("{id}\n").as_bytes());
                }
                None => {
                    let _ = std::fs::remove_file(&file);
                }
            }
        }
        self.mend_index();
    }

    fn has(&self, id: Id) -> bool {
        self.gix.find_commit(id).is_ok()
    }

    /// Staged changes are lost with the index, but still in the work tree.
    fn mend_index(&self) {
        if !remove_blank(&self.gix.index_path()) {
            return;
        }
        let git = |arguments: &[&str]| {
            let mut command = process::git(self.git_dir(), Some(&self.root));
            command.args(arguments);
            process::run(command, process::LOCAL).is_ok_and(|output| output.ok)
        };
        if git(&["read-tree", "HEAD"]) && self.is_sparse() {
            git(&["sparse-checkout", "reapply"]);
        }
    }

    fn last_in_reflog(&self, name: &str) -> Option<Id> {
        let log = std::fs::read_to_string(self.gix.common_dir().join("logs").join(name)).ok()?;
        let ids = log.lines().rev().filter_map(|line| line.split_whitespace().nth(1));
        ids.filter_map(|hex| Id::from_hex(hex.as_bytes()).ok()).find(|id| self.has(*id))
    }
}

/// Removes a blank file; returns whether there was one.
fn remove_blank(file: &Path) -> bool {
    // Usually four bytes tell; an index has a hundred for each fact.
    files::beginning(file, 4).is_some_and(|bytes| is_blank(&bytes))
        && std::fs::read(file).is_ok_and(|bytes| is_blank(&bytes))
        && std::fs::remove_file(file).is_ok()
}

/// Names of the loose refs, or reflogs, in a folder and those below it.
fn names_below(root: &Path, folder: &str, names: &mut Vec<String>) {
    for entry in std::fs::read_dir(root.join(folder)).into_iter().flatten().flatten() {
        let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => names_below(root, &name, names),
            Ok(kind) if kind.is_file() && !name.ends_with(".lock") => names.push(name),
            _ => {}
        }
    }
}
