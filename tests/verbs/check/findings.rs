//! `co check` on files with one fault each: every fault is found under its code, sound files have
//! no findings, and what `--fix` reports as fixed is fixed.

use crate::support::{Laptop, World, files::put, git, in_process::ran_apart, whole::whole};
use std::{collections::BTreeMap, fs};

/// A fault: where, what, and the code that names it. Each is alone in an identity that is otherwise
/// sound.
struct Fault {
    path: String,
    bytes: Vec<u8>,
    code: &'static str,
}

const FRONT: &str = "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n";

fn memory(front: &str, body: &str) -> String {
    format!("---\n{front}---\n\n{body}\n")
}

const GOOD: &str = "id: 501\ncreated: 2026-01-01T00:00:00.123456+00:00\n";

fn faults() -> Vec<Fault> {
    let mut all = Vec::new();
    let mut add = |code: &'static str, path: &str, bytes: Vec<u8>| {
        all.push(Fault { path: path.to_owned(), bytes, code })
    };
    let mem = "knowledge/memories/501-fault.md";
    let documents = ["profile.md", "personality.md", "traits/a.md", "profile/identity.md"];
    let texts = [
        "profile.md",
        "personality.md",
        "traits/a.md",
        "knowledge/context.md",
        "knowledge/people/a.md",
        "knowledge/articles/a.md",
        mem,
    ];

    for path in texts {
        add("not-utf8", path, b"---\nversion: 1\n---\n\nna\xefve\n".to_vec());
        add(
            "frontmatter-unclosed",
            path,
            b"---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n\ntext\n".to_vec(),
        );
        add("frontmatter-invalid", path, b"---\n- a list\n---\n\ntext\n".to_vec());
        add(
            "frontmatter-duplicate-key",
            path,
            b"---\nversion: 1\nversion: 2\n---\n\ntext\n".to_vec(),
        );
        add(
            "frontmatter-too-large",
            path,
            format!("---\n{}---\n\ntext\n", "a: b\n".repeat(15_000)).into_bytes(),
        );
        add(
            "conflict-markers",
            path,
            format!("{FRONT}<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> b\n").into_bytes(),
        );
    }
    for path in documents {
        add("frontmatter-missing", path, b"# Title\n\ntext\n".to_vec());
        add("field-missing", path, b"---\nupdated: 2026-01-01T00:00:00Z\n---\n\ntext\n".to_vec());
        add("field-missing", path, b"---\nversion: 1\n---\n\ntext\n".to_vec());
        add(
            "field-type",
            path,
            b"---\nversion: one\nupdated: 2026-01-01T00:00:00Z\n---\n\ntext\n".to_vec(),
        );
        add(
            "version-newer",
            path,
            b"---\nversion: 2\nupdated: 2026-01-01T00:00:00Z\n---\n\ntext\n".to_vec(),
        );
        add("stamp-invalid", path, b"---\nversion: 1\nupdated: last week\n---\n\ntext\n".to_vec());
        add(
            "stamp-no-zone",
            path,
            b"---\nversion: 1\nupdated: 2026-01-01T00:00:00\n---\n\ntext\n".to_vec(),
        );
        add(
            "stamp-future",
            path,
            b"---\nversion: 1\nupdated: 2199-01-01T00:00:00Z\n---\n\ntext\n".to_vec(),
        );
        add(
            "checksum-mismatch",
            path,
            format!(
                "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\nchecksum: \
                sha256:{}\n---\n\ntext\n",
                "ab".repeat(32)
            )
            .into_bytes(),
        );
        add(
            "checksum-invalid",
            path,
            b"---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\nchecksum: md5\n---\n\ntext\n"
                .to_vec(),
        );
        add(
            "second-frontmatter",
            path,
            format!("{FRONT}---\nversion: 1\ntitle: two\n---\n\ntext\n").into_bytes(),
        );
        add("unseen-characters", path, format!("{FRONT}text \u{202e}txet\n").into_bytes());
    }
    add("frontmatter-missing", mem, b"only a text\n".to_vec());
    add("field-missing", mem, memory("created: 2026-01-01T00:00:00.7Z\n", "no id").into_bytes());
    add("field-missing", mem, memory("id: 501\n", "no created").into_bytes());
    add(
        "field-type",
        mem,
        memory("id: abc\ncreated: 2026-01-01T00:00:00.7Z\n", "id is no number").into_bytes(),
    );
    add(
        "field-type",
        mem,
        memory(&format!("{GOOD}tags: {{a: b}}\n"), "tags are a mapping").into_bytes(),
    );
    add(
        "field-type",
        mem,
        memory(&format!("{GOOD}source: [a, b]\n"), "source is a list").into_bytes(),
    );
    add("stamp-invalid", mem, memory("id: 501\ncreated: yesterday\n", "no date").into_bytes());
    add(
        "stamp-invalid",
        mem,
        memory(&format!("{GOOD}updated: 2026-13-45T00:00:00Z\n"), "no such day").into_bytes(),
    );
    add(
        "stamp-no-zone",
        mem,
        memory("id: 501\ncreated: 2026-01-01T00:00:00.123456\n", "no zone").into_bytes(),
    );
    add(
        "stamp-future",
        mem,
        memory("id: 501\ncreated: 2199-01-01T00:00:00Z\n", "from tomorrow").into_bytes(),
    );
    add(
        "checksum-mismatch",
        mem,
        memory(&format!("{GOOD}checksum: sha256:{}\n", "ab".repeat(32)), "another text")
            .into_bytes(),
    );
    add(
        "checksum-invalid",
        mem,
        memory(&format!("{GOOD}checksum: 12\n"), "no checksum").into_bytes(),
    );
    let nothing = format!("supersedes: [{}]", "ab".repeat(32));
    for (code, key) in [
        ("stamp-invalid", "valid_until: someday"),
        ("stamp-invalid", "valid_from: 2026-02-30"),
        ("stamp-no-zone", "stale_after: 2026-02-14T17:00:00"),
        ("field-type", "supersedes: [31]"),
        ("ends-too-early", "valid_from: 2026-02-14\nvalid_until: 2026-02-13"),
        ("replaces-nothing", nothing.as_str()),
    ] {
        add(code, mem, memory(&format!("{GOOD}{key}\n"), "a fact in time").into_bytes());
    }
    add("empty-body", mem, memory(GOOD, "").into_bytes());
    add("too-large", mem, memory(GOOD, &"long ".repeat(300_000)).into_bytes());
    add(
        "second-frontmatter",
        mem,
        memory(GOOD, "---\nid: 7\ncreated: 2026-01-01T00:00:00Z\n---\n\ntwo in one").into_bytes(),
    );
    for letter in ["\u{1b}[2J", "\u{0}", "\u{85}", "\u{2066}", "\u{200f}", "\u{7f}"] {
        add(
            "unseen-characters",
            mem,
            memory(GOOD, &format!("a text with {letter} in it")).into_bytes(),
        );
    }
    add("duplicate-fact", mem, memory(GOOD, "A sound fact").into_bytes());
    add(
        "duplicate-id",
        mem,
        memory("id: 1\ncreated: 2026-01-01T00:00:00.123456Z\n", "another fact with its number")
            .into_bytes(),
    );
    add(
        "duplicate-origin",
        mem,
        memory(
            "id: 501\ncreated: 2026-01-01T00:00:00.500000+00:00\n",
            "another fact with its origin",
        )
        .into_bytes(),
    );
    add(
        "near-duplicate",
        mem,
        memory(GOOD, "One fact that is long enough to be compared with others, truly").into_bytes(),
    );
    add("ledger-line", "knowledge/forgotten.md", b"# Forgotten\n\n- something else\n".to_vec());
    add(
        "ledger-line",
        "knowledge/forgotten.md",
        b"- 2026-01-01T00:00:00Z sha256:12 2026-01-01T00:00:00Z\n".to_vec(),
    );
    add(
        "over-budget",
        "knowledge/context.md",
        format!("{FRONT}{}", "- A line of context that every session loads\n".repeat(80))
            .into_bytes(),
    );
    add("bad-name", "traits/back\\slash.md", FRONT.as_bytes().to_vec());
    for name in [
        "settings.json",
        "local/index.db",
        "sessions/1.jsonl",
        "knowledge/index.sqlite",
        "cache/a",
        "attachments/id_rsa",
        ".env",
        "knowledge/x.db-wal",
    ] {
        add("machine-state", name, b"{}".to_vec());
    }
    let context = format!("{FRONT}# User\n\n- one more entry\n");
    for name in [
        "context (conflicted copy 2026-11-20).md",
        "context (Bin's conflicted copy 2026-11-20).md",
        "context.sync-conflict-20261120-093000-ABCDEFG.md",
        "context-DESKTOP-AB12CD3.md",
        "context 2.md",
        "context (1).md",
    ] {
        add("cloud-conflict-copy", &format!("knowledge/{name}"), context.clone().into_bytes());
    }
    add(
        "cloud-conflict-copy",
        "knowledge/memories/001-sound (conflicted copy 2026-11-20).md",
        memory(
            "id: 1\ncreated: 2026-01-01T00:00:00.500000+00:00\nupdated: 2026-02-01T00:00:00Z\n",
            "A sound fact, edited",
        )
        .into_bytes(),
    );
    add(
        "path-convention",
        "knowledge/memories/old/501-fault.md",
        memory(GOOD, "too deep").into_bytes(),
    );
    add("path-convention", "knowledge/a/b/c/d/e.md", b"# Deep\n".to_vec());
    add("path-convention", "knowledge/people/who?.md", b"# Who\n".to_vec());
    add("path-convention", "traits/trailing .", b"x".to_vec());
    add("path-collision", "PROFILE.md", b"x".to_vec());
    add("path-collision", "Traits/communication-style.md", b"x".to_vec());
    add("unseen-characters", "knowledge/people/\u{202e}ab.md", b"# Who\n".to_vec());
    all
}

