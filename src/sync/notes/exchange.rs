//! Synchronizes one folder of an agent with the identity.
//!
//! Invariant: see [`super`]. If all notes of one side, or most of many at once, are gone without a
//! sign that this was meant, they come back. What an agent rewrote at once is one operation.
//! Nothing is touched while the agent rewrites its notes.

use super::{
    folder::Notes,
    index,
    last_exchange::LastExchange,
    places::NotesFolder,
    report::{Exchanged, Withheld},
    rewritten,
};
use crate::identity::{Blob, FileChange, RelPath, Snapshot, Stamp, kind::NOTES, note::INDEX};
use crate::index::store::Store;
use crate::machine::{
    Context,
    context::Caller,
    files,
    oplog::{OpVerb, Operation},
    program,
};
use crate::merge::{ChangeSet, Policy, merge};
use crate::workspace::{
    Error, Workspace,
    transaction::{self, Unrecorded},
};
use std::path::{Path, PathBuf};

/// An older lock was left behind by a program that ended.
const LOCKED_FOR: i64 = 60 * 60 * Stamp::SECOND;

/// What an exchange would do.
pub fn preview(ws: &Workspace, store: &Store, own: &Path, place: &NotesFolder) -> Exchanged {
    let mut planned = nothing_of(place);
    let exchange = Exchange::read(ws, store, own, place, &mut planned);
    (planned.taken, planned.deleted) = counted(&exchange.for_identity());
    (planned.brought, planned.removed) = counted(&exchange.for_folder());
    planned.rewritten = exchange.count_rewritten();
    planned.trouble = is_locked(ws, place).then(|| rewriting(place));
    if files::is_dir(&place.folder) && !files::can_be_listed(&place.folder) {
        planned.trouble = Some("the folder cannot be read".to_owned());
    }
    planned
}

fn nothing_of(place: &NotesFolder) -> Exchanged {
    Exchanged {
        agent: place.agent.name,
        title: place.agent.title,
        kept: place.kept,
        project: place.project.shown(),
        short: place.project.short().to_owned(),
        folder: place.folder.clone(),
        is_here: place.is_here,
        notes: 0,
        wrote: false,
        arrived: Vec::new(),
        brought: 0,
        removed: 0,
        taken: 0,
        deleted: 0,
        rewritten: 0,
        operation: None,
        both: Vec::new(),
        unlisted: Vec::new(),
        withheld: Vec::new(),
        trouble: None,
    }
}

fn rewriting(place: &NotesFolder) -> String {
    format!("{} is rewriting them; the next sync will pick them up", place.agent.title)
}

pub fn exchange(ws: &Workspace, store: &Store, own: &Path, place: &NotesFolder) -> Exchanged {
    let mut done = nothing_of(place);
    if is_locked(ws, place) {
        return Exchanged { trouble: Some(rewriting(place)), ..done };
    }
    if files::is_dir(&place.folder) {
        if !files::can_be_listed(&place.folder) {
            let why = "the folder cannot be read".to_owned();
            return Exchanged { trouble: Some(why), ..done };
        }
        files::remove_staged(&place.folder);
    }
    if let Err(error) = Exchange::read(ws, store, own, place, &mut done).carry_out(ws, &mut done) {
        done.trouble = Some(error.to_string());
    }
    done
}

fn is_locked(context: &Context, place: &NotesFolder) -> bool {
    let Some(kept) = &place.agent.writes.notes else { return false };
    let lock = place.folder.join(kept.lock);
    let is_fresh = |since: Stamp| since.plus(LOCKED_FOR) > context.now();
    if !files::mtime(&lock).is_some_and(is_fresh) {
        return false;
    }
    // The lock file may outlive its process; it contains the process id.
    let holder = files::read_text(&lock).ok().flatten().unwrap_or_default();
    holder.trim().parse().is_ok_and(program::is_running)
}

struct Exchange<'a> {
    store: &'a Store,
    place: &'a NotesFolder,
    prefix: String,
    seen: LastExchange,
    /// The agent's folder, the identity, and the result for both.
    mine: Snapshot,
    theirs: Snapshot,
    merged: Snapshot,
    /// The notes that take part, as of the last exchange.
    before: Snapshot,
}

