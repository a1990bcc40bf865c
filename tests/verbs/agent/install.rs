//! `co agent install` and `uninstall` on prepared homes: co's part is added and removed, and
//! everything else stays as it was, to the byte.

use crate::support::{
    World,
    agents::{home, install, laptop, put, text, uninstall},
    whole::whole,
};
use assert_cmd::cargo::cargo_bin;
use serde_json::{Value, json};
use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    process::Command,
};

/// The whole screen, whatever the version of co.
fn screen(said: &str) -> String {
    whole(said).replace(env!("CARGO_PKG_VERSION"), "[version]")
}

/// The folders by which each agent is known.
const SIGNS: &[&str] = &[
    ".claude",
    ".codex",
    ".cursor",
    ".copilot",
    ".config/Code/User",
    ".config/Claude",
    ".config/opencode",
    ".codeium/windsurf",
    ".gemini/antigravity-cli",
    ".qwen",
    ".config/zed",
    ".local/share/goose",
    ".cline",
    ".kimi-code",
];

/// Settings as people have them: comments, unknown keys, tabs, Windows' line ends, other servers.
const SETTINGS: &[(&str, &str)] = &[
    (
        ".claude.json",
        "{\n  \"numStartups\": 4,\n  \"mcpServers\": {\n    \"x\": {\"command\": \"x\"}\n  },\n  \"tips\": {}\n}",
    ),
    (".claude/CLAUDE.md", "# My rules\r\n\r\nBe brief.\r\n"),
    (
        ".claude/settings.json",
        "{\"model\":\"opus\",\"hooks\":{\"SessionStart\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"echo hi\"}]}]}}\n",
    ),
    (
        ".codex/config.toml",
        "# mine\nmodel = \"x\"   # c\n\n[mcp_servers.y]\ncommand = 'y'\n\n[tui]\ntheme='dark'",
    ),
    (".config/Claude/claude_desktop_config.json", "{\n  \"mcpServers\": {},\n  \"mine\": 1\n}\n"),
    (".codex/AGENTS.md", "No trailing line end"),
    (".gemini/settings.json", "{\n\t// mine\n\t\"theme\": \"Dark\",\n\t\"mcpServers\": {}\n}\n"),
    (
        ".gemini/antigravity-cli/mcp_config.json",
        "{\n  \"mcpServers\": {\n    \"far\": {\"serverUrl\": \"https://example.org/mcp\"}\n  }\n}\n",
    ),
    (
        ".gemini/antigravity-cli/hooks.json",
        "{\n  \"lint\": {\n    \"Stop\": [{\"type\": \"command\", \"command\": \"lint\"}]\n  }\n}\n",
    ),
    (".cursor/mcp.json", "{}"),
    (".copilot/mcp-config.json", "{ \"mcpServers\" : { } }\n"),
    (
        ".config/Code/User/mcp.json",
        "{\r\n  /* mine */\r\n  \"servers\": {\r\n    \"z\": {},\r\n  },\r\n  \"inputs\": [],\r\n}\r\n",
    ),
    (
        ".config/opencode/opencode.json",
        "{\"$schema\": \"https://opencode.ai/config.json\", \"theme\": \"x\"}",
    ),
    (".config/opencode/AGENTS.md", "# Mine\n"),
    (".codeium/windsurf/mcp_config.json", ""),
    (".qwen/settings.json", "\u{feff}{\n    \"a\": 1\n}\n"),
    (
        ".config/zed/settings.json",
        "// Zed settings\n//\n{\n  \"theme\": \"One\",\n  \"vim_mode\": true,\n}\n",
    ),
    (
        ".config/goose/config.yaml",
        "# mine\nGOOSE_MODEL: x # c\nextensions:\n  developer:\n    enabled: true\n    type: builtin\nother: 1\n",
    ),
    (".cline/data/settings/cline_mcp_settings.json", "{\n  \"mcpServers\": {\n  }\n}\n"),
    (".kimi-code/mcp.json", "{\"mcpServers\":{\"q\":{\"command\":\"q\"}}}"),
];

/// From ten on.
const WORDS: &[&str] = &[
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
];

#[test]
fn documents_say_how_many_agents_there_are() {
    let world = World::new();
    let listed = world.laptop("a").json(&["agent", "list"]);
    let count = listed["data"]["agents"].as_array().expect("a list").len();
    let word = |count: usize| WORDS[count - 10];
    for (file, said) in [
        // Beside the two that are named there.
        ("README.md", format!("(Claude Code, Codex, {} others)", word(count - 2))),
        ("docs/compare.md", format!("it serves [{} others](agents.md)", word(count))),
        ("CHANGELOG.md", format!("`co doctor agents` for {} agents", word(count))),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let text = fs::read_to_string(path).expect("readable");
        assert!(text.contains(&said), "{file} does not say \"{said}\"");
    }
}

