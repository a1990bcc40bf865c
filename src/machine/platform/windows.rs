//! The Windows half. Files have no owner here that co would keep and no executable bit, and no call
//! swaps two names; an account's profile folder is closed to others by its access list.

use super::{FileId, FileStat, GitStat};
use gix::index::{entry::Stat, fs::Metadata as GitMetadata};
use std::{
    fs::{File, Metadata, OpenOptions},
    io,
    os::windows::{
        fs::{MetadataExt, OpenOptionsExt},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::{Command, ExitStatus},
    thread,
    time::Duration,
};
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System, UpdateKind};
use tempfile::TempPath;

// Source: the documentation of CreateFileW and CreateProcessW.
const FILE_FLAG_BACKUP_SEMANTICS: u32 = 0x0200_0000;
const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
const DETACHED_PROCESS: u32 = 0x0000_0008;
const CREATE_NEW_PROCESS_GROUP: u32 = 0x0000_0200;
/// System error codes. Source: winerror.h.
const ERROR_INVALID_FUNCTION: i32 = 1;
const ERROR_ACCESS_DENIED: i32 = 5;
const ERROR_SHARING_VIOLATION: i32 = 32;
const ERROR_LOCK_VIOLATION: i32 = 33;
const ERROR_NOT_SUPPORTED: i32 = 50;
/// Between 1601, where file times begin, and 1970, in units of 100 ns.
const EPOCH: i64 = 116_444_736_000_000_000;

pub(crate) fn stat(meta: &Metadata) -> FileStat {
    let written = meta.last_write_time().cast_signed();
    let modified = written.saturating_sub(EPOCH).saturating_mul(100);
    FileStat { size: meta.file_size(), modified, changed: modified, inode: 0 }
}

/// Does not follow symlinks. `None` if there is no such file.
pub(crate) fn file_id(path: &Path) -> Option<FileId> {
    let mut options = OpenOptions::new();
    // Asking for no access opens files that others hold, and folders.
    options.access_mode(0).custom_flags(FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT);
    let file = options.open(path).ok()?;
    let about = winapi_util::file::information(&file).ok()?;
    Some(FileId { volume: about.volume_serial_number(), file: about.file_index() })
}

#[derive(Default)]
pub(crate) struct FolderStats;

impl FolderStats {
    /// As git's index stores it. Does not follow symlinks.
    pub(crate) fn stat(&mut self, file: &Path) -> Option<GitStat> {
        let meta = GitMetadata::from_path_no_follow(file).ok()?;
        Some(GitStat { stat: Stat::from_fs(&meta).ok()?, is_link: meta.is_symlink() })
    }

    /// Follows symlinks. `None` if there is no such file.
    pub(crate) fn followed(&mut self, file: &Path) -> Option<FileStat> {
        Some(stat(&std::fs::metadata(file).ok()?))
    }
}

/// Accounts have no number.
pub(crate) fn account() -> Option<u32> {
    None
}

pub(crate) fn owner(_: &Metadata) -> Option<u32> {
    None
}

pub(crate) fn is_of_another(_: &Metadata) -> bool {
    false
}

pub(crate) fn keep_owner(_: &Path, _: &Metadata) {}

/// Whether files can be created in a folder, or a file can be written.
pub(crate) fn can_be_written(path: &Path) -> bool {
    if path.is_dir() {
        tempfile::tempfile_in(path).is_ok()
    } else {
        OpenOptions::new().append(true).open(path).is_ok()
    }
}

pub(crate) fn can_be_read(path: &Path) -> bool {
    if path.is_dir() { std::fs::read_dir(path).is_ok() } else { File::open(path).is_ok() }
}

