//! `co doctor` names everything that is wrong with settings, folder, git, clock and agents, and
//! nothing where nothing is wrong.

use crate::support::{Laptop, World, files::put, git};
use serde_json::Value;
use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
};

/// Every message that is not "ok", with its area and hint.
fn faults(a: &Laptop) -> Vec<String> {
    let said = a.try_co(&["doctor", "--json"]);
    let report: Value = serde_json::from_str(&said.out).expect("JSON");
    let checks = report["data"]["checks"].as_array().expect("checks").clone();
    let is_bad = |check: &&Value| check["level"] != "ok";
    let is_error = checks.iter().any(|check| check["level"] == "error");
    assert_eq!(said.code, i32::from(is_error), "{}", said.err);
    let told = |check: &Value| {
        assert!(check["hint"].as_str().is_some_and(|hint| !hint.is_empty()), "{check}");
        format!(
            "{} {}",
            check["area"].as_str().unwrap_or(""),
            check["message"].as_str().unwrap_or("")
        )
    };
    checks.iter().filter(is_bad).map(told).collect()
}

/// One more fault than before, with these words.
fn finds(a: &Laptop, words: &str) {
    let found = faults(a);
    assert!(found.iter().any(|fault| fault.contains(words)), "{words}: {found:#?}");
}

fn synced(world: &World, name: &str) -> Laptop {
    let a = world.laptop(name);
    a.co(&["init", "--yes", &world.remote()]);
    a.co(&["learn", "Prefers tabs"]);
    a.co(&["sync"]);
    a
}

fn settings(a: &Laptop, text: &str) {
    fs::write(a.config().join("settings.json"), text).expect("written");
}

#[test]
fn settings_and_folder() {
    let world = World::new();
    let a = world.laptop("a");
    finds(&a, "no identity in");
    a.co(&["init", "--yes"]);
    assert_eq!(faults(&a), Vec::<String>::new());
    settings(&a, "{\n\"sync\": {");
    finds(&a, "line 2: not valid JSON");
    settings(&a, "{\"sync\": {\"timeout\": \"slow\"}}");
    finds(&a, "line 1: sync.timeout must be a whole number");
    settings(&a, "{\"recal\": {}}");
    finds(&a, "did you mean `recall`?");
    settings(
        &a,
        r#"{"recall": {"embedder": {"api": "ollama", "url": "http://x", "model": "m", "key": "k"}}}"#,
    );
    finds(&a, "recall recall.embedder.key");
    settings(&a, "{}");
    a.co(&["learn", "Prefers tabs"]);
    a.co(&["recall", "tabs"]);
    // What mends itself, and what a person set, is no fault.
    fs::write(a.index(), "nothing of SQLite").expect("written");
    assert_eq!(faults(&a), Vec::<String>::new());
    assert!(a.co(&["doctor"]).contains("is out of date; the next search rebuilds it"));
    settings(&a, "{\"recall\": {\"catalog\": false}}");
    assert_eq!(faults(&a), Vec::<String>::new());
    settings(&a, "{}");
    assert_eq!(faults(&a.with_env("CO_TEST_BOOT_ID", "another start")), Vec::<String>::new());
    a.write("knowledge/memories/.002-x.md.icloud", "");
    finds(&a, "has not been downloaded");
    fs::remove_file(a.identity().join("knowledge/memories/.002-x.md.icloud")).expect("removed");
    let profile = a.read("profile.md");
    a.write("profile.md", &format!("{profile}\n<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n"));
    finds(&a, "files profile.md");
    a.write("profile.md", &profile);
    let local = a.config().join("local");
    fs::rename(&local, a.config().join("aside")).expect("moved");
    fs::write(&local, "a file").expect("written");
    finds(&a, "local is a file");
    fs::remove_file(&local).expect("removed");
    fs::rename(a.config().join("aside"), &local).expect("moved");
    assert_eq!(faults(&a), Vec::<String>::new());
    let moved = a.config().join("moved");
    fs::rename(a.identity(), &moved).expect("moved");
    fs::write(a.identity(), "a file").expect("written");
    finds(&a, "is not a folder");
    fs::remove_file(a.identity()).expect("removed");
    symlink(a.config().join("nowhere"), a.identity()).expect("linked");
    finds(&a, "is a link to");
    fs::remove_file(a.identity()).expect("removed");
    fs::create_dir_all(a.identity().join("src")).expect("a folder");
    fs::write(a.identity().join("src/main.c"), "int main;").expect("written");
    fs::write(a.identity().join("Makefile"), "all:").expect("written");
    let found = faults(&a);
    assert!(found.iter().any(|fault| fault.starts_with("folder")), "{found:#?}");
}

