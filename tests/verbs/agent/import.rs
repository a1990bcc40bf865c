//! `co agent import`: what agents and other programs know arrives as they wrote it. Each line of a
//! file is proposed, or listed with the reason why it was left out.

use crate::support::{Laptop, World, files, ready::named, tokens::token, whole::whole};
use serde_json::{Value, json};
use std::{
    fs,
    io::{Cursor, Write},
    time::{Duration, Instant},
};
use zip::{ZipWriter, write::SimpleFileOptions};

fn put(a: &Laptop, name: &str, text: impl AsRef<[u8]>) {
    files::put(&a.home.join(name), text);
}

/// Imports a file into an identity of its own.
fn imported(name: &str, text: impl AsRef<[u8]>) -> (Laptop, World, Value) {
    let world = World::new();
    let a = named(&world);
    put(&a, name, text);
    let plan = a.json(&["agent", "import", "--from", name, "--similar", "--dry-run"]);
    a.co(&["agent", "import", "--from", name, "--similar", "--yes"]);
    (a, world, plan["data"].clone())
}

fn facts(name: &str, text: impl AsRef<[u8]>) -> Vec<String> {
    imported(name, text).0.facts()
}

/// The reasons for what was left out, by the first line or the entry.
fn reasons(plan: &Value) -> Vec<(u64, String)> {
    let left = plan["left"].as_array().expect("a list").iter();
    let place = |at: &Value| at["lines"][0].as_u64().or(at["entry"].as_u64()).unwrap_or(0);
    let mut all: Vec<(u64, String)> = left
        .map(|one| (place(&one["at"]), one["why"].as_str().unwrap_or_default().to_owned()))
        .collect();
    all.sort();
    all
}

fn zipped(files: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        if name.ends_with('/') {
            zip.add_directory(*name, SimpleFileOptions::default()).expect("a folder");
            continue;
        }
        zip.start_file(*name, SimpleFileOptions::default()).expect("a member");
        zip.write_all(text.as_bytes()).expect("written");
    }
    zip.finish().expect("an archive").into_inner()
}

#[test]
fn no_line_decides_how_the_others_are_read() {
    for line in [
        "- [CRITICAL] never push on Fridays",
        "- [~] maybe later",
        "type: user is only a word here",
        "permalink: is a word as well",
        "metadata: so is this",
        "{\"a\": 1}",
        "---",
    ] {
        let text = format!("# Rules\n\n- Answer in English\n\n{line}\n\n- Use small commits\n");
        let facts = facts("CLAUDE.md", &text);
        assert!(facts.contains(&"Answer in English".to_owned()), "{line}: {facts:?}");
        assert!(facts.contains(&"Use small commits".to_owned()), "{line}: {facts:?}");
        let said = line.trim_start_matches("- ");
        assert!(line == "---" || facts.contains(&said.to_owned()), "{line}: {facts:?}");
    }
}

#[test]
fn rules_of_editors_are_read_whatever_their_labels() {
    for labels in [
        "description: x\nglobs: *.ts,*.tsx\nalwaysApply: false",
        "description: Use: when testing\nglobs:\nalwaysApply: true",
        "applyTo: '**'\ntype: auto\nname: x",
        "type: always\ndescription: [x",
        "trigger: glob\nglobs: {a,b}/**",
    ] {
        let text = format!("---\n{labels}\n---\n\ntype: x comes first\n\n- Use tabs\n");
        let (a, _world, plan) = imported("rules/style.mdc", &text);
        assert_eq!(a.facts(), ["Use tabs", "type: x comes first"], "{labels}");
        assert_eq!(reasons(&plan), [(1, "the file's own labels".to_owned())], "{labels}");
    }
}

#[test]
fn short_rules_in_any_script_are_rules() {
    let rules = [
        "Use tabs",
        "pnpm",
        "使用中文回答",
        "タブを使う",
        "ใช้แท็บเสมอ",
        "한국어로 답하기",
        "שורות קצרות",
        "Отвечай кратко",
    ];
    let list: String = rules.iter().map(|rule| format!("- {rule}\n")).collect();
    let mut wanted = rules.map(str::to_owned).to_vec();
    wanted.sort();
    assert_eq!(facts("AGENTS.md", &list), wanted);
    assert_eq!(facts("rules.txt", rules.join("\n")), wanted);
    assert_eq!(facts(".cursorrules", rules.join("\n\n")), wanted);
    // Numbers and signs of Chinese and Japanese lists.
    let listed = facts("CLAUDE.md", "1、使用中文\n2、用制表符\n・タブを使う\n");
    assert_eq!(listed, ["タブを使う", "使用中文", "用制表符"]);
}

