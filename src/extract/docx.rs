//! DOCX as markdown: headings, paragraphs, lists, tables, footnotes.
//!
//! Invariant: text deleted by tracked changes is left out, text inserted by them is included.

use super::{
    Extracted, FileFormat, Unreadable,
    blocks::{Block, joined},
    plain,
    zipped::Archive,
};
use roxmltree::{Document, Node};

/// Maximum nesting of elements; no person's document has more.
const DEEPEST: usize = 64;

pub(super) fn read(archive: &Archive<'_>) -> Result<Extracted, Unreadable> {
    let mut text = part(archive, "word/document.xml")?.unwrap_or_default();
    let notes = part(archive, "word/footnotes.xml")?.unwrap_or_default();
    if !notes.trim().is_empty() {
        text.push_str(&format!("\n\n{}", notes.trim()));
    }
    let title = archive.title("docProps/core.xml")?;
    Ok(Extracted { title, ..Extracted::new(FileFormat::Docx, text) })
}

fn part(archive: &Archive<'_>, name: &str) -> Result<Option<String>, Unreadable> {
    let Some(bytes) = archive.member(name)? else { return Ok(None) };
    let xml = plain::decoded(&bytes, None);
    let document =
        Document::parse(&xml).map_err(|error| Unreadable::Broken("DOCX", error.to_string()))?;
    let mut blocks = Vec::new();
    block(document.root_element(), 0, &mut blocks);
    Ok(Some(joined(&blocks)))
}

fn block(node: Node<'_, '_>, deep: usize, blocks: &mut Vec<Block>) {
    if deep > DEEPEST {
        return;
    }
    for child in node.children().filter(Node::is_element) {
        match child.tag_name().name() {
            "p" => blocks.extend(paragraph(child)),
            "tbl" => blocks.extend(table(child)),
            "del" | "moveFrom" => {}
            _ => block(child, deep + 1, blocks),
        }
    }
}

fn paragraph(node: Node<'_, '_>) -> Option<Block> {
    let text = runs(node);
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    let properties = child(node, "pPr");
    let style = properties.and_then(|properties| value(child(properties, "pStyle")?));
    let style = style.unwrap_or_default().to_lowercase().replace([' ', '-'], "");
    let is_item = properties.is_some_and(|properties| child(properties, "numPr").is_some())
        || style.starts_with("list");
    let level = match style.strip_prefix("heading").or_else(|| style.strip_prefix("berschrift")) {
        Some(digit) => digit.parse::<usize>().ok().filter(|level| (1..=6).contains(level)),
        None if style == "title" => Some(1),
        None => None,
    };
    match level {
        Some(level) => Block::heading(level, text),
        None if is_item => Block::item(0, text),
        None => Block::paragraph(text),
    }
}

/// The text of a paragraph.
fn runs(node: Node<'_, '_>) -> String {
    let mut text = String::new();
    let is_gone = |node: &Node<'_, '_>| {
        node.ancestors().any(|above| matches!(above.tag_name().name(), "del" | "moveFrom"))
    };
    for part in node.descendants().filter(|part| part.is_element()) {
        match part.tag_name().name() {
            "t" if !is_gone(&part) => text.push_str(part.text().unwrap_or_default()),
            "tab" if part.parent().is_some_and(|run| run.tag_name().name() == "r") => {
                text.push('\t')
            }
            "br" | "cr" => text.push('\n'),
            "noBreakHyphen" => text.push('-'),
            _ => {}
        }
    }
    text
}

fn table(node: Node<'_, '_>) -> Option<Block> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for row in children(node, "tr") {
        let cell = |cell: &Node<'_, '_>| {
            let mut blocks = Vec::new();
            block(*cell, 0, &mut blocks);
            let text: Vec<String> = blocks.into_iter().map(|block| block.text).collect();
            text.join(" ")
        };
        rows.push(children(row, "tc").map(|each| cell(&each)).collect());
    }
    Block::table(rows)
}

fn children<'a, 'b>(node: Node<'a, 'b>, name: &'static str) -> impl Iterator<Item = Node<'a, 'b>> {
    node.children().filter(move |child| child.tag_name().name() == name)
}

fn child<'a, 'b>(node: Node<'a, 'b>, name: &str) -> Option<Node<'a, 'b>> {
    node.children().find(|child| child.tag_name().name() == name)
}

fn value<'a>(node: Node<'a, '_>) -> Option<&'a str> {
    node.attributes().find(|attribute| attribute.name() == "val").map(|attribute| attribute.value())
}
