//! Facts that hold from a day, until a day, or until another replaces them: what every list,
//! answer, context and tool shows of them, as days pass.

use crate::support::{
    Laptop, World,
    by_hand::{at, fact},
    client::Client,
    ready::laptop,
    web::Site,
    whole::whole,
};
use serde_json::json;

const MONDAY: &str = "2026-11-16T12:00:00Z";

fn hash(laptop: &Laptop, handle: &str) -> String {
    let shown = laptop.json(&["show", handle]);
    shown["data"]["hash"].as_str().expect("a hash").to_owned()
}

/// What shows facts to a person, a model and a program: its name, and what it says.
fn readers(laptop: &Laptop) -> Vec<(&'static str, String)> {
    let mut client = Client::ready_with_env(laptop);
    let site = Site::entered(laptop, &[]);
    let question = "who is on call, or where do I live";
    vec![
        ("list", laptop.co(&["list"])),
        ("list --json", laptop.co(&["list", "--json"])),
        ("recall", laptop.co(&["recall", "-n", "9", question])),
        ("context", laptop.co(&["context"])),
        ("context --query", laptop.co(&["context", "--query", question])),
        ("list_memories", client.call_ok("list_memories", json!({}))),
        ("recall_memory", client.call_ok("recall_memory", json!({"query": question}))),
        ("get_context", client.call_ok("get_context", json!({}))),
        ("get_context query", client.call_ok("get_context", json!({"query": question}))),
        ("page: list", site.data("list", &json!({})).to_string()),
        ("page: recall", site.data("recall", &json!({"query": question, "limit": 9})).to_string()),
    ]
}

/// Every reader shows the first texts, and none of the others.
fn every_reader_shows(laptop: &Laptop, shown: &[&str], hidden: &[&str]) {
    for (reader, said) in readers(laptop) {
        for text in shown {
            assert!(said.contains(text), "{reader} lacks {text:?}: {said}");
        }
        for text in hidden {
            assert!(!said.contains(text), "{reader} has {text:?}: {said}");
        }
    }
}

#[test]
fn a_fact_is_shown_until_its_last_day_is_over() {
    let world = World::new();
    let a = at(&laptop(&world, "a"), MONDAY);
    fact(&a, 1, "valid_until: 2026-11-20\n", "I am on call this week");
    fact(&a, 2, "", "I live in Munich, and am never on call");
    let mark = "until 20 Nov 2026";
    for day in ["2026-11-16T12:00:00Z", "2026-11-20T23:59:59Z"] {
        every_reader_shows(&at(&a, day), &["on call this week", "Munich", mark], &[]);
    }
    // Nothing is written when a day passes.
    let before = a.tree();
    let after = at(&a, "2026-11-21T00:00:01Z");
    every_reader_shows(&after, &["Munich"], &["on call this week", mark]);
    assert_eq!(a.tree(), before);
    assert_eq!(after.json(&["list"])["data"]["count"], 1);
    // And nothing is gone.
    for said in [
        after.co(&["list", "--all"]),
        after.co(&["recall", "--all", "on call"]),
        after.co(&["show", "1"]),
    ] {
        assert!(said.contains("on call this week") && said.contains(mark), "{said}");
    }
    let rows = after.json(&["list", "--all"])["data"]["memories"].clone();
    assert_eq!(rows[0]["standing"], "over", "{rows}");
    assert_eq!(rows[0]["valid_until"], "2026-11-20", "{rows}");
    assert!(rows[1].get("standing").is_none() && rows[1].get("marks").is_none(), "{rows}");
}

#[test]
fn today_is_known_as_far_as_it_has_come() {
    let world = World::new();
    let a = at(&world.laptop("a"), MONDAY);
    a.co(&["init", "--yes"]);
    a.co(&["learn", "In the office", "--until", "today 17:00"]);
    a.co(&["learn", "At the gym", "--from", "today 18:00"]);
    for words in [&["list"][..], &["list", "--at", "today"], &["list", "--at", "this week"]] {
        let said = a.co(words);
        assert!(said.contains("In the office") && !said.contains("At the gym"), "{said}");
    }
    let evening = at(&a, "2026-11-16T20:00:00Z").co(&["list", "--at", "today"]);
    assert!(evening.contains("At the gym") && !evening.contains("In the office"), "{evening}");
}

