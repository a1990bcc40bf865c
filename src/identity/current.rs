//! Which facts hold at a moment, and why the others do not: the one place that decides it, for
//! every list, answer, context, tool and page.
//!
//! Invariant: a fact holds unless it has not begun, is over, or is replaced; the order of the facts
//! does not matter. B replaces A if B names A's text, has begun, and was said later: so saying A
//! again wins, and no circle hides all. Whether B holds itself does not matter. Must not know: the
//! clock, where the facts come from.

use super::{
    calendar::Calendar,
    finding::{Code, Finding},
    hash::ContentHash,
    ledger::Ledger,
    memory::{Memory, MemoryMeta},
    stamp::Stamp,
    times::{Bound, SUPERSEDES, Times},
};
use jiff::civil::Date;
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

/// A moment, and the days around it.
#[derive(Clone, Copy, Debug)]
pub struct When<'a> {
    pub at: Stamp,
    pub calendar: &'a Calendar,
}

/// Which facts a reader wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StandingFilter {
    /// Those that hold at the moment that the answer is about.
    #[default]
    Current,
    All,
}

impl StandingFilter {
    pub fn wants(self, standing: Standing) -> bool {
        self == StandingFilter::All || standing == Standing::Current
    }
}

/// What decides whether a fact holds.
#[derive(Clone, Copy, Debug)]
pub struct Dated<'a> {
    pub hash: ContentHash,
    pub created: Stamp,
    /// The later of `created` and `updated`.
    pub latest: Stamp,
    /// A fact replaces only those of its own place and of places that are less near.
    pub nearness: usize,
    pub times: Option<&'a Times>,
}

impl<'a> Dated<'a> {
    pub fn of(memory: &'a MemoryMeta, nearness: usize) -> Dated<'a> {
        Dated {
            hash: memory.hash,
            created: memory.created,
            latest: memory.latest(),
            nearness,
            times: memory.times.as_deref(),
        }
    }

    /// When it was last learned, changed or confirmed.
    pub fn last_said(&self, calendar: &Calendar) -> Stamp {
        let verified = self.times.and_then(|times| times.verified);
        verified.map_or(self.latest, |verified| self.latest.max(verified.start(calendar)))
    }

    /// From when on it replaces others.
    fn replaces_from(&self, calendar: &Calendar) -> Stamp {
        let from = self.times.and_then(|times| times.valid_from);
        from.map_or(self.created, |from| from.start(calendar))
    }

    fn superseded(&self) -> &'a [ContentHash] {
        self.times.map_or(&[], |times| times.supersedes.as_slice())
    }

    /// Whether it replaces another fact, or will from [`Dated::replaces_from`] on.
    fn can_replace(&self, other: &Dated<'_>, calendar: &Calendar) -> bool {
        self.hash != other.hash
            && self.superseded().contains(&other.hash)
            && self.nearness >= other.nearness
            && self.last_said(calendar) > other.last_said(calendar)
    }
}

/// Whether a fact holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    Current,
    /// It begins later.
    NotYet(Bound),
    Over(Bound),
    /// By the fact at this place.
    ReplacedBy(usize),
}

impl Standing {
    /// As JSON names it; nothing for a fact that holds.
    pub const fn word(self) -> Option<&'static str> {
        match self {
            Standing::Current => None,
            Standing::NotYet(_) => Some("not-yet"),
            Standing::Over(_) => Some("over"),
            Standing::ReplacedBy(_) => Some("replaced"),
        }
    }
}

/// Whether each of these facts holds. They are all that a reader could show, so that those that
/// replace others are among them.
pub fn standings(facts: &[Dated<'_>], when: When<'_>) -> Vec<Standing> {
    let by_replaced = replacing(facts);
    let standing = |fact: &Dated<'_>| {
        let of_times = fact.times.map_or(Standing::Current, |times| of_bounds(times, when));
        if of_times != Standing::Current {
            return of_times;
        }
        let by = by_replaced.get(&fact.hash).and_then(|by| replaced_by(facts, by, fact, when));
        by.map_or(Standing::Current, Standing::ReplacedBy)
    };
    facts.iter().map(standing).collect()
}

