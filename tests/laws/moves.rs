//! The laws of the merge where documents move: one document stays one, with the edits of both
//! sides, and links follow it.

use super::{cases, failing_seeds, joined};
use co_cli::tested::identity::{Blob, RelPath, Snapshot};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Where the two documents are, below `knowledge/`; empty if deleted.
const PLACES: [(&str, &str); 8] = [
    ("plan.md", "list.md"),
    ("old/plan.md", "list.md"),
    ("plan.md", "old/list.md"),
    ("x/plan.md", "x/list.md"),
    ("scheme.md", "list.md"),
    // Exchanged.
    ("list.md", "plan.md"),
    ("", "list.md"),
    ("plan.md", ""),
];

#[derive(Clone, Debug)]
struct Side {
    plan: &'static str,
    list: &'static str,
    /// Lines of the plan that it changed.
    lines: Vec<usize>,
}

fn side() -> impl Strategy<Value = Side> {
    let places = prop::sample::select(PLACES.to_vec());
    (places, prop::collection::vec(0..4usize, 0..3)).prop_map(|((plan, list), lines)| Side {
        plan,
        list,
        lines,
    })
}

/// The path from one file to another, at most one folder deep.
fn way(from: &str, to: &str) -> String {
    let folder = |path: &str| path.split_once('/').map_or("", |(folder, _)| folder).to_owned();
    match (folder(from), folder(to)) {
        (here, there) if here == there => to.rsplit('/').next().unwrap_or(to).to_owned(),
        (here, _) if here.is_empty() => to.to_owned(),
        _ => format!("../{to}"),
    }
}

/// What a side has: `x` edits the first half of the plan, `y` the second.
fn state(side: &Side, who: &str) -> Snapshot {
    let or = |place: &'static str, home: &'static str| if place.is_empty() { home } else { place };
    let (plan, list) = (or(side.plan, "plan.md"), or(side.list, "list.md"));
    let changed = |line: usize| {
        let first = if who == "x" { 0 } else { 5 };
        side.lines.iter().any(|at| at + first == line)
    };
    let by = |line: usize| if changed(line) { format!(" by {who}") } else { String::new() };
    let line = |line: usize| format!("step {line}{}\n\n", by(line));
    let steps: String = (0..10).map(line).collect();
    let items: String = (0..10).map(|item| format!("item {item}\n\n")).collect();
    let files = [
        (side.plan, format!("# Plan\n\nSee [list]({}).\n\n{steps}", way(plan, list))),
        (side.list, format!("# List\n\nSee [plan]({}).\n\n{items}", way(list, plan))),
        ("index.md", format!("- [plan]({plan})\n- [list]({list})\n")),
    ];
    let there = files.into_iter().filter(|(path, _)| !path.is_empty());
    let file = |(path, text): (&str, String)| {
        (RelPath::known(&format!("knowledge/{path}")), Blob::from(text))
    };
    there.map(file).collect()
}

fn beginning() -> Snapshot {
    state(&Side { plan: "plan.md", list: "list.md", lines: Vec::new() }, "x")
}

/// The documents with this heading, by their paths below `knowledge/`.
fn called(snapshot: &Snapshot, heading: &str) -> BTreeMap<String, String> {
    let read = |(path, blob): (&RelPath, &Blob)| {
        let text = String::from_utf8_lossy(blob).into_owned();
        (path.as_str().replacen("knowledge/", "", 1), text)
    };
    snapshot.iter().map(read).filter(|(_, text)| text.starts_with(heading)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: failing_seeds(), ..ProptestConfig::default() })]

    #[test]
    fn symmetric_and_settled(a in side(), b in side()) {
        let base = beginning();
        let (x, y) = (state(&a, "x"), state(&b, "y"));
        let once = joined(&base, &x, &y);
        prop_assert_eq!(&joined(&base, &y, &x), &once);
        prop_assert_eq!(&joined(&base, &once, &y), &once);
        prop_assert_eq!(&joined(&base, &x, &once), &once);
    }

    #[test]
    fn one_document_with_the_edits_of_both(a in side(), b in side()) {
        let base = beginning();
        let merged = joined(&base, &state(&a, "x"), &state(&b, "y"));
        let (plans, lists) = (called(&merged, "# Plan"), called(&merged, "# List"));
        let is_touched = |side: &Side| side.plan != "plan.md" || !side.lines.is_empty();
        let is_gone = match (a.plan.is_empty(), b.plan.is_empty()) {
            (true, true) => true,
            (true, false) => !is_touched(&b),
            (false, true) => !is_touched(&a),
            (false, false) => false,
        };
        // A link of a document that moved alone was written anew: that is no edit.
        prop_assert!(plans.len() == usize::from(!is_gone) || (is_gone && plans.len() == 1), "{:?}", merged);
        prop_assert!(lists.len() < 2, "{:?}", merged);
        for (side, who) in [(&a, "x"), (&b, "y")] {
            let first = if who == "x" { 0 } else { 5 };
            for line in side.lines.iter().filter(|_| !side.plan.is_empty()) {
                let step = format!("step {} by {who}\n", line + first);
                prop_assert!(plans.values().any(|text| text.contains(&step)), "{step}: {:?}", merged);
            }
        }
        if [a.plan, a.list, b.plan, b.list].iter().all(|place| !place.is_empty()) {
            let index = called(&merged, "- [plan]").remove("index.md").expect("an index");
            for (name, documents) in [("plan", &plans), ("list", &lists)] {
                let (path, text) = documents.iter().next().expect("a document");
                let link = format!("- [{name}]({path})\n");
                prop_assert!(index.contains(&link), "{link}: {:?}", merged);
                let (other, others) = if name == "plan" { ("list", &lists) } else { ("plan", &plans) };
                let link = format!("[{other}]({})", way(path, others.keys().next().expect("the other")));
                prop_assert!(text.contains(&link), "{link}: {:?}", merged);
            }
        }
    }
}
