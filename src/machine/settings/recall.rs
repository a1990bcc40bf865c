//! Settings: search.
//!
//! Invariant: each field is a row of the table below, by its name; a signal is one of [`SWITCHES`].

use super::{
    fault::Section,
    key::{Key, ValueKind, key, rare},
};
use crate::recall::{SWITCHES, Signals};
use serde::{Deserialize, Serialize};

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

pub(super) const KEYS: &[Key] = &[
    key(
        "recall.encoder",
        ValueKind::Choice(&["built-in", "off"]),
        Section::Recall,
        "which model compares the meaning of sentences",
    ),
    rare(
        "recall.catalog",
        ValueKind::Switch,
        Section::Recall,
        "keep a search index; without it every question reads all files",
    ),
    rare(
        "recall.look_at",
        ValueKind::Number(0, 1_000_000),
        Section::Recall,
        "up to this many files, each question checks every file for changes",
    ),
    key(
        "recall.embedder",
        ValueKind::Object,
        Section::Recall,
        "another model for vectors; it is sent every fact and question",
    ),
    key(
        "recall.embedder.api",
        ValueKind::Choice(&["ollama", "openai"]),
        Section::Recall,
        "protocol of that model's server",
    ),
    key("recall.embedder.url", ValueKind::Text, Section::Recall, "address of that server"),
    key("recall.embedder.model", ValueKind::Text, Section::Recall, "name of the model"),
    key(
        "recall.embedder.key",
        ValueKind::Reference,
        Section::Recall,
        "secret with the server's API key",
    ),
    rare(
        "recall.embedder.meant",
        ValueKind::Number(0, 100),
        Section::Recall,
        "lowest similarity, in hundredths, at which a fact matches without sharing a word",
    ),
];

/// The signals that can be switched off.
pub(super) fn signals() -> Vec<Key> {
    let row = |&(name, about)| rare(name, ValueKind::Switch, Section::Recall, about);
    SWITCHES.iter().map(row).collect()
}
