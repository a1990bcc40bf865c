//! Which fields of a fact changed beside its text, in a person's words.
//!
//! Invariant: pure. Stamps and the checksum follow every change and are not named.

use crate::identity::{Document, Memory, frontmatter::Entry};
use crate::secrets;

const FOLLOW: &[&str] = &["created", "updated", "checksum"];

/// What the phrase of a number begins with.
pub const NUMBER: &str = "number ";

/// One phrase per field: `tags: python → python, style`, `number 3 → 5`, `pinned`.
pub fn changed(was: &Memory, now: &Memory) -> Vec<String> {
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

fn phrase(key: &str, was: &str, now: &str) -> String {
    match (key, now) {
        ("pinned", "true") => "pinned".to_owned(),
        ("pinned", _) => "no longer pinned".to_owned(),
        ("id", _) => format!("{NUMBER}{was} → {now}"),
        _ => secrets::redact(&format!("{key}: {was} → {now}")).into_owned(),
    }
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
        assert_eq!(changed(&was, &now), ["number 3 → 5", "tags: python → python, style", "pinned"]);
        assert_eq!(changed(&now, &now), Vec::<String>::new());
        assert_eq!(changed(&of("id: 1\ntags: [a]\n"), &of("id: 1\n")), ["tags: a → none"]);
    }
}
