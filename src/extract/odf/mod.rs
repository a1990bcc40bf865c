//! OpenDocument texts and presentations as markdown.
//!
//! Invariant: text deleted by tracked changes is left out, and so are headers and footers; what
//! is left out besides is named.

mod inline;
mod objects;
mod tables;

use super::{
    Extracted, FileFormat, Omitted, Unreadable,
    blocks::{Block, joined},
    drawing::DEEPEST,
    xml::{self, attribute, children},
    zipped::Archive,
};
use inline::{SHAPES, line};
pub(super) use objects::{OnSheet, on_sheets};
use roxmltree::Node;
use std::collections::BTreeSet;

pub(super) fn read(archive: &Archive<'_>, format: FileFormat) -> Result<Extracted, Unreadable> {
    let broken = |why: String| Unreadable::Broken("OpenDocument", why);
    refuse_encrypted(archive)?;
    let bytes = archive.member("content.xml")?;
    let bytes = bytes.ok_or_else(|| broken("content.xml is missing".to_owned()))?;
    let text = xml::text(&bytes);
    let document = xml::parsed(&text, "OpenDocument")?;
    let mut blocks = Vec::new();
    let mut reader = Reader { archive, omitted: BTreeSet::new() };
    if let Some(body) = xml::first(document.root_element(), "body") {
        reader.within(body, (0, 0), &mut blocks)?;
        reader.omitted.extend(body.descendants().filter_map(left_out));
    }
    let mut omitted = reader.omitted;
    omitted.extend(has_headers(archive)?.then_some(Omitted::Headers));
    let title = archive.title("meta.xml")?;
    Ok(Extracted { title, omitted, ..Extracted::new(format, joined(&blocks)) })
}

struct Reader<'r, 'a> {
    archive: &'r Archive<'a>,
    omitted: BTreeSet<Omitted>,
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
fn has_headers(archive: &Archive<'_>) -> Result<bool, Unreadable> {
    let Some(bytes) = archive.member("styles.xml")? else { return Ok(false) };
    let text = xml::text(&bytes);
    let Ok(document) = xml::parsed(&text, "styles") else { return Ok(false) };
    let is_header = |node: &Node<'_, '_>| {
        let name = node.tag_name().name();
        ["header", "footer"].iter().any(|kind| name.starts_with(kind))
    };
    let letters = |node: Node<'_, '_>| line(node).chars().any(char::is_alphabetic);
    let mut headers = document.descendants().filter(is_header);
    Ok(headers.any(|header| {
        let mut lines = header.descendants().filter(|node| node.tag_name().name() == "p");
        lines.any(letters)
    }))
}

impl Reader<'_, '_> {
    /// `lists` is the number of enclosing lists.
    fn within(
        &mut self,
        node: Node<'_, '_>,
        (deep, lists): (usize, usize),
        blocks: &mut Vec<Block>,
    ) -> Result<(), Unreadable> {
        if deep > DEEPEST {
            return Ok(());
        }
        for child in children(node) {
            match child.tag_name().name() {
                "tracked-changes" | "annotation" | "forms" | "settings" => {}
                "notes" => {
                    let mut notes = Vec::new();
                    self.within(child, (deep + 1, lists), &mut notes)?;
                    let lines: Vec<String> = notes.into_iter().map(|block| block.text).collect();
                    let text = format!("Notes: {}", lines.join("\n"));
                    blocks.extend((!lines.is_empty()).then(|| Block::paragraph(&text)).flatten());
                }
                "h" => {
                    let level =
                        attribute(child, "outline-level").and_then(|level| level.parse().ok());
                    blocks.extend(Block::heading(level.unwrap_or(1), &line(child)));
                    self.beside(child, (deep + 1, lists), blocks)?;
                }
                "p" => {
                    let text = line(child);
                    blocks.extend(match lists {
                        0 => Block::paragraph(&text),
                        lists => Block::item(lists - 1, &text),
                    });
                    self.beside(child, (deep + 1, lists), blocks)?;
                }
                "table" => blocks.extend(Block::table(self.rows(child)?)),
                "object" => self.object(child, blocks)?,
                "page" => {
                    let name = attribute(child, "name").unwrap_or("Page");
                    blocks.extend(Block::heading(2, name));
                    self.within(child, (deep + 1, lists), blocks)?;
                }
                "list" => self.within(child, (deep + 1, lists + 1), blocks)?,
                _ => self.within(child, (deep + 1, lists), blocks)?,
            }
        }
        Ok(())
    }

    /// Shapes drawn next to a paragraph's text are inside it; each is read with its own contents.
    fn beside(
        &mut self,
        paragraph: Node<'_, '_>,
        (deep, lists): (usize, usize),
        blocks: &mut Vec<Block>,
    ) -> Result<(), Unreadable> {
        if deep > DEEPEST {
            return Ok(());
        }
        for child in children(paragraph) {
            match child.tag_name().name() {
                // A note is read with its paragraph.
                "note" | "annotation" => {}
                "table" => blocks.extend(Block::table(self.rows(child)?)),
                "object" => self.object(child, blocks)?,
                name if SHAPES.contains(&name) => self.within(child, (deep + 1, lists), blocks)?,
                _ => self.beside(child, (deep + 1, lists), blocks)?,
            }
        }
        Ok(())
    }

    fn object(&mut self, node: Node<'_, '_>, blocks: &mut Vec<Block>) -> Result<(), Unreadable> {
        for chart in self.embedded(node)? {
            blocks.extend(chart.blocks());
        }
        Ok(())
    }
}
