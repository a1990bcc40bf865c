//! A saved text in which several things are said: each item of its list, and each paragraph around
//! it, is a proposal.
//!
//! Invariant: the same text gives the same proposals, whichever program saved it as one memory. A
//! text without a list stays whole, line ends included.

use super::{
    Place, Proposal, Reading,
    lines::{self, LineKind},
    markdown,
};

/// Proposes a text as it is, or in parts if it has a list.
pub(super) fn memory(saved: Proposal, reading: &mut Reading) {
    if has_list(&saved.text) { parts(saved, reading) } else { reading.propose(saved) }
}

/// Proposes each part of a text in markdown, with the labels of the whole.
pub(super) fn parts(saved: Proposal, reading: &mut Reading) {
    let Proposal { text, tags, at, place, .. } = saved;
    let read = markdown::read(&text);
    for part in read.proposals {
        let own = part.tags.iter().filter(|tag| !tags.contains(tag));
        let tags = tags.iter().chain(own).cloned().collect();
        reading.proposals.push(Proposal { tags, at, place, ..part });
    }
    for left in read.left {
        let place = match left.place {
            Place::More(_, count) => Place::More(place.first(), count),
            Place::Lines(..) | Place::Entry(_) | Place::Parts(_) => place,
        };
        reading.leave(place, &left.text, left.reason);
    }
}

/// Whether a line of it is surely an item. A number or a long dash at the start of a single line
/// may be part of a sentence: `3. Oktober`.
fn has_list(text: &str) -> bool {
    let (mut is_code, mut unsure) = (false, 0);
    for line in text.lines() {
        match lines::line(line).kind {
            LineKind::Fence(..) => is_code = !is_code,
            LineKind::Item(_) if !is_code => {
                let may_be_text = |letter: char| letter.is_numeric() || letter == '–';
                if !line.trim_start().starts_with(may_be_text) {
                    return true;
                }
                unsure += 1;
            }
            _ => {}
        }
    }
    unsure > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        let mut reading = Reading::default();
        memory(Proposal::fact(text, Place::Entry(1)), &mut reading);
        reading.proposals.into_iter().map(|one| one.text).collect()
    }

    #[test]
    fn a_list_is_split_and_anything_else_stays_whole() {
        let dogs = "Likes tea.\nLives in Oslo.\n- Has two dogs\n- Plays chess";
        assert_eq!(texts(dogs), ["Likes tea. Lives in Oslo.", "Has two dogs", "Plays chess"]);
        assert_eq!(texts("1. Has two dogs\n2. Plays chess"), ["Has two dogs", "Plays chess"]);
        assert_eq!(texts("* Has two dogs"), ["Has two dogs"]);
        for whole in [
            "Likes tea.\nLives in Oslo.",
            "Likes tea.\n\nLives in Oslo.",
            "3. Oktober ist ein Feiertag\nund frei",
            "Be yourself.\n– Oscar Wilde",
            "-1 is an error\nin C",
            "Runs it so:\n```\n- name: tea\n```",
            "# not a list",
        ] {
            assert_eq!(texts(whole), [whole]);
        }
    }

    #[test]
    fn the_parts_have_the_labels_of_the_whole() {
        let saved = Proposal {
            tags: vec!["home".to_owned()],
            ..Proposal::fact("## Pets\n- Has two dogs\n- ---\n", Place::Entry(3))
        };
        let mut reading = Reading::default();
        memory(saved, &mut reading);
        assert_eq!(reading.proposals.len(), 1);
        assert_eq!(reading.proposals[0].place, Place::Entry(3));
        assert_eq!(reading.proposals[0].tags, ["home", "pets"]);
        assert!(reading.left.iter().all(|left| left.place == Place::Entry(3)));
    }
}
