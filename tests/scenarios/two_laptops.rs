//! Several laptops and one remote: every fact ends up on every laptop, once, without a conflict.

use crate::support::{
    Laptop, World, git,
    pair::{assert_agree, pair},
    stories::number,
};
use std::{fs, thread, time::Duration};

fn ids(laptop: &Laptop) -> Vec<u64> {
    let list = laptop.json(&["memory", "list"]);
    list["data"]["memories"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| row["id"].as_u64().expect("an id"))
        .collect()
}

#[test]
fn what_three_laptops_learned_ends_up_on_all_of_them() {
    let world = World::new();
    let (a, b) = pair(&world);
    let c = world.laptop("c");
    c.co(&["init", "--yes"]);
    c.co(&["learn", "Speaks German"]);
    c.co(&["learn", "Commits conventionally"]);
    a.co(&["learn", "Always run uv sync"]);
    a.co(&["learn", "Commits conventionally", "--tag", "git"]);
    b.co(&["learn", "Lives in Seattle"]);
    b.co(&["learn", "Commits conventionally", "--tag", "style"]);
    b.co(&["forget", "--yes", "Prefers tabs"]);
    // Edits within a second of what they replace are moved behind it; these are not.
    thread::sleep(Duration::from_millis(1100));
    a.edit("profile.md", "America/Los_Angeles", "Europe/Berlin");
    thread::sleep(Duration::from_millis(20));
    b.edit("profile.md", "America/Los_Angeles", "Asia/Tokyo");
    a.edit("traits/communication-style.md", "Style\n", "Style\n\n- bullets\n");
    b.edit("traits/learned-patterns.md", "(Cross-Project)\n", "(Cross-Project)\n\n- uv over pip\n");
    a.co(&["identity", "sync"]);
    let report = b.co(&["identity", "sync"]);
    assert!(report.contains("same on both"), "{report}");
    assert!(report.contains("Lives in Seattle  (was 4 here; 4 was taken)"), "{report}");
    c.co(&["init", "--yes", &world.path("remote.git").display().to_string()]);
    for laptop in [&a, &b, &c] {
        laptop.co(&["identity", "sync"]);
    }
    assert_agree(&[&a, &b, &c]);
    assert_eq!(
        a.facts(),
        [
            "Always run uv sync",
            "Commits conventionally",
            "I prefer async/await",
            "Lives in Seattle",
            "Speaks German",
            "Uses SQLAlchemy"
        ]
    );
    let ids = ids(&a);
    assert_eq!(ids.len(), ids.iter().collect::<std::collections::BTreeSet<_>>().len());
    assert!(a.read("profile.md").contains("Asia/Tokyo"), "the newer edit wins");
    assert!(
        a.read("traits/communication-style.md").contains("- bullets")
            && a.read("traits/learned-patterns.md").contains("- uv over pip")
    );
    assert!(a.read(&a.file_of("Commits conventionally")).contains("tags: [git, style]"));
}

#[test]
fn one_memory_edited_on_both_keeps_both_texts() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.co(&["memory", "edit", "2", "Prefers tabs in Makefiles"]);
    b.co(&["memory", "edit", "2", "Prefers spaces after all"]);
    for laptop in [&a, &b, &a] {
        laptop.co(&["identity", "sync"]);
    }
    assert_agree(&[&a, &b]);
    let facts = a.facts();
    assert!(
        facts.contains(&"Prefers tabs in Makefiles".to_owned())
            && facts.contains(&"Prefers spaces after all".to_owned()),
        "{facts:?}"
    );
    assert_eq!(facts.len(), 4);
}

#[test]
fn forget_here_edit_there_keeps_the_edit_and_learning_again_wins() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.co(&["forget", "2"]);
    b.co(&["memory", "edit", "2", "Prefers tabs, really"]);
    a.co(&["forget", "3"]);
    b.co(&["learn", "Uses SQLAlchemy"]);
    for laptop in [&a, &b, &a] {
        laptop.co(&["identity", "sync"]);
    }
    assert_agree(&[&a, &b]);
    assert_eq!(a.facts(), ["I prefer async/await", "Prefers tabs, really", "Uses SQLAlchemy"]);
}

