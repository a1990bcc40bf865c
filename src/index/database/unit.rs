//! What search finds.
//!
//! Invariant: only values.

/// The unit that search finds. Statistics are per unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unit {
    /// Facts: the whole text of a file.
    Facts,
    /// Passages of documents.
    Documents,
}

impl Unit {
    pub const ALL: [Unit; 2] = [Unit::Facts, Unit::Documents];
}
