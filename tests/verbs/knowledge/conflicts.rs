//! Two laptops edit the same document or other file: the newer edit of a line stays, whoever syncs
//! first, and the other one is named.

use crate::support::{
    Laptop, World,
    pair::{assert_agree, pair, sync},
};
use std::{
    fs::File,
    time::{Duration, SystemTime},
};

/// Writes a file as if so many minutes ago.
fn write(laptop: &Laptop, path: &str, text: &str, minutes_ago: u64) {
    laptop.write(path, text);
    let at = SystemTime::now() - Duration::from_secs(60 * minutes_ago);
    let file = File::options().write(true).open(laptop.identity().join(path)).expect("opened");
    file.set_modified(at).expect("a time");
}

/// The texts are such that the larger is the older one in half of the cases.
#[test]
fn the_newer_edit_of_a_line_stays_whoever_syncs_first() {
    const LINE: &str = "Meet at the old bridge.\n";
    let plain = |line: &str| format!("# Walk\n\nBring water.\n\n{line}\nBring a map.\n");
    let labelled = |line: &str| format!("---\ntitle: Walk\n---\n\n{}", plain(line));
    let stamped =
        |line: &str| format!("---\nupdated: 2026-01-02T10:00:00Z\n---\n\n{}", plain(line));
    let status = |line: &str| format!("---\nstatus: {line}---\n\n# Walk\n\nBring water.\n");
    let profile = |line: &str| format!("# Profile\n\n## Identity\n\n- City: {line}");
    type Form<'a> = (&'a str, &'a dyn Fn(&str) -> String);
    let forms: &[Form<'_>] = &[
        ("knowledge/walk.md", &plain),
        ("knowledge/projects/x/walk.md", &labelled),
        ("knowledge/stamped.md", &stamped),
        ("knowledge/status.md", &status),
        ("profile.md", &profile),
    ];
    for older_is_larger in [true, false] {
        for a_is_newer in [true, false] {
            let world = World::new();
            let (a, b) = pair(&world);
            for (path, form) in forms {
                write(&a, path, &form(LINE), 600);
            }
            sync(&[&a, &b]);
            let (mut older, mut newer) = ("zz the older\n", "aa the newer\n");
            if !older_is_larger {
                (older, newer) = ("aa the older\n", "zz the newer\n");
            }
            let (first, second) = if a_is_newer { (&b, &a) } else { (&a, &b) };
            for (path, form) in forms {
                write(first, path, &form(older), 60);
                write(second, path, &form(newer), 30);
            }
            // The one who wrote first syncs last: the time of the commit says the opposite.
            let said = sync(&[second, first, second]);
            assert_agree(&[&a, &b]);
            for (path, _) in forms {
                let text = a.read(path);
                assert!(text.contains(newer.trim()), "{path}: {text}\n{said}");
                assert!(!text.contains(older.trim()), "{path}: {text}");
            }
            assert!(said.contains("there, newer; yours is in commit"), "{said}");
            // The other one takes the merge in, and hears the same.
            let told = |words: &str| said.matches(words).count();
            let yours = told("there, newer; yours is in commit");
            assert_eq!(told("here, newer; theirs is in commit"), yours, "{said}");
        }
    }
}

#[test]
fn what_does_not_overlap_is_merged_beside_what_does() {
    let world = World::new();
    let (a, b) = pair(&world);
    let base = "# Plan\n\none\n\ntwo\n\nthree\n\nfour\n\nfive\n";
    write(&a, "knowledge/plan.md", base, 600);
    sync(&[&a, &b]);
    let older = base.replace("one", "one by a").replace("three", "zz by a").replace("five\n", "");
    let newer = base.replace("three", "aa by b").replace("two", "two by b") + "\nsix by b\n";
    write(&a, "knowledge/plan.md", &older, 60);
    write(&b, "knowledge/plan.md", &newer, 30);
    let said = sync(&[&a, &b, &a]);
    assert_agree(&[&a, &b]);
    let text = a.read("knowledge/plan.md");
    for part in ["one by a", "two by b", "aa by b", "four", "six by b"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("zz by a"), "{text}");
    // What was dropped is in the commit that is named.
    let commit = said.split("theirs is in commit ").nth(1).expect("named").split(')').next();
    let commit = commit.expect("a commit");
    assert!(a.git(&["show", &format!("{commit}:knowledge/plan.md")]).contains("zz by a"), "{said}");
}

