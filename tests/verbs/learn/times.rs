//! Facts that say until when they hold, when to check them and what they replace, as people and
//! agents learn them.

use crate::support::{
    World,
    by_hand::at,
    client::Client,
    monday::{MONDAY, later, moved, on_monday, shows},
    terminal::screen,
};
use serde_json::json;
use std::fs;

#[test]
fn dates_are_learned_as_people_type_them() {
    for (options, line, said) in [
        (&["--until", "friday"][..], "valid_until: 2026-11-20\n", "until 20 Nov 2026"),
        (&["--until", "in 2 weeks"], "valid_until: 2026-11-30\n", "until 30 Nov 2026"),
        (&["--until", "29 feb 2028"], "valid_until: 2028-02-29\n", "until 29 Feb 2028"),
        (&["--until", "march 2027"], "valid_until: 2027-03-31\n", "until 31 Mar 2027"),
        (&["--until", "today 17:05"], "valid_until: 2026-11-16T17:05:00", "until 2026-11-16 17:05"),
        (&["--until", "yesterday"], "valid_until: 2026-11-15\n", "it is over"),
        (&["--from", "1 dec"], "valid_from: 2026-12-01\n", "from 1 Dec 2026"),
        (&["--from", "march 2027"], "valid_from: 2027-03-01\n", "from 1 Mar 2027"),
        (&["--check-after", "6mo"], "stale_after: 2027-05-16\n", "checked after 16 May 2027"),
        (&["--check-after", "90d"], "stale_after: 2027-02-14\n", "checked after 14 Feb 2027"),
    ] {
        let world = World::new();
        let a = on_monday(&world);
        let answer = a.co(&[&["learn", "On call"][..], options].concat());
        let file = a.read(&a.file_of("On call"));
        assert!(file.contains(line), "{options:?}: {file}");
        assert!(answer.contains(said), "{options:?}: {answer}");
        assert_eq!(a.json(&["check"])["data"]["findings"], json!([]), "{options:?}");
        a.co(&["undo"]);
        assert!(a.facts().is_empty(), "{options:?}");
    }
}

#[test]
fn when_a_fact_is_to_be_checked_is_shown_and_its_history_says_since_when() {
    let world = World::new();
    let a = on_monday(&world);
    let due = "to be checked after 16 May 2027";
    a.co(&["learn", "On call", "--check-after", "6mo", "--until", "1 june 2027"]);
    assert!(a.co(&["show", "1"]).contains(due), "{}", a.co(&["show", "1"]));
    let shown = format!("On call\n                     until 1 Jun 2027, {due}\n");
    assert!(a.co(&["log", "1"]).contains(&shown), "{}", a.co(&["log", "1"]));
    // A new text with a new day says both; one that leaves the day says nothing of it.
    later(&a).co(&["edit", "1", "Is on call", "--check-after", "90d"]);
    let log = a.co(&["log", "1"]);
    assert_eq!(log.matches("to be checked after 14 Feb 2027").count(), 1, "{log}");
    later(&a).co(&["edit", "1", "Is on call, still"]);
    let log = a.co(&["log", "1"]);
    assert_eq!(log.matches("to be checked after 14 Feb 2027").count(), 1, "{log}");
    // Once it is due, both are said.
    let after = at(&a, "2027-02-15T12:00:00Z").co(&["show", "1"]);
    assert!(after.contains("unchecked since November 2026, to be checked after"), "{after}");
}

#[test]
fn a_check_that_can_never_be_due_is_warned_of() {
    let world = World::new();
    let a = on_monday(&world);
    let warning = "1 Nov 2026 has passed, so that you are never asked";
    for words in [
        &["learn", "On call", "--check-after", "2026-11-01"][..],
        &["edit", "1", "--check-after", "2026-11-01"],
        &["edit", "1", "Is on call", "--check-after", "2026-11-01"],
    ] {
        let said = a.try_co(words);
        assert_eq!(
            (said.code, said.err.matches(warning).count()),
            (0, 1),
            "{words:?}: {}",
            said.err
        );
    }
    assert_eq!(a.json(&["review", "--stale"])["data"]["proposals"], json!([]));
    for day in ["today", "6mo", "none"] {
        let said = a.try_co(&["edit", "1", "--check-after", day]);
        assert!(said.code == 0 && !said.err.contains("has passed"), "{day}: {}", said.err);
    }
}

