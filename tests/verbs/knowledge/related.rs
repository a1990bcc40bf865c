//! What is connected with a person, a project or a document: all of it, whoever wrote it.

use crate::support::{Laptop, World, client::Client, ready::laptop, terminal};
use serde_json::{Value, json};

/// A document as a person writes it with an editor.
fn by_hand(a: &Laptop, topic: &str, text: &str) {
    a.write(&format!("knowledge/{topic}.md"), &format!("{text}\n"));
}

fn related(a: &Laptop, words: &[&str]) -> Value {
    let report = a.json(&[&["knowledge", "related"], words].concat());
    assert_eq!(report["ok"], true, "{words:?}: {report}");
    report["data"].clone()
}

/// The topics, of one relation or of all.
fn topics(report: &Value, relation: Option<&str>) -> Vec<String> {
    let documents = report["documents"].as_array().expect("a list").iter();
    let wanted = documents.filter(|one| relation.is_none_or(|how| one["relation"] == how));
    wanted.map(|one| one["topic"].as_str().expect("a topic").to_owned()).collect()
}

fn facts(report: &Value) -> Vec<String> {
    let facts = report["facts"].as_array().expect("a list").iter();
    facts.map(|one| one["summary"].as_str().expect("a summary").to_owned()).collect()
}

/// 25 stand-ups that name Sarah, each in one of eight ways, beside ten that do not.
fn with_stand_ups(a: &Laptop) -> Vec<String> {
    by_hand(a, "people/sarah", "---\naliases: [Sarah Chen, 陳莎拉]\n---\n\n# Sarah\n\nTech lead.");
    let texts = [
        "See [[people/sarah]].",
        "---\ntags: [sarah]\n---\n\nNothing new.",
        "Everybody agreed with Sarah's plan.",
        "Talked to [her](../people/sarah.md#work).",
        "---\nentities: [Sarah Chen]\n---\n\nQuiet.",
        "Done: review (SARAH).",
        "Asked [[Sarah Chen|her]] again.",
        "今天陳莎拉請假。",
    ];
    let mut named = Vec::new();
    for day in 1..=25 {
        let topic = format!("meetings/2026-01-{day:02}-standup");
        let text = texts[day % texts.len()];
        if day % 2 == 0 {
            by_hand(a, &topic, text);
        } else {
            assert_eq!(a.piped(text, &["knowledge", "write", &topic, "-"]).code, 0);
        }
        named.push(topic);
    }
    for day in 1..=10 {
        by_hand(a, &format!("meetings/2026-02-{day:02}-standup"), "Sarahs of this world, unite.");
    }
    named
}

#[test]
fn what_a_person_is_involved_in_is_listed_whole() {
    let world = World::new();
    let a = laptop(&world, "a");
    let named = with_stand_ups(&a);
    let spoken = ["Sarah owns the deploy", "The tea is from sarah chen", "Ask [[people/sarah]]"];
    for fact in spoken {
        a.co(&["learn", fact]);
    }
    a.co(&["learn", "Reviews take a day", "--tag", "sarah"]);
    a.co(&["learn", "The sarahs are many"]);
    for asked in ["people/sarah", "knowledge/people/sarah.md", "sarah", "Sarah", "Sarah Chen"] {
        let report = related(&a, &[asked]);
        let mut found = topics(&report, None);
        found.sort();
        assert_eq!(found, named, "{asked}");
        assert_eq!(facts(&report).len(), spoken.len() + 1, "{asked}: {report}");
        assert_eq!((&report["about"], &report["count"]), (&json!("people/sarah"), &json!(29)));
    }
    // A part of it says how much there is.
    let some = related(&a, &["people/sarah", "-n", "10"]);
    assert_eq!((topics(&some, None).len(), facts(&some).len()), (10, 0));
    assert_eq!((&some["count"], &some["left_out"]), (&json!(29), &json!(19)));
    assert!(a.co(&["knowledge", "related", "sarah", "-n", "27"]).contains("(2 more)"));
    let screen = terminal::screen(&a, 80, &["knowledge", "related", "sarah", "-n", "3"], &[]);
    assert!(screen.contains("links to it") && screen.contains("… and 26 more"), "{screen}");
    // In the document itself, by those who look at it.
    let shown = a.json(&["knowledge", "show", "people/sarah"])["data"].clone();
    let both = ["linked_from", "named_in"].map(|key| shown[key].as_array().map_or(0, Vec::len));
    assert_eq!(both.iter().sum::<usize>(), 25, "{shown}");
}

#[test]
fn a_model_gets_the_same_list() {
    let world = World::new();
    let a = laptop(&world, "a");
    let named = with_stand_ups(&a);
    a.co(&["learn", "Sarah owns the deploy"]);
    let mut client = Client::ready(&a, &[]);
    let text = client.call_ok("knowledge_list", json!({ "related_to": "Sarah" }));
    for topic in &named {
        assert!(text.contains(topic), "{topic}: {text}");
    }
    assert!(text.contains("Sarah owns the deploy") && !text.contains("2026-02"), "{text}");
    let unknown = client.call("knowledge_list", json!({ "related_to": "people/nobody" }));
    assert!(unknown.is_error, "{}", unknown.text);
}

