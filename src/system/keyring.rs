//! The keyring of this laptop: the Secret Service of the desktop, over D-Bus.
//!
//! Invariant: a value is never written to a file, never part of a command line or an error, and
//! never shown by `Debug`; a locked keyring is told apart from an absent entry; nothing waits for
//! ever.

use super::Context;
use crate::identity::Stamp;
use secret_service::{
    EncryptionType, Error,
    blocking::{Collection, Item, SecretService},
};
use std::{collections::HashMap, sync::mpsc, thread, time::Duration};

/// The service that co stores under; the user is the secret's name. Other programs (`secret-tool`,
/// Python's keyring) use the same two words.
pub const SERVICE: &str = "co-cli";

/// How long the keyring may take where nobody has to type anything.
const PROMPTLY: Duration = Duration::from_secs(10);
/// How long where a person unlocks it.
const TYPING: Duration = Duration::from_secs(300);

/// A value that does not show itself.
#[derive(Clone, PartialEq, Eq)]
pub struct Value(Vec<u8>);

impl Value {
    /// Wraps bytes.
    pub fn new(bytes: Vec<u8>) -> Value {
        Value(bytes)
    }

    /// The bytes, for the one who uses them.
    pub fn expose(&self) -> &[u8] {
        &self.0
    }
}

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Value(…)")
    }
}

/// Why the keyring did not do it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum KeyringError {
    /// There is no D-Bus session to ask.
    #[error("there is no keyring: no D-Bus session to reach one through")]
    NoBus,
    /// The bus is there, and no keyring on it.
    #[error("there is no keyring: no program on D-Bus offers the Secret Service")]
    NoService,
    /// It is there and has no collection that new entries go to.
    #[error("the keyring has no default collection yet")]
    NoCollection,
    /// It is locked, and nobody unlocked it.
    #[error("the keyring is locked")]
    Locked,
    /// It said nothing for too long.
    #[error("the keyring did not answer for {0} s")]
    Silent(u64),
    /// Anything else.
    #[error("the keyring failed: {0}")]
    Failed(String),
}

impl KeyringError {
    /// Whether there is no keyring at all, so that it holds nothing either.
    pub fn is_absent(&self) -> bool {
        matches!(self, KeyringError::NoBus | KeyringError::NoService | KeyringError::NoCollection)
    }
}

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

/// One entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The secret's name.
    pub name: String,
    /// Which program stored it, as far as it says so.
    pub program: Option<String>,
    /// When it was last written.
    pub modified: Stamp,
    /// Its value; only where it was asked for.
    pub value: Option<Value>,
}

/// Whether a locked keyring may ask the person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unlock {
    /// A window may open.
    Ask,
    /// Locked is an answer.
    Never,
}

impl Unlock {
    /// Asks where a person sits at a terminal of a desktop.
    pub fn on(context: &Context) -> Unlock {
        let desktop = context.env("DISPLAY").is_some() || context.env("WAYLAND_DISPLAY").is_some();
        if context.interactive && desktop { Unlock::Ask } else { Unlock::Never }
    }
}

/// Every entry of co, by name, without values.
///
/// # Errors
/// When there is no keyring. A locked one tells the names that it can.
pub fn list() -> Result<Vec<Entry>, KeyringError> {
    within(PROMPTLY, || {
        let service = connect()?;
        let found = service.search_items(HashMap::from([("service", SERVICE)]))?;
        let mut entries: Vec<Entry> =
            found.unlocked.iter().chain(&found.locked).filter_map(entry).collect();
        if entries.is_empty() && is_locked(&service) {
            return Err(KeyringError::Locked);
        }
        entries.sort_by(|a, b| (&a.name, b.modified).cmp(&(&b.name, a.modified)));
        Ok(entries)
    })
}

/// The entries of a name with their values, the last written one first. Several when other programs
/// stored the same name.
///
/// # Errors
/// When there is no keyring or it stays locked.
pub fn get(name: &str, unlock: Unlock) -> Result<Vec<Entry>, KeyringError> {
    let name = name.to_owned();
    within(limit(unlock), move || {
        let service = connect()?;
        let items = unlocked_items(&service, &name, unlock)?;
        let mut entries = Vec::new();
        for item in &items {
            let value = Value::new(item.get_secret()?);
            entries.extend(entry(item).map(|entry| Entry { value: Some(value), ..entry }));
        }
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.modified));
        Ok(entries)
    })
}

/// Stores a value: in every entry of that name, so that all programs see the same, or in a new one.
/// Returns how many there were.
///
/// # Errors
/// When there is no keyring or it stays locked.
pub fn set(name: &str, value: Value, unlock: Unlock) -> Result<usize, KeyringError> {
    let name = name.to_owned();
    within(limit(unlock), move || {
        let service = connect()?;
        let items = unlocked_items(&service, &name, unlock)?;
        for item in &items {
            item.set_secret(value.expose(), "text/plain")?;
        }
        if items.is_empty() {
            let collection = default_collection(&service, unlock)?;
            let attributes = HashMap::from([
                ("service", SERVICE),
                ("username", name.as_str()),
                ("application", "co"),
            ]);
            collection.create_item(
                &format!("{SERVICE}: {name}"),
                attributes,
                value.expose(),
                false,
                "text/plain",
            )?;
        }
        Ok(items.len())
    })
}

/// Removes every entry of a name. Returns how many there were.
///
/// # Errors
/// When there is no keyring or it stays locked.
pub fn remove(name: &str, unlock: Unlock) -> Result<usize, KeyringError> {
    let name = name.to_owned();
    within(limit(unlock), move || {
        let service = connect()?;
        let items = unlocked_items(&service, &name, unlock)?;
        for item in &items {
            item.delete()?;
        }
        Ok(items.len())
    })
}

fn limit(unlock: Unlock) -> Duration {
    if unlock == Unlock::Ask { TYPING } else { PROMPTLY }
}

/// Runs beside, so that a keyring that hangs does not hang us.
fn within<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> Result<T, KeyringError> + Send + 'static,
) -> Result<T, KeyringError> {
    let (tell, told) = mpsc::channel();
    thread::spawn(move || tell.send(work()));
    match told.recv_timeout(limit) {
        Ok(result) => result,
        Err(mpsc::RecvTimeoutError::Timeout) => Err(KeyringError::Silent(limit.as_secs())),
        Err(mpsc::RecvTimeoutError::Disconnected) => {
            Err(KeyringError::Failed("it broke off".into()))
        }
    }
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

/// The items of a name. What cannot be found in a locked keyring is not absent.
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

fn entry(item: &Item<'_>) -> Option<Entry> {
    let attributes = item.get_attributes().ok()?;
    let program = attributes.get("application").or_else(|| attributes.get("xdg:schema")).cloned();
    let modified = item.get_modified().or_else(|_| item.get_created()).unwrap_or_default();
    let modified = Stamp::from_micros(i64::try_from(modified).unwrap_or_default() * Stamp::SECOND);
    Some(Entry { name: attributes.get("username")?.clone(), program, modified, value: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_does_not_show_itself() {
        let entry = Entry {
            name: "a".into(),
            program: None,
            modified: Stamp::EPOCH,
            value: Some(Value::new(b"hidden".to_vec())),
        };
        assert!(!format!("{entry:?}").contains("hidden") && !format!("{entry:?}").contains("104"));
    }
}
