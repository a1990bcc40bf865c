//! The fields of several profiles that are read together: the nearest decides one, unless a team
//! may enforce its own here.

use crate::support::{Laptop, World, ready, whole::whole};
use std::fs;

fn profile(layer_rules: &str, fields: &[(&str, &str)]) -> String {
    let fields: String = fields.iter().map(|(key, value)| format!("- {key}: {value}\n")).collect();
    let front = format!("version: 1\nupdated: 2026-01-01T00:00:00Z\n{layer_rules}");
    format!("---\n{front}---\n\n# Profile\n\n{fields}")
}

/// Two teams' profiles, and one's own; the first team may enforce its own, if that is agreed.
fn laptop(world: &World, rules: &str, options: &[&str]) -> Laptop {
    let a = ready::laptop(world, "a");
    let add = |name: &str, options: &[&str]| {
        a.co(&[["layer", "add", name, "--write"].as_slice(), options].concat());
    };
    add("acme", options);
    add("ops", &[]);
    let of = |name: &str| a.config().join("layers").join(name).join("profile.md");
    let acme = [("Company", "Acme"), ("Editor", "vim"), ("Language", "Go")];
    fs::write(of("acme"), profile(rules, &acme)).expect("written");
    fs::write(of("ops"), profile("", &[("language", "Rust"), ("Pager", "Kim")])).expect("written");
    a.co(&["profile", "set", "Editor", "emacs"]);
    a.co(&["profile", "set", "Name", "Bob"]);
    a
}

