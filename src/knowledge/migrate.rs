//! Decides where documents that are in no folder belong: people, projects, decisions and so on. The
//! verb is `documents::relocate`.
//!
//! Invariant: only a plan; an existing topic is never overwritten, and a document that cannot be
//! placed stays.

use super::{
    DocSummary, labels,
    placement::{self, Placing},
    topic::{Namespace, Topic},
};
use crate::identity::Calendar;
use std::collections::BTreeSet;

/// A document and where it belongs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    pub from: Topic,
    pub to: Topic,
    /// The reason for the decision.
    pub why: String,
}

/// Where the flat documents among these belong, and which of them stay.
pub fn plan(entries: &[DocSummary], calendar: &Calendar) -> (Vec<Move>, Vec<Topic>) {
    let mut taken: BTreeSet<String> = entries.iter().map(|entry| entry.topic.full()).collect();
    let known = names(entries);
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let (mut moves, mut stay) = (Vec::new(), Vec::new());
    for entry in entries.iter().filter(|entry| entry.topic.is_flat() && !entry.is_always_included())
    {
        match place(entry, &known, calendar).filter(|(topic, _)| taken.insert(topic.full())) {
            Some((to, why)) => moves.push(Move { from: entry.topic.clone(), to, why }),
            None => stay.push(entry.topic.clone()),
        }
    }
    (moves, stay)
}

/// The people and projects that documents are about.
pub fn names(entries: &[DocSummary]) -> Vec<String> {
    let named = entries.iter().filter_map(|entry| {
        let mut parts = entry.topic.parts();
        let is_named = matches!(parts.next(), Some("people" | "projects"));
        parts.next().filter(|_| is_named).map(str::to_lowercase)
    });
    named.collect::<BTreeSet<String>>().into_iter().collect()
}

fn place(entry: &DocSummary, known: &[&str], calendar: &Calendar) -> Option<(Topic, String)> {
    let read = labels::read(&entry.topic, &entry.text, known);
    let kind = entry.kind.as_deref().or(read.kind);
    let service = entry.source.as_deref().filter(|source| placement::SERVICES.contains(source));
    // A project that the name starts with.
    let project = known.iter().copied().find(|known| {
        entry.topic.name().strip_prefix(known).is_some_and(|rest| rest.starts_with(['-', '_']))
    });
    let day = |at| calendar.day_in_file(at).to_string();
    let written = entry.created.or(entry.updated).map(day);
    let date = labels::day(&entry.text).map(str::to_owned).or(written).unwrap_or_default();
    let name = match project {
        Some(project) => &entry.topic.name()[project.len() + 1..],
        None => entry.topic.name(),
    };
    let is_dated = kind != Some("meeting") || !date.is_empty();
    let placing = Placing { kind, project, service, date: &date };
    // Every context would include a part of the profile: only a person puts a document there.
    let topic = placement::topic(name, &placing)
        .filter(|topic| is_dated && topic.namespace() == Namespace::Knowledge)?;
    let why = match (service, project, kind) {
        (Some(service), ..) => format!("it came from {service}"),
        (_, Some(project), _) => format!("its name begins with that of the project {project}"),
        (.., Some(kind)) if entry.kind.is_some() => format!("its type is {kind}"),
        (.., kind) => format!("it reads like a {}", kind.unwrap_or("document")),
    };
    Some((topic, why))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::RelPath;

    #[test]
    fn flat_documents_find_their_place() {
        let entry = |path: &str, text: &str| {
            DocSummary::read(&RelPath::known(path), &text.into())
                .expect("a document")
                .expect("readable")
        };
        let entries = [
            entry("knowledge/projects/carmenta.md", "# Carmenta\n"),
            entry("knowledge/carmenta-auth.md", "Auth implementation\n"),
            entry("knowledge/deploy_steps.md", "# Deployment checklist\n"),
            entry("knowledge/jwt.md", "We decided to use JWT.\n"),
            entry(
                "knowledge/standup.md",
                "---\ncreated: 2025-12-20T00:00:00Z\nsource: fireflies\n---\nStandup\n",
            ),
            entry("knowledge/thing.md", "Something.\n"),
            entry("knowledge/sarah.md", "---\ntype: person\n---\nSarah\n"),
            entry("knowledge/people/sarah.md", "Sarah\n"),
            entry("knowledge/editor.md", "---\ntype: preference\n---\nVim\n"),
        ];
        let (moves, stay) = plan(&entries, &Calendar::default());
        let moves: Vec<String> =
            moves.iter().map(|made| format!("{} {}", made.from, made.to)).collect();
        assert_eq!(
            moves,
            [
                "carmenta-auth projects/carmenta/auth",
                "deploy_steps reference/deploy-steps",
                "jwt decisions/jwt",
                "standup integrations/fireflies/standup"
            ]
        );
        let stay: Vec<String> = stay.iter().map(Topic::to_string).collect();
        assert_eq!(stay, ["thing", "sarah", "editor"]);
    }
}
