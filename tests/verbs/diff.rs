//! `co diff` shows exactly what `co identity import` does; an export and its import carry the same
//! context; one undo takes an import back.

use crate::support::{Laptop, World, git, tree};
use serde_json::Value;
use std::{fs, path::Path};

fn two(world: &World) -> (Laptop, Laptop, String) {
    let (a, b) = (world.laptop("a"), world.laptop("b"));
    a.co(&["init", "--yes", "--name", "Bin", "--timezone", "America/Los_Angeles"]);
    for fact in ["Prefers tabs over spaces", "Uses poetry", "Commits with conventional messages"] {
        a.co(&["learn", fact, "--tag", "style"]);
    }
    a.write(
        "traits/communication-style.md",
        "---\nversion: 1\nupdated: 2026-03-01T00:00:00Z\n---\n\n# Communication Style\n\n- \
         bullets over paragraphs\n",
    );
    a.write("knowledge/people/sarah.md", "---\ntitle: Sarah\n---\n\n# Sarah\n\nLikes trains.\n");
    b.co(&["init", "--yes", "--name", "Ben"]);
    b.co(&["learn", "Uses poetry"]);
    b.co(&["forget", "Uses poetry", "--yes"]);
    b.co(&["learn", "Commits with conventional messages", "--tag", "git"]);
    b.co(&["learn", "Lives in Seattle"]);
    let archive = a.home.join("x.tar.gz").display().to_string();
    a.co(&["identity", "export", &archive]);
    (a, b, archive)
}

/// Writes what `diff --json` lists over a copy of the identity.
fn apply_listed(identity: &Path, diff: &Value) -> Vec<(String, Vec<u8>)> {
    let mut files: std::collections::BTreeMap<String, Vec<u8>> =
        tree(identity).into_iter().collect();
    for file in diff["data"]["files"].as_array().expect("files") {
        let path = file["path"].as_str().expect("a path").to_owned();
        match &file["content"] {
            Value::Null => files.remove(&path),
            Value::String(text) => files.insert(path, text.clone().into_bytes()),
            numbers => files.insert(path, serde_json::from_value(numbers.clone()).expect("bytes")),
        };
    }
    files.into_iter().collect()
}

/// Without what only the clock decides.
fn still(files: Vec<(String, Vec<u8>)>) -> Vec<(String, String)> {
    let line = |line: &str| {
        if line.starts_with("updated:") { "updated: …".to_owned() } else { line.to_owned() }
    };
    let calm = |bytes: Vec<u8>| {
        String::from_utf8_lossy(&bytes).lines().map(line).collect::<Vec<_>>().join("\n")
    };
    files
        .into_iter()
        .filter(|(path, _)| !path.ends_with("forgotten.md"))
        .map(|(path, bytes)| (path, calm(bytes)))
        .collect()
}

#[test]
fn export_and_import_carry_the_same_context() {
    let world = World::new();
    let (a, _, archive) = two(&world);
    fs::write(a.identity().join("settings.json"), "{\"key\": 1}").expect("written");
    let said = a.try_co(&["identity", "export", &archive]);
    assert!(said.code == 0 && said.err.contains("settings.json"), "{}", said.err);
    let fresh = world.laptop("fresh");
    fresh.co(&["identity", "import", "--yes", &archive]);
    assert!(
        fresh.read(".gitattributes").contains("merge=co-identity"),
        "an import makes the identity where there is none"
    );
    fresh.co(&["init", "--yes"]);
    assert_eq!(fresh.co(&["context"]), a.co(&["context"]));
    assert_eq!(fresh.facts(), a.facts());
    assert!(fresh.read("knowledge/people/sarah.md").contains("trains"));
    assert!(
        !fresh.identity().join("settings.json").exists()
            && !fresh.identity().join("manifest.md").exists()
    );
    assert!(
        fresh.co(&["identity", "import", "--yes", &archive]).contains("everything is already here")
    );
}

