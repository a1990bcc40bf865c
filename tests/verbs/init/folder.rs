//! `co init` in a folder that holds something already: it publishes, overwrites and deletes nothing
//! that the person did not agree to.

use crate::support::{Laptop, World, git, pair::pair, tree};
use std::{fs, path::Path};

fn files_at(bare: &str, branch: &str) -> String {
    git(bare.as_ref(), &["ls-tree", "-r", "--name-only", branch])
}

#[test]
fn a_dirty_repository_gets_a_folder_of_its_own_for_the_identity() {
    let world = World::new();
    let a = world.laptop("a");
    let (work, bare) = world.code("main");
    fs::write(work.join("main.c"), "int main = 1;\n").expect("written");
    fs::write(work.join("untracked.txt"), "mine\n").expect("written");
    let before = git(&work, &["status", "--porcelain", "--", "main.c", "untracked.txt"]);
    let said = a.co(&["init", "--yes", &work.display().to_string()]);
    assert!(said.contains("code/co-identity is ready and pushed"), "{said}");
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

/// Whether nothing was pushed beside the code but the identity.
fn assert_only_identity_added(remote: &str) {
    let names = files_at(remote, "main");
    let names: Vec<&str> = names.lines().collect();
    assert!(names.contains(&"main.c") && names.contains(&"plan.txt"), "{names:?}");
    assert!(
        names
            .iter()
            .all(|name| name.starts_with("co-identity/") || ["main.c", "plan.txt"].contains(name)),
        "{names:?}"
    );
}

fn init_in(laptop: &Laptop, folder: &Path) {
    laptop.try_co(&["init", "--yes", &folder.display().to_string()]);
}

#[test]
fn what_only_a_commit_or_the_index_holds_is_not_deleted() {
    let world = World::new();
    let a = world.laptop("a");
    let (_, remote) = world.code("main");
    let clone = world.path("clone");
    git(world.dir.path(), &["clone", "-q", "--no-checkout", &remote, "clone"]);
    init_in(&a, &clone);
    assert_only_identity_added(&remote);
    // A staged file whose work tree file is gone keeps its entry.
    let staged = world.path("staged");
    fs::create_dir_all(&staged).expect("a folder");
    git(&staged, &["init", "-q"]);
    fs::write(staged.join("a.txt"), "a\n").expect("written");
    git(&staged, &["add", "a.txt"]);
    fs::remove_file(staged.join("a.txt")).expect("removed");
    init_in(&world.laptop("b"), &staged);
    assert!(git(&staged, &["ls-files"]).lines().any(|name| name == "a.txt"));
}

#[test]
fn one_mark_among_other_things_is_no_identity() {
    let world = World::new();
    let a = world.laptop("a");
    let (folder, remote) = world.code("main");
    fs::write(folder.join("profile.md"), "# A character\n").expect("written");
    fs::write(folder.join("draft.txt"), "private\n").expect("written");
    init_in(&a, &folder);
    assert_only_identity_added(&remote);
    // The place next to it was not agreed to.
    let at = folder.display().to_string();
    a.fails(6, &["--identity", &at, "sync"]);
    assert_only_identity_added(&remote);
    // A remote of that kind is refused as well.
    git(&folder, &["add", "profile.md"]);
    git(&folder, &["commit", "-qm", "a character"]);
    git(&folder, &["push", "-q", "origin", "main"]);
    let b = world.laptop("b");
    b.fails(6, &["init", "--yes", &remote]);
    b.co(&["init", "--yes"]);
    b.fails(6, &["identity", "remote", &remote]);
}

#[test]
fn a_folder_with_other_things_is_agreed_to_where_co_noted_it() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["identity", "remote", &world.remote()]);
    a.co(&["sync"]);
    for name in ["Makefile", "package.json", "go.mod"] {
        a.write(name, "not of an identity\n");
    }
    a.co(&["sync"]);
    let noted = a.identity().join(".git/co/places");
    for other in [None, Some(""), Some("elsewhere/\n")] {
        match other {
            Some(text) => fs::write(&noted, text).expect("written"),
            None => fs::remove_file(&noted).expect("removed"),
        }
        let said = a.fails(6, &["sync"]);
        assert!(said.contains("Makefile"), "{said}");
    }
    fs::write(&noted, ".\n").expect("written");
    a.co(&["sync"]);
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
