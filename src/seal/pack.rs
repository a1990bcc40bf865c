//! A pack: an age file to the key of an epoch, holding a record's line, its MAC, and a git bundle.
//!
//! Invariant: what `open` returns was sealed by someone who has the keys, as a whole and for this
//! repository; sizes are judged before anything is opened. Must not know: which record comes next
//! (`chain`), what is in a bundle.

use super::{
    age_file::{self, Closed},
    chain::Link,
    keys::{EpochKey, KeyRing, Purpose},
    layout::{PART_MAX, PARTS_MAX},
    names::Sum,
    record::{self, LINE_MAX, Record, RecordFault},
};
use hmac::Mac;

/// The hex of a MAC and the space before it.
const MAC_LENGTH: usize = 65;

/// How large a sealed pack may be, all its parts together.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// In bytes.
    pub sealed: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { sealed: PART_MAX * PARTS_MAX }
    }
}

/// A pack that is ready for the remote.
#[derive(Debug)]
pub struct Sealed {
    /// All of it; `layout::parts` cuts it.
    pub bytes: Vec<u8>,
    /// Its place in the chain.
    pub link: Link,
}

/// A pack that was opened.
#[derive(Debug)]
pub struct Opened {
    /// Its place in the chain.
    pub link: Link,
    /// A git bundle; empty if the plain branch stayed where it was.
    pub bundle: Vec<u8>,
}

/// Why nothing was sealed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SealFault {
    /// The ring has no key of this epoch.
    #[error("the key of epoch {0} is not here")]
    NoKey(u32),
    /// The ring is another repository's.
    #[error("the keys are those of another repository")]
    OtherRepository,
    /// More than one push can carry.
    #[error("it has {0} bytes, which is more than one push can carry")]
    TooBig(usize),
    /// Bytes that are no git bundle, or none where there should be some.
    #[error("what is to be sealed is not the git bundle of its record")]
    OtherBundle,
    /// A record that no other laptop would take.
    #[error(transparent)]
    Record(#[from] RecordFault),
}

/// Why a pack is not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PackFault {
    /// More bytes than the limit.
    #[error("it has {0} bytes, which is more than a pack can have")]
    TooBig(usize),
    /// No age file, or one with a passphrase.
    #[error("it is not a sealed pack")]
    NotSealed,
    /// For a key that is not in the ring.
    #[error("it is sealed for a key that this laptop does not have")]
    OtherKey,
    /// For a key that is not in the ring, after records that hand over to none.
    #[error("it is sealed for a key that no push before it handed over to")]
    NotHandedOver,
    /// Changed, or cut.
    #[error("it was changed, or a part of it is missing")]
    Damaged,
    /// An age file for us that somebody else made.
    #[error("it holds no record")]
    NoRecord,
    /// The MAC is not that of the record and the bundle.
    #[error("its record was not made with the keys of this repository")]
    Forged,
    /// Sealed with the key of one epoch, and said to be of another.
    #[error("its record names a different epoch than its key")]
    OtherEpoch,
    /// A record of another repository.
    #[error("its record belongs to another repository")]
    OtherRepository,
    /// A repack whose changes of keys cannot be followed.
    #[error("it replaces packs of earlier keys without proof of the change of keys")]
    Unproved,
    /// No git bundle where the record says one, or the other way round.
    #[error("what it holds is not the git bundle of its record")]
    OtherBundle,
    /// A record that cannot be.
    #[error(transparent)]
    Record(#[from] RecordFault),
}

/// Seals a bundle with the key of the record's epoch.
pub fn seal(record: Record, bundle: &[u8], ring: &KeyRing) -> Result<Sealed, SealFault> {
    let key = ring.epoch(record.epoch).ok_or(SealFault::NoKey(record.epoch))?;
    if record.repository != *ring.repository() {
        return Err(SealFault::OtherRepository);
    }
    if !is_bundle_of(&record, bundle) {
        return Err(SealFault::OtherBundle);
    }
    let line = record.line()?;
    let mac = mac(key, ring, line.as_bytes(), bundle).finalize().into_bytes();
    let line = format!("{line} {}", Sum::of_digest(mac.into()));
    let recipient = key.identity().to_public();
    let bytes = age_file::close(&[line.as_bytes(), b"\n", bundle], &recipient);
    if bytes.len() > Limits::default().sealed {
        return Err(SealFault::TooBig(bytes.len()));
    }
    let link = Link { record, hash: Sum::of(line.as_bytes()), sealed_to: key.commitment() };
    Ok(Sealed { bytes, link })
}

