//! An agent's settings file, in any format: inserts and removes one entry of one group.
//!
//! Invariant: every other byte stays. Must not know: agents, or what an entry means.

use super::{EditError, json::Json, settings_edit::SettingsFile, toml::Toml, yaml::Yaml};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SettingsFormat {
    Json,
    Toml,
    Yaml,
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
