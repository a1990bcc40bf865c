//! The text of a paragraph in an OpenDocument file.
//!
//! Invariant: what is drawn beside the text is no part of it; a note is, where it is referred to.

use crate::extract::{
    links::linked,
    xml::{DEEPEST, attribute},
};
use roxmltree::Node;

/// What is drawn next to a paragraph, and may contain paragraphs of its own.
pub(super) const SHAPES: [&str; 13] = [
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
pub(super) fn line(node: Node<'_, '_>) -> String {
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
            "annotation" | "note-citation" | "table" | "object" => {}
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
