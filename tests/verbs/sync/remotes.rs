//! Remotes that lost a branch or everything, work trees that others push into, clones that lack
//! objects, and an identity that is named as its own remote.
//!
//! Invariant: co guesses no branch and makes no second one, takes nothing for removed that nobody
//! removed, and says what happened to the remote.

use crate::support::{
    Laptop, World, git,
    pair::{assert_agree, pair},
    ready::bare,
    whole::whole,
};
use std::{fs, path::Path};

fn heads(remote: &Path) -> Vec<String> {
    let heads = git(remote, &["for-each-ref", "--format=%(refname:short)", "refs/heads"]);
    heads.lines().map(str::to_owned).collect()
}

fn upstream(laptop: &Laptop) -> String {
    laptop.git(&["rev-parse", "--abbrev-ref", "main@{upstream}"]).trim().to_owned()
}

#[test]
fn a_deleted_branch_is_not_exchanged_for_another_one() {
    let world = World::new();
    let (a, b) = pair(&world);
    git(&bare(&world), &["branch", "-m", "main", "backup-2025"]);
    // What is deleted on a server stays the branch that its HEAD names.
    git(&bare(&world), &["symbolic-ref", "HEAD", "refs/heads/main"]);
    let backup = git(&bare(&world), &["rev-parse", "backup-2025"]);
    a.co(&["learn", "After the deletion"]);
    for laptop in [&a, &b, &a] {
        let err = laptop.fails(7, &["sync"]);
        assert!(err.contains("backup-2025"), "{err}");
        let configured = laptop.git(&["config", "branch.main.merge"]);
        assert_eq!(configured.trim(), "refs/heads/main");
    }
    assert_eq!(heads(&bare(&world)), ["backup-2025"]);
    assert_eq!(git(&bare(&world), &["rev-parse", "backup-2025"]), backup);
    assert!(a.git(&["log", "-1", "--format=%s"]).contains("learned 1"), "committed all the same");
    // A person says which one it is, and nothing is in the way any more.
    a.git(&["push", "-q", "origin", "main"]);
    for laptop in [&a, &b] {
        laptop.co(&["sync"]);
    }
    assert_agree(&[&a, &b]);
    assert!(b.facts().contains(&"After the deletion".to_owned()));
    assert_eq!(upstream(&a), "origin/main");
}

#[test]
fn a_branch_that_the_remote_renamed_is_followed() {
    let world = World::new();
    let (a, b) = pair(&world);
    // `backup` would be first by name; the remote's HEAD says which one is meant.
    git(&bare(&world), &["branch", "backup"]);
    git(&bare(&world), &["branch", "-m", "main", "trunk"]);
    a.co(&["learn", "After the renaming"]);
    for laptop in [&a, &b] {
        laptop.co(&["sync"]);
    }
    assert_agree(&[&a, &b]);
    assert!(b.facts().contains(&"After the renaming".to_owned()));
    assert_eq!(heads(&bare(&world)), ["backup", "trunk"]);
    assert_eq!(upstream(&a), "origin/trunk");
}

/// Whatever was new on the laptop and on the remote when the name changed.
#[test]
fn what_was_published_is_not_learned_again_when_the_branch_gets_another_name() {
    for (is_new_here, is_new_there) in [(true, true), (true, false), (false, true), (false, false)]
    {
        let world = World::new();
        let (a, b) = pair(&world);
        git(&bare(&world), &["branch", "-m", "main", "trunk"]);
        if is_new_there {
            b.co(&["learn", "From the other laptop"]);
            b.co(&["sync"]);
        }
        if is_new_here {
            a.co(&["learn", "From this laptop"]);
        }
        let said = a.json(&["sync"])["data"].clone();
        let learned = |side: &str| -> Vec<String> {
            let facts = said[side]["learned"].as_array().cloned().unwrap_or_default();
            facts.iter().map(|fact| fact["summary"].as_str().unwrap_or("").to_owned()).collect()
        };
        let here = if is_new_here { vec!["From this laptop"] } else { Vec::new() };
        let there = if is_new_there { vec!["From the other laptop"] } else { Vec::new() };
        assert_eq!(learned("here"), here, "{said}");
        assert_eq!(learned("there"), there, "{said}");
        assert!(!said["warnings"].to_string().contains("rewritten"), "{said}");
        b.co(&["sync"]);
        assert_agree(&[&a, &b]);
        assert_eq!(upstream(&a), "origin/trunk");
    }
}

