//! A document is moved, also on one laptop while the other edits, moves or deletes it, or what
//! links to it: links follow, and it stays one document, with the edits of both sides.

use crate::support::{
    Laptop, World,
    pair::{assert_agree, pair, sync},
    ready::laptop,
    whole::whole,
};
use std::fs;

#[test]
fn documents_move_and_links_follow() {
    let world = World::new();
    let a = laptop(&world, "a");
    let write = |topic: &str, text: &str| a.co(&["knowledge", "write", topic, text]);
    write("sarah", "# Sarah\n\nSarah works at Acme. See [steps](deploy_steps.md).");
    write("deploy_steps", "# Deployment checklist\n\nAsk [Sarah](sarah.md#work) or [[sarah|her]].");
    write("thing", "Something about nothing.");
    a.edit("knowledge/sarah.md", "type: person", "type: person\nmood: good # a comment");
    a.edit("knowledge/context.md", "# ", "See [[sarah]].\n\n# ");
    let before = a.tree();
    insta::assert_snapshot!(whole(&a.co(&["knowledge", "migrate", "--dry-run"])), @"
    [indented]
      deploy_steps → reference/deploy-steps  its type is reference
      sarah        → people/sarah  its type is person
      thing  stays: unclear where it belongs
    ");
    assert_eq!(a.tree(), before);
    a.fails(3, &["knowledge", "migrate"]);
    insta::assert_snapshot!(whole(&a.co(&["knowledge", "migrate", "--yes"])), @"
      deploy_steps → reference/deploy-steps  its type is reference
      sarah        → people/sarah  its type is person
      thing  stays: unclear where it belongs
    ✓ Moved 2 documents, links updated in 1 file. Undo: `co undo`.
    ");
    let sarah = a.read("knowledge/people/sarah.md");
    assert!(sarah.contains("[steps](../reference/deploy-steps.md)"), "{sarah}");
    assert!(sarah.contains("mood: good # a comment"), "other keys stay: {sarah}");
    let steps = a.read("knowledge/reference/deploy-steps.md");
    assert!(steps.contains("[Sarah](../people/sarah.md#work) or [[people/sarah|her]]"), "{steps}");
    assert!(a.read("knowledge/context.md").contains("[[people/sarah]]"));
    a.co(&["undo"]);
    assert_eq!(a.tree(), before);
    a.co(&["redo"]);
    // One document, and a folder of them.
    a.co(&["knowledge", "move", "people/sarah", "people/dr-sarah"]);
    assert!(a.read("knowledge/reference/deploy-steps.md").contains("[[people/dr-sarah|her]]"));
    a.co(&["knowledge", "move", "thing", "insights/"]);
    a.co(&["knowledge", "move", "reference", "guides", "--yes"]);
    a.read("knowledge/insights/thing.md");
    a.read("knowledge/guides/deploy-steps.md");
    let said = a.fails(6, &["knowledge", "move", "insights/thing", "guides/deploy-steps"]);
    insta::assert_snapshot!(whole(&said), @"
    error: a document guides/deploy-steps already exists; nothing was moved
    hint: choose another topic, or delete that document first
    ");
    a.fails(5, &["knowledge", "move", "nothing", "x"]);
    a.co(&["check"]);
}

#[test]
fn one_move_on_both_laptops_keeps_the_edit_of_one() {
    let world = World::new();
    let a = laptop(&world, "a");
    let remote = world.remote();
    for name in ["first", "second"] {
        a.write(&format!("knowledge/{name}.md"), "# Steps\n\nOne line.\n\nAnother line.\n");
    }
    a.co(&["identity", "remote", &remote]);
    a.co(&["sync"]);
    let b = world.laptop("b");
    b.co(&["init", &remote, "--yes"]);
    a.edit("knowledge/first.md", "One line.", "One line, edited on a.");
    b.edit("knowledge/second.md", "Another line.", "Another line, edited on b.");
    for laptop in [&a, &b] {
        for name in ["first", "second"] {
            laptop.co(&["knowledge", "move", name, &format!("guides/{name}")]);
        }
        laptop.co(&["sync"]);
    }
    a.co(&["sync"]);
    for laptop in [&a, &b] {
        assert!(laptop.read("knowledge/guides/first.md").contains("edited on a"));
        assert!(laptop.read("knowledge/guides/second.md").contains("edited on b"));
    }
}

#[test]
fn links_in_html_follow_a_document_that_moves() {
    let world = World::new();
    let a = laptop(&world, "a");
    a.write("knowledge/trips/plan.jpg", "JFIF");
    let html = "<img src=\"plan.jpg\" alt=\"The plan\">\n\n<p><a href='../people/sarah.md'>Sarah</a> \
        <video src=\"https://x.org/a.mp4\"></video></p>\n\n`<img src=\"plan.jpg\">`\n";
    a.write("knowledge/trips/norway.md", &format!("---\ntitle: Norway\n---\n\n{html}"));
    a.write("knowledge/people/sarah.md", "---\ntitle: Sarah\n---\n\nTech lead.\n");
    a.co(&["knowledge", "move", "trips/norway", "trips/2026/norway"]);
    a.co(&["knowledge", "move", "people/sarah", "people/team/sarah"]);
    let text = a.read("knowledge/trips/2026/norway.md");
    for part in [
        "<img src=\"../plan.jpg\" alt=\"The plan\">",
        "<a href='../../people/team/sarah.md'>Sarah</a>",
        "<video src=\"https://x.org/a.mp4\">",
        "`<img src=\"plan.jpg\">`",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let findings = a.json(&["check"])["data"]["findings"].to_string();
    assert!(!findings.contains("link-broken"), "{findings}");
}

const STEPS: &str = "# Steps\n\nPack the tent.\n\nBring water.\n\nLeave at six.\n\nCall home.\n";

/// The documents that contain a text.
fn with(laptop: &Laptop, text: &str) -> Vec<String> {
    let files = laptop.tree().into_iter().filter(|(path, bytes)| {
        path.starts_with("knowledge/")
            && !path.starts_with("knowledge/memories/")
            && String::from_utf8_lossy(bytes).contains(text)
    });
    files.map(|(path, _)| path).collect()
}

fn by_hand(laptop: &Laptop, from: &str, to: &str) {
    let to = laptop.identity().join(to);
    fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
    fs::rename(laptop.identity().join(from), to).expect("moved");
}

fn move_to(laptop: &Laptop, from: &str, to: &str) {
    laptop.co(&["knowledge", "move", from, to, "--yes"]);
}

#[test]
fn documents_that_link_to_each_other_stay_two() {
    for style in
        ["[x](NAME.md)", "[[NAME]]", "[[NAME|her]] and [y](NAME.md#work)", "[r]\n\n[r]: NAME.md"]
    {
        for labels in ["", "---\ntitle: T\nupdated: 2026-01-02T10:00:00Z\n---\n\n"] {
            let world = World::new();
            let (a, b) = pair(&world);
            let text = |own: &str, other: &str| {
                format!("{labels}# {own}\n\nSee {}\n", style.replace("NAME", other))
            };
            a.write("knowledge/sarah.md", &text("Sarah", "plan"));
            a.write("knowledge/plan.md", &text("Plan", "sarah"));
            a.write("knowledge/index.md", "- [s](sarah.md)\n- [p](plan.md)\n");
            sync(&[&a, &b]);
            move_to(&a, "sarah", "people/sarah");
            move_to(&b, "plan", "projects/plan");
            sync(&[&a, &b, &a]);
            assert_agree(&[&a, &b]);
            assert_eq!(with(&a, "# Sarah"), ["knowledge/people/sarah.md"], "{style}");
            assert_eq!(with(&a, "# Plan"), ["knowledge/projects/plan.md"], "{style}");
            let index = "- [s](people/sarah.md)\n- [p](projects/plan.md)\n";
            assert_eq!(a.read("knowledge/index.md"), index);
            let findings = a.try_co(&["check"]).out;
            assert!(!findings.contains("no such document"), "{style}: {findings}");
            if style == "[x](NAME.md)" {
                assert!(a.read("knowledge/people/sarah.md").contains("[x](../projects/plan.md)"));
                assert!(a.read("knowledge/projects/plan.md").contains("[x](../people/sarah.md)"));
            }
        }
    }
}

#[test]
fn a_document_moved_here_and_edited_there_is_one_at_the_new_place() {
    type Move<'a> = (&'a str, &'a str, &'a dyn Fn(&Laptop));
    let moves: &[Move<'_>] = &[
        ("knowledge/steps.md", "knowledge/guides/steps.md", &|it| {
            move_to(it, "steps", "guides/steps");
        }),
        ("knowledge/steps.md", "knowledge/trip.md", &|it| move_to(it, "steps", "trip")),
        ("knowledge/hike/steps.md", "knowledge/trips/2026/steps.md", &|it| {
            move_to(it, "hike", "trips/2026");
        }),
        ("knowledge/steps.md", "knowledge/by/hand.md", &|it| {
            by_hand(it, "knowledge/steps.md", "knowledge/by/hand.md");
        }),
        ("knowledge/articles/steps.md", "knowledge/reference/steps.md", &|it| {
            move_to(it, "articles/steps", "reference/steps");
            it.edit("knowledge/reference/steps.md", "Call home.", "Call home twice.");
        }),
    ];
    for (from, to, moves) in moves {
        for labels in ["", "---\ntitle: Steps\nstatus: active\n---\n\n"] {
            for mover_is_first in [true, false] {
                let world = World::new();
                let (a, b) = pair(&world);
                a.write(from, &format!("{labels}{STEPS}"));
                a.write("knowledge/other.md", "# Other\n\nNothing of this.\n");
                sync(&[&a, &b]);
                moves(&a);
                b.edit(from, "Bring water.", "Bring a lot of water.");
                if !labels.is_empty() {
                    b.edit(from, "title: Steps", "title: The steps");
                }
                let (first, second) = if mover_is_first { (&a, &b) } else { (&b, &a) };
                sync(&[first, second, first]);
                assert_agree(&[&a, &b]);
                assert_eq!(with(&a, "Pack the tent."), [*to], "{from}");
                let text = a.read(to);
                assert!(text.contains("Bring a lot of water."), "{from} {to}: {text}");
                assert_eq!(text.contains("title: The steps"), !labels.is_empty(), "{text}");
                assert_eq!(text.contains("Call home twice."), from.contains("articles"), "{text}");
            }
        }
    }
}

#[test]
fn links_to_what_moved_follow_in_what_the_other_laptop_wrote() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.write("knowledge/steps.md", STEPS);
    a.write("knowledge/index.md", "# Index\n\n- [steps](steps.md)\n\nThe end.\n");
    sync(&[&a, &b]);
    move_to(&a, "steps", "guides/steps");
    b.edit("knowledge/index.md", "The end.", "The end, and [[steps]] again.");
    b.write("knowledge/people/ann.md", "Ann wrote [them](../steps.md).\n");
    sync(&[&a, &b, &a]);
    assert_agree(&[&a, &b]);
    let index = a.read("knowledge/index.md");
    assert!(index.contains("- [steps](guides/steps.md)"), "{index}");
    assert!(index.contains("The end, and [["), "{index}");
    assert_eq!(a.read("knowledge/people/ann.md"), "Ann wrote [them](../guides/steps.md).\n");
    assert!(!a.try_co(&["check"]).out.contains("no such document"));
}

#[test]
fn a_document_moved_to_two_places_is_in_one() {
    for (place_a, place_b) in [("guides/steps", "trips/steps"), ("trips/a", "guides/b")] {
        for a_is_first in [true, false] {
            let world = World::new();
            let (a, b) = pair(&world);
            a.write("knowledge/steps.md", STEPS);
            sync(&[&a, &b]);
            move_to(&a, "steps", place_a);
            move_to(&b, "steps", place_b);
            a.edit(&format!("knowledge/{place_a}.md"), "Leave at six.", "Leave at five.");
            b.edit(&format!("knowledge/{place_b}.md"), "Pack the tent.", "Pack the big tent.");
            let (first, second) = if a_is_first { (&a, &b) } else { (&b, &a) };
            sync(&[first, second, first]);
            assert_agree(&[&a, &b]);
            let places = with(&a, "Bring water.");
            assert_eq!(places.len(), 1, "{places:?}");
            let text = a.read(&places[0]);
            assert!(text.contains("Leave at five.") && text.contains("big tent"), "{text}");
        }
    }
}

#[test]
fn a_document_moved_here_and_deleted_there_stays_where_it_was_moved() {
    for a_is_first in [true, false] {
        let world = World::new();
        let (a, b) = pair(&world);
        a.write("knowledge/steps.md", STEPS);
        a.write("knowledge/index.md", "- [steps](steps.md)\n");
        sync(&[&a, &b]);
        move_to(&a, "steps", "guides/steps");
        b.co(&["knowledge", "delete", "steps"]);
        let (first, second) = if a_is_first { (&a, &b) } else { (&b, &a) };
        let said = sync(&[first, second, first]);
        assert_agree(&[&a, &b]);
        let told = if a_is_first { "deleted here" } else { "deleted there" };
        assert!(said.contains(&format!("{told:<16}~ guides/steps")), "{said}");
        for laptop in [&a, &b] {
            let look = laptop.json(&["status"])["data"]["git"]["look"].clone();
            assert_eq!(look[0], "knowledge/guides/steps.md (deleted and moved)", "{look}");
        }
        assert_eq!(with(&a, "Pack the tent."), ["knowledge/guides/steps.md"]);
        assert_eq!(a.read("knowledge/index.md"), "- [steps](guides/steps.md)\n");
    }
}

#[test]
fn documents_that_exchange_their_places_take_the_edits_along() {
    for a_is_first in [true, false] {
        let world = World::new();
        let (a, b) = pair(&world);
        let list = "# List\n\nMilk.\n\nBread.\n\nTwo lemons.\n";
        a.write("knowledge/first.md", STEPS);
        a.write("knowledge/second.md", list);
        sync(&[&a, &b]);
        a.write("knowledge/second.md", STEPS);
        a.write("knowledge/first.md", list);
        b.edit("knowledge/first.md", "Bring water.", "Bring a lot of water.");
        b.edit("knowledge/second.md", "Bread.", "Bread, and butter.");
        let (first, second) = if a_is_first { (&a, &b) } else { (&b, &a) };
        sync(&[first, second, first]);
        assert_agree(&[&a, &b]);
        let (first, second) = (a.read("knowledge/first.md"), a.read("knowledge/second.md"));
        assert_eq!(second, STEPS.replace("Bring water.", "Bring a lot of water."));
        assert_eq!(first, list.replace("Bread.", "Bread, and butter."));
    }
}

#[test]
fn what_the_other_laptop_wrote_at_the_new_place_stays_beside() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.write("knowledge/steps.md", STEPS);
    sync(&[&a, &b]);
    move_to(&a, "steps", "guides/hike");
    b.write("knowledge/guides/hike.md", "# Hiking boots\n\nWear them in.\n");
    b.edit("knowledge/steps.md", "Bring water.", "Bring a lot of water.");
    sync(&[&a]);
    let said = sync(&[&b]);
    sync(&[&a]);
    assert_agree(&[&a, &b]);
    assert_eq!(with(&a, "a lot of water"), ["knowledge/guides/hike.md"]);
    let boots = with(&a, "Wear them in.");
    assert_eq!(boots.len(), 1);
    let now = boots[0].trim_start_matches("knowledge/");
    assert!(said.contains(&format!("guides/hike.md → {now}  (another document")), "{said}");
    assert!(!said.contains(&format!("added here      + {now}")), "{said}");
    assert!(boots[0].starts_with("knowledge/guides/hike-"), "{boots:?}");
}

/// A copy that stays beside its original, and another text at the old place, are no moves.
#[test]
fn a_copy_takes_no_edit_away() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.write("knowledge/steps.md", STEPS);
    sync(&[&a, &b]);
    a.write("knowledge/archive/steps.md", STEPS);
    b.edit("knowledge/steps.md", "Bring water.", "Bring a lot of water.");
    sync(&[&a, &b, &a]);
    assert_agree(&[&a, &b]);
    assert!(a.read("knowledge/steps.md").contains("a lot of water"));
    assert_eq!(a.read("knowledge/archive/steps.md"), STEPS);
}

