//! What a person does between two undos: commands that change facts and documents of the three
//! stores, and what they do to the same files with an editor.
//!
//! Invariant: what comes out depends on the dice and on what is there, never on a clock.

use super::stores::{self, Content, IsFact, Place, Stores};
use crate::support::{
    Laptop,
    acts::{Act, Label, Listed, Typed},
    chooser::{Mix, Sight, TOPICS, Texts},
    dice::Dice,
};
use std::fs;

const COMMANDS: &Mix = &[
    (18, Act::Learn((), None)),
    (6, Act::Again(())),
    (12, Act::Forget((), None)),
    (6, Act::Forget((), Some(()))),
    (6, Act::Edit((), Label::Text(()))),
    (6, Act::Edit((), Label::Tag(()))),
    (6, Act::Pin(())),
    (12, Act::Write((), ())),
    (6, Act::Delete(())),
    (6, Act::Move((), ())),
    (6, Act::Add((), ())),
    (1, Act::Import((), false)),
    (1, Act::Import((), true)),
    (4, Act::Mend),
];

/// The next command, and where it is typed; `n` makes its texts unlike any other.
pub fn next(dice: &mut Dice, laptop: &Laptop, n: usize) -> (Place, Typed) {
    let place = dice.one_of(&[Place::Identity, Place::Identity, Place::Project, Place::Nested]);
    match sight(dice, laptop, place, n).next_or_learn(COMMANDS, dice) {
        act @ (Act::Import(..) | Act::Mend) => (Place::Identity, act),
        act => (place, act),
    }
}

/// What somebody sees who stands there.
fn sight(dice: &mut Dice, laptop: &Laptop, place: Place, n: usize) -> Sight<Listed> {
    let texts = Texts::Sentences(n, laptop.name.clone());
    let mut sight = Sight::new(texts, listed(laptop, place));
    let mut forgettable = sight.facts.clone();
    if place != Place::Identity && dice.below(2) == 0 {
        // Of the project and those around it alone.
        forgettable.retain(|fact| fact.handle.starts_with('p'));
    }
    if forgettable.is_empty() {
        forgettable.push(Listed::by_text("nothing says this".to_owned()));
    }
    sight.forgettable = Some(forgettable);
    let stores = Stores::of(laptop);
    let known = stores.facts(place).into_iter().map(|(_, fact)| Listed::by_text(fact.body));
    sight.known = Some(known.collect());
    let below = format!("{}/knowledge/", place.name()).len();
    let topic = |path: &String| path[below..path.len() - ".md".len()].to_owned();
    sight.documents = documents(&stores, place).iter().map(topic).collect();
    sight.outside = laptop.home.parent().expect("a folder").to_owned();
    sight
}

/// The facts that are seen from a place; their paths begin with the names of their stores.
fn listed(laptop: &Laptop, place: Place) -> Vec<Listed> {
    let standing = place.standing(laptop).display().to_string();
    let in_store = |fact: Listed| {
        let root = |place: &Place| place.root(laptop).display().to_string() + "/";
        let store = Place::ALL.into_iter().find(|place| fact.path.starts_with(&root(place)))?;
        let path = format!("{}/{}", store.name(), &fact.path[root(&store).len()..]);
        Some(Listed { path, ..fact })
    };
    Listed::all(laptop, &["-C", &standing]).into_iter().filter_map(in_store).collect()
}

/// Paths of the documents of one store.
pub fn documents(stores: &Stores, place: Place) -> Vec<String> {
    let folder = format!("{}/knowledge/", place.name());
    let is_document = |path: &&String| {
        let below = path.strip_prefix(&folder).and_then(|path| path.strip_suffix(".md"));
        below.is_some_and(|topic| {
            TOPICS.contains(&topic) || topic.starts_with("articles/") || topic.starts_with("kept/")
        })
    };
    stores.0.keys().filter(is_document).cloned().collect()
}

