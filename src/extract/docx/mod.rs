//! DOCX as markdown: headings, paragraphs, lists, tables, text boxes, footnotes and endnotes.
//!
//! Invariant: text deleted by tracked changes is left out, text inserted by them is included;
//! nothing that the file has in two forms is read twice; what is left out is named.

mod fields;
mod inline;
mod notes;
mod notes_referred;
mod numbering;
mod open_fields;
mod reader;
mod styles;
mod symbols;
mod tables;

use super::{
    Extracted, FileFormat, Omitted, Unreadable,
    archive::Archive,
    blocks::{Block, joined},
    counting::headed,
    drawing::forms,
    html,
    parts::Relations,
    plain,
    xml::{self, DEEPEST, attribute, child, children},
};
use inline::Line;
use notes_referred::Notes;
use numbering::Numbering;
use open_fields::Fields;
use reader::Reader;
use roxmltree::Node;
use std::collections::BTreeSet;
use styles::Styles;

/// The usual place of the text.
pub(super) const MAIN: &str = "word/document.xml";

/// The text of a file whose main part is `main`.
pub(super) fn read(archive: &Archive<'_>, main: &str) -> Result<Extracted, Unreadable> {
    let relations = Relations::read(archive, main)?;
    let mut reader = Reader {
        archive,
        folder: main.rsplit_once('/').map_or("", |(folder, _)| folder),
        relations,
        styles: Styles::default(),
        numbering: Numbering::default(),
        fields: Fields::default(),
        notes: Notes::default(),
        initial: String::new(),
        cells: 0,
        omitted: BTreeSet::new(),
        missing: Vec::new(),
    };
    if let Some(styles) = reader.beside("styles")?.first() {
        reader.styles = Styles::parse(styles);
    }
    if let Some(numbering) = reader.beside("numbering")?.first() {
        reader.numbering = Numbering::parse(numbering);
    }
    let Some(bytes) = archive.member(main)? else {
        return Err(Unreadable::Broken("DOCX", format!("{main} is missing")));
    };
    let mut blocks = reader.part(&bytes).map_err(|error| error.within(main))?;
    blocks.extend(reader.noted()?);
    reader.leave_out()?;
    let title = archive.title("docProps/core.xml")?;
    let (missing, omitted) = (reader.missing, reader.omitted);
    let text = joined(&blocks);
    Ok(Extracted { title, missing, omitted, ..Extracted::new(FileFormat::Docx, text) })
}

/// What paragraphs are in: a drop cap does not belong to a paragraph outside of it.
const ENCLOSING: [&str; 6] = ["body", "tc", "txbxContent", "txBody", "footnote", "endnote"];

/// Whether a paragraph is the large first letter of the one after it.
fn is_drop_cap(properties: Node<'_, '_>) -> bool {
    let drop = child(properties, "framePr").and_then(|frame| attribute(frame, "dropCap"));
    matches!(drop, Some("drop" | "margin"))
}

impl Reader<'_, '_> {
    /// The parts of a kind; if none is declared, the one with the usual name.
    fn beside(&self, kind: &str) -> Result<Vec<Vec<u8>>, Unreadable> {
        let usual = format!("{}/{kind}.xml", self.folder);
        let mut named = self.relations.of_kind(kind);
        if named.is_empty() {
            named.push(&usual);
        }
        let parts: Result<Vec<Option<Vec<u8>>>, Unreadable> =
            named.into_iter().map(|name| self.archive.member(name)).collect();
        Ok(parts?.into_iter().flatten().collect())
    }

    /// The text of the main part.
    fn part(&mut self, bytes: &[u8]) -> Result<Vec<Block>, Unreadable> {
        let text = xml::text(bytes);
        let document = xml::parsed(&text, "DOCX")?;
        self.notes.find_references(document.root_element());
        self.fields = Fields::find(document.root_element());
        let mut blocks = Vec::new();
        self.blocks(document.root_element(), 0, &mut blocks)?;
        Ok(blocks)
    }

    /// Names what is not read: comments, and the words in headers and footers.
    fn leave_out(&mut self) -> Result<(), Unreadable> {
        let kinds = [
            ("comments", Omitted::Comments),
            ("header", Omitted::Headers),
            ("footer", Omitted::Headers),
        ];
        for (kind, what) in kinds {
            let has_letters = |part: &Vec<u8>| {
                let text = xml::text(part);
                let document = xml::parsed(&text, kind);
                document.is_ok_and(|document| xml::has_letters(document.root_element(), "t"))
            };
            if self.beside(kind)?.iter().any(has_letters) {
                self.omitted.insert(what);
            }
        }
        Ok(())
    }

