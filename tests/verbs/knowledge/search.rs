//! `co knowledge search`: a person's documents, and those about co, by their words and labels.

use crate::support::{Laptop, World, documents::topics, ready::laptop};
use std::fs;

#[test]
fn what_co_says_of_itself_does_not_push_out_a_persons_document() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["knowledge", "write", "people/sarah", "# Sarah\n\nTech lead, PostgreSQL expert"]);
    a.co(&["knowledge", "write", "deploy-steps", "Push, then watch the dashboard."]);
    let said = a.co(&["context", "--query", "who knows PostgreSQL?"]);
    assert!(said.contains("path=\"knowledge/people/sarah\""), "{said}");
    assert!(!said.contains("deploy-steps\" relevance"), "{said}");
    let asked = ["context", "--query", "who knows PostgreSQL?", "--min-relevance", "0.99"];
    let said = a.co(&[&asked[..], &["--explain"]].concat());
    assert!(said.contains("knowledge/people/sarah  not relevant enough"), "{said}");
}

#[test]
fn a_search_gives_at_most_five_and_no_query_is_an_error() {
    let world = World::new();
    let a = laptop(&world, "a");
    for number in 0..8 {
        a.co(&[
            "knowledge",
            "write",
            &format!("note-{number}"),
            &format!("All about oolong {number}"),
        ]);
    }
    assert_eq!(topics(&a.json(&["knowledge", "search", "oolong"])).len(), 5);
    assert_eq!(topics(&a.json(&["knowledge", "search", "oolong", "-n", "2"])).len(), 2);
    for query in
        ["claude-models", "\"", "\"a b", "AND", "*", ":", "NEAR(a b)", "a OR", "-", "'; drop", "🦀"]
    {
        let said = a.try_co(&["knowledge", "search", "--", query]);
        assert_eq!(said.code, 0, "{query}: {}", said.err);
    }
    let nothing = a.co(&["knowledge", "search", "zyxwv"]);
    assert!(nothing.starts_with("No knowledge entries found matching 'zyxwv'\n"), "{nothing}");
    assert_eq!(topics(&a.json(&["knowledge", "search", "\"oolong 3\""]))[0], "note-3");
    assert!(
        !topics(&a.json(&["knowledge", "search", "oolong -3", "-n", "9"]))
            .contains(&"note-3".into())
    );
}

#[test]
fn documents_of_co_are_found_and_read_only() {
    let world = World::new();
    let a = laptop(&world, "a");
    let found = a.json(&["knowledge", "search", "how do laptops merge without conflicts?"]);
    assert!(topics(&found)[0].starts_with("docs/co/"), "{found}");
    assert!(a.co(&["knowledge", "show", "docs/co/merging"]).contains("without conflicts"));
    assert!(a.co(&["knowledge", "list", "--namespace", "docs"]).contains("docs/co/recall"));
    // They are called by their names, not by any word that they have somewhere.
    a.co(&["knowledge", "write", "box", "About docker", "--tags", "docker"]);
    assert_eq!(topics(&a.json(&["knowledge", "search", "docker"])), ["box"]);
    assert!(topics(&a.json(&["knowledge", "search", "two"])).is_empty());
    assert!(!a.co(&["knowledge", "list"]).contains("docs/"));
    let said = a.fails(6, &["knowledge", "write", "docs/co/merging", "x"]);
    assert!(said.contains("read-only"), "{said}");
    a.fails(6, &["knowledge", "delete", "docs/co/merging"]);
    a.fails(5, &["knowledge", "show", "docs/co/nothing"]);
}

const INDEX: &str = "index";

const FILES: &str = "files";

const QUESTIONS: [&str; 9] = [
    "oolong",
    "who knows postgresql?",
    "\"best paragraph\"",
    "tea -sencha",
    "what was decided in march 2025",
    "deploy",
    "xylophone",
    "reference note-7",
    "warm drinks",
];

