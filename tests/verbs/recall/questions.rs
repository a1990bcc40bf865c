//! How a question may be put, what it takes away, and what is said where nothing answers: at a
//! terminal, in a pipe, in a context and through MCP.

use crate::support::{Laptop, World, client::Client, ready::remembering};
use serde_json::{Value, json};
use std::fs;

const FACTS: [&str; 24] = [
    "My manager is Katrin",
    "Office is at Spear Street 12",
    "Standup is at 9:30",
    "Drives a blue Skoda Octavia",
    "Allergic to peanuts and shellfish",
    "Prefers pytest over unittest",
    "Uses neovim on every laptop",
    "Has two cats, Pixel and Byte",
    "Deploys with fly.io, never on Fridays",
    "Plays the cello on Thursdays",
    "Reads science fiction before sleep",
    "Answers should be short",
    "Prefers tabs over spaces",
    "Redis keeps the login sessions",
    "Redis caches pages for an hour",
    "Lives in Denver, moved there from Seattle",
    "The sister Maria lives in Porto",
    "Drinks oolong tea in the morning",
    "The staging database is postgres 16",
    "Birthday of Maria is in March",
    "Runs kubernetes at work",
    "Passport expires in 2029",
    "Rents a garage beside the river",
    "Writes commit messages in English",
];

const QUESTIONS: [&str; 20] = [
    "who is my boss",
    "where do I work",
    "when do we meet in the morning",
    "what vehicle do I drive",
    "food I cannot eat",
    "which test runner do I like",
    "which editor do I use",
    "what are my pets called",
    "how do I deploy on fridays",
    "which instrument do I play",
    "what do I read at night",
    "tabs or spaces",
    "where are login sessions kept",
    "which city do I live in",
    "where does my sister live",
    "what do I drink in the morning",
    "which databse is on staging",
    "what happened in march",
    "when does my passport expire",
    "commit messages",
];

/// The answers to questions, in their order.
fn answers(a: &Laptop, questions: &[String]) -> Vec<Value> {
    let line = |query: &String| json!({ "qid": 1, "query": query, "limit": 50 }).to_string() + "\n";
    let said = a.piped(&questions.iter().map(line).collect::<String>(), &["recall", "--batch"]);
    assert_eq!(said.code, 0, "{}", said.err);
    let all = said.out.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    all.map(|mut answer| answer["results"].take()).collect()
}

fn contents(answer: &Value) -> Vec<&str> {
    let all = answer.as_array().expect("answers").iter();
    all.map(|one| one["content"].as_str().expect("a text")).collect()
}

fn spellings(question: &str) -> [String; 12] {
    let (before, last) = question.rsplit_once(' ').expect("several words");
    [
        question.to_owned(),
        format!("{question}?"),
        format!("{question} ?!"),
        format!("{question}."),
        question.to_uppercase(),
        format!("please {question}"),
        format!("Can you tell me {question}?"),
        format!("{question}, please? Thanks!"),
        format!("{before} \"{last}\""),
        question.replace(' ', "  "),
        format!("- {question}"),
        format!("• {question} —"),
    ]
}

#[test]
fn how_a_question_is_put_changes_no_answer() {
    let world = World::new();
    let a = remembering(&world, &FACTS);
    a.write("knowledge/cats.md", "# Cats\n\nPixel needs drops each morning.\n\nByte eats fish.\n");
    a.co(&["knowledge", "reindex"]);
    for question in QUESTIONS {
        let spelt = spellings(question);
        let all = answers(&a, &spelt);
        for (one, spelling) in all.iter().zip(&spelt) {
            assert_eq!(one, &all[0], "{spelling}");
        }
    }
}

