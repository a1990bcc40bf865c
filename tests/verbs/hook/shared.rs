//! co's git hooks beside those of other people: in a folder of hooks that several repositories
//! share, in repositories that are not the identity, and next to hooks that a person turned off.
//!
//! Invariant: a hook that git would not run does not run, and no other repository is kept from
//! committing.

use crate::support::{Laptop, Said, World, git};
use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    process::Output,
};

fn said(output: &Output) -> Said {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let code = output.status.code().unwrap_or(-1);
    Said { code, out: text(&output.stdout), err: text(&output.stderr) }
}

/// The laptop with co on its PATH, where hooks look for it.
fn with_co(laptop: &Laptop) -> Laptop {
    let co = assert_cmd::cargo::cargo_bin("co");
    let bin = co.parent().expect("a folder").display().to_string();
    laptop.with_env("PATH", &format!("{bin}:{}", std::env::var("PATH").expect("a path")))
}

/// git as the person of this laptop runs it.
fn run_git(laptop: &Laptop, folder: &Path, arguments: &[&str]) -> Said {
    let person = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
    let mut command = with_co(laptop).command_of("git", &[&person, arguments].concat());
    said(&command.current_dir(folder).output().expect("git runs"))
}

/// Writes a hook with this mode.
fn hook(folder: &Path, name: &str, text: &str, mode: u32) {
    fs::create_dir_all(folder).expect("a folder");
    fs::write(folder.join(name), text).expect("written");
    fs::set_permissions(folder.join(name), fs::Permissions::from_mode(mode)).expect("set");
}

#[test]
fn a_hook_that_git_does_not_run_is_not_run_and_comes_back_as_it_was() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let hooks = a.identity().join(".git/hooks");
    let ran = "#!/bin/sh\necho ran >> \"$HOME/ran\"\nexit 1\n";
    let own = [("pre-commit", 0o644), ("post-rewrite", 0o600), ("post-merge", 0o640)];
    own.iter().for_each(|(name, mode)| hook(&hooks, name, ran, *mode));
    let there = || {
        own.map(|(name, _)| {
            let file = hooks.join(name);
            let mode = fs::metadata(&file).expect("there").permissions().mode() & 0o7777;
            (name, fs::read_to_string(file).expect("there"), mode)
        })
    };
    let before = there();
    for _ in 0..2 {
        a.co(&["hook", "install"]);
        let commit = run_git(&a, &a.identity(), &["commit", "-q", "--allow-empty", "-m", "one"]);
        assert_eq!(commit.code, 0, "{}{}", commit.out, commit.err);
        let amend = ["commit", "-q", "--allow-empty", "--amend", "-m", "two"];
        assert_eq!(run_git(&a, &a.identity(), &amend).code, 0);
        assert!(!a.home.join("ran").exists(), "a hook ran that git would not run");
    }
    // What was turned off stays off, and that is said.
    let said = a.try_co(&["hook", "install"]);
    let all = format!("{}{}", said.out, said.err);
    assert!(all.contains("pre-commit is not executable"), "{all}");
    a.co(&["hook", "uninstall"]);
    assert_eq!(there(), before);
}

const MEMORY: &str = "---\nid: 1\ncreated: 2026-01-01T00:00:00.5Z\n---\n\nPrefers tabs\n";
const PACKAGE: &str = "{\"name\": \"x\", \"private\": true}\n";

#[test]
fn a_commit_passes_in_a_repository_that_husky_needs_a_package_for() {
    let world = World::new();
    let a = world.laptop("a");
    let repo = world.path("mine");
    git(world.dir.path(), &["init", "-q", "-b", "main", "mine"]);
    hook(&repo.join(".husky"), "pre-commit", "#!/bin/sh\nco hook pre-commit\n", 0o755);
    git(&repo, &["config", "core.hooksPath", ".husky"]);
    fs::create_dir_all(repo.join("knowledge/memories")).expect("a folder");
    let profile =
        "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n# Profile\n\n- Name: Bin\n";
    for (name, text) in [
        ("package.json", PACKAGE),
        ("profile.md", profile),
        ("knowledge/memories/001-prefers-tabs.md", MEMORY),
    ] {
        fs::write(repo.join(name), text).expect("written");
    }
    let commit = || {
        git(&repo, &["add", "-A"]);
        run_git(&a, &repo, &["commit", "-qm", "by hand"])
    };
    let first = commit();
    assert_eq!(first.code, 0, "{}{}", first.out, first.err);
    fs::write(repo.join("package.json"), "{}\n").expect("written");
    let second = commit();
    assert_eq!(second.code, 0, "{}{}", second.out, second.err);
    // The identity's files are looked at all the same.
    fs::write(repo.join("profile.md"), "---\nversion: 1\n").expect("written");
    let broken = commit();
    assert!(broken.code != 0 && broken.err.contains("frontmatter-unclosed"), "{}", broken.err);
}

