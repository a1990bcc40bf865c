//! Merges agent notes entry by entry (a conflict keeps both), their index file line by line, and of
//! two hand-offs takes the later one.
//!
//! Invariant: every line of a note that either side added or changed is in the result, or in the
//! file that is put next to it. Must not know: which agent wrote a note.

use super::order::arrange;
use crate::identity::{Blob, Document, handoff::Handoff, note::Note};
use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

/// Keys that an agent's program writes on every edit; nobody's text.
const BOOKKEEPING: &[&str] = &["metadata", "modified", "updated", "originSessionId"];

/// Whether both sides changed one frontmatter key to different texts: one file cannot have both.
pub(super) fn is_torn(base: Option<&Document>, x: &Document, y: &Document) -> bool {
    let raw = |document: Option<&Document>, key: &str| {
        document?.front()?.entry(key).map(|entry| entry.raw.clone())
    };
    let keys = |document: &Document| -> Vec<String> {
        let entries = document.front().map(|front| front.entries().to_vec()).unwrap_or_default();
        entries.into_iter().map(|entry| entry.key).collect()
    };
    let texts = keys(x).into_iter().filter(|key| !BOOKKEEPING.contains(&key.as_str()));
    texts.into_iter().any(|key| {
        let [base, x, y] = [base, Some(x), Some(y)].map(|document| raw(document, &key));
        y.is_some() && x != y && x != base && y != base
    })
}

/// Compares which of two versions was written later.
pub(super) fn rank(x: &Document, y: &Document) -> Ordering {
    Note::from_document(x).modified.cmp(&Note::from_document(y).modified)
}

/// The hand-off that was left later, whole: one replaces the other.
pub(super) fn newest<'a>(x: &'a Blob, y: &'a Blob) -> &'a Blob {
    let left = |blob: &Blob| Handoff::read(blob).map(|handoff| handoff.left);
    if (left(x), x) >= (left(y), y) { x } else { y }
}

/// Lines as a set: what one side added stays; what one removed and the other left alone goes. Each
/// ends as it did.
pub(super) fn merge_index(base: Option<&Blob>, x: &Blob, y: &Blob) -> Blob {
    let text = |blob: &Blob| String::from_utf8_lossy(blob).into_owned();
    let (base, x, y) = (base.map(text), text(x), text(y));
    let [of_base, of_x, of_y] =
        [base.as_deref().unwrap_or_default(), x.as_str(), y.as_str()].map(lines);
    let kept: BTreeSet<Line<'_>> = (of_x.iter().chain(&of_y))
        .filter(|line| (of_x.contains(line) && of_y.contains(line)) || !of_base.contains(line))
        .copied()
        .collect();
    let order = arrange(&kept, &of_x, &of_y, Ordering::Equal);
    let [in_base, in_x, in_y] = [base.as_deref().unwrap_or_default(), &x, &y].map(ends);
    let end = |line: &Line<'_>| {
        let [base, x, y] = [&in_base, &in_x, &in_y].map(|ends| ends.get(line).copied());
        match (x, y) {
            (Some(x), Some(y)) if x != y && base == Some(x) => y,
            (Some(x), Some(y)) if x != y && base == Some(y) => x,
            (Some(x), Some(y)) if x != y => LF,
            (x, y) => x.or(y).unwrap_or(LF),
        }
    };
    let merged: String = order.iter().map(|line| format!("{}{}", line.0, end(line))).collect();
    // Whether the last line has an end is that of the side with the same text.
    let same = [&x, &y].into_iter().filter(|side| without_end(side) == without_end(&merged));
    same.max().cloned().unwrap_or(merged).into()
}

/// Without the end of its last line.
fn without_end(text: &str) -> &str {
    text.strip_suffix(CRLF).or_else(|| text.strip_suffix(LF)).unwrap_or(text)
}

/// A line, and its number among equal ones.
type Line<'a> = (&'a str, usize);

const LF: &str = "\n";
const CRLF: &str = "\r\n";

/// How each line ends; a last one without an end as others of its text do.
fn ends(text: &str) -> BTreeMap<Line<'_>, &'static str> {
    let usual = if text.contains(CRLF) { CRLF } else { LF };
    let end = |whole: &str| match (whole.ends_with(CRLF), whole.ends_with(LF)) {
        (true, _) => CRLF,
        (false, true) => LF,
        (false, false) => usual,
    };
    lines(text).into_iter().zip(text.split_inclusive('\n').map(end)).collect()
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut nth = |line| {
        let count = seen.entry(line).or_default();
        *count += 1;
        *count
    };
    text.lines().map(|line| (line, nth(line))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(base: &str, x: &str, y: &str) -> String {
        let blob = |text: &str| Blob::from(text.to_owned());
        let merged = merge_index(Some(&blob(base)), &blob(x), &blob(y));
        assert_eq!(merged, merge_index(Some(&blob(base)), &blob(y), &blob(x)), "symmetric");
        String::from_utf8_lossy(&merged).into_owned()
    }

    #[test]
    fn of_two_hand_offs_the_later_one_stays() {
        let left = |at: &str, text: &str| Blob::from(format!("---\nleft: {at}\n---\n\n{text}\n"));
        let (early, late) = (left("2026-11-27T03:00:00Z", "z"), left("2026-11-27T04:00:00Z", "a"));
        let same = left("2026-11-27T04:00:00Z", "b");
        let broken = Blob::from("no stamp\n".to_owned());
        for (x, y, stays) in [
            (&early, &late, &late),
            (&late, &same, &same),
            (&broken, &early, &early),
            (&broken, &broken, &broken),
        ] {
            assert_eq!((newest(x, y), newest(y, x)), (stays, stays));
        }
    }

    #[test]
    fn an_index_is_a_set_of_lines() {
        assert_eq!(index("- a\n- b\n", "- a\n- b\n- c\n", "- a\n- d\n"), "- a\n- c\n- d\n");
        assert_eq!(index("", "# M\n- a\n", "# M\n- b\n"), "# M\n- a\n- b\n");
        assert_eq!(index("- a\n", "- a\n- b", "- a\n"), "- a\n- b");
    }

    #[test]
    fn each_line_of_an_index_ends_as_it_did() {
        let both = "- a\r\n- b\r\n- c\r\n";
        for (base, x, y, merged) in [
            (both, "- a\r\n- b\r\n", "- b\r\n- c\r\n", "- b\r\n"),
            (both, "- a\r\n- b\r\n- c\r\n- d\r\n", "- b\r\n- c\r\n", "- b\r\n- c\r\n- d\r\n"),
            ("- a\r\n", "- a\r\n- b\n", "- a\r\n- c\r\n", "- a\r\n- b\n- c\r\n"),
            ("- a\r\n", "- a\r\n- b", "- a\r\n- c\r\n", "- a\r\n- b\r\n- c\r\n"),
            // One side turned them, the other added a line.
            ("- a\r\n", "- a\n", "- a\r\n- c\r\n", "- a\n- c\r\n"),
            ("", "- a\n- b\n", "- a\r\n- c\n", "- a\n- b\n- c\n"),
        ] {
            assert_eq!(index(base, x, y), merged, "{base:?} {x:?} {y:?}");
        }
    }
}
