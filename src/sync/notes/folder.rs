//! Which notes in a folder may be shared.
//!
//! Invariant: a note that contains a secret or invisible characters, is behind a symlink, or has a
//! name that some system cannot store is not shared, and is reported with the reason. It is treated
//! neither as written nor as deleted.

use crate::foreign::Foreign;
use crate::identity::{Blob, RelPath, Snapshot, check, path, text};
use crate::machine::{
    files,
    folder::{self, Listing, Prefetched},
};
use crate::secrets::{self, Allowed};
use crate::workspace::guard;
use std::{collections::BTreeMap, path::Path};

/// Maximum size of a note in bytes; larger files are not notes.
const MAX_BYTES: usize = 1024 * 1024;
/// Maximum length of a name in bytes; file systems allow 255.
const MAX_NAME_LEN: usize = 200;

#[derive(Default)]
pub struct Notes {
    /// By their paths in the identity.
    pub snapshot: Snapshot,
    /// Notes that are not shared, and why.
    pub apart: BTreeMap<RelPath, String>,
    /// Folders that are not read, with a trailing `/`.
    pub closed: Vec<String>,
}

impl Notes {
    /// Reads an agent's folder; `prefix` is its place in the identity.
    pub fn of_agent(folder: &Path, prefix: &str) -> Notes {
        let mut listing = folder::list(folder, "");
        let mut notes = Notes::default();
        let closed = std::mem::take(&mut listing.closed);
        notes.closed.extend(closed.into_iter().map(|folder| format!("{prefix}{folder}")));
        listing
            .files
            .retain(|listed| listed.path.name().ends_with(".md") && !listed.path.is_hidden());
        listing.files.retain(|listed| {
            // A folder with the name of a note, and its contents.
            let inside = named_as_note(&listed.path);
            if let Some(folder) = &inside {
                notes.set_apart(placed(prefix, folder), "it is a folder".to_owned());
                notes.closed.push(format!("{prefix}{folder}/"));
            }
            inside.is_none()
        });
        listing.files.retain(|listed| match unfit_file(&listed.path, &listed.file) {
            Some(why) => {
                notes.set_apart(placed(prefix, &listed.path), why);
                false
            }
            None => true,
        });
        let unreadable = std::mem::take(&mut listing.unreadable);
        notes.read(listing, prefix, &unreadable);
        notes
    }

    /// Reads the notes below a prefix, of the identity or of the last exchange.
    pub fn below(root: &Path, prefix: &str) -> Notes {
        let mut listing = folder::list(root, prefix);
        let mut notes = Notes { closed: std::mem::take(&mut listing.closed), ..Notes::default() };
        // As in an agent's folder: hidden files are neither read nor written there.
        let hidden = |path: &RelPath| {
            let below = path.as_str().get(prefix.len()..).unwrap_or_default();
            path::has_hidden_part(below)
        };
        listing.files.retain(|listed| listed.path.name().ends_with(".md") && !hidden(&listed.path));
        let unreadable = std::mem::take(&mut listing.unreadable);
        notes.read(listing, "", &unreadable);
        notes
    }

    fn read(&mut self, listing: Listing, prefix: &str, unreadable: &[RelPath]) {
        let reading = folder::read_listed(listing, &Prefetched::new());
        for path in unreadable.iter().chain(&reading.unreadable) {
            self.set_apart(placed(prefix, path), "it cannot be read".to_owned());
        }
        for (path, blob) in reading.snapshot.iter() {
            let path = placed(prefix, path);
            match unfit(&path, blob) {
                Some(why) => self.set_apart(path, why),
                None => self.snapshot.put(path, blob.clone()),
            }
        }
    }

    fn set_apart(&mut self, path: RelPath, why: String) {
        self.apart.insert(path, why);
    }

    pub fn is_apart(&self, path: &RelPath) -> bool {
        let is_below = |folder: &String| path.as_str().starts_with(folder.as_str());
        self.apart.contains_key(path) || self.closed.iter().any(is_below)
    }
}

/// The first parent folder with the name of a note.
fn named_as_note(path: &RelPath) -> Option<RelPath> {
    let text = path.as_str();
    let above = text.match_indices('/').map(|(at, _)| &text[..at]);
    above.into_iter().find(|folder| folder.ends_with(".md")).and_then(RelPath::new)
}

fn placed(prefix: &str, path: &RelPath) -> RelPath {
    RelPath::known(&format!("{prefix}{path}"))
}

fn unfit_file(path: &RelPath, file: &Path) -> Option<String> {
    let is_odd = |part: &str| {
        !Foreign(part).is_seen_whole()
            || part.contains(['\\', ':', '*', '?', '"', '|', '<', '>'])
            || part.ends_with([' ', '.'])
            || part.starts_with(' ')
            || part.len() > MAX_NAME_LEN
    };
    let why = match () {
        () if path.as_str().split('/').any(is_odd) => "some systems cannot store its name",
        () if files::is_link(file) => "it is a link",
        () if files::size(file) > MAX_BYTES => "it is larger than 1 MiB",
        () => return None,
    };
    Some(why.to_owned())
}

/// Why a text is not shared, in either direction.
fn unfit(path: &RelPath, blob: &Blob) -> Option<String> {
    let Ok(whole) = std::str::from_utf8(blob) else {
        return Some("it is not UTF-8 text".to_owned());
    };
    if let Some(secret) = secrets::scan_file(path.as_str(), blob, &Allowed::default()).first() {
        return Some(guard::describe(None, secret));
    }
    if let Some(line) = check::marker_line(blob) {
        return Some(format!("it contains git's conflict markers from line {line}"));
    }
    text::unseen_in_words(whole)
}
