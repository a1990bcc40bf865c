//! The merge of two whole identities.
//!
//! Invariant: `merge(b, x, y)` and `merge(b, y, x)` are the same bytes; if the sides are equal, or
//! one equals the base, the result is the other byte for byte.

use super::{
    Decision, Policy, Reason,
    files::{self, incoming_wins},
    memories,
    memory_sides::{ByOrigin, MemorySides},
    relocation::{self, Relocation},
    renames,
};
use crate::identity::{
    Blob, Calendar, ContentHash, Document, EditTimes, Ledger, Memory, RelPath, Snapshot, Stamp,
    kind::LEDGER, memory::stamp_of,
};
use crate::knowledge::names::Names;
use std::{cmp::Ordering, collections::BTreeSet};

#[derive(Clone, PartialEq, Debug)]
pub struct Merged {
    pub snapshot: Snapshot,
    pub decisions: Vec<Decision>,
}

#[derive(Clone, Copy, Default)]
pub struct History<'a> {
    pub base: Option<&'a Snapshot>,
    /// Without a base: what one side is known to have had. It shows which side changed a text that
    /// both have, but nothing about what a side lacks.
    pub past: Option<&'a Snapshot>,
    /// When each side got its texts, for files that do not say it.
    pub times: Option<[&'a EditTimes; 2]>,
    /// Whether no document is at different places on the sides.
    pub is_laid_out: bool,
    /// The days of the person who reads the decisions; those of UTC without one.
    pub calendar: Option<&'a Calendar>,
}

pub fn merge(base: Option<&Snapshot>, x: &Snapshot, y: &Snapshot, policy: Policy) -> Merged {
    merge_with(History { base, ..History::default() }, x, y, policy)
}

pub fn merge_with(history: History<'_>, x: &Snapshot, y: &Snapshot, policy: Policy) -> Merged {
    let base = history.base;
    let whole = |snapshot: &Snapshot| Merged { snapshot: snapshot.clone(), decisions: Vec::new() };
    if x == y || base == Some(y) {
        return whole(x);
    }
    if base == Some(x) {
        return whole(y);
    }
    let (nothing, of_utc) = (Snapshot::default(), Calendar::default());
    let calendar = history.calendar.unwrap_or(&of_utc);
    let mut of_base = Side::read(base.unwrap_or(&nothing), &ByOrigin::new());
    let mut of_x = Side::read(x, &of_base.memories);
    let mut of_y = Side::read(y, &of_base.memories);
    renames::align(&mut of_base.others, &mut of_x.others, &mut of_y.others);
    // An import and an undo are about paths.
    let follows = base.is_some() && policy == Policy::Sync && !history.is_laid_out;
    let sides = follows.then_some([&mut of_base, &mut of_x, &mut of_y]);
    let relocation = sides.and_then(|sides| relocate(sides, history.times));

    let past = Side::read(history.past.unwrap_or(&nothing), &ByOrigin::new()).memories;
    let mut decisions: Vec<Decision> =
        relocation.iter().flat_map(|made| made.decisions.clone()).collect();
    let mut snapshot = Snapshot::default();
    let paths: BTreeSet<&RelPath> =
        [&of_base, &of_x, &of_y].into_iter().flat_map(|side| side.others.paths()).collect();
    for path in paths {
        if let Some(stamp) = deleted_here(path, [&of_x, &of_y], policy) {
            let day = calendar.day(stamp);
            let why = format!("deleted here on {day}; --restore-forgotten imports it");
            decisions.push(Decision::new(path, Reason::Forgotten, why));
            continue;
        }
        let sides = [&of_base, &of_x, &of_y];
        let times = [0, 1].map(|side| {
            let own = relocation.as_ref().map_or(path, |made| made.own(side, path));
            history.times?[side].last_edit(own)
        });
        let of_path = PathSides { path, has_base: base.is_some(), sides, times };
        let merged = merge_path(&of_path, policy, &mut decisions);
        merged.into_iter().for_each(|(path, blob)| snapshot.put(path, blob));
    }
    files::distinct_paths(&mut snapshot, &mut decisions);
    let mut ledger = of_x.ledger.clone();
    ledger.join(&of_y.ledger);
    let sides = MemorySides {
        base: base.map(|_| &of_base.memories),
        past: &past,
        calendar,
        x: &of_x.memories,
        y: &of_y.memories,
        ledger: &ledger,
        old_ledger: &of_base.ledger,
        taken: &memories::folded(snapshot.paths()),
    };
    let merged = memories::merge(&sides, policy, &mut decisions);
    snapshot.put_each(merged.memories.into_iter().map(|memory| (memory.path, memory.blob)));
    add_lines(&mut snapshot, ledger, &merged.lines);
    decisions.sort();
    decisions.dedup();
    Merged { snapshot, decisions }
}

/// Moves documents on every side to where one of them moved them.
fn relocate(sides: [&mut Side; 3], times: Option<[&EditTimes; 2]>) -> Option<Relocation> {
    let [base, x, y] = sides;
    let relocation = Relocation::between([&base.others, &x.others, &y.others], times)?;
    let names = [&*base, &*x, &*y].map(Side::names);
    relocation.apply([&mut base.others, &mut x.others, &mut y.others], names);
    Some(relocation)
}

