//! `co show`: several facts at once.

use crate::support::World;

#[test]
fn show_and_pin_take_several_facts() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    for fact in ["One thing", "Another matter"] {
        a.co(&["learn", fact]);
    }
    let shown = a.co(&["show", "1", "2"]);
    assert!(shown.contains("One thing") && shown.contains("Another matter"), "{shown}");
    let data = a.json(&["memory", "pin", "1", "2"]);
    assert_eq!(data["data"]["memories"].as_array().map(Vec::len), Some(2));
    let known = a.co(&["learn", "One thing", "--tag", "home"]);
    assert!(known.contains("new tags: home"), "{known}");
    // A mistyped name is never answered with a command that deletes, nor with an empty tip.
    let refused = a.try_co(&["forgt", "1"]);
    assert_eq!(refused.code, 2);
    assert!(!refused.err.contains("tip:"), "{}", refused.err);
}
