//! The places where Claude Code keeps notes by its settings: a folder that a trusted project names,
//! a name for a project's folder, the agents that it starts; and an index that is full.

use crate::support::{Laptop, World, files::put, git, notes::folder, projects};
use serde_json::json;
use std::{
    fs,
    path::{Path, PathBuf},
};

const URL: &str = "git@github.com:bin/billing.git";

/// A laptop that shares Claude Code's notes.
fn laptop(world: &World, name: &str, remote: &str) -> Laptop {
    let a = world.laptop(name);
    fs::create_dir_all(a.home.join(".claude")).expect("a folder");
    if name == "a" {
        a.co(&["init", "--yes", "--name", "Ann"]);
        a.co(&["identity", "remote", remote]);
        a.co(&["sync"]);
    } else {
        a.co(&["init", remote, "--yes"]);
    }
    a.co(&["agent", "install", "claude-code", "--notes", "--yes"]);
    a
}

fn clone(a: &Laptop, path: &str) -> PathBuf {
    projects::clone(a, path, URL).canonicalize().expect("a path")
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_default()
}

/// The agent's session starts there, which registers its folder.
fn start(a: &Laptop, project: &Path) {
    let directory = project.to_str().expect("a path");
    let said = a.piped("", &["-C", directory, "hook", "session-start", "--agent", "claude-code"]);
    assert_eq!(said.code, 0, "{}", said.err);
}

fn note(folder: &Path, name: &str, text: &str) {
    let front = format!(
        "---\nname: {name}\ndescription: about {name}\nmetadata:\n  type: project\n  modified: \
         2026-11-20T08:00:00.000Z\n---\n\n"
    );
    put(&folder.join(format!("{name}.md")), format!("{front}{text}\n"));
    let index = read(folder, "MEMORY.md");
    put(&folder.join("MEMORY.md"), format!("{index}- [{name}]({name}.md) — about {name}\n"));
}

fn trust(a: &Laptop, project: &Path, trusted: bool) {
    let path = project.to_str().expect("a path");
    let record = json!({ "projects": { path: { "hasTrustDialogAccepted": trusted } } });
    put(&a.home.join(".claude.json"), record.to_string());
}

#[test]
fn a_folder_that_a_project_names_counts_once_it_is_trusted() {
    let world = World::new();
    let remote = world.remote();
    let (a, b) = (laptop(&world, "a", &remote), laptop(&world, "b", &remote));
    let (on_a, on_b) = (clone(&a, "src/billing"), clone(&b, "work/bill"));
    for (laptop, project, file) in
        [(&a, &on_a, ".claude/settings.json"), (&b, &on_b, ".claude/settings.local.json")]
    {
        put(&project.join(file), "{\"autoMemoryDirectory\": \"~/notes/billing\"}\n");
        start(laptop, project);
    }
    let (here, there) = (a.home.join("notes/billing"), b.home.join("notes/billing"));
    note(&here, "tabs", "Use tabs.");
    // Whoever wrote the project's settings is not asked.
    a.co(&["sync"]);
    assert!(!a.identity().join("agents").exists());
    trust(&a, &on_a, false);
    a.co(&["sync"]);
    assert!(!a.identity().join("agents").exists());
    trust(&a, &on_a, true);
    a.co(&["sync"]);
    assert!(a.read("agents/claude-code/github.com+bin+billing/tabs.md").contains("Use tabs."));
    trust(&b, &on_b, true);
    b.co(&["sync"]);
    assert_eq!(read(&there, "tabs.md"), read(&here, "tabs.md"));
    assert!(read(&there, "MEMORY.md").contains("(tabs.md)"));
    // What the program wrote about a note stays with it: the later of two edits names the time.
    for (folder, words, day) in [(&here, "Use tabs, wide.", "21"), (&there, "Be brief.", "22")] {
        let text = read(folder, "tabs.md").replace("2026-11-20", &format!("2026-11-{day}"));
        put(&folder.join("tabs.md"), format!("{text}\n{words}\n"));
    }
    a.co(&["sync"]);
    b.co(&["sync"]);
    a.co(&["sync"]);
    let text = read(&here, "tabs.md");
    assert!(text.contains("wide.") && text.contains("Be brief."), "{text}");
    assert!(text.contains("modified: 2026-11-22T08:00:00.000Z"), "{text}");
    // An excluded project stays where it is, wherever its notes are.
    a.co(&["config", "set", "agents.notes.exclude", "github.com/bin/*"]);
    note(&here, "later", "Written later.");
    a.co(&["sync"]);
    assert!(!a.identity().join("agents/claude-code/github.com+bin+billing/later.md").exists());
}

