//! The text of other programs' files, as markdown.
//!
//! Invariant: pure, bytes in, text out; nothing is fetched, run or written. Hostile files cost time
//! and memory: `machine::extractor` runs this in a process that limits both. All it knows of the
//! origin is the file name and content type (`Hints`).

mod archive;
mod blocks;
mod charts;
mod counting;
mod docx;
mod drawing;
mod epub;
mod extracted;
mod format;
mod formulas;
mod html;
mod html_element;
mod html_forms;
mod html_tables;
mod links;
mod mathml;
mod number_formats;
mod odf;
mod operators;
mod parts;
mod pdf;
mod pictures;
mod plain;
mod pptx;
mod sheets;
mod slide_lists;
mod unreadable;
mod values;
mod widths;
mod xhtml;
mod xml;
mod zipped;

pub use extracted::{Extracted, Hints, Omitted};
pub use format::FileFormat;
pub use unreadable::Unreadable;

use std::collections::BTreeSet;

/// Whether a file is its own text, so that reading it costs no more than its length.
pub fn is_plain(bytes: &[u8], hints: &Hints) -> bool {
    let is_other = bytes.starts_with(b"PK")
        || is_pdf(bytes)
        || pictures::format(bytes, hints).is_some()
        || hints.content_type.as_deref().is_some_and(|kind| kind.contains("html"));
    !is_other && std::str::from_utf8(bytes).is_ok() && !html::is_html(bytes, &hints.name)
}

/// The text of a file, by its content, or else by its name. The text of a picture is its own title
/// or description, and usually empty.
pub fn extract(bytes: &[u8], hints: &Hints) -> Result<Extracted, Unreadable> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Unreadable::Empty);
    }
    let extracted = match bytes {
        _ if is_pdf(bytes) => pdf::read(bytes),
        [b'P', b'K', 3, 4, ..] => zipped::read(bytes),
        _ if bytes.starts_with(OLE) => old_office(bytes, &hints.name),
        _ if bytes.starts_with(br"{\rtf") => {
            let (what, instead) = ("rich text (.rtf)".to_owned(), "save it as .docx");
            Err(Unreadable::Other { what, instead })
        }
        _ if hints.name.to_lowercase().ends_with(".pdf") => {
            Err(Unreadable::Broken("PDF", "it has no PDF header".to_owned()))
        }
        _ => match (pictures::format(bytes, hints), plain::binary(bytes)) {
            (Some(format), _) => return Ok(pictures::read(bytes, format)),
            (None, Some(kind)) => Err(Unreadable::Unknown(kind)),
            (None, None) => Ok(text(bytes, hints)),
        },
    }?;
    let text = match extracted.format.ending() {
        Some(_) => tidied(&extracted.text),
        // The document is all that is kept.
        None => as_it_stands(&extracted.text),
    };
    match extracted.format {
        _ if !text.is_empty() => {}
        FileFormat::Pdf => return Err(Unreadable::NoText),
        _ => return Err(blank(&extracted.omitted, bytes)),
    }
    let title = extracted.title.map(|title| title.split_whitespace().collect::<Vec<_>>().join(" "));
    Ok(Extracted { text, title: title.filter(|title| !title.is_empty()), ..extracted })
}

/// Why a file has no text that may have other things.
fn blank(omitted: &BTreeSet<Omitted>, bytes: &[u8]) -> Unreadable {
    let kinds = omitted.iter().map(|kind| kind.name());
    let kinds: Vec<&str> = kinds.chain(zipped::has_pictures(bytes).then_some("pictures")).collect();
    if kinds.is_empty() { Unreadable::Blank } else { Unreadable::Only(kinds.join(", ")) }
}

/// A text in any encoding; `None` for bytes that are not text.
pub fn decoded(bytes: &[u8]) -> Option<String> {
    let is_other = is_pdf(bytes) || bytes.starts_with(OLE) || pictures::raster(bytes).is_some();
    (!is_other && plain::binary(bytes).is_none()).then(|| plain::decoded(bytes, None))
}

/// The first bytes of Office files from before 2007, and of those with a password.
const OLE: &[u8] = &[0xd0, 0xcf, 0x11, 0xe0];

/// Sheets are read; there is no reader for old text documents and presentations.
fn old_office(bytes: &[u8], name: &str) -> Result<Extracted, Unreadable> {
    // The names of an old container's parts are UTF-16.
    let holds = |part: &str| {
        let wide: Vec<u8> = part.encode_utf16().flat_map(u16::to_le_bytes).collect();
        memchr::memmem::find(bytes, &wide).is_some()
    };
    if holds("EncryptedPackage") || holds("EncryptionInfo") {
        return Err(Unreadable::Encrypted);
    }
    let (what, instead) = match () {
        () if holds("Workbook") || holds("Book") => return sheets::read(bytes, FileFormat::Xls),
        () if holds("WordDocument") => ("an old Word document (.doc)", "save it as .docx"),
        () if holds("PowerPoint Document") => ("an old presentation (.ppt)", "save it as .pptx"),
        () if name.to_lowercase().ends_with(".msg") => ("an Outlook message", "save it as text"),
        () => ("an old Office file", "save it as .docx, .xlsx or .pptx"),
    };
    Err(Unreadable::Other { what: what.to_owned(), instead })
}

