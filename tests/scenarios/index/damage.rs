//! The index while something else cuts, replaces, fills or locks its files: an answer all the same.
//!
//! Invariant: whatever happens, each answer is right, comes within one wait, and says at most one
//! line besides; nothing that a person wrote is lost.

use crate::support::{
    Laptop, World,
    client::Client,
    index::{Batch, beside},
    report_skipped, require_tool,
    waiting::{at_once, longer_than},
};
use rusqlite::Connection;
use serde_json::json;
use std::{
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

/// Of two commands that find the index held by somebody, each waits two seconds, not twice, without
/// what it takes itself.
const LESS_THAN_TWO_WAITS: Duration = Duration::from_secs(3);

const FACTS: [&str; 6] = [
    "prefers neovim to emacs",
    "drinks oolong tea",
    "lives in Berlin",
    "deploys with fly.io",
    "fears global warming",
    "reads about night trains",
];

/// The number of a fact that only the log has.
const THEREMIN: usize = 99;

fn laptop(world: &World, name: &str) -> Laptop {
    let a = world.laptop(name);
    a.co(&["init", "--yes"]);
    set(&a, r#"{"recall": {"encoder": "off"}}"#);
    for (at, text) in FACTS.iter().enumerate() {
        write_fact(&a, at + 1, text);
    }
    a
}

fn set(a: &Laptop, settings: &str) {
    fs::write(a.config().join("settings.json"), settings).expect("written");
}

fn path_of(number: usize) -> String {
    format!("knowledge/memories/{number:03}-fact.md")
}

fn write_fact(a: &Laptop, number: usize, text: &str) {
    let day = number % 28 + 1;
    a.write(
        &path_of(number),
        &format!("---\nid: {number}\ncreated: 2026-01-{day:02}T08:00:00Z\n---\n\n{text}\n"),
    );
}

fn local(a: &Laptop) -> PathBuf {
    a.config().join("local")
}

/// The files of all indexes, without the lock.
fn files_of_indexes(a: &Laptop) -> Vec<PathBuf> {
    let entries = fs::read_dir(local(a)).expect("a folder").flatten();
    let is_index = |name: &str| name.starts_with("index.") && name.contains(".db");
    entries
        .filter(|entry| entry.file_name().to_str().is_some_and(is_index))
        .map(|entry| entry.path())
        .collect()
}

fn remove_indexes(a: &Laptop) {
    files_of_indexes(a).iter().for_each(|file| fs::remove_file(file).expect("removed"));
}

/// What a command says, which has to succeed without a word on standard error.
fn quiet(a: &Laptop, asked: &[&str]) -> String {
    let said = a.try_co(asked);
    assert_eq!((said.code, said.err.as_str()), (0, ""), "{asked:?}: {}", said.out);
    said.out
}

/// What several commands say that read all facts.
fn readings(a: &Laptop) -> Vec<String> {
    let asked: [&[&str]; 4] =
        [&["list"], &["show", "3"], &["recall", "neovim"], &["recall", "tea trains berlin"]];
    asked.iter().map(|asked| quiet(a, asked)).collect()
}

/// The same without an index.
fn readings_of_files(a: &Laptop) -> Vec<String> {
    set(a, r#"{"recall": {"encoder": "off", "catalog": false}}"#);
    let said = readings(a);
    set(a, r#"{"recall": {"encoder": "off"}}"#);
    said
}

fn assert_whole(a: &Laptop) {
    let connection = Connection::open(a.index()).expect("SQLite");
    let checked: String =
        connection.query_row("pragma integrity_check", [], |row| row.get(0)).expect("checked");
    assert_eq!(checked, "ok");
}

fn is_rebuilt(a: &Laptop) -> bool {
    a.try_co(&["recall", "neovim", "--verbose"]).err.contains("Rebuilt knowledge index")
}

type Damage = (&'static str, fn(&Laptop));

fn cut(file: &Path, length: u64) {
    let file = File::options().write(true).open(file).expect("there");
    file.set_len(length).expect("cut");
}

fn overwrite(file: &Path, byte: u8) {
    let length = fs::metadata(file).expect("there").len();
    let mut file = File::options().write(true).open(file).expect("opened");
    let bytes = vec![byte; usize::try_from(length).expect("a length")];
    file.write_all(&bytes).expect("written");
}

/// While others have it open.
const WHILE_OPEN: &[Damage] = &[
    ("cut to nothing", |a| cut(&a.index(), 0)),
    ("cut to a page", |a| cut(&a.index(), 4_096)),
    ("cut within a page", |a| cut(&a.index(), 5_000)),
    ("cut in the middle", |a| cut(&a.index(), fs::metadata(a.index()).expect("there").len() / 2)),
    ("zeroed", |a| overwrite(&a.index(), 0)),
    ("garbage", |a| overwrite(&a.index(), 0xa7)),
    ("its log cut", |a| cut(&beside(a, "-wal"), 0)),
    ("its log cut in a page", |a| cut(&beside(a, "-wal"), 3_000)),
    ("its log garbage", |a| fs::write(beside(a, "-wal"), [7; 9_000]).expect("written")),
    ("its shared memory cut", |a| cut(&beside(a, "-shm"), 0)),
    ("its shared memory cut to three bytes", |a| cut(&beside(a, "-shm"), 3)),
    ("its shared memory cut in the middle", |a| cut(&beside(a, "-shm"), 16_000)),
    ("its shared memory zeroed", |a| overwrite(&beside(a, "-shm"), 0)),
    ("its shared memory garbage", |a| overwrite(&beside(a, "-shm"), 7)),
    ("all cut", |a| files_of_indexes(a).iter().for_each(|file| cut(file, 0))),
    ("all garbage", |a| files_of_indexes(a).iter().for_each(|file| overwrite(file, 0x55))),
    ("deleted", |a| fs::remove_file(a.index()).expect("removed")),
    ("all deleted", remove_indexes),
    ("the folder deleted", |a| fs::remove_dir_all(local(a)).expect("removed")),
];

/// An index with something in its log, and shared memory.
fn logged(a: &Laptop) {
    remove_indexes_if_any(a);
    let _ = fs::remove_file(a.identity().join(path_of(THEREMIN)));
    quiet(a, &["recall", "neovim"]);
    write_fact(a, THEREMIN, "plays the theremin");
    assert!(quiet(a, &["recall", "theremin"]).contains("plays the theremin"));
    assert!(beside(a, "-wal").exists() && beside(a, "-shm").exists());
}

fn remove_indexes_if_any(a: &Laptop) {
    if local(a).exists() {
        remove_indexes(a);
    }
}

#[test]
fn a_batch_survives_what_is_done_to_the_index_that_it_has_open() {
    let world = World::new();
    let a = laptop(&world, "a");
    for (at, (name, damage)) in WHILE_OPEN.iter().enumerate() {
        logged(&a);
        let mut batch = Batch::start(&a, &["recall", "--batch"]);
        let good = batch.ask("neovim");
        assert!(good.contains("prefers neovim"), "{name}: {good}");
        damage(&a);
        assert_eq!(batch.ask("neovim"), good, "{name}");
        let text = format!("owns celesta number {at}");
        write_fact(&a, 100 + at, &text);
        assert!(batch.ask(&text).contains(&text), "{name}");
        batch.end();
        assert_eq!(readings(&a), readings_of_files(&a), "{name}");
    }
}

#[test]
fn a_server_survives_what_is_done_to_the_index_that_it_has_open() {
    let world = World::new();
    let a = laptop(&world, "a");
    for (at, (name, damage)) in WHILE_OPEN.iter().enumerate() {
        logged(&a);
        let mut server = Client::ready(&a, &[]);
        let mut call = |tool: &str, key: &str, text: &str| {
            let answer = server.call(tool, json!({ key: text }));
            assert!(!answer.is_error, "{name}: {tool}: {}", answer.text);
            answer.text
        };
        assert!(call("recall_memory", "query", "neovim").contains("prefers neovim"), "{name}");
        damage(&a);
        let text = format!("owns marimba number {at}");
        // First a save: it opens the index beside the one that answered.
        call("save_memory", "content", &text);
        assert!(call("recall_memory", "query", &text).contains(&text), "{name}");
        assert!(call("recall_memory", "query", "neovim").contains("prefers neovim"), "{name}");
        drop(server);
        assert!(quiet(&a, &["list"]).contains(&text), "{name}");
        assert_eq!(readings(&a), readings_of_files(&a), "{name}");
    }
}

/// A reader of the same process is always there while a save writes.
#[test]
fn the_log_of_the_index_does_not_grow_with_each_save() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    for number in 0..40 {
        write_fact(&a, number + 1, &format!("knows street {number} of the {number} streets"));
    }
    quiet(&a, &["recall", "street"]);
    let mut batch = Batch::start(&a, &["recall", "--batch"]);
    let mut longest = 0;
    for number in 0..70 {
        let text = format!("Owns boat number {number} of harbour {}", number * 7);
        a.co(&["learn", &text]);
        if number % 20 == 0 {
            assert!(batch.ask(&text).contains(&text));
        }
        longest = longest.max(fs::metadata(beside(&a, "-wal")).map_or(0, |log| log.len()));
    }
    batch.end();
    // SQLite brings 512 pages to the file itself.
    assert!(longest < 3 * 1_024 * 1_024, "{longest} bytes");
    assert_whole(&a);
    assert!(quiet(&a, &["recall", "boat number 69"]).contains("boat number 69"));
}

#[test]
fn files_with_names_like_that_of_an_index_are_left_alone() {
    let world = World::new();
    let a = laptop(&world, "a");
    for name in [
        "index.99999999999999999999.db",
        "index.18446744073709551615.db",
        "index.4294967296.db",
        "index.03.db",
        "index.0.db",
        "index.1.db",
        "index.+5.db",
        "index.-5.db",
        "index..db",
        "index. 7.db",
        "index.mine.db",
    ] {
        remove_indexes(&a);
        let file = local(&a).join(name);
        fs::write(&file, "mine").expect("written");
        quiet(&a, &["recall", "neovim"]);
        assert!(!is_rebuilt(&a), "{name}: it is made each time");
        assert_eq!(readings(&a), readings_of_files(&a), "{name}");
        assert_eq!(fs::read(&file).expect("there"), b"mine", "{name}");
        fs::remove_file(&file).expect("removed");
    }
    // A folder is never removed, and not in the way.
    for name in ["index.db", "index.7.db", "index.db-wal", "index.9.db-shm", "index.10.db-journal"]
    {
        remove_indexes(&a);
        let folder = local(&a).join(name);
        fs::create_dir(&folder).expect("made");
        fs::write(folder.join("mine"), "mine").expect("written");
        quiet(&a, &["recall", "neovim"]);
        assert!(!is_rebuilt(&a), "{name}: it is made each time");
        assert_eq!(readings(&a), readings_of_files(&a), "{name}");
        assert!(folder.join("mine").exists(), "{name}");
        fs::remove_dir_all(&folder).expect("removed");
    }
}

/// A copy, with what was in the log and without.
#[test]
fn an_index_of_another_home_or_of_earlier_is_not_believed() {
    let world = World::new();
    let (a, b) = (laptop(&world, "a"), laptop(&world, "b"));
    logged(&b);
    let copy = |from: &Path, to: &Path, ends: &[&str]| {
        for end in ends {
            let name = |at: &Path| PathBuf::from(format!("{}{end}", at.display()));
            fs::copy(name(from), name(to)).expect("copied");
        }
    };
    let here = local(&a).join("index.db");
    for ends in [&[""][..], &["", "-wal"], &["", "-wal", "-shm"], &["-wal"], &["-wal", "-shm"]] {
        remove_indexes(&a);
        quiet(&a, &["recall", "neovim"]);
        copy(&b.index(), &here, ends);
        assert_eq!(readings(&a), readings_of_files(&a), "{ends:?}");
        assert_eq!(readings(&a), readings_of_files(&a), "{ends:?}, the second time");
    }
    // A backup of this one.
    for ends in [&[""][..], &["-wal"], &["", "-wal"], &["", "-wal", "-shm"]] {
        logged(&a);
        let (now, kept) = (a.index(), world.path("kept"));
        copy(&now, &kept, &["", "-wal", "-shm"]);
        let text = format!("keeps birds in {} cages", ends.len());
        a.co(&["learn", &text]);
        fs::remove_file(a.identity().join(path_of(THEREMIN))).expect("removed");
        assert!(!quiet(&a, &["list"]).contains("theremin"));
        copy(&kept, &now, ends);
        assert_eq!(readings(&a), readings_of_files(&a), "{ends:?}");
        assert!(quiet(&a, &["recall", "birds cages"]).contains(&text), "{ends:?}");
        assert!(!quiet(&a, &["list"]).contains("theremin"), "{ends:?}");
    }
}

/// Whoever deletes an index leaves its log, which is not that of the next.
#[test]
fn the_log_of_a_deleted_index_is_not_taken_for_that_of_the_next() {
    let world = World::new();
    let a = laptop(&world, "a");
    logged(&a);
    let deleted = a.index();
    fs::remove_file(&deleted).expect("removed");
    fs::remove_file(a.identity().join(path_of(THEREMIN))).expect("removed");
    assert_eq!(readings(&a), readings_of_files(&a));
    assert_ne!(a.index(), deleted);
    assert!(!quiet(&a, &["list"]).contains("theremin"));
    assert_whole(&a);
}

/// Commands that are killed at some moment, also while they make a new index.
#[test]
fn a_kill_leaves_an_index_that_is_whole() {
    let world = World::new();
    let a = laptop(&world, "a");
    quiet(&a, &["recall", "neovim"]);
    for round in 0..60_u64 {
        let text = format!("owns boat number {round}");
        write_fact(&a, 200, &format!("keeps {round} animals in a cage"));
        let asked: &[&str] = match round % 4 {
            0 => &["learn", &text],
            1 => &["knowledge", "reindex"],
            2 => &["knowledge", "reindex", "--rebuild"],
            _ => &["recall", "boat"],
        };
        let mut command = a.command(asked);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut process = command.spawn().expect("co runs");
        thread::sleep(Duration::from_micros(round * 7_919 % 60_000));
        process.kill().expect("killed");
        process.wait().expect("it ended");
        if round % 6 == 5 {
            // What the kill interrupted is finished, and told.
            a.co(&["list"]);
            assert_eq!(readings(&a), readings_of_files(&a), "round {round}");
            assert_whole(&a);
        }
    }
    let is_left = |file: &PathBuf| file.extension().is_some_and(|end| end == "new");
    quiet(&a, &["knowledge", "reindex", "--rebuild"]);
    let files = fs::read_dir(local(&a)).expect("a folder").flatten().map(|entry| entry.path());
    assert_eq!(files.filter(is_left).count(), 0, "what a killed co began is left");
}

#[test]
fn eight_at_once_lose_nothing_and_answer() {
    let world = World::new();
    let a = laptop(&world, "a");
    thread::scope(|scope| {
        for who in 0..8 {
            let a = &a;
            scope.spawn(move || {
                for number in 0..3 {
                    let text = format!("boat {who} carries load {number}");
                    a.co(&["learn", &text]);
                    assert!(a.co(&["recall", &text]).contains(&text));
                    assert!(a.co(&["list"]).contains(&text));
                    let anew = if number == who % 3 { "--rebuild" } else { "--verbose" };
                    let said = a.try_co(&["knowledge", "reindex", anew]);
                    // It wants to write, and says so if others did for too long.
                    assert!([0, 9].contains(&said.code), "{}", said.err);
                }
            });
        }
    });
    let listed = quiet(&a, &["list"]);
    for who in 0..8 {
        for number in 0..3 {
            assert!(listed.contains(&format!("boat {who} carries load {number}")), "{listed}");
        }
    }
    assert_eq!(readings(&a), readings_of_files(&a));
    assert_whole(&a);
}

/// What a laptop meets whose home is mounted for reading only, or has no room.
struct Mounted {
    at: PathBuf,
}

impl Mounted {
    /// `None` where this machine or this user cannot.
    fn of(at: &Path, commands: &[&[&str]]) -> Option<Mounted> {
        if !require_tool("mount") {
            report_skipped("mount");
            return None;
        }
        let mounted = Mounted { at: at.to_owned() };
        for arguments in commands {
            let mut command = Command::new("mount");
            command.args(*arguments).arg(at).stdout(Stdio::null()).stderr(Stdio::null());
            if !command.status().is_ok_and(|status| status.success()) {
                // Not a matter of what is installed.
                writeln!(std::io::stderr(), "skipped: mount needs to be run as root").ok();
                return None;
            }
        }
        Some(mounted)
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let mut command = Command::new("umount");
        command.arg("-l").arg(&self.at).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().ok();
    }
}

#[test]
fn a_home_that_is_mounted_for_reading_only_is_read() {
    let world = World::new();
    let a = laptop(&world, "a");
    let good = readings_of_files(&a);
    let home = a.home.display().to_string();
    let read_only: [&[&str]; 2] = [&["--bind", &home], &["-o", "remount,ro,bind"]];
    for what in ["with a log", "in one file", "of earlier", "none", "garbage"] {
        remove_indexes_if_any(&a);
        quiet(&a, &["recall", "neovim"]);
        write_fact(&a, 80, &format!("the index is {what}"));
        match what {
            "of earlier" => {}
            "none" => remove_indexes(&a),
            "garbage" => overwrite(&a.index(), 9),
            _ => drop(quiet(&a, &["recall", "index"])),
        }
        if what == "in one file" {
            let connection = Connection::open(a.index()).expect("SQLite");
            connection.execute_batch("pragma wal_checkpoint(truncate)").expect("in one file");
        }
        let Some(_mounted) = Mounted::of(&a.home, &read_only) else { return };
        assert!(fs::write(a.home.join("x"), "").is_err(), "it can be written");
        assert!(quiet(&a, &["recall", "index"]).contains(what), "{what}");
        assert_eq!(readings(&a)[1..], good[1..], "{what}");
        for asked in [&["context"][..], &["status"], &["memory", "similar"]] {
            assert_eq!(a.try_co(asked).code, 0, "{what}: {asked:?}");
        }
    }
}

#[test]
fn a_full_disk_changes_no_answer() {
    let world = World::new();
    let at = world.path("full");
    fs::create_dir_all(&at).expect("made");
    let small: &[&str] = &["-t", "tmpfs", "-o", "size=8m", "tmpfs"];
    let Some(_mounted) = Mounted::of(&at, &[small]) else { return };
    let a = laptop(&world, "full");
    for what in ["as it is", "stale", "none", "no folder"] {
        quiet(&a, &["recall", "neovim"]);
        match what {
            "none" => remove_indexes(&a),
            "no folder" => fs::remove_dir_all(local(&a)).expect("removed"),
            "stale" => write_fact(&a, 80, "plays the celesta"),
            _ => {}
        }
        let good = {
            let said = readings_of_files(&a);
            // Also the last byte.
            let mut filler = File::create(at.join("filler")).expect("made");
            for size in [65_536, 4_096, 1] {
                while filler.write_all(&vec![1; size]).is_ok() {}
            }
            said
        };
        assert_eq!(readings(&a), good, "{what}");
        for asked in [&["context"][..], &["status"], &["memory", "similar"]] {
            let said = a.try_co(asked);
            assert_eq!(said.code, 0, "{what}: {asked:?}: {}", said.err);
            assert!(said.err.lines().count() <= 1, "{what}: {asked:?}: {}", said.err);
        }
        fs::remove_file(at.join("filler")).expect("removed");
        assert_eq!(readings(&a), good, "{what}, with room again");
        assert_whole(&a);
    }
}

/// A disk that may be another machine's: no log, no mapping.
#[test]
fn on_a_disk_that_is_not_of_this_machine_the_index_has_no_log() {
    if !Path::new("/dev/fuse").exists() {
        writeln!(std::io::stderr(), "skipped: FUSE is missing").ok();
        return;
    }
    if !require_tool("bindfs") {
        return report_skipped("bindfs");
    }
    let world = World::new();
    let (backing, at) = (world.path("backing"), world.path("a"));
    fs::create_dir_all(&backing).expect("made");
    fs::create_dir_all(&at).expect("made");
    let mounts = Command::new("bindfs").arg(&backing).arg(&at).status().expect("bindfs runs");
    let _mounted = Mounted { at };
    if !mounts.success() {
        return report_skipped("the right to mount with bindfs");
    }
    let (a, twin) = (laptop(&world, "a"), laptop(&world, "twin"));
    let good = readings_of_files(&a);
    assert_eq!(readings(&a), good);
    a.co(&["learn", "plays the celesta"]);
    assert!(quiet(&a, &["recall", "celesta"]).contains("celesta"));
    assert!(!beside(&a, "-wal").exists() && !beside(&a, "-shm").exists());
    let mut batch = Batch::start(&a, &["recall", "--batch"]);
    let answer = batch.ask("neovim");
    cut(&a.index(), 5_000);
    assert_eq!(batch.ask("neovim"), answer);
    batch.end();
    // Who writes there keeps all others from reading.
    let other = Connection::open(a.index()).expect("SQLite");
    other.execute_batch("begin exclusive").expect("locked");
    let asked = ["recall", "celesta"];
    let (said, waited) = longer_than(|| drop(twin.try_co(&asked)), || quiet(&a, &asked));
    assert!(said.contains("celesta"), "{said}");
    assert!(waited < LESS_THAN_TWO_WAITS, "{waited:?}");
    drop(other);
    assert_eq!(readings(&a), readings_of_files(&a));
    assert_whole(&a);
}

/// Whoever holds it, a command waits once.
#[test]
fn a_command_waits_once_for_whoever_holds_the_index() {
    let world = World::new();
    // Nobody holds the index of the twin.
    let (a, twin) = (laptop(&world, "a"), laptop(&world, "twin"));
    quiet(&a, &["recall", "neovim"]);
    let waits_once = |asked: &[&str], held: &str| {
        let (said, waited) = longer_than(|| drop(twin.try_co(asked)), || a.try_co(asked));
        assert_eq!(said.code, 0, "{held}: {asked:?}: {}", said.err);
        assert!(waited < LESS_THAN_TWO_WAITS, "{held}: {asked:?}: {waited:?}");
    };
    let asked: [&[&str]; 5] =
        [&["recall", "neovim"], &["list"], &["context"], &["status"], &["show", "3"]];
    let each_waits_once = |held: &str| {
        for one in [&a, &twin] {
            write_fact(one, 90, &format!("asked while it is held by {held}"));
        }
        at_once(&asked, |asked| waits_once(asked, held));
        waits_once(&["learn", &format!("learned while it is held by {held}")], held);
    };
    let other = Connection::open(a.index()).expect("SQLite");
    other.execute_batch("begin immediate").expect("locked");
    each_waits_once("a writer");
    let said = a.fails(9, &["knowledge", "reindex"]);
    assert!(said.contains("another co process"), "{said}");
    drop(other);
    remove_indexes(&a);
    let lock = File::open(local(&a).join("index.lock")).expect("a lock");
    lock.lock().expect("locked");
    each_waits_once("whoever makes one");
    drop(lock);
    assert_eq!(readings(&a), readings_of_files(&a));
}
