//! The tables of an OpenDocument file.
//!
//! Invariant: each cell stays in its column; a table within a cell is text of the cell.

use super::{lists::Place, reader::Reader};
use crate::extract::{
    Unreadable,
    blocks::Block,
    xml::{attribute, children},
};
use roxmltree::Node;
use std::collections::{BTreeSet, HashMap};

/// Maximum columns of a table in a text, and how often a cell with text is repeated, at most.
const WIDEST: usize = 200;
/// Maximum columns of a sheet, which repeats its last, empty one up to here.
const WIDEST_SHEET: usize = 16_384;
/// How often a row is repeated, at most.
const LONGEST: usize = 1000;

/// Reads a cell.
type CellReader<'f> = &'f mut dyn FnMut(Node<'_, '_>) -> Result<String, Unreadable>;

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

/// The texts of a row, each with its column.
type Texts = Vec<(usize, String)>;

/// The rows of the table itself, not of a nested one.
pub(super) fn rows(
    table: Node<'_, '_>,
    cell: CellReader<'_>,
) -> Result<Vec<Vec<String>>, Unreadable> {
    let dense = |row: Texts| {
        let mut cells = Vec::new();
        for (column, text) in row.into_iter().take_while(|(column, _)| *column < WIDEST) {
            cells.resize(column, String::new());
            cells.push(text);
        }
        cells
    };
    Ok(texts(table, cell)?.into_iter().map(dense).collect())
}

/// The rows of a sheet, without the columns that are empty in all of them.
pub(super) fn used(
    sheet: Node<'_, '_>,
    cell: CellReader<'_>,
) -> Result<Vec<Vec<String>>, Unreadable> {
    let rows = texts(sheet, cell)?;
    let columns: BTreeSet<usize> = rows.iter().flatten().map(|(column, _)| *column).collect();
    let places: HashMap<usize, usize> =
        columns.iter().enumerate().map(|(place, column)| (*column, place)).collect();
    let dense = |row: Texts| {
        let mut cells = vec![String::new(); places.len()];
        for (column, text) in row {
            cells[places[&column]] = text;
        }
        cells
    };
    Ok(rows.into_iter().map(dense).collect())
}

/// The rows with any text.
fn texts(table: Node<'_, '_>, cell: CellReader<'_>) -> Result<Vec<Texts>, Unreadable> {
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
fn cells(row: Node<'_, '_>, text: CellReader<'_>) -> Result<Texts, Unreadable> {
    let (mut cells, mut column) = (Texts::new(), 0);
    for cell in children(row) {
        let text = match cell.tag_name().name() {
            "table-cell" => text(cell)?,
            "covered-table-cell" => String::new(),
            _ => continue,
        };
        let room = WIDEST_SHEET.saturating_sub(column);
        let times = times(cell, "number-columns-repeated").min(room);
        if !text.is_empty() {
            let repeated = times.min(WIDEST);
            cells.extend((column..column + repeated).map(|column| (column, text.clone())));
        }
        column += times;
    }
    Ok(cells)
}
