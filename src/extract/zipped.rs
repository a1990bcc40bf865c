//! Formats that are zip archives: office documents and EPUB.
//!
//! Invariant: neither any single member nor all together unpack to more than the limits.

use super::{Extracted, FileFormat, Unreadable, docx, epub, odf, plain, pptx, sheets};
use roxmltree::Document;
use std::{
    cell::Cell,
    io::{Cursor, Read},
};
use zip::{ZipArchive, result::ZipError};

/// Total bytes of the members that are read.
const MAX: u64 = 96 * 1024 * 1024;

pub(super) struct Archive<'a> {
    zip: std::cell::RefCell<ZipArchive<Cursor<&'a [u8]>>>,
    left: Cell<u64>,
}

pub(super) fn read(bytes: &[u8]) -> Result<Extracted, Unreadable> {
    let zip = ZipArchive::new(Cursor::new(bytes))
        .map_err(|error| Unreadable::Broken("zip", error.to_string()))?;
    let names: Vec<String> =
        zip.file_names().filter_map(|name| Some(name.ok()?.into_owned())).collect();
    let has = |name: &str| names.iter().any(|known| known == name);
    let archive = Archive { zip: zip.into(), left: MAX.into() };
    if has("word/document.xml") {
        return docx::read(&archive);
    }
    if has("META-INF/container.xml") {
        return epub::read(&archive);
    }
    if has("ppt/presentation.xml") {
        return pptx::read(&archive);
    }
    if has("xl/workbook.xml") || has("xl/workbook.bin") {
        // The spreadsheet reader has no limit of its own.
        archive.unpack_all()?;
        return sheets::read(bytes, FileFormat::Xlsx);
    }
    let declared = archive.member("mimetype")?.unwrap_or_default();
    let declared = String::from_utf8_lossy(&declared).trim().to_owned();
    match declared.strip_prefix("application/vnd.oasis.opendocument.") {
        Some(kind) if kind.starts_with("spreadsheet") => {
            archive.unpack_all()?;
            sheets::read(bytes, FileFormat::Ods)
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

impl Archive<'_> {
    /// Fails if all members together are too large.
    fn unpack_all(&self) -> Result<(), Unreadable> {
        let names: Vec<String> = {
            let zip = self.zip.borrow();
            zip.file_names().filter_map(|name| Some(name.ok()?.into_owned())).collect()
        };
        names.iter().filter(|name| !name.ends_with('/')).try_for_each(|name| {
            let unpacked = self.member(name)?;
            drop(unpacked);
            Ok(())
        })
    }

    /// The title in a member that contains document properties.
    pub(super) fn title(&self, properties: &str) -> Result<Option<String>, Unreadable> {
        let Some(bytes) = self.member(properties)? else { return Ok(None) };
        let xml = plain::decoded(&bytes, None);
        let document = Document::parse(&xml).ok();
        let title = document.as_ref().and_then(|document| {
            document.descendants().find(|node| node.tag_name().name() == "title")?.text()
        });
        Ok(title.map(str::to_owned))
    }

    /// `None` if there is no such member.
    pub(super) fn member(&self, name: &str) -> Result<Option<Vec<u8>>, Unreadable> {
        let mut zip = self.zip.borrow_mut();
        let file = match zip.by_name(name) {
            Ok(file) => file,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(ZipError::UnsupportedArchive(why)) if why.contains("assword") => {
                return Err(Unreadable::Encrypted);
            }
            Err(error) => return Err(Unreadable::Broken("zip", error.to_string())),
        };
        let mut bytes = Vec::new();
        let left = self.left.get();
        let read = file.take(left + 1).read_to_end(&mut bytes);
        read.map_err(|error| Unreadable::Broken("zip", error.to_string()))?;
        match left.checked_sub(bytes.len() as u64) {
            Some(rest) => self.left.set(rest),
            None => return Err(Unreadable::TooLarge(MAX / 1024 / 1024)),
        }
        Ok(Some(bytes))
    }
}