#[test]
fn exports_are_deterministic_and_named_as_promised() {
    let world = World::new();
    let (a, _, archive) = two(&world);
    let second = a.home.join("y.tar.gz").display().to_string();
    a.co(&["identity", "export", &second]);
    let unpack = |archive: &str, to: &str| {
        let folder = world.path(to);
        fs::create_dir_all(&folder).expect("a folder");
        let done = std::process::Command::new("tar")
            .args(["xzf", archive, "-C"])
            .arg(&folder)
            .status()
            .expect("tar runs");
        assert!(done.success());
        tree(&folder)
    };
    let (one, two) = (unpack(&archive, "one"), unpack(&second, "two"));
    let without = |files: Vec<(String, Vec<u8>)>| {
        files.into_iter().filter(|(path, _)| !path.ends_with("manifest.md")).collect::<Vec<_>>()
    };
    assert_eq!(without(one.clone()), without(two));
    assert!(one.iter().all(|(path, _)| path.starts_with("co-identity-export/")), "{one:?}");
    let manifest =
        one.iter().find(|(path, _)| path == "co-identity-export/manifest.md").expect("there");
    let manifest = String::from_utf8_lossy(&manifest.1).into_owned();
    for line in [
        "source_machine: a\n",
        "\nexported: 20",
        concat!("\nco_version: ", env!("CARGO_PKG_VERSION"), "\n"),
        "\nmemory_count: 3\n",
        "\nidentity_size: ",
    ] {
        assert!(manifest.contains(line), "{line} in {manifest}");
    }
    a.co(&["-C", &a.home.display().to_string(), "identity", "export"]);
    let dated = fs::read_dir(&a.home).expect("home").filter_map(Result::ok);
    let mut dated = dated.filter(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        name.starts_with("co-identity-20") && name.ends_with(".tar.gz")
    });
    assert!(dated.next().is_some(), "where the user stands");
    let photo = a.home.join("photo.jpg");
    fs::write(&photo, "a photo").expect("written");
    std::os::unix::fs::symlink(&photo, a.home.join("link.tar.gz")).expect("linked");
    for name in ["photo.jpg", "link.tar.gz"] {
        a.fails(6, &["identity", "export", &a.home.join(name).display().to_string()]);
    }
    assert_eq!(fs::read_to_string(&photo).expect("there"), "a photo");
    let folder = world.path("plain").display().to_string();
    a.co(&["identity", "export", "--format", "dir", &folder]);
    a.co(&["learn", "One more"]);
    a.co(&["identity", "export", "--format", "dir", &folder]);
    assert_eq!(
        tree(Path::new(&folder)).len(),
        a.tree().len(),
        "manifest instead of .gitattributes"
    );
    fs::write(world.path("busy"), "x").expect("written");
    a.fails(
        2,
        &["identity", "export", "--format", "dir", &world.path("busy").display().to_string()],
    );
    a.fails(6, &["identity", "export", "--format", "dir", &a.home.display().to_string()]);
    a.fails(2, &["identity", "export", &a.identity().join("x.tar.gz").display().to_string()]);
}

#[test]
fn what_diff_lists_is_what_import_does() {
    let world = World::new();
    let (_, b, archive) = two(&world);
    let before = b.tree();
    for options in [&["--merge"][..], &["--replace"], &["--restore-forgotten"]] {
        let shown: Vec<&str> =
            options.iter().copied().filter(|option| *option != "--merge").collect();
        let diff = b.json(&[&["identity", "diff", archive.as_str()][..], &shown].concat());
        let listed = apply_listed(&b.identity(), &diff);
        b.co(&[&["identity", "import", "--yes", archive.as_str()][..], options].concat());
        assert_eq!(still(b.tree()), still(listed), "{options:?}");
        b.co(&["identity", "check", "--strict"]);
        b.co(&["identity", "undo"]);
        assert_eq!(b.tree(), before, "{options:?}: one undo takes it back, byte for byte");
    }
}

