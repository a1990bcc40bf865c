//! What a repack stands for: the records that it replaces, and the epochs that they went through.
//!
//! Invariant: a laptop that was away takes a repack only by what it has seen itself: the record
//! that it took last is named here, and each change of keys since is proved with the keys before.

use super::{
    keys::{KeyRing, Purpose},
    names::Sum,
};
use base64::{Engine, prelude::BASE64_STANDARD_NO_PAD};
use hmac::Mac;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// How many records a repack names; of more than that, the last ones.
const COVERED_MAX: usize = 100_000;

/// The statement of one epoch that the next one follows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Handover {
    /// The commitment to the key of the epoch after.
    to: Sum,
    /// A MAC of it, with a key of the epoch before.
    proof: Sum,
}

/// The records that a repack replaces.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Covers {
    /// The sequence of the first of them.
    from: u64,
    /// Half the hash of each, from there to the one before the repack.
    #[serde(serialize_with = "write_halves", deserialize_with = "read_halves")]
    records: Vec<[u8; 16]>,
    /// From epoch 1 to 2, from 2 to 3, up to the epoch of the repack.
    handovers: Vec<Handover>,
}

fn write_halves<S: Serializer>(halves: &[[u8; 16]], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&BASE64_STANDARD_NO_PAD.encode(halves.as_flattened()))
}

fn read_halves<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<[u8; 16]>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let bytes = BASE64_STANDARD_NO_PAD.decode(text).map_err(|_| D::Error::custom("no base64"))?;
    let (halves, rest) = bytes.as_chunks::<16>();
    if rest.is_empty() { Ok(halves.to_vec()) } else { Err(D::Error::custom("half a hash")) }
}

impl Covers {
    /// Of a repack in `epoch` that replaces these records, the last of which is the one before it.
    /// `earlier` is what the first of them stood for, if it was a repack itself. `None` if the ring
    /// lacks a key.
    pub fn new(
        earlier: Option<&Covers>,
        first: u64,
        hashes: &[Sum],
        ring: &KeyRing,
        epoch: u32,
    ) -> Option<Covers> {
        let halves = hashes.iter().map(Sum::half);
        let earlier_halves: &[[u8; 16]] = earlier.map_or(&[], |covers| &covers.records[..]);
        let mut records: Vec<[u8; 16]> = earlier_halves.iter().copied().chain(halves).collect();
        let mut from = earlier.map_or(first, |covers| covers.from);
        let excess = records.len().saturating_sub(COVERED_MAX);
        records.drain(..excess);
        from += u64::try_from(excess).ok()?;
        let handovers = (1..epoch).map(|before| handover(ring, before));
        Some(Covers { from, records, handovers: handovers.collect::<Option<_>>()? })
    }

    /// Whether the record with this number and hash is among them.
    pub fn has(&self, sequence: u64, hash: &Sum) -> bool {
        let at = sequence.checked_sub(self.from).and_then(|at| usize::try_from(at).ok());
        at.and_then(|at| self.records.get(at)) == Some(&hash.half())
    }

    /// The commitment to the key of an epoch, by the epoch before it.
    pub fn commitment(&self, epoch: u32) -> Option<&Sum> {
        let at = usize::try_from(epoch).ok()?.checked_sub(2)?;
        self.handovers.get(at).map(|handover| &handover.to)
    }

    /// Whether it can be what a record of this epoch stands for, with this number and after the
    /// record with the hash `before`.
    pub(super) fn fits(&self, epoch: u32, sequence: u64, before: Option<&Sum>) -> bool {
        let count = u64::try_from(self.records.len()).ok();
        let end = count.and_then(|count| self.from.checked_add(count));
        self.from >= 1
            && (1..=COVERED_MAX).contains(&self.records.len())
            && end == Some(sequence)
            && u32::try_from(self.handovers.len()).ok() == epoch.checked_sub(1)
            && self.records.last() == before.map(Sum::half).as_ref()
    }

    /// Whether each change of keys was made with the keys before it.
    pub(super) fn is_proved_by(&self, ring: &KeyRing) -> bool {
        let mut handovers = (1..).zip(&self.handovers);
        handovers.all(|(before, found)| handover(ring, before).as_ref() == Some(found))
    }
}

