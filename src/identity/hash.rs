//! SHA-256 of a fact's text, which makes two memories the same fact, and of other bytes.
//!
//! Invariant: `of_body` hashes only the canonical body, so that tags, dates, CRLF and surrounding
//! whitespace do not make a new fact; `of_bytes` hashes what it is given.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;

/// sha256 of a canonical body.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// Canonicalises the body first.
    pub fn of_body(body: &str) -> ContentHash {
        let trimmed = canonical_trim(body);
        if trimmed.contains('\r') {
            return ContentHash::of_bytes(trimmed.replace("\r\n", "\n").as_bytes());
        }
        ContentHash::of_bytes(trimmed.as_bytes())
    }

    pub fn of_bytes(bytes: &[u8]) -> ContentHash {
        ContentHash(Sha256::digest(bytes).into())
    }

    pub const fn from_digest(digest: [u8; 32]) -> ContentHash {
        ContentHash(digest)
    }

    pub const fn digest(&self) -> &[u8; 32] {
        &self.0
    }

    /// Reads `sha256:<64 hex>` or bare hex, in either case.
    pub fn parse(text: &str) -> Option<ContentHash> {
        let hex = text.trim().strip_prefix("sha256:").unwrap_or(text.trim());
        if hex.len() != 64 {
            return None;
        }
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Some(byte - b'0'),
            b'a'..=b'f' => Some(byte - b'a' + 10),
            b'A'..=b'F' => Some(byte - b'A' + 10),
            _ => None,
        };
        let mut digest = [0; 32];
        for (byte, pair) in digest.iter_mut().zip(hex.as_bytes().chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Some(ContentHash(digest))
    }

    pub fn hex(&self) -> String {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble)]);
        self.0.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
    }

    /// The first 8 bytes of the hash: a tie-breaker and the short key in the index.
    pub fn hash_prefix(&self) -> u64 {
        self.0[..8].iter().fold(0, |hash_prefix, byte| hash_prefix << 8 | u64::from(*byte))
    }

    pub fn short(&self, digits: usize) -> String {
        let mut hex = self.hex();
        hex.truncate(digits);
        hex
    }

    /// Microseconds (1 to 999,999) derived from the text, so that all laptops agree on the origin.
    pub fn fraction(&self) -> u32 {
        let head =
            u64::from_be_bytes(self.0[..8].try_into().expect("because a digest has 32 bytes"));
        u32::try_from(head % 999_999).expect("because the remainder is below a million") + 1
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha256:{}", self.hex())
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.short(8))
    }
}

/// The canonical body without the CRLF step: whitespace is trimmed at both ends.
pub fn canonical_trim(body: &str) -> &str {
    body.trim_matches([' ', '\t', '\r', '\n'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_and_margins_make_no_new_fact() {
        let plain = ContentHash::of_body("one\ntwo");
        assert_eq!(plain, ContentHash::of_body("\n one\r\ntwo\t\r\n\n"));
        assert_ne!(plain, ContentHash::of_body("one\n two"));
    }

    #[test]
    fn known_digest_and_both_spellings() {
        let abc = ContentHash::of_body("abc");
        assert_eq!(abc.hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(ContentHash::parse(&abc.to_string()), Some(abc));
        assert_eq!(ContentHash::parse(&abc.hex().to_uppercase()), Some(abc));
        assert_eq!(ContentHash::parse("sha256:12"), None);
        for other in ["g", "+", " ", ":", "/", "@", "`"] {
            let text = abc.hex().replacen('b', other, 1);
            assert_eq!(ContentHash::parse(&text), None, "{text}");
        }
        assert_eq!(ContentHash::parse(&"ä".repeat(32)), None);
    }
}