#[test]
fn the_nearest_profile_decides_a_field() {
    let world = World::new();
    let a = laptop(&world, "", &[]);
    for (key, value) in [
        ("Company", "Acme"),
        ("Editor", "emacs"),
        ("Language", "Rust"),
        ("pager", "Kim"),
        ("Name", "Bob"),
    ] {
        assert_eq!(a.co(&["profile", "get", key]), format!("{value}\n"), "{key}");
    }
    insta::assert_snapshot!(whole(&a.co(&["profile"])), @"
    Editor    emacs
    Name      Bob
    language  Rust  (ops)
    Pager     Kim  (ops)
    Company   Acme  (acme)
    ");
    let rows = a.json(&["profile"])["data"]["fields"].as_array().cloned().expect("rows");
    for row in rows {
        let layer = match row["key"].as_str() {
            Some("Company") => Some("acme"),
            Some("language" | "Pager") => Some("ops"),
            _ => None,
        };
        assert_eq!(row["layer"].as_str(), layer, "{row}");
    }
    let context = a.co(&["context"]);
    for (words, is_read) in [
        ("Company: Acme", true),
        ("language: Rust", true),
        ("Pager: Kim", true),
        ("Editor: emacs", true),
        ("Editor: vim", false),
        ("Language: Go", false),
    ] {
        assert_eq!(context.contains(words), is_read, "{words}: {context}");
    }
    assert!(context.contains("acme/profile.md of the layer \"acme\""), "{context}");
    insta::assert_snapshot!(whole(&a.co(&["profile", "--layer", "acme"])), @"
    Company   Acme
    Editor    vim
    Language  Go
    ");
    insta::assert_snapshot!(whole(&a.co(&["profile", "--layer", "me"])), @"
    Editor  emacs
    Name    Bob
    ");
}

#[test]
fn what_a_team_enforces_is_decided_by_that_if_it_was_agreed() {
    let rule = "enforced: true\n";
    for (rules, options, editor) in [
        (rule, ["--enforce"].as_slice(), "vim"),
        (rule, &[], "emacs"),
        ("", &["--enforce"], "emacs"),
        ("enforced: false\n", &["--enforce"], "emacs"),
    ] {
        let world = World::new();
        let a = laptop(&world, rules, options);
        assert_eq!(
            a.co(&["profile", "get", "Editor"]),
            format!("{editor}\n"),
            "{rules} {options:?}"
        );
        let context = a.co(&["context"]);
        for one in ["vim", "emacs"] {
            let is_read = context.contains(&format!("Editor: {one}"));
            assert_eq!(is_read, one == editor, "{rules} {options:?}: {context}");
        }
        let language = if editor == "vim" { "Language: Go" } else { "language: Rust" };
        assert!(context.contains(language), "{rules} {options:?}: {context}");
        // One's own file stays as it is.
        assert!(a.read("profile.md").contains("Editor: emacs"));
        assert!(context.contains("Name: Bob") && context.contains("Pager: Kim"), "{context}");
    }
}

#[test]
fn a_field_is_set_in_ones_own_profile() {
    let world = World::new();
    let a = laptop(&world, "", &[]);
    let before = fs::read_to_string(a.config().join("layers/acme/profile.md")).expect("there");
    a.co(&["profile", "set", "Company", "Bob and Sons"]);
    assert_eq!(a.co(&["profile", "get", "Company"]), "Bob and Sons\n");
    let now = fs::read_to_string(a.config().join("layers/acme/profile.md")).expect("there");
    assert_eq!(now, before);
    a.co(&["profile", "unset", "Company"]);
    assert_eq!(a.co(&["profile", "get", "Company"]), "Acme\n");
    a.fails(5, &["profile", "unset", "Pager"]);
    a.co(&["profile", "set", "Pager", "Lee", "--layer", "ops"]);
    assert_eq!(a.co(&["profile", "get", "Pager"]), "Lee\n");
}

#[test]
fn where_another_identity_stands_in_only_its_profile_is_read() {
    let world = World::new();
    let a = laptop(&world, "", &[]);
    fs::create_dir_all(a.home.join("work")).expect("a folder");
    a.co(&["layer", "add", "work", "--for", "~/work", "--instead"]);
    let place = a.home.join("work").display().to_string();
    a.co(&["-C", &place, "profile", "set", "Role", "engineer"]);
    let list = a.co(&["-C", &place, "profile"]);
    assert!(list.contains("engineer"), "{list}");
    for other in ["Bob", "Acme", "Kim", "emacs"] {
        assert!(!list.contains(other), "{list}");
    }
}

const FRONT: &str = "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n";

/// A personality that is selected, and what describes it.
fn select(root: &std::path::Path, rules: &str, name: &str, described: &str) {
    let text =
        format!("{FRONT}{rules}selected: {name}\n---\n\n# Personality\n\nSelected: {name}\n");
    fs::write(root.join("personality.md"), text).expect("written");
    fs::create_dir_all(root.join("personality")).expect("a folder");
    let text = format!("{FRONT}---\n\n# {name}\n\n{described}\n");
    fs::write(root.join(format!("personality/{name}.md")), text).expect("written");
}

#[test]
fn the_nearest_personality_is_selected_unless_a_team_enforces_its_own() {
    let world = World::new();
    let cases: [(&str, &[&str], Option<&str>, &str); 7] = [
        ("", &[], None, "Ops is brisk"),
        ("", &["--enforce"], None, "Ops is brisk"),
        ("", &[], Some("calm"), "I like it calm"),
        ("enforced: true\n", &[], Some("calm"), "I like it calm"),
        ("enforced: true\n", &["--enforce"], Some("calm"), "Acme is formal"),
        ("enforced: true\n", &["--enforce"], None, "Acme is formal"),
        // Of one name.
        ("", &[], Some("brisk"), "I like it calm"),
    ];
    for (at, (rules, options, own, read)) in cases.into_iter().enumerate() {
        let a = ready::laptop(&world, &format!("a{at}"));
        a.co(&[["layer", "add", "acme", "--write"].as_slice(), options].concat());
        a.co(&["layer", "add", "ops", "--write"]);
        let layer = |name: &str| a.config().join("layers").join(name);
        select(&layer("acme"), rules, "formal", "Acme is formal");
        select(&layer("ops"), "", "brisk", "Ops is brisk");
        if let Some(own) = own {
            select(&a.identity(), "", own, "I like it calm");
        }
        let context = a.co(&["context"]);
        for words in ["Acme is formal", "Ops is brisk", "I like it calm"] {
            assert_eq!(context.contains(words), words == read, "{at} {words}: {context}");
        }
        let selected = context.lines().filter(|line| line.contains("Selected: ")).count();
        assert_eq!(selected, 1, "{at}: {context}");
        if !read.starts_with('I') {
            let of_team = |words: &str| context.contains(&format!("## Team {words} ("));
            assert!(of_team(if read.starts_with('A') { "Rules" } else { "Context" }), "{context}");
        }
        let alone = a.co(&["context", "--layer", "ops"]);
        assert!(alone.contains("Ops is brisk") && !alone.contains("I like"), "{alone}");
    }
}
