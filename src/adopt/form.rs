//! The format of a file, by its name and the whole of it.
//!
//! Invariant: no single line of a text decides how the others are read; must not know: how each
//! format is read.

use crate::identity::{Document, note::Note};
use serde::de::IgnoredAny;

/// The format of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SourceForm {
    /// Instructions and memories in markdown: one fact per list item or paragraph.
    Markdown,
    /// One memory per file, with frontmatter.
    Memory,
    /// Notes of basic-memory: `- [category] text #tag (context)`.
    Note,
    /// Exports of mem0, ChatGPT, Claude and Gemini.
    Export,
    /// The same with one JSON object per line.
    Records,
    /// One fact per line.
    Lines,
}

/// Keys of rules that say when they apply: such a file is never one memory.
const OF_RULES: &[&str] = &["globs", "alwaysApply", "applyTo"];

pub fn form_of(name: &str, text: &str) -> SourceForm {
    let name = name.to_lowercase();
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "jsonl" | "ndjson" => SourceForm::Records,
        _ if are_records(text) => SourceForm::Records,
        "json" => SourceForm::Export,
        _ if is_json(text) => SourceForm::Export,
        "txt" | "text" => SourceForm::Lines,
        "mdc" => SourceForm::Markdown,
        _ => by_labels(text),
    }
}

fn is_json(text: &str) -> bool {
    let begins = match text.trim_start().strip_prefix('[') {
        Some(inner) => inner.trim_start(),
        None => text.trim_start(),
    };
    begins.starts_with('{') && serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// Several lines, each of which is a JSON object.
fn are_records(text: &str) -> bool {
    let mut count = 0;
    let mut filled = text.lines().filter(|line| !line.trim().is_empty());
    let is_object = |line: &str| {
        line.trim_start().starts_with('{') && serde_json::from_str::<IgnoredAny>(line).is_ok()
    };
    filled.all(|line| {
        count += 1;
        is_object(line)
    }) && count > 1
}

/// Frontmatter that cannot be read decides nothing.
fn by_labels(text: &str) -> SourceForm {
    let Ok(document) = Document::arriving(text) else { return SourceForm::Markdown };
    let has = |key: &str| document.front().is_some_and(|front| front.entry(key).is_some());
    if OF_RULES.iter().any(|key| has(key)) {
        return SourceForm::Markdown;
    }
    let note = Note::from_document(&document);
    let is_named = note.name.is_some() || note.description.is_some();
    match note.about.as_deref() {
        _ if has("permalink") => SourceForm::Note,
        Some("note") if has("title") => SourceForm::Note,
        Some(_) if is_named => SourceForm::Memory,
        _ => SourceForm::Markdown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_file_decides() {
        use SourceForm::{Export, Lines, Markdown, Memory, Note, Records};
        for (name, text, form) in [
            ("CLAUDE.md", "- [CRITICAL] never push\n- [~] later\n", Markdown),
            ("CLAUDE.md", "Rules:\ntype: user\nmetadata: x\npermalink: y\n", Markdown),
            ("a.mdc", "---\nglobs: *.ts\n---\ntype: x\n", Markdown),
            ("a.md", "---\ndescription: x\ntype: auto\nalwaysApply: true\n---\n- a\n", Markdown),
            ("a.md", "---\nname: x\ntype: feedback\n---\nUse tabs.\n", Memory),
            ("a.md", "---\ntype: [x\n---\nText\n", Markdown),
            ("a.md", "---\ntitle: A\npermalink: a\n---\n- [x] y\n", Note),
            ("a.json", "{\"a\":1}", Export),
            ("a.txt", " [ {\"memory\": \"x\"} ]", Export),
            ("a.json", "{\"a\":1}\n{\"b\":2}\n", Records),
            ("a.jsonl", "{\"a\":1}\nbroken\n", Records),
            ("a.txt", "{\"a\":1}\nUse tabs\n", Lines),
            (".cursorrules", "[x]: https://e.org\n", Markdown),
        ] {
            assert_eq!(form_of(name, text), form, "{name}: {text}");
        }
    }
}
