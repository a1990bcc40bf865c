//! The names in one folder, in the order of their bytes.
//!
//! Invariant: all names lie in one text, because a folder may have very many. Must not know what a
//! name means.

use super::platform::{self, EntryKind};
use std::{io, path::Path};

/// The names in a folder, and what each is as far as that is known.
#[derive(Default)]
pub(super) struct Entries {
    /// The names, one after the other.
    names: String,
    entries: Vec<Entry>,
    /// Those that are not UTF-8, to be shown.
    pub(super) not_text: Vec<String>,
}

struct Entry {
    /// The first bytes of the name, as a number that is in order as they are: few names begin with
    /// the same ones, and numbers are compared sooner than texts.
    beginning: u64,
    at: usize,
    length: usize,
    kind: Option<EntryKind>,
}

impl Entries {
    pub(super) fn of(folder: &Path) -> io::Result<Entries> {
        let mut all = Entries::default();
        platform::each_entry(folder, |name, kind| match name.to_str() {
            Some(name) => {
                let beginning = beginning(name.as_bytes());
                let (at, length) = (all.names.len(), name.len());
                all.names.push_str(name);
                all.entries.push(Entry { beginning, at, length, kind });
            }
            None => all.not_text.push(name.to_string_lossy().into_owned()),
        })?;
        // Most paths are in order then, which is quick to see.
        let Entries { names, entries, not_text } = &mut all;
        let names = names.as_str();
        let name = |entry: &Entry| &names[entry.at..entry.at + entry.length];
        entries.sort_unstable_by(|a, b| {
            a.beginning.cmp(&b.beginning).then_with(|| name(a).cmp(name(b)))
        });
        not_text.sort_unstable();
        Ok(all)
    }

    pub(super) fn in_turn(&self) -> impl Iterator<Item = (&str, Option<EntryKind>)> {
        let Entries { names, entries, .. } = self;
        let named = move |entry: &Entry| (&names[entry.at..entry.at + entry.length], entry.kind);
        entries.iter().map(named)
    }
}

/// No name has a zero, so that one that ends sooner comes first.
fn beginning(name: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    let length = name.len().min(bytes.len());
    bytes[..length].copy_from_slice(&name[..length]);
    u64::from_be_bytes(bytes)
}
