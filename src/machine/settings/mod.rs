//! `settings.json`: the settings of this machine.
//!
//! Invariant: an invalid value is a fault with its line, and its default is used meanwhile; code
//! that needs it fails (see [`Settings::refuse`]). Comments are allowed.

mod agents;
mod fault;
mod file;
mod key;
mod keys;
mod knowledge;
mod layers;
mod recall;
mod sync;

pub use fault::{Concern, Fault, Section};
pub use file::{parse, read, unknown_key, write};
pub use key::{Key, ValueKind};
pub use keys::find;
pub use layers::LayerSettings;
pub use recall::{Api, EmbedderSettings, EncoderChoice, RecallSettings};
pub use sync::SyncSettings;

use super::error::SystemError;
use agents::AgentSettings;
use key::{key, rare};
use knowledge::KnowledgeSettings;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::LazyLock;

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The path of the identity; `~` is the home folder.
    pub identity_path: Option<String>,
    /// What this laptop is called, in place of its host name.
    pub host: Option<String>,
    /// The personality of older versions, adopted by `init`.
    pub personality: Option<String>,
    pub sync: SyncSettings,
    pub recall: RecallSettings,
    pub knowledge: KnowledgeSettings,
    pub agents: AgentSettings,
    /// Other identities, from far to near.
    pub layers: Vec<LayerSettings>,
    /// Problems in the file.
    #[serde(skip)]
    pub faults: Vec<Fault>,
    /// The keys that the file sets.
    #[serde(skip)]
    pub named: Vec<&'static str>,
}

/// Every key, in the order of the list.
pub static ALL: LazyLock<Vec<Key>> = LazyLock::new(|| {
    let signals = recall::signals();
    [FIRST, sync::KEYS, &signals, recall::KEYS, knowledge::KEYS, agents::KEYS, LAST].concat()
});

const FIRST: &[Key] = &[
    key("identity_path", ValueKind::Text, Section::Place, "folder of the identity"),
    rare(
        "host",
        ValueKind::Text,
        Section::Place,
        "name of this laptop, whose own facts are in hosts/ of the identity",
    ),
    rare(
        "personality",
        ValueKind::Text,
        Section::Place,
        "personality from an older version, adopted by `co init`",
    ),
];

const LAST: &[Key] = &[rare(
    "layers",
    ValueKind::Layers,
    Section::Layers,
    "other identities: a team's, or one for work; `co layer` changes them",
)];

impl Settings {
    /// Null if unset.
    pub fn value(&self, key: &Key) -> Value {
        let all = serde_json::to_value(self).expect("because settings are texts and numbers");
        key.path().iter().fold(all, |value, name| value.get(name).cloned().unwrap_or_default())
    }

    /// Fails if something that is needed could not be read.
    pub fn refuse(&self, needed: &[Section]) -> Result<(), SystemError> {
        if needed.is_empty() {
            return Ok(());
        }
        let is_needed = |fault: &&Fault| match fault.concern {
            Concern::Everything => true,
            Concern::Section(section) => needed.contains(&section),
            Concern::Nothing => false,
        };
        match self.faults.iter().find(is_needed) {
            Some(fault) => Err(SystemError::Settings(Box::new(fault.clone()))),
            None => Ok(()),
        }
    }

    /// Fails if the file as a whole cannot be read.
    pub fn refuse_broken(&self) -> Result<(), SystemError> {
        let is_whole = |fault: &&Fault| fault.concern == Concern::Everything;
        match self.faults.iter().find(is_whole) {
            Some(fault) => Err(SystemError::Settings(Box::new(fault.clone()))),
            None => Ok(()),
        }
    }

    /// The faults in values that are set but invalid.
    pub fn unusable(&self) -> impl Iterator<Item = &Fault> {
        self.faults.iter().filter(|fault| fault.concern != Concern::Nothing)
    }
}