/// The lines that lost in a document that moved come back by an undo of the merge.
#[test]
fn an_undo_brings_back_the_lines_that_lost_at_the_new_place() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.write("knowledge/steps.md", STEPS);
    sync(&[&a, &b]);
    b.edit("knowledge/steps.md", "Bring water.", "zz Bring tea.");
    let at = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    let file = fs::File::options().write(true).open(b.identity().join("knowledge/steps.md"));
    file.expect("opened").set_modified(at).expect("a time");
    move_to(&a, "steps", "guides/steps");
    a.edit("knowledge/guides/steps.md", "Bring water.", "aa Bring juice.");
    let said = sync(&[&a, &b]);
    assert!(said.contains("there, newer; yours is in commit"), "{said}");
    assert_eq!(with(&b, "juice"), ["knowledge/guides/steps.md"]);
    assert!(with(&b, "Bring tea.").is_empty());
    b.co(&["undo", "--yes"]);
    assert_eq!(with(&b, "zz Bring tea."), ["knowledge/guides/steps.md"], "{}", b.texts());
}

/// A move that is taken back or done again does not put an older text beside a newer one.
#[test]
fn a_document_that_was_edited_since_its_move_is_not_doubled() {
    let edits: [fn(&str) -> String; 5] = [
        |text| format!("{text}One line more.\n"),
        |text| text.replace("Bring water.", "Bring tea."),
        |text| text.replace("Leave at six.\n\n", ""),
        |text| format!("---\ntitle: The steps\n---\n\n{text}"),
        |text| text.replace("# Steps", "# All steps"),
    ];
    for edit in edits {
        for way in ["undo", "redo"] {
            for linked in ["", "\nSee [more](more.md).\n"] {
                let world = World::new();
                let a = world.laptop("a");
                a.co(&["init", "--yes"]);
                a.write("knowledge/more.md", "# More\n\nOther words.\n");
                a.write("knowledge/steps.md", &format!("{STEPS}{linked}"));
                a.co(&["sync"]);
                move_to(&a, "steps", "guides/steps");
                let mut place = "knowledge/guides/steps.md";
                if way == "redo" {
                    a.co(&["undo", "--yes"]);
                    place = "knowledge/steps.md";
                }
                a.write(place, &edit(&a.read(place)));
                let before = a.tree();
                let said = a.fails(6, &[way, "--yes"]);
                assert!(said.contains("steps.md"), "{said}");
                assert_eq!(a.tree(), before, "{way}");
                assert_eq!(with(&a, "Pack the tent."), [place], "{way}");
            }
        }
    }
    // Untouched, it goes back and forth.
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.write("knowledge/steps.md", STEPS);
    move_to(&a, "steps", "guides/steps");
    a.co(&["undo", "--yes"]);
    assert_eq!(with(&a, "Pack the tent."), ["knowledge/steps.md"]);
    a.co(&["redo", "--yes"]);
    assert_eq!(with(&a, "Pack the tent."), ["knowledge/guides/steps.md"]);
}

