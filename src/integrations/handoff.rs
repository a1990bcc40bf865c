//! `handoff`: leaves a note of where a piece of work stands, for the next session of any agent on
//! any laptop, and reads it.
//!
//! Invariant: only in a project, and never for one that a person excluded; a new note replaces the
//! one of the same branch. What is read is quoted as somebody else's text.

use crate::agents;
use crate::context::layers::{Body, Layer, LayerKind};
use crate::identity::{
    Blob, FileChange, RelPath,
    handoff::{self, Handoff, MAX_LEN, USER, Work},
    kind::HANDOFFS,
    text,
};
use crate::index::store::Store;
use crate::machine::{Context, files, oplog::OpVerb};
use crate::merge::ChangeSet;
use crate::secrets::{self, Allowed};
use crate::sync::{self, notes::WorkTree};
use crate::workspace::{Error, ErrorKind, VerbError, Workspace, guard};
use serde::Serialize;

#[derive(Clone, Debug, Default)]
pub struct Request {
    pub work: Work,
    /// Defaults to the current one.
    pub branch: Option<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub project: String,
    pub branch: Option<String>,
    /// In the identity.
    pub path: String,
    /// Whether there was one before.
    pub replaced: bool,
}

/// A hand-off as it is shown.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Shown {
    pub project: String,
    pub branch: Option<String>,
    /// `left by Claude Code on atlas, 2 h ago`
    pub from: String,
    pub text: String,
}

/// Why there is nothing to save or remove.
#[derive(Debug, thiserror::Error)]
pub enum HandoffError {
    #[error("{folder} is not in a repository, nor in a project with a .co-cli folder")]
    NoProject { folder: String },
    #[error("the notes of {project} are kept out of the identity; nothing was saved")]
    Excluded { project: String },
    #[error("a hand-off has to say what the work is for")]
    NoGoal,
    #[error("the hand-off has {bytes} bytes; at most {MAX_LEN} are allowed; nothing was saved")]
    TooLong { bytes: usize },
    #[error("{why}; nothing was saved")]
    Hidden { why: String },
    #[error("there is no hand-off of {project}")]
    Missing { project: String },
}

impl VerbError for HandoffError {
    fn kind(&self) -> ErrorKind {
        match self {
            HandoffError::NoProject { .. }
            | HandoffError::NoGoal
            | HandoffError::TooLong { .. } => ErrorKind::Invalid,
            HandoffError::Excluded { .. } | HandoffError::Hidden { .. } => ErrorKind::Refused,
            HandoffError::Missing { .. } => ErrorKind::NotFound,
        }
    }
}

/// The project that a hand-off can be about.
fn around(context: &Context) -> Result<WorkTree, Error> {
    let around = WorkTree::around(context, &context.cwd);
    if around.named(context).is_none() {
        return Err(HandoffError::NoProject { folder: context.shown(&context.cwd) }.into());
    }
    Ok(around)
}

pub fn save(ws: &Workspace, request: &Request) -> Result<Report, Error> {
    let store = ws.identity()?;
    let around = around(ws)?;
    let project = around.project.shown();
    if around.is_excluded(ws) {
        return Err(HandoffError::Excluded { project }.into());
    }
    // No branch has an empty name.
    let named = request.branch.clone().filter(|name| !name.trim().is_empty());
    let branch = named.or(around.branch);
    let said = sound(&request.work, branch.as_deref())?;
    let caller = ws.caller.as_ref().map(|caller| caller.client.as_str());
    let by = caller.map_or(USER, |client| agents::client(client).map_or(client, |one| one.name));
    let handoff = Handoff {
        left: ws.now(),
        by: by.to_owned(),
        on: ws.host.clone(),
        branch: branch.clone(),
        until: None,
        text: said,
    };
    let path = handoff::path(&around.project, branch.as_deref());
    let after = handoff.write(&around.project, ws.calendar());
    let replaced = put(ws, store, (&path, around.project.short()), Some(after.into()))?;
    Ok(Report { project, branch, path: path.to_string(), replaced })
}

