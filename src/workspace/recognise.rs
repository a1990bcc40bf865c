//! The identity guard: co reads, commits, publishes and rewrites only identities.
//!
//! Invariant: checked at the first contact with a folder or a remote. Afterwards, co's own ref in
//! the repository, or a common history, shows that a person agreed.

use super::{Error, ErrorKind, VerbError, Workspace, login};
use crate::git::{
    self, Access, GitError, Peek, Repo, TIDIED,
    sealed::{self, SealedError},
    transport, url,
};
use crate::identity::{
    Kind, RelPath, Role,
    recognise::{Content, content},
};
use crate::index::store;
use crate::machine::{Context, folder, seal_keys::KeySource};
use crate::seal::keys::KeyRing;
use serde::Serialize;
use std::path::Path;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Counts {
    pub memories: usize,
    pub traits: usize,
    /// Includes articles.
    pub documents: usize,
}

/// An identity that is already on a remote.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RemoteIdentity {
    /// The `- Name:` in its profile.
    pub name: Option<String>,
    pub counts: Counts,
    /// The full ref: `refs/heads/main`.
    pub branch: String,
    #[serde(skip)]
    commit: git::Id,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Remote {
    /// Nothing, or only a readme; with the branch if there is one.
    Nothing(Option<String>),
    Identity(RemoteIdentity),
    /// A sealed one, which was looked at as if it were plain.
    Sealed,
}

/// Why a folder or repository is not recognised as an identity.
#[derive(Debug, thiserror::Error)]
pub enum RecogniseError {
    #[error("{place} is empty, but the last commit has {files} files there")]
    Emptied { place: String, files: usize, root: String, prefix: String },
    #[error("{place} contains something other than an identity: {names}")]
    Other { place: String, names: String },
    /// Somebody named a sealed remote as a plain one, past co.
    #[error("{place} is sealed, and it is set as a plain remote; nothing was merged or pushed")]
    Sealed { place: String },
}

impl VerbError for RecogniseError {
    fn kind(&self) -> ErrorKind {
        match self {
            RecogniseError::Emptied { .. } => ErrorKind::NeedsUser,
            RecogniseError::Other { .. } | RecogniseError::Sealed { .. } => ErrorKind::Refused,
        }
    }
}

/// The content of a remote, before anything is agreed to; anything but an identity is refused.
pub fn remote(context: &Context, url: &str) -> Result<Remote, Error> {
    url::sound_url(url)?;
    let real = transport::real_url(&context.identity.resolved.join(".git"), url);
    let access = login::access(context, &real)?;
    match git::peek(url, &access)? {
        Some(seen) if is_sealed(url, &seen) => Ok(Remote::Sealed),
        Some(seen) => of_peek(url, seen),
        None => Ok(Remote::Nothing(None)),
    }
}

fn is_sealed(url: &str, seen: &Peek) -> bool {
    url::unsealed(url).is_none() && sealed::is_sealed(&seen.paths)
}

/// The content of a sealed remote, opened with these keys, and all its keys.
pub fn sealed(context: &Context, url: &str, keys: KeySource) -> Result<(Remote, KeyRing), Error> {
    url::sound_url(url)?;
    let real = transport::real_url(&context.identity.resolved.join(".git"), url);
    let access = Access { keys, ..login::access(context, &real)? };
    let url = url::shown(url);
    let Some((seen, ring)) = sealed::look(url, &access)? else {
        let remote = git::without_credentials(url);
        return Err(GitError::from(SealedError::NotSealed { remote }).into());
    };
    Ok((of_peek(url, seen)?, ring))
}

fn of_peek(url: &str, seen: Peek) -> Result<Remote, Error> {
    let Peek { branch, commit, paths, profile, others } = seen;
    let url = url::shown(url);
    match content(&paths) {
        // Work on other branches means that the repository belongs to somebody.
        Content::Nothing if !others.is_empty() => {
            let short = |name: &String| name.trim_start_matches("refs/heads/").to_owned();
            let names: Vec<String> =
                others.iter().take(3).map(|name| format!("branch {}", short(name))).collect();
            Err(other(&git::without_credentials(url), &names))
        }
        Content::Nothing => Ok(Remote::Nothing(Some(branch))),
        Content::Identity => {
            let text = profile.map(|blob| String::from_utf8_lossy(&blob).into_owned());
            let name = text.as_deref().and_then(store::name_in);
            Ok(Remote::Identity(RemoteIdentity { name, counts: counts(&paths), branch, commit }))
        }
        Content::Other(names) => Err(other(&git::without_credentials(url), &names)),
    }
}

