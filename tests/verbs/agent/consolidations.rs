//! An agent that rewrites many of its notes at once: one operation, one undo, on every laptop, and
//! nothing of the person's changes.

use crate::support::{
    Laptop, World,
    notes::{folder, sharing},
    projects::clone,
};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

const URL: &str = "git@github.com:bin/billing.git";
const PROJECT: &str = "agents/claude-code/github.com+bin+billing";

struct Shared {
    a: Laptop,
    b: Laptop,
    here: PathBuf,
    there: PathBuf,
}

fn place(a: &Laptop, path: &str) -> PathBuf {
    let project = clone(a, path, URL);
    let directory = project.to_str().expect("a path");
    let folder = folder(a, &project);
    fs::create_dir_all(&folder).expect("a folder");
    let start = ["-C", directory, "hook", "session-start", "--agent", "claude-code"];
    assert_eq!(a.piped("", &start).code, 0);
    folder
}

fn shared(world: &World) -> Shared {
    let (a, b) = sharing(world, &["Rows on Tuesdays"]);
    let (here, there) = (place(&a, "src/billing"), place(&b, "work/bill"));
    Shared { a, b, here, there }
}

fn write(folder: &Path, name: &str, day: u32, text: &str) {
    let front = format!(
        "---\nname: {name}\ndescription: about {name}\nmetadata:\n  type: project\n  modified: \
         2026-11-{day:02}T08:00:00.000Z\n---\n\n"
    );
    fs::write(folder.join(format!("{name}.md")), front + text + "\n").expect("a note");
}

fn index(folder: &Path, names: &[&str]) {
    let lines = names.iter().map(|name| format!("- [{name}]({name}.md) — about {name}\n"));
    fs::write(folder.join("MEMORY.md"), lines.collect::<String>()).expect("an index");
}

fn names(folder: &Path) -> BTreeSet<String> {
    let all = fs::read_dir(folder).into_iter().flatten();
    let names =
        all.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(".md") && name != "MEMORY.md").collect()
}

const ALL: [&str; 9] = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];

/// Nine notes on both laptops.
fn noted(world: &World) -> Shared {
    let shared = shared(world);
    ALL.iter().for_each(|name| write(&shared.here, name, 10, &format!("Text of {name}.")));
    index(&shared.here, &ALL);
    shared.a.co(&["sync"]);
    shared.b.co(&["sync"]);
    assert_eq!(names(&shared.there).len(), 9);
    shared
}

/// Seven go into one, one is changed, one stays.
fn consolidate(folder: &Path) {
    for name in &ALL[2..] {
        fs::remove_file(folder.join(format!("{name}.md"))).expect("a note");
    }
    write(folder, "b", 20, "Text of b, in fewer words.");
    write(folder, "all", 20, "What c to i said.");
    index(folder, &["a", "b", "all"]);
}

#[test]
fn a_consolidation_is_one_operation_on_every_laptop() {
    let world = World::new();
    let Shared { a, b, here, there } = noted(&world);
    consolidate(&here);
    let planned = a.co(&["agent", "notes"]);
    assert!(planned.contains("8 notes rewritten at once"), "{planned}");
    let before = a.json(&["log"])["data"]["operations"].as_array().expect("a list").len();
    let said = a.co(&["sync"]);
    assert!(said.contains("8 notes rewritten at once (`co undo o"), "{said}");
    let log = a.json(&["log"])["data"]["operations"].clone();
    assert_eq!(log.as_array().expect("a list").len(), before + 1, "{log}");
    assert_eq!(log[0]["what"], "of Claude Code on billing, 8 rewritten at once");
    b.co(&["sync"]);
    let left: BTreeSet<String> = ["a.md", "all.md", "b.md"].map(str::to_owned).into();
    for (laptop, folder) in [(&a, &here), (&b, &there)] {
        assert_eq!(names(folder), left, "{}", laptop.name);
        assert_eq!(names(&laptop.identity().join(PROJECT)), left, "{}", laptop.name);
        assert_eq!(laptop.facts(), ["Rows on Tuesdays"]);
    }
    assert_eq!(fs::read(here.join("b.md")).ok(), fs::read(there.join("b.md")).ok());
    // Nothing comes back by itself.
    a.co(&["sync"]);
    b.co(&["sync"]);
    assert_eq!((names(&here), names(&there)), (left.clone(), left));
}

#[test]
fn one_undo_takes_it_back_everywhere() {
    let world = World::new();
    let Shared { a, b, here, there } = noted(&world);
    consolidate(&here);
    let said = a.co(&["sync"]);
    b.co(&["sync"]);
    let op = said.split("co undo ").nth(1).and_then(|rest| rest.split('`').next());
    let op = op.expect("a handle").to_owned();
    a.co(&["undo", &op, "--yes"]);
    a.co(&["sync"]);
    b.co(&["sync"]);
    let all: BTreeSet<String> = ALL.iter().map(|name| format!("{name}.md")).collect();
    for folder in [&here, &there] {
        assert_eq!(names(folder), all, "{}", folder.display());
        let b = fs::read_to_string(folder.join("b.md")).expect("a note");
        assert!(b.contains("Text of b.") && !b.contains("fewer"), "{b}");
    }
    assert_eq!(a.facts(), ["Rows on Tuesdays"]);
}

