//! What a person has answered so far, on any laptop.
//!
//! Invariant: what cannot be read counts as unanswered, so that a person is asked rather than not.

use crate::identity::{ContentHash, answers::Answers, kind::REVIEWED};
use crate::index::store::Store;
use crate::machine::files;

/// Whether a person rejected a text.
pub fn is_rejected(store: &Store, text: ContentHash) -> bool {
    answers(store).is_declined(text)
}

/// What was answered so far, on any laptop.
pub fn answers(store: &Store) -> Answers {
    let bytes = files::read(&store.root.join(REVIEWED)).ok().flatten();
    bytes.map(|bytes| Answers::read(&bytes)).unwrap_or_default()
}
