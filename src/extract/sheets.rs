//! Spreadsheets as markdown: one table per sheet, in the order of the file, and the text boxes on
//! it.
//!
//! Invariant: the value that a cell shows, or its formula if the file has no value; empty rows and
//! columns are left out. A sheet that cannot be read loses only itself, and is reported.

use super::{
    Extracted, FileFormat, Omitted, Unreadable,
    archive::{Archive, unless_broken},
    blocks::{Block, joined},
    drawing::Shapes,
    number_formats,
    odf::{self, OnSheet, OpenSheet, Spreadsheet},
    parts::{self, Relations},
    xml::{self, attribute},
};
use calamine::{
    Cell, Data, Range, Reader, SheetType, Sheets, StyleRange, Xls, XlsError,
    open_workbook_auto_from_rs, open_workbook_from_rs,
};
use std::{
    collections::{BTreeSet, HashMap},
    io::Cursor,
};

/// The usual place of the list of sheets.
pub(super) const MAIN: &str = "xl/workbook.xml";

/// A workbook in a zip archive, whose main part is `main`.
pub(super) fn read_zipped(
    bytes: &[u8],
    archive: &Archive<'_>,
    main: &str,
) -> Result<Extracted, Unreadable> {
    archive.refuse_large()?;
    let sheets = sheets_of(archive, main)?;
    let read =
        read_with(bytes, FileFormat::Xlsx, &mut |name: &str| on_sheet(archive, &sheets, name));
    let mut of_sheets: Vec<String> = sheets.values().cloned().collect();
    of_sheets.sort();
    let mut read = read.map_err(|error| {
        let needed = [vec![main.to_owned(), parts::beside(main)], of_sheets.clone()].concat();
        explained(error, archive, &needed, &["xl/sharedStrings.xml", "xl/styles.xml"])
    })?;
    // Their headers matter only if there is nothing else.
    if read.text.is_empty() {
        let has_header = |part: &String| {
            let bytes = archive.member(part).ok().flatten().unwrap_or_default();
            let has = |name: &[u8]| memchr::memmem::find(&bytes, name).is_some();
            has(b"oddHeader") || has(b"oddFooter")
        };
        read.omitted.extend(of_sheets.iter().any(has_header).then_some(Omitted::Headers));
    }
    Ok(read)
}

/// An error that names the first part that is damaged, or needed and not there: the library does
/// not.
fn explained(
    error: Unreadable,
    archive: &Archive<'_>,
    needed: &[String],
    others: &[&str],
) -> Unreadable {
    let format = match &error {
        Unreadable::Broken(format, _) => *format,
        _ => return error,
    };
    let needed_parts = needed.iter().map(String::as_str);
    let found = needed_parts.chain(others.iter().copied()).find_map(|part| {
        let bytes = match archive.member(part) {
            Ok(Some(bytes)) => bytes,
            Ok(None) if others.contains(&part) => return None,
            Ok(None) => {
                return Some(Unreadable::Broken(format, format!("its part {part} is missing")));
            }
            Err(error) => return Some(error),
        };
        let is_xml = [".xml", ".rels"].into_iter().any(|ending| part.ends_with(ending));
        let text = if is_xml { xml::text(&bytes) } else { return None };
        let error = xml::parsed(&text, format).err();
        error.map(|error| error.within(part))
    });
    found.unwrap_or(error)
}

/// A spreadsheet of OpenDocument.
pub(super) fn read_open(bytes: &[u8], archive: &Archive<'_>) -> Result<Extracted, Unreadable> {
    let Spreadsheet { sheets, beside: mut on_sheets, is_commented } = odf::spreadsheet(archive)?;
    let mut beside = |name: &str| -> Result<Option<Beside>, Unreadable> {
        let found = on_sheets.remove(name);
        let known = |OnSheet { blocks, omitted }| Beside { blocks, omitted, ..Beside::default() };
        Ok(found.map(known))
    };
    let mut read = match sheets {
        Some(sheets) => {
            let mut found = Found::default();
            for OpenSheet { name, rows, has_results } in sheets {
                found.omitted.extend((!has_results).then_some(Omitted::Results));
                found.add(&name, Block::table(rows), beside(&name)?.unwrap_or_default());
            }
            found.extracted(FileFormat::Ods)
        }
        // The library has the values, not what is shown, but needs less memory, and reads on where
        // something is broken.
        None => {
            archive.refuse_large()?;
            read_with(bytes, FileFormat::Ods, &mut beside)
                .map_err(|error| explained(error, archive, &["content.xml".to_owned()], &[]))?
        }
    };
    read.omitted.extend(is_commented.then_some(Omitted::Comments));
    Ok(read)
}

