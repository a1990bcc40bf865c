//! Why a file has no text.
//!
//! Invariant: only values.

/// Why a file has no text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unreadable {
    #[error("it is empty")]
    Empty,
    #[error("it is {0}, which co cannot read")]
    Unknown(String),
    #[error("it is {what}, which co cannot read; {instead}")]
    Other { what: String, instead: &'static str },
    #[error("it is encrypted and needs a password")]
    Encrypted,
    #[error("it contains no text; its pages may be scanned images")]
    NoText,
    #[error("it contains no text; it is empty, or damaged")]
    Blank,
    #[error("it contains no text to read, only {0}")]
    Only(String),
    #[error("it cannot be read as {0}: {1}")]
    Broken(&'static str, String),
    #[error("it unpacks to more than {0} MiB")]
    TooLarge(u64),
}
