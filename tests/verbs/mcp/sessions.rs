//! `co mcp`, over the protocol alone: what an agent is told, what it can change, and what the
//! server does with broken, huge or simultaneous messages.

use crate::support::{World, client::Client, ready::named, tokens::token};
use serde_json::{Value, json};
use std::fs;

fn names(tools: &[Value]) -> Vec<&str> {
    tools.iter().map(|tool| tool["name"].as_str().expect("a name")).collect()
}

const SIX: [&str; 6] = [
    "save_memory",
    "recall_memory",
    "list_memories",
    "forget_memory",
    "get_context",
    "save_handoff",
];

#[test]
fn a_session_from_hello_to_undo() {
    let world = World::new();
    let a = named(&world);
    let mut client = Client::start(&a, &a.home, &[]);
    let hello = client.initialize(json!({}));
    assert_eq!(hello["serverInfo"]["name"], "co");
    assert!(hello["instructions"].as_str().expect("instructions").contains("save_memory"));

    let said = client.call_ok(
        "save_memory",
        json!({"content": "Prefers pytest over unittest", "tags": ["python"]}),
    );
    assert!(
        said.starts_with("✓ Saved memory 1: 001-prefers-pytest-over-unittest.md\nLocation: "),
        "{said}"
    );
    // Models also write tags as a single text, and say `fact` for `content`.
    client.call_ok("save_memory", json!({"fact": "Deploys with fly.io", "tags": "deploy, ops"}));
    let said = client.call_ok("recall_memory", json!({"query": "test runner"}));
    assert!(said.starts_with("Saved earlier; texts follow \"│\""), "{said}");
    assert!(said.contains("Found 1 memories matching 'test runner':\n\n**Memory 1** (created 2"));
    assert!(said.contains("Tags: python\n│ Prefers pytest over unittest"), "{said}");
    let said = client.call_ok("recall_memory", json!({"query": "zebras"}));
    assert!(said.contains("No memories found matching 'zebras'"), "{said}");
    let said = client.call_ok("list_memories", json!({"tags": ["deploy"]}));
    assert!(
        said.contains("Total memories: 1\n") && said.contains("[deploy, ops]: Deploys"),
        "{said}"
    );
    let said = client.call_ok("get_context", json!({}));
    assert!(said.contains("│ - Name: Ada") && said.contains(": Prefers pytest"), "{said}");
    assert_eq!(
        client.call_ok("forget_memory", json!({"memory": 2})),
        "✓ Forgot fact 2: Deploys with fly.io\n"
    );

    // Errors say what to do, in the names of the tools.
    let said = client.call("forget_memory", json!({"memory": "nothing like it"}));
    assert!(said.is_error && said.text.contains("hint: list_memories lists the facts"), "{said:?}");
    let said = client.call("save_memory", json!({"contents": "x"}));
    assert!(said.is_error && said.text.contains("unknown field `contents`"), "{said:?}");
    assert!(client.ask("tools/call", json!({"name": "rm"}))["error"]["message"].is_string());
    assert!(client.end());

    // The log says who; a session is taken back together.
    let log = a.json(&["log"]);
    let first = &log["data"]["operations"][0];
    assert_eq!(first["client"], "test-client");
    let session = first["session"].as_str().expect("a session").to_owned();
    assert!(a.co(&["log"]).contains(&format!("by test-client, session {session}")));
    a.co(&["learn", "Drinks tea"]);
    let said = a.co(&["undo", "--session", &session[..4]]);
    assert!(said.contains("Undone 3 operations of test-client"), "{said}");
    assert_eq!(a.facts(), ["Drinks tea"]);
    a.fails(5, &["undo", "--session", &session]);
    // It was one operation: one redo brings all of it back.
    let before = a.json(&["log"])["data"]["operations"].as_array().expect("a list").len();
    a.co(&["redo"]);
    let again = a.facts().len();
    assert!(again > 1, "{:?}", a.facts());
    a.co(&["undo", "--session", &session]);
    assert_eq!(a.facts(), ["Drinks tea"]);
    let after = a.json(&["log"])["data"]["operations"].as_array().expect("a list").len();
    assert_eq!(after, before + 2);
    // The overview says when an agent was here.
    assert!(a.json(&["status"])["ok"] == true);
}

