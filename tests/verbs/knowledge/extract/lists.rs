//! Numbered lists of OpenDocument files and slides: each item has the number that a reader sees.

use crate::support::{
    World,
    office::{Read, content, docx, element, odf, relations, zipped},
    ready::laptop,
};

fn level(at: u32, attributes: &str) -> String {
    format!("<text:list-level-style-number text:level=\"{at}\" {attributes}/>")
}

fn style(name: &str, levels: &str) -> String {
    format!("<text:list-style style:name=\"{name}\">{levels}</text:list-style>")
}

fn item(text: &str) -> String {
    format!("<text:list-item><text:p>{text}</text:p></text:list-item>")
}

fn list(attributes: &str, items: &str) -> String {
    format!("<text:list {attributes}>{items}</text:list>")
}

/// A text with these styles of its own.
fn odt(styles: &str, body: &str) -> Vec<u8> {
    let styles = format!("<office:automatic-styles>{styles}</office:automatic-styles>");
    let body = format!("<office:body><office:text>{body}</office:text></office:body>");
    zipped(&[
        ("mimetype", "application/vnd.oasis.opendocument.text".to_owned()),
        ("content.xml", content(&(styles + &body))),
    ])
}

#[test]
fn items_of_open_documents_have_their_numbers() {
    let world = World::new();
    let a = laptop(&world, "a");
    let decimal = "style:num-format=\"1\" style:num-suffix=\".\"";
    let named = "text:style-name=\"L\"";
    let two = item("one") + &item("two");
    let nested = format!(
        "<text:list-item><text:p>one</text:p>{}</text:list-item>{}",
        list("", &two.replace("one", "inner").replace("two", "other")),
        item("two")
    );
    for (levels, body, wanted) in [
        (level(1, decimal), list(named, &two), "1. one\n2. two"),
        (
            level(1, "style:num-format=\"a\" style:num-prefix=\"(\" style:num-suffix=\")\""),
            list(named, &two),
            "(a) one\n(b) two",
        ),
        (
            level(1, "style:num-format=\"I\" text:start-value=\"4\""),
            list(named, &two),
            "IV one\nV two",
        ),
        (
            level(1, decimal)
                + &level(
                    2,
                    "style:num-format=\"1\" style:num-suffix=\")\" text:display-levels=\"2\"",
                ),
            list(named, &nested),
            "1. one\n  1.1) inner\n  1.2) other\n2. two",
        ),
        (
            level(1, decimal),
            list(
                named,
                &item("one").replace("<text:list-item>", "<text:list-item text:start-value=\"7\">"),
            ),
            "7. one",
        ),
        (
            level(1, decimal),
            list(named, &item("one").replace("</text:p>", "</text:p><text:p>more</text:p>")),
            "1. one\n  more",
        ),
        (level(1, "style:num-format=\"\""), list(named, &two), "- one\n- two"),
        (
            level(1, decimal),
            format!(
                "<table:table><table:table-row><table:table-cell>{}</table:table-cell>\
                </table:table-row></table:table>",
                list(named, &two)
            ),
            "| 1. one 2. two |",
        ),
    ] {
        let read = Read::of(&world, &a, "list.odt", &odt(&style("L", &levels), &body));
        assert!(read.text.contains(wanted), "{wanted}: {}", read.text);
    }
}

