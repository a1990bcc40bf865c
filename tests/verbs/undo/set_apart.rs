//! Undo on facts that a merge set apart, because both laptops had edited one: each edit is undone
//! where its text is now.
//!
//! Invariant: no undo brings an old text back as one more fact, and none touches the text of the
//! other laptop.

use crate::support::{
    Laptop, World,
    pair::{assert_agree, pair},
    waiting::at_once,
    whole::whole,
};
use std::{thread, time::Duration};

const OTHER: &str = "Prefers spaces after all";

/// Fact 2 says what b wrote last, and fact 4 what a wrote.
fn set_apart(world: &World, edits: &[&str], merged_by: &str) -> (Laptop, Laptop) {
    let (a, b) = pair(world);
    for text in edits {
        a.co(&["edit", "2", text]);
        // Each edit is at least a second later than the text before it.
        thread::sleep(Duration::from_millis(1100));
    }
    b.co(&["edit", "2", OTHER]);
    let (first, merging) = if merged_by == "a" { (&b, &a) } else { (&a, &b) };
    for laptop in [first, merging, first] {
        laptop.co(&["sync"]);
    }
    assert_agree(&[&a, &b]);
    (a, b)
}

/// The operations of this kind, oldest first.
fn operations(laptop: &Laptop, verb: &str) -> Vec<String> {
    let log = laptop.json(&["log"])["data"]["operations"].clone();
    let all = log.as_array().expect("operations").iter().rev();
    all.filter(|one| one["verb"] == verb).map(|one| format!("o{}", one["op"])).collect()
}

/// `4 Prefers tabs`, by number.
fn numbered(laptop: &Laptop) -> Vec<String> {
    let listed = laptop.json(&["list"])["data"]["memories"].clone();
    let rows = listed.as_array().expect("rows").iter();
    let text = |row: &serde_json::Value| row["summary"].as_str().unwrap_or_default().to_owned();
    let mut facts: Vec<String> = rows.map(|row| format!("{} {}", row["id"], text(row))).collect();
    facts.sort();
    facts
}

fn expected(second: &str, fourth: &str) -> Vec<String> {
    let first = "1 I prefer async/await".to_owned();
    vec![first, format!("2 {second}"), "3 Uses SQLAlchemy".to_owned(), format!("4 {fourth}")]
}

