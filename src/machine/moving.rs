//! Moves a folder with everything in it, also to another file system.
//!
//! Invariant: the new folder appears whole, under its name, or not at all; a copy is compared byte
//! for byte before it gets the name. The old folder of a copy is removed by a separate call. It
//! must not know what the folder is.

use super::{
    batch,
    error::{At, SystemError},
    files::{self, TEMP_PREFIX},
    flush, paths, platform,
};
use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

/// Moves a folder to a free name, or to that of an empty folder. On another file system, the old
/// folder is still there afterwards: see [`remove_copied`].
pub fn folder(from: &Path, to: &Path) -> Result<(), SystemError> {
    let parent = files::folder_of(to);
    files::make_dir(parent)?;
    files::remove_empty(to);
    match platform::rename_to_free(from, to) {
        Ok(true) => {}
        Ok(false) if files::exists(to) => {
            return Err(io::Error::from(io::ErrorKind::AlreadyExists)).at("move", from);
        }
        Ok(false) => platform::patiently(|| fs::rename(from, to)).at("move", from)?,
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => return copied(from, to),
        Err(error) => return Err(error).at("move", from),
    }
    flush::flush_folders(&[parent.to_owned(), files::folder_of(from).to_owned()]);
    Ok(())
}

/// Where a copy waits until it is complete.
fn waiting(to: &Path) -> PathBuf {
    let name = to.file_name().unwrap_or_default().to_string_lossy();
    to.with_file_name(format!("{TEMP_PREFIX}moving-{name}"))
}

fn copied(from: &Path, to: &Path) -> Result<(), SystemError> {
    let waiting = waiting(to);
    discard_copy(to);
    let done = copy(from, &waiting).at("copy", from).and_then(|()| {
        if !is_within(from, &waiting) {
            let why = "the copy differs";
            return Err(io::Error::other(why)).at("copy", from);
        }
        batch::bring_all_to_disk(&waiting);
        platform::patiently(|| fs::rename(&waiting, to)).at("write", to)
    });
    match done {
        Ok(()) => flush::flush_folders(&[files::folder_of(to).to_owned()]),
        Err(_) => discard_copy(to),
    }
    done
}

/// Removes an unfinished copy.
pub fn discard_copy(to: &Path) {
    let _ = fs::remove_dir_all(waiting(to));
}

/// Removes the old folder of a copy, unless something in it is not in the new one.
pub fn remove_copied(from: &Path, to: &Path) -> Result<(), SystemError> {
    if !files::exists(from) {
        return Ok(());
    }
    if !is_within(from, to) {
        let why = "it has files that the new folder does not have";
        return Err(io::Error::other(why)).at("remove", from);
    }
    platform::patiently(|| fs::remove_dir_all(from)).at("remove", from)
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let meta = fs::symlink_metadata(from)?;
    if meta.file_type().is_symlink() {
        return platform::symlink(&fs::read_link(from)?, to);
    }
    if meta.is_dir() {
        fs::create_dir(to)?;
        for entry in fs::read_dir(from)? {
            let name = entry?.file_name();
            copy(&from.join(&name), &to.join(&name))?;
        }
        return fs::set_permissions(to, meta.permissions());
    }
    if !meta.is_file() {
        let why = format!("{} is neither a file nor a folder", from.display());
        return Err(io::Error::other(why));
    }
    fs::copy(from, to)?;
    // When a file was edited is what orders its texts.
    let copied = File::options().write(true).open(to);
    if let (Ok(copied), Ok(modified)) = (copied, meta.modified()) {
        copied.set_modified(modified)?;
    }
    Ok(())
}

/// Whether everything in one folder is in another as well, byte for byte.
pub fn is_within(one: &Path, other: &Path) -> bool {
    let (Ok(meta), Ok(there)) = (fs::symlink_metadata(one), fs::symlink_metadata(other)) else {
        return false;
    };
    if meta.file_type() != there.file_type() {
        return false;
    }
    if meta.file_type().is_symlink() {
        return fs::read_link(one).ok() == fs::read_link(other).ok();
    }
    if !meta.is_dir() {
        return matches!((fs::read(one), fs::read(other)), (Ok(one), Ok(other)) if one == other);
    }
    let is_there = |entry: io::Result<fs::DirEntry>| {
        entry.is_ok_and(|entry| {
            let name = entry.file_name();
            is_within(&one.join(&name), &other.join(&name))
        })
    };
    fs::read_dir(one).is_ok_and(|mut entries| entries.all(is_there))
}

/// The first link in a folder that would lead elsewhere after a move: a relative one to a target
/// outside, or an absolute one to a target inside.
pub fn link_that_breaks(root: &Path) -> Option<PathBuf> {
    fn walk(folder: &Path, root: &Path) -> Option<PathBuf> {
        let entries = fs::read_dir(folder).ok()?;
        entries.flatten().find_map(|entry| {
            let (path, kind) = (entry.path(), entry.file_type().ok()?);
            if kind.is_dir() {
                return walk(&path, root);
            }
            let target = kind.is_symlink().then(|| fs::read_link(&path).ok()).flatten()?;
            let is_inside = paths::normal(&folder.join(&target)).starts_with(root);
            (target.is_relative() != is_inside).then_some(path)
        })
    }
    walk(root, root)
}

/// Makes a link lead to another folder.
pub fn relink(link: &Path, target: &Path) -> Result<(), SystemError> {
    let name = link.file_name().unwrap_or_default().to_string_lossy();
    let new = link.with_file_name(format!("{TEMP_PREFIX}link-{name}"));
    let _ = fs::remove_file(&new);
    platform::symlink(target, &new).at("write", link)?;
    platform::patiently(|| fs::rename(&new, link)).at("write", link)?;
    flush::flush_folders(&[files::folder_of(link).to_owned()]);
    Ok(())
}

/// The paths of all files in a folder, relative to it, without those below a `.git`.
pub fn everything_in(root: &Path) -> Vec<String> {
    fn walk(folder: &Path, below: &str, found: &mut Vec<String>) {
        for name in files::names(folder).into_iter().filter(|name| name != ".git") {
            let (path, name) = (folder.join(&name), format!("{below}{name}"));
            if path.is_dir() && !files::is_link(&path) {
                walk(&path, &format!("{name}/"), found);
            } else {
                found.push(name);
            }
        }
    }
    let mut found = Vec::new();
    walk(root, "", &mut found);
    found
}