#[test]
fn a_document_that_moved_and_changed_is_shown_as_moved() {
    let was = "knowledge/guides/hike.md";
    for (to, from, into, counts) in [
        ("trips/walk.md", "Leave at six.", "Leave at five.", "+1 −1"),
        ("guides/tour.md", "Call home.\n", "Call home.\n\nEat.\n", "+1 −0"),
        ("hike.md", "Bring water.\n\n", "", "+0 −1"),
        ("archive/2026/old-hike.md", "Pack the tent.", "Pack the tent and a stove.", "+1 −1"),
        ("trips/summit.md", "# Steps", "# Summit", "+1 −1"),
    ] {
        let world = World::new();
        let (a, b) = pair(&world);
        a.write(was, STEPS);
        a.write("knowledge/other.md", "# Other\n\nSomething else.\n");
        sync(&[&a, &b]);
        let now = format!("knowledge/{to}");
        by_hand(&a, was, &now);
        a.edit(&now, from, into);
        let shown = a.co(&["diff"]);
        let head = format!("identity/{was} → {now}  moved and changed\n");
        assert!(shown.contains(&head), "{to}: {shown}");
        let is_told = |word: &str| shown.lines().any(|line| line.ends_with(word));
        assert!(!is_told("  new") && !is_told("  removed"), "{to}: {shown}");
        // What stayed is no change.
        assert!(!shown.contains("{+") || !shown.contains("[-Call home.-]"), "{to}: {shown}");
        let stat = a.co(&["diff", "--stat"]);
        assert!(stat.contains(&format!(" {was} → {now}  +")), "{to}: {stat}");
        assert!(stat.contains(" 1 file changed"), "{to}: {stat}");
        let documents = a.json(&["diff"])["data"]["documents"].clone();
        assert_eq!(documents.as_array().map(Vec::len), Some(1), "{to}: {documents}");
        assert_eq!(documents[0]["change"], "moved", "{to}: {documents}");
        assert_eq!(documents[0]["was"], was, "{to}: {documents}");
        let row = format!("guides/hike.md → {to}  ({counts} lines)");
        for (laptop, label) in [(&a, "moved here"), (&b, "moved there")] {
            let said = laptop.co(&["sync"]);
            assert!(said.contains(label) && said.contains(&row), "{to}: {said}");
            assert!(!said.contains("added") && !said.contains("deleted"), "{to}: {said}");
        }
        let undo = a.co(&["undo", "--dry-run"]);
        assert!(undo.contains(&format!("{to} → guides/hike.md")), "{to}: {undo}");
    }
}