#[test]
fn texts_arrive_as_they_were_written() {
    for (text, wanted) in [
        ("First.\nNow\n\nSecond.\n", &["First. Now", "Second."][..]),
        ("- Return Vec<T>, never &Vec<T>\n", &["Return Vec<T>, never &Vec<T>"]),
        ("- See [the guide](https://e.org/a?b=c)\n", &["See [the guide](https://e.org/a?b=c)"]),
        ("<rules>\n    Use tabs\n\n- Ask @ann first\n</rules>\n", &["Ask @ann first", "Use tabs"]),
        (
            "<rule>Be brief</rule>\n<rule>Be kind</rule>\n",
            &["<rule>Be brief</rule>", "<rule>Be kind</rule>"],
        ),
        (
            "- Greet {{name}} and @all\n\n{{user}} likes tea\n",
            &["Greet {{name}} and @all", "{{user}} likes tea"],
        ),
        (
            "Fix #934 before\n#935 and **never** `x_y`\n",
            &["Fix #934 before #935 and **never** `x_y`"],
        ),
        ("> Quoted\n> twice\n\n>=3.10 is needed\n", &[">=3.10 is needed", "Quoted twice"]),
        ("* Item\n  goes on\n\n  and on\n", &["Item goes on", "and on"]),
        ("* *\n<div>\n<p>Use HTML</p>\n</div>\n", &["<p>Use HTML</p>"]),
        // What only introduces a pointer, or follows a comment, is reported as well.
        (
            "- Never deploy on Friday, except:\n  - @docs/exceptions.md\n- Use uv\n",
            &["Never deploy on Friday, except:", "Use uv"],
        ),
        ("<!-- one\ntwo\n--> Use tabs\n", &["Use tabs"]),
    ] {
        assert_eq!(facts("CLAUDE.md", text), wanted, "{text}");
    }
    // So do the observations of a note, whose tags are at their end.
    let note = "---\ntitle: Auth\npermalink: auth\n---\n\nAuth is slow.\n\n- [bug] Auth waits for #934 upstream #login\n- relates_to [[X]]\n";
    let (a, _world, plan) = imported("auth.md", note);
    assert_eq!(a.facts(), ["Auth is slow.", "Auth waits for #934 upstream"]);
    assert!(a.texts().contains("login"), "{}", a.texts());
    assert!(reasons(&plan).contains(&(9, "a link between notes".to_owned())), "{plan}");
}

