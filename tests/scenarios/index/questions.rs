//! Questions in any form: the index on disk, one in memory, and one that took in every change by
//! itself answer alike.

use crate::support::{Laptop, World, dice::Dice};
use std::fs;

const WORDS: [&str; 36] = [
    "pytest", "neovim", "oolong", "tea", "berlin", "warming", "trains", "garden", "piano",
    "sister", "database", "postgres", "rust", "crab", "deploy", "docker", "release", "friday",
    "meeting", "dentist", "peanut", "bicycle", "maria", "zürich", "café", "budget", "keyboard",
    "coffee", "quartet", "river", "hiking", "birthday", "march", "branch", "merge", "notes",
];
const VERBS: [&str; 6] = ["prefers", "dislikes", "moved", "owns", "plans", "learned"];
const CJK: [&str; 4] = ["我的猫喜欢茶", "東京に住んでいる", "커피를 좋아한다", "写真を撮る"];
const EMPTYISH: [&str; 12] =
    ["", " ", "?", "!!!", "...", "-", "--", "\"", "\"\"", "OR", "\"\" \"\"", "。\t"];
const DATES: [&str; 6] =
    ["2026-03", "in january 2026", "since 2026-05-12", "last week", "march", "2026-02-14 tea"];
const FACTS: usize = 120;
const DOCUMENTS: usize = 30;

fn words(dice: &mut Dice, count: usize) -> String {
    let words: Vec<&str> = (0..count).map(|_| dice.one_of(&WORDS)).collect();
    words.join(" ")
}

fn sentence(dice: &mut Dice) -> String {
    match dice.below(12) {
        0 => format!("{} {}", dice.one_of(&CJK), dice.one_of(&WORDS)),
        1 => {
            let (verb, words, day) = (dice.one_of(&VERBS), words(dice, 2), dice.below(10));
            format!("{verb} {words} on 2026-03-1{day}")
        }
        _ => {
            let count = 1 + dice.below(5);
            format!("{} {}", dice.one_of(&VERBS), words(dice, count))
        }
    }
}

fn question(dice: &mut Dice) -> String {
    let few = 1 + dice.below(3);
    match dice.below(14) {
        0 => {
            let (word, at) = (dice.one_of(&WORDS), dice.below(3));
            let typo = |(n, letter): (usize, char)| if n == at { 'x' } else { letter };
            word.chars().enumerate().map(typo).collect()
        }
        1 => {
            let (word, letters) = (dice.one_of(&WORDS), few);
            word.chars().take(letters).collect()
        }
        2 => format!("\"{}\" {}", words(dice, few), dice.one_of(&VERBS)),
        3 => format!("{} OR {}", dice.one_of(&WORDS), dice.one_of(&WORDS)),
        4 => format!("{} -{}", words(dice, few), dice.one_of(&WORDS)),
        5 => dice.one_of(&["猫", "茶", "我喜欢什么茶", "東京", "커피"]).to_owned(),
        6 => dice.one_of(&DATES).to_owned(),
        7 => dice.one_of(&EMPTYISH).to_owned(),
        8 if dice.below(8) == 0 => words(dice, 600),
        9 => format!("what does the user {} {}?", dice.one_of(&VERBS), dice.one_of(&WORDS)),
        10 => format!(
            "\"{}\" OR \"{}\" -{}",
            dice.one_of(&WORDS),
            words(dice, 2),
            dice.one_of(&WORDS)
        ),
        _ => words(dice, few),
    }
}

fn write_fact(a: &Laptop, number: usize, dice: &mut Dice) {
    let (month, day, minute) = (1 + dice.below(9), 10 + dice.below(18), 10 + dice.below(50));
    let tags = dice.one_of(&["", "work", "home, food"]);
    let source = dice.one_of(&["user-told", "codex"]);
    let front = format!(
        "---\nid: {number}\ncreated: 2026-0{month}-{day}T08:{minute}:00Z\ntags: [{tags}]\n\
         source: {source}\n---\n"
    );
    let path = format!("knowledge/memories/{number:03}-fact.md");
    a.write(&path, &format!("{front}\n{}\n", sentence(dice)));
}

fn write_document(a: &Laptop, number: usize, dice: &mut Dice) {
    let folder = dice.one_of(&["", "people/", "projects/"]);
    let mut text = format!("---\nname: {} {number}\ntags: [work]\n---\n", words(dice, 1));
    for _ in 0..1 + dice.below(4) {
        text += &format!("\n## {}\n\n", words(dice, 2));
        for _ in 0..1 + dice.below(20) {
            text += &format!("{}.\n", sentence(dice));
        }
    }
    a.write(&format!("knowledge/{folder}document-{number}.md"), &text);
}

