//! An age file around bytes, and back.
//!
//! Invariant: a header is bounded before `age` reads it, which begins again with each line of it;
//! nothing is returned of a file that is not whole. Must not know: what is inside.

use std::{
    io::{Read, Write},
    iter,
};

/// The longest header that is read. One recipient and what `age` adds to it are below 600 bytes.
const HEADER_MAX: usize = 4096;
/// The line that ends a header, up to its sum.
const HEADER_END: &[u8] = b"\n--- ";

/// Why an age file stays closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Closed {
    /// It does not begin as one.
    NotAge,
    /// It was made for another key, or another passphrase.
    OtherKey,
    /// Its passphrase would take more than is spent on a stranger's file.
    TooMuchWork,
    /// It was changed, or its end is missing.
    Damaged,
}

/// These parts, one after the other, in an age file that only the recipient opens.
pub(super) fn close(parts: &[&[u8]], recipient: &dyn age::Recipient) -> Vec<u8> {
    const WHY: &str = "because a vector takes all that is written";
    let size: usize = parts.iter().map(|part| part.len()).sum();
    let encryptor = age::Encryptor::with_recipients(iter::once(recipient))
        .expect("because one recipient fits with itself");
    let mut writer =
        encryptor.wrap_output(Vec::with_capacity(size + size / 4096 + 1024)).expect(WHY);
    for part in parts {
        writer.write_all(part).expect(WHY);
    }
    writer.finish().expect(WHY)
}

/// All bytes in an age file.
pub(super) fn open(bytes: &[u8], key: &dyn age::Identity) -> Result<Vec<u8>, Closed> {
    if !has_short_header(bytes) {
        return Err(Closed::NotAge);
    }
    let decryptor = age::Decryptor::new_buffered(bytes).map_err(|_| Closed::NotAge)?;
    let mut reader = decryptor.decrypt(iter::once(key)).map_err(|error| closed(&error))?;
    // What is inside is smaller than what is around it.
    let mut inside = Vec::with_capacity(bytes.len());
    reader.read_to_end(&mut inside).map_err(|_| Closed::Damaged)?;
    Ok(inside)
}

/// Whether it opens with a passphrase.
pub(super) fn is_for_passphrase(bytes: &[u8]) -> bool {
    has_short_header(bytes)
        && age::Decryptor::new_buffered(bytes).is_ok_and(|decryptor| decryptor.is_scrypt())
}

fn has_short_header(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(HEADER_MAX)];
    memchr::memmem::find(head, HEADER_END).is_some()
}

fn closed(error: &age::DecryptError) -> Closed {
    match error {
        age::DecryptError::NoMatchingKeys
        | age::DecryptError::DecryptionFailed
        | age::DecryptError::KeyDecryptionFailed => Closed::OtherKey,
        age::DecryptError::ExcessiveWork { .. } => Closed::TooMuchWork,
        age::DecryptError::InvalidHeader | age::DecryptError::UnknownFormat => Closed::NotAge,
        _ => Closed::Damaged,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use age::x25519::Identity;

    #[test]
    fn only_the_recipient_opens_it_and_only_whole() {
        let (own, other) = (Identity::generate(), Identity::generate());
        let inside = vec![7; 200_000];
        let file = close(&[&inside[..3], &inside[3..]], &own.to_public());
        assert_eq!(open(&file, &own), Ok(inside));
        assert_eq!(open(&file, &other), Err(Closed::OtherKey));
        for cut in [1, 17, 65_553, file.len() - 300] {
            assert!(open(&file[..file.len() - cut], &own).is_err(), "{cut}");
        }
        assert_eq!(open(b"", &own), Err(Closed::NotAge));
        assert_eq!(open(b"PACK", &own), Err(Closed::NotAge));
        let longer = [&file[..], b"x"].concat();
        assert_eq!(open(&longer, &own), Err(Closed::Damaged));
    }

    #[test]
    fn every_changed_byte_is_noticed() {
        let own = Identity::generate();
        let file = close(&[b"inside"], &own.to_public());
        for at in 0..file.len() {
            let mut changed = file.clone();
            changed[at] ^= 1;
            assert!(open(&changed, &own).is_err(), "byte {at} of {}", file.len());
        }
    }

    #[test]
    fn a_header_without_end_is_not_read() {
        let own = Identity::generate();
        let mut endless = b"age-encryption.org/v1\n".to_vec();
        for _ in 0..200_000 {
            endless.extend_from_slice(b"-> X25519 a\naaaa\n");
        }
        assert_eq!(open(&endless, &own), Err(Closed::NotAge));
        assert!(!is_for_passphrase(&endless));
    }
}
