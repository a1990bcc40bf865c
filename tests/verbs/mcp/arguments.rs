//! Sixty calls as models write them: each is taken as it was meant, or refused with a sentence that
//! says what is right.

use crate::support::{World, client::Client, git, ready::named};
use serde_json::{Value, json};
use std::fs;

/// What is taken, for each tool.
fn taken() -> Vec<(&'static str, Value)> {
    let recall = [
        json!({"query": "tea", "max_results": 3.0}),
        json!({"query": "tea", "max_results": "3"}),
        json!({"query": "tea", "maxResults": 3}),
        json!({"query": "tea", "max-results": " 3 "}),
        json!({"query": "tea", "limit": "2"}),
        json!({"Query": "tea", "TAGS": []}),
        json!({"question": "tea", "tags": null}),
        json!({"query": "tea", "tags": "[\"a\", \"b\"]"}),
        json!({"query": "tea", "tags": "a, b"}),
        json!({"query": "tea", "tags": [null]}),
        json!({"query": "tea", "labels": ["a"], "project": null}),
    ];
    let saved = [
        json!({"Content": "Uses nix for shells"}),
        json!({"memory": "Likes the sea", "tags": "true"}),
        json!({"fact": "Likes hills", "scope": "IDENTITY"}),
        json!({"content": "Gym until Christmas", "validUntil": "2096-12-24"}),
        json!({"content": "Rows on Wednesdays", "replaces": 1.0}),
        json!({"content": "Rows on Thursdays", "Replaces": "[\"2\"]"}),
        json!({"content": "Rows on Sundays", "replaces": "none"}),
        json!({"content": "Rows at noon", "replaces": [3, null]}),
        json!({"content": "Has tags", "tags": "style,python", "scope": "null"}),
    ];
    let left = [
        json!({"goal": "Ship", "files": "a.rs, b.rs"}),
        json!({"Goal": "Ship", "done": ["Parsing", "Rendering"]}),
        json!({"goal": "Ship", "openQuestions": ["Why?"], "branch": null}),
        json!({"goal": "Ship", "next": "Tests", "files": ["a.rs", null]}),
    ];
    let rest = [
        ("list_memories", json!(null)),
        ("list_memories", json!({"Tags": "['a']"})),
        ("get_context", json!({"maxTokens": 500.0})),
        ("get_context", json!({"max_tokens": "500", "query": ""})),
        ("get_context", json!({"project": "."})),
        ("knowledge_search", json!({"query": "tea", "max_tokens": "100.0"})),
        ("knowledge_write", json!({"path": "a/b", "text": "x"})),
        ("knowledge_write", json!({"Topic": "a/c", "content": "x", "tags": ["t", 5]})),
        ("knowledge_list", json!({"relatedTo": "tea"})),
        ("knowledge_list", json!({"labels": "t"})),
        ("knowledge_delete", json!({"TOPIC": "a/b.md"})),
        ("save_knowledge", json!({"url": "https://x.example/z", "content": "# T\n\nText"})),
        ("confirm_memory", json!({"Memory": "4.0"})),
        ("forget_memory", json!({"memory_id": "4"})),
        ("forget_memory", json!({"id": 5.0})),
    ];
    let all = |tool, calls: Vec<Value>| calls.into_iter().map(move |one| (tool, one));
    all("recall_memory", recall.to_vec())
        .chain(all("save_memory", saved.to_vec()))
        .chain(all("save_handoff", left.to_vec()))
        .chain(rest)
        .collect()
}

/// What is refused, and what is said.
fn refused() -> Vec<(&'static str, Value, &'static str)> {
    vec![
        ("recall_memory", json!({}), "missing field `query`"),
        ("recall_memory", json!({"query": null}), "missing field `query`"),
        ("recall_memory", json!({"query": " "}), "nothing is asked for"),
        ("knowledge_search", json!({"query": " "}), "nothing is asked for"),
        ("recall_memory", json!({"q": "tea"}), "`query`"),
        ("recall_memory", json!({"query": ["tea"]}), "`query` must be a text"),
        ("recall_memory", json!({"query": {"text": "tea"}}), "`query` must be a text"),
        ("recall_memory", json!({"query": "a", "max_results": "three"}), "whole number, e.g. 5"),
        ("recall_memory", json!({"query": "a", "maxResults": -1}), "`max_results` must be a whole"),
        ("recall_memory", json!({"query": "a", "tags": {"0": "a"}}), "`tags` must be a list"),
        ("recall_memory", json!({"query": "a", "verbose": "true"}), "unknown field `verbose`"),
        ("save_memory", json!({"content": "a", "Content": "b"}), "unknown field `Content`"),
        ("save_memory", json!({"content": {"text": "x"}}), "`content` must be a text"),
        ("save_memory", json!({"content": "  "}), "no text was given"),
        ("save_memory", json!({"content": "x y", "scope": "user"}), "`scope` must be identity or"),
        ("save_memory", json!({"content": "x y", "scope": ["project"]}), "identity or project"),
        ("save_memory", json!({"content": "x y", "valid_until": "soon"}), "a day as 2026-02-14"),
        ("save_memory", json!({"content": "x y", "replaces": ["#99"]}), "list_memories lists"),
        ("save_memory", json!({"content": "x y", "replaces": {"id": 1}}), "must be a list"),
        ("forget_memory", json!({"memory": {"id": 5}}), "`memory` must be a text"),
        ("forget_memory", json!({"ids": ["5"]}), "expected `memory`"),
        ("get_context", json!({"max_tokens": "all"}), "`max_tokens` must be a whole number"),
        ("get_context", json!({"project": "/no/where"}), "does not exist"),
        ("save_handoff", json!({"done": "x"}), "missing field `goal`"),
        ("save_handoff", json!({"goal": "Ship", "next": {"a": 1}}), "`next` must be a text"),
        ("knowledge_write", json!({"topic": "../x", "content": "x"}), "people/sarah"),
        ("knowledge_delete", json!({"topics": ["a"]}), "expected `topic`"),
    ]
}

#[test]
fn each_call_is_taken_or_told_what_is_right() {
    let world = World::new();
    let a = named(&world);
    for fact in ["Rows on Mondays", "Rows early", "Rows late", "Drinks tea", "Reads Borges"] {
        a.co(&["learn", fact]);
    }
    let project = a.home.join("app");
    fs::create_dir_all(&project).expect("a folder");
    git(&project, &["init", "-q", "-b", "main"]);
    let mut client = Client::start(&a, &project, &["--tools", "all"]);
    client.initialize(json!({}));
    let (taken, refused) = (taken(), refused());
    assert!(taken.len() + refused.len() >= 60, "{} {}", taken.len(), refused.len());
    for (tool, arguments) in taken {
        let said = client.call(tool, arguments.clone());
        assert!(!said.is_error, "{tool} {arguments}: {}", said.text);
    }
    let listed = a.co(&["list", "--all"]);
    assert!(listed.contains("Likes the sea") && listed.contains("until 24 Dec 2096"), "{listed}");
    let left = a.co(&["-C", project.to_str().expect("a path"), "handoff"]);
    assert!(left.contains("Tests"), "{left}");
    let before = a.texts();
    for (tool, arguments, wanted) in refused {
        let said = client.call(tool, arguments.clone());
        assert!(said.is_error && said.text.contains(wanted), "{tool} {arguments}: {}", said.text);
        assert!(said.text.contains("hint: "), "{tool} {arguments}: {}", said.text);
    }
    assert_eq!(a.texts(), before);
}