#[test]
fn the_review_reads_as_the_journey_says() {
    let world = World::new();
    let (a, b, archive) = two(&world);
    let out = b.co(&["identity", "diff", &archive]);
    for words in [
        "x.tar.gz  from a, ",
        "3 facts   →   this identity, 2 facts",
        "Learned (1)",
        "Prefers tabs over spaces",
        "[style]",
        "Not imported (1)",
        "Uses poetry",
        "--restore-forgotten",
        "applies exactly this",
    ] {
        assert!(out.contains(words), "{words}: {out}");
    }
    assert!(!out.contains('\u{1b}'), "no colours in a pipe");
    assert_eq!(b.try_co(&["identity", "diff", "--exit-code", &archive]).code, 1);
    assert!(b.co(&["identity", "diff", "--stat", &archive]).contains("lines added"));
    assert!(b.co(&["identity", "diff", "--patch", &archive]).contains("+++ b/knowledge/memories/"));
    a.co(&["identity", "sync"]);
    a.edit(
        "knowledge/memories/001-prefers-tabs-over-spaces.md",
        "tabs over spaces",
        "tabs in Makefiles",
    );
    let out = a.co(&["identity", "diff"]);
    let edited = out.lines().find(|line| line.contains("tabs")).expect("a line");
    assert!(edited.contains("Prefers tabs [-over spaces-] {+in Makefiles+}"), "{out}");
    a.co(&["identity", "sync"]);
    assert_eq!(a.try_co(&["identity", "diff", "--exit-code"]).code, 0);
    let out = a.co(&["identity", "diff", "HEAD~1"]);
    assert!(out.contains("Makefiles"), "{out}");
    a.fails(5, &["identity", "diff", "no-such-thing"]);
}

#[test]
fn the_remote_can_be_looked_at_before_a_sync() {
    let world = World::new();
    let (remote, a, b) = (world.remote(), world.laptop("a"), world.laptop("b"));
    a.co(&["init", "--yes", &remote]);
    b.co(&["init", "--yes", &remote]);
    a.co(&["learn", "From a"]);
    a.co(&["identity", "sync"]);
    b.co(&["learn", "From b"]);
    let before = b.tree();
    b.co(&["memory", "list"]);
    let out = b.co(&["identity", "diff", "origin"]);
    assert!(out.contains("From a") && !out.contains("From b"), "{out}");
    assert_eq!(b.tree(), before);
    let listed = apply_listed(&b.identity(), &b.json(&["identity", "diff", "origin"]));
    let report = b.co(&["identity", "sync"]);
    assert!(
        !report.contains("forgotten"),
        "what was fetched and never merged was not forgotten here: {report}"
    );
    let said = b.fails(5, &["identity", "undo"]);
    assert!(
        said.contains("only brought in changes from other laptops")
            && said.contains("`co undo o1`")
            && said.contains("`co review`")
            && !said.contains("lost"),
        "{said}"
    );
    assert!(
        b.co(&["identity", "import", "--yes", "--replace", &{
            let archive = b.home.join("same.tar.gz").display().to_string();
            b.co(&["identity", "export", &archive]);
            archive
        }])
        .contains("everything is already here"),
        "replacing by the same changes nothing"
    );
    let facts: Vec<_> =
        listed.iter().filter(|(path, _)| path.starts_with("knowledge/memories")).collect();
    assert_eq!(facts.len(), b.facts().len());
}

#[test]
fn an_import_needs_somebody_to_agree() {
    let world = World::new();
    let (_, b, archive) = two(&world);
    let before = b.tree();
    b.fails(3, &["identity", "import", &archive]);
    assert!(b.co(&["identity", "import", "--dry-run", &archive]).contains("Learned (1)"));
    assert_eq!(b.tree(), before);
    b.fails(2, &["identity", "import", "--yes", "HEAD"]);
    b.fails(5, &["identity", "import", "--yes", "nowhere.tar.gz"]);
    let bytes = fs::read(&archive).expect("there");
    let mut child = b.command(&["identity", "import", "--yes", "-"]);
    child.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = child.spawn().expect("co runs");
    std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), &bytes).expect("written");
    assert!(child.wait().expect("ended").success());
    assert_eq!(b.facts().len(), 3);
}

