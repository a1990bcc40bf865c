//! The sheets of an OpenDocument file, and the charts and sheets that are embedded in one.
//!
//! Invariant: a cell has the text that it shows. An object is read from the file itself, and
//! nothing is read within it but its words and its table; what cannot be read is named.

use super::{
    inline::{SHAPES, line},
    reader::Reader,
    tables::{rows, used},
};
use crate::extract::{
    Omitted, Unreadable,
    archive::{Archive, unless_broken},
    blocks::Block,
    charts::Chart,
    parts, values,
    xml::{self, attribute, child, children},
};
use percent_encoding::percent_decode_str;
use roxmltree::Node;
use std::collections::{BTreeSet, HashMap};

/// The rows of a table.
pub(in crate::extract) type Rows = Vec<Vec<String>>;

/// Bytes of the longest content that is parsed as a whole.
const LONGEST: usize = 24 << 20;

/// What is on a sheet besides its cells.
#[derive(Default)]
pub(in crate::extract) struct OnSheet {
    pub(in crate::extract) blocks: Vec<Block>,
    pub(in crate::extract) omitted: BTreeSet<Omitted>,
}

/// A sheet of a spreadsheet.
pub(in crate::extract) struct OpenSheet {
    pub(in crate::extract) name: String,
    pub(in crate::extract) rows: Rows,
    /// Whether the file has the result of each formula.
    pub(in crate::extract) has_results: bool,
}

/// The content of a spreadsheet.
#[derive(Default)]
pub(in crate::extract) struct Spreadsheet {
    /// In their order. `None` if they cannot be parsed as a whole.
    pub(in crate::extract) sheets: Option<Vec<OpenSheet>>,
    /// What is on each sheet besides its cells, by its name.
    pub(in crate::extract) beside: HashMap<String, OnSheet>,
    pub(in crate::extract) is_commented: bool,
}

pub(in crate::extract) fn spreadsheet(archive: &Archive<'_>) -> Result<Spreadsheet, Unreadable> {
    let bytes = archive.member("content.xml")?.unwrap_or_default();
    let has = |name: &[u8]| memchr::memmem::find(&bytes, name).is_some();
    let mut read =
        Spreadsheet { is_commented: has(b"<office:annotation"), ..Spreadsheet::default() };
    let (is_short, is_drawn, has_objects) =
        (bytes.len() <= LONGEST, has(b"<draw:"), has(b"draw:object"));
    if !is_short && !has_objects {
        return Ok(read);
    }
    let text = xml::text(&bytes);
    drop(bytes);
    let Ok(document) = xml::parsed(&text, "OpenDocument") else { return Ok(read) };
    if is_drawn || has_objects {
        read.beside = on_sheets(archive, document.root_element())?;
    }
    if is_short {
        read.sheets = sheets(document.root_element())?;
    }
    Ok(read)
}

/// What is on each sheet of a spreadsheet besides its cells, by its name: text boxes, and what is
/// embedded. The values of a chart that stand in the cells of a sheet are left to it.
fn on_sheets(
    archive: &Archive<'_>,
    root: Node<'_, '_>,
) -> Result<HashMap<String, OnSheet>, Unreadable> {
    let is_sheet = |node: &Node<'_, '_>| {
        let of = node.parent().map(|of| of.tag_name().name());
        node.tag_name().name() == "table" && of == Some("spreadsheet")
    };
    let named = |sheet| Some((attribute(sheet, "name")?.to_owned(), sheet));
    let sheets: HashMap<String, Node<'_, '_>> =
        root.descendants().filter(is_sheet).filter_map(named).collect();
    let mut found = HashMap::new();
    for (name, sheet) in &sheets {
        let mut reader = Reader::new(archive);
        let shown = sheet.descendants().filter(|node| is_in_shape(*node, *sheet));
        let mut blocks: Vec<Block> =
            shown.filter_map(|paragraph| Block::paragraph(&line(paragraph))).collect();
        for object in sheet.descendants().filter(|node| node.tag_name().name() == "object") {
            for mut chart in reader.embedded(object)? {
                chart.leave_to(&sheets);
                blocks.extend(chart.blocks());
            }
        }
        found.insert(name.clone(), OnSheet { blocks, omitted: reader.omitted });
    }
    Ok(found)
}

