//! `co init` and `co identity remote` with a remote that holds something already: an identity is
//! joined, two become one only if the person agrees, and anything else is refused and left alone.

use crate::support::{Laptop, World, git};
use std::fs;

#[test]
fn a_remote_with_something_else_in_it_gets_nothing() {
    for branch in ["main", "trunk"] {
        let world = World::new();
        let (_, bare) = world.code(branch);
        let (a, b) = (world.laptop("a"), world.laptop("b"));
        a.co(&["init", "--yes", "--name", "Bin"]);
        let before = git(bare.as_ref(), &["for-each-ref"]);
        let said = a.fails(6, &["identity", "remote", &bare]);
        assert!(said.contains("main.c"), "{said}");
        a.fails(5, &["identity", "remote"]);
        // Named behind co's back, it is refused all the same.
        a.git(&["remote", "add", "origin", &bare]);
        let said = a.fails(6, &["identity", "sync"]);
        assert!(said.contains("something other than an identity: main.c"), "{said}");
        for target in [&[&bare[..]][..], &["--remote", &bare]] {
            let said = b.fails(6, &[&["init", "--yes"], target].concat());
            assert!(said.contains("main.c"), "{said}");
            assert!(!b.identity().exists(), "{target:?}");
        }
        assert_eq!(git(bare.as_ref(), &["for-each-ref"]), before);
    }
}

fn published_profile(remote: &str) -> String {
    git(remote.as_ref(), &["show", "main:profile.md"])
}

#[test]
fn a_remote_that_holds_an_identity_is_joined_and_not_written_over() {
    let world = World::new();
    let (a, b, remote) = (world.laptop("a"), world.laptop("b"), world.remote());
    a.co(&["init", "--yes", "--name", "Bin", "--timezone", "Asia/Shanghai", "--remote", &remote]);
    a.co(&["learn", "Prefers tabs"]);
    a.co(&["identity", "sync"]);
    let (profile, commits) =
        (published_profile(&remote), git(remote.as_ref(), &["log", "--oneline"]));
    b.co(&["init", "--yes", "--name", "Zoe", "--timezone", "Africa/Lagos", "--remote", &remote]);
    assert_eq!(published_profile(&remote), profile);
    assert_eq!(git(remote.as_ref(), &["log", "--oneline"]), commits);
    assert_eq!(a.tree(), b.tree());
}

#[test]
fn two_identities_become_one_only_where_somebody_said_so() {
    let world = World::new();
    let (a, b, remote) = (world.laptop("a"), world.laptop("b"), world.remote());
    a.co(&["init", "--yes", "--name", "Bin", "--remote", &remote]);
    a.co(&["learn", "Prefers tabs"]);
    a.co(&["identity", "sync"]);
    b.co(&["init", "--yes"]);
    b.co(&["learn", "Prefers tea"]);
    let said = b.fails(3, &["identity", "remote", &remote]);
    assert!(said.contains("that remote contains Bin's identity: 1 fact"), "{said}");
    b.fails(5, &["identity", "remote"]);
    b.co(&["identity", "remote", "--yes", &remote]);
    b.co(&["identity", "sync"]);
    a.co(&["identity", "sync"]);
    assert_eq!(a.facts(), b.facts());
    assert_eq!(a.facts().len(), 2);
    assert!(published_profile(&remote).contains("- Name: Bin"));
    // The same remote once more is nothing new.
    b.co(&["identity", "remote", &remote]);
}

#[test]
fn the_branch_of_the_remote_is_followed_whatever_it_is_called() {
    let world = World::new();
    git(world.dir.path(), &["init", "-q", "--bare", "-b", "master", "server.git"]);
    let server = world.path("server.git").display().to_string();
    let on = |laptop: &Laptop, branch: &str| {
        let config = format!("[init]\n\tdefaultBranch = {branch}\n");
        fs::write(laptop.home.join(".gitconfig"), config).expect("written");
    };
    let (a, b) = (world.laptop("a"), world.laptop("b"));
    on(&a, "trunk");
    on(&b, "main");
    a.co(&["init", "--yes", "--remote", &server]);
    a.co(&["learn", "Prefers tabs"]);
    a.co(&["identity", "sync"]);
    b.co(&["init", "--yes"]);
    b.co(&["learn", "Prefers tea"]);
    // The server is away when it is named; what it has is found out at the sync.
    let away = world.path("away.git");
    fs::rename(&server, &away).expect("moved");
    b.co(&["identity", "remote", "--yes", &server]);
    fs::rename(&away, &server).expect("moved");
    b.co(&["identity", "sync"]);
    a.co(&["identity", "sync"]);
    assert_eq!(a.facts(), b.facts());
    assert_eq!(git(server.as_ref(), &["branch"]).trim(), "trunk");
}

