//! `co identity export` and `import` of archives and folders: an export holds what the next sync
//! would publish, an import says why a fact goes, and one that was killed leaves nothing behind.
//!
//! Invariant: a text that was edited is one version everywhere, whichever way it travelled.

use crate::support::{
    Laptop, World,
    by_hand::at,
    files::put,
    pair::{assert_agree, pair},
    terminal::screen,
    tree,
    whole::whole,
};
use std::{
    fs,
    path::Path,
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

#[test]
fn an_export_takes_up_what_was_done_by_hand() {
    let world = World::new();
    let (a, b) = pair(&world);
    let archive = world.path("x.tar.gz").display().to_string();
    a.edit(&a.file_of("Prefers tabs"), "Prefers tabs", "Prefers spaces");
    fs::remove_file(a.identity().join(a.file_of("Uses SQLAlchemy"))).expect("removed");
    a.co(&["identity", "export", &archive]);
    // On a laptop that knows nothing of the others it is in order.
    let c = world.laptop("c");
    c.co(&["identity", "import", "--yes", &archive]);
    let checked = c.try_co(&["check", "--strict"]);
    assert_eq!(checked.code, 0, "{}", checked.out);
    let memory = c.read(&c.file_of("Prefers spaces"));
    assert!(memory.contains("updated: ") && memory.contains("checksum: sha256:"), "{memory}");
    // On one that has the old text there is one version, before and after they meet.
    b.co(&["identity", "import", "--yes", &archive]);
    let wanted = ["I prefer async/await", "Prefers spaces"];
    assert_eq!(b.facts(), wanted);
    for laptop in [&b, &a, &b] {
        laptop.co(&["sync"]);
    }
    assert_agree(&[&a, &b]);
    assert_eq!(a.facts(), wanted);
}

/// A bare undo is about the export, which changed nothing.
fn newest_before_the_export(laptop: &Laptop) -> String {
    let log = laptop.json(&["log"]);
    format!("o{}", log["data"]["operations"][1]["op"])
}

#[test]
fn an_import_that_takes_back_an_undo_says_so() {
    let world = World::new();
    let (a, _) = pair(&world);
    let archive = world.path("x.tar.gz").display().to_string();
    let import = ["identity", "import", "--dry-run", &archive];
    let take = ["identity", "import", "--yes", &archive];
    // A forgetting that was exported and then undone.
    a.co(&["learn", "Drinks coffee"]);
    a.co(&["forget", "--yes", "Drinks coffee"]);
    a.co(&["identity", "export", &archive]);
    a.co(&["undo", "--yes", &newest_before_the_export(&a)]);
    assert!(a.facts().contains(&"Drinks coffee".to_owned()));
    let review = a.co(&import);
    a.co(&take);
    let stayed = a.facts().contains(&"Drinks coffee".to_owned());
    assert!(stayed || review.contains("the archive's ledger forgets it"), "{review}");
    assert_eq!(stayed, !review.contains("Forgotten"), "what was shown is what is done: {review}");
    // The reverse: a fact that was exported and whose saving was undone.
    fs::remove_file(&archive).expect("removed");
    a.co(&["learn", "Drinks tea"]);
    a.co(&["identity", "export", &archive]);
    a.co(&["undo", "--yes", &newest_before_the_export(&a)]);
    assert!(!a.facts().contains(&"Drinks tea".to_owned()));
    let review = a.co(&import);
    a.co(&take);
    let came = a.facts().contains(&"Drinks tea".to_owned());
    assert!(!came || review.contains("undone here"), "{review}");
    assert_eq!(came, review.contains("Learned"), "what was shown is what is done: {review}");
}

/// A folder of files, and the same as an archive.
fn both(world: &World, name: &str, files: &[(&str, &str)]) -> [String; 2] {
    let folder = world.path(name);
    for (path, text) in files {
        put(&folder.join(path), text);
    }
    let archive = world.path(&format!("{name}.tar"));
    let mut builder = tar::Builder::new(fs::File::create(&archive).expect("created"));
    for (path, text) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        builder.append_data(&mut header, path, text.as_bytes()).expect("packed");
    }
    builder.into_inner().expect("packed");
    [folder.display().to_string(), archive.display().to_string()]
}

const TRAIT: &str = "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n# T\n\n- One\n";

