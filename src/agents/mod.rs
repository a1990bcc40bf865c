//! Agents: where each keeps its servers, instructions and hooks, and how co's part is inserted and
//! removed.
//!
//! Invariant: pure; texts in, texts out. Everything in a file that is not co's stays byte for byte:
//! order, comments, unknown keys, line endings. An unreadable file is refused, not rewritten.

mod agent;
mod antigravity;
pub mod block;
mod claude;
mod command;
mod copilot;
pub mod entry;
pub mod hooks;
mod inline;
pub mod json;
pub mod notes;
pub mod part;
mod places;
mod row_parts;
mod rows;
mod settings_edit;
mod settings_file;
pub mod splice;
mod table;
mod toml;
pub mod words;
mod yaml;

pub use agent::{Agent, Instructions, PluginSign};
pub use command::Command;
pub use places::{EnvPath, HERE, ImportSource};
pub use table::{ALL, client, find, title, writer};

use thiserror::Error;

/// Whether co's part is in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    Missing,
    /// From another version of co, or one installed elsewhere.
    Stale,
    Current,
}

/// Why a file was left alone.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EditError {
    #[error("it cannot be read as {format}: {why}")]
    Unreadable { format: &'static str, why: String },
    #[error("`{0}` in it has a type that the agent does not read")]
    Shape(String),
    #[error("`{0}` appears in it twice")]
    Twice(String),
    #[error("it has a server named co that is not this program")]
    Foreign,
    #[error("the markers of co's block in it do not match")]
    Block,
    #[error("it exists and is not co's")]
    Theirs,
}
