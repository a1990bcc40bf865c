//! Skills that somebody made to do harm, by the table: one with a fault is refused when it is added
//! and reaches no agent when it arrives past co; one that can run something waits, with that named.

use crate::support::{
    World, files,
    pair::{pair, sync},
    skills::waiting,
};
use serde_json::Value;
use std::{fs, path::Path};

const SOUND: &str = "---\nname: deploy\ndescription: Deploys.\n---\n\nRun it.\n";

fn named(name: &str) -> String {
    SOUND.replace("name: deploy", &format!("name: {name}"))
}

fn with_key(line: &str) -> String {
    SOUND.replace("---\n\n", &format!("{line}\n---\n\n"))
}

fn put(folder: &Path, path: &str, bytes: &[u8]) {
    files::put(&folder.join(path), bytes);
}

/// A `SKILL.md` with a fault, and what is named.
fn texts() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let bomb = "---\na: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\n\
        c: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c]\nname: deploy\n\
        description: *d\n---\n";
    let nested = format!("---\nname: deploy\ndescription: {}\n---\n", "[".repeat(20_000));
    let keys: String = (0..20_000).map(|at| format!("k{at}: v\n")).collect();
    let text = |text: &str| text.as_bytes().to_vec();
    vec![
        ("an empty file", text(""), "no `---` block"),
        ("a separator", text(&named("a/b")), "a/b"),
        ("a way up", text(&named("../deploy")), "../deploy"),
        ("a backslash", text(&named("a\\b")), "a\\b"),
        ("a drive", text(&named("'c:x'")), "c:x"),
        ("a NUL in a name", text(&named("\"de\\0ploy\"")), "SKILL.md"),
        ("a tab in a name", text(&named("\"de\\tploy\"")), "SKILL.md"),
        ("a line break in a name", text(&named("\"de\\nploy\"")), "SKILL.md"),
        ("git's folder", text(&named(".git")), ".git"),
        ("a device", text(&named("com1")), "Windows"),
        ("Cyrillic", text(&named("d\u{435}ploy")), "SKILL.md"),
        ("fullwidth", text(&named("\u{ff44}eploy")), "SKILL.md"),
        ("an accent apart", text(&named("deploy\u{301}")), "SKILL.md"),
        ("dotless", text(&named("dep\u{131}oy")), "SKILL.md"),
        ("an unseen letter in a name", text(&named("\"de\\u200bploy\"")), "SKILL.md"),
        ("co's own", text(&named("co-memory")), "co-memory"),
        ("no text for a name", text(&named("[deploy]")), "`name`"),
        (
            "an unseen description",
            text(&SOUND.replace("Deploys.", "\"x\\u200by\"")),
            "`description`",
        ),
        ("an unseen licence", text(&with_key("license: \"\\u202ex\"")), "`license`"),
        ("a NUL", text(&SOUND.replace("Run", "R\0un")), "SKILL.md:6"),
        ("a NUL before what hides", text(&format!("{SOUND}\0\n\u{200b}\n")), "SKILL.md:7"),
        ("marks of direction", text(&SOUND.replace("Run", "\u{202e}Run")), "SKILL.md:6"),
        ("letters of tags", text(&SOUND.replace("Run", "\u{e0052}\u{e0075}")), "SKILL.md:6"),
        ("a terminal's codes", text(&SOUND.replace("Run", "\u{1b}[8mRun")), "SKILL.md:6"),
        ("a bomb of aliases", text(bomb), "`description`"),
        ("brackets in brackets", text(&nested), "SKILL.md"),
        ("too many keys", text(&with_key(&keys)), "64 KiB"),
        ("10 MB", text(&format!("{SOUND}{}", "word ".repeat(2_100_000))), "1 MiB"),
        ("no UTF-8", [SOUND.as_bytes(), b"\xff\xfe\n"].concat(), "UTF-8"),
    ]
}

