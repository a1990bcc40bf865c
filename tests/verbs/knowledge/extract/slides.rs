//! Slides have their notes, and are called by their titles or by names that people gave them;
//! others are set apart.

use crate::support::{
    World,
    office::{Read, docx, element, odf, p, relations, shape, zipped},
    ready::laptop,
};
use std::fs;

/// A presentation of slides with these shapes.
fn pptx(slides: &[String]) -> Vec<u8> {
    let places: Vec<(String, String)> =
        (0..slides.len()).map(|at| (format!("s{at}"), format!("slides/s{at}.xml"))).collect();
    let listed: Vec<(&str, &str, &str)> =
        places.iter().map(|(id, place)| (id.as_str(), "slide", place.as_str())).collect();
    let id = |(id, _): &(String, String)| format!("<p:sldId id=\"1\" r:id=\"{id}\"/>");
    let ids: String = places.iter().map(id).collect();
    let mut parts = vec![
        (
            "ppt/presentation.xml".to_owned(),
            element("p:presentation", &format!("<p:sldIdLst>{ids}</p:sldIdLst>")),
        ),
        ("ppt/_rels/presentation.xml.rels".to_owned(), relations(&listed)),
    ];
    for ((_, place), shapes) in places.iter().zip(slides) {
        let slide = format!("<p:cSld><p:spTree>{shapes}</p:spTree></p:cSld>");
        parts.push((format!("ppt/{place}"), element("p:sld", &slide)));
    }
    let parts: Vec<(&str, String)> =
        parts.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
    zipped(&parts)
}

#[test]
fn a_slide_without_a_title_is_set_apart() {
    let world = World::new();
    let a = laptop(&world, "a");
    let text = |text: &str| shape("", text);
    let titled = |title: &str, below: &str| shape("<p:ph type=\"title\"/>", title) + &text(below);
    for (slides, wanted) in [
        (vec![text("one"), text("two")], "one\n\n---\n\ntwo"),
        (vec![titled("First", "one"), text("two")], "## First\n\none\n\n---\n\ntwo"),
        (vec![text("one"), titled("Second", "two")], "one\n\n## Second\n\ntwo"),
        (vec![text("one"), String::new(), text("three")], "one\n\n---\n\nthree"),
        (vec![titled(" ", "one"), titled("Slide 2", "two")], "one\n\n## Slide 2\n\ntwo"),
    ] {
        let read = Read::of(&world, &a, "talk.pptx", &pptx(&slides));
        assert_eq!(read.text.trim(), wanted);
    }
}

#[test]
fn a_slide_has_a_name_only_from_a_person() {
    let world = World::new();
    let a = laptop(&world, "a");
    let text = "<draw:frame><draw:text-box><text:p>oneword</text:p></draw:text-box></draw:frame>";
    let title = "<draw:frame presentation:class=\"title\"><draw:text-box><text:p>Titleword</text:p>\
        </draw:text-box></draw:frame>";
    let empty = title.replace("Titleword", "");
    for (name, shapes, wanted) in [
        ("page1", text.to_owned(), "oneword"),
        ("page", text.to_owned(), "oneword"),
        ("Slide 3", text.to_owned(), "oneword"),
        ("Folie 2", text.to_owned(), "oneword"),
        ("Budget", text.to_owned(), "## Budget\n\noneword"),
        ("page1", text.to_owned() + title, "## Titleword\n\noneword"),
        ("Budget", title.to_owned() + text, "## Titleword\n\noneword"),
        ("Budget", empty + text, "## Budget\n\noneword"),
    ] {
        let page = format!("<draw:page draw:name=\"{name}\">{shapes}</draw:page>");
        let other = "<draw:page draw:name=\"page2\"><draw:frame><draw:text-box><text:p>twoword</text:p>\
            </draw:text-box></draw:frame></draw:page>";
        let slides = format!("<office:presentation>{page}{other}</office:presentation>");
        let read = Read::of(&world, &a, "talk.odp", &odf("presentation", &slides, &[]));
        assert_eq!(read.text.trim(), format!("{wanted}\n\n---\n\ntwoword"), "{name}");
    }
}

/// A shape that every slide has, with this text.
fn around(kind: &str, text: &str) -> String {
    shape(&format!("<p:ph type=\"{kind}\" sz=\"quarter\" idx=\"11\"/>"), text)
}

#[test]
fn footers_and_dates_of_slides_are_named_where_they_are_left_out() {
    let world = World::new();
    let a = laptop(&world, "a");
    for (kind, text, is_named) in [
        ("ftr", "Footword Ltd", true),
        ("dt", "12 May 2026", true),
        ("dt", "2026-05-12", true),
        ("hdr", "Headword", true),
        ("ftr", "", false),
        ("ftr", " ", false),
        ("dt", "", false),
        ("sldNum", "7", false),
    ] {
        let slide = shape("", "bodyword") + &around(kind, text);
        let read = Read::of(&world, &a, "talk.pptx", &pptx(&[slide]));
        assert_eq!(read.text.trim(), "bodyword", "{kind} {text:?}");
        let told = read.said.contains("left out of the text: headers and footers");
        assert_eq!(told, is_named, "{kind} {text:?}: {}", read.said);
    }
}

