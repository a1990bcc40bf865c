//! The dates that a person types: `--on yesterday`, `--at o42`, `--since "last friday"`.
//!
//! Invariant: every option that takes a date reads it here, in the person's days. Must not know:
//! what is shown of that time.

use super::{Error, ErrorKind, VerbError, Workspace, known_then};
use crate::git::{Id, Repo};
use crate::identity::{
    Stamp,
    dates::{DateReader, NoDate, Reading, When},
};
use crate::machine::{
    Context,
    oplog::{self, Named},
};

/// Why a text names no moment.
#[derive(Debug, thiserror::Error)]
pub enum DateError {
    #[error("`{text}` is not a date")]
    NoDate { text: String, reading: Reading },
    #[error("`{text}` is neither a date, an operation nor a revision")]
    NoMoment { text: String },
    #[error("`{text}` is not a day of the calendar")]
    NoSuchDay { text: String, reading: Reading },
    #[error("`{text}` is not a time of day")]
    NoSuchTime { text: String, reading: Reading },
    #[error("`{text}` is later than any date that co can keep")]
    TooLate { text: String },
    #[error("the log of this laptop has no operation `{text}`")]
    UnknownOperation { text: String },
}

impl VerbError for DateError {
    fn kind(&self) -> ErrorKind {
        match self {
            DateError::UnknownOperation { .. } => ErrorKind::NotFound,
            DateError::NoDate { .. }
            | DateError::NoMoment { .. }
            | DateError::NoSuchDay { .. }
            | DateError::NoSuchTime { .. }
            | DateError::TooLate { .. } => ErrorKind::Invalid,
        }
    }
}

fn read(context: &Context, text: &str, reading: Reading) -> Result<When, NoDate> {
    DateReader { now: context.now(), calendar: context.calendar(), reading }.read(text)
}

/// The days or the moment that a text names.
pub fn date(context: &Context, text: &str, reading: Reading) -> Result<When, Error> {
    read(context, text, reading).map_err(|why| unread(why, text, reading).into())
}

fn unread(why: NoDate, text: &str, reading: Reading) -> DateError {
    let text = text.to_owned();
    match why {
        NoDate::Unread => DateError::NoDate { text, reading },
        NoDate::NoSuchDay => DateError::NoSuchDay { text, reading },
        NoDate::NoSuchTime => DateError::NoSuchTime { text, reading },
    }
}

/// A point of the history of this laptop.
#[derive(Clone, Copy, Debug)]
pub enum PastPoint {
    Date(When),
    /// When it was carried out, as far as the clock was right.
    Operation(u64, Stamp),
    /// And when it was made.
    Commit(Id, Stamp),
}

impl PastPoint {
    /// The last moment that belongs to it.
    pub fn moment(self, context: &Context) -> Stamp {
        match self {
            PastPoint::Date(when) => when.last(context.calendar()),
            PastPoint::Operation(_, at) | PastPoint::Commit(_, at) => at,
        }
    }

    /// The history as it was then.
    pub fn until(self, context: &Context) -> Within {
        match self {
            PastPoint::Operation(op, at) => Within::Through(op, at),
            PastPoint::Date(_) | PastPoint::Commit(..) => Within::Until(self.moment(context)),
        }
    }
}

/// The part of a history that is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Within {
    All,
    /// The history as it was then.
    Until(Stamp),
    /// The history as it was after this operation, which was carried out then.
    Through(u64, Stamp),
    /// What was done from the one moment to the other.
    Between(Stamp, Stamp),
}

impl Within {
    /// Whether what was done at that time, by that operation of this laptop, belongs to it.
    pub fn has(self, at: &str, op: Option<u64>) -> bool {
        let at = || Stamp::parse(at).map(|read| read.stamp);
        match (self, op) {
            (Within::All, _) => true,
            // A clock may have been wrong, but the numbers are in order.
            (Within::Through(last, _), Some(op)) => op <= last,
            (Within::Until(last) | Within::Through(_, last), _) => {
                at().is_some_and(|at| at <= last)
            }
            (Within::Between(first, last), _) => at().is_some_and(|at| first <= at && at <= last),
        }
    }
}

/// The point that `--at` names: a date, an operation (`o42`), or a revision of this repository.
pub fn past_point(ws: &Workspace, repo: Option<&Repo>, text: &str) -> Result<PastPoint, Error> {
    if let Some(Named::One(op)) = oplog::parse(text) {
        let operations = ws.identity_place().log().operations()?;
        let mut timed = known_then::timed(operations, ws.now()).into_iter();
        let at = timed.find_map(|(done, at)| (done.op == op).then_some(at));
        let at = at.ok_or_else(|| DateError::UnknownOperation { text: text.to_owned() })?;
        return Ok(PastPoint::Operation(op, at));
    }
    let why = match read(ws, text, Reading::Past) {
        Ok(when) => return Ok(PastPoint::Date(when)),
        Err(why) => why,
    };
    let repo = repo.filter(|_| !text.trim().is_empty());
    if let Some((repo, id)) = repo.and_then(|repo| Some((repo, repo.revision(text)?))) {
        return Ok(PastPoint::Commit(id, repo.time_of(id)?));
    }
    Err(match why {
        NoDate::Unread => DateError::NoMoment { text: text.to_owned() }.into(),
        why => unread(why, text, Reading::Past).into(),
    })
}
