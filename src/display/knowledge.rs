//! Renders documents that were written, found, listed or deleted.

use super::{memories::nearest_line, oddities, plural, topic_handle};
use crate::documents::{
    add,
    delete::Deleted,
    list::{self, DocumentRow},
    related::{self, RelatedDocument, Relation},
    search::{DocumentHit, Report},
    write::{self, Written},
};
use crate::foreign::{Foreign, MARGIN, Said, said};
use crate::identity::FactView;
use std::collections::BTreeSet;

pub fn written(report: &write::Report) -> Said {
    let topic = &report.topic;
    match report.written {
        Written::Created => said!("✓ Wrote {}", topic),
        Written::Updated => said!("✓ Updated {}", topic),
        Written::Unchanged => said!("✓ {} already has this text", topic),
    }
}

/// What is known about a document besides its text; empty if there is nothing.
pub fn labels(report: &write::Report) -> Said {
    let list = |name: &str, words: &[String]| {
        (!words.is_empty()).then(|| said!("{} {}", name, words.join(", ")))
    };
    let labels = [
        report.kind.clone().map(|kind| said!("type {}", kind)),
        list("tags", &report.tags),
        list("topics", &report.topics),
        list("entities", &report.entities),
    ];
    Said::joined(labels.into_iter().flatten(), " · ")
}

/// The labels of a text that co does not know but has kept; `None` if there are none.
pub fn own_labels(keys: &[String]) -> Option<Said> {
    (!keys.is_empty()).then(|| said!("labels {} (from its `---` block)", keys.join(", ")))
}

pub fn added(report: &add::Added) -> Said {
    let topic = &report.topic;
    match report.written {
        Written::Created => said!("✓ Added {}", topic),
        Written::Updated => said!("✓ Updated {}", topic),
        Written::Unchanged => said!("✓ {} is unchanged", topic),
    }
}

/// How many pages or parts of a file are listed.
const MAX_PARTS: usize = 5;

/// What could not be read in a file, and what was let through.
pub fn unread(added: &add::Added) -> impl Iterator<Item = String> {
    let said = [pictures(&added.pictures), missing(&added.missing)];
    said.into_iter().flatten().chain(oddities(&added.oddities))
}

fn pictures(pages: &[u32]) -> Option<String> {
    let named: Vec<String> = pages.iter().take(MAX_PARTS).map(u32::to_string).collect();
    let named = named.join(", ");
    let more = pages.len().saturating_sub(MAX_PARTS);
    match (pages.len(), more) {
        (0, _) => None,
        (1, _) => Some(format!("page {named} has almost no text; it may be a scan")),
        (_, 0) => Some(format!("pages {named} have almost no text; they may be scans")),
        _ => Some(format!("pages {named} and {more} more have almost no text; they may be scans")),
    }
}

fn missing(parts: &[String]) -> Option<String> {
    let named = parts.iter().take(MAX_PARTS).cloned().collect::<Vec<_>>().join(", ");
    match parts.len().saturating_sub(MAX_PARTS) {
        _ if parts.is_empty() => None,
        0 => Some(format!("missing from the file: {named}; the rest was read")),
        more => {
            Some(format!("missing from the file: {named} and {more} more parts; the rest was read"))
        }
    }
}

/// Which pictures a new text shows that were not added: they are to be added by name.
pub fn not_shown(added: &add::Added) -> Option<String> {
    let all = &added.not_shown;
    if all.is_empty() || added.written == Written::Unchanged {
        return None;
    }
    let named = all.iter().take(MAX_PARTS).cloned().collect::<Vec<_>>().join(", ");
    let count = all.len() + added.more_not_shown;
    let counted = match count {
        1 => "1 picture that was not added".to_owned(),
        _ => format!("{count} pictures that were not added"),
    };
    let more = match count.saturating_sub(MAX_PARTS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!("{} shows {counted}: {named}{more}", added.topic))
}

