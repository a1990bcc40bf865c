//! The report of a sync for people: facts first, reasons dimmed, how to undo it last.

use super::{
    document_changes,
    document_lines::{self, document_row, strip, value},
};
use crate::cli::{
    agent,
    style::{Style, plural},
};
use crate::foreign::{Said, said};
use crate::identity::{kind::NOTES, scope::HERE};
use crate::merge::{
    DocumentPlace, Reason,
    change::{EditedFact, Fact, FieldChange},
    document_changes::DocumentDelta,
    ids::Renumbered,
};
use crate::sync::{Attention, DocumentLine, MergeSide, Report, Side};
use std::collections::BTreeSet;

/// Limit of lines per kind: nobody reads the thousand facts of a first sync.
const MAX: usize = 12;

pub fn synced(report: &Report, style: Style) -> Said {
    let mut text = Said::new();
    let notes = agent::notes::lines(&report.notes, style) + &merged_notes(report);
    if report.unchanged && report.held_back.is_empty() {
        let text = if report.published || report.remote.is_none() {
            Said::from("Up to date.\n")
        } else {
            Said::from("Nothing new on this laptop.\n")
        };
        return text + notes;
    }
    let place = match (&report.remote, &report.url) {
        (Some(remote), Some(url)) if report.published => {
            let push = report.push_url.as_ref().map(|url| said!(", pushed to {}", url));
            let sealed = if report.sealed { ", sealed" } else { "" };
            said!("Synced with {} ({}{}{}).", remote, url, sealed, push.unwrap_or_default())
        }
        _ if report.unchanged => Said::from("Nothing else is new on this laptop."),
        _ => Said::from("Committed on this laptop."),
    };
    text.push(said!("{}\n", place));
    side(&mut text, "here", &report.here, report, style);
    side(&mut text, "there", &report.there, report, style);
    let same = ("same on both".into(), " ".into());
    facts(&mut text, same, &report.same, "(kept the older, tags merged)", report, style);
    review_rows(&mut text, report, style);
    renumbered(&mut text, report, style);
    let displaced = displaced(report);
    for (was, now) in displaced.iter().take(MAX) {
        let (was, now) = (document_changes::shown(was), document_changes::shown(now));
        let why = style.dim("(another document was moved there)");
        text.push(said!("  {:<16}  {} → {}  {}\n", "renamed", was, now, why));
    }
    for (place, side) in [("here", &report.here), ("there", &report.there)] {
        let is_displaced =
            |whole: &DocumentDelta| displaced.iter().any(|(_, now)| *now == whole.path.as_str());
        let told = |whole: &&DocumentDelta| !is_told(report, whole) && !is_displaced(whole);
        let files: Vec<DocumentDelta> = side.files.iter().filter(told).cloned().collect();
        text.push(document_changes::rows(&files, place, style));
        let lines = side.documents.iter().filter(|line| !has_row(report, line));
        text.push(document_lines::rows(lines, place, style));
    }
    text.push(notes);
    if report.own_commits > 0 {
        let own = plural(report.own_commits, "commit", "commits");
        let subjects = report.own_subjects.join(" · ");
        let line = said!("{} of your own also pushed: {}", own, subjects);
        text.push(said!("  {}\n", style.dim(&line)));
    }
    if report.to_review.iter().any(|item| matches!(item, Attention::BothWrote { .. })) {
        let hint = "`co review` shows the other text and how to bring it back";
        text.push(said!("  {}\n", style.dim(hint)));
    }
    let undo = if report.undoable { " Undo: `co undo`." } else { "" };
    let eyes =
        review_sentence(report).map_or_else(Said::new, |eyes| said!(" {}", style.strong(eyes)));
    text.push(said!("{}.{}{}\n", all_facts(report), eyes, undo));
    text
}

/// The facts afterwards: `co list` counts all of them together.
fn all_facts(report: &Report) -> Said {
    let facts = plural(report.memories, "fact", "facts");
    match report.about_laptop {
        0 => facts,
        own => said!("{}, and {} about this laptop", facts, own),
    }
}

/// Numbers that a sync assigned, unless another row shows them.
fn renumbered(text: &mut Said, report: &Report, style: Style) {
    for change in
        report.renumbered.iter().filter(|change| !named(report, None, Some(change.id))).take(MAX)
    {
        let was = match (change.was, change.published) {
            (None, _) => Said::from("had no number"),
            (Some(was), true) => said!("was {} here, and was pushed with that number", was),
            (Some(was), false) => said!("was {} here; {} was taken", was, was),
        };
        let told = report.here.learned.iter().chain(&report.same);
        let mut told = told.into_iter().filter(|fact| fact.laptop.is_none());
        let learned = told.any(|fact| fact.id == Some(change.id));
        if !learned {
            row(
                text,
                "renumbered",
                " ",
                &change.id.to_string(),
                &change.summary,
                said!("({})", was),
                style,
            );
        }
    }
}