#[test]
fn what_is_left_out_is_named_with_its_line_and_reason() {
    let text = "# Title\n\nBuild with:\n\n```sh\nmake\n\nmake test\n```\n\n| a | b |\n|---|---|\n\n<rules>\n***\n<!-- one\ntwo -->\n@docs/more.md\n- Use tabs\n- Use tabs\n- Drinks green tea\n";
    let world = World::new();
    let a = named(&world);
    a.co(&["learn", "Drinks green tea"]);
    put(&a, "CLAUDE.md", text);
    let plan = a.json(&["agent", "import", "--from", "CLAUDE.md", "--dry-run"]);
    let wanted = [
        (1, "a heading"),
        (3, "it introduces what follows"),
        (5, "a code block"),
        (11, "a table"),
        (14, "a tag without text"),
        (15, "it has no letters"),
        (16, "a comment"),
        (18, "it only points to another file"),
        (20, "it appears twice"),
        (21, "already saved"),
    ];
    let wanted = wanted.map(|(line, why)| (line, why.to_owned()));
    assert_eq!(reasons(&plan["data"]), wanted);
    let code = plan["data"]["left"].as_array().expect("a list").iter();
    let code = code.filter(|left| left["why"] == "a code block").collect::<Vec<_>>();
    assert_eq!(code[0]["at"], json!({ "lines": [5, 9] }));
    let said = a.co(&["agent", "import", "--from", "CLAUDE.md", "--yes"]);
    insta::assert_snapshot!(whole(&said), @"
    ✓ Imported CLAUDE.md: 1 learned.
    2 facts. Undo: `co undo`.

    16 lines were left out:
      · ```sh  lines 5–9: a code block
      · | a | b |  lines 11–12: a table
      · @docs/more.md  line 18: it only points to another file
      · # Title  line 1: a heading
      · Build with:  line 3: it introduces what follows
      · <rules>  line 14: a tag without text
      · ***  line 15: it has no letters
      · <!-- one  lines 16–17: a comment
      · Use tabs  line 20: it appears twice
      · Drinks green tea  line 21: already saved
    ");
    // At most ten of them, unless somebody asks.
    let long: String = (0..30).map(|at| format!("## Heading {at}\n- Rule number {at}\n")).collect();
    put(&a, "long.md", long);
    let said = a.co(&["agent", "import", "--from", "long.md", "--dry-run", "--similar"]);
    insta::assert_snapshot!(whole(said.rsplit("\n\n").next().expect("a part")), @"
    30 lines were left out:
      · ## Heading 0  line 1: a heading
      · ## Heading 1  line 3: a heading
      · ## Heading 2  line 5: a heading
      · ## Heading 3  line 7: a heading
      · ## Heading 4  line 9: a heading
      · ## Heading 5  line 11: a heading
      · ## Heading 6  line 13: a heading
      · ## Heading 7  line 15: a heading
      · ## Heading 8  line 17: a heading
      · ## Heading 9  line 19: a heading
      and 20 more: `--left-out` lists them all
    ");
    assert!(!said.contains("Heading 29"), "{said}");
    let said =
        a.co(&["agent", "import", "--from", "long.md", "--dry-run", "--similar", "--left-out"]);
    assert!(said.contains("Heading 29") && !said.contains("and 20 more"), "{said}");
    // What somebody may miss comes first.
    put(&a, "last.md", format!("{}```\nmake\n```\n", "# Title\n\n".repeat(20)));
    let said = a.co(&["agent", "import", "--from", "last.md", "--dry-run"]);
    insta::assert_snapshot!(whole(&said), @"
    last.md, 0 facts   →   this identity, 2 facts
    Nothing would change.

    23 lines were left out:
      · make  lines 41–43: a code block
      · # Title  line 1: a heading
      · # Title  line 3: a heading
      · # Title  line 5: a heading
      · # Title  line 7: a heading
      · # Title  line 9: a heading
      · # Title  line 11: a heading
      · # Title  line 13: a heading
      · # Title  line 15: a heading
      · # Title  line 17: a heading
      and 11 more: `--left-out` lists them all
    ");
    // A secret is named by its line, and not repeated.
    let token = token();
    put(&a, "secret.md", format!("- my token is {token}\n\n```\n{token}\n```\n"));
    let said = a.try_co(&["agent", "import", "--from", "secret.md", "--dry-run", "--json"]);
    assert!(said.out.contains("github-pat") && !said.out.contains(&token[8..]), "{}", said.out);
}

#[test]
fn entries_that_ended_or_cannot_be_read_are_left_out_alone() {
    for (entry, why) in [
        ("null", "null"),
        ("7", "not an object"),
        ("{\"id\": 3}", "no text"),
        ("{\"memory\": \"Old rule\", \"state\": \"deleted\"}", "state: deleted"),
        ("{\"content\": \"Old rule\", \"status\": \"Archived\"}", "status: Archived"),
        ("{\"memory\": \"Old rule\", \"deleted_at\": \"2026-01-01\"}", "deleted_at"),
        ("{\"memory\": \"Old rule\", \"is_archived\": true}", "is_archived"),
        ("{\"memory\": \"Old rule\", \"enabled\": false}", "enabled: false"),
        (
            "{\"memory\": \"New rule\", \"expiration_date\": \"2130-01-01\"}",
            "holds only for a time: expiration_date: 2130-01-01",
        ),
    ] {
        let text = format!(
            "[{{\"memory\": \"Use tabs\", \"state\": \"active\"}}, {entry}, {{\"memory\": \"Drinks tea\"}}]"
        );
        let (a, _world, plan) = imported("export.json", &text);
        assert_eq!(a.facts(), ["Drinks tea", "Use tabs"], "{entry}");
        let [(2, reason)] = &reasons(&plan)[..] else { panic!("{entry}: {plan}") };
        assert!(reason.contains(why), "{entry}: {reason}");
    }
    // One object per line, by whatever name.
    let lines = "{\"memory\": \"Use tabs\"}\n\n{\"memory\": \"Drinks tea\"}\n";
    for name in ["memories.jsonl", "memories.ndjson", "memories.json", "memories.txt"] {
        assert_eq!(facts(name, lines), ["Drinks tea", "Use tabs"], "{name}");
    }
    let (a, _world, plan) = imported("memories.jsonl", format!("{lines}{{broken\n"));
    assert_eq!(a.facts(), ["Drinks tea", "Use tabs"]);
    assert_eq!(reasons(&plan)[0].0, 4, "{plan}");
    // Other data is no memory.
    let world = World::new();
    let a = named(&world);
    for other in ["{\"a\": 1}", "[1, 2]", "[]", "[{\"role\": \"user\", \"content\": \"hi\"}]"] {
        put(&a, "other.json", other);
        let said = a.fails(6, &["agent", "import", "--from", "other.json", "--dry-run"]);
        assert!(said.contains("not an export from a program that co knows"), "{other}: {said}");
    }
}

const CHATGPT: &str = r#"[{"title": "x", "mapping": {
    "a": {"message": {"recipient": "bio", "create_time": 1767225600.0, "content": {"parts": ["Prefers Python."]}}},
    "b": {"message": null},
    "c": {"message": {"recipient": "bio", "content": {"parts": ["Forget the tea"]}}},
    "d": {"message": {"recipient": "all", "content": {"parts": ["A long talk about snakes"]}}}}}, null]"#;
const CLAUDE: &str = r#"[{"conversations_memory": "**Work**\n\nWrites Rust.\n\n- Uses uv", "project_memories": {}}]"#;
const GEMINI: &str = r#"[{"header": "Gemini Apps", "title": "Prompted Remember that I drink tea", "time": "2026-01-02T03:04:05Z"},
    {"header": "Gemini Apps", "title": "Prompted what is tea"}]"#;

#[test]
fn exports_are_read_as_they_are_downloaded() {
    let talks = r#"[{"uuid": "1", "name": "x", "chat_messages": [{"text": "Talks of snakes"}]}]"#;
    for (files, wanted) in [
        (&[("conversations.json", CHATGPT), ("user.json", "{}")][..], &["Prefers Python."][..]),
        (&[("export/conversations-000.json", CHATGPT), ("chat.html", "<p>")], &["Prefers Python."]),
        (
            &[("memories.json", CLAUDE), ("conversations.json", talks), ("users.json", "[]")],
            &["Uses uv", "Writes Rust."],
        ),
        (&[("Takeout/My Activity/Gemini Apps/MyActivity.json", GEMINI)], &["I drink tea"]),
        (&[("../../memories.json", "[{\"memory\": \"Use tabs\"}]")], &["Use tabs"]),
    ] {
        let zip = zipped(files);
        // The content says that it is an archive, not the name.
        for name in ["export.zip", "downloaded"] {
            let (a, _world, plan) = imported(name, &zip);
            assert_eq!(a.facts(), wanted, "{files:?}");
            assert!(!a.texts().contains("snakes"), "{files:?}");
            let left = plan["left"].to_string();
            for other in ["user.json", "users.json", "chat.html"] {
                let is_there = files.iter().any(|(file, _)| *file == other);
                assert_eq!(left.contains(other), is_there, "{left}");
            }
        }
    }
    // A part of an archive is no line.
    let world = World::new();
    let a = named(&world);
    let tabs = "[{\"memory\": \"Use tabs\"}]";
    put(&a, "x.zip", zipped(&[("memories.json", tabs), ("user.json", "{}")]));
    let said = a.co(&["agent", "import", "--from", "x.zip", "--dry-run"]);
    assert!(said.contains("1 part was left out:") && !said.contains("line was"), "{said}");
    let (a, _world, plan) = imported("chatgpt.zip", zipped(&[("conversations.json", CHATGPT)]));
    assert!(a.texts().contains("created: 2026-01-01T00:00:00"), "{}", a.texts());
    let why = reasons(&plan);
    assert!(why.contains(&(1, "it asks to forget something".to_owned())), "{why:?}");
    assert!(why.iter().any(|(entry, why)| *entry == 2 && why.contains("null")), "{why:?}");
}

#[test]
fn each_text_of_a_memory_in_an_export_is_a_fact() {
    let both = ["Lives in Rome", "Prefers Python."];
    let bio = |parts: &str| {
        format!(
            r#"[{{"title": "x", "mapping": {{"a": {{"message": {{"recipient": "bio",
                "create_time": 1767225600.0, "content": {{"parts": {parts}}}}}}}}}}}]"#
        )
    };
    for (name, text) in [
        ("conversations.json", bio(r#"["Prefers Python.", "Lives in Rome"]"#)),
        ("conversations.json", bio(r#"["Prefers Python.", "", {"text": "Lives in Rome"}]"#)),
        ("conversations.json", bio(r#"["Forget the tea", "Lives in Rome", "Prefers Python."]"#)),
        ("memories.json", r#"[{"memory": ["Prefers Python.", "Lives in Rome"]}]"#.to_owned()),
        ("memories.json", r#"{"memories": ["Prefers Python.", "Lives in Rome"]}"#.to_owned()),
        (
            "memories.json",
            r#"{"memories": [{"content": "Prefers Python."}, {"text": "Lives in Rome"}]}"#
                .to_owned(),
        ),
        (
            "memories.json",
            r#"[{"id": 1, "memories": ["Prefers Python.", {"memory": "Lives in Rome"}]}]"#
                .to_owned(),
        ),
    ] {
        let (a, _world, _) = imported(name, &text);
        assert_eq!(a.facts(), both, "{text}");
        let (a, _world, _) = imported("export.zip", zipped(&[(name, text.as_str())]));
        assert_eq!(a.facts(), both, "{text}");
    }
    // Text by text, each with its date.
    let (a, _world, _) = imported("conversations.json", bio(r#"["Drinks tea", "Has a cat"]"#));
    assert_eq!(a.texts().matches("created: 2026-01-01T00:00").count(), 2, "{}", a.texts());
}

#[test]
fn attachments_of_an_export_are_counted_and_named() {
    for (files, wanted) in [
        (
            &[("conversations.json", CHATGPT), ("dalle/", ""), ("dalle/cat.webp", "x")][..],
            &[(1, "dalle/cat.webp", "pictures are not read")][..],
        ),
        (
            &[
                ("a.PNG", "x"),
                ("b.jpg", "x"),
                ("c.heic", "x"),
                ("d.gif", "x"),
                ("notes.pdf", "x"),
                ("memories.json", CLAUDE),
            ],
            &[(4, "a.PNG, b.jpg, c.heic, …", "pictures are"), (1, "notes.pdf", "PDFs are")],
        ),
        (
            &[
                ("conversations-000.json", CHATGPT),
                ("talk/audio/1.wav", "x"),
                ("talk/audio/2.m4a", "x"),
                ("talk/video/1.mp4", "x"),
            ],
            &[
                (2, "talk/audio/1.wav, talk/audio/2.m4a", "audio recordings are"),
                (1, "talk/video/1.mp4", "videos are"),
            ],
        ),
        (
            &[("Takeout/Gemini Apps/MyActivity.json", GEMINI), ("Takeout/Gemini Apps/x.docx", "x")],
            &[(1, "Takeout/Gemini Apps/x.docx", "office documents are")],
        ),
        (
            &[("conversations.json", CHATGPT), ("file-a1B2c3", "x"), ("übung.dat", "x")],
            &[(2, "file-a1B2c3, übung.dat", "other files are")],
        ),
    ] {
        let zip = zipped(files);
        let (a, _world, plan) = imported("export.zip", &zip);
        let left = plan["left"].as_array().expect("a list");
        let counted = left.iter().filter(|one| one["at"]["parts"].is_u64());
        let told: Vec<&Value> = counted.collect();
        assert_eq!(told.len(), wanted.len(), "{plan}");
        let said = a.co(&["agent", "import", "--from", "export.zip", "--left-out", "--dry-run"]);
        for (one, (count, names, why)) in told.iter().zip(wanted) {
            assert_eq!(one["at"]["parts"], *count, "{plan}");
            assert_eq!(one["text"], *names, "{plan}");
            assert!(one["why"].as_str().is_some_and(|it| it.starts_with(why)), "{plan}");
            assert!(said.contains(names) && said.contains(why), "{said}");
        }
    }
    let world = World::new();
    let a = named(&world);
    let tabs = "[{\"memory\": \"Use tabs\"}]";
    put(&a, "x.zip", zipped(&[("memories.json", tabs), ("cat.png", "x")]));
    let said = a.co(&["agent", "import", "--from", "x.zip", "--dry-run"]);
    insta::assert_snapshot!(whole(&said), @"
    x.zip: 1 proposal from ~/x.zip
    x.zip, 1 fact   →   this identity, 0 facts

    Learned (1)
      + 1    Use tabs

    1 part was left out:
      · cat.png  pictures are not read
    ");
    // Attachments alone are no text that was read.
    put(&a, "y.zip", zipped(&[("memories.json", "{"), ("cat.png", "x")]));
    let said = a.fails(6, &["agent", "import", "--from", "y.zip"]);
    insta::assert_snapshot!(whole(&said), @"
    error: nothing could be read: ~/y.zip/memories.json: it is not valid JSON: EOF while parsing an object at line 1 column 1
    hint: co reads markdown, exports of mem0, ChatGPT, Claude and Gemini (JSON, or the zip archive as it was downloaded), and text with one fact per line
    ");
}

#[test]
fn other_archives_say_what_they_are() {
    let world = World::new();
    let a = named(&world);
    let whole = zipped(&[("conversations.json", CHATGPT)]);
    for (bytes, why) in [
        (zipped(&[("notes/a.txt", "x")]), "not an export of ChatGPT, Claude or Gemini"),
        (zipped(&[]), "not an export"),
        (whole[..40].to_vec(), "damaged zip archive"),
        (zipped(&[("memories.json", "{")]), "not valid JSON"),
        (zipped(&[("memories.json", "{\"a\": 1}")]), "not an export"),
    ] {
        put(&a, "x.zip", bytes);
        let said = a.try_co(&["agent", "import", "--from", "x.zip", "--dry-run"]);
        assert!(said.code == 6 && said.err.contains(why), "{why}: {}", said.err);
    }
    let takeout = zipped(&[("Takeout/My Activity/Gemini Apps/MyActivity.html", "<p>")]);
    put(&a, "x.zip", takeout);
    let said = a.co(&["agent", "import", "--from", "x.zip", "--dry-run"]);
    assert!(said.contains("also writes them as JSON"), "{said}");
}

#[test]
fn large_exports_stay_within_bounds() {
    let numbers = "0,".repeat(1_000_000);
    let text = format!("[{numbers}{{\"memory\": \"Use tabs\"}}]");
    let zip = zipped(&[("conversations.json", &text)]);
    for (name, bytes) in [("export.zip", zip.as_slice()), ("export.json", text.as_bytes())] {
        let (a, _world, plan) = imported(name, bytes);
        assert_eq!(a.facts(), ["Use tabs"], "{name}");
        let left = plan["left"].as_array().expect("a list");
        assert_eq!(left.len(), 2_001, "{name}");
        assert!(left.iter().any(|one| one["at"] == json!({ "more": [2_001, 998_000] })), "{name}");
        let said = a.co(&["agent", "import", "--from", name, "--similar", "--dry-run"]);
        assert!(said.contains("1000001 entries were left out"), "{said}");
    }
    let world = World::new();
    let a = named(&world);
    for (name, limit) in [("export.json", 256), ("export.jsonl", 256), ("rules.md", 1)] {
        let file = fs::File::create(a.home.join(name)).expect("a file");
        file.set_len((limit << 20) + 1).expect("its size");
        let said = a.fails(6, &["agent", "import", "--from", name, "--dry-run"]);
        assert!(said.contains(&format!("larger than {limit} MiB")), "{name}: {said}");
    }
}

#[test]
fn an_export_of_a_service_is_not_one_of_co() {
    let world = World::new();
    let a = named(&world);
    put(&a, "chatgpt.zip", zipped(&[("conversations.json", CHATGPT)]));
    put(&a, "my export.zip", zipped(&[("memories.json", CLAUDE)]));
    put(&a, "conversations.json", CHATGPT);
    put(&a, "photos.zip", zipped(&[("a.png", "x")]));
    for (name, why, hint) in [
        ("chatgpt.zip", "an export from an AI service", "`co agent import --from chatgpt.zip`"),
        ("my export.zip", "an export from an AI service", "my export.zip'`"),
        ("conversations.json", "is JSON", "`co agent import --from conversations.json`"),
        ("photos.zip", "is a zip archive", "unpack this one"),
    ] {
        for verb in ["import", "diff"] {
            let said = a.fails(6, &[verb, name]);
            assert!(said.contains(why) && said.contains(hint), "{verb} {name}: {said}");
            assert!(!said.contains("remove the entry"), "{verb} {name}: {said}");
        }
    }
}

