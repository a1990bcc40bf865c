//! A sealed remote: what is there nobody reads without a key; laptops join, sync and leave; what
//! the host loses or changes is noticed.

use crate::support::{
    World, git, objects_contain,
    pair::{assert_agree, sync},
    report_skipped, require_tool,
    sealed::{Own, empty, joined, sealed, tip},
    terminal,
    whole::whole,
};
use std::{fs, path::Path, process::Command};

#[test]
fn two_laptops_share_what_nobody_else_can_read() {
    let world = World::new();
    let Some((a, url, key)) = sealed(&world) else { return };
    let Some(b) = joined(&world, "borg", &url, &key) else { return };
    let (a, b) = (&a.laptop, &b.laptop);
    sync(&[a, b]);
    assert_agree(&[a, b]);
    a.co(&["learn", "Writes Rust in the evening", "--tag", "languages"]);
    b.co(&["learn", "Plays the violoncello"]);
    a.co(&["knowledge", "write", "people/sarah", "Sarah leads the platform team"]);
    sync(&[a, b, a]);
    assert_agree(&[a, b]);
    let facts = a.facts();
    for fact in ["Writes Rust in the evening", "Plays the violoncello", "Lives in Seattle"] {
        assert!(facts.iter().any(|known| known == fact), "{facts:?}");
    }
    for clear in [
        "Prefers spac",
        "s with fly.i",
        "ves in Seatt",
        "n the evenin",
        "violoncello",
        "platform tea",
        "Europe/Berli",
        "profile.md",
        "knowledge/",
        "identity: ",
        "Bin Chen",
        "atlas",
        "borg",
        "languages",
    ] {
        assert!(!objects_contain(Path::new(&url), clear), "{clear} is on the remote");
    }
    let people = git(Path::new(&url), &["log", "--format=%an|%ae|%cn|%ce|%B|%at", "main"]);
    for line in people.lines().filter(|line| !line.is_empty()) {
        let seconds: u64 = line.trim_start_matches('|').parse().expect("only a time");
        assert_eq!(seconds % 3600, 0, "{line}");
    }
    git(Path::new(&url), &["fsck", "--strict"]);
}

#[test]
fn each_screen_that_names_the_remote_says_that_it_is_sealed() {
    let world = World::new();
    let Some((a, url, _)) = sealed(&world) else { return };
    let a = &a.laptop;
    for verb in [&["status"][..], &["doctor"], &["seal", "status"]] {
        let said = a.try_co(verb).out;
        let line = said.lines().find(|line| line.contains(&url));
        assert!(line.is_some_and(|line| line.contains("sealed")), "{verb:?}: {said}");
    }
    assert_eq!(a.co(&["identity", "remote"]), format!("{url}\n"), "a script gets the URL");
    assert_eq!(a.json(&["identity", "remote"])["data"]["sealed"], true);
    assert_eq!(a.json(&["status"])["data"]["git"]["sealed"], true);
    a.co(&["learn", "Uses a standing desk"]);
    let synced = a.try_co(&["sync"]);
    assert!(synced.out.contains("sealed"), "{}", synced.out);
    assert!(!synced.err.contains("warning"), "nothing was lost there: {}", synced.err);
    assert!(a.co(&["diff", "origin"]).to_lowercase().contains("no"), "the preview opens it");
    let configured = a.git(&["config", "remote.origin.url"]);
    assert_eq!(configured.trim(), format!("co-sealed::{url}"));
    assert!(!a.co(&["secret", "list"]).contains("seal"), "no secret of the person's");
    assert!(!a.co(&["seal", "status"]).contains("plain"));
    assert!(!a.co(&["status"]).contains("not sealed"));
    a.git(&["remote", "add", "backup", "/srv/backup.git"]);
    assert!(a.co(&["seal", "status"]).contains("plain  backup: "));
    assert!(a.co(&["status"]).contains("not sealed: backup; what git pushes there can be read"));
    assert_eq!(a.json(&["status"])["data"]["git"]["plain_remotes"][0], "backup");
}

