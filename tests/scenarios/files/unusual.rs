//! What else can lie in the identity's folder: conflict copies, odd names, pipes and links, huge
//! files, and fields with values of any type. Each costs only itself.

use crate::support::{
    Laptop, World, git,
    pair::{assert_agree, pair},
};
use std::{fs, process::Command, time::Instant};

fn laptop(world: &World) -> Laptop {
    let a = world.laptop("a");
    a.co(&["init", "--yes", "--name", "Bin"]);
    a
}

fn published(world: &World) -> Laptop {
    let (remote, a) = (world.remote(), world.laptop("a"));
    a.co(&["init", "--yes", "--name", "Bin", "--remote", &remote]);
    a
}

fn codes(laptop: &Laptop) -> Vec<(String, String)> {
    let findings = laptop.json(&["identity", "check"]);
    let findings = findings["data"]["findings"].as_array().cloned().unwrap_or_default();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    findings.iter().map(|finding| (text(&finding["code"]), text(&finding["path"]))).collect()
}

fn has(found: &[(String, String)], code: &str, path: &str) -> bool {
    found.iter().any(|(c, p)| c == code && p == path)
}

fn fifo(path: &std::path::Path) {
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
}

#[test]
fn a_copy_is_folded_only_where_service_and_memory_are_certain() {
    let world = World::new();
    let a = laptop(&world);
    a.write("knowledge/people/anna.md", "# Anna\n\nLikes tea.\n");
    a.write("knowledge/people/anna 2.md", "# Anna\n\nAnother Anna, who likes coffee.\n");
    let conflicted = "knowledge/people/anna (conflicted copy 2026-11-20).md";
    a.write(conflicted, "# Anna\n\nA third text.\n");
    a.co(&["learn", "Prefers tea"]);
    let file = a.file_of("Prefers tea");
    let copy = file.replace(".md", " (Bins-MacBook's conflicted copy 2026-11-20).md");
    a.write(&copy, &a.read(&file).replace("Prefers tea", "Prefers green tea"));
    let other = "knowledge/memories/900-x (conflicted copy 2026-11-20).md";
    let fact = "---\nid: 9\ncreated: 2026-01-02T00:00:00.000001Z\n---\n\nNo copy of anything\n";
    a.write(other, fact);
    a.write("knowledge/memories/900-x.md", &fact.replace("01-02", "01-03").replace("No", "One"));
    let before = a.tree().len();
    a.try_co(&["identity", "check", "--fix"]);
    // Documents stay, all three; so does a memory that is none of the other's versions.
    assert!(a.read("knowledge/people/anna.md").contains("Likes tea"));
    assert!(a.read("knowledge/people/anna 2.md").contains("coffee"));
    assert!(a.read(conflicted).contains("A third text"));
    assert!(a.texts().contains("No copy of anything") && a.texts().contains("One copy"));
    // The copy of a memory became one with it or a memory of its own; no text is gone.
    assert!(!a.identity().join(&copy).exists());
    assert!(a.texts().contains("green tea"), "{}", a.texts());
    assert!(a.tree().len() <= before);
}

#[test]
fn a_sync_publishes_no_conflict_copy() {
    let world = World::new();
    let a = laptop(&world);
    a.co(&["learn", "Prefers tea"]);
    a.co(&["sync"]);
    let file = a.file_of("Prefers tea");
    let copy = file.replace(".md", " (Bins-MacBook's conflicted copy 2026-11-20).md");
    // Another text, or the same: what is in it goes nowhere before a person says so.
    for text in ["Prefers green tea", "Prefers tea"] {
        a.write(&copy, &a.read(&file).replace("Prefers tea", text));
        let said = a.fails(6, &["sync"]);
        assert!(said.contains("conflicted copy") && said.contains("held back"), "{said}");
        assert!(a.identity().join(&copy).exists());
        assert!(!a.git(&["ls-tree", "-r", "--name-only", "HEAD"]).contains("conflicted"));
        a.co(&["check", "--fix"]);
        a.co(&["sync"]);
        assert!(!a.identity().join(&copy).exists());
    }
    assert!(a.texts().contains("green tea"));
}

