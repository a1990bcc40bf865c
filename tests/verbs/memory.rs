//! Facts: saving, listing, finding, editing and forgetting them, with the exact words that they
//! print.

use crate::support::{World, ready::laptop};
use std::fs;

#[test]
fn saving_listing_and_recalling_word_for_word() {
    let world = World::new();
    let a = laptop(&world, "a");
    fs::remove_dir_all(a.identity().join("knowledge/memories")).expect("removed");
    assert_eq!(a.co(&["memory", "list"]), "No memories saved yet.\n");
    fs::create_dir_all(a.identity().join("knowledge/memories")).expect("a folder");
    assert_eq!(a.co(&["memory", "list"]), "No memories found.\n");
    let file = a.identity().join("knowledge/memories/001-user-prefers-async.md");
    let out = a.co(&["memory", "save", "User prefers async", "--tag", "python", "--tag", "style"]);
    assert_eq!(
        out,
        format!("✓ Saved memory 1: 001-user-prefers-async.md\nLocation: {}\n", file.display())
    );
    let date = &a.json(&["memory", "show", "1"])["data"]["created"].as_str().expect("a stamp")
        [..10]
        .to_owned();
    assert_eq!(
        a.co(&["memory", "list"]),
        format!("Total memories: 1\n\n**001** ({date}) [python, style]: User prefers async\n")
    );
    let found = format!(
        "Found 1 memories matching 'ASYNC':\n\n**Memory 1** (created {date})\nTags: python, \
         style\n│ User prefers async\n\n"
    );
    assert_eq!(a.co(&["recall", "ASYNC"]), found);
    let nothing = a.co(&["recall", "xyzzy"]);
    assert!(nothing.starts_with("No memories found matching 'xyzzy'\n"), "{nothing}");
    let text = fs::read_to_string(file).expect("there");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        (lines[0], lines[1], lines[3], lines[4]),
        ("---", "id: 1", "tags: [python, style]", "source: user-told")
    );
    assert!(lines[2].starts_with("created: 20") && lines[2].ends_with("+00:00"));
    assert!(text.ends_with("---\n\nUser prefers async\n"));
}

#[test]
fn long_first_lines_are_cut_and_ids_count_on() {
    let world = World::new();
    let a = laptop(&world, "a");
    a.co(&["learn", &"x".repeat(81)]);
    assert!(a.co(&["memory", "list"]).contains(&format!(": {}...\n", "x".repeat(77))));
    a.write(
        "knowledge/memories/930-mine.md",
        "---\nid: \"930\"\ncreated: 2026-01-01T00:00:00Z\n---\n\nBy hand.\n",
    );
    let saved = a.json(&["learn", "next"]);
    assert_eq!(saved["data"]["id"], 931);
    assert_eq!(saved["data"]["hash"].as_str().map(str::len), Some(71));
}

#[test]
fn a_known_text_is_touched_not_doubled() {
    let world = World::new();
    let a = laptop(&world, "a");
    a.co(&["learn", "Lives in Seattle", "--tag", "home"]);
    let again = a.json(&["learn", "  Lives in Seattle\n", "--tag", "city"]);
    assert_eq!(
        (again["data"]["known"].as_bool(), again["data"]["id"].as_u64()),
        (Some(true), Some(1))
    );
    let shown = a.json(&["memory", "show", "1"]);
    assert_eq!(shown["data"]["tags"], serde_json::json!(["home", "city"]));
    assert!(shown["data"]["updated"].is_string());
    assert_eq!(a.facts().len(), 1);
}

#[test]
fn text_comes_from_standard_input_and_nonsense_is_refused() {
    let world = World::new();
    let a = laptop(&world, "a");
    let mut command = assert_cmd::Command::from_std(a.command(&["memory", "save", "-"]));
    command.write_stdin("line one\r\nline two\r\n").assert().success();
    assert_eq!(a.json(&["memory", "show", "1"])["data"]["content"], "line one\nline two");
    let mut command = assert_cmd::Command::from_std(a.command(&["memory", "save", "-"]));
    command.write_stdin(vec![0xff, 0xfe]).assert().code(2);
    a.fails(2, &["learn", "  "]);
    assert_eq!(a.facts().len(), 1);
}

#[test]
fn forgetting_takes_a_handle_or_words_and_never_guesses() {
    let world = World::new();
    let a = laptop(&world, "a");
    for text in ["Prefers tabs over spaces", "Prefers tabs in Makefiles", "Lives in Seattle"] {
        a.co(&["learn", text]);
    }
    let said = a.fails(3, &["forget", "tabs"]);
    assert!(
        said.contains("matches several facts") && said.contains("Prefers tabs in Makefiles"),
        "{said}"
    );
    assert_eq!(a.facts().len(), 3);
    a.fails(5, &["forget", "zebra"]);
    a.fails(5, &["forget", "99"]);
    assert_eq!(a.co(&["forget", "3"]), "✓ Forgot fact 3: Lives in Seattle\n");
    let said = a.fails(3, &["forget", "Makefiles"]);
    assert!(
        said.contains("Forget \"Prefers tabs in Makefiles\"? There is no terminal to ask on"),
        "{said}"
    );
    a.fails(5, &["forget", "akefil", "--yes"]);
    assert_eq!(
        a.co(&["forget", "Makefiles", "--yes"]),
        "✓ Forgot fact 2: Prefers tabs in Makefiles\n"
    );
    assert_eq!(
        a.read("knowledge/forgotten.md").lines().filter(|line| line.starts_with("- ")).count(),
        2
    );
    assert!(!a.read("knowledge/forgotten.md").contains("Seattle"));
    let again = a.json(&["learn", "Lives in Seattle"]);
    assert_eq!(again["data"]["known"], false);
    assert_eq!(a.facts(), ["Lives in Seattle", "Prefers tabs over spaces"]);
}

