//! Why a sync stopped, or did not start.
//!
//! Invariant: no URL contains a password. Commits made on this laptop stay.

use crate::identity::LayerName;
use crate::merge::guard::MassDeletion;
use crate::workspace::{Error, ErrorKind, VerbError};
use serde::Serialize;

#[derive(Debug, thiserror::Error)]
pub enum SyncError {
    #[error("there is no remote to sync with")]
    NoRemote,
    #[error("the remote {remote} of {root} is the identity itself")]
    OwnRemote { remote: String, root: String },
    #[error("{remote} is still empty")]
    NothingThere { remote: String },
    #[error("{remote} changed {tries} times while co was merging")]
    RemoteMoved { remote: String, tries: usize },
    #[error("the branch changed while co was fetching")]
    BranchMoved,
    #[error("another branch was checked out while co was syncing")]
    OtherBranch,
    #[error("files in the identity keep changing while co works")]
    KeepsChanging,
    #[error(
        "{branch} was rewritten on {remote}: commits it had are gone; your facts are committed on \
         this laptop, and nothing was merged or pushed"
    )]
    Rewritten { branch: String, remote: String, root: String },
    #[error(
        "the repository of the layer {name} was rewritten: commits it had are gone; nothing was \
         merged or pushed"
    )]
    LayerRewritten { name: LayerName, folder: String, url: String },
    #[error(
        "the branch {branch} of {root} is not on {remote} yet, and contains more than the \
         identity; your facts are committed on this laptop, and nothing was pushed"
    )]
    OwnBranch { branch: String, remote: String, root: String },
    #[error("git also pushes to {url}, which contains something else")]
    PushesElsewhere { url: String },
    #[error("{}", differing(remote, urls))]
    PushPlaceDiffers {
        remote: String,
        urls: Vec<String>,
        /// The key in git's configuration that sets them, if it is not an abbreviation of a URL.
        setting: Option<String>,
    },
    #[error("{url} no longer contains an identity; nothing was merged")]
    NoIdentityThere { url: String },
    #[error("{url} contains a different identity than at the last sync; nothing was merged")]
    OtherIdentity { url: String },
    #[error("this identity is now sealed and is no longer pushed to {url}; nothing was merged")]
    Left { url: String, sealed_at: Option<String> },
    #[error("{url} is sealed, and set here as a plain remote; nothing was merged")]
    IsSealed { url: String },
    #[error("{one} and {other} are the same file on this laptop's disk")]
    OneFile { one: String, other: String },
    #[error("{path} is a file on one laptop and a folder on another")]
    FileAndFolder { path: String },
    #[error("a merge is unfinished in {root}")]
    OpenMerge { root: String },
    #[error(transparent)]
    Repository(#[from] RepositoryError),
    #[error(transparent)]
    HeldBack(#[from] HeldBackError),
    #[error(transparent)]
    Deletion(#[from] DeletionError),
    /// The remote failed after the local part was done.
    #[error("{0}; your facts are committed on this laptop")]
    NotPublished(#[source] Box<Error>),
}

/// Why there is no repository to sync.
#[derive(Debug, thiserror::Error)]
pub enum RepositoryError {
    #[error("{path} is not in a git repository")]
    NoRepository { path: String },
    #[error(
        "{path} has no repository of its own, and {root} ignores it: {file}:{line} (`{pattern}`)"
    )]
    Ignored { path: String, root: String, file: String, line: usize, pattern: String },
    #[error("{path} is tracked by {tracker}, which is not set up here")]
    Tracked { path: String, tracker: String, command: String },
    #[error("the files in {path} are links into {folder}; a new fact would not get there")]
    Links { path: String, folder: String },
    #[error(
        "{service} syncs {path} and would damage a git repository in it, so there is no repository \
         to sync"
    )]
    Cloud { service: String, path: String, instead: String },
    #[error("{path} is empty, but its repository is not")]
    Emptied { path: String },
}

