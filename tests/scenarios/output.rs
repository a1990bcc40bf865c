//! What a person reads: one word for one thing, one order everywhere, a mark where text was cut,
//! and lines that fit the terminal.

use crate::support::{Laptop, World, terminal::screen, web::Site, whole::whole};
use serde_json::json;
use std::fs;

fn laptop(world: &World) -> Laptop {
    let a = world.laptop("a").with_env("CO_TEST_CLOCK", "2026-11-20T12:00:00Z");
    a.co(&["init", "--yes", "--name", "Bin"]);
    a
}

#[test]
fn a_text_may_simply_be_piped_in() {
    for words in [
        &["learn"][..],
        &["learn", "-"],
        &["memory", "save"],
        &["learn", "--tag", "drinks"],
        &["learn", "--source", "a-note"],
    ] {
        let world = World::new();
        let a = laptop(&world);
        let said = a.piped("Likes tea\nGreen tea in the morning\nNo sugar\n", words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.err);
        let content = a.json(&["show", "1"])["data"]["content"].clone();
        assert_eq!(content, "Likes tea\nGreen tea in the morning\nNo sugar", "{words:?}");
        for nothing in ["", "\n", "  \n\t\n"] {
            let said = a.piped(nothing, words);
            assert_eq!(said.code, 2, "{words:?} {nothing:?}: {}", said.out);
            assert!(said.err.contains("hint:"), "{words:?}: {}", said.err);
        }
        assert_eq!(a.facts().len(), 1, "{words:?}");
    }
    let world = World::new();
    let a = laptop(&world);
    assert_eq!(a.piped("# Notes\n\nText.\n", &["knowledge", "write", "notes"]).code, 0);
    assert!(a.co(&["knowledge", "show", "notes"]).contains("Text."));
    for words in [&["learn"][..], &["knowledge", "write", "other"]] {
        assert!(screen(&a, 100, words, &[]).contains("no text was given"), "{words:?}");
    }
}

#[test]
fn whatever_a_list_cuts_off_shows() {
    let long = "A fact of many words ".repeat(6);
    for (text, shown) in [
        ("Likes tea\nGreen tea", "Likes tea …"),
        ("Likes tea.\n\n- green\n- black", "Likes tea. …"),
        ("Likes tea:\r\ngreen", "Likes tea: …"),
        ("Likes tea  \nand cake", "Likes tea …"),
        (long.as_str(), "..."),
    ] {
        let world = World::new();
        let a = laptop(&world);
        assert_eq!(a.piped(text, &["learn"]).code, 0, "{text:?}");
        // A context has a fact of one line whole.
        let context = if text == long { &["list"][..] } else { &["context"] };
        for words in [&["list"][..], &["log"], context, &["log", "1"]] {
            let said = a.co(words);
            assert!(said.contains(shown), "{words:?}: {text:?}: {said}");
        }
        let is_shown = screen(&a, 200, &["list"], &[]).contains(shown);
        // A wide terminal has room for more than a summary.
        assert_eq!(is_shown, text != long, "{text:?}");
        assert!(a.co(&["forget", "1"]).contains(shown), "{text:?}");
    }
    let world = World::new();
    let a = laptop(&world);
    for whole in ["Likes tea", "Likes tea\n", "\n\nHas a dog\n\n"] {
        a.piped(whole, &["learn"]);
    }
    assert!(!a.co(&["list"]).contains('…'), "{}", a.co(&["list"]));
}

#[test]
fn lists_and_answers_have_one_order() {
    for (tags, shown) in [
        (&["tea"][..], "2026-11-20 [tea]"),
        (&["tea", "home"], "2026-11-20 [tea, home]"),
        (&["a", "b", "c"], "2026-11-20 [a, b, c]"),
        (&[], "2026-11-20"),
        (&["日本"], "2026-11-20 [日本]"),
    ] {
        let world = World::new();
        let a = laptop(&world);
        let tagged = tags.iter().flat_map(|tag| ["--tag", *tag]);
        let words: Vec<&str> = ["learn", "Drinks green tea"].into_iter().chain(tagged).collect();
        a.co(&words);
        for words in [&["list"][..], &["recall", "green tea"]] {
            let seen = screen(&a, 100, words, &[]);
            let line = format!("   1  Drinks green tea  {shown}");
            assert!(seen.lines().any(|seen| seen.trim_end() == line), "{words:?}: {seen}");
        }
    }
}

