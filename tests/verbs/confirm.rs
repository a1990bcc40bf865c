//! `co confirm`: facts that still hold, said by a person, on two laptops at once, and by agents.

use crate::support::{
    World,
    by_hand::at,
    client::Client,
    monday::{later, moved, on_monday, shows},
    pair::{assert_agree, pair, sync},
};
use serde_json::json;

#[test]
fn a_confirmed_fact_is_due_again_after_as_long() {
    for (span, first, next) in [
        ("6mo", "2027-05-16", "2027-12-01"),
        ("1y", "2027-11-16", "2028-06-01"),
        ("90d", "2027-02-14", "2027-08-30"),
        ("2w", "2026-11-30", "2027-06-15"),
        ("2027-01-16", "2027-01-16", "2027-08-01"),
    ] {
        let world = World::new();
        let a = on_monday(&world);
        a.co(&["learn", "I live in Munich", "--check-after", span]);
        assert_eq!(a.json(&["show", "1"])["data"]["stale_after"], first, "{span}");
        let june = at(&a, "2027-06-01T09:00:00Z");
        let is_due = june.co(&["list"]).contains("unchecked since November 2026");
        assert_eq!(is_due, first < "2027-06-01", "{span}");
        let said = june.co(&["confirm", "last"]);
        assert!(said.starts_with("✓ Confirmed fact 1: I live in Munich\n"), "{said}");
        let fact = june.json(&["show", "1"])["data"].clone();
        assert_eq!(fact["stale_after"], next, "{span}");
        assert!(fact["verified"].as_str().expect("a stamp").starts_with("2027-06-01T09:00"));
        assert!(!june.co(&["list"]).contains("unchecked"), "{span}");
        assert!(june.co(&["log"]).contains("confirmed"), "{span}");
        june.co(&["undo"]);
        assert_eq!(june.json(&["show", "1"])["data"]["stale_after"], first, "{span}");
        assert!(june.json(&["show", "1"])["data"].get("verified").is_none(), "{span}");
    }
}

#[test]
fn several_are_confirmed_at_once_or_none() {
    let world = World::new();
    let a = on_monday(&world);
    for fact in ["Likes tea", "Rows on Tuesdays", "On call"] {
        a.co(&["learn", fact]);
    }
    assert_eq!(a.try_co(&["confirm", "1", "99"]).code, 5);
    assert!(!a.texts().contains("verified"));
    let report = a.json(&["confirm", "1", "3", "1"]);
    assert_eq!(report["data"]["memories"].as_array().map(Vec::len), Some(2), "{report}");
    let one = a.json(&["confirm", "2"]);
    assert!(one["data"]["verified"].is_string() && one["data"]["counts_again"] == false, "{one}");
    a.co(&["undo"]);
    a.co(&["undo"]);
    assert!(!a.texts().contains("verified"));
    assert_eq!(a.facts().len(), 3);
}

#[test]
fn a_replaced_fact_that_is_confirmed_counts_again() {
    let world = World::new();
    let a = moved(&world);
    let said = later(&a).co(&["confirm", "1"]);
    assert!(said.contains("it counts again"), "{said}");
    shows(&a, &["Munich", "Hamburg"], &[]);
    a.co(&["confirm", "2"]);
    shows(&a, &["Hamburg"], &["Munich"]);
    a.co(&["edit", "1", "--until", "2026-11-10"]);
    let said = a.try_co(&["confirm", "1"]);
    assert!(said.err.contains("still over; `co edit 1 --until none`"), "{}", said.err);
    let said = a.co(&["learn", "I live in Munich"]);
    assert!(said.contains("still over: `co edit 1 --until none`"), "{said}");
    // The fact that is shown is not the one to forget.
    let said = a.try_co(&["edit", "2", "I live in Munich"]);
    assert!(said.err.contains("`co forget 1` first"), "{}", said.err);
}

#[test]
fn two_laptops_confirm_at_once() {
    let world = World::new();
    let (a, b) = pair(&world);
    let (a, b) = (at(&a, "2026-12-01T09:00:00Z"), at(&b, "2026-12-01T09:00:00Z"));
    a.co(&["edit", "1", "--check-after", "6mo"]);
    sync(&[&a, &b]);
    let (a, b) = (at(&a, "2027-06-10T09:00:00Z"), at(&b, "2027-06-12T09:00:00Z"));
    a.co(&["confirm", "1"]);
    b.co(&["confirm", "1"]);
    b.co(&["edit", "2", "--until", "2027-12-24"]);
    a.co(&["learn", "Prefers spaces", "--replaces", "2"]);
    sync(&[&a, &b, &a]);
    assert_agree(&[&a, &b]);
    for laptop in [&a, &b] {
        let fact = laptop.json(&["show", "1"])["data"].clone();
        assert_eq!(fact["stale_after"], "2027-12-12", "{fact}");
        assert!(fact["verified"].as_str().expect("a stamp").starts_with("2027-06-12"), "{fact}");
        let two = laptop.json(&["show", "2"])["data"].clone();
        assert_eq!(two["valid_until"], "2027-12-24", "{two}");
    }
}

#[test]
fn facts_are_confirmed_by_agents_that_may() {
    let world = World::new();
    let a = moved(&world);
    let mut client = Client::ready(&a, &[]);
    let names = |client: &mut Client| -> Vec<String> {
        let tools = client.tools();
        tools.iter().map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(names(&mut client).len(), 6);
    // A token is about four bytes of the list.
    let tools = json!(client.tools()).to_string();
    assert!(tools.len() / 4 <= 1_600, "{}", tools.len());
    let refused = client.ask("tools/call", json!({"name": "confirm_memory", "arguments": {}}));
    assert!(refused["error"].is_object(), "{refused}");
    for options in [&["--tools", "memory"][..], &["--read-only", "--tools", "all"]] {
        let mut client = Client::ready(&a, options);
        assert!(!names(&mut client).contains(&"confirm_memory".to_owned()), "{options:?}");
    }
    for options in [&["--tools", "all"][..], &["--tools", "memory,confirm_memory"]] {
        let mut client = Client::ready(&a, options);
        let said = client.call_ok("confirm_memory", json!({ "memory": 2 }));
        assert!(said.starts_with("✓ Confirmed fact 2: I live in Hamburg"), "{said}");
        assert!(a.read(&a.file_of("Hamburg")).contains("verified: "));
        a.co(&["undo"]);
    }
}