#[test]
fn a_project_cannot_name_a_folder_that_is_more_than_its_notes() {
    let world = World::new();
    let remote = world.remote();
    let a = laptop(&world, "a", &remote);
    let project = clone(&a, "src/billing");
    start(&a, &project);
    trust(&a, &project, true);
    note(&a.home, "private", "Of the home folder.");
    note(&a.home.join(".claude/projects/-other/memory"), "other", "Of another project.");
    note(&project, "readme", "Of the project itself.");
    let absolute = project.display().to_string();
    for folder in [
        "~/",
        "~",
        "/",
        "notes",
        "../notes",
        &a.home.display().to_string(),
        &absolute,
        "~/.claude/projects/-other/memory",
        "~/.claude/projects",
        "~/.config/co-cli/identity",
        "~/.config",
    ] {
        let settings = json!({ "autoMemoryDirectory": folder }).to_string();
        put(&project.join(".claude/settings.json"), settings);
        a.co(&["sync"]);
        let names: Vec<String> = a.tree().into_iter().map(|one| one.0).collect();
        let names: Vec<&String> = names.iter().filter(|name| name.contains("billing")).collect();
        assert!(names.is_empty(), "{folder}: {names:?}");
    }
}

#[test]
fn a_session_may_name_the_folder_of_its_project() {
    let world = World::new();
    let remote = world.remote();
    let a = laptop(&world, "a", &remote);
    let project = clone(&a, "src/billing");
    let named = a.home.join(".claude/projects/bills/memory");
    note(&named, "tabs", "Use tabs.");
    let a = a.with_env("CLAUDE_CODE_PROJECT_DIR_NAME", "bills");
    // By itself, Claude Code does not look at it.
    start(&a, &project);
    assert!(!a.texts().contains("Use tabs."));
    let settings = a.home.join(".claude").display().to_string();
    let a = a.with_env("CLAUDE_CONFIG_DIR", &settings);
    start(&a, &project);
    assert!(a.read("agents/claude-code/github.com+bin+billing/tabs.md").contains("Use tabs."));
    // Later commands know it without the variable.
    note(&named, "later", "Written later.");
    let a = a.with_env("CLAUDE_CODE_PROJECT_DIR_NAME", "");
    a.co(&["sync"]);
    assert!(a.read("agents/claude-code/github.com+bin+billing/later.md").contains("later."));
    // A name that leads elsewhere names nothing.
    let outside = a.home.join(".claude/outside/memory");
    note(&outside, "outside", "Elsewhere.");
    let long = "x".repeat(65);
    note(&a.home.join(".claude/projects").join(&long).join("memory"), "outside", "Elsewhere.");
    note(&a.home.join(".claude/projects/a b/memory"), "outside", "Elsewhere.");
    for name in ["../outside", "..", ".", "/tmp", "a/b", "a\\b", "a b", "con", long.as_str()] {
        let a = a.with_env("CLAUDE_CODE_PROJECT_DIR_NAME", name);
        start(&a, &project);
        a.co(&["sync"]);
        assert!(!a.tree().iter().any(|(path, _)| path.contains("outside")), "{name}");
    }
}

