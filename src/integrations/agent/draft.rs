//! Drafts of changes to agents' files, and how they are written.
//!
//! Invariant: all or nothing: if one file cannot be written, those before it are restored. Symlinks
//! stay symlinks; a file that changed since it was read is not overwritten, and a read-only file is
//! left alone.

use super::{AgentError, record::Record};
use crate::identity::{Blob, FileChange};
use crate::machine::{
    Context, files,
    lock::{self, Lock},
    oplog::OpVerb,
};
use crate::workspace::{
    Error, Workspace,
    transaction::{self, TransactionError},
};
use serde::{Serialize, Serializer};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Duration,
};

/// Limit on chains of symlinks, so that a loop ends.
const MAX_LINKS: usize = 40;
/// How long to wait for another co that holds the lock.
const WAIT: Duration = Duration::from_secs(10);

/// The path of a file, and where it leads.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LinkedPath {
    /// The path that the agent uses.
    pub file: PathBuf,
    /// With all symlinks resolved.
    #[serde(skip)]
    pub target: PathBuf,
}

/// The text of one side of a planned change; empty for a file that does not, or shall not, exist.
pub fn text_of(side: &Option<Blob>) -> &str {
    side.as_deref().map_or("", |bytes| {
        std::str::from_utf8(bytes).expect("because it was read, or made, as text")
    })
}

/// The planned texts so far: several parts may go into one file.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    files: BTreeMap<PathBuf, FileChange<LinkedPath>>,
}

impl Draft {
    /// The planned text of a file so far, and its path with symlinks resolved.
    pub fn open(&mut self, context: &Context, file: &Path) -> Result<(PathBuf, String), Error> {
        let target = real(file);
        refuse_odd(context, file, &target)?;
        if let Some(edit) = self.files.get(&target) {
            return Ok((target, text_of(&edit.after).to_owned()));
        }
        let before = files::read_text(&target)?.map(Blob::from);
        if files::is_read_only(&target) {
            return Err(AgentError::ReadOnly { file: context.shown(file) }.into());
        }
        if files::is_of_another(&target) {
            return Err(AgentError::OtherOwner { file: context.shown(file) }.into());
        }
        let text = text_of(&before).to_owned();
        let path = LinkedPath { file: file.to_owned(), target: target.clone() };
        let edit = FileChange { path, after: before.clone(), before };
        self.files.insert(target.clone(), edit);
        Ok((target, text))
    }

    pub fn set(&mut self, target: &Path, after: Option<String>) {
        if let Some(edit) = self.files.get_mut(target) {
            edit.after = after.map(Blob::from);
        }
    }

    pub fn was_there(&self, target: &Path) -> bool {
        self.files.get(target).is_some_and(|edit| edit.before.is_some())
    }

    pub fn edits(self) -> Vec<FileChange<LinkedPath>> {
        self.files.into_values().filter(|edit| edit.before != edit.after).collect()
    }
}

/// Refuses paths that cannot become a file.
fn refuse_odd(context: &Context, file: &Path, target: &Path) -> Result<(), Error> {
    let is_odd = |path: &&Path| files::exists(path) && !files::is_dir(path);
    if let Some(odd) = target.ancestors().skip(1).find(is_odd) {
        return Err(
            AgentError::NoFolder { path: context.shown(odd), file: context.shown(file) }.into()
        );
    }
    Ok(())
}

/// The path with symlinks resolved, even if the file does not exist yet.
pub fn real(file: &Path) -> PathBuf {
    real_behind(file, MAX_LINKS)
}

fn real_behind(file: &Path, links: usize) -> PathBuf {
    let behind = files::link_target(file).filter(|_| links > 0 && !files::is_there(file));
    if let Some(behind) = behind {
        return real_behind(&behind, links - 1);
    }
    if files::exists(file) {
        return files::resolve(file);
    }
    match (file.parent(), file.file_name()) {
        (Some(folder), Some(name)) if folder != file => real_behind(folder, links).join(name),
        _ => file.to_owned(),
    }
}

/// The folders that have to be created for a file, innermost first.
pub fn missing_folders(file: &Path) -> Vec<PathBuf> {
    let above = file.ancestors().skip(1).take_while(|folder| !files::exists(folder));
    above.map(Path::to_owned).collect()
}

/// Held while agents' files change: the record is read, changed and rewritten as a whole.
pub fn lock(context: &Context, read: &Record) -> Result<Lock, Error> {
    let folder = context.config_dir.join("local");
    files::make_dir(&folder)?;
    let lock = lock::folder(&folder, WAIT)?;
    if Record::read(context) != *read {
        return Err(TransactionError::Changed {
            what: "the record of connected agents".to_owned(),
        }
        .into());
    }
    Ok(lock)
}

/// Fails if a file has changed since it was read.
pub fn refuse_changed(context: &Context, edits: &[FileChange<LinkedPath>]) -> Result<(), Error> {
    for edit in edits {
        if files::read_text(&edit.path.target)?.map(Blob::from) != edit.before {
            return Err(TransactionError::Changed { what: context.shown(&edit.path.file) }.into());
        }
    }
    Ok(())
}

/// Writes the record first, then the files: after a kill in between, the record may list files that
/// do not exist, which an uninstall skips. `what` is for the log.
pub fn carry_out(
    ws: &Workspace,
    (verb, what): (OpVerb, &str),
    edits: &[FileChange<LinkedPath>],
    record: &Record,
) -> Result<(), Error> {
    let before = Record::read(ws);
    record.write(ws)?;
    let folders: Vec<PathBuf> =
        edits.iter().flat_map(|edit| missing_folders(&edit.path.target)).collect();
    let changes: Vec<FileChange<PathBuf>> =
        edits.iter().map(|edit| edit.to(edit.after.clone())).collect();
    transaction::write_machine_files(ws, verb, what, &changes).inspect_err(|_| {
        folders.iter().for_each(|folder| files::remove_empty(folder));
        let _ = before.write(ws);
    })
}

impl FileChange<LinkedPath> {
    /// The change of the file itself to this text.
    pub(super) fn to(&self, after: Option<Blob>) -> FileChange<PathBuf> {
        FileChange { path: self.path.target.clone(), before: self.before.clone(), after }
    }
}

/// Without its texts, which may contain others' keys.
impl Serialize for FileChange<LinkedPath> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.path.serialize(serializer)
    }
}
