//! The places where agents keep notes.

use super::{Laptop, World};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Where Claude Code keeps the notes of a work tree.
pub fn folder(laptop: &Laptop, project: &Path) -> PathBuf {
    let path = project.canonicalize().expect("a project");
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
    let name: String = path.to_str().expect("a path").chars().map(plain).collect();
    laptop.home.join(".claude/projects").join(name).join("memory")
}

/// Two laptops that share Claude Code's notes. The first learned these facts before.
pub fn sharing(world: &World, facts: &[&str]) -> (Laptop, Laptop) {
    let remote = world.remote();
    let (a, b) = (world.laptop("a"), world.laptop("b"));
    for laptop in [&a, &b] {
        fs::create_dir_all(laptop.home.join(".claude")).expect("a folder");
    }
    a.co(&["init", "--yes", "--name", "Ann"]);
    for fact in facts {
        a.co(&["learn", fact]);
    }
    a.co(&["identity", "remote", &remote]);
    a.co(&["sync"]);
    b.co(&["init", &remote, "--yes"]);
    for laptop in [&a, &b] {
        laptop.co(&["agent", "install", "claude-code", "--notes", "--yes"]);
    }
    (a, b)
}
