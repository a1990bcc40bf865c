//! What an undo or a redo changes, as text.
//!
//! Invariant: the lines say what is different afterwards, and what stays although it came with the
//! same operation. Must not know: how an undo is planned.

use super::document_changes;
use crate::cli::style::{ListLength, Style, plural};
use crate::foreign::{Said, said};
use crate::merge::change::{DocumentChange, EditedFact, Fact, FieldChange, Meaning, Relabelled};
use crate::undo;

/// Maximum lines of a report, including what stays.
const MAX_LINES: usize = 18;

pub(super) fn changes(plan: &undo::Plan, style: Style, shown: ListLength) -> Said {
    let mut lines = facts(plan, style);
    let documents = documents(&plan.meaning, style);
    // If documents have too many lines, they are counted and only the first are named.
    let is_short = shown == ListLength::First && lines.len() + documents.len() > MAX_LINES;
    let wholes;
    if is_short {
        wholes = document_changes::rows(&plan.meaning.wholes(), "", style);
        lines.extend(counted(&plan.meaning, style));
    } else {
        // A document with only changed labels has no changed lines; lines do not say what moved.
        let mut without = plan.meaning.wholes();
        without.retain(|whole| whole.was.is_some() || whole.added + whole.removed == 0);
        wholes = document_changes::rows(&without, "", style);
        lines.extend(documents);
    }
    let more = match shown {
        ListLength::First => lines.len().saturating_sub(MAX_LINES),
        ListLength::All => 0,
    };
    lines.truncate(lines.len() - more);
    if more > 0 {
        lines.push(style.dim(said!("and {} more (`--patch` shows all)", more)));
    }
    lines.extend(what_stays(plan, style));
    let lines: Said = lines.into_iter().map(|line| said!("  {}\n", line)).collect();
    wholes + lines
}

fn facts(plan: &undo::Plan, style: Style) -> Vec<Said> {
    let Meaning { learned, forgotten, edited, relabelled, .. } = &plan.meaning;
    let mut lines = Vec::new();
    let mut line = |sign: Said, what: Said| lines.push(said!("{} {}", sign, what));
    let place = plan.before_numbers();
    let number = |fact: &Fact| fact.id.map_or_else(Said::new, |id| said!("{}{} ", place, id));
    // Two texts that a merge set apart change places: one line says so.
    let old_text = |edit: &EditedFact| {
        let is_it = |fact: &&Fact| fact.summary == edit.was && fact.id.is_some();
        learned.iter().find(is_it)
    };
    let is_old_text = |fact: &&Fact| edited.iter().any(|edit| old_text(edit) == Some(*fact));
    for fact in learned.iter().filter(|fact| !is_old_text(fact)) {
        line(style.learned("+"), said!("{}{}", number(fact), fact.summary));
    }
    for fact in forgotten {
        line(style.forgotten("-"), said!("{}{}", number(fact), fact.summary));
    }
    for fact in edited {
        let id = old_text(fact).and_then(|old| old.id);
        let was = match id {
            Some(id) => said!("\"{}\", which is now fact {}{}", fact.was, place, id),
            None => said!("{}", fact.was),
        };
        line(style.edited("~"), said!("{}{} (was: {})", number(&fact.now), fact.now.summary, was));
    }
    let is_told = |change: &&Relabelled| {
        let is_number = change.fields.iter().all(FieldChange::is_number);
        let is_it = |edit: &EditedFact| edit.now == change.fact && old_text(edit).is_some();
        is_number && edited.iter().any(is_it)
    };
    for change in relabelled.iter().filter(|change| !is_told(change)) {
        let (fact, fields) = (&change.fact, FieldChange::line(&change.fields));
        line(style.edited("~"), said!("{}{} ({})", number(fact), fact.summary, fields));
    }
    lines
}

/// Every added or removed line of documents.
fn documents(meaning: &Meaning, style: Style) -> Vec<Said> {
    let of = |document: &DocumentChange| -> Vec<Said> {
        let line = |sign: Said, text: &String| said!("{} {}: {}", sign, document.path, text);
        let added = document.added.iter().map(|text| line(style.learned("+"), text));
        let removed = document.removed.iter().map(|text| line(style.forgotten("-"), text));
        added.chain(removed).collect()
    };
    meaning.documents.iter().flat_map(of).collect()
}

/// One line for each file that is not a document.
fn counted(meaning: &Meaning, style: Style) -> Vec<Said> {
    let of = |document: &DocumentChange| {
        let counts = match (document.added.len(), document.removed.len()) {
            (added, 0) => said!("{} added", plural(added, "line", "lines")),
            (0, removed) => said!("{} removed", plural(removed, "line", "lines")),
            (added, removed) => said!("+{} −{} lines", added, removed),
        };
        said!("{} {} ({})", style.edited("~"), document.path, counts)
    };
    meaning.documents.iter().filter(|document| !document.is_whole()).map(of).collect()
}

fn what_stays(plan: &undo::Plan, style: Style) -> Vec<Said> {
    let mut lines = Vec::new();
    let mut line = |text: Said| lines.push(style.dim(text));
    let short = |names: Vec<String>| match names.len() {
        0..=8 => names.join(", "),
        many => format!("{} and {} more", names[..8].join(", "), many - 8),
    };
    let name =
        |fact: &Fact| fact.id.map_or_else(|| format!("\"{}\"", fact.summary), |id| id.to_string());
    let told = |facts: &[Fact], done: &str| {
        let label = if facts.len() == 1 { "fact" } else { "facts" };
        let names = short(facts.iter().map(name).collect());
        (!facts.is_empty()).then(|| format!("{label} {names}, {done} on another laptop"))
    };
    let (learned, forgotten) = plan.stays.split_at(plan.learned_there);
    let told: Vec<String> =
        [told(learned, "learned"), told(forgotten, "forgotten")].into_iter().flatten().collect();
    if !told.is_empty() {
        let told = told.join("; ");
        line(said!("not undone: {} (`--accept-deletions` undoes that, too)", told));
    }
    if !plan.changed_since.is_empty() {
        line(said!("not undone: {}, changed since", short(plan.changed_since.clone())));
    }
    lines
}
