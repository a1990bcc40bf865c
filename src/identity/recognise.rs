//! Whether a folder, a commit or an archive contains an identity, nothing yet, or something else.
//!
//! Invariant: decided by paths alone; when in doubt it is something else, because co commits and
//! publishes what it takes for an identity.

use super::{
    Kind, RelPath, Role,
    kind::{self, MEMORIES},
    portable,
};
use std::collections::BTreeSet;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// Nothing, or only what a new repository starts with: a readme, a license.
    Nothing,
    /// There may be other notes next to it.
    Identity,
    /// The first few of its top-level names.
    Other(Vec<String>),
}

/// How many names [`Content::Other`] carries.
const FIRST: usize = 3;

/// What any repository or synced folder may contain, whatever its purpose; in lower case.
const NEUTRAL: &[&str] = &[
    "readme",
    "readme.md",
    "readme.txt",
    "license",
    "license.md",
    "license.txt",
    "licence",
    "copying",
    ".gitattributes",
    ".gitignore",
    ".gitkeep",
    ".editorconfig",
    ".github",
    ".gitlab-ci.yml",
    ".pre-commit-config.yaml",
    ".obsidian",
    ".vscode",
    ".idea",
    ".stfolder",
    ".stignore",
    ".stversions",
    ".dropbox",
    ".sync",
];

/// What only projects and dotfiles have at the top level; in lower case.
const PROJECT: &[&str] = &[
    "build.gradle",
    "build.gradle.kts",
    "build.zig",
    "cargo.toml",
    "cmakelists.txt",
    "composer.json",
    "configure.ac",
    "deno.json",
    "dockerfile",
    "gemfile",
    "go.mod",
    "jenkinsfile",
    "justfile",
    "makefile",
    "meson.build",
    "mix.exs",
    "node_modules",
    "package.json",
    "package.swift",
    "pom.xml",
    "pubspec.yaml",
    "pyproject.toml",
    "requirements.txt",
    "setup.py",
    "src",
    "tsconfig.json",
    "flake.nix",
    ".bash_profile",
    ".bashrc",
    ".config",
    ".emacs.d",
    ".gitconfig",
    ".profile",
    ".ssh",
    ".tmux.conf",
    ".vimrc",
    ".zshrc",
];

/// Extensions of source files at the top level; in lower case.
const CODE: &[&str] = &[
    ".c", ".cc", ".cpp", ".cs", ".go", ".h", ".ipynb", ".java", ".js", ".kt", ".lua", ".php",
    ".pl", ".py", ".rb", ".rs", ".scala", ".swift", ".ts", ".tsx",
];

/// With this many kinds of its files, a folder is an identity, whatever else it contains.
const MARKS: usize = 3;

pub fn content<'a>(paths: impl IntoIterator<Item = &'a RelPath>) -> Content {
    let mut marks = BTreeSet::new();
    let (mut ours, mut foreign, mut project) = <(BTreeSet<_>, BTreeSet<_>, BTreeSet<_>)>::default();
    for path in paths {
        marks.extend(path.row().proves);
        let (top, below) = path.as_str().split_once('/').map_or((path.as_str(), ""), |parts| parts);
        let folded = top.to_lowercase();
        if NEUTRAL.contains(&folded.as_str()) || portable::is_litter(path) {
            continue;
        }
        let is_code = below.is_empty() && CODE.iter().any(|end| folded.ends_with(end));
        let names = if PROJECT.contains(&folded.as_str()) || is_code {
            &mut project
        } else if portable::TOP.contains(&top) || is_of_agents(path) {
            &mut ours
        } else {
            &mut foreign
        };
        names.insert(if below.is_empty() { top.to_owned() } else { format!("{top}/") });
    }
    let first = |names: BTreeSet<String>| names.into_iter().take(FIRST).collect::<Vec<String>>();
    match (!marks.is_empty(), project.is_empty()) {
        (true, true) if are_enough(&marks) || foreign.is_empty() => Content::Identity,
        (true, true) => Content::Other(first(foreign)),
        (true, false) => Content::Other(first(project)),
        (false, true) if foreign.is_empty() && ours.is_empty() => Content::Nothing,
        (false, _) => Content::Other(first(&(&project | &foreign) | &ours)),
    }
}

/// Whether no further path can tell more, except one of a project.
pub fn is_certain<'a>(paths: impl IntoIterator<Item = &'a RelPath>) -> bool {
    are_enough(&paths.into_iter().filter_map(|path| path.row().proves).collect())
}