pub(super) fn read(bytes: &[u8], format: FileFormat) -> Result<Extracted, Unreadable> {
    read_with(bytes, format, &mut |_: &str| Ok(None))
}

/// What is on a sheet besides its cells.
#[derive(Default)]
struct Beside {
    blocks: Vec<Block>,
    omitted: BTreeSet<Omitted>,
    missing: Vec<String>,
}

/// `None` if it is not known.
type Besides<'a> = &'a mut dyn FnMut(&str) -> Result<Option<Beside>, Unreadable>;

fn read_with(
    bytes: &[u8],
    format: FileFormat,
    beside: Besides<'_>,
) -> Result<Extracted, Unreadable> {
    let broken = |why: String| Unreadable::Broken("spreadsheet", why);
    let mut book = match open_workbook_auto_from_rs(Cursor::new(bytes)) {
        Err(_) if is_locked(bytes) => return Err(Unreadable::Encrypted),
        book => book.map_err(|error| broken(error.to_string()))?,
    };
    let mut found = Found::default();
    for sheet in book.sheets_metadata().to_vec() {
        let table = match book.worksheet_range(&sheet.name) {
            Ok(range) => {
                let styles = book.worksheet_style(&sheet.name).unwrap_or_default();
                let calculated = match &mut book {
                    Sheets::Xlsx(book) => book.worksheet_formula(&sheet.name).ok(),
                    _ => None,
                };
                let filled = calculated.and_then(|formulas| with_formulas(&range, &formulas));
                found.omitted.extend(filled.is_some().then_some(Omitted::Results));
                Block::table(rows(filled.as_ref().unwrap_or(&range), &styles))
            }
            Err(_) => {
                let is_of_cells = sheet.typ == SheetType::WorkSheet;
                found.missing.extend(is_of_cells.then(|| format!("sheet \"{}\"", sheet.name)));
                None
            }
        };
        let beside = beside(&sheet.name)?;
        let is_lost = sheet.typ == SheetType::ChartSheet && beside.is_none();
        found.omitted.extend(is_lost.then_some(Omitted::Charts));
        found.add(&sheet.name, table, beside.unwrap_or_default());
    }
    if found.blocks.is_empty() && !found.missing.is_empty() {
        return Err(broken("none of its sheets can be read".to_owned()));
    }
    Ok(found.extracted(format))
}

/// What was read so far.
#[derive(Default)]
struct Found {
    blocks: Vec<Block>,
    omitted: BTreeSet<Omitted>,
    missing: Vec<String>,
}

impl Found {
    fn add(&mut self, name: &str, table: Option<Block>, mut beside: Beside) {
        self.omitted.append(&mut beside.omitted);
        self.missing.append(&mut beside.missing);
        if table.is_some() || !beside.blocks.is_empty() {
            self.blocks.extend(Block::heading(2, name));
        }
        self.blocks.extend(table);
        self.blocks.append(&mut beside.blocks);
    }

    fn extracted(self, format: FileFormat) -> Extracted {
        let text = joined(&self.blocks);
        let (missing, omitted) = (self.missing, self.omitted);
        Extracted { missing, omitted, ..Extracted::new(format, text) }
    }
}

/// Whether an old workbook (XLS) needs a password; the newer forms are told by their containers.
fn is_locked(bytes: &[u8]) -> bool {
    let book = open_workbook_from_rs::<Xls<_>, _>(Cursor::new(bytes));
    matches!(book, Err(XlsError::Password))
}

/// The part of each sheet, by its name; empty if the workbook is not in XML.
fn sheets_of(archive: &Archive<'_>, main: &str) -> Result<HashMap<String, String>, Unreadable> {
    unless_broken(named_by_workbook(archive, main))
}

fn named_by_workbook(
    archive: &Archive<'_>,
    main: &str,
) -> Result<HashMap<String, String>, Unreadable> {
    let Some(bytes) = archive.member(main)? else { return Ok(HashMap::new()) };
    let text = xml::text(&bytes);
    let document = xml::parsed(&text, "spreadsheet")?;
    let relations = Relations::read(archive, main)?;
    let sheets = document.descendants().filter(|node| node.tag_name().name() == "sheet");
    let named = sheets.filter_map(|sheet| {
        let part = relations.target(xml::relation(sheet)?)?;
        Some((attribute(sheet, "name")?.to_owned(), part.to_owned()))
    });
    Ok(named.collect())
}