#[test]
fn a_removal_by_hand_travels_and_stays() {
    let world = World::new();
    let (a, b) = pair(&world);
    fs::remove_file(a.identity().join(a.file_of("Prefers tabs"))).expect("removed");
    for laptop in [&a, &b] {
        laptop.co(&["identity", "sync"]);
    }
    assert_agree(&[&a, &b]);
    assert_eq!(b.facts(), ["I prefer async/await", "Uses SQLAlchemy"]);
    assert!(b.read("knowledge/forgotten.md").contains("sha256:"));
}

#[test]
fn a_push_that_comes_too_late_is_merged_and_tried_again() {
    let world = World::new();
    let (a, b) = pair(&world);
    // The remote moves while a merges: a hook on the remote lets b in first, once.
    b.co(&["learn", "From b"]);
    let hook = world.path("remote.git/hooks/pre-receive");
    let co = assert_cmd::cargo::cargo_bin("co").display().to_string();
    fs::write(
        &hook,
        format!(
            "#!/bin/sh\n[ -e {0} ] && exit 0\ntouch {0}\nunset $(git rev-parse \
        --local-env-vars)\nHOME={1} {co} identity sync >/dev/null 2>&1\nexit 0\n",
            world.path("once").display(),
            b.home.display()
        ),
    )
    .expect("written");
    fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("set");
    a.co(&["learn", "From a"]);
    a.co(&["identity", "sync"]);
    assert!(world.path("once").exists(), "the hook ran");
    fs::remove_file(hook).expect("removed");
    b.co(&["identity", "sync"]);
    a.co(&["identity", "sync"]);
    assert_agree(&[&a, &b]);
    assert!(a.facts().contains(&"From a".to_owned()) && a.facts().contains(&"From b".to_owned()));
}

#[test]
fn a_remote_that_is_gone_is_not_offline() {
    let world = World::new();
    let (a, _) = pair(&world);
    fs::rename(world.path("remote.git"), world.path("away.git")).expect("moved");
    a.co(&["learn", "Learned meanwhile"]);
    let err = a.fails(8, &["identity", "sync"]);
    assert!(err.contains("no such repository") && err.contains("co identity remote"), "{err}");
    // It is committed all the same.
    assert!(a.git(&["log", "-1", "--format=%s"]).contains("learned 1"));
}

#[test]
fn offline_commits_and_pushes_later() {
    let world = World::new();
    let (a, b) = pair(&world);
    // Nobody listens there: no network, as far as git can tell.
    a.git(&["config", "remote.origin.url", "http://127.0.0.1:9/remote.git"]);
    a.co(&["learn", "Learned on the train"]);
    let said = a.try_co(&["identity", "sync"]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(
        said.err.contains("will be pushed at the next sync")
            && said.out.contains("Committed on this laptop"),
        "{}{}",
        said.out,
        said.err
    );
    a.fails(8, &["identity", "sync", "--require-remote"]);
    a.git(&["config", "remote.origin.url", &world.path("remote.git").display().to_string()]);
    a.co(&["identity", "sync"]);
    b.co(&["identity", "sync"]);
    assert_agree(&[&a, &b]);
    assert!(b.facts().contains(&"Learned on the train".to_owned()));
}

#[test]
fn a_rewritten_remote_is_named_and_loses_nothing() {
    let world = World::new();
    let (a, b) = pair(&world);
    b.co(&["learn", "Only on b"]);
    b.co(&["identity", "sync"]);
    a.co(&["identity", "sync"]);
    git(&world.path("remote.git"), &["update-ref", "refs/heads/main", "main~1"]);
    let elsewhere = world.laptop("c");
    elsewhere.co(&["init", "--yes", &world.path("remote.git").display().to_string()]);
    elsewhere.co(&["learn", "After the rewrite"]);
    elsewhere.co(&["identity", "sync"]);
    let said = a.try_co(&["identity", "sync"]);
    assert!(said.err.contains("was rewritten"), "{}", said.err);
    for laptop in [&elsewhere, &b, &a, &elsewhere] {
        laptop.co(&["identity", "sync"]);
    }
    assert_agree(&[&a, &b, &elsewhere]);
    assert!(
        a.facts().contains(&"Only on b".to_owned())
            && a.facts().contains(&"After the rewrite".to_owned())
    );
}

#[test]
fn an_open_merge_with_markers_is_finished() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.edit("profile.md", "America/Los_Angeles", "Europe/Berlin");
    a.co(&["identity", "sync"]);
    b.edit("profile.md", "America/Los_Angeles", "Asia/Tokyo");
    b.co(&["learn", "Also new"]);
    b.git(&["add", "-A"]);
    b.git(&["commit", "-qm", "by hand"]);
    b.git(&["fetch", "-q", "origin"]);
    let merge = std::process::Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@e", "merge", "-q", "origin/main"])
        .current_dir(b.identity())
        .output()
        .expect("git runs");
    assert!(
        !merge.status.success() && b.read("profile.md").contains("<<<<<<<"),
        "git leaves markers"
    );
    b.co(&["identity", "sync"]);
    a.co(&["identity", "sync"]);
    assert_agree(&[&a, &b]);
    assert!(a.facts().contains(&"Also new".to_owned()));
}

