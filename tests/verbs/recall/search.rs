//! `co recall` and what answers with it: questions as people ask them, over facts and documents, on
//! the command line, in a context and through MCP.

use crate::support::{Laptop, World, client::Client};
use serde_json::{Value, json};
use std::{
    fs, thread,
    time::{Duration, Instant},
};

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
    fs::write(a.config().join("settings.json"), off).expect("written");
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
    let lines: Vec<Value> =
        said.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!((&lines[0]["qid"], &lines[0]["ids"]), (&"x".into(), &serde_json::json!([2])));
    assert_eq!((&lines[1]["qid"], &lines[1]["ids"]), (&2.into(), &serde_json::json!([])));
    let wrong = a.piped("no json\n", &["recall", "--batch"]);
    assert_eq!(wrong.code, 2, "{}", wrong.err);
}

#[test]
fn a_fact_that_says_the_same_in_other_words_is_pointed_out() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    for (at, [here, new]) in [
        ["my favourite colour", "my favorite color"],
        ["physicians", "doctors"],
        ["I am who I am", "I am who I was"],
    ]
    .into_iter()
    .enumerate()
    {
        a.co(&["learn", here]);
        let said = a.co(&["learn", new]);
        assert!(said.contains(&format!("similar to {} \"{here}\"", 2 * at + 1)), "{said}");
    }
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
    let at = |moment: &str| a.with_env("CO_TEST_CLOCK", moment);
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

#[test]
fn a_question_for_a_time_is_answered_with_all_of_that_time_and_nothing_else() {
    let world = World::new();
    let a = world.laptop("a");
    let at = |moment: &str| a.with_env("CO_TEST_CLOCK", moment);
    at("2026-03-10T09:00:00Z").co(&["init", "--yes", "--timezone", "UTC"]);
    for (moment, fact) in [
        ("2026-03-10T09:00:00Z", "Mateo loves trains"),
        ("2026-03-22T09:00:00Z", "The neighbour waters the plants"),
        ("2026-11-26T09:00:00Z", "Bought a blue bicycle"),
        ("2026-11-27T09:00:00Z", "I am learning Norwegian with Ingrid"),
        ("2026-11-27T09:01:00Z", "I moved from Munich to Lisbon in March 2024"),
        ("2026-11-27T09:02:00Z", "The retro is every second Wednesday"),
        ("2026-11-27T09:03:00Z", "Reads mostly science fiction"),
    ] {
        at(moment).co(&["learn", fact]);
    }
    let found = |question: &str| -> Vec<String> {
        let said = at("2026-11-27T10:00:00Z").json(&["recall", question]);
        let results = said["data"]["results"].as_array().expect("results").clone();
        results.iter().map(|one| one["content"].as_str().expect("a fact").to_owned()).collect()
    };
    for question in ["yesterday", "what did I learn yesterday", "26.11.2026", "on 2026/11/26"] {
        assert_eq!(found(question), ["Bought a blue bicycle"], "{question}");
    }
    for nothing in ["two days ago", "what did I learn two days ago", "25.11.2026"] {
        assert_eq!(found(nothing), Vec::<String>::new(), "{nothing}");
    }
    let of_march = ["Mateo loves trains", "The neighbour waters the plants"];
    let mut saved = found("what did I save in March");
    saved.truncate(2);
    saved.sort();
    assert_eq!(saved, of_march);
    // What says the time word for word is about it, whenever it was learned.
    let mut said = found("in march");
    assert_eq!(said.remove(0), "I moved from Munich to Lisbon in March 2024");
    said.sort();
    assert_eq!(said, of_march);
}

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

fn everyday_laptop(world: &World) -> Laptop {
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
    let a = everyday_laptop(&world);
    let mut client = Client::start(&a, &a.home, &[]);
    client.initialize(json!({}));
    for (question, fact) in ASKED {
        // Cold: nothing but the files and what saving left.
        let _ = fs::remove_dir_all(a.config().join("local"));
        assert_eq!(first(&a.json(&["recall", question])), fact, "{question}");
        let said = client.call_ok("recall_memory", json!({ "query": question }));
        let memory = said.split("**Memory ").nth(1).expect("a fact");
        assert!(memory.contains(fact), "{question}: {said}");
        let said = a.co(&["context", "--query", question]);
        let memory = said.split("<memory ").nth(1).expect("a fact");
        assert!(memory.contains(fact), "{question}: {said}");
        let said = client.call_ok("get_context", json!({ "query": question }));
        assert!(said.split("<memory ").nth(1).expect("a fact").contains(fact), "{said}");
    }
    let nothing = a.json(&["recall", "quarterly zoning bylaws of the county"]);
    assert_eq!(nothing["data"]["count"], 0, "{nothing}");
    assert!(!nothing["data"]["nearest"].as_array().expect("facts").is_empty(), "{nothing}");
    let explained = a.co(&["recall", "--explain", "who is my boss"]);
    assert!(explained.contains("word weight 0.10"), "{explained}");
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
    let a = everyday_laptop(&world);
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
    client.initialize(json!({}));
    for (question, passage) in DEEP {
        let found = a.json(&["recall", question, "--kind", "document"]);
        assert!(first(&found).contains(passage), "{question}: {}", first(&found));
        let heading = found["data"]["results"][0]["heading"].to_string();
        assert!(heading.contains("Operations manual"), "{heading}");
        for said in [
            a.co(&["context", "--query", question]),
            client.call_ok("get_context", json!({ "query": question })),
            client.call_ok("knowledge_search", json!({ "query": question })),
        ] {
            assert!(said.contains(passage), "{question}: {} bytes", said.len());
            assert!(said.len() < 40_000, "{}", said.len());
        }
    }
}

