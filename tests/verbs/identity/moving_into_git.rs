//! `co identity move` into a repository of other files: the identity is committed there alone, or
//! keeps a repository of its own where that one ignores it, and what stays behind is named.

use crate::support::{
    Laptop, World,
    files::put,
    git,
    moving::{moved, published, syncs},
    tree,
    whole::whole,
};
use std::{fs, path::PathBuf};

/// The names of all files on the branch of a remote.
fn committed(remote: &str) -> String {
    git(remote.as_ref(), &["ls-tree", "-r", "--name-only", "main"])
}

#[test]
fn moving_into_a_repository_commits_the_identity_alone() {
    let world = World::at("2026-11-20T12:00:00Z");
    let (a, remote) = (world.laptop("a"), world.remote());
    a.co(&["init", "--yes", "--name", "Bin", "--remote", &remote]);
    a.co(&["learn", "Prefers tabs"]);
    a.co(&["sync"]);
    let before = a.tree();
    let (dotfiles, bare) = world.code("main");
    fs::write(dotfiles.join("main.c"), "int main = 1;\n").expect("written");
    let place = dotfiles.display().to_string();
    a.fails(3, &["identity", "move", &place]);
    insta::assert_snapshot!(whole(&a.co(&["identity", "move", &place, "--dry-run"])), @"
    [indented]
      copy    7 files → [world]/code/co-identity
      git     committed separately in [world]/code, and pushed to [world]/code.git: anyone who can read that repository can read it
      remote  [world]/remote.git stays with the old folder
      keep    the old folder: ~/.config/co-cli/identity.moved-2026-11-20
              not copied: .git with its history
    ");
    assert_eq!(a.tree(), before);
    a.co(&["identity", "move", &place, "--yes"]);
    assert_eq!(tree(&dotfiles.join("co-identity")), before);
    assert!(!dotfiles.join("co-identity/.git").exists());
    assert!(!a.identity().exists(), "the old folder is set aside");
    let published = committed(&bare);
    assert!(published.contains("co-identity/profile.md"), "{published}");
    assert_eq!(git(bare.as_ref(), &["show", "main:main.c"]), "int main;\n");
    // What was done before can still be taken back by its handle, and everything goes on there.
    insta::assert_snapshot!(whole(&a.fails(5, &["undo"])), @"
    error: the last operation (o2, identity move: ~/.config/co-cli/identity → [world]/code/co-identity) copied the identity into another repository; it cannot be undone
    hint: `co undo o1` undoes the one before: learn: Prefers tabs
    hint: `co identity move DIR` moves it elsewhere; the old folder was kept as ~/.config/co-cli/identity.moved-DATE
    ");
    assert!(a.co(&["list"]).contains("Prefers tabs"), "an older fact stays");
    a.fails(5, &["undo", "--dry-run"]);
    a.co(&["undo", "o1"]);
    assert!(!a.co(&["list"]).contains("Prefers tabs"));
    a.co(&["redo"]);
    a.co(&["learn", "Moved"]);
    a.co(&["sync"]);
    assert!(committed(&bare).contains("moved.md"));
    a.fails(
        2,
        &["identity", "move", &dotfiles.join("co-identity/x").display().to_string(), "--yes"],
    );
}

#[test]
fn a_move_says_what_becomes_of_the_remote() {
    let world = World::at("2026-11-20T12:00:00Z");
    let (a, remote) = (world.laptop("a"), world.path("r.git"));
    git(world.dir.path(), &["init", "-q", "--bare", "r.git"]);
    a.co(&["init", "--yes", "--remote", &remote.display().to_string()]);
    let plain = world.path("plain");
    let plan = a.co(&["identity", "move", "--dry-run", &plain.display().to_string()]);
    insta::assert_snapshot!(whole(&plan), @"
    [indented]
      move    ~/.config/co-cli/identity → [world]/plain (6 files, with its repository and history)
      remote  still [world]/r.git
    ");
    let (folder, _) = world.code("main");
    let plan = a.co(&["identity", "move", "--dry-run", &folder.display().to_string()]);
    insta::assert_snapshot!(whole(&plan), @"
    [indented]
      copy    6 files → [world]/code/co-identity
      git     committed separately in [world]/code, and pushed to [world]/code.git: anyone who can read that repository can read it
      remote  [world]/r.git stays with the old folder
      keep    the old folder: ~/.config/co-cli/identity.moved-2026-11-20
              not copied: .git with its history
    ");
    // Into somebody's identity nothing is moved.
    let other = world.laptop("b");
    other.co(&["init", "--yes"]);
    let into = other.identity().join("mine").display().to_string();
    let refused = a.try_co(&["identity", "move", "--yes", &into]);
    assert_eq!(refused.code, 6, "{}", refused.err);
    insta::assert_snapshot!(whole(&refused.err), @"
    error: [world]/b/.config/co-cli/identity is a separate identity
    hint: name a folder elsewhere
    ");
}

#[test]
fn a_copy_into_dotfiles_names_all_that_stays_behind() {
    let world = World::at("2026-11-20T12:00:00Z");
    let (a, _) = published(&world);
    fs::write(a.identity().join(".swap.swp"), "litter\n").expect("written");
    fs::write(a.identity().join(".co-tmp-left"), "half a file\n").expect("written");
    let dotfiles = a.home.join("dotfiles");
    git(&a.home, &["init", "-q", "-b", "main", "dotfiles"]);
    fs::write(dotfiles.join("rc"), "x\n").expect("written");
    git(&dotfiles, &["add", "-A"]);
    git(&dotfiles, &["commit", "-qm", "1"]);
    let target = dotfiles.display().to_string();
    insta::assert_snapshot!(whole(&a.co(&["identity", "move", "--dry-run", &target])), @"
    [indented]
      copy    8 files → ~/dotfiles/co-identity
      git     committed separately in ~/dotfiles
      remote  [world]/remote.git stays with the old folder
      keep    the old folder: ~/.config/co-cli/identity.moved-2026-11-20
              not copied: .git with its history, .co-tmp-left
    ");
    a.co(&["identity", "move", "--yes", &target]);
    let copied = |name: &str| dotfiles.join("co-identity").join(name).exists();
    assert!(copied(".swap.swp"), "co commits no such file, and who has it keeps it");
    assert!(!copied(".co-tmp-left") && !copied(".git"));
    let log = a.co(&["log"]);
    let line = log.lines().find(|line| line.contains("  moved")).expect("a line");
    let op = line.split_whitespace().find(|word| word.starts_with('o')).expect("a handle");
    insta::assert_snapshot!(whole(&a.fails(5, &["undo", op])), @"
    error: o2, identity move: ~/.config/co-cli/identity → ~/dotfiles/co-identity copied the identity into another repository; it cannot be undone
    hint: `co identity move DIR` moves it elsewhere; the old folder was kept as ~/.config/co-cli/identity.moved-DATE
    ");
}

/// A repository with one committed file, and rules.
fn dotfiles(a: &Laptop, rules: &str) -> PathBuf {
    let folder = a.home.join("dotfiles");
    git(&a.home, &["init", "-q", "-b", "main", "dotfiles"]);
    fs::write(folder.join(".bashrc"), "x\n").expect("written");
    git(&folder, &["add", "-A"]);
    git(&folder, &["commit", "-qm", "1"]);
    fs::write(folder.join(".gitignore"), rules).expect("written");
    folder
}

#[test]
fn in_a_repository_that_ignores_the_folder_it_stays_one_of_its_own() {
    for rules in ["*\n", "/co-identity\n", "co-identity/\n", "**/co-identity\n", "*\n!.bashrc\n"] {
        let world = World::new();
        let (a, remote) = published(&world);
        let folder = dotfiles(&a, rules);
        let target = folder.display().to_string();
        let plan = a.co(&["identity", "move", "--dry-run", &target]);
        assert!(plan.contains("repository of its own"), "{rules}: {plan}");
        let said = moved(&a, &folder);
        assert_eq!(said.matches("so it keeps a repository of its own").count(), 1, "{said}");
        assert!(said.contains("~/dotfiles ignores it (~/dotfiles/.gitignore:1)"), "{said}");
        assert!(folder.join("co-identity/.git").is_dir(), "{rules}");
        syncs(&a, &remote, "From an ignored folder");
        assert_eq!(a.try_co(&["status"]).code, 0);
        assert!(!git(&folder, &["status", "--porcelain"]).contains("co-identity"), "{rules}");
    }
}

#[test]
fn rules_outside_the_work_tree_count_as_well() {
    let world = World::new();
    let (a, remote) = published(&world);
    let folder = dotfiles(&a, "");
    fs::write(folder.join(".git/info/exclude"), "# mine\n*\n").expect("written");
    let said = moved(&a, &folder);
    assert!(said.contains("exclude:2), so it keeps a repository of its own"), "{said}");
    assert!(folder.join("co-identity/.git").is_dir());
    syncs(&a, &remote, "Excluded for this clone");
    let world = World::new();
    let (a, remote) = published(&world);
    let folder = dotfiles(&a, "");
    fs::write(a.home.join("ignore"), "co-identity\n").expect("written");
    fs::write(a.home.join(".gitconfig"), "[core]\n\texcludesFile = ~/ignore\n").expect("written");
    let said = moved(&a, &folder);
    assert!(said.contains("ignore:1), so it keeps a repository of its own"), "{said}");
    assert!(folder.join("co-identity/.git").is_dir());
    syncs(&a, &remote, "Excluded for this person");
}

#[test]
fn what_is_tracked_is_not_ignored() {
    let world = World::new();
    let a = world.laptop("a");
    let folder = dotfiles(&a, "*\n");
    git(&folder, &["add", "-f", ".gitignore"]);
    let place = folder.join("co");
    fs::create_dir_all(place.join("knowledge/memories")).expect("a folder");
    let profile =
        "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n# Profile\n\n- Name: Bin\n";
    fs::write(place.join("profile.md"), profile).expect("written");
    git(&folder, &["add", "-f", "co/profile.md"]);
    git(&folder, &["commit", "-qm", "mine"]);
    a.co(&["init", "--yes", &place.display().to_string()]);
    assert!(!place.join(".git").exists(), "no repository inside another that has its files");
    a.co(&["learn", "Prefers tabs"]);
    a.co(&["sync"]);
    let committed = git(&folder, &["ls-tree", "-r", "--name-only", "HEAD"]);
    assert!(committed.contains("co/knowledge/memories/"), "{committed}");
}

#[test]
fn a_copy_that_no_repository_would_have_is_refused() {
    let world = World::new();
    let (a, _) = published(&world);
    let kept = a.home.join("kept");
    git(&a.home, &["init", "-q", "-b", "main", "kept"]);
    git(&kept, &["commit", "-q", "--allow-empty", "-m", "1"]);
    moved(&a, &kept.join("identity"));
    let before = fs::read_to_string(a.config().join("settings.json")).expect("there");
    let folder = dotfiles(&a, "# mine\n*\n");
    for below in ["co-identity", "config/co"] {
        let said =
            a.fails(6, &["identity", "move", "--yes", &folder.join(below).display().to_string()]);
        assert!(said.contains(".gitignore:2 (`*`)"), "{said}");
        assert!(said.contains(&format!("`!/{below}/**`")), "{said}");
    }
    assert_eq!(fs::read_to_string(a.config().join("settings.json")).expect("there"), before);
    a.co(&["sync"]);
    // The rules that the hint names are enough.
    let rules = "*\n!/co-identity/\n!/co-identity/**\n";
    fs::write(folder.join(".gitignore"), rules).expect("written");
    moved(&a, &folder.join("co-identity"));
    a.co(&["learn", "Let through"]);
    a.co(&["sync"]);
    let committed = git(&folder, &["ls-tree", "-r", "--name-only", "HEAD"]);
    assert!(committed.contains("co-identity/knowledge/memories/"), "{committed}");
}

#[test]
fn the_named_rules_let_through_the_identity_and_nothing_beside_it() {
    let place = ".config/co-cli/identity";
    // The rules, where they are, and a file that git saw before.
    for (rules, at, seen) in [
        ("/.config/\n", ".gitignore", ".bashrc.d/a"),
        (".config\n", ".gitignore", ".bashrc.d/a"),
        ("*\n!.gitignore\n", ".gitignore", ".gitignore"),
        ("*\n!/.bashrc.d/\n!/.bashrc.d/**\n", ".gitignore", ".bashrc.d/a"),
        ("/.config/*\n!/.config/nvim/\n", ".gitignore", ".config/nvim/init.lua"),
        ("/.config/co-cli/\n", ".gitignore", ".config/gh/hosts.yml"),
        ("*\n!.gitignore\n!/nvim/\n!/nvim/**\n", ".config/.gitignore", ".config/nvim/init.lua"),
        ("identity/\n", ".config/co-cli/.gitignore", ".config/co-cli/settings.json"),
    ] {
        let world = World::new();
        let (a, _) = published(&world);
        let kept = a.home.join("kept");
        git(&a.home, &["init", "-q", "-b", "main", "kept"]);
        git(&kept, &["commit", "-q", "--allow-empty", "-m", "1"]);
        moved(&a, &kept.join("identity"));
        let folder = dotfiles(&a, "");
        let neighbours = [
            ".bashrc.d/a",
            ".config/gh/hosts.yml",
            ".config/nvim/init.lua",
            ".config/co-cli/settings.json",
            ".config/co-cli/keys/token",
        ];
        let write = |name: &str, text: &str| {
            put(&folder.join(name), text);
        };
        neighbours.iter().for_each(|name| write(name, "x\n"));
        write(at, rules);
        let others = || {
            let list = git(&folder, &["ls-files", "--others", "--exclude-standard"]);
            list.lines().map(str::to_owned).collect::<Vec<_>>()
        };
        let before = others();
        assert!(before.iter().any(|name| name == seen), "{rules}: {before:?}");
        let target = folder.join(place);
        let said = a.fails(6, &["identity", "move", "--yes", &target.display().to_string()]);
        let (_, hint) = said.split_once("hint:").expect("a hint");
        let named = hint.split('`').skip(1).step_by(2).map(|rule| format!("{rule}\n"));
        write(at, &format!("{rules}{}", named.collect::<String>()));
        assert_eq!(others(), before, "{rules}: {hint}");
        let own = ["profile.md", "knowledge/memories/0001.md", "knowledge/context.md"];
        own.iter().for_each(|name| write(&format!("{place}/{name}"), "x\n"));
        let mut after: Vec<String> = own.iter().map(|name| format!("{place}/{name}")).collect();
        after.extend(before);
        after.sort();
        let mut all = others();
        all.sort();
        assert_eq!(all, after, "{rules}: {hint}");
    }
}

#[test]
fn init_in_an_ignored_folder_makes_one_that_syncs() {
    let world = World::new();
    let (a, remote) = (world.laptop("a"), world.remote());
    let folder = dotfiles(&a, "*\n");
    let place = folder.join("mine");
    fs::create_dir_all(&place).expect("a folder");
    a.co(&["init", "--yes", &place.display().to_string(), "--remote", &remote]);
    syncs(&a, &remote, "From an ignored folder");
    // Without it, the reason is named.
    fs::remove_dir_all(place.join(".git")).expect("removed");
    let said = a.fails(4, &["sync"]);
    assert!(said.contains(".gitignore:1 (`*`)") && said.contains("co init"), "{said}");
}

#[test]
fn who_leaves_a_repository_hears_what_stays_to_be_committed_there() {
    for target in ["out", "notes/me", "dotfiles/other"] {
        let world = World::new();
        let a = world.laptop("a");
        a.co(&["init", "--yes"]);
        a.co(&["learn", "Prefers tabs"]);
        let folder = dotfiles(&a, "");
        moved(&a, &folder);
        let commits = git(&folder, &["rev-list", "--count", "HEAD"]);
        let target = a.home.join(target).display().to_string();
        let plan = a.co(&["identity", "move", "--dry-run", &target]);
        let said = a.co(&["identity", "move", "--yes", &target]);
        for words in [plan, said].map(|said| said.split_whitespace().collect::<Vec<_>>().join(" "))
        {
            assert!(words.contains("~/dotfiles still has the old files"), "{words}");
            assert!(words.contains("co-identity.moved-"), "{words}");
        }
        if !target.contains("dotfiles") {
            assert_eq!(git(&folder, &["rev-list", "--count", "HEAD"]), commits, "as before");
        }
    }
    // Out of a folder that is in no other repository.
    let world = World::new();
    let (a, _) = published(&world);
    let folder = dotfiles(&a, "");
    assert!(!moved(&a, &folder).contains("still has the old files"));
}
