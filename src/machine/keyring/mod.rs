//! The keyring of this laptop: the Secret Service of a Linux or BSD desktop, the Keychain of macOS,
//! the Credential Manager of Windows.
//!
//! Invariant: a value is never written to a file, never part of a command line or an error, and
//! never shown by `Debug`; a locked keyring is not taken for an absent entry; nothing blocks
//! forever.

mod entry;
#[cfg(any(target_os = "macos", windows, test))]
mod native;
#[cfg(not(any(target_os = "macos", windows)))]
mod secret_service;

pub use entry::{KeyringEntry, KeyringError, Unlock, Value};

use super::Context;
use std::{sync::mpsc, thread, time::Duration};

#[cfg(any(target_os = "macos", windows))]
use native as platform;
#[cfg(not(any(target_os = "macos", windows)))]
use secret_service as platform;

/// Limit if nobody has to type anything.
const PROMPTLY: Duration = Duration::from_secs(10);
/// Limit if a person unlocks the keyring.
const TYPING: Duration = Duration::from_secs(300);

impl KeyringError {
    /// How to open the keyring, in the terms of its system.
    pub fn advice(&self, keeper: KeyringBackend) -> &'static [&'static str] {
        const HEADLESS: &str = "without a desktop: `gnome-keyring-daemon --replace --unlock` in the \
            session's D-Bus reads its password from standard input";
        match (keeper, self) {
            (KeyringBackend::Keychain, KeyringError::Locked) => &[
                "`security unlock-keychain` unlocks the login Keychain in this terminal; an agent, \
                 a hook or a server never opens a window",
            ],
            (KeyringBackend::Keychain, _) => {
                &["`security find-generic-password -s co-cli` shows whether the Keychain responds"]
            }
            (KeyringBackend::CredentialManager, _) => {
                &["check the Windows credentials in the Credential Manager"]
            }
            (KeyringBackend::SecretService, KeyringError::NoBus) => {
                &["log in to the desktop, or start the command with `dbus-run-session`"]
            }
            (KeyringBackend::SecretService, KeyringError::NoService) => &[
                "install gnome-keyring, or enable the Secret Service in KWallet or KeePassXC, and \
                 log in again",
            ],
            (KeyringBackend::SecretService, KeyringError::NoCollection) => {
                &["log in to the desktop once, which creates one", HEADLESS]
            }
            (KeyringBackend::SecretService, KeyringError::Locked) => {
                const UNLOCK: &str = "log in to the desktop, or unlock it in its own program \
                    (Seahorse, KWalletManager, KeePassXC)";
                &[UNLOCK, HEADLESS]
            }
            (KeyringBackend::SecretService, KeyringError::Silent(_) | KeyringError::Failed(_)) => {
                &["`secret-tool search service co-cli` shows whether the keyring responds"]
            }
        }
    }

    /// There is no keyring at all, so it contains nothing either.
    pub fn is_absent(&self) -> bool {
        matches!(self, KeyringError::NoBus | KeyringError::NoService | KeyringError::NoCollection)
    }
}

impl Unlock {
    /// `Ask` if a person sits at a terminal with a desktop.
    pub fn on(context: &Context) -> Unlock {
        let has = |name: &str| context.env(name).is_some();
        if context.interactive && KEEPER.has_desktop(has) { Unlock::Ask } else { Unlock::Never }
    }
}

/// Keyring implementation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyringBackend {
    /// gnome-keyring, KWallet, KeePassXC.
    SecretService,
    Keychain,
    CredentialManager,
}

/// The keyring of this system.
pub const KEEPER: KeyringBackend = if cfg!(target_os = "macos") {
    KeyringBackend::Keychain
} else if cfg!(windows) {
    KeyringBackend::CredentialManager
} else {
    KeyringBackend::SecretService
};

impl KeyringBackend {
    /// Whether a window can be opened, as far as the environment shows: a Mac's terminal has one
    /// unless it is on another machine.
    fn has_desktop(self, has: impl Fn(&str) -> bool) -> bool {
        match self {
            KeyringBackend::SecretService => has("DISPLAY") || has("WAYLAND_DISPLAY"),
            KeyringBackend::Keychain | KeyringBackend::CredentialManager => !has("SSH_CONNECTION"),
        }
    }
}

/// Whether a window can be opened on this machine for the person at the terminal.
pub(super) fn has_desktop(context: &Context) -> bool {
    KEEPER.has_desktop(|name| context.env(name).is_some())
}

/// Every entry of co, by name, without values. For a locked keyring, the names that can be listed.
pub fn list() -> Result<Vec<KeyringEntry>, KeyringError> {
    within(PROMPTLY, || {
        let mut entries = platform::list()?;
        entries.sort_by(|a, b| (&a.name, b.modified).cmp(&(&b.name, a.modified)));
        Ok(entries)
    })
}

/// The entries of a name, last written first: several if other programs used the name.
pub fn get(name: &str, unlock: Unlock) -> Result<Vec<KeyringEntry>, KeyringError> {
    let name = name.to_owned();
    within(limit(unlock), move || {
        let mut entries = platform::get(&name, unlock)?;
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.modified));
        Ok(entries)
    })
}

/// Writes all entries of that name, or creates one, so that all programs see the same value.
/// Returns how many there were before.
pub fn set(name: &str, value: Value, unlock: Unlock) -> Result<usize, KeyringError> {
    let name = name.to_owned();
    within(limit(unlock), move || platform::set(&name, &value, unlock))
}

/// Removes every entry of a name; returns how many there were.
pub fn remove(name: &str, unlock: Unlock) -> Result<usize, KeyringError> {
    let name = name.to_owned();
    within(limit(unlock), move || platform::remove(&name, unlock))
}

fn limit(unlock: Unlock) -> Duration {
    if unlock == Unlock::Ask { TYPING } else { PROMPTLY }
}

/// Runs in a thread, so that a hanging keyring does not block co.
fn within<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> Result<T, KeyringError> + Send + 'static,
) -> Result<T, KeyringError> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(work()));
    match receiver.recv_timeout(limit) {
        Ok(result) => result,
        Err(mpsc::RecvTimeoutError::Timeout) => Err(KeyringError::Silent(limit.as_secs())),
        Err(mpsc::RecvTimeoutError::Disconnected) => {
            Err(KeyringError::Failed("it ended without a result".into()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_opens_where_there_is_a_screen() {
        let none = |_: &str| false;
        assert!(!KeyringBackend::SecretService.has_desktop(none));
        assert!(KeyringBackend::SecretService.has_desktop(|name| name == "WAYLAND_DISPLAY"));
        assert!(KeyringBackend::Keychain.has_desktop(none));
        assert!(!KeyringBackend::Keychain.has_desktop(|name| name == "SSH_CONNECTION"));
    }

    #[test]
    fn a_value_does_not_show_itself() {
        let entry = KeyringEntry {
            name: "a".into(),
            program: None,
            modified: None,
            value: Some(Value::new(b"hidden".to_vec())),
        };
        assert!(!format!("{entry:?}").contains("hidden") && !format!("{entry:?}").contains("104"));
    }
}
