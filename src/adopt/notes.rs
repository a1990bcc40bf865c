//! Memories in one file each, and basic-memory's notes.
//!
//! Sources: basic-memory's own description of its format; Claude Code's memory folder.

use super::{
    blocks, markdown,
    reading::{Place, Proposal, Reading, Reason},
    times::stamp,
};
use crate::identity::{Document, note::Note};
use std::mem;

/// The longest memory that is one fact, in characters.
const MAX_WHOLE: usize = 1_000;

/// A file that is one memory: the fact with its why and how. A long one is read like instructions.
pub(super) fn memory(text: &str) -> Reading {
    let Ok(document) = Document::arriving(text) else { return markdown::read(text) };
    let note = Note::from_document(&document);
    let is_long = note.text.chars().count() > MAX_WHOLE;
    if is_long || note.text.lines().any(|line| line.starts_with('#')) {
        return markdown::read(text);
    }
    let mut reading = Reading::default();
    let lines: Vec<&str> = text.lines().collect();
    let front = blocks::front_lines(&lines);
    if front > 0 {
        let label = lines.get(1).copied().unwrap_or_default();
        reading.leave(Place::Lines(1, front), label, Reason::Labels);
    }
    let created = || stamp(&document.get("created")?.text()?);
    let at = note.modified.or_else(created);
    let tags = note.about.into_iter().filter(|about| about != "user" && about != "note");
    let fact = Proposal::fact(note.text, Place::Lines(front + 1, lines.len().max(front + 1)));
    if !fact.text.is_empty() {
        reading.propose(Proposal { tags: tags.collect(), at, ..fact });
    }
    reading
}

/// A note: its observations with their categories and tags, and whatever else it says. Its
/// relations are links between notes, not facts.
pub(super) fn note(text: &str) -> Reading {
    let document = Document::arriving(text).ok();
    let said = |key: &str| document.as_ref()?.get(key).and_then(|value| value.text());
    let at = ["modified", "created"].iter().find_map(|key| stamp(&said(key)?));
    let title = said("title");
    let mut reading = markdown::read(text);
    let proposals = mem::take(&mut reading.proposals);
    for proposal in proposals {
        if is_relation(&proposal.text) {
            reading.leave(proposal.place, &proposal.text, Reason::Relation);
            continue;
        }
        let proposal = Proposal { at, ..proposal };
        reading.proposals.push(match observation(&proposal.text) {
            Some((category, text, tags)) => {
                let tags = [vec![category], tags].concat();
                Proposal { text: about(title.as_deref(), text), tags, ..proposal }
            }
            None => proposal,
        });
    }
    reading.left.sort_by_key(|left| left.place.first());
    reading
}

/// An observation is about its note.
fn about(title: Option<&str>, text: String) -> String {
    match title.filter(|title| !text.to_lowercase().contains(&title.to_lowercase())) {
        Some(title) => format!("{title}: {text}"),
        None => text,
    }
}

/// `relates_to [[Other note]]`
fn is_relation(text: &str) -> bool {
    let Some((kind, rest)) = text.split_once("[[") else { return false };
    let target = rest.split_once("]]").map(|(_, behind)| behind.trim());
    let is_kind = kind.split_whitespace().count() <= 1;
    is_kind && target.is_some_and(|behind| behind.is_empty() || behind.starts_with('('))
}

/// `[category] text #tag (context)` as category, text and tags. Only words at its end are tags;
/// `#934` is none.
fn observation(text: &str) -> Option<(String, String, Vec<String>)> {
    let (category, rest) = text.strip_prefix('[')?.split_once(']')?;
    let is_category = category.chars().any(char::is_alphanumeric) && !category.contains(['(', '[']);
    if !is_category || !rest.starts_with(' ') {
        return None;
    }
    let context = rest.rfind(" (").filter(|_| rest.ends_with(')')).unwrap_or(rest.len());
    let (mut said, context) = (rest[..context].trim(), &rest[context..]);
    let mut tags: Vec<String> = Vec::new();
    while let Some((before, tag)) = behind_text(said) {
        said = before;
        tags.insert(0, tag.to_owned());
    }
    let text = format!("{said}{context}").trim().to_owned();
    (!said.is_empty()).then(|| (category.trim().to_lowercase(), text, tags))
}

/// A text and the tag at its end.
fn behind_text(text: &str) -> Option<(&str, &str)> {
    let (before, word) = text.rsplit_once(char::is_whitespace)?;
    let tag = word.strip_prefix('#')?;
    let is_tag = tag.starts_with(char::is_alphabetic) && !tag.contains('#');
    is_tag.then_some((before.trim_end(), tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn observations_are_facts() {
        let text = "---\ntitle: Auth\ntype: note\npermalink: auth\ncreated: 2026-01-02T03:04:05+00:00\n---\n# Auth\n\nEvery login is logged.\n\n- [decision] Selected bcrypt for passwords #security (based on OWASP audit)\n- [bug] see #934 of Auth\n- depends_on [[Database Schema]]\n- [link](x.md)\n- [[Some Entity]]\n";
        let found = note(text);
        let texts: Vec<&str> = found.proposals.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "Every login is logged.",
                "Auth: Selected bcrypt for passwords (based on OWASP audit)",
                "see #934 of Auth",
            ]
        );
        assert_eq!(found.proposals[1].tags, ["decision", "security"]);
        assert!(found.proposals.iter().all(|one| one.at.is_some()));
        let reasons: Vec<&Reason> = found.left.iter().map(|left| &left.reason).collect();
        let wanted = [
            &Reason::Labels,
            &Reason::Heading,
            &Reason::Relation,
            &Reason::Pointer,
            &Reason::Relation,
        ];
        assert_eq!(reasons, wanted);
    }

    #[test]
    fn a_file_is_a_memory() {
        let text = "---\nname: tests\ndescription: x\ntype: feedback\n---\n\nRun the tests before each commit.\n**Why:** they broke.\n";
        let found = memory(text).proposals;
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].tags, ["feedback"]);
        assert!(found[0].text.starts_with("Run the tests"));
        // As written by today's Claude Code.
        let text = "---\nname: tests\ndescription: \"Use pytest\"\nmetadata: \n  node_type: memory\n  type: feedback\n---\n\nUse pytest.\n\n**Why:** fixtures.\n\n**How to apply:** always.\n";
        assert_eq!(crate::adopt::form_of("tests.md", text), crate::adopt::SourceForm::Memory);
        let found = memory(text).proposals;
        assert_eq!(
            (found.len(), found[0].tags.as_slice()),
            (1, ["feedback".to_owned()].as_slice())
        );
        assert!(found[0].text.ends_with("**How to apply:** always."));
        // Labels that cannot be read are no reason to lose the text.
        let found = memory("---\ntype: [x\n---\nText that is long.\n");
        assert_eq!((found.proposals.len(), found.left.len()), (1, 1));
    }
}
