//! One word for one thing, in what people read. CONTRIBUTING.md has the list.

use std::{fs, path::Path};

/// What is called otherwise, and how.
const OTHERWISE: &[(&[&str], &str)] = &[
    (&["machine", "machines"], "laptop"),
    (&["publish", "publishes", "published", "publishing", "unpublished"], "push"),
    (&["assistant", "assistants"], "agent"),
];

fn pages() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = vec![root.join("README.md"), root.join("LIMITS.md")];
    for folder in ["docs", "man"] {
        let entries = fs::read_dir(root.join(folder)).expect("a folder");
        let files = entries.map(|entry| entry.expect("an entry").path());
        paths.extend(
            files.filter(|path| path.extension().is_some_and(|end| end == "md" || end == "1")),
        );
    }
    let read = |path: std::path::PathBuf| {
        let text = fs::read_to_string(&path).expect("readable");
        (path.display().to_string(), text)
    };
    paths.into_iter().map(read).collect()
}

#[test]
fn one_word_for_one_thing() {
    let pages = pages();
    assert!(pages.len() > 60, "{} pages were read", pages.len());
    for (path, text) in &pages {
        // `machine-local`, `machine-state` and `machine::` are names.
        let is_part = |letter: char| letter.is_alphanumeric() || "-_:".contains(letter);
        for line in text.lines() {
            for word in line.split(|letter: char| !is_part(letter)) {
                let lower = word.to_lowercase();
                for (others, ours) in OTHERWISE {
                    assert!(!others.contains(&lower.as_str()), "{path}: {word} → {ours}: {line}");
                }
            }
        }
    }
}
