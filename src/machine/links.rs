//! Links to folders, and plain copies where links do not work.
//!
//! Invariant: what is there under a name is replaced only by a link over a link; a copy appears
//! whole. Must not know what is in the folders.

use super::{
    error::{At, SystemError},
    files::{self, TEMP_PREFIX},
    platform,
};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Where a new name waits.
fn waiting(at: &Path) -> PathBuf {
    let name = at.file_name().unwrap_or_default().to_string_lossy();
    at.with_file_name(format!("{TEMP_PREFIX}{name}"))
}

/// A link to a folder, under a free name or in place of another link.
pub fn make(target: &Path, at: &Path) -> Result<(), SystemError> {
    if files::exists(at) && !files::is_link(at) {
        return Err(io::Error::from(io::ErrorKind::AlreadyExists)).at("link", at);
    }
    files::make_dir(files::folder_of(at))?;
    let waiting = waiting(at);
    let _ = platform::unlink_folder(&waiting);
    platform::link_folder(target, &waiting).at("link", at)?;
    let named = platform::patiently(|| fs::rename(&waiting, at)).or_else(|_| {
        // Windows replaces no link to a folder.
        if files::is_link(at) {
            platform::unlink_folder(at)?;
        }
        fs::rename(&waiting, at)
    });
    if named.is_err() {
        let _ = platform::unlink_folder(&waiting);
    }
    named.at("link", at)
}

/// Removes a link, and nothing that it leads to.
pub fn remove(at: &Path) -> Result<(), SystemError> {
    if files::is_link(at) { platform::unlink_folder(at).at("remove", at) } else { Ok(()) }
}

/// One file of a folder that is copied.
pub struct FileOfCopy<'a> {
    /// With `/` between its parts.
    pub path: &'a str,
    pub bytes: &'a [u8],
    pub is_started: bool,
}

/// A folder of these files under a free name.
pub fn make_copy<'a>(
    at: &Path,
    all: impl Iterator<Item = FileOfCopy<'a>>,
) -> Result<(), SystemError> {
    let waiting = waiting(at);
    let _ = fs::remove_dir_all(&waiting);
    let made = staged(&waiting, all).and_then(|()| take_name(&waiting, at));
    if made.is_err() {
        let _ = fs::remove_dir_all(&waiting);
    }
    made
}

fn staged<'a>(folder: &Path, all: impl Iterator<Item = FileOfCopy<'a>>) -> Result<(), SystemError> {
    files::make_dir(folder)?;
    for file in all {
        let place = file.path.split('/').fold(folder.to_owned(), |place, part| place.join(part));
        files::write_private(&place, file.bytes)?;
        if file.is_started {
            files::make_executable(&place)?;
        }
    }
    Ok(())
}

fn take_name(waiting: &Path, at: &Path) -> Result<(), SystemError> {
    if files::exists(at) {
        return Err(io::Error::from(io::ErrorKind::AlreadyExists)).at("write", at);
    }
    platform::patiently(|| fs::rename(waiting, at)).at("write", at)
}

/// Removes a folder that [`make_copy`] made, with everything in it.
pub fn remove_copy(at: &Path) -> Result<(), SystemError> {
    if files::is_link(at) || !files::is_dir(at) {
        return Ok(());
    }
    platform::patiently(|| fs::remove_dir_all(at)).at("remove", at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_replaces_links_only() {
        let dir = tempfile::tempdir().expect("a folder");
        let [one, two, at] = ["one", "two", "x/at"].map(|name| dir.path().join(name));
        fs::create_dir(&one).expect("a folder");
        fs::create_dir(&two).expect("a folder");
        make(&one, &at).expect("linked");
        make(&two, &at).expect("linked again");
        assert_eq!(files::link_target(&at), Some(two.clone()));
        assert!(make(&one, &two).is_err() && files::is_dir(&two) && !files::is_link(&two));
        remove(&at).expect("removed");
        remove(&two).expect("not a link");
        assert!(!files::exists(&at) && files::is_dir(&two));
        assert_eq!(files::names(&dir.path().join("x")), Vec::<String>::new());
    }

    #[test]
    fn a_copy_is_whole_and_replaces_nothing() {
        let dir = tempfile::tempdir().expect("a folder");
        let at = dir.path().join("skills/deploy");
        let run = || FileOfCopy { path: "scripts/run", bytes: b"#!/bin/sh\n", is_started: true };
        let text = || FileOfCopy { path: "SKILL.md", bytes: b"x", is_started: false };
        make_copy(&at, [run(), text()].into_iter()).expect("copied");
        assert!(files::is_executable(&at.join("scripts/run")));
        assert_eq!(files::read(&at.join("SKILL.md")).expect("read"), Some(b"x".to_vec()));
        assert!(make_copy(&at, [text()].into_iter()).is_err());
        assert!(files::is_file(&at.join("scripts/run")));
        remove_copy(&at).expect("removed");
        assert_eq!(files::names(&dir.path().join("skills")), Vec::<String>::new());
    }
}
