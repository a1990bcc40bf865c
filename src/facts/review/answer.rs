//! Carries out answers: one change of the facts, the ledger and the reviewed proposals.
//!
//! Invariant: an answer applies to the facts as they are now, not as they were shown. If they
//! changed meanwhile, or the text cannot be a fact, the answer is refused and the proposal stays.

mod timed;

use super::proposal::{Proposal, Question};
use crate::facts::superseding::{superseded, superseded_by};
use crate::identity::{
    Bound, Calendar, ContentHash, FactView, Ledger, Memory, RelPath, Snapshot, Stamp,
    answers::{Answered, Answers},
    kind::{LEDGER, REVIEWED},
    memory,
    provenance::{Agreed, Provenance},
    slug, summary, text, times, validate,
    value::Value,
};
use crate::index::store::Store;
use crate::machine::{Context, files, oplog::OpVerb};
use crate::merge::{ChangeSet, tidy};
use crate::secrets::Allowed;
use crate::workspace::{Error, Workspace, guard, last_sync, named, skills};
use serde::Serialize;
use std::collections::BTreeSet;

/// Why what a merge left cannot be rejected: both texts are there already.
const UNREJECTABLE: &str = "it asks whether a merge is right, and cannot be rejected: edit, forget \
    or delete what it is about instead, which answers the question";

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

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct AnswerReport {
    pub kept: Vec<FactView>,
    pub merged: Vec<FactView>,
    /// Facts kept from a pair.
    pub joined: Vec<FactView>,
    /// Facts that were forgotten.
    pub forgotten: Vec<FactView>,
    /// Facts that still hold.
    pub confirmed: Vec<FactView>,
    /// Facts that are over.
    pub over: Vec<FactView>,
    pub replaced: Vec<ReplacedFact>,
    pub rejected: usize,
    pub rejected_proposals: Vec<RejectedProposal>,
    pub project_only: usize,
    /// Merges that are as they should be.
    pub settled: usize,
    /// Skills that agents on this laptop have from now on.
    pub skills: Vec<String>,
    /// Answers that could not be carried out, and why; their proposals stay.
    pub refused: Vec<Refused>,
    pub undoable: bool,
}