#[test]
fn a_branch_without_upstream_is_not_published_beside_others() {
    let world = World::new();
    let (a, b) = pair(&world);
    git(&bare(&world), &["branch", "backup"]);
    a.git(&["checkout", "-q", "-b", "lonely", "--no-track"]);
    a.co(&["learn", "On a branch of its own"]);
    // Nothing names a branch: that of the remote's HEAD is meant, and no other is made.
    for laptop in [&a, &b] {
        laptop.co(&["sync"]);
    }
    assert_agree(&[&a, &b]);
    assert!(b.facts().contains(&"On a branch of its own".to_owned()));
    assert_eq!(heads(&bare(&world)), ["backup", "main"]);
    // Where that is gone, or never said, a person says which.
    git(&bare(&world), &["symbolic-ref", "HEAD", "refs/heads/nowhere"]);
    a.git(&["checkout", "-q", "-b", "another", "--no-track"]);
    a.co(&["learn", "On another branch"]);
    insta::assert_snapshot!(whole(&a.fails(7, &["sync"])), @"
    error: origin has no branch another; it has backup, main
    hint: `git branch --set-upstream-to origin/backup` in the identity's repository, or `sync.branch` in settings.json, sets which one to sync with
    hint: `git push` by hand creates a new one there, if that is what you want
    ");
    assert_eq!(heads(&bare(&world)), ["backup", "main"]);
}

#[test]
fn the_first_branch_of_an_empty_remote_has_the_name_it_has_here() {
    let world = World::new();
    let (remote, a) = (world.remote(), world.laptop("a"));
    a.co(&["init", "--yes"]);
    a.git(&["checkout", "-q", "-b", "lonely"]);
    a.co(&["identity", "remote", &remote]);
    a.co(&["learn", "First of all"]);
    a.co(&["sync", "--require-remote"]);
    assert_eq!(heads(&bare(&world)), ["lonely"]);
}

/// Pushes a new and a changed fact of `b` into the live identity of `a`, whose files stay as they
/// were.
fn push_into(a: &Laptop, b: &Laptop) {
    a.git(&["config", "receive.denyCurrentBranch", "ignore"]);
    b.co(&["memory", "edit", "1", "I prefer threads"]);
    b.co(&["learn", "From b"]);
    b.co(&["sync"]);
    b.git(&["push", "-q", &a.identity().display().to_string(), "main"]);
    assert!(!a.texts().contains("From b"), "only the branch moved");
}

fn pushed_facts(others: [&str; 2]) -> Vec<String> {
    ["From b", "I prefer threads"].into_iter().chain(others).map(str::to_owned).collect()
}

#[test]
fn a_push_into_a_live_identity_is_checked_out() {
    let world = World::new();
    let (a, b) = pair(&world);
    push_into(&a, &b);
    let pushed = a.git(&["rev-parse", "HEAD"]);
    let report = a.co(&["sync"]);
    assert!(report.contains("From b") && !report.contains("forgotten"), "{report}");
    assert_eq!(a.facts(), pushed_facts(["Prefers tabs", "Uses SQLAlchemy"]));
    assert_eq!(a.git(&["rev-parse", "HEAD"]), pushed, "there was nothing to commit");
    assert_agree(&[&a, &b]);
}

#[test]
fn who_looks_at_a_live_identity_after_a_push_is_not_told_that_facts_go() {
    let world = World::new();
    let (a, b) = pair(&world);
    push_into(&a, &b);
    let (diff, status) = (a.co(&["diff"]), a.co(&["status"]));
    assert!(!diff.contains("Forgotten") && status.contains("0 files to commit"), "{diff}{status}");
}

#[test]
fn commits_that_a_person_takes_back_take_no_fact_along() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.git(&["remote", "set-url", "origin", "http://127.0.0.1:9/remote.git"]);
    a.co(&["learn", "Committed here only"]);
    a.co(&["sync"]);
    // The branch moves, and the files are what co wrote last: here nobody pushed.
    a.git(&["reset", "-q", "--soft", "origin/main"]);
    a.git(&["remote", "set-url", "origin", &bare(&world).display().to_string()]);
    for laptop in [&a, &b] {
        laptop.co(&["sync"]);
    }
    assert_agree(&[&a, &b]);
    assert!(b.facts().contains(&"Committed here only".to_owned()));
}

