//! What `co edit` changes by options: the text, and tags that are added, removed or replaced; and
//! what the answer says.

use crate::support::{Laptop, World, ready::laptop, tokens::token, whole::whole};
use serde_json::{Value, json};

#[test]
fn editing_keeps_the_memory_and_every_other_key() {
    let world = World::new();
    let a = laptop(&world, "a");
    a.write(
        "knowledge/memories/007-x.md",
        "---\n# mine\nid: 7 # lucky\nmood: {a: 1}\ncreated: \
        2026-01-01T00:00:00Z\ntags: [a]\n---\n\nOld text.\n",
    );
    assert!(a.co(&["memory", "edit", "7", "New", "text."]).contains("Edited fact 7: New text."));
    let text = a.read("knowledge/memories/007-x.md");
    assert!(
        text.starts_with(
            "---\n# mine\nid: 7 # lucky\nmood: {a: 1}\ncreated: \
        2026-01-01T00:00:00Z\ntags: [a]\nchecksum: sha256:"
        ),
        "{text}"
    );
    assert!(text.ends_with("---\n\nNew text.\n"));
    a.co(&["learn", "Another"]);
    let said = a.fails(6, &["memory", "edit", "8", "New text."]);
    assert!(said.contains("fact 7 already says this"), "{said}");
    assert!(a.co(&["memory", "edit", "7", "New text."]).contains("unchanged"));
}

