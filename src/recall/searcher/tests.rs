//! What a few facts answer: by phrases, words, tags, typos and times.

use super::*;
use crate::recall::{Candidate, Collection};

fn searcher() -> Searcher<Collection> {
    let make = |(at, (body, tag)): (usize, (&str, &str))| Candidate {
        body: body.into(),
        tags: vec![tag.into()],
        created: at as i64,
        hash_prefix: at as u64,
        source: format!("{at}"),
    };
    let facts = [
        ("User prefers async/await over callbacks", "python"),
        ("Always run uv sync before pytest", "testing"),
        ("Prefers pytest as a test runner", "testing"),
        ("Lives in Seattle", "life"),
        ("Notes on global warming", "reading"),
    ];
    let facts: Vec<Candidate> = facts.into_iter().enumerate().map(make).collect();
    Searcher::new(Collection::new(&facts))
}

fn best_of(query: &str) -> Vec<usize> {
    best_among(&searcher(), query)
}

fn best_among(searcher: &Searcher<Collection>, query: &str) -> Vec<usize> {
    let asked = SearchParams::of_words(query);
    let hits = searcher.rank(&Query::parse(query), &asked, 5);
    hits.hits.iter().map(|hit| hit.at).collect()
}

#[test]
fn phrases_words_tags_and_exclusion() {
    assert_eq!(best_of("async/await over").first(), Some(&0));
    assert_eq!(best_of("which test runner do I like?").first(), Some(&2));
    assert_eq!(best_of("PYTHON").first(), Some(&0));
    assert_eq!(best_of("pytest -uv"), [2]);
    assert_eq!(best_of("\"uv sync\""), [1]);
    assert_eq!(best_of("seat").first(), Some(&3));
    assert_eq!(best_of("xylophone quartet"), Vec::<usize>::new());
}

#[test]
fn other_words_typos_and_what_filters_all_away() {
    assert_eq!(best_of("climate change").first(), Some(&4));
    assert_eq!(best_of("seatle").first(), Some(&3));
    assert_eq!(best_of("py test").first(), Some(&2));
    assert_eq!(best_of("\"callbacks over\"").first(), Some(&0), "answered without the quotes");
}

#[test]
fn a_question_for_a_time_is_answered_with_all_of_that_time() {
    for all in ["what did I learn on 1 January 1970", "1970-01-01", "anything in 1970?"] {
        assert_eq!(best_of(all).len(), 5, "{all}");
    }
    for none in ["what did I note on 2.1.1970", "1970-01-02", "two days ago"] {
        assert_eq!(best_of(none), Vec::<usize>::new(), "{none}");
    }
    assert_eq!(best_of("callbacks on 2.1.1970").first(), Some(&0));
}

#[test]
fn what_says_the_time_that_is_asked_for_is_an_answer_whenever_it_was_learned() {
    let texts = ["The router is upstairs", "My father died in 2012", "Salary review in October"];
    let candidate = |text: &&str| Candidate { body: (*text).to_owned(), ..Candidate::default() };
    let all: Vec<Candidate> = texts.iter().map(candidate).collect();
    let searcher = Searcher::new(Collection::new(&all));
    for (question, at) in [("what happened in 2012", 1), ("anything new in October", 2)] {
        assert_eq!(best_among(&searcher, question).first(), Some(&at), "{question}");
    }
}

proptest::proptest! {
    #[test]
    fn no_query_is_an_error(text in ".{0,40}") {
        best_of(&text);
    }
}