#[test]
fn git_remote_hooks_and_clock() {
    let world = World::new();
    let a = synced(&world, "a");
    assert_eq!(faults(&a), Vec::<String>::new());
    let remote = world.path("remote.git");
    fs::rename(&remote, world.path("elsewhere.git")).expect("moved");
    finds(&a, "remote origin has no such repository");
    fs::rename(world.path("elsewhere.git"), &remote).expect("moved");
    a.git(&["remote", "set-url", "origin", "https://127.0.0.1:9/x.git"]);
    finds(&a, "remote ");
    a.git(&["remote", "set-url", "origin", &world.remote()]);
    let lock = a.identity().join(".git/index.lock");
    fs::write(&lock, "").expect("written");
    assert_eq!(faults(&a), Vec::<String>::new(), "a lock that is young is somebody's");
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(7_200);
    fs::File::open(&lock).expect("there").set_modified(old).expect("set");
    finds(&a, "index.lock is over an hour old");
    fs::remove_file(&lock).expect("removed");
    let lock = a.identity().join(".git/refs/heads/main.lock");
    fs::write(&lock, "").expect("written");
    fs::File::open(&lock).expect("there").set_modified(old).expect("set");
    finds(&a, "main.lock is over an hour old");
    fs::remove_file(&lock).expect("removed");
    let id = a.git(&["rev-parse", "HEAD:profile.md"]);
    let object = a.identity().join(".git/objects").join(&id[..2]).join(&id.trim()[2..]);
    let bytes = fs::read(&object).expect("a loose object");
    fs::remove_file(&object).expect("removed");
    finds(&a, "is damaged: missing blob");
    fs::write(&object, bytes).expect("written");
    let head = fs::read(a.identity().join(".git/HEAD")).expect("there");
    fs::write(a.identity().join(".git/HEAD"), "").expect("written");
    assert!(!faults(&a).is_empty());
    assert_eq!(fs::read(a.identity().join(".git/HEAD")).expect("there"), b"", "it only looks");
    fs::write(a.identity().join(".git/HEAD"), head).expect("written");
    // What another laptop writes with a newer co, as its commits say.
    let commit = a.git(&["cat-file", "commit", "HEAD"]);
    assert!(commit.contains("\nco-version "), "{commit}");
    let here = env!("CARGO_PKG_VERSION");
    let theirs = commit
        .replace(&format!("co-version {here}"), "co-version 99.0.0")
        .replace(" on a\n", " on work\n");
    fs::write(a.home.join("commit"), theirs).expect("written");
    let before = a.git(&["rev-parse", "HEAD"]);
    let file = a.home.join("commit").display().to_string();
    let id = a.git(&["hash-object", "-t", "commit", "-w", &file]);
    a.git(&["fsck", "--strict"]);
    a.git(&["update-ref", "refs/heads/main", id.trim()]);
    finds(&a, "work has co 99.0.0; this laptop has");
    a.git(&["update-ref", "refs/heads/main", before.trim()]);
    a.co(&["hook", "install"]);
    assert_eq!(faults(&a), Vec::<String>::new());
    let hook = a.identity().join(".git/hooks/pre-commit");
    let text = fs::read_to_string(&hook).expect("a hook");
    fs::write(&hook, text.replace("hook pre-commit", "hook pre-commit --old")).expect("written");
    finds(&a, "pre-commit was written by another version of co");
    fs::write(&hook, text).expect("written");
    a.git(&["config", "merge.co-identity.driver", "/old/co hook merge-driver %O %A %B"]);
    finds(&a, "merge facts with another co");
    a.co(&["hook", "install"]);
    a.git(&["checkout", "-q", "--detach"]);
    finds(&a, "git ");
    assert!(a.try_co(&["doctor"]).out.contains("git switch main"));
    a.git(&["checkout", "-q", "main"]);
    finds(&a.with_env("CO_TEST_CLOCK", "2001-01-01T00:00:00Z"), "clock the clock says 2001");
    finds(&a.with_env("CO_TEST_CLOCK", "2025-06-01T00:00:00Z"), "ahead of this laptop's clock");
    let before = tree_of_git(&a);
    a.try_co(&["doctor"]);
    assert_eq!(tree_of_git(&a), before, "it changes nothing");
    fs::remove_dir_all(a.identity().join(".git")).expect("removed");
    finds(&a, "is not in a git repository");
}

