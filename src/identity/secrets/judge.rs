//! Whether what has the form of a secret is one: placeholders, documented examples, randomness, the words around it.
//!
//! Invariant: pure functions of the match and its line; each errs on the side of a finding where nothing speaks against it.

/// A match that is to be judged.
pub(super) struct Found<'a> {
    /// The whole text.
    pub text: &'a [u8],
    /// What would be reported.
    pub secret: &'a [u8],
    /// The part that has to be random.
    pub body: &'a [u8],
    /// Where the secret begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

/// How far a line is looked at to both sides of a match.
const REACH: usize = 400;

/// The line around a place, as far as it matters.
pub(super) fn line(text: &[u8], at: usize) -> &[u8] {
    let from = memchr::memrchr(b'\n', &text[..at]).map_or(0, |end| end + 1).max(at.saturating_sub(REACH));
    let to = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |end| at + end).min(at + REACH);
    &text[from..to.max(from)]
}

/// A token of a form that nothing else has: only what stands for one is none.
pub(super) fn is_no_placeholder(found: &Found<'_>) -> bool {
    !is_placeholder(found.body) && !is_documented(found.secret)
}

/// Words with which people write that a value is none.
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

/// Whether it stands for a value: words, masks, one letter many times, the alphabet.
pub(super) fn is_placeholder(body: &[u8]) -> bool {
    let lower = body.to_ascii_lowercase();
    // In a long random text a short word stands by chance.
    let says = |word: &&&str| word.len() >= 6 || body.len() <= 48;
    STAND_INS.iter().filter(says).any(|word| memchr::memmem::find(&lower, word.as_bytes()).is_some())
        || longest_run(&lower, |before, after| before == after) >= 5 + body.len() / 100
        || longest_run(&lower, |before, after| after == before.wrapping_add(1)) >= 6
        || (body.len() >= 16 && entropy(body) < 2.5)
}

/// The length of the longest stretch in which each byte goes with the one before.
fn longest_run(text: &[u8], goes_on: fn(u8, u8) -> bool) -> usize {
    let (mut longest, mut run) = (1, 1);
    for pair in text.windows(2) {
        run = if goes_on(pair[0], pair[1]) { run + 1 } else { 1 };
        longest = longest.max(run);
    }
    longest
}

/// Bits a byte, as Shannon counts them.
pub(super) fn entropy(text: &[u8]) -> f64 {
    let mut counts = [0u32; 256];
    text.iter().for_each(|byte| counts[usize::from(*byte)] += 1);
    let total = text.len() as f64;
    counts.iter().filter(|count| **count > 0).map(|count| f64::from(*count) / total).map(|part| -part * part.log2()).sum()
}

/// Values that documentation shows and everybody copies. `¦` as in the rules.
const DOCUMENTED: &[&str] = &[
    "wJalrXUtnFEMI/K7MDENG/¦bPxRfiCYEXAMPLEKEY",
    "16C7e42F292c69¦12E7710c838347Ae178B4a",
    "16C7e42F292c69¦C2E7C10c838347Ae178B4a",
    "1B4a2e77838347a7E420ce178F2E7c6912E16924¦6c34E1ccbF66C46812d16D5B1A9Dc86A1498",
    "4eC39HqLyjWDarj¦tT1zdp7dc",
    "BQokikJOvBiI2Hl¦WgH4olfQ2",
    "26PHem9AhJZvU62¦3DfE1x4sd",
    "SflKxwRJSMeKKF2QT4fwpMeJf36POk6y¦JV_adQssw5c",
    "DaGmWKa4JsXZ-HjGw7ISLn_3¦namBGewQe",
    "D-9tSrke72PouQMnMX-a7eZS¦W0jkFMBWY",
    "17653672481-19874698323-¦pdFZKVeTuE8sk7oOcBrzbqgy",
    "1928471-qemwiiwglagjacakv¦qbvbfkmvbsvsuzn",
    "MTk4NjIyNDgzNDcxOTI1MjQ4.¦Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs",
    "110201543:AAHdqTcvCH1vGWJxfSeof¦SAs0K5PALDsaw",
    "4839574812:AAFD39kkdpWt3ywyRZer¦gyOLMaJhac60qcK",
    "ngeVfQFYQlKU0ufo8x5d1A.¦TwL2iGABf9DHoTf-09kqeF8tAmbihYzrnopKc-1s5cr",
    "94wBhPGp6KrrTH3KDch¦hKpRxZwd6dmHWLL",
    "HOruNAb7SOiCdshU7alg¦krq7FDsNSLAa_55e2f8be",
    "N7UND0UgjKTVK-Uodkm0¦Hg_xSvEMPvz",
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6¦IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
    "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2n¦Q9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==",
];

