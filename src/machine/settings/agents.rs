//! Settings: what agents save and note.
//!
//! Invariant: each field is a row of the table below, by its name.

use super::{
    fault::Section,
    key::{Key, ValueKind, key},
};
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct AgentSettings {
    pub notes: NoteSettings,
    pub remember: RememberSettings,
    /// Whether a fact records the project in which it was learned.
    pub project_names: bool,
}

impl Default for AgentSettings {
    fn default() -> AgentSettings {
        let (notes, remember) = (NoteSettings::default(), RememberSettings::default());
        AgentSettings { notes, remember, project_names: true }
    }
}

/// How to treat facts that agents save.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RememberSettings {
    /// Agents whose facts wait for a person; `*` for all.
    pub ask: Vec<String>,
}

/// How to treat the notes that agents write.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct NoteSettings {
    /// Agents whose notes are shared, by their names in the table.
    pub share: Vec<String>,
    /// Patterns of projects whose notes are not shared.
    pub exclude: Vec<String>,
}

pub(super) const KEYS: &[Key] = &[
    key(
        "agents.notes.share",
        ValueKind::List,
        Section::Agents,
        "agents whose own notes about projects are shared between your laptops",
    ),
    key(
        "agents.notes.exclude",
        ValueKind::List,
        Section::Agents,
        "projects whose notes stay on this laptop, e.g. github.com/acme/*",
    ),
    key(
        "agents.remember.ask",
        ValueKind::List,
        Section::Agents,
        "agents whose facts wait for `co review`; * for all",
    ),
    key(
        "agents.project_names",
        ValueKind::Switch,
        Section::Agents,
        "record in a fact which project an agent learned it in",
    ),
];
