//! Documents that were written, found, listed, deleted.
//!
//! Source of the words: seed 004.

use super::{defused, plural, safe};
use crate::ops::knowledge::{
    add,
    delete::Deleted,
    list::{self, Row},
    search::{Answer, Report},
    write::{self, Written},
};

pub fn written(report: &write::Report) -> String {
    let topic = safe(&report.topic.to_string());
    match report.written {
        Written::Created => format!("✓ Wrote {topic}"),
        Written::Updated => format!("✓ Updated {topic}"),
        Written::Unchanged => format!("✓ {topic} says this already"),
    }
}

/// What is known of a document beside its text; empty where that is nothing.
pub fn labels(report: &write::Report) -> String {
    let list = |name: &str, words: &[String]| {
        (!words.is_empty()).then(|| format!("{name} {}", words.join(", ")))
    };
    let labels = [
        report.kind.clone().map(|kind| format!("type {kind}")),
        list("tags", &report.tags),
        list("topics", &report.topics),
        list("entities", &report.entities),
    ];
    defused(&labels.into_iter().flatten().collect::<Vec<_>>().join(" · "))
}

pub fn added(report: &add::Report) -> String {
    let topic = safe(&report.topic.to_string());
    match report.written {
        Written::Created => format!("✓ Added {topic}"),
        Written::Updated => format!("✓ Updated {topic}"),
        Written::Unchanged => format!("✓ {topic} is as it was"),
    }
}

/// The documents that answer, with of each the text that is asked for.
pub fn found(report: &Report, text_of: impl Fn(&Answer) -> &String) -> String {
    let query = defused(&report.query);
    if report.results.is_empty() {
        return format!("No knowledge entries found matching '{query}'\n");
    }
    let mut text = format!("Found {} knowledge entries matching '{query}':\n\n", report.count);
    for answer in &report.results {
        let tags = match answer.tags.is_empty() {
            true => String::new(),
            false => format!(" [{}]", answer.tags.join(",")),
        };
        let head = defused(&format!("## {}{tags} {:.2}", answer.topic, answer.relevance));
        let cut = match answer.truncated {
            true => format!("\n({} tokens, cut)", answer.tokens),
            false => String::new(),
        };
        text.push_str(&format!("{head}\n\n{}{cut}\n\n", defused(text_of(answer))));
    }
    text.push_str(&left_out(report));
    text
}

pub fn left_out(report: &Report) -> String {
    match report.left_out {
        0 => String::new(),
        more => format!(
            "{} more, for which the budget has no room\n",
            plural(more, "document", "documents")
        ),
    }
}

/// The table of the seed.
pub fn table(report: &list::Report) -> String {
    let mut text = format!("{} knowledge entries:\n", report.count);
    if report.count > 0 {
        text.push_str("\n| Topic | Tags | Source |\n|-------|------|--------|\n");
    }
    let cell = |text: &str| defused(text).replace('|', "\\|").replace('\n', " ");
    let line = |row: &Row| {
        let source = row.source.as_deref().unwrap_or_default();
        let topic = cell(&row.topic.to_string());
        format!("| {topic} | {} | {} |\n", cell(&row.tags.join(",")), cell(source))
    };
    text.extend(report.entries.iter().map(line));
    text
}

pub fn deleted(documents: &[Deleted]) -> String {
    let line = |one: &Deleted| format!("✓ Deleted {}\n", safe(&one.topic.to_string()));
    documents.iter().map(line).collect()
}
