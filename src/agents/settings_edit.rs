//! What can be changed in a settings file, whatever its format.
//!
//! Invariant: every other byte stays. Must not know: agents, or what an entry means.

use super::EditError;
use serde_json::Value;

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
