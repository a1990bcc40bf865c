//! The identity's folder moves as a whole: files, repository, settings and operation log.
//!
//! Invariant: the operation, and a mark in `local/`, are on disk before anything moves. What a
//! killed co left half-done, the next command finishes, or takes back if the folder is still in its
//! old place.

use super::{Error, Transaction};
use crate::git;
use crate::index::CallState;
use crate::machine::{
    Context, SystemError,
    context::Layering,
    files, lock, moving,
    oplog::{Carried, Flush, Log, MovedFolder, OpVerb},
    record,
};
use crate::merge::ChangeSet;
use crate::workspace::{Workspace, config, recognise};
use serde::{Deserialize, Serialize};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

/// A move to be carried out.
pub struct FolderMove<'a> {
    pub verb: OpVerb,
    /// For the log.
    pub what: &'a str,
    pub moved: &'a MovedFolder,
    /// The operation that it undoes.
    pub undoes: Option<u64>,
}

/// What a move has begun; its file is there until it is done.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Mark {
    op: u64,
    moved: MovedFolder,
}

/// How long to wait for a running sync.
const WAIT: Duration = Duration::from_secs(10);

fn local(context: &Context) -> PathBuf {
    context.config_dir.join("local")
}

impl Mark {
    fn file(context: &Context) -> PathBuf {
        local(context).join("moving.json")
    }

    fn write(&self, context: &Context) -> Result<(), SystemError> {
        let bytes = serde_json::to_vec(self).expect("because a mark is plain data");
        files::write_private(&Mark::file(context), &bytes)?;
        files::bring_to_disk(&Mark::file(context))
    }

    fn read(context: &Context) -> Option<Mark> {
        record::read(&Mark::file(context))
    }

    fn remove(context: &Context) {
        let _ = files::discard(&Mark::file(context));
    }
}

/// Moves the folder, and returns sentences on what could not follow. If the folder cannot be moved,
/// everything is as before.
pub fn move_folder(ws: &Workspace, wanted: &FolderMove<'_>) -> Result<Vec<String>, Error> {
    let store = ws.identity()?;
    files::make_dir(&local(ws))?;
    let _only_one = lock::folder(&local(ws), WAIT)?;
    let _no_sync = lock::folder(&store.root, WAIT)?;
    let writing = store.lock()?;
    let mut transaction = Transaction::new(ws, store, wanted.verb.clone(), wanted.what);
    transaction.operation.moved = Some(wanted.moved.clone());
    transaction.operation.undoes = wanted.undoes;
    let begun = transaction.begin(&ChangeSet::default(), Flush::Now)?;
    let mark = Mark { op: begun.op, moved: wanted.moved.clone() };
    let moved = mark.write(ws).and_then(|()| moving::folder(&wanted.moved.from, &wanted.moved.to));
    if let Err(error) = moved {
        let _ = begun.retract();
        Mark::remove(ws);
        return Err(error.into());
    }
    let _ = begun.commit();
    // The mark would move along. The lock stays until nothing is left in the old folder: what
    // another process saved there meanwhile would not be in the new one.
    writing.unmark();
    finish(ws, wanted.moved)
}

/// What remains once the folder is in its new place; each step may be repeated.
fn finish(context: &Context, moved: &MovedFolder) -> Result<Vec<String>, Error> {
    match &moved.link {
        Some(link) => moving::relink(link, &moved.to)?,
        None => config::put_place(context, moved.setting[1].as_deref())?,
    }
    move_state(context, &moved.from, &moved.to)?;
    let mut said = Vec::new();
    said.extend(moving::remove_copied(&moved.from, &moved.to).err().map(|e| e.to_string()));
    match git::follow_folder(&moved.from, &moved.to) {
        Ok(left) => said.extend(left),
        Err(error) => said.push(error.to_string()),
    }
    Mark::remove(context);
    Ok(said)
}

/// The caches and the operation log move along, so that undo still works.
pub fn move_state(context: &Context, from: &Path, to: &Path) -> Result<(), Error> {
    CallState::of(context).call.close_idle();
    let (old, new) = (context.state_dir(from), context.state_dir(to));
    if old == new || !files::exists(&old) {
        return Ok(());
    }
    // Of an identity that was there before.
    if files::exists(&new) {
        let name = |number: u32| PathBuf::from(format!("{}.{number}", new.display()));
        let free = (1..).map(name).find(|name| !files::exists(name));
        files::rename_private(&new, &free.expect("because numbers do not end"))?;
    }
    Ok(files::rename_private(&old, &new)?)
}

/// Whether the new folder has the whole identity, and nothing in the old one is newer. A file that
/// something else put there, such as a file manager, is no sign of a move.
fn has_arrived(context: &Context, moved: &MovedFolder) -> bool {
    let holds_one = |folder: &Path| recognise::is_identity(folder) || git::is_repository(folder);
    let is_used = || context.identity.resolved == moved.to;
    let is_all = || !holds_one(&moved.from) || moving::is_within(&moved.from, &moved.to);
    holds_one(&moved.to) && (is_used() || is_all())
}

/// What a move that was cut off has come to.
pub(super) fn carried(context: &Context, moved: &MovedFolder) -> Carried {
    if has_arrived(context, moved) { Carried::Out } else { Carried::Nothing }
}

/// Ends a move that a killed co had begun; the context as it is then.
pub fn resumed(context: Context) -> Context {
    // A layer that a person named stays what this call is about.
    if context.layering != Layering::ByPlace || !files::exists(&Mark::file(&context)) {
        return context;
    }
    // Another process is moving it.
    let Ok(_lock) = lock::folder(&local(&context), Duration::ZERO) else { return context };
    let Some(Mark { op, moved }) = Mark::read(&context) else {
        Mark::remove(&context);
        return context;
    };
    let done = carried(&context, &moved);
    let _ = Log::at(&context.state_dir(&moved.from)).settle(op, done);
    if done == Carried::Out {
        // If that fails, the next command tries again.
        let _ = finish(&context, &moved);
    } else {
        moving::discard_copy(&moved.to);
        Mark::remove(&context);
    }
    let again = context.anew(None);
    again.unwrap_or(context)
}
