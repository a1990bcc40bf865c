//! Which numbers of facts can be typed after a sync: all that meant one fact on this laptop all the
//! time.

use crate::support::{
    Laptop, World,
    pair::{assert_agree, pair, sync},
};
use std::fs;

/// The handle and the first line of each fact.
fn listed(laptop: &Laptop) -> Vec<(String, String)> {
    let listed = laptop.json(&["list"])["data"]["memories"].clone();
    let text = |row: &serde_json::Value, name: &str| row[name].as_str().expect("a text").to_owned();
    let rows = listed.as_array().expect("rows").iter();
    rows.map(|row| (text(row, "handle"), text(row, "summary"))).collect()
}

fn handle(laptop: &Laptop, fact: &str) -> String {
    let found = listed(laptop).into_iter().find(|(_, summary)| summary == fact);
    found.expect("it is there").0
}

/// Every number is listed bare and means the fact in whose row it is.
fn are_bare(laptop: &Laptop, when: &str) {
    for (handle, fact) in listed(laptop) {
        assert!(handle.bytes().all(|byte| byte.is_ascii_digit()), "{when}: {handle}");
        let shown = laptop.co(&["show", &handle]);
        assert!(shown.contains(&fact), "{when}, {}: {shown}", laptop.name);
        assert!(laptop.co(&["log", &handle]).contains(&fact), "{when}, {}", laptop.name);
    }
}

#[test]
fn a_fact_that_both_edited_keeps_a_number_that_can_be_typed() {
    for a_is_later in [true, false] {
        for a_syncs_first in [true, false] {
            let world = World::new();
            let (a, b) = pair(&world);
            let edits = [(&a, "Prefers tabs in Makefiles"), (&b, "Prefers spaces")];
            let edits = if a_is_later { [edits[1], edits[0]] } else { edits };
            for (laptop, text) in edits {
                laptop.co(&["edit", "2", text]);
            }
            let (one, other) = if a_syncs_first { (&a, &b) } else { (&b, &a) };
            sync(&[one, other, one]);
            assert_agree(&[&a, &b]);
            for laptop in [&a, &b] {
                are_bare(laptop, "merged");
            }
            let asked = other.json(&["review"])["data"]["proposals"].clone();
            other.co(&["review", "accept", asked[0]["id"].as_str().expect("an id")]);
            sync(&[other, one]);
            for (laptop, text) in [(&a, "Rows"), (&b, "Swims")] {
                are_bare(laptop, "answered");
                laptop.co(&["edit", "2", text]);
                laptop.co(&["memory", "pin", "2"]);
                assert_eq!(handle(laptop, text), "2");
                laptop.co(&["forget", "--yes", "2"]);
                are_bare(laptop, "forgotten");
            }
        }
    }
}

/// A laptop whose fact lost its number 4 to another one.
fn with_lost_number(world: &World) -> Laptop {
    let (a, b) = pair(world);
    a.co(&["learn", "From a"]);
    b.co(&["learn", "From b"]);
    sync(&[&a, &b]);
    are_bare(&a, "it was there first");
    b.fails(3, &["show", "4"]);
    assert!(handle(&b, "From a").starts_with("4-"));
    b
}

#[test]
fn a_lost_number_is_asked_about_while_the_fact_that_had_it_is_there() {
    let file = |b: &Laptop| b.identity().join(b.file_of("From b"));
    type Act<'a> = (&'a str, &'a dyn Fn(&Laptop), bool);
    let acts: &[Act<'_>] = &[
        ("forgotten", &|b| drop(b.co(&["forget", "--yes", "From b"])), true),
        ("forgotten by its number", &|b| drop(b.co(&["forget", "--yes", "5"])), true),
        ("deleted by hand", &|b| fs::remove_file(file(b)).expect("deleted"), true),
        ("another one forgotten", &|b| drop(b.co(&["forget", "--yes", "1"])), false),
        ("edited", &|b| drop(b.co(&["edit", "5", "From b, edited"])), false),
        ("synced", &|b| drop(b.co(&["sync"])), false),
    ];
    for (when, act, is_settled) in acts {
        let world = World::new();
        let b = with_lost_number(&world);
        act(&b);
        if *is_settled {
            are_bare(&b, when);
            assert!(b.co(&["recall", "From a"]).contains("From a"), "{when}");
            b.co(&["edit", "4", "From a, edited here"]);
        } else {
            let said = b.fails(3, &["edit", "4", "Nobody knows which"]);
            assert!(said.contains("until a sync renumbered it"), "{when}: {said}");
            assert!(handle(&b, "From a").starts_with("4-"), "{when}");
        }
    }
}
