//! Spreadsheets as markdown: one table per sheet.
//!
//! Invariant: the value that a cell shows, not its formula; empty rows and columns are left out.

use super::{
    Extracted, FileFormat, Unreadable,
    blocks::{Block, joined},
};
use calamine::{Data, Range, Reader, open_workbook_auto_from_rs};
use std::io::Cursor;

pub(super) fn read(bytes: &[u8], format: FileFormat) -> Result<Extracted, Unreadable> {
    let mut book = open_workbook_auto_from_rs(Cursor::new(bytes)).map_err(|error| {
        match error.to_string() {
            why if why.to_lowercase().contains("password") => Unreadable::Encrypted,
            why => Unreadable::Broken("spreadsheet", why),
        }
    })?;
    let mut blocks = Vec::new();
    for (name, range) in book.worksheets() {
        if let Some(table) = Block::table(rows(&range)) {
            blocks.extend(Block::heading(2, &name));
            blocks.push(table);
        }
    }
    Ok(Extracted::new(format, joined(&blocks)))
}

fn rows(range: &Range<Data>) -> Vec<Vec<String>> {
    let is_used = |row: &&[Data]| row.iter().any(|cell| *cell != Data::Empty);
    let rows: Vec<&[Data]> = range.rows().filter(is_used).collect();
    let width = rows.iter().map(|row| row.len()).max().unwrap_or(0);
    let has = |column: &usize| {
        rows.iter().any(|row| row.get(*column).is_some_and(|cell| *cell != Data::Empty))
    };
    let columns: Vec<usize> = (0..width).filter(has).collect();
    let text = |row: &[Data], at: usize| row.get(at).map_or_else(String::new, cell);
    rows.iter().map(|row| columns.iter().map(|at| text(row, *at)).collect()).collect()
}

fn cell(data: &Data) -> String {
    match data {
        Data::DateTime(moment) if moment.is_datetime() => {
            let (year, month, day, hour, minute, second, _) = moment.to_ymd_hms_milli();
            let date = format!("{year:04}-{month:02}-{day:02}");
            match (hour, minute, second) {
                (0, 0, 0) => date,
                (hour, minute, 0) => format!("{date} {hour:02}:{minute:02}"),
                (hour, minute, second) => format!("{date} {hour:02}:{minute:02}:{second:02}"),
            }
        }
        other => other.to_string(),
    }
}
