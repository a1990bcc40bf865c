//! Laptops that are set up, as most tests begin, and the remote beside them.

use super::{Laptop, World, git};
use std::path::{Path, PathBuf};

/// A laptop with an empty identity.
pub fn laptop(world: &World, name: &str) -> Laptop {
    let laptop = world.laptop(name);
    laptop.co(&["init", "--yes"]);
    laptop
}

/// A laptop that learned these facts.
pub fn remembering(world: &World, facts: &[&str]) -> Laptop {
    let a = laptop(world, "a");
    for fact in facts {
        a.co(&["learn", fact]);
    }
    a
}

/// A laptop with an identity that has a name.
pub fn named(world: &World) -> Laptop {
    let a = world.laptop("a");
    a.co(&["init", "--yes", "--name", "Ada"]);
    a
}

/// A laptop with a fact, and a remote that has nothing yet.
pub fn with_remote(world: &World) -> Laptop {
    let a = world.laptop("a");
    a.co(&["init", "--yes", "--name", "Bin", "--remote", &world.remote()]);
    a.co(&["learn", "A good fact"]);
    a
}

/// The repository of [`World::remote`].
pub fn bare(world: &World) -> PathBuf {
    world.path("remote.git")
}

/// The files that a remote has.
pub fn published(remote: &Path) -> Vec<String> {
    let names =
        git(remote, &["-c", "core.quotePath=false", "ls-tree", "-r", "--name-only", "main"]);
    names.lines().map(str::to_owned).collect()
}
