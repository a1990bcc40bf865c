//! Spreadsheets in unusual forms: with blanks between their cells, and with parts in other folders.

use super::extract_office::{
    Read, TRANSITIONAL, element, laptop, names, odf, p, relations, zipped,
};
use crate::support::World;

#[test]
fn sheets_with_blanks_between_their_cells_are_read() {
    let world = World::new();
    let a = laptop(&world);
    let table = "<office:spreadsheet><table:table table:name=\"First\"><table:table-column/>\
        <table:table-row><table:table-cell office:value-type=\"string\"><text:p>tree</text:p>\
        </table:table-cell><table:table-cell office:value-type=\"float\" office:value=\"3\">\
        <text:p>3</text:p></table:table-cell></table:table-row></table:table><table:table \
        table:name=\"Second\"><table:table-row><table:table-cell office:value-type=\"float\" \
        office:value=\"7\"/></table:table-row></table:table></office:spreadsheet>";
    let wanted = "## First\n\n| tree | 3 |\n| --- | --- |\n\n## Second\n\n| 7 |\n| --- |";
    for (from, to) in [
        ("", ""),
        ("><table:table-cell", ">\n  <table:table-cell"),
        ("</table:table-row>", " </table:table-row>"),
        ("><table:table-cell", "><!-- x --><table:table-cell"),
        ("<table:table-row>", "<table:table-row><text:soft-page-break/>"),
        ("><", ">\n<"),
    ] {
        let sheet = if from.is_empty() { table.to_owned() } else { table.replace(from, to) };
        let read = Read::of(&world, &a, "blanks.ods", &odf("spreadsheet", &sheet, &[]));
        assert_eq!(read.text.trim(), wanted, "{to}");
    }
}

#[test]
fn the_main_part_may_be_in_any_folder() {
    let world = World::new();
    let a = laptop(&world);
    let main = format!("xmlns=\"{TRANSITIONAL}/spreadsheetml/2006/main\" {}", names(TRANSITIONAL));
    let sheets = "<sheets><sheet name=\"Only\" sheetId=\"1\" r:id=\"a\"/></sheets>";
    let cell = "<sheetData><row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>cellword</t></is></c></row>\
        </sheetData>";
    for folder in ["", "book/", "xl/"] {
        let [book, rels, sheet] =
            ["workbook.xml", "_rels/workbook.xml.rels", "s.xml"].map(|it| format!("{folder}{it}"));
        let bytes = zipped(&[
            ("[Content_Types].xml", "<Types/>".to_owned()),
            ("_rels/.rels", relations(&[("x", "officeDocument", book.as_str())])),
            (book.as_str(), format!("<workbook {main}>{sheets}</workbook>")),
            (rels.as_str(), relations(&[("a", "worksheet", "s.xml")])),
            (sheet.as_str(), format!("<worksheet {main}>{cell}</worksheet>")),
        ]);
        let read = Read::of(&world, &a, "folder.xlsx", &bytes);
        read.has_once(&["## Only", "cellword"]);
    }
    for folder in ["", "text/"] {
        let part = format!("{folder}document.xml");
        let bytes = zipped(&[
            ("_rels/.rels", relations(&[("x", "officeDocument", part.as_str())])),
            (part.as_str(), element("w:document", &format!("<w:body>{}</w:body>", p("bodyword")))),
        ]);
        let read = Read::of(&world, &a, "folder.docx", &bytes);
        read.has_once(&["bodyword"]);
    }
}
