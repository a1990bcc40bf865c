//! The pages that answer what people ask first: their commands can be typed, their figures hold,
//! and what they say of other programs has a source.

use crate::support::{Laptop, World, client::Client, files::put, git};
use serde_json::{Value, json};
use std::{fs, path::Path, process::Command};

fn page(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("there")
}

/// Every command of a page, typed in one shell after the other, in the home folder.
fn type_all(laptop: &Laptop, name: &str) -> String {
    let bin = assert_cmd::cargo::cargo_bin("co");
    let bin = bin.parent().expect("a folder").display().to_string();
    let path = format!("{bin}:{}", std::env::var("PATH").expect("a path"));
    let text = page(name);
    let mut all = String::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("$ ")) {
        let mut command: Command = laptop.command_of("bash", &["-c", line]);
        let output = command.current_dir(&laptop.home).env("PATH", &path).output();
        let output = output.expect("bash runs");
        let said = String::from_utf8_lossy(&output.stdout);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {line}\n{said}{error}");
        all.push_str(&said);
    }
    assert!(!all.is_empty(), "{name} has no commands");
    all
}

/// The paragraphs and list items of a page, each as one line.
fn items(text: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for line in text.lines() {
        match items.last_mut() {
            Some(last) if line.starts_with("  ") && last.starts_with("- ") => {
                last.push_str(&line[1..]);
            }
            _ => items.push(line.to_owned()),
        }
    }
    items
}

#[test]
fn every_sentence_about_another_program_has_its_source() {
    let text = page("docs/compare.md");
    let (text, _) = text.split_once("## Coming from one of them").expect("that section");
    let (mut tool, mut sourced, mut of_co) = ("", 0, 0);
    let items = items(text);
    for item in &items {
        if let Some(name) = item.strip_prefix("## ") {
            tool = name;
        }
        let Some(said) = item.strip_prefix("- ").filter(|_| !tool.is_empty()) else { continue };
        let is_of_co = said.starts_with("co ");
        let has_source = said.contains("<!-- ") && said.ends_with("-->");
        assert!(is_of_co || has_source, "{tool}: {said}");
        let is_dated = said.contains("the same") || said.contains("20") || said.contains(" at ");
        assert!(is_of_co || is_dated, "{tool}: no date: {said}");
        sourced += usize::from(has_source);
        of_co += usize::from(is_of_co);
    }
    assert!(sourced > 15 && of_co >= 6, "{sourced}, {of_co}");
    for name in ["Basic Memory", "claude-mem", "mem0", "Letta", "ai-memory", "rulesync", "chezmoi"]
    {
        assert!(text.contains(name), "{name}");
    }
}

#[test]
fn what_others_kept_can_be_looked_at_as_the_page_says() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    for (file, text) in [
        ("basic-memory/coffee.md", "# Coffee\n\n- [method] Pour over is clearer #brewing\n"),
        ("mem0-export.json", r#"{"results":[{"id":"1","memory":"Prefers aisle seats"}]}"#),
        (".codex/AGENTS.md", "# Mine\n\n- Run the linter before a commit\n"),
    ] {
        put(&a.home.join(file), text);
    }
    let said = type_all(&a, "docs/compare.md");
    for fact in ["Pour over is clearer", "Prefers aisle seats", "Run the linter"] {
        assert!(said.contains(fact), "{fact}: {said}");
    }
    assert!(a.facts().is_empty(), "nothing was changed");
}

#[test]
fn who_leaves_takes_everything_along() {
    let world = World::new();
    let remote = world.remote();
    let a = world.laptop("a");
    let rules = "# My rules\n\nBe brief.\n";
    fs::create_dir_all(a.home.join(".codex")).expect("a folder");
    fs::write(a.home.join(".codex/AGENTS.md"), rules).expect("written");
    a.co(&["init", "--yes", "--name", "Bin", &remote]);
    a.co(&["learn", "Prefers tea to coffee"]);
    a.co(&["sync"]);
    a.co(&["learn", "Deploys on Tuesdays"]);
    let before: Vec<String> = a.facts();
    let said = type_all(&a, "docs/upgrade-and-leave.md");
    assert!(said.contains(&format!("co {}", env!("CARGO_PKG_VERSION"))), "{said}");
    assert!(before.iter().all(|fact| said.contains(fact)), "{said}");
    // The facts, their history and an archive are there, and nothing of co.
    let kept = a.home.join("my-memory");
    assert!(kept.join("profile.md").is_file() && a.home.join("my-memory.tar.gz").is_file());
    assert!(git(&kept, &["log", "--oneline"]).lines().count() >= 2);
    assert_eq!(git(&kept, &["status", "--porcelain"]), "");
    assert!(!a.config().exists());
    let now = fs::read_to_string(a.home.join(".codex/AGENTS.md")).expect("the rules");
    assert_eq!(now, rules);
}

