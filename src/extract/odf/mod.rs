//! OpenDocument texts and presentations as markdown.
//!
//! Invariant: text deleted by tracked changes is left out, and so are headers and footers; what
//! is left out besides is named.

mod inline;
mod lists;
mod objects;
mod reader;
mod slides;
mod tables;

use super::{
    Extracted, FileFormat, Omitted, Unreadable,
    archive::Archive,
    blocks::{Block, joined},
    xml::{self, DEEPEST, attribute, children},
};
use inline::{SHAPES, line};
use lists::{Place, Sign};
pub(super) use objects::{OnSheet, OpenSheet, Spreadsheet, spreadsheet};
use reader::Reader;
use roxmltree::Node;

pub(super) fn read(archive: &Archive<'_>, format: FileFormat) -> Result<Extracted, Unreadable> {
    let broken = |why: String| Unreadable::Broken("OpenDocument", why);
    refuse_encrypted(archive)?;
    let bytes = archive.member("content.xml")?;
    let bytes = bytes.ok_or_else(|| broken("content.xml is missing".to_owned()))?;
    let text = xml::text(&bytes);
    let document =
        xml::parsed(&text, "OpenDocument").map_err(|error| error.within("content.xml"))?;
    let mut blocks = Vec::new();
    let mut reader = Reader::new(archive);
    reader.lists.add(document.root_element());
    let styles = xml::text(&archive.member("styles.xml")?.unwrap_or_default());
    let styles = xml::parsed(&styles, "styles").ok();
    let styles = styles.as_ref().map(|styles| styles.root_element());
    if let Some(styles) = styles {
        reader.lists.add(styles);
    }
    if let Some(body) = xml::first(document.root_element(), "body") {
        reader.within(body, Place::default(), &mut blocks)?;
        reader.omitted.extend(body.descendants().filter_map(left_out));
    }
    let mut omitted = reader.omitted;
    omitted.extend(styles.is_some_and(has_headers).then_some(Omitted::Headers));
    let title = archive.title("meta.xml")?;
    Ok(Extracted { title, omitted, ..Extracted::new(format, joined(&blocks)) })
}

pub(super) fn refuse_encrypted(archive: &Archive<'_>) -> Result<(), Unreadable> {
    let manifest = archive.member("META-INF/manifest.xml")?.unwrap_or_default();
    match memchr::memmem::find(&manifest, b"encryption-data") {
        Some(_) => Err(Unreadable::Encrypted),
        None => Ok(()),
    }
}

/// What an element is that is not read.
fn left_out(node: Node<'_, '_>) -> Option<Omitted> {
    match node.tag_name().name() {
        "annotation" => Some(Omitted::Comments),
        "object-ole" => Some(Omitted::Objects),
        "p" if node.ancestors().nth(DEEPEST).is_some() => Some(Omitted::Nested),
        _ => None,
    }
}

/// Whether the pages of a text have headers or footers with words in them.
fn has_headers(styles: Node<'_, '_>) -> bool {
    let is_header = |node: &Node<'_, '_>| {
        let name = node.tag_name().name();
        ["header", "footer"].iter().any(|kind| name.starts_with(kind))
    };
    let letters = |node: Node<'_, '_>| line(node).chars().any(char::is_alphabetic);
    let mut headers = styles.descendants().filter(is_header);
    headers.any(|header| {
        let mut lines = header.descendants().filter(|node| node.tag_name().name() == "p");
        lines.any(letters)
    })
}

