//! What should be true in the end, kept apart from what the program does: who learned and forgot
//! which words, knowing of what.

use co_cli::tested::identity::{ContentHash, Memory};
use std::collections::{BTreeMap, BTreeSet};

/// A vector clock: how many events of each laptop are known.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Clock(pub [usize; 3]);

impl Clock {
    pub fn join(&mut self, other: &Clock) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine = (*mine).max(theirs);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// It was learned, edited in, put back, or touched.
    There,
    /// A person forgot or removed it.
    Forgotten,
    /// It went because its text was edited.
    EditedAway,
}

#[derive(Clone, Debug)]
struct Event {
    laptop: usize,
    number: usize,
    knows: Clock,
    what: What,
}

impl Event {
    fn before(&self, other: &Event) -> bool {
        other.knows.0[self.laptop] >= self.number
    }
}

/// Every event about every word and every text.
#[derive(Clone, Default)]
pub struct Truth {
    words: BTreeMap<String, Vec<Event>>,
    texts: BTreeMap<ContentHash, (String, Vec<Event>)>,
    next: [usize; 3],
}

pub fn words(memories: &[Memory]) -> BTreeSet<String> {
    memories
        .iter()
        .flat_map(|m| m.text().split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

fn texts(memories: &[Memory]) -> BTreeMap<ContentHash, String> {
    memories.iter().map(|m| (m.hash, m.text().to_owned())).collect()
}

impl Truth {
    /// Notes what one action of a person on one laptop did.
    pub fn note(
        &mut self,
        laptop: usize,
        clock: &mut Clock,
        before: &[Memory],
        after: &[Memory],
        gone: What,
        touched: Option<ContentHash>,
    ) {
        self.next[laptop] += 1;
        clock.0[laptop] = self.next[laptop];
        let event = |what| Event { laptop, number: self.next[laptop], knows: clock.clone(), what };
        let (had, have) = (words(before), words(after));
        let kept_texts: BTreeSet<ContentHash> = after.iter().map(|m| m.hash).collect();
        let old_texts: BTreeSet<ContentHash> = before.iter().map(|m| m.hash).collect();
        // A word leaves with the text it stood in, also when another text still has it: two people
        // may each take one of them.
        let left: Vec<Memory> =
            before.iter().filter(|m| !kept_texts.contains(&m.hash)).cloned().collect();
        let came: Vec<Memory> =
            after.iter().filter(|m| !old_texts.contains(&m.hash)).cloned().collect();
        let touched_words: BTreeSet<String> = after
            .iter()
            .filter(|m| Some(m.hash) == touched)
            .flat_map(|m| words(std::slice::from_ref(m)))
            .collect();
        for word in have.difference(&had).chain(&touched_words) {
            self.words.entry(word.clone()).or_default().push(event(What::There));
        }
        for word in words(&left).difference(&words(&came)) {
            self.words.entry(word.clone()).or_default().push(event(gone));
        }
        let (had, have) = (texts(before), texts(after));
        for (hash, text) in
            have.iter().filter(|(hash, _)| !had.contains_key(hash) || Some(**hash) == touched)
        {
            self.texts
                .entry(*hash)
                .or_insert_with(|| (text.clone(), Vec::new()))
                .1
                .push(event(What::There));
        }
        for (hash, text) in had.iter().filter(|(hash, _)| !have.contains_key(hash)) {
            self.texts
                .entry(*hash)
                .or_insert_with(|| (text.clone(), Vec::new()))
                .1
                .push(event(gone));
        }
    }

    /// Putting another version of a memory under its old origin turns what was a removal into an
    /// edit: co cannot tell them apart.
    pub fn soften(&mut self, laptop: usize, hashes: &BTreeSet<ContentHash>) {
        for hash in hashes {
            for event in self.texts.get_mut(hash).into_iter().flat_map(|(_, events)| events) {
                if event.laptop == laptop && event.what == What::Forgotten {
                    event.what = What::EditedAway;
                }
            }
        }
    }

    /// A copy says nothing new about its words, but whoever forgets the text without knowing of the
    /// copy has not forgotten the copy.
    pub fn copied(&mut self, laptop: usize, clock: &mut Clock, hash: ContentHash) {
        self.next[laptop] += 1;
        clock.0[laptop] = self.next[laptop];
        let event =
            Event { laptop, number: self.next[laptop], knows: clock.clone(), what: What::There };
        if let Some((_, events)) = self.texts.get_mut(&hash) {
            events.push(event);
        }
    }

    /// Promises that the final memories break.
    pub fn broken(&self, memories: &[Memory]) -> Vec<String> {
        let mut broken = Vec::new();
        let here = words(memories);
        for (word, events) in &self.words {
            let gone: Vec<&Event> = events.iter().filter(|e| e.what != What::There).collect();
            let safe =
                events.iter().any(|e| e.what == What::There && gone.iter().all(|g| g.before(e)));
            if safe && !here.contains(word) {
                broken.push(format!("lost: `{word}` was learned and never forgotten after that"));
            }
        }
        let present = texts(memories);
        for (hash, (text, events)) in &self.texts {
            let there: Vec<&Event> = events.iter().filter(|e| e.what == What::There).collect();
            let forgotten = events
                .iter()
                .any(|e| e.what == What::Forgotten && there.iter().all(|t| t.before(e)));
            if forgotten && present.contains_key(hash) {
                broken.push(format!(
                    "came back: `{text}` was forgotten by somebody who knew all of it"
                ));
            }
        }
        broken
    }
}
