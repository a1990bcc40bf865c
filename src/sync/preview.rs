//! What a sync would make of the remote and of what is here.
//!
//! Invariant: fetches, and changes no file and no branch.

use super::{
    context::SyncContext,
    error::SyncError,
    merged::our_part,
    published,
    request::Request,
    sides::{base_of, edit_times},
};
use crate::identity::Snapshot;
use crate::merge::{Decision, History, join};
use crate::workspace::{Error, Workspace};

/// What the remote has, and what a sync would make of both; fetches, changes no file or branch.
pub fn preview(
    ws: &Workspace,
    here: &Snapshot,
) -> Result<(Snapshot, Snapshot, Vec<Decision>), Error> {
    let cx = SyncContext::open(ws, &Request::default(), &|_| {})?;
    let nothing = |remote: &str| SyncError::NothingThere { remote: remote.to_owned() };
    let remote = cx.branch.remote.clone().ok_or_else(|| nothing("the remote"))?;
    let known = cx.repo.ref_id(&cx.branch.tracking);
    let fetched = published::fetch(&cx, &remote, known)?;
    let theirs = fetched.commit.ok_or_else(|| nothing(&remote))?;
    let head = cx.repo.head()?;
    let base = head.map(|head| base_of(&cx.repo, head, theirs)).transpose()?.flatten();
    let incoming = cx.repo.snapshot(Some(theirs))?;
    let mut times = match head {
        Some(head) => edit_times(&cx.repo, (head, here), (theirs, &incoming), base.as_ref())?,
        None => Default::default(),
    };
    // What is not committed yet was written after what is.
    let committed = cx.repo.snapshot(head)?;
    for (path, _) in here.iter().filter(|(path, blob)| committed.get(path) != Some(*blob)) {
        times[0].put(path, ws.now());
    }
    let times = Some(times.each_ref());
    let calendar = Some(ws.calendar());
    let history = History { base: base.as_ref(), times, calendar, ..History::default() };
    let joined = join(history, &our_part(&cx.repo, history, here), &incoming, ws.now());
    Ok((incoming, joined.snapshot, joined.decisions))
}