#[test]
fn lines_that_both_add_in_one_place_all_stay() {
    let world = World::new();
    let (a, b) = pair(&world);
    write(&a, "knowledge/journal/day.md", "# Day\n\n- woke up\n", 600);
    sync(&[&a, &b]);
    write(&a, "knowledge/journal/day.md", "# Day\n\n- woke up\n- zz tea with Ann\n", 60);
    write(&b, "knowledge/journal/day.md", "# Day\n\n- woke up\n- aa call with Bo\n- ran\n", 30);
    // Created on both, as daily notes are.
    write(&a, "knowledge/journal/next.md", "# Next\n\n- zz tea again\n", 60);
    write(&b, "knowledge/journal/next.md", "# Next\n\n- aa call again\n", 30);
    let said = sync(&[&a, &b, &a, &b]);
    assert_agree(&[&a, &b]);
    let (day, next) = (a.read("knowledge/journal/day.md"), a.read("knowledge/journal/next.md"));
    assert_eq!(day, "# Day\n\n- woke up\n- zz tea with Ann\n- aa call with Bo\n- ran\n");
    assert_eq!(next, "# Next\n\n- zz tea again\n- aa call again\n");
    assert!(!said.contains("newer"), "{said}");
}

#[test]
fn two_documents_of_one_name_have_the_newer_text_and_the_other_is_named() {
    let world = World::new();
    let (a, b) = pair(&world);
    write(&a, "knowledge/ideas.md", "aa A garden, with beds for herbs.\n", 30);
    write(&b, "knowledge/ideas.md", "zz A boat, and all that it needs.\n", 60);
    let said = sync(&[&a, &b, &a]);
    assert_agree(&[&a, &b]);
    assert!(a.read("knowledge/ideas.md").contains("garden"), "{said}");
    assert!(said.contains("there, newer; yours is in commit"), "{said}");
    // An undo of the merge brings back what it dropped.
    assert!(!b.texts().contains("boat"));
    b.co(&["undo", "--yes"]);
    assert!(b.texts().contains("boat"), "{}", b.texts());
}

#[test]
fn a_commit_of_plain_git_is_as_old_as_its_author_says() {
    for a_is_newer in [true, false] {
        let world = World::new();
        let (a, b) = pair(&world);
        write(&a, "knowledge/plan.md", "# Plan\n\none\n", 600);
        sync(&[&a, &b]);
        let by_git = |laptop: &Laptop, text: &str, hour: u32| {
            laptop.write("knowledge/plan.md", text);
            let date = format!("2026-11-20T{hour:02}:00:00Z");
            laptop.git(&["add", "-A"]);
            laptop.git(&["commit", "-qm", "by hand", "--date", &date]);
        };
        let (at_a, at_b) = if a_is_newer { (17, 9) } else { (9, 17) };
        by_git(&a, "# Plan\n\nby a\n", at_a);
        by_git(&b, "# Plan\n\nby b\n", at_b);
        sync(&[&a, &b, &a]);
        assert_agree(&[&a, &b]);
        let wanted = if a_is_newer { "by a" } else { "by b" };
        assert!(a.read("knowledge/plan.md").contains(wanted), "{wanted}");
    }
}

/// A document as a sync names it.
fn named_by_sync(path: &str) -> &str {
    path.strip_prefix("knowledge/").map_or(path, |below| below.trim_end_matches(".md"))
}

type OtherFile<'a> = (&'a str, &'a dyn Fn(&str) -> String);

/// The values are such that the larger is the older one in half of the cases.
#[test]
fn the_newer_line_stays_in_other_text_files_too() {
    let files: &[OtherFile<'_>] = &[
        ("knowledge/k.yaml", &|size| format!("name: x\nsize: {size}\nlast: y\n")),
        ("knowledge/data/k.yml", &|size| format!("---\nsize: {size}\n")),
        ("knowledge/m.json", &|size| format!("{{\n  \"name\": \"x\",\n  \"size\": {size}\n}}\n")),
        ("knowledge/one.json", &|size| format!("{{\"size\": {size}}}")),
        ("knowledge/m.csv", &|size| format!("name,size\r\nx,{size}\r\ny,1\r\n")),
        ("knowledge/t.toml", &|size| format!("[box]\nsize = {size}\n")),
        ("knowledge/x.txt", &|size| format!("size: {size}")),
        ("notes/plan.md", &|size| format!("# Plan\n\n- Size: {size}\n")),
    ];
    for (older, newer) in [("2", "99999"), ("99999", "2")] {
        for a_is_newer in [true, false] {
            let world = World::new();
            let (a, b) = pair(&world);
            files.iter().for_each(|(path, text)| write(&a, path, &text("1"), 600));
            sync(&[&a, &b]);
            let (first, second) = if a_is_newer { (&b, &a) } else { (&a, &b) };
            for (path, text) in files {
                write(first, path, &text(older), 60);
                write(second, path, &text(newer), 30);
            }
            let before = first.tree().len();
            let said = sync(&[second, first, second]);
            assert_agree(&[&a, &b]);
            for (path, text) in files {
                assert_eq!(a.read(path), text(newer), "{path}\n{said}");
                assert!(
                    said.contains(&format!("{} (edited on both laptops)", named_by_sync(path))),
                    "{said}"
                );
            }
            // Nothing but the questions has come.
            assert_eq!(first.tree().len(), before + 1, "{said}");
            assert_eq!(said.matches("there, newer; yours is in commit").count(), files.len());
            assert!(!said.contains("set on both laptops"), "{said}");
            // An undo of the merge brings back what it dropped.
            first.co(&["undo", "--yes"]);
            assert_eq!(first.read("knowledge/k.yaml"), (files[0].1)(older));
        }
    }
}

