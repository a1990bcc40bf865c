//! Which steps of this laptop's operations each commit contains.
//!
//! Invariant: pure. Steps and commits keep their orders, and a step is in one commit at most, so
//! that nothing is told twice. Must not know what changed from one state to the next.

use std::ops::Range;

/// From one state to another.
pub(super) struct Span<K> {
    pub(super) from: K,
    pub(super) to: K,
    /// When: commits know no more than the second.
    pub(super) second: i64,
}

/// The steps that a commit contains.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Run {
    pub(super) steps: Range<usize>,
    /// Whether the commit began with another state than the first of them: how it came to that one
    /// is no longer in the log.
    pub(super) begins_late: bool,
}

/// For each commit its steps; `None` for one that was made elsewhere, or whose steps the log does
/// not have.
pub(super) fn runs<K: PartialEq>(
    steps: &[Span<K>],
    commits: &[Option<Span<K>>],
) -> Vec<Option<Run>> {
    let mut next = 0;
    let mut run = |commit: &Option<Span<K>>| {
        let found = run_of(steps, next, commit.as_ref()?)?;
        next = found.steps.end;
        Some(found)
    };
    commits.iter().map(&mut run).collect()
}

fn run_of<K: PartialEq>(steps: &[Span<K>], next: usize, commit: &Span<K>) -> Option<Run> {
    let mut starts = (next..steps.len()).filter(|at| steps[*at].from == commit.from);
    let whole = starts.find_map(|start| Some((start, end_of(steps, start, commit)?)));
    let late = || Some((next, end_of(steps, next, commit)?));
    let (start, end) = whole.or_else(late)?;
    Some(Run { steps: start..end, begins_late: whole.is_none() })
}

/// Where the steps from a first one on have led to what the commit has.
fn end_of<K: PartialEq>(steps: &[Span<K>], start: usize, commit: &Span<K>) -> Option<usize> {
    let mut end = None;
    for (at, step) in steps.iter().enumerate().skip(start) {
        let goes_on = at == start || steps[at - 1].to == step.from;
        if !goes_on || step.second > commit.second {
            break;
        }
        // Of what was done in the second of the commit, only what it needs is known to be in it.
        let is_before = step.second < commit.second || end.is_none();
        if step.to == commit.to && is_before {
            end = Some(at + 1);
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `-a3`: from nothing to `a`, in second 3.
    fn spans(text: &str) -> Vec<Span<char>> {
        let span = |word: &str| {
            let mut letters = word.chars();
            let (from, to) = (letters.next().expect("a state"), letters.next().expect("a state"));
            Span { from, to, second: letters.as_str().parse().expect("a second") }
        };
        text.split_whitespace().map(span).collect()
    }

    /// The ranges of [`runs`]; `~` before those that begin late, `.` for none.
    fn told(steps: &str, commits: &str) -> String {
        let commits: Vec<Option<Span<char>>> = commits
            .split_whitespace()
            .map(|word| if word == "." { None } else { spans(word).pop() })
            .collect();
        let shown = |run: Option<Run>| match run {
            Some(Run { steps, begins_late }) => {
                format!("{}{steps:?}", if begins_late { "~" } else { "" })
            }
            None => ".".to_owned(),
        };
        runs(&spans(steps), &commits).into_iter().map(shown).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_commit_has_the_steps_that_led_to_it() {
        for (steps, commits, expected) in [
            ("", "-a3", "."),
            ("-a1", "", ""),
            ("-a1", "-a3", "0..1"),
            // Several since the last sync.
            ("-a1 ab2", "-b3", "0..2"),
            ("-a1 ab4 bc5", "-a3 ac6", "0..1 1..3"),
            // Not committed yet, and committed in the same second as it was done.
            ("-a1 ab4", "-a3", "0..1"),
            ("-a1 ab1", "-a1 ab1", "0..1 1..2"),
            // There and back between two syncs, or before the first.
            ("-a1 ab4 ba5 ac7", "-a3 ac8", "0..1 1..4"),
            ("-a1 ab2 ba2", "-a3", "0..3"),
            ("-a1 a-2 -a4", "-a5", "0..3"),
            ("-a1 a-2", "", ""),
            // Another laptop changed it in between.
            ("-a1 bc5", "-a2 . bc6", "0..1 . 1..2"),
            ("-a1 ab5", "-a2 . .", "0..1 . ."),
            // The log lost its beginning, or everything.
            ("ab5", "-a2 ab6", ". 0..1"),
            ("ab5", "-b6", "~0..1"),
            ("bc5", "-a2 ab4 bc6", ". . 0..1"),
            // Only the number or a stamp changed, by the sync or by a step.
            ("-a1", "-a2 aa3", "0..1 ."),
            ("-a1 aa3", "-a2 aa4", "0..1 1..2"),
            ("-a1 aa3", "-a2 . aa4 .", "0..1 . 1..2 ."),
            ("-a1 aa5", "-a2 aa4", "0..1 ."),
            ("-a1 aa3 ab4", "-a2 ab5", "0..1 1..3"),
            ("-a1 ab3 ba4", "-a2 aa5", "0..1 1..3"),
            // A step that came after the commit is not in it, even if it fits.
            ("a-7 -a8", "-a3 a-9", ". 0..1"),
        ] {
            assert_eq!(told(steps, commits), expected, "{steps} in {commits}");
        }
    }
}
