//! The lists of an OpenDocument file, and how they count.
//!
//! Invariant: an item has the number that its program shows. A number belongs to the first
//! paragraph of its item; a level starts anew after an item of a level above.

use crate::extract::{
    counting::{Count, Counter, LEVELS, Level, headed},
    xml::{attribute, child, children},
};
use roxmltree::Node;
use std::collections::HashMap;

/// How many styles a style is based on, at most.
const MAX_BASES: usize = 12;

/// Where an element is.
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    /// How many elements are around it.
    pub(super) deep: usize,
    /// How many cells are around it.
    pub(super) cells: usize,
    /// How many lists are around it.
    pub(super) lists: usize,
    /// The style of the list around it.
    style: Option<usize>,
    counter: Option<usize>,
    /// The style of lists that the shape around it has.
    shape: Option<usize>,
}

impl Place {
    pub(super) fn deeper(self) -> Place {
        Place { deep: self.deep + 1, ..self }
    }

    /// Within a cell, where no list from outside goes on.
    pub(super) fn in_cell(self) -> Place {
        Place { deep: self.deep + 1, cells: self.cells + 1, ..Place::default() }
    }
}

/// What stands before a paragraph of a list.
pub(super) enum Sign {
    Number(String),
    Bullet,
    /// Its item has one already.
    Nothing,
}

/// What the style of a paragraph or shape says about lists.
struct Style {
    list: Option<String>,
    base: Option<String>,
}

#[derive(Default)]
pub(super) struct Lists {
    /// The levels of each style of lists.
    levels: Vec<Vec<Level>>,
    names: HashMap<String, usize>,
    /// By family and name.
    styles: HashMap<(String, String), Style>,
    counters: Vec<Counter>,
    /// The levels of headings that are in no list, and what they have counted.
    outline: Vec<Level>,
    headings: Counter,
    /// The counters of lists that others may continue.
    ids: HashMap<String, usize>,
    /// The style of the last list, and its counter.
    last: Option<(usize, usize)>,
    /// Whether the item that is read has no paragraph yet.
    is_fresh: bool,
}

impl Lists {
    /// Adds the styles of a part. Those of the text come before those that all texts share.
    pub(super) fn add(&mut self, root: Node<'_, '_>) {
        for node in root.descendants() {
            match node.tag_name().name() {
                "list-style" => {
                    let name = attribute(node, "name").unwrap_or_default();
                    let at = self.levels.len();
                    if *self.names.entry(name.to_owned()).or_insert(at) == at {
                        self.levels.push(levels(node, "list-level-style-number"));
                    }
                }
                "outline-style" => self.outline = levels(node, "outline-level-style"),
                "style" => {
                    let said = |name: &str| attribute(node, name).map(str::to_owned);
                    // The styles of slides contain the style of their lists.
                    let own = children(node).find_map(|of| child(of, "list-style"));
                    let own = own.and_then(|list| attribute(list, "name")).map(str::to_owned);
                    let key =
                        (said("family").unwrap_or_default(), said("name").unwrap_or_default());
                    let style = Style {
                        list: said("list-style-name").or(own),
                        base: said("parent-style-name"),
                    };
                    self.styles.entry(key).or_insert(style);
                }
                _ => {}
            }
        }
    }

    /// The style of lists that a style names, or one that it is based on.
    fn of_style(&self, family: &str, name: &str) -> Option<usize> {
        let mut name = name;
        for _ in 0..MAX_BASES {
            let style = self.styles.get(&(family.to_owned(), name.to_owned()))?;
            if let Some(list) = &style.list {
                return self.names.get(list).copied();
            }
            name = style.base.as_deref()?;
        }
        None
    }

    /// Within a shape, where no list from outside goes on.
    pub(super) fn in_shape(&self, shape: Node<'_, '_>, place: Place) -> Place {
        let style = attribute(shape, "style-name").and_then(|name| {
            let families = ["presentation", "graphic"];
            families.into_iter().find_map(|family| self.of_style(family, name))
        });
        Place { lists: 0, style: None, counter: None, shape: style.or(place.shape), ..place }
    }

