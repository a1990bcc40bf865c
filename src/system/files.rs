//! Single files: read with a limit, written whole or not at all.
//!
//! Invariant: a file is never half-written: temporary file in the resolved folder, fsync, rename,
//! fsync of the folder.

use super::error::{At, SystemError};
use crate::identity::Stamp;
use std::{
    fs::{self, File},
    io::{self, Read, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

/// The most that is read of one file, whatever it is.
const MAX_READ: u64 = 256 * 1024 * 1024;

/// The bytes of a file, or `None` when there is none.
///
/// # Errors
/// When it is there and cannot be read.
pub fn read(path: &Path) -> Result<Option<Vec<u8>>, SystemError> {
    let meta = match fs::metadata(path) {
        Ok(meta) => meta,
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(error).at("read", path),
    };
    // A pipe would wait for ever, and what is larger is nothing that co reads whole.
    if !meta.is_file() {
        return Err(io::Error::other("it is no regular file")).at("read", path);
    }
    if meta.len() > MAX_READ {
        return Err(io::Error::from(io::ErrorKind::FileTooLarge)).at("read", path);
    }
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if is_absent(&error) => Ok(None),
        Err(error) => Err(error).at("read", path),
    }
}

/// The text of a file of ours, or `None` when there is none.
///
/// # Errors
/// When it is there and is no readable text.
pub fn read_text(path: &Path) -> Result<Option<String>, SystemError> {
    let Some(bytes) = read(path)? else { return Ok(None) };
    String::from_utf8(bytes)
        .map(Some)
        .map_err(|_| SystemError::Damaged { path: path.to_owned(), reason: "not UTF-8".into() })
}

/// Everything from standard input, up to a limit.
///
/// # Errors
/// When it cannot be read or is larger.
pub fn read_stdin(limit: u64) -> Result<Vec<u8>, SystemError> {
    let mut bytes = Vec::new();
    let path = Path::new("standard input");
    io::stdin().lock().take(limit + 1).read_to_end(&mut bytes).at("read", path)?;
    if bytes.len() as u64 > limit {
        return Err(SystemError::Damaged {
            path: path.to_owned(),
            reason: format!("more than {limit} bytes"),
        });
    }
    Ok(bytes)
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Whether something is there, also a broken link.
pub fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Whether it is a regular file, links followed.
pub fn is_file(path: &Path) -> bool {
    path.is_file()
}

/// Whether it is a folder, links followed.
pub fn is_dir(path: &Path) -> bool {
    path.is_dir()
}

/// Whether it is a symbolic link.
pub fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|meta| meta.file_type().is_symlink())
}

/// The first link on the way from a folder down to a path below it.
pub fn link_on_the_way(root: &Path, below: &str) -> Option<PathBuf> {
    let parts = below.split('/').filter(|part| !part.is_empty());
    let mut path = root.to_owned();
    parts.into_iter().find_map(|part| {
        path.push(part);
        is_link(&path).then(|| path.clone())
    })
}

/// The path without links, or the path itself when it cannot be resolved.
pub fn resolve(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Makes a folder and those above it.
///
/// # Errors
/// When it cannot be made.
pub fn make_dir(path: &Path) -> Result<(), SystemError> {
    fs::create_dir_all(path).at("make the folder", path)
}

/// How many bytes a file has; none when it is not there.
pub fn size(path: &Path) -> usize {
    fs::metadata(path).map_or(0, |meta| usize::try_from(meta.len()).unwrap_or(usize::MAX))
}

/// When the file was last written.
pub fn mtime(path: &Path) -> Option<Stamp> {
    stamp_of(&fs::metadata(path).ok()?)
}

/// The modification time in metadata as a stamp.
pub fn stamp_of(meta: &fs::Metadata) -> Option<Stamp> {
    let since = meta.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since.as_micros()).ok().map(Stamp::from_micros)
}

/// Writes a file whole. A symbolic link at the path is followed, and stays one.
///
/// # Errors
/// When the disk refuses; the old file is then untouched.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), SystemError> {
    let target = if is_link(path) { resolve(path) } else { path.to_owned() };
    take_name(stage(&target, bytes)?.into_temp_path(), &target)?;
    sync_folder(&target);
    Ok(())
}

/// Writes a file that must not be there yet. `false` when it is.
///
/// # Errors
/// When the disk refuses.
pub fn write_new(path: &Path, bytes: &[u8]) -> Result<bool, SystemError> {
    let temp = stage(path, bytes)?;
    match temp.persist_noclobber(path) {
        Ok(_) => {
            sync_folder(path);
            Ok(true)
        }
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error.error).at("write", path),
    }
}

