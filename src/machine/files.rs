//! Single files: read with a limit, written whole or not at all.
//!
//! Invariant: a file is never half-written: temporary file in the resolved folder, fsync, rename,
//! fsync of the folder.

pub(crate) use super::temporary::{TEMP_PREFIX, folder_of};
use super::{
    error::{At, SystemError},
    flush, guarded, platform,
    temporary::persist_new,
};
use crate::identity::Stamp;
use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

const MAX_READ: u64 = 256 * 1024 * 1024;

/// `None` if the file does not exist.
pub fn read(path: &Path) -> Result<Option<Vec<u8>>, SystemError> {
    let meta = match fs::metadata(path) {
        Ok(meta) => meta,
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(error).at("read", path),
    };
    // A pipe would block forever, and files above the limit are not read.
    if !meta.is_file() {
        return Err(io::Error::other("it is not a regular file")).at("read", path);
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

/// The first bytes of a file; `None` if it cannot be read.
pub fn beginning(path: &Path, bytes: usize) -> Option<Vec<u8>> {
    let mut beginning = Vec::with_capacity(bytes);
    File::open(path).ok()?.take(bytes as u64).read_to_end(&mut beginning).ok()?;
    Some(beginning)
}

/// For reading, whatever its size.
pub fn open(path: &Path) -> Result<File, SystemError> {
    File::open(path).at("read", path)
}

/// As [`read`], but fails on text that is not UTF-8.
pub fn read_text(path: &Path) -> Result<Option<String>, SystemError> {
    let Some(bytes) = read(path)? else { return Ok(None) };
    String::from_utf8(bytes)
        .map(Some)
        .map_err(|_| SystemError::Damaged { path: path.to_owned(), reason: "not UTF-8".into() })
}

/// Fails if there are more than `limit` bytes.
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

/// Also true for a broken symlink.
pub fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

pub fn is_file(path: &Path) -> bool {
    path.is_file()
}

pub fn is_dir(path: &Path) -> bool {
    path.is_dir()
}

pub fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|meta| meta.file_type().is_symlink())
}

/// The target of a symlink, whether or not it exists.
pub fn link_target(path: &Path) -> Option<PathBuf> {
    let target = fs::read_link(path).ok()?;
    Some(folder_of(path).join(target))
}

/// Whether the path exists, following symlinks.
pub fn is_there(path: &Path) -> bool {
    path.exists()
}

/// Removes files and folders that a killed co had staged in a folder. Only under the lock for
/// staging there.
pub fn remove_staged(folder: &Path) {
    for name in names(folder).iter().filter(|name| name.starts_with(TEMP_PREFIX)) {
        let path = folder.join(name);
        if is_dir(&path) && !is_link(&path) {
            let _ = fs::remove_dir_all(path);
            continue;
        }
        guarded::put_back(folder, name);
        let _ = fs::remove_file(path);
    }
}

/// The first symlink on the way from a folder down to a path below it.
pub fn link_on_the_way(root: &Path, below: &str) -> Option<PathBuf> {
    let parts = below.split('/').filter(|part| !part.is_empty());
    let mut path = root.to_owned();
    parts.into_iter().find_map(|part| {
        path.push(part);
        is_link(&path).then(|| path.clone())
    })
}

/// The path with symlinks resolved, or the path itself if it cannot be resolved.
pub fn resolve(path: &Path) -> PathBuf {
    platform::resolve(path).unwrap_or_else(|_| path.to_owned())
}

/// Creates the directory with its parents and fsyncs them.
pub fn make_dir(path: &Path) -> Result<(), SystemError> {
    if path.is_dir() {
        return Ok(());
    }
    let missing = path.ancestors().take_while(|folder| !folder.exists());
    let grown: Vec<PathBuf> = missing.map(|folder| folder_of(folder).to_owned()).collect();
    fs::create_dir_all(path).at("create the folder", path)?;
    flush::flush_folders(&grown);
    Ok(())
}

/// Whether nobody has write permission.
pub fn is_read_only(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| meta.permissions().readonly())
}

/// Removes a folder if it is empty.
pub fn remove_empty(path: &Path) {
    let _ = fs::remove_dir(path);
}