/// An identity as somebody wrote it with an editor: no checksums, numbers that are taken here.
pub fn archive(root: &std::path::Path) {
    let stamps = "version: 1\nupdated: 2026-01-01T00:00:00Z";
    let fact = |n: u32| format!("id: {n}\ncreated: 2026-01-0{n}T00:00:00Z");
    let files = [
        ("profile.md", stamps.to_owned(), "# Profile\n\n- Name: Eve\n- Editor: vim"),
        ("traits/rhyme.md", stamps.to_owned(), "# Rhyme\n\n- Always answers in rhyme"),
        ("knowledge/memories/001-from-the-archive.md", fact(1), "From the archive"),
        ("knowledge/memories/002-base.md", fact(2) + "\ntags: [old]", "Base fact 1"),
        ("knowledge/reference/tools.md", "title: Tools".to_owned(), "Old tools\n\nOld hammer"),
    ];
    for (path, front, body) in files {
        let file = root.join(path);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, format!("---\n{front}\n---\n\n{body}\n")).expect("a file of the archive");
    }
}

/// What an editor does: a path, and its bytes from then on.
pub type Edit = (String, Option<Vec<u8>>);

/// A change by hand of some file, or of one of these.
pub fn by_hand(dice: &mut Dice, laptop: &Laptop, n: usize, of: &[String]) -> Edit {
    let stores = Stores::of(laptop);
    let is_text = |path: &&String| {
        path.ends_with(".md") && **path != stores::LEDGER && !path.contains("reviewed")
    };
    let chosen: Vec<String> = of.iter().filter(is_text).cloned().collect();
    if let Some(path) = dice.pick(&chosen) {
        return retyped(dice, &stores, path, n);
    }
    let facts = Place::ALL.into_iter().flat_map(|place| stores.facts(place));
    let facts: Vec<String> = facts.map(|(path, _)| path).collect();
    let papers: Vec<String> =
        Place::ALL.into_iter().flat_map(|place| documents(&stores, place)).collect();
    match (dice.below(8), dice.pick(&facts), dice.pick(&papers)) {
        (0 | 1, _, _) => field(&stores, &laptop.name, n),
        (2 | 3, Some(path), _) | (4, _, Some(path)) => retyped(dice, &stores, path, n),
        (5, Some(path), _) => {
            let copy = path.replace(".md", "-copy.md");
            (copy, stores.get(path).cloned())
        }
        (6, _, _) => {
            let note = format!("identity/knowledge/memories/note-{n}.md");
            (note, Some(format!("Note {n} of {}\n", laptop.name).into_bytes()))
        }
        _ => field(&stores, "any", n),
    }
}

/// A field of the profile gets another value.
fn field(stores: &Stores, key: &str, n: usize) -> Edit {
    let path = "identity/profile.md".to_owned();
    let text = String::from_utf8_lossy(stores.get(&path).map_or(&[], Vec::as_slice)).into_owned();
    let line = format!("- Of {key}:");
    let kept = text.lines().filter(|old| !old.starts_with(&line));
    let text: String = kept.map(|line| format!("{line}\n")).collect();
    (path, Some(format!("{}\n{line} value {n}\n", text.trim_end()).into_bytes()))
}

/// Another line, another text, or no file.
fn retyped(dice: &mut Dice, stores: &Stores, path: &str, n: usize) -> Edit {
    let line = format!("By hand {n} in {}", path.rsplit('/').next().unwrap_or(path));
    let Some(bytes) = stores.get(path) else {
        return (path.to_owned(), Some(format!("{line}\n").into_bytes()));
    };
    let text = String::from_utf8_lossy(bytes).into_owned();
    let content = Content::of(path, bytes);
    let text = match dice.below(5) {
        0 if path.contains("/knowledge/")
            && (content.is_fact == IsFact::No || dice.below(2) == 0) =>
        {
            return (path.to_owned(), None);
        }
        1 if !content.body.is_empty() => text.replace(&content.body, &line),
        _ => format!("{}\n\n{line}\n", text.trim_end()),
    };
    (path.to_owned(), Some(text.into_bytes()))
}
