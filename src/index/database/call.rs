//! What the reads and writes of one call share: one wait for whoever else uses an index, and the
//! connections that it opened and reads no more.
//!
//! Invariant: once a wait was in vain, nothing waits again, so that waits never add up. An idle
//! connection holds no snapshot: whoever takes it begins one, and sees the newest state.

use super::{
    error::IndexError,
    location::Location,
    reading::{Use, WAIT},
};
use rusqlite::{Connection, MAIN_DB};
use std::{
    ops::Deref,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// How many connections may be idle: one for each store that a call usually has.
const IDLE: usize = 4;

/// Shared by its copies.
#[derive(Clone, Debug, Default)]
pub struct Call(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    has_waited: AtomicBool,
    idle: Mutex<Vec<Idle>>,
}

#[derive(Debug)]
struct Idle {
    connection: Connection,
    location: Location,
    use_: Use,
}

impl Call {
    /// Whether an index was still in use after a wait.
    pub fn has_waited(&self) -> bool {
        self.0.has_waited.load(Ordering::Relaxed)
    }

    pub(super) fn wait(&self) -> Duration {
        if self.has_waited() { Duration::ZERO } else { WAIT }
    }

    /// Remembers a wait that was in vain.
    pub(super) fn noted<T>(&self, result: Result<T, IndexError>) -> Result<T, IndexError> {
        if result.as_ref().is_err_and(IndexError::is_busy) {
            self.0.has_waited.store(true, Ordering::Relaxed);
        }
        result
    }

    /// An idle one if there is one.
    pub(super) fn connection(&self, location: &Location, use_: Use) -> Option<Lent> {
        let connection = match self.idle(location, use_) {
            Some(idle) => {
                idle.busy_timeout(self.wait()).ok()?;
                idle
            }
            None => location.open(use_, self.wait())?,
        };
        let home = Some((self.clone(), location.clone(), use_));
        Some(Lent { connection: Some(connection), home })
    }

    fn idle(&self, location: &Location, use_: Use) -> Option<Connection> {
        let mut all = self.0.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let at = all.iter().position(|idle| idle.location == *location && idle.use_ == use_)?;
        Some(all.swap_remove(at).connection)
    }

    fn keep(&self, idle: Idle) {
        let mut all = self.0.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() < IDLE {
            all.push(idle);
        }
    }

    /// Before the file of an index is removed or its folder moved, which Windows refuses while it
    /// is open.
    pub fn close_idle(&self) {
        self.0.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// A connection that its call gets back.
#[derive(Debug)]
pub(super) struct Lent {
    connection: Option<Connection>,
    /// `None` for one that is closed when it is dropped.
    home: Option<(Call, Location, Use)>,
}

impl Lent {
    /// Closes it instead of giving it back.
    pub(super) fn close(mut self) -> Result<(), rusqlite::Error> {
        let close = |connection: Connection| connection.close().map_err(|(_, error)| error);
        self.connection.take().map_or(Ok(()), close)
    }
}

impl From<Connection> for Lent {
    fn from(connection: Connection) -> Lent {
        Lent { connection: Some(connection), home: None }
    }
}

impl Deref for Lent {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection.as_ref().expect("because it is taken only when this is dropped")
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let (Some(connection), Some(home)) = (self.connection.take(), self.home.take()) else {
            return;
        };
        let (call, location, use_) = home;
        // One that was opened where nothing can be written never sees a newer state.
        let sees_newer = connection.is_readonly(MAIN_DB).is_ok_and(|is_readonly| !is_readonly);
        // Ends the snapshot, which would keep others from writing.
        let is_ended =
            || connection.is_autocommit() || connection.execute_batch("rollback").is_ok();
        if sees_newer && is_ended() {
            call.keep(Idle { connection, location, use_ });
        }
    }
}
