//! What changed from one version of a fact to the next, in one word.
//!
//! Invariant: pure. Must not know which source has the versions, nor when or where it happened.

use crate::identity::{Calendar, Memory, Scope, Times, handle::Shared};
use crate::merge::change::{FieldChange, changed};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StepKind {
    Learned,
    LearnedAgain,
    Edited,
    Tagged,
    Pinned,
    Unpinned,
    /// Somebody said that it still holds.
    Confirmed,
    /// Several labels, or one that has no word of its own.
    Changed,
    Renumbered,
    Touched,
    /// A merge united two edits, or this fact with another that says the same.
    Merged,
    KeptByMerge,
    KeptApart,
    Replaced,
    Forgotten,
}

impl StepKind {
    /// Whether the fact was there before and after, and says or is labelled something else.
    pub(super) const fn is_change(self) -> bool {
        matches!(
            self,
            StepKind::Edited
                | StepKind::Tagged
                | StepKind::Pinned
                | StepKind::Unpinned
                | StepKind::Confirmed
                | StepKind::Changed
        )
    }

    pub(super) const fn word(self) -> &'static str {
        match self {
            StepKind::Learned => "learned",
            StepKind::LearnedAgain => "learned again",
            StepKind::Edited => "edited",
            StepKind::Tagged => "tagged",
            StepKind::Pinned => "pinned",
            StepKind::Unpinned => "unpinned",
            StepKind::Confirmed => "confirmed",
            StepKind::Changed => "changed",
            StepKind::Renumbered => "renumbered",
            StepKind::Touched => "touched",
            StepKind::Merged => "merged",
            StepKind::KeptByMerge => "kept by merge",
            StepKind::KeptApart => "kept apart",
            StepKind::Replaced => "replaced",
            StepKind::Forgotten => "forgotten",
        }
    }
}

/// What happened, and what is shown of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Step {
    pub(super) what: StepKind,
    pub(super) detail: String,
    /// The same, with as much of a first line as a terminal may have room for.
    pub(super) line: String,
    /// Of labels, what changed, where the detail says just that.
    pub(super) fields: Vec<FieldChange>,
    /// What it says of its time, where that is new and nothing else tells it.
    pub(super) times: Option<Times>,
    /// The whole texts; `None` where there was no fact.
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
}

impl Step {
    fn between(what: StepKind, before: Option<&Memory>, after: Option<&Memory>) -> Step {
        let shown = after.or(before);
        let text = |side: Option<&Memory>| side.map(|memory| memory.text().to_owned());
        Step {
            what,
            detail: shown.map(Memory::summary).unwrap_or_default(),
            line: shown.map(Memory::first_line).unwrap_or_default(),
            fields: Vec::new(),
            times: None,
            before: text(before),
            after: text(after),
        }
    }

    fn saying(self, detail: String) -> Step {
        Step { line: detail.clone(), detail, ..self }
    }

    fn saying_fields(self, fields: Vec<FieldChange>) -> Step {
        let line = FieldChange::line(&fields);
        Step { fields, ..self }.saying(line)
    }

    /// A text that a merge kept, or made a fact of its own.
    pub(super) fn kept(what: StepKind, before: Option<&Memory>, kept: &Memory) -> Step {
        Step::between(what, before, Some(kept))
    }

    /// A copy that went because another fact says the same.
    pub(super) fn merged_into(gone: &Memory, stays: &Memory) -> Step {
        let handle = stays.handle(Scope::Identity, Shared::Yes);
        Step::between(StepKind::Merged, Some(gone), None).saying(format!("into {handle}"))
    }

    pub(super) fn replaced_by(old: &Memory, by: &Memory) -> Step {
        let (handle, summary) = (by.handle(Scope::Identity, Shared::No), by.summary());
        Step::between(StepKind::Replaced, Some(old), Some(old))
            .saying(format!("by {handle}: {summary}"))
    }
}

/// Whether it was there at any time before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    Before,
    Never,
}

/// `None` if nothing changed.
pub(super) fn step(before: Option<&Memory>, after: Option<&Memory>, known: Known) -> Option<Step> {
    let what = match (before, after) {
        (None, None) => return None,
        (None, Some(_)) if known == Known::Before => StepKind::LearnedAgain,
        (None, Some(_)) => StepKind::Learned,
        (Some(_), None) => StepKind::Forgotten,
        (Some(old), Some(now)) if old.hash != now.hash => StepKind::Edited,
        (Some(old), Some(now)) => return relabelled(old, now),
    };
    Some(Step { times: new_times(before, after), ..Step::between(what, before, after) })
}

fn new_times(before: Option<&Memory>, after: Option<&Memory>) -> Option<Times> {
    let times = |side: Option<&Memory>| side.and_then(|memory| memory.times.as_deref().cloned());
    let bounds = |times: &Times| (times.valid_from, times.valid_until, times.stale_after);
    let before = bounds(&times(before).unwrap_or_default());
    times(after).filter(|after| bounds(after) != before)
}

/// The same text with other labels.
fn relabelled(old: &Memory, now: &Memory) -> Option<Step> {
    let fields = changed(old, now);
    let named = |what: StepKind| Step::between(what, Some(old), Some(now));
    if fields.is_empty() {
        return (old.updated != now.updated).then(|| named(StepKind::Touched));
    }
    let number = |memory: &Memory| memory.id.map_or_else(|| "none".to_owned(), |id| id.to_string());
    if fields.iter().all(FieldChange::is_number) {
        let numbers = format!("{} → {}", number(old), number(now));
        return Some(named(StepKind::Renumbered).saying(numbers));
    }
    let is_alone = fields.len() == 1;
    Some(if is_confirmed(old, now) && only_confirms(&fields, old, now) {
        let step = named(StepKind::Confirmed);
        if is_alone { step } else { step.saying_fields(fields) }
    } else if is_alone && old.pinned != now.pinned {
        named(if now.pinned { StepKind::Pinned } else { StepKind::Unpinned })
    } else if is_alone && old.tags != now.tags {
        named(StepKind::Tagged).saying(now.tags.join(", "))
    } else {
        named(StepKind::Changed).saying_fields(fields)
    })
}

