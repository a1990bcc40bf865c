//! How the paragraphs of a slide are numbered.
//!
//! Invariant: a paragraph has the number that PowerPoint shows: it counts on from the one before it
//! on its level, as long as that is numbered in the same way.

use super::{
    Unreadable,
    archive::{Archive, unless_broken},
    counting::Count,
    counting::LEVELS,
    parts::Relations,
    xml::{self, attribute, child, children},
};
use roxmltree::Node;

/// How some paragraphs are numbered.
#[derive(Clone, PartialEq)]
struct Scheme {
    /// `arabicPeriod`, `alphaLcParenR`, …
    kind: String,
    start: u32,
}

impl Scheme {
    fn written(&self, number: u32) -> String {
        let count = match () {
            () if self.kind.starts_with("alphaLc") => Count::Letters,
            () if self.kind.starts_with("alphaUc") => Count::Capitals,
            () if self.kind.starts_with("romanLc") => Count::Roman,
            () if self.kind.starts_with("romanUc") => Count::RomanCapitals,
            () => Count::Digits,
        };
        let (before, after) = match () {
            () if self.kind.ends_with("ParenBoth") => ("(", ")"),
            () if self.kind.ends_with("ParenR") => ("", ")"),
            () if self.kind.ends_with("Period") => ("", "."),
            () if self.kind.ends_with("Minus") => ("", "-"),
            () => ("", ""),
        };
        format!("{before}{}{after}", count.written(number))
    }
}

/// What is said about a paragraph: that it has no number, or how it is numbered.
type Says = Option<Scheme>;

/// `None` if nothing is said.
fn says(properties: Node<'_, '_>) -> Option<Says> {
    children(properties).find_map(|node| match node.tag_name().name() {
        "buNone" | "buChar" | "buBlip" => Some(None),
        "buAutoNum" => {
            let kind = attribute(node, "type").unwrap_or("arabicPeriod").to_owned();
            let start = attribute(node, "startAt").and_then(|start| start.parse().ok());
            Some(Some(Scheme { kind, start: start.unwrap_or(1) }))
        }
        _ => None,
    })
}

/// What a style of lists says about each level.
#[derive(Clone, Default)]
struct Style([Option<Says>; LEVELS]);

impl Style {
    fn of(node: Option<Node<'_, '_>>) -> Style {
        let mut style = Style::default();
        for (at, level) in style.0.iter_mut().enumerate() {
            let properties = node.and_then(|node| child(node, &format!("lvl{}pPr", at + 1)));
            *level = properties.and_then(says);
        }
        style
    }
}

/// A shape of a layout or master that shapes of slides are like.
struct Placeholder {
    id: Option<String>,
    kind: String,
    style: Style,
}

/// What the shapes of a slide are like.
#[derive(Default)]
pub(super) struct Placeholders {
    layout: Vec<Placeholder>,
    master: Vec<Placeholder>,
}

impl Placeholders {
    /// Those of a layout and its master; none without a layout. A broken part costs numbers, but no
    /// text.
    pub(super) fn of(archive: &Archive<'_>, layout: &str) -> Result<Placeholders, Unreadable> {
        if layout.is_empty() {
            return Ok(Placeholders::default());
        }
        unless_broken(of_parts(archive, layout))
    }

    /// The styles that a shape of a slide has from elsewhere, the nearest first.
    fn styles(&self, shape: Node<'_, '_>) -> Vec<&Style> {
        let Some(own) = xml::first(shape, "ph") else { return Vec::new() };
        let (id, kind) = (attribute(own, "idx"), kind(own));
        let is_like = |other: &&Placeholder| match id {
            Some(id) => other.id.as_deref() == Some(id),
            None => other.kind == kind,
        };
        let layout = self.layout.iter().filter(is_like);
        let master = self.master.iter().filter(|other| other.kind == kind);
        layout.chain(master).map(|placeholder| &placeholder.style).collect()
    }
}

fn of_parts(archive: &Archive<'_>, layout: &str) -> Result<Placeholders, Unreadable> {
    let relations = Relations::read(archive, layout)?;
    let mut placeholders =
        Placeholders { layout: in_part(archive, layout)?, ..Placeholders::default() };
    for master in relations.of_kind("slideMaster") {
        placeholders.master.extend(in_part(archive, master)?);
    }
    Ok(placeholders)
}

/// The placeholders of a layout or master, and then what a master says about all of a kind.
fn in_part(archive: &Archive<'_>, part: &str) -> Result<Vec<Placeholder>, Unreadable> {
    let Some(bytes) = archive.member(part)? else { return Ok(Vec::new()) };
    let text = xml::text(&bytes);
    let document = xml::parsed(&text, "PPTX")?;
    let root = document.root_element();
    let shapes = root.descendants().filter(|node| node.tag_name().name() == "sp");
    let placeholder = |shape: Node<'_, '_>| {
        let own = xml::first(shape, "ph")?;
        let id = attribute(own, "idx").map(str::to_owned);
        let style = Style::of(xml::first(shape, "lstStyle"));
        Some(Placeholder { id, kind: kind(own).to_owned(), style })
    };
    let mut all: Vec<Placeholder> = shapes.filter_map(placeholder).collect();
    if let Some(body) = xml::first(root, "bodyStyle") {
        let (kind, style) = ("body".to_owned(), Style::of(Some(body)));
        all.push(Placeholder { id: None, kind, style });
    }
    Ok(all)
}

/// Without a kind, a placeholder is for any content, like the text of a slide.
fn kind<'a>(placeholder: Node<'a, '_>) -> &'a str {
    match attribute(placeholder, "type") {
        None | Some("obj" | "body" | "subTitle") => "body",
        Some(kind) => kind,
    }
}

/// Counts the paragraphs of a shape or cell.
pub(super) struct Numbers<'p> {
    own: Style,
    inherited: Vec<&'p Style>,
    /// How each level is numbered, and its last number.
    last: [Option<(Scheme, u32)>; LEVELS],
}

impl<'p> Numbers<'p> {
    pub(super) fn of(shape: Node<'_, '_>, placeholders: Option<&'p Placeholders>) -> Numbers<'p> {
        let own = Style::of(xml::first(shape, "lstStyle"));
        let inherited = placeholders.map(|all| all.styles(shape)).unwrap_or_default();
        Numbers { own, inherited, last: Default::default() }
    }

    /// The level of the next paragraph and its number, if it has one. One without words is not
    /// counted.
    pub(super) fn next(&mut self, paragraph: Node<'_, '_>, text: &str) -> Option<(usize, String)> {
        let properties = child(paragraph, "pPr");
        let level =
            properties.and_then(|properties| attribute(properties, "lvl")?.parse::<usize>().ok());
        let level = level.unwrap_or(0).min(LEVELS - 1);
        let of_style = |style: &Style| style.0[level].clone();
        let own = properties.and_then(says).or_else(|| of_style(&self.own));
        let scheme = own.or_else(|| self.inherited.iter().find_map(|style| of_style(style)));
        let scheme = scheme.flatten();
        if scheme.is_some() && text.trim().is_empty() {
            return None;
        }
        self.last[level + 1..].fill(None);
        let last = self.last[level].take();
        let scheme = scheme?;
        let number = match last {
            Some((of, number)) if of == scheme => number.saturating_add(1),
            _ => scheme.start,
        };
        let written = scheme.written(number);
        self.last[level] = Some((scheme, number));
        Some((level, written))
    }
}