#[test]
fn a_task_is_still_done_or_not() {
    for text in [
        "- [ ] migrate to vite\n- [x] drop webpack\n",
        "* [ ] migrate to vite\n* [x] drop webpack\n",
        "1. [ ] migrate to vite\n2. [x] drop webpack\n",
        "> - [ ] migrate to vite\n> - [x] drop webpack\n",
        "## Tasks\n\n+ [ ] migrate to vite\n+ [x] drop webpack\n",
    ] {
        let wanted = ["[ ] migrate to vite", "[x] drop webpack"];
        assert_eq!(facts("CLAUDE.md", text), wanted, "{text}");
        assert_eq!(facts("rules.txt", text.replace("> ", "")), wanted, "{text}");
    }
    let linked = facts("CLAUDE.md", "- [ ] read [the plan](plan.md) again\n- [X] Use tabs\n");
    assert_eq!(linked, ["[ ] read [the plan](plan.md) again", "[X] Use tabs"]);
}

#[test]
fn prompts_that_ask_to_remember_are_memories() {
    for prompt in [
        "remember to use metric",
        "Remember that use metric",
        "Please remember to use metric",
        "please remember: use metric",
        "Remember: use metric",
        "Save to memory: use metric",
        "save this to memory: use metric",
    ] {
        let entry = json!([{ "header": "Gemini Apps", "title": format!("Prompted {prompt}") }]);
        assert_eq!(facts("MyActivity.json", entry.to_string()), ["use metric"], "{prompt}");
    }
    let asked = r#"[{"header": "Gemini Apps", "title": "Prompted Remember when we met?"},
        {"header": "Gemini Apps", "title": "Prompted remember to use metric"}]"#;
    let (a, _world, plan) = imported("MyActivity.json", asked);
    assert_eq!(a.facts(), ["use metric"]);
    assert_eq!(reasons(&plan), [(1, "a prompt, not a memory".to_owned())]);
}