#[test]
fn all_agents_in_and_out_to_the_byte() {
    let world = World::new();
    for prepared in [&[][..], SETTINGS] {
        let a = laptop(&world, if prepared.is_empty() { "bare" } else { "used" });
        SIGNS.iter().for_each(|sign| fs::create_dir_all(a.home.join(sign)).expect("a folder"));
        put(&a, ".gemini/settings.json", "{}\n");
        prepared.iter().for_each(|(path, text)| put(&a, path, text));
        let before = home(&a);
        a.co(&["agent", "install", "--all", "--hooks", "--dry-run"]);
        assert!(home(&a) == before, "a dry run wrote something");
        a.fails(3, &["agent", "install", "--all"]);
        assert!(home(&a) == before, "nobody agreed to anything");

        let said = install(&a, &["--all", "--hooks"]);
        assert_eq!(said.matches("is connected.").count(), 15, "{said}");
        let after = home(&a);
        for (path, text) in prepared {
            let now = self::text(&a, path);
            let lines = text.lines().filter(|line| line.contains("mine") || line.contains("theme"));
            for line in lines.filter(|_| text.lines().count() > 1) {
                assert!(now.contains(line.trim_end()), "{path} lost {line:?}: {now}");
            }
            let is_windows = text.contains("\r\n");
            assert_eq!(
                is_windows,
                now.replace("\r\n", "").find('\n').is_none() && now.contains("\r\n"),
                "{path}"
            );
        }
        let said = install(&a, &["--all", "--hooks"]);
        assert_eq!(said.matches("was already connected.").count(), 15, "{said}");
        assert!(home(&a) == after, "a second install changed something");
        let rows = a.json(&["agent", "list"]);
        for row in rows["data"]["agents"].as_array().expect("agents") {
            assert_eq!(row["server"], "current", "{row}");
            assert_ne!(row["instructions"], "missing", "{row}");
            assert_ne!(row["hooks"], "missing", "{row}");
        }
        let doctor = a.json(&["agent", "doctor"]);
        assert_eq!(doctor["data"]["errors"], 0, "{doctor}");
        let answers = doctor["data"]["checks"].as_array().expect("checks").iter();
        assert_eq!(
            answers.filter(|check| check["what"] == "answer" && check["level"] == "ok").count(),
            15
        );

        a.fails(3, &["agent", "uninstall", "--all"]);
        uninstall(&a, &["--all"]);
        let (now, was) = (home(&a), before);
        for ((path, bytes), (known, expected)) in now.iter().zip(&was) {
            assert_eq!(
                (path, String::from_utf8_lossy(bytes)),
                (known, String::from_utf8_lossy(expected))
            );
        }
        assert_eq!(now.len(), was.len());
        assert!(!a.home.join(".agents").exists(), "folders that were made go again");
        assert!(!a.config().join("local/agents.json").exists());
        a.fails(5, &["agent", "uninstall", "--all", "--yes"]);
    }
}

#[test]
fn what_a_person_changed_meanwhile_stays() {
    let world = World::new();
    let a = laptop(&world, "a");
    SETTINGS.iter().for_each(|(path, text)| put(&a, path, text));
    install(&a, &["claude-code", "codex", "goose", "cline", "--hooks"]);
    let edit = |path: &str, from: &str, to: &str| {
        let now = text(&a, path);
        assert!(now.contains(from), "{path}: {now}");
        put(&a, path, &now.replacen(from, to, 1));
    };
    edit(".claude.json", "\"tips\": {}", "\"tips\": {}, \"new\": 1");
    edit(".codex/config.toml", "model = \"x\"", "model = \"y\"");
    edit(".config/goose/config.yaml", "other: 1", "other: 2");
    edit(".claude/CLAUDE.md", "Be brief.", "Be very brief.");
    // What is allowed without asking is the person's to say.
    edit(
        ".cline/data/settings/cline_mcp_settings.json",
        "\"autoApprove\": []",
        "\"autoApprove\": [\"recall_memory\"]",
    );
    let said = install(&a, &["claude-code", "codex", "goose", "cline"]);
    assert_eq!(said.matches("was already connected").count(), 4, "{said}");
    uninstall(&a, &["--all"]);
    let now = text(&a, ".claude.json");
    assert!(now.contains("\"new\": 1") && now.contains("\"x\"") && !now.contains("mcp\""), "{now}");
    assert!(text(&a, ".codex/config.toml").contains("model = \"y\"   # c"));
    let (_, of_goose) = SETTINGS.iter().find(|(path, _)| path.contains("goose")).expect("goose");
    assert_eq!(text(&a, ".config/goose/config.yaml"), of_goose.replace("other: 1", "other: 2"));
    assert_eq!(text(&a, ".claude/CLAUDE.md"), "# My rules\r\n\r\nBe very brief.\r\n");
    assert!(!text(&a, ".codex/config.toml").contains("mcp_servers.co"));

    // Without a record the parts are found all the same.
    install(&a, &["claude-code", "codex"]);
    fs::remove_file(a.config().join("local/agents.json")).expect("a record");
    uninstall(&a, &["--all"]);
    assert!(!text(&a, ".claude.json").contains("\"mcp\""));
    assert!(!text(&a, ".claude/CLAUDE.md").contains("BEGIN co"));
}

