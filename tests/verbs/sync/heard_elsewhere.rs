//! What two laptops hear of one merge: the one that made it and the one that takes it in are told
//! the same, each from its own side, whoever merged and whoever wrote last.

use crate::support::{
    Laptop, World,
    pair::{assert_agree, pair, sync},
    waiting::at_once,
    web::Site,
    whole::whole,
};
use serde_json::{Value, json};
use std::{thread, time::Duration};

/// Who wrote last, and who merges.
const ALL: [(&str, &str); 4] = [("a", "a"), ("a", "b"), ("b", "a"), ("b", "b")];

/// Times of edits are told apart by seconds.
fn later() {
    thread::sleep(Duration::from_millis(1100));
}

fn by_name<'l>(pair: [&'l Laptop; 2], name: &str) -> [&'l Laptop; 2] {
    let [a, b] = pair;
    if name == "a" { [a, b] } else { [b, a] }
}

fn edit_all(laptop: &Laptop, fact: &str, zone: &str, line: &str) {
    laptop.co(&["edit", "2", fact]);
    laptop.edit("profile.md", "America/Los_Angeles", zone);
    laptop.edit("knowledge/d.md", "Meet at the bridge.", line);
    laptop.edit("knowledge/labelled.md", "Meet at the bridge.", line);
    laptop.write("knowledge/new.md", &format!("{line} Every day.\n"));
}

/// Both have changed the same things; the one that does not merge has synced.
fn met(world: &World, newer: &str, merging: &str) -> [Laptop; 2] {
    let (a, b) = pair(world);
    let text = "# Walk\n\nBring water.\n\nMeet at the bridge.\n\nBring a map.\n";
    a.write("knowledge/d.md", text);
    a.write("knowledge/labelled.md", &format!("---\ntitle: Walk\n---\n\n{text}"));
    a.write("knowledge/plan.md", "# Plan\n\nBuy a boat.\n\nLearn to sail.\n");
    a.co(&["learn", "Likes trains"]);
    sync(&[&a, &b]);
    a.co(&["forget", "--yes", "Likes trains"]);
    b.co(&["edit", "4", "Likes night trains"]);
    b.co(&["knowledge", "delete", "plan"]);
    a.edit("knowledge/plan.md", "Buy a boat.", "Rent a boat.");
    let [last, first] = by_name([&a, &b], newer);
    edit_all(first, "Prefers the older", "Europe/Paris", "Meet at the older place.");
    later();
    edit_all(last, "Prefers the newer", "Europe/Rome", "Meet at the newer place.");
    let [_, other] = by_name([&a, &b], merging);
    sync(&[other]);
    [a, b]
}

/// The sentence of what to look at, by its parts.
fn please_look(said: &str) -> Vec<String> {
    let (_, named) = said.split_once("Please review ").expect("something to look at");
    let named = named.split(" Undo:").next().expect("a sentence").trim().trim_end_matches('.');
    let mut parts: Vec<String> = named.split(", ").map(str::to_owned).collect();
    parts.sort();
    parts
}

/// A number of a fact as it is listed.
fn number(laptop: &Laptop, fact: &str) -> String {
    let listed = laptop.json(&["list"])["data"]["memories"].clone();
    let row = listed.as_array().expect("rows").iter().find(|row| row["summary"] == fact).cloned();
    row.expect("it is there")["id"].to_string()
}

#[test]
fn both_laptops_print_the_same_of_a_merge() {
    at_once(&ALL, |(newer, merging)| {
        let when = format!("{newer} wrote last, {merging} merges");
        let world = World::new();
        let [a, b] = met(&world, newer, merging);
        let [one, other] = by_name([&a, &b], merging);
        let said = [one.co(&["sync"]), other.co(&["sync"])];
        assert_agree(&[&a, &b]);
        let [kept, aside] = ["Prefers the newer", "Prefers the older"].map(|fact| number(&a, fact));
        for (laptop, said) in [one, other].into_iter().zip(&said) {
            let is_newer = laptop.name == newer;
            let side = if is_newer { "here, newer; theirs" } else { "there, newer; yours" };
            let of_fact = format!("Prefers the newer  ({side} is now {aside})");
            let verb = if is_newer { "is" } else { "was" };
            let field = format!("Timezone: Europe/Rome  ({side} {verb} Europe/Paris)");
            let written = format!("written on both  ({side} is in commit ");
            assert_eq!(said.matches(&written).count(), 3, "{when}, {}: {said}", laptop.name);
            let forgotten = match laptop.name.as_str() {
                "a" => "forgotten here",
                _ => "forgotten there",
            };
            for part in [of_fact.as_str(), &field, forgotten, "both edited"] {
                assert!(said.contains(part), "{when}, {}, {part}: {said}", laptop.name);
            }
            for part in ["learned there", "edited there ", "(there; was"] {
                assert!(!said.contains(part), "{when}, {}, {part}: {said}", laptop.name);
            }
            for name in [format!("{kept} and {aside} (edited"), "Timezone (set".to_owned()] {
                let looks = please_look(said);
                assert!(looks.iter().any(|one| one.starts_with(&name)), "{when}: {said}");
            }
        }
        assert_eq!(please_look(&said[0]), please_look(&said[1]), "{when}: {said:?}");
    });
}