/// Only an identity has a folder of facts; a lone profile.md may belong to something else.
fn are_enough(marks: &BTreeSet<Kind>) -> bool {
    marks.contains(&Kind::Memory) || marks.len() >= MARKS
}

/// The folders in which a file can prove an identity. That of facts is the last, because it is the
/// largest by far.
pub fn proving_folders() -> Vec<&'static str> {
    let proving = kind::places().filter(|(_, row)| row.proves.is_some());
    let folders = proving.filter_map(|(place, _)| place.rfind('/').map(|end| &place[..=end]));
    let mut folders: Vec<&str> = folders.filter(|folder| *folder != MEMORIES).collect();
    folders.sort_unstable();
    folders.dedup();
    folders.push(MEMORIES);
    folders
}

/// `agents/NAME/PROJECT/x.md`, or a file of a skill; other programs also have folders called
/// `agents` or `skills`.
fn is_of_agents(path: &RelPath) -> bool {
    let deep = path.as_str().split('/').count();
    match path.role() {
        Role::Note => deep > 3,
        Role::Skill => deep > 2,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(paths: &[&str]) -> Content {
        let paths: Vec<RelPath> = paths.iter().map(|path| RelPath::known(path)).collect();
        content(&paths)
    }

    #[test]
    fn files_that_prove_an_identity_are_in_these_folders() {
        assert_eq!(proving_folders(), ["knowledge/", "profile/", "traits/", MEMORIES]);
    }

    #[test]
    fn an_identity_may_have_notes_beside_it() {
        assert_eq!(of(&["profile.md"]), Content::Identity);
        assert_eq!(
            of(&["knowledge/memories/001-a.md", "people/anna.md", "x.zip"]),
            Content::Identity
        );
        assert_eq!(of(&["profile.md", "agents/codex/p/a.md"]), Content::Identity);
        assert_eq!(of(&["profile.md", "skills/deploy/SKILL.md"]), Content::Identity);
        assert_eq!(of(&["README.md", ".obsidian/app.json", "traits/a.md"]), Content::Identity);
    }

    #[test]
    fn one_mark_makes_no_identity_of_a_folder_with_other_things() {
        let other = |paths: &[&str]| matches!(of(paths), Content::Other(_));
        assert!(other(&["profile.md", "passwords.txt"]));
        assert!(other(&["profile.md", "agents/reviewer.md"]));
        assert!(other(&["profile.md", "skills/deploy.md"]));
        assert!(other(&["profile/README.md", "workflow-templates/ci.yml"]));
        assert!(other(&["knowledge/context.md", "daily/monday.md"]));
        assert!(other(&["knowledge/memories/001-a.md", "main.py"]));
        let three = ["profile.md", "personality.md", "traits/a.md", "notes/x.md"];
        assert_eq!(of(&three), Content::Identity);
        let certain = |paths: &[&str]| {
            let paths: Vec<RelPath> = paths.iter().map(|path| RelPath::known(path)).collect();
            is_certain(&paths)
        };
        assert!(certain(&three) && certain(&["knowledge/memories/001-a.md"]));
        assert!(!certain(&three[1..]) && !certain(&["profile.md", "main.py"]));
    }

    #[test]
    fn a_new_repository_holds_nothing() {
        assert_eq!(of(&[]), Content::Nothing);
        assert_eq!(of(&["README.md", "LICENSE", ".gitignore", ".DS_Store"]), Content::Nothing);
        assert_eq!(of(&["knowledge/.gitkeep"]), Content::Nothing);
    }

    #[test]
    fn a_project_is_none_whatever_it_calls_its_files() {
        let other =
            |names: &[&str]| Content::Other(names.iter().map(ToString::to_string).collect());
        assert_eq!(
            of(&["Cargo.toml", "profile.md", "src/main.rs"]),
            other(&["Cargo.toml", "src/"])
        );
        assert_eq!(of(&[".bashrc", ".vimrc", "bin/x"]), other(&[".bashrc", ".vimrc", "bin/"]));
        assert_eq!(of(&["notes/a.md"]), other(&["notes/"]));
        assert_eq!(of(&["knowledge/howto.md"]), other(&["knowledge/"]));
        assert_eq!(of(&["passwd", "hosts", "ssh/x", "zsh/x"]), other(&["hosts", "passwd", "ssh/"]));
    }
}
