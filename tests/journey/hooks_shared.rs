//! What lies around an identity: hooks of a person's own, files that they keep to this laptop,
//! repositories inside it, leftovers of editors and systems, a shell in a folder that is gone.
//!
//! Invariant: what git would not run, publish or touch, co does not either; nothing that is no part
//! of an identity is published, and no command sends a person in circles.

use crate::support::{
    Laptop, Said, World, git,
    pair::{assert_agree, pair},
};
use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
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
    laptop.with("PATH", &format!("{bin}:{}", std::env::var("PATH").expect("a path")))
}

/// git as the person of this laptop runs it.
fn run_git(laptop: &Laptop, folder: &Path, arguments: &[&str]) -> Said {
    let person = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
    let mut command = with_co(laptop).command_of("git", &[&person, arguments].concat());
    said(&command.current_dir(folder).output().expect("git runs"))
}

fn published(world: &World) -> Vec<String> {
    let remote = world.path("remote.git");
    let names =
        git(&remote, &["-c", "core.quotePath=false", "ls-tree", "-r", "--name-only", "main"]);
    names.lines().map(str::to_owned).collect()
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
    assert!(published(&world).iter().all(|path| !path.contains("plan")), "{:?}", published(&world));
}

#[test]
fn in_a_folder_that_is_gone_co_works_or_says_so() {
    let world = World::new();
    let (a, b) = pair(&world);
    b.co(&["learn", "From b"]);
    b.co(&["sync"]);
    let co = assert_cmd::cargo::cargo_bin("co").display().to_string();
    let script = "mkdir gone && cd gone && rmdir ../gone && exec \"$0\" \"$@\"";
    let verbs: [&[&str]; 9] = [
        &["status"],
        &["list"],
        &["diff"],
        &["log"],
        &["check"],
        &["undo", "--dry-run"],
        &["sync"],
        &["init", "--yes"],
        &["hook", "install"],
    ];
    for verb in verbs {
        let mut command = a.command_of("sh", &[&["-c", script, &co], verb].concat());
        let said = said(&command.output().expect("sh runs"));
        let clear = said.code != 10 && said.err.contains("folder") && said.err.contains("hint:");
        assert!(
            (said.code == 0 || clear) && !said.err.contains("git fsck"),
            "{verb:?}: {} {}",
            said.code,
            said.err
        );
    }
    assert!(a.identity().join("profile.md").is_file());
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
    let before = published(&world);
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
    let after = published(&world);
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
        assert!(published(&world).contains(&name.to_owned()), "{:?}", published(&world));
        assert_eq!(b.read(name), "committed by hand\n");
    }
    assert_agree(&[&a, &b]);
    assert_eq!(a.co(&["check", "--strict"]).lines().count(), 1);
}

/// A dotfiles repository whose whole folder for co is one link, as stow lays it out by default.
fn folded(world: &World, laptop: &Laptop) -> PathBuf {
    let repo = laptop.home.join("dotfiles");
    git(&laptop.home, &["init", "-q", "-b", "main", "dotfiles"]);
    let identity = repo.join("co/.config/co-cli/identity");
    fs::create_dir_all(&identity).expect("a folder");
    let profile =
        "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n# Profile\n\n- Name: Bin\n";
    fs::write(identity.join("profile.md"), profile).expect("written");
    git(&repo, &["add", "-A"]);
    git(&repo, &["commit", "-qm", "start"]);
    git(&repo, &["remote", "add", "origin", &world.remote()]);
    git(&repo, &["push", "-qu", "origin", "main"]);
    fs::create_dir_all(laptop.home.join(".config")).expect("a folder");
    symlink("../dotfiles/co/.config/co-cli", laptop.config()).expect("linked");
    repo
}

