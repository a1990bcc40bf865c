//! Adoption: what agents and other programs know about a person, as proposals for the identity.
//!
//! Invariant: pure; texts in, proposals out, and none is adopted before a person agrees. The format
//! is that of the whole file, never of one line in it. A proposal says what the file says, letter
//! for letter; everything else is left out with its place and the reason.

mod blocks;
mod exports;
mod form;
mod lines;
mod markdown;
mod notes;
mod saved;
mod services;
mod subject;
pub mod zipped;

use crate::identity::{Stamp, label_lines, memory};
use serde::Serialize;
use std::{
    collections::HashMap,
    mem::{self, Discriminant},
};
use thiserror::Error;

pub use form::{SourceForm, form_of};

/// What a proposal would become.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProposedAs {
    Fact,
    /// A line of a trait: `communication-style`.
    Trait(&'static str),
    /// A field of the profile: `Timezone`.
    Field(String),
}

/// Where something is in its file; lines and entries count from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// The first line and the last.
    Lines(usize, usize),
    /// An entry of an export.
    Entry(usize),
    /// What is only counted: the first line or entry, and how many there are.
    More(usize, usize),
    /// How many parts of an archive it is, which are only counted.
    Parts(usize),
}

impl Place {
    /// How many lines, entries or parts it is.
    pub fn count(self) -> usize {
        match self {
            Place::Lines(first, last) => last.saturating_sub(first) + 1,
            Place::Entry(_) => 1,
            Place::More(_, count) | Place::Parts(count) => count,
        }
    }

    /// Where it begins.
    pub fn first(self) -> usize {
        match self {
            Place::Lines(first, _) | Place::Entry(first) | Place::More(first, _) => first,
            Place::Parts(_) => 0,
        }
    }

    /// Whether it is in a file that was read.
    pub fn is_in_text(self) -> bool {
        !matches!(self, Place::Parts(_))
    }
}

/// One thing found in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proposal {
    pub what: ProposedAs,
    pub text: String,
    pub tags: Vec<String>,
    /// When it was learned, if the file says so.
    pub at: Option<Stamp>,
    pub place: Place,
}

impl Proposal {
    fn fact(text: impl Into<String>, place: Place) -> Proposal {
        Proposal { what: ProposedAs::Fact, text: text.into(), tags: Vec::new(), at: None, place }
    }
}

/// What does not become a proposal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeftOut {
    pub place: Place,
    /// The beginning of its first line, redacted.
    pub text: String,
    pub reason: Reason,
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Reason {
    #[error("a heading")]
    Heading,
    #[error("a code block")]
    Code,
    #[error("a comment")]
    Comment,
    #[error("a table")]
    Table,
    #[error("a tag without text")]
    Tag,
    #[error("the file's own labels")]
    Labels,
    #[error("it has no letters")]
    NoLetters,
    #[error("it introduces what follows")]
    Introduction,
    #[error("it only points to another file")]
    Pointer,
    #[error("a link between notes")]
    Relation,
    #[error("co's own block")]
    OwnBlock,
    #[error("longer than {} characters", MAX_LEN)]
    TooLong,
    /// In the export's own words.
    #[error("no longer valid in the export: {0}")]
    Ended(String),
    /// Until a date, past or to come, in the export's own words.
    #[error("the export says that it holds only for a time: {0}")]
    Expires(String),
    #[error("it asks to forget something")]
    Order,
    #[error("a prompt, not a memory")]
    Prompt,
    #[error("nothing in it was saved as a memory")]
    NothingSaved,
    #[error("another part of the export")]
    OtherPart,
    /// Of one kind: `pictures`.
    #[error("{0} are not read")]
    Attachments(&'static str),
    #[error("a relation between things, not a memory")]
    Graph,
    #[error("a web page of prompts; Google Takeout also writes them as JSON")]
    Page,
    /// Under the key of this name.
    #[error("a second text of the same memory ({0})")]
    Second(&'static str),
    #[error("not an entry that co can read: {0}")]
    Broken(String),
}

impl Reason {
    /// Whether it is how the file is built, and not something that the file says.
    pub fn is_structure(&self) -> bool {
        matches!(
            self,
            Reason::Heading
                | Reason::Comment
                | Reason::Tag
                | Reason::Labels
                | Reason::NoLetters
                | Reason::Introduction
                | Reason::OwnBlock
                | Reason::Prompt
                | Reason::NothingSaved
                | Reason::OtherPart
                | Reason::Attachments(_)
        )
    }
}

/// Everything that a file says: each of its lines is in one of the two lists.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reading {
    pub proposals: Vec<Proposal>,
    pub left: Vec<LeftOut>,
    /// How much was left out of each kind of reason.
    kinds: HashMap<Discriminant<Reason>, Kept>,
}

/// What was left out for one kind of reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Kept {
    /// How many are listed with their texts.
    listed: usize,
    /// Where in the list the others are counted.
    counted_at: Option<usize>,
}

