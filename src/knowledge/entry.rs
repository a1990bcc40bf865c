//! A document in the form that is listed, searched and shown.
//!
//! Invariant: reading accepts what people write: a field of the wrong type is treated as absent;
//! name and description are taken from the text if no field has them.

use super::{
    added, links,
    topic::{Namespace, Topic},
};
use crate::identity::{Blob, Document, RelPath, Stamp, document::Broken, memory, value::Value};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocSummary {
    pub topic: Topic,
    /// Its title: the field, else the first heading, else the last part of the topic.
    pub name: String,
    /// One line: the field, else the first line of text. Empty if there is neither.
    pub description: String,
    /// The tags of the field, then those in the text: `#work`.
    pub tags: Vec<String>,
    /// The kind of document: `person`, `decision` …
    pub kind: Option<String>,
    pub status: Option<String>,
    pub topics: Vec<String>,
    pub entities: Vec<String>,
    pub temporal: Option<String>,
    pub source: Option<String>,
    /// The file that it was added from, if it has a different source.
    pub file: Option<String>,
    pub created: Option<Stamp>,
    pub updated: Option<Stamp>,
    /// The value of `alwaysInclude`, if any.
    pub always: Option<bool>,
    /// The value of `searchable`, if any.
    pub searchable: Option<bool>,
    /// The value of `editable`, if any.
    pub editable: Option<bool>,
    /// Its aliases.
    pub aliases: Vec<String>,
    /// Its position among the documents that are always included.
    pub prompt_order: Option<i64>,
    /// The original that it was extracted from, relative to `knowledge/`.
    pub attachment: Option<String>,
    /// Everything below the frontmatter, trimmed.
    pub text: String,
}

impl DocSummary {
    /// `None` for a file that is not a document.
    pub fn read(path: &RelPath, blob: &Blob) -> Option<Result<DocSummary, Broken>> {
        let topic = Topic::of(path)?;
        Some(Document::read(blob).map(|document| DocSummary::of(topic, &document)))
    }

    pub fn of(topic: Topic, document: &Document) -> DocSummary {
        let text = document.text();
        let text = if text.contains('\r') { &text.replace("\r\n", "\n") } else { text };
        let field = |key: &str| {
            let text = document.get(key).and_then(Value::text)?.trim().to_owned();
            (!text.is_empty()).then_some(text)
        };
        let list = |key: &str| document.get(key).and_then(Value::list).unwrap_or_default();
        let mut tags = list("tags");
        // In text from another program's file or a page, `#` has another meaning.
        if field("attachment").is_none() && field("fetched").is_none() {
            let in_text = links::tags(text);
            tags.extend(in_text.into_iter().filter(|tag| !list("tags").contains(tag)));
        }
        let (heading, first_line) = opening(text);
        DocSummary {
            name: field("title").or(heading).unwrap_or_else(|| topic.name().to_owned()),
            description: field("description").or(first_line).unwrap_or_default(),
            tags,
            kind: field("type"),
            status: field("status"),
            topics: list("topics"),
            entities: list("entities"),
            temporal: field("temporal"),
            source: field("source"),
            file: field(added::FILE),
            created: memory::stamp_of(document, "created"),
            updated: memory::stamp_of(document, "updated"),
            always: document.get("alwaysInclude").and_then(Value::truth),
            searchable: document.get("searchable").and_then(Value::truth),
            editable: document.get("editable").and_then(Value::truth),
            aliases: [list("aliases"), list("alias")].concat(),
            prompt_order: match document.get("promptOrder") {
                Some(Value::Int(order)) => Some(*order),
                _ => None,
            },
            attachment: field("attachment"),
            text: text.to_owned(),
            topic,
        }
    }

    /// Whether every context includes it: `alwaysInclude`, or else only parts of the profile.
    pub fn is_always_included(&self) -> bool {
        self.always.unwrap_or(self.topic.namespace() == Namespace::Profile)
    }

    /// Whether searches find it: `searchable`, else unless every context has it.
    pub fn is_searched(&self) -> bool {
        self.searchable.unwrap_or(!self.is_always_included())
    }

    /// Whether co may change it for the user: not its own documents, which a new version changes,
    /// nor those that say `editable: false`.
    pub fn is_editable(&self) -> bool {
        self.topic.namespace() != Namespace::Docs && self.editable.unwrap_or(true)
    }

