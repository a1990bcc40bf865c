//! A sync of a few new facts reads these alone where nothing about them needs a decision, and makes
//! what a sync that reads every file makes; and what a sync tells and logs of them, with no remote
//! and offline, too.

use crate::support::{
    Laptop, World,
    pair::{assert_agree, pair},
    waiting::at_once,
    whole::whole,
};
use std::{collections::BTreeMap, fs};

const BASE: &str = "knowledge/memories/800-base.md";

/// A fact as `learn` writes it, of this text.
fn written(author: &Laptop, text: &str) -> String {
    author.co(&["learn", text]);
    let memories = author.identity().join("knowledge/memories");
    let files = fs::read_dir(memories).expect("a folder").map(|entry| entry.expect("one").path());
    let texts = files.map(|file| fs::read_to_string(file).expect("a fact"));
    let found: Vec<String> = texts.filter(|fact| fact.ends_with(&format!("{text}\n"))).collect();
    let [fact] = found.as_slice() else { panic!("{text}: {found:?}") };
    author.co(&["undo", "--yes"]);
    fact.clone()
}

/// With other values of some labels; an empty one removes the label.
fn labelled(fact: &str, labels: &[(&str, &str)]) -> String {
    let line = |line: &str| {
        let label = labels.iter().find(|(label, _)| line.starts_with(&format!("{label}: ")));
        match label {
            Some((_, "")) => String::new(),
            Some((label, value)) => format!("{label}: {value}\n"),
            None => format!("{line}\n"),
        }
    };
    fact.lines().map(line).collect()
}

