//! `co layer`: what can be added, in which order layers are listed, and what a removal leaves.

use crate::support::{
    World, ready,
    team::{published, reader, team},
};
use std::fs;

#[test]
fn a_removed_layer_leaves_its_folder() {
    let world = World::new();
    let (url, _ada) = team(&world);
    let bob = reader(&world, &url);
    let before = published(&world);
    bob.co(&["layer", "remove", "acme"]);
    assert!(!bob.co(&["list"]).contains("Tuesdays"));
    assert!(bob.config().join("layers/acme/knowledge").is_dir());
    assert_eq!(published(&world), before);
    bob.fails(5, &["layer", "remove", "acme"]);
}

#[test]
fn the_order_of_the_list_is_from_far_to_near() {
    let world = World::new();
    let bob = ready::laptop(&world, "bob");
    for name in ["one", "two", "three"] {
        bob.co(&["layer", "add", name, "--write"]);
    }
    bob.co(&["layer", "move", "three", "--before", "one"]);
    bob.co(&["layer", "move", "one", "--after", "two"]);
    let rows = bob.json(&["layer", "list"])["data"]["layers"].as_array().cloned().expect("rows");
    let names: Vec<&str> = rows.iter().filter_map(|row| row["name"].as_str()).collect();
    assert_eq!(names, ["three", "two", "one"]);
    bob.fails(2, &["layer", "move", "one", "--after", "one"]);
    bob.fails(5, &["layer", "move", "one", "--after", "four"]);
}

#[test]
fn names_and_patterns_that_mean_nothing_are_refused_when_they_are_added() {
    let world = World::new();
    let (url, _ada) = team(&world);
    let bob = ready::laptop(&world, "bob");
    for name in ["me", "all", "project", "people", "traits", "Acme", "a/b", "2x"] {
        bob.fails(2, &["layer", "add", name, &url]);
    }
    for (pattern, compared) in [
        ("work/**", "~/work"),
        ("./work", "whole paths"),
        ("~bob/work", "whole paths"),
        ("~/nowhere/**", "no folder"),
        ("file:///srv/team.git", "github.com/acme/app"),
        ("", "--for"),
    ] {
        let said = bob.fails(2, &["layer", "add", "acme", &url, "--for", pattern]);
        assert!(said.contains(compared), "{pattern}: {said}");
    }
    assert!(!bob.config().join("layers/acme").exists(), "nothing was fetched");
    let said = bob.try_co(&["layer", "add", "work", &url, "--instead"]);
    assert_eq!(said.code, 2, "{}", said.err);
}

#[test]
fn ones_own_identity_is_no_layer() {
    let world = World::new();
    let bob = world.laptop("bob");
    let remote = world.remote();
    bob.co(&["init", "--yes", "--remote", &remote]);
    bob.co(&["sync"]);
    let own = bob.identity().display().to_string();
    for target in [remote.as_str(), &own] {
        bob.fails(6, &["layer", "add", "acme", target, "--write"]);
    }
    let other = world.path("other");
    fs::create_dir_all(&other).expect("a folder");
    fs::write(other.join("main.c"), "int main;\n").expect("written");
    bob.fails(5, &["layer", "add", "acme", &other.display().to_string(), "--write"]);
    assert_eq!(bob.json(&["config", "get", "identity_path"])["data"]["origin"], "default");
}

#[test]
fn words_of_other_tools_lead_to_layers() {
    let world = World::new();
    let bob = ready::laptop(&world, "bob");
    for word in ["share", "team", "work", "private"] {
        let said = bob.try_co(&[word]);
        assert_eq!(said.code, 2, "{word}");
        assert!(said.err.contains("co layer add"), "{word}: {}", said.err);
        assert!(!said.err.contains("co identity remote"), "{word}: {}", said.err);
    }
    assert!(bob.co(&["help", "layers"]).contains("--instead"));
}
