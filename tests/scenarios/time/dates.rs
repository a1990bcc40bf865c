//! `--at`, `--on` and `--since` in the words of a person: every form of a date, at the ends of
//! days and years, in the person's zone, and what is no date.

use crate::support::{Laptop, World, whole::whole};

/// Facts of a garden: when each was learned and committed. For a person in Los Angeles: Wednesday
/// at noon, Thursday at noon, Thursday at 23:30, Friday at 11:30.
const FACTS: [(&str, &str); 4] = [
    ("2026-11-18T20:00:00Z", "Planted tomatoes in the garden"),
    ("2026-11-19T20:00:00Z", "Watered the garden at night"),
    ("2026-11-20T07:30:00Z", "Sold a gnome from the garden"),
    ("2026-11-20T19:30:20Z", "A garden fence needs paint"),
];
/// Friday at noon.
const NOW: &str = "2026-11-20T20:00:00Z";

fn at(laptop: &Laptop, moment: &str) -> Laptop {
    laptop.with_env("CO_TEST_CLOCK", moment)
}

/// A laptop that learned and committed each fact at its time.
fn with_facts(world: &World, zone: &str, facts: &[(&str, &str)]) -> Laptop {
    let laptop = world.laptop("a").with_env("TZ", zone);
    at(&laptop, facts[0].0).co(&["init", "--yes"]);
    for (moment, fact) in facts {
        let then = at(&laptop, moment);
        then.co(&["learn", fact]);
        then.co(&["sync"]);
    }
    laptop
}

fn gardener(world: &World) -> Laptop {
    at(&with_facts(world, "America/Los_Angeles", &FACTS), NOW)
}

fn count(laptop: &Laptop, option: &str, text: &str) -> u64 {
    let said = laptop.json(&["list", option, text]);
    said["data"]["count"].as_u64().unwrap_or_else(|| panic!("{option} {text}: {said}"))
}

#[test]
fn every_form_of_a_date_names_a_past_state() {
    let world = World::new();
    let a = gardener(&world);
    for (text, facts) in [
        ("today", 4),
        ("now", 4),
        ("tomorrow", 4),
        ("yesterday", 3),
        (" Yesterday ", 3),
        ("2 days ago", 1),
        ("1d", 3),
        ("two days ago", 1),
        ("friday", 4),
        ("thursday", 3),
        ("last thursday", 3),
        ("wed", 1),
        ("this week", 4),
        ("november", 4),
        ("nov 2026", 4),
        ("2026", 4),
        ("2026-11-19", 3),
        ("2026/11/19", 3),
        ("19 Nov 2026", 3),
        ("Nov 19", 3),
        ("the 18th of November", 1),
        ("18.11.2026", 1),
        ("17:05", 2),
        ("11:00", 3),
        ("11:30", 4),
        ("11:29", 3),
        ("yesterday 17:05", 2),
        ("yesterday at 11:59 pm", 3),
        ("thursday 11am", 1),
        ("2026-11-19 23:29", 2),
        ("2026-11-19T23:30", 3),
        ("2026-11-19T19:59:59Z", 1),
        ("2026-11-19T20:00:00Z", 2),
        ("2026-11-19T21:00:00+01:00", 2),
        ("3 hours ago", 3),
        ("HEAD", 4),
        ("HEAD~1", 3),
    ] {
        assert_eq!(count(&a, "--at", text), facts, "{text}");
    }
    let log = a.json(&["log"]);
    let operations = log["data"]["operations"].as_array().expect("operations");
    let learned = operations.iter().rev().filter(|operation| operation["did"] == "learned");
    for (before, operation) in learned.enumerate() {
        let handle = format!("o{}", operation["op"]);
        assert_eq!(count(&a, "--at", &handle), before as u64 + 1, "{handle}");
    }
}

