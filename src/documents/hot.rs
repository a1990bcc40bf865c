//! The hot index: a few lines in every context with the documents that match the tools in use.
//!
//! Invariant: of the documents with a tag that occurs in the name of one of the 20 tools called
//! most in the last 30 days, the five with the most such tags. Every tool call is logged by its
//! name alone.

use crate::foreign::{Said, said};
use crate::identity::RelPath;
use crate::index::{self, DocMeta, store::Store};
use crate::knowledge::Topic;
use crate::machine::tool_log;
use crate::workspace::Workspace;
use std::{cmp::Reverse, path::PathBuf};

/// How many of the most called tools count.
const TOOLS: usize = 20;
const DAYS: i64 = 30;
const TOPICS: usize = 5;
/// Characters of a tag or topic.
const MAX_LEN: usize = 80;
const DAY: i64 = 24 * 60 * 60 * 1_000_000;

/// A document in the index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hot {
    pub topic: Topic,
    pub tags: Vec<String>,
}

/// Records that a tool was called, by its name alone.
pub fn note(ws: &Workspace, tool: &str) {
    // Something that looks like a token is not a name. Hot: the short words that co's own tools are
    // called need no scanner.
    if is_short_word(tool) || crate::secrets::redact(tool) == tool {
        tool_log::note(&log(ws), tool, ws.now().micros());
    }
}

fn log(ws: &Workspace) -> PathBuf {
    ws.identity_place().state.join("calls")
}

/// The documents for a context, best first. Reads no documents if no tool was called.
pub fn index(ws: &Workspace, stores: &[&Store]) -> Vec<Hot> {
    let since = ws.now().micros() - DAYS * DAY;
    let tools = tool_log::most_called(&log(ws), since, TOOLS);
    let telling = tools.iter().filter(|(tool, _)| !is_own(tool));
    let names: Vec<Vec<String>> = telling.map(|(tool, _)| parts(tool)).collect();
    if names.is_empty() {
        return Vec::new();
    }
    let tagged = stores.iter().flat_map(|store| tagged(store, ws));
    let mut hot: Vec<((Reverse<usize>, usize), Hot)> =
        tagged.filter_map(|one| Some((score(&one.tags, &names)?, one))).collect();
    hot.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.topic.cmp(&b.1.topic)));
    hot.dedup_by(|a, b| a.1.topic == b.1.topic);
    hot.into_iter().take(TOPICS).map(|(_, hot)| hot).collect()
}

/// The documents of a store, from its index if there is one.
fn tagged(store: &Store, ws: &Workspace) -> Vec<Hot> {
    let searched =
        index::document_metas(store, ws).into_iter().filter(|(_, meta)| meta.is_searched);
    let hot =
        |(path, meta): (RelPath, DocMeta)| Some(Hot { topic: Topic::of(&path)?, tags: meta.tags });
    searched.filter_map(hot).collect()
}

/// How many tags occur in tool names, and the rank of the most called of those tools.
fn score(tags: &[String], tools: &[Vec<String>]) -> Option<(Reverse<usize>, usize)> {
    let called = |tag: &String| {
        let tag = tag.to_lowercase();
        tools.iter().position(|parts| parts.contains(&tag))
    };
    let places: Vec<usize> = tags.iter().filter_map(called).collect();
    Some((Reverse(places.len()), *places.iter().min()?))
}

fn is_short_word(tool: &str) -> bool {
    const SHORT: usize = 20;
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
    is_own(tool) && tool.len() <= SHORT && tool.bytes().all(is_plain)
}

/// One of co's own tools, which every session calls: it says nothing about the work.
fn is_own(tool: &str) -> bool {
    tool.starts_with("knowledge_") || tool.ends_with("_memory") || tool.ends_with("_memories")
}

/// A name and its parts: `mcp__discord__send`, `mcp`, `discord`, `send`.
fn parts(tool: &str) -> Vec<String> {
    let lower = tool.to_lowercase();
    let split = lower.split(|letter: char| !letter.is_alphanumeric());
    let mut parts: Vec<String> = split.filter(|part| !part.is_empty()).map(str::to_owned).collect();
    parts.push(lower);
    parts
}

/// Its line in a context.
pub fn row(hot: &Hot) -> Said {
    let short = |text: &str| text.chars().take(MAX_LEN).collect::<String>();
    let tags: Vec<String> = hot.tags.iter().map(|tag| short(tag)).collect();
    said!("- {} [{}]\n", short(&hot.topic.to_string()), tags.join(","))
}
