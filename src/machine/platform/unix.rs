//! The Unix half: Linux and macOS.

mod stats;
mod times;

pub(crate) use stats::FolderStats;
pub(crate) use times::{since_tick, tells_changes_apart};

use super::{FileId, FileStat};
use rustix::{
    fs::{Access, CWD, RenameFlags, renameat_with},
    io::Errno,
    process::{
        Pid, Resource, Rlimit, Signal, geteuid, kill_process, kill_process_group, setrlimit,
        test_kill_process,
    },
};
use std::{
    fs::{File, Metadata, OpenOptions, Permissions},
    io,
    os::unix::{
        fs::{MetadataExt, OpenOptionsExt, PermissionsExt},
        process::{CommandExt, ExitStatusExt},
    },
    path::{Path, PathBuf},
    process::{Command, ExitStatus},
};
use tempfile::TempPath;

pub(crate) fn stat(meta: &Metadata) -> FileStat {
    FileStat {
        size: meta.size(),
        modified: nanoseconds(meta.mtime(), meta.mtime_nsec()),
        changed: nanoseconds(meta.ctime(), meta.ctime_nsec()),
        inode: meta.ino(),
    }
}

fn nanoseconds(seconds: i64, rest: i64) -> i64 {
    seconds.wrapping_mul(1_000_000_000) + rest
}

/// Does not follow symlinks. `None` if there is no such file.
pub(crate) fn file_id(path: &Path) -> Option<FileId> {
    let meta = std::fs::symlink_metadata(path).ok()?;
    Some(FileId { volume: meta.dev(), file: meta.ino() })
}

/// The account that runs this process, by number.
pub(crate) fn account() -> Option<u32> {
    Some(geteuid().as_raw())
}

/// The account that a file belongs to, by number.
pub(crate) fn owner(meta: &Metadata) -> Option<u32> {
    Some(meta.uid())
}

/// Whether a file belongs to another account, to whom we could not give it back.
pub(crate) fn is_of_another(meta: &Metadata) -> bool {
    let me = geteuid();
    !me.is_root() && meta.uid() != me.as_raw()
}

/// Gives a file the owner of another, if permitted.
pub(crate) fn keep_owner(file: &Path, of: &Metadata) {
    let Ok(ours) = std::fs::metadata(file) else { return };
    if (ours.uid(), ours.gid()) != (of.uid(), of.gid()) {
        let _ = std::os::unix::fs::chown(file, Some(of.uid()), Some(of.gid()));
    }
}

/// Whether files can be created in a folder, or a file can be written.
pub(crate) fn can_be_written(path: &Path) -> bool {
    rustix::fs::access(path, Access::WRITE_OK).is_ok()
}

pub(crate) fn can_be_read(path: &Path) -> bool {
    rustix::fs::access(path, Access::READ_OK).is_ok()
}

/// A new file will be readable by its owner only.
pub(crate) fn for_owner_only(options: &mut OpenOptions) -> &mut OpenOptions {
    options.mode(0o600)
}

/// A new temporary folder will be readable by its owner only.
pub(crate) fn folder_for_owner_only(builder: &mut tempfile::Builder<'_, '_>) {
    builder.permissions(Permissions::from_mode(0o700));
}

/// A new temporary file will have the permissions of the file that it replaces, or those that the
/// umask leaves; tempfile's own default would be private to the user. The replacement of a private
/// file is never readable by others, not even while it is staged.
pub(crate) fn permissions_as(builder: &mut tempfile::Builder<'_, '_>, target: &Path) {
    let there = std::fs::metadata(target).map(|meta| meta.permissions().mode() & 0o666);
    builder.permissions(Permissions::from_mode(there.unwrap_or(0o666)));
}

/// Whether anybody may execute a file; `None` where files have no such mark.
pub(crate) fn is_executable(meta: &Metadata) -> Option<bool> {
    Some(meta.permissions().mode() & 0o111 != 0)
}

/// Makes a file executable for everybody who may read it.
pub(crate) fn make_executable(path: &Path) -> io::Result<()> {
    let mode = std::fs::metadata(path)?.permissions().mode();
    std::fs::set_permissions(path, Permissions::from_mode(mode | ((mode & 0o444) >> 2)))
}

pub(crate) fn make_not_executable(path: &Path) -> io::Result<()> {
    let mode = std::fs::metadata(path)?.permissions().mode();
    std::fs::set_permissions(path, Permissions::from_mode(mode & !0o111))
}

/// The names that a program may have in a folder of the PATH.
pub(crate) fn program_names(name: &str) -> Vec<String> {
    vec![name.to_owned()]
}

