//! Two facts with one number: whatever a command prints of one can be typed to mean it alone.

use crate::support::{Laptop, World, waiting::until_times_are_trusted};
use serde_json::Value;
use std::{fs, path::Path, thread, time::Duration};

const TEXTS: [&str; 5] = [
    "Uses neovim on all laptops",
    "Edits with neovim on every laptop",
    "Likes rain in May",
    "我喜欢在早上喝乌龙茶",
    "Backs up to the attic\n\nEvery Sunday",
];

/// Gives the file of a fact another number, as an editor would.
fn renumber(folder: &Path, text: &str, to: u64) {
    let first = text.lines().next().expect("a line");
    let files = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("entry").path());
    let is_it = |file: &std::path::PathBuf| {
        file.extension().is_some_and(|end| end == "md")
            && fs::read_to_string(file).is_ok_and(|said| said.contains(first))
    };
    let file = files.into_iter().find(is_it).expect("the fact is there");
    let said = fs::read_to_string(&file).expect("a fact");
    let number = said.lines().find(|line| line.starts_with("id: ")).expect("a number");
    thread::sleep(Duration::from_millis(20));
    fs::write(&file, said.replace(number, &format!("id: {to}"))).expect("written");
}

fn memories(laptop: &Laptop) -> std::path::PathBuf {
    laptop.identity().join("knowledge/memories")
}

/// All facts have the number 2.
fn laptop(world: &World) -> Laptop {
    laptop_of(world, || ())
}

/// All facts have the number 2; with a pause before the list that the index knows them from.
fn laptop_of(world: &World, pause: fn()) -> Laptop {
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    for text in TEXTS {
        a.co(&["learn", text]);
    }
    pause();
    a.co(&["list"]);
    for text in TEXTS {
        renumber(&memories(&a), text, 2);
    }
    a
}

fn rows(laptop: &Laptop) -> Vec<Value> {
    laptop.json(&["list"])["data"]["memories"].as_array().expect("rows").clone()
}

fn text_of(row: &Value, key: &str) -> String {
    row[key].as_str().unwrap_or_else(|| panic!("no {key} in {row}")).to_owned()
}

fn handles(laptop: &Laptop) -> Vec<String> {
    rows(laptop).iter().map(|row| text_of(row, "handle")).collect()
}

#[test]
fn every_command_prints_a_handle_that_means_the_fact_alone() {
    let world = World::new();
    let a = laptop(&world);
    for handle in handles(&a) {
        assert!(handle.starts_with("2-"), "{handle}");
        assert_eq!(a.json(&["show", &handle])["data"]["handle"], handle.as_str());
        for pin in [&["pin", handle.as_str()][..], &["pin", "--off", handle.as_str()]] {
            assert_eq!(a.json(pin)["data"]["handle"], handle.as_str(), "{pin:?}");
        }
        let said = a.co(&["pin", &handle]);
        assert!(said.contains(&format!("Pinned fact {handle}: ")), "{said}");
        let said = a.co(&["pin", "--off", &handle]);
        assert!(said.contains(&format!("Fact {handle} is no longer pinned")), "{said}");
        let said = a.co(&["pin", "--off", &handle]);
        assert!(said.contains(&format!("Fact {handle} unchanged")), "{said}");
        let said = a.co(&["edit", &handle, "-t", "work"]);
        assert!(said.contains(&format!("Edited fact {handle}: ")), "{said}");
        let of = a.json(&["memory", "similar", &handle])["data"]["of"].clone();
        assert_eq!(of["handle"], handle.as_str());
        for like in of["similar"].as_array().expect("rows") {
            let shown = a.json(&["show", &text_of(like, "handle")]);
            assert_eq!(shown["data"]["hash"], like["hash"]);
        }
        for row in a.json(&["list", "--tag", "work"])["data"]["memories"].as_array().expect("rows")
        {
            a.co(&["show", &text_of(row, "handle")]);
        }
    }
    let lonely = "Likes rain in May";
    let handle = text_of(
        rows(&a).iter().find(|row| row["summary"] == lonely).expect("it is there"),
        "handle",
    );
    let said = a.co(&["memory", "similar", &handle]);
    if said.starts_with("No fact") {
        assert!(said.contains(&format!("similar to {handle} ")), "{said}");
    }
    for left in (0..TEXTS.len()).rev() {
        let handle = handles(&a).remove(0);
        assert_eq!(handle.contains('-'), left > 0, "{handle}: the last one has its number alone");
        let gone = a.json(&["forget", &handle])["data"]["forgotten"][0].clone();
        assert_eq!(gone["handle"], handle.as_str());
        assert_eq!(handles(&a).len(), left);
    }
}

