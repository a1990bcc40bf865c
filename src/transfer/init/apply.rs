//! Carries out the plan of `init`: files first, then git, then the first sync.
//!
//! Invariant: existing files stay as they are; a second run continues where the first stopped.

use super::{
    address::{absolute, refuse_no_place},
    error::InitError,
    planned::{Plan, Repository},
    report::{Report, counts, name},
};
use crate::git::{Repo, UpstreamSettings, install, public, sealed, url, without_credentials};
use crate::identity::{kind::MEMORIES, templates};
use crate::integrations::secret;
use crate::machine::{files, keyring::Value, lock, seal_keys::KeySource};
use crate::sync;
use crate::transfer::seal::join::{self, Joining};
use crate::workspace::{
    Error, ErrorKind, Workspace, config,
    recognise::{self, Remote, RemoteIdentity},
    transaction::{self, Put, Unrecorded},
};
use serde::Serialize;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

pub fn apply(ws: &Workspace, plan: &Plan, on_step: &sync::OnStep<'_>) -> Result<Report, Error> {
    // A keyring that refuses the key refuses it before there is a folder.
    if let Some(sealed) = &plan.sealed {
        sealed.keep(ws)?;
    }
    let identity = &plan.identity;
    files::make_dir(identity)?;
    let moved = ws.elsewhere(identity);
    for (path, blob) in plan.files.iter() {
        let file = moved.identity.resolved.join(path.as_str());
        transaction::put(Unrecorded::Beginning, &file, Put::New(blob))?;
    }
    if !plan.files.is_empty() {
        files::make_dir(&moved.identity.resolved.join(MEMORIES))?;
    }
    if plan.set_path {
        config::set_place(ws, &ws.shown(identity))?;
    }
    if identity.parent() == Some(ws.config_dir.as_path()) {
        let ignored = templates::CONFIG_GITIGNORE.as_bytes().to_vec().into();
        let file = ws.config_dir.join(".gitignore");
        transaction::put(Unrecorded::Beginning, &file, Put::New(&ignored))?;
    }
    set_up_git(&moved, plan)?;
    let connected = moved.repo()?.is_some();
    let (sync, unpublished) =
        if connected { first_sync(&moved, plan, on_step)? } else { (None, None) };
    // To hear of it is a push.
    if let Some(sealed) = &plan.sealed
        && plan.direction == sync::Direction::Both
    {
        sealed.announce(&moved);
    }
    let repo = moved.repo()?;
    let stay = repo.map(|repo| sync::all_that_stay(&moved, &repo)).transpose()?;
    let store = moved.identity_place();
    Ok(Report {
        plan: plan.clone(),
        cloned: plan.joins.is_some() && !plan.existing,
        unpublished,
        sync,
        stay: stay.unwrap_or_default(),
        name: name(store),
        counts: counts(store),
        missing_secrets: secret::lacking(&moved),
    })
}

type Synced = (Option<sync::Report>, Option<Arc<Error>>);

/// A remote that rejects a new identity reverts nothing here: a later sync publishes.
fn first_sync(ws: &Workspace, plan: &Plan, on_step: &sync::OnStep<'_>) -> Result<Synced, Error> {
    let clones = plan.joins.is_some() && !plan.existing;
    let request = sync::Request {
        require_remote: clones,
        own_commits: sync::OwnCommits::Unpublished,
        direction: plan.direction,
        ..sync::Request::default()
    };
    match sync::run(ws, &request, on_step) {
        Ok(report) => Ok((Some(report), plan.unseen.clone())),
        Err(error) if error.kind() == ErrorKind::Remote && !clones => {
            Ok((None, Some(Arc::new(error))))
        }
        Err(error) => Err(error),
    }
}

