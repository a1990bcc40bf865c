//! The facts that co saved and that the index does not have yet. To put a fact into the index takes
//! longer than to save it, so a save only notes it in a small file beside the index; whoever opens
//! the index next takes all of them in at once.
//!
//! Invariant: notes only save work. They count if the times of the folder of facts lead from those
//! that the index has, over each note, to those of now, so that nothing else came or went as far as
//! times tell; otherwise the files are compared. Only a save writes notes, under the lock of its
//! store. A note holds no text.

use super::{
    IndexSpec,
    database::{FolderTimes, Index, IndexError, Stat, Unit},
    rows::word_vector,
};
use crate::identity::{FileChange, Memory, RelPath, kind::MEMORIES};
use crate::machine::{files, folder};
use crate::recall::embed;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// With as many, the next save takes them in.
const MOST: usize = 16;
/// With more, a lookup takes them in instead of reading their files each time.
const FEW: usize = 4;

/// When a folder last changed: its content, and anything of it.
type Times = (i64, i64);

/// A fact that was saved.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Note {
    pub(super) path: String,
    pub(super) number: Option<u64>,
    pub(super) hash_prefix: u64,
    /// That of its text, as the index stores it.
    pub(super) vector: Vec<u8>,
    /// The times of the folder of facts before and after the save.
    before: Times,
    after: Times,
    /// Whether those after the save tell of every change since.
    pub(super) is_exact: bool,
}

impl IndexSpec<'_> {
    fn notes_file(&self) -> PathBuf {
        self.file.with_extension("recent")
    }

    /// The facts that were saved since the index was written, oldest first; `None` if something
    /// else may have changed their folder.
    pub(super) fn recent(&self, index: &Index) -> Option<Vec<Note>> {
        Some(self.recent_until_now(index)?.0)
    }

    /// The facts of notes; `None` if one of them is another one by now.
    pub(super) fn saved_all(&self, notes: &[Note]) -> Option<Vec<Memory>> {
        notes.iter().map(|note| self.saved(note)).collect()
    }

    /// The fact of a note, as it is now; `None` if its text or its number is another one by now.
    pub(super) fn saved(&self, note: &Note) -> Option<Memory> {
        let path = RelPath::new(&note.path)?;
        let (blob, _) = folder::read_file(&path, &self.store.root.join(path.as_str())).ok()?;
        let memory = Memory::read(&path, &blob).ok()?;
        let is_as_saved = memory.hash.hash_prefix() == note.hash_prefix && memory.id == note.number;
        is_as_saved.then_some(memory)
    }

    /// For a lookup, which reads the files of the few facts that were saved since the index was
    /// written; more are taken in.
    pub(super) fn open_for_lookup(&self) -> Option<Index> {
        let index = self.open_as_is().ok()??;
        let are_many = self.recent(&index).is_some_and(|notes| notes.len() > FEW);
        if are_many { self.with_recent(index).ok()? } else { Some(index) }
    }

    /// With the times of the folder of facts.
    fn recent_until_now(&self, index: &Index) -> Option<(Vec<Note>, Times)> {
        let folders = index.reads(Unit::Facts).folders().ok()?;
        let known = folders.iter().find(|folder| folder.path == MEMORIES)?;
        let (known, now) = ((known.modified, known.changed), self.times_of_facts());
        if known == now {
            return Some((Vec::new(), now));
        }
        Some((leading(read(&self.notes_file()), known, now)?, now))
    }

    fn times_of_facts(&self) -> Times {
        // The folder may be missing, as it was when it was listed.
        let now = Stat::of(&self.store.root.join(MEMORIES)).unwrap_or_default();
        (now.modified, now.changed)
    }

    /// The note of a change, before it is made; `None` if it is more than one new fact, or has to
    /// be taken in at once. To be called under the write lock.
    pub(super) fn note_of(&self, change: &[FileChange]) -> Option<Note> {
        let [FileChange { path, before: None, after: Some(blob) }] = change else { return None };
        // Vectors from an endpoint are left to the next question, which may ask for them.
        if !path.is_memory() || !self.model.is_built_in() {
            return None;
        }
        let memory = Memory::read(path, blob).ok()?;
        let index = self.open_as_is().ok()??;
        let (notes, before) = self.recent_until_now(&index)?;
        if notes.len() >= MOST {
            return None;
        }
        if notes.is_empty() {
            // What is there was taken in, or leads nowhere.
            files::discard(&self.notes_file()).ok()?;
        }
        let vector = embed::embed(memory.text()).packed().to_bytes();
        let (path, hash_prefix) = (path.to_string(), memory.hash.hash_prefix());
        let (number, after) = (memory.id, before);
        Some(Note { path, number, hash_prefix, vector, before, after, is_exact: false })
    }

    /// Notes a fact that was just saved, if the times tell that it came since the index was
    /// written; else it has to be taken in at once. If that fails, the files are compared.
    pub(super) fn put_note(&self, note: Note) -> Result<bool, IndexError> {
        let (after, file) = (self.times_of_facts(), self.notes_file());
        if after == note.before && files::size(&file) == 0 {
            return Ok(false);
        }
        let is_exact = self.times_after(&note.path) == FolderTimes::Exact;
        files::append(&file, &written(&Note { after, is_exact, ..note }))?;
        Ok(true)
    }

    /// The index with the facts that were saved since it was written, if nothing else changed.
    pub(super) fn with_recent(&self, index: Index) -> Result<Option<Index>, IndexError> {
        // Hot: a question usually finds no notes, or those that were taken in.
        if files::size(&self.notes_file()) == 0 {
            return Ok(Some(index));
        }
        let recent = self.recent_until_now(&index).filter(|(notes, _)| !notes.is_empty());
        let Some((notes, until)) = recent else { return Ok(Some(index)) };
        // An open read would block the writer.
        drop(index);
        // If that fails, the files are compared.
        let _ = self.take_in_notes(&notes, until);
        self.open_as_is()
    }

    fn take_in_notes(&self, notes: &[Note], (modified, changed): Times) -> Result<(), IndexError> {
        let Some(writer) = self.try_update()? else { return Ok(()) };
        let paths = notes.iter().filter_map(|note| RelPath::new(&note.path));
        let paths: Vec<(Unit, RelPath)> = paths.map(|path| (Unit::Facts, path)).collect();
        if self.put_rows(&writer, &paths)? {
            let folder = Stat { modified, changed, ..Stat::default() };
            let are_exact = notes.iter().all(|note| note.is_exact);
            let times = if are_exact { FolderTimes::Exact } else { FolderTimes::Doubtful };
            writer.finish_written(&[(MEMORIES, folder)], times, &word_vector)?;
        }
        Ok(())
    }
}