#[test]
fn what_is_no_date_saves_nothing() {
    let world = World::new();
    let a = on_monday(&world);
    for (options, said) in [
        (&["--until", "soon"][..], "`soon` is not a date"),
        (&["--until", "31 feb"], "not a day of the calendar"),
        (&["--check-after", "often"], "`often` is not a date"),
        (&["--from", "2026-12-02", "--until", "2026-12-01"], "over (1 Dec 2026) before it begins"),
        (&["--until", "9999-12-31"], "`9999-12-31` is later than any date"),
        (&["--from", "31.12.9999"], "`31.12.9999` is later than any date"),
        (&["--until", "soon"], "\"in 2 weeks\""),
        (&["--check-after", "0d"], "`90d`"),
        (&["--replaces", "99"], "there is no fact 99"),
        (&["--replaces", "the old one"], "is not the handle of a fact"),
    ] {
        let answer = a.try_co(&[&["learn", "On call"][..], options].concat());
        assert!(answer.code != 0 && answer.err.contains(said), "{options:?}: {}", answer.err);
        assert!(answer.err.contains("hint:"), "{options:?}: {}", answer.err);
        assert!(a.facts().is_empty(), "{options:?}");
    }
}

#[test]
fn a_fact_replaces_another_until_that_is_said_again() {
    let world = World::new();
    let a = moved(&world);
    // Both were learned within one second.
    shows(&a, &["Hamburg"], &["Munich"]);
    assert!(a.co(&["list", "--all"]).contains("replaced by 2"));
    a.co(&["undo"]);
    shows(&a, &["Munich"], &["Hamburg"]);
    a.co(&["redo"]);
    shows(&a, &["Hamburg"], &["Munich"]);
    let said = a.co(&["learn", "I live in Munich", "--replaces", "last"]);
    assert!(said.contains("replaces 2: I live in Hamburg"), "{said}");
    shows(&a, &["Munich"], &["Hamburg"]);
    assert!(a.co(&["forget", "1"]).contains("Fact 2 counts again"));
    shows(&a, &["Hamburg"], &["Munich"]);
    let said = a.try_co(&["learn", "I live in Hamburg", "--replaces", "2"]);
    assert!(said.err.contains("cannot replace itself"), "{}", said.err);
}

#[test]
fn a_fact_of_the_person_replaces_none_of_a_project() {
    let world = World::new();
    let a = moved(&world);
    fs::create_dir_all(a.home.join("billing/.co-cli")).expect("a folder");
    let project = a.home.join("billing");
    let inside = project.to_str().expect("a path");
    a.co(&["-C", inside, "learn", "Here I live in Bremen", "--replaces", "2"]);
    assert!(!later(&a).co(&["-C", inside, "list"]).contains("Hamburg"));
    shows(&a, &["Hamburg"], &["Bremen"]);
    let words = ["-C", inside, "learn", "I left", "--scope", "identity", "--replaces", "p1"];
    let said = a.try_co(&words);
    assert!(said.err.contains("only a fact of that project can replace it"), "{}", said.err);
    assert!(!a.co(&["list", "--all"]).contains("I left"));
}

#[test]
fn a_replaced_fact_that_is_learned_again_counts_again_and_that_is_undone() {
    let world = World::new();
    let a = moved(&world);
    // The clock stands still, or is behind that of another laptop.
    for moment in [MONDAY, "2026-11-16T11:00:00Z", "2026-12-01T12:00:00Z"] {
        let a = at(&a, moment);
        a.co(&["learn", "I live in Munich"]);
        shows(&at(&a, MONDAY), &["Munich", "Hamburg"], &[]);
        a.co(&["undo"]);
        shows(&at(&a, MONDAY), &["Hamburg"], &["Munich"]);
    }
}

