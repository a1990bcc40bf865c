//! For tests: a repository that was sealed and pushed to a few times.
//!
//! Invariant: everything in it is what co itself would make.

use super::{
    chain::{Link, Seen, accept},
    key_file,
    keys::{KeyRing, LaptopKey, RecoveryKey},
    names::{KeyName, LaptopName, RepositoryId, Sum, Tip},
    pack::{self, Sealed},
    record::{Holders, KeyFile, Laptop, Record, Recovery},
};

pub(super) const BUNDLE: &[u8] = b"# v2 git bundle\n0123 refs/heads/main\n\nPACK and more\0\n";
/// Half past ten on some day.
pub(super) const NOW: u64 = 1_800_000_000 + 1800;

pub(super) fn tip(number: u64) -> Tip {
    Tip::parse(&format!("{number:040x}")).expect("a commit")
}

pub(super) fn name(text: &str) -> LaptopName {
    LaptopName::parse(text).expect("a sound name")
}

fn key_file(number: u8, bytes: &[u8]) -> KeyFile {
    KeyFile { name: KeyName::random([number; 16]), sum: Sum::of(bytes) }
}

pub(super) fn laptop(ring: &KeyRing, key: &LaptopKey, text: &str, number: u8) -> Laptop {
    let file = key_file::for_recipient(ring, &key.recipient());
    Laptop { name: name(text), recipient: key.recipient(), key: key_file(number, &file) }
}

/// What was pushed, from the first record on.
#[derive(Clone)]
pub(super) struct Story {
    pub(super) ring: KeyRing,
    pub(super) packs: Vec<Vec<u8>>,
    pub(super) links: Vec<Link>,
}

/// A repository with so many pushes.
pub(super) fn story(pushes: u64) -> Story {
    let ring = KeyRing::begin(RepositoryId::random([1; 16]));
    let recovery = RecoveryKey::generate();
    let file = key_file::for_recipient(&ring, &recovery.recipient());
    let recovery =
        Recovery { recipient: recovery.recipient(), key: key_file(200, &file), passphrase: None };
    let atlas = laptop(&ring, &LaptopKey::generate(), "atlas", 1);
    let holders = Holders { laptops: vec![atlas], recovery };
    let first = Record::first(&ring, name("atlas"), holders, tip(1), NOW);
    let mut story = Story { ring, packs: Vec::new(), links: Vec::new() };
    story.take(first, BUNDLE);
    for _ in 1..pushes {
        story.push();
    }
    story
}

impl Story {
    pub(super) fn seen(&self) -> Seen {
        accept(None, &self.links).expect("a sound story")
    }

    /// What a laptop has seen that took only the first so many.
    pub(super) fn seen_until(&self, count: usize) -> Seen {
        accept(None, &self.links[..count]).expect("a sound story")
    }

    /// The record of the next push that moves the branch.
    pub(super) fn next(&self) -> Record {
        let seen = self.seen();
        Record { new: tip(seen.sequence + 1), ..seen.record(name("atlas"), NOW) }
    }

    pub(super) fn seal(&self, record: Record, bundle: &[u8]) -> Sealed {
        pack::seal(record, bundle, &self.ring).expect("a sound record")
    }

    pub(super) fn take(&mut self, record: Record, bundle: &[u8]) {
        let sealed = self.seal(record, bundle);
        self.packs.push(sealed.bytes);
        self.links.push(sealed.link);
    }

    pub(super) fn push(&mut self) {
        self.take(self.next(), BUNDLE);
    }

    /// Ends the epoch: the next push uses new keys.
    pub(super) fn hand_over(&mut self) {
        let ring = self.ring.next().expect("few epochs");
        let next = ring.commitment(ring.newest());
        let record = Record { next, ..self.seen().record(name("atlas"), NOW) };
        self.take(record, b"");
        self.ring = ring;
    }

    /// Puts one pack in the place of all.
    pub(super) fn repack(&mut self) {
        let record = self.seen().repack(&self.links, &self.ring, name("atlas"), NOW);
        let sealed = self.seal(record.expect("all keys"), BUNDLE);
        (self.packs, self.links) = (vec![sealed.bytes], vec![sealed.link]);
    }
}
