//! `co profile`: the fields of profile.md, set and read without an editor.

use crate::support::{
    Laptop, World, body, by_hand::at, pair::pair, ready::named, terminal::screen, whole::whole,
};

fn value(a: &Laptop, key: &str) -> String {
    a.co(&["profile", "get", key])
}

#[test]
fn a_field_is_set_changed_read_and_removed() {
    let world = World::new();
    let a = named(&world);
    assert_eq!(a.co(&["profile"]), "Name  Ada\n");
    for (words, said) in [
        (&["set", "Editor", "nano"][..], "✓ Editor is now nano.\n"),
        (&["set", "editor", "neovim"], "✓ Editor is now neovim (was nano).\n"),
        (&["set", "Editor", "neovim"], "Editor is already neovim.\n"),
        (&["set", "Work", "context:", "AI", "tools"], "✓ Work is now context: AI tools.\n"),
        (&["set", "name", "Ada Lovelace"], "✓ Name is now Ada Lovelace (was Ada).\n"),
        (&["unset", "WORK"], "✓ Removed Work (was context: AI tools).\n"),
    ] {
        assert_eq!(a.co(&[&["profile"][..], words].concat()), said);
    }
    assert_eq!(a.co(&["profile", "list"]), "Name    Ada Lovelace\nEditor  neovim\n");
    assert_eq!(value(&a, "EDITOR"), "neovim\n");
    let fields = a.json(&["profile"])["data"]["fields"].clone();
    assert_eq!(fields[1], serde_json::json!({ "key": "Editor", "value": "neovim" }));
    assert!(
        a.read("profile.md").ends_with("# Profile\n\n- Name: Ada Lovelace\n- Editor: neovim\n")
    );
    // The file is as sound as before, and agents read it.
    assert_eq!(a.try_co(&["check"]).code, 0);
    assert!(a.co(&["context"]).contains("- Editor: neovim"));
    assert!(screen(&a, 80, &["profile"], &[]).contains("File: "));
    a.fails(5, &["profile", "get", "Pet"]);
    a.fails(5, &["profile", "unset", "Pet"]);
}

