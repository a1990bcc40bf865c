//! What a person types: short verbs and their long forms, handles, and exit codes. A mistake is
//! answered with the command that was probably meant.

use crate::support::{World, whole::whole};

#[test]
fn co_alone_says_where_things_stand() {
    let world = World::new();
    let (a, remote) = (world.laptop("a"), world.remote());
    let said = a.co(&[]);
    assert!(said.starts_with("No identity on this laptop yet.\n  co init "), "{said}");
    a.co(&["init", "--yes", "--name", "Bin Chen"]);
    assert!(a.co(&[]).contains("Bin Chen · 0 facts · no remote"), "{}", a.co(&[]));
    assert!(a.co(&["status"]).contains("everything is committed, nothing pushed"));
    a.co(&["identity", "remote", &remote]);
    a.co(&["sync"]);
    assert!(a.co(&[]).contains("in sync with origin"), "{}", a.co(&[]));
    a.co(&["learn", "One"]);
    assert!(a.co(&[]).contains("not yet in sync with origin: `co sync`"), "{}", a.co(&[]));
}

#[test]
fn what_cannot_be_done_has_its_own_code() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    assert_eq!(a.try_co(&["knowledge", "--json"]).code, 2);
    a.fails(5, &["-C", "nowhere", "status"]);
    insta::assert_snapshot!(whole(&a.fails(2, &["identity", "export", "all.zip"])), @"
    error: ~/all.zip: exports are .tar.gz, not .zip
    hint: name it FILE.tar.gz
    ");
    assert!(!a.home.join("all.zip").exists());
    a.fails(5, &["identity", "export", "nowhere/all.tar.gz"]);
    a.fails(5, &["agent", "import", "--yes", "--from", "nowhere.json"]);
    std::fs::write(a.home.join("bad.json"), "{\"memories\": [").expect("written");
    let bad = a.home.join("bad.json").display().to_string();
    let said = a.fails(6, &["agent", "import", "--yes", "--from", &bad]);
    insta::assert_snapshot!(whole(&said), @"
    error: nothing could be read: ~/bad.json: it is not valid JSON: EOF while parsing a list at line 1 column 14
    hint: co reads markdown, exports of mem0, ChatGPT, Claude and Gemini (JSON, or the zip archive as it was downloaded), and text with one fact per line
    ");
}

#[test]
fn the_daily_verbs_are_short_and_the_long_forms_stay() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", "Prefers tabs"]);
    for (short, long) in [
        (&["list"][..], &["memory", "list"][..]),
        (&["show", "1"], &["memory", "show", "1"]),
        (&["log"], &["identity", "log"]),
        (&["check"], &["identity", "check"]),
        (&["diff"], &["identity", "diff"]),
    ] {
        assert_eq!(a.co(short), a.co(long), "{short:?}");
    }
    a.co(&["edit", "1", "Prefers spaces"]);
    a.co(&["sync"]);
    a.co(&["undo"]);
    a.co(&["redo"]);
    assert_eq!(a.facts(), ["Prefers spaces"]);
    // A command of a group is found by its name alone.
    for (typed, whole) in [("similar", "memory similar"), ("scan", "secret scan")] {
        let said = a.try_co(&[typed]).err;
        assert!(said.contains(&format!("'{whole}'")), "{said}");
    }
    // No mistyped word leads to one that deletes.
    for word in ["agent", "forgot", "target", "remove"] {
        let said = a.try_co(&[word]);
        assert_eq!(said.code, 2);
        assert!(!said.err.contains("'forget'"), "{word}: {}", said.err);
    }
}

