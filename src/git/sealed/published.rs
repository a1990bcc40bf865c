//! Seals what the remote lacks and pushes it, onto what was seen there last.
//!
//! Invariant: nothing leaves the laptop that is not sealed; the remote's branch only grows, but for
//! a repack, which replaces exactly what was seen. What was pushed is noted after the remote has
//! it: a kill in between is found by the next fetch.

use super::{
    bundle,
    error::SealedError,
    keys::{self, Keys},
    mirror::{Change, Mirror, MirrorFile},
    state::{Begun, State, tip_of},
    taken,
};
use crate::git::{GitError, Id, Repo, error::RemoteErrorKind, process::Access, transport::Pushed};
use crate::machine::seal_keys::{Held, random};
use crate::seal::{
    chain::{self, Link, Seen},
    key_file,
    keys::{KeyRing, LaptopKey},
    layout,
    names::{KeyName, LaptopName, Recipient, Sum},
    pack::{self, SealFault},
    record::{Holders, KeyFile, Laptop, Record, Recovery},
};

/// The branch of a remote that co sealed.
const BRANCH: &str = "refs/heads/main";
const MB: usize = 1_000_000;

/// What is about to be pushed.
pub(super) struct Draft {
    /// Names who has the keys only if the last one that was seen does not say the same.
    pub(super) record: Record,
    /// Who has the keys from now on.
    pub(super) holders: Holders,
    /// With the key of the record's epoch.
    pub(super) ring: KeyRing,
    /// The keys from this record on.
    pub(super) after: KeyRing,
    pub(super) bundle: Vec<u8>,
    /// Files beside the pack.
    pub(super) changes: Vec<Change>,
    pub(super) onto: Onto,
}

/// What the commit on the remote follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Onto {
    /// The last one that was seen.
    Last,
    /// Nothing: it replaces what was seen, and only that.
    Nothing,
}

/// A repository, its mirror, and what is known of both.
pub(super) struct Place<'a> {
    pub(super) repo: &'a Repo,
    pub(super) mirror: Mirror<'a>,
    pub(super) access: &'a Access,
}

impl<'a> Place<'a> {
    pub(super) fn open(
        repo: &'a Repo,
        url: &str,
        access: &'a Access,
    ) -> Result<Place<'a>, GitError> {
        Ok(Place { repo, mirror: Mirror::open(repo, url)?, access })
    }

    pub(super) fn seconds(&self) -> u64 {
        u64::try_from(self.repo.clock.now().micros() / 1_000_000).unwrap_or_default()
    }

    /// The files of the last commit that was seen; it is fetched again if the mirror lost it.
    pub(super) fn files(&self, state: &State) -> Result<Vec<MirrorFile>, GitError> {
        self.mirror.files(state.commit).or_else(|_| {
            self.mirror.fetch(&state.branch, self.access)?;
            self.mirror.files(state.commit)
        })
    }

    /// The keys that open the last record.
    pub(super) fn keys(&self, state: &State, files: &[MirrorFile]) -> Result<Keys, GitError> {
        let (repository, next) = (Some(&state.seen.repository), state.seen.next.as_ref());
        let fitting = |keys: Keys| keys.fitting(state.seen.epoch, &state.seen.key, next);
        let all = keys::candidates(&self.mirror, files, repository, &self.access.keys)?;
        let remote = self.mirror.remote();
        // Those of them that have the key of the next record come first.
        let fit = all.into_iter().filter_map(fitting).rev().max_by_key(|keys| keys.ring.newest());
        let keys = fit.ok_or(SealedError::Removed { remote })?;
        // The next record needs the key that the last one handed over to.
        let wanted = state.seen.epoch + u32::from(state.seen.next.is_some());
        if keys.ring.newest() >= wanted {
            return Ok(keys);
        }
        let grown = keys.grown(&self.mirror, files, next)?.and_then(fitting);
        let remote = self.mirror.remote();
        let grown = grown.ok_or(SealedError::Removed { remote })?;
        grown.keep(&self.mirror, &self.access.keys)?;
        Ok(grown)
    }

    /// Seals the draft, and pushes it onto what was seen.
    pub(super) fn send(&self, state: Option<&State>, draft: Draft) -> Result<Pushed, GitError> {
        let Draft { mut record, holders, ring, bundle, mut changes, onto, .. } = draft;
        if state.is_none_or(|state| state.seen.holders() != holders) {
            record = record.naming(holders);
        }
        let (sequence, time) = (record.sequence, record.time);
        let sealed = pack::seal(record, &bundle, &ring).map_err(|fault| self.not_sealed(fault))?;
        changes.extend(layout::parts(sequence, &sealed.bytes).map(|(p, b)| (p, Some(b.to_vec()))));
        let seen = state.map(|state| state.commit);
        let commit = self.mirror.commit(seen.filter(|_| onto == Onto::Last), &changes, time)?;
        let branch = state.map_or(BRANCH, |state| state.branch.as_str());
        let pushed = self.mirror.push(branch, (seen, commit), self.access)?;
        if matches!(pushed, Pushed::Accepted(_)) {
            let seen = accepted(state.map(|state| &state.seen), sealed.link);
            State { branch: branch.to_owned(), commit, seen }.save(self.repo)?;
        }
        Ok(pushed)
    }

    fn not_sealed(&self, fault: SealFault) -> GitError {
        let remote = self.mirror.remote();
        match fault {
            SealFault::TooBig(size) => {
                let limit = pack::Limits::default().sealed / MB;
                SealedError::TooLarge { size: size / MB, limit }.into()
            }
            SealFault::NoKey(_) | SealFault::OtherRepository => {
                SealedError::NoKey { remote }.into()
            }
            SealFault::OtherBundle | SealFault::Record(_) => {
                SealedError::Untrusted { remote, why: fault.to_string() }.into()
            }
        }
    }

    /// A key file for somebody, and the change that adds it.
    pub(super) fn wrapped(ring: &KeyRing, recipient: &Recipient) -> (KeyFile, Change) {
        key_file_of(key_file::for_recipient(ring, recipient))
    }
}