pub(super) fn is_documented(secret: &[u8]) -> bool {
    DOCUMENTED.iter().any(|known| memchr::memmem::find(secret, known.replace('¦', "").as_bytes()).is_some())
}

/// Words that stand near a secret because it is one.
const CONTEXT: &[&str] =
    &["token", "secret", "passw", "credential", "api key", "api_key", "apikey", "auth", "bearer", "key=", "key:", "pat=", "login", "export "];

pub(super) fn has_context(found: &Found<'_>) -> bool {
    // The words must stand around the secret, not in it.
    let whole = line(found.text, found.start);
    let lower = whole.to_ascii_lowercase();
    let own = found.secret.to_ascii_lowercase();
    let around = String::from_utf8_lossy(&lower).replace(&*String::from_utf8_lossy(&own), " ");
    CONTEXT.iter().any(|word| around.contains(word)) || found.text.get(found.start.wrapping_sub(1)).is_some_and(|byte| matches!(byte, b'=' | b':'))
}

/// A private key: more than its first line, and not three dots.
pub(super) fn is_key_block(found: &Found<'_>) -> bool {
    let letters = found.body.iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
    letters >= 48 && !is_placeholder(&found.body[..found.body.len().min(64)]) && entropy(found.body) > 3.5
}

/// Letters of both cases, as in something random and not in the name of a function.
pub(super) fn is_mixed_case(found: &Found<'_>) -> bool {
    let count = |kind: fn(&u8) -> bool| found.body.iter().filter(|byte| kind(byte)).count();
    is_no_placeholder(found) && count(u8::is_ascii_uppercase) >= 4 && count(u8::is_ascii_lowercase) >= 4
}

/// A key of Twilio has the form of a hash with two letters before it: the name must stand on the line.
pub(super) fn near_twilio(found: &Found<'_>) -> bool {
    let lower = line(found.text, found.start).to_ascii_lowercase();
    is_random(found) && (has_context(found) || memchr::memmem::find(&lower, b"twilio").is_some())
}

/// A short form that other things have as well: it needs a word beside it.
pub(super) fn needs_context(found: &Found<'_>) -> bool {
    is_no_placeholder(found) && entropy(found.body) > 2.8 && has_context(found)
}

/// A form that also occurs in names: letters and digits have to be mixed as in something random.
pub(super) fn is_random(found: &Found<'_>) -> bool {
    is_no_placeholder(found) && mixes(found.body) && entropy(found.body) > 3.0
}

fn mixes(text: &[u8]) -> bool {
    text.iter().any(u8::is_ascii_digit) && text.iter().any(u8::is_ascii_alphabetic)
}

/// Words on a line that say: this is a hash.
const HASH_WORDS: &[&str] =
    &["sha1", "sha256", "sha512", "sha-", "md5", "checksum", "digest", "commit", "fingerprint", "etag", "integrity", "hash", "revision", "blake"];
