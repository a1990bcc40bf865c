//! Sealing and joining where the keyring keeps nothing: no key is shown or asked for in vain, and
//! what is said to do instead works.

use crate::support::{
    Laptop, World, git,
    sealed::{Own, empty, joined, sealed},
    terminal,
};
use std::path::Path;

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