#[test]
fn commits_by_hand_are_tidied() {
    let world = World::new();
    let (a, b) = pair(&world);
    fs::remove_file(b.identity().join(b.file_of("Prefers tabs"))).expect("removed");
    b.edit(&b.file_of("Uses SQLAlchemy"), "Uses SQLAlchemy\n", "Uses SQLAlchemy 2\n");
    b.git(&["add", "-A"]);
    b.git(&["commit", "-qm", "by hand"]);
    b.git(&["push", "-q", "origin", "main"]);
    b.co(&["identity", "sync"]);
    a.co(&["identity", "sync"]);
    assert_agree(&[&a, &b]);
    assert_eq!(a.facts(), ["I prefer async/await", "Uses SQLAlchemy 2"]);
    assert!(
        a.read(&a.file_of("Uses SQLAlchemy 2")).contains("updated: "),
        "the edit got its stamp"
    );
}

#[test]
fn undo_after_a_sync_travels() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.co(&["learn", "A mistake"]);
    a.co(&["identity", "sync"]);
    b.co(&["identity", "sync"]);
    let saved = a.json(&["identity", "log"]);
    let op = saved["data"]["operations"]
        .as_array()
        .expect("ops")
        .iter()
        .find(|op| op["verb"] == "save")
        .expect("a save")["op"]
        .as_u64()
        .expect("a number");
    let out = a.co(&["identity", "undo", &format!("o{op}")]);
    assert!(out.contains("It was already pushed"), "{out}");
    a.co(&["identity", "sync"]);
    b.co(&["identity", "sync"]);
    assert_agree(&[&a, &b]);
    assert!(!b.facts().contains(&"A mistake".to_owned()));
}

#[test]
fn a_hostile_tree_writes_nothing() {
    let world = World::new();
    let (a, b) = pair(&world);
    let victim = world.path("victim");
    fs::write(&victim, "untouched").expect("written");
    let clone = world.path("clone");
    git(world.dir.path(), &["clone", "-q", "remote.git", "clone"]);
    std::os::unix::fs::symlink(&victim, clone.join("profile2.md")).expect("linked");
    git(&clone, &["add", "-A"]);
    git(&clone, &["commit", "-qm", "link"]);
    git(&clone, &["push", "-q"]);
    let before = a.tree();
    let said = a.fails(6, &["identity", "sync"]);
    assert!(said.contains("symbolic link"), "{said}");
    assert_eq!(a.tree(), before);
    assert_eq!(fs::read_to_string(victim).expect("there"), "untouched");
    drop(b);
}

