//! What a person proposes to a team: facts and documents, as others will read them, in a branch.

use crate::support::{Laptop, World, git, ready, whole::whole};
use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf};

fn team(world: &World) -> (PathBuf, Laptop, Laptop) {
    let url = world.path("team.git");
    git(world.dir.path(), &["init", "-q", "--bare", "-b", "main", "team.git"]);
    let ada = ready::laptop(world, "ada");
    let bob = ready::laptop(world, "bob");
    let address = url.display().to_string();
    ada.co(&["layer", "add", "acme", &address, "--write"]);
    ada.co(&["learn", "--layer", "acme", "Deploys start on Tuesdays"]);
    ada.co(&["knowledge", "write", "--layer", "acme", "reference/deploys", "# Deploys\n\nBlue."]);
    ada.co(&["sync"]);
    bob.co(&["layer", "add", "acme", &address]);
    (url, ada, bob)
}

fn branches(url: &std::path::Path) -> Vec<String> {
    let all = git(url, &["branch", "--format=%(refname:short)"]);
    all.lines().filter(|name| name.starts_with("co/")).map(str::to_owned).collect()
}

#[test]
fn a_document_is_proposed_with_its_labels_and_nothing_else() {
    let world = World::new();
    let (url, ada, bob) = team(&world);
    bob.co(&["knowledge", "write", "people/kim", "# Kim\n\nOn call.", "--tag", "ops"]);
    let text = bob.read("knowledge/people/kim.md");
    let own = "---\ndescription: Whom to call\nalwaysInclude: true\nprivate: zinnober\n";
    let text = text.replacen("---\n", own, 1);
    bob.write("knowledge/people/kim.md", &text);
    bob.fails(3, &["propose", "people/kim", "--to", "acme"]);
    let asked = bob.try_co(&["propose", "people/kim", "--to", "acme"]);
    // The labels that others get are shown before.
    insta::assert_snapshot!(whole(&format!("{}{}", asked.out, asked.err)), @"
      + people/kim
        description: Whom to call
        type: person
        tags: ops
        │ # Kim
        │
        │ On call.

    error: 1 document would be proposed to acme, but there is no terminal to ask on
    hint: use `--yes` to confirm
    ");
    let said = bob.co(&["propose", "people/kim", "--to", "acme", "--yes"]);
    insta::assert_snapshot!(whole(&said), @"✓ Proposed 1 document to acme, in its branch co/bob/people-kim");
    let branch = branches(&url).pop().expect("a branch");
    let files = git(&url, &["diff", "--name-only", "main", &branch]);
    assert_eq!(files.trim(), "knowledge/people/kim.md");
    let there = git(&url, &["show", &format!("{branch}:knowledge/people/kim.md")]);
    for words in ["On call.", "ops", "description: Whom to call"] {
        assert!(there.contains(words), "{words}: {there}");
    }
    for own in ["alwaysInclude", "zinnober", "private"] {
        assert!(!there.contains(own), "{own}: {there}");
    }
    git(&url, &["update-ref", "refs/heads/main", &branch]);
    for laptop in [&ada, &bob] {
        laptop.co(&["sync"]);
        let shown = laptop.co(&["knowledge", "show", "people/kim", "--layer", "acme"]);
        assert!(shown.contains("On call."), "{}: {shown}", laptop.name);
    }
    let said = bob.fails(2, &["propose", "people/kim", "--to", "acme", "--yes"]);
    insta::assert_snapshot!(whole(&said), @"
    error: the layer acme already has people/kim
    hint: `co knowledge show people/kim --layer acme` shows it
    ");
}

#[test]
fn facts_and_documents_go_together_and_one_that_is_there_is_replaced_openly() {
    let world = World::new();
    let (url, _ada, bob) = team(&world);
    bob.co(&["learn", "Staging runs on moss"]);
    bob.co(&["knowledge", "write", "reference/deploys", "# Deploys\n\nGreen, then blue."]);
    let asked = bob.try_co(&["propose", "1", "reference/deploys", "--to", "acme"]);
    assert!(format!("{}{}", asked.out, asked.err).contains("replaces"), "{}", asked.err);
    let said = bob.co(&["propose", "1", "reference/deploys", "--to", "acme", "--yes"]);
    assert!(said.contains("1 fact and 1 document"), "{said}");
    let branch = branches(&url).pop().expect("a branch");
    let diff = git(&url, &["diff", "main", &branch]);
    for words in ["Staging runs on moss", "+Green, then blue.", "-Blue."] {
        assert!(diff.contains(words), "{words}: {diff}");
    }
    let again = bob.fails(2, &["propose", "1", "reference/deploys", "--to", "acme", "--yes"]);
    assert!(again.contains(&branch) && again.contains("already"), "{again}");
}

#[test]
fn who_may_write_saves_documents_at_once() {
    let world = World::new();
    let (url, ada, _bob) = team(&world);
    for topic in ["people/kim", "runbook", "reference/on-call"] {
        ada.co(&["knowledge", "write", topic, "# Page\n\nOn call.", "--tag", "ops"]);
        ada.co(&["propose", topic, "--to", "acme", "--yes"]);
        let shown = ada.co(&["knowledge", "show", topic, "--layer", "acme"]);
        assert!(shown.contains("On call."), "{topic}: {shown}");
    }
    assert!(branches(&url).is_empty());
}

#[test]
fn a_secret_and_what_is_not_there_are_not_proposed() {
    let world = World::new();
    let (url, _ada, bob) = team(&world);
    let text = "# Key\n\nThe token is ghp_9xKq2LmV7RtZ4WcY8NbJ3HdF6GsP1Qe05AuT\n";
    bob.write("knowledge/people/key.md", text);
    bob.fails(6, &["propose", "people/key", "--to", "acme", "--yes"]);
    bob.fails(5, &["propose", "people/nobody", "--to", "acme", "--yes"]);
    bob.fails(5, &["propose", "77", "--to", "acme", "--yes"]);
    assert!(branches(&url).is_empty());
}

#[test]
fn a_server_that_refuses_is_quoted_and_no_hint_leads_to_ones_own_remote() {
    let world = World::new();
    let (url, _ada, bob) = team(&world);
    bob.co(&["learn", "Staging runs on moss"]);
    let hook = url.join("hooks/pre-receive");
    fs::create_dir_all(url.join("hooks")).expect("a folder");
    fs::write(&hook, "#!/bin/sh\necho 'only the owners push' >&2\nexit 1\n").expect("written");
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).expect("a program");
    let said = bob.fails(8, &["propose", "1", "--to", "acme", "--yes"]);
    assert!(said.contains("only the owners push"), "{said}");
    fs::rename(&url, world.path("away.git")).expect("moved");
    for words in [
        ["propose", "1", "--to", "acme", "--yes"].as_slice(),
        &["sync", "--layer", "acme", "--require-remote"],
    ] {
        let said = bob.try_co(words);
        assert_ne!(said.code, 0, "{words:?}");
        assert!(!said.err.contains("identity remote"), "{words:?}: {}", said.err);
    }
    let said = bob.try_co(&["sync", "--layer", "acme", "--require-remote"]);
    assert!(said.err.contains("co layer show acme"), "{}", said.err);
}
