//! `identity diff`: what an import would change, what a sync would bring, or what was changed since
//! a commit. Changes nothing.
//!
//! Invariant: for archives and folders it is the very proposal that `import` applies.

use super::{
    Failure, guard,
    source::{self, Current, Source},
    store::Store,
    sync,
};
use crate::identity::{Blob, Memory, Snapshot, manifest::Manifest};
use crate::merge::{
    change::{FileChange, Meaning},
    import::{How, NotTaken, Proposal, propose},
};
use crate::recall::similar::{self, Similar};
use crate::secrets::Allowed;
use crate::system::{Context, SystemError, git::Repo};
use serde::Serialize;

/// What to compare with.
#[derive(Clone, Debug)]
pub struct Request {
    /// An archive, folder, commit or remote; nothing: the last commit.
    pub source: Option<String>,
    /// How an import would come in.
    pub how: How,
}

/// What the two sides are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// What an import of the source would change here.
    Import,
    /// What a sync with the source would change here.
    Sync,
    /// What was changed here since the source.
    Since,
}

/// One file before and after.
#[derive(Clone, Debug, Serialize)]
pub struct FileLine {
    /// Its path in the identity.
    pub path: String,
    /// The hash of its bytes before; nothing when it is new.
    pub before: Option<String>,
    /// The hash of its bytes afterwards; nothing when it goes.
    pub after: Option<String>,
    /// Its bytes afterwards: text, or numbers where it is none.
    pub content: Option<Content>,
}

#[derive(Clone, Debug)]
pub struct Report {
    /// What it is compared with, as it was named.
    pub source: String,
    /// What the two sides are.
    pub direction: Direction,
    /// What the source's manifest says.
    pub manifest: Manifest,
    /// How many memories the source has, and how many are here.
    pub memories: (usize, usize),
    pub proposal: Proposal,
    /// The same, as facts and lines.
    pub meaning: Meaning,
    /// New facts that look like one that is here.
    pub similar: Vec<Similar>,
    /// What a person should know.
    pub warnings: Vec<String>,
}

impl Report {
    pub fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "source": self.source, "direction": self.direction, "manifest": self.manifest,
            "source_memories": self.memories.0, "memories": self.memories.1,
            "learned": self.meaning.learned, "forgotten": self.meaning.forgotten, "edited": self.meaning.edited,
            "deduplicated": self.meaning.deduplicated, "documents": self.meaning.documents,
            "not_taken": self.proposal.not_taken, "same": self.proposal.same, "similar": self.similar,
            "renumbered": self.proposal.renumbered, "decisions": self.proposal.change.decisions, "files": self.files(),
        })
    }

    /// Every file that changes, with its new content: applying these is the import.
    pub fn files(&self) -> Vec<FileLine> {
        self.proposal.change.files.iter().map(FileLine::of).collect()
    }

    /// Facts of the source that stay out.
    pub fn not_taken(&self) -> &[NotTaken] {
        &self.proposal.not_taken
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.proposal.change.is_empty()
    }
}

impl FileLine {
    fn of(file: &FileChange) -> FileLine {
        let hash = |blob: &Option<Blob>| {
            blob.as_ref().map(|blob| crate::identity::ContentHash::of_bytes(blob).to_string())
        };
        FileLine {
            path: file.path.to_string(),
            before: hash(&file.before),
            after: hash(&file.after),
            content: file.after.as_ref().map(Content::of),
        }
    }
}

/// Compares.
///
/// # Errors
/// [`super::Exit::NotFound`] for a source that is nothing, [`super::Exit::Refused`] for an unsafe
/// one, [`super::Exit::Remote`] for a silent remote.
pub fn run(context: &Context, request: &Request) -> Result<Report, Failure> {
    let store = Store::identity(context)?;
    sync::recover(context);
    let Some(text) = &request.source else { return since_commit(context, &store) };
    match Source::named(context, text)? {
        Source::Remote => with_remote(context, &store, text),
        Source::Commit(id) => {
            let repo = repository(context)?;
            let before = repo.snapshot(Some(id)).map_err(SystemError::from)?;
            Ok(since(text.clone(), &before, &Current::of(context, &store)?.read))
        }
        source => {
            let (mut report, _) = of_import(context, &store, text, &source, request.how)?;
            report.warnings.extend(guard::warnings(&report.proposal.change, &Allowed::default()));
            Ok(report)
        }
    }
}

