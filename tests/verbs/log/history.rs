//! `co log` and `--at`: what a laptop had at a past moment, and on which laptop each fact was
//! learned, whoever merged.

use crate::support::{
    Laptop, World, git,
    monday::moved,
    pair::{assert_agree, pair, sync},
    summaries,
    waiting::at_once,
    whole::whole,
};
use std::{
    fs, thread,
    time::{Duration, SystemTime},
};

fn row(laptop: &Laptop, fact: &str) -> serde_json::Value {
    let listed = laptop.json(&["list"])["data"]["memories"].clone();
    let rows = listed.as_array().expect("rows");
    rows.iter().find(|row| row["summary"] == fact).expect("it is there").clone()
}

fn edit(laptop: &Laptop, fact: &str, text: &str) {
    laptop.co(&["edit", row(laptop, fact)["handle"].as_str().expect("a handle"), text]);
}

/// The life of a fact, oldest first: what happened, and where.
fn life(laptop: &Laptop, fact: &str) -> Vec<String> {
    let said = laptop.json(&["log", row(laptop, fact)["hash"].as_str().expect("a hash")]);
    let events = said["data"]["events"].as_array().expect("events").iter().rev();
    let text = |event: &serde_json::Value, key: &str| event[key].as_str().unwrap_or("").to_owned();
    events.map(|event| format!("{} on {}", text(event, "what"), text(event, "who"))).collect()
}

#[test]
fn the_log_names_the_laptop_where_a_fact_was_learned() {
    for b_merges in [true, false] {
        let world = World::new();
        let (a, b) = pair(&world);
        for (laptop, other) in [(&a, "a"), (&b, "b")] {
            laptop.co(&["learn", &format!("Learned on {other}")]);
            laptop.co(&["learn", &format!("To be edited, from {other}")]);
        }
        let (first, second) = if b_merges { (&a, &b) } else { (&b, &a) };
        sync(&[first, second, first]);
        // Edited where it was not learned, beside something that makes a merge necessary.
        edit(&b, "To be edited, from a", "Edited on b");
        edit(&a, "To be edited, from b", "Edited on a");
        sync(&[first, second, first]);
        assert_agree(&[&a, &b]);
        for laptop in [&a, &b] {
            assert_eq!(life(laptop, "Prefers tabs"), ["learned on a"], "{}", laptop.name);
            let numbers = |events: Vec<String>| -> Vec<String> {
                events.into_iter().filter(|event| !event.starts_with("renumbered")).collect()
            };
            assert_eq!(numbers(life(laptop, "Learned on a")), ["learned on a"]);
            assert_eq!(numbers(life(laptop, "Learned on b")), ["learned on b"]);
            assert_eq!(numbers(life(laptop, "Edited on b")), ["learned on a", "edited on b"]);
            assert_eq!(numbers(life(laptop, "Edited on a")), ["learned on b", "edited on a"]);
        }
    }
}

/// Both edited it: the text that kept the number has one life. Without the merge in it, the edit
/// told last would look like one of the other laptop's text, which is a fact of its own now.
#[test]
fn a_merge_that_set_a_text_apart_is_told_in_the_life_of_the_other() {
    let world = World::new();
    let (a, b) = pair(&world);
    edit(&a, "Prefers tabs", "Prefers tabs in Makefiles");
    sync(&[&a]);
    thread::sleep(Duration::from_millis(1100));
    edit(&b, "Prefers tabs", "Prefers spaces after all");
    sync(&[&b, &a]);
    assert_agree(&[&a, &b]);
    for laptop in [&a, &b] {
        let events = life(laptop, "Prefers spaces after all");
        let expected = ["learned on a", "edited on a", "edited on b", "kept by merge on b"];
        assert_eq!(events, expected, "{}", laptop.name);
        assert_eq!(laptop.co(&["log", "2"]).matches("not committed").count(), 0);
    }
    edit(&a, "Prefers spaces after all", "Prefers two spaces");
    assert_eq!(life(&a, "Prefers two spaces").last().expect("an event"), "edited on this laptop");
    assert!(a.co(&["log", "2"]).contains("not committed, on this laptop\n"));
}

/// One edit was made of the other, or only one laptop edited: nothing is said twice.
#[test]
fn what_a_merge_took_from_one_side_is_no_event_of_the_merge() {
    for edited_by_both in [true, false] {
        let world = World::new();
        let (a, b) = pair(&world);
        edit(&a, "Prefers tabs", "Prefers tabs in Makefiles");
        if edited_by_both {
            sync(&[&a, &b]);
            edit(&b, "Prefers tabs in Makefiles", "Prefers tabs in Go");
        }
        b.co(&["learn", "From b"]);
        a.co(&["learn", "From a"]);
        sync(&[&a, &b, &a]);
        assert_agree(&[&a, &b]);
        let all = ["learned on a", "edited on a", "edited on b"];
        let (text, events) = if edited_by_both {
            ("Prefers tabs in Go", &all[..])
        } else {
            ("Prefers tabs in Makefiles", &all[..2])
        };
        assert_eq!(life(&a, text), events);
    }
}