/// What this laptop has seen after its own record.
fn accepted(seen: Option<&Seen>, link: Link) -> Seen {
    chain::accept(seen, &[link]).expect("because the record was made to follow what was seen")
}

/// A key file of these bytes, under a name that says nothing.
pub(super) fn key_file_of(bytes: Vec<u8>) -> (KeyFile, Change) {
    let (name, sum) = (KeyName::random(random()), Sum::of(&bytes));
    let change = (layout::key_path(&name), Some(bytes));
    (KeyFile { name, sum }, change)
}

/// Pushes what leads from `known` to `commit`.
pub(super) fn push(
    repo: &Repo,
    url: &str,
    (known, commit): (Option<Id>, Id),
    access: &Access,
) -> Result<Pushed, GitError> {
    let place = Place::open(repo, url, access)?;
    let Some(state) = State::read(repo)? else { return first(&place, commit) };
    if known != Some(state.tip()) {
        return Ok(Pushed::Behind(not_read(&place)));
    }
    let files = place.files(&state)?;
    let keys = match place.keys(&state, &files) {
        // A recovery key that was made since opens only what is there now.
        Err(GitError::Sealed(SealedError::WrongKey { .. })) if has_moved(&place, &state)? => {
            return Ok(Pushed::Behind(not_read(&place)));
        }
        keys => keys?,
    };
    let host = LaptopName::of(&repo.host);
    let mut record = state.seen.record(name_of(&keys, &state.seen, &host), place.seconds());
    record.new = tip_of(commit);
    let mut holders = state.seen.holders();
    let mut changes = returned(&mut holders, &keys.ring, &place, &files)?;
    changes.extend(enrolled(&mut holders, &keys, &host));
    let bundle = bundle::make(repo, known, commit)?;
    let (ring, after) = (keys.ring.clone(), keys.ring);
    let draft = Draft { record, holders, ring, after, bundle, changes, onto: Onto::Last };
    place.send(Some(&state), draft)
}

/// Whether the remote is not as it was seen last.
fn has_moved(place: &Place<'_>, state: &State) -> Result<bool, GitError> {
    let heads = place.mirror.heads(place.access)?;
    Ok(heads.branches.get(&state.branch) != Some(&state.commit))
}

fn not_read(place: &Place<'_>) -> GitError {
    GitError::Remote {
        remote: place.mirror.remote(),
        error_kind: RemoteErrorKind::Refused,
        reason: "it was not read on this laptop yet".to_owned(),
        ssh: None,
    }
}