/// Whether it is a paragraph of a shape on a sheet.
fn is_in_shape<'a, 'b>(node: Node<'a, 'b>, sheet: Node<'a, 'b>) -> bool {
    if node.tag_name().name() != "p" {
        return false;
    }
    let around = node.ancestors().skip(1).take_while(|above| *above != sheet);
    let around: Vec<&str> = around.map(|above| above.tag_name().name()).collect();
    let is_beside = around.iter().any(|name| matches!(*name, "annotation" | "object"));
    !is_beside && around.iter().any(|name| SHAPES.contains(name))
}

/// `None` if there are none.
fn sheets(root: Node<'_, '_>) -> Result<Option<Vec<OpenSheet>>, Unreadable> {
    let Some(body) = xml::first(root, "spreadsheet") else { return Ok(None) };
    let sheets = children(body).filter(|node| node.tag_name().name() == "table");
    sheets.map(of_sheet).collect::<Result<_, _>>().map(Some)
}

fn of_sheet(sheet: Node<'_, '_>) -> Result<OpenSheet, Unreadable> {
    let mut has_results = true;
    let rows = used(sheet, &mut |cell: Node<'_, '_>| {
        let text = value(cell);
        let has_result = !text.is_empty() || attribute(cell, "value-type").is_some();
        let formula = formula(cell).filter(|_| !has_result);
        has_results &= formula.is_none();
        Ok(formula.map_or(text, str::to_owned))
    })?;
    let name = attribute(sheet, "name").unwrap_or_default().to_owned();
    Ok(OpenSheet { name, rows, has_results })
}

/// `=1+1` of `of:=1+1`.
fn formula<'a>(cell: Node<'a, '_>) -> Option<&'a str> {
    let formula = attribute(cell, "formula")?;
    formula.find('=').map(|at| &formula[at..])
}

impl Reader<'_, '_> {
    /// The chart that an element refers to or contains, or the sheets, each as a chart without a
    /// picture.
    pub(super) fn embedded(&mut self, node: Node<'_, '_>) -> Result<Vec<Chart>, Unreadable> {
        let charts = if let Some(body) = xml::first(node, "body") {
            of_body(body)?
        } else {
            let part = folder(node).map(|folder| format!("{folder}/content.xml"));
            let read = part.map(|part| self.archive.member(&part)).transpose();
            let bytes = unless_broken(read)?.flatten();
            let text = xml::text(&bytes.unwrap_or_default());
            let document = xml::parsed(&text, "OpenDocument").ok();
            let body = document.as_ref().and_then(|all| xml::first(all.root_element(), "body"));
            body.map(of_body).transpose()?.unwrap_or_default()
        };
        if charts.is_empty() {
            self.omitted.insert(Omitted::Objects);
        }
        if charts.iter().any(|chart| !chart.is_whole) {
            self.omitted.insert(Omitted::Charts);
        }
        Ok(charts)
    }
}

/// The folder of an object: `Object 1` of `./Object%201/`.
fn folder(node: Node<'_, '_>) -> Option<String> {
    let reference = percent_decode_str(attribute(node, "href")?).decode_utf8_lossy();
    let folder = parts::from("", &reference);
    // Without a folder, it would be the file itself.
    (!folder.is_empty()).then_some(folder)
}

/// Nothing if it is of another kind.
fn of_body(body: Node<'_, '_>) -> Result<Vec<Chart>, Unreadable> {
    if let Some(sheets) = child(body, "spreadsheet") {
        return of_sheets(sheets);
    }
    match child(body, "chart") {
        Some(chart) => Ok(vec![of_chart(chart)?]),
        None => Ok(Vec::new()),
    }
}

