//! Pictures in documents: a text shows the original that co keeps, wherever both go, and says which
//! pictures it has not got.

use crate::support::{Laptop, World, files, ready::laptop};
use std::fs;

/// The smallest file of each format.
const PICTURES: &[(&str, &[u8])] = &[
    ("svg", b"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"/>"),
    ("png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
    ("jpg", b"\xff\xd8\xff\xe0\0\x10JFIF\0"),
    ("gif", b"GIF89a\x01\0\x01\0\0\0"),
    ("webp", b"RIFF\x04\0\0\0WEBPVP8 \0"),
];

/// Writes a file below the home, and gives its path.
fn put(a: &Laptop, path: &str, bytes: &[u8]) -> String {
    let file = a.home.join(path);
    files::put(&file, bytes);
    file.display().to_string()
}

fn add(a: &Laptop, file: &str) -> String {
    let said = a.try_co(&["knowledge", "add", file]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    said.out + &said.err
}

fn add_picture(a: &Laptop, file: &str) {
    a.co(&["knowledge", "add", file, "--caption", "A heron"]);
}

/// The files of broken links, with the message.
fn broken(a: &Laptop) -> Vec<(String, String)> {
    let said = a.json(&["check"]);
    let findings = said["data"]["findings"].as_array().expect("findings").clone();
    let broken = findings.iter().filter(|finding| finding["code"] == "link-broken");
    let text = |value: &serde_json::Value| value.as_str().expect("text").to_owned();
    broken.map(|one| (text(&one["path"]), text(&one["message"]))).collect()
}

#[test]
fn a_text_shows_the_original_and_links_to_the_document() {
    let world = World::new();
    let a = laptop(&world, "a");
    for (ending, bytes) in PICTURES {
        let picture = put(&a, &format!("in/heron-{ending}.{ending}"), bytes);
        add_picture(&a, &picture);
        let name = format!("heron-{ending}");
        let (file, kept) = (format!("{name}.{ending}"), format!("attachments/{name}.{ending}"));
        let ways = [
            (format!("![a]({file})"), format!("![a](../{kept})")),
            (format!("![a](./{file} \"{file}\")"), format!("![a](../{kept} \"{file}\")")),
            (format!("<img src=\"{file}\">"), format!("<img src=\"../{kept}\">")),
            (
                format!("<video poster='{file}'></video>"),
                format!("<video poster='../{kept}'></video>"),
            ),
            (format!("![a][p]\n\n[p]: {file}"), format!("![a][p]\n\n[p]: ../{kept}")),
            (format!("[t]({file})"), format!("[t]({name}.md)")),
            (format!("<a href=\"{file}\">t</a>"), format!("<a href=\"{name}.md\">t</a>")),
            (format!("[t][p]\n\n[p]: {file}"), format!("[t][p]\n\n[p]: {name}.md")),
            (format!("[![a]({file})]({file})"), format!("[![a](../{kept})]({name}.md)")),
            (format!("`![a]({file})`"), format!("`![a]({file})`")),
        ];
        for (at, (written, stored)) in ways.iter().enumerate() {
            let text = format!("# Text {ending} {at}\n\n{written}\n");
            let said = add(&a, &put(&a, &format!("in/text-{ending}-{at}.md"), text.as_bytes()));
            assert!(!said.contains("not added"), "{written}: {said}");
            let topic = format!("knowledge/articles/text-{ending}-{at}.md");
            assert!(a.read(&topic).ends_with(&format!("{stored}\n")), "{}", a.read(&topic));
        }
    }
    assert!(broken(&a).is_empty(), "{:?}", broken(&a));
}

#[test]
fn a_picture_stays_in_sight_when_documents_move() {
    let world = World::new();
    let a = laptop(&world, "a");
    for (ending, bytes) in PICTURES {
        let (name, file) = (format!("plan-{ending}"), format!("plan-{ending}.{ending}"));
        add_picture(&a, &put(&a, &format!("in/{file}"), bytes));
        let text = format!("# Text\n\n<img src=\"{file}\"> ![a]({file}) [t]({file})\n");
        let text = put(&a, &format!("in/text-{ending}.md"), text.as_bytes());
        a.co(&["knowledge", "add", &text, "--topic", &format!("articles/text-{ending}")]);
        let pictures = format!("pics/{name}");
        a.co(&["knowledge", "move", &format!("articles/{name}"), &pictures]);
        let kept = format!("attachments/{file}");
        let stored = format!("<img src=\"../{kept}\"> ![a](../{kept}) [t](../pics/{name}.md)\n");
        let at = |topic: &str| a.read(&format!("knowledge/{topic}.md"));
        let topic = format!("articles/text-{ending}");
        assert!(at(&topic).ends_with(&stored), "{}", at(&topic));
        let deep = format!("notes/deep/text-{ending}");
        a.co(&["knowledge", "move", &topic, &deep]);
        let stored =
            format!("<img src=\"../../{kept}\"> ![a](../../{kept}) [t](../../pics/{name}.md)\n");
        assert!(at(&deep).ends_with(&stored), "{}", at(&deep));
        assert!(broken(&a).is_empty(), "{:?}", broken(&a));
        // The original stays as long as a document shows it.
        a.co(&["knowledge", "delete", &pictures]);
        assert_eq!(fs::read(a.identity().join("knowledge").join(&kept)).expect("kept"), *bytes);
    }
}

#[test]
fn a_picture_that_is_added_later_is_shown_when_the_text_is_added_again() {
    let world = World::new();
    let a = laptop(&world, "a");
    for (ending, bytes) in PICTURES {
        let file = format!("late-{ending}.{ending}");
        let text = format!("# Text {ending}\n\n![a]({file}) <img src=\"{file}\"> [t]({file})\n");
        let text = put(&a, &format!("in/text-{ending}.md"), text.as_bytes());
        let said = add(&a, &text);
        let topic = format!("articles/text-{ending}");
        let named = format!("{topic} shows 1 picture that was not added: {file}");
        assert!(said.contains(&named), "{said}");
        assert!(add(&a, &text).contains("is unchanged"));
        add_picture(&a, &put(&a, &format!("in/{file}"), bytes));
        let said = add(&a, &text);
        assert!(said.contains("Updated") && !said.contains("not added"), "{said}");
        let stored = a.read(&format!("knowledge/{topic}.md"));
        let shown = stored.matches(&format!("../attachments/{file}")).count();
        assert_eq!(shown, 2, "{stored}");
        assert!(stored.contains(&format!("[t](late-{ending}.md)")), "{stored}");
        assert!(add(&a, &text).contains("is unchanged"));
        // Text that a person edits is left alone.
        a.edit(&format!("knowledge/{topic}.md"), "# Text", "# My text");
        assert!(add(&a, &text).contains("is unchanged"));
    }
}

#[test]
fn a_kept_picture_that_is_gone_is_reported_in_added_documents_too() {
    let world = World::new();
    let a = laptop(&world, "a");
    for (ending, bytes) in PICTURES {
        let file = format!("owl-{ending}.{ending}");
        add_picture(&a, &put(&a, &format!("in/{file}"), bytes));
        for (at, shown) in [
            format!("![a]({file})"),
            format!("Text and <img alt=a src='{file}'>"),
            format!("![a][p]\n\n[p]: {file}"),
            format!("<p>\n<img src={file}>\n</p>"),
            format!("[![a]({file})](https://example.org)"),
        ]
        .iter()
        .enumerate()
        {
            // Links and pictures of the author are the author's.
            let text = format!(
                "# N{at}\n\n[x](gone.md) ![p](gone.png) <img src=\"gone.svg\">\n\n{shown}\n"
            );
            add(&a, &put(&a, &format!("in/n{at}-{ending}.md"), text.as_bytes()));
        }
        // The second time from what is known of the files.
        for _ in 0..2 {
            assert!(broken(&a).is_empty(), "{:?}", broken(&a));
            a.co(&["knowledge", "reindex"]);
        }
        let kept = format!("knowledge/attachments/{file}");
        fs::remove_file(a.identity().join(&kept)).expect("removed");
        for _ in 0..2 {
            let found = broken(&a);
            assert_eq!(found.len(), 5, "{found:?}");
            for (path, message) in found {
                assert!(path.starts_with("knowledge/articles/n"), "{path}");
                assert_eq!(message, format!("links to {kept}, which does not exist"));
            }
            a.co(&["knowledge", "reindex"]);
        }
        fs::write(a.identity().join(&kept), bytes).expect("written");
    }
    let help = a.co(&["help", "findings"]);
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("in an added document the paths of its author's files"), "{help}");
}

#[test]
fn the_report_of_a_folder_names_the_pictures_that_are_not_shown() {
    let world = World::new();
    let a = laptop(&world, "a");
    let (_, svg) = PICTURES[0];
    add_picture(&a, &put(&a, "v/there.svg", svg));
    put(&a, "v/pics/c.svg", svg);
    put(&a, "v/b.svg", svg);
    let texts = [
        (
            "two",
            "<img src=\"pics/c.svg\"> ![b](b.svg) ![b](b.svg)",
            "2 pictures that were not added: pics/c.svg, b.svg",
        ),
        ("one", "![[b.svg|200]]", "1 picture that was not added: b.svg"),
        (
            "definition",
            "![b][p]\n\n[p]: pics/c.SVG?raw=1",
            "1 picture that was not added: pics/c.SVG?raw=1",
        ),
        ("gone", "![b](nowhere.jpeg)", "1 picture that was not added: nowhere.jpeg"),
        (
            "many",
            "![](1.png) ![](2.png) ![](3.png) ![](4.png) ![](5.png) ![](6.png)",
            "6 pictures that were not added: 1.png, 2.png, 3.png, 4.png, 5.png and 1 more",
        ),
        ("shown", "![b](there.svg) <img src='there.svg'>", ""),
        ("web", "![b](https://example.org/b.png) <img src=\"//example.org/b.png\">", ""),
        ("site", "![b](/b.png) <img src=\"data:image/png;base64,AA==\">", ""),
        ("link", "[b](b.svg) [[b.svg]] <a href=\"b.svg\">b</a>", ""),
        ("code", "`![b](b.svg)`\n\n```\n<img src=\"b.svg\">\n```", ""),
        ("note", "![[one]] ![x](two.md)", ""),
    ];
    for (name, text, _) in texts {
        put(&a, &format!("v/{name}.md"), format!("# {name}\n\n{text}\n").as_bytes());
    }
    let folder = a.home.join("v").display().to_string();
    let said = a.try_co(&["knowledge", "add", &folder]);
    assert_eq!(said.code, 0, "{}", said.err);
    for (name, _, named) in texts {
        let start = format!("articles/v/{name} shows ");
        let lines: Vec<&str> = said.err.lines().filter(|line| line.contains(&start)).collect();
        if named.is_empty() {
            assert_eq!(lines, Vec::<&str>::new(), "{name}");
        } else {
            assert!(lines.len() == 1 && lines[0].ends_with(named), "{name}: {}", said.err);
        }
    }
    // What did not change is not said again.
    let said = a.try_co(&["knowledge", "add", &folder]);
    assert!(!said.err.contains("not added"), "{}", said.err);
}

/// However many there are, the report stays short, and says how many.
#[test]
fn the_report_names_the_first_of_very_many_pictures_and_counts_the_others() {
    let world = World::new();
    let a = laptop(&world, "a");
    for (count, named, others) in [
        (99, 99, None),
        (100, 100, None),
        (101, 100, Some(1)),
        (250, 100, Some(150)),
        (30_000, 100, Some(29_900)),
    ] {
        // Each is shown twice.
        let pictures: String = (0..count).map(|at| format!("![]({at}.png)\n")).collect();
        let text = format!("# N{count}\n\n{pictures}\n{pictures}");
        put(&a, &format!("in{count}/n.md"), text.as_bytes());
        let folder = a.home.join(format!("in{count}")).display().to_string();
        let said = a.json(&["knowledge", "add", &folder]);
        let added = &said["data"]["documents"][0];
        let names = added["not_shown"].as_array().expect("names");
        assert_eq!(names.len(), named, "{count}");
        assert_eq!(names[named - 1], format!("{}.png", named - 1));
        assert_eq!(added.get("more_not_shown").and_then(|more| more.as_u64()), others, "{count}");
        let counted = format!("shows {count} pictures that were not added: 0.png, 1.png, ");
        let rest = format!(" and {} more", count - 5);
        let warned = said.to_string();
        assert!(warned.contains(&counted) && warned.contains(&rest), "{count}");
    }
}
