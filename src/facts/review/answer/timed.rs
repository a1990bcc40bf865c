//! Answers that say whether a fact holds.
//!
//! Invariant: only keys of the facts change, so that an answer counts on every laptop, and what no
//! longer holds is kept. What replaces a fact is later than it.

use super::work::{ReplacedFact, Work, text_of};
use crate::facts::{
    confirm,
    superseding::{self, superseded},
};
use crate::identity::{
    Bound, ContentHash, FactView, Held, Memory, Stamp, Standing,
    current::Dated,
    times::{self, STALE_AFTER, SUPERSEDES, VALID_UNTIL, VERIFIED},
    validate,
    value::Value,
};

impl Work {
    pub(super) fn confirm(&mut self, fact: ContentHash) -> Result<(), String> {
        let at = self.find(fact)?;
        refuse_unchangeable(&self.memories[at], VERIFIED)?;
        refuse_unchangeable(&self.memories[at], STALE_AFTER)?;
        let begun = self.begun_successors(fact);
        let memory = confirm::said_again(&self.memories[at], &begun, (self.now, &self.calendar));
        self.done.confirmed.push(self.view(&memory, None));
        let before = std::mem::replace(&mut self.memories[at], memory);
        // What replaces it from a later day on still will; what has begun does no more.
        let begun: Vec<ContentHash> = begun.iter().map(|memory| memory.hash).collect();
        self.follow_without(&before, at, &begun);
        Ok(())
    }

    /// Those that replace a fact and have begun.
    fn begun_successors(&self, fact: ContentHash) -> Vec<Memory> {
        let has_begun = |memory: &Memory| {
            let from = memory.times.as_deref().and_then(|times| times.valid_from);
            from.map_or(memory.created, |from| from.start(&self.calendar)) <= self.now
        };
        let others = self.memories.iter();
        others.filter(|one| superseded(one).contains(&fact) && has_begun(one)).cloned().collect()
    }

    /// What is said of a fact that holds until then: it may be over only later.
    fn held_until(&self, last: Bound) -> Held {
        let is_over = last.end(&self.calendar) < self.now;
        let standing = Standing::Over(last).word().filter(|_| is_over);
        Held { standing, marks: vec![format!("until {}", last.words(&self.calendar))] }
    }

    /// It held until then.
    pub(super) fn over(&mut self, fact: ContentHash, last: Bound) -> Result<(), String> {
        let at = self.find(fact)?;
        let memory = &self.memories[at];
        refuse_unchangeable(memory, VALID_UNTIL)?;
        let from = memory.times.as_deref().and_then(|times| times.valid_from);
        let is_before = |from: &Bound| last.end(&self.calendar) < from.start(&self.calendar);
        if let Some(from) = from.filter(is_before) {
            return Err(format!("it would be over before it begins, on {from}"));
        }
        let updated = self.now.max(memory.latest().plus(Stamp::SECOND));
        let over = memory.edited(|document| {
            document.set(VALID_UNTIL, Value::Text(last.to_string()));
            document.set("updated", Value::Text(updated.with_offset()));
        });
        let view = FactView { held: self.held_until(last), ..self.view(&over, None) };
        self.done.over.push(view);
        let before = std::mem::replace(&mut self.memories[at], over);
        self.follow(&before, at);
        Ok(())
    }

    pub(super) fn replace(&mut self, older: ContentHash, newer: ContentHash) -> Result<(), String> {
        if older == newer {
            return Err("a fact cannot replace itself".to_owned());
        }
        let said = self.last_said(older)?;
        let at = self.find(newer)?;
        let memory = &self.memories[at];
        refuse_unchangeable(memory, SUPERSEDES)?;
        let mut hashes = superseded(memory).to_vec();
        if !hashes.contains(&older) {
            hashes.push(older);
        }
        let updated = self.now.max(memory.latest().max(said).plus(Stamp::SECOND));
        let replacing = memory.edited(|document| {
            times::set_superseded(document, &hashes);
            document.set("updated", Value::Text(updated.with_offset()));
        });
        self.memories[at] = replacing;
        self.note_replaced(older, at)
    }

