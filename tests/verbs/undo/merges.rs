//! `co undo` after a sync and of what a merge did: nothing is deleted that cannot come back, and
//! what others learned for themselves stays.

use crate::support::{
    Laptop, World,
    pair::{assert_agree, pair},
    waiting::at_once,
    whole::whole,
};
use std::fs;

/// Puts a file where the log's folder would be, so that nothing can be written there.
fn block_the_log(laptop: &Laptop) -> std::path::PathBuf {
    let local = laptop.config().join("local");
    let away = laptop.config().join("local.away");
    fs::rename(&local, &away).expect("moved");
    fs::write(&local, "x").expect("written");
    away
}

fn free_the_log(laptop: &Laptop, away: &std::path::Path) {
    fs::remove_file(laptop.config().join("local")).expect("removed");
    fs::rename(away, laptop.config().join("local")).expect("moved");
}

#[test]
fn without_a_log_nothing_is_deleted_or_overwritten() {
    let world = World::new();
    let (a, source) = (world.laptop("a"), world.laptop("source"));
    a.co(&["init", "--yes"]);
    a.co(&["learn", "One"]);
    a.co(&["learn", "Two"]);
    source.co(&["init", "--yes"]);
    source.co(&["learn", "Three"]);
    let folder = source.identity().display().to_string();
    a.write("knowledge/memories/no-front.md", "Without a frontmatter\n");
    let before = a.tree();
    let away = block_the_log(&a);
    for verb in [
        &["forget", "--yes", "1"][..],
        &["edit", "1", "Other"],
        &["memory", "pin", "1"],
        &["identity", "import", "--replace", "--yes", &folder],
        &["check", "--fix"],
        &["learn", "One"],
    ] {
        let said = a.fails(10, verb);
        assert!(said.contains("nothing was changed"), "{verb:?}: {said}");
        assert_eq!(a.tree(), before, "{verb:?}");
    }
    // What only adds goes on, and says what it could not do.
    let said = a.try_co(&["learn", "Four"]);
    assert_eq!(said.code, 0);
    assert!(said.err.contains("`undo` will not know about this one"), "{}", said.err);
    free_the_log(&a, &away);
    a.co(&["forget", "--yes", "1"]);
    a.co(&["undo"]);
    assert!(a.facts().contains(&"One".to_owned()));
}

#[test]
fn fields_that_only_this_laptop_saw_were_not_published() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.co(&["learn", "Likes tea"]);
    a.co(&["sync"]);
    let before = a.tree();
    for verb in [&["memory", "pin", "1"][..], &["edit", "1", "--tag", "drinks"]] {
        a.co(verb);
        let data = &a.json(&["undo", "--yes"])["data"];
        assert_eq!(data["published"], false, "{verb:?}: {data}");
        assert_eq!(a.tree(), before, "{verb:?}: byte for byte");
    }
    a.co(&["edit", "1", "--tag", "x"]);
    a.co(&["edit", "1", "--tag", "y"]);
    assert_eq!(a.json(&["undo", "--yes"])["data"]["published"], false, "nor was the first");
    a.co(&["undo", "--yes"]);
    assert_eq!(a.tree(), before);
    a.co(&["memory", "pin", "1"]);
    a.co(&["sync"]);
    assert_eq!(a.json(&["undo", "--yes"])["data"]["published"], true);
    a.co(&["sync"]);
    b.co(&["sync"]);
    assert_eq!(b.json(&["list"])["data"]["memories"][0]["pinned"], false);
}

#[test]
fn a_sync_that_cannot_be_logged_says_so() {
    let world = World::new();
    let (a, b) = pair(&world);
    b.co(&["learn", "From b"]);
    b.co(&["sync"]);
    a.edit(&a.file_of("Prefers tabs"), "Prefers tabs", "Prefers spaces");
    let away = block_the_log(&a);
    let said = a.try_co(&["sync"]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.err.contains("`undo` will not know about this sync"), "{}", said.err);
    assert!(!said.out.contains("Undo:"), "{}", said.out);
    free_the_log(&a, &away);
}

