//! Every situation of facts in time at every door: list, recall, context, tools and the page show
//! what holds, with what is said of its time, and nothing else.

use crate::support::{Laptop, World, client::Client, ready::laptop, web::Site};
use co_cli::tested::identity::ContentHash;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use table::{OF_BOUNDS, OF_REPLACED, in_file};

#[path = "../../../src/identity/current/tests/situations.rs"]
mod table;

/// A fact, and what is said of it.
struct Told {
    id: u64,
    text: String,
    holds: bool,
    marks: Vec<String>,
}

fn stamp(date: &str) -> String {
    let date = in_file(date);
    if date.len() == "2026-11-14".len() { format!("{date}T00:00:00Z") } else { date }
}

/// The keys of a fact; `hash` is that of the fact with this name.
fn front(id: u64, words: &[&str], hash: impl Fn(&str) -> ContentHash) -> String {
    let mut front = format!("id: {id}\ncreated: {}\n", stamp(words[1]));
    for word in &words[2..] {
        let (key, value) = word.split_once('=').expect("a key and its value");
        let line = match key {
            "updated" => format!("updated: {}", stamp(value)),
            "from" => format!("valid_from: {}", in_file(value)),
            "until" => format!("valid_until: {}", in_file(value)),
            "stale" => format!("stale_after: {}", in_file(value)),
            "verified" => format!("verified: {}", in_file(value)),
            "replaces" => {
                let hashes = value.split(',').map(|name| format!("\"{}\"", hash(name)));
                format!("supersedes: [{}]", hashes.collect::<Vec<String>>().join(", "))
            }
            other => panic!("{other}?"),
        };
        front.push_str(&format!("{line}\n"));
    }
    front
}

/// Writes the facts of a situation into the identity, with texts of their own.
fn written(
    laptop: &Laptop,
    (number, first): (usize, u64),
    facts: &[&str],
    said: &[&str],
) -> Vec<Told> {
    let text = |name: &str| format!("Case {number:02} says {name}");
    let names: Vec<&str> = facts.iter().filter_map(|fact| fact.split(' ').next()).collect();
    let id = |name: &str| names.iter().position(|known| *known == name).map(|at| first + at as u64);
    let mut told = Vec::new();
    for (at, (fact, said)) in facts.iter().zip(said).enumerate() {
        let words: Vec<&str> = fact.split_whitespace().collect();
        let number = first + at as u64;
        let front = front(number, &words, |name| ContentHash::of_body(&text(name)));
        let file = format!("---\n{front}---\n\n{}\n", text(words[0]));
        laptop.write(&format!("knowledge/memories/{number:03}-case.md"), &file);
        let (name, marks) = said[1..].split_once(' ').unwrap_or((&said[1..], ""));
        let mark = |mark: &str| match mark.strip_prefix("replaced by ") {
            Some(by) => format!("replaced by {}", id(by).expect("a fact of the situation")),
            None => mark.to_owned(),
        };
        let marks = marks.split(", ").filter(|mark| !mark.is_empty()).map(mark).collect();
        told.push(Told { id: number, text: text(name), holds: said.starts_with('+'), marks });
    }
    told
}

/// All situations that one identity can have, by their moments.
fn all_written(laptop: &Laptop) -> BTreeMap<String, Vec<Told>> {
    let (mut moments, mut next) = (BTreeMap::<String, Vec<Told>>::new(), 1);
    let all = OF_BOUNDS.iter().chain(OF_REPLACED).enumerate();
    // Which of two places is nearer, projects tell.
    for (number, (now, facts, said)) in
        all.filter(|(_, (_, facts, _))| !facts.iter().any(|fact| fact.contains(" near=")))
    {
        let told = written(laptop, (number, next), facts, said);
        next += told.len() as u64;
        moments.entry(stamp(now)).or_default().extend(told);
    }
    moments
}

/// The line that shows a fact.
fn line(said: &str, told: &Told) -> Option<String> {
    said.lines().find(|line| line.ends_with(&told.text)).map(str::to_owned)
}

/// What a program gets of a fact, among these rows.
fn row(rows: &Value, told: &Told) -> Option<String> {
    let rows = rows.as_array().expect("rows");
    rows.iter().find(|row| row["id"] == told.id).map(|row| row["marks"].to_string())
}

/// The heading above a fact that a model recalls.
fn heading(said: &str, told: &Told) -> Option<String> {
    let heading = format!("**Memory {}** ", told.id);
    said.lines().find(|line| line.starts_with(&heading)).map(str::to_owned)
}

/// What each question for the text of a fact finds.
fn recalled(laptop: &Laptop, facts: &[Told]) -> BTreeMap<u64, Value> {
    let question = |told: &Told| json!({ "qid": told.id, "query": told.text }).to_string();
    let questions: Vec<String> = facts.iter().map(question).collect();
    let said = laptop.piped(&(questions.join("\n") + "\n"), &["recall", "--batch", "--json"]);
    let answers = said.out.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let answers = answers.filter_map(|one| Some((one["qid"].as_u64()?, one["results"].clone())));
    answers.collect()
}

#[test]
fn every_door_shows_what_holds_in_every_situation() {
    let world = World::new();
    let a = laptop(&world, "a").with_env("TZ", "UTC");
    let moments = all_written(&a);
    let count: usize = moments.values().map(Vec::len).sum();
    assert!(OF_BOUNDS.len() + OF_REPLACED.len() >= 60 && count > 90, "{count}");
    for (moment, facts) in &moments {
        let a = a.with_env("CO_TEST_CLOCK", moment);
        let (mut client, site) = (Client::ready_with_env(&a), Site::entered(&a, &[]));
        let (list, context) = (a.co(&["list"]), a.co(&["context"]));
        let every = a.json(&["list", "--all"])["data"]["memories"].clone();
        let of_tools = client.call_ok("list_memories", json!({}));
        let to_begin_with = client.call_ok("get_context", json!({}));
        let page = site.data("list", &json!({}))["memories"].clone();
        let recalled = recalled(&a, facts);
        for told in facts {
            let question = json!({ "query": told.text, "limit": 5 });
            let by_tool = client.call_ok("recall_memory", json!({ "query": told.text }));
            let by_page = site.data("recall", &question)["results"].clone();
            for (door, shown) in [
                ("list", line(&list, told)),
                ("recall", row(&recalled[&told.id], told)),
                ("context", line(&context, told)),
                ("list_memories", line(&of_tools, told)),
                ("recall_memory", heading(&by_tool, told)),
                ("get_context", line(&to_begin_with, told)),
                ("page: list", row(&page, told)),
                ("page: recall", row(&by_page, told)),
            ] {
                let about = format!("{moment}, {door}: {} {}, {shown:?}", told.id, told.text);
                assert_eq!(shown.is_some(), told.holds, "{about}");
                let shown = shown.unwrap_or_default();
                let is_said = |mark: &String| !told.holds || shown.contains(mark.as_str());
                assert!(told.marks.iter().all(is_said), "{about} lacks {:?}", told.marks);
            }
            let shown = row(&every, told).expect("all are listed");
            assert!(told.marks.iter().all(|mark| shown.contains(mark)), "{}: {shown}", told.text);
        }
        let ids: BTreeSet<u64> = recalled.keys().copied().collect();
        assert_eq!(ids.len(), facts.len(), "{moment}: every question has an answer");
    }
}