fn sound(laptop: &Laptop) {
    laptop.co(&["init", "--yes", "--name", "Bin"]);
    laptop.write(
        "knowledge/memories/001-sound.md",
        &memory("id: 1\ncreated: 2026-01-01T00:00:00.500000+00:00\n", "A sound fact"),
    );
    laptop.write(
        "knowledge/memories/002-long.md",
        &memory(
            "id: 2\ncreated: 2026-01-01T00:00:01.500000+00:00\n",
            "One fact that is long enough to be compared with others",
        ),
    );
}

fn codes(laptop: &Laptop) -> Vec<(String, String, bool)> {
    codes_of(&laptop.json(&["identity", "check"])["data"])
}

fn codes_of(report: &serde_json::Value) -> Vec<(String, String, bool)> {
    let findings = report["findings"].as_array().expect("findings").clone();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    findings
        .iter()
        .map(|finding| (text(&finding["code"]), text(&finding["path"]), finding["fixable"] == true))
        .collect()
}

#[test]
fn every_fault_is_found_and_what_can_be_mended_is() {
    if ran_apart() {
        return;
    }
    let world = World::new();
    let a = world.laptop("a");
    sound(&a);
    a.co(&["identity", "sync"]);
    let before = a.tree();
    assert_eq!(codes(&a), []);
    let all = faults();
    assert!(all.len() >= 100, "{} faults", all.len());
    let mut mended: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, fault) in all.iter().enumerate() {
        let file = a.identity().join(&fault.path);
        put(&file, &fault.bytes);
        let found = codes_of(&a.checked());
        let hits: Vec<&str> = found.iter().map(|(code, _, _)| code.as_str()).collect();
        let why = format!("fault {at}, {} in {}: {found:?}", fault.code, fault.path);
        assert_eq!(hits, [fault.code], "{why}");
        if found[0].2 {
            let facts_before = fs::read(&file).expect("there");
            a.try_co(&["identity", "check", "--fix"]);
            let left = codes_of(&a.checked());
            assert!(left.is_empty(), "{why}: after --fix {left:?}");
            assert_eq!(a.fixed(), [""; 0], "{why}: a second run finds nothing to do");
            *mended.entry(fault.code).or_default() += 1;
            let said = a.try_co(&["identity", "undo"]);
            assert!(
                said.code == 0 || fs::read(&file).ok() == Some(facts_before),
                "{why}: {}",
                said.err
            );
        }
        // Back to the sound identity.
        git(&a.identity(), &["clean", "-qfdx"]);
        git(&a.identity(), &["checkout", "-q", "."]);
        assert_eq!(a.tree(), before, "{why}");
    }
    let fixable = [
        "checksum-invalid",
        "checksum-mismatch",
        "cloud-conflict-copy",
        "conflict-markers",
        "duplicate-fact",
        "duplicate-id",
        "duplicate-origin",
        "field-missing",
        "frontmatter-missing",
        "stamp-no-zone",
    ];
    assert!(fixable.iter().all(|code| mended.contains_key(code)), "{mended:?}");
}

