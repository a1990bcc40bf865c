//! What `co edit` sets and removes of the time of a fact, by options and in the editor.

use crate::support::{
    Laptop, World,
    monday::{moved, on_monday, shows},
    terminal::screen,
};
use std::fs;

#[test]
fn an_edit_sets_and_removes_every_key() {
    let world = World::new();
    let a = on_monday(&world);
    a.co(&["learn", "I live in Munich"]);
    a.co(&["learn", "On call"]);
    for (options, key, value, said) in [
        (&["--until", "friday"][..], "valid_until", Some("2026-11-20"), "  until: none → 2026"),
        (&["--until", "none"], "valid_until", None, "2026-11-20 → none"),
        (&["--from", "1 dec"], "valid_from", Some("2026-12-01"), "  from: none → 2026-12-01"),
        (&["--from", "NONE"], "valid_from", None, "2026-12-01 → none"),
        (
            &["--check-after", "1y"],
            "stale_after",
            Some("2027-11-16"),
            "to be checked after: none → 2027",
        ),
        (&["--check-after", "none"], "stale_after", None, "2027-11-16 → none"),
    ] {
        let answer = a.co(&[&["edit", "2"][..], options].concat());
        assert!(answer.contains(said), "{options:?}: {answer}");
        let fact = a.json(&["show", "2"])["data"].clone();
        assert_eq!(fact.get(key).and_then(|value| value.as_str()), value, "{options:?}: {fact}");
    }
    let answer = a.co(&["edit", "2", "--replaces", "1"]);
    assert!(answer.contains("replaces 1: I live in Munich"), "{answer}");
    shows(&a, &["On call"], &["Munich"]);
    // The other way round: the later one wins.
    a.co(&["edit", "1", "--replaces", "2"]);
    shows(&a, &["Munich"], &["On call"]);
    a.co(&["edit", "1", "--replaces", "none"]);
    assert!(!a.read(&a.file_of("Munich")).contains("supersedes"));
    a.co(&["undo"]);
    shows(&a, &["Munich"], &["On call"]);
    assert!(a.co(&["edit", "2", "--until", "none"]).contains("unchanged"));
}

#[test]
fn the_editor_shows_what_a_fact_says_of_its_time() {
    for (script, until, text) in [
        ("sed -i.bak 's/2026-11-20/2026-12-24/' \"$1\"", Some("2026-12-24"), "On call"),
        ("sed -i.bak '/^until/d' \"$1\"", None, "On call"),
        (
            "sed -i.bak 's/^until: .*/until: 3 dec/; s/On/Off/' \"$1\"",
            Some("2026-12-03"),
            "Off call",
        ),
        ("echo 'Off duty' > \"$1\"", Some("2026-11-20"), "Off duty"),
        (
            "grep '^until: 2026-11-20$' \"$1\" && sed -i.bak 's/call/duty/' \"$1\"",
            Some("2026-11-20"),
            "On duty",
        ),
    ] {
        let world = World::new();
        let a = on_monday(&world);
        a.co(&["learn", "On call", "--until", "friday"]);
        let file = a.home.join("editor.sh");
        fs::write(&file, format!("{{ {script}; }} >&2\n")).expect("written");
        let with = a.with_env("EDITOR", &format!("sh {}", file.display()));
        let said = screen(&with, 100, &["edit", "1"], &[]);
        assert_eq!(a.facts(), [text], "{script}: {said}");
        let fact = a.json(&["show", "1"])["data"].clone();
        let found = fact.get("valid_until").and_then(|value| value.as_str());
        assert_eq!(found, until, "{script}: {said}");
    }
}

#[test]
fn keys_stay_when_something_else_is_changed() {
    let world = World::new();
    let a = moved(&world);
    a.co(&["edit", "2", "--until", "2027-01-31", "--check-after", "2026-12-31"]);
    let keys = |a: &Laptop| -> Vec<String> {
        let file = a.read(&a.file_of("Hamburg"));
        let of_time = ["valid_until", "stale_after", "verified", "supersedes"];
        let is_one = |line: &&str| of_time.iter().any(|key| line.starts_with(key));
        file.lines().filter(is_one).map(str::to_owned).collect()
    };
    let before = keys(&a);
    assert_eq!(before.len(), 4, "{before:?}");
    a.co(&["edit", "2", "--add-tag", "home"]);
    a.co(&["pin", "2"]);
    a.co(&["edit", "2", "I live in Hamburg, near the lake"]);
    assert_eq!(keys(&a), before);
}