/// What the epoch `before` says of the one after it. The proof is compared as a whole and not byte
/// by byte in constant time: who can make it has the keys, and nobody asks over a wire.
fn handover(ring: &KeyRing, before: u32) -> Option<Handover> {
    let to = ring.commitment(before + 1)?;
    let mac = ring.epoch(before)?.mac(ring.repository(), Purpose::Handover);
    let proof = mac.chain_update(to.as_str()).finalize().into_bytes();
    Some(Handover { to, proof: Sum::of_digest(proof.into()) })
}

#[cfg(test)]
mod tests {
    use super::{super::names::RepositoryId, *};

    fn sums(numbers: std::ops::Range<u8>) -> Vec<Sum> {
        numbers.map(|number| Sum::of(&[number])).collect()
    }

    #[test]
    fn a_repack_names_what_it_replaces_and_what_that_had_replaced() {
        let ring = KeyRing::begin(RepositoryId::random([1; 16])).next().expect("few epochs");
        let first = Covers::new(None, 1, &sums(1..5), &ring, 2).expect("all keys");
        let second = Covers::new(Some(&first), 5, &sums(5..9), &ring, 2).expect("all keys");
        assert_eq!((first.records.len(), second.records.len()), (4, 8));
        for number in 1..9 {
            let hash = Sum::of(&[number]);
            assert_eq!(first.has(u64::from(number), &hash), number < 5, "{number}");
            assert!(second.has(u64::from(number), &hash), "{number}");
            assert!(!second.has(u64::from(number) + 1, &hash), "{number}");
        }
        assert!(!second.has(0, &Sum::of(&[0])) && !second.has(9, &Sum::of(&[9])));
        let text = serde_json::to_string(&second).expect("texts and numbers");
        assert_eq!(serde_json::from_str::<Covers>(&text).expect("the same"), second);
    }

    #[test]
    fn a_change_of_keys_is_proved_by_the_keys_before_it() {
        let ring = KeyRing::begin(RepositoryId::random([1; 16]));
        let ring = ring.next().and_then(|ring| ring.next()).expect("few epochs");
        let covers = Covers::new(None, 1, &sums(1..3), &ring, 3).expect("all keys");
        assert!(covers.is_proved_by(&ring));
        assert_eq!(covers.commitment(2), ring.commitment(2).as_ref());
        assert_eq!(covers.commitment(3), ring.commitment(3).as_ref());
        assert!(covers.commitment(1).is_none() && covers.commitment(4).is_none());
        let mut forged = covers.clone();
        forged.handovers[0].proof = Sum::of(b"forged");
        assert!(!forged.is_proved_by(&ring));
        let mut swapped = covers.clone();
        swapped.handovers.swap(0, 1);
        assert!(!swapped.is_proved_by(&ring));
        let mut longer = covers;
        longer.handovers.push(longer.handovers[0].clone());
        assert!(!longer.is_proved_by(&ring));
        assert!(Covers::new(None, 1, &sums(1..3), &ring, 5).is_none());
    }

    #[test]
    fn only_the_last_hundred_thousand_are_named() {
        let ring = KeyRing::begin(RepositoryId::random([1; 16]));
        let many = vec![Sum::of(b"x"); COVERED_MAX + 3];
        let covers = Covers::new(None, 1, &many, &ring, 1).expect("all keys");
        assert_eq!((covers.records.len(), covers.from), (COVERED_MAX, 4));
        assert!(!covers.has(3, &many[0]) && covers.has(4, &many[0]));
    }

    #[test]
    fn halves_that_are_none() {
        for text in [
            r#"{"from":1,"records":"AAAA","handovers":[]}"#,
            r#"{"from":1,"records":"?","handovers":[]}"#,
            r#"{"from":1,"records":[],"handovers":[]}"#,
            r#"{"from":-1,"records":"","handovers":[]}"#,
            r#"{"from":1,"records":"","handovers":[],"more":1}"#,
        ] {
            assert!(serde_json::from_str::<Covers>(text).is_err(), "{text}");
        }
    }
}
