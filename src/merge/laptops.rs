//! What a change does to the facts about laptops, which are in the folders `hosts/NAME` of an
//! identity.
//!
//! Invariant: pure. Such a fact is told with the laptop that it is about, because its number means
//! it on that laptop only. Nothing here merges: for a merge, the files are files like any other.

use super::change::{ChangeSet, Fact, FileChange, Meaning};
use crate::identity::{RelPath, Snapshot, scope::HOSTS};
use std::collections::BTreeMap;

/// The meaning of a change, with the facts about laptops as facts. `before` is the state that it
/// changes, if that is known as a whole.
pub fn meaning(change: &ChangeSet, before: Option<&Snapshot>) -> Meaning {
    let mut own = ChangeSet { files: Vec::new(), decisions: change.decisions.clone() };
    let mut of_laptops: BTreeMap<&str, Vec<FileChange>> = BTreeMap::new();
    for file in &change.files {
        match in_folder_of_laptop(&file.path) {
            Some((laptop, path)) => {
                of_laptops.entry(laptop).or_default().push(FileChange { path, ..file.clone() });
            }
            None => own.files.push(file.clone()),
        }
    }
    let mut meaning = before.map_or_else(|| own.meaning(), |before| own.meaning_from(before));
    for (laptop, files) in of_laptops {
        add(&mut meaning, laptop, ChangeSet::of(files).meaning());
    }
    meaning
}

/// The laptop that a fact, or the ledger beside it, is about, and its path in the folder of that
/// laptop.
fn in_folder_of_laptop(path: &RelPath) -> Option<(&str, RelPath)> {
    let below = path.as_str().strip_prefix(HOSTS)?.strip_prefix('/')?;
    let (laptop, path) = below.split_once('/')?;
    let path = RelPath::new(path).filter(|path| path.is_memory() || path.is_ledger())?;
    Some((laptop, path))
}

fn add(meaning: &mut Meaning, laptop: &str, mut of_it: Meaning) {
    let here = |path: &RelPath| RelPath::known(&format!("{HOSTS}/{laptop}/{path}"));
    let edited = of_it.edited.iter_mut().map(|fact| &mut fact.now);
    let relabelled = of_it.relabelled.iter_mut().map(|change| &mut change.fact);
    let others = of_it.learned.iter_mut().chain(&mut of_it.forgotten);
    let facts: Vec<&mut Fact> =
        others.chain(&mut of_it.deduplicated).chain(edited).chain(relabelled).collect();
    for fact in facts {
        fact.path = here(&fact.path);
        fact.laptop = Some(laptop.to_owned());
    }
    for document in &mut of_it.documents {
        document.path = here(&document.path);
    }
    meaning.learned.extend(of_it.learned);
    meaning.forgotten.extend(of_it.forgotten);
    meaning.edited.extend(of_it.edited);
    meaning.relabelled.extend(of_it.relabelled);
    meaning.deduplicated.extend(of_it.deduplicated);
    meaning.documents.extend(of_it.documents);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_about_a_laptop_is_a_fact_and_no_file() {
        let text = "---\nid: 1\ncreated: 2026-01-01T00:00:00Z\n---\n\nLoud fan.\n";
        let files = [
            "hosts/b/knowledge/memories/001-loud-fan.md",
            "hosts/b/knowledge/tea.md",
            "knowledge/memories/001-loud-fan.md",
        ];
        let after: Snapshot =
            files.iter().map(|path| (RelPath::known(path), text.into())).collect();
        let before = Snapshot::default();
        let change = ChangeSet::between(&before, &after);
        for told in [meaning(&change, None), meaning(&change, Some(&before))] {
            let laptops: Vec<Option<&str>> =
                told.learned.iter().map(|fact| fact.laptop.as_deref()).collect();
            assert_eq!(laptops, [None, Some("b")], "{told:?}");
            assert_eq!(told.learned[1].path.as_str(), files[0]);
            assert_eq!(told.documents.len(), 1, "{told:?}");
        }
    }
}
