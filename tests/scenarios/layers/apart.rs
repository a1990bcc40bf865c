//! Work and private life apart: where another identity stands in for the person's own, no command,
//! agent or shell tells anything of theirs, and nothing said there reaches it. One list of
//! commands, each run there; marks in every kind of file: `marked`; whose place a folder is:
//! `places`.

use crate::support::{Laptop, World, client::Client, ready};
use serde_json::json;
use std::fs;

pub(super) const MARK: &str = "zinnober";

/// A laptop whose own identity has marked texts everywhere, and one for work in `~/work`.
pub(super) fn apart(world: &World) -> Laptop {
    let a = ready::laptop(world, "a");
    fs::create_dir_all(a.home.join("work/app/src")).expect("a folder");
    for number in 0..20 {
        a.co(&["learn", &format!("{MARK} fact {number} about the family"), "--tag", "zinnobertag"]);
    }
    a.co(&["profile", "set", "Zinnoberkey", "zinnober value"]);
    a.co(&["knowledge", "write", "people/zinnober", "# Zinnober\n\nzinnober document"]);
    a.write(
        "traits/zinnober.md",
        "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n- zinnober trait\n",
    );
    a.write(
        "knowledge/context.md",
        "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\nzinnober context\n",
    );
    fs::write(a.config().join("system.md"), "zinnober system\n").expect("written");
    a.co(&["layer", "add", "work", "--for", "~/work", "--instead"]);
    a
}

pub(super) fn there(a: &Laptop) -> String {
    a.home.join("work/app/src").display().to_string()
}

/// Everything that a command says, whatever it comes to.
pub(super) fn said(a: &Laptop, folder: &str, words: &[&str]) -> String {
    let said = a.try_co(&[["-C", folder].as_slice(), words].concat());
    format!("{}{}", said.out, said.err).to_lowercase()
}

const COMMANDS: &[&[&str]] = &[
    &["list"],
    &["list", "--all", "--json"],
    &["list", "--layer", "all"],
    &["list", "--tag", "zinnobertag"],
    &["recall", "the family"],
    &["recall", "family fact", "--explain", "--json"],
    &["context"],
    &["context", "--explain"],
    &["context", "--format", "xml"],
    &["context", "--query", "the family"],
    &["knowledge", "list"],
    &["knowledge", "search", "document"],
    &["knowledge", "tree"],
    &["profile"],
    &["status"],
    &["status", "--json"],
    &[],
    &["log"],
    &["undo", "--dry-run"],
    &["check"],
    &["review"],
    &["doctor"],
    &["memory", "similar"],
    &["secret", "status"],
    &["show", "1"],
    &["show", "last"],
    &["forget", "family"],
    &["identity", "show"],
    &["identity", "path"],
    &["layer", "list"],
    &["diff"],
    &["sync"],
    &["-v", "list"],
];

#[test]
fn nothing_of_me_is_said_where_another_stands_in() {
    let world = World::new();
    let a = apart(&world);
    let place = there(&a);
    a.co(&["-C", &place, "learn", "The build uses bazel"]);
    for words in COMMANDS {
        let said = said(&a, &place, words);
        // What a person typed may come back.
        let typed = words.iter().any(|word| word.contains(MARK));
        assert!(typed || !said.contains(MARK), "{words:?}: {said}");
    }
    assert!(said(&a, &place, &["list"]).contains("bazel"));
}

#[test]
fn nothing_said_there_reaches_me() {
    let world = World::new();
    let a = apart(&world);
    let place = there(&a);
    let before = a.tree();
    a.co(&["-C", &place, "learn", "The build uses bazel"]);
    a.co(&["-C", &place, "knowledge", "write", "people/boss", "# Boss\n\nSigns everything."]);
    a.co(&["-C", &place, "profile", "set", "Role", "engineer"]);
    a.co(&["-C", &place, "edit", "1", "The build uses buck"]);
    a.co(&["-C", &place, "undo"]);
    a.co(&["-C", &place, "forget", "1"]);
    a.try_co(&["-C", &place, "sync"]);
    assert_eq!(a.tree(), before);
    let home = format!("{}{}", a.co(&["list"]), a.co(&["context"]));
    assert!(!home.contains("bazel") && !home.contains("Signs"), "{home}");
    assert!(home.contains(MARK), "{home}");
}

