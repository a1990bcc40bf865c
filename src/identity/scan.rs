//! The usual form of a memory file, read in one pass without taking the document apart.
//!
//! Invariant: what the scan accepts, the full reader reads the same way (held by a test); everything unusual is left to the full reader.

use super::{
    document::MAX_MEMORY_BYTES,
    frontmatter,
    stamp::{ReadStamp, Stamp},
    value::{self, Value},
};

/// A memory file in its usual form.
#[derive(Clone, PartialEq, Debug)]
pub struct Scanned<'a> {
    /// The number.
    pub id: Option<Value>,
    /// `created` as written.
    pub written: &'a str,
    /// `created`
    pub created: ReadStamp,
    /// `updated`, as it was read.
    pub updated: Option<Option<ReadStamp>>,
    /// The tags.
    pub tags: Option<Value>,
    /// The checksum as written.
    pub checksum: Option<&'a str>,
    /// Everything after the closing `---` line.
    pub body: &'a str,
}

const MAX_KEYS: usize = 16;

/// Reads a file of the usual form; `None` for everything else, broken files included.
pub fn scan(bytes: &[u8]) -> Option<Scanned<'_>> {
    if bytes.len() > MAX_MEMORY_BYTES {
        return None;
    }
    let text = std::str::from_utf8(bytes).ok()?;
    let mut rest = text.strip_prefix("---\n")?;
    let mut keys: [&str; MAX_KEYS] = [""; MAX_KEYS];
    let mut count = 0;
    let mut scanned = Scanned {
        id: None,
        written: "",
        created: ReadStamp { stamp: Stamp::EPOCH, zoned: true },
        updated: None,
        tags: None,
        checksum: None,
        body: "",
    };
    loop {
        let end = rest.find('\n')?;
        let line = &rest[..end];
        rest = &rest[end + 1..];
        if line == "---" {
            break;
        }
        let (key, raw) = line.split_once(": ")?;
        let plain = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        if !plain || keys[..count].contains(&key) || count == MAX_KEYS || raw.contains('#') || line.ends_with('\r') {
            return None;
        }
        keys[count] = key;
        count += 1;
        read_key(&mut scanned, key, raw.trim())?;
    }
    let front = text.len() - rest.len();
    scanned.body = rest;
    (!scanned.written.is_empty() && front <= frontmatter::MAX_BYTES).then_some(scanned)
}

fn read_key<'a>(scanned: &mut Scanned<'a>, key: &str, raw: &'a str) -> Option<()> {
    // A stamp or a checksum is plain text of a kind that needs no further look; the other keys must at least have a usual value.
    match key {
        "created" => {
            scanned.created = Stamp::parse(plain_stamp(raw)?)?;
            scanned.written = raw;
        }
        "updated" => scanned.updated = Some(Stamp::parse(plain_stamp(raw)?)),
        "checksum" => {
            let usual = raw.len() >= 64 && raw.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b':');
            scanned.checksum = Some(raw).filter(|_| usual);
            scanned.checksum?;
        }
        "id" => scanned.id = Some(value::usual(raw)?),
        "tags" => scanned.tags = Some(value::usual(raw)?),
        // A source is text; anything else is the full reader's to report.
        "source" => {
            value::usual(raw)?.text()?;
        }
        _ => {
            value::usual(raw)?;
        }
    }
    Some(())
}

/// A stamp that YAML leaves as text: a date and more, of digits and the signs of RFC 3339.
fn plain_stamp(raw: &str) -> Option<&str> {
    let plain = raw.len() >= 10 && raw.bytes().all(|byte| byte.is_ascii_digit() || b"-:.+TZ".contains(&byte)) && raw.as_bytes()[4] == b'-';
    plain.then_some(raw)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::{Memory, RelPath, document::Document};
    use proptest::prelude::*;
    use std::sync::Arc;

    proptest! {
        #[test]
        fn the_scan_agrees_with_the_full_reader(
            id in prop_oneof![Just("id: 12\n"), Just("id: mem-012\n"), Just("id: x\n"), Just("")],
            created in prop_oneof![Just("created: 2026-01-01T00:00:00Z\n"), Just("created: 2026-01-01\n"), Just("created: 2026-01-01T00:00:00.5+02:00\n"), Just("created: soon\n")],
            more in prop::collection::vec(prop_oneof![Just("tags: [a, b]\n"), Just("tags: a, b\n"), Just("tags:\n  - a\n"), Just("source: user-told\n"), Just("updated: 2026-02-01T00:00:00Z\n"), Just("mood: yes\n"), Just("mood: |\n  x\n"), Just("a b: c\n"), Just("x: \"y\"\n")], 0..4),
            body in "[ a-c\n]{0,12}",
        ) {
            let file = format!("---\n{id}{created}{}---\n{body}", more.concat());
            let path = RelPath::known("knowledge/memories/012-x.md");
            let slow = Document::read(file.as_bytes()).ok().and_then(|document| {
                let text = document.get("created").and_then(Value::text)?;
                Some(Memory::of_document(path.clone(), &document, Stamp::parse(&text)?.stamp))
            });
            if scan(file.as_bytes()).is_some() {
                prop_assert_eq!(Memory::read(&path, &Arc::<[u8]>::from(file.as_bytes())).ok(), slow);
            }
        }
    }
}
