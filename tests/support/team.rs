//! A team's repository, who began it, and a member who may only read it.

use super::{Laptop, World, git, ready};
use std::fs;

/// The team's repository, with a fact and a document, and the laptop of who began it.
pub fn team(world: &World) -> (String, Laptop) {
    let url = world.path("team.git").display().to_string();
    git(world.dir.path(), &["init", "-q", "--bare", "-b", "main", "team.git"]);
    let ada = ready::laptop(world, "ada");
    ada.co(&["learn", "Ada's own garden needs water"]);
    ada.co(&["layer", "add", "acme", &url, "--write"]);
    ada.co(&["learn", "--layer", "acme", "Deploys of acme start on Tuesdays"]);
    ada.co(&[
        "knowledge",
        "write",
        "--layer",
        "acme",
        "reference/deploys",
        "# Deploys\n\nBlue, green.",
    ]);
    ada.co(&["sync", "--layer", "acme"]);
    (url, ada)
}

/// A member who may only read.
pub fn reader(world: &World, url: &str) -> Laptop {
    let bob = ready::laptop(world, "bob");
    bob.co(&["learn", "Bob's own kayak is red"]);
    bob.co(&["layer", "add", "acme", url]);
    bob
}

pub fn published(world: &World) -> String {
    let clone = world.path("look");
    let _ = fs::remove_dir_all(&clone);
    let from = world.path("team.git").display().to_string();
    git(world.dir.path(), &["clone", "-q", &from, "look"]);
    let files = super::tree(&clone);
    files
        .iter()
        .map(|(path, bytes)| format!("{path}\n{}", String::from_utf8_lossy(bytes)))
        .collect()
}
