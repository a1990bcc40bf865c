//! A folder laid out by stow --no-folding or rcm: every file in it links into one repository.
//!
//! Invariant: only read; when unsure, it is treated as an ordinary folder.

use super::{files, folder, paths, repositories::repository_above};
use crate::identity::recognise::{Content, content};
use std::path::{Path, PathBuf};

/// One symlinked file may be a person's own choice; a whole layout has more.
const FEWEST: usize = 2;

/// The folder that the symlinks lead to. A file created next to the symlinks would not get there.
pub fn folder_behind(identity: &Path) -> Option<PathBuf> {
    let profile = identity.join("profile.md");
    // The only check if nothing is linked, because every command makes it.
    if !files::is_link(&profile) || repository_above(identity).is_some() {
        return None;
    }
    let behind = files::resolve(&profile).parent()?.to_owned();
    repository_above(&behind)?;
    let listed = folder::list(identity, "").files;
    let links: Vec<_> = listed.iter().filter(|file| files::is_link(&file.file)).collect();
    let leads_there =
        links.iter().all(|link| leads_to(&link.file) == behind.join(link.path.as_str()));
    let is_identity = content(listed.iter().map(|file| &file.path)) == Content::Identity
        && content(&folder::at_the_top(&behind)) == Content::Identity;
    (links.len() >= FEWEST && leads_there && is_identity).then_some(behind)
}

/// The target of a symlink, even if it is gone: forgetting a fact leaves its symlink behind.
fn leads_to(link: &Path) -> PathBuf {
    let target = files::link_target(link).unwrap_or_default();
    let target = link.parent().map_or_else(|| target.clone(), |folder| folder.join(&target));
    paths::resolve_new(&target)
}
