//! Whose place a folder is, by any of its names and by the remotes of the repositories around it;
//! and where a call is when an agent names the folder: on a hook's standard input, by a client's
//! roots, in a tool's argument. Also which layers a session fetches there.

use super::apart::{MARK, apart, said, there};
use crate::support::{Laptop, World, client::Client, git, ready, whole::whole};
use serde_json::{Value, json};
use std::{fs, path::PathBuf};

/// A laptop with an identity of its own, one for work in `~/work`, and a team's that is read in
/// `~/acme`.
fn laptop(world: &World) -> Laptop {
    let a = ready::laptop(world, "a");
    for folder in ["work/app", "work/two", "acme", "other"] {
        fs::create_dir_all(a.home.join(folder)).expect("a folder");
    }
    a.co(&["learn", "The garden needs water"]);
    a.co(&["layer", "add", "work", "--for", "~/work", "--instead"]);
    a.co(&["layer", "add", "acme", "--for", "~/acme", "--write"]);
    a.co(&["-C", &a.home.join("work").display().to_string(), "learn", "The build uses bazel"]);
    a.co(&["learn", "--layer", "acme", "Deploys start on Tuesdays"]);
    a
}

/// Which of the three are read: the person's own, that of work, the team's.
fn read(text: &str) -> (bool, bool, bool) {
    (text.contains("needs water"), text.contains("bazel"), text.contains("Tuesdays"))
}

const OWN: (bool, bool, bool) = (true, false, false);
const WORK: (bool, bool, bool) = (false, true, false);
const TEAM: (bool, bool, bool) = (true, false, true);

#[test]
fn a_hook_is_about_the_folder_that_its_agent_names() {
    let world = World::new();
    let a = laptop(&world);
    let folder = |name: &str| a.home.join(name).display().to_string();
    for (started_in, told, expected) in [
        ("", json!({ "cwd": folder("work/app") }), WORK),
        ("", json!({ "cwd": folder("acme") }), TEAM),
        ("", json!({ "workspace_roots": [folder("work/app")] }), WORK),
        ("", json!({ "workspacePaths": [folder("acme")] }), TEAM),
        ("work/app", json!({ "cwd": folder("other") }), OWN),
        ("work/app", json!({ "session_id": "x" }), WORK),
        ("work/app", json!({ "cwd": "no/such/folder" }), WORK),
        ("", json!([]), OWN),
    ] {
        for agent in ["claude-code", "codex", "gemini", "cursor", "antigravity"] {
            let place = folder(started_in);
            let words = ["-C", &place, "hook", "session-start", "--agent", agent];
            let said = a.piped(&told.to_string(), &words);
            assert_eq!(said.code, 0, "{agent} {told}: {}", said.err);
            assert_eq!(read(&said.out), expected, "{agent} {started_in} {told}: {}", said.out);
        }
    }
}

#[test]
fn a_hook_does_not_wait_for_an_agent_that_says_nothing() {
    let world = World::new();
    let a = laptop(&world);
    let since = std::time::Instant::now();
    let mut command = a.command(&["hook", "session-start", "--agent", "claude-code"]);
    let piped = command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = piped.spawn().expect("co runs");
    let open = child.stdin.take();
    let said = child.wait_with_output().expect("it ends");
    drop(open);
    assert!(since.elapsed() < std::time::Duration::from_secs(20));
    assert_eq!(read(&String::from_utf8_lossy(&said.stdout)), OWN);
}

#[test]
fn a_client_is_where_its_roots_are() {
    let world = World::new();
    let a = laptop(&world);
    let folder = |name: &str| a.home.join(name);
    for (started_in, roots, expected) in [
        ("", vec!["work/app"], WORK),
        ("", vec!["work/app", "work/two"], WORK),
        ("", vec!["acme"], TEAM),
        ("", vec!["other"], OWN),
        ("acme", vec!["other"], OWN),
        // One that names no place is where its process is.
        ("", vec![], OWN),
        ("work/app", vec![], WORK),
    ] {
        let mut client = Client::start(&a, &folder(started_in), &[]);
        let paths: Vec<PathBuf> = roots.iter().map(|root| folder(root)).collect();
        client.roots = Some(paths);
        client.initialize(json!({ "roots": { "listChanged": true } }));
        let list = client.call_ok("list_memories", json!({}));
        assert_eq!(read(&list), expected, "{started_in} {roots:?}: {list}");
        let context = client.call_ok("get_context", json!({}));
        assert_eq!(read(&context), expected, "{started_in} {roots:?}: {context}");
        let prompt = client.ask("prompts/get", json!({ "name": "who-am-i" })).to_string();
        assert_eq!(read(&prompt), expected, "{started_in} {roots:?}: {prompt}");
        let read_it = client.ask("resources/read", json!({ "uri": "co://context" })).to_string();
        assert_eq!(read(&read_it), expected, "{started_in} {roots:?}: {read_it}");
        let asked = client.other_messages.iter().filter(|one| one["method"] == "roots/list");
        assert_eq!(asked.count(), 1, "asked once");
    }
}

