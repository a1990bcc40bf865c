//! What happens while a sync talks to its remote, and after it failed there: another branch is
//! checked out, a fact is saved, the push is refused.
//!
//! Invariant: only the branch that was checked is pushed; each change is one operation, whenever it
//! was made; what a sync did is in the log, whether or not the push succeeded.

use crate::support::{
    Laptop, World,
    pair::{assert_agree, pair},
};
use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Child, thread, time::Duration};

fn script(path: &Path, text: &str) -> String {
    fs::write(path, format!("#!/bin/sh\n{text}\n")).expect("written");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("executable");
    path.display().to_string()
}

/// A sync that waits at the fetch until the file `go` is there; it has touched `waits` by then.
struct Held {
    child: Child,
    go: std::path::PathBuf,
}

impl Held {
    fn at_fetch(world: &World, laptop: &Laptop) -> Held {
        let (waits, go) = (world.path("waits"), world.path("go"));
        let slow = format!(
            "touch {}\nwhile [ ! -e {} ]; do sleep 0.05; done\nexec git-upload-pack \"$@\"",
            waits.display(),
            go.display()
        );
        let slow = script(&world.path("slow"), &slow);
        laptop.git(&["config", "remote.origin.uploadpack", &slow]);
        let child = laptop.command(&["sync"]).spawn().expect("co runs");
        while !waits.exists() {
            thread::sleep(Duration::from_millis(10));
        }
        Held { child, go }
    }

    fn ends(mut self) {
        fs::write(&self.go, "").expect("written");
        self.child.wait().expect("co ends");
    }
}

fn log(laptop: &Laptop) -> Vec<serde_json::Value> {
    laptop.json(&["log"])["data"]["operations"].as_array().cloned().unwrap_or_default()
}

fn operations(laptop: &Laptop, verb: &str) -> usize {
    log(laptop).iter().filter(|operation| operation["verb"] == verb).count()
}

#[test]
fn a_branch_that_is_checked_out_meanwhile_is_not_pushed() {
    let world = World::new();
    let (a, b) = pair(&world);
    b.co(&["learn", "From b"]);
    b.co(&["sync"]);
    let held = Held::at_fetch(&world, &a);
    a.git(&["checkout", "-q", "-b", "wip"]);
    a.git(&["commit", "-q", "--allow-empty", "-m", "work in progress"]);
    held.ends();
    let remote = world.path("remote.git");
    let log = crate::support::git(&remote, &["log", "--format=%s", "main"]);
    assert!(!log.contains("work in progress"), "{log}");
    a.git(&["config", "--unset", "remote.origin.uploadpack"]);
    a.git(&["checkout", "-q", "main"]);
    a.co(&["sync"]);
    b.co(&["sync"]);
    assert_agree(&[&a, &b]);
}

#[test]
fn a_fact_that_is_saved_meanwhile_is_one_operation() {
    let world = World::new();
    let (a, b) = pair(&world);
    b.co(&["learn", "From b"]);
    b.co(&["sync"]);
    let held = Held::at_fetch(&world, &a);
    a.co(&["learn", "Saved meanwhile"]);
    held.ends();
    a.git(&["config", "--unset", "remote.origin.uploadpack"]);
    a.co(&["sync"]);
    assert_eq!(operations(&a, "by hand"), 0, "{:?}", log(&a));
    let saved = log(&a).iter().find(|one| one["verb"] == "save").map(|one| one["op"].to_string());
    a.co(&["undo", "--yes", &format!("o{}", saved.expect("it is in the log"))]);
    assert!(!a.facts().contains(&"Saved meanwhile".to_owned()));
    assert!(a.facts().contains(&"From b".to_owned()));
}

#[test]
fn a_merge_whose_push_is_refused_can_be_taken_back() {
    let world = World::new();
    let (a, b) = pair(&world);
    let zone = "- Timezone: America/Los_Angeles";
    b.edit("profile.md", zone, "- Timezone: Asia/Shanghai");
    b.co(&["learn", "From b"]);
    thread::sleep(Duration::from_millis(1_100));
    a.edit("profile.md", zone, "- Timezone: Europe/Berlin");
    a.co(&["sync"]);
    let hook = world.path("remote.git/hooks/pre-receive");
    script(&hook, "exit 1");
    b.fails(8, &["sync"]);
    assert!(b.read("profile.md").contains("Europe/Berlin"), "it was merged");
    assert_eq!(operations(&b, "merge"), 1, "{:?}", log(&b));
    fs::remove_file(&hook).expect("removed");
    b.co(&["sync"]);
    b.co(&["undo", "--yes"]);
    assert!(b.read("profile.md").contains("Asia/Shanghai"));
    assert!(b.facts().contains(&"From b".to_owned()));
}

#[test]
fn what_was_done_by_hand_is_logged_though_the_index_is_locked() {
    let world = World::new();
    let (a, _) = pair(&world);
    a.edit("profile.md", "- Timezone: America/Los_Angeles", "- Timezone: Europe/Berlin");
    a.write(".git/index.lock", "");
    a.try_co(&["sync"]);
    fs::remove_file(a.identity().join(".git/index.lock")).ok();
    a.co(&["sync"]);
    assert_eq!(operations(&a, "by hand"), 1, "{:?}", log(&a));
    a.co(&["undo", "--yes"]);
    assert!(a.read("profile.md").contains("America/Los_Angeles"));
}

#[test]
fn a_server_that_cannot_write_is_named_at_once() {
    let world = World::new();
    let (a, _) = pair(&world);
    fs::write(world.path("remote.git/refs/heads/main.lock"), "").expect("written");
    a.co(&["learn", "One more"]);
    let said = a.fails(8, &["sync"]);
    assert!(said.contains("lock") && !said.contains("while co was merging"), "{said}");
    fs::remove_file(world.path("remote.git/refs/heads/main.lock")).expect("removed");
    a.co(&["sync"]);
}

#[test]
fn an_operation_that_died_in_a_project_stops_nobody_elsewhere() {
    let world = World::new();
    let (a, _) = pair(&world);
    let project = a.home.join("p");
    fs::create_dir_all(project.join(".co-cli")).expect("a folder");
    let place = project.display().to_string();
    a.co(&["-C", &place, "learn", "Of the project"]);
    // As a co leaves it that was killed after its record, and before it was done.
    let newest = format!("log/{:08}", log(&a)[0]["op"].as_u64().expect("a number"));
    let mut stores = fs::read_dir(a.config().join("local/cache")).expect("caches").flatten();
    let closed = stores.find_map(|store| Some(store.path().join(&newest)).filter(|at| at.exists()));
    let closed = closed.expect("the bytes of the newest operation");
    fs::rename(&closed, closed.with_extension("open")).expect("renamed");
    fs::remove_dir_all(&project).expect("removed");
    fs::write(&project, "").expect("written");
    for verb in [&["sync"][..], &["log"], &["learn", "Of the identity"], &["undo", "--yes"]] {
        a.co(verb);
    }
}
