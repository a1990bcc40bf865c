//! A laptop with the homes of agents, and what `co agent` makes of them.

use super::{Laptop, World, files, tree};
use std::fs;

/// A laptop without the machine's own agents on its PATH.
pub fn laptop(world: &World, name: &str) -> Laptop {
    let a = world.laptop(name).with_env("PATH", "/usr/bin:/bin");
    a.co(&["init", "--yes", "--name", "Ada"]);
    a
}

pub fn put(a: &Laptop, path: &str, text: &str) {
    files::put(&a.home.join(path), text);
}

pub fn text(a: &Laptop, path: &str) -> String {
    fs::read_to_string(a.home.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every file of the home but co's own, with its bytes.
pub fn home(a: &Laptop) -> Vec<(String, Vec<u8>)> {
    tree(&a.home).into_iter().filter(|(path, _)| !path.starts_with(".config/co-cli/")).collect()
}

pub fn install(a: &Laptop, names: &[&str]) -> String {
    a.co(&[&["agent", "install"], names, &["--yes"]].concat())
}

pub fn uninstall(a: &Laptop, names: &[&str]) -> String {
    a.co(&[&["agent", "uninstall"], names, &["--yes"]].concat())
}
