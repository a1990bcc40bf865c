//! `co pin`: a pinned fact stays on top, and is shown as pinned.

use crate::support::{
    World,
    pair::{assert_agree, pair},
};

#[test]
fn a_pinned_fact_stays_on_top() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.co(&["memory", "pin", "3"]);
    let list = a.co(&["memory", "list"]);
    assert!(list.lines().nth(2).unwrap_or_default().starts_with("**003** "), "{list}");
    assert_eq!(a.co(&["memory", "pin", "3"]), "Fact 3 unchanged.\n");
    a.co(&["identity", "sync"]);
    b.co(&["identity", "sync"]);
    assert_eq!(b.json(&["memory", "show", "3"])["data"]["pinned"], true);
    b.co(&["memory", "pin", "--off", "3"]);
    b.co(&["identity", "sync"]);
    a.co(&["identity", "sync"]);
    assert_eq!(a.json(&["memory", "show", "3"])["data"]["pinned"], false);
    assert_agree(&[&a, &b]);
}

#[test]
fn a_pin_and_other_tags_are_shown_as_what_they_are() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", "Likes tea", "--tag", "drinks"]);
    let archive = world.path("one.tar.gz").display().to_string();
    a.co(&["identity", "export", &archive]);
    a.co(&["edit", "1", "--tag", "drinks", "--tag", "home"]);
    a.co(&["memory", "pin", "1"]);
    let diff = a.co(&["diff", &archive, "--replace"]);
    assert!(diff.contains("tags: drinks, home → drinks"), "{diff}");
    assert!(diff.contains("no longer pinned"), "{diff}");
    a.co(&["memory", "pin", "1", "--off"]);
    assert!(a.co(&["log"]).contains("unpinned"));
    let undone = a.co(&["undo", "--yes"]);
    assert!(undone.contains("(pinned)"), "{undone}");
}
