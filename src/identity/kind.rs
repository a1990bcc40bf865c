//! What each kind of file is: a table with one row per kind.
//!
//! Invariant: the path decides the kind, and the kind decides how a file merges, what check
//! requires, how large it may be, whether a cloud copy may be folded into it, whether it proves an
//! identity. A new kind is a variant, a row in the table and an arm in `meaning`, plus a rule in
//! `merge` if it merges in a new way. What agents read of it is decided in `context::layer`.

use super::{
    note,
    path::{RelPath, has_hidden_part},
};

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
    /// `knowledge/attachments/…` and `attachments/…`: binary originals.
    Attachment,
    /// `knowledge/reviewed.md`: which proposals were answered.
    Reviewed,
    /// `knowledge/merge-questions.md`: what merges left for a person to look at.
    Questions,
    /// `agents/NAME/PROJECT/…`: an agent's notes about a project, as it wrote them.
    Note,
    /// `skills/NAME/…`: what agents can do, byte for byte.
    Skill,
    /// `agents/handoff/PROJECT/BRANCH.md`: where a piece of work stands.
    Handoff,
    /// `.gitattributes` and `.gitignore`.
    GitMeta,
    /// Everything else; merged, never corrected.
    Other,
}

/// What a file contains, and what `check` requires of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Memory,
    /// Frontmatter with `version` and `updated`, followed by entries.
    Versioned,
    /// Text with optional frontmatter.
    Loose,
    Ledger,
    /// Another program's text, never corrected.
    Foreign,
    /// Bytes that co does not look into.
    Opaque,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MergeRule {
    /// All memories as one collection.
    Memories,
    /// Union of the lines; the later stamp counts.
    Ledger,
    /// By keys and entries; every `- Key: value` that occurs once is a field.
    Fields,
    /// By keys and entries; a `- Key: value` is a field only if it is one in the base as well.
    Entries,
    /// By lines, or else the newer text.
    Lines,
    /// Like [`MergeRule::Entries`] without fields: if changes overlap, both texts are kept.
    Notes,
    /// A set of lines, three-way.
    Index,
    /// The one that was written later, whole.
    Newest,
    LineSet,
    /// Text of any format: by lines, unless that breaks the format; then, and if it is no text,
    /// like [`MergeRule::KeepBoth`].
    Text,
    /// The newer stays in its place, and the other is put next to it.
    KeepBoth,
}

impl MergeRule {
    /// Whether it takes a file for bytes, so that only the times of the file say which is newer.
    pub fn reads_no_stamps(self) -> bool {
        matches!(self, MergeRule::Text | MergeRule::KeepBoth)
    }
}

/// Whether a cloud service's copy of a file may be folded into it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Folding {
    /// Always: a union of entries loses nothing.
    ByEntries,
    /// Only a copy of the same memory.
    SameOrigin,
    /// The merge could drop text: both stay, and a person decides.
    Never,
}

