//! `co knowledge add` of office files, made here part by part: all of their text is there once, and
//! what is left out is named.

use crate::support::{
    World,
    office::{Read, STRICT, TRANSITIONAL, docx, element, names, odf, p, relations, zipped},
    ready::laptop,
    terminal::screen,
    whole::whole,
};
use std::{fs, io::Write};

#[test]
fn what_a_letter_has_in_boxes_controls_and_notes_is_read_once() {
    let world = World::new();
    let a = laptop(&world, "a");
    let boxed = |text: &str| format!("<w:txbxContent>{}</w:txbxContent>", p(text));
    let both = format!(
        "<w:p><w:r><w:t>anchor </w:t></w:r><w:r><mc:AlternateContent><mc:Choice Requires=\"wps\">\
         <w:drawing><wps:wsp><wps:txbx>{0}</wps:txbx></wps:wsp></w:drawing></mc:Choice>\
         <mc:Fallback><w:pict><v:shape><v:textbox>{0}</v:textbox></v:shape></w:pict></mc:Fallback>\
         </mc:AlternateContent></w:r><w:r><w:t>anchored</w:t></w:r></w:p>",
        boxed("boxword")
    );
    let fallback = format!(
        "<w:p><w:r><mc:AlternateContent><mc:Choice Requires=\"x\"/><mc:Fallback><w:pict><v:textbox>\
         {}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>",
        boxed("vmlword")
    );
    let control =
        |inner: &str| format!("<w:sdt><w:sdtPr/><w:sdtContent>{inner}</w:sdtContent></w:sdt>");
    let cell = |text: &str| format!("<w:tc>{}</w:tc>", p(text));
    let row = |cells: &str| format!("<w:tr>{cells}</w:tr>");
    let table = format!(
        "<w:tbl>{}{}{}{}</w:tbl>",
        row(&(cell("plaincell") + &control(&cell("controlcell")))),
        control(&row(&cell("controlrow"))),
        format_args!("<w:customXml>{}</w:customXml>", row(&cell("customrow"))),
        row(&format!("<w:tc><w:tbl>{}</w:tbl><w:p/></w:tc>", row(&cell("nestedcell")))),
    );
    let gone = format!("<w:tbl><w:tr><w:trPr><w:del/></w:trPr>{}</w:tr></w:tbl>", cell("gonerow"));
    let noted = "<w:p><w:r><w:t>noted</w:t></w:r><w:r><w:footnoteReference w:id=\"2\"/></w:r>\
        <w:r><w:endnoteReference w:id=\"3\"/></w:r></w:p>";
    let notes = |all: &str, one: &str, id: &str, text: &str| {
        let separator =
            format!("<w:{one} w:id=\"0\"><w:p><w:r><w:separator/></w:r></w:p></w:{one}>");
        let note = format!("<w:{one} w:id=\"{id}\">{}{}</w:{one}>", p(text), p("second"));
        element(&format!("w:{all}"), &(separator + &note))
    };
    let body = [both, fallback, control(&p("controlword")), table, gone, noted.to_owned()].concat();
    let more = [
        ("word/footnotes.xml", notes("footnotes", "footnote", "2", "footword")),
        ("word/endnotes.xml", notes("endnotes", "endnote", "3", "endword")),
    ];
    let read = Read::of(&world, &a, "letter.docx", &docx(&body, &more));
    read.has_once(&["boxword", "vmlword", "controlword", "plaincell", "controlcell"]);
    read.has_once(&["controlrow", "customrow", "nestedcell", "footword", "endword"]);
    read.has_once(&["anchor anchored", "noted[^1][^2]", "[^1]: footword", "[^2]: endword"]);
    read.lacks(&["gonerow"]);
    assert!(!read.said.contains("left out"), "{}", read.said);
}