#[test]
fn a_conflict_copy_without_its_original_is_all_there_is() {
    let world = World::new();
    let (a, b) = (laptop(&world), world.laptop("b"));
    a.co(&["learn", "Prefers tea"]);
    a.co(&["learn", "Likes walks"]);
    a.co(&["identity", "remote", &world.remote()]);
    a.co(&["sync"]);
    b.co(&["init", "--yes", &world.remote()]);
    for (file, copy) in [
        (a.file_of("Prefers tea"), ".sync-conflict-20261120-093000-ABCDEFG.md"),
        ("profile.md".to_owned(), " (Bins-MacBook's conflicted copy 2026-11-20).md"),
    ] {
        let renamed = a.identity().join(file.replace(".md", copy));
        fs::rename(a.identity().join(&file), renamed).expect("renamed");
    }
    a.co(&["sync"]);
    b.co(&["sync"]);
    assert!(b.facts().contains(&"Prefers tea".to_owned()), "{:?}", b.facts());
    assert!(b.texts().contains("# Profile"));
}

#[test]
fn check_fix_leaves_a_copy_whose_original_is_a_link() {
    let world = World::new();
    let a = laptop(&world);
    let elsewhere = a.home.join("profile.md");
    fs::rename(a.identity().join("profile.md"), &elsewhere).expect("moved");
    std::os::unix::fs::symlink(&elsewhere, a.identity().join("profile.md")).expect("a link");
    let copy = "profile (conflicted copy 2026-11-20).md";
    a.write(copy, &format!("{}\n- Editor: helix\n", a.read("profile.md")));
    a.try_co(&["check", "--fix"]);
    assert!(a.texts().contains("helix") || a.read(copy).contains("helix"));
}

#[test]
fn the_merge_driver_merges_only_files_of_the_identity() {
    let world = World::new();
    let a = laptop(&world);
    a.co(&["hook", "install"]);
    a.write("notes/profile.md", "one\n");
    a.git(&["add", "-A"]);
    a.git(&["commit", "-qm", "notes"]);
    a.git(&["switch", "-qc", "other"]);
    a.write("notes/profile.md", "theirs\n");
    a.git(&["commit", "-qam", "theirs"]);
    a.git(&["switch", "-q", "-"]);
    a.write("notes/profile.md", "ours\n");
    a.git(&["commit", "-qam", "ours"]);
    a.git(&["merge", "--no-edit", "other"]);
    // No field of a profile: one text stays, as with sync, and the other is in the merge's history.
    let stays = a.read("notes/profile.md");
    assert!(["ours\n", "theirs\n"].contains(&stays.as_str()), "{stays}");
    assert!(a.git(&["show", "HEAD^1:notes/profile.md"]).contains("ours"));
    assert!(a.git(&["show", "HEAD^2:notes/profile.md"]).contains("theirs"));
}

#[test]
fn the_merge_driver_leaves_other_files_to_git() {
    let world = World::new();
    let a = laptop(&world);
    let project = world.path("project");
    fs::create_dir_all(project.join("identity")).expect("a folder");
    git(&project, &["init", "-q", "-b", "main"]);
    let driver = a.with_env("X", "y");
    let file = |name: &str, text: &str| {
        fs::write(project.join(name), text).expect("written");
        name.to_owned()
    };
    let (base, ours, theirs) =
        (file("b", "1\n2\n3\n4\n5\n"), file("o", "0\n2\n3\n4\n5\n"), file("t", "1\n2\n3\n4\n6\n"));
    // The identity lies elsewhere, in a repository of its own: this file is a project's.
    let nested = world.path("project/identity");
    let mut command = driver.command(&[
        "--identity",
        &nested.display().to_string(),
        "hook",
        "merge-driver",
        &base,
        &ours,
        &theirs,
        "7",
        "docs/profile.md",
    ]);
    let output = command.current_dir(&project).output().expect("co runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(fs::read_to_string(project.join("o")).expect("text"), "0\n2\n3\n4\n6\n");
}

#[test]
fn names_that_are_one_file_elsewhere_are_found_and_kept_apart() {
    let world = World::new();
    let a = published(&world);
    a.write("knowledge/people/caf\u{e9}.md", "composed\n");
    a.write("knowledge/people/cafe\u{301}.md", "decomposed\n");
    a.write("traits/Style.md", "capital\n");
    a.write("traits/style.md", "small\n");
    let found = codes(&a);
    assert_eq!(found.iter().filter(|(code, _)| code == "path-collision").count(), 2, "{found:?}");
    a.co(&["identity", "sync"]);
    let listed = git(
        &world.path("remote.git"),
        &["-c", "core.quotePath=false", "ls-tree", "-r", "--name-only", "main"],
    );
    let folded = |name: &str| name.to_lowercase().replace("e\u{301}", "\u{e9}");
    let mut names: Vec<String> = listed.lines().map(folded).collect();
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count, "{listed}");
    for text in ["composed", "decomposed", "capital", "small"] {
        assert!(a.texts().contains(text), "{text}");
    }
}

