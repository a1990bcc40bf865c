//! Excerpts: the matching passages of a long document with their headings, extended by adjacent
//! passages up to the budget.
//!
//! Invariant: pure; passages are in the order of the text, and omissions are marked. A token is
//! four bytes, as everywhere in co.

use super::{chunks, headings};
use crate::identity::text::tokens;
use std::{collections::BTreeSet, ops::Range};

/// Marks where a part of the text was left out.
pub(super) const CUT: &str = "\n\n[...content truncated...]\n\n";
/// With fewer tokens, a document is not worth including.
const LEAST: usize = 120;

/// With fewer tokens, no line of a longer text is left between its heading and the mark of
/// omission.
const SENSIBLE: usize = 40;

/// Whether a text of `whole` tokens still says something with `share` of them.
pub fn is_sensible(whole: usize, share: usize) -> bool {
    share >= whole.min(SENSIBLE)
}

/// A text of at most about `most` tokens, around its best passages (numbered as in
/// [`chunks::split`], best first).
pub fn around(text: &str, best: &[usize], most: usize) -> String {
    if tokens(text.len()) <= most {
        return text.to_owned();
    }
    let passages = chunks::split(text);
    let best: Vec<usize> = best.iter().copied().filter(|at| *at < passages.len()).collect();
    let Some(first) = best.first() else { return ends(text, most) };
    let mut others: Vec<usize> = (0..passages.len()).filter(|at| !best.contains(at)).collect();
    others.sort_by_key(|at| at.abs_diff(*first));
    let (mut taken, mut left) = (BTreeSet::new(), most.saturating_mul(4));
    if cost(text, &passages, *first, &taken) > left {
        let passage = &text[passages[*first].clone()];
        let heading = heading(text, passages[*first].start);
        // A heading longer than the answer is less useful than the answer.
        let heading = if tokens(heading.len()) > most / 2 { String::new() } else { heading };
        return format!("{heading}{}", ends(passage, most.saturating_sub(tokens(heading.len()))));
    }
    for at in best.iter().copied() {
        if let Some(rest) = left.checked_sub(cost(text, &passages, at, &taken)) {
            left = rest;
            taken.insert(at);
        }
    }
    for at in others {
        match left.checked_sub(cost(text, &passages, at, &taken)) {
            Some(rest) => left = rest,
            None => break,
        }
        taken.insert(at);
    }
    joined(text, &passages, &taken)
}

/// The extra cost of a passage: its bytes, plus the omission mark if it is not adjacent to another.
fn cost(text: &str, passages: &[Range<usize>], at: usize, taken: &BTreeSet<usize>) -> usize {
    let stands_alone = at > 0 && !taken.contains(&(at - 1));
    let around = if stands_alone {
        CUT.len() + heading(text, passages[at].start).len()
    } else {
        "\n\n".len()
    };
    passages[at].len() + around
}

fn joined(text: &str, passages: &[Range<usize>], taken: &BTreeSet<usize>) -> String {
    let mut given = String::new();
    let mut end = None;
    for at in taken {
        let passage = &passages[*at];
        match end {
            Some(end) if *at > 0 && taken.contains(&(at - 1)) => {
                given.push_str(&text[end..passage.start]);
            }
            None if *at == 0 => {}
            _ => {
                given.push_str(if given.is_empty() { CUT.trim_start() } else { CUT });
                given.push_str(&heading(text, passage.start));
            }
        }
        given.push_str(&text[passage.clone()]);
        end = Some(passage.end);
    }
    if taken.last().is_some_and(|last| last + 1 < passages.len()) {
        given.push_str(CUT.trim_end());
    }
    given
}

/// The headings above a position, as one line.
fn heading(text: &str, place: usize) -> String {
    let above = headings::above(text, place);
    if above.is_empty() { String::new() } else { format!("{}\n\n", above.join(" › ")) }
}