/// Both edited it: the text that got its own number keeps its writer and its past, whichever laptop
/// merges and whoever was last.
#[test]
fn a_text_that_a_merge_kept_apart_keeps_its_writer() {
    at_once(&[("a", "b"), ("a", "a"), ("b", "b"), ("b", "a")], |(is_older, merged_by)| {
        let world = World::new();
        let (a, b) = pair(&world);
        let (older, newer) = if is_older == "a" { (&a, &b) } else { (&b, &a) };
        edit(older, "Prefers tabs", "Prefers tabs in Makefiles");
        thread::sleep(Duration::from_millis(1100));
        edit(newer, "Prefers tabs", "Prefers spaces after all");
        let (first, merging) = if merged_by == "a" { (&b, &a) } else { (&a, &b) };
        sync(&[first, merging, first]);
        assert_agree(&[&a, &b]);
        let expected = [
            "learned on a".to_owned(),
            format!("edited on {is_older}"),
            format!("kept apart on {merged_by}"),
        ];
        for laptop in [&a, &b] {
            let events = life(laptop, "Prefers tabs in Makefiles");
            assert_eq!(events, expected, "{is_older} older, {merged_by} merges");
        }
        // Split a second time, it keeps both pasts.
        edit(older, "Prefers tabs in Makefiles", "Tabs in Makefiles only");
        thread::sleep(Duration::from_millis(1100));
        edit(newer, "Prefers tabs in Makefiles", "Tabs in Makefiles and Go");
        sync(&[first, merging, first]);
        let expected = [
            &expected[..],
            &[format!("edited on {is_older}"), format!("kept apart on {merged_by}")],
        ];
        assert_eq!(life(&a, "Tabs in Makefiles only"), expected.concat());
    });
}

/// Forgotten last, and kept: the log does not end with what did not come to be.
#[test]
fn what_a_merge_kept_although_it_was_forgotten_is_not_told_as_forgotten() {
    at_once(&["yes", "no"], |forgotten_last| {
        let world = World::new();
        let (a, b) = pair(&world);
        let forget = || drop(b.co(&["forget", "--yes", "Prefers tabs"]));
        if forgotten_last == "no" {
            forget();
            commit(&b, &world);
            thread::sleep(Duration::from_millis(1100));
        }
        edit(&a, "Prefers tabs", "Prefers tabs, really");
        sync(&[&a]);
        if forgotten_last == "yes" {
            thread::sleep(Duration::from_millis(1100));
            forget();
        }
        sync(&[&b, &a]);
        assert_agree(&[&a, &b]);
        for laptop in [&a, &b] {
            let events = life(laptop, "Prefers tabs, really");
            let last = events.last().expect("an event");
            assert!(!last.starts_with("forgotten"), "{forgotten_last}: {events:?}");
            let is_kept = last == "kept by merge on b";
            assert_eq!(is_kept, forgotten_last == "yes", "{forgotten_last}: {events:?}");
        }
    });
}

/// A sync that reaches nobody.
fn commit(laptop: &Laptop, world: &World) {
    let set = |url: &str| laptop.git(&["config", "remote.origin.url", url]);
    set("http://127.0.0.1:9/remote.git");
    laptop.co(&["sync"]);
    set(&world.path("remote.git").display().to_string());
}

/// A moment between two seconds of commits.
fn moment() -> String {
    thread::sleep(Duration::from_millis(1100));
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("a clock");
    let now = jiff::Timestamp::from_millisecond(since.as_millis() as i64).expect("a moment");
    thread::sleep(Duration::from_millis(1100));
    now.to_string()
}

fn at(laptop: &Laptop, moment: &str) -> Vec<String> {
    summaries(&laptop.json(&["list", "--at", moment]))
}

#[test]
fn today_and_yesterday_are_days() {
    let world = World::new();
    let (a, _) = pair(&world);
    let now = jiff::Timestamp::now();
    let tomorrow = now.checked_add(jiff::SignedDuration::from_hours(24)).expect("a moment");
    let later = a.with_env("CO_TEST_CLOCK", &tomorrow.to_string());
    assert_eq!(at(&a, "today").len(), 3);
    for yesterday in ["yesterday", "Yesterday", " yesterday "] {
        assert_eq!(at(&later, yesterday).len(), 3, "{yesterday:?}");
        a.fails(5, &["list", "--at", yesterday]);
    }
}

