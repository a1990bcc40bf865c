//! Adds new files to the bytes of git's index.
//!
//! Invariant: the entries that were there keep their bytes, except for a stat, and their order;
//! what gix would write of the same entries has the same bytes. An index of another form is left to
//! gix. Must not know the repository or the work tree.

use super::Id;
use gix::bstr::BString;
use gix::index::entry::{Mode, Stat, stat::Time};

/// A file that the index does not have yet.
#[derive(Clone, Debug)]
pub(super) struct NewEntry {
    /// In the repository.
    pub(super) path: BString,
    pub(super) id: Id,
    pub(super) stat: Stat,
    pub(super) mode: Mode,
}

/// Signature, version and number of entries.
const HEADER: usize = 12;
const SIGNATURE: &[u8] = b"DIRC";
/// The versions whose entries have whole paths.
const VERSIONS: std::ops::RangeInclusive<u32> = 2..=3;
/// The hash of everything before it.
const TRAILER: usize = 20;
/// Of an entry: what precedes the blob's id.
const STAT: usize = 40;
/// Of an entry: what precedes its flags, and these.
const FLAGS_AT: usize = 60;
const FIXED: usize = 62;
/// The flags: two more bytes of flags follow; the stage of an open merge; the length of the path,
/// or this much if it is as long or longer.
const EXTENDED: u16 = 0x4000;
const STAGE: u16 = 0x3000;
const LENGTH: u16 = 0x0fff;

/// An index with these new files. `None` if it has one of them already, has another form, or is
/// more than a list of files (a split index, folders left out of it, an open merge). The optional
/// extensions are left out: they describe the index without the new files.
///
/// `looked_at` gets the path, the blob and the stat of each entry, and returns the stat that the
/// entry is to have instead, if any.
pub(super) fn with_new(
    index: &[u8],
    mut new: Vec<NewEntry>,
    looked_at: impl Fn(&[u8], Id, &Stat) -> Option<Stat>,
) -> Option<Vec<u8>> {
    new.sort_by(|one, other| one.path.cmp(&other.path));
    let listed = index.get(..index.len().checked_sub(TRAILER)?)?;
    let version = number_at(listed, SIGNATURE.len())?;
    let count = number_at(listed, SIGNATURE.len() + 4)?;
    if !listed.starts_with(SIGNATURE) || !VERSIONS.contains(&version) {
        return None;
    }
    let mut out = Vec::with_capacity(index.len() + new.iter().map(NewEntry::size).sum::<usize>());
    out.extend_from_slice(&listed[..HEADER - 4]);
    out.extend_from_slice(&count.checked_add(u32::try_from(new.len()).ok()?)?.to_be_bytes());
    let mut new = new.iter().peekable();
    let (mut at, mut copied) = (HEADER, HEADER);
    for _ in 0..count {
        let (path, end) = entry_at(listed, at)?;
        while let Some(one) = new.next_if(|one| one.path.as_slice() < path) {
            out.extend_from_slice(&listed[copied..at]);
            copied = at;
            one.write_to(&mut out);
        }
        if new.peek().is_some_and(|one| one.path.as_slice() == path) {
            return None;
        }
        let id = Id::from_bytes_or_panic(&listed[at + STAT..at + FLAGS_AT]);
        let (stat, mode) = stat_at(listed, at)?;
        if let Some(stat) = looked_at(path, id, &stat) {
            out.extend_from_slice(&listed[copied..at]);
            write_stat(&mut out, &stat, mode);
            copied = at + STAT;
        }
        at = end;
    }
    out.extend_from_slice(&listed[copied..at]);
    new.for_each(|one| one.write_to(&mut out));
    if !has_only_optional_extensions(listed, at)? {
        return None;
    }
    let mut hasher = gix::hash::hasher(gix::hash::Kind::Sha1);
    hasher.update(&out);
    out.extend_from_slice(hasher.try_finalize().ok()?.as_slice());
    Some(out)
}

