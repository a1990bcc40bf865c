//! What a path says by itself: whether its file belongs in an identity, is machine state that must
//! not travel, is litter, is one of git's own, or has a name that some system refuses.
//!
//! Invariant: pure rules on paths; the same for archives, `check` and anything from outside.

use super::{
    kind::{self, Role},
    path::RelPath,
};
use crate::foreign::Foreign;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

/// Why a file is machine state and must not travel, or `None`.
pub fn machine_state(path: &RelPath) -> Option<&'static str> {
    // Hot: nearly every file is a fact, and no name of one is below.
    if path.is_memory() {
        return None;
    }
    let (text, name) = (path.as_str(), path.name().to_lowercase());
    if is_litter(path) {
        return None;
    }
    let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    if matches!(name.as_str(), "id_rsa" | "id_ecdsa" | "id_ed25519" | "id_dsa")
        || ends(&[".pem", ".key", ".p12", ".pfx", ".keystore"])
    {
        return Some("a private key or certificate");
    }
    if matches!(
        name.as_str(),
        ".env" | ".netrc" | "credentials.json" | "auth.json" | ".credentials.json"
    ) {
        return Some("a credentials file");
    }
    if path.row().carries_anything {
        return None;
    }
    match text.split('/').next().unwrap_or_default() {
        "settings.json" => return Some("this laptop's settings"),
        "local" => return Some("co's own caches and databases"),
        "sessions" => return Some("this laptop's sessions"),
        "cache" | ".cache" => return Some("a cache"),
        _ => {}
    }
    ends(&[".db", ".db-wal", ".db-shm", ".db-journal", ".sqlite", ".sqlite3"])
        .then_some("a database")
}

/// Files that operating systems and editors leave in every folder; skipped, not refused.
pub fn is_litter(path: &RelPath) -> bool {
    let name = path.name();
    let is_swap = || {
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        name.starts_with('.') && ending.len() == 3 && ending.starts_with("sw")
    };
    matches!(name, ".DS_Store" | "Thumbs.db" | "desktop.ini" | ".gitkeep")
        || name.starts_with("._")
        || name.starts_with(".#")
        || name.ends_with('~')
        || (name.len() > 2 && name.starts_with('#') && name.ends_with('#'))
        || is_swap()
}

/// Folders that other programs fill, and nobody expects on another laptop.
const OTHERS_FOLDERS: &[&str] =
    &["__pycache__", "build", "cache", "caches", "dist", "node_modules", "target", "venv"];

/// Endings that editors and interpreters give to what they leave beside a file.
const LEFTOVERS: &[&str] =
    &[".bak", ".orig", ".pyc", ".pyo", ".rej", ".swo", ".swp", ".tmp", ".un~"];

/// Whether rules for git usually name such a file, whoever wrote them: what programs make of other
/// files, caches, leftovers, and everything in hidden folders.
pub fn is_usually_ignored(path: &RelPath) -> bool {
    let name = path.name().to_lowercase();
    let is_others = |part: &str| {
        let part = part.to_lowercase();
        part.starts_with('.') || OTHERS_FOLDERS.contains(&part.as_str())
    };
    is_litter(path)
        || path.folder().split_terminator('/').any(is_others)
        || name.starts_with(".co-")
        || LEFTOVERS.iter().any(|ending| name.ends_with(ending))
        || matches!(name.as_str(), ".directory" | ".eslintcache" | ".localized" | "icon\r")
}

/// The first part of each place in the table of kinds, and what its files mean.
fn tops() -> impl Iterator<Item = (&'static str, Role)> {
    kind::places().filter_map(|(place, row)| Some((place.split('/').next()?, row.role)))
}

/// Top-level names that are an identity's alone: other programs have folders for notes and skills,
/// too.
pub static TOP: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let own = tops().filter(|(_, role)| !matches!(role, Role::Note | Role::Skill));
    let mut names: Vec<&str> = own.map(|(name, _)| name).collect();
    names.sort_unstable();
    names.dedup();
    names
});

/// Folders of an identity that no kind of file is named for: of laptops, and of older versions.
const FOLDERS: &[&str] = &["hosts", "memories", "personality"];

/// Whether an identity has a file or folder of this name at its top; an archive's own top folder
/// has another name.
pub fn is_of_layout(name: &str) -> bool {
    FOLDERS.contains(&name) || tops().any(|(top, _)| top == name)
}

/// Names of devices on Windows, with any ending. Source: "Naming Files, Paths, and Namespaces" of
/// Microsoft.
pub fn is_device(part: &str) -> bool {
    let name = part.split('.').next().unwrap_or(part).trim_end();
    let is_one_of =
        |names: &[&str], name: &str| names.iter().any(|one| name.eq_ignore_ascii_case(one));
    let is_number = |letter: char| matches!(letter, '1'..='9' | '\u{b9}' | '\u{b2}' | '\u{b3}');
    match name.strip_suffix(is_number) {
        Some(port) => is_one_of(&["com", "lpt"], port),
        None => is_one_of(&["con", "conin$", "conout$", "prn", "aux", "nul"], name),
    }
}

