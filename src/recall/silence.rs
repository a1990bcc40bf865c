//! When the answer is that nothing says this: by how near the nearest text comes in meaning, and
//! how far it stands out.
//!
//! Invariant: pure; a hint, not a proof. Must not know: how texts are ranked.

use super::{query::Query, tokens, trust::Trust, wordpiece};

/// From this share of the question's words on, some text is an answer by its words.
const COVERED: f64 = 0.5;
/// Below it, no text has any of the question's words.
const NOTHING: f64 = 0.05;
/// What a single word that no text has must reach more, as it is near something by chance; and one
/// that the encoder does not know and has to spell.
const ONE_WORD: f64 = 0.12;
const SPELT: f64 = 0.25;

// Measured on 40 questions that none of 956 facts answers, and on 240 that one does: 14 of the
// former are below this, and 4 of the latter. `scripts/bench/silence.py` has it for fewer facts.
/// The threshold among so few texts, how it rises with their number, and its highest.
const FEW: usize = 12;
const AMONG_FEW: f64 = 0.23;
const RISE: f64 = 0.0687;
const MOST: f64 = 0.6;
/// Among fewer than were measured it falls at the same rate, down to as few as this: whoever tries
/// co with two facts should get one of them.
const FEWEST: usize = 3;

/// The certainty from which a text without the question's words is an answer: higher among many,
/// where the best of them is near by chance.
fn threshold(texts: usize) -> f64 {
    (AMONG_FEW + RISE * (texts.max(FEWEST) as f64 / FEW as f64).ln()).min(MOST)
}

/// Whether none of these texts answers, as far as words and meaning tell.
pub(super) fn is_kept(query: &Query, trust: &Trust, texts: usize) -> bool {
    if trust.coverage >= COVERED {
        return false;
    }
    let chance = if trust.coverage < NOTHING { chance(query) } else { 0.0 };
    // Two words are what agents ask with: they are answered like a sentence. But among very few
    // texts the nearest one stands out by chance, so that only its nearness counts.
    if trust.coverage < NOTHING && texts < FEW && has_two_words(query) {
        return trust.nearest < threshold(FEW);
    }
    // A word is near something even among very few texts.
    let texts = if chance > 0.0 { texts.max(FEW) } else { texts };
    trust.certainty < threshold(texts) + chance
}

fn has_two_words(query: &Query) -> bool {
    // Without spaces, a sentence looks like a word.
    !query.text.contains(tokens::is_cjk) && query.text.split_whitespace().count() == 2
}

fn chance(query: &Query) -> f64 {
    // Without spaces, a sentence looks like a word.
    if query.text.contains(tokens::is_cjk) {
        return 0.0;
    }
    let is_known = |word: &String| wordpiece::is_word(word);
    match query.text.split_whitespace().count() {
        0 | 1 if query.words.iter().all(is_known) => ONE_WORD,
        0 | 1 => SPELT,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trust(coverage: f64, certainty: f64) -> Trust {
        Trust { coverage, certainty, ..Trust::default() }
    }

    #[test]
    fn the_threshold_grows_with_the_number_of_texts() {
        assert_eq!((threshold(12), threshold(1)), (AMONG_FEW, threshold(3)));
        assert!(
            threshold(3) < threshold(12)
                && threshold(12) < threshold(300)
                && threshold(300) < threshold(900)
        );
        assert_eq!(threshold(1_000_000), MOST);
    }

    #[test]
    fn silence_is_for_what_neither_words_nor_meaning_answer() {
        let sentence = Query::parse("who is my boss");
        assert!(is_kept(&sentence, &trust(0.0, 0.2), 12));
        assert!(!is_kept(&sentence, &trust(0.0, 0.3), 12));
        assert!(is_kept(&sentence, &trust(0.0, 0.3), 300));
        assert!(!is_kept(&sentence, &trust(0.6, 0.1), 300));
        let word = Query::parse("zebras");
        assert!(is_kept(&word, &trust(0.0, 0.3), 12) && !is_kept(&word, &trust(0.2, 0.3), 12));
        let two = Query::parse("xylophone quartet");
        let near = |nearest: f64| Trust { nearest, ..trust(0.0, nearest + 0.08) };
        assert!(is_kept(&two, &near(0.2), 4) && !is_kept(&two, &near(0.24), 4));
        assert!(!is_kept(&two, &near(0.2), 12));
        let spelt = Query::parse("xyzzy");
        assert!(is_kept(&spelt, &trust(0.0, 0.45), 12) && !is_kept(&spelt, &trust(0.0, 0.6), 12));
    }
}
