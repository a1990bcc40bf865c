//! Charts and embedded sheets in office files: their words and values arrive as text where they
//! stand, and what cannot be read is named.

use crate::support::{
    World,
    office::{Read, TRANSITIONAL, content, docx, element, names, odf, p, relations, shape, zipped},
    ready::laptop,
    whole::whole,
};

fn cache(kind: &str, texts: &[&str]) -> String {
    let point = |(at, text): (usize, &&str)| format!("<c:pt idx=\"{at}\"><c:v>{text}</c:v></c:pt>");
    let points: String = texts.iter().enumerate().map(point).collect();
    format!("<c:{kind}><c:ptCount val=\"{}\"/>{points}</c:{kind}>", texts.len())
}

/// A series of a chart whose values stand in the cells of a sheet.
fn series(at: usize, name: &str, categories: &[&str], values: &[&str]) -> String {
    let of = |kind: &str, column: &str, inner: String| {
        format!("<c:{kind}><c:f>Plan!{column}</c:f>{inner}</c:{kind}>")
    };
    format!(
        "<c:ser><c:idx val=\"{at}\"/><c:order val=\"{at}\"/><c:tx>{}</c:tx><c:cat>{}</c:cat>\
         <c:val>{}</c:val></c:ser>",
        of("strRef", "$B$1", cache("strCache", &[name])),
        of("strRef", "$A$2:$A$9", cache("strCache", categories)),
        of("numRef", "$B$2:$B$9", cache("numCache", values)),
    )
}

fn title(text: &str) -> String {
    format!(
        "<c:title><c:tx><c:rich><a:p><a:r><a:t>{text}</a:t></a:r></a:p></c:rich></c:tx></c:title>"
    )
}

fn chart(words: &str, kind: &str, inner: &str, axis: &str) -> String {
    element(
        "c:chartSpace",
        &format!(
            "<c:chart>{}<c:plotArea><c:{kind}>{inner}</c:{kind}><c:valAx>{}</c:valAx></c:plotArea>\
             </c:chart>",
            title(words),
            title(axis)
        ),
    )
}

fn harvest() -> String {
    let inner = series(0, "plums", &["spring", "autumn"], &["3.0", "4.4000000000000004"])
        + &series(1, "pears", &["spring", "autumn"], &["5", "6.5"]);
    chart("Harvest", "barChart", &inner, "Baskets")
}

const TABLE: &str = "|  | plums | pears |\n| --- | --- | --- |\n| spring | 3 | 5 |\n\
    | autumn | 4.4 | 6.5 |";

const DRAWN: &str = "<w:p><w:r><w:t>before</w:t></w:r><w:r><w:drawing><c:chart r:id=\"c\"/>\
    </w:drawing></w:r></w:p>";

fn beside() -> (&'static str, String) {
    ("word/_rels/document.xml.rels", relations(&[("c", "chart", "charts/chart1.xml")]))
}

#[test]
fn a_chart_of_a_letter_is_a_table_where_it_stands() {
    let world = World::new();
    let a = laptop(&world, "a");
    let more = [beside(), ("word/charts/chart1.xml", harvest())];
    let body = DRAWN.to_owned() + &p("after");
    let read = Read::of(&world, &a, "chart.docx", &docx(&body, &more));
    let wanted = format!("before\n\nHarvest\n\nBaskets\n\n{TABLE}\n\nafter");
    assert!(read.text.contains(&wanted), "{}", read.text);
    assert!(!read.said.contains("left out"), "{}", read.said);
    // In a cell, its table is text of the cell.
    let cell = format!("<w:tbl><w:tr><w:tc>{DRAWN}</w:tc></w:tr></w:tbl>");
    let read = Read::of(&world, &a, "cell.docx", &docx(&cell, &more));
    read.has_once(&["| before Harvest Baskets plums pears spring 3 5 autumn 4.4 6.5 |"]);
}

