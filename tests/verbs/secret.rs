//! `co secret` with a real keyring: gnome-keyring on a private D-Bus, beside `secret-tool` and
//! Python's keyring. The value is nowhere but in the keyring.

use crate::support::{
    Laptop, Session, World, files_containing, objects_contain, require_tool, tree, whole::whole,
};
use std::{
    fs,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread,
};

const VALUE: &str = "zebra-crossing-Vq7tB2nX";

fn with_keyring(world: &World) -> Option<(Laptop, Session)> {
    let laptop = world.laptop("a");
    let session = Session::start(&laptop.home)?;
    let laptop = laptop.with_env("DBUS_SESSION_BUS_ADDRESS", &session.address);
    laptop.co(&["init", "--yes", "--name", "Bin"]);
    Some((laptop, session))
}

fn stored(laptop: &Laptop, name: &str, value: &str) -> String {
    let said = laptop.piped(value, &["secret", "set", name]);
    assert_eq!(said.code, 0, "{}", said.err);
    said.out
}

#[test]
fn what_co_stores_others_find_and_the_reverse() {
    let world = World::new();
    let Some((a, session)) = with_keyring(&world) else { return };
    let lookup = |name: &str| {
        session.run("secret-tool", &["lookup", "service", "co-cli", "username", name], "")
    };
    assert!(stored(&a, "staging-token", &format!("{VALUE}\n")).contains("Stored staging-token"));
    assert_eq!(
        (lookup("staging-token"), a.co(&["secret", "get", "staging-token"])),
        (VALUE.into(), VALUE.into()),
        "without the line end"
    );
    session.run(
        "secret-tool",
        &["store", "--label=theirs", "service", "co-cli", "username", "from-tool"],
        "t00l",
    );
    assert_eq!(a.co(&["secret", "get", "from-tool"]), "t00l");
    assert!(stored(&a, "from-tool", "changed").contains("Replaced from-tool"));
    assert_eq!(lookup("from-tool"), "changed");
    stored(&a, "lines", "first\nsecond\n\n");
    assert_eq!(a.co(&["secret", "get", "lines"]), "first\nsecond\n");

    let list = a.co(&["secret", "list"]);
    assert!(
        ["from-tool", "lines", "staging-token"].iter().all(|name| list.contains(name)),
        "{list}"
    );
    let json = a.co(&["secret", "list", "--json"]);
    assert!(!json.contains(VALUE) && !json.contains("changed") && !list.contains(VALUE), "{json}");
    assert_eq!(a.json(&["secret", "list"])["data"]["secrets"][0]["name"], "from-tool");
    assert_eq!(a.json(&["secret", "get", "lines"])["data"]["origin"], "keyring");

    a.co(&["secret", "rm", "from-tool"]);
    assert_eq!(lookup("from-tool"), "");
    a.fails(5, &["secret", "rm", "from-tool"]);
    a.fails(5, &["secret", "get", "from-tool"]);
    assert_eq!(
        a.with_env("CO_SECRET_STAGING_TOKEN", "from CI").co(&["secret", "get", "staging-token"]),
        "from CI"
    );
    for bad in ["", "a b", "../x", "-x"] {
        a.fails(2, &["secret", "get", "--", bad]);
    }
    assert_eq!(a.piped("", &["secret", "set", "empty"]).code, 2);
    assert_eq!(a.piped(&"x".repeat(65 * 1024), &["secret", "set", "huge"]).code, 2);
}

#[test]
fn entries_of_several_programs_are_told_apart() {
    let world = World::new();
    let Some((a, session)) = with_keyring(&world) else { return };
    let python = "/usr/bin/python3";
    let keyring = |code: &str| session.run(python, &["-c", &format!("import keyring\n{code}")], "");
    if !require_tool(python) || keyring("print('here')").trim() != "here" {
        eprintln!("skipped: Python's keyring is missing");
        assert!(std::env::var_os("CO_TEST_REQUIRE_TOOLS").is_none(), "CI needs python3-keyring");
        return;
    }
    // Theirs first: co finds it and changes it in place.
    keyring("keyring.set_password('co-cli', 'shared', 'theirs')");
    assert_eq!(a.co(&["secret", "get", "shared"]), "theirs");
    stored(&a, "shared", "ours");
    assert_eq!(keyring("print(keyring.get_password('co-cli', 'shared'))").trim(), "ours");
    stored(&a, "mine", "for python");
    assert_eq!(keyring("print(keyring.get_password('co-cli', 'mine'))").trim(), "for python");
    // Two entries for one name, with different values.
    session.run(
        "secret-tool",
        &["store", "--label=x", "service", "co-cli", "username", "shared", "application", "other"],
        "third",
    );
    let said = a.try_co(&["secret", "get", "shared"]);
    assert!(
        said.code == 0 && said.err.contains("2 entries for shared with different values"),
        "{}",
        said.err
    );
    assert!(a.co(&["secret", "list"]).contains("stored by Python keyring library"));
    stored(&a, "shared", "one for all");
    let said = a.try_co(&["secret", "get", "shared"]);
    assert!(said.out == "one for all" && said.err.is_empty(), "{}", said.err);
    assert_eq!(keyring("print(keyring.get_password('co-cli', 'shared'))").trim(), "one for all");
    assert!(a.co(&["secret", "rm", "shared"]).contains("2 entries"));
    assert_eq!(keyring("print(keyring.get_password('co-cli', 'shared'))").trim(), "None");
}