impl Reader<'_, '_> {
    fn within(
        &mut self,
        node: Node<'_, '_>,
        place: Place,
        blocks: &mut Vec<Block>,
    ) -> Result<(), Unreadable> {
        if place.deep > DEEPEST {
            return Ok(());
        }
        let inner = place.deeper();
        for child in children(node) {
            match child.tag_name().name() {
                "tracked-changes" | "annotation" | "forms" | "settings" => {}
                "notes" => {
                    let mut notes = Vec::new();
                    self.within(child, inner, &mut notes)?;
                    let lines: Vec<String> = notes.into_iter().map(|block| block.text).collect();
                    let text = format!("Notes: {}", lines.join("\n"));
                    blocks.extend((!lines.is_empty()).then(|| Block::paragraph(&text)).flatten());
                }
                "h" => {
                    blocks.extend(self.heading(child, place));
                    self.beside(child, inner, blocks)?;
                }
                "p" => {
                    blocks.extend(self.paragraph(&line(child), place));
                    self.beside(child, inner, blocks)?;
                }
                "table" => self.table(child, inner, blocks)?,
                "object" => self.object(child, place, blocks)?,
                "page" => self.slide(child, inner, blocks)?,
                // It stands above the slide.
                "frame" | "custom-shape" if self.title == Some(child.id()) => {}
                "list" => {
                    let inner = self.lists.begin(child, inner);
                    self.within(child, inner, blocks)?;
                }
                "list-item" => {
                    self.lists.begin_item(child, place);
                    self.within(child, inner, blocks)?;
                    self.lists.end_item(child, place);
                }
                name if name == "frame" || SHAPES.contains(&name) => {
                    let inner = self.lists.in_shape(child, inner);
                    self.within(child, inner, blocks)?;
                }
                _ => self.within(child, inner, blocks)?,
            }
        }
        Ok(())
    }

    /// A heading; within a cell, it is a paragraph.
    fn heading(&mut self, node: Node<'_, '_>, place: Place) -> Option<Block> {
        let text = self.lists.heading(node, &line(node), place);
        if place.cells > 0 {
            return Block::paragraph(&text);
        }
        let level = attribute(node, "outline-level").and_then(|level| level.parse().ok());
        Block::heading(level.unwrap_or(1), &text)
    }

    /// A paragraph, which may be an item of a list, or go on with one.
    fn paragraph(&mut self, text: &str, place: Place) -> Option<Block> {
        if text.trim().is_empty() || place.lists == 0 {
            return Block::paragraph(text);
        }
        let deep = place.lists - 1;
        match self.lists.sign(place) {
            Sign::Number(number) if place.cells > 0 => {
                Block::paragraph(&format!("{number} {text}"))
            }
            Sign::Bullet | Sign::Nothing if place.cells > 0 => Block::paragraph(text),
            Sign::Number(number) => Block::numbered(deep, &number, text),
            Sign::Bullet => Block::item(deep, text),
            Sign::Nothing => Block::continued(deep, text),
        }
    }

    /// Shapes drawn next to a paragraph's text are inside it; each is read with its own contents.
    fn beside(
        &mut self,
        paragraph: Node<'_, '_>,
        place: Place,
        blocks: &mut Vec<Block>,
    ) -> Result<(), Unreadable> {
        if place.deep > DEEPEST {
            return Ok(());
        }
        let inner = place.deeper();
        for child in children(paragraph) {
            match child.tag_name().name() {
                // A note is read with its paragraph.
                "note" | "annotation" => {}
                "table" => self.table(child, inner, blocks)?,
                "object" => self.object(child, place, blocks)?,
                "frame" => {
                    let inner = self.lists.in_shape(child, inner);
                    self.beside(child, inner, blocks)?;
                }
                name if SHAPES.contains(&name) => {
                    let inner = self.lists.in_shape(child, inner);
                    self.within(child, inner, blocks)?;
                }
                _ => self.beside(child, inner, blocks)?,
            }
        }
        Ok(())
    }

    fn object(
        &mut self,
        node: Node<'_, '_>,
        place: Place,
        blocks: &mut Vec<Block>,
    ) -> Result<(), Unreadable> {
        for chart in self.embedded(node)? {
            blocks.extend(if place.cells > 0 { chart.paragraphs() } else { chart.blocks() });
        }
        Ok(())
    }
}
