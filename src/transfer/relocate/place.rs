//! Where an identity can move from, and to.
//!
//! Invariant: refuses before anything is written, and changes nothing.

use super::error::RelocateError;
use crate::git::{self, is_inside_git};
use crate::index::store::Store;
use crate::machine::{Context, context::IdentitySource, files};
use crate::workspace::{Error, Workspace, config, recognise};
use std::path::{Path, PathBuf};

pub(super) fn refuse_named_elsewhere(context: &Context) -> Result<(), Error> {
    if matches!(
        context.identity.source,
        IdentitySource::Flag | IdentitySource::Environment | IdentitySource::Layer
    ) {
        return Err(RelocateError::NamedElsewhere.into());
    }
    Ok(())
}

/// The repository that would have the identity's files there; refuses a place that no identity can
/// move to.
pub(super) fn repository_around(
    context: &Context,
    store: &Store,
    there: &Workspace,
) -> Result<Option<PathBuf>, Error> {
    let to = &there.identity.resolved;
    refuse_place(context, store, to)?;
    let repo = there.repo()?;
    let inside = repo.map(|repo| repo.root.clone());
    refuse_other_identity(context, to, inside.as_deref())?;
    config::refuse_unfit(context)?;
    Ok(inside)
}

fn refuse_place(context: &Context, store: &Store, to: &Path) -> Result<(), Error> {
    if context.identity.links.is_some() {
        let (path, folder) = (context.shown(&context.identity.path), context.shown(&store.root));
        return Err(RelocateError::Links { path, folder }.into());
    }
    if git::is_submodule(&store.root) {
        return Err(RelocateError::Submodule { path: context.shown(&store.root) }.into());
    }
    let shown = context.shown(to);
    if to.starts_with(&store.root) || store.root.starts_with(to) {
        return Err(RelocateError::Nested { to: shown }.into());
    }
    if files::exists(to) && !files::is_dir(to) || !files::names(to).is_empty() {
        return Err(RelocateError::Taken { to: shown }.into());
    }
    if is_inside_git(to) {
        return Err(RelocateError::InGitDir { to: shown }.into());
    }
    Ok(())
}

fn refuse_other_identity(context: &Context, to: &Path, inside: Option<&Path>) -> Result<(), Error> {
    let up_to = inside.unwrap_or(Path::new("/"));
    let mut above = to.ancestors().skip(1).take_while(|folder| folder.starts_with(up_to));
    match above.find(|folder| recognise::is_identity(folder)) {
        Some(another) => Err(RelocateError::InIdentity { folder: context.shown(another) }.into()),
        None => Ok(()),
    }
}
