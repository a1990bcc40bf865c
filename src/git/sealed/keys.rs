//! Which keys open a sealed remote: those of the keyring, else what the recovery key opens.
//!
//! Invariant: keys that come from the remote are taken only as a continuation of those that are
//! here. Must not know where a recovery key was typed.

use super::{
    error::SealedError,
    mirror::{Mirror, MirrorFile},
};
use crate::git::GitError;
use crate::machine::seal_keys::{Held, KeySource};
use crate::seal::{
    key_file::{self, KEY_FILE_MAX},
    keys::{KeyRing, LaptopKey, Passphrase, RecoveryKey},
    names::{RepositoryId, Sum},
};

/// How many key files are tried.
const KEY_FILES: usize = 256;
/// Where they lie.
const FOLDER: &str = "keys/";

/// Keys that may open a repository.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    pub(super) ring: KeyRing,
    /// `None` if they come from the recovery key.
    pub(super) laptop: Option<LaptopKey>,
    /// Whether they have later epochs than the keyring.
    is_grown: bool,
}

/// All keys that this laptop may have for a repository, of which one opens it.
pub(super) fn candidates(
    mirror: &Mirror<'_>,
    files: &[MirrorFile],
    repository: Option<&RepositoryId>,
    source: &KeySource,
) -> Result<Vec<Keys>, GitError> {
    let remote = mirror.remote();
    if let Some(given) = source.given() {
        let text = String::from_utf8_lossy(given.expose());
        let rings = recovered(&key_files(mirror, files)?, text.trim());
        let ours = |ring: &KeyRing| repository.is_none_or(|known| ring.repository() == known);
        let keys =
            rings.into_iter().filter(ours).map(|ring| Keys { ring, laptop: None, is_grown: false });
        let mut keys: Vec<Keys> = keys.collect();
        keys.sort_by_key(|keys| std::cmp::Reverse(keys.ring.newest()));
        if keys.is_empty() {
            return Err(SealedError::WrongKey { remote }.into());
        }
        return Ok(keys);
    }
    let held = match source.stored(repository) {
        Ok(held) => held,
        Err(error) if error.is_absent() => return Err(SealedError::NoKey { remote }.into()),
        Err(source) => return Err(SealedError::Keyring { remote, source }.into()),
    };
    if held.is_empty() {
        return Err(SealedError::NoKey { remote }.into());
    }
    let keys = |Held { ring, laptop }| Keys { ring, laptop: Some(laptop), is_grown: false };
    Ok(held.into_iter().map(keys).collect())
}

/// The bytes of the key files of a commit; those that can be none are left out.
fn key_files(mirror: &Mirror<'_>, files: &[MirrorFile]) -> Result<Vec<Vec<u8>>, GitError> {
    let is_small = |file: &&MirrorFile| usize::try_from(file.size).is_ok_and(|s| s <= KEY_FILE_MAX);
    let here = files.iter().filter(|file| file.path.starts_with(FOLDER)).filter(is_small);
    here.take(KEY_FILES).map(|file| mirror.read(file.id)).collect()
}

/// What a recovery key or a passphrase opens.
fn recovered(key_files: &[Vec<u8>], text: &str) -> Vec<KeyRing> {
    let typed = RecoveryKey::parse(text).ok();
    let keys: Vec<RecoveryKey> = match typed {
        Some(key) => vec![key],
        None => {
            let passphrase = Passphrase::typed(text);
            let locked = key_files.iter().filter(|bytes| key_file::is_for_passphrase(bytes));
            locked
                .filter_map(|bytes| key_file::open_with_passphrase(bytes, &passphrase).ok())
                .collect()
        }
    };
    let opened = |key: &RecoveryKey| -> Vec<KeyRing> {
        let open = |bytes: &Vec<u8>| key_file::open_with_recovery(bytes, key).ok();
        key_files.iter().filter_map(open).collect()
    };
    keys.iter().flat_map(opened).collect()
}

impl Keys {
    /// These, if they have the key of an epoch and are not at odds with what its last record says
    /// of the epoch after; without keys of which no record speaks: who knows a recipient can put
    /// them into a key file.
    pub(super) fn fitting(self, epoch: u32, key: &Sum, next: Option<&Sum>) -> Option<Keys> {
        let after = self.ring.commitment(epoch + 1);
        let is_at_odds = next.is_some() && after.is_some() && after.as_ref() != next;
        if self.ring.commitment(epoch).as_ref() != Some(key) || is_at_odds {
            return None;
        }
        let ring = self.ring.up_to(epoch + u32::from(next.is_some()));
        Some(Keys { ring, ..self })
    }

    /// These and the keys of later epochs, as far as this laptop's key file has them. `next` is
    /// what the last record says of the epoch after; a key that it does not name is not taken.
    pub(super) fn grown(
        &self,
        mirror: &Mirror<'_>,
        files: &[MirrorFile],
        next: Option<&Sum>,
    ) -> Result<Option<Keys>, GitError> {
        let Some(laptop) = &self.laptop else { return Ok(None) };
        let open = |bytes: &Vec<u8>| key_file::open_with_laptop(bytes, laptop).ok();
        let after = self.ring.newest() + 1;
        let is_named = |ring: &KeyRing| {
            ring.newest() >= after
                && next.is_none_or(|next| ring.commitment(after).as_ref() == Some(next))
        };
        let all = key_files(mirror, files)?;
        let rings = all.iter().filter_map(open).filter_map(|ring| self.ring.grown_to(ring).ok());
        let newest = rings.filter(is_named).max_by_key(KeyRing::newest);
        Ok(newest.map(|ring| Keys { ring, laptop: Some(laptop.clone()), is_grown: true }))
    }

    /// Keeps them in the keyring, if they have grown since they came from there.
    pub(super) fn keep(&self, mirror: &Mirror<'_>, source: &KeySource) -> Result<(), GitError> {
        let (Some(laptop), true) = (&self.laptop, self.is_grown) else { return Ok(()) };
        let failed = |source| SealedError::Keyring { remote: mirror.remote(), source };
        let held = Held { ring: self.ring.clone(), laptop: laptop.clone() };
        Ok(source.store(&held).map_err(failed)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::seal_keys::random;

    #[test]
    fn keys_of_which_no_record_speaks_are_left_out() {
        let one = KeyRing::begin(RepositoryId::random(random()));
        let (two, forged) = (one.next().expect("few epochs"), one.next().expect("few epochs"));
        let (first, second) =
            (one.commitment(1).expect("a key"), two.commitment(2).expect("a key"));
        let keys = |ring: &KeyRing| Keys { ring: ring.clone(), laptop: None, is_grown: false };
        let newest = |ring: &KeyRing, next: Option<&Sum>| {
            keys(ring).fitting(1, &first, next).map(|keys| keys.ring.newest())
        };
        assert_eq!(newest(&one, None), Some(1));
        assert_eq!(newest(&forged, None), Some(1));
        assert_eq!(newest(&one, Some(&second)), Some(1));
        assert_eq!(newest(&two, Some(&second)), Some(2));
        assert_eq!(newest(&forged, Some(&second)), None);
        assert!(keys(&forged).fitting(2, &second, None).is_none());
    }
}