type Files = Vec<(&'static str, String)>;

fn kinds(author: &Laptop) -> Vec<(&'static str, Files)> {
    const ONE: &str = "knowledge/memories/901-one.md";
    const TWO: &str = "knowledge/memories/902-two.md";
    let at = |fact: &str, id: &str, day: &str| {
        labelled(fact, &[("id", id), ("created", &format!("2026-03-{day}T10:00:00+00:00"))])
    };
    let (tea, oats) = (written(author, "Drinks oolong"), written(author, "Eats oats"));
    let base = written(author, "The base of it all");
    let one = at(&tea, "901", "01");
    vec![
        ("as learned", vec![(ONE, one.clone())]),
        ("two", vec![(ONE, one.clone()), (TWO, at(&oats, "902", "02"))]),
        ("its number is taken", vec![(ONE, at(&tea, "800", "01"))]),
        ("no number", vec![(ONE, at(&tea, "", "01"))]),
        ("both have one number", vec![(ONE, one.clone()), (TWO, at(&oats, "901", "02"))]),
        ("said before", vec![(ONE, at(&base, "901", "01"))]),
        ("said twice", vec![(ONE, one.clone()), (TWO, at(&tea, "902", "02"))]),
        ("another's origin", vec![(ONE, at(&tea, "901", "20"))]),
        ("one origin", vec![(ONE, one.clone()), (TWO, at(&oats, "902", "01"))]),
        ("edited by hand", vec![(ONE, one.replace("oolong", "mate"))]),
        ("no checksum", vec![(ONE, labelled(&one, &[("checksum", "")]))]),
        ("no fact", vec![(ONE, "Only words\n".to_owned())]),
        ("a marker", vec![(ONE, one.replace("Drinks", "<<<<<<< ours\nDrinks"))]),
        ("a copy", vec![("knowledge/memories/800-base (conflicted copy).md", one.clone())]),
        ("a document, too", vec![(ONE, one), ("knowledge/a.md", "A text\n".to_owned())]),
    ]
}

/// All files, without the times of edits, after a sync of these beside what was synced before.
fn synced(index: &str, base: &str, files: &[(&str, String)]) -> BTreeMap<String, String> {
    let world = World::new();
    let (a, b) = pair(&world);
    fs::write(a.config().join("settings.json"), format!(r#"{{"recall": {{"index": {index}}}}}"#))
        .expect("written");
    a.write(BASE, base);
    a.co(&["sync"]);
    a.co(&["list"]);
    std::thread::sleep(std::time::Duration::from_millis(1_200));
    for (path, text) in files {
        a.write(path, text);
    }
    a.co(&["list"]);
    std::thread::sleep(std::time::Duration::from_millis(200));
    // What is held back ends it with an error.
    a.try_co(&["sync"]);
    b.co(&["sync"]);
    let plain = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let lines = text.lines().filter(|line| !line.starts_with("updated: "));
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    // Those of the other laptop show what was published.
    let here = a.tree().into_iter().map(|(path, bytes)| (format!("a/{path}"), bytes));
    let there = b.tree().into_iter().map(|(path, bytes)| (format!("b/{path}"), bytes));
    let is_compared = |(path, _): &(String, Vec<u8>)| {
        ["800", "90", "knowledge/a.md"].iter().any(|part| path.contains(part))
    };
    let all = here.chain(there).filter(is_compared);
    all.map(|(path, bytes)| (path, plain(&bytes))).collect()
}

#[test]
fn what_new_facts_become_does_not_depend_on_what_is_read() {
    let world = World::new();
    let author = world.laptop("author");
    author.co(&["init", "--yes", "--name", "Ada"]);
    let base = written(&author, "The base of it all");
    let base = labelled(&base, &[("id", "800"), ("created", "2026-03-20T10:00:00+00:00")]);
    let kinds = kinds(&author);
    // Most of the time they wait until what was written is no longer new.
    for some in kinds.chunks(5) {
        let some: Vec<_> = some.iter().collect();
        at_once(&some, |(name, files)| {
            let (with, without) = (synced("true", &base, files), synced("false", &base, files));
            assert!(with.len() >= 2, "{name}: {with:?}");
            assert_eq!(with, without, "{name}");
        });
    }
}

#[test]
fn the_index_of_git_has_the_new_facts_beside_what_it_had() {
    let world = World::new();
    let (a, b) = pair(&world);
    let rounds: [&[&str]; 5] = [
        &["Drinks oolong"],
        &["Eats oats", "Owns a loom"],
        &["Zinc is what the roof is made of"],
        &["Aims for calm", "Bikes to work", "Runs on Sundays"],
        &["Schläft früh"],
    ];
    for texts in rounds {
        a.co(&["list"]);
        texts.iter().for_each(|text| drop(a.co(&["learn", text])));
        a.co(&["sync"]);
        assert_eq!(a.git(&["diff", "--cached", "--name-only"]), "", "{texts:?}");
        assert_eq!(a.git(&["status", "--porcelain"]), "", "{texts:?}");
        let paths = |command: &[&str]| a.git(command).lines().count();
        let there = paths(&["ls-tree", "-r", "--name-only", "HEAD"]);
        assert_eq!(paths(&["ls-files"]), there, "{texts:?}");
        // Checks the index's own hash, too.
        a.git(&["fsck", "--strict", "--no-dangling"]);
        assert_eq!(a.co(&["sync"]), "Up to date.\n", "{texts:?}");
    }
    b.co(&["sync"]);
    assert_agree(&[&a, &b]);
}

#[test]
fn what_a_person_staged_beside_new_facts_is_committed_with_them() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.co(&["list"]);
    a.co(&["learn", "Drinks oolong"]);
    a.write("knowledge/tea.md", "# Tea\n\nOolong is half fermented.\n");
    a.git(&["add", "knowledge/tea.md"]);
    a.co(&["sync"]);
    assert_eq!(a.git(&["diff", "--cached", "--name-only"]), "");
    assert!(a.git(&["show", "HEAD:knowledge/tea.md"]).contains("half fermented"));
    b.co(&["sync"]);
    assert_agree(&[&a, &b]);
}

#[test]
fn a_fact_about_a_laptop_is_told_as_a_fact_and_logged_once() {
    let world = World::new();
    let (remote, a, b) = (world.remote(), world.laptop("a"), world.laptop("b"));
    a.co(&["init", "--yes", "--remote", &remote]);
    a.co(&["learn", "Prefers tabs"]);
    a.co(&["sync"]);
    b.co(&["init", "--yes", &remote]);
    a.co(&["learn", "--here", "The fan is loud"]);
    insta::assert_snapshot!(whole(&a.co(&["sync"])), @"
    Synced with origin ([world]/remote.git).
      learned here    + here/1 The fan is loud
    1 fact, and 1 about this laptop.
    ");
    let subject = a.git(&["log", "-1", "--format=%s"]);
    assert!(subject.contains("learned 1") && !subject.contains("fan"), "{subject}");
    // There it is no fact that could be named.
    insta::assert_snapshot!(whole(&b.co(&["sync"])), @"
    Synced with origin ([world]/remote.git).
      learned there   +      The fan is loud  (read on a only)
    1 fact.
    ");
    a.co(&["edit", "here/1", "The fan is very loud"]);
    insta::assert_snapshot!(whole(&a.co(&["sync"])), @"
    Synced with origin ([world]/remote.git).
      edited here     ~ here/1 The fan is very loud  (was: The fan is loud)
    1 fact, and 1 about this laptop.
    ");
    a.co(&["forget", "here/1"]);
    insta::assert_snapshot!(whole(&a.co(&["sync"])), @"
    Synced with origin ([world]/remote.git).
      forgotten here  - here/1 The fan is very loud
    1 fact.
    ");
    let log = a.co(&["log"]);
    let did: Vec<&str> = log.lines().filter(|line| line.contains("fan")).collect();
    assert!(did.len() == 3 && !log.contains("by hand"), "{log}");
    insta::assert_snapshot!(whole(&a.co(&["undo"])), @"
    ✓ Undone o4, forget: The fan is very loud. `co redo` reverses this undo.
      + here/1 The fan is very loud
    ");
    a.co(&["sync"]);
    assert!(!a.co(&["log"]).contains("by hand"));
    // What an editor changed is not co's.
    let files = a.tree();
    let (file, _) = files
        .iter()
        .find(|(path, _)| path.starts_with("hosts/a/knowledge/memories/"))
        .expect("a fact");
    a.edit(file, "very loud", "quiet");
    a.co(&["sync"]);
    assert!(a.co(&["log"]).contains("by hand   edited 1\n"), "{}", a.co(&["log"]));
}

#[test]
fn a_sync_that_pushes_nothing_tells_only_what_it_committed() {
    let world = World::new();
    let (a, remote) = (world.laptop("a"), world.remote());
    a.co(&["init", "--yes", "--name", "Bin"]);
    let mut told = Vec::new();
    for (is_offline, warning, [first, second]) in [
        (false, "there is no remote yet (`co identity remote URL`", ["One", "Two"]),
        (true, "your facts will be pushed at the next sync", ["Three", "Four"]),
    ] {
        if is_offline {
            a.co(&["identity", "remote", "--yes", &remote]);
            a.co(&["sync"]);
            // Nobody listens there: no network, as far as git can tell.
            a.git(&["config", "remote.origin.url", "http://127.0.0.1:9/remote.git"]);
        }
        a.co(&["learn", first]);
        a.co(&["sync"]);
        a.co(&["learn", second]);
        let said = a.try_co(&["sync"]);
        assert!(said.code == 0 && said.err.contains(warning), "{}", said.err);
        assert!(!said.err.contains("committed"), "it is said once: {}", said.err);
        told.push(whole(&said.out));
    }
    // What was told before is not told again.
    insta::assert_snapshot!(told.join("\n"), @"
    Committed on this laptop.
      learned here    + 2    Two
    2 facts.
    Committed on this laptop.
      learned here    + 4    Four
    4 facts.
    ");
    // The one that pushes tells what others get.
    a.git(&["config", "remote.origin.url", &remote]);
    insta::assert_snapshot!(whole(&a.co(&["sync"])), @"
    Synced with origin ([world]/remote.git).
      learned here    + 3    Three
      learned here    + 4    Four
    4 facts.
    ");
}
