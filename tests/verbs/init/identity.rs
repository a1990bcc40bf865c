//! `co init`: the first identity, the same one on a second laptop, and identities that are already
//! there. It never makes a second one, and never asks without a terminal.

use crate::support::{World, git, whole::whole};
use std::fs;

#[test]
fn init_creates_an_identity_and_asks_nobody_without_a_terminal() {
    let world = World::new();
    let a = world.laptop("a");
    let said = a.fails(3, &["init"]);
    assert!(said.contains("there is no terminal to ask on"), "{said}");
    assert!(!a.config().exists(), "declining changes nothing");
    a.co(&["init", "--yes", "--name", "Bin", "--timezone", "America/Los_Angeles"]);
    assert!(a.read("profile.md").contains("- Name: Bin\n- Timezone: America/Los_Angeles\n"));
    assert!(a.read("traits/learned-patterns.md").contains("updated: 1970-01-01T00:00:00Z"));
    assert!(a.git(&["status", "--porcelain"]).is_empty());
    assert!(
        fs::read_to_string(a.config().join(".gitignore"))
            .expect("there")
            .contains("/settings.json")
    );
}

#[test]
fn init_twice_changes_nothing() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes", "--name", "Bin"]);
    let before = a.tree();
    let out = a.co(&["init", "--yes"]);
    assert!(out.contains("is ready"), "{out}");
    assert_eq!(a.tree(), before);
}

#[test]
fn legacy_places_are_read_and_adopted() {
    let world = World::new();
    let a = world.laptop("a");
    fs::create_dir_all(a.config().join("knowledge")).expect("a folder");
    fs::write(a.config().join("knowledge/context.md"), "- Old fact\n").expect("written");
    fs::write(a.config().join("settings.json"), "{\"personality\": \"finch\", \"model\": \"x\"}")
        .expect("written");
    a.co(&["init", "--yes"]);
    assert!(a.read("knowledge/context.md").contains("- Old fact"));
    assert!(a.read("personality.md").contains("selected: finch"));
    assert!(a.co(&["context"]).contains("- Old fact"));
}

#[test]
fn a_second_laptop_has_everything() {
    let world = World::new();
    let (remote, a, b) = (world.remote(), world.laptop("a"), world.laptop("b"));
    a.co(&["init", "--yes", "--name", "Bin", "--remote", &remote]);
    a.co(&["learn", "I prefer tabs"]);
    a.co(&["identity", "sync"]);
    let out = b.co(&["init", "--yes", &remote]);
    assert!(out.contains("Cloned Bin's identity: 1 fact, 2 traits, 0 documents."), "{out}");
    assert_eq!(a.tree(), b.tree());
    assert_eq!(b.co(&["identity", "sync"]), "Up to date.\n");
    assert!(b.git(&["status", "--porcelain"]).is_empty());
}

#[test]
fn an_unreachable_url_leaves_nothing_behind_but_can_be_tried_again() {
    let world = World::new();
    let a = world.laptop("a");
    let missing = world.path("nowhere.git").display().to_string();
    a.fails(8, &["init", "--yes", &format!("file://{missing}")]);
    git(world.dir.path(), &["init", "-q", "--bare", "-b", "main", "nowhere.git"]);
    let out = a.co(&["init", "--yes", &format!("file://{missing}")]);
    assert!(out.contains("is ready and pushed"), "{out}");
    for url in ["-x", "--upload-pack=touch /tmp/x", "ext::sh -c true"] {
        let said = a.try_co(&["init", "--yes", "--", url]);
        assert_eq!(said.code, 2, "{url}: {}", said.err);
    }
}

