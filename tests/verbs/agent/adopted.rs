//! `co agent import` of what the agents of this laptop know: seen first, and then taken over once.

use crate::support::{
    World,
    agents::{home, laptop, put},
    tokens::token,
    whole::whole,
};
use std::fs;

#[test]
fn what_agents_know_is_adopted_once_it_was_seen() {
    let world = World::at("2026-11-20T12:00:00Z");
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
    insta::assert_snapshot!(whole(&shown), @r#"
    Claude Code: 7 proposals from ~/.claude/CLAUDE.md
    Claude Code: 1 proposal from ~/.claude/projects/-x/memory/deploy.md
    Codex: 2 proposals from ~/.codex/AGENTS.md
    Claude Code, Codex, 3 facts   →   this identity, 1 fact

    Learned (3)
      + 3    Always run the linter before a commit  [testing]
      + 4    Deploys go through fly.io from the main branch.  [project]
      + 5    Commits use conventional messages always

    identity/profile.md  changed
      {+- Timezone: Europe/London+}
      Name: `- Name: Ada` (newer than `- Name: Ada Lovelace`)

    identity/traits/communication-style.md  changed
      {+- Be brief and direct with me+}

    18 lines were left out:
      · Ada Lovelace  ~/.claude/CLAUDE.md, line 4: the profile has a different value for Name
      · For Python tests, prefers pytest over unittest  ~/.claude/CLAUDE.md, line 12: similar to 1 "Prefers pytest over unittest for Python tests"
      · Drinks green tea every morning  ~/.claude/CLAUDE.md, line 14: forgotten here on 2026-11-20
      · ~/.claude/CLAUDE.md, line 15: this looks like a GitHub token (rule github-pat: `ghp_zQW…`)
      · no fact in here at all  ~/.claude/CLAUDE.md, lines 17–19: a code block
      · # Rules  ~/.claude/CLAUDE.md, line 1: a heading
      · ## About me  ~/.claude/CLAUDE.md, line 3: a heading
      · ## Communication style  ~/.claude/CLAUDE.md, line 7: a heading
      · ## Testing  ~/.claude/CLAUDE.md, line 10: a heading
      · Prefers pytest over unittest for Python tests  ~/.claude/CLAUDE.md, line 11: already saved
      and 6 more: `--left-out` lists them all
    `--similar` imports 1 of them.
    "#);
    assert!(!shown.contains(&token[8..]), "{shown}");
    insta::assert_snapshot!(whole(&a.fails(3, &["agent", "import", "--all"])), @"
    error: an import asks before it writes, but there is no terminal to ask on
    hint: use `--yes` to accept everything, `--dry-run` to preview
    ");
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
    let said = a.fails(6, &["agent", "import", "--from", "odd.json", "--dry-run"]);
    insta::assert_snapshot!(whole(&said), @"
    error: nothing could be read: ~/odd.json: it is not an export from a program that co knows (mem0, ChatGPT, Claude, Gemini)
    hint: co reads markdown, exports of mem0, ChatGPT, Claude and Gemini (JSON, or the zip archive as it was downloaded), and text with one fact per line
    ");
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