/// Pieces of names that mix letters and digits.
const TECHNICAL: &[&str] = &[
    "base64",
    "base32",
    "base58",
    "sha1",
    "sha256",
    "sha384",
    "sha512",
    "md5",
    "utf8",
    "utf16",
    "oauth2",
    "oauth1",
    "argon2",
    "argon2id",
    "pbkdf2",
    "bcrypt",
    "x509",
    "ed25519",
    "rsa2048",
    "rsa4096",
    "aes128",
    "aes256",
    "hs256",
    "rs256",
    "es256",
    "http2",
    "http3",
    "ipv4",
    "ipv6",
    "x86",
    "amd64",
    "arm64",
    "win32",
    "s3",
    "ec2",
    "k8s",
    "i18n",
    "l10n",
    "a11y",
    "p256",
    "secp256k1",
    "1password",
    "auth0",
    "web3",
    "log4j",
    "neo4j",
    "h264",
    "mp3",
    "mp4",
    "utf",
    "v1",
    "v2",
    "v3",
    "v4",
    "2fa",
    "u2f",
    "fido2",
];

/// Whether it reads as words, numbers and dates that a person joined, or as a name in a program.
fn is_worded(value: &[u8]) -> bool {
    let text = String::from_utf8_lossy(value);
    let pieces = text.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|piece| !piece.is_empty());
    let random = |piece: &str| {
        let digits = piece.bytes().filter(u8::is_ascii_digit).count();
        let letters = piece.len() - digits;
        let lower = piece.to_ascii_lowercase();
        // `getTokenFromEnv` has capitals, too, but each begins a word; where there is no order, two stand side by side as often.
        let pairs = |first: fn(&u8) -> bool| piece.as_bytes().windows(2).filter(|pair| first(&pair[0]) && pair[1].is_ascii_uppercase()).count();
        let unordered = piece.len() >= 16 && pairs(u8::is_ascii_lowercase) >= 3 && pairs(u8::is_ascii_uppercase) >= 2;
        let numbered = piece.trim_end_matches(|letter: char| letter.is_ascii_digit());
        // `step2`, `v12`, `port8080` are words with a number behind them; a password like Summer2026 has a capital or a sign as well.
        let word_and_number =
            numbered.len() < piece.len() && numbered.len() >= 2 && numbered.bytes().all(|byte| byte.is_ascii_lowercase()) && digits <= 4;
        let mixed = digits > 0 && letters > 0 && !word_and_number;
        (mixed || unordered) && !TECHNICAL.contains(&lower.as_str())
    };
    let has_sign = text.contains(['!', '@', '#', '$', '%', '^', '&', '*', '?', '+', '~']) && value.iter().any(u8::is_ascii_digit);
    !(pieces.into_iter().any(random) || has_sign)
}

/// Values that are names of variables, calls, paths or references, not values.
fn is_reference(found: &Found<'_>) -> bool {
    let text = found.secret;
    let after = found.text.get(found.end).copied().unwrap_or(b'\n');
    let opens = |heads: &[&str]| heads.iter().any(|head| text.starts_with(head.as_bytes()));
    let constant = text.contains(&b'_') && text.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_');
    after == b'('
        || constant
        || opens(&[
            "$", "%", "<", "{", "[", "(", "&", "*", "/", "./", "~/", "../", "http://", "https://", "file:", "env:", "env.", "os.", "process.",
            "vault:", "op://", "secret/", "ref+", "sha256:", "secrets.",
        ])
        || text.windows(2).any(|pair| pair == b"::" || pair == b"()" || pair == b"->" || pair == b"${" || pair == b"{{")
        || text.contains(&b'(')
}

