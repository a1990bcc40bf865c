//! The bytes of one operation in one file: for each blob a line `hash length`, then its bytes.

use crate::identity::Blob;
use std::collections::BTreeMap;

pub(super) fn packed(store: &BTreeMap<String, &Blob>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, blob) in store {
        bytes.extend(format!("{name} {}\n", blob.len()).into_bytes());
        bytes.extend_from_slice(blob);
    }
    bytes
}

/// Reading ends at the first damage; everything before it is kept.
pub(super) fn unpacked(bytes: &[u8]) -> BTreeMap<&str, Blob> {
    read(bytes).0
}

/// Also the bytes from the first damage on.
pub(super) fn read(bytes: &[u8]) -> (BTreeMap<&str, Blob>, &[u8]) {
    let mut store = BTreeMap::new();
    let mut rest = bytes;
    while let Some(end) = memchr::memchr(b'\n', rest) {
        let head = std::str::from_utf8(&rest[..end]).ok().and_then(|head| head.split_once(' '));
        let Some((name, length)) = head else { break };
        let Some(length) = length.parse::<usize>().ok() else { break };
        let Some(body) = rest.get(end + 1..end + 1 + length) else { break };
        store.insert(name, Blob::from(body));
        rest = &rest[end + 1 + length..];
    }
    (store, rest)
}

#[cfg(test)]
mod tests {
    use super::super::name_of;
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
        let (a, b) = (Blob::from("one\ntwo 3\n"), Blob::from(vec![0, 255, b'\n']));
        let store: BTreeMap<String, &Blob> =
            [(name_of(&a), &a), (name_of(&b), &b)].into_iter().collect();
        let bytes = packed(&store);
        let again = unpacked(&bytes);
        assert_eq!(again.len(), 2);
        assert_eq!(again[name_of(&b).as_str()], b);
        assert_eq!(unpacked(&bytes[..bytes.len() - 1]).len(), 1);
    }
}
