//! Takes what is new on a sealed remote: fetches, opens, checks the chain, unpacks.
//!
//! Invariant: no object is unpacked before all records are accepted, and nothing is noted as seen
//! before all objects are on disk. A remote that lost, replaced or reordered records is refused.

use super::{
    bundle,
    error::SealedError,
    keys::{self, Keys},
    mirror::{Mirror, MirrorFile},
    state::State,
};
use crate::git::{GitError, Id, Repo, process::Access, transport::Heads};
use crate::seal::{
    chain::{self, ChainFault, Link, Seen},
    keys::KeyRing,
    layout::{Found, LayoutFault, Survey},
    pack::{self, Limits, Opened, PackFault},
    record::RecordFault,
};

/// What lies on the remote now.
#[derive(Debug)]
pub(in crate::git) struct Taken {
    pub(in crate::git) state: State,
    /// The keys that opened it, if anything was opened.
    pub(in crate::git) ring: Option<KeyRing>,
}

/// Brings everything new into the objects of the repository; `None` if the remote is empty.
pub(in crate::git) fn take(
    repo: &Repo,
    url: &str,
    access: &Access,
) -> Result<Option<Taken>, GitError> {
    let mirror = Mirror::open(repo, url)?;
    let known = State::read(repo)?;
    let heads = mirror.heads(access)?;
    let Some(branch) = branch_there(&mirror, &heads, known.as_ref())? else { return Ok(None) };
    if let Some(state) = known.as_ref()
        && heads.branches.get(&branch) == Some(&state.commit)
        && repo.knows(state.tip())
    {
        return Ok(Some(Taken { state: state.clone(), ring: None }));
    }
    let commit = mirror.fetch(&branch, access)?;
    take_commit(repo, &mirror, known.as_ref(), (branch, commit), access).map(Some)
}

/// Fails as [`take`] would for these branches, and writes to nothing but the mirror. Whoever calls
/// it holds the identity's lock.
pub fn examine(repo: &Repo, url: &str, heads: &Heads, access: &Access) -> Result<(), GitError> {
    let mirror = Mirror::open(repo, url)?;
    let known = State::read(repo)?;
    let Some(branch) = branch_there(&mirror, heads, known.as_ref())? else { return Ok(()) };
    let seen = known.as_ref().map(|state| &state.commit);
    if seen.is_some() && heads.branches.get(&branch) == seen {
        return Ok(());
    }
    let commit = mirror.fetch(&branch, access)?;
    checked(repo, &mirror, known.as_ref(), commit, access).map(drop)
}

