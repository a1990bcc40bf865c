//! OpenDocument texts and presentations as markdown.
//!
//! Invariant: what tracked changes deleted is no text, nor what stands in headers and footers.

use super::{
    Extracted, Format, Unreadable,
    blocks::{Block, joined},
    plain,
    zipped::Archive,
};
use roxmltree::{Document, Node};

/// Elements within elements; more are no document of a person.
const DEEPEST: usize = 64;
/// Columns of a table; sheets repeat empty ones a thousand times.
const WIDEST: usize = 200;

pub(super) fn read(archive: &Archive<'_>, format: Format) -> Result<Extracted, Unreadable> {
    let broken = |why: String| Unreadable::Broken("OpenDocument", why);
    if archive
        .member("META-INF/manifest.xml")?
        .is_some_and(|manifest| memchr::memmem::find(&manifest, b"encryption-data").is_some())
    {
        return Err(Unreadable::Encrypted);
    }
    let bytes = archive.member("content.xml")?;
    let bytes = bytes.ok_or_else(|| broken("content.xml is missing".to_owned()))?;
    let xml = plain::decoded(&bytes, None);
    let document = Document::parse(&xml).map_err(|error| broken(error.to_string()))?;
    let body = document.descendants().find(|node| node.tag_name().name() == "body");
    let mut blocks = Vec::new();
    if let Some(body) = body {
        within(body, (0, 0), &mut blocks);
    }
    let title = archive.member("meta.xml")?.and_then(|bytes| {
        let xml = plain::decoded(&bytes, None);
        let document = Document::parse(&xml).ok()?;
        let title = document.descendants().find(|node| node.tag_name().name() == "title")?;
        title.text().map(str::to_owned)
    });
    Ok(Extracted { title, ..Extracted::new(format, joined(&blocks)) })
}

/// `lists` are those around it.
fn within(node: Node<'_, '_>, (deep, lists): (usize, usize), blocks: &mut Vec<Block>) {
    if deep > DEEPEST {
        return;
    }
    for child in node.children().filter(Node::is_element) {
        match child.tag_name().name() {
            "tracked-changes" | "annotation" | "forms" | "settings" => {}
            "h" => {
                let level = attribute(child, "outline-level").and_then(|level| level.parse().ok());
                blocks.extend(Block::heading(level.unwrap_or(1), &line(child)));
            }
            "p" if lists > 0 => blocks.extend(Block::item(lists - 1, &line(child))),
            "p" => blocks.extend(Block::paragraph(&line(child))),
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
    // What is drawn beside the text of a paragraph stands within it.
    for frame in node.children().filter(|child| child.tag_name().name() == "p") {
        let boxes = frame.descendants().filter(|node| node.tag_name().name() == "text-box");
        boxes.for_each(|text| within(text, (deep + 1, lists), blocks));
    }
}

/// The text of a paragraph.
fn line(node: Node<'_, '_>) -> String {
    let mut text = String::new();
    for part in node.descendants() {
        let is_beside = part.ancestors().take_while(|above| *above != node).any(|above| {
            matches!(above.tag_name().name(), "text-box" | "annotation" | "note-citation")
        });
        match part.tag_name().name() {
            _ if is_beside => {}
            "s" => {
                let count = attribute(part, "c").and_then(|count| count.parse().ok()).unwrap_or(1);
                text.push_str(&" ".repeat(count.clamp(1, 80)));
            }
            "tab" => text.push('\t'),
            "line-break" => text.push('\n'),
            "note" => text.push_str(" ("),
            _ if part.is_text() => text.push_str(&collapsed(part.text().unwrap_or_default())),
            _ => {}
        }
        if part.is_text() && ends_note(part, node) {
            text.push(')');
        }
    }
    text
}

/// Whether a text is the last of a note within a paragraph.
fn ends_note(part: Node<'_, '_>, paragraph: Node<'_, '_>) -> bool {
    let above = part.ancestors().take_while(|above| *above != paragraph);
    let note = above.into_iter().find(|above| above.tag_name().name() == "note");
    note.and_then(|note| note.descendants().filter(Node::is_text).last()) == Some(part)
}

/// Line ends and blanks of the XML are one blank.
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

fn rows(table: Node<'_, '_>) -> Vec<Vec<String>> {
    let is_row = |node: &Node<'_, '_>| node.tag_name().name() == "table-row";
    let row = |row: Node<'_, '_>| {
        let mut cells: Vec<String> = Vec::new();
        for cell in row.children().filter(|cell| cell.tag_name().name() == "table-cell") {
            let mut blocks = Vec::new();
            within(cell, (0, 0), &mut blocks);
            let text: Vec<String> = blocks.into_iter().map(|block| block.text).collect();
            let times = attribute(cell, "number-columns-repeated");
            let times = times.and_then(|times| times.parse().ok()).unwrap_or(1);
            let room = WIDEST.saturating_sub(cells.len());
            cells.extend(std::iter::repeat_n(text.join(" "), usize::min(times, room)));
        }
        while cells.last().is_some_and(String::is_empty) {
            cells.pop();
        }
        cells
    };
    table.descendants().filter(is_row).map(row).filter(|cells| !cells.is_empty()).collect()
}

fn attribute<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    node.attributes().find(|attribute| attribute.name() == name).map(|attribute| attribute.value())
}
