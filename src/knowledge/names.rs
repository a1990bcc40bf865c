//! The names that links use for documents, and which file each means.
//!
//! Invariant: pure. A path means the file at that path. A bare name means the document with that
//! name anywhere, as in Obsidian: the nearest, if there are several.

use super::topic::{Topic, slug};
use crate::identity::RelPath;
use percent_encoding::percent_decode_str;
use std::collections::{BTreeMap, BTreeSet};

/// The files of a store, by the names that links use.
#[derive(Clone, Debug, Default)]
pub struct Names {
    paths: BTreeSet<RelPath>,
    /// By the slug of the last component; documents without their extension.
    by_name: BTreeMap<String, Vec<Named>>,
    by_alias: BTreeMap<String, Vec<Named>>,
    /// Folders on disk, each of which is a collection.
    collections: Vec<RelPath>,
}

/// A file, and its folders as slugs.
#[derive(Clone, Debug)]
struct Named {
    path: RelPath,
    folders: Vec<String>,
}

/// The syntax of a link.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum LinkForm {
    /// `[text](target)`
    Markdown,
    /// `[[target]]`
    Wiki,
}

/// What a link does with its target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LinkUse {
    /// `[text](target)`: a reader goes there.
    Opened,
    /// `![text](target)`: it is part of the page.
    Shown,
}

/// How a link refers to a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// By its path, relative to the linking file or a folder above it.
    Path,
    /// As a topic: `people/sarah`, with or without `knowledge/`.
    Topic,
    /// By its name or an alias, wherever it is.
    Name,
}

/// Components that the paths of one collection share: `knowledge/articles/vault`.
const COLLECTION: usize = 3;

impl Names {
    /// Files, with the aliases that documents declare.
    pub fn from_files(files: impl IntoIterator<Item = (RelPath, Vec<String>)>) -> Names {
        Names::default().with(files)
    }

    /// Treats each of these folders as a collection.
    pub fn collected(self, collections: Vec<RelPath>) -> Names {
        Names { collections, ..self }
    }

    /// Adds more files.
    pub fn with(mut self, files: impl IntoIterator<Item = (RelPath, Vec<String>)>) -> Names {
        for (path, aliases) in files {
            self.insert(path, aliases);
        }
        let tables = self.by_name.values_mut().chain(self.by_alias.values_mut());
        tables.for_each(|those| those.sort_by(|a, b| a.path.cmp(&b.path)));
        self
    }

    fn insert(&mut self, path: RelPath, aliases: Vec<String>) {
        if !self.paths.insert(path.clone()) {
            return;
        }
        let named = Named { folders: folders(&path).map(slug).collect(), path };
        for alias in aliases {
            self.by_alias.entry(slug(&alias)).or_default().push(named.clone());
        }
        self.by_name.entry(called(named.path.name())).or_default().push(named);
    }

    pub fn has(&self, path: &RelPath) -> bool {
        self.paths.contains(path)
    }

    /// The same files after some moved.
    pub fn moved(&self, moves: &BTreeMap<RelPath, RelPath>) -> Names {
        let mut aliases: BTreeMap<&RelPath, Vec<String>> = BTreeMap::new();
        for (alias, those) in &self.by_alias {
            those.iter().for_each(|one| aliases.entry(&one.path).or_default().push(alias.clone()));
        }
        let moved = |path: &RelPath| {
            let now = moves.get(path).unwrap_or(path).clone();
            (now, aliases.get(path).cloned().unwrap_or_default())
        };
        Names::from_files(self.paths.iter().map(moved))
    }

    /// The file that a target means, without its heading. A path or a topic means its file also
    /// where there is none. A path in markdown is a name only within the folder of its collection,
    /// and where one file has it: elsewhere `CHANGELOG.md` would be anybody's.
    pub(super) fn resolve(
        &self,
        target: &str,
        form: LinkForm,
        from: &RelPath,
    ) -> Option<(RelPath, Style)> {
        let path = target.split(['#', '?']).next().unwrap_or_default();
        if path.is_empty() || path.contains(':') || path.starts_with('/') {
            return None;
        }
        let path = match form {
            LinkForm::Markdown => percent_decode_str(path).decode_utf8_lossy().into_owned(),
            LinkForm::Wiki => path.trim().to_owned(),
        };
        let direct = direct(&path, form, from);
        match &direct {
            Some((file, _)) if self.has(file) => direct,
            _ => self.elsewhere(&path, form, from).or(direct),
        }
    }

