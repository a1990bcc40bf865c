//! `co agent import` of what the agents of this laptop know: seen first, and then taken over once.

use crate::support::{
    World,
    agents::{home, laptop, put},
    tokens::token,
};
use std::fs;

#[test]
fn what_agents_know_is_adopted_once_it_was_seen() {
    let world = World::new();
    let a = laptop(&world, "a");
    a.co(&["learn", "Prefers pytest over unittest for Python tests"]);
    a.co(&["learn", "Drinks green tea every morning"]);
    a.co(&["forget", "2"]);
    let token = token();
    put(
        &a,
        ".claude/CLAUDE.md",
        &format!(
            "# Rules\n\n## About me\n- Name: Ada Lovelace\n- Time zone: Europe/London\n\n## Communication style\n\
        - Be brief and direct with me\n\n## Testing\n- Prefers pytest over unittest for Python tests\n\
        - For Python tests, prefers pytest over unittest\n- Always run the linter before a commit\n\
        - Drinks green tea every morning\n- my token is {token}\n\n```\nno fact in here at all\n```\n"
        ),
    );
    put(
        &a,
        ".claude/projects/-x/memory/deploy.md",
        "---\nname: deploy\ndescription: x\ntype: project\n---\nDeploys go through fly.io from the main branch.\n",
    );
    put(
        &a,
        ".codex/AGENTS.md",
        "- Commits use conventional messages always\n- Always run the linter before a commit\n",
    );
    let before = (home(&a), a.tree());
    let shown = a.co(&["agent", "import", "--all", "--dry-run"]);
    assert!(
        shown.contains("Always run the linter") && shown.contains("Timezone: Europe/London"),
        "{shown}"
    );
    assert!(
        shown.contains("similar to 1")
            && shown.contains("github-pat")
            && !shown.contains(&token[8..]),
        "{shown}"
    );
    a.fails(3, &["agent", "import", "--all"]);
    assert!((home(&a), a.tree()) == before, "nothing was agreed to");
    a.co(&["agent", "import", "--all", "--yes"]);
    let mut facts = a.facts();
    facts.sort();
    assert_eq!(
        facts,
        [
            "Always run the linter before a commit",
            "Commits use conventional messages always",
            "Deploys go through fly.io from the main branch.",
            "Prefers pytest over unittest for Python tests",
        ]
    );
    assert!(home(&a) == before.0, "the agents' files stay as they are");
    let profile = a.read("profile.md");
    assert!(
        profile.contains("- Name: Ada\n") && profile.contains("- Timezone: Europe/London"),
        "{profile}"
    );
    assert!(a.read("traits/communication-style.md").contains("- Be brief and direct with me"));
    let linter = a.json(&["recall", "linter"]);
    let id = linter["data"]["results"][0]["id"].as_u64().expect("an id").to_string();
    assert!(
        a.co(&["show", &id]).contains("claude-code") || a.texts().contains("source: claude-code")
    );
    a.co(&["check"]);
    // A second time there is nothing, and one undo takes it back.
    assert!(a.co(&["agent", "import", "--all", "--yes"]).contains("Nothing would change"));
    a.co(&["undo"]);
    assert_eq!(a.facts(), ["Prefers pytest over unittest for Python tests"]);
    assert!(!a.read("profile.md").contains("London"));

    // Rules of a project, where somebody names the agent that has them.
    put(
        &a,
        ".cursor/rules/style.mdc",
        "---\ndescription: x\nalwaysApply: true\n---\n- Names tests after what they promise\n",
    );
    assert!(!a.co(&["agent", "import", "--all", "--dry-run"]).contains("Names tests"));
    a.co(&["agent", "import", "cursor", "--yes"]);
    assert!(a.facts().contains(&"Names tests after what they promise".to_owned()));

    // Exports of other programs.
    put(
        &a,
        "export.json",
        r#"{"results":[{"id":"1","memory":"Rides a bicycle to work","created_at":"2025-01-02T03:04:05Z"}]}"#,
    );
    a.co(&["agent", "import", "--from", "export.json", "--yes"]);
    assert!(a.facts().contains(&"Rides a bicycle to work".to_owned()));
    assert!(a.texts().contains("created: 2025-01-02T03:04:05"));
    put(
        &a,
        "notes/auth.md",
        "---\ntitle: Auth\npermalink: auth\n---\n- [decision] Selected bcrypt for passwords #security\n- relates_to [[X]]\n",
    );
    a.co(&["agent", "import", "--from", "notes", "--yes"]);
    assert!(a.facts().contains(&"Auth: Selected bcrypt for passwords".to_owned()));
    put(&a, "odd.json", "{\"a\": 1}");
    let said = a.try_co(&["agent", "import", "--from", "odd.json", "--dry-run"]);
    assert!(said.err.contains("not an export from a program that co knows"), "{}", said.err);
    a.fails(5, &["agent", "import", "--from", "nowhere"]);
    a.fails(5, &["agent", "import", "nobody"]);
}

#[test]
fn what_is_much_like_a_fact_is_named_and_taken_when_asked_for() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", "Prefers pytest over unittest for all tests"]);
    let notes = "Prefers pytest over unittest for all the tests\n\
        ACME-2782 is the ticket about the login page\n\
        ACME-2999 is the ticket about the login page\n";
    fs::write(a.home.join("notes.txt"), notes).expect("written");
    let said = a.co(&["agent", "import", "--from", "notes.txt", "--yes"]);
    assert!(said.contains("1 line was left out:") && said.contains("--similar"), "{said}");
    assert_eq!(a.facts().len(), 3, "other numbers are other facts: {said}");
    a.co(&["agent", "import", "--from", "notes.txt", "--similar", "--yes"]);
    assert_eq!(a.facts().len(), 4);
}
