//! What stands deep in a long document: several passages of it may answer one question.

use crate::support::{Laptop, World};

/// A document of 40 sections, with these texts in the seventh and in the thirty-third.
fn long(a: &Laptop, topic: &str, texts: [&str; 2]) {
    let section = |number: usize| {
        let text = match number {
            7 => texts[0],
            33 => texts[1],
            _ => "The minutes of that week are kept in the cellar, in a folder of grey paper.",
        };
        format!("## Week {number}\n\n{text}\n\n")
    };
    let whole: String = (1..=40).map(section).collect();
    a.write(&format!("knowledge/{topic}.md"), &format!("# A year\n\n{whole}"));
}

/// The topics of the passages that answer, with their texts.
fn passages(a: &Laptop, question: &str, options: &[&str]) -> Vec<(String, String)> {
    let report = a.json(&[&["recall", question], options].concat());
    let results = report["data"]["results"].as_array().cloned().unwrap_or_default();
    let documents = results.iter().filter(|one| one["kind"] == "document");
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    documents.map(|one| (text(&one["topic"]), text(&one["content"]))).collect()
}

const TEXTS: [(&str, [&str; 2]); 5] = [
    (
        "compost thermometer",
        ["The compost thermometer hangs in the shed.", "Bought a second compost thermometer."],
    ),
    (
        "beehive inspection",
        ["The beehive inspection was on Friday.", "No beehive inspection today."],
    ),
    (
        "choir rehearsal",
        ["The choir rehearsal moved to the gym.", "A choir rehearsal with the new organist."],
    ),
    (
        "ferry timetable",
        ["The ferry timetable changes in May.", "Printed the ferry timetable for Grandma."],
    ),
    ("kiln temperature", ["The kiln temperature was too low.", "Kiln temperature: 1,240 degrees."]),
];

#[test]
fn several_passages_of_one_document_answer() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    for (at, (_, texts)) in TEXTS.into_iter().enumerate() {
        long(&a, &format!("notes/year-{at}"), texts);
    }
    a.co(&["learn", "Plays the cello"]);
    for (at, (question, texts)) in TEXTS.into_iter().enumerate() {
        let found = passages(&a, question, &[]);
        for text in texts {
            let is_it = |(topic, content): &(String, String)| {
                *topic == format!("notes/year-{at}") && content.contains(text)
            };
            assert!(found.iter().any(is_it), "{question}: {text}: {found:?}");
        }
        // No passage stands twice.
        let mut contents: Vec<&String> = found.iter().map(|(_, content)| content).collect();
        contents.sort();
        contents.dedup();
        assert_eq!(contents.len(), found.len(), "{question}: {found:?}");
        assert_eq!(passages(&a, question, &["-n", "1"]).len(), 1, "{question}");
    }
}

#[test]
fn facts_keep_their_places_beside_a_long_document() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let (question, texts) = TEXTS[0];
    long(&a, "notes/year", texts);
    let facts = [
        "The compost thermometer was a present",
        "The compost thermometer goes up to 90 degrees",
        "The compost thermometer is made of steel",
        "The compost thermometer is read on Sundays",
    ];
    for fact in facts {
        a.co(&["learn", fact]);
    }
    let report = a.json(&["recall", question]);
    let results = report["data"]["results"].as_array().expect("a list");
    let count = |kind: &str| results.iter().filter(|one| one["kind"] == kind).count();
    assert_eq!((count("memory"), count("document")), (4, 1), "{report}");
    let alone = passages(&a, question, &["--kind", "document"]);
    for text in texts {
        let first = alone.iter().take(2).any(|(_, content)| content.contains(text));
        assert!(first, "{text}: {alone:?}");
    }
}
