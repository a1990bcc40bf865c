//! Which proposals are new here: facts, lines of traits, fields of the profile.
//!
//! Invariant: each proposal becomes part of the snapshot or is left out with its reason; what a
//! person forgot, rejected or set stays so.

use super::{
    collected::{Collected, SourcedProposal},
    report::Left,
    request::{Alike, Answered, Request},
};
use crate::adopt::{Proposal, ProposedAs};
use crate::identity::{
    ContentHash, Document, Memory, RelPath, Snapshot, Stamp, answers::Answers, kind::PROFILE,
    memory, slug, validate, value::Value,
};
use crate::index::{self, store::Store};
use crate::machine::{Context, files};
use crate::recall::alike;
use crate::workspace::{Error, ledger};
use std::collections::BTreeSet;

const NEW_TRAIT: &str = "---\nversion: 1\n---\n\n# Communication Style\n";
const SAVED: &str = "already saved";

/// A fact that is new here, and which of all proposals it was.
struct NewFact {
    memory: Memory,
    from: usize,
}

/// What a person said of a text before, unless they are to choose again.
fn answered(answers: &Answers, text: ContentHash, treated: Answered) -> Option<&'static str> {
    match treated {
        Answered::Offered => None,
        Answered::LeftOut if answers.is_declined(text) => Some("already rejected in `co review`"),
        Answered::LeftOut if answers.has(text) => Some("already kept in `co review`"),
        Answered::LeftOut => None,
    }
}

impl Collected {
    /// The facts that are not yet known here, in the same or other words.
    pub(super) fn new_memories(
        &mut self,
        context: &Context,
        store: &Store,
        here: &[Memory],
        (answers, request): (&Answers, &Request),
    ) -> Vec<Memory> {
        let first = here.iter().filter_map(|memory| memory.id).max().unwrap_or(0) + 1;
        let mut seen: BTreeSet<_> = here.iter().map(|memory| memory.hash).collect();
        let mut new: Vec<NewFact> = Vec::new();
        let ledger = ledger::read(store).unwrap_or_default();
        for (from, gained) in self.all.iter().enumerate() {
            let Proposal { what: ProposedAs::Fact, text, tags, .. } = &gained.proposal else {
                continue;
            };
            let id = first + new.len() as u64;
            let tags = validate::tags(tags).unwrap_or_default();
            let file = memory::new_file(id, gained.at, &tags, &gained.source, text);
            let path = slug::memory_path(id, text);
            let memory = match Memory::read(&path, &file.into_bytes().into()) {
                Ok(memory) => memory,
                Err(_) => {
                    self.left.push(gained.left("it cannot be saved as a fact".to_owned()));
                    continue;
                }
            };
            if !seen.insert(memory.hash) {
                let is_here = here.iter().any(|known| known.hash == memory.hash);
                let why = if is_here { SAVED } else { "it appears twice" };
                self.left.push(Left { is_minor: true, ..gained.left(why.to_owned()) });
                continue;
            }
            // A forgotten fact stays forgotten, even if a newer file repeats it.
            match ledger.of_text(memory.hash) {
                Some(stamp) => {
                    let day = context.calendar().day(stamp);
                    let why = format!("forgotten here on {day}");
                    self.left.push(gained.left(why));
                }
                None => match answered(answers, memory.hash, request.answered) {
                    Some(why) => {
                        let is_rejected = answers.is_declined(memory.hash);
                        self.left.push(Left { is_rejected, ..gained.left(why.to_owned()) });
                    }
                    None => new.push(NewFact { memory, from }),
                },
            }
        }
        if request.alike == Alike::LeftOut {
            self.leave_out_alike(context, store, here, &mut new);
        }
        new.into_iter().map(|new| new.memory).collect()
    }