/// Notes that two laptops changed, with both texts kept.
fn merged_notes(report: &Report) -> Said {
    let both = report
        .decisions
        .iter()
        .filter(|decision| decision.path.starts_with(NOTES) && decision.reason == Reason::Entries);
    both.map(|decision| said!("  {:<16}{}: {}\n", "notes", decision.path, decision.why)).collect()
}

/// The documents that made room for another one which was moved to their place: where they were,
/// and where they are.
fn displaced(report: &Report) -> BTreeSet<(&str, &str)> {
    let aside = report.decisions.iter().filter_map(|decision| match &decision.place {
        Some(DocumentPlace::Aside(now)) => Some((decision.path.as_str(), now.as_str())),
        _ => None,
    });
    aside.collect()
}

/// Whether a fact needs a person's attention, and so has its own row.
fn named(report: &Report, hash: Option<&str>, id: Option<u64>) -> bool {
    let is = |fact: &Fact| hash == Some(fact.hash.as_str()) || (id.is_some() && fact.id == id);
    report.to_review.iter().any(|item| match item {
        Attention::BothEdited { fact, other, .. } => is(fact) || is(other),
        Attention::ForgottenAndEdited { fact, .. } | Attention::LearnedAgain { fact, .. } => {
            is(fact)
        }
        Attention::BothSet { .. }
        | Attention::BothWrote { .. }
        | Attention::BothKept { .. }
        | Attention::DeletedAndEdited { .. }
        | Attention::DeletedAndMoved { .. } => false,
    })
}

fn kept(report: &Report, forgotten: &Fact) -> bool {
    report.to_review.iter().any(|item| match item {
        Attention::ForgottenAndEdited { fact, .. } => fact.path == forgotten.path,
        _ => false,
    })
}

/// Whether a document has its own row among what needs attention.
fn is_told(report: &Report, whole: &DocumentDelta) -> bool {
    let at = whole.path.as_str();
    report.to_review.iter().any(|item| match item {
        Attention::BothWrote { path, .. }
        | Attention::DeletedAndEdited { path, .. }
        | Attention::DeletedAndMoved { path, .. } => path == at,
        Attention::BothKept { path, copy, .. } => path == at || copy == at,
        _ => false,
    })
}

/// Whether a line of a document is shown in the row that has both sides.
fn has_row(report: &Report, line: &DocumentLine) -> bool {
    report.to_review.iter().any(|item| match item {
        Attention::BothSet { path, here, there, .. } => {
            *path == line.path
                && (line.now.as_ref() == Some(here) || line.now.as_ref() == Some(there))
        }
        Attention::BothWrote { path, .. } => *path == line.path,
        Attention::BothKept { path, copy, .. } => *path == line.path || *copy == line.path,
        _ => false,
    })
}

/// What means a fact on this laptop; empty if nothing does.
fn handle(fact: &Fact, report: &Report) -> String {
    match (fact.id, &fact.laptop) {
        (Some(id), None) => id.to_string(),
        (Some(id), Some(laptop)) if *laptop == report.laptop => format!("{HERE}/{id}"),
        _ => String::new(),
    }
}

fn number(fact: &Fact) -> String {
    fact.id.map_or_else(|| fact.path.name().to_owned(), |id| id.to_string())
}

fn review_rows(text: &mut Said, report: &Report, style: Style) {
    let (plus, tilde) = (style.learned("+"), style.edited("~"));
    for item in &report.to_review {
        match item {
            Attention::BothEdited { fact, other, newer } => {
                let why = match newer {
                    MergeSide::Here => said!("(here, newer; theirs is now {})", number(other)),
                    MergeSide::There => said!("(there, newer; yours is now {})", number(other)),
                };
                row(text, "both edited", &tilde, &handle(fact, report), &fact.summary, why, style);
                row(text, "", &plus, &handle(other, report), &other.summary, "", style);
            }
            Attention::ForgottenAndEdited { fact, forgotten } => {
                let (label, why) = match forgotten {
                    MergeSide::Here => ("forgotten here", "(edited there: kept)"),
                    MergeSide::There => ("forgotten there", "(edited here: kept)"),
                };
                row(text, label, &tilde, &handle(fact, report), &fact.summary, why, style);
            }
            Attention::LearnedAgain { fact, forgotten } => {
                let why = match forgotten {
                    MergeSide::Here => "(forgotten here before)",
                    MergeSide::There => "(forgotten there before)",
                };
                row(text, "learned again", &plus, &handle(fact, report), &fact.summary, why, style);
            }
            Attention::BothSet { path, here, there, kept, .. } => {
                let (kept, other, why) = match kept {
                    MergeSide::Here => (here, there, "here, newer; theirs is"),
                    MergeSide::There => (there, here, "there, newer; yours was"),
                };
                let why = said!("({} {})", why, value(other, kept));
                text.push(document_row(path, &strip(kept), why, style));
            }
            Attention::BothWrote { path, kept, newer, commit } => {
                let other = said!("in commit {}", commit);
                written_row(text, path, (*kept, *newer), &other, style);
            }
            Attention::BothKept { path, kept, newer, copy } => {
                let other = said!("now {}", copy.rsplit('/').next().unwrap_or(copy));
                written_row(text, path, (*kept, *newer), &other, style);
            }
            Attention::DeletedAndEdited { path, deleted } => {
                let why = match deleted {
                    MergeSide::Here => "(edited there: kept)",
                    MergeSide::There => "(edited here: kept)",
                };
                text.push(deleted_row(path, *deleted, why, style));
            }
            Attention::DeletedAndMoved { path, deleted } => {
                let why = match deleted {
                    MergeSide::Here => "(moved there: kept)",
                    MergeSide::There => "(moved here: kept)",
                };
                text.push(deleted_row(path, *deleted, why, style));
            }
        }
    }
}

