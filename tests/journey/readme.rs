//! Every command of the README's journey is run, section by section, by bash, as a reader would
//! type it.

use crate::support::{Laptop, Session, World, git, terminal::screen};
use std::{fs, path::Path, process::Command};

fn commands(section: &str) -> Vec<String> {
    let readme =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("there");
    let start =
        readme.find(&format!("\n## {section}\n")).unwrap_or_else(|| panic!("no section {section}"));
    let text = &readme[start + 4..];
    let text = &text[..text.find("\n## ").unwrap_or(text.len())];
    let commands: Vec<String> =
        text.lines().filter_map(|line| line.strip_prefix("$ ")).map(str::to_owned).collect();
    assert!(!commands.is_empty(), "{section} has no commands");
    commands
}

fn type_in(laptop: &Laptop, remote: &str, section: &str) {
    type_in_session(laptop, remote, section, "unix:path=/nonexistent/bus");
}

fn type_in_session(laptop: &Laptop, remote: &str, section: &str, bus: &str) {
    let bin = assert_cmd::cargo::cargo_bin("co");
    let path = format!(
        "{}:{}",
        bin.parent().expect("a folder").display(),
        std::env::var("PATH").expect("a path")
    );
    for line in commands(section) {
        let mut command = Command::new("bash");
        command.args(["-c", &line]).current_dir(&laptop.home);
        for (name, _) in std::env::vars().filter(|(name, _)| {
            name.starts_with("CO_") || name.starts_with("GIT_") || name.starts_with("XDG_")
        }) {
            command.env_remove(name);
        }
        let output = command
            .env("HOME", &laptop.home)
            .env("PATH", &path)
            .env("REMOTE", remote)
            .env("DBUS_SESSION_BUS_ADDRESS", bus)
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .output()
            .expect("bash runs");
        assert!(
            output.status.success(),
            "{section}: {line}\n{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn the_journey_of_the_readme() {
    let world = World::new();
    let (remote, a, b) = (world.remote(), world.laptop("a"), world.laptop("b"));
    type_in(&a, &remote, "First day");
    a.co(&["identity", "remote", &remote]);
    a.co(&["identity", "sync"]);
    type_in(&b, &remote, "Second laptop");
    assert_eq!(b.facts().len(), 3);
    type_in(&b, &remote, "Review before it changes");
    type_in(&b, &remote, "An agent's session");
    type_in(&b, &remote, "Your agents");
    assert!(b.facts().contains(&"Always run the linter before a commit".to_owned()));
    if let Some(session) = Session::start(&b.home) {
        type_in_session(&b, &remote, "Secrets", &session.address);
    } else {
        // That section ends with a fact.
        b.co(&["learn", "Deploys with fly.io"]);
    }
    type_in(&b, &remote, "When something goes wrong");

    let c = world.laptop("c");
    c.co(&["init", "--yes"]);
    fs::remove_dir_all(c.identity().join(".git")).expect("removed");
    git(&c.home, &["init", "-q", "-b", "main", "dotfiles"]);
    type_in(&c, &remote, "Dotfiles");
    assert!(c.home.join("dotfiles/co-identity/profile.md").is_file());
    assert!(!c.home.join("dotfiles/co-identity/.git").exists());
    assert!(git(&c.home.join("dotfiles"), &["log", "--oneline"]).lines().count() == 1);
}

#[test]
fn the_first_screen_has_both_commands() {
    let readme =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("there");
    let first: Vec<&str> = readme.lines().take(20).collect();
    assert!(
        first.contains(&"    scripts/start.sh") && first.contains(&"    cargo test"),
        "{first:?}"
    );
    assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/start.sh").exists());
}

#[test]
fn the_readme_shows_what_co_prints() {
    let readme =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("there");
    let start = readme.find("```console\n").expect("a session") + "```console\n".len();
    let session = &readme[start..];
    let session = &session[..session.find("```").expect("its end")];
    let world = World::new();
    let remote = world.remote();
    let laptop = |name: &str| {
        let laptop = world.laptop(name);
        let config = format!(
            "[user]\n\tname = Bin\n\temail = b@example.org\n[url \"{remote}\"]\n\tinsteadOf = \
             git@github.com:me/co-identity.git\n"
        );
        fs::write(laptop.home.join(".gitconfig"), config).expect("a configuration");
        laptop
    };
    let (a, b) = (laptop("laptop"), laptop("work"));
    a.co(&["init", "--yes", "--name", "Bin", "git@github.com:me/co-identity.git"]);
    let (mut minute, mut seen) = (0, String::new());
    for line in session.lines().filter(|line| line.contains("$ co ")) {
        let (name, typed) = line.split_once("$ co ").expect("a command");
        let words = words(typed);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        minute += 1;
        let who = if name == "work" { &b } else { &a };
        let who = who.with("CO_TEST_CLOCK", &format!("2026-11-20T09:{minute:02}:00Z"));
        let shown = screen(&who, 100, &words, &[]);
        seen.push_str(&format!("{line}\n{shown}\n"));
    }
    let shown: String =
        session.lines().filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect();
    assert_eq!(seen, shown);
}

/// As a shell splits them.
fn words(line: &str) -> Vec<String> {
    let script = format!("printf '%s\\n' {line}");
    let output = Command::new("bash").args(["-c", &script]).output().expect("bash runs");
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}