    /// Like [`Names::resolve`], but only the file.
    pub(super) fn means(&self, target: &str, form: LinkForm, from: &RelPath) -> Option<RelPath> {
        self.resolve(target, form, from).map(|(file, _)| file)
    }

    fn elsewhere(&self, path: &str, form: LinkForm, from: &RelPath) -> Option<(RelPath, Style)> {
        if form == LinkForm::Wiki {
            return nearest(&self.called_so(path), from).map(|file| (file, Style::Name));
        }
        if path.contains('/') {
            return self.at_the_top(path, from).map(|file| (file, Style::Path));
        }
        let is_near = |one: &&&Named| self.are_of_one(&one.path, from);
        let called = self.called_so(path);
        let mut near = called.iter().filter(is_near);
        let one = near.next().filter(|_| near.next().is_none())?;
        Some((one.path.clone(), Style::Name))
    }

    /// Whether two files are in the same collection.
    fn are_of_one(&self, one: &RelPath, other: &RelPath) -> bool {
        let is_in = |folder: &RelPath, file: &RelPath| {
            let rest = file.as_str().strip_prefix(folder.as_str());
            rest.is_some_and(|rest| rest.starts_with('/'))
        };
        let is_of_store = other.as_str().starts_with("knowledge/");
        is_of_store && common(one, other) >= COLLECTION
            || self.collections.iter().any(|folder| is_in(folder, one) && is_in(folder, other))
    }

    /// The file at a path relative to a folder above, such as the root of a vault.
    fn at_the_top(&self, path: &str, from: &RelPath) -> Option<RelPath> {
        let parts: Vec<&str> = folders(from).collect();
        let above = (1..parts.len()).rev().map(|depth| parts[..depth].join("/"));
        let is_plain = path.split('/').all(|part| !part.is_empty() && !part.starts_with('.'));
        let file = |folder: String| RelPath::new(&format!("{folder}/{path}"));
        above.filter_map(file).find(|file| is_plain && self.has(file))
    }

    fn called_so(&self, path: &str) -> Vec<&Named> {
        let path = path.trim_start_matches("../").trim_start_matches("./");
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let folder: Vec<String> =
            folder.split('/').filter(|part| !part.is_empty()).map(slug).collect();
        let of = |name: &str| -> Vec<&Named> {
            let those = self.by_name.get(name).into_iter().flatten();
            those.filter(|one| one.folders.ends_with(&folder)).collect()
        };
        // `Plan v1.2` may be a document, and `plan.png` an image.
        let named = of(&called(name));
        let named = if named.is_empty() { of(&slug(name)) } else { named };
        if named.is_empty() {
            self.by_alias.get(&slug(path)).into_iter().flatten().collect()
        } else {
            named
        }
    }
}

/// The file that shares the deepest folder with another; of several, the least nested.
fn nearest(called: &[&Named], from: &RelPath) -> Option<RelPath> {
    let above: Vec<&str> = folders(from).collect();
    (0..=above.len()).rev().find_map(|depth| {
        let folder = above[..depth].iter().map(|part| format!("{part}/")).collect::<String>();
        let start = called.partition_point(|one| one.path.as_str() < folder.as_str());
        let within = called[start..].iter();
        let within = within.take_while(|one| one.path.as_str().starts_with(&folder));
        within.min_by_key(|one| (one.folders.len(), &one.path)).map(|one| one.path.clone())
    })
}

pub(super) fn folders(path: &RelPath) -> impl Iterator<Item = &str> {
    path.folder().split('/').filter(|part| !part.is_empty())
}

/// How many leading folders two files have in common.
fn common(one: &RelPath, other: &RelPath) -> usize {
    folders(one).zip(folders(other)).take_while(|(a, b)| a == b).count()
}

