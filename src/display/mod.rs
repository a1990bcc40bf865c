//! Plain-text output of reports for pipes and tools, in the wording of the specifications
//! ("seeds").
//!
//! Invariant: the command line in a pipe and the server's tools print the same. Text from files
//! follows words of co, or is behind the margin of a quote.

pub mod knowledge;
pub mod memories;

use crate::foreign::{Said, said};

/// A count with its noun.
pub fn plural(count: usize, one: &str, many: &str) -> Said {
    said!("{} {}", count, if count == 1 { one } else { many })
}
