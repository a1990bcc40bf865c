//! An entry of a keyring, and why there may be none.
//!
//! Invariant: `Debug` never shows a value. Must not know which keyring it is.

use crate::identity::Stamp;

/// The service name of co's entries; their user is the secret's name. Other programs
/// (`secret-tool`, Python's keyring) use the same two attributes.
pub(super) const SERVICE: &str = "co-cli";

/// A secret that `Debug` does not show.
#[derive(Clone, PartialEq, Eq)]
pub struct Value(Vec<u8>);

impl Value {
    pub fn new(bytes: Vec<u8>) -> Value {
        Value(bytes)
    }

    pub fn expose(&self) -> &[u8] {
        &self.0
    }
}

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Value(…)")
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyringEntry {
    pub name: String,
    /// The program that stored it, if known.
    pub program: Option<String>,
    pub modified: Option<Stamp>,
    /// Only if it was requested.
    pub value: Option<Value>,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum KeyringError {
    #[cfg_attr(
        any(target_os = "macos", windows),
        allow(dead_code, reason = "only the Secret Service has a bus and collections")
    )]
    #[error("there is no keyring (no D-Bus session)")]
    NoBus,
    #[error("there is no keyring (no program on D-Bus provides the Secret Service)")]
    NoService,
    #[cfg_attr(
        any(target_os = "macos", windows),
        allow(dead_code, reason = "only the Secret Service has a bus and collections")
    )]
    #[error("the keyring has no default collection yet")]
    NoCollection,
    #[error("the keyring is locked")]
    Locked,
    #[error("the keyring did not answer within {0} s")]
    Silent(u64),
    #[error("the keyring failed: {0}")]
    Failed(String),
}

/// Whether a locked keyring may prompt the user.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unlock {
    Ask,
    Never,
}