#[test]
fn a_forgotten_fact_that_is_learned_again_counts_whatever_the_clocks_say() {
    let world = World::new();
    let a = on_monday(&world);
    a.co(&["learn", "I live in Munich"]);
    // The clock was ahead.
    let ahead = at(&a, "2026-12-20T12:00:00Z");
    ahead.co(&["learn", "I live in Hamburg", "--replaces", "1"]);
    a.co(&["forget", "1"]);
    a.co(&["learn", "I live in Munich"]);
    shows(&at(&a, "2026-12-21T12:00:00Z"), &["Munich", "Hamburg"], &[]);
}

#[test]
fn only_a_fact_that_holds_is_named_as_similar() {
    for (options, is_named) in [
        (&["--until", "2026-12-24"][..], true),
        (&["--until", "yesterday"], false),
        (&["--from", "2026-12-01"], false),
    ] {
        let world = World::new();
        let a = on_monday(&world);
        a.co(&[&["learn", "Plays the flute on Sundays"][..], options].concat());
        let said = a.co(&["learn", "On Sundays plays the flute"]);
        assert_eq!(said.contains("similar to 1"), is_named, "{options:?}: {said}");
    }
    // Nor one that the new one was said to replace.
    let world = World::new();
    let a = on_monday(&world);
    a.co(&["learn", "Plays the flute on Sundays"]);
    let said = a.co(&["learn", "On Sundays plays the flute", "--replaces", "1"]);
    assert!(!said.contains("similar to"), "{said}");
}

#[test]
fn of_two_that_say_different_things_the_older_is_the_candidate() {
    for (old, new) in [
        ("I live in Munich", "I live in Hamburg"),
        ("I prefer tabs over spaces in Go", "I prefer spaces over tabs in Go"),
        ("Likes coriander on everything", "Does not like coriander on everything"),
        ("The rent is 900 euros", "The rent is 1,200 euros"),
        ("Works at Acme in Berlin", "Works at Globex in Berlin"),
        ("Lives in Munich", "I moved to Hamburg"),
    ] {
        let world = World::new();
        let a = on_monday(&world);
        a.co(&["learn", old]);
        let said = a.co(&["learn", new]);
        assert!(said.contains(&format!("Does it replace 1 \"{old}\"?")), "{new}: {said}");
        assert!(said.contains("co edit 2 --replaces 1") && !said.contains("forget"), "{said}");
        a.co(&["undo"]);
        // What was said already is not asked, although the older one holds until then.
        let said = a.co(&["learn", new, "--from", "saturday", "--replaces", "1"]);
        assert!(said.contains("replaces 1") && !said.contains("Does it"), "{said}");
        a.co(&["undo"]);
        // What was said to be no longer so is not named.
        a.co(&["edit", "1", "--until", "2026-11-10"]);
        assert!(!a.co(&["learn", new]).contains("replace"), "{new}");
    }
}

#[test]
fn nothing_is_asked_of_a_list() {
    for (old, new) in [
        ("Speaks German", "Speaks French"),
        ("I speak German at home", "I speak French at home"),
        ("My friend is Anna", "My friend is Ben"),
        ("Likes green tea", "Likes green apples"),
        ("Visited Rome in 2019", "Visited Rome in 2021"),
        ("I live in Munich", "I also live in Hamburg"),
    ] {
        let world = World::new();
        let a = on_monday(&world);
        a.co(&["learn", old]);
        assert!(!a.co(&["learn", new]).contains("replace"), "{new}");
        a.co(&["undo"]);
        let said = screen(&a, 100, &["learn", new], &[]);
        assert!(!said.contains("Replaces"), "{said}");
    }
}

