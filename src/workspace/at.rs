//! `--at`: runs a reading verb on the identity as it was at some time.
//!
//! Invariant: reads what this laptop had committed then, whatever syncs bring later. Projects,
//! settings and recall statistics are not versioned, and therefore left out. The query is not
//! counted as usage.

use super::{Error, ErrorKind, VerbError, Workspace};
use crate::git::{
    self,
    past::{self, CheckedOut},
};
use crate::identity::Stamp;
use crate::machine::Context;
use jiff::civil::Date;

/// The identity at some moment, for as long as this value lives.
pub struct PastIdentity {
    pub ws: Workspace,
    /// The abbreviated commit, and its time.
    pub commit: String,
    pub at: Stamp,
    _files: CheckedOut,
}

impl PastIdentity {
    /// The day of that moment.
    pub fn day(&self) -> Date {
        self.ws.calendar().day(self.at)
    }
}

/// Why the identity of another day cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum AtError {
    #[error("{path} is not in a git repository, so it has no history")]
    NoRepository { path: String },
    #[error("`{text}` is neither a date nor a revision")]
    NoMoment { text: String },
    #[error("this laptop has no commits from {text} or earlier")]
    NothingBy { text: String },
}

impl VerbError for AtError {
    fn kind(&self) -> ErrorKind {
        match self {
            AtError::NoRepository { .. } => ErrorKind::NotSetUp,
            AtError::NoMoment { .. } => ErrorKind::Invalid,
            AtError::NothingBy { .. } => ErrorKind::NotFound,
        }
    }
}

/// `text` is a day, also `today` or `yesterday`, a moment, or a git revision.
pub fn identity_at(ws: &Workspace, text: &str) -> Result<PastIdentity, Error> {
    let store = ws.identity()?;
    let repo = ws.repo()?.ok_or_else(|| AtError::NoRepository { path: ws.shown(&store.shown) })?;
    let moment = match day_in_words(ws, text) {
        Some(day) => ws.calendar().end_of(day),
        None => past::moment(text, ws.calendar()),
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
    let files = CheckedOut::write(&snapshot, |root| ws.state_dir(root))?;
    // One screen has one kind of days, even if the profile had another zone then.
    let mut then = ws.with_identity(files.path()).dated_as(ws);
    // A folder outside any project.
    then.cwd.clone_from(&ws.home);
    then.settings.recall.index = false;
    let commit = git::short(id);
    Ok(PastIdentity { ws: Workspace::unrecovered(then), commit, at, _files: files })
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
