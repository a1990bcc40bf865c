//! Formats that are zip archives: DOCX, EPUB.
//!
//! Invariant: no member, and not all together, unpack to more than the limits.

use super::{Extracted, Unreadable, docx, epub};
use std::{
    cell::Cell,
    io::{Cursor, Read},
};
use zip::{ZipArchive, result::ZipError};

/// Bytes of all members that are read.
const MOST: u64 = 96 * 1024 * 1024;

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
    let archive = Archive { zip: zip.into(), left: MOST.into() };
    if has("word/document.xml") {
        return docx::read(&archive);
    }
    if has("META-INF/container.xml") {
        return epub::read(&archive);
    }
    let kind = match names.iter() {
        _ if has("xl/workbook.xml") => "a spreadsheet (.xlsx); save the sheet as .csv",
        _ if has("ppt/presentation.xml") => "a presentation (.pptx); save it as .pdf",
        _ if has("content.xml") => "an OpenDocument file; save it as .docx or .pdf",
        _ => "a zip archive",
    };
    Err(Unreadable::Unknown(kind.to_owned()))
}

impl Archive<'_> {
    /// None where there is no such member.
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
            None => return Err(Unreadable::TooLarge(MOST / 1024 / 1024)),
        }
        Ok(Some(bytes))
    }
}
