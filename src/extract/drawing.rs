//! The text of drawings in Office files: shapes, their tables, charts and diagrams, and formulas.
//!
//! Invariant: of the forms in which a file offers the same thing, one is read. What is on every
//! slide (numbers, dates, footers) is left out; dates and footers are named.

use super::{
    Omitted, Unreadable,
    archive::Archive,
    blocks::Block,
    charts::Chart,
    formulas::of_office,
    links::linked,
    parts::Relations,
    slide_lists::{Numbers, Placeholders},
    xml::{self, DEEPEST, attribute, child, children, own_text, relation},
};
use roxmltree::Node;
use std::collections::{BTreeSet, HashMap};

/// The forms of one thing, for newer programs and for older ones.
pub(super) fn forms<'a, 'b>(alternatives: Node<'a, 'b>) -> impl Iterator<Item = Node<'a, 'b>> {
    let is_form = |node: &Node<'_, '_>| matches!(node.tag_name().name(), "Choice" | "Fallback");
    children(alternatives).filter(is_form)
}

/// Reads the shapes of one part, in their order.
pub(super) struct Shapes<'r, 'a> {
    pub(super) archive: &'r Archive<'a>,
    pub(super) relations: &'r Relations,
    pub(super) title: Option<String>,
    pub(super) blocks: Vec<Block>,
    pub(super) omitted: BTreeSet<Omitted>,
    /// The sheets of the workbook around it, whose cells are read as well.
    pub(super) sheets: Option<&'r HashMap<String, String>>,
    /// What the shapes of a slide are like.
    pub(super) placeholders: Option<&'r Placeholders>,
    /// How many charts were read.
    charts: usize,
}

impl<'r, 'a> Shapes<'r, 'a> {
    pub(super) fn new(archive: &'r Archive<'a>, relations: &'r Relations) -> Shapes<'r, 'a> {
        let (blocks, omitted) = (Vec::new(), BTreeSet::new());
        let (sheets, placeholders, charts) = (None, None, 0);
        Shapes { archive, relations, title: None, blocks, omitted, sheets, placeholders, charts }
    }

    pub(super) fn within(&mut self, node: Node<'_, '_>, deep: usize) -> Result<(), Unreadable> {
        if deep > DEEPEST {
            self.omit(Omitted::Nested);
            return Ok(());
        }
        for child in children(node) {
            match child.tag_name().name() {
                "sp" => self.shape(child),
                "tbl" => self.blocks.extend(Block::table(rows(child, self.relations))),
                "AlternateContent" => self.alternatives(child, deep)?,
                "relIds" => match diagram(self.archive, self.relations, child)? {
                    Some(lines) => self.paragraphs(&lines),
                    None => self.omit(Omitted::Diagrams),
                },
                "chart" => self.chart(child)?,
                "oleObj" => self.omit(Omitted::Objects),
                _ => self.within(child, deep + 1)?,
            }
        }
        Ok(())
    }

    fn alternatives(&mut self, node: Node<'_, '_>, deep: usize) -> Result<(), Unreadable> {
        let before = self.seen();
        for form in forms(node) {
            self.within(form, deep + 1)?;
            if self.seen() != before {
                break;
            }
        }
        Ok(())
    }

    /// How much was read or found so far.
    fn seen(&self) -> [usize; 4] {
        let has_title = usize::from(self.title.is_some());
        [self.blocks.len(), has_title, self.omitted.len(), self.charts]
    }

    fn chart(&mut self, node: Node<'_, '_>) -> Result<(), Unreadable> {
        let mut chart = Chart::of(self.archive, self.relations, node)?;
        if let Some(sheets) = self.sheets {
            chart.leave_to(sheets);
        }
        if !chart.is_whole {
            self.omit(Omitted::Charts);
        }
        self.charts += 1;
        self.blocks.extend(chart.blocks());
        Ok(())
    }

    fn shape(&mut self, shape: Node<'_, '_>) {
        let kind = placeholder(shape);
        match kind {
            Some("sldNum") => {}
            Some("ftr" | "dt" | "hdr") => {
                if !lines(shape, self.relations).is_empty() {
                    self.omit(Omitted::Headers);
                }
            }
            Some("title" | "ctrTitle") if self.title.is_none() => {
                let title = lines(shape, self.relations).join(" ");
                self.title = (!title.trim().is_empty()).then_some(title);
            }
            _ => {
                let items = items(shape, self.relations, self.placeholders);
                self.blocks.extend(items.into_iter().filter_map(|(item, text)| match item {
                    Some((deep, number)) => Block::numbered(deep, &number, &text),
                    None => Block::paragraph(&text),
                }));
            }
        }
    }