/// A fact that another replaces.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ReplacedFact {
    #[serde(flatten)]
    pub fact: FactView,
    pub by: FactView,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RejectedProposal {
    pub id: String,
    pub summary: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Refused {
    pub id: String,
    pub why: String,
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

impl AnswerReport {
    /// In one line, for the log.
    fn described(&self) -> String {
        let parts = [
            (self.kept.len(), "kept"),
            (self.merged.len(), "merged"),
            (self.joined.len(), "joined"),
            (self.forgotten.len(), "forgotten"),
            (self.confirmed.len(), "confirmed"),
            (self.over.len(), "over"),
            (self.replaced.len(), "replaced"),
            (self.project_only, "left in the project"),
            (self.rejected, "rejected"),
            (self.settled, "settled"),
        ];
        let parts = parts.into_iter().filter(|(count, _)| *count > 0);
        parts.map(|(count, what)| format!("{count} {what}")).collect::<Vec<String>>().join(", ")
    }
}

/// The state while answers are carried out.
struct Work {
    context: Context,
    store: Store,
    calendar: Calendar,
    /// Numbers that another fact had until a sync renumbered it.
    lost: BTreeSet<u64>,
    now: Stamp,
    /// Whether a fact records the project in which it was learned.
    names_projects: bool,
    before: Snapshot,
    memories: Vec<Memory>,
    ledger: Ledger,
    /// The original ledger: if nothing is forgotten, its file stays byte for byte.
    ledger_before: Ledger,
    answers: Answers,
    /// The origins of facts that merges are right about.
    settled: BTreeSet<Stamp>,
    done: AnswerReport,
}

impl Work {
    fn read(ws: &Workspace, store: &Store) -> Result<Work, Error> {
        let (memories, _) = store.memories();
        let memories: Vec<Memory> = memories.into_iter().map(|placed| placed.memory).collect();
        let mut before: Snapshot =
            memories.iter().map(|memory| (memory.path.clone(), memory.blob.clone())).collect();
        let mut read = |name: &str| -> Result<Vec<u8>, Error> {
            let bytes = files::read(&store.root.join(name))?;
            if let Some(bytes) = &bytes {
                before.put(RelPath::known(name), bytes.clone());
            }
            Ok(bytes.unwrap_or_default())
        };
        let ledger = Ledger::read(&read(LEDGER)?);
        let answers = Answers::read(&read(REVIEWED)?);
        let (now, ledger_before) = (ws.now(), ledger.clone());
        let names_projects = ws.settings.agents.project_names;
        Ok(Work {
            context: ws.context().clone(),
            store: store.clone(),
            calendar: ws.calendar().clone(),
            lost: named::taken_numbers(ws),
            now,
            names_projects,
            before,
            memories,
            ledger,
            ledger_before,
            answers,
            settled: BTreeSet::new(),
            done: AnswerReport::default(),
        })
    }

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
        let id = self.next_id();
        let created = self.learned_at(proposal, hash);
        let tags = validate::tags(&proposal.tags).unwrap_or_default();
        let source = proposal.agent.as_deref().unwrap_or("review");
        let mut document = memory::new(id, created, &tags, source, &text);
        from.set_in(&mut document);
        // Named after the fact, not after its reasons.
        let path = slug::memory_path(id, summary::naming_line(&text));
        let memory = Memory::of_document(path, &document)
            .ok_or_else(|| "it cannot be saved as a fact".to_owned())?;
        self.done.kept.push(self.view(&memory, from.agent));
        self.memories.push(memory);
        Ok(())
    }

    fn next_id(&self) -> u64 {
        self.memories.iter().filter_map(|memory| memory.id).max().unwrap_or(0) + 1
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

    fn forget(&mut self, hash: ContentHash) -> Result<(), String> {
        let memory = self.memories.remove(self.find(hash)?);
        let stamp = tidy::forget_stamp(self.now, &memory, &self.ledger);
        self.ledger.add(memory.created, memory.hash, stamp);
        self.done.forgotten.push(self.view(&memory, None));
        Ok(())
    }

    /// `agent` wrote it, if not the person.
    fn view(&self, memory: &Memory, agent: Option<String>) -> FactView {
        let is_lost = memory.id.is_some_and(|id| self.lost.contains(&id));
        let has_number = |other: &Memory| other.id == memory.id && other.path != memory.path;
        let shared = is_lost || self.memories.iter().any(has_number);
        let view = self.store.place(memory.clone()).view(shared.into(), &self.calendar);
        FactView { agent, ..view }
    }

    fn find(&self, hash: ContentHash) -> Result<usize, String> {
        let at = self.memories.iter().position(|memory| memory.hash == hash);
        at.ok_or_else(|| "the fact has changed in the meantime".to_owned())
    }

    fn end(self) -> (Snapshot, Snapshot, AnswerReport) {
        let mut after: Snapshot =
            self.memories.iter().map(|memory| (memory.path.clone(), memory.blob.clone())).collect();
        let ledger = RelPath::known(LEDGER);
        match self.ledger.write().filter(|_| self.ledger != self.ledger_before) {
            Some(text) => after.put(ledger, text.into_bytes()),
            None => after.set(&ledger, self.before.get(&ledger)),
        }
        if !self.answers.write().is_empty() {
            after.put(RelPath::known(REVIEWED), self.answers.write().as_bytes().to_vec());
        }
        (self.before, after, self.done)
    }
}

fn text_of(typed: &str) -> Result<String, String> {
    let text = validate::text(typed).map_err(|unfit| Error::from(unfit).clause())?;
    let refused = guard::refuse_text(&text, &[], "", &Allowed::default(), "");
    refused.map_err(|error| error.clause())?;
    text::unseen_in_words(&text).map_or(Ok(text), Err)
}