#[test]
fn roots_that_change_are_asked_for_again() {
    let world = World::new();
    let a = laptop(&world);
    let mut client = Client::start(&a, &a.home, &[]);
    client.roots = Some(vec![a.home.join("acme")]);
    client.initialize(json!({ "roots": { "listChanged": true } }));
    assert_eq!(read(&client.call_ok("list_memories", json!({}))), TEAM);
    client.roots = Some(vec![a.home.join("work/app")]);
    let changed = json!({ "jsonrpc": "2.0", "method": "notifications/roots/list_changed" });
    client.send(&changed.to_string());
    assert_eq!(read(&client.call_ok("list_memories", json!({}))), WORK);
}

#[test]
fn roots_of_two_identities_or_of_no_folder_are_no_place() {
    let world = World::new();
    let a = laptop(&world);
    for (started_in, roots) in [
        ("", vec!["work/app", "other"]),
        ("", vec!["other", "work/app"]),
        ("", vec!["no/such/folder"]),
        ("work/app", vec!["other"]),
    ] {
        let mut client = Client::start(&a, &a.home.join(started_in), &[]);
        client.roots = Some(roots.iter().map(|root| a.home.join(root)).collect());
        client.initialize(json!({ "roots": {} }));
        for (tool, arguments) in [
            ("list_memories", json!({})),
            ("get_context", json!({})),
            ("recall_memory", json!({ "query": "water" })),
            ("save_memory", json!({ "content": "Nobody knows whose this is" })),
        ] {
            let answer = client.call(tool, arguments);
            assert!(answer.is_error, "{roots:?} {tool}: {}", answer.text);
            assert_eq!(read(&answer.text), (false, false, false), "{roots:?}: {}", answer.text);
        }
    }
    assert!(!a.texts().contains("Nobody knows"));
}

#[test]
fn a_laptop_without_layers_asks_no_client() {
    let world = World::new();
    let a = ready::laptop(&world, "a");
    let mut client = Client::start(&a, &a.home, &[]);
    client.roots = Some(vec![a.home]);
    client.initialize(json!({ "roots": {} }));
    client.call_ok("list_memories", json!({}));
    assert!(client.other_messages.iter().all(|one| one["method"] != "roots/list"));
    let properties = |tool: &Value| tool["inputSchema"]["properties"].clone();
    assert!(client.tools().iter().all(|tool| properties(tool).get("layer").is_none()));
}

