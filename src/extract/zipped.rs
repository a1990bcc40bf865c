//! Formats that are zip archives: office documents and EPUB.
//!
//! Invariant: a format is told by the parts of a file, not by its name.

use super::{
    Extracted, FileFormat, Unreadable,
    archive::{Archive, MAX, compared, unless_broken},
    docx, epub, odf,
    parts::Relations,
    pptx, sheets, xml,
};
use crate::unzip::Unzip;
use std::io::Cursor;

pub(super) fn read(bytes: &[u8]) -> Result<Extracted, Unreadable> {
    let archive = Archive::new(Unzip::new(Cursor::new(bytes), MAX)?);
    let named = main_part(&archive)?;
    let folder = named.as_deref().map(|main| folder(&archive, main)).transpose()?.flatten();
    let main = |of: &str, usual: &str| {
        let named = named.clone().filter(|_| folder == Some(of));
        named.or_else(|| archive.has(usual).then(|| usual.to_owned()))
    };
    if let Some(main) = main("word/", docx::MAIN) {
        return docx::read(&archive, &main);
    }
    if archive.has("META-INF/container.xml") {
        return epub::read(&archive);
    }
    if let Some(main) = main("ppt/", pptx::MAIN) {
        return pptx::read(&archive, &main);
    }
    if let Some(main) = main("xl/", sheets::MAIN).or_else(|| main("xl/", "xl/workbook.bin")) {
        return sheets::read_zipped(bytes, &archive, &main);
    }
    let declared = archive.member("mimetype")?.unwrap_or_default();
    let declared = String::from_utf8_lossy(&declared).trim().to_owned();
    match declared.strip_prefix("application/vnd.oasis.opendocument.") {
        Some(kind) if kind.starts_with("spreadsheet") => {
            odf::refuse_encrypted(&archive)?;
            sheets::read_open(bytes, &archive)
        }
        Some(kind) if kind.starts_with("presentation") => odf::read(&archive, FileFormat::Odp),
        Some(kind) if kind.starts_with("text") => odf::read(&archive, FileFormat::Odt),
        Some(kind) => {
            let what = format!("an OpenDocument {kind}");
            Err(Unreadable::Other { what, instead: "save it as .pdf" })
        }
        None => {
            let what = "a zip archive".to_owned();
            Err(Unreadable::Other { what, instead: "unpack it, and add the folder" })
        }
    }
}

/// Whether it is an archive with pictures, as office documents have them.
pub(super) fn has_pictures(bytes: &[u8]) -> bool {
    let names = Unzip::new(Cursor::new(bytes), MAX).map(|zip| zip.names()).unwrap_or_default();
    names.iter().any(|(_, name)| {
        let name = compared(name);
        !name.ends_with('/') && (name.contains("media/") || name.starts_with("pictures/"))
    })
}

/// The part that an Office file names as its main one, if it is there.
fn main_part(archive: &Archive<'_>) -> Result<Option<String>, Unreadable> {
    let relations = unless_broken(Relations::read(archive, ""))?;
    let main = relations.of_kind("officeDocument").first().map(|main| (*main).to_owned());
    Ok(main.filter(|main| archive.has(main)))
}

/// The folder in which a file of its kind usually has its main part; some programs use none.
fn folder(archive: &Archive<'_>, main: &str) -> Result<Option<&'static str>, Unreadable> {
    const KINDS: [(&str, &str); 3] =
        [("word/", "document"), ("ppt/", "presentation"), ("xl/", "workbook")];
    if let Some((folder, _)) = KINDS.iter().find(|(folder, _)| main.starts_with(folder)) {
        return Ok(Some(*folder));
    }
    let text = xml::text(&archive.member(main)?.unwrap_or_default());
    let document = xml::parsed(&text, "Office file").ok();
    let root = document.as_ref().map(|document| document.root_element().tag_name().name());
    Ok(KINDS.iter().find(|(_, name)| root == Some(*name)).map(|(folder, _)| *folder))
}