#[test]
fn killed_at_random_points_loses_nothing() {
    let world = World::new();
    let (a, b) = pair(&world);
    let mut expected = a.facts();
    for n in 0..number("CO_KILL_ROUNDS", 40) {
        for (laptop, other) in [(&a, "a"), (&b, "b")] {
            let fact = format!("Round {n} on {other}");
            laptop.co(&["learn", &fact]);
            expected.push(fact);
        }
        let victim = if n % 2 == 0 { &a } else { &b };
        let mut child = victim
            .command(&["identity", "sync"])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("co runs");
        thread::sleep(Duration::from_micros((n * 7919) % 60_000));
        child.kill().ok();
        child.wait().expect("ends");
        if n % 5 == 4 {
            for laptop in [&a, &b] {
                laptop.co(&["identity", "sync"]);
            }
        }
    }
    for laptop in [&a, &b, &a, &b] {
        laptop.co(&["identity", "sync"]);
    }
    assert_agree(&[&a, &b]);
    expected.sort();
    assert_eq!(a.facts(), expected);
}

#[test]
fn a_damaged_file_stays_behind_and_the_good_fact_elsewhere() {
    let world = World::new();
    let (a, b) = pair(&world);
    let file = a.file_of("Prefers tabs");
    let good = a.read(&file);
    a.edit(&file, "created: ", "created: yesterday ");
    a.co(&["learn", "The rest travels"]);
    let said = a.fails(6, &["identity", "sync"]);
    assert!(said.contains(&file), "{said}");
    b.co(&["identity", "sync"]);
    assert_eq!(
        b.facts(),
        ["I prefer async/await", "Prefers tabs", "The rest travels", "Uses SQLAlchemy"]
    );
    b.co(&["memory", "edit", "2", "Prefers tabs in Go"]);
    b.co(&["identity", "sync"]);
    let said = a.fails(6, &["identity", "sync"]);
    assert!(said.contains("the remote changed it"), "{said}");
    a.write(&file, &good);
    a.co(&["identity", "sync"]);
    b.co(&["identity", "sync"]);
    assert_agree(&[&a, &b]);
    assert!(a.facts().contains(&"Prefers tabs in Go".to_owned()));
}

#[test]
fn undo_of_a_sync_takes_back_what_was_done_by_hand() {
    let world = World::new();
    let (a, b) = pair(&world);
    fs::remove_file(a.identity().join(a.file_of("Prefers tabs"))).expect("removed");
    b.co(&["learn", "From b"]);
    b.co(&["identity", "sync"]);
    a.co(&["identity", "sync"]);
    assert_eq!(a.facts(), ["From b", "I prefer async/await", "Uses SQLAlchemy"]);
    // The sync did two things: what was done by hand is an operation of its own, and the last one
    // is what b did, which is not this laptop's to take back.
    let said = a.fails(5, &["undo"]);
    assert!(said.contains("only brought in changes from other laptops"), "{said}");
    let log = a.json(&["log"]);
    let by_hand = log["data"]["operations"].as_array().expect("ops").iter();
    let mut by_hand = by_hand.filter(|op| op["verb"] == "by hand").map(|op| op["op"].to_string());
    let by_hand = by_hand.next().expect("one by hand");
    assert!(
        said.contains(&format!("`co undo o{by_hand}` undoes the one before: by hand")),
        "{said}"
    );
    a.co(&["undo", &format!("#{by_hand}")]);
    assert_eq!(a.facts(), ["From b", "I prefer async/await", "Prefers tabs", "Uses SQLAlchemy"]);
    a.co(&["identity", "sync"]);
    b.co(&["identity", "sync"]);
    assert_agree(&[&a, &b]);
    assert!(b.facts().contains(&"Prefers tabs".to_owned()));
    // What init made is no operation: no undo takes the identity's first files away.
    let log = a.json(&["log", "-n", "50"]);
    let first = log["data"]["operations"].as_array().expect("ops").last().expect("one").clone();
    assert_eq!(first["verb"], "save", "{first}");
}

#[test]
fn lock_files_of_a_dead_co_are_cleared() {
    let world = World::new();
    let (a, _b) = pair(&world);
    a.co(&["learn", "After the crash"]);
    let git_dir = a.identity().join(".git");
    // As a co leaves them that dies while it moves a ref and writes the index.
    fs::write(git_dir.join("refs/heads/main.lock"), "").expect("written");
    fs::write(git_dir.join("co/refs-mark"), std::process::id().to_string()).expect("written");
    fs::write(git_dir.join("co/index.new"), "").expect("written");
    fs::hard_link(git_dir.join("co/index.new"), git_dir.join("index.lock")).expect("linked");
    a.co(&["identity", "sync"]);
    assert!(!git_dir.join("refs/heads/main.lock").exists() && !git_dir.join("index.lock").exists());
}