#[test]
fn a_fact_is_called_a_fact() {
    let world = World::new();
    let a = laptop(&world);
    a.co(&["learn", "Likes tea"]);
    a.co(&["learn", "Has a dog"]);
    a.co(&["sync"]);
    for words in [
        &["learn", "Likes tea"][..],
        &["edit", "1", "Likes green tea"],
        &["memory", "pin", "1"],
        &["memory", "pin", "1"],
        &["memory", "pin", "1", "--off"],
        &["forget", "2"],
        &["show", "9"],
        &["log", "9"],
        &["forget", "zebras"],
        &["sync"],
        &[],
    ] {
        let said = a.try_co(words);
        // Files are named after memories.
        let text = format!("{}{}", said.out, said.err).replace("knowledge/memories", "");
        let text = text.to_lowercase();
        assert!(text.contains("fact") && !text.contains("memory"), "{words:?}: {text}");
    }
    assert!(a.co(&["show", "1"]).starts_with("fact 1"));
}

#[test]
fn the_page_and_the_log_say_the_same() {
    let world = World::new();
    let a = laptop(&world);
    a.co(&["learn", "Likes tea"]);
    a.co(&["learn", "Likes tea"]);
    a.co(&["edit", "1", "Likes green tea"]);
    a.co(&["memory", "pin", "1"]);
    a.co(&["forget", "1"]);
    let site = Site::entered(&a, &[]);
    let operations = site.data("log", &json!({"limit": 9}))["operations"].clone();
    let did = |at: usize| operations[at]["did"].as_str().expect("a word").to_owned();
    assert_eq!([0, 1, 2, 3, 4].map(did), ["forgot", "pinned", "edited", "known", "learned"]);
    let log = a.co(&["log"]);
    for word in ["forgot", "pinned", "edited", "known", "learned"] {
        assert!(log.contains(&format!("  {word} ")), "{word}: {log}");
    }
    a.co(&["learn", "Has a dog"]);
    let would = a.co(&["undo", "--dry-run"]);
    assert!(would.contains("learn: Has a dog") && !would.contains("save"), "{would}");
}

#[test]
fn a_page_of_the_manual_is_formatted_on_a_terminal() {
    let world = World::new();
    let a = world.laptop("a");
    for words in [
        &["man", "sync"][..],
        &["man", "learn"],
        &["man", "memory", "save"],
        &["man", "config", "set"],
        &["man", "knowledge", "write"],
    ] {
        let source = a.co(words);
        assert!(source.contains(".SH NAME"), "{words:?}");
        let read = |a: &Laptop| {
            let seen = screen(a, 90, words, &[]);
            assert!(!seen.contains(".SH") && !seen.contains("\\fB"), "{words:?}: {seen}");
            seen
        };
        // Not every machine has a `man`; then it is the help.
        let seen = read(&a);
        let is_formatted = seen.contains("NAME") && seen.contains("EXIT STATUS");
        assert!(is_formatted || seen.contains("Usage: co"), "{words:?}: {seen}");
        let seen = read(&a.with_env("PATH", "/nonexistent"));
        assert!(seen.contains("Usage: co"), "{words:?}: {seen}");
    }
}