pub(crate) fn for_owner_only(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

pub(crate) fn folder_for_owner_only(_: &mut tempfile::Builder<'_, '_>) {}

pub(crate) fn permissions_as(_: &mut tempfile::Builder<'_, '_>, _: &Path) {}

/// `None`: files have no such mark.
pub(crate) fn is_executable(_: &Metadata) -> Option<bool> {
    None
}

pub(crate) fn make_executable(_: &Path) -> io::Result<()> {
    Ok(())
}

pub(crate) fn make_not_executable(_: &Path) -> io::Result<()> {
    Ok(())
}

/// The names that a program may have in a folder of the PATH: what npm installs is a `.cmd`.
pub(crate) fn program_names(name: &str) -> Vec<String> {
    [".exe", ".cmd", ".bat"].map(|ending| format!("{name}{ending}")).to_vec()
}

/// Where symlinks are not permitted, a file with the target's name, as git does it.
pub(crate) fn symlink(target: &Path, link: &Path) -> io::Result<()> {
    std::os::windows::fs::symlink_file(target, link)
        .or_else(|_| std::fs::write(link, target.as_os_str().as_encoded_bytes()))
}

/// A link to a folder, where they are permitted.
pub(crate) fn link_folder(target: &Path, link: &Path) -> io::Result<()> {
    std::os::windows::fs::symlink_dir(target, link)
}

/// Removes a link to a folder.
pub(crate) fn unlink_folder(link: &Path) -> io::Result<()> {
    std::fs::remove_dir(link)
}

/// The path with symlinks resolved, without the prefix (`\\?\`) that git and other programs do not
/// understand.
pub(crate) fn resolve(path: &Path) -> io::Result<PathBuf> {
    dunce::canonicalize(path)
}

/// Tries a change of a name again for a second: an indexer or a virus scanner may have the file
/// open.
pub(crate) fn patiently<T>(mut change: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    for attempt in 0..10 {
        match change() {
            Err(error) if is_held(&error) => {
                thread::sleep(Duration::from_millis(10 << attempt.min(4)))
            }
            other => return other,
        }
    }
    change()
}

fn is_held(error: &io::Error) -> bool {
    let held = [ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION];
    error.raw_os_error().is_some_and(|raw| held.contains(&raw))
}

/// `false`: there is no such call.
pub(crate) fn exchange(_: &Path, _: &Path) -> io::Result<bool> {
    Ok(false)
}

/// Renames to a free name only.
pub(crate) fn rename_to_free(from: &Path, to: &Path) -> io::Result<bool> {
    patiently(|| {
        let mut named = TempPath::try_from_path(from)?;
        // Otherwise a failure would delete the file.
        named.disable_cleanup(true);
        named.persist_noclobber(to).map(|()| true).map_err(|error| error.error)
    })
}

/// Renames a temporary file over the target, also while somebody reads that.
pub(crate) fn persist(temp: TempPath, target: &Path) -> io::Result<()> {
    let staged = temp.keep().map_err(|error| error.error)?;
    let renamed = patiently(|| std::fs::rename(&staged, target));
    if renamed.is_err() {
        let _ = std::fs::remove_file(&staged);
    }
    renamed
}

/// Nothing: while the file is open it cannot be opened alone.
pub(crate) fn hold(_: &File) -> io::Result<()> {
    Ok(())
}

/// Whether no running process has a file open; false if it is gone.
pub(crate) fn is_free(path: &Path) -> bool {
    OpenOptions::new().read(true).share_mode(0).open(path).is_ok()
}

/// Opens a file as [`File::sync_all`] needs it: for writing, unless it is read-only, as git's
/// objects are. Folders cannot be flushed.
pub(crate) fn open_to_flush(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).open(path).or_else(|_| File::open(path))
}

pub(crate) fn hand_over(file: &File) -> io::Result<()> {
    file.sync_all()
}

/// Whether the error means that this volume does not support the flush, or that the file is
/// read-only.
pub(crate) fn is_flush_unsupported(error: &io::Error) -> bool {
    let refusals = [ERROR_INVALID_FUNCTION, ERROR_NOT_SUPPORTED, ERROR_ACCESS_DENIED];
    error.raw_os_error().is_some_and(|raw| refusals.contains(&raw))
}

pub(crate) fn flush_volume(_: &Path) -> io::Result<()> {
    Err(io::Error::from_raw_os_error(ERROR_NOT_SUPPORTED))
}

/// The file that is locked to lock a folder. Folders themselves cannot be locked, and a locked file
/// cannot be read, so it is an empty one in the account's profile, named by the folder. Accounts
/// that share an identity are not kept apart by it.
pub(crate) fn lock_file(folder: &Path) -> io::Result<File> {
    let profile = std::env::home_dir().ok_or(io::ErrorKind::NotFound)?;
    let locks = profile.join("AppData").join("Local").join("co-cli").join("locks");
    std::fs::create_dir_all(&locks)?;
    // Windows ignores case in names.
    let name = resolve(folder)?.to_string_lossy().to_lowercase();
    let name = crate::identity::ContentHash::of_bytes(name.as_bytes()).short(16);
    OpenOptions::new().create(true).truncate(false).write(true).open(locks.join(name))
}

pub(crate) fn own_group(command: &mut Command) {
    command.creation_flags(CREATE_NEW_PROCESS_GROUP);
}

pub(crate) fn detach(command: &mut Command) {
    command.creation_flags(CREATE_NEW_PROCESS_GROUP | DETACHED_PROCESS);
}

/// Nothing: what a process started is killed process by process.
pub(crate) fn kill_group(_: u32) {}

pub(crate) fn kill(processes: &[u32]) {
    let numbers: Vec<Pid> = processes.iter().map(|number| Pid::from_u32(*number)).collect();
    let system = looked_up(ProcessesToUpdate::Some(&numbers), ProcessRefreshKind::nothing());
    for process in numbers.iter().filter_map(|number| system.process(*number)) {
        process.kill();
    }
}

pub(crate) fn is_running(number: u32) -> bool {
    let number = Pid::from_u32(number);
    let system = looked_up(ProcessesToUpdate::Some(&[number]), ProcessRefreshKind::nothing());
    system.process(number).is_some()
}

