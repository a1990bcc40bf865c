//! OpenDocument texts and presentations as markdown.
//!
//! Invariant: text deleted by tracked changes is left out, and so are headers and footers; what
//! is left out besides is named.

use super::{
    Extracted, FileFormat, Omitted, Unreadable,
    blocks::{Block, joined},
    drawing::DEEPEST,
    links::linked,
    xml::{self, attribute, children},
    zipped::Archive,
};
use roxmltree::Node;
use std::collections::BTreeSet;

/// Maximum columns of a table; sheets repeat empty ones a thousand times.
const WIDEST: usize = 200;

pub(super) fn read(archive: &Archive<'_>, format: FileFormat) -> Result<Extracted, Unreadable> {
    let broken = |why: String| Unreadable::Broken("OpenDocument", why);
    refuse_encrypted(archive)?;
    let bytes = archive.member("content.xml")?;
    let bytes = bytes.ok_or_else(|| broken("content.xml is missing".to_owned()))?;
    let text = xml::text(&bytes);
    let document = xml::parsed(&text, "OpenDocument")?;
    let mut blocks = Vec::new();
    let mut omitted = BTreeSet::new();
    if let Some(body) = xml::first(document.root_element(), "body") {
        within(body, (0, 0), &mut blocks);
        omitted.extend(body.descendants().filter_map(left_out));
    }
    omitted.extend(has_headers(archive)?.then_some(Omitted::Headers));
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
        "object" | "object-ole" => Some(Omitted::Objects),
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

/// `lists` is the number of enclosing lists.
fn within(node: Node<'_, '_>, (deep, lists): (usize, usize), blocks: &mut Vec<Block>) {
    if deep > DEEPEST {
        return;
    }
    for child in children(node) {
        match child.tag_name().name() {
            "tracked-changes" | "annotation" | "forms" | "settings" => {}
            "notes" => {
                let mut notes = Vec::new();
                within(child, (deep + 1, lists), &mut notes);
                let lines: Vec<String> = notes.into_iter().map(|block| block.text).collect();
                let text = format!("Notes: {}", lines.join("\n"));
                blocks.extend((!lines.is_empty()).then(|| Block::paragraph(&text)).flatten());
            }
            "h" => {
                let level = attribute(child, "outline-level").and_then(|level| level.parse().ok());
                blocks.extend(Block::heading(level.unwrap_or(1), &line(child)));
                beside(child, (deep + 1, lists), blocks);
            }
            "p" => {
                let text = line(child);
                blocks.extend(match lists {
                    0 => Block::paragraph(&text),
                    lists => Block::item(lists - 1, &text),
                });
                beside(child, (deep + 1, lists), blocks);
            }
            "table" => blocks.extend(Block::table(rows(child))),
            "page" => {
                let name = attribute(child, "name").unwrap_or("Page");
                blocks.extend(Block::heading(2, name));
                within(child, (deep + 1, lists), blocks);
            }
            "list" => within(child, (deep + 1, lists + 1), blocks),
            _ => within(child, (deep + 1, lists), blocks),
        }
    }
}

/// Shapes drawn next to a paragraph's text are inside it; each is read with its own contents.
fn beside(paragraph: Node<'_, '_>, (deep, lists): (usize, usize), blocks: &mut Vec<Block>) {
    if deep > DEEPEST {
        return;
    }
    for child in children(paragraph) {
        match child.tag_name().name() {
            // A note is read with its paragraph.
            "note" | "annotation" => {}
            "table" => blocks.extend(Block::table(rows(child))),
            name if SHAPES.contains(&name) => within(child, (deep + 1, lists), blocks),
            _ => beside(child, (deep + 1, lists), blocks),
        }
    }
}

/// What is drawn next to a paragraph, and may contain paragraphs of its own.
const SHAPES: [&str; 13] = [
    "text-box",
    "custom-shape",
    "rect",
    "circle",
    "ellipse",
    "line",
    "polyline",
    "polygon",
    "regular-polygon",
    "path",
    "connector",
    "caption",
    "measure",
];

/// The text of a paragraph.
fn line(node: Node<'_, '_>) -> String {
    let mut text = String::new();
    inline(node, 0, &mut text);
    text
}

fn inline(node: Node<'_, '_>, deep: usize, text: &mut String) {
    if deep > DEEPEST {
        return;
    }
    for part in node.children() {
        match part.tag_name().name() {
            _ if part.is_text() => text.push_str(&collapsed(part.text().unwrap_or_default())),
            "annotation" | "note-citation" | "table" => {}
            name if SHAPES.contains(&name) => {}
            "ruby-text" => {
                let mut reading = String::new();
                inline(part, deep + 1, &mut reading);
                if !reading.trim().is_empty() {
                    text.push_str(&format!("({})", reading.trim()));
                }
            }
            "s" => {
                let count = attribute(part, "c").and_then(|count| count.parse().ok()).unwrap_or(1);
                text.push_str(&" ".repeat(count.clamp(1, 80)));
            }
            "a" => {
                let mut link = String::new();
                inline(part, deep + 1, &mut link);
                let address = attribute(part, "href").unwrap_or_default();
                text.push_str(&linked(&link, address));
            }
            "tab" => text.push('\t'),
            "line-break" => text.push('\n'),
            "note" => {
                let mut note = String::new();
                inline(part, deep + 1, &mut note);
                if !note.trim().is_empty() {
                    text.push_str(&format!(" ({})", note.trim()));
                }
            }
            _ => inline(part, deep + 1, text),
        }
    }
}

/// Collapses line ends and blanks of the XML into one blank.
fn collapsed(text: &str) -> String {
    let mut collapsed = String::new();
    for letter in text.chars() {
        let letter = if letter.is_ascii_whitespace() { ' ' } else { letter };
        if letter != ' ' || !collapsed.ends_with(' ') {
            collapsed.push(letter);
        }
    }
    collapsed
}

/// The rows of the table itself, not of a nested one.
fn rows(table: Node<'_, '_>) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut groups: Vec<Node<'_, '_>> = vec![table];
    while let Some(part) = groups.pop() {
        match part.tag_name().name() {
            "table-row" => rows.push(cells(part)),
            "table" if part != table => {}
            "table" | "table-header-rows" | "table-rows" | "table-row-group" => {
                let parts: Vec<Node<'_, '_>> = children(part).collect();
                groups.extend(parts.into_iter().rev());
            }
            _ => {}
        }
    }
    rows.retain(|cells| !cells.is_empty());
    rows
}