#[test]
fn a_linked_or_closed_folder_has_not_left() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.write("knowledge/people/sarah.md", "# Sarah\n");
    a.co(&["identity", "sync"]);
    b.co(&["identity", "sync"]);
    let (folder, away) = (a.identity().join("knowledge/people"), a.home.join("people"));
    fs::rename(&folder, &away).expect("moved");
    std::os::unix::fs::symlink(&away, &folder).expect("linked");
    a.co(&["learn", "Still syncing"]);
    let said = a.try_co(&["identity", "sync"]);
    assert!(said.code == 0 && said.err.contains("a link to a folder elsewhere"), "{}", said.err);
    b.co(&["identity", "sync"]);
    assert_eq!(b.read("knowledge/people/sarah.md"), "# Sarah\n");
    b.write("knowledge/people/sarah.md", "# Sarah B\n");
    b.co(&["identity", "sync"]);
    a.fails(6, &["identity", "sync"]);
    assert_eq!(
        fs::read_to_string(away.join("sarah.md")).expect("there"),
        "# Sarah\n",
        "nothing is written through the link"
    );
}

#[test]
fn a_file_that_is_a_folder_elsewhere_stops_before_anything_is_written() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.write("attachments/scan", "a file");
    a.co(&["identity", "sync"]);
    b.write("attachments/scan/1.png", "in a folder");
    let said = b.fails(7, &["identity", "sync"]);
    assert!(said.contains("a file on one laptop and a folder on another"), "{said}");
    fs::rename(b.identity().join("attachments/scan"), b.identity().join("attachments/scans"))
        .expect("moved");
    b.co(&["identity", "sync"]);
    a.co(&["identity", "sync"]);
    assert_agree(&[&a, &b]);
    assert_eq!(a.read("attachments/scan"), "a file");
}

#[test]
fn a_linked_memory_is_renumbered_as_well() {
    let world = World::new();
    let (a, b) = pair(&world);
    b.co(&["learn", "Numbered first"]);
    b.co(&["sync"]);
    a.co(&["learn", "Numbered second"]);
    let file = a.identity().join(a.file_of("Numbered second"));
    let elsewhere = a.home.join("elsewhere.md");
    fs::rename(&file, &elsewhere).expect("moved");
    std::os::unix::fs::symlink(&elsewhere, &file).expect("linked");
    for laptop in [&a, &b, &a] {
        laptop.co(&["sync"]);
    }
    assert_eq!(a.facts(), b.facts());
    assert!(b.facts().contains(&"Numbered second".to_owned()));
}

/// For each pair of lines a fact, learned on each laptop on another day, with keys of its own.
fn save_the_same_facts<'a>(laptops: [&Laptop; 2], lines: impl Iterator<Item = [&'a str; 2]>) {
    for (number, lines) in (4..).zip(lines) {
        for (day, (laptop, lines)) in (1..).zip(laptops.into_iter().zip(lines)) {
            let created = format!("2026-01-0{day}T10:00:00.{number:06}Z");
            let front = format!("id: {number}\ncreated: {created}\n{lines}\n");
            let text = format!("---\n{front}source: user-told\n---\n\n{}\n", met(number));
            laptop.write(&path_of(number), &text);
        }
    }
}

fn path_of(number: usize) -> String {
    format!("knowledge/memories/{number:03}-met.md")
}

/// The text of the fact with this number.
fn met(number: usize) -> String {
    format!("Met at station {number} of the line")
}