#[test]
fn runs_are_read_as_they_are_seen() {
    let world = World::new();
    let a = laptop(&world, "a");
    let t = |text: &str| format!("<w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r>");
    let mark = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let code = |text: &str| format!("<w:r><w:instrText>{text}</w:instrText></w:r>");
    let inner = [mark("begin"), code("PAGE"), mark("separate"), t("innerresult"), mark("end")];
    let field = [mark("begin"), code("IF codeword"), inner.concat(), mark("separate")].concat()
        + &t("outerresult")
        + &mark("end");
    let symbols = "<w:r><w:sym w:font=\"Wingdings\" w:char=\"F0FC\"/></w:r>\
        <w:r><w:sym w:font=\"Symbol\" w:char=\"F061\"/></w:r>\
        <w:r><w:rPr><w:rFonts w:ascii=\"Symbol\"/></w:rPr><w:t>\u{f062}</w:t></w:r>";
    let wrapped = |name: &str, text: &str| format!("<w:{name}>{}</w:{name}>", t(text));
    let formula = "<m:oMath><m:f><m:num><m:r><m:t>upper</m:t></m:r></m:num>\
        <m:den><m:r><m:t>lower</m:t></m:r></m:den></m:f></m:oMath>";
    let line = [
        field,
        wrapped("ins", " insword"),
        wrapped("del", " delword"),
        wrapped("moveTo", " toword"),
        wrapped("moveFrom", " fromword"),
        wrapped("smartTag", " smartword"),
        wrapped("fldSimple", " simpleword"),
        wrapped("hyperlink", " linkword"),
        wrapped("customXml", " customword"),
        symbols.to_owned(),
        "<w:r><w:tab/><w:t>tabbed</w:t><w:br/><w:t>soft</w:t><w:softHyphen/><w:t>ened</w:t></w:r>"
            .to_owned(),
        t("so\u{ad}fter <!-- x -->comment"),
        formula.to_owned(),
        "<w:r><w:ruby><w:rt><w:r><w:t>reading</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>base</w:t>\
         </w:r></w:rubyBase></w:ruby></w:r>"
            .to_owned(),
    ];
    let body = format!("<w:p>{}</w:p>", line.concat());
    let read = Read::of(&world, &a, "runs.docx", &docx(&body, &[]));
    read.has_once(&["outerresult", "insword", "toword", "smartword", "simpleword", "linkword"]);
    read.has_once(&["customword✓αβ", "\ttabbed", "softened", "softer comment"]);
    read.has_once(&["upper/lower", "base(reading)"]);
    read.lacks(&["innerresult", "codeword", "PAGE", "delword", "fromword"]);
    // A field that never ends hides nothing.
    let open = format!("<w:p>{}{}</w:p>{}", mark("begin"), field_of("kept"), p("afterword"));
    let read = Read::of(&world, &a, "open.docx", &docx(&open, &[]));
    read.has_once(&["kept", "afterword"]);
}

fn field_of(text: &str) -> String {
    let mark = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    format!("{}{}<w:r><w:t>{text}</w:t></w:r>{}", mark("begin"), mark("separate"), mark("end"))
}

#[test]
fn items_of_a_list_have_their_numbers() {
    let world = World::new();
    let a = laptop(&world, "a");
    let level = |at: u32, format: &str, pattern: &str| {
        format!(
            "<w:lvl w:ilvl=\"{at}\"><w:start w:val=\"1\"/><w:numFmt w:val=\"{format}\"/>\
             <w:lvlText w:val=\"{pattern}\"/></w:lvl>"
        )
    };
    let numbering = element(
        "w:numbering",
        &format!(
            "<w:abstractNum w:abstractNumId=\"0\">{}{}</w:abstractNum><w:abstractNum \
             w:abstractNumId=\"1\">{}</w:abstractNum><w:num w:numId=\"4\"><w:abstractNumId \
             w:val=\"0\"/></w:num><w:num w:numId=\"5\"><w:abstractNumId w:val=\"1\"/></w:num>",
            level(0, "decimal", "%1."),
            level(1, "lowerRoman", "%2)"),
            level(0, "bullet", "o"),
        ),
    );
    let item = |list: u32, deep: u32, text: &str| {
        format!(
            "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"{deep}\"/><w:numId w:val=\"{list}\"/></w:numPr>\
             </w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"
        )
    };
    let body = [
        item(4, 0, "boil"),
        item(4, 1, "water"),
        item(4, 1, "milk"),
        item(5, 0, "aside"),
        item(4, 0, "pour"),
        item(0, 0, "out of it"),
        item(9, 0, "unknown"),
    ];
    let more = [("word/numbering.xml", numbering)];
    let read = Read::of(&world, &a, "list.docx", &docx(&body.concat(), &more));
    let wanted = "1. boil\n  i) water\n  ii) milk\n- aside\n2. pour\n\nout of it\n\n- unknown";
    assert!(read.text.contains(wanted), "{}", read.text);
}

#[test]
fn the_strict_form_and_moved_parts_are_read() {
    let world = World::new();
    let a = laptop(&world, "a");
    let strict = format!(
        "<w:document {}><w:body>{}<w:p><w:r><w:footnoteReference w:id=\"1\"/></w:r></w:p></w:body>\
         </w:document>",
        names(STRICT),
        p("strictword")
    );
    let kind = |kind: &str| format!("{STRICT}/officeDocument/relationships/{kind}");
    let note = element("w:footnotes", &format!("<w:footnote w:id=\"1\">{}</w:footnote>", p("fn")));
    let bytes = zipped(&[
        (
            "_rels/.rels",
            format!(
                "<Relationships><Relationship Id=\"a\" Type=\"{}\" Target=\"/word/document2.xml\"/>\
                 </Relationships>",
                kind("officeDocument")
            ),
        ),
        ("word/document2.xml", strict),
        (
            "word/_rels/document2.xml.rels",
            format!(
                "<Relationships><Relationship Id=\"b\" Type=\"{}\" Target=\"notes/Foot.xml\"/>\
                 </Relationships>",
                kind("footnotes")
            ),
        ),
        ("word/notes/foot.xml", note),
    ]);
    let read = Read::of(&world, &a, "strict.docx", &bytes);
    read.has_once(&["strictword", "[^1]: fn"]);
}

