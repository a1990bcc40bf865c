//! The committed man pages and completions are those that the program generates. `CO_BLESS=1`
//! writes them.

use crate::support::World;
use clap::ValueEnum;
use std::{fs, path::Path};

fn compare(folder: &str, files: &[(String, String)]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let bless = std::env::var_os("CO_BLESS").is_some();
    for (name, text) in files {
        let file = folder.join(name);
        if bless {
            fs::create_dir_all(&folder).expect("a folder");
            fs::write(&file, text).expect("written");
        }
        let committed = fs::read_to_string(&file).unwrap_or_default();
        assert!(committed == *text, "{} is stale: CO_BLESS=1 cargo test generated", file.display());
    }
    let known: Vec<&String> = files.iter().map(|(name, _)| name).collect();
    for entry in fs::read_dir(&folder).expect("a folder") {
        let name = entry.expect("an entry").file_name().into_string().expect("a name");
        assert!(known.contains(&&name), "{folder:?}/{name} is made by nobody");
    }
}

#[test]
fn man_pages() {
    compare("man", &co_cli::cli::man_pages());
}

#[test]
fn completions() {
    use co_cli::cli::{Shell, completions};
    let file = |shell: &Shell| (shell.file().to_owned(), completions(*shell));
    // That of nushell is no script that asks co, but a list of everything: it is made when wanted.
    let asking = Shell::value_variants().iter().filter(|shell| **shell != Shell::Nushell);
    let files: Vec<(String, String)> = asking.map(file).collect();
    compare("completions", &files);
    assert!(completions(Shell::Nushell).contains("export extern \"co learn\""));
    // A file on zsh's fpath is the function itself, and has to answer its first call.
    let zsh = completions(Shell::Zsh);
    assert!(zsh.starts_with("#compdef co\n") && zsh.contains("$funcstack[1]"), "{zsh}");
}

#[test]
fn the_program_prints_what_is_committed() {
    let world = World::new();
    let laptop = world.laptop("a");
    let committed = |file: &str| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        fs::read_to_string(folder.join(file)).expect("a page")
    };
    assert_eq!(laptop.co(&["man"]), committed("man/co.1"));
    assert_eq!(laptop.co(&["man", "config", "set"]), committed("man/co-config-set.1"));
    // A long form has the page of the short one.
    assert_eq!(laptop.co(&["man", "memory", "save"]), committed("man/co-learn.1"));
    assert_eq!(laptop.co(&["completions", "fish"]), committed("completions/co.fish"));
    let options = laptop.co(&["help", "options"]);
    for option in ["--json", "--help", "--version"] {
        assert!(options.contains(option), "{options}");
    }
}
