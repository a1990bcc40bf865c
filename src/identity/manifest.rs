//! The manifest of an export: human-readable, with a hash of every file for verification.
//!
//! Invariant: reading is tolerant; an empty manifest verifies nothing.

use super::{ContentHash, Document, RelPath, Snapshot, Stamp};
use std::{collections::BTreeMap, fmt::Write};

#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct Manifest {
    pub source_machine: Option<String>,
    pub exported: Option<String>,
    pub co_version: Option<String>,
    pub memory_count: Option<u64>,
    #[serde(skip)]
    files: BTreeMap<RelPath, ContentHash>,
}

pub fn write(snapshot: &Snapshot, machine: &str, exported: Stamp, version: &str) -> String {
    let bytes: usize = snapshot.iter().map(|(_, blob)| blob.len()).sum();
    let count = snapshot.memories().len();
    let mut text = format!(
        "---\nsource_machine: {machine}\nexported: {}\nco_version: {version}\nmemory_count: \
         {count}\nidentity_size: {}\n---\n\n# co identity export\n\n`co diff FILE` shows what it \
         would change, `co identity import FILE` imports it.\n\n## Files\n\n",
        exported.to_seconds(),
        size(bytes)
    );
    for (path, blob) in snapshot.iter() {
        let _ = writeln!(text, "- {} {} {path}", ContentHash::of_bytes(blob), blob.len());
    }
    text
}

/// `12KB`: rounded up, without a space.
fn size(bytes: usize) -> String {
    match bytes {
        0..1024 => format!("{bytes}B"),
        1024..1_048_576 => format!("{}KB", bytes.div_ceil(1024)),
        _ => format!("{}MB", bytes.div_ceil(1_048_576)),
    }
}

pub fn read(text: &str) -> Manifest {
    let Ok(document) = Document::read(text.as_bytes()) else { return Manifest::default() };
    let field = |key: &str| document.get(key).and_then(super::value::Value::text);
    let line = |line: &str| {
        let mut words = line.strip_prefix("- sha256:")?.splitn(3, ' ');
        let (hash, _, path) = (words.next()?, words.next()?, words.next()?);
        Some((RelPath::new(path)?, ContentHash::parse(hash)?))
    };
    Manifest {
        source_machine: field("source_machine"),
        exported: field("exported"),
        co_version: field("co_version"),
        memory_count: field("memory_count").and_then(|text| text.parse().ok()),
        files: document.body().lines().filter_map(line).collect(),
    }
}

impl Manifest {
    pub fn lists(&self, path: &RelPath) -> bool {
        self.files.contains_key(path)
    }

    /// The first file that is missing or has a different hash.
    pub fn contradicted_by(&self, snapshot: &Snapshot) -> Option<&RelPath> {
        let differs = |path: &RelPath, hash: &ContentHash| {
            snapshot.get(path).is_none_or(|blob| ContentHash::of_bytes(blob) != *hash)
        };
        self.files.iter().find(|(path, hash)| differs(path, hash)).map(|(path, _)| path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_is_read_back() {
        let mut snapshot = Snapshot::default();
        snapshot.put(RelPath::known("knowledge/a b.md"), b"text".to_vec());
        let text =
            write(&snapshot, "Bin-MacBook-Pro", Stamp::from_micros(1_770_647_400_123_456), "0.5.0");
        assert!(
            text.contains("\nexported: 2026-02-09T14:30:00Z\n")
                && text.contains("\nidentity_size: 4B\n"),
            "{text}"
        );
        let manifest = read(&text);
        assert_eq!(
            (manifest.source_machine.as_deref(), manifest.memory_count),
            (Some("Bin-MacBook-Pro"), Some(0))
        );
        assert_eq!(manifest.contradicted_by(&snapshot), None);
        snapshot.put(RelPath::known("knowledge/a b.md"), b"other".to_vec());
        assert!(manifest.contradicted_by(&snapshot).is_some());
        assert_eq!((size(12_000), size(3_000_000)), ("12KB".into(), "3MB".into()));
    }
}