fn laptop(world: &World, dice: &mut Dice) -> Laptop {
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    (1..=FACTS).for_each(|number| write_fact(&a, number, dice));
    (1..=DOCUMENTS).for_each(|number| write_document(&a, number, dice));
    a
}

fn settings(a: &Laptop, recall: &str) {
    let text = format!(r#"{{"recall": {{{recall}}}}}"#);
    fs::write(a.config().join("settings.json"), text).expect("written");
}

const OFF: &str = r#""encoder": "off""#;
const OFF_IN_MEMORY: &str = r#""encoder": "off", "catalog": false"#;

/// One answer per question.
fn batch(a: &Laptop, questions: &[String], verb: &[&str]) -> Vec<String> {
    let line = |question: &String| format!("{}\n", serde_json::json!({ "query": question }));
    let asked: String = questions.iter().map(line).collect();
    // More than fits into a pipe: from a file, because nobody reads the answers meanwhile.
    let file = a.home.join("questions");
    fs::write(&file, asked).expect("written");
    let mut command = a.command(&[verb, &["--batch", "--limit", "7"]].concat());
    let input = fs::File::open(&file).expect("opened");
    let output = command.stdin(input).output().expect("co runs");
    let (out, err) = (String::from_utf8(output.stdout), String::from_utf8(output.stderr));
    assert_eq!((output.status.code(), err.as_deref()), (Some(0), Ok("")));
    let answers: Vec<String> = out.expect("text").lines().map(str::to_owned).collect();
    assert_eq!(answers.len(), questions.len());
    answers
}

/// Contexts show what was recalled.
fn forget_recalled(a: &Laptop) {
    let places = fs::read_dir(a.config().join("local/cache")).into_iter().flatten().flatten();
    places.for_each(|place| drop(fs::remove_file(place.path().join("recalled"))));
}

/// What the other commands print, as if nothing had been recalled before.
fn printed(a: &Laptop, questions: &[String]) -> Vec<(String, String)> {
    let commands = [
        "list",
        "list --json",
        "knowledge list",
        "knowledge list --json",
        "context",
        "context --json",
        "memory similar",
        "memory similar --json",
        "show 1",
        "show 77 --json",
    ];
    let mut all: Vec<Vec<&str>> =
        commands.iter().map(|command| command.split(' ').collect()).collect();
    let asking = [
        "recall --json --",
        "recall --json --tag work --",
        "recall --json --since 2026-05-01 --",
        "recall --json --source codex --",
        "recall --json --kind document --",
        "knowledge search --json --",
        "knowledge search --tag work --",
        "context --query",
    ];
    for question in questions {
        all.extend(
            asking.map(|verb| verb.split(' ').chain([question.as_str()]).collect::<Vec<&str>>()),
        );
    }
    let print = |command: &Vec<&str>| {
        forget_recalled(a);
        let said = a.try_co(command);
        let out = said.out.replace(r#""rung":"catalog""#, r#""rung":"scan""#);
        (format!("{command:?}"), format!("{} {out}{}", said.code, said.err))
    };
    all.iter().map(print).collect()
}

fn assert_same(questions: &[String], left: &[String], right: &[String]) {
    for ((question, left), right) in questions.iter().zip(left).zip(right) {
        assert_eq!(left, right, "{question:?}");
    }
}

/// A person changes something, through co or in an editor.
fn change(a: &Laptop, at: usize, dice: &mut Dice) {
    let text = format!("{} {at}", sentence(dice));
    let facts: Vec<String> = a
        .tree()
        .into_iter()
        .map(|(path, _)| path)
        .filter(|path| path.starts_with("knowledge/memories/"))
        .collect();
    let path = facts[dice.below(facts.len())].clone();
    let name = path.rsplit('/').next().expect("a name");
    let number = name.split('-').next().expect("a number").trim_start_matches('0');
    let documents = ["document-", "written-"];
    let of_documents = |path: &String| documents.iter().any(|name| path.contains(name));
    let all: Vec<String> =
        a.tree().into_iter().map(|(path, _)| path).filter(of_documents).collect();
    let document = &all[dice.below(all.len())];
    let topic = document.trim_start_matches("knowledge/").trim_end_matches(".md");
    let said = match at % 8 {
        0 => a.try_co(&["learn", &text]),
        1 => a.try_co(&["edit", number, &text]),
        2 => a.try_co(&["forget", number, "--yes"]),
        3 => a.try_co(&["pin", number]),
        4 => {
            let kept = a.read(&path);
            a.write(&path, &format!("{} {}\n", kept.trim_end(), dice.one_of(&WORDS)));
            return;
        }
        5 => a.try_co(&["knowledge", "write", &format!("notes/written-{at}"), &text]),
        6 => a.try_co(&["knowledge", "delete", topic, "--yes"]),
        _ => a.try_co(&["knowledge", "move", topic, &format!("moved/written-{at}"), "--yes"]),
    };
    assert_eq!(said.code, 0, "{at} {path} {topic}: {}", said.err);
}

/// Everything that co says to some questions.
struct Everything {
    recall: Vec<String>,
    search: Vec<String>,
    printed: Vec<(String, String)>,
}

impl Everything {
    fn of(a: &Laptop, questions: &[String], recall: &str) -> Everything {
        settings(a, recall);
        Everything {
            recall: batch(a, questions, &["recall"]),
            search: batch(a, &questions[..20], &["knowledge", "search"]),
            printed: printed(a, &questions[..3]),
        }
    }

    fn assert_same(&self, questions: &[String], other: &Everything) {
        assert_same(questions, &self.recall, &other.recall);
        assert_same(questions, &self.search, &other.search);
        for (left, right) in self.printed.iter().zip(&other.printed) {
            assert_eq!(left, right);
        }
    }
}

#[test]
fn the_index_on_disk_in_memory_and_made_anew_answer_alike() {
    let (world, mut dice) = (World::new(), Dice::new(7));
    let a = laptop(&world, &mut dice);
    let questions: Vec<String> = (0..400).map(|_| question(&mut dice)).collect();
    let on_disk = Everything::of(&a, &questions, OFF);
    on_disk.assert_same(&questions, &Everything::of(&a, &questions, OFF_IN_MEMORY));
    settings(&a, OFF);
    for at in 0..60 {
        change(&a, at, &mut dice);
        if at % 5 == 0 {
            a.co(&["recall", "oolong"]);
        }
    }
    let changed = Everything::of(&a, &questions, OFF);
    a.co(&["knowledge", "reindex", "--rebuild"]);
    changed.assert_same(&questions, &Everything::of(&a, &questions, OFF));
    changed.assert_same(&questions, &Everything::of(&a, &questions, OFF_IN_MEMORY));
}

#[test]
fn with_vectors_of_the_encoder_the_index_in_memory_answers_alike() {
    let (world, mut dice) = (World::new(), Dice::new(11));
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    (1..=24).for_each(|number| write_fact(&a, number, &mut dice));
    (1..=2).for_each(|number| write_document(&a, number, &mut dice));
    let questions: Vec<String> = (0..60).map(|_| question(&mut dice)).collect();
    settings(&a, "");
    a.co(&["knowledge", "reindex"]);
    let on_disk = batch(&a, &questions, &["recall"]);
    settings(&a, r#""catalog": false"#);
    assert_same(&questions, &on_disk, &batch(&a, &questions, &["recall"]));
}

#[test]
fn a_question_mark_and_doubled_blanks_change_nothing() {
    let (world, mut dice) = (World::new(), Dice::new(13));
    let a = laptop(&world, &mut dice);
    a.write(
        "knowledge/memories/500-spaced.md",
        "---\nid: 500\ncreated: 2026-01-01T00:00:00Z\n---\n\nReads  the   tide table\n",
    );
    settings(&a, OFF);
    let fixed = ["what does the user plan", "reads the tide table", "\"the tide table\" reads"];
    let generated = (0..60).map(|_| {
        let count = 1 + dice.below(4);
        words(&mut dice, count)
    });
    let questions: Vec<String> = fixed.map(str::to_owned).into_iter().chain(generated).collect();
    let plain = batch(&a, &questions, &["recall"]);
    let forms: [fn(&String) -> String; 7] = [
        |question| format!("{question}?"),
        |question| format!("{question} ?"),
        |question| format!("{question}？"),
        |question| format!("{question}??"),
        |question| question.replace(' ', "  "),
        |question| format!("  {} ", question.replace(' ', "\t ")),
        |question| question.to_uppercase(),
    ];
    for form in forms {
        let asked: Vec<String> = questions.iter().map(form).collect();
        assert_same(&asked, &plain, &batch(&a, &asked, &["recall"]));
    }
    let first = a.json(&["recall", "reads the tide table?"]);
    assert_eq!(first["data"]["results"][0]["id"], 500);
    assert!(first["data"]["results"][0]["signals"]["phrase"].as_f64() > Some(0.0), "{first}");
}
