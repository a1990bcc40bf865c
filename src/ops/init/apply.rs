//! The plan of `init` carried out: files first, then git, then the first sync.
//!
//! Invariant: a file that is there stays as it is; running it again goes on where it stopped.

use super::{Plan, Report, Repository, counts, name};
use crate::identity::{
    kind::MEMORIES,
    templates::{self, Answers},
};
use crate::ops::{Exit, Failure, secret, store::Store, sync};
use crate::system::{
    Context, SystemError, files, folder,
    git::{Repo, install, transport},
    settings,
};

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
    let fresh = !plan.existing;
    set_up_git(&moved, plan, fresh)?;
    let connected = Repo::discover(&moved).map_err(SystemError::from)?.is_some();
    let sync = if connected {
        Some(sync::run(
            &moved,
            &sync::Request {
                require_remote: plan.remote.is_some() && fresh,
                ..sync::Request::default()
            },
        )?)
    } else {
        None
    };
    let cloned = fresh
        && plan.remote.is_some()
        && plan.create.is_empty()
        && sync.as_ref().is_some_and(|sync| sync.memories > 0 || !sync.there.documents.is_empty());
    let store = Store::at_identity(&moved);
    if !cloned && fresh && plan.create.is_empty() && folder::list(&store.root, "").files.is_empty()
    {
        return fill_empty(&moved, plan);
    }
    Ok(Report {
        plan: plan.clone(),
        sync,
        cloned,
        name: name(&store),
        counts: counts(&store),
        missing_secrets: secret::lacking(&moved),
    })
}

/// The remote was empty: the new laptop is the first one after all.
fn fill_empty(context: &Context, plan: &Plan) -> Result<Report, Failure> {
    let files = templates::new_identity(&Answers::default(), context.now());
    let create = files.paths().map(ToString::to_string).collect();
    let plan = Plan { create, files, existing: true, set_path: false, ..plan.clone() };
    apply(context, &plan)
}

fn set_up_git(context: &Context, plan: &Plan, fresh: bool) -> Result<(), Failure> {
    let root = &context.identity.resolved;
    let new = plan.repository == Repository::New;
    if matches!(plan.repository, Repository::Inside(_)) {
        return Ok(());
    }
    let branch = match &plan.remote {
        Some(url) if new => {
            let real = transport::real_url(&root.join(".git"), url);
            let access = sync::access(context, &real)?;
            let listing = transport::list(&root.join(".git"), url, "HEAD", &access);
            match listing {
                Ok(listing) => listing
                    .default
                    .and_then(|name| name.strip_prefix("refs/heads/").map(str::to_owned))
                    .unwrap_or_else(install::default_branch),
                Err(error) if fresh => {
                    let failure = Failure::from(SystemError::from(error));
                    return Err(Failure {
                        hints: vec![
                            "look whether the address is right and whether you may read \
                            it: `git ls-remote URL`"
                                .into(),
                        ],
                        ..failure
                    });
                }
                Err(_) => install::default_branch(),
            }
        }
        _ => install::default_branch(),
    };
    if new {
        install::init(root, &branch)?;
    }
    if let Some(url) = &plan.remote {
        let branch = if new { branch } else { current_branch(context)? };
        let absolute = if files::is_dir(&context.cwd.join(url)) {
            files::resolve(&context.cwd.join(url)).display().to_string()
        } else {
            url.clone()
        };
        install::set_remote(root, &context.settings.sync.remote, &absolute, &branch)?;
    }
    Ok(())
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

/// Names the remote of an identity that has its own repository.
///
/// # Errors
/// [`Exit::NotSetUp`] without a repository of its own.
pub fn set_remote(context: &Context, url: &str) -> Result<(), Failure> {
    let store = Store::identity(context)?;
    let repo = Repo::discover(context).map_err(SystemError::from)?;
    match repo {
        Some(repo) if repo.prefix.is_empty() => Ok(install::set_remote(
            &store.root,
            &context.settings.sync.remote,
            url,
            &current_branch(context)?,
        )?),
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