#[test]
fn the_agents_that_it_starts_have_their_notes_on_every_laptop() {
    let world = World::new();
    let remote = world.remote();
    let (a, b) = (laptop(&world, "a", &remote), laptop(&world, "b", &remote));
    let (on_a, on_b) = (clone(&a, "src/billing"), clone(&b, "work/bill"));
    start(&a, &on_a);
    start(&b, &on_b);
    let places = |laptop: &Laptop, project: &Path| {
        [
            laptop.home.join(".claude/agent-memory/reviewer"),
            project.join(".claude/agent-memory/reviewer"),
            project.join(".claude/agent-memory-local/tester"),
        ]
    };
    for (at, folder) in places(&a, &on_a).iter().enumerate() {
        put(&folder.join("MEMORY.md"), format!("# Notes\n\nLearned number {at}.\n"));
        put(&folder.join("topic.md"), format!("More on {at}.\n"));
    }
    a.co(&["sync"]);
    b.co(&["sync"]);
    for (here, there) in places(&a, &on_a).iter().zip(places(&b, &on_b)) {
        for name in ["MEMORY.md", "topic.md"] {
            assert_eq!(read(&there, name), read(here, name), "{}", there.display());
            assert!(!read(&there, name).is_empty());
        }
    }
    // Claude Code's own notes are apart from them.
    let own = crate::support::tree(&b.home).into_iter().map(|one| one.0);
    let own: Vec<String> = own.filter(|path| path.starts_with(".claude/projects/")).collect();
    assert!(!own.iter().any(|path| path.contains("reviewer")), "{own:?}");
    // One that is gone is gone everywhere.
    fs::remove_file(places(&b, &on_b)[1].join("topic.md")).expect("a note");
    b.co(&["sync"]);
    a.co(&["sync"]);
    assert!(!places(&a, &on_a)[1].join("topic.md").exists());
    // Nothing is made where there is nothing.
    let other = projects::clone(&b, "work/other", "git@github.com:bin/other.git");
    start(&b, &other);
    b.co(&["sync"]);
    assert!(!other.join(".claude").exists());
}

/// A repository that somebody else wrote names no other folder by a link.
#[cfg(unix)]
#[test]
fn a_link_in_a_work_tree_leads_to_no_notes() {
    use std::os::unix::fs::symlink;
    let world = World::new();
    let remote = world.remote();
    let a = laptop(&world, "a", &remote);
    let project = clone(&a, "src/billing");
    let private = a.home.join("private");
    for name in ["agent-memory", "reviewer"] {
        put(&private.join(name).join("diary.md"), "Not for others.\n");
    }
    let claude = project.join(".claude");
    fs::create_dir_all(claude.join("agent-memory-local")).expect("a folder");
    symlink(private.join("agent-memory"), claude.join("agent-memory")).expect("a link");
    symlink(private.join("reviewer"), claude.join("agent-memory-local/reviewer")).expect("a link");
    start(&a, &project);
    a.co(&["sync"]);
    let there = crate::support::tree(&a.identity());
    assert!(!there.iter().any(|(path, _)| path.contains("diary")), "{there:?}");
    // Nor through a link above it.
    fs::remove_dir_all(&claude).expect("removed");
    symlink(&private, &claude).expect("a link");
    a.co(&["sync"]);
    let there = crate::support::tree(&a.identity());
    assert!(!there.iter().any(|(path, _)| path.contains("diary")), "{there:?}");
    assert_eq!(read(&private.join("agent-memory"), "diary.md"), "Not for others.\n");
}

/// Another branch has other notes, or none: that deletes and takes back nothing elsewhere.
#[test]
fn notes_that_git_tracks_are_left_to_git() {
    let world = World::new();
    let remote = world.remote();
    let a = laptop(&world, "a", &remote);
    let project = clone(&a, "src/billing");
    let [tracked, local] = ["agent-memory", "agent-memory-local"]
        .map(|name| project.join(".claude").join(name).join("tester"));
    put(&tracked.join("topic.md"), "Tracked.\n");
    put(&local.join("topic.md"), "Local.\n");
    git(&project, &["add", ".claude/agent-memory"]);
    start(&a, &project);
    a.co(&["sync"]);
    let kept = a.texts();
    assert!(kept.contains("Local.") && !kept.contains("Tracked."), "{kept}");
    assert_eq!(read(&tracked, "topic.md"), "Tracked.\n");
}

