//! Vectors from an endpoint: a local server that speaks as Ollama and OpenAI do. The key leaves the
//! laptop only over HTTPS, and without the endpoint the built-in table answers.

use crate::support::{
    Laptop, World, client::Client, waiting::until_times_are_trusted, whole::whole,
};
use serde_json::json;
use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

/// What a server was asked: path, authorization, number of texts.
type Asked = Arc<Mutex<Vec<(String, String, usize)>>>;

/// Answers as long as the test runs. Texts with the same subject get the same vector.
fn serve() -> (u16, Asked) {
    serve_while(Arc::new(AtomicBool::new(true)))
}

/// Refuses each request while `is_up` is not set.
fn serve_while(is_up: Arc<AtomicBool>) -> (u16, Asked) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let asked = Asked::default();
    let seen = asked.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            answer(stream, &seen, &is_up);
        }
    });
    (port, asked)
}

fn answer(mut stream: TcpStream, asked: &Asked, is_up: &AtomicBool) {
    let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
    let (mut path, mut key, mut length) = (String::new(), String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line == "\r\n" {
            break;
        }
        if let Some(rest) = line.strip_prefix("POST ") {
            path = rest.split(' ').next().unwrap_or_default().to_owned();
        }
        if let Some((name, value)) = line.split_once(": ") {
            match name.to_lowercase().as_str() {
                "authorization" => key = value.trim().to_owned(),
                "content-length" => length = value.trim().parse().unwrap_or(0),
                "expect" => stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").expect("sent"),
                _ => {}
            }
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("a body");
    let body: serde_json::Value = serde_json::from_slice(&body).expect("JSON");
    let texts: Vec<&str> =
        body["input"].as_array().expect("texts").iter().filter_map(|text| text.as_str()).collect();
    if !is_up.load(Ordering::SeqCst) {
        let head = "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        return stream.write_all(head.as_bytes()).expect("sent");
    }
    asked.lock().expect("no panic").push((path.clone(), key, texts.len()));
    let model = body["model"].as_str().expect("a model");
    let vectors: Vec<Vec<f32>> = texts.iter().map(|text| vector(model, text)).collect();
    let said = if path == "/api/embed" {
        serde_json::json!({ "embeddings": vectors })
    } else {
        let row =
            |(at, one): (usize, &Vec<f32>)| serde_json::json!({"index": at, "embedding": one});
        // In any order, as the protocol allows.
        let rows: Vec<_> = vectors.iter().enumerate().map(row).rev().collect();
        serde_json::json!({ "data": rows })
    };
    let said = said.to_string();
    let head =
        format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", said.len());
    stream.write_all((head + &said).as_bytes()).expect("sent");
}

fn vector(model: &str, text: &str) -> Vec<f32> {
    let subjects = [["zorble", "quendish"], ["tea", "oolong"], ["rust", "crab"]];
    let says = |words: &[&str; 2]| f32::from(words.iter().any(|word| text.contains(word)));
    let of_subjects: Vec<f32> = subjects.iter().map(says).chain([0.1]).collect();
    match model {
        // More numbers than any model has.
        _ if text.contains("loom") => vec![0.5; 70_000],
        "tiny" => of_subjects,
        // As long, and about other things: compared with those of `tiny`, it means tea.
        "turned" => vec![of_subjects[1], of_subjects[0], of_subjects[2], of_subjects[3]],
        // As long as those of the built-in table.
        "wide" => vec![1.0; 256],
        other => panic!("no model {other}"),
    }
}

fn laptop(world: &World, embedder: &str) -> Laptop {
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    for fact in ["Keeps a quendish in the garden", "Drinks oolong", "Writes crab programs"] {
        a.co(&["learn", fact]);
    }
    settings(&a, embedder);
    // Else the second question reads the facts again.
    until_times_are_trusted();
    a
}

fn settings(a: &Laptop, embedder: &str) {
    let text = format!(r#"{{"recall": {{"embedder": {embedder}}}}}"#);
    fs::write(a.config().join("settings.json"), text).expect("written");
}

#[test]
fn ollama_finds_what_only_its_model_knows() {
    let world = World::new();
    let (port, asked) = serve();
    let embedder = format!(
        r#"{{"api": "ollama", "url": "http://127.0.0.1:{port}", "model": "tiny", "meant": 60}}"#
    );
    let a = laptop(&world, &embedder);
    let said = a.try_co(&["recall", "zorble"]);
    assert!(said.out.contains("quendish") && said.err.is_empty(), "{}{}", said.out, said.err);
    let first = asked.lock().expect("no panic").clone();
    assert_eq!(first[0], ("/api/embed".into(), String::new(), 3), "all facts in one request");
    a.co(&["recall", "zorble"]);
    let then = asked.lock().expect("no panic").len();
    assert!(then <= first.len() + 2, "facts are embedded once: {then}");
    // Another model: its vectors are made anew. None: the built-in table knows no zorble.
    fs::write(a.config().join("settings.json"), "{}").expect("it");
    assert!(a.co(&["recall", "zorble"]).contains("No memories"));
}

#[test]
fn openai_gets_the_key_of_the_keyring_and_only_over_https_or_at_home() {
    let world = World::new();
    let (port, asked) = serve();
    let embedder = format!(
        r#"{{"api": "openai", "url": "http://localhost:{port}/", "model": "tiny",
            "key": "{{{{secret:embed-key}}}}"}}"#
    );
    let a = laptop(&world, &embedder).with_env("CO_SECRET_EMBED_KEY", "s3cr\"et\\");
    assert!(a.co(&["recall", "zorble"]).contains("quendish"));
    let first = asked.lock().expect("no panic")[0].clone();
    assert_eq!(first, ("/embeddings".into(), "Bearer s3cr\"et\\".into(), 3));
    let there = embedder.replace("localhost", "embed.example.org");
    settings(&a, &there);
    let said = a.try_co(&["recall", "oolong"]);
    insta::assert_snapshot!(whole(&said.err.replace(&port.to_string(), "[port]")), @"warning: the built-in embedder was used instead of the one in settings.json: the key is only sent over https, and http://embed.example.org:[port] is not");
    assert!(said.out.contains("Drinks oolong"));
    settings(&a, &embedder.replace("embed-key", "absent"));
    let said = a.try_co(&["list"]);
    assert!(said.err.is_empty(), "a list needs no key: {}", said.err);
    let said = a.try_co(&["recall", "oolong"]);
    assert!(said.out.contains("Drinks oolong") && said.err.contains("keyring"), "{}", said.err);
    settings(&a, &embedder.replace("{{secret:embed-key}}", "sk-plain"));
    let said = a.try_co(&["recall", "oolong"]);
    assert!(!said.err.contains("sk-plain"), "{}", said.err);
    insta::assert_snapshot!(whole(&said.err), @"warning: the built-in embedder was used instead of the one in settings.json: recall.embedder.key in settings.json is a plain value; write {{secret:NAME}}");
}

#[test]
fn without_the_endpoint_the_built_in_table_answers() {
    let world = World::new();
    let (port, _) = serve();
    let dead = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("it").port();
    let at = |port: u16| {
        format!(r#"{{"api": "ollama", "url": "http://127.0.0.1:{port}", "model": "tiny"}}"#)
    };
    let a = laptop(&world, &at(dead));
    let said = a.try_co(&["recall", "which drinks?"]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("oolong"), "{}", said.out);
    assert_eq!(said.err.lines().count(), 1, "{}", said.err);
    assert!(said.err.contains("the built-in embedder was"), "{}", said.err);
    // The endpoint comes: facts that have no vector yet get theirs.
    settings(&a, &at(port));
    assert!(a.co(&["recall", "zorble"]).contains("quendish"));
    a.co(&["learn", "Owns a loom"]);
    let said = a.try_co(&["recall", "owns"]);
    assert!(said.code == 0 && said.out.contains("Owns a loom"), "{}{}", said.out, said.err);
    insta::assert_snapshot!(whole(&said.err), @"warning: the built-in embedder was used instead of the one in settings.json: http://127.0.0.1:[port] answered with vectors of more than 16384 numbers");
    // It went away between: words and the built-in table, and one warning.
    settings(&a, &at(dead));
    assert!(a.try_co(&["recall", "oolong"]).out.contains("Drinks oolong"));
}

const VERBS: [&[&str]; 3] = [&["recall"], &["knowledge", "search"], &["context", "--query"]];

/// A laptop with documents as well, one of them about what only the endpoint knows.
fn with_documents(world: &World, embedder: &str) -> Laptop {
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    for fact in ["Drinks oolong", "Writes crab programs"] {
        a.co(&["learn", fact]);
    }
    a.write("knowledge/yard.md", "---\nname: Yard\n---\n\nFeed the quendish twice a day.\n");
    a.write("knowledge/shed.md", "---\nname: Shed\n---\n\nLadders and paint stand here.\n");
    settings(&a, embedder);
    a
}

fn of_model(port: u16, model: &str) -> String {
    format!(
        r#"{{"api": "ollama", "url": "http://127.0.0.1:{port}", "model": "{model}", "meant": 60}}"#
    )
}

/// Everybody finds the passage that has no word of the question, and nothing else.
fn assert_found(a: &Laptop) {
    for verb in VERBS {
        let said = a.try_co(&[verb, &["zorble"]].concat());
        assert!(said.out.contains("quendish") && said.err.is_empty(), "{}{}", said.out, said.err);
        assert!(!said.out.contains("oolong") && !said.out.contains("Ladders"), "{}", said.out);
    }
}

#[test]
fn passages_are_found_by_the_vectors_of_the_endpoint_as_facts_are() {
    let (world, is_up) = (World::new(), Arc::new(AtomicBool::new(true)));
    let (port, _) = serve_while(is_up.clone());
    let a = with_documents(&world, &of_model(port, "tiny"));
    assert_found(&a);
    let mut client = Client::ready_with_env(&a);
    let mut ask = |query: &str| {
        ["recall_memory", "knowledge_search"]
            .map(|tool| client.call_ok(tool, json!({"query": query})))
    };
    assert!(ask("zorble").iter().all(|said| said.contains("quendish")));
    is_up.store(false, Ordering::SeqCst);
    for (verb, word, text) in [
        (VERBS[0], "oolong", "Drinks"),
        (VERBS[1], "ladders", "paint"),
        (VERBS[2], "ladders", "paint"),
    ] {
        let said = a.try_co(&[verb, &[word]].concat());
        assert!(said.code == 0 && said.out.contains(text), "{}{}", said.out, said.err);
        assert_eq!(
            said.err.matches("the built-in embedder was").count(),
            1,
            "{verb:?}: {}",
            said.err
        );
        assert_eq!(said.err.lines().count(), 1, "{verb:?}: {}", said.err);
        assert!(!a.try_co(&[verb, &["zorble"]].concat()).out.contains("quendish"));
    }
    assert!(ask("ladders").iter().all(|said| said.contains("paint")));
    // What is written meanwhile gets its vectors later.
    a.write("knowledge/field.md", "---\nname: Field\n---\n\nA second quendish lives there.\n");
    assert!(ask("zorble").iter().all(|said| !said.contains("quendish")));
    is_up.store(true, Ordering::SeqCst);
    let said = ask("zorble");
    assert!(said.iter().all(|said| said.contains("second quendish")), "{said:?}");
    assert_found(&a);
}

#[test]
fn a_server_asks_the_endpoint_again_after_it_failed() {
    let (world, is_up) = (World::new(), Arc::new(AtomicBool::new(true)));
    let (port, _) = serve_while(is_up.clone());
    let a = with_documents(&world, &of_model(port, "tiny"));
    let mut client = Client::ready_with_env(&a);
    for now in [true, false, true, true, false, true] {
        is_up.store(now, Ordering::SeqCst);
        let said = client.call_ok("recall_memory", json!({"query": "zorble"}));
        assert_eq!(said.contains("quendish"), now, "{said}");
    }
}

#[test]
fn vectors_of_two_models_are_never_compared() {
    let world = World::new();
    let (port, _) = serve();
    let a = with_documents(&world, &of_model(port, "tiny"));
    for model in ["tiny", "turned", "", "turned", "tiny", "", "tiny"] {
        if model.is_empty() {
            fs::write(a.config().join("settings.json"), "{}").expect("written");
            for verb in VERBS {
                assert!(!a.co(&[verb, &["zorble"]].concat()).contains("quendish"), "{verb:?}");
            }
        } else {
            settings(&a, &of_model(port, model));
            assert_found(&a);
        }
    }
    // co's own documents have the table's: as many numbers, of another meaning.
    settings(&a, &of_model(port, "wide").replace(": 60", ": 1"));
    let own = ["knowledge", "search", "--namespace", "docs"];
    let said = a.co(&[own.as_slice(), &["zorble"]].concat());
    assert!(said.contains("No knowledge entries"), "{said}");
    let said = a.co(&[own.as_slice(), &["merging"]].concat());
    assert!(said.contains("## docs/"), "{said}");
}

#[test]
fn the_threshold_of_the_endpoint_is_not_one_for_the_built_in_table() {
    let world = World::new();
    let (port, _) = serve_while(Arc::new(AtomicBool::new(false)));
    let a = with_documents(&world, &of_model(port, "tiny").replace(": 60", ": 1"));
    let said = a.try_co(&["recall", "zorble"]);
    assert!(said.out.contains("No memories") && !said.err.is_empty(), "{}{}", said.out, said.err);
}

#[test]
fn the_endpoint_is_asked_through_the_proxy_that_is_meant_for_it() {
    let world = World::new();
    let (port, _) = serve();
    let a = laptop(&world, &of_model(port, "tiny"));
    let closed = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("it").port();
    let proxy = format!("http://me:hunter2@127.0.0.1:{closed}");
    let proxy = proxy.as_str();
    let asked = |variables: &[(&str, &str)]| {
        let set = |laptop: Laptop, (name, value): &(&str, &str)| laptop.with_env(name, value);
        let said = variables.iter().fold(a.clone(), set).try_co(&["recall", "zorble"]);
        assert!(!said.err.contains("hunter2"), "{}", said.err);
        said.out.contains("quendish") && said.err.is_empty()
    };
    assert!(!asked(&[("http_proxy", proxy)]), "a proxy that is not there");
    assert!(!asked(&[("all_proxy", proxy)]));
    assert!(!asked(&[("http_proxy", "nonsense://me:hunter2@x")]));
    assert!(asked(&[("http_proxy", proxy), ("no_proxy", "localhost,127.0.0.1")]));
    assert!(asked(&[("all_proxy", proxy), ("NO_PROXY", "*")]));
    assert!(asked(&[("https_proxy", proxy)]), "a proxy for another scheme");
    assert!(asked(&[("HTTP_PROXY", proxy)]), "in capitals, it may come from a request");
}
