//! Merges bodies of profile, personality, context and traits: fields by key, all else by entries.
//!
//! Invariant: an entry added on either side stays; one deleted on one side and untouched on the
//! other is deleted. Of a field that both sides set, the newer value stays, and the decision names
//! the other; no other change is lost.

use super::{
    Decision, Reason,
    blocks::{self, Block, Shape},
    names::{Key, KeyedBlocks, Namer},
    order::arrange,
    text,
};
use crate::identity::{RelPath, kind::MergeRule};
use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

pub struct Bodies<'a> {
    pub base: Option<&'a str>,
    pub x: &'a str,
    pub y: &'a str,
    /// How `x` compares with `y` by `updated`.
    pub rank: Ordering,
    /// Which `- Key: value` items are fields: by [`MergeRule::Fields`], by [`MergeRule::Entries`],
    /// or none under [`MergeRule::Notes`].
    pub rule: MergeRule,
}

pub fn merge(path: &RelPath, bodies: &Bodies<'_>, decisions: &mut Vec<Decision>) -> String {
    let read = blocks::read;
    let sides = BlockSets {
        base: bodies.base.map(read),
        x: read(bodies.x),
        y: read(bodies.y),
        rank: bodies.rank,
        fields: bodies.rule,
    };
    let merged = sides.merge(path, decisions);
    let same = |side: &[Block]| {
        side.iter().map(|b| (&b.under, &b.text)).eq(merged.iter().map(|b| (&b.under, &b.text)))
    };
    let verbatim =
        [(&sides.x, bodies.x), (&sides.y, bodies.y)].into_iter().filter(|(side, _)| same(side));
    if let Some(body) = verbatim.map(|(_, body)| body).max() {
        return body.to_owned();
    }
    let text = blocks::write(&merged);
    if [bodies.x, bodies.y].iter().all(|body| body.contains("\r\n")) {
        return text.replace('\n', "\r\n");
    }
    text
}

/// The input of a block merge: the base and both sides.
struct BlockSets {
    base: Option<Vec<Block>>,
    x: Vec<Block>,
    y: Vec<Block>,
    rank: Ordering,
    fields: MergeRule,
}

impl BlockSets {
    fn merge(&self, path: &RelPath, decisions: &mut Vec<Decision>) -> Vec<Block> {
        let base = self.base.clone().unwrap_or_default();
        let (mut x, mut y) = (self.x.clone(), self.y.clone());
        merge_changed(&base, &mut x, &mut y, self.rank);
        let namer = Namer::new(self.fields, &base, &x, &y);
        let (base, x, y) = (namer.name(base), namer.name(x), namer.name(y));
        let mut chosen: BTreeMap<Key, Block> = BTreeMap::new();
        let all: BTreeSet<&Key> = x.keys.iter().chain(&y.keys).collect();
        for key in all {
            let three = BlockSides {
                base: base.blocks.get(key),
                x: x.blocks.get(key),
                y: y.blocks.get(key),
                has_base: self.base.is_some(),
            };
            if let Some(block) = three.choose(path, key, (self.rank, self.fields), decisions) {
                chosen.insert(key.clone(), block);
            }
        }
        keep_headings(&mut chosen, &x, &y);
        let kept: BTreeSet<Key> = chosen.keys().cloned().collect();
        let order = arrange(&kept, &x.keys, &y.keys, self.rank);
        order.iter().map(|key| chosen[key].clone()).collect()
    }
}

struct BlockSides<'a> {
    base: Option<&'a Block>,
    x: Option<&'a Block>,
    y: Option<&'a Block>,
    has_base: bool,
}

impl BlockSides<'_> {
    fn choose(
        &self,
        path: &RelPath,
        key: &Key,
        (rank, fields): (Ordering, MergeRule),
        decisions: &mut Vec<Decision>,
    ) -> Option<Block> {
        fn text(block: Option<&Block>) -> Option<&str> {
            block.map(|block| block.text.as_str())
        }
        let (base, x, y) = (text(self.base), text(self.x), text(self.y));
        if x != y && self.has_base && x == base {
            return self.y.cloned();
        }
        if x != y && self.has_base && y == base {
            return self.x.cloned();
        }
        let (Some(a), Some(b)) = (self.x, self.y) else {
            return self.x.or(self.y).cloned();
        };
        let newer = if rank
            .then_with(|| (&a.text, &a.gap, a.follows_item).cmp(&(&b.text, &b.gap, b.follows_item)))
            .is_ge()
        {
            a
        } else {
            b
        };
        if x == y {
            return Some(newer.clone());
        }
        match key {
            Key::Field(_, name) => {
                let older = if std::ptr::eq(newer, a) { b } else { a };
                let why = if rank == Ordering::Equal {
                    format!("as new as `{}`, and later in the alphabet", older.text)
                } else {
                    format!("newer than `{}`", older.text)
                };
                let why = format!("{name}: `{}` ({why})", newer.text);
                decisions.push(Decision::new(path, Reason::Field, why));
                Some(newer.clone())
            }
            _ => Some(Block {
                text: merge_children(path, (self.base, a, b), (rank, fields), decisions),
                ..newer.clone()
            }),
        }
    }
}

