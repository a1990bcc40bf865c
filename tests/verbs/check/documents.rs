//! `co check` on documents: what one says wrong, links and pictures that are gone, and names that
//! want a folder.

use crate::support::{Laptop, World, ready::laptop};
use serde_json::Value;
use std::fs;

#[test]
fn check_names_what_a_document_says_wrong() {
    let world = World::new();
    let a = laptop(&world, "a");
    let text = "---\ntype: poem\nstatus: gone\nattachment: attachments/no.pdf\n---\n\n[x](no.md)\n";
    a.write("knowledge/reference/x.md", text);
    a.co(&["knowledge", "write", "reference/y", "See [x](x.md) and [[not-yet]]."]);
    let said = a.json(&["check"]);
    let findings = said["data"]["findings"].as_array().expect("findings");
    let code = |finding: &Value| finding["code"].as_str().expect("a code").to_owned();
    let mut codes: Vec<String> = findings.iter().map(code).collect();
    codes.sort();
    let of_x = ["attachment-missing", "label-unknown", "label-unknown", "link-broken"];
    assert_eq!(codes, [&of_x[..], &["link-broken"]].concat());
    let of_y = findings.iter().find(|finding| finding["path"] == "knowledge/reference/y.md");
    let message = of_y.expect("a finding")["message"].as_str().expect("a message");
    assert_eq!(message, "links to \"not-yet\", but there is no such document");
    assert!(findings.iter().all(|finding| finding["severity"] == "warning"));
    let before = a.read("knowledge/reference/x.md");
    a.co(&["check", "--fix"]);
    assert_eq!(a.read("knowledge/reference/x.md"), before);
}

#[test]
fn bad_documents_and_links_cost_only_themselves() {
    let world = World::new();
    let a = laptop(&world, "a");
    a.co(&["knowledge", "write", "good", "oolong tea"]);
    a.write("knowledge/broken.md", "---\ntags: [a\n");
    a.write(
        "knowledge/people/crlf.md",
        "\u{feff}---\r\ntags: a, b\r\n---\r\n\r\n# Name\r\n\r\noolong\r\n",
    );
    let outside = world.path("outside.md");
    fs::write(&outside, "oolong elsewhere").expect("written");
    let said = a.try_co(&["knowledge", "search", "oolong"]);
    assert!(said.out.contains("## good") && said.out.contains("people/crlf"), "{}", said.out);
    assert!(said.err.contains("knowledge/broken.md"), "{}", said.err);
    let said = a.fails(10, &["knowledge", "write", "broken", "x"]);
    assert!(said.contains("knowledge/broken.md"), "{said}");
    // A folder that leads elsewhere is not written through.
    let elsewhere = world.path("elsewhere");
    fs::create_dir_all(&elsewhere).expect("a folder");
    std::os::unix::fs::symlink(&elsewhere, a.identity().join("knowledge/insights"))
        .expect("a link");
    a.fails(6, &["knowledge", "write", "insights/x", "x"]);
    a.fails(6, &["knowledge", "move", "good", "insights/"]);
    assert!(fs::read_dir(&elsewhere).expect("a folder").next().is_none());
    // Nor is anything kept or deleted through one.
    fs::write(elsewhere.join("key.html"), "not yours").expect("written");
    std::os::unix::fs::symlink(&elsewhere, a.identity().join("knowledge/attachments"))
        .expect("a link");
    a.write("knowledge/trap.md", "---\nattachment: attachments/key.html\n---\n\nText\n");
    let page = world.path("page.html");
    fs::write(&page, "<p>text</p>").expect("written");
    a.fails(6, &["knowledge", "add", page.to_str().expect("a path")]);
    a.try_co(&["knowledge", "delete", "trap"]);
    assert_eq!(fs::read_dir(&elsewhere).expect("a folder").count(), 1);
    let token = format!("the token is ghp_{}", "9xKq2LmV7RtZ4WcY8NbJ3HdF6GsP1Qe05AuT");
    let said = a.try_co(&["knowledge", "write", "keys", &token]);
    assert!(said.code == 6 && !said.err.contains(&token), "{}", said.err);
}

