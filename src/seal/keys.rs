//! The keys of a sealed repository: one an epoch, one a laptop, one for recovery.
//!
//! Invariant: the text of a ring is an age identity file, so that `age -i` takes it as it is; no
//! key can be printed by accident (`Debug` shows none). Must not know: where keys are kept.

use super::names::{Recipient, RepositoryId, Sum};
use age::{
    secrecy::{ExposeSecret, SecretString},
    x25519::Identity,
};
use hkdf::Hkdf;
use hmac::{Hmac, KeyInit};
use sha2::Sha256;
use std::fmt;

/// How many epochs a repository can have: one more each time a laptop is removed.
pub(super) const EPOCHS_MAX: u32 = 128;
/// The longest text of a ring.
pub(super) const RING_MAX: usize = 16 * 1024;
/// The shortest passphrase that a person may choose: who has the remote can try as many as they
/// like.
pub const OWN_PASSPHRASE_MIN: usize = 14;

/// What a generated passphrase is made of: easy to say, and to tell apart.
const CONSONANTS: &[u8; 16] = b"bdfghjklmnprstvz";
const VOWELS: &[u8; 4] = b"aiou";

/// How the first line of a ring begins; the repository follows.
const RING_HEAD: &str = "# co-sealed keys 1 ";

/// Why a key is not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum KeyFault {
    /// A text without an age identity where one should be.
    #[error("that is not the key of a sealed repository")]
    NoKey,
    /// More than a key file can hold.
    #[error("it is larger than a key file can be")]
    TooBig,
    /// Made for another recipient or passphrase.
    #[error("it was made for another key or passphrase")]
    OtherKey,
    /// A work factor that nobody needs.
    #[error("opening it would take more work than co spends on a file from elsewhere")]
    TooMuchWork,
    /// Changed, or cut.
    #[error("it was changed, or a part of it is missing")]
    Damaged,
    /// Keys of a repository that is not this one.
    #[error("its keys belong to another repository")]
    OtherRepository,
    /// A ring that does not begin with the keys that are here.
    #[error("its earlier keys are not those of this repository")]
    OtherPast,
}

/// What a MAC is for: keys for one purpose are of no use for another.
#[derive(Clone, Copy)]
pub(super) enum Purpose {
    /// A record, and the bundle behind it.
    Record,
    /// The statement that one epoch follows another.
    Handover,
}

/// The repository's key of one epoch.
#[derive(Clone)]
pub(super) struct EpochKey(Identity);

impl EpochKey {
    fn generate() -> EpochKey {
        EpochKey(Identity::generate())
    }

    pub(super) const fn identity(&self) -> &Identity {
        &self.0
    }

    /// What a record of the epoch before says of this one: enough to know it by, and of no use to
    /// seal for it.
    pub(super) fn commitment(&self) -> Sum {
        Sum::of(self.0.to_public().to_string().as_bytes())
    }

    pub(super) fn mac(&self, repository: &RepositoryId, purpose: Purpose) -> Hmac<Sha256> {
        let purpose: &[u8] = match purpose {
            Purpose::Record => b"co-sealed 1 record",
            Purpose::Handover => b"co-sealed 1 handover",
        };
        let secret = self.0.to_string();
        let mut key = [0; 32];
        Hkdf::<Sha256>::new(
            Some(repository.as_str().as_bytes()),
            secret.expose_secret().as_bytes(),
        )
        .expand(purpose, &mut key)
        .expect("because 32 bytes are few");
        Hmac::new_from_slice(&key).expect("because a key of any length is taken")
    }
}

/// All keys of a repository, the first epoch first.
#[derive(Clone)]
pub struct KeyRing {
    repository: RepositoryId,
    epochs: Vec<EpochKey>,
}

impl KeyRing {
    /// Of a repository that nobody has keys of yet.
    pub fn begin(repository: RepositoryId) -> KeyRing {
        KeyRing { repository, epochs: vec![EpochKey::generate()] }
    }

    /// The same and the key of one more epoch; `None` if there were too many.
    pub fn next(&self) -> Option<KeyRing> {
        let mut next = self.clone();
        next.epochs.push(EpochKey::generate());
        (next.newest() <= EPOCHS_MAX).then_some(next)
    }

    /// The same without the keys of later epochs.
    pub fn up_to(&self, epoch: u32) -> KeyRing {
        let count = usize::try_from(epoch).unwrap_or(usize::MAX);
        let epochs = self.epochs.iter().take(count).cloned().collect();
        KeyRing { repository: self.repository.clone(), epochs }
    }

    /// Which repository it opens.
    pub const fn repository(&self) -> &RepositoryId {
        &self.repository
    }

    /// The number of its last epoch; the first is 1.
    pub fn newest(&self) -> u32 {
        u32::try_from(self.epochs.len()).expect("because there are few")
    }

    /// What a record says of an epoch that it hands over to.
    pub fn commitment(&self, epoch: u32) -> Option<Sum> {
        self.epoch(epoch).map(EpochKey::commitment)
    }

    pub(super) fn epoch(&self, epoch: u32) -> Option<&EpochKey> {
        self.epochs.get(usize::try_from(epoch).ok()?.checked_sub(1)?)
    }

    /// Its epochs with their numbers, the last first.
    pub(super) fn newest_first(&self) -> impl Iterator<Item = (u32, &EpochKey)> {
        (1..).zip(&self.epochs).collect::<Vec<_>>().into_iter().rev()
    }

