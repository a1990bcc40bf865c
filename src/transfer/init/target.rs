//! What a person gave: the URL of a repository, or a folder, and what a folder has besides an
//! identity.

use super::{error::InitError, request::Request};
use crate::git::url;
use crate::machine::{Context, files, folder};
use crate::workspace::{Error, Workspace, recognise};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Other content in the folder that a person gave.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Beside {
    pub folder: PathBuf,
    /// The first names in the folder.
    pub names: Vec<String>,
    /// Its uncommitted files; `None` outside a repository.
    pub uncommitted: Option<usize>,
}

/// The subfolder for an identity in a folder with other content.
pub const OWN_FOLDER: &str = "co-identity";

enum InitTarget {
    Url(String),
    Folder(PathBuf),
}

impl InitTarget {
    fn read(context: &Context, text: &str) -> Result<InitTarget, Error> {
        url::sound_url(text)?;
        if url::is_url(text) && !context.typed_path(text).exists() {
            return Ok(InitTarget::Url(text.to_owned()));
        }
        let path = context.typed_path(text);
        let bare = ["HEAD", "objects", "refs"].iter().all(|name| files::exists(&path.join(name)));
        if bare {
            return Ok(InitTarget::Url(path.display().to_string()));
        }
        if !files::exists(&path) {
            return Err(InitError::NoTarget { path: context.shown(&path) }.into());
        }
        if !files::is_dir(&path) {
            return Err(InitError::File { text: text.to_owned() }.into());
        }
        Ok(InitTarget::Folder(path))
    }
}

/// The folder or the address that was named, and what a named folder has besides an identity.
#[derive(Default)]
pub(super) struct Target {
    pub(super) folder: Option<PathBuf>,
    pub(super) url: Option<String>,
    pub(super) beside: Option<Beside>,
}

impl Target {
    pub(super) fn of(ws: &Workspace, request: &Request) -> Result<Target, Error> {
        let read = |text: &String| InitTarget::read(ws, text);
        Ok(match request.target.as_ref().map(read).transpose()? {
            Some(InitTarget::Folder(folder)) => {
                let beside = beside(ws, &folder)?;
                let folder = if beside.is_some() { folder.join(OWN_FOLDER) } else { folder };
                Target { folder: Some(folder), beside, ..Target::default() }
            }
            Some(InitTarget::Url(url)) => Target { url: Some(url), ..Target::default() },
            None => Target::default(),
        })
    }
}

fn beside(ws: &Workspace, folder: &Path) -> Result<Option<Beside>, Error> {
    let there = ws.elsewhere(folder);
    let Some(names) = recognise::other_names_committed(&there, folder) else { return Ok(None) };
    let repo = there.repo()?;
    let uncommitted = match repo {
        Some(repo) => {
            let listed = folder::list(&repo.root, "").files;
            let difference = repo.compare(&listed)?;
            Some(difference.changed.len() + difference.missing.len())
        }
        None => None,
    };
    Ok(Some(Beside { folder: folder.to_owned(), names, uncommitted }))
}