#[test]
fn the_value_is_nowhere_but_in_the_keyring() {
    let world = World::new();
    let Some((a, _session)) = with_keyring(&world) else { return };
    let (ended, looks) = (AtomicBool::new(false), AtomicU64::new(0));
    thread::scope(|scope| {
        // Every command line on this machine, as fast as it can be read, while the value comes and
        // goes.
        let watch = scope.spawn(|| {
            let mut seen = Vec::new();
            while !ended.load(Ordering::Relaxed) {
                for process in fs::read_dir("/proc").expect("a list").flatten() {
                    let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
                    if line.windows(VALUE.len()).any(|window| window == VALUE.as_bytes()) {
                        seen.push(String::from_utf8_lossy(&line).into_owned());
                    }
                }
                looks.fetch_add(1, Ordering::Relaxed);
            }
            seen
        });
        // A look takes long where there are many processes.
        for round in 0..200 {
            stored(&a, "staging-token", VALUE);
            assert_eq!(a.co(&["secret", "get", "staging-token"]), VALUE);
            if round >= 4 && looks.load(Ordering::Relaxed) > 20 {
                break;
            }
        }
        a.co(&["learn", "staging wants {{secret:staging-token}}"]);
        a.co(&["identity", "sync"]);
        a.co(&["secret", "status"]);
        a.co(&["status"]);
        a.co(&["identity", "log"]);
        a.co(&["context"]);
        ended.store(true, Ordering::Relaxed);
        let (looks, seen) = (looks.load(Ordering::Relaxed), watch.join().expect("the watch ends"));
        assert!(looks > 20 && seen.is_empty(), "{looks} looks: {seen:?}");
    });
    assert!(
        files_containing(world.dir.path(), VALUE).is_empty(),
        "the keyring's own file is encrypted, the others never had it"
    );
    assert!(!objects_contain(&a.identity(), VALUE));
}

#[test]
fn a_value_on_the_command_line_is_refused() {
    let world = World::new();
    let Some((a, _session)) = with_keyring(&world) else { return };
    for arguments in [
        &["secret", "set", "x", VALUE][..],
        &["secret", "set", "x", "-v", VALUE],
        &["secret", "set", "x", "--", VALUE],
    ] {
        let err = a.fails(2, arguments);
        assert!(err.contains("must not be on the command line") && !err.contains(VALUE), "{err}");
    }
    assert!(a.co(&["secret", "list"]).contains("No secrets"));
}