#[test]
fn a_text_with_a_fault_is_refused_and_named() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    for (what, text, wanted) in texts() {
        let folder = a.home.join("one");
        let _ = fs::remove_dir_all(&folder);
        put(&folder, "SKILL.md", &text);
        let said = a.fails(6, &["skill", "add", "one"]);
        assert!(said.contains(wanted), "{what}: {said}");
        assert!(!a.identity().join("skills").exists(), "{what}");
        assert!(!a.config().join("local/skills").exists(), "{what}");
    }
}

/// Files of a skill, and a word of what is said of them.
#[cfg(target_os = "linux")]
type Case<'a> = (&'a [(&'a str, &'a [u8])], &'a str);

/// Other systems do not take some of these names at all.
#[cfg(target_os = "linux")]
#[test]
fn a_file_with_a_fault_is_refused_and_named() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let long = "deep/".repeat(40) + "x.md";
    let cases: &[Case<'_>] = &[
        (&[("com\u{b9}.txt", b"x")], "Windows"),
        (&[("scripts/lpt9.sh", b"x")], "Windows"),
        (&[("a.md:stream", b"x")], "Windows"),
        (&[("end.", b"x")], "Windows"),
        (&[("what?.md", b"x")], "Windows"),
        (&[(long.as_str(), b"x")], "too long"),
        (&[("..\\up.md", b"x")], "backslash"),
        (&[("\u{202e}gpj.exe", b"x")], "invisible"),
        (&[("a\nb.md", b"x")], "invisible"),
        (&[("a.md", b"x"), ("A.md", b"y")], "another file has this name"),
        (&[("skill.md", SOUND.as_bytes())], "another file has this name"),
        (&[("\u{e9}.md", b"x"), ("e\u{301}.md", b"y")], "another file has this name"),
        (&[("sub/a.md", b"x"), ("SUB/b.md", b"y")], "another spelling"),
        (&[("sub", b"x"), ("SUB/b.md", b"y")], "another spelling"),
        (&[("sub/.git/HEAD", b"ref: refs/heads/main\n"), ("sub/.git/config", b"")], "sub"),
        (&[(".GIT/config", b"x")], ".GIT"),
        (&[("git~1/config", b"x")], "git~1"),
        (&[("more.md", b"a\0\xe2\x80\x8b")], "more.md:1"),
        (&[("run.sh", "#!/bin/sh\n# \u{202e}\n".as_bytes())], "run.sh:2"),
        (&[("id.pem", b"x")], "id.pem"),
    ];
    for (files, wanted) in cases {
        let folder = a.home.join("one");
        let _ = fs::remove_dir_all(&folder);
        put(&folder, "SKILL.md", SOUND.as_bytes());
        for (path, bytes) in *files {
            put(&folder, path, bytes);
        }
        let said = a.fails(6, &["skill", "add", "one"]);
        assert!(said.contains(wanted), "{files:?}: {said}");
        assert!(!a.identity().join("skills").exists(), "{files:?}");
    }
    // Its own history is no part of it, and is said to be left out.
    let folder = a.home.join("one");
    let _ = fs::remove_dir_all(&folder);
    put(&folder, "SKILL.md", SOUND.as_bytes());
    put(&folder, ".git/HEAD", b"ref: refs/heads/main\n");
    put(&folder, ".git/config", b"[core]\n\tfsmonitor = touch pwned\n");
    insta::assert_snapshot!(crate::support::whole::whole(&a.co(&["skill", "add", "one"])), @"
    ✓ Added skill deploy (1 file).
      left out .git
    Undo: `co undo`.
    ");
}

