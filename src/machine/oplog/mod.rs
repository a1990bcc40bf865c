//! The operation log in `local/`: what each command changed, so that it can be undone.
//!
//! Invariant: an operation is begun before anything is written, under the log's own lock, with a
//! number that is never reused on the laptop; it is committed when it was carried out, or retracted
//! when nothing was. The log refers to bytes by their hash; they are in one file per operation,
//! which is never overwritten, and read only when needed. The log is bounded: the oldest bytes are
//! deleted first. A damaged or missing log loses the undo of what it contained, nothing else.

mod counter;
mod lines;
mod operation;
mod packed;
mod verb;

pub use operation::{LoggedFile, MovedFolder, Named, Operation, handle, parse, taken_back_already};
pub use verb::OpVerb;

use super::{
    error::{At, SystemError},
    files,
    lock::{self, Lock},
};
use crate::identity::{Blob, ContentHash, FileChange, RelPath};
use lines::HasField;
use operation::texts;
use packed::{packed, unpacked};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    path::{Path, PathBuf},
    time::Duration,
};

/// Limit for the bytes of all operations; those of the last one are always kept.
const MAX_BYTES: u64 = 64 * 1024 * 1024;
const MAX_OPERATIONS: usize = 2_000;
/// The limits are checked once per this many operations.
const EVERY: u64 = 32;
/// After an operation with more bytes than this, the limits are checked at once.
const LARGE: u64 = 1024 * 1024;
/// The log is locked only for a few small writes.
const WAIT: Duration = Duration::from_secs(20);
/// Suffix for the bytes of an uncommitted operation; its writer keeps the file locked.
const OPEN: &str = ".open";

pub fn name_of(blob: &Blob) -> String {
    ContentHash::of_bytes(blob).hex()
}

#[derive(Clone, Debug)]
pub struct Log {
    folder: PathBuf,
}

/// Whether to wait for the record to be on disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flush {
    /// For deletes and overwrites: the record survives a power cut.
    Now,
    /// For additions: they exist without the log, too.
    Later,
}

/// An operation that is being carried out. If dropped without [`OpenOperation::commit`] or
/// [`OpenOperation::retract`], it stays open, and [`Log::abandoned`] finds it.
#[derive(Debug)]
#[must_use]
pub struct OpenOperation {
    log: Log,
    pub op: u64,
    /// Locked in the kernel as long as its writer lives.
    alive: File,
}

impl OpenOperation {
    /// Marks the operation as carried out.
    pub fn commit(self) -> Result<u64, SystemError> {
        self.log.close(self.op)?;
        drop(self.alive);
        Ok(self.op)
    }

    /// Removes the record of an operation that changed nothing; its number is not reused.
    pub fn retract(self) -> Result<(), SystemError> {
        self.log.retract(self.op)
    }
}

impl Log {
    pub fn at(state: &Path) -> Log {
        Log { folder: state.join("log") }
    }

    /// The folder of the log.
    pub fn folder(&self) -> PathBuf {
        self.folder.clone()
    }

    /// The file that lists the operations.
    pub fn file(&self) -> PathBuf {
        self.folder.join("operations.jsonl")
    }

    fn bytes(&self, op: u64) -> PathBuf {
        self.folder.join(format!("{op:08}"))
    }

    fn open_bytes(&self, op: u64) -> PathBuf {
        self.folder.join(format!("{op:08}{OPEN}"))
    }

    pub fn files(&self) -> Vec<PathBuf> {
        files::names(&self.folder).into_iter().map(|name| self.folder.join(name)).collect()
    }

    /// Every text that one of its files keeps, each apart from the others, as its file had it.
    pub fn texts(&self, file: &Path) -> Vec<Blob> {
        let bytes = files::read(file).ok().flatten().unwrap_or_default();
        if *file == self.file() {
            let lines = String::from_utf8_lossy(&bytes);
            return lines.lines().flat_map(texts).map(|text| text.into_bytes().into()).collect();
        }
        let (store, rest) = packed::read(&bytes);
        store.into_values().chain([Blob::from(rest)]).collect()
    }

    fn lock(&self) -> Result<Lock, SystemError> {
        files::make_dir(&self.folder)?;
        lock::folder(&self.folder, WAIT)
    }