fn tree_of_git(a: &Laptop) -> Vec<(String, Vec<u8>)> {
    crate::support::tree(&a.config())
}

#[test]
fn a_git_that_is_missing_or_too_old() {
    let world = World::new();
    let a = synced(&world, "a");
    let folder = world.path("bin");
    fs::create_dir_all(&folder).expect("a folder");
    let real = String::from_utf8(
        std::process::Command::new("sh")
            .args(["-c", "command -v git"])
            .output()
            .expect("sh")
            .stdout,
    );
    let real = real.expect("a path");
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && echo 'git version 2.20.1' && exit\nexec {} \"$@\"\n",
        real.trim()
    );
    fs::write(folder.join("git"), script).expect("written");
    fs::set_permissions(folder.join("git"), fs::Permissions::from_mode(0o755)).expect("set");
    let path = std::env::var("PATH").expect("a PATH");
    let old = a.with_env("PATH", &format!("{}:{path}", folder.display()));
    finds(&old, "git git 2.20.1 is too old");
    fs::write(folder.join("git"), "#!/bin/sh\nexec sleep 100\n").expect("written");
    let begun = std::time::Instant::now();
    finds(&old, "git cannot use the git program");
    assert!(begun.elapsed() < std::time::Duration::from_secs(20), "one that hangs is given up");
    fs::remove_file(folder.join("git")).expect("removed");
    finds(&a.with_env("PATH", &folder.display().to_string()), "git cannot use the git program");
}

#[test]
fn an_agent_whose_server_does_not_start() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    fs::create_dir_all(a.home.join(".claude")).expect("a folder");
    assert_eq!(faults(&a), Vec::<String>::new(), "who declined is not asked again");
    a.co(&["agent", "install", "claude-code", "--yes"]);
    assert_eq!(faults(&a), Vec::<String>::new());
    let file = a.home.join(".claude.json");
    let text = fs::read_to_string(&file).expect("there");
    let program = env!("CARGO_BIN_EXE_co");
    fs::write(&file, text.replace(program, "/nowhere/co")).expect("written");
    finds(&a, "agents Claude Code");
    // The old name of the part still works.
    let said = a.try_co(&["doctor", "agents"]);
    assert_eq!(said.out, a.try_co(&["agent", "doctor"]).out);
}

