//! Why a verb failed: what every verb may meet, or an error of its own; and of what kind it is.
//!
//! Invariant: an error keeps its cause and the names that its message needs. What to do next is
//! said by [`crate::hints`], to a person and to a model. Must not know any verb: an error of a verb
//! is an enum beside it, a [`VerbError`].

use crate::git::{GitError, LocalErrorKind, sealed::SealedError};
use crate::identity::validate::Rejected;
use crate::index::{ReindexError, store::StoreError};
use crate::knowledge::topic::BadTopic;
use crate::machine::{SystemError, keyring::KeyringError};
use std::any::Any;

/// Why a verb failed, in its own words.
pub trait VerbError: std::error::Error + Any + Send + Sync {
    fn kind(&self) -> ErrorKind;
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    System(#[from] SystemError),
    #[error(transparent)]
    Git(#[from] GitError),
    #[error("{}", rejected(.0))]
    Rejected(#[from] Rejected),
    #[error(transparent)]
    Topic(#[from] BadTopic),
    /// Adds the file's name where the cause lacks it.
    #[error("{file}: {source}")]
    In { file: String, source: Box<Error> },
    #[error("{0}")]
    Verb(Box<dyn VerbError>),
}

impl<E: VerbError> From<E> for Error {
    fn from(error: E) -> Error {
        Error::Verb(Box::new(error))
    }
}

/// The kind of failure, independent of the verb.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// Both sides changed a file, and git or the user has to decide.
    Conflict,
    /// The request makes no sense.
    Invalid,
    /// Somebody has to choose or agree, and nobody can be asked.
    NeedsChoice,
    /// There is no identity, repository or keyring yet.
    NotSetUp,
    NotFound,
    /// A guard stopped it: a secret, a mass deletion, a link, somebody else's file.
    Refused,
    /// The user has to do something in git first.
    NeedsUser,
    /// The remote did not answer, or refused.
    Remote,
    /// Something changed meanwhile, or another process holds a lock: a retry may succeed.
    Busy,
    Other,
}

impl VerbError for StoreError {
    fn kind(&self) -> ErrorKind {
        match self {
            StoreError::NoIdentity { .. } | StoreError::NoProject { .. } => ErrorKind::NotSetUp,
            StoreError::LinkedProject { .. } => ErrorKind::Refused,
        }
    }
}

impl VerbError for ReindexError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Other
    }
}

impl Error {
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::System(error) => of_system(error),
            Error::Git(error) => of_git(error),
            Error::Rejected(_) | Error::Topic(_) => ErrorKind::Invalid,
            Error::In { source, .. } => source.kind(),
            Error::Verb(error) => error.kind(),
        }
    }

    /// The verb's own error, for who knows its type.
    pub fn of_verb(&self) -> Option<&(dyn Any + 'static)> {
        let Error::Verb(error) = self else { return None };
        let error: &(dyn VerbError + 'static) = error.as_ref();
        Some(error)
    }

    /// The message as a clause within another sentence.
    pub fn clause(&self) -> String {
        self.to_string().trim().trim_end_matches(['.', ';']).to_owned()
    }
}

fn of_system(error: &SystemError) -> ErrorKind {
    match error {
        SystemError::Busy { .. } => ErrorKind::Busy,
        SystemError::NoFolder { .. } => ErrorKind::NotFound,
        SystemError::Raised { .. } => ErrorKind::Refused,
        SystemError::Editor { .. }
        | SystemError::Settings(_)
        | SystemError::Damaged { .. }
        | SystemError::File { .. } => ErrorKind::Other,
    }
}

fn of_git(error: &GitError) -> ErrorKind {
    match error {
        GitError::Local { error_kind: LocalErrorKind::Lock, .. } | GitError::IndexLocked { .. } => {
            ErrorKind::Busy
        }
        GitError::Local { .. } => ErrorKind::Other,
        GitError::Remote { .. } => ErrorKind::Remote,
        GitError::Unsafe { .. } => ErrorKind::Refused,
        GitError::NoGit { .. } => ErrorKind::NotSetUp,
        GitError::BadUrl { .. } => ErrorKind::Invalid,
        GitError::Stopped => ErrorKind::NeedsChoice,
        GitError::Sealed(error) => of_sealed(error),
        GitError::Detached { .. }
        | GitError::InProgress { .. }
        | GitError::Filtered { .. }
        | GitError::Nested { .. }
        | GitError::WhichBranch { .. }
        | GitError::EnclosingDirty { .. }
        | GitError::EnclosingConflict { .. } => ErrorKind::NeedsUser,
    }
}

fn of_sealed(error: &SealedError) -> ErrorKind {
    match error {
        SealedError::Keyring { source: KeyringError::Locked, .. } => ErrorKind::NeedsChoice,
        SealedError::Keyring { .. } => ErrorKind::Other,
        SealedError::Lost { .. } | SealedError::Newer { .. } | SealedError::Shallow { .. } => {
            ErrorKind::NeedsUser
        }
        SealedError::NoKey { .. }
        | SealedError::WrongKey { .. }
        | SealedError::Removed { .. }
        | SealedError::Untrusted { .. }
        | SealedError::NotSealed { .. }
        | SealedError::NotBegun { .. }
        | SealedError::Enclosed { .. }
        | SealedError::TooManyKeys { .. }
        | SealedError::TooLarge { .. } => ErrorKind::Refused,
    }
}

fn rejected(rejected: &Rejected) -> String {
    let Rejected::Unreadable(unusable) = rejected else { return rejected.to_string() };
    let why = unusable.finding(&crate::identity::RelPath::known("memory")).message;
    format!("{rejected}: {why}")
}
