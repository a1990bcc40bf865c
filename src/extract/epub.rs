//! EPUB as markdown: the chapters of its spine, in order.
//!
//! Invariant: a missing or broken chapter loses only itself, and is reported.

use super::{Extracted, FileFormat, Unreadable, html, zipped::Archive};
use crate::extract::plain;
use percent_encoding::percent_decode_str;
use roxmltree::{Document, Node};
use std::collections::HashMap;

pub(super) fn read(archive: &Archive<'_>) -> Result<Extracted, Unreadable> {
    let package = package(archive)?;
    let xml = member(archive, &package)?;
    let document = parsed(&xml)?;
    let folder = package.rsplit_once('/').map_or("", |(folder, _)| folder);
    let is = |node: &Node<'_, '_>, name: &str| node.tag_name().name() == name;
    let title = document.descendants().find(|node| is(node, "title")).and_then(|node| node.text());
    let items: HashMap<&str, &str> = document
        .descendants()
        .filter(|node| is(node, "item"))
        .filter_map(|node| Some((node.attribute("id")?, node.attribute("href")?)))
        .collect();
    let chapters = document
        .descendants()
        .filter(|node| is(node, "itemref"))
        .filter_map(|node| node.attribute("idref"));
    let (mut texts, mut missing) = (Vec::new(), Vec::new());
    for id in chapters {
        let Some(chapter) = items.get(id) else {
            missing.push(id.to_owned());
            continue;
        };
        let name = percent_decode_str(chapter).decode_utf8_lossy().into_owned();
        let name = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        match archive.member(&name) {
            Ok(Some(bytes)) => texts.push(html::read(&bytes, None).text),
            Ok(None) | Err(Unreadable::Broken(..)) => missing.push(name),
            Err(error) => return Err(error),
        }
    }
    if texts.is_empty() && !missing.is_empty() {
        return Err(broken(&format!("all of its chapters are missing, e.g. {}", missing[0])));
    }
    let title = title.map(str::to_owned);
    Ok(Extracted { title, missing, ..Extracted::new(FileFormat::Epub, texts.join("\n\n")) })
}

/// The file that lists the contents of the book.
fn package(archive: &Archive<'_>) -> Result<String, Unreadable> {
    if archive.member("META-INF/encryption.xml")?.is_some_and(|bytes| {
        // Fonts may be obfuscated in a book that is otherwise readable.
        !String::from_utf8_lossy(&bytes).contains("obfuscation")
    }) {
        return Err(Unreadable::Encrypted);
    }
    let xml = member(archive, "META-INF/container.xml")?;
    let document = parsed(&xml)?;
    let root = document.descendants().find(|node| node.tag_name().name() == "rootfile");
    let path = root.and_then(|root| root.attribute("full-path"));
    path.map(str::to_owned).ok_or_else(|| broken("it does not name its package"))
}

fn member(archive: &Archive<'_>, name: &str) -> Result<String, Unreadable> {
    let bytes = archive.member(name)?.ok_or_else(|| broken(&format!("{name} is missing")))?;
    Ok(plain::decoded(&bytes, None))
}

fn parsed(xml: &str) -> Result<Document<'_>, Unreadable> {
    Document::parse(xml).map_err(|error| broken(&error.to_string()))
}

fn broken(why: &str) -> Unreadable {
    Unreadable::Broken("EPUB", why.to_owned())
}
