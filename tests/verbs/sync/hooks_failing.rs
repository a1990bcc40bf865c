//! A person's git hooks that cannot start or that refuse: found before the push, and named with the
//! file at fault.

use crate::support::{
    Laptop, World,
    hooks::{ELSEWHERE, elsewhere, hook},
    pair::pair,
    terminal::screen_and_bytes,
    tokens::token,
    whole::whole,
};
use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

/// A sync that has something to push is refused at once, with the hook's path; the fact is
/// committed here.
fn refused(a: &Laptop, file: &Path) {
    a.co(&["learn", &format!("Learned before {}", file.display())]);
    let since = Instant::now();
    let said = a.fails(8, &["sync"]);
    assert!(since.elapsed() < Duration::from_secs(30), "{said}");
    assert!(said.contains(&file.display().to_string()), "{said}");
    assert!(said.contains("cannot start") && said.contains("committed on this laptop"), "{said}");
    let doctor = a.try_co(&["doctor"]).out;
    assert!(doctor.contains("cannot start"), "{doctor}");
}

#[test]
fn a_push_hook_that_cannot_start_is_found_before_the_push() {
    let script = "exit 0\n";
    for line in [
        "#!/bin/no-such-shell\n",
        "#!/bin/sh\r\n",
        "#!/bin/sh -e\r\n",
        "#!/usr/bin/env no-such-shell\n",
        "#!/usr/bin/env -S no-such-shell -e\n",
        "#!/usr/bin/env bash\r\n",
        "#!/tmp\n",
        "#! /etc/passwd\n",
    ] {
        let world = World::new();
        let (a, _) = pair(&world);
        a.co(&["sync"]);
        let file = a.identity().join(".git/hooks/pre-push");
        hook(&file, &format!("{line}{script}"));
        refused(&a, &file);
        // Mended, everything goes out.
        hook(&file, "#!/bin/sh\nexit 0\n");
        a.co(&["sync"]);
    }
}

#[test]
fn a_folder_and_a_script_for_scripts_are_found_too() {
    let world = World::new();
    let (a, _) = pair(&world);
    a.co(&["sync"]);
    let file = a.identity().join(".git/hooks/pre-push");
    fs::create_dir_all(&file).expect("a folder");
    refused(&a, &file);
    fs::remove_dir(&file).expect("removed");
    let between = a.home.join("between");
    hook(&between, "#!/bin/no-such-shell\n");
    hook(&file, &format!("#!{}\nexit 0\n", between.display()));
    refused(&a, &file);
}

#[test]
fn it_is_found_where_the_hooks_really_are() {
    for place in ELSEWHERE {
        let world = World::new();
        let (a, _) = pair(&world);
        a.co(&["sync"]);
        hook(&elsewhere(&a, place).join("pre-push"), "#!/bin/sh\r\nexit 0\r\n");
        a.co(&["learn", "Learned meanwhile"]);
        let said = a.fails(8, &["sync"]);
        assert!(said.contains("hooks/pre-push") && said.contains("carriage return"), "{said}");
    }
}

#[test]
fn hooks_that_start_or_that_git_ignores_stop_nothing() {
    for text in [
        "exit 0\n",
        "",
        "#! /bin/sh\nexit 0\n",
        "#!/bin/sh -e\nexit 0\n",
        "#!/usr/bin/env sh\nexit 0\n",
        "#!/usr/bin/env -S sh -e\nexit 0\n",
    ] {
        let world = World::new();
        let (a, _) = pair(&world);
        hook(&a.identity().join(".git/hooks/pre-push"), text);
        a.co(&["learn", "Learned meanwhile"]);
        a.co(&["sync"]);
    }
    let world = World::new();
    let (a, _) = pair(&world);
    let file = a.identity().join(".git/hooks/pre-push");
    hook(&file, "#!/bin/no-such-shell\n");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("set");
    a.co(&["learn", "Not executable"]);
    a.co(&["sync"]);
    fs::remove_file(&file).expect("removed");
    symlink("/nowhere", &file).expect("linked");
    a.co(&["learn", "A broken link"]);
    a.co(&["sync"]);
}

