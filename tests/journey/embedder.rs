//! Vectors from an endpoint: a local server that speaks as Ollama and OpenAI do. The key leaves the
//! laptop only over HTTPS, and without the endpoint the built-in table answers.

use crate::support::{Laptop, World, report_skipped, require_tool};
use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
};

/// What a server was asked: path, authorization, number of texts.
type Asked = Arc<Mutex<Vec<(String, String, usize)>>>;

/// Answers as long as the test runs. Texts with the same subject get the same vector.
fn serve() -> (u16, Asked) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let asked = Asked::default();
    let seen = asked.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            answer(stream, &seen);
        }
    });
    (port, asked)
}

fn answer(mut stream: TcpStream, asked: &Asked) {
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
    assert_eq!(body["model"], "tiny");
    asked.lock().expect("no panic").push((path.clone(), key, texts.len()));
    let vectors: Vec<Vec<f32>> = texts.iter().map(|text| vector(text)).collect();
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

fn vector(text: &str) -> Vec<f32> {
    let subjects = [["zorble", "quendish"], ["tea", "oolong"], ["rust", "crab"]];
    let says = |words: &[&str; 2]| f32::from(words.iter().any(|word| text.contains(word)));
    // More numbers than any model has.
    let more = if text.contains("loom") { 70_000 } else { 0 };
    subjects.iter().map(says).chain([0.1]).chain(vec![0.5; more]).collect()
}

fn laptop(world: &World, embedder: &str) -> Laptop {
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    for fact in ["Keeps a quendish in the garden", "Drinks oolong", "Writes crab programs"] {
        a.co(&["learn", fact]);
    }
    settings(&a, embedder);
    a
}

fn settings(a: &Laptop, embedder: &str) {
    let text = format!(r#"{{"recall": {{"embedder": {embedder}}}}}"#);
    fs::write(a.config().join("settings.json"), text).expect("written");
}

#[test]
fn ollama_finds_what_only_its_model_knows() {
    if !require_tool("curl") {
        return report_skipped("curl");
    }
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
    if !require_tool("curl") {
        return report_skipped("curl");
    }
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
    assert!(said.err.contains("the key is only sent over https"), "{}", said.err);
    assert!(said.out.contains("Drinks oolong"));
    settings(&a, &embedder.replace("embed-key", "absent"));
    let said = a.try_co(&["list"]);
    assert!(said.err.is_empty(), "a list needs no key: {}", said.err);
    let said = a.try_co(&["recall", "oolong"]);
    assert!(said.out.contains("Drinks oolong") && said.err.contains("keyring"), "{}", said.err);
    settings(&a, &embedder.replace("{{secret:embed-key}}", "sk-plain"));
    let said = a.try_co(&["recall", "oolong"]);
    assert!(said.err.contains("write {{secret:NAME}}"), "{}", said.err);
    assert!(!said.err.contains("sk-plain"), "{}", said.err);
}

#[test]
fn without_the_endpoint_the_built_in_table_answers() {
    if !require_tool("curl") {
        return report_skipped("curl");
    }
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
    assert!(said.err.contains("the built-in one was"), "{}", said.err);
    // The endpoint comes: facts that have no vector yet get theirs.
    settings(&a, &at(port));
    assert!(a.co(&["recall", "zorble"]).contains("quendish"));
    a.co(&["learn", "Owns a loom"]);
    let said = a.try_co(&["recall", "owns"]);
    assert!(said.code == 0 && said.out.contains("Owns a loom"), "{}{}", said.out, said.err);
    assert!(said.err.contains("16384 numbers"), "{}", said.err);
    // It went away between: words and the built-in table, and one warning.
    settings(&a, &at(dead));
    assert!(a.try_co(&["recall", "oolong"]).out.contains("Drinks oolong"));
}
