//! An index that another program holds: answered without it after one wait, and never replaced.

use crate::support::{
    Laptop, Said, World,
    waiting::{at_once, longer_than},
};
use rusqlite::Connection;
use std::{fs, time::Duration};

/// A wait is two seconds, without what the command itself takes; two waits are more.
const ONE_WAIT: Duration = Duration::from_secs(3);

/// As if by a program that keeps a database to itself.
const WITH_LOG: &str = "pragma locking_mode = exclusive; begin exclusive;";
/// As where there is no log, on a disk of another machine.
const WITHOUT_LOG: &str = "pragma journal_mode = delete; begin exclusive;";

fn laptop(world: &World, name: &str) -> Laptop {
    let a = world.laptop(name);
    a.co(&["init", "--yes"]);
    let settings = r#"{"recall": {"encoder": "off"}}"#;
    fs::write(a.config().join("settings.json"), settings).expect("written");
    for text in ["Likes oolong tea", "Lives in Berlin", "Plays the flute", "Rows on Sundays"] {
        a.co(&["learn", text]);
    }
    a.write("knowledge/notes/tea.md", "# Tea\n\nOolong is a tea.\n");
    a.co(&["knowledge", "reindex"]);
    a
}

/// What happens while somebody holds the index.
fn while_held<T>(a: &Laptop, how: &str, then: impl FnOnce() -> T) -> T {
    let other = Connection::open(a.index()).expect("SQLite");
    other.execute_batch(how).expect("held");
    let given = then();
    other.execute_batch("rollback;").expect("let go");
    given
}

/// What a command says, and how long it waits: nobody holds the index of the twin.
fn waiting(a: &Laptop, twin: &Laptop, command: &[&str]) -> (Said, Duration) {
    longer_than(|| drop(twin.try_co(command)), || a.try_co(command))
}

/// The indexes, without what SQLite and co put beside them.
fn indexes(a: &Laptop) -> Vec<String> {
    let names = fs::read_dir(a.config().join("local")).expect("a folder").flatten();
    let names = names.filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| name.starts_with("index") && name.ends_with(".db")).collect()
}

#[test]
fn a_question_waits_for_an_index_in_use_once_and_leaves_it_there() {
    let world = World::new();
    let (a, twin) = (laptop(&world, "a"), laptop(&world, "twin"));
    let before = indexes(&a);
    let asked: [&[&str]; 6] = [
        &["recall", "oolong"],
        &["show", "2"],
        &["list"],
        &["check"],
        &["knowledge", "search", "oolong"],
        &["memory", "similar"],
    ];
    for (how, asked) in [(WITH_LOG, &asked[..]), (WITHOUT_LOG, &asked[..3])] {
        let good: Vec<Said> = asked.iter().map(|command| a.try_co(command)).collect();
        let held = while_held(&a, how, || at_once(asked, |command| waiting(&a, &twin, command)));
        for ((command, good), (said, waited)) in asked.iter().zip(good).zip(held) {
            assert_eq!((said.code, said.out), (good.code, good.out), "{how} {command:?}");
            assert!(waited < ONE_WAIT, "{how} {command:?}: {waited:?}");
        }
        assert_eq!(indexes(&a), before, "{how}");
    }
}

#[test]
fn a_change_waits_for_an_index_in_use_once_and_is_found_later() {
    let world = World::new();
    let (a, twin) = (laptop(&world, "a"), laptop(&world, "twin"));
    let before = indexes(&a);
    for (command, asked, found) in [
        (&["learn", "Sews quilts"][..], "quilts", "Sews quilts"),
        (&["learn", "Keeps zebras"], "zebras", "Keeps zebras"),
        (&["edit", "2", "Lives in Lisbon"], "Lisbon", "Lives in Lisbon"),
        (&["pin", "3"], "flute", "Plays the flute"),
        (&["forget", "1", "--yes"], "oolong", "Oolong is a tea"),
    ] {
        let (said, waited) = while_held(&a, WITH_LOG, || waiting(&a, &twin, command));
        assert_eq!(said.code, 0, "{command:?}: {}", said.err);
        assert!(waited < ONE_WAIT, "{command:?}: {waited:?}");
        assert_eq!(indexes(&a), before, "{command:?}");
        assert!(a.co(&["recall", asked]).contains(found), "{command:?}");
    }
    let facts = a.facts();
    assert_eq!(facts.len(), 5, "{facts:?}");
    assert!(a.co(&["show", "6"]).contains("Keeps zebras"));
}
