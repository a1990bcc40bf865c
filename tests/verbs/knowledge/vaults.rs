//! Vaults of Obsidian: notes that are found by their names, followed, and kept with what they say
//! of themselves.

use crate::support::{Laptop, World, files::put_all, ready::laptop, tree};
use std::fs;

/// A vault of notes that link to each other in every way.
const VAULT: &[(&str, &str)] = &[
    (
        "People/Sarah Chen.md",
        "---\naliases: [Dr. Chen, SC]\ncreated: 2024-05-01\nsource: https://example.org/sarah\nrating: 5 # mine\n---\n\n# Sarah\n\n## Work\n\nLeads storage. #people/work ^lead\n",
    ),
    (
        "Meeting Notes.md",
        "With [[Sarah Chen]], [[sarah chen|her]], [[Dr. Chen]] and [[People/Sarah Chen#Work]].\n\n![[plan.png]] ![[Sarah Chen#^lead]] [s](People/Sarah%20Chen.md)\n\n| who |\n|---|\n| [[SC\\|S]] |\n\n`[[Nobody]]` #standup\n",
    ),
    ("Broken.md", "[[Nobody]], [[Sarah Chen#Hobbies]], [gone](gone.md)\n"),
    (".obsidian/app.json", "{}"),
    (".trash/Old.md", "[[Sarah Chen]]\n"),
    ("Attachments/plan.png", "png"),
];

#[test]
fn notes_of_a_vault_are_found_by_name_followed_and_named_when_broken() {
    let world = World::new();
    let a = laptop(&world, "a");
    // A vault inside the identity.
    put_all(&a.identity().join("knowledge/vault"), VAULT);
    let broken = |a: &Laptop| -> Vec<(String, String)> {
        let said = a.json(&["check"]);
        let findings = said["data"]["findings"].as_array().expect("findings").clone();
        let broken = findings.iter().filter(|finding| finding["code"] == "link-broken");
        let text = |value: &serde_json::Value| value.as_str().expect("text").to_owned();
        broken.map(|one| (text(&one["path"]), text(&one["message"]))).collect()
    };
    let expected = |at: &str| {
        let path = format!("knowledge/{at}Broken.md");
        let of = |message: &str| (path.clone(), message.to_owned());
        vec![
            of("links to \"Nobody\", but there is no such document"),
            of(&format!(
                "links to \"Hobbies\" in knowledge/{at}People/Sarah Chen.md, which has no such heading"
            )),
            of(&format!("links to knowledge/{at}gone.md, which does not exist")),
        ]
    };
    for _ in 0..2 {
        let mut found = broken(&a);
        let mut wanted = expected("vault/");
        found.sort();
        wanted.sort();
        // The second time from what is known of the files.
        assert_eq!(found, wanted);
        a.co(&["knowledge", "reindex"]);
    }
    let list = a.co(&["knowledge", "list"]);
    assert!(list.contains("vault/Meeting Notes") && !list.contains("Old"), "{list}");
    let tagged = a.co(&["knowledge", "list", "--tag", "people/work"]);
    assert!(tagged.contains("Sarah Chen") && !tagged.contains("Meeting"), "{tagged}");
    let found = a.co(&["knowledge", "search", "SC"]);
    assert!(found.contains("Sarah Chen"), "{found}");

    // A link follows what it means; a name that still means it stays as it was written.
    a.co(&["knowledge", "move", "vault", "notes", "--yes"]);
    let text = a.read("knowledge/notes/Meeting Notes.md");
    assert_eq!(text, VAULT[1].1);
    a.co(&["knowledge", "move", "notes/People/Sarah Chen", "people/sarah", "--yes"]);
    let text = a.read("knowledge/notes/Meeting Notes.md");
    for link in [
        "[[people/sarah]]",
        "[[people/sarah|her]]",
        "[[Dr. Chen]]",
        "[[people/sarah#Work]]",
        "![[people/sarah#^lead]]",
        "[s](../people/sarah.md)",
        "[[SC\\|S]]",
        "`[[Nobody]]`",
    ] {
        assert!(text.contains(link), "{link}: {text}");
    }
    assert_eq!(broken(&a).len(), 3, "{:?}", broken(&a));
    // What a program keeps in its hidden folders stays where it was.
    assert!(a.identity().join("knowledge/vault/.trash/Old.md").exists());
}

#[test]
fn a_vault_that_is_added_keeps_what_its_notes_say_of_themselves() {
    let world = World::new();
    let a = laptop(&world, "a");
    let vault = a.home.join("Vault");
    put_all(&vault, VAULT);
    a.co(&["knowledge", "add", vault.to_str().expect("a path")]);
    let sarah = a.read("knowledge/articles/vault/people/sarah-chen.md");
    for line in [
        "aliases: [Dr. Chen, SC]\n",
        "rating: 5 # mine\n",
        "source: https://example.org/sarah\n",
        "file: \"~/Vault/People/Sarah Chen.md\"\n",
        "created: 2024-05-01\n",
    ] {
        assert!(sarah.contains(line), "{line}: {sarah}");
    }
    assert_eq!(sarah.matches("---\n").count(), 2, "{sarah}");
    let notes = a.read("knowledge/articles/vault/meeting-notes.md");
    assert!(notes.contains("With [[Sarah Chen]], [[sarah chen|her]], [[Dr. Chen]]"), "{notes}");
    assert!(notes.contains("[s](people/sarah-chen.md)"), "{notes}");
    assert!(a.co(&["knowledge", "list", "--tag", "standup"]).contains("meeting-notes"));
    // Its frontmatter counts when it is added first; then a person may have labelled the document.
    a.co(&["knowledge", "write", "articles/vault/people/sarah-chen", "--tags", "team", "x"]);
    a.co(&["undo"]);
    put_all(&vault, &[("People/Sarah Chen.md", "---\nrating: 1\nmood: good\n---\n\nAnew.\n")]);
    a.co(&["knowledge", "add", vault.to_str().expect("a path")]);
    let sarah = a.read("knowledge/articles/vault/people/sarah-chen.md");
    assert!(sarah.contains("rating: 5 # mine\n") && !sarah.contains("mood"), "{sarah}");
    assert!(sarah.contains("Anew."));
}

#[test]
fn an_identity_inside_a_vault_is_an_identity() {
    let world = World::new();
    let a = world.laptop("a");
    let vault = a.home.join("Vault");
    put_all(&vault, VAULT);
    let before = tree(&vault);
    let inside = vault.join("Identity").display().to_string();
    fs::create_dir(&inside).expect("a folder");
    a.co(&["init", "--yes", &inside]);
    a.co(&["learn", "Likes tea"]);
    a.co(&["knowledge", "write", "people/mara", "With [[Sarah Chen]]"]);
    assert!(a.co(&["check"]).contains("\"Sarah Chen\", but there is no such document"));
    a.co(&["sync"]);
    let mut after = tree(&vault);
    after.retain(|(path, _)| !path.starts_with("Identity"));
    assert_eq!(after, before);
}