/// Why something is not published, or not accepted from the remote.
#[derive(Debug, thiserror::Error)]
pub enum HeldBackError {
    #[error("{path} is held back here{}, but the remote changed it", for_secret(why.as_deref()))]
    File { path: String, why: Option<String> },
    #[error("an unfinished merge would commit a secret: {what}; nothing was committed")]
    InMerge { what: String },
    #[error("the message of commit {commit} contains a secret: {what}; nothing was pushed")]
    InMessage { commit: String, what: String, rule: &'static str, root: String, is_last: bool },
    #[error("commit {commit} was not pushed yet and contains a secret: {what}; nothing was pushed")]
    InCommit {
        commit: String,
        what: String,
        rule: &'static str,
        root: String,
        /// The git arguments that take the commit back.
        back: String,
    },
    #[error("{}; the rest was {}", .0.clause(), reached(.0))]
    StayedBehind(StayedBehind),
}

/// More facts would be deleted than a person normally forgets.
#[derive(Debug, thiserror::Error)]
pub enum DeletionError {
    #[error("{} of {} facts would be deleted; nothing was changed", .0.gone, .0.of)]
    TooMany(MassDeletion),
    #[error("in {path} {}", gone.described())]
    GoneHere { path: String, gone: Gone },
    #[error(
        "{} of {} facts were removed on {remote} without being forgotten",
        mass.gone,
        mass.of
    )]
    GoneThere { remote: String, mass: MassDeletion },
}

/// What a sync left out, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StayedBehind {
    pub reasons: Vec<String>,
    pub files: usize,
    /// The rule that found the first secret.
    pub secret_rule: Option<&'static str>,
    pub has_secret_text: bool,
    /// Whether the name of a file has one.
    pub has_secret_name: bool,
    pub has_copies: bool,
    pub has_others: bool,
    /// Whether the remote has the rest.
    pub published: bool,
}

impl StayedBehind {
    /// One reason is told as it is. Several have a line each, among the hints.
    fn clause(&self) -> String {
        match (self.reasons.as_slice(), self.files) {
            ([one], _) if self.secret_rule.is_some() => format!("{one} was held back"),
            ([one], _) => one.clone(),
            (_, 1) => "1 file was held back".to_owned(),
            (_, files) => format!("{files} files were held back"),
        }
    }
}

impl VerbError for SyncError {
    fn kind(&self) -> ErrorKind {
        match self {
            SyncError::Repository(RepositoryError::Cloud { .. }) => ErrorKind::NeedsUser,
            SyncError::Repository(_) => ErrorKind::NotSetUp,
            SyncError::NoRemote
            | SyncError::RemoteMoved { .. }
            | SyncError::PushPlaceDiffers { .. } => ErrorKind::Remote,
            SyncError::NothingThere { .. } => ErrorKind::NotFound,
            SyncError::BranchMoved | SyncError::OtherBranch | SyncError::KeepsChanging => {
                ErrorKind::Busy
            }
            SyncError::OtherIdentity { .. } => ErrorKind::NeedsChoice,
            SyncError::OwnRemote { .. }
            | SyncError::Rewritten { .. }
            | SyncError::LayerRewritten { .. }
            | SyncError::OwnBranch { .. }
            | SyncError::OneFile { .. }
            | SyncError::FileAndFolder { .. }
            | SyncError::OpenMerge { .. }
            | SyncError::Left { .. }
            | SyncError::HeldBack(HeldBackError::InMessage { .. }) => ErrorKind::NeedsUser,
            SyncError::PushesElsewhere { .. }
            | SyncError::IsSealed { .. }
            | SyncError::NoIdentityThere { .. }
            | SyncError::HeldBack(_)
            | SyncError::Deletion(_) => ErrorKind::Refused,
            SyncError::NotPublished(error) => error.kind(),
        }
    }
}

/// An error of a part is one of sync.
macro_rules! through {
    ($($part:ty),+) => {$(
        impl From<$part> for Error {
            fn from(error: $part) -> Error {
                SyncError::from(error).into()
            }
        }
    )+};
}

through!(RepositoryError, HeldBackError, DeletionError);

fn differing(remote: &str, urls: &[String]) -> String {
    match urls {
        [url] => format!("git pushes to {url}, which does not match {remote}"),
        urls => {
            format!("git pushes to {}, and one of them does not match {remote}", urls.join(" and "))
        }
    }
}

fn reached(stayed: &StayedBehind) -> &'static str {
    if stayed.published { "synced" } else { "committed on this laptop" }
}

fn for_secret(what: Option<&str>) -> String {
    what.map_or_else(String::new, |what| format!(" because of {what}"))
}

/// Missing facts, and where they can still be found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Gone {
    #[serde(flatten)]
    pub mass: MassDeletion,
    /// The value for `--from`, if one of the person's own commits removed them.
    #[serde(skip)]
    pub(super) from: Option<String>,
}

impl Gone {
    /// As a clause of a message.
    pub fn described(&self) -> String {
        let MassDeletion { gone, of } = self.mass;
        format!("{gone} of {of} facts disappeared without being forgotten")
    }

    pub fn hint(&self) -> String {
        let from = self.from.as_ref().map_or_else(String::new, |rev| format!(" --from {rev}"));
        format!("`co identity restore --missing knowledge/memories{from}` brings them back")
    }
}
