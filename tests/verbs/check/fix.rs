//! `co check` and `co check --fix`: a broken file costs only itself, and a repair does what it
//! says, names what it chose, and can be taken back.

use crate::support::{
    Laptop, World, git,
    pair::{assert_agree, pair},
    ready::with_remote,
};
use std::fs;

#[test]
fn ten_broken_files_cost_only_themselves() {
    let world = World::new();
    let a = with_remote(&world);
    let memory = |name: &str, text: &str| a.write(&format!("knowledge/memories/{name}.md"), text);
    let good = "created: 2026-01-01T00:00:00Z\n";
    memory("010-unclosed", "---\nid: 10\n");
    memory("011-yaml", "---\nid: 11\ncreated: 2026-01-01T00:00:00Z\ntags: [a, b\n---\n\nx\n");
    memory("012-created", "---\nid: 12\ncreated: yesterday\n---\n\nx\n");
    memory("013-double-key", &format!("---\nid: 13\nid: 14\n{good}---\n\nx\n"));
    memory("014-no-front", "just text\n");
    memory("015-id", &format!("---\nid: fifteen\n{good}---\n\nx15\n"));
    fs::write(a.identity().join("knowledge/memories/016-latin1.md"), b"---\nid: 16\n---\n\n\xe9\n")
        .expect("written");
    memory(
        "017-markers",
        &format!("---\nid: 17\n{good}---\n\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n"),
    );
    a.write("traits/broken.md", "---\nversion: one\n---\n\nx\n");
    a.write("knowledge/forgotten.md", "# Forgotten\n\n- not a line\n");
    let found = a.json(&["identity", "check"]);
    assert_eq!(found["ok"], false);
    let list: Vec<(String, String, u64)> = found["data"]["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .map(|f| {
            (
                f["path"].as_str().expect("path").rsplit('/').next().expect("name").to_owned(),
                f["code"].as_str().expect("code").to_owned(),
                f["line"].as_u64().unwrap_or(0),
            )
        })
        .collect();
    let expected = [
        ("010-unclosed.md", "frontmatter-unclosed", 1),
        ("011-yaml.md", "frontmatter-invalid", 0),
        ("012-created.md", "stamp-invalid", 3),
        ("013-double-key.md", "frontmatter-duplicate-key", 3),
        ("014-no-front.md", "frontmatter-missing", 1),
        ("015-id.md", "field-type", 2),
        ("016-latin1.md", "not-utf8", 0),
        ("017-markers.md", "conflict-markers", 6),
        ("broken.md", "field-type", 2),
        ("forgotten.md", "ledger-line", 3),
    ];
    for (name, code, line) in expected {
        assert!(
            list.iter().any(|(n, c, l)| n == name && c == code && (line == 0 || *l == line)),
            "{name} {code}:{line} not in {list:?}"
        );
    }
    assert!(list.iter().any(|(n, _, l)| n == "011-yaml.md" && *l >= 3), "{list:?}");
    assert_eq!(a.try_co(&["identity", "check"]).code, 1);
    for command in [
        &["memory", "list"][..],
        &["recall", "good"],
        &["context"],
        &["status"],
        &["learn", "Another fact"],
        &["forget", "--yes", "Another fact"],
    ] {
        assert_eq!(a.try_co(command).code, 0, "{command:?}");
    }
    assert!(a.co(&["recall", "good"]).contains("A good fact"));
    let said = a.try_co(&["identity", "sync"]);
    assert_eq!(said.code, 6, "{}", said.err);
    assert!(said.err.contains("017-markers.md held back"), "{}", said.err);
    assert!(
        said.err.contains("010-unclosed.md and 5 more could not be read as facts"),
        "{}",
        said.err
    );
    let published = git(&world.path("remote.git"), &["ls-tree", "-r", "--name-only", "main"]);
    assert!(
        published.contains("010-unclosed.md") && !published.contains("017-markers.md"),
        "{published}"
    );
}

#[test]
fn check_fix_says_what_it_chose() {
    let world = World::new();
    let a = with_remote(&world);
    let marked = "# Profile\n\n<<<<<<< a\n- Editor: vim\n=======\n- Editor: helix\n>>>>>>> b\n";
    a.edit("profile.md", "# Profile\n", marked);
    let said = a.co(&["check", "--fix"]);
    let profile = a.read("profile.md");
    assert!(profile.contains("- Editor: vim") && !profile.contains("helix"), "{profile}");
    assert!(said.contains("(as new as `- Editor: helix`, and later in the alphabet)"), "{said}");
    a.co(&["undo"]);
    assert!(a.read("profile.md").contains("helix"));
    // Usage as JSON names what is missing.
    let said = a.json(&["recall"]);
    assert!(said["error"]["message"].as_str().is_some_and(|text| text.contains("<QUERY>")));
}

