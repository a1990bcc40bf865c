//! `co log HANDLE`, `co log o42` and `--at`: what was done on a laptop is told with its own time,
//! from the operations; what was done elsewhere from the commits; each once.

use crate::support::{Laptop, World, client::Client, git, summaries, whole::whole};
use serde_json::{Value, json};
use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

/// The laptop at a minute of one day.
fn at(laptop: &Laptop, minute: &str) -> Laptop {
    laptop.with_env("CO_TEST_CLOCK", &format!("2026-11-25T{minute}:00Z"))
}

/// Two laptops with one fact, which the first learned at 08:00 and synced at 08:10.
fn pair(world: &World) -> (Laptop, Laptop) {
    let (remote, a, b) = (world.remote(), world.laptop("a"), world.laptop("b"));
    let init = ["init", "--yes", "--name", "Bin", "--timezone", "UTC", "--remote", &remote];
    at(&a, "07:50").co(&init);
    at(&a, "08:00").co(&["learn", "Prefers tabs"]);
    at(&a, "08:10").co(&["sync"]);
    at(&b, "08:20").co(&["init", "--yes", &remote]);
    (a, b)
}

fn events(laptop: &Laptop, handle: &str) -> Vec<Value> {
    let said = at(laptop, "23:00").json(&["log", handle]);
    let mut events = said["data"]["events"].as_array().expect("events").clone();
    events.reverse();
    events
}

/// The life of a fact, oldest first: what happened, when, where, and whether the log of operations
/// and a commit have it.
fn life(laptop: &Laptop, handle: &str) -> Vec<String> {
    let line = |event: &Value| {
        let text = |key: &str| event[key].as_str().unwrap_or_default().to_owned();
        let is = |key: &str, word: &str| if event[key].is_null() { "" } else { word }.to_owned();
        let (op, commit) = (is("op", " op"), is("commit", " synced"));
        format!("{} {} {}{op}{commit}", text("what"), &text("at")[11..16], text("who"))
    };
    events(laptop, handle).iter().map(line).collect()
}

fn log_folder(laptop: &Laptop) -> PathBuf {
    fn found(folder: &Path) -> Option<PathBuf> {
        let mut inside = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
        if folder.join("operations.jsonl").exists() {
            return Some(folder.to_owned());
        }
        inside.find_map(|path| found(&path))
    }
    found(&laptop.config().join("local")).expect("a log")
}

fn facts_at(laptop: &Laptop, moment: &str) -> Vec<String> {
    let moment = format!("2026-11-25T{moment}:30Z");
    let said = at(laptop, "23:00").json(&["list", "--at", &moment]);
    assert!(said["data"]["memories"].is_array(), "{moment}: {said}");
    summaries(&said)
}

fn warning_at(laptop: &Laptop, moment: &str) -> String {
    let moment = format!("2026-11-25T{moment}:30Z");
    at(laptop, "23:00").json(&["list", "--at", &moment])["warnings"].to_string()
}

