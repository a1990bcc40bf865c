//! The agents that `co init` connects when it is told to, or when it asked.

use crate::support::{
    World,
    agents::{home, put, text},
};
use std::{fs, path::Path};

#[test]
fn a_first_day_connects_agents_when_told_to() {
    let world = World::new();
    let a = world.laptop("a").with_env("PATH", "/usr/bin:/bin");
    put(&a, ".claude.json", "{}");
    a.co(&["init", "--yes", "--name", "Ada"]);
    assert_eq!(text(&a, ".claude.json"), "{}", "`--yes` agrees to an identity, not to more");
    let b = world.laptop("b").with_env("PATH", "/usr/bin:/bin");
    put(&b, ".claude.json", "{}");
    let said = b.co(&["init", "--yes", "--name", "Ada", "--agents"]);
    assert!(said.contains("Connected: Claude Code."), "{said}");
    assert!(text(&b, ".claude.json").contains("\"alwaysLoad\": true"));
    assert!(Path::new(&b.home.join(".claude/skills/co-memory/SKILL.md")).exists());
}

#[test]
fn init_offers_agents_with_hooks_once_and_names_those_it_leaves() {
    let world = World::new();
    let remote = world.remote();
    let first = world.laptop("first").with_env("PATH", "/usr/bin:/bin");
    first.co(&["init", "--yes", "--name", "Ada", "--remote", &remote]);
    for (sign, title) in [
        (".claude", "Claude Code"),
        (".codex", "Codex"),
        (".cursor", "Cursor"),
        (".qwen", "Qwen Code"),
        (".codeium/windsurf", "Windsurf"),
    ] {
        for target in [None, Some(remote.as_str())] {
            let name = format!("{}-{}", sign.replace('/', "-"), target.is_some());
            let a = world.laptop(&name).with_env("PATH", "/usr/bin:/bin");
            fs::create_dir_all(a.home.join(sign)).expect("a folder");
            let before = home(&a);
            let typed: Vec<&str> = ["init"].into_iter().chain(target).chain(["--yes"]).collect();
            let said = a.co(&typed);
            assert!(said.contains(&format!("Not connected yet: {title}.")), "{typed:?}: {said}");
            assert!(said.contains("`co agent install --all --hooks`"), "{typed:?}: {said}");
            assert!(home(&a) == before, "{typed:?} connects nobody unasked");
        }
    }
    let nobody = world.laptop("nobody").with_env("PATH", "/usr/bin:/bin");
    assert!(!nobody.co(&["init", "--yes"]).contains("connected"));

    for (answer, has_hooks) in [("y\n", true), ("n\n", false)] {
        let a = world.laptop(&format!("asked-{has_hooks}")).with_env("PATH", "/usr/bin:/bin");
        fs::create_dir_all(a.home.join(".claude")).expect("a folder");
        fs::create_dir_all(a.home.join(".codex")).expect("a folder");
        let answers = [
            ("Your name", "Ada\n"),
            ("Time zone", "\n"),
            ("Git remote", "\n"),
            ("Connect these agents", "y\n"),
            ("Use hooks to start their sessions with your context", answer),
            ("Check facts before each commit", "n\n"),
            ("Proceed", "y\n"),
        ];
        let said = crate::support::terminal::screen(&a, 80, &["init"], &answers);
        assert!(said.contains("Connected: "), "{said}");
        let listed = a.json(&["agent", "list"]);
        let agents = listed["data"].to_string();
        assert_eq!(agents.contains("\"hooks\":\"current\""), has_hooks, "{agents}");
        let settings = a.home.join(".claude/settings.json");
        let settings = fs::read_to_string(settings).unwrap_or_default();
        assert_eq!(settings.contains("hook session-start"), has_hooks, "{settings}");
    }
}
