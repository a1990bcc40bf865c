//! The slides of an OpenDocument presentation.
//!
//! Invariant: a slide is called by its title, or by a name that a person gave it, and not by one
//! that its program made.

use super::{inline::line, lists::Place, reader::Reader};
use crate::extract::{
    Unreadable,
    blocks::{Block, add_slide},
    xml::attribute,
};
use roxmltree::Node;

/// What programs call a slide in many languages; a number may follow.
const USUAL: [&str; 33] = [
    "page",
    "slide",
    "folie",
    "seite",
    "diapositive",
    "diapositiva",
    "diapo",
    "dia",
    "pagina",
    "página",
    "pàgina",
    "slajd",
    "strona",
    "snímek",
    "snímka",
    "snímok",
    "stránka",
    "lysbilde",
    "bild",
    "bilde",
    "side",
    "sida",
    "sivu",
    "slayt",
    "sayfa",
    "слайд",
    "страница",
    "διαφάνεια",
    "スライド",
    "ページ",
    "幻灯片",
    "投影片",
    "슬라이드",
];

impl Reader<'_, '_> {
    pub(super) fn slide(
        &mut self,
        page: Node<'_, '_>,
        place: Place,
        blocks: &mut Vec<Block>,
    ) -> Result<(), Unreadable> {
        self.slides += 1;
        let mut titles =
            page.descendants().filter(|node| attribute(*node, "class") == Some("title"));
        let title = titles.find_map(|node| Some((node.id(), words(node)?)));
        self.title = title.as_ref().map(|(id, _)| *id);
        let mut texts = Vec::new();
        self.within(page, place, &mut texts)?;
        let name = attribute(page, "name").filter(|name| is_given(name, self.slides));
        let title = title.map(|(_, title)| title).or_else(|| name.map(str::to_owned));
        add_slide(blocks, title.as_deref(), texts);
        Ok(())
    }
}

/// `None` if there are none.
fn words(shape: Node<'_, '_>) -> Option<String> {
    let is_line = |node: &Node<'_, '_>| matches!(node.tag_name().name(), "p" | "h");
    let lines: Vec<String> = shape.descendants().filter(is_line).map(line).collect();
    let text = lines.join(" ");
    (!text.trim().is_empty()).then_some(text)
}

/// Whether a person gave a slide this name. In any language, one word with the number of the slide
/// (`Slide3`, for the third) comes from a program.
fn is_given(name: &str, slide: usize) -> bool {
    let name = name.trim();
    let word = name.trim_end_matches(char::is_numeric);
    let is_counted = !word.contains(char::is_whitespace) && name[word.len()..] == slide.to_string();
    let word = word.trim().to_lowercase();
    !word.is_empty() && !is_counted && !USUAL.contains(&word.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_programs_give_are_no_titles() {
        for name in
            ["page1", "page", "Slide 3", "Folie 2", "Diapositiva12", "Слайд 4", "7", "", "Xyz2"]
        {
            assert!(!is_given(name, 2), "{name}");
        }
        for name in ["Budget", "Budget 2025", "Page layout", "Slides for Ada", "Q3"] {
            assert!(is_given(name, 2), "{name}");
        }
    }
}
