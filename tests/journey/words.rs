//! The words a person types and reads: short verbs, handles, where things stand.

use crate::support::World;

#[test]
fn co_alone_says_where_things_stand() {
    let world = World::new();
    let (a, remote) = (world.laptop("a"), world.remote());
    let said = a.co(&[]);
    assert!(said.starts_with("No identity on this laptop yet.\n  co init "), "{said}");
    a.co(&["init", "--yes", "--name", "Bin Chen"]);
    assert!(a.co(&[]).contains("Bin Chen · 0 memories · no remote"), "{}", a.co(&[]));
    assert!(a.co(&["status"]).contains("everything is committed, nothing published"));
    a.co(&["identity", "remote", &remote]);
    a.co(&["sync"]);
    assert!(a.co(&[]).contains("in sync with origin"), "{}", a.co(&[]));
    a.co(&["learn", "One"]);
    assert!(a.co(&[]).contains("not yet in sync with origin: `co sync`"), "{}", a.co(&[]));
}

#[test]
fn the_daily_verbs_are_short_and_the_long_forms_stay() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", "Prefers tabs"]);
    for (short, long) in [
        (&["list"][..], &["memory", "list"][..]),
        (&["show", "1"], &["memory", "show", "1"]),
        (&["log"], &["identity", "log"]),
        (&["check"], &["identity", "check"]),
        (&["diff"], &["identity", "diff"]),
    ] {
        assert_eq!(a.co(short), a.co(long), "{short:?}");
    }
    a.co(&["edit", "1", "Prefers spaces"]);
    a.co(&["sync"]);
    a.co(&["undo"]);
    a.co(&["redo"]);
    assert_eq!(a.facts(), ["Prefers spaces"]);
    // No mistyped word leads to one that deletes.
    for word in ["agent", "forgot", "target", "remove"] {
        let said = a.try_co(&[word]);
        assert_eq!(said.code, 2);
        assert!(!said.err.contains("'forget'"), "{word}: {}", said.err);
    }
}

#[test]
fn handles_can_be_typed_and_several_named_at_once() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    for fact in ["One", "Two", "Three"] {
        a.co(&["learn", fact]);
    }
    let text = a.read(&a.file_of("Two")).replace("id: 2", "id: 1");
    a.write(&a.file_of("Two"), &text);
    let listed = a.json(&["list"]);
    let rows = listed["data"]["memories"].as_array().expect("rows");
    let handle = rows.iter().find(|row| row["summary"] == "Two").expect("there")["handle"].clone();
    let handle = handle.as_str().expect("text");
    assert!(handle.starts_with("1-"), "{handle}");
    assert!(a.co(&["show", handle]).contains("Two"));
    // All of them, or none.
    a.fails(5, &["forget", "3", "99"]);
    assert_eq!(a.facts().len(), 3);
    a.co(&["forget", handle, "3"]);
    assert_eq!(a.facts(), ["One"]);
}