/// Gives a staged file its name, with the permissions of the file that it replaces.
pub(super) fn take_name(temp: tempfile::TempPath, target: &Path) -> Result<(), SystemError> {
    if let Ok(meta) = fs::metadata(target) {
        fs::set_permissions(&temp, meta.permissions()).at("set the permissions of", &temp)?;
    }
    temp.persist(target).map_err(|error| error.error).at("write", target)?;
    Ok(())
}

/// Writes a file without waiting for the disk, which nobody else may read: caches, logs and other
/// things that can be made again or hold what files held.
///
/// # Errors
/// When the disk refuses.
pub fn write_private(path: &Path, bytes: &[u8]) -> Result<(), SystemError> {
    let folder = folder_of(path);
    make_dir(folder)?;
    let mut temp = tempfile::NamedTempFile::new_in(folder).at("write into", folder)?;
    temp.write_all(bytes).at("write", path)?;
    temp.persist(path).map_err(|error| error.error).at("write", path)?;
    Ok(())
}

pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The prefix of co's temporary files; a scan passes them over, and the next sync removes those of
/// a co that died.
pub const TEMP_PREFIX: &str = ".co-tmp-";

fn stage(target: &Path, bytes: &[u8]) -> Result<tempfile::NamedTempFile, SystemError> {
    let temp = stage_unsynced(target, bytes)?;
    temp.as_file().sync_all().at("write", target)?;
    Ok(temp)
}

pub(super) fn stage_unsynced(
    target: &Path,
    bytes: &[u8],
) -> Result<tempfile::NamedTempFile, SystemError> {
    let folder = folder_of(target);
    make_dir(folder)?;
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    let builder = {
        use std::os::unix::fs::PermissionsExt;
        // The umask of the user takes its part; tempfile's own default would be private to the
        // user.
        builder.permissions(fs::Permissions::from_mode(0o666))
    };
    let mut temp = builder.prefix(TEMP_PREFIX).tempfile_in(folder).at("write into", folder)?;
    temp.write_all(bytes).at("write", target)?;
    Ok(temp)
}

/// Brings a file and its name to the disk; one that is not there is fine.
pub fn sync(path: &Path) {
    if let Ok(file) = File::open(path) {
        let _ = file.sync_all();
        sync_folder(path);
    }
}

/// Makes a rename durable. A file system that cannot is no reason to fail: the rename itself has
/// happened.
pub fn sync_folder(path: &Path) {
    if let Ok(folder) = File::open(folder_of(path)) {
        let _ = folder.sync_all();
    }
}

/// Moves a file within one file system, over whatever is there.
///
/// # Errors
/// When the system refuses.
pub fn rename(from: &Path, to: &Path) -> Result<(), SystemError> {
    make_dir(folder_of(to))?;
    fs::rename(from, to).at("move", from)?;
    sync_folder(to);
    if folder_of(from) != folder_of(to) {
        sync_folder(from);
    }
    Ok(())
}

/// Lets a file be run by whoever may read it.
///
/// # Errors
/// When the system refuses.
pub fn make_executable(path: &Path) -> Result<(), SystemError> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(path).at("look at", path)?.permissions().mode();
        fs::set_permissions(path, fs::Permissions::from_mode(mode | ((mode & 0o444) >> 2)))
            .at("set the permissions of", path)?;
    }
    Ok(())
}

/// Removes a file; one that is gone already is fine.
///
/// # Errors
/// When the system refuses.
pub fn remove(path: &Path) -> Result<(), SystemError> {
    match fs::remove_file(path) {
        Err(error) if is_absent(&error) => Ok(()),
        other => {
            other.at("remove", path)?;
            sync_folder(path);
            Ok(())
        }
    }
}

/// Removes folders that became empty, from the file's own upwards, up to (not including) `root`.
pub fn prune_empty(path: &Path, root: &Path) {
    let mut folder = folder_of(path);
    while folder != root && folder.starts_with(root) && fs::remove_dir(folder).is_ok() {
        folder = folder_of(folder);
    }
}

/// Appends to a log without waiting for the disk. It holds what files held, so nobody else may read
/// it.
///
/// # Errors
/// When the system refuses.
pub fn append(path: &Path, bytes: &[u8]) -> Result<(), SystemError> {
    make_dir(folder_of(path))?;
    let mut file = fs::OpenOptions::new()
        .append(true)
        .create(true)
        .mode(0o600)
        .open(path)
        .at("write", path)?;
    file.write_all(bytes).at("write", path)
}

/// Brings a file that is there, and its name, to the disk.
///
/// # Errors
/// When the disk refuses.
pub fn bring_to_disk(path: &Path) -> Result<(), SystemError> {
    File::open(path).and_then(|file| file.sync_all()).at("write", path)?;
    sync_folder(path);
    Ok(())
}

/// The names in a folder; none when it is not there.
pub fn names(path: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(path) else { return Vec::new() };
    let mut names: Vec<String> =
        entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    names
}
