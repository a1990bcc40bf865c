//! Facts that were saved, found, listed, forgotten.
//!
//! Source of the words: seed 002.

use super::{defused, plural, safe};
use crate::ops::{forget::Forgotten, list, recall, save, store::Scope};

/// `p7` in a project, `7` elsewhere.
fn handle(scope: Scope, id: u64) -> String {
    let prefix = if scope == Scope::Project { "p" } else { "" };
    format!("{prefix}{id}")
}

/// What was saved, without the place. `forget` is how one says that a fact is to be forgotten.
pub fn saved(report: &save::Report, forget: &str) -> String {
    let fact = handle(report.scope, report.id);
    if report.known {
        let tags = match report.new_tags.as_slice() {
            [] => String::new(),
            new => format!("; new tags: {}", safe(&new.join(", "))),
        };
        return format!("✓ Memory {fact} says this already: {}{tags}\n", safe(&report.filename));
    }
    let saved = format!("✓ Saved memory {fact}: {}\n", safe(&report.filename));
    let Some(like) = &report.similar else { return saved };
    let other = like.id.map_or_else(String::new, |id| format!("{} ", handle(report.scope, id)));
    let summary = defused(&like.summary);
    format!("{saved}It is much like {other}\"{summary}\"; if it is the same: `{forget} {fact}`.\n")
}

/// Where it was saved: programs need to know.
pub fn location(report: &save::Report) -> String {
    format!("Location: {}\n", report.path.display())
}

pub fn recalled(report: &recall::Report) -> String {
    let query = defused(&report.query);
    if report.results.is_empty() {
        return format!("No memories found matching '{query}'\n");
    }
    let mut text = format!("{} matching '{query}':\n\n", counted(report));
    for answer in &report.results {
        match answer {
            recall::Answer::Memory(fact) => text.push_str(&of_fact(fact)),
            recall::Answer::Document(passage) => text.push_str(&of_passage(passage)),
        }
    }
    text
}

fn counted(report: &recall::Report) -> String {
    let facts = report.facts().count();
    match (facts, report.count - facts) {
        (facts, 0) => format!("Found {facts} memories"),
        (0, passages) => format!("Found {}", plural(passages, "passage", "passages")),
        (facts, passages) => {
            let facts = plural(facts, "memory", "memories");
            format!("Found {facts} and {}", plural(passages, "passage", "passages"))
        }
    }
}

fn of_fact(fact: &recall::Fact) -> String {
    let mut text = format!("**Memory {}** (created {})\n", fact.handle, safe(&fact.date));
    if !fact.tags.is_empty() {
        text.push_str(&format!("Tags: {}\n", on_one_line(&fact.tags.join(", "))));
    }
    // What a fact says below its first line is no line of ours.
    let content = defused(&fact.content).replace('\n', "\n  ");
    text + &format!("{content}\n\n")
}

fn of_passage(passage: &recall::Passage) -> String {
    let mut place = vec![passage.topic.to_string()];
    place.extend(passage.heading.iter().cloned());
    let place = on_one_line(&place.join(" › "));
    let content = defused(&passage.content).replace('\n', "\n  ");
    format!("**Document {place}**\n  {content}\n\n")
}

/// Facts with words that are spelt most like those of a question that nothing answers.
pub fn nearest(report: &recall::Report) -> String {
    let near = |near: &recall::Near| defused(&format!("{} {}", near.handle, near.summary));
    let named: Vec<String> = report.nearest.iter().map(near).collect();
    format!("Nearest: {}\n", named.join(" · "))
}

pub fn listed(report: &list::Report) -> String {
    if !report.folder {
        return "No memories saved yet.\n".to_owned();
    }
    if report.memories.is_empty() {
        return "No memories found.\n".to_owned();
    }
    let rows: String = report.memories.iter().map(row).collect();
    format!("Total memories: {}\n\n{rows}", report.count)
}

fn row(row: &list::Row) -> String {
    let scope = if row.scope == Scope::Project { "p" } else { "" };
    let number = row.id.map_or_else(|| row.handle.clone(), |id| format!("{scope}{id:03}"));
    let mark =
        row.handle.split_once('-').map_or_else(String::new, |(_, digits)| format!("-{digits}"));
    let tags =
        if row.tags.is_empty() { String::new() } else { format!(" [{}]", row.tags.join(", ")) };
    let pin = if row.pinned { " pinned" } else { "" };
    let line = format!("**{number}{mark}** ({}{pin}){tags}: {}", row.date, row.summary);
    on_one_line(&line) + "\n"
}

fn on_one_line(text: &str) -> String {
    defused(text).replace('\n', " ")
}

pub fn forgotten(facts: &[Forgotten]) -> String {
    let line = |fact: &Forgotten| {
        let id = fact.id.map_or_else(String::new, |id| format!(" {}", handle(fact.scope, id)));
        format!("✓ Forgot memory{id}: {}\n", defused(&fact.summary))
    };
    facts.iter().map(line).collect()
}
