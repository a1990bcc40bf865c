//! Further tries to make co publish, overwrite or delete what nobody agreed to.

use crate::support::{Laptop, World, git};
use std::{fs, path::Path};

/// A code repository with two commits, published to `remote`.
fn code(folder: &Path, remote: &Path) {
    fs::create_dir_all(folder).expect("a folder");
    git(folder, &["init", "-q", "-b", "main"]);
    fs::write(folder.join("main.py"), "print()\n").expect("written");
    fs::write(folder.join("plan.txt"), "secret plan\n").expect("written");
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-qm", "code"]);
    git(folder, &["init", "-q", "--bare", "-b", "main", &remote.display().to_string()]);
    git(folder, &["remote", "add", "origin", &remote.display().to_string()]);
    git(folder, &["push", "-qu", "origin", "main"]);
}

fn published(remote: &Path) -> Vec<String> {
    let names = git(remote, &["ls-tree", "-r", "--name-only", "main"]);
    names.lines().map(str::to_owned).collect()
}

fn only_beside(remote: &Path) {
    let names = published(remote);
    assert!(names.contains(&"main.py".into()) && names.contains(&"plan.txt".into()), "{names:?}");
    assert!(
        names.iter().all(|name| name.starts_with("co-identity/")
            || ["main.py", "plan.txt"].contains(&name.as_str())),
        "{names:?}"
    );
}

fn init(laptop: &Laptop, folder: &Path) {
    laptop.try_co(&["init", "--yes", &folder.display().to_string()]);
}

#[test]
fn what_only_a_commit_or_the_index_holds_is_not_deleted() {
    let world = World::new();
    let (a, remote) = (world.laptop("a"), world.path("code.git"));
    code(&world.path("code"), &remote);
    let clone = world.path("clone");
    let url = remote.display().to_string();
    git(world.dir.path(), &["clone", "-q", "--no-checkout", &url, "clone"]);
    init(&a, &clone);
    only_beside(&remote);
    // A staged file whose work tree file is gone keeps its entry.
    let staged = world.path("staged");
    fs::create_dir_all(&staged).expect("a folder");
    git(&staged, &["init", "-q"]);
    fs::write(staged.join("a.txt"), "a\n").expect("written");
    git(&staged, &["add", "a.txt"]);
    fs::remove_file(staged.join("a.txt")).expect("removed");
    init(&world.laptop("b"), &staged);
    assert!(git(&staged, &["ls-files"]).lines().any(|name| name == "a.txt"));
}

#[test]
fn one_mark_among_other_things_is_no_identity() {
    let world = World::new();
    let (a, remote) = (world.laptop("a"), world.path("code.git"));
    let folder = world.path("code");
    code(&folder, &remote);
    fs::write(folder.join("profile.md"), "# A character\n").expect("written");
    fs::write(folder.join("draft.txt"), "private\n").expect("written");
    init(&a, &folder);
    only_beside(&remote);
    // The place next to it was not agreed to.
    let at = folder.display().to_string();
    a.fails(6, &["--identity", &at, "sync"]);
    only_beside(&remote);
    // A remote of that kind is refused as well.
    git(&folder, &["add", "profile.md"]);
    git(&folder, &["commit", "-qm", "a character"]);
    git(&folder, &["push", "-q", "origin", "main"]);
    let b = world.laptop("b");
    b.fails(6, &["init", "--yes", &remote.display().to_string()]);
    b.co(&["init", "--yes"]);
    b.fails(6, &["identity", "remote", &remote.display().to_string()]);
}

#[test]
fn another_branch_is_not_taken_for_the_identity() {
    let world = World::new();
    let remote = world.remote();
    let a = world.laptop("a");
    a.co(&["init", "--yes", &remote]);
    let identity = a.identity();
    git(&identity, &["checkout", "-q", "--orphan", "private"]);
    git(&identity, &["rm", "-rqf", "."]);
    fs::create_dir_all(identity.join("src")).expect("a folder");
    fs::write(identity.join("src/novel.txt"), "mine\n").expect("written");
    git(&identity, &["add", "-A"]);
    git(&identity, &["commit", "-qm", "a novel"]);
    a.fails(6, &["sync"]);
    let branches = git(Path::new(&remote), &["branch", "--list"]);
    assert!(!branches.contains("private"), "{branches}");
}