    /// Begins a list, or goes on with one.
    pub(super) fn begin(&mut self, list: Node<'_, '_>, place: Place) -> Place {
        let named = attribute(list, "style-name").and_then(|name| self.names.get(name).copied());
        let paragraph = list.descendants().find(|node| node.tag_name().name() == "p");
        let of_paragraph = paragraph.and_then(|paragraph| attribute(paragraph, "style-name"));
        let of_paragraph = of_paragraph.and_then(|name| self.of_style("paragraph", name));
        let style = named.or(place.style).or(of_paragraph).or(place.shape);
        let goes_on = attribute(list, "continue-numbering") == Some("true");
        let earlier = attribute(list, "continue-list").and_then(|id| self.ids.get(id).copied());
        let last = self.last.filter(|(of, _)| goes_on && Some(*of) == style);
        let counter = match place.counter.or(earlier).or(last.map(|(_, counter)| counter)) {
            Some(counter) => counter,
            None => {
                self.counters.push(Counter::default());
                self.counters.len() - 1
            }
        };
        if goes_on {
            self.counters[counter].go_on(place.lists);
        }
        self.ids.extend(attribute(list, "id").map(|id| (id.to_owned(), counter)));
        self.last = style.map(|style| (style, counter)).or(self.last);
        Place { lists: place.lists + 1, style, counter: Some(counter), ..place }
    }

    /// Begins an item, which may have a number of its own.
    pub(super) fn begin_item(&mut self, item: Node<'_, '_>, place: Place) {
        self.is_fresh = true;
        let number = attribute(item, "start-value").and_then(|number| number.parse().ok());
        if let (Some(number), Some(counter)) = (number, place.counter) {
            self.counters[counter].start_at(place.lists.saturating_sub(1), number);
        }
    }

    /// Ends an item. One without words counts as well.
    pub(super) fn end_item(&mut self, item: Node<'_, '_>, place: Place) {
        if child(item, "p").is_some() {
            self.sign(place);
        }
        self.is_fresh = false;
    }

    /// A heading with the number that stands before it: that of its item, or of the outline.
    pub(super) fn heading(&mut self, node: Node<'_, '_>, text: &str, place: Place) -> String {
        if attribute(node, "is-list-header") == Some("true") {
            return text.to_owned();
        }
        if place.lists > 0 {
            let sign = self.sign(place);
            return headed(if let Sign::Number(number) = sign { Some(number) } else { None }, text);
        }
        let level = number(node, "outline-level").unwrap_or(1).saturating_sub(1);
        if attribute(node, "restart-numbering") == Some("true") {
            let start = number(node, "start-value").and_then(|start| u32::try_from(start).ok());
            self.headings.start_at(level, start.unwrap_or(1));
        }
        headed(self.headings.next(&self.outline, level), text)
    }

    /// What stands before the next paragraph that has words.
    pub(super) fn sign(&mut self, place: Place) -> Sign {
        if !std::mem::take(&mut self.is_fresh) {
            return Sign::Nothing;
        }
        let levels = place.style.and_then(|style| self.levels.get(style));
        let counter = place.counter.and_then(|counter| self.counters.get_mut(counter));
        let (Some(levels), Some(counter)) = (levels, counter) else { return Sign::Bullet };
        let number = counter.next(levels, place.lists.saturating_sub(1));
        number.map_or(Sign::Bullet, Sign::Number)
    }
}

/// The levels of a style, by the name of the elements that say how they are numbered.
fn levels(style: Node<'_, '_>, name: &str) -> Vec<Level> {
    let numbered: Vec<(usize, Node<'_, '_>)> = children(style)
        .filter(|node| node.tag_name().name() == name)
        .filter_map(|node| Some((number(node, "level")?.checked_sub(1)?, node)))
        .filter(|(at, _)| *at < LEVELS)
        .collect();
    let mut levels = vec![Level { start: 1, ..Level::default() }; LEVELS];
    for (at, node) in &numbered {
        levels[*at].count = count(attribute(*node, "num-format").unwrap_or_default());
        let start = number(*node, "start-value").and_then(|start| u32::try_from(start).ok());
        levels[*at].start = start.unwrap_or(1);
    }
    for (at, node) in numbered {
        // The numbers of levels above stand before its own.
        let shown = number(node, "display-levels").unwrap_or(1).max(1);
        let numbers: Vec<String> = ((at + 1).saturating_sub(shown)..=at)
            .filter(|level| levels[*level].count.is_some())
            .map(|level| format!("%{}", level + 1))
            .collect();
        let around = |name: &str| attribute(node, name).unwrap_or_default();
        let (prefix, suffix) = (around("num-prefix"), around("num-suffix"));
        levels[at].pattern = format!("{prefix}{}{suffix}", numbers.join("."));
    }
    levels
}

fn number(node: Node<'_, '_>, name: &str) -> Option<usize> {
    attribute(node, name)?.parse().ok()
}

fn count(format: &str) -> Option<Count> {
    match format {
        "" => None,
        "a" => Some(Count::Letters),
        "A" => Some(Count::Capitals),
        "i" => Some(Count::Roman),
        "I" => Some(Count::RomanCapitals),
        _ => Some(Count::Digits),
    }
}
