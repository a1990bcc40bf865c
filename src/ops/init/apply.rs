//! The plan of `init` carried out: files first, then git, then the first sync.
//!
//! Invariant: a file that is there stays as it is; running it again goes on where it stopped.

use super::{Plan, Report, Repository, counts, name};
use crate::identity::{kind::MEMORIES, templates};
use crate::ops::{
    Exit, Failure,
    recognise::{self, Remote, Whose},
    secret,
    store::Store,
    sync,
};
use crate::system::{
    Context, SystemError, files,
    git::{Repo, install},
    settings,
};
use serde::Serialize;

/// Carries the plan out.
///
/// # Errors
/// When files, git or the remote fail; what was done until then stays and running it again goes on.
pub fn apply(context: &Context, plan: &Plan) -> Result<Report, Failure> {
    let identity = &plan.identity;
    files::make_dir(identity)?;
    let moved = context.with_identity(identity);
    for (path, blob) in plan.files.iter() {
        files::write_new(&moved.identity.resolved.join(path.as_str()), blob)?;
    }
    if !plan.files.is_empty() {
        files::make_dir(&moved.identity.resolved.join(MEMORIES))?;
    }
    if plan.set_path {
        settings::set(
            &context.settings_file(),
            "identity_path",
            serde_json::Value::String(context.shown(identity)),
        )?;
    }
    if identity.parent() == Some(context.config_dir.as_path()) {
        files::write_new(
            &context.config_dir.join(".gitignore"),
            templates::CONFIG_GITIGNORE.as_bytes(),
        )?;
    }
    set_up_git(&moved, plan)?;
    let connected = Repo::discover(&moved).map_err(SystemError::from)?.is_some();
    let (sync, unpublished) = if connected { first_sync(&moved, plan)? } else { (None, None) };
    let store = Store::at_identity(&moved);
    Ok(Report {
        plan: plan.clone(),
        cloned: plan.joins.is_some() && !plan.existing,
        unpublished,
        sync,
        name: name(&store),
        counts: counts(&store),
        missing_secrets: secret::lacking(&moved),
    })
}

type Synced = (Option<sync::Report>, Option<Failure>);

/// A remote that says no to a new identity does not undo what was made here: it is remembered, and
/// published to later.
fn first_sync(context: &Context, plan: &Plan) -> Result<Synced, Failure> {
    let clones = plan.joins.is_some() && !plan.existing;
    let request = sync::Request { require_remote: clones, ..sync::Request::default() };
    match sync::run(context, &request) {
        Ok(report) => Ok((Some(report), plan.unseen.clone())),
        Err(failure) if failure.exit == Exit::Remote && !clones => Ok((None, Some(failure))),
        Err(failure) => Err(failure),
    }
}

fn set_up_git(context: &Context, plan: &Plan) -> Result<(), Failure> {
    let root = &context.identity.resolved;
    let new = match plan.repository {
        Repository::Inside(_) | Repository::Cloud(_) => return Ok(()),
        Repository::New => true,
        Repository::Own => false,
    };
    let joined = plan.joins.as_ref().map(|whose| branch_name(&whose.branch));
    if new {
        let branch = joined.clone().unwrap_or_else(install::default_branch);
        install::init(root, &branch)?;
    }
    if let Some(url) = &plan.remote {
        let here = current_branch(context)?;
        let there = joined.unwrap_or_else(|| here.clone());
        let remote = &context.settings.sync.remote;
        install::set_remote(root, remote, &super::absolute(context, url), &here, &there)?;
    }
    Ok(())
}

fn branch_name(reference: &str) -> String {
    reference.trim_start_matches("refs/heads/").to_owned()
}

fn current_branch(context: &Context) -> Result<String, Failure> {
    let repo = Repo::discover(context).map_err(SystemError::from)?;
    let name = repo
        .map(|repo| repo.branch(&context.settings.sync))
        .transpose()
        .map_err(SystemError::from)?;
    Ok(name.map_or_else(install::default_branch, |branch| {
        branch.local.trim_start_matches("refs/heads/").to_owned()
    }))
}

/// What naming a remote would mean, before it is named.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RemotePlan {
    /// The URL, as it means the same from everywhere.
    #[serde(skip)]
    url: String,
    /// The identity that the remote holds and this one has no history with: the next sync makes
    /// one of both.
    pub joins: Option<Whose>,
    /// Why the remote cannot be looked at.
    #[serde(skip)]
    pub unseen: Option<Failure>,
    /// The branch there.
    #[serde(skip)]
    there: Option<String>,
}

/// Looks at a remote that a person names for an identity with a repository of its own.
///
/// # Errors
/// [`Exit::NotSetUp`] without a repository of its own, [`Exit::Refused`] when the remote holds
/// something else than an identity.
pub fn plan_remote(context: &Context, url: &str) -> Result<RemotePlan, Failure> {
    Store::identity(context)?;
    let repo = own_repository(context, url)?;
    let url = super::absolute(context, url);
    let mut plan = RemotePlan { url, joins: None, unseen: None, there: None };
    match recognise::remote(context, &plan.url) {
        Ok(Remote::Identity(whose)) => {
            plan.there = Some(branch_name(&whose.branch));
            let known = repo.knows(whose.commit());
            plan.joins = Some(whose).filter(|_| !known);
        }
        Ok(Remote::Nothing(branch)) => plan.there = branch.as_deref().map(branch_name),
        Err(failure) if failure.exit == Exit::Remote => plan.unseen = Some(failure),
        Err(failure) => return Err(failure),
    }
    Ok(plan)
}

/// Names the remote.
///
/// # Errors
/// When git's configuration cannot be written.
pub fn set_remote(context: &Context, plan: &RemotePlan) -> Result<(), Failure> {
    let here = current_branch(context)?;
    let there = plan.there.as_ref().unwrap_or(&here);
    let root = &context.identity.resolved;
    Ok(install::set_remote(root, &context.settings.sync.remote, &plan.url, &here, there)?)
}

fn own_repository(context: &Context, url: &str) -> Result<Repo, Failure> {
    match Repo::discover(context).map_err(SystemError::from)? {
        Some(repo) if repo.prefix.is_empty() => Ok(repo),
        Some(repo) => {
            let root = context.shown(&repo.root);
            Err(Failure::new(
                Exit::NeedsUser,
                format!("the identity lives in {root}, whose remotes are yours"),
            )
            .hint(format!(
                "`git -C {root} remote add origin {}`",
                crate::system::git::without_credentials(url)
            )))
        }
        None => Err(Failure::new(Exit::NotSetUp, "the identity is in no git repository")
            .hint("`co init` makes it one")),
    }
}
