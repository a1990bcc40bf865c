//! Which documents a side moved or renamed.
//!
//! Invariant: a function of the three states, symmetric in the sides. A document has moved if it
//! left its path and its text is at another one: the same but for the targets of links, or mostly
//! the same. Lines that several documents have, as those of a template, are no evidence; a guess by
//! likeness displaces nothing. Must not know: what becomes of the two texts.

use crate::identity::{Blob, ContentHash, Document, Kind, RelPath, Role, Snapshot};
use crate::knowledge::links::{self, Moves};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
};

/// How many equal texts are still compared with each other, whatever their names.
const FEW: usize = 20;

/// What `x` moved and what `y` moved, by the path in the base.
pub(super) fn of_sides([base, x, y]: [&Snapshot; 3]) -> [Moves; 2] {
    let (of_x, of_y) = (of_side(base, x, y), of_side(base, y, x));
    let (x_moves, y_moves) =
        (of_x.without_guesses(base, y, &of_y), of_y.without_guesses(base, x, &of_x));
    [with_shared(&x_moves, &y_moves, base, x), with_shared(&y_moves, &x_moves, base, y)]
}

/// If both sides moved a document to one path, one of them may have edited it beyond recognition.
fn with_shared(own: &Moves, others: &Moves, base: &Snapshot, side: &Snapshot) -> Moves {
    let mut moves = own.clone();
    let mut taken: HashSet<&RelPath> = own.values().collect();
    for (from, to) in others {
        let is_new = side.get(to).is_some() && base.get(to).is_none();
        let is_free = !own.contains_key(from) && !taken.contains(to);
        if is_new && is_free && side.get(from).is_none() {
            taken.insert(to);
            moves.insert(from.clone(), to.clone());
        }
    }
    moves
}

#[derive(Default)]
struct FoundMoves {
    moves: Moves,
    /// Those of them whose text is not the same.
    guessed: BTreeSet<RelPath>,
}

impl FoundMoves {
    /// Where the other side wrote a document of its own, a guess would push that aside.
    fn without_guesses(&self, base: &Snapshot, other: &Snapshot, others: &FoundMoves) -> Moves {
        let displaces = |from: &RelPath, to: &RelPath| {
            let is_of_other = other.get(to).is_some() && base.get(to).is_none();
            is_of_other && others.moves.get(from) != Some(to)
        };
        let mut moves = self.moves.clone();
        moves.retain(|from, to| !self.guessed.contains(from) || !displaces(from, to));
        closed(moves, base)
    }
}

