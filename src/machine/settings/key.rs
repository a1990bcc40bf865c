//! A key of settings.json: the type of its value, and its purpose.
//!
//! Invariant: what is wrong with a value is said without repeating it. Must not know: which keys
//! there are.

use super::{fault::Section, layers};
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
#[derive(Clone, Copy, PartialEq, Debug)]
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

/// A row of the table.
pub(super) const fn key(
    name: &'static str,
    kind: ValueKind,
    section: Section,
    about: &'static str,
) -> Key {
    Key { name, kind, section, about, is_rare: false }
}

/// One that is rarely changed.
pub(super) const fn rare(
    name: &'static str,
    kind: ValueKind,
    section: Section,
    about: &'static str,
) -> Key {
    Key { is_rare: true, ..key(name, kind, section, about) }
}

impl Key {
    /// The names of its groups, and its own.
    pub fn path(&self) -> Vec<&'static str> {
        self.name.split('.').collect()
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