/// The text of a hand-off that may be saved.
fn sound(work: &Work, branch: Option<&str>) -> Result<String, Error> {
    if work.goal.trim().is_empty() {
        return Err(HandoffError::NoGoal.into());
    }
    let said = work.text();
    if said.len() > MAX_LEN {
        return Err(HandoffError::TooLong { bytes: said.len() }.into());
    }
    let branch = branch.unwrap_or_default();
    if let Some(why) = [said.as_str(), branch].into_iter().find_map(text::unseen_in_words) {
        return Err(HandoffError::Hidden { why }.into());
    }
    guard::refuse_text(&said, &[branch], "", &Allowed::default(), "Nothing was saved.")?;
    Ok(said)
}

/// Writes or removes the file; whether there was one.
fn put(
    ws: &Workspace,
    store: &Store,
    (path, of): (&RelPath, &str),
    after: Option<Blob>,
) -> Result<bool, Error> {
    let write = ws.write(store)?;
    store.refuse_link(ws, path)?;
    let before = files::read(&store.root.join(path.as_str()))?.map(Blob::from);
    let was_there = before.is_some();
    let change = FileChange { path: path.clone(), before, after };
    let transaction = write.operation(OpVerb::Handoff, format!("of {of}"));
    transaction.apply(&ChangeSet::of(vec![change]))?;
    Ok(was_there)
}

/// Removes the hand-off that a session would be given.
pub fn clear(ws: &Workspace) -> Result<Shown, Error> {
    let store = ws.identity()?;
    let around = around(ws)?;
    let Some((path, handoff)) = current(ws, store, &around) else {
        return Err(HandoffError::Missing { project: around.project.shown() }.into());
    };
    put(ws, store, (&path, around.project.short()), None)?;
    Ok(shown(ws, &around, &handoff))
}

/// The hand-off that a session in the current folder is given.
pub fn find(ws: &Workspace) -> Result<Option<Shown>, Error> {
    let store = ws.identity()?;
    let around = around(ws)?;
    let found = current(ws, store, &around);
    Ok(found.map(|(_, handoff)| shown(ws, &around, &handoff)))
}

/// Whether another laptop may have left one for a session here, be it the first of all: this is a
/// project, and there is a remote.
pub(super) fn may_arrive(ws: &Workspace) -> bool {
    let has_remote = || sync::upstream(ws).is_ok_and(|upstream| upstream.is_some());
    around(ws).is_ok_and(|around| !around.is_excluded(ws)) && has_remote()
}

/// The same for the context of a session.
pub(super) fn layer(ws: &Workspace, store: &Store) -> Option<Layer> {
    // Most identities have none, and need not determine the project.
    if !files::is_dir(&store.root.join(HANDOFFS)) {
        return None;
    }
    let around = around(ws).ok()?;
    let (_, handoff) = current(ws, store, &around)?;
    let shown = shown(ws, &around, &handoff);
    let file = shown.branch.map_or_else(|| "no branch".to_owned(), |name| format!("branch {name}"));
    Some(Layer {
        kind: LayerKind::Handoff,
        file,
        project: Some(around.project.short().to_owned()),
        body: Body::Text(format!("{}\n\n{}", shown.from, shown.text)),
        notes: Vec::new(),
    })
}

/// Of those of the project that still count the one of its branch, or else the newest.
fn current(ws: &Workspace, store: &Store, around: &WorkTree) -> Option<(RelPath, Handoff)> {
    if around.is_excluded(ws) {
        return None;
    }
    let folder = handoff::folder(&around.project);
    let (now, calendar) = (ws.moment(), ws.calendar());
    let read = |name: String| {
        let path = RelPath::new(&format!("{folder}{name}"))?;
        let bytes = files::read(&store.root.join(path.as_str())).ok()??;
        let handoff = Handoff::read(&bytes).filter(|one| !one.is_over(now, calendar))?;
        Some((path, handoff))
    };
    let names = files::names(&store.root.join(&folder)).into_iter();
    let all = names.filter(|name| name.ends_with(".md")).filter_map(read);
    all.max_by_key(|(path, one)| (one.branch == around.branch, one.left, path.clone()))
}

fn shown(ws: &Workspace, around: &WorkTree, handoff: &Handoff) -> Shown {
    let by = if handoff.by == USER { "the user" } else { agents::title(&handoff.by) };
    let from = format!("left by {by} on {}, {}", handoff.on, handoff.ago(ws.moment()));
    let text = secrets::redact(&handoff.text).into_owned();
    Shown { project: around.project.shown(), branch: handoff.branch.clone(), from, text }
}
