//! Links the program so that it starts quickly, and prepares the embedder's vocabulary for
//! look-ups.
#![allow(clippy::disallowed_methods, reason = "cargo tells a build script through the environment")]

#[path = "src/recall/slot.rs"]
mod slot;

use std::{env, fs, path::Path, process::Command};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=models/vocab.txt");
    println!("cargo:rerun-if-changed=src/recall/slot.rs");
    let target = |key: &str| env::var(format!("CARGO_CFG_TARGET_{key}")).unwrap_or_default();
    // A position-independent program adjusts 77,000 addresses at every start, which copies all 390
    // pages that they are on: a quarter of the start. Libraries, stack and heap stay where chance
    // puts them.
    if target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo:rustc-link-arg-bins=-no-pie");
        link_unwinder();
    }
    let out = env::var("OUT_DIR").expect("because cargo sets it");
    vocabulary(Path::new("models/vocab.txt"), Path::new(&out));
    println!("cargo:rustc-env=CO_SHOWN_VERSION={}", version());
}

/// Puts what unwinds a panic into the program, where the compiler here has it as an archive. As a
/// library of the system it is found, mapped and set up at each start: a tenth of it.
fn link_unwinder() {
    let target = env::var("TARGET");
    if target.is_err() || target != env::var("HOST") {
        return;
    }
    let Ok(found) = Command::new("cc").arg("-print-file-name=libgcc_eh.a").output() else {
        return;
    };
    let archive = String::from_utf8_lossy(&found.stdout).trim().to_owned();
    // A compiler without it prints the name alone.
    let archive = Path::new(&archive);
    if let Some(folder) = archive.parent().filter(|_| archive.is_absolute() && archive.exists()) {
        println!("cargo:rustc-link-search=native={}", folder.display());
        println!("cargo:rustc-link-lib=static:-bundle=gcc_eh");
    }
}

/// A release also names the commit that it was built from, as `1.0.0 (3e104a81d)`.
fn version() -> String {
    let version = env::var("CARGO_PKG_VERSION").expect("because cargo sets it");
    if env::var("PROFILE").is_ok_and(|profile| profile != "release") {
        return version;
    }
    match commit() {
        Some(commit) => format!("{version} ({})", &commit[..9]),
        None => version,
    }
}

/// From what cargo writes into a package that it publishes, or from the repository.
fn commit() -> Option<String> {
    let text = fs::read_to_string(".cargo_vcs_info.json").ok().or_else(head)?;
    let is_hash = |word: &&str| word.len() >= 40 && word.chars().all(|c| c.is_ascii_hexdigit());
    text.split(|c: char| !c.is_ascii_alphanumeric()).find(is_hash).map(str::to_owned)
}

fn head() -> Option<String> {
    // A repository around this folder is another project's.
    if !Path::new(".git").exists() {
        return None;
    }
    for file in [".git/HEAD", ".git/logs/HEAD"].into_iter().filter(|file| Path::new(file).exists())
    {
        println!("cargo:rerun-if-changed={file}");
    }
    let output = Command::new("git").args(["rev-parse", "HEAD"]).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// `vocab.slots`: a hash table of the ids of the tokens (u16); `vocab.starts`: where each token
/// begins in the text, by id (u32). Both little-endian: nothing is built at run time.
fn vocabulary(list: &Path, out: &Path) {
    let text = fs::read_to_string(list).expect("because the vocabulary belongs to the project");
    let tokens: Vec<&str> = text.split_terminator('\n').collect();
    let mut slots = vec![slot::FREE; slot::SLOTS];
    for (id, token) in (0..).zip(&tokens) {
        let mut at = slot::first(token.as_bytes());
        while slots[at] != slot::FREE {
            at = (at + 1) % slot::SLOTS;
        }
        slots[at] = id;
    }
    let mut at = 0_u32;
    let mut starts = Vec::new();
    for token in &tokens {
        starts.extend(at.to_le_bytes());
        at += token.len() as u32 + 1;
    }
    starts.extend(at.to_le_bytes());
    let slots: Vec<u8> = slots.into_iter().flat_map(u16::to_le_bytes).collect();
    fs::write(out.join("vocab.slots"), slots).expect("because cargo's folder is writable");
    fs::write(out.join("vocab.starts"), starts).expect("because cargo's folder is writable");
}
