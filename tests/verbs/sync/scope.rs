//! Which files a sync publishes: those of the identity, and nothing that merely lies in its folder,
//! that git was told to leave out, or that a filter would change.

use crate::support::{
    World, git,
    pair::{assert_agree, pair},
    publish_code,
    ready::published,
};
use std::{fs, os::unix::fs::symlink, path::Path};

#[test]
fn a_repository_inside_the_identity_stays_out_of_it() {
    let world = World::new();
    let remote = world.remote();
    let a = world.laptop("a");
    a.co(&["init", "--yes", &remote]);
    publish_code(&a.identity().join("work"), &world.path("work.git"), "main");
    a.try_co(&["sync"]);
    let names = published(Path::new(&remote));
    assert!(names.iter().all(|name| !name.starts_with("work")), "{names:?}");
    assert!(a.identity().join("work/plan.txt").is_file());
}

#[test]
fn links_that_are_not_a_layout_move_nothing() {
    let world = World::new();
    let a = world.laptop("a");
    let repo = world.path("dotfiles");
    fs::create_dir_all(&repo).expect("a folder");
    git(&repo, &["init", "-q"]);
    for name in ["profile.md", "README.md"] {
        fs::write(repo.join(name), "# x\n").expect("written");
        symlink(repo.join(name), a.home.join(name)).expect("linked");
    }
    fs::write(a.home.join("diary.md"), "mine\n").expect("written");
    let home = a.home.display().to_string();
    for verb in [&["check"][..], &["list"], &["sync"], &["learn", "x"]] {
        a.try_co(&[&["--identity", &home][..], verb].concat());
    }
    assert!(a.home.join("diary.md").is_file() && !repo.join("diary.md").exists());
}

#[test]
fn a_repository_inside_the_identity_is_named_by_every_sync() {
    let world = World::new();
    let (a, _) = pair(&world);
    for folder in ["work", "knowledge/projects/thing"] {
        let inner = a.identity().join(folder);
        fs::create_dir_all(&inner).expect("a folder");
        git(&inner, &["init", "-q", "."]);
        fs::write(inner.join("plan.md"), "# Plan\n").expect("written");
        git(&inner, &["add", "-A"]);
        git(&inner, &["commit", "-qm", "plan"]);
    }
    for learns in [false, false, true] {
        if learns {
            a.co(&["learn", "Something else to sync"]);
        }
        let said = a.try_co(&["sync"]);
        for folder in ["work/", "knowledge/projects/thing/"] {
            assert!(said.err.contains(folder), "{learns}: {}{}", said.out, said.err);
        }
        assert!(said.err.contains("separate repository"), "{}", said.err);
    }
    let checked = a.try_co(&["check"]);
    assert_eq!(checked.code, 1);
    for folder in ["work/", "knowledge/projects/thing/"] {
        assert!(checked.out.contains(folder), "{}", checked.out);
    }
    assert!(
        published(&world.path("remote.git")).iter().all(|path| !path.contains("plan")),
        "{:?}",
        published(&world.path("remote.git"))
    );
}

#[test]
fn a_file_that_git_was_told_to_skip_stays_on_this_laptop() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.git(&["update-index", "--skip-worktree", "profile.md"]);
    a.edit("profile.md", "Name: Bin", "Name: Bin at work");
    let mine = a.read("profile.md");
    assert!(a.co(&["diff"]).contains("No changes"), "{}", a.co(&["diff"]));
    let kept = || {
        assert_eq!(a.read("profile.md"), mine);
        assert_eq!(a.git(&["ls-files", "-v", "profile.md"]), "S profile.md\n");
    };
    a.co(&["sync"]);
    kept();
    // With something else to publish, and with a change of others to the very file.
    a.co(&["learn", "Goes out"]);
    a.co(&["sync"]);
    kept();
    b.co(&["sync"]);
    assert!(b.read("profile.md").contains("Name: Bin\n"), "{}", b.read("profile.md"));
    b.edit("profile.md", "Name: Bin", "Name: Benjamin");
    b.co(&["sync"]);
    a.co(&["sync"]);
    kept();
    b.co(&["sync"]);
    assert!(b.read("profile.md").contains("Name: Benjamin\n"), "{}", b.read("profile.md"));
    assert_eq!(a.facts(), b.facts());
}

#[test]
fn what_a_filter_hides_is_not_published() {
    for place in [".git/info/attributes", ".gitattributes", "knowledge/.gitattributes"] {
        let world = World::new();
        let (a, remote) = (world.laptop("a"), world.remote());
        a.co(&["init", "--yes", "--remote", &remote]);
        a.git(&["config", "filter.x.clean", "tr a-z n-za-m"]);
        let text = fs::read_to_string(a.identity().join(place)).unwrap_or_default();
        a.write(place, &format!("{text}*.md filter=x\n"));
        a.co(&["learn", "Hidden thing"]);
        let before = git(remote.as_ref(), &["for-each-ref"]);
        let said = a.fails(7, &["identity", "sync"]);
        assert!(said.contains("through the filter `x`"), "{place}: {said}");
        assert_eq!(git(remote.as_ref(), &["for-each-ref"]), before);
        assert!(!a.git(&["log", "--format=%s"]).contains("learned"), "nothing is committed");
    }
}