#[test]
fn a_remote_that_became_a_project_takes_nothing_away() {
    let world = World::new();
    let remote = world.remote();
    let a = world.laptop("a");
    a.co(&["init", "--yes", &remote]);
    a.co(&["learn", "Prefers tea"]);
    a.co(&["sync"]);
    let before = a.tree();
    git(world.dir.path(), &["clone", "-q", &remote, "other"]);
    let other = world.path("other");
    git(&other, &["rm", "-rq", "."]);
    fs::write(other.join("Cargo.toml"), "[package]\n").expect("written");
    git(&other, &["add", "-A"]);
    git(&other, &["commit", "-qm", "a project"]);
    git(&other, &["push", "-q", "origin", "HEAD"]);
    a.fails(6, &["sync"]);
    assert_eq!(a.tree(), before);
    // Nor one that was exchanged for a repository with other branches.
    fs::remove_dir_all(&remote).expect("removed");
    code(&world.path("code"), Path::new(&remote));
    git(Path::new(&remote), &["branch", "-m", "main", "master"]);
    a.co(&["learn", "Prefers coffee"]);
    a.fails(6, &["sync"]);
    assert!(!git(Path::new(&remote), &["branch", "--list"]).contains("main"));
}

#[test]
fn a_repository_inside_the_identity_stays_out_of_it() {
    let world = World::new();
    let remote = world.remote();
    let a = world.laptop("a");
    a.co(&["init", "--yes", &remote]);
    code(&a.identity().join("work"), &world.path("work.git"));
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
        std::os::unix::fs::symlink(repo.join(name), a.home.join(name)).expect("linked");
    }
    fs::write(a.home.join("diary.md"), "mine\n").expect("written");
    let home = a.home.display().to_string();
    for verb in [&["check"][..], &["list"], &["sync"], &["learn", "x"]] {
        a.try_co(&[&["--identity", &home][..], verb].concat());
    }
    assert!(a.home.join("diary.md").is_file() && !repo.join("diary.md").exists());
}

#[test]
fn a_second_export_removes_nothing_that_it_did_not_write() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let folder = a.home.join("out");
    let at = folder.display().to_string();
    a.co(&["identity", "export", "--format", "dir", &at]);
    a.co(&["learn", "Prefers tea"]);
    a.co(&["identity", "export", "--format", "dir", &at]);
    fs::write(folder.join("NOTES.txt"), "mine\n").expect("written");
    a.fails(6, &["identity", "export", "--format", "dir", &at]);
    assert!(folder.join("NOTES.txt").is_file());
}

#[test]
fn a_project_is_not_imported() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let from = world.path("from");
    fs::create_dir_all(&from).expect("a folder");
    fs::write(from.join("profile.md"), "# P\n").expect("written");
    fs::write(from.join("Cargo.toml"), "[package]\n").expect("written");
    a.fails(6, &["identity", "import", "--yes", &from.display().to_string()]);
    assert!(!a.identity().join("Cargo.toml").exists());
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
    let a = world.laptop("a").with("TMPDIR", &shared.display().to_string());
    a.try_co(&["init", "--yes", "ssh://nowhere.invalid/x"]);
    assert!(!mark.exists(), "a command of somebody else's configuration ran");
}

#[test]
fn init_writes_neither_through_links_nor_into_gits_own_folder() {
    let world = World::new();
    let (a, elsewhere) = (world.laptop("a"), world.path("elsewhere"));
    fs::create_dir_all(&elsewhere).expect("a folder");
    fs::create_dir_all(a.identity()).expect("a folder");
    std::os::unix::fs::symlink(&elsewhere, a.identity().join("traits")).expect("linked");
    a.fails(6, &["init", "--yes"]);
    assert!(fs::read_dir(&elsewhere).expect("a folder").next().is_none());
    let bare = world.path("bare.git");
    git(world.dir.path(), &["init", "-q", "--bare", "bare.git"]);
    let inside = bare.join("refs").display().to_string();
    world.laptop("b").fails(6, &["init", "--yes", &inside]);
    assert!(!bare.join("refs/profile.md").exists());
}

#[test]
fn configured_tags_and_refspecs_move_nothing_along() {
    let world = World::new();
    let remote = world.remote();
    let a = world.laptop("a");
    a.co(&["init", "--yes", &remote]);
    let identity = a.identity();
    git(&identity, &["config", "push.followTags", "true"]);
    git(
        &identity,
        &["config", "--add", "remote.origin.fetch", "+refs/heads/main:refs/heads/backup"],
    );
    git(&identity, &["tag", "-a", "-m", "mine", "private"]);
    git(&identity, &["branch", "backup"]);
    let backup = git(&identity, &["rev-parse", "backup"]);
    let b = world.laptop("b");
    b.co(&["init", "--yes", &remote]);
    b.co(&["learn", "Prefers tea"]);
    b.co(&["sync"]);
    a.co(&["learn", "Prefers coffee"]);
    a.co(&["sync"]);
    assert_eq!(git(Path::new(&remote), &["tag"]), "");
    assert_eq!(git(&identity, &["rev-parse", "backup"]), backup);
}

