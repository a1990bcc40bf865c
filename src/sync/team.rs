//! The repository of a team's layer, which others may rewrite.
//!
//! Invariant: what a team took out of its repository comes back by nobody's sync. Must not know
//! how a rewrite is noticed.

use super::{SyncContext, SyncError};
use crate::git::{self, url};
use crate::workspace::layers;

/// Whether it is a layer that others write, too.
pub(super) fn is_one(cx: &SyncContext<'_>) -> bool {
    layers::is_of_team(cx.ws)
}

/// Refuses to go on with a repository that lost commits, if it is a team's.
pub(super) fn refuse_rewritten(cx: &SyncContext<'_>) -> Result<(), SyncError> {
    let Some(name) = cx.ws.own_layer().filter(|_| is_one(cx)) else { return Ok(()) };
    let url = cx.branch.url.as_deref().map(url::shown).unwrap_or_default();
    let (url, folder) = (git::without_credentials(url), cx.ws.shown(&cx.store.shown));
    Err(SyncError::LayerRewritten { name, folder, url })
}
