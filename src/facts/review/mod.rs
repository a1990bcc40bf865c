//! `review`: what agents propose to add to a person's facts, what merges left to look at, and which
//! facts may no longer hold, for the person to decide.
//!
//! Invariant: a proposal becomes a fact only after the person agrees. All answers of one review are
//! one operation; each is recorded by hash, or in the keys of the fact that it is about, so that no
//! laptop asks again. The proposed text stays where it came from.

mod answer;
mod holding;
mod merges;
mod other_texts;
pub mod queue;
mod scan;
mod skills;
mod sources;
mod stale;

use crate::identity::{
    ContentHash, FactView, RelPath, Stamp, answers::Answers, kind::REVIEWED, provenance::Provenance,
};
use crate::index::store::Store;
use crate::machine::files;
use crate::workspace::{Error, Workspace};
pub use answer::{Answer, AnswerReport, Replacement, apply};
pub use stale::{over_since, replaced_by};

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

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Among {
    /// Proposals of agents.
    Proposed,
    /// Also proposals derived from the existing facts.
    Scanned,
    /// Facts that may no longer hold, alone.
    Stale,
}

/// As [`list`], for a person to look at: with the commands that show what merges did not keep.
pub fn ask(ws: &Workspace, among: Among) -> Result<Vec<Proposal>, Error> {
    let mut all = list(ws, among)?;
    other_texts::add(ws, ws.identity()?, &mut all);
    Ok(all)
}

/// The open proposals, oldest first.
pub fn list(ws: &Workspace, among: Among) -> Result<Vec<Proposal>, Error> {
    let store = ws.identity()?;
    let answers = answers(store);
    if among == Among::Stale {
        return Ok(stale::proposals(ws, store, &answers));
    }
    let mut all = merges::open(ws, store, &answers);
    all.extend(sources::proposals(ws, store, &answers));
    all.extend(skills::waiting(ws, store, &answers));
    if among == Among::Scanned {
        let scanned = scan::proposals(ws, store).into_iter();
        all.extend(scanned.filter(|proposal| !answers.has(proposal.hash)));
    }
    Ok(all)
}

/// What waits for a person, without what a scan would find.
#[derive(Default)]
pub struct Waiting {
    pub count: usize,
    /// What merges left to look at, in a few words each.
    pub merges: Vec<String>,
}

pub fn waiting(ws: &Workspace) -> Waiting {
    let Ok(store) = ws.identity() else { return Waiting::default() };
    let answers = answers(store);
    let asked = merges::open(ws, store, &answers);
    let of_skills = skills::waiting(ws, store, &answers).len();
    let count = asked.len() + sources::waiting(ws, store, &answers).len() + of_skills;
    let named = |proposal: Proposal| match proposal.what {
        Question::Look { named, .. } => Some(named),
        _ => None,
    };
    Waiting { count, merges: asked.into_iter().filter_map(named).collect() }
}

/// Whether a person rejected a text.
pub fn is_rejected(store: &Store, text: ContentHash) -> bool {
    answers(store).is_declined(text)
}

/// What was answered so far, on any laptop.
pub fn answers(store: &Store) -> Answers {
    let bytes = files::read(&store.root.join(REVIEWED)).ok().flatten();
    bytes.map(|bytes| Answers::read(&bytes)).unwrap_or_default()
}

fn id(hash: ContentHash) -> String {
    hash.short(SHORT)
}
