//! When a hand-off from another laptop reaches a session: with its start, also the first of all,
//! and without waiting again and again for a remote that does not answer.

use crate::support::{
    Laptop, World, git,
    handoff::{in_project, laptops},
    projects::clone,
};
use serde_json::Value;
use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

const URL: &str = "git@github.com:bin/billing.git";

fn started(a: &Laptop, project: &Path) -> String {
    let reply = in_project(a, project, &["hook", "session-start", "--agent", "codex"]);
    let reply: Value = serde_json::from_str(&reply).expect("JSON");
    reply["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn the_first_one_comes_with_the_start_of_a_session() {
    let world = World::new();
    let (a, b) = laptops(&world);
    let (on_a, on_b) = (clone(&a, "src/billing", URL), clone(&b, "work/bill", URL));
    assert!(!started(&b, &on_b).contains("Hand-off"));
    in_project(&a, &on_a, &["handoff", "--goal", "Ship the importer"]);
    a.co(&["sync"]);
    // Nothing was synced there since.
    assert!(!b.identity().join("agents").exists());
    let context = started(&b, &on_b);
    assert!(context.contains("│ left by the user on atlas"), "{context}");
    assert!(context.contains("│ Ship the importer\n"), "{context}");
    // Not for a project that is kept out, nor where there is none: nothing is fetched.
    in_project(&a, &on_a, &["handoff", "--goal", "Ship it now"]);
    a.co(&["sync"]);
    b.co(&["hook", "session-start", "--agent", "codex"]);
    b.co(&["config", "set", "agents.notes.exclude", "github.com/bin/*"]);
    started(&b, &on_b);
    assert!(!b.texts().contains("Ship it now"));
    b.co(&["config", "unset", "agents.notes.exclude"]);
    assert!(started(&b, &on_b).contains("Ship it now"));
}

#[test]
fn a_session_that_only_goes_on_waits_for_none() {
    let world = World::new();
    let (a, b) = laptops(&world);
    let (on_a, on_b) = (clone(&a, "src/billing", URL), clone(&b, "work/bill", URL));
    let at = |laptop: &Laptop, hour: &str| {
        laptop.with_env("CO_TEST_CLOCK", &format!("2027-01-20T{hour}:00Z"))
    };
    let leave = |hour: &str, goal: &str| {
        let a = at(&a, hour);
        in_project(&a, &on_a, &["handoff", "--goal", goal]);
        a.co(&["sync"]);
    };
    let told = |hour: &str, agent: &str, input: &str| {
        let folder = on_b.to_str().expect("a path");
        let start = ["-C", folder, "hook", "session-start", "--agent", agent];
        let said = at(&b, hour).piped(input, &start);
        assert_eq!(said.code, 0, "{}", said.err);
        said.out
    };
    // Called before the answer to each prompt of one session.
    let prompt = r#"{"invocationNum": 0}"#;
    leave("09:00", "Ship the importer");
    let said = told("09:01", "antigravity", prompt);
    assert!(said.contains("Ship the importer"), "{said}");
    leave("09:02", "Ship it now");
    let said = told("09:05", "antigravity", prompt);
    assert!(said.contains("Ship the importer") && !said.contains("Ship it now"), "{said}");
    let said = told("09:12", "antigravity", prompt);
    assert!(said.contains("Ship it now"), "{said}");
    // A compaction is no start.
    leave("09:13", "Ship it later");
    let said = told("09:14", "codex", r#"{"source": "compact"}"#);
    assert!(said.contains("Ship it now") && !said.contains("Ship it later"), "{said}");
    let said = told("09:14", "codex", r#"{"source": "startup"}"#);
    assert!(said.contains("Ship it later"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_remote_that_does_not_answer_is_waited_for_once() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new();
    let (a, _) = laptops(&world);
    let project = clone(&a, "src/billing", URL);
    let early = a.with_env("CO_TEST_CLOCK", "2027-01-20T08:00:00Z");
    in_project(&early, &project, &["handoff", "--goal", "Ship the importer"]);
    let remote = a.git(&["remote", "get-url", "origin"]);
    let ssh = a.home.join("ssh");
    fs::write(&ssh, "#!/bin/sh\nexec sleep 1000\n").expect("written");
    fs::set_permissions(&ssh, fs::Permissions::from_mode(0o755)).expect("a program");
    let silent = a.with_env("GIT_SSH_COMMAND", &ssh.display().to_string());
    let at = |hour: &str| silent.with_env("CO_TEST_CLOCK", &format!("2027-01-20T{hour}:00Z"));
    let wait = |hour: &str| {
        let since = Instant::now();
        let context = started(&at(hour), &project);
        assert!(context.contains("Ship the importer"), "{context}");
        since.elapsed()
    };
    // The whole time, of which the rest of a start is no part.
    let whole = Duration::from_secs(2);
    a.git(&["remote", "set-url", "origin", "ssh://git@example.invalid/me.git"]);
    assert!(wait("09:00") >= whole);
    let next = (0..3).map(|_| wait("09:05")).min().expect("three starts");
    assert!(next < whole, "{next:?}");
    // Asked in earnest again after a while, and known to answer as soon as it does.
    assert!(wait("09:30") >= whole);
    a.git(&["remote", "set-url", "origin", remote.trim()]);
    wait("09:31");
    a.git(&["remote", "set-url", "origin", "ssh://git@example.invalid/me.git"]);
    assert!(wait("09:32") >= whole);
}

#[cfg(unix)]
#[test]
fn a_layer_that_does_not_answer_holds_up_no_hand_off() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new();
    let (a, b) = laptops(&world);
    let (on_a, on_b) = (clone(&a, "src/billing", URL), clone(&b, "work/bill", URL));
    git(world.dir.path(), &["init", "-q", "--bare", "-b", "main", "team.git"]);
    b.co(&["layer", "add", "acme", &world.path("team.git").display().to_string(), "--write"]);
    let layer = b.config().join("layers/acme");
    git(&layer, &["remote", "set-url", "origin", "ssh://git@team.invalid/me.git"]);
    // The person's own remote is slower than what a silent one gets.
    let remote = b.git(&["remote", "get-url", "origin"]);
    let remote = format!("ssh://git@example.invalid{}", remote.trim());
    b.git(&["remote", "set-url", "origin", &remote]);
    let ssh = b.home.join("ssh");
    let script = "#!/bin/sh\ncase \"$*\" in *team.invalid*) exec sleep 1000 ;; esac\nsleep 0.2\n\
        for words; do :; done\nexec sh -c \"$words\"\n";
    fs::write(&ssh, script).expect("written");
    fs::set_permissions(&ssh, fs::Permissions::from_mode(0o755)).expect("a program");
    let b = b.with_env("GIT_SSH_COMMAND", &ssh.display().to_string());
    let leave = |goal: &str| {
        in_project(&a, &on_a, &["handoff", "--goal", goal]);
        a.co(&["sync"]);
    };
    let arrives = |goal: &str| {
        let since = Instant::now();
        let context = started(&b, &on_b);
        assert!(context.contains(goal), "{context}");
        since.elapsed()
    };
    leave("Ship the importer");
    let whole = arrives("Ship the importer");
    assert!(whole < Duration::from_secs(5), "what is written here gives a layer no more time");
    arrives("Ship the importer");
    leave("Ship it now");
    arrives("Ship it now");
}
