//! In which folders of agents co places skills, and what it placed where links do not work.
//!
//! Invariant: in `local/`, never synced, readable by the user alone. A link into the agreed copies
//! is one of co's without any record.

use crate::machine::{Context, SystemError, files, record};
use crate::workspace::skills;
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Record {
    /// The identity whose skills are placed.
    pub(super) identity: PathBuf,
    pub(super) roots: Vec<Root>,
    pub(super) copies: Vec<CopiedSkill>,
    /// The names that the identity itself had, not one of its layers.
    #[serde(default)]
    pub(super) own: BTreeSet<String>,
}

/// A folder in which agents look for skills.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Root {
    pub(super) folder: PathBuf,
    /// The agents that read it.
    pub(super) agents: Vec<String>,
    /// Folders that were created for it, innermost first.
    pub(super) made: Vec<PathBuf>,
}

/// A copy in place of a link.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct CopiedSkill {
    pub(super) at: PathBuf,
    /// Of the skill as it was copied.
    pub(super) hash: String,
}

impl Record {
    pub(super) fn read(context: &Context) -> Record {
        record::read(&file(context)).unwrap_or_default()
    }

    pub(super) fn write(&self, context: &Context) -> Result<(), SystemError> {
        let file = file(context);
        if self.roots.is_empty() {
            return files::discard(&file);
        }
        record::write(&file, self)
    }

    pub(super) fn copy_at(&self, at: &Path) -> Option<&CopiedSkill> {
        self.copies.iter().find(|copy| copy.at == at)
    }

    /// Whether co placed what is there; a link that leads elsewhere is somebody's instead of a
    /// copy.
    pub(super) fn is_ours(&self, context: &Context, at: &Path) -> bool {
        let is_copy = || files::is_dir(at) && !files::is_link(at) && self.copy_at(at).is_some();
        is_our_link(context, at) || is_copy()
    }
}

/// Whether it is a link to an agreed copy, which may be gone.
pub(super) fn is_our_link(context: &Context, at: &Path) -> bool {
    files::is_link(at)
        && files::link_target(at).is_some_and(|target| skills::is_copy(context, &target))
}

fn file(context: &Context) -> PathBuf {
    context.config_dir.join("local").join("skills.json")
}
