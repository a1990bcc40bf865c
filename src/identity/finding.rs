//! What `check` reports about one file.
//!
//! Invariant: every code is listed in [`Code::ALL`] with an explanation, so that help and tests can
//! walk them.

use super::path::RelPath;
use crate::secrets::{ALLOW, Secret};
use serde::Serialize;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; fails only under `--strict`.
    Warning,
    /// The file cannot be used as it is; `check` exits 1.
    Error,
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal, $severity:ident, $fixable:literal;)+) => {
        /// The kind of a finding; stable, never renamed.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Code { $($(#[doc = $doc])+ $name,)+ }

        impl Code {
            /// In the order of the documentation.
            pub const ALL: &[Code] = &[$(Code::$name,)+];

            /// As in JSON and on the terminal.
            pub const fn as_str(self) -> &'static str {
                match self { $(Code::$name => $text,)+ }
            }

            pub const fn severity(self) -> Severity {
                match self { $(Code::$name => Severity::$severity,)+ }
            }

            /// Whether `co check --fix` repairs it.
            pub const fn fixable(self) -> bool {
                match self { $(Code::$name => $fixable,)+ }
            }

            /// One sentence for `co help findings`.
            pub fn explanation(self) -> &'static str {
                match self { $(Code::$name => concat!($($doc),+).trim_ascii(),)+ }
            }
        }
    };
}