#[test]
fn charts_of_every_kind_have_their_values() {
    let world = World::new();
    let a = laptop(&world, "a");
    let points = |x: &[&str], y: &[&str], more: &str| {
        let (x, y) = (cache("numLit", x), cache("numLit", y));
        format!("<c:ser><c:xVal>{x}</c:xVal><c:yVal>{y}</c:yVal>{more}</c:ser>")
    };
    let sizes = format!("<c:bubbleSize>{}</c:bubbleSize>", cache("numLit", &["70"]));
    let levels = "<c:ser><c:cat><c:multiLvlStrRef><c:multiLvlStrCache><c:lvl><c:pt idx=\"0\"><c:v>Q1\
        </c:v></c:pt><c:pt idx=\"1\"><c:v>Q2</c:v></c:pt></c:lvl><c:lvl><c:pt idx=\"0\"><c:v>2024\
        </c:v></c:pt></c:lvl></c:multiLvlStrCache></c:multiLvlStrRef></c:cat><c:val>";
    let levels = format!("{levels}{}</c:val></c:ser>", cache("numLit", &["8", "9"]));
    let dated = "<c:ser><c:cat><c:numLit><c:formatCode>d/m/yyyy</c:formatCode><c:pt idx=\"0\">\
        <c:v>44197</c:v></c:pt></c:numLit></c:cat><c:val>";
    let dated = format!("{dated}{}</c:val></c:ser>", cache("numLit", &["11"]));
    let pie = series(0, "share", &["oak", "elm"], &["60", "40"]);
    for (kind, inner, wanted) in [
        ("pieChart", pie, "|  | share |\n| --- | --- |\n| oak | 60 |\n| elm | 40 |"),
        ("scatterChart", points(&["1", "2"], &["10", "20"], ""), "| 1 | 10 |\n| 2 | 20 |"),
        ("bubbleChart", points(&["1"], &["10"], &sizes), "| 1 | 10 | 70 |"),
        ("lineChart", levels, "| 2024 | Q1 | 8 |\n|  | Q2 | 9 |"),
        ("areaChart", dated, "| 2021-01-01 | 11 |"),
    ] {
        let more = [beside(), ("word/charts/chart1.xml", chart("Words", kind, &inner, "Axis"))];
        let read = Read::of(&world, &a, "kind.docx", &docx(DRAWN, &more));
        read.has_once(&["Words", "Axis", wanted]);
        assert!(!read.said.contains("left out"), "{kind}: {}", read.said);
    }
}

#[test]
fn the_values_of_a_chart_are_shown_by_the_code_that_it_keeps() {
    let world = World::new();
    let a = laptop(&world, "a");
    for (kept, code, own, wanted) in [
        ("0.25", "0%", "", "25%"),
        ("0.0725", "0.00%", "", "7.25%"),
        ("1234567.5", "#,##0.00", "", "1,234,567.50"),
        ("-5", "$0.00;($0.00)", "", "($5.00)"),
        ("12.5", "0.0\\ [$€-407]", "", "12.5 €"),
        ("0.75", "h:mm", "", "18:00"),
        ("1.5", "[h]:mm", "", "36:00"),
        ("44197", "yyyy\\-mm\\-dd", "", "2021-01-01"),
        ("3", "0.0", "0%", "300%"),
        ("4.4000000000000004", "General", "", "4.4"),
        ("0.5", "# ?/?", "", "0.5"),
    ] {
        let own = if own.is_empty() { String::new() } else { format!(" formatCode=\"{own}\"") };
        let inner = format!(
            "<c:ser><c:cat>{}</c:cat><c:val><c:numRef><c:f>Plan!A1</c:f><c:numCache><c:formatCode>\
             {code}</c:formatCode><c:pt idx=\"0\"{own}><c:v>{kept}</c:v></c:pt></c:numCache>\
             </c:numRef></c:val></c:ser>",
            cache("strLit", &["oak"])
        );
        let part = chart("Words", "barChart", &inner, "Axis");
        let more = [beside(), ("word/charts/chart1.xml", part)];
        let read = Read::of(&world, &a, "format.docx", &docx(DRAWN, &more));
        let row = format!("| oak | {wanted} |");
        assert!(read.text.contains(&row), "{kept} {code}: {}", read.text);
    }
}

#[test]
fn a_broken_chart_costs_only_itself() {
    let world = World::new();
    let a = laptop(&world, "a");
    let empty = "<c:ser><c:val><c:numRef><c:f>Plan!A1</c:f></c:numRef></c:val></c:ser>";
    for part in ["<c:chartSpace>".to_owned(), String::new(), chart("", "barChart", empty, "")] {
        let more = [beside(), ("word/charts/chart1.xml", part.clone())];
        let body = DRAWN.to_owned() + &p("after");
        let read = Read::of(&world, &a, "broken.docx", &docx(&body, &more));
        read.has_once(&["before", "after"]);
        assert!(read.said.contains("left out of the text: charts"), "{part}: {}", read.said);
    }
    let object = "<office:text><text:p>before<draw:frame><draw:object xlink:href=\"./Object 1\"/>\
        </draw:frame></text:p></office:text>";
    let torn = [("Object 1/content.xml", "<office:body>".to_owned())];
    for more in [&torn[..], &[]] {
        let read = Read::of(&world, &a, "broken.odt", &odf("text", object, more));
        read.has_once(&["before"]);
        assert!(read.said.contains("left out of the text: embedded objects"), "{}", read.said);
    }
}