/// Words that are no verb of co, and what the answer to each has to name.
const WISHES: &[(&str, &str)] = &[
    ("rm", "co help forget"),
    ("remove", "co undo"),
    ("delete", "co undo"),
    ("del", "co undo"),
    ("erase", "co undo"),
    ("reset", "co undo"),
    ("revert", "co undo"),
    ("rollback", "co undo"),
    ("update", "co sync"),
    ("self-update", "co upgrade"),
    ("commit", "co sync"),
    ("merge", "co sync"),
    ("rebase", "co sync"),
    ("whoami", "co profile"),
    ("me", "co profile set"),
    ("personality", "co context"),
    ("traits", "co context"),
    ("tags", "co list --tag"),
    ("tag", "co edit"),
    ("connect", "co agent install --all"),
    ("claude", "co agent install --all"),
    ("codex", "co agent install --all"),
    ("install", "co agent install --all"),
    ("uninstall", "co help agent uninstall"),
    ("login", "co doctor"),
    ("password", "co secret"),
    ("token", "co secret"),
    ("get", "co config get"),
    ("unset", "co config unset"),
    ("set", "co config set"),
    ("serve", "co mcp"),
    ("start", "co mcp"),
    ("docs", "co knowledge list"),
    ("documents", "co knowledge list"),
    ("notes", "co list"),
    ("clean", "co check --fix"),
    ("reindex", "co knowledge reindex"),
    ("fix", "co check --fix"),
    ("repair", "co doctor"),
    ("repair", "co seal repair"),
    ("adopt", "co skill adopt"),
    ("backup", "co export"),
    ("branch", "co identity path"),
    ("cd", "co identity path"),
    ("path", "co identity path"),
    ("share", "co layer add"),
    ("stats", "co status"),
    ("add", "co learn TEXT"),
    ("pull", "co diff origin"),
    ("fetch", "co diff origin"),
    ("statsu", "status"),
    ("lern", "learn"),
    ("snyc", "sync"),
    ("similar", "memory similar"),
    ("remote", "identity remote"),
    ("restore", "identity restore"),
    ("move", "co identity move"),
    ("mv", "co knowledge move"),
];

#[test]
fn a_word_of_another_program_gets_the_next_step() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes", &world.remote()]);
    for (typed, step) in WISHES {
        let said = a.try_co(&[typed]);
        assert_eq!(said.code, 2, "{typed}: {}", said.out);
        assert!(said.err.contains(step), "{typed}: {}", said.err);
        for deleting in ["`co forget", "secret rm", "'forget'", "knowledge delete"] {
            assert!(!said.err.contains(deleting), "{typed}: {}", said.err);
        }
    }
    for (typed, step) in [
        ("remote", "co identity remote"),
        ("restore", "co identity restore"),
        ("similar", "co memory similar"),
        ("mv", "co knowledge move"),
        ("rm", "co help forget"),
        ("whoami", "co profile"),
    ] {
        let said = a.co(&["help", typed]);
        assert!(said.contains(step), "{typed}: {said}");
    }
    let said = a.try_co(&["--json", "whoami"]).out;
    assert!(said.contains("co profile"), "{said}");
    a.co(&["save", "Prefers tabs"]);
    a.co(&["remember", "Lives in Bern"]);
    for typed in [
        &["find", "tabs"][..],
        &["search", "tabs"],
        &["ls"],
        &["push"],
        &["history"],
        &["settings"],
        &["info"],
        &["cat", "1"],
        &["export", "all.tar.gz"],
        &["pin", "1"],
    ] {
        let said = a.try_co(typed);
        assert_eq!(said.code, 0, "{typed:?}: {}", said.err);
        assert!(!said.out.is_empty(), "{typed:?}");
    }
    assert!(a.co(&["version"]).starts_with("co "));
}

#[test]
fn an_address_that_is_empty_makes_no_identity() {
    let world = World::new();
    let a = world.laptop("a");
    // As `co init --yes "$REMOTE"` with nothing in REMOTE.
    a.fails(2, &["init", "--yes", ""]);
    assert!(!a.identity().exists());
}

