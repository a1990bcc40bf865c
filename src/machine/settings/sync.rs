//! Settings: the remote.
//!
//! Invariant: each field is a row of the table below, by its name.

use super::{
    fault::Section,
    key::{Key, ValueKind, key},
};
use serde::{Deserialize, Serialize};

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

pub(super) const KEYS: &[Key] = &[
    key("sync.remote", ValueKind::Text, Section::Sync, "git remote, if the branch has no upstream"),
    key(
        "sync.branch",
        ValueKind::Text,
        Section::Sync,
        "branch on the remote, if the branch has no upstream",
    ),
    key("sync.username", ValueKind::Text, Section::Sync, "user name for an HTTP remote"),
    key(
        "sync.password",
        ValueKind::Reference,
        Section::Sync,
        "secret with the password for an HTTP remote",
    ),
    key(
        "sync.timeout",
        ValueKind::Number(1, 3_600),
        Section::Sync,
        "seconds to wait for a remote that does not answer",
    ),
];
