//! `co memory`: facts by their long commands, with the exact words that they print, and both
//! scopes.

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
