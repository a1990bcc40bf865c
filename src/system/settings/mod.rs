//! `settings.json`: what belongs to this machine.
//!
//! Invariant: a value that cannot be used is a fault with its line, and its default is used meanwhile;
//! whoever needs it stops (see [`Settings::refuse`]). Comments are allowed.

mod file;
mod keys;

pub use file::{Concern, Fault, of, read, unknown_key, write};
pub use keys::{ALL, Key, Section, ValueKind, find};

use super::error::SystemError;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Where the identity lies; `~` is the home folder.
    pub identity_path: Option<String>,
    /// The personality of older versions, adopted by `init`.
    pub personality: Option<String>,
    pub sync: SyncSettings,
    pub recall: RecallSettings,
    pub knowledge: KnowledgeSettings,
    pub agents: AgentSettings,
    /// What is wrong with the file.
    #[serde(skip)]
    pub faults: Vec<Fault>,
    /// The keys that the file sets.
    #[serde(skip)]
    pub named: Vec<&'static str>,
}

impl Settings {
    /// Fails where something that is needed could not be read.
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

    /// Fails where the file as a whole cannot be read.
    pub fn refuse_broken(&self) -> Result<(), SystemError> {
        let is_whole = |fault: &&Fault| fault.concern == Concern::Everything;
        match self.faults.iter().find(is_whole) {
            Some(fault) => Err(SystemError::Settings(Box::new(fault.clone()))),
            None => Ok(()),
        }
    }

    /// What is there and cannot be used.
    pub fn unusable(&self) -> impl Iterator<Item = &Fault> {
        self.faults.iter().filter(|fault| fault.concern != Concern::Nothing)
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct AgentSettings {
    pub notes: NoteSettings,
    pub remember: RememberSettings,
    /// Whether a fact says in which project it was learned.
    pub project_names: bool,
}

impl Default for AgentSettings {
    fn default() -> AgentSettings {
        let (notes, remember) = (NoteSettings::default(), RememberSettings::default());
        AgentSettings { notes, remember, project_names: true }
    }
}

/// What becomes of facts that agents save.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RememberSettings {
    /// Agents whose facts wait for a person; `*` for all.
    pub ask: Vec<String>,
}

/// What becomes of the notes that agents write by themselves.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct NoteSettings {
    /// Agents whose notes travel, by their names in the table.
    pub share: Vec<String>,
    /// Patterns of projects whose notes stay where they are.
    pub exclude: Vec<String>,
}

/// Limits of what `knowledge add` keeps.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct KnowledgeSettings {
    /// The largest original, in MiB: it is in the repository of every laptop.
    pub attachment_mib: u64,
}

impl Default for KnowledgeSettings {
    fn default() -> KnowledgeSettings {
        KnowledgeSettings { attachment_mib: 20 }
    }
}

/// What recall counts beside the words.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct RecallSettings {
    /// Vectors: other words for the same.
    pub meaning: bool,
    /// What was learned just before and after.
    pub context: bool,
    /// Days, months and years that a question names.
    pub dates: bool,
    /// Misspelt words.
    pub repair: bool,
    /// Words that mean much the same as one of the question.
    pub expansion: bool,
    /// Whether what was read is kept in `local/catalog.db`; without it every question reads all files.
    pub catalog: bool,
    /// What a question is compared by, beside its words.
    pub encoder: EncoderChoice,
    /// Vectors by another model than the built-in ones.
    pub embedder: Option<EmbedderSettings>,
    /// Up to how many files every question looks whether one was changed in its place; above, only
    /// the folders and the answers are looked at.
    pub look_at: usize,
}

impl Default for RecallSettings {
    fn default() -> RecallSettings {
        RecallSettings {
            meaning: true,
            context: true,
            dates: true,
            repair: true,
            expansion: true,
            catalog: true,
            encoder: EncoderChoice::BuiltIn,
            embedder: None,
            look_at: 5_000,
        }
    }
}

/// What makes vectors of whole sentences.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EncoderChoice {
    /// The encoder in the program.
    BuiltIn,
    /// Nothing does: vectors are means of words.
    Off,
}

/// An HTTP endpoint that makes vectors; it is sent every fact.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EmbedderSettings {
    pub api: Api,
    /// `http://localhost:11434`, `https://api.openai.com/v1`
    pub url: String,
    pub model: String,
    /// `{{secret:NAME}}`, never the value itself.
    pub key: Option<String>,
    /// The cosine, in hundredths, from which a fact without any of the words is an answer.
    pub meant: Option<u8>,
}

/// How an endpoint is spoken to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Api {
    /// `/api/embed`
    Ollama,
    /// `/embeddings`, as OpenAI, llama.cpp, vLLM and LM Studio have it.
    OpenAi,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct SyncSettings {
    /// Used where the branch has no upstream.
    pub remote: String,
    /// Used where the branch has no upstream; by default the branch of the same name.
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
