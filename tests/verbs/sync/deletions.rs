//! Files that vanish from the folder: a sync stops unless the person means it, `co status` and
//! `co check` say so, and `co identity restore --missing` brings back what is missing and nothing
//! else.

use crate::support::{World, ready::with_remote};
use std::fs;

#[test]
fn a_mass_deletion_is_stopped_and_can_be_meant() {
    let world = World::new();
    let a = with_remote(&world);
    for n in 0..5 {
        a.co(&["learn", &format!("Fact {n}")]);
    }
    a.co(&["identity", "sync"]);
    for file in fs::read_dir(a.identity().join("knowledge/memories")).expect("a folder").take(4) {
        fs::remove_file(file.expect("an entry").path()).expect("removed");
    }
    let head = a.git(&["rev-parse", "HEAD"]);
    let said = a.fails(6, &["identity", "sync"]);
    assert!(said.contains("4 of 6 facts") && said.contains("--accept-deletions"), "{said}");
    assert_eq!(a.git(&["rev-parse", "HEAD"]), head, "nothing was committed");
    a.git(&["checkout", "-q", "--", "knowledge/memories"]);
    assert_eq!(a.facts().len(), 6);
    for n in 0..4 {
        a.co(&["forget", "--yes", &format!("Fact {n}")]);
    }
    a.co(&["identity", "sync"]);
    fs::remove_file(a.identity().join(a.file_of("Fact 4"))).expect("removed");
    a.co(&["identity", "sync", "--accept-deletions"]);
    assert_eq!(a.facts(), ["A good fact"]);
}

#[test]
fn a_missing_identity_is_no_deletion() {
    let world = World::new();
    let a = with_remote(&world);
    a.co(&["identity", "sync"]);
    fs::rename(a.identity(), a.home.join("away")).expect("moved");
    a.fails(4, &["identity", "sync"]);
    fs::rename(a.home.join("away"), a.identity()).expect("moved");
    for (path, _) in a.tree() {
        fs::remove_file(a.identity().join(path)).expect("removed");
    }
    assert!(a.fails(4, &["identity", "sync", "--accept-deletions"]).contains("is empty"));
    a.git(&["checkout", "-q", "--", "."]);
    assert_eq!(a.co(&["identity", "sync"]), "Up to date.\n");
}

#[test]
fn an_undo_of_what_was_committed_is_no_accident() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", "Prefers tea"]);
    a.co(&["sync"]);
    a.co(&["undo", "--yes"]);
    a.co(&["sync"]);
    assert!(a.facts().is_empty());
    // Done again it is a fact like any other: lost by accident, the accident is named.
    a.co(&["redo", "--yes"]);
    a.co(&["sync"]);
    fs::remove_file(a.identity().join(a.file_of("Prefers tea"))).expect("removed");
    a.fails(6, &["sync"]);
    a.co(&["sync", "--accept-deletions"]);
    // Removed by hand it still is one.
    a.co(&["learn", "Prefers coffee"]);
    a.co(&["sync"]);
    fs::remove_file(a.identity().join(a.file_of("Prefers coffee"))).expect("removed");
    a.fails(6, &["sync"]);
}

#[test]
fn forgetting_what_was_edited_since_the_last_sync_is_no_accident() {
    let world = World::new();
    let (remote, a) = (world.remote(), world.laptop("a"));
    a.co(&["init", "--yes", "--remote", &remote]);
    a.co(&["learn", "Likes coffee"]);
    a.co(&["identity", "sync"]);
    a.co(&["memory", "edit", "1", "Likes tea"]);
    a.co(&["forget", "1"]);
    a.co(&["learn", "Lives in Seattle"]);
    a.co(&["identity", "sync"]);
    assert_eq!(a.facts(), ["Lives in Seattle"]);
    // And the hint of a real accident takes nothing else along.
    for fact in ["Two", "Three", "Four"] {
        a.co(&["learn", fact]);
    }
    a.co(&["identity", "sync"]);
    for fact in ["Two", "Three", "Lives"] {
        fs::remove_file(a.identity().join(a.file_of(fact))).expect("removed");
    }
    a.edit("profile.md", "# Profile", "# Profile\n\n- Editor: helix");
    let gone = "3 of 4 facts disappeared without being forgotten";
    assert!(a.co(&["status"]).contains(gone));
    let checked = a.try_co(&["check"]);
    assert!(checked.code == 1 && checked.out.contains(gone), "{}", checked.out);
    let err = a.fails(6, &["identity", "sync"]);
    assert!(err.contains(gone), "{err}");
    let hint = err.split('`').nth(1).expect("a command").to_owned();
    let arguments: Vec<&str> = hint.split(' ').skip(1).collect();
    a.co(&arguments);
    assert_eq!(a.facts().len(), 4);
    assert!(a.read("profile.md").contains("helix"));
    assert!(!a.co(&["status"]).contains("disappeared"));
    a.co(&["check"]);
    assert_eq!(a.co(&arguments), "Nothing is missing.\n");
    // One that is gone is what a person may mean.
    fs::remove_file(a.identity().join(a.file_of("Two"))).expect("removed");
    assert!(!a.co(&["status"]).contains("disappeared"));
    a.co(&["check"]);
}

