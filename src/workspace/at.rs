//! `--at`: runs a reading verb on the identity as it was at some time.
//!
//! Invariant: reads what this laptop had committed then, whatever syncs bring later. Projects,
//! settings and recall statistics are not versioned, and therefore left out. The query is not
//! counted as usage.

use super::{
    Error, ErrorKind, VerbError, Workspace,
    asked::{self, PastPoint},
};
use crate::git::{self, past::CheckedOut};
use crate::identity::{Stamp, dates::When};

/// The identity at some moment, for as long as this value lives.
pub struct PastIdentity {
    /// Its answers are about the moment that was asked for.
    pub ws: Workspace,
    /// The abbreviated commit, and its time.
    pub commit: String,
    pub at: Stamp,
    asked: PastPoint,
    _files: CheckedOut,
}

impl PastIdentity {
    /// The day of this state; to the minute if somebody asked for a time of day.
    pub fn shown(&self) -> String {
        let calendar = self.ws.calendar();
        match self.asked {
            PastPoint::Date(When::Days(..)) | PastPoint::Commit(..) => {
                calendar.day(self.at).to_string()
            }
            PastPoint::Date(When::Time(..)) | PastPoint::Operation(..) => calendar.minute(self.at),
        }
    }
}

/// Why the identity of another day cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum AtError {
    #[error("{path} is not in a git repository, so it has no history")]
    NoRepository { path: String },
    #[error("this laptop has no commits from {text} or earlier")]
    NothingBy { text: String },
}

impl VerbError for AtError {
    fn kind(&self) -> ErrorKind {
        match self {
            AtError::NoRepository { .. } => ErrorKind::NotSetUp,
            AtError::NothingBy { .. } => ErrorKind::NotFound,
        }
    }
}

/// `text` is a date, an operation or a git revision.
pub fn identity_at(ws: &Workspace, text: &str) -> Result<PastIdentity, Error> {
    let store = ws.identity()?;
    let repo = ws.repo()?.ok_or_else(|| AtError::NoRepository { path: ws.shown(&store.shown) })?;
    let asked = asked::past_point(ws, Some(&*repo), text)?;
    let moment = asked.moment(ws);
    let found = match asked {
        PastPoint::Commit(id, at) => Some((id, at)),
        PastPoint::Date(_) | PastPoint::Operation(..) => repo.commit_at(moment)?,
    };
    let (id, at) = found.ok_or_else(|| AtError::NothingBy { text: text.to_owned() })?;
    let snapshot = repo.snapshot(Some(id))?;
    let files = CheckedOut::write(&snapshot, |root| ws.state_dir(root))?;
    // One screen has one kind of days, even if the profile had another zone then.
    let mut then = ws.with_identity(files.path()).dated_as(ws).about(moment);
    // A folder outside any project.
    then.cwd.clone_from(&ws.home);
    then.settings.recall.index = false;
    let commit = git::short(id);
    Ok(PastIdentity { ws: Workspace::unrecovered(then), commit, at, asked, _files: files })
}
