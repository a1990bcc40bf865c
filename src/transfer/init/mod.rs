//! `init`: sets up a new identity, or an existing one on a new laptop.
//!
//! Invariant: existing files are adopted, never overwritten. No repository is created inside
//! another. In a folder with other content the identity gets its own subfolder, and a remote with
//! other content is refused. Declining everything changes nothing.

mod address;
pub mod apply;
mod error;
mod looked;
mod planned;
mod report;
mod request;
mod target;

use crate::git::{
    dotfiles_repo, install, is_inside_git, public, repository_above, url, without_credentials,
};
use crate::identity::{
    Snapshot,
    kind::{CONTEXT, PERSONALITY},
    templates::{self, InitAnswers},
};
use crate::machine::{Context, cloud, context::IdentitySource, files, folder, zone};
use crate::sync;
use crate::transfer::seal::join::Joining;
use crate::workspace::{
    Error, Workspace,
    recognise::{self, Remote},
};
use address::absolute;
pub use address::refuse_no_place;
pub use apply::{RemotePlan, apply, plan_remote, set_remote};
use looked::{Looked, look_at};
use target::Target;

pub use crate::workspace::recognise::Counts;
pub use error::{InitError, is_sealed};
pub use planned::{Plan, Repository};
pub use report::{Report, counts, name};
pub use request::Request;
use std::path::Path;
pub use target::{Beside, OWN_FOLDER};

pub fn plan(ws: &Workspace, request: &Request) -> Result<Plan, Error> {
    let Target { folder, url, beside } = Target::of(ws, request)?;
    let named = url.as_deref().or(request.remote.as_deref());
    named.map_or(Ok(()), |url| refuse_no_place(ws, url))?;
    let remote = named.map(|url| absolute(ws, url));
    refuse_second(ws, folder.as_deref(), remote.as_deref())?;
    refuse_no_zone(&request.answers)?;
    let set_path =
        folder.as_ref().is_some_and(|folder| files::resolve(folder) != ws.identity.resolved);
    let ws = ws.elsewhere(folder.as_ref().unwrap_or(&ws.identity.path));
    refuse_place(&ws)?;
    let existing = !folder::list(&ws.identity.resolved, "").files.is_empty();
    let repository = repository(&ws)?;
    let cloned = url.is_some();
    refuse_in_cloud(&ws, &repository, remote.as_deref())?;
    let Looked { joins, unseen, sealed } =
        look_at(&ws, remote.as_deref(), (cloned && !existing, request.key.as_ref()))?;
    let mut wanted = Snapshot::default();
    let mut adopt = Vec::new();
    // An identity from a remote is complete; templates would only add noise.
    if joins.is_none() {
        if !existing {
            recognise::refuse_emptied(&ws)?;
        }
        wanted = templates::new_identity(&request.answers, ws.now());
        adopt = adopt_legacy(&ws, &mut wanted);
    }
    let there = |path: &str| files::exists(&ws.identity.resolved.join(path));
    refuse_links(&ws, &wanted)?;
    let missing = wanted.iter().filter(|(path, _)| !there(path.as_str()));
    let missing: Snapshot = missing.map(|(path, blob)| (path.clone(), blob.clone())).collect();
    adopt.retain(|(_, to): &(String, String)| missing.paths().any(|path| path.as_str() == to));
    let pushes_to = match repository {
        Repository::Inside(_) => sync::upstream(&ws)?,
        _ => None,
    };
    Ok(Plan {
        identity: ws.identity.path.clone(),
        existing,
        is_public: unseen.is_none()
            && sealed.is_none()
            && is_public(remote.as_deref(), pushes_to.as_ref()),
        remote: as_it_is(remote, sealed.as_ref()),
        create: missing.paths().map(ToString::to_string).collect(),
        adopt,
        pushes_to,
        repository,
        set_path,
        beside,
        joins,
        unseen,
        sealed,
        files: missing,
        direction: request.direction,
    })
}

/// The remote as git's configuration names it.
fn as_it_is(url: Option<String>, sealed: Option<&Joining>) -> Option<String> {
    url.map(|url| if sealed.is_some() { url::sealed(&url) } else { url })
}

/// Whether anybody can read what is published: from its own or the enclosing repository.
fn is_public(remote: Option<&str>, around: Option<&sync::Upstream>) -> bool {
    let published = remote.or(around.map(|upstream| upstream.url.as_str()));
    published.is_some_and(public::anybody_reads)
}

/// A folder synced by a cloud service has no repository that could get a remote.
fn refuse_in_cloud(
    context: &Context,
    repository: &Repository,
    url: Option<&str>,
) -> Result<(), Error> {
    match (repository, url) {
        (Repository::Cloud(service), Some(_)) => Err(sync::in_cloud(context, service)),
        _ => Ok(()),
    }
}

fn refuse_no_zone(answers: &InitAnswers) -> Result<(), Error> {
    match answers.timezone.as_deref().filter(|zone| !is_time_zone(zone)) {
        None => Ok(()),
        Some(zone) => {
            let meant = zone_ending_in(zone);
            Err(InitError::TimeZone { zone: zone.to_owned(), meant }.into())
        }
    }
}

