//! `co web`: who is let in, who is not waited for, and when it ends.

use super::laptop;
use crate::support::{
    World, require_tool,
    web::{Site, token_of},
};
use serde_json::json;
use std::{
    io::{BufRead, Write},
    net::TcpStream,
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

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
