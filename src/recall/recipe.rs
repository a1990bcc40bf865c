//! The scores of a few facts, worked out from the formula of the ranking, apart from the program:
//!
//! ```text
//! own(d) = t·(bm25(d)/max)^1.6 + w·cos(q,d) + 0.1·t·tag           w = 1.0·t + 1.3·(1 − t)
//! S(d)   = own(d) + 1.5·t·g·(X(d) − m) + 0.6·date(q,d) + phrase
//! t      = 0.1 + 0.9·clip((c − 0.46) / 0.62, 0, 1)
//! ```
//!
//! Invariant: tests alone; a change of the weights changes these numbers, and nothing else does.

use super::{
    Candidate, Collection, Query, SearchParams, Searcher, Signals, embed::Vector, score::MEANT,
    vectors::Packed,
};
use crate::identity::Calendar;
use jiff::civil::date;

const MINUTE: i64 = 60_000_000;
const DAY: i64 = 24 * 60 * MINUTE;
/// Noon of 1 January 2026.
const NEW_YEAR: i64 = 1_767_268_800_000_000;

/// Text, tag, when it was learned, and a vector.
type Fact = (&'static str, &'static str, i64, [f32; 3]);

/// Each learned on a day of its own.
const ALONE: [Fact; 4] = [
    ("Cobalt kettle whistles", "kitchen", 0, [4.0, 1.0, 0.0]),
    ("Cobalt bicycle", "", DAY, [1.0, 3.0, 1.0]),
    ("Granite table", "kitchen", 4 * DAY, [2.0, 2.0, 3.0]),
    ("Velvet curtain hangs", "", 3 * DAY, [0.0, 4.0, 1.0]),
];

/// The first five in one session.
const TOGETHER: [Fact; 7] = [
    ("Harbour ferry timetable", "", 0, [4.0, 1.0, 0.0]),
    ("Cobalt kettle whistles", "", MINUTE, [3.0, 2.0, 0.0]),
    ("Garlic soup recipe", "", 2 * MINUTE, [1.0, 1.0, 3.0]),
    ("Kettle warranty expires", "", 3 * MINUTE, [2.0, 3.0, 1.0]),
    ("Bicycle pump lost", "", 4 * MINUTE, [0.0, 1.0, 3.0]),
    ("Cobalt kettle paint", "", DAY, [3.0, 1.0, 1.0]),
    ("Velvet curtain hangs", "", 2 * DAY, [0.0, 4.0, 1.0]),
];

fn packed(vector: [f32; 3]) -> Packed {
    Vector(vector.to_vec()).packed()
}

/// How far the words are trusted, and the scores, best first.
fn scores(facts: &[Fact], query: &str, vector: [f32; 3]) -> (f64, Vec<(usize, f64)>) {
    let make = |(body, tag, since, _): &Fact| Candidate {
        body: (*body).to_owned(),
        tags: if tag.is_empty() { Vec::new() } else { vec![(*tag).to_owned()] },
        created: NEW_YEAR + since,
        ..Candidate::default()
    };
    let candidates: Vec<Candidate> = facts.iter().map(make).collect();
    let encoded = facts.iter().map(|(.., vector)| packed(*vector)).collect();
    let searcher = Searcher::new(Collection::new(&candidates).with_encoded(Some(encoded)));
    let asked = SearchParams {
        vector: Packed::default(),
        encoded: Some(packed(vector)),
        meant: MEANT,
        signals: Signals { repair: false, expansion: false, ..Signals::default() },
        calendar: Calendar::default(),
        today: date(2026, 1, 6),
    };
    let ranked = searcher.rank(&Query::parse(query), &asked, facts.len());
    let trust = ranked.trust.expect("because there are vectors of the encoder");
    (trust.words, ranked.hits.iter().map(|hit| (hit.at, hit.score)).collect())
}

/// What is too weak to be shown is another matter: there may be fewer than wanted.
fn assert_scores(found: &(f64, Vec<(usize, f64)>), words: f64, wanted: &[(usize, f64)]) {
    let is_near = |a: f64, b: f64| (a - b).abs() < 1e-4;
    assert!(is_near(found.0, words) && !found.1.is_empty(), "{found:?}");
    let shown = wanted.iter().filter(|(at, _)| found.1.iter().any(|(other, _)| other == at));
    for ((at, score), (wanted_at, wanted)) in found.1.iter().zip(shown) {
        assert!(at == wanted_at && is_near(*score, *wanted), "{found:?}");
    }
}

#[test]
fn words_that_a_fact_lacks_leave_the_order_to_meaning() {
    // c = 0.139
    let found = scores(&ALONE, "cobalt lantern harvest", [1.0, 3.0, 2.0]);
    assert_scores(&found, 0.1, &[(1, 1.32671), (3, 1.15327), (2, 1.15295), (0, 0.65772)]);
}

#[test]
fn words_that_it_has_count_with_its_tag() {
    // c = 0.944
    let found = scores(&ALONE, "kitchen kettle cobalt", [3.0, 2.0, 1.0]);
    assert_scores(&found, 0.8027, &[(0, 1.84477), (2, 1.07961), (1, 0.97067), (3, 0.61944)]);
}

#[test]
fn the_day_that_is_asked_for_counts_whatever_the_words() {
    // c = 0.500, the word for the day being one that no fact has
    let found = scores(&ALONE, "kitchen kettle cobalt yesterday", [3.0, 2.0, 1.0]);
    assert_scores(&found, 0.1577, &[(2, 1.69235), (0, 1.31106), (1, 1.03186), (3, 0.73259)]);
}

#[test]
fn a_session_lends_its_words_and_its_meaning() {
    // c = 0.683, g = 5/7; a member is compared as v(d) + 0.6·g·(1 − 5/7)·(mean of its neighbours')
    let found = scores(&TOGETHER, "kettle cobalt warranty", [3.0, 2.0, 1.0]);
    assert_scores(
        &found,
        0.4230,
        &[
            (3, 1.47763),
            (5, 1.42659),
            (1, 1.41365),
            (0, 1.08562),
            (2, 0.85720),
            (6, 0.68604),
            (4, 0.58309),
        ],
    );
}