#[test]
fn a_push_into_a_live_identity_and_what_its_person_did_there_both_count() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.co(&["learn", "Saved meanwhile"]);
    push_into(&a, &b);
    a.edit(&a.file_of("Uses SQLAlchemy"), "SQLAlchemy", "SQLAlchemy 2");
    fs::remove_file(a.identity().join(a.file_of("Prefers tabs"))).expect("removed");
    let report = a.co(&["sync"]);
    let gone = report.lines().find(|line| line.contains("forgotten")).unwrap_or_default();
    assert!(gone.contains("Prefers tabs"), "what a commit forgets is named: {report}");
    assert_eq!(report.matches("forgotten").count(), 1, "{report}");
    b.co(&["sync"]);
    a.co(&["sync"]);
    assert_agree(&[&a, &b]);
    assert_eq!(a.facts(), pushed_facts(["Saved meanwhile", "Uses SQLAlchemy 2"]));
}

#[test]
fn a_wiped_remote_is_filled_again_and_said_to_have_been_empty() {
    let mut told = Vec::new();
    for learns in [false, true] {
        let world = World::new();
        let (a, b) = pair(&world);
        fs::remove_dir_all(bare(&world)).expect("removed");
        world.remote();
        if learns {
            a.co(&["learn", "Learned meanwhile"]);
        }
        let said = a.try_co(&["sync"]);
        assert_eq!(said.code, 0, "{}", said.err);
        told.push(whole(&format!("{}{}", said.out, said.err)));
        b.co(&["sync"]);
        assert_agree(&[&a, &b]);
        assert_eq!(b.facts().len(), 3 + usize::from(learns));
        // It is said once, and the first publication of an identity is no such thing.
        assert!(!a.try_co(&["sync"]).err.contains("empty"));
    }
    insta::assert_snapshot!(told.join("\n"), @"
    Synced with origin ([world]/remote.git).
    3 facts.
    warning: origin was empty, although it had your facts at the last sync: someone recreated or wiped it; everything here was pushed to it again
    Synced with origin ([world]/remote.git).
      learned here    + 4    Learned meanwhile
    4 facts.
    warning: origin was empty, although it had your facts at the last sync: someone recreated or wiped it; everything here was pushed to it again
    ");
    let world = World::new();
    let first = world.laptop("a").try_co(&["init", "--yes", "--remote", &world.remote()]);
    assert!(first.code == 0 && !first.err.contains("empty"), "{}", first.err);
}

#[test]
fn an_identity_is_not_its_own_remote() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", "Never left this laptop"]);
    let own = a.identity().display().to_string();
    let linked = world.path("link");
    std::os::unix::fs::symlink(a.identity(), &linked).expect("linked");
    let places = [
        own.clone(),
        format!("{own}/.git"),
        format!("file://{own}"),
        format!("file://{own}/.git"),
        format!("file://{}", linked.display()),
    ];
    for place in &places {
        let err = a.fails(2, &["identity", "remote", place]);
        assert!(err.contains("is the identity itself"), "{place}: {err}");
    }
    assert_eq!(a.try_co(&["identity", "remote"]).code, 5, "none was remembered");
    // Named behind co's back it publishes nothing, and nobody is told that it did.
    a.git(&["remote", "add", "origin", &own]);
    for place in &places {
        a.git(&["remote", "set-url", "origin", place]);
        let said = a.try_co(&["sync"]);
        assert!(
            said.code != 0 && said.err.contains("is the identity itself"),
            "{place}: {}{}",
            said.out,
            said.err
        );
        let status = a.co(&["status"]);
        assert!(!status.contains("and pushed"), "{place}: {status}");
    }
    let b = world.laptop("b");
    let own = format!("file://{}", b.identity().display());
    let said = b.try_co(&["init", "--yes", "--remote", &own]);
    assert!(said.code != 0 && !said.out.contains("pushed"), "{}{}", said.out, said.err);
}