/// 8-4-4-4-12: an identifier, not a secret.
fn is_uuid(value: &[u8]) -> bool {
    let text = String::from_utf8_lossy(value);
    let lengths: Vec<usize> = text.split('-').map(str::len).collect();
    lengths == [8, 4, 4, 4, 12] && text.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

/// Passwords that everybody uses in examples.
const WEAK: &[&str] = &[
    "password",
    "passw0rd",
    "p@ssw0rd",
    "p4ssw0rd",
    "pa$$w0rd",
    "password1",
    "password123",
    "hunter2",
    "secret123",
    "admin123",
    "test1234",
    "qwerty123",
    "letmein1",
    "mypassword",
    "mysecret",
];

/// A value behind a word like `password`.
pub(super) fn is_password(found: &Found<'_>) -> bool {
    let value = found.secret;
    let lower = String::from_utf8_lossy(value).to_ascii_lowercase();
    let plain = is_reference(found) || is_uuid(value) || is_placeholder(value) || is_documented(value) || WEAK.contains(&&*lower);
    let random = (mixes(value) && !is_worded(value) && entropy(value) >= 2.6) || (value.len() >= 16 && entropy(value) > 3.8 && !is_worded(value));
    value.len() >= 8 && !plain && random && !is_hash(found) && !is_named_hash(found)
}

/// A value behind a word like `api key` or `token`: longer and more random than a password.
pub(super) fn is_key(found: &Found<'_>) -> bool {
    let value = found.secret;
    let plain = is_reference(found) || is_uuid(value) || is_placeholder(value) || is_documented(value) || is_worded(value);
    let hexadecimal = value.iter().all(u8::is_ascii_hexdigit);
    let random = if hexadecimal { entropy(value) > 2.8 } else { entropy(value) > 3.3 };
    value.len() >= 16 && !plain && random && (mixes(value) || value.len() >= 32) && !is_date(value) && !is_hash(found)
}

fn is_date(value: &[u8]) -> bool {
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    value.len() - digits <= value.len() / 3 && value.iter().all(|byte| byte.is_ascii_digit() || b"-:.TZ+ ".contains(byte))
}

/// A hash that its line calls one: `checksum: …`, `commit …`.
fn is_hash(found: &Found<'_>) -> bool {
    let hexadecimal = found.secret.iter().all(u8::is_ascii_hexdigit) && matches!(found.secret.len(), 32 | 40 | 64 | 96 | 128);
    let lower = line(found.text, found.start).to_ascii_lowercase();
    (hexadecimal || found.secret.starts_with(b"sha")) && HASH_WORDS.iter().any(|word| memchr::memmem::find(&lower, word.as_bytes()).is_some())
}

/// `password_hash: …`: what is stored instead of a password.
fn is_named_hash(found: &Found<'_>) -> bool {
    let before = &found.text[found.start.saturating_sub(12)..found.start];
    memchr::memmem::find(&before.to_ascii_lowercase(), b"hash").is_some()
}

/// The password in a URL or connection string: anything but what stands for one.
pub(super) fn is_url_password(found: &Found<'_>) -> bool {
    const NAMES: &[&str] =
        &["password", "pass", "passwd", "pwd", "pw", "secret", "token", "user", "username", "user-password", "pat", "x", "xxx", "****", "***", "..."];
    let value = String::from_utf8_lossy(found.body).to_ascii_lowercase();
    let masked = value.chars().all(|letter| matches!(letter, '*' | 'x' | '.' | '…' | '-' | '•'));
    let port = value.bytes().all(|byte| byte.is_ascii_digit()) && value.len() <= 5;
    let variable = value.starts_with(['$', '<', '{', '[', '%', '(']) && !value.starts_with("%2") || value.contains("${") || value.contains("{{");
    !masked && !port && !variable && !NAMES.contains(&&*value) && !WEAK.contains(&&*value) && !is_placeholder(found.body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_for_a_value() {
        for text in ["xxxxxxxxxxxx", "your-token-here", "aaaaaaaaaa", "abcdefghijkl", "1234567890", "EXAMPLE", "changeme"] {
            assert!(is_placeholder(text.as_bytes()), "{text}");
        }
        assert!(!is_placeholder(b"zQ7wX2mK9pLr4TnV8sBc"));
        for text in ["min-8-chars", "oauth2-bearer", "service-token-2026-prod", "step2", "base64-encoded", "getTokenFromEnv"] {
            assert!(is_worded(text.as_bytes()), "{text}");
        }
        for text in ["Tr0ub4dor&3", "Summer2026!", "9f86d081884c7d65", "kX9-vv2Lq-77aZ"] {
            assert!(!is_worded(text.as_bytes()), "{text}");
        }
    }
}
