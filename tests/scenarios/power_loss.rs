//! After a power cut: files that the disk had not stored yet, refs and an index that are empty or
//! full of zeros, and what a co that died has left behind.
//!
//! Invariant: what the machine lost is restored, and co says so; what a person removed stays
//! removed; no command keeps failing because of a file that git can make again.

use crate::support::{
    Laptop, Said, World,
    pair::{assert_agree, pair},
    tree,
};
use std::fs;

/// The same laptop, started so many times: co takes this for the number that the system gives to
/// each start.
fn started(laptop: &Laptop, times: usize) -> Laptop {
    laptop.with_env("CO_TEST_BOOT_ID", &format!("start-{times}"))
}

const DOCUMENT: &str = "knowledge/people/sarah.md";

/// Two laptops; the sync of the first has just brought two facts and a document.
fn brought(world: &World) -> (Laptop, Laptop) {
    let (a, b) = pair(world);
    for fact in ["Likes tea", "Lives in Seattle"] {
        b.co(&["learn", fact]);
    }
    b.write(DOCUMENT, "# Sarah\n");
    b.co(&["sync"]);
    started(&a, 1).co(&["sync"]);
    (a, b)
}

/// Takes away what the last sync brought.
fn lose(laptop: &Laptop) {
    for path in [&laptop.file_of("Likes tea"), &laptop.file_of("Lives in Seattle"), DOCUMENT] {
        fs::remove_file(laptop.identity().join(path)).expect("removed");
    }
}

fn says_so(said: &Said) {
    let all = format!("{}{}", said.out, said.err);
    let notes: Vec<&str> = all.lines().filter(|line| line.contains("brought back")).collect();
    assert_eq!(notes.len(), 1, "{all}");
    assert!(notes[0].contains('3') || notes[0].contains(DOCUMENT), "{all}");
}

#[test]
fn what_a_power_cut_took_comes_back_with_the_first_command() {
    let firsts: [&[&str]; 8] = [
        &["sync"],
        &["list"],
        &["status"],
        &["diff"],
        &["check"],
        &["learn", "Learned after the power cut"],
        &["context"],
        &["recall", "tea"],
    ];
    for first in firsts {
        let world = World::new();
        let (a, b) = brought(&world);
        let before = a.tree();
        lose(&a);
        let again = started(&a, 2);
        let said = again.try_co(first);
        assert_eq!(said.code, 0, "{first:?}: {}", said.err);
        says_so(&said);
        let after = a.tree();
        assert!(before.iter().all(|file| after.contains(file)), "{first:?}: {after:?}");
        assert!(!again.try_co(&["status"]).err.contains("brought back"), "it is said once");
        let report = again.co(&["sync"]);
        assert!(!report.contains("forgotten"), "{first:?}: {report}");
        b.co(&["sync"]);
        assert_agree(&[&again, &b]);
        assert_eq!(b.facts().len(), 5 + usize::from(first[0] == "learn"), "{first:?}");
    }
}

#[test]
fn who_reads_json_is_told_what_came_back() {
    let world = World::new();
    let (a, _) = brought(&world);
    lose(&a);
    let listed = started(&a, 2).json(&["list"]);
    assert_eq!(listed["data"]["memories"].as_array().map(Vec::len), Some(5), "{listed}");
    assert!(listed["warnings"].to_string().contains("brought back"), "{listed}");
}

#[test]
fn without_a_restart_a_missing_file_is_a_persons_act() {
    let world = World::new();
    let (a, b) = brought(&world);
    lose(&a);
    let report = started(&a, 1).try_co(&["sync"]);
    assert!(report.code == 0 && !report.err.contains("brought back"), "{}", report.err);
    for fact in ["Likes tea", "Lives in Seattle"] {
        assert!(
            report.out.lines().any(|line| line.contains("forgotten") && line.contains(fact)),
            "{}",
            report.out
        );
    }
    b.co(&["sync"]);
    assert_agree(&[&started(&a, 1), &b]);
    assert_eq!(b.facts(), ["I prefer async/await", "Prefers tabs", "Uses SQLAlchemy"]);
    assert!(!b.identity().join(DOCUMENT).exists());
}

