//! Files of git's that a power cut left without their content.
//!
//! Invariant: only reads.

/// Whether a file of git's is blank: empty, or full of the zeros that some file systems leave.
pub(super) fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0 || byte.is_ascii_whitespace())
}
