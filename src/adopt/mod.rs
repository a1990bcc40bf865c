//! Adoption: what agents and other programs know about a person, as proposals for the identity.
//!
//! Invariant: pure; texts in, proposals out, and none is adopted before a person agrees. The format
//! is that of the whole file, never of one line in it. A proposal says what the file says, letter
//! for letter; everything else is left out with its place and the reason.

mod blocks;
mod exports;
mod form;
mod lines;
mod markdown;
mod notes;
mod reading;
mod saved;
mod services;
mod subject;
mod times;
pub mod zipped;

use crate::identity::{Stamp, label_lines};
use reading::MAX_LEN;
use times::stamp;

pub use form::{SourceForm, form_of};
pub use reading::{Place, Proposal, ProposedAs, Reading, Reason, Unreadable};

pub fn read(form: SourceForm, text: &str) -> Result<Reading, Unreadable> {
    Ok(match form {
        SourceForm::Markdown => markdown::read(text),
        SourceForm::Memory => notes::memory(text),
        SourceForm::Note => notes::note(text),
        SourceForm::Export => exports::read(text)?,
        SourceForm::Records => exports::records(text)?,
        SourceForm::Lines => fact_per_line(text),
    })
}

fn fact_per_line(text: &str) -> Reading {
    let mut reading = Reading::default();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let (line, place) = (line.trim(), Place::Lines(at + 1, at + 1));
        if lines::heading(line).is_some() {
            reading.leave(place, line, Reason::Heading);
        } else {
            reading.propose(Proposal::fact(lines::item(line).unwrap_or(line), place));
        }
    }
    reading
}

/// What a person asked an agent to remember, from a file of its own: requests to delete, and the
/// scopes and task tags above the text, are not facts.
pub fn requested_memory(text: &str) -> Option<String> {
    let kept = behind_labels(text).trim().to_owned();
    let lower = kept.to_lowercase();
    let is_order = ["delete ", "forget ", "remove "].iter().any(|word| lower.starts_with(word));
    let is_fact = kept.chars().any(char::is_alphabetic) && kept.chars().count() <= MAX_LEN;
    (is_fact && !is_order).then_some(kept)
}

/// The text below the lines that label it.
fn behind_labels(mut text: &str) -> &str {
    while !text.is_empty() {
        let (line, below) = text.split_once('\n').unwrap_or((text, ""));
        let lower = line.trim().to_lowercase();
        let labels = ["scope:", "cwd:", "task:", "[ad-hoc note]", "# "];
        let is_label = lower.is_empty() || labels.iter().any(|begins| lower.starts_with(begins));
        text = match label_lines::tagged(text.trim_start_matches([' ', '\t'])) {
            Some(tagged) => tagged.rest,
            None if is_label => below,
            None => return text,
        };
    }
    text
}

/// `2026-11-22T09-12-00-tabs.md`
pub fn requested_at(name: &str) -> Option<Stamp> {
    let (day, time) = name.get(..19)?.split_once('T')?;
    stamp(&format!("{day}T{}Z", time.replace('-', ":")))
}

#[cfg(test)]
mod tests {
    use super::{reading::MAX_LISTED, *};

    fn texts(form: SourceForm, text: &str) -> Vec<String> {
        let reading = read(form, text).expect("any text has lines");
        reading.proposals.into_iter().map(|one| one.text).collect()
    }

    #[test]
    fn a_bullet_is_not_part_of_a_fact() {
        let text = "- Lives in Seattle\n  * Works with Rust\n• Rides a bicycle\nPrefers dark mode";
        let wanted =
            ["Lives in Seattle", "Works with Rust", "Rides a bicycle", "Prefers dark mode"];
        assert_eq!(texts(SourceForm::Lines, text), wanted);
    }

    #[test]
    fn short_is_not_empty() {
        let text = "Use tabs\n使用中文回答\nタブを使う\nใช้แท็บ\n---\n42\n";
        let reading = read(SourceForm::Lines, text).expect("any text has lines");
        assert_eq!(reading.proposals.len(), 4);
        let left: Vec<Place> = reading.left.iter().map(|left| left.place).collect();
        assert_eq!(left, [Place::Lines(5, 5), Place::Lines(6, 6)]);
    }

    #[test]
    fn what_is_left_out_over_and_over_is_counted() {
        let json = format!("[{}{{\"memory\":\"Use tabs\"}}]", "0,".repeat(MAX_LISTED + 500));
        let reading = read(SourceForm::Export, &json).expect("an export");
        assert_eq!((reading.proposals.len(), reading.left.len()), (1, MAX_LISTED + 1));
        let last = reading.left.last().expect("a count");
        assert_eq!((last.place, last.text.as_str()), (Place::More(MAX_LISTED + 1, 500), ""));
        let lines = "---\n".repeat(MAX_LISTED + 3) + "# A\nUse tabs\n";
        let reading = read(SourceForm::Lines, &lines).expect("lines");
        assert_eq!((reading.proposals.len(), reading.left.len()), (1, MAX_LISTED + 2));
        assert_eq!(reading.left[MAX_LISTED].place, Place::More(MAX_LISTED + 1, 3));
        assert_eq!(reading.left[MAX_LISTED + 1].reason, Reason::Heading);
        // The place of a text within an export is its entry.
        let rules = "***\\n".repeat(MAX_LISTED + 7);
        let json = format!("[{{\"conversations_memory\":\"{rules}Use tabs\"}}]");
        let reading = read(SourceForm::Export, &json).expect("an export");
        assert_eq!(reading.left.last().map(|left| left.place), Some(Place::More(1, 7)));
    }

    #[test]
    fn labels_of_a_request_stand_above_it() {
        let text = "scope: user\n\nUse tabs\ntags: are what I call them\n";
        assert_eq!(requested_memory(text).as_deref(), Some("Use tabs\ntags: are what I call them"));
        for labels in ["tags: a, b", "Tags:\n- a\n- b", "tags:", "# Note\n tags: [a]"] {
            let text = format!("{labels}\n\nUse tabs\n");
            assert_eq!(requested_memory(&text).as_deref(), Some("Use tabs"), "{labels}");
        }
        let text = "tags: are how git marks releases, and I never move them";
        assert_eq!(requested_memory(text).as_deref(), Some(text));
        assert_eq!(requested_memory("tags: a, b"), None);
        assert_eq!(requested_memory("forget the tabs"), None);
    }
}
