//! Three-way merge of sequences: lines of a text, words of a paragraph.
//!
//! Invariant: a merge that succeeds absorbs both sides (merging either side again changes nothing);
//! if that is impossible the merge declines, and the caller keeps both texts. A merge by hunks
//! never declines: where both sides changed the same lines, the newer lines stay.

use similar::{Algorithm, DiffTag, capture_diff_slices};
use std::{cmp::Ordering, collections::BTreeSet, ops::Range};

/// `None` if changes overlap or touch.
pub fn merge_lines(base: &str, x: &str, y: &str) -> Option<String> {
    merge_split(base, x, y, |text| text.split_inclusive('\n').collect())
}

/// A text merged hunk by hunk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hunked {
    pub text: String,
    /// Whether one side's lines were dropped, because both had changed them.
    pub is_overlap: bool,
}

/// Merges what does not overlap; of overlapping lines the newer side's stay, or the larger if
/// neither is newer. Lines that both inserted in one place all stay. `age` is how `x` compares with
/// `y`: `Greater` if it is newer.
pub fn merge_hunks(base: &str, x: &str, y: &str, age: Ordering) -> Hunked {
    let lines = |text| -> Vec<&str> { str::split(text, '\n').collect() };
    let (base, x, y) = (lines(base), lines(x), lines(y));
    // Not all can be absorbed where equal lines are near: then more hunks meet.
    let absorbed = MEETINGS.iter().enumerate().find_map(|(level, meet)| {
        let once = Clusters { base: &base, meet: *meet }.merged(&x, &y, age);
        absorbs(&base, level, &once.0, [&x, &y], age).then_some(once)
    });
    let (merged, is_overlap) =
        absorbed.unwrap_or_else(|| Clusters { base: &base, meet: touch }.merged(&x, &y, age));
    Hunked { text: merged.join("\n"), is_overlap }
}

/// When hunks of two sides meet, from few to many.
type Meet = fn(&Range<usize>, &Range<usize>) -> bool;
const MEETINGS: [Meet; 2] = [overlap, beside];

