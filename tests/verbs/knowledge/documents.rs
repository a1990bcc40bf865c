//! `co knowledge` and the MCP tools for documents: write, list, seed and sync them, and what their
//! labels say.

use crate::support::{Laptop, World, documents::topics, ready::laptop, whole::whole};
use std::fs;

fn seed(a: &Laptop, name: &str, text: &str) {
    let folder = a.config().join("seed-knowledge");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join(name), text).expect("written");
}

const MODELS: &str = "tags: ai,anthropic,models\n# Claude Model Family\n\n## Claude 4.5 / 4.6 (Latest)\n- Opus 4.6: Most capable, reasoning-heavy tasks\n- Sonnet 4.6: Best balance of speed and intelligence\n- Haiku 4.5: Fastest, lightweight tasks\n\n## Pricing (per 1M tokens)\n- Opus: $15 input / $75 output\n- Sonnet: $3 input / $15 output\n- Haiku: $0.80 input / $4 output\n";

#[test]
fn knowledge_is_written_listed_searched_and_deleted() {
    let world = World::new();
    let a = laptop(&world, "a");
    assert_eq!(a.co(&["knowledge", "list"]), "0 knowledge entries:\n");
    seed(&a, "claude_models.md", MODELS);
    a.co(&["knowledge", "seed"]);
    let text = "## Discord Bot Setup\n\n1. Create a bot at...";
    a.co(&["knowledge", "write", "discord_setup", text, "--tags", "discord,bot"]);
    a.co(&["knowledge", "write", "deploy_steps", "Push, then watch.", "--tags", "deploy,docker"]);
    let table = "3 knowledge entries:\n\n| Topic | Tags | Source |\n|-------|------|--------|\n\
        | claude_models | ai,anthropic,models | seed |\n| deploy_steps | deploy,docker | user |\n\
        | discord_setup | discord,bot | user |\n";
    assert_eq!(a.co(&["knowledge", "list"]), table);

    // Upsert: text and tags.
    let said = a.co(&[
        "knowledge",
        "write",
        "discord_setup",
        "Another text",
        "--tags",
        "discord,bot,setup",
    ]);
    insta::assert_snapshot!(whole(&said), @"
    ✓ Updated discord_setup
      type reference · tags discord, bot, setup
    Location: [world]/a/.config/co-cli/identity/knowledge/discord_setup.md
    ");
    let file = a.read("knowledge/discord_setup.md");
    assert!(
        file.contains("tags: [discord, bot, setup]") && file.contains("\n\nAnother text\n"),
        "{file}"
    );
    assert!(
        file.contains("source: user") && file.contains("created: 2") && file.contains("updated: 2")
    );
    let said = a.co(&["knowledge", "write", "discord_setup", "Another text"]);
    insta::assert_snapshot!(whole(&said), @"
    ✓ discord_setup already has this text
      type reference · tags discord, bot, setup
    Location: [world]/a/.config/co-cli/identity/knowledge/discord_setup.md
    ");
    assert_eq!(a.read("knowledge/discord_setup.md"), file);

    let found = a.json(&["knowledge", "search", "claude models"]);
    assert_eq!(topics(&found)[0], "claude_models");
    let content = found["data"]["results"][0]["content"].as_str().expect("a text");
    assert!(content.starts_with("# Claude Model Family") && content.ends_with("$4 output"));
    let by_source = a.json(&["knowledge", "list", "--source", "seed"]);
    assert_eq!(topics(&by_source), ["claude_models"]);

    let said = a.co(&["knowledge", "delete", "discord_setup"]);
    assert_eq!(said, "✓ Deleted discord_setup\n");
    a.fails(5, &["knowledge", "delete", "old_topic"]);
    a.co(&["undo"]);
    assert_eq!(a.read("knowledge/discord_setup.md"), file);
}

#[test]
fn seeds_are_loaded_once_and_overwrite_nothing() {
    let world = World::new();
    let a = laptop(&world, "a");
    a.co(&["knowledge", "seed"]);
    a.co(&["knowledge", "write", "deploy_steps", "Mine", "--tags", "mine"]);
    seed(&a, "deploy_steps.md", "tags: theirs\nTheirs");
    seed(&a, "plain.md", "No tags here\n");
    seed(&a, ".hidden.md", "x");
    seed(&a, "notes.txt", "x");
    seed(&a, "keys.md", "password: kJ8#mQ2$vL9pXw4z\n");
    let said = a.try_co(&["knowledge", "list"]);
    assert!(said.err.contains("3 files in the seed folder were never loaded"), "{}", said.err);
    let said = a.try_co(&["knowledge", "seed"]);
    assert_eq!(said.out, "✓ Loaded plain\n");
    assert!(said.err.contains("keys.md"), "a secret stays out: {}", said.err);
    assert!(a.read("knowledge/deploy_steps.md").contains("Mine"));
    assert!(a.read("knowledge/plain.md").contains("source: seed"));
    a.co(&["knowledge", "delete", "plain"]);
    assert!(a.co(&["knowledge", "seed"]).contains("Nothing new"), "deleted ones stay deleted");
    assert_eq!(a.co(&["knowledge", "seed", "--again"]), "✓ Loaded plain\n");
}

#[test]
fn labels_are_read_off_the_text_and_kept_where_a_person_wrote_them() {
    let world = World::new();
    let a = laptop(&world, "a");
    let text = "Meeting with Sarah about PostgreSQL migration";
    let said = a.json(&["knowledge", "write", "note", text]);
    assert_eq!(said["data"]["entities"], serde_json::json!(["sarah", "postgresql"]));
    assert_eq!(said["data"]["topics"], serde_json::json!(["database", "migration"]));
    assert_eq!(said["data"]["type"], "meeting");
    assert_eq!(
        topics(&a.json(&["knowledge", "list", "--tag", "sarah", "--tag", "meeting"])),
        ["note"]
    );
    assert!(topics(&a.json(&["knowledge", "list", "--tag", "sarah", "--tag", "auth"])).is_empty());
    // Another text has other labels, but not where somebody wrote them.
    a.edit("knowledge/note.md", "entities: [sarah, postgresql]", "entities: [the-boss]");
    let said = a.json(&["knowledge", "write", "note", "How to deploy with Docker"]);
    assert_eq!(said["data"]["entities"], serde_json::json!(["the-boss"]));
    assert_eq!(said["data"]["topics"], serde_json::json!(["deployment"]));
    assert_eq!(said["data"]["type"], "reference");
    let said = a.try_co(&["knowledge", "write", "x", "x", "--type", "poem"]);
    assert!(said.code == 2 && said.err.contains("possible values"), "{}", said.err);
}

#[test]
fn topics_go_where_their_type_belongs() {
    let world = World::new();
    let a = laptop(&world, "a");
    let at = |arguments: &[&str]| {
        let said = a.json(&[&["knowledge", "write"], arguments].concat());
        said["data"]["topic"].as_str().expect("a topic").to_owned()
    };
    assert_eq!(at(&["Sarah", "x", "--type", "person"]), "people/sarah");
    assert_eq!(at(&["Carmenta", "x", "--type", "project"]), "projects/carmenta");
    assert_eq!(at(&["Auth", "x", "--project", "carmenta"]), "projects/carmenta/auth");
    assert_eq!(
        at(&["Team Standup", "x", "--service", "fireflies"]),
        "integrations/fireflies/team-standup"
    );
    assert_eq!(at(&["git workflow", "x", "--type", "reference"]), "reference/git-workflow");
    let meeting = at(&["Q1 planning", "x", "--type", "meeting"]);
    assert!(meeting.starts_with("meetings/2") && meeting.ends_with("-q1-planning"), "{meeting}");
    let dated = at(&["Sync", "Meeting on 2026-03-20 with Sarah", "--type", "meeting"]);
    assert_eq!(dated, "meetings/2026-03-20-sync");
    // A topic that is one keeps its path; another spelling is the same file.
    assert_eq!(at(&["notes/x", "x", "--type", "meeting"]), "notes/x");
    assert_eq!(at(&["People/Sarah", "y"]), "People/Sarah");
    for bad in ["memories/x", "context", "attachments/a", "../x", "a/.b", "docs/co/x", ""] {
        assert_ne!(a.try_co(&["knowledge", "write", bad, "x"]).code, 0, "{bad}");
    }
    let said = a.try_co(&["knowledge", "write", "a/b/c/d", "x"]);
    insta::assert_snapshot!(whole(&said.err), @"warning: a path of 5 levels is hard to browse; use at most 4");
    let tree = a.co(&["knowledge", "tree"]);
    assert!(tree.contains("│   └── carmenta/  carmenta") || tree.contains("carmenta/"), "{tree}");
    assert!(tree.contains("people/  1, information about individuals"), "{tree}");
}

#[test]
fn the_hot_index_follows_the_tools_that_are_called() {
    let world = World::new();
    let a = laptop(&world, "a");
    a.co(&["knowledge", "write", "discord_setup", "Set it up", "--tags", "discord,bot"]);
    a.co(&["knowledge", "write", "claude_models", "Opus", "--tags", "ai,anthropic,models"]);
    a.co(&["knowledge", "write", "deploy_steps", "Push", "--tags", "deploy,docker"]);
    assert!(!a.co(&["context"]).contains("Knowledge index"));
    let called = |json: &str| {
        let said = a.piped(json, &["hook", "tool-called"]);
        assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (0, "", ""), "{json}");
    };
    called(r#"{"tool_name": "mcp__discord__send_message", "tool_input": {"text": "hello"}}"#);
    called(
        r#"{"tool_name": "Bash", "tool_input": {"command": "TOKEN=abc sudo docker compose up --secret-thing"}}"#,
    );
    called(r#"{"tool_name": "Bash", "tool_input": {"command": "docker ps"}}"#);
    for nonsense in ["", "{}", "[]", "{\"tool_name\": 5}", "\u{0}"] {
        called(nonsense);
    }
    let text = a.co(&["context"]);
    let index = "## Knowledge index (top topics - use knowledge_search for full details)\n\
        - deploy_steps [deploy,docker]\n- discord_setup [discord,bot]\n";
    assert!(text.ends_with(index), "{text}");
    assert!(!a.co(&["context", "--layer", "memories"]).contains("Knowledge index"));
    // Names alone are noted, and do not travel.
    let log = crate::support::files_containing(&a.config(), "docker");
    assert!(
        log.iter().all(|file| !file.to_string_lossy().contains("/identity/")
            || file.ends_with("deploy_steps.md")),
        "{log:?}"
    );
    assert!(crate::support::files_containing(&a.config(), "secret-thing").is_empty());
}

#[test]
fn two_laptops_edit_one_article_and_nothing_is_lost() {
    let world = World::new();
    let a = laptop(&world, "a");
    let remote = world.remote();
    a.co(&[
        "knowledge",
        "write",
        "articles/tea",
        "# Tea\n\nFirst paragraph.\n\nMiddle.\n\nLast paragraph.",
    ]);
    a.co(&["identity", "remote", &remote]);
    a.co(&["sync"]);
    let b = world.laptop("b");
    b.co(&["init", &remote, "--yes"]);
    a.edit("knowledge/articles/tea.md", "First paragraph.", "First paragraph, by a.");
    b.edit("knowledge/articles/tea.md", "Last paragraph.", "Last paragraph, by b.");
    a.co(&["sync"]);
    b.co(&["sync"]);
    a.co(&["sync"]);
    let text = a.read("knowledge/articles/tea.md");
    assert!(text.contains("by a") && text.contains("by b"), "{text}");
    assert_eq!(text, b.read("knowledge/articles/tea.md"));
    // The same line on both: one wins, and the other can be found.
    a.edit("knowledge/articles/tea.md", "Middle.", "Middle of a.");
    b.edit("knowledge/articles/tea.md", "Middle.", "Middle of b.");
    a.co(&["sync"]);
    let said = b.co(&["sync"]);
    a.co(&["sync"]);
    assert_eq!(a.read("knowledge/articles/tea.md"), b.read("knowledge/articles/tea.md"));
    let kept = b.read("knowledge/articles/tea.md");
    assert!(kept.contains("Middle of b."), "the newer text: {kept}");
    let named = said.split("theirs is in commit ").nth(1).expect("the commit of the loser");
    let commit = named.split(')').next().expect("a commit");
    let lost = b.git(&["show", &format!("{commit}:knowledge/articles/tea.md")]);
    assert!(lost.contains("Middle of a."), "{lost}");
    assert!(said.contains("Please review articles/tea (edited on both laptops)"), "{said}");
    let rows = said.lines().filter(|line| line.trim_start().starts_with("articles/tea "));
    assert_eq!(rows.count(), 1, "one row says it all: {said}");
    // Written anew on both: the later one stays, on both.
    a.co(&["knowledge", "write", "articles/tea", "Entirely by a"]);
    b.co(&["knowledge", "write", "articles/tea", "Entirely by b"]);
    a.co(&["sync"]);
    b.co(&["sync"]);
    a.co(&["sync"]);
    assert_eq!(a.read("knowledge/articles/tea.md"), b.read("knowledge/articles/tea.md"));
    a.co(&["knowledge", "delete", "articles/tea"]);
    a.co(&["sync"]);
    b.co(&["sync"]);
    assert!(!b.identity().join("knowledge/articles/tea.md").exists());
}

#[test]
fn a_project_has_documents_of_its_own() {
    let world = World::new();
    let a = laptop(&world, "a");
    let project = world.path("project");
    fs::create_dir_all(project.join(".co-cli")).expect("a project");
    let inside = ["-C", project.to_str().expect("a path")];
    let co = |arguments: &[&str]| a.co(&[arguments, &inside].concat());
    a.co(&["knowledge", "write", "notes", "of the user"]);
    co(&["knowledge", "write", "notes", "of the project"]);
    assert!(project.join(".co-cli/knowledge/notes.md").exists());
    assert!(co(&["knowledge", "show", "notes"]).contains("of the project"));
    assert!(co(&["knowledge", "show", "notes", "--scope", "identity"]).contains("of the user"));
    assert_eq!(
        co(&["knowledge", "list"]).lines().filter(|line| line.contains("| notes |")).count(),
        2
    );
    co(&["knowledge", "delete", "notes"]);
    assert!(!project.join(".co-cli/knowledge/notes.md").exists());
    assert!(a.read("knowledge/notes.md").contains("of the user"));
}

#[test]
fn the_tree_of_a_larger_collection() {
    let world = World::new();
    let a = laptop(&world, "a");
    let all = "people/sarah people/mike people/dr-martinez projects/carmenta/overview \
        projects/carmenta/architecture projects/carmenta/auth projects/carmenta/integrations \
        projects/carmenta/roadmap projects/side-project/overview decisions/postgresql-over-mysql \
        decisions/jwt-vs-sessions decisions/vercel-hosting meetings/2025-12-22-q1-planning \
        meetings/2025-12-20-architecture-review meetings/2025-12-18-investor-update \
        reference/oauth-setup-guide reference/deployment-checklist reference/git-workflow \
        insights/code-review-patterns insights/meeting-effectiveness \
        integrations/limitless/2025-12-22-daily integrations/fireflies/2025-12-22-team-standup \
        integrations/notion/project-wiki";
    for topic in all.split_whitespace() {
        let said = a.try_co(&["knowledge", "write", topic, &format!("What {topic} says.")]);
        assert_eq!((said.code, said.err.as_str()), (0, ""), "{topic}");
    }
    let tree = a.co(&["knowledge", "tree"]);
    assert!(
        tree.starts_with("knowledge/  23\n├── decisions/  3, decisions not tied to a project\n"),
        "{tree}"
    );
    let meetings = "├── meetings/  3, meeting notes, with their date first\n\
        │   ├── 2025-12-18-investor-update\n│   ├── 2025-12-20-architecture-review\n\
        │   └── 2025-12-22-q1-planning\n";
    assert!(tree.contains(meetings) && !tree.contains("hint:"), "{tree}");
    let listed = a.co(&["knowledge", "list", "--in", "projects/carmenta"]);
    insta::assert_snapshot!(whole(&listed), @"
    5 knowledge entries:

    | Topic | Tags | Source |
    |-------|------|--------|
    | projects/carmenta/architecture |  | user |
    | projects/carmenta/auth |  | user |
    | projects/carmenta/integrations |  | user |
    | projects/carmenta/overview |  | user |
    | projects/carmenta/roadmap |  | user |
    ");
    assert_eq!(a.json(&["check"])["data"]["findings"].as_array().map(Vec::len), Some(0));
    // A folder of its own for two is said to help nobody, ten flat ones want some.
    a.co(&["knowledge", "write", "reference/git/rebase", "x"]);
    for number in 0..10 {
        a.co(&["knowledge", "write", &format!("flat-{number}"), "x"]);
    }
    let tree = a.co(&["knowledge", "tree"]);
    let (_, hints) = tree.split_once("oauth-setup-guide\n").expect("the last document");
    insta::assert_snapshot!(whole(hints), @"
    hint: 10 documents are not in folders; `co knowledge migrate` proposes where they belong
    hint: reference/git/ contains only 1 document; fewer than 5 are not worth a folder of their own
    hint: 10 documents begin with `flat`; a folder flat/ makes them easier to browse (`co knowledge move`)
    ");
    // What came from one place is managed together.
    a.co(&["knowledge", "write", "from-notion", "x", "--service", "notion"]);
    insta::assert_snapshot!(whole(&a.fails(3, &["knowledge", "delete", "--source", "notion"])), @"
    error: 1 document would be deleted, but there is no terminal to ask on
    hint: use `--yes` to confirm
    ");
    assert_eq!(
        a.co(&["knowledge", "delete", "--source", "notion", "--yes"]),
        "✓ Deleted integrations/notion/from-notion\n"
    );
    a.fails(5, &["knowledge", "delete", "--source", "notion", "--yes"]);
    let either = a.json(&["knowledge", "search", "\"vercel-hosting\" OR \"git-workflow\""]);
    let mut found = topics(&either);
    found.sort();
    assert_eq!(found, ["decisions/vercel-hosting", "reference/git-workflow"]);
}

#[test]
fn what_says_who_you_are_becomes_a_part_of_the_profile() {
    let world = World::new();
    let a = laptop(&world, "a");
    for (name, kind, part) in [
        ("preferences", "preference", "preferences"),
        ("Editor choice", "preference", "editor-choice"),
        ("identity", "identity", "identity"),
        ("communication", "communication", "communication"),
        ("How I write", "communication", "how-i-write"),
        ("About me", "identity", "about-me"),
    ] {
        let text = format!("What holds of {name}.");
        let report = a.json(&["knowledge", "write", name, &text, "--type", kind]);
        assert_eq!(report["data"]["topic"], format!("profile/{part}"), "{report}");
        assert_eq!(report["data"]["type"], "preference", "{report}");
        assert!(a.co(&["context"]).contains(&text), "{name} is in every context");
    }
    assert_eq!(a.try_co(&["check"]).code, 0);
    // Where a folder is named, or a project, it goes there.
    let said = a.co(&["knowledge", "write", "notes/vim", "x", "--type", "preference"]);
    assert!(said.contains("notes/vim"), "{said}");
    let said =
        a.co(&["knowledge", "write", "vim", "x", "--type", "preference", "--project", "Carmenta"]);
    assert!(said.contains("projects/carmenta/vim"), "{said}");
    // A text that only says so itself is not put into every context.
    let typed = "---\ntype: preference\n---\n\nUses vim.\n";
    assert_eq!(a.piped(typed, &["knowledge", "write", "tools", "-"]).code, 0);
    assert!(a.read("knowledge/tools.md").contains("Uses vim."));
    // The flat ones that are there stay where they are found.
    assert!(!a.co(&["knowledge", "migrate", "--dry-run"]).contains("profile/"));
}

#[test]
fn what_says_that_it_is_not_editable_is_left_as_it_is() {
    let world = World::new();
    let a = laptop(&world, "a");
    let forms = [
        "editable: false",
        "editable: False",
        "editable: no",
        "editable: \"false\"",
        "editable: FALSE # mine",
    ];
    let file = world.path("given.md");
    for (at, form) in forms.iter().enumerate() {
        let topic = format!("notes/kept-{at}");
        fs::write(&file, "# Given\n\nA text.\n").expect("written");
        let given = file.display().to_string();
        a.co(&["knowledge", "add", &given, "--topic", &topic]);
        let path = format!("knowledge/{topic}.md");
        a.edit(&path, "---\n\n", &format!("{form}\n---\n\n"));
        let before = a.read(&path);
        fs::write(&file, "# Given\n\nAnother text.\n").expect("written");
        for verb in [
            &["knowledge", "write", &topic, "Other"][..],
            &["knowledge", "delete", "--yes", &topic],
            &["knowledge", "delete", "--yes", "--in", "notes"],
        ] {
            let said = a.fails(6, verb);
            assert!(said.contains("editable: false"), "{verb:?}: {said}");
        }
        assert_ne!(a.try_co(&["knowledge", "add", &given, "--topic", &topic]).code, 0, "{form}");
        assert_eq!(a.read(&path), before, "{form}");
        a.edit(&path, form, "editable: true");
        a.co(&["knowledge", "write", &topic, "Other"]);
        a.co(&["knowledge", "delete", "--yes", &topic]);
    }
    assert_eq!(a.try_co(&["check"]).code, 0);
}

#[test]
fn what_links_to_a_document_and_what_a_person_is_involved_in_is_complete() {
    let world = World::new();
    let a = laptop(&world, "a");
    a.write(
        "knowledge/people/sarah.md",
        "---\naliases: [Sarah Chen]\n---\n\n# Notes\n\nTech lead.\n",
    );
    a.co(&["knowledge", "write", "projects/carmenta", "The project."]);
    a.co(&["knowledge", "write", "notes/auth", "How login works."]);
    let mut named: Vec<String> = Vec::new();
    for day in 1..=25 {
        let topic = format!("meetings/2026-01-{day:02}-standup");
        let text = match day % 5 {
            0 => "sarah moved the deadline.",
            1 => "Everybody agreed with Sarah's plan.",
            2 => "---\ntags: [sarah]\n---\n\nNothing new.",
            3 => "Talked to (Sarah) about Carmenta.",
            _ => "Sarah Chen was ill.",
        };
        // By hand, and by co.
        if day % 2 == 0 {
            a.write(&format!("knowledge/{topic}.md"), &format!("{text}\n"));
        } else {
            assert_eq!(a.piped(text, &["knowledge", "write", &topic, "-"]).code, 0);
        }
        named.push(topic);
    }
    a.co(&["knowledge", "write", "notes/other", "The sarahs of this world, and auth."]);
    let links =
        ["[[people/sarah]]", "[s](../people/sarah.md)", "[[Sarah Chen]]", "[[sarah#Work|her]]"];
    let mut linked: Vec<String> = Vec::new();
    for (at, link) in links.into_iter().enumerate() {
        a.co(&["knowledge", "write", &format!("notes/link-{at}"), &format!("See {link}.")]);
        linked.push(format!("notes/link-{at}"));
    }
    let shown = |topic: &str, key: &str| -> Vec<String> {
        let report = a.json(&["knowledge", "show", topic]);
        let topics = report["data"][key].as_array().cloned().unwrap_or_default();
        topics.iter().map(|one| one.as_str().expect("a topic").to_owned()).collect()
    };
    assert_eq!(shown("people/sarah", "named_in"), named);
    assert_eq!(shown("people/sarah", "linked_from"), linked);
    assert_eq!(shown("projects/carmenta", "named_in").len(), 5);
    // A word that any text may have names nothing.
    assert!(shown("notes/auth", "named_in").is_empty());
    let screen =
        crate::support::terminal::screen(&a, 80, &["knowledge", "show", "people/sarah"], &[]);
    assert!(screen.contains("linked from  notes/link-0"), "{screen}");
    assert!(screen.contains("named in     meetings/2026-01-01-standup"), "{screen}");
    // A pipe gets the text alone.
    assert_eq!(a.co(&["knowledge", "show", "notes/auth"]), "How login works.\n");
}
