//! What is asked of a sync, and the steps that it tells of.
//!
//! Invariant: values only. Must not know how any of it is done.

use crate::secrets::Allowed;

#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Facts deleted outside co may be deleted on every laptop.
    pub accept_deletions: bool,
    /// An unreachable remote is a failure, not a warning.
    pub require_remote: bool,
    pub allowed: Allowed,
    pub own_commits: OwnCommits,
    pub direction: Direction,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Direction {
    #[default]
    Both,
    /// Merges what the remote has; pushes nothing.
    Fetch,
}

/// What to do with a person's own unpublished commits in an enclosing repository.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OwnCommits {
    /// Push them together with the identity, and report them.
    #[default]
    Along,
    /// If there are any, push nothing: nobody asked for that.
    Unpublished,
}

/// The current step of a sync, for progress messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Another sync of the same identity has to end first.
    Waiting,
    Reading,
    /// Writes files of the identity: number done, and in total.
    Writing(usize, usize),
    /// Writes this many files to a commit.
    Committing(usize),
    /// Signs a commit: a program may ask the person for a passphrase.
    Signing,
    Fetching,
    Merging,
    Pushing,
}

pub type OnStep<'a> = dyn Fn(Phase) + 'a;