#[test]
fn what_stands_beside_the_memories_is_named() {
    let works = r#"{"source": "ada", "relationship": "works_at", "target": "acme"}"#;
    let lives = r#"{"source": "ada", "relation": "lives_in", "destination": "oslo"}"#;
    for (list, beside, said) in [
        ("results", format!("\"relations\": [{works}]"), &["ada works_at acme"][..]),
        ("memories", format!("\"relations\": [{lives}]"), &["ada lives_in oslo"]),
        (
            "results",
            format!("\"relations\": [{works}, {lives}], \"count\": 1, \"next\": null"),
            &["ada works_at acme", "ada lives_in oslo"],
        ),
        ("results", "\"relations\": [[\"ada\", \"acme\"]]".to_owned(), &["acme"]),
        ("items", "\"entities\": [{\"name\": \"acme\"}]".to_owned(), &["entities: "]),
        ("results", "\"relations\": [], \"page\": 1".to_owned(), &[]),
    ] {
        let text = format!("{{\"{list}\": [{{\"memory\": \"Use tabs\"}}], {beside}}}");
        let (a, _world, plan) = imported("mem0.json", &text);
        assert_eq!(a.facts(), ["Use tabs"], "{text}");
        let left = plan["left"].as_array().expect("a list");
        assert_eq!(left.len(), said.len(), "{text}: {plan}");
        for said in said {
            let is_it = |one: &&Value| one["text"].as_str().is_some_and(|text| text.contains(said));
            let found = left.iter().find(is_it).expect("it is listed");
            let is_relation = beside.contains("relations");
            let why = if is_relation { "a relation between" } else { "another part" };
            assert!(found["why"].as_str().is_some_and(|it| it.contains(why)), "{said}: {plan}");
        }
    }
}

