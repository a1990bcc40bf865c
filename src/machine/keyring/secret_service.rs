//! The Secret Service over D-Bus: GNOME Keyring, KWallet, KeePassXC.
//!
//! Invariant: a locked keyring is not taken for an absent entry, and all entries of a name are kept
//! equal. Must not know: timeouts.

use super::entry::{KeyringEntry, KeyringError, SERVICE, Unlock, Value};
use crate::identity::Stamp;
use secret_service::{
    EncryptionType, Error,
    blocking::{Collection, Item, SecretService},
};
use std::collections::HashMap;

impl From<Error> for KeyringError {
    fn from(error: Error) -> KeyringError {
        let text = error.to_string();
        let absent =
            ["ServiceUnknown", "NameHasNoOwner", "was not provided by any .service files", "Spawn"];
        match error {
            Error::Unavailable => KeyringError::NoBus,
            Error::Locked | Error::Prompt | Error::PromptDisconnected => KeyringError::Locked,
            _ if text.contains("IsLocked") || text.contains("is locked") => KeyringError::Locked,
            _ if text.contains("Failed to connect to address") => KeyringError::NoBus,
            _ if absent.iter().any(|word| text.contains(word)) => KeyringError::NoService,
            _ => KeyringError::Failed(text),
        }
    }
}

pub fn list() -> Result<Vec<KeyringEntry>, KeyringError> {
    let service = connect()?;
    let found = service.search_items(HashMap::from([("service", SERVICE)]))?;
    let entries: Vec<KeyringEntry> =
        found.unlocked.iter().chain(&found.locked).filter_map(entry).collect();
    if entries.is_empty() && is_locked(&service) {
        return Err(KeyringError::Locked);
    }
    Ok(entries)
}

pub fn get(name: &str, unlock: Unlock) -> Result<Vec<KeyringEntry>, KeyringError> {
    let service = connect()?;
    let mut entries = Vec::new();
    for item in &unlocked_items(&service, name, unlock)? {
        let value = Value::new(item.get_secret()?);
        entries.extend(entry(item).map(|entry| KeyringEntry { value: Some(value), ..entry }));
    }
    Ok(entries)
}

pub fn set(name: &str, value: &Value, unlock: Unlock) -> Result<usize, KeyringError> {
    let service = connect()?;
    let items = unlocked_items(&service, name, unlock)?;
    for item in &items {
        item.set_secret(value.expose(), "text/plain")?;
    }
    if items.is_empty() {
        let collection = default_collection(&service, unlock)?;
        let attributes =
            HashMap::from([("service", SERVICE), ("username", name), ("application", "co")]);
        let label = format!("{SERVICE}: {name}");
        collection.create_item(&label, attributes, value.expose(), false, "text/plain")?;
    }
    Ok(items.len())
}

pub fn remove(name: &str, unlock: Unlock) -> Result<usize, KeyringError> {
    let service = connect()?;
    let items = unlocked_items(&service, name, unlock)?;
    for item in &items {
        item.delete()?;
    }
    Ok(items.len())
}

fn connect() -> Result<SecretService<'static>, KeyringError> {
    Ok(SecretService::connect(EncryptionType::Dh)?)
}

fn is_locked(service: &SecretService<'_>) -> bool {
    service.get_default_collection().and_then(|collection| collection.is_locked()).unwrap_or(false)
}

fn default_collection<'a>(
    service: &'a SecretService<'_>,
    unlock: Unlock,
) -> Result<Collection<'a>, KeyringError> {
    let collection = match service.get_default_collection() {
        Err(Error::NoResult) if unlock == Unlock::Ask => {
            service.create_collection("Login", "default")?
        }
        Err(Error::NoResult) => return Err(KeyringError::NoCollection),
        other => other?,
    };
    if collection.is_locked()? {
        if unlock == Unlock::Never {
            return Err(KeyringError::Locked);
        }
        collection.unlock()?;
    }
    Ok(collection)
}

/// Unlocks a locked keyring before treating an item as absent.
fn unlocked_items<'a>(
    service: &'a SecretService<'a>,
    name: &str,
    unlock: Unlock,
) -> Result<Vec<Item<'a>>, KeyringError> {
    let attributes = || HashMap::from([("service", SERVICE), ("username", name)]);
    let mut found = service.search_items(attributes())?;
    if found.unlocked.is_empty() && found.locked.is_empty() && is_locked(service) {
        default_collection(service, unlock)?;
        found = service.search_items(attributes())?;
    }
    for item in &found.locked {
        if unlock == Unlock::Never {
            return Err(KeyringError::Locked);
        }
        item.unlock()?;
    }
    Ok(found.unlocked.into_iter().chain(found.locked).collect())
}

fn entry(item: &Item<'_>) -> Option<KeyringEntry> {
    let attributes = item.get_attributes().ok()?;
    let program = attributes.get("application").or_else(|| attributes.get("xdg:schema")).cloned();
    let modified = item.get_modified().or_else(|_| item.get_created()).unwrap_or_default();
    let micros = i64::try_from(modified).ok().and_then(|at| at.checked_mul(Stamp::SECOND));
    let modified = micros.filter(|at| *at > 0).map(Stamp::from_micros);
    Some(KeyringEntry { name: attributes.get("username")?.clone(), program, modified, value: None })
}
