//! What is on a laptop's disk: its identity, a project, and a project inside that one, as bytes and
//! as what the bytes say to a person.
//!
//! Invariant: no code of co reads them, so that a fault of its readers cannot hide here.

use crate::support::{Laptop, tree};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    path::PathBuf,
};

pub const LEDGER: &str = "identity/knowledge/forgotten.md";

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    Identity,
    Project,
    Nested,
}

impl Place {
    pub const ALL: [Place; 3] = [Place::Identity, Place::Project, Place::Nested];

    pub fn name(self) -> &'static str {
        match self {
            Place::Identity => "identity",
            Place::Project => "project",
            Place::Nested => "nested",
        }
    }

    /// The folder in which a person works.
    pub fn standing(self, laptop: &Laptop) -> PathBuf {
        match self {
            Place::Identity => laptop.home.clone(),
            Place::Project => laptop.home.join("p"),
            Place::Nested => laptop.home.join("p/sub"),
        }
    }

    pub fn root(self, laptop: &Laptop) -> PathBuf {
        match self {
            Place::Identity => laptop.identity(),
            _ => self.standing(laptop).join(".co-cli"),
        }
    }

    pub fn of_path(path: &str) -> Place {
        let name = path.split('/').next().unwrap_or_default();
        let found = Place::ALL.into_iter().find(|place| place.name() == name);
        found.expect("a path begins with the name of its store")
    }
}

/// The file of a path such as `project/knowledge/runbook.md`.
pub fn file(laptop: &Laptop, path: &str) -> PathBuf {
    let place = Place::of_path(path);
    place.root(laptop).join(&path[place.name().len() + 1..])
}

pub type Bytes = Vec<u8>;

/// The bytes of all files of the three stores.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Stores(pub BTreeMap<String, Bytes>);

/// One file before and after something.
#[derive(Clone, PartialEq, Eq)]
pub struct Change {
    pub before: Option<Bytes>,
    pub after: Option<Bytes>,
}

pub type Changes = BTreeMap<String, Change>;

impl Stores {
    pub fn of(laptop: &Laptop) -> Stores {
        let mut files = BTreeMap::new();
        for place in Place::ALL {
            let root = place.root(laptop);
            if !root.is_dir() {
                continue;
            }
            for (path, bytes) in tree(&root) {
                files.insert(format!("{}/{path}", place.name()), bytes);
            }
        }
        Stores(files)
    }

    pub fn get(&self, path: &str) -> Option<&Bytes> {
        self.0.get(path)
    }

    pub fn changes(before: &Stores, after: &Stores) -> Changes {
        let paths: BTreeSet<&String> = before.0.keys().chain(after.0.keys()).collect();
        let changed = paths.into_iter().filter(|path| before.get(path) != after.get(path));
        let change = |path: &String| Change {
            before: before.get(path).cloned(),
            after: after.get(path).cloned(),
        };
        changed.map(|path| (path.clone(), change(path))).collect()
    }

    /// As they would be without these changes.
    pub fn without(&self, changes: &Changes) -> Stores {
        let mut files = self.0.clone();
        for (path, change) in changes {
            match &change.before {
                Some(bytes) => files.insert(path.clone(), bytes.clone()),
                None => files.remove(path),
            };
        }
        Stores(files)
    }

    /// All that the files of one store say, the ledger left out.
    pub fn tokens(&self, place: Place) -> BTreeSet<String> {
        let here = self.0.iter().filter(|(path, _)| Place::of_path(path) == place);
        here.flat_map(|(path, bytes)| Content::of(path, bytes).tokens()).collect()
    }

    pub fn facts(&self, place: Place) -> Vec<(String, Content)> {
        let folder = format!("{}/knowledge/memories/", place.name());
        let here = self.0.iter().filter(|(path, _)| path.starts_with(&folder));
        here.map(|(path, bytes)| (path.clone(), Content::of(path, bytes))).collect()
    }

    /// Facts whose text is in more than one file of a store.
    pub fn twice(&self) -> BTreeSet<String> {
        let mut seen = BTreeSet::new();
        let facts = Place::ALL.into_iter().flat_map(|place| {
            self.facts(place).into_iter().map(move |(_, fact)| (place, fact.body))
        });
        facts.filter(|fact| !seen.insert(fact.clone())).map(|(_, body)| body).collect()
    }