fn number_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// The stat and the mode of the entry that begins there.
fn stat_at(listed: &[u8], at: usize) -> Option<(Stat, u32)> {
    // Hot: every entry of the index goes through here.
    let numbers = listed.get(at..at + STAT)?.as_chunks::<4>().0;
    let number = |at: usize| u32::from_be_bytes(numbers[at]);
    let time = |at: usize| Time { secs: number(at), nsecs: number(at + 1) };
    let (ctime, mtime) = (time(0), time(2));
    let (dev, ino, uid, gid, size) = (number(4), number(5), number(7), number(8), number(9));
    Some((Stat { mtime, ctime, dev, ino, uid, gid, size }, number(6)))
}

/// The path of the entry that begins there, and where it ends.
fn entry_at(listed: &[u8], at: usize) -> Option<(&[u8], usize)> {
    // Hot: every entry of the index goes through here.
    let flags = listed.get(at + FLAGS_AT..at + FIXED)?;
    let flags = u16::from_be_bytes([flags[0], flags[1]]);
    if flags & STAGE != 0 {
        return None;
    }
    let fixed = if flags & EXTENDED == 0 { FIXED } else { FIXED + 2 };
    let from_path = listed.get(at + fixed..)?;
    let length = match flags & LENGTH {
        LENGTH => memchr::memchr(0, from_path)?,
        length => usize::from(length),
    };
    let path = from_path.get(..length)?;
    let end = at + padded(fixed + length);
    (end <= listed.len()).then_some((path, end))
}

/// An entry ends with one to eight zeros, so that its size is a multiple of eight.
fn padded(size: usize) -> usize {
    (size + 8) & !7
}

/// `None` if what follows the entries are no extensions. Git has to understand one whose signature
/// begins with a small letter.
fn has_only_optional_extensions(listed: &[u8], mut at: usize) -> Option<bool> {
    while at < listed.len() {
        let signature = listed.get(at..at + 4)?;
        if !signature[0].is_ascii_uppercase() {
            return Some(false);
        }
        at = at.checked_add(8)?.checked_add(usize::try_from(number_at(listed, at + 4)?).ok()?)?;
    }
    Some(at == listed.len())
}

fn write_stat(out: &mut Vec<u8>, stat: &Stat, mode: u32) {
    let Stat { mtime, ctime, dev, ino, uid, gid, size } = *stat;
    let times = [ctime.secs, ctime.nsecs, mtime.secs, mtime.nsecs];
    let numbers = times.into_iter().chain([dev, ino, mode, uid, gid, size]);
    numbers.for_each(|number| out.extend_from_slice(&number.to_be_bytes()));
}

impl NewEntry {
    fn size(&self) -> usize {
        padded(FIXED + self.path.len())
    }

