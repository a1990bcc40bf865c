//! `seal recovery`: tries the recovery key, or makes another one.
//!
//! Invariant: a new one is made before anything is pushed, so that a person can be shown it; the old
//! one then opens nothing that is pushed from there on.

use super::{SealError, Sealed, passphrase::locked};
use crate::git::{
    GitError, Repo,
    sealed::{self, Amendment, SealedError},
};
use crate::identity::Stamp;
use crate::machine::{files, keyring::Value};
use crate::seal::keys::RecoveryKey;
use crate::workspace::{Error, Workspace};
use serde::Serialize;
use std::path::PathBuf;

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub url: String,
}

/// Fails if the recovery key or passphrase does not open what is on the remote.
pub fn try_key(ws: &Workspace, given: Value) -> Result<Report, Error> {
    let place = Sealed::alone(ws, Some(given))?;
    match sealed::ring(&place.repo, &place.url, &place.access) {
        Ok(_) => {}
        Err(GitError::Sealed(
            SealedError::WrongKey { remote } | SealedError::Removed { remote },
        )) => {
            return Err(SealError::WrongRecoveryKey { remote }.into());
        }
        Err(error) => return Err(error.into()),
    }
    note_tried(ws, &place.repo);
    Ok(Report { url: place.remote() })
}

/// A recovery key or passphrase opened the remote on this laptop.
pub(super) fn note_tried(ws: &Workspace, repo: &Repo) {
    // If it is lost, doctor asks again.
    let _ = files::write_private(&file(repo), ws.now().to_string().as_bytes());
}

/// When the recovery key was last tried on this laptop.
pub fn tried(repo: &Repo) -> Option<Stamp> {
    let text = files::read_text(&file(repo)).ok()??;
    Stamp::parse(text.trim()).map(|read| read.stamp)
}

fn file(repo: &Repo) -> PathBuf {
    repo.co_dir().join("sealed-tried")
}

/// Another recovery key.
#[derive(Clone, Debug)]
pub struct Plan {
    /// To be shown once.
    pub recovery: RecoveryKey,
    passphrase: Option<Vec<u8>>,
}

pub fn plan(ws: &Workspace, passphrase: Option<&Value>) -> Result<Plan, Error> {
    Sealed::of(ws, None)?;
    ws.refuse_read_only(ws.identity()?)?;
    let recovery = RecoveryKey::generate();
    let passphrase = passphrase.map(|text| locked(&recovery, text)).transpose()?;
    Ok(Plan { recovery, passphrase })
}

pub fn apply(ws: &Workspace, plan: Plan) -> Result<Report, Error> {
    let place = Sealed::alone(ws, None)?;
    let (recipient, passphrase) = (plan.recovery.recipient(), plan.passphrase);
    let amendment = Amendment::Recovery { recipient, passphrase };
    sealed::amend(&place.repo, &place.url, &amendment, &place.access)?;
    let _ = files::discard(&file(&place.repo));
    Ok(Report { url: place.remote() })
}
