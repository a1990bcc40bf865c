//! Which of two texts of a file was written later.
//!
//! Invariant: pure and symmetric. A choice can always be made; that one text is newer is only said
//! if both times are known.

use crate::identity::{Document, RelPath, Stamp, memory};
use std::cmp::Ordering;

/// How the first text's age compares with the second's: `Greater` if the first is newer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Age {
    /// For a choice: a text of unknown age counts as older, and a text's own date as its age.
    pub(super) order: Ordering,
    /// `Equal` if neither is known to be newer.
    pub known: Ordering,
}

impl Age {
    pub(super) const UNKNOWN: Age = Age { order: Ordering::Equal, known: Ordering::Equal };

    /// By when the texts were written, as far as git or the file system know it.
    pub(super) fn of_times([x, y]: [Option<Stamp>; 2]) -> Age {
        let known = x.zip(y).map_or(Ordering::Equal, |(x, y)| x.cmp(&y));
        Age { order: x.cmp(&y), known }
    }

    /// By `updated`, where an edit set it; else by the times.
    pub(super) fn of_documents(
        base: Option<&Document>,
        sides: [&Document; 2],
        times: [Option<Stamp>; 2],
    ) -> Age {
        let before = base.and_then(updated);
        let said = sides.map(updated);
        let written = |at: usize| said[at].filter(|said| Some(*said) > before).or(times[at]);
        let order = written(0).or(said[0]).cmp(&written(1).or(said[1]));
        Age { order, known: Age::of_times([written(0), written(1)]).known }
    }

    /// As the rule of the file says.
    pub fn of_texts(
        path: &RelPath,
        base: Option<&Document>,
        sides: [&Document; 2],
        times: [Option<Stamp>; 2],
    ) -> Age {
        if path.row().merge.reads_no_stamps() {
            return Age::of_times(times);
        }
        Age::of_documents(base, sides, times)
    }
}

fn updated(document: &Document) -> Option<Stamp> {
    memory::stamp_of(document, "updated")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cmp::Ordering::{Equal, Greater, Less};

    #[test]
    fn one_text_is_newer_if_both_times_are_known() {
        let of = |day: u32| match day {
            0 => Document::new("text"),
            day => Document::of_text(
                format!("---\nupdated: 2026-01-{day:02}T00:00:00Z\n---\ntext\n").as_bytes(),
            )
            .expect("text"),
        };
        let at = |minutes: i64| (minutes > 0).then(|| Stamp::from_micros(minutes * 60_000_000));
        // The day of the base, the days of both sides, their times; how they are ordered, and what
        // is known.
        for (base, days, times, order, known) in [
            (1, [3, 5], [9, 1], Less, Less),
            (1, [5, 3], [1, 9], Greater, Greater),
            (1, [1, 1], [9, 1], Greater, Greater),
            (0, [0, 0], [1, 9], Less, Less),
            (1, [1, 1], [0, 0], Equal, Equal),
            (0, [0, 0], [0, 9], Less, Equal),
            (0, [0, 0], [9, 0], Greater, Equal),
            (1, [5, 1], [0, 0], Greater, Equal),
            (1, [1, 5], [0, 0], Less, Equal),
            (1, [3, 3], [1, 9], Equal, Equal),
            // Set back by hand: the time of the edit counts.
            (5, [3, 5], [9, 1], Greater, Greater),
        ] {
            let (before, sides) = (of(base), days.map(of));
            let (times, [x, y]) = (times.map(at), sides.each_ref());
            let age = Age::of_documents(Some(&before), [x, y], times);
            assert_eq!(age, Age { order, known }, "{base} {days:?} {times:?}");
            let [at_x, at_y] = times;
            let turned = Age::of_documents(Some(&before), [y, x], [at_y, at_x]);
            assert_eq!((turned.order, turned.known), (order.reverse(), known.reverse()));
        }
    }
}