fn of_side(base: &Snapshot, side: &Snapshot, other: &Snapshot) -> FoundMoves {
    let differs = |path: &&RelPath| is_movable(path) && side.get(path) != base.get(path);
    let left: Vec<&RelPath> = base.paths().filter(differs).collect();
    let came: Vec<&RelPath> = side.paths().filter(differs).collect();
    let mut found = FoundMoves::default();
    // A single document that was edited, written or deleted has not moved.
    if left.is_empty() || came.is_empty() || (left == came && left.len() == 1) {
        return found;
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
    let mut targets: Vec<(&RelPath, &Text)> =
        now.iter().filter(|(path, _)| has_come(path)).map(|(path, text)| (*path, text)).collect();
    claim(same(&sources, &targets, &|pair, _| pair.tail > 0), &mut found.moves);
    let taken: HashSet<&RelPath> = found.moves.values().collect();
    sources.retain(|(path, _)| !found.moves.contains_key(*path));
    targets.retain(|(path, _)| !taken.contains(path));
    if !sources.is_empty() && !targets.is_empty() {
        let rare = Rare::find(base, &sources, &targets);
        claim(same(&sources, &targets, &|_, text| rare.tells(text)), &mut found.moves);
        let exact: BTreeSet<RelPath> = found.moves.keys().cloned().collect();
        claim(alike(&sources, &targets, &rare), &mut found.moves);
        found.guessed = found.moves.keys().filter(|from| !exact.contains(*from)).cloned().collect();
    }
    found.moves = closed(found.moves, base);
    found
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
    /// `None` for an empty text: two of them are no evidence of a move.
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

/// Lines that at most one document of the base has.
struct Rare<'t>(HashSet<&'t str>);

impl<'t> Rare<'t> {
    fn find(
        base: &Snapshot,
        sources: &'t [(&RelPath, Text)],
        targets: &[(&RelPath, &'t Text)],
    ) -> Rare<'t> {
        let of_sources = sources.iter().flat_map(|(_, text)| &text.lines);
        let of_targets = targets.iter().flat_map(|(_, text)| &text.lines);
        let mut counts: HashMap<&str, usize> =
            of_sources.chain(of_targets).map(|line| (line.as_str(), 0)).collect();
        let is_text = |path: &RelPath| is_movable(path) && path.role() != Role::Original;
        for (_, blob) in base.iter().filter(|(path, _)| is_text(path)) {
            let text = String::from_utf8_lossy(blob);
            let lines: HashSet<&str> = text.lines().map(str::trim).collect();
            for line in lines {
                if let Some(count) = counts.get_mut(line) {
                    *count += 1;
                }
            }
        }
        Rare(counts.into_iter().filter(|(_, count)| *count < 2).map(|(line, _)| line).collect())
    }

    fn among<'a>(&'a self, text: &'a Text) -> impl Iterator<Item = &'a str> {
        let says = |line: &&str| line.contains(char::is_alphanumeric);
        text.lines.iter().map(String::as_str).filter(|line| self.0.contains(line)).filter(says)
    }

    /// Whether an equal text is the same document, and not another one of the same template.
    fn tells(&self, text: &Text) -> bool {
        text.key.0 || self.among(text).next().is_some()
    }
}

struct Pair<'a> {
    from: &'a RelPath,
    to: &'a RelPath,
    /// How many lines they share, of the text at the old path and that at the new one.
    shared: usize,
    /// How much of the path stayed: 1 for the file name, 2 with its folder.
    tail: usize,
}

impl<'a> Pair<'a> {
    fn new(from: &'a RelPath, to: &'a RelPath, shared: usize) -> Pair<'a> {
        let parts = |path: &'a RelPath| path.as_str().rsplit('/').map(str::to_lowercase);
        let tail = parts(from).zip(parts(to)).take_while(|(a, b)| a == b).count();
        Pair { from, to, shared, tail }
    }

    /// Of documents that are told apart by a date or a number alone, as notes of a day are, each is
    /// a document of its own.
    fn is_series(&self) -> bool {
        let without = |path: &RelPath| path.as_str().replace(|c: char| c.is_ascii_digit(), "");
        self.from.as_str() != self.to.as_str() && without(self.from) == without(self.to)
    }

    fn is_move(&self, lines: usize) -> bool {
        let share =
            if self.tail > 0 { self.shared * 2 > lines } else { self.shared * 3 >= lines * 2 };
        self.shared > 1 && share && !self.is_series()
    }
}

/// The end of a path, by which equal texts are paired.
fn end(path: &RelPath, parts: usize) -> String {
    path.as_str().rsplit('/').take(parts).collect::<Vec<_>>().join("/").to_lowercase()
}

