//! The memories of the sides of a merge.
//!
//! Invariant: only values; each side's memories have distinct origins.

use crate::identity::{Calendar, Ledger, Memory, Stamp};
use std::collections::{BTreeMap, BTreeSet};

pub type ByOrigin = BTreeMap<Stamp, Memory>;

/// Each side's memories have distinct origins.
pub struct MemorySides<'a> {
    pub base: Option<&'a ByOrigin>,
    /// Without a base: what a side is known to have had before.
    pub past: &'a ByOrigin,
    pub x: &'a ByOrigin,
    pub y: &'a ByOrigin,
    /// The lines of both sides, joined.
    pub ledger: &'a Ledger,
    /// The base's ledger, empty without one.
    pub old_ledger: &'a Ledger,
    /// Folded paths of all other files.
    pub taken: &'a BTreeSet<String>,
    /// For the days that decisions name.
    pub calendar: &'a Calendar,
}
