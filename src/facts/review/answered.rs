//! What a person has answered so far, on any laptop, and the change that keeps an answer: that two
//! facts both hold.
//!
//! Invariant: what cannot be read counts as unanswered, so that a person is asked rather than not.

use super::holding::{REPLACE, hash_of};
use crate::identity::{
    ContentHash, Memory, RelPath, Scope, Stamp,
    answers::{Answered, Answers},
    kind::REVIEWED,
};
use crate::index::store::Store;
use crate::machine::files;
use crate::merge::change::FileChange;
use crate::recall::alike;

/// Whether a person rejected a text.
pub fn is_rejected(store: &Store, text: ContentHash) -> bool {
    answers(store).is_declined(text)
}

/// What was answered so far, on any laptop.
pub fn answers(store: &Store) -> Answers {
    let bytes = files::read(&store.root.join(REVIEWED)).ok().flatten();
    bytes.map(|bytes| Answers::read(&bytes)).unwrap_or_default()
}

/// Keeps that a person said of a fact that these others hold beside it, so that no review asks.
/// `None` if there is nothing to keep.
pub(in crate::facts) fn both_hold(
    store: &Store,
    fact: &Memory,
    others: &[Memory],
    at: Stamp,
) -> Option<FileChange> {
    // Only facts of the identity are reviewed.
    if others.is_empty() || store.scope != Scope::Identity {
        return None;
    }
    let before = files::read(&store.root.join(REVIEWED)).ok()?;
    let mut answers = before.as_deref().map(Answers::read).unwrap_or_default();
    for other in others {
        let both = [other.clone(), fact.clone()];
        answers.add(hash_of(&alike::by_age(&both), REPLACE), Answered::Declined, at);
    }
    let after = Some(answers.write().as_bytes().into());
    Some(FileChange { path: RelPath::known(REVIEWED), before: before.map(Into::into), after })
}
