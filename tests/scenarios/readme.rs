//! Every command of the README's journey is run by bash, section by section, as a reader would type
//! it.

use crate::support::{Laptop, Session, World, files::put, git, terminal::screen};
use std::{fs, io::Write, path::Path, process::Command};

fn page(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("there")
}

fn commands(name: &str) -> Vec<String> {
    let text = page(&format!("docs/{name}.md"));
    let commands: Vec<String> =
        text.lines().filter_map(|line| line.strip_prefix("$ ")).map(str::to_owned).collect();
    assert!(!commands.is_empty(), "{name} has no commands");
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
    // What a person types at a prompt; commands that are told everything do not read it.
    let typed = laptop.home.with_extension("typed");
    fs::write(&typed, "the value\n").expect("written");
    for line in commands(section) {
        let line = line.replace("git@github.com:me/co-identity.git", remote);
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
            .stdin(fs::File::open(&typed).expect("there"))
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
    type_in(&a, &remote, "first-day");
    a.co(&["identity", "remote", &remote]);
    a.co(&["identity", "sync"]);
    type_in(&b, &remote, "second-laptop");
    assert_eq!(b.facts().len(), 3);
    type_in(&b, &remote, "review");
    type_in(&b, &remote, "sessions");
    // A page that was saved, and a folder of notes.
    for (file, text) in [
        ("Downloads/tea.html", "<title>On tea</title><p>Oolong wants hot water.</p>"),
        ("handbook/start.md", "# Start\n\nSee [[Deploy]]. #handbook\n"),
        ("handbook/guide/deploy.md", "Up: [start](../start.md)\n"),
    ] {
        put(&b.home.join(file), text);
    }
    type_in(&b, &remote, "documents");
    // An agent that is installed there, with rules of its own.
    fs::create_dir_all(b.home.join(".cursor")).expect("a folder");
    fs::create_dir_all(b.home.join(".codex")).expect("a folder");
    let rules = "# My rules\n\n- Always run the linter before a commit\n";
    fs::write(b.home.join(".codex/AGENTS.md"), rules).expect("rules");
    // What a service lets a person download.
    let mut zip = zip::ZipWriter::new(fs::File::create(b.home.join("chatgpt.zip")).expect("made"));
    let member = zip.start_file("conversations.json", zip::write::SimpleFileOptions::default());
    member.expect("a member");
    zip.write_all(b"[{\"title\":\"Trip\",\"mapping\":{}}]").expect("written");
    zip.finish().expect("an archive");
    type_in(&b, &remote, "agents");
    for (place, name) in [("deploy", "deploy"), (".agents/skills/tidy", "tidy")] {
        fs::create_dir_all(b.home.join(place)).expect("a folder");
        let text = format!("---\nname: {name}\ndescription: For tests\n---\n");
        fs::write(b.home.join(place).join("SKILL.md"), text).expect("written");
    }
    type_in(&b, &remote, "skills");
    b.co(&["agent", "uninstall", "--all", "--yes"]);
    assert_eq!(fs::read_to_string(b.home.join(".codex/AGENTS.md")).expect("rules"), rules);
    assert!(b.facts().contains(&"Always run the linter before a commit".to_owned()));
    if let Some(session) = Session::start(&b.home) {
        type_in_session(&b, &remote, "secrets", &session.address);
    } else {
        // That section ends with a fact.
        b.co(&["learn", "Deploys with fly.io"]);
    }
    type_in(&b, &remote, "troubles");

    let c = world.laptop("c");
    c.co(&["init", "--yes"]);
    fs::remove_dir_all(c.identity().join(".git")).expect("removed");
    git(&c.home, &["init", "-q", "-b", "main", "dotfiles"]);
    type_in(&c, &remote, "dotfiles");
    assert!(c.home.join("dotfiles/co-identity/profile.md").is_file());
    assert!(!c.home.join("dotfiles/co-identity/.git").exists());
    assert!(git(&c.home.join("dotfiles"), &["log", "--oneline"]).lines().count() == 1);
}

#[test]
fn the_first_screen_sells_and_the_rest_is_on_pages() {
    let readme = page("README.md");
    let lines: Vec<&str> = readme.lines().collect();
    assert!(lines.len() <= 120, "{} lines", lines.len());
    let first = &lines[..20];
    for wanted in ["    scripts/start.sh", "docs/terminal.svg", "co init", "co sync"] {
        assert!(first.iter().any(|line| line.contains(wanted)), "{wanted}");
    }
    let contributing = readme.split_once("## Contributing").expect("a section").1;
    assert!(contributing.contains("    cargo test"));
}

#[test]
fn the_readme_shows_what_co_prints() {
    let readme = page("README.md");
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
        let who = who.with_env("CO_TEST_CLOCK", &format!("2026-11-20T09:{minute:02}:00Z"));
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

/// The picture of the README is its session, which the test above compares with what co prints.
/// `CO_BLESS=1` writes it.
#[test]
fn the_picture_is_a_real_session() {
    let readme = page("README.md");
    let start = readme.find("```console\n").expect("a session") + "```console\n".len();
    let session = &readme[start..];
    let picture = picture(&session[..session.find("```").expect("its end")]);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/terminal.svg");
    if std::env::var_os("CO_BLESS").is_some() {
        fs::write(&file, &picture).expect("written");
    }
    let committed = fs::read_to_string(&file).unwrap_or_default();
    assert!(committed == picture, "{} is stale: CO_BLESS=1 cargo test picture", file.display());
}

/// A terminal with a session, as SVG: one row for each line, typed commands bold, marks in green.
fn picture(session: &str) -> String {
    const ROW: usize = 20;
    let lines: Vec<&str> = session.trim_end().lines().collect();
    let height = lines.len() * ROW + 36;
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
    let row = |(at, line): (usize, &&str)| {
        let y = at * ROW + 32;
        let (prompt, typed) = match line.split_once("$ ") {
            Some((name, typed)) if !name.contains(' ') => (format!("{name}$ "), Some(typed)),
            _ => (String::new(), None),
        };
        let text = match typed {
            Some(typed) => format!(
                "<tspan class=\"p\">{}</tspan><tspan class=\"t\">{}</tspan>",
                escaped(&prompt),
                escaped(typed)
            ),
            None => escaped(line).replacen('✓', "<tspan class=\"g\">✓</tspan>", 1).replacen(
                " + ",
                " <tspan class=\"g\">+</tspan> ",
                1,
            ),
        };
        format!("<text x=\"16\" y=\"{y}\">{text}</text>\n")
    };
    let rows: String = lines.iter().enumerate().map(row).collect();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"820\" height=\"{height}\" role=\"img\" \
         aria-label=\"Two laptops learn a fact each; both know both after a sync\">\n\
         <style>text{{font:14px ui-monospace,Menlo,Consolas,monospace;fill:#d4d4d4;white-space:pre}}\
         .p{{fill:#7aa2f7}}.t{{font-weight:bold;fill:#fff}}.g{{fill:#9ece6a}}</style>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1e1e2e\"/>\n{rows}</svg>\n"
    )
}

/// `start.sh` on a machine that has next to nothing.
#[test]
fn the_start_script_says_what_is_missing() {
    let world = World::new();
    let bin = world.path("bin");
    fs::create_dir_all(&bin).expect("a folder");
    for tool in ["sh", "uname", "sed", "id", "dirname"] {
        let found = Command::new("sh").args(["-c", &format!("command -v {tool}")]).output();
        let found = String::from_utf8(found.expect("sh").stdout).expect("a path");
        std::os::unix::fs::symlink(found.trim(), bin.join(tool)).expect("linked");
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/start.sh");
    let start = || {
        let output = Command::new("sh").arg(&script).env("PATH", &bin).output().expect("sh runs");
        assert_eq!(output.status.code(), Some(4));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let said = start();
    for what in ["git is missing", "cargo is missing", "Rust 1.", "rustup.rs", "C compiler"] {
        assert!(said.contains(what), "{what}: {said}");
    }
    let tell = |name: &str, version: &str| {
        use std::os::unix::fs::PermissionsExt;
        fs::write(bin.join(name), format!("#!/bin/sh\necho '{version}'\n")).expect("written");
        fs::set_permissions(bin.join(name), fs::Permissions::from_mode(0o755)).expect("set");
    };
    tell("git", "git version 2.20.1 (Apple Git-117)");
    tell("cargo", "cargo 1.60.0");
    tell("rustc", "rustc 1.60.0 (7737e0b5c 2022-04-04)");
    tell("cc", "");
    let said = start();
    assert!(said.contains("git 2.20 is too old; co needs 2.30"), "{said}");
    assert!(said.contains("Rust 1.60 is too old") && said.contains("rustup update"), "{said}");
    assert!(!said.contains("C compiler"), "{said}");
}

#[test]
fn the_pages_about_layers_can_be_typed() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    git(world.dir.path(), &["init", "-q", "--bare", "-b", "main", "acme.git"]);
    let team = world.path("acme.git").display().to_string();
    let config = format!("[url \"{team}\"]\n\tinsteadOf = git@github.com:acme/identity.git\n");
    fs::write(a.home.join(".gitconfig"), config).expect("written");
    type_in(&a, "", "team");
    type_in(&a, "", "work-and-private");
    assert!(a.co(&["list"]).contains("Tuesdays") && !a.co(&["list"]).contains("bazel"));
    let work = a.home.join("work").display().to_string();
    let there = a.co(&["-C", &work, "list"]);
    assert!(there.contains("bazel") && !there.contains("Tuesdays"), "{there}");
}