#[test]
fn every_reading_verb_tells_of_another_time() {
    let world = World::new();
    let a = gardener(&world);
    for text in ["2 days ago", "wednesday", "18 Nov", "2026-11-18 13:00", "yesterday 9am"] {
        for verb in [&["list"][..], &["recall", "garden"], &["show", "1"], &["context"]] {
            let said = a.co(&[verb, &["--at", text]].concat());
            assert!(said.contains("tomatoes"), "{verb:?} {text}: {said}");
            assert!(!said.contains("gnome") && !said.contains("Watered"), "{verb:?}: {said}");
        }
        a.fails(5, &["show", "2", "--at", text]);
        let log = a.co(&["log", "--at", text]);
        assert!(log.contains("tomatoes") && !log.contains("Watered"), "{text}: {log}");
    }
    for text in ["yesterday", "last thursday", "2026-11-19", "Nov 19", "1 day ago"] {
        let log = a.co(&["log", "--on", text]);
        assert!(log.contains("Watered") && log.contains("gnome"), "{text}: {log}");
        assert!(!log.contains("tomatoes") && !log.contains("fence"), "{text}: {log}");
    }
    let noon = a.co(&["log", "--on", "yesterday 12:00"]);
    assert!(noon.contains("Watered") && !noon.contains("gnome"), "{noon}");
    insta::assert_snapshot!(whole(&a.co(&["log", "--on", "last friday"])), @"Nothing happened here at that time.");
    insta::assert_snapshot!(whole(&a.co(&["log", "--at", "last friday"])), @"Nothing had happened here by then.");
    assert_eq!(a.try_co(&["log", "--at", "today", "--on", "today"]).code, 2);
}

/// What was undone later was not undone then.
#[test]
fn the_log_of_a_past_time_is_as_it_was() {
    let world = World::new();
    let a = gardener(&world);
    a.co(&["undo", "--yes"]);
    let undone = |arguments: &[&str]| a.co(arguments).matches("(undone)").count();
    assert_eq!(undone(&["log"]), 1);
    assert_eq!(undone(&["log", "--on", "today"]), 1);
    assert_eq!(undone(&["log", "--at", "11:45"]), 0);
}

#[test]
fn another_time_is_named_in_the_days_of_the_person() {
    let world = World::new();
    let a = gardener(&world);
    for (arguments, line) in [
        (&["--at", "yesterday"][..], "As it was on 2026-11-19 (commit "),
        (&["--at", "yesterday 23:45"], "As it was on 2026-11-19 23:45 (commit "),
        (&["--at", "HEAD~3"], "As it was on 2026-11-18 (commit "),
        (&["--on", "yesterday"], "What held on 2026-11-19, as known today:\n"),
        (&["--on", "last friday"], "What held on 2026-11-13, as known today:\n"),
        (&["--on", "march 2025"], "What held on 2025-03-31, as known today:\n"),
        (&["--on", "17:05"], "What held on 2026-11-19 17:05, as known today:\n"),
        (&["--on", "2026-11-20T03:00:00Z"], "What held on 2026-11-19 19:00, as known today:\n"),
    ] {
        for verb in [&["list"][..], &["recall", "garden"]] {
            let said = a.co(&[verb, arguments].concat());
            assert!(said.starts_with(line), "{verb:?} {arguments:?}: {said}");
        }
    }
    let both = a.co(&["list", "--at", "2 days ago", "--on", "yesterday"]);
    let lines: Vec<&str> = both.lines().collect();
    assert!(lines[0].starts_with("As it was on 2026-11-18 (commit "), "{both}");
    assert_eq!(lines[1], "What held on 2026-11-19:");
    assert!(!both.contains("Watered"), "{both}");
}

