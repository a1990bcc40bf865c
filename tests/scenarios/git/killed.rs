//! A co that is killed while its git makes a repository, or writes a configuration: what the git
//! left stops nobody, and the lock of another git stays.

use crate::support::{
    Laptop, World, git,
    sealed::{empty, with_key},
};
use std::{fs, path::Path};

/// The same laptop, whose git leaves these names half-made and takes co along when it is run with a
/// word.
fn dies_at(laptop: &Laptop, word: &str, leaves: &[&str]) -> Laptop {
    let bin = laptop.home.join("dies");
    fs::create_dir_all(&bin).expect("a folder");
    let path = std::env::var("PATH").expect("a path");
    let touched: String = leaves.iter().map(|name| format!(": > \"$dir/{name}\"; ")).collect();
    let text = format!(
        "#!/bin/sh\nPATH='{path}'\nprevious=\ndir=\nat=\nfor word; do\n\
         [ \"$previous\" = --git-dir ] && dir=$word\n\
         [ \"$word\" = {word} ] && at=1\nprevious=$word\ndone\n\
         [ -z \"$at\" ] && exec git \"$@\"\n\
         mkdir -p \"$dir\"; {touched}kill -9 $PPID; exit 9\n"
    );
    let script = bin.join("git");
    fs::write(&script, text).expect("written");
    let executable = std::process::Command::new("chmod").arg("+x").arg(&script).status();
    assert!(executable.is_ok_and(|status| status.success()));
    laptop.with_env("PATH", &format!("{}:{path}", bin.display()))
}

/// Runs a command that has to be killed.
fn killed(laptop: &Laptop, arguments: &[&str]) {
    let said = laptop.try_co(arguments);
    assert_eq!(said.code, -1, "{arguments:?} was not killed: {}{}", said.out, said.err);
}

/// Names of co's temporary files and of locks below a folder.
fn leftovers(folder: &Path) -> Vec<String> {
    let mut left = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(".co-tmp-") || name.ends_with(".lock") || name == "config-mark" {
            left.push(name);
        }
        if entry.path().is_dir() {
            left.extend(leftovers(&entry.path()));
        }
    }
    left
}

#[test]
fn an_init_goes_on_where_a_kill_ended_its_git() {
    let world = World::new();
    let url = empty(&world, "remote.git");
    let first = world.laptop("first");
    first.co(&["init", &url, "--yes", "--name", "Bin Chen"]);
    first.co(&["learn", "Lives in Seattle"]);
    first.co(&["sync"]);
    let half_made = ["HEAD.lock", "config.lock"];
    for (name, with) in [("alone", vec![]), ("joining", vec![url.as_str()])] {
        let a = world.laptop(name);
        let init = [&["init", "--yes"][..], &with].concat();
        killed(&dies_at(&a, "init", &half_made), &init);
        assert!(!a.identity().join(".git").exists(), "it has no name before it is whole");
        a.co(&init);
        assert_eq!(leftovers(&a.identity()), Vec::<String>::new(), "{name}");
        a.co(&["learn", "Plays the violoncello"]);
        a.co(&["sync"]);
        a.git(&["fsck"]);
    }
    // In a repository that was there before, git changes the configuration.
    let a = world.laptop("configuring");
    fs::create_dir_all(a.identity()).expect("a folder");
    a.git(&["init", "-q"]);
    killed(&dies_at(&a, "--replace-all", &["config.lock"]), &["init", &url, "--yes"]);
    assert!(a.identity().join(".git/config.lock").exists());
    a.co(&["init", &url, "--yes"]);
    assert_eq!(leftovers(&a.identity()), Vec::<String>::new());
    assert!(a.facts().contains(&"Lives in Seattle".to_owned()));
}

#[test]
fn a_lock_of_the_configuration_goes_with_its_co_and_stays_for_another_git() {
    let world = World::new();
    let (one, two) = (empty(&world, "one.git"), empty(&world, "two.git"));
    let a = world.laptop("a");
    a.co(&["init", "--yes", "--name", "Bin Chen"]);
    let lock = a.identity().join(".git/config.lock");
    let set = ["identity", "remote", one.as_str(), "--yes"];
    killed(&dies_at(&a, "--replace-all", &["config.lock"]), &set);
    assert!(lock.exists(), "as the kill left it");
    a.co(&set);
    assert!(leftovers(&a.identity()).is_empty(), "{:?}", leftovers(&a.identity()));
    // Plain git would meet it until the next change: a sync clears it as well.
    killed(&dies_at(&a, "--replace-all", &["config.lock"]), &["identity", "remote", &two, "--yes"]);
    a.co(&["sync"]);
    a.git(&["config", "user.name", "Bin"]);
    // Somebody else's is nobody's to remove.
    fs::write(&lock, "").expect("written");
    let err = a.try_co(&["identity", "remote", &two, "--yes"]).err;
    assert!(err.contains("config") && err.contains("hint:") && lock.exists(), "{err}");
    a.co(&["sync"]);
    assert!(lock.exists());
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(7_200);
    let file = fs::File::options().write(true).open(&lock).expect("opened");
    file.set_modified(old).expect("set");
    let said = a.try_co(&["doctor"]).out;
    assert!(said.contains("config.lock") && said.contains("over an hour old"), "{said}");
}

#[test]
fn a_mirror_that_is_half_made_is_made_anew() {
    let world = World::new();
    let url = empty(&world, "sealed.git");
    let a = with_key(&world.laptop("server"));
    a.co(&["init", "--yes", "--name", "Bin Chen"]);
    a.co(&["learn", "Lives in Seattle"]);
    a.co(&["sync"]);
    let on = ["seal", "on", &url, "--yes"];
    killed(&dies_at(&a, "--bare", &["HEAD.lock", "config.lock"]), &on);
    a.co(&["sync"]);
    let mirror = a.identity().join(".git/co/sealed.git");
    let config = || fs::read_to_string(mirror.join("config")).expect("read");
    assert!(config().starts_with("[include]\n\tpath = \"../../config\""), "{}", config());
    assert!(leftovers(&a.identity()).is_empty(), "{:?}", leftovers(&a.identity()));
    // As earlier builds could leave it.
    for half_made in ["locked", "without the identity's configuration"] {
        if half_made == "locked" {
            fs::remove_file(mirror.join("HEAD")).expect("removed");
            fs::write(mirror.join("HEAD.lock"), "").expect("written");
        } else {
            let text = config();
            let (_, own) = text.split_once("[core]").expect("its own part");
            fs::write(mirror.join("config"), format!("[core]{own}")).expect("written");
        }
        a.co(&["learn", &format!("Was {half_made}")]);
        a.co(&["sync"]);
        assert!(config().starts_with("[include]\n\tpath = \"../../config\""), "{half_made}");
        assert!(leftovers(&a.identity()).is_empty(), "{half_made}");
    }
    let b = with_key(&world.laptop("joining"));
    b.co(&["init", &url, "--yes"]);
    assert_eq!(b.facts().len(), 3, "{:?}", b.facts());
    git(Path::new(&url), &["fsck", "--strict"]);
}