/// What was left out of the new texts on purpose, and of how many documents; `None` if nothing was.
pub fn omitted(documents: &[add::Added]) -> Option<(usize, String)> {
    let is_told = |one: &&add::Added| !one.omitted.is_empty() && one.written != Written::Unchanged;
    let told: Vec<&add::Added> = documents.iter().filter(is_told).collect();
    let kinds: BTreeSet<&str> =
        told.iter().flat_map(|one| one.omitted.iter().map(|kind| kind.name())).collect();
    let kinds: Vec<&str> = kinds.into_iter().collect();
    (!told.is_empty()).then(|| (told.len(), kinds.join(", ")))
}

/// The documents that answer, each with the text that `text_of` selects.
pub fn found(report: &Report, text_of: impl Fn(&DocumentHit) -> &String) -> Said {
    let query = &report.query;
    if report.results.is_empty() && report.left_out > 0 {
        return left_out(report);
    }
    if report.results.is_empty() {
        let nearest = nearest_line(report.nearest.iter().map(ToString::to_string));
        return said!("No knowledge entries found matching '{}'\n{}", query, nearest);
    }
    let mut text = said!("Found {} knowledge entries matching '{}':\n\n", report.count, query);
    for answer in &report.results {
        let topic = topic_handle(&answer.topic, answer.scope);
        let head = said!("## {}{} {:.2}", topic, tags(answer), answer.relevance);
        let cut =
            if answer.truncated { said!("({} tokens, cut)\n", answer.tokens) } else { Said::new() };
        let quote = Foreign(text_of(answer)).quote(MARGIN);
        text.push(said!("{}\n\n{}{}\n", head, quote, cut));
    }
    text + left_out(report)
}

pub fn tags(answer: &DocumentHit) -> Said {
    if answer.tags.is_empty() { Said::new() } else { said!(" [{}]", answer.tags.join(",")) }
}

pub fn left_out(report: &Report) -> Said {
    match report.left_out {
        0 => Said::new(),
        more => said!(
            "{} did not fit into the budget\n",
            plural(more, "more document", "more documents")
        ),
    }
}

/// All documents as a markdown table.
pub fn table(report: &list::Report) -> Said {
    let mut text = said!("{} knowledge entries:\n", report.count);
    if report.count > 0 {
        text.push("\n| Topic | Tags | Source |\n|-------|------|--------|\n");
    }
    // The text between two bars is a single cell.
    let cell = |text: &str| text.replace('|', "\\|");
    let line = |row: &DocumentRow| {
        let source = row.source.as_deref().unwrap_or_default();
        let topic = cell(&topic_handle(&row.topic, row.scope));
        said!("| {} | {} | {} |\n", topic, cell(&row.tags.join(",")), cell(source))
    };
    text.extend(report.entries.iter().map(line));
    text
}

/// What is connected with what was asked for, a line each.
pub fn related(report: &related::Report) -> Said {
    let about = &report.about;
    if report.count == 0 {
        return said!("Nothing is related to {}\n", about);
    }
    let mut text = said!("{} related to {}:\n\n", plural(report.count, "text", "texts"), about);
    let line = |document: &RelatedDocument| {
        let RelatedDocument { topic, name, description, via, .. } = document;
        let via = via.as_ref().map_or_else(Said::new, |via| said!(" {}", via));
        let title = if name == topic.name() { description } else { name };
        let how = said!("{}{}", relation(document.relation), via);
        said!("- {} ({}): {}\n", topic_handle(topic, Some(document.scope)), how, title)
    };
    text.extend(report.documents.iter().map(line));
    let fact =
        |fact: &FactView| said!("- fact {} ({}): {}\n", fact.handle, fact.date, fact.summary);
    text.extend(report.facts.iter().map(fact));
    if report.left_out > 0 {
        text.push(said!("({} more)\n", report.left_out));
    }
    text
}

/// How a document is connected with what was asked for.
pub fn relation(relation: Relation) -> &'static str {
    match relation {
        Relation::LinksToIt => "links to it",
        Relation::NamesIt => "names it",
        Relation::LinkedFromIt => "linked from it",
        Relation::Linked => "linked with",
    }
}

pub fn deleted(documents: &[Deleted]) -> Said {
    let line = |one: &Deleted| said!("✓ Deleted {}\n", topic_handle(&one.topic, Some(one.scope)));
    documents.iter().map(line).collect()
}