#[test]
fn a_list_goes_on_after_a_paragraph_only_if_it_says_so() {
    let world = World::new();
    let a = laptop(&world, "a");
    let decimal = level(1, "style:num-format=\"1\" style:num-suffix=\".\"");
    let styles = style("L", &decimal) + &style("M", &decimal);
    let between = "<text:p>between</text:p>";
    let first = list("text:style-name=\"L\" xml:id=\"x\"", &item("one"));
    for (second, wanted) in [
        (list("text:style-name=\"L\"", &item("two")), "1. two"),
        (list("text:style-name=\"L\" text:continue-numbering=\"true\"", &item("two")), "2. two"),
        (list("text:style-name=\"M\" text:continue-numbering=\"true\"", &item("two")), "1. two"),
        (
            list("text:style-name=\"M\"", &item("aside"))
                + &list("text:style-name=\"L\" text:continue-list=\"x\"", &item("two")),
            "2. two",
        ),
        (
            list("text:style-name=\"L\" text:continue-numbering=\"true\"", &item("two"))
                + between
                + &list("text:style-name=\"L\" text:continue-numbering=\"true\"", &item("three")),
            "2. two\n\nbetween\n\n3. three",
        ),
    ] {
        let body = [first.as_str(), between, second.as_str()].concat();
        let read = Read::of(&world, &a, "broken.odt", &odt(&styles, &body));
        let wanted = format!("1. one\n\nbetween\n\n{}", wanted);
        let found = read.text.replace("1. aside\n", "");
        assert!(found.contains(&wanted), "{wanted}: {}", read.text);
    }
}

/// The styles of paragraphs and of shapes name lists as well, in the part that texts share.
#[test]
fn lists_have_the_styles_of_paragraphs_and_shapes() {
    let world = World::new();
    let a = laptop(&world, "a");
    let decimal = level(1, "style:num-format=\"1\" style:num-suffix=\".\"");
    let common = format!(
        "{}<style:style style:name=\"P\" style:family=\"paragraph\" style:list-style-name=\"L\"/>\
         <style:style style:name=\"O\" style:family=\"presentation\"><style:graphic-properties>{}\
         </style:graphic-properties></style:style>",
        style("L", &decimal),
        style("O", &decimal)
    );
    let shared = content(&format!("<office:styles>{common}</office:styles>"));
    let styled = item("one").replace("<text:p>", "<text:p text:style-name=\"P\">");
    let body = format!("<office:text>{}</office:text>", list("", &styled));
    let more = [("styles.xml", shared)];
    let read = Read::of(&world, &a, "style.odt", &odf("text", &body, &more));
    read.has_once(&["1. one"]);
    let slides = format!(
        "<office:presentation><draw:page draw:name=\"Plan\"><draw:frame \
         presentation:style-name=\"O\"><draw:text-box>{}</draw:text-box></draw:frame></draw:page>\
         </office:presentation>",
        list("", &(item("one") + &item("two")))
    );
    let read = Read::of(&world, &a, "style.odp", &odf("presentation", &slides, &more));
    read.has_once(&["1. one\n2. two"]);
}

/// A slide whose only shape is like the first one of its layout.
fn slide(paragraphs: &str, layout: &str, master: &str) -> Vec<u8> {
    let shape = |style: &str, text: &str| {
        format!(
            "<p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph idx=\"1\"/></p:nvPr></p:nvSpPr><p:txBody>\
             <a:lstStyle>{style}</a:lstStyle>{text}</p:txBody></p:sp></p:spTree></p:cSld>"
        )
    };
    zipped(&[
        (
            "ppt/presentation.xml",
            element("p:presentation", "<p:sldIdLst><p:sldId id=\"1\" r:id=\"s\"/></p:sldIdLst>"),
        ),
        ("ppt/_rels/presentation.xml.rels", relations(&[("s", "slide", "slides/slide1.xml")])),
        ("ppt/slides/slide1.xml", element("p:sld", &shape("", paragraphs))),
        (
            "ppt/slides/_rels/slide1.xml.rels",
            relations(&[("l", "slideLayout", "../slideLayouts/l.xml")]),
        ),
        ("ppt/slideLayouts/l.xml", element("p:sldLayout", &shape(layout, ""))),
        (
            "ppt/slideLayouts/_rels/l.xml.rels",
            relations(&[("m", "slideMaster", "../slideMasters/m.xml")]),
        ),
        (
            "ppt/slideMasters/m.xml",
            element("p:sldMaster", &format!("<p:bodyStyle>{master}</p:bodyStyle>")),
        ),
    ])
}