    /// Everything that a filter by tag matches: tags, type, status, topics, entities, aliases,
    /// source and time, and whom or what its path says it is about, as one set.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        let single = [&self.kind, &self.status, &self.source, &self.temporal];
        let lists = [&self.tags, &self.topics, &self.entities, &self.aliases];
        let lists = lists.into_iter().flatten().map(String::as_str);
        let subject = self.topic.subject().filter(|subject| {
            let is_it = |entity: &String| entity.eq_ignore_ascii_case(subject);
            !self.entities.iter().any(is_it)
        });
        lists.chain(single.into_iter().flatten().map(String::as_str)).chain(subject)
    }

    /// Whether it has a label, ignoring case.
    pub fn has_label(&self, wanted: &str) -> bool {
        let wanted = wanted.to_lowercase();
        self.labels().any(|label| label.to_lowercase() == wanted)
    }

    /// When it was last changed, if it says so.
    pub fn latest(&self) -> Option<Stamp> {
        self.updated.max(self.created)
    }
}

/// The first heading, and the first line of text below it.
fn opening(text: &str) -> (Option<String>, Option<String>) {
    let (mut heading, mut fenced) = (None, false);
    for line in text.lines().map(str::trim) {
        if line.starts_with("```") || line.starts_with("~~~") {
            fenced = !fenced;
            continue;
        }
        if fenced || line.is_empty() || line.chars().all(|letter| "-=*_|:".contains(letter)) {
            continue;
        }
        let depth = line.bytes().take_while(|byte| *byte == b'#').count();
        match (1..=6).contains(&depth) && line[depth..].starts_with(' ') {
            true if heading.is_none() => heading = Some(line[depth..].trim().to_owned()),
            true => {}
            false => {
                let line = line.trim_start_matches(['-', '*', '>', ' ']);
                return (heading, Some(cut(line)));
            }
        }
    }
    (heading, None)
}

/// At most 160 characters.
fn cut(line: &str) -> String {
    match line.char_indices().nth(160) {
        Some((at, _)) => format!("{}…", line[..at].trim_end()),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(text: &str) -> DocSummary {
        let path = RelPath::known("knowledge/people/sarah.md");
        DocSummary::read(&path, &text.into()).expect("a document").expect("readable")
    }

    #[test]
    fn names_and_descriptions_are_read_off_the_text() {
        let read = entry("# Sarah\n\nTech lead, PostgreSQL expert.\n\n## Main Content\n\nMore.\n");
        assert_eq!(
            (read.name.as_str(), read.description.as_str()),
            ("Sarah", "Tech lead, PostgreSQL expert.")
        );
        let read =
            entry("---\ntitle: Dr. Sarah\ndescription: A person\ntags: a, b\n---\n\n# Sarah\n");
        assert_eq!((read.name.as_str(), read.description.as_str()), ("Dr. Sarah", "A person"));
        assert_eq!(read.tags, ["a", "b"]);
        let read = entry("just a line\n");
        assert_eq!((read.name.as_str(), read.description.as_str()), ("sarah", "just a line"));
        assert_eq!(entry("```\ncode\n```\n- item\n").description, "item");
    }

    #[test]
    fn flags_decide_both_ways() {
        let read = |path: &str, front: &str| {
            let text = format!("---\n{front}---\n\nx\n");
            let read = DocSummary::read(&RelPath::known(path), &text.as_str().into());
            let read = read.expect("a document").expect("readable");
            (read.is_always_included(), read.is_searched())
        };
        let (part, document) = ("profile/identity.md", "knowledge/a.md");
        assert_eq!(read(part, ""), (true, false));
        assert_eq!(read(part, "alwaysInclude: false\n"), (false, true));
        assert_eq!(read(part, "searchable: true\n"), (true, true));
        assert_eq!(read(document, ""), (false, true));
        assert_eq!(read(document, "alwaysInclude: true\n"), (true, false));
        assert_eq!(read(document, "alwaysInclude: yes\nsearchable: true\n"), (true, true));
        assert_eq!(read(document, "alwaysInclude: perhaps\n"), (false, true));
    }

    #[test]
    fn labels_are_one_set() {
        let read = entry(
            "---\ntags: [auth]\ntype: project\nstatus: active\nentities: [sarah]\n---\n\nx\n",
        );
        let has = |wanted: &[&str]| wanted.iter().all(|label| read.has_label(label));
        assert!(has(&["project", "Active", "auth", "sarah"]));
        assert!(!has(&["project", "archived"]));
        // Whoever wrote the file need not say again whom it is about.
        let about = |path: &str, label: &str| {
            let read = DocSummary::read(&RelPath::known(path), &"x".into());
            read.expect("a document").expect("readable").has_label(label)
        };
        assert!(about("knowledge/people/Sarah.md", "sarah"));
        assert!(about("knowledge/projects/carmenta/auth.md", "carmenta"));
        assert!(!about("knowledge/notes/sarah.md", "sarah"));
    }
}
