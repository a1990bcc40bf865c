//! The keys of a sealed remote: who reads what once laptops came and went and keys changed, what is
//! said where a keyring has none, and what a given key is never used for.

use crate::support::{
    Laptop, World, git, objects_contain,
    pair::{assert_agree, sync},
    report_skipped, require_tool,
    sealed::{KEY, Own, empty, joined, sealed, tip, with_key},
    terminal,
    whole::whole,
};
use std::{fs, path::Path, process::Command};

const PASSPHRASE: &str = "nine grey geese in a field";

fn file(world: &World, name: &str, text: &str) -> String {
    let path = world.path(name);
    fs::write(&path, text).expect("written");
    path.display().to_string()
}

/// A command of a laptop: who it is, how it ends, and how many facts are there afterwards.
type Row<'a> = (&'a str, &'a Laptop, Vec<&'a str>, i32, usize);

fn check(rows: &[Row<'_>]) {
    for (who, laptop, words, code, facts) in rows {
        let said = laptop.try_co(words);
        assert_eq!(said.code, *code, "{who}: co {words:?}\n{}{}", said.out, said.err);
        let known = if laptop.identity().exists() { laptop.facts().len() } else { 0 };
        assert_eq!(known, *facts, "{who}: co {words:?}");
    }
}

/// How many of the packs that a clone has open with these keys, by `age` alone.
fn opened_by_age(clone: &Path, keys: &str) -> usize {
    let packs = git(clone, &["ls-files", "packs/"]);
    let opens = |pack: &&str| {
        let run = Command::new("age").args(["-d", "-i", keys, pack]).current_dir(clone).output();
        run.expect("age runs").status.success()
    };
    packs.lines().filter(opens).count()
}

#[test]
fn who_reads_what_after_laptops_joined_and_left_and_keys_changed() {
    let world = World::new();
    let own = |name| Own::new(&world, name);
    let all = (own("atlas"), own("borg"), own("curie"), own("dirac"), own("euler"));
    let (Some(a), Some(b), Some(c), Some(d), Some(e)) = all else { return };
    let [a, b, c, d, e] = [&a, &b, &c, &d, &e].map(|own| &own.laptop);
    a.co(&["init", "--yes", "--name", "Bin Chen"]);
    let learn = |text: &str| {
        a.co(&["learn", text]);
        a.co(&["sync"]);
    };
    a.co(&["learn", "Known to all"]);
    let (url, key) = (empty(&world, "sealed.git"), world.path("key.txt").display().to_string());
    let typed = format!("{PASSPHRASE}\n");
    let answers = [("Passphrase", typed.as_str()), ("The same again", typed.as_str())];
    let words = ["seal", "on", &url, "--passphrase", "--key-out", &key, "--yes"];
    assert!(terminal::screen(a, 100, &words, &answers).contains("Sealed"));
    let (phrase, new) =
        (file(&world, "phrase.txt", PASSPHRASE), world.path("new.txt").display().to_string());
    check(&[
        ("joins by the recovery key", b, vec!["init", &url, "--key", &key, "--yes"], 0, 1),
        ("joins by the passphrase", c, vec!["init", &url, "--key", &phrase, "--yes"], 0, 1),
    ]);
    sync(&[a, b, c]);
    let of_removed = file(&world, "removed.txt", &b.co(&["seal", "export-key", "--show"]));
    a.co(&["seal", "remove", "borg", "--yes"]);
    learn("After the removal");
    a.co(&["seal", "rotate"]);
    learn("After the rotation");
    check(&[
        ("was always there", a, vec!["sync"], 0, 3),
        ("joined by the passphrase", c, vec!["sync"], 0, 3),
        ("was removed", b, vec!["sync"], 6, 1),
        ("new, with the recovery key", d, vec!["init", &url, "--key", &key, "--yes"], 0, 3),
    ]);
    a.co(&["sync"]);
    a.co(&["seal", "recovery", "--new", "--key-out", &new]);
    learn("After the new recovery key");
    assert!(!objects_contain(&b.identity(), "After the"), "a removed laptop has nothing of it");
    check(&[
        ("was always there", a, vec!["sync"], 0, 4),
        ("joined by the passphrase", c, vec!["sync"], 0, 4),
        ("joined by the old recovery key", d, vec!["sync"], 0, 4),
        ("new, with the old recovery key", e, vec!["init", &url, "--key", &key, "--yes"], 6, 0),
        ("new, with the old passphrase", e, vec!["init", &url, "--key", &phrase, "--yes"], 6, 0),
        ("removed, with the old recovery key", b, vec!["seal", "add", "--key", &key], 6, 1),
        ("new, with the new recovery key", e, vec!["init", &url, "--key", &new, "--yes"], 0, 4),
        ("removed, with the new recovery key", b, vec!["seal", "add", "--key", &new], 0, 1),
        ("let in again", b, vec!["sync"], 0, 4),
    ]);
    sync(&[a, c, d, e, b]);
    assert_agree(&[a, b, c, d, e]);
    if !require_tool("age") {
        report_skipped("age");
        return;
    }
    let clone = world.path("clone");
    git(&world.path("."), &["clone", "--quiet", &url, &clone.display().to_string()]);
    let now = file(&world, "now.txt", &a.co(&["seal", "export-key", "--show"]));
    let (of_now, of_then) = (opened_by_age(&clone, &now), opened_by_age(&clone, &of_removed));
    let packs = git(&clone, &["ls-files", "packs/"]).lines().count();
    assert_eq!(of_now, packs);
    assert!(of_then >= 3 && of_then + 6 <= packs, "{of_then} of {packs}");
}

#[test]
fn a_keyring_without_the_key_says_so_and_recovery_works() {
    let world = World::at("2026-11-20T12:00:00Z");
    let Some((a, url, key)) = sealed(&world) else { return };
    let Some(own) = joined(&world, "borg", &url, &key) else { return };
    let (a, b) = (&a.laptop, &own.laptop);
    let text = fs::read_to_string(&key).expect("a key");
    // What another laptop pushed meanwhile, and what is learned here, is not lost.
    let meanwhile = |when: &str| {
        sync(&[a]);
        a.co(&["learn", &format!("Learned elsewhere while {when}")]);
        a.co(&["sync"]);
        b.co(&["learn", &format!("Learned here while {when}")]);
    };
    let settled = |b: &Laptop| {
        sync(&[b, a]);
        assert_agree(&[a]);
        assert!(b.co(&["sync"]).contains("Up to date"));
    };

    meanwhile("there was no keyring");
    let absent = b.with_env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere");
    insta::assert_snapshot!(whole(&absent.fails(6, &["sync"])), @"
    error: [world]/sealed.git is sealed, and this laptop has no key for it; nothing was changed
    hint: `co seal add` asks for the recovery key or passphrase and keeps the key in the keyring of this laptop
    hint: on a server or in CI: CO_SEAL_KEY with the recovery key
    ");
    assert!(!absent.try_co(&["doctor"]).out.contains("nothing here needs one"));
    insta::assert_snapshot!(whole(&absent.fails(4, &["seal", "add", "--key", &key])), @"
    error: the key of a sealed remote cannot be kept on this laptop: there is no keyring (no D-Bus session); nothing was changed
    hint: log in to the desktop, or start the command with `dbus-run-session`
    hint: on a server or in CI: CO_SEAL_KEY with the recovery key
    ");
    settled(&absent.with_env("CO_SEAL_KEY", text.trim()));

    meanwhile("the keyring was empty");
    own.session.run("secret-tool", &["clear", "service", "co-cli"], "");
    insta::assert_snapshot!(whole(&b.fails(6, &["sync"])), @"
    error: [world]/sealed.git is sealed, and this laptop has no key for it; nothing was changed
    hint: `co seal add` asks for the recovery key or passphrase and keeps the key in the keyring of this laptop
    hint: on a server or in CI: CO_SEAL_KEY with the recovery key
    ");
    insta::assert_snapshot!(whole(&b.co(&["seal", "status"])), @"
    [indented]
        remote  origin ([world]/sealed.git), sealed
           key  none on this laptop: `co seal add`
      recovery  tried on 2026-11-20
        pushes  4 pushes seen, key 1
        laptop  atlas, last heard of in the last hour
        laptop  borg, last heard of in the last hour
    ");
    assert!(b.try_co(&["doctor"]).out.contains("no key for it"));
    assert_eq!(b.git(&["status", "--porcelain"]), "", "committed here all the same");
    // It begins anew under another name.
    insta::assert_snapshot!(whole(&b.co(&["seal", "add", "--key", &key])), @"✓ This laptop (borg-2) now has the key to [world]/sealed.git.");
    settled(b);
    insta::assert_snapshot!(whole(&a.co(&["seal", "status"])), @"
    [indented]
        remote  origin ([world]/sealed.git), sealed
           key  in the keyring of this laptop
      recovery  never tried here: `co seal recovery`
        pushes  7 pushes seen, key 1
        laptop  atlas (this one), last heard of in the last hour
        laptop  borg, last heard of in the last hour
        laptop  borg-2, last heard of in the last hour
    ");
    a.co(&["seal", "remove", "borg", "--yes"]);
    settled(b);

    meanwhile("the keyring was locked");
    own.session.run("secret-tool", &["lock", "--collection=login"], "");
    let told = [&["sync"][..], &["seal", "rotate"], &["seal", "repack"]].map(|words| {
        let before = tip(&url);
        let said = b.fails(3, words);
        assert_eq!(tip(&url), before, "{words:?}");
        said
    });
    assert!(told.iter().all(|said| *said == told[0]), "{told:#?}");
    insta::assert_snapshot!(whole(&told[0]), @"
    error: [world]/sealed.git is sealed, and its key cannot be read: the keyring is locked
    hint: log in to the desktop, or unlock it in its own program (Seahorse, KWalletManager, KeePassXC)
    hint: without a desktop: `gnome-keyring-daemon --replace --unlock` in the session's D-Bus reads its password from standard input
    hint: on a server or in CI: CO_SEAL_KEY with the recovery key
    ");
    insta::assert_snapshot!(whole(&b.co(&["seal", "status"])), @"
    [indented]
        remote  origin ([world]/sealed.git), sealed
           key  the keyring is locked
      recovery  tried on 2026-11-20
        pushes  8 pushes seen, key 2
        laptop  atlas, last heard of in the last hour
        laptop  borg-2, last heard of in the last hour
    ");
    settled(&b.with_env("CO_SEAL_KEY", text.trim()));
    let Some(c) = Own::new(&world, "cyan") else { return };
    c.session.run("secret-tool", &["lock", "--collection=login"], "");
    let said = c.laptop.fails(3, &["init", &url, "--key", &key, "--yes"]);
    insta::assert_snapshot!(whole(&said), @"
    error: the key of a sealed remote cannot be kept on this laptop: the keyring is locked; nothing was changed
    hint: log in to the desktop, or unlock it in its own program (Seahorse, KWalletManager, KeePassXC)
    hint: without a desktop: `gnome-keyring-daemon --replace --unlock` in the session's D-Bus reads its password from standard input
    hint: on a server or in CI: CO_SEAL_KEY with the recovery key
    ");
    assert!(!c.laptop.identity().exists(), "nothing is begun that cannot go on");
}

#[test]
fn with_a_key_no_plain_remote_is_joined() {
    let world = World::new();
    let Some((_a, _, key)) = sealed(&world) else { return };
    let (Some(b), Some(c)) = (Own::new(&world, "borg"), Own::new(&world, "curie")) else { return };
    let (b, c) = (&b.laptop, &c.laptop);
    c.co(&["init", "--yes", "--name", "Bin Chen"]);
    c.co(&["learn", "Private until it is sealed"]);
    c.co(&["sync"]);
    let (plain, nothing) = (world.remote(), empty(&world, "nothing.git"));
    c.git(&["push", "--quiet", &plain, "HEAD:refs/heads/main"]);
    let nowhere = format!("file://{}", world.path("nowhere.git").display());
    for (url, code) in [(&plain, 6), (&nothing, 6), (&nowhere, 8)] {
        for words in [
            &["init", url, "--key", &key, "--yes"][..],
            &["init", "--remote", url, "--key", &key, "--yes"],
        ] {
            let said = b.fails(code, words);
            assert!(code != 6 || said.contains("is not sealed"), "{words:?}: {said}");
            assert!(!b.identity().exists(), "{words:?}");
        }
        for words in [
            &["identity", "remote", url, "--key", &key][..],
            &["layer", "add", "acme", url, "--key", &key, "--write"],
        ] {
            let said = c.fails(code, words);
            assert!(code != 6 || said.contains("is not sealed"), "{words:?}: {said}");
        }
        assert_eq!(c.git(&["remote"]), "", "{url}");
        assert!(!c.co(&["layer", "list"]).contains("acme"), "{url}");
    }
    assert_eq!(git(Path::new(&nothing), &["branch", "--list"]), "");
    // A key in the environment may be meant for another one: it is said.
    let text = fs::read_to_string(&key).expect("a key");
    let server = world.laptop("server").with_env("CO_SEAL_KEY", text.trim());
    let said = server.try_co(&["init", &plain, "--yes"]);
    assert!(said.code == 0 && said.err.contains("is not sealed, although"), "{}", said.err);
    let said = world.laptop("other").try_co(&["init", &plain, "--yes"]);
    assert!(said.code == 0 && !said.err.contains("is not sealed"), "{}", said.err);
}

#[test]
fn the_note_of_a_remote_that_was_left_enters_no_sealed_identity() {
    let world = World::new();
    let (Some(a), Some(b)) = (Own::new(&world, "atlas"), Own::new(&world, "borg")) else { return };
    let (a, b) = (&a.laptop, &b.laptop);
    let (plain, url) = (world.remote(), empty(&world, "sealed.git"));
    let key = world.path("key.txt").display().to_string();
    a.co(&["init", "--yes", "--name", "Bin Chen", "--remote", &plain]);
    a.co(&["learn", "Prefers spaces to tabs"]);
    a.co(&["sync"]);
    b.co(&["init", &plain, "--yes"]);
    let said = a.try_co(&["seal", "on", &url, "--key-out", &key, "--leave-note", "--yes"]);
    let follows = format!("{}{}", said.out, said.err).matches("co identity remote").count();
    assert_eq!((said.code, follows), (0, 1), "once: {}{}", said.out, said.err);
    // As co 1.0.0 does, which does not know the note.
    b.git(&["pull", "--quiet", "--ff-only", "origin", "main"]);
    assert!(b.identity().join("SEALED.md").exists());
    b.co(&["identity", "remote", &url, "--key", &key]);
    b.co(&["learn", "Learned before it followed"]);
    let said = b.try_co(&["sync"]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(!said.err.contains("rewritten"), "it is another remote: {}", said.err);
    sync(&[a]);
    for laptop in [a, b] {
        assert!(!laptop.identity().join("SEALED.md").exists(), "{}", laptop.name);
    }
    assert_agree(&[a, b]);
    // A person's own file of that name stays.
    a.write("SEALED.md", "# Sealed letters\n\nWhat I sealed with wax.\n");
    sync(&[a, b]);
    assert!(b.read("SEALED.md").contains("wax"));
    let back = empty(&world, "back.git");
    let said = a.try_co(&["seal", "off", &back, "--yes"]);
    let follows = format!("{}{}", said.out, said.err).matches("co identity remote").count();
    assert_eq!((said.code, follows), (0, 1), "once: {}{}", said.out, said.err);
}

#[test]
fn what_stays_behind_is_said_when_a_remote_is_sealed() {
    let world = World::new();
    let Some(own) = Own::new(&world, "atlas") else { return };
    let (a, url) = (&own.laptop, empty(&world, "sealed.git"));
    let key = world.path("key.txt").display().to_string();
    a.co(&["init", "--yes", "--name", "Bin Chen"]);
    a.write("knowledge/keys.md", "password: hunter2hunter2-of-the-router\n");
    let alone = a.try_co(&["sync"]);
    assert_ne!(alone.code, 0, "{}", alone.err);
    insta::assert_snapshot!(whole(&alone.err), @"
    warning: there is no remote yet (`co identity remote URL` sets one)
    error: knowledge/keys.md:1: a password (rule generic-password: `hun…`) was held back; the rest was committed on this laptop
    hint: keep the value in the keyring (`co secret set NAME`), write {{secret:NAME}} in the file, then run `co sync` again
    hint: if this is not a secret: `co:allow-secret` on its line, or `--allow-secret generic-password`
    ");
    let said = a.try_co(&["seal", "on", &url, "--key-out", &key, "--yes"]);
    insta::assert_snapshot!(whole(&format!("{}{}", said.out, said.err)), @"
    ✓ Sealed: without a key, nobody can read what [world]/sealed.git has. On a new laptop: `co init [world]/sealed.git`.
    error: knowledge/keys.md:1: a password (rule generic-password: `hun…`) was held back; the rest was synced
    hint: keep the value in the keyring (`co secret set NAME`), write {{secret:NAME}} in the file, then run `co sync` again
    hint: if this is not a secret: `co:allow-secret` on its line, or `--allow-secret generic-password`
    ");
    assert_eq!(said.code, alone.code);
    let back = empty(&world, "back.git");
    let said = a.try_co(&["seal", "off", &back, "--yes"]);
    insta::assert_snapshot!(whole(&format!("{}{}", said.out, said.err)), @"
    ✓ No longer sealed: [world]/back.git has the identity, readable by its host. [world]/sealed.git stays as it is; the other laptops follow with `co identity remote [world]/back.git`.
    error: knowledge/keys.md:1: a password (rule generic-password: `hun…`) was held back; the rest was synced
    hint: keep the value in the keyring (`co secret set NAME`), write {{secret:NAME}} in the file, then run `co sync` again
    hint: if this is not a secret: `co:allow-secret` on its line, or `--allow-secret generic-password`
    ");
    assert_eq!(said.code, alone.code);
    assert!(!objects_contain(Path::new(&back), "hunter2hunter2"));
}

#[test]
fn a_layer_that_is_sealed_says_so_and_is_followed_as_a_layer() {
    let world = World::new();
    let (a, b) = (with_key(&world.laptop("atlas")), with_key(&world.laptop("borg")));
    let (plain, url) = (empty(&world, "plain.git"), empty(&world, "sealed.git"));
    a.co(&["init", "--yes", "--name", "Ada Okafor"]);
    b.co(&["init", "--yes", "--name", "Bin Chen"]);
    a.co(&["layer", "add", "acme", &plain, "--write"]);
    a.co(&["learn", "Deploys on Fridays", "--layer", "acme"]);
    a.co(&["sync"]);
    b.co(&["layer", "add", "acme", &plain, "--write"]);
    insta::assert_snapshot!(whole(&a.co(&["layer", "list"])), @"acme  1 fact, 0 documents, writable  [world]/plain.git");
    // It is no identity of a person's own, which others would begin with.
    let said = a.co(&["seal", "on", &url, "--layer", "acme", "--yes"]);
    insta::assert_snapshot!(whole(&said), @"
    ✓ Sealed: without a key, nobody can read what [world]/sealed.git has. On a laptop without that layer: `co layer add acme [world]/sealed.git`.
    What was pushed to [world]/plain.git before stays readable there until that repository is deleted; the laptops that sync there follow with `co identity remote [world]/sealed.git --layer acme`.
    ");
    insta::assert_snapshot!(whole(&a.co(&["layer", "list"])), @"acme  1 fact, 0 documents, writable  [world]/sealed.git (sealed)");
    insta::assert_snapshot!(whole(&a.co(&["layer", "show", "acme"])), @"
    acme  1 fact, 0 documents, writable  [world]/sealed.git (sealed)
      ~/.config/co-cli/layers/acme
    ");
    assert_eq!(a.json(&["layer", "show", "acme"])["data"]["sealed"], true);
    b.co(&["identity", "remote", &url, "--layer", "acme"]);
    b.co(&["learn", "Rolls back on Mondays", "--layer", "acme"]);
    sync(&[&b, &a]);
    assert!(a.co(&["list"]).contains("Rolls back on Mondays"));
    assert!(!objects_contain(Path::new(&url), "Rolls back"));
    let back = empty(&world, "back.git");
    let said = a.co(&["seal", "off", &back, "--layer", "acme", "--yes"]);
    insta::assert_snapshot!(whole(&said), @"✓ No longer sealed: [world]/back.git has the layer acme, readable by its host. [world]/sealed.git stays as it is; the other laptops follow with `co identity remote [world]/back.git --layer acme`.");
}

#[test]
fn a_removed_laptop_shows_nothing_to_who_has_a_later_recovery_key() {
    let world = World::new();
    let Some((a, url, key)) = sealed(&world) else { return };
    let Some(b) = joined(&world, "borg", &url, &key) else { return };
    let (Some(c), Some(d)) = (Own::new(&world, "curie"), Own::new(&world, "dirac")) else { return };
    let [a, b, c, d] = [&a, &b, &c, &d].map(|own| &own.laptop);
    sync(&[a, b]);
    let (before, new) = (tip(&url), world.path("new.txt").display().to_string());
    a.co(&["seal", "remove", "borg", "--yes"]);
    a.co(&["seal", "recovery", "--new", "--key-out", &new]);
    a.co(&["learn", "Only for who stayed"]);
    a.co(&["sync"]);
    let whole = tip(&url);
    git(Path::new(&url), &["update-ref", "refs/heads/main", &before]);
    b.co(&["learn", "Planted by the removed one"]);
    b.co(&["sync"]);
    // With the recovery key that it knew, a first join cannot tell; the documentation says so.
    d.co(&["init", &url, "--key", &key, "--yes"]);
    assert!(d.facts().contains(&"Planted by the removed one".to_owned()));
    assert!(d.co(&["seal", "status"]).contains("borg"), "but it is listed");
    c.fails(6, &["init", &url, "--key", &new, "--yes"]);
    assert!(!c.identity().exists());
    assert!(a.try_co(&["sync"]).code != 0);
    git(Path::new(&url), &["update-ref", "refs/heads/main", &whole]);
    c.co(&["init", &url, "--key", &new, "--yes"]);
    assert!(c.facts().contains(&"Only for who stayed".to_owned()));
    assert!(!c.co(&["seal", "status"]).contains("borg"));
}

/// A server keeps no key, so that it is not among those that have one; whoever has the recovery key
/// goes on without any laptop.
#[test]
fn a_remote_may_have_no_laptop_with_a_key_of_its_own() {
    let world = World::new();
    let url = empty(&world, "sealed.git");
    let server = with_key(&world.laptop("server"));
    server.co(&["init", "--yes", "--name", "Bin Chen"]);
    server.co(&["learn", "Lives in Seattle"]);
    server.co(&["seal", "on", &url, "--yes"]);
    insta::assert_snapshot!(whole(&server.co(&["seal", "status"])), @"
    [indented]
        remote  origin ([world]/sealed.git), sealed
           key  CO_SEAL_KEY
      recovery  never tried here: `co seal recovery`
        pushes  1 push seen, key 1
        laptop  none has a key of its own: only the recovery key opens it
    ");
    insta::assert_snapshot!(whole(&server.fails(5, &["seal", "remove", "atlas", "--yes"])), @"
    error: no laptop has a key of its own, and so none called atlas
    hint: to end the access of a server that has the recovery key: `co seal recovery --new`
    ");
    let Some(a) = Own::new(&world, "atlas") else { return };
    a.laptop.co(&["init", &url, "--key", &file(&world, "key.txt", KEY), "--yes"]);
    a.laptop.co(&["sync"]);
    server.co(&["sync"]);
    insta::assert_snapshot!(whole(&server.co(&["seal", "status"])), @"
    [indented]
        remote  origin ([world]/sealed.git), sealed
           key  CO_SEAL_KEY
      recovery  never tried here: `co seal recovery`
        pushes  2 pushes seen, key 1
        laptop  atlas, last heard of in the last hour
    ");
    insta::assert_snapshot!(whole(&server.co(&["seal", "remove", "atlas", "--yes"])), @"✓ atlas does not get the new key. It can still read what it already had: take away its right to push, and if it may be in other hands, run `co seal recovery --new`.");
    insta::assert_snapshot!(whole(&server.co(&["seal", "status"])), @"
    [indented]
        remote  origin ([world]/sealed.git), sealed
           key  CO_SEAL_KEY
      recovery  never tried here: `co seal recovery`
        pushes  3 pushes seen, key 2
        laptop  none has a key of its own: only the recovery key opens it
    ");
    server.co(&["learn", "The build server is called forge"]);
    server.co(&["sync"]);
    insta::assert_snapshot!(whole(&a.laptop.fails(6, &["sync"])), @"
    error: [world]/sealed.git is sealed with a newer key, which this laptop was not given
    hint: if it was removed by mistake: `co seal add --key FILE`, with the recovery key in FILE, lets it in again
    ");
    let other = with_key(&world.laptop("other"));
    other.co(&["init", &url, "--yes"]);
    assert_agree(&[&server, &other]);
    server.co(&["seal", "repack"]);
    server.co(&["seal", "rotate"]);
    sync(&[&server, &other]);
    a.laptop.co(&["seal", "add", "--key", &file(&world, "key.txt", KEY)]);
    sync(&[&a.laptop, &server, &a.laptop]);
    assert_agree(&[&server, &a.laptop]);
}
