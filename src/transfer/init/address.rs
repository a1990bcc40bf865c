//! The address of a remote as a person types it: a URL, or a path.
//!
//! Invariant: a path is absolute afterwards, whatever folder git runs in.

use super::error::InitError;
use crate::git::{transport, url};
use crate::machine::{Context, files, paths};
use crate::workspace::Error;

/// Refuses a word that is neither a URL nor a path.
pub fn refuse_no_place(context: &Context, url: &str) -> Result<(), Error> {
    url::sound_url(url)?;
    let is_path = url.contains('/') || files::exists(&context.cwd.join(url));
    if url::is_url(url) || is_path {
        return Ok(());
    }
    Err(InitError::NoRepository { url: url.to_owned() }.into())
}

/// Makes a local path absolute, whether or not there is something yet: git may run in another
/// folder.
pub(super) fn absolute(context: &Context, url: &str) -> String {
    if let Some(url) = url::unsealed(url) {
        return url::sealed(&absolute(context, url));
    }
    let here = context.typed_path(url);
    if files::is_dir(&here) {
        return files::resolve(&here).display().to_string();
    }
    // An abbreviation of the person's (`url.*.insteadOf`) is no path.
    let git_dir = context.identity.resolved.join(".git");
    if url::is_url(url) || transport::real_url(&git_dir, url) != url {
        return url.to_owned();
    }
    paths::resolve_new(&here).display().to_string()
}
