//! Fetches, merges and pushes until the remote has what we have.

use super::{
    Error, Stop,
    committed::Local,
    context::{Before, SyncContext},
    error::SyncError,
    exchanged::{Exchanged, Fetched, NotMet, RemoteState},
    merged, operation, outgoing, push_places,
    request::{Direction, OwnCommits, Phase},
    team, upstream,
};
use crate::git::{
    self, Access, GitError, Id, NamedBy, RemoteErrorKind,
    transport::{Heads, Listing, Pushed},
};
use crate::workspace::recognise::{self, Remote};

/// How often to retry a push that was overtaken by another.
const TRIES: usize = 5;

/// Being offline is not a failure: everything is committed here.
pub(super) fn exchange(
    cx: &SyncContext<'_>,
    before: &Before,
    local: &mut Local,
) -> Result<Exchanged, Stop> {
    let merged = local.merged.take().into_iter().collect();
    let mut exchanged = Exchanged { merged, logged: local.logged, ..Exchanged::default() };
    let Some(remote) = cx.branch.remote.clone() else {
        if cx.request.require_remote {
            return Err(SyncError::NoRemote.into());
        }
        exchanged.not_met.push(NotMet::NoRemote);
        return Ok(exchanged);
    };
    if cx.request.own_commits == OwnCommits::Unpublished {
        let own = upstream::own_commits(&cx.repo, &cx.branch, before.head);
        if own > 0 {
            exchanged.not_met.push(NotMet::OwnCommits(own));
            return Ok(exchanged);
        }
    }
    if cx.repo.is_at(&url_of(cx, &remote)) {
        let root = cx.ws.shown(&cx.repo.root);
        return Err(SyncError::OwnRemote { remote, root }.into());
    }
    match exchange_with(cx, before, local, &remote, &mut exchanged) {
        Err(ExchangeError::Git(error)) if is_offline(&error) && !cx.request.require_remote => {
            exchanged.not_met.push(NotMet::Offline(error.to_string()));
            Ok(exchanged)
        }
        Err(ExchangeError::Git(error)) => Err(error.into()),
        Err(ExchangeError::Stop(stop)) => Err(stop),
        Ok(()) => {
            if exchanged.published || exchanged.found == RemoteState::Expected {
                cx.repo.remember_address(&remote);
            }
            Ok(exchanged)
        }
    }
}

/// Keeps git's errors apart, because an unreachable remote becomes a warning.
enum ExchangeError {
    Git(GitError),
    Stop(Stop),
}

impl From<GitError> for ExchangeError {
    fn from(error: GitError) -> ExchangeError {
        ExchangeError::Git(error)
    }
}

impl From<Stop> for ExchangeError {
    fn from(stop: Stop) -> ExchangeError {
        ExchangeError::Stop(stop)
    }
}

impl From<Error> for ExchangeError {
    fn from(error: Error) -> ExchangeError {
        ExchangeError::Stop(error.into())
    }
}

impl From<SyncError> for ExchangeError {
    fn from(error: SyncError) -> ExchangeError {
        ExchangeError::Stop(error.into())
    }
}

fn is_offline(error: &GitError) -> bool {
    matches!(error, GitError::Remote { error_kind: RemoteErrorKind::Unreachable, .. })
}

fn exchange_with(
    cx: &SyncContext<'_>,
    before: &Before,
    local: &Local,
    remote: &str,
    exchanged: &mut Exchanged,
) -> Result<(), ExchangeError> {
    let mut refused = None;
    for round in 0..TRIES {
        let known = cx.repo.ref_id(&cx.branch.tracking);
        // If we are only ahead, the push itself shows whether the remote has moved. It does not
        // show which branch is meant.
        let may_push = cx.request.direction == Direction::Both;
        let is_named = cx.branch.by != NamedBy::Nobody && may_push;
        // A team may have rewritten what this laptop would restore.
        let is_known = is_named && !cx.repo.is_elsewhere(remote) && !team::is_one(cx);
        let theirs = if round == 0 && is_known && only_ahead(cx, known)? {
            known
        } else {
            (cx.on_step)(Phase::Fetching);
            let fetched = fetch_for(cx, remote, known)?;
            exchanged.saw(&fetched);
            refuse_left(cx, fetched.commit)?;
            fetched.commit
        };
        if let Some(theirs) = theirs
            && let Some(merged) = merged::merge_remote(cx, before, &local.held, theirs)?
        {
            let logged = operation::log_merge(cx, local.last_op, &merged);
            exchanged.logged = logged.after(exchanged.logged);
            exchanged.merged.push(merged);
        }
        let Some(head) = head_of(cx, theirs)? else { return Ok(()) };
        if !may_push || theirs == Some(head) {
            exchanged.published = theirs == Some(head);
            return Ok(());
        }
        if theirs.is_none() {
            refuse_own_branch(cx, remote, head)?;
        }
        let elsewhere = push_places::elsewhere(cx, remote)?;
        if theirs.is_none() || elsewhere.len() > 1 {
            push_places::refuse_others(cx, &elsewhere)?;
        }
        // With several push URLs, each may have a different value.
        let expected = theirs.filter(|_| elsewhere.len() < 2);
        let ahead = cx.repo.commits_between(theirs, head);
        let own = cx.repo.own_commits_between(theirs, head);
        outgoing::refuse_secret_messages(cx, theirs, head)?;
        outgoing::refuse_secret_commits(cx, local, theirs, head)?;
        (cx.on_step)(Phase::Pushing);
        let access = crate::workspace::login::access(cx.ws, &url_of(cx, remote))?;
        let pushed = git::remote::push(&cx.repo, remote, &cx.branch, (expected, head), &access);
        match pushed.map_err(|error| push_places::said_of(&elsewhere, error))? {
            Pushed::Accepted(old) => {
                // The remote was reset meanwhile; the push restored what it lost.
                exchanged.rewritten |= match (&old, theirs) {
                    (Some(old), Some(theirs)) => !theirs.to_string().starts_with(old.as_str()),
                    _ => false,
                };
                exchanged.pushed = ahead;
                exchanged.own = own;
                exchanged.published = true;
                return Ok(());
            }
            // The remote has not changed since the last refusal.
            Pushed::Behind(error) if refused.replace(theirs) == Some(theirs) => {
                return Err(push_places::refused_again(cx, remote, &elsewhere, error).into());
            }
            Pushed::Behind(_) => {}
        }
    }
    Err(SyncError::RemoteMoved { remote: remote.to_owned(), tries: TRIES }.into())
}

