//! Two laptops between which work goes on.

use super::{Laptop, World};
use std::path::Path;

/// Two that share an identity, each with a name of its own.
pub fn laptops(world: &World) -> (Laptop, Laptop) {
    let remote = world.remote();
    let a = world.laptop("a").with_env("HOSTNAME", "atlas");
    let b = world.laptop("b").with_env("HOSTNAME", "bolt");
    a.co(&["init", "--yes", "--name", "Ann"]);
    a.co(&["identity", "remote", &remote]);
    a.co(&["sync"]);
    b.co(&["init", &remote, "--yes"]);
    (a, b)
}

/// Runs co in a project.
pub fn in_project(a: &Laptop, project: &Path, arguments: &[&str]) -> String {
    a.co(&[&["-C", project.to_str().expect("a path")], arguments].concat())
}
