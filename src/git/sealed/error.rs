//! Why a sealed remote is not read or written.
//!
//! Invariant: no message contains a key, or text of the remote that was not checked.

use crate::machine::keyring::KeyringError;

#[derive(Debug, thiserror::Error)]
pub enum SealedError {
    #[error("{remote} is sealed, and this laptop has no key for it; nothing was changed")]
    NoKey { remote: String },
    /// The key is in the keyring, which does not give it.
    #[error("{remote} is sealed, and its key cannot be read: {source}")]
    Keyring { remote: String, source: KeyringError },
    #[error("that key does not open {remote}; nothing was changed")]
    WrongKey { remote: String },
    /// A later epoch, whose key was not wrapped for this laptop.
    #[error("{remote} is sealed with a newer key, which this laptop was not given")]
    Removed { remote: String },
    #[error("{remote} lost {}; nothing was merged or pushed", pushes(*lost))]
    Lost { remote: String, lost: u64 },
    #[error("the content of {remote} cannot be trusted: {why}; nothing was merged or pushed")]
    Untrusted { remote: String, why: String },
    /// A later co wrote there.
    #[error(
        "{remote} has a push of format {format}, which this version of co does not read; nothing was \
         merged or pushed"
    )]
    Newer { remote: String, format: u32 },
    #[error("{remote} should be sealed, but its content is not")]
    NotSealed { remote: String },
    #[error("{remote} holds no sealed identity yet")]
    NotBegun { remote: String },
    #[error("{root} is a bigger repository, which cannot be sealed")]
    Enclosed { root: String },
    #[error("{root} is a shallow or partial clone, which cannot be sealed")]
    Shallow { root: String },
    #[error("the keys of {remote} were changed too often; seal it again, in an empty repository")]
    TooManyKeys { remote: String },
    #[error("this change is {size} MB, and a sealed remote takes {limit} MB at once")]
    TooLarge { size: usize, limit: usize },
}

fn pushes(count: u64) -> String {
    if count == 1 { "a push".to_owned() } else { format!("{count} pushes") }
}