/// With one of them, a few, and more than are looked up one by one; with an index and without.
#[test]
fn facts_forgotten_together_are_named_as_they_were_listed() {
    for (others, is_indexed) in [(0, true), (3, true), (3, false), (70, true), (70, false)] {
        let world = World::new();
        let a = laptop(&world);
        for at in 0..others {
            // Every third number is given twice.
            let id = 10 + at - u64::from(at % 3 == 2);
            let text = format!(
                "---\nid: {id}\ncreated: 2026-01-01T00:00:00.{at:06}Z\n---\n\nOwns lamp number {at}\n"
            );
            fs::write(memories(&a).join(format!("{:03}-lamp.md", 100 + at)), text)
                .expect("written");
        }
        if is_indexed {
            a.co(&["recall", "neovim"]);
        }
        let listed = handles(&a);
        let shared = listed.iter().filter(|handle| handle.contains('-')).count();
        let twice = usize::try_from(others / 3 * 2).expect("few");
        assert_eq!(shared, TEXTS.len() + twice, "{listed:?}");
        let words: Vec<&str> =
            ["forget"].into_iter().chain(listed.iter().map(String::as_str)).collect();
        let gone = a.json(&words)["data"]["forgotten"].as_array().expect("facts").clone();
        let gone: Vec<String> = gone.iter().map(|row| text_of(row, "handle")).collect();
        assert_eq!(gone, listed);
        assert!(handles(&a).is_empty());
    }
}

#[test]
fn a_filter_does_not_hide_that_a_number_is_shared() {
    let world = World::new();
    let a = laptop(&world);
    for (at, handle) in handles(&a).into_iter().enumerate() {
        let tag = format!("tag{at}");
        a.co(&["edit", &handle, "-t", &tag]);
        let text = text_of(&a.json(&["show", &handle])["data"], "summary");
        let listed = a.json(&["list", "--tag", &tag])["data"]["memories"].clone();
        assert_eq!(listed[0]["handle"], handle.as_str());
        let found = a.json(&["recall", "--tag", &tag, &text])["data"]["results"].clone();
        assert_eq!(found[0]["handle"], handle.as_str(), "{text}: {found}");
    }
}

#[test]
fn what_is_forgotten_by_its_words_is_named_by_a_handle_of_its_own() {
    let world = World::new();
    let a = laptop(&world);
    for row in rows(&a).into_iter().take(TEXTS.len() - 1) {
        let handle = text_of(&row, "handle");
        let whole = text_of(&a.json(&["show", &handle])["data"], "content");
        let said = a.co(&["forget", "--yes", &whole]);
        assert!(said.contains(&format!("Forgot fact {handle}: ")), "{said}");
    }
}

#[test]
fn an_edit_tells_the_handle_that_came_of_it() {
    let world = World::new();
    let a = laptop(&world);
    for (at, old) in handles(&a).into_iter().enumerate() {
        let text = format!("Says something else, {at}");
        let said = a.co(&["edit", &old, &text]);
        let row = rows(&a).into_iter().find(|row| row["summary"] == text.as_str()).expect("there");
        let new = text_of(&row, "handle");
        assert!(said.contains(&format!("Edited fact {new} (was {old}): {text}")), "{said}");
        a.fails(5, &["show", &old]);
        a.co(&["show", &new]);
        let again = a.json(&["edit", &new, &format!("{text} again")])["data"].clone();
        assert_eq!(again["was_handle"], new.as_str());
        a.co(&["show", &text_of(&again, "handle")]);
    }
    // A text that is there already is named in the same way.
    let rows = rows(&a);
    let (one, other) = (&rows[0], &rows[1]);
    let whole = text_of(other, "summary");
    let said = a.fails(6, &["edit", &text_of(one, "handle"), &whole]);
    assert!(said.contains(&text_of(other, "handle")), "{said}");
}