#[test]
fn what_is_missing_comes_back_and_nothing_else() {
    let world = World::new();
    let (remote, a) = (world.remote(), world.laptop("a"));
    a.co(&["init", "--yes", "--remote", &remote]);
    for fact in ["One", "Two", "Three", "Four", "Five", "Six", "Seven"] {
        a.co(&["learn", fact]);
    }
    a.co(&["sync"]);
    let path = |fact: &str| a.identity().join(a.file_of(fact));
    a.co(&["forget", "--yes", "1"]);
    let renamed = a.identity().join("knowledge/memories/002-another-name.md");
    fs::rename(path("Two"), &renamed).expect("renamed");
    a.edit("knowledge/memories/002-another-name.md", "Two", "Two, edited");
    for fact in ["Three", "Four", "Five", "Seven"] {
        fs::remove_file(path(fact)).expect("removed");
    }
    fs::rename(path("Six"), a.identity().join("knowledge/memories/.006-six.md.icloud"))
        .expect("evicted");
    let before = a.tree();
    let restore = ["identity", "restore", "--missing", "knowledge/memories"];
    a.co(&restore);
    assert_eq!(a.facts(), ["Five", "Four", "Seven", "Three", "Two, edited"]);
    // To take a restore back is to miss the facts again, not to forget them.
    let said = a.co(&["undo", "--yes"]);
    assert!(!said.contains("It was already pushed"), "{said}");
    assert_eq!(a.tree(), before);
    let said = a.fails(6, &["sync"]);
    assert!(said.contains("4 of 7 facts disappeared"), "{said}");
    a.co(&restore);
    a.co(&["sync"]);
    assert_eq!(a.facts(), ["Five", "Four", "Seven", "Three", "Two, edited"]);
}

#[test]
fn facts_that_a_commit_removed_come_back_from_the_one_before() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    for fact in ["One", "Two", "Three"] {
        a.co(&["learn", fact]);
    }
    a.co(&["sync"]);
    a.git(&["rm", "-q", "knowledge/memories/001-one.md", "knowledge/memories/002-two.md"]);
    a.git(&["rm", "-q", "knowledge/memories/003-three.md"]);
    let gone = "3 of 3 facts disappeared";
    let staged = a.co(&["status"]);
    assert!(staged.contains(gone) && staged.contains("3 files to commit"), "{staged}");
    a.git(&["commit", "-qm", "gone"]);
    assert!(a.co(&["status"]).contains(gone) && a.co(&[]).contains(gone));
    let checked = a.try_co(&["check"]);
    assert!(checked.code == 1 && checked.out.contains(gone), "{}", checked.out);
    let err = a.fails(6, &["sync"]);
    let hint = err.split('`').nth(1).expect("a command").to_owned();
    a.co(&hint.split(' ').skip(1).collect::<Vec<&str>>());
    a.co(&["sync"]);
    assert_eq!(a.facts(), ["One", "Three", "Two"]);
}

#[test]
fn init_makes_no_new_identity_where_one_is_only_missing() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes", "--name", "Bin"]);
    a.co(&["sync"]);
    for name in ["profile.md", "personality.md", "traits", "knowledge", ".gitattributes"] {
        let path = a.identity().join(name);
        let gone = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        gone.expect("removed");
    }
    let said = a.fails(7, &["init", "--yes"]);
    assert!(said.contains("checkout"), "{said}");
    assert!(!a.identity().join("profile.md").exists());
}

#[test]
fn an_emptied_identity_comes_back() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", "Likes coffee"]);
    a.co(&["sync"]);
    let before = a.tree();
    for name in ["profile.md", "personality.md", "traits", "knowledge", ".gitattributes"] {
        let path = a.identity().join(name);
        let gone = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        gone.expect("removed");
    }
    let err = a.fails(4, &["sync"]);
    assert!(err.contains("co identity restore --missing"), "{err}");
    assert_eq!(a.try_co(&["check"]).code, 1);
    a.co(&["identity", "restore", "--missing"]);
    assert_eq!(a.tree(), before);
}