#[test]
fn each_edit_between_two_syncs_is_told_with_its_own_time() {
    let world = World::new();
    let (a, b) = pair(&world);
    at(&a, "09:05").co(&["edit", "1", "Prefers spaces"]);
    at(&a, "09:07").co(&["edit", "1", "Prefers spaces in Go"]);
    at(&a, "09:08").co(&["pin", "1"]);
    let expected = [
        "learned 08:00 a op synced",
        "edited 09:05 this laptop op",
        "edited 09:07 this laptop op",
        "pinned 09:08 this laptop op",
    ];
    assert_eq!(life(&a, "1"), expected);
    at(&a, "09:30").co(&["sync"]);
    at(&b, "09:40").co(&["sync"]);
    let expected = [
        "learned 08:00 a op synced",
        "edited 09:05 a op synced",
        "edited 09:07 a op synced",
        "pinned 09:08 a op synced",
    ];
    assert_eq!(life(&a, "1"), expected);
    let both = |event: &Value| {
        [event["before"].as_str().map(str::to_owned), event["after"].as_str().map(str::to_owned)]
    };
    let told: Vec<_> = events(&a, "1").iter().map(both).collect();
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(told[1], [text("Prefers tabs"), text("Prefers spaces")]);
    assert_eq!(told[2], [text("Prefers spaces"), text("Prefers spaces in Go")]);
    // Elsewhere one commit is one event, with the time that the fact has.
    assert_eq!(life(&b, "1"), ["learned 08:00 a synced", "edited 09:08 a synced"]);
    let said = at(&a, "23:00").co(&["log", "1"]);
    for words in ["2026-11-25 09:05", "- Prefers tabs\n", "+ learned", "~ pinned"] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

#[test]
fn what_was_taken_back_is_told_whether_a_sync_saw_it_or_not() {
    for syncs in [&[][..], &["10:00"], &["09:06", "10:00"]] {
        let world = World::new();
        let (a, _) = pair(&world);
        at(&a, "09:05").co(&["edit", "1", "Prefers spaces"]);
        if syncs.contains(&"09:06") {
            at(&a, "09:06").co(&["sync"]);
        }
        at(&a, "09:08").co(&["undo", "--yes"]);
        if syncs.contains(&"10:00") {
            at(&a, "10:00").co(&["sync"]);
        }
        let told: Vec<String> =
            life(&a, "1").iter().map(|event| event.split(' ').take(2).collect()).collect();
        assert_eq!(told, ["learned08:00", "edited09:05", "edited09:08"], "{syncs:?}");
        let said = at(&a, "23:00").co(&["log", "1"]);
        assert!(said.contains(", undo\n"), "{said}");
    }
}

#[test]
fn words_that_were_learned_again_have_their_first_life_too() {
    for synced in [false, true] {
        let world = World::new();
        let (a, _) = pair(&world);
        at(&a, "09:05").co(&["forget", "--yes", "Prefers tabs"]);
        if synced {
            at(&a, "09:10").co(&["sync"]);
        }
        at(&a, "09:15").co(&["learn", "Prefers tabs"]);
        at(&a, "09:20").co(&["sync"]);
        let list = at(&a, "23:00").json(&["list"]);
        let handle = list["data"]["memories"][0]["handle"].as_str().expect("a handle").to_owned();
        let told: Vec<String> = events(&a, &handle)
            .iter()
            .map(|event| {
                format!(
                    "{} {}",
                    event["what"].as_str().unwrap_or(""),
                    &event["at"].as_str().unwrap_or("")[11..16]
                )
            })
            .collect();
        let expected = ["learned 08:00", "forgotten 09:05", "learned again 09:15"];
        assert_eq!(told, expected, "synced: {synced}");
    }
}

#[test]
fn what_was_forgotten_before_any_sync_can_still_be_named() {
    let world = World::new();
    let (a, _) = pair(&world);
    at(&a, "09:00").co(&["learn", "Rows"]);
    at(&a, "09:05").co(&["forget", "--yes", "Rows"]);
    let expected = ["learned 09:00 this laptop op", "forgotten 09:05 this laptop op"];
    assert_eq!(life(&a, "2"), expected);
    at(&a, "10:00").co(&["sync"]);
    assert_eq!(life(&a, "2"), expected);
    at(&a, "23:00").fails(5, &["log", "77"]);
}

#[test]
fn a_laptop_without_a_log_tells_what_the_commits_and_the_facts_say() {
    let world = World::new();
    let (a, b) = pair(&world);
    at(&a, "09:05").co(&["edit", "1", "Prefers spaces"]);
    at(&a, "09:30").co(&["sync"]);
    at(&a, "10:00").co(&["forget", "--yes", "1"]);
    at(&a, "10:30").co(&["sync"]);
    at(&b, "10:40").co(&["sync"]);
    let expected = ["learned 08:00 a synced", "edited 09:05 a synced", "forgotten 10:00 a synced"];
    assert_eq!(life(&b, "1"), expected);
    fs::remove_dir_all(log_folder(&a)).expect("removed");
    assert_eq!(life(&a, "1"), expected);
}

#[test]
fn a_number_that_a_sync_took_does_not_hide_the_operation() {
    let world = World::new();
    let (a, b) = pair(&world);
    at(&a, "09:00").co(&["learn", "From a"]);
    at(&b, "09:01").co(&["learn", "From b"]);
    at(&b, "09:02").co(&["edit", "2", "Really from b"]);
    at(&a, "09:10").co(&["sync"]);
    at(&b, "09:20").co(&["sync"]);
    at(&a, "09:30").co(&["sync"]);
    let without_numbers = |laptop: &Laptop| -> Vec<String> {
        let told = life(laptop, "3").into_iter();
        told.filter(|event| !event.starts_with("renumbered")).collect()
    };
    let expected = ["learned 09:01 b op synced", "edited 09:02 b op synced"];
    assert_eq!(without_numbers(&b), expected);
    assert_eq!(without_numbers(&a), ["learned 09:01 b synced"]);
}

#[test]
fn both_laptops_changed_it() {
    let world = World::new();
    let (a, b) = pair(&world);
    at(&a, "09:00").co(&["pin", "1"]);
    at(&b, "09:05").co(&["edit", "1", "--tag", "style", "Prefers tabs"]);
    at(&a, "09:10").co(&["sync"]);
    at(&b, "09:20").co(&["sync"]);
    at(&a, "09:30").co(&["sync"]);
    let expected = [
        "learned 08:00 a synced",
        "pinned 09:00 a synced",
        "tagged 09:05 b op synced",
        "merged 09:20 b synced",
    ];
    assert_eq!(life(&b, "1"), expected);
    let on_a = life(&a, "1");
    assert_eq!(on_a[1], "pinned 09:00 a op synced", "{on_a:?}");
    assert_eq!(on_a.len(), 4, "{on_a:?}");
}

#[test]
fn what_plain_git_committed_is_told_once() {
    let world = World::new();
    let (a, _) = pair(&world);
    at(&a, "09:05").co(&["edit", "1", "Prefers spaces"]);
    let then = "2026-11-25T10:00:00Z";
    let by_hand = a.with_env("GIT_COMMITTER_DATE", then).with_env("GIT_AUTHOR_DATE", then);
    let identity = a.identity().display().to_string();
    let (name, email) = ("user.name=t", "user.email=t@example.org");
    let commit = ["-C", &identity, "-c", name, "-c", email, "commit", "-qam", "by hand"];
    assert!(by_hand.command_of("git", &commit).status().expect("git runs").success());
    at(&a, "23:00").co(&["sync"]);
    let told = life(&a, "1");
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[1].starts_with("edited 09:05 a op synced"), "{told:?}");
}

