//! What can be done after a keyring failure.
//!
//! Invariant: every variant is listed by name, so that a new one does not compile without a hint.

use super::phrases::Hints;
use crate::integrations::secret::SecretError;
use crate::machine::keyring::{KEEPER, KeyringError};
use crate::secrets::reference;

pub fn secret(error: &SecretError) -> Hints {
    let hint = match error {
        SecretError::Empty { name } => {
            return vec![format!("`co secret rm {name}` removes a secret")];
        }
        SecretError::NotHere { name } => {
            let variable = reference::variable(name);
            return vec![format!("`co secret set {name}` stores one; in CI set {variable}")];
        }
        SecretError::Keyring { name, source } => return keyring(source, name.as_deref()),
        SecretError::Name { .. } => {
            "use letters, digits, `-`, `_` and `.`, at most 100, starting with a letter or digit: \
             `co secret set staging-token`"
        }
        SecretError::LooksLikeSecret => {
            "give only the name; co asks for the value: `co secret set staging-token`"
        }
        SecretError::TooLong { .. } => {
            "a keyring holds passwords, tokens and keys; keep files in a password store"
        }
        SecretError::NotInKeyring { .. } => "`co secret list` shows the names",
    };
    vec![hint.to_owned()]
}

fn keyring(error: &KeyringError, name: Option<&str>) -> Hints {
    let variable = reference::variable(name.unwrap_or("NAME"));
    let instead = format!("on a server or in CI set {variable}; co keeps no value in a plain file");
    let opening = error.advice(KEEPER).iter().map(|hint| (*hint).to_owned());
    opening.chain([instead]).collect()
}
