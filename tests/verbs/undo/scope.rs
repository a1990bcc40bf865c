//! An undo takes back the operation it was asked for and nothing else, in whichever store that lay,
//! and says what it did.
//!
//! Invariant: bytes newer than the operation stay, and every handle that co prints can be typed
//! into a shell as it stands.

use crate::support::{
    Laptop, World,
    pair::{assert_agree, pair},
    tree,
};
use std::fs;

/// A project below the home folder, and its path.
fn project(laptop: &Laptop, name: &str) -> String {
    let folder = laptop.home.join(name);
    fs::create_dir_all(folder.join(".co-cli")).expect("a folder");
    folder.display().to_string()
}

#[test]
fn a_document_of_a_project_is_taken_back_and_nothing_else() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", "Of the identity"]);
    let place = project(&a, "p");
    let write = ["-C", &place, "knowledge", "write", "runbook", "-"];
    assert_eq!(a.piped("First text\n", &write).code, 0);
    let runbook = a.home.join("p/.co-cli/knowledge/runbook.md");
    let first = fs::read(&runbook).expect("written");
    assert_eq!(a.piped("Second text\n", &write).code, 0);
    a.co(&["-C", &place, "undo", "--yes"]);
    assert_eq!(fs::read(&runbook).expect("still there"), first);
    a.co(&["-C", &place, "undo", "--yes"]);
    assert!(!runbook.exists(), "the writing is taken back");
    assert_eq!(a.facts(), ["Of the identity"]);
}

#[test]
fn each_of_two_nested_projects_forgets_its_own_fact() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let (outer, inner) = (project(&a, "p"), project(&a, "p/inner"));
    a.co(&["-C", &outer, "learn", "Of the outer project"]);
    a.co(&["-C", &inner, "learn", "Of the inner project"]);
    let stores = || [tree(&a.home.join("p/.co-cli")), tree(&a.home.join("p/inner/.co-cli"))];
    let memories = || {
        let holds = |store: &[(String, Vec<u8>)], text: &str| {
            store.iter().any(|(path, bytes)| {
                path.contains("memories/") && String::from_utf8_lossy(bytes).contains(text)
            })
        };
        let [outer, inner] = stores();
        (holds(&outer, "Of the outer"), holds(&inner, "Of the inner"))
    };
    assert_eq!(memories(), (true, true));
    let list = a.json(&["-C", &inner, "list"]);
    let rows = list["data"]["memories"].as_array().expect("rows");
    let handles: Vec<&str> = rows.iter().filter_map(|row| row["handle"].as_str()).collect();
    a.co(&[&["-C", &inner, "forget", "--yes"], &handles[..]].concat());
    assert_eq!(memories(), (false, false), "what is said to be forgotten is");
    // One operation a store, each of which comes back, by the number of a project.
    let said = a.co(&["-C", &inner, "undo", "--yes"]);
    assert!(said.contains("  + p1 Of the"), "{said}");
    a.co(&["-C", &inner, "undo", "--yes"]);
    assert_eq!(memories(), (true, true));
}

#[test]
fn undo_of_a_move_leaves_what_was_written_at_the_old_place() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.write("knowledge/plan.md", "The first plan\n");
    a.co(&["knowledge", "move", "plan", "old/plan"]);
    a.write("knowledge/plan.md", "Written since\n");
    let said = a.try_co(&["undo", "--yes"]);
    assert_eq!(a.read("knowledge/plan.md"), "Written since\n", "{}{}", said.out, said.err);
    let texts = a.texts();
    assert!(texts.contains("The first plan"), "{texts}");
    assert!(said.err.contains("plan.md"), "the file is named: {}{}", said.out, said.err);
}

#[test]
fn a_published_import_takes_its_trait_along() {
    let world = World::new();
    let (a, b) = pair(&world);
    let source = world.path("source");
    fs::create_dir_all(source.join("traits")).expect("a folder");
    // Without a checksum: the sync adds one.
    let bytes = "---\nname: Rhymes\n---\n\nAlways answers in rhyme\n";
    fs::write(source.join("traits/rhymes.md"), bytes).expect("written");
    a.co(&["identity", "import", "--yes", &source.display().to_string()]);
    a.co(&["sync"]);
    b.co(&["sync"]);
    assert!(b.texts().contains("answers in rhyme"));
    let operations = a.json(&["log"])["data"]["operations"].clone();
    let import = operations
        .as_array()
        .and_then(|all| all.iter().find(|one| one["verb"] == "import"))
        .and_then(|one| one["op"].as_u64())
        .expect("the import is in the log")
        .to_string();
    a.co(&["undo", "--yes", &format!("o{import}")]);
    for laptop in [&a, &b, &a] {
        laptop.co(&["sync"]);
    }
    assert_agree(&[&a, &b]);
    for laptop in [&a, &b] {
        assert!(!laptop.identity().join("traits/rhymes.md").exists());
    }
}