/// In bytes; 0 if the file does not exist.
pub fn size(path: &Path) -> usize {
    fs::metadata(path).map_or(0, |meta| usize::try_from(meta.len()).unwrap_or(usize::MAX))
}

pub fn mtime(path: &Path) -> Option<Stamp> {
    stamp_of(&fs::metadata(path).ok()?)
}

/// The modification time, to the microsecond.
pub fn stamp_of(meta: &fs::Metadata) -> Option<Stamp> {
    let since = meta.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since.as_micros()).ok().map(Stamp::from_micros)
}

/// Atomic write (temporary file, fsync, rename). Follows symlinks.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), SystemError> {
    let target = if is_link(path) { resolve(path) } else { path.to_owned() };
    take_name(stage(&target, bytes)?.into_temp_path(), &target)?;
    flush::flush_folder(folder_of(&target));
    Ok(())
}

/// Writes a file that must not exist yet; `false` if it does.
pub fn write_new(path: &Path, bytes: &[u8]) -> Result<bool, SystemError> {
    let temp = stage(path, bytes)?.into_temp_path();
    match persist_new(temp, path) {
        Ok(()) => {
            flush::flush_folder(folder_of(path));
            Ok(true)
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error).at("write", path),
    }
}

/// Renames a staged file over the target, whose permissions and owner stay.
fn take_name(temp: tempfile::TempPath, target: &Path) -> Result<(), SystemError> {
    if let Ok(meta) = fs::metadata(target) {
        fs::set_permissions(&temp, meta.permissions()).at("set the permissions of", &temp)?;
        platform::keep_owner(&temp, &meta);
    }
    platform::persist(temp, target).at("write", target)
}

/// Whether a file belongs to another user, to whom we could not give it back.
pub fn is_of_another(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| platform::is_of_another(&meta))
}

/// Whether files can be created in a folder, or a file can be written.
pub fn can_be_written(path: &Path) -> bool {
    platform::can_be_written(path)
}

/// Whether the names in a folder can be read.
pub fn can_be_listed(path: &Path) -> bool {
    fs::read_dir(path).is_ok()
}

pub fn can_be_read(path: &Path) -> bool {
    platform::can_be_read(path)
}

/// Writes without syncing, readable by the user only: caches and logs contain file contents.
pub fn write_private(path: &Path, bytes: &[u8]) -> Result<(), SystemError> {
    let folder = folder_of(path);
    make_dir(folder)?;
    let mut temp = tempfile::NamedTempFile::new_in(folder).at("write to", folder)?;
    temp.write_all(bytes).at("write", path)?;
    platform::persist(temp.into_temp_path(), path).at("write", path)
}

fn stage(target: &Path, bytes: &[u8]) -> Result<tempfile::NamedTempFile, SystemError> {
    let temp = stage_unsynced(target, bytes)?;
    flush::flush(temp.as_file()).at("write", target)?;
    Ok(temp)
}

pub(crate) fn stage_unsynced(
    target: &Path,
    bytes: &[u8],
) -> Result<tempfile::NamedTempFile, SystemError> {
    let folder = folder_of(target);
    make_dir(folder)?;
    let mut builder = tempfile::Builder::new();
    platform::permissions_as(&mut builder, target);
    let mut temp = builder.prefix(TEMP_PREFIX).tempfile_in(folder).at("write to", folder)?;
    temp.write_all(bytes).at("write", target)?;
    Ok(temp)
}

/// Syncs a file and its name to disk; a missing file is fine.
pub fn sync(path: &Path) {
    if let Ok(file) = platform::open_to_flush(path) {
        let _ = flush::flush(&file);
        flush::flush_folder(folder_of(path));
    }
}

/// Replaces the target. Both must be on the same file system.
pub fn rename(from: &Path, to: &Path) -> Result<(), SystemError> {
    make_dir(folder_of(to))?;
    platform::patiently(|| fs::rename(from, to)).at("move", from)?;
    flush::flush_folders(&BTreeSet::from([folder_of(to).to_owned(), folder_of(from).to_owned()]));
    Ok(())
}