    pub fn ledger(&self) -> BTreeSet<String> {
        lines(self.get(LEDGER).map_or(&[], Vec::as_slice))
            .into_iter()
            .filter(|line| line.starts_with("- "))
            .collect()
    }

    /// What a person would read: facts wherever their files are, documents by their path.
    pub fn view(&self) -> BTreeSet<String> {
        let line = |(path, bytes): (&String, &Bytes)| {
            let content = Content::of(path, bytes);
            let name = match content.is_fact {
                IsFact::Yes => Place::of_path(path).name(),
                IsFact::No => path,
            };
            format!("{name}: {:?} {:?}", content.body, content.labels)
        };
        self.0.iter().filter(|(path, _)| *path != LEDGER).map(line).collect()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum IsFact {
    Yes,
    No,
}

/// What a file says: its body, and the part of its frontmatter that a person set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Content {
    pub is_fact: IsFact,
    pub body: String,
    pub labels: BTreeSet<String>,
    /// The `created` stamp, by which co knows a fact again.
    pub origin: Option<String>,
}

/// What co writes by itself.
const STAMPS: [&str; 7] =
    ["id", "created", "updated", "checksum", "version", "fetched", "attachment"];

impl Content {
    pub fn of(path: &str, bytes: &[u8]) -> Content {
        let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
        let (front, body) =
            match text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")) {
                Some((front, body)) => (front.to_owned(), body.to_owned()),
                None => (String::new(), text),
            };
        let value = |key: &str| {
            let line = front.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
            line.map(|value| value.trim().to_owned())
        };
        let mut labels: BTreeSet<String> = front
            .lines()
            .filter_map(|line| line.split_once(':'))
            .filter(|(key, _)| !STAMPS.contains(key) && *key != "tags")
            .map(|(key, value)| format!("{key}={}", value.trim().trim_matches('"')))
            .collect();
        labels.extend(tags(&front).into_iter().map(|tag| format!("tag {tag}")));
        let is_fact = if path.contains("/memories/") { IsFact::Yes } else { IsFact::No };
        Content { is_fact, body: body.trim().to_owned(), labels, origin: value("created") }
    }

    pub fn says_the_same(&self, other: &Content) -> bool {
        self.body == other.body && self.labels == other.labels
    }

    /// What must not be lost of it: the lines of its body, its tags, its pin.
    pub fn tokens(&self) -> BTreeSet<String> {
        let lines = lines(self.body.as_bytes()).into_iter().map(|line| format!("line {line}"));
        let tags = self.labels.iter().filter(|label| label.starts_with("tag ")).cloned();
        let pin = self.labels.iter().filter(|label| label.starts_with("pinned"));
        let origin = self.origin.as_deref().unwrap_or_default();
        lines.chain(tags).chain(pin.map(|pin| format!("{pin} {origin}"))).collect()
    }
}

fn lines(bytes: &[u8]) -> BTreeSet<String> {
    let text = String::from_utf8_lossy(bytes);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(str::to_owned).collect()
}

/// Tags as `[a, b]` or as a list below the key.
fn tags(front: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut is_below = false;
    for line in front.lines() {
        if let Some(list) = line.strip_prefix("tags:") {
            is_below = true;
            found.extend(list.trim().trim_matches(['[', ']']).split(',').map(str::to_owned));
        } else if let Some(item) = line.trim_start().strip_prefix("- ").filter(|_| is_below) {
            found.push(item.to_owned());
        } else {
            is_below = false;
        }
    }
    let clean = found.iter().map(|tag| tag.trim().trim_matches('"').to_owned());
    clean.filter(|tag| !tag.is_empty()).collect()
}

/// Two states as a failing story shows them: only what differs.
pub fn shown(wanted: &Stores, found: &Stores) -> String {
    let mut text = String::new();
    for (path, change) in Stores::changes(wanted, found) {
        let side = |bytes: &Option<Bytes>| match bytes {
            Some(bytes) => format!("{:?}", String::from_utf8_lossy(bytes)),
            None => "not there".to_owned(),
        };
        let _ = write!(
            text,
            "\n  {path}\n    wanted {}\n    found  {}",
            side(&change.before),
            side(&change.after)
        );
    }
    text
}
