//! Archives and what was done by hand, undone, or cut short: an export says what the next sync
//! would, a review says why a fact goes, and a killed import leaves nothing behind.
//!
//! Invariant: one text that was edited is one version everywhere, whichever way it travelled.

use super::two_laptops::{agree, pair};
use crate::support::{Laptop, World, tree};
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
    agree(&[&a, &b]);
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
