//! Hooks that git runs for co and that do not end.

use crate::support::{
    Laptop, World,
    hooks::{ELSEWHERE, elsewhere, hook},
    pair::pair,
    ready::bare,
    waiting::at_once,
};
use std::{
    fs,
    path::Path,
    thread,
    time::{Duration, Instant},
};

/// A sync waits for the hook no longer than that, and names it.
fn names(a: &Laptop, file: &Path, seconds: u64) {
    let since = Instant::now();
    let said = a.fails(8, &["sync"]);
    assert!(since.elapsed() < Duration::from_secs(seconds + 30), "{said}");
    let resolved = file.canonicalize().expect("a hook").display().to_string();
    let is_named = said.contains(&file.display().to_string()) || said.contains(&resolved);
    assert!(is_named, "{}: {said}", file.display());
    assert!(said.contains(&format!("did not end within {seconds} s")), "{said}");
    assert!(said.contains("committed on this laptop"), "{said}");
    assert!(said.contains("core.hooksPath") && !said.contains("cannot be reached"), "{said}");
}

/// Hooks that do not end: they print nothing, something once, or without end.
const ENDLESS: [&str; 13] = [
    "#!/bin/sh\nsleep 1000\n",
    "#!/bin/sh\nexec sleep 1000\n",
    "#!/bin/sh -e\necho 'checking' >&2\nsleep 1000\n",
    "#!/usr/bin/env sh\nwhile :; do sleep 1; done\n",
    "sleep 1000\n",
    "#!/bin/sh\ncat >/dev/null\nsh -c 'sleep 1000' &\nwait\n",
    "#!/bin/sh\nyes\n",
    "#!/bin/sh\nexec yes\n",
    "#!/bin/sh\nwhile :; do echo x; done\n",
    "#!/bin/sh\nwhile :; do echo x >&2; done\n",
    "#!/bin/sh\nwhile :; do echo checking; sleep 0.3; done\n",
    "#!/bin/sh\ncat /dev/zero\n",
    "#!/usr/bin/env sh\nyes >&2 & yes\n",
];

/// A push that such a hook holds up ends and names it; without it, the next sync pushes.
fn is_ended_and_named(text: &str) {
    let world = World::new();
    let (a, b) = pair(&world);
    a.co(&["config", "set", "sync.timeout", "1"]);
    let file = a.identity().join(".git/hooks/pre-push");
    hook(&file, text);
    a.co(&["learn", "Learned before the hook"]);
    names(&a, &file, 30);
    fs::remove_file(&file).expect("removed");
    a.co(&["config", "set", "sync.timeout", "20"]);
    a.co(&["sync"]);
    b.co(&["sync"]);
    assert_eq!(a.facts(), b.facts());
}

/// One that git finds elsewhere is named by the path where it is.
fn is_named_at_its_real_path(place: (&str, &str)) {
    let world = World::new();
    let (a, _) = pair(&world);
    a.co(&["config", "set", "sync.timeout", "1"]);
    hook(&elsewhere(&a, place).join("pre-push"), "#!/bin/sh\nsleep 1000\n");
    a.co(&["learn", "Learned before the hook"]);
    let said = a.fails(8, &["sync"]);
    assert!(said.contains("hooks/pre-push did not end within 30 s"), "{said}");
}

/// A hook that has ended is not blamed for a remote that says nothing: ssh answers whoever fetches,
/// and nobody who pushes.
fn is_not_blamed_for_a_silent_remote(silent: &str) {
    let world = World::new();
    let (a, _) = pair(&world);
    let program = a.home.join("ssh");
    let script = format!(
        "#!/bin/sh\nfor last; do :; done\ncase \"$last\" in *receive-pack*) {silent};; esac\n\
         eval \"$last\"\n"
    );
    hook(&program, &script);
    let a = a.with_env("GIT_SSH_COMMAND", &program.display().to_string());
    a.git(&["remote", "set-url", "origin", &format!("ssh://git@example.org{}", world.remote())]);
    a.co(&["sync"]);
    a.co(&["config", "set", "sync.timeout", "1"]);
    hook(&a.identity().join(".git/hooks/pre-push"), "#!/bin/sh\nexit 0\n");
    a.co(&["learn", "Learned before the silence"]);
    let said = a.fails(8, &["sync", "--require-remote"]);
    assert!(said.contains("cannot be reached") && !said.contains("pre-push"), "{said}");
}