#[test]
fn what_a_sparse_checkout_leaves_out_has_not_left() {
    let world = World::new();
    let (a, remote) = (world.laptop("a"), world.remote());
    a.co(&["init", "--yes", "--name", "Bin", "--remote", &remote]);
    for fact in ["One", "Two", "Three"] {
        a.co(&["learn", fact]);
    }
    a.co(&["identity", "sync"]);
    let b = world.laptop("b");
    b.co(&["init", "--yes", &remote]);
    b.git(&["sparse-checkout", "set", "--no-cone", "/*", "!/traits/", "!/knowledge/memories/001*"]);
    assert!(!b.identity().join("traits/communication-style.md").exists());
    assert_eq!(b.co(&["identity", "sync"]), "Up to date.\n");
    b.co(&["learn", "Four"]);
    let said = b.co(&["identity", "sync"]);
    assert!(!said.contains("forgotten"), "{said}");
    a.edit("traits/communication-style.md", "\n\n", "\n\n- Be brief\n");
    a.edit(&a.file_of("One"), "One", "One and only");
    a.co(&["identity", "sync"]);
    b.co(&["identity", "sync"]);
    assert_eq!(a.facts().len(), 4);
    assert!(!b.identity().join("traits/communication-style.md").exists(), "still left out");
    assert_eq!(b.git(&["status", "--porcelain"]), "");
    assert_eq!(b.co(&["identity", "sync"]), "Up to date.\n");
    b.git(&["sparse-checkout", "disable"]);
    assert_eq!(a.tree(), b.tree());
}

/// What editors and systems leave in every folder.
const LITTER: [&str; 9] = [
    ".x.swp",
    ".context.md.swp",
    "a~",
    "context.md~",
    "#x#",
    ".DS_Store",
    "._a.md",
    "Thumbs.db",
    "desktop.ini",
];
const FOLDERS: [&str; 5] =
    ["", "knowledge/", "knowledge/memories/", "knowledge/people/", "traits/"];

#[test]
fn leftovers_of_editors_and_systems_stay_here_and_are_no_finding() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.write("knowledge/people/sarah.md", "# Sarah\n");
    a.co(&["sync"]);
    let before = published(&world.path("remote.git"));
    for folder in FOLDERS {
        LITTER.iter().for_each(|name| a.write(&format!("{folder}{name}"), "left over\n"));
        // Emacs locks what it edits with a link to nowhere.
        let lock = a.identity().join(folder).join(".#a.md");
        symlink("bin@laptop.4711:1700000000", lock).expect("linked");
    }
    let said = a.try_co(&["sync"]);
    assert_eq!((said.code, said.out.as_str()), (0, "Up to date.\n"), "{}", said.err);
    assert_eq!(said.err, "");
    a.co(&["learn", "The rest travels"]);
    let said = a.try_co(&["sync"]);
    assert!(said.code == 0 && said.err.is_empty(), "{} {}", said.code, said.err);
    let after = published(&world.path("remote.git"));
    assert_eq!(after.len(), before.len() + 1, "{after:?}");
    let checked = a.try_co(&["check", "--strict"]);
    assert!(checked.code == 0 && checked.out.contains("nothing wrong"), "{}", checked.out);
    assert!(a.co(&["diff"]).contains("No changes"));
    assert_eq!(a.json(&["knowledge", "list"])["data"]["entries"].as_array().map(Vec::len), Some(1));
    assert!(a.identity().join("knowledge/.DS_Store").is_file(), "nothing is taken away");
    b.co(&["sync"]);
    assert_eq!(b.tree().len(), after.len());
}

#[test]
fn leftovers_that_somebody_committed_are_left_as_they_are() {
    let world = World::new();
    let (a, b) = pair(&world);
    for name in [".DS_Store", "notes.md~"] {
        a.write(name, "committed by hand\n");
    }
    a.git(&["add", "-f", "-A"]);
    a.git(&["commit", "-qm", "everything"]);
    a.git(&["push", "-q", "origin", "main"]);
    for laptop in [&a, &b] {
        laptop.co(&["learn", &format!("From {}", laptop.name)]);
        laptop.co(&["sync"]);
    }
    a.co(&["sync"]);
    for name in [".DS_Store", "notes.md~"] {
        assert!(
            published(&world.path("remote.git")).contains(&name.to_owned()),
            "{:?}",
            published(&world.path("remote.git"))
        );
        assert_eq!(b.read(name), "committed by hand\n");
    }
    assert_agree(&[&a, &b]);
    assert_eq!(a.co(&["check", "--strict"]).lines().count(), 1);
}
