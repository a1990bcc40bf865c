//! `docs/`: co's own documentation, as documents that a search can find.
//!
//! Invariant: read-only, and always of this version: the texts are in the binary.

use super::topics;
use crate::identity::Document;
use crate::knowledge::{DocSummary, Namespace, Topic};

const README: &str = include_str!("../../README.md");
const PAGES: &[(&str, &str)] = &[
    ("first-day", include_str!("../../docs/first-day.md")),
    ("second-laptop", include_str!("../../docs/second-laptop.md")),
    ("sync-by-itself", include_str!("../../docs/sync-by-itself.md")),
    ("agents", include_str!("../../docs/agents.md")),
    ("skills", include_str!("../../docs/skills.md")),
    ("sessions", include_str!("../../docs/sessions.md")),
    ("team", include_str!("../../docs/team.md")),
    ("work-and-private", include_str!("../../docs/work-and-private.md")),
    ("page", include_str!("../../docs/page.md")),
    ("review", include_str!("../../docs/review.md")),
    ("documents", include_str!("../../docs/documents.md")),
    ("dotfiles", include_str!("../../docs/dotfiles.md")),
    ("secrets", include_str!("../../docs/secrets.md")),
    ("sealed", include_str!("../../docs/sealed.md")),
    ("compare", include_str!("../../docs/compare.md")),
    ("costs", include_str!("../../docs/costs.md")),
    ("upgrade-and-leave", include_str!("../../docs/upgrade-and-leave.md")),
    ("troubles", include_str!("../../docs/troubles.md")),
    ("stability", include_str!("../../docs/stability.md")),
];
const LIMITS: &str = include_str!("../../LIMITS.md");

/// All of them, under `docs/co/`: the help topics, the limits, the README, and its pages.
pub(super) fn all() -> Vec<DocSummary> {
    let topics = topics::NAMES.iter().filter_map(|name| {
        let text = topics::text(name)?;
        Some(entry(name, &format!("# co: {}\n\n{text}", name.replace('-', " "))))
    });
    let pages = PAGES.iter().map(|(name, text)| entry(&format!("guide/{name}"), text));
    [entry("readme", README), entry("limits", LIMITS)]
        .into_iter()
        .chain(pages)
        .chain(topics)
        .collect()
}

fn entry(name: &str, text: &str) -> DocSummary {
    let topic = Topic::known(Namespace::Docs, &format!("co/{name}"));
    let entry = DocSummary::of(topic, &Document::new(text));
    DocSummary { tags: vec!["co".to_owned()], source: Some("co".to_owned()), ..entry }
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
