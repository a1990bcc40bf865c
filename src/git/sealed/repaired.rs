//! What the host lost or let go apart, put right from what this laptop has seen.
//!
//! Invariant: what other laptops pushed stays. Lost pushes are put back; files that somebody took
//! are added, and those that no laptop would take removed, on top; where the remote went on without
//! pushes that this laptop saw, it is taken as by a laptop that joins, if its keys are not older,
//! and removed, on top, if they are. Nothing is forced. Must not know who agreed to it.

use super::{
    error::SealedError,
    mirror::Change,
    published::Place,
    state::{self, State},
    taken::{self, Taken},
};
use crate::git::{GitError, Id, Repo, process::Access, scratch, transport::Pushed};
use crate::seal::{keys::KeyRing, layout::Blob, record::hour};
use std::collections::BTreeSet;

/// What a repair found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repaired {
    /// All that this laptop has seen.
    Whole,
    /// A loss; the remote has this many pushes back.
    Back(u64),
    /// Files that no laptop would take; they are gone.
    Cleared,
    /// Others went on without this many pushes; the next sync merges both.
    Parted(u64),
}

/// Puts right what the host lost, from what this laptop has seen.
pub fn repair(repo: &Repo, url: &str, access: &Access) -> Result<Repaired, GitError> {
    let place = Place::open(repo, url, access)?;
    let remote = place.mirror.remote();
    let Some(state) = State::read(repo)? else {
        return Err(SealedError::NotBegun { remote }.into());
    };
    let heads = place.mirror.heads(access)?;
    let Some(now) = heads.branches.get(&state.branch).copied() else {
        return put_back(&place, &state, None);
    };
    if now == state.commit {
        return Ok(Repaired::Whole);
    }
    let fetched = place.mirror.fetch(&state.branch, access)?;
    if fetched == now && place.mirror.descends(state.commit, now)? {
        return put_back(&place, &state, Some(now));
    }
    let fault = match taken::take(repo, url, access) {
        Ok(_) => return Ok(Repaired::Whole),
        Err(error) => error,
    };
    if !taken::is_refused(&fault) {
        return Err(fault);
    }
    // Files that cannot be those of a sealed remote say nothing of what was lost.
    let gone = lost(&place, &state, fetched).unwrap_or_default();
    let goes_on = place.mirror.descends(fetched, state.commit)?;
    if !goes_on || are_replaced(&place, &gone, fetched)? {
        match parted(&place, url, &state, pushes(&gone)) {
            Ok(None) => {}
            // What strangers put on top is none of a laptop.
            Err(GitError::Sealed(_)) if goes_on => {}
            Ok(Some(repaired)) => return Ok(repaired),
            Err(error) => return Err(error),
        }
    }
    if goes_on && !gone.is_empty() {
        added(&place, url, &state, (fetched, &gone))
    } else {
        cleared(&place, url, &state, fetched)
    }
}

/// Whether others lie in the place of some of these packs.
fn are_replaced(place: &Place<'_>, gone: &[Vec<Blob>], now: Id) -> Result<bool, GitError> {
    if gone.is_empty() {
        return Ok(false);
    }
    let there: BTreeSet<String> =
        place.mirror.files(now)?.into_iter().map(|file| file.path).collect();
    Ok(gone.iter().flatten().any(|part| there.contains(&part.path)))
}

/// The branch goes forward again to what was seen last.
fn put_back(place: &Place<'_>, state: &State, now: Option<Id>) -> Result<Repaired, GitError> {
    let had = last(place, state.commit)?;
    let left = now.map_or(Ok(0), |now| last(place, now))?;
    match place.mirror.push(&state.branch, (now, state.commit), place.access)? {
        Pushed::Accepted(_) => Ok(Repaired::Back(had.saturating_sub(left))),
        Pushed::Behind(error) => Err(error),
    }
}

/// The number of the last pack of a commit.
fn last(place: &Place<'_>, commit: Id) -> Result<u64, GitError> {
    let survey = taken::surveyed(&place.mirror, &place.mirror.files(commit)?)?;
    Ok(survey.ends().map_or(0, |(_, last)| last))
}