#[test]
fn nothing_is_found_in_ten_thousand_good_files() {
    let world = World::new();
    let a = world.laptop("a");
    sound(&a);
    let words = [
        "tabs",
        "spaces",
        "coffee",
        "trains",
        "rust",
        "python",
        "Zürich",
        "東京",
        "👩‍💻",
        "naïve",
        "“quoted”",
        "a---b",
        "<<<<",
        "===",
        "key: value",
        "100 %",
    ];
    for n in 0..10_000_usize {
        let word = |k: usize| words[(n / k.max(1) + k * 7) % words.len()];
        let body = format!(
            "{} {} no {n} {} w{} x{}\n\n- {}\n- {}: {n}",
            word(1),
            word(3),
            word(11),
            n * 7919 % 10_007,
            n * 104_729 % 10_009,
            word(5),
            word(2)
        );
        let stamp = format!("2026-0{}-1{}T0{}:00:00.{n:06}", n % 9 + 1, n % 9, n % 9);
        let zone = ["Z", "+00:00", "-08:00", "+05:30"][n % 4];
        let tags =
            ["", "tags: []\n", "tags: [a, b]\n", "tags:\n  - a\n  - b\n", "tags: a, b\n"][n % 5];
        let quote = ["", "\"", "'"][n % 3];
        let text = memory(
            &format!(
                "id: {quote}{}{quote}\ncreated: {stamp}{zone}\n{tags}x-note: kept # here\n",
                n + 10
            ),
            &body,
        );
        let text =
            if n % 50 == 0 { format!("\u{feff}{}", text.replace('\n', "\r\n")) } else { text };
        a.write(&format!("knowledge/memories/{:05}-fact-{n}.md", n + 10), &text);
    }
    let found = codes(&a);
    assert!(found.is_empty(), "{} findings, as {:?}", found.len(), &found[..found.len().min(5)]);
}

