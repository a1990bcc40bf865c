//! Type, topics and entities derived from a text.
//!
//! Invariant: pure and the same everywhere: tables and the form of words, no model. What it cannot
//! recognise is left out; nothing is guessed from the first word of a sentence.

use super::{
    DocSummary, links, placement,
    subjects::{NO_NAMES, SIGNS, THINGS, WORDS},
    topic::{Topic, slug},
};
use crate::identity::Stamp;
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::LazyLock,
};

const MAX_ENTITIES: usize = 12;
const MAX_TOPICS: usize = 6;
/// Maximum number of words in a name.
const MAX_NAME_LEN: usize = 3;
/// How much of a text is read, in bytes.
const READ: usize = 64 * 1024;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Labels {
    pub kind: Option<&'static str>,
    pub topics: Vec<String>,
    pub entities: Vec<String>,
}

impl Labels {
    /// The labels that a document already has.
    pub fn of(entry: &DocSummary) -> Labels {
        let kind = placement::KINDS.iter().find(|kind| entry.kind.as_deref() == Some(kind));
        let (topics, entities) = (entry.topics.clone(), entry.entities.clone());
        Labels { kind: kind.copied(), topics, entities }
    }
}

/// The labels that a document's text suggests. `known` are the slugs of the people and projects
/// that other documents are about.
pub fn read(topic: &Topic, text: &str, known: &[&str]) -> Labels {
    let text = &text[..text.floor_char_boundary(READ)];
    let words = words(text);
    Labels {
        // A link describes another document.
        kind: placement::kind_of(topic).or_else(|| kind_by_text(topic, &links::left_out(text))),
        topics: topics(topic, &words),
        entities: entities(topic, &words, known),
    }
}

/// The first day written as `2025-12-22` near the beginning of a text.
pub fn day(text: &str) -> Option<&str> {
    let start = &text[..text.floor_char_boundary(500)];
    let is_day = |at: &usize| {
        let bytes = &start.as_bytes()[*at..];
        let fits = |(at, byte): (usize, &u8)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        };
        let stands_alone =
            |byte: Option<&u8>| byte.is_none_or(|byte| !byte.is_ascii_alphanumeric());
        bytes.len() >= 10
            && bytes[..10].iter().enumerate().all(fits)
            && stands_alone(bytes.get(10))
            && stands_alone(at.checked_sub(1).and_then(|before| start.as_bytes().get(before)))
    };
    let at = start.char_indices().map(|(at, _)| at).find(is_day)?;
    Stamp::parse(&start[at..at + 10]).map(|_| &start[at..at + 10])
}

/// A word and its position.
struct LabelWord<'a> {
    text: &'a str,
    lower: String,
    /// The first word of a sentence, line or cell.
    begins: bool,
    /// In a heading whose words are all capitalised.
    in_title: bool,
    /// Follows the previous word with nothing but a blank in between.
    follows: bool,
}

fn words(text: &str) -> Vec<LabelWord<'_>> {
    let mut words = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        let trimmed = line.trim_start();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            fenced = !fenced;
        }
        if !fenced {
            let in_title = is_title(trimmed);
            words_of_line(trimmed, in_title, &mut words);
        }
    }
    words
}

fn words_of_line<'a>(line: &'a str, in_title: bool, words: &mut Vec<LabelWord<'a>>) {
    let (mut begins, mut end) = (true, 0);
    let in_word = |letter: char| letter.is_alphanumeric() || "-'’._".contains(letter);
    let mut rest = line;
    while let Some(start) = rest.find(|letter: char| letter.is_alphanumeric()) {
        let at = line.len() - rest.len() + start;
        let length = line[at..].find(|letter| !in_word(letter)).unwrap_or(line.len() - at);
        let raw = &line[at..at + length];
        let text = raw.trim_end_matches(['.', '-', '\'', '’', '_']);
        let text = text.strip_suffix("'s").or_else(|| text.strip_suffix("’s")).unwrap_or(text);
        let between = &line[end..at];
        begins |= between.contains(['!', '?', ':', '|', '"', '“', '(', ';']);
        words.push(LabelWord {
            text,
            lower: text.to_lowercase(),
            begins,
            in_title,
            follows: between == " " && !begins,
        });
        begins = raw.ends_with('.');
        end = at + length;
        rest = &line[end..];
    }
}

/// If every longer word of a heading is capitalised, its capitals mean nothing.
fn is_title(line: &str) -> bool {
    let Some(heading) = line.strip_prefix('#') else { return false };
    let mut longer = heading.split_whitespace().filter(|word| word.chars().count() >= 4);
    longer.all(|word| !word.starts_with(char::is_lowercase))
}

/// Each word in the tables with its topic.
static TOPICS: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let row = |(topic, words): &'static (&'static str, Vec<&'static str>)| {
        words.iter().map(|word| (*word, *topic))
    };
    THINGS.iter().chain(WORDS.iter()).flat_map(row).collect()
});
/// The words in the tables that are names.
static NAMES: LazyLock<HashSet<&str>> =
    LazyLock::new(|| THINGS.iter().flat_map(|(_, words)| words.iter().copied()).collect());

