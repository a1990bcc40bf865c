//! When the files of a commit got their texts.
//!
//! Invariant: the answer depends on the commits alone, not on refs, clocks or who asks; a merge is
//! not an edit, but a text that it joined is newer than the texts that it was joined from.

use super::{GitError, Id, Repo, repo::During};
use crate::identity::{EditTimes, RelPath, Stamp};
use std::collections::HashSet;

/// A header in co's commits: when the files were written that the commit contains. git keeps only
/// the time of the commit, which is that of the sync.
pub(super) const EDITED: &str = "co-edited";

/// The value of the header: a line for each file.
pub(super) fn header(edited: &[(RelPath, Stamp)]) -> Option<String> {
    let is_line = |path: &RelPath| !path.as_str().contains(char::is_control);
    let lines = edited.iter().filter(|(path, _)| is_line(path));
    let lines: Vec<String> = lines.map(|(path, at)| format!("{} {path}", at.micros())).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn read(header: &str, path: &RelPath) -> Option<Stamp> {
    let of_path = |line: &str| {
        let (micros, name) = line.trim_start().split_once(' ')?;
        (name == path.as_str()).then(|| micros.parse().ok())?
    };
    header.lines().find_map(of_path).map(Stamp::from_micros)
}

impl Repo {
    /// For each path, as far as commits that `known` do not include tell it.
    pub fn edit_times<'p>(
        &self,
        tip: Id,
        known: &[Id],
        paths: impl IntoIterator<Item = &'p RelPath>,
    ) -> Result<EditTimes, GitError> {
        let mut paths = paths.into_iter().peekable();
        let mut times = EditTimes::default();
        if paths.peek().is_none() {
            return Ok(times);
        }
        let mut inside = HashSet::new();
        let walk = self.gix.rev_walk([tip]).with_hidden(known.iter().copied());
        for step in walk.all().during(self, "walk history")? {
            inside.insert(step.during(self, "walk history")?.id);
        }
        for path in paths {
            if let Some(at) = self.edit_time(tip, path, &inside)? {
                times.put(path, at);
            }
        }
        Ok(times)
    }

    fn edit_time(
        &self,
        tip: Id,
        path: &RelPath,
        inside: &HashSet<Id>,
    ) -> Result<Option<Stamp>, GitError> {
        let (mut todo, mut seen) = (vec![tip], HashSet::new());
        let (mut last, mut is_joined) = (None, false);
        while let Some(commit) = todo.pop() {
            if !inside.contains(&commit) || !seen.insert(commit) {
                continue;
            }
            let blob = self.blob_at(commit, path)?;
            let parents = self.parents(commit)?.into_iter().filter(|parent| self.knows(*parent));
            let parents: Vec<Id> = parents.collect();
            let mut same = Vec::new();
            for parent in &parents {
                if self.blob_at(*parent, path)? == blob {
                    same.push(*parent);
                }
            }
            if !same.is_empty() {
                todo.extend(same);
            } else if parents.len() > 1 {
                is_joined = true;
                todo.extend(parents);
            } else {
                last = last.max(Some(self.edited_in(commit, path)?));
            }
        }
        Ok(last.map(|at: Stamp| if is_joined { at.plus(1) } else { at }))
    }

    pub(super) fn blob_at(&self, commit: Id, path: &RelPath) -> Result<Option<Id>, GitError> {
        let Some(tree) = self.identity_tree(self.tree_of(commit)?)? else { return Ok(None) };
        let tree = self.gix.find_tree(tree).during(self, "walk history")?;
        let parts = path.as_str().as_bytes().split(|byte| *byte == b'/');
        let entry = tree.lookup_entry(parts).during(self, "walk history")?;
        Ok(entry.map(|entry| entry.object_id()))
    }

    /// A rebase drops co's headers and keeps the author's time.
    fn edited_in(&self, commit: Id, path: &RelPath) -> Result<Stamp, GitError> {
        let commit = self.gix.find_commit(commit).during(self, "walk history")?;
        let decoded = commit.decode().during(self, "walk history")?;
        let header = decoded.extra_headers().find(EDITED).map(ToString::to_string);
        if let Some(at) = header.and_then(|header| read(&header, path)) {
            return Ok(at);
        }
        let author = decoded.author().ok().and_then(|author| author.time().ok());
        let seconds = author.map_or(0, |time| time.seconds);
        Ok(Stamp::from_micros(seconds * Stamp::SECOND))
    }
}