#[test]
fn an_agent_is_named() {
    let world = World::new();
    let (a, b) = pair(&world);
    let mut client = Client::ready_with_env(&at(&a, "09:00"));
    client.call_ok("save_memory", json!({ "content": "Deploys on Fridays" }));
    at(&a, "09:10").co(&["sync"]);
    at(&b, "09:20").co(&["sync"]);
    for laptop in [&a, &b] {
        let event = &events(laptop, "2")[0];
        assert!(event["agent"].is_string(), "{}: {event}", laptop.name);
        let said = at(laptop, "23:00").co(&["log", "2"]);
        assert!(said.contains(", by "), "{said}");
    }
}

#[test]
fn an_identity_in_a_bigger_repository_has_the_same_past() {
    let world = World::new();
    let (a, remote) = (world.laptop("a"), world.remote());
    git(&a.home, &["init", "-q", "-b", "main", "dotfiles"]);
    let repo = a.home.join("dotfiles");
    fs::write(repo.join(".bashrc"), "x\n").expect("written");
    fs::create_dir_all(repo.join("my id/knowledge/memories")).expect("a folder");
    fs::write(
        repo.join("my id/profile.md"),
        "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n- Name: Bin\n- Timezone: UTC\n",
    )
    .expect("written");
    git(&repo, &["add", "-A"]);
    git(&repo, &["commit", "-qm", "start"]);
    git(&repo, &["remote", "add", "origin", &remote]);
    git(&repo, &["push", "-qu", "origin", "main"]);
    fs::create_dir_all(a.config()).expect("a folder");
    symlink(repo.join("my id"), a.identity()).expect("linked");
    at(&a, "08:00").co(&["learn", "Prefers tabs"]);
    at(&a, "08:10").co(&["sync"]);
    at(&a, "09:05").co(&["edit", "1", "Prefers spaces"]);
    at(&a, "09:10").co(&["edit", "1", "Prefers neither"]);
    at(&a, "09:20").co(&["sync"]);
    let expected =
        ["learned 08:00 a op synced", "edited 09:05 a op synced", "edited 09:10 a op synced"];
    assert_eq!(life(&a, "1"), expected);
}

