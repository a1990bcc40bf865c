//! Sealing and joining where the keyring keeps nothing: no key is shown or asked for in vain, and
//! what is said to do instead works.

use crate::support::{
    Laptop, World, git, report_skipped, require_tool,
    sealed::{Own, empty, joined, sealed},
    terminal,
    whole::whole,
};
use std::{fs, path::Path};

/// What is said, without a question being asked or a key being shown.
fn refused_at_once(laptop: &Laptop, words: &[&str]) {
    let shown = terminal::screen(laptop, 100, words, &[]);
    let flat = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("cannot be kept on this laptop"), "{words:?}: {shown}");
    for vain in ["AGE-SECRET-KEY", "shown this once", "characters:", "Passphrase"] {
        assert!(!shown.contains(vain), "{words:?}: {shown}");
    }
    assert!(!flat.contains("Recovery key or passphrase of"), "{words:?}: {shown}");
}

#[test]
fn no_key_is_shown_or_asked_for_that_could_not_be_kept() {
    let world = World::new();
    let Some((_a, url, key)) = sealed(&world) else { return };
    let Some(borg) = joined(&world, "borg", &url, &key) else { return };
    let Some(own) = Own::keeping_nothing(&world, "curie") else { return };
    let c = &own.laptop;
    refused_at_once(c, &["init", &url]);
    assert!(!c.identity().exists());
    c.co(&["init", "--yes", "--name", "Bin Chen"]);
    let new = empty(&world, "new.git");
    for words in [
        &["seal", "on", &new][..],
        &["seal", "on", &new, "--yes"],
        &["seal", "on", &new, "--yes", "--passphrase"],
        &["identity", "remote", &url],
        &["layer", "add", "acme", &url],
    ] {
        refused_at_once(c, words);
    }
    let out = world.path("none.txt");
    let said = c.fails(4, &["seal", "on", &new, "--yes", "--key-out", &out.display().to_string()]);
    assert!(said.contains("no default collection"), "{said}");
    assert!(!out.exists(), "no key is written either");
    assert_eq!(git(Path::new(&new), &["branch", "--list"]), "");
    assert_eq!(c.git(&["remote"]), "");

    // One that joined, and whose keyring is gone.
    let b = borg.laptop.with_env("DBUS_SESSION_BUS_ADDRESS", &own.session.address);
    refused_at_once(&b, &["seal", "add"]);
    let said = b.fails(6, &["seal", "recovery", "--new", "--key-out", &out.display().to_string()]);
    assert!(said.contains("no key") && !out.exists(), "{said}");
    // What was tried leaves nothing behind where it succeeds.
    let entries = borg.session.run("secret-tool", &["search", "--all", "service", "co-cli"], "");
    assert!(entries.contains("seal/") && !entries.contains("trial"), "{entries}");
}

/// The commands of the session in docs/sealed.md that begins with `age-keygen`.
fn documented() -> String {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/sealed.md");
    let page = fs::read_to_string(page).expect("a page");
    let mut sessions = page.split("```console\n").skip(1);
    let session = sessions.find(|session| session.starts_with("$ age-keygen")).expect("a session");
    let session = session.split("```").next().expect("its commands");
    let commands = session.lines().map(|line| line.strip_prefix("$ ").expect("a command"));
    commands.map(|command| format!("{command}\n")).collect()
}

#[test]
fn a_server_without_a_keyring_seals_as_the_documentation_says() {
    if !require_tool("age-keygen") {
        report_skipped("age-keygen");
        return;
    }
    let world = World::new();
    let (url, bin) = (empty(&world, "sealed.git"), world.path("bin"));
    fs::create_dir_all(&bin).expect("a folder");
    std::os::unix::fs::symlink(assert_cmd::cargo::cargo_bin("co"), bin.join("co")).expect("linked");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").expect("a path"));
    let server = world.laptop("server").with_env("PATH", &path);
    server.co(&["init", "--yes", "--name", "Bin Chen"]);
    server.co(&["learn", "The build server is called forge"]);
    let said = server.fails(4, &["seal", "on", &url, "--yes"]);
    insta::assert_snapshot!(whole(&said), @"
    error: the key of a sealed remote cannot be kept on this laptop: there is no keyring (no D-Bus session); nothing was changed
    hint: log in to the desktop, or start the command with `dbus-run-session`
    hint: without a keyring: set CO_SEAL_KEY to a key made by `age-keygen`; it becomes the recovery key
    ");
    let commands = format!("set -e\n{}", documented().replace("URL", &url));
    let folder = world.path(".");
    let run = server.command_of("sh", &["-c", &commands]).current_dir(&folder).output();
    let run = run.expect("sh runs");
    let told = String::from_utf8_lossy(&[run.stdout, run.stderr].concat()).into_owned();
    assert!(run.status.success() && told.contains("Sealed"), "{told}");
    // What is in that file opens it elsewhere.
    let key = folder.join("recovery.txt");
    let other =
        world.laptop("other").with_env("CO_SEAL_KEY", &fs::read_to_string(key).expect("it"));
    other.co(&["init", &url, "--yes"]);
    assert_eq!(other.facts(), ["The build server is called forge"]);
}
