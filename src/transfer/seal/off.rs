//! `seal off`: publishes the identity in plain again, to an empty repository.
//!
//! Invariant: the sealed remote stays as it is, and so do its keys. Must not ask.

use super::{SealError, Sealed};
use crate::git::{url, without_credentials};
use crate::sync;
use crate::transfer::init::{RemotePlan, apply as remotes};
use crate::workspace::{
    Error, Workspace,
    recognise::{self, Remote},
};
use serde::Serialize;

#[derive(Clone, Debug)]
pub struct Plan {
    /// Where it will lie, readable for whoever can read that repository; without a password.
    pub shown: String,
    /// The sealed remote that stays behind, without a password.
    pub old: String,
    pub is_public: bool,
    remote: RemotePlan,
}

#[derive(Debug, Serialize)]
pub struct Report {
    pub url: String,
    pub old: String,
    pub sync: sync::Report,
}

pub fn plan(ws: &Workspace, url: &str) -> Result<Plan, Error> {
    let place = Sealed::of(ws, None)?;
    ws.refuse_read_only(ws.identity()?)?;
    let remote = RemotePlan::in_plain(ws, url)?;
    let shown = without_credentials(&remote.url);
    let is_empty = url::unsealed(url).is_none()
        && matches!(recognise::remote(ws, &remote.url)?, Remote::Nothing(None));
    if !is_empty {
        return Err(SealError::NotEmpty { url: shown }.into());
    }
    let is_public = remote.is_public;
    Ok(Plan { shown, old: place.remote(), is_public, remote })
}

pub fn apply(ws: &Workspace, plan: &Plan, on_step: &sync::OnStep<'_>) -> Result<Report, Error> {
    remotes::set_remote(ws, &plan.remote)?;
    ws.forget_read();
    sync::take_note_away(ws)?;
    let request = sync::Request { require_remote: true, ..sync::Request::default() };
    let mut sync = sync::run(ws, &request, on_step)?;
    sync.warnings.retain(|warning| warning != sync::NEW_REMOTE);
    Ok(Report { url: plan.shown.clone(), old: plan.old.clone(), sync })
}
