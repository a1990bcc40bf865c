//! Decides whether a match is a real secret, by placeholders, documented examples, randomness and
//! the words around it.
//!
//! Invariant: pure functions of the match and its line; when in doubt, they report a finding.

use super::samples::is_documented;

pub(super) struct RawMatch<'a> {
    pub text: &'a [u8],
    /// The part that is reported.
    pub secret: &'a [u8],
    /// The part that must be random.
    pub body: &'a [u8],
    pub start: usize,
    pub end: usize,
}

/// How many bytes of a line are considered on each side of a match.
const REACH: usize = 400;

/// The line around a byte offset, within `REACH`.
pub(super) fn line(text: &[u8], at: usize) -> &[u8] {
    let from =
        memchr::memrchr(b'\n', &text[..at]).map_or(0, |end| end + 1).max(at.saturating_sub(REACH));
    let to = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |end| at + end).min(at + REACH);
    &text[from..to.max(from)]
}

/// For tokens with an unmistakable form: anything but a placeholder or a documented example.
pub(super) fn is_no_placeholder(found: &RawMatch<'_>) -> bool {
    !is_placeholder(found.body) && !is_documented(found.secret)
}

/// Words that mark a value as a placeholder.
const STAND_INS: &[&str] = &[
    "example",
    "placeholder",
    "your",
    "dummy",
    "fake",
    "sample",
    "redacted",
    "changeme",
    "change_me",
    "change-me",
    "insert",
    "replace",
    "xxxx",
    "todo",
    "secret_here",
    "token_here",
    "key_here",
    "goes_here",
    "goes-here",
    "not_a_real",
    "notareal",
    "not-a-real",
    "foobar",
    "lorem",
    "deadbeef",
];

/// By words, masks, repeated characters or alphabetical runs.
pub(super) fn is_placeholder(body: &[u8]) -> bool {
    let lower = body.to_ascii_lowercase();
    // In a long random text, a short word occurs by chance.
    let says = |word: &&&str| word.len() >= 6 || body.len() <= 48;
    STAND_INS.iter().filter(says).any(|word| stands_alone(&lower, word.as_bytes()))
        || longest_run(&lower, |before, after| before == after) >= 5 + body.len() / 100
        || longest_run(&lower, |before, after| after == before.wrapping_add(1)) >= 6
        || (body.len() >= 16 && entropy(body) < 2.5)
}

/// At the start or end, or between punctuation; elsewhere, a word in random text is chance.
fn stands_alone(text: &[u8], word: &[u8]) -> bool {
    let free = |byte: Option<&u8>| byte.is_none_or(|byte| !byte.is_ascii_alphanumeric());
    memchr::memmem::find_iter(text, word).any(|at| {
        let (before, after) = (at.checked_sub(1).map(|at| &text[at]), text.get(at + word.len()));
        at == 0 || after.is_none() || (free(before) && free(after))
    })
}

/// Length of the longest run in which `goes_on` holds for each adjacent pair.
pub(super) fn longest_run(text: &[u8], goes_on: fn(u8, u8) -> bool) -> usize {
    let (mut longest, mut run) = (1, 1);
    for pair in text.windows(2) {
        run = if goes_on(pair[0], pair[1]) { run + 1 } else { 1 };
        longest = longest.max(run);
    }
    longest
}

/// Shannon entropy in bits per byte.
pub(super) fn entropy(text: &[u8]) -> f64 {
    let mut counts = [0u32; 256];
    text.iter().for_each(|byte| counts[usize::from(*byte)] += 1);
    let total = text.len() as f64;
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| f64::from(*count) / total)
        .map(|part| -part * part.log2())
        .sum()
}

/// Words that occur near real secrets.
const CONTEXT: &[&str] = &[
    "token",
    "secret",
    "passw",
    "credential",
    "api key",
    "api_key",
    "apikey",
    "auth",
    "bearer",
    "key=",
    "key:",
    "pat=",
    "login",
    "export ",
];