/// The comparison that an import shows and applies, with the identity it was made from.
///
/// # Errors
/// As [`source::read`].
pub fn of_import(
    context: &Context,
    store: &Store,
    name: &str,
    source: &Source,
    how: How,
) -> Result<(Report, Current), Failure> {
    let incoming = source::read(context, source)?;
    let current = Current::of(context, store)?;
    let proposal = propose(&current.tidied, &incoming.snapshot, how, context.now());
    let memories = (incoming.snapshot.memories().len(), current.tidied.memories().len());
    let name = std::path::Path::new(name)
        .file_name()
        .map_or_else(|| name.to_owned(), |name| name.to_string_lossy().into_owned());
    let report = Report {
        source: if name == "-" { "standard input".to_owned() } else { name },
        direction: Direction::Import,
        manifest: incoming.manifest,
        memories,
        similar: similar_to(&proposal),
        meaning: proposal.change.meaning(),
        proposal,
        warnings: incoming.warnings,
    };
    Ok((report, current))
}

fn similar_to(proposal: &Proposal) -> Vec<Similar> {
    let comes = |file: &FileChange| file.path.is_memory() && file.after.is_some();
    if !proposal.change.files.iter().any(comes) {
        return Vec::new();
    }
    let known: std::collections::BTreeSet<_> =
        proposal.before.memories().iter().map(|memory| memory.hash).collect();
    let after = proposal.after.memories();
    let (old, new): (Vec<&Memory>, Vec<&Memory>) =
        after.iter().partition(|memory| known.contains(&memory.hash));
    similar::nearest(&new, &old)
}

/// The repository, to compare with its commits.
fn repository(context: &Context) -> Result<Repo, Failure> {
    sync::repository(context)
        .map_err(|failure| failure.hint("`co identity diff ARCHIVE` compares with an export"))
}

fn since_commit(context: &Context, store: &Store) -> Result<Report, Failure> {
    let repo = repository(context)?;
    let head = repo.head().map_err(SystemError::from)?;
    let mut here = Current::of(context, store)?.there;
    let listed = crate::system::folder::list(&store.root, "").files;
    let difference = repo.compare(&listed).map_err(SystemError::from)?;
    let before = repo.snapshot_like(head, &here, &difference).map_err(SystemError::from)?;
    for path in &difference.ignored {
        here.remove(path);
    }
    Ok(since("the last commit".into(), &before, &here))
}

fn since(source: String, before: &Snapshot, after: &Snapshot) -> Report {
    let memories = (before.memories().len(), after.memories().len());
    let proposal = Proposal::between(before, after);
    let meaning = proposal.change.meaning();
    compared(source, Direction::Since, memories, proposal, meaning)
}

fn with_remote(context: &Context, store: &Store, text: &str) -> Result<Report, Failure> {
    let current = Current::of(context, store)?;
    let (theirs, merged, decisions) = sync::preview(context, &current.tidied)?;
    let memories = (theirs.memories().len(), current.tidied.memories().len());
    let mut proposal = Proposal::between(&current.tidied, &merged);
    proposal.change.decisions = decisions;
    let meaning = proposal.change.meaning();
    proposal.same = memories.0.saturating_sub(meaning.learned.len());
    Ok(compared(text.to_owned(), Direction::Sync, memories, proposal, meaning))
}

/// A comparison with a side that has no manifest.
fn compared(
    source: String,
    direction: Direction,
    memories: (usize, usize),
    proposal: Proposal,
    meaning: Meaning,
) -> Report {
    Report {
        source,
        direction,
        manifest: Manifest::default(),
        memories,
        similar: similar_to(&proposal),
        proposal,
        meaning,
        warnings: Vec::new(),
    }
}

/// The bytes of a file: as text where they are, as numbers where they are not.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Content {
    Text(String),
    /// Anything else.
    Raw(Vec<u8>),
}

impl Content {
    fn of(blob: &Blob) -> Content {
        match std::str::from_utf8(blob) {
            Ok(text) => Content::Text(text.to_owned()),
            Err(_) => Content::Raw(blob.to_vec()),
        }
    }
}
