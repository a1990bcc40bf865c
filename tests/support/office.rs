//! Office files that are made part by part, and the text that co reads in them.

use super::{Laptop, World};
use std::{
    fs,
    io::{Cursor, Write},
};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

pub fn zipped(parts: &[(&str, String)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, text) in parts {
        zip.start_file(*name, stored).expect("a part");
        zip.write_all(text.as_bytes()).expect("its text");
    }
    zip.finish().expect("a zip").into_inner()
}

/// The text of the document that a file becomes, and what was said about it.
pub struct Read {
    pub text: String,
    pub said: String,
}

impl Read {
    pub fn of(world: &World, a: &Laptop, name: &str, bytes: &[u8]) -> Read {
        let file = world.path(name);
        fs::write(&file, bytes).expect("written");
        let file = file.to_str().expect("a path");
        let said = a.try_co(&["knowledge", "add", file, "--topic", "articles/read"]);
        assert_eq!(said.code, 0, "{name}: {}", said.err);
        let text = a.read("knowledge/articles/read.md");
        a.co(&["knowledge", "delete", "articles/read"]);
        let text = text.splitn(3, "---\n").nth(2).unwrap_or_default().to_owned();
        Read { text, said: said.err }
    }

    /// Each of these words is there once.
    pub fn has_once(&self, words: &[&str]) {
        for word in words {
            assert_eq!(self.text.matches(word).count(), 1, "{word}: {}", self.text);
        }
    }

    pub fn lacks(&self, words: &[&str]) {
        for word in words {
            assert!(!self.text.contains(word), "{word}: {}", self.text);
        }
    }
}

/// The names of the transitional form of Office Open XML.
pub const TRANSITIONAL: &str = "http://schemas.openxmlformats.org";

/// The names of its strict form.
pub const STRICT: &str = "http://purl.oclc.org/ooxml";

pub fn names(form: &str) -> String {
    let year = if form == STRICT { "" } else { "/2006" };
    [("w", "wordprocessingml"), ("p", "presentationml"), ("a", "drawingml"), ("xdr", "drawingml")]
        .map(|(prefix, kind)| format!("xmlns:{prefix}=\"{form}/{kind}{year}/main\" "))
        .concat()
        + &format!(
            "xmlns:r=\"{form}/officeDocument{year}/relationships\" \
             xmlns:m=\"{form}/officeDocument{year}/math\" \
             xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\" \
             xmlns:wps=\"http://schemas.microsoft.com/office/word/2010/wordprocessingShape\" \
             xmlns:a14=\"http://schemas.microsoft.com/office/drawing/2010/main\" \
             xmlns:v=\"urn:schemas-microsoft-com:vml\" \
             xmlns:o=\"urn:schemas-microsoft-com:office:office\" \
             xmlns:dgm=\"{form}/drawingml{year}/diagram\" xmlns:c=\"{form}/drawingml{year}/chart\""
        )
}

pub fn element(name: &str, inner: &str) -> String {
    format!("<?xml version=\"1.0\"?><{name} {}>{inner}</{name}>", names(TRANSITIONAL))
}

pub fn relations(those: &[(&str, &str, &str)]) -> String {
    let one = |(id, kind, target): &(&str, &str, &str)| {
        format!(
            "<Relationship Id=\"{id}\" Target=\"{target}\" \
             Type=\"{TRANSITIONAL}/officeDocument/2006/relationships/{kind}\"/>"
        )
    };
    let all: String = those.iter().map(one).collect();
    format!(
        "<Relationships xmlns=\"{TRANSITIONAL}/package/2006/relationships\">{all}</Relationships>"
    )
}

pub fn docx(body: &str, more: &[(&'static str, String)]) -> Vec<u8> {
    let body = element("w:document", &format!("<w:body>{body}</w:body>"));
    let mut parts = vec![("word/document.xml", body)];
    parts.extend(more.iter().cloned());
    zipped(&parts)
}

pub fn p(text: &str) -> String {
    format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")
}

pub fn shape(kind: &str, text: &str) -> String {
    format!(
        "<p:sp><p:nvSpPr><p:nvPr>{kind}</p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>{text}</a:t>\
         </a:r></a:p></p:txBody></p:sp>"
    )
}

/// The content of an OpenDocument file, or of an object in one.
pub fn content(body: &str) -> String {
    let of =
        |name: &str| format!("xmlns:{name}=\"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0\" ");
    let names: String =
        ["office", "text", "table", "draw", "style", "presentation", "chart", "svg", "xlink"]
            .map(of)
            .concat();
    format!(
        "<?xml version=\"1.0\"?><!DOCTYPE office:document-content PUBLIC \"-//x\" \"office.dtd\">\
         <office:document-content {names}>{body}</office:document-content>"
    )
}

/// An OpenDocument file of a kind.
pub fn odf(kind: &str, body: &str, more: &[(&'static str, String)]) -> Vec<u8> {
    let content = content(&format!("<office:body>{body}</office:body>"));
    let mut parts = vec![
        ("mimetype", format!("application/vnd.oasis.opendocument.{kind}")),
        ("META-INF/manifest.xml", "<manifest:manifest/>".to_owned()),
        ("content.xml", content),
    ];
    parts.extend(more.iter().cloned());
    zipped(&parts)
}