#[test]
fn a_hook_for_references_is_named_and_not_the_address() {
    let world = World::new();
    let (a, b) = pair(&world);
    for laptop in [&a, &b] {
        laptop.co(&["sync"]);
    }
    let file = a.identity().join(".git/hooks/reference-transaction");
    // On a fetch and on a push.
    hook(&file, "#!/bin/no-such-shell\n");
    refused(&a, &file);
    b.co(&["learn", "Learned on b"]);
    b.co(&["sync"]);
    insta::assert_snapshot!(whole(&a.fails(8, &["sync"])), @"
    error: a hook on this laptop cannot start, so git was not run for origin ([world]/a/.config/co-cli/identity/.git/hooks/reference-transaction: its first line names `/bin/no-such-shell`, which cannot be started); your facts are committed on this laptop
    hint: fix the first line of that file, or `chmod -x` it if the hook is not needed; then run `co sync` again
    ");
    // One that refuses.
    hook(&file, "#!/bin/sh\ngrep -q refs/remotes/ && exit 1\nexit 0\n");
    let said = a.fails(8, &["sync"]);
    assert!(said.contains("hook") && !said.contains("identity remote"), "{said}");
    assert!(said.contains("reference-transaction hooks"), "{said}");
    fs::remove_file(&file).expect("removed");
    a.co(&["sync"]);
    b.co(&["sync"]);
    assert_eq!(a.facts(), b.facts());
}

/// The hook's words are told, but not a secret among them, whichever stream it prints to.
#[test]
fn a_secret_that_a_hook_prints_does_not_show() {
    let token = token();
    for script in [
        format!("echo 'no access with {token}'"),
        format!("echo 'no access with {token}' >&2"),
        format!("echo first; printf 'no access with {token}'"),
        format!("echo 'no access with https://me:{token}@example.org/r'"),
        format!("echo 'no access with {token}'; echo '  '"),
    ] {
        let said = sync_with(&script);
        assert!(said.contains("no access with"), "{said}");
        assert!(!said.contains(&token), "{said}");
    }
}

/// A pre-push hook that prints these lines of shell and fails.
fn sync_with(script: &str) -> String {
    let world = World::new();
    let (a, _) = pair(&world);
    a.co(&["sync"]);
    hook(&a.identity().join(".git/hooks/pre-push"), &format!("#!/bin/sh\n{script}\nexit 1\n"));
    a.co(&["learn", "Learned before the hook"]);
    a.fails(8, &["sync"])
}

#[test]
fn the_end_of_what_a_hook_printed_says_why_it_failed() {
    for (script, why, first) in [
        ("echo xbegin >&2; echo 'the tests fail' >&2", "the tests fail", "xbegin"),
        ("seq 1 300000 >&2; echo 'no licence' >&2", "no licence", "299999"),
        ("echo xone; echo 'two is wrong'", "two is wrong", "xone"),
        ("echo xwarn >&2; printf 'lint: 3 faults\\n\\n  \\n' >&2", "lint: 3 faults", "xwarn"),
        ("echo xonly >&2", "xonly", "it printed nothing"),
        ("echo xout; echo xerr >&2; echo xout2", "xerr", "xout"),
        ("true", "it printed nothing", "xbegin"),
        ("echo 'at https://me:xpass@example.org/r'", "at https://example.org/r", "xpass"),
        ("echo 'at https://me:xpass@example.org/r' >&2", "at https://example.org/r", "xpass"),
    ] {
        let said = sync_with(script);
        assert!(said.contains(why) && !said.contains(first), "{script}: {said}");
        assert!(said.contains("committed on this laptop"), "{script}: {said}");
    }
}

/// The process of co is the parent of git, which is the parent of the hook.
#[test]
fn a_push_that_waits_for_a_hook_says_so_and_can_be_stopped() {
    if !Path::new("/proc/self/stat").exists() {
        return;
    }
    for (ending, is_stopped) in
        [("kill -INT $(cut -d' ' -f4 /proc/$PPID/stat); sleep 60", true), ("exit 0", false)]
    {
        let world = World::new();
        let (a, b) = pair(&world);
        a.co(&["sync"]);
        let file = a.identity().join(".git/hooks/pre-push");
        hook(&file, &format!("#!/bin/sh\nsleep 8\n{ending}\n"));
        a.co(&["learn", "Learned before the hook"]);
        let (seen, bytes) = screen_and_bytes(&a, 100, &["sync"], &[]);
        let drawn = String::from_utf8_lossy(&bytes);
        assert!(drawn.contains("Pushing… (waiting for the pre-push hook, "), "{drawn}");
        assert!(drawn.contains(" s; Ctrl-C stops)"), "{drawn}");
        assert!(!seen.contains("waiting for the pre-push hook"), "it goes: {seen}");
        let sentence = "Stopped; your facts are committed here, and the next sync pushes what did \
                        not arrive.";
        let told = seen.split_whitespace().collect::<Vec<_>>().join(" ").contains(sentence);
        assert_eq!(told, is_stopped, "{seen}");
        assert_eq!(a.git(&["status", "--porcelain"]), "", "{seen}");
        b.co(&["sync"]);
        let is_there = b.facts().contains(&"Learned before the hook".to_owned());
        assert_eq!(is_there, !is_stopped, "{seen}");
        fs::remove_file(&file).expect("removed");
        a.co(&["sync"]);
        b.co(&["sync"]);
        assert_eq!(a.facts(), b.facts());
    }
}

/// Only Ctrl-C is watched: another signal ends co at once.
#[test]
fn another_signal_ends_a_push_with_the_process() {
    if !Path::new("/proc/self/stat").exists() {
        return;
    }
    for signal in ["TERM", "USR1", "ALRM"] {
        let world = World::new();
        let (a, _) = pair(&world);
        a.co(&["sync"]);
        let file = a.identity().join(".git/hooks/pre-push");
        let co = "$(cut -d' ' -f4 /proc/$PPID/stat)";
        hook(&file, &format!("#!/bin/sh\nkill -{signal} {co}\nsleep 2\nexit 1\n"));
        a.co(&["learn", "Learned before the hook"]);
        let (seen, _) = screen_and_bytes(&a, 100, &["sync"], &[]);
        assert!(!seen.contains("Stopped") && !seen.contains("error:"), "{signal}: {seen}");
        assert!(a.facts().contains(&"Learned before the hook".to_owned()), "{signal}");
    }
}

#[test]
fn a_sync_says_that_it_waits_for_another() {
    let world = World::new();
    let (a, _) = pair(&world);
    a.co(&["sync"]);
    let mark = a.home.join("pushing");
    let script = format!("#!/bin/sh\n: >'{}'\nsleep 6\n", mark.display());
    hook(&a.identity().join(".git/hooks/pre-push"), &script);
    a.co(&["learn", "Learned before the hook"]);
    let mut first = a.command(&["sync"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let since = Instant::now();
    while !mark.exists() {
        assert!(since.elapsed() < Duration::from_secs(60), "the first pushes nothing");
        thread::sleep(Duration::from_millis(20));
    }
    let (_, bytes) = screen_and_bytes(&a, 100, &["sync"], &[]);
    let drawn = String::from_utf8_lossy(&bytes);
    assert!(drawn.contains("Waiting for another co sync…"), "{drawn}");
    let ended = first.as_mut().expect("co runs").wait().expect("it ends");
    assert!(ended.success());
    // Nobody waits for one that is alone.
    let (_, bytes) = screen_and_bytes(&a, 100, &["sync"], &[]);
    assert!(!String::from_utf8_lossy(&bytes).contains("Waiting for another"));
}
