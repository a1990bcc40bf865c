//! Life inside a bigger repository: nothing but the identity is committed, and nothing else changes.

use crate::support::{Laptop, World, git, tree};
use std::{fs, os::unix::fs::symlink, path::PathBuf};

/// A dotfiles repository with the identity in it, linked from where co looks, and 50 dirty and 10 staged files around it.
fn dotfiles(world: &World, laptop: &Laptop, remote: &str) -> PathBuf {
    let repo = laptop.home.join("dotfiles");
    if git(world.dir.path(), &["ls-remote", remote]).is_empty() {
        git(&laptop.home, &["init", "-q", "-b", "main", "dotfiles"]);
        for n in 0..60 {
            fs::create_dir_all(repo.join("conf")).expect("a folder");
            fs::write(repo.join(format!("conf/{n}.rc")), format!("setting {n}\n")).expect("written");
        }
        fs::create_dir_all(repo.join("co-identity/knowledge/memories")).expect("a folder");
        fs::write(repo.join("co-identity/profile.md"), "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n# Profile\n\n- Name: Bin\n")
            .expect("written");
        git(&repo, &["add", "-A"]);
        git(&repo, &["commit", "-qm", "start"]);
        git(&repo, &["remote", "add", "origin", remote]);
        git(&repo, &["push", "-qu", "origin", "main"]);
    } else {
        git(&laptop.home, &["clone", "-q", remote, "dotfiles"]);
    }
    fs::create_dir_all(laptop.config()).expect("a folder");
    symlink(repo.join("co-identity"), laptop.identity()).expect("linked");
    repo
}

fn make_dirty(repo: &std::path::Path) {
    for n in 0..50 {
        fs::write(repo.join(format!("conf/{n}.rc")), format!("dirty {n}\n")).expect("written");
    }
    for n in 50..60 {
        fs::write(repo.join(format!("conf/{n}.rc")), format!("staged {n}\n")).expect("written");
        git(repo, &["add", &format!("conf/{n}.rc")]);
    }
}

fn outside(repo: &std::path::Path) -> (Vec<(String, Vec<u8>)>, String) {
    let files = tree(repo).into_iter().filter(|(path, _)| !path.starts_with("co-identity/")).collect();
    let index = git(repo, &["ls-files", "--stage", "--debug", "conf"]);
    (files, index)
}

#[test]
fn only_the_identity_is_committed_and_nothing_else_changes() {
    let world = World::new();
    let (remote, a, b) = (world.remote(), world.laptop("a"), world.laptop("b"));
    let (repo_a, repo_b) = (dotfiles(&world, &a, &remote), dotfiles(&world, &b, &remote));
    make_dirty(&repo_a);
    make_dirty(&repo_b);
    let before = (outside(&repo_a), outside(&repo_b));
    for fact in ["One", "Two", "Prefers tabs"] {
        a.co(&["learn", fact]);
    }
    a.co(&["identity", "sync"]);
    b.co(&["identity", "sync"]);
    a.co(&["learn", "Shared"]);
    b.co(&["learn", "Shared"]);
    b.co(&["forget", "Prefers tabs"]);
    b.co(&["learn", "From b"]);
    for laptop in [&a, &b, &a] {
        laptop.co(&["identity", "sync"]);
    }
    assert_eq!(tree(&repo_a.join("co-identity")), tree(&repo_b.join("co-identity")));
    assert_eq!(a.facts(), ["From b", "One", "Shared", "Two"]);
    assert_eq!((outside(&repo_a), outside(&repo_b)), before, "files and index entries outside are byte-identical");
    let committed = git(&repo_a, &["log", "--name-only", "--format=", "main~1..main"]);
    assert!(committed.lines().all(|path| path.is_empty() || path.starts_with("co-identity/")), "{committed}");
    assert!(git(&repo_a, &["status", "--porcelain", "co-identity"]).is_empty());
    git(&repo_a, &["fsck", "--strict", "--no-dangling"]);
    assert!(a.identity().is_symlink(), "a link stays a link");
    assert!(!a.identity().join(".git").exists(), "no repository inside somebody's repository");
}