#[test]
fn parts_of_a_file_are_merged_unless_that_breaks_its_format() {
    let files = [
        ("m.json", "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}\n", "  \"z\": VALUE,\n", "  \"c\""),
        ("k.yaml", "a: 1\nb: 2\nc: 3\n", "z: VALUE\n", "c: 3"),
        ("t.toml", "a = 1\nb = 2\nc = 3\n", "z = VALUE\n", "c = 3"),
        ("m.csv", "a,1\nb,2\nc,3\n", "z,VALUE\n", "c,3"),
        ("x.txt", "a 1\nb 2\nc 3\n", "z VALUE\n", "c 3"),
    ];
    for a_is_newer in [true, false] {
        let world = World::new();
        let (a, b) = pair(&world);
        let apart = |name: &str| format!("knowledge/apart-{name}");
        let twice = |name: &str| format!("knowledge/twice-{name}");
        for (name, base, ..) in &files {
            write(&a, &apart(name), base, 600);
            write(&a, &twice(name), base, 600);
        }
        sync(&[&a, &b]);
        let (first, second) = if a_is_newer { (&b, &a) } else { (&a, &b) };
        let upper = |base: &str, line: &str| base.replacen('a', &format!("{line}a"), 1);
        for (name, base, ..) in &files {
            write(first, &apart(name), &base.replacen('1', "10", 1), 60);
            write(second, &apart(name), &base.replacen('3', "30", 1), 30);
        }
        for (name, base, line, last) in &files {
            // The same key before the first line, and before the last one.
            let (older, newer) = (line.replace("VALUE", "7"), line.replace("VALUE", "8"));
            let top = if *name == "m.json" {
                base.replacen("{\n", &format!("{{\n{older}"), 1)
            } else {
                upper(base, &older)
            };
            write(first, &twice(name), &top, 60);
            write(second, &twice(name), &base.replacen(last, &format!("{newer}{last}"), 1), 30);
        }
        let said = sync(&[second, first, second]);
        assert_agree(&[&a, &b]);
        for (name, base, line, last) in &files {
            let merged = base.replacen('1', "10", 1).replacen('3', "30", 1);
            assert_eq!(a.read(&apart(name)), merged, "{name}: {said}");
            let newer = line.replace("VALUE", "8");
            let whole = base.replacen(last, &format!("{newer}{last}"), 1);
            let is_of_lines = name.ends_with(".csv") || name.ends_with(".txt");
            let text = a.read(&twice(name));
            assert_eq!(text.contains(&line.replace("VALUE", "7")), is_of_lines, "{name}: {text}");
            assert_eq!(text == whole, !is_of_lines, "{name}: {text}");
        }
        // The older text of each of the other three is next to it, and named.
        assert_eq!(said.matches("there, newer; yours is now twice-").count(), 3, "{said}");
        assert_eq!(said.matches("here, newer; theirs is now twice-").count(), 3, "{said}");
        let copies = a.tree().into_iter().filter(|(path, bytes)| {
            path.starts_with("knowledge/twice-") && String::from_utf8_lossy(bytes).contains('7')
        });
        assert_eq!(copies.count(), 5, "{said}");
        assert!(said.contains("twice-m.json (edited on both laptops)"), "{said}");
    }
}

#[test]
fn what_cannot_be_merged_is_kept_twice_with_the_newer_in_its_place() {
    let files = ["attachments/scan.bin", "knowledge/blob.dat", "knowledge/list.csv"];
    for (older, newer) in [("aa\0 older", "zz\0 newer"), ("zz\0 older", "aa\0 newer")] {
        for a_is_newer in [true, false] {
            let world = World::new();
            let (a, b) = pair(&world);
            let (first, second) = if a_is_newer { (&b, &a) } else { (&a, &b) };
            for path in files {
                write(first, path, older, 60);
                write(second, path, newer, 30);
            }
            let said = sync(&[second, first, second]);
            assert_agree(&[&a, &b]);
            for path in files {
                assert_eq!(a.read(path), newer, "{path}: {said}");
            }
            let is_older = |(_, bytes): &(String, Vec<u8>)| bytes.as_slice() == older.as_bytes();
            assert_eq!(a.tree().into_iter().filter(is_older).count(), files.len(), "{said}");
            assert_eq!(said.matches("there, newer; yours is now").count(), files.len(), "{said}");
        }
    }
}

