//! Log of recalled texts (hash prefix and time, 16 bytes each) in `local/`; never synced.
//!
//! Invariant: appended to; a damaged or unwritable file loses only the counts. Bounded: when it
//! gets too long, the older half is dropped.

use super::files;
use std::{collections::HashMap, path::Path};

const RECORD: usize = 16;
/// Maximum records before the older half is dropped.
const MAX: usize = 16_384;

/// Records that texts were found, by hash prefix. `now` is in microseconds since 1970.
pub fn note(file: &Path, keys: &[u64], now: i64) {
    let record = |key: &u64| [key.to_le_bytes(), now.to_le_bytes()].concat();
    let records: Vec<u8> = keys.iter().flat_map(record).collect();
    files::append_to_bounded(file, &records, MAX * RECORD, |_, at| at.next_multiple_of(RECORD));
}

/// The time of the oldest record.
pub fn first(file: &Path) -> Option<i64> {
    let all = files::read(file).ok().flatten()?;
    let at = all.get(RECORD / 2..RECORD)?;
    Some(u64::from_le_bytes(at.try_into().ok()?).cast_signed())
}

/// How often each text was found since then.
pub fn counts(file: &Path, since: i64) -> HashMap<u64, u32> {
    let mut counts = HashMap::new();
    let all = files::read(file).ok().flatten().unwrap_or_default();
    for record in all.chunks_exact(RECORD) {
        let (key, at) = record.split_at(8);
        let number = |bytes: &[u8]| bytes.try_into().map_or(0, u64::from_le_bytes);
        if number(at).cast_signed() >= since {
            *counts.entry(number(key)).or_default() += 1;
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_since_then_and_never_too_many() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("recalled");
        assert!(counts(&file, 0).is_empty());
        note(&file, &[7, 8], 100);
        note(&file, &[7], 200);
        assert_eq!(counts(&file, 0), HashMap::from([(7, 2), (8, 1)]));
        assert_eq!(counts(&file, 150), HashMap::from([(7, 1)]));
        for at in 0..20 {
            note(&file, &vec![9; 1_000], 1_000 + at);
        }
        assert!(files::size(&file) <= MAX * RECORD);
        assert!(counts(&file, 0)[&9] > 8_000);
        // Half a record, and a folder that does not exist.
        files::append(&file, b"half").expect("appended");
        note(&file, &[5], 9_999);
        note(Path::new("/dev/null/x"), &[5], 1);
        assert!(!counts(&file, 0).is_empty());
    }
}
