//! Two laptops edit the same document: the newer edit of a line stays, whoever syncs first, and the
//! other one is named.

use crate::support::{
    Laptop, World,
    pair::{assert_agree, pair},
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

fn sync(laptops: &[&Laptop]) -> String {
    laptops.iter().map(|laptop| laptop.co(&["sync"])).collect()
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
            assert!(!said.contains("here, newer; theirs is in commit"), "{said}");
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
