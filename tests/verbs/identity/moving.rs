//! `co identity move`: the identity moves to another folder with its own repository, and back;
//! whatever cannot be moved stops it before anything changes.

use crate::support::{
    World, folder, git,
    moving::{moved, published, syncs},
    whole::whole,
};
use std::{
    fs,
    os::unix::fs::{MetadataExt, symlink},
    path::{Path, PathBuf},
    process::Command,
};

#[test]
fn the_repository_moves_along_and_back() {
    let world = World::new();
    let (a, remote) = published(&world);
    let (old, new) = (a.identity(), a.home.join("mine"));
    fs::write(old.join(".git/info/exclude"), "*.bak\n").expect("written");
    fs::write(old.join("notes.bak"), "beside\n").expect("written");
    fs::create_dir_all(old.join("empty")).expect("a folder");
    let head = git(&old, &["rev-parse", "HEAD"]);
    let said = moved(&a, &new);
    assert!(said.contains("co undo"), "{said}");
    assert!(!old.exists());
    let mut kept = fs::read_dir(a.config()).expect("listed").flatten();
    assert!(!kept.any(|entry| entry.path().display().to_string().contains("moved-")));
    assert_eq!(git(&new, &["rev-parse", "HEAD"]), head);
    assert_eq!(fs::read_to_string(new.join("notes.bak")).expect("there"), "beside\n");
    assert!(new.join("empty").is_dir());
    assert_eq!(git(&new, &["remote", "get-url", "origin"]).trim(), remote);
    syncs(&a, &remote, "From the new place");
    // The log knows it, and has the way back, whatever was learned meanwhile.
    let log = a.json(&["log"]);
    let entries = log["data"]["operations"].as_array().cloned().unwrap_or_default();
    let op = entries.iter().find(|entry| entry["verb"] == "identity move");
    let op = format!("o{}", op.expect("an entry")["op"]);
    let undone = a.co(&["undo", &op]);
    assert!(undone.contains("identity move"), "{undone}");
    assert!(!new.exists() && old.join(".git").is_dir());
    assert_eq!(a.facts(), ["From the new place", "Prefers tabs"]);
    let settings = fs::read_to_string(a.config().join("settings.json")).unwrap_or_default();
    assert!(!settings.contains("identity_path"), "{settings}");
    syncs(&a, &remote, "Back again");
    a.co(&["redo"]);
    assert!(!old.exists() && new.join(".git").is_dir());
    syncs(&a, &remote, "There again");
}

#[test]
fn a_bare_undo_right_after_moves_back() {
    let world = World::new();
    let (a, remote) = published(&world);
    let new = a.home.join("x/y z/ü");
    moved(&a, &new);
    let shown = a.co(&["undo", "--dry-run"]);
    assert!(shown.contains("identity move") && new.is_dir(), "{shown}");
    a.co(&["undo"]);
    assert!(a.identity().join(".git").is_dir() && !new.exists());
    // The next undo is about what was before.
    a.co(&["undo"]);
    assert!(a.facts().is_empty());
    a.co(&["redo"]);
    syncs(&a, &remote, "Still here");
}

