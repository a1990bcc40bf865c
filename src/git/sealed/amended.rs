//! Changes to a sealed remote that are not commits: who has the keys, new keys, fewer packs.
//!
//! Invariant: each is one record and one push, onto what was seen; a new key counts from the record
//! after the one that names it. Nothing is taken from the remote that a fetch would not take.

use super::{
    bundle,
    error::SealedError,
    keys::Keys,
    mirror::{Change, MirrorFile},
    published::{Draft, Onto, Place, enrolled, key_file_of, name_of},
    state::State,
    taken,
};
use crate::git::{GitError, Repo, process::Access, transport::Pushed};
use crate::machine::seal_keys::Held;
use crate::seal::{
    chain::Link,
    keys::KeyRing,
    layout,
    names::{LaptopName, Recipient},
    record::{Holders, Record, Recovery},
};

/// How often a push is tried again that another laptop overtook.
const TRIES: usize = 5;

/// A change to a sealed remote.
#[derive(Clone, Debug)]
pub enum Amendment {
    /// This laptop gets a key file, if it has none.
    Enrol,
    /// A new key, for all who have the old one.
    Rotate,
    /// A new key, for all but one laptop.
    Remove(LaptopName),
    /// A new key, and another recovery key with the file that a passphrase opens.
    Recovery { recipient: Recipient, passphrase: Option<Vec<u8>> },
    /// One pack in place of all.
    Repack,
}

/// What an amendment did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Amended {
    /// It was so already.
    Unchanged,
    Changed,
}

/// Publishes a change.
pub fn amend(
    repo: &Repo,
    url: &str,
    amendment: &Amendment,
    access: &Access,
) -> Result<Amended, GitError> {
    super::refuse_unfit(repo)?;
    let mut refused = None;
    for _ in 0..TRIES {
        if taken::take(repo, url, access)?.is_none() {
            break;
        }
        let place = Place::open(repo, url, access)?;
        let Some(state) = State::read(repo)? else { break };
        let files = place.files(&state)?;
        let keys = place.keys(&state, &files)?;
        let Some(draft) = drafted(&place, &state, (&files, &keys), amendment)? else {
            return Ok(Amended::Unchanged);
        };
        let ring = draft.after.clone();
        match place.send(Some(&state), draft)? {
            Pushed::Accepted(_) => {
                kept(&place, keys, ring)?;
                return Ok(Amended::Changed);
            }
            Pushed::Behind(error) => refused = Some(error),
        }
    }
    let remote = super::super::process::without_credentials(url);
    Err(refused.unwrap_or_else(|| SealedError::NotBegun { remote }.into()))
}

/// The keyring gets the new key once the remote has it; before that it might never count.
fn kept(place: &Place<'_>, keys: Keys, ring: KeyRing) -> Result<(), GitError> {
    let is_new = ring.newest() > keys.ring.newest();
    let Some(laptop) = keys.laptop.filter(|_| is_new) else { return Ok(()) };
    let remote = place.mirror.remote();
    let stored = place.access.keys.store(&Held { ring, laptop });
    stored.map_err(|source| SealedError::Keyring { remote, source }.into())
}

