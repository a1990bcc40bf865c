//! What the styles of paragraphs in a DOCX mean: headings and lists.
//!
//! Invariant: styles are known by their names, which are English in every edition, and by their
//! ids only if the file does not say more.

use crate::extract::xml::{self, attribute, child};
use roxmltree::Node;
use std::collections::HashMap;

/// How many styles a style is based on, at most.
const MAX_BASES: usize = 12;

#[derive(Default)]
struct Style {
    name: String,
    base: Option<String>,
    /// From 1.
    outline: Option<usize>,
    item: Option<Item>,
}

/// The place of a paragraph in a list. What it does not say, its style may.
#[derive(Clone, Default)]
pub(super) struct Item {
    pub(super) list: Option<String>,
    pub(super) deep: Option<usize>,
}

#[derive(Default)]
pub(super) struct Styles(HashMap<String, Style>);

impl Styles {
    /// A broken part costs headings, but no text.
    pub(super) fn parse(part: &[u8]) -> Styles {
        let text = xml::text(part);
        let Ok(document) = xml::parsed(&text, "styles") else { return Styles::default() };
        let styles = document.descendants().filter(|node| node.tag_name().name() == "style");
        let style = |node: Node<'_, '_>| {
            let value = |name: &str| attribute(child(node, name)?, "val").map(str::to_owned);
            let properties = child(node, "pPr");
            let of_outline = properties.and_then(outline);
            let style = Style {
                name: plain(&value("name").unwrap_or_default()),
                base: value("basedOn"),
                outline: of_outline,
                item: properties.and_then(item),
            };
            Some((attribute(node, "styleId")?.to_owned(), style))
        };
        Styles(styles.filter_map(style).collect())
    }

    /// The level of the heading that a style makes, from 1.
    pub(super) fn heading(&self, id: &str) -> Option<usize> {
        let mut own = self.bases(id).into_iter();
        own.find_map(|style| level(&style.name).or(style.outline))
            .or_else(|| (!self.0.contains_key(id)).then(|| level(&plain(id)))?)
    }

    /// The list that a style puts its paragraphs into.
    pub(super) fn list(&self, id: &str) -> Option<Item> {
        let bases = self.bases(id);
        let is_list = bases.iter().any(|style| style.name.starts_with("list"))
            || plain(id).starts_with("list");
        let mut items = bases.into_iter().filter_map(|style| style.item.as_ref());
        let own = items.next().cloned().map(|item| Item {
            list: item.list.or_else(|| items.find_map(|base| base.list.clone())),
            ..item
        });
        own.or_else(|| is_list.then(Item::default))
    }

    /// The style and those that it is based on.
    fn bases(&self, id: &str) -> Vec<&Style> {
        let mut bases = Vec::new();
        let mut next = Some(id);
        while let Some(style) = next.and_then(|id| self.0.get(id))
            && bases.len() < MAX_BASES
        {
            bases.push(style);
            next = style.base.as_deref();
        }
        bases
    }
}

/// The level of a paragraph in the outline, from 1; 9 is body text.
fn outline(properties: Node<'_, '_>) -> Option<usize> {
    let level = attribute(child(properties, "outlineLvl")?, "val")?.parse::<usize>().ok()?;
    (level < 9).then_some(level + 1)
}

/// What the properties of a paragraph say about its list, if it is in one.
pub(super) fn item(properties: Node<'_, '_>) -> Option<Item> {
    let number = child(properties, "numPr")?;
    let value = |name: &str| attribute(child(number, name)?, "val");
    let deep = value("ilvl").and_then(|deep| deep.parse::<usize>().ok()).map(|deep| deep.min(8));
    Some(Item { list: value("numId").map(str::to_owned), deep })
}

/// `heading 2` and `Heading2` are the same.
fn plain(name: &str) -> String {
    name.to_lowercase().replace([' ', '-'], "")
}

fn level(style: &str) -> Option<usize> {
    match style.strip_prefix("heading").or_else(|| style.strip_prefix("berschrift")) {
        Some(digit) => digit.parse::<usize>().ok().filter(|level| (1..=9).contains(level)),
        None if style == "title" => Some(1),
        None => None,
    }
}
