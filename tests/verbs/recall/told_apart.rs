//! What a question is told apart by besides its words: the language it is in, what it asks for
//! besides a time, how few words it has.

use crate::support::{Laptop, World, ready::remembering};
use serde_json::Value;

/// In six languages, and English.
const FACTS: [&str; 22] = [
    "Unsere Tochter geht in die Kita am Park",
    "Der Arzt hat mir Tabletten gegen Bluthochdruck verschrieben",
    "Das Auto steht bis Freitag in der Werkstatt",
    "Notre appartement est au troisième étage sans ascenseur",
    "Ma femme travaille à l'hôpital de Lyon",
    "Le médecin m'a interdit le sel",
    "Mi hermano vive en Chile desde hace dos años",
    "El tren sale a las siete y media de la mañana",
    "No puedo comer gambas por la alergia",
    "La macchina è dal meccanico fino a giovedì",
    "Mio figlio suona il violino nella scuola",
    "Il dentista è in via Roma al secondo piano",
    "O meu chefe está de férias até segunda",
    "A minha irmã casou com um padeiro",
    "Mijn fiets staat in de kelder van de buren",
    "Onze kat moet elke avond een pil hebben",
    "The car is red and stands in the garage",
    "My doctor is on holiday until Monday",
    "We moved to a flat with a lift",
    "Likes prawns with garlic",
    "Takes the bus to the office",
    "Plays the guitar in a band",
];

/// What a coding agent is told.
const OF_A_PROJECT: [&str; 12] = [
    "Use `cargo nextest run --workspace`; the plain harness is too slow",
    "Ship it: tag vX.Y.Z, push the tag, wait for the green pipeline, then click promote in Argo",
    "Git subjects start with the ticket key (OPS-412), imperative, no full stop",
    "The trunk is protected, everything goes through a reviewed branch",
    "Every setting is listed in config/README.md with its default",
    "Hands off everything under gen/, it is produced by protoc",
    "Ask Svetlana before touching anything under checkout/",
    "We promise Linux and macOS on x86-64 and ARM, no Windows",
    "After changing openapi.yaml: `make stubs`",
    "Clippy with -D warnings has to be clean, plus `typos`",
    "Use tracing spans, no println!, never print personal data",
    "Unstable cases get #[ignore] and an issue with the label wobbly",
];

fn found(a: &Laptop, question: &str) -> Vec<String> {
    let answer = a.json(&["recall", question]);
    let all = answer["data"]["results"].as_array().expect("answers").iter();
    let content = |one: &Value| one["content"].as_str().expect("a text").to_owned();
    all.map(content).collect()
}

#[test]
fn a_text_in_the_language_of_the_question_comes_before_others() {
    let world = World::new();
    let a = remembering(&world, &FACTS);
    for (question, same) in [
        ("À quel niveau est-ce que j'habite ?", 3..6),
        ("Qu'est-ce que je ne dois pas manger ?", 3..6),
        ("Warum fahre ich diese Woche mit dem Bus?", 0..3),
        ("¿A qué hora me voy por la mañana?", 6..9),
        ("Quale strumento studia il bambino?", 9..12),
        ("Qual é a profissão do meu cunhado?", 12..14),
        ("Waar is mijn rijwiel?", 14..16),
    ] {
        let found = found(&a, question);
        let first = found.first().unwrap_or_else(|| panic!("{question}: nothing"));
        assert!(FACTS[same].contains(&first.as_str()), "{question}: {found:?}");
    }
    // What is said in English is found where the words are English.
    for (question, fact) in [("what colour is my car", 16), ("which instrument do I play", 21)] {
        assert_eq!(found(&a, question)[0], FACTS[fact], "{question}");
    }
}

#[test]
fn two_words_of_an_agent_are_answered_in_other_words() {
    let world = World::new();
    let a = remembering(&world, &OF_A_PROJECT);
    for query in [
        "performance analysis",
        "broken build",
        "deploy procedure",
        "rollout process",
        "operating systems",
        "privacy rules",
    ] {
        assert!(!found(&a, query).is_empty(), "{query}");
    }
}

#[test]
fn a_fact_of_the_day_that_a_question_names_is_no_answer_to_all_that_it_asks() {
    let world = World::new();
    let a = remembering(&world, &["Prefers tabs over spaces", "Plays the cello", "Runs marathons"]);
    for question in [
        "which planet was visible at dusk today",
        "who won the election in France today",
        "how tall was the tower since yesterday",
        "who painted the picture above the fireplace this month",
        "atomic number of hafnium this year",
        "which constellation was above the house today",
        "what was the score of the hockey match today",
    ] {
        assert_eq!(found(&a, question), Vec::<String>::new(), "{question}");
    }
    for question in ["today", "what did I learn today", "what was decided today"] {
        assert_eq!(found(&a, question).len(), 3, "{question}");
    }
}

#[test]
fn an_exclusion_that_no_fact_has_changes_no_answer() {
    let world = World::new();
    let a = remembering(&world, &FACTS);
    for question in [
        "who has a doctor",
        "what colour is my car",
        "my sister",
        "who works in a hospital",
        "garlic for dinner",
        "À quel niveau est-ce que j'habite",
    ] {
        let plain = found(&a, question);
        assert_eq!(found(&a, &format!("{question} -zebra")), plain, "{question}");
        assert_eq!(found(&a, &format!("{question} -\"striped zebra\"")), plain, "{question}");
    }
}
