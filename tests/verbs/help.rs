//! The examples in the help of the verbs of every day: there are some, in the manual as well, and
//! each can be typed as it stands.

use crate::support::{Laptop, World};
use std::{fs, os::unix::fs::PermissionsExt};

/// In an order in which each finds what it needs.
const DAILY: [&str; 15] = [
    "learn", "recall", "list", "show", "edit", "confirm", "pin", "log", "forget", "undo", "sync",
    "status", "diff", "check", "review",
];

/// What is typed, of each example in a help text; its description is behind three spaces.
fn examples(help: &str) -> Vec<String> {
    let behind = help.split_once("Examples:\n").map_or("", |(_, behind)| behind);
    let lines = behind.lines().take_while(|line| line.starts_with("  co "));
    lines.filter_map(|line| line.trim().split("   ").next()).map(str::to_owned).collect()
}

/// A laptop with enough facts for any number in an example, and a systemd that agrees to
/// everything.
fn laptop(world: &World) -> Laptop {
    let bin = world.path("bin");
    fs::create_dir_all(&bin).expect("a folder");
    for timer in ["systemctl", "launchctl"] {
        fs::write(bin.join(timer), "#!/bin/sh\nexit 0\n").expect("a program");
        let everybody = fs::Permissions::from_mode(0o755);
        fs::set_permissions(bin.join(timer), everybody).expect("it can be run");
    }
    std::os::unix::fs::symlink(assert_cmd::cargo::cargo_bin("co"), bin.join("co")).expect("linked");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").expect("a path"));
    let a = world.laptop("a").with_env("PATH", &path);
    a.co(&["init", "--yes", "--name", "Bin", "--remote", &world.remote()]);
    let subjects = ["tabs", "trains", "tea", "tests", "tools", "towns", "tasks", "terms", "times"];
    for (at, subject) in subjects.iter().cycle().take(15).enumerate() {
        a.co(&["learn", &format!("What there is to know about {subject}, part {at}")]);
    }
    a.co(&["sync"]);
    a.co(&["learn", "Runs uv sync before the tests"]);
    a
}

#[test]
fn each_daily_verb_has_two_that_work() {
    let world = World::new();
    let a = laptop(&world);
    for verb in DAILY {
        let help = a.co(&[verb, "--help"]);
        let examples = examples(&help);
        assert!(examples.len() >= 2, "{verb}: {examples:?}");
        let page = a.co(&["man", verb]);
        assert!(page.contains("\nExamples:\n  co "), "{page}");
        for example in examples {
            assert!(example.starts_with(&format!("co {verb}")), "{verb}: {example}");
            let output = a.command_of("sh", &["-c", &example]).output().expect("sh runs");
            let told = [output.stdout, output.stderr].concat();
            let told = String::from_utf8_lossy(&told).into_owned();
            assert!(output.status.success(), "{example}: {told}");
        }
    }
}
