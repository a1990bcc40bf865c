//! What co publishes, overwrites and joins: only what was agreed to.

use crate::support::{Laptop, World, git, tree};
use std::{fs, path::PathBuf};

/// A repository of somebody's code, pushed to a bare one.
fn code(world: &World, branch: &str) -> (PathBuf, String) {
    let (bare, work) = (world.path("code.git"), world.path("code"));
    git(world.dir.path(), &["init", "-q", "--bare", "-b", branch, "code.git"]);
    git(world.dir.path(), &["init", "-q", "-b", branch, "code"]);
    fs::write(work.join("main.c"), "int main;\n").expect("written");
    git(&work, &["add", "."]);
    git(&work, &["commit", "-qm", "code"]);
    git(&work, &["remote", "add", "origin", &bare.display().to_string()]);
    git(&work, &["push", "-qu", "origin", branch]);
    (work, bare.display().to_string())
}

fn files_at(bare: &str, branch: &str) -> String {
    git(bare.as_ref(), &["ls-tree", "-r", "--name-only", branch])
}

#[test]
fn a_dirty_repository_gets_a_folder_of_its_own_for_the_identity() {
    let world = World::new();
    let a = world.laptop("a");
    let (work, bare) = code(&world, "main");
    fs::write(work.join("main.c"), "int main = 1;\n").expect("written");
    fs::write(work.join("untracked.txt"), "mine\n").expect("written");
    let before = git(&work, &["status", "--porcelain", "--", "main.c", "untracked.txt"]);
    let said = a.co(&["init", "--yes", &work.display().to_string()]);
    assert!(said.contains("code/co-identity is ready and published"), "{said}");
    let published = files_at(&bare, "main");
    assert!(published.contains("co-identity/profile.md"), "{published}");
    assert!(!published.contains("untracked"), "{published}");
    assert!(!published.lines().any(|path| path == ".gitattributes"), "{published}");
    assert_eq!(git(bare.as_ref(), &["show", "main:main.c"]), "int main;\n");
    let after = git(&work, &["status", "--porcelain", "--", "main.c", "untracked.txt"]);
    assert_eq!(after, before);
    // Again: the folder is known, and nothing is asked or made a second time.
    let again = a.co(&["init", "--yes"]);
    assert!(again.contains("is ready"), "{again}");
}

#[test]
fn a_folder_with_other_things_is_neither_read_nor_written() {
    let world = World::new();
    let a = world.laptop("a");
    let folder = a.home.join("etc");
    fs::create_dir_all(folder.join("ssh")).expect("a folder");
    for name in ["hosts", "passwd", "ssh/config"] {
        fs::write(folder.join(name), "x\n").expect("written");
    }
    let before = tree(&folder);
    let place = folder.display().to_string();
    for verb in [
        &["learn", "x"][..],
        &["status"],
        &["memory", "list"],
        &["identity", "sync"],
        &["identity", "check", "--fix"],
        &["init", "--yes"],
    ] {
        let said = a.fails(6, &[&["--identity", &place], verb].concat());
        assert!(said.contains("hosts, passwd, ssh/"), "{verb:?}: {said}");
    }
    git(&folder, &["init", "-q"]);
    a.fails(6, &["--identity", &place, "identity", "sync"]);
    fs::remove_dir_all(folder.join(".git")).expect("removed");
    assert_eq!(tree(&folder), before);
}

#[test]
fn a_remote_with_something_else_in_it_gets_nothing() {
    for branch in ["main", "trunk"] {
        let world = World::new();
        let (_, bare) = code(&world, branch);
        let (a, b) = (world.laptop("a"), world.laptop("b"));
        a.co(&["init", "--yes", "--name", "Bin"]);
        let before = git(bare.as_ref(), &["for-each-ref"]);
        let said = a.fails(6, &["identity", "remote", &bare]);
        assert!(said.contains("main.c"), "{said}");
        a.fails(5, &["identity", "remote"]);
        // Named behind co's back, it is refused all the same.
        a.git(&["remote", "add", "origin", &bare]);
        let said = a.fails(6, &["identity", "sync"]);
        assert!(said.contains("something else than an identity: main.c"), "{said}");
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
    let said = b.co(&[
        "init",
        "--yes",
        "--name",
        "Zoe",
        "--timezone",
        "Africa/Lagos",
        "--remote",
        &remote,
    ]);
    assert!(said.contains("Cloned Bin's identity: 1 memory, 2 traits"), "{said}");
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
    assert!(said.contains("that remote holds Bin's identity: 1 memory"), "{said}");
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
    assert!(said.contains("not published yet"), "{said}");
    assert_eq!(a.co(&["identity", "remote"]).trim(), remote);
    assert!(!a.git(&["log", "--oneline"]).is_empty(), "committed here");
    git(world.dir.path(), &["init", "-q", "--bare", "-b", "main", "later.git"]);
    a.co(&["identity", "sync"]);
    assert!(
        files_at(&world.path("later.git").display().to_string(), "main").contains("profile.md")
    );
}

#[test]
fn a_folder_that_a_cloud_syncs_gets_no_repository() {
    let world = World::new();
    let a = world.laptop("a");
    let folder = a.home.join("Dropbox/co");
    fs::create_dir_all(&folder).expect("a folder");
    a.co(&["init", "--yes", "~/Dropbox/co"]);
    assert!(!folder.join(".git").exists());
    a.co(&["learn", "Prefers tabs"]);
    a.co(&["identity", "check"]);
}