#[test]
fn an_explained_context_names_budgets() {
    let world = World::new();
    let a = laptop(&world);
    a.write("knowledge/context.md", "# User\n\nWorks on billing.\n");
    a.write("traits/pace.md", "# Pace\n\nSlow and steady.\n");
    a.co(&["learn", "Likes tea"]);
    let said = a.co(&["context", "--explain"]);
    let head = said.lines().next().expect("a head");
    let columns: Vec<&str> = head.split_whitespace().collect();
    assert_eq!(columns, ["layer", "file", "bytes", "budget", "tokens"]);
    let layers = a.json(&["context"])["data"]["layers"].clone();
    let layers = layers.as_array().expect("a list");
    assert!(layers.len() > 3, "{layers:?}");
    for layer in layers {
        let name = layer["layer"].as_str().expect("a name").replace('-', " ");
        let row = said.lines().find(|line| line.starts_with(&name)).expect("a row");
        let [bytes, budget] = ["bytes", "budget"].map(|key| layer[key].to_string());
        let numbers = format!("{bytes}  {budget:>7}  ");
        assert!(row.contains(&numbers), "{name}: {row}");
    }
}

#[test]
fn the_installer_knows_that_there_is_no_release_yet() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let world = World::new();
    let script = root.join("packaging/install.sh").display().to_string();
    if fs::read_to_string(&script).expect("a script").contains("PROJECT=OWNER/") {
        let mut command = world.laptop("a").command_of("sh", &[&script]);
        let output = command.output().expect("sh runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains("scripts/start.sh"), "{said}");
    }
    // What is to be typed can be typed.
    for page in ["README.md", "docs/agents.md", "docs/first-day.md", "docs/second-laptop.md"] {
        let text = fs::read_to_string(root.join(page)).expect("a page");
        assert!(!text.contains("OWNER"), "{page}");
    }
}

/// A text of this many letters, in words of four.
fn words(letters: usize) -> String {
    "abcd ".repeat(letters / 5) + &"x".repeat(letters % 5)
}

#[test]
fn a_terminal_shows_as_much_of_a_fact_as_it_has_room_for() {
    for (width, letters, is_whole) in [
        (80, 80, true),
        (80, 84, true),
        (80, 120, true),
        (80, 149, false),
        (80, 400, false),
        (120, 199, true),
        (120, 400, false),
        (200, 199, true),
        (200, 201, false),
        (40, 79, true),
        (40, 84, false),
    ] {
        let world = World::new();
        let a = laptop(&world);
        let fact = words(letters);
        let fact = fact.trim_end();
        a.co(&["learn", fact]);
        // Also after the index has been built.
        for _ in 0..2 {
            let shown = screen(&a, width, &["list"], &[]);
            let line = shown.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(line.contains(fact), is_whole, "{width}, {letters}: {shown}");
            assert_eq!(line.contains('…'), !is_whole, "{width}, {letters}: {shown}");
            // Two lines of text, and one for the date and what did not fit between words.
            let rows = shown.lines().filter(|line| line.contains("abcd")).count();
            assert!(rows <= if width < 80 { 4 } else { 3 }, "{width}, {letters}: {shown}");
            a.co(&["knowledge", "reindex"]);
        }
        // Programs get what they always got.
        let summary = a.json(&["list"])["data"]["memories"][0]["summary"].clone();
        let summary = summary.as_str().expect("a summary");
        assert!(summary.chars().count() <= 80, "{summary}");
        assert_eq!(summary.ends_with("..."), fact.len() > 80, "{summary}");
        assert!(a.co(&["list"]).contains(summary));
    }
}

#[test]
fn colours_follow_the_flag_and_a_closed_pipe_is_quiet() {
    let world = World::new();
    let a = laptop(&world);
    assert!(!a.co(&["status"]).contains('\u{1b}'));
    assert!(a.co(&["status", "--color", "always"]).contains('\u{1b}'));
    assert_eq!(a.co(&["learn", "-q", "Quiet fact"]), "");
    for n in 0..60 {
        a.write(
            &format!("knowledge/memories/{:03}-p.md", 100 + n),
            &format!(
                "---\nid: {}\ncreated: 2026-01-01T00:00:{n:02}Z\n---\n\n{}\n",
                100 + n,
                "y".repeat(2000)
            ),
        );
    }
    let co = assert_cmd::cargo::cargo_bin("co").display().to_string();
    let script =
        format!("HOME={} {co} recall -n 60 y | head -1; echo ${{PIPESTATUS[0]}}", a.home.display());
    let output =
        std::process::Command::new("bash").args(["-c", &script]).output().expect("bash runs");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(String::from_utf8_lossy(&output.stdout).ends_with("0\n"));
}

