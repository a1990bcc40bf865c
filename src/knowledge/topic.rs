//! Topics: the slug paths that identify documents.
//!
//! Invariant: a parsed topic is a file in an identity that co may write as a document: never a
//! memory, the ledger, the context or an attachment. `people/sarah` and `knowledge/people/sarah`
//! are the same topic.

use crate::foreign::Foreign;
use crate::identity::{Kind, RelPath, conventions, portable::is_device};
use std::fmt;

/// The first component of a topic's full path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Namespace {
    /// Who the user is: in every context, never searched.
    Profile,
    /// What the user knows: found by search.
    Knowledge,
    /// What ships with co itself: found by search, and read-only.
    Docs,
}

impl Namespace {
    pub const ALL: [Namespace; 3] = [Namespace::Profile, Namespace::Knowledge, Namespace::Docs];

    pub const fn name(self) -> &'static str {
        match self {
            Namespace::Profile => "profile",
            Namespace::Knowledge => "knowledge",
            Namespace::Docs => "docs",
        }
    }
}

/// Maximum bytes of a component: the limit of file systems, less the extension.
const MAX_PART_LEN: usize = 200;
/// Maximum number of components.
const MAX_PARTS: usize = 16;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Topic {
    namespace: Namespace,
    /// Below the namespace, without an extension.
    below: String,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadTopic {
    #[error("a topic is needed, e.g. `people/sarah`")]
    Empty,
    #[error("`{0}` is not a valid topic: {1}")]
    Unsound(String, &'static str),
    #[error("`{0}` cannot be a document: {1}")]
    Taken(String, &'static str),
}

impl Topic {
    /// A topic as people type it: with or without `knowledge/`, with or without `.md`.
    pub fn parse(typed: &str) -> Result<Topic, BadTopic> {
        let typed = typed.trim();
        let path = typed.trim_matches('/');
        let path = path.strip_suffix(".md").unwrap_or(path);
        if path.is_empty() {
            return Err(BadTopic::Empty);
        }
        let unsound = |why| Err(BadTopic::Unsound(typed.to_owned(), why));
        let whole = |part: &str| part == part.trim() && !part.starts_with('.') && !part.is_empty();
        if !path.split('/').all(whole) || RelPath::new(path).is_none() {
            return unsound("each part must be a name that does not begin with a dot");
        }
        let is_markup = |letter| "\\:*?\"|<>".contains(letter);
        if !path.split('/').all(|part| Foreign(part).is_seen_whole()) || path.contains(is_markup) {
            return unsound("it contains characters that some systems do not allow in file names");
        }
        if path.split('/').any(|part| part.len() > MAX_PART_LEN)
            || path.split('/').count() > MAX_PARTS
        {
            return unsound("it is too long");
        }
        let (namespace, below) = match path.split_once('/') {
            Some(("profile", below)) => (Namespace::Profile, below),
            Some(("docs", below)) => (Namespace::Docs, below),
            Some(("knowledge", below)) => (Namespace::Knowledge, below),
            _ => (Namespace::Knowledge, path),
        };
        let topic = Topic { namespace, below: below.to_owned() };
        match topic.taken() {
            Some(why) => Err(BadTopic::Taken(typed.to_owned(), why)),
            None => Ok(topic),
        }
    }

    /// What stands behind the name of a layer: `people/sarah` of `acme/people/sarah`.
    pub fn behind(&self, layer: &str) -> Option<Topic> {
        let below = Some(&self.below).filter(|_| self.namespace == Namespace::Knowledge)?;
        Topic::parse(below.strip_prefix(layer)?.strip_prefix('/')?).ok()
    }

    /// Refuses a name that a new document should not get. One that is there already can be read,
    /// moved and deleted by it.
    pub fn for_new_file(&self) -> Result<(), BadTopic> {
        if self.below.split('/').any(is_device) {
            return Err(BadTopic::Unsound(self.to_string(), "Windows reserves the name"));
        }
        Ok(())
    }

    /// Why its path is reserved for something else.
    fn taken(&self) -> Option<&'static str> {
        match (self.namespace, self.below.split('/').next().unwrap_or_default()) {
            (Namespace::Docs, _) => None,
            (Namespace::Profile, _) if self.below.contains('/') => {
                Some("profile/ cannot have subfolders")
            }
            (Namespace::Profile, _) => None,
            (_, "memories") => Some("facts are kept there; `co learn` saves one"),
            (_, "attachments") => Some("originals are kept there; `co knowledge add` adds one"),
            (_, "context") if self.below == "context" => {
                Some("it is the context that every session starts with; edit the file")
            }
            (_, "forgotten") if self.below == "forgotten" => {
                Some("it is the ledger of forgotten facts")
            }
            (_, "merge-questions") if self.below == "merge-questions" => {
                Some("it lists what merges left to look at; `co review` asks about it")
            }
            _ => None,
        }
    }

    /// The topic of a file; `None` for other kinds of files.
    pub fn of(path: &RelPath) -> Option<Topic> {
        let namespace = match path.kind() {
            Kind::Document | Kind::Article => Namespace::Knowledge,
            Kind::ProfilePart => Namespace::Profile,
            _ => return None,
        };
        let below = path.as_str().strip_suffix(".md")?;
        let below = below.strip_prefix(namespace.name())?.strip_prefix('/')?;
        Some(Topic { namespace, below: below.to_owned() })
    }

    /// A topic from components known to be valid, unchecked.
    pub fn known(namespace: Namespace, below: &str) -> Topic {
        Topic { namespace, below: below.to_owned() }
    }

    pub fn namespace(&self) -> Namespace {
        self.namespace
    }

    /// The file, relative to the root of a store; co's own documents have none.
    pub fn file(&self) -> Option<RelPath> {
        match self.namespace {
            Namespace::Docs => None,
            Namespace::Profile | Namespace::Knowledge => {
                RelPath::new(&format!("{}.md", self.full()))
            }
        }
    }

    /// `knowledge/people/sarah`
    pub fn full(&self) -> String {
        format!("{}/{}", self.namespace.name(), self.below)
    }

    /// Its path below the namespace.
    pub fn below(&self) -> &str {
        &self.below
    }

    /// The components below the namespace.
    pub fn parts(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.below.split('/')
    }

    /// The last component.
    pub fn name(&self) -> &str {
        self.below.rsplit('/').next().unwrap_or(&self.below)
    }

    /// The folder below the namespace, empty at its top level.
    pub fn folder(&self) -> &str {
        self.below.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// Whether it is at the top level of its namespace.
    pub fn is_flat(&self) -> bool {
        self.folder().is_empty()
    }

    /// The person or project that its path says it is about.
    pub fn subject(&self) -> Option<&str> {
        let mut parts = self.parts();
        let is_about_one = matches!(parts.next(), Some("people" | "projects"));
        parts.next().filter(|_| is_about_one)
    }

    /// What is unusual about its name; it works anyway.
    pub fn unusual(&self) -> Vec<String> {
        match self.namespace {
            Namespace::Knowledge => conventions::naming(&self.below),
            Namespace::Profile | Namespace::Docs => Vec::new(),
        }
    }
}

/// `Google Calendar OAuth` → `google-calendar-oauth`; `authDecisions` → `auth-decisions`.
pub fn slug(text: &str) -> String {
    let mut slug = String::new();
    let mut before = ' ';
    // `PostgreSQL` is one word.
    let is_camel = text.starts_with(char::is_lowercase) && text.chars().all(char::is_alphanumeric);
    for letter in text.chars() {
        let begins_word = is_camel && letter.is_uppercase() && before.is_lowercase();
        if (begins_word || !letter.is_alphanumeric()) && !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
        if letter.is_alphanumeric() {
            slug.extend(letter.to_lowercase());
        }
        before = letter;
    }
    let mut slug = slug.trim_end_matches('-').to_owned();
    let end = slug.char_indices().map(|(at, _)| at).take_while(|at| *at <= 80).last().unwrap_or(0);
    if slug.len() > 80 {
        slug.truncate(end);
        slug.truncate(slug.trim_end_matches('-').len());
    }
    match slug.as_str() {
        "" => "document".to_owned(),
        reserved if is_device(reserved) => format!("{reserved}-document"),
        _ => slug,
    }
}

/// A text as lower-case words between hyphens, so that a slug can be found in it.
pub fn words(text: &str) -> String {
    let mut words = String::with_capacity(text.len() + 2);
    words.push('-');
    for letter in text.chars() {
        if letter.is_alphanumeric() {
            words.extend(letter.to_lowercase());
        } else if !words.ends_with('-') {
            words.push('-');
        }
    }
    words.push('-');
    words
}

/// As in lists: `people/sarah`, or the full path if that could be read as another namespace.
impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = self.below.split('/').next().unwrap_or_default();
        let is_clear = !Namespace::ALL.iter().any(|namespace| namespace.name() == first);
        if self.namespace == Namespace::Knowledge && (is_clear || self.is_flat()) {
            f.write_str(&self.below)
        } else {
            f.write_str(&self.full())
        }
    }
}

impl serde::Serialize for Topic {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(typed: &str) -> String {
        let topic = Topic::parse(typed).expect("a topic");
        assert_eq!(Topic::parse(&topic.to_string()), Ok(topic.clone()), "{typed}");
        let file = topic.file().expect("a file");
        assert_eq!(Topic::of(&file), Some(topic));
        file.to_string()
    }

    #[test]
    fn topics_are_files() {
        assert_eq!(file("claude_models"), "knowledge/claude_models.md");
        assert_eq!(file("people/sarah"), "knowledge/people/sarah.md");
        assert_eq!(file("knowledge/people/sarah.md"), "knowledge/people/sarah.md");
        assert_eq!(file("profile/preferences"), "profile/preferences.md");
        assert_eq!(file("knowledge/docs/a"), "knowledge/docs/a.md");
        assert_eq!(file("profile"), "knowledge/profile.md");
        assert_eq!(file("articles/rfc-9110"), "knowledge/articles/rfc-9110.md");
    }

    #[test]
    fn what_is_no_topic() {
        let bad = [
            "",
            "/",
            "a//b",
            "../x",
            "a/../b",
            ".git/config",
            "a/.hidden",
            "memories/x",
            "context",
            "knowledge/forgotten",
            "attachments/a",
            "profile/a/b",
            "a\nb",
            "a:b",
            "c\\d",
        ];
        for typed in bad {
            assert!(Topic::parse(typed).is_err(), "{typed:?}");
        }
        assert!(Topic::parse(&"x".repeat(300)).is_err());
        let new = |typed: &str| Topic::parse(typed).and_then(|topic| topic.for_new_file());
        for reserved in ["articles/con", "NUL", "com1.notes/x", "people/lpt9"] {
            assert!(Topic::parse(reserved).is_ok() && new(reserved).is_err(), "{reserved}");
        }
        assert!(new("console").is_ok() && new("people/com10").is_ok());
    }

    #[test]
    fn names_that_are_unusual() {
        let unusual = |typed: &str| Topic::parse(typed).expect("a topic").unusual().len();
        let fine = ["people/sarah", "claude_models", "projects/carmenta/auth-decisions", "我的猫"];
        for typed in fine.into_iter().chain(["meetings/2025-12-22-q1-planning", "profile/identity"])
        {
            assert_eq!(unusual(typed), 0, "{typed}");
        }
        let odd = ["Projects/carmenta", "people/auth_decisions", "q1-planning!", "a/b/c/d"];
        for typed in odd.into_iter().chain(["meetings/planning-december"]) {
            assert_eq!(unusual(typed), 1, "{typed}");
        }
    }

    #[test]
    fn slugs() {
        assert_eq!(slug("Google Calendar OAuth!"), "google-calendar-oauth");
        assert_eq!(slug("authDecisions"), "auth-decisions");
        assert_eq!(slug("  "), "document");
        assert_eq!(slug("Con"), "con-document");
        assert!(slug(&"long words ".repeat(30)).len() <= 80);
    }
}
