//! Skills that an agent changed where it found them, and skills of a layer: what is the person's to
//! take over or to agree to is named, and nothing of it is lost or used by itself.

use crate::support::{
    Laptop, World, git,
    pair::{pair, sync},
    ready,
    skills::{accept, waiting},
    whole::whole,
};
use serde_json::Value;
use std::{fs, path::Path, path::PathBuf};

const TEXT: &str = "---\nname: deploy\ndescription: Deploys to staging.\n---\n\nRun it.\n";

fn folder(laptop: &Laptop, name: &str, text: &str) -> PathBuf {
    let folder = laptop.home.join(name);
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("SKILL.md"), text).expect("written");
    folder
}

fn add(laptop: &Laptop, folder: &Path, more: &[&str]) -> String {
    laptop.co(&[&["skill", "add", folder.to_str().expect("a path")], more].concat())
}

fn listed(laptop: &Laptop) -> Value {
    laptop.json(&["skill", "list"])["data"]["skills"][0].clone()
}

#[cfg(unix)]
#[test]
fn what_an_agent_changed_in_place_is_named_until_it_is_adopted() {
    let world = World::new();
    let (a, b) = pair(&world);
    add(&a, &folder(&a, "deploy", TEXT), &[]);
    a.co(&["agent", "install", "claude-code", "codex", "--skills", "--yes"]);
    // Its texts are for agents: it is told once, by its name.
    insta::assert_snapshot!(whole(&a.co(&["sync"])), @"
    Synced with origin ([world]/remote.git).
      skill             deploy  (here)
    3 facts.
    ");
    let place = a.home.join(".claude/skills/deploy");
    let text = place.join("SKILL.md");
    // Left behind by an interpreter, it is no change.
    fs::create_dir_all(place.join("__pycache__")).expect("a folder");
    fs::write(place.join("__pycache__/x.pyc"), "x").expect("written");
    insta::assert_snapshot!(whole(&a.co(&["sync"])), @"Up to date.");
    let kinds: [(&str, &dyn Fn()); 4] = [
        ("a word", &|| fs::write(&text, TEXT.replace("Run", "Walk")).expect("written")),
        ("a new file", &|| fs::write(place.join("more.md"), "More.\n").expect("written")),
        ("less", &|| fs::remove_file(place.join("more.md")).expect("removed")),
        ("nothing", &|| fs::write(&text, "").expect("written")),
    ];
    for (what, change) in kinds {
        change();
        let now = fs::read_to_string(&text).expect("a text");
        let said = a.co(&["sync"]);
        let is_sound = !now.is_empty();
        assert!(said.contains("An agent here changed in place: deploy."), "{what}: {said}");
        assert!(said.contains("co skill adopt"), "{what}: {said}");
        let edited = listed(&a)["edited"].to_string();
        assert!(edited.contains(".claude/skills/deploy"), "{what}: {edited}");
        assert!(a.co(&["skill", "list"]).contains("co skill adopt deploy"), "{what}");
        if is_sound {
            a.co(&["skill", "adopt", "--yes"]);
            assert_eq!(a.read("skills/deploy/SKILL.md"), now, "{what}");
            assert!(!a.co(&["sync"]).contains("changed in place"), "{what}");
            assert_eq!(listed(&a)["edited"], serde_json::json!([]), "{what}");
        }
    }
    sync(&[&b]);
    assert!(b.read("skills/deploy/SKILL.md").contains("Walk"));
}

#[cfg(unix)]
#[test]
fn a_newer_version_does_not_hide_what_an_agent_changed() {
    let world = World::new();
    let (a, b) = pair(&world);
    let place = folder(&a, "deploy", TEXT);
    add(&a, &place, &[]);
    sync(&[&a, &b]);
    accept(&b, &waiting(&b)[0]);
    b.co(&["agent", "install", "codex", "--skills", "--yes"]);
    let text = b.home.join(".agents/skills/deploy/SKILL.md");
    fs::write(&text, TEXT.replace("Run", "Walk")).expect("written");
    fs::write(place.join("SKILL.md"), TEXT.replace("Run", "Fly")).expect("written");
    add(&a, &place, &[]);
    sync(&[&a, &b]);
    accept(&b, &waiting(&b)[0]);
    assert!(fs::read_to_string(&text).expect("a text").contains("Walk"));
    assert!(b.co(&["sync"]).contains("An agent here changed in place: deploy."));
    // Adopted and taken back, agents have what was agreed to.
    b.co(&["skill", "adopt", "--yes"]);
    assert!(b.read("skills/deploy/SKILL.md").contains("Walk"));
    b.co(&["undo"]);
    assert!(b.read("skills/deploy/SKILL.md").contains("Fly"));
    assert!(fs::read_to_string(&text).expect("a text").contains("Fly"));
    assert!(!b.co(&["sync"]).contains("changed in place"));
}

#[test]
fn a_skill_of_a_layer_waits_for_each_member() {
    let world = World::new();
    git(world.dir.path(), &["init", "-q", "--bare", "-b", "main", "team.git"]);
    let url = world.path("team.git").display().to_string();
    let (ada, bob) = (ready::laptop(&world, "ada"), ready::laptop(&world, "bob"));
    ada.co(&["layer", "add", "acme", &url, "--write"]);
    let place = folder(&ada, "deploy", TEXT);
    add(&ada, &place, &["--layer", "acme"]);
    // Whoever added it here agreed to it here.
    ada.co(&["agent", "install", "codex", "--skills", "--yes"]);
    assert!(ada.home.join(".agents/skills/deploy/SKILL.md").exists());
    ada.co(&["sync"]);
    bob.co(&["agent", "install", "codex", "--skills", "--yes"]);
    bob.co(&["layer", "add", "acme", &url]);
    let link = bob.home.join(".agents/skills/deploy");
    assert!(!link.exists() && listed(&bob)["state"] == "waiting", "{}", listed(&bob));
    assert_eq!(listed(&bob)["layer"], "acme");
    assert!(bob.co(&["skill", "list"]).contains("(of acme)"));
    let asked = waiting(&bob);
    let why = asked[0]["why"].as_str().expect("a reason");
    assert!(why.contains("of the layer acme") && !why.contains("programs"), "{why}");
    accept(&bob, &asked[0]);
    assert_eq!(fs::read_to_string(link.join("SKILL.md")).expect("there"), TEXT);
    // Another version waits, with what in it can run; the agreed one stays.
    fs::write(place.join("run.sh"), "#!/bin/sh\n").expect("written");
    add(&ada, &place, &["--layer", "acme"]);
    ada.co(&["sync"]);
    assert!(bob.co(&["sync"]).contains("1 skill waits for your answer: deploy"));
    assert!(!link.join("run.sh").exists() && link.join("SKILL.md").exists());
    assert!(waiting(&bob)[0]["why"].to_string().contains("with programs of the layer acme"));
    // It is the team's: a member removes it from no one, and has one of the name instead.
    let said = bob.fails(6, &["skill", "remove", "deploy"]);
    assert!(said.contains("belongs to the layer acme"), "{said}");
    add(&bob, &folder(&bob, "mine", &TEXT.replace("Run", "Walk")), &[]);
    assert!(fs::read_to_string(link.join("SKILL.md")).expect("there").contains("Walk"));
    assert_eq!(listed(&bob)["layer"], Value::Null);
    assert!(!bob.texts().contains("Run it."));
    bob.co(&["skill", "remove", "deploy"]);
    let asked = waiting(&bob);
    assert!(asked[0]["why"].to_string().contains("of the layer acme"));
    // What a member removed is gone, also while the team's waits.
    assert!(!link.is_symlink(), "{}", listed(&bob));
    bob.co(&["sync"]);
    assert!(!link.is_symlink(), "{}", listed(&bob));
    accept(&bob, &asked[0]);
    assert!(link.join("run.sh").exists());
    // Without the layer it is gone.
    bob.co(&["layer", "remove", "acme"]);
    assert!(!link.is_symlink() && listed(&bob).is_null());
}

#[test]
fn a_layer_of_some_places_gives_agents_no_skill_everywhere() {
    let world = World::new();
    git(world.dir.path(), &["init", "-q", "--bare", "-b", "main", "team.git"]);
    let url = world.path("team.git").display().to_string();
    let ada = ready::laptop(&world, "ada");
    let work = ada.home.join("work");
    fs::create_dir_all(&work).expect("a folder");
    ada.co(&["layer", "add", "acme", &url, "--write", "--for", "~/work/**"]);
    ada.co(&["agent", "install", "codex", "--skills", "--yes"]);
    let place = folder(&ada, "deploy", TEXT).display().to_string();
    let work = work.display().to_string();
    ada.co(&["-C", &work, "skill", "add", &place, "--layer", "acme"]);
    for at in [".", work.as_str()] {
        ada.co(&["-C", at, "sync"]);
        assert!(!ada.home.join(".agents/skills/deploy").exists(), "{at}");
        assert!(ada.json(&["-C", at, "skill", "list"])["data"]["skills"][0].is_null(), "{at}");
    }
    let said = ada.co(&["-C", &work, "skill", "list", "--layer", "acme"]);
    assert!(said.contains("deploy"), "{said}");
}
