//! Merges frontmatter, key by key.
//!
//! Invariant: unknown keys are carried; a key changed on one side wins; if both changed it: lists
//! as sets, `version`, `updated`, `stale_after` and `verified` by maximum, everything else from the
//! newer side.

use super::order::arrange;
use crate::identity::{
    Bound, Calendar, Stamp,
    frontmatter::{Entry, Frontmatter},
    times,
    value::Value,
};
use std::{cmp::Ordering, collections::BTreeSet};

/// The merged keys.
#[derive(Clone, PartialEq, Debug)]
pub struct MergedFront {
    pub front: Frontmatter,
    /// Keys of which one side's value was dropped, because both had set it.
    pub dropped: Vec<String>,
}

/// `rank` compares the ages of `x` and `y`.
pub fn merge(
    base: Option<&Frontmatter>,
    x: &Frontmatter,
    y: &Frontmatter,
    rank: Ordering,
) -> MergedFront {
    let names = |front: &Frontmatter| -> Vec<String> {
        front.entries().iter().map(|entry| entry.key.clone()).collect()
    };
    let all: BTreeSet<String> = names(x).into_iter().chain(names(y)).collect();
    let mut dropped = Vec::new();
    let mut chosen: Vec<Entry> = Vec::new();
    for key in &all {
        match choose(base.and_then(|base| base.entry(key)), x.entry(key), y.entry(key), rank) {
            Some(Choice::Of(entry)) => chosen.push(entry),
            Some(Choice::Newer(entry)) => {
                dropped.push(key.clone());
                chosen.push(entry);
            }
            None => {}
        }
    }
    let kept: BTreeSet<String> = chosen.iter().map(|entry| entry.key.clone()).collect();
    let mut merged = Frontmatter::default();
    for key in arrange(&kept, &names(x), &names(y), rank) {
        let entry = chosen
            .iter()
            .find(|entry| entry.key == key)
            .expect("because every kept key was chosen");
        merged.push_raw(entry.clone());
    }
    for side in [x, y] {
        // If the entries equal one side's, keep that side byte for byte, including the preamble.
        if side.entries().iter().map(|e| &e.raw).eq(merged.entries().iter().map(|e| &e.raw)) {
            return MergedFront { front: side.clone(), dropped };
        }
    }
    // An alias may have lost its anchor: then the newer block counts as a whole.
    if Frontmatter::read(&merged.write()).is_err() {
        let is_x = rank.then_with(|| x.write().cmp(&y.write())).is_ge();
        merged = if is_x { x.clone() } else { y.clone() };
        dropped.extend(all.iter().filter(|key| x.get(key) != y.get(key)).cloned());
    }
    MergedFront { front: merged, dropped }
}

enum Choice {
    Of(Entry),
    /// The other side's value was dropped.
    Newer(Entry),
}

fn choose(
    base: Option<&Entry>,
    x: Option<&Entry>,
    y: Option<&Entry>,
    rank: Ordering,
) -> Option<Choice> {
    let raw = |entry: Option<&Entry>| entry.map(|entry| entry.raw.clone());
    let of = |entry: Option<&Entry>| entry.cloned().map(Choice::Of);
    let (x, y) = match (x, y) {
        (x, y) if raw(x) == raw(y) => return of(x),
        (x, y) if base.is_some() && raw(x) == raw(base) => return of(y),
        (x, y) if base.is_some() && raw(y) == raw(base) => return of(x),
        (Some(x), Some(y)) => (x, y),
        (one, other) => return of(one.or(other)),
    };
    let newer = || if rank.then_with(|| x.raw.cmp(&y.raw)).is_ge() { x } else { y }.clone();
    let can_unite = x.is_changeable() && y.is_changeable();
    Some(match (x.key.as_str(), x.value(), y.value()) {
        ("updated", ..) => Choice::Of(by_maximum(x, y, |value| stamp(value).map(Stamp::micros))),
        (times::STALE_AFTER | times::VERIFIED, a, b)
            if Bound::of_value(a).is_some() && Bound::of_value(b).is_some() =>
        {
            Choice::Of(by_maximum(x, y, last_moment))
        }
        ("version", ..) => Choice::Of(by_maximum(x, y, |value| {
            if let Value::Int(number) = value { Some(*number) } else { None }
        })),
        // Written anew from the merged text.
        ("checksum", ..) => Choice::Of(newer()),
        ("tags" | times::SUPERSEDES, a, b) => match (a.list(), b.list()) {
            (Some(a), Some(b)) if can_unite => Choice::Of(united(base, (x, &a), (y, &b))),
            _ => Choice::Newer(newer()),
        },
        (_, Value::List(a), Value::List(b)) if can_unite => {
            Choice::Of(united(base, (x, a), (y, b)))
        }
        (_, a, b) if a == b => Choice::Of(newer()),
        _ => Choice::Newer(newer()),
    })
}

