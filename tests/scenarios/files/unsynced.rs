//! Files that stay on this laptop because a rule ignores them or a sync held them back: every verb
//! that reports the state names them, and none claims that everything is pushed.

use crate::support::{Laptop, World, pair::pair, tokens::token};
use std::{fs, os::unix::fs::PermissionsExt};

/// Files of rules that ignore one and the same file.
const RULES: [(&str, &str); 5] = [
    (".gitignore", "*santa*\n"),
    (".gitignore", "# mine\nknowledge/people/\n"),
    ("knowledge/.gitignore", "people/*\n"),
    ("knowledge/people/.gitignore", "*\n"),
    (".gitignore", "/knowledge/people/santa.md\n"),
];
const STAYS: &str = "knowledge/people/santa.md stays on this laptop";

#[test]
fn doctor_and_status_name_them_and_what_status_says_is_true() {
    for (file, rule) in RULES {
        let world = World::new();
        let (a, _) = pair(&world);
        a.write(file, rule);
        a.co(&["sync"]);
        assert!(a.co(&["status"]).contains("everything is committed and pushed"), "{rule}");
        assert!(!a.try_co(&["doctor"]).out.contains("stays on this laptop"), "{rule}");
        a.write("knowledge/people/santa.md", "Sarah is santa.\n");
        a.co(&["sync"]);
        let status = a.co(&["status"]);
        assert!(status.contains("everything else is committed and pushed"), "{rule}: {status}");
        assert!(!status.contains("everything is"), "{rule}: {status}");
        assert!(status.contains(STAYS), "{rule}: {status}");
        let doctor = a.try_co(&["doctor"]).out;
        assert!(doctor.contains(STAYS) && doctor.contains("remove or narrow"), "{rule}: {doctor}");
        assert!(!doctor.contains("everything works"), "{rule}: {doctor}");
        // Without the rule, the next sync takes it along.
        fs::remove_file(a.identity().join(file)).expect("removed");
        a.co(&["sync"]);
        assert!(a.co(&["status"]).contains("everything is committed and pushed"), "{rule}");
        assert!(!a.try_co(&["doctor"]).out.contains("stays on this laptop"), "{rule}");
    }
}

#[test]
fn init_names_them_with_a_remote_and_without_each_time() {
    for with_remote in [true, false] {
        let world = World::new();
        let (remote, a) = (world.remote(), world.laptop("a"));
        a.write(".gitignore", "*santa*\n");
        a.write("profile.md", "---\nname: Bin\n---\n");
        a.write("knowledge/people/santa.md", "Sarah is santa.\n");
        let mut arguments = vec!["init", "--yes"];
        if with_remote {
            arguments.extend(["--remote", &remote]);
        }
        for _ in 0..2 {
            let said = a.try_co(&arguments);
            assert_eq!(said.code, 0, "{}", said.err);
            assert_eq!(said.err.matches(STAYS).count(), 1, "{}", said.err);
        }
        let status = a.co(&["status"]);
        assert!(status.contains("everything else is committed"), "{status}");
    }
}

#[test]
fn a_comparison_with_the_remote_or_the_last_commit_names_them() {
    for (file, rule) in RULES {
        let world = World::new();
        let (a, b) = pair(&world);
        b.co(&["learn", "Learned on b"]);
        b.co(&["sync"]);
        let with = ["diff", "origin"];
        assert!(!a.try_co(&with).err.contains("stays on this laptop"), "{rule}");
        a.write(file, rule);
        a.write("knowledge/people/santa.md", "Sarah is santa.\n");
        // Before a sync has named it, and after.
        for _ in 0..2 {
            for arguments in [&with[..], &["diff", "origin", "--stat"], &["diff"]] {
                let said = a.try_co(arguments);
                assert_eq!(said.code, 0, "{arguments:?} {rule}: {}", said.err);
                assert_eq!(said.err.matches(STAYS).count(), 1, "{arguments:?}: {}", said.err);
            }
            a.co(&["sync"]);
        }
        // In the words of status.
        let said = a.try_co(&with).err;
        let line = said.lines().find(|line| line.contains(STAYS)).expect("it is named");
        let sentence = line.trim_start_matches("warning: ");
        let status = a.co(&["status"]);
        assert!(status.contains(sentence), "{sentence}: {status}");
    }
}

#[test]
fn many_are_counted_and_check_names_them() {
    let world = World::new();
    let (a, _) = pair(&world);
    a.write(".gitignore", "knowledge/people/p*\n");
    for number in 1..=5 {
        a.write(&format!("knowledge/people/p{number}.md"), "Somebody.\n");
    }
    for verb in [&["status"][..], &["doctor"], &["diff", "origin"], &["diff"]] {
        let said = a.try_co(verb);
        let said = format!("{} {}", said.out, said.err);
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(said.matches("stays on this laptop").count(), 3, "{said}");
        assert!(said.contains("and 2 more: `co check` names them"), "{said}");
    }
    assert_eq!(a.try_co(&["check"]).out.matches("[ignored]").count(), 5);
}