#[test]
fn a_chart_of_a_slide_is_a_table_where_it_stands() {
    let world = World::new();
    let a = laptop(&world, "a");
    let frame = "<p:graphicFrame><a:graphic><a:graphicData><c:chart r:id=\"c\"/></a:graphicData>\
        </a:graphic></p:graphicFrame>";
    let inner = shape("<p:ph type=\"title\"/>", "Report") + frame + &shape("", "below");
    let parts = [
        (
            "ppt/presentation.xml",
            element("p:presentation", "<p:sldIdLst><p:sldId id=\"1\" r:id=\"s\"/></p:sldIdLst>"),
        ),
        ("ppt/_rels/presentation.xml.rels", relations(&[("s", "slide", "slides/slide1.xml")])),
        (
            "ppt/slides/slide1.xml",
            element("p:sld", &format!("<p:cSld><p:spTree>{inner}</p:spTree></p:cSld>")),
        ),
        ("ppt/slides/_rels/slide1.xml.rels", relations(&[("c", "chart", "../charts/chart7.xml")])),
        ("ppt/charts/chart7.xml", harvest()),
    ];
    let read = Read::of(&world, &a, "chart.pptx", &zipped(&parts));
    let wanted = format!("## Report\n\nHarvest\n\nBaskets\n\n{TABLE}\n\nbelow");
    assert!(read.text.contains(&wanted), "{}", read.text);
    assert!(!read.said.contains("left out"), "{}", read.said);
}

/// The chart of an OpenDocument file, whose values stand in these cells.
fn open_chart(cells: &str) -> String {
    let row = |texts: [&str; 3]| {
        let cell = |text: &str| match text.parse::<f64>() {
            Ok(_) => {
                format!("<table:table-cell office:value-type=\"float\" office:value=\"{text}\"/>")
            }
            Err(_) => format!("<table:table-cell><text:p>{text}</text:p></table:table-cell>"),
        };
        format!("<table:table-row>{}</table:table-row>", texts.map(cell).concat())
    };
    let rows =
        [["", "plums", "pears"], ["spring", "3.0", "5"], ["autumn", "4.4000000000000004", "6.5"]];
    content(&format!(
        "<office:body><office:chart><chart:chart><chart:title><text:p>Harvest</text:p></chart:title>\
         <chart:plot-area><chart:axis><chart:title><text:p>Baskets</text:p></chart:title></chart:axis>\
         <chart:series chart:values-cell-range-address=\"{cells}\"/></chart:plot-area>\
         <table:table table:name=\"local-table\">{}</table:table></chart:chart></office:chart>\
         </office:body>",
        rows.map(row).concat()
    ))
}

const OBJECT: &str = "<draw:frame><draw:object xlink:href=\"./Object 1\"/><draw:image \
    xlink:href=\"./ObjectReplacements/Object 1\"/></draw:frame>";

#[test]
fn charts_and_sheets_in_open_documents_are_tables_where_they_stand() {
    let world = World::new();
    let a = laptop(&world, "a");
    let more = [("Object 1/content.xml", open_chart("local-table.$B$2:.$B$3"))];
    let said = format!("Harvest\n\nBaskets\n\n{TABLE}");
    let text =
        format!("<office:text><text:p>before{OBJECT}</text:p><text:p>after</text:p></office:text>");
    let read = Read::of(&world, &a, "chart.odt", &odf("text", &text, &more));
    assert!(read.text.contains(&format!("before\n\n{said}\n\nafter")), "{}", read.text);
    assert_eq!(read.said, "");
    let slides = format!(
        "<office:presentation><draw:page draw:name=\"One\">{OBJECT}</draw:page>\
         </office:presentation>"
    );
    let read = Read::of(&world, &a, "chart.odp", &odf("presentation", &slides, &more));
    assert!(read.text.contains(&format!("## One\n\n{said}")), "{}", read.text);
    let cell = |text: &str| format!("<table:table-cell><text:p>{text}</text:p></table:table-cell>");
    let sheet = format!(
        "<office:body><office:spreadsheet><table:table table:name=\"Sheet1\"><table:table-row>{}{}\
         <table:table-cell table:number-columns-repeated=\"1022\"/></table:table-row>\
         <table:table-row table:number-rows-repeated=\"2\">{}{}</table:table-row>\
         <table:table-row table:number-rows-repeated=\"65000\"><table:table-cell/></table:table-row>\
         </table:table><table:table table:name=\"Sheet2\"/></office:spreadsheet></office:body>",
        cell("tree"),
        cell("age"),
        cell("oak"),
        cell("90")
    );
    let more = [("Object 1/content.xml", content(&sheet))];
    let read = Read::of(&world, &a, "sheet.odt", &odf("text", &text, &more));
    let wanted = "before\n\n| tree | age |\n| --- | --- |\n| oak | 90 |\n| oak | 90 |\n\nafter";
    assert!(read.text.contains(wanted), "{}", read.text);
    read.lacks(&["Sheet1", "Sheet2"]);
    let table = format!(
        "<office:text><table:table><table:table-row><table:table-cell><text:p>cell{OBJECT}</text:p>\
         </table:table-cell></table:table-row></table:table></office:text>"
    );
    let read = Read::of(&world, &a, "cell.odt", &odf("text", &table, &more));
    read.has_once(&["| cell tree age oak 90 oak 90 |"]);
    // A formula is no table.
    let more = [("Object 1/content.xml", "<math><mi>x</mi></math>".to_owned())];
    let read = Read::of(&world, &a, "formula.odt", &odf("text", &text, &more));
    insta::assert_snapshot!(whole(&read.said), @"warning: left out of the text: embedded objects");
}