/// In order of first mention.
fn topics(topic: &Topic, words: &[LabelWord<'_>]) -> Vec<String> {
    let of = |word: &str| TOPICS.get(word).copied().filter(|topic| !topic.is_empty());
    let by_path = topic.parts().flat_map(|part| part.split(['-', '_'])).filter_map(of);
    let by_text = words.iter().filter_map(|word| of(&word.lower));
    let mut topics: Vec<String> = Vec::new();
    for topic in by_text.chain(by_path) {
        if topics.len() < MAX_TOPICS && !topics.iter().any(|known| known == topic) {
            topics.push(topic.to_owned());
        }
    }
    topics
}

/// The most frequently mentioned first, then by position.
fn entities(topic: &Topic, words: &[LabelWord<'_>], known: &[&str]) -> Vec<String> {
    let mut found: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut count = |name: String, at: usize| {
        found.entry(name).or_insert((0, at)).0 += 1;
    };
    if let Some(subject) = topic.subject() {
        count(slug(subject), 0);
    }
    let is_thing = |word: &str| NAMES.contains(word);
    let known: HashSet<&str> = known.iter().copied().collect();
    let mut at = 0;
    while at < words.len() {
        let word = &words[at];
        if is_thing(&word.lower) || known.contains(word.lower.as_str()) {
            count(word.lower.clone(), at);
            at += 1;
            continue;
        }
        let length = name_at(&words[at..]);
        if length > 0 {
            let name: Vec<&str> = words[at..at + length].iter().map(|word| word.text).collect();
            count(slug(&name.join(" ")), at);
        }
        at += length.max(1);
    }
    let mut found: Vec<(String, (usize, usize))> = found.into_iter().collect();
    found.sort_by_key(|(_, (count, at))| (std::cmp::Reverse(*count), *at));
    found.truncate(MAX_ENTITIES);
    found.sort_by_key(|(_, (_, at))| *at);
    found.into_iter().map(|(name, _)| name).collect()
}

/// How many words from here on form a name: capitalised in the middle of a sentence.
fn name_at(words: &[LabelWord<'_>]) -> usize {
    let is_name = |word: &&LabelWord<'_>| {
        let mut letters = word.text.chars();
        let first_is_capital = letters.next().is_some_and(char::is_uppercase);
        // `JSON` and `UTC` are not names.
        first_is_capital && letters.clone().any(char::is_lowercase) && !word.in_title
    };
    if words[0].begins || !is_name(&&words[0]) || NO_NAMES.contains(&words[0].lower.as_str()) {
        return 0;
    }
    let more = words[1..].iter().take(MAX_NAME_LEN - 1);
    let more = more.take_while(|word| {
        word.follows && is_name(word) && !NO_NAMES.contains(&word.lower.as_str())
    });
    1 + more.count()
}

/// By the first heading or line, or else by the first paragraphs.
fn kind_by_text(topic: &Topic, text: &str) -> Option<&'static str> {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let first = format!(
        "{} {}",
        topic.name().replace(['-', '_'], " "),
        first.trim_start_matches(['#', ' '])
    );
    let start = &text[..text.floor_char_boundary(600)];
    [first.to_lowercase(), start.to_lowercase()].iter().find_map(|text| {
        let says = |(_, signs): &&(&str, &[&str])| signs.iter().any(|sign| has_word(text, sign));
        SIGNS.iter().find(says).map(|(kind, _)| *kind)
    })
}

/// Whether a text contains a phrase, but not inside a word.
fn has_word(text: &str, sign: &str) -> bool {
    text.match_indices(sign).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + sign.len()..].chars().next();
        let ends = |letter: Option<char>| letter.is_none_or(|letter| !letter.is_alphanumeric());
        (ends(before) || sign.starts_with(' ')) && (ends(after) || sign.ends_with(' '))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(topic: &str, text: &str) -> Labels {
        read(&Topic::parse(topic).expect("a topic"), text, &["carmenta"])
    }

    #[test]
    fn the_example_of_the_seed() {
        let found = labels("note", "Meeting with Sarah about PostgreSQL migration");
        assert_eq!(found.entities, ["sarah", "postgresql"]);
        assert_eq!(found.topics, ["database", "migration"]);
        assert_eq!(found.kind, Some("meeting"));
    }

    #[test]
    fn paths_say_more_than_texts() {
        let found = labels("people/sarah", "# Sarah\n\nTech lead. She decided to use Redis.\n");
        assert_eq!((found.kind, found.entities[0].as_str()), (Some("person"), "sarah"));
        assert_eq!(
            labels("discord_setup", "## Discord Bot Setup\n\n1. Create a bot").kind,
            Some("reference")
        );
        assert_eq!(labels("x", "We decided to use JWT").kind, Some("decision"));
        assert_eq!(labels("x", "Nothing to see").kind, None);
    }

    #[test]
    fn links_decide_no_type() {
        for text in [
            "See [[team-meeting]].",
            "See [[notes/x|the meeting]].",
            "See [the agenda](x.md).",
            "See ![[meeting]].",
            "See <https://x.org/meeting>.",
        ] {
            assert_eq!(labels("sarah", text).kind, None, "{text}");
        }
        assert_eq!(labels("sarah", "A meeting with [[sarah]].").kind, Some("meeting"));
    }

    #[test]
    fn days_stand_alone() {
        assert_eq!(day("# Sync\n\nMeeting on 2026-11-20 with Sarah"), Some("2026-11-20"));
        assert_eq!(day("v2026-11-200, 12026-11-20, 2026-13-45"), None);
        assert_eq!(day("ü2026"), None);
    }

    #[test]
    fn names_are_read_with_care() {
        let found = labels(
            "x",
            "# Claude Model Family\n\nThe team met Nick Sullivan and Dr. Martinez on Monday.\nMarch. JSON for carmenta.",
        );
        assert_eq!(found.entities, ["claude", "nick-sullivan", "carmenta"]);
        assert_eq!(labels("x", "Sarah's plan. Then Mike’s plan with Mike.").entities, ["mike"]);
        assert_eq!(labels("x", "```\nlet X = Sarah\n```\n").entities, Vec::<String>::new());
    }
}