/// Whether a merge, made where hunks meet so far, stays as it is if one of its sides is merged into
/// it again. It is newer than they are, where ages are known.
fn absorbs<'a>(
    base: &[&'a str],
    level: usize,
    merged: &[&'a str],
    sides: [&[&'a str]; 2],
    age: Ordering,
) -> bool {
    let again = |level: usize, side: &[&'a str], age| {
        Clusters { base, meet: MEETINGS[level] }.merged(merged, side, age).0
    };
    let is_same = |side: &[&'a str], age: Ordering| {
        // What meets less is tried first again.
        let earlier = (0..level).find_map(|level| {
            let lines = again(level, side, age);
            absorbs(base, level, &lines, [merged, side], age).then_some(lines)
        });
        earlier.unwrap_or_else(|| again(level, side, age)) == merged
    };
    let ages: &[Ordering] =
        if age.is_eq() { &[Ordering::Greater, age] } else { &[Ordering::Greater] };
    sides.iter().all(|side| ages.iter().all(|age| is_same(side, *age)))
}

/// The lines that two texts have in common, in order: the base of two that were created apart.
pub fn common_lines(x: &str, y: &str) -> String {
    // Of several answers, the same one whichever side is first.
    let (first, second) = if x <= y { (x, y) } else { (y, x) };
    let (x, y): (Vec<&str>, Vec<&str>) =
        (first.split('\n').collect(), second.split('\n').collect());
    let ops = capture_diff_slices(Algorithm::Myers, &x, &y);
    let same = ops.iter().filter(|op| op.tag() == DiffTag::Equal);
    same.flat_map(|op| &x[op.old_range()]).copied().collect::<Vec<_>>().join("\n")
}

/// Two sides of a base, in groups of hunks that meet.
struct Clusters<'b, 'a> {
    base: &'b [&'a str],
    meet: Meet,
}

impl<'a> Clusters<'_, 'a> {
    /// The merged lines, and whether lines were dropped.
    fn merged(&self, x: &[&'a str], y: &[&'a str], age: Ordering) -> (Vec<&'a str>, bool) {
        let mut all: Vec<(Hunk, Of)> = Vec::new();
        all.extend(fine_hunks(self.base, x).into_iter().map(|hunk| (hunk, Of::X)));
        all.extend(fine_hunks(self.base, y).into_iter().map(|hunk| (hunk, Of::Y)));
        all.sort_by_key(|(hunk, of)| (hunk.base.start, hunk.base.end, *of));
        let (mut merged, mut is_overlap, mut at) = (Vec::new(), false, 0);
        let mut rest = all.as_slice();
        while let Some(((first, _), _)) = rest.split_first() {
            let mut span = first.base.clone();
            let mut count = 1;
            while rest.get(count).is_some_and(|(hunk, _)| (self.meet)(&span, &hunk.base)) {
                span.end = span.end.max(rest[count].0.base.end);
                count += 1;
            }
            let cluster = &rest[..count];
            rest = &rest[count..];
            merged.extend_from_slice(&self.base[at..span.start]);
            at = span.end;
            let change = |of: Of, text: &[&'a str]| self.change(&span, cluster, of, text);
            match (change(Of::X, x), change(Of::Y, y)) {
                (Some(one), None) | (None, Some(one)) => merged.extend(one.lines),
                (Some(x), Some(y)) => {
                    let (lines, dropped) = settled(x, y, &span, age);
                    merged.extend(lines);
                    is_overlap |= dropped;
                }
                (None, None) => {}
            }
        }
        merged.extend_from_slice(&self.base[at..]);
        (merged, is_overlap)
    }

    /// What one side made of a span of the base; `None` if it left it as it was.
    fn change(
        &self,
        span: &Range<usize>,
        cluster: &[(Hunk, Of)],
        side: Of,
        text: &[&'a str],
    ) -> Option<Change<'a>> {
        let mut change = Change::default();
        let mut at = span.start;
        for (hunk, _) in cluster.iter().filter(|(_, of)| *of == side) {
            change.lines.extend_from_slice(&self.base[at..hunk.base.start]);
            change.lines.extend_from_slice(&text[hunk.side.clone()]);
            change.added.extend_from_slice(&text[hunk.side.clone()]);
            change.removed.extend(hunk.base.clone());
            at = hunk.base.end;
        }
        change.lines.extend_from_slice(&self.base[at..span.end]);
        let is_any = !change.added.is_empty() || !change.removed.is_empty();
        is_any.then_some(change)
    }
}

/// What one side made of some lines of the base.
#[derive(Default)]
struct Change<'a> {
    /// What is there now.
    lines: Vec<&'a str>,
    added: Vec<&'a str>,
    /// Lines of the base, by their place.
    removed: BTreeSet<usize>,
}

impl Change<'_> {
    /// Whether this side did all that the other did. A mere deletion is never included: whether
    /// other text in its place is meant to stay depends on which is newer.
    fn includes(&self, other: &Change<'_>) -> bool {
        let mut left = self.added.iter();
        !other.added.is_empty()
            && other.removed.is_subset(&self.removed)
            && other.added.iter().all(|line| left.any(|own| own == line))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Of {
    X,
    Y,
}

/// One place that both sides changed, and whether lines were dropped.
fn settled<'a>(
    x: Change<'a>,
    y: Change<'a>,
    span: &Range<usize>,
    age: Ordering,
) -> (Vec<&'a str>, bool) {
    let order = age.then_with(|| x.lines.cmp(&y.lines));
    let (older, newer) = if order.is_ge() { (y, x) } else { (x, y) };
    if older.lines == newer.lines || newer.includes(&older) {
        (newer.lines, false)
    } else if older.includes(&newer) {
        (older.lines, false)
    } else if span.is_empty() {
        ([older.lines, newer.lines].concat(), false)
    } else {
        (newer.lines, true)
    }
}

/// Hunks; lines that replace as many others are one hunk each.
fn fine_hunks(base: &[&str], side: &[&str]) -> Vec<Hunk> {
    let mut fine = Vec::new();
    for hunk in hunks(base, side) {
        if hunk.base.len() == hunk.side.len() {
            let pairs = hunk.base.zip(hunk.side);
            fine.extend(pairs.map(|(a, b)| Hunk { base: a..a + 1, side: b..b + 1 }));
        } else {
            fine.push(hunk);
        }
    }
    fine
}

/// Whether two spans share a line, or are insertions in one place.
fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    (a.start < b.end && b.start < a.end) || (a == b && a.is_empty())
}

/// As [`overlap`], and an insertion with what it touches.
fn beside(a: &Range<usize>, b: &Range<usize>) -> bool {
    overlap(a, b) || ((a.is_empty() || b.is_empty()) && touch(a, b))
}

/// `None` if changes overlap or touch.
pub fn merge_words(base: &str, x: &str, y: &str) -> Option<String> {
    merge_split(base, x, y, words)
}

fn words(text: &str) -> Vec<&str> {
    text.split_inclusive([' ', '\n', '\t']).collect()
}

/// Similarity by words, 0 to 1.
pub fn likeness(a: &str, b: &str) -> f32 {
    let (a, b): (Vec<&str>, Vec<&str>) =
        (a.split_whitespace().collect(), b.split_whitespace().collect());
    similar::diff_ratio(&capture_diff_slices(Algorithm::Myers, &a, &b), a.len(), b.len())
}

