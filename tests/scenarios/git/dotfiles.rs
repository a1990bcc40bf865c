//! An identity inside a dotfiles repository: only the identity is committed, and no other file and
//! no staged change is touched, whether plain git, stow, yadm or vcsh manages it.

use crate::support::{Laptop, World, git, pair::pair, require_tool, tree, whole::whole};
use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

/// A dotfiles repository, on the first laptop new and filled, on the second cloned.
fn repository(world: &World, laptop: &Laptop, remote: &str, fill: impl Fn(&Path)) -> PathBuf {
    let repo = laptop.home.join("dotfiles");
    if git(world.dir.path(), &["ls-remote", remote]).is_empty() {
        git(&laptop.home, &["init", "-q", "-b", "main", "dotfiles"]);
        fill(&repo);
        git(&repo, &["add", "-A"]);
        git(&repo, &["commit", "-qm", "start"]);
        git(&repo, &["remote", "add", "origin", remote]);
        git(&repo, &["push", "-qu", "origin", "main"]);
    } else {
        git(&laptop.home, &["clone", "-q", remote, "dotfiles"]);
    }
    repo
}

/// A dotfiles repository with the identity in it, linked from where co looks, and 50 dirty and 10
/// staged files around it.
fn dotfiles(world: &World, laptop: &Laptop, remote: &str) -> PathBuf {
    let repo = repository(world, laptop, remote, |repo| {
        fs::create_dir_all(repo.join("conf")).expect("a folder");
        for n in 0..60 {
            fs::write(repo.join(format!("conf/{n}.rc")), format!("setting {n}\n"))
                .expect("written");
        }
        fs::create_dir_all(repo.join("co-identity/knowledge/memories")).expect("a folder");
        fs::write(repo.join("co-identity/profile.md"), PROFILE).expect("written");
    });
    fs::create_dir_all(laptop.config()).expect("a folder");
    symlink(repo.join("co-identity"), laptop.identity()).expect("linked");
    repo
}

fn make_dirty(repo: &Path) {
    for n in 0..50 {
        fs::write(repo.join(format!("conf/{n}.rc")), format!("dirty {n}\n")).expect("written");
    }
    for n in 50..60 {
        fs::write(repo.join(format!("conf/{n}.rc")), format!("staged {n}\n")).expect("written");
        git(repo, &["add", &format!("conf/{n}.rc")]);
    }
}

