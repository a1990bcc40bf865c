//! Rules 7 (fields) and 8 (entries): bodies of profile, personality, context and traits.
//!
//! Invariant: an entry added on either side stays; one deleted on one side and untouched on the other goes; nothing that changed is lost.

use super::{
    Decision, Rule,
    blocks::{self, Block, Shape},
    order::arrange,
    text,
};
use crate::identity::RelPath;
use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

/// Which `- Key: value` items are fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fields {
    /// Profile and personality: every key that stands once.
    All,
    /// Context and traits: only keys that the base has as well; elsewhere such an item is free text.
    OfBase,
}

/// The bodies to merge and how their sides compare.
pub struct Bodies<'a> {
    /// What both come from.
    pub base: Option<&'a str>,
    /// One side.
    pub x: &'a str,
    /// The other.
    pub y: &'a str,
    /// How `x` compares with `y` by `updated`.
    pub rank: Ordering,
    /// Which items are fields.
    pub fields: Fields,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Key {
    Heading(Vec<String>, usize),
    Field(Vec<String>, String),
    Item(Vec<String>, String),
    Text(Vec<String>, Shape, String, usize),
}

/// Merges two bodies.
pub fn merge(path: &RelPath, bodies: &Bodies<'_>, decisions: &mut Vec<Decision>) -> String {
    let base = blocks::read(bodies.base.unwrap_or_default());
    let (mut x, mut y) = (blocks::read(bodies.x), blocks::read(bodies.y));
    let originals = [(x.clone(), bodies.x), (y.clone(), bodies.y)];
    merge_paragraphs(&base, &mut x, &mut y);

    let namer = Namer::new(bodies.fields, &base, &x, &y);
    let (base, x, y) = (namer.name(base), namer.name(x), namer.name(y));
    let rank = bodies.rank;
    let mut chosen: BTreeMap<Key, Block> = BTreeMap::new();
    let all: BTreeSet<&Key> = x.keys.iter().chain(&y.keys).collect();
    for key in all {
        let side = Three { base: base.blocks.get(key), x: x.blocks.get(key), y: y.blocks.get(key), has_base: bodies.base.is_some() };
        if let Some(block) = side.choose(path, key, rank, decisions) {
            chosen.insert(key.clone(), block);
        }
    }
    keep_headings(&mut chosen, &x, &y);

    let kept: BTreeSet<Key> = chosen.keys().cloned().collect();
    let merged: Vec<Block> = arrange(&kept, &x.keys, &y.keys, rank).iter().map(|key| chosen[key].clone()).collect();
    let same = |side: &[Block]| side.iter().map(|b| (&b.under, &b.text)).eq(merged.iter().map(|b| (&b.under, &b.text)));
    let mut verbatim: Vec<&str> = originals.iter().filter(|(blocks, _)| same(blocks)).map(|(_, body)| *body).collect();
    verbatim.sort_unstable();
    verbatim.pop().map_or_else(|| blocks::write(&merged), str::to_owned)
}

struct Three<'a> {
    base: Option<&'a Block>,
    x: Option<&'a Block>,
    y: Option<&'a Block>,
    has_base: bool,
}

impl Three<'_> {
    fn choose(&self, path: &RelPath, key: &Key, rank: Ordering, decisions: &mut Vec<Decision>) -> Option<Block> {
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
        let newer = if rank.then_with(|| (&a.text, a.gap, a.follows_item).cmp(&(&b.text, b.gap, b.follows_item))).is_ge() { a } else { b };
        if x == y {
            return Some(newer.clone());
        }
        match key {
            Key::Field(_, name) => {
                let why = if rank == Ordering::Equal { "equally new, the larger text" } else { "newer" };
                let older = if std::ptr::eq(newer, a) { b } else { a };
                decisions.push(Decision::new(path, Rule::Field, format!("{name}: `{}` ({why}; the other side had `{}`)", newer.text, older.text)));
                Some(newer.clone())
            }
            _ => Some(Block { text: merge_children(path, self.base, a, b, rank, decisions), ..newer.clone() }),
        }
    }
}

