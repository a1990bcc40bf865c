//! `seal on`: publishes the identity, sealed, to an empty repository.
//!
//! Invariant: the recovery key is made before anything is written, so that a person can be shown it
//! and agree; the keys are in the keyring, read back and tried, before the remote is set. The first
//! sync scans and pushes as any other.

use super::{SealError, keyring, passphrase::locked};
use crate::git::{sealed, url, without_credentials};
use crate::machine::{
    keyring::Value,
    seal_keys::{Held, KeySource, random},
};
use crate::seal::{
    key_file,
    keys::{KeyRing, LaptopKey, RecoveryKey},
    names::RepositoryId,
};
use crate::sync;
use crate::transfer::init::{RemotePlan, apply as remotes};
use crate::workspace::{
    Error, Workspace, login,
    recognise::{self, Remote},
};
use serde::Serialize;

/// Whether other laptops find a note where the identity was plain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Note {
    Leave,
    None,
}

const UNREAD: &str = "no note was left in the old repository: it has changes that were not read \
    here; the laptop that made them brings them when it joins";

/// What is about to be done.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The repository that it will lie in, without a password.
    pub shown: String,
    /// The plain remote that stays behind, without a password.
    pub old: Option<String>,
    /// To be shown once.
    pub recovery: RecoveryKey,
    /// Whether it was given in the environment, and need not be shown.
    pub given: bool,
    remote: RemotePlan,
    /// The plain remote's URL and branch, as git uses them.
    left: Option<(String, String)>,
    passphrase: Option<Vec<u8>>,
}

#[derive(Debug, Serialize)]
pub struct Report {
    pub url: String,
    /// The plain remote that stays behind.
    pub old: Option<String>,
    /// Whether a note was left there.
    pub noted: bool,
    pub sync: sync::Report,
}

impl Plan {
    /// A person's own passphrase, beside the recovery key.
    pub fn with_passphrase(self, text: &Value) -> Result<Plan, Error> {
        let passphrase = Some(locked(&self.recovery, text)?);
        Ok(Plan { passphrase, ..self })
    }
}

/// `url`: of an empty repository.
pub fn plan(ws: &Workspace, url: &str) -> Result<Plan, Error> {
    ws.refuse_read_only(ws.identity()?)?;
    let repo = sync::repository(ws)?;
    sealed::refuse_unfit(&repo)?;
    let branch = repo.branch(&ws.settings.sync)?;
    if branch.sealed {
        let remote = branch.url.unwrap_or_default();
        return Err(SealError::Already { remote }.into());
    }
    let remote = RemotePlan::to_seal(ws, url::shown(url))?;
    let shown = without_credentials(url::shown(&remote.url));
    match recognise::remote(ws, url::shown(&remote.url))? {
        Remote::Nothing(None) => {}
        Remote::Nothing(Some(_)) | Remote::Identity(_) | Remote::Sealed => {
            return Err(SealError::NotEmpty { url: shown }.into());
        }
    }
    let keys = KeySource::of(ws);
    let recovery = match keys.given() {
        Some(given) => {
            let text = String::from_utf8_lossy(given.expose());
            RecoveryKey::parse(&text).map_err(|_| SealError::NoRecoveryKey)?
        }
        None => {
            keys.require_keyring().map_err(|source| SealError::NotBegun { source })?;
            RecoveryKey::generate()
        }
    };
    let given = keys.given().is_some();
    let left = branch.remote.as_ref().and_then(|remote| repo.real_url(remote));
    let left = left.map(|url| (url, branch.there.clone()));
    Ok(Plan { shown, old: branch.url, recovery, given, remote, left, passphrase: None })
}

pub fn apply(
    ws: &Workspace,
    plan: Plan,
    note: Note,
    on_step: &sync::OnStep<'_>,
) -> Result<Report, Error> {
    let repository = RepositoryId::random(random());
    let ring = KeyRing::begin(repository.clone());
    let keys = KeySource::of(ws).of_keyring();
    let held = Held { ring, laptop: LaptopKey::generate() };
    match keys.store(&held) {
        Ok(()) => refuse_unopened(&keys, &repository, &plan.recovery)?,
        Err(error) if error.is_absent() && plan.given => {}
        Err(error) => return Err(keyring(error)),
    }
    let repo = sync::repository(ws)?;
    sealed::forget(&repo)?;
    let recovery = plan.recovery.recipient();
    sealed::Begun { repository, recovery, passphrase: plan.passphrase }.save(&repo)?;
    remotes::set_remote(ws, &plan.remote)?;
    ws.forget_read();
    let request = sync::Request { require_remote: true, ..sync::Request::default() };
    let mut sync = sync::run(ws, &request, on_step)?;
    sync.warnings.retain(|warning| warning != sync::NEW_REMOTE);
    let left = plan.left.filter(|_| note == Note::Leave);
    let noted = match left.map(|(url, there)| leave(ws, &url, &there, &plan.shown)) {
        None => false,
        Some(Ok(noted)) => {
            if !noted {
                sync.warnings.push(UNREAD.to_owned());
            }
            noted
        }
        Some(Err(error)) => {
            sync.warnings.push(format!("no note was left in the old repository: {error}"));
            false
        }
    };
    Ok(Report { url: plan.shown, old: plan.old, noted, sync })
}

/// Tells who still syncs with the plain remote where to go.
fn leave(ws: &Workspace, url: &str, there: &str, sealed_at: &str) -> Result<bool, Error> {
    let repo = sync::repository(ws)?;
    let access = login::access(ws, url)?;
    let text = format!(
        "{} from now on, and no longer here. On each laptop:\n\n{}{sealed_at}\n\nWhat lies here stays \
         readable until this repository is deleted.\n",
        sealed::SAID,
        sealed::FOLLOW
    );
    Ok(sealed::leave(&repo, url, there, &text, &access)?)
}

/// Nothing is published whose key does not come back from the keyring, or that the recovery key
/// would not open.
fn refuse_unopened(
    keys: &KeySource,
    repository: &RepositoryId,
    recovery: &RecoveryKey,
) -> Result<(), Error> {
    let back = keys.stored(Some(repository)).map_err(keyring)?;
    let opens = |held: &Held| {
        let file = key_file::for_recipient(&held.ring, &recovery.recipient());
        key_file::open_with_recovery(&file, recovery).is_ok()
    };
    if back.first().is_some_and(opens) {
        return Ok(());
    }
    let remote = "what was just made".to_owned();
    Err(SealError::WrongRecoveryKey { remote }.into())
}