#[test]
fn markers_of_an_open_merge_are_repaired_from_the_three_sides() {
    let world = World::new();
    let a = world.laptop("a");
    sound(&a);
    a.co(&["identity", "sync"]);
    fs::remove_file(a.identity().join(".gitattributes")).expect("removed");
    a.write(
        "profile.md",
        &format!("{FRONT}# Profile\n\n- Name: Bin\n- Zone: LA\n- Old: gone soon\n"),
    );
    git(&a.identity(), &["add", "-A"]);
    git(&a.identity(), &["commit", "-qm", "base"]);
    git(&a.identity(), &["checkout", "-qb", "other"]);
    a.write(
        "profile.md",
        &format!("{}# Profile\n\n- Name: Bin\n- Zone: Tokyo\n", FRONT.replace("01-01T", "01-02T")),
    );
    git(&a.identity(), &["commit", "-qam", "theirs"]);
    git(&a.identity(), &["checkout", "-q", "main"]);
    a.write(
        "profile.md",
        &format!(
            "{}# Profile\n\n- Name: Bob\n- Zone: Berlin\n- Old: gone soon\n",
            FRONT.replace("01-01T", "01-03T")
        ),
    );
    git(&a.identity(), &["commit", "-qam", "ours"]);
    let merge = std::process::Command::new("git")
        .args(["merge", "-q", "other"])
        .current_dir(a.identity())
        .output()
        .expect("git runs");
    assert!(!merge.status.success(), "git stops at the conflict");
    assert!(codes(&a).iter().any(|(code, _, fixable)| code == "conflict-markers" && *fixable));
    a.try_co(&["identity", "check", "--fix"]);
    let profile = a.read("profile.md");
    assert!(profile.contains("- Name: Bob") && profile.contains("- Zone: Berlin"), "{profile}");
    assert!(
        !profile.contains("Old: gone soon"),
        "deleted on one side and untouched on the other goes, which only the ancestor tells: \
         {profile}"
    );
    assert!(!profile.contains("<<<<<<<"), "{profile}");
}