#[test]
fn a_number_of_its_own_is_shown_as_before() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    for (at, text) in TEXTS.iter().enumerate() {
        let number = (at + 1).to_string();
        let saved = a.json(&["learn", "-t", "t", text])["data"].clone();
        assert_eq!(saved["handle"], number.as_str());
        assert_eq!(saved["summary"], a.json(&["show", &number])["data"]["summary"]);
        assert_eq!(saved["tags"], serde_json::json!(["t"]));
        for key in ["id", "hash", "scope", "path", "filename", "known", "new_tags", "similar"] {
            assert!(saved.get(key).is_some(), "{key}: {saved}");
        }
        let said = a.co(&["edit", &number, &format!("Number {number}, edited")]);
        assert!(said.contains(&format!("Edited fact {number}: Number")), "{said}");
        assert_eq!(a.json(&["show", &number])["data"]["handle"], number.as_str());
        assert!(a.co(&["pin", &number]).contains(&format!("Pinned fact {number}: ")));
    }
}

#[test]
fn a_fact_that_is_learned_beside_a_similar_one_names_that_one() {
    // On a slow machine, the save no longer doubts the folder: it has the index as it is, from
    // before the numbers were edited.
    names_the_similar_one(until_times_are_trusted);
    names_the_similar_one(|| ());
}

#[test]
fn a_similar_fact_is_named_whichever_fact_was_given_its_number_since() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", TEXTS[0]]);
    until_times_are_trusted();
    a.co(&["list"]);
    // The index does not have this one yet.
    a.co(&["learn", TEXTS[2]]);
    renumber(&memories(&a), TEXTS[2], 1);
    let saved = a.json(&["learn", "Uses neovim on all the laptops"])["data"].clone();
    let like = text_of(&saved["similar"], "handle");
    assert_eq!(a.json(&["show", &like])["data"]["hash"], saved["similar"]["hash"], "{like}");
}

#[test]
fn a_fact_that_was_replaced_by_hand_since_is_not_named_as_similar() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let hash = text_of(&a.json(&["learn", TEXTS[0]])["data"], "hash");
    until_times_are_trusted();
    a.co(&["list"]);
    a.co(&["learn", TEXTS[2]]);
    let file = fs::read_dir(memories(&a)).expect("a folder").map(|entry| entry.expect("entry"));
    let is_it = |path: &std::path::PathBuf| {
        fs::read_to_string(path).is_ok_and(|said| said.contains(TEXTS[2]))
    };
    let file = file.map(|entry| entry.path()).find(is_it).expect("the fact is there");
    let said = fs::read_to_string(&file).expect("a fact");
    let said = said.replace("id: 2\n", &format!("id: 2\nsupersedes: [\"{hash}\"]\n"));
    fs::write(&file, said.replace(TEXTS[2], "Edits with emacs")).expect("written");
    let saved = a.json(&["learn", "Uses neovim on all the laptops"])["data"].clone();
    assert_eq!(saved["similar"], Value::Null, "{saved}");
    assert_eq!(a.json(&["show", "1"])["data"]["standing"], "replaced");
}

#[test]
fn a_project_within_another_has_numbers_of_its_own_that_mean_one_fact() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let (outer, inner) = (a.home.join("p"), a.home.join("p/inner"));
    let learn = |folder: &Path, text: &str| {
        let folder = folder.to_str().expect("a path");
        a.json(&["-C", folder, "learn", "--scope", "project", text])["data"].clone()
    };
    for folder in [&outer, &inner] {
        fs::create_dir_all(folder.join(".co-cli")).expect("a project");
    }
    learn(&outer, TEXTS[2]);
    learn(&outer, "Writes tests first");
    learn(&inner, TEXTS[0]);
    until_times_are_trusted();
    let saved = learn(&inner, "Uses neovim on all the laptops");
    for fact in [&saved, &saved["similar"]] {
        let handle = text_of(fact, "handle");
        let shown = a.json(&["-C", inner.to_str().expect("a path"), "show", &handle]);
        assert_eq!(shown["data"]["hash"], fact["hash"], "{handle}");
    }
}

