//! Files of agents as they are and as they shall be, and how they are written.
//!
//! Invariant: all or nothing: a file that cannot be written puts back those before it. Links stay
//! links; a file that changed since it was read is not overwritten; one that nobody may write is
//! left alone.

use super::record::Record;
use crate::ops::{Exit, Failure};
use crate::system::{Context, files};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// One file, before and after.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FileEdit {
    /// As an agent names it.
    pub file: PathBuf,
    /// Without links.
    #[serde(skip)]
    pub target: PathBuf,
    /// `None` for a file that is not there.
    #[serde(skip)]
    pub before: Option<String>,
    /// `None` to delete it.
    #[serde(skip)]
    pub after: Option<String>,
}

/// The texts of a plan in the making: several parts may go into one file.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    files: BTreeMap<PathBuf, FileEdit>,
}

impl Draft {
    /// The text of a file as it shall be so far, with its path without links.
    pub fn open(&mut self, context: &Context, file: &Path) -> Result<(PathBuf, String), Failure> {
        let target = real(file);
        if let Some(edit) = self.files.get(&target) {
            return Ok((target, edit.after.clone().unwrap_or_default()));
        }
        let before = files::read_text(&target)?;
        if files::is_read_only(&target) {
            let message = format!("{} is read-only", context.shown(file));
            return Err(Failure::new(Exit::Refused, message).hint(
                "make it writable, or add co by hand as `co agent install --dry-run` shows",
            ));
        }
        let text = before.clone().unwrap_or_default();
        let edit = FileEdit {
            file: file.to_owned(),
            target: target.clone(),
            after: before.clone(),
            before,
        };
        self.files.insert(target.clone(), edit);
        Ok((target, text))
    }

    pub fn set(&mut self, target: &Path, after: Option<String>) {
        if let Some(edit) = self.files.get_mut(target) {
            edit.after = after;
        }
    }

    pub fn was_there(&self, target: &Path) -> bool {
        self.files.get(target).is_some_and(|edit| edit.before.is_some())
    }

    /// The files that change.
    pub fn edits(self) -> Vec<FileEdit> {
        self.files.into_values().filter(|edit| edit.before != edit.after).collect()
    }
}

/// The path without links, also of a file that is not there yet in a folder that is a link.
pub fn real(file: &Path) -> PathBuf {
    if files::exists(file) {
        return files::resolve(file);
    }
    match (file.parent(), file.file_name()) {
        (Some(folder), Some(name)) if folder != file => real(folder).join(name),
        _ => file.to_owned(),
    }
}

/// The folders that have to be made for a file, the innermost first.
pub fn missing_folders(file: &Path) -> Vec<PathBuf> {
    let above = file.ancestors().skip(1).take_while(|folder| !files::exists(folder));
    above.map(Path::to_owned).collect()
}

/// Writes the files and then the record.
pub fn carry_out(context: &Context, edits: &[FileEdit], record: &Record) -> Result<(), Failure> {
    for edit in edits {
        if files::read_text(&edit.target)? != edit.before {
            let message = format!("{} changed since it was read", context.shown(&edit.file));
            return Err(Failure::new(Exit::Busy, message)
                .hint("nothing was changed; run the command again"));
        }
    }
    for (at, edit) in edits.iter().enumerate() {
        if let Err(failure) = write(edit, &edit.after) {
            put_back(&edits[..at]);
            return Err(failure);
        }
    }
    record.write(context).inspect_err(|_| put_back(edits))?;
    Ok(())
}

fn put_back(edits: &[FileEdit]) {
    for edit in edits.iter().rev() {
        let _ = write(edit, &edit.before);
    }
}

fn write(edit: &FileEdit, text: &Option<String>) -> Result<(), Failure> {
    match text {
        Some(text) => files::write(&edit.target, text.as_bytes())?,
        None => files::remove(&edit.target)?,
    }
    Ok(())
}
