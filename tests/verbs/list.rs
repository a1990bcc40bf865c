//! The order and the length of a list: on a terminal the newest facts first, in a pipe and in JSON
//! what programs have always got, and any order that is asked for.

use crate::support::{Laptop, World, ready::laptop, terminal::screen};

const FACTS: [&str; 5] = ["beta", "Alpha", "delta", "Ärger", "charlie"];

/// Five facts, the second pinned, the first changed last, a minute apart.
fn five(world: &World) -> Laptop {
    let a = laptop(world, "a");
    let steps: [&[&str]; 7] = [
        &["learn", FACTS[0]],
        &["learn", FACTS[1]],
        &["learn", FACTS[2]],
        &["learn", FACTS[3]],
        &["learn", FACTS[4]],
        &["pin", "2"],
        &["edit", "1", "--add-tag", "changed"],
    ];
    for (minute, step) in steps.into_iter().enumerate() {
        a.with_env("CO_TEST_CLOCK", &format!("2026-11-20T09:{minute:02}:00Z")).co(step);
    }
    a
}

/// The facts in the order in which a text names them.
fn order(text: &str) -> Vec<&'static str> {
    let mut found: Vec<(usize, &str)> =
        FACTS.iter().filter_map(|fact| Some((text.find(fact)?, *fact))).collect();
    found.sort_unstable();
    found.into_iter().map(|(_, fact)| fact).collect()
}

#[test]
fn a_person_sees_the_newest_first_and_programs_what_they_always_got() {
    let world = World::new();
    let a = five(&world);
    // Also after the index has been built.
    for _ in 0..2 {
        let seen = screen(&a, 100, &["list"], &[]);
        assert_eq!(order(&seen), ["Alpha", "charlie", "Ärger", "delta", "beta"], "{seen}");
        let usual = ["Alpha", "beta", "delta", "Ärger", "charlie"];
        assert_eq!(order(&a.co(&["list"])), usual);
        assert_eq!(order(&a.co(&["list", "--json"])), usual);
        // JSON is for programs on a terminal, too.
        assert_eq!(order(&screen(&a, 200, &["list", "--json"], &[])), usual);
        a.co(&["knowledge", "reindex"]);
    }
}

#[test]
fn every_order_is_the_same_in_a_pipe_in_json_and_on_a_terminal() {
    for (sort, wanted) in [
        ("newest", ["charlie", "Ärger", "delta", "Alpha", "beta"]),
        ("oldest", ["beta", "Alpha", "delta", "Ärger", "charlie"]),
        ("updated", ["beta", "Alpha", "charlie", "Ärger", "delta"]),
        ("number", ["beta", "Alpha", "delta", "Ärger", "charlie"]),
        ("name", ["Alpha", "beta", "charlie", "delta", "Ärger"]),
    ] {
        let world = World::new();
        let a = five(&world);
        for words in [&["list", "--sort", sort][..], &["memory", "list", "--sort", sort]] {
            assert_eq!(order(&a.co(words)), wanted, "{sort}");
            assert_eq!(order(&a.co(&[words, &["--json"]].concat())), wanted, "{sort}");
            assert_eq!(order(&screen(&a, 100, words, &[])), wanted, "{sort}");
        }
        a.co(&["knowledge", "reindex"]);
        assert_eq!(order(&a.co(&["list", "--sort", sort])), wanted, "{sort}, from the index");
    }
    let world = World::new();
    let said = five(&world).try_co(&["list", "--sort", "size"]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("newest"), "{}", said.err);
}

#[test]
fn an_order_is_also_known_by_other_words() {
    let world = World::new();
    let a = five(&world);
    for (typed, order_of) in [
        ("created", "newest"),
        ("date", "newest"),
        ("recent", "newest"),
        ("modified", "updated"),
        ("id", "number"),
        ("alphabetical", "name"),
        ("title", "name"),
    ] {
        let wanted = a.co(&["list", "--sort", order_of]);
        assert_eq!(a.co(&["list", "--sort", typed]), wanted, "{typed}");
    }
    // Help names each order once.
    assert!(!a.co(&["list", "--help"]).contains("alphabetical"));
}

#[test]
fn a_list_is_cut_where_it_is_asked_to_be_and_says_so() {
    let world = World::new();
    let a = five(&world);
    for (count, shown, more) in
        [("1", 1, "… and 4 more"), ("2", 2, "… and 3 more"), ("4", 4, "… and 1 more"), ("5", 5, "")]
    {
        let words = ["list", "-n", count];
        let seen = screen(&a, 100, &words, &[]);
        assert_eq!(order(&seen).len(), shown, "{count}: {seen}");
        let last = seen.lines().last().unwrap_or_default();
        assert_eq!(last.contains("-n 0"), !more.is_empty(), "{seen}");
        assert!(last.contains(more), "{seen}");
        // The first ones are the same, whoever reads them.
        assert_eq!(order(&a.co(&words)), order(&a.co(&["list"]))[..shown]);
        assert!(a.co(&words).starts_with("Total memories: 5\n"));
        let data = a.json(&words)["data"].clone();
        assert_eq!(data["memories"].as_array().map(Vec::len), Some(shown));
        assert_eq!(data["count"], 5);
    }
    for all in [&["list", "-n", "0"][..], &["list", "-n", "99"], &["list", "--limit", "0"]] {
        let seen = screen(&a, 100, all, &[]);
        assert_eq!(order(&seen).len(), 5, "{seen}");
        assert!(!seen.contains("more"), "{seen}");
    }
    assert_eq!(order(&a.co(&["list", "-n", "2", "--sort", "newest"])), ["charlie", "Ärger"]);
    assert_eq!(order(&a.co(&["list", "-n", "9", "--tag", "changed"])), ["beta"]);
    for tag in ["CHANGED", "changed,Changed", " changed ,"] {
        assert_eq!(order(&a.co(&["list", "--tag", tag])), ["beta"], "{tag}");
    }
    for (typed, said) in [
        ("chagned", "no fact has the tag `chagned`; did you mean `changed`?"),
        ("changed,berlin", "no fact has the tag `berlin`\n"),
    ] {
        for words in [&["list", "--tag", typed][..], &["recall", "beta", "--tag", typed]] {
            let answer = a.try_co(words);
            assert_eq!(answer.code, 0, "{words:?}: {}", answer.err);
            assert!(answer.err.contains(said), "{words:?}: {}", answer.err);
        }
    }
    assert_eq!(a.try_co(&["list", "-n", "-1"]).code, 2);
    assert_eq!(a.try_co(&["list", "-n", "few"]).code, 2);
}