#[test]
fn an_import_without_a_source_proposes_the_newest_export() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", "Prefers tabs"]);
    insta::assert_snapshot!(whole(&a.fails(2, &["import"])), @"
    error: no source was named, and this folder has no export
    hint: `co import FILE.tar.gz`, with the file that `co export` wrote on the other laptop
    ");
    a.co(&["export", "co-identity-2026-01-01.tar.gz"]);
    a.co(&["export", "co-identity-2026-01-02.tar.gz"]);
    // Nobody can be asked here.
    insta::assert_snapshot!(whole(&a.fails(3, &["import"])), @"
    error: `co import` needs a source; the newest export here is co-identity-2026-01-02.tar.gz
    hint: `co import 'co-identity-2026-01-02.tar.gz'`
    ");
    a.co(&["import", "--yes", "co-identity-2026-01-02.tar.gz"]);
}

#[test]
fn handles_can_be_typed_and_several_named_at_once() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    for fact in ["One", "Two", "Three"] {
        a.co(&["learn", fact]);
    }
    let text = a.read(&a.file_of("Two")).replace("id: 2", "id: 1");
    a.write(&a.file_of("Two"), &text);
    let listed = a.json(&["list"]);
    let rows = listed["data"]["memories"].as_array().expect("rows");
    let handle = rows.iter().find(|row| row["summary"] == "Two").expect("there")["handle"].clone();
    let handle = handle.as_str().expect("text");
    assert!(handle.starts_with("1-"), "{handle}");
    assert!(a.co(&["show", handle]).contains("Two"));
    // All of them, or none.
    a.fails(5, &["forget", "3", "99"]);
    assert_eq!(a.facts().len(), 3);
    a.co(&["forget", handle, "3"]);
    assert_eq!(a.facts(), ["One"]);
}

#[test]
fn who_looks_for_learning_by_itself_is_told_of_the_review() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    for typed in [
        &["learn", "--auto"][..],
        &["learn", "Likes tea", "--auto"],
        &["learn", "--auto=yes", "Likes tea"],
        &["remember", "--interactive", "Likes tea"],
        &["save", "--confirm", "Likes tea"],
        &["memory", "save", "--auto", "Likes tea"],
        &["learn", "--review", "Likes tea", "--json"],
    ] {
        let said = a.try_co(typed);
        assert_eq!(said.code, 2, "{typed:?}");
        let all = format!("{}{}", said.out, said.err);
        assert!(all.contains("`co review`") && all.contains("`co log`"), "{typed:?}: {all}");
        assert!(!all.contains("as a value"), "{typed:?}: {all}");
    }
    assert!(a.facts().is_empty());
    let said = a.try_co(&["learn", "--nosuch", "x"]);
    assert!(said.code == 2 && !said.err.contains("co review"), "{}", said.err);
}

#[test]
fn a_mistyped_verb_of_a_group_is_answered_with_one_of_that_group() {
    let world = World::new();
    let a = world.laptop("a");
    for (typed, meant) in [
        (&["knowledge", "serch"][..], "'search'"),
        (&["--quiet", "knowledge", "serch", "tabs"], "'search'"),
        (&["knowledge", "lst"], "'list'"),
        (&["serch"], "'recall'"),
    ] {
        let said = a.try_co(typed);
        assert!(said.code == 2 && said.err.contains(meant), "{typed:?}: {}", said.err);
        let is_of_co = meant == "'recall'";
        assert_eq!(said.err.contains("'recall'"), is_of_co, "{typed:?}: {}", said.err);
    }
}

#[test]
fn what_the_log_knows_of_a_fact_that_is_gone_is_pointed_to() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", "Prefers tabs"]);
    a.co(&["forget", "1"]);
    let typed = [&["show", "1"][..], &["pin", "1"], &["edit", "1", "x"], &["forget", "1"]];
    let said: String = typed.iter().map(|typed| a.fails(5, typed)).collect();
    insta::assert_snapshot!(whole(&said), @"
    error: there is no fact 1
    hint: `co log 1` shows what became of it; `co list` lists your facts
    error: there is no fact 1
    hint: `co log 1` shows what became of it; `co list` lists your facts
    error: there is no fact 1
    hint: `co log 1` shows what became of it; `co list` lists your facts
    error: there is no fact 1
    hint: `co log 1` shows what became of it; `co list` lists your facts
    ");
    assert!(a.co(&["log", "1"]).contains("forgotten"));
    let typed = [&["show", "2"][..], &["forget", "2"], &["forget", "spaces"], &["show", "here/1"]];
    let said: String = typed.iter().map(|typed| a.fails(5, typed)).collect();
    insta::assert_snapshot!(whole(&said), @"
    error: there is no fact 2
    hint: `co list` lists your facts
    error: there is no fact 2
    hint: `co list` lists your facts
    error: no fact matches `spaces`
    hint: `co list` lists your facts
    error: there is no fact here/1
    hint: `co list` lists your facts
    ");
}