#[test]
fn which_decisions_touch_a_system() {
    let world = World::new();
    let a = laptop(&world, "a");
    by_hand(&a, "systems/auth", "# Auth\n\nWho may log in. It stands on [[systems/sessions]].");
    by_hand(&a, "systems/sessions", "Redis.");
    let write = |topic: &str, text: &str| a.co(&["knowledge", "write", topic, text]);
    write("decisions/jwt", "We decided to use JWT for [[systems/auth]].");
    write("decisions/argon2", "Argon2 for [passwords](../systems/auth.md).");
    by_hand(&a, "decisions/oidc", "---\ntype: decision\ntags: [auth]\n---\n\nOIDC for the rest.");
    write("decisions/sms", "We decided against codes by SMS, for the auth of staff.");
    write("decisions/colours", "We decided to use blue.");
    write("meetings/2026-03-02-plan", "About [[decisions/jwt]] and its costs.");
    let by_link = ["decisions/argon2", "decisions/jwt", "decisions/oidc"];
    assert_eq!(topics(&related(&a, &["systems/auth", "--in", "decisions"]), None), by_link);
    assert_eq!(topics(&related(&a, &["systems/auth", "-t", "decision"]), None).len(), 3);
    // Asked for by its name alone, a text that says it counts as well.
    let by_name = related(&a, &["auth", "--in", "decisions"]);
    assert_eq!(topics(&by_name, None).len(), 4, "{by_name}");
    let all = related(&a, &["systems/auth"]);
    assert_eq!(topics(&all, Some("linked_from_it")), ["systems/sessions"]);
    assert_eq!(topics(&all, Some("names_it")), ["decisions/oidc"]);
    // One link more, and not two.
    let near = related(&a, &["systems/auth", "--steps", "2"]);
    assert_eq!(topics(&near, Some("linked")), ["meetings/2026-03-02-plan"]);
    assert_eq!(near["documents"][4]["via"], "decisions/jwt", "{near}");
    let said = a.try_co(&["knowledge", "related", "systems/auth", "--steps", "3"]);
    assert_eq!(said.code, 2, "{}", said.err);
}

#[test]
fn a_search_can_be_confined_to_what_is_related() {
    let world = World::new();
    let a = laptop(&world, "a");
    by_hand(&a, "people/sarah", "Tech lead.");
    by_hand(&a, "notes/tea", "Sarah drinks oolong tea.");
    by_hand(&a, "notes/link", "The oolong tea of [her](../people/sarah.md).");
    by_hand(&a, "notes/other", "Oolong tea is half oxidised.");
    a.co(&["learn", "Sarah buys oolong tea in Hamburg"]);
    a.co(&["learn", "Oolong tea is brewed at 90 degrees"]);
    let search = ["knowledge", "search", "oolong tea", "--related", "Sarah"];
    let found = a.json(&search)["data"]["results"].to_string();
    assert!(found.contains("notes/tea") && found.contains("notes/link"), "{found}");
    assert!(!found.contains("notes/other"), "{found}");
    let recall = ["recall", "oolong tea", "--related", "people/sarah"];
    let found = a.json(&recall)["data"]["results"].to_string();
    for part in ["notes/tea", "notes/link", "in Hamburg"] {
        assert!(found.contains(part), "{part}: {found}");
    }
    for part in ["notes/other", "90 degrees"] {
        assert!(!found.contains(part), "{part}: {found}");
    }
    a.fails(5, &["recall", "oolong tea", "--related", "people/nobody"]);
}

#[test]
fn links_and_names_survive_a_move() {
    let world = World::new();
    let a = laptop(&world, "a");
    by_hand(&a, "sarah", "Tech lead.");
    let texts = [
        "See [[sarah]].",
        "See [s](../sarah.md).",
        "See [[sarah#Work|her]].",
        "<a href=\"../sarah.md\">her</a>",
        "---\ntags: [sarah]\n---\n\nTagged.",
        "Talked to Sarah.",
    ];
    for (at, text) in texts.iter().enumerate() {
        by_hand(&a, &format!("notes/n{at}"), text);
    }
    for place in ["people/sarah", "people/team/sarah", "people/team/north/sarah"] {
        let before = if place == "people/sarah" { "sarah".to_owned() } else { there(&a) };
        a.co(&["knowledge", "move", &before, place, "--yes"]);
        for asked in [place, "Sarah"] {
            let found = topics(&related(&a, &[asked]), None);
            assert_eq!(found.len(), texts.len(), "{asked}: {found:?}");
        }
        assert_eq!(topics(&related(&a, &[place]), Some("links_to_it")).len(), 4, "{place}");
    }
    // What moves is found where it is.
    a.co(&["knowledge", "move", "notes/n0", "diary/n0", "--yes"]);
    assert!(topics(&related(&a, &["Sarah"]), None).contains(&"diary/n0".to_owned()));
}

/// Where the document about Sarah is.
fn there(a: &Laptop) -> String {
    related(a, &["Sarah"])["about"].as_str().expect("a topic").to_owned()
}

