//! Requests that stand alone, as MCP has them since 2026-07-28, and arguments as models write them.

use crate::support::{Laptop, World, client::Client, ready::named};
use serde_json::{Value, json};

/// What each request of that revision carries.
fn meta(client: &str, able: Value) -> Value {
    let mut meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": client, "version": "1"},
    });
    meta["io.modelcontextprotocol/clientCapabilities"] = able;
    meta
}

fn tool(name: &str, arguments: Value, meta: &Value) -> Value {
    let mut params = json!({ "name": name, "_meta": meta });
    params["arguments"] = arguments;
    params
}

fn last_operation(laptop: &Laptop) -> Value {
    laptop.json(&["log"])["data"]["operations"][0].clone()
}

#[test]
fn discovery_says_all_that_a_hello_said() {
    let world = World::new();
    let a = named(&world);
    let mut client = Client::start(&a, &a.home, &[]);
    let meta = meta("new-client", json!({}));
    let found = client.ask("server/discover", json!({ "_meta": meta }))["result"].clone();
    assert_eq!(found["resultType"], "complete", "{found}");
    assert_eq!(found["cacheScope"], "private", "{found}");
    assert!(found["ttlMs"].is_u64(), "{found}");
    for able in ["tools", "resources", "prompts"] {
        assert!(found["capabilities"][able].is_object(), "{found}");
    }
    assert!(found["instructions"].as_str().expect("instructions").contains("save_memory"));
    assert_eq!(found["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "co", "{found}");
    let versions = found["supportedVersions"].to_string();
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] {
        assert!(versions.contains(version), "{versions}");
    }
}

#[test]
fn each_request_stands_alone() {
    let world = World::new();
    let a = named(&world);
    // The first request is a call; the next comes from another client on the same pipe.
    let mut client = Client::start(&a, &a.home, &["--tools", "all"]);
    for name in ["first-client", "second-client"] {
        let meta = meta(name, json!({}));
        let call = tool("save_memory", json!({"content": format!("Known to {name}")}), &meta);
        let saved = client.ask("tools/call", call);
        assert_eq!(saved["result"]["resultType"], "complete", "{saved}");
        assert_eq!(saved["result"]["isError"], false, "{saved}");
        assert_eq!(last_operation(&a)["client"], name);
    }
    let meta = meta("x", json!({}));
    for (method, mut params) in [
        ("tools/list", json!({})),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("prompts/list", json!({})),
        ("resources/read", json!({"uri": "co://context"})),
        ("prompts/get", json!({"name": "who-am-i"})),
    ] {
        params["_meta"] = meta.clone();
        let answer = client.ask(method, params);
        assert_eq!(answer["result"]["resultType"], "complete", "{method}: {answer}");
    }
    // What a request lacks is said, and the next one is served.
    let version = "io.modelcontextprotocol/protocolVersion";
    for (bad, code) in [
        (json!({}), -32602),
        (json!({version: "2026-07-28"}), -32602),
        (json!({version: 5, "io.modelcontextprotocol/clientCapabilities": {}}), -32602),
        (json!({version: "2099-01-01", "io.modelcontextprotocol/clientCapabilities": {}}), -32022),
        (json!([]), -32602),
    ] {
        let answer = client.ask("tools/list", json!({ "_meta": bad }));
        assert_eq!(answer["error"]["code"], code, "{bad}: {answer}");
    }
    for method in ["initialize", "ping", "logging/setLevel", "no/such/method"] {
        let answer = client.ask(method, json!({ "_meta": meta }));
        assert_eq!(answer["error"]["code"], -32601, "{method}: {answer}");
    }
    assert!(client.ask("tools/list", json!({ "_meta": meta }))["result"]["tools"].is_array());
    // A client of before on a pipe of its own gets no word of that.
    let mut client = Client::ready(&a, &[]);
    let answer = client.ask("tools/list", json!({}));
    assert!(answer["result"].get("resultType").is_none(), "{answer}");
}

#[test]
fn a_person_is_asked_through_the_answer_of_a_call() {
    let world = World::new();
    let a = named(&world);
    a.co(&["learn", "Rows on Tuesdays"]);
    let mut client = Client::start(&a, &a.home, &[]);
    let meta = meta("new-client", json!({"elicitation": {}}));
    let call = tool("forget_memory", json!({"memory": 1.0}), &meta);
    let asked = client.ask("tools/call", call.clone())["result"].clone();
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    assert!(asked.to_string().contains("Rows on Tuesdays"), "{asked}");
    assert_eq!(a.facts().len(), 1);
    for (action, left) in [("decline", 1), ("cancel", 1), ("accept", 0)] {
        let mut answered = call.clone();
        answered["inputResponses"] = json!({"agreed": {"action": action, "content": {}}});
        let done = client.ask("tools/call", answered)["result"].clone();
        assert_eq!(done["isError"], left == 1, "{action}: {done}");
        assert_eq!(a.facts().len(), left, "{action}");
    }
}

#[test]
fn every_tool_takes_what_models_write() {
    let world = World::new();
    let a = named(&world);
    let mut client = Client::ready(&a, &["--tools", "all"]);
    let mut ok = |tool: &str, arguments: Value| client.call_ok(tool, arguments);
    // Nothing, in each of its forms.
    for nothing in [json!(null), json!(""), json!("null"), json!("None")] {
        ok("list_memories", json!({"tags": nothing, "project": null}));
        ok("knowledge_list", json!({"tags": nothing, "project": ""}));
        ok("get_context", json!({"max_tokens": nothing, "query": null}));
        ok("recall_memory", json!({"query": "x", "max_results": nothing, "tags": nothing}));
        ok("knowledge_search", json!({"query": "x", "max_tokens": nothing}));
    }
    for (at, scope) in
        [json!(null), json!(""), json!("Identity"), json!("IDENTITY "), json!("null")]
            .into_iter()
            .enumerate()
    {
        let content = format!("Scope number {at} is taken");
        let said = ok("save_memory", json!({"content": content, "scope": scope, "tags": null}));
        assert!(said.contains("Saved memory"), "{scope}: {said}");
    }
    // Other names, and numbers where a text is asked for.
    ok("save_memory", json!({"text": "Sails on Sundays", "tags": 2024}));
    assert!(ok("list_memories", json!({"tags": "2024"})).contains("Sails on Sundays"));
    ok("recall_memory", json!({"query": 2024, "limit": "1e1"}));
    ok("knowledge_write", json!({"topic": 2024, "text": "The year.", "tags": "[\"a\", 7]"}));
    assert!(a.read("knowledge/2024.md").contains("a"), "its labels");
    assert!(ok("knowledge_list", json!({"tags": ["7"]})).contains("2024"));
    ok("save_knowledge", json!({"content": "# T\n\nText.", "title": "", "source": null}));
    ok("knowledge_delete", json!({"topic": 2024.0}));
    for memory in [json!(1.0), json!("2.0"), json!(3), json!("#4")] {
        ok("forget_memory", json!({"id": memory}));
    }
    // What is known but does not fit is not said to be unknown.
    let said = ok("get_context", json!({"max_tokens": 1}));
    assert!(
        said.contains("fits into so few tokens") && !said.contains("Nothing is known"),
        "{said}"
    );
    // What cannot be meant is named.
    for (tool, arguments, named) in [
        ("recall_memory", json!({"query": ["a", "b"]}), "`query`"),
        ("recall_memory", json!({"query": "a", "limit": 2.5}), "`max_results`"),
        ("list_memories", json!({"tags": {"a": 1}}), "`tags`"),
        ("get_context", json!({"max_tokens": "many"}), "`max_tokens`"),
        ("forget_memory", json!({"memory": [1]}), "`memory`"),
        ("knowledge_write", json!({"topic": "a", "content": true}), "`content`"),
        ("list_memories", json!({"project": ["a"]}), "`project`"),
        ("save_memory", json!({"content": null}), "`content`"),
        ("save_memory", json!({"content": "a b", "fact": "c"}), "`fact`"),
        ("list_memories", json!({"limit": 3}), "`limit`"),
    ] {
        let said = client.call(tool, arguments.clone());
        assert!(said.is_error && said.text.contains(named), "{tool} {arguments}: {said:?}");
    }
}