#[test]
fn two_laptops_with_names_that_differ_only_in_case_lose_nothing() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.write("knowledge/people/Anna.md", "from a\n");
    b.write("knowledge/people/anna.md", "from b\n");
    for laptop in [&a, &b, &a] {
        laptop.co(&["identity", "sync"]);
    }
    assert_agree(&[&a, &b]);
    assert!(a.texts().contains("from a") && a.texts().contains("from b"));
    let found = codes(&a);
    assert!(found.iter().all(|(code, _)| code != "path-collision"), "{found:?}");
}

#[test]
fn edit_checks_what_save_checks() {
    let world = World::new();
    let a = laptop(&world);
    a.co(&["learn", "Likes tea", "--tag", "drinks"]);
    let long = "x".repeat(2 << 20);
    assert_eq!(a.piped(&long, &["memory", "edit", "1", "-"]).code, 10);
    let markers = "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n";
    assert_eq!(a.piped(markers, &["memory", "edit", "1", "-"]).code, 2);
    a.co(&["memory", "edit", "1", "--tag", "a,b", "--tag", "", "--tag", "a", "--tag", "c #"]);
    let tags = a.json(&["memory", "show", "1"])["data"]["tags"].clone();
    assert_eq!(tags, serde_json::json!(["a", "b", "c #"]));
    a.co(&["memory", "edit", "1", "Likes green tea"]);
    let again = a.json(&["memory", "show", "1"]);
    assert_eq!(again["data"]["tags"], serde_json::json!(["a", "b", "c #"]));
    assert_eq!(codes(&a), vec![]);
}

#[test]
fn tags_keep_the_text_that_was_typed() {
    let world = World::new();
    let a = laptop(&world);
    let file = "knowledge/memories/001-x.md";
    let memory = |tags: &str| {
        format!("---\nid: 1\ncreated: 2026-01-02T00:00:00.000001Z\ntags: {tags}\n---\n\nA fact\n")
    };
    a.write(file, &memory("[y, 007, 1.10, null]"));
    let tags = || a.json(&["memory", "show", "1"])["data"]["tags"].clone();
    assert_eq!(tags(), serde_json::json!(["y", "007", "1.10", "null"]));
    a.co(&["learn", "A fact", "--tag", "new"]);
    assert_eq!(tags(), serde_json::json!(["y", "007", "1.10", "null", "new"]));
    // A list that co cannot read is a finding, and nothing writes over it.
    a.write(file, &memory("[a, {b: c}]"));
    assert!(has(&codes(&a), "field-type", file));
    let err = a.fails(2, &["learn", "A fact", "--tag", "newer"]);
    assert!(err.contains("[a, {b: c}]"), "{err}");
    a.fails(2, &["memory", "edit", "1", "--tag", "newer"]);
    assert!(a.read(file).contains("tags: [a, {b: c}]"));
}

#[test]
fn aliases_cost_nothing_and_are_named() {
    let world = World::new();
    let a = laptop(&world);
    let mut bomb = String::from("a: &a [x, x, x, x, x, x, x, x, x, x]\n");
    for (name, of) in
        ["b", "c", "d", "e", "f", "g", "h"].iter().zip(["a", "b", "c", "d", "e", "f", "g"])
    {
        bomb.push_str(&format!("{name}: &{name} [{}]\n", vec![format!("*{of}"); 10].join(", ")));
    }
    for n in 0..300 {
        let text = format!("---\nid: {n}\ncreated: 2026-01-02T00:00:00Z\n{bomb}---\n\nFact {n}\n");
        a.write(&format!("knowledge/memories/{n:03}-bomb.md"), &text);
    }
    let start = Instant::now();
    let listed = a.co(&["memory", "list"]);
    a.co(&["learn", "Still quick"]);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    // Carried as it is, and never followed.
    assert!(listed.contains("Fact 299"), "{listed}");
    assert!(!has(&codes(&a), "frontmatter-invalid", "knowledge/memories/000-bomb.md"));
}