/// Why a file from outside is not written under its name, or `None`.
pub fn unfit_name(path: &RelPath) -> Option<&'static str> {
    let parts = || path.as_str().split('/');
    if !parts().all(|part| Foreign(part).is_seen_whole()) {
        return Some("its name contains invisible characters");
    }
    parts().any(is_device).then_some("Windows reserves its name")
}

/// Paths that git would take for its own: `.gitmodules`, or a bare repository, whose config can run
/// commands as soon as git looks at the folder.
pub fn git_metadata<'a>(
    paths: impl Iterator<Item = &'a RelPath>,
) -> Vec<(&'a RelPath, &'static str)> {
    const BARE: [&str; 3] = ["head", "objects", "refs"];
    let mut found = Vec::new();
    let mut parts: BTreeMap<&str, (BTreeSet<&str>, Vec<&RelPath>)> = BTreeMap::new();
    for path in paths {
        if path.name().eq_ignore_ascii_case(".gitmodules") {
            found.push((
                path,
                "a list of git submodules; identities can contain only regular files",
            ));
        }
        let text = path.as_str();
        let starts = std::iter::once(0).chain(text.match_indices('/').map(|(at, _)| at + 1));
        for start in starts {
            let part = text[start..].split('/').next().unwrap_or_default();
            if let Some(bare) = BARE.iter().find(|bare| bare.eq_ignore_ascii_case(part)) {
                let (seen, files) = parts.entry(&text[..start]).or_default();
                seen.insert(bare);
                files.push(path);
            }
        }
    }
    for (seen, files) in parts.into_values() {
        if seen.len() == BARE.len() {
            found.extend(files.into_iter().map(|path| (path, "a part of a bare git repository")));
        }
    }
    found
}

/// Why a path from outside is refused, or `None`.
pub fn refused(path: &RelPath) -> Option<String> {
    if let Some(state) = machine_state(path) {
        return Some(format!("it is {state}, and is never synced"));
    }
    if path.as_str().split('/').any(|part| part.len() > 255) || path.as_str().len() > 1024 {
        return Some("its name is longer than file systems allow".to_owned());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_at_the_top() {
        let own = ["attachments", "knowledge", "personality.md", "profile", "profile.md", "traits"];
        assert_eq!(*TOP, own);
        let shared = ["agents", "hosts", "memories", "personality", "skills"];
        assert!(own.iter().chain(&shared).all(|name| is_of_layout(name)));
        assert!(!["", "notes", "traits.md", ".gitignore"].iter().any(|name| is_of_layout(name)));
    }

    #[test]
    fn leftovers_are_told_from_what_people_write() {
        let is_litter = |text: &str| is_litter(&RelPath::known(text));
        let left =
            [".#a.md", ".DS_Store", "a/._b.md", "notes.md~", ".notes.md.swp", ".x.swo", "#a.md#"];
        assert!(left.iter().all(|text| is_litter(text)));
        let written = ["a.md", ".gitattributes", "x.swp", "#", "##", "a#", ".swift", "a/~b.md"];
        assert!(!written.iter().any(|text| is_litter(text)));
    }

    #[test]
    fn what_programs_make_is_told_from_what_a_person_keeps() {
        let is_usual = |text: &str| is_usually_ignored(&RelPath::known(text));
        for text in [
            "build/a.o",
            "x/node_modules/y/index.js",
            "target/debug/co",
            ".venv/bin/python",
            ".obsidian/workspace.json",
            "notes/.trash/a.md",
            "Cache/a",
            ".DS_Store",
            "a.txt.swp",
            "report.txt.bak",
            ".co-note",
        ] {
            assert!(is_usual(text), "{text}");
        }
        for text in [
            "top-secret.txt",
            "knowledge/plan.pdf",
            "notes/secret.md",
            "builds.csv",
            "target.txt",
            ".plan",
            "rebuild/plan.txt",
        ] {
            assert!(!is_usual(text), "{text}");
        }
    }

    #[test]
    fn what_git_takes_for_its_own() {
        let found = |paths: &[&str]| {
            let paths: Vec<RelPath> = paths.iter().map(|path| RelPath::known(path)).collect();
            !git_metadata(paths.iter()).is_empty()
        };
        assert!(found(&["knowledge/.gitmodules"]));
        assert!(found(&["x/HEAD", "x/config", "x/objects/pack/a", "x/refs/heads/main"]));
        assert!(!found(&["x/HEAD", "y/objects/a", "x/refs"]));
        assert!(!found(&["profile.md", "knowledge/reference/objects/refs.md"]));
    }

    #[test]
    fn state_stays_and_identity_travels() {
        let state = |text: &str| machine_state(&RelPath::known(text)).is_some();
        for text in [
            "settings.json",
            "local/index.db",
            "sessions/1.jsonl",
            "knowledge/x.sqlite3",
            "keys/id_ed25519",
            "attachments/a.pem",
            ".env",
        ] {
            assert!(state(text), "{text}");
        }
        for text in [
            "profile.md",
            "knowledge/settings.json",
            "attachments/chinook.db",
            "knowledge/attachments/chinook.sqlite3",
            "knowledge/memories/001-local.md",
            "traits/sessions.md",
        ] {
            assert!(!state(text), "{text}");
        }
    }
}
