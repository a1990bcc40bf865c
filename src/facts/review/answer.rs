//! Carries out answers: one change of the facts, the ledger and the reviewed proposals.
//!
//! Invariant: an answer applies to the facts as they are now, not as they were shown. If they
//! changed meanwhile, or the text cannot be a fact, the answer is refused and the proposal stays.

mod timed;
mod work;

use super::proposal::{Proposal, Question};
use crate::facts::superseding::{superseded, superseded_by};
use crate::identity::{
    Bound, ContentHash, Stamp,
    answers::Answered,
    memory,
    provenance::{Agreed, Provenance},
    times, validate,
    value::Value,
};
use crate::machine::oplog::OpVerb;
use crate::merge::ChangeSet;
use crate::workspace::{Error, Workspace, last_sync, skills};
use work::{Refused, RejectedProposal, Work, text_of};

pub use work::AnswerReport;

/// Why what a merge left cannot be rejected: both texts are there already.
const UNREJECTABLE: &str = "it asks whether a merge is right, and cannot be rejected: edit, forget \
    or delete what it is about instead, which answers the question";
/// The same of whether a fact still holds.
const UNREJECTABLE_CHECK: &str = "it asks whether a fact still holds, and cannot be rejected: say \
    since when it is over, what replaces it, or forget it";

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Do what is proposed; for a new fact, with this text if there is one.
    Accept(Option<String>),
    /// Merge a new fact into the one that it resembles.
    Merge,
    /// Keep it only as a note of its project.
    ProjectOnly,
    Reject,
    /// The fact held until then.
    OverSince(Bound),
    ReplacedBy(Replacement),
    Forget,
}

/// What replaces a fact.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Replacement {
    /// The fact with this text.
    Fact(ContentHash),
    /// A new one.
    Text(String),
}

pub fn apply(ws: &Workspace, answers: &[(Proposal, Answer)]) -> Result<AnswerReport, Error> {
    let store = ws.identity()?;
    let write = ws.write(store)?;
    let mut work = Work::read(ws, store)?;
    for (proposal, answer) in answers {
        if let Err(why) = work.answer(proposal, answer) {
            work.done.refused.push(Refused { id: proposal.id.clone(), why });
        }
    }
    let settled = std::mem::take(&mut work.settled);
    let (before, after, mut done) = work.end();
    let change = ChangeSet::between(&before, &after);
    if change.is_empty() {
        return Ok(done);
    }
    let transaction = write.operation(OpVerb::Review, done.described());
    transaction.apply_between(&before, &after, &|_, _| {})?;
    last_sync::settle_numbers_of(store, &settled);
    done.undoable = true;
    Ok(done)
}

impl Work {
    fn answer(&mut self, proposal: &Proposal, answer: &Answer) -> Result<(), String> {
        let answered = match (answer, &proposal.what) {
            (Answer::Accept(text), Question::Learn { .. }) => {
                self.learn(proposal, text.as_deref())?;
                Answered::Kept
            }
            (Answer::Merge, Question::Learn { like: Some(like) }) => {
                self.merge(proposal, like.hash)?;
                Answered::Kept
            }
            (Answer::Merge, Question::Learn { like: None }) => {
                return Err("no similar fact exists".to_owned());
            }
            (Answer::Accept(_) | Answer::Merge, Question::Join { older, newer }) => {
                self.join(older.hash, newer.hash)?;
                Answered::Kept
            }
            (Answer::Accept(_) | Answer::Merge, Question::Replace { older, newer }) => {
                self.replace(older.hash, newer.hash)?;
                Answered::Kept
            }
            (Answer::Forget, Question::Replace { older: fact, .. })
            | (Answer::Accept(_) | Answer::Merge | Answer::Forget, Question::Forget { fact }) => {
                self.forget(fact.hash)?;
                Answered::Kept
            }
            (Answer::Accept(_) | Answer::Merge, Question::Look { facts, .. }) => {
                self.settled.extend(facts);
                self.done.settled += 1;
                Answered::Kept
            }
            (Answer::Accept(_) | Answer::Merge, Question::Skill { name, .. }) => {
                return self.agree(proposal.hash, name);
            }
            // What is said of it is in its own keys, and it is asked about when it is due again.
            (answer, Question::Check { fact }) => return self.checked(fact.hash, answer),
            (Answer::ProjectOnly | Answer::Reject, Question::Look { .. }) => {
                return Err(UNREJECTABLE.to_owned());
            }
            (Answer::OverSince(_) | Answer::ReplacedBy(_) | Answer::Forget, _) => {
                return Err("that does not answer what is asked".to_owned());
            }
            (Answer::ProjectOnly, _) => {
                self.done.project_only += 1;
                Answered::Declined
            }
            (Answer::Reject, _) => {
                self.done.rejected += 1;
                let (id, summary) = (proposal.id.clone(), memory::summary(&proposal.text));
                self.done.rejected_proposals.push(RejectedProposal { id, summary });
                Answered::Declined
            }
        };
        self.answers.add(proposal.hash, answered, self.now);
        Ok(())
    }

