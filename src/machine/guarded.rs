//! Changes single files without losing concurrent writes: each change specifies the bytes that it
//! expects, and what somebody wrote in the meantime stays.
//!
//! Invariant: a file is checked after it was exchanged or set aside, not only before, so that
//! another program's bytes can never be replaced unseen. On Windows and on volumes that cannot
//! exchange two names, it is checked only before. Files that a kill leaves set aside are restored
//! by [`put_back`]. Must not know what is in the files.

use super::{
    error::{At, SystemError},
    platform::{self, exchange},
    temporary::{TEMP_PREFIX, folder_of, persist_new},
};
use std::{
    fs,
    io::{self, ErrorKind},
    path::{Path, PathBuf},
};
use tempfile::TempPath;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum Outcome {
    Done,
    /// The file does not have the expected bytes; nothing was changed.
    Changed,
}

/// Prefix for the name of a file that is about to be deleted.
const ASIDE: &str = ".co-tmp-aside-";

/// Renames a staged file to the target, if the target has the expected content (`None`: if it does
/// not exist). The target's permissions and owner stay.
pub(crate) fn replace(
    staged: TempPath,
    target: &Path,
    expected: Option<&[u8]>,
) -> Result<Outcome, SystemError> {
    let Some(expected) = expected else { return create(staged, target) };
    if !holds(target, expected) {
        return Ok(Outcome::Changed);
    }
    if let Ok(meta) = fs::metadata(target) {
        fs::set_permissions(&staged, meta.permissions()).at("set the permissions of", &staged)?;
        platform::keep_owner(&staged, &meta);
    }
    match exchange(&staged, target) {
        Ok(true) if holds(&staged, expected) => {
            // `staged` has the old bytes now: delete it, and retry once if that fails.
            let old = staged.to_path_buf();
            if staged.close().is_err() {
                let _ = fs::remove_file(&old);
            }
            Ok(Outcome::Done)
        }
        Ok(true) => {
            let ours = fs::read(target).at("read", target)?;
            exchange(&staged, target).at("write", target)?;
            if !holds(&staged, &ours) {
                // Written twice during the exchange: both texts stay.
                keep_beside(&staged, target)?;
            }
            Ok(Outcome::Changed)
        }
        Ok(false) => {
            platform::persist(staged, target).at("write", target)?;
            Ok(Outcome::Done)
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Outcome::Changed),
        Err(error) => Err(error).at("write", target),
    }
}

fn create(staged: TempPath, target: &Path) -> Result<Outcome, SystemError> {
    match persist_new(staged, target) {
        Ok(()) => Ok(Outcome::Done),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(Outcome::Changed),
        Err(error) => Err(error).at("write", target),
    }
}

/// Deletes a file with the expected content; it may already be gone.
pub(crate) fn remove(target: &Path, expected: &[u8]) -> Result<Outcome, SystemError> {
    let Some(name) = target.file_name() else { return Ok(Outcome::Changed) };
    let mut waiting = std::ffi::OsString::from(ASIDE);
    waiting.push(name);
    let waiting = folder_of(target).join(waiting);
    match move_free(target, &waiting) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Outcome::Done),
        // The name is too long, or taken by a leftover.
        Err(_) if holds(target, expected) => {
            platform::patiently(|| fs::remove_file(target)).at("remove", target)?;
            return Ok(Outcome::Done);
        }
        Err(_) => return Ok(Outcome::Changed),
    }
    if is_link(&waiting) || holds(&waiting, expected) {
        let removed = platform::patiently(|| fs::remove_file(&waiting));
        let Err(error) = removed else { return Ok(Outcome::Done) };
        restore(&waiting, target)?;
        return Err(error).at("remove", target);
    }
    restore(&waiting, target)?;
    Ok(Outcome::Changed)
}

/// Moves a file that contains `moved` to a path that contains `replaced` (`None`: a free path).
pub(crate) fn rename(
    from: &Path,
    to: &Path,
    moved: &[u8],
    replaced: Option<&[u8]>,
) -> Result<Outcome, SystemError> {
    if !holds(from, moved) {
        return Ok(Outcome::Changed);
    }
    let Some(replaced) = replaced else {
        return match move_free(from, to) {
            Ok(()) if holds(to, moved) => Ok(Outcome::Done),
            Ok(()) => {
                restore(to, from)?;
                Ok(Outcome::Changed)
            }
            Err(error)
                if matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::NotFound) =>
            {
                Ok(Outcome::Changed)
            }
            Err(error) => Err(error).at("move", from),
        };
    };
    if !holds(to, replaced) {
        return Ok(Outcome::Changed);
    }
    match exchange(from, to).at("move", from)? {
        true if holds(to, moved) => remove(from, replaced),
        true => {
            exchange(from, to).at("move", from)?;
            Ok(Outcome::Changed)
        }
        false => {
            platform::patiently(|| fs::rename(from, to)).at("move", from)?;
            Ok(Outcome::Done)
        }
    }
}

