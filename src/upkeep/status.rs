//! `status` and `identity path`: where everything is and in what state. Changes nothing but caches.

use crate::facts::review;
use crate::git::{Branch, Id, Repo, TIDIED, index::Difference, index_lock};
use crate::identity::{LayerName, RelPath, cloud};
use crate::index::{self, Overview};
use crate::integrations::{agent, secret, timer};
use crate::machine::{
    cloud::service_of,
    context::IdentitySource,
    files,
    folder::{self, Listed},
};
use crate::sync;
use crate::transfer::{
    init::{self, Counts},
    layers::{self, LayerRow},
};
use crate::workspace::{Error, Workspace, last_sync, recognise};
use serde::Serialize;
use std::{collections::BTreeSet, path::PathBuf, rc::Rc};

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub identity: PathBuf,
    pub source: IdentitySource,
    /// The target if `identity` is a symlink.
    pub resolved: Option<PathBuf>,
    pub exists: bool,
    pub name: Option<String>,
    /// Proposals of agents that wait for an answer.
    pub to_review: usize,
    /// Facts that agents saved without asking, and that `co` has not reported yet.
    pub saved: Vec<agent::writes::Write>,
    /// Of the facts, those that hold.
    pub counts: Counts,
    /// Facts that do not hold now: over, replaced, or not begun.
    pub not_held: usize,
    /// Facts that hold and should have been checked by now.
    pub unchecked: usize,
    /// Files among the memories that co cannot read.
    pub unreadable: usize,
    pub project: Option<PathBuf>,
    /// Other identities that are read here, from far to near; the identity itself, if it is one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<LayerRow>,
    /// The layer that the identity is, if it stands in for the person's own, or was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<LayerName>,
    pub git: Option<Git>,
    /// How this laptop syncs by itself, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timer: Option<timer::Standing>,
    /// The service that syncs the folder, if there is no repository for that reason.
    pub cloud: Option<&'static str>,
    /// Secrets that the identity references and this laptop lacks.
    pub missing_secrets: Vec<String>,
    /// The agents that start co as their server.
    pub agents: Vec<agent::list::AgentRow>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Git {
    pub root: PathBuf,
    /// The identity's path in the repository, if it is not the root.
    pub prefix: Option<String>,
    pub branch: Option<String>,
    pub remote: Option<String>,
    /// The remote's URL, without credentials.
    pub url: Option<String>,
    /// Whether nobody can read what is there without a key.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sealed: bool,
    /// Beside a sealed remote: others, to which plain git pushes what anybody there can read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub plain_remotes: Vec<String>,
    /// Files of the identity that the next sync commits.
    pub uncommitted: Vec<String>,
    /// Changed files that the last sync held back, and the next one will, too.
    pub held_back: Vec<String>,
    /// Sentences about files that a rule keeps on this laptop.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ignored: Vec<String>,
    /// A sentence about a repository around the identity's own, which would record none of its
    /// files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nested: Option<String>,
    /// Set if the next sync will stop because too many facts are gone without a `forget`.
    pub facts_gone: Option<sync::Gone>,
    /// When this laptop and the remote were last in sync.
    pub last_sync: Option<String>,
    /// How long ago that was, in microseconds.
    #[serde(skip)]
    pub last_sync_ago: Option<i64>,
    /// Facts and fields that both sides had changed in the last merge.
    #[serde(rename = "look")]
    pub merges_to_review: Vec<String>,
    /// Commits that the next sync pushes.
    pub unpublished: usize,
    pub problem: Option<String>,
}

pub fn run(ws: &Workspace) -> Result<Report, Error> {
    recognise::refuse_folder(ws, &ws.identity.resolved)?;
    let store = ws.identity_place();
    let exists = files::is_dir(&store.root);
    let listed = folder::list(&store.root, "").files;
    let look = if exists { looked_at(ws, &listed)? } else { None };
    let seen = look.as_ref().map(|look| &look.difference);
    let Overview { facts, timed, secrets } = index::overview(store, ws, &listed, seen);
    let missing_secrets = secret::lacking_of(ws, secrets);
    let git = look.as_ref().map(|look| git_of(ws, &listed, look));
    let waiting = if exists { review::waiting(ws) } else { review::Waiting::default() };
    let cloud = service_of(&ws.identity.resolved).filter(|_| git.is_none());
    let counts = recognise::counts(listed.iter().map(|file| &file.path));
    Ok(Report {
        cloud,
        identity: ws.identity.path.clone(),
        source: ws.identity.source,
        resolved: (files::is_link(&ws.identity.path) || ws.identity.links.is_some())
            .then(|| ws.identity.resolved.clone()),
        exists,
        name: init::name(store),
        saved: agent::writes::unreported(ws),
        to_review: waiting.count,
        counts: Counts { memories: facts.saturating_sub(timed.not_held), ..counts },
        not_held: timed.not_held,
        unchecked: timed.unchecked,
        unreadable: counts.memories.saturating_sub(facts),
        project: ws.project().map(|store| store.shown),
        layers: layers::list(ws).layers.into_iter().filter(|layer| layer.active).collect(),
        layer: ws.own_layer(),
        git: git.map(|git| Git { merges_to_review: waiting.merges, ..git }),
        missing_secrets,
        timer: timer::standing(ws),
        agents: if exists { agent::list::connected(ws) } else { Vec::new() },
    })
}