#[test]
fn names_that_mislead_are_left_out_of_an_import_and_listed_before_it() {
    let world = World::new();
    let odd = [
        "traits/\u{1b}[31mred.md",
        "traits/a\u{202e}dm.md",
        "knowledge/notes/line\nend.md",
        "knowledge/zero\u{200b}width.md",
        "knowledge/people/\u{7f}.md",
        "knowledge/\u{9b}2J/x.md",
        "knowledge/con.md",
        "knowledge/reference/LPT1.notes.md",
    ];
    for (at, name) in odd.into_iter().enumerate() {
        let files = [("traits/good.md", TRAIT), ("knowledge/console.md", "Text\n"), (name, TRAIT)];
        for source in both(&world, &format!("s{at}"), &files) {
            let a = world.laptop(&format!("a{at}-{}", source.ends_with(".tar")));
            a.co(&["init", "--yes"]);
            let names = |a: &Laptop| -> Vec<String> {
                a.tree().into_iter().map(|(path, _)| path).collect()
            };
            for verb in [&["diff", &source][..], &["import", "--dry-run", &source]] {
                let said = a.try_co(verb);
                assert!(
                    said.err.contains("left out"),
                    "{verb:?} {name:?}: {}{}",
                    said.out,
                    said.err
                );
                assert!(!said.err.contains(['\u{1b}', '\u{202e}', '\u{9b}']), "{:?}", said.err);
                assert!(!said.out.contains(['\u{1b}', '\u{202e}', '\u{9b}']), "{:?}", said.out);
            }
            let said = a.try_co(&["import", "--yes", &source]);
            assert_eq!(said.code, 0, "{name:?}: {}", said.err);
            assert!(said.err.contains("left out"), "{name:?}: {}", said.err);
            let names = names(&a);
            assert!(!names.iter().any(|path| path == name), "{name:?} was written");
            for good in ["traits/good.md", "knowledge/console.md"] {
                assert!(names.iter().any(|path| path == good), "{good}: {names:?}");
            }
            assert_eq!(a.try_co(&["check", "--strict"]).code, 0, "{name:?}");
        }
    }
}

#[test]
fn a_folder_of_the_identity_alone_is_one_in_an_archive_and_in_a_folder() {
    let world = World::new();
    type Case<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a str);
    let cases: &[Case<'_>] = &[
        (
            "agents",
            &[("agents/claude-code/github.com+a+b/tabs.md", "Tabs.\n")],
            "agents/claude-code/github.com+a+b/tabs.md",
        ),
        ("traits", &[("traits/a.md", TRAIT)], "traits/a.md"),
        ("knowledge", &[("knowledge/people/sarah.md", "S\n")], "knowledge/people/sarah.md"),
        ("profile", &[("profile/identity.md", TRAIT)], "profile/identity.md"),
        ("personality", &[("personality/finch.md", "Chirps\n")], "personality/finch.md"),
        ("skills", &[("skills/tea/SKILL.md", "Tea\n")], "skills/tea/SKILL.md"),
        ("hosts", &[("hosts/atlas/knowledge/x.md", "X\n")], "hosts/atlas/knowledge/x.md"),
        (
            "wrapped",
            &[("my-own/agents/codex/p/x.md", "X\n"), ("my-own/traits/a.md", TRAIT)],
            "agents/codex/p/x.md",
        ),
    ];
    for (name, files, expected) in cases {
        for (at, source) in both(&world, name, files).iter().enumerate() {
            // What wraps an archive wraps no folder.
            if *name == "wrapped" && at == 0 {
                continue;
            }
            let a = world.laptop(&format!("laptop-{name}-{at}"));
            a.co(&["init", "--yes"]);
            a.co(&["import", "--yes", source]);
            assert!(a.identity().join(expected).exists(), "{name}: {}", a.texts());
        }
    }
}

#[test]
fn a_folder_of_another_program_is_no_identity_because_it_has_agents() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let before = a.tree();
    let cases: &[(&str, &[(&str, &str)])] = &[
        ("claude", &[("agents/review.md", "Reviews.\n"), ("settings.json", "{}\n")]),
        ("skills", &[("skills/tea/SKILL.md", "Tea\n"), ("plugins/x.json", "{}\n")]),
        ("code", &[("agents/main.py", "pass\n"), ("README.md", "# Code\n")]),
        ("memories", &[("memories/x.md", "X\n"), ("history.jsonl", "{}\n")]),
        ("empty", &[]),
    ];
    for (name, files) in cases {
        let folder = world.path(&format!("other-{name}"));
        fs::create_dir_all(&folder).expect("a folder");
        for (path, text) in *files {
            put(&folder.join(path), text);
        }
        for verb in [&["import", "--yes"][..], &["diff"]] {
            let said = a.try_co(&[verb, &[&folder.display().to_string()]].concat());
            assert_ne!(said.code, 0, "{name}: {}", said.out);
            assert!(said.err.contains("hint:"), "{name}: {}", said.err);
        }
        assert_eq!(a.tree(), before, "{name}");
    }
}