#[test]
fn what_only_reads_does_not_say_that_nothing_was_changed() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", "Likes tea"]);
    a.co(&["learn", "Rows on Tuesdays"]);
    // Plain git can publish a number twice.
    let other = a.read(&a.file_of("Rows")).replace("Rows on Tuesdays", "Lives in Seattle");
    let other: String = other
        .lines()
        .filter(|line| !line.starts_with("checksum"))
        .map(|line| format!("{line}\n"))
        .collect();
    a.write("knowledge/memories/002-lives-in-seattle.md", &other);
    let of_two = a.fails(3, &["show", "2"]);
    insta::assert_snapshot!(whole(&of_two), @"
    error: `2` matches several facts
    hint: 2-2775  Lives in Seattle
    hint: 2-47e3  Rows on Tuesdays
    hint: name one by its handle
    ");
    for typed in ["2", "002", "mem-002", "mem-2", " 2 "] {
        let of_typed = of_two.replace("`2`", &format!("`{typed}`"));
        for verb in [&["show", typed][..], &["memory", "show", typed], &["log", typed]] {
            assert_eq!(a.fails(3, verb), of_typed, "{verb:?}");
        }
    }
    // A source that is refused, whether it is compared or imported.
    let outside = a.home.join("outside");
    fs::create_dir_all(outside.join("traits")).expect("a folder");
    std::os::unix::fs::symlink("/etc/hostname", outside.join("profile.md")).expect("a link");
    fs::write(a.home.join("text.tar.gz"), "no archive").expect("written");
    fs::write(a.home.join("text.zip"), "no archive").expect("written");
    for source in ["outside", "text.tar.gz", "text.zip"] {
        let source = a.home.join(source).display().to_string();
        let said = a.try_co(&["diff", &source]);
        assert_ne!(said.code, 0, "{source}: {}", said.out);
        assert!(!said.err.contains("nothing was changed"), "{source}: {}", said.err);
    }
}

#[test]
fn what_is_wider_than_the_screen_goes_on_below_where_it_began() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let long = [
        "https://example.org/a/very/long/path/that/never/ends/and/goes/on?with=query&and=more",
        "/usr/local/share/application/support/of/somebody/who/likes/deep/folders/file.txt",
        "git@github.com:an-organisation-with-a-long-name/a-repository-with-a-longer-name.git",
        "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ];
    for (at, word) in long.into_iter().enumerate() {
        a.co(&["learn", &format!("Look {word} up")]);
        let number = (at + 1).to_string();
        for columns in [40, 33] {
            for verb in [&["list"][..], &["show", &number], &["recall", "look"]] {
                let said = screen(&a, columns, verb, &[]);
                let of_co = |line: &&str| !line.starts_with("fact ") && !line.starts_with('~');
                for line in said.lines().filter(|line| !line.is_empty()).filter(of_co) {
                    assert!(line.starts_with("  "), "{columns} {verb:?}: {line:?} in\n{said}");
                    assert!(line.chars().count() <= usize::from(columns), "{line:?}");
                }
            }
            // Nothing of it is lost.
            let said = screen(&a, columns, &["show", &number], &[]);
            let joined: String = said.split_whitespace().collect();
            assert!(joined.contains(word), "{columns}: {said}");
        }
    }
}

