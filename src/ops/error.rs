//! Why a verb failed: the sum of the verbs' own errors, each an enum beside its verb, and its kind.
//!
//! Invariant: an error keeps its cause and the names that its message needs. What to do next is
//! said by the presentation layer: [`crate::cli`] to a person, [`crate::mcp`] to a model.

use super::{
    agent::AgentError,
    at::AtError,
    check::CheckError,
    config::ConfigError,
    diff::DiffError,
    edit::EditError,
    export::ExportError,
    forget::ForgetError,
    git_hooks::HookError,
    guard::GuardError,
    import::ImportError,
    init::InitError,
    knowledge::{AddError, KnowledgeError},
    log::LogError,
    recognise::RecogniseError,
    reindex::ReindexError,
    relocate::RelocateError,
    remember::RememberError,
    restore::RestoreError,
    scan::ScanError,
    secret::SecretError,
    show::ShowError,
    source::SourceError,
    store::StoreError,
    sync::{DeletionError, HeldBackError, RepositoryError, SyncError},
    transaction::TransactionError,
    undo::UndoError,
};
use crate::identity::validate::Rejected;
use crate::knowledge::topic::BadTopic;
use crate::system::{
    SystemError,
    git::{GitError, LocalErrorKind},
};

/// A row for each verb that has errors of its own.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    System(#[from] SystemError),
    #[error("{}", rejected(.0))]
    Rejected(#[from] Rejected),
    #[error(transparent)]
    Topic(#[from] BadTopic),
    /// Adds the file's name where the cause lacks it.
    #[error("{file}: {source}")]
    In { file: String, source: Box<Error> },
    #[error(transparent)]
    Agent(#[from] AgentError),
    #[error(transparent)]
    At(#[from] AtError),
    #[error(transparent)]
    Check(#[from] CheckError),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Diff(#[from] DiffError),
    #[error(transparent)]
    Edit(#[from] EditError),
    #[error(transparent)]
    Export(#[from] ExportError),
    #[error(transparent)]
    Forget(#[from] ForgetError),
    #[error(transparent)]
    Guard(#[from] GuardError),
    #[error(transparent)]
    Hook(#[from] HookError),
    #[error(transparent)]
    Import(#[from] ImportError),
    #[error(transparent)]
    Init(#[from] InitError),
    #[error(transparent)]
    Knowledge(#[from] KnowledgeError),
    #[error(transparent)]
    Log(#[from] LogError),
    #[error(transparent)]
    Recognise(#[from] RecogniseError),
    #[error(transparent)]
    Reindex(#[from] ReindexError),
    #[error(transparent)]
    Relocate(#[from] RelocateError),
    #[error(transparent)]
    Remember(#[from] RememberError),
    #[error(transparent)]
    Restore(#[from] RestoreError),
    #[error(transparent)]
    Scan(#[from] ScanError),
    #[error(transparent)]
    Secret(#[from] SecretError),
    #[error(transparent)]
    Show(#[from] ShowError),
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Sync(#[from] SyncError),
    #[error(transparent)]
    Transaction(#[from] TransactionError),
    #[error(transparent)]
    Undo(#[from] UndoError),
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

/// Converts errors of a module's parts into errors of the module.
macro_rules! through {
    ($($part:ty => $module:ty),+ $(,)?) => {$(
        impl From<$part> for Error {
            fn from(error: $part) -> Error {
                <$module>::from(error).into()
            }
        }
    )+};
}

through! {
    AddError => KnowledgeError,
    RepositoryError => SyncError,
    HeldBackError => SyncError,
    DeletionError => SyncError,
}

impl From<GitError> for Error {
    fn from(error: GitError) -> Error {
        SystemError::from(error).into()
    }
}

impl Error {
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::System(error) => of_system(error),
            Error::Rejected(_) | Error::Topic(_) => ErrorKind::Invalid,
            Error::In { source, .. } => source.kind(),
            Error::Agent(error) => error.kind(),
            Error::At(error) => error.kind(),
            Error::Check(error) => error.kind(),
            Error::Config(error) => error.kind(),
            Error::Diff(DiffError(error)) => error.kind(),
            Error::Edit(error) => error.kind(),
            Error::Export(error) => error.kind(),
            Error::Forget(error) => error.kind(),
            Error::Guard(error) => error.kind(),
            Error::Hook(error) => error.kind(),
            Error::Import(error) => error.kind(),
            Error::Init(error) => error.kind(),
            Error::Knowledge(error) => error.kind(),
            Error::Log(error) => error.kind(),
            Error::Recognise(error) => error.kind(),
            Error::Reindex(_) => ErrorKind::Other,
            Error::Relocate(error) => error.kind(),
            Error::Remember(_) => ErrorKind::Refused,
            Error::Restore(error) => error.kind(),
            Error::Scan(error) => error.kind(),
            Error::Secret(error) => error.kind(),
            Error::Show(error) => error.kind(),
            Error::Source(error) => error.kind(),
            Error::Store(error) => error.kind(),
            Error::Sync(error) => error.kind(),
            Error::Transaction(error) => error.kind(),
            Error::Undo(error) => error.kind(),
        }
    }

    /// The message as a clause within another sentence.
    pub fn clause(&self) -> String {
        self.to_string().trim().trim_end_matches(['.', ';']).to_owned()
    }
}

fn of_system(error: &SystemError) -> ErrorKind {
    match error {
        SystemError::Git(git) => of_git(git),
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
        GitError::Detached { .. }
        | GitError::InProgress { .. }
        | GitError::Filtered { .. }
        | GitError::Nested { .. }
        | GitError::WhichBranch { .. }
        | GitError::EnclosingDirty { .. }
        | GitError::EnclosingConflict { .. } => ErrorKind::NeedsUser,
    }
}

fn rejected(rejected: &Rejected) -> String {
    let Rejected::Unreadable(unusable) = rejected else { return rejected.to_string() };
    let why = unusable.finding(&crate::identity::RelPath::known("memory")).message;
    format!("{rejected}: {why}")
}