/// A person's own lists in the frontmatter are united as the tags are; of other values, those of
/// the older fact stay.
#[test]
fn the_same_fact_learned_twice_has_the_items_of_both_lists() {
    type Case<'a> = (&'a str, &'a str, &'a [&'a str]);
    let cases: &[Case<'_>] = &[
        ("people: [Ann]", "people: [Bob]", &["people: [Ann, Bob]"]),
        ("people:\n  - Cid\n  - Ann", "people:\n  - Bob\n  - Ann", &["people: [Cid, Ann, Bob]"]),
        ("who was there: [Ann]", "who was there: [Eve, Bob]", &["who was there: [Ann, Bob, Eve]"]),
        ("people: []", "people: [Bob]", &["people: [Bob]"]),
        ("people: [Ann] # friends", "people: [Bob]", &["people: [Ann, Bob] # friends"]),
        (
            "tags: [b]\npeople: [Ann]",
            "tags: a\npeople: [Bob]",
            &["tags: [b, a]", "people: [Ann, Bob]"],
        ),
        ("mood: good", "people: [Bob]", &["mood: good", "people: [Bob]"]),
        ("mood: good", "mood: bad", &["mood: good"]),
        ("people: Ann", "people: [Bob]", &["people: Ann"]),
        ("people: {x: [Ann]}", "people: {x: [Bob]}", &["people: {x: [Ann]}"]),
        ("people:", "people: [Bob]", &["people: [Bob]"]),
        ("people: ~", "people: [Bob, Cid]", &["people: [Bob, Cid]"]),
        ("people: ''", "people: [Bob]", &["people: [Bob]"]),
        ("people:", "people: Bob", &["people: Bob"]),
        ("people: []", "people: {x: [Bob]}", &["people: {x: [Bob]}"]),
        ("people: [Ann]", "people:", &["people: [Ann]"]),
    ];
    for a_syncs_first in [true, false] {
        let world = World::new();
        let (a, b) = pair(&world);
        save_the_same_facts([&a, &b], cases.iter().map(|(here, there, _)| [*here, *there]));
        let order = if a_syncs_first { [&a, &b, &a] } else { [&b, &a, &b] };
        for laptop in order {
            laptop.co(&["sync"]);
        }
        assert_agree(&[&a, &b]);
        for (number, (here, there, merged)) in (4..).zip(cases) {
            let text = a.read(&a.file_of(&met(number)));
            for line in *merged {
                assert!(text.contains(&format!("\n{line}\n")), "{here} {there}: {text}");
            }
        }
        let met = a.facts().iter().filter(|fact| fact.contains("Met at station")).count();
        assert_eq!(met, cases.len());
    }
}

/// What cannot be united is named by the sync that merges.
#[test]
fn a_value_that_gives_way_to_the_older_facts_is_named() {
    let cases = [
        ("entities: [Ann, {b: c}]", "entities: [Bob]", "[Bob]"),
        ("entities: [Ann]", "entities: [Bob, {b: c}]", "[Bob, {b: c}]"),
        ("mood: good", "mood: bad", "bad"),
        ("people: Ann", "people: [Bob]", "[Bob]"),
        ("people: {x: [Ann]}", "people:\n  x: [Bob]", "x: [Bob]"),
        ("people:", "people: [Bob]", ""),
        ("people: [Ann]", "people: [Bob]", ""),
        ("mood: good", "mood: good", ""),
    ];
    for a_syncs_first in [true, false] {
        let world = World::new();
        let (a, b) = pair(&world);
        save_the_same_facts([&a, &b], cases.iter().map(|(here, there, _)| [*here, *there]));
        let (first, second) = if a_syncs_first { (&a, &b) } else { (&b, &a) };
        first.co(&["sync"]);
        let said = second.json(&["sync"])["data"]["decisions"].clone();
        let said = said.as_array().unwrap_or_else(|| panic!("no decisions: {said}"));
        for (number, (here, there, lost)) in (4..).zip(&cases) {
            let of_fact = said
                .iter()
                .filter(|one| one["rule"] == "field" && one["path"] == path_of(number).as_str());
            let why: Vec<&str> = of_fact.filter_map(|one| one["why"].as_str()).collect();
            assert_eq!(why.len(), usize::from(!lost.is_empty()), "{here} {there}: {said:?}");
            let end = format!("the other had `{lost}`)");
            assert!(why.iter().all(|why| why.ends_with(&end)), "{here} {there}: {why:?}");
        }
        let fields = said.iter().filter(|one| one["rule"] == "field");
        let named = cases.iter().filter(|(_, _, lost)| !lost.is_empty());
        assert_eq!(fields.count(), named.count(), "{said:?}");
    }
}
