//! `settings.json`: the settings of this machine.
//!
//! Invariant: an invalid value is a fault with its line, and its default is used meanwhile; code
//! that needs it fails (see [`Settings::refuse`]). Comments are allowed.

mod fault;
mod file;
mod keys;
mod layers;

pub use fault::{Concern, Fault, Section};
pub use file::{parse, read, unknown_key, write};
pub use keys::{ALL, Key, ValueKind, find};
pub use layers::LayerSettings;

use super::error::SystemError;
use crate::recall::Signals;
use serde::{Deserialize, Serialize};

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

impl Settings {
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

/// Limits for what `knowledge add` keeps.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct KnowledgeSettings {
    /// The largest original, in MiB: it is stored in the repository of every laptop.
    pub attachment_mib: u64,
}

impl Default for KnowledgeSettings {
    fn default() -> KnowledgeSettings {
        KnowledgeSettings { attachment_mib: 20 }
    }
}

/// How recall searches.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct RecallSettings {
    #[serde(flatten)]
    pub signals: Signals,
    /// Whether to cache parsed files in `local/index.db`, or have each question read all files.
    #[serde(rename = "catalog")]
    pub index: bool,
    /// What vectors of a question are computed with.
    pub encoder: EncoderChoice,
    /// Vectors from another model than the built-in ones.
    pub embedder: Option<EmbedderSettings>,
    /// Up to this many files, every question checks each for edits in place; above, only the
    /// folders and the results are checked.
    pub look_at: usize,
}

impl Default for RecallSettings {
    fn default() -> RecallSettings {
        RecallSettings {
            signals: Signals::default(),
            index: true,
            encoder: EncoderChoice::BuiltIn,
            embedder: None,
            look_at: 5_000,
        }
    }
}

/// What computes vectors of whole sentences.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EncoderChoice {
    /// The encoder in the program.
    BuiltIn,
    /// No encoder: vectors are means of word vectors.
    Off,
}

/// An HTTP endpoint that computes vectors; every fact is sent to it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EmbedderSettings {
    pub api: Api,
    /// `http://localhost:11434`, `https://api.openai.com/v1`
    pub url: String,
    pub model: String,
    /// `{{secret:NAME}}`, never the value itself.
    pub key: Option<String>,
    /// The cosine, in hundredths, from which a fact without any of the words is a result.
    pub meant: Option<u8>,
}

/// The API of an endpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Api {
    /// `/api/embed`
    Ollama,
    /// `/embeddings`, as in OpenAI, llama.cpp, vLLM and LM Studio.
    OpenAi,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct SyncSettings {
    /// Used if the branch has no upstream.
    pub remote: String,
    /// Used if the branch has no upstream; defaults to the branch of the same name.
    pub branch: Option<String>,
    pub username: Option<String>,
    /// For an http remote: `{{secret:NAME}}`, never the value itself.
    pub password: Option<String>,
    /// Seconds without an answer after which a connection is given up.
    pub timeout: u64,
}

impl Default for SyncSettings {
    fn default() -> SyncSettings {
        SyncSettings {
            remote: "origin".into(),
            branch: None,
            username: None,
            password: None,
            timeout: 20,
        }
    }
}
