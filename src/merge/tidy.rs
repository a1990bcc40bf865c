//! Records manual changes before a commit: edits get stamps, removals get ledger lines, copies
//! become separate memories.
//!
//! Invariant: `tidy(tidy(w)) = tidy(w)` against the same reference; a file that exists but cannot
//! be read is not treated as removed.

use super::{
    Decision, Reason, files,
    guard::{self, MassDeletion},
    memories,
    memory_sides::ByOrigin,
    stamps::{edit_stamp, stamp_edit, sum_new},
};
use crate::identity::{
    Blob, ContentHash, Document, Kind, Ledger, Memory, RelPath, Snapshot, Stamp,
    kind::{Form, LEDGER, REVIEWED},
    ledger::Match,
    memory::{Unusable, stamp_of},
    personality,
    value::Value,
};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, Debug)]
pub struct Clock<'a> {
    pub now: Stamp,
    /// Files missing from this map are treated as written now.
    pub mtimes: &'a BTreeMap<RelPath, Stamp>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Tidied {
    pub snapshot: Snapshot,
    pub decisions: Vec<Decision>,
    /// How many facts were removed without a forget by co; the guard counts these.
    removed_by_hand: usize,
}

impl Tidied {
    /// Set if so much was removed by hand that a mistake is more likely than intent.
    pub fn mass_deletion(&self, reference: &Snapshot) -> Option<MassDeletion> {
        if self.removed_by_hand == 0 {
            return None;
        }
        let (of, left) = (reference.memories().len(), self.snapshot.memories().len());
        guard::judge(self.removed_by_hand, of, left)
    }
}

/// `reference` is the last tidied commit.
pub fn tidy(work: &Snapshot, reference: &Snapshot, clock: Clock<'_>) -> Tidied {
    let old = memories::by_origin(reference.memories(), &ByOrigin::new());
    let mut tidied = Pass::new(work, reference, &old, clock).tidy();
    if tidied.snapshot == *work {
        return tidied;
    }
    // One pass can make work for the next (an edit makes two texts equal); three were enough for
    // every history tested.
    for _ in 0..8 {
        let again = Pass::new(&tidied.snapshot, reference, &old, clock).tidy();
        if again.snapshot == tidied.snapshot {
            break;
        }
        tidied.snapshot = again.snapshot;
        tidied.decisions.extend(again.decisions);
    }
    tidied.decisions.sort();
    tidied.decisions.dedup();
    tidied
}

struct Pass<'a> {
    clock: Clock<'a>,
    work: &'a Snapshot,
    reference: &'a Snapshot,
    old: &'a ByOrigin,
    /// Files of the work tree that are not readable memories.
    others: Snapshot,
    memories: Vec<Memory>,
    ledger: Ledger,
    decisions: Vec<Decision>,
    removed_by_hand: usize,
}