/// The commit to push: the head of the branch that was examined, which includes the remote's
/// commit. Starts again if the branch was switched or moved while co talked to the remote.
fn head_of(cx: &SyncContext<'_>, theirs: Option<Id>) -> Result<Option<Id>, Stop> {
    let Some(head) = cx.repo.head()? else { return Ok(None) };
    let branch = &cx.branch.local;
    let is_ours =
        cx.repo.head_name()?.as_ref() == Some(branch) && cx.repo.ref_id(branch) == Some(head);
    let has_theirs = theirs.map_or(Ok(true), |theirs| cx.repo.is_ancestor(theirs, head))?;
    if is_ours && has_theirs { Ok(Some(head)) } else { Err(Stop::Again) }
}

fn url_of(cx: &SyncContext<'_>, remote: &str) -> String {
    let url = cx.repo.real_url(remote).map(|url| cx.repo.seen_from_anywhere(&url));
    url.unwrap_or_else(|| remote.to_owned())
}

fn only_ahead(cx: &SyncContext<'_>, known: Option<Id>) -> Result<bool, GitError> {
    match (known, cx.repo.head()?) {
        (Some(known), Some(head)) => Ok(known != head && cx.repo.is_ancestor(known, head)?),
        _ => Ok(false),
    }
}

/// The remote's commit, in our objects; fetches only if it is not the known one.
pub(super) fn fetch(
    cx: &SyncContext<'_>,
    remote: &str,
    known: Option<Id>,
) -> Result<Fetched, Error> {
    fetch_for(cx, remote, known).map_err(|error| match error {
        ExchangeError::Git(error) => error.into(),
        ExchangeError::Stop(Stop::Failed(error)) => error,
        ExchangeError::Stop(Stop::Again) => SyncError::BranchMoved.into(),
    })
}

/// The branch on the remote. At the first contact it is not known which it has: all of them then,
/// with the same question.
fn listed(
    cx: &SyncContext<'_>,
    remote: &str,
    known: Option<Id>,
    access: &Access,
) -> Result<(Listing, Option<Heads>), GitError> {
    let there = &cx.branch.there;
    if known.is_some() || cx.branch.sealed {
        return Ok((git::remote::list(&cx.repo, remote, there, access)?, None));
    }
    let heads = git::remote::heads(&cx.repo, remote, access)?;
    Ok((heads.listing(there), Some(heads)))
}

fn fetch_for(
    cx: &SyncContext<'_>,
    remote: &str,
    known: Option<Id>,
) -> Result<Fetched, ExchangeError> {
    let access = crate::workspace::login::access(cx.ws, &url_of(cx, remote))?;
    let is_elsewhere = cx.repo.is_elsewhere(remote);
    let (listing, heads) = listed(cx, remote, known, &access)?;
    if listing.branch.is_none() {
        settle_branch(cx, remote, heads)?;
        // The remote lost everything: it is filled again from here, and that is reported.
        let has_met = known.is_some() || cx.repo.has_met(remote);
        let found = match (has_met, is_elsewhere) {
            (true, true) => RemoteState::New,
            (true, false) => RemoteState::Emptied,
            (false, _) => RemoteState::Expected,
        };
        if found == RemoteState::Emptied {
            team::refuse_rewritten(cx)?;
        }
        return Ok(Fetched { commit: None, rewritten: false, found });
    }
    if let (NamedBy::Nobody, Some(default)) = (cx.branch.by, &listing.default)
        && *default != cx.branch.there
    {
        // In an enclosing repository the branches are the user's.
        if !cx.repo.prefix.is_empty() {
            let heads = git::remote::heads(&cx.repo, remote, &access)?;
            return Err(which_branch(cx, remote, heads.names()));
        }
        cx.repo.follow(&cx.branch.local, default)?;
        return Err(Stop::Again.into());
    }
    if known == listing.branch {
        return Ok(Fetched {
            commit: listing.branch,
            rewritten: false,
            found: RemoteState::Expected,
        });
    }
    let commit = git::remote::fetch(&cx.repo, remote, &cx.branch, &access)?;
    let mut rewritten = false;
    if let (Some(known), Some(commit)) = (known, commit)
        && !cx.repo.is_ancestor(known, commit)?
    {
        if !cx.repo.prefix.is_empty() {
            // Until the person has merged the remote's new state, every sync stops here.
            cx.repo.move_ref(&cx.branch.tracking, Some(commit), known, "co: rewritten")?;
            return Err(refuse_rewritten(cx, remote).into());
        }
        rewritten = !is_elsewhere || cx.repo.have_parted(known, commit)?;
        if rewritten && team::is_one(cx) {
            // Until the person takes it over, every sync stops here.
            cx.repo.move_ref(&cx.branch.tracking, Some(commit), known, "co: rewritten")?;
            team::refuse_rewritten(cx)?;
        }
    }
    Ok(Fetched { commit, rewritten, found: RemoteState::Expected })
}