#[test]
fn what_a_letter_keeps_for_itself_is_named() {
    let world = World::new();
    let a = laptop(&world, "a");
    let comment = element("w:comments", &format!("<w:comment>{}</w:comment>", p("reviewword")));
    let chart = "<w:p><w:r><w:drawing><c:chart r:id=\"c\"/></w:drawing></w:r></w:p>";
    let object = "<w:p><w:r><w:object><o:OLEObject/></w:object></w:r></w:p>";
    let diagram = "<w:p><w:r><w:drawing><dgm:relIds r:dm=\"d\"/></w:drawing></w:r></w:p>";
    let points = element(
        "dgm:dataModel",
        "<dgm:ptLst><dgm:pt><dgm:t><a:p><a:r><a:t>pointword</a:t></a:r></a:p></dgm:t></dgm:pt>\
         </dgm:ptLst>",
    );
    let chunks = "<w:altChunk r:id=\"html\"/><w:altChunk r:id=\"mht\"/>";
    let all = relations(&[
        ("d", "diagramData", "diagrams/data1.xml"),
        ("html", "aFChunk", "/word/chunk.html"),
        ("mht", "aFChunk", "chunk.mht"),
        ("h", "header", "header1.xml"),
        ("f", "footer", "footer1.xml"),
    ]);
    let body = [p("bodyword").as_str(), chart, object, diagram, chunks].concat();
    let more = [
        ("word/_rels/document.xml.rels", all),
        ("word/comments.xml", comment),
        ("word/header1.xml", element("w:hdr", &p("headword"))),
        ("word/footer1.xml", element("w:ftr", &p("7"))),
        ("word/diagrams/data1.xml", points),
        ("word/chunk.html", "<p>chunkword</p>".to_owned()),
        ("word/chunk.mht", "MIME-Version: 1.0".to_owned()),
    ];
    let read = Read::of(&world, &a, "named.docx", &docx(&body, &more));
    read.has_once(&["bodyword", "pointword", "chunkword"]);
    read.lacks(&["reviewword", "headword"]);
    insta::assert_snapshot!(whole(&read.said), @"warning: left out of the text: charts, comments, embedded documents, embedded objects, headers and footers");
    let read = Read::of(&world, &a, "bare.docx", &docx(&p("bodyword"), &[]));
    assert_eq!(read.said, "");
    // A secret in a text box, a note or a cell of a control is found.
    let token = format!("ghp_{}", "9xKq2LmV7RtZ4WcY8NbJ3HdF6GsP1Qe05AuT");
    let secret = format!(
        "<w:p/><w:tbl><w:tr><w:sdt><w:sdtContent><w:tc>{}</w:tc></w:sdtContent></w:sdt></w:tr>\
         </w:tbl>",
        p(&format!("the token is {token}"))
    );
    let notes = element(
        "w:endnotes",
        &format!("<w:endnote w:id=\"1\">{}</w:endnote>", p(&format!("the token is {token}"))),
    );
    for (name, bytes) in [
        ("cell.docx", docx(&secret, &[])),
        ("note.docx", docx(&p("text"), &[("word/endnotes.xml", notes)])),
    ] {
        let file = world.path(name);
        fs::write(&file, bytes).expect("written");
        let said = a.fails(6, &["knowledge", "add", file.to_str().expect("a path")]);
        assert!(said.contains("github-pat"), "{name}: {said}");
    }
}

#[test]
fn open_documents_are_read_in_their_order() {
    let world = World::new();
    let a = laptop(&world, "a");
    let text = "<office:text><text:p>lineword<draw:custom-shape><text:p>shapeword</text:p>\
        </draw:custom-shape><draw:frame><draw:text-box><text:p>boxword</text:p></draw:text-box>\
        </draw:frame> goes on<text:note><text:note-body><text:p>noteword</text:p></text:note-body>\
        </text:note></text:p><table:table><table:table-row><table:table-cell><text:p>cellword\
        <draw:rect><text:p>rectword</text:p></draw:rect></text:p></table:table-cell>\
        </table:table-row></table:table><text:p><office:annotation><text:p>commentword</text:p>\
        </office:annotation></text:p></office:text>";
    let read = Read::of(&world, &a, "text.odt", &odf("text", text, &[]));
    read.has_once(&["lineword goes on (noteword)", "shapeword", "boxword", "cellword", "rectword"]);
    read.lacks(&["commentword"]);
    assert!(read.said.contains("left out of the text: comments"), "{}", read.said);
    let slides = "<office:presentation><draw:page draw:name=\"One\"><draw:frame><draw:text-box>\
        <text:p>slideword</text:p></draw:text-box></draw:frame><presentation:notes><draw:frame>\
        <draw:text-box><text:p>spokenword</text:p></draw:text-box></draw:frame>\
        </presentation:notes></draw:page></office:presentation>";
    let read = Read::of(&world, &a, "talk.odp", &odf("presentation", slides, &[]));
    read.has_once(&["## One", "slideword", "Notes: spokenword"]);
    let sheet = |name: &str| {
        format!(
            "<table:table table:name=\"{name}\"><table:table-row><table:table-cell \
             office:value-type=\"string\"><text:p>on {name}</text:p></table:table-cell>\
             </table:table-row></table:table>"
        )
    };
    let sheets = ["Zebra", "Adder", "Mole"].map(sheet).concat();
    let sheets = format!("<office:spreadsheet>{sheets}</office:spreadsheet>");
    let read = Read::of(&world, &a, "sheets.ods", &odf("spreadsheet", &sheets, &[]));
    let at = |word: &str| read.text.find(word).expect("it is there");
    assert!(at("on Zebra") < at("on Adder") && at("on Adder") < at("on Mole"), "{}", read.text);
}