#[test]
fn an_operation_that_left_nothing_stops_a_bare_undo() {
    let world = World::new();
    let (a, _) = pair(&world);
    a.co(&["learn", "Published long ago"]);
    a.co(&["sync"]);
    let copy = a.identity().join("knowledge/memories/copy.md");
    fs::copy(a.identity().join(a.file_of("Published long ago")), &copy).expect("copied");
    a.co(&["check", "--fix"]);
    for _ in 0..2 {
        a.try_co(&["undo", "--yes"]);
        let facts = a.facts();
        assert!(facts.contains(&"Published long ago".to_owned()), "an older one went: {facts:?}");
    }
}

#[test]
fn a_long_undo_is_twenty_lines() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let text = "A line of the book\n".repeat(200);
    for n in 0..63 {
        a.write(&format!("knowledge/books/{n}.md"), &format!("# Book {n}\n\n{text}"));
    }
    a.co(&["knowledge", "move", "--yes", "books/", "shelf/"]);
    let said = a.co(&["undo", "--yes"]);
    assert!(said.lines().count() <= 20, "{} lines", said.lines().count());
    assert!(a.identity().join("knowledge/books/62.md").exists());
}

#[test]
fn after_a_sync_that_only_brought_something_undo_names_ones_own() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.co(&["learn", "My own"]);
    a.co(&["sync"]);
    b.co(&["sync"]);
    b.co(&["learn", "From b"]);
    b.co(&["sync"]);
    a.co(&["sync"]);
    let said = a.fails(5, &["undo"]);
    assert!(said.contains("brought") || said.contains("other"), "{said}");
    // The handle of the newest that is one's own, as it can be typed.
    let handle = said
        .split(|c: char| !c.is_ascii_alphanumeric())
        .rfind(|word| word.strip_prefix('o').is_some_and(|n| n.parse::<u64>().is_ok()))
        .unwrap_or_else(|| panic!("no handle in: {said}"));
    a.co(&["undo", "--yes", handle]);
    let facts = a.facts();
    assert!(!facts.contains(&"My own".to_owned()), "{facts:?}");
    assert!(facts.contains(&"From b".to_owned()), "{facts:?}");
}

#[test]
fn a_shell_passes_every_handle_on() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", "One"]);
    let listed = a.co(&["log"]);
    a.co(&["learn", "Two"]);
    let handle = listed
        .split_whitespace()
        .find(|word| word.trim_start_matches(['o', '#']).parse::<u64>().is_ok())
        .expect("a handle in the log");
    let program = a.command(&[]).get_program().to_owned();
    let line = format!("'{}' undo --yes {handle}", program.to_string_lossy());
    let shell = a.command_of("sh", &["-c", &line]).output().expect("runs");
    assert!(shell.status.success(), "{}", String::from_utf8_lossy(&shell.stderr));
    assert_eq!(a.facts(), ["Two"], "`{line}` took something else back");
}

#[test]
fn what_was_said_since_in_the_same_place_stays() {
    let world = World::new();
    let (a, _) = pair(&world);
    let titled = |title: &str| format!("---\ntitle: {title}\n---\n\n# Plan\n\nOne\n\nTwo\n");
    a.write("knowledge/plan.md", &titled("Zeta"));
    a.co(&["sync"]);
    a.write("knowledge/plan.md", &titled("Beta"));
    a.co(&["sync"]);
    let newest = a.json(&["log"])["data"]["operations"][0]["op"].to_string();
    a.write("knowledge/plan.md", &titled("Alpha").replace("One\n\n", ""));
    let said = a.fails(6, &["undo", "--yes", &format!("o{newest}")]);
    assert!(said.contains("plan.md"), "{said}");
    let plan = a.read("knowledge/plan.md");
    assert!(plan.contains("title: Alpha") && !plan.contains("One"), "{plan}");
}

#[test]
fn an_open_merge_that_a_sync_finishes_is_a_merge() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.co(&["edit", "1", "I prefer threads"]);
    a.co(&["learn", "New from a"]);
    a.co(&["sync"]);
    b.co(&["edit", "1", "I prefer processes"]);
    b.git(&["commit", "-q", "-a", "-m", "by hand"]);
    let folder = b.identity().display().to_string();
    let who = ["-C", &folder, "-c", "user.name=t", "-c", "user.email=t@example.org"];
    let pull = ["pull", "-q", "--no-rebase", "origin", "main"];
    let pulled = b.command_of("git", &[&who[..], &pull].concat()).output().expect("git runs");
    assert!(!pulled.status.success(), "both edited the same fact");
    assert!(b.identity().join(".git/MERGE_HEAD").exists(), "the merge is open");
    b.co(&["sync"]);
    b.try_co(&["undo", "--yes"]);
    for laptop in [&b, &a, &b] {
        laptop.co(&["sync"]);
    }
    assert_agree(&[&a, &b]);
    assert!(a.facts().contains(&"New from a".to_owned()), "{:?}", a.facts());
}