/// Each file or folder is named by every verb that reports the state, by a sync only once.
fn is_named(a: &Laptop, path: &str, rule: &str) {
    let first = a.try_co(&["sync"]);
    assert_eq!(first.code, 0, "{path}: {}", first.err);
    let again = a.try_co(&["sync"]).err;
    let init = a.try_co(&["init", "--yes"]).err;
    let all = [
        ("sync", first.err),
        ("status", a.co(&["status"])),
        ("check", a.try_co(&["check"]).out),
        ("doctor", a.try_co(&["doctor"]).out),
        ("init", init),
    ];
    for (verb, said) in all {
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains("on this laptop"), "{verb} {path}: {said}");
        assert!(said.contains(path) && said.contains(rule), "{verb} {path} {rule}: {said}");
    }
    assert!(!again.contains(path), "{path}: {again}");
}

#[test]
fn an_ignored_file_of_any_kind_is_named_with_its_rule() {
    for (path, line) in [
        ("knowledge/plan-secret.pdf", 1),
        ("top-secret.txt", 1),
        ("top-secret.md", 1),
        ("private.md", 2),
        ("knowledge/attachments-secret.csv", 1),
        ("notes/secret.md", 1),
        ("drafts/only.txt", 3),
        ("Makefile-secret", 1),
    ] {
        let world = World::new();
        let (a, _) = pair(&world);
        a.write(".gitignore", "*secret*\nprivate.md\ndrafts/\n");
        a.write(path, "Mine.\n");
        is_named(&a, path, &format!(".gitignore:{line} ("));
    }
}

#[test]
fn rules_outside_the_identity_are_named_as_well() {
    for path in ["plan.pdf", "knowledge/plan.csv", "notes/plan.txt", "plan.md", "x/y/plan"] {
        let world = World::new();
        let (a, _) = pair(&world);
        let info = a.identity().join(".git/info");
        fs::create_dir_all(&info).expect("created");
        fs::write(info.join("exclude"), "plan*\n").expect("written");
        a.write(path, "Mine.\n");
        is_named(&a, path, "exclude:1 (`plan*`)");
    }
}

#[test]
fn an_ignored_folder_is_named_once_with_the_number_of_its_files() {
    for (rule, files, said) in [
        ("notes/\n", &["notes/a.txt", "notes/b.md", "notes/c/d.pdf"][..], "3 files in notes/"),
        ("/knowledge/people\n", &["knowledge/people/a.md", "knowledge/people/b.csv"], "people/"),
        ("deep\n", &["x/deep/a.txt", "x/deep/y/b.txt"], "2 files in x/deep/"),
        ("x/*\n", &["x/deep/a.txt", "x/deep/y/b.txt"], "2 files in x/deep/"),
        ("*secret*\n", &["secret-plans/a.txt", "secret-plans/b.txt"], "2 files in secret-plans/"),
    ] {
        let world = World::new();
        let (a, _) = pair(&world);
        a.write(".gitignore", rule);
        for file in files {
            a.write(file, "Mine.\n");
        }
        is_named(&a, said, ".gitignore:1 (");
        let check = a.try_co(&["check"]).out;
        assert_eq!(check.matches("[ignored]").count(), 1, "{rule}: {check}");
        assert_eq!(
            check.matches(&format!("{} files in ", files.len())).count(),
            1,
            "{rule}: {check}"
        );
        let check = a.try_co(&["check", files[0]]).out;
        assert!(check.contains("[ignored]"), "{rule}: {check}");
    }
}

#[test]
fn files_of_one_folder_are_named_with_the_rule_that_ignores_each() {
    let all = ["drafts/a.dat", "drafts/b.dat", "drafts/c.txt", "drafts/d/e.dat", "drafts/d/f.txt"];
    for (own, outside, said) in [
        // Rules of the identity, and of its repository.
        (
            "*.dat\n",
            "drafts/\n",
            &[
                "a.dat .gitignore:1",
                "b.dat .gitignore:1",
                "e.dat .gitignore:1",
                "2 files exclude:1",
            ][..],
        ),
        ("drafts/\n", "*.dat\n", &["5 files .gitignore:1"]),
        ("", "drafts/\n*.dat\n", &["5 files exclude:1"]),
        ("drafts/\n", "d\n", &["5 files .gitignore:1"]),
        ("b.dat\n", "drafts\n", &["b.dat .gitignore:1", "4 files exclude:1"]),
        (
            "*.dat\n*.txt\n",
            "",
            &[
                "a.dat .gitignore:1",
                "b.dat .gitignore:1",
                "c.txt .gitignore:2",
                "e.dat .gitignore:1",
                "f.txt .gitignore:2",
            ],
        ),
    ] {
        let world = World::new();
        let (a, _) = pair(&world);
        let info = a.identity().join(".git/info");
        fs::create_dir_all(&info).expect("created");
        fs::write(info.join("exclude"), outside).expect("written");
        if !own.is_empty() {
            a.write(".gitignore", own);
        }
        for file in all {
            a.write(file, "Mine.\n");
        }
        let check = a.try_co(&["check"]).out;
        let words = check.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(check.matches("[ignored]").count(), said.len(), "{own:?} {outside:?}: {check}");
        for one in said {
            let (file, rule) = one.rsplit_once(' ').expect("a rule");
            let is_named = words.split("[ignored]").any(|sentence| {
                let stays = sentence.split_once("stay").filter(|(name, _)| name.contains(file));
                stays.is_some_and(|(_, why)| why.contains(&format!("{rule} (")))
            });
            assert!(is_named, "{one}: {check}");
        }
    }
}