/// When an incoming document was deleted here, if that was after its last change.
fn deleted_here(path: &RelPath, [here, there]: [&Side; 2], policy: Policy) -> Option<Stamp> {
    let is_document = path.is_document();
    if policy != Policy::Import || !is_document || here.others.get(path).is_some() {
        return None;
    }
    let document = Document::read(there.others.get(path)?).ok()?;
    let last = stamp_of(&document, "updated");
    here.ledger.of_document(document.hash()).filter(|stamp| Some(*stamp) > last)
}

fn add_lines(snapshot: &mut Snapshot, mut ledger: Ledger, lines: &[(Stamp, ContentHash, Stamp)]) {
    let before = ledger.clone();
    for (origin, hash, stamp) in lines {
        ledger.add(*origin, *hash, *stamp);
    }
    if let (true, Some(text)) = (ledger != before, ledger.write()) {
        snapshot.put(RelPath::known(LEDGER), text.into_bytes());
    }
}

struct Side {
    memories: ByOrigin,
    others: Snapshot,
    ledger: Ledger,
}

impl Side {
    fn read(snapshot: &Snapshot, reference: &ByOrigin) -> Side {
        let mut readable = Vec::new();
        let mut others = Snapshot::default();
        for (path, blob) in snapshot.iter() {
            match (path.is_memory()).then(|| Memory::read(path, blob)) {
                Some(Ok(memory)) => readable.push(memory),
                _ => others.put(path.clone(), blob.clone()),
            }
        }
        Side {
            memories: memories::by_origin(readable, reference),
            others,
            ledger: snapshot.ledger(),
        }
    }

    fn names(&self) -> Names {
        let memories = self.memories.values().map(|memory| &memory.path);
        relocation::names(self.others.paths().chain(memories))
    }
}

struct PathSides<'a> {
    path: &'a RelPath,
    has_base: bool,
    sides: [&'a Side; 3],
    times: [Option<Stamp>; 2],
}

fn merge_path(
    of: &PathSides<'_>,
    policy: Policy,
    decisions: &mut Vec<Decision>,
) -> Vec<(RelPath, Blob)> {
    let &PathSides { path, has_base, sides, times } = of;
    let [base, x, y] = sides.map(|side| side.others.get(path));
    let incoming = matches!(policy, Policy::Import | Policy::RestoreForgotten);
    if let (true, true, Some(theirs)) = (incoming, incoming_wins(path.kind()), y) {
        // Files that differ only in stamp and checksum are left alone.
        let kept = x.filter(|ours| files::says_the_same(ours, theirs)).unwrap_or(theirs);
        return vec![(path.clone(), kept.clone())];
    }
    let tie = if incoming { Ordering::Less } else { Ordering::Equal };
    files::merge(&files::FileSides { path, has_base, base, x, y, times, tie }, decisions)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &str = "knowledge/m.json";

    /// The files of the merge and its rules; `ages` are when each side wrote.
    fn merged(texts: [&str; 3], ages: [i64; 2]) -> (Vec<String>, Vec<Reason>) {
        let path = RelPath::known(PATH);
        let [base, x, y] =
            texts.map(|text| Snapshot::from_iter([(path.clone(), Blob::from(text))]));
        let [of_x, of_y] = ages.map(|at| EditTimes::from_iter([(&path, Stamp::from_micros(at))]));
        let join = |x, y, times| {
            let history = History { base: Some(&base), times: Some(times), ..History::default() };
            merge_with(history, x, y, Policy::Sync)
        };
        let found = join(&x, &y, [&of_x, &of_y]);
        assert_eq!(found, join(&y, &x, [&of_y, &of_x]), "symmetric");
        let text = |blob: &Blob| String::from_utf8_lossy(blob).into_owned();
        let files = found.snapshot.iter().map(|(_, blob)| text(blob)).collect();
        (files, found.decisions.iter().map(|decision| decision.reason).collect())
    }

    #[test]
    fn the_later_text_of_any_file_stays() {
        for (x, y) in [("{\"a\": 2}\n", "{\"a\": 999}\n"), ("{\"a\": 999}\n", "{\"a\": 2}\n")] {
            let of = |ages| merged(["{\"a\": 1}\n", x, y], ages);
            assert_eq!(of([2, 1]), (vec![x.to_owned()], vec![Reason::Document]));
            assert_eq!(of([1, 2]), (vec![y.to_owned()], vec![Reason::Document]));
            assert_eq!(of([1, 1]).1, [Reason::Undated]);
        }
        let base = "{\n\"a\": 1,\n\"b\": 1,\n\"c\": 1\n}\n";
        let (x, y) = (base.replace("a\": 1", "a\": 2"), base.replace("c\": 1", "c\": 2"));
        let both = x.replace("c\": 1", "c\": 2");
        assert_eq!(merged([base, &x, &y], [1, 2]), (vec![both], Vec::new()));
        // One key twice: the newer text is whole, the older one next to it.
        let (x, y) = (base.replace("\"a", "\"z\": 1,\n\"a"), base.replace("\"c", "\"z\": 2,\n\"c"));
        for (ages, newer) in [([1, 2], &y), ([2, 1], &x)] {
            let (mut files, reasons) = merged([base, &x, &y], ages);
            assert_eq!(reasons, [Reason::Document]);
            // `m-….json` is before `m.json`.
            assert_eq!((files.len(), files.pop().as_ref()), (2, Some(newer)));
        }
    }
}