/// Two versions of one item: its first line is the same, what is indented below merges like a body of its own.
fn merge_children(path: &RelPath, base: Option<&Block>, x: &Block, y: &Block, rank: Ordering, decisions: &mut Vec<Decision>) -> String {
    let below = |block: &Block| -> Vec<String> { block.text.lines().skip(1).map(str::to_owned).collect() };
    let indent = |lines: &[String]| lines.iter().filter(|l| !l.trim().is_empty()).map(|l| l.len() - l.trim_start().len()).min();
    let (in_base, in_x, in_y) = (base.map(&below), below(x), below(y));
    let width = [in_base.as_deref().and_then(indent), indent(&in_x), indent(&in_y)].into_iter().flatten().min().unwrap_or(2).max(1);
    let dedent = |lines: &[String]| -> String { lines.iter().map(|line| format!("{}\n", line.get(width..).unwrap_or_default())).collect() };
    let (base, left, right) = (in_base.as_deref().map(dedent), dedent(&in_x), dedent(&in_y));
    let bodies = Bodies { base: base.as_deref(), x: &left, y: &right, rank, fields: Fields::OfBase };
    let merged = merge(path, &bodies, decisions);
    let pad = " ".repeat(width);
    let lines = merged.trim_matches('\n').lines().map(|line| if line.is_empty() { String::new() } else { format!("{pad}{line}") });
    let mut text = x.head().to_owned();
    for line in lines {
        text.push('\n');
        text.push_str(&line);
    }
    text
}

/// A heading stays as long as something stands under it.
fn keep_headings(chosen: &mut BTreeMap<Key, Block>, x: &Named, y: &Named) {
    let wanted: BTreeSet<Vec<String>> =
        chosen.values().flat_map(|block| (1..=block.under.len()).map(|depth| block.under[..depth].to_vec())).collect();
    let present: BTreeSet<Vec<String>> = chosen.values().filter(|b| b.shape == Shape::Heading).map(|b| b.under.clone()).collect();
    for path in wanted.difference(&present) {
        let key = Key::Heading(path.clone(), 0);
        if let Some(block) = x.blocks.get(&key).or_else(|| y.blocks.get(&key)) {
            chosen.insert(key, block.clone());
        }
    }
}

/// A paragraph that both sides changed merges by words where the changes do not overlap.
fn merge_paragraphs(base: &[Block], x: &mut [Block], y: &mut [Block]) {
    let holds = |side: &[Block], block: &Block| side.iter().any(|b| b.under == block.under && b.text == block.text);
    for old in base.iter().filter(|block| block.shape == Shape::Paragraph) {
        if holds(x, old) || holds(y, old) {
            continue;
        }
        let (Some(of_x), Some(of_y)) = (successor(old, base, x), successor(old, base, y)) else { continue };
        if x[of_x].text == y[of_y].text {
            continue;
        }
        if let Some(merged) = text::merge_words(&old.text, &x[of_x].text, &y[of_y].text) {
            x[of_x].text.clone_from(&merged);
            y[of_y].text = merged;
        }
    }
}

/// The paragraph that most likely came from `old`.
fn successor(old: &Block, base: &[Block], side: &[Block]) -> Option<usize> {
    const ALIKE: f32 = 0.4;
    let fresh = |block: &Block| block.shape == Shape::Paragraph && block.under == old.under && !base.iter().any(|b| b.text == block.text);
    side.iter()
        .enumerate()
        .filter(|(_, block)| fresh(block))
        .map(|(at, block)| (text::likeness(&old.text, &block.text), at))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
        .map(|(_, at)| at)
}

struct Named {
    keys: Vec<Key>,
    blocks: BTreeMap<Key, Block>,
}

/// Decides, over all sides together, which items are known by their key or first line.
struct Namer {
    fields: BTreeSet<(Vec<String>, String)>,
    heads: BTreeSet<(Vec<String>, String)>,
}

