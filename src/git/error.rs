//! git failures, sorted by what a person has to do next.
//!
//! Invariant: a cause is kept as a source; only `classify` interprets its text.

pub use super::classify::{LocalErrorKind, RemoteErrorKind};
use super::ssh::SshLogin;
use std::{error::Error, fmt, io, path::PathBuf};

pub(super) type Cause = Box<dyn Error + Send + Sync>;

#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// Something local: a damaged repository, a permission, a full disk.
    #[error("cannot {action} in {}: {}", repository.display(), chain(source.as_ref()))]
    Local { action: &'static str, repository: PathBuf, error_kind: LocalErrorKind, source: Cause },
    #[error("{} is on no branch (detached HEAD)", repository.display())]
    Detached { repository: PathBuf },
    #[error("a {what} is unfinished in {}", repository.display())]
    InProgress { what: String, repository: PathBuf },
    #[error("another git process holds {}", lock.display())]
    IndexLocked { lock: PathBuf },
    #[error("{} ({reason})", error_kind.sentence(remote))]
    Remote {
        remote: String,
        error_kind: RemoteErrorKind,
        /// git's or the server's message, without control characters and credentials.
        reason: String,
        /// Where ssh was asked, if it was and its login or the host's key is what failed.
        ssh: Option<Box<SshLogin>>,
    },
    /// Content of the remote that does not belong in an identity.
    #[error("{remote} contains `{path}`: {why}")]
    Unsafe { remote: String, path: String, why: String },
    #[error("git passes {path} through the filter `{filter}`, but co would push it unfiltered")]
    Filtered { path: String, filter: String },
    #[error(
        "{} is recorded in {} as a nested repository, so none of its files are synced",
        inner.display(),
        outer.display()
    )]
    Nested { inner: PathBuf, outer: PathBuf },
    /// No branch is configured, or the configured one does not exist there, and others do.
    #[error("{}", which_branch(remote, wanted.as_deref(), branches))]
    WhichBranch { remote: String, wanted: Option<String>, branches: Vec<String> },
    /// Upstream changed files outside the identity that are dirty or staged here.
    #[error("upstream changed {}, which has uncommitted changes here", shorten(paths))]
    EnclosingDirty { paths: Vec<String> },
    #[error("your commits conflict with upstream's outside the identity, in {}", shorten(paths))]
    EnclosingConflict { paths: Vec<String> },
    /// The person ended a push. It begins once everything is committed; git does not tell what has
    /// arrived.
    #[error("Stopped; your facts are committed here, and the next sync pushes what did not arrive")]
    Stopped,
    #[error("cannot use the git program: {source}")]
    NoGit { source: io::Error },
    #[error(transparent)]
    Sealed(#[from] super::sealed::SealedError),
    /// Something that looks like an option where a URL is expected.
    #[error("`{url}` is not the URL of a git repository")]
    BadUrl { url: String },
}

/// Output of the git program as a cause.
#[derive(Debug)]
pub struct Words(pub String);

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Words {}

impl GitError {
    pub fn local(
        action: &'static str,
        repository: &std::path::Path,
        cause: impl Into<Cause>,
    ) -> GitError {
        let source: Cause = cause.into();
        let error_kind = match source.downcast_ref::<Words>() {
            Some(words) => LocalErrorKind::read(&words.0).unwrap_or(LocalErrorKind::Other),
            None => LocalErrorKind::classify(action, source.as_ref()),
        };
        GitError::Local { action, repository: repository.to_owned(), error_kind, source }
    }
}

/// An error and its causes in one line.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    for cause in std::iter::successors(error.source(), |&error| error.source()) {
        let next = cause.to_string();
        if !text.contains(&next) {
            text = format!("{text}: {next}");
        }
    }
    text.lines().next().unwrap_or_default().to_owned()
}

fn which_branch(remote: &str, wanted: Option<&str>, branches: &[String]) -> String {
    let there = shorten(branches);
    match wanted {
        Some(wanted) => format!("{remote} has no branch {wanted}; it has {there}"),
        None => format!("cannot tell which branch of {remote} to use; it has {there}"),
    }
}

fn shorten(paths: &[String]) -> String {
    let shown: Vec<&str> = paths.iter().take(3).map(String::as_str).collect();
    let more = paths.len().saturating_sub(3);
    if more == 0 { shown.join(", ") } else { format!("{} and {more} more", shown.join(", ")) }
}
