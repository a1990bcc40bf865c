//! `co diff` shows exactly what an import, a sync or an edit does, and what a commit did.

use crate::support::{World, by_hand::at, ready::laptop, transfer::two, tree, whole::whole};
use serde_json::Value;
use std::{fs, path::Path};

/// Writes what `diff --json` lists over a copy of the identity.
fn apply_listed(identity: &Path, diff: &Value) -> Vec<(String, Vec<u8>)> {
    let mut files: std::collections::BTreeMap<String, Vec<u8>> =
        tree(identity).into_iter().collect();
    for file in diff["data"]["files"].as_array().expect("files") {
        let path = file["path"].as_str().expect("a path").to_owned();
        match &file["content"] {
            Value::Null => files.remove(&path),
            Value::String(text) => files.insert(path, text.clone().into_bytes()),
            numbers => files.insert(path, serde_json::from_value(numbers.clone()).expect("bytes")),
        };
    }
    files.into_iter().collect()
}

/// Without what only the clock decides.
fn still(files: Vec<(String, Vec<u8>)>) -> Vec<(String, String)> {
    let line = |line: &str| {
        if line.starts_with("updated:") { "updated: …".to_owned() } else { line.to_owned() }
    };
    let calm = |bytes: Vec<u8>| {
        String::from_utf8_lossy(&bytes).lines().map(line).collect::<Vec<_>>().join("\n")
    };
    files
        .into_iter()
        .filter(|(path, _)| !path.ends_with("forgotten.md"))
        .map(|(path, bytes)| (path, calm(bytes)))
        .collect()
}

#[test]
fn what_diff_lists_is_what_import_does() {
    let world = World::new();
    let (_, b, archive) = two(&world);
    let before = b.tree();
    for options in [&["--merge"][..], &["--replace"], &["--restore-forgotten"]] {
        let shown: Vec<&str> =
            options.iter().copied().filter(|option| *option != "--merge").collect();
        let diff = b.json(&[&["identity", "diff", archive.as_str()][..], &shown].concat());
        let listed = apply_listed(&b.identity(), &diff);
        b.co(&[&["identity", "import", "--yes", archive.as_str()][..], options].concat());
        assert_eq!(still(b.tree()), still(listed), "{options:?}");
        b.co(&["identity", "check", "--strict"]);
        b.co(&["identity", "undo"]);
        assert_eq!(b.tree(), before, "{options:?}: one undo takes it back, byte for byte");
    }
}