#[test]
fn a_moment_is_shown_to_the_minute() {
    let world = World::new();
    let a = at(&laptop(&world, "a"), MONDAY);
    fact(&a, 1, "valid_until: 2026-11-16T17:05:00Z\n", "On call, where I live");
    every_reader_shows(&a, &["until 2026-11-16 17:05"], &["until 16 Nov 2026"]);
    fact(&a, 2, "valid_from: 2026-11-16T18:00:00Z\n", "At the gym");
    assert!(a.co(&["show", "2"]).contains("from 2026-11-16 18:00"));
}

#[test]
fn a_fact_is_not_shown_before_its_first_day() {
    let world = World::new();
    let a = at(&laptop(&world, "a"), MONDAY);
    fact(&a, 1, "valid_from: 2026-12-01\n", "I live in Hamburg, and am on call");
    fact(&a, 2, "", "I live in Munich, and am never on call");
    every_reader_shows(&a, &["Munich"], &["Hamburg"]);
    assert!(a.co(&["list", "--all"]).contains("from 1 Dec 2026"));
    every_reader_shows(&at(&a, "2026-12-01T00:00:01Z"), &["Munich", "Hamburg"], &["from 1 Dec"]);
}

#[test]
fn a_day_ends_in_the_zone_of_the_person() {
    for (zone, last, over) in [
        ("America/Los_Angeles", "2026-11-21T07:59:59Z", "2026-11-21T08:00:00Z"),
        ("Pacific/Kiritimati", "2026-11-20T09:59:59Z", "2026-11-20T10:00:00Z"),
        ("Asia/Kathmandu", "2026-11-20T18:14:59Z", "2026-11-20T18:15:00Z"),
        ("Europe/Berlin", "2026-11-20T22:59:59Z", "2026-11-20T23:00:00Z"),
        ("UTC", "2026-11-20T23:59:59Z", "2026-11-21T00:00:00Z"),
    ] {
        let world = World::new();
        let a = world.laptop("a").with_env("TZ", zone);
        a.co(&["init", "--yes"]);
        fact(&a, 1, "valid_until: 2026-11-20\n", "On call");
        // A moment is the same everywhere.
        fact(&a, 2, "valid_until: 2026-11-20T09:00:00Z\n", "In the office");
        let listed = |moment: &str| a.with_env("CO_TEST_CLOCK", moment).co(&["list"]);
        assert!(listed(last).contains("On call"), "{zone}");
        assert!(!listed(over).contains("On call"), "{zone}");
        assert!(listed("2026-11-20T08:59:59Z").contains("In the office"), "{zone}");
        assert!(!listed("2026-11-20T09:00:01Z").contains("In the office"), "{zone}");
    }
}

#[test]
fn at_every_door_the_zone_of_the_profile_is_before_that_of_the_laptop() {
    for (profile, laptop_is_in, last, over) in [
        ("America/Los_Angeles", "Asia/Tokyo", "2026-11-21T07:59:50Z", "2026-11-21T08:00:01Z"),
        ("Asia/Tokyo", "America/Los_Angeles", "2026-11-20T14:59:50Z", "2026-11-20T15:00:01Z"),
    ] {
        let world = World::new();
        let a = world.laptop("a").with_env("TZ", laptop_is_in);
        a.co(&["init", "--yes", "--timezone", profile]);
        fact(&a, 1, "valid_until: 2026-11-20\n", "I am on call this week");
        fact(&a, 2, "valid_from: 2026-11-21\n", "I live in Hamburg");
        let shown = |moment: &str, shown: &[&str], hidden: &[&str]| {
            every_reader_shows(&a.with_env("CO_TEST_CLOCK", moment), shown, hidden);
        };
        shown(last, &["on call this week"], &["Hamburg"]);
        shown(over, &["Hamburg"], &["on call this week"]);
        // What is typed is a day of theirs, too.
        a.with_env("CO_TEST_CLOCK", last).co(&["learn", "In the office", "--until", "today"]);
        let file = a.read(&a.file_of("In the office"));
        assert!(file.contains("valid_until: 2026-11-20\n"), "{profile}: {file}");
    }
}

