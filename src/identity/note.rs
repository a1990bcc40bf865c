//! A note that an agent wrote: one fact per file, with the agent's metadata about it.
//!
//! Invariant: a note is its agent's own text and is never rewritten; each value is read from the
//! frontmatter or its `metadata`, whichever has it. Must not know: where agents keep notes. Source:
//! the files of Claude Code 2.1.

use super::{document::Document, frontmatter::Frontmatter, stamp::Stamp};

/// The file that lists the notes in its folder, one per line.
pub const INDEX: &str = "MEMORY.md";

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Note {
    pub name: Option<String>,
    pub description: Option<String>,
    /// The agent's word for its subject: `user`, `feedback`, `project`, `reference`.
    pub about: Option<String>,
    pub modified: Option<Stamp>,
    pub session: Option<String>,
    /// Without the frontmatter, trimmed.
    pub text: String,
}

impl Note {
    /// `None` if the frontmatter cannot be read.
    pub fn read(bytes: &[u8]) -> Option<Note> {
        Some(Note::from_document(&Document::read(bytes).ok()?))
    }

    /// Like [`Note::read`]; without readable frontmatter the whole file is text.
    pub fn lenient(bytes: &[u8]) -> Note {
        Note::read(bytes).unwrap_or_else(|| {
            let whole = String::from_utf8_lossy(bytes);
            let whole = whole.trim_start_matches('\u{feff}').trim_start_matches("---");
            let (front, body) = whole.split_once("\n---").unwrap_or(("", whole));
            let said = |key: &str| {
                let line = front.lines().find_map(|line| line.strip_prefix(key))?;
                Some(line.trim().trim_matches('"').to_owned()).filter(|text| !text.is_empty())
            };
            let (name, description) = (said("name:"), said("description:"));
            Note { name, description, text: body.trim().to_owned(), ..Note::default() }
        })
    }

    /// What it says, in one line: its description, or else its first line.
    pub fn says(&self) -> String {
        let first =
            || self.text.lines().find(|line| line.trim().chars().any(char::is_alphanumeric));
        let line = self.description.as_deref().or_else(first).unwrap_or_default();
        line.split_whitespace().collect::<Vec<&str>>().join(" ")
    }

    pub fn from_document(document: &Document) -> Note {
        let nested = document.front().and_then(metadata);
        let said = |key: &str| {
            let value = nested.as_ref().and_then(|nested| nested.get(key));
            let text = value.or_else(|| document.get(key))?.text()?;
            Some(text).filter(|text| !text.trim().is_empty())
        };
        let stamp = |key: &str| Stamp::parse(&said(key)?).map(|read| read.stamp);
        Note {
            name: said("name"),
            description: said("description"),
            about: said("type"),
            modified: stamp("modified").or_else(|| stamp("updated")),
            session: said("originSessionId"),
            text: document.text().to_owned(),
        }
    }

    /// Whether it is about the person, wherever it was written.
    pub fn is_about_person(&self) -> bool {
        matches!(self.about.as_deref(), Some("user" | "feedback"))
    }
}

/// The mapping below `metadata`, as frontmatter.
fn metadata(front: &Frontmatter) -> Option<Frontmatter> {
    let raw = &front.entry("metadata")?.raw;
    let below: Vec<&str> = raw.lines().skip(1).filter(|line| !line.trim().is_empty()).collect();
    let indent = |line: &&str| line.len() - line.trim_start_matches(' ').len();
    let width = below.iter().map(indent).min()?;
    let text: String = below.iter().map(|line| format!("{}\n", &line[width..])).collect();
    Frontmatter::read(&text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_claude_code_writes() {
        let text = "---\nname: tabs\ndescription: How to indent\nmetadata:\n  node_type: memory\n  \
            type: feedback\n  originSessionId: 1f2e\n  modified: 2026-11-22T09:12:00.123Z\n---\n\n\
            Use tabs.\n\n**Why:** habit.\n";
        let note = Note::read(text.as_bytes()).expect("readable");
        assert_eq!(note.about.as_deref(), Some("feedback"));
        assert_eq!(note.session.as_deref(), Some("1f2e"));
        assert_eq!(note.text, "Use tabs.\n\n**Why:** habit.");
        assert!(note.modified.is_some() && note.is_about_person());
    }

    #[test]
    fn older_notes_have_their_type_at_the_top() {
        let note = Note::read(b"---\nname: x\ntype: project\n---\nText.\n").expect("readable");
        assert_eq!((note.about.as_deref(), note.is_about_person()), (Some("project"), false));
        assert_eq!(Note::read(b"no front").expect("readable").text, "no front");
        let broken = b"---\nname: x\ndescription: Prefers: tabs\n---\n\nText.\n";
        assert_eq!(Note::read(broken), None);
        let note = Note::lenient(broken);
        assert_eq!((note.says().as_str(), note.text.as_str()), ("Prefers: tabs", "Text."));
        assert_eq!(Note::lenient(b"---\nhalf: [").text, "half: [");
    }
}