/// An entry of `look` with the names of the laptops for its sides.
fn told(laptop: &Laptop, item: &Value) -> String {
    let named = |side: &Value| match (side.as_str(), laptop.name.as_str()) {
        (Some("here"), "a") | (Some("there"), "b") => "a",
        (Some("here" | "there"), _) => "b",
        _ => "nobody",
    };
    let sides = ["kept", "newer", "forgotten", "deleted"].map(|key| named(&item[key]));
    let texts = [&item["fact"], &item["other"]].map(|fact| fact["summary"].clone());
    let is_newer = item["newer"].as_bool();
    format!("{} {} {} {sides:?} {texts:?} {is_newer:?}", item["why"], item["path"], item["field"])
}

fn looks(laptop: &Laptop) -> (Vec<String>, Vec<Value>) {
    let said = laptop.json(&["sync"]);
    let items = said["data"]["look"].as_array().expect("a list").clone();
    let mut all: Vec<String> = items.iter().map(|item| told(laptop, item)).collect();
    all.sort();
    (all, items)
}

#[test]
fn both_laptops_report_the_same_of_a_merge() {
    at_once(&ALL, |(newer, merging)| {
        let when = format!("{newer} wrote last, {merging} merges");
        let world = World::new();
        let [a, b] = met(&world, newer, merging);
        let [one, other] = by_name([&a, &b], merging);
        let ((there, _), (here, items)) = (looks(one), looks(other));
        assert_eq!(there, here, "{when}");
        // Two facts, a fact, a field, three documents that both wrote and one that was deleted.
        assert_eq!(here.len(), 7, "{when}: {here:#?}");
        let open = |laptop: &Laptop| laptop.json(&["status"])["data"]["git"]["look"].clone();
        assert_eq!(open(one), open(other), "{when}");
        assert_eq!(open(other).as_array().map(Vec::len), Some(7), "{when}");
        // The text that did not stay is in the commit that is named.
        let written: Vec<&Value> =
            items.iter().filter(|item| item["why"] == "both-wrote").collect();
        assert_eq!(written.len(), 3, "{when}: {items:#?}");
        for item in written {
            let (commit, path) = (item["commit"].as_str(), item["path"].as_str());
            let file = format!("{}:{}", commit.expect("a commit"), path.expect("a path"));
            let text = other.git(&["show", &file]);
            assert!(text.contains("the older place"), "{when}, {file}: {text}");
        }
        assert_agree(&[&a, &b]);
        // It is told once.
        assert_eq!(looks(other).0, Vec::<String>::new(), "{when}");
    });
}