fn set_up_git(ws: &Workspace, plan: &Plan) -> Result<(), Error> {
    let root = &ws.identity.resolved;
    let new = match plan.repository {
        Repository::Inside(_) | Repository::Cloud(_) => return Ok(()),
        Repository::New => true,
        Repository::Own => false,
    };
    let joined = plan.joins.as_ref().map(|whose| branch_name(&whose.branch));
    let remote = &ws.settings.sync.remote;
    if new {
        let branch = joined.clone().unwrap_or_else(install::default_branch);
        let url = plan.remote.as_ref();
        let upstream =
            url.map(|url| UpstreamSettings { remote, url, branch: &branch, there: &branch });
        let _lock = lock::folder(root, Duration::from_secs(1))?;
        files::remove_staged(root);
        install::init(root, &branch, upstream.as_ref())?;
    }
    if let Some(url) = &plan.remote {
        let repo = own_repository(ws, url)?;
        let branch = &current_branch(ws, &repo)?;
        let there = joined.as_ref().unwrap_or(branch);
        repo.set_upstream(&UpstreamSettings { remote, url, branch, there })?;
    }
    Ok(())
}

fn branch_name(reference: &str) -> String {
    reference.trim_start_matches("refs/heads/").to_owned()
}

fn current_branch(ws: &Workspace, repo: &Repo) -> Result<String, Error> {
    Ok(branch_name(&repo.branch(&ws.settings.sync)?.local))
}

#[derive(Clone, Debug, Serialize)]
pub struct RemotePlan {
    /// Absolute if it is a local path.
    #[serde(skip)]
    pub url: String,
    /// The identity on the remote, if there is no common history: the next sync merges both.
    pub joins: Option<RemoteIdentity>,
    /// Whether anybody can read it without a login.
    pub is_public: bool,
    /// Why the remote cannot be read.
    #[serde(skip)]
    pub unseen: Option<Arc<Error>>,
    /// The branch on the remote side.
    #[serde(skip)]
    there: Option<String>,
    /// The sealed remote that was opened.
    #[serde(skip)]
    pub sealed: Option<Joining>,
}

impl RemotePlan {
    /// A remote that is about to be sealed in an empty repository.
    pub(in crate::transfer) fn to_seal(ws: &Workspace, url: &str) -> Result<RemotePlan, Error> {
        let plan = RemotePlan::in_plain(ws, url)?;
        Ok(RemotePlan { url: url::sealed(&plan.url), ..plan })
    }

    /// A plain remote, which is not looked at.
    pub(in crate::transfer) fn in_plain(ws: &Workspace, url: &str) -> Result<RemotePlan, Error> {
        let repo = own_repository(ws, url)?;
        refuse_no_place(ws, url)?;
        let url = absolute(ws, url);
        if repo.is_at(&url) {
            return Err(InitError::OwnUrl { root: ws.shown(&repo.root) }.into());
        }
        let is_public = public::anybody_reads(&url);
        Ok(RemotePlan { url, joins: None, is_public, unseen: None, there: None, sealed: None })
    }
}

/// Looks for an identity on a remote that is about to be set; refuses other content.
pub fn plan_remote(ws: &Workspace, url: &str, key: Option<&Value>) -> Result<RemotePlan, Error> {
    ws.identity()?;
    let repo = own_repository(ws, url)?;
    refuse_no_place(ws, url)?;
    let url = absolute(ws, url);
    if repo.is_at(&url) {
        return Err(InitError::OwnUrl { root: ws.shown(&repo.root) }.into());
    }
    let mut plan =
        RemotePlan { url, joins: None, is_public: false, unseen: None, there: None, sealed: None };
    match seen(ws, &mut plan, key) {
        // It was opened.
        Ok(Remote::Sealed) => {}
        Ok(Remote::Identity(whose)) => {
            plan.there = Some(branch_name(&whose.branch));
            let own = KeySource::of(ws);
            let keys = if let Some(key) = key { own.with(key.clone()) } else { own };
            let known = recognise::is_ours_with(ws, &repo, (&plan.url, keys), &whose);
            plan.joins = Some(whose).filter(|_| !known);
        }
        Ok(Remote::Nothing(branch)) => {
            refuse_unsealing(ws, &repo, &plan.url)?;
            plan.there = branch.as_deref().map(branch_name);
        }
        Err(error) if error.kind() == ErrorKind::Remote && key.is_none() => {
            refuse_unsealing(ws, &repo, &plan.url)?;
            plan.unseen = Some(Arc::new(error));
        }
        Err(error) => return Err(error),
    }
    let is_plain = url::unsealed(&plan.url).is_none();
    plan.is_public = plan.unseen.is_none() && is_plain && public::anybody_reads(&plan.url);
    Ok(plan)
}

