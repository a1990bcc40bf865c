//! Questions as people ask them.

use crate::support::{Laptop, World};

const FACTS: &[(&str, &str)] = &[
    ("I prefer pytest over unittest", "python"),
    ("Uses neovim on all laptops", "editor"),
    ("Notes on global warming and its causes", "reading"),
    ("喜欢喝乌龙茶", "drinks"),
    ("Moved to Berlin in spring", "life"),
    ("Deploys with fly.io", "ops"),
];

fn laptop(world: &World) -> Laptop {
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    for (fact, tag) in FACTS {
        a.co(&["learn", fact, "--tag", tag]);
    }
    a
}

fn best(a: &Laptop, question: &str) -> Option<String> {
    let found = a.json(&["recall", question]);
    Some(found["data"]["results"].get(0)?["content"].as_str()?.to_owned())
}

#[test]
fn other_words_typos_and_other_scripts_find_the_fact() {
    let world = World::new();
    let a = laptop(&world);
    for (question, at) in [
        ("climate change", 2),
        ("which test runner do I like?", 0),
        ("pytset", 0),
        ("neo vim", 1),
        ("我喜欢什么茶", 3),
    ] {
        assert_eq!(best(&a, question).as_deref(), Some(FACTS[at].0), "{question}");
    }
    assert_eq!(best(&a, "xylophone quartet"), None);
}

#[test]
fn a_switch_in_the_settings_takes_a_signal_out() {
    let world = World::new();
    let a = laptop(&world);
    let off = r#"{"recall": {"meaning": false, "expansion": false}}"#;
    std::fs::write(a.config().join("settings.json"), off).expect("written");
    assert_eq!(best(&a, "climate change"), None);
    assert_eq!(best(&a, "pytset").as_deref(), Some(FACTS[0].0));
}

#[test]
fn tags_days_and_sources_narrow_the_search() {
    let world = World::new();
    let a = laptop(&world);
    let found = |arguments: &[&str]| {
        let all: Vec<&str> =
            ["recall", "laptops pytest fly"].iter().chain(arguments).copied().collect();
        a.json(&all)["data"]["count"].as_u64().expect("a count")
    };
    assert_eq!(found(&[]), 3);
    assert_eq!(found(&["--tag", "PYTHON"]), 1);
    assert_eq!(found(&["--tag", "python", "--tag", "ops"]), 0);
    assert_eq!(found(&["--since", "2020-01-01"]), 3);
    assert_eq!(found(&["--since", "2999-01-01"]), 0);
    assert_eq!(found(&["--source", "user-told"]), 3);
    assert_eq!(found(&["--source", "somebody else"]), 0);
    let explained = a.co(&["recall", "--explain", "pytest"]);
    assert!(explained.contains("meaning") && explained.contains("I prefer pytest"), "{explained}");
}

#[test]
fn questions_come_line_by_line_and_are_answered_in_their_order() {
    let world = World::new();
    let a = laptop(&world);
    let asked =
        "{\"qid\":\"x\",\"query\":\"neovim\",\"limit\":1}\n\n{\"qid\":2,\"query\":\"zzzz\"}\n";
    let said = a.piped(asked, &["recall", "--batch"]);
    assert_eq!(said.code, 0, "{}", said.err);
    let lines: Vec<serde_json::Value> =
        said.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!((&lines[0]["qid"], &lines[0]["ids"]), (&"x".into(), &serde_json::json!([2])));
    assert_eq!((&lines[1]["qid"], &lines[1]["ids"]), (&2.into(), &serde_json::json!([])));
    let wrong = a.piped("no json\n", &["recall", "--batch"]);
    assert_eq!(wrong.code, 2, "{}", wrong.err);
}

#[test]
fn facts_that_mean_the_same_are_pointed_out_and_stay() {
    let world = World::new();
    let a = laptop(&world);
    let said = a.co(&["learn", "Edits with neovim on every laptop"]);
    assert!(said.contains("similar to 2 \"Uses neovim on all laptops\""), "{said}");
    let said = a.co(&["memory", "similar", "2"]);
    assert!(said.starts_with("   7  0.8"), "{said}");
    assert!(!said.contains("Berlin"), "{said}");
    assert_eq!(a.co(&["memory", "similar"]), "No near-duplicate facts found.\n");
    a.co(&["learn", "The user of these laptops prefers dark mode in editors"]);
    a.co(&["learn", "User prefers dark mode in editors of these laptops"]);
    a.co(&["learn", "Runs the server on port 8080 at home"]);
    a.co(&["learn", "Runs the server on port 8081 at home"]);
    let said = a.co(&["memory", "similar"]);
    assert!(said.starts_with("  9 looks like 8 \"The user of these laptops"), "{said}");
    assert_eq!(said.lines().count(), 1, "other numbers are other facts: {said}");
    let checked = a.co(&["check"]);
    assert!(checked.contains("says nearly the same as 8"), "{checked}");
    assert_eq!(a.co(&["list"]).lines().count(), 2 + 11);
    a.fails(5, &["memory", "similar", "99"]);
}

#[test]
fn a_question_as_long_as_a_file_is_answered_by_its_beginning() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", "Prefers oolong tea in the morning"]);
    a.write("knowledge/tea.md", "# Tea\n\nOolong tea in the morning is best.\n");
    let short = format!("oolong tea {}", "morning ".repeat(600));
    let long = format!("{short}{}", "unrelated words about boats ".repeat(7_000));
    let short: String = short.chars().take(4_000).collect();
    for verb in [&["recall", "--batch"][..], &["knowledge", "search", "--batch"]] {
        let answer = |query: &str| {
            let line = serde_json::json!({ "qid": "1", "query": query }).to_string() + "\n";
            let said = a.piped(&line, verb);
            assert_eq!(said.code, 0, "{}", said.err);
            said.out
        };
        assert_eq!(answer(&long), answer(&short), "{verb:?}");
    }
    for verb in [&["recall"][..], &["knowledge", "search"], &["context", "--query"]] {
        let whole = "boats ".repeat(1_000);
        let said = a.try_co(&[verb, &[whole.as_str()]].concat());
        assert!(said.err.contains("first 4000 characters"), "{verb:?}: {}", said.err);
    }
}

#[test]
fn a_question_for_yesterday_is_answered_with_yesterday() {
    let world = World::new();
    let a = world.laptop("a");
    let at = |moment: &str| a.with("CO_TEST_CLOCK", moment);
    at("2026-11-19T05:00:00Z").co(&["init", "--yes", "--timezone", "Asia/Kolkata"]);
    at("2026-11-19T05:00:00Z").co(&["learn", "bought a blue bicycle"]);
    at("2026-11-20T03:00:00Z").co(&["learn", "planted basil seeds"]);
    at("2026-11-20T03:10:00Z").co(&["learn", "visited the dentist"]);
    let now = at("2026-11-20T04:00:00Z");
    for question in ["yesterday", "what did I do yesterday", "Yesterday?", "2026-11-19"] {
        let said = now.json(&["recall", question]);
        let first = &said["data"]["results"][0]["content"];
        assert_eq!(first, "bought a blue bicycle", "{question}: {said}");
    }
}
