//! The scripts that measure retrieval on public files, on made-up files of the same form: with
//! these, which texts answer can be counted by hand.

use crate::support::{World, report_skipped, require_tool};
use assert_cmd::cargo::cargo_bin;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// What a script prints, and whether it ended well; with this program unless the options name one.
fn run(world: &World, script: &str, options: &[&str]) -> (String, bool) {
    let mut command = Command::new("python3");
    command.arg("-B").arg(project(&format!("scripts/bench/{script}")));
    command.args(options).current_dir(world.dir.path()).env("HOME", world.dir.path());
    if !options.contains(&"--co") {
        command.arg("--co").arg(cargo_bin("co"));
    }
    let ended = command.output().expect("python3 runs");
    let said = [&ended.stdout[..], &ended.stderr[..]].concat();
    (String::from_utf8_lossy(&said).into_owned(), ended.status.success())
}

/// The figures of a program, in each table.
fn figures(said: &str, program: &str) -> Vec<Vec<String>> {
    let start = format!("| {program} | ");
    let rows = said.lines().filter_map(|line| line.strip_prefix(start.as_str()));
    rows.map(|row| row.trim_end_matches(" |").split(" | ").map(str::to_owned).collect()).collect()
}

#[test]
fn locomo_is_counted_as_by_hand() {
    if !require_tool("python3") {
        return report_skipped("python3");
    }
    let world = World::new();
    let (file, key) =
        (project("tests/bench/locomo.json"), project("tests/bench/locomo_errors.json"));
    let (file, key) = (file.display().to_string(), key.display().to_string());
    let (said, is_good) =
        run(&world, "locomo.py", &[&file, "--of", "facts", "--json", "found.json"]);
    assert!(is_good, "{said}");
    assert!(said.contains("8 texts in 1, 6 questions with an answer, 1 without"), "{said}");
    for program in ["co", "co, encoder off", "SQLite FTS5", "grep"] {
        let rows = figures(&said, program);
        assert_eq!((rows.len(), rows[0].len()), (1, 8), "{program}: {said}");
        let found: f64 = rows[0][3].parse().expect("hit@5 is a number");
        assert!(found >= 80.0, "{program}: {said}");
    }
    // Of the evidence of one question only a half comes first, and of one none.
    assert_eq!(figures(&said, "SQLite FTS5")[0][..4], ["75.0", "100.0", "100.0", "100.0"]);
    let written = fs::read_to_string(world.path("found.json")).expect("it was written");
    assert!(written.contains("\"conv-b-q1\""), "{written}");

    let usual = ["--key", &key, "--by-conversation", "--only", "SQLite FTS5"];
    let (said, is_good) = run(&world, "locomo.py", &[&[file.as_str()], &usual[..]].concat());
    assert!(is_good && said.contains("by conversation, 2 corrections"), "{said}");
    let rows = figures(&said, "SQLite FTS5");
    assert_eq!(rows.len(), 3, "facts, turns and sessions: {said}");
    assert_eq!(rows[0][..2], ["90.0", "100.0"], "{said}");
    assert!(said.contains("9 texts in 2, 5 questions with an answer, 1 without"), "{said}");
}

#[test]
fn a_key_for_another_file_is_refused() {
    if !require_tool("python3") {
        return report_skipped("python3");
    }
    let world = World::new();
    let file = project("tests/bench/locomo.json").display().to_string();
    for (key, why) in [
        (r#"[{"question_id": "locomo_0_qa0", "question": "Who?"}]"#, "is another question"),
        (r#"[{"question_id": "locomo_7_qa0", "question": "Who?"}]"#, "there is no question"),
        (r#"[{"question_id": "nonsense", "question": "Who?"}]"#, "there is no question"),
        ("[]", "there are no corrections"),
    ] {
        fs::write(world.path("key.json"), key).expect("a key");
        let (said, is_good) = run(&world, "locomo.py", &[&file, "--key", "key.json"]);
        assert!(!is_good && said.contains(why), "{key}: {said}");
    }
    let (said, is_good) = run(&world, "locomo.py", &[&file, "--of", "verses"]);
    assert!(!is_good && said.contains("knows facts, turns, sessions"), "{said}");
    let (said, is_good) = run(&world, "locomo.py", &[&file, "--co", "nowhere"]);
    assert!(!is_good && said.contains("there is no nowhere"), "{said}");
}

#[test]
fn longmemeval_has_an_identity_for_each_question() {
    if !require_tool("python3") {
        return report_skipped("python3");
    }
    let world = World::new();
    let file = project("tests/bench/longmemeval.json").display().to_string();
    let only = ["--only", "co, encoder off;SQLite FTS5"];
    let (said, is_good) = run(&world, "longmemeval.py", &[&[file.as_str()], &only[..]].concat());
    assert!(is_good, "{said}");
    for counted in ["12 texts in 3, 2 questions", "24 texts in 3, 2 questions"] {
        assert!(said.contains(counted), "{said}");
    }
    for program in ["co, encoder off", "SQLite FTS5"] {
        let rows = figures(&said, program);
        assert_eq!(rows.len(), 2, "{said}");
        assert!(rows.iter().all(|row| row[3] == "100.0"), "hit@5 of {program}: {said}");
    }
    assert_eq!(
        figures(&said, "SQLite FTS5")[0][4],
        "100.0",
        "nothing answers the last one: {said}"
    );
    let (said, is_good) = run(&world, "longmemeval.py", &[&file, "--first", "1", "--only", "grep"]);
    assert!(is_good && said.contains("1 questions with an answer, 0 without"), "{said}");
}
