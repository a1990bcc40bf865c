//! What co wrote into agents' files on this machine, so that it can be removed again.
//!
//! Invariant: in `local/`, never synced, readable by the user alone. Without the record an
//! uninstall still works, but may not restore every byte.

use crate::agents::{part::Part, splice::Splice};
use crate::machine::{Context, SystemError, files, record};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Record {
    pub entries: Vec<InstalledPart>,
}

/// One part in one file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct InstalledPart {
    /// With symlinks resolved.
    pub file: PathBuf,
    pub part: Part,
    /// The agents that use it: some files are read by several.
    pub agents: Vec<String>,
    pub splice: Splice,
    /// Whether the file was created for it.
    pub created: bool,
    /// Folders that were created for it, innermost first.
    pub folders: Vec<PathBuf>,
}

impl Record {
    pub fn read(context: &Context) -> Record {
        record::read(&file(context)).unwrap_or_default()
    }

    pub fn write(&self, context: &Context) -> Result<(), SystemError> {
        let file = file(context);
        if self.entries.is_empty() {
            return files::discard(&file);
        }
        record::write(&file, self)
    }

    pub fn find(&self, file: &Path, part: Part) -> Option<&InstalledPart> {
        self.entries.iter().find(|entry| entry.file == file && entry.part == part)
    }
}

fn file(context: &Context) -> PathBuf {
    context.config_dir.join("local").join("agents.json")
}