    /// Records an operation and its bytes before it is carried out.
    pub fn begin(
        &self,
        mut operation: Operation,
        change: &[FileChange],
        flush: Flush,
    ) -> Result<OpenOperation, SystemError> {
        let _lock = self.lock()?;
        let mut store: BTreeMap<String, &Blob> = BTreeMap::new();
        let keep = |blob: &Option<Blob>| -> Option<String> { blob.as_ref().map(name_of) };
        operation.files = change
            .iter()
            .map(|file| LoggedFile {
                path: file.path.to_string(),
                before: keep(&file.before),
                after: keep(&file.after),
            })
            .collect();
        for (file, logged) in change.iter().zip(&operation.files) {
            let sides = [(&file.before, &logged.before), (&file.after, &logged.after)];
            for (blob, name) in sides {
                if let (Some(blob), Some(name)) = (blob, name) {
                    store.insert(name.clone(), blob);
                }
            }
        }
        let (op, alive) = self.reserve()?;
        operation.op = op;
        let size: usize = store.values().map(|blob| blob.len()).sum();
        if let Err(error) = self.record(&operation, &packed(&store), flush) {
            // If its line cannot be removed, the operation stays open, and the next co finds that
            // nothing was done.
            if self.take_out(op).is_ok() {
                let _ = files::discard(&self.open_bytes(op));
            }
            return Err(error);
        }
        if op.is_multiple_of(EVERY) || size as u64 > LARGE {
            self.trim(op)?;
        }
        Ok(OpenOperation { log: self.clone(), op, alive })
    }

    /// Reserves the next number by creating its file exclusively.
    fn reserve(&self) -> Result<(u64, File), SystemError> {
        let mut op = self.last()? + 1;
        loop {
            let file = self.open_bytes(op);
            let is_free = !files::exists(&self.bytes(op));
            match is_free.then(|| files::create_private(&file)) {
                Some(Ok(Some(alive))) => {
                    super::platform::hold(&alive).at("lock", &file)?;
                    counter::write(&self.counter(), op)?;
                    return Ok((op, alive));
                }
                Some(Err(error)) => return Err(error),
                // The counter is behind: a power cut lost its last state.
                Some(Ok(None)) | None => op = op.max(self.highest()?) + 1,
            }
        }
    }

    fn record(&self, operation: &Operation, bytes: &[u8], flush: Flush) -> Result<(), SystemError> {
        let file = self.open_bytes(operation.op);
        files::append(&file, bytes)?;
        let is_new = !files::exists(&self.file());
        if flush == Flush::Now {
            files::bring_to_disk(&file)?;
        }
        let line = serde_json::to_string(operation).expect("because an operation is plain data");
        files::append_line(&self.file(), &line)?;
        match flush {
            Flush::Later => Ok(()),
            Flush::Now if is_new => files::bring_to_disk(&self.file()),
            // Its name was brought there with that of the bytes, if not before.
            Flush::Now => files::bring_content_to_disk(&self.file()),
        }
    }

    /// Rewrites the list without one operation. Under the log's lock.
    fn take_out(&self, op: u64) -> Result<(), SystemError> {
        let mut kept = self.operations()?;
        let before = kept.len();
        kept.retain(|operation| operation.op != op);
        if kept.len() < before { self.rewrite(&kept) } else { Ok(()) }
    }

    fn close(&self, op: u64) -> Result<(), SystemError> {
        let (open, bytes) = (self.open_bytes(op), self.bytes(op));
        if files::size(&open) == 0 {
            files::discard(&open)
        } else {
            files::rename_private(&open, &bytes)
        }
    }

    fn retract(&self, op: u64) -> Result<(), SystemError> {
        let _lock = self.lock()?;
        self.take_out(op)?;
        files::discard(&self.open_bytes(op))
    }

    /// Operations whose writer died before it committed or retracted them, oldest first.
    pub fn abandoned(&self) -> Result<Vec<Operation>, SystemError> {
        if !files::names(&self.folder).iter().any(|name| name.ends_with(OPEN)) {
            return Ok(Vec::new());
        }
        // A writer that has not yet locked its file holds this lock.
        let _lock = self.lock()?;
        let open: BTreeSet<u64> = files::names(&self.folder)
            .iter()
            .filter_map(|name| name.strip_suffix(OPEN)?.parse().ok())
            .filter(|op| lock::is_free(&self.open_bytes(*op)))
            .collect();
        let mut operations = self.operations()?;
        let known: BTreeSet<u64> = operations.iter().map(|operation| operation.op).collect();
        // Killed before its line was written.
        for op in open.difference(&known) {
            files::remove(&self.open_bytes(*op))?;
        }
        operations.retain(|operation| open.contains(&operation.op));
        Ok(operations)
    }

    /// Ends an operation of [`Log::abandoned`].
    pub fn settle(&self, op: u64, done: Carried) -> Result<(), SystemError> {
        match done {
            Carried::Out => self.close(op),
            Carried::Nothing => self.retract(op),
        }
    }