/// Whether somebody said since that it still holds; whoever undoes that says nothing.
fn is_confirmed(old: &Memory, now: &Memory) -> bool {
    let calendar = Calendar::default();
    let verified = |memory: &Memory| memory.times.as_deref()?.verified;
    let said = |memory: &Memory| verified(memory).map(|bound| bound.start(&calendar));
    said(now) > said(old)
}

/// Whether nothing is new but what a confirmation sets: its stamp, and when to check it again.
fn only_confirms(fields: &[FieldChange], old: &Memory, now: &Memory) -> bool {
    let next = |memory: &Memory| memory.times.as_deref().and_then(|times| times.stale_after);
    let own = 1 + usize::from(next(old) != next(now));
    fields.iter().filter(|field| !field.is_number()).count() <= own
}

/// A version as far as a sync leaves it as it was: a new number and stamps change nothing.
#[derive(Clone, Copy)]
pub(super) struct State<'a>(pub(super) Option<&'a Memory>);

impl PartialEq for State<'_> {
    fn eq(&self, other: &State<'_>) -> bool {
        match (self.0, other.0) {
            (None, None) => true,
            (Some(one), Some(other)) => {
                one.hash == other.hash && changed(one, other).iter().all(FieldChange::is_number)
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::{Blob, RelPath};

    fn fact(front: &str, text: &str) -> Option<Memory> {
        let file = format!("---\n{front}created: 2026-01-01T00:00:00.5Z\n---\n\n{text}\n");
        let path = RelPath::known("knowledge/memories/001-x.md");
        Memory::read(&path, &Blob::from(file.as_str())).ok()
    }

    #[test]
    fn each_change_has_its_word() {
        let plain = fact("id: 1\n", "Likes tea");
        for (before, after, known, word, detail) in [
            (None, &plain, Known::Never, "learned", "Likes tea"),
            (None, &plain, Known::Before, "learned again", "Likes tea"),
            (plain.clone(), &None, Known::Before, "forgotten", "Likes tea"),
            (plain.clone(), &fact("id: 1\n", "Likes mate"), Known::Before, "edited", "Likes mate"),
            (
                plain.clone(),
                &fact("id: 1\npinned: true\n", "Likes tea"),
                Known::Before,
                "pinned",
                "Likes tea",
            ),
            (fact("pinned: true\n", "T"), &fact("", "T"), Known::Before, "unpinned", "T"),
            (
                fact("tags: [a]\n", "T"),
                &fact("tags: [a, b]\n", "T"),
                Known::Before,
                "tagged",
                "a, b",
            ),
            (fact("id: 1\n", "T"), &fact("id: 3\n", "T"), Known::Before, "renumbered", "1 → 3"),
            (fact("", "T"), &fact("verified: 2026-02-01\n", "T"), Known::Before, "confirmed", "T"),
            (
                fact("verified: 2026-02-01\n", "T"),
                &fact("", "T"),
                Known::Before,
                "changed",
                "no longer confirmed",
            ),
            (
                fact("verified: 2026-02-01\n", "T"),
                &fact("verified: 2026-01-01\n", "T"),
                Known::Before,
                "changed",
                "confirmed: 2026-02-01 → 2026-01-01",
            ),
            (
                fact("", "T"),
                &fact("valid_until: 2026-02-01\n", "T"),
                Known::Before,
                "changed",
                "until: none → 2026-02-01",
            ),
            (
                fact("", "T"),
                &fact("updated: 2026-02-01T00:00:00Z\n", "T"),
                Known::Before,
                "touched",
                "T",
            ),
        ] {
            let told = step(before.as_ref(), after.as_ref(), known).expect(word);
            assert_eq!((told.what.word(), told.detail.as_str()), (word, detail));
        }
        assert_eq!(step(plain.as_ref(), plain.as_ref(), Known::Before), None);
    }

    #[test]
    fn an_edit_that_confirms_as_well_is_no_confirmation() {
        let confirmed = "verified: 2026-02-01T09:00:00Z\n";
        let next = format!("stale_after: 2026-05-01\n{confirmed}");
        for (before, after, word, detail) in [
            (
                "stale_after: 2026-02-01\n",
                next.as_str(),
                "confirmed",
                "to be checked after: 2026-02-01 → 2026-05-01; confirmed",
            ),
            (
                "valid_until: 2026-02-01\n",
                confirmed,
                "changed",
                "until: 2026-02-01 → none; confirmed",
            ),
        ] {
            let (before, after) = (fact(before, "T"), fact(after, "T"));
            let told = step(before.as_ref(), after.as_ref(), Known::Before).expect(word);
            assert_eq!((told.what.word(), told.detail.as_str()), (word, detail));
        }
    }

    #[test]
    fn a_sync_changes_no_state() {
        let state = fact("id: 1\ntags: [a]\n", "T");
        let same = fact("id: 7\ntags: [a]\nupdated: 2026-02-01T00:00:00Z\n", "T");
        assert!(State(state.as_ref()) == State(same.as_ref()));
        for other in [None, fact("id: 1\ntags: [b]\n", "T"), fact("id: 1\ntags: [a]\n", "U")] {
            assert!(State(state.as_ref()) != State(other.as_ref()));
        }
    }
}