#[test]
fn a_hook_of_ours_lets_other_repositories_commit() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let knowledge = ("knowledge/howto.md", "# How to\n");
    let layouts: [&[(&str, &str)]; 3] = [
        &[("package.json", PACKAGE), knowledge],
        &[knowledge],
        &[("package.json", PACKAGE), ("me/profile.md", "# P\n"), ("me/traits/a.md", "no rules\n")],
    ];
    for (number, files) in layouts.into_iter().enumerate() {
        let repo = world.path(&format!("project-{number}"));
        fs::create_dir_all(&repo).expect("a folder");
        git(&repo, &["init", "-q"]);
        for (name, text) in files {
            fs::create_dir_all(repo.join(name).parent().expect("a folder")).expect("a folder");
            fs::write(repo.join(name), text).expect("written");
        }
        git(&repo, &["add", "-A"]);
        let mut hook = a.command(&["hook", "pre-commit"]);
        let said = said(&hook.current_dir(&repo).output().expect("co runs"));
        assert_eq!(said.code, 0, "{files:?}: {}{}", said.out, said.err);
    }
}

#[test]
fn shared_hooks_act_only_for_the_identity() {
    let world = World::new();
    let a = world.laptop("a");
    let config = "[core]\n\thooksPath = ~/hooks\n[user]\n\tname = x\n\temail = x@x\n";
    fs::write(a.home.join(".gitconfig"), config).expect("written");
    a.co(&["init", "--yes"]);
    a.co(&["hook", "install"]);
    let other = a.home.join("other");
    fs::create_dir_all(&other).expect("a folder");
    let run = |folder: &Path, arguments: &[&str]| {
        a.command_of("git", arguments).current_dir(folder).output().expect("git runs")
    };
    run(&other, &["init", "-q"]);
    fs::write(other.join("profile.md"), "hi\n").expect("written");
    run(&other, &["add", "."]);
    let said = run(&other, &["commit", "-qm", "1"]);
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    // In the identity it is still stopped.
    a.write("traits/broken.md", "---\nversion: [\n---\n\nx\n");
    run(&a.identity(), &["add", "."]);
    assert!(!run(&a.identity(), &["commit", "-qm", "2"]).status.success());
}

#[test]
fn hooks_that_others_share_are_left_alone_at_init() {
    let world = World::new();
    let a = world.laptop("a");
    let hooks = world.path("hooks");
    fs::create_dir_all(&hooks).expect("a folder");
    let config = format!(
        "[user]\n\tname = t\n\temail = t@example.org\n[core]\n\thooksPath = {}\n",
        hooks.display()
    );
    fs::write(a.home.join(".gitconfig"), config).expect("written");
    let said = a.try_co(&["init", "--yes", "--hooks"]).err;
    assert!(said.contains("core.hooksPath") && said.contains("co hook install"), "{said}");
    assert!(fs::read_dir(&hooks).expect("a folder").next().is_none());
    // A hook that is a link is somebody's script.
    let script = world.path("script.sh");
    fs::write(&script, "#!/bin/sh\n").expect("written");
    symlink(&script, hooks.join("pre-commit")).expect("linked");
    a.co(&["hook", "install"]);
    assert_eq!(fs::read_to_string(&script).expect("there"), "#!/bin/sh\n");
}

#[test]
fn a_hook_never_ends_with_two() {
    let world = World::new();
    let a = world.laptop("a");
    for globals in [&[][..], &["-C", "/tmp"], &["--identity", "/tmp"], &["--color", "never"]] {
        for json in [&[][..], &["--json"]] {
            let words = [json, globals, &["hook", "bogus"]].concat();
            assert_eq!(a.try_co(&words).code, 10, "{words:?}");
        }
    }
    assert_eq!(a.try_co(&["-C", "hook", "bogus"]).code, 2);
}