#[test]
fn a_clone_without_trees_fetches_them_or_says_how() {
    for filter in ["tree:0", "blob:none"] {
        let world = World::new();
        let (a, _) = pair(&world);
        git(&bare(&world), &["config", "uploadpack.allowFilter", "true"]);
        git(&bare(&world), &["config", "uploadpack.allowAnySHA1InWant", "true"]);
        let c = world.laptop("c");
        let (url, folder) = (format!("file://{}", bare(&world).display()), c.identity());
        let folder = folder.display().to_string();
        let filtered = format!("--filter={filter}");
        git(world.dir.path(), &["clone", "-q", &filtered, &url, &folder]);
        c.co(&["learn", "From the clone"]);
        c.co(&["sync"]);
        a.co(&["learn", "From a"]);
        a.co(&["sync"]);
        let said = c.try_co(&["sync"]);
        match said.code {
            0 => assert!(c.facts().contains(&"From a".to_owned()), "{filter}: {}", said.out),
            7 | 8 => assert!(said.err.contains("`git "), "{filter}: {}", said.err),
            _ => panic!("{filter}: {} {}", said.code, said.err),
        }
        let looks = [&["diff", "HEAD~2"][..], &["log"], &["undo", "--dry-run"], &["status"]];
        for look in looks {
            let said = c.try_co(look);
            assert_ne!(said.code, 10, "{filter} {look:?}: {}", said.err);
        }
    }
}

#[test]
fn what_was_pushed_here_is_merged_with_what_a_person_edited() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.git(&["config", "receive.denyCurrentBranch", "ignore"]);
    b.edit("profile.md", "# Profile", "# Profile\n\n- Editor: neovim");
    b.co(&["sync"]);
    b.git(&["push", "-q", &a.identity().display().to_string(), "main"]);
    a.edit("profile.md", "- Timezone: America/Los_Angeles", "- Timezone: Europe/Berlin");
    for laptop in [&a, &b, &a] {
        laptop.co(&["sync"]);
    }
    assert_agree(&[&a, &b]);
    let profile = b.read("profile.md");
    assert!(profile.contains("- Editor: neovim") && profile.contains("Europe/Berlin"), "{profile}");
}

#[test]
fn a_version_that_a_person_stages_again_is_not_taken_for_a_push() {
    let world = World::new();
    let (a, _) = pair(&world);
    a.edit("profile.md", "- Timezone: America/Los_Angeles", "- Timezone: Europe/Berlin");
    a.git(&["commit", "-q", "-a", "-m", "Moved"]);
    a.git(&["checkout", "-q", "HEAD~1", "--", "profile.md"]);
    a.co(&["status"]);
    assert!(a.read("profile.md").contains("America/Los_Angeles"));
}

#[test]
fn a_branch_that_only_has_the_same_name_is_no_upstream() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.git(&["push", "-q", "origin", "main:dev"]);
    a.git(&["fetch", "-q"]);
    a.git(&["checkout", "-q", "-b", "dev", "--no-track", "origin/dev"]);
    a.co(&["learn", "On a branch of the same name"]);
    for laptop in [&a, &b] {
        laptop.co(&["sync"]);
    }
    assert!(b.facts().contains(&"On a branch of the same name".to_owned()));
}

