//! What can be wrong with a chain of records, each by its name.
//!
//! Must not know: how it is found.

/// Why what the remote has is not what comes after what this laptop took.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ChainFault {
    /// There is no record at all, and this laptop took none.
    #[error("the remote has no pushes")]
    Empty,
    /// The remote ends before what this laptop took.
    #[error("the remote lost {}", pushes(.lost))]
    WentBack {
        /// How many records this laptop took that are not there.
        lost: u64,
    },
    /// The remote has another record in the place of one that this laptop took.
    #[error("push {at} on the remote is not the one that this laptop saw there")]
    Forked {
        /// Its sequence.
        at: u64,
    },
    /// Records between two others are missing.
    #[error("pushes after push {after} are missing on the remote")]
    Gap {
        /// The last one before them.
        after: u64,
    },
    /// One record twice.
    #[error("push {at} is on the remote twice")]
    Repeated {
        /// Its sequence.
        at: u64,
    },
    /// An earlier record after a later one.
    #[error("push {at} is not in its place on the remote")]
    OutOfOrder {
        /// Its sequence.
        at: u64,
    },
    /// A record that names another one as that before it.
    #[error("push {at} does not follow the push before it")]
    Broken {
        /// Its sequence.
        at: u64,
    },
    /// A record of another repository.
    #[error("push {at} belongs to another repository")]
    OtherRepository {
        /// Its sequence.
        at: u64,
    },
    /// For a first join: the beginning is missing.
    #[error("the remote begins with push {at}; the pushes before it are missing")]
    LateStart {
        /// The first one that is there.
        at: u64,
    },
    /// A key that the keys before it did not hand over to.
    #[error("push {at} uses keys that no earlier push introduced")]
    UnknownKey {
        /// Its sequence.
        at: u64,
    },
    /// Keys of an epoch that has ended: those that a removed laptop has.
    #[error("push {at} uses keys that were replaced before it")]
    OldKey {
        /// Its sequence.
        at: u64,
    },
    /// A record that starts from another commit than the one before left.
    #[error("push {at} does not start where the push before it ended")]
    TipJumped {
        /// Its sequence.
        at: u64,
    },
    /// A repack that leaves out what this laptop took.
    #[error("push {at} replaces all others, but not push {missing}, which this laptop saw")]
    NotCovered {
        /// The repack.
        at: u64,
        /// The last record that this laptop took.
        missing: u64,
    },
    /// A repack after records that it should have replaced.
    #[error("push {at} replaces all others, but others are before it")]
    MisplacedRepack {
        /// Its sequence.
        at: u64,
    },
}

fn pushes(count: &u64) -> String {
    if *count == 1 { "1 push".to_owned() } else { format!("{count} pushes") }
}