#[test]
fn what_a_laptop_had_stays_what_it_had() {
    at_once(&[true, false], |b_merges| {
        let world = World::new();
        let (a, b) = pair(&world);
        let mut known: Vec<(&Laptop, String, Vec<String>)> = Vec::new();
        let had = ["I prefer async/await", "Prefers tabs", "Uses SQLAlchemy"].map(str::to_owned);
        let start = moment();
        known.push((&a, start.clone(), had.to_vec()));
        known.push((&b, start, had.to_vec()));
        a.co(&["learn", "A from a"]);
        commit(&a, &world);
        b.co(&["learn", "B from b"]);
        commit(&b, &world);
        let apart = moment();
        let with = |fact: &str| [vec![fact.to_owned()], had.to_vec()].concat();
        known.push((&a, apart.clone(), with("A from a")));
        known.push((&b, apart, with("B from b")));
        let check = |known: &[(&Laptop, String, Vec<String>)], when: &str| {
            for (laptop, moment, facts) in known {
                assert_eq!(at(laptop, moment), *facts, "{when}: {} at {moment}", laptop.name);
            }
        };
        check(&known, "before the merge");
        let (first, second) = if b_merges { (&a, &b) } else { (&b, &a) };
        sync(&[first, second, first]);
        check(&known, "after the merge");
        let both = [vec!["A from a".to_owned(), "B from b".to_owned()], had.to_vec()].concat();
        let merged = moment();
        known.push((&a, merged.clone(), both.clone()));
        known.push((&b, merged, both));
        a.co(&["forget", "--yes", "Prefers tabs"]);
        b.co(&["learn", "Later"]);
        sync(&[second, first, second]);
        check(&known, "after another one");
        // A laptop that joined later knows the past that it joined.
        let c = world.laptop("c");
        c.co(&["init", "--yes", &world.path("remote.git").display().to_string()]);
        let (_, start, facts) = &known[0];
        assert_eq!(at(&c, start), *facts);
        c.co(&["learn", "From c"]);
        b.co(&["learn", "From b again"]);
        sync(&[&b, &c, &b]);
        assert_eq!(at(&c, start), *facts);
        check(&known, "at the end");
    });
}

#[test]
fn a_clock_that_was_wrong_once_changes_no_other_moment() {
    at_once(&["1577836800", "4102444800"], |wrong| {
        let world = World::new();
        let (a, _) = pair(&world);
        let before = (moment(), a.facts());
        for fact in ["First", "Second", "Third"] {
            thread::sleep(Duration::from_millis(1100));
            a.co(&["learn", fact]);
            a.co(&["sync"]);
        }
        let after = (moment(), a.facts());
        let file = a.identity().join(".git/logs/refs/heads/main");
        let log = fs::read_to_string(&file).expect("a log");
        let mut lines: Vec<String> = log.lines().map(str::to_owned).collect();
        let second = lines.len() - 2;
        let (head, what) = lines[second].split_once('\t').expect("an entry");
        let mut words: Vec<&str> = head.split(' ').collect();
        let time = words.len() - 2;
        words[time] = wrong;
        lines[second] = format!("{}\t{what}", words.join(" "));
        fs::write(&file, lines.join("\n") + "\n").expect("written");
        for (moment, mut facts) in [before, after] {
            facts.sort();
            assert_eq!(at(&a, &moment), facts, "{wrong} at {moment}");
        }
    });
}

/// The handles that an error offers.
fn offered(said: &str) -> Vec<String> {
    let hints = said.lines().filter_map(|line| line.strip_prefix("hint: "));
    let handles = hints.filter_map(|hint| hint.split_once("  ")).map(|(handle, _)| handle);
    handles.map(str::to_owned).collect()
}

/// `co log` asks which fact is meant where the other verbs do, and every answer can be typed.
fn asks_which(laptop: &Laptop, number: &str, facts: [&str; 2]) {
    let said = laptop.fails(3, &["log", number]);
    let offered = offered(&said);
    assert_eq!(offered.len(), 2, "{said}");
    let lives: Vec<String> = offered.iter().map(|handle| laptop.co(&["log", handle])).collect();
    for fact in facts {
        let of_it = lives.iter().filter(|life| life.starts_with(&format!("\"{fact}\"")));
        assert_eq!(of_it.count(), 1, "{fact}: {said}\n{lives:?}");
    }
}

