//! One question to a person: what is asked, about which facts, and where it came from.
//!
//! Invariant: its hash is that of what is asked, so that an answer is found again on every laptop.
//! Must not know who asks, nor how an answer is carried out.

use crate::identity::{ContentHash, FactView, RelPath, Stamp, provenance::Provenance};
use serde::{Serialize, Serializer};
use std::collections::BTreeSet;

/// Characters of a proposal's id.
const SHORT: usize = 12;

/// One proposal to answer.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Proposal {
    pub id: String,
    #[serde(skip)]
    pub hash: ContentHash,
    #[serde(flatten)]
    pub what: Question,
    /// Its text: the new fact, or the facts that it is about.
    pub text: String,
    pub tags: Vec<String>,
    /// Who wrote it, when, and where.
    pub agent: Option<String>,
    pub session: Option<String>,
    pub project: Option<String>,
    pub at: Option<String>,
    /// The agent's own category: `feedback`.
    pub about: Option<String>,
    /// Why it needs an answer.
    pub why: Option<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Question {
    /// A new fact, and the existing one that it resembles.
    Learn {
        #[serde(serialize_with = "with_text_if_any")]
        like: Option<FactView>,
    },
    /// Two facts that say nearly the same.
    Join {
        #[serde(serialize_with = "with_text")]
        older: FactView,
        #[serde(serialize_with = "with_text")]
        newer: FactView,
    },
    /// Two facts that say different things of one subject: the newer may replace the older.
    Replace {
        #[serde(serialize_with = "with_text")]
        older: FactView,
        #[serde(serialize_with = "with_text")]
        newer: FactView,
    },
    /// A fact whose date has passed, or that was not read for a long time.
    Forget {
        #[serde(serialize_with = "with_text")]
        fact: FactView,
    },
    /// A skill that came from elsewhere, which agents here shall have.
    Skill {
        name: String,
        files: Vec<String>,
        /// What in it can run.
        programs: Vec<String>,
    },
    /// A fact that may no longer hold.
    Check {
        #[serde(serialize_with = "with_text")]
        fact: FactView,
    },
    /// What two laptops did to the same facts, field or document, and a merge decided.
    Look {
        named: String,
        /// The origins of the facts that it is about.
        #[serde(skip)]
        facts: BTreeSet<Stamp>,
        /// Commands that change what it is about, each of which answers it.
        #[serde(skip)]
        corrections: Vec<String>,
        /// The document that it is about.
        #[serde(skip)]
        path: Option<RelPath>,
        /// The line of its field.
        #[serde(skip)]
        field: Option<String>,
        /// What the merge did not keep of that field.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        other_values: Vec<String>,
        /// Commands that show what the merge did not keep of the document.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        other_texts: Vec<String>,
        /// Commands that bring one of them back, in the same order.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        bring_back: Vec<String>,
    },
}

/// As `--json` prints a fact that a question is about: its text once, as `text`.
#[derive(Serialize)]
struct FactWithText<'a> {
    #[serde(flatten)]
    fact: FactView,
    text: &'a str,
}

impl FactWithText<'_> {
    fn of(fact: &FactView) -> FactWithText<'_> {
        FactWithText { fact: FactView { content: None, ..fact.clone() }, text: fact.text() }
    }
}

fn with_text<S: Serializer>(fact: &FactView, serializer: S) -> Result<S::Ok, S::Error> {
    FactWithText::of(fact).serialize(serializer)
}

fn with_text_if_any<S: Serializer>(
    fact: &Option<FactView>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    fact.as_ref().map(FactWithText::of).serialize(serializer)
}

impl Proposal {
    /// Of nobody in particular, without tags.
    pub fn of(hash: ContentHash, what: Question, text: String) -> Proposal {
        Proposal {
            id: id(hash),
            hash,
            what,
            text,
            tags: Vec::new(),
            agent: None,
            session: None,
            project: None,
            at: None,
            about: None,
            why: None,
        }
    }

    /// What a question about a merge is about, by handle, field or path.
    pub fn subject(&self) -> Option<&str> {
        let Question::Look { named, .. } = &self.what else { return None };
        // What met is behind it, in parentheses.
        Some(named.rsplit_once(" (").map_or(named.as_str(), |(subject, _)| subject))
    }

    /// Whether it asks about a merge: there is nothing to reject.
    pub fn is_look(&self) -> bool {
        matches!(self.what, Question::Look { .. })
    }

    /// Whether it is a skill, which is answered by itself: it may run programs.
    pub fn is_skill(&self) -> bool {
        matches!(self.what, Question::Skill { .. })
    }

    /// Whether it asks whether a fact still holds: there is nothing to reject, either.
    pub fn is_check(&self) -> bool {
        matches!(self.what, Question::Check { .. })
    }

    /// Whether it comes from a project's note, where it can stay.
    pub fn is_note(&self) -> bool {
        self.about.is_some()
    }

    pub fn provenance(&self) -> Provenance {
        Provenance {
            agent: self.agent.clone(),
            session: self.session.clone(),
            project: self.project.clone(),
            agreed: None,
        }
    }
}

pub(super) fn id(hash: ContentHash) -> String {
    hash.short(SHORT)
}
