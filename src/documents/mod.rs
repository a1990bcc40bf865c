//! The verbs for knowledge documents.
//!
//! Invariant: a document is one file, identified by its topic; every change is a change set that is
//! logged before it is written, and can be undone.

pub mod add;
pub mod compile;
pub mod delete;
pub mod edit;
mod error;
pub mod hot;
pub mod list;
pub mod offered;
pub mod profile;
pub mod related;
pub mod relocate;
pub mod search;
pub mod seed;
pub mod show;
mod store_documents;
pub mod write;

use crate::identity::RelPath;
use crate::index::{self, store::Store};
use crate::knowledge::{Topic, placement};
use crate::workspace::{Error, Workspace};
use store_documents::PlacedDocument;

pub use add::AddError;
pub use error::KnowledgeError;

/// Documents in short: their topics, or their number and common folder.
fn listed(topics: &[Topic]) -> String {
    const MAX: usize = 5;
    if topics.len() <= MAX {
        return topics.iter().map(Topic::to_string).collect::<Vec<_>>().join(" · ");
    }
    match common_folder(topics) {
        folder if folder.is_empty() => format!("{} documents", topics.len()),
        folder => format!("{} documents under {folder}", topics.len()),
    }
}

/// The innermost folder that contains all of these documents.
fn common_folder(topics: &[Topic]) -> String {
    let folders = |topic: &Topic| topic.folder().split('/').map(str::to_owned).collect::<Vec<_>>();
    let mut common = topics.first().map(folders).unwrap_or_default();
    for topic in topics {
        let same = common.iter().zip(folders(topic)).take_while(|(a, b)| *a == b).count();
        common.truncate(same);
    }
    common.join("/")
}

/// The documents of a store that every context includes, in their order.
pub(crate) fn always_included(store: &Store, ws: &Workspace) -> Vec<RelPath> {
    let ordered = index::always_included(store, ws)
        .into_iter()
        .map(|(path, order)| (order.unwrap_or_else(|| placement::usual_order(path.stem())), path));
    let mut ordered: Vec<(i64, RelPath)> = ordered.collect();
    ordered.sort();
    ordered.into_iter().map(|(_, path)| path).collect()
}

/// The error for a topic without a document.
fn not_found(topic: &Topic, known: &[PlacedDocument]) -> Error {
    KnowledgeError::NotFound { topic: topic.clone(), near: near(topic, known.iter()) }.into()
}

/// The error for a name that no document has and nothing says.
fn unnamed<'a>(name: &str, known: impl Iterator<Item = &'a PlacedDocument>) -> Error {
    let near = Topic::parse(name).ok().and_then(|topic| near(&topic, known));
    KnowledgeError::Unnamed { name: name.to_owned(), near }.into()
}

/// The document that may be meant by a topic without one.
fn near<'a>(topic: &Topic, known: impl Iterator<Item = &'a PlacedDocument>) -> Option<String> {
    let wanted = topic.to_string();
    let near = known.filter_map(|placed| {
        let known = placed.entry.topic.to_string();
        Some((distance(&wanted, &known)?, known))
    });
    near.min().map(|(_, known)| known)
}

/// One letter of a name in this many may be wrong, missing, or swapped with the next.
const LETTERS_PER_MISTAKE: usize = 3;
/// The fewest letters of a name that may be the beginning of the meant one.
const BEGINNING: usize = 4;

/// By how many letters the names of two topics differ, and then their folders; `None` if one cannot
/// be meant by the other. A folder may have been left out, or written with a `-`.
fn distance(wanted: &str, known: &str) -> Option<(usize, usize)> {
    let name = |topic: &str| topic.rsplit('/').next().unwrap_or(topic).to_lowercase();
    let near = |wanted: &str, known: &str| {
        let letters = wanted.chars().count();
        let distance = strsim::osa_distance(wanted, known);
        let is_mistake = distance * LETTERS_PER_MISTAKE <= letters.max(known.chars().count());
        let is_beginning = letters >= BEGINNING && known.starts_with(wanted);
        (is_mistake || is_beginning).then_some(distance)
    };
    let names = near(&name(wanted), &name(known));
    let whole = || near(&wanted.replace('/', "-"), &known.replace('/', "-"));
    let is_whole = !wanted.contains('/') && wanted.contains('-');
    let distance = names.or_else(|| is_whole.then(whole).flatten())?;
    Some((distance, strsim::osa_distance(wanted, known)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_name_that_may_be_meant_is_near() {
        for (wanted, known) in [
            ("sara", "people/sarah"),
            ("people/sara", "people/sarah"),
            ("peple/sarah", "people/sarah"),
            ("sarah", "people/sarah"),
            ("people-sarah", "people/sarah"),
            ("teh-plan", "the-plan"),
            ("kubernets", "notes/kubernetes"),
            ("plan", "work/planning"),
            ("Übersicht", "notes/übersicht"),
        ] {
            assert!(distance(wanted, known).is_some(), "{wanted} {known}");
        }
        for (wanted, known) in [
            ("nothere", "notes/s"),
            ("nothere", "notes/tea"),
            ("notes/a", "notes/b"),
            ("a", "b"),
            ("tea", "notes/plan"),
            ("people/anna", "people/bernd"),
            ("xyz", "profile"),
            ("zebra", "articles/zen"),
        ] {
            assert_eq!(distance(wanted, known), None, "{wanted} {known}");
        }
    }
}
