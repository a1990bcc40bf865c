//! Folders that cannot be written, and a current folder that was deleted: reading works, and what
//! cannot work says why.

use crate::support::{World, pair::pair, ready::with_remote};
use std::{fs, os::unix::fs::PermissionsExt};

#[test]
fn reading_needs_no_writable_disk() {
    let world = World::new();
    let a = with_remote(&world);
    let lock = |mode| {
        for folder in [a.identity().join("knowledge/memories"), a.identity(), a.config()] {
            fs::set_permissions(folder, fs::Permissions::from_mode(mode)).expect("set");
        }
    };
    fs::remove_dir_all(a.config().join("local")).ok();
    lock(0o555);
    let codes: Vec<i32> =
        [&["memory", "list"][..], &["recall", "good"], &["context"], &["identity", "check"]]
            .iter()
            .map(|c| a.try_co(c).code)
            .collect();
    lock(0o755);
    assert_eq!(codes, [0, 0, 0, 0]);
}

#[test]
fn in_a_folder_that_is_gone_co_works_or_says_so() {
    let world = World::new();
    let (a, b) = pair(&world);
    b.co(&["learn", "From b"]);
    b.co(&["sync"]);
    let co = assert_cmd::cargo::cargo_bin("co").display().to_string();
    let script = "mkdir gone && cd gone && rmdir ../gone && exec \"$0\" \"$@\"";
    let verbs: [&[&str]; 9] = [
        &["status"],
        &["list"],
        &["diff"],
        &["log"],
        &["check"],
        &["undo", "--dry-run"],
        &["sync"],
        &["init", "--yes"],
        &["hook", "install"],
    ];
    for verb in verbs {
        let mut command = a.command_of("sh", &[&["-c", script, &co], verb].concat());
        let output = command.output().expect("sh runs");
        let (code, err) = (output.status.code(), String::from_utf8_lossy(&output.stderr));
        let clear = code != Some(10) && err.contains("folder") && err.contains("hint:");
        assert!(
            (code == Some(0) || clear) && !err.contains("git fsck"),
            "{verb:?}: {code:?} {err}"
        );
    }
    assert!(a.identity().join("profile.md").is_file());
}