/// The first push to an empty remote, by the laptop that sealed it.
fn first(place: &Place<'_>, commit: Id) -> Result<Pushed, GitError> {
    let remote = place.mirror.remote();
    let Some(begun) = Begun::read(place.repo)? else {
        // It may have been begun elsewhere and not be read yet.
        let heads = place.mirror.heads(place.access)?;
        if heads.branches.is_empty() {
            return Err(SealedError::NotBegun { remote }.into());
        }
        return Ok(Pushed::Behind(not_read(place)));
    };
    let (ring, laptop) = match place.access.keys.of_keyring().stored(Some(&begun.repository)) {
        Ok(held) => match held.into_iter().next() {
            Some(Held { ring, laptop }) => (ring, Some(laptop)),
            None => return Err(SealedError::NoKey { remote }.into()),
        },
        // Without a keyring, the recovery key opens what is begun here.
        Err(error) if error.is_absent() && place.access.keys.given().is_some() => {
            (KeyRing::begin(begun.repository.clone()), None)
        }
        Err(source) => return Err(SealedError::Keyring { remote, source }.into()),
    };
    let host = LaptopName::of(&place.repo.host);
    let mut changes: Vec<Change> =
        vec![(layout::README_PATH.to_owned(), Some(layout::README.as_bytes().to_vec()))];
    let mut wrapped = |recipient: &Recipient| {
        let (file, change) = Place::wrapped(&ring, recipient);
        changes.push(change);
        file
    };
    // One that keeps no key is not among those that have it.
    let laptops = laptop.into_iter().map(|laptop| {
        let recipient = laptop.recipient();
        Laptop { name: host.clone(), key: wrapped(&recipient), recipient }
    });
    let laptops = laptops.collect();
    let recovery_key = wrapped(&begun.recovery);
    let passphrase = begun.passphrase.map(|bytes| {
        let (file, change) = key_file_of(bytes);
        changes.push(change);
        file
    });
    let recovery = Recovery { recipient: begun.recovery, key: recovery_key, passphrase };
    let holders = Holders { laptops, recovery };
    let record = Record::first(&ring, host, holders.clone(), tip_of(commit), place.seconds());
    let bundle = bundle::make(place.repo, None, commit)?;
    let after = ring.clone();
    let draft = Draft { record, holders, ring, after, bundle, changes, onto: Onto::Nothing };
    place.send(None, draft)
}

/// What this laptop is called among those that have the keys.
pub(super) fn name_of(keys: &Keys, seen: &Seen, host: &LaptopName) -> LaptopName {
    let own = keys.laptop.as_ref().map(LaptopKey::recipient);
    let known = seen.laptops.iter().find(|laptop| Some(&laptop.recipient) == own.as_ref());
    match known {
        Some(laptop) => laptop.name.clone(),
        // It is added by this record.
        None if keys.laptop.is_some() => free_name(host, &seen.laptops),
        None => host.clone(),
    }
}

/// Adds this laptop to those that have the keys, if it is not among them.
pub(super) fn enrolled(holders: &mut Holders, keys: &Keys, host: &LaptopName) -> Vec<Change> {
    let Some(laptop) = &keys.laptop else { return Vec::new() };
    let recipient = laptop.recipient();
    if holders.laptops.iter().any(|laptop| laptop.recipient == recipient) {
        return Vec::new();
    }
    let (key, change) = Place::wrapped(&keys.ring, &recipient);
    let name = free_name(host, &holders.laptops);
    holders.laptops.push(Laptop { name, recipient, key });
    vec![change]
}

/// Two laptops may have one name: the second is called `atlas-2`.
pub(super) fn free_name(host: &LaptopName, laptops: &[Laptop]) -> LaptopName {
    let is_free = |name: &LaptopName| laptops.iter().all(|laptop| laptop.name != *name);
    let short: String = host.as_str().chars().take(15).collect();
    let numbered = (2..).map(|number| LaptopName::of(&format!("{short}-{number}")));
    let mut names = std::iter::once(host.clone()).chain(numbered);
    names.find(is_free).expect("because there are more numbers than laptops")
}

/// Key files that somebody deleted or replaced on the remote, made again for the same recipients;
/// files of strangers among them are removed. A passphrase's file cannot be made again.
fn returned(
    holders: &mut Holders,
    ring: &KeyRing,
    place: &Place<'_>,
    files: &[MirrorFile],
) -> Result<Vec<Change>, GitError> {
    let mut changes = Vec::new();
    let survey = taken::surveyed(&place.mirror, files)?;
    let is_there = |file: &KeyFile| -> Result<bool, GitError> {
        let Some(blob) = survey.keys.get(&file.name) else { return Ok(false) };
        let id = Id::from_hex(blob.id.as_bytes()).expect("because the mirror named it");
        Ok(Sum::of(&place.mirror.read(id)?) == file.sum)
    };
    let mut mend = |recipient: &Recipient, file: &mut KeyFile| -> Result<(), GitError> {
        if !is_there(file)? {
            let (new, change) = Place::wrapped(ring, recipient);
            changes.push((layout::key_path(&file.name), None));
            changes.push(change);
            *file = new;
        }
        Ok(())
    };
    for laptop in &mut holders.laptops {
        mend(&laptop.recipient, &mut laptop.key)?;
    }
    mend(&holders.recovery.recipient, &mut holders.recovery.key)?;
    // What is not there cannot be removed.
    changes.retain(|(path, bytes)| bytes.is_some() || files.iter().any(|file| file.path == *path));
    Ok(changes)
}