#[test]
fn what_happens_in_a_project_is_taken_back_there() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", "Of the identity"]);
    let project = a.home.join("p");
    fs::create_dir_all(project.join(".co-cli")).expect("a folder");
    let place = project.display().to_string();
    let facts = |scope: &str| a.co(&["-C", &place, "list", "--scope", scope]);
    a.co(&["-C", &place, "learn", "Of the project"]);
    a.co(&["-C", &place, "forget", "--yes", "--scope", "project", "1"]);
    assert!(!facts("project").contains("Of the project"));
    let said = a.co(&["undo"]);
    assert!(said.contains("forget: Of the project"), "{said}");
    assert!(facts("project").contains("Of the project"));
    assert!(facts("identity").contains("Of the identity"));
    a.co(&["redo"]);
    assert!(!facts("project").contains("Of the project"));
    let log = a.co(&["log"]);
    assert!(log.contains("in ~/p/.co-cli"), "{log}");
    fs::remove_dir_all(&project).expect("removed");
    assert!(a.fails(5, &["undo"]).contains("no longer exists"));
}

#[test]
fn what_a_merge_elsewhere_dropped_can_be_found() {
    at_once(
        &[
            ("profile.md", "America/Los_Angeles", "Asia/Tokyo", "Europe/Rome"),
            ("profile.md", "Name: Bin", "Name: Bin Chen", "Name: B. C. Chen"),
            ("knowledge/plan.md", "Bring water.", "Bring tea.", "Bring juice."),
            ("knowledge/plan.md", "# Plan", "# First plan", "# Second plan"),
            ("knowledge/people/sarah.md", "Works at Acme.", "Works at Bolt.", "Works at Cog."),
        ],
        |(path, text, of_a, of_b)| {
            let world = World::new();
            let (a, b) = pair(&world);
            a.write("knowledge/plan.md", "# Plan\n\nBring water.\n");
            a.write("knowledge/people/sarah.md", "# Sarah\n\nWorks at Acme.\n");
            a.co(&["sync"]);
            b.co(&["sync"]);
            a.edit(path, text, of_a);
            a.co(&["sync"]);
            std::thread::sleep(std::time::Duration::from_millis(1_100));
            b.edit(path, text, of_b);
            b.co(&["sync"]);
            a.co(&["sync"]);
            assert!(a.read(path).contains(of_b) && !a.read(path).contains(of_a), "{path}");
            let merge = a.json(&["log"])["data"]["operations"][0].clone();
            assert_eq!(merge["verb"], "merge", "{merge}");
            let named = format!("o{}", merge["op"]);
            for words in [&["undo"][..], &["undo", named.as_str()]] {
                let said = a.fails(5, words);
                assert!(said.contains("only brought in changes from other laptops"), "{said}");
                assert!(!said.contains("already"), "{said}");
                for way in [
                    "co log NUMBER",
                    "log -p` every version of a file",
                    "restore --from COMMIT PATH",
                ] {
                    assert!(said.contains(way), "{way}: {said}");
                }
            }
            // The way leads there.
            let commit = a.git(&["log", "-1", "--format=%H", "-S", of_a]);
            a.co(&["identity", "restore", "--from", commit.trim(), path]);
            assert!(a.read(path).contains(of_a), "{path}: {}", a.read(path));
        },
    );
}

#[test]
fn what_other_laptops_brought_goes_only_when_asked() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.co(&["learn", "From a"]);
    a.co(&["sync"]);
    b.co(&["sync"]);
    b.fails(5, &["undo"]);
    assert!(b.facts().contains(&"From a".to_owned()));
    b.co(&["undo", "--accept-deletions"]);
    assert!(!b.facts().contains(&"From a".to_owned()));
    b.co(&["redo"]);
    assert!(b.facts().contains(&"From a".to_owned()));
}