#[test]
fn a_change_of_the_profile_is_logged_and_taken_back() {
    let world = World::new();
    let a = at(&world.laptop("a"), "2020-02-14T12:00:00Z");
    a.co(&["init", "--yes", "--name", "Ada"]);
    let before = a.read("profile.md");
    a.co(&["profile", "set", "Editor", "nano"]);
    a.co(&["profile", "set", "Editor", "vim"]);
    // It is the write that is named, and the lines below it are what the undo does.
    insta::assert_snapshot!(whole(&a.co(&["undo", "--dry-run"])), @"
    would undo o2, write: profile.md, Editor: vim (was nano)
      + profile.md: - Editor: nano
      - profile.md: - Editor: vim
    ");
    a.co(&["profile", "unset", "Editor"]);
    insta::assert_snapshot!(whole(&a.co(&["log"])), @"
    [indented]
       o3  2020-02-14 12:00  wrote     profile.md, Editor removed (was vim)
       o2  2020-02-14 12:00  wrote     profile.md, Editor: vim (was nano)
       o1  2020-02-14 12:00  wrote     profile.md, Editor: nano
    ");
    for expected in ["vim\n", "nano\n"] {
        a.co(&["undo"]);
        assert_eq!(value(&a, "Editor"), expected);
    }
    a.co(&["undo"]);
    a.fails(5, &["profile", "get", "Editor"]);
    assert_eq!(body(&a.read("profile.md")), body(&before));
}

#[test]
fn what_cannot_be_a_field_changes_nothing() {
    let token = format!("ghp_{}", "9xKq2LmV7RtZ4WcY8NbJ3HdF6GsP1Qe05AuT");
    for (code, key, value) in [
        (2, "", "x"),
        (2, "a: b", "x"),
        (2, "a\nb", "x"),
        (2, "`code`", "x"),
        (2, "Editor", ""),
        (2, "Editor", "one\ntwo"),
        (2, "Editor", "\u{1b}[31mred"),
        (2, "Timezone", "Mars/Base"),
        (2, "time zone", "the west coast"),
        (6, "Token", token.as_str()),
    ] {
        let world = World::new();
        let a = named(&world);
        let before = a.read("profile.md");
        a.fails(code, &["profile", "set", key, value]);
        assert_eq!(a.read("profile.md"), before, "{key:?} {value:?}");
    }
}

#[test]
fn a_profile_that_was_written_by_hand_keeps_everything_else() {
    let hand = "---\nversion: 1\n---\n\n# Me\n\nI row.\n\n* **Time zone**: Europe/Berlin\n* City: Bern\n\n\
        ## Work\n\n- City: Basel\n\n```\n- Editor: none\n```\n";
    let world = World::new();
    let a = named(&world);
    a.write("profile.md", hand);
    a.co(&["profile", "set", "Timezone", "Europe/Zurich"]);
    a.co(&["profile", "set", "Editor", "vim"]);
    let text = a.read("profile.md");
    let wanted = "# Me\n\nI row.\n\n* **Time zone**: Europe/Zurich\n* City: Bern\n- Editor: vim\n\n## Work\n";
    assert!(text.contains(wanted), "{text}");
    assert!(text.ends_with("- City: Basel\n\n```\n- Editor: none\n```\n"), "{text}");
    // Two of one name: which is meant is the person's to say.
    assert_eq!(value(&a, "city"), "Bern\nBasel\n");
    for words in [&["set", "City", "Thun"][..], &["unset", "City"]] {
        let said = a.fails(3, &[&["profile"][..], words].concat());
        assert!(said.contains("several fields"), "{said}");
    }
    assert_eq!(a.read("profile.md"), text);
}

#[test]
fn an_identity_without_a_profile_gets_one() {
    let world = World::new();
    let a = named(&world);
    std::fs::remove_file(a.identity().join("profile.md")).expect("removed");
    assert!(a.co(&["profile"]).contains("co profile set"));
    a.co(&["profile", "set", "name", "Ada"]);
    let text = a.read("profile.md");
    assert!(text.starts_with("---\nversion: 1\nupdated: "), "{text}");
    assert!(text.ends_with("# Profile\n\n- Name: Ada\n"), "{text}");
    assert_eq!(a.try_co(&["check"]).code, 0);
}

#[test]
fn a_field_and_its_value_may_be_one_word() {
    let world = World::new();
    let a = named(&world);
    for (typed, key, value_of_it) in [
        ("editor=vim", "Editor", "vim\n"),
        ("Timezone=Europe/Berlin", "Timezone", "Europe/Berlin\n"),
        ("favourite tea = Assam", "favourite tea", "Assam\n"),
        ("sum=1+1=2", "sum", "1+1=2\n"),
    ] {
        a.co(&["profile", "set", typed]);
        assert_eq!(value(&a, key), value_of_it, "{typed}");
    }
    // Where both are there, the value is as it was typed.
    a.co(&["profile", "set", "motto", "a=b"]);
    assert_eq!(value(&a, "motto"), "a=b\n");
    for words in
        [&["profile", "set", "Pet"][..], &["profile", "set", "Pet="], &["profile", "set", "=cat"]]
    {
        let said = a.fails(2, words);
        assert!(!a.read("profile.md").contains("Pet") && !said.contains("panic"), "{said}");
    }
}

#[test]
fn a_field_reaches_the_other_laptop_and_the_later_one_stays() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.co(&["profile", "set", "Editor", "nano"]);
    b.co(&["profile", "set", "Pet", "cat"]);
    a.co(&["sync"]);
    b.co(&["sync"]);
    a.co(&["sync"]);
    for laptop in [&a, &b] {
        assert_eq!(
            (value(laptop, "Editor"), value(laptop, "Pet")),
            ("nano\n".into(), "cat\n".into())
        );
    }
    a.co(&["profile", "set", "Editor", "emacs"]);
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    b.co(&["profile", "set", "Editor", "vim"]);
    a.co(&["sync"]);
    b.co(&["sync"]);
    a.co(&["sync"]);
    assert_eq!((value(&a, "Editor"), value(&b, "Editor")), ("vim\n".into(), "vim\n".into()));
}