/// A cell that is covered by another is empty, so that each stays in its column.
fn cells(row: Node<'_, '_>) -> Vec<String> {
    let mut cells: Vec<String> = Vec::new();
    for cell in children(row) {
        let text = match cell.tag_name().name() {
            "table-cell" => cell_text(cell),
            "covered-table-cell" => String::new(),
            _ => continue,
        };
        let times = attribute(cell, "number-columns-repeated");
        let times = times.and_then(|times| times.parse().ok()).unwrap_or(1);
        let room = WIDEST.saturating_sub(cells.len());
        cells.extend(std::iter::repeat_n(text, usize::min(times, room)));
    }
    while cells.last().is_some_and(String::is_empty) {
        cells.pop();
    }
    cells
}

/// The paragraphs of a cell, including those of a nested table.
fn cell_text(cell: Node<'_, '_>) -> String {
    // A note is read with its paragraph.
    let is_beside = |node: Node<'_, '_>| {
        let mut above = node.ancestors().take_while(|above| *above != cell);
        above.any(|above| matches!(above.tag_name().name(), "note" | "annotation"))
    };
    let is_line =
        |node: &Node<'_, '_>| matches!(node.tag_name().name(), "p" | "h") && !is_beside(*node);
    let lines = cell.descendants().filter(is_line).map(line);
    lines.filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join(" ")
}
