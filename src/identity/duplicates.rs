//! Memories that share a text, a number or an origin, each of which is sound on its own.
//!
//! Invariant: each later one in the list is reported, and names the first.

use super::{
    finding::{Code, Finding},
    hash::ContentHash,
    memory::Memory,
    stamp::Stamp,
};
use std::collections::BTreeMap;

/// The same fact, id or origin more than once.
pub fn check(memories: &[Memory]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut seen_facts: BTreeMap<ContentHash, &Memory> = BTreeMap::new();
    let mut seen_ids: BTreeMap<u64, &Memory> = BTreeMap::new();
    let mut seen_origins: BTreeMap<Stamp, &Memory> = BTreeMap::new();
    for memory in memories {
        let name = |other: &Memory| other.path.name().to_owned();
        if let Some(first) = seen_facts.get(&memory.hash) {
            let message = format!("the same fact is in {}; sync keeps the older one", name(first));
            findings.push(Finding::new(Code::DuplicateFact, &memory.path, message));
        }
        seen_facts.entry(memory.hash).or_insert(memory);
        if let Some(id) = memory.id {
            if let Some(first) = seen_ids.get(&id) {
                let message = format!(
                    "id {id} is also used by {}; --fix gives one of them a new id",
                    name(first)
                );
                findings.push(
                    Finding::new(Code::DuplicateId, &memory.path, message)
                        .at(memory.document().line_of("id"))
                        .field("id"),
                );
            }
            seen_ids.entry(id).or_insert(memory);
        }
        if let Some(first) = seen_origins.get(&memory.created) {
            let message = format!(
                "`created` is the same as in {}; sync gives the copy a new one",
                name(first)
            );
            findings.push(
                Finding::new(Code::DuplicateOrigin, &memory.path, message)
                    .at(memory.document().line_of("created"))
                    .field("created"),
            );
        }
        seen_origins.entry(memory.created).or_insert(memory);
    }
    findings
}
