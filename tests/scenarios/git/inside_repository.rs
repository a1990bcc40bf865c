//! The identity's own repository inside another repository: `co check`, `co status`, `co doctor`
//! and `co sync` warn before the outer one records it, and say how to undo it afterwards.

use crate::support::{Laptop, World, git, whole::whole};
use std::{fs, os::unix::fs::symlink, path::PathBuf};

/// The symlink recipe for dotfiles, typed literally, with an identity that `init` made.
fn recipe(world: &World, place: &str) -> (Laptop, PathBuf) {
    let (a, remote) = (world.laptop("a"), world.remote());
    a.co(&["init", "--yes", "--name", "Bin", "--remote", &remote]);
    a.co(&["learn", "Prefers tabs"]);
    let outer = a.home.join("dotfiles");
    fs::create_dir_all(&outer).expect("a folder");
    git(&outer, &["init", "-q", "-b", "main"]);
    fs::write(outer.join(".bashrc"), "x\n").expect("written");
    git(&outer, &["add", "-A"]);
    git(&outer, &["commit", "-qm", "1"]);
    let inner = outer.join(place);
    fs::create_dir_all(inner.parent().expect("a folder")).expect("a folder");
    fs::rename(a.identity(), &inner).expect("moved");
    symlink(&inner, a.identity()).expect("linked");
    (a, outer)
}

const WORDS: &str = "is a repository inside";

/// Whether each verb that looks at the repository names it.
fn named(a: &Laptop) -> Vec<bool> {
    let of = |verb: &str| {
        let said = a.try_co(&[verb]);
        format!("{}{}", said.out, said.err).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    ["check", "status", "doctor", "sync"].map(|verb| of(verb).contains(WORDS)).to_vec()
}

#[test]
fn it_is_named_with_both_ways_out() {
    for place in ["co-identity", "config/co/identity", "my identity"] {
        let world = World::new();
        let (a, outer) = recipe(&world, place);
        assert_eq!(named(&a), [true; 4], "{place}");
        let found = a.json(&["check"]);
        let findings = found["data"]["findings"].as_array().expect("a list");
        assert!(findings.iter().any(|one| one["code"] == "nested-repository"), "{found}");
        // Kept separate.
        fs::write(outer.join(".gitignore"), format!("/{place}/\n")).expect("written");
        assert_eq!(named(&a), [false; 4], "{place}");
        fs::remove_file(outer.join(".gitignore")).expect("removed");
        // Carried by the other repository.
        fs::rename(outer.join(place).join(".git"), a.home.join("history")).expect("moved");
        a.co(&["sync"]);
        assert_eq!(named(&a), [false; 4], "{place}");
        let carried = git(&outer, &["ls-tree", "-r", "--name-only", "-z", "HEAD"]);
        assert!(carried.contains(&format!("{place}/profile.md")), "{carried}");
        assert!(!git(&outer, &["ls-files", "--stage"]).contains("160000"));
    }
}

#[test]
fn once_recorded_every_verb_says_so() {
    for place in ["co-identity", "config/co/identity", "my identity"] {
        for commit in [false, true] {
            let world = World::new();
            let (a, outer) = recipe(&world, place);
            a.co(&["sync"]);
            git(&outer, &["add", "-A"]);
            if commit {
                git(&outer, &["commit", "-qm", "2"]);
            }
            for (verb, code) in [("check", 1), ("status", 0), ("doctor", 1), ("sync", 7)] {
                let said = a.try_co(&[verb]);
                assert_eq!(said.code, code, "{verb}: {}{}", said.out, said.err);
                let words = format!("{}{}", said.out, said.err);
                let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
                assert!(words.contains("none of its files are synced"), "{verb}: {words}");
            }
            let found = a.json(&["check"]);
            let findings = found["data"]["findings"].as_array().expect("a list");
            let one = findings.iter().find(|one| one["code"] == "nested-repository");
            assert_eq!(one.expect("a finding")["severity"], "error", "{found}");
            // A person's way out.
            git(&outer, &["rm", "-qf", "--cached", place]);
            assert!(!a.co(&["status"]).contains("none of its files are synced"));
            a.co(&["check"]);
        }
    }
}

#[test]
fn what_is_meant_to_be_so_is_not_named() {
    // A submodule.
    let world = World::new();
    let (a, outer) = recipe(&world, "co-identity");
    let url = a.git(&["remote", "get-url", "origin"]);
    a.co(&["sync"]);
    git(&outer, &["submodule", "--quiet", "add", url.trim(), "co-identity"]);
    assert_eq!(named(&a), [false; 4]);
    // A person who adds each file by name.
    let world = World::new();
    let (a, outer) = recipe(&world, "co-identity");
    git(&outer, &["config", "status.showUntrackedFiles", "no"]);
    assert_eq!(named(&a), [false; 4]);
    // Excluded without a .gitignore.
    let world = World::new();
    let (a, outer) = recipe(&world, "co-identity");
    fs::write(outer.join(".git/info/exclude"), "*\n").expect("written");
    assert_eq!(named(&a), [false; 4]);
    // No repository around it.
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    assert_eq!(named(&a), [false; 4]);
}

#[test]
fn an_identity_that_another_repository_recorded_is_named() {
    let world = World::new();
    let (a, remote) = (world.laptop("a"), world.remote());
    a.co(&["init", "--yes", "--remote", &remote]);
    let dotfiles = a.home.join("dot");
    fs::create_dir_all(&dotfiles).expect("a folder");
    git(&dotfiles, &["init", "-q"]);
    fs::rename(a.identity(), dotfiles.join("identity")).expect("moved");
    symlink(dotfiles.join("identity"), a.identity()).expect("linked");
    a.co(&["identity", "sync"]);
    git(&dotfiles, &["add", "-A"]);
    insta::assert_snapshot!(whole(&a.fails(7, &["identity", "sync"])), @"
    error: [world]/a/dot/identity is recorded in [world]/a/dot as a nested repository, so none of its files are synced
    hint: to keep the identity in [world]/a/dot: on the laptop that has its files, move [world]/a/dot/identity/.git away, `git -C [world]/a/dot rm --cached -f [world]/a/dot/identity`, and `co sync`
    hint: to keep it separate: `git -C [world]/a/dot rm --cached -f [world]/a/dot/identity`, and ignore it there
    ");
    git(&dotfiles, &["commit", "-qm", "1"]);
    // The other laptop gets an empty folder, and is told why.
    fs::rename(dotfiles.join("identity/.git"), a.home.join("away")).expect("moved");
    insta::assert_snapshot!(whole(&a.fails(7, &["identity", "sync"])), @"
    error: [world]/a/dot/identity is recorded in [world]/a/dot as a nested repository, so none of its files are synced
    hint: to keep the identity in [world]/a/dot: on the laptop that has its files, move [world]/a/dot/identity/.git away, `git -C [world]/a/dot rm --cached -f [world]/a/dot/identity`, and `co sync`
    hint: to keep it separate: `git -C [world]/a/dot rm --cached -f [world]/a/dot/identity`, and ignore it there
    ");
    // What the hint says mends it, whatever the commits before say.
    git(&dotfiles, &["rm", "-q", "--cached", "-f", "identity"]);
    a.co(&["sync"]);
    let carried = git(&dotfiles, &["ls-tree", "-r", "--name-only", "HEAD"]);
    assert!(carried.contains("identity/profile.md"), "{carried}");
    assert_eq!(a.co(&["sync"]), "Up to date.\n");
}
