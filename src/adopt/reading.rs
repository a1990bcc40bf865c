//! What a file says: each thing is a proposal, or left out with its place and the reason.
//!
//! Invariant: what is left out over and over is counted. Must not know: any format.

use crate::identity::{Stamp, memory};
use serde::Serialize;
use std::{
    collections::HashMap,
    mem::{self, Discriminant},
};
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
    pub(super) fn fact(text: impl Into<String>, place: Place) -> Proposal {
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
pub(super) const MAX_LISTED: usize = 2_000;

impl Reading {
    pub(super) fn propose(&mut self, proposal: Proposal) {
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

    pub(super) fn leave(&mut self, place: Place, text: &str, reason: Reason) {
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
pub(super) const MAX_LEN: usize = 4_000;
