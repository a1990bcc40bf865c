//! The system's keyring: Keychain of macOS, Credential Manager of Windows.
//!
//! Invariant: one entry per name, which those stores ensure themselves. The Keychain opens a window
//! only if a person may be asked. Tested on Linux with an in-memory store; not yet run on either.

use super::entry::{KeyringEntry, KeyringError, SERVICE, Value};
use keyring_core::{CredentialStore, Error};
use std::collections::HashMap;

impl From<Error> for KeyringError {
    fn from(error: Error) -> KeyringError {
        match error {
            Error::NoDefaultStore => KeyringError::NoService,
            Error::NoStorageAccess(_) => KeyringError::Locked,
            Error::PlatformFailure(source) if status(&*source).is_some_and(is_closed) => {
                KeyringError::Locked
            }
            other => KeyringError::Failed(other.to_string()),
        }
    }
}

/// The Keychain's status code, as `security error` explains it.
#[cfg(target_os = "macos")]
fn status(source: &(dyn std::error::Error + Send + Sync + 'static)) -> Option<i32> {
    source.downcast_ref::<security_framework::base::Error>().map(|error| error.code())
}

#[cfg(not(target_os = "macos"))]
fn status(_: &(dyn std::error::Error + Send + Sync + 'static)) -> Option<i32> {
    None
}

/// Whether a password was required but not entered, or wrong. Source: SecBase.h.
fn is_closed(status: i32) -> bool {
    const USER_CANCELED: i32 = -128;
    const AUTH_FAILED: i32 = -25_293;
    const INTERACTION_NOT_ALLOWED: i32 = -25_308;
    const INTERACTION_REQUIRED: i32 = -25_315;
    [USER_CANCELED, AUTH_FAILED, INTERACTION_NOT_ALLOWED, INTERACTION_REQUIRED].contains(&status)
}

#[cfg(any(target_os = "macos", windows))]
pub use here::{get, list, remove, set};

#[cfg(any(target_os = "macos", windows))]
mod here {
    use super::{KeyringEntry, KeyringError, Value};
    use crate::machine::keyring::Unlock;
    use keyring_core::CredentialStore;
    use std::sync::Arc;

    pub fn list() -> Result<Vec<KeyringEntry>, KeyringError> {
        asking(Unlock::Never, || super::list_in(&*store()?))
    }

    pub fn get(name: &str, unlock: Unlock) -> Result<Vec<KeyringEntry>, KeyringError> {
        asking(unlock, || super::get_in(&*store()?, name))
    }

    pub fn set(name: &str, value: &Value, unlock: Unlock) -> Result<usize, KeyringError> {
        asking(unlock, || super::set_in(&*store()?, name, value))
    }

    pub fn remove(name: &str, unlock: Unlock) -> Result<usize, KeyringError> {
        asking(unlock, || super::remove_in(&*store()?, name))
    }

    /// Without a person, no window is opened: a locked keychain stays locked.
    #[cfg(target_os = "macos")]
    fn asking<T>(
        unlock: Unlock,
        work: impl FnOnce() -> Result<T, KeyringError>,
    ) -> Result<T, KeyringError> {
        use security_framework::os::macos::keychain::SecKeychain;
        // The permission applies to the whole process: one call at a time sets it.
        static ALONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
        let _alone = ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let quiet = (unlock == Unlock::Never).then(SecKeychain::disable_user_interaction);
        let _silent = quiet
            .transpose()
            .map_err(|error| KeyringError::Failed(format!("it cannot be kept quiet: {error}")))?;
        work()
    }

    #[cfg(windows)]
    fn asking<T>(
        _: Unlock,
        work: impl FnOnce() -> Result<T, KeyringError>,
    ) -> Result<T, KeyringError> {
        work()
    }

    #[cfg(target_os = "macos")]
    fn store() -> Result<Arc<CredentialStore>, KeyringError> {
        Ok(apple_native_keyring_store::keychain::Store::new()?)
    }

    #[cfg(windows)]
    fn store() -> Result<Arc<CredentialStore>, KeyringError> {
        Ok(windows_native_keyring_store::Store::new()?)
    }
}

fn list_in(store: &CredentialStore) -> Result<Vec<KeyringEntry>, KeyringError> {
    // The Keychain filters by service; Windows only by target patterns, so all are read.
    let narrowed = if cfg!(target_os = "macos") {
        HashMap::from([("service", SERVICE)])
    } else {
        HashMap::new()
    };
    let names = store.search(&narrowed)?.into_iter().filter_map(|found| found.get_specifiers());
    Ok(names.filter(|(service, _)| service == SERVICE).map(|(_, name)| entry(name, None)).collect())
}

fn get_in(store: &CredentialStore, name: &str) -> Result<Vec<KeyringEntry>, KeyringError> {
    match store.build(SERVICE, name, None)?.get_secret() {
        Ok(bytes) => Ok(vec![entry(name.to_owned(), Some(Value::new(bytes)))]),
        Err(Error::NoEntry) => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

fn set_in(store: &CredentialStore, name: &str, value: &Value) -> Result<usize, KeyringError> {
    let before = get_in(store, name)?.len();
    store.build(SERVICE, name, None)?.set_secret(value.expose())?;
    Ok(before)
}

fn remove_in(store: &CredentialStore, name: &str) -> Result<usize, KeyringError> {
    match store.build(SERVICE, name, None)?.delete_credential() {
        Ok(()) => Ok(1),
        Err(Error::NoEntry) => Ok(0),
        Err(error) => Err(error.into()),
    }
}

fn entry(name: String, value: Option<Value>) -> KeyringEntry {
    KeyringEntry { name, program: None, modified: None, value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keyring_core::api::CredentialStoreApi;

    #[test]
    fn a_value_is_stored_read_listed_replaced_and_removed() {
        let store = keyring_core::mock::Store::new().expect("a store in memory");
        let value = |text: &str| Value::new(text.as_bytes().to_vec());
        assert_eq!(get_in(&*store, "KEY"), Ok(Vec::new()));
        assert_eq!(set_in(&*store, "KEY", &value("one")), Ok(0));
        assert_eq!(set_in(&*store, "KEY", &value("two")), Ok(1));
        assert_eq!(get_in(&*store, "KEY"), Ok(vec![entry("KEY".into(), Some(value("two")))]));
        let other = store.build("another program", "KEY", None).expect("an entry");
        other.set_secret(b"theirs").expect("stored");
        assert_eq!(list_in(&*store), Ok(vec![entry("KEY".into(), None)]));
        assert_eq!(remove_in(&*store, "KEY"), Ok(1));
        assert_eq!(remove_in(&*store, "KEY"), Ok(0));
        assert_eq!(other.get_secret().expect("still there"), b"theirs");
    }

    #[test]
    fn a_window_that_may_not_open_means_a_locked_keychain() {
        assert!([-128, -25_293, -25_308, -25_315].into_iter().all(is_closed));
        assert!(![0, -25_299, -50].into_iter().any(is_closed));
    }

    #[test]
    fn an_entry_that_cannot_be_opened_is_locked_and_not_absent() {
        let store = keyring_core::mock::Store::new().expect("a store in memory");
        let error = Error::NoStorageAccess("the keychain is locked".into());
        assert_eq!(KeyringError::from(error), KeyringError::Locked);
        assert!(get_in(&*store, "KEY").expect("a store that is open").is_empty());
    }
}
