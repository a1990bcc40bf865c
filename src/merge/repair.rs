//! Joins two versions of one file: cloud conflict copies, and files with git's conflict markers.
//!
//! Invariant: the ordinary merge decides; for a field with two values it reports the one not kept.

use super::{Merged, Policy, merge};
use crate::identity::{Blob, RelPath, Snapshot};

/// The two sides of a file with git's markers, and the ancestor if the markers include one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConflictSides {
    pub base: Option<Blob>,
    pub ours: Blob,
    pub theirs: Blob,
}

/// `None` if the markers are incomplete.
pub fn sides(blob: &[u8]) -> Option<ConflictSides> {
    #[derive(Clone, Copy, PartialEq)]
    enum At {
        Both,
        Ours,
        Base,
        Theirs,
    }
    let text = std::str::from_utf8(blob).ok()?;
    let (mut base, mut ours, mut theirs) = (String::new(), String::new(), String::new());
    let (mut at, mut hunks, mut with_base) = (At::Both, 0, 0);
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\n', '\r']);
        at = match (at, bare) {
            (At::Both, _) if bare.starts_with("<<<<<<< ") => At::Ours,
            (At::Ours, _) if bare.starts_with("||||||| ") || bare == "|||||||" => {
                with_base += 1;
                At::Base
            }
            (At::Ours | At::Base, "=======") => At::Theirs,
            (At::Theirs, _) if bare.starts_with(">>>>>>> ") => {
                hunks += 1;
                At::Both
            }
            (at, _) => {
                let keep = |side: &mut String| side.push_str(line);
                match at {
                    At::Both => [&mut base, &mut ours, &mut theirs].into_iter().for_each(keep),
                    At::Ours => keep(&mut ours),
                    At::Base => keep(&mut base),
                    At::Theirs => keep(&mut theirs),
                }
                at
            }
        };
    }
    let blob = |text: String| -> Blob { text.into_bytes().into() };
    (at == At::Both && hunks > 0).then(|| ConflictSides {
        base: (with_base == hunks).then(|| blob(base)),
        ours: blob(ours),
        theirs: blob(theirs),
    })
}

/// The merged file, possibly with others next to it, and what was chosen between the two.
pub fn fold(path: &RelPath, base: Option<&Blob>, ours: &Blob, theirs: &Blob) -> Merged {
    let one = |blob: &Blob| -> Snapshot { [(path.clone(), blob.clone())].into_iter().collect() };
    merge(base.map(one).as_ref(), &one(ours), &one(theirs), Policy::Sync)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_taken_apart_and_folded() {
        let text = "---\nversion: 1\n<<<<<<< HEAD\nupdated: \
            2026-02-01T00:00:00Z\n=======\nupdated: 2026-01-01T00:00:00Z\n>>>>>>> b\n---\n\n# P\n\n- A: 1\n<<<<<<< HEAD\n- B: here\n=======\n- C: there\n>>>>>>> b\n";
        let sides = sides(text.as_bytes()).expect("complete");
        assert_eq!(sides.base, None);
        let path = RelPath::known("profile.md");
        let folded = fold(&path, None, &sides.ours, &sides.theirs).snapshot;
        let merged = String::from_utf8_lossy(folded.get(&path).expect("there")).into_owned();
        assert!(
            merged.contains("updated: 2026-02-01")
                && merged.contains("- B: here")
                && merged.contains("- C: there"),
            "{merged}"
        );
        assert!(!merged.contains("<<<<"), "{merged}");
        assert_eq!(super::sides(b"<<<<<<< a\nx\n=======\ny\n"), None);
    }
}
