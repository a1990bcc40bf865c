//! Candidate contradictions: texts that are equal except for a few words in one place.
//!
//! Invariant: a guess, which a person decides on. Only short texts are compared, and only with
//! those that start alike, so that the work stays linear.

use crate::identity::Memory;
use std::collections::HashMap;

/// The longest text that is compared, in words.
const MAX_LEN: usize = 25;
/// The minimum of words in common, and the maximum of differing words in either text.
const COMMON: usize = 3;
const DIFFERENT: usize = 4;
/// Words that introduce a claim about a subject; without one, both texts may be true.
const SAYS: &[&str] = &[
    "is", "are", "was", "in", "at", "to", "by", "as", "than", "named", "called", "costs", "ist",
    "heißt", "über", "es", "se", "est", "on", "every",
];

/// Pairs of texts by their index in the list, the older first.
pub fn pairs(by_age: &[&Memory]) -> Vec<(usize, usize)> {
    let texts: Vec<Vec<String>> = by_age.iter().map(|memory| words(memory.text())).collect();
    let mut by_beginning: HashMap<&[String], Vec<usize>> = HashMap::new();
    for (at, text) in texts.iter().enumerate() {
        if (COMMON..=MAX_LEN).contains(&text.len()) {
            by_beginning.entry(&text[..2]).or_default().push(at);
        }
    }
    let mut found = Vec::new();
    for group in by_beginning.into_values().filter(|group| group.len() <= CROWD) {
        for (nth, older) in group.iter().enumerate() {
            let later = group[nth + 1..].iter();
            let opposed = later.filter(|newer| are_opposed(&texts[*older], &texts[**newer]));
            found.extend(opposed.map(|newer| (*older, *newer)));
        }
    }
    found.sort_unstable();
    found
}

/// A larger group of texts that start alike is a list, not a set of contradictions.
const CROWD: usize = 30;

/// The words of a text, in lower case, without surrounding punctuation.
pub fn words(text: &str) -> Vec<String> {
    let trim =
        |word: &str| word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    text.split_whitespace().map(trim).filter(|word| !word.is_empty()).collect()
}

fn are_opposed(a: &[String], b: &[String]) -> bool {
    let before = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (rest_a, rest_b) = (&a[before..], &b[before..]);
    let after = rest_a.iter().rev().zip(rest_b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (only_a, only_b) = (rest_a.len() - after, rest_b.len() - after);
    let is_replaced = (1..=DIFFERENT).contains(&only_a) && (1..=DIFFERENT).contains(&only_b);
    let says = a[..before].last().is_some_and(|word| SAYS.contains(&word.as_str()));
    is_replaced && before + after >= COMMON && says
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_value_for_the_same_subject() {
        let opposed = |a: &str, b: &str| are_opposed(&words(a), &words(b));
        assert!(opposed("The rent is 900 euros", "The rent is 1,200 euros"));
        assert!(opposed("My boss is called Ann", "My boss is called Bob Miller"));
        assert!(opposed("Lives near the lake in Berlin", "Lives near the lake in Bern"));
        assert!(!opposed("Likes green tea", "Likes green apples"));
        assert!(!opposed("The rent is 900 euros", "The rent is 900 euros a month"));
        assert!(!opposed("Anna works at Acme", "Bernd works at Acme"));
    }
}
