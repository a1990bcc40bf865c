//! More skills that somebody made to do harm: keys that say two things, text that is drawn as
//! nothing, links, names of devices, a skill within a skill, pages. Each is refused and named, or
//! named as what can run. And bytes that only look like hidden text.

use crate::support::{Laptop, World, files, ready::laptop, whole::whole};
use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

const SOUND: &str = "---\nname: deploy\ndescription: Deploys.\n---\n\nRun it.\n";

fn put(folder: &Path, path: &str, bytes: &[u8]) {
    files::put(&folder.join(path), bytes);
}

/// A folder with this `SKILL.md` and nothing else.
fn fresh(a: &Laptop, text: &str) -> PathBuf {
    let folder = a.home.join("one");
    let _ = fs::remove_dir_all(&folder);
    put(&folder, "SKILL.md", text.as_bytes());
    folder
}

#[test]
fn a_text_that_says_two_things_or_hides_one_is_refused() {
    let world = World::new();
    let a = laptop(&world, "a");
    let name = |name: &str| SOUND.replacen("deploy", name, 1);
    let said = |said: &str| SOUND.replace("Deploys.", said);
    let body = |more: &str| format!("{SOUND}{more}\n");
    let long = "a".repeat(65);
    for (text, wanted) in [
        (name("\"deploy \""), "`deploy `"),
        (name("de--ploy"), "two in a row"),
        (name("-deploy"), "begin or end with a hyphen"),
        (name("deploy-"), "begin or end with a hyphen"),
        (name("de_ploy"), "lower-case"),
        (name("deploy.md"), "lower-case"),
        (name(&long), "64 characters"),
        (name("con"), "Windows"),
        (name("~"), "`name`"),
        (said(&"x".repeat(1_025)), "1025 characters"),
        (said("\"   \""), "`description` is empty"),
        (said("[a]"), "`description`"),
        (said("\"\\e[8mx\""), "`description`"),
        (said("\"\\ud800\""), "SKILL.md:3"),
        (said("!!python/object/apply:os.system [id]"), "`description`"),
        (SOUND.replace("---\n\n", "name: other\n---\n\n"), "`name` is duplicated"),
        ("---\nname: deploy\ndescription: x\n".to_owned(), "never closed"),
        ("+++\nname = 'deploy'\n+++\n".to_owned(), "no `---` block"),
        ("---\nb: &b\n  name: deploy\n<<: *b\ndescription: x\n---\n".to_owned(), "`name`"),
        (body("a\u{2028}b"), "SKILL.md:7"),
        (body("pass\u{ad}word"), "SKILL.md:7"),
        (body("a\u{fe0f}\u{fe0f}\u{fe0f}"), "SKILL.md:7"),
        (body("\u{3164}"), "SKILL.md:7"),
        (body("\u{2800}\u{2800}"), "SKILL.md:7"),
        (body(&format!("a{}", "\u{301}".repeat(13))), "SKILL.md:7"),
        (body("a\u{feff}b"), "SKILL.md:7"),
        (body("\u{fff9}a\u{fffb}b"), "SKILL.md:7"),
        (body("\u{e000}"), "SKILL.md:7"),
        (body("\u{9b}8m"), "SKILL.md:7"),
        (body("good\rbad"), "SKILL.md:7"),
        (body("abc\u{8}\u{8}\u{8}xyz"), "SKILL.md:7"),
        (body("\u{1f3f4}\u{e0068}\u{e0069}"), "SKILL.md:7"),
    ] {
        fresh(&a, &text);
        let error = a.fails(6, &["skill", "add", "one"]);
        assert!(error.contains(wanted), "{text:?}: {error}");
        assert!(!a.identity().join("skills").exists(), "{text:?}");
    }
}

#[test]
fn links_and_names_that_lead_elsewhere_are_refused() {
    let world = World::new();
    let a = laptop(&world, "a");
    for (path, to) in [("keys.md", "/etc/passwd"), ("refs", ".."), ("x.md", "nowhere")] {
        let folder = fresh(&a, SOUND);
        symlink(to, folder.join(path)).expect("a link");
        let error = a.fails(6, &["skill", "add", "one"]);
        assert!(error.contains(path) && error.contains("link"), "{path}: {error}");
    }
    for path in ["CONIN$", "refs/conout$.txt", "aux.c", "a ", "\u{202e}gnp.sh", "a\u{200b}.md"] {
        put(&fresh(&a, SOUND), path, b"x");
        let error = a.fails(6, &["skill", "add", "one"]);
        assert!(error.contains("Windows") || error.contains("invisible"), "{path}: {error}");
    }
    let folder = fresh(&a, SOUND);
    fs::rename(folder.join("SKILL.md"), a.home.join("real.md")).expect("moved");
    symlink(a.home.join("real.md"), folder.join("SKILL.md")).expect("a link");
    insta::assert_snapshot!(whole(&a.fails(6, &["skill", "add", "one"])), @"
    error: ~/one was not added: SKILL.md: it is a link to another file
    hint: correct it, then add it again; nothing was changed
    ");
    assert!(!a.identity().join("skills").exists());
}

#[test]
fn what_runs_by_another_way_is_named() {
    let world = World::new();
    let a = laptop(&world, "a");
    for (path, bytes) in [
        ("inner/SKILL.md", "---\nname: co-memory\ndescription: Obey.\n---\n"),
        ("logo.svg", "<svg/ONLOAD\n= 'x()'>"),
        ("a.htm", "<iframe srcdoc='x'>"),
        ("b.html", "<input onfocus=x() autofocus>"),
        ("data", "#! /bin/sh\r\nid\r\n"),
    ] {
        put(&fresh(&a, SOUND), path, bytes.as_bytes());
        let said = a.co(&["skill", "add", "one"]);
        assert!(said.contains("can run") && said.contains(path), "{path}: {said}");
        a.co(&["skill", "remove", "deploy"]);
    }
}

/// A picture has bytes that are controls where they are text.
#[test]
fn bytes_that_are_no_text_hide_nothing_by_their_controls() {
    let world = World::new();
    let a = laptop(&world, "a");
    let picture: Vec<u8> = (1..=255).rev().collect();
    for (path, more, is_taken) in [
        ("logo.bin", "", true),
        ("icon", "", true),
        ("icon", "\u{200b}", false),
        ("icon", "\u{e0052}", false),
        ("logo.dat", "\u{202e}", false),
        ("more.md", "", false),
        ("run.py", "", false),
    ] {
        put(&fresh(&a, SOUND), path, &[picture.as_slice(), more.as_bytes()].concat());
        let said = a.try_co(&["skill", "add", "one"]);
        assert_eq!(said.code == 0, is_taken, "{path} {more:?}: {}{}", said.out, said.err);
        assert!(is_taken || said.err.contains("nobody sees"), "{path} {more:?}: {}", said.err);
        if is_taken {
            a.co(&["skill", "remove", "deploy"]);
        }
    }
}
