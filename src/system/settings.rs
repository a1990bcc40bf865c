//! `settings.json`: what belongs to this machine.
//!
//! Invariant: unknown keys stay when a known one is set; a damaged file is an error that names it,
//! never a silent default.

use super::{error::SystemError, files};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::path::Path;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Where the identity lies; `~` is the home folder.
    pub identity_path: Option<String>,
    /// The personality of older versions, adopted by `init`.
    pub personality: Option<String>,
    pub sync: SyncSettings,
    pub recall: RecallSettings,
    pub knowledge: KnowledgeSettings,
}

/// Limits of what `knowledge add` keeps.
#[derive(Clone, Debug, Deserialize)]
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
#[derive(Clone, PartialEq, Debug, Deserialize)]
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EncoderChoice {
    /// The encoder in the program.
    BuiltIn,
    /// Nothing does: vectors are means of words.
    Off,
}

/// An HTTP endpoint that makes vectors; it is sent every fact.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Api {
    /// `/api/embed`
    Ollama,
    /// `/embeddings`, as OpenAI, llama.cpp, vLLM and LM Studio have it.
    OpenAi,
}

#[derive(Clone, Debug, Deserialize)]
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

/// Defaults when there is no file; fails when a known key has the wrong type.
pub fn read(path: &Path) -> Result<Settings, SystemError> {
    let Some(text) = files::read_text(path)? else { return Ok(Settings::default()) };
    serde_json::from_str(&text).map_err(|error| damaged(path, &error))
}

/// Sets one top-level key and leaves all others as they are.
pub fn set(path: &Path, key: &str, value: Value) -> Result<(), SystemError> {
    let text = files::read_text(path)?.unwrap_or_else(|| "{}".into());
    let mut map: Map<String, Value> =
        serde_json::from_str(&text).map_err(|error| damaged(path, &error))?;
    map.insert(key.to_owned(), value);
    let text =
        serde_json::to_string_pretty(&map).expect("because a map of JSON values is JSON") + "\n";
    files::write(path, text.as_bytes())
}

fn damaged(path: &Path, error: &serde_json::Error) -> SystemError {
    SystemError::Damaged { path: path.to_owned(), reason: error.to_string() }
}
