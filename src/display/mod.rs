//! What programs and agents read of a report: the words of the seeds, without colours.
//!
//! Invariant: the command line in a pipe and the tools of the server say the same. Texts from files
//! are data: they drive no terminal, and are written so that they are no markup of an agent.

pub mod knowledge;
pub mod memories;

use crate::context::fence::defused;
use crate::identity::text::safe;

/// A count with its noun.
pub fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