#[test]
fn a_person_is_asked_whether_it_replaces_the_older_one() {
    for (answer, shown) in [("y\n", 1), ("yes\n", 1), ("n\n", 2), ("\n", 2), ("\u{4}", 2)] {
        let world = World::new();
        let a = on_monday(&world);
        a.co(&["learn", "I live in Munich"]);
        let asked = [("Replaces 1 (I live in Munich)? [y/N]", answer)];
        let said = screen(&a, 100, &["learn", "I live in Hamburg"], &asked);
        assert!(said.contains("Saved memory 2"), "{answer:?}: {said}");
        assert_eq!(later(&a).json(&["list"])["data"]["count"], shown, "{answer:?}: {said}");
        a.co(&["undo"]);
        shows(&a, &["Munich"], &["Hamburg"]);
    }
}

#[test]
fn whether_it_replaces_the_older_one_is_asked_once() {
    for (answer, left) in [("n\n", 0), ("\n", 0), ("\u{4}", 1)] {
        let world = World::new();
        let a = on_monday(&world);
        a.co(&["learn", "My boss is Anna Wolf"]);
        let asked = [("Replaces 1 (My boss is Anna Wolf)? [y/N]", answer)];
        screen(&a, 100, &["learn", "My boss is Ute Brandt"], &asked);
        for option in ["--scan", "--stale"] {
            let proposals = later(&a).json(&["review", option])["data"]["proposals"].clone();
            let count = proposals.as_array().map(Vec::len);
            assert_eq!(count, Some(left), "{answer:?}: {option}: {proposals}");
        }
        // The answer is a part of the save, and goes with it.
        a.co(&["undo"]);
        shows(&a, &["Anna"], &["Ute"]);
        let kept = fs::read_to_string(a.identity().join("knowledge/reviewed.md"));
        assert!(!kept.unwrap_or_default().contains("declined"), "{answer:?}");
    }
}

#[test]
fn an_agent_is_told_what_its_fact_may_replace_and_calls_again() {
    let world = World::new();
    let a = moved(&world);
    let mut client = Client::ready_with_env(&a);
    let content = "The user moved to Bremen";
    let said = client.call_ok("save_memory", json!({ "content": content }));
    assert!(said.contains("It may replace:\n- 2: \"I live in Hamburg\""), "{said}");
    assert!(!said.contains("Munich") && !said.contains("forget_memory"), "{said}");
    assert!(said.contains("replaces: [\"2\"]"), "{said}");
    let again = json!({ "content": content, "replaces": ["2"] });
    let said = client.call_ok("save_memory", again);
    assert!(said.contains("Already saved as fact 3") && said.contains("replaces 2"), "{said}");
    shows(&a, &["Bremen"], &["Hamburg"]);
    // In every form in which models write it.
    for replaces in [json!(3), json!("3"), json!(["3"]), json!([3]), json!("[3]"), json!(3.0)] {
        let arguments = json!({ "content": "I live in Kiel", "replaces": replaces });
        client.call_ok("save_memory", arguments);
        shows(&a, &["Kiel"], &["Bremen"]);
        a.co(&["undo"]);
    }
    client.call_ok("save_memory", json!({ "content": "On call", "valid_until": "2026-11-20" }));
    assert!(a.read(&a.file_of("On call")).contains("valid_until: 2026-11-20\n"));
    for arguments in [
        json!({ "content": "Likes tea", "valid_until": "soon" }),
        json!({ "content": "Likes tea", "replaces": [99] }),
        json!({ "content": "Likes tea", "replaces": { "a": 1 } }),
    ] {
        let said = client.call("save_memory", arguments);
        assert!(said.is_error && said.text.contains("hint:"), "{}", said.text);
    }
    assert!(!a.texts().contains("Likes tea"));
    // Nothing is said where there is nothing.
    let said = client.call_ok("save_memory", json!({ "content": "Likes tea", "valid_until": "" }));
    assert!(!said.contains("replace") && !said.contains("until"), "{said}");
}