#[test]
fn a_file_with_nothing_but_footers_is_not_called_damaged() {
    let world = World::new();
    let a = laptop(&world, "a");
    let header = |kind: &str, name: &'static str, text: &str| {
        docx("<w:p/>", &[(name, element(&format!("w:{kind}"), &p(text)))])
    };
    for (name, bytes, is_damaged) in [
        ("foot.pptx", pptx(&[around("ftr", "Footword Ltd")]), false),
        ("date.pptx", pptx(&[around("dt", "12 May 2026"), String::new()]), false),
        ("both.pptx", pptx(&[around("dt", "12 May") + &around("ftr", "Footword")]), false),
        ("head.docx", header("hdr", "word/header.xml", "Headword"), false),
        ("foot.docx", header("ftr", "word/footer.xml", "Footword"), false),
        ("number.pptx", pptx(&[around("sldNum", "7")]), true),
        ("bare.docx", docx("<w:p/>", &[]), true),
    ] {
        let file = world.path(name);
        fs::write(&file, bytes).expect("written");
        let said = a.fails(6, &["knowledge", "add", file.to_str().expect("a path")]);
        let besides = said.contains("it contains no text to read, only headers and footers");
        assert_eq!(besides, !is_damaged, "{name}: {said}");
        assert_eq!(said.contains("it is empty, or damaged"), is_damaged, "{name}: {said}");
    }
}

#[test]
fn slides_have_their_notes_and_each_formula_once() {
    let world = World::new();
    let a = laptop(&world, "a");
    let formula = "<p:sp><p:txBody><a:p><a:r><a:t>before </a:t></a:r><mc:AlternateContent>\
        <mc:Choice Requires=\"a14\"><a14:m><m:oMath><m:r><m:t>sumword</m:t></m:r></m:oMath></a14:m>\
        </mc:Choice><mc:Fallback><a:r><a:t>sumword</a:t></a:r></mc:Fallback></mc:AlternateContent>\
        </a:p></p:txBody></p:sp>";
    let both = format!(
        "<mc:AlternateContent><mc:Choice Requires=\"a14\">{0}</mc:Choice><mc:Fallback>{0}\
         </mc:Fallback></mc:AlternateContent>",
        shape("", "wholeword")
    );
    let slide =
        |inner: &str| element("p:sld", &format!("<p:cSld><p:spTree>{inner}</p:spTree></p:cSld>"));
    let notes = |inner: &str| {
        let around = "<p:sp><p:nvSpPr><p:nvPr><p:ph type=\"sldImg\"/></p:nvPr></p:nvSpPr></p:sp>";
        element(
            "p:notes",
            &format!("{around}{inner}{}", shape("<p:ph type=\"sldNum\"/>", "pagenumber")),
        )
    };
    let inners = [
        shape("<p:ph type=\"title\"/>", "Headline") + formula + &both,
        shape("<p:ph type=\"ftr\"/>", "footword"),
        format!("<p:grpSp>{}</p:grpSp>", shape("", "groupword")),
        "<p:graphicFrame><a:graphic><c:chart r:id=\"x\"/></a:graphic></p:graphicFrame>".to_owned(),
    ];
    let spoken = [
        shape("<p:ph type=\"body\" idx=\"1\"/>", "bodynote"),
        shape("<p:ph idx=\"1\"/>", "untypednote"),
        shape("", "plainnote"),
        format!("<p:grpSp>{}</p:grpSp>", shape("", "groupnote")),
    ];
    let ids: String = (0..4).map(|at| format!("<p:sldId id=\"{at}\" r:id=\"s{at}\"/>")).collect();
    let places: Vec<[String; 5]> = (0..4)
        .map(|at| {
            [
                format!("s{at}"),
                format!("slides/slide{at}.xml"),
                format!("ppt/slides/slide{at}.xml"),
                format!("ppt/slides/_rels/slide{at}.xml.rels"),
                format!("ppt/notesSlides/notes{at}.xml"),
            ]
        })
        .collect();
    let listed: Vec<(&str, &str, &str)> =
        places.iter().map(|[id, place, ..]| (id.as_str(), "slide", place.as_str())).collect();
    let mut parts = vec![
        (
            "ppt/presentation.xml",
            element("p:presentation", &format!("<p:sldIdLst>{ids}</p:sldIdLst>")),
        ),
        ("ppt/_rels/presentation.xml.rels", relations(&listed)),
    ];
    for (at, [_, _, path, beside, note]) in places.iter().enumerate() {
        parts.push((path.as_str(), slide(&inners[at])));
        let target = format!("/{note}");
        parts.push((beside.as_str(), relations(&[("n", "notesSlide", target.as_str())])));
        parts.push((note.as_str(), notes(&spoken[at])));
    }
    let read = Read::of(&world, &a, "talk.pptx", &zipped(&parts));
    read.has_once(&["## Headline", "before sumword", "wholeword", "groupword"]);
    read.has_once(&[
        "Notes: bodynote",
        "Notes: untypednote",
        "Notes: plainnote",
        "Notes: groupnote",
    ]);
    read.lacks(&["pagenumber", "footword"]);
    assert!(read.said.contains("left out of the text: charts"), "{}", read.said);
}
