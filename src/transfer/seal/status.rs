//! `seal status`: whether the remote is sealed, who has the keys, and what was last heard of them.
//!
//! Invariant: asks nobody; it says what this laptop saw last.

use super::{SealError, Sealed, recovery};
use crate::git::sealed;
use crate::identity::Stamp;
use crate::machine::{keyring::KeyringError, seal_keys::KeySource};
use crate::seal::keys::LaptopKey;
use crate::workspace::{Error, Workspace};
use serde::Serialize;

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub remote: String,
    /// Without a password.
    pub url: String,
    /// `None` before the first push.
    pub seen: Option<Seen>,
    pub key: KeyPlace,
    /// Other remotes, to which plain git pushes what anybody there can read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub plain: Vec<String>,
    /// When the recovery key was last tried on this laptop.
    pub recovery_tried: Option<String>,
}

/// What this laptop saw last.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Seen {
    pub pushes: u64,
    /// The key that the next push is sealed with: how often it was changed, and once more.
    pub epoch: u32,
    pub passphrase: bool,
    pub laptops: Vec<LaptopRow>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LaptopRow {
    pub name: String,
    pub this: bool,
    /// The hour of its last push that was seen.
    pub heard: Option<String>,
    #[serde(skip)]
    pub heard_ago: Option<i64>,
}

/// Where this laptop has its key from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyPlace {
    Keyring,
    /// `CO_SEAL_KEY`
    Environment,
    Missing,
    /// The keyring does not say.
    Unknown(String),
}

pub fn run(ws: &Workspace) -> Result<Report, Error> {
    let place = Sealed::of(ws, None)?;
    let remote = place.branch.remote.clone().ok_or(SealError::NoRemote)?;
    let state = sealed::State::read(&place.repo)?;
    let keys = KeySource::of(ws);
    let repository = state.as_ref().map(|state| &state.seen.repository);
    let held = keys.stored(repository);
    let own = held.as_ref().ok().and_then(|held| held.first()).map(|held| &held.laptop);
    let own = own.map(LaptopKey::recipient);
    let seen = state.map(|state| {
        let row = |laptop: &crate::seal::record::Laptop| {
            let heard = state.seen.heard.get(&laptop.name);
            let at = heard.and_then(|heard| i64::try_from(heard.time).ok());
            let at = at.map(|seconds| Stamp::from_micros(seconds * Stamp::SECOND));
            LaptopRow {
                name: laptop.name.to_string(),
                this: Some(&laptop.recipient) == own.as_ref(),
                heard: at.map(|at| at.to_string()),
                heard_ago: at.map(|at| ws.now().micros() - at.micros()),
            }
        };
        Seen {
            pushes: state.seen.sequence,
            epoch: state.seen.epoch + u32::from(state.seen.next.is_some()),
            passphrase: state.seen.recovery.passphrase.is_some(),
            laptops: state.seen.laptops.iter().map(row).collect(),
        }
    });
    let recovery_tried = recovery::tried(&place.repo).map(|at| at.to_string());
    let key = key_place(&keys, held.map(|held| held.len()));
    let plain = place.repo.plain_remotes();
    Ok(Report { remote, url: place.remote(), seen, key, plain, recovery_tried })
}

fn key_place(keys: &KeySource, held: Result<usize, KeyringError>) -> KeyPlace {
    match held {
        _ if keys.given().is_some() => KeyPlace::Environment,
        Ok(0) => KeyPlace::Missing,
        Ok(_) => KeyPlace::Keyring,
        Err(error) if error.is_absent() => KeyPlace::Missing,
        Err(error) => KeyPlace::Unknown(error.to_string()),
    }
}