#[test]
fn a_fact_that_should_have_been_checked_says_since_when_it_was_not() {
    let world = World::new();
    let a = at(&laptop(&world, "a"), "2025-03-09T12:00:00Z");
    a.co(&["learn", "I live in Munich, and am on call"]);
    let file = a.file_of("Munich");
    a.edit(&file, "\nsource:", "\nstale_after: 2025-09-09\nsource:");
    let mark = "unchecked since March 2025";
    every_reader_shows(&at(&a, "2025-09-09T23:00:00Z"), &["Munich"], &[mark]);
    every_reader_shows(&at(&a, "2025-09-10T00:00:01Z"), &["Munich", mark], &[]);
    assert!(at(&a, MONDAY).co(&["show", "1"]).contains(mark));
    a.edit(&file, "\nsource:", "\nverified: 2026-11-03\nsource:");
    every_reader_shows(&at(&a, MONDAY), &["Munich"], &["unchecked"]);
}

/// Munich (1), and Hamburg (2) which replaces it.
fn moved(world: &World) -> Laptop {
    let a = at(&laptop(world, "a"), MONDAY);
    fact(&a, 1, "", "I live in Munich, and am on call");
    let munich = hash(&a, "1");
    fact(&a, 2, &format!("supersedes: [{munich}]\n"), "I live in Hamburg, and am on call");
    a
}

#[test]
fn a_replaced_fact_is_not_shown() {
    let world = World::new();
    let a = moved(&world);
    every_reader_shows(&a, &["Hamburg"], &["Munich"]);
    for said in [a.co(&["list", "--all"]), a.co(&["recall", "--all", "where do I live"])] {
        assert!(said.contains("Munich") && said.contains("replaced by 2"), "{said}");
    }
    assert!(a.co(&["show", "1"]).contains("replaced by 2"));
    assert!(!a.co(&["show", "2"]).contains("replaced"));
    // Learned again, it counts.
    at(&a, "2026-11-17T12:00:00Z").co(&["learn", "I live in Munich, and am on call"]);
    every_reader_shows(&at(&a, "2026-11-18T12:00:00Z"), &["Hamburg", "Munich"], &[]);
}

#[test]
fn what_replaces_a_fact_may_begin_later() {
    let world = World::new();
    let a = moved(&world);
    a.edit("knowledge/memories/002-by-hand.md", "supersedes", "valid_from: 2026-12-01\nsupersedes");
    every_reader_shows(&a, &["Munich"], &["Hamburg"]);
    every_reader_shows(&at(&a, "2026-12-01T00:00:01Z"), &["Hamburg"], &["Munich"]);
}