#[test]
fn paragraphs_of_slides_have_their_numbers() {
    let world = World::new();
    let a = laptop(&world, "a");
    let p = |level: u32, number: &str, text: &str| {
        format!("<a:p><a:pPr lvl=\"{level}\">{number}</a:pPr><a:r><a:t>{text}</a:t></a:r></a:p>")
    };
    let digits = "<a:buAutoNum type=\"arabicPeriod\"/>";
    let letters = "<a:buAutoNum type=\"alphaLcParenR\"/>";
    let roman = "<a:buAutoNum type=\"romanUcParenBoth\" startAt=\"3\"/>";
    let first = format!("<a:lvl1pPr>{digits}</a:lvl1pPr>");
    let two = |number: &str| p(0, number, "one") + &p(0, number, "two");
    for (paragraphs, layout, master, wanted) in [
        (two(digits), "", "", "1. one\n2. two"),
        (two(roman), "", "", "(III) one\n(IV) two"),
        (
            p(0, digits, "one")
                + &p(1, letters, "inner")
                + &p(1, letters, "other")
                + &p(0, digits, "two"),
            "",
            "",
            "1. one\n  a) inner\n  b) other\n2. two",
        ),
        (
            two(digits) + &p(0, "", "plain") + &p(0, digits, "three"),
            "",
            "",
            "2. two\n\nplain\n\n1. three",
        ),
        (p(0, digits, "one") + &p(0, digits, "") + &p(0, digits, "two"), "", "", "1. one\n2. two"),
        (two(""), first.as_str(), "", "1. one\n2. two"),
        (two(""), "", first.as_str(), "1. one\n2. two"),
        (two("<a:buNone/>"), first.as_str(), "", "one\n\ntwo"),
    ] {
        let read = Read::of(&world, &a, "list.pptx", &slide(&paragraphs, layout, master));
        assert!(read.text.contains(wanted), "{wanted}: {}", read.text);
    }
}

#[test]
fn headings_of_open_documents_have_their_numbers() {
    let world = World::new();
    let a = laptop(&world, "a");
    let level = |at: u32, attributes: &str| {
        format!("<text:outline-level-style text:level=\"{at}\" {attributes}/>")
    };
    let h = |level: u32, attributes: &str, text: &str| {
        format!("<text:h text:outline-level=\"{level}\" {attributes}>{text}</text:h>")
    };
    let digits = "style:num-format=\"1\"";
    let inner = "style:num-format=\"1\" text:display-levels=\"2\"";
    let usual = level(1, digits) + &level(2, inner);
    let body = h(1, "", "Start") + &h(2, "", "One") + &h(2, "", "Two") + &h(1, "", "End");
    for (levels, body, wanted) in [
        (usual.clone(), body.clone(), "# 1 Start\n\n## 1.1 One\n\n## 1.2 Two\n\n# 2 End"),
        (
            level(1, "style:num-format=\"I\" style:num-suffix=\".\"")
                + &level(2, "style:num-format=\"\""),
            body.clone(),
            "# I. Start\n\n## One\n\n## Two\n\n# II. End",
        ),
        (
            level(1, "style:num-format=\"A\" style:num-prefix=\"Part \" style:num-suffix=\":\""),
            body.clone(),
            "# Part A: Start\n\n## One",
        ),
        (
            usual.clone(),
            h(1, "", "1 Start") + &h(2, "", "1.1 One") + &h(2, "", "Two"),
            "# 1 Start\n\n## 1.1 One\n\n## 1.2 Two",
        ),
        (
            usual.clone(),
            h(1, "text:is-list-header=\"true\"", "Preface") + &h(1, "", "Start"),
            "# Preface\n\n# 1 Start",
        ),
        (
            usual,
            h(1, "text:restart-numbering=\"true\" text:start-value=\"4\"", "Start")
                + &h(2, "", "One"),
            "# 4 Start\n\n## 4.1 One",
        ),
        (String::new(), body, "# Start\n\n## One\n\n## Two\n\n# End"),
    ] {
        let shared = format!(
            "<office:styles><text:outline-style>{levels}</text:outline-style></office:styles>"
        );
        let body = format!("<office:text>{body}</office:text>");
        let bytes = odf("text", &body, &[("styles.xml", content(&shared))]);
        let read = Read::of(&world, &a, "headings.odt", &bytes);
        assert!(read.text.contains(wanted), "{wanted}: {}", read.text);
    }
}

