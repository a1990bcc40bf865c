//! A line of a document that changed, and the row of a document, in the report of a sync.
//!
//! Invariant: what a line was before is told whole, unless it is the same field with another value.
//! Must not know: what changed the document.

use crate::cli::style::Style;
use crate::foreign::{Said, said};
use crate::identity::kind::{NOTES, REVIEWED, SKILLS};
use crate::sync::{DocumentLine, document_name};
use std::collections::BTreeSet;

/// Maximum characters of a document's line.
const MAX_LETTERS: usize = 200;
/// How many lines of one side to show, and how many skills.
const MAX: usize = 12;

/// The lines that changed, and the skills that did: what those say is for agents.
pub(super) fn rows<'a>(
    lines: impl Iterator<Item = &'a DocumentLine>,
    place: &str,
    style: Style,
) -> Said {
    let (of_skills, others): (Vec<&DocumentLine>, Vec<&DocumentLine>) =
        lines.partition(|line| line.path.starts_with(SKILLS));
    let of_skills = of_skills.iter().filter_map(|line| line.path.strip_prefix(SKILLS));
    let names: BTreeSet<&str> = of_skills.filter_map(|path| path.split('/').next()).collect();
    let skill = |name: &str| said!("  {:<16}  {}  ({})\n", "skill", name, place);
    let skills: Said = names.into_iter().take(MAX).map(skill).collect();
    let shown = others.into_iter().filter(|line| is_shown(line)).take(MAX);
    let others: Said = shown.filter_map(|line| changed(line, place, style)).collect();
    others + skills
}

fn is_shown(line: &DocumentLine) -> bool {
    let heading = [&line.now, &line.was].into_iter().flatten().all(|text| text.starts_with('#'));
    // Notes have a separate line; answers to proposals have none.
    let is_told = line.path.starts_with(NOTES) || line.path == REVIEWED;
    !line.path.starts_with('.') && !heading && !is_told
}

/// `None` for a line that neither is nor was there.
fn changed(line: &DocumentLine, place: &str, style: Style) -> Option<Said> {
    let (now, why) = match (&line.now, &line.was) {
        (Some(now), Some(was)) => (strip(now), said!("({}; was {})", place, value(was, now))),
        (Some(now), None) => (strip(now), said!("({})", place)),
        (None, Some(was)) => (strip(was), said!("(removed {})", place)),
        (None, None) => return None,
    };
    Some(document_row(&line.path, &clipped(&now), why, style))
}

/// A line of a file may be the whole file.
fn clipped(line: &str) -> String {
    match line.char_indices().nth(MAX_LETTERS) {
        Some((at, _)) => format!("{} …", &line[..at]),
        None => line.to_owned(),
    }
}

/// A line without its list or heading marker.
pub(super) fn strip(line: &str) -> String {
    line.trim_start_matches(['-', '*', '#', ' ']).to_owned()
}

/// A line, or only its value if the line beside it is the same field.
pub(super) fn value(line: &str, beside: &str) -> String {
    let (line, beside) = (strip(line), strip(beside));
    // In JSON, or YAML on one line, the text before the colon does not identify a field.
    let is_key = |key: &str| !key.contains(['{', '[', '(', '"', '\'']);
    let value = line.split_once(": ").filter(|(key, _)| {
        is_key(key) && beside.strip_prefix(*key).is_some_and(|rest| rest.starts_with(": "))
    });
    clipped(value.map_or(line.as_str(), |(_, value)| value))
}

pub(super) fn document_row(path: &str, now: &str, why: impl Into<Said>, style: Style) -> Said {
    let name = document_name(path);
    let name: String = match path.split_once('/') {
        Some(("traits", _)) => "traits".to_owned(),
        Some(("knowledge", _)) => name.to_owned(),
        // Its files are called alike in all of them.
        Some(("skills", below)) => below.split('/').next().unwrap_or(below).to_owned(),
        _ => name.rsplit('/').next().unwrap_or(name).trim_end_matches(".md").to_owned(),
    };
    said!("  {:<16}  {}  {}\n", name, now, style.dim(why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_it_was_is_told_whole_unless_only_the_value_changed() {
        for (was, now, told) in [
            ("- Editor: vim", "- Editor: helix", "vim"),
            ("- **Editor**: vim", "- **Editor**: helix", "vim"),
            ("port: 80", "port: 83", "80"),
            ("url: http://a: 1", "url: http://b: 2", "http://a: 1"),
            ("{\"port\": 80}", "{\"port\": 83}", "{\"port\": 80}"),
            ("  \"port\": 80,", "  \"port\": 83,", "\"port\": 80,"),
            ("{port: 80}", "{port: 83}", "{port: 80}"),
            ("Shell: zsh", "Editor: vim", "Shell: zsh"),
            ("No colon", "Editor: vim", "No colon"),
        ] {
            assert_eq!(value(was, now), told, "{was}");
        }
    }

    #[test]
    fn a_document_has_the_name_of_its_topic() {
        for (path, name) in [
            ("knowledge/infra/servers.md", "infra/servers"),
            ("knowledge/tea.md", "tea"),
            ("knowledge/infra/ports.json", "infra/ports.json"),
            ("profile.md", "profile"),
            ("profile/work.md", "work"),
            ("traits/tools.md", "traits"),
            ("skills/deploy/SKILL.md", "deploy"),
            ("skills/deploy/scripts/run.sh", "deploy"),
        ] {
            let row = document_row(path, "now", "", Style::plain());
            assert!(row.as_str().starts_with(&format!("  {name:<16}  now")), "{row:?}");
        }
    }
}