pub(crate) fn symlink(target: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

/// A link to a folder.
pub(crate) fn link_folder(target: &Path, link: &Path) -> io::Result<()> {
    symlink(target, link)
}

/// Removes a link to a folder.
pub(crate) fn unlink_folder(link: &Path) -> io::Result<()> {
    std::fs::remove_file(link)
}

/// The path with symlinks resolved.
pub(crate) fn resolve(path: &Path) -> io::Result<PathBuf> {
    std::fs::canonicalize(path)
}

/// Runs a change of a name, which on Windows another program can hold up.
pub(crate) fn patiently<T>(mut change: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    change()
}

/// Atomically swaps two files (`RENAME_EXCHANGE`); `false` if unsupported.
pub(crate) fn exchange(one: &Path, other: &Path) -> io::Result<bool> {
    rename_with(one, other, RenameFlags::EXCHANGE)
}

/// Renames to a free name only; `false` if unsupported.
pub(crate) fn rename_to_free(from: &Path, to: &Path) -> io::Result<bool> {
    rename_with(from, to, RenameFlags::NOREPLACE)
}

fn rename_with(from: &Path, to: &Path, flags: RenameFlags) -> io::Result<bool> {
    match renameat_with(CWD, from, CWD, to, flags) {
        Ok(()) => Ok(true),
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(false),
        Err(errno) => Err(errno.into()),
    }
}

/// Opens a file or folder, as [`File::sync_all`] needs it.
pub(crate) fn open_to_flush(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Passes writes to the drive, which on macOS may still keep them in its cache.
pub(crate) fn hand_over(file: &File) -> io::Result<()> {
    rustix::fs::fsync(file).map_err(io::Error::from)
}

/// Whether the error means that this volume does not support the flush.
pub(crate) fn is_flush_unsupported(error: &io::Error) -> bool {
    let refusals = [Errno::NOTSUP, Errno::NOSYS, Errno::INVAL, Errno::NOTTY, Errno::NODEV];
    error.raw_os_error().is_some_and(|raw| refusals.iter().any(|one| one.raw_os_error() == raw))
}

/// Flushes the volume of a folder.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn flush_volume(folder: &Path) -> io::Result<()> {
    Ok(rustix::fs::syncfs(File::open(folder)?)?)
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn flush_volume(_: &Path) -> io::Result<()> {
    Err(Errno::NOSYS.into())
}

/// The file that is locked to lock a folder: the folder itself.
pub(crate) fn lock_file(folder: &Path) -> io::Result<File> {
    File::open(folder)
}

/// The child will lead a process group of its own, which does not get the terminal's signals.
pub(crate) fn own_group(command: &mut Command) {
    command.process_group(0);
}

/// As [`own_group`], and without the terminal.
pub(crate) fn detach(command: &mut Command) {
    own_group(command);
}

fn pid(number: u32) -> Option<Pid> {
    Pid::from_raw(i32::try_from(number).ok()?)
}

/// Kills a process group, which may live on without its leader.
pub(crate) fn kill_group(leader: u32) {
    if let Some(pid) = pid(leader) {
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

pub(crate) fn kill(processes: &[u32]) {
    for pid in processes.iter().filter_map(|number| pid(*number)) {
        let _ = kill_process(pid, Signal::KILL);
    }
}

/// One that belongs to another account is running as well.
pub(crate) fn is_running(number: u32) -> bool {
    pid(number).is_some_and(|pid| !matches!(test_kill_process(pid), Err(Errno::SRCH)))
}

/// Every process with its parent.
pub(crate) fn processes(ps: impl Fn(&[&str]) -> String) -> Vec<(u32, u32)> {
    let pair = |line: &str| {
        let mut numbers = line.split_whitespace().map(|number| number.parse().ok());
        Some((numbers.next()??, numbers.next()??))
    };
    ps(&["-A", "-o", "pid=", "-o", "ppid="]).lines().filter_map(pair).collect()
}

/// The memory of a process, in bytes.
pub(crate) fn memory(number: u32, ps: impl Fn(&[&str]) -> String) -> Option<u64> {
    let kib: u64 = ps(&["-o", "rss=", "-p", &number.to_string()]).trim().parse().ok()?;
    Some(kib * 1024)
}

/// The words of a process's command line, as far as spaces part them.
pub(crate) fn words_of(number: u32, ps: impl Fn(&[&str]) -> String) -> Vec<String> {
    let line = ps(&["-ww", "-o", "args=", "-p", &number.to_string()]);
    line.split_whitespace().map(str::to_owned).collect()
}

pub(crate) fn host_name() -> Option<String> {
    Some(rustix::system::uname().nodename().to_string_lossy().into_owned())
}

/// When the machine was started, in seconds since 1970: the clock minus the uptime.
#[cfg(not(target_os = "linux"))]
pub(crate) fn boot_time() -> i64 {
    use rustix::time::{ClockId, clock_gettime};
    let now = clock_gettime(ClockId::Realtime).tv_sec;
    now - clock_gettime(ClockId::Monotonic).tv_sec
}

/// The name by which a variable of the environment is looked up.
pub(crate) fn variable(name: &str) -> String {
    name.to_owned()
}

/// Renames a temporary file over the target.
pub(crate) fn persist(temp: TempPath, target: &Path) -> io::Result<()> {
    temp.persist(target).map_err(|error| error.error)
}

/// Shows that this process lives for as long as it keeps the file open.
pub(crate) fn hold(file: &File) -> io::Result<()> {
    file.lock()
}

/// Whether no running process holds a file; false if it is gone.
pub(crate) fn is_free(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}

/// Whether names that Windows reserves are refused in trees of git.
pub(crate) const RESERVES_NAMES: bool = false;

/// The shell command that prints the current folder without symlinks, as a program of this system
/// names it.
pub(crate) const PRINT_FOLDER: &str = "pwd -P";

/// Replaces this process with the program. Returns only on failure.
pub(crate) fn exec(command: &mut Command) -> io::Error {
    command.exec()
}

/// The program and arguments that run a line of a person's shell, followed by further arguments.
pub(crate) fn shell_line(command: &mut Command, line: &str, rest: &[&Path]) {
    let line = if rest.is_empty() { line.to_owned() } else { format!("{line} \"$@\"") };
    command.args(["-c", &line, "co"]).args(rest);
}

/// What every program needs to start and to find its account's files.
pub(crate) const NEEDED_VARIABLES: &[&str] = &[];
pub(crate) const SHELL: &str = "sh";
/// What an editor is where no variable names one.
pub(crate) const EDITOR: &str = "vi";
/// What a pager is where no variable names one.
pub(crate) const PAGER: &str = "less";

/// The program that opens a file or an address on the desktop.
pub(crate) const OPENER: &str = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };

/// The signal that ended a process.
pub(crate) fn signal(status: ExitStatus) -> Option<i32> {
    status.signal()
}

/// Limits the address space (in bytes) and the processor time (in seconds) of this process. If a
/// system lacks one of the limits, the other has to do.
pub(crate) fn limit_self(memory: u64, seconds: u64) {
    let limit = |resource, most: u64| {
        let _ = setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) });
    };
    limit(Resource::As, memory);
    limit(Resource::Cpu, seconds);
    limit(Resource::Core, 0);
}