#[test]
fn a_placeholder_is_no_name_and_many_of_one_word_want_a_folder() {
    let world = World::new();
    let a = laptop(&world, "a");
    let bad = [
        "people/person-1",
        "people/contact2",
        "people/someone",
        "people/user-b",
        "projects/project-3",
        "decisions/decision_12",
        "reference/untitled-2",
        "untitled",
    ];
    for topic in bad {
        let said = a.try_co(&["knowledge", "write", topic, "x"]);
        assert_eq!(said.code, 0, "{topic}: {}", said.err);
        assert!(said.err.contains("is a placeholder"), "{topic}: {}", said.err);
    }
    let good = [
        "people/sarah",
        "people/person-of-the-year",
        "people/userland",
        "projects/project-2026",
        "projects/person-1",
        "reference/document-checklist",
        "decisions/decision-log",
    ];
    for topic in good {
        let said = a.try_co(&["knowledge", "write", topic, "x"]);
        assert!(!said.err.contains("placeholder"), "{topic}: {}", said.err);
    }
    let report = a.json(&["check"]);
    assert_eq!(a.try_co(&["check"]).code, 0, "a hint, not an error");
    let findings = report["data"]["findings"].as_array().expect("findings").clone();
    let mut named: Vec<String> = findings
        .iter()
        .filter(|one| one["message"].as_str().is_some_and(|text| text.contains("placeholder")))
        .map(|one| one["path"].as_str().expect("a path").to_owned())
        .collect();
    named.sort();
    let mut expected: Vec<String> =
        bad.iter().map(|topic| format!("knowledge/{topic}.md")).collect();
    expected.sort();
    assert_eq!(named, expected);

    // Ten that begin with one word, in any folder but where they came in.
    for number in 0..12 {
        for topic in ["reference/git", "insights/rust", "notes/tax", "articles/web"] {
            let topic =
                format!("{topic}-{}", ["a", "bc", "def", "gh"][number % 4].repeat(number + 1));
            a.co(&["knowledge", "write", &topic, "x"]);
        }
        a.co(&["knowledge", "write", &format!("meetings/2026-01-{:02}-sync", number + 1), "x"]);
        if number < 9 {
            a.co(&["knowledge", "write", &format!("people/van-{}", "x".repeat(number + 2)), "x"]);
        }
    }
    let tree = a.co(&["knowledge", "tree"]);
    for (folder, word) in [("reference", "git"), ("insights", "rust"), ("notes", "tax")] {
        let hint =
            format!("12 documents in {folder}/ begin with `{word}`; a folder {folder}/{word}/");
        assert!(tree.contains(&hint), "{hint}: {tree}");
    }
    for word in ["`web`", "`van`", "`2026`"] {
        assert!(!tree.contains(word), "{word}: {tree}");
    }
}

#[test]
fn check_suggests_a_folder_for_more_than_ten_documents_with_one_first_word() {
    let world = World::new();
    let a = laptop(&world, "a");
    let put = |folder: &str, word: &str, count: u8| {
        for letter in (b'a'..).take(usize::from(count)) {
            let name = format!("{folder}{word}{}-x", char::from(letter));
            a.write(&format!("knowledge/{name}.md"), "---\ntype: reference\n---\n\nText.\n");
        }
    };
    for (folder, word, count) in [
        ("reference/", "git-", 12),
        ("tools/", "git-thing", 13),
        ("", "rust-", 11),
        ("people/", "guild_", 11),
        ("insights/", "sleep-", 20),
        ("reference/", "tax-", 10),
        ("notes/", "few-", 4),
        ("notes/deep/", "web-", 12),
        ("articles/", "crate-", 12),
        ("notes/", "2026-", 12),
    ] {
        put(folder, word, count);
    }
    let report = a.json(&["check"]);
    assert_eq!(a.try_co(&["check"]).code, 0, "a hint, not an error");
    let findings = report["data"]["findings"].as_array().expect("findings").clone();
    let told: Vec<(String, String)> = findings
        .iter()
        .map(|one| (one["path"].clone(), one["message"].clone()))
        .filter_map(|(path, text)| Some((path.as_str()?.to_owned(), text.as_str()?.to_owned())))
        .filter(|(_, text)| text.contains("would make them easier to find (`co knowledge move`)"))
        .collect();
    for (path, start, folder) in [
        ("knowledge/reference", "12 documents begin with `git`", "a folder reference/git/ "),
        ("knowledge/tools", "13 documents begin with `git`", "a folder tools/git/ "),
        ("knowledge", "11 documents begin with `rust`", "a folder rust/ "),
        ("knowledge/people", "11 documents begin with `guild`", "a folder people/guild/ "),
        ("knowledge/insights", "20 documents begin with `sleep`", "a folder insights/sleep/ "),
    ] {
        let is_told = |(at, text): &(String, String)| {
            at == path && text.starts_with(start) && text.contains(folder)
        };
        assert_eq!(told.iter().filter(|one| is_told(one)).count(), 1, "{path} {start}: {told:?}");
    }
    assert_eq!(told.len(), 5, "{told:?}");
    // It is about the folder, not about one of its files.
    let one = a.try_co(&["check", "knowledge/reference/git-a-x.md"]).out;
    assert!(!one.contains("easier to find"), "{one}");
    let folder = a.try_co(&["check", "knowledge/reference"]).out;
    assert!(folder.contains("easier to find"), "{folder}");
}