#[test]
fn without_git_the_operations_are_the_past() {
    let world = World::new();
    let a = world.laptop("a");
    at(&a, "07:50").co(&["init", "--yes", "--name", "Bin", "--timezone", "UTC"]);
    fs::remove_dir_all(a.identity().join(".git")).ok();
    at(&a, "08:00").co(&["learn", "Prefers tabs"]);
    at(&a, "09:05").co(&["edit", "1", "Prefers spaces"]);
    at(&a, "09:10").co(&["learn", "Rows"]);
    at(&a, "09:20").co(&["forget", "--yes", "Rows"]);
    let expected = ["learned 08:00 this laptop op", "edited 09:05 this laptop op"];
    assert_eq!(life(&a, "1"), expected);
    for (moment, facts) in [
        ("08:00", &["Prefers tabs"][..]),
        ("09:05", &["Prefers spaces"]),
        ("09:10", &["Prefers spaces", "Rows"]),
        ("09:20", &["Prefers spaces"]),
    ] {
        assert_eq!(facts_at(&a, moment), facts, "{moment}");
    }
    at(&a, "23:00").fails(5, &["list", "--at", "2026-11-24"]);
}

#[test]
fn between_two_syncs_the_operations_tell_what_co_knew() {
    let world = World::new();
    let (a, b) = pair(&world);
    at(&a, "09:05").co(&["edit", "1", "Prefers spaces"]);
    at(&a, "09:10").co(&["learn", "Rows"]);
    at(&b, "09:12").co(&["learn", "Swims"]);
    at(&a, "09:15").co(&["forget", "--yes", "1"]);
    at(&a, "09:20").co(&["undo", "--yes"]);
    let check = |when: &str| {
        for (moment, facts) in [
            ("08:00", &["Prefers tabs"][..]),
            ("08:30", &["Prefers tabs"]),
            ("09:05", &["Prefers spaces"]),
            ("09:10", &["Prefers spaces", "Rows"]),
            ("09:15", &["Rows"]),
            ("09:20", &["Prefers spaces", "Rows"]),
        ] {
            assert_eq!(facts_at(&a, moment), facts, "{when}: {moment}");
            assert_eq!(warning_at(&a, moment), "[]", "{when}: {moment}");
        }
        assert_eq!(facts_at(&b, "09:12"), ["Prefers tabs", "Swims"], "{when}");
    };
    check("not committed");
    at(&a, "09:30").co(&["sync"]);
    check("committed");
    at(&b, "09:40").co(&["sync"]);
    at(&a, "09:50").co(&["sync"]);
    check("merged");
    at(&a, "10:00").co(&["learn", "Later"]);
    check("later");
    assert_eq!(facts_at(&a, "09:50"), ["Prefers spaces", "Rows", "Swims"]);
    let said = at(&a, "23:00").co(&["list", "--at", "2026-11-25T09:05:30Z"]);
    assert!(said.starts_with("As it was on 2026-11-25 09:05 (commit "), "{said}");
    assert!(said.contains("operations up to o") && said.contains("Prefers spaces"), "{said}");
}

