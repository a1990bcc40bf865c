//! What co set up so that this laptop syncs by itself, for `co status` and to remove it again.
//!
//! Invariant: in `local/`, never synced. Without it a removal still works, but may leave an empty
//! folder, or an empty crontab, behind.

use super::{interval::Interval, scheduler::System};
use crate::identity::{ContentHash, Stamp};
use crate::machine::{Context, SystemError, files, record};
use crate::workspace::Workspace;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    pub system: System,
    /// As it is typed.
    every: String,
    pub program: PathBuf,
    pub files: Vec<PathBuf>,
    /// Folders that were created for them, innermost first.
    pub folders: Vec<PathBuf>,
    pub since: Stamp,
}

/// Of the units: each identity of this account has its own.
pub(super) fn name(ws: &Workspace) -> String {
    if ws.has_default_config_dir() && ws.is_usual_identity() {
        return "co-sync".to_owned();
    }
    let identity = if ws.is_usual_identity() { Path::new("") } else { ws.identity.path.as_path() };
    let places = format!("{}\n{}", ws.config_dir.display(), identity.display());
    format!("co-sync-{}", ContentHash::of_bytes(places.as_bytes()).short(8))
}

impl Record {
    pub fn new(system: System, every: Interval, program: &str, since: Stamp) -> Record {
        let (files, folders) = (Vec::new(), Vec::new());
        let program = PathBuf::from(program);
        Record { system, every: every.to_string(), program, files, folders, since }
    }

    pub fn every(&self) -> Option<Interval> {
        Interval::parse(&self.every).ok()
    }

    pub fn read(context: &Context, name: &str) -> Option<Record> {
        record::read(&file(context, name))
    }

    pub fn write(&self, context: &Context, name: &str) -> Result<(), SystemError> {
        record::write(&file(context, name), self)
    }

    pub fn discard(context: &Context, name: &str) -> Result<(), SystemError> {
        files::discard(&file(context, name))
    }
}

fn file(context: &Context, name: &str) -> PathBuf {
    context.config_dir.join("local").join(format!("{name}.json"))
}
