//! Three people or agents write into one log at the same time, each into a store of their own.
//!
//! Invariant: there are as many numbers as operations, and none twice; each operation's bytes are
//! kept, so that all can be undone in any order, after which the stores are as at the beginning.

use super::{
    log::{Entry, Log},
    stores::{Place, Stores, shown},
};
use crate::support::{Laptop, World, dice::Dice};
use std::{collections::BTreeSet, fs, thread};

/// One command of a writer: mostly a fact, now and then a document.
fn write(laptop: &Laptop, place: Place, n: u64) {
    let standing = place.standing(laptop).display().to_string();
    let at = ["-C", standing.as_str()];
    let name = place.name();
    let (fact, topic) = (format!("Fact {n} of the {name}"), format!("notes-{n}"));
    let document = ["knowledge", "write", &topic, "Line 1\n\nLine 2"];
    let words = if n % 3 == 2 { &document[..] } else { &["learn", &fact][..] };
    // Busy is an answer: then the writer tries again, and it must not have been logged.
    for _ in 0..100 {
        let said = laptop.try_co(&[&at[..], words].concat());
        match said.code {
            0 => return,
            9 => continue,
            code => panic!("co {words:?} in the {name}: {code} {}", said.err),
        }
    }
    panic!("co {words:?} in the {name}: busy a hundred times");
}

pub fn at_once(each: u64) {
    let world = World::new();
    let laptop = world.laptop("a");
    laptop.co(&["init", "--yes"]);
    for place in [Place::Project, Place::Nested] {
        fs::create_dir_all(place.root(&laptop)).expect("a project");
    }
    laptop.co(&["learn", "Before all"]);
    let (start, log) = (Stores::of(&laptop), Log::of(&laptop));
    thread::scope(|scope| {
        for place in Place::ALL {
            let laptop = &laptop;
            scope.spawn(move || (0..each).for_each(|n| write(laptop, place, n)));
        }
    });
    let written = Stores::of(&laptop);
    let told = usize::try_from(3 * each).expect("a small number");
    assert_eq!(Stores::changes(&start, &written).len(), told, "files that were written");
    let fresh = Log::of(&laptop).since(&log);
    numbered(&fresh, told);
    taken_back(&laptop, &fresh, &start);
}

fn numbered(fresh: &[Entry], told: usize) {
    let numbers: BTreeSet<u64> = fresh.iter().map(|entry| entry.op).collect();
    assert_eq!(fresh.len(), told, "operations in the log, of {told} commands: {numbers:?}");
    assert_eq!(numbers.len(), told, "a number each: {numbers:?}");
    for place in Place::ALL {
        let own = fresh.iter().filter(|entry| entry.place == place).count();
        assert_eq!(own * 3, told, "operations of the {}", place.name());
    }
}

/// Each operation changed one file, and taking it back takes just that one back.
fn taken_back(laptop: &Laptop, fresh: &[Entry], start: &Stores) {
    let mut left: Vec<u64> = fresh.iter().map(|entry| entry.op).collect();
    let mut dice = Dice::new(left.len() as u64);
    while !left.is_empty() {
        let op = left.remove(dice.below(left.len()));
        let before = Stores::of(laptop);
        let said = laptop.try_co(&["undo", "--yes", &format!("o{op}")]);
        assert_eq!(said.code, 0, "undo o{op} with {} left: {}", left.len(), said.err);
        let gone = Stores::changes(&before, &Stores::of(laptop));
        assert_eq!(gone.len(), 1, "undo o{op}: {:?}", gone.keys());
    }
    let end = Stores::of(laptop);
    assert!(end == *start, "all is taken back:{}", shown(start, &end));
}