#[test]
fn a_client_is_told_of_what_there_is_a_use_for() {
    let world = World::new();
    let a = named(&world);
    let mut client = Client::ready(&a, &[]);
    let tools = client.tools();
    assert_eq!(names(&tools), SIX);
    // Every session pays for these words: at most 1,600 tokens, each about four bytes of them.
    assert!(json!(tools).to_string().len() < 6_400);
    for tool in &tools {
        let writes = ["save_memory", "forget_memory", "save_handoff"];
        let reads = !writes.contains(&tool["name"].as_str().expect("a name"));
        assert_eq!(tool["annotations"]["readOnlyHint"], reads, "{tool}");
        assert_eq!(tool["annotations"]["openWorldHint"], false);
        assert!(tool["inputSchema"]["properties"]["project"].is_object());
        assert!(tool.get("outputSchema").is_none(), "results are text");
    }
    assert_eq!(tools[0]["annotations"]["destructiveHint"], false);
    assert_eq!(tools[3]["annotations"]["destructiveHint"], true);
    a.co(&["knowledge", "write", "deploy-steps", "Push, then watch."]);
    let tools = client.tools();
    assert_eq!(tools.len(), 11);
    // Also with documents.
    assert!(json!(tools).to_string().len() < 6_400, "{}", json!(tools).to_string().len());

    let mut client = Client::ready(&a, &["--read-only"]);
    assert_eq!(
        names(&client.tools()),
        ["recall_memory", "list_memories", "get_context", "knowledge_search", "knowledge_list"]
    );
    assert!(client.ask("tools/call", json!({"name": "save_memory", "arguments": {"content": "a b"}}))["error"].is_object());
    let mut client = Client::ready(&a, &["--tools", "knowledge_list,save_memory"]);
    assert_eq!(names(&client.tools()), ["save_memory", "knowledge_list"]);
    a.fails(2, &["mcp", "--tools", "memory,nonsense"]);
    a.fails(2, &["mcp", "--read-only", "--tools", "save_memory"]);
    // What is said of the tools is said of those that there are.
    let mut client = Client::start(&a, &a.home, &["--read-only", "--tools", "knowledge"]);
    let hello = client.initialize(json!({}))["instructions"].to_string();
    assert!(!hello.contains("save_memory") && hello.contains("knowledge_search"), "{hello}");
}

#[test]
fn documents_resources_and_the_prompt() {
    let world = World::new();
    let a = named(&world);
    let mut client = Client::ready(&a, &["--tools", "all"]);
    assert!(client.call_ok("knowledge_list", json!({})).contains("0 knowledge entries:"));
    let said = client.call_ok(
        "knowledge_write",
        json!({"topic": "people/sarah", "content": "# Sarah\n\nLikes tea.", "tags": ["friend"]}),
    );
    assert!(said.starts_with("✓ Wrote people/sarah\n"), "{said}");
    assert!(a.read("knowledge/people/sarah.md").contains("source: user"));
    let said = client.call_ok(
        "save_knowledge",
        json!({"content": "# On tea\n\nIt is a plant that people drink.", "source": "https://example.org/tea"}),
    );
    assert!(said.starts_with("✓ Added articles/on-tea"), "{said}");
    let said = client.call_ok("knowledge_search", json!({"query": "who likes tea"}));
    assert!(
        said.starts_with("Saved earlier") && said.contains("## people/sarah [friend]"),
        "{said}"
    );
    let said = client.call_ok("knowledge_list", json!({}));
    assert!(said.contains("| people/sarah | friend | user |"), "{said}");
    let said = client.call_ok("get_context", json!({"query": "sarah tea"}));
    assert!(said.contains("<profile>") && said.contains("Likes tea."), "{said}");

    let listed = client.ask("resources/list", json!({}))["result"]["resources"].clone();
    let uris: Vec<&str> = listed
        .as_array()
        .expect("resources")
        .iter()
        .map(|one| one["uri"].as_str().expect("a uri"))
        .collect();
    assert_eq!(
        uris,
        ["co://context", "co://documents/articles/on-tea", "co://documents/people/sarah"]
    );
    let read = client.ask("resources/read", json!({"uri": "co://documents/people/sarah"}));
    assert!(
        read["result"]["contents"][0]["text"].as_str().expect("a text").contains("│ Likes tea.")
    );
    assert_eq!(
        client.ask("resources/read", json!({"uri": "co://documents/nobody"}))["error"]["code"],
        -32002
    );
    let prompt = client.ask("prompts/get", json!({"name": "who-am-i"}));
    let text = prompt["result"]["messages"][0]["content"]["text"].as_str().expect("a text");
    assert!(text.contains("- Name: Ada"), "{text}");

    assert_eq!(
        client.call_ok("knowledge_delete", json!({"topic": "people/sarah"})),
        "✓ Deleted people/sarah\n"
    );
    let said = client.call("knowledge_delete", json!({"topic": "people/sarah"}));
    assert!(said.is_error && said.text.contains("no document has the topic"), "{said:?}");
}

