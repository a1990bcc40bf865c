//! A path inside an identity, and what kind of file lives there.
//!
//! Invariant: a [`RelPath`] never leaves the identity (no `..`, no root, no empty part) and uses `/` on every system.

use std::{fmt, sync::Arc};

/// A file's path relative to the identity folder.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelPath(Arc<str>);

/// What a file is, decided by its path alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// `profile.md`: who the user is, as `- Key: value` fields.
    Profile,
    /// `profile/*.md`: identity, preferences, communication, boundaries.
    ProfilePart,
    /// `personality.md`: how the assistant talks.
    Personality,
    /// `traits/*.md`: adapted behaviour.
    Trait,
    /// `knowledge/context.md`: always loaded.
    Context,
    /// `knowledge/memories/*.md`: one fact each.
    Memory,
    /// `knowledge/articles/*.md`: fetched or extracted text.
    Article,
    /// Any other markdown under `knowledge/`.
    Document,
    /// `knowledge/forgotten.md`: the ledger of forgotten facts.
    Ledger,
    /// `attachments/…`: binary originals.
    Attachment,
    /// `.gitattributes` and `.gitignore`.
    GitMeta,
    /// Everything else; carried as it is.
    Other,
}

/// Where memories live.
pub const MEMORIES: &str = "knowledge/memories/";
/// Where the ledger lives.
pub const LEDGER: &str = "knowledge/forgotten.md";
/// The always-loaded context.
pub const CONTEXT: &str = "knowledge/context.md";
/// Who the user is.
pub const PROFILE: &str = "profile.md";
/// How the assistant talks.
pub const PERSONALITY: &str = "personality.md";

impl RelPath {
    /// A path from text, or `None` when it could leave the identity.
    pub fn new(text: &str) -> Option<RelPath> {
        let sound = !text.is_empty() && !text.contains(['\\', '\0']) && text.split('/').all(|part| !part.is_empty() && part != "." && part != "..");
        sound.then(|| RelPath(text.into()))
    }

    /// A path that the program itself composed.
    ///
    /// # Panics
    /// When the text is no sound relative path: a mistake in the program, not in the data.
    pub fn known(text: &str) -> RelPath {
        RelPath::new(text).expect("because the program composed this path from sound parts")
    }

    /// The text, with `/` between parts.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last part.
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// The last part without its ending.
    pub fn stem(&self) -> &str {
        let name = self.name();
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// The folder, with a trailing `/`, or nothing at the top.
    pub fn folder(&self) -> &str {
        &self.0[..self.0.len() - self.name().len()]
    }

    /// The same folder with another name.
    pub fn with_name(&self, name: &str) -> RelPath {
        RelPath::known(&format!("{}{name}", self.folder()))
    }

    /// How two paths compare on file systems that fold case.
    pub fn folded(&self) -> String {
        self.0.to_lowercase()
    }

    /// What kind of file this is.
    pub fn kind(&self) -> Kind {
        let text = self.as_str();
        if matches!(self.name(), ".gitattributes" | ".gitignore") {
            return Kind::GitMeta;
        }
        let markdown = text.ends_with(".md");
        match text {
            PROFILE => Kind::Profile,
            PERSONALITY => Kind::Personality,
            CONTEXT => Kind::Context,
            LEDGER => Kind::Ledger,
            _ if text.starts_with("attachments/") => Kind::Attachment,
            _ if !markdown || self.name().starts_with('.') => Kind::Other,
            _ if directly_under(text, MEMORIES) => Kind::Memory,
            _ if directly_under(text, "profile/") => Kind::ProfilePart,
            _ if directly_under(text, "traits/") => Kind::Trait,
            _ if text.starts_with("knowledge/articles/") => Kind::Article,
            _ if text.starts_with("knowledge/") => Kind::Document,
            _ => Kind::Other,
        }
    }
}

fn directly_under(text: &str, folder: &str) -> bool {
    text.strip_prefix(folder).is_some_and(|rest| !rest.contains('/'))
}

impl fmt::Display for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl serde::Serialize for RelPath {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leaves_the_identity() {
        for text in ["", "/etc/passwd", "../x", "a/../b", "a//b", "./a", "a\\b", "a/"] {
            assert_eq!(RelPath::new(text), None, "{text:?}");
        }
    }

    #[test]
    fn kinds_by_path() {
        let kind = |text: &str| RelPath::known(text).kind();
        assert_eq!(kind("profile.md"), Kind::Profile);
        assert_eq!(kind("profile/boundaries.md"), Kind::ProfilePart);
        assert_eq!(kind("traits/a.md"), Kind::Trait);
        assert_eq!(kind("traits/deep/a.md"), Kind::Other);
        assert_eq!(kind("knowledge/memories/001-a.md"), Kind::Memory);
        assert_eq!(kind("knowledge/memories/.#001-a.md"), Kind::Other);
        assert_eq!(kind("knowledge/memories/old/001-a.md"), Kind::Document);
        assert_eq!(kind("knowledge/people/sarah.md"), Kind::Document);
        assert_eq!(kind("knowledge/forgotten.md"), Kind::Ledger);
        assert_eq!(kind("attachments/a.md"), Kind::Attachment);
        assert_eq!(kind("knowledge/.gitattributes"), Kind::GitMeta);
    }
}
