//! Undo after every command that changes something, in random order, before and after a push: the
//! identity is as it was before.

use crate::support::{
    Laptop, World,
    acts::{Act, Label, Typed},
    chooser::{Mix, Sight},
    dice::Dice,
    stories::number,
    whole::whole,
};
use std::fs;

const MIX: &Mix = &[
    (1, Act::Forget((), None)),
    (1, Act::Edit((), Label::Text(()))),
    (1, Act::Again(())),
    (1, Act::Import((), false)),
    (1, Act::Import((), true)),
    (1, Act::Mend),
    (1, Act::Learn((), None)),
];

fn step(laptop: &Laptop, n: usize, dice: &mut Dice, published: bool) -> Typed {
    let act = Sight::of(laptop, n).next_or_learn(MIX, dice);
    if matches!(act, Act::Mend) {
        // Something that --fix mends.
        let stamp = if published {
            format!("---\nid: 9{n}\ncreated: 2026-01-01T00:00:{n:02}.5\n---\n\n")
        } else {
            String::new()
        };
        let note = format!("knowledge/memories/note-{n}.md");
        laptop.write(&note, &format!("{stamp}A note {n}\n"));
    }
    act
}

fn play(seed: u64, published: bool) {
    let world = World::new();
    let (remote, source, a) = (world.remote(), world.laptop("source"), world.laptop("a"));
    source.co(&["init", "--yes", "--name", "Eve"]);
    for fact in ["From the archive", "Fact 3 of a", "Edited 4 on a"] {
        source.co(&["learn", fact]);
    }
    let archive = world.path("archive").display().to_string();
    source.co(&["identity", "export", &archive]);
    if published {
        a.co(&["init", "--yes", "--remote", &remote]);
    } else {
        // No repository at all: also before the first commit everything can be taken back.
        fs::create_dir_all(a.identity().join("knowledge/memories")).expect("a folder");
        a.write(
            "profile.md",
            "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n# Profile\n\n- Name: Bin\n",
        );
    }
    let mut dice = Dice::new(seed);
    let mut told = Vec::new();
    for n in 0..12 {
        let act = step(&a, n, &mut dice, published);
        told.push(act.words().join(" "));
        let (before, facts) = (a.texts(), a.facts());
        let ops = a.json(&["identity", "log", "-n", "1000"])["data"]["operations"]
            .as_array()
            .map_or(0, Vec::len);
        let said = a.try_co(&act.words());
        assert!(matches!(said.code, 0 | 1 | 6), "seed {seed}: {told:?}: {}", said.err);
        let after = a.texts();
        if a.json(&["identity", "log", "-n", "1000"])["data"]["operations"]
            .as_array()
            .map_or(0, Vec::len)
            == ops
        {
            continue;
        }
        if published && dice.below(2) == 0 {
            a.co(&["identity", "sync"]);
            let undone = a.try_co(&["identity", "undo"]);
            assert_eq!(undone.code, 0, "seed {seed}: {told:?}: {}", undone.err);
            assert_eq!(a.facts(), facts, "seed {seed}: {told:?}: the same facts after a push");
            a.co(&["identity", "sync", "--accept-deletions"]);
            assert_eq!(a.facts(), facts, "seed {seed}: {told:?}: a sync keeps what was undone");
            continue;
        }
        if published {
            a.co(&["identity", "undo"]);
            assert_eq!(a.facts(), facts, "seed {seed}: {told:?}: undone");
            continue;
        }
        a.co(&["identity", "undo"]);
        assert_eq!(a.texts(), before, "seed {seed}: {told:?}: undone");
        let last =
            a.json(&["identity", "log", "-n", "1"])["data"]["operations"][0]["op"].to_string();
        a.co(&["identity", "undo", &format!("o{last}")]);
        assert_eq!(a.texts(), after, "seed {seed}: {told:?}: redone");
    }
}

fn rounds() -> u64 {
    number("CO_UNDO_ROUNDS", 4)
}

#[test]
fn unpublished_changes_come_back_byte_for_byte() {
    (0..rounds()).for_each(|seed| play(seed * 77 + 1, false));
}

#[test]
fn published_changes_come_back_as_the_same_facts() {
    (0..rounds()).for_each(|seed| play(seed * 91 + 5, true));
}

#[test]
fn a_number_alone_is_no_operation_and_a_range_is_several() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    for at in 1..=4 {
        a.co(&["learn", &format!("Fact number {at}")]);
    }
    let all = a.facts();
    let last = a.json(&["log"])["data"]["operations"][0]["op"].as_u64().expect("a number");
    let three = format!("o{}..o{last}", last - 2);
    let said = a.fails(2, &["undo", "3"]);
    insta::assert_snapshot!(whole(&said), @"
    error: `3` is not an operation; `co log` numbers them o1, o2 and so on
    hint: the last 3 operations: `co undo o2..o4`
    hint: fact 3 (Fact number 3): `co forget 3`
    ");
    for arguments in [&["undo", "3", "--yes"][..], &["undo", "3", "--dry-run"]] {
        assert_eq!(a.fails(2, arguments), said);
    }
    insta::assert_snapshot!(whole(&a.fails(2, &["undo", "1"])), @"
    error: `1` is not an operation; `co log` numbers them o1, o2 and so on
    hint: the last operation: `co undo o4`
    hint: fact 1 (Fact number 1): `co forget 1`
    ");
    insta::assert_snapshot!(whole(&a.fails(2, &["undo", "77"])), @"
    error: `77` is not an operation; `co log` numbers them o1, o2 and so on
    hint: `co undo` undoes the last operation
    ");
    assert!(a.fails(2, &["redo", "3"]).contains("not an operation"));
    insta::assert_snapshot!(whole(&a.fails(2, &["redo", &three])), @"
    error: redo takes one operation; one undo of several is one operation
    hint: `co redo` reverses the last undo
    ");
    assert_eq!(a.facts(), all);
    insta::assert_snapshot!(whole(&a.co(&["undo", "--dry-run", &three])), @"
    would undo 3 operations of o2..o4
      o4, learn: Fact number 4
      o3, learn: Fact number 3
      o2, learn: Fact number 2
    ");
    assert_eq!(a.facts(), all);
    assert!(a.co(&["undo", "--yes", &three]).contains("Undone 3 operations"));
    assert_eq!(a.facts(), ["Fact number 1"]);
    a.co(&["redo"]);
    assert_eq!(a.facts(), all);
    // Typed the wrong way round, and with some that are undone already.
    a.co(&["undo", &format!("o{}", last - 1)]);
    a.co(&["undo", "--yes", &format!("o{last}..o{}", last - 2)]);
    assert_eq!(a.facts(), ["Fact number 1"]);
    a.fails(5, &["undo", "--yes", "o900..o901"]);
}