#[test]
fn a_fact_that_a_merge_renumbered_can_still_be_taken_back() {
    let world = World::new();
    let (remote, a, b) = (world.remote(), world.laptop("a"), world.laptop("b"));
    a.co(&["init", "--yes", &remote]);
    b.co(&["init", "--yes", &remote]);
    a.co(&["learn", "From a"]);
    a.co(&["sync"]);
    b.co(&["learn", "From b"]);
    b.co(&["edit", "1", "From b, edited"]);
    b.co(&["sync"]);
    assert!(b.co(&["list"]).contains("002"), "it has the next number now");
    b.co(&["undo", "o2", "--yes"]);
    assert_eq!(b.facts(), ["From a", "From b"]);
    b.co(&["undo", "o1", "--yes"]);
    assert_eq!(b.facts(), ["From a"]);
    b.co(&["redo", "--yes"]);
    assert_eq!(b.facts(), ["From a", "From b"]);
}

/// An archive with the facts of a laptop.
fn exported(laptop: &Laptop, world: &World) -> String {
    let archive = world.path("facts.tar.gz").display().to_string();
    laptop.co(&["identity", "export", &archive]);
    archive
}

#[test]
fn an_undone_import_that_was_never_published_forgets_nothing_elsewhere() {
    let world = World::new();
    let (remote, a, b) = (world.remote(), world.laptop("a"), world.laptop("b"));
    a.co(&["init", "--yes", "--name", "Gina", &remote]);
    for fact in ["One", "Two", "Three", "Four"] {
        a.co(&["learn", fact]);
    }
    a.co(&["sync"]);
    b.co(&["init", "--yes", "--name", "Hans"]);
    b.co(&["learn", "Own fact"]);
    b.co(&["identity", "import", "--yes", &exported(&a, &world)]);
    b.co(&["sync"]);
    b.co(&["undo", "--yes"]);
    b.co(&["sync"]);
    b.co(&["init", "--yes", &remote]);
    b.co(&["sync"]);
    a.co(&["sync"]);
    assert_eq!(a.facts().len(), 5, "{:?}", a.facts());
    assert_agree(&[&a, &b]);
    // What was set at the remote stays.
    assert!(a.read("profile.md").contains("Gina"), "{}", a.read("profile.md"));
}

#[test]
fn an_undone_import_leaves_what_others_said_themselves() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.co(&["learn", "Said by a"]);
    let archive = exported(&a, &world);
    a.co(&["sync"]);
    b.co(&["identity", "import", "--yes", &archive]);
    b.co(&["learn", "Said by b"]);
    b.co(&["sync"]);
    let said = b.try_co(&["undo", "--yes", "1"]);
    b.co(&["sync"]);
    a.co(&["sync"]);
    assert!(a.facts().contains(&"Said by a".to_owned()), "{} {}", said.out, said.err);
}

#[test]
fn a_published_number_stays_with_its_fact() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.co(&["learn", "Published fact"]);
    let archive = exported(&a, &world);
    a.co(&["sync"]);
    let handle = |laptop: &Laptop, fact: &str| {
        let listed = laptop.json(&["list"]);
        let rows = listed["data"]["memories"].as_array().cloned().unwrap_or_default();
        let row = rows.iter().find(|row| row["summary"] == fact).cloned();
        row.and_then(|row| row["handle"].as_str().map(str::to_owned)).expect("it is there")
    };
    let number = handle(&a, "Published fact");
    b.co(&["learn", "Fact of b"]);
    b.co(&["identity", "import", "--yes", &archive]);
    b.co(&["sync"]);
    a.co(&["sync"]);
    assert_eq!(handle(&a, "Published fact"), number);
    // Here another fact had that number until now: a part of the hash tells them apart.
    assert!(handle(&b, "Published fact").starts_with(&format!("{number}-")));
    // The number that this laptop's fact had until then names both.
    let asked = b.try_co(&["forget", &number]);
    assert_eq!(asked.code, 3, "{} {}", asked.out, asked.err);
    assert!(asked.err.contains("until a sync renumbered it"), "{}", asked.err);
    // Nor does a stray file take it.
    let stray = "---\nid: NUMBER\ncreated: 2020-01-01T00:00:00Z\n---\n\nStray.\n";
    let text = stray.replace("NUMBER", &number);
    a.write(&format!("knowledge/memories/{number:0>3}-stray.md"), &text);
    a.co(&["check", "--fix"]);
    assert_eq!(handle(&a, "Published fact"), number);
}