fn text(bytes: &[u8], hints: &Hints) -> Extracted {
    let says_html = hints.content_type.as_deref().is_some_and(|kind| kind.contains("html"));
    if says_html || html::is_html(bytes, &hints.name) {
        return html::read(bytes, hints.content_type.as_deref());
    }
    plain::read(bytes, hints)
}

/// LF line endings, no control characters; blanks and empty lines matter in markdown and code.
fn as_it_stands(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let is_kept = |letter: &char| matches!(letter, '\t' | '\n') || !letter.is_control();
    let text: String = text.chars().filter(is_kept).collect();
    text.trim_matches('\n').to_owned()
}

/// Where a word may be divided at the end of a line.
const SOFT: char = '\u{ad}';

/// LF line endings, no control characters, no trailing blanks, at most one empty line.
fn tidied(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    let mut empty = 0;
    for line in text.replace("\r\n", "\n").replace('\r', "\n").lines() {
        // A soft hyphen is invisible, and divides a word for a search.
        let is_kept = |letter: &char| *letter == '\t' || *letter != SOFT && !letter.is_control();
        let line: String = line.chars().filter(is_kept).collect();
        let line = line.trim_end();
        empty = if line.is_empty() { empty + 1 } else { 0 };
        if empty < 2 {
            tidy.push_str(line);
            tidy.push('\n');
        }
    }
    tidy.trim_matches('\n').to_owned()
}

/// Other bytes may precede the header.
fn is_pdf(bytes: &[u8]) -> bool {
    memchr::memmem::find(&bytes[..bytes.len().min(1024)], b"%PDF-").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, bytes: &[u8]) -> Result<Extracted, Unreadable> {
        extract(bytes, &Hints { name: name.to_owned(), content_type: None })
    }

    #[test]
    fn texts_by_their_bytes_and_names() {
        let html = read("x", b"<!doctype html><title>A  title</title><p>One <b>two</b></p>")
            .expect("text");
        assert_eq!((html.format, html.title.as_deref()), (FileFormat::Html, Some("A title")));
        assert_eq!(html.text, "One **two**");
        let code = read("a.rs", b"fn main() {}\r\n").expect("text");
        assert_eq!(
            (code.format, code.text.as_str()),
            (FileFormat::Code, "```rust\nfn main() {}\n```")
        );
        let kept = read("a.md", b"\r\n# A\r\n\r\n\r\n\r\nb  \r\nc\r\n").expect("text").text;
        assert_eq!(kept, "# A\n\n\n\nb  \nc");
        assert_eq!(read("a.txt", b" \n"), Err(Unreadable::Empty));
        let picture = read("a.png", b"\x89PNG\r\n\x1a\n\0\0").expect("a picture");
        assert_eq!((picture.format, picture.text.as_str()), (FileFormat::Png, ""));
        assert!(matches!(read("a.pdf", b"%PDF-1.4 nonsense"), Err(Unreadable::Broken("PDF", _))));
        assert!(read("a.docx", b"PK\x03\x04nonsense").is_err());
    }

    #[test]
    fn a_text_is_one_in_any_encoding() {
        let utf16: Vec<u8> = "Café\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let marked = [&b"\xff\xfe"[..], &utf16].concat();
        assert_eq!(decoded(&marked).as_deref(), Some("Café\n"));
        assert_eq!(decoded(&utf16).as_deref(), Some("Café\n"));
        assert_eq!(decoded(b"Un caf\xe9 tr\xe8s bon").as_deref(), Some("Un café très bon"));
        assert_eq!(decoded("Café".as_bytes()).as_deref(), Some("Café"));
        assert_eq!(decoded(b"").as_deref(), Some(""));
        assert_eq!((decoded(b"%PDF-1.4\n"), decoded(b"\x89PNG\r\n\x1a\n\0\0")), (None, None));
    }

    /// These begin like a BMP, GIF, executable, MP3, archive and font.
    #[test]
    fn a_text_may_begin_as_a_file_of_another_kind_does() {
        for text in ["BMW is a car", "GIFT ideas", "MZ: a city", "ID3 tags", "BZh", "OTTO", "fLaC"]
        {
            assert_eq!(read("a.md", text.as_bytes()).expect("text").text, text);
        }
        assert!(matches!(read("a.md", b"BM\xff\xfe\xfd\xfc\xfb\xfa"), Err(Unreadable::Unknown(_))));
        let picture = read("a.md", b"GIF89a\x01\0\x01\0").expect("a picture");
        assert_eq!(picture.format, FileFormat::Gif);
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_are_a_panic(bytes: Vec<u8>, kind in 0..3) {
            let bytes = match kind { 0 => bytes, 1 => [&b"<html>"[..], &bytes].concat(), _ => [&b"PK\x03\x04"[..], &bytes].concat() };
            let _ = read("x", &bytes);
        }
    }
}
