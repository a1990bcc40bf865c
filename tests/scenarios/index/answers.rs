//! The index: as good as the files, whatever happened to it.

use crate::support::{
    Laptop, World,
    index::{Batch, beside},
    tokens::token,
    tree,
};
use rusqlite::Connection;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

/// What somebody does, and how.
type Deed = (&'static str, fn(&Laptop));

const SUBJECTS: [&str; 8] =
    ["pytest", "neovim", "oolong tea", "Berlin", "global warming", "fly.io", "trains", "我的猫"];
const VERBS: [&str; 5] = ["prefers", "moved to", "reads about", "deploys with", "fears"];

/// Some facts, compared by their words and the static table: vectors of the encoder have a test of
/// their own.
fn laptop(world: &World, name: &str) -> Laptop {
    let a = world.laptop(name);
    a.co(&["init", "--yes"]);
    let settings = r#"{"recall": {"encoder": "off"}}"#;
    fs::write(a.config().join("settings.json"), settings).expect("written");
    for (at, subject) in SUBJECTS.iter().enumerate() {
        for (n, verb) in VERBS.iter().enumerate() {
            write_fact(&a, at * VERBS.len() + n + 1, &format!("{verb} {subject}"));
        }
    }
    a
}

/// As in an identity of many facts, the index is compared by its folders.
fn with_a_large_store(world: &World) -> Laptop {
    let a = laptop(world, "a");
    let settings = r#"{"recall": {"encoder": "off", "look_at": 5}}"#;
    fs::write(a.config().join("settings.json"), settings).expect("written");
    a
}

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

fn path_of(number: usize) -> String {
    format!("knowledge/memories/{number:03}-fact.md")
}

fn write_fact(a: &Laptop, number: usize, text: &str) {
    let front = format!(
        "---\nid: {number}\ncreated: 2026-01-{:02}T08:{:02}:00Z\ntags: [t{}]\nsource: user-told\n---\n",
        number % 28 + 1,
        number % 60,
        number % 3
    );
    a.write(&path_of(number), &format!("{front}\n{text}\n"));
}

const QUESTIONS: &[&str] = &[
    "pytest",
    "climate change",
    "what does the user prefer?",
    "prefers oolong",
    "\"moved to\" -berlin",
    "nevim",
    "猫",
    "deploy trains in january 2026",
    "fears OR reads",
    "xylophone quartet",
    "reads about fl",
];

/// The answers to all questions, as they are printed; fails on another exit or on more than one
/// warning.
fn answers(a: &Laptop) -> String {
    let asked: String = QUESTIONS
        .iter()
        .map(|question| format!("{}\n", serde_json::json!({ "query": question })))
        .collect();
    let said = a.piped(&asked, &["recall", "--batch", "--limit", "7"]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.err.lines().count() <= 1, "{}", said.err);
    assert_eq!(said.out.lines().count(), QUESTIONS.len());
    said.out
}

/// What reading all files answers.
fn scanned(a: &Laptop) -> String {
    without_index(a, || answers(a))
}

fn without_index(a: &Laptop, ask: impl Fn() -> String) -> String {
    let settings = a.config().join("settings.json");
    let before = fs::read(&settings).expect("settings");
    fs::write(&settings, r#"{"recall": {"encoder": "off", "catalog": false}}"#).expect("written");
    let answer = ask();
    fs::write(&settings, before).expect("written");
    answer
}

/// Removes the index, with its log.
fn remove_index(a: &Laptop) {
    let beside: Vec<PathBuf> = ["-wal", "-shm"].iter().map(|end| beside(a, end)).collect();
    fs::remove_file(a.index()).expect("removed");
    beside.iter().for_each(|file| drop(fs::remove_file(file)));
}

/// Brings the log of changes to the index itself, so that damage to its file is damage.
fn in_one_file(a: &Laptop) {
    let connection = Connection::open(a.index()).expect("SQLite");
    connection.execute_batch("pragma wal_checkpoint(truncate)").expect("in one file");
}

/// Which rung answers now.
fn rung(a: &Laptop) -> String {
    a.json(&["recall", "pytest"])["data"]["rung"].as_str().expect("a rung").to_owned()
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
    let said = a.co(&["knowledge", "reindex"]);
    assert!(said.contains("1 changed"), "{said}");
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
    let said = a.co(&["knowledge", "--reindex"]);
    assert!(said.contains("1 changed"), "{said}");
    let said = a.co(&["knowledge", "reindex", "--rebuild"]);
    assert!(said.contains("Rebuilt knowledge index (40 memories, 0 articles)"), "{said}");
    let said = a.co(&["knowledge", "reindex"]);
    assert!(said.contains("up to date"), "{said}");
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

/// Breaks the index in some way.
type Damage = (String, Box<dyn Fn(&Laptop)>);

fn damage(name: &str, how: impl Fn(&Laptop) + 'static) -> Damage {
    (name.to_owned(), Box::new(how))
}

fn overwrite(a: &Laptop, change: impl Fn(&mut Vec<u8>)) {
    in_one_file(a);
    let mut bytes = fs::read(a.index()).expect("an index");
    change(&mut bytes);
    fs::write(a.index(), bytes).expect("written");
}

fn cuts_and_flips() -> Vec<Damage> {
    let mut all = Vec::new();
    for twentieth in 0..20 {
        all.push(damage(&format!("cut at {twentieth}/20"), move |a| {
            overwrite(a, |bytes| bytes.truncate(bytes.len() * twentieth / 20));
        }));
        all.push(damage(&format!("zeroed at {twentieth}/20"), move |a| {
            overwrite(a, |bytes| {
                let at = bytes.len() * twentieth / 20;
                let end = (at + 512).min(bytes.len());
                bytes[at..end].fill(0);
            });
        }));
    }
    for flip in 0..40_usize {
        all.push(damage(&format!("bit {flip}"), move |a| {
            overwrite(a, |bytes| {
                let at = bytes.len() * flip / 40 + flip * 7 % 100;
                let at = at.min(bytes.len() - 1);
                bytes[at] ^= 1 << (flip % 8);
            });
        }));
    }
    all
}

/// Whoever opens it waits for somebody who writes into it.
fn pipe(file: &Path) {
    assert!(Command::new("mkfifo").arg(file).status().expect("mkfifo runs").success());
}

/// As a disk would leave it that changed bits: SQLite notices nothing.
fn unnoticed(change: &'static str) -> impl Fn(&Laptop) {
    move |a| {
        let connection = Connection::open(a.index()).expect("SQLite");
        let changed = connection.execute(change, []).expect(change);
        assert!(changed > 0, "{change}");
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

fn others() -> Vec<Damage> {
    let sql = |sql: &'static str| {
        move |a: &Laptop| {
            Connection::open(a.index()).expect("SQLite").execute_batch(sql).expect(sql);
        }
    };
    vec![
        damage("deleted", |a| fs::remove_file(a.index()).expect("removed")),
        damage("deleted with its log", remove_index),
        damage("its log deleted", |a| drop(fs::remove_file(beside(a, "-wal")))),
        damage("its log garbage", |a| fs::write(beside(a, "-wal"), [7; 9_000]).expect("written")),
        damage("its shared memory garbage", |a| {
            fs::write(beside(a, "-shm"), [7; 40_000]).expect("written");
        }),
        damage("empty", |a| fs::write(a.index(), "").expect("written")),
        damage("text", |a| fs::write(a.index(), "not a database").expect("written")),
        damage("a folder", |a| {
            fs::remove_file(a.index()).expect("removed");
            fs::create_dir(a.config().join("local/index.db")).expect("made");
        }),
        damage("a folder with a file", |a| {
            fs::remove_file(a.index()).expect("removed");
            fs::create_dir(a.config().join("local/index.db")).expect("made");
            fs::write(a.config().join("local/index.db/mine"), "mine").expect("written");
        }),
        damage("copied to another name", |a| {
            in_one_file(a);
            fs::copy(a.index(), a.config().join("local/index.9.db")).expect("copied");
        }),
        damage("read-only", |a| {
            let mut now = fs::metadata(a.index()).expect("there").permissions();
            now.set_readonly(true);
            fs::set_permissions(a.index(), now).expect("changed");
        }),
        damage("a pipe", |a| {
            fs::remove_file(a.index()).expect("removed");
            pipe(&a.config().join("local/index.db"));
        }),
        damage("a pipe as its journal", |a| pipe(&beside(a, "-journal"))),
        damage("a pipe as its log", |a| {
            let _ = fs::remove_file(beside(a, "-wal"));
            pipe(&beside(a, "-wal"));
        }),
        damage("a broken link", |a| {
            fs::remove_file(a.index()).expect("removed");
            std::os::unix::fs::symlink("/nonexistent/x", a.config().join("local/index.db"))
                .expect("linked");
        }),
        damage("foreign tables", |a| {
            remove_index(a);
            let other = Connection::open(a.config().join("local/index.db")).expect("SQLite");
            other.execute_batch("create table folder(x); create table state(y);").expect("made");
        }),
        damage("texts dropped", sql("drop table block;")),
        damage("words dropped", sql("drop table word;")),
        damage("postings dropped", sql("drop table posting;")),
        damage("what it is dropped", sql("delete from state;")),
        damage("some texts deleted", sql("delete from content where id % 2 = 0;")),
        damage("some rows deleted", sql("delete from file where id % 2 = 0;")),
        damage(
            "some blocks deleted",
            sql("delete from block where id = (select max(id) from block);"),
        ),
        damage(
            "a block of another place",
            sql(
                "update block set bytes = (select bytes from block limit 1), sum = (select sum from block limit 1);",
            ),
        ),
        damage("a file named otherwise", sql("update file set path = 'x' || path where id = 3;")),
        damage(
            "a text of another file",
            unnoticed(
                "update content set bytes = (select bytes from content where id = 4) where id = 3",
            ),
        ),
        damage(
            "another version",
            unnoticed("update state set value = x'0141' where what = 'state'"),
        ),
        damage("a journal of another", |a| {
            fs::write(beside(a, "-journal"), [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7])
                .expect("written");
        }),
        damage("a leftover of a kill", |a| {
            fs::write(a.config().join("local/index.77.new"), "half").expect("written");
            remove_index(a);
        }),
        damage("the lock a folder", |a| {
            let lock = a.config().join("local/index.lock");
            fs::remove_file(&lock).expect("removed");
            fs::create_dir(&lock).expect("made");
            remove_index(a);
        }),
        damage("the folder a file", |a| {
            fs::remove_dir_all(a.config().join("local")).expect("removed");
            fs::write(a.config().join("local"), "").expect("written");
        }),
        damage("copied from another home", |a| {
            let copy = a.index().with_extension("copy");
            fs::copy(a.index(), &copy).expect("copied");
            fs::rename(copy, a.index()).expect("renamed");
        }),
    ]
}

fn survive(world: &World, all: Vec<Damage>) {
    let a = laptop(world, "a");
    let good = scanned(&a);
    for (name, damage) in all {
        let _ = fs::remove_file(a.config().join("local"));
        let _ = fs::remove_dir_all(a.config().join("local"));
        assert_eq!(answers(&a), good, "before: {name}");
        assert!(a.index().exists());
        damage(&a);
        assert_eq!(answers(&a), good, "{name}");
        assert_eq!(answers(&a), good, "{name}, the second time");
    }
}

#[test]
fn cut_and_flipped_bytes_change_no_answer() {
    survive(&World::new(), cuts_and_flips());
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
fn foreign_missing_and_blocked_indexes_change_no_answer() {
    let world = World::new();
    survive(&world, others());
    let mine = laptop(&world, "b");
    answers(&mine);
    remove_index(&mine);
    let folder = mine.config().join("local/index.db");
    fs::create_dir(&folder).expect("made");
    fs::write(folder.join("mine"), "mine").expect("written");
    answers(&mine);
    assert!(folder.join("mine").exists(), "a folder of the person's was deleted");
}

#[test]
fn a_locked_index_is_not_waited_for_without_end() {
    let world = World::new();
    let a = laptop(&world, "a");
    let good = answers(&a);
    let other = Connection::open(a.index()).expect("SQLite");
    other.execute_batch("begin exclusive;").expect("locked");
    assert_eq!(answers(&a), good);
    other.execute_batch("rollback;").expect("unlocked");
    assert_eq!(answers(&a), good);
    // While there is something to write.
    other.execute_batch("begin immediate;").expect("locked");
    write_fact(&a, 41, "plays the xylophone");
    assert!(a.co(&["recall", "xylophone"]).contains("plays the xylophone"));
    other.execute_batch("rollback;").expect("unlocked");
    // The lock of whoever makes a new one.
    let lock = fs::File::open(a.config().join("local/index.lock")).expect("a lock");
    lock.lock().expect("locked");
    remove_index(&a);
    assert!(a.co(&["recall", "xylophone"]).contains("plays the xylophone"));
}

#[test]
fn an_index_deleted_under_a_running_process_answers_on() {
    let world = World::new();
    let a = laptop(&world, "a");
    answers(&a);
    let mut batch = Batch::start(&a, &["recall", "--batch"]);
    let mut ask = |question: &str| batch.ask(question);
    let before = ask("neovim");
    remove_index(&a);
    fs::remove_file(a.config().join("local/index.lock")).expect("removed");
    assert_eq!(ask("neovim"), before);
    a.edit(&path_of(6), "neovim", "neovim and helix");
    assert!(ask("neovim").contains("neovim and helix"));
    fs::write(a.index(), "not a database").expect("written");
    assert!(ask("oolong").contains("oolong"));
    batch.end();
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
fn an_index_that_cannot_answer_is_made_anew() {
    let world = World::new();
    let a = laptop(&world, "a");
    let good = answers(&a);
    for sql in ["drop table posting;", "drop table word;", "delete from block where id > 1;"] {
        Connection::open(a.index()).expect("SQLite").execute_batch(sql).expect(sql);
        let said = a.try_co(&["recall", "what does the user prefer?", "--verbose"]);
        assert!(said.err.contains("Rebuilt knowledge index"), "{sql} {}", said.err);
        assert_eq!(answers(&a), good, "{sql}");
        assert_eq!(rung(&a), "catalog");
    }
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
fn a_folder_that_cannot_be_written_needs_no_index() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", "plays the xylophone"]);
    fs::remove_dir_all(a.config().join("local")).expect("removed");
    fs::write(a.config().join("local"), "").expect("written");
    assert!(a.co(&["recall", "xylophone"]).contains("plays the xylophone"));
    assert_eq!(rung(&a), "scan");
    fs::remove_file(a.config().join("local")).expect("removed");
    assert!(a.co(&["recall", "xylophone"]).contains("plays the xylophone"));
    assert_eq!(rung(&a), "catalog");
    assert!(a.index().exists());
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
    assert!(a.co(&["knowledge", "reindex"]).contains("40 vectors computed"));
    assert!(!a.co(&["knowledge", "reindex"]).contains("vectors"));
    let restarted = a.with_env("CO_TEST_BOOT_ID", "another");
    let said = restarted.try_co(&["recall", "pytest", "--verbose"]);
    assert!(!said.err.contains("Rebuilt knowledge index"), "{}", said.err);
    let said = restarted.co(&["knowledge", "reindex", "--rebuild"]);
    assert!(said.contains("Rebuilt") && !said.contains("vectors"), "none is made again: {said}");
    // Vectors that are not what was written are none.
    let connection = Connection::open(restarted.index()).expect("SQLite");
    let flip = "update block set bytes = zeroblob(length(bytes)) where id = 2 << 40";
    assert_eq!(connection.execute(flip, []).expect("changed"), 1);
    drop(connection);
    let said = restarted.co(&["knowledge", "reindex", "--rebuild"]);
    assert!(said.contains("40 vectors computed"), "{said}");
}

#[test]
fn damage_that_a_comparison_or_a_question_meets_is_mended_once() {
    let world = World::new();
    let a = laptop(&world, "a");
    let asked = || a.try_co(&["recall", "pytest vessel", "--verbose"]);
    asked();
    let before = asked().out;
    for damage in [
        // The paths and stats of files.
        "update block set sum = sum + 1 where id >> 40 = 4",
        "delete from block where id >> 40 = 4",
        // The vectors of words.
        "delete from block where id >> 40 = 3",
    ] {
        let connection = Connection::open(a.index()).expect("SQLite");
        assert!(connection.execute(damage, []).expect("changed") > 0, "{damage}");
        drop(connection);
        let said = asked();
        assert!(said.err.contains("Rebuilt knowledge index"), "{damage}: {}", said.err);
        assert_eq!(said.out, before, "{damage}");
        let said = asked();
        assert!(!said.err.contains("Rebuilt knowledge index"), "{damage}: {}", said.err);
    }
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

/// Each byte that reaches a screen is that of a file, whatever byte of the index is another.
#[test]
fn a_flipped_byte_costs_at_most_a_place_and_shows_no_text_that_no_file_has() {
    let world = World::new();
    let a = laptop(&world, "a");
    let good: Vec<String> = [&["list"][..], &["show", "3"], &["recall", "pytest"]]
        .iter()
        .map(|asked| a.co(asked))
        .collect();
    for seed in 0..30_usize {
        answers(&a);
        overwrite(&a, |bytes| {
            let at = (seed * 7_919 * 13 + seed * seed * 31) % bytes.len();
            bytes[at] = bytes[at].wrapping_add(1);
        });
        for (asked, good) in
            [&["list"][..], &["show", "3"], &["recall", "pytest"]].iter().zip(&good)
        {
            assert_eq!(a.co(asked), *good, "{seed} {asked:?}");
        }
    }
}

#[test]
fn after_a_save_in_a_large_store_names_are_compared_and_no_file_is_read_again() {
    let world = World::new();
    let a = with_a_large_store(&world);
    a.write("knowledge/notes/tea.md", "# Tea\n\nOolong is a tea.\n");
    answers(&a);
    thread::sleep(Duration::from_millis(100));
    answers(&a);
    let one = |sql: &str| -> i64 {
        let connection = Connection::open(a.index()).expect("SQLite");
        connection.query_row(sql, [], |row| row.get(0)).expect("a number")
    };
    // The second number of a stat is the time of the last change.
    let unread = "select count(*) from file where substr(stat, 9, 8) = zeroblob(8)";
    let doubtful = "select count(*) from folder where settled = 0";
    // A file that is read again gets a time: one that has none yet tells. A co that a busy machine
    // held up between writing and reading it gives it one at once.
    let has_no_time_yet = |at: usize| {
        a.co(&["edit", "7", &format!("plays the lute {at}")]);
        one(unread) > 0
    };
    assert!((0..20).any(has_no_time_yet));
    assert_eq!(one(doubtful), 1);
    thread::sleep(Duration::from_millis(100));
    a.co(&["recall", "--limit", "1", "pytest"]);
    assert!(one(unread) > 0);
    for (saved, text) in ["plays the flute", "plays the harp", "naps at noon"].iter().enumerate() {
        let before = one(unread);
        a.co(&["learn", text]);
        assert_eq!((one(unread), one(doubtful)), (before, 0), "{saved}: it is only noted");
        thread::sleep(Duration::from_millis(100));
        a.co(&["recall", "--limit", "1", "pytest"]);
        // The file that was noted is taken in, long after it was written.
        assert_eq!((one(unread), one(doubtful)), (before, 0), "{saved}");
        // The file of an answer is compared by its bytes, and no other is looked at.
        assert!(a.co(&["recall", "--limit", "1", text]).contains(text), "{saved}");
        assert_eq!(one(unread), before, "{saved}: every file was looked at");
    }
    write_fact(&a, 99, "plays the xylophone");
    assert!(a.co(&["recall", "xylophone"]).contains("plays the xylophone"));
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
fn the_log_of_changes_stays_short() {
    let world = World::new();
    let a = laptop(&world, "a");
    let section = |at: usize| {
        let words = (0..120).map(|n| format!("word{}", (at * 7_919 + n * 104_729) % 20_011));
        format!("\n## Section {at}\n\n{}.\n", words.collect::<Vec<String>>().join(" "))
    };
    let write = |document: usize, more: &str| {
        let text: String = (document * 60..(document + 1) * 60).map(section).collect();
        a.write(&format!("knowledge/notes/{document}.md"), &format!("# Notes\n{text}\n{more}\n"));
    };
    (0..6).for_each(|document| write(document, "before"));
    a.co(&["recall", "pytest"]);
    (0..6).for_each(|document| write(document, "after"));
    for text in ["reads at dawn", "sews at noon", "runs at dusk", "sleeps at night", "wakes early"]
    {
        a.co(&["recall", "pytest"]);
        let log = fs::metadata(beside(&a, "-wal")).map_or(0, |log| log.len());
        assert!(log <= 2 << 20, "{text}: {log}");
        a.co(&["learn", text]);
    }
    assert_eq!(answers(&a), scanned(&a));
}

#[test]
fn a_save_adds_little_to_the_log_and_a_reindexing_brings_it_in() {
    let world = World::new();
    let a = with_a_large_store(&world);
    a.co(&["recall", "pytest"]);
    let log = || fs::metadata(beside(&a, "-wal")).map_or(0, |log| log.len());
    let things = ["kayaks", "violins", "umbrellas", "harpsichords", "zeppelins"];
    let places = ["Reykjavik", "Samarkand", "Ljubljana", "Ouagadougou"];
    for (at, thing) in things.iter().enumerate() {
        thread::sleep(Duration::from_millis(100));
        a.co(&["recall", "pytest"]);
        let before = log();
        for place in places {
            a.co(&["learn", &format!("Mends {thing} near {place} with {place}{at} and glue{at}")]);
            assert_eq!(log(), before, "{thing} {place}: it is only noted");
        }
        thread::sleep(Duration::from_millis(100));
        a.co(&["recall", "pytest"]);
        // No more for all of them than for one that is taken in alone.
        assert_ne!(log(), before, "{thing}: they were not taken in");
        let added = log().saturating_sub(before);
        assert!(added <= 32 * 4_120, "{thing}: {added}");
    }
    a.co(&["knowledge", "reindex"]);
    assert!(log() <= 256 << 10, "{}", log());
    assert_eq!(answers(&a), scanned(&a));
}

#[test]
fn a_save_names_the_fact_that_is_like_it_among_many_with_the_same_words() {
    let world = World::new();
    let a = laptop(&world, "a");
    for number in 100..1_300 {
        write_fact(&a, number, &format!("The team uses tool{number} for project work every week"));
    }
    for number in [103, 350, 711, 1_000, 1_299] {
        let said =
            a.co(&["learn", &format!("Every week a team uses tool{number} in project work")]);
        assert!(said.contains(&format!("similar to {number} \"")), "{said}");
    }
    for other in ["Plays the theremin", "Every week a team uses tool42 in project work"] {
        let said = a.co(&["learn", other]);
        assert!(!said.contains("similar to"), "{said}");
    }
}

/// What co notes of a save: the last is the time of the folder of facts after it.
#[cfg(unix)]
type Note = (String, Option<u64>, u64, Vec<u8>, (i64, i64), (i64, i64));

/// As if the folder of facts had been changed again within the tick of a save: the last note of
/// one, or without any the index, has the times of the folder.
#[cfg(unix)]
fn with_the_time_of_a_save(a: &Laptop) {
    use std::os::unix::fs::MetadataExt;
    let now = fs::metadata(a.identity().join("knowledge/memories")).expect("there");
    let modified = now.mtime() * 1_000_000_000 + now.mtime_nsec();
    let changed = now.ctime() * 1_000_000_000 + now.ctime_nsec();
    let notes = a.index().with_file_name("index.recent");
    let mut all = fs::read(&notes).unwrap_or_default();
    if all.is_empty() {
        let sql = "update folder set modified = ?, changed = ? where path = 'knowledge/memories/'";
        let connection = Connection::open(a.index()).expect("SQLite");
        assert_eq!(connection.execute(sql, [modified, changed]).expect("changed"), 1);
        return;
    }
    // Each is preceded by its length and its checksum.
    let length = |at: usize| u32::from_le_bytes(all[at..at + 4].try_into().expect("four")) as usize;
    let mut last = 0;
    while last + 8 + length(last) < all.len() {
        last += 8 + length(last);
    }
    let mut note: Note = postcard::from_bytes(&all[last + 8..]).expect("a note");
    note.5 = (modified, changed);
    let note = postcard::to_stdvec(&note).expect("written");
    all.truncate(last);
    all.extend(u32::try_from(note.len()).expect("short").to_le_bytes());
    all.extend(crc32fast::hash(&note).to_le_bytes());
    all.extend(note);
    fs::write(&notes, all).expect("written");
}

#[cfg(unix)]
#[test]
fn a_file_that_came_or_went_in_the_moment_of_a_save_is_seen() {
    let world = World::new();
    let a = with_a_large_store(&world);
    answers(&a);
    thread::sleep(Duration::from_millis(100));
    answers(&a);
    let finds = |text: &str| {
        let word = text.split(' ').next_back().expect("a word");
        a.piped("", &["recall", word]).out.contains(text)
    };
    for (number, text) in [(71, "plays the xylophone"), (72, "keeps zebras"), (73, "sews quilts")] {
        a.co(&["learn", &format!("was saved at the same time as {number}")]);
        write_fact(&a, number, text);
        with_the_time_of_a_save(&a);
        assert!(finds(text), "{text}");
        thread::sleep(Duration::from_millis(100));
        a.co(&["learn", &format!("was saved when {number} went")]);
        fs::remove_file(a.identity().join(path_of(number))).expect("removed");
        with_the_time_of_a_save(&a);
        assert!(!finds(text), "{text}");
        thread::sleep(Duration::from_millis(100));
        answers(&a);
    }
}

#[cfg(unix)]
#[test]
fn a_number_that_came_in_the_moment_of_a_save_is_not_given_again() {
    let world = World::new();
    let a = laptop(&world, "a");
    answers(&a);
    let instruments = ["flute", "harp", "oboe", "theremin", "celesta"];
    for (number, instrument) in (42..).step_by(3).zip(instruments) {
        thread::sleep(Duration::from_millis(100));
        answers(&a);
        a.co(&["learn", &format!("owns a {instrument}")]);
        write_fact(&a, number, &format!("lent a {instrument} to a friend"));
        with_the_time_of_a_save(&a);
        a.co(&["learn", &format!("tunes the {instrument} on Fridays")]);
        let facts = a.json(&["list"])["data"]["memories"].clone();
        for fact in facts.as_array().expect("facts") {
            let handle = fact["handle"].as_str().expect("a handle");
            assert!(handle.bytes().all(|byte| byte.is_ascii_digit()), "{instrument}: {fact}");
        }
    }
}

#[cfg(unix)]
#[test]
fn in_a_large_store_a_number_shared_in_the_moment_of_a_save_is_never_guessed() {
    let world = World::new();
    let a = with_a_large_store(&world);
    answers(&a);
    for (number, instrument) in (41..).zip(["flute", "harp", "oboe", "theremin", "celesta"]) {
        thread::sleep(Duration::from_millis(100));
        answers(&a);
        a.co(&["learn", &format!("owns a {instrument}")]);
        write_fact(&a, number, &format!("lent a {instrument} to a friend"));
        with_the_time_of_a_save(&a);
        let said = a.fails(3, &["show", &number.to_string()]);
        assert!(said.contains("owns a") && said.contains("lent a"), "{instrument}: {said}");
    }
}

#[test]
fn a_folder_whose_time_is_put_back_is_seen() {
    let world = World::new();
    let a = with_a_large_store(&world);
    thread::sleep(Duration::from_millis(100));
    answers(&a);
    let folder = a.identity().join("knowledge/memories");
    let before = fs::metadata(&folder).expect("there").modified().expect("a time");
    write_fact(&a, 41, "plays the xylophone");
    fs::File::open(&folder).expect("opened").set_modified(before).expect("put back");
    assert!(a.co(&["recall", "xylophone"]).contains("plays the xylophone"));
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

#[test]
fn a_file_that_cannot_be_read_costs_itself_and_no_rebuilding() {
    let world = World::new();
    let a = laptop(&world, "a");
    std::os::unix::fs::symlink(world.path("nowhere"), a.identity().join(path_of(60)))
        .expect("linked");
    a.write(&path_of(61), &"x".repeat(2 * 1024 * 1024));
    a.co(&["knowledge", "reindex"]);
    thread::sleep(Duration::from_millis(100));
    a.co(&["knowledge", "reindex"]);
    in_one_file(&a);
    let before = fs::read(a.index()).expect("an index");
    let said = a.try_co(&["knowledge", "reindex"]);
    assert!(said.out.contains("identity: 40 facts, up to date"), "{}", said.out);
    assert_eq!(said.err.lines().count(), 2, "{}", said.err);
    assert_eq!(
        fs::metadata(beside(&a, "-wal")).map_or(0, |log| log.len()),
        0,
        "it was written again"
    );
    assert_eq!(fs::read(a.index()).expect("an index"), before, "it was written again");
    write_fact(&a, 62, "plays the xylophone");
    assert!(a.co(&["recall", "xylophone"]).contains("plays the xylophone"));
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
