//! Texts and numbers in the memories folder, without reading it: saving costs the same at any size.
//!
//! Invariant: the cache is valid only while the folder's modification time is the one it was built
//! at; it can be deleted at any time. It misses files that are edited in place; sync finds those.

use super::{
    error::{At, SystemError},
    files, folder,
};
use crate::identity::{ContentHash, Memory, kind::MEMORIES};
use std::{
    fs::{self, OpenOptions},
    io::{Read, Seek, SeekFrom, Write},
    os::unix::fs::{FileExt, MetadataExt},
    path::{Path, PathBuf},
};

const MAGIC: [u8; 8] = *b"coknown1";
const HEAD: u64 = 40;
const RECORD: u64 = 16;
/// New records are appended unsorted; with more than this the file is rebuilt.
const MAX_TAIL: u64 = 2048;

#[derive(Debug)]
pub struct Known {
    file: PathBuf,
    memories: PathBuf,
    folder_time: i128,
    highest: u64,
    sorted: u64,
    tail: u64,
}

impl Known {
    /// Opens the cache, or rebuilds it when it is missing or stale.
    pub fn open(file: &Path, root: &Path) -> Result<Known, SystemError> {
        let memories = root.join(MEMORIES);
        match Known::load(file, &memories) {
            Some(known) if known.tail <= MAX_TAIL => Ok(known),
            _ => Known::rebuild(file, root),
        }
    }

    fn load(file: &Path, memories: &Path) -> Option<Known> {
        let mut head = [0; HEAD as usize];
        fs::File::open(file).ok()?.read_exact(&mut head).ok()?;
        let number =
            |at: usize| u64::from_le_bytes(head[at..at + 8].try_into().ok().unwrap_or_default());
        let known = Known {
            file: file.to_owned(),
            memories: memories.to_owned(),
            folder_time: i128::from(number(8)),
            highest: number(16),
            sorted: number(24),
            tail: number(32),
        };
        let whole = fs::metadata(file).ok()?.len() >= HEAD + (known.sorted + known.tail) * RECORD;
        (head[..8] == MAGIC && whole && known.folder_time == folder_time(memories)).then_some(known)
    }

    fn rebuild(file: &Path, root: &Path) -> Result<Known, SystemError> {
        let memories = root.join(MEMORIES);
        let time = folder_time(&memories);
        let all = folder::read_below(root, MEMORIES).snapshot.memories();
        let mut records: Vec<[u8; 16]> = all.iter().map(record).collect();
        records.sort_unstable();
        let highest = all.iter().filter_map(|memory| memory.id).max().unwrap_or(0);
        let known = Known {
            file: file.to_owned(),
            memories,
            folder_time: time,
            highest,
            sorted: records.len() as u64,
            tail: 0,
        };
        let mut bytes = known.head().to_vec();
        bytes.extend(records.concat());
        files::write_private(file, &bytes)?;
        Ok(known)
    }

    fn head(&self) -> [u8; HEAD as usize] {
        let mut head = [0; HEAD as usize];
        head[..8].copy_from_slice(&MAGIC);
        let time = u64::try_from(self.folder_time).unwrap_or(0);
        for (at, number) in [time, self.highest, self.sorted, self.tail].into_iter().enumerate() {
            head[8 + at * 8..16 + at * 8].copy_from_slice(&number.to_le_bytes());
        }
        head
    }

    pub fn next_id(&self) -> u64 {
        self.highest + 1
    }

    /// Whether a memory with this text is probably there: only sixteen bytes of the hash are
    /// compared, so the caller checks the files.
    pub fn has(&self, hash: &ContentHash) -> bool {
        let wanted = &hash.digest()[..16];
        let Ok(file) = fs::File::open(&self.file) else { return false };
        let at = |index: u64| -> Option<[u8; 16]> {
            let mut record = [0; 16];
            file.read_exact_at(&mut record, HEAD + index * RECORD).ok()?;
            Some(record)
        };
        let (mut low, mut high) = (0, self.sorted);
        while low < high {
            let middle = (low + high) / 2;
            match at(middle) {
                Some(record) if record[..] == *wanted => return true,
                Some(record) if record[..] < *wanted => low = middle + 1,
                Some(_) => high = middle,
                None => return false,
            }
        }
        let mut tail = vec![0; usize::try_from(self.tail * RECORD).unwrap_or(0)];
        file.read_exact_at(&mut tail, HEAD + self.sorted * RECORD).is_ok()
            && tail.chunks_exact(16).any(|record| record == wanted)
    }

    /// Adds a memory that was just written into the folder.
    pub fn add(&mut self, id: u64, hash: &ContentHash) -> Result<(), SystemError> {
        self.highest = self.highest.max(id);
        self.folder_time = folder_time(&self.memories);
        let mut file = OpenOptions::new().write(true).open(&self.file).at("write", &self.file)?;
        file.seek(SeekFrom::Start(HEAD + (self.sorted + self.tail) * RECORD))
            .at("write", &self.file)?;
        file.write_all(&hash.digest()[..16]).at("write", &self.file)?;
        self.tail += 1;
        file.seek(SeekFrom::Start(0)).at("write", &self.file)?;
        file.write_all(&self.head()).at("write", &self.file)
    }
}

fn record(memory: &Memory) -> [u8; 16] {
    memory.hash.digest()[..16].try_into().expect("because a digest has 32 bytes")
}

fn folder_time(folder: &Path) -> i128 {
    fs::metadata(folder)
        .map_or(0, |meta| i128::from(meta.mtime()) * 1_000_000_000 + i128::from(meta.mtime_nsec()))
}
