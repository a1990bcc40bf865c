//! What a link calls a document, and which file it means.
//!
//! Invariant: pure. A path means the file at that path. A name alone means the document that is called
//! so wherever it is, as in Obsidian: the nearest, where several are.

use super::topic::{Topic, slug};
use crate::identity::RelPath;
use std::collections::{BTreeMap, BTreeSet};

/// Whether a file is what a program keeps for itself, in a folder with a dot.
pub fn is_hidden(path: &RelPath) -> bool {
    path.as_str().split('/').any(|part| part.starts_with('.'))
}

/// The files of a store, by what links call them.
#[derive(Clone, Debug, Default)]
pub struct Names {
    paths: BTreeSet<RelPath>,
    /// By the slug of the last part, documents without their ending.
    by_name: BTreeMap<String, Vec<RelPath>>,
    by_alias: BTreeMap<String, Vec<RelPath>>,
}

/// How a link is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// `[text](target)`
    Markdown,
    /// `[[target]]`
    Wiki,
}

/// How a link names a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// By its path from the file that links to it.
    Relative,
    /// As a topic: `people/sarah`, with or without `knowledge/`.
    Topic,
    /// By its name or another name, wherever it is.
    Name,
}

impl Names {
    /// Files, with the other names that documents give themselves.
    pub fn of(files: impl IntoIterator<Item = (RelPath, Vec<String>)>) -> Names {
        Names::default().with(files)
    }

    fn insert(&mut self, path: RelPath, aliases: Vec<String>) {
        if !self.paths.insert(path.clone()) {
            return;
        }
        self.by_name.entry(called(path.name())).or_default().push(path.clone());
        for alias in aliases {
            self.by_alias.entry(slug(&alias)).or_default().push(path.clone());
        }
    }

    /// With more files.
    pub fn with(mut self, files: impl IntoIterator<Item = (RelPath, Vec<String>)>) -> Names {
        for (path, aliases) in files {
            self.insert(path, aliases);
        }
        self
    }

    pub fn has(&self, path: &RelPath) -> bool {
        self.paths.contains(path)
    }

    /// The same files after some moved.
    pub fn moved(&self, moves: &BTreeMap<RelPath, RelPath>) -> Names {
        let moved = |path: &RelPath| moves.get(path).unwrap_or(path).clone();
        let mut names = Names::of(self.paths.iter().map(|path| (moved(path), Vec::new())));
        names.by_alias = self.by_alias.clone();
        names.by_alias.values_mut().flatten().for_each(|path| *path = moved(path));
        names
    }

    /// The file that a target means, without its heading. A path or a topic means its file also where
    /// there is none. A path in markdown is a name only within the folder of its collection, and where
    /// one file has it: elsewhere `CHANGELOG.md` would be anybody's.
    pub fn resolve(&self, target: &str, form: Form, from: &RelPath) -> Option<(RelPath, Style)> {
        let path = target.split(['#', '?']).next().unwrap_or_default();
        if path.is_empty() || path.contains(':') || path.starts_with('/') {
            return None;
        }
        let path = path.replace("%20", " ");
        let direct = direct(&path, from);
        match &direct {
            Some((file, _)) if self.has(file) => direct,
            _ => match self.named(&path, form, from) {
                Some(named) => Some((named, Style::Name)),
                None => direct,
            },
        }
    }

    /// As [`Names::resolve`], the file alone.
    pub fn means(&self, target: &str, form: Form, from: &RelPath) -> Option<RelPath> {
        self.resolve(target, form, from).map(|(file, _)| file)
    }

    fn named(&self, path: &str, form: Form, from: &RelPath) -> Option<RelPath> {
        let mut named = self.called_so(path);
        if form == Form::Markdown {
            named.retain(|file| common(file, from) >= COLLECTION);
            named.truncate(if path.contains('/') || named.len() > 1 { 0 } else { 1 });
        }
        let distance = |file: &RelPath| {
            let near = std::cmp::Reverse(common(file, from));
            (near, file.as_str().matches('/').count(), file.clone())
        };
        named.into_iter().min_by_key(distance)
    }