#[test]
fn a_forgotten_fact_no_longer_replaces() {
    let world = World::new();
    let a = moved(&world);
    insta::assert_snapshot!(whole(&a.co(&["forget", "2"])), @"
    ✓ Forgot fact 2: I live in Hamburg, and am on call
    Fact 1 counts again: I live in Munich, and am on call
    ");
    every_reader_shows(&a, &["Munich"], &["Hamburg"]);
    a.co(&["undo", "--yes"]);
    every_reader_shows(&a, &["Hamburg"], &["Munich"]);
    // Models hear of it, too; and where nothing counts again, nothing is said.
    let mut client = Client::ready_with_env(&a);
    let said = client.call_ok("forget_memory", json!({"memory": "2"}));
    assert!(said.contains("Fact 1 counts again"), "{said}");
    let said = client.call_ok("forget_memory", json!({"memory": "1"}));
    assert!(!said.contains("again"), "{said}");
}

#[test]
fn an_edit_is_followed_by_what_replaces_the_fact() {
    let world = World::new();
    let a = moved(&world);
    let later = at(&a, "2026-11-17T12:00:00Z");
    later.co(&["edit", "1", "I live in München, and am on call"]);
    let replacing = a.read("knowledge/memories/002-by-hand.md");
    assert!(replacing.contains(&hash(&a, "1")), "{replacing}");
    every_reader_shows(&at(&a, "2026-11-18T12:00:00Z"), &["Hamburg"], &["München"]);
    // A new tag, or a pin, makes it no newer.
    later.co(&["edit", "1", "--tag", "home"]);
    later.co(&["pin", "1"]);
    every_reader_shows(&at(&a, "2026-11-18T12:00:00Z"), &["Hamburg"], &["München"]);
    for _ in 0..3 {
        later.co(&["undo", "--yes"]);
    }
    assert!(a.read(&a.file_of("Hamburg")).contains(&hash(&a, "1")));
    every_reader_shows(&a, &["Hamburg"], &["Munich", "München"]);
}

#[test]
fn what_replaces_a_changed_fact_stays_replaced_itself() {
    let world = World::new();
    let a = moved(&world);
    let hamburg = hash(&a, "2");
    fact(&a, 3, &format!("supersedes: [{hamburg}]\n"), "I live in Berlin, and am on call");
    let shows_berlin = || {
        let listed = at(&a, "2026-11-18T12:00:00Z").co(&["list"]);
        assert!(listed.contains("Berlin"), "{listed}");
        assert!(!listed.contains("Hamburg") && !listed.contains("Munich"), "{listed}");
    };
    let later = at(&a, "2026-11-17T12:00:00Z");
    for words in [
        &["pin", "1"][..],
        &["edit", "1", "--add-tag", "home"],
        &["edit", "1", "I live in Munich"],
        &["edit", "2", "I live in Hamburg"],
        &["pin", "2"],
    ] {
        later.co(words);
        shows_berlin();
    }
    for _ in 0..5 {
        later.co(&["undo", "--yes"]);
        shows_berlin();
    }
    // Facts that replace each other make no circle.
    let berlin = hash(&a, "3");
    a.edit(
        "knowledge/memories/001-by-hand.md",
        "id: 1\n",
        &format!("id: 1\nsupersedes: [{berlin}]\n"),
    );
    later.co(&["pin", "1"]);
    shows_berlin();
}

#[test]
fn a_project_replaces_facts_of_the_person_there_and_not_the_other_way_round() {
    let world = World::new();
    let a = moved(&world);
    let project = a.home.join("billing");
    let folder = project.join(".co-cli/knowledge/memories");
    std::fs::create_dir_all(&folder).expect("a folder");
    let text = format!(
        "---\nid: 1\ncreated: 2026-11-09T09:00:00.5Z\nsupersedes: [{}]\n---\n\nHere I live in \
         Bremen\n",
        hash(&a, "2")
    );
    std::fs::write(folder.join("001-here.md"), text).expect("written");
    let inside = project.to_str().expect("a path");
    insta::assert_snapshot!(whole(&a.co(&["-C", inside, "list"])), @"
    Total memories: 1

    **p001** (2026-11-09): Here I live in Bremen
    ");
    let there = a.co(&["-C", inside, "context"]);
    assert!(there.contains("Bremen") && !there.contains("Hamburg"), "{there}");
    insta::assert_snapshot!(whole(&a.co(&["-C", inside, "list", "--all"])), @"
    Total memories: 3

    **001** (2026-11-02, replaced by 2): I live in Munich, and am on call
    **p001** (2026-11-09): Here I live in Bremen
    **002** (2026-11-02, replaced by p1): I live in Hamburg, and am on call
    ");
    every_reader_shows(&a, &["Hamburg"], &["Munich", "Bremen"]);
    // A fact of the person replaces none of the project's.
    let here = a.json(&["-C", inside, "show", "p1"])["data"]["hash"].clone();
    let here = here.as_str().expect("a hash");
    fact(&a, 3, &format!("updated: 2026-11-15T00:00:00Z\nsupersedes: [{here}]\n"), "I left");
    insta::assert_snapshot!(whole(&a.co(&["-C", inside, "list"])), @"
    Total memories: 2

    **p001** (2026-11-09): Here I live in Bremen
    **003** (2026-11-02): I left
    ");
}

#[test]
fn readers_agree_without_an_index() {
    let world = World::new();
    let a = moved(&world);
    fact(&a, 3, "valid_until: 2026-11-10\n", "On call last week");
    let with: Vec<String> = [&["list"][..], &["context"], &["list", "--all"], &["show", "1"]]
        .map(|words| a.co(words))
        .to_vec();
    a.co(&["config", "set", "recall.catalog", "false"]);
    let without: Vec<String> = [&["list"][..], &["context"], &["list", "--all"], &["show", "1"]]
        .map(|words| a.co(words))
        .to_vec();
    assert_eq!(with, without);
    let found = a.co(&["recall", "where do I live"]);
    assert!(found.contains("Hamburg") && !found.contains("Munich"), "{found}");
}

#[test]
fn keys_travel_byte_for_byte() {
    let world = World::new();
    let a = at(&world.laptop("a"), MONDAY);
    a.co(&["init", "--yes", "--remote", &world.remote()]);
    let keys = "valid_from:   2026-11-01 # first day\nvalid_until: '2026-12-24'\nverified: \
                2026-11-02T09:00:00+01:00\nstale_after: 2027-05-01\n";
    fact(&a, 1, keys, "On call before Christmas");
    a.co(&["sync"]);
    let b = at(&world.laptop("b"), MONDAY);
    b.co(&["init", "--yes", &world.remote()]);
    let archive = a.home.join("all.tar.gz");
    a.co(&["identity", "export", archive.to_str().expect("a path")]);
    let c = at(&laptop(&world, "c"), MONDAY);
    c.co(&["identity", "import", archive.to_str().expect("a path"), "--yes"]);
    for other in [&b, &c] {
        let text = other.read(&other.file_of("Christmas"));
        assert!(text.contains(keys), "{text}");
        assert!(other.co(&["list"]).contains("until 24 Dec 2026"));
    }
    // Confirmed on both at once: the later day counts, and so does the later check.
    a.edit(&a.file_of("Christmas"), "2026-11-02T09:00:00+01:00", "2026-11-15");
    b.edit(&b.file_of("Christmas"), "2026-11-02T09:00:00+01:00", "2026-11-14T09:00:00Z");
    b.edit(&b.file_of("Christmas"), "2027-05-01", "2027-06-01");
    for laptop in [&a, &b, &a] {
        laptop.co(&["sync"]);
    }
    let text = a.read(&a.file_of("Christmas"));
    assert!(text.contains("verified: 2026-11-15\nstale_after: 2027-06-01\n"), "{text}");
    assert_eq!(text, b.read(&b.file_of("Christmas")));
}

#[test]
fn what_cannot_be_is_found_by_a_check() {
    let world = World::new();
    let a = at(&laptop(&world, "a"), MONDAY);
    let codes = || -> Vec<String> {
        let report = a.json(&["check"]);
        let findings = report["data"]["findings"].as_array().expect("findings").clone();
        findings.iter().map(|one| one["code"].as_str().unwrap_or_default().to_owned()).collect()
    };
    let nothing = "ab".repeat(32);
    for (keys, code) in [
        ("valid_until: someday\n".to_owned(), "stamp-invalid"),
        ("valid_from: 2026-02-30\n".to_owned(), "stamp-invalid"),
        ("verified: 2027-02-29\n".to_owned(), "stamp-invalid"),
        ("stale_after: 2026-11-20 17:00:00\n".to_owned(), "stamp-no-zone"),
        ("valid_from: 2026-11-20\nvalid_until: 2026-11-19\n".to_owned(), "ends-too-early"),
        (format!("supersedes: [sha256:{nothing}]\n"), "replaces-nothing"),
        (format!("supersedes: {nothing}\n"), "replaces-nothing"),
        ("supersedes: [31]\n".to_owned(), "field-type"),
    ] {
        fact(&a, 1, &keys, "On call");
        assert_eq!(codes(), [code], "{keys}");
        // Whatever it says, the fact is shown, and stays as it was written.
        assert!(a.read("knowledge/memories/001-by-hand.md").contains(&keys), "{keys}");
        let is_over = code == "ends-too-early";
        assert_eq!(a.co(&["list"]).contains("On call"), !is_over, "{keys}");
    }
    for keys in [
        "valid_from: 2026-11-20\nvalid_until: 2026-11-20\n",
        "valid_until: 2028-02-29\nverified: 2026-11-15T09:00:00+01:00\n",
        "supersedes: []\n",
    ] {
        fact(&a, 1, keys, "On call");
        assert_eq!(codes(), [""; 0], "{keys}");
    }
    // What was forgotten was there once.
    a.co(&["learn", "I live in Munich"]);
    let munich = hash(&a, "2");
    fact(&a, 1, &format!("supersedes: [{munich}]\n"), "On call");
    a.co(&["forget", "2"]);
    assert_eq!(codes(), [""; 0]);
}