fn same<'a>(
    sources: &[(&'a RelPath, Text)],
    targets: &[(&'a RelPath, &Text)],
    is_move: &dyn Fn(&Pair<'a>, &Text) -> bool,
) -> Vec<Pair<'a>> {
    let mut by_key: HashMap<TextKey, Vec<&'a RelPath>> = HashMap::new();
    let mut by_end: HashMap<(TextKey, String), Vec<&'a RelPath>> = HashMap::new();
    for (path, text) in sources {
        by_key.entry(text.key).or_default().push(path);
        for parts in [1, 2] {
            by_end.entry((text.key, end(path, parts))).or_default().push(path);
        }
    }
    let mut pairs = Vec::new();
    for (to, text) in targets {
        let named = |parts: usize| by_end.get(&(text.key, end(to, parts)));
        let groups = [by_key.get(&text.key), named(1), named(2)];
        let few = groups.into_iter().flatten().find(|group| group.len() <= FEW);
        let of_text = few.into_iter().flatten().filter(|from| *from != to);
        let of_text = of_text.map(|from| Pair::new(from, to, text.lines.len()));
        pairs.extend(of_text.filter(|pair| is_move(pair, text)));
    }
    pairs
}

fn alike<'a>(
    sources: &[(&'a RelPath, Text)],
    targets: &[(&'a RelPath, &Text)],
    rare: &Rare<'_>,
) -> Vec<Pair<'a>> {
    let mut by_line: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, (_, text)) in sources.iter().enumerate() {
        rare.among(text).for_each(|line| by_line.entry(line).or_default().push(at));
    }
    // Many new texts with one line are no evidence either.
    by_line.retain(|_, sources| sources.len() <= FEW);
    let mut pairs = Vec::new();
    for (to, text) in targets {
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        for line in rare.among(text) {
            for at in by_line.get(line).into_iter().flatten() {
                *shared.entry(*at).or_default() += 1;
            }
        }
        let lines = rare.among(text).count();
        for (at, shared) in shared {
            let (from, was) = &sources[at];
            let pair = Pair::new(from, to, shared);
            if from != to && pair.is_move(rare.among(was).count().max(lines)) {
                pairs.push(pair);
            }
        }
    }
    pairs
}

/// Each path takes part once, first those of which most is the same.
fn claim(mut pairs: Vec<Pair<'_>>, moves: &mut Moves) {
    pairs.sort_by_key(|pair| (Reverse(pair.tail), Reverse(pair.shared), pair.from, pair.to));
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
    fn notes_of_a_template_are_documents_of_their_own() {
        let note = |day: &str, said: &str| {
            format!("# Weekly {day}\n\n## Done\n\n## Plans\n\n## Risks\n\n- {said}\n")
        };
        let (first, second) = (note("5 January", "ran"), note("2 February", "swam"));
        let none: [&str; 0] = [];
        for (was, now) in [
            ("2026-01-05", "2026-02-02"),
            ("2026/01/05/notes", "2026/02/02/notes"),
            ("week-1", "week-5"),
        ] {
            assert_eq!(moved(&[(was, &first)], &[(now, &second)]), none, "{was}");
        }
        let third = note("9 March", "rowed");
        for (was, now) in [("a/readme", "b/readme"), ("jan", "feb")] {
            let base = [(was, first.as_str()), ("other", &third)];
            assert_eq!(moved(&base, &[(now, &second), ("other", &third)]), none, "{was}");
        }
        assert_eq!(moved(&[("a/readme", "# Readme\n")], &[("b/readme", "# Readme\n\nx\n")]), none);
        let links = ["- [[a]]\n- [[b]]\n", "- [[c]]\n- [[d]]\n"];
        assert_eq!(moved(&[("hub", links[0])], &[("index", links[1])]), none);
    }

    #[test]
    fn thousands_of_equal_and_alike_documents_take_no_time() {
        let text = |at: usize| format!("# Day\n\n## Plans\n\n- item {}\n", at % 7);
        let all = |folder: &str| -> Snapshot {
            let file = |at: usize| {
                let path = format!("knowledge/{folder}/day-{at}.md");
                (RelPath::known(&path), Blob::from(text(at)))
            };
            (0..3_000).map(file).collect()
        };
        let (base, side) = (all("days"), all("daily/2026"));
        assert_eq!(of_sides([&base, &side, &base])[0].len(), 3_000);
    }

    #[test]
    fn of_equal_texts_each_keeps_its_name() {
        let base = [("x/readme", PLAN), ("y/readme", PLAN), ("z", PLAN)];
        let side = [("n/x/readme", PLAN), ("n/y/readme", PLAN), ("n/z", PLAN)];
        let all = ["x/readme n/x/readme", "y/readme n/y/readme", "z n/z"];
        assert_eq!(moved(&base, &side), all);
    }
}
