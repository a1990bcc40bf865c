//! Records what a co is doing, so that the next one can finish it after a kill.
//!
//! Invariant: the journal is on disk before the first file changes and is deleted only when files,
//! ref and index agree. Each step is noted before and after; together with the staged file's name
//! this shows exactly which step was the last.

use super::{Id, Repo, blank::is_blank, process::Output};
use crate::identity::RelPath;
use crate::machine::{SystemError, files};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, path::PathBuf};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Journal {
    /// A full name: `refs/heads/main`.
    pub branch: String,
    /// The identity's path in the repository, which may contain several.
    #[serde(default)]
    pub prefix: String,
    /// The commit of the work tree; `None` before the first one.
    pub old: Option<String>,
    /// The commit that is being checked out.
    pub new: String,
}

impl Journal {
    pub fn old_id(&self) -> Option<Id> {
        self.old.as_ref().and_then(|hex| Id::from_hex(hex.as_bytes()).ok())
    }

    pub fn new_id(&self) -> Option<Id> {
        Id::from_hex(self.new.as_bytes()).ok()
    }
}

fn journal_file(repo: &Repo) -> PathBuf {
    repo.co_dir().join("journal")
}

fn progress_file(repo: &Repo) -> PathBuf {
    repo.co_dir().join("progress")
}

/// The interrupted checkout, if there is one.
pub fn read(repo: &Repo) -> Result<Option<Journal>, SystemError> {
    let path = journal_file(repo);
    let Some(text) = files::read_text(&path)? else {
        // Killed between the two removals in `end`.
        let _ = files::discard(&progress_file(repo));
        return Ok(None);
    };
    if is_blank(text.as_bytes()) {
        // A power cut lost it before any file was changed: otherwise it would be on disk.
        end(repo)?;
        return Ok(None);
    }
    serde_json::from_str(&text)
        .map(Some)
        .map_err(|error| SystemError::Damaged { path, reason: error.to_string() })
}

/// From here on, the next co finishes what this one began.
pub fn begin(repo: &Repo, journal: &Journal) -> Result<(), SystemError> {
    files::remove(&progress_file(repo))?;
    let text = serde_json::to_string(journal).expect("because a journal is plain data");
    files::write(&journal_file(repo), text.as_bytes())
}

pub fn end(repo: &Repo) -> Result<(), SystemError> {
    files::remove(&journal_file(repo))?;
    files::remove(&progress_file(repo))
}

pub fn note(repo: &Repo, mark: Mark, path: &RelPath) -> Result<(), SystemError> {
    let sign = if mark == Mark::Intent { '>' } else { '=' };
    files::append(&progress_file(repo), format!("{sign}{path}\0").as_bytes())
}

/// Written before and after each step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    Intent,
    Done,
}

/// Steps that an interrupted run completed.
pub fn applied(repo: &Repo) -> Result<BTreeSet<RelPath>, SystemError> {
    let bytes = files::read(&progress_file(repo))?.unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Ok(text
        .split('\0')
        .filter_map(|note| note.strip_prefix('='))
        .filter_map(RelPath::new)
        .collect())
}

/// Marks that this process holds locks on git's refs; if the process is gone, the locks are stale.
pub(super) struct RefMark {
    file: PathBuf,
}

impl RefMark {
    pub fn set(repo: &Repo) -> RefMark {
        let file = repo.co_dir().join("refs-mark");
        let _ = std::fs::create_dir_all(repo.co_dir());
        let _ = std::fs::write(&file, std::process::id().to_string());
        RefMark { file }
    }

    /// Ends the mark, unless a signal killed git: the next sync clears the locks it may have left.
    pub(super) fn end(self, output: &Output) {
        if output.killed {
            std::mem::forget(self);
        }
    }
}

impl Drop for RefMark {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.file);
    }
}

/// Removes lock files of a killed co. Call it while holding the identity lock: then no other co
/// works here, and any mark is from a dead process.
pub fn clear_stale_locks(repo: &Repo) {
    super::index_lock::clear_stale_locks(repo);
    super::own_config::clear_stale_lock(repo);
    files::remove_staged(&repo.co_dir());
    repo.mend(read(repo).ok().flatten().as_ref());
    let mark = repo.co_dir().join("refs-mark");
    if !mark.exists() {
        return;
    }
    for folder in ["refs", "."] {
        remove_locks(&repo.gix.common_dir().join(folder), folder == "refs");
    }
    let _ = std::fs::remove_file(mark);
}

fn remove_locks(folder: &std::path::Path, deep: bool) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.filter_map(Result::ok) {
        let path = entry.path();
        if deep && path.is_dir() {
            remove_locks(&path, deep);
        }
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let ours = if deep {
            name.ends_with(".lock")
        } else {
            matches!(&*name, "HEAD.lock" | "packed-refs.lock" | "shallow.lock")
        };
        if ours {
            let _ = std::fs::remove_file(path);
        }
    }
}
