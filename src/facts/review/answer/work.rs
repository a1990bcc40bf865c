//! The state while answers are carried out, and the report of them.
//!
//! Invariant: knows no answer. What it does to the facts it reports.

use crate::identity::{
    Calendar, ContentHash, Document, FactView, Ledger, Memory, RelPath, Snapshot, Stamp,
    answers::Answers,
    kind::{LEDGER, REVIEWED},
    memory, slug, summary, text, validate,
};
use crate::index::store::Store;
use crate::machine::{Context, files};
use crate::merge::tidy;
use crate::secrets::Allowed;
use crate::workspace::{Error, Workspace, guard, named};
use serde::Serialize;
use std::collections::BTreeSet;

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

impl AnswerReport {
    /// In one line, for the log.
    pub(super) fn described(&self) -> String {
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
pub(super) struct Work {
    pub(super) context: Context,
    pub(super) store: Store,
    pub(super) calendar: Calendar,
    /// Numbers that another fact had until a sync renumbered it.
    lost: BTreeSet<u64>,
    pub(super) now: Stamp,
    /// Whether a fact records the project in which it was learned.
    pub(super) names_projects: bool,
    before: Snapshot,
    pub(super) memories: Vec<Memory>,
    pub(super) ledger: Ledger,
    /// The original ledger: if nothing is forgotten, its file stays byte for byte.
    ledger_before: Ledger,
    pub(super) answers: Answers,
    /// The origins of facts that merges are right about.
    pub(super) settled: BTreeSet<Stamp>,
    pub(super) done: AnswerReport,
}

impl Work {
    pub(super) fn read(ws: &Workspace, store: &Store) -> Result<Work, Error> {
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

    /// Saves a new fact; `agent` wrote it, if not the person.
    pub(super) fn save(
        &mut self,
        (text, created): (&str, Stamp),
        (tags, source): (&[String], &str),
        agent: Option<String>,
        label: impl FnOnce(&mut Document),
    ) -> Result<(), String> {
        let id = self.memories.iter().filter_map(|memory| memory.id).max().unwrap_or(0) + 1;
        let mut document = memory::new(id, created, tags, source, text);
        label(&mut document);
        // Named after the fact, not after its reasons.
        let path = slug::memory_path(id, summary::naming_line(text));
        let memory = Memory::of_document(path, &document)
            .ok_or_else(|| "it cannot be saved as a fact".to_owned())?;
        self.done.kept.push(self.view(&memory, agent));
        self.memories.push(memory);
        Ok(())
    }

    pub(super) fn forget(&mut self, hash: ContentHash) -> Result<(), String> {
        let memory = self.memories.remove(self.find(hash)?);
        let stamp = tidy::forget_stamp(self.now, &memory, &self.ledger);
        self.ledger.add(memory.created, memory.hash, stamp);
        self.done.forgotten.push(self.view(&memory, None));
        Ok(())
    }

    /// `agent` wrote it, if not the person.
    pub(super) fn view(&self, memory: &Memory, agent: Option<String>) -> FactView {
        let is_lost = memory.id.is_some_and(|id| self.lost.contains(&id));
        let has_number = |other: &Memory| other.id == memory.id && other.path != memory.path;
        let shared = is_lost || self.memories.iter().any(has_number);
        let view = self.store.place(memory.clone()).view(shared.into(), &self.calendar);
        FactView { agent, ..view }
    }

    pub(super) fn find(&self, hash: ContentHash) -> Result<usize, String> {
        let at = self.memories.iter().position(|memory| memory.hash == hash);
        at.ok_or_else(|| "the fact has changed in the meantime".to_owned())
    }

    pub(super) fn end(self) -> (Snapshot, Snapshot, AnswerReport) {
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

pub(super) fn text_of(typed: &str) -> Result<String, String> {
    let text = validate::text(typed).map_err(|unfit| Error::from(unfit).clause())?;
    let refused = guard::refuse_text(&text, &[], "", &Allowed::default(), "");
    refused.map_err(|error| error.clause())?;
    text::unseen_in_words(&text).map_or(Ok(text), Err)
}