/// What a text with this word in it says about when it was written.
fn updated(word: &str) -> &'static str {
    match word {
        "home" => "2025-01-01T00:00:00Z",
        word if word.ends_with("bridge") => "2025-03-01T00:00:00Z",
        _ => "2025-05-01T00:00:00Z",
    }
}

/// The texts are such that the larger is the older one in half of the cases.
#[test]
fn the_laptop_that_only_takes_a_merge_in_hears_what_was_dropped_of_its_text() {
    let files: &[OtherFile<'_>] = &[
        ("knowledge/walk.md", &|word| format!("# Walk\n\nBring water.\n\nMeet at {word}.\n")),
        ("knowledge/labelled.md", &|word| format!("---\ntitle: T\n---\n\nMeet at {word}.\n")),
        ("knowledge/k.yaml", &|word| format!("name: x\nplace: {word}\nlast: y\n")),
        ("knowledge/m.csv", &|word| format!("name,place\r\nx,{word}\r\n")),
        ("knowledge/x.txt", &|word| format!("place: {word}")),
        ("notes/plan.md", &|word| format!("# Plan\n\n- one\n\nAt {word}\n\n- two\n")),
        ("knowledge/stamped.md", &|word| {
            format!("---\nupdated: {}\n---\n\nMeet at {word}.\n", updated(word))
        }),
        ("knowledge/status.md", &|word| format!("---\nstatus: {word}\n---\n\nBring water.\n")),
        ("knowledge/both.md", &|word| {
            format!("---\nupdated: {}\nplace: {word}\n---\n\nA walk.\n", updated(word))
        }),
    ];
    for (older, newer) in [("aa-bridge", "zz-station"), ("zz-bridge", "aa-station")] {
        for older_merges in [false, true] {
            let world = World::new();
            let (a, b) = pair(&world);
            files.iter().for_each(|(path, text)| write(&a, path, &text("home"), 600));
            write(&a, "knowledge/alone.md", "# Alone\n\none\n", 600);
            sync(&[&a, &b]);
            for (path, text) in files {
                // Where the texts say when they were written, the files' times say the opposite.
                let ages = if text(older).contains("updated: ") { [20, 40] } else { [60, 30] };
                write(&a, path, &text(older), ages[0]);
                write(&b, path, &text(newer), ages[1]);
            }
            // Only one of them wrote this.
            write(&b, "knowledge/alone.md", "# Alone\n\ntwo\n", 30);
            let (merges, follows) = if older_merges { (&a, &b) } else { (&b, &a) };
            sync(&[follows, merges]);
            let published = follows.git(&["rev-parse", "HEAD"]);
            let said = follows.co(&["sync"]);
            let told = said.matches("there, newer; yours is in commit").count();
            let wanted = if older_merges { 0 } else { files.len() };
            assert_eq!(told, wanted, "{older_merges}: {said}");
            assert!(!said.contains("alone (edited on both laptops)"), "{said}");
            assert_agree(&[&a, &b]);
            if older_merges {
                let told = said.matches("here, newer; theirs is in commit").count();
                assert_eq!(told, files.len(), "{said}");
                continue;
            }
            assert!(said.contains(&format!("yours is in commit {}", &published[..10])), "{said}");
            for (path, text) in files {
                assert_eq!(a.read(path), text(newer), "{path}");
                assert!(
                    said.contains(&format!("{} (edited on both laptops)", named_by_sync(path))),
                    "{said}"
                );
                let named = format!("{}:{path}", &published[..10]);
                assert!(a.git(&["show", &named]).contains(older), "{path}");
            }
        }
    }
}

#[test]
fn what_a_merge_elsewhere_kept_of_a_text_is_not_told_as_dropped() {
    let world = World::new();
    let (a, b) = pair(&world);
    let base = "# Plan\n\none\n\ntwo\n\nthree\n";
    write(&a, "knowledge/plan.md", base, 600);
    sync(&[&a, &b]);
    // Here the newer text is the one that is not merged here, and both sides add to it.
    write(&a, "knowledge/plan.md", &base.replace("two", "two by a").replace("one", "1 by a"), 30);
    write(&b, "knowledge/plan.md", &base.replace("two", "two by b").replace("three", "3 by b"), 60);
    sync(&[&a, &b]);
    let said = a.co(&["sync"]);
    let text = a.read("knowledge/plan.md");
    assert!(["1 by a", "two by a", "3 by b"].iter().all(|part| text.contains(part)), "{text}");
    assert!(!said.contains("yours is in commit"), "{said}");
    assert_agree(&[&a, &b]);
}