#[test]
fn the_handle_of_another_fact_is_no_text() {
    let world = World::new();
    let a = laptop(&world, "a");
    a.co(&["learn", "Prefers tabs"]);
    a.co(&["learn", "Lives in Porto"]);
    let told = [
        &["edit", "1", "2", "--add-tag", "python"][..],
        &["edit", "1", "2"],
        &["edit", "1", "2", "1", "--add-tag", "python"],
        &["edit", "1", "last", "--tag", "python"],
    ]
    .map(|words| whole(&a.fails(2, words)));
    insta::assert_snapshot!(told.join("\n"), @"
    error: `2` is the handle of a fact, not a new text; nothing was changed
    hint: one fact at a time: `co edit 1 --add-tag 'python'`, then `co edit 2 --add-tag 'python'`
    hint: `echo 2 | co edit 1 -` makes it the text
    error: `2` is the handle of a fact, not a new text; nothing was changed
    hint: one fact at a time: `co edit 1 …`, then `co edit 2 …`
    hint: `echo 2 | co edit 1 -` makes it the text
    error: `2 1` are handles of facts, not a new text; nothing was changed
    hint: one fact at a time: `co edit 1 --add-tag 'python'`, then `co edit 2 --add-tag 'python'`
    hint: `echo 2 1 | co edit 1 -` makes it the text
    error: `last` is the handle of a fact, not a new text; nothing was changed
    hint: one fact at a time: `co edit 1 --tag 'python'`, then `co edit last --tag 'python'`
    hint: `echo last | co edit 1 -` makes it the text
    ");
    assert_eq!(a.facts(), ["Lives in Porto", "Prefers tabs"]);
    // The number of no fact is a text, and whoever means it says so.
    a.co(&["edit", "2", "1974"]);
    assert_eq!(a.piped("1", &["edit", "1", "-"]).code, 0);
    assert_eq!(a.facts(), ["1", "1974"]);
}

fn tags(a: &Laptop) -> Value {
    a.json(&["show", "1"])["data"]["tags"].clone()
}

/// A laptop whose first fact has these tags.
fn with_tags(world: &World, tags: &str) -> Laptop {
    let a = laptop(world, "a");
    a.co(&["learn", "On call this week", "--tag", tags]);
    a
}

#[test]
fn tags_are_added_and_removed_and_the_answer_names_both_lists() {
    for (had, options, has, said) in [
        (
            "oncall",
            &["--add-tag", "berlin"][..],
            &["oncall", "berlin"][..],
            "oncall → oncall, berlin",
        ),
        (
            "oncall",
            &["--add-tag", "a,b", "--add-tag", "c"],
            &["oncall", "a", "b", "c"],
            "→ oncall, a, b, c",
        ),
        ("a,b,c", &["--remove-tag", "b"], &["a", "c"], "a, b, c → a, c"),
        ("a,b,c", &["--remove-tag", "a, c"], &["b"], "a, b, c → b"),
        ("a,b", &["--remove-tag", "a", "--remove-tag", "b"], &[], "a, b → none"),
        ("a,b", &["--add-tag", "c", "--remove-tag", "a"], &["b", "c"], "a, b → b, c"),
        ("", &["--add-tag", "日本"], &["日本"], "none → 日本"),
        ("a,b", &["-t", "berlin"], &["berlin"], "a, b → berlin"),
        ("a,b", &["--tag", "b,c"], &["b", "c"], "a, b → b, c"),
    ] {
        let world = World::new();
        let a = with_tags(&world, had);
        let answer = a.co(&[&["edit", "1"][..], options].concat());
        assert_eq!(tags(&a), json!(has), "{options:?}");
        assert!(answer.starts_with("✓ Edited fact 1: On call this week\n  tags: "), "{answer}");
        assert!(answer.contains(said), "{options:?}: {answer}");
        a.co(&["undo"]);
        let before: Vec<&str> = had.split(',').filter(|tag| !tag.is_empty()).collect();
        assert_eq!(tags(&a), json!(before), "{options:?}");
    }
}

#[test]
fn what_is_so_already_changes_nothing() {
    for (options, warned) in [
        (&["--add-tag", "a"][..], ""),
        (&["--add-tag", "b,a"], ""),
        (&["--remove-tag", "c"], "did not have the tag `c`; it has a, b"),
        (&["--remove-tag", "A"], "did not have the tag `A`"),
        (&["--remove-tag", "c,d"], "`d`"),
        (&["--tag", "a,b"], ""),
    ] {
        let world = World::new();
        let a = with_tags(&world, "a,b");
        let file = a.read(&a.file_of("On call"));
        let said = a.try_co(&[&["edit", "1"][..], options].concat());
        assert_eq!((said.code, said.out.as_str()), (0, "Fact 1 unchanged.\n"), "{options:?}");
        assert!(said.err.contains(warned), "{options:?}: {}", said.err);
        assert_eq!(a.read(&a.file_of("On call")), file, "{options:?}");
    }
}

#[test]
fn a_tag_is_not_added_and_removed_at_once_nor_beside_a_whole_list() {
    for options in [
        &["--add-tag", "x", "--remove-tag", "x"][..],
        &["--add-tag", "x,y", "--remove-tag", "y"],
        &["--remove-tag", "a", "--add-tag", " a "],
        &["--tag", "x", "--add-tag", "y"],
        &["--remove-tag", "a", "-t", "x"],
    ] {
        let world = World::new();
        let a = with_tags(&world, "a,b");
        let said = a.try_co(&[&["edit", "1"][..], options].concat());
        assert_eq!(said.code, 2, "{options:?}: {}{}", said.out, said.err);
        assert_eq!(tags(&a), json!(["a", "b"]), "{options:?}");
    }
}

#[test]
fn text_and_tags_change_together_and_programs_read_the_same() {
    let world = World::new();
    let a = with_tags(&world, "oncall");
    let said = a.co(&["edit", "1", "On call in May", "--add-tag", "berlin"]);
    let wanted = "✓ Edited fact 1: On call in May\n  was: On call this week\n  tags: oncall → oncall, berlin\n";
    assert_eq!(said, wanted);
    let data = a.json(&["edit", "1", "--remove-tag", "oncall,nothing"])["data"].clone();
    assert_eq!(data["fields"], json!(["tags: oncall, berlin → berlin"]));
    assert_eq!(data["missing_tags"], json!(["nothing"]));
    assert_eq!(data["changed"], true);
    // Whoever wrote the file by hand put a comma into a tag.
    a.edit(&a.file_of("On call"), "tags: [berlin]", "tags: [\"b, c\", b, d]");
    a.co(&["edit", "1", "--remove-tag", "b, c"]);
    assert_eq!(tags(&a), json!(["d"]));
}

#[test]
fn a_tag_that_looks_like_a_secret_is_refused_and_nothing_changes() {
    let world = World::new();
    let a = with_tags(&world, "a");
    let token = token();
    a.fails(6, &["edit", "1", "--add-tag", &token]);
    assert_eq!(tags(&a), json!(["a"]));
}

#[test]
fn who_said_it_is_changed_by_an_option_as_well() {
    let world = World::new();
    let a = with_tags(&world, "a");
    let said = a.co(&["edit", "1", "--source", "the team", "--add-tag", "b"]);
    assert!(
        said.contains("tags: a → a, b") && said.contains("source: user-told → the team"),
        "{said}"
    );
    assert!(a.read(&a.file_of("On call")).contains("\nsource: the team\n"));
    assert_eq!(a.co(&["edit", "1", "--source", "the team"]), "Fact 1 unchanged.\n");
}
