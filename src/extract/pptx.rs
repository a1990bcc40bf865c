//! PPTX as markdown: the slides in order, each with its title, text and notes.
//!
//! Invariant: a missing slide loses only itself, and is reported.

use super::{
    Extracted, FileFormat, Unreadable,
    blocks::{Block, joined},
    plain,
    zipped::Archive,
};
use roxmltree::{Document, Node};
use std::collections::HashMap;

const PRESENTATION: &str = "ppt/presentation.xml";

pub(super) fn read(archive: &Archive<'_>) -> Result<Extracted, Unreadable> {
    let xml = member(archive, PRESENTATION)?.unwrap_or_default();
    let document = parsed(&xml)?;
    let targets = relations(archive, PRESENTATION)?;
    let ids = document.descendants().filter(|node| node.tag_name().name() == "sldId");
    let (mut blocks, mut missing) = (Vec::new(), Vec::new());
    for (at, id) in ids.enumerate() {
        let path = relation(id).and_then(|relation| targets.get(relation));
        match path.map(|path| slide(archive, path, at + 1)) {
            Some(Ok(mut of_slide)) => blocks.append(&mut of_slide),
            Some(Err(error @ (Unreadable::TooLarge(_) | Unreadable::Encrypted))) => {
                return Err(error);
            }
            Some(Err(_)) | None => missing.push(format!("slide {}", at + 1)),
        }
    }
    if blocks.is_empty() && !missing.is_empty() {
        let why = "none of its slides can be read".to_owned();
        return Err(Unreadable::Broken("PPTX", why));
    }
    let title = archive.title("docProps/core.xml")?;
    let title = title.filter(|title| title != "PowerPoint Presentation");
    Ok(Extracted { title, missing, ..Extracted::new(FileFormat::Pptx, joined(&blocks)) })
}

fn slide(archive: &Archive<'_>, path: &str, number: usize) -> Result<Vec<Block>, Unreadable> {
    let xml = member(archive, path)?;
    let xml = xml.ok_or_else(|| Unreadable::Broken("PPTX", format!("{path} is missing")))?;
    let document = parsed(&xml)?;
    let mut blocks = Vec::new();
    let mut title = None;
    let mut texts = Vec::new();
    for shape in document.descendants().filter(|shape| !is_beside(*shape)) {
        match shape.tag_name().name() {
            "sp" if is_title(shape) && title.is_none() => title = Some(text(shape).join(" ")),
            "sp" => texts.extend(text(shape).iter().filter_map(|line| Block::paragraph(line))),
            "tbl" => texts.extend(Block::table(rows(shape))),
            _ => {}
        }
    }
    let title = title.filter(|title| !title.trim().is_empty());
    let title = title.unwrap_or_else(|| format!("Slide {number}"));
    blocks.extend(Block::heading(2, &title));
    blocks.append(&mut texts);
    let of_slide = relations(archive, path)?;
    let notes = of_slide.values().find(|target| target.contains("notesSlide"));
    if let Some(xml) = notes.map(|notes| member(archive, notes)).transpose()?.flatten() {
        let document = parsed(&xml)?;
        let body = document.descendants().filter(|node| is_placeholder(*node, &["body"]));
        let lines: Vec<String> = body.flat_map(text).collect();
        if !lines.is_empty() {
            blocks.extend(Block::paragraph(&format!("Notes: {}", lines.join("\n"))));
        }
    }
    Ok(blocks)
}

/// Fallback copies for older programs, and shapes that are on every slide.
fn is_beside(shape: Node<'_, '_>) -> bool {
    let is_fallback = |node: Node<'_, '_>| node.tag_name().name() == "Fallback";
    is_placeholder(shape, &["sldNum", "ftr", "dt", "hdr"]) || shape.ancestors().any(is_fallback)
}

fn is_title(shape: Node<'_, '_>) -> bool {
    is_placeholder(shape, &["title", "ctrTitle"])
}

fn is_placeholder(shape: Node<'_, '_>, kinds: &[&str]) -> bool {
    shape.tag_name().name() == "sp"
        && shape.descendants().any(|node| {
            let kind = node.attribute("type");
            node.tag_name().name() == "ph" && kind.is_some_and(|kind| kinds.contains(&kind))
        })
}

/// The paragraphs of a shape.
fn text(shape: Node<'_, '_>) -> Vec<String> {
    let paragraphs = shape.descendants().filter(|node| node.tag_name().name() == "p");
    let line = |paragraph: Node<'_, '_>| {
        let mut line = String::new();
        for part in paragraph.descendants() {
            match part.tag_name().name() {
                "t" => line.push_str(part.text().unwrap_or_default()),
                "br" => line.push('\n'),
                _ => {}
            }
        }
        line
    };
    paragraphs.map(line).filter(|line| !line.trim().is_empty()).collect()
}

fn rows(table: Node<'_, '_>) -> Vec<Vec<String>> {
    let named = |node: Node<'_, '_>, name| -> Vec<_> {
        node.children().filter(|child| child.tag_name().name() == name).map(|n| n.id()).collect()
    };
    let document = table.document();
    let node = |id| document.get_node(id).expect("because it is of this document");
    let cells = |row| named(row, "tc").into_iter().map(|cell| text(node(cell)).join(" ")).collect();
    named(table, "tr").into_iter().map(|row| cells(node(row))).collect()
}

/// The parts that a part refers to by its relations, from the root of the archive.
fn relations(archive: &Archive<'_>, part: &str) -> Result<HashMap<String, String>, Unreadable> {
    let (folder, name) = part.rsplit_once('/').unwrap_or(("", part));
    let Some(xml) = member(archive, &format!("{folder}/_rels/{name}.rels"))? else {
        return Ok(HashMap::new());
    };
    let document = parsed(&xml)?;
    let of = |node: Node<'_, '_>| {
        let (id, target) = (node.attribute("Id")?, node.attribute("Target")?);
        Some((id.to_owned(), from(folder, target)))
    };
    Ok(document.descendants().filter_map(of).collect())
}

/// Resolves a target relative to the folder of the part that refers to it.
fn from(folder: &str, target: &str) -> String {
    if let Some(absolute) = target.strip_prefix('/') {
        return absolute.to_owned();
    }
    let mut parts: Vec<&str> = folder.split('/').collect();
    for part in target.split('/') {
        match part {
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The relation that an element refers to: `r:id`, as distinct from its own `id`.
fn relation<'a>(node: Node<'a, '_>) -> Option<&'a str> {
    let is_relation = |namespace: Option<&str>| {
        namespace.is_some_and(|namespace| namespace.ends_with("/relationships"))
    };
    let mut attributes = node.attributes();
    let found = attributes.find(|one| one.name() == "id" && is_relation(one.namespace()));
    found.map(|attribute| attribute.value())
}

fn member(archive: &Archive<'_>, name: &str) -> Result<Option<String>, Unreadable> {
    Ok(archive.member(name)?.map(|bytes| plain::decoded(&bytes, None)))
}

fn parsed(xml: &str) -> Result<Document<'_>, Unreadable> {
    Document::parse(xml).map_err(|error| Unreadable::Broken("PPTX", error.to_string()))
}