/// Once the merge that renumbered facts was taken back or brought back, however often.
#[test]
fn numbers_need_no_hash_once_a_merge_was_taken_back() {
    let world = World::new();
    let (a, b) = pair(&world);
    let bare = |when: &str| {
        for laptop in [&a, &b] {
            let rows = laptop.json(&["list"])["data"]["memories"].clone();
            let found = laptop.json(&["recall", "From a laptop"])["data"].clone();
            for text in [rows.to_string(), found.to_string()] {
                let hashed = text.split("\"handle\":\"").skip(1).filter(|rest| {
                    rest.split('"').next().is_some_and(|handle| handle.contains('-'))
                });
                assert_eq!(hashed.count(), 0, "{when}, {}: {text}", laptop.name);
            }
        }
    };
    a.co(&["learn", "From a, the first"]);
    b.co(&["learn", "From b, the first"]);
    b.co(&["learn", "From b, the second"]);
    a.co(&["sync"]);
    b.co(&["sync"]);
    b.co(&["undo", "--yes", "--accept-deletions"]);
    bare("undone");
    b.co(&["redo", "--yes"]);
    bare("redone");
    for laptop in [&b, &a, &b] {
        laptop.co(&["sync"]);
    }
    bare("redone and synced");
    b.co(&["undo", "--yes", "--accept-deletions"]);
    for laptop in [&b, &a] {
        laptop.co(&["sync"]);
    }
    bare("undone and synced");
    b.co(&["redo", "--yes"]);
    for laptop in [&b, &a] {
        laptop.co(&["sync"]);
    }
    // This sync renumbered one anew. Whatever is shown can be typed.
    b.co(&["forget", "--yes", "From b, the first"]);
    b.co(&["forget", "--yes", "From b, the second"]);
    let listed = b.json(&["list"])["data"]["memories"].clone();
    for row in listed.as_array().expect("rows") {
        b.co(&["show", row["handle"].as_str().expect("a handle")]);
    }
}

#[test]
fn what_could_not_be_done_is_not_logged_as_done() {
    use std::os::unix::{fs::PermissionsExt, process::CommandExt};
    const NOBODY: u32 = 65_534;
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", "Keep me"]);
    let folder = a.identity().join("knowledge/memories");
    let set = |path: &std::path::Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("set");
    };
    let give = |user: u32| {
        let user = user.to_string();
        let mut chown = std::process::Command::new("chown");
        assert!(chown.args(["-R", &user]).arg(&a.home).status().expect("chown").success());
    };
    let mut command = a.command(&["forget", "--yes", "1"]);
    // Root may write everywhere: then somebody else tries.
    if rustix::process::geteuid().is_root() {
        set(world.dir.path(), 0o755);
        give(NOBODY);
        command.uid(NOBODY);
    }
    set(&folder, 0o500);
    let refused = command.output().expect("co runs");
    set(&folder, 0o700);
    give(rustix::process::geteuid().as_raw());
    assert_eq!(refused.status.code(), Some(10), "{}", String::from_utf8_lossy(&refused.stderr));
    assert!(!a.co(&["log"]).contains("forgot"), "{}", a.co(&["log"]));
    let undo = a.json(&["undo", "--dry-run"]);
    assert_eq!(undo["data"]["what"], "Keep me");
}

#[test]
fn a_sync_names_what_only_goes_out_now() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", "Waited for a remote"]);
    a.co(&["sync"]);
    a.co(&["identity", "remote", &world.remote()]);
    let said = a.co(&["sync"]);
    assert!(said.contains("Waited for a remote"), "{said}");
}

#[test]
fn what_a_join_overruled_is_told_and_can_be_brought_back() {
    let world = World::new();
    let (remote, a, b) = (world.remote(), world.laptop("a"), world.laptop("b"));
    a.co(&["init", "--yes", "--name", "Gina", &remote]);
    b.co(&["init", "--yes", "--name", "Hans"]);
    b.co(&["learn", "Own fact"]);
    let joined = b.co(&["init", "--yes", &remote]);
    assert!(joined.contains("Name (set on both laptops)"), "{joined}");
    assert!(b.read("profile.md").contains("Name: Gina"));
    b.co(&["undo", "--yes"]);
    assert!(b.read("profile.md").contains("Name: Hans"));
    assert_eq!(b.facts(), ["Own fact"]);
}

