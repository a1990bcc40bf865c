//! co run by root in somebody else's folder: refused, and files that root left behind are named
//! with the command that returns them.

use crate::support::{Laptop, World};
use std::{
    fs,
    os::unix::{
        fs::{MetadataExt, PermissionsExt, chown},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::Output,
};

const PERSON: u32 = 65_534;

/// A laptop of another account; `None` where the tests are not run by root.
fn persons(world: &World) -> Option<Laptop> {
    if !rustix::process::geteuid().is_root() {
        return None;
    }
    let a = world.laptop("a");
    fs::set_permissions(world.dir.path(), fs::Permissions::from_mode(0o755)).expect("set");
    chown(&a.home, Some(PERSON), Some(PERSON)).expect("given");
    for arguments in [&["init", "--yes"][..], &["learn", "Prefers tabs"], &["sync"]] {
        let done = as_person(&a, arguments);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
    Some(a)
}

fn as_person(a: &Laptop, arguments: &[&str]) -> Output {
    let mut command = a.command(arguments);
    command.uid(PERSON).gid(PERSON).output().expect("co runs")
}

fn text(output: &Output) -> String {
    let of = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    of(&output.stdout) + &of(&output.stderr)
}

/// Everything below a folder that root owns.
fn of_root(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let meta = entry.metadata().expect("there");
        if meta.uid() == 0 {
            found.push(entry.path());
        }
        if meta.is_dir() {
            found.extend(of_root(&entry.path()));
        }
    }
    found
}

#[test]
fn root_by_sudo_does_nothing_in_somebodys_folder() {
    let world = World::new();
    let Some(a) = persons(&world) else { return };
    for variable in ["SUDO_UID", "DOAS_USER", "PKEXEC_UID"] {
        let sudo = a.with_env(variable, "65534");
        for arguments in [
            &["learn", "Said by root"][..],
            &["list"],
            &["sync"],
            &["forget", "--yes", "1"],
            &["status"],
            &["config", "set", "sync.timeout", "9"],
            &["doctor"],
        ] {
            let said = sudo.fails(6, arguments);
            assert!(said.contains("without `sudo`"), "{variable} {arguments:?}: {said}");
        }
        assert_eq!(of_root(&a.home), Vec::<PathBuf>::new(), "{variable}");
    }
    // What is the same for everybody is said.
    a.with_env("SUDO_UID", "65534").co(&["completions", "bash"]);
    // Root in a folder of its own is a person like any other.
    let own = world.laptop("own").with_env("SUDO_UID", "65534");
    own.co(&["init", "--yes"]);
    own.co(&["learn", "Said by root"]);
    // Another identity is looked at as well.
    let place = a.identity().display().to_string();
    let said = own.fails(6, &["--identity", &place, "learn", "Said by root"]);
    assert!(said.contains("belongs to another user"), "{said}");
}

#[test]
fn what_root_left_is_named_with_the_command_that_mends_it() {
    let world = World::new();
    let Some(a) = persons(&world) else { return };
    let give = |path: &Path, to: u32| chown(path, Some(to), Some(to)).expect("given");
    let log = crate::support::tree(&a.config())
        .into_iter()
        .find(|(name, _)| name.ends_with("operations.jsonl"))
        .expect("a log");
    let places = [
        a.config().join(&log.0),
        a.config().join(&log.0).parent().expect("a folder").to_owned(),
        a.identity().join(a.file_of("Prefers tabs")),
        a.identity().join(".git/objects"),
        a.identity().join(".git/HEAD"),
        a.config().join("local"),
    ];
    for place in places {
        give(&place, 0);
        let said = text(&as_person(&a, &["doctor"]));
        assert!(said.contains("another user"), "{}: {said}", place.display());
        assert!(said.contains("sudo chown -R \"$(id -un)\""), "{}: {said}", place.display());
        give(&place, PERSON);
        let said = text(&as_person(&a, &["doctor"]));
        assert!(!said.contains("another user"), "{}: {said}", place.display());
    }
}

#[test]
fn a_verb_that_fails_on_them_says_how_to_get_them_back() {
    let world = World::new();
    let Some(a) = persons(&world) else { return };
    let tree = crate::support::tree(&a.config());
    let log = tree.into_iter().find(|(name, _)| name.ends_with("operations.jsonl")).expect("a log");
    let log = a.config().join(log.0);
    let memories = a.identity().join("knowledge/memories");
    for place in [log.clone(), log.parent().expect("a folder").to_owned(), memories] {
        chown(&place, Some(0), Some(0)).expect("given");
        let mode = fs::metadata(&place).expect("there").permissions().mode();
        fs::set_permissions(&place, fs::Permissions::from_mode(mode & 0o755)).expect("set");
        for arguments in [&["forget", "--yes", "1"][..], &["edit", "1", "Another text"]] {
            let output = as_person(&a, arguments);
            let said = text(&output);
            assert!(!output.status.success(), "{}: {said}", place.display());
            assert!(said.contains("sudo chown -R"), "{} {arguments:?}: {said}", place.display());
        }
        chown(&place, Some(PERSON), Some(PERSON)).expect("given");
    }
    assert!(as_person(&a, &["edit", "1", "Another text"]).status.success());
}
