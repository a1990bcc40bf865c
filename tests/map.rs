//! The map of the sources, in `src/lib.rs` and CONTRIBUTING.md: what it names is there, and its
//! rooms are those of `architecture`, in that order. The verb that a file of `cli` names is the one
//! that it uses.
//!
//! Invariant: a name in backticks that looks like a path or a module is one.

use crate::architecture::ROOMS;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

fn read(path: impl AsRef<Path>) -> Option<String> {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).ok()
}

/// What is written in front of the code of `src/lib.rs`.
fn map() -> String {
    let lib = read("src/lib.rs").expect("readable");
    let written = lib.lines().map_while(|line| line.strip_prefix("//!"));
    written.map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line))).collect()
}

/// The picture of the rooms, and the text around it.
fn picture_and_text() -> (String, String) {
    let map = map();
    let (before, rest) = map.split_once("```text\n").expect("a picture");
    let (picture, after) = rest.split_once("```\n").expect("its end");
    (picture.to_owned(), format!("{before}\n{after}"))
}

/// From the top: what may use all others, first.
fn from_the_top() -> Vec<&'static str> {
    ROOMS.iter().rev().map(|(room, _)| *room).collect()
}

/// What stands between backticks, on one line each; `a::{b, c}` is two.
fn quoted(text: &str) -> Vec<String> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut all = Vec::new();
    for name in text.split('`').skip(1).step_by(2) {
        match name.split_once("::{").and_then(|(of, rest)| Some((of, rest.strip_suffix('}')?))) {
            Some((of, names)) => {
                all.extend(names.split(", ").map(|name| format!("{of}::{name}")));
            }
            None => all.push(name.to_owned()),
        }
    }
    all
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// The text of the file that a module is in.
fn module(parts: &[&str]) -> Option<String> {
    let path = format!("src/{}", parts.join("/"));
    read(format!("{path}.rs")).or_else(|| read(format!("{path}/mod.rs")))
}

/// The words of its code.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| line.split(|letter: char| !letter.is_alphanumeric() && letter != '_'))
}

/// Whether the last of these parts is a module, or what a module names.
fn is_there(name: &str) -> bool {
    let parts: Vec<&str> = name.split("::").collect();
    (1..=parts.len()).rev().any(|known| {
        let file = module(&parts[..known]);
        file.is_some_and(|file| {
            parts[known..].iter().all(|word| words(&file).any(|found| found == *word))
        })
    })
}

#[test]
fn the_picture_has_the_rooms_in_their_order() {
    let (picture, _) = picture_and_text();
    let mut rooms = Vec::new();
    for line in picture.lines() {
        // Two blanks end the names of a line.
        let named = line.split("  ").next().unwrap_or_default();
        let words = named.split([' ', ',']).filter(|word| !["", "→"].contains(word));
        rooms.extend(words.map(str::to_owned));
    }
    assert_eq!(rooms, from_the_top(), "src/lib.rs");
}

#[test]
fn the_table_has_the_rooms_in_their_order() {
    let text = read("CONTRIBUTING.md").expect("readable");
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `"));
    let cells = rows.filter_map(|row| Some(format!("`{}", row.split_once(" |")?.0)));
    let rooms: Vec<String> = cells.flat_map(|cell| quoted(&cell)).collect();
    assert_eq!(rooms, from_the_top(), "CONTRIBUTING.md");
}

#[test]
fn every_module_of_the_map_is_there() {
    let (_, text) = picture_and_text();
    let all = all_sources();
    let all: BTreeSet<&str> = words(&all).collect();
    let mut looked = 0;
    for name in quoted(&text) {
        let parts: Vec<&str> = name.split("::").collect();
        if !parts.iter().all(|part| is_word(part)) {
            continue;
        }
        let is_of_room = ROOMS.iter().any(|(room, _)| *room == parts[0]) && parts.len() > 1;
        let found = if is_of_room {
            is_there(&name)
        } else {
            module(&parts).is_some() || parts.iter().all(|word| all.contains(word))
        };
        assert!(found, "src/lib.rs: `{name}` is not there");
        looked += 1;
    }
    assert!(looked > 100, "{looked} names were read");
}

fn all_sources() -> String {
    sources_in("src").into_iter().map(|(_, text)| text).collect()
}

/// The sources in a folder and those below it, with their paths.
fn sources_in(folder: &str) -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, all: &mut Vec<(PathBuf, String)>) {
        let entries = fs::read_dir(folder).expect("a folder");
        for path in entries.map(|entry| entry.expect("an entry").path()) {
            if path.is_dir() {
                walk(&path, all);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(&path).expect("readable");
                all.push((path, text));
            }
        }
    }
    let mut all = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut all);
    all
}

#[test]
fn a_file_of_cli_uses_the_verb_that_it_names() {
    let mut looked = 0;
    for (path, text) in sources_in("src/cli") {
        let header: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("//!")).collect();
        let header = header.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
        let Some((_, named)) = header.split_once("The verb is `") else { continue };
        let verb = named.split('`').next().unwrap_or_default();
        let path = path.display();
        assert!(is_there(verb), "{path}: `{verb}` is not there");
        let used: BTreeSet<&str> = words(&text).collect();
        let is_used = verb.split("::").all(|part| used.contains(part));
        let room = format!("use crate::{}", verb.split("::").next().unwrap_or_default());
        assert!(is_used && text.contains(&room), "{path} does not use `{verb}`");
        looked += 1;
    }
    assert!(looked > 50, "{looked} files name a verb");
}

/// Names with a slash or an ending that are no files of the repository.
const NO_FILES: &[&str] = &["target/coverage/", "OWNER/co", "server.json"];

#[test]
fn every_file_that_is_named_is_there() {
    let contributing = read("CONTRIBUTING.md").expect("readable");
    let (_, map) = picture_and_text();
    let mut looked = 0;
    for (text, of) in [(contributing, "CONTRIBUTING.md"), (map, "src/lib.rs")] {
        for name in quoted(&text) {
            let name = name.split(' ').next().unwrap_or_default();
            let is_path = name.contains('/')
                || [".rs", ".md", ".sh", ".py", ".json"].iter().any(|end| name.ends_with(end));
            let is_pattern =
                name.contains(|letter: char| "*<>{}:".contains(letter)) || name.contains("NAME");
            // What an identity has is on laptops.
            let is_ours = ["src/", "tests/", "docs/", "scripts/", "packaging/", ".ci/", ".github/"]
                .iter()
                .any(|folder| name.starts_with(folder));
            let is_meant = is_ours || of == "CONTRIBUTING.md";
            if !is_path || is_pattern || !is_meant || NO_FILES.contains(&name) {
                continue;
            }
            let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
            assert!(file.exists(), "{of}: {name} is not there");
            looked += 1;
        }
    }
    assert!(looked > 10, "{looked} names were read");
}