enum PathPattern {
    File(&'static str),
    /// Markdown files directly in this folder.
    In(&'static str),
    /// Markdown files anywhere below this folder.
    Below(&'static str),
    /// Any file below this folder.
    AnyBelow(&'static str),
    /// A file of this name in any folder.
    Named(&'static str),
    /// A file of this name anywhere below this folder.
    NamedBelow(&'static str, &'static str),
    Anywhere,
}

/// What a file means to a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Who the user is and how assistants behave.
    Persona,
    Fact,
    Document,
    /// The file that a document was made from.
    Original,
    /// A note that an agent wrote.
    Note,
    /// A part of what agents can do.
    Skill,
    /// co's own bookkeeping, synced but never shown.
    Record,
    /// git's own files, which belong to this repository rather than to the identity.
    Git,
    Other,
}

pub struct Row {
    pub kind: Kind,
    pub role: Role,
    /// The kind that a file at this path proves: only co writes files there.
    pub(super) proves: Option<Kind>,
    pub form: Form,
    pub merge: MergeRule,
    pub(super) folding: Folding,
    /// In bytes; larger files are not read.
    pub limit: u64,
    /// A database or cache here is the user's document, not machine state.
    pub(super) carries_anything: bool,
    place: PathPattern,
}

pub const MEMORIES: &str = "knowledge/memories/";
/// Contains a folder per agent, and in it one per project.
pub const NOTES: &str = "agents/";
/// Contains the parts of the profile.
pub const PROFILE_PARTS: &str = "profile/";
pub const TRAITS: &str = "traits/";
/// Contains a folder per skill.
pub const SKILLS: &str = "skills/";
/// Contains a folder per project.
pub const HANDOFFS: &str = "agents/handoff/";
pub const LEDGER: &str = "knowledge/forgotten.md";
pub const REVIEWED: &str = "knowledge/reviewed.md";
pub const QUESTIONS: &str = "knowledge/merge-questions.md";
pub const CONTEXT: &str = "knowledge/context.md";
pub const PROFILE: &str = "profile.md";
pub const PERSONALITY: &str = "personality.md";

const MIB: u64 = 1024 * 1024;
/// A memory is one fact, so this is far more than it needs.
pub const MAX_MEMORY_BYTES: u64 = MIB;
pub const MAX_TEXT_BYTES: u64 = 8 * MIB;
/// Larger files are left for the user to carry.
pub const MAX_FILE_BYTES: u64 = 64 * MIB;

const fn row(
    kind: Kind,
    place: PathPattern,
    form: Form,
    merge: MergeRule,
    folding: Folding,
) -> Row {
    let limit = match form {
        Form::Memory => MAX_MEMORY_BYTES,
        Form::Opaque => MAX_FILE_BYTES,
        Form::Versioned | Form::Loose | Form::Ledger | Form::Foreign => MAX_TEXT_BYTES,
    };
    let carries_anything = matches!(kind, Kind::Attachment);
    let (role, proves) = meaning(kind);
    Row { kind, role, proves, form, merge, folding, limit, carries_anything, place }
}

const fn meaning(kind: Kind) -> (Role, Option<Kind>) {
    match kind {
        Kind::Profile | Kind::ProfilePart => (Role::Persona, Some(Kind::Profile)),
        Kind::Personality | Kind::Trait | Kind::Context => (Role::Persona, Some(kind)),
        Kind::Memory => (Role::Fact, Some(Kind::Memory)),
        Kind::Ledger => (Role::Record, Some(Kind::Memory)),
        Kind::Reviewed | Kind::Questions => (Role::Record, None),
        Kind::Article | Kind::Document => (Role::Document, None),
        Kind::Attachment => (Role::Original, None),
        Kind::Note | Kind::Handoff => (Role::Note, None),
        Kind::Skill => (Role::Skill, None),
        Kind::GitMeta => (Role::Git, None),
        Kind::Other => (Role::Other, None),
    }
}

/// The first row whose pattern matches a file decides its kind.
static TABLE: &[Row] = {
    use Folding::{ByEntries, Never, SameOrigin};
    use Form::{Foreign, Ledger, Loose, Memory, Opaque, Versioned};
    use MergeRule as Rule;
    use PathPattern::{AnyBelow, Anywhere, Below, File, In, Named, NamedBelow};
    &[
        // First, because nearly every file is a fact; no row below it takes such a path away.
        row(Kind::Memory, In(MEMORIES), Memory, Rule::Memories, SameOrigin),
        row(Kind::GitMeta, Named(".gitattributes"), Opaque, Rule::LineSet, Never),
        row(Kind::GitMeta, Named(".gitignore"), Opaque, Rule::LineSet, Never),
        row(Kind::Profile, File(PROFILE), Versioned, Rule::Fields, ByEntries),
        row(Kind::Personality, File(PERSONALITY), Versioned, Rule::Fields, ByEntries),
        row(Kind::Context, File(CONTEXT), Versioned, Rule::Entries, ByEntries),
        row(Kind::Ledger, File(LEDGER), Ledger, Rule::Ledger, ByEntries),
        row(Kind::Reviewed, File(REVIEWED), Foreign, Rule::Index, Never),
        row(Kind::Questions, File(QUESTIONS), Foreign, Rule::Index, Never),
        row(Kind::Attachment, AnyBelow("attachments/"), Opaque, Rule::KeepBoth, Never),
        row(Kind::Attachment, AnyBelow("knowledge/attachments/"), Opaque, Rule::KeepBoth, Never),
        row(Kind::ProfilePart, In(PROFILE_PARTS), Versioned, Rule::Fields, ByEntries),
        row(Kind::Trait, In(TRAITS), Versioned, Rule::Entries, ByEntries),
        row(Kind::Article, Below("knowledge/articles/"), Loose, Rule::Lines, Never),
        row(Kind::Document, Below("knowledge/"), Loose, Rule::Lines, Never),
        row(Kind::Handoff, Below(HANDOFFS), Foreign, Rule::Newest, Never),
        row(Kind::Note, NamedBelow(NOTES, note::INDEX), Foreign, Rule::Index, Never),
        row(Kind::Note, Below(NOTES), Foreign, Rule::Notes, Never),
        // Programs and texts alike are another's: lines of two versions are never mixed.
        row(Kind::Skill, AnyBelow(SKILLS), Opaque, Rule::KeepBoth, Never),
        row(Kind::Other, Anywhere, Opaque, Rule::Text, Never),
    ]
};

/// The rows for a place of their own: a file, or a folder.
pub fn places() -> impl Iterator<Item = (&'static str, &'static Row)> {
    TABLE.iter().filter_map(|row| Some((row.place.below()?, row)))
}

impl PathPattern {
    /// The file, or the folder of all files; `None` of what may be anywhere.
    fn below(&self) -> Option<&'static str> {
        match self {
            PathPattern::File(place)
            | PathPattern::In(place)
            | PathPattern::Below(place)
            | PathPattern::AnyBelow(place)
            | PathPattern::NamedBelow(place, _) => Some(place),
            PathPattern::Named(_) | PathPattern::Anywhere => None,
        }
    }

    fn fits(&self, path: &str, name: &str) -> bool {
        let markdown = || name.ends_with(".md") && !has_hidden_part(path);
        match self {
            PathPattern::File(file) => path == *file,
            // Hot: the pattern of facts. The name is all that follows a folder that is not hidden.
            PathPattern::In(folder) => {
                path.len() == folder.len() + name.len()
                    && name.ends_with(".md")
                    && !name.starts_with('.')
                    && path.starts_with(folder)
            }
            PathPattern::Below(folder) => path.starts_with(folder) && markdown(),
            PathPattern::AnyBelow(folder) => path.starts_with(folder),
            PathPattern::Named(wanted) => name == *wanted,
            PathPattern::NamedBelow(folder, wanted) => path.starts_with(folder) && name == *wanted,
            PathPattern::Anywhere => true,
        }
    }
}

/// Whether a file in the folder of facts is one, by its name; see [`RelPath::is_memory`].
pub fn is_memory_name(name: &str) -> bool {
    // As in a path, a backslash is not allowed.
    PathPattern::In("").fits(name, name) && !name.contains('\\')
}

impl RelPath {
    pub fn row(&self) -> &'static Row {
        let (path, name) = (self.as_str(), self.name());
        let index = TABLE.iter().position(|row| row.place.fits(path, name));
        &TABLE[index.expect("because the last row fits everywhere")]
    }

    pub fn kind(&self) -> Kind {
        self.row().kind
    }

    pub fn form(&self) -> Form {
        self.row().form
    }

    pub fn role(&self) -> Role {
        self.row().role
    }

    /// Whether a merge works line by line, so that one side's lines are dropped where both changed
    /// them.
    pub fn merges_by_lines(&self) -> bool {
        matches!(self.row().merge, MergeRule::Lines | MergeRule::Text)
    }

    /// Whether it is a file of its own, not one of facts, fields or entries: what one side deleted
    /// and the other edited is a question about the whole of it.
    pub fn is_whole(&self) -> bool {
        self.merges_by_lines() || self.row().merge == MergeRule::KeepBoth
    }

    /// Asked of each file again and again. No earlier row fits what fits that of memories. Says
    /// what its pattern does, without looking for the name first.
    pub fn is_memory(&self) -> bool {
        let below = self.as_str().strip_prefix(MEMORIES);
        below.is_some_and(|name| {
            name.ends_with(".md")
                && !name.starts_with('.')
                && memchr::memchr(b'/', name.as_bytes()).is_none()
        })
    }

    pub fn is_document(&self) -> bool {
        self.role() == Role::Document
    }

    pub fn is_ledger(&self) -> bool {
        self.kind() == Kind::Ledger
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(kind("knowledge/memories/.gitattributes"), Kind::GitMeta);
        assert_eq!(kind("knowledge/memories/.gitignore"), Kind::GitMeta);
        assert_eq!(kind("knowledge/memories/001-a.txt"), Kind::Other);
        assert_eq!(kind("knowledge/people/sarah.md"), Kind::Document);
        assert_eq!(kind("knowledge/.trash/sarah.md"), Kind::Other);
        assert_eq!(kind("knowledge/articles/.obsidian/a/b.md"), Kind::Other);
        assert_eq!(kind("knowledge/forgotten.md"), Kind::Ledger);
        assert_eq!(kind("attachments/a.md"), Kind::Attachment);
        assert_eq!(kind("knowledge/attachments/chinook.sqlite3"), Kind::Attachment);
        assert_eq!(kind("knowledge/.gitattributes"), Kind::GitMeta);
        assert_eq!(kind("agents/claude-code/github.com+a+b/tabs.md"), Kind::Note);
        assert_eq!(kind("agents/claude-code/github.com+a+b/x.bin"), Kind::Other);
        assert_eq!(kind("agents/handoff/github.com+a+b/main.md"), Kind::Handoff);
        assert_eq!(kind("notes/profile.md"), Kind::Other);
        assert_eq!(kind("skills/deploy/SKILL.md"), Kind::Skill);
        assert_eq!(kind("skills/deploy/scripts/run.sh"), Kind::Skill);
        assert_eq!(kind("skills/deploy/.gitignore"), Kind::GitMeta);
        assert_eq!(kind("skills.md"), Kind::Other);
    }

    #[test]
    fn a_memory_is_what_the_table_says() {
        for folder in [MEMORIES, "knowledge/memories/old/", "knowledge/", "attachments/", ""] {
            for name in ["1-a.md", ".gitattributes", ".gitignore", ".md", "a.txt", ".#1-a.md"] {
                let path = RelPath::known(&format!("{folder}{name}"));
                assert_eq!(path.is_memory(), path.role() == Role::Fact, "{path}");
                let is_one = folder == MEMORIES && is_memory_name(name);
                assert_eq!(path.is_memory(), is_one, "{path}");
            }
        }
        assert!(is_memory_name("1-a.md") && !is_memory_name("1\\a.md"));
    }
}