fn names_the_similar_one(pause: fn()) {
    let world = World::new();
    let a = laptop_of(&world, pause);
    let saved = a.json(&["learn", "Uses neovim on all the laptops"])["data"].clone();
    let like = text_of(&saved["similar"], "handle");
    assert_eq!(a.json(&["show", &like])["data"]["hash"], saved["similar"]["hash"]);
    let said = a.co(&["learn", "Uses neovim on all of the laptops"]);
    let named = said.split("similar to ").nth(1).and_then(|rest| rest.split(' ').next());
    a.co(&["show", named.unwrap_or_else(|| panic!("no similar one: {said}"))]);
    // What is known already is named, too.
    for row in rows(&a).into_iter().filter(|row| row["id"] == 2) {
        let whole = a.json(&["show", &text_of(&row, "handle")])["data"]["content"].clone();
        let again = a.json(&["learn", whole.as_str().expect("a text")])["data"].clone();
        assert_eq!((&again["known"], &again["handle"]), (&Value::Bool(true), &row["handle"]));
    }
}

#[test]
fn a_review_names_facts_by_handles_that_mean_them_alone() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let texts = [
        "The user of these laptops prefers dark mode in editors",
        "User prefers dark mode in editors of these laptops",
        "Likes rain in May",
    ];
    for text in texts {
        a.co(&["learn", text]);
    }
    a.co(&["list"]);
    for text in texts {
        renumber(&memories(&a), text, 2);
    }
    let asked = a.json(&["review", "--scan"])["data"]["proposals"].clone();
    let pair = asked.as_array().expect("proposals").iter().find(|one| one["kind"] == "join");
    let pair = pair.unwrap_or_else(|| panic!("no pair: {asked}"));
    for which in ["older", "newer"] {
        let shown = a.json(&["show", &text_of(&pair[which], "handle")]);
        assert_eq!(shown["data"]["hash"], pair[which]["hash"]);
    }
    let pairs = a.json(&["memory", "similar"])["data"]["pairs"].clone();
    let rows = pairs.as_array().expect("pairs");
    assert_eq!(rows.len(), 1, "{pairs}");
    for key in ["handle", "other_handle"] {
        let handle = text_of(&rows[0], key);
        a.co(&["show", &handle]);
        assert!(a.co(&["memory", "similar"]).contains(&handle), "{handle}");
    }
}

#[test]
fn a_number_of_a_project_is_told_apart_within_it() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let project = a.home.join("p");
    fs::create_dir_all(project.join(".co-cli")).expect("a project");
    let project = project.to_str().expect("a path").to_owned();
    for text in &TEXTS[..3] {
        a.co(&["-C", &project, "learn", text]);
        a.co(&["learn", &format!("{text} at home")]);
    }
    let show = |handle: &str| a.json(&["-C", &project, "show", handle])["data"].clone();
    // The identity has a fact with the same number: a `p` tells them apart.
    assert_eq!(show("p2")["handle"], "p2");
    let folder = a.home.join("p/.co-cli/knowledge/memories");
    renumber(&folder, TEXTS[0], 2);
    let listed =
        a.json(&["-C", &project, "list", "--scope", "project"])["data"]["memories"].clone();
    for row in listed.as_array().expect("rows") {
        let handle = text_of(row, "handle");
        assert_eq!(show(&handle)["handle"], handle.as_str());
        assert_eq!(handle.contains('-'), row["id"] == 2, "{handle}");
        let pinned = a.json(&["-C", &project, "pin", &handle]);
        assert_eq!(pinned["data"]["handle"], handle.as_str());
    }
    assert_eq!(show("2")["handle"], "2", "the identity's own");
}