    fn omit(&mut self, what: Omitted) {
        self.omitted.insert(what);
    }

    fn paragraphs(&mut self, lines: &[String]) {
        self.blocks.extend(lines.iter().filter_map(|line| Block::paragraph(line)));
    }
}

/// The purpose of a shape in the layout of a slide; `None` if it has none.
fn placeholder<'a>(shape: Node<'a, '_>) -> Option<&'a str> {
    xml::first(shape, "ph").and_then(|placeholder| attribute(placeholder, "type"))
}

/// The paragraphs of a shape or cell.
fn lines(shape: Node<'_, '_>, relations: &Relations) -> Vec<String> {
    let paragraphs = shape.descendants().filter(|node| node.tag_name().name() == "p");
    let lines = paragraphs.map(|paragraph| line(paragraph, relations));
    lines.filter(|line| !line.trim().is_empty()).collect()
}

fn line(paragraph: Node<'_, '_>, relations: &Relations) -> String {
    let mut line = String::new();
    inline(paragraph, 0, relations, &mut line);
    line
}

/// The level and the number of a paragraph, and its text.
type Item = (Option<(usize, String)>, String);

/// The paragraphs of a shape or cell with their numbers.
fn items(
    shape: Node<'_, '_>,
    relations: &Relations,
    placeholders: Option<&Placeholders>,
) -> Vec<Item> {
    let mut numbers = Numbers::of(shape, placeholders);
    let paragraphs = shape.descendants().filter(|node| node.tag_name().name() == "p");
    let items = paragraphs.map(|paragraph| {
        let text = line(paragraph, relations);
        (numbers.next(paragraph, &text), text)
    });
    items.filter(|(_, text)| !text.trim().is_empty()).collect()
}

fn inline(node: Node<'_, '_>, deep: usize, relations: &Relations, text: &mut String) {
    if deep > DEEPEST {
        return;
    }
    for part in children(node) {
        match part.tag_name().name() {
            "oMath" => text.push_str(&of_office(part)),
            "t" => text.push_str(&own_text(part)),
            "br" => text.push('\n'),
            "pPr" | "rPr" | "endParaRPr" => {}
            "r" => {
                let mut run = String::new();
                inline(part, deep + 1, relations, &mut run);
                text.push_str(&linked(&run, address(part, relations).unwrap_or_default()));
            }
            "AlternateContent" => {
                let before = text.len();
                for form in forms(part) {
                    inline(form, deep + 1, relations, text);
                    if text.len() > before {
                        break;
                    }
                }
            }
            _ => inline(part, deep + 1, relations, text),
        }
    }
}

/// The address to which a click on a run leads.
fn address<'r>(run: Node<'_, '_>, relations: &'r Relations) -> Option<&'r str> {
    let link = child(child(run, "rPr")?, "hlinkClick")?;
    relations.address(relation(link)?)
}

fn rows(table: Node<'_, '_>, relations: &Relations) -> Vec<Vec<String>> {
    let cells = |row: Node<'_, '_>| {
        let cells = children(row).filter(|cell| cell.tag_name().name() == "tc");
        cells.map(|cell| cell_text(cell, relations)).collect()
    };
    children(table).filter(|row| row.tag_name().name() == "tr").map(cells).collect()
}

fn cell_text(cell: Node<'_, '_>, relations: &Relations) -> String {
    let text = |(item, text): Item| match item {
        Some((_, number)) => format!("{number} {text}"),
        None => text,
    };
    items(cell, relations, None).into_iter().map(text).collect::<Vec<_>>().join(" ")
}

/// The texts of a diagram (SmartArt), which are in a part of their own; `None` if it cannot be
/// read.
pub(super) fn diagram(
    archive: &Archive<'_>,
    relations: &Relations,
    node: Node<'_, '_>,
) -> Result<Option<Vec<String>>, Unreadable> {
    let part = attribute(node, "dm").and_then(|id| relations.target(id));
    let Some(bytes) = part.map(|part| archive.member(part)).transpose()?.flatten() else {
        return Ok(None);
    };
    let text = xml::text(&bytes);
    let document = xml::parsed(&text, "diagram").ok();
    // The ids in it are its own.
    let own = Relations::default();
    let points = document.as_ref().map(|document| {
        let points = document.descendants().filter(|node| node.tag_name().name() == "pt");
        points.filter_map(|point| child(point, "t")).flat_map(|text| lines(text, &own)).collect()
    });
    Ok(points)
}