#[test]
fn another_document_at_another_place_is_a_new_one() {
    let was = "knowledge/guides/hike.md";
    for (to, text) in [
        ("trips/walk.md", "# Walk\n\nTake a map.\n\nMind the dog.\n"),
        ("trips/hike.md", "# Hike\n\nTake a map.\n\nMind the dog.\n"),
        ("guides/steps.md", "# Steps\n\nPack the tent.\n\nTake a map.\n\nMind the dog.\n"),
        ("empty.md", ""),
        ("guides/tour.md", "# Tour\n\nCall home.\n"),
    ] {
        let world = World::new();
        let (a, _b) = pair(&world);
        a.write(was, STEPS);
        sync(&[&a]);
        fs::remove_file(a.identity().join(was)).expect("removed");
        a.write(&format!("knowledge/{to}"), text);
        let shown = a.co(&["diff"]);
        assert!(shown.contains(&format!("identity/{was}  removed\n")), "{to}: {shown}");
        assert!(shown.contains(&format!("identity/knowledge/{to}  new\n")), "{to}: {shown}");
        // A move without a change has no lines to show.
        fs::remove_file(a.identity().join(format!("knowledge/{to}"))).expect("removed");
        a.write("knowledge/moved.md", STEPS);
        let shown = a.co(&["diff"]);
        let head = format!("identity/{was} → knowledge/moved.md  moved\n");
        assert!(shown.contains(&head) && !shown.contains("tent"), "{shown}");
    }
}