/// co is patient for half a minute, so all of them wait together.
#[test]
fn a_push_that_is_held_up_ends_and_names_the_hook_only_if_it_is_one() {
    thread::scope(|scope| {
        scope.spawn(|| at_once(&ENDLESS, is_ended_and_named));
        scope.spawn(|| at_once(&ELSEWHERE, is_named_at_its_real_path));
        scope.spawn(|| {
            at_once(&["sleep 1000", "exec sleep 1000"], is_not_blamed_for_a_silent_remote)
        });
    });
}

#[test]
fn a_hook_for_references_is_named_on_a_fetch_and_on_a_push() {
    let hooks = [
        "#!/bin/sh\nsleep 1000\n",
        "#!/bin/sh\nexec sleep 1000\n",
        "sleep 1000\n",
        "#!/bin/sh\nmkfifo \"$0.pipe\"\nread line <\"$0.pipe\"\n",
        "#!/usr/bin/env sh\ntail -f /dev/null\n",
    ];
    at_once(&hooks, |text| {
        let world = World::new();
        let (a, b) = pair(&world);
        a.co(&["config", "set", "sync.timeout", "5"]);
        let file = a.identity().join(".git/hooks/reference-transaction");
        hook(&file, text);
        a.co(&["learn", "Learned on a"]);
        names(&a, &file, 5);
        fs::remove_file(&file).expect("removed");
        a.co(&["sync"]);
        b.co(&["sync"]);
        b.co(&["learn", "Learned on b"]);
        b.co(&["sync"]);
        hook(&file, text);
        names(&a, &file, 5);
        fs::remove_file(&file).expect("removed");
        a.co(&["sync"]);
        assert_eq!(a.facts(), b.facts());
    });
}

#[derive(Clone, Copy)]
enum Whose {
    Laptop,
    Remote,
}

/// A hook that holds up a sync with a local remote ends and is named.
fn hook_is_named(whose: Whose, name: &str, text: &str) {
    let world = World::new();
    let (a, _) = pair(&world);
    a.co(&["config", "set", "sync.timeout", "5"]);
    let remote = bare(&world);
    let folder = match whose {
        Whose::Laptop => a.identity().join(".git/hooks"),
        Whose::Remote => remote.join("hooks"),
    };
    let file = folder.join(name);
    hook(&file, text);
    a.co(&["learn", "Learned before the hook"]);
    names(&a, &file, 5);
    fs::remove_file(&file).expect("removed");
    // The git that ran there could not remove its own.
    for lock in ["refs/heads/main.lock", "HEAD.lock"] {
        let _ = fs::remove_file(remote.join(lock));
    }
    a.co(&["sync"]);
}

#[test]
fn a_hanging_hook_of_a_local_remote_is_named() {
    at_once(&["pre-receive", "update", "reference-transaction", "post-receive"], |name| {
        hook_is_named(Whose::Remote, name, "#!/bin/sh\nsleep 1000\n");
    });
}

#[test]
fn hooks_of_references_and_of_a_local_remote_are_named_while_they_print() {
    let printing = "#!/bin/sh\nwhile :; do echo x; echo y >&2; sleep 0.2; done\n";
    at_once(
        &[
            (Whose::Laptop, "reference-transaction"),
            (Whose::Remote, "pre-receive"),
            (Whose::Remote, "update"),
            (Whose::Remote, "post-receive"),
        ],
        |(whose, name)| hook_is_named(whose, name, printing),
    );
}

#[test]
fn a_hook_that_prints_much_and_ends_is_no_hindrance() {
    let much = [
        "#!/bin/sh\nyes | head -c 30000000\n",
        "#!/bin/sh\nyes | head -c 30000000 >&2\n",
        "#!/bin/sh\nfor i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.5; done\n",
        "#!/bin/sh\n(while :; do echo x; sleep 0.2; done) &\nexit 0\n",
        "#!/bin/sh\necho checked\n",
    ];
    at_once(&much, |text| {
        let world = World::new();
        let (a, b) = pair(&world);
        a.co(&["config", "set", "sync.timeout", "2"]);
        hook(&a.identity().join(".git/hooks/pre-push"), text);
        a.co(&["learn", "Learned before the hook"]);
        a.co(&["sync"]);
        b.co(&["sync"]);
        assert_eq!(a.facts(), b.facts(), "{text}");
    });
}
