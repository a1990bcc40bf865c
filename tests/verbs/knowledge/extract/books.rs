//! Books and pages: every chapter, formulas on one line, and the controls of forms.

use crate::support::{
    World,
    office::{Read, zipped},
    ready::laptop,
};
use std::fs;

const CONTAINER: &str = "<container><rootfiles><rootfile full-path=\"OEBPS/book.opf\"/></rootfiles>\
    </container>";

/// A book whose list of contents refers to its chapters like this.
fn book(chapters: &[(&str, &str, &str)], more: &[(&'static str, String)]) -> Vec<u8> {
    let item = |(at, (reference, ..)): (usize, &(&str, &str, &str))| {
        format!("<item id=\"i{at}\" href=\"{reference}\" media-type=\"application/xhtml+xml\"/>")
    };
    let items: String = chapters.iter().enumerate().map(item).collect();
    let refs: String =
        (0..chapters.len()).map(|at| format!("<itemref idref=\"i{at}\"/>")).collect();
    let list = format!(
        "<?xml version=\"1.0\"?><!DOCTYPE package PUBLIC \"-//x//DTD\" \"x.dtd\" \
         [ <!ENTITY a \"&b;&b;\"> ]><package><metadata><title>Bound</title></metadata>\
         <manifest>{items}</manifest><spine>{refs}</spine></package>"
    );
    let mut parts =
        vec![("META-INF/container.xml", CONTAINER.to_owned()), ("OEBPS/book.opf", list)];
    for (_, name, text) in chapters {
        let page = format!(
            "<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title/>\
             <script src=\"x.js\"/></head><body>{text}</body></html>"
        );
        parts.push((*name, page));
    }
    parts.extend(more.iter().cloned());
    zipped(&parts)
}

#[test]
fn every_chapter_of_a_book_is_read() {
    let world = World::new();
    let a = laptop(&world, "a");
    let chapters = [
        ("../Text/a.xhtml", "Text/a.xhtml", "<p>firstword</p>"),
        ("b.xhtml#part", "OEBPS/b.xhtml", "<p>second<a id=\"q\"/>word</p><aside>noteword</aside>"),
        ("./c%20d.xhtml", "OEBPS/c d.xhtml", "<main><p>thirdword</p></main><p>outsideword</p>"),
        ("E.XHTML", "OEBPS/e.xhtml", "<p><![CDATA[fourth & word]]></p><footer>footword</footer>"),
        ("/OEBPS/f.xhtml", "OEBPS/f.xhtml", "<section><a id=\"x\"/><p>fifthword</p></section>"),
    ];
    let read = Read::of(&world, &a, "book.epub", &book(&chapters, &[]));
    read.has_once(&["firstword", "secondword", "noteword", "thirdword", "outsideword"]);
    read.has_once(&["fourth & word", "footword", "fifthword"]);
    assert!(!read.said.contains("missing"), "{}", read.said);
    // Fonts are hidden in many books; chapters that are encrypted cannot be read.
    let hidden = |method: &str, part: &str| {
        let text = format!(
            "<encryption><EncryptedData><EncryptionMethod Algorithm=\"{method}\"/><CipherData>\
             <CipherReference URI=\"{part}\"/></CipherData></EncryptedData></encryption>"
        );
        book(&chapters, &[("META-INF/encryption.xml", text)])
    };
    let aes = "http://www.w3.org/2001/04/xmlenc#aes128-cbc";
    for (method, part) in [
        ("http://www.idpf.org/2008/embedding", "OEBPS/Fonts/a.otf"),
        ("http://ns.adobe.com/pdf/enc#RC", "OEBPS/Fonts/a.otf"),
        (aes, "OEBPS/Images/cover.jpg"),
    ] {
        let read = Read::of(&world, &a, "fonts.epub", &hidden(method, part));
        read.has_once(&["firstword"]);
    }
    let file = world.path("locked.epub");
    fs::write(&file, hidden(aes, "OEBPS/c%20d.xhtml")).expect("written");
    let said = a.fails(6, &["knowledge", "add", file.to_str().expect("a path")]);
    assert!(said.contains("encrypted"), "{said}");
}

#[test]
fn formulas_of_books_and_pages_are_written_on_one_line() {
    let world = World::new();
    let a = laptop(&world, "a");
    let sum = "<mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow>";
    for (formula, wanted) in [
        ("<mfrac><mi>a</mi><mi>b</mi></mfrac>".to_owned(), "a/b"),
        (format!("<mfrac>{sum}<mrow><mn>2</mn><mi>c</mi></mrow></mfrac>"), "(a+b)/(2c)"),
        (format!("<mfrac>\n  {sum}\n  <mi>c</mi>\n</mfrac>"), "(a+b)/c"),
        ("<mfrac><mn>1</mn><mn>2</mn></mfrac><mi>x</mi>".to_owned(), "1/2 x"),
        ("<msup><mi>x</mi><mn>2</mn></msup>".to_owned(), "x^2"),
        (format!("<msup><mi>x</mi>{sum}</msup>"), "x^(a+b)"),
        (format!("<msup><mfenced>{sum}</mfenced><mn>2</mn></msup>"), "(a+b)^2"),
        ("<msub><mi>x</mi><mi>i</mi></msub>".to_owned(), "x_i"),
        ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>".to_owned(), "x_i^2"),
        ("<msqrt><mn>1</mn><mo>&minus;</mo><mi>x</mi></msqrt>".to_owned(), "√(1−x)"),
        (format!("<msqrt>{sum}</msqrt>"), "√(a+b)"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>".to_owned(), "x^(1/3)"),
        ("<mfenced><mi>a</mi><mi>b</mi></mfenced>".to_owned(), "(a,b)"),
        (
            "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd>\
             <mtd><mn>4</mn></mtd></mtr></mtable>"
                .to_owned(),
            "1, 2; 3, 4",
        ),
        (
            "<munderover><mo>&#x2211;</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi>\
             </munderover><mi>i</mi>"
                .to_owned(),
            "∑_(i=1)^n i",
        ),
        (
            format!("<semantics>{sum}<annotation>\\frac sourceword</annotation></semantics>"),
            "a+b",
        ),
        ("<mi>sin</mi><mo>&#x2061;</mo><mi>x</mi>".to_owned(), "sin x"),
    ] {
        let math = format!(
            "<p>Before <math xmlns=\"http://www.w3.org/1998/Math/MathML\" alttext=\"altword\">{formula}\
             </math> after</p>"
        );
        let wanted = format!("Before {wanted} after");
        let chapters = [("a.xhtml", "OEBPS/a.xhtml", math.as_str())];
        let read = Read::of(&world, &a, "formula.epub", &book(&chapters, &[]));
        read.has_once(&[wanted.as_str()]);
        let page = format!("<!doctype html><html><body>{math}</body></html>");
        let read = Read::of(&world, &a, "formula.html", page.as_bytes());
        assert_eq!(read.text.trim(), wanted, "{formula}");
    }
}

#[test]
fn the_controls_of_pages_are_text() {
    let world = World::new();
    let a = laptop(&world, "a");
    for (form, wanted) in [
        ("<label for=\"n\">Nameword</label><input id=\"n\">", "Nameword"),
        ("<button>Saveword</button><button>Undoword</button>", "Saveword Undoword"),
        (
            "<label>Tree</label><select><option>Oak</option><option>Elm</option></select>",
            "Tree Oak, Elm",
        ),
        ("<select><option>Oak</option><option selected=\"\">Elm</option></select>", "Elm"),
        ("<fieldset><legend>Kind</legend></fieldset><label>Size</label>", "Size"),
    ] {
        let form = format!("<form action=\"x\">{form}</form>");
        let page = format!(
            "<!doctype html><html><body><nav><button>Menuword</button></nav><p>bodyword</p>{form}\
             <footer><label>Footword</label></footer></body></html>"
        );
        let read = Read::of(&world, &a, "form.html", page.as_bytes());
        read.has_once(&["bodyword", wanted]);
        read.lacks(&["Menuword", "Footword"]);
        let chapters = [("a.xhtml", "OEBPS/a.xhtml", form.as_str())];
        Read::of(&world, &a, "form.epub", &book(&chapters, &[])).has_once(&[wanted]);
    }
}
