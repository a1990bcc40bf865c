//! `co redo`: what an undo took back is done again, to the byte.

use crate::support::{
    Laptop, World,
    acts::{Act, Label},
    chooser::{Mix, Sight},
    dice::Dice,
    pair::{assert_agree, pair},
    ready::laptop,
    stories::number,
    whole::whole,
};
use std::fs;

#[test]
fn undo_takes_back_and_redoes() {
    let world = World::new();
    let a = laptop(&world, "a");
    a.co(&["learn", "First"]);
    let before = a.tree();
    a.co(&["learn", "Second"]);
    a.co(&["identity", "undo"]);
    assert_eq!(a.tree(), before);
    a.co(&["forget", "--yes", "First"]);
    a.co(&["identity", "undo"]);
    assert_eq!(a.tree(), before, "byte for byte, the ledger too");
    a.co(&["memory", "edit", "1", "Changed"]);
    let log = a.json(&["identity", "log"]);
    let edit = log["data"]["operations"][0]["op"].as_u64().expect("a number").to_string();
    a.co(&["identity", "undo", &format!("o{edit}")]);
    assert_eq!(a.tree(), before);
    let undo = a.json(&["identity", "log"])["data"]["operations"][0]["op"]
        .as_u64()
        .expect("a number")
        .to_string();
    a.co(&["identity", "undo", &format!("o{undo}")]);
    assert_eq!(a.facts(), ["Changed"]);
}

