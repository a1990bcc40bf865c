//! A sealed remote: what leaves this laptop is unreadable there, and is opened before it is merged.
//!
//! Invariant: the identity's repository stays plain git. None of the mirror's refs or objects
//! enters it; what comes from the remote is checked and accepted as a whole, or not at all; a kill
//! at any point leaves both sides as before or after. Must not know the sync, nor how two
//! identities merge.

mod amended;
mod bundle;
mod error;
mod keys;
mod left;
mod mirror;
mod published;
mod repaired;
mod state;
mod taken;

pub use amended::{Amended, Amendment, amend};
pub use error::SealedError;
pub use left::{FOLLOW, NOTE, SAID, leave, left};
pub use repaired::{Repaired, repair};
pub use state::{Begun, State, forget};
pub use taken::examine;

use super::{
    Branch, GitError, Id, Peek, Repo, peek,
    process::Access,
    scratch,
    transport::{Listing, Pushed},
};
use crate::identity::RelPath;
use crate::seal::{keys::KeyRing, layout};
use published::Place;
use taken::{Taken, take};

/// The name of the identity's branch, as a first join finds it.
const BRANCH: &str = "refs/heads/main";

/// What the remote has, in our objects. It has whatever branch it is asked for: there is only one.
pub(super) fn list(
    repo: &Repo,
    url: &str,
    branch: &str,
    access: &Access,
) -> Result<Listing, GitError> {
    refuse_unfit(repo)?;
    let taken = take(repo, url, access)?;
    let default = taken.as_ref().map(|_| branch.to_owned());
    Ok(Listing { branch: taken.map(|taken| taken.state.tip()), default })
}

/// Moves the tracking ref to what [`list`] found.
pub(super) fn fetch(
    repo: &Repo,
    url: &str,
    branch: &Branch,
    access: &Access,
) -> Result<Option<Id>, GitError> {
    let Some(taken) = take(repo, url, access)? else { return Ok(None) };
    let tip = taken.state.tip();
    track(repo, branch, tip)?;
    Ok(Some(tip))
}

/// Publishes `commit`, which descends from `known`.
pub(super) fn push(
    repo: &Repo,
    url: &str,
    branch: &Branch,
    (known, commit): (Option<Id>, Id),
    access: &Access,
) -> Result<Pushed, GitError> {
    refuse_unfit(repo)?;
    let pushed = published::push(repo, url, (known, commit), access)?;
    if !matches!(pushed, Pushed::Accepted(_)) {
        return Ok(pushed);
    }
    track(repo, branch, commit)?;
    // What the remote had before is a commit of the mirror, and that one stood for `known`.
    Ok(Pushed::Accepted(known.map(|known| known.to_string())))
}

fn track(repo: &Repo, branch: &Branch, tip: Id) -> Result<(), GitError> {
    let known = repo.ref_id(&branch.tracking);
    repo.move_ref(&branch.tracking, known, tip, "co: sealed").map(drop)
}

/// A bigger repository is not sealed, and one that lacks commits cannot be.
pub fn refuse_unfit(repo: &Repo) -> Result<(), GitError> {
    let root = || repo.root.display().to_string();
    if !repo.prefix.is_empty() {
        return Err(SealedError::Enclosed { root: root() }.into());
    }
    let is_partial = repo.config("extensions.partialClone").is_some();
    if is_partial || repo.gix.is_shallow().unwrap_or(true) {
        return Err(SealedError::Shallow { root: root() }.into());
    }
    Ok(())
}

/// Whether a sealed remote is among these files. Whoever can write there may have put others beside
/// it: it is sealed all the same.
pub fn is_sealed<'a>(paths: impl IntoIterator<Item = &'a RelPath>) -> bool {
    paths.into_iter().any(|path| layout::is_own(path.as_str()))
}

/// What lies on a sealed remote, opened in a temporary repository; `None` if it is empty. With the
/// keys that opened it.
pub fn look(url: &str, access: &Access) -> Result<Option<(Peek, KeyRing)>, GitError> {
    let folder = scratch::repository(url)?;
    let repo = scratch::opened(folder.path())?;
    let Some(Taken { state, ring }) = take(&repo, url, access)? else { return Ok(None) };
    let seen = peek::look(&repo, state.tip(), BRANCH.to_owned())?;
    Ok(ring.map(|ring| (seen, ring)))
}

/// The keys that open the last record: those of this laptop for the last one that it saw; what a
/// given recovery key opens, for the last one that is there.
pub fn ring(repo: &Repo, url: &str, access: &Access) -> Result<KeyRing, GitError> {
    if access.keys.given().is_some() {
        take(repo, url, access)?;
    }
    let place = Place::open(repo, url, access)?;
    let remote = crate::git::without_credentials(url);
    let state = State::read(repo)?.ok_or(SealedError::NotBegun { remote })?;
    let files = place.files(&state)?;
    Ok(place.keys(&state, &files)?.ring)
}

/// Whether a sealed remote has a commit in common with our own.
pub(super) fn shares_history(repo: &Repo, url: &str, access: &Access) -> Result<bool, GitError> {
    let Some(head) = repo.head()? else { return Ok(false) };
    let folder = scratch::repository(url)?;
    scratch::borrow_objects(folder.path(), repo)?;
    let there = scratch::opened(folder.path())?;
    let Some(taken) = take(&there, url, access)? else { return Ok(false) };
    Ok(!there.merge_bases(taken.state.tip(), head)?.is_empty())
}
