//! Which fields of a fact changed besides its text, in plain words.
//!
//! Invariant: pure. Stamps and the checksum follow every change and are not reported.

use crate::identity::{ContentHash, Document, Memory, frontmatter::Entry, times};
use crate::secrets;
use serde::Serialize;
use std::fmt;

/// What stands for a value that is not there.
const NONE: &str = "none";

const FOLLOW: &[&str] = &["created", "updated", "checksum"];

/// A changed field; in JSON, its description.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(into = "String")]
pub enum FieldChange {
    /// Provisional until a sync publishes it.
    Number(String),
    /// Which facts it replaces: their hashes, or what [`FieldChange::name`] called them.
    Replaces {
        was: String,
        now: String,
    },
    Other(String),
}

impl fmt::Display for FieldChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FieldChange::Number(words) | FieldChange::Other(words) => f.write_str(words),
            FieldChange::Replaces { was, now } => {
                write!(f, "replaces: {} → {}", short(was), short(now))
            }
        }
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

    /// Whether it replaces others from now on, and replaced none before.
    pub fn is_first_replacing(&self) -> bool {
        matches!(self, FieldChange::Replaces { was, .. } if was == NONE)
    }

    /// Whether it replaces others from now on, and still all that it replaced before.
    pub fn is_also_replacing(&self) -> bool {
        let FieldChange::Replaces { was, now } = self else { return false };
        was.split(", ").all(|one| now.split(", ").any(|other| other == one))
    }

    /// Whether it replaced the fact with this handle before.
    pub fn replaced_before(&self, handle: &str) -> bool {
        let FieldChange::Replaces { was, .. } = self else { return false };
        was.split(", ").any(|one| one == handle)
    }

    /// Calls the facts that it replaces as `name` does, by their numbers; those that this does not
    /// know keep their hashes.
    pub fn name(&mut self, name: &dyn Fn(ContentHash) -> Option<String>) {
        let FieldChange::Replaces { was, now } = self else { return };
        let one =
            |hash: &str| ContentHash::parse(hash).and_then(name).unwrap_or_else(|| hash.to_owned());
        for side in [was, now] {
            let mut names: Vec<String> = side.split(", ").map(one).collect();
            names.sort_by_cached_key(|name| (name.parse().unwrap_or(u64::MAX), name.clone()));
            *side = names.join(", ");
        }
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
        (times::SUPERSEDES, _) => {
            return FieldChange::Replaces { was: was.to_owned(), now: now.to_owned() };
        }
        (times::VERIFIED, NONE) => "no longer confirmed".to_owned(),
        (times::VERIFIED, _) => secrets::redact(&confirmed(was, now)).into_owned(),
        ("pinned", "true") => "pinned".to_owned(),
        ("pinned", _) => "no longer pinned".to_owned(),
        _ => secrets::redact(&format!("{}: {was} → {now}", word(key))).into_owned(),
    })
}

/// Of a time, the day is enough; the first one is that of the change itself.
fn confirmed(was: &str, now: &str) -> String {
    let day = |at: &str| {
        let whole = at.split_once('T').filter(|(day, _)| day.len() == "2026-11-20".len());
        whole.map_or_else(|| at.to_owned(), |(day, _)| day.to_owned())
    };
    match (day(was), day(now)) {
        (was, _) if was == NONE => "confirmed".to_owned(),
        (was, now) if was == now => "confirmed again".to_owned(),
        (was, now) => format!("confirmed: {was} → {now}"),
    }
}

/// What the screens call a key.
fn word(key: &str) -> &str {
    match key {
        times::VALID_FROM => "from",
        times::VALID_UNTIL => "until",
        times::STALE_AFTER => "to be checked after",
        other => other,
    }
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
    text.filter(|text| !text.is_empty()).unwrap_or_else(|| NONE.to_owned())
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
        let until = of("valid_until: 2026-11-30\nverified: 2026-11-01\n");
        let after = of("stale_after: 2027-01-31\nverified: 2026-11-02\n");
        assert_eq!(
            said(&until, &after),
            "until: 2026-11-30 → none; confirmed: 2026-11-01 → 2026-11-02; to be checked after: \
             none → 2027-01-31"
        );
        let at = |time: &str| of(&format!("verified: 2026-11-{time}:00Z\n"));
        assert_eq!(said(&of(""), &at("01T09:00")), "confirmed");
        assert_eq!(said(&at("01T09:00"), &at("01T10:00")), "confirmed again");
        assert_eq!(said(&at("01T09:00"), &at("02T09:00")), "confirmed: 2026-11-01 → 2026-11-02");
    }

    #[test]
    fn what_is_replaced_is_named_where_it_is_known() {
        let [known, gone] = ["Lives in Munich", "Gone"].map(ContentHash::of_body);
        let fact = |hashes: &[ContentHash]| {
            let hashes: Vec<String> = hashes.iter().map(ContentHash::to_string).collect();
            of(&format!("supersedes: [{}]\n", hashes.join(", ")))
        };
        let named = |was: &Memory, now: &Memory| {
            let mut fields = changed(was, now);
            for field in &mut fields {
                field.name(&|hash| (hash == known).then(|| "1".to_owned()));
            }
            let is = (fields[0].is_first_replacing(), fields[0].is_also_replacing());
            (FieldChange::line(&fields), is)
        };
        let short = format!("sha256:{}", gone.short(8));
        assert_eq!(
            named(&of(""), &fact(&[known])),
            ("replaces: none → 1".to_owned(), (true, false))
        );
        let both = format!("replaces: 1 → 1, {short}");
        assert_eq!(named(&fact(&[known]), &fact(&[known, gone])), (both, (false, true)));
        let none = format!("replaces: {short} → none");
        assert_eq!(named(&fact(&[gone]), &of("")), (none, (false, false)));
    }
}
