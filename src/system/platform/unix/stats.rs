//! Stats thousands of files, each relative to its open folder.
//!
//! Invariant: what a stat by the whole path gives, without resolving that path each time.

use super::{FileStat, nanoseconds};
use crate::system::platform::GitStat;
use gix::index::entry::{Stat, stat::Time};
use rustix::fs::{AtFlags, FileType};
use std::{
    ffi::OsStr,
    fs::File,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

/// Keeps the folder of the last file open.
#[derive(Default)]
pub(in crate::system) struct FolderStats {
    folder: Option<(PathBuf, File)>,
}

impl FolderStats {
    /// As git's index stores it. Does not follow symlinks.
    pub(in crate::system) fn stat(&mut self, file: &Path) -> Option<GitStat> {
        let stat = self.raw(file, AtFlags::SYMLINK_NOFOLLOW)?;
        let is_link = FileType::from_raw_mode(stat.st_mode) == FileType::Symlink;
        // Truncated to 32 bits as git does. The types of the fields differ between systems.
        let stat = Stat {
            mtime: Time { secs: stat.st_mtime as u32, nsecs: stat.st_mtime_nsec as u32 },
            ctime: Time { secs: stat.st_ctime as u32, nsecs: stat.st_ctime_nsec as u32 },
            dev: stat.st_dev as u32,
            ino: stat.st_ino as u32,
            uid: stat.st_uid,
            gid: stat.st_gid,
            size: stat.st_size as u32,
        };
        Some(GitStat { stat, is_link })
    }

    /// Follows symlinks. `None` if there is no such file.
    pub(in crate::system) fn followed(&mut self, file: &Path) -> Option<FileStat> {
        let Some(stat) = self.raw(file, AtFlags::empty()) else {
            // A folder that may be entered, but not read, cannot be opened.
            return Some(super::stat(&std::fs::metadata(file).ok()?));
        };
        Some(FileStat {
            size: stat.st_size.cast_unsigned(),
            modified: nanoseconds(stat.st_mtime, i64::from(stat.st_mtime_nsec as u32)),
            changed: nanoseconds(stat.st_ctime, i64::from(stat.st_ctime_nsec as u32)),
            inode: stat.st_ino,
        })
    }

    fn raw(&mut self, file: &Path, flags: AtFlags) -> Option<rustix::fs::Stat> {
        // Hot: every file of every comparison goes through here.
        let bytes = file.as_os_str().as_bytes();
        let slash = memchr::memrchr(b'/', bytes)?;
        let (folder, name) = (OsStr::from_bytes(&bytes[..slash]), &bytes[slash + 1..]);
        if self.folder.as_ref().is_none_or(|(known, _)| known.as_os_str() != folder) {
            self.folder = Some((folder.into(), File::open(Path::new(folder)).ok()?));
        }
        let (_, folder) = self.folder.as_ref()?;
        rustix::fs::statat(folder, name, flags).ok()
    }
}
