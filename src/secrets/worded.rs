//! Judges values that only the surrounding words give away: passwords, keys, credentials in URLs.
//!
//! Invariant: variable names, joined words, hashes, dates and identifiers are not secrets.

use super::{
    judge::{RawMatch, entropy, is_placeholder, line, longest_run},
    samples::is_documented,
    words::{HASH_WORDS, NO_SECRETS, TECHNICAL, WEAK},
};

/// How many of these occur: lower case, upper case, digits, punctuation.
fn kinds(text: &[u8]) -> usize {
    let kinds: [fn(&u8) -> bool; 4] = [
        u8::is_ascii_lowercase,
        u8::is_ascii_uppercase,
        u8::is_ascii_digit,
        u8::is_ascii_punctuation,
    ];
    kinds.iter().filter(|kind| text.iter().any(**kind)).count()
}

fn has_digit_and_letter(text: &[u8]) -> bool {
    text.iter().any(u8::is_ascii_digit) && text.iter().any(u8::is_ascii_alphabetic)
}

/// Whether it looks like words, numbers and dates joined by a person, or like an identifier.
fn is_worded(value: &[u8]) -> bool {
    let text = String::from_utf8_lossy(value);
    let pieces = text
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|piece| !piece.is_empty());
    let random = |piece: &str| {
        let digits = piece.bytes().filter(u8::is_ascii_digit).count();
        let letters = piece.len() - digits;
        let lower = piece.to_ascii_lowercase();
        // In `getTokenFromEnv` each capital starts a word; in random text, two are often adjacent.
        let pairs = |first: fn(&u8) -> bool| {
            piece
                .as_bytes()
                .windows(2)
                .filter(|pair| first(&pair[0]) && pair[1].is_ascii_uppercase())
                .count()
        };
        let unordered = piece.len() >= 16
            && pairs(u8::is_ascii_lowercase) >= 3
            && pairs(u8::is_ascii_uppercase) >= 2;
        let numbered = piece.trim_end_matches(|letter: char| letter.is_ascii_digit());
        // `step2` and `port8080` are a word and a number; a password like Summer2026 also has a
        // capital or punctuation.
        let word_and_number = numbered.len() < piece.len()
            && numbered.len() >= 2
            && numbered.bytes().all(|byte| byte.is_ascii_lowercase())
            && digits <= 4;
        let mixed = digits > 0 && letters > 0 && !word_and_number;
        (mixed || unordered) && !TECHNICAL.contains(&lower.as_str())
    };
    let has_sign = text.contains(['!', '@', '#', '$', '%', '^', '&', '*', '?', '+', '~'])
        && value.iter().any(u8::is_ascii_digit);
    !(pieces.into_iter().any(random) || has_sign)
}

/// A variable, call, path or address instead of a value.
fn is_reference(found: &RawMatch<'_>) -> bool {
    let text = found.secret;
    let after = found.text.get(found.end).copied().unwrap_or(b'\n');
    let opens = |heads: &[&str]| heads.iter().any(|head| text.starts_with(head.as_bytes()));
    let variable = text.strip_prefix(b"$").is_some_and(|name| {
        name.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_{}.:-()".contains(byte))
    });
    let address =
        text.len() == 42 && text.starts_with(b"0x") && text[2..].iter().all(u8::is_ascii_hexdigit);
    let constant = text.contains(&b'_')
        && text
            .iter()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_');
    after == b'('
        || address
        || constant
        || variable
        || text.windows(2).any(|pair| pair == b":\\")
        || opens(&[
            "%",
            "<",
            "{",
            "[",
            "(",
            "&",
            "*",
            "./",
            "../",
            "http://",
            "https://",
            "file:",
            "env:",
            "env.",
            "os.",
            "process.",
            "vault:",
            "op://",
            "secret/",
            "ref+",
            "sha256:",
            "secrets.",
            "@",
            "AWS4-HMAC",
            "pk_live_",
            "pk_test_",
        ])
        || text.windows(2).any(|pair| {
            pair == b"::" || pair == b"()" || pair == b"->" || pair == b"${" || pair == b"{{"
        })
        || text.contains(&b'(')
}

