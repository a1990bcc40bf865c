//! Which fields of a fact changed besides its text, in plain words.
//!
//! Invariant: pure. Stamps and the checksum follow every change and are not reported.

use crate::identity::{ContentHash, Document, Memory, frontmatter::Entry, times};
use crate::secrets;
use serde::Serialize;
use std::fmt;

const FOLLOW: &[&str] = &["created", "updated", "checksum"];

/// A changed field; in JSON, its description.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(into = "String")]
pub enum FieldChange {
    /// Provisional until a sync publishes it.
    Number(String),
    Other(String),
}

impl fmt::Display for FieldChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (FieldChange::Number(words) | FieldChange::Other(words)) = self;
        f.write_str(words)
    }
}

impl From<FieldChange> for String {
    fn from(change: FieldChange) -> String {
        change.to_string()
    }
}

impl FieldChange {
    pub fn is_number(&self) -> bool {
        matches!(self, FieldChange::Number(_))
    }

    /// Several changes on one line.
    pub fn line(changes: &[FieldChange]) -> String {
        changes.iter().map(ToString::to_string).collect::<Vec<String>>().join("; ")
    }
}

/// `tags: python → python, style`, `number 3 → 5`, `pinned`.
pub fn changed(was: &Memory, now: &Memory) -> Vec<FieldChange> {
    let (was, now) = (was.document(), now.document());
    let mut keys = keys(&was);
    keys.extend(self::keys(&now).into_iter().filter(|key| was.get(key).is_none()));
    keys.retain(|key| !FOLLOW.contains(&key.as_str()));
    let shown =
        |document: &Document, key: &str| shown(document.front().and_then(|front| front.entry(key)));
    let phrases = keys.iter().map(|key| (key, shown(&was, key), shown(&now, key)));
    let changed = phrases.filter(|(_, was, now)| was != now);
    changed.map(|(key, was, now)| phrase(key, &was, &now)).collect()
}

fn keys(document: &Document) -> Vec<String> {
    let entries = document.front().into_iter().flat_map(|front| front.entries());
    entries.map(|entry| entry.key.clone()).collect()
}

fn phrase(key: &str, was: &str, now: &str) -> FieldChange {
    FieldChange::Other(match (key, now) {
        ("id", _) => return FieldChange::Number(format!("number {was} → {now}")),
        (times::SUPERSEDES, _) => format!("replaces: {} → {}", short(was), short(now)),
        ("pinned", "true") => "pinned".to_owned(),
        ("pinned", _) => "no longer pinned".to_owned(),
        _ => secrets::redact(&format!("{key}: {was} → {now}")).into_owned(),
    })
}

/// A list of hashes, each as short as a handle.
fn short(hashes: &str) -> String {
    let one = |hash: &str| match ContentHash::parse(hash) {
        Some(hash) => format!("sha256:{}", hash.short(8)),
        None => hash.to_owned(),
    };
    hashes.split(", ").map(one).collect::<Vec<String>>().join(", ")
}

fn shown(entry: Option<&Entry>) -> String {
    let text = entry.map(|entry| match entry.value().list() {
        Some(items) => items.join(", "),
        // A value that co only carries.
        None => entry.shown().to_owned(),
    });
    text.filter(|text| !text.is_empty()).unwrap_or_else(|| "none".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::{Blob, RelPath};

    fn of(front: &str) -> Memory {
        let text = format!("---\n{front}created: 2026-01-01T00:00:00Z\n---\n\nText.\n");
        Memory::read(&RelPath::known("knowledge/memories/001-text.md"), &Blob::from(text.as_str()))
            .expect("a memory")
    }

    #[test]
    fn fields_are_named_in_words() {
        let was = of("id: 3\ntags: [python]\nsource: user-told\n");
        let now = of("id: 5\ntags: [python, style]\npinned: true\nsource: user-told\n");
        let said = |was: &Memory, now: &Memory| FieldChange::line(&changed(was, now));
        assert_eq!(said(&was, &now), "number 3 → 5; tags: python → python, style; pinned");
        assert_eq!(said(&now, &now), "");
        assert_eq!(said(&of("id: 1\ntags: [a]\n"), &of("id: 1\n")), "tags: a → none");
    }
}
