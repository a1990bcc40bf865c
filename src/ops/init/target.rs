//! What a person named: the URL of a repository, or a folder.

use crate::ops::{Exit, Failure};
use crate::system::{Context, files, git::transport};
use std::path::PathBuf;

pub(super) enum Target {
    Url(String),
    Folder(PathBuf),
}

impl Target {
    pub(super) fn read(context: &Context, text: &str) -> Result<Target, Failure> {
        transport::sound_url(text)?;
        if transport::is_url(text) && !context.typed_path(text).exists() {
            return Ok(Target::Url(text.to_owned()));
        }
        let path = context.typed_path(text);
        let bare = ["HEAD", "objects", "refs"].iter().all(|name| files::exists(&path.join(name)));
        if bare {
            return Ok(Target::Url(path.display().to_string()));
        }
        if !files::exists(&path) {
            return Err(Failure::new(
                Exit::NotFound,
                format!("there is no folder or repository {}", context.shown(&path)),
            )
            .hint("make the folder first, or look whether the address is right"));
        }
        if !files::is_dir(&path) {
            return Err(Failure::new(
                Exit::Usage,
                format!("{text} is a file; a folder or the URL of a git repository is meant"),
            )
            .hint("`co init DIR` or `co init URL`"));
        }
        Ok(Target::Folder(path))
    }
}
