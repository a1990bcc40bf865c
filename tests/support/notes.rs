//! The places where agents keep notes.

use super::Laptop;
use std::path::{Path, PathBuf};

/// Where Claude Code keeps the notes of a work tree.
pub fn folder(laptop: &Laptop, project: &Path) -> PathBuf {
    let path = project.canonicalize().expect("a project");
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
    let name: String = path.to_str().expect("a path").chars().map(plain).collect();
    laptop.home.join(".claude/projects").join(name).join("memory")
}
