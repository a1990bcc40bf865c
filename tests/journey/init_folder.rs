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
    let run = |folder: &std::path::Path, arguments: &[&str]| {
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
fn git_around_co_is_another_repository() {
    let world = World::new();
    let (a, remote) = (world.laptop("a"), world.remote());
    a.co(&["init", "--yes", "--remote", &remote]);
    let other = a.home.join("other");
    fs::create_dir_all(&other).expect("a folder");
    git(&other, &["init", "-q"]);
    fs::write(other.join("x"), "x\n").expect("written");
    git(&other, &["add", "x"]);
    let index = fs::read(other.join(".git/index")).expect("an index");
    let path = |name: &str| other.join(name).display().to_string();
    for (number, (name, value)) in [
        ("GIT_INDEX_FILE", path(".git/index")),
        ("GIT_DIR", path(".git")),
        ("GIT_WORK_TREE", path("")),
        ("GIT_COMMON_DIR", path(".git")),
        ("GIT_OBJECT_DIRECTORY", path(".git/objects")),
        ("GIT_NAMESPACE", "x".to_owned()),
        ("GIT_CONFIG_PARAMETERS", "'core.bare=true'".to_owned()),
        ("GIT_PREFIX", "x/".to_owned()),
    ]
    .into_iter()
    .enumerate()
    {
        let inside = a.with(name, &value);
        inside.co(&["learn", "--scope", "identity", &format!("Fact number {number}")]);
        inside.co(&["identity", "sync"]);
        inside.co(&["status"]);
        assert_eq!(a.git(&["status", "--porcelain"]), "", "{name}");
        assert_eq!(fs::read(other.join(".git/index")).expect("an index"), index, "{name}");
    }
    assert_eq!(
        git(remote.as_ref(), &["ls-tree", "-r", "--name-only", "main"])
            .matches("fact-number")
            .count(),
        8
    );
    let both = a.with("GIT_DIR", &path(".git")).with("GIT_WORK_TREE", &path(""));
    both.co(&["identity", "sync"]);
    git(&other, &["fsck"]);
}

#[test]
fn what_a_filter_hides_is_not_published() {
    for place in [".git/info/attributes", ".gitattributes", "knowledge/.gitattributes"] {
        let world = World::new();
        let (a, remote) = (world.laptop("a"), world.remote());
        a.co(&["init", "--yes", "--remote", &remote]);
        a.git(&["config", "filter.x.clean", "tr a-z n-za-m"]);
        let text = fs::read_to_string(a.identity().join(place)).unwrap_or_default();
        a.write(place, &format!("{text}*.md filter=x\n"));
        a.co(&["learn", "Hidden thing"]);
        let before = git(remote.as_ref(), &["for-each-ref"]);
        let said = a.fails(7, &["identity", "sync"]);
        assert!(said.contains("through the filter `x`"), "{place}: {said}");
        assert_eq!(git(remote.as_ref(), &["for-each-ref"]), before);
        assert!(!a.git(&["log", "--format=%s"]).contains("learned"), "nothing is committed");
    }
}

#[test]
fn what_a_sparse_checkout_leaves_out_has_not_left() {
    let world = World::new();
    let (a, remote) = (world.laptop("a"), world.remote());
    a.co(&["init", "--yes", "--name", "Bin", "--remote", &remote]);
    for fact in ["One", "Two", "Three"] {
        a.co(&["learn", fact]);
    }
    a.co(&["identity", "sync"]);
    let b = world.laptop("b");
    b.co(&["init", "--yes", &remote]);
    b.git(&["sparse-checkout", "set", "--no-cone", "/*", "!/traits/", "!/knowledge/memories/001*"]);
    assert!(!b.identity().join("traits/communication-style.md").exists());
    assert_eq!(b.co(&["identity", "sync"]), "Up to date.\n");
    b.co(&["learn", "Four"]);
    let said = b.co(&["identity", "sync"]);
    assert!(!said.contains("forgotten"), "{said}");
    a.edit("traits/communication-style.md", "\n\n", "\n\n- Be brief\n");
    a.edit(&a.file_of("One"), "One", "One and only");
    a.co(&["identity", "sync"]);
    b.co(&["identity", "sync"]);
    assert_eq!(a.facts().len(), 4);
    assert!(!b.identity().join("traits/communication-style.md").exists(), "still left out");
    assert_eq!(b.git(&["status", "--porcelain"]), "");
    assert_eq!(b.co(&["identity", "sync"]), "Up to date.\n");
    b.git(&["sparse-checkout", "disable"]);
    assert_eq!(a.tree(), b.tree());
}

#[test]
fn a_repository_that_another_one_swallowed_is_named() {
    let world = World::new();
    let (a, remote) = (world.laptop("a"), world.remote());
    a.co(&["init", "--yes", "--remote", &remote]);
    let dotfiles = a.home.join("dot");
    fs::create_dir_all(&dotfiles).expect("a folder");
    git(&dotfiles, &["init", "-q"]);
    fs::rename(a.identity(), dotfiles.join("identity")).expect("moved");
    std::os::unix::fs::symlink(dotfiles.join("identity"), a.identity()).expect("linked");
    a.co(&["identity", "sync"]);
    git(&dotfiles, &["add", "-A"]);
    let said = a.fails(7, &["identity", "sync"]);
    assert!(said.contains("recorded in") && said.contains("rm --cached"), "{said}");
    git(&dotfiles, &["commit", "-qm", "1"]);
    // The other laptop gets an empty folder, and is told why.
    fs::rename(dotfiles.join("identity/.git"), a.home.join("away")).expect("moved");
    let said = a.fails(7, &["identity", "sync"]);
    assert!(said.contains("none of its files are synced"), "{said}");
    // What the hint says mends it, whatever the commits before say.
    git(&dotfiles, &["rm", "-q", "--cached", "-f", "identity"]);
    a.co(&["sync"]);
    let carried = git(&dotfiles, &["ls-tree", "-r", "--name-only", "HEAD"]);
    assert!(carried.contains("identity/profile.md"), "{carried}");
    assert_eq!(a.co(&["sync"]), "Up to date.\n");
}

#[test]
fn moving_into_a_dotfiles_repository_is_a_verb() {
    let world = World::new();
    let (a, remote) = (world.laptop("a"), world.remote());
    a.co(&["init", "--yes", "--name", "Bin", "--remote", &remote]);
    a.co(&["learn", "Prefers tabs"]);
    a.co(&["sync"]);
    let before = a.tree();
    let (dotfiles, bare) = code(&world, "main");
    fs::write(dotfiles.join("main.c"), "int main = 1;\n").expect("written");
    let place = dotfiles.display().to_string();
    a.fails(3, &["identity", "move", &place]);
    let shown = a.co(&["identity", "move", &place, "--dry-run"]);
    assert!(shown.contains("committed separately in") && shown.contains("co-identity"), "{shown}");
    assert!(shown.contains(&format!("and pushed to {bare}")), "{shown}");
    assert_eq!(a.tree(), before);
    a.co(&["identity", "move", &place, "--yes"]);
    assert_eq!(tree(&dotfiles.join("co-identity")), before);
    assert!(!dotfiles.join("co-identity/.git").exists());
    assert!(!a.identity().exists(), "the old folder is set aside");
    let published = files_at(&bare, "main");
    assert!(published.contains("co-identity/profile.md"), "{published}");
    assert_eq!(git(bare.as_ref(), &["show", "main:main.c"]), "int main;\n");
    // What was done before can still be taken back by its handle, and everything goes on there.
    let said = a.fails(5, &["undo"]);
    assert!(said.contains("cannot be undone") && said.contains("`co undo o1`"), "{said}");
    assert!(a.co(&["list"]).contains("Prefers tabs"), "an older fact stays");
    a.fails(5, &["undo", "--dry-run"]);
    a.co(&["undo", "o1"]);
    assert!(!a.co(&["list"]).contains("Prefers tabs"));
    a.co(&["redo"]);
    a.co(&["learn", "Moved"]);
    a.co(&["sync"]);
    assert!(files_at(&bare, "main").contains("moved.md"));
    a.fails(
        2,
        &["identity", "move", &dotfiles.join("co-identity/x").display().to_string(), "--yes"],
    );
}

#[test]
fn who_accepts_every_default_publishes_nothing_but_the_identity() {
    let world = World::new();
    let (a, remote) = (world.laptop("a"), world.remote());
    let config = "[core]\n\thooksPath = ~/hooks\n\tattributesFile = ~/attributes\n[user]\n\tname = \
                  Bin\n\temail = b@b\n[filter \"git-crypt\"]\n\tclean = false\n\trequired = true\n";
    fs::write(a.home.join(".gitconfig"), config).expect("written");
    fs::write(a.home.join("attributes"), "*.key filter=git-crypt\n").expect("written");
    let (dotfiles, code) = (a.home.join("dotfiles"), a.home.join("code"));
    for folder in [&dotfiles, &code] {
        fs::create_dir_all(folder).expect("a folder");
        git(folder, &["init", "-q", "-b", "main"]);
        fs::write(folder.join(".bashrc"), "x\n").expect("written");
        git(folder, &["add", "."]);
        git(folder, &["commit", "-qm", "1"]);
        fs::write(folder.join(".bashrc"), "y\n").expect("written");
        fs::write(folder.join("private.txt"), "mine\n").expect("written");
        git(folder, &["add", "private.txt"]);
    }
    let before: Vec<_> = [&dotfiles, &code].map(|folder| tree(folder)).into();
    let place = code.display().to_string();
    a.co(&["-C", &place, "init", "--yes", "--hooks", "--remote", &remote]);
    a.co(&["-C", &place, "learn", "Prefers tabs"]);
    a.co(&["-C", &place, "sync"]);
    let published = files_at(&remote, "main");
    let of_identity = |path: &str| {
        ["profile.md", "personality.md", ".gitattributes", ".gitignore"].contains(&path)
            || path.starts_with("traits/")
            || path.starts_with("knowledge/")
    };
    assert!(published.lines().all(of_identity), "{published}");
    assert!(published.contains("prefers-tabs"), "{published}");
    assert_eq!([&dotfiles, &code].map(|folder| tree(folder)).to_vec(), before);
    // The hooks that all repositories share let the others commit.
    let commit = a.command_of("git", &["commit", "-qam", "2"]).current_dir(&code).output();
    assert!(commit.expect("git runs").status.success());
}
