//! Memories in one file each, and basic-memory's notes.
//!
//! Sources: basic-memory's own description of its format; Claude Code's memory folder.

use super::{MAX_LEN, Proposal, ProposedAs, Unreadable, markdown};
use crate::identity::{Document, Stamp, note::Note};

/// A file that is one memory: the fact with its why and how. A long one is read like instructions;
/// if the frontmatter cannot be read, nothing is guessed.
pub fn memory(text: &str) -> Result<Vec<Proposal>, Unreadable> {
    let document = Document::read(text.as_bytes()).map_err(|_| Unreadable::Front)?;
    let note = Note::of(&document);
    if note.text.chars().count() > MAX_LEN || note.text.lines().any(|line| line.starts_with('#')) {
        return Ok(markdown::read(text));
    }
    let created = || stamp(&document.get("created")?.text()?);
    let at = note.modified.or_else(created);
    let tags = note.about.into_iter().filter(|about| about != "user" && about != "note");
    Ok(vec![Proposal { tags: tags.collect(), at, ..Proposal::fact(note.text) }])
}

/// The observations of a note; its relations are links between notes, not facts.
pub fn note(text: &str) -> Vec<Proposal> {
    let document = Document::read(text.as_bytes()).ok();
    let said = |key: &str| document.as_ref()?.get(key).and_then(|value| value.text());
    let at = ["modified", "created"].iter().find_map(|key| stamp(&said(key)?));
    let title = said("title");
    let body = document.as_ref().map_or(text, |document| document.text());
    let found = body.lines().filter_map(observation);
    found
        .map(|(category, text, mut tags)| {
            tags.insert(0, category);
            // An observation is about its note.
            let about = title
                .as_deref()
                .filter(|title| !text.to_lowercase().contains(&title.to_lowercase()));
            let text = about.map_or_else(|| text.clone(), |title| format!("{title}: {text}"));
            Proposal { what: ProposedAs::Fact, text, tags, at }
        })
        .collect()
}

/// `- [category] text #tag (context)` as category, text and tags.
pub fn observation(line: &str) -> Option<(String, String, Vec<String>)> {
    let rest = line.trim_start().strip_prefix(['-', '*'])?.trim_start().strip_prefix('[')?;
    let (category, rest) = rest.split_once(']')?;
    // A task, or a link.
    let is_task = matches!(category.trim(), "" | "x" | "X" | "-");
    let is_link = rest.starts_with('(') || category.starts_with('[');
    if is_task || is_link || category.contains(['(', ')', '[']) || !rest.starts_with(' ') {
        return None;
    }
    let is_tag =
        |word: &&str| word.len() > 1 && word.starts_with('#') && !word[1..].starts_with('#');
    let tags = rest.split_whitespace().filter(is_tag).map(|word| word[1..].to_owned()).collect();
    let text: Vec<&str> = rest.split_whitespace().filter(|word| !is_tag(word)).collect();
    let text = text.join(" ");
    (!text.is_empty()).then(|| (category.trim().to_lowercase(), text, tags))
}

fn stamp(text: &str) -> Option<Stamp> {
    Stamp::parse(text).map(|read| read.stamp)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn observations_are_facts() {
        let text = "---\ntitle: Auth\ntype: note\npermalink: auth\ncreated: 2026-01-02T03:04:05+00:00\n---\n# Auth\n\n- [decision] Selected bcrypt for passwords #security (based on OWASP audit)\n- depends_on [[Database Schema]]\n- [ ] a task\n- [x] done task\n- [link](x.md)\n- [[Some Entity]]\n";
        let found = note(text);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].text, "Auth: Selected bcrypt for passwords (based on OWASP audit)");
        assert_eq!(found[0].tags, ["decision", "security"]);
        assert!(found[0].at.is_some());
    }

    #[test]
    fn a_file_is_a_memory() {
        let text = "---\nname: tests\ndescription: x\ntype: feedback\n---\n\nRun the tests before each commit.\n**Why:** they broke.\n";
        let found = memory(text).expect("readable");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].tags, ["feedback"]);
        assert!(found[0].text.starts_with("Run the tests"));
        // As written by today's Claude Code.
        let text = "---\nname: tests\ndescription: \"Use pytest\"\nmetadata: \n  node_type: memory\n  type: feedback\n---\n\nUse pytest.\n\n**Why:** fixtures.\n\n**How to apply:** always.\n";
        assert_eq!(crate::adopt::form_of("tests.md", text), crate::adopt::SourceForm::Memory);
        let found = memory(text).expect("readable");
        assert_eq!(
            (found.len(), found[0].tags.as_slice()),
            (1, ["feedback".to_owned()].as_slice())
        );
        assert!(found[0].text.ends_with("**How to apply:** always."));
        assert!(memory("---\ntype: [x\n---\nText that is long.\n").is_err());
    }
}
