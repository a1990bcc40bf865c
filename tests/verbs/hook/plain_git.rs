//! Plain git with co's merge driver and hooks comes to the same result as `co sync`, by merge and
//! by rebase; hooks that were there before run, and are back after uninstalling.

use crate::support::{Laptop, Said, World, git};
use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

/// git as a person runs it, with co on the PATH for its hooks.
fn run_git(laptop: &Laptop, folder: &Path, arguments: &[&str]) -> Said {
    let co = laptop.command(&[]);
    let bin = Path::new(co.get_program()).parent().expect("a folder").to_owned();
    let mut command = Command::new("git");
    for (name, value) in co.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").expect("a path"));
    let output = command
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "core.editor=true"])
        .args(arguments)
        .env("PATH", path)
        .current_dir(folder)
        .output()
        .expect("git runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Said {
        code: output.status.code().unwrap_or(-1),
        out: text(&output.stdout),
        err: text(&output.stderr),
    }
}

fn install(laptop: &Laptop) {
    laptop.co(&["hook", "install"]);
}

fn installed_bytes(folder: &Path) -> Vec<(String, Vec<u8>, u32)> {
    let mut files = Vec::new();
    for name in ["config", "hooks/pre-commit", "hooks/post-merge", "hooks/post-rewrite"] {
        let file = folder.join(".git").join(name);
        if let Ok(bytes) = fs::read(&file) {
            files.push((
                name.to_owned(),
                bytes,
                fs::metadata(&file).expect("there").permissions().mode(),
            ));
        }
    }
    files
}

#[test]
fn uninstall_gives_back_the_same_bytes() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let hooks = a.identity().join(".git/hooks");
    fs::create_dir_all(&hooks).expect("a folder");
    for (name, text) in [
        ("pre-commit", "#!/bin/sh\necho first >> \"$HOME/ran\"\nexit 0"),
        ("post-merge", "#!/usr/bin/env bash\nexec true\n"),
    ] {
        fs::write(hooks.join(name), text).expect("written");
        fs::set_permissions(hooks.join(name), fs::Permissions::from_mode(0o755)).expect("set");
    }
    let before = (installed_bytes(&a.identity()), a.tree());
    install(&a);
    let with = installed_bytes(&a.identity());
    assert_ne!(with, before.0);
    install(&a);
    assert_eq!(installed_bytes(&a.identity()), with, "twice is once");
    a.co(&["hook", "uninstall"]);
    assert_eq!((installed_bytes(&a.identity()), a.tree()), before);

    fs::write(hooks.join("pre-commit"), "#!/usr/bin/env python3\nprint('mine')\n")
        .expect("written");
    let said = a.try_co(&["hook", "install"]);
    assert!(said.code == 0 && said.err.contains("not a shell script"), "{}", said.err);
    assert!(
        fs::read_to_string(hooks.join("pre-commit")).expect("there").ends_with("print('mine')\n")
    );
}

#[test]
fn a_commit_of_a_broken_file_is_stopped_and_others_hooks_run() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["identity", "sync"]);
    let own = a.home.join("myhooks");
    fs::create_dir_all(&own).expect("a folder");
    git(&a.identity(), &["config", "core.hooksPath", &own.display().to_string()]);
    fs::write(own.join("pre-commit"), "#!/bin/sh\necho ran >> \"$HOME/ran\"\n").expect("written");
    fs::set_permissions(own.join("pre-commit"), fs::Permissions::from_mode(0o755)).expect("set");
    install(&a);
    assert!(!a.identity().join(".git/hooks/pre-commit").exists(), "core.hooksPath is honoured");
    a.write("traits/bad.md", "---\nversion: 1\n");
    a.write("traits/good.md", "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\ntext\n");
    git(&a.identity(), &["add", "-A"]);
    let said = run_git(&a, &a.identity(), &["commit", "-m", "broken"]);
    assert!(
        said.code != 0 && (said.err.clone() + &said.out).contains("frontmatter-unclosed"),
        "{}{}",
        said.out,
        said.err
    );
    let said = run_git(&a, &a.identity(), &["commit", "-m", "only the good one", "traits/good.md"]);
    assert_eq!(
        said.code, 0,
        "a commit of some files is judged by its own index: {}{}",
        said.out, said.err
    );
    assert_eq!(
        fs::read_to_string(a.home.join("ran")).expect("there"),
        "ran\n",
        "the other hook ran as well"
    );
    let said = run_git(&a, &a.identity(), &["commit", "--no-verify", "-m", "all the same"]);
    assert_eq!(said.code, 0);
}

