//! Labels as Cursor, Obsidian and people write them, which YAML wants in quotes: they come in as
//! they are meant, and where they cannot be read, the message says what to type.

use crate::support::{World, in_process::ran_apart, ready::named, tokens::token};
use std::fs;

/// Labels, and the line that is stored for them.
const MEANT: &[(&str, &str)] = &[
    ("globs: *.ts", "globs: \"*.ts\""),
    ("globs: **/*.ts,**/*.tsx\nalwaysApply: true", "globs: \"**/*.ts,**/*.tsx\""),
    ("description: Rules: be nice\nglobs:", "description: \"Rules: be nice\""),
    ("globs: {src,test}/**/*.{ts,tsx}", "globs: \"{src,test}/**/*.{ts,tsx}\""),
    ("globs: [*.ts, *.tsx]", "globs: [\"*.ts\", \"*.tsx\"]"),
    ("globs:\n  - **/*.py\n  - src/**", "  - \"**/*.py\""),
    ("author: @ann", "author: \"@ann\""),
    ("command: `make all`", "command: \"`make all`\""),
    ("progress: %50", "progress: \"%50\""),
    ("company: & Sons", "company: \"& Sons\""),
    ("meta:\n  note: a: b", "  note: \"a: b\""),
    ("globs: *.ts # only TypeScript", "globs: \"*.ts\" # only TypeScript"),
    ("globs: [*.ts, b] # both", "globs: [\"*.ts\", b] # both"),
    ("globs: [#a, #b] # tags", "globs: [\"#a\", \"#b\"] # tags"),
    ("globs:\n  - *.ts # first\n  - b", "  - \"*.ts\" # first"),
    ("ratio: a: b  # c: d", "ratio: \"a: b\"  # c: d"),
    ("owner: @ann's #lead\n  # and more", "owner: \"@ann's\" #lead"),
];

#[test]
fn labels_of_other_programs_come_in_as_they_are_meant() {
    if ran_apart() {
        return;
    }
    let world = World::new();
    let a = named(&world);
    for (labels, stored) in MEANT {
        let text = format!("---\nkind: rule\n{labels}\n---\n\n# Style\n\nUse tabs.\n");
        for (ending, typed) in
            [("mdc", text.clone()), ("md", text.clone()), ("md", text.replace('\n', "\r\n"))]
        {
            let file = world.path(&format!("style.{ending}"));
            fs::write(&file, typed).expect("written");
            a.added(&file, "articles/style");
            let whole = a.read("knowledge/articles/style.md");
            let has = whole.lines().any(|line| line == *stored);
            assert!(has, "{ending}, {labels}: {whole}");
            assert!(whole.ends_with("Use tabs.\n") && whole.contains("kind: rule"), "{whole}");
            let check = a.checked().to_string();
            assert!(!check.contains("\"frontmatter-"), "{labels}: {check}");
            a.deleted("articles/style");
        }
        a.wrote("articles/style", &text, &[]);
        assert!(a.read("knowledge/articles/style.md").contains(stored), "{labels}");
        a.deleted("articles/style");
    }
    // The last of them, by the program.
    let (_, stored) = MEANT.last().expect("one");
    let file = world.path("style.mdc");
    a.co(&["knowledge", "add", &file.display().to_string(), "--topic", "articles/style"]);
    assert!(a.read("knowledge/articles/style.md").contains(stored));
    assert!(!a.try_co(&["check"]).out.contains("[frontmatter-"));
    a.co(&["knowledge", "delete", "--yes", "articles/style"]);
    let text = fs::read_to_string(file).expect("there");
    a.piped(&text, &["knowledge", "write", "articles/style", "-"]);
    assert!(a.read("knowledge/articles/style.md").contains(stored));
}

#[test]
fn a_memory_of_an_agent_is_one_fact_whatever_its_labels() {
    for label in [
        "description: Tests: which",
        "description: @ann likes it",
        "description: `pytest`",
        "description: *all* tests",
        "description: & more",
    ] {
        let world = World::new();
        let a = named(&world);
        let text =
            format!("---\nname: tests\n{label}\ntype: feedback\n---\n\nUse pytest.\n\nOften.\n");
        fs::write(a.home.join("tests.md"), text).expect("written");
        a.co(&["agent", "import", "--from", "tests.md", "--yes"]);
        let listed = a.json(&["list"])["data"]["memories"].clone();
        assert_eq!(listed.as_array().map(Vec::len), Some(1), "{label}: {listed}");
    }
}

#[test]
fn what_cannot_be_read_is_told_in_plain_words() {
    let world = World::new();
    let a = named(&world);
    let file = world.path("broken.md");
    // What comes in: a value is helped, and the rest is told.
    for (labels, said) in [
        ("title: x\nglobs: *.ts\na word", "line 4: not `key: value`"),
        ("title: x\ntags:a", "line 3: not `key: value`"),
        ("a: b: c\n\nJust words", "line 4: not `key: value`"),
        ("title: x\ny: [a, b", "line 3: unclosed bracket"),
        ("title: x\n$5", "line 3: not `key: value`"),
    ] {
        fs::write(&file, format!("---\n{labels}\n---\n\nText\n")).expect("written");
        let told = a.try_co(&["knowledge", "add", &file.display().to_string()]);
        assert_ne!(told.code, 0, "{labels}");
        assert!(told.err.contains(said), "{labels}: {}", told.err);
    }
    // What is in the identity is not changed, but told the same way.
    for (labels, said) in [
        ("title: x\nglobs: *.ts", "`*.ts` needs quotes: `globs: \"*.ts\"`"),
        ("title: x\nglobs: *.ts # ts", "`*.ts` needs quotes: `globs: \"*.ts\"`"),
        ("title: a: b", "a value with `: ` needs quotes: `title: \"a: b\"`"),
        ("title: x\nauthor: @ann", "`@ann` needs quotes: `author: \"@ann\"`"),
        ("title: x\nglobs:\n  - *.ts", "`*.ts` needs quotes: `- \"*.ts\"`"),
        ("title: x\na word", "not `key: value`"),
    ] {
        let text = format!("---\n{labels}\n---\n\nText\n");
        a.write("knowledge/articles/broken.md", &text);
        let check = a.try_co(&["check", "--json"]).out.replace("\\\"", "\"");
        assert!(check.contains(said), "{labels}: {check}");
        a.try_co(&["check", "--fix"]);
        assert_eq!(a.read("knowledge/articles/broken.md"), text);
    }
}

#[test]
fn what_is_told_of_a_value_shows_no_secret() {
    let world = World::new();
    let a = named(&world);
    let token = token();
    for before in [0, 20, 30, 45, 56].map(|length| "x".repeat(length)) {
        let text = format!("---\ntitle: x\nnote: @{before} {token}\n---\n\nText\n");
        a.write("knowledge/articles/broken.md", &text);
        let check = a.try_co(&["check", "--json"]);
        assert!(check.out.contains("needs quotes"), "{before}: {}", check.out);
        let shown = check.out + &check.err;
        assert!(!shown.contains("ghp_zQWB"), "{before}: {shown}");
    }
}
