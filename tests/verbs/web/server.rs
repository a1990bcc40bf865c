//! `co web`: what the page is answered, and what it changes.

use super::laptop;
use crate::support::{World, web::Site};
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use std::{process::Command, sync::mpsc, thread, time::Duration};

fn first(site: &Site) -> Value {
    site.data("list", &json!({}))["memories"][0].clone()
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
