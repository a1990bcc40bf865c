//! `config`: the settings of this laptop, each with where its value comes from.
//!
//! Invariant: everything else in settings.json stays, comments too; a value that its key cannot have is
//! refused and not written, and one that may be a secret is never shown.

use super::{Exit, Failure};
use crate::agents::json::Json;
use crate::secrets::reference;
use crate::system::{
    Context, SystemError,
    batch::Outcome,
    context::Source,
    files,
    settings::{self, Key, Kind, Section},
};
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
pub struct Row {
    pub key: &'static str,
    /// Null where there is none.
    pub value: Value,
    pub origin: Origin,
    pub about: &'static str,
    /// What it can be set to.
    pub expected: String,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub file: PathBuf,
    pub settings: Vec<Row>,
    /// What is wrong with the file.
    pub faults: Vec<String>,
}

/// What a key was, and is now.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Changed {
    pub key: &'static str,
    pub before: Value,
    pub after: Value,
    pub file: PathBuf,
    /// Why the new value has no effect here.
    pub overridden: Option<&'static str>,
}

pub fn list(context: &Context) -> Report {
    let keys = settings::ALL.iter().filter(|key| key.kind != Kind::Object);
    let faults = context.settings.faults.iter().map(ToString::to_string).collect();
    let settings = keys.map(|key| row(context, key)).collect();
    Report { file: context.settings_file(), settings, faults }
}

pub fn get(context: &Context, name: &str) -> Result<Row, Failure> {
    let key = key(name)?;
    context.settings.refuse(&[key.section])?;
    Ok(row(context, key))
}

pub fn set(context: &Context, name: &str, text: &str) -> Result<Changed, Failure> {
    let key = key(name)?;
    let is_plain = |kind: Kind| kind == Kind::Reference && reference::only(text).is_none();
    if is_plain(key.kind) {
        let message = format!("`{name}` holds the name of a secret, never its value");
        return Err(Failure::new(Exit::Refused, message).hint(format!(
            "`co secret set git-token` keeps the value in the keyring; then `co config set {name} \
             '{{{{secret:git-token}}}}'`"
        )));
    }
    let value = key.kind.parse(text).map_err(|why| {
        Failure::new(Exit::Usage, format!("`{name}` {why}; nothing was changed"))
            .hint(format!("`co config get {name}` shows what it is now"))
    })?;
    put(context, key, Some(&value))
}

pub fn unset(context: &Context, name: &str) -> Result<Changed, Failure> {
    put(context, key(name)?, None)
}

/// Sets where the identity is, for who brings it there.
pub fn set_place(context: &Context, folder: &str) -> Result<(), Failure> {
    let key = settings::find("identity_path").expect("because it is in the table");
    put(context, key, Some(&Value::from(folder))).map(drop)
}

fn key(name: &str) -> Result<&'static Key, Failure> {
    settings::find(name).ok_or_else(|| {
        Failure::new(Exit::NotFound, settings::unknown_key(name))
            .hint("`co config` lists all settings")
    })
}

fn row(context: &Context, key: &'static Key) -> Row {
    let origin = match (key.section, context.identity.source) {
        (Section::Place, Source::Flag) if key.name == "identity_path" => Origin::Flag,
        (Section::Place, Source::Environment) if key.name == "identity_path" => Origin::Environment,
        _ if context.settings.named.contains(&key.name) => Origin::Settings,
        _ => Origin::Default,
    };
    let value = match key.name {
        "identity_path" => Value::from(context.shown(&context.identity.path)),
        _ => key.value(&context.settings),
    };
    let value = if key.kind == Kind::Reference { shown(value) } else { value };
    Row { key: key.name, value, origin, about: key.about, expected: key.kind.expected() }
}

/// A reference; what is none may be the secret itself.
fn shown(value: Value) -> Value {
    match value.as_str() {
        Some(text) if reference::only(text).is_none() => Value::from("(a value, not shown)"),
        _ => value,
    }
}

fn put(context: &Context, key: &'static Key, value: Option<&Value>) -> Result<Changed, Failure> {
    let file = context.settings_file();
    let there = files::read(&file)?;
    let bytes = there.clone().unwrap_or_else(|| b"{}\n".to_vec());
    let before = settings::of(&file, &bytes);
    // Only what cannot be read at all keeps a key from being put right.
    if let Some(fault) = before.unusable().find(|fault| fault.section.is_none()) {
        return Err(SystemError::Settings(Box::new(fault.clone())).into());
    }
    let text = String::from_utf8_lossy(&bytes);
    let after = edited(&text, key, value).map_err(|why| {
        Failure::new(Exit::Other, format!("{} cannot be changed: {why}", context.shown(&file)))
            .hint("correct the file, then run the command again")
    })?;
    let read = settings::of(&file, after.as_bytes());
    let is_new = |fault: &&settings::Fault| {
        let is_known = |known: &settings::Fault| known.message == fault.message;
        !before.unusable().any(is_known)
    };
    if let Some(fault) = read.unusable().find(is_new) {
        let message = format!("{}; nothing was changed", fault.message);
        return Err(Failure::new(Exit::Usage, message).hint(format!(
            "set all of it at once: `co config set recall.embedder '{}'`",
            r#"{"api": "ollama", "url": "http://localhost:11434", "model": "nomic-embed-text"}"#
        )));
    }
    if after.as_bytes() != bytes
        && settings::write(&file, there.as_deref(), &after)? != Outcome::Done
    {
        let message = format!("{} was changed by another program", context.shown(&file));
        return Err(Failure::new(Exit::Busy, message).hint("run the command again"));
    }
    let is_place = key.name == "identity_path";
    let overridden = match context.identity.source {
        Source::Flag if is_place => Some("--identity"),
        Source::Environment if is_place => Some("CO_IDENTITY_PATH"),
        _ => None,
    };
    let value = |settings| match key.kind {
        Kind::Reference => shown(key.value(settings)),
        _ => key.value(settings),
    };
    Ok(Changed { key: key.name, before: value(&before), after: value(&read), file, overridden })
}

fn edited(text: &str, key: &Key, value: Option<&Value>) -> Result<String, String> {
    let json = Json::read(text).map_err(|error| error.to_string())?;
    let path = key.path();
    let (name, groups) = path.split_last().expect("because a key has a name");
    let done = match value {
        Some(value) => json.set(groups, name, value),
        None => json.remove(groups, name, groups),
    };
    done.map_err(|error| error.to_string())?;
    Ok(json.text())
}
