//! After days of use nothing of an identity lies on its sealed remote in clear: every object there
//! is unpacked and searched for any 12 bytes of what the laptops have.
//!
//! `CO_SEALED_DAYS=30` plays a month; a few days otherwise.

use crate::support::{
    Laptop, World, git,
    pair::{assert_agree, sync},
    sealed::{empty, with_key},
};
use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The least that may not be found.
const LEAST: usize = 12;
const PEOPLE: [&str; 3] = ["sarah-lindqvist", "tomas-eriksson", "priya-raghavan"];

#[test]
fn nothing_of_days_of_use_is_on_the_remote_in_clear() {
    let world = World::new();
    let url = empty(&world, "sealed.git");
    let days = std::env::var("CO_SEALED_DAYS").ok().and_then(|text| text.parse().ok()).unwrap_or(4);
    let (a, b) = (with_key(&world.laptop("atlas-of-bin")), with_key(&world.laptop("borg-at-work")));
    a.co(&["init", "--yes", "--name", "Bin Chen-Okonkwo", "--timezone", "Europe/Berlin"]);
    a.co(&["learn", "Prefers spaces to tabs in all languages"]);
    a.co(&["seal", "on", &url, "--yes"]);
    b.co(&["init", &url, "--yes"]);
    for day in 0..days {
        lives(&a, &b, day);
    }
    sync(&[&a, &b, &a]);
    assert_agree(&[&a, &b]);
    let public = fs::read(public_readme(&world, &url)).expect("the README of the remote");
    let mut secret = HashSet::new();
    for laptop in [&a, &b] {
        windows_of(laptop, &mut secret);
    }
    for window in public.windows(LEAST) {
        secret.remove(window);
    }
    assert!(secret.len() > 1_000, "there is something to look for: {}", secret.len());
    let there = everything(Path::new(&url));
    for (what, bytes) in &there {
        let found = bytes.windows(LEAST).find(|window| secret.contains(*window));
        let found = found.map(|window| String::from_utf8_lossy(window).into_owned());
        assert_eq!(found, None, "{what} on the remote");
    }
    // What is shorter, whole.
    for name in ["atlas-of-bin", "borg-at-work", "Chen-Oko", "languages", "eriksson", "Europe/"] {
        let is_in = |bytes: &[u8]| bytes.windows(name.len()).any(|found| found == name.as_bytes());
        assert!(!there.iter().any(|(_, bytes)| is_in(bytes)), "{name} is on the remote");
    }
    // The search finds what is in clear.
    let plain = world.remote();
    git(&a.identity(), &["push", "--quiet", &plain, "HEAD:main"]);
    let is_found = |bytes: &[u8]| bytes.windows(LEAST).any(|window| secret.contains(window));
    assert!(everything(Path::new(&plain)).iter().any(|(_, bytes)| is_found(bytes)));
}

/// A day of two laptops, with something of each kind.
fn lives(a: &Laptop, b: &Laptop, day: usize) {
    let clock = format!("2026-11-{:02}T08:00:00Z", 1 + day % 28);
    let (a, b) = (&a.with_env("CO_TEST_CLOCK", &clock), &b.with_env("CO_TEST_CLOCK", &clock));
    let who = PEOPLE[day % PEOPLE.len()];
    let fact = format!("Met {who} about the budget of quarter {day} in Gothenburg");
    a.co(&["learn", &fact, "--tag", "quarterly-budget"]);
    let topic = format!("people/{who}");
    let text = format!("On day {day} {who} leads the platform team.\n\nSee the whiteboard.");
    a.co(&["knowledge", "write", &format!("{topic}-{day}"), &text]);
    b.co(&["learn", &format!("Learned at work on day {day}: the violoncello needs strings")]);
    a.write(
        "traits/voice/tone.md",
        &format!(
            "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n# Tone\n\n- Dry on day {day}\n"
        ),
    );
    sync(&[a, b, a]);
    match day % 4 {
        0 => drop(a.co(&["seal", "rotate"])),
        1 => {
            drop(b.co(&["memory", "edit", "1", &format!("Prefers spaces since day {day}, always")]))
        }
        2 => drop(a.co(&["seal", "repack"])),
        _ => drop(b.co(&["forget", &fact, "--yes"])),
    }
}

fn public_readme(world: &World, url: &str) -> PathBuf {
    let tree = world.path("public");
    git(&world.path("."), &["clone", "--quiet", url, &tree.display().to_string()]);
    tree.join("README.md")
}

/// All that a laptop's history says: texts, names, messages, people.
fn windows_of(laptop: &Laptop, secret: &mut HashSet<Vec<u8>>) {
    let identity = laptop.identity();
    let blobs = objects(&identity).into_iter().filter(|(kind, _)| kind == "blob");
    let mut texts: Vec<Vec<u8>> = blobs.map(|(_, bytes)| bytes).collect();
    let commits = laptop.git(&["log", "--all", "--format=%an%n%ae%n%cn%n%ce%n%B%n%H"]);
    let paths = laptop.git(&["log", "--all", "--name-only", "--format="]);
    texts.extend(commits.lines().chain(paths.lines()).map(|line| line.as_bytes().to_vec()));
    for text in texts {
        secret.extend(text.windows(LEAST).map(<[u8]>::to_vec));
    }
}

/// All objects with their kinds, unpacked, reachable or not.
fn objects(repository: &Path) -> Vec<(String, Vec<u8>)> {
    let all =
        ["cat-file", "--batch-all-objects", "--unordered", "--batch=%(objecttype) %(objectsize)"];
    let output = Command::new("git").args(all).current_dir(repository).output();
    let bytes = output.expect("git runs").stdout;
    let (mut rest, mut found) = (&bytes[..], Vec::new());
    while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
        let line = String::from_utf8_lossy(&rest[..end]).into_owned();
        let (kind, size) = line.split_once(' ').expect("two words");
        let size: usize = size.parse().expect("a size");
        found.push((kind.to_owned(), rest[end + 1..][..size].to_vec()));
        rest = &rest[end + 1 + size + 1..];
    }
    assert!(!found.is_empty(), "there are objects");
    found
}

/// All objects of a bare repository, and its files that are none.
fn everything(repository: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = objects(repository);
    for file in crate::support::tree(repository) {
        // Samples of hooks are git's, and so is how it describes itself.
        let is_gits = ["objects/", "hooks/", "info/exclude", "description", "config"];
        if !is_gits.iter().any(|head| file.0.starts_with(head)) {
            all.push(file);
        }
    }
    all
}