#[test]
fn clients_with_and_without_initialize_are_served() {
    let world = World::new();
    let a = named(&world);
    // The newer era has no hello: every call says who it is and what it can.
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "new-client", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let mut client = Client::start(&a, &a.home, &[]);
    let found = client.ask("server/discover", json!({ "_meta": meta }));
    let versions = found["result"]["supportedVersions"].to_string();
    assert!(versions.contains("2026-07-28") && versions.contains("2025-06-18"), "{found}");
    let tools = client.ask("tools/list", json!({ "_meta": meta }));
    assert_eq!(tools["result"]["cacheScope"], "private");
    assert!(tools["result"]["ttlMs"].is_u64(), "{tools}");
    let saved = client.ask(
        "tools/call",
        json!({ "name": "save_memory", "arguments": {"content": "Rows on Tuesdays"}, "_meta": meta }),
    );
    assert_eq!(saved["result"]["isError"], false, "{saved}");
    assert_eq!(a.json(&["log"])["data"]["operations"][0]["client"], "new-client");
    assert!(client.end());

    // A probe of the newer era, and then the hello of the older.
    let mut client = Client::start(&a, &a.home, &[]);
    let probe = client.ask("server/discover", json!({}));
    assert!(probe["error"]["code"].is_i64(), "{probe}");
    assert_eq!(client.initialize(json!({}))["protocolVersion"], "2025-11-25");
    assert_eq!(client.ask("no/such/method", json!({}))["error"]["code"], -32601);
    assert!(client.ask("ping", json!({}))["result"].is_object());
    assert!(client.end());

    // A hello that is none is an answer, and no end.
    let mut client = Client::start(&a, &a.home, &[]);
    assert_eq!(client.ask("initialize", json!({"protocolVersion": 5}))["error"]["code"], -32602);
    assert_eq!(client.initialize(json!({}))["serverInfo"]["name"], "co");

    // One that only looks whether the program is there.
    assert!(Client::start(&a, &a.home, &[]).end());
}