#[test]
fn after_the_first_command_a_removal_counts_again() {
    let world = World::new();
    let (a, b) = brought(&world);
    let again = started(&a, 2);
    assert!(!again.try_co(&["status"]).err.contains("brought back"), "nothing was missing");
    fs::remove_file(a.identity().join(a.file_of("Likes tea"))).expect("removed");
    again.co(&["sync"]);
    b.co(&["sync"]);
    assert_agree(&[&again, &b]);
    assert!(!b.facts().contains(&"Likes tea".to_owned()));
}

#[test]
fn what_a_person_took_away_before_the_restart_stays_away() {
    let world = World::new();
    let (a, b) = brought(&world);
    let first = started(&a, 1);
    // Forgotten and deleted by co and not committed, renamed by hand, forgotten and committed.
    first.co(&["forget", "--yes", "Prefers tabs"]);
    first.co(&["sync"]);
    first.co(&["forget", "--yes", "Likes tea"]);
    first.co(&["knowledge", "delete", "--yes", "people/sarah"]);
    let memories = a.identity().join("knowledge/memories");
    let renamed = memories.join("005-seattle.md");
    fs::rename(a.identity().join(a.file_of("Lives in Seattle")), renamed).expect("renamed");
    let before = a.tree();
    let again = started(&a, 2);
    let said = again.try_co(&["status"]);
    assert!(said.code == 0 && !said.err.contains("brought back"), "{}", said.err);
    assert_eq!(a.tree(), before);
    again.co(&["sync"]);
    b.co(&["sync"]);
    assert_agree(&[&again, &b]);
    assert_eq!(b.facts(), ["I prefer async/await", "Lives in Seattle", "Uses SQLAlchemy"]);
    assert!(!b.identity().join(DOCUMENT).exists());
}

/// Files of git's that it can make again, by what they hold after a power cut.
fn mended(name: &str, bytes: &[u8]) {
    for published in [true, false] {
        let world = World::new();
        let (a, b) = pair(&world);
        a.co(&["learn", "One more"]);
        if published {
            a.co(&["sync"]);
        }
        let before = a.tree();
        fs::write(a.identity().join(".git").join(name), bytes).expect("written");
        for look in [&["status"][..], &["list"], &["diff"], &["check"], &["log"]] {
            let said = a.try_co(look);
            assert_eq!(said.code, 0, "{name} {look:?}: {}", said.err);
        }
        let said = a.try_co(&["sync"]);
        assert_eq!(said.code, 0, "{name}: {}", said.err);
        assert_eq!(a.tree(), before, "{name}");
        b.co(&["sync"]);
        assert_agree(&[&a, &b]);
        assert!(b.facts().contains(&"One more".to_owned()) && b.facts().len() == 4, "{name}");
    }
}

const OF_GIT: [&str; 4] = ["refs/remotes/origin/main", "index", "refs/heads/main", "HEAD"];

#[test]
fn what_a_power_cut_emptied_is_made_again() {
    OF_GIT.iter().for_each(|name| mended(name, b""));
}

#[test]
fn what_a_power_cut_filled_with_zeros_is_made_again() {
    OF_GIT.iter().for_each(|name| mended(name, &[0; 41]));
}

#[test]
fn refs_whose_pack_a_power_cut_emptied_are_made_again() {
    for bytes in [&b""[..], &[0; 41]] {
        let world = World::new();
        let (a, b) = pair(&world);
        a.co(&["learn", "One more"]);
        a.git(&["branch", "aside"]);
        a.git(&["pack-refs", "--all"]);
        a.git(&["checkout", "-q", "aside"]);
        a.git(&["checkout", "-q", "main"]);
        let (before, refs) = (a.tree(), a.git(&["show-ref", "--heads"]));
        fs::write(a.identity().join(".git/packed-refs"), bytes).expect("written");
        fs::write(a.identity().join(".git/HEAD"), bytes).expect("written");
        let said = a.try_co(&["sync"]);
        assert_eq!(said.code, 0, "{}", said.err);
        assert_eq!(a.git(&["symbolic-ref", "HEAD"]).trim(), "refs/heads/main");
        assert!(refs.contains("aside") && a.git(&["show-ref", "--heads"]).contains("aside"));
        assert!(before.iter().all(|(path, _)| a.identity().join(path).exists()));
        b.co(&["sync"]);
        assert_agree(&[&a, &b]);
        assert!(b.facts().contains(&"One more".to_owned()) && b.facts().len() == 4);
    }
}

