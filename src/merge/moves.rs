//! Which documents a side moved or renamed.
//!
//! Invariant: a function of the three states, symmetric in the sides. A document has moved if it
//! left its path and its text is at another one: the same but for the targets of links, or mostly
//! the same. Must not know: what becomes of the two texts.

use crate::identity::{Blob, ContentHash, Document, Kind, RelPath, Role, Snapshot};
use crate::knowledge::links::{self, Moves};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashMap},
};

/// What `x` moved and what `y` moved, by the path in the base.
pub(super) fn of_sides([base, x, y]: [&Snapshot; 3]) -> [Moves; 2] {
    let (of_x, of_y) = (of_side(base, x, y), of_side(base, y, x));
    [with_shared(&of_x, &of_y, base, x), with_shared(&of_y, &of_x, base, y)]
}

/// If both sides moved a document to one path, one of them may have edited it beyond recognition.
fn with_shared(own: &Moves, others: &Moves, base: &Snapshot, side: &Snapshot) -> Moves {
    let mut moves = own.clone();
    for (from, to) in others {
        let is_new = side.get(to).is_some() && base.get(to).is_none();
        let is_free = !own.contains_key(from) && !own.values().any(|taken| taken == to);
        if is_new && is_free && side.get(from).is_none() {
            moves.insert(from.clone(), to.clone());
        }
    }
    moves
}

fn of_side(base: &Snapshot, side: &Snapshot, other: &Snapshot) -> Moves {
    let differs = |path: &&RelPath| is_movable(path) && side.get(path) != base.get(path);
    let left: Vec<&RelPath> = base.paths().filter(differs).collect();
    let came: Vec<&RelPath> = side.paths().filter(differs).collect();
    // A single document that was edited, written or deleted has not moved.
    if left.is_empty() || came.is_empty() || (left == came && left.len() == 1) {
        return Moves::new();
    }
    let (was, now) = (texts(base, &left), texts(side, &came));
    // Another text is at its path: where documents are exchanged, no path gets free.
    let is_replaced = |path: &RelPath| match (was.get(path), now.get(path)) {
        (Some(was), Some(now)) => !was.is_like(now),
        _ => false,
    };
    let mut sources: Vec<(&RelPath, Text)> = Vec::new();
    let has_left = |path: &RelPath| side.get(path).is_none() || is_replaced(path);
    for (path, text) in was.iter().filter(|(path, _)| has_left(path)) {
        sources.push((*path, text.clone()));
        // A merge of both sides may be more like the other side than like the base, unless that one
        // has another document there.
        let there = other.get(path).filter(|there| Some(*there) != base.get(path));
        let there = there.and_then(|there| Text::of(path, there));
        sources.extend(there.filter(|there| there.is_like(text)).map(|there| (*path, there)));
    }
    let has_come = |path: &RelPath| base.get(path).is_none() || is_replaced(path);
    let targets: Vec<(&RelPath, &Text)> =
        now.iter().filter(|(path, _)| has_come(path)).map(|(path, text)| (*path, text)).collect();
    let mut moves = Moves::new();
    claim(same(&sources, &targets), &mut moves);
    claim(alike(&sources, &targets), &mut moves);
    closed(moves, base)
}

/// Documents and their originals; facts are followed by their origin.
fn is_movable(path: &RelPath) -> bool {
    matches!(path.role(), Role::Document | Role::Original) || path.kind() == Kind::ProfilePart
}

/// Without those to a path whose own document is said to stay there.
fn closed(mut moves: Moves, base: &Snapshot) -> Moves {
    loop {
        let is_open = |to: &RelPath| base.get(to).is_some() && !moves.contains_key(to);
        let open = moves.iter().filter(|(_, to)| is_open(to));
        let open: Vec<RelPath> = open.map(|(from, _)| from.clone()).collect();
        if open.is_empty() {
            return moves;
        }
        moves.retain(|from, _| !open.contains(from));
    }
}

