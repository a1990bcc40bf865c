//! The only way to write: record in the log → write → close the record, or retract it if nothing
//! was written.
//!
//! Invariant: no other module changes a file of an identity, a project, an agent or a
//! repository (enforced by `tests/architecture.rs`). A record and the bytes it needs are in the log
//! before the first file changes; a file is changed only if it still has the planned content. The
//! verb is passed through to the log and never inspected.

mod abandoned;
mod error;
pub mod file_writer;
mod machine_files;
mod moved;
mod placed_skills;
mod unrecorded;

use super::{Error, Progress, Workspace};
use crate::git::IgnoreRule;
use crate::identity::{Blob, FileChange, RelPath, Snapshot};
use crate::index::{
    BeforeWrite,
    store::{Scope, Store, Writing},
};
use crate::machine::{
    Context, SystemError, boot, files,
    oplog::{Flush, OpVerb, OpenOperation, Operation},
};
use crate::merge::ChangeSet;
pub use machine_files::write_machine_files;
pub use moved::{FolderMove, move_folder, move_state, resumed};
pub use placed_skills::{PlacedAs, place_skill, take_skill_away};
pub use unrecorded::{
    Put, Unrecorded, put, rename_folder, take_away, write_each, write_unrecorded,
};

pub use error::TransactionError;
use std::{collections::BTreeSet, path::Path};

/// An operation to be carried out in one store.
pub struct Transaction<'a> {
    ws: &'a Workspace,
    store: &'a Store,
    operation: Operation,
    is_repair: bool,
}

/// Whether the write was recorded in the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recorded {
    Yes,
    /// The log could not be written. Only additions go ahead then; they cannot be undone.
    No,
}

/// The right to write in one store: its lock, until this is dropped.
pub struct Write<'a> {
    pub ws: &'a Workspace,
    pub store: &'a Store,
    _lock: Writing,
}

impl Write<'_> {
    /// An operation to be recorded and carried out.
    pub fn operation(&self, verb: OpVerb, what: impl Into<String>) -> Transaction<'_> {
        Transaction::new(self.ws, self.store, verb, what)
    }
}

impl Workspace {
    /// Waits for another co that is writing in the store.
    pub fn write<'a>(&'a self, store: &'a Store) -> Result<Write<'a>, Error> {
        self.refuse_read_only(store)?;
        let lock = store.lock()?;
        // Others may have written while this one waited.
        self.forget_compared();
        Ok(Write { ws: self, store, _lock: lock })
    }

    /// As [`Workspace::write`], in a call that looked up just before what it changes: if no other
    /// co was writing, it looks again only whether one wrote in between.
    pub fn write_found<'a>(&'a self, store: &'a Store) -> Result<Write<'a>, Error> {
        self.refuse_read_only(store)?;
        let lock = store.lock()?;
        if lock.is_at_once() {
            self.doubt_compared();
        } else {
            self.forget_compared();
        }
        Ok(Write { ws: self, store, _lock: lock })
    }

    /// Logs an operation that changed no file of the store. A log failure loses only the entry.
    pub fn note_operation(&self, store: &Store, verb: OpVerb, what: impl Into<String>) {
        let transaction = Transaction::new(self, store, verb, what);
        if let Ok(begun) = transaction.begin(&ChangeSet::default(), Flush::Later) {
            let _ = begun.commit();
        }
    }
}

/// Whether there is a `.gitignore` file in a folder above a file.
fn has_rules(root: &Path, path: &RelPath) -> bool {
    let folders = std::iter::successors(Path::new(path.as_str()).parent(), |path| path.parent());
    folders.into_iter().any(|folder| files::exists(&root.join(folder).join(".gitignore")))
}

