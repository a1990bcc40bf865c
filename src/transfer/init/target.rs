//! What a person gave: the URL of a repository, or a folder.

use super::{Beside, InitError, OWN_FOLDER, Request, beside};
use crate::git::transport;
use crate::machine::{Context, files};
use crate::workspace::{Error, Workspace};
use std::path::PathBuf;

enum InitTarget {
    Url(String),
    Folder(PathBuf),
}

impl InitTarget {
    fn read(context: &Context, text: &str) -> Result<InitTarget, Error> {
        transport::sound_url(text)?;
        if transport::is_url(text) && !context.typed_path(text).exists() {
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