    /// Leaves out facts that nearly repeat an existing fact or each other.
    fn leave_out_alike(
        &mut self,
        context: &Context,
        store: &Store,
        here: &[Memory],
        new: &mut Vec<NewFact>,
    ) {
        let vectors = index::vectors(store, context);
        let known: Vec<&Memory> = here.iter().collect();
        let memories: Vec<Memory> = new.iter().map(|new| new.memory.clone()).collect();
        let fresh: Vec<&Memory> = memories.iter().collect();
        let mut alike = alike::nearest(&fresh, &known, &vectors);
        let by_age = alike::by_age(&memories);
        alike.extend(alike::described(&by_age, &alike::pairs(&by_age, &vectors)));
        for pair in &alike {
            let Some(at) = new.iter().position(|new| new.memory.path.as_str() == pair.path) else {
                continue;
            };
            let other = if here.iter().any(|known| known.path.as_str() == pair.other_path) {
                pair.other_id.map_or_else(String::new, |id| format!("{id} "))
            } else {
                String::new()
            };
            let why = format!("similar to {other}\"{}\"", pair.other);
            // A fact that resembles several is left out once.
            let out = new.remove(at);
            self.left.push(Left { is_alike: true, ..self.all[out.from].left(why) });
        }
    }

    /// As a minimal profile that loses to anything a person has set.
    pub(super) fn put_fields(&self, snapshot: &mut Snapshot) {
        let mut lines = String::new();
        let mut seen = BTreeSet::new();
        for (_, key, value) in self.fields() {
            if seen.insert(key) {
                lines.push_str(&format!("- {key}: {value}\n"));
            }
        }
        if lines.is_empty() {
            return;
        }
        let text =
            format!("---\nversion: 1\nupdated: {}\n---\n\n# Profile\n\n{lines}", Stamp::EPOCH);
        snapshot.put(RelPath::known(PROFILE), text.into_bytes());
    }

    /// The fields that the profile does not take, because it has them.
    pub(super) fn leave_out_fields(&mut self, before: &Snapshot, after: &Snapshot) {
        let profile = |snapshot: &Snapshot| {
            let blob = snapshot.get(&RelPath::known(PROFILE));
            blob.map(|blob| String::from_utf8_lossy(blob).into_owned()).unwrap_or_default()
        };
        let (before, after) = (profile(before), profile(after));
        let mut left = Vec::new();
        for (gained, key, value) in self.fields() {
            let line = format!("- {key}: {value}");
            if before.lines().any(|known| known == line) {
                left.push(Left { is_minor: true, ..gained.left(SAVED.to_owned()) });
            } else if !after.lines().any(|known| known == line) {
                left.push(gained.left(format!("the profile has a different value for {key}")));
            }
        }
        self.left.extend(left);
    }

    fn fields(&self) -> impl Iterator<Item = (&SourcedProposal, &str, &str)> {
        self.all.iter().filter_map(|gained| match &gained.proposal.what {
            ProposedAs::Field(key) => Some((gained, key.as_str(), gained.proposal.text.as_str())),
            ProposedAs::Fact | ProposedAs::Trait(_) => None,
        })
    }

    /// Appends them to the trait's existing text.
    pub(super) fn put_traits(
        &mut self,
        context: &Context,
        store: &Store,
        snapshot: &mut Snapshot,
    ) -> Result<(), Error> {
        let names: BTreeSet<&str> = self
            .all
            .iter()
            .filter_map(|gained| match gained.proposal.what {
                ProposedAs::Trait(name) => Some(name),
                _ => None,
            })
            .collect();
        for name in names {
            let path = RelPath::known(&format!("traits/{name}.md"));
            let there = files::read(&store.root.join(path.as_str()))?;
            let there = there.unwrap_or_else(|| NEW_TRAIT.as_bytes().to_vec());
            let Ok(mut document) = Document::read(&there) else {
                self.unread.push(format!("{path} cannot be read; `co check` says why"));
                continue;
            };
            let mut body = document.text().trim_end().to_owned();
            let before = body.len();
            let lines =
                self.all.iter().filter(|gained| gained.proposal.what == ProposedAs::Trait(name));
            for gained in lines {
                let line = format!("- {}", gained.proposal.text.replace('\n', " "));
                if body.lines().any(|known| known == line) {
                    let why = SAVED.to_owned();
                    self.left.push(Left { is_minor: true, ..gained.left(why) });
                    continue;
                }
                let follows = body.lines().last().is_some_and(|last| last.starts_with('-'));
                let gap = if follows { "\n" } else { "\n\n" };
                body.push_str(&format!("{gap}{line}"));
            }
            if body.len() == before {
                continue;
            }
            document.set_body(format!("\n{body}\n"));
            document.set("updated", Value::Text(context.now().to_string()));
            document.set_checksum();
            snapshot.put(path, document.write().into_bytes());
        }
        Ok(())
    }
}
