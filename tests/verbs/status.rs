//! `co status` counts what can be read, and names the secrets that this laptop lacks, whatever
//! happened to the files since it last looked: committed or not, staged, pulled, ignored, renamed,
//! put back.

use crate::support::{
    Laptop, World,
    client::Client,
    pair::pair,
    ready::{laptop, with_remote},
};
use rusqlite::Connection;
use serde_json::json;
use std::{collections::BTreeSet, fs};

/// What somebody does, and how.
type Deed = (&'static str, fn(&Laptop));

/// The names in all files, found by reading each.
fn named(laptop: &Laptop) -> Vec<String> {
    let mut names = BTreeSet::new();
    for (_, bytes) in laptop.tree() {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let found = text.split("{{secret:").skip(1).filter_map(|rest| rest.split_once("}}"));
        names.extend(found.map(|(name, _)| name.to_owned()));
    }
    names.into_iter().collect()
}

fn lacking(laptop: &Laptop) -> Vec<String> {
    let report = laptop.json(&["status"]);
    let names = report["data"]["missing_secrets"].as_array().expect("a list").clone();
    names.iter().map(|name| name.as_str().expect("a name").to_owned()).collect()
}

enum Step {
    Nothing,
    Co(&'static [&'static str]),
    Git(&'static [&'static str]),
    /// Writes a file that names a secret.
    Name(&'static str, &'static str),
    Write(&'static str, &'static str),
    Remove(&'static str),
    FromTheOther,
}

fn token(name: &str) -> String {
    format!("The token is {{{{secret:{name}}}}}.\n")
}

impl Step {
    fn take(&self, a: &Laptop, b: &Laptop) {
        match self {
            Step::Nothing => {}
            Step::Co(arguments) => {
                a.co(arguments);
            }
            Step::Git(arguments) => {
                a.git(arguments);
            }
            Step::Name(path, name) => a.write(path, &token(name)),
            Step::Write(path, text) => a.write(path, text),
            Step::Remove(path) => fs::remove_file(a.identity().join(path)).expect("there"),
            Step::FromTheOther => {
                b.co(&["sync"]);
                b.write("knowledge/b.md", &token("theirs"));
                b.co(&["learn", "Theirs, too, is {{secret:their-fact}}"]);
                b.co(&["sync"]);
                a.co(&["sync"]);
            }
        }
    }
}

const STEPS: &[(&str, Step)] = &[
    ("nothing", Step::Nothing),
    ("a fact", Step::Co(&["learn", "The deploy token is {{secret:deploy}}"])),
    ("synced", Step::Co(&["sync"])),
    ("a document", Step::Name("knowledge/a.md", "aaa")),
    ("synced again", Step::Co(&["sync"])),
    ("edited to the same length", Step::Name("knowledge/a.md", "bbb")),
    ("staged", Step::Git(&["add", "-A"])),
    ("edited after that", Step::Name("knowledge/a.md", "ccc")),
    ("all synced", Step::Co(&["sync"])),
    ("renamed", Step::Git(&["mv", "knowledge/a.md", "knowledge/z.md"])),
    ("the rename synced", Step::Co(&["sync"])),
    ("an attachment", Step::Name("attachments/n.txt", "attached")),
    ("a rule", Step::Write(".gitignore", "*.log\n")),
    ("an ignored file", Step::Name("knowledge/x.log", "ignored")),
    ("with both synced", Step::Co(&["sync"])),
    ("from the other laptop", Step::FromTheOther),
    ("gone", Step::Remove("knowledge/z.md")),
    ("gone and synced", Step::Co(&["sync"])),
    ("put back", Step::Name("knowledge/z.md", "back")),
    ("a person's commit begun", Step::Git(&["add", "-A"])),
    ("a person's commit", Step::Git(&["commit", "-qm", "mine"])),
    ("no longer named", Step::Write("knowledge/z.md", "Nothing.\n")),
    ("forgotten", Step::Co(&["forget", "--yes", "deploy token"])),
    ("at the end", Step::Co(&["sync"])),
];