#[test]
fn a_second_laptop_says_what_it_lacks() {
    let world = World::new();
    let remote = world.remote();
    let Some((a, _session)) = with_keyring(&world) else { return };
    stored(&a, "staging-token", VALUE);
    a.co(&["learn", "staging wants {{secret:staging-token}}"]);
    insta::assert_snapshot!(whole(&a.co(&["secret", "status", "--exit-code"])), @"
    staging-token  keyring      knowledge/memories/001-staging-wants-secret-staging-token.md:9
    ✓ This laptop has all of them.
    ");
    a.co(&["identity", "remote", &remote]);
    a.co(&["identity", "sync"]);

    let b = world.laptop("b");
    let session = Session::start(&b.home).expect("as before");
    let b = b.with_env("DBUS_SESSION_BUS_ADDRESS", &session.address);
    insta::assert_snapshot!(whole(&b.co(&["init", "--yes", &remote])), @"✓ Cloned Bin's identity: 1 fact, 2 traits, 0 documents. 1 secret is missing on this laptop: staging-token (`co secret set staging-token`).");
    assert_eq!(b.try_co(&["secret", "status", "--exit-code"]).code, 1);
    insta::assert_snapshot!(whole(&b.co(&["secret", "status"])), @"
    staging-token  missing      knowledge/memories/001-staging-wants-secret-staging-token.md:9
    1 secret is missing on this laptop: `co secret set staging-token`
    ");
    assert!(b.co(&["status"]).contains("1 missing here: staging-token"));
    stored(&b, "staging-token", "another");
    insta::assert_snapshot!(whole(&b.co(&["secret", "status", "--exit-code"])), @"
    staging-token  keyring      knowledge/memories/001-staging-wants-secret-staging-token.md:9
    ✓ This laptop has all of them.
    ");
    assert!(!b.co(&["status"]).contains("missing"));
}

#[test]
fn a_locked_keyring_is_not_an_absent_entry() {
    let world = World::new();
    let Some((a, session)) = with_keyring(&world) else { return };
    stored(&a, "staging-token", VALUE);
    a.co(&["learn", "staging wants {{secret:staging-token}}"]);
    let locked = |a: &Laptop| {
        for arguments in [
            &["secret", "get", "staging-token"][..],
            &["secret", "get", "unknown"],
            &["secret", "rm", "staging-token"],
        ] {
            let err = a.fails(3, arguments);
            assert!(
                err.contains("the keyring is locked")
                    && err.contains("gnome-keyring-daemon --replace --unlock"),
                "{err}"
            );
        }
        let said = a.piped("x", &["secret", "set", "staging-token"]);
        assert!(said.code == 3 && said.err.contains("locked"), "{}", said.err);
        assert_eq!(
            a.with_env("CO_SECRET_STAGING_TOKEN", "x").co(&["secret", "get", "staging-token"]),
            "x",
            "the environment needs no keyring"
        );
    };
    session.run("secret-tool", &["lock", "--collection=login"], "");
    locked(&a);
    drop(session);

    // After a login without its password the keyring knows nothing of what it holds.
    let session = Session::starting_with(
        &a.home,
        "gnome-keyring-daemon --start --components=secrets >/dev/null 2>&1",
    );
    let a = a.with_env("DBUS_SESSION_BUS_ADDRESS", &session.address);
    locked(&a);
    let said = a.try_co(&["secret", "status"]);
    assert!(
        said.out.contains("unknown") && said.err.contains("the keyring is locked"),
        "{}{}",
        said.out,
        said.err
    );
    drop(session);

    let session = Session::start(&a.home).expect("as before");
    assert_eq!(
        a.with_env("DBUS_SESSION_BUS_ADDRESS", &session.address).co(&[
            "secret",
            "get",
            "staging-token"
        ]),
        VALUE,
        "nothing was lost"
    );
}

#[test]
fn without_a_keyring_it_says_what_to_do_and_writes_nothing() {
    if !cfg!(target_os = "linux") {
        eprintln!("skipped: only on Linux a keyring may be missing");
        return;
    }
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let files = tree(&a.home);
    let said = a.piped(VALUE, &["secret", "set", "x"]);
    assert_eq!(said.code, 4, "{}", said.err);
    assert!(!said.err.contains(VALUE));
    insta::assert_snapshot!(whole(&said.err), @"
    error: there is no keyring (no D-Bus session)
    hint: log in to the desktop, or start the command with `dbus-run-session`
    hint: on a server or in CI set CO_SECRET_X; co keeps no value in a plain file
    ");
    for verb in ["get", "rm"] {
        assert_eq!(a.fails(4, &["secret", verb, "x"]), said.err, "{verb}");
    }
    insta::assert_snapshot!(whole(&a.fails(4, &["secret", "list"])), @"
    error: there is no keyring (no D-Bus session)
    hint: log in to the desktop, or start the command with `dbus-run-session`
    hint: on a server or in CI set CO_SECRET_NAME; co keeps no value in a plain file
    ");
    assert_eq!(a.with_env("CO_SECRET_X", "from CI").co(&["secret", "get", "x"]), "from CI");
    assert_eq!(tree(&a.home), files, "no fallback file");
    if !require_tool("dbus-run-session") {
        eprintln!("skipped: dbus-run-session is missing");
        return;
    }
    // A bus on which nothing offers a keyring.
    let policy = "<policy context=\"default\"><allow send_destination=\"*\" \
        eavesdrop=\"true\"/><allow eavesdrop=\"true\"/><allow own=\"*\"/></policy>";
    let config = world.path("bus.conf");
    fs::write(
        &config,
        format!(
            "<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen>{policy}</busconfig>"
        ),
    )
    .expect("written");
    let bin = assert_cmd::cargo::cargo_bin("co");
    let output = a
        .command_of(
            "dbus-run-session",
            &[
                &format!("--config-file={}", config.display()),
                "--",
                &bin.display().to_string(),
                "secret",
                "list",
            ],
        )
        .env_remove("DBUS_SESSION_BUS_ADDRESS")
        .output()
        .expect("it runs");
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.code() == Some(4)
            && err.contains("no program on D-Bus provides the Secret Service"),
        "{err}"
    );
}
