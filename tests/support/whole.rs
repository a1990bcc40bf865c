//! The whole of what a command said, for a snapshot beside the command. Only what differs from run
//! to run has a name in its place: folders of the test, times of the clock, ports.

use super::folder;
use regex::Regex;
use std::{fs, path::absolute, sync::LazyLock};

/// What differs, and what stands for it.
static NAMED: LazyLock<[(Regex, &str); 3]> = LazyLock::new(|| {
    let time = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)";
    let rules = [
        (world(), "[world]"),
        (time.to_owned(), "[time]"),
        (r"\b127\.0\.0\.1:\d+\b".to_owned(), "127.0.0.1:[port]"),
    ];
    rules.map(|(what, name)| (Regex::new(&what).expect("a pattern"), name))
});

/// The folder of a world, as it was made and as its links resolve.
fn world() -> String {
    let places = folder::places().into_iter().flat_map(|place| {
        let made = absolute(&place).expect("a path");
        [Some(made), fs::canonicalize(place).ok()].into_iter().flatten()
    });
    let places: Vec<String> = places
        .map(|place| regex::escape(place.display().to_string().trim_end_matches('/')))
        .collect();
    format!(r"(?:{})/\.tmp[A-Za-z0-9]{{6}}", places.join("|"))
}

/// Screens and errors, as they are compared.
pub fn whole(said: &str) -> String {
    let mut said = said.trim_end().to_owned();
    for (what, name) in NAMED.iter() {
        said = what.replace_all(&said, *name).into_owned();
    }
    // A snapshot beside the command loses the spaces that all of its lines begin with.
    let is_indented = |line: &str| line.is_empty() || line.starts_with(' ');
    if said.contains('\n') && said.lines().all(is_indented) {
        said.insert_str(0, "[indented]\n");
    }
    said
}