#[test]
fn headings_of_letters_have_the_numbers_of_their_styles() {
    let world = World::new();
    let a = laptop(&world, "a");
    let style = |level: u32, number: &str| {
        format!(
            "<w:style w:type=\"paragraph\" w:styleId=\"Heading{level}\"><w:name w:val=\"heading {level}\"/>\
             <w:pPr>{number}<w:outlineLvl w:val=\"{}\"/></w:pPr></w:style>",
            level - 1
        )
    };
    let number = |deep: &str, list: &str| format!("<w:numPr>{deep}{list}</w:numPr>");
    let level = |at: u32, format: &str, pattern: &str| {
        format!(
            "<w:lvl w:ilvl=\"{at}\"><w:start w:val=\"1\"/><w:numFmt w:val=\"{format}\"/>\
             <w:pStyle w:val=\"Heading{}\"/><w:lvlText w:val=\"{pattern}\"/></w:lvl>",
            at + 1
        )
    };
    let h = |level: u32, more: &str, text: &str| {
        format!(
            "<w:p><w:pPr><w:pStyle w:val=\"Heading{level}\"/>{more}</w:pPr><w:r><w:t>{text}</w:t></w:r>\
             </w:p>"
        )
    };
    let (one, second) = ("<w:numId w:val=\"1\"/>", "<w:ilvl w:val=\"1\"/>");
    let usual = style(1, &number("", one)) + &style(2, &number(second, one));
    let linked = style(1, &number("", one)) + &style(2, &number("", one));
    let digits = level(0, "decimal", "%1") + &level(1, "decimal", "%1.%2");
    let body = h(1, "", "Start") + &h(2, "", "One") + &h(2, "", "Two") + &h(1, "", "End");
    let none = number("", "<w:numId w:val=\"0\"/>");
    let all = "# 1 Start\n\n## 1.1 One\n\n## 1.2 Two\n\n# 2 End";
    for (styles, levels, body, wanted) in [
        (usual.clone(), digits.clone(), body.clone(), all),
        (linked, digits.clone(), body.clone(), all),
        (
            usual.clone(),
            level(0, "upperRoman", "Part %1:") + &level(1, "lowerLetter", "%2)"),
            body.clone(),
            "# Part I: Start\n\n## a) One\n\n## b) Two\n\n# Part II: End",
        ),
        (
            usual.clone(),
            digits.clone(),
            h(1, "", "1 Start") + &h(2, "", "1.1. One") + &h(2, "", "Two"),
            "# 1 Start\n\n## 1.1. One\n\n## 1.2 Two",
        ),
        (
            usual,
            digits.clone(),
            h(1, &none, "Preface") + &h(1, "", "Start"),
            "# Preface\n\n# 1 Start",
        ),
        (
            style(1, "") + &style(2, ""),
            digits.clone(),
            h(1, &number("", one), "Start") + &h(2, "", "One"),
            "# 1 Start\n\n## One",
        ),
        (style(1, "") + &style(2, ""), digits, body, "# Start\n\n## One\n\n## Two\n\n# End"),
    ] {
        let numbering = format!(
            "<w:abstractNum w:abstractNumId=\"0\">{levels}</w:abstractNum><w:num w:numId=\"1\">\
             <w:abstractNumId w:val=\"0\"/></w:num>"
        );
        let more = [
            ("word/styles.xml", element("w:styles", &styles)),
            ("word/numbering.xml", element("w:numbering", &numbering)),
        ];
        let read = Read::of(&world, &a, "headings.docx", &docx(&body, &more));
        assert!(read.text.contains(wanted), "{wanted}: {}", read.text);
    }
}