#[test]
fn upstream_changes_outside_come_onto_clean_paths_only() {
    let world = World::new();
    let (remote, a, b) = (world.remote(), world.laptop("a"), world.laptop("b"));
    let (repo_a, repo_b) = (dotfiles(&world, &a, &remote), dotfiles(&world, &b, &remote));
    fs::write(repo_a.join("conf/3.rc"), "changed upstream\n").expect("written");
    fs::write(repo_a.join("conf/new.sh"), "#!/bin/sh\n").expect("written");
    fs::set_permissions(repo_a.join("conf/new.sh"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("set");
    fs::remove_file(repo_a.join("conf/4.rc")).expect("removed");
    symlink("3.rc", repo_a.join("conf/link")).expect("linked");
    git(&repo_a, &["add", "-A"]);
    git(&repo_a, &["commit", "-qm", "mine"]);
    let out = a.co(&["identity", "sync"]);
    assert!(out.contains("Synced") || out.contains("Up to date"), "{out}");
    b.co(&["learn", "From b"]);
    b.co(&["identity", "sync"]);
    assert_eq!(fs::read_to_string(repo_b.join("conf/3.rc")).expect("there"), "changed upstream\n");
    assert!(!repo_b.join("conf/4.rc").exists() && repo_b.join("conf/link").is_symlink());
    assert_eq!(git(&repo_b, &["status", "--porcelain"]), "");
    assert!(git(&repo_b, &["ls-files", "-s", "conf/new.sh"]).starts_with("100755"));

    fs::write(repo_a.join("conf/7.rc"), "upstream again\n").expect("written");
    git(&repo_a, &["commit", "-qam", "mine again"]);
    a.co(&["identity", "sync"]);
    fs::write(repo_b.join("conf/7.rc"), "dirty here\n").expect("written");
    let head = git(&repo_b, &["rev-parse", "HEAD"]);
    let said = b.fails(7, &["identity", "sync"]);
    assert!(said.contains("conf/7.rc"), "{said}");
    assert_eq!(git(&repo_b, &["rev-parse", "HEAD"]), head);
    assert_eq!(fs::read_to_string(repo_b.join("conf/7.rc")).expect("there"), "dirty here\n");
    git(&repo_b, &["commit", "-qam", "conflicting"]);
    let said = b.fails(7, &["identity", "sync"]);
    assert!(said.contains("conflict outside the identity") && said.contains("conf/7.rc"), "{said}");
}

#[test]
fn a_work_tree_elsewhere_works() {
    let world = World::new();
    let (remote, a) = (world.remote(), world.laptop("a"));
    let home = &a.home;
    git(home, &["init", "-q", "--bare", "-b", "main", ".dotfiles"]);
    let git_dir = home.join(".dotfiles").display().to_string();
    let tree_dir = home.display().to_string();
    let bare = |arguments: &[&str]| git(home, &[&["--git-dir", git_dir.as_str(), "--work-tree", tree_dir.as_str()], arguments].concat());
    bare(&["config", "status.showUntrackedFiles", "no"]);
    fs::create_dir_all(a.identity().join("knowledge/memories")).expect("a folder");
    a.write("profile.md", "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n# Profile\n");
    fs::write(home.join(".bashrc"), "alias x=y\n").expect("written");
    bare(&["add", ".bashrc", ".config/co-cli/identity"]);
    bare(&["commit", "-qm", "start"]);
    bare(&["remote", "add", "origin", &remote]);
    bare(&["push", "-qu", "origin", "main"]);
    let inside = a.with("GIT_DIR", &git_dir).with("GIT_WORK_TREE", &tree_dir);
    inside.co(&["learn", "In a bare repository"]);
    let out = inside.co(&["identity", "sync"]);
    assert!(out.contains("learned here"), "{out}");
    assert!(
        git(&world.path("remote.git"), &["ls-tree", "-r", "--name-only", "main"])
            .contains(".config/co-cli/identity/knowledge/memories/001-in-a-bare-repository.md")
    );
    assert_eq!(bare(&["status", "--porcelain"]), "");
}

#[test]
fn an_identity_that_the_outer_repository_ignores_gets_its_own() {
    let world = World::new();
    let a = world.laptop("a");
    git(&a.home, &["init", "-q", "-b", "main", "."]);
    fs::write(a.home.join(".gitignore"), ".config/co-cli/identity/\n").expect("written");
    a.co(&["init", "--yes"]);
    assert!(a.identity().join(".git").is_dir());
}