#[test]
fn an_undo_of_what_was_committed_is_no_accident() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", "Prefers tea"]);
    a.co(&["sync"]);
    a.co(&["undo", "--yes"]);
    a.co(&["sync"]);
    assert!(a.facts().is_empty());
    // Done again it is a fact like any other: lost by accident, the accident is named.
    a.co(&["redo", "--yes"]);
    a.co(&["sync"]);
    fs::remove_file(a.identity().join(a.file_of("Prefers tea"))).expect("removed");
    a.fails(6, &["sync"]);
    a.co(&["sync", "--accept-deletions"]);
    // Removed by hand it still is one.
    a.co(&["learn", "Prefers coffee"]);
    a.co(&["sync"]);
    fs::remove_file(a.identity().join(a.file_of("Prefers coffee"))).expect("removed");
    a.fails(6, &["sync"]);
}

#[test]
fn a_text_that_shows_conflict_markers_is_not_torn_apart() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let howto = "# Conflicts\n\n<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n";
    a.write("work/howto.md", howto);
    a.try_co(&["check", "--fix"]);
    assert_eq!(a.read("work/howto.md"), howto);
    a.fails(2, &["check", "--fix", "profile.md"]);
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
    std::os::unix::fs::symlink(&script, hooks.join("pre-commit")).expect("linked");
    a.co(&["hook", "install"]);
    assert_eq!(fs::read_to_string(&script).expect("there"), "#!/bin/sh\n");
}

#[test]
fn the_identitys_own_repository_wins_over_the_environment() {
    let world = World::new();
    let remote = world.remote();
    let a = world.laptop("a");
    a.co(&["init", "--yes", &remote]);
    let (folder, other) = (world.path("code"), world.path("code.git"));
    code(&folder, &other);
    git(&folder, &["config", "core.worktree", &world.dir.path().display().to_string()]);
    let set = a.with("GIT_DIR", &folder.join(".git").display().to_string());
    set.co(&["learn", "Prefers tea"]);
    set.co(&["sync"]);
    assert!(published(Path::new(&remote)).iter().any(|name| name.contains("prefers-tea")));
    assert_eq!(published(&other), ["main.py", "plan.txt"]);
}

#[test]
fn a_persons_own_commits_are_published_only_when_they_say_so() {
    let world = World::new();
    let (a, remote) = (world.laptop("a"), world.path("code.git"));
    let folder = world.path("code");
    code(&folder, &remote);
    fs::write(folder.join("draft.txt"), "not for pushing\n").expect("written");
    git(&folder, &["add", "-A"]);
    git(&folder, &["commit", "-qm", "draft"]);
    // Who accepts what init proposes publishes nothing of that.
    let made = a.try_co(&["init", "--yes", &folder.display().to_string()]);
    assert!(made.err.contains("1 of your own commits"), "{}", made.err);
    assert_eq!(published(&remote), ["main.py", "plan.txt"]);
    // A sync says so, and then the branch goes out as a whole.
    let synced = a.co(&["sync"]);
    assert!(synced.contains("1 commit of your own also pushed"), "{synced}");
    assert!(published(&remote).contains(&"draft.txt".to_owned()));
    // A branch that was never published is not co's to publish.
    git(&folder, &["switch", "-qc", "private"]);
    a.co(&["learn", "a fact"]);
    let refused = a.try_co(&["sync"]);
    assert_eq!(refused.code, 7, "{}", refused.err);
    assert!(refused.err.contains("push -u origin private"), "{}", refused.err);
    let heads = git(&remote, &["for-each-ref", "--format=%(refname:short)", "refs/heads"]);
    assert_eq!(heads.trim(), "main");
}

