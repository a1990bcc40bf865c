//! The key files on the remote, compared with those that its last record names.
//!
//! Invariant: a key file with other bytes than its record says is never one to open.

use super::Seen;
use crate::seal::names::{KeyName, Sum};
use std::collections::{BTreeMap, BTreeSet};

/// The key files on the remote, beside those that its last record names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KeyFiles {
    /// Not there: to be put back.
    pub missing: Vec<KeyName>,
    /// There with other bytes: not to be opened, and to be put back.
    pub replaced: Vec<KeyName>,
    /// There, and named by no record: of removed laptops, or a stranger's.
    pub strange: Vec<KeyName>,
}

/// Compares the key files on the remote, by name and `Sum` of their bytes, with the last record.
pub fn key_files(seen: &Seen, found: &BTreeMap<KeyName, Sum>) -> KeyFiles {
    let mut files = KeyFiles::default();
    let mut named = BTreeSet::new();
    for file in seen.key_files() {
        named.insert(&file.name);
        match found.get(&file.name) {
            None => files.missing.push(file.name.clone()),
            Some(sum) if *sum != file.sum => files.replaced.push(file.name.clone()),
            Some(_) => {}
        }
    }
    files.strange = found.keys().filter(|name| !named.contains(name)).cloned().collect();
    files
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seal::sample;

    #[test]
    fn missing_replaced_and_strange_files_are_told_apart() {
        let story = sample::story(3);
        let seen = story.seen();
        let mut found: BTreeMap<KeyName, Sum> =
            seen.key_files().map(|file| (file.name.clone(), file.sum.clone())).collect();
        assert_eq!(key_files(&seen, &found), KeyFiles::default());
        let names: Vec<KeyName> = found.keys().cloned().collect();
        found.remove(&names[0]);
        found.insert(names[1].clone(), Sum::of(b"another file"));
        let strange = KeyName::random([0xee; 16]);
        found.insert(strange.clone(), Sum::of(b"of a stranger"));
        let files = key_files(&seen, &found);
        assert_eq!(files.missing, [names[0].clone()]);
        assert_eq!(files.replaced, [names[1].clone()]);
        assert_eq!(files.strange, [strange]);
    }
}