#[test]
fn a_byte_order_mark_before_the_first_message_is_skipped() {
    let world = World::new();
    let a = named(&world);
    let hello = json!({"jsonrpc": "2.0", "id": "first", "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "marked", "version": "1"}}});
    for start in ["\u{feff}", "\u{feff} ", "\u{feff}\n", "\u{feff}\r\n", ""] {
        let mut client = Client::start(&a, &a.home, &[]);
        client.send(&format!("{start}{hello}"));
        let answer = client.receive();
        assert_eq!(answer["id"], "first", "{start:?}: {answer}");
        assert_eq!(answer["result"]["serverInfo"]["name"], "co", "{start:?}: {answer}");
        client.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        // Anywhere else it is no JSON, and the session goes on.
        client.send("\u{feff}{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\"}");
        assert_eq!(client.receive()["error"]["code"], -32700, "{start:?}");
        assert!(client.ask("ping", json!({}))["result"].is_object(), "{start:?}");
        assert!(client.end());
    }
}

#[test]
fn broken_huge_and_simultaneous_messages_are_answered() {
    let world = World::new();
    let a = named(&world);
    let mut client = Client::ready(&a, &[]);
    client.send("");
    for (line, code) in [
        ("garbage {", -32700),
        ("[]", -32600),
        ("null", -32600),
        ("{\"jsonrpc\":\"2.0\"}", -32600),
        ("\u{0}\u{1}", -32700),
        ("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/list\",\"params\":[]}", -32602),
        ("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{}}", -32602),
    ] {
        client.send(line);
        let answer = client.receive();
        assert_eq!(answer["error"]["code"], code, "{line}: {answer}");
    }
    client.send(&"[".repeat(50_000));
    assert_eq!(client.receive()["error"]["code"], -32700);
    client.send(&format!("\"{}\"", "x".repeat(20 * 1024 * 1024)));
    assert_eq!(client.receive()["error"]["code"], -32600);
    // An emoji that a program cut in half.
    client.send(r#"{"jsonrpc":"2.0","id":"cut","method":"tools/call","params":{"name":"recall_memory","arguments":{"query":"half \ud83d"}}}"#);
    assert_eq!(client.receive()["id"], "cut");
    let huge = client.call("get_context", json!({"max_tokens": u64::MAX}));
    assert!(!huge.is_error, "{huge:?}");
    let long = client.call("recall_memory", json!({"query": "y".repeat(1_000_000)}));
    assert!(!long.is_error && long.text.len() < 10_000);
    // A call that nobody waits for any more, and one that says how it goes.
    let id = client.send_request("tools/call", json!({"name": "list_memories", "arguments": {}}));
    let cancel = json!({"requestId": id, "reason": "changed my mind"});
    client.send(
        &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancel})
            .to_string(),
    );
    let watched =
        json!({"name": "list_memories", "arguments": {}, "_meta": {"progressToken": "x"}});
    assert!(client.ask("tools/call", watched)["result"].is_object());
    assert!(client.ask("ping", json!({}))["result"].is_object());
    let said = client.call("save_memory", json!({"content": "word ".repeat(2_000_000)}));
    assert!(said.is_error && said.text.len() < 2_000, "{}", &said.text[..200]);
    for arguments in [
        json!({"content": {"a": 3}}),
        json!({"content": null}),
        json!({"content": ["a"]}),
        json!([]),
        json!({"content": "a b c", "tags": {"x": 1}}),
        json!({"content": "a b c", "scope": "moon"}),
        json!({"content": ""}),
        json!({"content": "a\u{0}b"}),
        json!({"content": "a b", "project": "/nowhere"}),
    ] {
        let answer =
            client.ask("tools/call", json!({"name": "save_memory", "arguments": arguments}));
        assert!(
            answer["error"].is_object() || answer["result"]["isError"] == true,
            "{arguments}: {answer}"
        );
    }
    assert!(a.facts().is_empty(), "nothing of that was saved");

    // Many at once, and another co beside.
    let ids: Vec<u64> = (0..100)
        .map(|at| {
            let call = json!({"name": "save_memory", "arguments": {"content": format!("Fact number {at} of many")}});
            client.send_request("tools/call", call)
        })
        .collect();
    for at in 0..5 {
        a.co(&["learn", &format!("Beside them fact {at}")]);
    }
    let mut open = ids;
    while !open.is_empty() {
        let answer = client.receive();
        assert_eq!(answer["result"]["isError"], false, "{answer}");
        open.retain(|id| answer["id"] != *id);
    }
    assert_eq!(a.facts().len(), 105);
    let list = a.json(&["list"]);
    let mut numbers: Vec<u64> = list["data"]["memories"]
        .as_array()
        .expect("memories")
        .iter()
        .map(|memory| memory["id"].as_u64().expect("a number"))
        .collect();
    numbers.dedup();
    assert_eq!(numbers.len(), 105, "each has a number of its own");
    assert!(client.end());
}

#[test]
fn a_secret_passes_no_tool() {
    let world = World::new();
    let a = named(&world);
    let mut client = Client::ready(&a, &["--tools", "all"]);
    let token = token();
    for (tool, arguments) in [
        ("save_memory", json!({"content": format!("my token is {token}")})),
        ("save_memory", json!({"content": "a fact of mine", "tags": [token]})),
        ("knowledge_write", json!({"topic": "x", "content": token})),
        (
            "save_knowledge",
            json!({"content": format!("# A page\n\nwith {token}"), "source": "https://example.org"}),
        ),
    ] {
        let said = client.call(tool, arguments);
        assert!(said.is_error && said.text.contains("github-pat"), "{tool}: {said:?}");
        assert!(!said.text.contains(&token[8..]), "{tool}: {said:?}");
    }
    // Nor one that is hidden from the rules, nor with a mark that only a person may set.
    let hidden = format!("my token is {}\u{200b}{}", &token[..20], &token[20..]);
    let said = client.call("save_memory", json!({"content": hidden}));
    assert!(said.is_error && said.text.contains("Nothing was saved"), "{said:?}");
    let marked = format!("my token is {token} <!-- co:allow-secret -->");
    let said = client.call("save_memory", json!({"content": marked}));
    assert!(said.is_error && said.text.contains("only the user"), "{said:?}");
    assert!(!said.text.contains("allow-secret"), "{said:?}");
    assert!(a.facts().is_empty());
}

#[test]
fn a_call_names_its_project() {
    let world = World::new();
    let a = named(&world);
    let project = a.home.join("work/app");
    fs::create_dir_all(project.join(".co-cli")).expect("a project");
    fs::create_dir_all(project.join("src")).expect("a folder");
    let mut client = Client::ready(&a, &[]);
    let folder = project.join("src").display().to_string();
    let said = client
        .call_ok("save_memory", json!({"content": "Builds with zig here", "project": folder}));
    assert!(said.contains("Saved memory p1"), "{said}");
    let said = client.call_ok(
        "save_memory",
        json!({"content": "Lives in Seattle", "scope": "identity", "project": folder}),
    );
    assert!(said.contains("Saved memory 1"), "{said}");
    let said = client.call("save_memory", json!({"content": "Uses zig", "project": "/etc"}));
    assert!(said.is_error && said.text.contains("/etc is not a co project"), "{said:?}");
    assert_eq!(a.facts().len(), 1);
    assert!(client.call_ok("recall_memory", json!({"query": "zig"})).contains("No memories found"));
    assert!(
        client
            .call_ok("recall_memory", json!({"query": "zig", "project": folder}))
            .contains("Builds with zig")
    );
    // Started there, it needs no telling.
    let mut client = Client::start(&a, &project, &[]);
    client.initialize(json!({}));
    assert!(client.call_ok("list_memories", json!({})).contains("p001"));
}

#[test]
fn a_person_is_asked_before_a_fact_is_forgotten() {
    let world = World::new();
    let a = named(&world);
    a.co(&["learn", "Rows on Tuesdays"]);
    let mut client = Client::start(&a, &a.home, &[]);
    client.initialize(json!({"elicitation": {}}));
    for action in ["decline", "cancel"] {
        client.elicitation_action = action;
        let said = client.call("forget_memory", json!({"memory": "1"}));
        assert!(said.is_error && said.text.contains("nothing was changed"), "{said:?}");
    }
    assert_eq!(a.facts().len(), 1);
    a.co(&["knowledge", "write", "deploy-steps", "Push, then watch."]);
    let said = client.call("knowledge_delete", json!({"topic": "deploy-steps"}));
    assert!(said.is_error && a.read("knowledge/deploy-steps.md").contains("Push"), "{said:?}");
    let question = client.other_messages.iter().find(|one| one["method"] == "elicitation/create");
    let question = question.expect("asked")["params"]["message"].to_string();
    assert!(question.contains("Rows on Tuesdays"), "{question}");
    client.elicitation_action = "accept";
    assert!(
        client.call_ok("forget_memory", json!({"memory": "rows on"})).contains("Forgot fact 1")
    );
    assert!(a.facts().is_empty());
}

#[test]
fn without_an_identity_a_tool_says_what_to_do() {
    let world = World::new();
    let a = world.laptop("a");
    let mut client = Client::ready(&a, &[]);
    assert_eq!(client.tools().len(), 6);
    for tool in ["get_context", "list_memories"] {
        let said = client.call(tool, json!({}));
        assert!(said.is_error && said.text.contains("`co init`"), "{said:?}");
    }
    // It is there for the same server, once somebody makes it.
    a.co(&["init", "--yes", "--name", "Ada"]);
    assert!(client.call_ok("get_context", json!({})).contains("- Name: Ada"));
    // Settings that cannot be read are an answer, and no end.
    fs::write(a.config().join("settings.json"), "{").expect("written");
    let said = client.call("get_context", json!({}));
    assert!(said.is_error && said.text.contains("settings.json"), "{said:?}");
    // Nor when they are so from the start.
    let mut client = Client::ready(&a, &[]);
    let said = client.call("list_memories", json!({}));
    assert!(said.is_error && said.text.contains("settings.json"), "{said:?}");
}

#[test]
fn seeds_are_there_when_a_server_starts() {
    let world = World::new();
    let a = named(&world);
    let folder = a.config().join("seed-knowledge");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("models.md"), "tags: ai\n# Models\n\nOpus and Sonnet.\n")
        .expect("written");
    let mut client = Client::ready(&a, &["--read-only"]);
    assert_eq!(client.tools().len(), 3, "who may not write loads nothing");
    let mut client = Client::ready(&a, &[]);
    assert_eq!(client.tools().len(), 11);
    assert!(client.call_ok("knowledge_list", json!({})).contains("| models | ai | seed |"));
}

