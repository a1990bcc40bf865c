//! Hooks that a person wrote for git.

use super::{Laptop, files::put};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

/// Places of hooks that `core.hooksPath` names: its scope, and a path in the identity's repository
/// or from the root.
pub const ELSEWHERE: [(&str, &str); 3] =
    [("--local", "../hooks"), ("--local", "/hooks"), ("--global", "/hooks")];

pub fn hook(file: &Path, text: &str) {
    put(file, text);
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).expect("executable");
}

/// Makes git look for hooks at such a place; the folder.
pub fn elsewhere(a: &Laptop, (scope, path): (&str, &str)) -> PathBuf {
    let folder = if path == "/hooks" { a.home.join("hooks") } else { a.config().join("hooks") };
    let value = if path == "/hooks" { folder.display().to_string() } else { path.to_owned() };
    if scope == "--local" {
        a.git(&["config", "core.hooksPath", &value]);
    } else {
        let config = format!("[core]\n\thooksPath = {value}\n");
        fs::write(a.home.join(".gitconfig"), config).expect("written");
    }
    folder
}