/// The answers to all questions, by the index or by the files.
fn answers(a: &Laptop, by: &str) -> String {
    let settings = format!("{{\"recall\": {{\"catalog\": {}}}}}", by == INDEX);
    fs::write(a.config().join("settings.json"), settings).expect("written");
    let asked: String = QUESTIONS
        .iter()
        .map(|query| format!("{}\n", serde_json::json!({ "query": query })))
        .collect();
    let said = a.piped(&asked, &["knowledge", "search", "--batch", "-n", "6"]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert_eq!(said.out.lines().count(), QUESTIONS.len());
    let tagged =
        a.co(&["knowledge", "search", "oolong", "--json", "--tag", "t1", "--in", "reference"]);
    format!("{}{tagged}", said.out)
}

#[test]
fn the_index_of_documents_answers_as_the_files_do() {
    let world = World::new();
    let a = laptop(&world, "a");
    for n in 0..24 {
        let folder = ["people", "decisions", "reference", "meetings"][n % 4];
        let text = format!(
            "---\ntags: [t{}]\ncreated: 2025-0{}-10T00:00:00Z\n---\n\n# Note {n}\n\nAbout {} and tea.\n\nThe best paragraph \
             of {n} says oolong{}.\n\nLast words.\n",
            n % 3,
            n % 9 + 1,
            ["PostgreSQL", "sencha", "deployment", "choices"][n % 4],
            " again".repeat(n % 5)
        );
        a.write(&format!("knowledge/{folder}/note-{n}.md"), &text);
    }
    a.write(
        "profile/preferences.md",
        "---\nversion: 1\nupdated: 2025-01-01T00:00:00Z\n---\n\nPrefers oolong\n",
    );
    let _ = fs::remove_file(a.index());
    let by_files = answers(&a, FILES);
    assert!(!a.index().exists() && !by_files.contains("\"topic\":\"profile/"));
    assert_eq!(answers(&a, INDEX), by_files, "while it is made");
    assert!(a.index().exists());
    assert_eq!(answers(&a, INDEX), by_files);
    // Written, changed in place, moved, deleted: seen at once.
    a.co(&["knowledge", "write", "reference/new", "oolong oolong, brand new"]);
    a.edit("knowledge/people/note-4.md", "oolong", "xylophone");
    a.co(&["knowledge", "move", "decisions/note-5", "insights/note-5"]);
    fs::remove_file(a.identity().join("knowledge/meetings/note-7.md")).expect("removed");
    let changed = answers(&a, INDEX);
    assert!(changed != by_files && changed.contains("insights/note-5"), "{changed}");
    assert_eq!(changed, answers(&a, FILES));
    // Damaged, foreign, missing: the same.
    for bytes in [&b""[..], b"not a database", b"SQLite format 3\0 and no more"] {
        fs::write(a.index(), bytes).expect("written");
        assert_eq!(answers(&a, INDEX), changed);
    }
    let mut bytes = fs::read(a.index()).expect("an index");
    for at in (0..bytes.len()).step_by(211) {
        bytes[at] ^= 0x41;
    }
    fs::write(a.index(), bytes).expect("written");
    assert_eq!(answers(&a, INDEX), changed);
    fs::remove_file(a.index()).expect("removed");
    assert_eq!(answers(&a, INDEX), changed);
    fs::remove_file(a.index()).expect("removed");
    let said = a.co(&["knowledge", "reindex"]);
    assert!(said.contains("0 facts, 25 documents; index rebuilt in"), "{said}");
    assert!(a.co(&["knowledge", "reindex"]).contains("0 facts, 25 documents, up to date"));
    // The context and the hot index read it as well.
    let by_index = a.co(&["context", "--query", "oolong"]);
    answers(&a, FILES);
    assert_eq!(a.co(&["context", "--query", "oolong"]), by_index);
}

#[test]
fn documents_of_co_are_found_by_any_of_their_words_where_they_are_asked_for() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["knowledge", "write", "gardening", "# Gardening\n\nUndo the knots of the beans."]);
    for word in ["undo", "keyring", "conflict", "sync", "hook", "offline"] {
        for named in [["--namespace", "docs"], ["--in", "docs"], ["--source", "co"]] {
            let report = a.json(&[&["knowledge", "search", word][..], &named].concat());
            let results = report["data"]["results"].as_array().expect("results").clone();
            assert!(!results.is_empty(), "{word} {named:?}: {report}");
            for one in &results {
                let topic = one["topic"].as_str().expect("a topic");
                assert!(topic.starts_with("docs/co/"), "{word} {named:?}: {topic}");
            }
            let first = results[0]["content"].as_str().expect("text").to_lowercase();
            assert!(first.contains(word), "{word} {named:?}: {first}");
        }
    }
    // Unasked, they are not shown beside what a person wrote.
    let all = a.json(&["knowledge", "search", "undo"]).to_string();
    assert!(all.contains("gardening") && !all.contains("docs/co/"), "{all}");
}

#[test]
fn a_label_finds_whom_the_path_is_about_whoever_wrote_the_file() {
    let world = World::new();
    let a = laptop(&world, "a");
    for (path, text) in [
        ("people/sarah", "# Sarah\n\nTech lead.\n"),
        ("people/Mike", "---\ntags: [product]\n---\n\nA person.\n"),
        ("people/dr-martinez", "---\nentities: [advice]\n---\n\nAdvisor.\n"),
        ("projects/carmenta", "The project.\n"),
        ("projects/side-project/overview", "Overview.\n"),
    ] {
        a.write(&format!("knowledge/{path}.md"), text);
        let name = path.split('/').nth(1).expect("a name").to_lowercase();
        let tagged = format!("---\ntags: [{name}]\n---\n\nA plan.\n");
        a.write(&format!("knowledge/plans/for-{name}.md"), &tagged);
        for _ in ["by the files", "by the index"] {
            let mut listed = topics(&a.json(&["knowledge", "list", "-t", &name]));
            listed.sort_by_key(|topic| topic.starts_with("plans/"));
            assert_eq!(listed, [path.to_owned(), format!("plans/for-{name}")], "{name}");
            let found = a.json(&["knowledge", "search", "anything", "-t", &name]);
            assert_eq!(found["data"]["searched"], 2, "{found}");
            a.co(&["knowledge", "reindex"]);
        }
    }
    assert_eq!(topics(&a.json(&["knowledge", "list", "-t", "people"])), Vec::<String>::new());
}
