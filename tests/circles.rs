//! The modules of a room as a graph without circles, so that each file can be read after those that
//! it uses.
//!
//! Invariant: an edge is a module that defines what the code of another names, in a `use` or where
//! it is used; a name that a module gives on is followed to where it is defined.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// How often a name is followed that is given on.
const PATIENCE: usize = 16;

/// What a `use` binds.
struct Import {
    path: String,
    name: String,
    /// Whether others may import it from here.
    is_given_on: bool,
}

/// What a module names.
struct Names {
    imports: Vec<Import>,
    /// Paths in its code, outside of `use`.
    paths: BTreeSet<String>,
}

/// The paths of a `use`, flat: `a::{b, c::d as e}` is `a::b` and `a::c::d as e`.
fn flat(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((head, rest)) = tree.split_once('{') else {
        return vec![tree.to_owned()];
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

impl Import {
    /// Of one path, such as `a::b as c` or `a::self`.
    fn of(leaf: &str, is_given_on: bool) -> Import {
        let (path, alias) = leaf.split_once(" as ").unwrap_or((leaf, ""));
        let path = path.trim().trim_end_matches("::self");
        let last = path.rsplit("::").next().unwrap_or(path);
        let name = if alias.is_empty() { last } else { alias.trim() };
        Import { path: path.to_owned(), name: name.to_owned(), is_given_on }
    }
}

/// The code without comments and without its tests. What a module within the file takes from the
/// file is its own.
fn production(text: &str) -> String {
    let body = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let (mut code, mut is_within) = (String::new(), false);
    for line in body.lines().filter(|line| !line.trim_start().starts_with("//")) {
        let is_module = line.starts_with("mod ") || line.starts_with("pub(crate) mod ");
        is_within = (is_within || is_module && line.ends_with('{')) && line != "}";
        let line = if is_within { line.replace("super::", "self::") } else { line.to_owned() };
        code.push_str(&line);
        code.push('\n');
    }
    code
}

impl Names {
    fn of(text: &str) -> Names {
        let code = production(text);
        let (mut imports, mut others) = (Vec::new(), String::new());
        let mut rest = code.as_str();
        while let Some(at) = rest.find("use ") {
            let (before, after) = rest.split_at(at);
            let line = before.rsplit('\n').next().unwrap_or_default().trim();
            others.push_str(before);
            rest = &after["use ".len()..];
            if let ("" | "pub" | "pub(crate)" | "pub(super)", Some((tree, more))) =
                (line, rest.split_once(';'))
            {
                let of_tree = flat(tree).into_iter();
                imports.extend(of_tree.map(|leaf| Import::of(&leaf, !line.is_empty())));
                rest = more;
            }
        }
        others.push_str(rest);
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
        let words = others.split(|letter| !is_part(letter)).map(|word| word.trim_matches(':'));
        let paths = words.filter(|word| word.contains("::")).map(str::to_owned).collect();
        Names { imports, paths }
    }
}

/// The module of a file: `cli/memory/mod.rs` is `cli::memory`.
fn module(path: &Path) -> String {
    let path = path.with_extension("");
    let parts: Vec<String> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let parts = parts.strip_suffix(&["mod".to_owned()]).unwrap_or(&parts);
    parts.join("::")
}

/// A path in a module, from the root. What begins with a name is looked for in the module itself.
fn absolute(own: &str, path: &str) -> String {
    let mut base: Vec<&str> = own.split("::").collect();
    let mut steps: Vec<&str> = path.split("::").collect();
    if steps[0] == "crate" {
        base.clear();
        steps.remove(0);
    }
    while let Some("self" | "super") = steps.first().copied() {
        if steps.remove(0) == "super" {
            base.pop();
        }
    }
    base.extend(steps);
    base.join("::")
}

/// The module that defines what a path leads to; `None` for a module itself, which counts where
/// something of it is named, and for other rooms.
fn definer(modules: &BTreeMap<String, Names>, path: &str, patience: usize) -> Option<String> {
    let steps: Vec<&str> = path.split("::").collect();
    let known = |count: &usize| modules.contains_key(&steps[..*count].join("::"));
    let count = (1..=steps.len()).rev().find(known)?;
    let own = steps[..count].join("::");
    let name = steps.get(count)?;
    let given = modules[&own].imports.iter().find(|import| import.name == *name);
    match given.filter(|_| patience > 0) {
        Some(import) => {
            let mut whole = absolute(&own, &import.path);
            for step in &steps[count + 1..] {
                whole = format!("{whole}::{step}");
            }
            definer(modules, &whole, patience - 1)
        }
        None => Some(own),
    }
}

/// Which modules each module of a room uses.
pub fn graph(files: &[(PathBuf, String)]) -> BTreeMap<String, BTreeSet<String>> {
    let names = |(path, text): &(PathBuf, String)| (module(path), Names::of(text));
    let modules: BTreeMap<String, Names> = files.iter().map(names).collect();
    let used = |(own, names): (&String, &Names)| {
        let found = |path: &str| definer(&modules, &absolute(own, path), PATIENCE);
        let below = format!("{own}::");
        let imported = names.imports.iter().filter_map(|import| {
            let is_own = |used: &String| import.is_given_on && used.starts_with(&below);
            found(&import.path).filter(|used| !is_own(used))
        });
        let named = names.paths.iter().filter_map(|path| found(path));
        let used: BTreeSet<String> = imported.chain(named).filter(|used| used != own).collect();
        (own.clone(), used)
    };
    modules.iter().map(used).collect()
}

/// The modules of a circle, and those that use them, if there is one.
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
    let of = |files: &[(&str, &str)]| {
        let file = |(path, text): &(&str, &str)| (PathBuf::from(path), (*text).to_owned());
        graph(&files.iter().map(file).collect::<Vec<_>>())
    };
    let a = ("cli/a.rs", "use super::{b::X, c::{d::Y, Z}};\n");
    let b = ("cli/b.rs", "use crate::cli::c;\nfn f() { c::g(); }\n");
    let turns = of(&[a, b, ("cli/c.rs", "")]);
    assert_eq!((turns["cli::a"].len(), turns["cli::b"].len()), (2, 1), "{turns:?}");
    assert_eq!(circle(&turns), None);
    for back in [
        "use super::a::X;\n",
        "use super::{a::{self, X as Y}};\n",
        "fn f() { super::a::g(); }\n",
        "fn f() -> crate::cli::a::X { X }\n",
        "use super::a;\nfn f() { a::g(); }\n",
        "use super::a as other;\nfn f() { other::g(); }\n",
    ] {
        assert!(circle(&of(&[a, b, ("cli/c.rs", back)])).is_some(), "{back}");
    }
    for aside in [
        "// super::a::g()\n",
        "use super::a;\n",
        "mod within {\n    fn f() { super::g(); }\n}\n",
        "#[cfg(test)]\nmod tests {\n    a::g();\n",
    ] {
        assert_eq!(circle(&of(&[a, b, ("cli/c.rs", aside)])), None, "{aside}");
    }
}

#[test]
fn what_is_given_on_is_of_the_module_below() {
    let of = |parent: &str, child: &str| {
        let file = |path: &str, text: &str| (PathBuf::from(path), text.to_owned());
        let other = file("cli/other.rs", "pub struct X;\n");
        circle(&graph(&[file("cli/mod.rs", parent), file("cli/child.rs", child), other]))
    };
    let child = "use super::X;\npub struct Y;\n";
    assert_eq!(of("pub use child::Y;\npub use other::X;\n", child), None);
    assert_eq!(of("pub use other::X as Z;\npub use child::Y;\n", "use super::Z;\n"), None);
    assert!(of("pub struct X;\npub use child::Y;\nfn f() { child::g(); }\n", child).is_some());
    assert!(of("pub struct X;\nuse child::Y;\n", child).is_some());
}
