//! The remote under another address: a new and empty one, the same one moved, a mirror that lags
//! behind. None is mistaken for a remote that lost its history.

use crate::support::{Laptop, World, git, pair::pair, ready::bare, whole::whole};
use std::{fs, os::unix::fs::symlink, path::Path};

fn empty(world: &World, name: &str) -> String {
    git(world.dir.path(), &["init", "-q", "--bare", "-b", "main", name]);
    world.path(name).display().to_string()
}

fn heads(remote: &Path) -> String {
    git(remote, &["for-each-ref", "--format=%(objectname)", "refs/heads"])
}

/// Changes the address in one of the ways that people have.
fn readdress(a: &Laptop, way: &str, url: &str) {
    match way {
        "co" => drop(a.co(&["identity", "remote", url])),
        "git" => drop(a.git(&["remote", "set-url", "origin", url])),
        "file" => drop(a.git(&["remote", "set-url", "origin", &format!("file://{url}")])),
        "instead" => {
            let old = a.git(&["remote", "get-url", "origin"]);
            a.git(&["config", &format!("url.{url}.insteadOf"), old.trim()]);
        }
        _ => {
            let path = Path::new(url);
            let relative = format!("../../../../{}", path.file_name().expect("a name").display());
            a.git(&["remote", "set-url", "origin", &relative]);
        }
    }
}

const WAYS: [&str; 5] = ["co", "git", "file", "instead", "relative"];

