//! `config`: the settings of this laptop, each with the origin of its value.
//!
//! Invariant: everything else in settings.json stays, including comments. An invalid value is
//! refused and not written, and a value that may be a secret is never shown.

use super::{Error, ErrorKind, VerbError, transaction::TransactionError};
use crate::agents::{EditError, json::Json};
use crate::git::without_credentials;
use crate::machine::{
    Context,
    batch::Outcome,
    context::IdentitySource,
    files,
    settings::{self, Key, LayerSettings, Section, Settings, ValueKind},
};
use crate::secrets::reference;
use serde::Serialize;
use serde_json::Value;
use std::path::PathBuf;

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// `--identity`
    Flag,
    /// `CO_IDENTITY_PATH`
    Environment,
    Settings,
    Default,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SettingRow {
    pub key: &'static str,
    /// Null if there is none.
    pub value: Value,
    pub origin: Origin,
    pub about: &'static str,
    /// The values that it accepts.
    pub expected: String,
    /// Whether a list may leave it out.
    #[serde(skip)]
    pub is_rare: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub file: PathBuf,
    pub settings: Vec<SettingRow>,
    /// Problems in the file.
    pub faults: Vec<String>,
}

/// The old and new value of a key.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Changed {
    pub key: &'static str,
    pub before: Value,
    pub after: Value,
    pub file: PathBuf,
    /// Why the new value has no effect here.
    pub overridden: Option<&'static str>,
}

/// Why a setting was not read or changed.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("{}", settings::unknown_key(name))]
    Unknown { name: String },
    #[error("nothing was changed: {}", settings::unknown_key(name))]
    UnknownInside { name: String },
    #[error("`{name}` {why}; nothing was changed")]
    Value { name: String, why: String },
    #[error("`identity_path` must be a folder; nothing was changed")]
    NoFolder,
    #[error("`{name}` must be a reference to a secret, not the secret itself")]
    Secret { name: String },
    #[error("cannot change {file}: {why}")]
    File { file: String, why: String },
    #[error("{why}; nothing was changed")]
    Whole { why: String },
}

impl VerbError for ConfigError {
    fn kind(&self) -> ErrorKind {
        match self {
            ConfigError::Unknown { .. } => ErrorKind::NotFound,
            ConfigError::UnknownInside { .. }
            | ConfigError::Value { .. }
            | ConfigError::NoFolder
            | ConfigError::Whole { .. } => ErrorKind::Invalid,
            ConfigError::Secret { .. } => ErrorKind::Refused,
            ConfigError::File { .. } => ErrorKind::Other,
        }
    }
}

pub fn list(context: &Context) -> Report {
    let keys = settings::ALL.iter().filter(|key| key.kind != ValueKind::Object);
    let faults = context.settings.faults.iter().map(ToString::to_string).collect();
    let settings = keys.map(|key| row(context, key)).collect();
    Report { file: context.settings_file(), settings, faults }
}

/// Fails if the file as a whole cannot be read; an invalid key has its default.
pub fn get(context: &Context, name: &str) -> Result<SettingRow, Error> {
    let key = key(name)?;
    context.settings.refuse_broken()?;
    Ok(row(context, key))
}

pub fn set(context: &Context, name: &str, text: &str) -> Result<Changed, Error> {
    let key = key(name)?;
    let text = match key.name {
        "identity_path" => folder(context, text)?,
        _ => text.to_owned(),
    };
    let unfit = |why: String| ConfigError::Value { name: name.to_owned(), why };
    // Checked before its format: a value that is not a reference may be the secret itself.
    refuse_value(key, &Value::from(text.as_str()))?;
    let value = key.kind.parse(&text).map_err(unfit)?;
    refuse_value(key, &value)?;
    put(context, key, Some(&value))
}

/// Resolves a relative path against the current directory.
fn folder(context: &Context, text: &str) -> Result<String, Error> {
    let is_of_another = text.starts_with('~') && text != "~" && !text.starts_with("~/");
    if text.is_empty() || is_of_another {
        return Err(ConfigError::NoFolder.into());
    }
    Ok(context.shown(&context.typed_path(text)))
}

/// A secret belongs in the keyring, never in a file.
fn refuse_value(key: &Key, value: &Value) -> Result<(), Error> {
    let is_plain = value.as_str().is_some_and(|text| reference::only(text).is_none());
    if key.kind == ValueKind::Reference && is_plain {
        return Err(ConfigError::Secret { name: key.name.to_owned() }.into());
    }
    let Some(object) = value.as_object().filter(|_| key.kind == ValueKind::Object) else {
        return Ok(());
    };
    for (inner, value) in object {
        let name = format!("{}.{inner}", key.name);
        let Some(key) = settings::find(&name) else {
            return Err(ConfigError::UnknownInside { name }.into());
        };
        refuse_value(key, value)?;
    }
    Ok(())
}

pub fn unset(context: &Context, name: &str) -> Result<Changed, Error> {
    put(context, key(name)?, None)
}

/// Sets `identity_path`; used by `init`.
pub fn set_place(context: &Context, folder: &str) -> Result<(), Error> {
    put_place(context, Some(folder))
}

/// Sets `identity_path`, or removes it: the default place.
pub(super) fn put_place(context: &Context, folder: Option<&str>) -> Result<(), Error> {
    let key = settings::find("identity_path").expect("because it is in the table");
    put(context, key, folder.map(Value::from).as_ref()).map(drop)
}

