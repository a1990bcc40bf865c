//! What is about to change in the files of agents, for a person.
//!
//! Invariant: settings of agents hold keys: what the rules know is not shown.

use crate::cli::style::{Style, plural, safe};
use crate::ops::agent::FileEdit;
use crate::secrets::redact;
use crate::system::Context;
use similar::{ChangeTag, TextDiff};

/// Lines around a change.
const AROUND: usize = 2;

/// A line for each file.
pub fn summary(edits: &[FileEdit], context: &Context, style: Style) -> String {
    let line = |edit: &FileEdit| {
        let verb = match (&edit.before, &edit.after) {
            (None, _) => style.learned("create"),
            (_, None) => style.forgotten("delete"),
            _ => style.edited("change"),
        };
        let link = match edit.file == edit.target {
            true => String::new(),
            false => format!(" → {}", context.shown(&edit.target)),
        };
        format!("  {verb}  {}{}\n", safe(&context.shown(&edit.file)), safe(&link))
    };
    edits.iter().map(line).collect()
}

/// The lines that come and go, as `diff -u` has them.
pub fn diff(edits: &[FileEdit], context: &Context, style: Style) -> String {
    edits.iter().map(|edit| of_file(edit, context, style)).collect()
}

fn of_file(edit: &FileEdit, context: &Context, style: Style) -> String {
    let name = safe(&context.shown(&edit.file));
    let (before, after) =
        (edit.before.as_deref().unwrap_or_default(), edit.after.as_deref().unwrap_or_default());
    let diff = TextDiff::from_lines(before, after);
    let old = if edit.before.is_some() { name.as_str() } else { "/dev/null" };
    let new = if edit.after.is_some() { name.as_str() } else { "/dev/null" };
    let mut text = format!("{}\n", style.strong(&format!("--- {old}\n+++ {new}")));
    for hunk in diff.unified_diff().context_radius(AROUND).iter_hunks() {
        text.push_str(&format!("{}\n", style.dim(hunk.header().to_string().trim_end())));
        for change in hunk.iter_changes() {
            let line = safe(&redact(change.value().trim_end_matches(['\n', '\r'])));
            text.push_str(&match change.tag() {
                ChangeTag::Insert => format!("{}\n", style.learned(&format!("+{line}"))),
                ChangeTag::Delete => format!("{}\n", style.forgotten(&format!("-{line}"))),
                ChangeTag::Equal => format!(" {line}\n"),
            });
        }
    }
    text
}

/// What a person has to know.
pub fn notes(notes: &[String], style: Style) -> String {
    notes.iter().map(|note| format!("{} {}\n", style.dim("note:"), safe(note))).collect()
}

pub fn counted(edits: &[FileEdit]) -> String {
    plural(edits.len(), "file", "files")
}
