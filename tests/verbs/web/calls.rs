//! The calls of the page about whole texts, documents, many proposals at once, and the time of
//! facts.

use crate::support::{
    Laptop, World, ready,
    web::{Answer, Site},
};
use serde_json::{Value, json};

const TOKEN: &str = "the token is ghp_9xKq2LmV7RtZ4WcY8NbJ3HdF6GsP1Qe05AuT";

fn facts(site: &Site, fields: &Value) -> Vec<Value> {
    site.data("list", fields)["memories"].as_array().expect("a list").clone()
}

/// As the page names a fact.
fn handle(row: &Value) -> String {
    let hash = row["hash"].as_str().expect("a hash");
    let layer = row["layer"].as_str().map(|name| format!("{name}/")).unwrap_or_default();
    format!("{layer}{}-{}", row["id"], &hash["sha256:".len()..][..8])
}

fn waiting(a: &Laptop, texts: &str) {
    std::fs::write(a.home.join("facts.txt"), texts).expect("facts");
    a.co(&["agent", "import", "--from", "facts.txt", "--review"]);
}

fn proposals(site: &Site) -> Vec<Value> {
    site.data("review", &json!({}))["proposals"].as_array().expect("a list").clone()
}

#[test]
fn texts_are_whole() {
    let world = World::new();
    let a = ready::named(&world);
    let long = format!("Deploys {} on Fridays", "never, ".repeat(40));
    let lines = "Reviews are short\n\n- no remarks on style";
    for text in [&long, lines, "Likes tea", "Größe zählt: ü 漢字", "Ends with …"] {
        a.co(&["learn", text]);
    }
    let team = world.laptop("team");
    team.co(&["init", "--yes"]);
    team.co(&["learn", "The team releases on Tuesdays"]);
    a.co(&["layer", "add", "acme", &team.identity().display().to_string()]);
    let site = Site::entered(&a, &[]);
    let rows = facts(&site, &json!({}));
    assert_eq!(rows.len(), 6, "{rows:?}");
    let asked: Vec<Value> = rows
        .iter()
        .map(|row| json!({ "handle": handle(row), "scope": row["scope"] }))
        .chain([json!({ "handle": "1-00000000", "scope": "identity" })])
        .collect();
    let texts = site.data("texts", &json!({ "facts": asked }))["texts"].clone();
    let texts = texts.as_array().expect("a list");
    for (row, text) in rows.iter().zip(texts) {
        let whole = site.data("show", &json!({ "handle": handle(row), "scope": row["scope"] }));
        assert_eq!(text, &whole["content"], "{row}");
    }
    assert!(texts.iter().any(|text| *text == json!(long)), "{texts:?}");
    assert_eq!(texts[rows.len()], Value::Null, "one that is gone");
}

#[test]
fn the_first_facts_are_those_that_the_page_shows_first() {
    let world = World::new();
    let a = ready::named(&world);
    for n in 1..=9 {
        a.co(&["learn", &format!("Fact number {n}")]);
    }
    a.co(&["pin", "3"]);
    let site = Site::entered(&a, &[]);
    let first = site.data("list", &json!({ "limit": 4 }));
    assert_eq!(first["count"], 9, "{first}");
    let said: Vec<&str> = first["memories"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|row| row["summary"].as_str().expect("a text"))
        .collect();
    assert_eq!(said, ["Fact number 3", "Fact number 9", "Fact number 8", "Fact number 7"]);
}

#[test]
fn documents_are_found_as_on_the_command_line() {
    let world = World::new();
    let a = ready::named(&world);
    a.co(&["knowledge", "write", "guides/rollback", "# Rollback\n\nTake the release before."]);
    a.co(&["knowledge", "write", "guides/deploy", "# Deploy\n\nPush, then wait."]);
    a.co(&["knowledge", "write", "people/sarah", "# Sarah\n\nRuns the platform team."]);
    let site = Site::entered(&a, &[]);
    for query in
        ["release before", "platform", "sarah", "push wait", "nothing like it", "\"then wait\""]
    {
        let there = site.data("search", &json!({ "query": query, "limit": 5 }));
        let here = a.json(&["knowledge", "search", query, "--token-budget", "2000"]);
        // Scores count the time that has passed.
        let shown = |report: &Value| {
            let hits = report["results"].as_array().expect("a list").clone();
            let hits = hits.into_iter().map(|hit| (hit["topic"].clone(), hit["excerpt"].clone()));
            hits.collect::<Vec<(Value, Value)>>()
        };
        assert_eq!(shown(&there), shown(&here["data"]), "{query}");
    }
}

