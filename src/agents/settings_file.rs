//! An agent's settings file, in any format: inserts and removes one entry of one group.
//!
//! Invariant: every other byte stays. Must not know: agents, or what an entry means.

use super::{EditError, json::Json, toml::Toml, yaml::Yaml};
use serde_json::Value;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SettingsFormat {
    Json,
    Toml,
    Yaml,
}

/// A file that is open for changes.
pub(super) trait SettingsFile {
    fn text(&self) -> String;

    fn entry(&self, group: &str, key: &str) -> Result<Option<Value>, EditError>;

    /// The text with a new entry.
    fn with_entry(&self, group: &str, key: &str, value: &Value) -> Result<String, EditError>;

    /// Sets one string of an existing entry; in a list of words, the first.
    fn set(&mut self, path: &[&str], key: &str, value: &str) -> Result<(), EditError>;

    /// Removes one string from an existing entry.
    fn unset(&mut self, path: &[&str], key: &str) -> Result<(), EditError>;

    /// The text without an entry, and without its group if that is then empty and co created it
    /// (`made`).
    fn without_entry(
        self: Box<Self>,
        group: &str,
        key: &str,
        made: &[&str],
    ) -> Result<String, EditError>;
}

impl SettingsFormat {
    pub(super) fn open(self, text: &str) -> Result<Box<dyn SettingsFile>, EditError> {
        Ok(match self {
            SettingsFormat::Json => Box::new(Json::read(text)?),
            SettingsFormat::Toml => Box::new(Toml::read(text)?),
            SettingsFormat::Yaml => Box::new(Yaml::read(text)?),
        })
    }
}