    /// Saves the text as a fact with the tags of the one that it replaces.
    pub(super) fn replace_with(&mut self, older: ContentHash, typed: &str) -> Result<(), String> {
        let text = text_of(typed)?;
        let hash = ContentHash::of_body(&text);
        if self.memories.iter().any(|memory| memory.hash == hash) {
            return self.replace(older, hash);
        }
        let tags = self.memories[self.find(older)?].tags.clone();
        let created = self.said_at(hash).max(self.last_said(older)?.plus(1));
        self.save((&text, created), (&tags, "user-told"), None, |document| {
            times::set_superseded(document, &[older]);
        })?;
        self.note_replaced(older, self.memories.len() - 1)
    }

    /// Apart from those of other answers, and not in the future: a fact replaces another only once
    /// it has begun.
    fn said_at(&self, text: ContentHash) -> Stamp {
        let apart = i64::from(text.hash_prefix() as u16);
        let at = self.now.plus(-apart);
        let forgotten = self.ledger.of_text(text);
        forgotten.map_or(at, |forgotten| at.max(forgotten.plus(Stamp::SECOND)))
    }

    fn note_replaced(&mut self, older: ContentHash, by: usize) -> Result<(), String> {
        let fact = self.view(&self.memories[self.find(older)?], None);
        let by = self.view(&self.memories[by], None);
        self.done.replaced.push(ReplacedFact { fact, by });
        Ok(())
    }

    fn last_said(&self, fact: ContentHash) -> Result<Stamp, String> {
        let memory = &self.memories[self.find(fact)?];
        Ok(Dated::of(memory, 0).last_said(&self.calendar))
    }

    /// A text that is a fact already: if others replaced it, it counts again.
    pub(super) fn learn_again(&mut self, at: usize, agent: Option<String>) -> Result<(), String> {
        let hash = self.memories[at].hash;
        let replaces = |memory: &&Memory| superseded(memory).contains(&hash);
        let others: Vec<Memory> = self.memories.iter().filter(replaces).cloned().collect();
        if !others.is_empty() {
            refuse_unchangeable(&self.memories[at], VERIFIED)?;
            refuse_unchangeable(&self.memories[at], STALE_AFTER)?;
            let when = (self.now, &self.calendar);
            self.memories[at] = confirm::said_again(&self.memories[at], &others, when);
        }
        let kept = self.view(&self.memories[at], agent);
        self.done.kept.push(kept);
        Ok(())
    }

    /// The facts that replace one go on replacing it after a change, and so do those that replace
    /// them.
    pub(super) fn follow(&mut self, before: &Memory, at: usize) {
        self.follow_without(before, at, &[]);
    }

    /// As [`Work::follow`], but what has one of these texts replaces it no more.
    fn follow_without(&mut self, before: &Memory, at: usize, no_more: &[ContentHash]) {
        let all = self.memories.iter().enumerate();
        let others = all.filter(|(place, memory)| {
            *place != at && !superseded(memory).is_empty() && !no_more.contains(&memory.hash)
        });
        let others: Vec<(usize, Memory)> =
            others.map(|(place, memory)| (place, memory.clone())).collect();
        let mut next = vec![(before.clone(), at)];
        while let Some((was, at)) = next.pop() {
            let is = self.memories[at].clone();
            for (place, other) in others.iter().filter(|(place, _)| *place != at) {
                let sides = (other, &self.memories[*place]);
                if let Some(now) = superseding::followed(&self.calendar, sides, (&was, &is)) {
                    self.memories[*place] = now;
                    next.push((other.clone(), *place));
                }
            }
        }
    }
}

fn refuse_unchangeable(memory: &Memory, key: &str) -> Result<(), String> {
    validate::changeable(&memory.document(), key).map_err(|rejected| rejected.to_string())
}