#[test]
fn a_broken_sheet_is_named_and_text_boxes_on_sheets_are_read() {
    let world = World::new();
    let a = laptop(&world, "a");
    let main = format!("xmlns=\"{TRANSITIONAL}/spreadsheetml/2006/main\" {}", names(TRANSITIONAL));
    let cell = |text: &str| {
        format!(
            "<worksheet {main}><sheetData><row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>{text}</t>\
             </is></c></row></sheetData></worksheet>"
        )
    };
    let drawing = format!(
        "<xdr:wsDr {}><xdr:sp><xdr:txBody><a:p><a:r><a:t>boxword</a:t></a:r></a:p></xdr:txBody>\
         </xdr:sp></xdr:wsDr>",
        names(TRANSITIONAL)
    );
    let parts = |second: String| {
        let sheets = "<sheets><sheet name=\"Whole\" sheetId=\"1\" r:id=\"a\"/>\
            <sheet name=\"Torn\" sheetId=\"2\" r:id=\"b\"/></sheets>";
        let rels = [("a", "worksheet", "worksheets/a.xml"), ("b", "worksheet", "worksheets/b.xml")];
        let beside = [("d", "drawing", "../drawings/d.xml"), ("c", "comments", "../c.xml")];
        zipped(&[
            ("[Content_Types].xml", "<Types/>".to_owned()),
            ("_rels/.rels", relations(&[("x", "officeDocument", "xl/workbook.xml")])),
            ("xl/workbook.xml", format!("<workbook {main}>{sheets}</workbook>")),
            ("xl/_rels/workbook.xml.rels", relations(&rels)),
            ("xl/worksheets/a.xml", cell("cellword")),
            ("xl/worksheets/b.xml", second),
            ("xl/worksheets/_rels/a.xml.rels", relations(&beside)),
            ("xl/drawings/d.xml", drawing.clone()),
        ])
    };
    let torn = "<worksheet><sheetData><row r=\"1\"><c r=\"A1\"><v>1</x></row>".to_owned();
    let read = Read::of(&world, &a, "torn.xlsx", &parts(torn));
    read.has_once(&["## Whole", "cellword", "boxword"]);
    insta::assert_snapshot!(whole(&read.said), @r#"
    warning: missing from the file: sheet "Torn"; the rest was read
    warning: left out of the text: comments
    "#);
    let read = Read::of(&world, &a, "whole.xlsx", &parts(cell("otherword")));
    read.has_once(&["## Torn", "otherword"]);
    insta::assert_snapshot!(whole(&read.said), @"warning: left out of the text: comments");
}

/// The list of the sheets, and a drawing that many of them share, are read over and over.
#[test]
fn many_sheets_of_a_large_workbook_are_no_large_file() {
    let world = World::new();
    let a = laptop(&world, "a");
    let main = format!("xmlns=\"{TRANSITIONAL}/spreadsheetml/2006/main\" {}", names(TRANSITIONAL));
    let padding = |bytes: usize| format!("<!--{}-->", "x".repeat(bytes));
    let book = |list: usize, drawing: usize| {
        let ids: Vec<(String, String)> =
            (0..40).map(|at| (format!("r{at}"), format!("worksheets/s{at}.xml"))).collect();
        let rels: Vec<(&str, &str, &str)> =
            ids.iter().map(|(id, sheet)| (id.as_str(), "worksheet", sheet.as_str())).collect();
        let (mut sheets, mut parts) = (String::new(), Vec::new());
        for at in 0..40 {
            let number = at + 1;
            sheets
                .push_str(&format!("<sheet name=\"S{at}\" sheetId=\"{number}\" r:id=\"r{at}\"/>"));
            let cell = format!(
                "<worksheet {main}><sheetData><row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is>\
                 <t>cell{at}word</t></is></c></row></sheetData></worksheet>"
            );
            parts.push((format!("xl/worksheets/s{at}.xml"), cell));
            let beside = relations(&[("d", "drawing", "../drawings/d.xml")]);
            parts.push((format!("xl/worksheets/_rels/s{at}.xml.rels"), beside));
        }
        let sheets = format!("<sheets>{sheets}</sheets>{}", padding(list));
        let shape = "<xdr:sp><xdr:txBody><a:p><a:r><a:t>boxword</a:t></a:r></a:p></xdr:txBody>\
            </xdr:sp>";
        let drawn =
            format!("<xdr:wsDr {}>{shape}{}</xdr:wsDr>", names(TRANSITIONAL), padding(drawing));
        parts.extend([
            ("[Content_Types].xml".to_owned(), "<Types/>".to_owned()),
            ("_rels/.rels".to_owned(), relations(&[("x", "officeDocument", "xl/workbook.xml")])),
            ("xl/workbook.xml".to_owned(), format!("<workbook {main}>{sheets}</workbook>")),
            ("xl/_rels/workbook.xml.rels".to_owned(), relations(&rels)),
            ("xl/drawings/d.xml".to_owned(), drawn),
        ]);
        let parts: Vec<(&str, String)> =
            parts.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
        zipped(&parts)
    };
    let read = Read::of(&world, &a, "list.xlsx", &book(3 << 20, 0));
    read.has_once(&["cell0word", "cell39word"]);
    assert_eq!(read.text.matches("boxword").count(), 40);
    let read = Read::of(&world, &a, "drawing.xlsx", &book(0, 3 << 20));
    read.has_once(&["cell0word", "cell39word"]);
    assert!(read.text.contains("boxword"), "{}", read.text);
    assert!(read.said.contains("the drawings on sheet \"S"), "{}", read.said);
}

const SVG: &str = "<?xml version=\"1.0\"?>\n<!-- Made by hand -->\n<svg \
    xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\">\n  <title>A ship</title>\n  \
    <path d=\"M0 0L9 9\"/>\n</svg>\n";

fn untitled() -> String {
    SVG.replace("<title>A ship</title>", "")
}

#[test]
fn a_drawing_that_says_what_it_shows_needs_no_caption() {
    let world = World::new();
    let a = laptop(&world, "a");
    let long = "x".repeat(301);
    let drawing = |inner: &str| {
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{inner}<text>inside</text></svg>")
    };
    for (inner, title, text) in [
        ("<title>Tram map</title>".to_owned(), "Tram map", "Tram map"),
        ("<title>Lines</title><desc>All\n stops</desc>".to_owned(), "Lines", "All stops"),
        ("<desc>Stops by night</desc>".to_owned(), "drawing", "Stops by night"),
        (format!("<title>Net</title><desc>{long}</desc>"), "Net", "Net"),
        ("<title>R &amp; D</title>".to_owned(), "R & D", "R & D"),
    ] {
        let file = world.path("drawing.svg");
        fs::write(&file, drawing(&inner)).expect("written");
        let file = file.to_str().expect("a path");
        a.co(&["knowledge", "add", file, "--topic", "articles/drawing"]);
        let shown = a.read("knowledge/articles/drawing.md");
        assert!(shown.contains(&format!("title: {title}")), "{inner}: {shown}");
        assert!(shown.trim_end().ends_with(text), "{inner}: {shown}");
        // The person's own words come first.
        a.co(&["knowledge", "delete", "articles/drawing"]);
        a.co(&["knowledge", "add", file, "--topic", "articles/drawing", "--caption", "Mine"]);
        assert!(a.read("knowledge/articles/drawing.md").trim_end().ends_with("Mine"));
        a.co(&["knowledge", "delete", "articles/drawing"]);
    }
    for inner in ["", "<title> </title>", "<g><title>Part</title></g>", "<title>Open"] {
        let file = world.path("silent.svg");
        fs::write(&file, drawing(inner)).expect("written");
        let said = a.fails(6, &["knowledge", "add", file.to_str().expect("a path")]);
        assert!(said.contains("it is a picture"), "{inner}: {said}");
    }
    let file = world.path("silent.svg");
    fs::write(&file, drawing(&format!("<title>{long}</title>"))).expect("written");
    a.fails(6, &["knowledge", "add", file.to_str().expect("a path")]);
}

#[test]
fn an_svg_in_a_folder_or_without_a_name_is_a_picture_and_a_text_with_one_is_not() {
    let world = World::new();
    let a = laptop(&world, "a");
    let folder = world.path("pictures");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("ship.svg"), SVG).expect("written");
    fs::write(folder.join("note.md"), format!("{SVG}\nThe ship of Theseus.\n")).expect("written");
    let given = folder.to_str().expect("a path");
    let said = a.co(&["knowledge", "add", given]);
    assert!(said.contains(".svg"), "{said}");
    assert!(a.read("knowledge/articles/pictures/note.md").contains("The ship of Theseus."));
    assert!(!a.identity().join("knowledge/articles/pictures/ship.md").exists());
    let said = a.piped(&untitled(), &["knowledge", "add", "-"]);
    assert!(said.code == 6 && said.err.contains("it is a picture"), "{}", said.err);
    // What only has the name of one is what it contains.
    for (name, text) in [("page", "<!doctype html><p>A page of words"), ("words", "Only words.")] {
        let file = world.path(&format!("{name}.svg"));
        fs::write(&file, text).expect("written");
        a.co(&["knowledge", "add", file.to_str().expect("a path")]);
        assert!(a.read(&format!("knowledge/articles/{name}.md")).contains("words"));
    }
}

