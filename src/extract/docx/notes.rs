//! The footnotes and endnotes of a DOCX, as footnotes of markdown.
//!
//! Invariant: a note is read once, below the text, under the number by which the text refers to it.

use super::{notes_referred::Key, open_fields::Fields, reader::Reader};
use crate::extract::{
    Unreadable,
    archive::unless_broken,
    blocks::{Block, joined},
    parts::Relations,
    xml::{self, attribute, children},
};
use std::collections::BTreeMap;

const KINDS: [(&str, &str); 2] = [("footnotes", "footnote"), ("endnotes", "endnote")];

impl Reader<'_, '_> {
    /// The notes, as they are written below the text. A broken part loses only itself, and is
    /// reported.
    pub(super) fn noted(&mut self) -> Result<Vec<Block>, Unreadable> {
        let mut texts = BTreeMap::new();
        for (part, kind) in KINDS {
            let parts = self.beside(part)?;
            let own = self.relations_of(part)?;
            let of_text = std::mem::replace(&mut self.relations, own);
            for bytes in parts {
                match self.notes_of(&bytes, kind, &mut texts) {
                    Ok(()) => {}
                    Err(Unreadable::Broken(..)) => self.missing.push(part.to_owned()),
                    Err(error) => return Err(error),
                }
            }
            self.relations = of_text;
        }
        let mut blocks = Vec::new();
        for (at, key) in self.notes.referred.iter().enumerate() {
            let text = texts.get(key).map(|text: &String| text.replace('\n', "\n    "));
            let text = text.map(|text| format!("[^{}]: {text}", at + 1));
            blocks.extend(text.and_then(|text| Block::paragraph(&text)));
        }
        if !self.notes.are_referred {
            blocks.extend(texts.values().filter_map(|text| Block::paragraph(text)));
        }
        Ok(blocks)
    }

    /// What a part beside the text refers to: its ids are its own.
    fn relations_of(&self, kind: &str) -> Result<Relations, Unreadable> {
        let usual = format!("{}/{kind}.xml", self.folder);
        let part = self.relations.of_kind(kind).first().map_or(usual, |part| (*part).to_owned());
        unless_broken(Relations::read(self.archive, &part))
    }

    fn notes_of(
        &mut self,
        bytes: &[u8],
        kind: &str,
        texts: &mut BTreeMap<Key, String>,
    ) -> Result<(), Unreadable> {
        let text = xml::text(bytes);
        let document = xml::parsed(&text, "DOCX")?;
        self.fields = Fields::find(document.root_element());
        for note in children(document.root_element()) {
            let Some(id) = attribute(note, "id").filter(|_| note.tag_name().name() == kind) else {
                continue;
            };
            let mut blocks = Vec::new();
            self.blocks(note, 0, &mut blocks)?;
            let text = joined(&blocks);
            if !text.trim().is_empty() {
                texts.insert((kind.to_owned(), id.to_owned()), text);
            }
        }
        Ok(())
    }
}