#[test]
fn an_import_without_a_source_hints_at_the_same_import_with_one() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let forms: &[&[&str]] = &[
        &["--replace"],
        &["--replace", "--yes"],
        &["--replace", "--dry-run"],
        &["--restore-forgotten"],
        &["--merge", "--yes"],
        &["--replace", "--allow-secret", "github-pat"],
        &[],
    ];
    for export in [None, Some("co-identity-atlas.tar.gz"), Some("co-identity two.tar.gz")] {
        if let Some(name) = export {
            a.co(&["export", name]);
        }
        let quoted = match export {
            None => "FILE.tar.gz".to_owned(),
            Some(name) => format!("'{name}'"),
        };
        let before = a.tree();
        for form in forms {
            for verb in [&["import"][..], &["identity", "import"]] {
                let said = a.try_co(&[verb, *form].concat());
                assert_ne!(said.code, 0, "{form:?}");
                let command = [&["co import"][..], *form, &[quoted.as_str()]].concat().join(" ");
                assert!(said.err.contains(&command), "{command}: {}", said.err);
            }
        }
        assert_eq!(a.tree(), before);
        if let Some(name) = export {
            fs::remove_file(a.home.join(name)).expect("removed");
        }
    }
}

/// An archive of so many empty documents.
fn empty_documents(archive: &Path, count: usize) {
    let file = fs::File::create(archive).expect("created");
    let packed = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    let mut builder = tar::Builder::new(packed);
    for number in 0..count {
        let mut header = tar::Header::new_gnu();
        header.set_size(0);
        header.set_mode(0o644);
        let name = format!("co-identity-export/knowledge/reference/note-{number}.md");
        builder.append_data(&mut header, name, std::io::empty()).expect("added");
    }
    builder.into_inner().and_then(flate2::write::GzEncoder::finish).expect("written");
}

#[test]
fn an_archive_with_too_many_files_is_refused_at_once() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", "Mine"]);
    let archive = world.path("many.tar.gz");
    empty_documents(&archive, 25_000);
    let before = a.tree();
    let path = archive.display().to_string();
    for verb in [
        &["identity", "import", "--yes"][..],
        &["identity", "import", "--replace", "--yes"],
        &["identity", "import", "--dry-run"],
        &["diff"],
    ] {
        let began = Instant::now();
        let err = a.fails(6, &[verb, &[&path]].concat());
        assert!(err.replace(',', "").contains("20000"), "{verb:?}: {err}");
        assert!(err.lines().count() <= 4, "{verb:?}: {err}");
        assert!(began.elapsed() < Duration::from_secs(10), "{verb:?}: {:?}", began.elapsed());
    }
    assert_eq!(a.tree(), before);
}

/// The files that a co that writes has staged in an identity or beside it.
fn staged(home: &Path) -> usize {
    tree(home).iter().filter(|(path, _)| path.contains(".co-tmp-")).count()
}

#[test]
fn what_a_killed_import_left_is_gone_after_the_next_command() {
    let world = World::new();
    let archive = world.path("some.tar.gz");
    empty_documents(&archive, 2_000);
    let path = archive.display().to_string();
    for (name, next) in [("a", &["list"][..]), ("b", &["status"]), ("c", &["context"])] {
        let laptop = world.laptop(name);
        laptop.co(&["init", "--yes"]);
        laptop.co(&["learn", "Mine"]);
        let folder = laptop.identity().join("knowledge/reference");
        let mut import = laptop
            .command(&["identity", "import", "--yes", &path])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("co runs");
        let until = Instant::now() + Duration::from_secs(60);
        while fs::read_dir(&folder).map_or(0, Iterator::count) < 100 {
            assert!(Instant::now() < until, "the import writes nothing");
            thread::sleep(Duration::from_millis(1));
        }
        import.kill().expect("killed");
        import.wait().expect("it ends");
        assert!(staged(&laptop.home) > 0, "it was killed while it staged");
        laptop.co(next);
        assert_eq!(staged(&laptop.home), 0, "{next:?}");
        assert_eq!(laptop.facts(), ["Mine"]);
        laptop.co(&["identity", "import", "--yes", &path]);
        assert_eq!(fs::read_dir(&folder).map_or(0, Iterator::count), 2_000);
    }
}

#[test]
fn a_second_export_removes_nothing_that_it_did_not_write() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let folder = a.home.join("out");
    let at = folder.display().to_string();
    a.co(&["identity", "export", "--format", "dir", &at]);
    a.co(&["learn", "Prefers tea"]);
    a.co(&["identity", "export", "--format", "dir", &at]);
    fs::write(folder.join("NOTES.txt"), "mine\n").expect("written");
    a.fails(6, &["identity", "export", "--format", "dir", &at]);
    assert!(folder.join("NOTES.txt").is_file());
}