#[test]
fn a_journal_that_a_power_cut_emptied_is_dropped() {
    mended("co/journal", b"");
}

#[test]
fn an_emptied_tracking_ref_needs_no_network_before_the_next_sync_does() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.write(".git/refs/remotes/origin/main", "");
    a.git(&["remote", "set-url", "origin", "http://127.0.0.1:9/remote.git"]);
    a.co(&["learn", "On the train"]);
    let said = a.try_co(&["sync"]);
    assert!(said.code == 0 && said.err.contains("cannot be reached"), "{} {}", said.code, said.err);
    let remote = world.path("remote.git").display().to_string();
    a.git(&["remote", "set-url", "origin", &remote]);
    for laptop in [&a, &b] {
        laptop.co(&["sync"]);
    }
    assert_agree(&[&a, &b]);
    assert!(b.facts().contains(&"On the train".to_owned()));
}

#[test]
fn what_a_co_that_died_with_the_machine_left_is_removed_by_the_next_change() {
    let world = World::new();
    let (a, b) = brought(&world);
    let before = a.tree();
    for folder in ["", "knowledge/", "knowledge/memories/", "knowledge/people/", "traits/"] {
        a.write(&format!("{folder}.co-tmp-Xa1b2c"), "half of a fa");
    }
    let again = started(&a, 2);
    assert_eq!(again.facts().len(), 5, "nobody reads them");
    again.co(&["learn", "Learned after it"]);
    let left: Vec<String> = tree(&a.identity()).into_iter().map(|(path, _)| path).collect();
    assert!(!left.iter().any(|path| path.contains(".co-tmp-")), "{left:?}");
    assert_eq!(left.len(), before.len() + 1);
    again.co(&["sync"]);
    b.co(&["sync"]);
    assert_agree(&[&again, &b]);
}

#[test]
fn what_another_laptop_forgot_stays_forgotten() {
    let world = World::new();
    let (a, b) = pair(&world);
    let first = started(&b, 1);
    first.co(&["learn", "Forgotten on a"]);
    first.co(&["sync"]);
    a.co(&["sync"]);
    a.co(&["forget", "--yes", "Forgotten on a"]);
    a.co(&["sync"]);
    b.git(&["pull", "-q", "--ff-only"]);
    let again = started(&b, 2);
    let said = again.try_co(&["status"]);
    assert!(!said.err.contains("brought back"), "{}", said.err);
    again.co(&["sync"]);
    a.co(&["sync"]);
    assert!(!a.facts().contains(&"Forgotten on a".to_owned()));
}

#[test]
fn what_a_commit_removed_stays_removed() {
    let world = World::new();
    let (a, _) = pair(&world);
    let first = started(&a, 1);
    first.co(&["learn", "Removed by git"]);
    first.co(&["sync"]);
    a.git(&["rm", "-q", &a.file_of("Removed by git")]);
    let staged = started(&a, 2).try_co(&["status"]);
    assert!(!staged.err.contains("brought back"), "{}", staged.err);
    a.git(&["commit", "-q", "-m", "Out"]);
    let said = started(&a, 3).try_co(&["status"]);
    assert!(!said.err.contains("brought back"), "{}", said.err);
    assert!(!a.facts().contains(&"Removed by git".to_owned()));
}

#[test]
fn an_identity_that_is_mounted_late_is_looked_at_then() {
    let world = World::new();
    let (a, _) = brought(&world);
    lose(&a);
    let again = started(&a, 2);
    let (here, away) = (a.identity(), world.path("away"));
    fs::rename(&here, &away).expect("moved");
    again.try_co(&["status"]);
    fs::remove_dir_all(&here).ok();
    fs::rename(&away, &here).expect("moved");
    says_so(&again.try_co(&["sync"]));
    assert_eq!(a.facts().len(), 5);
}
