//! What is about to change in the files of agents, for a person.
//!
//! Invariant: settings of agents hold keys: what the rules know is not shown.

use crate::cli::style::{Style, plural, safe};
use crate::ops::{Exit, Failure, agent::FileEdit};
use crate::secrets::redact;
use crate::system::Context;
use serde::Serialize;
use serde_json::{Value, json};
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

/// The lines that come and go, as `diff -u` has them; in settings those of others without their
/// values.
pub fn diff(edits: &[FileEdit], way: Way, context: &Context, style: Style) -> String {
    edits.iter().map(|edit| of_file(edit, way, context, style)).collect()
}

/// Whether co's part comes or goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    In,
    Out,
}

fn of_file(edit: &FileEdit, way: Way, context: &Context, style: Style) -> String {
    let name = safe(&context.shown(&edit.file));
    let (before, after) =
        (edit.before.as_deref().unwrap_or_default(), edit.after.as_deref().unwrap_or_default());
    let is_prose = edit.file.extension().is_some_and(|ending| ending == "md");
    let bare = |text: &str| -> String { text.split_whitespace().collect() };
    let known = bare(before);
    let masked = |line: &str, is_new: bool| {
        let core = bare(line.trim_end().trim_end_matches(','));
        let is_theirs = !is_new || way == Way::Out || (core.len() > 2 && known.contains(&core));
        if is_theirs && !is_prose { without_values(line) } else { redact(line).into_owned() }
    };
    let diff = TextDiff::from_lines(before, after);
    let old = if edit.before.is_some() { name.as_str() } else { "/dev/null" };
    let new = if edit.after.is_some() { name.as_str() } else { "/dev/null" };
    let mut text = format!("{}\n", style.strong(&format!("--- {old}\n+++ {new}")));
    // Of a file that goes, its lines are co's.
    let is_gone = edit.after.is_none();
    for hunk in diff.unified_diff().context_radius(AROUND).iter_hunks() {
        text.push_str(&format!("{}\n", style.dim(hunk.header().to_string().trim_end())));
        for change in hunk.iter_changes() {
            let line = change.value().trim_end_matches(['\n', '\r']);
            text.push_str(&match change.tag() {
                ChangeTag::Insert => {
                    format!("{}\n", style.learned(&format!("+{}", safe(&masked(line, true)))))
                }
                ChangeTag::Delete => {
                    let line =
                        if is_gone { redact(line).into_owned() } else { masked(line, false) };
                    format!("{}\n", style.forgotten(&format!("-{}", safe(&line))))
                }
                ChangeTag::Equal => format!(" {}\n", safe(&masked(line, false))),
            });
        }
    }
    text
}

/// A line of settings with `…` for its values: some are keys that no rule knows.
fn without_values(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find([':', '=']) {
        let (head, tail) = rest.split_at(at + 1);
        let value = tail.trim_start();
        let is_container = value.is_empty() || value.starts_with(['{', '[']);
        if is_container {
            let open = tail.len() - value.len() + usize::from(!value.is_empty());
            out.push_str(head);
            out.push_str(&tail[..open]);
            rest = &tail[open..];
            continue;
        }
        let end = end_of_value(value);
        out.push_str(head);
        out.push_str(" …");
        rest = &value[end..];
    }
    // What is in no pair is a list item, or nothing.
    let is_plain =
        |letter: char| letter.is_whitespace() || "{}[],".contains(letter) || letter == '/';
    if out.is_empty() && !rest.chars().all(is_plain) && !rest.trim_start().starts_with(['[', '#']) {
        let indent: String = rest.chars().take_while(|letter| letter.is_whitespace()).collect();
        return format!("{indent}…");
    }
    out + rest
}

/// Where a value ends: at its closing quote, else at a comma or bracket.
fn end_of_value(value: &str) -> usize {
    let Some(quote) = value.chars().next().filter(|letter| matches!(letter, '"' | '\'')) else {
        return value.find([',', '}', ']']).unwrap_or(value.len());
    };
    let mut is_escaped = false;
    for (at, letter) in value.char_indices().skip(1) {
        match letter {
            '\\' if !is_escaped => is_escaped = true,
            letter if letter == quote && !is_escaped => return at + 1,
            _ => is_escaped = false,
        }
    }
    value.len()
}

/// What `--dry-run --json` says: the texts as they would be are not in it.
pub fn planned(agents: &impl Serialize, edits: &[FileEdit], way: Way, context: &Context) -> Value {
    let plain = Style::plain();
    let file =
        |edit: &FileEdit| json!({ "file": edit.file, "diff": of_file(edit, way, context, plain) });
    let files: Vec<Value> = edits.iter().map(file).collect();
    json!({ "dry_run": true, "agents": agents, "files": files })
}

pub fn needs_agreement(edits: &[FileEdit]) -> Failure {
    let files = plural(edits.len(), "file", "files");
    let message = format!("{files} of agents would be changed, and nobody can be asked");
    Failure::new(Exit::Declined, message).hint("`--yes` agrees to it, `--dry-run` shows it")
}

/// What a person has to know.
pub fn notes(notes: &[String], style: Style) -> String {
    notes.iter().map(|note| format!("{} {}\n", style.dim("note:"), safe(note))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_others_are_not_shown() {
        for (line, shown) in [
            ("  \"API_KEY\": \"sk-live\",", "  \"API_KEY\": …,"),
            ("TOKEN = \"a, b\"", "TOKEN = …"),
            ("{\"oauth\":\"x\",\"env\":{\"K\":\"y\"}}", "{\"oauth\": …,\"env\":{\"K\": …}}"),
            ("[mcp_servers.a]", "[mcp_servers.a]"),
            ("    - secret", "    …"),
            ("  },", "  },"),
            ("  TOKEN: plain", "  TOKEN: …"),
        ] {
            assert_eq!(without_values(line), shown);
        }
    }
}