#[test]
fn what_can_run_waits_and_is_named() {
    let world = World::new();
    let (a, b) = pair(&world);
    b.co(&["agent", "install", "codex", "--skills", "--yes"]);
    let cases: &[(&str, &str, &[u8])] = &[
        ("no-mark", "data", b"\x7fELF\x02\x01\0"),
        ("no-ending", "notes", b"#!/bin/sh\nid\n"),
        ("as-picture", "logo.png", b"#!/usr/bin/env python3\n"),
        ("behind-a-mark", "notes", b"\xef\xbb\xbf#!/bin/sh\nid\n"),
        ("windows", "tool.dat", b"MZ\0\x01"),
        ("by-ending", "tool.HTA", b"x"),
        ("saver", "photo.scr", b"x"),
        ("import", "x.pth", b"import os\n"),
        ("library", "x.dylib", b"x"),
        ("page", "help.html", b"<body ONLOAD='x()'>"),
        ("picture", "logo.svg", b"<svg><script>x()</script></svg>"),
        ("shell", ".envrc", b"id\n"),
        ("editor", ".vscode/tasks.json", b"{}"),
        ("server", ".mcp.json", b"{}"),
        ("hook", "hooks/before", b"id\n"),
        ("inline", "more.md", b"Today is !`date`.\n"),
        ("block", "more.md", b"```!\nid\n```\n"),
    ];
    let keys = [
        ("tools", "allowed-tools: Bash(*)"),
        ("hooks", "hooks:\n  PreToolUse: x"),
        ("merged", "base: &b\n  allowed-tools: Bash\n<<: *b"),
    ];
    for (name, path, bytes) in cases {
        a.write(&format!("skills/{name}/SKILL.md"), &named(name));
        put(&a.identity().join("skills").join(name), path, bytes);
    }
    for (name, line) in keys {
        let text = with_key(line).replace("name: deploy", &format!("name: {name}"));
        a.write(&format!("skills/{name}/SKILL.md"), &text);
    }
    a.write("skills/plain/SKILL.md", &named("plain"));
    sync(&[&a, &b]);
    let asked = waiting(&b);
    let all = cases.iter().map(|case| (case.0, case.1));
    for (name, path) in all.chain(keys.map(|(name, _)| (name, "SKILL.md"))) {
        let one = asked.iter().find(|one| one["name"] == name).expect(name);
        let programs = one["programs"].to_string();
        assert!(programs.contains(path), "{name}: {programs}");
        assert!(one["text"].to_string().contains("can run: "), "{name}: {one}");
        assert!(!b.home.join(".agents/skills").join(name).exists(), "{name}");
    }
    assert_eq!(asked.len(), cases.len() + keys.len() + 1);
    let plain = asked.iter().find(|one| one["name"] == "plain").expect("plain");
    assert_eq!(plain["programs"], serde_json::json!([]));
}

/// Whoever pushes past co gets no agent to read what `skill add` would refuse.
#[test]
fn what_arrives_with_a_fault_reaches_no_agent_and_is_named() {
    let world = World::new();
    let (_, b) = pair(&world);
    b.co(&["agent", "install", "codex", "--skills", "--yes"]);
    let clone = world.path("clone");
    let url = world.path("remote.git").display().to_string();
    crate::support::git(world.dir.path(), &["clone", "-q", &url, "clone"]);
    let all: Vec<_> = texts().into_iter().filter(|(what, ..)| *what != "no UTF-8").collect();
    for (at, (what, text, _)) in all.iter().enumerate() {
        let (name, text) = (format!("skill-{at}"), std::str::from_utf8(text).expect(what));
        let text = text.replace("name: deploy", &format!("name: {name}"));
        put(&clone.join("skills").join(&name), "SKILL.md", text.as_bytes());
    }
    crate::support::git(&clone, &["add", "-A"]);
    crate::support::git(&clone, &["commit", "-qm", "skills"]);
    crate::support::git(&clone, &["push", "-q", "origin", "HEAD"]);
    b.co(&["sync"]);
    assert_eq!(waiting(&b), Vec::<Value>::new());
    let listed = b.json(&["skill", "list"])["data"]["skills"].clone();
    let found = b.json(&["check"])["data"]["findings"].to_string();
    for (at, (what, ..)) in all.iter().enumerate() {
        let name = format!("skill-{at}");
        let one = listed.as_array().expect("skills").iter().find(|one| one["name"] == name);
        assert_eq!(one.expect(what)["state"], "unfit", "{what}");
        assert!(found.contains(&format!("skills/{name}/SKILL.md")), "{what}: {found}");
        assert!(!b.home.join(".agents/skills").join(&name).exists(), "{what}");
    }
}
