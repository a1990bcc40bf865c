//! The table of settings, as a whole: which keys and groups there are, and which was meant.
//!
//! Invariant: every key of [`Settings`](super::Settings) has a row, and every row a key, as a test
//! checks.

use super::{ALL, Key};

pub fn find(name: &str) -> Option<&'static Key> {
    ALL.iter().find(|key| key.name == name)
}

/// Objects in the file that contain keys, and are none themselves.
pub(super) fn groups() -> Vec<&'static str> {
    let mut groups = Vec::new();
    for name in ALL.iter().map(|key| key.name) {
        let above = name.match_indices('.').map(|(at, _)| &name[..at]);
        for group in above.filter(|group| find(group).is_none()) {
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
    }
    groups
}

/// How similar a name has to be to a known one to be suggested.
const ALIKE: f64 = 0.75;

/// The key, or the group of keys, that was probably meant.
pub fn nearest(name: &str) -> Option<&'static str> {
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    let alike = |known: &&str| {
        let whole = strsim::jaro_winkler(known, name);
        whole.max(strsim::jaro_winkler(&last(known), &last(name)))
    };
    let names = ALL.iter().map(|key| key.name).chain(groups());
    let nearest = names.max_by(|a, b| alike(a).total_cmp(&alike(b)));
    nearest.filter(|name| alike(name) >= ALIKE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::settings::{Api, EmbedderSettings, Key, Settings, ValueKind};
    use serde_json::Value;

    #[test]
    fn the_table_has_every_key_of_the_settings() {
        let mut settings = Settings::default();
        settings.recall.embedder = Some(EmbedderSettings {
            api: Api::Ollama,
            url: String::new(),
            model: String::new(),
            key: None,
            meant: None,
        });
        let all = serde_json::to_value(settings).expect("settings");
        let mut names = Vec::new();
        leaves("", &all, &mut names);
        let leaf = |key: &&Key| key.kind != ValueKind::Object;
        let mut known: Vec<&str> = ALL.iter().filter(leaf).map(|key| key.name).collect();
        names.sort_unstable();
        known.sort_unstable();
        assert_eq!(names, known);
    }

    fn leaves(above: &str, value: &Value, names: &mut Vec<String>) {
        for (key, below) in value.as_object().expect("an object") {
            let name = format!("{above}{key}");
            if below.is_object() {
                leaves(&format!("{name}."), below, names)
            } else {
                names.push(name)
            }
        }
    }

    #[test]
    fn a_mistyped_key_has_a_likely_one() {
        assert_eq!(nearest("sync.timout"), Some("sync.timeout"));
        assert_eq!(nearest("timeout"), Some("sync.timeout"));
        assert_eq!(nearest("identity-path"), Some("identity_path"));
        assert_eq!(nearest("recall.catalogue"), Some("recall.catalog"));
        assert_eq!(nearest("recal"), Some("recall"));
        assert_eq!(nearest("colour"), None);
    }
}