#[test]
fn a_document_that_a_hand_edit_keeps_is_named() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    for text in ["First\n", "Second\n"] {
        assert_eq!(a.piped(text, &["knowledge", "write", "doc", "-"]).code, 0);
    }
    let path = "knowledge/doc.md";
    a.edit(path, "Second", "Second, by hand");
    let before = a.tree();
    let said = a.try_co(&["undo", "--yes"]);
    assert_ne!(said.code, 0, "{}", said.out);
    assert_eq!(a.tree(), before);
}

#[test]
fn a_document_that_lost_a_merge_comes_back() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.write("knowledge/doc.md", "Line one\n");
    a.co(&["sync"]);
    b.co(&["sync"]);
    a.write("knowledge/doc.md", "Line one by a\n");
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    b.write("knowledge/doc.md", "Line one by b\n");
    b.co(&["sync"]);
    a.co(&["sync"]);
    assert!(a.read("knowledge/doc.md").contains("by b"));
    a.co(&["undo", "--yes"]);
    assert!(a.read("knowledge/doc.md").contains("by a"));
    for laptop in [&a, &b] {
        laptop.co(&["sync"]);
    }
    assert_agree(&[&a, &b]);
    assert!(b.read("knowledge/doc.md").contains("by a"));
}

#[test]
fn what_changed_nothing_in_the_identity_uses_up_no_undo() {
    let archive = &["identity", "export", "x.tar.gz"][..];
    let folder = &["identity", "export", "--format", "dir", "copy"][..];
    let again = &["learn", "Likes tea"][..];
    let again_tagged = &["learn", "Likes tea", "--tag", "drinks"][..];
    for idle in [
        vec![archive],
        vec![folder],
        vec![again],
        vec![again_tagged],
        vec![again, archive, again],
        vec![archive, folder, again, again_tagged],
    ] {
        let world = World::new();
        let a = world.laptop("a");
        a.co(&["init", "--yes"]);
        a.co(&["learn", "Has a dog"]);
        a.co(&["learn", "Likes tea", "--tag", "drinks"]);
        for words in &idle {
            a.co(words);
        }
        a.co(&["undo", "--yes"]);
        assert_eq!(a.facts(), ["Has a dog"], "{idle:?}");
        a.co(&["undo", "--yes"]);
        assert!(a.facts().is_empty(), "{idle:?}");
        a.fails(5, &["undo", "--yes"]);
        a.co(&["redo"]);
        assert_eq!(a.facts(), ["Has a dog"], "{idle:?}");
    }
}

#[test]
fn a_tag_added_to_a_known_fact_is_undone() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", "Likes tea"]);
    a.co(&["learn", "Likes tea", "--tag", "drinks"]);
    a.co(&["export", "x.tar.gz"]);
    a.co(&["undo", "--yes"]);
    assert!(!a.co(&["list"]).contains("drinks"));
    assert_eq!(a.facts(), ["Likes tea"]);
}

#[test]
fn agents_that_were_connected_are_not_passed_over() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", "Stays"]);
    fs::create_dir_all(a.home.join(".claude")).expect("a folder");
    a.co(&["agent", "install", "claude-code", "--yes"]);
    let said = a.fails(5, &["undo"]);
    assert!(said.contains("`co undo o1`"), "{said}");
    assert_eq!(a.facts(), ["Stays"]);
}

#[test]
fn a_fact_beside_its_newer_text_has_a_number_of_its_own() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", "Likes tea"]);
    a.co(&["edit", "1", "Likes green tea"]);
    a.co(&["edit", "1", "Likes black tea"]);
    a.try_co(&["undo", "--yes", "o2"]);
    let list = a.json(&["list"]);
    let rows = list["data"]["memories"].as_array().cloned().unwrap_or_default();
    let mut numbers: Vec<_> = rows.iter().map(|row| row["id"].to_string()).collect();
    numbers.sort();
    numbers.dedup();
    assert_eq!(numbers.len(), rows.len(), "{list}");
    assert!(a.facts().contains(&"Likes black tea".to_owned()));
}

#[test]
fn what_an_undo_takes_away_is_named() {
    let world = World::new();
    let (a, _) = pair(&world);
    a.write("knowledge/memories/900-t.md", "---\nid: 900\ncreated: x\n---\nA note\n");
    a.co(&["sync"]);
    let said = a.try_co(&["undo", "--yes"]);
    let gone = !a.identity().join("knowledge/memories/900-t.md").exists();
    assert!(!gone || said.out.contains("900-t.md"), "{}", said.out);
}