#[test]
fn a_document_is_edited_where_it_was_read() {
    let world = World::new();
    let a = ready::named(&world);
    a.co(&[
        "knowledge",
        "write",
        "guides/rollback",
        "# Rollback\n\nTake the one before.",
        "-t",
        "ops",
    ]);
    let site = Site::entered(&a, &[]);
    let place = json!({ "topic": "guides/rollback", "scope": "identity" });
    let opened = site.data("opened", &place);
    assert_eq!(opened["text"], "# Rollback\n\nTake the one before.\n");
    let edit = |text: &str, based_on: &Value| {
        let fields = json!({
            "topic": "guides/rollback", "scope": "identity", "text": text, "based_on": based_on,
        });
        site.call("edit-document", &fields.to_string())
    };
    let text = || a.json(&["knowledge", "show", "guides/rollback"])["data"].clone();
    let saved = edit("# Rollback\n\nAnd tell.\n", &opened["hash"]);
    assert!(saved.operation().is_some() && is_ok(&saved), "{saved:?}");
    assert!(text()["content"].as_str().expect("a text").contains("And tell."));
    assert_eq!(text()["tags"], json!(["ops"]));
    // Somebody else was faster.
    let late = edit("# Rollback\n\nTyped before.\n", &opened["hash"]);
    assert!(!is_ok(&late) && late.body.contains("changed while you were editing"), "{late:?}");
    assert!(text()["content"].as_str().expect("a text").contains("And tell."));
    // Secrets are refused, and nobody is told of an option.
    let now = site.data("opened", &place);
    let refused = edit(&format!("# Rollback\n\n{TOKEN}\n"), &now["hash"]);
    assert!(!is_ok(&refused) && !refused.body.contains("ghp_9xKq2LmV7"), "{refused:?}");
    assert!(!refused.body.contains("--allow-secret"), "{refused:?}");
    site.data("undo", &json!({ "op": saved.operation() }));
    assert!(text()["content"].as_str().expect("a text").contains("Take the one before."));
}

fn is_ok(answer: &Answer) -> bool {
    answer.status == 200 && answer.body.contains("\"ok\":true")
}

#[test]
fn a_new_document_takes_no_place_that_another_has() {
    let world = World::new();
    let a = ready::named(&world);
    a.co(&["knowledge", "write", "guides/rollback", "# Rollback\n\nTake the one before."]);
    let site = Site::entered(&a, &[]);
    let add = |topic: &str| {
        let fields = json!({ "topic": topic, "text": "# New\n\nA new text.\n" });
        site.call("add-document", &fields.to_string())
    };
    for topic in ["guides/on-call", "notes", "people/ada"] {
        let added = add(topic);
        assert!(is_ok(&added) && added.operation().is_some(), "{topic}: {added:?}");
    }
    for topic in ["guides/rollback", "guides/rollback.md", "/guides/rollback", "notes", "../x", ""]
    {
        let refused = add(topic);
        assert!(!is_ok(&refused) && refused.operation().is_none(), "{topic}: {refused:?}");
    }
    let kept = a.json(&["knowledge", "show", "guides/rollback"])["data"]["content"].clone();
    assert!(kept.as_str().expect("a text").contains("Take the one before."), "{kept}");
    // A type in the text puts a bare name into a folder, where another may be.
    a.co(&["knowledge", "write", "reference/tides", "# Tides\n\nTwice a day."]);
    let text = "---\ntype: reference\n---\n\n# Tides\n\nNever.\n";
    let fields = json!({ "topic": "tides", "text": text });
    let refused = site.call("add-document", &fields.to_string());
    assert!(!is_ok(&refused) && refused.operation().is_none(), "{refused:?}");
    assert!(a.read("knowledge/reference/tides.md").contains("Twice a day."));
}

#[test]
fn all_that_was_seen_is_accepted_in_one_operation() {
    let world = World::new();
    let a = ready::named(&world);
    waiting(&a, "Works with Rust\nDrinks tea\nLikes short answers\n");
    let site = Site::entered(&a, &[]);
    let ids: Vec<Value> = proposals(&site).iter().map(|one| one["id"].clone()).collect();
    assert_eq!(ids.len(), 3);
    // What came since was not seen, and what was answered stays so.
    waiting(&a, "Sleeps late\n");
    a.co(&["review", "reject", ids[1].as_str().expect("an id")]);
    let all = site.call("accept-all", &json!({ "ids": ids }).to_string());
    assert!(is_ok(&all) && all.operation().is_some(), "{all:?}");
    assert_eq!(a.facts().len(), 2, "{:?}", a.facts());
    let left: Vec<Value> = proposals(&site).iter().map(|one| one["text"].clone()).collect();
    assert_eq!(left, ["Sleeps late"]);
    site.data("undo", &json!({ "op": all.operation() }));
    assert!(a.facts().is_empty(), "{:?}", a.facts());
    let none = site.call("accept-all", &json!({ "ids": [] }).to_string());
    assert!(is_ok(&none) && none.operation().is_none(), "{none:?}");
}