/// The sheets with anything in them, and their names if there are several.
fn of_sheets(body: Node<'_, '_>) -> Result<Vec<Chart>, Unreadable> {
    let mut charts = Vec::new();
    for sheet in children(body).filter(|node| node.tag_name().name() == "table") {
        let OpenSheet { name, rows, .. } = of_sheet(sheet)?;
        charts.push(Chart { lines: vec![name], rows, is_whole: true, ..Chart::default() });
    }
    charts.retain(|chart| chart.rows.iter().flatten().any(|cell| !cell.trim().is_empty()));
    if charts.is_empty() {
        charts.push(Chart { is_whole: true, ..Chart::default() });
    }
    if let [only] = charts.as_mut_slice() {
        only.lines.clear();
    }
    Ok(charts)
}

fn of_chart(chart: Node<'_, '_>) -> Result<Chart, Unreadable> {
    let is_of_table = |node: Node<'_, '_>| {
        let mut above = node.ancestors().take_while(|above| *above != chart);
        above.any(|above| above.tag_name().name() == "table")
    };
    let is_line = |node: &Node<'_, '_>| node.tag_name().name() == "p" && !is_of_table(*node);
    let lines = chart.descendants().filter(is_line).map(line);
    let lines = lines.filter(|line| !line.trim().is_empty()).collect();
    let number = &mut |cell: Node<'_, '_>| match attribute(cell, "value-type") {
        Some("float" | "percentage" | "currency") => Ok(values::number(&value(cell))),
        _ => Ok(value(cell)),
    };
    let rows = xml::first(chart, "table").map(|table| rows(table, number)).transpose()?;
    let rows = without_empty_columns(&rows.unwrap_or_default());
    let series: Vec<Node<'_, '_>> =
        chart.descendants().filter(|node| node.tag_name().name() == "series").collect();
    let cells = series.iter().filter_map(|one| attribute(*one, "values-cell-range-address"));
    let sources = cells.map(in_sheet).collect();
    let is_whole = !rows.is_empty() || series.is_empty();
    Ok(Chart { lines, rows, is_whole, sources })
}

/// `$'My sheet'.A1:.A3` as in other formats: `'My sheet'!A1:.A3`.
fn in_sheet(cells: &str) -> String {
    let cells = cells.trim_start_matches('$');
    let end =
        if cells.starts_with('\'') { cells.find("'.").map(|at| at + 1) } else { cells.find('.') };
    end.map_or_else(|| cells.to_owned(), |at| format!("{}!{}", &cells[..at], &cells[at + 1..]))
}

/// What a cell shows, or else its value.
fn value(cell: Node<'_, '_>) -> String {
    let lines: Vec<String> =
        children(cell).filter(|node| node.tag_name().name() == "p").map(line).collect();
    let text = lines.join(" ");
    if !text.trim().is_empty() {
        return text;
    }
    let kept = ["value", "date-value", "time-value", "boolean-value", "string-value"];
    let kept = kept.into_iter().find_map(|name| attribute(cell, name)).unwrap_or_default();
    match attribute(cell, "value-type") {
        Some("percentage") => values::percent(kept),
        Some("float" | "currency") => values::number(kept),
        _ => kept.to_owned(),
    }
}

/// Programs hide columns in the table of a chart.
fn without_empty_columns(rows: &[Vec<String>]) -> Rows {
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let text = |row: &Vec<String>, at: usize| row.get(at).cloned().unwrap_or_default();
    let is_used = |at: &usize| rows.iter().any(|row| !text(row, *at).trim().is_empty());
    let columns: Vec<usize> = (0..width).filter(is_used).collect();
    let used =
        |row: &Vec<String>| -> Vec<String> { columns.iter().map(|at| text(row, *at)).collect() };
    rows.iter().map(used).collect()
}