#[test]
fn a_new_and_empty_remote_was_not_wiped() {
    let mut told = Vec::new();
    for way in WAYS {
        let world = World::new();
        let (a, _) = pair(&world);
        a.co(&["sync"]);
        let new = empty(&world, "new.git");
        readdress(&a, way, &new);
        let status = a.co(&["status"]);
        assert!(!status.contains("committed and pushed"), "{way}: {status}");
        let said = a.try_co(&["sync"]);
        assert_eq!(said.code, 0, "{way}: {}", said.err);
        let moved = whole(&said.err);
        assert_eq!(heads(Path::new(&new)).trim(), a.git(&["rev-parse", "HEAD"]).trim(), "{way}");
        let again = a.try_co(&["sync"]).err;
        assert!(!again.contains("new remote"), "{way}: {again}");
        // From then on it is the known one, which can be wiped.
        fs::remove_dir_all(&new).expect("removed");
        empty(&world, "new.git");
        let wiped = whole(&a.try_co(&["sync"]).err);
        told.push(format!("{moved}\n{wiped}"));
    }
    // The same, whichever way it was.
    told.dedup();
    insta::assert_snapshot!(told.join("\n"), @"
    warning: pushed everything to the new remote; on the other laptops, run `co identity remote URL`
    warning: origin was empty, although it had your facts at the last sync: someone recreated or wiped it; everything here was pushed to it again
    ");
}

#[test]
fn a_session_that_only_fetches_does_not_make_it_the_known_one() {
    let world = World::new();
    let (a, _) = pair(&world);
    a.co(&["sync"]);
    let new = empty(&world, "new.git");
    a.co(&["identity", "remote", &new]);
    a.piped("{}", &["hook", "session-start", "--agent", "claude-code"]);
    let said = a.try_co(&["sync"]);
    assert!(!said.err.contains("wiped"), "{}", said.err);
    assert!(!heads(Path::new(&new)).is_empty());
}

#[test]
fn the_same_identity_under_another_address_is_ours() {
    for way in ["co", "file", "link", "init", "git"] {
        let world = World::new();
        let (a, b) = pair(&world);
        a.co(&["sync"]);
        // Its place changes, and b, which knows, goes on there.
        let new = world.path("elsewhere.git");
        fs::rename(bare(&world), &new).expect("moved");
        let address = new.display().to_string();
        b.co(&["identity", "remote", &address]);
        b.co(&["learn", "Learned after the move"]);
        b.co(&["sync"]);
        let link = world.path("link.git");
        symlink(&new, &link).expect("linked");
        let moved = match way {
            "co" => a.try_co(&["identity", "remote", &address]),
            "file" => a.try_co(&["identity", "remote", &format!("file://{address}")]),
            "link" => a.try_co(&["identity", "remote", &link.display().to_string()]),
            "init" => a.try_co(&["init", "--yes", &address]),
            _ => {
                a.git(&["remote", "set-url", "origin", &address]);
                a.try_co(&["status"])
            }
        };
        assert_eq!(moved.code, 0, "{way}: {}", moved.err);
        a.co(&["learn", "Learned before"]);
        let said = a.try_co(&["sync"]);
        assert_eq!(said.code, 0, "{way}: {}", said.err);
        assert!(!said.err.contains("rewritten"), "{way}: {}", said.err);
        b.co(&["sync"]);
        assert_eq!(a.facts(), b.facts(), "{way}");
        assert!(a.facts().iter().any(|fact| fact == "Learned after the move"), "{way}");
    }
}

#[test]
fn a_mirror_that_lags_behind_was_not_rewritten() {
    let world = World::new();
    let (a, _) = pair(&world);
    a.co(&["sync"]);
    git(world.dir.path(), &["clone", "-q", "--bare", "remote.git", "mirror.git"]);
    a.co(&["learn", "Not on the mirror yet"]);
    a.co(&["sync"]);
    let mirror = world.path("mirror.git").display().to_string();
    a.co(&["identity", "remote", &mirror]);
    let said = a.try_co(&["sync"]);
    assert!(said.code == 0 && !said.err.contains("rewritten"), "{}", said.err);
    assert_eq!(heads(Path::new(&mirror)).trim(), a.git(&["rev-parse", "HEAD"]).trim());
}

#[test]
fn another_persons_identity_is_still_theirs() {
    let world = World::new();
    let (a, _) = pair(&world);
    a.co(&["sync"]);
    let theirs = empty(&world, "theirs.git");
    let c = world.laptop("c");
    c.co(&["init", "--yes", "--name", "Otto", "--remote", &theirs]);
    c.co(&["learn", "Otto's own fact"]);
    c.co(&["sync"]);
    a.fails(3, &["identity", "remote", &theirs]);
    a.fails(3, &["init", "--yes", &theirs]);
    a.git(&["remote", "set-url", "origin", &theirs]);
    a.fails(3, &["sync"]);
    assert!(!a.facts().iter().any(|fact| fact.contains("Otto")));
}

#[test]
fn a_second_place_for_pushes_with_our_history_is_ours() {
    let world = World::new();
    let (a, _) = pair(&world);
    a.co(&["sync"]);
    git(world.dir.path(), &["clone", "-q", "--bare", "remote.git", "mirror.git"]);
    // It is behind: no commit of it is unknown, and one that it has alone does not make it
    // another's.
    let mirror = world.path("mirror.git").display().to_string();
    let origin = a.git(&["remote", "get-url", "origin"]);
    a.git(&["remote", "set-url", "--add", "--push", "origin", origin.trim()]);
    a.git(&["remote", "set-url", "--add", "--push", "origin", &mirror]);
    a.co(&["learn", "In both places"]);
    a.co(&["sync"]);
    assert_eq!(heads(&bare(&world)), heads(Path::new(&mirror)));
    git(world.dir.path(), &["clone", "-q", "mirror.git", "work"]);
    let work = world.path("work");
    git(&work, &["commit", "-q", "--allow-empty", "-m", "beside"]);
    git(&work, &["push", "-q"]);
    a.co(&["learn", "Only in one place"]);
    let said = a.try_co(&["sync"]);
    assert!(!said.err.contains("something else"), "{}", said.err);
}

/// Another address with the old one's history cut off and continued otherwise.
#[test]
fn a_remote_that_moved_and_was_rewritten_is_named() {
    let world = World::new();
    let (a, _) = pair(&world);
    a.co(&["learn", "Before"]);
    a.co(&["sync"]);
    let new = empty(&world, "new.git");
    git(&bare(&world), &["push", "-q", &new, "main~1:refs/heads/main"]);
    let c = world.laptop("c");
    c.co(&["init", "--yes", &new]);
    c.co(&["learn", "After the rewrite"]);
    c.co(&["sync"]);
    a.git(&["remote", "set-url", "origin", &new]);
    let said = a.try_co(&["sync"]);
    assert!(said.code == 0 && said.err.contains("was rewritten"), "{}", said.err);
    let facts = a.facts();
    assert!(facts.contains(&"Before".to_owned()), "{facts:?}");
    assert!(facts.contains(&"After the rewrite".to_owned()), "{facts:?}");
}