#[test]
fn a_repository_without_an_identity_is_left_in_peace() {
    let world = World::new();
    let a = world.laptop("a");
    let repo = a.home.join("project");
    fs::create_dir_all(repo.join("local")).expect("a folder");
    git(&repo, &["init", "-q", "-b", "main", "."]);
    fs::write(repo.join("settings.json"), "{}").expect("written");
    fs::write(repo.join("local/x.db"), "x").expect("written");
    git(&repo, &["add", "-A"]);
    let said = a.command(&["hook", "pre-commit"]).current_dir(&repo).output().expect("co runs");
    assert!(
        said.status.success() && said.stdout.is_empty(),
        "{}",
        String::from_utf8_lossy(&said.stdout)
    );
}

/// Two laptops that changed the same files; the second has fetched and not merged.
fn parted(world: &World) -> (Laptop, Laptop) {
    let (remote, a, b) = (world.remote(), world.laptop("a"), world.laptop("b"));
    a.co(&["init", "--yes", "--name", "Bin", "--remote", &remote]);
    for fact in
        ["Prefers tabs\nand spaces\nand coffee", "Uses poetry", "Lives in Seattle", "Old fact"]
    {
        a.co(&["learn", fact]);
    }
    a.write(
        "knowledge/context.md",
        "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n# User\n\n- one\n- two\n",
    );
    a.co(&["identity", "sync"]);
    b.co(&["init", "--yes", &remote]);
    let commit = |laptop: &Laptop| {
        laptop.git(&["add", "-A"]);
        laptop.git(&["commit", "-qm", &format!("by hand on {}", laptop.name)]);
    };
    a.co(&["memory", "edit", "1", "Prefers tabs, always\nand spaces\nand coffee"]);
    a.co(&["learn", "From a"]);
    a.co(&["learn", "Shared by both", "--tag", "x"]);
    a.co(&["memory", "edit", "3", "Lives in Portland"]);
    a.co(&["forget", "Old fact", "--yes"]);
    a.write(
        "knowledge/context.md",
        "---\nversion: 1\nupdated: 2026-02-01T00:00:00Z\n---\n\n# User\n\n- one\n- two\n- from a\n",
    );
    commit(&a);
    b.co(&["memory", "edit", "1", "Prefers tabs\nand spaces\nand tea"]);
    b.co(&["learn", "From b"]);
    b.co(&["learn", "Shared by both", "--tag", "y"]);
    b.co(&["memory", "edit", "3", "Lives in Tacoma"]);
    b.co(&["forget", "Uses poetry", "--yes"]);
    b.write(
        "knowledge/context.md",
        "---\nversion: 1\nupdated: 2026-02-02T00:00:00Z\n---\n\n# User\n\n- zero\n- one\n- two\n",
    );
    commit(&b);
    a.git(&["push", "-q", "origin", "main"]);
    b.git(&["fetch", "-q", "origin"]);
    (a, b)
}

fn copy_of(world: &World, laptop: &Laptop, name: &str) -> Laptop {
    let copy = world.laptop(name);
    let done = Command::new("cp")
        .arg("-a")
        .arg(laptop.home.join(".config"))
        .arg(&copy.home)
        .status()
        .expect("cp runs");
    assert!(done.success());
    copy
}

const QUESTIONS: &str = "knowledge/merge-questions.md";

