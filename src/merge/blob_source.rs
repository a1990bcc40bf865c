//! Where a file that moves gets its bytes.
//!
//! Invariant: only values.

use crate::identity::{Blob, RelPath};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlobSource {
    pub path: RelPath,
    pub blob: Blob,
    /// Whether the new tree has no file at the old path.
    pub frees: bool,
}
