//! Identifies a block on all sides of a merge: by heading, key, first line or text.
//!
//! Invariant: a name identifies at most one block per side.

use super::blocks::{Block, Shape};
use crate::identity::kind::MergeRule;
use std::collections::{BTreeMap, BTreeSet};

/// The number counts repetitions, from 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Key {
    Heading(Vec<String>, usize),
    Field(Vec<String>, String),
    Item(Vec<String>, String),
    Text(Vec<String>, Shape, String, usize),
}

/// `keys` are in the order of the body.
pub struct KeyedBlocks {
    pub keys: Vec<Key>,
    pub blocks: BTreeMap<Key, Block>,
}

/// Decides, over all sides together, which items are identified by their key or first line.
pub struct Namer {
    fields: BTreeSet<(Vec<String>, String)>,
    heads: BTreeSet<(Vec<String>, String)>,
}

impl Namer {
    pub fn new(fields: MergeRule, base: &[Block], x: &[Block], y: &[Block]) -> Namer {
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
            let names: BTreeSet<_> =
                sides.iter().flat_map(|counts| counts.keys().cloned()).collect();
            names
                .into_iter()
                .filter(|name| sides.iter().all(|counts| counts.get(name).is_none_or(|n| *n == 1)))
                .collect()
        };
        let key = |block: &Block| block.field_key().map(str::to_owned);
        let mut by_key = once(&key);
        if fields == MergeRule::Entries {
            let in_base = count(base, &key);
            by_key.retain(|name| in_base.contains_key(name));
        }
        if fields == MergeRule::Notes {
            by_key.clear();
        }
        Namer { fields: by_key, heads: once(&|block| Some(block.head().to_owned())) }
    }

    pub fn name(&self, side: Vec<Block>) -> KeyedBlocks {
        let mut named = KeyedBlocks { keys: Vec::new(), blocks: BTreeMap::new() };
        let mut seen: BTreeMap<Key, usize> = BTreeMap::new();
        for block in side {
            let mut occurrence = |key: Key| {
                let count = seen.entry(key).or_default();
                *count += 1;
                *count - 1
            };
            let under = block.under.clone();
            let field = block
                .field_key()
                .map(|key| (under.clone(), key.to_owned()))
                .filter(|name| self.fields.contains(name));
            let head = (under.clone(), block.head().to_owned());
            let key = match (block.shape, field) {
                (Shape::Heading, _) => {
                    let nth = occurrence(Key::Heading(under.clone(), 0));
                    Key::Heading(under, nth)
                }
                (_, Some((under, key))) => Key::Field(under, key),
                (Shape::Item, _) if self.heads.contains(&head) => Key::Item(head.0, head.1),
                (shape, _) => {
                    let nth = occurrence(Key::Text(under.clone(), shape, block.bare.clone(), 0));
                    Key::Text(under, shape, block.bare.clone(), nth)
                }
            };
            named.keys.push(key.clone());
            named.blocks.insert(key, block);
        }
        named
    }
}
