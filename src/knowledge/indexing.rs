//! What the search index stores for a document: chunks, path words, date.
//!
//! Invariant: the same for a document from a file and one from an index.

use super::{DocSummary, chunks as ranges};
use crate::identity::Stamp;
use crate::recall::{Candidate, tokens};
use std::ops::Range;

/// The chunks of a document. The first has its labels, name and path, which are searched like tags.
pub fn chunks(entry: &DocSummary) -> Vec<Candidate> {
    let mut labels: Vec<String> = entry.labels().map(str::to_owned).collect();
    labels.extend(path(entry));
    labels.push(entry.name.clone());
    let created = created(entry);
    let candidate = |(at, chunk): (usize, Range<usize>)| Candidate {
        body: entry.text[chunk].to_owned(),
        tags: if at == 0 { labels.clone() } else { Vec::new() },
        created,
        hash_prefix: at as u64,
        source: String::new(),
    };
    places(entry).into_iter().enumerate().map(candidate).collect()
}

/// The ranges of the chunks in the text; a single empty one if there is no text.
pub fn places(entry: &DocSummary) -> Vec<Range<usize>> {
    let mut chunks = ranges::split(&entry.text);
    if chunks.is_empty() {
        chunks.push(0..0);
    }
    chunks
}

/// The words of its path.
fn path(entry: &DocSummary) -> Vec<String> {
    entry.topic.parts().flat_map(tokens::words).collect()
}

/// The day in its name (`2025-12-22-planning`), or else when it was written; in microseconds since
/// 1970.
pub fn created(entry: &DocSummary) -> i64 {
    let day = entry.topic.name().get(..10).and_then(Stamp::parse).map(|read| read.stamp);
    day.or(entry.created).or(entry.updated).map_or(0, |stamp| stamp.micros())
}
