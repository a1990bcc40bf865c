//! Editors that a person might use, and what co keeps of a text that was typed into one.

use super::Laptop;
use std::fs;

/// The laptop with an editor that runs these lines; `$co` is co, `$1` the file.
pub fn editor(a: &Laptop, lines: &str) -> Laptop {
    let script = a.home.join("editor.sh");
    let co = assert_cmd::cargo::cargo_bin("co");
    fs::write(&script, format!("co='{}'\n{lines}\n", co.display())).expect("written");
    a.with_env("EDITOR", &format!("sh {}", script.display()))
}

/// The texts that were kept.
pub fn kept(a: &Laptop) -> Vec<String> {
    let Ok(listed) = fs::read_dir(a.config().join("local/unsaved")) else { return Vec::new() };
    let files = listed.flatten().map(|entry| entry.path());
    files.map(|file| fs::read_to_string(file).expect("text")).collect()
}
