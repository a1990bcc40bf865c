//! A command about a layer as an identity of its own says which it was; an export has one layer.

use crate::support::{World, git, ready, terminal::screen, whole::whole};
use std::fs;

#[test]
fn log_undo_review_export_and_import_name_the_layer() {
    let world = World::new();
    let a = ready::laptop(&world, "a");
    a.co(&["learn", "The garden needs water"]);
    a.co(&["layer", "add", "acme", "--write"]);
    a.co(&["learn", "--layer", "acme", "Deploys start on Tuesdays"]);
    for words in [
        ["log"].as_slice(),
        &["review"],
        &["undo", "--dry-run"],
        &["check"],
        &["export", "acme.tar.gz"],
        &["diff", "acme.tar.gz"],
        &["import", "acme.tar.gz"],
        &["undo"],
        &["redo"],
        &["sync"],
    ] {
        let said = a.co(&[words, &["--layer", "acme"]].concat());
        assert!(said.starts_with("acme:"), "{words:?}: {said}");
        assert!(!said.contains("garden"), "{words:?}: {said}");
    }
    for words in [["log"].as_slice(), &["review"], &["undo", "--dry-run"], &["check"]] {
        let json = a.json(&[words, &["--layer", "acme"]].concat());
        assert_eq!(json["data"]["layer"], "acme", "{words:?}: {json}");
        let own = a.json(words);
        assert!(own["data"].get("layer").is_none(), "{words:?}: {own}");
        assert!(!a.co(words).starts_with("acme:"), "{words:?}");
    }
    let doctor = a.try_co(&["doctor"]).out;
    let of_index = |line: &str| line.contains(" recall ") && line.contains("acme: ");
    assert_eq!(doctor.lines().filter(|line| of_index(line)).count(), 1, "{doctor}");
}

#[test]
fn an_export_has_one_layer() {
    let world = World::new();
    let a = ready::laptop(&world, "a");
    a.co(&["learn", "The garden needs water"]);
    a.co(&["layer", "add", "acme", "--write"]);
    a.co(&["learn", "--layer", "acme", "Deploys start on Tuesdays"]);
    a.co(&["export", "own.tar.gz"]);
    a.co(&["export", "acme.tar.gz", "--layer", "acme"]);
    let b = ready::laptop(&world, "b");
    for (name, has, lacks) in [("own", "garden", "Tuesdays"), ("acme", "Tuesdays", "garden")] {
        let archive = b.home.join(format!("{name}.tar.gz"));
        fs::copy(a.home.join(format!("{name}.tar.gz")), &archive).expect("copied");
        let said = b.co(&["diff", &archive.display().to_string()]);
        assert!(said.contains(has) && !said.contains(lacks), "{name}: {said}");
    }
}

#[test]
fn where_another_identity_stands_in_that_is_named_too() {
    let world = World::new();
    let a = ready::laptop(&world, "a");
    fs::create_dir_all(a.home.join("work")).expect("a folder");
    a.co(&["layer", "add", "work", "--for", "~/work", "--instead"]);
    let place = a.home.join("work").display().to_string();
    a.co(&["-C", &place, "learn", "The build uses bazel"]);
    let first = a.co(&["-C", &place]);
    assert!(first.starts_with("The layer work, not your own identity · 1 fact · "), "{first}");
    assert!(a.co(&[]).starts_with("Your identity · 0 facts · "));
    a.co(&["-C", &place, "profile", "set", "Name", "Ada"]);
    assert!(a.co(&["-C", &place]).starts_with("The layer work, not your own identity · "));
    a.co(&["-C", &place, "undo"]);
    for words in [["log"].as_slice(), &["undo", "--dry-run"], &["review"], &["undo"]] {
        let said = a.co(&[["-C", place.as_str()].as_slice(), words].concat());
        assert!(said.starts_with("work:"), "{words:?}: {said}");
    }
    // What is synced where it is read is synced nowhere else.
    let said = a.try_co(&["sync"]);
    assert!(!format!("{}{}", said.out, said.err).contains("work"), "{}{}", said.out, said.err);
}