    fn called_so(&self, path: &str) -> Vec<RelPath> {
        let path = path.trim_start_matches("../").trim_start_matches("./");
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let folder: Vec<String> =
            folder.split('/').filter(|part| !part.is_empty()).map(slug).collect();
        let is_below = |file: &&RelPath| {
            let parts: Vec<String> = folders(file).map(slug).collect();
            parts.ends_with(&folder)
        };
        let of = |table: &'_ BTreeMap<String, Vec<RelPath>>, name: &str| -> Vec<RelPath> {
            table.get(name).into_iter().flatten().filter(is_below).cloned().collect()
        };
        // `Plan v1.2` may be a document, and `plan.png` a picture.
        let mut named = of(&self.by_name, &called(name));
        if named.is_empty() {
            named = of(&self.by_name, &slug(name));
        }
        if named.is_empty() {
            named = self.by_alias.get(&slug(path)).cloned().unwrap_or_default();
        }
        named
    }
}

/// Parts that the paths of one collection share: `knowledge/articles/vault`.
const COLLECTION: usize = 3;

fn folders(path: &RelPath) -> impl Iterator<Item = &str> {
    path.folder().split('/').filter(|part| !part.is_empty())
}

/// How many folders two files have in common, from the top.
fn common(one: &RelPath, other: &RelPath) -> usize {
    folders(one).zip(folders(other)).take_while(|(a, b)| a == b).count()
}

/// What a file is called: a document without its ending, others with theirs.
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

/// The file at a path, or of a topic.
fn direct(path: &str, from: &RelPath) -> Option<(RelPath, Style)> {
    let is_file = path.contains('.') && !path.starts_with('.');
    if path.ends_with(".md") || is_file {
        return relative(path, from).map(|path| (path, Style::Relative));
    }
    Topic::parse(path).ok()?.file().map(|path| (path, Style::Topic))
}

fn relative(path: &str, from: &RelPath) -> Option<RelPath> {
    let mut parts: Vec<&str> = from.folder().split('/').filter(|part| !part.is_empty()).collect();
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
        let names = Names::of([
            file("knowledge/people/sarah.md", "Dr. Chen"),
            file("knowledge/vault/Meeting Notes.md", ""),
            file("knowledge/vault/deep/meeting-notes.md", ""),
            file("knowledge/vault/Plan v1.2.md", ""),
            file("knowledge/attachments/Plan v1.2.png", ""),
            file("knowledge/articles/vault/z/plan.md", ""),
        ]);
        let from = RelPath::known("knowledge/plan.md");
        let found = |target: &str| {
            let form = if target.ends_with(".md") { Form::Markdown } else { Form::Wiki };
            let (path, style) = names.resolve(target, form, &from)?;
            names.has(&path).then(|| (path.to_string(), style))
        };
        let is = |path: &str, style| Some((path.to_owned(), style));
        assert_eq!(found("people/sarah"), is("knowledge/people/sarah.md", Style::Topic));
        assert_eq!(found("people/sarah.md"), is("knowledge/people/sarah.md", Style::Relative));
        assert_eq!(found("Sarah#Work"), is("knowledge/people/sarah.md", Style::Name));
        assert_eq!(found("dr. chen"), is("knowledge/people/sarah.md", Style::Name));
        let notes = "knowledge/vault/Meeting Notes.md";
        assert_eq!(found("Meeting Notes"), is(notes, Style::Name));
        assert_eq!(found("vault/Meeting%20Notes.md"), is(notes, Style::Relative));
        assert_eq!(found("Meeting Notes.md"), None);
        let near = RelPath::known("knowledge/articles/vault/x/y.md");
        let near_by = |target: &str| names.resolve(target, Form::Markdown, &near);
        let plan = RelPath::known("knowledge/articles/vault/z/plan.md");
        assert_eq!(near_by("Plan.md"), Some((plan.clone(), Style::Name)));
        assert_ne!(near_by("z/Plan.md").map(|(path, _)| path), Some(plan));
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