pub(super) fn has_context(found: &RawMatch<'_>) -> bool {
    // The words must be around the secret, not in it.
    let whole = line(found.text, found.start);
    let lower = whole.to_ascii_lowercase();
    let own = found.secret.to_ascii_lowercase();
    let around = String::from_utf8_lossy(&lower).replace(&*String::from_utf8_lossy(&own), " ");
    CONTEXT.iter().any(|word| around.contains(word))
        || found
            .text
            .get(found.start.wrapping_sub(1))
            .is_some_and(|byte| matches!(byte, b'=' | b':'))
}

/// A private key with a body, not just its first line and an ellipsis.
pub(super) fn is_key_block(found: &RawMatch<'_>) -> bool {
    let letters = found
        .body
        .iter()
        .filter(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
        .count();
    // Real keys start with long runs of one letter (`b3BlbnNz…AAAA`), so only the whole counts.
    let head = &found.body[..found.body.len().min(600)];
    let base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let line = head.split(|byte| !base64(*byte)).map(<[u8]>::len).max().unwrap_or(0);
    letters >= 40 && line >= 40 && entropy(head) > 3.5
}

/// Enough letters of both cases, as in random text but not in a function name.
pub(super) fn is_mixed_case(found: &RawMatch<'_>) -> bool {
    let count = |kind: fn(&u8) -> bool| found.body.iter().filter(|byte| kind(byte)).count();
    is_no_placeholder(found)
        && count(u8::is_ascii_uppercase) >= 4
        && count(u8::is_ascii_lowercase) >= 4
}

/// Short prefixes that any base64 may have: the line must name the vendor.
pub(super) fn near_vendor(found: &RawMatch<'_>) -> bool {
    const VENDORS: &[&str] =
        &["facebook", "graph", "meta", "instagram", "fb", "square", "token", "bearer", "secret"];
    let lower = line(found.text, found.start).to_ascii_lowercase();
    let inside =
        found.text.get(found.start.wrapping_sub(1)).is_some_and(|byte| matches!(byte, b'+' | b'/'));
    let goes_on = found.text.get(found.end).is_some_and(|byte| matches!(byte, b'+' | b'/' | b'='));
    is_random(found)
        && !inside
        && !goes_on
        && VENDORS.iter().any(|word| memchr::memmem::find(&lower, word.as_bytes()).is_some())
}

/// A token as the user name in a URL; Sentry's are public.
pub(super) fn is_url_token(found: &RawMatch<'_>) -> bool {
    let host = &found.text[found.end..found.text.len().min(found.end + 60)];
    is_random(found) && memchr::memmem::find(host, b"sentry").is_none()
}

/// A Twilio key looks like two letters and a hash: the line must mention Twilio or a secret.
pub(super) fn near_twilio(found: &RawMatch<'_>) -> bool {
    let lower = line(found.text, found.start).to_ascii_lowercase();
    is_random(found) && (has_context(found) || memchr::memmem::find(&lower, b"twilio").is_some())
}

/// A short form that other things have too: it needs a word near it.
pub(super) fn needs_context(found: &RawMatch<'_>) -> bool {
    is_no_placeholder(found) && entropy(found.body) > 2.8 && has_context(found)
}

/// A form that also occurs in names: it must mix characters as random text does.
pub(super) fn is_random(found: &RawMatch<'_>) -> bool {
    is_no_placeholder(found) && mixes(found.body) && entropy(found.body) > 3.0
}

/// Two of lower case, upper case and digits: one random token in fifty has no digit.
fn mixes(text: &[u8]) -> bool {
    let kinds: [fn(&u8) -> bool; 3] =
        [u8::is_ascii_lowercase, u8::is_ascii_uppercase, u8::is_ascii_digit];
    kinds.iter().filter(|kind| text.iter().any(**kind)).count() >= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_for_a_value() {
        for text in [
            "xxxxxxxxxxxx",
            "your-token-here",
            "aaaaaaaaaa",
            "abcdefghijkl",
            "1234567890",
            "EXAMPLE",
            "changeme",
        ] {
            assert!(is_placeholder(text.as_bytes()), "{text}");
        }
        assert!(!is_placeholder(b"zQ7wX2mK9pLr4TnV8sBc"));
    }
}