#[test]
fn status_names_what_the_files_name_after_each_step() {
    let world = World::new();
    let (a, b) = pair(&world);
    for (what, step) in STEPS {
        step.take(&a, &b);
        let expected = named(&a);
        assert_eq!(lacking(&a), expected, "{what}");
        assert_eq!(lacking(&a), expected, "{what}, once more");
    }
    assert!(lacking(&a).contains(&"theirs".to_owned()));
}

/// Encryption and large-file storage commit other bytes than the file has.
#[test]
fn what_a_filter_of_git_commits_is_not_what_a_file_names() {
    for (path, clean) in [
        ("attachments/a.bin", "sed s/in-the-file/in-the-commit/"),
        ("attachments/a.txt", "base64"),
        ("knowledge/a.md", "sed s/in-the-file/in-the-commit/"),
        ("knowledge/people/sarah.md", "tr a-z b-za"),
        ("notes/a.md", "sed s/token/{{secret:added}}/"),
        ("traits/a.md", "sed d"),
    ] {
        let world = World::new();
        let (a, _) = pair(&world);
        assert!(lacking(&a).is_empty());
        a.write(".gitattributes", &format!("{path} filter=other\n"));
        a.git(&["config", "filter.other.clean", clean]);
        a.write(path, &token("in-the-file"));
        for (what, arguments) in [
            ("untracked", &["status"][..]),
            ("staged", &["add", "-A"]),
            ("committed", &["commit", "-qm", "mine"]),
        ] {
            a.git(arguments);
            assert_eq!(lacking(&a), ["in-the-file"], "{path} through {clean}, {what}");
            assert_eq!(lacking(&a), ["in-the-file"], "{path} through {clean}, {what}, once more");
        }
    }
}

#[test]
fn status_names_what_the_files_name_whatever_an_index_says() {
    let world = World::new();
    let (a, _) = pair(&world);
    a.co(&["learn", "The deploy token is {{secret:deploy}}"]);
    a.write("knowledge/reference/a.md", &token("document"));
    a.co(&["sync"]);
    let good = named(&a);
    assert_eq!(good, ["deploy", "document"]);
    for sql in [
        "select 1",
        "update file set names_secrets = 0",
        "update file set names_secrets = 1",
        "update file set names_secrets = 1 - names_secrets",
        "drop index file_with_secrets; update file set names_secrets = 0",
        "update file set facts = x''",
        "update file set facts = substr(facts, 2)",
        "delete from file where names_secrets = 1",
        "update file set path = 'knowledge/memories/x.md' where names_secrets = 1 and unit = 0",
        "update file set stat = zeroblob(32)",
        "update file set stat = x'01'",
    ] {
        let _ = fs::remove_dir_all(a.config().join("local"));
        // What was written a moment ago is not trusted.
        std::thread::sleep(std::time::Duration::from_millis(100));
        a.co(&["list"]);
        Connection::open(a.index()).expect("SQLite").execute_batch(sql).expect(sql);
        assert_eq!(lacking(&a), good, "{sql}");
        assert_eq!(lacking(&a), good, "{sql}, once more");
    }
}

/// Whether the index has noted that git's index, as it is now, has the same files.
#[cfg(unix)]
fn is_noted(a: &Laptop) -> bool {
    use std::os::unix::fs::MetadataExt;
    let index = fs::metadata(a.identity().join(".git/index")).expect("there");
    let modified = index.mtime() * 1_000_000_000 + index.mtime_nsec();
    let stamp = format!("{modified}-{}-{}", index.size(), index.ino());
    let connection = Connection::open(a.index()).expect("SQLite");
    let sql = "select value from state where what = 'as git'";
    let noted = connection.query_row(sql, [], |row| row.get::<_, Vec<u8>>(0)).unwrap_or_default();
    noted.windows(stamp.len()).any(|part| part == stamp.as_bytes())
}