#[test]
fn undo_and_redo_of_a_lost_field() {
    let world = World::new();
    let (a, b) = pair(&world);
    let zone = "- Timezone: America/Los_Angeles";
    // b speaks first and publishes last, so that the merge on b takes a's.
    b.edit("profile.md", zone, "- Timezone: Asia/Shanghai");
    b.co(&["learn", "From b"]);
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    a.edit("profile.md", zone, "- Timezone: Europe/Berlin\n- Editor: neovim");
    a.co(&["learn", "From a"]);
    a.co(&["sync"]);
    let said = b.co(&["sync"]);
    assert!(b.read("profile.md").contains("Europe/Berlin"), "{said}");
    insta::assert_snapshot!(whole(&said), @"
    Synced with origin ([world]/remote.git).
      learned here    + 5    From b  (was 4 here; 4 was taken)
      learned there   + 4    From a
      profile           Timezone: Europe/Berlin  (there, newer; yours was Asia/Shanghai)
      profile           Editor: neovim  (there)
    5 facts. Please review Timezone (set on both laptops). Undo: `co undo`.
    ");
    insta::assert_snapshot!(whole(&b.co(&["undo", "--dry-run"])), @"
    would undo o3, merge: learned 1, profile.md
      + profile.md: - Timezone: Asia/Shanghai
      - profile.md: - Timezone: Europe/Berlin
      not undone: fact 4, learned on another laptop (`--accept-deletions` undoes that, too)
    ");
    insta::assert_snapshot!(whole(&b.co(&["undo"])), @"
    ✓ Undone o3, merge: learned 1, profile.md. `co redo` reverses this undo. It was already pushed: the next `co sync` passes this on to other laptops.
      + profile.md: - Timezone: Asia/Shanghai
      - profile.md: - Timezone: Europe/Berlin
      not undone: fact 4, learned on another laptop (`--accept-deletions` undoes that, too)
    ");
    let profile = b.read("profile.md");
    assert!(profile.contains("Asia/Shanghai") && profile.contains("- Editor: neovim"), "{profile}");
    assert!(b.facts().contains(&"From a".to_owned()), "what a learned stays");
    b.co(&["redo"]);
    assert!(b.read("profile.md").contains("Europe/Berlin"));
    b.co(&["undo"]);
    b.co(&["sync"]);
    a.co(&["sync"]);
    assert!(a.read("profile.md").contains("Asia/Shanghai"), "it travels");
    assert_agree(&[&a, &b]);
}

const MIX: &Mix =
    &[(1, Act::Forget((), None)), (1, Act::Edit((), Label::Text(()))), (1, Act::Learn((), None))];

/// Fifteen commands on two laptops that sync in between. After each the command is taken back and
/// done again, and nothing that the other laptop said is lost by it.
fn play(seed: u64) {
    let world = World::new();
    let (a, b) = pair(&world);
    let mut dice = Dice::new(seed);
    let mut told: Vec<String> = Vec::new();
    // Facts that were learned and never forgotten or edited by anybody.
    let mut standing: Vec<String> = Vec::new();
    for step in 0..15 {
        let laptop = dice.one_of(&[&a, &b]);
        if dice.below(3) == 0 {
            laptop.co(&["sync"]);
            told.push(format!("{} sync", laptop.name));
            continue;
        }
        let before = laptop.facts();
        let act = Sight::of(laptop, step).next_or_learn(MIX, &mut dice);
        match &act {
            Act::Learn(text, _) => standing.push(text.clone()),
            Act::Edit(fact, _) | Act::Forget(fact, _) => standing.retain(|text| *text != fact.text),
            other => unreachable!("{other:?} is not in the mix"),
        }
        told.push(format!("{} {}", laptop.name, act.words().join(" ")));
        let said = laptop.try_co(&act.words());
        assert_eq!(said.code, 0, "seed {seed}: {told:?}: {}", said.err);
        let after = laptop.facts();
        if dice.below(2) == 0 {
            laptop.co(&["undo"]);
            assert_eq!(laptop.facts(), before, "seed {seed}: {told:?}: undone");
            laptop.co(&["redo"]);
            assert_eq!(laptop.facts(), after, "seed {seed}: {told:?}: done again");
            told.push("undo, redo".into());
        }
    }
    for laptop in [&a, &b] {
        laptop.co(&["sync"]);
        take_an_older_save_back(laptop, &standing, &format!("seed {seed}: {told:?}"));
    }
    for laptop in [&a, &b, &a, &b] {
        laptop.co(&["sync", "--accept-deletions"]);
    }
    for fact in &standing {
        assert!(a.facts().contains(fact), "seed {seed}: {told:?}: `{fact}` is lost");
    }
    assert_agree(&[&a, &b]);
}

/// Whatever merges did to it since: its number may be another one, and it may be published.
fn take_an_older_save_back(laptop: &Laptop, standing: &[String], history: &str) {
    let log = laptop.json(&["log", "-n", "100"]);
    let operations = log["data"]["operations"].as_array().cloned().unwrap_or_default();
    let own = operations.iter().rev().find(|operation| {
        let what = operation["what"].as_str().unwrap_or_default();
        let is_save = operation["verb"] == "save" && operation["undone"] == false;
        is_save && standing.iter().any(|fact| fact == what)
    });
    let Some(own) = own else { return };
    let (op, fact) = (own["op"].to_string(), own["what"].as_str().unwrap_or_default());
    let before = laptop.facts();
    let said = laptop.try_co(&["undo", &format!("o{op}")]);
    assert_eq!(said.code, 0, "{history}: undo {op} of `{fact}`: {}", said.err);
    let without: Vec<String> = before.iter().filter(|other| *other != fact).cloned().collect();
    assert_eq!(laptop.facts(), without, "{history}: undo {op}");
    laptop.co(&["redo"]);
    assert_eq!(laptop.facts(), before, "{history}: redo {op}");
}

#[test]
fn random_commands_are_taken_back_and_done_again() {
    for seed in 0..number("CO_UNDO_HISTORIES", 6) {
        play(seed);
    }
}

#[test]
fn redo_of_an_import_is_byte_for_byte() {
    let world = World::new();
    let (a, _) = pair(&world);
    let source = world.path("source");
    for (path, text) in [
        ("traits/terse.md", "---\nname: Terse\n---\n\nIs terse\n"),
        ("knowledge/memories/001-x.md", "---\nid: 1\ncreated: 2026-01-01T00:00:00Z\n---\n\nX\n"),
        ("knowledge/plan.md", "# Plan\n"),
    ] {
        let file = source.join(path);
        fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        fs::write(file, text).expect("written");
    }
    a.co(&["identity", "import", "--yes", &source.display().to_string()]);
    let imported = a.tree();
    a.co(&["undo", "--yes"]);
    assert_ne!(a.tree(), imported);
    a.co(&["redo", "--yes"]);
    assert_eq!(a.tree(), imported);
    // Facts that were never published get no stamp from an undo.
    a.co(&["learn", "Never published"]);
    let before = a.tree();
    a.co(&["learn", "Never published", "--tag", "other"]);
    a.co(&["undo", "--yes"]);
    assert_eq!(a.tree(), before);
}