#[test]
fn two_of_one_name_are_told_apart() {
    let world = World::new();
    let a = laptop(&world, "a");
    by_hand(&a, "people/sarah", "---\naliases: [Sarah Chen]\n---\n\nTech lead.");
    by_hand(&a, "people/sarah-miller", "# Sarah Miller\n\nIn sales.");
    by_hand(&a, "notes/chen", "Sarah Chen and the deploy.");
    by_hand(&a, "notes/bare", "Sarah was ill.");
    by_hand(&a, "notes/miller", "Sarah Miller sold two.");
    by_hand(&a, "notes/both", "Sarah Miller met Sarah.");
    a.co(&["learn", "Sarah Miller drinks oolong"]);
    a.co(&["learn", "Sarah drinks mate"]);
    let first = related(&a, &["people/sarah"]);
    assert_eq!(topics(&first, None), ["notes/bare", "notes/both", "notes/chen"]);
    assert_eq!(facts(&first), ["Sarah drinks mate"]);
    let other = related(&a, &["Sarah Miller"]);
    assert_eq!(topics(&other, None), ["notes/both", "notes/miller"]);
    assert_eq!(facts(&other), ["Sarah Miller drinks oolong"]);
    // Two that are called the same: which is meant has to be said, and a link says it.
    by_hand(&a, "people/berlin/anna", "One.");
    by_hand(&a, "people/paris/anna", "The other.");
    by_hand(&a, "notes/link", "See [Anna](../people/paris/anna.md).");
    let said = a.fails(3, &["knowledge", "related", "Anna"]);
    assert!(said.contains("people/berlin/anna or people/paris/anna"), "{said}");
    assert!(topics(&related(&a, &["people/berlin/anna"]), None).is_empty());
    assert_eq!(topics(&related(&a, &["people/paris/anna"]), None), ["notes/link"]);
}

#[test]
fn a_thing_without_a_document_has_a_name_as_well() {
    let world = World::new();
    let a = laptop(&world, "a");
    a.co(&["knowledge", "write", "notes/db", "The migration to PostgreSQL went well."]);
    by_hand(&a, "notes/tagged", "---\ntags: [PostgreSQL]\n---\n\nSlow.");
    by_hand(&a, "notes/other", "MySQL.");
    a.co(&["learn", "Prefers PostgreSQL over MySQL"]);
    let report = related(&a, &["postgresql"]);
    assert_eq!(topics(&report, None), ["notes/db", "notes/tagged"]);
    assert_eq!((facts(&report).len(), &report["about"]), (1, &json!("postgresql")));
    for unknown in ["nobody", "people/nobody"] {
        assert!(a.fails(5, &["knowledge", "related", unknown]).contains("hint:"), "{unknown}");
    }
    let said = a.fails(5, &["knowledge", "related", "nobody"]);
    assert!(said.contains("nothing names `nobody`"), "{said}");
    // A person nobody speaks of is no error.
    by_hand(&a, "people/quiet", "Nobody speaks of them.");
    let said = a.co(&["knowledge", "related", "people/quiet"]);
    assert_eq!(said, "Nothing is related to people/quiet\n");
}

#[test]
fn a_name_means_the_same_with_and_without_accents() {
    let world = World::new();
    let a = laptop(&world, "a");
    by_hand(&a, "people/benoît", "A cousin.");
    by_hand(&a, "notes/party", "Benoit brings the cake.");
    a.co(&["learn", "Inês tem um gato"]);
    a.co(&["learn", "The birthday of Benoît is in May"]);
    for name in ["Inês", "Ines", "INES"] {
        assert_eq!(facts(&related(&a, &[name])), ["Inês tem um gato"], "{name}");
    }
    for name in ["Benoît", "benoit"] {
        let report = related(&a, &[name]);
        assert_eq!(report["about"], "people/benoît", "{name}: {report}");
        assert_eq!((topics(&report, None).len(), facts(&report).len()), (1, 1), "{report}");
    }
    let found = a.json(&["recall", "--related", "Benoit", "birthday"]);
    assert!(found["data"]["results"].to_string().contains("in May"), "{found}");
}

#[test]
fn a_tag_written_by_hand_reaches_the_document_of_a_person() {
    let world = World::new();
    let a = laptop(&world, "a");
    by_hand(&a, "people/sarah", "---\ntags: [team]\naliases: [Sarah Chen]\n---\n\nTech lead.");
    let tagged = ["sarah", "Sarah", "\"Sarah Chen\"", "sarah-chen", "SARAH"];
    for (at, tag) in tagged.into_iter().enumerate() {
        by_hand(&a, &format!("notes/n{at}"), &format!("---\ntags: [{tag}]\n---\n\nNothing."));
    }
    assert_eq!(topics(&related(&a, &["people/sarah"]), None).len(), tagged.len());
    for label in ["sarah", "Sarah", "team", "sarah chen"] {
        let listed = a.json(&["knowledge", "list", "--tag", label])["data"]["entries"].to_string();
        assert!(listed.contains("\"people/sarah\""), "{label}: {listed}");
    }
}