#[test]
fn plain_git_stops() {
    let world = World::new();
    let Some((a, url, _)) = sealed(&world) else { return };
    let (a, before) = (&a.laptop, tip(&url));
    a.co(&["learn", "Uses a standing desk"]);
    for arguments in [&["fetch"][..], &["pull"], &["push"], &["push", "origin", "HEAD:plain"]] {
        let output = a.command_of("git", arguments).current_dir(a.identity()).output();
        let output = output.expect("git runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains("co-sealed"), "{arguments:?}: {said}");
    }
    assert_eq!(tip(&url), before);
    assert_eq!(git(Path::new(&url), &["branch", "--list", "plain"]), "");
    a.git(&["remote", "set-url", "origin", &url]);
    let said = a.fails(6, &["sync"]);
    insta::assert_snapshot!(whole(&said), @"
    error: [world]/sealed.git is sealed, and it is set as a plain remote; nothing was merged or pushed
    hint: `co identity remote URL` with its URL opens it
    ");
    assert_eq!(tip(&url), before);
    a.co(&["identity", "remote", &url]);
    a.co(&["sync"]);
    assert_ne!(tip(&url), before);
}

#[test]
fn without_the_right_key_nothing_is_written() {
    let world = World::new();
    let Some((_a, url, key)) = sealed(&world) else { return };
    let Some(b) = Own::new(&world, "borg") else { return };
    let b = &b.laptop;
    let said = b.fails(6, &["init", &url, "--yes"]);
    assert!(said.contains("is sealed") && said.contains("--key"), "{said}");
    let right = fs::read_to_string(&key).expect("a key");
    let other = world.path("other.txt");
    let swapped: String = right.trim().chars().rev().collect();
    let keys = [
        "AGE-SECRET-KEY-1QQPQYPQXPQ9QCRSSZG2PVXQ6RS0ZQG3YYC5Z5TPWXQERGD3C8G7RUSQGFV2".to_owned(),
        "correct horse battery staple".to_owned(),
        swapped,
        right.trim()[..40].to_owned(),
        "x".to_owned(),
    ];
    for wrong in keys {
        fs::write(&other, &wrong).expect("written");
        b.fails(6, &["init", &url, "--key", &other.display().to_string(), "--yes"]);
        let given = b.with_env("CO_SEAL_KEY", &wrong);
        given.fails(6, &["init", &url, "--yes"]);
        assert!(!b.identity().exists(), "{wrong}");
    }
    assert!(!b.co(&["secret", "list"]).contains("seal"));
    let joined = b.co(&["init", &url, "--key", &key, "--yes"]);
    assert!(joined.contains("Cloned Bin Chen's identity"), "{joined}");
}

#[test]
fn a_server_without_a_keyring_has_the_recovery_key_in_its_environment() {
    let world = World::new();
    let Some((a, url, key)) = sealed(&world) else { return };
    let text = fs::read_to_string(&key).expect("a key");
    let server = world.laptop("server").with_env("CO_SEAL_KEY", text.trim());
    server.co(&["init", &url, "--yes"]);
    let status = server.co(&["seal", "status"]);
    assert!(status.contains("tried on") && status.contains("in the last hour"), "{status}");
    server.co(&["learn", "The build server is called forge"]);
    server.co(&["sync"]);
    a.laptop.co(&["sync"]);
    assert_agree(&[&a.laptop, &server]);
    let bare = world.laptop("server");
    bare.co(&["learn", "It has no key now"]);
    let said = bare.fails(6, &["sync"]);
    assert!(said.contains("no key"), "{said}");
    assert!(bare.git(&["status", "--porcelain"]).is_empty(), "committed here all the same");
    let new = world.path("new.txt").display().to_string();
    a.laptop.co(&["seal", "recovery", "--new", "--key-out", &new]);
    let text = fs::read_to_string(&new).expect("a key");
    let server = bare.with_env("CO_SEAL_KEY", text.trim());
    server.co(&["sync"]);
    a.laptop.co(&["sync"]);
    assert_agree(&[&a.laptop, &server]);
    // What was tried before opens nothing new.
    assert!(server.co(&["seal", "status"]).contains("never tried here"));
    server.co(&["seal", "recovery", "--key", &new]);
    assert!(server.co(&["seal", "status"]).contains("tried on"));
}

#[test]
fn the_recovery_key_is_shown_once_and_asked_for() {
    let world = World::new();
    let Some(own) = Own::new(&world, "atlas") else { return };
    let a = &own.laptop;
    a.co(&["init", "--yes", "--name", "Bin Chen"]);
    let url = empty(&world, "sealed.git");
    let said = a.fails(3, &["seal", "on", &url]);
    assert!(said.contains("--key-out"), "{said}");
    let wrong = [
        ("[Y/n]", "y\n"),
        ("characters:", "????\n"),
        ("characters:", "nope\n"),
        ("characters:", "\n"),
    ];
    let shown = terminal::screen(a, 100, &["seal", "on", &url], &wrong);
    assert!(shown.contains("AGE-SECRET-KEY-1") && shown.contains("Nothing was changed"), "{shown}");
    assert_eq!(git(Path::new(&url), &["branch", "--list"]), "");
    a.fails(5, &["seal", "status"]);
}

#[test]
fn a_passphrase_is_made_on_request_and_opens_the_remote() {
    let world = World::new();
    let (Some(a), Some(b)) = (Own::new(&world, "atlas"), Own::new(&world, "borg")) else { return };
    let (a, b) = (&a.laptop, &b.laptop);
    a.co(&["init", "--yes", "--name", "Bin Chen"]);
    let (url, key) = (empty(&world, "sealed.git"), world.path("key.txt").display().to_string());
    let words = ["seal", "on", &url, "--passphrase", "--key-out", &key, "--yes"];
    // It is shown, and has to be typed once more.
    let answers = [("Passphrase", "\n"), ("The same again", "another one\n")];
    let shown = terminal::screen(a, 100, &words, &answers);
    let made = shown.lines().map(str::trim).find(|line| {
        line.len() == 34 && line.bytes().all(|byte| byte == b'-' || byte.is_ascii_lowercase())
    });
    assert!(made.is_some() && shown.contains("differ"), "{shown}");
    assert_eq!(git(Path::new(&url), &["branch", "--list"]), "");
    // A person's own opens it on another laptop.
    let own = "nine grey geese in a field";
    let typed = format!("{own}\n");
    let answers = [("Passphrase", typed.as_str()), ("The same again", typed.as_str())];
    let shown = terminal::screen(a, 100, &words, &answers);
    assert!(shown.contains("Sealed"), "{shown}");
    let file = world.path("passphrase.txt");
    fs::write(&file, own).expect("written");
    b.co(&["init", &url, "--key", &file.display().to_string(), "--yes"]);
    sync(&[a, b]);
    assert_agree(&[a, b]);
    // It opens the old recovery key, and so nothing of what a new one opens.
    for ends in [true, false] {
        let key = world.path(&format!("new-{ends}.txt")).display().to_string();
        let said = a.co(&["seal", "recovery", "--new", "--key-out", &key]);
        assert_eq!(said.contains("Nor does the passphrase"), ends, "{said}");
    }
}

#[test]
fn what_the_host_lost_is_noticed_and_put_back() {
    let world = World::new();
    let Some((a, url, _)) = sealed(&world) else { return };
    let (a, before) = (&a.laptop, tip(&url));
    for fact in ["Uses a standing desk", "Drinks green tea"] {
        a.co(&["learn", fact]);
        a.co(&["sync"]);
    }
    let after = tip(&url);
    git(Path::new(&url), &["update-ref", "refs/heads/main", &before]);
    let said = a.fails(7, &["sync"]);
    assert!(said.contains("lost 2 pushes") && said.contains("co seal repair"), "{said}");
    a.co(&["learn", "Sleeps until seven"]);
    assert!(a.fails(7, &["sync"]).contains("lost 2 pushes"));
    a.fails(3, &["seal", "repair"]);
    assert!(a.co(&["seal", "repair", "--yes"]).contains("2 pushes"));
    assert_eq!(tip(&url), after);
    assert!(a.co(&["seal", "repair", "--yes"]).contains("has all"));
    a.co(&["sync"]);
    git(Path::new(&url), &["update-ref", "-d", "refs/heads/main"]);
    assert!(a.fails(7, &["sync"]).contains("lost"));
    a.co(&["seal", "repair", "--yes"]);
    assert_eq!(a.co(&["sync"]), "Up to date.\n");
}

#[test]
fn another_host_of_the_same_repository_is_no_news() {
    let world = World::new();
    let Some((a, url, _)) = sealed(&world) else { return };
    let (a, moved) = (&a.laptop, empty(&world, "moved.git"));
    git(Path::new(&url), &["push", "--quiet", "--mirror", &moved]);
    a.co(&["identity", "remote", &moved]);
    a.co(&["learn", "Uses a standing desk"]);
    let synced = a.try_co(&["sync"]);
    assert!(synced.out.contains("Uses a standing desk"), "{}", synced.out);
    assert!(!synced.out.contains("Prefers spaces"), "{}", synced.out);
    assert!(!synced.err.contains("rewritten"), "{}", synced.err);
}

#[test]
fn the_halves_of_a_remote_that_was_set_back_meet_again() {
    let world = World::new();
    let Some((a, url, key)) = sealed(&world) else { return };
    let Some(b) = joined(&world, "borg", &url, &key) else { return };
    let (a, b) = (&a.laptop, &b.laptop);
    sync(&[a, b]);
    for (pushes, code) in [(1, 6), (2, 7)] {
        let before = tip(&url);
        for number in 0..pushes {
            a.co(&["learn", &format!("Lost {number} of {pushes}")]);
            a.co(&["sync"]);
        }
        git(Path::new(&url), &["update-ref", "refs/heads/main", &before]);
        b.co(&["learn", &format!("Went on without {pushes}")]);
        b.co(&["sync"]);
        let said = a.fails(code, &["sync"]);
        assert!(said.contains("co seal repair"), "{said}");
        let said = a.co(&["seal", "repair", "--yes"]);
        assert!(said.contains("merges both"), "{said}");
        sync(&[a, b]);
        assert_agree(&[a, b]);
        let facts = b.facts();
        assert!(facts.iter().any(|fact| *fact == format!("Lost 0 of {pushes}")), "{facts:?}");
        assert!(facts.iter().any(|fact| *fact == format!("Went on without {pushes}")));
    }
    // A change of keys that was seen here is not taken back.
    let before = tip(&url);
    a.co(&["seal", "remove", "borg", "--yes"]);
    git(Path::new(&url), &["update-ref", "refs/heads/main", &before]);
    b.co(&["learn", "Written by a laptop that was removed"]);
    b.co(&["sync"]);
    a.fails(6, &["sync"]);
    assert!(a.co(&["seal", "repair", "--yes"]).contains("is gone"));
    a.co(&["learn", "Goes on without it"]);
    a.co(&["sync"]);
    assert!(!a.facts().contains(&"Written by a laptop that was removed".to_owned()));
    b.fails(6, &["sync"]);
}

/// The host lost a change of keys, and a laptop that has not seen it pushed meanwhile.
#[test]
fn a_laptop_that_went_on_with_older_keys_meets_the_others_again() {
    let world = World::new();
    let Some((a, url, key)) = sealed(&world) else { return };
    let Some(b) = joined(&world, "borg", &url, &key) else { return };
    let (a, b) = (&a.laptop, &b.laptop);
    sync(&[a, b]);
    let before = tip(&url);
    a.co(&["seal", "rotate"]);
    a.co(&["learn", "Sealed with the new key"]);
    a.co(&["sync"]);
    git(Path::new(&url), &["update-ref", "refs/heads/main", &before]);
    b.co(&["learn", "Sealed with the old key"]);
    b.co(&["sync"]);
    assert!(a.co(&["seal", "repair", "--yes"]).contains("is gone"));
    a.co(&["sync"]);
    assert!(b.try_co(&["sync"]).code != 0);
    assert!(b.co(&["seal", "repair", "--yes"]).contains("merges both"));
    sync(&[b, a]);
    assert_agree(&[a, b]);
    for fact in ["Sealed with the new key", "Sealed with the old key"] {
        assert!(a.facts().contains(&fact.to_owned()), "{fact}");
    }
}

#[test]
fn packs_that_somebody_deleted_are_added_again() {
    let world = World::new();
    let Some((a, url, key)) = sealed(&world) else { return };
    let Some(b) = joined(&world, "borg", &url, &key) else { return };
    let (a, b) = (&a.laptop, &b.laptop);
    sync(&[a, b]);
    for (number, pack) in ["01", "02"].iter().enumerate() {
        let clone = world.path(&format!("clone{number}"));
        git(&world.path("."), &["clone", "--quiet", &url, &clone.display().to_string()]);
        git(&clone, &["rm", "--quiet", &format!("packs/00/00/{pack}.age")]);
        git(&clone, &["commit", "--quiet", "-m", "cleaned up"]);
        git(&clone, &["push", "--quiet", "origin", "HEAD:main"]);
        assert!(!a.try_co(&["sync"]).out.contains("Synced"));
        let said = a.co(&["seal", "repair", "--yes"]);
        assert!(said.contains("1 push back"), "{said}");
        b.co(&["learn", &format!("Goes on after pack {pack} was deleted")]);
        sync(&[b, a]);
        assert_agree(&[a, b]);
    }
}

#[test]
fn what_somebody_changed_on_the_remote_is_refused() {
    let world = World::new();
    let Some((a, url, key)) = sealed(&world) else { return };
    let Some(b) = joined(&world, "borg", &url, &key) else { return };
    let (a, b) = (&a.laptop, &b.laptop);
    let old = tip(&url);
    a.co(&["learn", "Uses a standing desk"]);
    a.co(&["sync"]);
    let (good, facts) = (tip(&url), b.facts());
    let clone = world.path("clone");
    let fresh = || {
        let _ = fs::remove_dir_all(&clone);
        git(Path::new(&url), &["update-ref", "refs/heads/main", &good]);
        git(&world.path("."), &["clone", "--quiet", &url, &clone.display().to_string()]);
        let pack = |at: &str| clone.join("packs/00/00").join(at);
        (pack("01.age"), pack("02.age"), pack("03.age"))
    };
    let newest = |clone: &Path| {
        let mut names: Vec<_> = fs::read_dir(clone.join("packs/00/00"))
            .expect("packs")
            .map(|entry| entry.expect("a pack").path())
            .collect();
        names.sort();
        names.pop().expect("a pack")
    };
    let attacks: [&dyn Fn(); 6] = [
        // The last one that was seen there, again.
        &|| {
            let (_, second, _) = fresh();
            fs::copy(second, newest(&clone)).expect("copied");
        },
        // Cut.
        &|| {
            let _ = fresh();
            let file = newest(&clone);
            let bytes = fs::read(&file).expect("read");
            fs::write(&file, &bytes[..bytes.len() - 100]).expect("written");
        },
        // Forged.
        &|| {
            let _ = fresh();
            let file = newest(&clone);
            let mut bytes = fs::read(&file).expect("read");
            let last = bytes.len() - 20;
            bytes[last] ^= 1;
            fs::write(&file, bytes).expect("written");
        },
        // Replayed.
        &|| {
            let (first, ..) = fresh();
            fs::copy(first, newest(&clone)).expect("copied");
        },
        // No age file.
        &|| {
            let _ = fresh();
            fs::write(newest(&clone), "# v2 git bundle\n").expect("written");
        },
        // An old one is another now.
        &|| {
            let (first, second, _) = fresh();
            fs::copy(second, first).expect("copied");
        },
    ];
    for (number, attack) in attacks.iter().enumerate() {
        attack();
        git(&clone, &["commit", "--quiet", "-am", "attack"]);
        git(&clone, &["push", "--quiet", "--force", "origin", "HEAD:main"]);
        let said = b.fails(6, &["sync"]);
        assert!(said.contains("cannot be trusted"), "{number}: {said}");
        assert_eq!(b.facts(), facts, "{number}");
    }
    git(Path::new(&url), &["update-ref", "refs/heads/main", &old]);
    git(Path::new(&url), &["update-ref", "refs/heads/main", &good]);
    sync(&[b, a]);
    assert_agree(&[a, b]);
}

#[test]
fn a_removed_laptop_reads_nothing_new() {
    let world = World::new();
    let Some((a, url, key)) = sealed(&world) else { return };
    let Some(b) = joined(&world, "borg", &url, &key) else { return };
    let (a, b) = (&a.laptop, &b.laptop);
    a.co(&["sync"]);
    let status = a.co(&["seal", "status"]);
    assert!(status.contains("atlas (this one)") && status.contains("borg"), "{status}");
    assert!(a.fails(5, &["seal", "remove", "nobody", "--yes"]).contains("atlas, borg"));
    a.fails(2, &["seal", "remove", "atlas", "--yes"]);
    a.fails(3, &["seal", "remove", "borg"]);
    a.co(&["seal", "remove", "borg", "--yes"]);
    a.co(&["learn", "Has a new colleague"]);
    a.co(&["sync"]);
    let said = b.fails(6, &["sync"]);
    assert!(said.contains("newer key"), "{said}");
    assert!(!b.facts().contains(&"Has a new colleague".to_owned()));
    assert!(!objects_contain(&b.identity(), "Has a new colleague"));
    assert!(!a.co(&["seal", "status"]).contains("borg"));
    // With the recovery key it comes back; at a terminal it is asked for.
    let text = fs::read_to_string(&key).expect("a key");
    let answers = [("Recovery key or passphrase of", text.as_str())];
    let shown = terminal::screen(b, 100, &["seal", "add"], &answers);
    assert!(shown.contains("has the key to"), "{shown}");
    sync(&[b, a]);
    assert_agree(&[a, b]);
}

#[test]
fn keys_and_packs_change_and_all_laptops_follow() {
    let world = World::new();
    let Some((a, url, key)) = sealed(&world) else { return };
    let Some(b) = joined(&world, "borg", &url, &key) else { return };
    let (a, b) = (&a.laptop, &b.laptop);
    a.co(&["seal", "rotate"]);
    a.co(&["learn", "Sealed with the second key"]);
    sync(&[a, b]);
    b.co(&["learn", "From the other laptop"]);
    sync(&[b, a]);
    assert_agree(&[a, b]);
    a.co(&["seal", "recovery", "--key", &key]);
    let new = world.path("new.txt").display().to_string();
    a.co(&["seal", "recovery", "--new", "--key-out", &new]);
    a.fails(6, &["seal", "recovery", "--new", "--key-out", &new]);
    a.co(&["learn", "Sealed with the third key"]);
    sync(&[a, b]);
    a.fails(6, &["seal", "recovery", "--key", &key]);
    a.co(&["seal", "recovery", "--key", &new]);
    b.co(&["seal", "repack"]);
    let packs = git(Path::new(&url), &["ls-tree", "-r", "--name-only", "main", "packs/"]);
    assert_eq!(packs.lines().count(), 1, "{packs}");
    sync(&[a, b]);
    assert_agree(&[a, b]);
    let Some(c) = Own::new(&world, "curie") else { return };
    c.laptop.fails(6, &["init", &url, "--key", &key, "--yes"]);
    c.laptop.co(&["init", &url, "--key", &new, "--yes"]);
    sync(&[&c.laptop, a, b]);
    assert_agree(&[a, b, &c.laptop]);
}

#[test]
fn it_opens_with_age_and_git_alone() {
    let world = World::new();
    let Some((a, url, key)) = sealed(&world) else { return };
    if !require_tool("age") {
        report_skipped("age");
        return;
    }
    let a = &a.laptop;
    a.co(&["learn", "Uses a standing desk"]);
    a.co(&["sync"]);
    let folder = world.path("by-hand");
    git(&world.path("."), &["clone", "--quiet", &url, &folder.display().to_string()]);
    let readme = fs::read_to_string(folder.join("README.md")).expect("a recipe");
    let recipe: String = readme
        .lines()
        .filter_map(|line| line.strip_prefix("    "))
        .filter(|line| !line.starts_with("co init") && !line.contains("-> scrypt"))
        .map(|line| format!("{line}\n"))
        .collect();
    fs::copy(&key, folder.join("recovery.txt")).expect("copied");
    let run = Command::new("sh").args(["-c", &recipe]).current_dir(&folder).output();
    let run = run.expect("a shell");
    assert!(run.status.success(), "{recipe}\n{}", String::from_utf8_lossy(&run.stderr));
    let opened = world.path("opened");
    for (path, bytes) in a.tree() {
        assert_eq!(fs::read(opened.join(&path)).ok(), Some(bytes), "{path}");
    }
}

#[test]
fn sealing_needs_an_empty_repository_and_ends_in_one() {
    let world = World::new();
    let Some((a, url, key)) = sealed(&world) else { return };
    let Some(b) = joined(&world, "borg", &url, &key) else { return };
    let (a, b) = (&a.laptop, &b.laptop);
    a.fails(2, &["seal", "on", &empty(&world, "second.git"), "--yes"]);
    a.fails(6, &["seal", "off", &url, "--yes"]);
    let plain = empty(&world, "plain.git");
    for not_sealed in [plain.clone(), world.path("nowhere.git").display().to_string()] {
        let said = a.fails(6, &["identity", "remote", &not_sealed]);
        assert!(said.contains("unsealed") && said.contains("co seal off"), "{said}");
    }
    let configured = a.git(&["config", "remote.origin.url"]);
    assert_eq!(configured.trim(), format!("co-sealed::{url}"));
    a.fails(3, &["seal", "off", &plain]);
    assert!(a.co(&["seal", "off", &plain, "--yes"]).contains("No longer sealed"));
    assert!(objects_contain(Path::new(&plain), "Lives in Seattle"));
    a.fails(5, &["seal", "status"]);
    b.co(&["identity", "remote", &plain]);
    b.co(&["learn", "Follows to the plain remote"]);
    sync(&[b, a]);
    assert_agree(&[a, b]);
    let full = b.fails(6, &["seal", "on", &plain, "--yes", "--key-out", "k.txt"]);
    assert!(full.contains("not empty"), "{full}");
}

#[test]
fn a_plain_remote_that_was_left_says_so() {
    let world = World::new();
    let (Some(a), Some(b)) = (Own::new(&world, "atlas"), Own::new(&world, "borg")) else { return };
    let (a, b) = (&a.laptop, &b.laptop);
    let (plain, url) = (world.remote(), empty(&world, "sealed.git"));
    a.co(&["init", "--yes", "--name", "Bin Chen", "--remote", &plain]);
    a.co(&["learn", "Prefers spaces to tabs"]);
    a.co(&["sync"]);
    b.co(&["init", &plain, "--yes"]);
    let key = world.path("key.txt").display().to_string();
    a.fails(2, &["seal", "on"]);
    a.co(&["seal", "on", &url, "--key-out", &key, "--leave-note", "--yes"]);
    b.co(&["learn", "Learned on the other laptop"]);
    let said = b.fails(7, &["sync"]);
    assert_eq!(b.fails(7, &["sync"]), said);
    insta::assert_snapshot!(whole(&said), @"
    error: this identity is now sealed and is no longer pushed to [world]/remote.git; nothing was merged
    hint: `co identity remote [world]/sealed.git` follows it there, if that repository is yours
    ");
    let note = git(Path::new(&plain), &["show", "main:SEALED.md"]);
    assert!(note.contains(&format!("co identity remote {url}")), "{note}");
    // Whoever can write there may have changed the note.
    let evil = world.path("evil");
    git(&world.path("."), &["clone", "--quiet", &plain, &evil.display().to_string()]);
    let changed = note.replace(&url, "https://me:token@example.org/x; \u{1b}[31mrm -r ~");
    fs::write(evil.join("SEALED.md"), &changed).expect("written");
    git(&evil, &["commit", "--quiet", "--all", "--message=x"]);
    git(&evil, &["push", "--quiet", "origin", "HEAD:main"]);
    let said = b.fails(7, &["sync"]);
    assert!(!said.contains("example"), "{said}");
    insta::assert_snapshot!(whole(&said), @"
    error: this identity is now sealed and is no longer pushed to [world]/remote.git; nothing was merged
    hint: `co identity remote URL` follows it; SEALED.md there names the URL of the sealed repository
    ");
    b.fails(6, &["identity", "remote", &url]);
    insta::assert_snapshot!(whole(&b.co(&["identity", "remote", &url, "--key", &key])), @"✓ The remote is [world]/sealed.git, sealed. Next: `co sync`.");
    // It gets the keys of later epochs before it has anything to push.
    a.co(&["sync"]);
    insta::assert_snapshot!(whole(&a.co(&["seal", "status"])), @"
    [indented]
        remote  origin ([world]/sealed.git), sealed
           key  in the keyring of this laptop
      recovery  never tried here: `co seal recovery`
        pushes  2 pushes seen, key 1
        laptop  atlas (this one), last heard of in the last hour
        laptop  borg, last heard of in the last hour
    ");
    a.co(&["seal", "rotate"]);
    // Nothing of what both had before.
    insta::assert_snapshot!(whole(&b.co(&["sync"])), @"
    Synced with origin ([world]/sealed.git, sealed).
      learned here    + 2    Learned on the other laptop
    2 facts.
    ");
    sync(&[a]);
    assert_agree(&[a, b]);
    assert!(a.facts().contains(&"Learned on the other laptop".to_owned()));
}

#[test]
fn a_sealed_team_is_joined_by_its_key_and_gets_nothing_from_who_only_reads() {
    let world = World::new();
    let Some((_a, url, key)) = sealed(&world) else { return };
    let Some(own) = Own::new(&world, "bold") else { return };
    let b = &own.laptop;
    b.co(&["init", "--yes", "--name", "Ada Okafor", "--timezone", "Europe/Berlin"]);
    b.co(&["learn", "Likes oat milk"]);
    let before = tip(&url);
    let refused = b.try_co(&["layer", "add", "acme", &url]);
    assert!(refused.code != 0 && refused.err.contains("sealed"), "{}", refused.err);
    b.co(&["layer", "add", "acme", &url, "--key", &key]);
    assert!(b.co(&["list"]).contains("Deploys with fly.io"));
    b.co(&["sync"]);
    b.co(&["sync", "--layer", "acme"]);
    assert_eq!(tip(&url), before);
    let refused: &[&[&str]] = &[
        &["seal", "rotate", "--layer", "acme"],
        &["seal", "repack", "--layer", "acme"],
        &["propose", "1", "--to", "acme", "--yes"],
    ];
    for words in refused {
        let said = b.try_co(words);
        assert_eq!(said.code, 6, "{words:?} {}", said.err);
    }
    assert_eq!(tip(&url), before);
}