impl<'a> Pass<'a> {
    fn new(
        work: &'a Snapshot,
        reference: &'a Snapshot,
        old: &'a ByOrigin,
        clock: Clock<'a>,
    ) -> Pass<'a> {
        let mut ledger = reference.ledger();
        ledger.join(&work.ledger());
        let mut pass = Pass {
            clock,
            work,
            reference,
            old,
            others: Snapshot::default(),
            memories: Vec::new(),
            ledger,
            decisions: Vec::new(),
            removed_by_hand: 0,
        };
        for (path, blob) in work.iter() {
            match pass.read_memory(path, blob) {
                Some(memory) => pass.memories.push(memory),
                None => pass.others.put(path.clone(), blob.clone()),
            }
        }
        pass
    }

    fn read_memory(&self, path: &RelPath, blob: &Blob) -> Option<Memory> {
        if !path.is_memory() {
            return None;
        }
        match Memory::read(path, blob) {
            Ok(memory) => Some(memory),
            Err(Unusable::NoCreated) => self.with_origin(path, blob),
            Err(_) => None,
        }
    }

    /// Without a `created`, the origin is the reference's at this path, or else the mtime.
    fn with_origin(&self, path: &RelPath, blob: &Blob) -> Option<Memory> {
        let mut document = Document::read(blob).ok()?;
        let known = self.old.values().find(|old| old.path == *path).map(|old| old.created);
        let created =
            known.unwrap_or_else(|| self.mtime(path).with_fraction(document.hash().fraction()));
        document.set("created", Value::Text(created.with_offset()));
        Memory::of_document(path.clone(), &document)
    }

    fn mtime(&self, path: &RelPath) -> Stamp {
        self.clock.mtimes.get(path).copied().unwrap_or(self.clock.now).min(self.clock.now)
    }

    fn tidy(mut self) -> Tidied {
        let all = std::mem::take(&mut self.memories);
        self.memories = memories::distinct_origins(all, self.old, &mut self.decisions);
        self.stamp_edits();
        self.note_removals();
        self.note_deleted_documents();
        self.unite_equal_facts();
        self.learn_again();
        self.finish()
    }

    fn stamp_edits(&mut self) {
        for at in 0..self.memories.len() {
            let memory = &self.memories[at];
            let Some(old) = self.old.get(&memory.created) else {
                let mtime = self.mtime(&memory.path);
                self.memories[at] = sum_new(memory, mtime, self.clock.now);
                continue;
            };
            let stamped = stamp_edit(memory, old, self.mtime(&memory.path), self.clock.now);
            if old.hash != memory.hash {
                self.decisions.push(Decision::new(&memory.path, Reason::ByHand, "edited"));
            } else if stamped != *memory {
                let why = "an older copy: its last timestamp is kept";
                self.decisions.push(Decision::new(&memory.path, Reason::ByHand, why));
            }
            self.memories[at] = stamped;
        }
    }

    /// An origin whose file is gone gets a ledger line; an unreadable file is not a removal.
    fn note_removals(&mut self) {
        let here: BTreeSet<Stamp> = self.memories.iter().map(|memory| memory.created).collect();
        let alive: BTreeSet<ContentHash> = self.memories.iter().map(|memory| memory.hash).collect();
        let gone: Vec<Memory> =
            self.old.values().filter(|old| !here.contains(&old.created)).cloned().collect();
        let known_lines = self.reference.ledger();
        for old in gone {
            let unreadable = self.others.get(&old.path).is_some();
            let known = self.ledger.takes(&old, Match::Text).is_some();
            if unreadable || known || alive.contains(&old.hash) {
                continue;
            }
            // There is a new line about a later text: co forgot that one, so the guard does not
            // count this. If the line is an old one, the text outlived it and was removed by hand.
            let by_origin = |ledger: &Ledger| ledger.takes(&old, Match::TextOrOrigin).is_some();
            if by_origin(&self.ledger) && !by_origin(&known_lines) {
                self.ledger.add(old.created, old.hash, just_after(&old));
                continue;
            }
            let overwritten = self.memories.iter().any(|memory| memory.path == old.path);
            let stamp = if overwritten { just_after(&old) } else { self.forget_stamp(&old) };
            self.ledger.add(old.created, old.hash, stamp);
            self.removed_by_hand += 1;
            self.decisions.push(Decision::new(
                &old.path,
                Reason::ByHand,
                format!("removed: `{}`", old.summary()),
            ));
        }
    }

    /// A document whose text is gone gets a line, so that an old export does not bring it back.
    fn note_deleted_documents(&mut self) {
        let is_document = |path: &RelPath| path.is_document();
        let gone: Vec<(&RelPath, &Blob)> = self
            .reference
            .iter()
            .filter(|(path, _)| is_document(path) && self.work.get(path).is_none())
            .collect();
        if gone.is_empty() {
            return;
        }
        // A name in a different case is the same document.
        let names: BTreeSet<String> = self.work.paths().map(RelPath::folded).collect();
        let here = self.others.iter().filter(|(path, _)| is_document(path));
        let alive: BTreeSet<ContentHash> =
            here.filter_map(|(_, blob)| Some(Document::read(blob).ok()?.hash())).collect();
        for (path, blob) in gone {
            let Ok(document) = Document::read(blob) else { continue };
            let (hash, last) = (document.hash(), stamp_of(&document, "updated"));
            let known = self.ledger.of_document(hash).is_some_and(|stamp| Some(stamp) > last);
            if !alive.contains(&hash) && !known && !names.contains(&path.folded()) {
                let stamp = last
                    .map_or(self.clock.now, |last| self.clock.now.max(last.plus(Stamp::SECOND)));
                self.ledger.add_document(path.clone(), hash, stamp);
            }
        }
    }

    fn forget_stamp(&self, old: &Memory) -> Stamp {
        forget_stamp(self.clock.now, old, &self.ledger)
    }

    fn unite_equal_facts(&mut self) {
        let all = std::mem::take(&mut self.memories);
        let (kept, lost) = memories::one_per_fact(all, |_| None, &mut self.decisions);
        let alive: BTreeSet<ContentHash> = kept.iter().map(|memory| memory.hash).collect();
        for (loser, keeper) in &lost {
            self.decisions.push(Decision::new(
                &keeper.path,
                Reason::SameFact,
                format!("the same fact as {}", loser.path.name()),
            ));
            let edited_away = self
                .old
                .get(&loser.created)
                .filter(|old| old.hash != loser.hash && !alive.contains(&old.hash));
            if let Some(old) = edited_away {
                self.ledger.add(old.created, old.hash, just_after(old));
            }
        }
        self.memories = kept;
    }

    /// A file that exists despite a later ledger line was put back by a person.
    fn learn_again(&mut self) {
        for memory in &mut self.memories {
            let how = if self.old.contains_key(&memory.created) {
                Match::Text
            } else {
                Match::TextOrOrigin
            };
            if let Some(stamp) = self.ledger.takes(memory, how) {
                let updated = self.clock.now.max(stamp.plus(Stamp::SECOND));
                *memory = memory.stamped(updated);
                self.decisions.push(Decision::new(&memory.path, Reason::ByHand, "learned again"));
            }
        }
    }

    fn finish(mut self) -> Tidied {
        let mut snapshot = Snapshot::default();
        for (path, blob) in self.others.iter() {
            if path.is_ledger() {
                continue;
            }
            snapshot.put(path.clone(), self.tidy_document(path, blob));
        }
        files::distinct_paths(&mut snapshot, &mut self.decisions);
        let taken = memories::folded(snapshot.paths());
        memories::distinct_paths(&mut self.memories, &taken, &mut self.decisions);
        let facts = self.memories.iter().map(|memory| (memory.path.clone(), memory.blob.clone()));
        let others = snapshot.iter().map(|(path, blob)| (path.clone(), blob.clone()));
        let mut snapshot: Snapshot = others.chain(facts).collect();
        let ledger_path = RelPath::known(LEDGER);
        let unchanged =
            self.work.get(&ledger_path).filter(|blob| Ledger::read(blob) == self.ledger);
        match (unchanged, self.ledger.write()) {
            (Some(blob), _) => snapshot.put(ledger_path, blob.clone()),
            (None, Some(text)) => snapshot.put(ledger_path, text.into_bytes()),
            (None, None) => {}
        }
        // Without its file, whatever was answered would be asked again. An undo leaves the file.
        let answers = RelPath::known(REVIEWED);
        if let (None, Some(blob)) = (self.work.get(&answers), self.reference.get(&answers)) {
            snapshot.put(answers, blob.clone());
        }
        Tidied { snapshot, decisions: self.decisions, removed_by_hand: self.removed_by_hand }
    }

    /// An edit gets a stamp and a checksum; `Selected:` is made to agree with the frontmatter.
    fn tidy_document(&self, path: &RelPath, blob: &Blob) -> Blob {
        let versioned = match path.form() {
            Form::Versioned => true,
            Form::Loose => false,
            Form::Memory | Form::Ledger | Form::Foreign | Form::Opaque => return blob.clone(),
        };
        let Some(old_blob) = self.reference.get(path) else {
            return if versioned { with_new_checksum(blob) } else { blob.clone() };
        };
        if old_blob == blob {
            return blob.clone();
        }
        let (Ok(mut document), Ok(old)) = (Document::read(blob), Document::read(old_blob)) else {
            return blob.clone();
        };
        if document.front().is_none() {
            return blob.clone();
        }
        if path.kind() == Kind::Personality {
            personality::agree(&mut document, Some(&old));
        }
        let wrong_sum = document.checksum_holds() == Some(false);
        let new_text = document.hash() != old.hash();
        if new_text && (wrong_sum || (versioned && document.get("checksum").is_none())) {
            document.set_checksum();
        }
        let before = stamp_of(&old, "updated");
        let stamped = stamp_of(&document, "updated") > before;
        if !stamped && (versioned || document.get("updated").is_some()) {
            let updated =
                edit_stamp(before.unwrap_or(Stamp::EPOCH), self.mtime(path), self.clock.now);
            document.set("updated", Value::Text(updated.to_string()));
        }
        document.write().into()
    }
}

/// Adds a checksum to a new file with frontmatter, so that later edits or damage are noticed.
fn with_new_checksum(blob: &Blob) -> Blob {
    match Document::read(blob) {
        Ok(mut document) if document.front().is_some() && document.get("checksum").is_none() => {
            document.set_checksum();
            document.write().into()
        }
        _ => blob.clone(),
    }
}

/// Now, but later than every known stamp of this fact.
pub fn forget_stamp(now: Stamp, memory: &Memory, ledger: &Ledger) -> Stamp {
    let known =
        ledger.of_text(memory.hash).map_or(memory.latest(), |stamp| stamp.max(memory.latest()));
    now.max(known.plus(Stamp::SECOND))
}

/// For a ledger line about a text that was edited away: weaker than a deliberate forget.
fn just_after(old: &Memory) -> Stamp {
    old.latest().plus(1)
}

/// Tidies a merge result alone: copies, equal facts and paths, without manual changes.
pub fn settle(snapshot: &Snapshot, now: Stamp) -> Tidied {
    tidy(snapshot, snapshot, Clock { now, mtimes: &BTreeMap::new() })
}