fn stamp(value: &Value) -> Option<Stamp> {
    Stamp::parse(&value.text()?).map(|read| read.stamp)
}

/// When a day or a moment is over. Days are those of UTC: laptops in several zones have to agree.
pub(super) fn last_moment(value: &Value) -> Option<i64> {
    Some(Bound::of_value(value)?.end(&Calendar::default()).micros())
}

fn by_maximum(x: &Entry, y: &Entry, measure: impl Fn(&Value) -> Option<i64>) -> Entry {
    let key = |entry: &Entry| (measure(entry.value()), entry.raw.clone());
    if key(x) >= key(y) { x.clone() } else { y.clone() }
}

/// Lists as sets: what both have and what one side added; what one side removed is dropped.
fn united(base: Option<&Entry>, x: (&Entry, &[String]), y: (&Entry, &[String])) -> Entry {
    let old = base.and_then(|base| base.value().list()).unwrap_or_default();
    let set = |items: &[String]| -> BTreeSet<String> { items.iter().cloned().collect() };
    let (in_x, in_y) = (set(x.1), set(y.1));
    let kept: BTreeSet<String> = in_x
        .union(&in_y)
        .filter(|item| (in_x.contains(*item) && in_y.contains(*item)) || !old.contains(item))
        .cloned()
        .collect();
    let whole = |side: (&Entry, &[String])| (set(side.1) == kept).then(|| side.0.clone());
    match (whole(x), whole(y)) {
        (Some(a), Some(b)) => {
            if a.raw >= b.raw {
                a
            } else {
                b
            }
        }
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => {
            // The key as it was typed, and a side's comments.
            let typed = if x.0.raw >= y.0.raw { x.0 } else { y.0 };
            let mut front = Frontmatter::default();
            front.push_raw(typed.clone());
            front.set(&typed.key, Value::List(kept.into_iter().collect()));
            front.entries()[0].clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn front(text: &str) -> Frontmatter {
        Frontmatter::read(text).expect("valid")
    }

    #[test]
    fn each_key_by_its_rule() {
        let base = front("id: 1\ntags: [a, b]\nsource: user-told\nupdated: 2026-01-01T00:00:00Z\n");
        let x =
            front("id: 1\ntags: [a, c]\nsource: x\nupdated: 2026-01-02T00:00:00Z\nmood: good\n");
        let y = front("id: 1\ntags: [a, b, d]\nsource: y\nupdated: 2026-01-03T00:00:00Z\n");
        let merge = |base, x, y, rank| merge(base, x, y, rank).front;
        let merged = merge(Some(&base), &x, &y, Ordering::Less);
        assert_eq!(
            merged.write(),
            "id: 1\ntags: [a, c, d]\nsource: y\nupdated: 2026-01-03T00:00:00Z\nmood: good\n"
        );
        assert_eq!(merged, merge(Some(&base), &y, &x, Ordering::Greater));
        assert_eq!(merge(Some(&base), &merged, &y, Ordering::Equal), merged);
    }

    #[test]
    fn what_was_checked_last_counts_and_replaced_texts_add_up() {
        for (x, y, merged) in [
            ("verified: 2026-02-14\n", "verified: 2026-02-13\n", "verified: 2026-02-14\n"),
            (
                "verified: 2026-02-14T09:00:00Z\n",
                "verified: 2026-02-14T10:00:00+02:00\n",
                "verified: 2026-02-14T09:00:00Z\n",
            ),
            ("stale_after: 2027-01-01\n", "stale_after: 2026-12-31\n", "stale_after: 2027-01-01\n"),
            // Only a value that can be read is a day.
            ("stale_after: soon\n", "stale_after: 2026-12-31\n", "stale_after: 2026-12-31\n"),
            // An end goes with the newer side, even if that one is earlier.
            ("valid_until: 2027-01-01\n", "valid_until: 2026-12-31\n", "valid_until: 2026-12-31\n"),
            ("supersedes: [a, b]\n", "supersedes: [b, c]\n", "supersedes: [a, b, c]\n"),
            ("supersedes: a\n", "supersedes: [c]\n", "supersedes: [a, c]\n"),
        ] {
            let (x, y) = (front(x), front(y));
            let one = merge(None, &x, &y, Ordering::Less).front;
            assert_eq!(one.write(), merged);
            assert_eq!(merge(None, &y, &x, Ordering::Greater).front, one);
            assert_eq!(merge(None, &one, &y, Ordering::Equal).front, one);
        }
    }
}
