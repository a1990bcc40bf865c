//! `--at`: a verb that reads, on the identity as it was.
//!
//! Invariant: what is read is what a commit of this laptop had; projects, settings and what was
//! recalled are not of that time and left out. Nothing is noted about it.

use super::{Exit, Failure, store::Store};
use crate::identity::Stamp;
use crate::system::{
    Context, SystemError,
    git::Repo,
    past::{self, Laid},
};

/// The identity of a moment, for as long as this value lives.
pub struct Past {
    pub context: Context,
    /// The commit, short, and its time.
    pub commit: String,
    pub at: Stamp,
    _laid: Laid,
}

/// `text` is a day, a moment, or a revision of git.
pub fn past(context: &Context, text: &str) -> Result<Past, Failure> {
    let store = Store::identity(context)?;
    let repo = Repo::discover(context).map_err(SystemError::from)?.ok_or_else(|| {
        let path = context.shown(&store.shown);
        Failure::new(Exit::NotSetUp, format!("{path} is in no repository: it has no past"))
            .hint("`co init` makes one; from then on --at knows each sync")
    })?;
    let found = match past::moment(text) {
        Some(moment) => repo.commit_at(moment)?,
        None => match repo.revision(text) {
            Some(id) => Some((id, repo.time_of(id)?)),
            None => {
                let message = format!("`{text}` is neither a day nor a revision");
                return Err(Failure::new(Exit::Usage, message)
                    .hint("`--at 2026-10-01`, `--at 2026-10-01T09:00` or `--at HEAD~3`"));
            }
        },
    };
    let (id, at) = found.ok_or_else(|| {
        Failure::new(Exit::NotFound, format!("nothing was committed on this laptop by {text}"))
            .hint("`git log` in the identity shows the commits")
    })?;
    let snapshot = repo.snapshot(Some(id))?;
    let laid = Laid::out(&snapshot, |root| context.state_dir(root))?;
    let mut then = context.with_identity(laid.path());
    // Where no project is.
    then.cwd.clone_from(&context.home);
    then.settings.recall.catalog = false;
    let commit = id.to_string().chars().take(10).collect();
    Ok(Past { context: then, commit, at, _laid: laid })
}
