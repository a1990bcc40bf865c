//! Stats thousands of files, each relative to its open folder.
//!
//! Invariant: what a stat by the whole path gives, without resolving that path each time.

use super::{FileStat, nanoseconds};
use crate::machine::platform::GitStat;
use gix::index::entry::{Stat, stat::Time};
use rustix::fs::{AtFlags, CWD, FileType, statat};
use std::{
    ffi::OsStr,
    fs::File,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

/// Remembers the folder of the last file, and keeps it open if there are several in it.
#[derive(Default)]
pub(crate) struct FolderStats {
    folder: Option<(PathBuf, Option<File>)>,
}

impl FolderStats {
    /// As git's index stores it. Does not follow symlinks.
    pub(crate) fn stat(&mut self, file: &Path) -> Option<GitStat> {
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
    pub(crate) fn followed(&mut self, file: &Path) -> Option<FileStat> {
        let stat = self.raw(file, AtFlags::empty())?;
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
        let is_known = |(known, _): &(PathBuf, Option<File>)| known.as_os_str() == folder;
        if !self.folder.as_ref().is_some_and(is_known) {
            self.folder = Some((folder.into(), None));
            return statat(CWD, file, flags).ok();
        }
        let (_, opened) = self.folder.as_mut()?;
        // For the second file: many folders have one.
        if opened.is_none() {
            *opened = File::open(Path::new(folder)).ok();
        }
        match opened {
            Some(opened) => statat(&*opened, name, flags).ok(),
            // It may be entered, but not read.
            None => statat(CWD, file, flags).ok(),
        }
    }
}
