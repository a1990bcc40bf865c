//! Filters that git applies to files on checkout and commit (git-crypt, LFS).
//!
//! Invariant: co reads and merges plain text. It does not publish what a filter hides, and fails
//! before anything is committed.

use super::{GitError, Repo};
use crate::identity::RelPath;
use gix::bstr::BString;
use std::path::PathBuf;

/// Checked even if no such file exists yet.
const USUAL: &[&str] = &["profile.md", "traits/a.md", "knowledge/context.md", MEMORY];
const MEMORY: &str = "knowledge/memories/001-a.md";

impl Repo {
    /// Fails with [`GitError::Filtered`] if git would pass a file of the identity through a filter.
    pub fn refuse_filters(&self, files: &[RelPath]) -> Result<(), GitError> {
        if !self.attribute_files(files).iter().any(names_a_filter) {
            return Ok(());
        }
        let named = |path: &str| BString::from(format!("{}{path}", self.prefix));
        let paths: Vec<BString> = USUAL
            .iter()
            .map(|path| named(path))
            .chain(files.iter().map(|path| named(path.as_str())))
            .collect();
        let answer = self.ask_of(&["check-attr", "-z", "--stdin", "filter"], paths.iter())?;
        let answer = String::from_utf8_lossy(&answer.unwrap_or_default()).into_owned();
        // Repeated triples: path, attribute, value.
        let fields: Vec<&str> = answer.split('\0').collect();
        for field in fields.chunks_exact(3) {
            if !matches!(field[2], "unspecified" | "unset" | "set" | "") {
                return Err(GitError::Filtered {
                    path: super::process::plain(field[0]),
                    filter: super::process::plain(field[2]),
                });
            }
        }
        Ok(())
    }

    /// Every file that may set attributes for the identity.
    fn attribute_files(&self, files: &[RelPath]) -> Vec<PathBuf> {
        let mut found = vec![
            PathBuf::from("/etc/gitattributes"),
            self.gix.common_dir().join("info/attributes"),
        ];
        let configured = self.gix.config_snapshot().trusted_path("core.attributesFile");
        match configured.ok().flatten() {
            Some(path) => found.push(path),
            None => found.extend(self.user_attributes.clone()),
        }
        let mut folder = self.root.clone();
        found.push(folder.join(".gitattributes"));
        for part in self.prefix.split('/').filter(|part| !part.is_empty()) {
            folder.push(part);
            found.push(folder.join(".gitattributes"));
        }
        let inside = files.iter().filter(|path| path.name() == ".gitattributes");
        found.extend(inside.map(|path| folder.join(path.as_str())));
        found
    }
}

fn names_a_filter(file: &PathBuf) -> bool {
    let bytes = std::fs::read(file).unwrap_or_default();
    memchr::memmem::find(&bytes, b"filter").is_some()
        || memchr::memmem::find(&bytes, b"[attr]").is_some()
}