#[test]
fn a_branch_of_the_settings_that_is_not_there_is_asked_for() {
    let world = World::new();
    let (a, _) = pair(&world);
    a.git(&["config", "--unset", "branch.main.merge"]);
    let settings = a.config().join("settings.json");
    let text = fs::read_to_string(&settings).unwrap_or_else(|_| "{}".into());
    let mut values: serde_json::Value = serde_json::from_str(&text).expect("settings");
    values["sync"]["branch"] = "laptop".into();
    fs::write(&settings, values.to_string()).expect("written");
    a.co(&["learn", "For a branch that is not there"]);
    let said = a.fails(7, &["sync"]);
    assert!(said.contains("laptop") && said.contains("main"), "{said}");
}

#[test]
fn a_message_in_cos_own_form_is_looked_at_as_well() {
    let world = World::new();
    let (a, _) = pair(&world);
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    a.git(&["commit", "-q", "--allow-empty", "-m", &format!("identity: token {token}")]);
    let said = a.fails(7, &["sync"]);
    assert!(said.contains("message of commit") && !said.contains(&token), "{said}");
}

#[test]
fn a_relative_url_is_read_from_the_root_of_the_work_tree() {
    let world = World::new();
    let (a, b) = (world.laptop("a"), world.laptop("b"));
    let remote = world.remote();
    a.co(&["init", "--yes"]);
    let depth = a.identity().strip_prefix(world.path("")).expect("inside").components().count();
    let name = remote.rsplit('/').next().expect("a name");
    a.git(&["remote", "add", "origin", &format!("{}{name}", "../".repeat(depth))]);
    let folders = [a.home.clone(), a.identity(), a.identity().join("knowledge"), world.path("")];
    for (at, folder) in folders.iter().enumerate() {
        a.co(&["learn", &format!("Learned in folder {at}")]);
        for arguments in [&["sync", "--require-remote"][..], &["doctor"], &["diff", "origin"]] {
            let said = a.command(arguments).current_dir(folder).output().expect("started");
            let text =
                String::from_utf8_lossy(&said.stdout) + String::from_utf8_lossy(&said.stderr);
            assert!(said.status.success(), "{arguments:?} in {}: {text}", folder.display());
            assert!(!text.contains("no such repository"), "{text}");
        }
    }
    b.co(&["init", "--yes", &remote]);
    b.co(&["learn", "From b"]);
    b.co(&["sync"]);
    a.command(&["sync"]).current_dir(world.path("")).output().expect("started");
    assert_eq!(a.facts(), b.facts());
}

/// Runs co in a folder, whatever it comes to; all that it says.
fn said_in(a: &Laptop, folder: &Path, arguments: &[&str]) -> String {
    let said = a.command(arguments).current_dir(folder).output().expect("started");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&said.stdout) + &text(&said.stderr)
}

#[test]
fn a_remote_typed_relative_to_a_folder_is_the_same_from_all_others() {
    for exists in [true, false] {
        for (folder, typed) in [
            ("work", "../later.git"),
            ("work/deep", "../../later.git"),
            ("", "./later.git"),
            ("", "work/../later.git"),
            ("a", "../later.git"),
        ] {
            let world = World::new();
            let a = world.laptop("a");
            fs::create_dir_all(world.path("work/deep")).expect("folders");
            let make =
                || git(&world.path(""), &["init", "-q", "--bare", "-b", "main", "later.git"]);
            if exists {
                make();
            }
            a.co(&["init", "--yes"]);
            let set = ["identity", "remote", typed];
            let said = said_in(&a, &world.path(folder), &set);
            let wanted = fs::canonicalize(world.path("")).expect("there").join("later.git");
            let url = a.git(&["config", "remote.origin.url"]);
            assert_eq!(url.trim(), wanted.display().to_string(), "{typed}: {said}");
            assert!(said.contains(&format!("The remote is {}.", wanted.display())), "{said}");
            if !exists {
                make();
            }
            for (at, other) in ["", "work", "a/.config/co-cli/identity"].iter().enumerate() {
                a.co(&["learn", &format!("Learned {at}")]);
                let said = said_in(&a, &world.path(other), &["sync", "--require-remote"]);
                assert!(said.contains("Synced with origin"), "{other}: {said}");
            }
        }
    }
}

