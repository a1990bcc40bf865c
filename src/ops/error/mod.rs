//! Why a verb failed: an enum for each module, and one that combines them.
//!
//! Invariant: an error keeps its cause and the names that its message needs. What to do next is
//! said by the presentation layer: [`crate::cli`] to a person, [`crate::mcp`] to a model.

mod add;
mod agent;
mod at;
mod check;
mod config;
mod diff;
mod edit;
mod export;
mod forget;
mod git_hooks;
mod guard;
mod import;
mod init;
mod kind;
mod knowledge;
mod log;
mod recognise;
mod reindex;
mod relocate;
mod remember;
mod restore;
mod scan;
mod secret;
mod show;
mod source;
mod store;
mod sync;
mod transaction;
mod undo;

use crate::identity::validate::Rejected;
use crate::knowledge::topic::BadTopic;
use crate::system::{
    SystemError,
    git::{GitError, LocalErrorKind},
};
pub use add::{AddError, BothChanged};
pub use agent::AgentError;
pub use at::AtError;
pub use check::CheckError;
pub use config::ConfigError;
pub use diff::DiffError;
pub use edit::EditError;
pub use export::ExportError;
pub use forget::ForgetError;
pub use git_hooks::HookError;
pub use guard::GuardError;
pub use import::ImportError;
pub use init::InitError;
pub use kind::ErrorKind;
pub use knowledge::KnowledgeError;
pub use log::LogError;
pub use recognise::RecogniseError;
pub use reindex::ReindexError;
pub use relocate::RelocateError;
pub use remember::RememberError;
pub use restore::RestoreError;
pub use scan::ScanError;
pub use secret::SecretError;
pub use show::ShowError;
pub use source::SourceError;
pub use store::StoreError;
pub use sync::{DeletionError, Gone, HeldBackError, RepositoryError, StayedBehind, SyncError};
pub use transaction::TransactionError;
pub use undo::{NothingToUndo, Older, Outside, SkipReason, UndoError};

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
