//! What is typed for the time of a fact and what is answered: dates as people write them, handles
//! that are none, where the rest is, and the life of a fact.

use crate::support::{
    Laptop, World,
    by_hand::at,
    pair::{pair, sync},
    whole::whole,
};

const NOW: &str = "2026-11-27T12:00:00Z";

/// A laptop that was set up at that moment.
fn begun(world: &World, moment: &str) -> Laptop {
    let a = at(&world.laptop("a"), moment);
    a.co(&["init", "--yes"]);
    a
}

#[test]
fn an_end_is_read_as_people_write_it() {
    let world = World::new();
    let a = begun(&world, NOW);
    for (typed, day) in [
        ("end of month", "2026-11-30"),
        ("the end of next month", "2026-12-31"),
        ("end of year", "2026-12-31"),
        ("end of the week", "2026-11-29"),
        ("end of december", "2026-12-31"),
        ("eom", "2026-11-30"),
        ("24.12.", "2026-12-24"),
        ("24.12.2026", "2026-12-24"),
        ("24.12.26", "2026-12-24"),
        ("1.2.", "2027-02-01"),
        ("the 24th", "2026-12-24"),
        ("next friday", "2026-12-04"),
        ("in 3 days", "2026-11-30"),
        ("3 days", "2026-11-30"),
        ("two weeks from now", "2026-12-11"),
        ("day after tomorrow", "2026-11-29"),
        ("tonight", "2026-11-27"),
    ] {
        let text = format!("Holds until {typed} as typed");
        a.co(&["learn", &text, "--until", typed]);
        let file = a.read(&a.file_of(&text));
        assert!(file.contains(&format!("valid_until: {day}\n")), "{typed}: {file}");
    }
    // The beginning of the same time is its first day.
    a.co(&["learn", "Works from Oslo", "--from", "start of next year"]);
    assert!(a.read(&a.file_of("Oslo")).contains("valid_from: 2027-01-01\n"));
    for typed in ["end of time", "24.13.", "mid december", "31.2.", "end"] {
        a.fails(2, &["learn", "Never saved", "--until", typed]);
    }
    assert!(a.co(&["list", "--on", "end of last month"]).contains("What held on 2026-10-31"));
}

#[test]
fn a_handle_that_is_nothing_is_refused() {
    let world = World::new();
    let a = begun(&world, NOW);
    a.co(&["learn", "Lives in Munich"]);
    for typed in ["", " ", ",", " , ", ",,"] {
        let said = a.fails(2, &["learn", "Lives in Hamburg", "--replaces", typed]);
        assert!(said.contains("is not the handle of a fact"), "{typed:?}: {said}");
        let said = a.fails(2, &["edit", "1", "--replaces", typed]);
        assert!(said.contains("is not the handle of a fact"), "{typed:?}: {said}");
    }
    assert_eq!(a.facts(), ["Lives in Munich"]);
    // Several in one word are several.
    a.co(&["learn", "Lives in Bremen"]);
    a.co(&["learn", "Lives in Hamburg", "--replaces", "1, 2"]);
    assert_eq!(a.facts(), ["Lives in Hamburg"]);
}

#[test]
fn where_nothing_holds_the_rest_is_named() {
    let world = World::new();
    let a = begun(&world, NOW);
    let rest = "over, replaced or not yet valid";
    for said in [a.co(&["list"]), a.co(&["recall", "on call"])] {
        assert!(!said.contains("--all"), "{said}");
    }
    a.co(&["learn", "On call this week", "--until", "today", "--tag", "work"]);
    let later = at(&a, "2026-11-29T12:00:00Z");
    for (words, command) in [
        (&["list"][..], "co list --all"),
        (&["list", "--tag", "work"], "co list --all"),
        (&["list", "--sort", "newest", "-n", "3"], "co list --all"),
        (&["list", "--on", "today"], "co list --all"),
        (&["recall", "who is on call"], "co recall --all 'who is on call'"),
        (&["recall", "call", "--explain"], "co recall --all 'call'"),
        (&["recall", "call", "--tag", "work"], "co recall --all --tag 'work' 'call'"),
    ] {
        let said = later.co(words);
        assert!(said.contains(&format!("1 fact is {rest}: `{command}` shows it.")), "{said}");
    }
    for words in [
        &["list", "--all"][..],
        &["recall", "--all", "on call"],
        &["recall", "xyzzy"],
        &["list", "--tag", "home"],
        &["list", "--on", "yesterday", "--at", "now", "--all"],
    ] {
        assert!(!later.co(words).contains(rest), "{words:?}");
    }
    later.co(&["learn", "Starts in Oslo", "--from", "2027-01-01"]);
    assert!(later.co(&["list"]).contains(&format!("2 facts are {rest}")));
    // Where something is shown, it is the answer.
    later.co(&["learn", "Plays chess"]);
    assert!(!later.co(&["list"]).contains(rest));
    assert!(!later.co(&["recall", "chess"]).contains(rest));
}

