//! `co identity export` and `import`: both carry the same context, somebody has to agree, and what
//! is left out or left alone is named.

use crate::support::{World, transfer::two, tree};
use std::{fs, path::Path};

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
