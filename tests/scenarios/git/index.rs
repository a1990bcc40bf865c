//! Git's index after `co status` and a sync: its permissions stay, and what git keeps there besides
//! files.

use crate::support::{Laptop, World, pair::pair};
use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt},
    thread,
    time::Duration,
};

/// As after a copy of the folder: no stat in git's index is right any more.
fn touched(laptop: &Laptop) {
    thread::sleep(Duration::from_millis(2_100));
    for file in ["profile.md", "personality.md"] {
        let file = laptop.identity().join(file);
        let bytes = fs::read(&file).expect("readable");
        fs::write(&file, bytes).expect("written");
    }
    thread::sleep(Duration::from_millis(3_100));
}

#[test]
fn what_others_can_read_stays_readable_and_what_git_added_stays_there() {
    let world = World::new();
    let (a, _) = pair(&world);
    let index = a.identity().join(".git/index");
    let mode = || fs::metadata(&index).expect("there").mode() & 0o777;
    fs::set_permissions(&index, fs::Permissions::from_mode(0o664)).expect("set");
    touched(&a);
    let before = fs::read(&index).expect("readable");
    a.co(&["status"]);
    assert!(fs::read(&index).expect("readable") != before, "the stats are not written");
    assert_eq!(mode(), 0o664);
    a.co(&["learn", "Prefers tea"]);
    a.co(&["sync"]);
    assert_eq!(mode(), 0o664);
    a.git(&["update-index", "--untracked-cache"]);
    a.git(&["status"]);
    let has_cache = || fs::read(&index).expect("readable").windows(4).any(|four| four == b"UNTR");
    assert!(has_cache());
    touched(&a);
    a.co(&["status"]);
    assert!(has_cache());
    assert_eq!(a.git(&["status", "--porcelain"]), "");
}
