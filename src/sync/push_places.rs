//! Where git pushes to, if that is not where it fetches from (`pushurl`, `pushInsteadOf`, a second
//! `url`).
//!
//! Invariant: nothing is pushed to a place that has another identity, and what fails at such a
//! place is not said of the remote.

use super::{Error, context::SyncContext, error::SyncError};
use crate::git::{GitError, transport, without_credentials};
use crate::workspace::recognise::{self, Remote};

/// The URLs that git pushes to; none if it pushes to where it fetches from.
pub(super) fn elsewhere(cx: &SyncContext<'_>, remote: &str) -> Result<Vec<String>, Error> {
    if cx.repo.has_one_place(remote) {
        return Ok(Vec::new());
    }
    let urls = transport::push_urls(&cx.repo, remote)?;
    Ok(urls.iter().map(|url| cx.repo.seen_from_anywhere(url)).collect())
}

/// Fails if one of them has another identity, without common history.
pub(super) fn refuse_others(cx: &SyncContext<'_>, urls: &[String]) -> Result<(), Error> {
    if !cx.repo.prefix.is_empty() {
        return Ok(());
    }
    for url in urls {
        if let Remote::Identity(whose) = recognise::remote(cx.ws, url)?
            && !recognise::is_ours(cx.ws, &cx.repo, url, &whose)
        {
            let url = without_credentials(url);
            return Err(SyncError::PushesElsewhere { url }.into());
        }
    }
    Ok(())
}

/// Why a push failed, said of the place that it went to.
pub(super) fn said_of(urls: &[String], error: GitError) -> GitError {
    match (urls, error) {
        ([url], GitError::Remote { error_kind, reason, ssh, .. }) => {
            GitError::Remote { remote: without_credentials(url), error_kind, reason, ssh }
        }
        (_, error) => error,
    }
}

/// Why a push is refused again although the remote has not changed: either it goes to a place that
/// does not match the remote, or the server has another problem.
pub(super) fn refused_again(
    cx: &SyncContext<'_>,
    remote: &str,
    urls: &[String],
    error: GitError,
) -> Error {
    if urls.is_empty() {
        return error.into();
    }
    let key = format!("remote.{remote}.pushurl");
    let setting = cx.repo.config(&key).map(|_| key);
    let urls = urls.iter().map(|url| without_credentials(url)).collect();
    SyncError::PushPlaceDiffers { remote: remote.to_owned(), urls, setting }.into()
}
