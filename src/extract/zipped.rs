//! Formats that are zip archives: office documents and EPUB.
//!
//! Invariant: neither any single member nor all together unpack to more than the limits.

use super::{
    Extracted, FileFormat, Unreadable, docx, epub, odf, parts::Relations, pptx, sheets, xml,
};
use crate::unzip::{Fault, Unzip};
use std::{cell::RefCell, collections::HashMap, io::Cursor};

/// Total MiB of the members that are read.
const MAX: u64 = 96;

pub(super) struct Archive<'a> {
    zip: RefCell<Unzip<Cursor<&'a [u8]>>>,
    /// The place of each member, by its name as it is compared.
    members: HashMap<String, usize>,
}

impl From<Fault> for Unreadable {
    fn from(fault: Fault) -> Unreadable {
        match fault {
            Fault::Encrypted => Unreadable::Encrypted,
            Fault::TooLarge(limit) => Unreadable::TooLarge(limit),
            Fault::Damaged(why) => Unreadable::Broken("zip", why),
        }
    }
}

impl Unreadable {
    /// The same, and which part of the file is broken.
    pub(super) fn within(self, part: &str) -> Unreadable {
        match self {
            Unreadable::Broken(format, why) if !why.starts_with("its part ") => {
                Unreadable::Broken(format, format!("its part {part} is damaged: {why}"))
            }
            other => other,
        }
    }
}

/// The names of members are compared as programs do that refer to them: `Word\A.XML` is
/// `word/a.xml`.
fn compared(name: &str) -> String {
    name.replace('\\', "/").trim_start_matches('/').to_ascii_lowercase()
}

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

/// Nothing, if a part is broken: it costs only itself.
pub(super) fn unless_broken<T: Default>(read: Result<T, Unreadable>) -> Result<T, Unreadable> {
    match read {
        Err(Unreadable::Broken(..)) => Ok(T::default()),
        read => read,
    }
}

impl<'a> Archive<'a> {
    fn new(zip: Unzip<Cursor<&'a [u8]>>) -> Archive<'a> {
        let names = zip.names().into_iter();
        let members = names.map(|(at, name)| (compared(&name), at)).collect();
        Archive { zip: zip.into(), members }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.members.contains_key(&compared(name))
    }

    /// Fails if all members together are too large, for a reader that has no limit of its own.
    pub(super) fn refuse_large(&self) -> Result<(), Unreadable> {
        let mut zip = self.zip.borrow_mut();
        zip.count_anew();
        for (at, _) in zip.names().into_iter().filter(|(_, name)| !name.ends_with('/')) {
            match zip.read(at) {
                // Whoever reads a broken member reports it.
                Ok(_) | Err(Fault::Damaged(_)) => {}
                Err(fault) => return Err(fault.into()),
            }
        }
        zip.count_anew();
        Ok(())
    }

    /// The title in a member that contains document properties.
    pub(super) fn title(&self, properties: &str) -> Result<Option<String>, Unreadable> {
        let Some(bytes) = self.member(properties)? else { return Ok(None) };
        let text = xml::text(&bytes);
        let document = xml::parsed(&text, "properties").ok();
        let title = document.and_then(|document| {
            Some(xml::own_text(xml::first(document.root_element(), "title")?))
        });
        Ok(title)
    }

    /// `None` if there is no such member.
    pub(super) fn member(&self, name: &str) -> Result<Option<Vec<u8>>, Unreadable> {
        let mut zip = self.zip.borrow_mut();
        let known = zip.place_of(name).or_else(|| self.members.get(&compared(name)).copied());
        let read = known.map(|at| zip.read(at)).transpose();
        read.map_err(|fault| Unreadable::from(fault).within(name))
    }
}