#[test]
fn an_export_is_no_push() {
    let mut told = Vec::new();
    for remote in [false, true] {
        let world = World::new();
        let a = world.laptop("a");
        a.co(&["init", "--yes"]);
        if remote {
            a.co(&["identity", "remote", &world.remote()]);
            a.co(&["sync"]);
        }
        let archive = a.home.join("all.tar.gz").display().to_string();
        let verbs: [&[&str]; 5] = [
            &["learn", "Likes tea"],
            &["knowledge", "write", "plan", "Walk"],
            &["memory", "pin", "1"],
            &["edit", "1", "--tag", "drinks"],
            &["forget", "--yes", "1"],
        ];
        for verb in verbs {
            a.co(verb);
            let _ = fs::remove_file(&archive);
            a.co(&["export", &archive]);
            let planned = a.json(&["undo", "--dry-run"])["data"].clone();
            assert_eq!(planned["published"], verb[0] != "forget", "{planned}");
            told.push(whole(&a.co(&["undo", "--yes"])));
            a.co(&["redo", "--yes"]);
        }
        a.co(&["learn", "Likes coffee"]);
        told.push(whole(&a.co(&["undo", "--yes"])));
        a.co(&["learn", "Likes water"]);
        let _ = fs::remove_file(&archive);
        a.co(&["export", &archive]);
        a.co(&["sync"]);
        let said = a.json(&["undo", "--yes"]);
        assert_eq!(said["data"]["published"], true, "{said}");
        a.co(&["redo", "--yes"]);
        if remote {
            a.co(&["sync"]);
            let newest = a.json(&["log"])["data"]["operations"].clone();
            let save = newest.as_array().expect("ops").iter().find(|op| op["verb"] == "save");
            let op = save.expect("a save")["op"].to_string();
            told.push(whole(&a.co(&["undo", "--yes", &format!("o{op}")])));
        }
    }
    insta::assert_snapshot!(told.join("\n"), @"
    ✓ Undone o1, learn: Likes tea. `co redo` reverses this undo. An export still has it.
      - 1 Likes tea
    ✓ Undone o5, write: plan. `co redo` reverses this undo. An export still has it.
      - knowledge/plan.md: Walk
    ✓ Undone o9, pin: Likes tea. `co redo` reverses this undo. An export still has it.
      ~ 1 Likes tea (no longer pinned)
    ✓ Undone o13, edit: Likes tea. `co redo` reverses this undo. An export still has it.
      ~ 1 Likes tea (tags: drinks → none)
    ✓ Undone o17, forget: Likes tea. `co redo` reverses this undo.
      + 1 Likes tea
    ✓ Undone o21, learn: Likes coffee. `co redo` reverses this undo.
      - 1 Likes coffee
    ✓ Undone o1, learn: Likes tea. `co redo` reverses this undo. An export still has it.
      - 1 Likes tea
    ✓ Undone o5, write: plan. `co redo` reverses this undo. An export still has it.
      - knowledge/plan.md: Walk
    ✓ Undone o9, pin: Likes tea. `co redo` reverses this undo. An export still has it.
      ~ 1 Likes tea (no longer pinned)
    ✓ Undone o13, edit: Likes tea. `co redo` reverses this undo. An export still has it.
      ~ 1 Likes tea (tags: drinks → none)
    ✓ Undone o17, forget: Likes tea. `co redo` reverses this undo.
      + 1 Likes tea
    ✓ Undone o21, learn: Likes coffee. `co redo` reverses this undo.
      - 1 Likes coffee
    ✓ Undone o23, learn: Likes water. `co redo` reverses this undo. It was already pushed: the next `co sync` passes this on to other laptops.
      - 1 Likes water
    ");
}
