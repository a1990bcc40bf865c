//! `seal add`, `remove`, `rotate`, `repack`, `repair`: who has the keys, and what lies on the
//! remote.
//!
//! Invariant: each is one push; a refused one is tried again on what the remote has then.

use super::{SealError, Sealed, kept, keyring};
use crate::git::{
    GitError,
    sealed::{self, Amended, Amendment, Repaired, SealedError},
};
use crate::machine::{keyring::Value, seal_keys::KeySource};
use crate::seal::names::LaptopName;
use crate::workspace::{Error, Workspace};
use serde::Serialize;

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub url: String,
    pub changed: bool,
    /// The laptop that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub laptop: Option<String>,
}

fn amend(ws: &Workspace, place: &Sealed, amendment: &Amendment) -> Result<Report, Error> {
    ws.refuse_read_only(ws.identity()?)?;
    let amended = sealed::amend(&place.repo, &place.url, amendment, &place.access)?;
    Ok(Report { url: place.remote(), changed: amended == Amended::Changed, laptop: None })
}

/// Keeps the key on this laptop, and publishes that it has it. `given`: a recovery key or
/// passphrase.
pub fn add(ws: &Workspace, given: Option<Value>) -> Result<Report, Error> {
    let mut place = Sealed::alone(ws, given)?;
    if place.access.keys.given().is_some() {
        place.access.keys.require_keyring().map_err(keyring)?;
        let ring = sealed::ring(&place.repo, &place.url, &place.access)?;
        let own = place.access.keys.of_keyring();
        // A laptop that was let in before keeps its own key.
        kept::store(&own, ring, || place.remote())?;
        place.access.keys = own;
    }
    let report = amend(ws, &place, &Amendment::Enrol)?;
    Ok(Report { laptop: own_name(&place), ..report })
}

/// The name of this laptop among those with the keys.
fn own_name(place: &Sealed) -> Option<String> {
    let state = place.state().ok()?;
    let held = place.access.keys.of_keyring().stored(Some(&state.seen.repository)).ok()?;
    let own = held.first()?.laptop.recipient();
    let own = state.seen.laptops.iter().find(|laptop| laptop.recipient == own)?;
    Some(own.name.to_string())
}

/// The laptop of that name, if it can be removed; before anybody is asked.
pub fn removable(ws: &Workspace, name: &str) -> Result<LaptopName, Error> {
    let place = Sealed::of(ws, None)?;
    let state = place.state()?;
    if own_name(&place).as_deref() == Some(name) {
        return Err(SealError::Itself { name: name.to_owned() }.into());
    }
    let laptops: Vec<&str> = state.seen.laptops.iter().map(|laptop| laptop.name.as_str()).collect();
    if let Some(laptop) = LaptopName::parse(name).filter(|_| laptops.contains(&name)) {
        return Ok(laptop);
    }
    let name = name.to_owned();
    if laptops.is_empty() {
        return Err(SealError::NoLaptops { name }.into());
    }
    Err(SealError::NoLaptop { name, laptops: laptops.join(", ") }.into())
}

/// A new key for all other laptops.
pub fn remove(ws: &Workspace, name: &str) -> Result<Report, Error> {
    let laptop = removable(ws, name)?;
    let place = Sealed::alone(ws, None)?;
    let report = amend(ws, &place, &Amendment::Remove(laptop))?;
    Ok(Report { laptop: Some(name.to_owned()), ..report })
}

/// A new key for all laptops.
pub fn rotate(ws: &Workspace) -> Result<Report, Error> {
    amend(ws, &Sealed::alone(ws, None)?, &Amendment::Rotate)
}

/// One pack in place of all.
pub fn repack(ws: &Workspace) -> Result<Report, Error> {
    amend(ws, &Sealed::alone(ws, None)?, &Amendment::Repack)
}

/// Puts right what the host lost.
pub fn repair(ws: &Workspace) -> Result<Repaired, Error> {
    ws.refuse_read_only(ws.identity()?)?;
    let place = Sealed::alone(ws, None)?;
    Ok(sealed::repair(&place.repo, &place.url, &place.access)?)
}

/// The URL of the repository that the remote lies in, without a password.
pub fn url(ws: &Workspace) -> Result<String, Error> {
    Ok(Sealed::of(ws, None)?.remote())
}

/// Whether the key that this laptop has is one from before it was removed.
pub fn was_removed(error: &Error) -> bool {
    matches!(error, Error::Git(GitError::Sealed(SealedError::Removed { .. })))
}

/// Fails if this laptop could not keep a key, before anybody is asked for one.
pub fn refuse_unkept(ws: &Workspace) -> Result<(), Error> {
    KeySource::of(ws).require_keyring().map_err(keyring)
}

/// Whether this laptop has a key, so that none need be asked for.
pub fn has_key(ws: &Workspace) -> Result<bool, Error> {
    let place = Sealed::of(ws, None)?;
    let keys = KeySource::of(ws);
    let state = sealed::State::read(&place.repo)?;
    let repository = state.as_ref().map(|state| &state.seen.repository);
    Ok(keys.given().is_some() || keys.stored(repository).is_ok_and(|held| !held.is_empty()))
}