#[test]
fn editing_keeps_the_memory_and_every_other_key() {
    let world = World::new();
    let a = laptop(&world, "a");
    a.write(
        "knowledge/memories/007-x.md",
        "---\n# mine\nid: 7 # lucky\nmood: {a: 1}\ncreated: \
        2026-01-01T00:00:00Z\ntags: [a]\n---\n\nOld text.\n",
    );
    assert!(a.co(&["memory", "edit", "7", "New", "text."]).contains("Edited fact 7: New text."));
    let text = a.read("knowledge/memories/007-x.md");
    assert!(
        text.starts_with(
            "---\n# mine\nid: 7 # lucky\nmood: {a: 1}\ncreated: \
        2026-01-01T00:00:00Z\ntags: [a]\nchecksum: sha256:"
        ),
        "{text}"
    );
    assert!(text.ends_with("---\n\nNew text.\n"));
    a.co(&["learn", "Another"]);
    let said = a.fails(6, &["memory", "edit", "8", "New text."]);
    assert!(said.contains("fact 7 already says this"), "{said}");
    assert!(a.co(&["memory", "edit", "7", "New text."]).contains("unchanged"));
}

#[test]
fn both_scopes_are_read_and_the_project_is_written_inside_one() {
    let world = World::new();
    let a = laptop(&world, "a");
    a.co(&["learn", "Personal fact about coffee"]);
    let project = a.home.join("work/app");
    fs::create_dir_all(project.join(".co-cli")).expect("a project");
    fs::create_dir_all(project.join("src/deep")).expect("a folder");
    let at = project.join("src/deep").display().to_string();
    let said = a.try_co(&["-C", &at, "learn", "Project fact about coffee"]);
    assert!(said.err.contains("first fact in this project"), "{}", said.err);
    assert!(project.join(".co-cli/knowledge/memories/001-project-fact-about-coffee.md").exists());
    let said = a.try_co(&["-C", &at, "learn", "Second project fact"]);
    assert_eq!(said.err, "");
    a.co(&["-C", &at, "learn", "Personal again", "--scope", "identity"]);
    let found = a.json(&["-C", &at, "recall", "coffee"]);
    assert_eq!(found["data"]["count"], 2);
    // What `list` shows names one fact: a `p` means the project.
    let listed = a.co(&["-C", &at, "list"]);
    assert!(listed.contains("**001**") && listed.contains("**p001**"), "{listed}");
    assert!(a.co(&["-C", &at, "show", "1"]).contains("Personal fact about coffee"));
    assert!(!a.co(&["-C", &at, "show", "p1"]).contains("Personal fact about coffee"));
    a.co(&["-C", &at, "forget", "p1"]);
    assert_eq!(a.facts(), ["Personal again", "Personal fact about coffee"]);
    a.fails(4, &["learn", "x", "--scope", "project"]);
}

#[test]
fn undo_takes_back_and_redoes() {
    let world = World::new();
    let a = laptop(&world, "a");
    a.co(&["learn", "First"]);
    let before = a.tree();
    a.co(&["learn", "Second"]);
    a.co(&["identity", "undo"]);
    assert_eq!(a.tree(), before);
    a.co(&["forget", "--yes", "First"]);
    a.co(&["identity", "undo"]);
    assert_eq!(a.tree(), before, "byte for byte, the ledger too");
    a.co(&["memory", "edit", "1", "Changed"]);
    let log = a.json(&["identity", "log"]);
    let edit = log["data"]["operations"][0]["op"].as_u64().expect("a number").to_string();
    a.co(&["identity", "undo", &format!("o{edit}")]);
    assert_eq!(a.tree(), before);
    let undo = a.json(&["identity", "log"])["data"]["operations"][0]["op"]
        .as_u64()
        .expect("a number")
        .to_string();
    a.co(&["identity", "undo", &format!("o{undo}")]);
    assert_eq!(a.facts(), ["Changed"]);
}

#[test]
fn saving_works_where_the_cache_cannot_be_written() {
    let world = World::new();
    let a = laptop(&world, "a");
    fs::remove_dir_all(a.config().join("local")).ok();
    fs::write(a.config().join("local"), "a file where the folder should be").expect("written");
    a.co(&["learn", "Still saved"]);
    a.co(&["learn", "And again"]);
    assert_eq!(a.facts(), ["And again", "Still saved"]);
}

#[test]
fn two_processes_at_once_lose_nothing() {
    let world = World::new();
    let a = laptop(&world, "a");
    let mut children: Vec<_> = (0..24)
        .map(|n| {
            a.command(&["learn", &format!("Fact number {n}")])
                .stdout(std::process::Stdio::null())
                .spawn()
                .expect("co runs")
        })
        .collect();
    for child in &mut children {
        assert!(child.wait().expect("ends").success());
    }
    assert_eq!(a.facts().len(), 24);
    a.co(&["identity", "sync"]);
    let list = a.json(&["memory", "list"]);
    let ids: std::collections::BTreeSet<u64> = list["data"]["memories"]
        .as_array()
        .expect("rows")
        .iter()
        .filter_map(|row| row["id"].as_u64())
        .collect();
    assert_eq!(ids.len(), 24, "ids are unique after a sync");
}