    /// Another ring for this one, if it is this one and later epochs: what a key file from the
    /// remote says is not taken in place of what is here.
    pub fn grown_to(&self, other: KeyRing) -> Result<KeyRing, KeyFault> {
        if other.repository != self.repository {
            return Err(KeyFault::OtherRepository);
        }
        let mut pairs = self.epochs.iter().zip(&other.epochs);
        let begins_alike = pairs.all(|(own, theirs)| own.commitment() == theirs.commitment());
        if other.epochs.len() < self.epochs.len() || !begins_alike {
            return Err(KeyFault::OtherPast);
        }
        Ok(other)
    }

    /// An age identity file, for a keyring, a key file, a person.
    pub fn to_text(&self) -> SecretString {
        let mut text = format!("{RING_HEAD}{}\n", self.repository);
        for epoch in &self.epochs {
            text.push_str(epoch.0.to_string().expose_secret());
            text.push('\n');
        }
        SecretString::from(text)
    }

    /// Reads such a text.
    pub fn parse(text: &str) -> Result<KeyRing, KeyFault> {
        if text.len() > RING_MAX {
            return Err(KeyFault::TooBig);
        }
        let mut lines = text.lines();
        let head = lines.next().and_then(|line| line.strip_prefix(RING_HEAD));
        let repository = head.and_then(RepositoryId::parse).ok_or(KeyFault::NoKey)?;
        let key = |line: &str| line.parse().map(EpochKey).map_err(|_| KeyFault::NoKey);
        let epochs = lines.map(key).collect::<Result<Vec<_>, _>>()?;
        let ring = KeyRing { repository, epochs };
        let is_sound = (1..=EPOCHS_MAX).contains(&ring.newest()) && ring.has_no_key_twice();
        if is_sound { Ok(ring) } else { Err(KeyFault::NoKey) }
    }

    fn has_no_key_twice(&self) -> bool {
        let mut commitments: Vec<Sum> = self.epochs.iter().map(EpochKey::commitment).collect();
        commitments.sort();
        commitments.windows(2).all(|pair| pair[0] != pair[1])
    }
}

impl fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyRing({}, {} epochs)", self.repository, self.epochs.len())
    }
}

/// A laptop's own key, which never leaves it: the key file of the laptop opens with it.
#[derive(Clone)]
pub struct LaptopKey(Identity);

impl LaptopKey {
    /// A new one.
    pub fn generate() -> LaptopKey {
        LaptopKey(Identity::generate())
    }

    /// For the keyring.
    pub fn to_text(&self) -> SecretString {
        self.0.to_string()
    }

    /// Reads what the keyring has.
    pub fn parse(text: &str) -> Result<LaptopKey, KeyFault> {
        Ok(LaptopKey(only_identity(text)?))
    }

    /// Its public half, for the record.
    pub fn recipient(&self) -> Recipient {
        Recipient::of(&self.0.to_public())
    }

    pub(super) const fn identity(&self) -> &Identity {
        &self.0
    }
}

impl fmt::Debug for LaptopKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LaptopKey")
    }
}

/// The key that a person prints and keeps: an age identity.
#[derive(Clone)]
pub struct RecoveryKey(Identity);

impl RecoveryKey {
    /// A new one.
    pub fn generate() -> RecoveryKey {
        RecoveryKey(Identity::generate())
    }

    /// What a person keeps, and `age -i` takes in a file.
    pub fn to_text(&self) -> SecretString {
        self.0.to_string()
    }

    /// Reads what was typed, in either case and with spaces in it, or a file with comments.
    pub fn parse(text: &str) -> Result<RecoveryKey, KeyFault> {
        Ok(RecoveryKey(only_identity(text)?))
    }

    /// Its public half, for the record, so that later epochs are wrapped for it without it.
    pub fn recipient(&self) -> Recipient {
        Recipient::of(&self.0.to_public())
    }

    /// What a person types to show that they wrote it down.
    pub fn last_four(&self) -> String {
        let text = self.0.to_string();
        let text = text.expose_secret();
        text[text.len() - 4..].to_owned()
    }

    pub(super) const fn identity(&self) -> &Identity {
        &self.0
    }
}

impl fmt::Debug for RecoveryKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecoveryKey")
    }
}

/// The one age identity in a text.
fn only_identity(text: &str) -> Result<Identity, KeyFault> {
    if text.len() > RING_MAX {
        return Err(KeyFault::TooBig);
    }
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    let letters = lines.flat_map(str::chars).filter(|letter| !letter.is_whitespace());
    let key = SecretString::from(letters.collect::<String>().to_ascii_uppercase());
    key.expose_secret().parse().map_err(|_| KeyFault::NoKey)
}

/// What opens the recovery key where it is kept on the remote.
#[derive(Clone)]
pub struct Passphrase(SecretString);

impl Passphrase {
    /// A person's own; `None` if it is too short.
    pub fn own(text: &str) -> Option<Passphrase> {
        let is_long = text.chars().count() >= OWN_PASSPHRASE_MIN;
        is_long.then(|| Passphrase::typed(text))
    }

    /// One that nobody can guess, from random bytes: seven words of two syllables, of 12 bits each.
    pub fn generated(random: [u8; 14]) -> SecretString {
        let syllable = |byte: &u8| {
            let (consonant, vowel) = (usize::from(byte & 15), usize::from((byte >> 4) & 3));
            [CONSONANTS[consonant], VOWELS[vowel]].map(char::from)
        };
        let word = |pair: &[u8]| pair.iter().flat_map(syllable).collect::<String>();
        let words: Vec<String> = random.chunks(2).map(word).collect();
        SecretString::from(words.join("-"))
    }

    /// One that is tried.
    pub fn typed(text: &str) -> Passphrase {
        Passphrase(SecretString::from(text))
    }

    pub(super) fn secret(&self) -> SecretString {
        self.0.clone()
    }
}

impl fmt::Debug for Passphrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Passphrase")
    }
}

#[cfg(test)]
mod tests;