impl Namer {
    fn new(fields: Fields, base: &[Block], x: &[Block], y: &[Block]) -> Namer {
        let count = |side: &[Block], name: &dyn Fn(&Block) -> Option<String>| {
            let mut counts: BTreeMap<(Vec<String>, String), usize> = BTreeMap::new();
            for block in side.iter().filter(|block| block.shape == Shape::Item) {
                if let Some(name) = name(block) {
                    *counts.entry((block.under.clone(), name)).or_default() += 1;
                }
            }
            counts
        };
        let once = |name: &dyn Fn(&Block) -> Option<String>| -> BTreeSet<(Vec<String>, String)> {
            let sides = [base, x, y].map(|side| count(side, name));
            let names: BTreeSet<_> = sides.iter().flat_map(|counts| counts.keys().cloned()).collect();
            names.into_iter().filter(|name| sides.iter().all(|counts| counts.get(name).is_none_or(|n| *n == 1))).collect()
        };
        let key = |block: &Block| block.field_key().map(str::to_owned);
        let mut by_key = once(&key);
        if fields == Fields::OfBase {
            let in_base = count(base, &key);
            by_key.retain(|name| in_base.contains_key(name));
        }
        Namer { fields: by_key, heads: once(&|block| Some(block.head().to_owned())) }
    }

    fn name(&self, side: Vec<Block>) -> Named {
        let mut named = Named { keys: Vec::new(), blocks: BTreeMap::new() };
        let mut seen: BTreeMap<Key, usize> = BTreeMap::new();
        for block in side {
            let mut occurrence = |key: Key| {
                let count = seen.entry(key).or_default();
                *count += 1;
                *count - 1
            };
            let under = block.under.clone();
            let field = block.field_key().map(|key| (under.clone(), key.to_owned())).filter(|name| self.fields.contains(name));
            let head = (under.clone(), block.head().to_owned());
            let key = match (block.shape, field) {
                (Shape::Heading, _) => {
                    let nth = occurrence(Key::Heading(under.clone(), 0));
                    Key::Heading(under, nth)
                }
                (_, Some((under, key))) => Key::Field(under, key),
                (Shape::Item, _) if self.heads.contains(&head) => Key::Item(head.0, head.1),
                (shape, _) => {
                    let nth = occurrence(Key::Text(under.clone(), shape, block.text.clone(), 0));
                    Key::Text(under, shape, block.text.clone(), nth)
                }
            };
            named.keys.push(key.clone());
            named.blocks.insert(key, block);
        }
        named
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(base: &str, x: &str, y: &str, rank: Ordering) -> String {
        let path = RelPath::known("profile.md");
        let merge = |base, x, y, rank| merge(&path, &Bodies { base: Some(base), x, y, rank, fields: Fields::All }, &mut Vec::new());
        let merged = merge(base, x, y, rank);
        assert_eq!(merged, merge(base, y, x, rank.reverse()), "symmetric");
        merged
    }

    const BASE: &str = "\n# Profile\n\n- Name: Bin\n- Zone: LA\n- plain\n\nSome words stand here today.\n";

    #[test]
    fn fields_items_and_paragraphs() {
        let x = BASE.replace("LA", "Berlin").replace("- plain\n", "- plain\n- from x\n").replace("Some", "Many");
        let y = BASE.replace("LA", "Tokyo").replace("- plain\n", "- from y\n").replace("today", "tomorrow");
        let merged = both(BASE, &x, &y, Ordering::Greater);
        assert_eq!(merged, "\n# Profile\n\n- Name: Bin\n- Zone: Berlin\n- from y\n- from x\n\nMany words stand here tomorrow.\n");
    }

    #[test]
    fn children_of_an_item_merge_likewise() {
        let base = "- a\n  - one\n- b\n";
        let merged = both(base, "- a\n  - one\n  - two\n- b\n", "- a\n  - zero\n  - one\n- b\n", Ordering::Less);
        assert_eq!(merged, "\n- a\n  - zero\n  - one\n  - two\n- b\n");
    }

    #[test]
    fn a_heading_stays_with_what_was_added_under_it() {
        let merged = both("\n# A\n\n- x\n\n# B\n\n- y\n", "\n# A\n\n- x\n", "\n# A\n\n- x\n\n# B\n\n- y\n- new\n", Ordering::Greater);
        assert_eq!(merged, "\n# A\n\n- x\n\n# B\n\n- new\n");
    }
}