#[test]
fn the_life_of_a_number_is_never_a_guess() {
    // Copied in a file manager and edited: the copy has the number and the origin.
    for (name, text) in [("002-copy.md", "Lives in Oslo"), ("zz.md", "Ünï 世界")] {
        let world = World::new();
        let (a, _) = pair(&world);
        let copy = a.read(&a.file_of("Prefers tabs"));
        let lines = copy.lines().filter(|line| !line.starts_with("checksum"));
        let copy: String = lines.map(|line| format!("{line}\n")).collect();
        a.write(&format!("knowledge/memories/{name}"), &copy.replace("Prefers tabs", text));
        asks_which(&a, "2", ["Prefers tabs", text]);
        assert_eq!(offered(&a.fails(3, &["log", "2"])), offered(&a.fails(3, &["show", "2"])));
    }
    // A sync took the number from a fact of this laptop.
    let world = World::new();
    let (a, b) = pair(&world);
    a.co(&["learn", "From a"]);
    b.co(&["learn", "From b"]);
    sync(&[&a, &b]);
    asks_which(&b, "4", ["From a", "From b"]);
    assert_eq!(offered(&b.fails(3, &["log", "4"])), offered(&b.fails(3, &["show", "4"])));
    assert!(a.co(&["log", "4"]).contains("From a"));
    // Both facts that had it are forgotten.
    let c = world.laptop("c");
    c.co(&["init", "--yes"]);
    for fact in ["Rows", "Swims"] {
        c.co(&["learn", fact]);
        c.co(&["sync"]);
        c.co(&["forget", "--yes", "1"]);
        c.co(&["sync"]);
    }
    asks_which(&c, "1", ["Rows", "Swims"]);
    // Learned again in the same words: no handle tells the two apart, so the later one is told.
    let d = world.laptop("d");
    d.co(&["init", "--yes"]);
    for _ in 0..2 {
        d.co(&["learn", "Rows"]);
        d.co(&["sync"]);
        d.co(&["forget", "--yes", "1"]);
        d.co(&["sync"]);
    }
    assert!(d.co(&["log", "1"]).starts_with("\"Rows\""));
}

/// A change of what a fact replaces makes that fact later: neither its text nor a label changes.
#[test]
fn what_only_a_stamp_tells_is_in_the_commit_that_has_it() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.co(&["learn", "Prefers spaces", "--replaces", "2"]);
    sync(&[&a, &b]);
    b.co(&["edit", "4", "Prefers four spaces"]);
    sync(&[&b]);
    thread::sleep(Duration::from_millis(1100));
    a.co(&["edit", "2", "--add-tag", "style"]);
    sync(&[&a]);
    let said = a.co(&["log", "4"]);
    assert_eq!(said.matches("touched").count(), 1, "{said}");
    assert_eq!(said.matches("not committed").count(), 0, "{said}");
}

#[test]
fn the_log_speaks_in_the_past_tense_and_in_the_words_of_the_screens() {
    let world = World::new();
    let a = world.laptop("a").with_env("CO_TEST_CLOCK", "2026-11-25T09:00:00Z");
    a.co(&["init", "--yes", "--name", "Bin"]);
    a.co(&["learn", "On call", "--until", "2099-11-30"]);
    a.co(&["edit", "1", "--until", "none", "--check-after", "2099-12-24"]);
    insta::assert_snapshot!(whole(&a.co(&["log", "1"])), @r#"
    "On call"
      2026-11-25 09:00  ~ changed        until: 2099-11-30 → none; to be checked after: none → 2099-12-24; confirmed
                         o2, not committed, on this laptop
      2026-11-25 09:00  + learned        On call
                         until 30 Nov 2099
                         o1, not committed, on this laptop
    "#);
    a.co(&["knowledge", "write", "tea", "Green."]);
    a.co(&["sync"]);
    for name in ["one", "two", "three"] {
        a.write(&format!("knowledge/{name}.md"), &format!("# {name}\n\nWritten by hand.\n"));
    }
    a.co(&["sync"]);
    insta::assert_snapshot!(whole(&a.co(&["log"])), @"
    [indented]
       o4  2026-11-25 09:00  by hand   3 files
       o3  2026-11-25 09:00  wrote     tea
       o2  2026-11-25 09:00  edited    On call
       o1  2026-11-25 09:00  learned   On call
    ");
    assert!(a.git(&["log", "-1", "--format=%s"]).contains("identity: 3 files on "));
}

#[test]
fn the_log_sets_every_verb_apart_from_its_fact() {
    let world = World::new();
    let a = moved(&world);
    a.co(&["confirm", "2"]);
    a.co(&["pin", "2"]);
    let log = a.co(&["log"]);
    for verb in ["confirmed", "pinned", "learned"] {
        assert!(log.contains(&format!("  {verb} ")), "{verb}: {log}");
    }
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