/// The last notes, which lead from one time of the folder to another.
fn leading(mut notes: Vec<Note>, from: Times, to: Times) -> Option<Vec<Note>> {
    let mut until = to;
    let is_on_the_way = |note: &&Note| {
        let leads = until != from && note.after == until;
        until = if leads { note.before } else { until };
        leads
    };
    let count = notes.iter().rev().take_while(is_on_the_way).count();
    (until == from).then(|| notes.split_off(notes.len() - count))
}

/// Those in a file, oldest first; none if one of them is not whole.
fn read(file: &Path) -> Vec<Note> {
    let bytes = files::read(file).ok().flatten().unwrap_or_default();
    let (mut notes, mut rest) = (Vec::new(), bytes.as_slice());
    while !rest.is_empty() {
        let Some((note, others)) = first_of(rest) else { return Vec::new() };
        notes.push(note);
        rest = others;
    }
    notes
}

/// The first note in these bytes, and the bytes of the others.
fn first_of(bytes: &[u8]) -> Option<(Note, &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    let (sum, rest) = rest.split_first_chunk()?;
    let (note, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    let is_whole = crc32fast::hash(note) == u32::from_le_bytes(*sum);
    let note = is_whole.then(|| postcard::from_bytes(note).ok()).flatten()?;
    Some((note, rest))
}

/// A note, after its length and its checksum.
fn written(note: &Note) -> Vec<u8> {
    let note = postcard::to_stdvec(note).expect("because it is numbers and texts");
    let length = u32::try_from(note.len()).expect("because a note is short");
    let mut bytes = length.to_le_bytes().to_vec();
    bytes.extend(crc32fast::hash(&note).to_le_bytes());
    bytes.extend(note);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(before: i64, after: i64) -> Note {
        Note {
            path: format!("knowledge/memories/{after}.md"),
            number: Some(7),
            hash_prefix: u64::MAX,
            vector: vec![0, 127, 255],
            before: (before, before + 1),
            after: (after, after + 1),
            is_exact: false,
        }
    }

    #[test]
    fn notes_count_that_lead_from_one_time_to_the_other() {
        let notes = [note(1, 2), note(2, 4), note(4, 7)];
        let led = |from: i64, to: i64| leading(notes.to_vec(), (from, from + 1), (to, to + 1));
        assert_eq!(led(1, 7), Some(notes.to_vec()));
        assert_eq!(led(2, 7), Some(notes[1..].to_vec()));
        assert_eq!(led(4, 7), Some(notes[2..].to_vec()));
        for (from, to) in [(0, 7), (3, 7), (1, 4), (1, 8), (7, 1)] {
            assert_eq!(led(from, to), None, "{from} {to}");
        }
        let torn = vec![note(1, 2), note(3, 4)];
        assert_eq!(leading(torn.clone(), (1, 2), (4, 5)), None);
        assert_eq!(leading(torn, (3, 4), (4, 5)), Some(vec![note(3, 4)]));
        assert_eq!(leading(Vec::new(), (1, 2), (3, 4)), None);
        // Two saves within a tick.
        let at_once = vec![note(1, 2), note(2, 2), note(2, 5)];
        assert_eq!(leading(at_once.clone(), (1, 2), (5, 6)), Some(at_once));
    }

    #[test]
    fn they_are_read_as_they_were_written_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("index.recent");
        assert!(read(&file).is_empty());
        let notes = [note(1, 2), note(2, i64::MAX - 1)];
        let bytes = [written(&notes[0]), written(&notes[1])].concat();
        files::append(&file, &bytes).expect("written");
        assert_eq!(read(&file), notes);
        for length in (1..bytes.len()).filter(|length| *length != written(&notes[0]).len()) {
            files::write_private(&file, &bytes[..length]).expect("written");
            assert!(read(&file).is_empty(), "{length}");
        }
        for at in 0..bytes.len() {
            let mut other = bytes.clone();
            other[at] ^= 64;
            files::write_private(&file, &other).expect("written");
            assert!(read(&file).is_empty(), "{at}");
        }
    }
}