#[test]
fn each_file_of_a_folder_is_read_or_listed() {
    let world = World::new();
    let a = named(&world);
    let read = [
        ("a.md", "Use tabs"),
        ("b.markdown", "Drinks green tea"),
        ("c.rst", "Lives in Oslo"),
        ("AGENTS", "Answer in English"),
        (".cursorrules", "Write small commits"),
        (".windsurfrules", "Never push on Fridays"),
        (".clinerules", "Ask before deleting"),
        (".cursor/rules/z.mdc", "Rides a bicycle"),
        ("deep/er/notes.txt", "Plays the cello"),
    ];
    for (name, text) in read {
        put(&a, &format!("old/{name}"), format!("{text}\n"));
    }
    put(&a, "old/export.zip", zipped(&[("conversations.json", CHATGPT)]));
    put(&a, "old/mem0.ndjson", "{\"memory\": \"Owns a cat\"}\n");
    let other = ["main.rs", "picture.png", ".env", "Makefile"];
    for name in other {
        put(&a, &format!("old/{name}"), "Not a rule at all\n");
    }
    for folder in ["node_modules", ".git", "target"] {
        put(&a, &format!("old/{folder}/a.md"), "Not a rule at all\n");
    }
    let args = ["agent", "import", "--from", "old", "--similar"];
    let plan = a.json(&[&args[..], &["--dry-run"]].concat());
    a.co(&[&args[..], &["--yes"]].concat());
    let mut wanted: Vec<&str> = read.iter().map(|(_, text)| *text).collect();
    wanted.extend(["Prefers Python.", "Owns a cat"]);
    wanted.sort_unstable();
    assert_eq!(a.facts(), wanted);
    let left = plan["data"]["left"].to_string();
    for name in other.iter().chain(&["node_modules", ".git", "target"]) {
        assert!(left.contains(&format!("old/{name}\"")), "{name}: {left}");
    }
}

