//! Merges a single file that is not a memory, by the rule of its kind.
//!
//! Invariant: a file deleted on one side and changed on the other stays; broken files are carried
//! byte for byte.

use super::{
    Age, Decision, DocumentPlace, Reason,
    bodies::{self, Bodies},
    formats,
    frontmatter_keys::{self, MergedFront},
    notes, text,
};
use crate::identity::{
    Blob, ContentHash, Document, Kind, Ledger, RelPath, Snapshot, Stamp,
    frontmatter::Frontmatter,
    kind::{MAX_TEXT_BYTES, MergeRule},
    slug,
    value::Value,
};
use std::{cmp::Ordering, collections::BTreeSet};

/// The file itself, plus a second one if both versions are kept.
pub type Files = Vec<(RelPath, Blob)>;

pub struct FileSides<'a> {
    pub path: &'a RelPath,
    /// Whether there is a common ancestor at all, with or without this file.
    pub has_base: bool,
    pub base: Option<&'a Blob>,
    pub x: Option<&'a Blob>,
    pub y: Option<&'a Blob>,
    /// When `x` and `y` got their texts, where that is known.
    pub times: [Option<Stamp>; 2],
    /// Who wins if neither is newer: `Equal` for the larger bytes, `Less` for the incoming `y`.
    pub tie: Ordering,
}

impl FileSides<'_> {
    /// How `x` compares with `y` by their times alone.
    fn age(&self) -> Age {
        Age::of_times(self.times)
    }
}

pub fn merge(sides: &FileSides<'_>, decisions: &mut Vec<Decision>) -> Files {
    let path = sides.path;
    let rule = path.row().merge;
    let keep =
        |blob: Option<&Blob>| blob.map(|blob| (path.clone(), blob.clone())).into_iter().collect();
    let (x, y) = match (sides.x, sides.y) {
        (x, y) if x == y => return keep(x),
        (x, y) if rule == MergeRule::Ledger => return merge_ledgers(path, x, y),
        (x, y) if sides.has_base && x == sides.base => return keep(y),
        (x, y) if sides.has_base && y == sides.base => return keep(x),
        (Some(x), Some(y)) => (x, y),
        (one, other) => {
            if sides.has_base {
                decisions.push(Decision::new(
                    path,
                    Reason::Union,
                    "deleted on one side, changed on the other: kept",
                ));
            }
            return keep(one.or(other));
        }
    };
    let undated = Age::UNKNOWN;
    match rule {
        MergeRule::LineSet => keep(Some(&merge_line_sets(x, y))),
        MergeRule::Index => keep(Some(&notes::merge_index(sides.base, x, y))),
        MergeRule::Newest => keep(Some(notes::newest(x, y))),
        MergeRule::Text => merge_texts(sides, (x, y), decisions),
        MergeRule::KeepBoth | MergeRule::Ledger => {
            keep_both(path, (x, y), sides.age(), Reason::Document, decisions)
        }
        MergeRule::Memories
        | MergeRule::Fields
        | MergeRule::Entries
        | MergeRule::Lines
        | MergeRule::Notes => match (Document::read(x), Document::read(y)) {
            (Ok(dx), Ok(dy)) => {
                let base = sides.base.and_then(|blob| Document::read(blob).ok());
                if rule == MergeRule::Notes && notes::is_torn(base.as_ref(), &dx, &dy) {
                    return keep_both(path, (x, y), undated, Reason::Entries, decisions);
                }
                let merged = DocumentSides {
                    path,
                    rule,
                    base: base.as_ref(),
                    x: (x, &dx),
                    y: (y, &dy),
                    times: sides.times,
                    tie: sides.tie,
                }
                .merge(decisions);
                keep(Some(&merged))
            }
            _ => keep_both(path, (x, y), undated, Reason::Broken, decisions),
        },
    }
}

fn merge_ledgers(path: &RelPath, x: Option<&Blob>, y: Option<&Blob>) -> Files {
    let read = |blob: Option<&Blob>| blob.map(|blob| Ledger::read(blob)).unwrap_or_default();
    let mut ledger = read(x);
    ledger.join(&read(y));
    ledger.write().map(|text| (path.clone(), text.into())).into_iter().collect()
}

