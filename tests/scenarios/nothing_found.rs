//! What a terminal says where nothing was found: how many there are is how many the list shows,
//! whatever was searched.

use crate::support::{World, ready, terminal::screen};

#[test]
fn the_number_of_all_is_that_of_the_list() {
    let world = World::new();
    let a = ready::laptop(&world, "a");
    a.co(&["learn", "Keeps bees"]);
    a.co(&["learn", "Plays the celesta", "--tag", "music"]);
    a.co(&["learn", "Lived in Graz", "--until", "2020-01-01"]);
    a.co(&["knowledge", "write", "reference/garden", "# Garden\n\nWater it."]);
    a.co(&["knowledge", "write", "reference/kayak", "# Kayak\n\nIt is red.", "--tag", "boat"]);
    let all = a.json(&["knowledge", "list"])["data"]["count"].to_string();
    for words in [["xyzzy"].as_slice(), &["xyzzy", "--tag", "boat"]] {
        let said = screen(&a, 80, &[["knowledge", "search"].as_slice(), words].concat(), &[]);
        let line = format!("`co knowledge list` shows all {all}.");
        assert!(said.contains(&line) || said.contains("Nearest: "), "{words:?}: {said}");
        assert!(said.contains("No knowledge entries found"), "{words:?}: {said}");
    }
    let said = screen(&a, 80, &["knowledge", "search", "xyzzy"], &[]);
    assert!(said.contains(&format!("`co knowledge list` shows all {all}.")), "{said}");
    let all = a.json(&["list"])["data"]["count"].to_string();
    let said = screen(&a, 80, &["recall", "xyzzy", "--tag", "music", "--all"], &[]);
    let line = format!("`co list` shows all {all}.");
    assert!(said.contains(&line) || said.contains("Nearest: "), "{said}");
}