/// Every process with its parent. A parent that ended leaves its number behind, which another
/// process may have by now: one that is younger is not the parent.
pub(crate) fn processes(_: impl Fn(&[&str]) -> String) -> Vec<(u32, u32)> {
    let system = looked_up(ProcessesToUpdate::All, ProcessRefreshKind::nothing());
    let with_parent = |(number, process): (&Pid, &sysinfo::Process)| {
        let parent = process.parent()?;
        let is_older = system.process(parent)?.start_time() <= process.start_time();
        is_older.then_some((number.as_u32(), parent.as_u32()))
    };
    system.processes().iter().filter_map(with_parent).collect()
}

/// The memory of a process, in bytes.
pub(crate) fn memory(number: u32, _: impl Fn(&[&str]) -> String) -> Option<u64> {
    let number = Pid::from_u32(number);
    let kind = ProcessRefreshKind::nothing().with_memory();
    looked_up(ProcessesToUpdate::Some(&[number]), kind)
        .process(number)
        .map(sysinfo::Process::memory)
}

/// The words of a process's command line.
pub(crate) fn words_of(number: u32, _: impl Fn(&[&str]) -> String) -> Vec<String> {
    let number = Pid::from_u32(number);
    let kind = ProcessRefreshKind::nothing().with_cmd(UpdateKind::Always);
    let system = looked_up(ProcessesToUpdate::Some(&[number]), kind);
    let words = system.process(number).map(sysinfo::Process::cmd).unwrap_or_default();
    words.iter().map(|word| word.to_string_lossy().into_owned()).collect()
}

fn looked_up(which: ProcessesToUpdate<'_>, kind: ProcessRefreshKind) -> System {
    let mut system = System::new();
    system.refresh_processes_specifics(which, false, kind);
    system
}

pub(crate) fn host_name() -> Option<String> {
    System::host_name()
}

/// When the machine was started, in seconds since 1970.
pub(crate) fn boot_time() -> i64 {
    i64::try_from(System::boot_time()).unwrap_or_default()
}

/// Variables of the environment differ in more than case.
pub(crate) fn variable(name: &str) -> String {
    name.to_uppercase()
}

/// Whether names that Windows reserves are refused in trees of git.
pub(crate) const RESERVES_NAMES: bool = true;

/// In the shell of Git for Windows, with a drive and slashes.
pub(crate) const PRINT_FOLDER: &str = "pwd -W";

/// Runs the program and ends with its exit code. Returns only if it cannot be started.
pub(crate) fn exec(command: &mut Command) -> io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}

pub(crate) fn shell_line(command: &mut Command, line: &str, rest: &[&Path]) {
    let quoted: String = rest.iter().map(|path| format!(" \"{}\"", path.display())).collect();
    // With /S, cmd takes off exactly the outer quotes.
    command.raw_arg(format!("/D /S /C \"{line}{quoted}\""));
}

pub(crate) const NEEDED_VARIABLES: &[&str] =
    &["SystemRoot", "ComSpec", "PATHEXT", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TEMP"];
pub(crate) const SHELL: &str = "cmd.exe";
pub(crate) const EDITOR: &str = "notepad.exe";
pub(crate) const PAGER: &str = "more.com";
pub(crate) const OPENER: &str = "explorer.exe";

/// `None`: there are no signals.
pub(crate) fn signal(_: ExitStatus) -> Option<i32> {
    None
}

/// Nothing: the parent watches the process.
pub(crate) fn limit_self(_: u64, _: u64) {}

/// Returns at Ctrl-C, when the console is closed, or when the account logs off.
pub(crate) async fn interrupted() -> io::Result<()> {
    use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close, ctrl_logoff};
    let (mut ended, mut broken) = (ctrl_c()?, ctrl_break()?);
    let (mut closed, mut gone) = (ctrl_close()?, ctrl_logoff()?);
    tokio::select! {
        _ = ended.recv() => {}
        _ = broken.recv() => {}
        _ = closed.recv() => {}
        _ = gone.recv() => {}
    }
    Ok(())
}

/// As on Linux; false, as it is not known of any.
pub(crate) fn tells_changes_apart(_folder: &Path) -> bool {
    false
}

/// When the clock last ticked, and the time now, in nanoseconds since 1970. `None` on a system that
/// does not say so.
pub(crate) fn since_tick() -> Option<(i64, i64)> {
    None
}

/// Whether a folder is on a disk of this machine, whose locks and mappings can be relied on; `None`
/// if that cannot be told. The letter of a mapped network drive is resolved to the share as well. A
/// program that shows something remote as a disk is not told from one.
pub(crate) fn is_local(folder: &Path) -> Option<bool> {
    let real = std::fs::canonicalize(folder).ok()?;
    Some(!real.to_string_lossy().starts_with(r"\\?\UNC\"))
}
