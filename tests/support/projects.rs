//! Projects that a person works on.

use super::{Laptop, git};
use std::{fs, path::PathBuf};

/// A clone of the project at this address, in the laptop's home.
pub fn clone(a: &Laptop, path: &str, url: &str) -> PathBuf {
    let project = a.home.join(path);
    fs::create_dir_all(&project).expect("a folder");
    git(&project, &["init", "-q", "-b", "main"]);
    git(&project, &["remote", "add", "origin", url]);
    project
}