/// Whether the files of a commit are what a laptop that has seen this much would take.
pub(super) fn is_sound(
    repo: &Repo,
    mirror: &Mirror<'_>,
    known: &State,
    commit: Id,
    access: &Access,
) -> Result<bool, GitError> {
    match checked(repo, mirror, Some(known), commit, access) {
        Ok(_) => Ok(true),
        Err(error) if is_refused(&error) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whether what lies there is at fault, and not this laptop's keys or its network.
pub(super) fn is_refused(error: &GitError) -> bool {
    match error {
        GitError::Unsafe { .. } => true,
        GitError::Sealed(error) => matches!(
            error,
            SealedError::Lost { .. }
                | SealedError::Untrusted { .. }
                | SealedError::NotSealed { .. }
        ),
        _ => false,
    }
}

/// The branch that is asked for; `None` if the remote is empty and always was.
fn branch_there(
    mirror: &Mirror<'_>,
    heads: &Heads,
    known: Option<&State>,
) -> Result<Option<String>, GitError> {
    let branch = branch_of(mirror, heads, known)?;
    match known {
        Some(known) if branch.is_none() => {
            let (remote, lost) = (mirror.remote(), known.seen.sequence);
            Err(SealedError::Lost { remote, lost }.into())
        }
        _ => Ok(branch),
    }
}

/// The one branch: the one that was seen before, else that of its HEAD, or the only one.
fn branch_of(
    mirror: &Mirror<'_>,
    heads: &Heads,
    known: Option<&State>,
) -> Result<Option<String>, GitError> {
    let before = known.map(|known| &known.branch).filter(|b| heads.branches.contains_key(*b));
    match before.or_else(|| heads.to_join()) {
        Some(branch) => Ok(Some(branch.clone())),
        None if heads.branches.is_empty() => Ok(None),
        None => {
            let (remote, branches) = (mirror.remote(), heads.names());
            Err(GitError::WhichBranch { remote, wanted: None, branches })
        }
    }
}

fn take_commit(
    repo: &Repo,
    mirror: &Mirror<'_>,
    known: Option<&State>,
    (branch, commit): (String, Id),
    access: &Access,
) -> Result<Taken, GitError> {
    let Checked { packs, keys, seen } = checked(repo, mirror, known, commit, access)?;
    if let Some(keys) = &keys {
        keys.keep(mirror, &access.keys)?;
    }
    for pack in &packs {
        bundle::take(repo, &pack.bundle)?;
    }
    let state = State { branch, commit, seen };
    if !repo.knows(state.tip()) {
        let (remote, why) = (mirror.remote(), "its last commit is in none of its packs".to_owned());
        return Err(SealedError::Untrusted { remote, why }.into());
    }
    state.save(repo)?;
    mirror.keep(commit)?;
    Ok(Taken { state, ring: keys.map(|keys| keys.ring) })
}

/// What a commit has that was not taken yet, in its place in the chain.
struct Checked {
    packs: Vec<Opened>,
    /// Those that opened them, if there are any.
    keys: Option<Keys>,
    seen: Seen,
}

/// Opens what is new in a commit, and accepts all of it or nothing.
fn checked(
    repo: &Repo,
    mirror: &Mirror<'_>,
    known: Option<&State>,
    commit: Id,
    access: &Access,
) -> Result<Checked, GitError> {
    let files = mirror.files(commit)?;
    let survey = surveyed(mirror, &files)?;
    refuse_lost(mirror, &survey, known)?;
    // A mirror that was made anew does not have it: then what follows the last record is new.
    let before = known.and_then(|known| mirror.files(known.commit).ok());
    let before = before.map(|files| surveyed(mirror, &files)).transpose()?;
    // What was unpacked may have been cleaned up, if nothing referred to it: then all is read
    // again, and checked against what was seen all the same.
    let has_all = known.is_some_and(|known| repo.knows(known.tip()));
    let before = before.filter(|_| has_all);
    let seen_to = known.filter(|_| has_all).map_or(0, |known| known.seen.sequence);
    let new = survey.since(before.as_ref()).map_err(|fault| of_layout(mirror, &fault))?;
    let new: Vec<u64> = new.into_iter().filter(|sequence| *sequence > seen_to).collect();
    if let (true, Some(known)) = (new.is_empty(), known) {
        return Ok(Checked { packs: Vec::new(), keys: None, seen: known.seen.clone() });
    }
    let (packs, keys) = open_all(mirror, (&files, &survey, &new), known, access)?;
    if known.is_some() {
        refuse_late_start(mirror, &survey, before.as_ref(), &packs)?;
    }
    let links: Vec<Link> = packs.iter().map(|pack| pack.link.clone()).collect();
    let seen = chain::accept(known.map(|known| &known.seen), &links);
    let seen = seen.map_err(|fault| of_chain(mirror, &fault))?;
    Ok(Checked { packs, keys: Some(keys), seen })
}

pub(super) fn surveyed(mirror: &Mirror<'_>, files: &[MirrorFile]) -> Result<Survey, GitError> {
    let ids: Vec<String> = files.iter().map(|file| file.id.to_string()).collect();
    let found = files.iter().zip(&ids);
    let found = found.map(|(file, id)| Found { path: &file.path, id, size: file.size });
    Survey::of(found).map_err(|fault| of_layout(mirror, &fault))
}

fn untrusted(mirror: &Mirror<'_>, fault: &dyn std::error::Error) -> GitError {
    SealedError::Untrusted { remote: mirror.remote(), why: fault.to_string() }.into()
}

fn of_layout(mirror: &Mirror<'_>, fault: &LayoutFault) -> GitError {
    match fault {
        LayoutFault::Lost { first, last } => {
            SealedError::Lost { remote: mirror.remote(), lost: last - first + 1 }.into()
        }
        _ => untrusted(mirror, fault),
    }
}

fn of_chain(mirror: &Mirror<'_>, fault: &ChainFault) -> GitError {
    match fault {
        ChainFault::WentBack { lost } => {
            SealedError::Lost { remote: mirror.remote(), lost: *lost }.into()
        }
        _ => untrusted(mirror, fault),
    }
}

/// Records that were here before and are not there any more are a loss, whatever else changed.
fn refuse_lost(
    mirror: &Mirror<'_>,
    survey: &Survey,
    known: Option<&State>,
) -> Result<(), GitError> {
    let remote = mirror.remote();
    let Some((_, last)) = survey.ends() else {
        let Some(known) = known else { return Err(SealedError::NotSealed { remote }.into()) };
        return Err(SealedError::Lost { remote, lost: known.seen.sequence }.into());
    };
    let lost = known.map_or(0, |known| known.seen.sequence.saturating_sub(last));
    if lost > 0 { Err(SealedError::Lost { remote, lost }.into()) } else { Ok(()) }
}

/// Packs may be gone before the first one that is there only if that one stands for them: else no
/// laptop could join any more.
fn refuse_late_start(
    mirror: &Mirror<'_>,
    survey: &Survey,
    before: Option<&Survey>,
    packs: &[Opened],
) -> Result<(), GitError> {
    let (Some((start, _)), Some(first)) = (survey.ends(), packs.first()) else { return Ok(()) };
    let record = &first.link.record;
    if start == 1 || record.sequence != start || record.covers.is_some() {
        return Ok(());
    }
    let gone = before.map(|before| before.packs.range(..start).count());
    let lost = gone.and_then(|gone| u64::try_from(gone).ok()).unwrap_or(start - 1);
    Err(SealedError::Lost { remote: mirror.remote(), lost }.into())
}

/// All packs with these numbers, and the keys that opened them.
pub(super) fn open_all(
    mirror: &Mirror<'_>,
    (files, survey, new): (&[MirrorFile], &Survey, &[u64]),
    known: Option<&State>,
    access: &Access,
) -> Result<(Vec<Opened>, Keys), GitError> {
    let repository = known.map(|known| &known.seen.repository);
    let mut failed = None;
    for keys in keys::candidates(mirror, files, repository, &access.keys)? {
        match open_with(mirror, (files, survey, new), keys, known) {
            Ok((opened, keys)) => match as_said(keys, &opened) {
                Some(keys) => return Ok((opened, keys)),
                None => failed = failed.or(Some(PackFault::OtherKey)),
            },
            Err(Shut::Failed(error)) => return Err(error),
            Err(Shut::Closed(fault)) => failed = failed.or(Some(fault)),
        }
    }
    let remote = mirror.remote();
    let error = match failed {
        Some(PackFault::Record(RecordFault::Newer(format))) => {
            SealedError::Newer { remote, format }
        }
        Some(fault) if fault != PackFault::OtherKey => return Err(untrusted(mirror, &fault)),
        _ if access.keys.given().is_some() => SealedError::WrongKey { remote },
        _ if known.is_some() => SealedError::Removed { remote },
        _ => SealedError::NoKey { remote },
    };
    Err(error.into())
}

/// The keys of which these packs speak, and no others.
fn as_said(keys: Keys, opened: &[Opened]) -> Option<Keys> {
    let Some(Link { record, sealed_to, .. }) = opened.last().map(|pack| &pack.link) else {
        return Some(keys);
    };
    keys.fitting(record.epoch, sealed_to, record.next.as_ref())
}

/// Why packs were not opened.
enum Shut {
    Failed(GitError),
    /// With these keys.
    Closed(PackFault),
}

impl From<GitError> for Shut {
    fn from(error: GitError) -> Shut {
        Shut::Failed(error)
    }
}

fn open_with(
    mirror: &Mirror<'_>,
    (files, survey, new): (&[MirrorFile], &Survey, &[u64]),
    mut keys: Keys,
    known: Option<&State>,
) -> Result<(Vec<Opened>, Keys), Shut> {
    let before = known.and_then(|known| known.seen.next.clone());
    let mut epoch = known.map_or(0, |known| known.seen.epoch);
    let mut all = Vec::with_capacity(new.len());
    for sequence in new {
        let mut bytes = Vec::new();
        for part in survey.packs.get(sequence).into_iter().flatten() {
            let id = Id::from_hex(part.id.as_bytes()).expect("because the mirror named it");
            bytes.extend(mirror.read(id)?);
        }
        let mut opened = pack::open(&bytes, &keys.ring, Limits::default());
        // A later epoch may have begun.
        let last = all.last().map(|pack: &Opened| &pack.link.record.next);
        let next = last.unwrap_or(&before).as_ref();
        if opened.as_ref().err() == Some(&PackFault::OtherKey) {
            let follows = !all.is_empty() || survey.packs.contains_key(&(sequence - 1));
            if let Some(grown) = keys.grown(mirror, files, next)? {
                keys = grown;
                opened = pack::open(&bytes, &keys.ring, Limits::default());
            } else if follows && next.is_none() && keys.ring.newest() >= epoch {
                opened = Err(PackFault::NotHandedOver);
            }
        }
        let opened = opened.map_err(Shut::Closed)?;
        let at = opened.link.record.sequence;
        // The last pack that was taken, under a later number, would pass for nothing new.
        if at != *sequence {
            return Err(Shut::Failed(of_chain(mirror, &ChainFault::OutOfOrder { at })));
        }
        epoch = opened.link.record.epoch;
        all.push(opened);
    }
    Ok((all, keys))
}
