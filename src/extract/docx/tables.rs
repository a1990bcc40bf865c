//! The tables of a DOCX.
//!
//! Invariant: rows and cells count wherever they are wrapped; what is deleted by a tracked change
//! does not. A table within a cell is text of the cell.

use super::reader::Reader;
use crate::extract::{
    Unreadable,
    blocks::Block,
    xml::{DEEPEST, attribute, child, children},
};
use roxmltree::Node;

/// The most columns that a cell covers in Word.
const WIDEST: usize = 63;

impl Reader<'_, '_> {
    pub(super) fn table(
        &mut self,
        node: Node<'_, '_>,
        deep: usize,
        blocks: &mut Vec<Block>,
    ) -> Result<(), Unreadable> {
        let mut rows = Vec::new();
        for row in wrapped(node, "tr", deep) {
            if has(row, "trPr", "del") {
                continue;
            }
            let mut cells = Vec::new();
            for cell in wrapped(row, "tc", deep) {
                if has(cell, "tcPr", "cellDel") {
                    continue;
                }
                cells.push(self.cell(cell, deep)?);
                // The columns that it covers as well.
                let span =
                    child(cell, "tcPr").and_then(|of| attribute(child(of, "gridSpan")?, "val"));
                let span = span.and_then(|span| span.parse().ok()).unwrap_or(1_usize);
                cells.extend((1..span.min(WIDEST)).map(|_| String::new()));
            }
            rows.push(cells);
        }
        if self.cells > 0 {
            blocks.extend(rows.iter().filter_map(|cells| Block::paragraph(&cells.join(" "))));
        } else {
            blocks.extend(Block::table(rows));
        }
        Ok(())
    }

    fn cell(&mut self, cell: Node<'_, '_>, deep: usize) -> Result<String, Unreadable> {
        let mut blocks = Vec::new();
        self.cells += 1;
        let read = self.blocks(cell, deep + 1, &mut blocks);
        self.cells -= 1;
        read?;
        let texts: Vec<String> = blocks.into_iter().map(|block| block.text).collect();
        Ok(texts.join(" "))
    }
}

fn has(node: Node<'_, '_>, properties: &str, name: &str) -> bool {
    child(node, properties).is_some_and(|properties| child(properties, name).is_some())
}

/// The rows of a table, or the cells of a row, also those in content controls and insertions.
fn wrapped<'a, 'b>(node: Node<'a, 'b>, name: &str, deep: usize) -> Vec<Node<'a, 'b>> {
    let mut found = Vec::new();
    if deep > DEEPEST {
        return found;
    }
    for child in children(node) {
        match child.tag_name().name() {
            one if one == name => found.push(child),
            "sdt" | "sdtContent" | "customXml" | "smartTag" | "ins" | "moveTo"
            | "AlternateContent" | "Choice" => found.extend(wrapped(child, name, deep + 1)),
            _ => {}
        }
    }
    found
}