#[test]
fn what_is_usually_ignored_is_not_named() {
    let world = World::new();
    let (a, _) = pair(&world);
    a.co(&["sync"]);
    a.write(".gitignore", "*\n");
    for path in [
        "build/out.txt",
        "tools/node_modules/left/index.js",
        "target/debug/co",
        ".venv/bin/python",
        "x/__pycache__/a.pyc",
        "notes/.cache/a.txt",
        ".DS_Store",
        "notes/a.txt.swp",
        "notes/a.txt~",
        ".co-note",
        ".obsidian/workspace.json",
    ] {
        a.write(path, "x\n");
        for verb in [&["sync"][..], &["status"], &["check"], &["doctor"]] {
            let said = a.try_co(verb);
            let said = format!("{} {}", said.out, said.err);
            assert!(!said.contains("on this laptop:"), "{path} {verb:?}: {said}");
        }
    }
    a.write("mine.txt", "x\n");
    assert!(a.co(&["status"]).contains("mine.txt stays on this laptop"));
}

#[test]
fn a_file_that_was_held_back_is_not_everything_either() {
    let world = World::new();
    let (a, _) = pair(&world);
    let token = token();
    a.write("knowledge/people/sarah.md", &format!("Her token is {token}\n"));
    a.try_co(&["sync"]);
    let status = a.co(&["status"]);
    assert!(status.contains("held back"), "{status}");
    assert!(!status.contains("everything is committed"), "{status}");
}

#[test]
fn status_promises_nothing_for_files_that_stay_behind() {
    let world = World::new();
    let remote = world.remote();
    let a = world.laptop("a");
    a.co(&["init", "--yes", &remote]);
    a.write("traits/loud.md", "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n");
    assert!(a.co(&["status"]).contains("1 file to commit"));
    a.fails(6, &["sync"]);
    let status = a.co(&["status"]);
    assert!(status.contains("committed and pushed"), "{status}");
    assert!(status.contains("1 file held back: `co check` says why"), "{status}");
    assert!(a.co(&[]).contains("1 file held back"));
    // Changed again it may be mended: the next sync looks.
    a.write("traits/loud.md", "quiet\n");
    assert!(a.co(&["status"]).contains("1 file to commit"));
    a.co(&["sync"]);
    assert!(!a.co(&["status"]).contains("behind"));
}

/// What git's index holds and no commit does is seen by the next sync, whenever it was staged.
#[test]
fn what_is_staged_while_a_sync_pushes_is_committed_by_the_next() {
    for (script, path) in [
        ("echo Sarah >knowledge/new.md; git add knowledge/new.md", "knowledge/new.md"),
        ("mkdir -p traits; echo Calm. >traits/calm.md; git add traits/calm.md", "traits/calm.md"),
        ("echo more >>knowledge/old.md; git add knowledge/old.md", "knowledge/old.md"),
        ("git rm -q knowledge/old.md", "knowledge/old.md"),
        ("git mv knowledge/old.md knowledge/moved.md", "knowledge/moved.md"),
        ("mkdir -p attachments; echo x >attachments/a.bin; git add -A", "attachments/a.bin"),
    ] {
        let world = World::new();
        let (a, b) = pair(&world);
        a.write("knowledge/old.md", "Bin\n");
        a.co(&["sync"]);
        let hook = a.identity().join(".git/hooks/pre-push");
        let once = format!("#!/bin/sh\n[ -f .git/staged ] || {{ {script}; : >.git/staged; }}\n");
        fs::create_dir_all(hook.parent().expect("a folder")).expect("created");
        fs::write(&hook, once).expect("written");
        fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).expect("executable");
        a.co(&["learn", "Tea at five"]);
        a.co(&["sync"]);
        assert!(a.identity().join(".git/staged").exists(), "{script}");
        let status = a.co(&["status"]);
        assert!(!status.contains("everything is committed"), "{script}: {status}");
        a.co(&["sync"]);
        b.co(&["sync"]);
        let there = a.identity().join(path).exists();
        assert_eq!(b.identity().join(path).exists(), there, "{script}");
        if there {
            assert_eq!(b.read(path), a.read(path), "{script}");
        }
        assert!(a.co(&["status"]).contains("everything is committed and pushed"), "{script}");
    }
}