/// The texts in the drawing on a sheet. A broken part, or one that is too large, costs only itself.
fn on_sheet(
    archive: &Archive<'_>,
    sheets: &HashMap<String, String>,
    name: &str,
) -> Result<Option<Beside>, Unreadable> {
    let Some(part) = sheets.get(name) else { return Ok(None) };
    match unless_broken(drawn(archive, sheets, part).map(Some)) {
        Err(Unreadable::TooLarge(_)) => {
            let missing = vec![format!("the drawings on sheet \"{name}\"")];
            Ok(Some(Beside { missing, ..Beside::default() }))
        }
        beside => beside,
    }
}

fn drawn(
    archive: &Archive<'_>,
    sheets: &HashMap<String, String>,
    part: &str,
) -> Result<Beside, Unreadable> {
    let mut beside = Beside::default();
    let relations = Relations::read(archive, part)?;
    let is_commented =
        ["comments", "threadedComment"].into_iter().any(|kind| !relations.of_kind(kind).is_empty());
    beside.omitted.extend(is_commented.then_some(Omitted::Comments));
    for drawing in relations.of_kind("drawing") {
        let Some(bytes) = archive.member(drawing)? else { continue };
        let text = xml::text(&bytes);
        let document = xml::parsed(&text, "spreadsheet")?;
        let of_drawing = Relations::read(archive, drawing)?;
        let mut shapes = Shapes::new(archive, &of_drawing);
        shapes.sheets = Some(sheets);
        shapes.within(document.root_element(), 0)?;
        beside.blocks.append(&mut shapes.blocks);
        beside.omitted.append(&mut shapes.omitted);
    }
    Ok(beside)
}

/// The cells of a sheet, with the formulas that have no result in the file. `None` if all have one.
fn with_formulas(range: &Range<Data>, formulas: &Range<String>) -> Option<Range<Data>> {
    let place = |(top, left): (u32, u32), row: usize, column: usize| {
        let add = |to: u32, more: usize| to.saturating_add(u32::try_from(more).unwrap_or(u32::MAX));
        (add(top, row), add(left, column))
    };
    let first = formulas.start()?;
    let bare = formulas.used_cells().filter_map(|(row, column, formula)| {
        let place = place(first, row, column);
        let has_result = range.get_value(place).is_some_and(|data| *data != Data::Empty);
        (!has_result).then(|| Cell::new(place, Data::String(format!("={formula}"))))
    });
    let mut cells: Vec<Cell<Data>> = bare.collect();
    if cells.is_empty() {
        return None;
    }
    let first = range.start().unwrap_or_default();
    let kept = range.used_cells();
    cells
        .extend(kept.map(|(row, column, data)| Cell::new(place(first, row, column), data.clone())));
    Some(Range::from_sparse(cells))
}

/// The rows and columns with any value.
fn rows(range: &Range<Data>, styles: &StyleRange) -> Vec<Vec<String>> {
    let is_used = |row: &&[Data]| row.iter().any(|cell| *cell != Data::Empty);
    let width = range.width();
    let has = |column: &usize| {
        range.rows().any(|row| row.get(*column).is_some_and(|cell| *cell != Data::Empty))
    };
    let columns: Vec<usize> = (0..width).filter(has).collect();
    let (top, left) = range.start().unwrap_or_default();
    let text = |row: &[Data], line: u32, at: usize| {
        let column = left.saturating_add(u32::try_from(at).unwrap_or(u32::MAX));
        row.get(at).map_or_else(String::new, |cell| shown(cell, code(styles, (line, column))))
    };
    let lines = (top..).zip(range.rows()).filter(|(_, row)| is_used(row));
    lines.map(|(line, row)| columns.iter().map(|at| text(row, line, *at)).collect()).collect()
}

/// The code of a cell's format; only newer workbooks (XLSX) are read with theirs.
fn code(styles: &StyleRange, place: (u32, u32)) -> Option<&str> {
    let format = styles.get(place)?.number_format.as_ref()?;
    Some(format.format_code.as_str()).filter(|code| !code.eq_ignore_ascii_case("general"))
}

fn shown(data: &Data, code: Option<&str>) -> String {
    match data {
        Data::DateTime(moment) => number_formats::moment(*moment, code),
        Data::Float(value) => number_formats::number(*value, code),
        other => other.to_string(),
    }
}
