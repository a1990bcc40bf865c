//! What a person gave: the URL of a repository, or a folder.

use super::InitError;
use crate::git::transport;
use crate::machine::{Context, files};
use crate::workspace::Error;
use std::path::PathBuf;

pub(super) enum InitTarget {
    Url(String),
    Folder(PathBuf),
}

impl InitTarget {
    pub(super) fn read(context: &Context, text: &str) -> Result<InitTarget, Error> {
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