/// Two versions of an item with the same first line: the indented content merges like a body.
fn merge_children(
    path: &RelPath,
    (base, x, y): (Option<&Block>, &Block, &Block),
    (rank, fields): (Ordering, MergeRule),
    decisions: &mut Vec<Decision>,
) -> String {
    let fields = if fields == MergeRule::Notes { fields } else { MergeRule::Entries };
    let below = BlockSets {
        base: base.map(Block::children),
        x: x.children(),
        y: y.children(),
        rank,
        fields,
    };
    let merged = below.merge(path, decisions);
    let newer = if rank.then_with(|| x.text.cmp(&y.text)).is_ge() { x } else { y };
    newer.with_children(&merged)
}

/// Keeps a heading as long as it has entries.
fn keep_headings(chosen: &mut BTreeMap<Key, Block>, x: &KeyedBlocks, y: &KeyedBlocks) {
    let wanted: BTreeSet<Vec<String>> = chosen
        .values()
        .flat_map(|block| (1..=block.under.len()).map(|depth| block.under[..depth].to_vec()))
        .collect();
    let present: BTreeSet<Vec<String>> =
        chosen.values().filter(|b| b.shape == Shape::Heading).map(|b| b.under.clone()).collect();
    for path in wanted.difference(&present) {
        let key = Key::Heading(path.clone(), 0);
        if let Some(block) = x.blocks.get(&key).or_else(|| y.blocks.get(&key)) {
            chosen.insert(key, block.clone());
        }
    }
}

/// Merges a paragraph, table or code block that both sides changed, by words, rows or lines, if the
/// changes do not overlap.
fn merge_changed(base: &[Block], x: &mut [Block], y: &mut [Block], rank: Ordering) {
    let holds = |side: &[Block], block: &Block| {
        side.iter().any(|b| b.under == block.under && b.bare == block.bare)
    };
    let prose = |block: &&Block| !matches!(block.shape, Shape::Heading | Shape::Item);
    for old in base.iter().filter(prose) {
        if holds(x, old) || holds(y, old) {
            continue;
        }
        let (Some(of_x), Some(of_y)) = (successor(old, base, x), successor(old, base, y)) else {
            continue;
        };
        let (a, b) = (&x[of_x].text, &y[of_y].text);
        if a == b {
            continue;
        }
        let merged = match old.shape {
            Shape::Paragraph => text::merge_words(&old.text, a, b),
            Shape::Table => merge_rows(&old.text, a, b, rank),
            _ => text::merge_lines(&old.text, a, b),
        };
        if let Some(merged) = merged {
            for block in [&mut x[of_x], &mut y[of_y]] {
                block.text.clone_from(&merged);
                block.bare.clone_from(&merged);
            }
        }
    }
}

/// Rows added on either side stay, rows removed on one go; `None` if the headers differ.
fn merge_rows(base: &str, x: &str, y: &str, rank: Ordering) -> Option<String> {
    type TableRow<'a> = (&'a str, usize);
    fn rows(table: &str) -> Vec<TableRow<'_>> {
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        let mut nth = |row| {
            let count = seen.entry(row).or_default();
            *count += 1;
            *count
        };
        table.lines().skip(2).map(|row| (row, nth(row))).collect()
    }
    let head = |table: &str| table.lines().take(2).map(str::to_owned).collect::<Vec<String>>();
    if head(x) != head(y) {
        return None;
    }
    let (old, of_x, of_y) = (rows(base), rows(x), rows(y));
    let stays =
        |row: &&TableRow<'_>| (of_x.contains(row) && of_y.contains(row)) || !old.contains(row);
    let kept: BTreeSet<TableRow<'_>> = of_x.iter().chain(&of_y).filter(stays).copied().collect();
    let ordered = arrange(&kept, &of_x, &of_y, rank);
    let lines = head(x).into_iter().chain(ordered.into_iter().map(|(row, _)| row.to_owned()));
    Some(lines.collect::<Vec<String>>().join("\n"))
}