fn outside(repo: &Path) -> (Vec<(String, Vec<u8>)>, String) {
    let files =
        tree(repo).into_iter().filter(|(path, _)| !path.starts_with("co-identity/")).collect();
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
    b.co(&["forget", "--yes", "Prefers tabs"]);
    b.co(&["learn", "From b"]);
    for laptop in [&a, &b, &a] {
        laptop.co(&["identity", "sync"]);
    }
    assert_eq!(tree(&repo_a.join("co-identity")), tree(&repo_b.join("co-identity")));
    assert_eq!(a.facts(), ["From b", "One", "Shared", "Two"]);
    assert_eq!(
        (outside(&repo_a), outside(&repo_b)),
        before,
        "files and index entries outside are byte-identical"
    );
    let committed = git(&repo_a, &["log", "--name-only", "--format=", "main~1..main"]);
    assert!(
        committed.lines().all(|path| path.is_empty() || path.starts_with("co-identity/")),
        "{committed}"
    );
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
    fs::set_permissions(
        repo_a.join("conf/new.sh"),
        std::os::unix::fs::PermissionsExt::from_mode(0o755),
    )
    .expect("set");
    fs::remove_file(repo_a.join("conf/4.rc")).expect("removed");
    symlink("3.rc", repo_a.join("conf/link")).expect("linked");
    git(&repo_a, &["add", "-A"]);
    git(&repo_a, &["commit", "-qm", "mine"]);
    a.co(&["identity", "sync"]);
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
    insta::assert_snapshot!(whole(&b.fails(7, &["identity", "sync"])), @"
    error: upstream changed conf/7.rc, which has uncommitted changes here
    hint: commit or stash those files, then run `co sync` again
    ");
    assert_eq!(git(&repo_b, &["rev-parse", "HEAD"]), head);
    assert_eq!(fs::read_to_string(repo_b.join("conf/7.rc")).expect("there"), "dirty here\n");
    git(&repo_b, &["commit", "-qam", "conflicting"]);
    insta::assert_snapshot!(whole(&b.fails(7, &["identity", "sync"])), @"
    error: your commits conflict with upstream's outside the identity, in conf/7.rc
    hint: run `git pull` and resolve them, then run `co sync` again
    ");
}

#[test]
fn a_work_tree_elsewhere_works() {
    let world = World::new();
    let (remote, a) = (world.remote(), world.laptop("a"));
    let home = &a.home;
    git(home, &["init", "-q", "--bare", "-b", "main", ".dotfiles"]);
    let git_dir = home.join(".dotfiles").display().to_string();
    let tree_dir = home.display().to_string();
    let bare = |arguments: &[&str]| {
        git(
            home,
            &[&["--git-dir", git_dir.as_str(), "--work-tree", tree_dir.as_str()], arguments]
                .concat(),
        )
    };
    bare(&["config", "status.showUntrackedFiles", "no"]);
    fs::create_dir_all(a.identity().join("knowledge/memories")).expect("a folder");
    a.write("profile.md", "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n# Profile\n");
    fs::write(home.join(".bashrc"), "alias x=y\n").expect("written");
    bare(&["add", ".bashrc", ".config/co-cli/identity"]);
    bare(&["commit", "-qm", "start"]);
    bare(&["remote", "add", "origin", &remote]);
    bare(&["push", "-qu", "origin", "main"]);
    let inside = a.with_env("GIT_DIR", &git_dir).with_env("GIT_WORK_TREE", &tree_dir);
    inside.co(&["learn", "In a bare repository"]);
    inside.co(&["identity", "sync"]);
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

/// A program as the person of this laptop runs it, with co on the PATH.
fn run(laptop: &Laptop, program: &str, arguments: &[&str]) -> (i32, String) {
    let co = laptop.command(&[]);
    let bin = Path::new(co.get_program()).parent().expect("a folder").to_owned();
    let mut command = Command::new(program);
    for (name, value) in co.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.env("PATH", format!("{}:{}", bin.display(), std::env::var("PATH").expect("a path")));
    for (name, value) in [
        ("GIT_AUTHOR_NAME", "t"),
        ("GIT_AUTHOR_EMAIL", "t@x"),
        ("GIT_COMMITTER_NAME", "t"),
        ("GIT_COMMITTER_EMAIL", "t@x"),
    ] {
        command.env(name, value);
    }
    let output = command.args(arguments).current_dir(&laptop.home).output().expect("it runs");
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    (output.status.code().unwrap_or(-1), text)
}

fn must(laptop: &Laptop, program: &str, arguments: &[&str]) -> String {
    let (code, text) = run(laptop, program, arguments);
    assert_eq!(code, 0, "{program} {arguments:?}: {text}");
    text
}

const PROFILE: &str =
    "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n# Profile\n\n- Name: Bin\n";

/// A stow package with the identity in it.
fn stow_package(world: &World, laptop: &Laptop, remote: &str) -> PathBuf {
    repository(world, laptop, remote, |repo| {
        let identity = repo.join("co/.config/co-cli/identity");
        fs::create_dir_all(identity.join("knowledge/memories")).expect("a folder");
        fs::write(identity.join("profile.md"), PROFILE).expect("written");
        fs::write(
            identity.join("knowledge/memories/001-a.md"),
            "---\nid: 1\ncreated: 2026-01-01T00:00:00.5Z\n---\n\nFirst\n",
        )
        .expect("written");
    })
}

#[test]
fn stow_with_folding_works_and_machine_state_stays_out() {
    if !require_tool("stow") {
        eprintln!("skipped: stow is missing");
        return;
    }
    let world = World::new();
    let (remote, a, b) = (world.remote(), world.laptop("a"), world.laptop("b"));
    for laptop in [&a, &b] {
        stow_package(&world, laptop, &remote);
        fs::create_dir_all(laptop.home.join(".config")).expect("a folder");
        must(laptop, "stow", &["-d", "dotfiles", "-t", &laptop.home.display().to_string(), "co"]);
        assert!(laptop.config().is_symlink(), "stow folds the whole folder");
        laptop.co(&["learn", &format!("From {}", laptop.name)]);
    }
    fs::write(a.config().join("settings.json"), "{}").expect("written");
    let said = a.try_co(&["identity", "sync"]);
    assert_eq!(said.code, 0, "{}", said.err);
    insta::assert_snapshot!(whole(&said.err), @"warning: ~/dotfiles/co/.config/co-cli is in a repository that would commit settings.json, local, which belong to this laptop; add them to ~/dotfiles/co/.config/co-cli/.gitignore: /settings.json /local");
    a.co(&["init", "--yes"]);
    let said = a.try_co(&["identity", "sync"]);
    assert!(
        said.code == 0 && !said.err.contains("settings.json"),
        "init wrote .gitignore: {}",
        said.err
    );
    b.co(&["identity", "sync"]);
    a.co(&["identity", "sync"]);
    assert_eq!(a.facts(), ["First", "From a", "From b"]);
    assert_eq!(a.tree(), b.tree());
    for laptop in [&a, &b] {
        laptop.co(&["doctor", "--strict"]);
    }
    let published = git(&world.path("remote.git"), &["ls-tree", "-r", "--name-only", "main"]);
    assert!(
        published.lines().all(|path| path.starts_with("co/.config/co-cli/identity/")),
        "{published}"
    );
    assert!(!a.identity().join(".git").exists());
}

#[test]
fn links_file_by_file_lead_to_the_repository_and_strays_are_adopted() {
    let layouts: [(&str, &[&str]); 2] = [
        ("stow", &["--no-folding", "-d", "dotfiles", "-t", ".", "co"]),
        ("rcup", &["-d", "dotfiles/rc"]),
    ];
    for (tool, arguments) in layouts {
        if !require_tool(tool) {
            eprintln!("skipped: {tool} is missing");
            continue;
        }
        let world = World::new();
        let (remote, a) = (world.remote(), world.laptop("a"));
        let repo = stow_package(&world, &a, &remote);
        if tool == "rcup" {
            fs::create_dir_all(repo.join("rc")).expect("a folder");
            fs::rename(repo.join("co/.config"), repo.join("rc/config")).expect("moved");
            git(&repo, &["add", "-A"]);
            git(&repo, &["commit", "-qm", "rcm names"]);
        }
        must(&a, tool, arguments);
        assert!(
            a.identity().join("profile.md").is_symlink() && !a.identity().is_symlink(),
            "{tool} links file by file"
        );
        assert_eq!(a.facts(), ["First"], "reading needs nothing");
        // Another program puts a fact beside the links; co saves where they lead.
        let stray = "---\nid: 9\ncreated: 2026-01-02T03:04:05Z\n---\nThird\n";
        fs::write(a.identity().join("knowledge/memories/009-third.md"), stray).expect("written");
        a.co(&["learn", "Second"]);
        a.co(&["sync"]);
        assert!(!a.identity().join("knowledge/memories/009-third.md").exists(), "{tool}");
        let mut facts: Vec<String> = a
            .co(&["list"])
            .lines()
            .filter_map(|line| Some(line.split_once("): ")?.1.to_owned()))
            .collect();
        facts.sort();
        assert_eq!(facts, ["First", "Second", "Third"], "{tool}");
        a.co(&["init", "--yes"]);
        assert!(!a.identity().join(".git").exists(), "{tool}: no repository is made");
        let published = git(&world.path("remote.git"), &["ls-tree", "-r", "--name-only", "main"]);
        assert!(published.contains("-second.md"), "{tool}: {published}");
        assert!(published.contains("-third.md"), "{tool}: {published}");
        a.co(&["doctor", "--strict"]);
        // A fact that goes leaves its link behind, and all the rest as it was.
        a.co(&["forget", "--yes", "First"]);
        assert!(a.co(&["list"]).contains("Second"), "{tool}");
        a.co(&["undo", "--yes"]);
        assert!(a.co(&["list"]).contains("First"), "{tool}");
    }
}

#[test]
fn yadm_and_vcsh_are_entered_or_named() {
    for tool in ["yadm", "vcsh"] {
        if !require_tool(tool) {
            eprintln!("skipped: {tool} is missing");
            continue;
        }
        let world = World::new();
        let (remote, a, b) = (world.remote(), world.laptop("a"), world.laptop("b"));
        fs::create_dir_all(a.identity().join("knowledge/memories")).expect("a folder");
        a.write("profile.md", PROFILE);
        fs::write(a.home.join(".bashrc"), "alias x=y\n").expect("written");
        let inside: Vec<&str> = match tool {
            "yadm" => {
                must(&a, "yadm", &["init"]);
                must(&a, "yadm", &["add", ".bashrc", ".config/co-cli/identity/profile.md"]);
                must(&a, "yadm", &["commit", "-qm", "start"]);
                must(&a, "yadm", &["branch", "-M", "main"]);
                must(&a, "yadm", &["remote", "add", "origin", &remote]);
                must(&a, "yadm", &["push", "-qu", "origin", "main"]);
                must(&b, "yadm", &["clone", "-b", "main", &remote]);
                vec!["enter", "co"]
            }
            _ => {
                must(&a, "vcsh", &["init", "dots"]);
                must(&a, "vcsh", &["dots", "add", ".bashrc", ".config/co-cli/identity/profile.md"]);
                must(&a, "vcsh", &["dots", "commit", "-qm", "start"]);
                must(&a, "vcsh", &["dots", "branch", "-M", "main"]);
                must(&a, "vcsh", &["dots", "remote", "add", "origin", &remote]);
                must(&a, "vcsh", &["dots", "push", "-qu", "origin", "main"]);
                must(&b, "vcsh", &["clone", "-b", "main", &remote, "dots"]);
                vec!["run", "dots", "co"]
            }
        };
        assert!(b.identity().join("profile.md").exists(), "{tool} checked out");
        a.co(&["learn", "From a"]);
        b.co(&["learn", "From b"]);
        // Outside of it co says what to run, and makes no repository of its own.
        let said = a.fails(4, &["identity", "sync"]);
        assert!(said.contains(&format!("{tool} ")) && said.contains("co sync"), "{tool}: {said}");
        a.fails(7, &["init", "--yes"]);
        assert!(!a.identity().join(".git").exists(), "{tool}: no repository is made");
        let said = a.co(&["doctor"]);
        assert!(said.contains(&format!("{tool} ")) && !said.contains("`co init`"), "{said}");
        fs::write(a.home.join(".bashrc"), "alias x=dirty\n").expect("written");
        let sync = [inside.as_slice(), &["identity", "sync"]].concat();
        for laptop in [&a, &b, &a] {
            must(laptop, tool, &sync);
        }
        assert_eq!(a.facts(), ["From a", "From b"], "{tool}");
        assert_eq!(a.tree(), b.tree(), "{tool}");
        assert_eq!(fs::read_to_string(a.home.join(".bashrc")).expect("there"), "alias x=dirty\n");
        assert_eq!(
            git(&world.path("remote.git"), &["show", "main:.bashrc"]),
            "alias x=y\n",
            "{tool}: nothing of the user's is committed"
        );
        must(&a, tool, &[inside.as_slice(), &["identity", "check"]].concat());
        must(&a, tool, &[inside.as_slice(), &["doctor", "--strict"]].concat());
        assert!(
            must(&a, tool, &[inside.as_slice(), &["identity", "diff"]].concat())
                .contains("No changes"),
            "{tool}"
        );
    }
}

#[test]
fn submodules_and_worktrees_work() {
    let world = World::new();
    let (remote, a) = (world.remote(), world.laptop("a"));
    let b = world.laptop("b");
    b.co(&["init", "--yes", "--remote", &remote]);
    b.co(&["learn", "From b"]);
    b.co(&["identity", "sync"]);
    git(&a.home, &["init", "-q", "-b", "main", "dotfiles"]);
    let repo = a.home.join("dotfiles");
    git(&repo, &["submodule", "--quiet", "add", &remote, "identity"]);
    git(&repo, &["commit", "-qm", "submodule"]);
    fs::create_dir_all(a.config()).expect("a folder");
    symlink(repo.join("identity"), a.identity()).expect("linked");
    a.co(&["learn", "In a submodule"]);
    a.co(&["identity", "sync"]);
    b.co(&["identity", "sync"]);
    assert_eq!(b.facts(), ["From b", "In a submodule"]);
    assert!(repo.join("identity/.git").is_file(), "a submodule's .git stays a file");
    a.co(&["doctor", "--strict"]);
    git(&a.identity(), &["checkout", "-q", "--detach"]);
    let said = a.fails(7, &["identity", "sync"]);
    assert!(said.contains("detached"), "{said}");

    let c = world.laptop("c");
    fs::create_dir_all(c.config()).expect("a folder");
    git(
        &b.identity(),
        &["worktree", "add", "-q", "-b", "second", &c.identity().display().to_string()],
    );
    c.co(&["learn", "In a worktree"]);
    c.co(&["identity", "check"]);
    assert!(c.co(&["identity", "diff"]).contains("In a worktree"));
    c.co(&["identity", "sync"]);
    // Its branch has no upstream: that of the remote's HEAD is meant, and no second one is made.
    assert_eq!(git(&world.path("remote.git"), &["branch"]).trim(), "* main");
    b.co(&["identity", "sync"]);
    assert_eq!(b.facts(), ["From b", "In a submodule", "In a worktree"]);
    c.co(&["hook", "install"]);
    c.co(&["hook", "uninstall"]);
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

/// Git notes the stat of a link, which tells nothing of the file that it leads to.
#[test]
fn an_edit_of_a_file_that_is_linked_into_the_identity_is_seen() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.write("knowledge/people/sarah.md", "# Sarah\n\nA neighbour.\n");
    a.write("knowledge/context.md", "# Context\n\nAs always.\n");
    a.write("traits/a.md", "# A trait\n\nCalm.\n");
    a.co(&["sync"]);
    let fact = a.file_of("Prefers tabs");
    let paths =
        ["knowledge/people/sarah.md", "knowledge/context.md", "traits/a.md", "profile.md", &fact];
    let elsewhere = world.path("dotfiles");
    fs::create_dir_all(&elsewhere).expect("made");
    let target = |at: usize| elsewhere.join(format!("{at}.md"));
    for (at, path) in paths.iter().enumerate() {
        let file = a.identity().join(path);
        fs::rename(&file, target(at)).expect("moved");
        symlink(target(at), &file).expect("linked");
    }
    // Old enough for the stats to be kept, which the next commit does.
    std::thread::sleep(std::time::Duration::from_millis(3_100));
    a.co(&["learn", "Something new"]);
    a.co(&["sync"]);
    for (at, path) in paths.iter().enumerate() {
        let text = fs::read_to_string(target(at)).expect("readable");
        fs::write(target(at), text + "\nOne more line.\n").expect("written");
        let report = a.json(&["status"]);
        let open = report["data"]["git"]["uncommitted"].to_string();
        assert!(open.contains(path), "{path} is not among {open}");
    }
    a.co(&["sync"]);
    b.co(&["sync"]);
    let found = b
        .tree()
        .into_iter()
        .filter(|(_, bytes)| String::from_utf8_lossy(bytes).contains("One more line."));
    assert_eq!(found.count(), paths.len(), "{}", b.texts());
}

#[test]
fn a_change_in_the_second_of_gits_index_stays_visible() {
    let world = World::new();
    let (remote, a) = (world.remote(), world.laptop("a"));
    let repo = dotfiles(&world, &a, &remote);
    let state = || git(&repo, &["status", "--porcelain", "conf"]);
    for (at, file) in ["conf/1.rc", "conf/2.rc"].into_iter().enumerate() {
        let file_there = repo.join(file);
        // Until both fall into one second.
        loop {
            fs::write(&file_there, format!("one {at}\n")).expect("written");
            git(&repo, &["add", file]);
            fs::write(&file_there, format!("two {at}\n")).expect("written");
            let second = |path: &Path| {
                let modified = fs::metadata(path).and_then(|meta| meta.modified());
                let modified = modified.expect("a time").duration_since(std::time::UNIX_EPOCH);
                modified.expect("after 1970").as_secs()
            };
            if second(&file_there) == second(&repo.join(".git/index")) {
                break;
            }
        }
        a.co(&["learn", &format!("Fact {at}")]);
        std::thread::sleep(std::time::Duration::from_millis(1_100));
        a.co(&["identity", "sync"]);
        assert!(state().contains(&format!("MM {file}\n")), "{}", state());
    }
}
