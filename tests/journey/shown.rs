//! What a review shows is what an import does.

use crate::support::{World, terminal::screen};
use std::fs;

#[test]
fn an_edit_that_drives_a_text_out_shows_both() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", "coffee"]);
    let source = a.home.join("s");
    a.co(&["identity", "export", "--format", "dir", &source.display().to_string()]);
    let path = a.file_of("coffee");
    let here = a.read(&path);
    let at = "updated: 2026-12-05T00:00:00Z\n---";
    let text = |word: &str| here.replacen("\n---", &format!("\n{at}"), 1).replace("coffee", word);
    let bare = |text: String| -> String {
        text.lines()
            .filter(|line| !line.starts_with("checksum"))
            .map(|line| format!("{line}\n"))
            .collect()
    };
    a.write(&path, &bare(text("water is fine")));
    fs::write(source.join(&path), bare(text("tea is fine"))).expect("written");
    fs::remove_file(source.join("manifest.md")).expect("removed");
    let source = source.display().to_string();
    let shown = a.co(&["diff", &source]);
    assert!(shown.contains("Edited (1)") && shown.contains("Learned (1)"), "{shown}");
    let before = a.facts().len();
    a.co(&["identity", "import", "--yes", &source]);
    assert_eq!(a.facts().len(), before + 1);
}

#[test]
fn what_an_import_leaves_as_it_is_here_is_named() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes", "--name", "Old"]);
    let source = a.home.join("s").display().to_string();
    a.co(&["identity", "export", "--format", "dir", &source]);
    let profile = a.read("profile.md").replace("Name: Old", "Name: New");
    let profile: String = profile
        .lines()
        .filter(|line| !line.starts_with("checksum"))
        .map(|line| {
            if line.starts_with("updated:") {
                "updated: 2027-01-01T00:00:00Z\n".to_owned()
            } else {
                format!("{line}\n")
            }
        })
        .collect();
    a.write("profile.md", &profile);
    for verb in [&["diff", &source][..], &["identity", "import", "--yes", &source]] {
        let said = a.co(verb);
        assert!(said.contains("profile.md  unchanged here"), "{said}");
        assert!(said.contains("Name"), "{said}");
    }
}

#[test]
fn the_command_at_the_end_does_what_was_shown() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", "One"]);
    let source = a.home.join("a folder").display().to_string();
    a.co(&["identity", "export", "--format", "dir", &source]);
    a.co(&["learn", "Two"]);
    a.co(&["forget", "--yes", "1"]);
    let shown = a.co(&["diff", "--restore-forgotten", &source]);
    let end = format!("`co identity import '{source}' --merge --restore-forgotten`");
    assert!(shown.contains(&end), "{shown}");
    a.co(&["identity", "import", &source, "--merge", "--restore-forgotten", "--yes"]);
    assert_eq!(a.facts(), ["One", "Two"]);
}

#[test]
fn a_hook_never_ends_with_two() {
    let world = World::new();
    let a = world.laptop("a");
    for globals in [&[][..], &["-C", "/tmp"], &["--identity", "/tmp"], &["--color", "never"]] {
        for json in [&[][..], &["--json"]] {
            let words = [json, globals, &["hook", "bogus"]].concat();
            assert_eq!(a.try_co(&words).code, 10, "{words:?}");
        }
    }
    assert_eq!(a.try_co(&["-C", "hook", "bogus"]).code, 2);
}

#[test]
fn json_is_one_envelope_with_stamps_in_utc_everywhere() {
    let world = World::new();
    let a = world.laptop("a").with("TZ", "America/Los_Angeles");
    a.co(&["init", "--yes", "--timezone", "America/Los_Angeles"]);
    a.co(&["learn", "Prefers tea"]);
    a.co(&["sync"]);
    for arguments in [
        &["list"][..],
        &["recall", "tea"],
        &["show", "1"],
        &["log"],
        &["log", "1"],
        &["status"],
        &["--version"],
        &["--help"],
        &["man"],
        &["completions", "zsh"],
        &["help", "json"],
    ] {
        let said = a.json(arguments);
        assert_eq!((&said["schema"], &said["ok"]), (&"co/1".into(), &true.into()), "{arguments:?}");
        let text = said.to_string();
        let stamps = text.match_indices("2026-").map(|(at, _)| &text[at..]);
        for stamp in stamps.filter(|stamp| stamp.as_bytes().get(10) == Some(&b'T')) {
            let end = stamp.find(['"', '\\', ' ']).unwrap_or(stamp.len());
            assert!(stamp[..end].ends_with('Z'), "{arguments:?}: {}", &stamp[..end]);
        }
    }
}