#[test]
fn a_full_index_gets_no_more_lines_and_what_is_left_out_is_named() {
    let world = World::new();
    let remote = world.remote();
    let (a, b) = (laptop(&world, "a", &remote), laptop(&world, "b", &remote));
    let (on_a, on_b) = (clone(&a, "src/billing"), clone(&b, "work/bill"));
    let (here, there) = (folder(&a, &on_a), folder(&b, &on_b));
    for (full, what) in [
        ("- a line of the agent's own\n".repeat(199), "lines"),
        (format!("{}\n", "x".repeat(24_930)), "bytes"),
    ] {
        put(&there.join("MEMORY.md"), full);
        for name in ["first", "second"] {
            let name = format!("{name}-{what}");
            put(&here.join(format!("{name}.md")), format!("---\nname: {name}\n---\n\nText.\n"));
        }
        start(&a, &on_a);
        a.co(&["sync"]);
        start(&b, &on_b);
        let said = b.try_co(&["sync"]);
        let index = read(&there, "MEMORY.md");
        assert!(index.lines().count() <= 200 && index.len() <= 25_000, "{}", index.len());
        assert!(there.join(format!("second-{what}.md")).exists(), "the note itself is there");
        let is_listed = |name: &str| index.contains(&format!("({name}-{what}.md)"));
        assert!(is_listed("first") && !is_listed("second"), "{what}: {}", said.err);
        // Emptied again for the next kind.
        fs::remove_file(there.join("MEMORY.md")).expect("an index");
        b.co(&["sync"]);
        a.co(&["sync"]);
    }
    // Named by the exchange that left it out.
    put(&there.join("MEMORY.md"), "- a line of the agent's own\n".repeat(200));
    put(&here.join("third.md"), "---\nname: third\n---\n\nText.\n");
    a.co(&["sync"]);
    let said = b.try_co(&["sync"]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.err.contains("MEMORY.md is full"), "{}", said.err);
    assert!(said.err.contains("does not see third.md"), "{}", said.err);
}

#[test]
fn an_index_keeps_its_line_ends() {
    let world = World::new();
    let remote = world.remote();
    let (a, b) = (laptop(&world, "a", &remote), laptop(&world, "b", &remote));
    let (on_a, on_b) = (clone(&a, "src/billing"), clone(&b, "work/bill"));
    let (here, there) = (folder(&a, &on_a), folder(&b, &on_b));
    for name in ["tabs", "spaces"] {
        note(&here, name, "Text.");
    }
    let head = "# Mine\r\n\r\n- [tabs](tabs.md) — about tabs\r\n";
    let index = format!("{head}- [spaces](spaces.md) — about spaces\r\n");
    put(&here.join("MEMORY.md"), &index);
    start(&a, &on_a);
    a.co(&["sync"]);
    start(&b, &on_b);
    b.co(&["sync"]);
    assert_eq!(read(&there, "MEMORY.md"), index);
    // A note that goes takes its line along, and nothing else.
    fs::remove_file(there.join("spaces.md")).expect("removed");
    b.co(&["sync"]);
    a.co(&["sync"]);
    assert_eq!(read(&there, "MEMORY.md"), head);
    assert_eq!(read(&here, "MEMORY.md"), head);
    // One that comes has a line like the others.
    put(&here.join("later.md"), "---\nname: later\n---\n\nText.\n");
    a.co(&["sync"]);
    b.co(&["sync"]);
    let now = read(&there, "MEMORY.md");
    assert!(now.starts_with(head) && now.contains("(later.md)"), "{now:?}");
    assert!(now.split_inclusive('\n').all(|line| line.ends_with("\r\n")), "{now:?}");
}