#[test]
fn a_remote_that_is_not_there_yet_leaves_a_whole_identity_that_remembers_it() {
    let world = World::new();
    let a = world.laptop("a");
    let remote = format!("file://{}", world.path("later.git").display());
    let said = a.fails(8, &["init", "--yes", "--name", "Bin", "--remote", &remote]);
    assert!(said.contains("not pushed yet"), "{said}");
    assert_eq!(a.co(&["identity", "remote"]).trim(), remote);
    assert!(!a.git(&["log", "--oneline"]).is_empty(), "committed here");
    git(world.dir.path(), &["init", "-q", "--bare", "-b", "main", "later.git"]);
    a.co(&["identity", "sync"]);
    let files = git(&world.path("later.git"), &["ls-tree", "-r", "--name-only", "main"]);
    assert!(files.contains("profile.md"), "{files}");
}

#[test]
fn a_look_at_a_remote_obeys_no_files_in_a_shared_folder() {
    let world = World::new();
    let shared = world.path("tmp");
    fs::create_dir_all(shared.join("objects")).expect("a folder");
    fs::create_dir_all(shared.join("refs")).expect("a folder");
    fs::write(shared.join("HEAD"), "ref: refs/heads/main\n").expect("written");
    let mark = world.path("ran");
    let config = format!("[core]\n\tsshCommand = \"touch {} ;false\"\n", mark.display());
    fs::write(shared.join("config"), config).expect("written");
    let a = world.laptop("a").with_env("TMPDIR", &shared.display().to_string());
    a.try_co(&["init", "--yes", "ssh://nowhere.invalid/x"]);
    assert!(!mark.exists(), "a command of somebody else's configuration ran");
}

#[test]
fn another_persons_identity_in_the_place_of_the_remote_is_not_joined_unasked() {
    let world = World::new();
    let (a, b) = (world.laptop("a"), world.laptop("b"));
    let (mine, theirs) = (world.path("r.git"), world.path("o.git"));
    for (laptop, remote, name) in [(&a, &mine, "Tess"), (&b, &theirs, "Otto")] {
        let remote = remote.display().to_string();
        git(world.dir.path(), &["init", "-q", "--bare", &remote]);
        laptop.co(&["init", "--yes", "--name", name, "--remote", &remote]);
        laptop.co(&["learn", &format!("{name}'s own fact")]);
        laptop.co(&["sync"]);
    }
    fs::remove_dir_all(&mine).expect("removed");
    fs::rename(&theirs, &mine).expect("moved");
    let stopped = a.try_co(&["sync"]);
    assert_eq!(stopped.code, 3, "{}", stopped.err);
    assert!(a.read("profile.md").contains("Tess") && a.facts().len() == 1);
    // Agreed to, it is joined, and what is set there stays.
    a.co(&["identity", "remote", "--yes", &mine.display().to_string()]);
    a.co(&["sync"]);
    assert!(a.read("profile.md").contains("Name: Otto"), "{}", a.read("profile.md"));
    assert_eq!(a.facts().len(), 2);
}

#[test]
fn git_reads_the_url_as_it_was_given() {
    for name in ["a b.git", "a;b#c.git", "a\"b.git", "a\\b.git", "a\tb.git", "=[x].git", "'ü'.git"]
    {
        let world = World::new();
        let url = world.path(name).display().to_string();
        git(world.dir.path(), &["init", "-q", "--bare", "-b", "main", "--", &url]);
        let (a, b) = (world.laptop("a"), world.laptop("b"));
        a.co(&["init", "--yes", "--name", "Bin", &url]);
        for key in ["remote.origin.url", "branch.main.remote", "branch.main.merge"] {
            let wanted = match key {
                "remote.origin.url" => url.as_str(),
                "branch.main.remote" => "origin",
                _ => "refs/heads/main",
            };
            assert_eq!(a.git(&["config", "--get-all", key]).trim_end_matches('\n'), wanted);
        }
        a.co(&["learn", "Prefers tabs"]);
        a.git(&["pull", "-q"]);
        a.co(&["sync"]);
        b.co(&["init", "--yes", &url]);
        assert_eq!(b.facts(), ["Prefers tabs"], "{name}");
    }
}