#[test]
fn a_merge_that_a_third_laptop_made_is_told_to_those_whose_text_it_is() {
    let world = World::new();
    let (a, b) = pair(&world);
    let c = world.laptop("c");
    c.co(&["init", "--yes", &world.remote()]);
    a.co(&["edit", "2", "Prefers tabs in Makefiles"]);
    later();
    b.co(&["edit", "2", "Prefers spaces"]);
    sync(&[&a, &b]);
    insta::assert_snapshot!(whole(&c.co(&["sync"])), @"
    Synced with origin ([world]/remote.git).
      learned there   + 4    Prefers tabs in Makefiles
      edited there    ~ 2    Prefers spaces  (was: Prefers tabs)
    4 facts.
    ");
    c.co(&["edit", "1", "Likes async/await"]);
    sync(&[&c]);
    insta::assert_snapshot!(whole(&a.co(&["sync"])), @"
    Synced with origin ([world]/remote.git).
      edited there    ~ 1    Likes async/await  (was: I prefer async/await)
      both edited     ~ 2    Prefers spaces  (there, newer; yours is now 4)
                      + 4    Prefers tabs in Makefiles
    4 facts. Please review 2 and 4 (edited on both laptops).
    ");
    b.co(&["sync"]);
    assert_agree(&[&a, &b, &c]);
}

#[test]
fn a_fact_that_was_forgotten_before_is_named_on_both() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.co(&["learn", "Likes trains"]);
    a.co(&["forget", "--yes", "Likes trains"]);
    sync(&[&a, &b]);
    a.co(&["learn", "Likes trains"]);
    b.co(&["learn", "Sings"]);
    sync(&[&a]);
    for (laptop, side) in [(&b, "here"), (&a, "there")] {
        let (_, items) = looks(laptop);
        assert_eq!(items.len(), 1, "{}: {items:?}", laptop.name);
        assert_eq!(items[0]["why"], "learned-again", "{items:?}");
        assert_eq!(items[0]["forgotten"], side, "{items:?}");
    }
    assert_agree(&[&a, &b]);
}

/// The last merge in the log.
fn last_merge(laptop: &Laptop) -> Value {
    let log = laptop.json(&["log"])["data"]["operations"].clone();
    let merges = log.as_array().expect("operations").iter().find(|one| one["verb"] == "merge");
    merges.unwrap_or_else(|| panic!("{}: no merge in {log}", laptop.name)).clone()
}

fn summaries(merge: &Value, kind: &str) -> Vec<String> {
    let facts = merge["meaning"][kind].as_array().expect("facts");
    facts.iter().map(|fact| fact["summary"].as_str().expect("a text").to_owned()).collect()
}

#[test]
fn the_log_shows_what_a_merge_brought_here() {
    at_once(&ALL, |(newer, merging)| {
        let when = format!("{newer} wrote last, {merging} merges");
        let world = World::new();
        let (a, b) = pair(&world);
        let [last, first] = by_name([&a, &b], newer);
        first.co(&["edit", "2", "Prefers the older"]);
        later();
        last.co(&["edit", "2", "Prefers the newer"]);
        let [merging, other] = by_name([&a, &b], merging);
        sync(&[other, merging, other]);
        assert_agree(&[&a, &b]);
        for laptop in [merging, other] {
            let merge = last_merge(laptop);
            let is_newer = laptop.name == newer;
            let edited: &[&str] = if is_newer { &[] } else { &["Prefers the newer"] };
            let what = if is_newer { "learned 1" } else { "learned 1, edited 1" };
            assert_eq!(merge["what"], what, "{when}, {}", laptop.name);
            assert_eq!(summaries(&merge, "learned"), ["Prefers the older"], "{when}: {merge}");
            assert_eq!(summaries(&merge, "edited"), edited, "{when}: {merge}");
            let log = laptop.co(&["log"]);
            assert!(log.contains("+ Prefers the older"), "{when}, {}: {log}", laptop.name);
            let site = Site::entered(laptop, &[]);
            let shown = site.data("log", &json!({"limit": 20}))["operations"].clone();
            let shown = shown.as_array().expect("operations").iter();
            let shown: Vec<&Value> = shown.filter(|one| one["op"] == merge["op"]).collect();
            assert_eq!(shown, [&merge], "{when}");
        }
    });
}

#[test]
fn the_log_of_a_merge_counts_and_names_every_kind_of_change() {
    for merging in ["a", "b"] {
        let world = World::new();
        let (a, b) = pair(&world);
        a.co(&["learn", "Likes tea"]);
        sync(&[&a, &b]);
        let [merging, other] = by_name([&a, &b], merging);
        other.co(&["learn", "Has a dog"]);
        other.co(&["learn", "Sings"]);
        other.co(&["edit", "1", "Likes async/await"]);
        other.co(&["forget", "--yes", "2"]);
        other.co(&["forget", "--yes", "3"]);
        other.co(&["edit", "4", "--tag", "drinks"]);
        merging.co(&["learn", "Swims"]);
        sync(&[other, merging, other]);
        assert_agree(&[&a, &b]);
        let merge = last_merge(merging);
        assert_eq!(merge["what"], "learned 2, edited 1, forgotten 2, relabelled 1");
        for (kind, facts) in [
            ("learned", &["Has a dog", "Sings"][..]),
            ("edited", &["Likes async/await"]),
            ("forgotten", &["Prefers tabs", "Uses SQLAlchemy"]),
            ("relabelled", &["Likes tea"]),
        ] {
            assert_eq!(summaries(&merge, kind), facts, "{kind}: {merge}");
        }
        assert_eq!(summaries(&last_merge(other), "learned"), ["Swims"]);
        assert!(other.co(&["log"]).contains("+ Swims"), "{}", other.co(&["log"]));
    }
}