/// A plain remote that another laptop left: what is learned here would get nowhere.
fn refuse_left(cx: &SyncContext<'_>, commit: Option<Id>) -> Result<(), ExchangeError> {
    let Some(commit) = commit.filter(|_| !cx.branch.sealed) else { return Ok(()) };
    let Some(left) = git::sealed::left(&cx.repo, commit)? else { return Ok(()) };
    let url = cx.branch.url.clone().unwrap_or_default();
    Err(SyncError::Left { url, sealed_at: left.sealed_at }.into())
}

/// In an enclosing repository, the commits that upstream dropped are the person's: merging would
/// publish them again.
fn refuse_rewritten(cx: &SyncContext<'_>, remote: &str) -> Error {
    let (root, branch) = (cx.ws.shown(&cx.repo.root), &cx.branch);
    SyncError::Rewritten {
        branch: branch.there.trim_start_matches("refs/heads/").to_owned(),
        remote: remote.to_owned(),
        root,
    }
    .into()
}

/// If the remote lacks our branch, its HEAD may have the identity on another (`master`, where this
/// laptop has `main`): then that one is followed. Anything but an identity is refused. Among
/// several branches a person chooses; a second branch is never created.
fn settle_branch(
    cx: &SyncContext<'_>,
    remote: &str,
    heads: Option<Heads>,
) -> Result<(), ExchangeError> {
    let url = url_of(cx, remote);
    let access = crate::workspace::login::access(cx.ws, &url)?;
    let ask = || git::remote::heads(&cx.repo, remote, &access);
    let heads = heads.map_or_else(ask, Ok)?;
    if heads.branches.is_empty() {
        return Ok(());
    }
    // At first contact, the only branch is the one that was meant.
    let meant = match cx.branch.by {
        // A person configured another branch, which does not exist.
        NamedBy::Settings => None,
        _ if cx.repo.has_met(remote) && !cx.repo.is_elsewhere(remote) => heads.default.as_ref(),
        _ => heads.to_join(),
    };
    // In an enclosing repository the branches are the user's.
    if !cx.repo.prefix.is_empty() || meant.is_none() {
        if let Some(head) = cx.repo.head()? {
            refuse_own_branch(cx, remote, head)?;
        }
        return Err(which_branch(cx, remote, heads.names()));
    }
    let other = match recognise::remote(cx.ws, &url)? {
        Remote::Nothing(None) => return Ok(()),
        Remote::Nothing(Some(branch)) => branch,
        Remote::Sealed => {
            return Err(SyncError::IsSealed { url: git::without_credentials(&url) }.into());
        }
        Remote::Identity(whose) => whose.branch,
    };
    cx.repo.follow(&cx.branch.local, &other)?;
    // What was last known of it under the old name still is.
    if let Some(known) = cx.repo.ref_id(&cx.branch.tracking) {
        let tracking = format!("refs/remotes/{remote}/{}", other.trim_start_matches("refs/heads/"));
        cx.repo.move_ref(&tracking, None, known, "co: renamed on the remote")?;
    }
    Err(Stop::Again.into())
}

fn which_branch(cx: &SyncContext<'_>, remote: &str, branches: Vec<String>) -> ExchangeError {
    let wanted = Some(cx.branch.there.trim_start_matches("refs/heads/").to_owned());
    GitError::WhichBranch { remote: remote.to_owned(), wanted, branches }.into()
}

/// A branch with a person's other work has to be published by the person first, as git itself asks.
fn refuse_own_branch(cx: &SyncContext<'_>, remote: &str, head: Id) -> Result<(), ExchangeError> {
    if !cx.repo.holds_more(head)? {
        return Ok(());
    }
    let (root, branch) = (cx.ws.shown(&cx.repo.root), &cx.branch);
    let short = branch.local.trim_start_matches("refs/heads/");
    Err(SyncError::OwnBranch { branch: short.to_owned(), remote: remote.to_owned(), root }.into())
}