#[test]
fn an_imported_trait_replaces_one_only_where_lines_of_it_go() {
    let world = World::new();
    let [a, b] = ["a", "b"].map(|name| at(&laptop(&world, name), "2026-02-14T12:00:00Z"));
    let style = |day: &str, likes: &str| {
        format!(
            "---\nversion: 1\nupdated: 2026-01-{day}T00:00:00Z\n---\n\n# Communication style\n\n\
            - Brief\n- Prefers {likes}\n"
        )
    };
    a.write("traits/communication-style.md", &style("20", "bullets"));
    b.write("traits/communication-style.md", &style("10", "paragraphs"));
    let archive = world.path("x.tar.gz").display().to_string();
    a.co(&["identity", "export", &archive]);
    insta::assert_snapshot!(whole(&b.co(&["identity", "diff", &archive])), @"
    x.tar.gz  from a, 2026-02-14 12:00, 0 facts   →   this identity, 0 facts

    identity/traits/communication-style.md  replaced by the imported version
      - Prefers [-paragraphs-] {+bullets+}

    `co identity import [world]/x.tar.gz --merge` applies exactly this.
    ");
}

#[test]
fn the_review_reads_as_the_journey_says() {
    let world = World::at("2026-11-20T12:00:00Z");
    let (a, b, archive) = two(&world);
    // Once more, at a moment that the review can name.
    fs::remove_file(&archive).expect("removed");
    at(&a, "2020-02-14T12:00:00Z").co(&["identity", "export", &archive]);
    insta::assert_snapshot!(whole(&b.co(&["identity", "diff", &archive])), @"
    x.tar.gz  from a, 2020-02-14 12:00, 3 facts   →   this identity, 2 facts

    Learned (1)
      + 4    Prefers tabs over spaces  [style]

    Relabelled (1)
      ~ 1    Commits with conventional messages  tags: git → style, git

    Not imported (1)
      · 2    Uses poetry  forgotten here on 2026-11-20; --restore-forgotten imports it

    identity/knowledge/people/sarah.md  new
      {+# Sarah+}
      {+Likes trains.+}

    identity/profile.md  changed
      {+- Timezone: America/Los_Angeles+}
      Name: `- Name: Ben` (newer than `- Name: Bin`)

    identity/traits/communication-style.md  changed
      {+- bullets over paragraphs+}

    `co identity import [world]/a/x.tar.gz --merge` applies exactly this.
    ");
    assert_eq!(b.try_co(&["identity", "diff", "--exit-code", &archive]).code, 1);
    insta::assert_snapshot!(whole(&b.co(&["identity", "diff", "--stat", &archive])), @"
    [indented]
     knowledge/memories/001-commits-with-conventional-messages.md  +3 -2
     knowledge/memories/004-prefers-tabs-over-spaces.md  +9 -0
     knowledge/people/sarah.md  +7 -0
     profile.md  +2 -1
     traits/communication-style.md  +4 -2
     5 files changed, 25 lines added, 5 lines removed
    ");
    assert!(b.co(&["identity", "diff", "--patch", &archive]).contains("+++ b/knowledge/memories/"));
    a.co(&["identity", "sync"]);
    a.edit(
        "knowledge/memories/001-prefers-tabs-over-spaces.md",
        "tabs over spaces",
        "tabs in Makefiles",
    );
    insta::assert_snapshot!(whole(&a.co(&["identity", "diff"])), @"
    the last commit, 3 facts   →   the files here, 3 facts

    Edited (1)
      ~ 1    Prefers tabs [-over spaces-] {+in Makefiles+}
    ");
    a.co(&["identity", "sync"]);
    assert_eq!(a.try_co(&["identity", "diff", "--exit-code"]).code, 0);
    insta::assert_snapshot!(whole(&a.co(&["identity", "diff", "HEAD~1"])), @"
    HEAD~1, 3 facts   →   the files here, 3 facts

    Edited (1)
      ~ 1    Prefers tabs [-over spaces-] {+in Makefiles+}
    ");
    a.fails(5, &["identity", "diff", "no-such-thing"]);
}

#[test]
fn the_remote_can_be_looked_at_before_a_sync() {
    let world = World::new();
    let (remote, a, b) = (world.remote(), world.laptop("a"), world.laptop("b"));
    a.co(&["init", "--yes", &remote]);
    b.co(&["init", "--yes", &remote]);
    a.co(&["learn", "From a"]);
    a.co(&["identity", "sync"]);
    b.co(&["learn", "From b"]);
    let before = b.tree();
    b.co(&["memory", "list"]);
    insta::assert_snapshot!(whole(&b.co(&["identity", "diff", "origin"])), @"
    origin, 1 fact   →   this identity, 1 fact

    Learned (1)
      + 1    From a
    ");
    assert_eq!(b.tree(), before);
    let listed = apply_listed(&b.identity(), &b.json(&["identity", "diff", "origin"]));
    // What was fetched and never merged was not forgotten here.
    insta::assert_snapshot!(whole(&b.co(&["identity", "sync"])), @"
    Synced with origin ([world]/remote.git).
      learned here    + 2    From b  (was 1 here; 1 was taken)
      learned there   + 1    From a
    2 facts.
    ");
    insta::assert_snapshot!(whole(&b.fails(5, &["identity", "undo"])), @r#"
    error: the last operation (o2, merge: learned 1) only brought in changes from other laptops; undoing it would restore nothing on this laptop
    hint: `co undo o1` undoes the one before: learn: From b
    hint: `co undo --accept-deletions` undoes what they did, on every laptop
    hint: `co review` shows what both had changed, if that is still open
    hint: what a merge on another laptop dropped is in git's history: `co log NUMBER` shows the texts of a fact, `git -C "$(co identity path)" log -p` every version of a file; `co identity restore --from COMMIT PATH` brings a file back
    "#);
    // Replacing by the same changes nothing.
    let archive = b.home.join("same.tar.gz").display().to_string();
    b.co(&["identity", "export", &archive]);
    let said = b.co(&["identity", "import", "--yes", "--replace", &archive]);
    insta::assert_snapshot!(whole(&said), @"Nothing to import: everything is already here.");
    let facts: Vec<_> =
        listed.iter().filter(|(path, _)| path.starts_with("knowledge/memories")).collect();
    assert_eq!(facts.len(), b.facts().len());
}

#[test]
fn commits_can_be_shown_and_files_restored() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes", "--name", "Bin"]);
    a.co(&["learn", "First text"]);
    a.co(&["identity", "sync"]);
    let committed = a.read("profile.md");
    a.edit("profile.md", "Bin", "Bob");
    a.co(&["memory", "edit", "1", "Second text"]);
    let edited = a.tree();
    assert!(a.co(&["identity", "show", "HEAD:profile.md"]).contains("Bin"));
    assert!(a.co(&["identity", "show", "profile.md"]).contains("Bob"));
    a.fails(5, &["identity", "show", "HEAD:nothing.md"]);
    a.fails(5, &["identity", "show", "nowhere:profile.md"]);
    a.co(&["identity", "restore", "profile.md"]);
    assert_eq!(a.read("profile.md"), committed);
    a.co(&["identity", "undo"]);
    assert_eq!(a.tree(), edited);
    a.co(&["identity", "restore", "knowledge/"]);
    assert_eq!(a.facts(), ["First text"]);
    a.fails(5, &["identity", "restore", "--from", "HEAD", "nothing.md"]);
    a.fails(5, &["identity", "restore", "--from", "nowhere", "profile.md"]);
}

#[test]
fn a_sync_names_what_needs_eyes() {
    let world = World::new();
    let remote = world.remote();
    let (a, b) = (world.laptop("a"), world.laptop("b"));
    a.co(&["init", "--yes", "--name", "Bin", "--timezone", "Europe/Berlin", &remote]);
    for fact in ["Deploys with heroku", "Prefers tabs over spaces", "Likes trains"] {
        a.co(&["learn", fact]);
    }
    a.co(&["sync"]);
    b.co(&["init", "--yes", &remote]);
    b.co(&["forget", "3"]);
    b.co(&["sync"]);
    a.co(&["edit", "1", "Deploys with fly.io"]);
    b.co(&["edit", "1", "Deploys with kubernetes"]);
    a.co(&["forget", "2"]);
    a.co(&["sync"]);
    a.co(&["learn", "Likes trains"]);
    b.co(&["edit", "2", "Prefers tabs in Makefiles"]);
    a.edit("profile.md", "Europe/Berlin", "Europe/Paris");
    b.edit("profile.md", "Europe/Berlin", "America/Los_Angeles");
    a.co(&["sync"]);
    let said = b.json(&["sync"]);
    let looks = said["data"]["look"].as_array().expect("a list");
    let of = |why: &str| -> &Value {
        let found: Vec<&Value> = looks.iter().filter(|look| look["why"] == why).collect();
        assert_eq!(found.len(), 1, "{why} in {looks:#?}");
        found[0]
    };
    let edited = of("both-edited");
    let both = [&edited["fact"]["summary"], &edited["other"]["summary"]];
    assert!(both.iter().any(|text| **text == "Deploys with fly.io"), "{edited}");
    assert!(both.iter().any(|text| **text == "Deploys with kubernetes"), "{edited}");
    assert_eq!(of("forgotten-and-edited")["fact"]["summary"], "Prefers tabs in Makefiles");
    assert_eq!(of("learned-again")["fact"]["summary"], "Likes trains");
    let field = of("both-set");
    assert_eq!((&field["field"], &field["path"]), (&"Timezone".into(), &"profile.md".into()));
    // A merge in which nothing met nothing is quiet.
    a.co(&["sync"]);
    a.co(&["learn", "Sings"]);
    b.co(&["learn", "Dances"]);
    a.co(&["sync"]);
    let quiet = b.co(&["sync"]);
    assert!(!quiet.contains("Please review"), "{quiet}");
}

#[test]
fn an_edit_that_drives_a_text_out_shows_both() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", "coffee"]);
    let source = a.home.join("s");
    a.co(&["identity", "export", "--format", "dir", &source.display().to_string()]);
    let path = a.file_of("coffee");
    let here = a.read(&path);
    let at = "updated: 2026-12-05T00:00:00Z\n---";
    let text = |word: &str| here.replacen("\n---", &format!("\n{at}"), 1).replace("coffee", word);
    let bare = |text: String| -> String {
        text.lines()
            .filter(|line| !line.starts_with("checksum"))
            .map(|line| format!("{line}\n"))
            .collect()
    };
    a.write(&path, &bare(text("water is fine")));
    fs::write(source.join(&path), bare(text("tea is fine"))).expect("written");
    fs::remove_file(source.join("manifest.md")).expect("removed");
    let source = source.display().to_string();
    let shown = a.co(&["diff", &source]);
    assert!(shown.contains("Edited (1)") && shown.contains("Learned (1)"), "{shown}");
    let before = a.facts().len();
    a.co(&["identity", "import", "--yes", &source]);
    assert_eq!(a.facts().len(), before + 1);
}

#[test]
fn the_command_at_the_end_does_what_was_shown() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", "One"]);
    let source = a.home.join("a folder").display().to_string();
    a.co(&["identity", "export", "--format", "dir", &source]);
    a.co(&["learn", "Two"]);
    a.co(&["forget", "--yes", "1"]);
    let shown = a.co(&["diff", "--restore-forgotten", &source]);
    let end = format!("`co identity import '{source}' --merge --restore-forgotten`");
    assert!(shown.contains(&end), "{shown}");
    a.co(&["identity", "import", &source, "--merge", "--restore-forgotten", "--yes"]);
    assert_eq!(a.facts(), ["One", "Two"]);
}