/// Sets the list of layers.
pub fn set_layers(context: &Context, layers: &[LayerSettings]) -> Result<(), Error> {
    let key = settings::find("layers").expect("because it is in the table");
    let value = serde_json::to_value(layers).expect("because a layer is texts and switches");
    put(context, key, Some(&value).filter(|_| !layers.is_empty())).map(drop)
}

/// Sets the agents whose notes are shared; the caller has obtained consent.
pub fn set_shared_notes(context: &Context, agents: &[String]) -> Result<(), Error> {
    let key = settings::find("agents.notes.share").expect("because it is in the table");
    let value = (!agents.is_empty()).then(|| Value::from(agents.to_vec()));
    put(context, key, value.as_ref()).map(drop)
}

fn key(name: &str) -> Result<&'static Key, Error> {
    Ok(settings::find(name).ok_or_else(|| ConfigError::Unknown { name: name.to_owned() })?)
}

fn row(context: &Context, key: &'static Key) -> SettingRow {
    let origin = match (key.section, context.identity.source) {
        (Section::Place, IdentitySource::Flag) if key.name == "identity_path" => Origin::Flag,
        (Section::Place, IdentitySource::Environment) if key.name == "identity_path" => {
            Origin::Environment
        }
        _ if context.settings.named.contains(&key.name) => Origin::Settings,
        _ => Origin::Default,
    };
    let value = match key.name {
        "identity_path" => Value::from(context.shown(&context.identity.path)),
        _ => context.settings.value(key),
    };
    let value = shown(key, value);
    let is_rare = key.is_rare && origin == Origin::Default;
    let expected = key.kind.expected();
    SettingRow { key: key.name, value, origin, about: key.about, expected, is_rare }
}

/// A value that is safe to show: a non-reference may be the secret, and a URL may contain one.
fn shown(key: &Key, value: Value) -> Value {
    match value {
        Value::String(text)
            if key.kind == ValueKind::Reference && reference::only(&text).is_none() =>
        {
            Value::from("(set, not shown)")
        }
        Value::String(text) => Value::from(without_credentials(&text)),
        Value::Object(object) => {
            let inner = |(name, value): (String, Value)| {
                let of_it = settings::find(&format!("{}.{name}", key.name));
                let value = of_it.map_or_else(|| Value::from("…"), |key| shown(key, value));
                (name, value)
            };
            object.into_iter().map(inner).collect()
        }
        other => other,
    }
}

/// Whether the file can be changed to another folder, before anything is moved there.
pub fn refuse_unfit(context: &Context) -> Result<(), Error> {
    let key = settings::find("identity_path").expect("because it is in the table");
    drafted(context, key, Some(&Value::from("~"))).map(drop)
}

/// settings.json before and after a change.
struct Draft {
    before: Settings,
    after: Settings,
    there: Option<Vec<u8>>,
    text: String,
}

fn drafted(context: &Context, key: &Key, value: Option<&Value>) -> Result<Draft, Error> {
    let file = context.settings_file();
    let there = files::read(&file)?;
    let bytes = there.clone().unwrap_or_else(|| b"{}\n".to_vec());
    let shown = context.shown(&file);
    let before = settings::parse(&shown, &bytes);
    // Only a file that cannot be read at all prevents repairing a key.
    before.refuse_broken()?;
    let text = edited(&String::from_utf8_lossy(&bytes), key, value)
        .map_err(|why| ConfigError::File { file: shown.clone(), why })?;
    let after = settings::parse(&shown, text.as_bytes());
    let is_new = |fault: &&settings::Fault| {
        let is_known = |known: &settings::Fault| known.message == fault.message;
        !before.unusable().any(is_known)
    };
    if let Some(fault) = after.unusable().find(is_new) {
        return Err(ConfigError::Whole { why: fault.message.clone() }.into());
    }
    Ok(Draft { before, after, there, text })
}

fn put(context: &Context, key: &'static Key, value: Option<&Value>) -> Result<Changed, Error> {
    let Draft { before, after, there, text } = drafted(context, key, value)?;
    let file = context.settings_file();
    let is_same = there.as_deref().map_or(text == "{}\n", |there| there == text.as_bytes());
    if !is_same && settings::write(&file, there.as_deref(), &text)? != Outcome::Done {
        return Err(TransactionError::Changed { what: context.shown(&file) }.into());
    }
    let is_place = key.name == "identity_path";
    let overridden = match context.identity.source {
        IdentitySource::Flag if is_place => Some("--identity"),
        IdentitySource::Environment if is_place => Some("CO_IDENTITY_PATH"),
        _ => None,
    };
    let value = |settings: &Settings| shown(key, settings.value(key));
    Ok(Changed { key: key.name, before: value(&before), after: value(&after), file, overridden })
}

fn edited(text: &str, key: &Key, value: Option<&Value>) -> Result<String, String> {
    let json = Json::read(text).map_err(|error| error.to_string())?;
    let path = key.path();
    let (name, groups) = path.split_last().expect("because a key has a name");
    let done = match value {
        Some(value) => json.set(groups, name, value),
        // A duplicate key has no single value to remove.
        None => json.get(groups, name).and_then(|_| json.remove(groups, name, groups)),
    };
    done.map_err(|error| match error {
        EditError::Shape(what) => format!("`{what}` in it is not an object"),
        other => other.to_string(),
    })?;
    Ok(json.text())
}
