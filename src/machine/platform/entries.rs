//! Lists folders with thousands of files.
//!
//! Invariant: gives each name that the standard library gives, and what it is, unordered; on Linux
//! without an allocation for each. Links are not followed.

use std::{ffi::OsStr, fs, io, path::Path};

/// What an entry of a folder is; a link is one, whatever it leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EntryKind {
    File,
    Folder,
    Link,
    Other,
}

impl EntryKind {
    fn of(kind: fs::FileType) -> EntryKind {
        if kind.is_file() {
            EntryKind::File
        } else if kind.is_dir() {
            EntryKind::Folder
        } else if kind.is_symlink() {
            EntryKind::Link
        } else {
            EntryKind::Other
        }
    }
}

/// Calls `each` with each name in a folder, and with what it is as far as that is known.
#[cfg(target_os = "linux")]
pub(crate) fn each_entry(
    folder: &Path,
    mut each: impl FnMut(&OsStr, Option<EntryKind>),
) -> io::Result<()> {
    use rustix::fs::{FileType, Mode, OFlags, RawDir, open};
    use std::os::unix::ffi::OsStrExt;
    /// As many bytes of entries as the C library asks for.
    const AT_ONCE: usize = 32 << 10;
    let opened = open(folder, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let mut room: Vec<u8> = Vec::with_capacity(AT_ONCE);
    let mut entries = RawDir::new(&opened, room.spare_capacity_mut());
    while let Some(entry) = entries.next() {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name == b"." || name == b".." {
            continue;
        }
        let name = OsStr::from_bytes(name);
        let kind = match entry.file_type() {
            FileType::RegularFile => Some(EntryKind::File),
            FileType::Directory => Some(EntryKind::Folder),
            FileType::Symlink => Some(EntryKind::Link),
            // Some file systems do not say.
            FileType::Unknown => kind_of(&folder.join(name)),
            _ => Some(EntryKind::Other),
        };
        each(name, kind);
    }
    Ok(())
}

#[cfg(target_os = "linux")]
fn kind_of(file: &Path) -> Option<EntryKind> {
    Some(EntryKind::of(fs::symlink_metadata(file).ok()?.file_type()))
}

/// Calls `each` with each name in a folder, and with what it is as far as that is known.
#[cfg(not(target_os = "linux"))]
pub(crate) fn each_entry(
    folder: &Path,
    mut each: impl FnMut(&OsStr, Option<EntryKind>),
) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        each(&entry.file_name(), entry.file_type().ok().map(EntryKind::of));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{collections::BTreeMap, ffi::OsString};

    #[test]
    fn names_are_those_of_the_standard_library() {
        let folder = tempfile::tempdir().expect("a folder");
        let listed = || {
            let mut all = BTreeMap::new();
            let put = |name: &OsStr, kind: Option<EntryKind>| {
                assert_eq!(all.insert(name.to_owned(), kind), None, "{name:?}");
            };
            each_entry(folder.path(), put).expect("listed");
            all
        };
        assert!(listed().is_empty());
        fs::create_dir(folder.path().join("below")).expect("made");
        for number in 0..2_000 {
            let name = format!("{number:04}-{}.md", "x".repeat(number % 200));
            fs::write(folder.path().join(name), "").expect("written");
        }
        for name in [".hidden", "ä", "猫.md", "a b", "...a"] {
            fs::write(folder.path().join(name), "").expect("written");
        }
        #[cfg(unix)]
        {
            for (target, name) in [("ä", "link"), ("nowhere", "broken"), ("below", "above")] {
                std::os::unix::fs::symlink(target, folder.path().join(name)).expect("linked");
            }
        }
        let entries = fs::read_dir(folder.path()).expect("listed").map(|entry| {
            let entry = entry.expect("an entry");
            (entry.file_name(), entry.file_type().ok().map(EntryKind::of))
        });
        let all: BTreeMap<OsString, Option<EntryKind>> = entries.collect();
        assert!(all.len() > 2_000);
        assert_eq!(listed(), all);
    }

    #[test]
    fn what_is_no_folder_fails_as_it_does_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a");
        fs::write(&file, "").expect("written");
        for path in [file, folder.path().join("missing"), folder.path().join("a/b")] {
            let error = each_entry(&path, |_, _| ()).expect_err("no folder").kind();
            assert_eq!(error, fs::read_dir(&path).expect_err("no folder").kind(), "{path:?}");
        }
    }
}