#[test]
fn a_folded_layout_is_warned_of_only_where_git_would_add_something() {
    let world = World::new();
    let a = world.laptop("a");
    let repo = folded(&world, &a);
    let warns = |arguments: &[&str]| {
        let said = a.try_co(arguments);
        assert_eq!(said.code, 0, "{arguments:?}: {}", said.err);
        said.err.contains("would commit")
    };
    assert!(!warns(&["init", "--yes"]));
    a.co(&["learn", "Lives in a dotfiles repository"]);
    fs::write(a.config().join("settings.json"), "{}\n").expect("written");
    fs::create_dir_all(a.config().join("sessions")).expect("a folder");
    fs::write(a.config().join("sessions/1.jsonl"), "{}\n").expect("written");
    for _ in 0..2 {
        assert!(!warns(&["sync"]) && !warns(&["status"]) && !warns(&["check"]));
    }
    git(&repo, &["add", "-A"]);
    let staged = git(&repo, &["diff", "--cached", "--name-only"]);
    assert_eq!(staged, "co/.config/co-cli/.gitignore\n", "that is what git would add");
    // Where the rules are gone the warning is true.
    git(&repo, &["reset", "-q"]);
    fs::remove_file(a.config().join(".gitignore")).expect("removed");
    a.co(&["learn", "Another one"]);
    let said = a.try_co(&["sync"]);
    assert!(said.err.contains("would commit settings.json, local, sessions"), "{}", said.err);
}

/// A laptop whose identity lies where a cloud service takes it along.
fn in_dropbox(world: &World, name: &str) -> Laptop {
    let laptop = world.laptop(name);
    fs::create_dir_all(laptop.home.join("Dropbox")).expect("a folder");
    fs::create_dir_all(laptop.config()).expect("a folder");
    let settings = "{\"identity_path\": \"~/Dropbox/identity\"}\n";
    fs::write(laptop.config().join("settings.json"), settings).expect("written");
    laptop
}

#[test]
fn init_with_a_url_in_a_cloud_folder_does_what_it_says_or_refuses() {
    let world = World::new();
    let (a, _) = pair(&world);
    let empty = world.path("empty.git").display().to_string();
    git(world.dir.path(), &["init", "-q", "--bare", "-b", "main", &empty]);
    // On a new laptop, and where an identity is there already.
    for (name, url) in [("c", world.path("remote.git").display().to_string()), ("d", empty)] {
        let laptop = in_dropbox(&world, name);
        if name == "d" {
            laptop.co(&["init", "--yes"]);
            laptop.co(&["learn", "Written on d"]);
        }
        let facts = if name == "d" { vec!["Written on d".to_owned()] } else { a.facts() };
        for arguments in [&["init", "--yes", &url][..], &["init", "--yes", "--remote", &url]] {
            let said = laptop.try_co(arguments);
            if said.code == 0 {
                assert_eq!(laptop.facts(), facts, "{arguments:?}: {}", said.out);
                assert!(laptop.co(&["identity", "remote"]).contains(&url));
                laptop.co(&["sync", "--require-remote"]);
            } else {
                assert!(!said.out.contains('✓') && said.err.contains("hint:"), "{}", said.err);
                assert!(said.err.contains("Dropbox"), "{}", said.err);
            }
        }
    }
}

#[test]
fn what_is_proposed_in_a_cloud_folder_leads_out_of_it() {
    let world = World::new();
    let a = in_dropbox(&world, "a");
    let made = a.co(&["init", "--yes"]);
    // Whatever it proposes works, and nothing says that `co init` is missing: it just ran.
    if made.contains("co identity remote URL") {
        a.co(&["identity", "remote", &world.remote()]);
        a.co(&["sync", "--require-remote"]);
    }
    for verb in [&["sync"][..], &["diff"], &["status"], &["hook", "install"]] {
        let said = a.try_co(verb);
        let all = format!("{}{}", said.out, said.err);
        assert!(!all.contains("`co init` makes"), "{verb:?}: {all}");
    }
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
fn one_document_is_one_however_its_letters_are_composed() {
    let world = World::new();
    let (a, b) = pair(&world);
    let people = |laptop: &Laptop| -> Vec<String> {
        let files = laptop.tree().into_iter().map(|(path, _)| path);
        files.filter(|path| path.starts_with("knowledge/people/")).collect()
    };
    // A Mac hands out names in pieces: `e` and an accent.
    a.write("knowledge/people/jose\u{301}.md", "# José\n");
    for laptop in [&a, &b, &a] {
        laptop.co(&["sync"]);
    }
    assert_agree(&[&a, &b]);
    assert_eq!(people(&b).len(), 1);
    // Written on both before they met, each in its own way.
    a.write("knowledge/people/rene\u{301}.md", "# René\n\n- likes tea\n");
    b.write("knowledge/people/ren\u{e9}.md", "# René\n\n- likes tea\n");
    for laptop in [&a, &b, &a] {
        laptop.co(&["sync"]);
    }
    assert_agree(&[&a, &b]);
    assert_eq!(people(&a).len(), 2, "{:?}", people(&a));
}