#[test]
fn documents_traits_and_the_profile_are_as_they_were_too() {
    let world = World::new();
    let (a, _) = pair(&world);
    at(&a, "09:00").co(&["knowledge", "write", "people/sarah", "# Sarah\n\nTech lead"]);
    at(&a, "09:10").co(&["knowledge", "write", "people/sarah", "# Sarah\n\nDirector"]);
    let context = |moment: &str| {
        let moment = format!("2026-11-25T{moment}:30Z");
        at(&a, "23:00").co(&["context", "--min-relevance", "0", "-Q", "Sarah", "--at", &moment])
    };
    let check = |when: &str| {
        assert!(!context("08:30").contains("Tech lead"), "{when}");
        assert!(context("09:00").contains("Tech lead"), "{when}");
        assert!(context("09:10").contains("Director"), "{when}");
        assert!(!context("09:10").contains("Tech lead"), "{when}");
    };
    check("not committed");
    at(&a, "09:30").co(&["sync"]);
    check("committed");
}

/// Where the log does not say, the answer says so.
#[test]
fn where_only_a_sync_is_known_it_is_said() {
    let world = World::new();
    let (a, b) = pair(&world);
    at(&a, "09:05").co(&["learn", "Rows"]);
    at(&a, "09:30").co(&["sync"]);
    at(&b, "09:40").co(&["sync"]);
    // Of a laptop that joined later.
    let c = world.laptop("c");
    at(&c, "10:00").co(&["init", "--yes", &world.path("remote.git").display().to_string()]);
    assert_eq!(facts_at(&c, "09:10"), ["Prefers tabs"]);
    let said = warning_at(&c, "09:10");
    assert!(said.contains("as the sync of 2026-11-25 08:10 left it"), "{said}");
    assert!(said.contains("not known for a\""), "{said}");
    assert_eq!(warning_at(&c, "10:10"), "[]");
    // Of a laptop that lost its log.
    assert_eq!(warning_at(&a, "09:10"), "[]");
    fs::remove_dir_all(log_folder(&a)).expect("removed");
    assert_eq!(facts_at(&a, "09:10"), ["Prefers tabs"]);
    assert!(warning_at(&a, "09:10").contains("not known for a\""));
    // By hand.
    b.write("knowledge/people/hand.md", "# By hand\n\nText.\n");
    at(&b, "10:30").co(&["sync"]);
    assert!(warning_at(&b, "10:00").contains("the sync of 2026-11-25 10:30 found it"));
}

/// `co log o42` on the last operation.
fn last(laptop: &Laptop) -> (String, Value) {
    let now = at(laptop, "23:00");
    let newest = now.json(&["log", "-n", "1"])["data"]["operations"][0]["op"].clone();
    let handle = format!("o{newest}");
    (now.co(&["log", &handle]), now.json(&["log", &handle])["data"].clone())
}

