//! What the index answers is what the files say, however they were changed.

use crate::support::{
    Laptop, World,
    index::Batch,
    indexed::{
        SUBJECTS, VERBS, answers, laptop, path_of, remove_index, rung, scanned, with_a_large_store,
        without_index, write_fact,
    },
    tokens::token,
    tree,
    whole::whole,
};
use rusqlite::Connection;
use std::{
    fs,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

/// What somebody does, and how.
type Deed = (&'static str, fn(&Laptop));

#[test]
fn a_context_says_of_a_large_store_what_the_files_say() {
    let world = World::new();
    let a = with_a_large_store(&world);
    assert!(a.co(&["context"]).contains("fears trains"));
    // In place, as editors do: the folder does not tell.
    let path = path_of(35);
    let text = fs::read_to_string(a.identity().join(&path)).expect("a fact");
    fs::write(a.identity().join(&path), text.replace("trains", "boats")).expect("written");
    let context = a.co(&["context"]);
    assert!(context.contains("fears boats") && !context.contains("fears trains"), "{context}");
}

#[test]
fn the_index_answers_as_the_files_do() {
    let world = World::new();
    let a = laptop(&world, "a");
    let _ = fs::remove_dir_all(a.config().join("local"));
    let by_files = scanned(&a);
    assert!(!a.index().exists());
    assert_eq!(answers(&a), by_files, "while it is made");
    assert!(a.index().exists());
    assert_eq!(answers(&a), by_files);
    assert_eq!(rung(&a), "catalog");
    for narrowed in [["--tag", "t1"], ["--since", "2026-01-20"], ["--source", "user-told"]] {
        let ask = || a.co(&[["recall", "pytest trains"].as_slice(), &narrowed].concat());
        let by_index = ask();
        assert_eq!(without_index(&a, ask), by_index, "{narrowed:?}");
    }
    let (status, _) = (a.git(&["status", "--porcelain"]), ());
    assert!(!status.contains("index.db"), "{status}");
}

/// More than a batch of each, with words of several alphabets.
#[test]
fn an_index_made_at_once_answers_as_one_that_grew() {
    let world = World::new();
    let a = laptop(&world, "a");
    answers(&a);
    for some in [41..400, 400..700, 700..1_300] {
        for number in some.clone() {
            let (verb, subject) = (VERBS[number % VERBS.len()], SUBJECTS[number % SUBJECTS.len()]);
            let place = ["Zürich", "東京の町", "caf\u{e9}", "Ana's home", "room"][number / 8 % 5];
            write_fact(&a, number, &format!("{verb} {subject} in {place} {}", number % 97));
        }
        for number in some.step_by(20) {
            let passages: String = (0..number % 9)
                .map(|n| format!("## Part {n}\n\n{}\n\n", "Reads about trains. ".repeat(n * 9)))
                .collect();
            let text = format!("---\nlabels: [trips]\n---\n\n# Trip {number}\n\n{passages}");
            a.write(&format!("knowledge/articles/trip-{number}.md"), &text);
        }
        answers(&a);
    }
    let grown = answers(&a);
    assert_eq!(rung(&a), "catalog");
    remove_index(&a);
    assert_eq!(answers(&a), grown, "made at once");
    assert_eq!(scanned(&a), grown, "without an index");
}

#[test]
fn files_that_come_go_and_change_are_seen() {
    let world = World::new();
    let a = laptop(&world, "a");
    answers(&a);
    write_fact(&a, 41, "plays the xylophone");
    assert!(a.co(&["recall", "xylophone"]).contains("plays the xylophone"));
    a.edit(&path_of(41), "xylophone", "marimba");
    assert!(a.co(&["recall", "marimba"]).contains("plays the marimba"), "edited in its place");
    assert!(a.co(&["recall", "xylophone"]).contains("No memories"));
    fs::remove_file(a.identity().join(path_of(41))).expect("removed");
    assert!(a.co(&["recall", "marimba"]).contains("No memories"));
    a.co(&["learn", "plays the theremin"]);
    assert!(a.co(&["recall", "theremin"]).contains("plays the theremin"));
    a.write(
        "knowledge/memories/sub/042-x.md",
        "---\nid: 42\ncreated: 2026-01-01T00:00:00Z\n---\n\ncelesta\n",
    );
    assert!(a.co(&["recall", "celesta"]).contains("celesta"), "in a new folder");
    assert_eq!(answers(&a), scanned(&a));
}

#[test]
fn above_the_limit_an_answer_that_was_changed_in_its_place_is_seen() {
    let world = World::new();
    let a = with_a_large_store(&world);
    thread::sleep(Duration::from_millis(100));
    answers(&a);
    a.edit(&path_of(6), "neovim", "neovim and helix");
    assert!(a.co(&["recall", "neovim"]).contains("neovim and helix"));
    thread::sleep(Duration::from_millis(100));
    a.co(&["knowledge", "reindex"]);
    a.edit(&path_of(1), "pytest", "a celesta");
    assert!(a.co(&["recall", "celesta"]).contains("No memories"), "as the help says");
    insta::assert_snapshot!(whole(&a.co(&["knowledge", "reindex"])), @"identity: 40 facts; 0 added, 1 changed, 0 removed");
    assert!(a.co(&["recall", "celesta"]).contains("a celesta"));
    a.edit(&path_of(3), "pytest", "a clavichord");
    a.co(&["check"]);
    assert!(a.co(&["recall", "clavichord"]).contains("a clavichord"), "check looks at each file");
    let remote = world.remote();
    a.git(&["remote", "add", "origin", &remote]);
    a.co(&["sync"]);
    a.edit(&path_of(4), "pytest", "a fortepiano");
    a.co(&["sync"]);
    assert!(a.co(&["recall", "fortepiano"]).contains("a fortepiano"), "sync does");
    thread::sleep(Duration::from_millis(100));
    a.co(&["knowledge", "reindex"]);
    a.edit(&path_of(2), "pytest", "a spinet");
    insta::assert_snapshot!(whole(&a.co(&["knowledge", "--reindex"])), @"identity: 40 facts; 0 added, 1 changed, 0 removed");
    insta::assert_snapshot!(whole(&a.co(&["knowledge", "reindex", "--rebuild"])), @"identity: 40 facts; index rebuilt in ~/.config/co-cli/local/index.db");
    insta::assert_snapshot!(whole(&a.co(&["knowledge", "reindex"])), @"identity: 40 facts, up to date");
}

#[test]
fn the_log_line_of_a_rebuild_is_for_those_who_ask() {
    let world = World::new();
    let a = laptop(&world, "a");
    let line = "Rebuilt knowledge index (40 memories, 0 articles)";
    let _ = fs::remove_dir_all(a.config().join("local"));
    assert!(a.try_co(&["recall", "pytest", "--verbose"]).err.contains(line));
    assert!(!a.try_co(&["recall", "pytest", "--verbose"]).err.contains(line));
    remove_index(&a);
    assert_eq!(a.try_co(&["recall", "pytest"]).err, "");
    // Whichever verb finds the index missing, and once.
    for verb in [
        &["recall", "pytest"][..],
        &["list"],
        &["context"],
        &["knowledge", "search", "pytest"],
        &["check"],
    ] {
        let asked = [verb, &["--verbose"]].concat();
        remove_index(&a);
        let said = a.try_co(&asked);
        assert_eq!(said.err.matches(line).count(), 1, "{verb:?}: {}", said.err);
        assert!(!a.try_co(&asked).err.contains("Rebuilt"), "{verb:?}");
        remove_index(&a);
        assert!(!a.try_co(verb).err.contains("Rebuilt"), "{verb:?}");
    }
}

#[test]
fn a_filter_leaves_the_words_of_the_others_out() {
    let world = World::new();
    let a = laptop(&world, "a");
    let document = |path: &str, tag: &str, text: &str| {
        a.write(path, &format!("---\ntags: [{tag}]\n---\n\n{text}\n"));
    };
    document("knowledge/people/aa.md", "alpha", "The gulrasquovex sings at dawn");
    document("knowledge/people/bb.md", "alpha", "The zolquoba sings at dusk");
    document("knowledge/people/cc.md", "beta", "Old gulrasquo spelling");
    write_fact(&a, 60, "the gulrasquovex sings at dawn");
    write_fact(&a, 61, "old gulrasquo spelling");
    for asked in [
        ["knowledge", "search", "--tag", "alpha", "gulrasquo sings"].as_slice(),
        &["knowledge", "search", "--tag", "alpha", "--explain", "gulrasq"],
        &["recall", "--tag", "t0", "--explain", "gulrasquo sings"],
        &["recall", "--tag", "t0", "--json", "gulrasq"],
    ] {
        // Which of the two it was is said as well.
        let ask = || a.co(asked).replace("index;", "scan: all files were read;");
        let by_index = ask().replace("\"catalog\"", "\"scan\"");
        assert_eq!(by_index, without_index(&a, ask), "{asked:?}");
    }
}

/// What a check says of facts that are alike.
fn alike(a: &Laptop) -> Vec<String> {
    let findings = a.json(&["identity", "check"])["data"]["findings"].clone();
    let all = findings.as_array().expect("findings").iter();
    let alike = all.filter(|finding| finding["code"] == "near-duplicate");
    alike.map(ToString::to_string).collect()
}

#[test]
fn facts_alike_are_those_of_the_files_whatever_changes() {
    let world = World::new();
    let a = laptop(&world, "a");
    write_fact(&a, 70, "Always run uv sync before pytest in this repository");
    write_fact(&a, 71, "always run uv sync before pytest, in this repository!");
    write_fact(&a, 72, "Builds command line tools with typer");
    let both = |count: usize, when: &str| {
        let found = [alike(&a), alike(&a)];
        assert_eq!(found[0], found[1], "{when}: kept");
        assert_eq!(found[0].len(), count, "{when}: {found:?}");
        without_index(&a, || {
            assert_eq!(alike(&a), found[0], "{when}: of the files");
            String::new()
        });
    };
    both(1, "at first");
    write_fact(&a, 73, "Builds command-line tools using typer");
    both(2, "one came");
    a.edit(&path_of(71), "uv sync before pytest", "the linter after each commit");
    both(1, "one was edited");
    fs::remove_file(a.identity().join(path_of(72))).expect("removed");
    both(0, "one left");
}

/// Facts that are forgotten, or whose files shrink, between the look at the index and the look at
/// their texts.
#[test]
fn a_check_beside_others_who_forget_and_edit_ends_as_usual() {
    let world = World::new();
    let a = laptop(&world, "a");
    let (is_over, mut wrong) = (AtomicBool::new(false), Vec::new());
    thread::scope(|scope| {
        scope.spawn(|| {
            for number in (200..).take_while(|_| !is_over.load(Ordering::Relaxed)) {
                let text = format!("Owns boat number {number} of the harbour");
                a.co(&["learn", &text]);
                write_fact(&a, 60, &"lives in a house with many rooms ".repeat(number % 7 + 1));
                a.co(&["list"]);
                a.co(&["forget", &text, "--yes"]);
            }
        });
        for _ in 0..40 {
            for verb in ["check", "similar"] {
                let asked: &[&str] = if verb == "check" { &["check"] } else { &["memory", verb] };
                let said = a.try_co(asked);
                if said.code > 1 || said.out.contains("cannot be read") {
                    wrong.push(format!("{verb}: {} {} {}", said.code, said.err, said.out));
                }
            }
        }
        is_over.store(true, Ordering::Relaxed);
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_list_is_of_the_files_whatever_an_index_says_of_their_facts() {
    let world = World::new();
    let a = laptop(&world, "a");
    let lists = || a.try_co(&["list"]).out + &a.try_co(&["list", "--json"]).out;
    let good = without_index(&a, lists);
    let (one, other) = ("(select min(id) from file where unit = 0)", "unit = 0 order by id desc");
    for sql in [
        "select 1".to_owned(),
        format!("update file set facts = (select facts from file where {other}) where id = {one}"),
        format!(
            "update file set (facts, facts_sum) = (select facts, facts_sum from file where {other})
            where id = {one}"
        ),
        format!("update file set facts = x'' where id = {one}"),
        format!("update file set facts = substr(facts, 2) where id = {one}"),
        format!("update file set path = 'knowledge/memories/x.md' where id = {one}"),
        format!("update file set path = '../x.md' where id = {one}"),
        format!("update file set unit = 1 where id = {one}"),
        format!("delete from file where id = {one}"),
        "update file set facts_sum = facts_sum + 1".to_owned(),
        "update file set facts_sum = 'x'".to_owned(),
    ] {
        let _ = fs::remove_dir_all(a.config().join("local"));
        answers(&a);
        Connection::open(a.index()).expect("SQLite").execute_batch(&sql).expect(&sql);
        assert_eq!(lists(), good, "{sql}");
    }
}

#[test]
fn a_batch_answers_from_what_is_there_now() {
    let world = World::new();
    let a = laptop(&world, "a");
    for settings in ["{}", r#"{"recall": {"catalog": false}}"#] {
        fs::write(a.config().join("settings.json"), settings).expect("written");
        let mut batch = Batch::start(&a, &["recall", "--batch"]);
        assert!(!batch.ask("xylophone").contains("xylophone lesson"));
        assert!(!batch.ask("xylophone").contains("xylophone lesson"));
        let said = a.co(&["learn", "Has a xylophone lesson on Fridays"]);
        assert!(batch.ask("xylophone").contains("xylophone lesson"), "{settings}: {said}");
        let path = a.file_of("xylophone lesson");
        a.edit(&path, "Fridays", "Saturdays");
        assert!(batch.ask("xylophone").contains("Saturdays"), "{settings}");
        a.co(&["forget", "--yes", "xylophone lesson"]);
        assert!(!batch.ask("xylophone").contains("xylophone lesson"), "{settings}");
        batch.end();
    }
    a.write("knowledge/music.md", "---\nname: Music\n---\n\nThe marimba is tuned.\n");
    let mut batch = Batch::start(&a, &["knowledge", "search", "--batch"]);
    assert!(batch.ask("marimba").contains("is tuned"));
    a.edit("knowledge/music.md", "is tuned", "is broken");
    assert!(batch.ask("marimba").contains("is broken"));
    batch.end();
}

#[test]
fn several_processes_at_once_find_the_same() {
    let world = World::new();
    let a = laptop(&world, "a");
    let good = scanned(&a);
    for round in 0..4 {
        let _ = fs::remove_dir_all(a.config().join("local"));
        thread::scope(|scope| {
            let all: Vec<_> = (0..6).map(|_| scope.spawn(|| answers(&a))).collect();
            // Somebody deletes it meanwhile, and the lock of writers with it.
            for _ in 0..round * 4 {
                thread::sleep(Duration::from_millis(10));
                let _ = fs::remove_dir_all(a.config().join("local"));
            }
            for one in all {
                assert_eq!(one.join().expect("answers"), good);
            }
        });
    }
    assert_eq!(rung(&a), "catalog");
}

#[test]
fn two_laptops_find_the_same_after_a_sync() {
    let world = World::new();
    let a = laptop(&world, "a");
    let remote = world.remote();
    a.co(&["init", "--yes", "--remote", &remote]);
    let b = world.laptop("b");
    b.co(&["init", &remote, "--yes"]);
    fs::copy(a.config().join("settings.json"), b.config().join("settings.json")).expect("copied");
    answers(&a);
    answers(&b);
    a.co(&["learn", "plays the xylophone", "--tag", "music"]);
    a.co(&["sync"]);
    b.co(&["sync"]);
    b.co(&["learn", "plays the marimba", "--tag", "music"]);
    b.co(&["forget", "3", "--yes"]);
    b.co(&["sync"]);
    a.co(&["sync"]);
    let place = |laptop: &Laptop| laptop.identity().display().to_string();
    let of_a = answers(&a);
    assert_eq!(of_a, answers(&b).replace(&place(&b), &place(&a)));
    assert_eq!(of_a, scanned(&a));
    assert_eq!(tree(&a.identity().join("knowledge")), tree(&b.identity().join("knowledge")));
    assert_eq!(rung(&b), "catalog");
}

#[test]
fn what_older_versions_kept_is_removed() {
    let world = World::new();
    let a = laptop(&world, "a");
    let local = a.config().join("local");
    fs::create_dir_all(&local).expect("made");
    let old = ["catalog.db", "catalog.seal", "catalog.lock"];
    for name in old {
        fs::write(local.join(name), "old").expect("written");
    }
    let _ = fs::remove_file(a.index());
    fs::write(local.join("notes"), "mine").expect("written");
    answers(&a);
    assert!(old.iter().all(|name| !local.join(name).exists()));
    assert!(local.join("notes").exists());
}

#[test]
fn an_index_survives_a_restart_and_a_new_one_keeps_its_vectors() {
    let world = World::new();
    let a = laptop(&world, "a");
    fs::remove_file(a.config().join("settings.json")).expect("removed");
    insta::assert_snapshot!(whole(&a.co(&["knowledge", "reindex"])), @"identity: 40 facts; 40 added, 0 changed, 0 removed; 40 vectors computed");
    insta::assert_snapshot!(whole(&a.co(&["knowledge", "reindex"])), @"identity: 40 facts, up to date");
    let restarted = a.with_env("CO_TEST_BOOT_ID", "another");
    let said = restarted.try_co(&["recall", "pytest", "--verbose"]);
    assert!(!said.err.contains("Rebuilt knowledge index"), "{}", said.err);
    // None is made again.
    insta::assert_snapshot!(whole(&restarted.co(&["knowledge", "reindex", "--rebuild"])), @"identity: 40 facts; index rebuilt in ~/.config/co-cli/local/index.db");
    // Vectors that are not what was written are none.
    let connection = Connection::open(restarted.index()).expect("SQLite");
    let flip = "update block set bytes = zeroblob(length(bytes)) where id = 2 << 40";
    assert_eq!(connection.execute(flip, []).expect("changed"), 1);
    drop(connection);
    insta::assert_snapshot!(whole(&restarted.co(&["knowledge", "reindex", "--rebuild"])), @"identity: 40 facts; index rebuilt in ~/.config/co-cli/local/index.db; 40 vectors computed");
}

#[test]
fn what_is_longer_than_any_word_is_kept_and_found() {
    let world = World::new();
    let a = laptop(&world, "a");
    let long = format!("The key of the boat {}", "ab".repeat(35_000));
    a.piped(&long, &["learn", "-"]);
    assert!(a.co(&["recall", "the key of the boat"]).contains("The key of the boat"));
    assert!(a.co(&["context"]).contains("The key of the boat"));
    a.co(&["check"]);
}

#[test]
fn a_list_is_that_of_the_files_whatever_was_done_to_them() {
    let world = World::new();
    let a = laptop(&world, "a");
    a.write("knowledge/notes/tea.md", "# Tea\n\nOolong is a tea.\n");
    let changes: [Deed; 8] = [
        ("of another length", |a| write_fact(a, 3, "reads about the history of chess")),
        ("of the same length", |a| write_fact(a, 3, "reads about the history of cheer")),
        ("no fact any more", |a| a.write(&path_of(4), "---\nid: [\n---\n\nreads")),
        ("a fact again", |a| write_fact(a, 4, "reads about chairs")),
        ("gone", |a| fs::remove_file(a.identity().join(path_of(5))).expect("removed")),
        ("new", |a| write_fact(a, 77, "keeps zebras")),
        ("with a secret", |a| {
            let token = token();
            write_fact(a, 6, &format!("uses {token}"));
        }),
        ("a document", |a| a.write("knowledge/notes/tea.md", "# Tea\n\nGreen tea.\n")),
    ];
    for (name, change) in changes {
        a.co(&["recall", "pytest"]);
        thread::sleep(Duration::from_millis(100));
        let before = a.piped("", &["list"]).out;
        change(&a);
        let by_files = without_index(&a, || a.piped("", &["list"]).out);
        assert_eq!(before == by_files, name == "a document", "{name}");
        for _ in 0..2 {
            assert_eq!(a.piped("", &["list"]).out, by_files, "{name}");
        }
    }
}

#[test]
fn a_document_with_a_secret_takes_no_words_from_the_others() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    fs::write(a.config().join("settings.json"), r#"{"recall": {"encoder": "off"}}"#)
        .expect("written");
    let token = token();
    let places = ["zanzibar", "samarkand", "reykjavik", "ljubljana", "ouagadougou"];
    for place in places {
        a.write(&format!("knowledge/notes/{place}.md"), "# Harbour\n\nThe dhow sails at dawn.\n");
        a.write(&format!("knowledge/{place}/keys.md"), &format!("# Keys\n\ntoken {token}\n"));
    }
    let ask = || places.map(|place| a.piped("", &["recall", &format!("{place}x")]).out);
    let by_files = without_index(&a, || ask().concat());
    assert!(places.iter().all(|place| by_files.contains(&format!("notes/{place}"))), "{by_files}");
    assert_eq!(ask().concat(), by_files);
    for more in ["one", "two"] {
        for place in places {
            let text = format!("# Keys\n\ntoken {token}\n\n{more}\n");
            a.write(&format!("knowledge/{place}/keys.md"), &text);
        }
        assert_eq!(ask().concat(), by_files, "{more}");
    }
}

#[test]
fn with_the_encoder_files_and_index_answer_alike() {
    let world = World::new();
    let a = laptop(&world, "a");
    let settings = a.config().join("settings.json");
    fs::write(&settings, r#"{"recall": {"catalog": false}}"#).expect("written");
    let by_files = answers(&a);
    fs::remove_file(&settings).expect("removed");
    assert_eq!(answers(&a), by_files, "while it is made");
    assert_eq!(answers(&a), by_files);
    fs::write(&settings, r#"{"recall": {"encoder": "off"}}"#).expect("written");
    assert_ne!(answers(&a), by_files, "the encoder was asked");
    fs::remove_file(&settings).expect("removed");
    write_fact(&a, 41, "plays the xylophone");
    a.edit(&path_of(6), "neovim", "helix");
    let by_index = answers(&a);
    fs::write(&settings, r#"{"recall": {"catalog": false}}"#).expect("written");
    assert_eq!(answers(&a), by_index);
}

#[test]
fn ties_and_filters_answer_as_the_files_do_after_renames() {
    let world = World::new();
    let a = laptop(&world, "a");
    for number in [50, 51, 52, 53] {
        let text = "---\nid: N\ncreated: 2026-02-01T00:00:00Z\ntags: [t1]\n---\n\ngreen tea\n";
        a.write(&path_of(number), &text.replace('N', &number.to_string()));
    }
    a.write(&path_of(54), "no memory\n");
    a.write(&path_of(55), "no memory either\n");
    answers(&a);
    for (from, to) in [(50, 90), (54, 91), (2, 92), (52, 49)] {
        fs::rename(a.identity().join(path_of(from)), a.identity().join(path_of(to)))
            .expect("moved");
        answers_with(&a, &["recall", "green tea", "-n", "20"]);
    }
    let asked: &[&[&str]] = &[
        &["recall", "green tea", "-n", "20"],
        &["recall", "pytest", "--tag", "t1", "--explain"],
        &["recall", "deploy runner", "--source", "user-told", "--explain"],
        &["recall", "--", "-berlin"],
        &["context"],
        &["list"],
    ];
    let by_index: Vec<String> = asked.iter().map(|ask| answers_with(&a, ask)).collect();
    let settings = r#"{"recall": {"encoder": "off", "catalog": false}}"#;
    fs::write(a.config().join("settings.json"), settings).expect("written");
    let by_files: Vec<String> = asked.iter().map(|ask| answers_with(&a, ask)).collect();
    let without_rung = |text: &String| {
        text.lines()
            .filter(|line| !line.contains("searched"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    for (at, (one, other)) in by_index.iter().zip(&by_files).enumerate() {
        assert_eq!(without_rung(one), without_rung(other), "{:?}", asked[at]);
    }
    assert!(by_index[3].contains("No memories found"), "{}", by_index[3]);
    let unreadable = a.co(&["knowledge", "reindex"]);
    assert!(unreadable.contains("every search reads all files"), "{unreadable}");
}

/// Standard output and error of a call.
fn answers_with(a: &Laptop, ask: &[&str]) -> String {
    // What was recalled before tells in a context.
    for cache in fs::read_dir(a.config().join("local/cache")).expect("caches").flatten() {
        let _ = fs::remove_file(cache.path().join("recalled"));
    }
    let said = a.try_co(ask);
    assert_eq!(said.code, 0, "{}", said.err);
    said.out + &said.err
}
