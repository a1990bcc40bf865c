//! The tables of an OpenDocument file.
//!
//! Invariant: each cell stays in its column; a table within a cell is text of the cell.

use super::{Reader, lists::Place};
use crate::extract::{
    Unreadable,
    blocks::Block,
    xml::{attribute, children},
};
use roxmltree::Node;

/// Maximum columns of a table; sheets repeat empty ones a thousand times.
const WIDEST: usize = 200;
/// How often a row is repeated, at most.
const LONGEST: usize = 1000;

/// Reads a cell.
pub(super) type CellReader<'f> = &'f mut dyn FnMut(Node<'_, '_>) -> Result<String, Unreadable>;

impl Reader<'_, '_> {
    pub(super) fn table(
        &mut self,
        table: Node<'_, '_>,
        place: Place,
        blocks: &mut Vec<Block>,
    ) -> Result<(), Unreadable> {
        let inner = place.in_cell();
        let rows = rows(table, &mut |cell: Node<'_, '_>| self.cell_text(cell, inner))?;
        if place.cells > 0 {
            blocks.extend(rows.iter().filter_map(|cells| Block::paragraph(&cells.join(" "))));
        } else {
            blocks.extend(Block::table(rows));
        }
        Ok(())
    }

    /// The paragraphs of a cell, including those of a nested table, and what is embedded in it.
    fn cell_text(&mut self, cell: Node<'_, '_>, place: Place) -> Result<String, Unreadable> {
        let mut blocks = Vec::new();
        self.within(cell, place, &mut blocks)?;
        let texts: Vec<String> = blocks.into_iter().map(|block| block.text).collect();
        Ok(texts.join(" "))
    }
}

/// The rows of the table itself, not of a nested one.
pub(super) fn rows(
    table: Node<'_, '_>,
    cell: CellReader<'_>,
) -> Result<Vec<Vec<String>>, Unreadable> {
    let mut rows = Vec::new();
    let mut groups: Vec<Node<'_, '_>> = vec![table];
    while let Some(part) = groups.pop() {
        match part.tag_name().name() {
            "table-row" => {
                let cells = cells(part, cell)?;
                let times = if cells.is_empty() { 0 } else { times(part, "number-rows-repeated") };
                rows.extend(std::iter::repeat_n(cells, times.min(LONGEST)));
            }
            "table" if part != table => {}
            "table" | "table-header-rows" | "table-rows" | "table-row-group" => {
                let parts: Vec<Node<'_, '_>> = children(part).collect();
                groups.extend(parts.into_iter().rev());
            }
            _ => {}
        }
    }
    Ok(rows)
}

fn times(node: Node<'_, '_>, name: &str) -> usize {
    attribute(node, name).and_then(|times| times.parse().ok()).unwrap_or(1)
}

/// A cell that is covered by another is empty, so that each stays in its column.
fn cells(row: Node<'_, '_>, text: CellReader<'_>) -> Result<Vec<String>, Unreadable> {
    let mut cells: Vec<String> = Vec::new();
    for cell in children(row) {
        let text = match cell.tag_name().name() {
            "table-cell" => text(cell)?,
            "covered-table-cell" => String::new(),
            _ => continue,
        };
        let room = WIDEST.saturating_sub(cells.len());
        let times = times(cell, "number-columns-repeated").min(room);
        cells.extend(std::iter::repeat_n(text, times));
    }
    while cells.last().is_some_and(String::is_empty) {
        cells.pop();
    }
    Ok(cells)
}
