//! `last`: the fact that was learned last on this laptop, wherever a fact is named.

use crate::support::{
    Laptop, World,
    pair::pair,
    ready::{laptop, remembering},
    terminal::screen,
};
use std::fs;

fn three(world: &World) -> Laptop {
    remembering(world, &["Likes tea", "Rows on Tuesdays", "Lives in Bern"])
}

#[test]
fn every_verb_that_takes_a_fact_takes_the_last_one() {
    let world = World::new();
    let a = three(&world);
    assert!(a.co(&["show", "last"]).starts_with("fact 3-"));
    assert!(a.co(&["pin", "last"]).contains("Pinned fact 3: Lives in Bern"));
    assert!(a.co(&["unpin", "last"]).contains("Fact 3 is no longer pinned"));
    assert!(a.co(&["edit", "last", "--add-tag", "home"]).contains("Edited fact 3"));
    // An edit is no learning, and it may change the text.
    assert!(a.co(&["edit", "last", "Lives in Basel"]).contains("was: Lives in Bern"));
    assert!(a.co(&["show", "1", "last"]).contains("Lives in Basel"));
    assert!(a.co(&["log", "last"]).contains("\"Lives in Basel\""));
    assert_eq!(a.try_co(&["memory", "similar", "last"]).code, 0);
    assert!(a.co(&["forget", "last", "--yes"]).contains("Forgot fact 3: Lives in Basel"));
    // The one before it is now the last.
    assert!(a.co(&["forget", "--yes", "1", "last"]).contains("Rows on Tuesdays"));
    assert!(a.facts().is_empty());
    let said = a.fails(5, &["show", "last"]);
    assert!(said.contains("none of the facts here was learned on this laptop"), "{said}");
}

#[test]
fn the_last_one_is_forgotten_only_when_it_was_named_to_the_person() {
    for (answer, left) in [("n\n", 3), ("\n", 3), ("y\n", 2), ("yes\n", 2)] {
        let world = World::new();
        let a = three(&world);
        let said = screen(&a, 100, &["forget", "last"], &[("Forget \"Lives in Bern\"?", answer)]);
        assert_eq!(a.facts().len(), left, "{answer:?}: {said}");
    }
    // Nobody can be asked.
    let world = World::new();
    let a = three(&world);
    for words in [&["forget", "last"][..], &["forget", "1", "last"], &["forget", "last", "--json"]]
    {
        let said = a.try_co(words);
        assert_eq!(said.code, 3, "{words:?}: {}", said.err);
        assert!(format!("{}{}", said.out, said.err).contains("co forget 3"), "{words:?}");
        assert_eq!(a.facts().len(), 3, "{words:?}");
    }
}

#[test]
fn learned_is_what_this_laptop_learned_and_did_not_undo() {
    let shows = |a: &Laptop, fact: &str| {
        let said = a.co(&["show", "last"]);
        assert!(said.contains(fact), "{fact}: {said}");
    };
    let world = World::new();
    let a = three(&world);
    a.co(&["undo"]);
    shows(&a, "Rows on Tuesdays");
    a.co(&["redo"]);
    shows(&a, "Lives in Bern");
    // Said again, it is learned again.
    a.co(&["learn", "Likes tea"]);
    shows(&a, "Likes tea");
    a.co(&["knowledge", "write", "notes/x", "A document"]);
    a.co(&["profile", "set", "Editor", "nvim"]);
    shows(&a, "Likes tea");
    a.co(&["forget", "1"]);
    shows(&a, "Lives in Bern");
    a.co(&["undo"]);
    shows(&a, "Likes tea");
}

#[test]
fn what_a_sync_brings_is_not_the_last_one() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.co(&["learn", "Said on a"]);
    a.co(&["sync"]);
    b.co(&["learn", "Said on b"]);
    b.co(&["sync"]);
    a.co(&["sync"]);
    assert!(a.co(&["show", "last"]).contains("Said on a"));
    // Its number is another one since, and it is still the last one there.
    assert!(b.co(&["show", "last"]).contains("Said on b"));
    a.co(&["edit", "last", "Edited on a"]);
    a.co(&["sync"]);
    b.co(&["sync"]);
    assert!(a.co(&["show", "last"]).contains("Edited on a"));
    assert!(b.co(&["show", "last"]).contains("Said on b"));
}

#[test]
fn a_fact_of_a_project_is_the_last_one_there() {
    let world = World::new();
    let a = three(&world);
    let project = a.home.join("work");
    fs::create_dir_all(project.join(".co-cli")).expect("a project");
    let inside = project.display().to_string();
    a.co(&["-C", &inside, "learn", "Builds with make"]);
    assert!(a.co(&["-C", &inside, "show", "last"]).contains("Builds with make"));
    assert!(a.co(&["-C", &inside, "show", "last", "--scope", "identity"]).contains("in Bern"));
    // Outside, it cannot be seen.
    assert!(a.co(&["show", "last"]).contains("Lives in Bern"));
    a.co(&["-C", &inside, "forget", "last", "--yes"]);
    assert!(a.co(&["-C", &inside, "show", "last"]).contains("Lives in Bern"));
}

#[test]
fn the_fact_in_the_editor_stays_the_one_that_was_meant() {
    let world = World::new();
    let a = three(&world);
    let co = assert_cmd::cargo::cargo_bin("co");
    let script = a.home.join("editor.sh");
    let lines = "learn 'Has a dog' >&2\necho 'Lives in Basel' > \"$1\"";
    fs::write(&script, format!("'{}' {lines}\n", co.display())).expect("written");
    let with = a.with_env("EDITOR", &format!("sh {}", script.display()));
    let said = screen(&with, 100, &["edit", "last"], &[]);
    assert!(said.contains("Edited fact 3: Lives in Basel"), "{said}");
    assert_eq!(a.facts(), ["Has a dog", "Likes tea", "Lives in Basel", "Rows on Tuesdays"]);
}

#[test]
fn words_beside_it_are_still_words() {
    let world = World::new();
    let a = laptop(&world, "a");
    a.co(&["learn", "The last train goes at nine"]);
    a.co(&["learn", "Lives in Bern"]);
    let said = a.co(&["forget", "last train", "--yes"]);
    assert!(said.contains("The last train"), "{said}");
    assert_eq!(a.facts(), ["Lives in Bern"]);
}