#[test]
fn plain_git_comes_to_what_sync_comes_to() {
    let world = World::new();
    let (_, b) = parted(&world);
    let merges = copy_of(&world, &b, "merges");
    let rebases = copy_of(&world, &b, "rebases");
    let previews = copy_of(&world, &b, "previews");
    // What sync makes of both, without publishing it.
    let diff = previews.json(&["identity", "diff", "origin"]);
    b.co(&["identity", "sync"]);
    // What it asks of a person is sync's alone: plain git cannot ask.
    let texts = |laptop: &Laptop| {
        let all = laptop.texts();
        all.split("== ").filter(|one| !one.starts_with(QUESTIONS)).collect::<String>()
    };
    let wanted = texts(&b);
    assert!(wanted.contains("Prefers tabs, always\nand spaces\nand tea"), "lines merge");
    assert!(diff["data"]["learned"].as_array().is_some_and(|learned| !learned.is_empty()));

    for (laptop, verb) in [
        (&merges, &["merge", "--no-edit", "FETCH_HEAD"][..]),
        (&rebases, &["rebase", "FETCH_HEAD"]),
    ] {
        install(laptop);
        // The commit that was fetched, before the sync above moved the branch there.
        let said = run_git(
            laptop,
            &laptop.identity(),
            &verb
                .iter()
                .map(|word| if *word == "FETCH_HEAD" { "origin/main" } else { word })
                .collect::<Vec<_>>(),
        );
        assert_eq!(said.code, 0, "{verb:?}: {}{}", said.out, said.err);
        assert_eq!(texts(laptop), wanted, "{verb:?}");
        assert!(!laptop.texts().contains("<<<<<<<"));
        run_git(laptop, &laptop.identity(), &["add", "-A"]);
        run_git(laptop, &laptop.identity(), &["commit", "-m", "in order"]);
        let checked = laptop.co(&["identity", "check"]);
        assert!(
            checked.lines().last().is_some_and(|last| last.contains("nothing wrong")),
            "{checked}"
        );
        laptop.co(&["identity", "sync"]);
        assert_eq!(texts(laptop), wanted, "{verb:?}: and a sync after it changes nothing");
    }
}

#[test]
fn the_driver_declines_what_are_different_memories() {
    let world = World::new();
    let (remote, a, b) = (world.remote(), world.laptop("a"), world.laptop("b"));
    a.co(&["init", "--yes", "--remote", &remote]);
    a.co(&["identity", "sync"]);
    b.co(&["init", "--yes", &remote]);
    for (laptop, text) in [(&a, "One thing"), (&b, "Another thing")] {
        laptop.co(&["learn", text]);
        let file = laptop.file_of(text);
        fs::rename(
            laptop.identity().join(file),
            laptop.identity().join("knowledge/memories/001-same-name.md"),
        )
        .expect("renamed");
        laptop.git(&["add", "-A"]);
        laptop.git(&["commit", "-qm", "by hand"]);
    }
    a.git(&["push", "-q", "origin", "main"]);
    b.git(&["fetch", "-q", "origin"]);
    install(&b);
    let said = run_git(&b, &b.identity(), &["merge", "origin/main"]);
    assert_ne!(said.code, 0, "git stops");
    b.co(&["identity", "sync"]);
    assert_eq!(b.facts(), ["Another thing", "One thing"], "and sync finishes");
    let driver = b.try_co(&["hook", "merge-driver", "no", "such", "files"]);
    assert_eq!(driver.code, 10, "a hook never ends with 2");
}

#[test]
fn sessions_start_within_the_limit() {
    let world = World::new();
    let a = world.laptop("a");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("hooks/session-start");
    let start = |laptop: &Laptop| {
        let co = laptop.command(&[]);
        let bin = Path::new(co.get_program()).parent().expect("a folder").to_owned();
        let path = format!("{}:{}", bin.display(), std::env::var("PATH").expect("a path"));
        let output = Command::new("sh")
            .arg(&script)
            .env("PATH", path)
            .env("HOME", &laptop.home)
            .env_remove("XDG_CONFIG_HOME")
            .current_dir(&laptop.home)
            .output()
            .expect("sh runs");
        assert!(output.status.success());
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert_eq!(start(&a), "", "without an identity nothing is said");
    a.co(&["init", "--yes", "--name", "Bin"]);
    assert!(start(&a).contains("- Name: Bin"));
    let lines: String = (0..900).map(|n| format!("- trait number {n} of many\n")).collect();
    a.write(
        "traits/many.md",
        &format!("---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n{lines}"),
    );
    assert!(start(&a).contains("exceeds its 8 KiB budget"), "one layer alone is cut to its own");
    a.write(
        "knowledge/context.md",
        &format!("---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n{lines}"),
    );
    let text = start(&a);
    assert!(text.chars().count() <= 10_000, "{}", text.chars().count());
    assert!(text.contains("There is more: `co context`"), "{text}");
}
