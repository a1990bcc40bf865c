//! Checks a token on its own: embedded checksums, and parts that can be decoded.
//!
//! Invariant: a valid checksum makes a finding; if it is wrong, the surrounding words decide,
//! because formats change and people make copying mistakes.

use super::{
    judge::{RawMatch, entropy, has_context, is_no_placeholder, is_random},
    samples::is_documented,
};
use base64::{
    Engine,
    alphabet::{self, URL_SAFE},
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};

/// GitHub and npm end a token with six base-62 digits: the CRC32 of the thirty characters before.
fn has_checksum(body: &[u8]) -> bool {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let Some(at) = body.len().checked_sub(6) else { return false };
    let (random, sum) = body.split_at(at);
    let mut rest = crc32fast::hash(random) as usize;
    sum.iter().rev().all(|digit| {
        let fits = *digit == DIGITS[rest % 62];
        rest /= 62;
        fits
    })
}

pub(super) fn checksum_or_context(found: &RawMatch<'_>) -> bool {
    if has_checksum(found.body) {
        return !is_documented(found.secret);
    }
    is_no_placeholder(found) && entropy(found.body) > 3.5 && has_context(found)
}

fn by_sum(found: &RawMatch<'_>, right: bool) -> bool {
    is_no_placeholder(found) && (right || has_context(found))
}

/// Ends with eight hexadecimal digits: the CRC32 of what precedes them, last byte first.
pub(super) fn grafana(found: &RawMatch<'_>) -> bool {
    let whole = String::from_utf8_lossy(found.secret);
    let sum = whole.rsplit_once('_').and_then(|(before, sum)| {
        Some((crc32fast::hash(before.as_bytes()), u32::from_str_radix(sum, 16).ok()?))
    });
    by_sum(found, sum.is_none_or(|(crc, sum)| crc.swap_bytes() == sum))
}

/// Ends with eight hexadecimal digits: the CRC32 of everything before them.
pub(super) fn atlassian(found: &RawMatch<'_>) -> bool {
    let (before, sum) = found.secret.split_at(found.secret.len().saturating_sub(8));
    let sum = std::str::from_utf8(sum).ok().and_then(|sum| u32::from_str_radix(sum, 16).ok());
    by_sum(found, sum == Some(crc32fast::hash(before)))
}

/// The form with dots ends with seven base-36 digits: the CRC32 of everything before them.
pub(super) fn gitlab(found: &RawMatch<'_>) -> bool {
    if !found.secret.contains(&b'.') {
        return is_random(found);
    }
    let (before, sum) = found.secret.split_at(found.secret.len() - 7);
    let sum = std::str::from_utf8(sum).ok().and_then(|sum| u32::from_str_radix(sum, 36).ok());
    by_sum(found, sum == Some(crc32fast::hash(before)))
}

/// The header must be JSON that names an algorithm.
pub(super) fn is_jwt(found: &RawMatch<'_>) -> bool {
    let head = found.secret.split(|byte| *byte == b'.').next().unwrap_or_default();
    let json = LENIENT.decode(head).unwrap_or_default();
    let payload = LENIENT
        .decode(found.secret.split(|byte| *byte == b'.').nth(1).unwrap_or_default())
        .unwrap_or_default();
    let has = |text: &[u8], word: &str| memchr::memmem::find(text, word.as_bytes()).is_some();
    let shown_everywhere =
        has(&payload, "1234567890") && has(&payload, "John Doe") || has(&payload, "supabase-demo");
    has(&json, "\"alg\"") && !shown_everywhere && is_no_placeholder(found)
}

/// A private key that was base64-encoded again, as Kubernetes stores it.
pub(super) fn is_encoded_key(found: &RawMatch<'_>) -> bool {
    let bytes =
        STANDARD.decode(&found.body[..found.body.len().min(64) / 4 * 4]).unwrap_or_default();
    memchr::memmem::find(&bytes, b"PRIVATE KEY-----").is_some()
}

/// A PyPI macaroon: its identifier contains the site's name.
pub(super) fn is_macaroon(found: &RawMatch<'_>) -> bool {
    let bytes = LENIENT.decode(&found.body[..found.body.len() / 4 * 4]).unwrap_or_default();
    memchr::memmem::find(&bytes, b"pypi.org").is_some() && is_no_placeholder(found)
}

/// The first part of a Discord bot token is the bot's number.
pub(super) fn is_discord(found: &RawMatch<'_>) -> bool {
    let first = found.secret.split(|byte| *byte == b'.').next().unwrap_or_default();
    let number = LENIENT.decode(first).unwrap_or_default();
    number.len() >= 17 && number.iter().all(u8::is_ascii_digit) && is_no_placeholder(found)
}

const STANDARD: GeneralPurpose =
    GeneralPurpose::new(&alphabet::STANDARD, GeneralPurposeConfig::new());

const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_githubs() {
        let random = b"zQ7wX2mK9pLr4TnV8sBc1DfGhJ5yUe";
        let digits = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        let mut sum = crc32fast::hash(random) as usize;
        let mut tail = Vec::new();
        for _ in 0..6 {
            tail.insert(0, digits[sum % 62]);
            sum /= 62;
        }
        assert!(has_checksum(&[&random[..], &tail].concat()));
        tail[5] = if tail[5] == b'0' { b'1' } else { b'0' };
        assert!(!has_checksum(&[&random[..], &tail].concat()));
    }

    /// Tokens that were published to explain the checksums and are not valid anywhere.
    #[test]
    fn the_sums_are_those_of_published_tokens() {
        let bare = |text: &str| text.replace('¦', "");
        assert!(has_checksum(bare("zQWBuTSOoRi4A9spHcVY5¦ncnsDkxkJ0mLq17").as_bytes()));
        assert!(has_checksum(bare("UEuirnhN6qyDNigmWWTIE¦HMNquQHF54FKSCV").as_bytes()));
        let judged = |text: &str, judge: fn(&RawMatch<'_>) -> bool| {
            let text = bare(text).into_bytes();
            judge(&RawMatch { text: &text, secret: &text, body: &text, start: 0, end: text.len() })
        };
        assert!(judged("glsa_iNValIdinValiD¦invalidinvalidinva_5b582697", grafana));
        assert!(judged("glpat-vSY1cyL948aAB4¦40qB6L4zlu9OzsUmEV.01.0w0sfevch", gitlab));
        assert!(!judged("glpat-vSY1cyL948aAB4¦40qB6L4zlu9OzsUmEV.01.0w0sfevcx", gitlab));
        assert!(judged("ATBBAb3dE5fG7hJ9kL2m¦N4pQ6rS8AD6D34F4", atlassian));
    }
}