impl<'a> Transaction<'a> {
    fn new(
        ws: &'a Workspace,
        store: &'a Store,
        verb: OpVerb,
        what: impl Into<String>,
    ) -> Transaction<'a> {
        let project = store.is_part().then(|| store.shown.clone());
        let caller = ws.caller.as_ref();
        let operation = Operation {
            project,
            client: caller.map(|caller| caller.client.clone()),
            session: caller.map(|caller| caller.session.clone()).filter(|name| !name.is_empty()),
            ..Operation::new(verb, what, ws.now())
        };
        Transaction { ws, store, operation, is_repair: false }
    }

    /// Marks a change that writes what was here before, which no rule may stop.
    pub fn repairing(mut self) -> Self {
        self.is_repair = true;
        self
    }

    /// Marks this operation as the undo of `op`.
    pub fn undoing(mut self, op: u64) -> Self {
        self.operation.undoes = Some(op);
        self
    }

    /// Also marks this operation as the undo of these older ones.
    pub fn also_undoing(mut self, ops: &[u64]) -> Self {
        self.operation.also_undoes = ops.to_vec();
        self
    }

    /// Carries out a change to some files.
    pub fn apply(self, change: &ChangeSet) -> Result<(), Error> {
        let changed = |file: &&FileChange| file.before != file.after;
        let change = ChangeSet::of(change.files.iter().filter(changed).cloned().collect());
        let side = |pick: fn(&FileChange) -> &Option<Blob>| -> Snapshot {
            let files = change.files.iter();
            files.filter_map(|file| Some((file.path.clone(), pick(file).clone()?))).collect()
        };
        let (read, wanted) = (side(|file| &file.before), side(|file| &file.after));
        self.recorded(&change, (&read, &wanted), &|_, _| {})
    }

    /// Writes the differences between the files as read and as wanted.
    pub fn apply_between(
        self,
        read: &Snapshot,
        wanted: &Snapshot,
        progress: &Progress<'_>,
    ) -> Result<(), Error> {
        self.recorded(&ChangeSet::between(read, wanted), (read, wanted), progress)
    }

    fn recorded(
        self,
        change: &ChangeSet,
        sides: (&Snapshot, &Snapshot),
        progress: &Progress<'_>,
    ) -> Result<(), Error> {
        // A no-op is not logged: there would be nothing to undo.
        if change.is_empty() {
            return Ok(());
        }
        self.refuse_links(change)?;
        self.refuse_ignored(change)?;
        let begun = self.begin(change, Flush::Now)?;
        self.carry_out(begun, change, sides, progress)
    }

    /// Creates files, even if the log cannot be written.
    pub fn apply_adding(self, change: &ChangeSet) -> Result<Recorded, Error> {
        self.refuse_links(change)?;
        self.refuse_ignored(change)?;
        let after = change.files.iter();
        let after: Snapshot =
            after.filter_map(|file| Some((file.path.clone(), file.after.clone()?))).collect();
        let (nothing, progress) = (Snapshot::default(), &|_, _| {});
        if let Ok(begun) = self.begin(change, Flush::Later) {
            self.carry_out(begun, change, (&nothing, &after), progress)?;
            return Ok(Recorded::Yes);
        }
        self.ws.forget_compared();
        file_writer::write_files(&self.store.root, &nothing, &after, progress)?;
        Ok(Recorded::No)
    }

    fn begin(&self, change: &ChangeSet, flush: Flush) -> Result<OpenOperation, Error> {
        boot::mark_first(self.ws, &self.ws.identity_place().state);
        let log = self.store.log();
        log.begin(self.operation.clone(), &change.files, flush)
            .map_err(|error| unrecordable(self.ws, &log.folder(), error))
    }

    fn carry_out(
        &self,
        begun: OpenOperation,
        change: &ChangeSet,
        (read, wanted): (&Snapshot, &Snapshot),
        progress: &Progress<'_>,
    ) -> Result<(), Error> {
        let (root, mut reached) = (&self.store.root, BTreeSet::new());
        self.ws.forget_compared();
        let index = BeforeWrite::look(self.store, self.ws, &change.files);
        let written = file_writer::write_and_tell(root, read, wanted, progress, &mut reached);
        if written.is_err() && self.is_taken_back(change, &reached) {
            // If that fails as well, the next co finds that nothing was done.
            let _ = begun.retract();
        } else {
            // A partial write can be undone as well.
            let _ = begun.commit();
        }
        if let (Ok(()), Some(index)) = (&written, index) {
            index.done();
        }
        written
    }

    /// Reverts what a change wrote before it failed. Files that it did not reach stay as somebody
    /// else left them.
    fn is_taken_back(&self, change: &ChangeSet, reached: &BTreeSet<RelPath>) -> bool {
        let files = change.files.iter().filter(|file| reached.contains(&file.path));
        let is_written = |file: &&FileChange| {
            file.before != file.after && holds(self.store, &file.path, file.after.as_ref())
        };
        let (mut read, mut wanted) = (Snapshot::default(), Snapshot::default());
        for file in files.clone().filter(is_written) {
            read.set(&file.path, file.after.as_ref());
            wanted.set(&file.path, file.before.as_ref());
        }
        let _ = file_writer::write_files(&self.store.root, &read, &wanted, &|_, _| {});
        is_as_before(self.store, files)
    }

    /// A new file that the identity's own rules ignore would never reach another laptop.
    fn refuse_ignored(&self, change: &ChangeSet) -> Result<(), Error> {
        if self.is_repair || self.store.scope != Scope::Identity {
            return Ok(());
        }
        let is_new = |file: &&FileChange| file.before.is_none() && file.after.is_some();
        let new = change.files.iter().filter(is_new).map(|file| &file.path);
        let new: Vec<&RelPath> = new.filter(|path| has_rules(&self.store.root, path)).collect();
        // Usually there is no rule, and no repository has to be opened.
        if new.is_empty() {
            return Ok(());
        }
        let repo = self.ws.repo()?;
        let kept = repo.map(|repo| repo.kept_back(new)).transpose()?;
        let Some((path, rule)) = kept.into_iter().flatten().next() else { return Ok(()) };
        let IgnoreRule { file, line, pattern } = rule;
        let (path, file) = (path.to_string(), self.ws.shown(&file));
        Err(TransactionError::Ignored { path, file, line, pattern }.into())
    }

    fn refuse_links(&self, change: &ChangeSet) -> Result<(), Error> {
        change.files.iter().try_for_each(|file| self.store.refuse_link(self.ws, &file.path))
    }
}

fn holds(store: &Store, path: &RelPath, blob: Option<&Blob>) -> bool {
    let there = files::read(&store.root.join(path.as_str())).ok().flatten();
    there.as_deref() == blob.map(|blob| &**blob)
}

/// Whether each of these files still, or again, has its content from before.
fn is_as_before<'a>(store: &Store, mut change: impl Iterator<Item = &'a FileChange>) -> bool {
    change.all(|file| holds(store, &file.path, file.before.as_ref()))
}

fn unrecordable(context: &Context, log: &Path, source: SystemError) -> Error {
    TransactionError::Unrecordable { log: context.shown(log), source }.into()
}

impl Store {
    /// Refuses to write or delete through a symlinked folder, or, in a project, through a symlink
    /// that leaves it.
    pub fn refuse_link(&self, context: &Context, path: &RelPath) -> Result<(), Error> {
        let at = self.root.join(path.as_str());
        let leaves = self.refuses_links() && self.leads_out(&at);
        let link = files::link_on_the_way(&self.root, path.folder()).or(leaves.then_some(at));
        let Some(link) = link else { return Ok(()) };
        Err(TransactionError::Link { path: context.shown(&link) }.into())
    }
}
