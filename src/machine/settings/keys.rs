//! The table of settings: the type and purpose of each key.
//!
//! Invariant: every key of [`super::Settings`] has a row, and every row a key, as a test checks.

use super::{Settings, fault::Section, layers};
use serde_json::Value;

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueKind {
    Text,
    /// `true` or `false`
    Switch,
    /// A whole number within these bounds.
    Number(u64, u64),
    Choice(&'static [&'static str]),
    /// Strings; separated by commas on the command line.
    List,
    /// `{{secret:NAME}}`
    Reference,
    /// An object with its own keys.
    Object,
    /// The list of `co layer`.
    Layers,
}

/// A key of settings.json.
#[derive(PartialEq, Debug)]
pub struct Key {
    /// Including its groups: `sync.timeout`.
    pub name: &'static str,
    pub kind: ValueKind,
    pub section: Section,
    pub about: &'static str,
    /// Whether it is rarely changed: a list shows it only if it is set, or if everything is
    /// requested.
    pub is_rare: bool,
}

const fn key(name: &'static str, kind: ValueKind, section: Section, about: &'static str) -> Key {
    Key { name, kind, section, about, is_rare: false }
}

const fn rare(name: &'static str, kind: ValueKind, section: Section, about: &'static str) -> Key {
    Key { is_rare: true, ..key(name, kind, section, about) }
}

pub const ALL: &[Key] = &[
    key("identity_path", ValueKind::Text, Section::Place, "folder of the identity"),
    rare(
        "host",
        ValueKind::Text,
        Section::Place,
        "name of this laptop, whose own facts are in hosts/ of the identity",
    ),
    rare(
        "personality",
        ValueKind::Text,
        Section::Place,
        "personality from an older version, adopted by `co init`",
    ),
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
    rare(
        "recall.meaning",
        ValueKind::Switch,
        Section::Recall,
        "find facts that say the same thing in other words",
    ),
    rare(
        "recall.context",
        ValueKind::Switch,
        Section::Recall,
        "consider what was learned just before and after",
    ),
    rare(
        "recall.dates",
        ValueKind::Switch,
        Section::Recall,
        "consider dates mentioned in a question",
    ),
    rare(
        "recall.repair",
        ValueKind::Switch,
        Section::Recall,
        "correct misspelled words in a question",
    ),
    rare("recall.expansion", ValueKind::Switch, Section::Recall, "add related words to a question"),
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
    key(
        "knowledge.attachment_mib",
        ValueKind::Number(0, 1_000_000),
        Section::Knowledge,
        "largest original that `co knowledge add` keeps, in MiB",
    ),
    key(
        "agents.notes.share",
        ValueKind::List,
        Section::Agents,
        "agents whose own notes about projects are shared between your laptops",
    ),
    key(
        "agents.notes.exclude",
        ValueKind::List,
        Section::Agents,
        "projects whose notes stay on this laptop, e.g. github.com/acme/*",
    ),
    key(
        "agents.remember.ask",
        ValueKind::List,
        Section::Agents,
        "agents whose facts wait for `co review`; * for all",
    ),
    key(
        "agents.project_names",
        ValueKind::Switch,
        Section::Agents,
        "record in a fact which project an agent learned it in",
    ),
    rare(
        "layers",
        ValueKind::Layers,
        Section::Layers,
        "other identities: a team's, or one for work; `co layer` changes them",
    ),
];

impl Key {
    /// The names of its groups, and its own.
    pub fn path(&self) -> Vec<&'static str> {
        self.name.split('.').collect()
    }

    /// Null if unset.
    pub fn value(&self, settings: &Settings) -> Value {
        let all = serde_json::to_value(settings).expect("because settings are texts and numbers");
        self.path().iter().fold(all, |value, name| value.get(name).cloned().unwrap_or_default())
    }
}

impl ValueKind {
    /// What is wrong with a value, without repeating it: it may be a secret.
    pub fn refuse(self, value: &Value) -> Result<(), String> {
        let fits = match self {
            ValueKind::Text | ValueKind::Reference => value.is_string(),
            ValueKind::Switch => value.is_boolean(),
            ValueKind::Number(least, most) => {
                value.as_u64().is_some_and(|number| (least..=most).contains(&number))
            }
            ValueKind::Choice(words) => value.as_str().is_some_and(|word| words.contains(&word)),
            ValueKind::Object => value.is_object(),
            ValueKind::Layers => value.is_null() || layers::are_sound(value),
            ValueKind::List => {
                value.as_array().is_some_and(|texts| texts.iter().all(Value::is_string))
            }
        };
        if fits || value.is_null() { Ok(()) } else { Err(format!("must be {}", self.expected())) }
    }

    /// `true or false`
    pub fn expected(self) -> String {
        match self {
            ValueKind::Text => "text".to_owned(),
            ValueKind::Switch => "true or false".to_owned(),
            ValueKind::Number(least, most) => format!("a whole number from {least} to {most}"),
            ValueKind::Choice(words) => words.join(" or "),
            ValueKind::List => "a list of strings such as [\"a\", \"b\"]".to_owned(),
            ValueKind::Reference => "a reference such as {{secret:NAME}}".to_owned(),
            ValueKind::Layers => layers::EXPECTED.to_owned(),
            ValueKind::Object => {
                "an object such as {\"api\": \"ollama\", \"url\": \"…\", \"model\": \"…\"}"
                    .to_owned()
            }
        }
    }

    /// Parses a value from the command line.
    pub fn parse(self, text: &str) -> Result<Value, String> {
        let value = match (self, text) {
            (ValueKind::Switch, "true" | "yes" | "on") => Value::Bool(true),
            (ValueKind::Switch, "false" | "no" | "off") => Value::Bool(false),
            (ValueKind::Number(..), _) => {
                text.parse::<u64>().map_or(Value::from(text), Value::from)
            }
            (ValueKind::List, _) if !text.trim_start().starts_with('[') => text
                .split(',')
                .map(str::trim)
                .filter(|text| !text.is_empty())
                .map(Value::from)
                .collect(),
            (ValueKind::Object | ValueKind::List | ValueKind::Layers, _) => {
                serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
            }
            _ => Value::from(text),
        };
        self.refuse(&value).map(|()| value)
    }
}

pub fn find(name: &str) -> Option<&'static Key> {
    ALL.iter().find(|key| key.name == name)
}

/// Objects in the file that contain keys.
pub const GROUPS: &[&str] =
    &["sync", "recall", "knowledge", "agents", "agents.notes", "agents.remember"];

/// How similar a name has to be to a known one to be suggested.
const ALIKE: f64 = 0.75;

/// The key, or the group of keys, that was probably meant.
pub fn nearest(name: &str) -> Option<&'static str> {
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    let alike = |known: &&str| {
        let whole = strsim::jaro_winkler(known, name);
        whole.max(strsim::jaro_winkler(&last(known), &last(name)))
    };
    let names = ALL.iter().map(|key| key.name).chain(GROUPS.iter().copied());
    let nearest = names.max_by(|a, b| alike(a).total_cmp(&alike(b)));
    nearest.filter(|name| alike(name) >= ALIKE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::settings::{Api, EmbedderSettings};

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