#[test]
fn check_fix_mends_what_it_says() {
    let world = World::new();
    let a = with_remote(&world);
    a.write("knowledge/memories/020-no-front.md", "A fact without frontmatter\n");
    a.write(
        "knowledge/memories/021-zone.md",
        "---\nid: 21\ncreated: 2026-01-01T00:00:00\n---\n\nZoneless\n",
    );
    a.write(
        "knowledge/memories/022-copy.md",
        "---\nid: 21\ncreated: 2026-01-02T00:00:00Z\n---\n\nSame id\n",
    );
    a.edit(&a.file_of("A good fact"), "A good fact\n", "A better fact\n");
    let fixable = |a: &Laptop| {
        a.json(&["identity", "check"])["data"]["findings"]
            .as_array()
            .expect("findings")
            .iter()
            .filter(|f| f["fixable"] == true)
            .count()
    };
    assert!(fixable(&a) >= 4);
    a.co(&["identity", "check", "--fix"]);
    assert_eq!(a.json(&["identity", "check", "--strict"])["ok"], true);
    assert_eq!(a.facts(), ["A better fact", "A fact without frontmatter", "Same id", "Zoneless"]);
    a.co(&["identity", "undo"]);
    assert!(fixable(&a) >= 4, "a fix can be taken back");
}

#[test]
fn links_are_named_and_not_mended_and_machine_state_stays_here() {
    let world = World::new();
    let (remote, a) = (world.remote(), world.laptop("a"));
    a.co(&["init", "--yes", "--remote", &remote]);
    let secret = world.path("secret.txt");
    fs::write(&secret, "the key\n").expect("written");
    std::os::unix::fs::symlink(&secret, a.identity().join("traits/link.md")).expect("linked");
    assert_eq!(a.try_co(&["identity", "check", "--fix"]).code, 1);
    assert_eq!(
        fs::read_to_string(&secret).expect("there"),
        "the key\n",
        "nothing is written through a link"
    );
    fs::remove_file(a.identity().join("traits/link.md")).expect("removed");
    a.write("settings.json", "{\"api_key\": \"x\"}");
    a.co(&["learn", "A fact"]);
    let said = a.fails(6, &["identity", "sync"]);
    assert!(said.contains("settings.json"), "{said}");
    let published = git(&world.path("remote.git"), &["ls-tree", "-r", "--name-only", "main"]);
    assert!(
        published.contains("001-a-fact.md") && !published.contains("settings.json"),
        "{published}"
    );
    a.fails(5, &["identity", "check", "no-such-file.md"]);
}

#[test]
fn a_number_that_git_published_twice_is_settled_once() {
    let world = World::new();
    let (a, b) = pair(&world);
    for laptop in [&a, &b, &a] {
        laptop.co(&["sync"]);
    }
    let known = a.facts();
    let (id, last) = (known.len(), known.last().expect("a fact").clone());
    let twin = a.read(&a.file_of(&last)).replace(&last, "Written by hand with a taken number");
    let lines = twin.lines().filter(|line| !line.starts_with("checksum"));
    let is_stamp = |line: &str| line.starts_with("created:");
    let at = "created: 2026-03-01T10:00:00.123456Z";
    let lines = lines.map(|line| if is_stamp(line) { at } else { line });
    let twin = lines.collect::<Vec<_>>().join("\n") + "\n";
    a.write(&format!("knowledge/memories/{id:03}-by-hand.md"), &twin);
    a.git(&["add", "-A"]);
    a.git(&["commit", "-qm", "by hand"]);
    a.git(&["push", "-q", "origin", "HEAD"]);
    let found = a.try_co(&["check", "--strict"]);
    assert!(found.code != 0 && found.out.contains("duplicate-id"), "{}{}", found.out, found.err);
    a.co(&["check", "--fix"]);
    a.co(&["check", "--strict"]);
    a.co(&["check", "--fix"]);
    for laptop in [&a, &b, &a] {
        laptop.co(&["sync"]);
        laptop.co(&["check", "--strict"]);
    }
    assert_agree(&[&a, &b]);
    assert_eq!(a.facts().len(), known.len() + 1);
}

#[test]
fn a_text_that_shows_conflict_markers_is_not_torn_apart() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let howto = "# Conflicts\n\n<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n";
    a.write("work/howto.md", howto);
    a.try_co(&["check", "--fix"]);
    assert_eq!(a.read("work/howto.md"), howto);
    a.fails(2, &["check", "--fix", "profile.md"]);
}

#[test]
fn a_personality_that_is_selected_below_the_block_is_named_and_not_told_to_agents() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let text = a.read("personality.md");
    a.write("personality.md", &format!("{text}\nKeep it brief.\nselected: warm\n"));
    let named = |a: &Laptop| {
        let findings = a.json(&["check"])["data"]["findings"].as_array().cloned();
        let mut findings = findings.expect("a list");
        findings.retain(|one| one["code"] == "personality-missing");
        assert_eq!(findings.len(), 1, "{findings:?}");
        findings[0]["message"].as_str().expect("a message").to_owned()
    };
    let said = named(&a);
    assert!(said.contains("below the `---` block"), "{said}");
    assert!(said.contains("there is no personality/warm.md"), "{said}");
    assert_eq!(a.try_co(&["check"]).code, 0, "a warning");
    let context = a.co(&["context"]);
    assert!(context.contains("│ Keep it brief."), "{context}");
    assert!(!context.contains("selected: warm"), "{context}");
    a.write("personality/warm.md", "Warm words.\n");
    assert!(!named(&a).contains("there is no"));
    assert!(!a.co(&["context"]).contains("Warm words."));
    let of_block = text.replace("version: 1\n", "version: 1\nselected: warm\n");
    a.write("personality.md", &of_block);
    assert!(a.co(&["context"]).contains("Warm words."));
}
