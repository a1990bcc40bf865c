//! Man pages and completions are committed; they must be what the definition says. `CO_BLESS=1`
//! writes them.

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