    fn checked(&mut self, fact: ContentHash, answer: &Answer) -> Result<(), String> {
        match answer {
            Answer::Accept(_) | Answer::Merge => self.confirm(fact),
            Answer::OverSince(last) => self.over(fact, *last),
            Answer::ReplacedBy(Replacement::Fact(by)) => self.replace(fact, *by),
            Answer::ReplacedBy(Replacement::Text(text)) => self.replace_with(fact, text),
            Answer::Forget => self.forget(fact),
            Answer::ProjectOnly | Answer::Reject => Err(UNREJECTABLE_CHECK.to_owned()),
        }
    }

    /// On this laptop alone, and by no file that others could write.
    fn agree(&mut self, hash: ContentHash, name: &str) -> Result<(), String> {
        let all = skills::offered(&self.context, &self.store);
        let skill = all.iter().find(|skill| skill.name == name && skill.hash() == hash);
        let skill = skill.ok_or_else(|| "the skill has changed in the meantime".to_owned())?;
        skills::agree(&self.context, skill).map_err(|error| error.to_string())?;
        self.done.skills.push(name.to_owned());
        Ok(())
    }

    fn learn(&mut self, proposal: &Proposal, edited: Option<&str>) -> Result<(), String> {
        let text = text_of(edited.unwrap_or(&proposal.text))?;
        let mut from = Provenance { agreed: Some(Agreed::Person), ..proposal.provenance() };
        from.project.take_if(|_| !self.names_projects);
        let hash = ContentHash::of_body(&text);
        if let Some(at) = self.memories.iter().position(|memory| memory.hash == hash) {
            return self.learn_again(at, from.agent);
        }
        let created = self.learned_at(proposal, hash);
        let tags = validate::tags(&proposal.tags).unwrap_or_default();
        let source = proposal.agent.as_deref().unwrap_or("review");
        let agent = from.agent.clone();
        self.save((&text, created), (&tags, source), agent, |document| from.set_in(document))
    }

    /// When the agent wrote it: the same on every laptop, so that two that accept it get one fact.
    /// Later than an earlier forget.
    fn learned_at(&self, proposal: &Proposal, hash: ContentHash) -> Stamp {
        let wrote = proposal.at.as_deref().and_then(Stamp::parse).map(|read| read.stamp);
        let at = wrote.filter(|at| *at < self.now).unwrap_or(self.now);
        // Distinct creation times keep several answers separate facts.
        let at = Stamp::from_micros(at.micros() + i64::from(hash.hash_prefix() as u16));
        match self.ledger.of_text(hash) {
            Some(forgotten) => at.max(self.now).max(forgotten.plus(Stamp::SECOND)),
            None => at,
        }
    }

    /// Keeps the fact's number and text, and appends the new text.
    fn merge(&mut self, proposal: &Proposal, like: ContentHash) -> Result<(), String> {
        let new = text_of(&proposal.text)?;
        let at = self.find(like)?;
        let memory = &self.memories[at];
        let old = memory.text();
        let text = match (new.contains(old), old.contains(&new)) {
            (true, _) => new,
            (_, true) => old.to_owned(),
            _ => format!("{old}\n\n{new}"),
        };
        let updated = self.now.max(memory.latest().plus(Stamp::SECOND));
        let merged = memory.edited(|document| {
            document.set_body(format!("\n{text}\n"));
            document.set_checksum();
            document.set("updated", Value::Text(updated.with_offset()));
        });
        self.done.merged.push(self.view(&merged, proposal.agent.clone()));
        let before = std::mem::replace(&mut self.memories[at], merged);
        self.follow(&before, at);
        Ok(())
    }

    /// Keeps the newer fact, with the tags of both; it replaces what either did.
    fn join(&mut self, older: ContentHash, newer: ContentHash) -> Result<(), String> {
        let old = self.memories[self.find(older)?].clone();
        let at = self.find(newer)?;
        let memory = &self.memories[at];
        let more = old.tags.iter().filter(|tag| !memory.tags.contains(tag)).cloned();
        let tags: Vec<String> = memory.tags.iter().cloned().chain(more).collect();
        let (of_newer, of_either) = (superseded(memory), superseded_by(&old, memory));
        let joined = if tags == memory.tags && of_either == of_newer {
            memory.clone()
        } else {
            let updated = self.now.max(memory.latest().max(old.latest()).plus(Stamp::SECOND));
            memory.edited(|document| {
                if tags != memory.tags {
                    document.set("tags", Value::List(tags));
                }
                if of_either != of_newer {
                    times::set_superseded(document, &of_either);
                }
                document.set("updated", Value::Text(updated.with_offset()));
            })
        };
        self.done.joined.push(self.view(&joined, None));
        self.memories[at] = joined;
        self.forget(older)
    }
}