#[test]
fn what_is_no_date_is_said_with_examples() {
    let world = World::new();
    let a = gardener(&world);
    let no_state = a.fails(2, &["list", "--at", "sometime"]);
    insta::assert_snapshot!(whole(&no_state), @r#"
    error: `sometime` is neither a date, an operation nor a revision
    hint: `--at yesterday`, `--at 17:05`, `--at "3 weeks ago"`, `--at 2026-10-01`, `--at o42` or `--at HEAD~3`
    hint: `co help time` shows what can be written
    "#);
    let no_date = a.fails(2, &["list", "--on", "sometime"]);
    insta::assert_snapshot!(whole(&no_date), @r#"
    error: `sometime` is not a date
    hint: for example `yesterday`, `17:05`, `"last friday"`, `"3 weeks ago"`, `"14 Feb 2026"` or `2026-02-14`
    hint: `co help time` shows what can be written
    "#);
    for text in ["sometime", "14/02/2026", "friday the cat", "6m", "7", ""] {
        let of_text = |said: &str| said.replace("sometime", text);
        for verb in [&["list"][..], &["recall", "garden"], &["show", "1"], &["context"], &["log"]] {
            assert_eq!(a.fails(2, &[verb, &["--at", text]].concat()), of_text(&no_state));
            assert_eq!(a.fails(2, &[verb, &["--on", text]].concat()), of_text(&no_date));
        }
        assert_eq!(a.fails(2, &["recall", "garden", "--since", text]), of_text(&no_date));
    }
    let is_not = |text: &str, what: &str| {
        no_date.replace("`sometime` is not a date", &format!("`{text}` is not {what}"))
    };
    for option in ["--at", "--on"] {
        for text in ["31 Feb", "2026-02-31", "29 Feb 2025", "30.2.2024", "2026-13-01"] {
            let said = a.fails(2, &["list", option, text]);
            assert_eq!(said, is_not(text, "a day of the calendar"));
        }
        for text in ["25:00", "yesterday 12:60", "13pm", "24:00", "0am"] {
            let said = a.fails(2, &["list", option, text]);
            assert_eq!(said, is_not(text, "a time of day"));
        }
    }
    // Revisions and operations are of the history alone.
    for text in ["HEAD", "o1"] {
        a.fails(2, &["list", "--on", text]);
    }
    for text in ["o999", "last friday", "2 weeks ago", "october", "2025-11-19", "2w"] {
        a.fails(5, &["list", "--at", text]);
    }
}

#[test]
fn a_day_ends_where_the_person_lives() {
    for (zone, evening, midnight, now) in [
        (
            "America/Los_Angeles",
            "2026-11-20T07:59:30Z",
            "2026-11-20T08:00:10Z",
            "2026-11-21T20:00:00Z",
        ),
        (
            "Pacific/Kiritimati",
            "2026-11-19T09:59:30Z",
            "2026-11-19T10:00:10Z",
            "2026-11-20T12:00:00Z",
        ),
        ("UTC", "2026-11-19T23:59:30Z", "2026-11-20T00:00:10Z", "2026-11-21T12:00:00Z"),
        ("Asia/Kathmandu", "2026-11-19T18:14:30Z", "2026-11-19T18:15:10Z", "2026-11-21T06:00:00Z"),
    ] {
        let world = World::new();
        let facts = [(evening, FACTS[0].1), (midnight, FACTS[1].1)];
        let a = at(&with_facts(&world, zone, &facts), now);
        for (text, facts) in [
            ("yesterday", 2),
            ("2 days ago", 1),
            ("2026-11-19", 1),
            ("19 Nov", 1),
            ("thursday", 1),
            ("2026-11-19 23:59", 1),
            ("2026-11-19T23:59:59", 1),
            ("2026-11-20T00:00:05", 1),
            ("2026-11-20 00:00", 2),
            ("friday", 2),
        ] {
            assert_eq!(count(&a, "--at", text), facts, "{zone}: {text}");
        }
        let since =
            |text: &str| a.json(&["recall", "garden", "--since", text])["data"]["count"].clone();
        for (text, facts) in [
            ("yesterday", 1),
            ("2 days ago", 2),
            ("friday", 1),
            ("last thursday", 2),
            ("today", 0),
            ("this month", 2),
            ("2026-11-20", 1),
        ] {
            assert_eq!(since(text), facts, "{zone}: {text}");
        }
        let log = a.co(&["log", "--on", "thursday"]);
        assert!(log.contains("tomatoes") && !log.contains("Watered"), "{zone}: {log}");
    }
}

#[test]
fn years_and_leap_days_end_too() {
    let world = World::new();
    let facts = [("2024-02-29T12:00:00Z", FACTS[0].1), ("2025-12-31T23:59:30Z", FACTS[1].1)];
    let a = with_facts(&world, "UTC", &facts);
    let new_year = at(&a, "2026-01-01T00:00:30Z");
    for (text, facts) in [
        ("yesterday", 2),
        ("last year", 2),
        ("31 dec", 2),
        ("december", 2),
        ("1 jan", 2),
        ("30 dec", 1),
        ("last month", 2),
        ("november", 1),
        ("29 Feb", 1),
        ("feb 2024", 1),
        ("2024", 1),
        ("1 Mar 2024", 1),
    ] {
        assert_eq!(count(&new_year, "--at", text), facts, "{text}");
    }
    new_year.fails(5, &["list", "--at", "28 Feb 2024"]);
    // A year after 29 February is 28 February.
    let after = at(&a, "2025-02-28T12:00:00Z");
    after.fails(5, &["list", "--at", "1y"]);
    assert_eq!(count(&at(&a, "2025-03-01T12:00:00Z"), "--at", "1y"), 1);
}

#[test]
fn the_help_of_time_has_six_examples() {
    let world = World::new();
    let a = gardener(&world);
    let help = a.co(&["help", "time"]);
    let examples: Vec<&str> =
        help.lines().filter(|line| line.trim_start().starts_with("co ")).collect();
    assert_eq!(examples.len(), 6, "{help}");
    for form in ["yesterday", "last friday", "3 weeks ago", "6mo", "17:05", "o42", "HEAD~3"] {
        assert!(help.contains(form), "{form}: {help}");
    }
}
