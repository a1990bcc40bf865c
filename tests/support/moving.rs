//! An identity that is moved to another folder.

use super::{Laptop, World, git};
use std::path::Path;

/// A laptop with a published fact.
pub fn published(world: &World) -> (Laptop, String) {
    let (a, remote) = (world.laptop("a"), world.remote());
    a.co(&["init", "--yes", "--name", "Bin", "--remote", &remote]);
    a.co(&["learn", "Prefers tabs"]);
    a.co(&["sync"]);
    (a, remote)
}

pub fn moved(a: &Laptop, to: &Path) -> String {
    a.co(&["identity", "move", "--yes", &to.display().to_string()])
}

/// Whether what is learned now reaches the remote.
pub fn syncs(a: &Laptop, remote: &str, fact: &str) {
    a.co(&["learn", fact]);
    a.co(&["sync"]);
    let there = git(remote.as_ref(), &["grep", "-l", fact, "main"]);
    assert!(there.contains("knowledge/memories/"), "{there}");
}