#[test]
fn nothing_is_found_where_nothing_is_wrong() {
    let world = World::new();
    let calm = |a: &Laptop, what: &str| assert_eq!(faults(a), Vec::<String>::new(), "{what}");
    let a = synced(&world, "a");
    a.write("profile.md", &a.read("profile.md").replace("# Profile", "# Profile\n\n- Editor: vi"));
    calm(&a, "an edit by hand before its sync");
    let project = a.home.join("project/.co-cli/knowledge");
    fs::create_dir_all(&project).expect("a folder");
    calm(&a, "a project");
    // A dotfiles repository, whose folder is linked to where co looks.
    let b = world.laptop("b");
    let repo = b.home.join("dotfiles");
    git(&b.home, &["init", "-q", "-b", "main", "dotfiles"]);
    let folder = repo.join("co-identity");
    fs::create_dir_all(&folder).expect("a folder");
    fs::create_dir_all(b.config()).expect("a folder");
    copied(&a.identity(), &folder);
    fs::write(repo.join(".bashrc"), "alias x=y\n").expect("written");
    git(&repo, &["add", "-A"]);
    git(&repo, &["commit", "-qm", "start"]);
    symlink(&folder, b.identity()).expect("linked");
    calm(&b, "a link into a dotfiles repository");
    // A work tree beside a repository, as worktrees and submodules have it.
    let c = world.laptop("c");
    fs::create_dir_all(c.config()).expect("a folder");
    let path = c.identity().display().to_string();
    git(&repo, &["worktree", "add", "-q", "-b", "second", &path]);
    let inside = c.with_env("CO_IDENTITY_PATH", &format!("{path}/co-identity"));
    calm(&inside, "a worktree");
    // A bare repository whose work tree is the home folder, as yadm has it.
    let d = world.laptop("d");
    fs::create_dir_all(d.config()).expect("a folder");
    copied(&a.identity(), &d.identity());
    let bare = d.home.join("bare.git").display().to_string();
    git(&d.home, &["init", "-q", "--bare", "-b", "main", &bare]);
    let home = d.home.display().to_string();
    let at = ["--git-dir", &bare, "--work-tree", &home];
    git(&d.home, &[&at[..], &["add", ".config/co-cli/identity"]].concat());
    git(&d.home, &[&at[..], &["commit", "-qm", "start"]].concat());
    calm(&d.with_env("GIT_DIR", &bare).with_env("GIT_WORK_TREE", &home), "a bare repository");
    // A folder that a cloud service syncs, without git.
    let e = world.laptop("e");
    let cloud = e.home.join("Dropbox/co-identity");
    fs::create_dir_all(&cloud).expect("a folder");
    copied(&a.identity(), &cloud);
    let in_cloud = e.with_env("CO_IDENTITY_PATH", &cloud.display().to_string());
    calm(&in_cloud, "a cloud folder");
    git(&cloud, &["init", "-q", "-b", "main"]);
    finds(&in_cloud, "that Dropbox syncs");
    // A server: no desktop, no keyring, no terminal.
    calm(
        &a.with_env("TERM", "dumb").with_env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere"),
        "a server",
    );
    a.co(&["learn", "Deploys with {{secret:fly-token}}"]);
    let lacking = a.with_env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere");
    finds(&lacking, "keyring ");
    calm(
        &lacking.with_env("CO_SECRET_FLY_TOKEN", "x"),
        "a server with the secret in its environment",
    );
    let b = synced(&world, "settings");
    settings(&b, r#"{"sync": {"username": "me", "password": "{{secret:git-token}}"}}"#);
    finds(&b.with_env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere"), "keyring ");
    // A name with a blank, as a Mac's folders have it.
    let mut f = world.laptop("f");
    f.home = f.home.join("Library of F");
    fs::create_dir_all(&f.home).expect("a folder");
    fs::write(f.home.join(".gitconfig"), "[user]\nname = F\nemail = f@x.y\n").expect("written");
    f.co(&["init", "--yes"]);
    calm(&f, "a home with a blank");
    // What is to be typed can be.
    let lock = f.identity().join(".git/index.lock");
    fs::write(&lock, "").expect("written");
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(7_200);
    fs::File::open(&lock).expect("there").set_modified(old).expect("set");
    let report = f.json(&["doctor"]);
    let checks = report["data"]["checks"].as_array().expect("checks").clone();
    let mut hints = checks.iter().filter_map(|check| check["hint"].as_str());
    let rm = hints.find(|hint| hint.starts_with("rm ")).expect("a way to fix it");
    let status = f.command_of("sh", &["-c", rm]).status().expect("sh runs");
    assert!(status.success() && !lock.exists(), "{rm}");
}

/// What an identity holds, without its repository.
fn copied(from: &Path, to: &Path) {
    for (path, bytes) in crate::support::tree(from) {
        if !path.starts_with(".git/") {
            put(&to.join(&path), bytes);
        }
    }
}