    fn write_to(&self, out: &mut Vec<u8>) {
        let end = out.len() + self.size();
        write_stat(out, &self.stat, self.mode.bits());
        out.extend_from_slice(self.id.as_slice());
        let length = u16::try_from(self.path.len()).map_or(LENGTH, |length| length.min(LENGTH));
        out.extend_from_slice(&length.to_be_bytes());
        out.extend_from_slice(&self.path);
        out.resize(end, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gix::bstr::ByteSlice;
    use gix::index::{State, entry::Flags};

    fn added_to(index: &[u8], new: Vec<NewEntry>) -> Option<Vec<u8>> {
        with_new(index, new, |_, _, _| None)
    }

    fn entry(path: &str, number: u32) -> NewEntry {
        let time = |secs| Time { secs, nsecs: number };
        let stat = Stat {
            mtime: time(1),
            ctime: time(2),
            dev: 3,
            ino: number,
            uid: 5,
            gid: 6,
            size: number + 7,
        };
        let id = crate::git::blob_id(path.as_bytes()).expect("an id");
        NewEntry { path: path.into(), id, stat, mode: Mode::FILE }
    }

    /// As gix writes it.
    fn written(entries: &[NewEntry], flags: Flags) -> Vec<u8> {
        let mut index = State::new(gix::hash::Kind::Sha1);
        for NewEntry { path, id, stat, mode } in entries {
            index.dangerously_push_entry(*stat, *id, flags, *mode, path.as_bstr());
        }
        index.sort_entries();
        let mut bytes = Vec::new();
        gix::index::File::from_state(index, "index")
            .write_to(&mut bytes, gix::index::write::Options::default())
            .expect("written");
        bytes
    }

    fn entries(paths: &[&str]) -> Vec<NewEntry> {
        paths.iter().zip(1..).map(|(path, number)| entry(path, number)).collect()
    }

    #[test]
    fn new_files_are_added_as_gix_adds_them() {
        let long = "l/".repeat(2_100) + "x";
        let here = [
            "a",
            "b/c",
            "b/d.md",
            "b/é.md",
            "c",
            "1234567",
            "12345678",
            "123456789",
            long.as_str(),
        ];
        let kinds: [&[&str]; 8] = [
            &[],
            &["0"],
            &["zz"],
            &["b/cc", "b/c.md"],
            &["b-", "b0", "b/"],
            &["l", "la", "m"],
            &["b/d", "b/d.m", "b/d.md2", "B"],
            &["z/z/z", "0/0", "b/ca", "1", "12", "123", "1234", "12345", "123456"],
        ];
        for new in kinds {
            for here in [&here[..], &here[..3], &[]] {
                let all = [entries(here), entries(new)].concat();
                let added = added_to(&written(&entries(here), Flags::empty()), entries(new));
                assert_eq!(added, Some(written(&all, Flags::empty())), "{here:?} {new:?}");
            }
        }
    }

    #[test]
    fn entries_that_were_there_keep_their_flags() {
        let flags = Flags::SKIP_WORKTREE.union(Flags::EXTENDED);
        for flags in [Flags::ASSUME_VALID, flags] {
            let before = written(&entries(&["a", "c"]), flags);
            let after = added_to(&before, entries(&["b"])).expect("added");
            let (_, end) = entry_at(&before, HEADER).expect("an entry");
            assert_eq!(after[HEADER..end], before[HEADER..end], "{flags:?}");
            assert_eq!(after.len(), before.len() + entry("b", 0).size(), "{flags:?}");
        }
    }

    #[test]
    fn an_entry_gets_the_stat_that_is_given_for_it() {
        let all = entries(&["a", "b", "c"]);
        let before = written(&[all[0].clone(), all[2].clone()], Flags::empty());
        let other = |path: &[u8], id, stat: &Stat| {
            assert_eq!(stat, &if path == b"c" { &all[2] } else { &all[0] }.stat);
            (path == b"c").then(|| {
                assert_eq!(id, all[2].id);
                all[0].stat
            })
        };
        let mut expected = all.clone();
        expected[2].stat = all[0].stat;
        let after = with_new(&before, vec![all[1].clone()], other);
        assert_eq!(after, Some(written(&expected, Flags::empty())));
    }

    #[test]
    fn what_is_no_plain_list_is_left_to_gix() {
        let here = written(&entries(&["a", "b"]), Flags::empty());
        assert!(added_to(&here, entries(&["ab"])).is_some());
        assert_eq!(added_to(&here, entries(&["b"])), None, "there already");
        let extended = |signature: &[u8], size: u32| {
            let (listed, hash) = here.split_at(here.len() - TRAILER);
            [listed, signature, &size.to_be_bytes(), &[0; 4], hash].concat()
        };
        assert_eq!(
            added_to(&extended(b"TREE", 4), entries(&["ab"])),
            added_to(&here, entries(&["ab"]))
        );
        for (signature, size) in [(b"link", 4), (b"sdir", 4), (b"TREE", 3), (b"TREE", 5)] {
            assert_eq!(added_to(&extended(signature, size), entries(&["ab"])), None, "{size}");
        }
        let staged =
            written(&entries(&["a", "b"]), Flags::from_stage(gix::index::entry::Stage::Ours));
        assert_eq!(added_to(&staged, entries(&["ab"])), None, "an open merge");
        for version in [0, 1, 4, 5] {
            let mut other = here.clone();
            other[7] = version;
            assert_eq!(added_to(&other, entries(&["ab"])), None, "version {version}");
        }
        for end in [0, 1, 11, 12, 31, 32, 40, here.len() - 1, here.len() - 8] {
            assert_eq!(added_to(&here[..end], entries(&["ab"])), None, "{end} bytes");
        }
        let mut many = here.clone();
        many[11] = 3;
        assert_eq!(added_to(&many, entries(&["ab"])), None, "fewer entries than it says");
    }
}