#[test]
fn many_new_facts_need_few_open_files() {
    let world = World::new();
    let a = laptop(&world);
    let source = world.path("source/knowledge/memories");
    fs::create_dir_all(&source).expect("a folder");
    for n in 1..=400 {
        let text = format!("---\nid: {n}\ncreated: 2026-01-02T00:00:00.{n:06}Z\n---\n\nFact {n}\n");
        fs::write(source.join(format!("{n:03}-fact.md")), text).expect("written");
    }
    let co = assert_cmd::cargo::cargo_bin("co");
    let line = format!(
        "ulimit -n 64; exec {} identity import --yes {}",
        co.display(),
        world.path("source").display()
    );
    let output = a.command_of("sh", &["-c", &line]).output().expect("sh runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(a.facts().len(), 400);
}

#[test]
fn what_is_no_file_has_not_left() {
    let world = World::new();
    let a = published(&world);
    for fact in ["One", "Two", "Three", "Four", "Five"] {
        a.co(&["learn", fact]);
    }
    a.co(&["identity", "sync"]);
    let (pipe, folder) = (a.identity().join(a.file_of("One")), a.identity().join(a.file_of("Two")));
    fs::remove_file(&pipe).expect("removed");
    fifo(&pipe);
    fs::remove_file(&folder).expect("removed");
    fs::create_dir(&folder).expect("a folder");
    fs::write(folder.join("inside.md"), "inside\n").expect("written");
    let before = git(&world.path("remote.git"), &["ls-tree", "-r", "main"]);
    a.co(&["learn", "Six"]);
    a.try_co(&["identity", "sync"]);
    let after = git(&world.path("remote.git"), &["ls-tree", "-r", "main"]);
    for line in before.lines().filter(|line| line.contains("memories/")) {
        assert!(after.contains(line), "{line} left:\n{after}");
    }
    assert!(after.contains("six.md"), "{after}");
    let diff = a.co(&["identity", "diff"]);
    assert!(!diff.contains("One") && !diff.contains("Two"), "{diff}");
    assert_eq!(codes(&a).iter().filter(|(code, _)| code == "unreadable").count(), 2);
}

#[test]
fn a_pipe_as_profile_hangs_nothing() {
    let world = World::new();
    let a = laptop(&world);
    fs::remove_file(a.identity().join("profile.md")).expect("removed");
    fifo(&a.identity().join("profile.md"));
    let start = Instant::now();
    a.co(&["status"]);
    a.co(&["context"]);
    a.try_co(&["identity", "check"]);
    assert!(start.elapsed().as_secs() < 20);
}

#[test]
fn sizes_are_looked_at_before_reading() {
    let world = World::new();
    let (remote, a, b) = (world.remote(), world.laptop("a"), world.laptop("b"));
    a.co(&["init", "--yes", "--remote", &remote]);
    let huge = fs::File::create(a.identity().join("profile.md")).expect("created");
    huge.set_len(3 << 30).expect("a sparse file");
    let line =
        format!("ulimit -v 1500000; exec {} status", assert_cmd::cargo::cargo_bin("co").display());
    let output = a.command_of("sh", &["-c", &line]).output().expect("sh runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(has(&codes(&a), "too-large", "profile.md"));
    a.git(&["checkout", "--", "profile.md"]);
    // From a remote it is refused by the object's header, before anything is written.
    b.co(&["init", "--yes", &remote]);
    a.write("knowledge/big.md", &"x".repeat(9 << 20));
    a.git(&["add", "-A"]);
    a.git(&["commit", "-qm", "big"]);
    a.git(&["push", "-q", "origin", "HEAD"]);
    let err = b.fails(6, &["identity", "sync"]);
    assert!(err.contains("knowledge/big.md") && err.contains("8 MiB"), "{err}");
}

#[test]
fn every_verb_has_one_answer_for_a_linked_folder() {
    let world = World::new();
    let a = laptop(&world);
    a.co(&["learn", "Before"]);
    a.co(&["identity", "sync"]);
    let elsewhere = world.path("elsewhere");
    let memories = a.identity().join("knowledge/memories");
    fs::rename(&memories, &elsewhere).expect("moved");
    std::os::unix::fs::symlink(&elsewhere, &memories).expect("a link");
    a.fails(10, &["learn", "After"]);
    assert_eq!(a.facts(), Vec::<String>::new());
    a.fails(5, &["forget", "1"]);
    assert_eq!(fs::read_dir(&elsewhere).expect("a folder").count(), 1);
    assert!(codes(&a).iter().any(|(code, path)| code == "unreadable" && path.contains("memories")));
    // What was committed has not left.
    let said = a.try_co(&["identity", "sync"]);
    assert!(a.git(&["ls-tree", "-r", "--name-only", "HEAD"]).contains("before.md"), "{}", said.err);
}

#[test]
fn a_name_that_git_refuses_costs_only_its_file() {
    let world = World::new();
    let a = published(&world);
    a.write("knowledge/git~1", "odd\n");
    a.write("knowledge/back\\slash.md", "odd\n");
    a.co(&["learn", "Travels all the same"]);
    a.co(&["identity", "sync"]);
    a.co(&["identity", "diff"]);
    a.co(&["identity", "export", &world.path("x.tar.gz").display().to_string()]);
    a.co(&["identity", "undo", "o1"]);
    let found = codes(&a);
    assert!(has(&found, "bad-name", "knowledge/git~1"), "{found:?}");
    assert!(has(&found, "bad-name", "knowledge/back\\slash.md"), "{found:?}");
    assert!(a.identity().join("knowledge/git~1").exists());
}

#[test]
fn gits_own_files_neither_come_in_nor_travel() {
    let world = World::new();
    let a = published(&world);
    let source = world.path("source");
    for (path, text) in [("profile.md", "# P\n"), ("knowledge/.gitmodules", "[submodule \"x\"]\n")]
    {
        fs::create_dir_all(source.join(path).parent().expect("a folder")).expect("a folder");
        fs::write(source.join(path), text).expect("written");
    }
    let named = source.display().to_string();
    a.fails(6, &["identity", "import", "--yes", &named]);
    fs::remove_file(source.join("knowledge/.gitmodules")).expect("removed");
    git(&source, &["init", "-q", "--bare", "knowledge/bare"]);
    fs::write(source.join("knowledge/bare/objects/x"), "x").expect("written");
    fs::write(source.join("knowledge/bare/refs/x"), "x").expect("written");
    a.fails(6, &["identity", "import", "--yes", &named]);
    // Written here by hand it stays behind, and is named.
    a.write(".gitmodules", "[submodule \"x\"]\n");
    a.write("knowledge/bare/HEAD", "ref: refs/heads/main\n");
    a.write("knowledge/bare/objects/x", "x");
    a.write("knowledge/bare/refs/x", "x");
    a.fails(6, &["identity", "sync"]);
    let listed = git(&world.path("remote.git"), &["ls-tree", "-r", "--name-only", "main"]);
    assert!(!listed.contains("gitmodules") && !listed.contains("bare"), "{listed}");
    assert!(has(&codes(&a), "machine-state", ".gitmodules"));
}

#[test]
fn nothing_hidden_reaches_contexts_and_json() {
    let world = World::new();
    let a = laptop(&world);
    let odd = "tag\u{e0041}, turn\u{202e}, control\u{9b}2J";
    a.edit("knowledge/context.md", "# Learned\n", &format!("# Learned\n\n- {odd}\n"));
    a.co(&["learn", odd]);
    let hidden = |text: &str| {
        text.chars()
            .any(|c| matches!(c, '\u{9b}' | '\u{202e}') || ('\u{e0000}'..'\u{e0080}').contains(&c))
    };
    for arguments in [
        &["context"][..],
        &["context", "--format", "xml"],
        &["context", "--json"],
        &["memory", "list", "--json"],
        &["memory", "show", "1", "--json"],
        &["recall", "turn", "--json"],
    ] {
        let text = a.co(arguments);
        assert!(text.contains("turn") && !hidden(&text), "{arguments:?}: {text:?}");
    }
}

#[test]
fn words_count_only_in_text() {
    let world = World::new();
    let a = published(&world);
    let mut bytes = vec![0_u8; 4096];
    bytes.extend(b"password=Tr0ub4dor&3x api_key: q8ZrT2mVx7Kp4Ws9Lc3Y ");
    fs::create_dir_all(a.identity().join("attachments")).expect("a folder");
    fs::write(a.identity().join("attachments/a.bin"), &bytes).expect("written");
    a.co(&["identity", "sync"]);
    // A token is known by its own form, wherever it is.
    bytes.extend(format!("ghp_{}", "zQWm4Xc7Vb1Nn8Ty3k9Lp2Rs5Df6Gh0Jx1Ae").into_bytes());
    fs::write(a.identity().join("attachments/b.bin"), &bytes).expect("written");
    let again = a.try_co(&["identity", "sync"]);
    assert!(again.code == 0 || again.err.contains("b.bin"), "{}", again.err);
}

#[test]
fn the_selected_personality_is_followed_wherever_it_was_changed() {
    let world = World::new();
    let a = laptop(&world);
    let file = |front: &str, body: &str| {
        format!(
            "---\nversion: 1\nselected: {front}\nupdated: 2026-01-01T00:00:00Z\n---\n\n# \
             Personality\n\nSelected: {body}\n"
        )
    };
    a.write("personality.md", &file("calm", "calm"));
    a.co(&["identity", "sync"]);
    a.edit("personality.md", "selected: calm", "selected: brisk");
    // The context follows at once, the file with the next sync.
    let context = a.co(&["context"]);
    assert!(context.contains("Selected: brisk"), "{context}");
    a.co(&["identity", "sync"]);
    assert!(a.read("personality.md").contains("Selected: brisk"));
    a.edit("personality.md", "Selected: brisk", "Selected: warm");
    a.co(&["identity", "sync"]);
    assert!(a.read("personality.md").contains("selected: warm"), "{}", a.read("personality.md"));
}

#[test]
fn everything_has_a_checksum_after_a_sync() {
    let world = World::new();
    let a = published(&world);
    let hand = "---\nid: 1\ncreated: 2026-01-02T00:00:00.000001Z\n---\n\nBy hand\n";
    a.write("knowledge/memories/001-by-hand.md", hand);
    a.write("traits/new.md", "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n- x\n");
    a.co(&["identity", "sync"]);
    for (path, bytes) in a.tree() {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if path.ends_with(".md") && text.starts_with("---") {
            assert!(text.contains("checksum: sha256:"), "{path}: {text}");
        }
    }
    assert_eq!(codes(&a), vec![]);
    // What is damaged now is seen.
    let file = a.file_of("By hand");
    a.edit(&file, "By hand", "By Hand");
    assert!(has(&codes(&a), "checksum-mismatch", &file));
}

#[test]
fn bad_fields_are_said_and_bad_ids_come_last() {
    let world = World::new();
    let a = laptop(&world);
    a.edit("knowledge/context.md", "version: 1", "version: one");
    let said = a.try_co(&["context"]);
    assert!(said.err.contains("version: one"), "{}", said.err);
    a.co(&["learn", "First"]);
    a.write(
        "knowledge/memories/x.md",
        "---\nid: x\ncreated: 2026-01-02T00:00:00.1Z\n---\n\nNo id\n",
    );
    let twin = "---\nid: 1\ncreated: 2026-01-02T00:00:00.2Z\n---\n\nFirst twin\n";
    a.write("knowledge/memories/001-twin.md", twin);
    let list = a.co(&["memory", "list"]);
    let last = list.lines().last().unwrap_or_default();
    assert!(last.contains("No id") && last.len() < 60, "{list}");
    let recalled = a.co(&["recall", "first"]);
    assert_eq!(recalled.matches("**Memory 1-").count(), 2, "{recalled}");
}

#[test]
fn names_places_and_attachments() {
    let world = World::new();
    let a = laptop(&world);
    let document = "---\ntitle: x\n---\n\nText\n";
    // `knowledge/` is one of the four levels. `_` is usual only in a document that is in no folder.
    let unusual = ["People/anna", "people/Bob_Smith", "people/camelCase", "a/b/c/d", "topics/a_b"];
    for path in unusual {
        a.write(&format!("knowledge/{path}.md"), document);
    }
    for path in ["people/bob-smith.md", "some_topic.md", "a/b/c.md"] {
        a.write(&format!("knowledge/{path}"), document);
    }
    a.write("knowledge/attachments/chinook.sqlite3", "SQLite format 3\0");
    let found = codes(&a);
    let named: Vec<&str> = found.iter().map(|(_, path)| path.as_str()).collect();
    assert_eq!(
        named,
        [
            "knowledge/People/anna.md",
            "knowledge/a/b/c/d.md",
            "knowledge/people/Bob_Smith.md",
            "knowledge/people/camelCase.md",
            "knowledge/topics/a_b.md"
        ],
        "{found:?}"
    );
    assert!(found.iter().all(|(code, _)| code == "path-convention"));
}

#[test]
fn an_emptied_identity_and_placeholders_are_findings() {
    let world = World::new();
    let a = published(&world);
    a.co(&["learn", "Here"]);
    a.co(&["identity", "sync"]);
    a.write("knowledge/memories/.001-here.md.icloud", "bplist00");
    assert!(has(&codes(&a), "unreadable", "knowledge/memories/.001-here.md.icloud"));
    for entry in fs::read_dir(a.identity()).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with(".git") {
            fs::remove_dir_all(path).expect("removed");
        } else if path.is_file() {
            fs::remove_file(path).expect("removed");
        }
    }
    let said = a.try_co(&["identity", "check"]);
    assert_eq!(said.code, 1, "{}", said.out);
    assert!(said.out.contains("every file is missing"), "{}", said.out);
}

#[test]
fn check_counts_what_fix_mends_and_sync_counts_memories() {
    let world = World::new();
    let a = published(&world);
    a.write("knowledge/memories/001-a.md", "no frontmatter a\n");
    a.write("knowledge/memories/002-b.md", "no frontmatter b\n");
    a.edit("profile.md", "# Profile", "# Profile!");
    let report = a.json(&["identity", "check"]);
    let announced = report["data"]["to_fix"].as_u64().expect("a number");
    let synced = a.json(&["identity", "sync"]);
    assert_eq!(synced["data"]["memories"], 0, "{synced}");
    a.git(&["reset", "-q", "--hard", "HEAD~1"]);
    a.write("knowledge/memories/001-a.md", "no frontmatter a\n");
    a.write("knowledge/memories/002-b.md", "no frontmatter b\n");
    let fixed = a.json(&["identity", "check", "--fix"]);
    let fixed = fixed["data"]["fixed"].as_array().map_or(0, Vec::len) as u64;
    assert!(announced >= 2 && fixed >= 2 && fixed <= announced, "{announced} {fixed}");
}

#[test]
fn one_document_is_one_however_its_letters_are_composed() {
    let world = World::new();
    let (a, b) = pair(&world);
    let people = |laptop: &Laptop| -> Vec<String> {
        let files = laptop.tree().into_iter().map(|(path, _)| path);
        files.filter(|path| path.starts_with("knowledge/people/")).collect()
    };
    // A Mac hands out names in pieces: `e` and an accent.
    a.write("knowledge/people/jose\u{301}.md", "# José\n");
    for laptop in [&a, &b, &a] {
        laptop.co(&["sync"]);
    }
    assert_agree(&[&a, &b]);
    assert_eq!(people(&b).len(), 1);
    // Written on both before they met, each in its own way.
    a.write("knowledge/people/rene\u{301}.md", "# René\n\n- likes tea\n");
    b.write("knowledge/people/ren\u{e9}.md", "# René\n\n- likes tea\n");
    for laptop in [&a, &b, &a] {
        laptop.co(&["sync"]);
    }
    assert_agree(&[&a, &b]);
    assert_eq!(people(&a).len(), 2, "{:?}", people(&a));
}