#[test]
fn a_fact_that_is_replaced_for_a_time_is_told_so() {
    let world = World::new();
    let a = begun(&world, NOW);
    a.co(&["learn", "Lives in Munich"]);
    let said = a.co(&["learn", "Lives in Hamburg", "--until", "in 2 weeks", "--replaces", "1"]);
    insta::assert_snapshot!(whole(&said), @"
    ✓ Saved memory 2: 002-lives-in-hamburg.md
      until 11 Dec 2026
      replaces 1: Lives in Munich
      (fact 1 does not come back after that, unless it is confirmed)
    Location: [world]/a/.config/co-cli/identity/knowledge/memories/002-lives-in-hamburg.md
    ");
    let later = at(&a, "2026-12-24T12:00:00Z");
    assert!(later.facts().is_empty());
    insta::assert_snapshot!(whole(&later.co(&["confirm", "1"])), @"
    ✓ Confirmed fact 1: Lives in Munich
      it counts again
    ");
    assert_eq!(later.facts(), ["Lives in Munich"]);
    insta::assert_snapshot!(whole(&later.co(&["learn", "Lives in Kiel", "--replaces", "1"])), @"
    ✓ Saved memory 3: 003-lives-in-kiel.md
      replaces 1: Lives in Munich
    Location: [world]/a/.config/co-cli/identity/knowledge/memories/003-lives-in-kiel.md
    ");
}

#[test]
fn a_limit_counts_what_happened_to_a_fact() {
    let world = World::new();
    let a = begun(&world, NOW);
    a.co(&["learn", "Plays chess"]);
    for words in [&["pin", "1"][..], &["unpin", "1"], &["edit", "1", "Plays chess badly"]] {
        a.co(words);
    }
    let events = |words: &[&str]| {
        let said = a.json(words);
        said["data"]["events"].as_array().expect("events").len()
    };
    assert_eq!(events(&["log", "1"]), 4);
    for (limit, shown) in [("1", 1), ("2", 2), ("3", 3), ("4", 4), ("20", 4)] {
        assert_eq!(events(&["log", "1", "-n", limit]), shown);
        let said = a.co(&["log", "1", "-n", limit]);
        assert_eq!(said.contains(&format!("and {} more", 4 - shown)), shown < 4, "{said}");
        assert_eq!(said.contains("+ learned"), shown == 4, "{said}");
        assert!(said.contains("Plays chess badly"), "{said}");
    }
    let two = a.json(&["log", "o1..o3", "--limit", "2"]);
    assert_eq!(two["data"]["operations"].as_array().expect("operations").len(), 2);
    insta::assert_snapshot!(whole(&a.co(&["log", "1", "--at", "yesterday"])), @r#"
    "Plays chess badly"
    Nothing had happened to it by then.
    "#);
    insta::assert_snapshot!(whole(&a.co(&["log", "1", "--on", "last week"])), @r#"
    "Plays chess badly"
    Nothing happened to it at that time.
    "#);
    // Without a handle it counts operations, twenty of them if nothing is said.
    assert_eq!(a.co(&["log", "-n", "2"]).lines().count(), 2);
    assert_eq!(a.try_co(&["log", "1", "-n", "0"]).code, 2);
}

#[test]
fn a_file_of_an_earlier_day_has_the_place_that_it_had() {
    let world = World::new();
    let a = begun(&world, NOW);
    a.co(&["learn", "Plays chess"]);
    a.co(&["edit", "1", "Plays go"]);
    let file = a.identity().join("knowledge/memories/001-plays-chess.md").display().to_string();
    for words in [
        &["show", "1", "--at", "o1"][..],
        &["list", "--at", "o1"],
        &["recall", "chess", "--at", "o1"],
        &["show", "1", "--at", "now"],
        &["list", "--on", "today", "--at", "o1"],
    ] {
        let said = a.json(words).to_string();
        assert!(said.contains(&file) && !said.contains("co-at-"), "{words:?}: {said}");
    }
    insta::assert_snapshot!(whole(&a.co(&["show", "1", "--at", "o1"])), @"
    fact 1-0933  learned 2026-11-27
    ~/.config/co-cli/identity/knowledge/memories/001-plays-chess.md

    Plays chess
    ");
}

#[test]
fn an_operation_is_a_point_of_the_past_whatever_the_clock_said() {
    for wrong in [
        "2030-01-01T00:00:00Z",
        "2026-11-28T00:00:00Z",
        "2019-05-05T05:05:05Z",
        "2026-11-27T09:00:00Z",
    ] {
        let world = World::new();
        let a = begun(&world, "2026-11-27T09:30:00Z");
        let a = at(&a, "2026-11-27T10:00:00Z");
        a.co(&["learn", "Plays chess"]);
        at(&a, wrong).co(&["learn", "Drinks tea"]);
        at(&a, "2026-11-27T11:00:00Z").co(&["learn", "Walks to work"]);
        let later = at(&a, "2026-11-27T13:00:00Z");
        for (op, shown, hidden) in [
            ("o1", &["chess"][..], &["tea", "work"][..]),
            ("o2", &["chess", "tea"], &["work"]),
            ("o3", &["chess", "tea", "work"], &[]),
        ] {
            for said in [later.co(&["list", "--at", op]), later.co(&["log", "--at", op])] {
                assert!(shown.iter().all(|text| said.contains(text)), "{wrong} {op}: {said}");
                assert!(!hidden.iter().any(|text| said.contains(text)), "{wrong} {op}: {said}");
            }
        }
    }
}

#[test]
fn a_fact_that_another_laptop_learns_after_its_end_holds() {
    for (learned, holds) in [
        ("2026-11-25T20:00:00Z", true),
        ("2026-11-20T20:00:00Z", true),
        // Its last day is not over.
        ("2026-11-18T20:00:00Z", false),
        ("2026-11-17T20:00:00Z", false),
    ] {
        let world = World::new();
        let (a, b) = pair(&world);
        at(&a, "2026-11-16T12:00:00Z").co(&["learn", "On call", "--until", "2026-11-18"]);
        at(&b, learned).co(&["learn", "On call"]);
        let (a, b) = (at(&a, "2026-11-26T12:00:00Z"), at(&b, "2026-11-26T12:00:00Z"));
        sync(&[&a, &b, &a]);
        for laptop in [&a, &b] {
            assert_eq!(laptop.facts().contains(&"On call".to_owned()), holds, "{learned}");
            assert_eq!(laptop.read(&laptop.file_of("On call")).contains("valid_until"), !holds);
        }
        assert_eq!(a.tree(), b.tree());
    }
}

#[test]
fn what_a_fact_replaces_is_named_by_its_handle_and_not_by_a_hash() {
    let world = World::new();
    let (remote, a, b) = (world.remote(), world.laptop("a"), world.laptop("b"));
    a.co(&["init", "--yes", "--remote", &remote]);
    for text in ["Lives in Munich", "Lives in Hamburg", "Plays chess"] {
        a.co(&["learn", text]);
    }
    a.co(&["sync"]);
    b.co(&["init", "--yes", &remote]);
    insta::assert_snapshot!(whole(&a.co(&["edit", "2", "--replaces", "1"])), @"
    ✓ Edited fact 2: Lives in Hamburg
      replaces 1: Lives in Munich
    ");
    // It replaced 1 before.
    let said = a.co(&["edit", "2", "--replaces", "1", "--replaces", "3"]);
    insta::assert_snapshot!(whole(&said), @"
    ✓ Edited fact 2: Lives in Hamburg
      also replaces 3: Plays chess
    ");
    let mut all = vec![said];
    for asked in [
        &["log"][..],
        &["log", "2"],
        &["log", "o4"],
        &["undo"],
        &["redo"],
        &["edit", "2", "--replaces", "none"],
        &["undo"],
        &["log", "2"],
        &["sync"],
    ] {
        all.push(a.co(asked));
    }
    all.push(b.co(&["sync"]));
    for said in &all {
        assert!(!said.contains("sha256:"), "{said}");
    }
    // Of one that is gone, no handle is left.
    a.co(&["forget", "3"]);
    assert!(a.co(&["edit", "2", "--replaces", "none"]).contains("sha256:"));
}

#[test]
fn the_rest_is_counted_only_as_far_as_it_was_asked_for() {
    let world = World::new();
    let a = begun(&world, NOW);
    a.co(&["learn", "Lives in Munich near the zyzzyva", "--tag", "home"]);
    a.co(&["learn", "Lives in Hamburg", "--tag", "home", "--replaces", "1"]);
    a.co(&["learn", "Speaks French", "--tag", "lang"]);
    a.co(&["learn", "Speaks Danish with a zyzzyva", "--tag", "lang", "--until", "2026-01-01"]);
    a.co(&["learn", "Speaks Dutch with a zyzzyva", "--tag", "lang", "--until", "2026-02-01"]);
    for (filter, rest) in [
        (&["--tag", "lang"][..], "2 facts are over"),
        (&["--tag", "home"], "1 fact is over"),
        (&["--tag", "work"], ""),
        (&["--tag", "home", "--tag", "lang"], ""),
        (&[], "3 facts are over"),
    ] {
        let said = a.co(&[&["recall", "zyzzyva"], filter].concat());
        let names = said.contains("co recall --all");
        assert!(said.contains(rest) && names != rest.is_empty(), "{filter:?}: {said}");
    }
}

#[test]
fn a_fact_is_replaced_when_the_other_was_learned_and_not_when_it_was_edited() {
    let world = World::new();
    let a = begun(&world, NOW);
    for (moment, words) in [
        ("2026-11-27T12:01:00Z", &["learn", "Works at Acme"][..]),
        ("2026-11-27T12:02:00Z", &["learn", "Works at Globex", "--replaces", "1"]),
        ("2026-11-27T12:03:00Z", &["confirm", "1"]),
        ("2026-11-27T12:04:00Z", &["undo"]),
        ("2026-11-27T12:05:00Z", &["edit", "1", "Works at Acme Inc"]),
    ] {
        at(&a, moment).co(words);
    }
    let life = at(&a, "2026-11-27T13:00:00Z").json(&["log", "1"])["data"]["events"].clone();
    let told: Vec<(&str, &str)> = life
        .as_array()
        .expect("events")
        .iter()
        .map(|event| (event["what"].as_str().unwrap_or(""), event["op"].as_str().unwrap_or("")))
        .collect();
    // What is undone was not confirmed.
    let expected = [
        ("edited", "o5"),
        ("changed", "o4"),
        ("confirmed", "o3"),
        ("replaced", "o2"),
        ("learned", "o1"),
    ];
    assert_eq!(told, expected);
}

#[test]
fn a_text_that_counts_again_says_so_and_names_what_still_holds_beside_it() {
    let world = World::new();
    let a = begun(&world, NOW);
    a.co(&["learn", "Lives in Munich"]);
    a.co(&["learn", "Lives in Hamburg", "--replaces", "1"]);
    insta::assert_snapshot!(whole(&a.co(&["learn", "Lives in Munich"])), @r#"
    ✓ Already saved as fact 1: 001-lives-in-munich.md; it counts again
    Does it replace 2 "Lives in Hamburg"? If so: `co edit 1 --replaces 2`.
    Location: [world]/a/.config/co-cli/identity/knowledge/memories/001-lives-in-munich.md
    "#);
    insta::assert_snapshot!(whole(&a.co(&["learn", "Lives in Munich", "--replaces", "2"])), @"
    ✓ Already saved as fact 1: 001-lives-in-munich.md
      replaces 2: Lives in Hamburg
    Location: [world]/a/.config/co-cli/identity/knowledge/memories/001-lives-in-munich.md
    ");
    assert_eq!(a.facts(), ["Lives in Munich"]);
    // And there and back once more.
    insta::assert_snapshot!(whole(&a.co(&["learn", "Lives in Hamburg", "--replaces", "1"])), @"
    ✓ Already saved as fact 2: 002-lives-in-hamburg.md; it counts again
      replaces 1: Lives in Munich
    Location: [world]/a/.config/co-cli/identity/knowledge/memories/002-lives-in-hamburg.md
    ");
    assert_eq!(a.facts(), ["Lives in Hamburg"]);
}

#[test]
fn an_import_counts_a_fact_whose_end_it_moved() {
    let world = World::new();
    let (a, b) = (begun(&world, NOW), at(&world.laptop("b"), NOW));
    b.co(&["init", "--yes"]);
    let archive = world.path("facts.tar.gz").display().to_string();
    a.co(&["learn", "On call", "--until", "2026-12-01"]);
    a.co(&["export", &archive]);
    b.co(&["import", &archive, "--yes"]);
    at(&a, "2026-11-28T12:00:00Z").co(&["edit", "1", "--until", "2026-12-08"]);
    at(&a, "2026-11-28T12:00:00Z").co(&["export", &archive]);
    let said = at(&b, "2026-11-28T13:00:00Z").co(&["import", &archive, "--yes"]);
    assert!(said.contains("Imported facts.tar.gz: 1 relabelled.\n"), "{said}");
}