#[test]
fn one_operation_is_shown_with_each_thing_before_and_after() {
    let world = World::new();
    let (a, _) = pair(&world);
    at(&a, "09:00").co(&["edit", "1", "--tag", "style", "Prefers spaces"]);
    let (said, data) = last(&a);
    insta::assert_snapshot!(whole(&said), @"
    [indented]
       o2  2026-11-25 09:00  edited    Prefers spaces
              ~ edited fact 1  (tags: none → style)
                - Prefers tabs
                + Prefers spaces
    ");
    let change = &data["changes"][0];
    assert_eq!(change["before"], "Prefers tabs");
    assert_eq!(change["after"], "Prefers spaces");
    assert_eq!(data["verb"], "edit");
    at(&a, "09:01").co(&["learn", "Rows"]);
    let (_, data) = last(&a);
    assert_eq!(data["changes"][0]["before"], Value::Null);
    assert_eq!(data["changes"][0]["change"], "learned");
    at(&a, "09:02").co(&["forget", "--yes", "1", "2"]);
    let (said, data) = last(&a);
    assert_eq!(data["changes"].as_array().map(Vec::len), Some(2), "{data}");
    insta::assert_snapshot!(whole(&said), @"
    [indented]
       o4  2026-11-25 09:02  forgot    Prefers spaces · Rows
              - forgotten fact 1
                - Prefers spaces
              - forgotten fact 2
                - Rows
    ");
    at(&a, "09:03").co(&["undo", "--yes"]);
    let (said, _) = last(&a);
    insta::assert_snapshot!(whole(&said), @"
    [indented]
       o5  2026-11-25 09:03  undid     forget: Prefers spaces · Rows  (o4)
              + learned fact 1
                + Prefers spaces
              + learned fact 2
                + Rows
    ");
    at(&a, "09:04").co(&["knowledge", "write", "people/sarah", "# Sarah\n\nTech lead"]);
    at(&a, "09:05").co(&["knowledge", "write", "people/sarah", "# Sarah\n\nDirector"]);
    let (said, data) = last(&a);
    insta::assert_snapshot!(whole(&said), @"
    [indented]
       o7  2026-11-25 09:05  wrote     people/sarah
              ~ edited knowledge/people/sarah.md
                - Tech lead
                + Director
    ");
    assert_eq!(data["changes"][0]["path"], "knowledge/people/sarah.md");
    let now = at(&a, "23:00");
    now.fails(5, &["log", "o999"]);
    let operations = now.json(&["log"])["data"]["operations"].clone();
    let mut oldest_first = operations.as_array().expect("operations").iter().rev();
    let learned = oldest_first.find(|one| one["verb"] == "save").expect("a fact");
    let op = learned["op"].as_u64().expect("a number");
    let several = now.json(&["log", &format!("o{op}..o{}", op + 1)]);
    assert_eq!(several["data"]["operations"].as_array().map(Vec::len), Some(2), "{several}");
    fs::remove_file(log_folder(&a).join(format!("{op:08}"))).expect("its bytes");
    insta::assert_snapshot!(whole(&now.co(&["log", &format!("o{op}")])), @"
    [indented]
       o1  2026-11-25 08:00  learned   Prefers tabs
              (the text that it changed is no longer kept)
              + added knowledge/memories/001-prefers-tabs.md
    ");
}

#[test]
fn a_merge_is_shown_with_what_it_brought() {
    let world = World::new();
    let (a, b) = pair(&world);
    at(&b, "09:00").co(&["learn", "Swims"]);
    at(&b, "09:01").co(&["sync"]);
    at(&a, "09:02").co(&["learn", "Rows"]);
    at(&a, "09:10").co(&["sync"]);
    let (said, data) = last(&a);
    assert_eq!(data["verb"], "merge");
    assert!(said.contains("+ Swims"), "{said}");
}

/// By whom and in which commit, also after the other fact was changed.
#[test]
fn what_replaced_a_fact_is_told_from_its_commit() {
    let world = World::new();
    let (a, b) = pair(&world);
    at(&b, "08:30").co(&["learn", "Prefers spaces", "--replaces", "1"]);
    assert_eq!(life(&b, "1").last().expect("an event"), "replaced 08:30 this laptop op");
    at(&b, "08:40").co(&["sync"]);
    at(&a, "08:50").co(&["sync"]);
    at(&a, "09:00").co(&["edit", "2", "--add-tag", "style"]);
    // The laptop that did it has an operation for it, too.
    for (laptop, told) in [(&a, "replaced 08:30 b synced"), (&b, "replaced 08:30 b op synced")] {
        let events = life(laptop, "1");
        assert_eq!(events.last().expect("an event"), told, "{}", laptop.name);
        assert!(!laptop.co(&["log", "1"]).contains("not committed"), "{}", laptop.name);
    }
}
