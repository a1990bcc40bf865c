//! PPTX as markdown: the slides in order, each with its title, text and speaker notes.
//!
//! Invariant: a missing slide loses only itself, and is reported; so are notes that are missing. A
//! slide without a title gets none.

use super::{
    Extracted, FileFormat, Omitted, Unreadable,
    archive::Archive,
    blocks::{Block, add_slide, joined},
    drawing::Shapes,
    parts::Relations,
    slide_lists::Placeholders,
    xml,
};
use std::collections::{BTreeSet, HashMap, hash_map::Entry};

/// The usual place of the list of slides.
pub(super) const MAIN: &str = "ppt/presentation.xml";

/// The text of a file whose main part is `main`.
pub(super) fn read(archive: &Archive<'_>, main: &str) -> Result<Extracted, Unreadable> {
    let bytes = archive.member(main)?.unwrap_or_default();
    let text = xml::text(&bytes);
    let document = xml::parsed(&text, "PPTX").map_err(|error| error.within(main))?;
    let relations = Relations::read(archive, main)?;
    let ids = document.descendants().filter(|node| node.tag_name().name() == "sldId");
    let mut slides =
        Slides { archive, layouts: HashMap::new(), missing: Vec::new(), omitted: BTreeSet::new() };
    let mut blocks = Vec::new();
    for (at, id) in ids.enumerate() {
        let path = xml::relation(id).and_then(|relation| relations.target(relation));
        match path.map(|path| slides.slide(path, at + 1)) {
            Some(Ok((title, texts))) => add_slide(&mut blocks, title.as_deref(), texts),
            Some(Err(error @ (Unreadable::TooLarge(_) | Unreadable::Encrypted))) => {
                return Err(error);
            }
            Some(Err(_)) | None => slides.missing.push(format!("slide {}", at + 1)),
        }
    }
    let Slides { missing, omitted, .. } = slides;
    if blocks.is_empty() && !missing.is_empty() {
        let why = "none of its slides can be read".to_owned();
        return Err(Unreadable::Broken("PPTX", why));
    }
    let title = archive.title("docProps/core.xml")?;
    let title = title.filter(|title| title != "PowerPoint Presentation");
    let text = joined(&blocks);
    Ok(Extracted { title, missing, omitted, ..Extracted::new(FileFormat::Pptx, text) })
}

struct Slides<'r, 'a> {
    archive: &'r Archive<'a>,
    /// What the slides of each layout have in common.
    layouts: HashMap<String, Placeholders>,
    missing: Vec<String>,
    omitted: BTreeSet<Omitted>,
}

impl Slides<'_, '_> {
    /// The title and the texts of a slide, with its notes.
    fn slide(
        &mut self,
        path: &str,
        number: usize,
    ) -> Result<(Option<String>, Vec<Block>), Unreadable> {
        let relations = Relations::read(self.archive, path)?;
        let (title, mut blocks) = self.shapes(path, &relations)?;
        for notes in relations.of_kind("notesSlide") {
            match self.notes(notes) {
                Ok(notes) => blocks.extend(notes),
                Err(error @ (Unreadable::TooLarge(_) | Unreadable::Encrypted)) => {
                    return Err(error);
                }
                Err(_) => self.missing.push(format!("the notes of slide {number}")),
            }
        }
        if !relations.of_kind("comments").is_empty() {
            self.omitted.insert(Omitted::Comments);
        }
        Ok((title, blocks))
    }

    /// The title and the texts of a slide, or of its notes.
    fn shapes(
        &mut self,
        path: &str,
        relations: &Relations,
    ) -> Result<(Option<String>, Vec<Block>), Unreadable> {
        let bytes = self.archive.member(path)?;
        let bytes = bytes.ok_or_else(|| Unreadable::Broken("PPTX", format!("no {path}")))?;
        let text = xml::text(&bytes);
        let document = xml::parsed(&text, "PPTX")?;
        let layout = relations.of_kind("slideLayout").first().copied().unwrap_or_default();
        let placeholders: &Placeholders = match self.layouts.entry(layout.to_owned()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(Placeholders::of(self.archive, layout)?),
        };
        let mut shapes = Shapes::new(self.archive, relations);
        shapes.placeholders = Some(placeholders);
        shapes.within(document.root_element(), 0)?;
        self.omitted.append(&mut shapes.omitted);
        Ok((shapes.title, shapes.blocks))
    }

    /// The speaker notes, in whatever shapes they are.
    fn notes(&mut self, path: &str) -> Result<Option<Block>, Unreadable> {
        let relations = Relations::read(self.archive, path)?;
        let (title, texts) = self.shapes(path, &relations)?;
        let texts = texts.into_iter().map(|block| block.text);
        let lines: Vec<String> = title.into_iter().chain(texts).collect();
        let text = format!("Notes: {}", lines.join("\n"));
        Ok(if lines.is_empty() { None } else { Block::paragraph(&text) })
    }
}