#[test]
fn an_undo_of_a_move_takes_nothing_that_is_there() {
    let world = World::new();
    let (a, _) = published(&world);
    let new = a.home.join("mine");
    moved(&a, &new);
    fs::create_dir_all(a.identity()).expect("a folder");
    fs::write(a.identity().join("other.txt"), "somebody's\n").expect("written");
    insta::assert_snapshot!(whole(&a.fails(6, &["undo"])), @"
    error: ~/.config/co-cli/identity already exists and is not empty; nothing was moved back
    hint: `co identity move DIR` moves it to another folder
    ");
    assert!(new.join(".git").is_dir());
    fs::remove_file(a.identity().join("other.txt")).expect("removed");
    a.co(&["undo"]);
    assert!(a.identity().join(".git").is_dir());
}

#[test]
fn an_undo_of_a_move_looks_at_the_old_place_as_a_move_does() {
    let world = World::new();
    let (a, remote) = published(&world);
    let new = a.home.join("mine");
    moved(&a, &new);
    // A link that leads somewhere only from where it is.
    symlink("../somewhere.md", new.join("linked.md")).expect("linked");
    insta::assert_snapshot!(whole(&a.fails(7, &["undo"])), @"
    error: ~/mine/linked.md is a link that would point elsewhere after the move; nothing was moved
    hint: give it an absolute path outside the identity, or replace it with the file
    ");
    fs::remove_file(new.join("linked.md")).expect("removed");
    // git's own folder around the old place.
    let parts = ["objects", "refs"].map(|name| a.config().join(name));
    parts.iter().for_each(|part| fs::create_dir(part).expect("a folder"));
    fs::write(a.config().join("HEAD"), "ref: refs/heads/main\n").expect("written");
    insta::assert_snapshot!(whole(&a.fails(6, &["undo"])), @"
    error: ~/.config/co-cli/identity is inside git's own folder; nothing was moved back
    hint: `co identity move DIR` moves it to another folder
    ");
    parts.iter().for_each(|part| fs::remove_dir(part).expect("removed"));
    fs::remove_file(a.config().join("HEAD")).expect("removed");
    // A repository that would have the files.
    git(&a.config(), &["init", "-q", "-b", "main"]);
    insta::assert_snapshot!(whole(&a.fails(6, &["undo"])), @"
    error: ~/.config/co-cli/identity is inside the repository ~/.config/co-cli; nothing was moved back
    hint: `co identity move ~/.config/co-cli/identity` copies the identity's files there, to be committed in that repository
    ");
    assert!(new.join(".git").is_dir() && !a.identity().exists());
    // One that ignores them is none.
    fs::write(a.config().join(".gitignore"), "*\n").expect("written");
    a.co(&["undo"]);
    assert!(a.identity().join(".git").is_dir() && !new.exists());
    syncs(&a, &remote, "Back after all");
}

#[test]
fn what_is_relative_to_the_folder_leads_to_the_same_place() {
    let world = World::new();
    let (a, remote) = published(&world);
    let old = a.identity();
    // From ~/.config/co-cli/identity to the folder that holds all laptops.
    let relative = "../../../../remote.git";
    git(&old, &["remote", "set-url", "origin", relative]);
    git(&old, &["remote", "add", "spare", "../../../spare.git"]);
    git(&old, &["remote", "add", "inner", "backup.git"]);
    git(&old, &["config", "core.hooksPath", "../hooks"]);
    git(&old, &["config", "include.path", "../../more.gitconfig"]);
    fs::write(a.config().join("more.gitconfig"), "[user]\n\tname = Included\n").expect("written");
    a.co(&["sync"]);
    let new = a.home.join("deep/er/mine");
    moved(&a, &new);
    let value = |key: &str| git(&new, &["config", "--get", key]).trim().to_owned();
    let at = |path: &Path| fs::canonicalize(path).expect("there").display().to_string();
    assert_eq!(value("remote.origin.url"), at(Path::new(&remote)));
    assert_eq!(value("remote.spare.url"), format!("{}/spare.git", at(&a.home)));
    assert_eq!(value("remote.inner.url"), "backup.git", "what is inside moved along");
    assert_eq!(value("core.hooksPath"), format!("{}/hooks", at(&a.config())));
    let person = git(&new, &["config", "--includes", "--get-all", "user.name"]);
    assert!(person.contains("Included"), "{person}");
    syncs(&a, &remote, "By the same address");
}

#[test]
fn work_trees_find_each_other_after_a_move() {
    let world = World::new();
    let (a, remote) = published(&world);
    // One that hangs on the identity.
    let side = a.home.join("side");
    a.git(&["worktree", "add", "-q", "-b", "side", &side.display().to_string()]);
    let new = a.home.join("mine");
    moved(&a, &new);
    assert_eq!(git(&side, &["status", "--porcelain"]), "");
    syncs(&a, &remote, "With a side tree");
    // And one that the identity itself is.
    let main = world.path("main");
    git(world.dir.path(), &["clone", "-q", &remote, "main"]);
    git(&main, &["switch", "-q", "--detach"]);
    let b = world.laptop("b");
    fs::create_dir_all(b.config()).expect("a folder");
    git(&main, &["worktree", "add", "-q", &b.identity().display().to_string(), "main"]);
    b.co(&["learn", "In a work tree"]);
    b.co(&["sync"]);
    let new = b.home.join("tree");
    moved(&b, &new);
    let list = git(&main, &["worktree", "list", "--porcelain"]);
    assert!(list.contains("b/tree") && !list.contains("prunable"), "{list}");
    syncs(&b, &remote, "Still in a work tree");
}

#[test]
fn a_relative_git_file_and_a_separate_git_folder_move_along() {
    let world = World::new();
    let (a, remote) = published(&world);
    let store = a.home.join("store.git");
    a.git(&["init", "-q", "--separate-git-dir", &store.display().to_string()]);
    fs::write(a.identity().join(".git"), "gitdir: ../../../store.git\n").expect("written");
    a.co(&["sync"]);
    let new = a.home.join("some/where/else");
    moved(&a, &new);
    assert_eq!(git(&new, &["status", "--porcelain"]), "");
    syncs(&a, &remote, "By a git file");
}

#[test]
fn a_link_to_the_identity_stays_and_leads_to_the_new_folder() {
    let world = World::new();
    let (a, remote) = published(&world);
    let (first, second) = (a.home.join("first"), a.home.join("second"));
    fs::rename(a.identity(), &first).expect("moved");
    symlink("../../first", a.identity()).expect("linked");
    moved(&a, &second);
    assert!(a.identity().is_symlink() && !first.exists());
    assert_eq!(fs::canonicalize(a.identity()).ok(), fs::canonicalize(&second).ok());
    syncs(&a, &remote, "Through the link");
    let settings = fs::read_to_string(a.config().join("settings.json")).unwrap_or_default();
    assert!(!settings.contains("identity_path"), "{settings}");
    let op = a.co(&["log"]);
    let op = op.lines().find(|line| line.contains("  moved")).expect("a line");
    let op = op.split_whitespace().find(|word| word.starts_with('o')).expect("a handle");
    a.co(&["undo", op]);
    assert_eq!(fs::canonicalize(a.identity()).ok(), fs::canonicalize(&first).ok());
    assert_eq!(a.facts(), ["Prefers tabs", "Through the link"]);
}

#[test]
fn links_that_a_move_would_break_stop_it() {
    let world = World::new();
    let (a, _) = published(&world);
    let outside = a.config().join("outside.md");
    fs::write(&outside, "x\n").expect("written");
    for target in [PathBuf::from("../outside.md"), a.identity().join("profile.md")] {
        let link = a.identity().join("linked.md");
        symlink(&target, &link).expect("linked");
        let said = a.fails(7, &["identity", "move", "--yes", "mine"]);
        assert!(said.contains("linked.md") && !a.home.join("mine").exists(), "{said}");
        fs::remove_file(&link).expect("removed");
    }
    symlink(&outside, a.identity().join("linked.md")).expect("linked");
    moved(&a, &a.home.join("mine"));
}

#[test]
fn another_file_system_gets_a_whole_copy() {
    let world = World::within(folder::on_disk());
    let (a, remote) = published(&world);
    let Ok(other) = tempfile::tempdir_in("/dev/shm") else { return };
    let device = |path: &Path| fs::metadata(path).expect("there").dev();
    if device(other.path()) == device(&a.home) {
        return;
    }
    fs::create_dir_all(a.identity().join("empty/er")).expect("a folder");
    symlink("profile.md", a.identity().join("me.md")).expect("linked");
    let head = a.git(&["rev-parse", "HEAD"]);
    let new = other.path().join("mine");
    moved(&a, &new);
    assert!(!a.identity().exists() && new.join("me.md").is_symlink());
    assert!(new.join("empty/er").is_dir());
    assert_eq!(git(&new, &["rev-parse", "HEAD"]), head);
    assert_eq!(fs::read_dir(other.path()).expect("listed").count(), 1, "nothing is left beside it");
    syncs(&a, &remote, "From another disk");
    let log = a.co(&["log"]);
    let op = log.lines().find(|line| line.contains("  moved")).expect("a line");
    let op = op.split_whitespace().find(|word| word.starts_with('o')).expect("a handle");
    a.co(&["undo", op]);
    assert!(a.identity().join(".git").is_dir() && !new.exists());
    syncs(&a, &remote, "Back on the first");
}

#[test]
fn a_move_that_was_cut_off_is_finished_or_taken_back() {
    let world = World::new();
    let (a, remote) = published(&world);
    let (old, new) = (a.identity(), a.home.join("mine"));
    let mark = a.config().join("local/moving.json");
    let text = serde_json::json!({ "op": 99, "moved": {
        "from": fs::canonicalize(&old).expect("there"), "to": a.home.join("mine"),
        "setting": [null, new.display().to_string()] } });
    // Killed before anything moved.
    fs::write(&mark, text.to_string()).expect("written");
    assert_eq!(a.facts(), ["Prefers tabs"]);
    assert!(!mark.exists() && old.is_dir());
    // Killed after the folder moved, and before the settings knew.
    fs::write(&mark, text.to_string()).expect("written");
    fs::rename(&old, &new).expect("moved");
    assert_eq!(a.facts(), ["Prefers tabs"]);
    assert!(!mark.exists() && !old.exists());
    syncs(&a, &remote, "After a kill");
    let log = a.co(&["log"]);
    assert!(log.contains("Prefers tabs"), "the log moved along: {log}");
}

#[test]
fn only_the_whole_identity_in_the_new_folder_is_a_finished_move() {
    // What a killed co left in the new folder, and what somebody wrote in the old one since.
    for (there, since, arrived) in [
        (".DS_Store", None, false),
        ("notes.txt", None, false),
        ("profile.md", None, false),
        ("everything", None, true),
        ("everything", Some("knowledge/late.md"), false),
        ("everything", Some("profile.md"), false),
    ] {
        let world = World::new();
        let (a, remote) = published(&world);
        let (old, new) = (a.identity(), a.home.join("mine"));
        if there == "everything" {
            let copied = Command::new("cp").arg("-a").arg(&old).arg(&new).status();
            assert!(copied.is_ok_and(|status| status.success()));
        } else {
            fs::create_dir_all(&new).expect("a folder");
            fs::write(new.join(there), "x\n").expect("written");
        }
        if let Some(name) = since {
            let before = fs::read_to_string(old.join(name)).unwrap_or_default();
            fs::write(old.join(name), format!("{before}- Newer\n")).expect("written");
        }
        let mark = a.config().join("local/moving.json");
        let text = serde_json::json!({ "op": 99, "moved": {
            "from": fs::canonicalize(&old).expect("there"), "to": new,
            "setting": [null, new.display().to_string()] } });
        fs::write(&mark, text.to_string()).expect("written");
        assert_eq!(a.facts(), ["Prefers tabs"], "{there} {since:?}");
        let settings = fs::read_to_string(a.config().join("settings.json")).unwrap_or_default();
        assert_eq!(settings.contains("identity_path"), arrived, "{there} {since:?}");
        assert_eq!((mark.exists(), old.exists()), (false, !arrived), "{there} {since:?}");
        syncs(&a, &remote, "After a kill");
    }
}

#[test]
fn a_move_that_cannot_be_done_changes_nothing() {
    let world = World::new();
    let (a, _) = published(&world);
    let before = a.tree();
    fs::write(a.home.join("file"), "x\n").expect("written");
    git(&a.home, &["init", "-q", "--bare", "bare.git"]);
    for (code, target) in
        [(6, "file"), (6, "bare.git/objects/mine"), (2, ".config/co-cli/identity/x")]
    {
        let said = a.try_co(&["identity", "move", "--yes", target]);
        assert_eq!(said.code, code, "{target}: {}", said.err);
        assert_eq!(a.tree(), before, "{target}");
    }
    let log = a.co(&["log"]);
    assert!(!log.contains("  moved"), "{log}");
    a.co(&["sync"]);
}

#[test]
fn settings_of_agents_that_name_the_old_folder_are_named() {
    let world = World::new();
    let (a, _) = published(&world);
    fs::create_dir_all(a.home.join(".claude")).expect("a folder");
    let set = a.with_env("CO_IDENTITY_PATH", &a.identity().display().to_string());
    set.co(&["agent", "install", "claude-code", "--yes"]);
    let new = a.home.join("mine");
    let said = a.try_co(&["identity", "move", "--yes", &new.display().to_string()]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.err.contains("co agent install claude-code"), "{}", said.err);
    a.co(&["agent", "install", "claude-code", "--yes"]);
    let text = fs::read_to_string(a.home.join(".claude.json")).expect("there");
    assert!(!text.contains(&a.identity().display().to_string()), "{text}");
    // The same on the way back.
    let set = a.with_env("CO_IDENTITY_PATH", &new.display().to_string());
    set.co(&["agent", "install", "claude-code", "--yes"]);
    let log = a.co(&["log"]);
    let op = log.lines().find(|line| line.contains("  moved")).expect("a line");
    let op = op.split_whitespace().find(|word| word.starts_with('o')).expect("a handle");
    let said = a.try_co(&["undo", op]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.err.contains("co agent install claude-code"), "{}", said.err);
}

#[test]
fn an_identity_without_a_repository_moves_as_a_whole() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", "Prefers tabs"]);
    fs::remove_dir_all(a.identity().join(".git")).expect("removed");
    fs::write(a.identity().join("draft.md~"), "litter\n").expect("written");
    let new = a.home.join("mine");
    let said = moved(&a, &new);
    assert!(said.contains("co init") && said.contains("co undo"), "{said}");
    assert!(new.join("draft.md~").exists() && !a.identity().exists());
    a.co(&["undo"]);
    assert!(a.identity().join("draft.md~").exists());
}

#[test]
fn a_folder_without_a_name_is_not_the_current_one() {
    let world = World::new();
    let (a, _) = published(&world);
    let before = a.tree();
    for name in ["", " ", "\t", "  \n"] {
        for more in [&["--yes"][..], &["--dry-run"], &[]] {
            let said = a.fails(2, &[&["identity", "move", name][..], more].concat());
            assert!(said.contains("is a shell variable unset?"), "{name:?}: {said}");
        }
    }
    assert_eq!(a.tree(), before);
}
