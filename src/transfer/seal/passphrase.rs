//! A person's own passphrase, beside the recovery key.
//!
//! Invariant: a short one is refused, and none is stored.

use super::SealError;
use crate::machine::keyring::Value;
use crate::seal::{
    key_file::{self, Work},
    keys::{OWN_PASSPHRASE_MIN, Passphrase, RecoveryKey},
};
use crate::workspace::Error;

/// The recovery key, for a passphrase.
pub(super) fn locked(recovery: &RecoveryKey, text: &Value) -> Result<Vec<u8>, Error> {
    let passphrase = Passphrase::own(String::from_utf8_lossy(text.expose()).trim());
    let passphrase = passphrase.ok_or(SealError::ShortPassphrase { least: OWN_PASSPHRASE_MIN })?;
    Ok(key_file::for_passphrase(recovery, &passphrase, Work::USUAL))
}