#[test]
fn a_replacement_travels_to_the_other_laptops() {
    let world = World::new();
    let (_, _, archive) = two(&world);
    let (remote, c, d) = (world.remote(), world.laptop("c"), world.laptop("d"));
    c.co(&["init", "--yes", &remote]);
    for fact in ["One", "Two", "Three", "Four"] {
        c.co(&["learn", fact]);
    }
    c.co(&["identity", "sync"]);
    d.co(&["init", "--yes", &remote]);
    c.co(&["identity", "import", "--replace", "--yes", &archive]);
    c.co(&["identity", "sync"]);
    d.co(&["identity", "sync"]);
    assert_eq!(
        d.facts(),
        ["Commits with conventional messages", "Prefers tabs over spaces", "Uses poetry"]
    );
    c.co(&["identity", "undo", "--accept-deletions"]);
    c.co(&["identity", "sync", "--accept-deletions"]);
    d.co(&["identity", "sync", "--accept-deletions"]);
    assert!(d.facts().contains(&"Four".to_owned()), "{:?}", d.facts());
    assert_eq!(c.tree(), d.tree());
}

#[test]
fn an_import_that_is_cut_short_harms_nothing() {
    let world = World::new();
    let (a, b) = (world.laptop("a"), world.laptop("b"));
    a.co(&["init", "--yes"]);
    for n in 0..3_000 {
        let text = format!("Fact number {n} of the many");
        let file = format!(
            "---\nid: {}\ncreated: 2026-01-01T00:00:00.{n:06}+00:00\ntags: []\n---\n\n{text}\n",
            n + 1
        );
        fs::write(a.identity().join(format!("knowledge/memories/{:05}-fact.md", n + 1)), file)
            .expect("written");
    }
    let archive = a.home.join("x.tar.gz").display().to_string();
    a.co(&["identity", "export", &archive]);
    b.co(&["init", "--yes"]);
    b.co(&["learn", "Mine"]);
    let before = b.tree();
    let wanted = a.facts().len() + 1;
    for wait in [20, 60, 120, 200, 300] {
        let mut child = b.command(&["identity", "import", "--yes", &archive]);
        let mut child = child.stdout(std::process::Stdio::null()).spawn().expect("co runs");
        std::thread::sleep(std::time::Duration::from_millis(wait));
        let _ = child.kill();
        let _ = child.wait();
        assert!(b.facts().contains(&"Mine".to_owned()));
        b.co(&["identity", "check"]);
    }
    b.co(&["identity", "import", "--yes", &archive]);
    assert_eq!(b.facts().len(), wanted);
    let mut guard = 0;
    while b.tree() != before && guard < 8 {
        b.try_co(&["identity", "undo"]);
        guard += 1;
    }
    assert_eq!(b.tree(), before, "undo leads back to the beginning");
}

#[test]
fn commits_can_be_shown_and_files_restored() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes", "--name", "Bin"]);
    a.co(&["learn", "First text"]);
    a.co(&["identity", "sync"]);
    let committed = a.read("profile.md");
    a.edit("profile.md", "Bin", "Bob");
    a.co(&["memory", "edit", "1", "Second text"]);
    let edited = a.tree();
    assert!(a.co(&["identity", "show", "HEAD:profile.md"]).contains("Bin"));
    assert!(a.co(&["identity", "show", "profile.md"]).contains("Bob"));
    a.fails(5, &["identity", "show", "HEAD:nothing.md"]);
    a.fails(5, &["identity", "show", "nowhere:profile.md"]);
    a.co(&["identity", "restore", "profile.md"]);
    assert_eq!(a.read("profile.md"), committed);
    a.co(&["identity", "undo"]);
    assert_eq!(a.tree(), edited);
    a.co(&["identity", "restore", "knowledge/"]);
    assert_eq!(a.facts(), ["First text"]);
    a.fails(5, &["identity", "restore", "--from", "HEAD", "nothing.md"]);
    a.fails(5, &["identity", "restore", "--from", "nowhere", "profile.md"]);
}

#[test]
fn the_life_of_a_fact() {
    let world = World::new();
    let (remote, a, b) = (world.remote(), world.laptop("a"), world.laptop("b"));
    a.co(&["init", "--yes", &remote]);
    a.co(&["learn", "Uses vim"]);
    a.co(&["identity", "sync"]);
    b.co(&["init", "--yes", &remote]);
    b.co(&["memory", "edit", "1", "Uses neovim"]);
    b.co(&["identity", "sync"]);
    a.co(&["identity", "sync"]);
    a.co(&["forget", "1", "--yes"]);
    a.co(&["identity", "sync"]);
    a.co(&["learn", "Another"]);
    let life = a.json(&["identity", "log", "sha256:".to_owned().as_str()]);
    assert_eq!(life["ok"], false);
    let hash = git(&a.identity(), &["log", "--format=%H", "-n", "1"]);
    assert!(!hash.is_empty());
    let life = b.json(&["identity", "log", "1"]);
    let events: Vec<&str> = life["data"]["events"]
        .as_array()
        .expect("events")
        .iter()
        .filter_map(|event| event["what"].as_str())
        .collect();
    assert_eq!(events, ["edited", "learned"]);
    assert!(b.co(&["identity", "log", "1"]).contains("Uses neovim"));
    b.fails(5, &["identity", "log", "99"]);
    b.fails(2, &["identity", "log", "words"]);
}

