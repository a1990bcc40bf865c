//! `co knowledge edit`: a document in an editor. What is typed is never lost, whatever happens to
//! the document meanwhile.

use crate::support::{
    Laptop, World, body,
    editor::{editor, kept},
    ready::laptop,
    terminal::screen,
    tokens::token,
};
use std::fs;

const TOPIC: &str = "notes/plan";
const FILE: &str = "knowledge/notes/plan.md";

/// A laptop with a document that has a tag.
fn with_document(world: &World) -> Laptop {
    let a = laptop(world, "a");
    a.co(&["knowledge", "write", TOPIC, "# Plan\n\nPush, then wait.", "--tags", "ops"]);
    a
}

#[test]
fn the_text_is_edited_and_the_labels_stay() {
    for (lines, text) in [
        ("sed -i 's/wait/watch/' \"$1\"", "# Plan\n\nPush, then watch."),
        ("printf '# Plan B\\n\\nFly.\\n' > \"$1\"", "# Plan B\n\nFly."),
        ("echo 'One more line' >> \"$1\"", "# Plan\n\nPush, then wait.\nOne more line"),
        ("printf '日本\\r\\nzwei\\r\\n' > \"$1\"", "日本\nzwei"),
        ("grep -q tags \"$1\" && exit 1; echo '- item' > \"$1\"", "- item"),
    ] {
        let world = World::new();
        let a = with_document(&world);
        let said = screen(&editor(&a, lines), 100, &["knowledge", "edit", TOPIC], &[]);
        assert!(said.contains("✓ Updated notes/plan"), "{lines}: {said}");
        let file = a.read(FILE);
        assert_eq!(body(&file), text, "{lines}");
        assert!(file.contains("tags: [ops]"), "{file}");
        assert!(kept(&a).is_empty());
        a.co(&["undo"]);
        assert!(a.read(FILE).contains("Push, then wait."));
    }
}

#[test]
fn a_text_that_is_left_alone_changes_nothing() {
    for lines in ["true", "touch \"$1\"", "echo >> \"$1\""] {
        let world = World::new();
        let a = with_document(&world);
        let before = a.read(FILE);
        let said = screen(&editor(&a, lines), 100, &["knowledge", "edit", TOPIC], &[]);
        assert!(said.contains("notes/plan unchanged"), "{lines}: {said}");
        assert_eq!(a.read(FILE), before);
    }
}

const TYPED: &str = "printf 'Typed for minutes\\n' > \"$1\"";

#[test]
fn a_text_that_came_meanwhile_is_shown_before_it_is_replaced() {
    for (answer, text, files) in
        [("n\n", "From elsewhere", 1), ("\n", "From elsewhere", 1), ("y\n", "Typed for minutes", 0)]
    {
        let world = World::new();
        let a = with_document(&world);
        let lines = format!("\"$co\" knowledge write {TOPIC} 'From elsewhere' >&2\n{TYPED}");
        let asked = [("Replace that with your text?", answer)];
        let said = screen(&editor(&a, &lines), 200, &["knowledge", "edit", TOPIC], &asked);
        assert!(said.contains("It now says:") && said.contains("From elsewhere"), "{said}");
        assert_eq!(body(&a.read(FILE)), text, "{answer:?}: {said}");
        let kept = kept(&a);
        assert_eq!(kept.len(), files, "{said}");
        for typed in kept {
            assert_eq!(typed.trim_end(), "Typed for minutes");
            assert!(said.contains("co knowledge write notes/plan --scope identity - <"), "{said}");
        }
    }
}

#[test]
fn no_typed_text_is_lost() {
    let token = token();
    let secret = format!("echo 'Typed for minutes: {token}' > \"$1\"");
    let markers =
        "printf 'Typed for minutes\\n<<<<<<< a\\nx\\n=======\\ny\\n>>>>>>> b\\n' > \"$1\"";
    let again: &[(&str, &str)] = &[("Edit the text again?", "n\n")];
    for (lines, answers) in [
        (secret, again),
        (markers.to_owned(), again),
        (format!("\"$co\" knowledge delete {TOPIC} >&2\n{TYPED}"), &[]),
        (format!("{TYPED}\nexit 1"), &[]),
        (format!("{TYPED}\nkill -9 $$"), &[]),
    ] {
        let world = World::new();
        let a = with_document(&world);
        let said = screen(&editor(&a, &lines), 200, &["knowledge", "edit", TOPIC], answers);
        assert!(said.contains("your text is in"), "{lines}: {said}");
        let kept = kept(&a);
        assert_eq!(kept.len(), 1, "{lines}: {said}");
        assert!(kept[0].starts_with("Typed for minutes"), "{kept:?}");
    }
}

#[test]
fn what_cannot_be_edited_is_said_before_anything_is_typed() {
    let world = World::new();
    let a = with_document(&world);
    a.write("knowledge/locked.md", "---\neditable: false\n---\n\nMine.\n");
    let with = editor(&a, TYPED);
    for (topic, why) in [
        ("locked", "editable: false"),
        ("docs/recall", "read-only"),
        ("notes/plam", "did you mean `notes/plan`?"),
        ("a:b", "not a valid topic"),
        ("context", "cannot be a document"),
    ] {
        let said = screen(&with, 200, &["knowledge", "edit", topic], &[]);
        assert!(said.contains(why), "{topic}: {said}");
        assert!(kept(&a).is_empty(), "{topic}");
    }
    // Nobody sits there.
    let said = a.fails(2, &["knowledge", "edit", TOPIC]);
    assert!(said.contains("co knowledge write notes/plan --scope identity - < FILE"), "{said}");
}

#[test]
fn a_document_is_edited_where_it_is() {
    let world = World::new();
    let a = with_document(&world);
    let inside = a.home.join("work");
    fs::create_dir_all(inside.join(".co-cli")).expect("a project");
    let folder = inside.display().to_string();
    // It is in the identity, whatever project the person is in.
    screen(&editor(&a, TYPED), 100, &["-C", &folder, "knowledge", "edit", TOPIC], &[]);
    assert_eq!(body(&a.read(FILE)), "Typed for minutes");
    assert!(!inside.join(".co-cli").join(FILE).exists());
    // A flat one with a type of its own stays flat.
    a.co(&["knowledge", "write", "roadmap", "Old"]);
    let lines = "printf -- '---\\ntype: meeting\\n---\\nNew\\n' > \"$1\"";
    screen(&editor(&a, lines), 100, &["knowledge", "edit", "roadmap"], &[]);
    assert!(a.read("knowledge/roadmap.md").contains("New"));
}