/// `None` if there is nothing to change.
fn drafted(
    place: &Place<'_>,
    state: &State,
    (files, keys): (&[MirrorFile], &Keys),
    amendment: &Amendment,
) -> Result<Option<Draft>, GitError> {
    let host = LaptopName::of(&place.repo.host);
    let name = name_of(keys, &state.seen, &host);
    let record = state.seen.record(name, place.seconds());
    let mut holders = state.seen.holders();
    let changes = enrolled(&mut holders, keys, &host);
    let is_new = !changes.is_empty();
    match amendment {
        Amendment::Enrol if !is_new => return Ok(None),
        Amendment::Enrol => {}
        Amendment::Repack => {
            return repacked(place, state, (files, keys)).map(Some);
        }
        Amendment::Rotate => return rotated(place, (record, holders), files, keys).map(Some),
        Amendment::Remove(name) => {
            let before = holders.laptops.len();
            holders.laptops.retain(|laptop| laptop.name != *name);
            if holders.laptops.len() == before {
                return Ok(None);
            }
            return rotated(place, (record, holders), files, keys).map(Some);
        }
        Amendment::Recovery { recipient, passphrase } => {
            holders.recovery.recipient = recipient.clone();
            holders.recovery.passphrase = None;
            let mut draft = rotated(place, (record, holders), files, keys)?;
            if let Some(bytes) = passphrase {
                let (file, change) = key_file_of(bytes.clone());
                draft.holders.recovery.passphrase = Some(file);
                draft.changes.push(change);
            }
            return Ok(Some(draft));
        }
    }
    let (ring, after) = (keys.ring.clone(), keys.ring.clone());
    let (bundle, onto) = (Vec::new(), Onto::Last);
    Ok(Some(Draft { record, holders, ring, after, bundle, changes, onto }))
}

/// A record that hands over to a new key, which is wrapped anew for all that it names.
fn rotated(
    place: &Place<'_>,
    (mut record, mut holders): (Record, Holders),
    files: &[MirrorFile],
    keys: &Keys,
) -> Result<Draft, GitError> {
    let remote = place.mirror.remote();
    let after = keys.ring.next().ok_or(SealedError::TooManyKeys { remote })?;
    record.next = after.commitment(record.epoch + 1);
    let mut changes: Vec<Change> = Vec::new();
    let mut wrapped = |recipient: &Recipient| {
        let (file, change) = Place::wrapped(&after, recipient);
        changes.push(change);
        file
    };
    for laptop in &mut holders.laptops {
        laptop.key = wrapped(&laptop.recipient);
    }
    let Recovery { recipient, passphrase, .. } = holders.recovery;
    let key = wrapped(&recipient);
    holders.recovery = Recovery { recipient, key, passphrase };
    // What opened with the old files is in the history of the remote, with the old keys.
    let kept: Vec<String> = holders.key_files().map(|file| layout::key_path(&file.name)).collect();
    let old = files.iter().filter(|file| file.path.starts_with("keys/"));
    let gone = old.filter(|file| !kept.contains(&file.path));
    changes.extend(gone.map(|file| (file.path.clone(), None)));
    let (ring, bundle) = (after.clone(), Vec::new());
    Ok(Draft { record, holders, ring, after, bundle, changes, onto: Onto::Last })
}

/// All packs as one, which says what it stands for.
fn repacked(
    place: &Place<'_>,
    state: &State,
    (files, keys): (&[MirrorFile], &Keys),
) -> Result<Draft, GitError> {
    let survey = taken::surveyed(&place.mirror, files)?;
    let all: Vec<u64> = survey.packs.keys().copied().collect();
    let (opened, _) =
        taken::open_all(&place.mirror, (files, &survey, &all), Some(state), place.access)?;
    let links: Vec<Link> = opened.into_iter().map(|pack| pack.link).collect();
    let name = name_of(keys, &state.seen, &LaptopName::of(&place.repo.host));
    let record = state.seen.repack(&links, &keys.ring, name, place.seconds());
    let remote = place.mirror.remote();
    let untrusted = || {
        let why = "its packs are not those that this laptop has seen".to_owned();
        SealedError::Untrusted { remote, why }
    };
    let record = record.ok_or_else(untrusted)?;
    let mut changes: Vec<Change> =
        vec![(layout::README_PATH.to_owned(), Some(layout::README.as_bytes().to_vec()))];
    for file in files.iter().filter(|file| file.path.starts_with("keys/")) {
        changes.push((file.path.clone(), Some(place.mirror.read(file.id)?)));
    }
    let bundle = bundle::make(place.repo, None, state.tip())?;
    let (ring, after) = (keys.ring.clone(), keys.ring.clone());
    let (holders, onto) = (state.seen.holders(), Onto::Nothing);
    Ok(Draft { record, holders, ring, after, bundle, changes, onto })
}
