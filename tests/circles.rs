//! The modules of a folder as a graph without circles, so that each file can be read after those
//! that it uses.
//!
//! Invariant: an edge is a module that a `use` names; a name that a parent defines counts for the
//! parent.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

/// The paths of a `use`, flat: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn flat(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((head, rest)) = tree.split_once('{') else {
        return vec![tree.split(" as ").next().unwrap_or_default().trim().to_owned()];
    };
    let inner = &rest[..rest.rfind('}').unwrap_or(rest.len())];
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, letter) in inner.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&inner[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&inner[start..]);
    let parts = parts.into_iter().filter(|part| !part.trim().is_empty());
    parts.flat_map(flat).map(|part| format!("{}{part}", head.trim())).collect()
}

/// The module of a file: `cli/memory/mod.rs` is `cli::memory`.
fn module(path: &Path) -> String {
    let path = path.with_extension("");
    let parts: Vec<String> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let parts = parts.strip_suffix(&["mod".to_owned()]).unwrap_or(&parts);
    parts.join("::")
}

/// Which modules each module of a room uses.
pub fn graph(files: &[(std::path::PathBuf, String)]) -> BTreeMap<String, BTreeSet<String>> {
    let names: BTreeSet<String> = files.iter().map(|(path, _)| module(path)).collect();
    let edges = |(path, text): &(std::path::PathBuf, String)| {
        let own = module(path);
        let parent = own.rsplit_once("::").map_or("", |(parent, _)| parent).to_owned();
        let is_folder = path.ends_with("mod.rs");
        let production = text.split("#[cfg(test)]").next().unwrap_or_default();
        let uses = production.split("use ").skip(1).filter_map(|rest| rest.split_once(';'));
        let absolute = |path: String| match path.strip_prefix("crate::") {
            Some(path) => path.to_owned(),
            None => match path.strip_prefix("super::") {
                Some(path) => format!("{parent}::{path}"),
                None if is_folder => format!("{own}::{}", path.trim_start_matches("self::")),
                None => path,
            },
        };
        let target = |path: String| {
            let mut path = path.as_str();
            loop {
                if names.contains(path) {
                    return Some(path.to_owned());
                }
                path = path.rsplit_once("::")?.0;
            }
        };
        let used = uses.flat_map(|(tree, _)| flat(tree)).map(absolute).filter_map(target);
        let used: BTreeSet<String> = used.filter(|used| *used != own).collect();
        (own, used)
    };
    files.iter().map(edges).collect()
}

/// The modules of a circle, if there is one.
pub fn circle(graph: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
    let mut left = graph.clone();
    loop {
        let done: Vec<String> = left
            .iter()
            .filter(|(_, uses)| !uses.iter().any(|one| left.contains_key(one)))
            .map(|(name, _)| name.clone())
            .collect();
        if done.is_empty() {
            return (!left.is_empty()).then(|| left.into_keys().collect());
        }
        left.retain(|name, _| !done.contains(name));
    }
}

#[test]
fn a_circle_is_found() {
    let file = |path: &str, text: &str| (path.into(), text.to_owned());
    let files = [
        file("cli/a.rs", "use super::{b::X, c::{d::Y, Z}};"),
        file("cli/b.rs", "use crate::cli::c;"),
        file("cli/c.rs", ""),
    ];
    let graph = graph(&files);
    assert_eq!(graph["cli::a"].len(), 2, "{graph:?}");
    assert_eq!(circle(&graph), None);
    let more = [files.as_slice(), &[file("cli/c.rs", "use super::a;")]].concat();
    assert!(circle(&self::graph(&more)).is_some());
}
