//! Three-way merge of sequences: lines of a text, words of a paragraph.
//!
//! Invariant: a merge that succeeds absorbs both sides (merging either side again changes nothing);
//! if that is impossible the merge declines, and the caller keeps both texts.

use similar::{Algorithm, DiffTag, capture_diff_slices};
use std::ops::Range;

/// `None` if changes overlap or touch.
pub fn merge_lines(base: &str, x: &str, y: &str) -> Option<String> {
    merge_split(base, x, y, |text| text.split_inclusive('\n').collect())
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
