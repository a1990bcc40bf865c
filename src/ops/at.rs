//! `--at`: runs a reading verb on the identity as it was at some time.
//!
//! Invariant: reads what this laptop had committed then, whatever syncs bring later. Projects,
//! settings and recall statistics are not versioned, and therefore left out. The query is not
//! counted as usage.

pub use super::error::AtError;
use super::{Error, store::Store};
use crate::identity::Stamp;
use crate::system::{
    Context, SystemError,
    git::Repo,
    past::{self, CheckedOut},
};
use jiff::civil::Date;

/// The identity at some moment, for as long as this value lives.
pub struct PastIdentity {
    pub context: Context,
    /// The abbreviated commit, and its time.
    pub commit: String,
    pub at: Stamp,
    _files: CheckedOut,
}

impl PastIdentity {
    /// The day of that moment.
    pub fn day(&self) -> Date {
        self.context.calendar().day(self.at)
    }
}

/// `text` is a day, also `today` or `yesterday`, a moment, or a git revision.
pub fn identity_at(context: &Context, text: &str) -> Result<PastIdentity, Error> {
    let store = Store::identity(context)?;
    let repo = Repo::discover(context)
        .map_err(SystemError::from)?
        .ok_or_else(|| AtError::NoRepository { path: context.shown(&store.shown) })?;
    let moment = match day_in_words(context, text) {
        Some(day) => context.calendar().end_of(day),
        None => past::moment(text, context.calendar()),
    };
    let found = match moment {
        Some(moment) => repo.commit_at(moment)?,
        None => match repo.revision(text) {
            Some(id) => Some((id, repo.time_of(id)?)),
            None => {
                return Err(AtError::NoMoment { text: text.to_owned() }.into());
            }
        },
    };
    let (id, at) = found.ok_or_else(|| AtError::NothingBy { text: text.to_owned() })?;
    let snapshot = repo.snapshot(Some(id))?;
    let files = CheckedOut::write(&snapshot, |root| context.state_dir(root))?;
    // One screen has one kind of days, even if the profile had another zone then.
    let mut then = context.with_identity(files.path()).dated_as(context);
    // A folder outside any project.
    then.cwd.clone_from(&context.home);
    then.settings.recall.index = false;
    let commit = id.to_string().chars().take(10).collect();
    Ok(PastIdentity { context: then, commit, at, _files: files })
}

/// `today` and `yesterday`, as the person counts days.
fn day_in_words(context: &Context, text: &str) -> Option<Date> {
    let today = context.calendar().day(context.now());
    match text.trim().to_lowercase().as_str() {
        "today" => Some(today),
        "yesterday" => today.yesterday().ok(),
        _ => None,
    }
}
