//! Settings: documents.
//!
//! Invariant: each field is a row of the table below, by its name.

use super::{
    fault::Section,
    key::{Key, ValueKind, key},
};
use serde::{Deserialize, Serialize};

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

pub(super) const KEYS: &[Key] = &[key(
    "knowledge.attachment_mib",
    ValueKind::Number(0, 1_000_000),
    Section::Knowledge,
    "largest original that `co knowledge add` keeps, in MiB",
)];
