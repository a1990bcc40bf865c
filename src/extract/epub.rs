//! EPUB as markdown: the chapters of its spine, in order.
//!
//! Invariant: a missing or broken chapter loses only itself, and is reported.

use super::{
    Extracted, FileFormat, Unreadable,
    archive::Archive,
    html,
    parts::from,
    xml::{self, attribute},
};
use percent_encoding::percent_decode_str;
use roxmltree::Node;
use std::collections::{BTreeSet, HashMap};

/// Encryption of fonts only, in books that are otherwise readable.
const OF_FONTS: [&str; 2] =
    ["http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"];

pub(super) fn read(archive: &Archive<'_>) -> Result<Extracted, Unreadable> {
    let encrypted = encrypted(archive)?;
    let package = package(archive)?;
    let text = member(archive, &package)?;
    let document = xml::parsed(&text, "EPUB")?;
    let folder = package.rsplit_once('/').map_or("", |(folder, _)| folder);
    let named = |name: &'static str| {
        document.descendants().filter(move |node| node.tag_name().name() == name)
    };
    let items: HashMap<&str, Node<'_, '_>> =
        named("item").filter_map(|item| Some((attribute(item, "id")?, item))).collect();
    let (mut texts, mut missing) = (Vec::new(), Vec::new());
    for id in named("itemref").filter_map(|chapter| attribute(chapter, "idref")) {
        let item = items.get(id).copied();
        let Some(chapter) = item.and_then(|item| attribute(item, "href")) else {
            missing.push(id.to_owned());
            continue;
        };
        let kind = item.and_then(|item| attribute(item, "media-type")).unwrap_or_default();
        // A page may be a picture.
        if kind.starts_with("image/") {
            continue;
        }
        let name = path(folder, chapter);
        if encrypted.contains(&name) {
            return Err(Unreadable::Encrypted);
        }
        match archive.member(&name) {
            Ok(Some(bytes)) => texts.push(html::chapter(&bytes)),
            Ok(None) | Err(Unreadable::Broken(..)) => missing.push(name),
            Err(error) => return Err(error),
        }
    }
    if texts.is_empty() && !missing.is_empty() {
        return Err(broken(&format!("all of its chapters are missing, e.g. {}", missing[0])));
    }
    texts.retain(|text| !text.trim().is_empty());
    let title = named("title").next().map(xml::own_text);
    Ok(Extracted { title, missing, ..Extracted::new(FileFormat::Epub, texts.join("\n\n")) })
}

/// The path of a part in the archive, from how the list of contents refers to it:
/// `../Text/a%20b.xhtml#c`.
fn path(folder: &str, reference: &str) -> String {
    let reference = reference.split('#').next().unwrap_or_default();
    from(folder, &percent_decode_str(reference).decode_utf8_lossy())
}

/// The parts that are encrypted.
fn encrypted(archive: &Archive<'_>) -> Result<BTreeSet<String>, Unreadable> {
    let Some(bytes) = archive.member("META-INF/encryption.xml")? else {
        return Ok(BTreeSet::new());
    };
    let text = xml::text(&bytes);
    let document = xml::parsed(&text, "EPUB")?;
    let entries = document.descendants().filter(|node| node.tag_name().name() == "EncryptedData");
    let of = |entry: Node<'_, '_>| {
        let method = xml::first(entry, "EncryptionMethod");
        let method = method.and_then(|method| attribute(method, "Algorithm")).unwrap_or_default();
        let part = attribute(xml::first(entry, "CipherReference")?, "URI")?;
        (!OF_FONTS.contains(&method)).then(|| path("", part))
    };
    Ok(entries.filter_map(of).collect())
}

/// The file that lists the contents of the book.
fn package(archive: &Archive<'_>) -> Result<String, Unreadable> {
    let text = member(archive, "META-INF/container.xml")?;
    let document = xml::parsed(&text, "EPUB")?;
    let root = xml::first(document.root_element(), "rootfile");
    let path = root.and_then(|root| attribute(root, "full-path"));
    path.map(str::to_owned).ok_or_else(|| broken("it does not name its package"))
}

fn member(archive: &Archive<'_>, name: &str) -> Result<String, Unreadable> {
    let bytes = archive.member(name)?.ok_or_else(|| broken(&format!("{name} is missing")))?;
    Ok(xml::text(&bytes))
}

fn broken(why: &str) -> Unreadable {
    Unreadable::Broken("EPUB", why.to_owned())
}