/// Writes a file as if it had been written long ago, so that git trusts its stat.
#[cfg(unix)]
fn write_old(a: &Laptop, path: &str, text: &str) {
    a.write(path, text);
    let file = fs::File::options().write(true).open(a.identity().join(path)).expect("opened");
    let old = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
    file.set_modified(old).expect("changed");
}

/// What may happen after nothing was left to compare.
#[cfg(unix)]
const CHANGES: [Deed; 6] = [
    ("nothing", |_| {}),
    ("the same length and time", |a| write_old(a, "knowledge/a.md", &token("bbb"))),
    ("a new document", |a| a.write("knowledge/c.md", &token("ccc"))),
    ("gone", |a| fs::remove_file(a.identity().join("knowledge/a.md")).expect("removed")),
    ("a saved fact", |a| drop(a.co(&["learn", "Deploys with {{secret:deploy}}"]))),
    ("another index", |a| {
        fs::remove_dir_all(a.config().join("local")).expect("removed");
        write_old(a, "knowledge/a.md", &token("ddd"));
        a.co(&["list"]);
    }),
];

#[cfg(unix)]
#[test]
fn status_sees_what_comes_after_nothing_was_left_to_compare() {
    let pause = |millis| std::thread::sleep(std::time::Duration::from_millis(millis));
    for (what, change) in CHANGES {
        let world = World::new();
        let (a, _) = pair(&world);
        write_old(&a, "knowledge/a.md", &token("aaa"));
        // An index of git's that is written in another second trusts the stats of this one.
        pause(1_100);
        write_old(&a, "knowledge/b.md", &token("also"));
        a.co(&["sync"]);
        pause(100);
        for _ in 0..2 {
            assert_eq!(lacking(&a), ["aaa", "also"], "{what}");
        }
        assert!(is_noted(&a), "{what}");
        change(&a);
        let expected = named(&a);
        for _ in 0..2 {
            assert_eq!(lacking(&a), expected, "{what}");
        }
    }
}

#[test]
fn a_file_that_cannot_be_read_is_no_memory_in_the_status() {
    let world = World::new();
    let a = with_remote(&world);
    let before = a.json(&["status"])["data"]["counts"]["memories"].as_u64().expect("a number");
    a.write("knowledge/memories/900-broken.md", "---\nid: [\n---\n\nx\n");
    let said = a.co(&["status"]);
    assert!(said.contains("1 file of a fact cannot be read: `co check` says why"), "{said}");
    let data = a.json(&["status"])["data"].clone();
    assert_eq!(
        (data["counts"]["memories"].as_u64(), data["unreadable"].as_u64()),
        (Some(before), Some(1))
    );
}

/// What agents saved that no person was shown, newest first.
fn saved_by_agents(laptop: &Laptop) -> Vec<String> {
    let report = laptop.json(&["status"]);
    let saved = report["data"]["saved"].as_array().expect("a list").clone();
    saved.iter().map(|write| write["what"].as_str().expect("a text").to_owned()).collect()
}

#[test]
fn what_agents_saved_is_named_until_it_is_undone() {
    let world = World::new();
    let a = laptop(&world, "a");
    a.co(&["learn", "Said by a person"]);
    let mut client = Client::ready(&a, &[]);
    for text in ["Rows on Tuesdays", "Says \"client\": and \"undoes\":"] {
        client.call_ok("save_memory", json!({ "content": text }));
    }
    client.end();
    let both = ["Says \"client\": and \"undoes\":", "Rows on Tuesdays"];
    assert_eq!(saved_by_agents(&a), both);
    a.co(&["undo", "--yes"]);
    assert_eq!(saved_by_agents(&a), both[1..]);
    a.co(&["redo", "--yes"]);
    assert_eq!(saved_by_agents(&a), both);
    a.co(&["undo", "--yes"]);
    a.co(&["undo", "--yes"]);
    assert_eq!(saved_by_agents(&a), [""; 0]);
}