/// Facts of different width, all wider than 80 columns and none than 90, each with another that
/// says nearly the same.
const WIDE: [[&str; 2]; 5] = [
    [
        "When a deployment fails on a Friday evening the rollback goes first, questions after",
        "When a deployment fails on a Friday evening the rollback goes first, questions later",
    ],
    [
        "我喜欢在早上喝乌龙茶和普洱茶下午喝咖啡晚上什么都不喝因为睡不着觉所以只喝水这是我的习惯",
        "我喜欢在早上喝乌龙茶和普洱茶下午喝咖啡晚上什么都不喝因为睡不着觉所以只喝水这是她的习惯",
    ],
    [
        "Reports go to https://reports.example.org/teams/platform/weekly?format=markdown&draft=1",
        "Reports go to https://reports.example.org/teams/platform/weekly?format=markdown&draft=2",
    ],
    [
        "Likes 🎉 in changelogs, 🚀 in release notes and 🐛 in commits, but none in answers of co",
        "Likes 🎉 in changelogs, 🚀 in release notes and 🐛 in commits, but none in answer to co",
    ],
    [
        "Spells cafe\u{301}, re\u{301}sume\u{301}, nai\u{308}ve, fac\u{327}ade, u\u{308}ber and \
         jalapen\u{303}o with accents in all that others read",
        "Spells cafe\u{301}, re\u{301}sume\u{301}, nai\u{308}ve, fac\u{327}ade, u\u{308}ber and \
         jalapen\u{303}o with accents in all that anyone reads",
    ],
];

/// What is typed, what is answered, how the row of a fact begins, and the column of its text.
type Look<'a> = (&'a [&'a str], &'a [(&'a str, &'a str)], &'a str, usize);

fn dense(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The rows of what begins with `start`, which wraps.
fn rows_of<'a>(shown: &'a str, start: &str) -> Vec<&'a str> {
    let mut rows = shown.lines().skip_while(|row| !row.contains(start));
    let first = rows.next().unwrap_or_else(|| panic!("{start:?}: {shown}"));
    let goes_on = |row: &&str| row.starts_with("      ");
    std::iter::once(first).chain(rows.take_while(goes_on)).collect()
}

#[test]
fn a_wide_fact_is_whole_and_stays_in_its_column() {
    for texts in WIDE {
        let world = World::new();
        let a = laptop(&world);
        let facts = texts.map(|text| {
            let id = a.json(&["learn", text])["data"]["id"].to_string();
            let content = a.json(&["show", &id])["data"]["content"].clone();
            dense(content.as_str().expect("a text"))
        });
        let opening = texts[0].split([' ', '早']).next().expect("a word");
        for width in [80, 40] {
            let looks: [Look<'_>; 3] = [
                (&["memory", "similar", "1"], &[], "   2  ", 12),
                (&["log", "1"], &[], "+ learned", if width == 80 { 37 } else { 6 }),
                (&["forget", opening], &[("Enter for none", "\r")], "2)", 14),
            ];
            for (words, answers, start, column) in looks {
                let shown = screen(&a, width, words, answers);
                let fact = if words[0] == "log" { &facts[0] } else { &facts[1] };
                let rows = rows_of(&shown, start);
                assert!(dense(&rows.concat()).contains(fact), "{words:?} {width}: {shown}");
                assert!(!shown.contains("...") && !shown.contains('…'), "{words:?}: {shown}");
                let indent = |row: &str| row.len() - row.trim_start().len();
                // Below the fact, the log says where it was learned.
                let text = rows[1..].iter().filter(|row| !row.contains("laptop"));
                for row in text.filter(|row| !row.contains("committed")) {
                    assert_eq!(indent(row), column, "{words:?} {width}: {shown}");
                }
            }
            let shown = screen(&a, width, &["log"], &[]);
            let rows = rows_of(&shown, "o1");
            let column = if width == 80 { 35 } else { 8 };
            assert!(dense(&rows.concat()).contains(opening), "{width}: {shown}");
            for row in &rows[1..] {
                assert!(row.starts_with(&" ".repeat(column)), "{width}: {shown}");
            }
            // At 40 columns it has the room that it has in a list.
            let is_whole = dense(&rows.concat()).contains(&facts[0]);
            assert!(is_whole || width == 40, "{width}: {shown}");
        }
        // A pipe gets what it always got.
        let piped = a.co(&["memory", "similar", "1"]);
        assert_eq!(piped.contains("..."), texts[1].chars().count() > 80, "{piped}");
        assert_eq!(piped.lines().count(), 1, "{piped}");
    }
}