#[test]
fn it_is_so_at_every_door() {
    let world = World::new();
    let a = remembering(&world, &FACTS);
    a.write("knowledge/cats.md", "# Cats\n\nPixel needs drops each morning.\n");
    let mut client = Client::start(&a, &a.home, &["--tools", "all"]);
    client.initialize(json!({}));
    let asked = "what does Pixel need";
    let without_question = |said: String| -> String {
        said.lines().filter(|line| !line.contains("matching '")).collect::<Vec<_>>().join("\n")
    };
    for door in [&["recall"][..], &["knowledge", "search"]] {
        let of = |spelling: &str| without_question(a.co(&[door, &["--", spelling]].concat()));
        let first = of(asked);
        assert!(first.contains("Pixel"), "{door:?}: {first}");
        for spelling in spellings(asked) {
            assert_eq!(of(&spelling), first, "{door:?} {spelling}");
        }
    }
    for tool in ["recall_memory", "knowledge_search", "get_context"] {
        let mut of =
            |spelling: &str| without_question(client.call_ok(tool, json!({ "query": spelling })));
        let first = of(asked);
        assert!(first.contains("Pixel"), "{tool}: {first}");
        for spelling in spellings(asked) {
            assert_eq!(of(&spelling), first, "{tool} {spelling}");
        }
    }
}

#[test]
fn an_exclusion_only_takes_away() {
    let world = World::new();
    let a = remembering(&world, &FACTS);
    for (asked, excluded) in [
        ("redis", "login"),
        ("chicago", "lives"),
        ("maria", "porto"),
        ("where do I live", "denver"),
        ("prefers", "tabs"),
        ("what do I drink in the morning", "oolong"),
        ("xylophone quartet", "cello"),
        ("zebras", "cats"),
        ("which editor do I use", "neovim"),
    ] {
        let both = [asked.to_owned(), format!("{asked} -{excluded}")];
        let all = answers(&a, &both);
        let (whole, less) = (contents(&all[0]), contents(&all[1]));
        for one in &less {
            assert!(whole.contains(one), "{asked} -{excluded}: {one} is new beside {whole:?}");
            assert!(!one.to_lowercase().contains(excluded), "{asked} -{excluded}: {one}");
        }
        if whole.is_empty() {
            assert!(less.is_empty(), "{asked}: {less:?}");
        }
    }
    let all = answers(&a, &["-lives".to_owned(), "redis -login".to_owned()]);
    assert_eq!(contents(&all[0]), Vec::<&str>::new());
    assert_eq!(contents(&all[1])[0], "Redis caches pages for an hour");
}

#[test]
fn a_phrase_that_a_fact_has_is_an_exact_match_and_nothing_else_follows() {
    let world = World::new();
    let a = remembering(&world, &FACTS);
    let text = "# Editors\n\nA browser with many tabs prefers memory over speed. Redis pages \
                and login sessions. Maria has the oolong.\n";
    a.write("knowledge/editors.md", text);
    for (phrase, fact) in [
        ("prefers tabs", "Prefers tabs over spaces"),
        ("login sessions", "Redis keeps the login sessions"),
        ("sister maria", "The sister Maria lives in Porto"),
        ("oolong tea", "Drinks oolong tea in the morning"),
        ("tabs over spaces", "Prefers tabs over spaces"),
    ] {
        let found = a.json(&["recall", &format!("\"{phrase}\"")]);
        let results = found["data"]["results"].as_array().expect("answers");
        assert!(results.iter().any(|one| one["content"] == fact), "{phrase}: {found}");
        for one in results {
            let text = one["content"].as_str().expect("a text").to_lowercase();
            assert!(text.contains(phrase), "{phrase}: {text}");
        }
        assert_eq!(
            (&found["data"]["exact"], &found["data"]["unquoted"]),
            (&json!(true), &json!(false))
        );
        assert_eq!(a.try_co(&["recall", &format!("\"{phrase}\"")]).err, "", "{phrase}");
    }
    let said = a.try_co(&["knowledge", "search", "\"many browser tabs\""]);
    assert!(said.err.contains("no exact match for the quoted phrase"), "{}{}", said.out, said.err);
    assert!(said.out.contains("editors"), "{}", said.out);
}

