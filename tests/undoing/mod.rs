//! Undo and redo in random stories: operations, edits by hand, syncs, undos and redos of any number
//! in an identity, a project, a nested project and documents; and several writers at once.
//!
//! Invariant: whatever happened, what was undone is as it was before, what is newer stays, and a
//! refusal changes nothing and says why. `CO_UNDO_SEQUENCES=500` and `CO_UNDO_WRITERS=200` try
//! more; `CO_UNDO_SEED=17` plays one story.

mod acts;
mod log;
mod oracle;
mod stores;
mod story;
mod together;
mod undos;
mod writers;

pub use crate::support::stories::Wrong;
use crate::support::stories::{Seeds, number};

#[test]
fn whatever_is_undone_and_redone_nothing_newer_is_lost() {
    Seeds { how_many: "CO_UNDO_SEQUENCES", usually: 6, one: "CO_UNDO_SEED" }.play(story::play);
}

#[test]
fn writers_at_once_get_a_number_each_and_all_can_be_taken_back() {
    writers::at_once(number("CO_UNDO_WRITERS", 12));
}
