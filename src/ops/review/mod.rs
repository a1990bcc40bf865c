//! `review`: what agents would add to a person's facts, for the person to answer.
//!
//! Invariant: a proposal is no fact until it was agreed to. All answers of one review are one
//! operation; each is written down by hash, so that no laptop asks again. What is proposed stays
//! where it came from.

mod answer;
pub mod queue;
mod scan;
mod sources;

pub use answer::{Answer, Done, apply};

use super::{Error, store::Store};
use crate::identity::{ContentHash, answers::Answers, kind::REVIEWED, provenance::Provenance};
use crate::system::{Context, files};
use serde::Serialize;

/// Letters of a proposal's name.
const SHORT: usize = 12;

/// One thing to answer.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Proposal {
    pub id: String,
    #[serde(skip)]
    pub hash: ContentHash,
    #[serde(flatten)]
    pub what: Question,
    /// What it says: the new fact, or the facts that it is about.
    pub text: String,
    pub tags: Vec<String>,
    /// Who wrote it, when, and where.
    pub agent: Option<String>,
    pub session: Option<String>,
    pub project: Option<String>,
    pub at: Option<String>,
    /// What the agent calls it: `feedback`.
    pub about: Option<String>,
    /// Why it waits.
    pub why: Option<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Question {
    /// A new fact, and the one here that it is much like.
    Learn { like: Option<Fact> },
    /// Two facts that say nearly the same.
    Join { older: Fact, newer: Fact },
    /// Two facts that say different things about one subject.
    Replace { older: Fact, newer: Fact },
    /// A fact whose date has passed, or that was not read for long.
    Forget { fact: Fact },
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Fact {
    pub handle: String,
    pub text: String,
    #[serde(skip)]
    pub hash: Option<ContentHash>,
}

impl Proposal {
    /// Whether it stands in a note of a project, which it can stay.
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
    /// What agents proposed.
    Proposed,
    /// Also what the facts themselves give rise to.
    Scanned,
}

/// What waits for an answer, the oldest first.
pub fn list(context: &Context, among: Among) -> Result<Vec<Proposal>, Error> {
    let store = Store::identity(context)?;
    let answers = answers(&store);
    let mut all = sources::proposals(context, &store, &answers);
    if among == Among::Scanned {
        let scanned = scan::proposals(context, &store).into_iter();
        all.extend(scanned.filter(|proposal| !answers.has(proposal.hash)));
    }
    Ok(all)
}

/// How many wait, without what a scan would find.
pub fn waiting(context: &Context) -> usize {
    let Ok(store) = Store::identity(context) else { return 0 };
    sources::waiting(context, &store, &answers(&store)).len()
}

/// Whether a person said no to a text.
pub fn is_rejected(store: &Store, text: ContentHash) -> bool {
    answers(store).is_declined(text)
}

fn answers(store: &Store) -> Answers {
    let bytes = files::read(&store.root.join(REVIEWED)).ok().flatten();
    bytes.map(|bytes| Answers::read(&bytes)).unwrap_or_default()
}

fn id(hash: ContentHash) -> String {
    hash.short(SHORT)
}