/// Whether it is a file that anybody may execute; where files have no such mark, all may.
pub fn is_executable(path: &Path) -> bool {
    let may = |meta: fs::Metadata| meta.is_file() && platform::is_executable(&meta) != Some(false);
    fs::metadata(path).is_ok_and(may)
}

/// Makes a file executable for everybody who may read it.
pub fn make_executable(path: &Path) -> Result<(), SystemError> {
    platform::make_executable(path).at("set the permissions of", path)
}

/// The file may already be gone.
pub fn remove(path: &Path) -> Result<(), SystemError> {
    match platform::patiently(|| fs::remove_file(path)) {
        Err(error) if is_absent(&error) => Ok(()),
        other => {
            other.at("remove", path)?;
            flush::flush_folder(folder_of(path));
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

/// Creates an empty file that only the user can read; `None` if the name is taken.
pub fn create_private(path: &Path) -> Result<Option<File>, SystemError> {
    make_dir(folder_of(path))?;
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    match platform::for_owner_only(&mut options).open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
        other => other.map(Some).at("write", path),
    }
}

/// Renames without syncing: for caches and logs, which a power cut may lose.
pub fn rename_private(from: &Path, to: &Path) -> Result<(), SystemError> {
    platform::patiently(|| fs::rename(from, to)).at("move", from)
}

/// Removes without syncing.
pub fn discard(path: &Path) -> Result<(), SystemError> {
    match platform::patiently(|| fs::remove_file(path)) {
        Err(error) if is_absent(&error) => Ok(()),
        other => other.at("remove", path),
    }
}

/// Appends a line without syncing, whole or not at all; a partial line left by an earlier kill
/// stays a separate line. Only under the lock for writing there.
pub(super) fn append_line(path: &Path, line: &str) -> Result<(), SystemError> {
    make_dir(folder_of(path))?;
    let mut options = fs::OpenOptions::new();
    options.read(true).append(true).create(true);
    let mut file = platform::for_owner_only(&mut options).open(path).at("write", path)?;
    let length = file.metadata().at("write", path)?.len();
    let mut last = [b'\n'];
    if length > 0 {
        file.seek(SeekFrom::Start(length - 1)).at("read", path)?;
        file.read_exact(&mut last).at("read", path)?;
    }
    let begin = if last == [b'\n'] { "" } else { "\n" };
    if let Err(error) = file.write_all(format!("{begin}{line}\n").as_bytes()) {
        let _ = file.set_len(length);
        return Err(error).at("write", path);
    }
    Ok(())
}

/// Appends without syncing, readable by the user only: a log contains file contents.
pub fn append(path: &Path, bytes: &[u8]) -> Result<(), SystemError> {
    make_dir(folder_of(path))?;
    let mut options = fs::OpenOptions::new();
    options.append(true).create(true);
    let mut file = platform::for_owner_only(&mut options).open(path).at("write", path)?;
    file.write_all(bytes).at("write", path)
}

/// Appends to a log of this laptop that may be lost: a failure is ignored, and of more than `max`
/// bytes only the newer half stays. `record` is the start of the first record from an offset on.
pub(super) fn append_to_bounded(
    path: &Path,
    bytes: &[u8],
    max: usize,
    record: impl Fn(&[u8], usize) -> usize,
) {
    if append(path, bytes).is_err() || size(path) <= max {
        return;
    }
    if let Ok(Some(all)) = read(path) {
        let start = record(&all, all.len() / 2).min(all.len());
        let _ = write_private(path, &all[start..]);
    }
}

/// As [`sync`], but fails if the file is missing or cannot be synced.
pub fn bring_to_disk(path: &Path) -> Result<(), SystemError> {
    bring_content_to_disk(path)?;
    flush::flush_folder(folder_of(path));
    Ok(())
}

/// As [`bring_to_disk`], for a file whose name is on the disk.
pub(super) fn bring_content_to_disk(path: &Path) -> Result<(), SystemError> {
    platform::open_to_flush(path).and_then(|file| flush::flush(&file)).at("write", path)
}

/// Sorted; empty if the folder cannot be read.
pub fn names(path: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(path) else { return Vec::new() };
    let mut names: Vec<String> =
        entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    names
}