    fn blocks(
        &mut self,
        node: Node<'_, '_>,
        deep: usize,
        blocks: &mut Vec<Block>,
    ) -> Result<(), Unreadable> {
        if deep > DEEPEST {
            self.omitted.insert(Omitted::Nested);
            return Ok(());
        }
        for child in children(node) {
            match child.tag_name().name() {
                "p" | "r" | "oMath" | "oMathPara" => self.paragraph(child, deep, blocks)?,
                "tbl" => {
                    blocks.extend(self.lone_initial());
                    self.table(child, deep, blocks)?;
                }
                "del" | "moveFrom" | "sdtPr" | "sdtEndPr" | "sectPr" | "tcPr" => {}
                "altChunk" => self.chunk(child, blocks)?,
                "subDoc" => {
                    self.omitted.insert(Omitted::Documents);
                }
                "AlternateContent" => {
                    let before = (blocks.len(), self.omitted.len());
                    for form in forms(child) {
                        self.blocks(form, deep + 1, blocks)?;
                        if (blocks.len(), self.omitted.len()) != before {
                            break;
                        }
                    }
                }
                _ => self.blocks(child, deep + 1, blocks)?,
            }
        }
        if ENCLOSING.contains(&node.tag_name().name()) {
            blocks.extend(self.lone_initial());
        }
        Ok(())
    }

    /// A drop cap that no paragraph follows.
    fn lone_initial(&mut self) -> Option<Block> {
        Block::paragraph(&std::mem::take(&mut self.initial))
    }

    /// A paragraph, and then the text boxes that are anchored in it.
    fn paragraph(
        &mut self,
        node: Node<'_, '_>,
        deep: usize,
        blocks: &mut Vec<Block>,
    ) -> Result<(), Unreadable> {
        let mut line = Line::default();
        line.text.push_str(&std::mem::take(&mut self.initial));
        match node.tag_name().name() {
            "p" => self.inline(node, deep + 1, &mut line)?,
            _ => self.part_of_line(node, deep + 1, &mut line)?,
        }
        line.end();
        let properties = child(node, "pPr");
        if properties.is_some_and(is_drop_cap) {
            self.initial = line.text.trim_start().trim_end_matches('\n').to_owned();
        } else {
            blocks.extend(self.styled(properties, &line.text));
        }
        blocks.append(&mut line.boxes);
        Ok(())
    }

    fn styled(&mut self, properties: Option<Node<'_, '_>>, text: &str) -> Option<Block> {
        let text = text.trim();
        let style =
            properties.and_then(|properties| attribute(child(properties, "pStyle")?, "val"));
        let heading = style.and_then(|style| self.styles.heading(style));
        let of_style = style.and_then(|style| self.styles.list(style));
        let own = properties.and_then(styles::item);
        let item = own.or_else(|| of_style.clone());
        let is_item = item.is_some();
        let (item, of_style) = (item.unwrap_or_default(), of_style.unwrap_or_default());
        let list = item.list.or(of_style.list);
        let linked = || self.numbering.level(list.as_deref()?, style?);
        let deep = item.deep.or(of_style.deep).or_else(linked).unwrap_or(0);
        if let Some(level) = heading.filter(|_| self.cells == 0) {
            let number = list.and_then(|list| self.numbering.next(&list, deep));
            return Block::heading(level, &headed(number, text));
        }
        if !is_item {
            return Block::paragraph(text);
        }
        // Zero takes a paragraph out of the list of its style.
        if list.as_deref() == Some("0") {
            return Block::paragraph(text);
        }
        let number = list.and_then(|list| self.numbering.next(&list, deep));
        match number {
            _ if text.is_empty() => None,
            Some(number) if self.cells > 0 => Block::paragraph(&format!("{number} {text}")),
            None if self.cells > 0 => Block::paragraph(text),
            Some(number) => Block::numbered(deep, &number, text),
            None => Block::item(deep, text),
        }
    }

    /// A file of another format in the place of some paragraphs.
    fn chunk(&mut self, node: Node<'_, '_>, blocks: &mut Vec<Block>) -> Result<(), Unreadable> {
        let part = xml::relation(node).and_then(|id| self.relations.target(id));
        let Some(part) = part.map(str::to_owned) else {
            self.omitted.insert(Omitted::Documents);
            return Ok(());
        };
        let ending = part.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
        let bytes = self.archive.member(&part)?;
        match (ending.as_deref(), bytes) {
            (Some("html" | "htm" | "xhtml"), Some(bytes)) => {
                blocks.extend(Block::paragraph(&html::read(&bytes, None).text));
            }
            (Some("txt"), Some(bytes)) => {
                blocks.extend(Block::paragraph(&plain::decoded(&bytes, None)));
            }
            (_, None) => self.missing.push(part),
            (_, Some(_)) => {
                self.omitted.insert(Omitted::Documents);
            }
        }
        Ok(())
    }
}