/// Their values stand in the cells of the sheets already.
#[test]
fn charts_on_sheets_have_their_words_and_values_once() {
    let world = World::new();
    let a = laptop(&world, "a");
    let sheet = format!(
        "<office:spreadsheet><table:table table:name=\"Plan\"><table:table-row><table:table-cell \
         office:value-type=\"string\"><text:p>plums</text:p>{OBJECT}</table:table-cell>\
         </table:table-row></table:table></office:spreadsheet>"
    );
    for (cells, times) in [("Plan.$B$2:.$B$3", 1), ("local-table.$B$2:.$B$3", 2)] {
        let more = [("Object 1/content.xml", open_chart(cells))];
        let read = Read::of(&world, &a, "chart.ods", &odf("spreadsheet", &sheet, &more));
        read.has_once(&["Harvest", "Baskets"]);
        assert_eq!(read.text.matches("plums").count(), times, "{cells}: {}", read.text);
    }
    let main = format!("xmlns=\"{TRANSITIONAL}/spreadsheetml/2006/main\" {}", names(TRANSITIONAL));
    let cell = "<sheetData><row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>plums</t></is></c></row>\
        </sheetData>";
    let book = |name: &str, second: &str, chart: String| {
        let sheets = format!(
            "<sheets><sheet name=\"{name}\" sheetId=\"1\" r:id=\"a\"/><sheet name=\"Drawn\" \
             sheetId=\"2\" r:id=\"b\"/></sheets>"
        );
        let folder = format!("{second}s");
        let part = format!("xl/{folder}/b.xml");
        let beside = format!("xl/{folder}/_rels/b.xml.rels");
        let target = format!("{folder}/b.xml");
        let rels = [("a", "worksheet", "worksheets/a.xml"), ("b", second, target.as_str())];
        let drawing = "<xdr:graphicFrame><a:graphic><c:chart r:id=\"c\"/></a:graphic>\
            </xdr:graphicFrame>";
        let charts = relations(&[("c", "chart", "../charts/chart1.xml")]);
        zipped(&[
            ("[Content_Types].xml", "<Types/>".to_owned()),
            ("_rels/.rels", relations(&[("x", "officeDocument", "xl/workbook.xml")])),
            ("xl/workbook.xml", format!("<workbook {main}>{sheets}</workbook>")),
            ("xl/_rels/workbook.xml.rels", relations(&rels)),
            ("xl/worksheets/a.xml", format!("<worksheet {main}>{cell}</worksheet>")),
            (part.as_str(), format!("<{second} {main}><sheetData/></{second}>")),
            (beside.as_str(), relations(&[("d", "drawing", "../drawings/d.xml")])),
            ("xl/drawings/d.xml", element("xdr:wsDr", drawing)),
            ("xl/drawings/_rels/d.xml.rels", charts),
            ("xl/charts/chart1.xml", chart),
        ])
    };
    for (name, second, times) in
        [("Plan", "worksheet", 1), ("Other", "worksheet", 2), ("Plan", "chartsheet", 1)]
    {
        let read = Read::of(&world, &a, "chart.xlsx", &book(name, second, harvest()));
        read.has_once(&["## Drawn", "Harvest", "Baskets"]);
        assert_eq!(read.text.matches("plums").count(), times, "{name} {second}: {}", read.text);
        assert!(!read.said.contains("left out"), "{}", read.said);
    }
    let read = Read::of(&world, &a, "torn.xlsx", &book("Plan", "worksheet", "<torn".to_owned()));
    read.has_once(&["plums"]);
    assert!(read.said.contains("left out of the text: charts"), "{}", read.said);
}