#[test]
fn the_time_of_a_fact_is_said_and_taken_back() {
    let world = World::new();
    let a = ready::named(&world);
    let site = Site::entered(&a, &[]);
    let row = |text: &str| {
        let rows = facts(&site, &json!({ "which": "all" }));
        rows.into_iter().find(|row| row["summary"] == text).expect("the fact")
    };
    site.data("learn", &json!({ "text": "Uses npm", "tags": [] }));
    let times = json!({ "until": "2098-03-01", "check_after": "90d", "replaces": ["1"] });
    site.data("learn", &json!({ "text": "Uses pnpm", "tags": [], "times": times }));
    assert_eq!(row("Uses pnpm")["valid_until"], "2098-03-01");
    assert!(row("Uses pnpm")["stale_after"].is_string(), "{}", row("Uses pnpm"));
    assert_eq!(row("Uses npm")["standing"], "replaced");
    let edit = |times: Value| {
        let fact = row("Uses pnpm");
        site.envelope(
            "edit",
            &json!({
                "handle": handle(&fact), "scope": "identity", "text": "Uses pnpm", "tags": [],
                "based_on": fact["hash"], "times": times,
            }),
        )
    };
    // What is not said stays.
    assert_eq!(edit(json!({ "from": "2020-01-01" }))["ok"], true);
    assert_eq!(row("Uses pnpm")["valid_until"], "2098-03-01");
    assert_eq!(row("Uses pnpm")["valid_from"], "2020-01-01");
    assert_eq!(edit(json!({ "until": "none" }))["ok"], true);
    assert_eq!(row("Uses pnpm")["valid_until"], Value::Null);
    for wrong in ["the day after never", "2026-02-30", "1999-01-01", "soonish", "-3"] {
        assert_eq!(edit(json!({ "until": wrong }))["ok"], false, "{wrong}");
    }
    // What was replaced counts again once a person says so.
    let old = row("Uses npm");
    let said = site.data("confirm", &json!({ "handle": handle(&old), "scope": "identity" }));
    assert_eq!(said["memories"][0]["counts_again"], true, "{said}");
    assert_eq!(row("Uses npm")["standing"], Value::Null);
    site.data("undo", &json!({ "op": null }));
    assert_eq!(row("Uses npm")["standing"], "replaced");
}

#[test]
fn the_page_advises_no_option() {
    let world = World::new();
    let a = ready::named(&world);
    a.co(&["learn", "Likes tea"]);
    let site = Site::entered(&a, &[]);
    let fact = facts(&site, &json!({}))[0].clone();
    let edit = json!({
        "handle": handle(&fact), "scope": "identity", "text": TOKEN, "tags": [],
        "based_on": fact["hash"],
    });
    for (call, fields) in [
        ("learn", json!({ "text": TOKEN, "tags": [] })),
        ("learn", json!({ "text": "Likes tea", "tags": [TOKEN] })),
        ("edit", edit),
        ("add-document", json!({ "topic": "notes", "text": format!("# A\n\n{TOKEN}") })),
        ("add-document", json!({ "topic": "other", "text": format!("# {TOKEN}\n") })),
    ] {
        let refused = site.envelope(call, &fields);
        assert_eq!(refused["ok"], false, "{call}: {refused}");
        let hints = refused["error"]["hints"].to_string();
        assert!(!hints.contains("`--") && !hints.contains(" --"), "{call}: {hints}");
        if call != "learn" || fields["tags"] == json!([]) {
            assert!(hints.contains("co secret set"), "{call}: {hints}");
        }
    }
    // It would be over before it begins.
    let times = json!({ "from": "2020-01-01", "until": "1999-01-01" });
    let never =
        site.envelope("learn", &json!({ "text": "Likes rain", "tags": [], "times": times }));
    assert!(never["ok"] == false && !never.to_string().contains("`--"), "{never}");
    // On the command line there is one.
    assert!(a.fails(6, &["learn", TOKEN]).contains("--allow-secret"));
}

#[test]
fn read_only_refuses_the_other_changes_too() {
    let world = World::new();
    let a = ready::named(&world);
    a.co(&["learn", "Likes tea"]);
    let site = Site::entered(&a, &["--read-only"]);
    for (call, fields) in [
        ("confirm", json!({ "handle": "1", "scope": "identity" })),
        ("accept-all", json!({ "ids": [] })),
        ("add-document", json!({ "topic": "notes", "text": "# Notes\n" })),
        (
            "edit-document",
            json!({ "topic": "notes", "scope": "identity", "text": "x", "based_on": "x" }),
        ),
    ] {
        assert_eq!(site.call(call, &fields.to_string()).status, 403, "{call}");
    }
}
