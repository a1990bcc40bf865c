//! `settings.json`: what belongs to this machine.
//!
//! Invariant: unknown keys stay when a known one is set; a damaged file is an error that names it,
//! never a silent default.

use super::{error::SystemError, files};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::path::Path;

/// The settings that co reads.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Where the identity lies; `~` is the home folder.
    pub identity_path: Option<String>,
    /// The personality of older versions, adopted by `init`.
    pub personality: Option<String>,
    /// How sync talks to the remote.
    pub sync: SyncSettings,
}

/// How sync talks to the remote.
#[derive(Clone, Debug, Deserialize)]
#[serde(default)]
pub struct SyncSettings {
    /// The remote's name, where the branch has no upstream.
    pub remote: String,
    /// The branch there, where the branch has no upstream; by default the one of the same name.
    pub branch: Option<String>,
    /// The user name for an http remote.
    pub username: Option<String>,
    /// The password or token for an http remote, as `{{secret:NAME}}`; never the value itself.
    pub password: Option<String>,
    /// Seconds without any answer after which a connection is given up.
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

/// Reads the settings; none when there is no file.
///
/// # Errors
/// When the file is no JSON object or a known key has the wrong type.
pub fn read(path: &Path) -> Result<Settings, SystemError> {
    let Some(text) = files::read_text(path)? else { return Ok(Settings::default()) };
    serde_json::from_str(&text).map_err(|error| damaged(path, &error))
}

/// Sets one top-level key and leaves all others as they are.
///
/// # Errors
/// When the file cannot be read or written.
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