/// Who moves a sealed remote elsewhere does not mean to publish in plain what was sealed.
fn refuse_unsealing(ws: &Workspace, repo: &Repo, url: &str) -> Result<(), Error> {
    let is_sealed_now = repo.branch(&ws.settings.sync).is_ok_and(|branch| branch.sealed);
    if is_sealed_now && url::unsealed(url).is_none() {
        return Err(InitError::Unsealing { url: without_credentials(url) }.into());
    }
    Ok(())
}

/// What is on the remote of a plan, which is opened if it is sealed.
fn seen(ws: &Workspace, plan: &mut RemotePlan, key: Option<&Value>) -> Result<Remote, Error> {
    let found = match url::unsealed(&plan.url) {
        Some(_) => Remote::Sealed,
        None => recognise::remote(ws, &plan.url)?,
    };
    if found != Remote::Sealed {
        let url = without_credentials(&plan.url);
        return if key.is_none() { Ok(found) } else { Err(InitError::NotSealed { url }.into()) };
    }
    let Some((found, joining)) = join::look(ws, &plan.url, key)? else {
        let url = without_credentials(url::shown(&plan.url));
        return Err(InitError::Sealed { url }.into());
    };
    plan.url = url::sealed(&plan.url);
    plan.sealed = Some(joining);
    Ok(found)
}

/// What was seen of another sealed repository says nothing about this one.
fn begin_anew(repo: &Repo, joining: &Joining) -> Result<(), Error> {
    let known = sealed::State::read(repo)?;
    if known.is_some_and(|known| known.seen.repository != *joining.repository()) {
        sealed::forget(repo)?;
    }
    Ok(())
}

/// Whether the remote is a plain one until now.
fn is_plain(ws: &Workspace, repo: &Repo) -> bool {
    repo.branch(&ws.settings.sync).is_ok_and(|branch| !branch.sealed)
}

/// Whether all that was fetched last is merged here.
fn has_all_fetched(ws: &Workspace, repo: &Repo) -> Result<bool, Error> {
    let Ok(branch) = repo.branch(&ws.settings.sync) else { return Ok(false) };
    match (repo.ref_id(&branch.tracking), repo.head()?) {
        (Some(fetched), Some(head)) => Ok(repo.is_ancestor(fetched, head)?),
        _ => Ok(false),
    }
}

pub fn set_remote(ws: &Workspace, plan: &RemotePlan) -> Result<(), Error> {
    let repo = own_repository(ws, &plan.url)?;
    if let Some(joining) = &plan.sealed {
        joining.keep(ws)?;
        begin_anew(&repo, joining)?;
    }
    let branch = &current_branch(ws, &repo)?;
    let there = plan.there.as_ref().unwrap_or(branch);
    let remote = &ws.settings.sync.remote;
    // The tracking refs are from the old remote; joining this one was just agreed to. What was left
    // in a plain one for a sealed one is no part of it.
    if plan.joins.is_some()
        || (plan.sealed.is_some() && (is_plain(ws, &repo) || !has_all_fetched(ws, &repo)?))
    {
        repo.forget_met(remote)?;
    }
    repo.set_upstream(&UpstreamSettings { remote, url: &plan.url, branch, there })?;
    if let Some(joining) = &plan.sealed {
        ws.forget_read();
        joining.announce(ws);
    }
    Ok(())
}

fn own_repository(ws: &Workspace, url: &str) -> Result<Rc<Repo>, Error> {
    match ws.repo()? {
        Some(repo) if repo.prefix.is_empty() => Ok(repo),
        Some(repo) => {
            let (root, url) = (ws.shown(&repo.root), without_credentials(url));
            Err(InitError::OthersRemotes { root, url }.into())
        }
        None => Err(sync::no_repository(ws)),
    }
}
