//! The law of the review: what is shown is exactly what is applied.

use super::{apply, beginning, cases, edits, hashes, inverse, stamp, with_own_texts};
use co_cli::tested::identity::{Calendar, Kind, Snapshot, Stamp};
use co_cli::tested::merge::{
    import::{self, ImportGroup, ImportMode, ImportPreview},
    tidy::settle,
};
use proptest::prelude::*;

fn propose(here: &Snapshot, there: &Snapshot, mode: ImportMode, now: Stamp) -> ImportPreview {
    import::propose(here, there, mode, (now, &Calendar::default()))
}

fn mode() -> impl Strategy<Value = ImportMode> {
    prop::sample::select(vec![ImportMode::Merge, ImportMode::Replace, ImportMode::RestoreForgotten])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases() / 3, failure_persistence: super::failing_seeds(), ..ProptestConfig::default() })]

    #[test]
    fn what_is_shown_is_what_is_applied(a in edits(), b in edits(), mode in mode()) {
        let base = beginning();
        let (here, there) = (apply(&base, &a, 50), apply(&base, &b, 60));
        let proposal = propose(&here, &there, mode, stamp(1000));
        prop_assert_eq!(&proposal.change.apply(&here), &proposal.after);
        prop_assert_eq!(&inverse(&proposal.change).apply(&proposal.after), &here);
        prop_assert_eq!(&proposal.only(&proposal.items()).after, &proposal.after);
        prop_assert!(proposal.items().is_empty() || proposal.only(&[]).change.is_empty());
    }

    #[test]
    fn taking_it_in_again_changes_nothing(a in edits(), b in edits(), mode in mode()) {
        let base = beginning();
        // Two files with one text, as only a hand leaves them, are one before anything comes in.
        let (here, there) = (settle(&apply(&base, &with_own_texts(&a, "x"), 50), stamp(900)).snapshot, apply(&base, &with_own_texts(&b, "y"), 60));
        let once = propose(&here, &there, mode, stamp(1000)).after;
        let twice = propose(&once, &there, mode, stamp(2000));
        prop_assert_eq!(hashes(&twice.after), hashes(&once));
    }

    #[test]
    fn merge_keeps_what_is_here_and_replace_has_what_is_there(a in edits(), b in edits()) {
        let base = beginning();
        let (here, there) = (apply(&base, &a, 50), apply(&base, &b, 60));
        let replaced = propose(&here, &there, ImportMode::Replace, stamp(1000)).after;
        prop_assert_eq!(hashes(&replaced), hashes(&there));
        for line in here.ledger().iter() {
            prop_assert!(replaced.ledger().get(line.0, line.1).is_some(), "our ledger is kept");
        }
        let merged = propose(&here, &there, ImportMode::Merge, stamp(1000));
        for (path, blob) in here.iter().filter(|(path, _)| path.kind() == Kind::Attachment || path.kind() == Kind::GitMeta) {
            prop_assert_eq!(merged.after.get(path), Some(blob));
        }
        for missing in &merged.not_taken {
            prop_assert!(!missing.why.is_empty());
        }
    }

    #[test]
    fn a_part_that_is_agreed_to_changes_only_its_files(a in edits(), b in edits(), which in 0..3usize) {
        let base = beginning();
        let (here, there) = (apply(&base, &a, 50), apply(&base, &b, 60));
        let proposal = propose(&here, &there, ImportMode::Replace, stamp(1000));
        let group = [ImportGroup::Learned, ImportGroup::Changed, ImportGroup::Removed][which];
        let agreed: Vec<_> = proposal.items().into_iter().filter(|item| item.group == group).collect();
        let part = proposal.only(&agreed);
        for file in &part.change.files {
            prop_assert!(agreed.iter().any(|item| item.paths.contains(&file.path)) || file.path.kind() == Kind::Ledger);
        }
        let removed: usize = hashes(&here).difference(&hashes(&part.after)).count();
        if group == ImportGroup::Learned {
            prop_assert_eq!(removed, 0, "agreeing to what is new takes nothing away");
        }
    }
}

#[test]
fn an_equally_new_field_comes_from_the_source() {
    let profile = |zone: &str| -> Snapshot {
        let text = format!(
            "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n# Profile\n\n- Zone: {zone}\n"
        );
        [(co_cli::tested::identity::RelPath::known("profile.md"), text.into_bytes().into())]
            .into_iter()
            .collect()
    };
    for (here, there) in [("Aaa", "Zzz"), ("Zzz", "Aaa")] {
        assert_eq!(
            propose(&profile(here), &profile(there), ImportMode::Merge, stamp(1000)).after,
            profile(there)
        );
    }
}
