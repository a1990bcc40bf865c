//! `co web`: who is let in, what the page answers, and what it changes.

use crate::support::{
    Laptop, World, require_tool,
    web::{Site, token_of},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use std::{
    io::{BufRead, Write},
    net::TcpStream,
    path::Path,
    process::Command,
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

fn laptop(world: &World) -> Laptop {
    let a = world.laptop("a");
    a.co(&["init", "--yes", "--name", "Bin Chen"]);
    a
}

fn first(site: &Site) -> Value {
    site.data("list", &json!({}))["memories"][0].clone()
}

#[test]
fn only_the_page_itself_is_answered() {
    let world = World::new();
    let a = laptop(&world);
    a.co(&["learn", "Lives in Seattle"]);
    let mut site = Site::start(&a, &[]);
    let refused = |site: &Site, headers: &[(&str, &str)]| {
        let answer = site.send("POST", "/api/list", headers, "{}");
        assert!(!answer.body.contains("Seattle"), "{answer:?}");
        answer.status
    };
    // Before the key was used, and with a wrong one; the page itself shows nothing.
    assert_eq!(site.call("list", "{}").status, 401);
    for wrong in [String::new(), format!("{}0", site.key())] {
        assert_eq!(site.enter(&wrong).status, 401, "{wrong}");
    }
    let page = site.get("/", &[]);
    assert!(page.status == 200 && !page.body.contains("Seattle"), "{page:?}");
    let foreign = site.send("GET", "/", &[("Host", "evil.example")], "");
    assert_eq!(foreign.status, 421, "{foreign:?}");
    let entered = site.enter(&site.key());
    assert!(entered.status == 200 && !entered.head.contains("cookie"), "{entered:?}");
    site.token = token_of(&entered);
    // Once.
    assert_eq!(site.enter(&site.key()).status, 401);

    let (host, origin) = (site.host(), site.origin());
    let bearer = format!("Bearer {}", site.token);
    let kind = ("Content-Type", "application/json");
    let (host, origin, token) =
        (("Host", host.as_str()), ("Origin", origin.as_str()), ("Authorization", bearer.as_str()));
    let good = site.send("POST", "/api/list", &[host, origin, token, kind], "{}");
    assert!(good.status == 200 && good.body.contains("Seattle"), "{good:?}");
    assert_eq!(refused(&site, &[("Host", "evil.example"), origin, token, kind]), 421);
    assert_eq!(refused(&site, &[("Host", "localhost"), origin, token, kind]), 421);
    assert_eq!(refused(&site, &[host, ("Origin", "http://evil.example"), token, kind]), 403);
    assert_eq!(refused(&site, &[host, ("Origin", "null"), token, kind]), 403);
    assert_eq!(refused(&site, &[host, token, kind]), 403);
    for from in ["cross-site", "same-site"] {
        let from = ("Sec-Fetch-Site", from);
        assert_eq!(refused(&site, &[host, origin, token, kind, from]), 403);
    }
    assert_eq!(refused(&site, &[host, origin, kind]), 401);
    assert_eq!(refused(&site, &[host, origin, ("Authorization", "Bearer x"), kind]), 401);
    let cookie = format!("token={}", site.token);
    assert_eq!(refused(&site, &[host, origin, ("Cookie", &cookie), kind]), 401);
    assert_eq!(refused(&site, &[host, origin, token, ("Content-Type", "text/plain")]), 415);

    let all = [host, origin, token, kind];
    for method in ["GET", "PUT", "DELETE", "OPTIONS", "HEAD"] {
        assert_eq!(site.send(method, "/api/list", &all, "{}").status, 405, "{method}");
    }
    for method in ["POST", "DELETE"] {
        assert_eq!(site.send(method, "/", &all, "").status, 405, "{method}");
    }
    let large = format!("{{\"text\": \"{}\", \"tags\": []}}", "x".repeat(2 << 20));
    assert_eq!(site.call("learn", &large).status, 413);
    assert_eq!(site.call("learn", "no json").status, 400);
    assert_eq!(site.call("learn", "{\"text\": \"x\", \"tags\": [], \"scope\": \"y\"}").status, 400);
    for path in ["/api/nothing", "/etc/passwd", "/../../etc/passwd", "/knowledge/context.md"] {
        let answer =
            if path.starts_with("/api") { site.call("nothing", "{}") } else { site.get(path, &[]) };
        assert_eq!(answer.status, 404, "{path}: {answer:?}");
    }
    assert_eq!(a.facts(), ["Lives in Seattle"]);
}

#[test]
fn every_answer_has_the_policy() {
    let world = World::new();
    let site = Site::entered(&laptop(&world), &[]);
    for answer in [site.get("/", &[]), site.get("/nothing", &[]), site.call("list", "{}")] {
        let head = answer.head.to_lowercase();
        for header in [
            "content-security-policy: default-src 'none'; script-src 'sha256-",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cache-control: no-store",
            "cross-origin-resource-policy: same-origin",
        ] {
            assert!(head.contains(header), "{header}: {head}");
        }
        assert!(!head.contains("unsafe") && !head.contains("access-control"), "{head}");
    }
    assert!(site.get("/", &[]).body.starts_with("<!doctype html>"));
}

#[test]
fn its_answers_are_those_of_json() {
    let world = World::new();
    let a = laptop(&world);
    a.co(&["learn", "Prefers tabs over spaces", "--tag", "style"]);
    a.co(&["learn", "Deploys with fly.io"]);
    a.co(&["knowledge", "write", "deploy-steps", "# Deploy\n\nPush, then wait."]);
    // What is not committed yet has the time of the question.
    a.co(&["sync"]);
    let site = Site::entered(&a, &[]);
    for (call, fields, command) in [
        ("list", json!({}), &["list"][..]),
        ("show", json!({ "handle": "1", "scope": "identity" }), &["show", "1"]),
        ("life", json!({ "handle": "1" }), &["log", "1"]),
        ("log", json!({ "limit": 5 }), &["log", "-n", "5"]),
        ("documents", json!({}), &["knowledge", "list"]),
        ("document", json!({ "topic": "deploy-steps" }), &["knowledge", "show", "deploy-steps"]),
        ("related", json!({ "topic": "deploy-steps" }), &["knowledge", "related", "deploy-steps"]),
        ("context", json!({ "agent": null }), &["context"]),
        ("review", json!({}), &["review"]),
        ("stale", json!({}), &["review", "--stale"]),
        ("list", json!({ "which": "all" }), &["list", "--all"]),
    ] {
        let (there, here) = (site.envelope(call, &fields), a.json(command));
        assert_eq!(there["data"], here["data"], "{call}");
        assert_eq!((&there["command"], &there["schema"]), (&here["command"], &here["schema"]));
    }
    let there = site.data("recall", &json!({ "query": "tabs or spaces", "limit": 10 }));
    let here = a.json(&["recall", "tabs or spaces"])["data"].clone();
    assert_eq!(there["results"][0]["hash"], here["results"][0]["hash"]);
    assert_eq!(there["results"][0]["score"], here["results"][0]["score"]);
    assert_eq!(site.data("status", &json!({}))["name"], "Bin Chen");
    let (there, here) = (
        site.envelope("show", &json!({ "handle": "9", "scope": "identity" })),
        a.json(&["show", "9"]),
    );
    assert_eq!(there["ok"], json!(false));
    for key in ["code", "message"] {
        assert_eq!(there["error"][key], here["error"][key]);
    }
    // Who is on the page is not sent to a terminal for what the page shows.
    assert_eq!(here["error"]["hints"], json!(["`co list` lists your facts"]));
    assert_eq!(there["error"]["hints"], json!([]));
}

#[test]
fn each_change_is_one_operation_that_undo_takes_back() {
    let world = World::new();
    let a = laptop(&world);
    let site = Site::entered(&a, &[]);
    site.data("learn", &json!({ "text": "Prefers tabs", "tags": ["style"] }));
    assert_eq!(a.facts(), ["Prefers tabs"]);
    let fact = first(&site);
    let hash = fact["hash"].as_str().expect("a hash");
    let edit = json!({
        "handle": hash, "scope": "identity", "text": "Prefers spaces", "tags": ["style"], "based_on": hash,
    });
    site.data("edit", &edit);
    assert_eq!(a.facts(), ["Prefers spaces"]);
    // Somebody else changed it since.
    let stale = site.envelope("edit", &edit);
    assert_eq!(stale["ok"], false, "{stale}");
    site.data("undo", &json!({ "op": null }));
    assert_eq!(a.facts(), ["Prefers tabs"]);
    a.co(&["redo"]);
    assert_eq!(a.facts(), ["Prefers spaces"]);
    let hash = first(&site)["hash"].clone();
    site.data("pin", &json!({ "handle": hash, "scope": "identity", "pinned": true }));
    assert_eq!(first(&site)["pinned"], true);
    site.data("undo", &json!({ "op": null }));
    assert_eq!(first(&site)["pinned"], false);
    site.data("forget", &json!({ "handle": hash, "scope": "identity" }));
    assert_eq!(a.facts(), Vec::<String>::new());
    site.data("undo", &json!({ "op": null }));
    assert_eq!(a.facts(), ["Prefers spaces"]);
    assert!(a.co(&["log"]).contains("web"), "{}", a.co(&["log"]));
    a.co(&["check"]);
    // A secret is refused here as everywhere.
    let token = "the token is ghp_9xKq2LmV7RtZ4WcY8NbJ3HdF6GsP1Qe05AuT";
    let refused = site.envelope("learn", &json!({ "text": token, "tags": [] }));
    assert_eq!(refused["ok"], false, "{refused}");
    assert!(!refused.to_string().contains("ghp_9xKq2LmV7"), "{refused}");
}

#[test]
fn proposals_are_answered_and_the_answer_is_taken_back() {
    let world = World::new();
    let a = laptop(&world);
    std::fs::write(a.home.join("facts.txt"), "Works with Rust\nLives in Seattle\n").expect("facts");
    a.co(&["agent", "import", "--from", "facts.txt", "--review"]);
    let site = Site::entered(&a, &[]);
    let waits = || site.data("review", &json!({}))["proposals"].as_array().expect("a list").clone();
    let [one, two] = &waits()[..] else { panic!("{:?}", waits()) };
    site.data("accept", &json!({ "id": one["id"], "text": "Lives near Seattle" }));
    site.data("reject", &json!({ "id": two["id"] }));
    assert_eq!(a.facts(), ["Lives near Seattle"]);
    assert!(waits().is_empty(), "{:?}", waits());
    site.data("undo", &json!({ "op": null }));
    site.data("undo", &json!({ "op": null }));
    assert_eq!((a.facts().len(), waits().len()), (0, 2));
}

#[test]
fn read_only_changes_nothing() {
    let world = World::new();
    let a = laptop(&world);
    a.co(&["learn", "Prefers tabs"]);
    let site = Site::entered(&a, &["--read-only"]);
    assert_eq!(site.data("watch", &json!({ "active": false }))["read_only"], true);
    for (call, fields) in [
        ("learn", json!({ "text": "x y z", "tags": [] })),
        ("forget", json!({ "handle": "1", "scope": "identity" })),
        ("pin", json!({ "handle": "1", "scope": "identity", "pinned": true })),
        ("undo", json!({ "op": null })),
    ] {
        assert_eq!(site.call(call, &fields.to_string()).status, 403, "{call}");
    }
    assert_eq!(a.facts(), ["Prefers tabs"]);
}

#[test]
fn another_program_is_noticed() {
    let world = World::new();
    let a = laptop(&world);
    let site = Site::entered(&a, &[]);
    let revision = || site.data("watch", &json!({ "active": false }))["revision"].clone();
    let mut before = revision();
    assert_eq!(before, revision());
    let changed = |what: &str, before: &mut Value| {
        let now = revision();
        assert_ne!(*before, now, "{what}");
        *before = now;
    };
    a.co(&["learn", "Prefers tabs"]);
    changed("learn", &mut before);
    a.write("profile.md", "# Profile\n\n- Name: Ada\n");
    changed("by hand", &mut before);
    std::fs::write(a.home.join("facts.txt"), "Works with Rust\n").expect("a fact");
    a.co(&["agent", "import", "--from", "facts.txt", "--review"]);
    changed("a proposal", &mut before);
}

#[test]
fn a_server_killed_in_a_change_loses_nothing() {
    let world = World::new();
    let a = laptop(&world);
    let mut saved = Vec::new();
    for round in 0..6_u64 {
        let mut site = Site::entered(&a, &[]);
        let (saved_one, one_is_saved) = mpsc::channel();
        thread::scope(|scope| {
            let calls = scope.spawn(|| {
                let texts = (0..40).map(|n| format!("Round {round} taught number {n}"));
                let is_saved = |text: &String| {
                    let call = site.call("learn", &json!({ "text": text, "tags": [] }).to_string());
                    let is_saved = call.status == 200 && call.body.contains("\"ok\":true");
                    if is_saved {
                        saved_one.send(()).ok();
                    }
                    is_saved
                };
                texts.filter(is_saved).collect::<Vec<String>>()
            });
            // On a slow machine, nothing may have been saved in the rounds before.
            if round == 5 {
                one_is_saved.recv_timeout(Duration::from_secs(60)).ok();
            }
            thread::sleep(Duration::from_millis(40 + 37 * round));
            let pid = site.child.id().to_string();
            assert!(Command::new("kill").args(["-9", &pid]).status().is_ok_and(|s| s.success()));
            saved.extend(calls.join().expect("answers"));
        });
        let _ = site.child.wait();
    }
    a.co(&["check"]);
    a.co(&["learn", "After all of it"]);
    let facts = a.facts();
    assert!(!saved.is_empty());
    for text in saved {
        assert!(facts.contains(&text), "{text} was said to be saved");
    }
    let unique: std::collections::BTreeSet<&String> = facts.iter().collect();
    assert_eq!(facts.len(), unique.len(), "{facts:?}");
}

#[test]
fn it_ends_when_it_is_told_to() {
    let world = World::new();
    let a = laptop(&world);
    for signal in ["-INT", "-HUP", "-TERM"] {
        let mut site = Site::entered(&a, &[]);
        site.data("learn", &json!({ "text": format!("Said before {signal}"), "tags": [] }));
        let pid = site.child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().is_ok_and(|s| s.success()));
        let since = Instant::now();
        let status = site.child.wait().expect("it ends");
        assert_eq!(status.code(), Some(0), "{signal}");
        assert!(since.elapsed() < Duration::from_secs(10), "{signal}");
    }
    let mut site = Site::start(&a, &[]);
    let port = site.port.to_string();
    assert!(a.fails(10, &["web", "--no-open", "--port", &port]).contains(&port));
    site.child.kill().expect("it runs");
    let mut rest = String::new();
    site.output.read_line(&mut rest).expect("its second line");
    assert_eq!(rest, "Ctrl-C stops it.\n");
}

#[test]
fn a_change_names_the_operation_that_undoes_it() {
    let world = World::new();
    let a = laptop(&world);
    let site = Site::entered(&a, &[]);
    let learn = |text: &str| site.call("learn", &json!({ "text": text, "tags": [] }).to_string());
    let first_op = learn("Prefers tabs").operation().expect("an operation");
    a.co(&["learn", "Said on the command line"]);
    let fact = first(&site);
    let same = json!({
        "handle": fact["hash"], "scope": "identity", "text": "Prefers tabs", "tags": [],
        "based_on": fact["hash"],
    });
    assert_eq!(site.call("edit", &same.to_string()).operation(), None);
    assert_eq!(site.call("list", "{}").operation(), None);
    let undone = site.call("undo", &json!({ "op": first_op }).to_string());
    assert!(undone.operation().is_some_and(|op| op > first_op), "{undone:?}");
    assert_eq!(a.facts(), ["Said on the command line"]);
}

#[test]
fn a_proposal_that_was_answered_elsewhere_is_not_accepted_again() {
    let world = World::new();
    let a = laptop(&world);
    std::fs::write(a.home.join("facts.txt"), "Works with Rust\n").expect("facts");
    a.co(&["agent", "import", "--from", "facts.txt", "--review"]);
    let site = Site::entered(&a, &[]);
    let id = site.data("review", &json!({}))["proposals"][0]["id"].clone();
    a.co(&["review", "reject", id.as_str().expect("an id")]);
    let late = site.call("accept", &json!({ "id": id, "text": null }).to_string());
    assert!(late.body.contains("answered_before") && late.operation().is_none(), "{late:?}");
    assert!(a.facts().is_empty(), "{:?}", a.facts());
}

#[test]
fn what_a_person_adds_is_no_write_of_an_agent() {
    let world = World::new();
    let a = laptop(&world);
    let site = Site::entered(&a, &[]);
    site.data("learn", &json!({ "text": "Prefers tabs", "tags": [] }));
    let home = a.co(&[]);
    assert!(!home.contains("Prefers tabs") && !home.contains("web"), "{home}");
    let fact = site.data("show", &json!({ "handle": "1", "scope": "identity" }));
    assert_eq!(fact["from"]["agent"], Value::Null, "{fact}");
}

#[test]
fn looking_through_facts_does_not_count_as_recalling_them() {
    let world = World::new();
    let a = laptop(&world);
    a.co(&["learn", "Prefers tabs over spaces"]);
    let site = Site::entered(&a, &[]);
    let counts = || {
        let caches = a.home.join(".config/co-cli/local/cache");
        let mut caches = std::fs::read_dir(caches).into_iter().flatten().filter_map(Result::ok);
        caches.any(|cache| cache.path().join("recalled").exists())
    };
    let found = site.data("recall", &json!({ "query": "tabs", "limit": 5 }));
    assert_eq!(found["results"].as_array().map(Vec::len), Some(1), "{found}");
    assert!(!counts(), "the page counts");
    a.co(&["recall", "tabs"]);
    assert!(counts(), "a recall counts, and this is where");
}

#[test]
fn facts_know_their_laptop() {
    let world = World::new();
    let (a, b) = (laptop(&world), world.laptop("b"));
    a.co(&["identity", "remote", &world.remote()]);
    a.co(&["learn", "Learned on the first"]);
    a.co(&["sync"]);
    b.co(&["init", "--yes", &world.remote()]);
    b.co(&["learn", "Learned on the second"]);
    b.co(&["sync"]);
    a.co(&["sync"]);
    a.co(&["learn", "Not yet in a commit"]);
    let by_hand = "---\nid: 9\ncreated: 2026-01-02T09:00:00Z\n---\n\nCommitted by hand\n";
    a.write("knowledge/memories/009-committed-by-hand.md", by_hand);
    a.git(&["add", "knowledge/memories/009-committed-by-hand.md"]);
    a.git(&["commit", "-qm", "by hand"]);
    let site = Site::entered(&a, &[]);
    let laptops = site.data("laptops", &json!({}))["laptops"].clone();
    let rows = site.data("list", &json!({}))["memories"].clone();
    let rows = rows.as_array().expect("rows");
    let of = |text: &str| {
        let row = rows.iter().find(|row| row["summary"] == text).expect("the fact");
        laptops[row["created"].as_str().expect("an origin")].clone()
    };
    assert_eq!(of("Learned on the first"), "a");
    assert_eq!(of("Learned on the second"), "b");
    assert_eq!(of("Not yet in a commit"), "a");
    assert_eq!(of("Committed by hand"), Value::Null);
}

#[test]
fn facts_of_a_project_are_shown_and_changed_in_it() {
    let world = World::new();
    let a = laptop(&world);
    std::fs::create_dir_all(a.home.join("work/.co-cli")).expect("a project");
    a.co(&["-C", "work", "learn", "Ships on Fridays", "--scope", "project"]);
    a.co(&["learn", "Ships on Fridays", "--scope", "identity"]);
    let site = Site::entered(&a, &["-C", "work"]);
    let hash = first(&site)["hash"].clone();
    for scope in ["identity", "project"] {
        let fact = site.data("show", &json!({ "handle": hash, "scope": scope }));
        assert_eq!(fact["scope"], scope, "{fact}");
    }
    let mut before = site.data("watch", &json!({ "active": false }));
    let pinned = json!({ "handle": hash, "scope": "project", "pinned": true });
    site.data("pin", &pinned);
    let after = site.data("watch", &json!({ "active": false }));
    assert_ne!(before["revision"].take(), after["revision"], "a project is watched too");
    let rows = site.data("list", &json!({}))["memories"].clone();
    let is_pinned = |scope: &str| {
        let rows = rows.as_array().expect("rows");
        rows.iter().find(|row| row["scope"] == scope).expect("the fact")["pinned"].clone()
    };
    assert_eq!((is_pinned("project"), is_pinned("identity")), (json!(true), json!(false)));
}

#[test]
fn an_archive_is_compared_as_import_would_take_it() {
    let world = World::new();
    let a = laptop(&world);
    a.co(&["learn", "Prefers tabs"]);
    a.co(&["learn", "Lives in Seattle"]);
    a.co(&["export", "all.tar.gz"]);
    a.co(&["forget", "2"]);
    a.co(&["edit", "1", "Prefers spaces"]);
    let bytes = std::fs::read(a.home.join("all.tar.gz")).expect("an archive");
    let site = Site::entered(&a, &[]);
    let archive = BASE64_STANDARD.encode(&bytes);
    let mut there = site.data("diff", &json!({ "name": "all.tar.gz", "archive": archive }));
    let here = a.json(&["diff", "all.tar.gz"]);
    assert_eq!(there["warnings"].take(), here["warnings"]);
    there.as_object_mut().expect("fields").remove("warnings");
    assert_eq!(there, here["data"]);
    let refused = site.envelope("diff", &json!({ "name": "x.tar.gz", "archive": "AAAA" }));
    assert_eq!(refused["ok"], false, "{refused}");
}

#[test]
fn another_account_of_the_machine_is_turned_away() {
    let is_administrator = Command::new("id").arg("-u").output().is_ok_and(|o| o.stdout == b"0\n");
    if !cfg!(target_os = "linux") || !is_administrator || !require_tool("setpriv") {
        eprintln!("skipped: only the administrator of a Linux machine can be another account");
        return;
    }
    let world = World::new();
    let site = Site::entered(&laptop(&world), &[]);
    let ask = format!(
        "echo ran; exec 3<>/dev/tcp/127.0.0.1/{port}; printf 'GET / HTTP/1.1\\r\\nHost: 127.0.0.1:{port}\\r\\n\
         Connection: close\\r\\n\\r\\n' >&3; head -c 15 <&3",
        port = site.port
    );
    let run = |before: &[&str]| {
        let words = [before, &["bash", "-c", &ask]].concat();
        let output = Command::new(words[0]).args(&words[1..]).output().expect("it runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert_eq!(run(&["env"]), "ran\nHTTP/1.1 200 OK");
    assert_eq!(run(&["setpriv", "--reuid=65534", "--clear-groups"]), "ran\n");
}

#[test]
fn slow_and_half_requests_hold_nobody_up() {
    let world = World::new();
    let a = laptop(&world);
    let site = Site::entered(&a, &[]);
    let open = || {
        let mut stream = TcpStream::connect(("127.0.0.1", site.port)).expect("a connection");
        let head = format!("POST /api/list HTTP/1.1\r\nHost: {}\r\nContent-Le", site.host());
        stream.write_all(head.as_bytes()).expect("half a head");
        stream
    };
    // More than it has room for: they are given up after ten seconds.
    let half: Vec<TcpStream> = (0..80).map(|_| open()).collect();
    let since = Instant::now();
    site.data("list", &json!({}));
    assert!(since.elapsed() < Duration::from_secs(25), "{:?} with {}", since.elapsed(), half.len());
}

#[test]
fn it_ends_when_nobody_is_there() {
    let world = World::new();
    let a = laptop(&world);
    let a = a.with_env("CO_TEST_WEB_IDLE", "2");
    let mut site = Site::entered(&a, &[]);
    // What the page asks by itself does not keep it up; a person does.
    let since = Instant::now();
    while since.elapsed() < Duration::from_secs(3) {
        site.data("watch", &json!({ "active": true }));
        thread::sleep(Duration::from_millis(200));
    }
    let since = Instant::now();
    while site.child.try_wait().expect("a status").is_none() {
        assert!(since.elapsed() < Duration::from_secs(20), "it goes on");
        site.call("watch", r#"{"active":false}"#);
        thread::sleep(Duration::from_millis(200));
    }
    assert_eq!(site.child.wait().expect("a status").code(), Some(0));
}

#[test]
fn facts_with_the_same_text_are_told_apart() {
    let world = World::new();
    let a = laptop(&world);
    for (id, day) in [(1, 1), (2, 2)] {
        let fact =
            format!("---\nid: {id}\ncreated: 2026-01-0{day}T09:00:00Z\n---\n\nPrefers tabs\n");
        a.write(&format!("knowledge/memories/00{id}-prefers-tabs.md"), &fact);
    }
    let site = Site::entered(&a, &[]);
    let rows = site.data("list", &json!({}))["memories"].clone();
    let hash = rows[1]["hash"].as_str().expect("a hash");
    // As the page names it.
    let handle = format!("{}-{}", rows[1]["id"], &hash["sha256:".len()..][..8]);
    let fact = site.data("show", &json!({ "handle": handle, "scope": "identity" }));
    assert_eq!(fact["id"], rows[1]["id"]);
    site.data("life", &json!({ "handle": handle }));
    site.data("pin", &json!({ "handle": handle, "scope": "identity", "pinned": true }));
    let other = format!("{}-00000000", rows[1]["id"]);
    let gone = site.envelope("forget", &json!({ "handle": other, "scope": "identity" }));
    assert_eq!(gone["ok"], false, "another text: {gone}");
}

/// Until the server has opened a folder; where that cannot be seen, for a while.
fn until_it_opens(site: &Site, folder: &Path) {
    let files = format!("/proc/{}/fd", site.child.id());
    let has_opened = || {
        let files = std::fs::read_dir(&files).into_iter().flatten().flatten();
        files.map(|file| std::fs::read_link(file.path())).any(|at| at.is_ok_and(|at| at == folder))
    };
    let since = Instant::now();
    while cfg!(target_os = "linux") && !has_opened() {
        assert!(since.elapsed() < Duration::from_secs(60), "{} is not opened", folder.display());
        thread::sleep(Duration::from_millis(5));
    }
    if !cfg!(target_os = "linux") {
        thread::sleep(Duration::from_millis(500));
    }
}

#[test]
fn the_end_waits_for_a_change_in_progress() {
    let world = World::new();
    let a = laptop(&world);
    a.co(&["learn", "Lives in Seattle"]);
    let mut site = Site::entered(&a, &[]);
    // As another co that writes.
    let folder = a.identity().join("knowledge/memories");
    let lock = std::fs::File::open(&folder).expect("a folder");
    lock.lock().expect("locked");
    thread::scope(|scope| {
        let call = scope.spawn(|| site.call("learn", r#"{"text":"Prefers tabs","tags":[]}"#));
        until_it_opens(&site, &folder);
        let pid = site.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().is_ok_and(|s| s.success()));
        thread::sleep(Duration::from_millis(300));
        drop(lock);
        let answer = call.join().expect("an answer");
        assert!(answer.status == 200 && answer.operation().is_some(), "{answer:?}");
    });
    assert_eq!(site.child.wait().expect("a status").code(), Some(0));
    assert_eq!(a.facts(), ["Lives in Seattle", "Prefers tabs"]);
}