#[test]
fn what_was_begun_is_finished_when_the_client_goes() {
    let world = World::new();
    let a = named(&world);
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}});
    let call = |id: u64, text: &str| {
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": {"name": "save_memory", "arguments": {"content": text}}})
    };
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    for round in 0..10_u64 {
        let (first, second) =
            (format!("Round {round} fact one"), format!("Round {round} fact two"));
        let input = [hello.clone(), ready.clone(), call(2, &first), call(3, &second)];
        let input: String = input.iter().map(|line| format!("{line}\n")).collect();
        let said = a.piped(&input, &["mcp"]);
        assert_eq!(said.code, 0, "{}", said.err);
        assert_eq!(said.out.lines().count(), 3, "{}", said.out);
    }
    assert_eq!(a.facts().len(), 20);
}

#[test]
fn a_large_document_and_a_large_mistake_are_answered_within_bounds() {
    let world = World::new();
    let a = named(&world);
    a.piped(&"A line of a long document.\n".repeat(12_000), &["knowledge", "write", "long", "-"]);
    let mut client = Client::ready(&a, &["--tools", "all"]);
    let read = client.ask("resources/read", json!({"uri": "co://documents/long"}));
    let text = read["result"]["contents"][0]["text"].as_str().expect("a text");
    assert!(text.len() < 33_000 && text.contains("bytes more: knowledge_search"), "{}", text.len());
    let said = client.call("forget_memory", json!({"memory": "x".repeat(300_000)}));
    assert!(said.is_error && said.text.len() < 2_000, "{}", said.text.len());
}

