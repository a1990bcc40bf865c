//! Laws over generated values. Of the merge, here and in `moves`: it is symmetric, merging again
//! changes nothing, and every fact is accounted for. Of dates, of the review, and of the formats of
//! secrets: in files of their own.
//!
//! `CO_LAW_CASES=100000` runs longer.

mod dates;
mod moves;
mod review;
mod secrets;

use co_cli::tested::identity::{
    Blob, ContentHash, Document, EditTimes, Memory, RelPath, Snapshot, Stamp, memory, value::Value,
};
use co_cli::tested::merge::{
    ChangeSet, Decision, History, Policy, Reason, change::FileChange, checkout, merge, merge_with,
    tidy,
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

fn stamp(n: i64) -> Stamp {
    Stamp::from_micros(1_770_000_000_000_000 + n * 1_000_003)
}

fn memory_file(
    id: u64,
    created: i64,
    updated: Option<i64>,
    tag: Option<u8>,
    text: &str,
) -> (RelPath, Blob) {
    let tags: Vec<String> = tag.map(|tag| format!("t{tag}")).into_iter().collect();
    let mut file = memory::new_file(id, stamp(created), &tags, "user-told", text);
    if let Some(updated) = updated {
        file = file.replacen(
            "source:",
            &format!("updated: {}\nsource:", stamp(updated).with_offset()),
            1,
        );
    }
    (RelPath::known(&format!("knowledge/memories/{id:03}-m{created}.md")), file.into_bytes().into())
}

#[derive(Clone, Debug)]
enum Edit {
    Text(usize, String),
    Tag(usize, u8),
    /// A key of a fact in time: a check, when the next one is due, what it replaces, from and until
    /// when it holds.
    Time(usize, u8, u8),
    Add(i64, String),
    Remove(usize),
    Forget(usize, i64),
    Line(usize, String),
    Field(u8, u8),
    Drop(usize),
    Paragraph(u8),
    /// A line of a document without stamps.
    Plain(usize, String),
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let word = prop::sample::select(vec![
        "alpha",
        "beta",
        "gamma",
        "delta",
        "alpha\nbeta",
        "alpha\nbeta\ngamma\ndelta",
    ]);
    let edit = prop_oneof![
        (0..6usize, word.clone()).prop_map(|(at, text)| Edit::Text(at, text.to_owned())),
        (0..6usize, 0..4u8).prop_map(|(at, tag)| Edit::Tag(at, tag)),
        (0..6usize, 0..5u8, 0..4u8).prop_map(|(at, key, day)| Edit::Time(at, key, day)),
        (10..40i64, word).prop_map(|(at, text)| Edit::Add(at, text.to_owned())),
        (0..6usize).prop_map(Edit::Remove),
        (0..6usize, 50..90i64).prop_map(|(at, when)| Edit::Forget(at, when)),
        (0..6usize, "[a-c]{1,2}").prop_map(|(at, text)| Edit::Line(at, text)),
        (0..3u8, 0..4u8).prop_map(|(key, value)| Edit::Field(key, value)),
        (0..6usize).prop_map(Edit::Drop),
        (0..5u8).prop_map(Edit::Paragraph),
        (0..9usize, "[a-c]{1,2}").prop_map(|(at, text)| Edit::Plain(at, text)),
    ];
    prop::collection::vec(edit, 0..6)
}

const PLAIN: &str = "knowledge/notes/plain.md";

fn beginning() -> Snapshot {
    let mut snapshot = Snapshot::default();
    for (n, text) in ["one", "two\nlines\nare\nhere", "three", "four"].into_iter().enumerate() {
        let (path, blob) = memory_file(n as u64 + 1, n as i64, None, Some(n as u8), text);
        snapshot.put(path, blob);
    }
    let profile = "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n# Profile\n\n- K0: a\n- \
        K1: b\n- plain\n\nSome words stand here, and they may change.\n";
    snapshot.put(RelPath::known("profile.md"), profile.as_bytes().to_vec());
    snapshot.put(
        RelPath::known("knowledge/context.md"),
        profile.replace("Profile", "Learned").into_bytes(),
    );
    snapshot.put(
        RelPath::known("knowledge/people/sarah.md"),
        b"---\ntitle: Sarah\n---\n\n# Sarah\n\nl1\nl2\nl3\nl4\n".to_vec(),
    );
    // Says nothing about its age.
    snapshot.put(RelPath::known(PLAIN), b"# Plan\n\none\n\ntwo\nthree\nfour\n\nfive\n".to_vec());
    snapshot.put(RelPath::known("attachments/a.bin"), vec![1, 2, 3]);
    snapshot
}

/// Every edit makes a text of its own, as people's edits do; without it the few words of the
/// generator meet all the time.
fn with_own_texts(edits: &[Edit], side: &str) -> Vec<Edit> {
    let own = |(n, edit): (usize, &Edit)| match edit.clone() {
        Edit::Text(at, text) => Edit::Text(at, format!("{text} {side}{n}")),
        Edit::Add(at, text) => Edit::Add(at, format!("{text} {side}{n}")),
        Edit::Plain(at, text) => Edit::Plain(at, format!("{text} {side}{n}")),
        other => other,
    };
    edits.iter().enumerate().map(own).collect()
}

fn apply(base: &Snapshot, edits: &[Edit], when: i64) -> Snapshot {
    let mut snapshot = base.clone();
    for (n, edit) in edits.iter().enumerate() {
        let now = when + n as i64;
        let memories = snapshot.memories();
        let nth = |at: usize| memories.get(at % memories.len().max(1)).cloned();
        match edit {
            Edit::Text(at, text) => {
                if let Some(memory) = nth(*at) {
                    let edited =
                        memory.edited(|d| d.set_body(format!("\n{text}\n"))).stamped(stamp(now));
                    snapshot.put(edited.path, edited.blob);
                }
            }
            Edit::Tag(at, tag) => {
                if let Some(memory) = nth(*at) {
                    let edited =
                        memory.edited(|d| d.set("tags", Value::List(vec![format!("t{tag}")])));
                    snapshot.put(edited.path, edited.blob);
                }
            }
            Edit::Time(at, key, day) => {
                if let Some(memory) = nth(*at) {
                    let edited = memory.edited(|d| set_time(d, *key, *day));
                    snapshot.put(edited.path, edited.blob);
                }
            }
            Edit::Add(at, text) => {
                // An origin is precise: two laptops never give the same one to different facts. The
                // model tries coarse ones.
                let (path, blob) = memory_file(*at as u64, at + when * 10, None, None, text);
                snapshot.put(path, blob);
            }
            Edit::Remove(at) => {
                if let Some(memory) = nth(*at) {
                    snapshot.remove(&memory.path);
                }
            }
            Edit::Forget(at, line) => {
                if let Some(memory) = nth(*at) {
                    let mut ledger = snapshot.ledger();
                    ledger.add(
                        memory.created,
                        memory.hash,
                        stamp(*line).max(memory.latest().plus(1)),
                    );
                    snapshot.remove(&memory.path);
                    snapshot.put(
                        RelPath::known("knowledge/forgotten.md"),
                        ledger.write().expect("a line").into_bytes(),
                    );
                }
            }
            Edit::Line(at, text) => {
                edit_body(&mut snapshot, "knowledge/people/sarah.md", now, |body| {
                    let mut lines: Vec<String> = body.lines().map(str::to_owned).collect();
                    let at = 3 + at % lines.len().saturating_sub(3).max(1);
                    lines.insert(at.min(lines.len()), format!("l-{text}"));
                    lines.join("\n") + "\n"
                })
            }
            Edit::Field(key, value) => {
                let file = if key % 2 == 0 { "profile.md" } else { "knowledge/context.md" };
                edit_body(&mut snapshot, file, now, |body| {
                    let line = format!("- K{key}: v{value}");
                    let mut found = false;
                    let mut lines: Vec<String> = body
                        .lines()
                        .map(|old| {
                            if old.starts_with(&format!("- K{key}:")) {
                                found = true;
                                line.clone()
                            } else {
                                old.to_owned()
                            }
                        })
                        .collect();
                    if !found {
                        lines.insert(3, line);
                    }
                    lines.join("\n") + "\n"
                });
            }
            Edit::Drop(at) => edit_body(&mut snapshot, "knowledge/context.md", now, |body| {
                let items: Vec<&str> = body.lines().filter(|line| line.starts_with("- ")).collect();
                let Some(doomed) = items.get(at % items.len().max(1)) else {
                    return body.to_owned();
                };
                body.lines().filter(|line| line != doomed).map(|line| format!("{line}\n")).collect()
            }),
            Edit::Plain(at, text) => {
                let path = RelPath::known(PLAIN);
                let old = String::from_utf8_lossy(snapshot.get(&path).expect("there")).into_owned();
                let mut lines: Vec<&str> = old.lines().collect();
                let at = 2 + at % lines.len().saturating_sub(2).max(1);
                match text.len() % 3 {
                    0 if at < lines.len() => drop(lines.remove(at)),
                    1 if at < lines.len() => lines[at] = text,
                    _ => lines.insert(at.min(lines.len()), text),
                }
                snapshot.put(path, (lines.join("\n") + "\n").into_bytes());
            }
            Edit::Paragraph(n) => edit_body(&mut snapshot, "profile.md", now, |body| {
                let words = ["Some", "words", "stand", "here,", "change."];
                body.replacen(words[*n as usize], &format!("W{now}"), 1)
            }),
        }
    }
    snapshot
}

fn set_time(document: &mut Document, key: u8, day: u8) {
    match key {
        0 => document.set("verified", Value::Text(format!("2026-02-1{day}"))),
        1 => document.set("stale_after", Value::Text(format!("2026-08-1{day}"))),
        2 => document.set("supersedes", Value::List(vec![format!("s{day}")])),
        3 => document.set("valid_from", Value::Text(format!("2026-02-1{day}"))),
        // Before and after the facts are said.
        _ => document.set("valid_until", Value::Text(format!("2026-0{}-01", 1 + day))),
    }
}

fn edit_body(snapshot: &mut Snapshot, path: &str, now: i64, edit: impl FnOnce(&str) -> String) {
    let path = RelPath::known(path);
    let Some(blob) = snapshot.get(&path) else { return };
    let mut document = Document::read(blob).expect("readable");
    let body = edit(document.body());
    if body != document.body() {
        document.set_body(body);
        document.set("updated", Value::Text(stamp(now).to_string()));
        snapshot.put(path, document.write().into_bytes());
    }
}

fn joined(base: &Snapshot, x: &Snapshot, y: &Snapshot) -> Snapshot {
    merge(Some(base), x, y, Policy::Sync).snapshot
}

fn inverse(change: &ChangeSet) -> ChangeSet {
    ChangeSet::of(change.files.iter().cloned().map(FileChange::reversed).collect())
}

fn hashes(snapshot: &Snapshot) -> BTreeSet<ContentHash> {
    snapshot.memories().iter().map(|memory| memory.hash).collect()
}

/// Cases that failed once stay, and are tried first.
pub fn failing_seeds() -> Option<Box<dyn proptest::test_runner::FailurePersistence>> {
    use proptest::test_runner::FileFailurePersistence;
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/laws/failing-seeds.txt");
    Some(Box::new(FileFailurePersistence::Direct(file)))
}

fn cases() -> u32 {
    std::env::var("CO_LAW_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(3_000)
}

/// A value as people write it below a key of their own, from the colon on.
fn own_value() -> impl Strategy<Value = String> {
    let names = || prop::collection::vec("[A-F]", 0..4);
    prop_oneof![
        Just(String::new()),
        Just(" ~".to_owned()),
        Just(" \"\"".to_owned()),
        "[A-F]".prop_map(|name| format!(" {name}")),
        names().prop_map(|names| format!(" [{}]", names.join(", "))),
        names().prop_map(|names| format!(
            " [{}]",
            [names, vec!["{b: F}".to_owned()]].concat().join(", ")
        )),
        "[A-F]".prop_map(|name| format!(" {{b: {name}}}")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: failing_seeds(), max_shrink_iters: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn symmetric(a in edits(), b in edits()) {
        let base = beginning();
        let (x, y) = (apply(&base, &a, 50), apply(&base, &b, 60));
        prop_assert_eq!(joined(&base, &x, &y), joined(&base, &y, &x));
        prop_assert_eq!(merge(None, &x, &y, Policy::Sync).snapshot, merge(None, &y, &x, Policy::Sync).snapshot);
    }

    /// The later time decides, whichever side is named first, and a merge is as late as its sides.
    #[test]
    fn symmetric_and_settled_where_the_times_are_known(a in edits(), b in edits(), at_x in 0..3i64, at_y in 0..3i64) {
        let base = beginning();
        let (x, y) = (apply(&base, &with_own_texts(&a, "x"), 50), apply(&base, &with_own_texts(&b, "y"), 60));
        let at = |n: i64| -> EditTimes { base.paths().map(|path| (path, stamp(n))).collect() };
        let with = |(x, of_x): (&Snapshot, i64), (y, of_y): (&Snapshot, i64)| {
            let (of_x, of_y) = (at(of_x), at(of_y));
            let history = History { base: Some(&base), times: Some([&of_x, &of_y]), ..History::default() };
            merge_with(history, x, y, Policy::Sync).snapshot
        };
        let once = with((&x, at_x), (&y, at_y));
        prop_assert_eq!(&with((&y, at_y), (&x, at_x)), &once);
        let later = at_x.max(at_y) + 1;
        prop_assert_eq!(&with((&once, later), (&y, at_y)), &once);
        prop_assert_eq!(&with((&x, at_x), (&once, later)), &once);
    }

    #[test]
    fn equal_sides_and_untouched_sides_are_taken_as_they_are(a in edits()) {
        let base = beginning();
        let x = apply(&base, &a, 50);
        prop_assert_eq!(&joined(&base, &x, &x), &x);
        prop_assert_eq!(&joined(&base, &base, &x), &x);
        prop_assert_eq!(&joined(&base, &x, &base), &x);
    }

    #[test]
    fn merging_a_side_in_again_changes_nothing(a in edits(), b in edits()) {
        let base = beginning();
        let (x, y) = (apply(&base, &with_own_texts(&a, "x"), 50), apply(&base, &with_own_texts(&b, "y"), 60));
        let once = joined(&base, &x, &y);
        prop_assert_eq!(&joined(&base, &once, &y), &once);
        prop_assert_eq!(&joined(&base, &once, &x), &once);
    }

    /// Where edits of both sides meet in one text several times over, which of two memories carries
    /// it may still differ; the facts may not.
    #[test]
    fn merging_a_side_in_again_brings_no_fact_and_loses_none(a in edits(), b in edits()) {
        let base = beginning();
        let (x, y) = (apply(&base, &a, 50), apply(&base, &b, 60));
        let once = joined(&base, &x, &y);
        prop_assert_eq!(hashes(&joined(&base, &once, &y)), hashes(&once));
        prop_assert_eq!(hashes(&joined(&base, &once, &x)), hashes(&once));
    }

    #[test]
    fn every_fact_is_accounted_for(a in edits(), b in edits()) {
        let base = beginning();
        let (x, y) = (apply(&base, &a, 50), apply(&base, &b, 60));
        let merged = joined(&base, &x, &y);
        let (have, ledger, old) = (hashes(&merged), merged.ledger(), hashes(&base));
        let words: BTreeSet<String> = merged.memories().iter().flat_map(|m| m.text().lines().map(str::to_owned).collect::<Vec<_>>()).collect();
        for memory in x.memories().iter().chain(&y.memories()) {
            let merged_text = memory.text().lines().all(|line| words.contains(line));
            let accounted = have.contains(&memory.hash) || old.contains(&memory.hash) || ledger.of_text(memory.hash).is_some() || merged_text;
            prop_assert!(accounted, "{:?} is gone", memory.text());
        }
    }

    #[test]
    fn tidying_twice_is_tidying_once(a in edits(), b in edits()) {
        let reference = apply(&beginning(), &a, 50);
        let work = apply(&reference, &b, 60);
        let hand = tidy::Clock { now: stamp(1000), mtimes: &BTreeMap::new() };
        let once = tidy::tidy(&work, &reference, hand).snapshot;
        prop_assert_eq!(&tidy::tidy(&once, &reference, hand).snapshot, &once);
        prop_assert_eq!(&tidy::tidy(&once, &once, hand).snapshot, &once);
    }

    #[test]
    fn change_sets_apply_and_invert(a in edits(), b in edits()) {
        let (x, y) = (apply(&beginning(), &a, 50), apply(&beginning(), &b, 60));
        let change = ChangeSet::between(&x, &y);
        prop_assert_eq!(&change.apply(&x), &y);
        prop_assert_eq!(&inverse(&change).apply(&y), &x);
    }

    /// A list under a key of the person's own is united as tags are.
    #[test]
    fn a_fact_saved_on_two_sides_has_the_items_of_both(
        here in prop::collection::vec("[A-F]", 0..5),
        there in prop::collection::vec("[A-F]", 0..5),
        first in any::<bool>(),
    ) {
        let saved = |id: u64, created: i64, people: &[String]| -> Snapshot {
            let (path, blob) = memory_file(id, created, None, None, "Met at the station");
            let text = String::from_utf8(blob.to_vec()).expect("text");
            let list = format!("people: [{}]\nsource:", people.join(", "));
            [(path, text.replacen("source:", &list, 1).into_bytes().into())].into_iter().collect()
        };
        let (x, y) = (saved(1, 20, &here), saved(2, if first { 19 } else { 21 }, &there));
        let once = merge(None, &x, &y, Policy::Sync).snapshot;
        prop_assert_eq!(&merge(None, &y, &x, Policy::Sync).snapshot, &once);
        prop_assert_eq!(&merge(None, &once, &y, Policy::Sync).snapshot, &once);
        prop_assert_eq!(&merge(None, &x, &once, Policy::Sync).snapshot, &once);
        let facts = once.memories();
        prop_assert_eq!(facts.len(), 1);
        let people = facts[0].document().get("people").and_then(|value| value.list());
        let people: BTreeSet<String> = people.unwrap_or_default().into_iter().collect();
        prop_assert_eq!(people, here.into_iter().chain(there).collect::<BTreeSet<String>>());
    }

    /// A person's own value on one side and another on the other: it does not matter whose turn it
    /// is to merge, and what is not in the fact is in a decision.
    #[test]
    fn of_two_values_of_one_key_none_is_lost_in_silence(
        here in own_value(),
        there in own_value(),
        first in any::<bool>(),
    ) {
        let saved = |id: u64, created: i64, value: &str| -> Snapshot {
            let (path, blob) = memory_file(id, created, None, None, "Met at the station");
            let text = String::from_utf8(blob.to_vec()).expect("text");
            let line = format!("people:{value}\nsource:");
            [(path, text.replacen("source:", &line, 1).into_bytes().into())].into_iter().collect()
        };
        let (x, y) = (saved(1, 20, &here), saved(2, if first { 19 } else { 21 }, &there));
        let merged = merge(None, &x, &y, Policy::Sync);
        let once = &merged.snapshot;
        let other = merge(None, &y, &x, Policy::Sync);
        prop_assert_eq!(&other.snapshot, once);
        let said = |decisions: &[Decision]| -> BTreeSet<Decision> { decisions.iter().cloned().collect() };
        prop_assert_eq!(said(&other.decisions), said(&merged.decisions));
        prop_assert_eq!(&merge(None, once, &y, Policy::Sync).snapshot, once);
        prop_assert_eq!(&merge(None, &x, once, Policy::Sync).snapshot, once);
        let facts = once.memories();
        prop_assert_eq!(facts.len(), 1);
        let whole = std::str::from_utf8(&facts[0].blob).expect("text");
        let names = |text: &str| -> BTreeSet<char> {
            text.chars().filter(|letter| ('A'..='F').contains(letter)).collect()
        };
        let line = whole.lines().find(|line| line.starts_with("people:")).unwrap_or_default();
        let fields = merged.decisions.iter().filter(|one| one.reason == Reason::Field);
        let told: String = fields.map(|one| one.why.as_str()).collect();
        let wanted = names(&(here + &there));
        prop_assert_eq!(names(&format!("{line}{told}")), wanted, "{} {}", line, told);
    }

    #[test]
    fn nobody_writes_a_conflict_marker(a in edits(), b in edits()) {
        let base = beginning();
        let merged = joined(&base, &apply(&base, &a, 50), &apply(&base, &b, 60));
        for (path, blob) in merged.iter() {
            prop_assert_eq!(co_cli::tested::identity::check::marker_line(blob), None, "{}", path);
        }
    }
}

#[test]
fn import_takes_the_later_version_and_sync_keeps_both() {
    let one = |updated, text: &str| -> Snapshot {
        [memory_file(1, 0, Some(updated), None, text)].into_iter().collect()
    };
    let (old, new) = (one(10, "old text"), one(20, "new text"));
    let texts = |snapshot: &Snapshot| {
        snapshot.memories().iter().map(|m: &Memory| m.text().to_owned()).collect::<BTreeSet<_>>()
    };
    assert_eq!(
        texts(&merge(None, &old, &new, Policy::Import).snapshot),
        ["new text".to_owned()].into()
    );
    assert_eq!(texts(&merge(None, &old, &new, Policy::Sync).snapshot).len(), 2);
}

/// Files that exchange their facts: after each step every text that was there and stays is in some
/// file, so that a kill there loses none.
#[test]
fn an_exchange_keeps_every_text_at_every_step() {
    let file = |path: u64, id: u64, text: &str| {
        let (_, blob) = memory_file(id, id as i64, None, None, text);
        (RelPath::known(&format!("knowledge/memories/{path:03}-x.md")), blob)
    };
    let texts = ["tea", "coffee", "water"];
    // Of two, of three in a ring, and of files that keep their facts and exchange their texts.
    let exchanges: [(&[usize], bool); 4] =
        [(&[1, 0], false), (&[1, 2, 0], false), (&[1, 0], true), (&[2, 0, 1], true)];
    for (to, texts_only) in exchanges {
        let old: Snapshot = (0..to.len()).map(|at| file(at as u64, at as u64, texts[at])).collect();
        let goes = |at: usize| {
            if texts_only {
                file(at as u64, at as u64, texts[to[at]])
            } else {
                file(at as u64, to[at] as u64, texts[to[at]])
            }
        };
        let new: Snapshot = (0..to.len()).map(goes).collect();
        let hashes = |snapshot: &Snapshot| -> BTreeSet<ContentHash> {
            snapshot.memories().iter().map(|memory| memory.hash).collect()
        };
        let mut work = old.clone();
        for step in checkout::plan(&old, &new) {
            match step.change.after {
                Some(blob) => work.put(step.change.path, blob),
                None => drop(work.remove(&step.change.path)),
            }
            assert_eq!(hashes(&work), hashes(&old), "{to:?} {texts_only}");
        }
        assert_eq!(work, new, "{to:?} {texts_only}");
    }
}
