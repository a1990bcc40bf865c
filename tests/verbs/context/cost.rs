//! What the start of a session costs a person: within what docs/sessions.md promises.

use crate::support::{World, client::Client, git};
use serde_json::{Value, json};
use std::fs;

/// A token is taken for four bytes.
fn tokens(text: &str) -> usize {
    text.len().div_ceil(4)
}

#[test]
fn seventy_facts_and_a_project_cost_two_thousand_tokens() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes", "--name", "Ada Lovelace"]);
    for at in 1..=70 {
        a.write(
            &format!("knowledge/memories/{at:03}-x.md"),
            &format!(
                "---\nid: {at}\ncreated: 2026-11-20T09:00:{:02}.{at:06}Z\n---\n\nFact {at}: prefers \
                 short answers about topic number {at}, with sources and no filler\n",
                at % 60
            ),
        );
    }
    let project = a.home.join("src/billing");
    fs::create_dir_all(project.join(".co-cli/knowledge")).expect("a folder");
    git(&project, &["init", "-q"]);
    let text = "---\nversion: 1\nupdated: 2026-11-20T09:00:00Z\n---\n\nOrders become invoices.\n";
    fs::write(project.join(".co-cli/knowledge/context.md"), text).expect("written");
    fs::write(project.join(".co-cli/instructions.md"), "Build with cargo.\n").expect("written");
    let there = project.to_str().expect("a path");
    a.co(&["-C", there, "handoff", "--goal", "Ship the importer", "--next", "Write the tests"]);
    let reply = a.co(&["-C", there, "hook", "session-start", "--agent", "codex"]);
    let reply: Value = serde_json::from_str(&reply).expect("JSON");
    let context = &reply["hookSpecificOutput"]["additionalContext"];
    let context = context.as_str().expect("a context");
    for part in ["topic number 70,", "Orders become", "Build with cargo", "Ship the importer"] {
        assert!(context.contains(part), "{part}: {context}");
    }
    assert!(tokens(context) <= 2_000, "{}", tokens(context));
    let mut client = Client::ready(&a, &[]);
    let tools = client.ask("tools/list", json!({}))["result"]["tools"].to_string();
    assert!(tokens(&tools) <= 1_600, "{}", tokens(&tools));
}