codes! {
    /// The file is not UTF-8 text.
    NotUtf8 = "not-utf8", Error, false;
    /// The file is larger than its kind allows; it is synced, but not read.
    TooLarge = "too-large", Error, false;
    /// The file cannot be read (permissions, a broken link, a cloud placeholder).
    Unreadable = "unreadable", Error, false;
    /// The name is not UTF-8 or contains a character that some systems cannot store.
    BadName = "bad-name", Error, false;
    /// There is no `---` block at the top.
    FrontmatterMissing = "frontmatter-missing", Error, true;
    /// The `---` block at the top is never closed.
    FrontmatterUnclosed = "frontmatter-unclosed", Error, false;
    /// The frontmatter is not a valid YAML mapping.
    FrontmatterInvalid = "frontmatter-invalid", Error, false;
    /// A key is duplicated in the frontmatter.
    FrontmatterDuplicateKey = "frontmatter-duplicate-key", Error, false;
    /// The frontmatter is larger than 64 KiB.
    FrontmatterTooLarge = "frontmatter-too-large", Error, false;
    /// A required field is missing.
    FieldMissing = "field-missing", Error, true;
    /// A field has the wrong type.
    FieldType = "field-type", Error, false;
    /// The file says that it was written for a newer version of co.
    VersionNewer = "version-newer", Error, false;
    /// No file describes the selected personality, or `selected:` is below the `---` block, where
    /// it selects nothing.
    PersonalityMissing = "personality-missing", Warning, false;
    /// A field that should be a timestamp is not one.
    StampInvalid = "stamp-invalid", Error, false;
    /// A timestamp has no time zone; it is read as UTC.
    StampNoZone = "stamp-no-zone", Warning, true;
    /// A timestamp is more than a day in the future.
    StampFuture = "stamp-future", Warning, false;
    /// A fact ends before it begins: `valid_until` is before `valid_from`.
    EndsTooEarly = "ends-too-early", Warning, false;
    /// A fact replaces another (`supersedes`), but no fact has or had that content hash.
    ReplacesNothing = "replaces-nothing", Warning, false;
    /// The content does not match the checksum in the frontmatter.
    ChecksumMismatch = "checksum-mismatch", Warning, true;
    /// The checksum is not a sha256.
    ChecksumInvalid = "checksum-invalid", Error, true;
    /// The file contains git's conflict markers.
    ConflictMarkers = "conflict-markers", Error, true;
    /// A copy that a cloud service made when two laptops changed a file at the same time.
    CloudCopy = "cloud-conflict-copy", Warning, true;
    /// A second `---` block follows the first.
    SecondFrontmatter = "second-frontmatter", Warning, false;
    /// Something that belongs to one laptop only (settings, databases, caches, sessions, keys) is
    /// in the identity.
    MachineState = "machine-state", Error, false;
    /// Something looks like a token, key or password; it belongs in the keyring.
    Secret = "secret", Error, false;
    /// Two paths differ only in case.
    PathCollision = "path-collision", Error, false;
    /// A name or place that some systems, or co, cannot handle.
    PathConvention = "path-convention", Warning, false;
    /// A document's type, status or time is not one that co knows.
    LabelUnknown = "label-unknown", Warning, false;
    /// A document refers to an original that does not exist.
    AttachmentMissing = "attachment-missing", Warning, false;
    /// A document links to a file that does not exist. Not checked: code, frontmatter, addresses on
    /// the web, and in an added document the paths of its author's files; what it shows from
    /// knowledge/attachments/ is checked.
    LinkBroken = "link-broken", Warning, false;
    /// Control characters, or characters that reverse the direction of text.
    UnseenCharacters = "unseen-characters", Warning, false;
    /// A file that every session loads is larger than its budget.
    OverBudget = "over-budget", Warning, false;
    /// So many facts are missing without `co forget` that `co sync` stops.
    FactsGone = "facts-gone", Error, false;
    /// Two facts say nearly the same thing.
    NearDuplicate = "near-duplicate", Warning, false;
    /// Two files contain the same fact.
    DuplicateFact = "duplicate-fact", Warning, true;
    /// Two facts share a number (`id`).
    DuplicateId = "duplicate-id", Warning, true;
    /// Two facts share a `created` timestamp, by which co recognises a fact on every laptop.
    DuplicateOrigin = "duplicate-origin", Warning, true;
    /// The ledger of forgotten facts has a line that cannot be read.
    LedgerLine = "ledger-line", Error, false;
    /// A fact has no text.
    EmptyBody = "empty-body", Warning, false;
    /// The repository itself is in a folder that a cloud service syncs.
    GitInCloud = "git-in-cloud", Warning, false;
    /// The identity's own repository is inside another one, which would record none of its files.
    NestedRepository = "nested-repository", Warning, false;
    /// A folder in skills/ breaks a rule of the Agent Skills standard, or contains text that nobody
    /// sees; no agent gets it.
    SkillInvalid = "skill-invalid", Error, false;
    /// A git ignore rule keeps the file, or the files in a folder, on this laptop.
    Ignored = "ignored", Warning, false;
}

impl Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    pub code: Code,
    pub severity: Severity,
    /// The file, relative to the identity.
    pub path: String,
    /// From 1, if known.
    pub line: Option<usize>,
    /// The frontmatter key, if the finding is about one.
    pub field: Option<String>,
    /// What is wrong and what to write instead.
    pub message: String,
    pub fixable: bool,
}

impl Finding {
    pub fn new(code: Code, path: &RelPath, message: impl Into<String>) -> Finding {
        Finding {
            code,
            severity: code.severity(),
            path: path.to_string(),
            line: None,
            field: None,
            message: message.into(),
            fixable: code.fixable(),
        }
    }

    pub(super) fn of_secret(path: &RelPath, secret: &Secret) -> Finding {
        let message = format!(
            "{} (rule {}: {}); keep it in the keyring (`co secret set NAME`) and write \
             {{{{secret:NAME}}}}, or put `{ALLOW}` on the line",
            secret.what, secret.rule, secret.excerpt
        );
        Finding { line: secret.line, ..Finding::new(Code::Secret, path, message) }
    }

    pub fn at(mut self, line: usize) -> Finding {
        self.line = Some(line);
        self
    }

    pub fn field(mut self, field: &str) -> Finding {
        self.field = Some(field.to_owned());
        self
    }
}
