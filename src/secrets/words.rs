//! The words that the worded rules rely on, in lower case.

use std::sync::LazyLock;

/// Words on a line that mean that its value is a hash.
pub static HASH_WORDS: LazyLock<Vec<&str>> =
    LazyLock::new(|| include_str!("words/hash_words.txt").split_whitespace().collect());

/// Words that mix letters and digits without being random.
pub static TECHNICAL: LazyLock<Vec<&str>> =
    LazyLock::new(|| include_str!("words/technical.txt").split_whitespace().collect());

/// Passwords that everybody uses in examples.
pub static WEAK: LazyLock<Vec<&str>> =
    LazyLock::new(|| include_str!("words/weak.txt").split_whitespace().collect());

/// Parts of names that contain `token`, `key` or `secret` but do not refer to a secret.
pub const NO_SECRETS: &[&str] = &[
    "tokenize",
    "tokenise",
    "page_token",
    "pagetoken",
    "page token",
    "next_token",
    "nexttoken",
    "continuation",
    "cursor",
    "_id",
    "keyid",
    "key id",
    "credentialid",
    "token_program",
    "token_count",
    "token_type",
    "token_url",
    "endpoint",
    "public",
    "fingerprint",
    "primary",
    "partition",
    "foreign",
    "sort_key",
    "sort key",
    "cache_key",
    "cache key",
    "storage key",
    "gpg ",
    "pgp ",
    "publishable",
    "signing key:",
];