/// Where both sides changed the same lines, the newer ones stay.
fn merge_texts(
    sides: &FileSides<'_>,
    (x, y): (&Blob, &Blob),
    decisions: &mut Vec<Decision>,
) -> Files {
    let age = sides.age();
    let merged = match (sides.base.and_then(lines_of), lines_of(x), lines_of(y)) {
        (Some(base), Some(x), Some(y)) => {
            let merged = text::merge_hunks(base, x, y, age.order.then(sides.tie));
            Some(merged).filter(|merged| !formats::breaks(sides.path, [x, y], &merged.text))
        }
        _ => None,
    };
    let Some(merged) = merged else {
        return keep_both(sides.path, (x, y), age, Reason::Document, decisions);
    };
    if merged.is_overlap {
        decisions.push(overlap(sides.path, age.known));
    }
    vec![(sides.path.clone(), merged.text.into())]
}

/// The text of a file, if it is one and short enough to compare.
fn lines_of(blob: &Blob) -> Option<&str> {
    let is_short = u64::try_from(blob.len()).is_ok_and(|bytes| bytes <= MAX_TEXT_BYTES);
    let text = std::str::from_utf8(blob).ok().filter(|_| is_short)?;
    (!text.contains('\0')).then_some(text)
}

/// `.gitattributes` and `.gitignore`: every line of both, in the order of the longer file.
fn merge_line_sets(x: &Blob, y: &Blob) -> Blob {
    let (first, second) = if (x.len(), x) >= (y.len(), y) { (x, y) } else { (y, x) };
    let (first, second) =
        (String::from_utf8_lossy(first).into_owned(), String::from_utf8_lossy(second).into_owned());
    let mut text = first.clone();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    for line in second
        .lines()
        .filter(|line| !line.trim().is_empty() && !first.lines().any(|known| known == *line))
    {
        text.push_str(line);
        text.push('\n');
    }
    text.into()
}

/// If several paths are one file on some system (case, Unicode normalisation), the first keeps its
/// name and the others get part of their hash as a suffix.
pub fn distinct_paths(snapshot: &mut Snapshot, decisions: &mut Vec<Decision>) {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut moves: Vec<(RelPath, RelPath)> = Vec::new();
    for (path, blob) in snapshot.iter().filter(|(path, _)| !path.is_memory()) {
        if taken.insert(path.folded()) {
            continue;
        }
        let beside = slug::with_suffix(path, &ContentHash::of_bytes(blob).short(6));
        taken.insert(beside.folded());
        moves.push((path.clone(), beside));
    }
    for (path, beside) in moves {
        if let Some(blob) = snapshot.remove(&path) {
            let why = format!(
                "another file has the same name on some systems: renamed to {}",
                beside.name()
            );
            decisions.push(Decision::new(&path, Reason::Paths, why));
            snapshot.put(beside, blob);
        }
    }
}

/// The newer version keeps the path, or the one with the larger hash if neither is newer; the other
/// is put next to it. `age` is how the first compares with the second.
fn keep_both(
    path: &RelPath,
    (x, y): (&Blob, &Blob),
    age: Age,
    reason: Reason,
    decisions: &mut Vec<Decision>,
) -> Files {
    let hash = |blob: &Blob| ContentHash::of_bytes(blob);
    let order = age.order.then_with(|| hash(x).cmp(&hash(y)));
    let (stays, other) = if order.is_ge() { (x, y) } else { (y, x) };
    let beside = slug::with_suffix(path, &hash(other).short(6));
    let is_older = age.known != Ordering::Equal;
    let which = if is_older { "older" } else { "other" };
    let why = format!("changed on both sides: both kept, the {which} as {}", beside.name());
    let place = Some(DocumentPlace::Copied { at: beside.to_string(), is_older });
    decisions.push(Decision { place, ..Decision::new(path, reason, why) });
    vec![(path.clone(), stays.clone()), (beside, other.clone())]
}

/// What both sides changed in one place; the newer lines stay, if it is `known` which are.
fn overlap(path: &RelPath, known: Ordering) -> Decision {
    let (reason, why) = match known {
        Ordering::Equal => (
            Reason::Undated,
            "changed on both sides in the same place, and neither is known to be newer: one \
             side's lines were kept, the others are in git's history",
        ),
        Ordering::Less | Ordering::Greater => (
            Reason::Document,
            "changed on both sides in the same place: the newer lines were kept, the others \
             are in git's history",
        ),
    };
    Decision::new(path, reason, why)
}

struct DocumentSides<'a> {
    path: &'a RelPath,
    rule: MergeRule,
    base: Option<&'a Document>,
    x: (&'a Blob, &'a Document),
    y: (&'a Blob, &'a Document),
    times: [Option<Stamp>; 2],
    tie: Ordering,
}