/// Whether it is an original, and the hash of what it says.
type TextKey = (bool, ContentHash);

/// What a file says, whatever its links point to.
#[derive(Clone)]
struct Text {
    key: TextKey,
    lines: BTreeSet<String>,
}

fn texts<'p>(side: &Snapshot, paths: &[&'p RelPath]) -> BTreeMap<&'p RelPath, Text> {
    let of = |path: &&'p RelPath| Some((*path, Text::of(path, side.get(path)?)?));
    paths.iter().filter_map(of).collect()
}

impl Text {
    /// Nothing for an empty text: two of them are no evidence of a move.
    fn of(path: &RelPath, blob: &Blob) -> Option<Text> {
        let is_original = path.role() == Role::Original;
        let read = Document::read(blob).ok().filter(|_| !is_original);
        let Some(document) = read else {
            let key = (is_original, ContentHash::of_bytes(blob));
            return (blob.size() > 0).then(|| Text { key, lines: BTreeSet::new() });
        };
        let text = links::without_targets(document.text());
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let lines: BTreeSet<String> = lines.map(str::to_owned).collect();
        let key = (false, ContentHash::of_body(&text));
        (!lines.is_empty()).then_some(Text { key, lines })
    }

    fn is_like(&self, other: &Text) -> bool {
        let lines = self.lines.len().max(other.lines.len());
        self.key == other.key || self.lines.intersection(&other.lines).count() * 2 > lines
    }
}

struct Pair<'a> {
    from: &'a RelPath,
    to: &'a RelPath,
    /// How many lines they share, of the text at the old path and that at the new one.
    shared: usize,
}

impl Pair<'_> {
    /// How much of the path stayed: 1 for the file name, 2 with its folder.
    fn tail(&self) -> usize {
        let parts = |path: &RelPath| -> Vec<String> {
            path.as_str().rsplit('/').map(str::to_lowercase).collect()
        };
        let (from, to) = (parts(self.from), parts(self.to));
        from.iter().zip(&to).take_while(|(a, b)| a == b).count()
    }

    fn is_move(&self, lines: usize) -> bool {
        match self.tail() {
            0 => self.shared > 1 && self.shared * 3 >= lines * 2,
            _ => self.shared * 2 > lines,
        }
    }
}