fn refuse_place(ws: &Workspace) -> Result<(), Error> {
    if !is_inside_git(&ws.identity.resolved) {
        return recognise::refuse_folder_committed(ws, &ws.identity.resolved);
    }
    let place = ws.shown(&ws.identity.resolved);
    Err(InitError::InGitDir { place }.into())
}

/// A symlinked folder leads to files outside the identity.
fn refuse_links(context: &Context, wanted: &Snapshot) -> Result<(), Error> {
    let root = &context.identity.resolved;
    let link = wanted.paths().find_map(|path| files::link_on_the_way(root, path.folder()));
    let Some(link) = link else { return Ok(()) };
    Err(InitError::Link { path: context.shown(&link) }.into())
}

pub fn is_time_zone(name: &str) -> bool {
    zone::is_name(name)
}

/// The time zone that a person may mean by the name of a city.
pub fn zone_ending_in(typed: &str) -> Option<String> {
    zone::ending_in(typed)
}

/// The suggested time zone.
pub fn zone_of_laptop() -> Option<String> {
    zone::laptop_zone_name()
}

/// git's `user.name`, as the suggested name.
pub fn name_from_git() -> Option<String> {
    install::user_name()
}

fn repository(ws: &Workspace) -> Result<Repository, Error> {
    let found = || ws.repo();
    let repository = match repository_above(&ws.identity.resolved) {
        Some(root) if root == ws.identity.resolved => {
            // A repository that cannot be opened fails here, before anything is written.
            found()?;
            Repository::Own
        }
        Some(_) => match found()? {
            Some(repo) => Repository::Inside(repo.root.clone()),
            None => Repository::New,
        },
        // A detached work tree (`yadm enter`, `vcsh run`) is an enclosing repository as well.
        None => match found()? {
            Some(repo) if !repo.prefix.is_empty() => Repository::Inside(repo.root.clone()),
            _ => Repository::New,
        },
    };
    if repository != Repository::New {
        return Ok(repository);
    }
    if dotfiles_repo(ws).is_some() {
        let error = Box::new(sync::no_repository(ws));
        return Err(InitError::Elsewhere(error).into());
    }
    let cloud = cloud::service_of(&ws.identity.resolved);
    Ok(cloud.map_or(Repository::New, Repository::Cloud))
}

/// Refuses to implicitly replace an existing identity or its remote.
fn refuse_second(ws: &Workspace, folder: Option<&Path>, url: Option<&str>) -> Result<(), Error> {
    let place = ws.shown(&ws.identity.path);
    let here = !folder::list(&ws.identity.resolved, "").files.is_empty();
    if here && folder.is_some_and(|folder| files::resolve(folder) != ws.identity.resolved) {
        return Err(InitError::SecondIdentity { place }.into());
    }
    let Some(url) = url else { return Ok(()) };
    let repo = ws.repo()?;
    if let Some(repo) = repo.as_ref().filter(|repo| !repo.prefix.is_empty()) {
        let root = ws.shown(&repo.root);
        return Err(InitError::OthersRepository { place, root }.into());
    }
    let Some(repo) = repo.filter(|_| here) else { return Ok(()) };
    let known = repo.config(&format!("remote.{}.url", ws.settings.sync.remote));
    let is_same = |known: &String| {
        let (known, url) = (url::shown(known), url::shown(url));
        let place = repo.seen_from_anywhere(known);
        known == url || files::resolve(Path::new(&place)) == files::resolve(Path::new(url))
    };
    let Some(known) = known.filter(|known| !is_same(known)) else { return Ok(()) };
    // The same identity under another address.
    if let Ok(Remote::Identity(whose)) = recognise::remote(ws, url)
        && recognise::is_ours(ws, &repo, url, &whose)
    {
        return Ok(());
    }
    let (known, url) = (without_credentials(&known), without_credentials(url));
    Err(InitError::SecondRemote { place, known, url }.into())
}

/// Adopts the context and personality of older versions from their old places.
fn adopt_legacy(context: &Context, wanted: &mut Snapshot) -> Vec<(String, String)> {
    let mut adopted = Vec::new();
    // What older versions left beside the settings is the person's own.
    if context.identity.source == IdentitySource::Layer {
        return adopted;
    }
    let old_context = context.config_dir.join(CONTEXT);
    if let Ok(Some(bytes)) = files::read(&old_context) {
        wanted.put(crate::identity::RelPath::known(CONTEXT), bytes);
        adopted.push((context.shown(&old_context), CONTEXT.to_owned()));
    }
    if let Some(name) = &context.settings.personality {
        let text = templates::personality(Some(name), context.now());
        wanted.put(crate::identity::RelPath::known(PERSONALITY), text.into_bytes());
        adopted.push((
            format!("{} (personality)", context.shown(&context.settings_file())),
            PERSONALITY.to_owned(),
        ));
    }
    adopted
}