#[test]
fn a_tool_reads_and_writes_the_layer_that_it_names() {
    let world = World::new();
    let a = laptop(&world);
    a.co(&["knowledge", "write", "--layer", "acme", "reference/deploys", "# Deploys\n\nBlue."]);
    let mut client = Client::start(&a, &a.home.join("acme"), &["--tools", "all"]);
    client.initialize(json!({}));
    for tool in client.tools() {
        let has_it = tool["inputSchema"]["properties"].get("layer").is_some();
        assert_eq!(has_it, tool["name"] != "save_handoff", "{tool}");
    }
    for (layer, expected) in
        [("acme", (false, false, true)), ("me", OWN), ("all", TEAM), ("", TEAM)]
    {
        for (tool, mut arguments) in [
            ("list_memories", json!({})),
            ("recall_memory", json!({ "query": "garden deploys" })),
            ("get_context", json!({})),
        ] {
            arguments["layer"] = json!(layer);
            let text = client.call_ok(tool, arguments);
            assert_eq!(read(&text), expected, "{tool} {layer}: {text}");
        }
    }
    let saved = client.call_ok(
        "save_memory",
        json!({ "content": "The staging host is called moss", "layer": "acme" }),
    );
    assert!(saved.contains("acme/"), "{saved}");
    assert!(!a.texts().contains("moss"), "it is none of one's own");
    let found = client.call_ok("knowledge_search", json!({ "query": "blue", "layer": "acme" }));
    assert!(found.contains("Blue"), "{found}");
    let found = client.call_ok("knowledge_list", json!({ "layer": "me" }));
    assert!(!found.contains("deploys"), "{found}");
    for arguments in [
        json!({ "content": "Nothing of this", "layer": "nobody" }),
        json!({ "content": "Nothing of this", "layer": "acme", "scope": "identity" }),
        json!({ "content": "Nothing of this", "layer": ["acme"] }),
        json!({ "content": "Nothing of this", "layer": { "name": "me" } }),
    ] {
        let answer = client.call("save_memory", arguments.clone());
        assert!(answer.is_error, "{arguments}: {}", answer.text);
    }
    let goal = client.call("save_handoff", json!({ "goal": "Ship", "layer": "acme" }));
    assert!(goal.is_error, "{goal:?}");
    let place = a.home.join("work/app");
    let mut client = Client::start(&a, &place, &[]);
    client.initialize(json!({}));
    for layer in ["me", "acme"] {
        let answer = client.call("list_memories", json!({ "layer": layer }));
        assert!(answer.is_error, "{layer}: {}", answer.text);
        assert_eq!(read(&answer.text), (false, false, false));
    }
    assert_eq!(read(&client.call_ok("list_memories", json!({ "layer": "work" }))), WORK);
}

#[test]
fn a_session_fetches_the_layers_that_are_read_there() {
    let world = World::new();
    let url = world.path("team.git").display().to_string();
    git(world.dir.path(), &["init", "-q", "--bare", "-b", "main", "team.git"]);
    let ada = ready::laptop(&world, "ada");
    ada.co(&["layer", "add", "acme", &url, "--write"]);
    ada.co(&["learn", "--layer", "acme", "Deploys start on Tuesdays"]);
    ada.co(&["sync"]);
    let bob = ready::laptop(&world, "bob");
    fs::create_dir_all(bob.home.join("acme")).expect("a folder");
    bob.co(&["layer", "add", "acme", &url, "--for", "~/acme"]);
    ada.co(&["learn", "--layer", "acme", "The staging host is called moss"]);
    let end = |laptop: &Laptop, folder: &str| {
        let told = json!({ "cwd": laptop.home.join(folder) }).to_string();
        let said = laptop.piped(&told, &["hook", "session-end", "--agent", "claude-code"]);
        assert_eq!(said.code, 0, "{}", said.err);
    };
    end(&ada, "");
    end(&bob, "");
    let list = ["list", "--layer", "acme"];
    assert!(!bob.co(&list).contains("moss"), "it is not read there");
    end(&bob, "acme");
    assert!(bob.co(&list).contains("moss"));
    // One that is away holds up no other.
    fs::rename(world.path("team.git"), world.path("away.git")).expect("moved");
    end(&bob, "acme");
    let remote = world.remote();
    bob.co(&["identity", "remote", &remote]);
    bob.co(&["learn", "The kayak is red"]);
    end(&bob, "acme");
    let log = git(&ready::bare(&world), &["log", "--oneline", "main"]);
    assert!(log.lines().count() > 0, "{log}");
}

#[test]
fn a_folder_is_known_by_any_of_its_names() {
    let world = World::new();
    let a = apart(&world);
    let link = a.home.join("link");
    std::os::unix::fs::symlink(a.home.join("work"), &link).expect("a link");
    let real: PathBuf = a.home.join("real");
    fs::create_dir_all(real.join("x")).expect("a folder");
    std::os::unix::fs::symlink(&real, a.home.join("work/in")).expect("a link");
    for place in ["work", "work/app", "link/app", "link"] {
        let place = a.home.join(place).display().to_string();
        assert!(!said(&a, &place, &["list"]).contains(MARK), "{place}");
    }
    // Started in the folder, as a shell does it, through a link that lies in the place.
    let through = a.home.join("work/in/x");
    let started = |folder: &std::path::Path| {
        let mut command = a.command(&["list"]);
        command.current_dir(folder).env("PWD", folder);
        String::from_utf8_lossy(&command.output().expect("co runs").stdout).into_owned()
    };
    assert!(!started(&through).contains(MARK), "by the name that was typed");
    assert!(started(&a.home).contains(MARK));
}

