//! `co config`: every setting is set, read, refused and unset, and a settings.json with a mistake
//! stops only what needs it.

use crate::support::{Laptop, World, whole::whole};
use std::fs;

/// Every setting but those that have a test of their own, a value it can have, and one it cannot
/// have.
const SETTINGS: &[(&str, &str, &str)] = &[
    ("host", "atlas", ""),
    ("personality", "concise", ""),
    ("sync.remote", "upstream", ""),
    ("sync.branch", "facts", ""),
    ("sync.username", "bin", ""),
    ("sync.password", "{{secret:git-token}}", "hunter2"),
    ("sync.timeout", "40", "fast"),
    ("recall.meaning", "false", "perhaps"),
    ("recall.context", "false", "1"),
    ("recall.dates", "false", "0"),
    ("recall.repair", "false", "never"),
    ("recall.expansion", "false", "none"),
    ("recall.encoder", "off", "of"),
    ("recall.catalog", "false", "maybe"),
    ("recall.look_at", "100", "-1"),
    ("knowledge.attachment_mib", "5", "5 MiB"),
    ("agents.notes.share", r#"["claude-code"]"#, "[1]"),
    ("agents.notes.exclude", r#"["github.com/acme/*"]"#, "[1]"),
    ("agents.remember.ask", r#"["*"]"#, "[1]"),
    ("agents.project_names", "false", "maybe"),
    ("layers", r#"[{"name":"team"}]"#, r#"[{"name":"team"},{"name":"team"}]"#),
];

fn file(a: &Laptop) -> std::path::PathBuf {
    a.config().join("settings.json")
}

fn has(a: &Laptop, text: &str) {
    fs::create_dir_all(a.config()).expect("a folder");
    fs::write(file(a), text).expect("written");
}

#[test]
fn every_setting_is_set_read_refused_and_unset() {
    let world = World::new();
    let a = world.laptop("a");
    let listed = a.json(&["config"]);
    let rows = listed["data"]["settings"].as_array().expect("settings");
    for key in rows.iter().filter_map(|row| row["key"].as_str()) {
        let is_elsewhere = key == "identity_path" || key.starts_with("recall.embedder");
        assert!(is_elsewhere || SETTINGS.iter().any(|(known, ..)| *known == key), "{key}");
    }
    for (key, value, wrong) in SETTINGS {
        let row = rows.iter().find(|row| row["key"] == *key).expect("listed");
        assert_eq!(row["origin"], "default", "{key}");
        let before = a.co(&["config", "get", key]);
        if !wrong.is_empty() {
            let said = a.try_co(&["config", "set", key, wrong]);
            assert!(matches!(said.code, 2 | 6), "{key}: {}", said.err);
            assert!(said.err.contains(key), "{}", said.err);
            assert!(!said.err.contains("hunter2"), "a value that may be a secret is not shown");
            assert_eq!(a.co(&["config", "get", key]), before);
        }
        a.co(&["config", "set", key, value]);
        assert_eq!(a.co(&["config", "get", key]).trim_end(), *value);
        let listed = a.json(&["config", "list"]);
        let rows = listed["data"]["settings"].as_array().expect("settings").clone();
        let row = rows.iter().find(|row| row["key"] == *key).expect("listed");
        assert_eq!(row["origin"], "settings", "{key}");
        a.co(&["config", "unset", key]);
        assert_eq!(a.co(&["config", "get", key]), before);
    }
    assert_eq!(fs::read_to_string(file(&a)).expect("there").trim(), "{}");
}

#[test]
fn an_embedder_is_set_as_a_whole() {
    let world = World::new();
    let a = world.laptop("a");
    let said = a.fails(2, &["config", "set", "recall.embedder.api", "ollama"]);
    insta::assert_snapshot!(whole(&said), @r#"
    error: recall.embedder needs url and model; nothing was changed
    hint: set everything at once: `co config set recall.embedder '{"api": "ollama", "url": "http://localhost:11434", "model": "nomic-embed-text"}'`
    "#);
    let all = r#"{"api": "ollama", "url": "http://localhost:1", "model": "small"}"#;
    a.co(&["config", "set", "recall.embedder", all]);
    a.co(&["config", "set", "recall.embedder.model", "large"]);
    a.co(&["config", "set", "recall.embedder.meant", "60"]);
    assert_eq!(a.co(&["config", "get", "recall.embedder.model"]), "large\n");
    let said = a.fails(6, &["config", "set", "recall.embedder.key", "sk-123"]);
    assert!(!said.contains("sk-123"), "{said}");
    insta::assert_snapshot!(whole(&said), @"
    error: `recall.embedder.key` must be a reference to a secret, not the secret itself
    hint: `co secret set NAME` keeps the value in the keyring; then `co config set recall.embedder.key '{{secret:NAME}}'`
    ");
    // Nor in one piece with the rest; and what a file holds all the same is not shown.
    let plain =
        r#"{"api": "openai", "url": "https://me:pw-456@x.y/v1", "model": "m", "key": "sk-123"}"#;
    let said = a.fails(6, &["config", "set", "recall.embedder", plain]);
    assert!(!said.contains("sk-123") && !said.contains("pw-456"), "{said}");
    insta::assert_snapshot!(whole(&said), @"
    error: `recall.embedder.key` must be a reference to a secret, not the secret itself
    hint: `co secret set NAME` keeps the value in the keyring; then `co config set recall.embedder.key '{{secret:NAME}}'`
    ");
    let said =
        a.fails(2, &["config", "set", "recall.embedder", &plain.replace("\"key\"", "\"kee\"")]);
    assert!(!said.contains("sk-123"), "{said}");
    insta::assert_snapshot!(whole(&said), @"
    error: nothing was changed: unknown setting `recall.embedder.kee`; did you mean `recall.embedder.key`?
    hint: `co config` lists all settings
    ");
    a.fails(2, &["config", "unset", "recall.embedder.url"]);
    has(&a, &format!("{{\"recall\": {{\"embedder\": {plain}}}}}"));
    for typed in
        [&["config"][..], &["config", "get", "recall.embedder"], &["config", "--json"], &["doctor"]]
    {
        let said = a.try_co(typed);
        assert!(!said.out.contains("sk-123") && !said.err.contains("sk-123"), "{typed:?}");
        assert!(!said.out.contains("pw-456") && !said.err.contains("pw-456"), "{typed:?}");
    }
    let said = a.co(&["config", "unset", "recall.embedder"]);
    assert!(!said.contains("sk-123") && !said.contains("pw-456"), "{said}");
    insta::assert_snapshot!(whole(&said), @r#"recall.embedder is now (none) (was {"api":"openai","url":"https://x.y/v1","model":"m","key":"(set, not shown)"})."#);
    assert_eq!(a.co(&["config", "get", "recall.embedder.model"]), "");
}

#[test]
fn a_mistyped_setting_is_named_with_the_likely_one() {
    let world = World::new();
    let a = world.laptop("a");
    let said = a.fails(5, &["config", "set", "sync.timout", "3"]);
    assert!(said.contains("did you mean `sync.timeout`?"), "{said}");
    a.fails(5, &["config", "get", "colour"]);
    has(&a, "{\"recal\": {\"catalog\": false}}\n");
    let said = a.try_co(&["config"]);
    assert!(
        said.err.contains("line 1: unknown setting `recal`; did you mean `recall`?"),
        "{}",
        said.err
    );
    // What nobody reads stays.
    a.co(&["config", "set", "sync.timeout", "30"]);
    assert!(fs::read_to_string(file(&a)).expect("there").contains("recal\""));
}

#[test]
fn comments_and_a_byte_order_mark_stay() {
    let world = World::new();
    let a = world.laptop("a");
    has(&a, "\u{feff}{\n  // the office is slow\n  \"sync\": {\"timeout\": 50},\n}\n");
    assert_eq!(a.co(&["config", "get", "sync.timeout"]), "50\n");
    a.co(&["config", "set", "sync.timeout", "60"]);
    a.co(&["init", "--yes"]);
    a.co(&["config", "set", "recall.catalog", "false"]);
    let text = fs::read_to_string(file(&a)).expect("there");
    assert!(text.starts_with("\u{feff}{\n  // the office is slow\n"), "{text}");
    assert!(text.contains("\"timeout\": 60") && text.contains("\"catalog\": false"), "{text}");
}

#[test]
fn a_broken_file_stops_only_what_needs_it_and_names_the_line() {
    let world = World::at("2026-11-20T12:00:00Z");
    let a = world.laptop("a");
    a.co(&["init", "--yes", &world.remote()]);
    a.co(&["learn", "Prefers tabs"]);
    has(&a, "{\n  \"sync\": {\n    \"timeout\": \"slow\"\n  }\n}\n");
    let said = a.try_co(&["list"]);
    assert_eq!(said.code, 0);
    insta::assert_snapshot!(whole(&format!("{}{}", said.err, said.out)), @"
    warning: ~/.config/co-cli/settings.json, line 3: sync.timeout must be a whole number from 1 to 3600; its default is used
    Total memories: 1

    **001** (2026-11-20): Prefers tabs
    ");
    a.co(&["learn", "Lives in Bern"]);
    insta::assert_snapshot!(whole(&a.fails(10, &["sync"])), @"
    error: ~/.config/co-cli/settings.json, line 3: sync.timeout must be a whole number from 1 to 3600
    hint: correct that line; `co config` shows what can be set
    ");
    // Nothing is published past the settings, by whomever.
    let published = a.git(&["ls-remote", "origin"]);
    a.piped("{}", &["hook", "session-end", "--agent", "claude-code"]);
    a.fails(10, &["identity", "move", &a.home.join("elsewhere").display().to_string(), "--yes"]);
    assert_eq!(a.git(&["ls-remote", "origin"]), published);
    has(&a, "{\"sync\": {\"timeout\": null}, \"recall\": null}\n");
    assert_eq!(a.try_co(&["sync"]).err, "");
    a.co(&["config", "unset", "sync.timeout"]);
    // Half a file says nothing, not even where the identity is.
    has(&a, "{\n  \"identity_path\": \"/elsewhere\",\n  \"sync\": {");
    for reading in [&["list"][..], &["recall", "tabs"], &["context"], &["status"], &["check"]] {
        let said = a.try_co(reading);
        assert_eq!(said.code, 0, "{reading:?}: {}", said.err);
        assert_eq!(said.err.matches("line 3: not valid JSON").count(), 1, "{}", said.err);
    }
    let said = a.try_co(&["hook", "session-start", "--agent", "claude-code"]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("Prefers tabs"), "{}", said.out);
    let before = a.tree();
    for writing in [&["learn", "New"][..], &["edit", "1", "Else"], &["forget", "1"], &["sync"]] {
        let said = a.fails(10, writing);
        assert!(said.contains("line 3: not valid JSON"), "{said}");
    }
    insta::assert_snapshot!(whole(&a.fails(10, &["config", "set", "sync.timeout", "30"])), @"
    error: ~/.config/co-cli/settings.json, line 3: not valid JSON: Unterminated object
    hint: correct that line; `co config` shows what can be set
    ");
    assert_eq!(a.tree(), before);
    has(&a, "{\"sync\": {\"timeout\": 3, \"timeout\": 4}}\n");
    a.fails(10, &["config", "unset", "sync.timeout"]);
    has(&a, "{\"sync\": []}\n");
    insta::assert_snapshot!(whole(&a.fails(10, &["config", "set", "sync.timeout", "4"])), @"
    error: cannot change ~/.config/co-cli/settings.json: `sync` in it is not an object
    hint: correct the file, then run the command again
    ");
    // Who names the folder needs nobody to say where it is.
    let folder = a.identity().display().to_string();
    a.co(&["--identity", &folder, "learn", "Drinks tea"]);
    a.co(&["config"]);
    a.co(&["help"]);
}

#[test]
fn the_folder_of_the_identity_is_where_it_was_typed() {
    let world = World::new();
    let a = world.laptop("a");
    let said =
        a.co(&["-C", &a.home.display().to_string(), "config", "set", "identity_path", "notes"]);
    assert!(said.contains("~/notes"), "{said}");
    assert_eq!(a.co(&["config", "get", "identity_path"]), "~/notes\n");
    for wrong in ["", "~other/notes"] {
        let said = a.fails(2, &["config", "set", "identity_path", wrong]);
        assert!(said.contains("must be a folder"), "{said}");
    }
    let b = a.with_env("CO_IDENTITY_PATH", "/elsewhere");
    let listed = b.json(&["config"]);
    assert_eq!(listed["data"]["settings"][0]["origin"], "environment");
    let said = b.try_co(&["config", "set", "identity_path", "~/more"]);
    assert!(said.err.contains("CO_IDENTITY_PATH overrides"), "{}", said.err);
}
