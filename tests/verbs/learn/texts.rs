//! What is saved of a text: its name, its number, a text that is known already, and several saves
//! at once.

use crate::support::{World, ready::laptop};
use std::fs;

#[test]
fn long_first_lines_are_cut_and_ids_count_on() {
    let world = World::new();
    let a = laptop(&world, "a");
    a.co(&["learn", &"x".repeat(81)]);
    assert!(a.co(&["memory", "list"]).contains(&format!(": {}...\n", "x".repeat(77))));
    a.write(
        "knowledge/memories/930-mine.md",
        "---\nid: \"930\"\ncreated: 2026-01-01T00:00:00Z\n---\n\nBy hand.\n",
    );
    let saved = a.json(&["learn", "next"]);
    assert_eq!(saved["data"]["id"], 931);
    assert_eq!(saved["data"]["hash"].as_str().map(str::len), Some(71));
}

#[test]
fn a_known_text_is_touched_not_doubled() {
    let world = World::new();
    let a = laptop(&world, "a");
    a.co(&["learn", "Lives in Seattle", "--tag", "home"]);
    let again = a.json(&["learn", "  Lives in Seattle\n", "--tag", "city"]);
    assert_eq!(
        (again["data"]["known"].as_bool(), again["data"]["id"].as_u64()),
        (Some(true), Some(1))
    );
    let shown = a.json(&["memory", "show", "1"]);
    assert_eq!(shown["data"]["tags"], serde_json::json!(["home", "city"]));
    assert!(shown["data"]["updated"].is_string());
    assert_eq!(a.facts().len(), 1);
}

#[test]
fn text_comes_from_standard_input_and_nonsense_is_refused() {
    let world = World::new();
    let a = laptop(&world, "a");
    let mut command = assert_cmd::Command::from_std(a.command(&["memory", "save", "-"]));
    command.write_stdin("line one\r\nline two\r\n").assert().success();
    assert_eq!(a.json(&["memory", "show", "1"])["data"]["content"], "line one\nline two");
    let mut command = assert_cmd::Command::from_std(a.command(&["memory", "save", "-"]));
    command.write_stdin(vec![0xff, 0xfe]).assert().code(2);
    a.fails(2, &["learn", "  "]);
    assert_eq!(a.facts().len(), 1);
}

#[test]
fn saving_works_where_the_cache_cannot_be_written() {
    let world = World::new();
    let a = laptop(&world, "a");
    fs::remove_dir_all(a.config().join("local")).ok();
    fs::write(a.config().join("local"), "a file where the folder should be").expect("written");
    a.co(&["learn", "Still saved"]);
    a.co(&["learn", "And again"]);
    assert_eq!(a.facts(), ["And again", "Still saved"]);
}

#[test]
fn two_processes_at_once_lose_nothing() {
    let world = World::new();
    let a = laptop(&world, "a");
    let mut children: Vec<_> = (0..24)
        .map(|n| {
            a.command(&["learn", &format!("Fact number {n}")])
                .stdout(std::process::Stdio::null())
                .spawn()
                .expect("co runs")
        })
        .collect();
    for child in &mut children {
        assert!(child.wait().expect("ends").success());
    }
    assert_eq!(a.facts().len(), 24);
    a.co(&["identity", "sync"]);
    let list = a.json(&["memory", "list"]);
    let ids: std::collections::BTreeSet<u64> = list["data"]["memories"]
        .as_array()
        .expect("rows")
        .iter()
        .filter_map(|row| row["id"].as_u64())
        .collect();
    assert_eq!(ids.len(), 24, "ids are unique after a sync");
}