#[test]
fn staged_and_committed_versions_are_checked() {
    let world = World::new();
    let a = world.laptop("a");
    sound(&a);
    a.co(&["identity", "sync"]);
    a.write("traits/bad.md", "no frontmatter\n");
    insta::assert_snapshot!(whole(&a.co(&["identity", "check", "--staged"])), @"✓ 0 files, nothing wrong.");
    git(&a.identity(), &["add", "-A"]);
    let said = a.try_co(&["identity", "check", "--staged"]);
    assert_eq!(said.code, 1, "{}", said.out);
    insta::assert_snapshot!(whole(&said.out), @"
    identity/traits/bad.md:1  error [frontmatter-missing]  (fixable)
        no frontmatter; start the file with `---`, `version: 1`, `updated: [time]`, `---`
    1 problem in 1 file.
    ");
    a.write("traits/bad.md", &format!("{FRONT}mended, but not staged\n"));
    assert_eq!(
        a.try_co(&["identity", "check", "--staged"]).code,
        1,
        "the index counts, not the file"
    );
    git(&a.identity(), &["commit", "-qm", "bad"]);
    git(&a.identity(), &["add", "-A"]);
    git(&a.identity(), &["commit", "-qm", "mended"]);
    assert_eq!(a.try_co(&["identity", "check"]).code, 0);
    let said = a.try_co(&["identity", "check", "--history"]);
    // Its commit is abbreviated as everywhere.
    let bad = a.git(&["rev-parse", "HEAD~1"]);
    assert_eq!(said.code, 1, "{}", said.out);
    insta::assert_snapshot!(whole(&said.out.replace(&bad[..10], "[bad]")), @"
    identity/[bad]:traits/bad.md:1  error [frontmatter-missing]
        no frontmatter; start the file with `---`, `version: 1`, `updated: [time]`, `---`
    1 problem in 10 files.
    ");
    assert_eq!(a.try_co(&["identity", "check", "--history", "--fix"]).code, 2);
}

#[test]
fn parts_of_the_profile_in_the_form_of_their_document_are_completed() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes", "--name", "Ada"]);
    let parts = [
        ("identity", "name: Identity\ndescription: Who the user is\npromptOrder: 1\n"),
        ("preferences", "promptLabel: preferences\npromptHint: \"how: they like it\" # c\n"),
        ("communication", "alwaysInclude: true\nsearchable: false\neditable: true\n"),
        ("boundaries", "updated: 2026-01-01T00:00:00Z\ntags:\n  - never\n"),
        ("tools", "version: 1\ntitle: Tools\n"),
        ("empty", ""),
    ];
    for (name, front) in parts {
        let body = format!("\n# {name}\n\nOne line of {name}.\n");
        a.write(&format!("profile/{name}.md"), &format!("---\n{front}---\n{body}"));
    }
    assert_eq!(a.try_co(&["check"]).code, 1);
    let found = codes(&a);
    assert!(
        found.iter().all(|(code, _, fixable)| code == "field-missing" && *fixable),
        "{found:?}"
    );
    a.co(&["check", "--fix"]);
    assert_eq!(codes(&a), []);
    for (name, front) in parts {
        let text = a.read(&format!("profile/{name}.md"));
        assert!(text.contains(front), "{name}: {text}");
        assert!(text.ends_with(&format!("\n# {name}\n\nOne line of {name}.\n")), "{text}");
        for key in ["\nversion: 1\n", "\nupdated: 2"] {
            assert_eq!(text.matches(key).count(), 1, "{name}: {text}");
        }
    }
    assert!(!a.try_co(&["context"]).err.contains("missing"));
    a.co(&["undo"]);
    assert!(!a.read("profile/identity.md").contains("version"));
}
