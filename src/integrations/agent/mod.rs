//! The verbs for agents: which are here, co's part in their files, what they did here.
//!
//! Invariant: a plan with the full texts before and after comes first; an unreadable file is left
//! alone and reported. Writes are recorded, so that an uninstall restores the same bytes.

mod agent_cli;
pub mod doctor;
mod draft;
mod error;
pub mod install;
pub mod list;
mod record;
pub mod seen;
pub mod session;
mod silence;
mod trust;
pub mod uninstall;
pub mod writes;

pub use draft::{LinkedPath, text_of};

use crate::agents::{self, Agent};
use crate::machine::{Context, files};
use crate::workspace::Error;
pub use error::AgentError;
use std::path::{Path, PathBuf};

/// Files with a part of co that name a folder, each with the agents that read it.
pub fn files_that_name(context: &Context, folder: &Path) -> Vec<(PathBuf, Vec<String>)> {
    let names = [folder.display().to_string(), context.shown(folder)];
    let mut found: Vec<(PathBuf, Vec<String>)> = Vec::new();
    for entry in record::Record::read(context).entries {
        let bytes = files::read(&entry.file).ok().flatten().unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let is_known = found.iter().any(|(file, _)| *file == entry.file);
        if !is_known && names.iter().any(|name| text.contains(name.as_str())) {
            found.push((entry.file, entry.agents));
        }
    }
    found
}

/// The agents with these names, in the order of the table.
pub fn named(names: &[String]) -> Result<Vec<&'static Agent>, Error> {
    let mut found: Vec<&'static Agent> = Vec::new();
    for name in names {
        let agent = agents::find(name).ok_or_else(|| AgentError::Unknown { name: name.clone() })?;
        if !found.iter().any(|known| known.name == agent.name) {
            found.push(agent);
        }
    }
    Ok(found)
}