/// A repository that cannot be read is reported elsewhere.
fn facts_gone(ws: &Workspace, listed: &[Listed], difference: &Difference) -> Option<sync::Gone> {
    let there: BTreeSet<&RelPath> = listed.iter().map(|file| &file.path).collect();
    let is_there = |path: &RelPath| {
        let evicted = || cloud::placeholder(path).is_some_and(|path| there.contains(&path));
        there.contains(path) || difference.left_out.contains(path) || evicted()
    };
    let read = || folder::read(&ws.identity.resolved);
    sync::gone_by_hand(ws, read, is_there).ok()?
}

/// The state of the repository.
pub(crate) fn git(ws: &Workspace) -> Result<Option<Git>, Error> {
    let listed = folder::list(&ws.identity.resolved, "").files;
    let look = looked_at(ws, &listed)?;
    Ok(look.map(|look| git_of(ws, &listed, &look)))
}

/// The work tree beside git's index and the last commit.
struct Look {
    repo: Rc<Repo>,
    head: Option<Id>,
    difference: Difference,
    /// Staged changes are not committed yet.
    staged: BTreeSet<RelPath>,
}

fn looked_at(ws: &Workspace, listed: &[Listed]) -> Result<Option<Look>, Error> {
    let Some(repo) = ws.repo()? else { return Ok(None) };
    let difference = repo.compare(listed)?;
    let head = repo.head()?;
    // As git does, and for the same reason not where it is told to lock nothing.
    if ws.env("GIT_OPTIONAL_LOCKS") != Some("0") {
        index_lock::refresh(&repo, &difference);
    }
    if let Some(head) = head.filter(|_| difference.is_clean()) {
        sync::note_nothing_staged(&repo, head);
    }
    let staged = head
        .filter(|head| !sync::nothing_staged(&repo, *head))
        .and_then(|head| repo.staged_paths(head).ok())
        .unwrap_or_default();
    Ok(Some(Look { repo, head, difference, staged }))
}

fn git_of(ws: &Workspace, listed: &[Listed], look: &Look) -> Git {
    let Look { repo, head, difference, staged } = look;
    let (store, head) = (ws.identity_place(), *head);
    let last = last_sync::Last::read(store);
    let changed: BTreeSet<&RelPath> =
        difference.changed.iter().chain(&difference.missing).chain(staged).collect();
    let (held, open): (Vec<&RelPath>, Vec<&RelPath>) =
        changed.into_iter().partition(|path| last.held(store, path));
    let mut git = Git {
        root: repo.root.clone(),
        prefix: Some(repo.prefix.clone()).filter(|prefix| !prefix.is_empty()),
        branch: None,
        remote: None,
        url: None,
        sealed: false,
        plain_remotes: Vec::new(),
        uncommitted: open.into_iter().map(ToString::to_string).collect(),
        last_sync: last.met_the_remote().map(|at| at.to_string()),
        last_sync_ago: last.met_the_remote().map(|at| ws.now().micros() - at.micros()),
        merges_to_review: Vec::new(),
        held_back: held.into_iter().map(ToString::to_string).collect(),
        ignored: sync::of_difference(ws, difference),
        nested: sync::nested(ws, repo).map(|(_, line)| line),
        facts_gone: None,
        unpublished: 0,
        problem: None,
    };
    let is_as_tidied = difference.missing.is_empty()
        && staged.is_empty()
        && repo.ref_id(TIDIED).is_none_or(|tidied| Some(tidied) == head);
    if !is_as_tidied {
        git.facts_gone = facts_gone(ws, listed, difference);
    }
    match repo.branch(&ws.settings.sync).and_then(|branch| repo.refuse_unfinished().map(|_| branch))
    {
        Ok(branch) => {
            git.unpublished = head.map_or(0, |head| unpublished(repo, &branch, head));
            git.branch = Some(branch.local.trim_start_matches("refs/heads/").to_owned());
            if branch.sealed {
                git.plain_remotes = repo.plain_remotes();
            }
            git.remote = branch.remote;
            git.sealed = branch.sealed;
            git.url = branch.url;
        }
        Err(error) => git.problem = Some(error.to_string()),
    }
    git
}

/// How many commits the remote is not known to have, if there is one.
fn unpublished(repo: &Repo, branch: &Branch, head: Id) -> usize {
    let Some(remote) = &branch.remote else { return 0 };
    let known = repo.ref_id(&branch.tracking).filter(|_| !repo.is_elsewhere(remote));
    repo.commits_between(known, head)
}
