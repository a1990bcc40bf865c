//! An index that is cut, flipped, foreign, missing or blocked: no answer changes, and it is made
//! anew once. One that is locked, or cannot be written: answered without it.

use crate::support::{
    Laptop, World,
    index::{Batch, beside},
    indexed::{answers, in_one_file, laptop, path_of, remove_index, rung, scanned, write_fact},
};
use rusqlite::Connection;
use std::{fs, path::Path, process::Command, thread, time::Duration};

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
