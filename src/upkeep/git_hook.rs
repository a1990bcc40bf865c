//! `co hook …`: the commands that git and agents call.
//!
//! Invariant: a hook never waits for a person.

use super::check;
use crate::documents;
use crate::git::{merge_file, repository_above};
use crate::identity::{Blob, Memory, RelPath, portable};
use crate::machine::{Context, files};
use crate::merge::{Merged, Reason, repair};
use crate::sync;
use crate::workspace::{
    Error, ErrorKind, VerbError, Workspace, login,
    transaction::{self, Put, Unrecorded},
};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The files and values that git passes to a merge driver.
#[derive(Clone, Debug)]
pub struct Versions {
    /// The ancestor's file; empty when both sides added it.
    pub base: PathBuf,
    /// Our file, which also takes the result.
    pub ours: PathBuf,
    pub theirs: PathBuf,
    /// The size of conflict markers; larger than 7 in a merge of merge bases.
    pub marker: usize,
    /// The file's path in the repository.
    pub path: String,
}

/// Why a hook fails.
#[derive(Debug, thiserror::Error)]
pub enum HookError {
    #[error("{path} was changed on both sides")]
    BothSides { path: String },
    #[error("{path} does not exist")]
    NoFile { path: String },
    #[error("{path} contains two different facts")]
    TwoMemories { path: String },
    #[error("a login for git must be a single line")]
    Login,
}

impl VerbError for HookError {
    fn kind(&self) -> ErrorKind {
        match self {
            HookError::BothSides { .. } | HookError::TwoMemories { .. } => ErrorKind::Conflict,
            HookError::NoFile { .. } => ErrorKind::NotFound,
            HookError::Login => ErrorKind::Invalid,
        }
    }
}

/// For a file outside the identity: the merge that git does without a driver.
fn merge_as_text(context: &Context, versions: &Versions) -> Result<(), Error> {
    let file = |path: &Path| context.cwd.join(path);
    let sides = [file(&versions.ours), file(&versions.base), file(&versions.theirs)];
    if merge_file(&sides, versions.marker)? {
        return Ok(());
    }
    Err(HookError::BothSides { path: versions.path.clone() }.into())
}

/// The marker size of the outermost merge.
const OUTERMOST: usize = 7;

/// Merges one file for git. Fails with `ErrorKind::Conflict` if git took different memories for
/// versions of one file: the conflict is left to the user or to sync. Returns what a person should
/// know of the merge: git tells a driver no times.
pub fn merge_driver(ws: &Workspace, versions: &Versions) -> Result<Vec<String>, Error> {
    let read = |path: &Path| -> Result<Blob, Error> {
        let path = ws.cwd.join(path);
        let there =
            files::read(&path)?.ok_or_else(|| HookError::NoFile { path: ws.shown(&path) })?;
        Ok(there.into())
    };
    let (base, ours, theirs) =
        (read(&versions.base)?, read(&versions.ours)?, read(&versions.theirs)?);
    let Some(path) = in_identity(ws, &versions.path) else {
        return merge_as_text(ws, versions).map(|()| Vec::new());
    };
    let base = Some(base).filter(|blob| !blob.is_empty());
    let target = ws.cwd.join(&versions.ours);
    if different_memories(&path, base.as_ref(), &ours, &theirs) {
        // Markers show that it is unresolved; sync and `check --fix` take both sides from git.
        let marked = marked(&ours, &theirs);
        transaction::put(Unrecorded::ForGit, &target, Put::Over(marked.as_bytes()))?;
        return Err(HookError::TwoMemories { path: versions.path.clone() }.into());
    }
    let Merged { snapshot: merged, decisions } = repair::fold(&path, base.as_ref(), &ours, &theirs);
    if let Some(blob) = merged.get(&path) {
        transaction::put(Unrecorded::ForGit, &target, Put::Over(blob))?;
    }
    let folder = ws.cwd.join(&versions.path).parent().map(Path::to_owned).unwrap_or_default();
    for (other, blob) in
        merged.iter().filter(|(other, _)| **other != path && versions.marker <= OUTERMOST)
    {
        // The other text is written next to it, for the next `git add` or sync.
        let beside = folder.join(other.name());
        transaction::put(Unrecorded::ForGit, &beside, Put::New(blob))?;
    }
    let undated = decisions.iter().filter(|decision| decision.reason == Reason::Undated);
    Ok(undated.map(|decision| format!("{}: {}", decision.path, decision.why)).collect())
}

/// The path inside the identity; `None` for a file outside it.
fn in_identity(ws: &Workspace, path: &str) -> Option<RelPath> {
    let root = files::resolve(&repository_above(&ws.cwd)?);
    let identity = if has_identity(&root, ws) { &ws.identity.resolved } else { &root };
    let prefix = identity.strip_prefix(&root).ok()?;
    let below = Path::new(path).strip_prefix(prefix).ok()?;
    RelPath::new(below.to_str()?)
}