impl DocumentSides<'_> {
    fn age(&self) -> Age {
        if self.rule == MergeRule::Notes {
            let order = notes::rank(self.x.1, self.y.1);
            return Age { order, known: order };
        }
        Age::of_documents(self.base, [self.x.1, self.y.1], self.times)
    }

    fn merge(&self, decisions: &mut Vec<Decision>) -> Blob {
        let age = self.age();
        let rank = age.order.then(self.tie);
        let body = match self.rule {
            MergeRule::Lines => self.merge_text((rank, age), decisions),
            // Files of the other rules come here torn, to be folded.
            MergeRule::Fields
            | MergeRule::Entries
            | MergeRule::Notes
            | MergeRule::Memories
            | MergeRule::Ledger
            | MergeRule::Index
            | MergeRule::Newest
            | MergeRule::LineSet
            | MergeRule::Text
            | MergeRule::KeepBoth => self.merge_entries(rank, decisions),
        };
        let mut merged = if rank.then_with(|| self.x.0.cmp(self.y.0)).is_ge() {
            self.x.1.clone()
        } else {
            self.y.1.clone()
        };
        let front = merge_fronts(self.base, self.x.1, self.y.1, rank);
        let is_dropped = front.as_ref().is_some_and(|front| !front.dropped.is_empty());
        if is_dropped && self.rule == MergeRule::Lines {
            decisions.push(overlap(self.path, age.known));
        }
        if let Some(front) = front {
            *merged.front_mut() = front.front;
        }
        merged.set_body(body);
        if merged.get("checksum").is_some()
            && merged.checksum_holds() != Some(true)
            && self.checksums_held()
        {
            merged.set_checksum();
        }
        merged.write().into()
    }

    /// A checksum that was already wrong stays wrong, so that `check` can still report it.
    fn checksums_held(&self) -> bool {
        [self.x.1, self.y.1].iter().all(|side| side.checksum_holds() != Some(false))
    }

    fn merge_entries(&self, rank: Ordering, decisions: &mut Vec<Decision>) -> String {
        let bodies = Bodies {
            base: self.base.map(Document::body),
            x: self.x.1.body(),
            y: self.y.1.body(),
            rank,
            rule: self.rule,
        };
        match bodies.base {
            _ if bodies.x == bodies.y => bodies.x.to_owned(),
            Some(base) if bodies.x == base => bodies.y.to_owned(),
            Some(base) if bodies.y == base => bodies.x.to_owned(),
            _ => bodies::merge(self.path, &bodies, decisions),
        }
    }

    fn merge_text(&self, (rank, age): (Ordering, Age), decisions: &mut Vec<Decision>) -> String {
        let (x, y) = (self.x.1.body(), self.y.1.body());
        let base = self.base.map(Document::body);
        if x == y || base == Some(y) {
            return x.to_owned();
        }
        if base == Some(x) {
            return y.to_owned();
        }
        let created_apart = || {
            let title =
                |text: &str| text.lines().find(|line| !line.trim().is_empty()).map(str::to_owned);
            (title(x) == title(y)).then(|| text::common_lines(x, y))
        };
        let Some(base) = base.map(str::to_owned).or_else(created_apart) else {
            decisions.push(overlap(self.path, age.known));
            let larger = if rank.then_with(|| x.cmp(y)).is_ge() { x } else { y };
            return larger.to_owned();
        };
        let merged = text::merge_hunks(&base, x, y, rank);
        if merged.is_overlap {
            decisions.push(overlap(self.path, age.known));
        }
        merged.text
    }
}

fn merge_fronts(
    base: Option<&Document>,
    x: &Document,
    y: &Document,
    rank: Ordering,
) -> Option<MergedFront> {
    let whole = |front: &Frontmatter| MergedFront { front: front.clone(), dropped: Vec::new() };
    match (x.front(), y.front()) {
        (Some(a), Some(b)) => {
            Some(frontmatter_keys::merge(base.and_then(Document::front), a, b, rank))
        }
        (one, other) => one.or(other).map(whole),
    }
}

/// Whether an incoming file replaces ours under `import --merge`, as for personality and traits.
pub fn incoming_wins(kind: Kind) -> bool {
    matches!(kind, Kind::Personality | Kind::Trait)
}

/// Whether two files differ only in stamp and checksum.
pub fn says_the_same(x: &Blob, y: &Blob) -> bool {
    let bare = |blob: &Blob| {
        let document = Document::read(blob).ok()?;
        let front = document.front().map(|front| front.entries().to_vec()).unwrap_or_default();
        let told: Vec<(String, Value)> = front
            .iter()
            .filter(|entry| !matches!(entry.key.as_str(), "updated" | "checksum"))
            .map(|e| (e.key.clone(), e.value().clone()))
            .collect();
        Some((document.hash(), told))
    };
    bare(x).is_some_and(|x| bare(y) == Some(x))
}