fn merge_split<'a>(
    base: &'a str,
    x: &'a str,
    y: &'a str,
    split: fn(&str) -> Vec<&str>,
) -> Option<String> {
    let parts = |text: &'a str| -> Vec<&'a str> { split(text) };
    let (base, x, y) = (parts(base), parts(x), parts(y));
    let merged = merge3(&base, &x, &y)?;
    let absorbs = |side: &[&'a str]| merge3(&base, &merged, side).as_deref() == Some(&merged);
    (absorbs(&x) && absorbs(&y)).then(|| merged.concat())
}

struct Hunk {
    base: Range<usize>,
    side: Range<usize>,
}

fn hunks(base: &[&str], side: &[&str]) -> Vec<Hunk> {
    let ops = capture_diff_slices(Algorithm::Myers, base, side);
    let mut hunks: Vec<Hunk> = Vec::new();
    for op in ops.iter().filter(|op| op.tag() != DiffTag::Equal) {
        match hunks.last_mut() {
            Some(last)
                if last.base.end == op.old_range().start
                    && last.side.end == op.new_range().start =>
            {
                last.base.end = op.old_range().end;
                last.side.end = op.new_range().end;
            }
            _ => hunks.push(Hunk { base: op.old_range(), side: op.new_range() }),
        }
    }
    hunks
}

fn merge3<'a>(base: &[&'a str], x: &[&'a str], y: &[&'a str]) -> Option<Vec<&'a str>> {
    let (of_x, of_y) = (hunks(base, x), hunks(base, y));
    let (mut next_x, mut next_y) = (of_x.iter().peekable(), of_y.iter().peekable());
    let mut merged = Vec::new();
    let mut at = 0;
    loop {
        let (hunk, text) = match (next_x.peek(), next_y.peek()) {
            (None, None) => break,
            (Some(a), Some(b)) if a.base == b.base && x[a.side.clone()] == y[b.side.clone()] => {
                next_y.next();
                (next_x.next(), x)
            }
            (Some(a), Some(b)) if touch(&a.base, &b.base) => return None,
            (Some(a), Some(b)) if a.base.start < b.base.start => (next_x.next(), x),
            (Some(_), None) => (next_x.next(), x),
            (_, Some(_)) => (next_y.next(), y),
        };
        let hunk = hunk.expect("because it was peeked at");
        merged.extend_from_slice(&base[at..hunk.base.start]);
        merged.extend_from_slice(&text[hunk.side.clone()]);
        at = hunk.base.end;
    }
    merged.extend_from_slice(&base[at..]);
    Some(merged)
}

fn touch(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start <= b.end && b.start <= a.end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn apart_merges_together_declines() {
        let base = "a\nb\nc\nd\ne\n";
        assert_eq!(
            merge_lines(base, "A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n").as_deref(),
            Some("A\nb\nc\nd\nE\n")
        );
        assert_eq!(merge_lines(base, "A\nb\nc\nd\ne\n", "Z\nb\nc\nd\ne\n"), None);
        assert_eq!(
            merge_lines(base, "A\nb\nc\nd\ne\n", "A\nb\nc\nd\ne\n").as_deref(),
            Some("A\nb\nc\nd\ne\n")
        );
        assert_eq!(merge_lines(base, base, "a\n").as_deref(), Some("a\n"));
        let hunks = |x, y, age| {
            let merged = merge_hunks(base, x, y, age);
            (merged.text, merged.is_overlap)
        };
        // One line overlaps; what else either side changed stays.
        let (x, y) = ("A\nx\nc\nd\ne\n", "a\nzz\nc\nd\nE\nf\n");
        assert_eq!(hunks(x, y, Ordering::Greater), ("A\nx\nc\nd\nE\nf\n".into(), true));
        assert_eq!(hunks(y, x, Ordering::Less), ("A\nx\nc\nd\nE\nf\n".into(), true));
        assert_eq!(hunks(x, y, Ordering::Less), ("A\nzz\nc\nd\nE\nf\n".into(), true));
        assert_eq!(hunks(x, y, Ordering::Equal), hunks(y, x, Ordering::Equal));
        // Neighbouring lines do not overlap.
        let (x, y) = ("a\nB\nc\nd\ne\n", "a\nb\nC\nd\ne\n");
        assert_eq!(hunks(x, y, Ordering::Greater), ("a\nB\nC\nd\ne\n".into(), false));
        // Both appended: both stay, the older first.
        let (x, y) = ("a\nb\nc\nd\ne\nx\n", "a\nb\nc\nd\ne\ny\n");
        assert_eq!(hunks(x, y, Ordering::Greater), ("a\nb\nc\nd\ne\ny\nx\n".into(), false));
        let both = hunks(x, y, Ordering::Greater).0;
        assert_eq!(hunks(&both, y, Ordering::Greater).0, both);
        assert_eq!(hunks(&both, x, Ordering::Greater).0, both);
        // Deleted and edited: the newer side's.
        let (x, y) = ("a\nc\nd\ne\n", "a\nB\nc\nd\ne\n");
        assert_eq!(hunks(x, y, Ordering::Greater), ("a\nc\nd\ne\n".into(), true));
        assert_eq!(hunks(x, y, Ordering::Less), ("a\nB\nc\nd\ne\n".into(), true));
        assert_eq!(common_lines("# A\n\nx\n", "# A\n\ny\n"), "# A\n\n");
        assert_eq!(merge_lines("a\n", "a\nx\n", "a\ny\n"), None);
        assert_eq!(
            merge_words(
                "I like tea very much",
                "I like coffee very much",
                "I like tea very little"
            )
            .as_deref(),
            Some("I like coffee very little")
        );
    }
}