fn different_memories(path: &RelPath, base: Option<&Blob>, ours: &Blob, theirs: &Blob) -> bool {
    if !path.is_memory() {
        return false;
    }
    let text = |blob: &Blob| Memory::read(path, blob).ok().map(|memory| memory.hash);
    if base.is_none() && text(ours).is_some() && text(ours) == text(theirs) {
        // Learned on both laptops: it is one fact, which the engine merges.
        return false;
    }
    let origin = |blob: &Blob| Memory::read(path, blob).ok().map(|memory| memory.created);
    let all = [base.map(origin), Some(origin(ours)), Some(origin(theirs))];
    let mut known = all.into_iter().flatten().flatten();
    known.next().is_some_and(|first| known.any(|other| other != first))
}

fn marked(ours: &Blob, theirs: &Blob) -> String {
    let text = |blob: &Blob| {
        let text = String::from_utf8_lossy(blob).into_owned();
        if text.ends_with('\n') { text } else { text + "\n" }
    };
    format!("<<<<<<< ours\n{}=======\n{}>>>>>>> theirs\n", text(ours), text(theirs))
}

/// Checks git's index; a repository that neither contains nor resembles an identity passes.
pub fn pre_commit(ws: &Workspace) -> Result<check::Report, Error> {
    let ws = in_this_repository(ws);
    let root = &ws.identity.resolved;
    if !portable::TOP.iter().any(|name| files::exists(&root.join(name))) {
        return Ok(check::Report {
            files: 0,
            findings: Vec::new(),
            fixed: Vec::new(),
            decisions: Vec::new(),
            to_fix: 0,
            passed: true,
        });
    }
    check::run(
        &ws,
        &check::Request { scope: check::CheckScope::Staged, ..check::Request::default() },
    )
}

/// The configured identity if it is in the current repository, else that repository itself.
fn in_this_repository(ws: &Workspace) -> Workspace {
    let root = repository_above(&ws.cwd).map(|root| files::resolve(&root));
    let other = root.filter(|root| !has_identity(root, ws));
    ws.elsewhere(other.as_deref().unwrap_or(&ws.identity.path))
}

/// Whether the configured identity is in a repository.
fn has_identity(root: &Path, context: &Context) -> bool {
    let identity = &context.identity.resolved;
    identity.starts_with(root) && files::is_dir(identity)
}

/// After a plain git merge: applies what sync would have done. Returns the files that changed.
pub fn post_merge(ws: &Workspace) -> Result<Vec<String>, Error> {
    let ws = in_this_repository(ws);
    // Facts lost by a restart are restored first, so that they are not taken for deletions.
    let _ = crate::workspace::power_loss::restore_lost(&ws);
    sync::order_after_merge(&ws)
}

/// After a plain git rebase. `rewritten` is the hook's input: old and new commit, line by line.
pub fn post_rewrite(ws: &Workspace, rewritten: &str) -> Result<Vec<String>, Error> {
    let ws = in_this_repository(ws);
    let _ = crate::workspace::power_loss::restore_lost(&ws);
    sync::order_after_rebase(&ws, rewritten)
}

/// The remote's login from settings.json in git's credential format, with the secret resolved now.
pub fn credential(context: &Context, question: &str) -> Result<String, Error> {
    let asked_with_name = question.lines().any(|line| line.starts_with("username="));
    let sync = &context.settings.sync;
    let Some(name) = login::password_name(context)? else { return Ok(String::new()) };
    let value = crate::integrations::secret::get(context, name)?.value;
    let value = String::from_utf8_lossy(value.expose()).into_owned();
    let user = sync.username.as_deref();
    if value.contains(['\n', '\0']) || user.is_some_and(|user| user.contains(['\n', '\0'])) {
        return Err(HookError::Login.into());
    }
    // Without `sync.username` the name in the URL is used; git needs one only if the URL has none.
    let user = user
        .or((!asked_with_name).then_some("git"))
        .map_or_else(String::new, |user| format!("username={user}\n"));
    Ok(format!("{user}password={value}\n"))
}

/// The fields that are read from an agent's hook input for a tool call.
#[derive(Default, Deserialize)]
struct Called {
    #[serde(default)]
    tool_name: String,
    #[serde(default)]
    tool_input: Input,
}

#[derive(Default, Deserialize)]
struct Input {
    #[serde(default)]
    command: serde_json::Value,
}

/// Counts the tool, and for a shell the program: names only, without arguments. Input that cannot
/// be parsed is ignored.
pub fn tool_called(ws: &Workspace, said: &[u8]) {
    let Ok(called) = serde_json::from_slice::<Called>(said) else { return };
    documents::hot::note(ws, &called.tool_name);
    let command = called.tool_input.command.as_str().unwrap_or_default();
    // `FOO=1 sudo docker compose up` counts docker.
    let is_program = |word: &&str| !word.contains('=') && !matches!(*word, "sudo" | "env" | "time");
    let program = command.split_whitespace().find(is_program).unwrap_or_default();
    let name = program.rsplit('/').next().unwrap_or_default();
    if !name.is_empty()
        && name.chars().all(|letter| letter.is_alphanumeric() || "-_.".contains(letter))
    {
        documents::hot::note(ws, name);
    }
}