#[test]
fn a_project_is_not_imported() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let from = world.path("from");
    fs::create_dir_all(&from).expect("a folder");
    fs::write(from.join("profile.md"), "# P\n").expect("written");
    fs::write(from.join("Cargo.toml"), "[package]\n").expect("written");
    a.fails(6, &["identity", "import", "--yes", &from.display().to_string()]);
    assert!(!a.identity().join("Cargo.toml").exists());
}

#[test]
fn on_a_new_laptop_an_export_is_looked_at_and_imported_and_what_is_missing_is_said() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes", "--name", "Bin"]);
    a.co(&["learn", "Prefers tabs"]);
    let archive = world.path("x.tar.gz").display().to_string();
    let said = at(&a, "2020-02-14T12:00:00Z").co(&["export", &archive]);
    assert!(said.contains("`co diff FILE`, `co identity import FILE`"), "{said}");
    let b = world.laptop("b");
    insta::assert_snapshot!(whole(&b.co(&["diff", &archive])), @"
    x.tar.gz  from a, 2020-02-14 12:00, 1 fact   →   this identity, 0 facts

    Learned (1)
      + 1    Prefers tabs

    identity/knowledge/context.md  new
      {+# User+}
      {+# Learned+}

    identity/personality.md  new
      {+# Personality+}
      {+# Overrides+}

    identity/profile.md  new
      {+# Profile+}
      {+- Name: Bin+}

    identity/traits/communication-style.md  new
      {+# Communication Style+}

    identity/traits/learned-patterns.md  new
      {+# Learned Patterns (Cross-Project)+}

    `co identity import [world]/x.tar.gz --merge` applies exactly this.
    ");
    assert!(!b.identity().exists(), "a look writes nothing");
    // Only an archive or a folder can be compared with nothing.
    for typed in [&["diff"][..], &["diff", "HEAD~1"], &["diff", "origin"]] {
        assert!(b.fails(4, typed).contains("there is no identity"), "{typed:?}");
    }
    insta::assert_snapshot!(whole(&b.co(&["identity", "import", "--yes", &archive])), @"
    ✓ Imported x.tar.gz: 1 learned, 2 files of your profile, 2 traits, 1 other file changed.
    1 fact. Undo: `co undo`.
    ~/.config/co-cli/identity is not in a git repository yet: `co init` makes it one.
    ");
    b.co(&["init", "--yes"]);
    assert_eq!(b.facts(), ["Prefers tabs"]);
    insta::assert_snapshot!(whole(&b.co(&["sync"])), @"Up to date.");
    // In a repository nothing is missing.
    let said = a.co(&["identity", "import", "--yes", "--replace", &archive]);
    insta::assert_snapshot!(whole(&said), @"Nothing to import: everything is already here.");
}

#[test]
fn an_import_asks_by_groups_and_not_about_what_co_keeps_for_itself() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes", "--name", "Bin"]);
    for fact in ["Prefers tabs", "Rows on Sundays"] {
        a.co(&["learn", fact]);
    }
    for topic in ["tea", "deploy", "servers"] {
        a.co(&["knowledge", "write", topic, &format!("What is to be said of {topic}.")]);
    }
    a.write("knowledge/reviewed.md", "# Reviewed\n\n");
    a.write("one.txt", "1\n");
    a.write("two.txt", "2\n");
    let archive = world.path("x.tar.gz").display().to_string();
    a.co(&["export", &archive]);
    let import = ["identity", "import", &archive];
    let b = world.laptop("b");
    let answers = [("Import 2 facts? [Y/n, a for all]", "y\n"), ("Import 3 documents?", "a\n")];
    let said = screen(&b, 120, &import, &answers);
    assert_eq!(said.matches("[Y/n").count(), 2, "{said}");
    assert!(!said.contains("reviewed.md"), "{said}");
    // What was agreed to and what was done are counted in the same words.
    let done = "2 learned, 3 documents, 2 files of your profile, 2 traits, 3 other files changed.";
    assert!(said.contains(done), "{said}");
    assert!(b.identity().join("knowledge/reviewed.md").exists(), "it comes along");

    let c = world.laptop("c");
    let answers = [
        ("Import 2 facts?", "n\n"),
        ("Import 3 documents?", "y\n"),
        ("Import 2 files of your profile?", "n\n"),
        ("Import 2 traits?", "n\n"),
        ("Import 3 other files? [Y/n]", "n\n"),
    ];
    let said = screen(&c, 120, &import, &answers);
    assert_eq!(said.matches("[Y/n").count(), 5, "{said}");
    assert!(said.contains("Imported x.tar.gz: 3 documents changed."), "{said}");
    assert!(c.facts().is_empty() && !c.identity().join("profile.md").exists());
}
