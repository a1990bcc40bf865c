//! Questions in everyday words, over facts and documents, at every door.

use crate::support::{Laptop, World, client::Client};
use serde_json::{Value, json};
use std::{
    fs, thread,
    time::{Duration, Instant},
};

/// What was learned one after the other, and what is asked in other words.
const ASKED: [(&str, &str); 5] = [
    ("who is my boss", "My manager is Katrin"),
    ("where do I work", "Office is at Spear Street 12"),
    ("when do we meet in the morning", "Standup is at 9:30"),
    ("what vehicle do I drive", "Drives a blue Skoda Octavia"),
    ("food I cannot eat", "Allergic to peanuts and shellfish"),
];
const OTHERS: [&str; 7] = [
    "Prefers pytest over unittest",
    "Uses neovim on every laptop",
    "Has two cats, Pixel and Byte",
    "Deploys with fly.io",
    "Plays the cello on Thursdays",
    "Reads science fiction",
    "Answers should be short",
];

fn laptop(world: &World) -> Laptop {
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let facts = ASKED.iter().map(|(_, fact)| *fact);
    for fact in facts.chain(OTHERS) {
        a.co(&["learn", fact]);
    }
    a
}

fn first(found: &Value) -> &str {
    found["data"]["results"][0]["content"].as_str().unwrap_or_default()
}

#[test]
fn other_words_find_the_fact_at_every_door() {
    let world = World::new();
    let a = laptop(&world);
    let mut client = Client::start(&a, &a.home, &[]);
    client.hello(json!({}));
    for (question, fact) in ASKED {
        // Cold: nothing but the files and what saving left.
        let _ = fs::remove_dir_all(a.config().join("local"));
        assert_eq!(first(&a.json(&["recall", question])), fact, "{question}");
        let said = client.done("recall_memory", json!({ "query": question }));
        let memory = said.split("**Memory ").nth(1).expect("a fact");
        assert!(memory.contains(fact), "{question}: {said}");
        let said = a.co(&["context", "--query", question]);
        let memory = said.split("<memory ").nth(1).expect("a fact");
        assert!(memory.contains(fact), "{question}: {said}");
        let said = client.done("get_context", json!({ "query": question }));
        assert!(said.split("<memory ").nth(1).expect("a fact").contains(fact), "{said}");
    }
    let nothing = a.json(&["recall", "quarterly zoning bylaws of the county"]);
    assert_eq!(nothing["data"]["count"], 0, "{nothing}");
    assert!(!nothing["data"]["nearest"].as_array().expect("facts").is_empty(), "{nothing}");
    let explained = a.co(&["recall", "--explain", "who is my boss"]);
    assert!(explained.contains("word weight 0.08"), "{explained}");
}

/// A manual of about 20,000 tokens, in which few paragraphs say anything.
fn manual() -> String {
    let filler =
        "This chapter lists settings that nobody changes and repeats what the others say. ";
    let chapter = |n: usize| {
        let said = match n {
            31 => "To roll back a release, hold the red button on panel seven for ten seconds.",
            52 => "The spare keys of the server room are kept by the porter in building C.",
            75 => "Invoices above five thousand euros need a second signature.",
            _ => "Nothing happens here.",
        };
        format!("## Chapter {n}\n\n{}\n\n### Notes\n\n{said}\n\n", filler.repeat(11))
    };
    format!("# Operations manual\n\n{}", (0..90).map(chapter).collect::<String>())
}

const DEEP: [(&str, &str); 3] = [
    ("how do I undo a deployment", "hold the red button on panel seven"),
    ("who has the key to the machine room", "kept by the porter in building C"),
    ("when must two people sign a bill", "need a second signature"),
];

#[test]
fn one_question_is_answered_by_facts_and_by_passages_deep_in_documents() {
    let world = World::new();
    let a = laptop(&world);
    let text = manual();
    assert!(text.len() > 4 * 20_000, "{}", text.len());
    a.write("knowledge/reference/manual.md", &format!("---\ntitle: Manual\n---\n\n{text}"));
    a.write("knowledge/people/katrin.md", "# Katrin\n\nKatrin leads the platform team.\n");
    assert!(a.co(&["knowledge", "reindex"]).contains("vectors computed"));
    let found = a.json(&["recall", "who is Katrin"]);
    let kinds: Vec<&str> = found["data"]["results"]
        .as_array()
        .expect("answers")
        .iter()
        .filter(|one| one["content"].as_str().expect("a text").contains("Katrin"))
        .map(|one| one["kind"].as_str().expect("a kind"))
        .collect();
    assert!(kinds.contains(&"memory") && kinds.contains(&"document"), "{found}");
    for (kind, other) in [("memory", "document"), ("document", "memory")] {
        let found = a.json(&["recall", "who is Katrin", "--kind", kind]);
        let results = found["data"]["results"].as_array().expect("answers");
        assert!(!results.is_empty() && results.iter().all(|one| one["kind"] != other), "{found}");
    }
    let mut client = Client::start(&a, &a.home, &["--tools", "all"]);
    client.hello(json!({}));
    for (question, passage) in DEEP {
        let found = a.json(&["recall", question, "--kind", "document"]);
        assert!(first(&found).contains(passage), "{question}: {}", first(&found));
        let heading = found["data"]["results"][0]["heading"].to_string();
        assert!(heading.contains("Operations manual"), "{heading}");
        for said in [
            a.co(&["context", "--query", question]),
            client.done("get_context", json!({ "query": question })),
            client.done("knowledge_search", json!({ "query": question })),
        ] {
            assert!(said.contains(passage), "{question}: {} bytes", said.len());
            assert!(said.len() < 40_000, "{}", said.len());
        }
    }
}

#[test]
fn a_server_makes_vectors_while_nobody_asks() {
    let world = World::new();
    let a = laptop(&world);
    for number in 100..200 {
        let front = format!("---\nid: {number}\ncreated: 2026-01-01T00:00:00Z\n---\n");
        let path = format!("knowledge/memories/{number}-fact.md");
        a.write(&path, &format!("{front}\nOwns a book about topic {number}\n"));
    }
    let trusts = || a.json(&["recall", "who is my boss"])["data"]["trust"].clone();
    assert_eq!(trusts(), Value::Null, "too many at once for a question");
    let mut client = Client::start(&a, &a.home, &[]);
    client.hello(json!({}));
    client.done("recall_memory", json!({ "query": "cats" }));
    let patience = Instant::now() + Duration::from_secs(60);
    while trusts() == Value::Null {
        assert!(Instant::now() < patience, "the server made no vectors");
        thread::sleep(Duration::from_millis(200));
    }
    assert_eq!(first(&a.json(&["recall", "who is my boss"])), "My manager is Katrin");
}

#[test]
fn exclusions_and_quotes_do_what_they_say() {
    let world = World::new();
    let a = laptop(&world);
    let found = a.json(&["recall", "cats -pixel"]);
    assert!(!found.to_string().contains("Pixel"), "{found}");
    let said = a.try_co(&["recall", "\"cats and dogs\""]);
    assert!(said.err.contains("no exact match for the quoted phrase"), "{}{}", said.out, said.err);
    assert!(said.out.contains("Pixel"), "{}", said.out);
    assert_eq!(a.try_co(&["recall", "\"two cats\""]).err, "");
}