/// Restores the names of files that a killed co had set aside in a folder. Only under the lock for
/// writing there.
pub(crate) fn put_back(folder: &Path, name: &str) {
    if let Some(own) = name.strip_prefix(ASIDE).filter(|own| !own.is_empty()) {
        let _ = restore(&folder.join(name), &folder.join(own));
    }
}

/// Restores a file's name; if that was taken meanwhile, under a name next to it.
fn restore(waiting: &Path, target: &Path) -> Result<(), SystemError> {
    match move_free(waiting, target) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let there = fs::read(target).at("read", target)?;
            if holds(waiting, &there) {
                return fs::remove_file(waiting).at("remove", waiting);
            }
            keep_beside(waiting, target)
        }
        Err(error) => Err(error).at("move", waiting),
    }
}

fn keep_beside(from: &Path, target: &Path) -> Result<(), SystemError> {
    let part = |part: Option<&std::ffi::OsStr>| {
        part.map(|part| part.to_string_lossy().into_owned()).unwrap_or_default()
    };
    let (stem, ending) = (part(target.file_stem()), part(target.extension()));
    let dot = if ending.is_empty() { "" } else { "." };
    for number in 2..100 {
        let beside: PathBuf = target.with_file_name(format!("{stem}-{number}{dot}{ending}"));
        match move_free(from, &beside) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            other => return other.at("move", from),
        }
    }
    Err(io::Error::from(ErrorKind::AlreadyExists)).at("move", from)
}

/// Renames to a free name only. If the volume has no such call, creates a hard link first: that
/// fails if the name is taken.
fn move_free(from: &Path, to: &Path) -> io::Result<()> {
    if platform::rename_to_free(from, to)? {
        return Ok(());
    }
    match fs::hard_link(from, to) {
        Ok(()) => platform::patiently(|| fs::remove_file(from)),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(error),
        // exFAT has no hard links either.
        Err(_) if fs::symlink_metadata(to).is_ok() => Err(ErrorKind::AlreadyExists.into()),
        Err(_) => platform::patiently(|| fs::rename(from, to)),
    }
}

/// Follows symlinks.
fn holds(path: &Path, bytes: &[u8]) -> bool {
    fs::metadata(path).is_ok_and(|meta| meta.len() == bytes.len() as u64)
        && fs::read(path).is_ok_and(|there| there == bytes)
}

fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|meta| meta.file_type().is_symlink())
}

const _: () = assert!(ASIDE.len() > TEMP_PREFIX.len(), "scans pass over what waits");

#[cfg(test)]
mod tests {
    use super::*;

    fn staged(folder: &Path, text: &str) -> TempPath {
        let file = tempfile::NamedTempFile::new_in(folder).expect("a file");
        fs::write(file.path(), text).expect("written");
        file.into_temp_path()
    }

    fn text(path: &Path) -> String {
        fs::read_to_string(path).unwrap_or_else(|_| "nothing".into())
    }

    #[test]
    fn only_what_is_expected_is_replaced_moved_or_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let (a, b) = (at("a"), at("b"));
        let new = |expected| replace(staged(folder.path(), "new"), &a, expected).expect("works");
        assert_eq!(new(Some(b"old")), Outcome::Changed);
        assert_eq!(new(None), Outcome::Done);
        assert_eq!(new(None), Outcome::Changed);
        fs::write(&a, "theirs").expect("written");
        assert_eq!(new(Some(b"old")), Outcome::Changed);
        assert_eq!(text(&a), "theirs");
        assert_eq!(remove(&a, b"old").expect("works"), Outcome::Changed);
        assert_eq!(rename(&a, &b, b"old", None).expect("works"), Outcome::Changed);
        assert_eq!((text(&a), text(&b)), ("theirs".into(), "nothing".into()));
        assert_eq!(rename(&a, &b, b"theirs", None).expect("works"), Outcome::Done);
        assert_eq!(new(None), Outcome::Done);
        assert_eq!(rename(&a, &b, b"new", Some(b"other")).expect("works"), Outcome::Changed);
        assert_eq!(rename(&a, &b, b"new", Some(b"theirs")).expect("works"), Outcome::Done);
        assert_eq!((text(&a), text(&b)), ("nothing".into(), "new".into()));
        assert_eq!(remove(&b, b"new").expect("works"), Outcome::Done);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }

    #[test]
    fn what_a_kill_left_aside_comes_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::write(at(".co-tmp-aside-x.md"), "old").expect("written");
        put_back(folder.path(), ".co-tmp-aside-x.md");
        assert_eq!(text(&at("x.md")), "old");
        fs::write(at(".co-tmp-aside-x.md"), "another").expect("written");
        put_back(folder.path(), ".co-tmp-aside-x.md");
        assert_eq!((text(&at("x.md")), text(&at("x-2.md"))), ("old".into(), "another".into()));
    }
}
