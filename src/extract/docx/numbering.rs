//! The numbers of list items in a DOCX.
//!
//! Invariant: an item has the number that Word shows; where the file does not say how a list
//! counts, it has bullets.

use crate::extract::{
    counting::{Count, Counter, LEVELS, Level},
    xml::{self, attribute, child, children},
};
use roxmltree::Node;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A list that paragraphs refer to.
struct List {
    /// The definition that it shares with others, with which it counts together.
    shared: String,
    /// Where it starts anew, by level.
    starts: BTreeMap<usize, u32>,
}

#[derive(Default)]
pub(super) struct Numbering {
    shared: HashMap<String, Vec<Level>>,
    /// The level that a definition has for the paragraphs of a style.
    of_styles: HashMap<(String, String), usize>,
    lists: HashMap<String, List>,
    /// What the lists of a definition have counted.
    counters: HashMap<String, Counter>,
    begun: BTreeSet<String>,
}

impl Numbering {
    /// A broken part costs numbers, but no text.
    pub(super) fn parse(part: &[u8]) -> Numbering {
        let text = xml::text(part);
        let Ok(document) = xml::parsed(&text, "numbering") else { return Numbering::default() };
        let mut numbering = Numbering::default();
        for node in children(document.root_element()) {
            match node.tag_name().name() {
                "abstractNum" => {
                    let id = attribute(node, "abstractNumId").unwrap_or_default().to_owned();
                    let of_styles = children(node).filter_map(|level| {
                        Some(((id.clone(), value(level, "pStyle")?.to_owned()), at(level)?))
                    });
                    numbering.of_styles.extend(of_styles);
                    numbering.shared.insert(id, levels(node));
                }
                "num" => {
                    let id = attribute(node, "numId").unwrap_or_default().to_owned();
                    numbering.lists.extend(list(node).map(|list| (id, list)));
                }
                _ => {}
            }
        }
        numbering
    }

    /// The level that a list has for the paragraphs of a style.
    pub(super) fn level(&self, list: &str, style: &str) -> Option<usize> {
        let shared = self.lists.get(list)?.shared.clone();
        self.of_styles.get(&(shared, style.to_owned())).copied()
    }

    /// The number of the next item of a list; `None` if it has a bullet.
    pub(super) fn next(&mut self, list: &str, deep: usize) -> Option<String> {
        let List { shared, starts } = self.lists.get(list)?;
        let levels = self.shared.get(shared)?;
        let counter = self.counters.entry(shared.clone()).or_default();
        if self.begun.insert(list.to_owned()) {
            for (level, start) in starts {
                counter.start_at(*level, *start);
            }
        }
        counter.next(levels, deep)
    }
}

fn value<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    attribute(child(node, name)?, "val")
}

fn at(node: Node<'_, '_>) -> Option<usize> {
    let level = attribute(node, "ilvl")?.parse::<usize>().ok()?;
    (level < LEVELS).then_some(level)
}

fn levels(definition: Node<'_, '_>) -> Vec<Level> {
    let mut levels = vec![Level::default(); LEVELS];
    for node in children(definition).filter(|node| node.tag_name().name() == "lvl") {
        let Some(at) = at(node) else { continue };
        let count = match value(node, "numFmt").unwrap_or("decimal") {
            "bullet" | "none" => None,
            "lowerLetter" => Some(Count::Letters),
            "upperLetter" => Some(Count::Capitals),
            "lowerRoman" => Some(Count::Roman),
            "upperRoman" => Some(Count::RomanCapitals),
            _ => Some(Count::Digits),
        };
        let start = value(node, "start").and_then(|start| start.parse().ok()).unwrap_or(1);
        let pattern = value(node, "lvlText").unwrap_or_default().to_owned();
        levels[at] = Level { start, count, pattern };
    }
    levels
}

fn list(node: Node<'_, '_>) -> Option<List> {
    let shared = value(node, "abstractNumId")?.to_owned();
    let overrides = children(node).filter(|node| node.tag_name().name() == "lvlOverride");
    let start =
        |node: Node<'_, '_>| Some((at(node)?, value(node, "startOverride")?.parse::<u32>().ok()?));
    Some(List { shared, starts: overrides.filter_map(start).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_have_the_numbers_of_word() {
        let level = |at: u32, format: &str, pattern: &str| {
            format!(
                "<lvl ilvl=\"{at}\"><start val=\"1\"/><numFmt val=\"{format}\"/>\
                 <lvlText val=\"{pattern}\"/></lvl>"
            )
        };
        let xml = format!(
            "<numbering><abstractNum abstractNumId=\"7\">{}{}{}</abstractNum>\
             <num numId=\"1\"><abstractNumId val=\"7\"/></num>\
             <num numId=\"2\"><abstractNumId val=\"7\"/><lvlOverride ilvl=\"0\">\
             <startOverride val=\"5\"/></lvlOverride></num></numbering>",
            level(0, "decimal", "%1."),
            level(1, "lowerLetter", "%1.%2)"),
            level(2, "bullet", "o"),
        );
        let mut numbering = Numbering::parse(xml.as_bytes());
        let mut next = |list: &str, deep| numbering.next(list, deep).unwrap_or_default();
        let steps = [
            ("1", 0, "1."),
            ("1", 0, "2."),
            ("1", 1, "2.a)"),
            ("1", 1, "2.b)"),
            ("1", 2, ""),
            ("1", 0, "3."),
            ("1", 1, "3.a)"),
            ("2", 0, "5."),
            ("2", 0, "6."),
            ("9", 0, ""),
        ];
        for (list, deep, written) in steps {
            assert_eq!(next(list, deep), written, "{list} {deep}");
        }
    }
}
