//! Summarises added, deleted, moved and edited documents in a few lines, however many there are.
//!
//! Invariant: every change that a person can see is counted, and the first documents are named.
//! Must not know: what changed them.

use crate::cli::style::{Style, plural};
use crate::foreign::{Said, said};
use crate::identity::Role;
use crate::merge::{change::DocumentEvent, document_changes::DocumentDelta};
use std::collections::BTreeMap;

/// How many documents are named.
const NAMED: usize = 3;

/// Which of the lines has a document.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Row {
    Edited,
    Added,
    Moved,
    /// Another document has its path, so it is kept under a name with a suffix.
    SetAside,
    Deleted,
}

impl Row {
    /// `None` if nothing changed that a person would see.
    fn of(whole: &DocumentDelta) -> Option<Row> {
        match (&whole.change, &whole.was) {
            (DocumentEvent::Added, _) => Some(Row::Added),
            (DocumentEvent::Edited, _) => Some(Row::Edited),
            (DocumentEvent::Deleted, _) => Some(Row::Deleted),
            (DocumentEvent::Moved, Some(was)) if was.reads_like(&whole.path) => {
                (whole.added + whole.removed > 0).then_some(Row::Edited)
            }
            (DocumentEvent::Moved, _) if whole.is_aside => Some(Row::SetAside),
            (DocumentEvent::Moved, _) => Some(Row::Moved),
        }
    }
}

/// The lines, each with its kind of change first: `added here`.
pub(in crate::cli) fn rows(wholes: &[DocumentDelta], place: &str, style: Style) -> Said {
    let mut text = Said::new();
    for kind in [Row::Edited, Row::Added, Row::Moved, Row::SetAside, Row::Deleted] {
        let some: Vec<&DocumentDelta> =
            wholes.iter().filter(|whole| Row::of(whole) == Some(kind)).collect();
        let (label, sign) = match kind {
            Row::Added => ("added", style.learned("+")),
            Row::Edited => ("edited", style.edited("~")),
            Row::Moved => ("moved", Said::from(" ")),
            Row::SetAside => ("renamed", Said::from(" ")),
            Row::Deleted => ("deleted", style.forgotten("-")),
        };
        let label = format!("{label}{}{place}", if place.is_empty() { "" } else { " " });
        let row = |label: &str, rest: Said| said!("  {:<16}{}\n", label, rest);
        match some.len() {
            0 => {}
            1..=NAMED => text.extend(some.iter().map(|whole| {
                let counts = style.dim(counts(whole));
                row(&label, said!("{} {}{}", sign, path(whole), counts))
            })),
            many => {
                text.push(row(&label, said!("{} {}{}", sign, all(&some), folders(&some))));
                text.extend(
                    some.iter().take(NAMED).map(|whole| row("", said!("    {}", path(whole)))),
                );
                text.extend(style.more(many, NAMED).map(|more| row("", said!("    {}", more))));
            }
        }
    }
    text
}

/// `9 documents`, possibly with `3 originals`.
fn all(wholes: &[&DocumentDelta]) -> Said {
    let originals = wholes.iter().filter(|whole| whole.path.role() == Role::Original).count();
    let told = [
        plural(wholes.len() - originals, "document", "documents"),
        plural(originals, "original", "originals"),
    ];
    match originals {
        0 => told[0].clone(),
        some if some == wholes.len() => told[1].clone(),
        _ => Said::joined(told.iter().cloned(), " and "),
    }
}

/// A path as shown in lists of documents.
pub(super) fn shown(path: &str) -> &str {
    path.strip_prefix("knowledge/").unwrap_or(path)
}

fn path(whole: &DocumentDelta) -> Said {
    let now = shown(whole.path.as_str());
    match &whole.was {
        Some(was) if was.reads_like(&whole.path) => said!("{}", now),
        Some(was) if whole.is_aside => said!("{}, kept as {}", shown(was.as_str()), now),
        Some(was) => said!("{} → {}", shown(was.as_str()), now),
        None => said!("{}", now),
    }
}

fn counts(whole: &DocumentDelta) -> Said {
    match whole.change {
        DocumentEvent::Edited if whole.keeps_text => Said::from("  (text unchanged)"),
        DocumentEvent::Edited | DocumentEvent::Moved if whole.path.role() == Role::Original => {
            Said::new()
        }
        DocumentEvent::Moved if whole.added + whole.removed == 0 => Said::new(),
        DocumentEvent::Edited | DocumentEvent::Moved => {
            said!("  (+{} −{} lines)", whole.added, whole.removed)
        }
        DocumentEvent::Added | DocumentEvent::Deleted => Said::new(),
    }
}

/// Where most of them are, if in only a few folders: ` below articles/crates`.
fn folders(wholes: &[&DocumentDelta]) -> Said {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for whole in wholes {
        let folder = shown(whole.path.as_str()).rsplit_once('/').map_or("", |(folder, _)| folder);
        let folder = folder.split('/').take(2).collect::<Vec<_>>().join("/");
        *counts.entry(folder).or_default() += 1;
    }
    match counts.len() {
        1 if !counts.contains_key("") => {
            said!(" under {}", counts.keys().next().cloned().unwrap_or_default())
        }
        2..=3 if !counts.contains_key("") => {
            let each = counts.iter().map(|(folder, count)| said!("{} under {}", count, folder));
            said!(": {}", Said::joined(each, ", "))
        }
        _ => Said::new(),
    }
}
