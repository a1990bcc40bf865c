//! Why no identity was set up, or its remote not set.
//!
//! Invariant: no URL contains a password.

use crate::workspace::{Error, ErrorKind, VerbError};

#[derive(Debug, thiserror::Error)]
pub enum InitError {
    #[error("`{zone}` is not a time zone")]
    TimeZone {
        zone: String,
        /// The zone that a person may have meant.
        meant: Option<String>,
    },
    #[error("{place} is inside git's own folder")]
    InGitDir { place: String },
    #[error("{path} is a link that points elsewhere; nothing was written")]
    Link { path: String },
    #[error("there is no repository at {url}")]
    NoRepository { url: String },
    #[error("there is no folder or repository at {path}")]
    NoTarget { path: String },
    #[error("{text} is a file; give a folder or the URL of a git repository")]
    File { text: String },
    #[error("there is already an identity in {place}")]
    SecondIdentity { place: String },
    #[error("{place} is inside the repository {root}, which has its own remotes")]
    OthersRepository { place: String, root: String },
    #[error("{place} already syncs with {known}")]
    SecondRemote { place: String, known: String, url: String },
    #[error("the identity is inside {root}, whose remotes are yours to set")]
    OthersRemotes { root: String, url: String },
    #[error("{root} is the identity itself")]
    OwnUrl { root: String },
    /// A dotfiles manager tracks the files, so no repository is created over them.
    #[error(transparent)]
    Elsewhere(Box<Error>),
    /// Only somebody with a key can say what is there.
    #[error("{url} is sealed: its recovery key or passphrase is needed to join it")]
    Sealed { url: String },
    /// Whoever gives a key means to publish nothing in plain, whatever the host shows.
    #[error("a key was given, and {url} is not sealed; nothing was changed")]
    NotSealed { url: String },
    /// An empty remote, or one that cannot be read, in place of a sealed one.
    #[error("this identity is sealed, and would be pushed unsealed to {url}; nothing was changed")]
    Unsealing { url: String },
    /// The given remote cannot be read.
    #[error("{source}")]
    Unreachable { url: String, source: Box<Error> },
}

/// Whether a sealed remote could not be read for want of a key.
pub fn is_sealed(error: &Error) -> bool {
    let error = error.of_verb().and_then(|error| error.downcast_ref::<InitError>());
    matches!(error, Some(InitError::Sealed { .. }))
}

impl VerbError for InitError {
    fn kind(&self) -> ErrorKind {
        match self {
            InitError::TimeZone { .. } | InitError::File { .. } | InitError::OwnUrl { .. } => {
                ErrorKind::Invalid
            }
            InitError::InGitDir { .. }
            | InitError::Link { .. }
            | InitError::Sealed { .. }
            | InitError::NotSealed { .. }
            | InitError::Unsealing { .. } => ErrorKind::Refused,
            InitError::NoRepository { .. } | InitError::NoTarget { .. } => ErrorKind::NotFound,
            InitError::SecondIdentity { .. } | InitError::SecondRemote { .. } => {
                ErrorKind::NeedsChoice
            }
            InitError::OthersRepository { .. }
            | InitError::OthersRemotes { .. }
            | InitError::Elsewhere(_) => ErrorKind::NeedsUser,
            InitError::Unreachable { source, .. } => source.kind(),
        }
    }
}
