//! What co answers about a document that it does not have, may not write, or has just written.

use crate::support::{
    World,
    client::Client,
    pair::{assert_agree, pair},
};
use serde_json::json;
use std::fs;

#[test]
fn only_what_is_really_similar_is_suggested() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    for topic in ["notes/s", "people/sarah", "notes/kubernetes", "infra/servers"] {
        a.co(&["knowledge", "write", topic, "Some text"]);
    }
    for topic in ["nothere", "notes/z", "people/bob", "infra/x", "q"] {
        let said = a.fails(5, &["knowledge", "delete", topic, "--yes"]);
        assert!(!said.contains("did you mean"), "{topic}: {said}");
        assert!(said.contains("`co knowledge list`"), "{topic}: {said}");
    }
    for (topic, meant) in [
        ("sarah", "people/sarah"),
        ("people/sara", "people/sarah"),
        ("people/srah", "people/sarah"),
        ("kubernets", "notes/kubernetes"),
        ("notes/kube", "notes/kubernetes"),
        ("infra/server", "infra/servers"),
        ("infra-servers", "infra/servers"),
    ] {
        let said = a.try_co(&["knowledge", "delete", topic, "--yes"]);
        // A name alone may already find the document.
        let is_meant = said.code == 0 || said.err.contains(&format!("did you mean `{meant}`?"));
        assert!(is_meant, "{topic}: {}", said.err);
        a.co(&["knowledge", "write", meant, "Some text"]);
    }
}

#[test]
fn the_folder_of_the_manual_is_named_as_such() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["knowledge", "write", "articles/dir/one", "One"]);
    a.co(&["knowledge", "write", "note", "A note"]);
    for arguments in [
        &["knowledge", "move", "articles/dir", "docs/dir"][..],
        &["knowledge", "move", "note", "docs/"],
        &["knowledge", "move", "note", "docs/note"],
        &["knowledge", "write", "docs/mine", "Mine"],
        &["knowledge", "write", "docs/recall", "Mine"],
    ] {
        let said = a.fails(6, arguments);
        let wanted = "docs/ holds co's own manual; choose another folder";
        assert!(said.contains(wanted), "{arguments:?}: {said}");
    }
    for arguments in [
        &["knowledge", "delete", "docs/recall", "--yes"][..],
        &["knowledge", "move", "docs/recall", "mine"],
    ] {
        let said = a.fails(6, arguments);
        assert!(said.contains("part of co's own manual"), "{arguments:?}: {said}");
    }
}

#[test]
fn no_empty_line_follows_what_was_written() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let mut client = Client::ready(&a, &["--tools", "all"]);
    for (topic, tags) in [("one", &[][..]), ("two", &["x"]), ("a/three", &[]), ("a/four", &["y"])] {
        let mut arguments = vec!["knowledge", "write", topic, "Some text"];
        tags.iter().for_each(|tag| arguments.extend(["--tags", *tag]));
        let said = a.co(&arguments);
        assert!(
            !said.contains("\n\n") && said.starts_with(&format!("✓ Wrote {topic}\n")),
            "{said}"
        );
        let topic = format!("mcp/{topic}");
        let written = json!({"topic": topic, "content": "Some text", "tags": tags});
        let said = client.call_ok("knowledge_write", written);
        assert!(!said.contains("\n\n") && said.starts_with(&format!("✓ Wrote {topic}")), "{said}");
    }
}

#[test]
fn a_missing_original_has_a_next_step() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let page = world.path("page.html");
    fs::write(&page, "<!doctype html><title>Page</title><p>A page of words").expect("written");
    a.co(&["knowledge", "add", page.to_str().expect("a path"), "--topic", "articles/page"]);
    a.co(&["sync"]);
    fs::remove_file(a.identity().join("knowledge/attachments/page.html")).expect("removed");
    let said = a.try_co(&["check"]).out;
    assert!(
        said.contains("is missing; `co identity restore --missing`, or add the file"),
        "{said}"
    );
    a.co(&["identity", "restore", "--missing"]);
    assert!(!a.try_co(&["check"]).out.contains("is missing"));
}

/// One name for a document in all lines, its old value as a whole, and where the other text is.
#[test]
fn a_sync_names_a_document_the_same_everywhere() {
    type Text = fn(u16) -> String;
    let files: &[(&str, &str, Text)] = &[
        ("knowledge/infra/servers.md", "infra/servers", |n| format!("# S\n\nPort {n} is open.\n")),
        ("knowledge/tea.md", "tea", |n| format!("# Tea\n\nSteep {n} s.\n")),
        ("knowledge/a/b/c.md", "a/b/c", |n| format!("# C\n\nOf {n} parts.\n")),
    ];
    for (path, name, text) in files {
        let world = World::new();
        let (a, b) = pair(&world);
        a.write(path, &text(80));
        a.co(&["sync"]);
        b.co(&["sync"]);
        a.write(path, &text(81));
        b.write(path, &text(82));
        a.co(&["sync"]);
        let said = b.co(&["sync"]);
        assert!(
            said.lines().any(|line| line.trim_start().starts_with(&format!("{name} "))),
            "{said}"
        );
        assert!(said.contains(&format!("Please review {name} (edited on both")), "{said}");
        assert!(
            said.contains("`co review` shows the other text and how to bring it back"),
            "{said}"
        );
        let review = b.co(&["review"]);
        assert!(review.contains("co identity restore --from "), "{review}");
        a.co(&["sync"]);
        assert_agree(&[&a, &b]);
    }
}