#[test]
fn undo_and_log_name_what_is_about_this_laptop() {
    let world = World::new();
    let a = ready::laptop(&world, "a");
    a.co(&["learn", "--here", "Two screens"]);
    insta::assert_snapshot!(whole(&a.co(&["undo", "--dry-run"])), @"
    would undo o1, learn: Two screens
      - here/1 Two screens
    ");
    a.co(&["edit", "here/1", "Three screens"]);
    insta::assert_snapshot!(whole(&a.co(&["undo", "--yes"])), @"
    ✓ Undone o2, edit: Three screens. `co redo` reverses this undo.
      ~ here/1 Two screens (was: Three screens)
    ");
    insta::assert_snapshot!(whole(&a.fails(2, &["log", "here/1"])), @"
    error: here/1 is a fact about this laptop; its history is in the identity's commits
    hint: in its folder (`co identity path`), `git log -p -- hosts` shows it
    ");
    // A project in a folder of that name is none of a laptop.
    let there = a.home.join("hosts");
    fs::create_dir_all(there.join(".co-cli")).expect("a folder");
    let there = there.to_str().expect("a path");
    a.co(&["-C", there, "learn", "Of the project"]);
    insta::assert_snapshot!(whole(&a.co(&["-C", there, "undo", "--dry-run"])), @"
    would undo o4, learn: Of the project
      - p1 Of the project
    ");
}

#[test]
fn a_document_of_a_layer_has_its_name_in_front_and_is_found_by_that() {
    let world = World::new();
    let a = ready::laptop(&world, "a");
    let url = world.path("team.git").display().to_string();
    git(world.dir.path(), &["init", "-q", "--bare", "-b", "main", "team.git"]);
    a.co(&["layer", "add", "acme", &url, "--write"]);
    let of_team =
        ["knowledge", "write", "--layer", "acme", "reference/deploys", "# Deploys\n\nBlue."];
    a.co(&of_team);
    a.co(&["knowledge", "write", "reference/mine", "# My deploys\n\nGreen."]);
    insta::assert_snapshot!(whole(&a.co(&["knowledge", "tree"])), @"
    acme/  1
    └── knowledge/  1
        └── reference/  1
            └── deploys  Deploys
    knowledge/  1
    └── reference/  1, how-to guides, checklists, reference material
        └── mine  My deploys
    ");
    let asked: [&[&str]; 3] =
        [&["knowledge", "list"], &["knowledge", "search", "deploys"], &["recall", "deploys"]];
    for words in asked {
        let piped = a.co(words);
        let seen = screen(&a, 80, words, &[]);
        for said in [&piped, &seen] {
            let is_marked = said.contains("acme/reference/deploys");
            assert!(is_marked && said.contains(" reference/mine"), "{words:?}: {said}");
            assert!(!said.contains("acme/reference/mine"), "{words:?}: {said}");
        }
    }
    a.co(&["knowledge", "write", "reference/deploys", "# Deploys\n\nOf my own."]);
    let show = |topic: &str| screen(&a, 80, &["knowledge", "show", topic], &[]);
    let of_team = show("acme/reference/deploys");
    assert!(of_team.contains("  acme/knowledge/reference/deploys"), "{of_team}");
    assert!(of_team.contains("Blue.") && show("reference/deploys").contains("Of my own."));
    assert!(!show("reference/deploys").contains("acme"));
    a.co(&["knowledge", "related", "acme/reference/deploys"]);
    let deleted = a.co(&["knowledge", "delete", "acme/reference/deploys"]);
    insta::assert_snapshot!(whole(&deleted), @"✓ Deleted acme/reference/deploys");
    assert!(a.co(&["knowledge", "show", "reference/deploys"]).contains("Of my own."));
}
