//! `identity move`: moves the identity to another folder, as part of the repository around it.
//!
//! Invariant: nothing is deleted. The files are copied and compared; the old folder, with its own
//! history, is renamed.

pub use super::error::RelocateError;
use super::{
    Error, config, init, recognise,
    store::Store,
    sync,
    transaction::{self, Unrecorded},
};
use crate::identity::Snapshot;
use crate::system::{
    Context, SystemError,
    context::IdentitySource,
    files, folder,
    git::{Repo, repository_above},
    lock,
};
use serde::Serialize;
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Plan {
    pub from: PathBuf,
    pub to: PathBuf,
    /// The repository that the identity will be committed in.
    pub inside: Option<PathBuf>,
    /// Where that repository is pushed to, and the identity with it.
    pub pushes_to: Option<sync::Upstream>,
    /// The remote that stays with the old folder, or with the repository around it.
    pub leaves: Option<String>,
    /// Where the old folder is renamed to, with its own history.
    pub aside: PathBuf,
    pub files: usize,
}

/// How long to wait for a running sync.
const WAIT: Duration = Duration::from_secs(10);

pub fn plan(context: &Context, target: &str) -> Result<Plan, Error> {
    let store = Store::identity(context)?;
    if matches!(context.identity.source, IdentitySource::Flag | IdentitySource::Environment) {
        return Err(RelocateError::NamedElsewhere.into());
    }
    let wanted = context.typed_path(target);
    // A non-empty folder belongs to somebody: co creates its own subfolder there.
    let taken = !files::names(&wanted).is_empty();
    let to = if taken { wanted.join(init::OWN_FOLDER) } else { wanted };
    let resolved = files::resolve(&to);
    if resolved.starts_with(&store.root) || store.root.starts_with(&resolved) {
        return Err(RelocateError::Nested { to: context.shown(&to) }.into());
    }
    if !files::names(&resolved).is_empty() {
        return Err(RelocateError::Taken { to: context.shown(&to) }.into());
    }
    let reading = folder::read(&store.root);
    if let Some(finding) = reading.findings.first() {
        let (path, why) = (finding.path.clone(), finding.message.clone());
        return Err(RelocateError::Unreadable { path, why }.into());
    }
    config::refuse_unfit(context)?;
    let day = context.calendar().day(context.now());
    let name = store
        .root
        .file_name()
        .map_or_else(String::new, |name| format!("{}.moved-{day}", name.to_string_lossy()));
    let aside = free_name(&store.root.with_file_name(name));
    let inside = repository_above(resolved.parent().unwrap_or(&resolved));
    let pushes_to = match inside {
        Some(_) => sync::upstream(&context.with_identity(&to))?,
        None => None,
    };
    let up_to = inside.as_deref().unwrap_or(Path::new("/"));
    let mut above = resolved.ancestors().skip(1).take_while(|folder| folder.starts_with(up_to));
    if let Some(another) = above.find(|folder| recognise::is_identity(folder)) {
        return Err(RelocateError::InIdentity { folder: context.shown(another) }.into());
    }
    let leaves = sync::upstream(context)?.map(|upstream| upstream.url);
    let files = reading.snapshot.len();
    Ok(Plan { from: store.root, to, inside, pushes_to, leaves, aside, files })
}

/// The path itself, or the first free one with a number: `PATH-2`.
fn free_name(path: &Path) -> PathBuf {
    let numbered = (2..).map(|number| PathBuf::from(format!("{}-{number}", path.display())));
    std::iter::once(path.to_owned())
        .chain(numbered)
        .find(|path| !files::exists(path))
        .expect("because numbers do not end")
}

/// If a file cannot be copied, the old folder is unchanged. The inner result is that of the first
/// sync in the new place: the identity has moved in any case.
pub fn apply(
    context: &Context,
    plan: &Plan,
    on_step: &sync::OnStep<'_>,
) -> Result<Option<Result<sync::Report, Error>>, Error> {
    let store = Store::identity(context)?;
    let _lock = lock::folder(&store.root, WAIT)?;
    let writing = store.lock()?;
    let before = folder::read(&store.root).snapshot;
    files::make_dir(&plan.to)?;
    let target = files::resolve(&plan.to);
    let nothing = Snapshot::default();
    transaction::write_unrecorded(Unrecorded::Copy, &target, &nothing, &before, &|_, _| {})?;
    if folder::read(&target).snapshot != before {
        return Err(RelocateError::NotCopied { to: context.shown(&plan.to) }.into());
    }
    drop(writing);
    config::set_place(context, &context.shown(&plan.to))?;
    // The operation log moves along, so that undo still works.
    let (old, new) = (context.state_dir(&store.root), context.state_dir(&target));
    if files::exists(&old) && !files::exists(&new) {
        transaction::rename_folder(Unrecorded::Copy, &old, &new)?;
    }
    transaction::rename_folder(Unrecorded::Copy, &store.root, &plan.aside)?;
    let moved = context.with_identity(&plan.to);
    let inside = Repo::discover(&moved).map_err(SystemError::from)?;
    let request =
        sync::Request { own_commits: sync::OwnCommits::Unpublished, ..sync::Request::default() };
    Ok(inside.map(|_| sync::run(&moved, &request, on_step)))
}