#[test]
fn init_takes_a_relative_remote_that_is_made_later() {
    for (folder, typed) in [("work", "../later.git"), ("", "./later.git"), ("a", "../later.git")] {
        let world = World::new();
        let (a, b) = (world.laptop("a"), world.laptop("b"));
        fs::create_dir_all(world.path("work")).expect("a folder");
        let said = said_in(&a, &world.path(folder), &["init", "--yes", "--remote", typed]);
        let wanted = fs::canonicalize(world.path("")).expect("there").join("later.git");
        assert!(said.contains(&format!("co init {}", wanted.display())), "{said}");
        git(&world.path(""), &["init", "-q", "--bare", "-b", "main", "later.git"]);
        a.co(&["learn", "From the first laptop"]);
        a.co(&["sync", "--require-remote"]);
        said_in(&b, &world.path(folder), &["init", "--yes", typed]);
        b.co(&["sync", "--require-remote"]);
        assert_eq!(a.facts(), b.facts());
        // The same remote again is no second one.
        let said = said_in(&a, &world.path(folder), &["init", "--yes", "--remote", typed]);
        assert!(said.contains("is ready"), "{said}");
    }
}

#[test]
fn an_abbreviation_of_git_is_no_path() {
    let world = World::new();
    let (remote, a) = (world.remote(), world.laptop("a"));
    let parent = remote.trim_end_matches("remote.git");
    let config = format!("[url \"{parent}\"]\n\tinsteadOf = mine/\n");
    fs::write(a.home.join(".gitconfig"), config).expect("written");
    a.co(&["init", "--yes"]);
    a.co(&["identity", "remote", "mine/remote.git"]);
    assert_eq!(a.git(&["config", "remote.origin.url"]).trim(), "mine/remote.git");
    a.co(&["sync", "--require-remote"]);
    a.co(&["init", "--yes", "--remote", "mine/remote.git"]);
}

#[test]
fn a_relative_push_url_is_read_from_the_root_of_the_work_tree() {
    for folder in
        ["", "work", "a", "a/.config/co-cli/identity", "a/.config/co-cli/identity/knowledge"]
    {
        // The first push looks at where it leads.
        let world = World::new();
        let a = world.laptop("a");
        world.remote();
        fs::create_dir_all(world.path("work")).expect("a folder");
        a.co(&["init", "--yes"]);
        a.git(&["remote", "add", "origin", &world.path("remote.git").display().to_string()]);
        a.git(&["config", "remote.origin.pushurl", "../../../../remote.git"]);
        a.co(&["learn", "Goes out"]);
        let said = said_in(&a, &world.path(folder), &["sync", "--require-remote"]);
        assert!(said.contains("Synced with origin"), "{folder}: {said}");
        assert_eq!(heads(&bare(&world)), ["main"], "{folder}: {said}");
    }
    for folder in ["", "work", "a", "a/.config/co-cli/identity"] {
        // Somebody else's identity there is found from everywhere, too.
        let world = World::new();
        let (a, other) = (world.laptop("a"), world.laptop("other"));
        world.remote();
        fs::create_dir_all(world.path("work")).expect("a folder");
        git(&world.path(""), &["init", "-q", "--bare", "-b", "main", "theirs.git"]);
        let theirs = world.path("theirs.git").display().to_string();
        other.co(&["init", "--yes", "--name", "Ann", "--remote", &theirs]);
        a.co(&["init", "--yes"]);
        a.git(&["remote", "add", "origin", "../../../../remote.git"]);
        a.git(&["config", "remote.origin.pushurl", "../../../../theirs.git"]);
        let said = said_in(&a, &world.path(folder), &["sync", "--require-remote"]);
        assert!(said.contains("which contains something else"), "{folder}: {said}");
    }
}