#[test]
fn a_push_to_elsewhere_is_looked_at_and_named() {
    let world = World::new();
    let (a, code_remote, remote) = (world.laptop("a"), world.path("x.git"), world.path("r.git"));
    code(&world.path("code"), &code_remote);
    git(&code_remote, &["branch", "-m", "main", "master"]);
    git(world.dir.path(), &["init", "-q", "--bare", "r.git"]);
    a.co(&["init", "--yes"]);
    a.co(&["identity", "remote", &remote.display().to_string()]);
    git(&a.identity(), &["config", "remote.origin.pushurl", &code_remote.display().to_string()]);
    let refused = a.try_co(&["sync"]);
    assert_eq!(refused.code, 6, "{}", refused.err);
    assert!(refused.err.contains("main.py"), "{}", refused.err);
    // Another place for pushes that holds nothing is named.
    let mirror = world.path("mirror.git");
    git(world.dir.path(), &["init", "-q", "--bare", "mirror.git"]);
    git(&a.identity(), &["config", "remote.origin.pushurl", &mirror.display().to_string()]);
    let synced = a.co(&["sync"]);
    assert!(synced.contains(&format!("pushed to {}", mirror.display())), "{synced}");
    // A remote that is named anew is the one that is pushed to, and never the identity itself.
    let new = world.path("new.git");
    git(world.dir.path(), &["init", "-q", "--bare", "new.git"]);
    git(&a.identity(), &["config", "--add", "remote.origin.url", "/nowhere"]);
    a.co(&["identity", "remote", &new.display().to_string()]);
    a.co(&["sync"]);
    assert!(!git(&new, &["for-each-ref"]).is_empty());
    let own = a.try_co(&["identity", "remote", &a.identity().display().to_string()]);
    assert_eq!(own.code, 2, "{}", own.err);
}

#[test]
fn a_move_says_what_becomes_of_the_remote() {
    let world = World::new();
    let (a, remote) = (world.laptop("a"), world.path("r.git"));
    git(world.dir.path(), &["init", "-q", "--bare", "r.git"]);
    a.co(&["init", "--yes", "--remote", &remote.display().to_string()]);
    let plain = world.path("plain");
    let plan = a.co(&["identity", "move", "--dry-run", &plain.display().to_string()]);
    assert!(plan.contains(&format!("still {}", remote.display())), "{plan}");
    let (folder, other) = (world.path("code"), world.path("code.git"));
    code(&folder, &other);
    let plan = a.co(&["identity", "move", "--dry-run", &folder.display().to_string()]);
    assert!(plan.contains(&format!("{} stays with the old folder", remote.display())), "{plan}");
    assert!(plan.contains("not copied: .git with its history"), "{plan}");
    // Into somebody's identity nothing is moved.
    let other = world.laptop("b");
    other.co(&["init", "--yes"]);
    let into = other.identity().join("mine").display().to_string();
    let refused = a.try_co(&["identity", "move", "--yes", &into]);
    assert_eq!(refused.code, 6, "{}", refused.err);
}

#[test]
fn what_upstream_dropped_is_not_published_again() {
    let world = World::new();
    let (a, remote, folder) = (world.laptop("a"), world.path("code.git"), world.path("code"));
    code(&folder, &remote);
    a.co(&["init", "--yes", &folder.display().to_string()]);
    fs::write(folder.join("secret.txt"), "password\n").expect("written");
    git(&folder, &["add", "-A"]);
    git(&folder, &["commit", "-qm", "oops"]);
    git(&folder, &["push", "-q"]);
    git(&folder, &["push", "-qf", &remote.display().to_string(), "HEAD~1:main"]);
    for _ in 0..2 {
        let stopped = a.try_co(&["sync"]);
        assert_eq!(stopped.code, 7, "{}", stopped.err);
        assert!(stopped.err.contains("pull --rebase"), "{}", stopped.err);
        assert!(!published(&remote).contains(&"secret.txt".to_owned()));
    }
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
fn every_place_that_git_pushes_to_gets_the_identity() {
    let world = World::new();
    let a = world.laptop("a");
    let (one, two) = (world.path("one.git"), world.path("two.git"));
    for remote in [&one, &two] {
        git(world.dir.path(), &["init", "-q", "--bare", &remote.display().to_string()]);
    }
    a.co(&["init", "--yes", "--remote", &one.display().to_string()]);
    git(&a.identity(), &["remote", "set-url", "--add", "origin", &two.display().to_string()]);
    a.co(&["learn", "a fact"]);
    a.co(&["sync"]);
    assert_eq!(git(&one, &["rev-parse", "main"]), git(&two, &["rev-parse", "main"]));
}

#[test]
fn empty_folders_of_an_interrupted_clone_are_no_other_content() {
    let world = World::new();
    let (remote, a, b) = (world.remote(), world.laptop("a"), world.laptop("b"));
    a.co(&["init", "--yes", &remote]);
    a.co(&["learn", "a fact"]);
    a.co(&["sync"]);
    fs::create_dir_all(b.identity().join("knowledge/memories")).expect("made");
    b.co(&["init", "--yes", &remote]);
    assert_eq!(b.facts(), ["a fact"]);
}
