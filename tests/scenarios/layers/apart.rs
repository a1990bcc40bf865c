//! Work and private life apart: where another identity stands in for the person's own, that does
//! not exist. Marked texts are planted in it, and looked for in all that leaves co there.

use crate::support::{Laptop, World, client::Client, git, ready};
use serde_json::json;
use std::{fs, path::PathBuf};

const MARK: &str = "zinnober";

/// A laptop whose own identity has marked texts everywhere, and one for work in `~/work`.
fn apart(world: &World) -> Laptop {
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

fn there(a: &Laptop) -> String {
    a.home.join("work/app/src").display().to_string()
}

/// Everything that a command says, whatever it comes to.
fn said(a: &Laptop, folder: &str, words: &[&str]) -> String {
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
fn a_folder_is_known_by_any_of_its_names() {
    let world = World::new();
    let a = apart(&world);
    let link = a.home.join("link");
    std::os::unix::fs::symlink(a.home.join("work"), &link).expect("a link");
    let real: PathBuf = a.home.join("real");
    fs::create_dir_all(real.join("x")).expect("a folder");
    std::os::unix::fs::symlink(&real, a.home.join("work/in")).expect("a link");
    for place in ["work", "work/app", "link/app", "link"] {
        let place = a.home.join(place).display().to_string();
        assert!(!said(&a, &place, &["list"]).contains(MARK), "{place}");
    }
    // Started in the folder, as a shell does it, through a link that lies in the place.
    let through = a.home.join("work/in/x");
    let started = |folder: &std::path::Path| {
        let mut command = a.command(&["list"]);
        command.current_dir(folder).env("PWD", folder);
        String::from_utf8_lossy(&command.output().expect("co runs").stdout).into_owned()
    };
    assert!(!started(&through).contains(MARK), "by the name that was typed");
    assert!(started(&a.home).contains(MARK));
}

#[test]
fn any_remote_of_any_repository_around_a_folder_tells_whose_place_it_is() {
    let world = World::new();
    let a = ready::laptop(&world, "a");
    a.co(&["learn", "zinnober family"]);
    a.co(&["layer", "add", "job", "--for", "github.com/acme/*", "--instead"]);
    a.co(&["layer", "add", "gig", "--for", "github.com/gig/*", "--instead"]);
    let (acme, other) = ("git@github.com:acme/app.git", "https://example.org/x.git");
    let remote = ["remote", "add", "origin"];
    for (folder, commands) in [
        ("app", vec![[remote.as_slice(), &[acme]].concat()]),
        // A submodule, and a clone inside that has no remote.
        ("app/vendor/x", vec![[remote.as_slice(), &[other]].concat()]),
        ("app/vendor/x/y", vec![]),
        ("app/gig", vec![[remote.as_slice(), &["git@github.com:gig/x.git"]].concat()]),
        (
            "pushed",
            vec![
                [remote.as_slice(), &[other]].concat(),
                vec!["remote", "set-url", "--push", "origin", acme],
            ],
        ),
        (
            "second",
            vec![
                [remote.as_slice(), &[other]].concat(),
                vec!["remote", "set-url", "--add", "origin", acme],
            ],
        ),
        (
            "short",
            vec![
                [remote.as_slice(), &["ac:app.git"]].concat(),
                vec!["config", "url.git@github.com:acme/.insteadOf", "ac:"],
            ],
        ),
        ("mine", vec![[remote.as_slice(), &[other]].concat()]),
    ] {
        let place = a.home.join(folder);
        fs::create_dir_all(place.join("deep")).expect("a folder");
        git(&place, &["init", "-q"]);
        for command in commands {
            git(&place, &command);
        }
        for place in [place.clone(), place.join("deep")] {
            let place = place.display().to_string();
            let list = said(&a, &place, &["list"]);
            assert_eq!(list.contains(MARK), folder == "mine", "{place}: {list}");
            let named = a.json(&["-C", &place, "layer", "list"])["data"].to_string();
            assert!(!named.contains(MARK), "{named}");
        }
    }
    // What is nearest decides, if it is somebody's place.
    let inside = a.home.join("app/gig").display().to_string();
    a.co(&["-C", &inside, "learn", "Gig uses make"]);
    assert!(a.co(&["list", "--layer", "gig"]).contains("make"));
}

#[test]
fn a_place_of_two_or_of_nobody_known_is_refused() {
    let world = World::new();
    let a = apart(&world);
    let place = there(&a);
    a.co(&["layer", "add", "gig", "--for", "github.com/gig/*", "--instead"]);
    git(&a.home.join("work/app"), &["init", "-q"]);
    git(&a.home.join("work/app"), &["remote", "add", "origin", "git@github.com:gig/app.git"]);
    for words in
        [["list"].as_slice(), &["learn", "x"], &["context"], &["recall", "family"], &["log"]]
    {
        let said = a.fails(6, &[["-C", place.as_str()].as_slice(), words].concat());
        assert!(said.contains("work") && said.contains("gig") && !said.contains(MARK), "{said}");
    }
    a.co(&["layer", "remove", "gig"]);
    let settings = a.config().join("settings.json");
    let text = fs::read_to_string(&settings).expect("there");
    for broken in
        [text.replace("instead", "insted"), text.replace("~/work", "work"), "{".to_owned()]
    {
        assert_ne!(broken, text);
        fs::write(&settings, &broken).expect("written");
        for words in [["list"].as_slice(), &["context"], &["recall", "family"]] {
            let said = said(&a, &place, words);
            assert!(!said.contains(MARK), "{words:?} {broken}: {said}");
        }
    }
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