impl<'a> Exchange<'a> {
    fn read(
        ws: &Workspace,
        store: &'a Store,
        own: &Path,
        place: &'a NotesFolder,
        done: &mut Exchanged,
    ) -> Exchange<'a> {
        let prefix = format!("{NOTES}{}/{}/", place.kept, place.project);
        let seen = LastExchange::of(own, &place.folder);
        let mine = Notes::of_agent(&place.folder, &prefix);
        let theirs = Notes::below(&store.root, &prefix);
        for notes in [&mine, &theirs] {
            done.withheld.extend(notes.apart.iter().map(|(path, why)| Withheld {
                file: path.as_str()[prefix.len()..].to_owned(),
                why: why.clone(),
            }));
        }
        done.withheld.dedup();
        let takes_part = |path: &RelPath, _: &Blob| !mine.is_apart(path) && !theirs.is_apart(path);
        let before = seen.read(&prefix).only(takes_part);
        // Notes that were lost or replaced on one side come back.
        let is_lost = rewritten::lost_by_agent(&before, &mine.snapshot)
            || rewritten::lost_in_identity(ws, store, &before, &theirs.snapshot);
        let base = if is_lost { Snapshot::default() } else { before.clone() };
        let index = RelPath::known(&format!("{prefix}{INDEX}"));
        let has_index = takes_part(&index, &Blob::from(Vec::new()));
        let (mine, theirs) = (mine.snapshot.only(takes_part), theirs.snapshot.only(takes_part));
        let mut merged = merge(Some(&base), &mine, &theirs, Policy::Sync).snapshot;
        let is_both = |path: &&RelPath| {
            let [was, here, there] = [&base, &mine, &theirs].map(|side| side.get(path));
            path.name() != INDEX && here != there && here != was && there != was
        };
        let both = mine.paths().filter(is_both);
        done.both.extend(both.map(|path| path.as_str()[prefix.len()..].to_owned()));
        if let (true, Some(kept)) = (has_index, &place.agent.writes.notes) {
            let sides = [&base, &mine, &theirs];
            done.unlisted = index::settle(&prefix, sides, &mut merged, kept.index);
        }
        done.notes = merged.paths().filter(|path| path.name() != INDEX).count();
        Exchange { store, place, prefix, seen, mine, theirs, merged, before }
    }

    fn carry_out(&self, ws: &Workspace, done: &mut Exchanged) -> Result<(), Error> {
        let (into_identity, into_folder) = (self.for_identity(), self.for_folder());
        if !into_identity.is_empty() {
            done.rewritten = self.count_rewritten();
            self.write_identity(ws, done.rewritten)?;
            done.wrote = true;
            (done.taken, done.deleted) = counted(&into_identity);
            if done.rewritten > 0 {
                let operations = self.store.log().operations().unwrap_or_default();
                done.operation = operations.last().map(Operation::handle);
            }
        }
        let failed = self.write_folder(&into_folder.files);
        let is_failed = |path: &RelPath| failed.iter().any(|(held, _)| held == path);
        for path in self.before.paths().chain(self.merged.paths()) {
            let blob = self.merged.get(path);
            if blob != self.before.get(path) && !is_failed(path) {
                self.seen.set(path, blob);
            }
        }
        let written = into_folder.files.iter().filter(|file| !is_failed(&file.path));
        let written = ChangeSet::of(written.cloned().collect());
        (done.brought, done.removed) = counted(&written);
        let come = written.files.iter().filter(|file| is_note(file) && file.after.is_some());
        done.arrived =
            come.map(|file| file.path.as_str()[self.prefix.len()..].to_owned()).collect();
        if let Some((path, why)) = failed.first() {
            let name = &path.as_str()[self.prefix.len()..];
            let more = match failed.len() - 1 {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let is_folder = files::is_dir(&self.place.folder.join(name));
            let why = if is_folder { "there is a folder with that name" } else { why };
            done.trouble = Some(format!("{name}{more} could not be written: {why}"));
        }
        Ok(())
    }

    fn for_identity(&self) -> ChangeSet {
        ChangeSet::between(&self.theirs, &self.merged)
    }

    fn for_folder(&self) -> ChangeSet {
        ChangeSet::between(&self.mine, &self.merged)
    }

    /// How many notes the agent changed or deleted at once, if these were many.
    fn count_rewritten(&self) -> usize {
        let change = self.for_identity();
        let changed = change.files.iter().filter(|file| is_note(file) && file.before.is_some());
        let count = changed.count();
        let all = self.theirs.paths().filter(|path| path.name() != INDEX).count();
        if rewritten::are_many(count, all) { count } else { 0 }
    }

    fn write_identity(&self, ws: &Workspace, rewritten: usize) -> Result<(), Error> {
        let client = self.place.agent.name.to_owned();
        let session = ws.caller.as_ref().map(|caller| caller.session.clone());
        let caller = Caller { client, session: session.unwrap_or_default() };
        let ws = &ws.for_caller(caller);
        let write = ws.write(self.store)?;
        let mut what = format!("of {} on {}", self.place.agent.title, self.place.project.short());
        if rewritten > 0 {
            what += &format!(", {rewritten} rewritten at once");
        }
        let transaction = write.operation(OpVerb::Notes, what);
        transaction.apply_between(&self.theirs, &self.merged, &|_, _| {})
    }

    /// Returns the notes that could not be written, and why.
    fn write_folder(&self, changes: &[FileChange]) -> Vec<(RelPath, String)> {
        let below = |path: &RelPath| self.place.folder.join(&path.as_str()[self.prefix.len()..]);
        let there = |file: &FileChange| {
            let FileChange { path, before, after } = file.clone();
            FileChange { path: below(&path), before, after }
        };
        let files: Vec<FileChange<PathBuf>> = changes.iter().map(there).collect();
        let outcomes = transaction::write_each(Unrecorded::AgentsCopy, &files);
        let failed = changes.iter().zip(outcomes);
        failed.filter_map(|(file, outcome)| Some((file.path.clone(), outcome.err()?))).collect()
    }
}

fn is_note(file: &FileChange) -> bool {
    file.path.name() != INDEX
}

/// How many notes were added or changed, and how many deleted; the index is not counted.
fn counted(change: &ChangeSet) -> (usize, usize) {
    let notes = change.files.iter().filter(|file| is_note(file));
    let (come, gone): (Vec<&FileChange>, Vec<&FileChange>) =
        notes.partition(|file| file.after.is_some());
    (come.len(), gone.len())
}
