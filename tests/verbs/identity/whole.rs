//! `co export` and `co diff` of an identity as a sync left it, which is not compared file by file,
//! and of one that was changed since, which is.
//!
//! Invariant: both ways say the same; an archive is one that other programs open.

use crate::support::{Laptop, World, dice::Dice, pair::pair, tree};
use std::{collections::BTreeMap, fs, path::Path, process::Command};

/// The files in an archive without its manifest, as `tar` finds them.
fn unpacked(archive: &Path, folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let tested = Command::new("gzip").arg("-t").arg(archive).status().expect("gzip runs");
    assert!(tested.success(), "gzip -t {}", archive.display());
    fs::create_dir_all(folder).expect("a folder");
    let tar = Command::new("tar").arg("xzf").arg(archive).arg("-C").arg(folder).status();
    assert!(tar.expect("tar runs").success(), "tar xzf {}", archive.display());
    let mut files: BTreeMap<String, Vec<u8>> =
        tree(&folder.join("co-identity-export")).into_iter().collect();
    assert!(files.remove("manifest.md").is_some(), "a manifest");
    files
}

/// The identity without git's own files, which stay here.
fn files_of(laptop: &Laptop) -> BTreeMap<String, Vec<u8>> {
    laptop.tree().into_iter().filter(|(path, _)| !path.starts_with(".git")).collect()
}

#[test]
fn an_archive_of_many_files_opens_anywhere() {
    let world = World::new();
    let (a, _b) = pair(&world);
    for number in 0..400 {
        let text = format!("# Note {number}\n\n{}", format!("line {number} of many\n").repeat(150));
        a.write(&format!("knowledge/reference/note-{number}.md"), &text);
    }
    fs::create_dir_all(a.identity().join("attachments")).expect("a folder");
    let mut dice = Dice::new(1);
    fs::write(a.identity().join("attachments/noise.bin"), dice.bytes(1_500_000)).expect("written");
    fs::write(a.identity().join("attachments/small.bin"), dice.bytes(7)).expect("written");
    a.co(&["sync"]);
    let wanted = files_of(&a);
    assert!(wanted.len() > 400, "{} files", wanted.len());
    let export = |name: &str| {
        let archive = world.path(&format!("{name}.tar.gz"));
        a.co(&["export", &archive.display().to_string()]);
        unpacked(&archive, &world.path(name))
    };
    assert!(export("left-by-sync") == wanted, "the files differ");
    // Without the mark of a sync everything is compared and tidied.
    a.git(&["update-ref", "-d", "refs/co/tidied"]);
    assert!(export("compared") == wanted, "the files differ");
    let c = world.laptop("c");
    c.co(&["import", "--yes", &world.path("compared.tar.gz").display().to_string()]);
    assert_eq!(c.facts(), a.facts());
    assert!(files_of(&c).get("attachments/noise.bin") == wanted.get("attachments/noise.bin"));
}

#[test]
fn what_changed_since_a_sync_is_seen() {
    type Act = fn(&Laptop, &str);
    let world = World::new();
    let (a, _b) = pair(&world);
    a.co(&["sync"]);
    let fact = a.file_of("Prefers tabs");
    let changed = |why: &str| -> Vec<String> {
        let diff = a.json(&["diff"]);
        let files = diff["data"]["files"].as_array().unwrap_or_else(|| panic!("{why}: {diff}"));
        files.iter().map(|file| file["path"].as_str().unwrap_or_default().to_owned()).collect()
    };
    let acts: [(&str, Act, bool); 6] = [
        ("nothing", |_, _| (), false),
        ("written again", |a, path| a.write(path, &a.read(path)), false),
        ("longer", |a, path| a.edit(path, "Prefers tabs", "Prefers tabs to spaces"), true),
        ("of the same size", |a, path| a.edit(path, "Prefers tabs", "Prefers oats"), true),
        ("other labels", |a, path| a.edit(path, "source: ", "pinned: true\nsource: "), true),
        ("gone", |a, path| fs::remove_file(a.identity().join(path)).expect("removed"), true),
    ];
    for (why, act, is_change) in acts {
        act(&a, &fact);
        let wanted = if is_change { vec![fact.clone()] } else { Vec::new() };
        assert_eq!(changed(why), wanted, "{why}");
        a.git(&["checkout", "-q", "--", "."]);
        assert_eq!(changed(why), Vec::<String>::new(), "{why}, taken back");
    }
    a.write("knowledge/reference/new.md", "# New\n");
    assert_eq!(changed("a new file"), ["knowledge/reference/new.md"]);
}
