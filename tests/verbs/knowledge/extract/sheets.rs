//! Spreadsheets: what their cells show; and unusual forms, with blanks between their cells, and
//! with parts in other folders.

use crate::support::{
    World,
    office::{Read, TRANSITIONAL, content, element, names, odf, p, relations, zipped},
    ready::laptop,
};
use std::io::{Cursor, Write};
use zip::{ZipWriter, write::SimpleFileOptions};

#[test]
fn sheets_with_blanks_between_their_cells_are_read() {
    let world = World::new();
    let a = laptop(&world, "a");
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
    let a = laptop(&world, "a");
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

/// A workbook with one sheet, whose only format but the usual one has this code.
fn workbook(code: &str, rows: &str) -> Vec<u8> {
    let main = format!("xmlns=\"{TRANSITIONAL}/spreadsheetml/2006/main\" {}", names(TRANSITIONAL));
    let code = code.replace('"', "&quot;").replace('>', "&gt;");
    let styles = format!(
        "<styleSheet {main}><numFmts count=\"1\"><numFmt numFmtId=\"164\" formatCode=\"{code}\"/>\
         </numFmts><cellXfs count=\"2\"><xf numFmtId=\"0\"/><xf numFmtId=\"164\"/></cellXfs>\
         </styleSheet>"
    );
    let sheets = "<sheets><sheet name=\"Only\" sheetId=\"1\" r:id=\"a\"/></sheets>";
    let sheet = format!("<worksheet {main}><sheetData>{rows}</sheetData></worksheet>");
    zipped(&[
        ("[Content_Types].xml", "<Types/>".to_owned()),
        ("_rels/.rels", relations(&[("x", "officeDocument", "xl/workbook.xml")])),
        ("xl/workbook.xml", format!("<workbook {main}>{sheets}</workbook>")),
        ("xl/_rels/workbook.xml.rels", relations(&[("a", "worksheet", "s.xml")])),
        ("xl/styles.xml", styles),
        ("xl/s.xml", sheet),
    ])
}

#[test]
fn numbers_in_workbooks_are_shown_by_their_formats() {
    let world = World::new();
    let a = laptop(&world, "a");
    for (value, code, shown) in [
        ("0.5", "h:mm AM/PM", "12:00"),
        ("0.75", "hh:mm:ss", "18:00:00"),
        ("1.5", "[hh]:mm:ss", "36:00:00"),
        ("0.25", "[mm]:ss", "360:00"),
        ("44197", "yyyy\\-mm\\-dd", "2021-01-01"),
        ("44197.5", "d/m/yy h:mm", "2021-01-01 12:00"),
        ("0.25", "0%", "25%"),
        ("0.0725", "0.0%", "7.3%"),
        ("1234.5", "#,##0.00\\ [$€-407]", "1,234.50 €"),
        ("-5", "\"$\"#,##0.00", "-$5.00"),
        ("3", "0.00", "3.00"),
        ("42", "00000", "00042"),
        ("0.5", "# ?/?", "0.5"),
        ("7", "[>5]0.0;0", "7"),
    ] {
        // The style of a cell is found where it is, not where the first one is.
        let rows = format!(
            "<row r=\"3\"><c r=\"C3\"><v>8</v></c><c r=\"E3\" s=\"1\"><v>{value}</v></c></row>"
        );
        let read = Read::of(&world, &a, "formats.xlsx", &workbook(code, &rows));
        let wanted = format!("## Only\n\n| 8 | {shown} |\n| --- | --- |");
        assert_eq!(read.text.trim(), wanted, "{code}");
    }
}

#[test]
fn a_formula_without_a_result_is_read_and_named() {
    let world = World::new();
    let a = laptop(&world, "a");
    for (cell, wanted) in [
        ("<c r=\"B1\"><f>1+1</f></c>", Some("=1+1")),
        ("<c r=\"B1\"><f>1+1</f><v></v></c>", Some("=1+1")),
        ("<c r=\"B1\"><f>SUM(A1:A9)</f><v/></c>", Some("=SUM(A1:A9)")),
        ("<c r=\"B1\" s=\"1\"><f>A1&amp;\"x\"</f></c>", Some("=A1&\"x\"")),
        ("<c r=\"B1\" t=\"str\"><f>A1&lt;2</f></c>", Some("=A1<2")),
        ("<c r=\"B1\"><f>1+1</f><v>2</v></c>", None),
        ("<c r=\"B1\" t=\"str\"><f>IF(1,\"\",2)</f><v></v></c>", None),
    ] {
        let rows = format!("<row r=\"1\"><c r=\"A1\"><v>8</v></c>{cell}</row>");
        let read = Read::of(&world, &a, "formula.xlsx", &workbook("0.00", &rows));
        let is_told = read.said.contains("results of formulas that are not in the file");
        assert_eq!(is_told, wanted.is_some(), "{cell}: {}", read.said);
        match wanted {
            Some(formula) => read.has_once(&[&format!("| 8 | {formula} |")]),
            None => read.lacks(&["="]),
        }
    }
    let open = |cell: &str| format!("<table:table-row>{cell}</table:table-row>");
    for (cell, wanted) in [
        ("table:formula=\"of:=1+1\"/>", Some("=1+1")),
        ("table:formula=\"of:=1+1\"></table:table-cell>", Some("=1+1")),
        ("table:formula=\"of:=1+1\" office:value-type=\"float\" office:value=\"2\"/>", None),
    ] {
        let row = open(&format!("<table:table-cell {cell}"));
        let read = Read::of(&world, &a, "formula.ods", &open_sheet(&row));
        assert_eq!(read.said.contains("results of formulas"), wanted.is_some(), "{cell}");
        assert!(read.text.contains(&format!("| {} |", wanted.unwrap_or("2"))), "{}", read.text);
    }
}

#[test]
fn what_a_file_without_text_has_and_which_part_is_damaged_is_said() {
    let world = World::new();
    let a = laptop(&world, "a");
    let main = format!("xmlns=\"{TRANSITIONAL}/spreadsheetml/2006/main\" {}", names(TRANSITIONAL));
    let list = "<sheets><sheet name=\"Only\" sheetId=\"1\" r:id=\"a\"/></sheets>";
    let header = "<sheetData/><headerFooter><oddHeader>Head</oddHeader></headerFooter>";
    let cell = "<sheetData><row r=\"1\"><c r=\"A1\"><v>1</v></c></row></sheetData>";
    let book = |change: (&str, &str)| {
        let parts = [
            ("[Content_Types].xml", "<Types/>".to_owned()),
            ("_rels/.rels", relations(&[("x", "officeDocument", "xl/workbook.xml")])),
            ("xl/workbook.xml", format!("<workbook {main}>{list}</workbook>")),
            ("xl/_rels/workbook.xml.rels", relations(&[("a", "worksheet", "s.xml")])),
            ("xl/s.xml", format!("<worksheet {main}>{cell}</worksheet>")),
        ];
        let mut parts: Vec<(&str, String)> =
            parts.into_iter().filter(|(name, _)| *name != change.0).collect();
        parts.extend((!change.1.is_empty()).then(|| (change.0, change.1.to_owned())));
        zipped(&parts)
    };
    let sheet = |inner: &str| format!("<worksheet {main}>{inner}</worksheet>");
    let text = element("w:document", "<w:body><w:p/></w:body>");
    let letter = |part: (&str, &str)| {
        zipped(&[("word/document.xml", text.clone()), (part.0, part.1.to_owned())])
    };
    let torn = element("w:document", "<w:body>").replace("</w:document>", "");
    for (name, bytes, why) in [
        ("a.xlsx", book(("xl/s.xml", sheet(header).as_str())), "only headers and footers"),
        (
            "b.xlsx",
            book(("xl/s.xml", sheet("<sheetData/>").as_str())),
            "contains no text; it is empty",
        ),
        ("c.docx", letter(("word/media/image1.png", "x")), "only pictures"),
        (
            "d.odt",
            odf("text", "<office:text/>", &[("Pictures/a.png", "x".to_owned())]),
            "only pict",
        ),
        ("e.xlsx", book(("xl/styles.xml", "<styleSheet><xf")), "part xl/styles.xml is damaged"),
        ("f.xlsx", book(("xl/sharedStrings.xml", "<sst><x")), "part xl/sharedStrings.xml is dam"),
        ("g.xlsx", book(("xl/workbook.xml", "<workbook><x")), "part xl/workbook.xml is damaged"),
        ("h.xlsx", book(("xl/s.xml", "<worksheet><sheetData>")), "part xl/s.xml is damaged"),
        ("i.xlsx", book(("xl/_rels/workbook.xml.rels", "")), "workbook.xml.rels is missing"),
        ("j.docx", zipped(&[("word/document.xml", torn)]), "part word/document.xml is damaged"),
    ] {
        let file = world.path(name);
        std::fs::write(&file, bytes).expect("written");
        let file = file.to_str().expect("a path");
        let said = a.try_co(&["knowledge", "add", file, "--topic", "articles/read"]);
        assert_ne!(said.code, 0, "{name}: {}", said.out);
        assert!(said.err.contains(why), "{name}: {}", said.err);
    }
}

/// A spreadsheet of OpenDocument with one sheet.
fn open_sheet(rows: &str) -> Vec<u8> {
    let sheet = format!(
        "<office:spreadsheet><table:table table:name=\"Only\">{rows}</table:table>\
         </office:spreadsheet>"
    );
    odf("spreadsheet", &sheet, &[])
}

#[test]
fn open_sheets_have_the_text_that_their_cells_show() {
    let world = World::new();
    let a = laptop(&world, "a");
    for (value, shown, wanted) in [
        ("time\" office:time-value=\"PT11H12M12S", "11:12:12", "11:12:12"),
        ("percentage\" office:value=\"2", "200,00%", "200,00%"),
        ("currency\" office:currency=\"GBP\" office:value=\"1", "£1", "£1"),
        ("currency\" office:currency=\"GBP\" office:value=\"-10000", "-£10.000", "-£10.000"),
        ("date\" office:date-value=\"2021-03-04T00:00:00", "04/03/21", "04/03/21"),
        ("float\" office:value=\"0.333333333333333", "1/3", "1/3"),
        ("boolean\" office:boolean-value=\"true", "WAHR", "WAHR"),
        ("string\" office:string-value=\"kept", "shown", "shown"),
        ("percentage\" office:value=\"0.25", "", "25%"),
        ("float\" office:value=\"4.4000000000000004", "", "4.4"),
    ] {
        let shown =
            if shown.is_empty() { String::new() } else { format!("<text:p>{shown}</text:p>") };
        let row = format!(
            "<table:table-row><table:table-cell office:value-type=\"{value}\">{shown}\
             </table:table-cell></table:table-row>"
        );
        let read = Read::of(&world, &a, "shown.ods", &open_sheet(&row));
        assert_eq!(read.text.trim(), format!("## Only\n\n| {wanted} |\n| --- |"), "{value}");
    }
}

#[test]
fn open_sheets_keep_their_columns_and_repeat_their_rows() {
    let world = World::new();
    let a = laptop(&world, "a");
    let cell = |text: &str| format!("<table:table-cell><text:p>{text}</text:p></table:table-cell>");
    let blank =
        |times: usize| format!("<table:table-cell table:number-columns-repeated=\"{times}\"/>");
    let row = |cells: &[String]| format!("<table:table-row>{}</table:table-row>", cells.concat());
    let last = "<table:table-row table:number-rows-repeated=\"1048000\"><table:table-cell \
        table:number-columns-repeated=\"16384\"/></table:table-row>";
    let covered = "<table:covered-table-cell/>".to_owned();
    for (rows, wanted) in [
        (row(&[blank(300), cell("far")]), "| far |\n| --- |"),
        (
            row(&[cell("a"), blank(2), cell("b")]) + &row(&[cell("c"), blank(16_383)]) + last,
            "| a | b |\n| --- | --- |\n| c |  |",
        ),
        (
            row(&[cell("wide"), covered, cell("b")]) + &row(&[cell("c"), cell("d"), cell("e")]),
            "| wide |  | b |\n| --- | --- | --- |\n| c | d | e |",
        ),
        (
            row(&[cell("x")]).replacen("-row>", "-row table:number-rows-repeated=\"2\">", 1),
            "| x |\n| --- |\n| x |",
        ),
        (
            format!(
                "<table:table-header-rows>{}</table:table-header-rows><table:table-row-group>{}\
                 </table:table-row-group>",
                row(&[cell("head")]),
                row(&[cell("body")])
            ),
            "| head |\n| --- |\n| body |",
        ),
    ] {
        let read = Read::of(&world, &a, "columns.ods", &open_sheet(&rows));
        assert_eq!(read.text.trim(), format!("## Only\n\n{wanted}"), "{rows}");
    }
}

#[test]
fn what_is_drawn_on_open_sheets_stands_below_their_cells() {
    let world = World::new();
    let a = laptop(&world, "a");
    let boxed = "<draw:frame><draw:text-box><text:p>boxword</text:p></draw:text-box></draw:frame>";
    let note = "<office:annotation><text:p>commentword</text:p></office:annotation>";
    for (inner, below) in [
        (boxed.to_owned(), "boxword"),
        (format!("{boxed}{note}"), "boxword"),
        ("<draw:rect><text:p>rectword</text:p></draw:rect>".to_owned(), "rectword"),
        (
            "<draw:g><draw:ellipse><text:p>a</text:p><text:p>b</text:p></draw:ellipse></draw:g>"
                .to_owned(),
            "a\n\nb",
        ),
        ("<draw:frame><draw:image/></draw:frame>".to_owned(), ""),
    ] {
        let row = format!(
            "<table:table-row><table:table-cell office:value-type=\"string\">{inner}\
             <text:p>beside</text:p></table:table-cell></table:table-row>"
        );
        let read = Read::of(&world, &a, "drawn.ods", &open_sheet(&row));
        let wanted = format!("## Only\n\n| beside |\n| --- |\n\n{below}");
        assert_eq!(read.text.trim(), wanted.trim(), "{inner}");
    }
}

/// Unpacked three times, it would be more than an archive may hold.
#[test]
fn the_content_of_a_large_open_sheet_is_unpacked_once() {
    let world = World::new();
    let a = laptop(&world, "a");
    let row = "<table:table-row><table:table-cell office:value-type=\"string\"><text:p>word</text:p>\
        </table:table-cell></table:table-row>";
    for (mib, drawn) in [(25, ""), (33, ""), (36, ""), (33, "<draw:rect/>"), (34, "<draw:g/>")] {
        let filler = format!("<!--{}-->", " ".repeat(mib << 20));
        let sheet = format!(
            "{filler}<office:spreadsheet><table:table table:name=\"Only\">{row}{drawn}\
             </table:table></office:spreadsheet>"
        );
        let content = content(&format!("<office:body>{sheet}</office:body>"));
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in [
            ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
            ("META-INF/manifest.xml", "<manifest:manifest/>"),
            ("content.xml", content.as_str()),
        ] {
            zip.start_file(name, SimpleFileOptions::default()).expect("a part");
            zip.write_all(text.as_bytes()).expect("its text");
        }
        let bytes = zip.finish().expect("a zip").into_inner();
        let read = Read::of(&world, &a, "large.ods", &bytes);
        assert_eq!(read.text.trim(), "## Only\n\n| word |\n| --- |", "{mib} {drawn}");
    }
}