#[test]
fn servers_within_braces_get_one_more_and_stay_as_they_were() {
    let world = World::new();
    let a = laptop(&world, "a");
    for was in [
        "model = \"x\"\nmcp_servers = { fs = { command = \"x\" } }\n",
        "model = \"x\"\nmcp_servers = {fs = {command = \"x\"}}",
        "model = \"x\"\nmcp_servers = {} # none yet\n\n[tui]\na = 1\n",
        "model = \"x\"\r\nmcp_servers = { fs.command = \"x\", \"b\" = { url = \"#\" } } # c\r\n",
        "model = \"x\"\n\"mcp_servers\" = {\n  # files\n  fs = { command = \"x\" }, # f\n}\n",
        "model = \"x\"\nmcp_servers = { # mine,\n\tfs = { command = \"x\" }\n}\n[tui]\na = 1\n",
        "model = \"x\"\nmcp_servers.fs.command = \"x\"\nmcp_servers.fs.args = []\n",
        "model = \"x\"\n[mcp_servers]\nfs = { command = \"x\" } # f\n\n[tui]\na = 1\n",
    ] {
        put(&a, ".codex/config.toml", was);
        install(&a, &["codex"]);
        let now = text(&a, ".codex/config.toml");
        let listed = a.json(&["agent", "list"]).to_string();
        assert!(listed.contains("\"current\""), "{now}: {listed}");
        let said = install(&a, &["codex"]);
        assert!(said.contains("already connected"), "{was}: {said}");
        uninstall(&a, &["codex"]);
        assert_eq!(text(&a, ".codex/config.toml"), was);

        // Changed meanwhile, it is co's entry alone that goes.
        install(&a, &["codex"]);
        let edited = text(&a, ".codex/config.toml").replace("model = \"x\"", "model = \"y\"");
        put(&a, ".codex/config.toml", &edited);
        uninstall(&a, &["codex"]);
        let tight = |text: &str| text.replace(' ', "").trim_end().to_owned();
        let expected = was.replace("model = \"x\"", "model = \"y\"");
        assert_eq!(tight(&text(&a, ".codex/config.toml")), tight(&expected));
    }
}

#[test]
fn a_moved_program_replaces_its_entry() {
    let world = World::new();
    let a = laptop(&world, "a");
    SETTINGS.iter().for_each(|(path, text)| put(&a, path, text));
    let before = home(&a);
    install(&a, &["--all", "--hooks"]);
    let elsewhere = a.home.join("my programs/it's here");
    fs::create_dir_all(&elsewhere).expect("a folder");
    // By another program: one that this process has open for writing, or a child of another test
    // as it starts, cannot be run.
    let copied = Command::new("cp").arg(cargo_bin("co")).arg(&elsewhere).status();
    assert!(copied.is_ok_and(|status| status.success()));
    let moved = elsewhere.join("co");
    let rows = a.command_of(&moved, &["agent", "list", "--json"]).output().expect("runs");
    assert!(String::from_utf8_lossy(&rows.stdout).contains("\"stale\""));
    let done = a.command_of(&moved, &["agent", "install", "--all", "--hooks", "--yes"]).output();
    assert!(done.expect("runs").status.success());
    for (path, bytes) in home(&a) {
        let now = String::from_utf8_lossy(&bytes);
        let old = cargo_bin("co").display().to_string();
        if path.contains("my programs") {
            continue;
        }
        assert!(!now.contains(&old), "{path} names the old place");
        assert!(now.matches("hook session-start").count() <= 1, "{path}: {now}");
    }
    let doctor = a.command_of(&moved, &["agent", "doctor"]).output().expect("runs");
    assert!(doctor.status.success(), "{}", String::from_utf8_lossy(&doctor.stdout));
    let done = a.command_of(&moved, &["agent", "uninstall", "--all", "--yes"]).output();
    assert!(done.expect("runs").status.success());
    fs::remove_dir_all(a.home.join("my programs")).expect("removed");
    assert!(home(&a) == before);
}

#[test]
fn what_cannot_be_edited_safely_is_left_alone() {
    let world = World::new();
    let foreign = r#"{"mcpServers": {"co": {"command": "uvx", "args": ["co-operate"]}}}"#;
    for (agent, path, content, why) in [
        ("claude-code", ".claude.json", "{\"a\": ", "JSON"),
        ("claude-code", ".claude.json", "{\"mcpServers\": [], \"a\": 1}", "mcpServers"),
        ("claude-code", ".claude.json", "{\"mcpServers\": {}, \"mcpServers\": {}}", "twice"),
        ("claude-code", ".claude.json", foreign, "not this program"),
        ("codex", ".codex/config.toml", "a = \nTOKEN = \"sk-SECRET\"\n", "TOML"),
        ("codex", ".codex/config.toml", "mcp_servers = 3\n", "mcp_servers"),
        ("goose", ".config/goose/config.yaml", "a: [1\nTOKEN: sk-SECRET\n", "YAML"),
        ("goose", ".config/goose/config.yaml", "d: &d {}\nextensions: *d\n", "extensions"),
        ("gemini", ".gemini/settings.json", "[]", "whole file"),
        ("cursor", ".cursor/mcp.json/in-a-folder", "x", "regular file"),
        ("cursor", ".cursor", "a file", "not a folder"),
    ] {
        let a = laptop(&world, &format!("{agent}-{}", content.len()));
        put(&a, path, content);
        let before = home(&a);
        let said = a.try_co(&["agent", "install", agent, "--yes"]);
        assert_eq!(said.code, 6, "{path} {content}: {}{}", said.out, said.err);
        assert!(said.err.contains(why), "{content}: {}", said.err);
        assert!(!said.err.contains("SECRET"), "{}", said.err);
        assert!(home(&a) == before, "{path} {content}: something changed");
    }
    // Read-only, and by mode alone: whoever runs this may write anything.
    let a = laptop(&world, "read-only");
    put(&a, ".codex/config.toml", "model = 1\n");
    fs::set_permissions(a.home.join(".codex/config.toml"), fs::Permissions::from_mode(0o444))
        .expect("set");
    let before = home(&a);
    let said = a.fails(6, &["agent", "install", "codex", "--yes"]);
    assert!(said.contains("read-only") && said.contains("chmod u+w"), "{said}");
    assert!(home(&a) == before);
    // One that cannot be changed does not stop the others.
    put(&a, ".cursor/mcp.json", "{}");
    let said = a.try_co(&["agent", "install", "codex", "cursor", "--yes"]);
    assert_eq!(said.code, 6);
    assert!(said.out.contains("Cursor is connected"), "{}", said.out);
}

