//! Facts that a save only notes beside the index: found by whoever asks, whatever becomes of the
//! notes.

use crate::support::{Laptop, World, waiting::until_times_are_trusted, whole::whole};
use std::{fs, path::PathBuf, thread, time::Duration};

/// What somebody does, and how.
type Deed = (&'static str, fn(&Laptop));

const ON_DISK: &str = r#"{"recall": {"encoder": "off"}}"#;
/// As in an identity of many facts, the index is compared by its folders.
const LARGE: &str = r#"{"recall": {"encoder": "off", "look_at": 3}}"#;
const WITHOUT_INDEX: &str = r#"{"recall": {"encoder": "off", "catalog": false}}"#;

const TEXTS: [&str; 6] = [
    "Plays the flute on Sundays",
    "Keeps zebras behind the house",
    "Tunes the piano with a fork",
    "Rows across the harbour of Lisbon",
    "Grows quinces and medlars",
    "喜欢吃豆腐",
];

const QUESTIONS: [&[&str]; 8] = [
    &["list"],
    &["show", "5"],
    &["recall", "zebras behind"],
    &["recall", "豆腐"],
    &["recall", "qunces"],
    &["recall", "tea"],
    &["memory", "similar", "4"],
    &["memory", "similar"],
];

fn set(a: &Laptop, settings: &str) {
    fs::write(a.config().join("settings.json"), settings).expect("written");
}

/// An identity with an index, which has three facts and a document.
fn laptop(world: &World, settings: &str) -> Laptop {
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    set(&a, settings);
    for text in ["Likes oolong tea", "Lives in Berlin", "Writes tests with pytest"] {
        a.co(&["learn", text]);
    }
    a.write("knowledge/notes/tea.md", "# Tea\n\nOolong is a tea.\n");
    a.co(&["knowledge", "reindex"]);
    a
}

fn notes(a: &Laptop) -> PathBuf {
    a.config().join("local/index.recent")
}

fn size_of_notes(a: &Laptop) -> u64 {
    fs::metadata(notes(a)).map_or(0, |notes| notes.len())
}

fn write_fact(a: &Laptop, number: usize, text: &str) {
    let front = format!("---\nid: {number}\ncreated: 2026-01-01T08:00:{:02}Z\n---\n", number % 60);
    a.write(&format!("knowledge/memories/{number}-by-hand.md"), &format!("{front}\n{text}\n"));
}

fn readings(a: &Laptop) -> Vec<String> {
    QUESTIONS.iter().map(|asked| a.piped("", asked).out).collect()
}

fn readings_of_files(a: &Laptop) -> Vec<String> {
    let before = fs::read(a.config().join("settings.json")).expect("settings");
    set(a, WITHOUT_INDEX);
    let all = readings(a);
    fs::write(a.config().join("settings.json"), before).expect("written");
    all
}

/// Each handle is a number of its own.
fn numbers(a: &Laptop) -> Vec<u64> {
    let facts = a.json(&["list"])["data"]["memories"].clone();
    let number = |fact: &serde_json::Value| {
        let handle = fact["handle"].as_str().expect("a handle");
        handle.parse().unwrap_or_else(|_| panic!("{handle}"))
    };
    let mut all: Vec<u64> = facts.as_array().expect("facts").iter().map(number).collect();
    all.sort_unstable();
    all
}

#[test]
fn whoever_asks_first_finds_what_was_only_noted() {
    for settings in [ON_DISK, LARGE] {
        let world = World::new();
        let a = laptop(&world, settings);
        for (at, first) in QUESTIONS.iter().enumerate() {
            // So that the folder's times tell what comes from what the index has.
            until_times_are_trusted();
            for text in TEXTS {
                a.co(&["learn", &format!("{text}, said in round {at}")]);
            }
            assert!(size_of_notes(&a) > 0, "{first:?}");
            let by_files = readings_of_files(&a);
            assert_eq!(a.piped("", first).out, by_files[at], "{settings} {first:?}");
            assert_eq!(readings(&a), by_files, "{settings} after {first:?}");
        }
        assert_eq!(numbers(&a), (1..=3 + 6 * 8).collect::<Vec<u64>>());
    }
}

#[test]
fn a_save_knows_those_that_were_noted_before_it() {
    let world = World::new();
    let a = laptop(&world, ON_DISK);
    for text in TEXTS {
        a.co(&["learn", text]);
    }
    for text in TEXTS {
        let again = a.json(&["learn", text]);
        assert_eq!(again["data"]["known"], true, "{text}");
    }
    insta::assert_snapshot!(whole(&a.co(&["learn", "On Sundays plays the flute"])), @r#"
    ✓ Saved memory 10: 010-on-sundays-plays-the-flute.md
    It is similar to 4 "Plays the flute on Sundays"; if it is the same fact: `co forget 10`.
    Location: [world]/a/.config/co-cli/identity/knowledge/memories/010-on-sundays-plays-the-flute.md
    "#);
    insta::assert_snapshot!(whole(&a.co(&["learn", "Behind the house keeps zebras"])), @r#"
    ✓ Saved memory 11: 011-behind-the-house-keeps-zebras.md
    It is similar to 5 "Keeps zebras behind the house"; if it is the same fact: `co forget 11`.
    Location: [world]/a/.config/co-cli/identity/knowledge/memories/011-behind-the-house-keeps-zebras.md
    "#);
    insta::assert_snapshot!(whole(&a.co(&["learn", "Grows medlars and quinces"])), @r#"
    ✓ Saved memory 12: 012-grows-medlars-and-quinces.md
    It is similar to 8 "Grows quinces and medlars"; if it is the same fact: `co forget 12`.
    Location: [world]/a/.config/co-cli/identity/knowledge/memories/012-grows-medlars-and-quinces.md
    "#);
    insta::assert_snapshot!(whole(&a.co(&["learn", "Sews quilts by lamplight"])), @"
    ✓ Saved memory 13: 013-sews-quilts-by-lamplight.md
    Location: [world]/a/.config/co-cli/identity/knowledge/memories/013-sews-quilts-by-lamplight.md
    ");
    assert_eq!(numbers(&a), (1..=13).collect::<Vec<u64>>());
    assert_eq!(readings(&a), readings_of_files(&a));
}

#[test]
fn notes_of_many_saves_stay_few() {
    let world = World::new();
    let a = laptop(&world, ON_DISK);
    let mut longest = 0;
    for number in 0..40 {
        a.co(&["learn", &format!("Owns boat {number} in harbour {}", number * 7)]);
        longest = longest.max(size_of_notes(&a));
    }
    assert!(longest < 16 * 1_024, "{longest} bytes");
    assert_eq!(numbers(&a), (1..=43).collect::<Vec<u64>>());
    assert_eq!(readings(&a), readings_of_files(&a));
    assert!(a.co(&["recall", "boat 39"]).contains("Owns boat 39"));
}

#[test]
fn a_file_that_comes_or_goes_between_noted_saves_is_seen() {
    for settings in [ON_DISK, LARGE] {
        let world = World::new();
        let a = laptop(&world, settings);
        for (at, text) in TEXTS.iter().enumerate() {
            a.co(&["learn", text]);
            let number = 4 + at * 4 + 1;
            write_fact(&a, number, &format!("was written by hand beside {text}"));
            a.co(&["learn", &format!("was told after {text}")]);
            let all = numbers(&a);
            assert_eq!(all, (1..=number as u64 + 1).collect::<Vec<u64>>(), "{text}");
            a.co(&["learn", &format!("was told later than {text}")]);
            let file = format!("knowledge/memories/{number}-by-hand.md");
            fs::remove_file(a.identity().join(file)).expect("removed");
            assert!(!a.co(&["list"]).contains(&format!("beside {text}")), "{text}");
            write_fact(&a, number, &format!("was written once more beside {text}"));
            assert_eq!(readings(&a), readings_of_files(&a), "{settings} {text}");
        }
    }
}

#[test]
fn what_was_noted_can_be_changed_at_once() {
    let changes: [&[&str]; 6] = [
        &["edit", "4", "Plays the harp"],
        &["forget", "4", "--yes"],
        &["pin", "4"],
        &["undo", "--yes"],
        &["memory", "show", "4"],
        &["check"],
    ];
    for change in changes {
        let world = World::new();
        let a = laptop(&world, ON_DISK);
        a.co(&["learn", "Plays the flute"]);
        a.co(&["learn", "Keeps zebras"]);
        let said = a.try_co(change);
        assert_eq!(said.code, 0, "{change:?}: {}", said.err);
        assert_eq!(readings(&a), readings_of_files(&a), "{change:?}");
    }
}

/// What somebody may do to the notes.
const DAMAGE: [Deed; 7] = [
    ("deleted", |a| fs::remove_file(notes(a)).expect("removed")),
    ("empty", |a| fs::write(notes(a), "").expect("written")),
    ("text", |a| fs::write(notes(a), "not a note").expect("written")),
    ("cut", |a| {
        let all = fs::read(notes(a)).expect("notes");
        fs::write(notes(a), &all[..all.len() - 5]).expect("written");
    }),
    ("flipped", |a| {
        let mut all = fs::read(notes(a)).expect("notes");
        let middle = all.len() / 2;
        all[middle] ^= 1;
        fs::write(notes(a), all).expect("written");
    }),
    ("twice", |a| {
        let all = fs::read(notes(a)).expect("notes");
        fs::write(notes(a), [&all[..], &all[..]].concat()).expect("written");
    }),
    ("a folder", |a| {
        fs::remove_file(notes(a)).expect("removed");
        fs::create_dir(notes(a)).expect("made");
    }),
];

#[test]
fn damaged_notes_change_no_answer() {
    for (name, damage) in DAMAGE {
        let world = World::new();
        let a = laptop(&world, LARGE);
        for text in TEXTS {
            // A save in the same moment as the one before is taken in at once.
            thread::sleep(Duration::from_millis(50));
            a.co(&["learn", text]);
        }
        damage(&a);
        let by_files = readings_of_files(&a);
        assert_eq!(readings(&a), by_files, "{name}");
        a.co(&["learn", "Sews quilts by lamplight"]);
        assert_eq!(numbers(&a), (1..=10).collect::<Vec<u64>>(), "{name}");
        assert_eq!(readings(&a), readings_of_files(&a), "{name}, after another save");
    }
}

#[test]
fn an_index_of_earlier_takes_in_what_was_noted_since_or_compares() {
    let world = World::new();
    let a = laptop(&world, LARGE);
    let copy = a.config().join("copy");
    let index = a.index();
    a.co(&["knowledge", "reindex"]);
    fs::copy(&index, &copy).expect("copied");
    for (at, text) in TEXTS.iter().enumerate() {
        a.co(&["learn", text]);
        if at % 2 == 1 {
            a.co(&["list"]);
        }
        for end in ["-wal", "-shm"] {
            let mut beside = index.clone().into_os_string();
            beside.push(end);
            drop(fs::remove_file(beside));
        }
        fs::copy(&copy, &index).expect("put back");
        assert_eq!(readings(&a), readings_of_files(&a), "{text}");
    }
    assert_eq!(numbers(&a), (1..=9).collect::<Vec<u64>>());
}