/// How much is listed of each kind of reason; the rest is counted.
const MAX_LISTED: usize = 2_000;

impl Reading {
    fn propose(&mut self, proposal: Proposal) {
        let text = proposal.text.trim().to_owned();
        let is_field = matches!(proposal.what, ProposedAs::Field(_));
        if !is_field && !text.chars().any(char::is_alphabetic) {
            self.leave(proposal.place, &text, Reason::NoLetters);
        } else if text.chars().count() > MAX_LEN {
            self.leave(proposal.place, &text, Reason::TooLong);
        } else {
            self.proposals.push(Proposal { text, ..proposal });
        }
    }

    fn leave(&mut self, place: Place, text: &str, reason: Reason) {
        let kept = self.kinds.entry(mem::discriminant(&reason)).or_default();
        let is_counted = matches!(place, Place::More(..)) || kept.listed >= MAX_LISTED;
        if !is_counted {
            kept.listed += 1;
            self.left.push(LeftOut { place, text: memory::summary(text.trim()), reason });
            return;
        }
        let known = kept.counted_at.and_then(|at| self.left.get_mut(at));
        if let Some(LeftOut { place: Place::More(_, count), .. }) = known {
            *count += place.count();
            return;
        }
        kept.counted_at = Some(self.left.len());
        let place = Place::More(place.first(), place.count());
        self.left.push(LeftOut { place, text: String::new(), reason });
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Unreadable {
    #[error("it is not valid JSON: {0}")]
    Json(String),
    #[error("it is not an export from a program that co knows (mem0, ChatGPT, Claude, Gemini)")]
    Export,
    #[error("it is a zip archive, but not an export of ChatGPT, Claude or Gemini")]
    OtherZip,
    #[error("it is a damaged zip archive: {0}")]
    Zip(String),
    #[error("it is encrypted and needs a password")]
    Encrypted,
    #[error("it unpacks to more than {0} MiB")]
    TooLarge(u64),
    #[error("its entries are larger than {0} MiB")]
    LargeEntries(usize),
    #[error("it has more than {0} files of memories and conversations")]
    ManyParts(usize),
}

/// The longest fact, in characters; anything longer is a document.
const MAX_LEN: usize = 4_000;

pub fn read(form: SourceForm, text: &str) -> Result<Reading, Unreadable> {
    Ok(match form {
        SourceForm::Markdown => markdown::read(text),
        SourceForm::Memory => notes::memory(text),
        SourceForm::Note => notes::note(text),
        SourceForm::Export => exports::read(text)?,
        SourceForm::Records => exports::records(text)?,
        SourceForm::Lines => fact_per_line(text),
    })
}

fn fact_per_line(text: &str) -> Reading {
    let mut reading = Reading::default();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let (line, place) = (line.trim(), Place::Lines(at + 1, at + 1));
        if lines::heading(line).is_some() {
            reading.leave(place, line, Reason::Heading);
        } else {
            reading.propose(Proposal::fact(lines::item(line).unwrap_or(line), place));
        }
    }
    reading
}

/// What a person asked an agent to remember, from a file of its own: requests to delete, and the
/// scopes and task tags above the text, are not facts.
pub fn requested_memory(text: &str) -> Option<String> {
    let kept = behind_labels(text).trim().to_owned();
    let lower = kept.to_lowercase();
    let is_order = ["delete ", "forget ", "remove "].iter().any(|word| lower.starts_with(word));
    let is_fact = kept.chars().any(char::is_alphabetic) && kept.chars().count() <= MAX_LEN;
    (is_fact && !is_order).then_some(kept)
}

/// The text below the lines that label it.
fn behind_labels(mut text: &str) -> &str {
    while !text.is_empty() {
        let (line, below) = text.split_once('\n').unwrap_or((text, ""));
        let lower = line.trim().to_lowercase();
        let labels = ["scope:", "cwd:", "task:", "[ad-hoc note]", "# "];
        let is_label = lower.is_empty() || labels.iter().any(|begins| lower.starts_with(begins));
        text = match label_lines::tagged(text.trim_start_matches([' ', '\t'])) {
            Some(tagged) => tagged.rest,
            None if is_label => below,
            None => return text,
        };
    }
    text
}

/// `2026-11-22T09-12-00-tabs.md`
pub fn requested_at(name: &str) -> Option<Stamp> {
    let (day, time) = name.get(..19)?.split_once('T')?;
    stamp(&format!("{day}T{}Z", time.replace('-', ":")))
}

fn stamp(text: &str) -> Option<Stamp> {
    Stamp::parse(text).map(|read| read.stamp)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(form: SourceForm, text: &str) -> Vec<String> {
        let reading = read(form, text).expect("any text has lines");
        reading.proposals.into_iter().map(|one| one.text).collect()
    }

    #[test]
    fn a_bullet_is_not_part_of_a_fact() {
        let text = "- Lives in Seattle\n  * Works with Rust\n• Rides a bicycle\nPrefers dark mode";
        let wanted =
            ["Lives in Seattle", "Works with Rust", "Rides a bicycle", "Prefers dark mode"];
        assert_eq!(texts(SourceForm::Lines, text), wanted);
    }

    #[test]
    fn short_is_not_empty() {
        let text = "Use tabs\n使用中文回答\nタブを使う\nใช้แท็บ\n---\n42\n";
        let reading = read(SourceForm::Lines, text).expect("any text has lines");
        assert_eq!(reading.proposals.len(), 4);
        let left: Vec<Place> = reading.left.iter().map(|left| left.place).collect();
        assert_eq!(left, [Place::Lines(5, 5), Place::Lines(6, 6)]);
    }

    #[test]
    fn what_is_left_out_over_and_over_is_counted() {
        let json = format!("[{}{{\"memory\":\"Use tabs\"}}]", "0,".repeat(MAX_LISTED + 500));
        let reading = read(SourceForm::Export, &json).expect("an export");
        assert_eq!((reading.proposals.len(), reading.left.len()), (1, MAX_LISTED + 1));
        let last = reading.left.last().expect("a count");
        assert_eq!((last.place, last.text.as_str()), (Place::More(MAX_LISTED + 1, 500), ""));
        let lines = "---\n".repeat(MAX_LISTED + 3) + "# A\nUse tabs\n";
        let reading = read(SourceForm::Lines, &lines).expect("lines");
        assert_eq!((reading.proposals.len(), reading.left.len()), (1, MAX_LISTED + 2));
        assert_eq!(reading.left[MAX_LISTED].place, Place::More(MAX_LISTED + 1, 3));
        assert_eq!(reading.left[MAX_LISTED + 1].reason, Reason::Heading);
        // The place of a text within an export is its entry.
        let rules = "***\\n".repeat(MAX_LISTED + 7);
        let json = format!("[{{\"conversations_memory\":\"{rules}Use tabs\"}}]");
        let reading = read(SourceForm::Export, &json).expect("an export");
        assert_eq!(reading.left.last().map(|left| left.place), Some(Place::More(1, 7)));
    }

    #[test]
    fn labels_of_a_request_stand_above_it() {
        let text = "scope: user\n\nUse tabs\ntags: are what I call them\n";
        assert_eq!(requested_memory(text).as_deref(), Some("Use tabs\ntags: are what I call them"));
        for labels in ["tags: a, b", "Tags:\n- a\n- b", "tags:", "# Note\n tags: [a]"] {
            let text = format!("{labels}\n\nUse tabs\n");
            assert_eq!(requested_memory(&text).as_deref(), Some("Use tabs"), "{labels}");
        }
        let text = "tags: are how git marks releases, and I never move them";
        assert_eq!(requested_memory(text).as_deref(), Some(text));
        assert_eq!(requested_memory("tags: a, b"), None);
        assert_eq!(requested_memory("forget the tabs"), None);
    }
}