    fn rewrite(&self, operations: &[Operation]) -> Result<(), SystemError> {
        let line = |op: &Operation| {
            serde_json::to_string(op).expect("because an operation is plain data") + "\n"
        };
        let text: String = operations.iter().map(line).collect();
        files::write_private(&self.file(), text.as_bytes())
    }

    fn counter(&self) -> PathBuf {
        self.folder.join("last")
    }

    /// The counter avoids reading the log; without it the log is read once.
    fn last(&self) -> Result<u64, SystemError> {
        counter::read(&self.counter())?.map_or_else(|| self.highest(), Ok)
    }

    /// The last operation whose files reached this stage; `None` if no sync has recorded one.
    pub fn reached(&self, stage: Stage) -> Option<u64> {
        files::read_text(&self.folder.join(stage.file())).ok()??.trim().parse().ok()
    }

    /// A failed write only means that more is examined.
    pub fn mark(&self, stage: Stage, op: u64) {
        if self.reached(stage) != Some(op) {
            let _ =
                files::write_private(&self.folder.join(stage.file()), op.to_string().as_bytes());
        }
    }

    /// The number up to which every operation has ended.
    pub fn ended_up_to(&self) -> u64 {
        let open = files::names(&self.folder);
        let open = open.iter().filter_map(|name| name.strip_suffix(OPEN)?.parse::<u64>().ok());
        open.min().map_or_else(|| self.last().unwrap_or(0), |first| first.saturating_sub(1))
    }

    /// The highest number of any line or file.
    fn highest(&self) -> Result<u64, SystemError> {
        let line = self.operations()?.last().map_or(0, |last| last.op);
        let names = files::names(&self.folder);
        let numbers = names.iter().filter_map(|name| name.trim_end_matches(OPEN).parse().ok());
        Ok(numbers.chain([line]).max().unwrap_or(0))
    }

    /// Oldest first; unreadable lines are skipped.
    pub fn operations(&self) -> Result<Vec<Operation>, SystemError> {
        Ok(lines::read(&self.list()?, |_| true))
    }

    /// Those after this one.
    pub fn operations_after(&self, op: u64) -> Result<Vec<Operation>, SystemError> {
        Ok(lines::read_after(&self.list()?, op, |_| true))
    }

    /// Those after this one that an agent's program did, or that undo others.
    pub fn by_agents_after(&self, op: u64) -> Result<Vec<Operation>, SystemError> {
        let named = HasField::one_of(["\"client\":", "\"undoes\":", "\"also_undoes\":"]);
        Ok(lines::read_after(&self.list()?, op, |line| named.may_be_in(line)))
    }

    fn list(&self) -> Result<Vec<u8>, SystemError> {
        Ok(files::read(&self.file())?.unwrap_or_default())
    }

    /// `None` if the bytes are no longer kept.
    pub fn change(&self, operation: &Operation) -> Result<Option<Vec<FileChange>>, SystemError> {
        let bytes = match files::read(&self.bytes(operation.op))? {
            Some(bytes) => bytes,
            None => files::read(&self.open_bytes(operation.op))?.unwrap_or_default(),
        };
        let store = unpacked(&bytes);
        let blob = |name: &Option<String>| match name {
            Some(name) => store.get(name.as_str()).map(|blob| Some(blob.clone())),
            None => Some(None),
        };
        let file = |logged: &LoggedFile| {
            Some(FileChange {
                path: RelPath::new(&logged.path)?,
                before: blob(&logged.before)?,
                after: blob(&logged.after)?,
            })
        };
        Ok(operation.files.iter().map(file).collect())
    }

    /// Deletes the oldest bytes and lines beyond the limits. Under the log's lock.
    fn trim(&self, last: u64) -> Result<(), SystemError> {
        let mut kept = 0;
        for file in self.files().into_iter().rev() {
            let number = file.file_name().and_then(|name| name.to_str()?.parse::<u64>().ok());
            let Some(number) = number else { continue };
            kept += files::size(&file) as u64;
            if kept > MAX_BYTES && number != last {
                files::remove(&file)?;
            }
        }
        let list = self.list()?;
        let lines = lines::count(&list);
        if lines <= MAX_OPERATIONS {
            return Ok(());
        }
        let operations = lines::read(&list, |_| true);
        let surplus = operations.len().saturating_sub(MAX_OPERATIONS);
        if surplus > 0 || lines > 2 * MAX_OPERATIONS {
            self.rewrite(&operations[surplus..])?;
        }
        Ok(())
    }
}

/// How far a sync has brought an operation's files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    Committed,
    Published,
}

impl Stage {
    const fn file(self) -> &'static str {
        match self {
            Stage::Committed => "committed",
            Stage::Published => "published",
        }
    }
}

/// Whether an operation changed anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Carried {
    /// At least in part.
    Out,
    Nothing,
}