#[test]
fn lists_and_numbers_are_taken_as_models_write_them() {
    let world = World::new();
    let a = named(&world);
    let mut client = Client::ready(&a, &["--tools", "memory,knowledge"]);
    let all = client.tools();
    for tool in &all {
        assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{tool}");
        let required = tool["inputSchema"]["required"].to_string();
        assert!(!required.contains("max_") && !required.contains("tags"), "{tool}");
    }
    for (at, tags) in [
        json!(["a", "b"]),
        json!("[\"a\",\"b\"]"),
        json!("[\"a\", \"b\"]"),
        json!(["[\"a\",\"b\"]"]),
        json!("[a, b]"),
        json!("['a', 'b']"),
        json!("a, b"),
        json!("a,b"),
    ]
    .into_iter()
    .enumerate()
    {
        let said =
            client.call_ok("save_memory", json!({ "content": format!("Fact {at}"), "tags": tags }));
        let fact = a.json(&["show", &format!("{}", at + 1)]).to_string();
        assert!(fact.contains("[\"a\",\"b\"]"), "{tags}: {said}: {fact}");
        client.call_ok(
            "knowledge_write",
            json!({ "topic": format!("d{at}"), "content": "x", "tags": tags }),
        );
        assert!(a.read(&format!("knowledge/d{at}.md")).contains("tags: [a, b]"), "{tags}");
    }
    for maximum in [json!(2), json!(2.0), json!("2"), json!("2.0"), json!(null)] {
        let said =
            client.call_ok("recall_memory", json!({ "query": "fact", "max_results": maximum }));
        assert!(said.contains("Fact"), "{maximum}: {said}");
        client.call_ok("get_context", json!({ "max_tokens": maximum }));
        client.call_ok("knowledge_search", json!({ "query": "x", "max_tokens": maximum }));
    }
    for maximum in [json!(-1), json!(2.5), json!("two"), json!([2]), json!(true)] {
        let said = client.call("recall_memory", json!({ "query": "fact", "max_results": maximum }));
        assert!(said.is_error && said.text.contains("whole number"), "{maximum}: {said:?}");
    }
    for memory in [json!(1), json!(2.0), json!("3"), json!("4.0")] {
        client.call_ok("forget_memory", json!({ "memory": memory }));
    }
    assert_eq!(a.facts(), ["Fact 4", "Fact 5", "Fact 6", "Fact 7"]);
    assert!(client.call("forget_memory", json!({ "memory": 5.5 })).is_error);
}
