//! `status` and `identity path`: where everything is and what state it is in. Changes nothing.

use super::{
    Failure,
    init::{self, Counts},
    recognise, secret,
    store::Store,
};
use crate::system::{Context, SystemError, context::Source, files, folder, git::Repo};
use serde::Serialize;
use std::path::PathBuf;

/// One screen of facts.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// The identity folder.
    pub identity: PathBuf,
    /// Who said so.
    pub source: Source,
    /// Where it leads, when it is a link.
    pub resolved: Option<PathBuf>,
    pub exists: bool,
    pub name: Option<String>,
    pub counts: Counts,
    /// The project the user stands in.
    pub project: Option<PathBuf>,
    /// The repository, when there is one.
    pub git: Option<Git>,
    /// The secrets that the identity mentions and this laptop lacks.
    pub missing_secrets: Vec<String>,
}

/// The repository's part.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Git {
    /// The repository's root.
    pub root: PathBuf,
    /// The identity's path in it, when it is only a part.
    pub prefix: Option<String>,
    pub branch: Option<String>,
    /// The remote's name.
    pub remote: Option<String>,
    /// Its URL, without credentials.
    pub url: Option<String>,
    /// Files of the identity that the next sync commits.
    pub uncommitted: Vec<String>,
    /// Commits that the next sync pushes.
    pub unpublished: usize,
    /// What needs the user first.
    pub problem: Option<String>,
}

/// Looks.
///
/// # Errors
/// When the repository is there and cannot be read.
pub fn run(context: &Context) -> Result<Report, Failure> {
    recognise::refuse_folder(context, &context.identity.resolved)?;
    let store = Store::at_identity(context);
    let exists = files::is_dir(&store.root);
    let git = if exists { git(context)? } else { None };
    Ok(Report {
        identity: context.identity.path.clone(),
        source: context.identity.source,
        resolved: files::is_link(&context.identity.path).then(|| context.identity.resolved.clone()),
        exists,
        name: init::name(&store),
        counts: init::counts(&store),
        project: Store::project(context).map(|store| store.shown),
        git,
        missing_secrets: secret::lacking(context),
    })
}

fn git(context: &Context) -> Result<Option<Git>, Failure> {
    let Some(repo) = Repo::discover(context).map_err(SystemError::from)? else { return Ok(None) };
    let listed = folder::list(&context.identity.resolved, "").files;
    let difference = repo.compare(&listed).map_err(SystemError::from)?;
    let mut git = Git {
        root: repo.root.clone(),
        prefix: Some(repo.prefix.clone()).filter(|prefix| !prefix.is_empty()),
        branch: None,
        remote: None,
        url: None,
        uncommitted: difference
            .changed
            .iter()
            .chain(&difference.missing)
            .map(ToString::to_string)
            .collect(),
        unpublished: 0,
        problem: None,
    };
    match repo
        .branch(&context.settings.sync)
        .and_then(|branch| repo.refuse_unfinished().map(|_| branch))
    {
        Ok(branch) => {
            let published_somewhere = branch.remote.is_some();
            if let Some(head) =
                repo.head().map_err(SystemError::from)?.filter(|_| published_somewhere)
            {
                git.unpublished = repo.commits_between(repo.ref_id(&branch.tracking), head);
            }
            git.branch = Some(branch.local.trim_start_matches("refs/heads/").to_owned());
            git.remote = branch.remote;
            git.url = branch.url;
        }
        Err(error) => git.problem = Some(error.to_string()),
    }
    Ok(Some(git))
}
