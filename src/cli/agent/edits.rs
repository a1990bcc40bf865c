//! Shows a person what is about to change in the files of agents.
//!
//! Invariant: agents' settings contain keys: what the rules recognise is not shown.

use crate::cli::{
    failure::Failure,
    prompt,
    style::{Style, plural},
    verb::Cli,
};
use crate::foreign::{Foreign, Said, said};
use crate::identity::FileChange;
use crate::integrations::agent::{LinkedPath, text_of};
use crate::machine::Context;
use crate::secrets::redact;
use serde::Serialize;
use serde_json::{Value, json};
use similar::{ChangeTag, TextDiff};

/// Maximum characters of a key; anything longer may be a value.
const MAX_KEY_LEN: usize = 40;
/// Context lines around a change.
const AROUND: usize = 2;

/// One line per file.
pub fn summary(edits: &[FileChange<LinkedPath>], context: &Context, style: Style) -> Said {
    let line = |edit: &FileChange<LinkedPath>| {
        let verb = match (&edit.before, &edit.after) {
            (None, _) => style.learned("create"),
            (_, None) => style.forgotten("delete"),
            _ => style.edited("change"),
        };
        let link = if edit.path.file == edit.path.target {
            Said::new()
        } else {
            said!(" → {}", context.shown(&edit.path.target))
        };
        said!("  {}  {}{}\n", verb, context.shown(&edit.path.file), link)
    };
    edits.iter().map(line).collect()
}

/// Added and removed lines, as in `diff -u`; in settings, those that are not co's are shown without
/// their values.
pub fn diff(
    edits: &[FileChange<LinkedPath>],
    part: PartChange,
    context: &Context,
    style: Style,
) -> Said {
    edits.iter().map(|edit| of_file(edit, part, context, style)).collect()
}

/// Whether co's part is inserted or removed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartChange {
    Insert,
    Remove,
}

fn of_file(
    edit: &FileChange<LinkedPath>,
    part: PartChange,
    context: &Context,
    style: Style,
) -> Said {
    let name = context.shown(&edit.path.file);
    let (before, after) = (text_of(&edit.before), text_of(&edit.after));
    let is_prose = edit.path.file.extension().is_some_and(|ending| ending == "md");
    let bare = |text: &str| -> String { text.split_whitespace().collect() };
    let known = bare(before);
    let masked = |line: &str, is_new: bool| {
        let core = bare(line.trim_end().trim_end_matches(','));
        let is_theirs =
            !is_new || part == PartChange::Remove || (core.len() > 2 && known.contains(&core));
        if is_theirs && !is_prose { without_values(line) } else { redact(line).into_owned() }
    };
    let diff = TextDiff::from_lines(before, after);
    let old = if edit.before.is_some() { name.as_str() } else { "/dev/null" };
    let new = if edit.after.is_some() { name.as_str() } else { "/dev/null" };
    let mut text = said!("{}\n", style.strong(said!("--- {}\n+++ {}", old, new)));
    // All lines of a deleted file are co's.
    let is_gone = edit.after.is_none();
    for hunk in diff.unified_diff().context_radius(AROUND).iter_hunks() {
        text.push(style.dim(Foreign(hunk.header().to_string().trim_end())) + "\n");
        for change in hunk.iter_changes() {
            let line = change.value().trim_end_matches(['\n', '\r']);
            text.push(match change.tag() {
                ChangeTag::Insert => {
                    said!("{}\n", style.learned(said!("+{}", masked(line, true))))
                }
                ChangeTag::Delete => {
                    let line =
                        if is_gone { redact(line).into_owned() } else { masked(line, false) };
                    said!("{}\n", style.forgotten(said!("-{}", line)))
                }
                ChangeTag::Equal => said!(" {}\n", masked(line, false)),
            });
        }
    }
    text
}

/// A line of settings with `…` for its value: some values are keys that no rule recognises.
fn without_values(line: &str) -> String {
    let indent: String = line.chars().take_while(|letter| letter.is_whitespace()).collect();
    let said = line.trim();
    let is_bracket = |letter: char| letter.is_whitespace() || "{}[],".contains(letter);
    let is_plain = |letter: char| letter.is_alphanumeric() || "_-.\"' ".contains(letter);
    let is_header = said.starts_with('[') && said.trim_matches(['[', ']']).chars().all(is_plain);
    if said.chars().all(is_bracket) || (is_header && said.ends_with(']') && !said.contains(' ')) {
        return line.to_owned();
    }
    let Some(at) = said.find([':', '=']) else { return format!("{indent}…") };
    let (key, value) = (said[..at].trim(), said[at + 1..].trim());
    if key.is_empty() || key.len() > MAX_KEY_LEN || !key.chars().all(is_plain) {
        return format!("{indent}…");
    }
    let sign = &said[at..=at];
    let gap = if sign == "=" { " " } else { "" };
    let comma = if value.ends_with(',') { "," } else { "" };
    if value.chars().all(is_bracket) {
        format!("{indent}{key}{gap}{sign} {value}").trim_end().to_owned()
    } else {
        format!("{indent}{key}{gap}{sign} …{comma}")
    }
}

/// The output of `--dry-run --json`: it does not contain the resulting texts.
pub fn planned(
    agents: &impl Serialize,
    edits: &[FileChange<LinkedPath>],
    part: PartChange,
    context: &Context,
) -> Value {
    let plain = Style::plain();
    let file = |edit: &FileChange<LinkedPath>| {
        let diff = of_file(edit, part, context, plain);
        json!({ "file": edit.path.file, "diff": diff })
    };
    let files: Vec<Value> = edits.iter().map(file).collect();
    json!({ "dry_run": true, "agents": agents, "files": files })
}

/// Shows which files change and asks; refuses if nobody can be asked.
pub fn agreed(edits: &[FileChange<LinkedPath>], cli: &Cli<'_>) -> Result<(), Failure> {
    if edits.is_empty() {
        return Ok(());
    }
    let files = plural(edits.len(), "file", "files");
    let unasked = said!("{} of agents would change, but there is no terminal to ask on", files);
    prompt::agree_to(cli, &summary(edits, cli.ws, cli.err), "Proceed", unasked)
}

/// What a person must know.
pub fn notes(notes: &[String], style: Style) -> Said {
    notes.iter().map(|note| said!("{} {}\n", style.dim("note:"), note)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_others_are_not_shown() {
        for (line, shown) in [
            ("  \"API_KEY\": \"sk-live\",", "  \"API_KEY\": …,"),
            ("TOKEN = \"a, b\"", "TOKEN = …"),
            ("{\"oauth\":\"x\",\"env\":{\"K\":\"y\"}}", "…"),
            ("args = [\"--key\", \"hunter2\"]", "args = …"),
            ("  \"args\": [\"--key\"],", "  \"args\": …,"),
            ("  \"env\": {", "  \"env\": {"),
            ("[projects.\"/a b\"]", "…"),
            ("[mcp_servers.a]", "[mcp_servers.a]"),
            ("    - secret", "    …"),
            ("  },", "  },"),
            ("  TOKEN: plain", "  TOKEN: …"),
        ] {
            assert_eq!(without_values(line), shown);
        }
    }
}
