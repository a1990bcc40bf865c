//! The value of a named secret: from the environment, else from this laptop's keyring.
//!
//! Invariant: a value goes only to the one who asked for it; no error contains one. Must not know
//! who needs it.

use super::{
    Context,
    keyring::{self, KeyringEntry, KeyringError, Unlock, Value},
};
use crate::secrets::reference;
use serde::Serialize;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// `CO_SECRET_NAME`, which takes precedence.
    Environment,
    Keyring,
}

#[derive(Debug)]
pub struct Got {
    pub name: String,
    pub origin: Origin,
    pub value: Value,
    /// For example if several programs stored different values.
    pub warnings: Vec<String>,
}

/// Why a secret was not stored, read or removed.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    #[error("`{name}` is not a valid secret name")]
    Name { name: String },
    #[error("the name looks like a secret itself; nothing was stored")]
    LooksLikeSecret,
    #[error("the value is empty; nothing was stored")]
    Empty { name: String },
    #[error("the value is longer than {limit} bytes; nothing was stored")]
    TooLong { limit: usize },
    #[error("there is no secret `{name}` on this laptop")]
    NotHere { name: String },
    #[error("there is no secret `{name}` in the keyring")]
    NotInKeyring { name: String },
    #[error("{source}")]
    Keyring { name: Option<String>, source: KeyringError },
}

pub fn sound_name(name: &str) -> Result<(), SecretError> {
    if reference::is_name(name) {
        return Ok(());
    }
    Err(SecretError::Name { name: name.to_owned() })
}

/// How the entries of layers begin, before the layer's name and a `/`: no secret's name has one,
/// and the keys of sealed remotes begin otherwise.
const OF_LAYERS: &str = "layer/";

/// The name under which the keyring has a secret of this call: what stands in for the person's own
/// identity has secrets of its own.
pub fn stored_as(context: &Context, name: &str) -> String {
    match context.instead() {
        Some(layer) => format!("{OF_LAYERS}{layer}/{name}"),
        None => name.to_owned(),
    }
}

/// The entries of the keyring that belong to the identity of this call, by their own names.
pub fn listed(context: &Context) -> Result<Vec<KeyringEntry>, KeyringError> {
    let layer = context.instead();
    let own = |entry: KeyringEntry| {
        let of_layer = entry.name.strip_prefix(OF_LAYERS).and_then(|rest| rest.split_once('/'));
        let name = match (of_layer, layer) {
            (None, None) if !entry.name.contains('/') => entry.name.clone(),
            (Some((of, name)), Some(layer)) if of == layer.as_str() => name.to_owned(),
            _ => return None,
        };
        Some(KeyringEntry { name, ..entry })
    };
    Ok(keyring::list()?.into_iter().filter_map(own).collect())
}

pub fn get(context: &Context, name: &str) -> Result<Got, SecretError> {
    sound_name(name)?;
    if let Some(value) = context.env(&reference::variable(name)) {
        let value = Value::new(value.as_bytes().to_vec());
        return Ok(Got {
            name: name.to_owned(),
            origin: Origin::Environment,
            value,
            warnings: Vec::new(),
        });
    }
    let entries = keyring::get(&stored_as(context, name), Unlock::on(context))
        .map_err(|error| failed(error, Some(name)))?;
    let warnings = differing(name, &entries);
    let value =
        entries.into_iter().next().and_then(|entry| entry.value).ok_or_else(|| missing(name))?;
    Ok(Got { name: name.to_owned(), origin: Origin::Keyring, value, warnings })
}

fn missing(name: &str) -> SecretError {
    SecretError::NotHere { name: name.to_owned() }
}

/// Warns if several programs stored different values under one name: the newest is used.
fn differing(name: &str, entries: &[KeyringEntry]) -> Vec<String> {
    let first = entries.first().and_then(|entry| entry.value.as_ref());
    if entries.iter().all(|entry| entry.value.as_ref() == first) {
        return Vec::new();
    }
    let who = |entry: &KeyringEntry| {
        let program = entry.program.as_deref().unwrap_or("unnamed program");
        entry.modified.map_or(program.to_owned(), |at| format!("{program} ({at})"))
    };
    let all: Vec<String> = entries.iter().map(who).collect();
    vec![format!(
        "the keyring has {} entries for {name} with different values: {}; the first one was used. \
         `co secret set {name}` replaces them with one",
        entries.len(),
        all.join(", ")
    )]
}

pub fn failed(source: KeyringError, name: Option<&str>) -> SecretError {
    SecretError::Keyring { name: name.map(str::to_owned), source }
}
