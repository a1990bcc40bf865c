//! Plain-text output of reports for pipes and tools.
//!
//! Invariant: the command line in a pipe and the server's tools print the same. Text from files
//! follows words of co, or is behind the margin of a quote.

pub mod knowledge;
pub mod memories;

use crate::foreign::{Said, said};
use crate::identity::Scope;
use crate::knowledge::Topic;
use crate::secrets::Sample;
use crate::workspace::Oddities;

/// A count with its noun.
pub fn plural(count: usize, one: &str, many: &str) -> Said {
    said!("{} {}", count, if count == 1 { one } else { many })
}

/// What is odd about a text that was written.
pub fn oddities(of: &Oddities) -> impl Iterator<Item = String> {
    of.kept_block.map(str::to_owned).into_iter().chain(samples(&of.samples))
}

/// What was let through although it has the form of a secret; `None` if nothing was.
fn samples(samples: &[Sample]) -> Option<String> {
    let named = |one: &Sample| format!("`{}` (line {})", one.excerpt, one.line);
    let all: Vec<String> = samples.iter().map(named).collect();
    match all.len() {
        0 => None,
        1 => Some(format!(
            "sample token {}, let through: it is an example from vendors' documentation",
            all[0]
        )),
        _ => {
            let all = all.join(", ");
            Some(format!(
                "sample tokens {all}, let through: they are examples from vendors' documentation"
            ))
        }
    }
}

/// A topic as it can be typed: with the name of its layer in front, as the number of a fact.
pub fn topic_handle(topic: &Topic, scope: Option<Scope>) -> String {
    let layer = scope.and_then(Scope::layer);
    layer.map_or_else(|| topic.to_string(), |layer| format!("{layer}/{topic}"))
}
