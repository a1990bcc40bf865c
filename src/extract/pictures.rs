//! Which files are pictures, by their content, and what a drawing says of itself.
//!
//! Invariant: a text that begins like a picture, or has one in it, stays a text. Must not know:
//! what a picture shows.

use super::{Extracted, FileFormat, Hints, xml};
use flate2::read::GzDecoder;
use std::io::Read;

/// How many bytes have to show the first element of an SVG.
const START: usize = 64 * 1024;
/// The first bytes of an SVG that is compressed.
const GZIP: &[u8] = &[0x1f, 0x8b];

pub(super) fn format(bytes: &[u8], hints: &Hints) -> Option<FileFormat> {
    raster(bytes).or_else(|| vector(bytes, hints))
}

/// A text may begin with the three letters of a picture, but has no zeros.
pub(super) fn raster(bytes: &[u8]) -> Option<FileFormat> {
    memchr::memchr(0, &bytes[..bytes.len().min(8192)])?;
    let kind = infer::get(bytes)?.extension();
    FileFormat::PICTURES.into_iter().find(|format| format.name() == kind)
}

/// An SVG, compressed or not. Markdown and source code may begin with one as well, so a file with
/// any other ending is what its ending says.
fn vector(bytes: &[u8], hints: &Hints) -> Option<FileFormat> {
    let ending = hints.name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let is_sent = hints.content_type.as_deref().is_some_and(|kind| kind.contains("image/svg"));
    let is_named = is_sent || matches!(ending.as_deref(), Some("svg" | "svgz"));
    if bytes.starts_with(GZIP) {
        let mut start = Vec::new();
        // One that is damaged further on still begins as a picture.
        let _ = GzDecoder::new(bytes).take(START as u64).read_to_end(&mut start);
        return (is_named && begins_as_svg(&start)).then_some(FileFormat::Svgz);
    }
    let is_alone = || ending.is_none() && bytes.trim_ascii_end().ends_with(b"svg>");
    let start = &bytes[..bytes.len().min(START)];
    ((is_named || is_alone()) && begins_as_svg(start)).then_some(FileFormat::Svg)
}

/// How many letters a title or description has at most: a longer one is no caption.
const MAX_CAPTION: usize = 300;
/// A drawing with more bytes is not read for its title.
const MAX_DRAWING: u64 = 16 * 1024 * 1024;

/// The title of a drawing, and as its text the description, or else the title; empty if it has
/// neither.
pub(super) fn read(bytes: &[u8], format: FileFormat) -> Extracted {
    let plain = || Extracted::new(format, String::new());
    let mut unpacked = Vec::new();
    let drawing: &[u8] = match format {
        FileFormat::Svg if bytes.len() as u64 <= MAX_DRAWING => bytes,
        FileFormat::Svgz => {
            // What is cut or damaged is no longer XML.
            let _ = GzDecoder::new(bytes).take(MAX_DRAWING).read_to_end(&mut unpacked);
            &unpacked
        }
        _ => return plain(),
    };
    let text = xml::text(drawing);
    let Ok(document) = xml::parsed(&text, "SVG") else { return plain() };
    let root = document.root_element();
    let said = |name: &str| {
        let words = xml::own_text(xml::child(root, name)?);
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_plain = !words.is_empty() && !words.chars().any(char::is_control);
        (is_plain && words.chars().count() <= MAX_CAPTION).then_some(words)
    };
    let title = said("title");
    let text = said("desc").or_else(|| title.clone()).unwrap_or_default();
    Extracted { title, ..Extracted::new(format, text) }
}

fn begins_as_svg(start: &[u8]) -> bool {
    xml::root(&xml::text(start)) == Some("svg")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, bytes: &[u8]) -> Option<FileFormat> {
        format(bytes, &Hints { name: name.to_owned(), content_type: None })
    }

    #[test]
    fn an_svg_is_a_picture_and_what_contains_one_is_not() {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"><title>x</title></svg>\n";
        let doctype =
            "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"x\" [<!ENTITY a \"<b>\">]>";
        for before in
            ["", "\u{feff}", "<?xml version=\"1.0\"?>\n", "<!-- made by <x> -->\n", doctype]
        {
            let text = format!("{before}{svg}");
            assert_eq!(of("a.svg", text.as_bytes()), Some(FileFormat::Svg), "{text}");
            assert_eq!(of("A.SVG", text.as_bytes()), Some(FileFormat::Svg), "{text}");
            assert_eq!(of("standard input", text.as_bytes()), Some(FileFormat::Svg), "{text}");
            for other in ["a.md", "a.html", "a.jsx", "a.txt"] {
                assert_eq!(of(other, text.as_bytes()), None, "{other}");
            }
        }
        let prefixed = "<svg:svg xmlns:svg=\"http://www.w3.org/2000/svg\"/>";
        assert_eq!(of("a.svg", prefixed.as_bytes()), Some(FileFormat::Svg));
        let wide: Vec<u8> = svg.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(of("a.svg", &[&b"\xff\xfe"[..], &wide].concat()), Some(FileFormat::Svg));
        for text in ["<html><svg></svg></html>", "<svgx/>", "Notes on <svg>", "<?xml", "<!-- <svg>"]
        {
            assert_eq!(of("a.svg", text.as_bytes()), None, "{text}");
        }
        assert_eq!(of("notes", format!("{svg}And more.\n").as_bytes()), None);
    }

    #[test]
    fn a_drawing_is_called_as_it_says() {
        let long = "x".repeat(MAX_CAPTION + 1);
        let long_title = format!("<title>{long}</title>");
        let long_desc = format!("<title>Map</title><desc>{long}</desc>");
        for (inner, title, text) in [
            ("<title>Map</title>", Some("Map"), "Map"),
            ("<title>\n  The\n  map </title><desc>All stops</desc>", Some("The map"), "All stops"),
            ("<desc>All stops</desc><text>x</text>", None, "All stops"),
            ("<title></title><desc> </desc>", None, ""),
            ("<g><title>Of a part</title></g>", None, ""),
            ("<text>Words in it</text>", None, ""),
            ("<title>A &amp; b</title>", Some("A & b"), "A & b"),
            ("<title>Open", None, ""),
            (long_title.as_str(), None, ""),
            (long_desc.as_str(), Some("Map"), "Map"),
        ] {
            let svg = format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{inner}</svg>");
            let found = read(svg.as_bytes(), FileFormat::Svg);
            assert_eq!((found.title.as_deref(), found.text.as_str()), (title, text), "{inner}");
        }
    }
}