fn same<'a>(sources: &[(&'a RelPath, Text)], targets: &[(&'a RelPath, &Text)]) -> Vec<Pair<'a>> {
    let mut by_key: HashMap<TextKey, Vec<&'a RelPath>> = HashMap::new();
    for (path, text) in sources {
        by_key.entry(text.key).or_default().push(path);
    }
    let mut pairs = Vec::new();
    for (to, text) in targets {
        let of_text = by_key.get(&text.key).into_iter().flatten().filter(|from| *from != to);
        pairs.extend(of_text.map(|from| Pair { from, to, shared: text.lines.len() }));
    }
    pairs
}

fn alike<'a>(sources: &[(&'a RelPath, Text)], targets: &[(&'a RelPath, &Text)]) -> Vec<Pair<'a>> {
    let mut by_line: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, (_, text)) in sources.iter().enumerate() {
        text.lines.iter().for_each(|line| by_line.entry(line).or_default().push(at));
    }
    let mut pairs = Vec::new();
    for (to, text) in targets {
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        for line in &text.lines {
            for at in by_line.get(line.as_str()).into_iter().flatten() {
                *shared.entry(*at).or_default() += 1;
            }
        }
        for (at, shared) in shared {
            let (from, was) = &sources[at];
            let pair = Pair { from, to, shared };
            if from != to && pair.is_move(was.lines.len().max(text.lines.len())) {
                pairs.push(pair);
            }
        }
    }
    pairs
}

/// Each path takes part once, first those of which most is the same.
fn claim(mut pairs: Vec<Pair<'_>>, moves: &mut Moves) {
    pairs.sort_by_key(|pair| (Reverse(pair.tail()), Reverse(pair.shared), pair.from, pair.to));
    let mut taken: BTreeSet<RelPath> = moves.values().cloned().collect();
    for pair in pairs {
        if !moves.contains_key(pair.from) && taken.insert(pair.to.clone()) {
            moves.insert(pair.from.clone(), pair.to.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(files: &[(&str, &str)]) -> Snapshot {
        let file = |(path, text): &(&str, &str)| {
            (RelPath::known(&format!("knowledge/{path}.md")), Blob::from(*text))
        };
        files.iter().map(file).collect()
    }

    fn moved(base: &[(&str, &str)], side: &[(&str, &str)]) -> Vec<String> {
        let (base, side) = (files(base), files(side));
        let [of_x, of_y] = of_sides([&base, &side, &base]);
        assert!(of_y.is_empty());
        let name = |path: &RelPath| path.as_str()["knowledge/".len()..].replace(".md", "");
        of_x.iter().map(|(from, to)| format!("{} {}", name(from), name(to))).collect()
    }

    const PLAN: &str = "# Plan\n\none\n\ntwo\n\nthree\n";
    const LIST: &str = "# List\n\nmilk\n\nbread\n";

    #[test]
    fn a_text_that_left_and_came_has_moved() {
        assert_eq!(moved(&[("plan", PLAN)], &[("old/plan", PLAN)]), ["plan old/plan"]);
        assert_eq!(moved(&[("plan", PLAN)], &[("x", PLAN)]), ["plan x"]);
        let linked = ["See [a](a.md) and [[b]].", "See [a](../a.md) and [[x/b]]."];
        assert_eq!(moved(&[("plan", linked[0])], &[("x/y", linked[1])]), ["plan x/y"]);
        let edited = PLAN.replace("two", "two, edited");
        assert_eq!(moved(&[("plan", PLAN)], &[("x/plan", &edited)]), ["plan x/plan"]);
        assert_eq!(moved(&[("plan", PLAN)], &[("x/scheme", &edited)]), ["plan x/scheme"]);
    }

    #[test]
    fn an_exchange_and_a_chain_are_moves() {
        let base = [("a", PLAN), ("b", LIST)];
        assert_eq!(moved(&base, &[("a", LIST), ("b", PLAN)]), ["a b", "b a"]);
        assert_eq!(moved(&base, &[("b", PLAN), ("c", LIST)]), ["a b", "b c"]);
        let edited = PLAN.replace("two", "two, edited");
        assert_eq!(moved(&base, &[("a", LIST), ("b", &edited)]), ["a b", "b a"]);
        let written_anew = [("a", "# New\n\nall\n\nnew\n"), ("b", LIST), ("old/a", PLAN)];
        assert_eq!(moved(&base, &written_anew), ["a old/a"]);
    }

    #[test]
    fn what_stayed_was_copied_or_is_another_text_has_not_moved() {
        let base = [("a", PLAN), ("b", LIST)];
        let none: [&str; 0] = [];
        assert_eq!(moved(&base, &[("a", PLAN), ("b", LIST), ("c", PLAN)]), none);
        assert_eq!(moved(&base, &[("a", PLAN), ("c", "# Other\n\nmilk\n\nwine\n")]), none);
        assert_eq!(moved(&base, &[("a", LIST)]), none);
        assert_eq!(moved(&[("a", "")], &[("b", "")]), none);
        assert_eq!(moved(&base, &[("a", "# Plan\n\none\n"), ("b", LIST)]), none);
    }

    #[test]
    fn of_equal_texts_each_keeps_its_name() {
        let base = [("x/readme", PLAN), ("y/readme", PLAN), ("z", PLAN)];
        let side = [("n/x/readme", PLAN), ("n/y/readme", PLAN), ("n/z", PLAN)];
        let all = ["x/readme n/x/readme", "y/readme n/y/readme", "z n/z"];
        assert_eq!(moved(&base, &side), all);
    }
}
