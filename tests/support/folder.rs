//! Where the worlds of the tests are.
//!
//! Invariant: a world is in a folder of its own, which goes with it.

use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

/// Memory, where a system has it as a folder.
const MEMORY: &str = "/dev/shm";

/// Room for the largest worlds of some tests at once. The memory of a container often has less.
const ROOM: u64 = 2 << 30;

/// A folder in memory, where there is such a place: co brings to the disk whatever it writes, and
/// would wait half of the time for the disk. `CO_TEST_FOLDER` names another place.
pub fn quick() -> TempDir {
    let named = std::env::var_os("CO_TEST_FOLDER").map(PathBuf::from);
    let place = named.or_else(memory);
    place.map_or_else(tempfile::tempdir, tempfile::tempdir_in).expect("a temporary folder")
}

/// A folder on the disk, where other temporary files are: for a test that needs another file system
/// than memory, or a path as long as usual.
pub fn on_disk() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Where worlds may be: memory may fill up while tests run, and the next one is elsewhere then.
pub fn places() -> Vec<PathBuf> {
    let named = std::env::var_os("CO_TEST_FOLDER").map(PathBuf::from);
    named.into_iter().chain([PathBuf::from(MEMORY), std::env::temp_dir()]).collect()
}

/// Memory as a folder, with room, from which programs can be started.
fn memory() -> Option<PathBuf> {
    let place = Path::new(MEMORY);
    let has = rustix::fs::statvfs(place).ok()?;
    let mounts = fs::read_to_string("/proc/mounts").ok()?;
    let mut newest_first = mounts.lines().rev().map(|line| line.split(' ').collect::<Vec<_>>());
    let mount = newest_first.find(|fields| fields.get(1) == Some(&MEMORY))?;
    let starts_programs = !mount.get(3)?.split(',').any(|option| option == "noexec");
    let has_room = has.f_bavail.saturating_mul(has.f_frsize) >= ROOM;
    (starts_programs && has_room).then(|| place.to_owned())
}