/// Returns at Ctrl-C, when the terminal goes, or when the process is asked to end.
pub(crate) async fn interrupted() -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut ended = signal(SignalKind::interrupt())?;
    let mut gone = signal(SignalKind::hangup())?;
    let mut asked = signal(SignalKind::terminate())?;
    tokio::select! {
        _ = ended.recv() => {}
        _ = gone.recv() => {}
        _ = asked.recv() => {}
    }
    Ok(())
}

/// Whether a folder is on a file system of this machine, whose locks and mappings can be relied on;
/// `None` if that cannot be told.
#[cfg(target_os = "linux")]
pub(crate) fn is_local(folder: &Path) -> Option<bool> {
    // Source: statfs(2). FUSE may be anything.
    const REMOTE: [u32; 10] = [
        0x6969,      // NFS
        0x517b,      // SMB
        0xfe53_4d42, // SMB2
        0xff53_4d42, // CIFS
        0x0102_1997, // 9p
        0x6573_5546, // FUSE
        0x5346_414f, // AFS
        0x00c3_6400, // Ceph
        0x0bd0_0bd0, // Lustre
        0x7461_636f, // OCFS2
    ];
    let kind = rustix::fs::statfs(folder).ok()?.f_type;
    Some(!REMOTE.contains(&(kind as u32)))
}

/// Whether a folder is on a file system of this machine, whose locks and mappings can be relied on;
/// `None` if that cannot be told.
#[cfg(target_os = "macos")]
pub(crate) fn is_local(folder: &Path) -> Option<bool> {
    // Source: statfs(2).
    const MNT_LOCAL: u32 = 0x1000;
    Some(rustix::fs::statfs(folder).ok()?.f_flags & MNT_LOCAL > 0)
}