#[test]
fn what_is_weak_does_not_follow_what_is_strong() {
    let world = World::new();
    let a = remembering(&world, &FACTS);
    for (number, text) in [
        "Every morning the ferry to the island leaves at nine.",
        "A garage needs a permit beside the river; ask the city.",
        "The studio lends a cello and a piano for the summer.",
        "On Fridays the museum is free; never mind the queue.",
        "The kitchen prefers short orders over long tables of spaces.",
    ]
    .iter()
    .enumerate()
    {
        a.write(&format!("knowledge/notes/n{number}.md"), &format!("# Note {number}\n\n{text}\n"));
    }
    a.co(&["knowledge", "reindex"]);
    for fact in FACTS {
        let found = a.json(&["recall", fact]);
        let results = found["data"]["results"].as_array().expect("answers");
        assert_eq!(results[0]["content"], fact);
        for one in results {
            let relevance = one["relevance"].as_f64().expect("a number");
            assert!(relevance >= 0.2, "{fact}: {one}");
        }
    }
}

#[test]
fn what_nothing_answers_is_said_as_such_with_the_nearest_beside_it() {
    let world = World::new();
    let a = remembering(&world, &FACTS);
    a.write("knowledge/cats.md", "# Cats\n\nPixel needs drops each morning.\n");
    a.co(&["knowledge", "reindex"]);
    let mut client = Client::start(&a, &a.home, &["--tools", "all"]);
    client.initialize(json!({}));
    for question in [
        "which tax bracket applies to royalties",
        "how tall is the eiffel tower",
        "recipe for sourdough bread",
        "capital of Mongolia",
        "How do I knit a scarf?",
        "altitude of the Alps",
    ] {
        let found = a.json(&["recall", question]);
        assert_eq!(found["data"]["count"], 0, "{question}: {found}");
        assert!(!found["data"]["nearest"].as_array().expect("facts").is_empty(), "{found}");
        let said = a.co(&["recall", question]);
        assert!(said.contains("No memories found") && said.contains("\nNearest: "), "{said}");
        let said = client.call_ok("recall_memory", json!({ "query": question }));
        assert!(said.contains("nothing in memory says this"), "{said}");
        assert!(said.contains("\nNearest: "), "{said}");
        for said in [
            a.co(&["context", "--query", question]),
            client.call_ok("get_context", json!({ "query": question })),
        ] {
            assert!(said.contains("Nothing in memory says this."), "{said}");
            assert!(said.contains("Nearest: "), "{said}");
        }
    }
}

/// Of each language: what is remembered, what has the words of the question that say nothing, and
/// the question, with the word in another form.
const LANGUAGES: [[&str; 3]; 9] = [
    ["Mag Bücher über Astronomie", "Wo ist mein Rad? Im Keller ist mein Rad", "wo ist mein Buch?"],
    ["Meidet laute Straßen", "Welche ist meine? Die da ist meine", "welche ist meine Strasse"],
    ["Sammelt Karten aus Papier", "Wie ist das denn so", "wie ist denn meine Karte"],
    [
        "Préfère les voitures vertes",
        "Quelle est ma taille? Ma taille est",
        "quelle est ma voiture ?",
    ],
    ["Prefiere los colores claros", "Cuál es mi talla: la mía es la de él", "¿cuál es mi color?"],
    ["Legge libri gialli", "Qual è il mio numero? Il mio è il", "qual è il mio libro?"],
    ["Coleciona livros raros", "Qual é o meu prato? O meu é o", "qual é o meu livro?"],
    ["Heeft twee honden", "Waar is mijn sleutel? Mijn sleutel is", "waar is mijn hond?"],
    ["Trinkt grünen Tee", "Was ist das, und wer ist das", "was trinke ich und wer ist das"],
];

#[test]
fn words_of_six_languages_are_found_in_other_forms() {
    let world = World::new();
    let of_facts = LANGUAGES.iter().flat_map(|[fact, other, _]| [*fact, *other]);
    let a = remembering(&world, &of_facts.collect::<Vec<_>>());
    // By words alone.
    let off = r#"{"recall": {"meaning": false, "expansion": false, "context": false}}"#;
    fs::write(a.config().join("settings.json"), off).expect("written");
    for [fact, _, question] in LANGUAGES {
        let all = answers(&a, &[question.to_owned()]);
        assert_eq!(contents(&all[0]), [fact], "{question}");
    }
}