/// The packs that were seen and do not lie in a commit as they were.
fn lost(place: &Place<'_>, state: &State, now: Id) -> Result<Vec<Vec<Blob>>, GitError> {
    let seen = taken::surveyed(&place.mirror, &place.mirror.files(state.commit)?)?;
    let there = place.mirror.files(now)?;
    let there: BTreeSet<(String, String)> =
        there.into_iter().map(|file| (file.path, file.id.to_string())).collect();
    let is_there = |part: &Blob| there.contains(&(part.path.clone(), part.id.clone()));
    Ok(seen.packs.into_values().filter(|pack| !pack.iter().all(is_there)).collect())
}

fn pushes(packs: &[Vec<Blob>]) -> u64 {
    u64::try_from(packs.len()).unwrap_or(u64::MAX)
}

/// Adds the packs that somebody took, on top of what lies there.
fn added(
    place: &Place<'_>,
    url: &str,
    state: &State,
    (now, gone): (Id, &[Vec<Blob>]),
) -> Result<Repaired, GitError> {
    let mut changes: Vec<Change> = Vec::new();
    for part in gone.iter().flatten() {
        let id = Id::from_hex(part.id.as_bytes()).expect("because the mirror named it");
        changes.push((part.path.clone(), Some(place.mirror.read(id)?)));
    }
    let commit = place.mirror.commit(Some(now), &changes, hour(place.seconds()))?;
    if let Pushed::Behind(error) =
        place.mirror.push(&state.branch, (Some(now), commit), place.access)?
    {
        return Err(error);
    }
    match taken::take(place.repo, url, place.access) {
        Ok(_) => Ok(Repaired::Back(pushes(gone))),
        Err(fault) if taken::is_refused(&fault) => cleared(place, url, state, commit),
        Err(fault) => Err(fault),
    }
}

/// How many commits of strangers are looked through for pushes of other laptops.
const STRANGE: usize = 256;

/// The files of the last commit that this laptop would take, on top of what lies there.
fn cleared(place: &Place<'_>, url: &str, state: &State, now: Id) -> Result<Repaired, GitError> {
    let mut sound = state.commit;
    for commit in place.mirror.between(state.commit, now, STRANGE)? {
        if taken::is_sound(place.repo, &place.mirror, state, commit, place.access)? {
            sound = commit;
            break;
        }
    }
    let commit = place.mirror.again(sound, now, hour(place.seconds()))?;
    if let Pushed::Behind(error) =
        place.mirror.push(&state.branch, (Some(now), commit), place.access)?
    {
        return Err(error);
    }
    taken::take(place.repo, url, place.access)?;
    Ok(Repaired::Cleared)
}

/// Takes what others pushed in the place of what was seen. `None`: not even a laptop that joins
/// would take it, or its keys are older: a laptop that was removed must not come back by setting
/// the branch back, and one that was not will find what lies there then, and take it.
fn parted(
    place: &Place<'_>,
    url: &str,
    state: &State,
    gone: u64,
) -> Result<Option<Repaired>, GitError> {
    let folder = scratch::repository(url)?;
    let there = scratch::opened(folder.path())?;
    let found = match taken::take(&there, url, place.access) {
        Err(fault) if taken::is_refused(&fault) => return Ok(None),
        found => found?,
    };
    let is_ours = |found: &Taken| found.state.seen.repository == state.seen.repository;
    let Some(ring) = found.filter(is_ours).and_then(|found| found.ring) else {
        let remote = place.mirror.remote();
        let why = "what lies there now is another sealed repository".to_owned();
        return Err(SealedError::Untrusted { remote, why }.into());
    };
    if !is_as_new(&ring, state) {
        return Ok(None);
    }
    state::forget(place.repo)?;
    taken::take(place.repo, url, place.access)?;
    Ok(Some(Repaired::Parted(gone)))
}

/// Whether keys are those that this laptop saw last, or later ones.
fn is_as_new(ring: &KeyRing, state: &State) -> bool {
    let (epoch, next) = (state.seen.epoch, state.seen.next.as_ref());
    ring.commitment(epoch).as_ref() == Some(&state.seen.key)
        && next.is_none_or(|next| ring.commitment(epoch + 1).as_ref() == Some(next))
}