/// 8-4-4-4-12: an identifier, not a secret.
fn is_uuid(value: &[u8]) -> bool {
    let text = String::from_utf8_lossy(value);
    let lengths: Vec<usize> = text.split('-').map(str::len).collect();
    lengths == [8, 4, 4, 4, 12] && text.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

/// A value after a word like `password`.
pub(super) fn is_password(found: &RawMatch<'_>) -> bool {
    let value = found.secret;
    let lower = String::from_utf8_lossy(value).to_ascii_lowercase();
    let plain = is_reference(found)
        || is_uuid(value)
        || is_placeholder(value)
        || is_documented(value)
        || WEAK.contains(&&*lower);
    let random = !is_worded(value)
        && entropy(value) >= 2.6
        && (has_digit_and_letter(value) || (value.len() >= 16 && entropy(value) > 3.8));
    value.len() >= 8
        && !plain
        && (random || is_word_and_year(value))
        && !is_date(value)
        && !is_hash(found)
        && !is_named_hash(found)
        && !names_no_secret(found)
}

/// A value after a word like `api key` or `token`: longer and more random than a password.
pub(super) fn is_key(found: &RawMatch<'_>) -> bool {
    let value = found.secret;
    let plain = is_reference(found)
        || is_uuid(value)
        || is_placeholder(value)
        || is_documented(value)
        || is_file(value)
        || is_worded(value);
    let hexadecimal = value.iter().all(u8::is_ascii_hexdigit);
    let random = if hexadecimal { entropy(value) > 2.8 } else { entropy(value) > 3.3 };
    value.len() >= 16
        && !plain
        && random
        && (has_digit_and_letter(value) || value.len() >= 32)
        && !is_date(value)
        && !is_hash(found)
        && !names_no_secret(found)
}

/// Endings of the files that `co knowledge add` reads, and of their pictures.
const ENDINGS: &[&str] = &[
    "csv", "doc", "docx", "eml", "epub", "gif", "htm", "html", "jpeg", "jpg", "json", "log", "md",
    "odp", "ods", "odt", "pdf", "png", "ppt", "pptx", "rtf", "svg", "tex", "txt", "webp", "xls",
    "xlsx", "xml", "yaml", "yml", "zip",
];

/// `~/letters/2024/broken.odt`: a path from the root or the home folder to a document.
fn is_file(value: &[u8]) -> bool {
    let ending = value.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    let ending = ending.to_ascii_lowercase();
    (value.starts_with(b"/") || value.starts_with(b"~/"))
        && ENDINGS.iter().any(|known| known.as_bytes() == ending)
}

/// `summer2024`: the kind of password that people make up.
fn is_word_and_year(value: &[u8]) -> bool {
    let letters = value.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let digits = value.len() - letters;
    letters >= 4
        && (3..=4).contains(&digits)
        && value[letters..].iter().all(u8::is_ascii_digit)
        && !TECHNICAL.contains(&&*String::from_utf8_lossy(value))
}

/// A value right after a word, with no sign in between: it must look like nothing else.
pub(super) fn is_strong(found: &RawMatch<'_>) -> bool {
    let name = &found.text[found.start.saturating_sub(16)..found.start].to_ascii_lowercase();
    let of_token = ["token", "secret"]
        .iter()
        .any(|word| memchr::memmem::find(name, word.as_bytes()).is_some());
    let capitals = found.secret.iter().skip(1).filter(|byte| byte.is_ascii_uppercase()).count();
    let unordered = capitals >= 2 || (capitals == 1 && kinds(found.secret) == 4);
    let enough = if of_token { found.secret.len() >= 20 } else { true };
    enough
        && kinds(found.secret) >= 3
        && has_digit_and_letter(found.secret)
        && unordered
        && !found.secret.contains(&b'/')
        && is_password(found)
        && !ends_in_version(found.secret)
}

/// `Requirements2026`, `OAuth2Flow`, `TokenCounterV2`: capitalised words and a number.
fn ends_in_version(value: &[u8]) -> bool {
    let text = String::from_utf8_lossy(value);
    let mut words = 0;
    let mut letters = 0;
    for pair in text.as_bytes().windows(2) {
        words += usize::from(pair[0].is_ascii_uppercase() && pair[1].is_ascii_lowercase());
        letters += usize::from(pair[0].is_ascii_uppercase());
    }
    let numbers = text
        .split(|letter: char| !letter.is_ascii_digit())
        .filter(|number| !number.is_empty())
        .count();
    let signs = text.bytes().any(|byte| !byte.is_ascii_alphanumeric());
    !signs
        && numbers <= 1
        && words > 0
        && words + 1 >= letters
        && text.len() / (words + 1) >= 3
        && text.len() >= 8
        && longest_run(text.as_bytes(), |a, b| a.is_ascii_lowercase() && b.is_ascii_lowercase())
            >= 3
}

fn names_no_secret(found: &RawMatch<'_>) -> bool {
    let before = line(found.text, found.start);
    let until = before
        .windows(found.secret.len().max(1))
        .position(|window| window == found.secret)
        .unwrap_or(before.len());
    let name = before[until.saturating_sub(48)..until].to_ascii_lowercase();
    let hexadecimal = found.secret.iter().all(u8::is_ascii_hexdigit);
    let says = |word: &&&str| {
        memchr::memmem::find(&name, word.as_bytes()).is_some()
            && (!word.starts_with("signing") || hexadecimal)
    };
    let an_id = name.ends_with(b"id: \"")
        || name.ends_with(b"id\": \"")
        || name.ends_with(b"id: ")
        || name.ends_with(b"id=");
    an_id || NO_SECRETS.iter().any(|word| says(&word))
}

fn is_date(value: &[u8]) -> bool {
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    value.len() - digits <= value.len() / 3
        && value.iter().all(|byte| byte.is_ascii_digit() || b"-:.TZ+ ".contains(byte))
}

/// A hash that its line identifies as one: `checksum: …`, `commit …`.
fn is_hash(found: &RawMatch<'_>) -> bool {
    let hexadecimal = found.secret.iter().all(u8::is_ascii_hexdigit)
        && matches!(found.secret.len(), 32 | 40 | 64 | 96 | 128);
    let lower = line(found.text, found.start).to_ascii_lowercase();
    (hexadecimal || found.secret.starts_with(b"sha"))
        && HASH_WORDS.iter().any(|word| memchr::memmem::find(&lower, word.as_bytes()).is_some())
}

/// `password_hash: …`: what is stored instead of a password.
fn is_named_hash(found: &RawMatch<'_>) -> bool {
    let before = &found.text[found.start.saturating_sub(12)..found.start];
    memchr::memmem::find(&before.to_ascii_lowercase(), b"hash").is_some()
}

/// A password in a URL or connection string: anything but a placeholder or variable.
pub(super) fn is_url_password(found: &RawMatch<'_>) -> bool {
    const NAMES: &[&str] = &[
        "password",
        "pass",
        "passwd",
        "pwd",
        "pw",
        "secret",
        "token",
        "user",
        "username",
        "user-password",
        "pat",
        "x",
        "xxx",
        "****",
        "***",
        "...",
    ];
    let value = String::from_utf8_lossy(found.body).to_ascii_lowercase();
    // `guest:guest@localhost`: the default login of a fresh database.
    let user = found.text[..found.start.saturating_sub(1)]
        .rsplit(|byte| !byte.is_ascii_alphanumeric())
        .next()
        .unwrap_or_default();
    let default = !user.is_empty() && user.eq_ignore_ascii_case(found.body);
    let masked = value.chars().all(|letter| matches!(letter, '*' | 'x' | '.' | '…' | '-' | '•'));
    let port = value.bytes().all(|byte| byte.is_ascii_digit()) && value.len() <= 5;
    let variable = value.starts_with(['$', '<', '{', '[', '%', '(']) && !value.starts_with("%2")
        || value.contains("${")
        || value.contains("{{");
    !default
        && !masked
        && !port
        && !variable
        && !NAMES.contains(&&*value)
        && !WEAK.contains(&&*value)
        && !is_placeholder(found.body)
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_joined_is_not_random() {
        for text in [
            "min-8-chars",
            "oauth2-bearer",
            "service-token-2026-prod",
            "step2",
            "base64-encoded",
            "getTokenFromEnv",
        ] {
            assert!(is_worded(text.as_bytes()), "{text}");
        }
        for text in ["Tr0ub4dor&3", "Summer2026!", "9f86d081884c7d65", "kX9-vv2Lq-77aZ"] {
            assert!(!is_worded(text.as_bytes()), "{text}");
        }
    }
}