#[cfg(unix)]
#[test]
fn no_link_of_a_folder_leads_out_of_it() {
    use std::os::unix::fs::symlink;
    let world = World::new();
    let a = named(&world);
    put(&a, "old/AGENTS.md", "Use tabs\n");
    put(&a, "secret/x.md", "Nobody may see this\n");
    let links = [
        ("/etc/passwd", "l.md"),
        ("../secret/x.md", "up.md"),
        ("../secret", "folder"),
        ("nowhere.md", "gone.md"),
        ("AGENTS.md", "CLAUDE.md"),
    ];
    for (target, name) in links {
        symlink(target, a.home.join("old").join(name)).expect("a link");
    }
    let plan = a.json(&["agent", "import", "--from", "old", "--dry-run"]);
    a.co(&["agent", "import", "--from", "old", "--yes"]);
    assert_eq!(a.facts(), ["Use tabs"]);
    let left = plan["data"]["left"].to_string();
    for (_, name) in links {
        assert!(left.contains(&format!("old/{name}\"")), "{name}: {left}");
    }
    assert_eq!(left.matches("a link that leaves the folder").count(), 3, "{left}");
}

#[test]
fn rules_are_read_in_any_encoding() {
    let text = "- Préfère le café très noir\n- Répondre en français\n";
    let latin: Vec<u8> =
        text.chars().map(|letter| u8::try_from(u32::from(letter)).expect("Latin-1")).collect();
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let marked = |mark: &[u8], bytes: &[u8]| [mark, bytes].concat();
    for (name, bytes) in [
        ("CLAUDE.md", marked(b"\xff\xfe", &little)),
        ("AGENTS.md", marked(b"\xfe\xff", &big)),
        ("rules.txt", little),
        (".cursorrules", latin),
        ("GEMINI.md", marked(b"\xef\xbb\xbf", text.as_bytes())),
    ] {
        let wanted = ["Préfère le café très noir", "Répondre en français"];
        assert_eq!(facts(name, bytes), wanted, "{name}");
    }
    let world = World::new();
    let a = named(&world);
    for bytes in [&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], b"%PDF-1.7\n%\xe2\xe3", b"\0\x01\x02\xff"]
    {
        put(&a, "rules.md", bytes);
        let said = a.fails(6, &["agent", "import", "--from", "rules.md", "--dry-run"]);
        assert!(said.contains("it is not a text"), "{said}");
    }
}