/// Makes a place for pushes that does not match the remote; its name.
fn place(world: &World, what: &str) -> String {
    let path = world.path(what);
    let (root, remote) = (world.path(""), bare(world).display().to_string());
    let new = |options: &[&str]| git(&root, &[&["init", "-q", "-b", "main"], options].concat());
    match what {
        "empty" => {
            new(&["--bare", what]);
        }
        "older" => {
            git(&root, &["clone", "-q", "--bare", &remote, what]);
            git(&path, &["update-ref", "refs/heads/main", "refs/heads/main~1"]);
        }
        "identity" => {
            new(&["--bare", what]);
            let ann = world.laptop("ann");
            ann.co(&["init", "--yes", "--name", "Ann", "--remote", &path.display().to_string()]);
        }
        _ => {
            if what == "newer" {
                git(&root, &["clone", "-q", &remote, "work"]);
            } else {
                new(&["work"]);
            }
            let work = world.path("work");
            fs::write(work.join("main.py"), "pass\n").expect("written");
            git(&work, &["add", "main.py"]);
            git(&work, &["commit", "-q", "-m", "code"]);
            git(&root, &["clone", "-q", "--bare", "work", what]);
        }
    }
    path.display().to_string()
}

#[test]
fn a_place_for_pushes_that_does_not_match_is_named() {
    let mut told = Vec::new();
    for what in ["empty", "older", "identity", "newer", "code"] {
        for key in ["remote.origin.pushurl", "url.PLACE.pushInsteadOf"] {
            let world = World::new();
            let (a, _) = pair(&world);
            a.co(&["sync"]);
            let place = place(&world, what);
            let remote = a.git(&["config", "remote.origin.url"]);
            let value = if key.contains("PLACE") { remote.trim() } else { &place };
            let key = key.replace("PLACE", &place);
            a.git(&["config", &key, value]);
            a.co(&["learn", "Learned with two addresses"]);
            for _ in 0..2 {
                let said = a.fails(8, &["sync"]);
                told.push(whole(&said.replace(&place, "PLACE")));
                let is_unset = said.contains("--unset-all remote.origin.pushurl");
                assert_eq!(is_unset, key.contains("pushurl"), "{what}: {said}");
            }
            a.git(&["config", "--unset-all", &key]);
            a.co(&["sync"]);
        }
    }
    // The same for each place, and each time.
    told.sort_unstable();
    told.dedup();
    insta::assert_snapshot!(told.join("\n"), @"
    error: git pushes to PLACE, which does not match origin; your facts are committed on this laptop
    hint: `git remote -v` in the identity's folder shows both addresses, which have to lead to the same repository
    hint: `git config --show-origin --get-regexp 'insteadof|remote'` there names the setting to change; then run `co sync` again
    error: git pushes to PLACE, which does not match origin; your facts are committed on this laptop
    hint: `git remote -v` in the identity's folder shows both addresses, which have to lead to the same repository
    hint: `git config --unset-all remote.origin.pushurl` there makes git push to origin itself; if another file sets it, `git config --show-origin --get-all remote.origin.pushurl` names that file; then run `co sync` again
    ");
}

#[test]
fn one_of_several_places_for_pushes_that_does_not_match_is_among_the_named() {
    for what in ["newer", "code"] {
        let world = World::new();
        let (a, _) = pair(&world);
        a.co(&["sync"]);
        let place = place(&world, what);
        let remote = a.git(&["config", "remote.origin.url"]).trim().to_owned();
        for url in [&place, &remote] {
            a.git(&["config", "--add", "remote.origin.pushurl", url]);
        }
        a.co(&["learn", "Learned with two addresses"]);
        let said = a.try_co(&["sync"]);
        assert!(said.code != 0 && said.err.contains(&place), "{what}: {}", said.err);
    }
}

#[test]
fn a_place_for_pushes_that_is_not_there_is_named_and_not_the_remote() {
    let world = World::new();
    let (a, _) = pair(&world);
    a.co(&["sync"]);
    let place = world.path("nowhere.git").display().to_string();
    a.git(&["config", "remote.origin.pushurl", &place]);
    a.co(&["learn", "Learned with two addresses"]);
    let said = a.fails(8, &["sync"]);
    assert!(said.contains(&format!("{place} has no such repository")), "{said}");
}