#[test]
fn links_stay_links() {
    let world = World::new();
    let a = laptop(&world, "a");
    put(&a, "dotfiles/rules.md", "# Shared rules\n");
    fs::create_dir_all(a.home.join(".claude")).expect("a folder");
    fs::create_dir_all(a.home.join(".codex")).expect("a folder");
    symlink(a.home.join("dotfiles/rules.md"), a.home.join(".claude/CLAUDE.md")).expect("a link");
    symlink(a.home.join("dotfiles/rules.md"), a.home.join(".codex/AGENTS.md")).expect("a link");
    // One whose file is not there yet.
    symlink("dotfiles/claude.json", a.home.join(".claude.json")).expect("a link");
    install(&a, &["claude-code", "codex"]);
    assert!(fs::symlink_metadata(a.home.join(".claude.json")).expect("there").is_symlink());
    assert!(text(&a, "dotfiles/claude.json").contains("mcpServers"));
    assert_eq!(text(&a, "dotfiles/rules.md").matches("BEGIN co").count(), 1, "one block for both");
    // What the other still reads stays.
    let said = uninstall(&a, &["claude-code"]);
    assert!(said.contains("is kept for Codex"), "{said}");
    assert_eq!(text(&a, "dotfiles/rules.md").matches("BEGIN co").count(), 1);
    uninstall(&a, &["codex"]);
    assert_eq!(text(&a, "dotfiles/rules.md"), "# Shared rules\n");
    assert!(fs::symlink_metadata(a.home.join(".claude.json")).expect("there").is_symlink());
    assert!(!a.home.join("dotfiles/claude.json").exists());
}

