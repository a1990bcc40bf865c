//! Which parts of an Office file refer to which.
//!
//! Invariant: only parts of the same file are named; what is outside of it has an address, and is
//! never read.

use super::{
    Unreadable,
    archive::Archive,
    xml::{self, attribute},
};

/// The format named by the errors of what all Office files share.
const FORMAT: &str = "Office file";

struct Relation {
    id: String,
    /// The last word of its type, which is the same in the strict form of the format.
    kind: String,
    target: String,
    /// Whether the target is no part of the file.
    is_outside: bool,
}

/// The parts that a part refers to.
#[derive(Default)]
pub(super) struct Relations(Vec<Relation>);

impl Relations {
    /// Those of a part, which may have none, or of the file itself if the name is empty.
    pub(super) fn read(archive: &Archive<'_>, part: &str) -> Result<Relations, Unreadable> {
        let folder = part.rsplit_once('/').map_or("", |(folder, _)| folder);
        let Some(bytes) = archive.member(&beside(part))? else {
            return Ok(Relations::default());
        };
        let text = xml::text(&bytes);
        let document = xml::parsed(&text, FORMAT)?;
        let relation = |node: roxmltree::Node<'_, '_>| {
            let is_outside = attribute(node, "TargetMode") == Some("External");
            let (id, target) = (attribute(node, "Id")?, attribute(node, "Target")?);
            let kind = attribute(node, "Type").unwrap_or_default();
            let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
            let target = if is_outside { target.to_owned() } else { from(folder, target) };
            Some(Relation { id: id.to_owned(), kind, target, is_outside })
        };
        Ok(Relations(document.descendants().filter_map(relation).collect()))
    }

    /// The part with this id, from the root of the archive.
    pub(super) fn target(&self, id: &str) -> Option<&str> {
        self.with_id(id).filter(|relation| !relation.is_outside).map(|it| it.target.as_str())
    }

    /// The address outside of the file with this id.
    pub(super) fn address(&self, id: &str) -> Option<&str> {
        self.with_id(id).filter(|relation| relation.is_outside).map(|it| it.target.as_str())
    }

    fn with_id(&self, id: &str) -> Option<&Relation> {
        self.0.iter().find(|relation| relation.id == id)
    }

    /// The parts of a kind, such as `notesSlide`.
    pub(super) fn of_kind(&self, kind: &str) -> Vec<&str> {
        let is_it = |relation: &&Relation| relation.kind == kind && !relation.is_outside;
        let of_kind = self.0.iter().filter(is_it);
        of_kind.map(|relation| relation.target.as_str()).collect()
    }
}

/// The part that says what a part refers to.
pub(super) fn beside(part: &str) -> String {
    let (folder, name) = part.rsplit_once('/').unwrap_or(("", part));
    from(folder, &format!("_rels/{name}.rels"))
}

/// Resolves a target relative to the folder of the part that refers to it.
pub(super) fn from(folder: &str, target: &str) -> String {
    let mut parts: Vec<&str> = match target.strip_prefix('/') {
        Some(_) => Vec::new(),
        None => folder.split('/').filter(|part| !part.is_empty()).collect(),
    };
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_relative_to_their_part() {
        for (folder, target, path) in [
            ("ppt/slides", "../notesSlides/a.xml", "ppt/notesSlides/a.xml"),
            ("word", "/word/a.xml", "word/a.xml"),
            ("", "_rels/.rels", "_rels/.rels"),
            ("OEBPS/Styles", "./../Text//a.xhtml", "OEBPS/Text/a.xhtml"),
            ("a", "../../b", "b"),
        ] {
            assert_eq!(from(folder, target), path, "{folder} {target}");
        }
    }
}
