//! What the times of changes tell: whether one that comes after another has a later time.
//!
//! Invariant: in doubt, no.

use std::path::Path;

/// When the clock last ticked, and the time now, in nanoseconds since 1970. `None` on a system that
/// does not say so.
#[cfg(target_os = "linux")]
pub(crate) fn since_tick() -> Option<(i64, i64)> {
    use super::nanoseconds;
    use rustix::time::{ClockId, Timespec, clock_gettime};
    let time = |of: Timespec| nanoseconds(of.tv_sec, of.tv_nsec);
    // The tick first, so that it is not one that came later.
    let tick = time(clock_gettime(ClockId::RealtimeCoarse));
    Some((tick, time(clock_gettime(ClockId::Realtime))))
}

/// Whether the file system of a folder gives a change another time than the one before, once that
/// was looked at: ext4 and xfs do since Linux 6.13. On others a time can look as exact, and that of
/// the next change be the same.
#[cfg(target_os = "linux")]
pub(crate) fn tells_changes_apart(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let Ok(meta) = std::fs::metadata(folder) else { return false };
    let device = format!("{}:{}", rustix::fs::major(meta.dev()), rustix::fs::minor(meta.dev()));
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    // Source: proc_pid_mountinfo(5). The type tells ext4 from ext3, which statfs(2) does not.
    let mut of_device = mounts.lines().filter(|line| line.split(' ').nth(2) == Some(&device));
    let kind = of_device.next().and_then(|line| line.split_once(" - ")?.1.split(' ').next());
    kind.is_some_and(|kind| ["ext4", "xfs"].contains(&kind))
}

/// As on Linux; false, as it is not known of any.
#[cfg(target_os = "macos")]
pub(crate) fn tells_changes_apart(_folder: &Path) -> bool {
    false
}

/// When the clock last ticked, and the time now, in nanoseconds since 1970. `None` on a system that
/// does not say so.
#[cfg(target_os = "macos")]
pub(crate) fn since_tick() -> Option<(i64, i64)> {
    None
}