#[test]
fn any_remote_of_any_repository_around_a_folder_tells_whose_place_it_is() {
    let world = World::new();
    let a = ready::laptop(&world, "a");
    a.co(&["learn", "zinnober family"]);
    a.co(&["layer", "add", "job", "--for", "github.com/acme/*", "--instead"]);
    a.co(&["layer", "add", "gig", "--for", "github.com/gig/*", "--instead"]);
    let (acme, other) = ("git@github.com:acme/app.git", "https://example.org/x.git");
    let remote = ["remote", "add", "origin"];
    for (folder, commands) in [
        ("app", vec![[remote.as_slice(), &[acme]].concat()]),
        // A submodule, and a clone inside that has no remote.
        ("app/vendor/x", vec![[remote.as_slice(), &[other]].concat()]),
        ("app/vendor/x/y", vec![]),
        ("app/gig", vec![[remote.as_slice(), &["git@github.com:gig/x.git"]].concat()]),
        (
            "pushed",
            vec![
                [remote.as_slice(), &[other]].concat(),
                vec!["remote", "set-url", "--push", "origin", acme],
            ],
        ),
        (
            "second",
            vec![
                [remote.as_slice(), &[other]].concat(),
                vec!["remote", "set-url", "--add", "origin", acme],
            ],
        ),
        (
            "short",
            vec![
                [remote.as_slice(), &["ac:app.git"]].concat(),
                vec!["config", "url.git@github.com:acme/.insteadOf", "ac:"],
            ],
        ),
        ("mine", vec![[remote.as_slice(), &[other]].concat()]),
    ] {
        let place = a.home.join(folder);
        fs::create_dir_all(place.join("deep")).expect("a folder");
        git(&place, &["init", "-q"]);
        for command in commands {
            git(&place, &command);
        }
        for place in [place.clone(), place.join("deep")] {
            let place = place.display().to_string();
            let list = said(&a, &place, &["list"]);
            assert_eq!(list.contains(MARK), folder == "mine", "{place}: {list}");
            let named = a.json(&["-C", &place, "layer", "list"])["data"].to_string();
            assert!(!named.contains(MARK), "{named}");
        }
    }
    // What is nearest decides, if it is somebody's place.
    let inside = a.home.join("app/gig").display().to_string();
    a.co(&["-C", &inside, "learn", "Gig uses make"]);
    assert!(a.co(&["list", "--layer", "gig"]).contains("make"));
}

#[test]
fn a_place_of_two_or_of_nobody_known_is_refused() {
    let world = World::new();
    let a = apart(&world);
    let place = there(&a);
    a.co(&["layer", "add", "gig", "--for", "github.com/gig/*", "--instead"]);
    git(&a.home.join("work/app"), &["init", "-q"]);
    git(&a.home.join("work/app"), &["remote", "add", "origin", "git@github.com:gig/app.git"]);
    let refused = |words: &[&str]| {
        let said = a.fails(6, &[["-C", place.as_str()].as_slice(), words].concat());
        assert!(!said.contains(MARK), "{said}");
        said
    };
    let first = refused(&["list"]);
    insta::assert_snapshot!(whole(&first), @"
    error: ~/work/app/src is a place of two layers that stand in for your own identity: work and gig
    hint: `co layer remove gig` takes one off the list, and deletes nothing
    ");
    for words in [["learn", "x"].as_slice(), &["context"], &["recall", "family"], &["log"]] {
        assert_eq!(refused(words), first, "{words:?}");
    }
    a.co(&["layer", "remove", "gig"]);
    let settings = a.config().join("settings.json");
    let text = fs::read_to_string(&settings).expect("there");
    for broken in
        [text.replace("instead", "insted"), text.replace("~/work", "work"), "{".to_owned()]
    {
        assert_ne!(broken, text);
        fs::write(&settings, &broken).expect("written");
        for words in [["list"].as_slice(), &["context"], &["recall", "family"]] {
            let said = said(&a, &place, words);
            assert!(!said.contains(MARK), "{words:?} {broken}: {said}");
        }
    }
}
