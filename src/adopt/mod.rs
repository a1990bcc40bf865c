//! Adoption: what agents and other programs know about a person, as proposals for the identity.
//!
//! Invariant: pure; texts in, proposals out, and none is adopted before a person agrees. Input that
//! cannot be read as the format it claims gives an error, never half a proposal.

mod exports;
mod markdown;
mod notes;

use crate::identity::Stamp;
use thiserror::Error;

/// What a proposal would become.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProposedAs {
    Fact,
    /// A line of a trait: `communication-style`.
    Trait(&'static str),
    /// A field of the profile: `Timezone`.
    Field(String),
}

/// One thing found in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proposal {
    pub what: ProposedAs,
    pub text: String,
    pub tags: Vec<String>,
    /// When it was learned, if the file says so.
    pub at: Option<Stamp>,
}

impl Proposal {
    fn fact(text: impl Into<String>) -> Proposal {
        Proposal { what: ProposedAs::Fact, text: text.into(), tags: Vec::new(), at: None }
    }
}

/// The format of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SourceForm {
    /// Instructions and memories in markdown: one fact per list item or short paragraph.
    Markdown,
    /// One memory per file, with frontmatter.
    Memory,
    /// Notes of basic-memory: `- [category] text #tag (context)`.
    Note,
    /// Exports of mem0, ChatGPT and Claude.
    Export,
    /// One fact per line.
    Lines,
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Unreadable {
    #[error("it is not valid JSON: {0}")]
    Json(String),
    #[error("its frontmatter cannot be read")]
    Front,
    #[error("it is not an export from a program that co knows (mem0, ChatGPT, Claude)")]
    Export,
}

/// The longest fact, in characters; anything longer is a document.
const MAX_LEN: usize = 1_000;
/// The shortest fact, in words; fewer mean nothing on their own.
const FEWEST: usize = 3;

pub fn read(form: SourceForm, text: &str) -> Result<Vec<Proposal>, Unreadable> {
    let found = match form {
        SourceForm::Markdown => markdown::read(text),
        SourceForm::Memory => notes::memory(text)?,
        SourceForm::Note => notes::note(text),
        SourceForm::Export => exports::read(text)?,
        SourceForm::Lines => text.lines().map(without_bullet).map(Proposal::fact).collect(),
    };
    Ok(found.into_iter().filter_map(tidied).collect())
}

/// Lists in plain text have bullets too.
fn without_bullet(line: &str) -> &str {
    let text = line.trim_start();
    ["- ", "* ", "• "].iter().find_map(|bullet| text.strip_prefix(bullet)).unwrap_or(text)
}

/// The format of a file, by its name and beginning.
pub fn form_of(name: &str, text: &str) -> SourceForm {
    let lower = name.to_lowercase();
    let is_memory = || text.contains("\ntype:") || text.contains("\nmetadata:");
    let is_note = || text.lines().any(|line| notes::observation(line).is_some());
    match lower.rsplit('.').next().unwrap_or_default() {
        "json" => SourceForm::Export,
        "txt" | "text" => SourceForm::Lines,
        _ if text.starts_with("---") && text.contains("permalink:") => SourceForm::Note,
        _ if is_note() => SourceForm::Note,
        _ if text.starts_with("---") && is_memory() => SourceForm::Memory,
        _ => SourceForm::Markdown,
    }
}

/// What a person asked an agent to remember, from a file of its own: requests to delete, scopes and
/// task tags are not facts.
pub fn requested_memory(text: &str) -> Option<String> {
    let is_scope = |line: &&str| {
        let lower = line.trim().to_lowercase();
        ["scope:", "cwd:", "task:", "tags:", "[ad-hoc note]", "# "]
            .iter()
            .any(|begins| lower.starts_with(begins))
    };
    let kept: Vec<&str> = text.lines().filter(|line| !is_scope(line)).collect();
    let kept = kept.join("\n").trim().to_owned();
    let lower = kept.to_lowercase();
    let is_order = ["delete ", "forget ", "remove "].iter().any(|word| lower.starts_with(word));
    tidied(Proposal::fact(kept)).filter(|_| !is_order).map(|proposal| proposal.text)
}

/// `2026-11-22T09-12-00-tabs.md`
pub fn requested_at(name: &str) -> Option<Stamp> {
    let (day, time) = name.get(..19)?.split_once('T')?;
    Stamp::parse(&format!("{day}T{}Z", time.replace('-', ":"))).map(|read| read.stamp)
}

/// Trims a proposal, and drops it if it is too short or too long to be a fact.
fn tidied(proposal: Proposal) -> Option<Proposal> {
    let text = proposal.text.trim().to_owned();
    let is_field = matches!(proposal.what, ProposedAs::Field(_));
    let says_something = is_field || text.split_whitespace().count() >= FEWEST;
    let fits = says_something && text.chars().count() <= MAX_LEN;
    // Other programs' paths and templates are not facts.
    let is_plain = !text.contains("{{") && !text.starts_with('@');
    (fits && is_plain).then_some(Proposal { text, ..proposal })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bullet_is_not_part_of_a_fact() {
        let text = "- Lives in Seattle\n  * Works with Rust\n• Rides a bicycle\nPrefers dark mode";
        let found = read(SourceForm::Lines, text).expect("any text has lines");
        let texts: Vec<&str> = found.iter().map(|one| one.text.as_str()).collect();
        let wanted =
            ["Lives in Seattle", "Works with Rust", "Rides a bicycle", "Prefers dark mode"];
        assert_eq!(texts, wanted);
    }
}
