//! What a person does between two undos: commands that change facts and documents of the three
//! stores, and what they do to the same files with an editor.
//!
//! Invariant: what comes out depends on the dice and on what is there, never on a clock.

use super::stores::{self, Content, IsFact, Place, Stores};
use crate::support::{Laptop, dice::Dice};
use std::fs;

/// A command, and where it is typed.
pub struct Act {
    pub place: Place,
    pub words: Vec<String>,
    /// Files that are not there any more where the command says that it worked.
    pub gone: Vec<String>,
}

fn act(place: Place, words: &[&str]) -> Act {
    let words = words.iter().map(|word| (*word).to_owned()).collect();
    Act { place, words, gone: Vec::new() }
}

/// Few topics, so that stories meet themselves.
const TOPICS: [&str; 4] = ["runbook", "reference/tools", "people/sarah", "reference/moved"];

fn place(dice: &mut Dice) -> Place {
    Place::ALL[[0, 0, 1, 2][dice.below(4)]]
}

/// The next command; `n` makes its texts unlike any other.
pub fn next(dice: &mut Dice, laptop: &Laptop, n: usize) -> Act {
    let place = place(dice);
    let text = format!("Fact {n} of {}", laptop.name);
    match dice.below(16) {
        0..=2 => act(place, &["learn", &text]),
        3 => learn_again(dice, laptop, n),
        4 | 5 => forget(dice, laptop, place, 1),
        6 => forget(dice, laptop, place, 2),
        7 => {
            of_a_fact(dice, laptop, place, &["edit"], &[&format!("Edited {n} on {}", laptop.name)])
        }
        8 => of_a_fact(dice, laptop, place, &["edit"], &["--tag", &format!("t{n}")]),
        9 => of_a_fact(dice, laptop, place, &["memory", "pin"], &[]),
        10 | 11 => write(dice, laptop, place, n),
        12 => of_a_document(dice, laptop, place, "delete", n),
        13 => of_a_document(dice, laptop, place, "move", n),
        14 => add(laptop, place, n),
        _ => match dice.below(3) {
            0 => import(dice, laptop),
            _ => mend(),
        },
    }
}

pub fn mend() -> Act {
    act(Place::Identity, &["check", "--fix"])
}

/// A fact that is there, with another tag.
fn learn_again(dice: &mut Dice, laptop: &Laptop, n: usize) -> Act {
    let place = place(dice);
    let facts = Stores::of(laptop).facts(place);
    match dice.pick(&facts) {
        Some((_, fact)) => act(place, &["learn", &fact.body, "--tag", &format!("t{n}")]),
        None => act(place, &["learn", &format!("Fact {n} of {}", laptop.name)]),
    }
}

/// Handles of the facts that are seen from a place, with their files.
fn handles(laptop: &Laptop, place: Place) -> Vec<(String, String)> {
    let standing = place.standing(laptop).display().to_string();
    let listed = laptop.json(&["-C", &standing, "list"]);
    let rows = listed["data"]["memories"].as_array().cloned().unwrap_or_default();
    let handle = |row: &serde_json::Value| {
        let file = row["path"].as_str()?;
        let root = |place: &Place| place.root(laptop).display().to_string() + "/";
        let store = Place::ALL.into_iter().find(|place| file.starts_with(&root(place)))?;
        let path = format!("{}/{}", store.name(), &file[root(&store).len()..]);
        Some((row["handle"].as_str()?.to_owned(), path))
    };
    rows.iter().filter_map(handle).collect()
}

fn forget(dice: &mut Dice, laptop: &Laptop, place: Place, count: usize) -> Act {
    let mut there = handles(laptop, place);
    if place != Place::Identity && dice.below(2) == 0 {
        // Of the project and those around it alone.
        there.retain(|(handle, _)| handle.starts_with('p'));
    }
    let mut forget = act(place, &["forget"]);
    for _ in 0..count.min(there.len()) {
        let (handle, path) = there.remove(dice.below(there.len()));
        forget.words.push(handle);
        forget.gone.push(path);
    }
    if forget.gone.is_empty() {
        forget.words.push("nothing says this".to_owned());
    }
    forget.words.push("--yes".to_owned());
    forget
}

fn of_a_fact(
    dice: &mut Dice,
    laptop: &Laptop,
    place: Place,
    verb: &[&str],
    options: &[&str],
) -> Act {
    match dice.pick(&handles(laptop, place)) {
        Some((handle, _)) => act(place, &[verb, &[handle.as_str()], options].concat()),
        None => act(place, &["learn", &format!("First of {} {options:?}", laptop.name)]),
    }
}

fn write(dice: &mut Dice, laptop: &Laptop, place: Place, n: usize) -> Act {
    let topic = TOPICS[dice.below(TOPICS.len())];
    let lines = format!("Step {n} of {}\n\nAnd then {n}", laptop.name);
    act(place, &["knowledge", "write", topic, &lines])
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

fn of_a_document(dice: &mut Dice, laptop: &Laptop, place: Place, verb: &str, n: usize) -> Act {
    let there = documents(&Stores::of(laptop), place);
    let Some(path) = dice.pick(&there) else { return write(dice, laptop, place, n) };
    let below = path.len() - ".md".len();
    let topic = &path[format!("{}/knowledge/", place.name()).len()..below];
    if verb == "delete" {
        return act(place, &["knowledge", "delete", topic, "--yes"]);
    }
    let to = [TOPICS[3], "kept/here", &format!("kept/at-{n}")][dice.below(3)].to_owned();
    act(place, &["knowledge", "move", topic, &to, "--yes"])
}

fn add(laptop: &Laptop, place: Place, n: usize) -> Act {
    let page = laptop.home.join(format!("page-{n}.html"));
    let name = &laptop.name;
    let text = format!("<html><body><h1>Page {n}</h1><p>Read on {name} as {n}</p></body></html>");
    fs::write(&page, text).expect("a page to add");
    act(place, &["knowledge", "add", &page.display().to_string()])
}

/// The archive lies beside the homes of the laptops, see [`archive`].
fn import(dice: &mut Dice, laptop: &Laptop) -> Act {
    let archive = laptop.home.with_file_name("archive").display().to_string();
    let words = ["identity", "import", &archive, "--yes", "--replace"];
    act(Place::Identity, &words[..5 - dice.below(2)])
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