/// 80 % from the start and 20 % from the end, which often has the conclusions.
fn ends(text: &str, most: usize) -> String {
    if tokens(text.len()) <= most {
        return text.to_owned();
    }
    let most = most.saturating_sub(tokens(CUT.len()));
    let begin = most.saturating_mul(4) / 5;
    let end = most - begin;
    let beginning = &text[..text.floor_char_boundary(begin.saturating_mul(4))];
    let ending = &text[text.ceil_char_boundary(text.len().saturating_sub(end.saturating_mul(4)))..];
    format!("{beginning}{CUT}{ending}")
}

/// The tokens that each of several texts may have, best first: what a short one does not need goes
/// to the long ones. The last ones get none if a share would be too small.
pub fn shares(texts: &[usize], all: usize) -> Vec<usize> {
    let room = (all / LEAST).max(1);
    let mut order: Vec<usize> = (0..texts.len().min(room)).collect();
    order.sort_by_key(|at| texts[*at]);
    let (mut shares, mut left) = (vec![0; texts.len()], all);
    for (done, at) in order.iter().enumerate() {
        let share = (left / (order.len() - done)).min(texts[*at]);
        shares[*at] = share;
        left -= share;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    fn long() -> String {
        let section = |n: usize| {
            let filler = "Nothing of interest stands in this paragraph of the manual. ".repeat(12);
            format!(
                "## Part {n}\n\n{filler}\n\n### Detail {n}\n\nThe code of part {n} is K{n}.\n\n{filler}\n\n"
            )
        };
        format!("# Manual\n\n{}", (0..60).map(section).collect::<String>())
    }

    #[test]
    fn the_passage_that_answers_is_given_under_its_headings() {
        let text = long();
        let passages = chunks::split(&text);
        let deep = passages.iter().position(|one| text[one.clone()].contains("K41.")).expect("it");
        let given = around(&text, &[deep], 300);
        assert!(tokens(given.len()) <= 330, "{}", given.len());
        assert!(given.contains("The code of part 41 is K41."), "{given}");
        assert!(given.contains("Manual › Part 41"), "{given}");
        assert!(given.starts_with("[...content truncated...]"), "{given}");
        let two = around(&text, &[deep, 0], 400);
        assert!(two.starts_with("# Manual") && two.contains("K41."), "{two}");
        assert_eq!(around("short", &[0], 10), "short");
    }

    #[test]
    fn without_a_best_passage_beginning_and_end_are_given() {
        assert_eq!(around("12345678", &[], 2), "12345678");
        let cut = around(&format!("{}{}", "a".repeat(400), "z".repeat(400)), &[], 100);
        assert_eq!(cut, format!("{}{CUT}{}", "a".repeat(292), "z".repeat(76)));
        around(&"ü".repeat(101), &[0], 7);
    }

    #[test]
    fn what_a_short_text_leaves_is_for_the_long_ones() {
        assert_eq!(shares(&[50, 9_000, 9_000], 1_050), [50, 500, 500]);
        assert_eq!(shares(&[9_000, 9_000], 130), [130, 0]);
        assert_eq!(shares(&[], 130), Vec::<usize>::new());
    }

    #[test]
    fn a_scrap_of_a_long_text_is_not_sensible() {
        assert!(!is_sensible(98, 10) && !is_sensible(98, 39) && !is_sensible(1, 0));
        assert!(is_sensible(98, 40) && is_sensible(10, 10) && is_sensible(0, 0));
    }

    #[test]
    fn a_heading_does_not_take_the_place_of_the_answer() {
        let text = format!("# {}\n\n{}\n", "ü".repeat(90), "a ".repeat(300));
        for most in [0, 20, 60, 200] {
            let given = around(&text, &[1], most);
            assert!(given.len() <= 4 * most + 120, "{most}: {given}");
        }
        assert!(around(&text, &[1], 60).contains("a a"));
    }

    proptest::proptest! {
        #[test]
        fn a_budget_is_kept_whatever_the_text(text in "(#? ?[a-zü]{0,30}\n{0,2}){0,80}", at in 0_usize..40, most in 0_usize..90) {
            let given = around(&text, &[at], most);
            proptest::prop_assert!(given.len() <= 4 * most + 120 || tokens(text.len()) <= most);
        }
    }
}
