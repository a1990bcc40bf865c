//! `docs/`: what co says of itself, as documents that a search finds.
//!
//! Invariant: read only, and of this version: the texts are those of the binary.

use super::topics;
use crate::identity::Document;
use crate::knowledge::{Entry, Namespace, Topic, topic::slug};

const README: &str = include_str!("../../README.md");
const LIMITS: &str = include_str!("../../LIMITS.md");

/// All of them, under `docs/co/`: the help topics, the limits, and the README by section.
pub(super) fn all() -> Vec<Entry> {
    let topics = topics::NAMES.iter().filter_map(|name| {
        let text = topics::text(name)?;
        Some(entry(name, &format!("# co: {}\n\n{text}", name.replace('-', " "))))
    });
    let sections = README.split("\n## ").enumerate().filter_map(|(at, section)| {
        let (heading, text) = section.split_once('\n')?;
        match at {
            0 => Some(entry("readme", section)),
            _ => Some(entry(&format!("guide/{}", slug(heading)), &format!("# {heading}\n{text}"))),
        }
    });
    sections.chain([entry("limits", LIMITS)]).chain(topics).collect()
}

fn entry(name: &str, text: &str) -> Entry {
    let topic = Topic::known(Namespace::Docs, &format!("co/{name}"));
    let entry = Entry::of(topic, &Document::new(text));
    Entry { tags: vec!["co".to_owned()], source: Some("co".to_owned()), ..entry }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_topic_of_the_help_is_a_document() {
        let all = all();
        let has = |name: &str| all.iter().any(|entry| entry.topic.name() == name);
        assert!(topics::NAMES.iter().all(|name| has(name)));
        assert!(["readme", "limits", "first-day", "second-laptop"].into_iter().all(has));
        assert!(all.iter().all(|entry| !entry.text.is_empty() && !entry.is_editable()));
        let mut topics: Vec<String> = all.iter().map(|entry| entry.topic.full()).collect();
        topics.sort();
        topics.dedup();
        assert_eq!(topics.len(), all.len());
    }
}