#[test]
fn a_selected_personality_that_nobody_describes_is_named() {
    let world = World::new();
    let a = laptop(&world, "a");
    let found = |a: &Laptop| {
        let report = a.json(&["check"]);
        let findings = report["data"]["findings"].as_array().expect("findings").clone();
        let codes = findings.iter().filter(|one| one["code"] == "personality-missing");
        codes.map(|one| one["message"].as_str().expect("a message").to_owned()).collect::<Vec<_>>()
    };
    assert!(found(&a).is_empty());
    for name in ["nosuch", "Finch", "calm_one", "calm-two", "../profile", "two words"] {
        let text = format!(
            "---\nversion: 1\nselected: {name}\nupdated: 2026-01-01T00:00:00Z\n---\n\n# Personality\n"
        );
        a.write("personality.md", &text);
        let said = found(&a);
        assert!(said.len() == 1 && said[0].contains(name), "{name}: {said:?}");
        assert_eq!(a.try_co(&["check"]).code, 0, "a warning");
    }
    a.edit("personality.md", "two words", "finch");
    assert_eq!(found(&a).len(), 1);
    fs::create_dir_all(a.config().join("personality")).expect("a folder");
    fs::write(a.config().join("personality/finch.md"), "Chirps.\n").expect("written");
    assert!(found(&a).is_empty(), "on this laptop");
    fs::remove_dir_all(a.config().join("personality")).expect("removed");
    a.write("personality/finch.md", "Chirps.\n");
    assert!(found(&a).is_empty(), "in the identity");
}

#[test]
fn pictures_and_files_that_are_gone_are_named() {
    let world = World::new();
    let a = laptop(&world, "a");
    a.write("knowledge/trips/plan.jpg", "JFIF");
    let sound =
        "![a](plan.jpg) ![b](./plan.jpg) ![c](../trips/plan.jpg) [d](https://x.org/y.png)\n";
    a.write("knowledge/trips/norway.md", &format!("---\ntitle: Norway\n---\n\n{sound}"));
    let broken = |a: &Laptop| -> Vec<String> {
        let said = a.json(&["check"]);
        let findings = said["data"]["findings"].as_array().expect("findings").clone();
        let broken = findings.iter().filter(|finding| finding["code"] == "link-broken");
        broken.map(|one| one["message"].as_str().expect("a message").to_owned()).collect()
    };
    assert_eq!(broken(&a), Vec::<String>::new());
    for html in [
        "<img src=\"plan.jpg\"> <img src='../trips/plan.jpg'> <img src=plan.jpg>",
        "<img src=\"https://x.org/gone.png\"> <img src=\"data:image/png;base64,AA==\">",
        "<a href=\"#part\">x</a> <a href=\"mailto:a@x.org\">x</a> <a href=\"later\">x</a>",
        "`<img src=\"gone.png\">`",
        "```html\n<img src=\"gone.png\">\n```",
        "    <img src=\"gone.png\">",
        "<!-- <img src=\"gone.png\"> -->",
        "\\<img src=\"gone.png\">",
        "<div data-src=\"gone.png\" title=\"src=gone.png\"></div>",
    ] {
        a.write("knowledge/trips/norway.md", &format!("---\ntitle: Norway\n---\n\n{html}\n"));
        assert_eq!(broken(&a), Vec::<String>::new(), "{html}");
    }
    let gone = [
        ("![x](gone.png)", "knowledge/trips/gone.png"),
        ("[x](gone.pdf)", "knowledge/trips/gone.pdf"),
        ("![x](./gone.svg)", "knowledge/trips/gone.svg"),
        ("![x](../pictures/gone.webp)", "knowledge/pictures/gone.webp"),
        ("![x](<a gone.gif>)", "knowledge/trips/a gone.gif"),
        ("[x][y]\n\n[y]: gone.csv", "knowledge/trips/gone.csv"),
        ("<img src=\"gone.png\">", "knowledge/trips/gone.png"),
        ("A <IMG alt=\"x\" SRC='./gone.png' width=9 /> in a line", "knowledge/trips/gone.png"),
        ("<p>\n  <img\n    src=gone.png>\n</p>", "knowledge/trips/gone.png"),
        ("<video><source src=\"gone.mp4\"></video>", "knowledge/trips/gone.mp4"),
        ("<audio src=\"a gone.ogg\"></audio>", "knowledge/trips/a gone.ogg"),
        ("See <a href=\"../gone.pdf#page=2\">it</a>", "knowledge/gone.pdf"),
        (
            "<video src=\"https://x.org/a.mp4\" poster=\"a%20gone.png\">",
            "knowledge/trips/a gone.png",
        ),
    ];
    for (link, file) in gone {
        let text = format!("---\ntitle: Norway\n---\n\n{sound}\n{link}\n");
        a.write("knowledge/trips/norway.md", &text);
        // The second time from what is known of the files.
        for _ in 0..2 {
            assert_eq!(broken(&a), [format!("links to {file}, which does not exist")], "{link}");
            a.co(&["knowledge", "reindex"]);
        }
    }
}
