//! Plain-text output of reports for pipes and tools, in the wording of the specifications
//! ("seeds").
//!
//! Invariant: the command line in a pipe and the tools of the server say the same. Texts from files
//! stand behind words of co, or behind the margin of a quote.

pub mod knowledge;
pub mod memories;

use crate::foreign::{Said, said};

/// A count with its noun.
pub fn plural(count: usize, one: &str, many: &str) -> Said {
    said!("{} {}", count, if count == 1 { one } else { many })
}
