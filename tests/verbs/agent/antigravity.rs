//! Antigravity CLI, as it is documented: two folders that may have its settings, hooks by name, a
//! hook before every call of the model. And Gemini CLI, which it follows.

use crate::support::{
    Laptop, World,
    agents::{home, laptop},
    git, report_skipped,
};
use serde_json::{Value, json};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

const SHARED: &str = ".gemini/config";

const OWN: &str = ".gemini/antigravity-cli";

fn read(a: &Laptop, path: &str) -> Value {
    let text = fs::read_to_string(a.home.join(path)).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

#[test]
fn its_settings_are_written_where_their_folder_is() {
    let world = World::new();
    for (at, (folders, places)) in [
        (&[OWN][..], &[SHARED, OWN][..]),
        (&[SHARED][..], &[SHARED][..]),
        (&[SHARED, OWN][..], &[SHARED, OWN][..]),
        // Only its program is there.
        (&[][..], &[SHARED][..]),
    ]
    .into_iter()
    .enumerate()
    {
        let mut a = laptop(&world, &format!("l{at}"));
        for folder in folders {
            fs::create_dir_all(a.home.join(folder)).expect("a folder");
        }
        if folders.is_empty() {
            let program = a.home.join("bin/agy");
            fs::create_dir_all(a.home.join("bin")).expect("a folder");
            fs::write(&program, "#!/bin/sh\n").expect("written");
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("a program");
            a = a.with_env("PATH", &format!("{}:/usr/bin:/bin", a.home.join("bin").display()));
        }
        let before = home(&a);
        let said = a.co(&["agent", "install", "antigravity", "--hooks", "--yes"]);
        assert!(said.contains("Antigravity CLI is connected."), "{said}");
        assert!(said.contains("~/.gemini/config and ~/.gemini/antigravity-cli"), "{said}");
        for place in [SHARED, OWN] {
            let files = ["mcp_config.json", "hooks.json"].map(|name| format!("{place}/{name}"));
            if !places.contains(&place) {
                assert!(files.iter().all(|file| !a.home.join(file).exists()), "{folders:?}");
                continue;
            }
            let server = read(&a, &files[0])["mcpServers"]["co"].clone();
            assert_eq!(server["args"], json!(["mcp"]), "{folders:?}: {server}");
            assert!(server["command"].as_str().expect("a program").ends_with("/co"), "{server}");
            let hooks = read(&a, &files[1]);
            let hook = &hooks["co"]["PreInvocation"][0];
            assert_eq!(
                (&hook["type"], &hook["timeout"]),
                (&json!("command"), &json!(10)),
                "{hooks}"
            );
            let line = hook["command"].as_str().expect("a command");
            assert!(line.ends_with("/co hook session-start --agent antigravity"), "{line}");
            assert_eq!(hooks.as_object().map(serde_json::Map::len), Some(1), "{hooks}");
        }
        let block = fs::read_to_string(a.home.join(".gemini/GEMINI.md")).expect("instructions");
        assert!(block.contains("BEGIN co") && !block.lines().any(|line| line.starts_with('@')));
        assert!(a.home.join(".agents/skills/co-memory/SKILL.md").exists());
        let said = a.co(&["agent", "install", "antigravity", "--hooks", "--yes"]);
        assert!(said.contains("already connected"), "{said}");
        assert_eq!(a.json(&["agent", "doctor", "antigravity"])["data"]["errors"], 0);
        a.co(&["agent", "uninstall", "antigravity", "--yes"]);
        assert!(home(&a) == before, "{folders:?}");
    }
}

#[test]
fn hooks_of_others_and_a_switch_stay() {
    let world = World::new();
    let a = laptop(&world, "a");
    let [file, other] = [SHARED, OWN].map(|place| a.home.join(place).join("hooks.json"));
    for file in [&file, &other] {
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
    }
    for theirs in [
        "{}",
        "{\n  \"lint\": {\n    \"Stop\": [{\"type\": \"command\", \"command\": \"lint\"}]\n  }\n}\n",
        "{\"a\": {\"enabled\": false, \"PreInvocation\": [{\"command\": \"a hook session-start && b\"}]}}",
        "{\n\t// mine\n\t\"guard\": {\"PreToolUse\": [{\"matcher\": \"*\", \"hooks\": []}]}\n}\n",
        "",
    ] {
        for file in [&file, &other] {
            fs::write(file, theirs).expect("written");
        }
        a.co(&["agent", "install", "antigravity", "--hooks", "--yes"]);
        for file in [&file, &other] {
            let now = fs::read_to_string(file).expect("hooks");
            assert!(now.contains("hook session-start --agent antigravity"), "{now}");
        }
        a.co(&["agent", "uninstall", "antigravity", "--yes"]);
        for file in [&file, &other] {
            assert_eq!(fs::read_to_string(file).expect("hooks"), theirs);
        }
    }
    // Switched off by its person, co's hook is named and not switched on.
    a.co(&["agent", "install", "antigravity", "--hooks", "--yes"]);
    let now = fs::read_to_string(&file).expect("hooks");
    fs::write(&file, now.replacen("\"PreInvocation\"", "\"enabled\": false, \"PreInvocation\"", 1))
        .expect("written");
    let said = a.co(&["agent", "doctor", "antigravity"]);
    assert!(said.contains("switched off"), "{said}");
    a.co(&["agent", "install", "antigravity", "--hooks", "--yes"]);
    assert!(fs::read_to_string(&file).expect("hooks").contains("\"enabled\": false"));
}

#[test]
fn a_session_starts_once_and_in_the_folder_that_it_is_about() {
    let world = World::new();
    let a = laptop(&world, "a");
    a.co(&["learn", "Rows on Tuesdays"]);
    let project: PathBuf = a.home.join("work/app");
    fs::create_dir_all(project.join(".co-cli/knowledge")).expect("a project");
    git(&project, &["init", "-q"]);
    fs::write(project.join(".co-cli/instructions.md"), "Build with zig.\n").expect("written");
    let hook = |input: &str| {
        let said = a.piped(input, &["hook", "session-start", "--agent", "antigravity"]);
        assert_eq!(said.code, 0, "{input}: {}", said.err);
        let reply: Value = serde_json::from_str(&said.out).expect("JSON alone");
        let step = &reply["injectSteps"][0]["ephemeralMessage"];
        step.as_str().map(str::to_owned)
    };
    let call = |number: u64, folders: Value| {
        json!({"conversationId": "c", "invocationNum": number, "initialNumSteps": 3,
            "workspacePaths": folders})
        .to_string()
    };
    let here = json!([project.display().to_string()]);
    let first = hook(&call(0, here.clone())).expect("a context");
    assert!(first.contains("Rows on Tuesdays") && first.contains("Build with zig."), "{first}");
    for number in 1..4 {
        assert_eq!(hook(&call(number, here.clone())), None, "{number}");
    }
    // What it does not say costs nothing.
    for input in [
        "",
        "not JSON",
        "[]",
        "{\"invocationNum\": \"x\"}",
        &call(0, json!([])),
        &call(0, json!(["/nowhere/at/all"])),
        &call(0, json!(["relative"])),
        &call(0, json!("text")),
    ] {
        let said = hook(input).expect("a context");
        assert!(said.contains("Rows on Tuesdays") && !said.contains("zig"), "{input}: {said}");
    }
}

#[test]
fn doctor_says_for_whom_an_agent_that_was_ended_goes_on() {
    let world = World::new();
    let a = laptop(&world, "a");
    fs::create_dir_all(a.home.join(".gemini")).expect("a folder");
    fs::write(a.home.join(".gemini/settings.json"), "{}\n").expect("written");
    a.co(&["agent", "install", "gemini", "--yes"]);
    let said = a.co(&["agent", "doctor"]);
    assert!(said.contains("Google ended it for individual accounts on 18 June 2026"), "{said}");
    assert!(said.contains("Antigravity CLI follows it"), "{said}");
    let report = a.json(&["agent", "doctor", "claude-code", "codex"]).to_string();
    assert!(!report.contains("vendor"), "{report}");
}

/// Antigravity reads strict JSON, and leaves out a whole file, without a word, for one fault in it.
#[test]
fn what_is_written_at_both_places_is_of_the_documented_shape() {
    let schemas = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schemas");
    let python = Path::new("/usr/bin/python3");
    let valid = |file: &Path, schema: &str| {
        let check = "import json, sys, jsonschema\nread = lambda path: json.load(open(path))\n\
                     jsonschema.validate(read(sys.argv[1]), read(sys.argv[2]))";
        let mut command = Command::new(python);
        command.args(["-c", check]).arg(file).arg(schemas.join(schema));
        command.output().expect("python").status.success()
    };
    let has = Command::new(python).args(["-c", "import jsonschema"]).output();
    if !has.is_ok_and(|output| output.status.success()) {
        return report_skipped("jsonschema of /usr/bin/python3");
    }
    let (servers, hooks) = ("antigravity-mcp.schema.json", "antigravity-hooks.schema.json");
    let theirs_servers =
        r#"{"mcpServers": {"feed": {"serverUrl": "https://x/mcp", "disabled": true}}}"#;
    let theirs_hooks = r#"{"lint": {"enabled": false, "Stop": [{"command": "make lint"}]}}"#;
    let world = World::new();
    for (at, (folder, before)) in [
        (SHARED, None),
        (OWN, None),
        (SHARED, Some((theirs_servers, theirs_hooks))),
        (OWN, Some((theirs_servers, theirs_hooks))),
        (OWN, Some(("{}", "{}"))),
    ]
    .into_iter()
    .enumerate()
    {
        let a = laptop(&world, &format!("s{at}"));
        let folder = a.home.join(folder);
        fs::create_dir_all(&folder).expect("a folder");
        let files = ["mcp_config.json", "hooks.json"].map(|name| folder.join(name));
        if let Some((servers, hooks)) = before {
            fs::write(&files[0], servers).expect("written");
            fs::write(&files[1], hooks).expect("written");
        }
        a.co(&["agent", "install", "antigravity", "--hooks", "--yes"]);
        assert!(valid(&files[0], servers) && valid(&files[1], hooks), "{}", folder.display());
        // The schema is one that can fail.
        assert!(!valid(&files[0], hooks) && !valid(&files[1], servers), "{}", folder.display());
        let text = fs::read_to_string(&files[1]).expect("hooks").replace("10", "10.5");
        fs::write(&files[1], text).expect("written");
        assert!(!valid(&files[1], hooks), "{}", folder.display());
    }
}