#[test]
fn status_promises_nothing_for_files_that_stay_behind() {
    let world = World::new();
    let remote = world.remote();
    let a = world.laptop("a");
    a.co(&["init", "--yes", &remote]);
    a.write("traits/loud.md", "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n");
    assert!(a.co(&["status"]).contains("1 file to commit"));
    a.fails(6, &["sync"]);
    let status = a.co(&["status"]);
    assert!(status.contains("committed and pushed"), "{status}");
    assert!(status.contains("1 file held back: `co check` says why"), "{status}");
    assert!(a.co(&[]).contains("1 file held back"));
    // Changed again it may be mended: the next sync looks.
    a.write("traits/loud.md", "quiet\n");
    assert!(a.co(&["status"]).contains("1 file to commit"));
    a.co(&["sync"]);
    assert!(!a.co(&["status"]).contains("behind"));
}

#[test]
fn what_only_reads_does_not_say_that_nothing_was_changed() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", "Likes tea"]);
    a.co(&["learn", "Rows on Tuesdays"]);
    // Plain git can publish a number twice.
    let other = a.read(&a.file_of("Rows")).replace("Rows on Tuesdays", "Lives in Seattle");
    let other: String = other
        .lines()
        .filter(|line| !line.starts_with("checksum"))
        .map(|line| format!("{line}\n"))
        .collect();
    a.write("knowledge/memories/002-lives-in-seattle.md", &other);
    for typed in ["2", "002", "mem-002", "mem-2", " 2 "] {
        for verb in [&["show", typed][..], &["memory", "show", typed]] {
            let said = a.fails(3, verb);
            assert!(said.contains("matches several facts"), "{verb:?}: {said}");
            assert!(!said.contains("nothing was changed"), "{verb:?}: {said}");
        }
    }
    // A source that is refused, whether it is compared or imported.
    let outside = a.home.join("outside");
    fs::create_dir_all(outside.join("traits")).expect("a folder");
    std::os::unix::fs::symlink("/etc/hostname", outside.join("profile.md")).expect("a link");
    fs::write(a.home.join("text.tar.gz"), "no archive").expect("written");
    fs::write(a.home.join("text.zip"), "no archive").expect("written");
    for source in ["outside", "text.tar.gz", "text.zip"] {
        let source = a.home.join(source).display().to_string();
        let said = a.try_co(&["diff", &source]);
        assert_ne!(said.code, 0, "{source}: {}", said.out);
        assert!(!said.err.contains("nothing was changed"), "{source}: {}", said.err);
    }
}

#[test]
fn what_is_wider_than_the_screen_goes_on_below_where_it_began() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let long = [
        "https://example.org/a/very/long/path/that/never/ends/and/goes/on?with=query&and=more",
        "/usr/local/share/application/support/of/somebody/who/likes/deep/folders/file.txt",
        "git@github.com:an-organisation-with-a-long-name/a-repository-with-a-longer-name.git",
        "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ];
    for (at, word) in long.into_iter().enumerate() {
        a.co(&["learn", &format!("Look {word} up")]);
        let number = (at + 1).to_string();
        for columns in [40, 33] {
            for verb in [&["list"][..], &["show", &number], &["recall", "look"]] {
                let said = screen(&a, columns, verb, &[]);
                let of_co = |line: &&str| !line.starts_with("fact ") && !line.starts_with('~');
                for line in said.lines().filter(|line| !line.is_empty()).filter(of_co) {
                    assert!(line.starts_with("  "), "{columns} {verb:?}: {line:?} in\n{said}");
                    assert!(line.chars().count() <= usize::from(columns), "{line:?}");
                }
            }
            // Nothing of it is lost.
            let said = screen(&a, columns, &["show", &number], &[]);
            let joined: String = said.split_whitespace().collect();
            assert!(joined.contains(word), "{columns}: {said}");
        }
    }
}
