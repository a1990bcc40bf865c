//! Where a document of each kind belongs, and which values its labels may have.
//!
//! Invariant: `co check` never calls a path that follows these tables unusual.

use super::topic::{Namespace, Topic, slug};
use crate::identity::conventions;
use std::collections::BTreeMap;

/// The values of `type`.
pub const KINDS: &[&str] = &["preference", "decision", "meeting", "reference", "person", "project"];
/// What a new document may be said to be: a type, or a part of the profile, whose type is
/// `preference`.
pub const PLACES: &[&str] = &[
    "preference",
    "decision",
    "meeting",
    "reference",
    "person",
    "project",
    "identity",
    "communication",
];
/// The values of `status`.
pub const STATUSES: &[&str] = &["active", "archived", "draft"];
/// The values of `temporal`.
pub const TIMES: &[&str] = &["current", "historical"];
/// The folders of `knowledge/`, with what they contain.
pub const CATEGORIES: &[(&str, &str)] = &[
    ("people", "information about individuals"),
    ("projects", "project-specific knowledge"),
    ("decisions", "decisions not tied to a project"),
    ("meetings", "meeting notes, with their date first"),
    ("reference", "how-to guides, checklists, reference material"),
    ("insights", "extracted patterns and wisdom"),
    ("integrations", "content synced from other services"),
];
/// Services whose documents get their own folder.
pub(super) const SERVICES: &[&str] = &["limitless", "fireflies", "notion"];
/// From this many documents on, a separate folder is worthwhile; below [`FEW`] it is not.
pub const MANY: usize = 10;
pub const FEW: usize = 5;

/// Documents of one folder whose names begin with the same word.
#[derive(Debug)]
pub struct OneWord<'a> {
    /// Below `knowledge/`; empty for documents in no folder.
    pub folder: &'a str,
    pub word: &'a str,
    pub count: usize,
}

impl OneWord<'_> {
    /// The folder that they could have, below `knowledge/`, with a usual name.
    pub fn own_folder(&self) -> String {
        match self.folder {
            "" => slug(self.word),
            folder => format!("{folder}/{}", slug(self.word)),
        }
    }
}

/// The first words that documents share, given as their folder and name.
pub fn of_one_word<'a>(documents: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<OneWord<'a>> {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (folder, name) in documents {
        // A date is no subject, and deeper folders are hard to browse.
        let word = name.split_once(['-', '_']).map(|(word, _)| word);
        let word = word.filter(|word| word.chars().any(char::is_alphabetic));
        if let Some(word) = word.filter(|_| !folder.contains('/') && folder != "articles") {
            *counts.entry((folder, word)).or_default() += 1;
        }
    }
    counts.into_iter().map(|((folder, word), count)| OneWord { folder, word, count }).collect()
}

/// What decides a document's path.
#[derive(Clone, Debug, Default)]
pub struct Placing<'a> {
    /// One of [`PLACES`].
    pub kind: Option<&'a str>,
    /// The project that it belongs to.
    pub project: Option<&'a str>,
    /// The service that it came from.
    pub service: Option<&'a str>,
    /// When it happened: `2025-12-22`.
    pub date: &'a str,
}

/// The topic for a document with this name. `None` if no pattern fits.
pub fn topic(name: &str, placing: &Placing<'_>) -> Option<Topic> {
    let slug = slug(name);
    let below = match (placing.kind, placing.project, placing.service) {
        (_, _, Some(service)) => format!("integrations/{}/{slug}", self::slug(service)),
        (Some("project"), _, _) => format!("projects/{slug}"),
        (_, Some(project), _) => format!("projects/{}/{slug}", self::slug(project)),
        (Some("person"), ..) => format!("people/{slug}"),
        (Some("decision"), ..) => format!("decisions/{slug}"),
        (Some("meeting"), ..) if conventions::begins_with_date(&slug) => format!("meetings/{slug}"),
        (Some("meeting"), ..) => format!("meetings/{}-{slug}", placing.date),
        (Some("reference"), ..) => format!("reference/{slug}"),
        (Some(kind), ..) if label(kind) == "preference" => {
            return Some(Topic::known(Namespace::Profile, &slug));
        }
        _ => return None,
    };
    Some(Topic::known(Namespace::Knowledge, &below))
}

/// The type of a document that is said to be one of [`PLACES`].
pub fn label(place: &str) -> &str {
    match place {
        "identity" | "communication" => "preference",
        kind => kind,
    }
}

/// The type that a path implies.
pub fn kind_of(topic: &Topic) -> Option<&'static str> {
    if topic.namespace() == Namespace::Profile {
        return Some("preference");
    }
    match topic.parts().next().filter(|_| !topic.is_flat())? {
        "people" => Some("person"),
        "projects" => Some("project"),
        "decisions" => Some("decision"),
        "meetings" => Some("meeting"),
        "reference" => Some("reference"),
        _ => None,
    }
}

/// The purpose of a part of the profile.
pub fn purpose(part: &str) -> Option<&'static str> {
    match part {
        "identity" => Some("Who the user is"),
        "preferences" => Some("How they like things done"),
        "communication" => Some("Tone, style, formality preferences"),
        "boundaries" => Some("What NOT to do"),
        _ => None,
    }
}

/// The usual order of the parts of the profile.
pub fn usual_order(part: &str) -> i64 {
    let order = ["identity", "preferences", "communication", "boundaries"];
    order.iter().position(|known| *known == part).map_or(i64::MAX, |at| at as i64 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_patterns_of_the_seed() {
        let at = |name: &str, kind, project, service| {
            let placing = Placing { kind, project, service, date: "2025-12-22" };
            let topic = topic(name, &placing)?;
            assert_eq!(topic.unusual(), Vec::<String>::new());
            Some(topic.full())
        };
        assert_eq!(
            at("Sarah", Some("person"), None, None).as_deref(),
            Some("knowledge/people/sarah")
        );
        let project = at("Carmenta", Some("project"), None, None);
        assert_eq!(project.as_deref(), Some("knowledge/projects/carmenta"));
        let component = at("Auth decisions", Some("decision"), Some("Carmenta"), None);
        assert_eq!(component.as_deref(), Some("knowledge/projects/carmenta/auth-decisions"));
        let decision = at("PostgreSQL over MySQL", Some("decision"), None, None);
        assert_eq!(decision.as_deref(), Some("knowledge/decisions/postgresql-over-mysql"));
        let meeting = at("Q1 planning", Some("meeting"), None, None);
        assert_eq!(meeting.as_deref(), Some("knowledge/meetings/2025-12-22-q1-planning"));
        let dated = at("2025-12-20 review", Some("meeting"), None, None);
        assert_eq!(dated.as_deref(), Some("knowledge/meetings/2025-12-20-review"));
        let import = at("Team Standup", None, None, Some("Fireflies"));
        assert_eq!(import.as_deref(), Some("knowledge/integrations/fireflies/team-standup"));
        for kind in ["preference", "identity", "communication"] {
            let part = at("How I write", Some(kind), None, None);
            assert_eq!(part.as_deref(), Some("profile/how-i-write"));
        }
        assert_eq!(at("x", None, None, None), None);
    }
}