#[test]
fn a_block_is_read_once() {
    let world = World::new();
    // One file brings in the other, whichever is named first.
    let a = laptop(&world, "a");
    put(&a, ".codex/AGENTS.md", "# Codex\n");
    put(&a, ".claude/CLAUDE.md", "@~/.codex/AGENTS.md\n");
    install(&a, &["claude-code", "codex"]);
    assert_eq!(text(&a, ".claude/CLAUDE.md"), "@~/.codex/AGENTS.md\n");
    assert!(text(&a, ".codex/AGENTS.md").contains("BEGIN co"));
    insta::assert_snapshot!(whole(&uninstall(&a, &["codex"])), @"
    ✓ Codex: disconnected.
    note: ~/.codex/AGENTS.md is kept for Claude Code
    ");
    // A new file of its own would hide what opencode reads now.
    let b = laptop(&world, "b");
    put(&b, ".claude/CLAUDE.md", "# Mine\n");
    fs::create_dir_all(b.home.join(".config/opencode")).expect("a folder");
    install(&b, &["claude-code"]);
    insta::assert_snapshot!(whole(&install(&b, &["opencode"])), @"
    ✓ opencode is connected.
    Next: start a new session and ask: what do you know about me? `co doctor agents` checks that everything works.
    note: opencode reads ~/.claude/CLAUDE.md as long as ~/.config/opencode/AGENTS.md does not exist, so co did not create it
    ");
    assert!(!b.home.join(".config/opencode/AGENTS.md").exists());
    insta::assert_snapshot!(whole(&uninstall(&b, &["claude-code"])), @"
    ✓ Claude Code: disconnected.
    note: ~/.claude/CLAUDE.md is kept for opencode
    ");
    // Codex reads the override alone.
    let c = laptop(&world, "c");
    put(&c, ".codex/AGENTS.override.md", "# Over\n");
    install(&c, &["codex"]);
    assert!(text(&c, ".codex/AGENTS.override.md").contains("BEGIN co"));
    assert!(!c.home.join(".codex/AGENTS.md").exists());
    // Of two files of settings the one that is there, and the one that has co.
    let d = laptop(&world, "d");
    put(&d, ".config/opencode/opencode.jsonc", "{\n  // mine\n}\n");
    install(&d, &["opencode"]);
    assert!(text(&d, ".config/opencode/opencode.jsonc").contains("\"mcp\""));
    put(&d, ".config/opencode/opencode.json", "{}");
    insta::assert_snapshot!(whole(&install(&d, &["opencode"])), @"✓ opencode was already connected.");
    // Another folder of the agent.
    let e = laptop(&world, "e")
        .with_env("CLAUDE_CONFIG_DIR", &world.path("e/work").display().to_string());
    put(&e, ".claude.json", "{}");
    install(&e, &["claude-code"]);
    assert!(text(&e, "work/.claude.json").contains("mcpServers"));
    insta::assert_snapshot!(screen(&e.co(&["agent", "doctor", "claude-code"])), @"
    ok       Claude Code  server       ~/work/.claude.json
    ok       Claude Code  answer       co [version] answers with 6 tools
    ok       Claude Code  instructions ~/work/CLAUDE.md
    warning  Claude Code  server       ~/.claude.json is used without CLAUDE_CONFIG_DIR and has no entry for co
    1 warning.
    ");
}

#[test]
fn what_a_person_wrote_is_never_deleted() {
    let world = World::new();
    let a = laptop(&world, "a");
    // A skill of that name, and comments that look like marks.
    put(&a, ".agents/skills/co-memory/SKILL.md", "mine\n");
    put(&a, ".codex/AGENTS.md", "<!-- BEGIN co workers -->we<!-- END co -->\n");
    let own = r#"{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"/x/co hook session-start && notify"}]}]}}"#;
    put(&a, ".codex/hooks.json", own);
    let before = home(&a);
    insta::assert_snapshot!(whole(&install(&a, &["codex", "--hooks"])), @"
    ✓ Codex is connected.
    Next: start a new session and ask: what do you know about me? `co doctor agents` checks that everything works.
    note: ~/.agents/skills/co-memory/SKILL.md exists and is not co's: it was left unchanged
    note: Codex runs a hook only after you have trusted it: `/hooks` in Codex, and trust it
    ");
    uninstall(&a, &["codex"]);
    assert!(home(&a) == before);
    // A line within the block.
    install(&a, &["codex"]);
    let edited =
        text(&a, ".codex/AGENTS.md").replace("<!-- END co -->\n", "- mine too\n<!-- END co -->\n");
    let edited = edited.replacen("we- mine too\n<!-- END co -->", "we<!-- END co -->", 1);
    put(&a, ".codex/AGENTS.md", &edited);
    insta::assert_snapshot!(whole(&uninstall(&a, &["codex"])), @"
    ✓ Codex: disconnected.
    note: ~/.codex/AGENTS.md: co's text was edited by hand, so it was left there: delete it yourself
    ");
    assert!(text(&a, ".codex/AGENTS.md").contains("- mine too"));
    // Marks that do not fit together.
    let b = laptop(&world, "b");
    install(&b, &["codex"]);
    let open = text(&b, ".codex/AGENTS.md").replace("<!-- END co -->", "");
    put(&b, ".codex/AGENTS.md", &open);
    let said = b.fails(6, &["agent", "install", "codex", "--yes"]);
    insta::assert_snapshot!(whole(&said), @"
    error: Codex was left unchanged: ~/.codex/AGENTS.md: the markers of co's block in it do not match
    hint: remove co's block and what is left of its markers, then run the command again
    ");
    assert_eq!(text(&b, ".codex/AGENTS.md"), open);
}

#[test]
fn keys_of_others_are_not_shown() {
    let world = World::new();
    let a = laptop(&world, "a");
    put(
        &a,
        ".claude.json",
        "{\"oauth\":\"hunter2\",\"mcpServers\":{\"x\":{\"env\":{\"K\":\"sk-ant-abc\"}}}}",
    );
    put(
        &a,
        ".codex/config.toml",
        "[mcp_servers.a]\ncommand = \"x\"\n[mcp_servers.a.env]\nTOKEN = \"hunter2\"",
    );
    put(&a, ".config/goose/config.yaml", "extensions:\n  a:\n    envs:\n      TOKEN: hunter2\n");
    put(
        &a,
        ".cursor/mcp.json",
        "{\n  \"mcpServers\": {\n    \"a\": {\n      \"env\": {\n        \"K\": \"hunter2\"\n      }\n    }\n  }\n}\n",
    );
    let names = ["claude-code", "codex", "goose", "cursor"];
    for form in [&["--dry-run"][..], &["--dry-run", "--json"]] {
        let said = a.co(&[&["agent", "install"], &names[..], form].concat());
        assert!(!said.contains("hunter2") && !said.contains("sk-ant"), "{said}");
        assert!(said.contains("mcp"), "{said}");
    }
    install(&a, &names);
    let said = a.co(&["agent", "uninstall", "--all", "--dry-run"]);
    assert!(!said.contains("hunter2") && !said.contains("sk-ant"), "{said}");
}

#[test]
fn several_at_once_leave_one_record() {
    let world = World::new();
    let a = laptop(&world, "a");
    SETTINGS.iter().for_each(|(path, text)| put(&a, path, text));
    let before = home(&a);
    let names = ["codex", "gemini", "cursor", "zed", "goose"];
    let started: Vec<_> = names
        .iter()
        .map(|name| a.command(&["agent", "install", name, "--yes"]).spawn().expect("runs"))
        .collect();
    for mut child in started {
        let code = child.wait().expect("ends").code();
        assert!(matches!(code, Some(0 | 9)), "{code:?}");
    }
    install(&a, &names);
    uninstall(&a, &["--all"]);
    assert!(home(&a) == before);
}

#[test]
fn tools_are_counted_only_where_that_was_asked_for() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    fs::create_dir_all(a.home.join(".claude")).expect("a folder");
    let settings = || fs::read_to_string(a.home.join(".claude/settings.json")).unwrap_or_default();
    install(&a, &["claude-code", "--hooks"]);
    let hooks = settings();
    assert!(hooks.contains("session-start") && hooks.contains("session-end"), "{hooks}");
    assert!(!hooks.contains("PostToolUse") && !hooks.contains("tool-called"), "{hooks}");
    install(&a, &["claude-code", "--count-tools"]);
    assert!(settings().contains("hook tool-called"), "{}", settings());
    // What is there stays, and goes with the rest.
    install(&a, &["claude-code"]);
    assert!(settings().contains("hook tool-called"), "{}", settings());
    a.co(&["agent", "uninstall", "claude-code", "--yes"]);
    assert!(!settings().contains("hook"), "{}", settings());
}

#[test]
fn a_session_starts_in_the_form_of_its_agent_and_ends_with_a_sync() {
    let world = World::new();
    let a = laptop(&world, "a");
    let url = world.remote();
    a.co(&["identity", "remote", &url]);
    a.co(&["sync"]);
    a.co(&["learn", "Rows on Tuesdays"]);
    for (agent, path) in [
        ("claude-code", "/hookSpecificOutput/additionalContext"),
        ("gemini", "/hookSpecificOutput/additionalContext"),
        ("cursor", "/additional_context"),
        ("copilot", "/additionalContext"),
    ] {
        let reply: Value =
            serde_json::from_str(&a.co(&["hook", "session-start", "--agent", agent]))
                .expect("JSON");
        let said = reply.pointer(path).expect(agent).as_str().expect("a text");
        assert!(
            said.starts_with("What the user wants agents to know")
                && said.contains(": Rows on Tuesdays\n"),
            "{said}"
        );
    }
    assert!(a.co(&["hook", "session-start"]).starts_with("<system-reminder>"));
    // Many facts: within what agents carry whole, and what is left out is named.
    for at in 0..300 {
        a.write(
            &format!("knowledge/memories/{:03}-x.md", at + 10),
            &format!("---\nid: {}\ncreated: 2026-01-01T00:00:00.{at:06}Z\n---\n\nA fact of some length, number {at}, {}\n", at + 10, "word ".repeat(40)),
        );
    }
    a.write(
        "knowledge/context.md",
        &format!("---\nversion: 1\n---\n\n{}\n", "A line of knowledge.\n".repeat(500)),
    );
    let reply: Value =
        serde_json::from_str(&a.co(&["hook", "session-start", "--agent", "codex"])).expect("JSON");
    let said = reply["hookSpecificOutput"]["additionalContext"].as_str().expect("a text");
    assert!(said.chars().count() <= 10_000 && said.contains("There is more"), "{}", said.len());

    // The end syncs, and says nothing when all is well.
    let said = a.try_co(&["hook", "session-end", "--agent", "claude-code"]);
    assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (0, "", ""));
    let b = world.laptop("b");
    b.co(&["init", &url, "--yes"]);
    assert!(b.facts().iter().any(|fact| fact == "Rows on Tuesdays"));
    // It never fails a session: no identity, no remote, a hook of nobody.
    fs::remove_dir_all(world.path("remote.git")).expect("removed");
    a.co(&["learn", "Later"]);
    assert_eq!(a.try_co(&["hook", "session-end"]).code, 0);
    let c = world.laptop("c");
    assert_eq!(c.try_co(&["hook", "session-end"]).code, 0);
    assert_ne!(c.try_co(&["hook", "session-start", "--agent", "claude-code"]).code, 2);
    assert_ne!(c.try_co(&["hook", "session-start", "--nonsense"]).code, 2);
    // The overview says who was here.
    put(&a, ".claude.json", "{}");
    install(&a, &["claude-code"]);
    assert!(a.co(&["status"]).contains("Claude Code ✓ read just now"));
    assert!(a.co(&[]).contains("agents   Claude Code ✓ read just now"));
}

#[test]
fn doctor_tries_what_an_agent_would() {
    let world = World::new();
    let a = laptop(&world, "a");
    put(&a, ".cursor/mcp.json", "{}");
    install(&a, &["cursor"]);
    let file = a.home.join(".cursor/mcp.json");
    let good = text(&a, ".cursor/mcp.json");
    insta::assert_snapshot!(screen(&a.co(&["agent", "doctor"])), @"
    ok       Cursor       server       ~/.cursor/mcp.json
    ok       Cursor       answer       co [version] answers with 6 tools
    ");
    let fake = |name: &str, script: &str| {
        let program = a.home.join(name).join("co");
        put(&a, &format!("{name}/co"), script);
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("set");
        let entry = json!({"mcpServers": {"co": {"command": program, "args": ["mcp"]}}});
        fs::write(&file, entry.to_string()).expect("written");
        let said = a.try_co(&["agent", "doctor", "cursor"]);
        assert_eq!(said.code, 1, "{}", said.out);
        said.out
    };
    insta::assert_snapshot!(whole(&fake("ends", "#!/bin/sh\nexit 3\n")), @"
    warning  Cursor       server       ~/.cursor/mcp.json points to another co; `co agent install cursor`
    error    Cursor       answer       it exited, or did not speak MCP; `co agent install cursor`
    1 error, 1 warning.
    ");
    insta::assert_snapshot!(whole(&fake("hangs", "#!/bin/sh\nsleep 60\n")), @"
    warning  Cursor       server       ~/.cursor/mcp.json points to another co; `co agent install cursor`
    error    Cursor       answer       it did not answer within 5 seconds; `co agent install cursor`
    1 error, 1 warning.
    ");
    let said = fake(
        "other",
        "#!/bin/sh\nread x; echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"serverInfo\":{\"name\":\"x\"}}}'; read y; read z\necho '{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[]}}'\n",
    );
    insta::assert_snapshot!(whole(&said), @"
    warning  Cursor       server       ~/.cursor/mcp.json points to another co; `co agent install cursor`
    error    Cursor       answer       `x` answers instead of co; `co agent install cursor`
    1 error, 1 warning.
    ");
    let entry = json!({"mcpServers": {"co": {"command": "/nowhere/co", "args": ["mcp"]}}});
    fs::write(&file, entry.to_string()).expect("written");
    insta::assert_snapshot!(whole(&a.try_co(&["agent", "doctor"]).out), @"
    warning  Cursor       server       ~/.cursor/mcp.json points to another co; `co agent install cursor`
    error    Cursor       answer       /nowhere/co is not a program; `co agent install cursor`
    1 error, 1 warning.
    ");
    fs::write(&file, good).expect("written");
    // A hook that Codex was not told to trust.
    put(&a, ".codex/config.toml", "");
    install(&a, &["codex", "--hooks"]);
    let said = a.try_co(&["agent", "doctor", "codex", "--strict"]);
    assert_eq!(said.code, 1, "{}", said.out);
    insta::assert_snapshot!(screen(&said.out), @"
    ok       Codex        server       ~/.codex/config.toml
    ok       Codex        answer       co [version] answers with 6 tools
    ok       Codex        instructions ~/.codex/AGENTS.md
    warning  Codex        hooks        ~/.codex/hooks.json: not trusted yet, so it does not run; `/hooks` in Codex, and trust it
    1 warning.
    ");
    // Without an identity nothing works, however well it is connected.
    let b = world.laptop("b").with_env("PATH", "/usr/bin:/bin");
    put(&b, ".cursor/mcp.json", "{}");
    insta::assert_snapshot!(whole(&install(&b, &["cursor"])), @"
    ✓ Cursor is connected.
    Next: start a new session and ask: what do you know about me? `co doctor agents` checks that everything works.
    note: Cursor reads its servers when it starts: restart it
    note: there is no identity yet; `co init` creates one
    ");
    let said = b.try_co(&["agent", "doctor"]);
    assert_eq!(said.code, 1, "{}", said.out);
    insta::assert_snapshot!(screen(&said.out), @"
    error    co           identity     there is no identity in ~/.config/co-cli/identity; `co init`
    ok       Cursor       server       ~/.cursor/mcp.json
    ok       Cursor       answer       co [version] answers with 6 tools
    1 error.
    ");
}

#[test]
fn an_agents_own_program_adds_and_a_persons_settings_stay() {
    let world = World::new();
    let a = laptop(&world, "a");
    let programs = a.home.join("programs");
    // What `claude mcp add-json` does, with a note that it was asked.
    put(
        &a,
        "programs/claude",
        "#!/bin/sh\necho \"$@\" >> \"$HOME/asked\"\n[ \"$2\" = add-json ] && printf '{\"projects\": {}, \"mcpServers\": {\"co\": %s}}' \"$6\" > \"$HOME/.claude.json\"\nexit 0\n",
    );
    fs::set_permissions(programs.join("claude"), fs::Permissions::from_mode(0o755)).expect("set");
    let path = format!("{}:/usr/bin:/bin", programs.display());
    let a = a.with_env("PATH", &path);
    put(&a, ".claude.json", "{\"projects\": {}}");
    install(&a, &["claude-code"]);
    assert!(
        text(&a, "asked").starts_with("mcp add-json --scope user co {"),
        "{}",
        text(&a, "asked")
    );
    assert!(text(&a, ".claude.json").contains("alwaysLoad"));
    // A moved program: what the person set in the entry is theirs, and nobody is asked.
    let now = text(&a, ".claude.json");
    let mine = now
        .replace("[\"mcp\"]", "[\"mcp\", \"--read-only\"]")
        .replace("\"env\":{}", "\"env\":{\"MINE\":\"1\"}");
    assert_ne!(now, mine);
    let old = cargo_bin("co").display().to_string();
    put(&a, ".claude.json", &mine.replace(&old, "/old/co"));
    fs::remove_file(a.home.join("asked")).expect("removed");
    install(&a, &["claude-code"]);
    let now = text(&a, ".claude.json");
    assert!(
        now.contains("--read-only") && now.contains("MINE") && !now.contains("/old/co"),
        "{now}"
    );
    assert!(!a.home.join("asked").exists());
    // A program that does nothing: the entry goes all the same.
    uninstall(&a, &["claude-code"]);
    assert!(text(&a, "asked").contains("mcp remove"));
    assert!(!text(&a, ".claude.json").contains("\"co\""));
}

#[test]
fn odd_homes_cost_nothing_else() {
    let world = World::new();
    // A link that leads to itself.
    let a = laptop(&world, "a");
    put(&a, ".codex/config.toml", "");
    symlink("AGENTS.md", a.home.join(".codex/AGENTS.md")).expect("a link");
    assert!(a.co(&["agent", "list"]).contains("codex"));
    a.co(&["status"]);
    // What a person deleted does not come back.
    let b = laptop(&world, "b");
    put(&b, ".codex/config.toml", "model = 1\n");
    install(&b, &["codex"]);
    fs::remove_dir_all(b.home.join(".codex")).expect("removed");
    uninstall(&b, &["codex"]);
    assert!(!b.home.join(".codex").exists());
    // Settings that were once given are taken back.
    let c = laptop(&world, "c");
    put(&c, ".cursor/mcp.json", "{}");
    c.co(&[
        "--identity",
        &c.home.join("elsewhere").display().to_string(),
        "agent",
        "install",
        "cursor",
        "--yes",
    ]);
    assert!(text(&c, ".cursor/mcp.json").contains("CO_IDENTITY_PATH"));
    assert!(install(&c, &["cursor"]).contains("is connected"));
    assert!(!text(&c, ".cursor/mcp.json").contains("CO_IDENTITY_PATH"));
    // A program behind a link keeps the name of the link.
    let d = laptop(&world, "d");
    let bin = d.home.join("bin");
    fs::create_dir_all(&bin).expect("a folder");
    symlink(cargo_bin("co"), bin.join("co")).expect("a link");
    let d = d.with_env("PATH", &format!("{}:/usr/bin:/bin", bin.display()));
    put(&d, ".cursor/mcp.json", "{}");
    install(&d, &["cursor"]);
    assert!(text(&d, ".cursor/mcp.json").contains(&bin.join("co").display().to_string()));
    // What was forgotten stays forgotten, although the file that says it is newer.
    let e = laptop(&world, "e");
    e.co(&["learn", "Drinks green tea every morning"]);
    e.co(&["forget", "1"]);
    put(&e, ".codex/AGENTS.md", "- Drinks green tea every morning\n- Rides a bicycle to work\n");
    let said = e.co(&["agent", "import", "codex", "--yes"]);
    assert!(said.contains("forgotten here on"), "{said}");
    assert_eq!(e.facts(), ["Rides a bicycle to work"]);
}

#[test]
fn an_agent_with_the_plugin_is_connected_by_it() {
    let world = World::new();
    let a = laptop(&world, "a");
    put(&a, ".claude/settings.json", "{\"enabledPlugins\": {\"co@co\": true}}");
    put(&a, ".gemini/extensions/co/gemini-extension.json", "{}");
    put(&a, ".gemini/settings.json", "{}");
    let before = home(&a);
    let said = install(&a, &["--all", "--hooks"]);
    insta::assert_snapshot!(whole(&said), @"
    ✓ Claude Code was already connected.
    ✓ Gemini CLI was already connected.
    note: Claude Code has co as a plugin, so it is left as it is
    note: Gemini CLI has co as a plugin, so it is left as it is
    ");
    assert!(home(&a) == before, "{said}");
    let rows = a.json(&["agent", "list"]);
    let rows = rows["data"]["agents"].as_array().expect("agents").clone();
    assert_eq!(rows.iter().filter(|row| row["plugin"] == true).count(), 2);
    // A plugin starts the co of the PATH.
    insta::assert_snapshot!(whole(&a.try_co(&["doctor", "agents"]).out), @"
    error    Claude Code  plugin       co is one of its plugins, but `co` is not on the PATH
    error    Gemini CLI   plugin       co is one of its plugins, but `co` is not on the PATH
    2 errors.
    ");
    let co = cargo_bin("co");
    let path = format!("{}:/usr/bin:/bin", co.parent().expect("a folder").display());
    let doctor = || {
        let said = a.command_of(&co, &["doctor", "agents"]).env("PATH", &path).output();
        String::from_utf8_lossy(&said.expect("it runs").stdout).into_owned()
    };
    insta::assert_snapshot!(whole(&doctor()), @"
    ok       Claude Code  plugin       co is one of its plugins
    ok       Gemini CLI   plugin       co is one of its plugins
    ");

    // Switched off, it counts no more; with both, doctor says so.
    put(&a, ".claude/settings.json", "{\"enabledPlugins\": {\"co@co\": false}}");
    install(&a, &["claude-code"]);
    put(&a, ".claude/settings.json", "{\"enabledPlugins\": {\"co@co\": true}}");
    insta::assert_snapshot!(screen(&doctor()), @"
    ok       Claude Code  server       ~/.claude.json
    ok       Claude Code  answer       co [version] answers with 6 tools
    warning  Claude Code  plugin       co is also one of its plugins, so each tool is there twice; `co agent uninstall claude-code`
    ok       Claude Code  instructions ~/.claude/CLAUDE.md
    ok       Gemini CLI   plugin       co is one of its plugins
    1 warning.
    ");
}
