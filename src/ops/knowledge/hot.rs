//! The hot index: documents that fit to what is being done, as a few lines of every context.
//!
//! Invariant: the algorithm of seed 004: the 20 tools called most in the last 30 days, documents
//! whose tags are in their names, the five with the most such tags. Logging is transparent: nobody
//! asks for it, and it costs no call.

use super::shelf::Shelf;
use crate::knowledge::{Entry, Topic};
use crate::ops::store::Store;
use crate::system::{Context, calls};
use std::{cmp::Reverse, path::PathBuf};

/// Source: seed 004.
const TOOLS: usize = 20;
const DAYS: i64 = 30;
const TOPICS: usize = 5;
const DAY: i64 = 24 * 60 * 60 * 1_000_000;

/// A document of the index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hot {
    pub topic: Topic,
    pub tags: Vec<String>,
}

/// Notes that a tool was called, by its name alone.
pub fn note(context: &Context, tool: &str) {
    calls::note(&log(context), tool, context.now().micros());
}

fn log(context: &Context) -> PathBuf {
    Store::at_identity(context).state.join("calls")
}

/// The documents for a context, best first. Reads none while no tool was called.
pub fn index(context: &Context, stores: &[&Store]) -> Vec<Hot> {
    let since = context.now().micros() - DAYS * DAY;
    let tools = calls::most_called(&log(context), since, TOOLS);
    if tools.is_empty() {
        return Vec::new();
    }
    let names: Vec<Vec<String>> = tools.iter().map(|(tool, _)| parts(tool)).collect();
    let shelves = stores.iter().map(|store| Shelf::read((*store).clone()));
    let entries = shelves.flat_map(|shelf| shelf.documents).map(|placed| placed.entry);
    let mut hot: Vec<((Reverse<usize>, usize), Entry)> = entries
        .filter(|entry| !entry.is_always_included())
        .filter_map(|entry| Some((score(&entry, &names)?, entry)))
        .collect();
    hot.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.topic.cmp(&b.1.topic)));
    hot.dedup_by(|a, b| a.1.topic == b.1.topic);
    let entries = hot.into_iter().take(TOPICS);
    entries.map(|(_, Entry { topic, tags, .. })| Hot { topic, tags }).collect()
}

/// How many tags are in names of tools, and the place of the most called of those.
fn score(entry: &Entry, tools: &[Vec<String>]) -> Option<(Reverse<usize>, usize)> {
    let called = |tag: &String| {
        let tag = tag.to_lowercase();
        tools.iter().position(|parts| parts.contains(&tag))
    };
    let places: Vec<usize> = entry.tags.iter().filter_map(called).collect();
    Some((Reverse(places.len()), *places.iter().min()?))
}

/// A name and its parts: `mcp__discord__send`, `mcp`, `discord`, `send`. The parts of co's own
/// tools, which every session calls, say nothing.
fn parts(tool: &str) -> Vec<String> {
    let lower = tool.to_lowercase();
    let ends = ["_memory", "_memories"];
    if lower.starts_with("knowledge_") || ends.iter().any(|end| lower.ends_with(end)) {
        return vec![lower];
    }
    let split = lower.split(|letter: char| !letter.is_alphanumeric());
    let mut parts: Vec<String> = split.filter(|part| !part.is_empty()).map(str::to_owned).collect();
    parts.push(lower);
    parts
}

/// As it stands in a context. Source: seed 004.
pub fn text(hot: &[Hot]) -> String {
    if hot.is_empty() {
        return String::new();
    }
    let line = |one: &Hot| format!("- {} [{}]\n", one.topic, one.tags.join(","));
    let lines: String = hot.iter().map(line).collect();
    format!("## Knowledge index (top topics - use knowledge_search for full details)\n{lines}")
}