#[test]
fn me_cannot_be_named_there() {
    let world = World::new();
    let a = apart(&world);
    let place = there(&a);
    let own = a.identity().display().to_string();
    for words in [
        ["list", "--layer", "me"].as_slice(),
        &["learn", "x", "--layer", "me"],
        &["context", "--layer", "me"],
        &["list", "--identity", &own],
        &["export", "out.tar.gz", "--identity", &own],
    ] {
        let said = a.fails(6, &[["-C", place.as_str()].as_slice(), words].concat());
        assert!(!said.contains(MARK), "{said}");
    }
    a.co(&["layer", "add", "club", "--write"]);
    a.co(&["learn", "--layer", "club", "The club meets on Mondays"]);
    assert!(a.co(&["list"]).contains("Mondays"));
    assert!(!said(&a, &place, &["list"]).contains("mondays"));
    a.fails(6, &["-C", &place, "list", "--layer", "club"]);
    assert!(!said(&a, &place, &["layer", "list"]).contains("club"));
}

#[test]
fn an_agent_in_that_place_meets_only_what_stands_in() {
    let world = World::new();
    let a = apart(&world);
    let before = a.tree();
    let mut client = Client::start(&a, &a.home.join("work/app"), &["--tools", "all"]);
    client.initialize(json!({}));
    client.call_ok("save_memory", json!({ "content": "The build uses bazel" }));
    for (tool, arguments) in [
        ("recall_memory", json!({ "query": "the family" })),
        ("list_memories", json!({})),
        ("get_context", json!({})),
        ("get_context", json!({ "query": "the family" })),
        ("knowledge_search", json!({ "query": "document" })),
        ("knowledge_list", json!({})),
        ("forget_memory", json!({ "memory": "family" })),
        ("recall_memory", json!({ "query": "family", "project": a.home })),
        ("list_memories", json!({ "project": a.home })),
    ] {
        let answer = client.call(tool, arguments.clone());
        assert!(!answer.text.to_lowercase().contains(MARK), "{tool} {arguments}: {}", answer.text);
    }
    assert!(client.call("list_memories", json!({ "project": a.home })).is_error);
    assert_eq!(a.tree(), before);
    let list = a.co(&["-C", &there(&a), "list"]);
    assert!(list.contains("bazel"), "{list}");
}

#[test]
fn a_shell_completes_nothing_of_me_there() {
    let world = World::new();
    let a = apart(&world);
    let shell = a.with_env("CO_COMPLETE", "bash").with_env("_CLAP_COMPLETE_INDEX", "4");
    for verb in [["show", ""], ["list", "--tag"], ["profile", "get"], ["undo", ""]] {
        let place = there(&a);
        let words = [["--", "co", "-C", place.as_str()].as_slice(), verb.as_slice()].concat();
        let said = shell.try_co(&words);
        assert!(!said.out.to_lowercase().contains(MARK), "{verb:?}: {}", said.out);
    }
}

#[test]
fn skills_are_in_no_folder_that_is_read_everywhere() {
    let world = World::new();
    let a = ready::laptop(&world, "a");
    let skill = a.home.join("deploy");
    fs::create_dir_all(&skill).expect("a folder");
    let text = "---\nname: deploy\ndescription: Deploys to staging.\n---\n\n# Deploy\n";
    fs::write(skill.join("SKILL.md"), text).expect("written");
    a.co(&["skill", "add", skill.to_str().expect("a path")]);
    a.co(&["agent", "install", "codex", "--skills", "--yes"]);
    let placed = a.home.join(".agents/skills/deploy");
    assert!(placed.join("SKILL.md").is_file());

    // A team beside the person's own identity has none, and takes none away.
    a.co(&["layer", "add", "acme", "--write"]);
    a.co(&["sync", "--layer", "acme"]);
    assert!(placed.join("SKILL.md").is_file());

    fs::create_dir_all(a.home.join("work")).expect("a folder");
    let said = a.co(&["layer", "add", "work", "--for", "~/work", "--instead"]);
    assert!(said.contains("no longer find: deploy"), "{said}");
    assert!(!placed.exists() && !placed.is_symlink());
    for folder in [&a.home, &a.home.join("work")] {
        a.co(&["-C", folder.to_str().expect("a path"), "sync"]);
        assert!(!placed.exists() && !placed.is_symlink(), "{}", folder.display());
    }

    let said = a.co(&["layer", "remove", "work"]);
    assert!(said.contains("now find: deploy"), "{said}");
    assert!(placed.join("SKILL.md").is_file());
}
