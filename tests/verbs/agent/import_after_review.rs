//! `co agent import` after a review: what a person answered is not proposed again, and is counted.

use crate::support::{
    Laptop, World,
    terminal::{screen, screen_and_bytes},
};
use serde_json::Value;
use std::fs;

const FACTS: [&str; 5] = [
    "Drinks oolong tea in the morning",
    "Lives in a small house near Rome",
    "Writes all scripts in Rust",
    "Never deploys on a Friday",
    "Plays the cello on weekends",
];
const WHY: &str = "already rejected in `co review`";

/// The same facts as different programs keep them.
fn sources() -> [(&'static str, String); 5] {
    let list: String = FACTS.iter().map(|fact| format!("- {fact}\n")).collect();
    let memories: Vec<Value> =
        FACTS.iter().map(|fact| serde_json::json!({ "memory": fact })).collect();
    [
        ("x.txt", FACTS.join("\n")),
        ("rules.md", format!("# Rules\n\n{list}")),
        ("style.mdc", format!("---\nglobs: *.ts\n---\n\n{list}")),
        (".cursorrules", FACTS.join("\n\n")),
        ("mem0.json", serde_json::json!({ "results": memories }).to_string()),
    ]
}

fn with(world: &World, name: &str, text: &str) -> Laptop {
    let a = world.laptop("a");
    a.co(&["init", "--yes", "--name", "Ada"]);
    fs::write(a.home.join(name), text).expect("written");
    a
}

fn rejected(said: &Value) -> usize {
    let left = said["data"]["left"].as_array().expect("a list").iter();
    left.filter(|one| one["why"] == WHY && one["is_rejected"] == true).count()
}

#[test]
fn what_was_rejected_is_counted_and_not_proposed_again() {
    for (name, text) in sources() {
        let world = World::new();
        let a = with(&world, name, &text);
        let import =
            |options: &[&str]| a.co(&[&["agent", "import", "--from", name][..], options].concat());
        assert!(import(&["--review", "-y"]).contains("5 proposals are waiting"), "{name}");
        // Those that wait already are not lost from the count.
        assert!(import(&["--review", "-y"]).contains("5 proposals are waiting"), "{name}");
        a.co(&["review", "reject", "--all"]);
        let dry = import(&["--dry-run"]);
        assert!(!dry.contains("Learned") && dry.contains("Nothing would change."), "{name}: {dry}");
        assert_eq!(dry.matches(WHY).count(), 5, "{name}: {dry}");
        let review = import(&["--review", "-y"]);
        let nothing = "Nothing new to review; 5 were rejected before.\n";
        assert!(review.contains(nothing), "{name}: {review}");
        assert_eq!(review.matches(WHY).count(), 5, "{name}: {review}");
        let direct = import(&["-y"]);
        assert_eq!(direct.matches(WHY).count(), 5, "{name}: {direct}");
        let again = "The 5 that you rejected can be chosen with `--select`.\n";
        assert!(direct.contains(again) && a.facts().is_empty(), "{name}: {direct}");
        let json = a.json(&["agent", "import", "--from", name, "--dry-run"]);
        assert_eq!(rejected(&json), 5, "{name}: {json}");
        // An undo of the review takes its answers back.
        a.co(&["undo"]);
        assert!(import(&["--dry-run"]).contains("Learned (5)"), "{name}");
    }
}

#[test]
fn one_of_them_is_left_out_and_the_others_come() {
    for (at, fact) in FACTS.iter().enumerate() {
        let world = World::new();
        let a = with(&world, "x.txt", fact);
        a.co(&["agent", "import", "--from", "x.txt", "--review", "-y"]);
        a.co(&["review", "reject", "--all"]);
        let said = a.co(&["agent", "import", "--from", "x.txt", "--review", "-y"]);
        assert!(said.contains("Nothing new to review; 1 was rejected before.\n"), "{said}");
        fs::write(a.home.join("x.txt"), FACTS.join("\n")).expect("written");
        let said = a.co(&["agent", "import", "--from", "x.txt", "-y"]);
        assert!(said.contains("4 learned") && said.contains(WHY), "{said}");
        let mut others = FACTS.to_vec();
        others.remove(at);
        others.sort_unstable();
        assert_eq!(a.facts(), others);
    }
}

#[test]
fn what_was_kept_and_reworded_does_not_come_back_in_the_old_words() {
    let world = World::new();
    let a = with(&world, "x.txt", FACTS[0]);
    a.co(&["agent", "import", "--from", "x.txt", "--review", "-y"]);
    a.co(&["review", "accept", "--all"]);
    a.co(&["edit", "1", "Has no use for breakfast"]);
    let said = a.co(&["agent", "import", "--from", "x.txt", "-y"]);
    assert!(said.contains("already kept in `co review`"), "{said}");
    let said = a.co(&["agent", "import", "--from", "x.txt", "--review"]);
    assert!(said.contains("Nothing new to review.\n"), "{said}");
    assert_eq!(a.facts(), ["Has no use for breakfast"]);
}

#[test]
fn a_person_who_chooses_is_offered_it_again_and_must_tick_it() {
    let world = World::new();
    let a = with(&world, "x.txt", &FACTS[..2].join("\n"));
    a.co(&["agent", "import", "--from", "x.txt", "--review", "-y"]);
    a.co(&["review", "reject", "--all"]);
    fs::write(a.home.join("x.txt"), FACTS[..3].join("\n")).expect("written");
    let select = ["agent", "import", "--from", "x.txt", "--select"];
    // The list is gone from the screen once it is answered.
    let (said, sent) = screen_and_bytes(&a, 100, &select, &[("Space to select", "\r")]);
    assert!(String::from_utf8_lossy(&sent).contains("(rejected before)"), "{said}");
    assert_eq!(a.facts(), [FACTS[2]]);
    screen(&a, 100, &select, &[("Space to select", " \r")]);
    assert_eq!(a.facts().len(), 2);
}