#[test]
fn an_import_names_the_facts_that_a_save_would_refuse() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let from = a.home.join("from");
    fs::create_dir_all(from.join("knowledge/memories")).expect("a folder");
    let put = |name: &str, body: &str| {
        let text = format!("---\nid: 7\ncreated: 2026-01-02T03:04:05Z\n---\n{body}\n");
        fs::write(from.join("knowledge/memories").join(name), text).expect("a memory");
    };
    put("007-good.md", "tea is good");
    put("008-nul.md", "a\0b");
    put("009-marks.md", "<<<<<<< a\nx\n=======\ny\n>>>>>>> b");
    let from = from.to_str().expect("a path");
    for verb in [&["identity", "diff", from][..], &["identity", "import", "--yes", from]] {
        let said = a.try_co(verb).err;
        for line in [
            "008-nul.md: the text contains a NUL",
            "009-marks.md: the text contains git's conflict markers",
        ] {
            assert!(said.contains(line), "{verb:?} {line}\n{said}");
        }
        assert!(!said.contains("007-good"), "{said}");
    }
}

#[test]
fn a_sync_names_what_needs_eyes() {
    let world = World::new();
    let remote = world.remote();
    let (a, b) = (world.laptop("a"), world.laptop("b"));
    a.co(&["init", "--yes", "--name", "Bin", "--timezone", "Europe/Berlin", &remote]);
    for fact in ["Deploys with heroku", "Prefers tabs over spaces", "Likes trains"] {
        a.co(&["learn", fact]);
    }
    a.co(&["sync"]);
    b.co(&["init", "--yes", &remote]);
    b.co(&["forget", "3"]);
    b.co(&["sync"]);
    a.co(&["edit", "1", "Deploys with fly.io"]);
    b.co(&["edit", "1", "Deploys with kubernetes"]);
    a.co(&["forget", "2"]);
    a.co(&["sync"]);
    a.co(&["learn", "Likes trains"]);
    b.co(&["edit", "2", "Prefers tabs in Makefiles"]);
    a.edit("profile.md", "Europe/Berlin", "Europe/Paris");
    b.edit("profile.md", "Europe/Berlin", "America/Los_Angeles");
    a.co(&["sync"]);
    let said = b.json(&["sync"]);
    let looks = said["data"]["look"].as_array().expect("a list");
    let of = |why: &str| -> &Value {
        let found: Vec<&Value> = looks.iter().filter(|look| look["why"] == why).collect();
        assert_eq!(found.len(), 1, "{why} in {looks:#?}");
        found[0]
    };
    let edited = of("both-edited");
    let both = [&edited["fact"]["summary"], &edited["other"]["summary"]];
    assert!(both.iter().any(|text| **text == "Deploys with fly.io"), "{edited}");
    assert!(both.iter().any(|text| **text == "Deploys with kubernetes"), "{edited}");
    assert_eq!(of("forgotten-and-edited")["fact"]["summary"], "Prefers tabs in Makefiles");
    assert_eq!(of("learned-again")["fact"]["summary"], "Likes trains");
    let field = of("both-set");
    assert_eq!((&field["field"], &field["path"]), (&"Timezone".into(), &"profile.md".into()));
    // A merge in which nothing met nothing is quiet.
    a.co(&["sync"]);
    a.co(&["learn", "Sings"]);
    b.co(&["learn", "Dances"]);
    a.co(&["sync"]);
    let quiet = b.co(&["sync"]);
    assert!(!quiet.contains("Please review"), "{quiet}");
}

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
