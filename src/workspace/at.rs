//! `--at`: runs a reading verb on the identity as it was at some time.
//!
//! Invariant: reads what co knew on this laptop then, from its commits and operations, whatever
//! syncs bring later. Projects, settings and recall statistics are not versioned, and therefore
//! left out. The query is not counted as usage.

use super::{
    Error, ErrorKind, VerbError, Workspace,
    asked::{self, PastPoint},
    known_then::{self, Then},
};
use crate::git::{self, Repo, past::CheckedOut};
use crate::identity::{Stamp, dates::When};
use crate::machine::oplog;

pub use super::known_then::Gap;

/// The identity at some moment, for as long as this value lives.
pub struct PastIdentity {
    /// Its answers are about the moment that was asked for.
    pub ws: Workspace,
    /// The abbreviated commit; `None` before the first one.
    pub commit: Option<String>,
    /// The last operation since that commit (`o12`).
    pub last_op: Option<String>,
    pub gap: Option<Gap>,
    asked: PastPoint,
    /// That of the commit, if a revision was named.
    moment: Stamp,
    _files: CheckedOut,
}

impl PastIdentity {
    /// The day of that moment; the minute if somebody asked for a time of day.
    pub fn when(&self) -> String {
        let (calendar, moment) = (self.ws.calendar(), self.moment.min(self.ws.now()));
        match self.asked {
            PastPoint::Date(When::Days(..)) | PastPoint::Commit(..) => {
                calendar.day(moment).to_string()
            }
            PastPoint::Date(When::Time(..)) | PastPoint::Operation(..) => calendar.minute(moment),
        }
    }
}

/// Why the identity of another day cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum AtError {
    #[error("{path} is not in a git repository, and co has not changed anything there yet")]
    NoRepository { path: String },
    #[error("this laptop has neither commits nor operations from {text} or earlier")]
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
    let place = ws.identity()?;
    let repo = ws.repo()?;
    let asked = asked::past_point(ws, repo.as_deref(), text)?;
    let moment = asked.moment(ws);
    let Then { snapshot, commit, last_op, gap } = match asked {
        PastPoint::Commit(id, _) => {
            let repo = repo.as_deref().ok_or_else(|| no_repository(ws))?;
            let snapshot = repo.snapshot(Some(id))?;
            Then { snapshot, commit: Some(id), last_op: None, gap: None }
        }
        PastPoint::Date(_) | PastPoint::Operation(..) => {
            known_at(ws, repo.as_deref(), (asked, moment), text)?
        }
    };
    let files = CheckedOut::write(&snapshot, |root| ws.state_dir(root))?;
    // What was asked for may last: today is not over.
    let about = moment.min(ws.now());
    // One screen has one kind of days, even if the profile had another zone then.
    // Nobody can look into the folder of this call once it has answered.
    let then = ws.with_identity(files.path()).shown_as(&place.shown);
    let mut then = then.dated_as(ws).about(about);
    // A folder outside any project.
    then.cwd.clone_from(&ws.home);
    then.settings.recall.index = false;
    Ok(PastIdentity {
        ws: Workspace::unrecovered(then),
        commit: commit.map(git::short),
        last_op: last_op.map(oplog::handle),
        gap,
        asked,
        moment,
        _files: files,
    })
}

/// What co knew at a point, which is that moment; `text` is what was asked for.
fn known_at(
    ws: &Workspace,
    repo: Option<&Repo>,
    (point, moment): (PastPoint, Stamp),
    text: &str,
) -> Result<Then, Error> {
    let last = if let PastPoint::Operation(op, _) = point { Some(op) } else { None };
    if let Some(then) = known_then::at(ws, repo, (moment, last))? {
        return Ok(then);
    }
    let has_log = !ws.identity_place().log().operations()?.is_empty();
    Err(if repo.is_some() || has_log {
        AtError::NothingBy { text: text.to_owned() }.into()
    } else {
        no_repository(ws)
    })
}

fn no_repository(ws: &Workspace) -> Error {
    AtError::NoRepository { path: ws.shown(&ws.identity_place().shown) }.into()
}