#[test]
fn what_only_looks_like_one_comes_back() {
    let world = World::new();
    let Shared { a, here, .. } = noted(&world);
    let all: BTreeSet<String> = ALL.iter().map(|name| format!("{name}.md")).collect();
    let clear = |keep: &[&str]| {
        for name in ALL.iter().filter(|name| !keep.contains(name)) {
            let _ = fs::remove_file(here.join(format!("{name}.md")));
        }
    };
    let check = |what: &str| {
        a.co(&["sync"]);
        assert!(names(&here).is_superset(&all), "{what}: {:?}", names(&here));
        assert!(names(&a.identity().join(PROJECT)).is_superset(&all), "{what}");
    };
    // The index still lists what is gone.
    clear(&["a", "b"]);
    write(&here, "b", 21, "Changed.");
    check("an index that lists them");
    // A folder from a backup: nothing in it is new.
    clear(&["a", "b"]);
    index(&here, &["a", "b"]);
    check("a backup");
    // A folder that was made anew.
    clear(&[]);
    write(&here, "new", 22, "The first note.");
    index(&here, &["new"]);
    check("another folder");
    // No index at all.
    clear(&["a"]);
    write(&here, "a", 23, "Changed.");
    fs::remove_file(here.join("MEMORY.md")).expect("an index");
    check("no index");
    // The identity lost them, not the agent.
    let kept = a.identity().join(PROJECT);
    for name in &ALL[2..] {
        fs::remove_file(kept.join(format!("{name}.md"))).expect("a note");
    }
    index(&kept, &["a", "b"]);
    check("an identity from before");
}

/// What another laptop changed meanwhile is neither lost by the consolidation nor by its undo.
#[test]
fn sixty_notes_at_once_and_a_sync_of_another_laptop_in_between() {
    let world = World::new();
    let Shared { a, b, here, there } = shared(&world);
    let all: Vec<String> = (0..70).map(|at| format!("n{at:02}")).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    all.iter().for_each(|name| write(&here, name, 10, &format!("Text of {name}.")));
    index(&here, &all);
    a.co(&["sync"]);
    b.co(&["sync"]);
    // Twenty in fewer words, twenty into two, twenty gone.
    for name in &all[20..60] {
        fs::remove_file(here.join(format!("{name}.md"))).expect("a note");
    }
    all[..20].iter().for_each(|name| write(&here, name, 20, &format!("{name}, shorter.")));
    ["one", "two"].iter().for_each(|name| write(&here, name, 20, &format!("Merged into {name}.")));
    index(&here, &[&all[..20], &all[60..], &["one", "two"]].concat());
    // Meanwhile: one that is rewritten, one that goes, one that stays, a new one, and a fact.
    for name in ["n05", "n25", "n65", "other"] {
        write(&there, name, 15, &format!("{name} as bolt has it."));
    }
    index(&there, &[&all[..], &["other"]].concat());
    b.co(&["learn", "Reads Borges"]);
    b.co(&["sync"]);
    let said = a.co(&["sync"]);
    let op = said.split("co undo ").nth(1).and_then(|rest| rest.split('`').next());
    let op = op.expect("one operation").to_owned();
    b.co(&["sync"]);
    let of_bolt = |when: &str| {
        for name in ["n05", "n25", "n65", "other"] {
            for folder in [&here, &there] {
                let text = fs::read_to_string(folder.join(format!("{name}.md"))).expect(when);
                assert!(text.contains("as bolt has it."), "{when}: {name}: {text}");
            }
        }
        assert_eq!(names(&here), names(&there), "{when}");
        for laptop in [&a, &b] {
            assert_eq!(laptop.facts(), ["Reads Borges", "Rows on Tuesdays"], "{when}");
            assert_eq!(laptop.json(&["check"])["data"]["passed"], true, "{when}");
        }
    };
    of_bolt("consolidated");
    assert_eq!(names(&here).len(), 20 + 10 + 2 + 2, "what bolt changed came back");
    a.co(&["undo", &op, "--yes"]);
    a.co(&["sync"]);
    b.co(&["sync"]);
    of_bolt("undone");
    assert_eq!(names(&here).len(), 70 + 1);
    for name in all.iter().filter(|name| !["n05", "n25", "n65"].contains(*name)) {
        let text = fs::read_to_string(there.join(format!("{name}.md"))).expect("a note");
        assert!(text.contains(&format!("Text of {name}.")) && !text.contains("shorter"), "{text}");
    }
}
