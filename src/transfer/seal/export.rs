//! `seal export-key`: the keys of the repository, for `age` and git alone.
//!
//! Invariant: they go only to the one who asked for them. Must not write a file.

use super::Sealed;
use crate::git::sealed;
use crate::machine::keyring::Value;
use crate::workspace::{Error, Workspace};
use age::secrecy::ExposeSecret;

/// An age identity file with the keys of all epochs.
pub fn run(ws: &Workspace) -> Result<Value, Error> {
    let place = Sealed::alone(ws, None)?;
    let ring = sealed::ring(&place.repo, &place.url, &place.access)?;
    Ok(Value::new(ring.to_text().expose_secret().as_bytes().to_vec()))
}