#[test]
fn an_edit_that_was_set_apart_is_undone_where_its_text_is() {
    let told = at_once(
        &[
            ("Prefers tabs in Makefiles", "a"),
            ("Prefers tabs in Makefiles", "b"),
            ("Ünï 世界", "b"),
            ("First line\nSecond line", "a"),
            ("# Tabs\n\n- in Go", "b"),
        ],
        |(text, merged_by)| {
            let world = World::new();
            let (a, b) = set_apart(&world, &[text], merged_by);
            let before = numbered(&a);
            let edit = operations(&a, "edit").pop().expect("an edit");
            let plan = a.json(&["undo", &edit, "--dry-run"]);
            assert_eq!(plan["data"]["published"], true, "{text}: {plan}");
            let told = whole(&a.co(&["undo", &edit, "--yes"]));
            assert_eq!(numbered(&a), expected(OTHER, "Prefers tabs"), "{text}");
            for laptop in [&a, &b] {
                laptop.co(&["sync"]);
            }
            assert_agree(&[&a, &b]);
            assert_eq!(numbered(&b), expected(OTHER, "Prefers tabs"), "{text}");
            a.co(&["redo", "--yes"]);
            assert_eq!(numbered(&a), before, "{text}");
            told
        },
    );
    insta::assert_snapshot!(told.join("\n"), @"
    ✓ Undone o4, edit: Prefers tabs in Makefiles. `co redo` reverses this undo. It was already pushed: the next `co sync` passes this on to other laptops.
      ~ 4 Prefers tabs (was: Prefers tabs in Makefiles)
    ✓ Undone o4, edit: Prefers tabs in Makefiles. `co redo` reverses this undo. It was already pushed: the next `co sync` passes this on to other laptops.
      ~ 4 Prefers tabs (was: Prefers tabs in Makefiles)
    ✓ Undone o4, edit: Ünï 世界. `co redo` reverses this undo. It was already pushed: the next `co sync` passes this on to other laptops.
      ~ 4 Prefers tabs (was: Ünï 世界)
    ✓ Undone o4, edit: First line … `co redo` reverses this undo. It was already pushed: the next `co sync` passes this on to other laptops.
      ~ 4 Prefers tabs (was: First line …)
    ✓ Undone o4, edit: # Tabs … `co redo` reverses this undo. It was already pushed: the next `co sync` passes this on to other laptops.
      ~ 4 Prefers tabs (was: # Tabs …)
    ");
}

#[test]
fn several_edits_of_a_text_that_was_set_apart_are_undone_one_by_one_or_together() {
    let edits = ["Prefers tabs mostly", "Prefers tabs in Go"];
    at_once(&["one by one", "together", "the first alone"], |way| {
        let world = World::new();
        let (a, _) = set_apart(&world, &edits, "b");
        let [first, second] = &operations(&a, "edit")[..] else { panic!("two edits") };
        match way {
            "one by one" => {
                a.co(&["undo", second, "--yes"]);
                assert_eq!(numbered(&a), expected(OTHER, edits[0]));
                a.co(&["undo", first, "--yes"]);
            }
            "together" => drop(a.co(&["undo", &format!("{first}..{second}"), "--yes"])),
            // The newer edit is on top of it, so both texts stay or nothing is done.
            _ => {
                a.try_co(&["undo", first, "--yes"]);
                assert!(a.facts().contains(&edits[1].to_owned()), "{:?}", a.facts());
                assert!(a.facts().contains(&OTHER.to_owned()), "{:?}", a.facts());
                return;
            }
        }
        assert_eq!(numbered(&a), expected(OTHER, "Prefers tabs"), "{way}");
    });
}

#[test]
fn a_text_that_was_set_apart_and_edited_again_is_not_lost_by_an_undo() {
    let world = World::new();
    let (a, _) = set_apart(&world, &["Prefers tabs in Go"], "b");
    a.co(&["edit", "4", "Prefers tabs in Go and C"]);
    let edits = operations(&a, "edit");
    a.try_co(&["undo", &edits[0], "--yes"]);
    for text in ["Prefers tabs in Go and C", OTHER] {
        assert!(a.facts().contains(&text.to_owned()), "{:?}", a.facts());
    }
}

#[test]
fn an_edit_by_hand_that_was_set_apart_is_undone_where_its_text_is() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.edit(&a.file_of("Prefers tabs"), "Prefers tabs", "Prefers tabs in Go");
    thread::sleep(Duration::from_millis(1100));
    b.co(&["edit", "2", OTHER]);
    for laptop in [&b, &a] {
        laptop.co(&["sync"]);
    }
    let edit = operations(&a, "by hand").pop().expect("an edit");
    assert!(a.co(&["undo", &edit, "--yes"]).contains("~ 4 Prefers tabs (was: "));
    assert_eq!(numbered(&a), expected(OTHER, "Prefers tabs"));
}

/// After an undo of the merge, the text in fact 4 is the other laptop's.
#[test]
fn an_edit_is_not_looked_for_in_the_text_of_the_other_laptop() {
    let world = World::new();
    let edits = ["Prefers tabs mostly", "Prefers tabs in Go"];
    let (a, _) = set_apart(&world, &edits, "a");
    let [first, second] = &operations(&a, "edit")[..] else { panic!("two edits") };
    a.co(&["undo", "--yes"]);
    assert_eq!(numbered(&a), expected(edits[1], OTHER));
    let said = a.try_co(&["undo", first, "--dry-run"]);
    assert!(!said.out.contains(OTHER), "{}", said.out);
    a.co(&["undo", second, "--yes"]);
    assert_eq!(numbered(&a), expected(edits[0], OTHER));
}

#[test]
fn both_laptops_undo_their_edits_of_one_fact() {
    at_once(&["a", "b"], |merged_by| {
        let world = World::new();
        let (a, b) = set_apart(&world, &["Prefers tabs in Go"], merged_by);
        for laptop in [&b, &a] {
            let edit = operations(laptop, "edit").pop().expect("an edit");
            laptop.co(&["undo", &edit, "--yes"]);
            laptop.co(&["sync"]);
            a.co(&["sync"]);
        }
        b.co(&["sync"]);
        assert_agree(&[&a, &b]);
        let expected = ["I prefer async/await", "Prefers tabs", "Uses SQLAlchemy"];
        assert_eq!(a.facts(), expected, "merged by {merged_by}");
    });
}

/// Undoing the merge itself: the two texts change places, and one line says so.
#[test]
fn two_texts_that_change_places_are_told_in_one_line() {
    let told =
        at_once(&["Prefers tabs in Go", "Ünï 世界", "Tabs, always", "No spaces", "2"], |text| {
            let world = World::new();
            let (a, _) = set_apart(&world, &[text], "a");
            let undone = whole(&a.co(&["undo", "--yes"]));
            assert_eq!(numbered(&a), expected(text, OTHER));
            let redone = whole(&a.co(&["redo", "--yes"]));
            assert_eq!(numbered(&a), expected(OTHER, text));
            format!("{undone}\n{redone}")
        });
    insta::assert_snapshot!(told.join("\n"), @r#"
    ✓ Undone o5, merge: learned 1, edited 1. `co redo` reverses this undo. It was already pushed: the next `co sync` passes this on to other laptops.
      ~ 2 Prefers tabs in Go (was: "Prefers spaces after all", which is now fact 4)
    ✓ Redone o5, merge: learned 1, edited 1.
      ~ 2 Prefers spaces after all (was: "Prefers tabs in Go", which is now fact 4)
    ✓ Undone o5, merge: learned 1, edited 1. `co redo` reverses this undo. It was already pushed: the next `co sync` passes this on to other laptops.
      ~ 2 Ünï 世界 (was: "Prefers spaces after all", which is now fact 4)
    ✓ Redone o5, merge: learned 1, edited 1.
      ~ 2 Prefers spaces after all (was: "Ünï 世界", which is now fact 4)
    ✓ Undone o5, merge: learned 1, edited 1. `co redo` reverses this undo. It was already pushed: the next `co sync` passes this on to other laptops.
      ~ 2 Tabs, always (was: "Prefers spaces after all", which is now fact 4)
    ✓ Redone o5, merge: learned 1, edited 1.
      ~ 2 Prefers spaces after all (was: "Tabs, always", which is now fact 4)
    ✓ Undone o5, merge: learned 1, edited 1. `co redo` reverses this undo. It was already pushed: the next `co sync` passes this on to other laptops.
      ~ 2 No spaces (was: "Prefers spaces after all", which is now fact 4)
    ✓ Redone o5, merge: learned 1, edited 1.
      ~ 2 Prefers spaces after all (was: "No spaces", which is now fact 4)
    ✓ Undone o5, merge: learned 1, edited 1. `co redo` reverses this undo. It was already pushed: the next `co sync` passes this on to other laptops.
      ~ 2 2 (was: "Prefers spaces after all", which is now fact 4)
    ✓ Redone o5, merge: learned 1, edited 1.
      ~ 2 Prefers spaces after all (was: "2", which is now fact 4)
    "#);
}

/// What is refused because of newer files is offered together with what wrote them.
#[test]
fn what_came_after_can_be_undone_with_it() {
    for (count, words) in [(1, "conf-0.json was written"), (3, "and 2 more were written")] {
        let world = World::new();
        let (a, b) = pair(&world);
        let write = |laptop: &Laptop, value: u32| {
            for number in 0..count {
                let path = format!("knowledge/conf-{number}.json");
                laptop.write(&path, &format!("{{\"a\":{value}}}\n"));
            }
            laptop.co(&["sync"]);
        };
        write(&a, 1);
        b.co(&["sync"]);
        write(&a, 2);
        write(&a, 3);
        let by_hand = operations(&a, "by hand");
        let [.., second, third] = &by_hand[..] else { panic!("{by_hand:?}") };
        let said = a.fails(6, &["undo", second, "--yes"]);
        assert!(said.contains(words), "{said}");
        let range = format!("{second}..{third}");
        assert!(said.contains(&format!("hint: `co undo {range}`")), "{said}");
        a.co(&["undo", &range, "--yes"]);
        assert_eq!(a.read("knowledge/conf-0.json"), "{\"a\":1}\n");
    }
}