#[test]
fn memories_beside_a_text_are_proposed_or_named() {
    let three = ["Has a dog", "Likes tea", "Lives in Rome"];
    for json in [
        r#"[{"memory":"Likes tea","memories":["Lives in Rome","Has a dog"]}]"#,
        r#"[{"text":"Likes tea","memories":[{"memory":"Lives in Rome"},{"content":"Has a dog"}]}]"#,
        r#"[{"memory":["Likes tea"],"memories":["Lives in Rome",["Has a dog"]]}]"#,
        r#"[{"memory":"","memories":["Likes tea","Lives in Rome","Has a dog"]}]"#,
        r#"{"results":[{"memory":"Likes tea","memories":["Lives in Rome"]},{"content":"Has a dog"}]}"#,
        r#"[{"id":1,"memory":"Likes tea","memories":["Lives in Rome"],"x":2},{"memories":"Has a dog"}]"#,
    ] {
        let (a, _world, plan) = imported("x.json", json);
        assert_eq!(a.facts(), three, "{json}");
        assert!(reasons(&plan).is_empty(), "{json}");
    }
    let json =
        r#"[{"memory":"Likes tea","memories":[7,{"text":"Lives in Rome","state":"deleted"}]}]"#;
    let (a, _world, plan) = imported("x.json", json);
    assert_eq!(a.facts(), ["Likes tea"]);
    let why = [
        (1, "no longer valid in the export: state: deleted".to_owned()),
        (1, "not an entry that co can read: it has no text".to_owned()),
    ];
    assert_eq!(reasons(&plan), why);
}

/// What a part costs does not depend on how much else its entry says.
#[test]
fn a_large_entry_is_read_at_once() {
    let keys: String = (0..60_000).map(|n| format!("\"k{n}\":{n},")).collect();
    let parts = "7,[8],{\"m\":0},".repeat(2_000);
    let world = World::new();
    let a = named(&world);
    for json in [
        format!("[{{{keys}\"memory\":[{parts}\"Likes tea\"]}}]"),
        format!("[{{\"metadata\":{{{keys}\"z\":0}},\"memories\":[{parts}\"Likes tea\"]}}]"),
    ] {
        put(&a, "x.json", json);
        let begun = Instant::now();
        let plan = a.json(&["agent", "import", "--from", "x.json", "--dry-run"]);
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
        assert!(plan.to_string().contains("Likes tea"), "{plan}");
    }
}
