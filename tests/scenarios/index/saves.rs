//! The index and its log of changes after a save; and files that came, went or changed in the
//! moment of one, or behind a folder's time that was put back.

use crate::support::{
    Laptop, World,
    index::beside,
    indexed::{answers, laptop, path_of, scanned, with_a_large_store, write_fact},
};
use rusqlite::Connection;
use std::{fs, thread, time::Duration};

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
    let doubtful = "select count(*) from folder where settled <> 1";
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

/// What co notes of a save: the times of the folder of facts before and after it, and whether those
/// tell of every later change.
#[cfg(unix)]
type Note = (String, Option<u64>, u64, Vec<u8>, (i64, i64), (i64, i64), bool);

/// As if the folder of facts had been changed again within the tick of a save, on a system that has
/// one time for both: the last note of one, or without any the index, has the times of the folder.
#[cfg(unix)]
fn with_the_time_of_a_save(a: &Laptop) {
    use std::os::unix::fs::MetadataExt;
    let now = fs::metadata(a.identity().join("knowledge/memories")).expect("there");
    let modified = now.mtime() * 1_000_000_000 + now.mtime_nsec();
    let changed = now.ctime() * 1_000_000_000 + now.ctime_nsec();
    let notes = a.index().with_file_name("index.recent");
    let mut all = fs::read(&notes).unwrap_or_default();
    if all.is_empty() {
        let sql = "update folder set modified = ?, changed = ?, settled = 0
            where path = 'knowledge/memories/'";
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
    (note.5, note.6) = ((modified, changed), false);
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

/// However the system tells the times of changes that follow each other closely.
#[test]
fn a_number_that_came_right_after_a_save_is_not_given_again() {
    let worlds = [World::new(), World::new()];
    for a in [laptop(&worlds[0], "a"), with_a_large_store(&worlds[1])] {
        answers(&a);
        let numbers = || -> Vec<usize> {
            let list = a.json(&["list"]);
            let facts = list["data"]["memories"].as_array().expect("facts").iter();
            facts.map(|fact| fact["id"].as_u64().expect("a number") as usize).collect()
        };
        for round in 0..6 {
            a.co(&["learn", &format!("has a kite with {round} tails")]);
            let next = numbers().into_iter().max().expect("a number") + 1;
            a.co(&["learn", &format!("flies kite {round} on Sundays")]);
            write_fact(&a, next + 1, &format!("lent kite {round} to a friend"));
            a.co(&["learn", &format!("mended kite {round} twice")]);
        }
        let mut all = numbers();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
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
