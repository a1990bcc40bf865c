//! The kinds of failure.

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