#[test]
fn a_picture_is_found_by_its_caption() {
    let world = World::new();
    let a = laptop(&world, "a");
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    let untitled = untitled();
    gzip.write_all(untitled.as_bytes()).expect("compressed");
    let compressed = gzip.finish().expect("compressed");
    let pictures: [(&str, &[u8]); 8] = [
        ("png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
        ("jpg", b"\xff\xd8\xff\xe0\0\x10JFIF\0"),
        ("gif", b"GIF89a\x01\0\x01\0\0\0"),
        ("webp", b"RIFF\x04\0\0\0WEBPVP8 \0"),
        ("tif", b"II*\0\x08\0\0\0\0\0"),
        ("heif", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic"),
        ("svg", untitled.as_bytes()),
        ("svgz", &compressed),
    ];
    for (ending, bytes) in pictures {
        let file = world.path(&format!("shot.{ending}"));
        fs::write(&file, bytes).expect("written");
        let file = file.to_str().expect("a path");
        let said = a.fails(6, &["knowledge", "add", file]);
        assert!(said.contains("it is a picture") && said.contains("--caption"), "{ending}: {said}");
        let caption = format!("The {ending} lighthouse at dusk");
        a.co(&["knowledge", "add", file, "--caption", &caption, "--topic", "articles/shot"]);
        let text = a.read("knowledge/articles/shot.md");
        assert!(text.contains(&caption), "{text}");
        assert!(text.contains(&format!("attachment: attachments/shot.{ending}")), "{text}");
        let kept = a.identity().join(format!("knowledge/attachments/shot.{ending}"));
        assert_eq!(fs::read(&kept).expect("kept"), bytes, "{ending}");
        let found = a.co(&["knowledge", "search", "lighthouse dusk"]);
        assert!(found.contains("articles/shot"), "{found}");
        assert!(a.co(&["knowledge", "list"]).contains("articles/shot"));
        assert_eq!(a.try_co(&["check"]).code, 0, "{}", a.try_co(&["check"]).out);
        assert_eq!(a.json(&["check"])["data"]["findings"].as_array().map(Vec::len), Some(0));
        // The same picture again, with other words.
        let again =
            a.co(&["knowledge", "add", file, "--caption", "A ship", "--topic", "articles/shot"]);
        assert!(again.contains("Updated articles/shot"), "{again}");
        assert!(a.read("knowledge/articles/shot.md").contains("A ship"));
        a.co(&["knowledge", "delete", "articles/shot"]);
        assert!(!kept.exists(), "{ending}");
    }
    let file = world.path("shot.png").display().to_string();
    let other = world.path("shot.gif").display().to_string();
    let note = world.path("note.md");
    fs::write(&note, "A note\n").expect("written");
    let note = note.display().to_string();
    a.fails(2, &["knowledge", "add", &file, &other, "--caption", "Two"]);
    a.fails(2, &["knowledge", "add", &note, "--caption", "No picture"]);
    let token = format!("ghp_{}", "9xKq2LmV7RtZ4WcY8NbJ3HdF6GsP1Qe05AuT");
    a.fails(6, &["knowledge", "add", &file, "--caption", &format!("the token {token}")]);
    // In a folder, pictures are counted; by name, one is asked about.
    let asked = screen(&a, 100, &["knowledge", "add", &file], &[("picture show", "A red kite\n")]);
    assert!(asked.contains("Added articles/shot"), "{asked}");
    assert!(a.read("knowledge/articles/shot.md").contains("A red kite"));
}

/// Relations of which each leads out of the file.
fn leading_out(those: &[(&str, &str)]) -> String {
    let those: Vec<(&str, &str, &str)> =
        those.iter().map(|(id, target)| (*id, "hyperlink", *target)).collect();
    relations(&those).replace("/>", " TargetMode=\"External\"/>")
}

#[test]
fn a_link_of_a_letter_keeps_its_address() {
    let world = World::new();
    let a = laptop(&world, "a");
    let t = |text: &str| format!("<w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r>");
    let link = |how: &str, text: &str| format!("<w:hyperlink {how}>{}</w:hyperlink>", t(text));
    let mark = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let field = |code: &str, text: &str| {
        let code = format!("<w:r><w:instrText>{code}</w:instrText></w:r>");
        [mark("begin"), code, mark("separate"), t(text), mark("end")].concat()
    };
    let line = [
        t("See "),
        link("r:id=\"out\"", "the guide"),
        t(", "),
        link("r:id=\"mail\"", "Ada"),
        t(", "),
        link("r:id=\"same\"", "https://e.org/same"),
        t(", "),
        link("w:anchor=\"part\"", "a part"),
        t(", "),
        link("r:id=\"local\"", "a file"),
        t(", "),
        field(" HYPERLINK \"https://e.org/field\" ", "a field"),
        t(", "),
        field(" HYPERLINK \\l \"part\" ", "a mark"),
        t(", "),
        format!(
            "<w:fldSimple w:instr=\"HYPERLINK https://e.org/simple\">{}</w:fldSimple>",
            t("a form")
        ),
    ];
    let noted = "<w:r><w:footnoteReference w:id=\"2\"/></w:r>";
    let body = format!("<w:p>{}{noted}</w:p>", line.concat());
    let note = format!(
        "<w:footnote w:id=\"2\"><w:p>{}</w:p></w:footnote>",
        link("r:id=\"out\"", "source")
    );
    let more = [
        (
            "word/_rels/document.xml.rels",
            leading_out(&[
                ("out", "https://e.org/guide_(new)"),
                ("mail", "mailto:ada@e.org"),
                ("same", "https://e.org/same"),
                ("local", "file:///home/ada/x.txt"),
            ]),
        ),
        ("word/footnotes.xml", element("w:footnotes", &note)),
        ("word/_rels/footnotes.xml.rels", leading_out(&[("out", "https://e.org/note")])),
    ];
    let read = Read::of(&world, &a, "links.docx", &docx(&body, &more));
    read.has_once(&[
        "See [the guide](https://e.org/guide_\\(new\\)), [Ada](mailto:ada@e.org), \
         https://e.org/same, a part, a file, [a field](https://e.org/field), a mark, \
         [a form](https://e.org/simple)[^1]",
        "[^1]: [source](https://e.org/note)",
    ]);
}

#[test]
fn links_of_slides_and_open_documents_keep_their_address() {
    let world = World::new();
    let a = laptop(&world, "a");
    let text = "<office:text><text:p>See <text:a xlink:href=\"https://e.org/odt\">the guide\
        </text:a>, <text:a xlink:href=\"#part\">a part</text:a></text:p></office:text>";
    let text =
        text.replace("<office:text>", "<office:text xmlns:xlink=\"http://www.w3.org/1999/xlink\">");
    let read = Read::of(&world, &a, "links.odt", &odf("text", &text, &[]));
    read.has_once(&["See [the guide](https://e.org/odt), a part"]);
    let run = "<p:sp><p:txBody><a:p><a:r><a:t>See </a:t></a:r><a:r><a:rPr><a:hlinkClick r:id=\"out\"/>\
        </a:rPr><a:t>the guide</a:t></a:r></a:p></p:txBody></p:sp>";
    let ids = "<p:sldIdLst><p:sldId id=\"1\" r:id=\"s\"/></p:sldIdLst>";
    let parts = [
        ("ppt/presentation.xml", element("p:presentation", ids)),
        ("ppt/_rels/presentation.xml.rels", relations(&[("s", "slide", "slides/slide1.xml")])),
        (
            "ppt/slides/slide1.xml",
            element("p:sld", &format!("<p:cSld><p:spTree>{run}</p:spTree></p:cSld>")),
        ),
        ("ppt/slides/_rels/slide1.xml.rels", leading_out(&[("out", "https://e.org/slide")])),
    ];
    let read = Read::of(&world, &a, "links.pptx", &zipped(&parts));
    read.has_once(&["See [the guide](https://e.org/slide)"]);
}

#[test]
fn a_drop_cap_is_the_first_letter_of_its_paragraph() {
    let world = World::new();
    let a = laptop(&world, "a");
    let cap = |kind: &str, letter: &str| {
        format!(
            "<w:p><w:pPr><w:framePr w:dropCap=\"{kind}\" w:lines=\"3\"/></w:pPr><w:r><w:t>{letter}\
             </w:t></w:r></w:p>"
        )
    };
    let spaced =
        |text: &str| format!("<w:p><w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r></w:p>");
    let control =
        |inner: &str| format!("<w:sdt><w:sdtPr/><w:sdtContent>{inner}</w:sdtContent></w:sdt>");
    let table = |cell: &str| format!("<w:tbl><w:tr><w:tc>{cell}</w:tc></w:tr></w:tbl>");
    let boxed = format!(
        "<w:p><w:r><w:pict><v:textbox><w:txbxContent>{}</w:txbxContent></v:textbox></w:pict></w:r>\
         <w:r><w:t>nce more</w:t></w:r></w:p>",
        p("boxword")
    );
    for (body, wanted) in [
        (cap("drop", "O") + &p("nce upon"), "Once upon"),
        (cap("margin", "O") + &p("nce upon"), "Once upon"),
        (p("before") + &cap("drop", "«É") + &p("tait") + &p("after"), "before\n\n«Était\n\nafter"),
        (cap("drop", "A") + &spaced(" cat sat"), "A cat sat"),
        (cap("drop", "The") + &spaced(" cat sat"), "The cat sat"),
        (control(&cap("drop", "O")) + &p("nce upon"), "Once upon"),
        (cap("drop", "O") + &boxed, "Once more\n\nboxword"),
        (cap("drop", "O") + &table(&p("cell")), "O\n\n| cell |\n| --- |"),
        (table(&(cap("drop", "O") + &p("nce"))) + &p("x"), "| Once |\n| --- |\n\nx"),
        (cap("none", "O") + &p("nce upon"), "O\n\nnce upon"),
        (p("x") + &cap("drop", "O"), "x\n\nO"),
    ] {
        let read = Read::of(&world, &a, "cap.docx", &docx(&body, &[]));
        assert_eq!(read.text.trim(), wanted);
    }
}

#[test]
fn the_controls_of_a_form_show_what_was_chosen() {
    let world = World::new();
    let a = laptop(&world, "a");
    let mark = |kind: &str, data: &str| {
        format!("<w:r><w:fldChar w:fldCharType=\"{kind}\">{data}</w:fldChar></w:r>")
    };
    let field = |data: &str, result: &str| {
        let data = format!("<w:ffData><w:name w:val=\"F\"/><w:enabled/>{data}</w:ffData>");
        let code = "<w:r><w:instrText>FORMFIELD</w:instrText></w:r>";
        let text = format!("<w:r><w:t>{result}</w:t></w:r>");
        [mark("begin", &data), code.to_owned(), mark("separate", ""), text, mark("end", "")]
            .concat()
    };
    let list = |choice: &str| {
        let entry = |text: &str| format!("<w:listEntry w:val=\"{text}\"/>");
        let entries = ["Red", "Green", "Blue"].map(entry).concat();
        format!("<w:ddList>{choice}{entries}</w:ddList>")
    };
    let boxed = |inner: &str| format!("<w:checkBox><w:sizeAuto/>{inner}</w:checkBox>");
    let control = |state: &str, inner: &str| {
        format!(
            "<w:sdt><w:sdtPr><w14:checkbox xmlns:w14=\"http://schemas.microsoft.com/office/word/2010/\
             wordml\"><w14:checked w14:val=\"{state}\"/></w14:checkbox></w:sdtPr><w:sdtContent><w:r>\
             {inner}</w:r></w:sdtContent></w:sdt>"
        )
    };
    let own = "<w:sym w:font=\"Wingdings 2\" w:char=\"F052\"/>";
    for (shown, wanted) in [
        (field(&list("<w:result w:val=\"2\"/>"), ""), "Blue"),
        (field(&list("<w:result w:val=\"0\"/><w:default w:val=\"1\"/>"), ""), "Red"),
        (field(&list("<w:default w:val=\"1\"/>"), ""), "Green"),
        (field(&list(""), ""), "Red"),
        (field(&list("<w:result w:val=\"2\"/>"), "Blue"), "Blue"),
        (field("<w:ddList/>", ""), ""),
        (field(&boxed("<w:default w:val=\"0\"/><w:checked/>"), ""), "[x]"),
        (field(&boxed("<w:default w:val=\"1\"/><w:checked w:val=\"0\"/>"), ""), "[ ]"),
        (field(&boxed("<w:default w:val=\"1\"/>"), ""), "[x]"),
        (field(&boxed("<w:default w:val=\"0\"/>"), ""), "[ ]"),
        (field(&boxed("<w:checked w:val=\"false\"/>"), ""), "[ ]"),
        (field("<w:textInput/>", "Ada"), "Ada"),
        (control("1", "<w:t>\u{2612}</w:t>"), "\u{2612}"),
        (control("0", "<w:t>\u{2610}</w:t>"), "\u{2610}"),
        (control("1", own), "[x]"),
        (control("0", ""), "[ ]"),
    ] {
        let body = format!(
            "<w:p><w:r><w:t xml:space=\"preserve\">before </w:t></w:r>{shown}<w:r><w:t>, after</w:t>\
             </w:r></w:p>"
        );
        let read = Read::of(&world, &a, "form.docx", &docx(&body, &[]));
        assert_eq!(read.text.trim(), format!("before {wanted}, after"));
    }
}

#[test]
fn formulas_of_letters_have_the_brackets_that_they_need() {
    let world = World::new();
    let a = laptop(&world, "a");
    let r = |text: &str| format!("<m:r><m:t>{text}</m:t></m:r>");
    let of = |name: &str, inner: &str| format!("<m:{name}>{inner}</m:{name}>");
    let e = |inner: &str| of("e", inner);
    let sign = "<m:naryPr><m:chr m:val=\"∑\"/></m:naryPr>";
    for (formula, wanted) in [
        (of("f", &(of("num", &r("a+b")) + &of("den", &r("2c")))), "(a+b)/(2c)"),
        (of("f", &(of("num", &(r("up") + &r("per"))) + &of("den", &r("b")))), "upper/b"),
        (of("rad", &(of("deg", "") + &e(&r("1-x")))), "√(1-x)"),
        (of("rad", &(of("deg", &r("3")) + &e(&r("x")))), "x^(1/3)"),
        (of("sSup", &(e(&of("d", &e(&r("a+b")))) + &of("sup", &r("2")))), "(a+b)^2"),
        (of("sSup", &(e(&r("x")) + &of("sup", &r("n+1")))), "x^(n+1)"),
        (of("sSubSup", &(e(&r("x")) + &of("sub", &r("i")) + &of("sup", &r("2")))), "x_i^2"),
        (
            of(
                "nary",
                &(sign.to_owned() + &of("sub", &r("i=1")) + &of("sup", &r("n")) + &e(&r("i"))),
            ),
            "∑_(i=1)^n i",
        ),
        (of("func", &(of("fName", &r("sin")) + &e(&r("x")))), "sin x"),
        (of("m", &(of("mr", &(e(&r("1")) + &e(&r("2")))) + &of("mr", &e(&r("3"))))), "1, 2; 3"),
        (r("x") + &format!("<w:del>{}</w:del>", r("gone")) + &r("=y"), "x=y"),
    ] {
        let body = format!("<w:p>{}</w:p>", of("oMath", &formula));
        let read = Read::of(&world, &a, "formula.docx", &docx(&body, &[]));
        assert_eq!(read.text.trim(), wanted, "{formula}");
    }
}