/// A file that both sides wrote, and where the other text is.
fn written_row(
    text: &mut Said,
    path: &str,
    (kept, newer): (MergeSide, bool),
    other: &Said,
    style: Style,
) {
    let age = if newer { "newer" } else { "neither is known to be newer" };
    let why = match kept {
        MergeSide::Here => said!("(here, {}; theirs is {})", age, other),
        MergeSide::There => said!("(there, {}; yours is {})", age, other),
    };
    text.push(document_row(path, "written on both", why, style));
}

fn deleted_row(path: &str, deleted: MergeSide, why: &'static str, style: Style) -> Said {
    let label = match deleted {
        MergeSide::Here => "deleted here",
        MergeSide::There => "deleted there",
    };
    let shown = document_changes::shown(path);
    let line = said!("  {:<16}{} {}", label, style.edited("~"), shown);
    said!("{}  {}\n", line, style.dim(why))
}

/// The facts and fields that need a person's attention, in one sentence.
fn review_sentence(report: &Report) -> Option<Said> {
    let mut named: Vec<String> = report.to_review.iter().map(Attention::named).collect();
    let more = named.len().saturating_sub(MAX);
    named.truncate(MAX);
    if more > 0 {
        named.push(format!("{more} more"));
    }
    (!named.is_empty()).then(|| said!("Please review {}.", named.join(", ")))
}

fn side(text: &mut Said, place: &'static str, side: &Side, report: &Report, style: Style) {
    let taken = |fact: &Fact| {
        let is_it = |change: &&Renumbered| fact.laptop.is_none() && Some(change.id) == fact.id;
        let change = report.renumbered.iter().find(is_it)?;
        change.was.map(|was| said!("(was {} here; {} was taken)", was, was))
    };
    let learned: Vec<&Fact> =
        side.learned.iter().filter(|fact| !named(report, Some(&fact.hash), None)).collect();
    for fact in learned.iter().take(MAX) {
        let why = match &fact.laptop {
            Some(laptop) if *laptop != report.laptop => said!("(read on {} only)", laptop),
            _ if place == "here" => taken(fact).unwrap_or_default(),
            _ => Said::new(),
        };
        row(
            text,
            said!("learned {}", place),
            style.learned("+"),
            &handle(fact, report),
            &fact.summary,
            why,
            style,
        );
    }
    more(text, learned.len(), style);
    // An edit elsewhere kept it: it has its own row.
    let gone = side.forgotten.iter().filter(|fact| !kept(report, fact));
    let gone: Vec<Fact> = gone.cloned().collect();
    facts(text, (said!("forgotten {}", place), style.forgotten("-")), &gone, "", report, style);
    let edited: Vec<&EditedFact> =
        side.edited.iter().filter(|fact| !named(report, Some(&fact.now.hash), None)).collect();
    for fact in edited.iter().take(MAX) {
        let why =
            if fact.was == fact.now.summary { Said::new() } else { said!("(was: {})", fact.was) };
        row(
            text,
            said!("edited {}", place),
            style.edited("~"),
            &handle(&fact.now, report),
            &fact.now.summary,
            why,
            style,
        );
    }
    more(text, edited.len(), style);
    for change in side.relabelled.iter().take(MAX) {
        let why = said!("({})", FieldChange::line(&change.fields));
        let (fact, label) = (&change.fact, said!("changed {}", place));
        let number = handle(fact, report);
        row(text, label, style.edited("~"), &number, &fact.summary, why, style);
    }
    more(text, side.relabelled.len(), style);
}

fn facts(
    text: &mut Said,
    (label, sign): (Said, Said),
    facts: &[Fact],
    why: &'static str,
    report: &Report,
    style: Style,
) {
    for fact in facts.iter().take(MAX) {
        row(text, &label, &sign, &handle(fact, report), &fact.summary, why, style);
    }
    more(text, facts.len(), style);
}

fn more(text: &mut Said, count: usize, style: Style) {
    text.extend(style.more(count, MAX).map(|more| said!("  {}\n", more)));
}

fn row(
    text: &mut Said,
    label: impl Into<Said>,
    sign: impl Into<Said>,
    number: &str,
    summary: &str,
    why: impl Into<Said>,
    style: Style,
) {
    let line = said!("  {:<16}{} {:<4} {}", label.into(), sign.into(), number, summary);
    let why = why.into();
    let why = if why.is_empty() { Said::new() } else { said!("  {}", style.dim(why)) };
    text.push(said!("{}{}\n", line, why));
}