/// The places of the facts that name a text as replaced, by the hash of that text.
fn replacing(facts: &[Dated<'_>]) -> BTreeMap<ContentHash, Vec<usize>> {
    let mut by_replaced: BTreeMap<ContentHash, Vec<usize>> = BTreeMap::new();
    for (at, fact) in facts.iter().enumerate() {
        for hash in fact.superseded() {
            by_replaced.entry(*hash).or_default().push(at);
        }
    }
    by_replaced
}

fn of_bounds(times: &Times, When { at, calendar }: When<'_>) -> Standing {
    match (times.valid_from, times.valid_until) {
        (Some(from), _) if from.start(calendar) > at => Standing::NotYet(from),
        (_, Some(until)) if until.end(calendar) < at => Standing::Over(until),
        _ => Standing::Current,
    }
}

/// Of several, the one that was said last.
fn replaced_by(
    facts: &[Dated<'_>],
    by: &[usize],
    fact: &Dated<'_>,
    When { at, calendar }: When<'_>,
) -> Option<usize> {
    let does = |by: &&usize| {
        let by = &facts[**by];
        by.can_replace(fact, calendar) && by.replaces_from(calendar) <= at
    };
    let last = |by: &&usize| (facts[**by].last_said(calendar), Reverse(facts[**by].hash));
    by.iter().filter(does).max_by_key(last).copied()
}

/// The next moment at which one of these facts begins, ends, replaces another or should be checked;
/// until then, all stays as it is.
pub fn next_change(facts: &[Dated<'_>], When { at, calendar }: When<'_>) -> Option<Stamp> {
    let moments = facts.iter().flat_map(|fact| {
        let after = |bound: Option<Bound>| bound.map(|bound| bound.end(calendar).plus(1));
        let times = fact.times;
        let replaces = !fact.superseded().is_empty();
        [
            times.and_then(|times| times.valid_from).map(|from| from.start(calendar)),
            after(times.and_then(|times| times.valid_until)),
            after(times.and_then(|times| times.stale_after)),
            replaces.then(|| fact.replaces_from(calendar)),
        ]
    });
    moments.flatten().filter(|moment| *moment > at).min()
}

/// Since when nobody said that a fact still holds, if it should have been checked by now.
pub fn unchecked_since(fact: &Dated<'_>, When { at, calendar }: When<'_>) -> Option<Date> {
    let due = fact.times?.stale_after?.end(calendar);
    let last = fact.last_said(calendar);
    (due < at && last <= due).then(|| calendar.day_in_file(last))
}

/// What a line says of the time of a fact: `until 14 Feb 2026`, `replaced by 31`, `unchecked since
/// March 2025`. `replaced_by` is the handle of the fact that replaces it.
pub fn marks(
    fact: &Dated<'_>,
    standing: Standing,
    replaced_by: Option<&str>,
    when: When<'_>,
) -> Vec<String> {
    let dated = |word: &str, bound: Bound| format!("{word} {}", bound.words(when.calendar));
    let mut marks = Vec::new();
    if let Standing::NotYet(from) = standing {
        marks.push(dated("from", from));
    }
    marks.extend(fact.times.and_then(|times| times.valid_until).map(|until| dated("until", until)));
    marks.extend(replaced_by.map(|handle| format!("replaced by {handle}")));
    let since = unchecked_since(fact, when).filter(|_| standing == Standing::Current);
    marks.extend(since.map(|since| format!("unchecked since {}", since.strftime("%B %Y"))));
    marks
}

/// Facts that say that they replace a text which no fact has, and none had that was forgotten.
pub fn check(memories: &[Memory], ledger: &Ledger) -> Vec<Finding> {
    let superseding = |memory: &&Memory| {
        memory.times.as_deref().is_some_and(|times| !times.supersedes.is_empty())
    };
    let mut superseding = memories.iter().filter(superseding).peekable();
    if superseding.peek().is_none() {
        return Vec::new();
    }
    let known: BTreeSet<ContentHash> = memories.iter().map(|memory| memory.hash).collect();
    let is_unknown =
        |hash: &&ContentHash| !known.contains(*hash) && ledger.of_text(**hash).is_none();
    let finding = |memory: &Memory| {
        let named = memory.times.iter().flat_map(|times| &times.supersedes);
        let unknown: Vec<String> = named.filter(is_unknown).map(ContentHash::to_string).collect();
        let message = format!("{SUPERSEDES}: no fact has the text {}", unknown.join(", "));
        let line = || memory.document().line_of(SUPERSEDES);
        (!unknown.is_empty()).then(|| {
            Finding::new(Code::ReplacesNothing, &memory.path, message).at(line()).field(SUPERSEDES)
        })
    };
    superseding.filter_map(finding).collect()
}

#[cfg(test)]
mod tests;