/// The name of a file: documents without their extension, others with it.
fn called(name: &str) -> String {
    let (stem, ending) = match name.rsplit_once('.') {
        Some((stem, ending)) if ending.len() <= 5 && !ending.contains(' ') => (stem, ending),
        _ => (name, "md"),
    };
    match ending.to_lowercase().as_str() {
        "md" => slug(stem),
        ending => format!("{}.{ending}", slug(stem)),
    }
}

/// The file at a path, or of a topic. In a wiki link, a path starts at the top.
fn direct(path: &str, form: LinkForm, from: &RelPath) -> Option<(RelPath, Style)> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let is_file = path.contains('.') && !path.starts_with('.')
        || name.contains('.') && !name.starts_with('.');
    if form == LinkForm::Markdown && is_file || path.starts_with('.') && path.ends_with(".md") {
        return relative(path, from).map(|path| (path, Style::Path));
    }
    Topic::parse(path).ok()?.file().map(|path| (path, Style::Topic))
}

fn relative(path: &str, from: &RelPath) -> Option<RelPath> {
    let mut parts: Vec<&str> = folders(from).collect();
    for part in path.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    RelPath::new(&parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_means_the_nearest_document_that_is_called_so() {
        let file = |path: &str, alias: &str| {
            let aliases = (!alias.is_empty()).then(|| alias.to_owned());
            (RelPath::known(path), aliases.into_iter().collect())
        };
        let names = Names::from_files([
            file("knowledge/people/sarah.md", "Dr. Chen"),
            file("knowledge/vault/Meeting Notes.md", ""),
            file("knowledge/vault/deep/meeting-notes.md", ""),
            file("knowledge/vault/Plan v1.2.md", ""),
            file("knowledge/attachments/Plan v1.2.png", ""),
            file("knowledge/articles/vault/z/plan.md", ""),
        ]);
        let from = RelPath::known("knowledge/plan.md");
        let found = |target: &str| {
            let form = if target.ends_with(".md") { LinkForm::Markdown } else { LinkForm::Wiki };
            let (path, style) = names.resolve(target, form, &from)?;
            names.has(&path).then(|| (path.to_string(), style))
        };
        let is = |path: &str, style| Some((path.to_owned(), style));
        assert_eq!(found("people/sarah"), is("knowledge/people/sarah.md", Style::Topic));
        assert_eq!(found("people/sarah.md"), is("knowledge/people/sarah.md", Style::Path));
        assert_eq!(found("Sarah#Work"), is("knowledge/people/sarah.md", Style::Name));
        assert_eq!(found("dr. chen"), is("knowledge/people/sarah.md", Style::Name));
        let notes = "knowledge/vault/Meeting Notes.md";
        assert_eq!(found("Meeting Notes"), is(notes, Style::Name));
        assert_eq!(found("vault/Meeting%20Notes.md"), is(notes, Style::Path));
        assert_eq!(found("Meeting Notes.md"), None);
        let near = RelPath::known("knowledge/articles/vault/x/y.md");
        let near_by = |target: &str| names.resolve(target, LinkForm::Markdown, &near);
        let plan = RelPath::known("knowledge/articles/vault/z/plan.md");
        assert_eq!(near_by("Plan.md"), Some((plan.clone(), Style::Name)));
        assert_ne!(near_by("z/Plan.md").map(|(path, _)| path), Some(plan.clone()));
        // From the root of the vault.
        assert_eq!(near_by("z/plan.md"), Some((plan, Style::Path)));
        assert_eq!(
            names.resolve("sarah.md", LinkForm::Wiki, &from).map(|it| it.1),
            Some(Style::Name)
        );
        assert_eq!(
            found("deep/Meeting Notes"),
            is("knowledge/vault/deep/meeting-notes.md", Style::Name)
        );
        assert_eq!(found("plan v1.2.PNG"), is("knowledge/attachments/Plan v1.2.png", Style::Name));
        assert_eq!(found("Plan v1.2"), is("knowledge/vault/Plan v1.2.md", Style::Name));
        assert_eq!(found("gone"), None);
        assert_eq!(found("later"), None);
        assert_eq!(found("#heading"), None);
    }
}