/// Whether the identity on a remote is ours, under whatever address: it has a common history.
pub fn is_ours(context: &Context, repo: &Repo, url: &str, whose: &RemoteIdentity) -> bool {
    is_ours_with(context, repo, (url, KeySource::of(context)), whose)
}

/// As [`is_ours`], with the keys of a sealed remote.
pub fn is_ours_with(
    context: &Context,
    repo: &Repo,
    (url, keys): (&str, KeySource),
    whose: &RemoteIdentity,
) -> bool {
    if repo.knows(whose.commit) {
        return true;
    }
    let real = transport::real_url(repo.git_dir(), url);
    let Ok(access) = login::access(context, &real) else { return false };
    let access = Access { keys, ..access };
    git::shares_history(repo, url, &whose.branch, &access).unwrap_or(false)
}

pub fn counts<'a>(paths: impl IntoIterator<Item = &'a RelPath>) -> Counts {
    let mut counts = Counts::default();
    for path in paths {
        // Most are facts, which is quick to see.
        if path.is_memory() {
            counts.memories += 1;
            continue;
        }
        let row = path.row();
        match (row.role, row.kind) {
            (Role::Fact, _) => counts.memories += 1,
            (Role::Document, _) => counts.documents += 1,
            (_, Kind::Trait) => counts.traits += 1,
            _ => {}
        }
    }
    counts
}

/// `place` is the folder or remote for the message.
pub fn refuse_other<'a>(
    place: &str,
    paths: impl IntoIterator<Item = &'a RelPath>,
) -> Result<(), Error> {
    let paths: Vec<&RelPath> = paths.into_iter().collect();
    if sealed::is_sealed(paths.iter().copied()) {
        return Err(RecogniseError::Sealed { place: place.to_owned() }.into());
    }
    match content(paths) {
        Content::Nothing | Content::Identity => Ok(()),
        Content::Other(names) => Err(other(place, &names)),
    }
}

/// Refuses an identity folder with other content, unless co has committed it before.
pub fn refuse_folder(ws: &Workspace, root: &Path) -> Result<(), Error> {
    refuse_names(ws, root, other_names(ws, root))
}

pub fn refuse_folder_committed(ws: &Workspace, root: &Path) -> Result<(), Error> {
    refuse_names(ws, root, other_names_committed(ws, root))
}

fn refuse_names(context: &Context, root: &Path, names: Option<Vec<String>>) -> Result<(), Error> {
    names.map_or(Ok(()), |names| Err(other(&context.shown(root), &names)))
}

/// The first names in a folder with other content, unless co has committed there before.
fn other_names(ws: &Workspace, root: &Path) -> Option<Vec<String>> {
    let Content::Other(names) = content(&folder::at_the_top(root)) else { return None };
    match ws.repo() {
        Ok(Some(repo)) if repo.is_agreed() => None,
        _ => Some(names),
    }
}

/// As [`other_names`], but includes files that are only in the repository's index and last commit:
/// those that a checkout left out or a person moved away would be deleted there. Only for `init`,
/// because it is slow; sync makes its own check at the first contact.
pub fn other_names_committed(ws: &Workspace, root: &Path) -> Option<Vec<String>> {
    if let Some(names) = other_names(ws, root) {
        return Some(names);
    }
    let mut on_disk = folder::at_the_top(root);
    let repo = ws.repo().ok().flatten();
    let repo = repo.filter(|repo| repo.ref_id(TIDIED).is_none())?;
    on_disk.extend(repo.staged(None).ok()?.paths().cloned());
    let head = repo.snapshot(repo.head().ok()?).ok()?;
    match content(on_disk.iter().chain(head.paths())) {
        Content::Other(names) => Some(names),
        Content::Nothing | Content::Identity => None,
    }
}

/// A new identity over one whose files are only missing would replace it at the next sync.
pub fn refuse_emptied(ws: &Workspace) -> Result<(), Error> {
    let Some(repo) = ws.repo()? else { return Ok(()) };
    let committed = repo.paths_in(repo.head()?);
    let files = committed?.len();
    if files == 0 {
        return Ok(());
    }
    let place = ws.shown(&ws.context.identity.path);
    let (root, prefix) = (ws.shown(&repo.root), repo.prefix.trim_end_matches('/'));
    let prefix = if prefix.is_empty() { "." } else { prefix };
    Err(RecogniseError::Emptied { place, files, root, prefix: prefix.to_owned() }.into())
}

/// Whether a folder contains the files of an identity.
pub fn is_identity(root: &Path) -> bool {
    content(&folder::at_the_top(root)) == Content::Identity
}

fn other(place: &str, names: &[String]) -> Error {
    let names = crate::secrets::redact(&names.join(", ")).into_owned();
    RecogniseError::Other { place: place.to_owned(), names }.into()
}