/// The block that most likely came from `old`.
fn successor(old: &Block, base: &[Block], side: &[Block]) -> Option<usize> {
    const ALIKE: f32 = 0.4;
    let fresh = |block: &Block| {
        block.shape == old.shape
            && block.under == old.under
            && !base.iter().any(|b| b.text == block.text)
    };
    side.iter()
        .enumerate()
        .filter(|(_, block)| fresh(block))
        .map(|(at, block)| (text::likeness(&old.text, &block.text), at))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
        .map(|(_, at)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(base: &str, x: &str, y: &str, rank: Ordering) -> String {
        let path = RelPath::known("profile.md");
        let merge = |base, x, y, rank| {
            merge(
                &path,
                &Bodies { base: Some(base), x, y, rank, rule: MergeRule::Fields },
                &mut Vec::new(),
            )
        };
        let merged = merge(base, x, y, rank);
        assert_eq!(merged, merge(base, y, x, rank.reverse()), "symmetric");
        merged
    }

    const BASE: &str =
        "\n# Profile\n\n- Name: Bin\n- Zone: LA\n- plain\n\nSome words stand here today.\n";

    #[test]
    fn fields_items_and_paragraphs() {
        let x = BASE
            .replace("LA", "Berlin")
            .replace("- plain\n", "- plain\n- from x\n")
            .replace("Some", "Many");
        let y = BASE
            .replace("LA", "Tokyo")
            .replace("- plain\n", "- from y\n")
            .replace("today", "tomorrow");
        let merged = both(BASE, &x, &y, Ordering::Greater);
        assert_eq!(
            merged,
            "\n# Profile\n\n- Name: Bin\n- Zone: Berlin\n- from y\n- from x\n\nMany words stand \
             here tomorrow.\n"
        );
    }

    #[test]
    fn children_of_an_item_merge_likewise() {
        let base = "- a\n  - one\n- b\n";
        let merged = both(
            base,
            "- a\n  - one\n  - two\n- b\n",
            "- a\n  - zero\n  - one\n- b\n",
            Ordering::Less,
        );
        assert_eq!(merged, "\n- a\n  - zero\n  - one\n  - two\n- b\n");
    }

    #[test]
    fn children_keep_their_bytes() {
        let base = "\n- a\n\t- one\n \u{a0}two\n";
        let x = "\n- a\n\t- one\n \u{a0}two\n\t- x\n";
        let y = "\n- a\n\t- y\n\t- one\n \u{a0}two\n";
        let merged = both(base, x, y, Ordering::Less);
        assert_eq!(merged, "\n- a\n\t- y\n\t- one\n \u{a0}two\n\t- x\n");
    }

    #[test]
    fn a_table_and_code_edited_on_both_sides_stand_there_once() {
        let base = "\n| a | b |\n|---|---|\n| 1 | 1 |\n| 2 | 2 |\n";
        let x = base.replace("| 1 | 1 |", "| 1 | one |") + "| 3 | x |\n";
        let y = base.to_owned() + "| 4 | y |\n";
        let merged = both(base, &x, &y, Ordering::Greater);
        assert_eq!(
            merged,
            "\n| a | b |\n|---|---|\n| 1 | one |\n| 2 | 2 |\n| 4 | y |\n| 3 | x |\n"
        );
        let base = "\n```sh\na\nb\nc\nd\n```\n";
        let (x, y) = (base.replace("a\n", "A\n"), base.replace("d\n", "D\n"));
        let merged = both(base, &x, &y, Ordering::Less);
        assert_eq!(merged, "\n```sh\nA\nb\nc\nD\n```\n");
    }

    #[test]
    fn line_ends_of_both_sides_are_kept() {
        let merged =
            both("\r\n- a\r\n", "\r\n- a\r\n- x\r\n", "\r\n- y\r\n- a\r\n", Ordering::Less);
        assert_eq!(merged, "\r\n- y\r\n- a\r\n- x\r\n");
    }

    #[test]
    fn a_heading_stays_with_what_was_added_under_it() {
        let merged = both(
            "\n# A\n\n- x\n\n# B\n\n- y\n",
            "\n# A\n\n- x\n",
            "\n# A\n\n- x\n\n# B\n\n- y\n- new\n",
            Ordering::Greater,
        );
        assert_eq!(merged, "\n# A\n\n- x\n\n# B\n\n- new\n");
    }
}