#[test]
fn the_path_can_be_overridden_in_order() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let place = |args: &[&str], laptop: &crate::support::Laptop| {
        laptop.json(&[&["identity", "path"], args].concat())["data"]["source"]
            .as_str()
            .map(str::to_owned)
    };
    assert_eq!(place(&[], &a).as_deref(), Some("default"));
    fs::create_dir_all(a.home.join("Dropbox/co")).expect("a folder");
    fs::write(a.config().join("settings.json"), "{\"identity_path\": \"~/Dropbox/co\"}")
        .expect("written");
    assert_eq!(place(&[], &a).as_deref(), Some("settings"));
    assert_eq!(a.co(&["identity", "path"]).trim(), a.home.join("Dropbox/co").display().to_string());
    let env = a.with_env("CO_IDENTITY_PATH", "/tmp/elsewhere");
    assert_eq!(place(&[], &env).as_deref(), Some("environment"));
    assert_eq!(place(&["--identity", "x"], &env).as_deref(), Some("flag"));
    fs::write(a.config().join("settings.json"), "{broken").expect("written");
    a.fails(10, &["identity", "path"]);
}

#[test]
fn a_synced_folder_is_adopted_and_remembered() {
    let world = World::new();
    let a = world.laptop("a");
    let folder = a.home.join("Dropbox/co-identity");
    fs::create_dir_all(folder.join("knowledge/memories")).expect("a folder");
    fs::write(
        folder.join("profile.md"),
        "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n# Profile\n\n- Name: Bin\n",
    )
    .expect("written");
    a.co(&["init", "--yes", "~/Dropbox/co-identity"]);
    assert_eq!(a.co(&["identity", "path"]).trim(), folder.display().to_string());
    assert!(
        fs::read_to_string(folder.join("profile.md")).expect("there").contains("- Name: Bin"),
        "nothing is overwritten"
    );
}

#[test]
fn who_has_an_identity_does_not_get_another_by_the_way() {
    let world = World::new();
    let (a, remote) = (world.laptop("a"), world.remote());
    a.co(&["init", "--yes", "--name", "Bin", "--remote", &remote]);
    let before = a.tree();
    assert!(a.fails(3, &["init", "--yes", "file:///elsewhere.git"]).contains("syncs with"));
    fs::create_dir_all(a.home.join("other")).expect("a folder");
    assert!(a.fails(3, &["init", "--yes", "~/other"]).contains("there is already an identity"));
    assert_eq!(a.tree(), before);
    assert_eq!(a.co(&["identity", "remote"]).trim(), remote);
    a.fails(5, &["init", "--yes", "/nowhere/at/all.git"]);
    let b = world.laptop("b");
    b.fails(2, &["init", "--yes", "--timezone", "Nowhere/Zone"]);
    assert!(!b.config().exists());
}

#[test]
fn a_typing_error_is_asked_again_and_costs_no_other_answer() {
    let world = World::new();
    let a = world.laptop("a");
    let answers = [
        ("Your name", "Ada\n"),
        ("Time zone", "Copenhagen\n"),
        ("[Europe/Copenhagen, from what you typed]", "\n"),
        ("Git remote", "Short answers, please\n"),
        ("there is no repository at Short answers, please; write it as", "\n"),
        ("Check facts before each commit", "n\n"),
        ("Proceed", "y\n"),
    ];
    let said = crate::support::terminal::screen(&a, 100, &["init"], &answers);
    assert!(said.contains("`Copenhagen` is not a time zone; Europe/Copenhagen is"), "{said}");
    assert_eq!(said.matches("? Your name").count(), 1, "{said}");
    assert_eq!(said.matches("? Git remote").count(), 2, "{said}");
    assert!(a.read("profile.md").contains("Timezone: Europe/Copenhagen"), "{said}");
    // Where nobody is asked, the hint has it.
    let b = world.laptop("b");
    let said = b.fails(2, &["init", "--yes", "--timezone", "copenhagen"]);
    insta::assert_snapshot!(whole(&said), @"
    error: `copenhagen` is not a time zone
    hint: did you mean Europe/Copenhagen?
    ");
    let said = a.fails(2, &["profile", "set", "Timezone", "Copenhagen"]);
    insta::assert_snapshot!(whole(&said), @"
    error: `Copenhagen` is not a time zone
    hint: did you mean Europe/Copenhagen?
    ");
}
