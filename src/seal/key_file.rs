//! Key files: all keys of a repository wrapped for a laptop or for recovery, and the recovery key
//! wrapped for a passphrase.
//!
//! Invariant: each is an age file around an age identity file, so that `age` alone opens it. None
//! is opened that is larger than co's own can be, or whose passphrase takes over four times the
//! usual work.

use super::{
    age_file::{self, Closed},
    keys::{KeyFault, KeyRing, LaptopKey, Passphrase, RING_MAX, RecoveryKey},
    names::Recipient,
};
use age::secrecy::ExposeSecret;

/// The largest key file.
pub const KEY_FILE_MAX: usize = RING_MAX + 4096;
/// A passphrase's work, as a power of two, that is spent on a file from elsewhere.
const WORK_MAX: u8 = 20;

/// How much work each try of a passphrase is, as a power of two.
#[derive(Clone, Copy, Debug)]
pub struct Work(u8);

impl Work {
    /// About a second, and 256 MB for as long.
    pub const USUAL: Work = Work(18);
    /// For tests: no protection at all.
    #[cfg(test)]
    pub(super) const LEAST: Work = Work(1);
}

/// All keys, for a laptop or for the recovery key.
pub fn for_recipient(ring: &KeyRing, recipient: &Recipient) -> Vec<u8> {
    age_file::close(&[ring.to_text().expose_secret().as_bytes()], &recipient.key())
}

/// The keys that lie in a laptop's own key file.
pub fn open_with_laptop(bytes: &[u8], key: &LaptopKey) -> Result<KeyRing, KeyFault> {
    KeyRing::parse(&opened(bytes, key.identity())?)
}

/// The keys that lie in the key file of recovery.
pub fn open_with_recovery(bytes: &[u8], key: &RecoveryKey) -> Result<KeyRing, KeyFault> {
    KeyRing::parse(&opened(bytes, key.identity())?)
}

/// The recovery key, for a passphrase: later epochs need only the recovery key's public half.
pub fn for_passphrase(key: &RecoveryKey, passphrase: &Passphrase, work: Work) -> Vec<u8> {
    let mut recipient = age::scrypt::Recipient::new(passphrase.secret());
    recipient.set_work_factor(work.0);
    let text = key.to_text();
    age_file::close(&[text.expose_secret().as_bytes(), b"\n"], &recipient)
}

/// The recovery key behind a passphrase.
pub fn open_with_passphrase(
    bytes: &[u8],
    passphrase: &Passphrase,
) -> Result<RecoveryKey, KeyFault> {
    let mut key = age::scrypt::Identity::new(passphrase.secret());
    key.set_max_work_factor(WORK_MAX);
    RecoveryKey::parse(&opened(bytes, &key)?)
}

/// Whether a key file is the one that a passphrase opens.
pub fn is_for_passphrase(bytes: &[u8]) -> bool {
    bytes.len() <= KEY_FILE_MAX && age_file::is_for_passphrase(bytes)
}

fn opened(bytes: &[u8], key: &dyn age::Identity) -> Result<String, KeyFault> {
    if bytes.len() > KEY_FILE_MAX {
        return Err(KeyFault::TooBig);
    }
    let inside = age_file::open(bytes, key).map_err(|closed| match closed {
        Closed::NotAge => KeyFault::NoKey,
        Closed::OtherKey => KeyFault::OtherKey,
        Closed::TooMuchWork => KeyFault::TooMuchWork,
        Closed::Damaged => KeyFault::Damaged,
    })?;
    String::from_utf8(inside).map_err(|_| KeyFault::NoKey)
}

#[cfg(test)]
mod tests {
    use super::{super::names::RepositoryId, *};

    fn ring() -> KeyRing {
        KeyRing::begin(RepositoryId::random([1; 16])).next().expect("few epochs")
    }

    #[test]
    fn each_opens_its_own_file_only() {
        let (ring, laptop, other) = (ring(), LaptopKey::generate(), LaptopKey::generate());
        let recovery = RecoveryKey::generate();
        let of_laptop = for_recipient(&ring, &laptop.recipient());
        let of_recovery = for_recipient(&ring, &recovery.recipient());
        let opened = open_with_laptop(&of_laptop, &laptop).expect("its own");
        assert_eq!(opened.commitment(2), ring.commitment(2));
        assert!(open_with_recovery(&of_recovery, &recovery).is_ok());
        let refused = open_with_laptop(&of_laptop, &other);
        assert_eq!(refused.err(), Some(KeyFault::OtherKey));
        let swapped = open_with_recovery(&of_laptop, &recovery);
        assert_eq!(swapped.err(), Some(KeyFault::OtherKey));
        let cut = open_with_laptop(&of_laptop[..of_laptop.len() - 1], &laptop);
        assert_eq!(cut.err(), Some(KeyFault::Damaged));
        assert_eq!(open_with_laptop(b"", &laptop).err(), Some(KeyFault::NoKey));
    }

    #[test]
    fn a_passphrase_opens_the_recovery_key() {
        let (recovery, passphrase) =
            (RecoveryKey::generate(), Passphrase::typed("nine grey geese in a green field"));
        let file = for_passphrase(&recovery, &passphrase, Work::LEAST);
        let opened = open_with_passphrase(&file, &passphrase).expect("the passphrase");
        assert_eq!(opened.recipient(), recovery.recipient());
        let wrong = open_with_passphrase(&file, &Passphrase::typed("another one"));
        assert_eq!(wrong.err(), Some(KeyFault::OtherKey));
        assert!(is_for_passphrase(&file));
        assert!(!is_for_passphrase(&for_recipient(&ring(), &recovery.recipient())));
        assert_eq!(open_with_recovery(&file, &recovery).err(), Some(KeyFault::OtherKey));
    }

    #[test]
    fn work_and_size_are_limited_before_anything_is_opened() {
        let (recovery, passphrase) =
            (RecoveryKey::generate(), Passphrase::typed("nine grey geese in a green field"));
        let file = for_passphrase(&recovery, &passphrase, Work::LEAST);
        let at = memchr::memmem::find(&file, b" 1\n").expect("the work in the header");
        for (work, fault) in [("21", KeyFault::TooMuchWork), ("63", KeyFault::TooMuchWork)] {
            let more = [&file[..=at], work.as_bytes(), &file[at + 2..]].concat();
            assert_eq!(open_with_passphrase(&more, &passphrase).err(), Some(fault), "{work}");
        }
        let large = vec![b'a'; KEY_FILE_MAX + 1];
        assert_eq!(open_with_passphrase(&large, &passphrase).err(), Some(KeyFault::TooBig));
        assert!(!is_for_passphrase(&large));
    }

    #[test]
    fn a_key_file_that_holds_something_else_is_none() {
        let laptop = LaptopKey::generate();
        for inside in [&b"hello"[..], b"", b"\xff\xfe", b"# co-sealed keys 1 x\n"] {
            let file = age_file::close(&[inside], &laptop.recipient().key());
            assert_eq!(open_with_laptop(&file, &laptop).err(), Some(KeyFault::NoKey));
        }
    }
}
