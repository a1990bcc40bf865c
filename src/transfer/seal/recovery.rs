//! `seal recovery`: tries the recovery key, or makes another one.
//!
//! Invariant: a new one is made before anything is pushed, so that a person can be shown it; the
//! old one then opens nothing that is pushed from there on.

use super::{SealError, Sealed, passphrase::locked};
use crate::git::{
    GitError, Repo,
    sealed::{self, Amendment, SealedError},
};
use crate::identity::Stamp;
use crate::machine::{files, keyring::Value};
use crate::seal::{keys::RecoveryKey, names::Recipient};
use crate::workspace::{Error, Workspace};
use serde::Serialize;
use std::path::PathBuf;

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub url: String,
    /// Whether there was a passphrase, which opens nothing new any more.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub passphrase_ended: bool,
}

/// Fails if the recovery key or passphrase does not open what is on the remote.
pub fn try_key(ws: &Workspace, given: Value) -> Result<Report, Error> {
    let typed = std::str::from_utf8(given.expose()).ok().map(RecoveryKey::parse);
    let recipient = typed.and_then(Result::ok).map(|key| key.recipient());
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
    note(ws, &place.repo, recipient);
    Ok(Report { url: place.remote(), passphrase_ended: false })
}

/// A recovery key or passphrase opened the remote, as it was seen last, on this laptop.
pub(super) fn note_tried(ws: &Workspace, repo: &Repo) {
    note(ws, repo, None);
}

/// With the public half of the recovery key; that of the one seen last if a passphrase was typed.
fn note(ws: &Workspace, repo: &Repo, recipient: Option<Recipient>) {
    let recipient = recipient.or_else(|| seen(repo)).map(|key| key.to_string()).unwrap_or_default();
    let text = format!("{}\n{recipient}\n", ws.now());
    // If it is lost, doctor asks again.
    let _ = files::write_private(&file(repo), text.as_bytes());
}

/// When the recovery key was last tried on this laptop; `None` if it was replaced since, by
/// whichever laptop.
pub fn tried(repo: &Repo) -> Option<Stamp> {
    let text = files::read_text(&file(repo)).ok()??;
    let mut lines = text.lines();
    let at = Stamp::parse(lines.next()?.trim())?.stamp;
    // Earlier builds noted no key.
    let key = lines.next().filter(|key| !key.is_empty());
    let is_of_now = |key: &str| seen(repo).is_none_or(|seen| seen.to_string() == key);
    key.is_none_or(is_of_now).then_some(at)
}

/// The public half of the recovery key that was seen last.
fn seen(repo: &Repo) -> Option<Recipient> {
    let state = sealed::State::read(repo).ok()??;
    Some(state.seen.recovery.recipient)
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

impl Plan {
    /// A person's own passphrase, beside the recovery key.
    pub fn with_passphrase(self, text: &Value) -> Result<Plan, Error> {
        let passphrase = Some(locked(&self.recovery, text)?);
        Ok(Plan { passphrase, ..self })
    }
}

/// Fails where the change could not be made, before a person is shown a key.
pub fn plan(ws: &Workspace) -> Result<Plan, Error> {
    let place = Sealed::of(ws, None)?;
    ws.refuse_read_only(ws.identity()?)?;
    place.refuse_without_key()?;
    Ok(Plan { recovery: RecoveryKey::generate(), passphrase: None })
}

pub fn apply(ws: &Workspace, plan: Plan) -> Result<Report, Error> {
    let place = Sealed::alone(ws, None)?;
    let had_passphrase = place.state()?.seen.recovery.passphrase.is_some();
    let passphrase_ended = had_passphrase && plan.passphrase.is_none();
    let (recipient, passphrase) = (plan.recovery.recipient(), plan.passphrase);
    let amendment = Amendment::Recovery { recipient, passphrase };
    sealed::amend(&place.repo, &place.url, &amendment, &place.access)?;
    let _ = files::discard(&file(&place.repo));
    Ok(Report { url: place.remote(), passphrase_ended })
}