/// Opens a pack, all its parts one after the other.
pub fn open(sealed: &[u8], ring: &KeyRing, limits: Limits) -> Result<Opened, PackFault> {
    if sealed.len() > limits.sealed {
        return Err(PackFault::TooBig(sealed.len()));
    }
    let (epoch, key, mut inside) = opened(sealed, ring)?;
    let head = &inside[..inside.len().min(LINE_MAX + MAC_LENGTH + 1)];
    let end = memchr::memchr(b'\n', head).ok_or(PackFault::NoRecord)?;
    let (line, bundle) = (&inside[..end], &inside[end + 1..]);
    let record = checked(line, bundle, key, ring)?;
    if record.epoch != epoch {
        return Err(PackFault::OtherEpoch);
    }
    let link = Link { record, hash: Sum::of(line), sealed_to: key.commitment() };
    inside.drain(..=end);
    Ok(Opened { link, bundle: inside })
}

/// What is inside, and the epoch whose key opened it.
fn opened<'a>(sealed: &[u8], ring: &'a KeyRing) -> Result<(u32, &'a EpochKey, Vec<u8>), PackFault> {
    for (epoch, key) in ring.newest_first() {
        match age_file::open(sealed, key.identity()) {
            Ok(inside) => return Ok((epoch, key, inside)),
            Err(Closed::OtherKey) => {}
            Err(Closed::NotAge | Closed::TooMuchWork) => return Err(PackFault::NotSealed),
            Err(Closed::Damaged) => return Err(PackFault::Damaged),
        }
    }
    Err(PackFault::OtherKey)
}

/// The record of a line, after its MAC.
fn checked(
    line: &[u8],
    bundle: &[u8],
    key: &EpochKey,
    ring: &KeyRing,
) -> Result<Record, PackFault> {
    let at = line.len().checked_sub(MAC_LENGTH).ok_or(PackFault::NoRecord)?;
    let (line, end) = line.split_at(at);
    // A later format may have another MAC.
    if let Some(later) = record::format(line).filter(|format| *format > record::FORMAT) {
        return Err(RecordFault::Newer(later).into());
    }
    let hex = end.strip_prefix(b" ").and_then(|hex| str::from_utf8(hex).ok());
    let found = hex.and_then(Sum::parse).ok_or(PackFault::NoRecord)?;
    let own = mac(key, ring, line, bundle);
    own.verify_slice(&found.bytes()).map_err(|_| PackFault::Forged)?;
    let record = Record::parse(line)?;
    if record.repository != *ring.repository() {
        return Err(PackFault::OtherRepository);
    }
    if record.covers.as_ref().is_some_and(|covers| !covers.is_proved_by(ring)) {
        return Err(PackFault::Unproved);
    }
    if !is_bundle_of(&record, bundle) {
        return Err(PackFault::OtherBundle);
    }
    Ok(record)
}

fn mac(key: &EpochKey, ring: &KeyRing, line: &[u8], bundle: &[u8]) -> hmac::Hmac<sha2::Sha256> {
    let mac = key.mac(ring.repository(), Purpose::Record);
    mac.chain_update(line).chain_update(b"\n").chain_update(bundle)
}

/// A record that moves the plain branch brings a bundle, and so does a repack; no other has one.
fn is_bundle_of(record: &Record, bundle: &[u8]) -> bool {
    let is_needed = record.covers.is_some() || record.old.as_ref() != Some(&record.new);
    let is_bundle = [&b"# v2 git bundle\n"[..], b"# v3 git bundle\n"]
        .iter()
        .any(|head| bundle.starts_with(head));
    if is_needed { is_bundle } else { bundle.is_empty() }
}

#[cfg(test)]
mod tests;
