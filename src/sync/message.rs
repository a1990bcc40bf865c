//! What the message of a commit, and the log, say of a change.
//!
//! Invariant: counts and paths, never the text of a fact.

use crate::identity::Role;
use crate::merge::{ChangeSet, change::FileChange, laptops};

/// Counts for messages: `learned 2, edited 1`.
pub(super) fn summary(files: &[FileChange]) -> String {
    let meaning = laptops::meaning(&ChangeSet::of(files.to_vec()), None).without_numbers();
    let counts = [
        (meaning.learned.len(), "learned"),
        (meaning.edited.len(), "edited"),
        (meaning.forgotten.len(), "forgotten"),
        (meaning.relabelled.len(), "relabelled"),
    ];
    let some = counts.into_iter().filter(|(count, _)| *count > 0);
    let mut parts: Vec<String> = some.map(|(count, what)| format!("{what} {count}")).collect();
    let (notes, others): (Vec<_>, Vec<_>) =
        meaning.documents.into_iter().partition(|change| change.path.role() == Role::Note);
    if !notes.is_empty() {
        parts.push(format!("notes of agents {}", notes.len()));
    }
    match others.as_slice() {
        [] => {}
        [one] => parts.push(one.path.to_string()),
        several if parts.is_empty() => parts.push(format!("{} files", several.len())),
        several => parts.push(format!("{} other files", several.len())),
    }
    if parts.is_empty() { "tidied".to_owned() } else { parts.join(", ") }
}
