//! The keyring of this laptop: the Secret Service of a Linux or BSD desktop, the Keychain of macOS,
//! the Credential Manager of Windows.
//!
//! Invariant: a value is never written to a file, never part of a command line or an error, and
//! never shown by `Debug`; a locked keyring is told apart from an absent entry; nothing waits for
//! ever.

#[cfg(any(target_os = "macos", windows, test))]
mod native;
#[cfg(not(any(target_os = "macos", windows)))]
mod secret_service;

use super::Context;
use crate::identity::Stamp;
use std::{sync::mpsc, thread, time::Duration};

#[cfg(any(target_os = "macos", windows))]
use native as platform;
#[cfg(not(any(target_os = "macos", windows)))]
use secret_service as platform;

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

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The secret's name.
    pub name: String,
    /// Which program stored it, as far as it says so.
    pub program: Option<String>,
    /// When it was last written, where the keyring says so.
    pub modified: Option<Stamp>,
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
        let mut entries = platform::list()?;
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
        let mut entries = platform::get(&name, unlock)?;
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
    within(limit(unlock), move || platform::set(&name, &value, unlock))
}

/// Removes every entry of a name. Returns how many there were.
///
/// # Errors
/// When there is no keyring or it stays locked.
pub fn remove(name: &str, unlock: Unlock) -> Result<usize, KeyringError> {
    let name = name.to_owned();
    within(limit(unlock), move || platform::remove(&name, unlock))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_does_not_show_itself() {
        let entry = Entry {
            name: "a".into(),
            program: None,
            modified: None,
            value: Some(Value::new(b"hidden".to_vec())),
        };
        assert!(!format!("{entry:?}").contains("hidden") && !format!("{entry:?}").contains("104"));
    }
}