/// The figures of a row, as far as they are numbers.
fn row(text: &str, begins: &str) -> Vec<f64> {
    let row = text.lines().find(|line| line.starts_with(&format!("| {begins}")));
    let row = row.unwrap_or_else(|| panic!("no row {begins}"));
    let cells = row.trim_matches('|').split('|').skip(1);
    let figures = cells.map(|cell| cell.trim().replace(',', ""));
    let figures = figures.filter_map(|cell| cell.split(' ').next()?.parse().ok());
    figures.collect()
}

fn tokens(text: &str) -> f64 {
    let bytes = u32::try_from(text.len()).expect("because it is short");
    f64::from(bytes) / 4.0
}

#[track_caller]
fn is_near(told: f64, measured: f64, what: &str) {
    assert!((told - measured).abs() <= measured * 0.15 + 15.0, "{what}: {told}, now {measured}");
}

#[test]
fn a_session_costs_what_the_page_says() {
    let text = page("docs/costs.md");
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes", "--name", "Bin"]);
    let facts = page("scripts/bench/everyday.jsonl");
    let facts = facts.lines().map(|line| serde_json::from_str::<Value>(line).expect("a row"));
    let facts: Vec<String> =
        facts.filter_map(|row| row["fact"].as_str().map(str::to_owned)).take(70).collect();
    let listed: String = facts.iter().map(|fact| format!("- {fact}\n\n")).collect();
    fs::write(a.home.join("facts.md"), listed).expect("written");
    a.co(&["agent", "import", "--from", "facts.md", "--yes"]);
    is_near(row(&text, "the context:")[0], tokens(&a.co(&["context"])), "the context");
    assert!(type_all(&a, "docs/costs.md").contains("budget"));
    let mut client = Client::start(&a, &a.home, &[]);
    let hello = client.initialize(json!({}));
    let instructions = hello["instructions"].as_str().expect("instructions");
    is_near(row(&text, "the server's instructions")[0], tokens(instructions), "instructions");
    let tools = json!(client.tools()).to_string();
    is_near(row(&text, "the server's six tools")[0], tokens(&tools), "tools");
    let found =
        client.call_ok("recall_memory", json!({ "query": "who approves my travel expenses?" }));
    assert!(tokens(&found) <= 2.0 * row(&text, "recall_memory")[0], "{found}");
    let listed = client.call_ok("list_memories", json!({}));
    is_near(row(&text, "list_memories, 70")[0], tokens(&listed), "list_memories");
}

/// `MAJOR.MINOR.PATCH` where a page speaks of co.
#[test]
fn every_page_means_the_version_of_cargo_toml() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = fs::read_dir(root.join("docs")).expect("a folder");
    let docs = docs.map(|entry| entry.expect("an entry").path());
    let mut pages: Vec<_> = docs.filter(|path| path.extension() == Some("md".as_ref())).collect();
    pages.extend(["README.md", "LIMITS.md", "SECURITY.md"].map(|name| root.join(name)));
    let number = |word: &str| {
        let word =
            word.trim_start_matches('v').trim_end_matches(|letter: char| !letter.is_ascii_digit());
        let parts: Vec<&str> = word.split('.').collect();
        let is_version = parts.len() == 3 && parts.iter().all(|part| part.parse::<u16>().is_ok());
        is_version.then(|| word.to_owned())
    };
    for path in pages {
        let text = fs::read_to_string(&path).expect("a page");
        let words: Vec<&str> =
            text.split(|letter: char| letter.is_whitespace() || "`(".contains(letter)).collect();
        for pair in words.windows(2) {
            let is_of_co = ["co", "rev:"].contains(&pair[0]);
            let Some(version) = number(pair[1]).filter(|_| is_of_co) else { continue };
            assert_eq!(version, env!("CARGO_PKG_VERSION"), "{}: {pair:?}", path.display());
        }
    }
}