#[test]
fn a_server_makes_vectors_while_nobody_asks() {
    let world = World::new();
    let a = everyday_laptop(&world);
    for number in 100..200 {
        let front = format!("---\nid: {number}\ncreated: 2026-01-01T00:00:00Z\n---\n");
        let path = format!("knowledge/memories/{number}-fact.md");
        a.write(&path, &format!("{front}\nOwns a book about topic {number}\n"));
    }
    let trusts = || a.json(&["recall", "who is my boss"])["data"]["trust"].clone();
    assert_eq!(trusts(), Value::Null, "too many at once for a question");
    let mut client = Client::start(&a, &a.home, &[]);
    client.initialize(json!({}));
    client.call_ok("recall_memory", json!({ "query": "cats" }));
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
    let a = everyday_laptop(&world);
    let found = a.json(&["recall", "cats -pixel"]);
    assert!(!found.to_string().contains("Pixel"), "{found}");
    let said = a.try_co(&["recall", "\"cats and dogs\""]);
    assert!(said.err.contains("no exact match for the quoted phrase"), "{}{}", said.out, said.err);
    assert!(said.out.contains("Pixel"), "{}", said.out);
    assert_eq!(a.try_co(&["recall", "\"two cats\""]).err, "");
}

#[test]
fn a_word_to_leave_out_is_no_option() {
    let world = World::new();
    let a = everyday_laptop(&world);
    let whole = a.json(&["recall", "cats -pixel"]);
    for words in [
        &["recall", "cats", "-pixel"][..],
        &["ask", "cats", "-pixel", "-n", "5"],
        &["recall", "-n5", "cats", "-pixel"],
    ] {
        let said = a.json(words);
        assert_eq!(said["data"]["query"], whole["data"]["query"], "{words:?}");
        assert_eq!(said["data"]["results"], whole["data"]["results"], "{words:?}");
    }
    for word in ["-testing", "-nested", "-hiking", "-Version", "-sessions"] {
        for verb in [&["recall"][..], &["knowledge", "search"]] {
            let query = a.json(&[verb, &["cats", word]].concat())["data"]["query"].clone();
            assert_eq!(query, format!("cats {word}"), "{verb:?}");
        }
    }
}

#[test]
fn a_blank_question_is_an_error() {
    let world = World::new();
    let a = everyday_laptop(&world);
    for verb in [&["recall"][..], &["knowledge", "search"]] {
        for question in ["", "  "] {
            let said = a.fails(2, &[verb, &["--", question]].concat());
            assert!(said.contains("nothing is asked for\n"), "{verb:?} {question:?}: {said}");
        }
        let asked = "{\"qid\":1,\"query\":\" \"}\n{\"qid\":2,\"query\":\"zzzz\"}\n";
        let said = a.piped(asked, &[verb, &["--batch"]].concat());
        assert_eq!((said.code, said.out.lines().count()), (0, 2), "{}{}", said.out, said.err);
        let first = said.out.lines().next().unwrap_or_default();
        assert!(first.contains("\"error\":\"nothing is asked for\""), "{first}");
    }
    a.co(&["recall", "cats", "--kind", "fact"]);
}

#[test]
fn a_batch_finds_what_others_write_while_it_goes_on() {
    use std::io::{BufRead, BufReader, Write};
    let world = World::new();
    let a = laptop(&world);
    let mut command = a.command(&["recall", "--batch"]);
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut batch = command.spawn().expect("co starts");
    let mut asks = batch.stdin.take().expect("a pipe");
    let mut answers = BufReader::new(batch.stdout.take().expect("a pipe")).lines();
    let mut asked = |qid: u32| {
        writeln!(asks, "{{\"qid\":{qid},\"query\":\"zebras\"}}").expect("asked");
        asks.flush().expect("asked");
        let line = answers.next().expect("an answer").expect("a line");
        serde_json::from_str::<Value>(&line).expect("JSON")["ids"].clone()
    };
    assert_eq!(asked(1), serde_json::json!([]));
    let text = "---\nid: 77\ncreated: 2026-01-01T00:00:00+00:00\n---\n\nKeeps zebras at home\n";
    a.write("knowledge/memories/077-zebras.md", text);
    assert_eq!(asked(2), serde_json::json!([77]));
    drop(asks);
    assert!(batch.wait().expect("it ends").success());
}

#[test]
fn an_exclusion_of_several_words_leaves_out_what_has_all_of_them() {
    const SERVERS: &[&str] = &[
        "The staging server is at 10.0.0.5",
        "The production server is at 10.0.0.9",
        "The server for staging is old",
    ];
    let world = World::new();
    let a = laptop(&world);
    for fact in SERVERS {
        a.co(&["learn", fact]);
    }
    for (question, left) in [
        ("server -10.0.0.9", vec![0, 2]),
        ("server -\"staging server\"", vec![1, 2]),
        ("server -\"server staging\"", vec![0, 1, 2]),
        ("server -staging", vec![1]),
        ("server -staging -10.0.0.9", vec![]),
    ] {
        let found = a.json(&["recall", question])["data"]["results"].to_string();
        for (at, fact) in SERVERS.iter().enumerate() {
            assert_eq!(found.contains(fact), left.contains(&at), "{question}: {found}");
        }
    }
}
