//! Moves the identity's folder as a whole, and back.
//!
//! Invariant: nothing that points to the old folder breaks silently: if a link would, the move is
//! refused; other programs' settings that name the folder are listed.

use super::{
    error::RelocateError,
    place::{refuse_named_elsewhere, repository_around},
    planned::MoveMethod,
};
use crate::git::is_repository;
use crate::index::store::Store;
use crate::integrations::{
    agent,
    git_hooks::{self, HookSetup},
};
use crate::machine::{Context, files, moving, oplog::MovedFolder};
use crate::workspace::{
    Error, Workspace,
    transaction::{self, FolderMove},
};
use std::path::Path;

/// `to` is the new folder as it was typed, and with its symlinks resolved.
pub(super) fn method(
    context: &Context,
    store: &Store,
    (to, resolved): (&Path, &Path),
) -> Result<(MoveMethod, usize), Error> {
    refuse_links(context, store)?;
    // A link to the folder keeps its name, and leads to the new one.
    let link = &context.identity.path;
    let link = (cfg!(unix) && files::is_link(link)).then(|| link.clone());
    let before = context.settings.identity_path.clone();
    let after = if link.is_some() { before.clone() } else { Some(context.shown(to)) };
    let moved = MovedFolder {
        from: store.root.clone(),
        to: resolved.to_owned(),
        link,
        setting: [before, after],
    };
    let method = MoveMethod::Whole { repository: is_repository(&store.root), moved };
    Ok((method, moving::everything_in(&store.root).len()))
}

fn refuse_links(context: &Context, store: &Store) -> Result<(), Error> {
    match moving::link_that_breaks(&store.root) {
        Some(link) => Err(RelocateError::Link { path: context.shown(&link) }.into()),
        None => Ok(()),
    }
}

/// Moves the folder, and returns sentences on what could not follow.
pub fn move_whole(ws: &Workspace, wanted: &FolderMove<'_>) -> Result<Vec<String>, Error> {
    let mut said = transaction::move_folder(ws, wanted)?;
    match ws.anew(None) {
        Ok(moved) => said.extend(still_named(&Workspace::unrecovered(moved), &wanted.moved.from)),
        // The move is done all the same.
        Err(error) => said.push(error.to_string()),
    }
    Ok(said)
}

/// The move that takes another one back, to a place that may have changed since.
pub fn plan_back(ws: &Workspace, moved: &MovedFolder) -> Result<MovedFolder, Error> {
    refuse_named_elsewhere(ws)?;
    if has_moved_on(ws, moved) {
        return Err(RelocateError::MovedOn { to: ws.shown(&moved.to) }.into());
    }
    let store = ws.identity()?;
    let there = ws.elsewhere(&moved.from);
    if let Some(root) = repository_around(ws, store, &there).map_err(not_back)? {
        let (to, root) = (ws.shown(&moved.from), ws.shown(&root));
        return Err(RelocateError::InRepository { to, root }.into());
    }
    refuse_links(ws, store)?;
    Ok(moved.reversed())
}

/// What the old place refuses now, for who did not name it.
fn not_back(error: Error) -> Error {
    let is_of_place = matches!(
        error.of_verb().and_then(|error| error.downcast_ref::<RelocateError>()),
        Some(
            RelocateError::Taken { .. }
                | RelocateError::InIdentity { .. }
                | RelocateError::InGitDir { .. }
        )
    );
    if is_of_place { RelocateError::NotBack { why: error.clause() }.into() } else { error }
}

/// Whether the identity is no longer where it was moved.
pub fn has_moved_on(context: &Context, moved: &MovedFolder) -> bool {
    context.identity.resolved != files::resolve(&moved.to)
}

/// Sentences on files of others that still name the old folder.
fn still_named(ws: &Workspace, from: &Path) -> Vec<String> {
    let mut said = Vec::new();
    for (file, agents) in agent::files_that_name(ws, from) {
        let (file, agents) = (ws.shown(&file), agents.join(" "));
        said.push(format!(
            "{file} still names the old folder; `co agent install {agents}` updates it"
        ));
    }
    let lacks_hooks =
        || git_hooks::plan(ws, HookSetup::Install).is_ok_and(|plan| !plan.changes.is_empty());
    if git_hooks::is_set_up(ws) && lacks_hooks() {
        said.push("git's shared hooks still name the old folder; run `co hook install`".to_owned());
    }
    said
}
