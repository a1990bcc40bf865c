//! Fetch, merge and push until the remote has what we have.

use super::{
    Before, Exit, Failure, Place, Stop,
    local::Local,
    merged::{self, Merged},
};
use crate::ops::{
    guard,
    recognise::{self, Remote},
};
use crate::secrets;
use crate::system::git::{
    GitError, Id, RemoteTrouble, install,
    transport::{self, Pushed},
};

/// How often a push that came too late is tried again.
const TRIES: usize = 5;

/// What the exchange with the remote came to.
#[derive(Default)]
pub(super) struct Exchanged {
    /// What was taken in, the latest last.
    pub(super) merged: Vec<Merged>,
    /// How many commits were pushed.
    pub(super) pushed: usize,
    /// Whether the remote has what we have.
    pub(super) published: bool,
    /// Whether the remote lost commits that it had.
    pub(super) rewritten: bool,
    pub(super) warnings: Vec<Warning>,
}

/// What a person should know about the remote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Warning {
    NoRemote,
    /// Why it cannot be reached.
    Offline(String),
}

/// What a fetch came to.
pub(super) struct Fetched {
    /// The remote's commit; `None` when it has nothing yet.
    pub(super) commit: Option<Id>,
    rewritten: bool,
}

/// Exchanges with the remote, where there is one. Being offline is no failure: what is here is
/// committed.
pub(super) fn exchange(
    place: &Place<'_>,
    before: &Before,
    local: &Local,
) -> Result<Exchanged, Stop> {
    let mut exchanged = Exchanged::default();
    let Some(remote) = place.branch.remote.clone() else {
        exchanged.warnings.push(Warning::NoRemote);
        return Ok(exchanged);
    };
    match exchange_with(place, before, local, &remote, &mut exchanged) {
        Err(Trouble::Git(error)) if is_offline(&error) && !place.request.require_remote => {
            exchanged.warnings.push(Warning::Offline(error.to_string()));
            Ok(exchanged)
        }
        Err(Trouble::Git(error)) => Err(error.into()),
        Err(Trouble::Stop(stop)) => Err(stop),
        Ok(()) => Ok(exchanged),
    }
}

/// Why an exchange ended: over the remote, or over something here.
enum Trouble {
    Git(GitError),
    Stop(Stop),
}

impl From<GitError> for Trouble {
    fn from(error: GitError) -> Trouble {
        Trouble::Git(error)
    }
}

impl From<Stop> for Trouble {
    fn from(stop: Stop) -> Trouble {
        Trouble::Stop(stop)
    }
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Trouble {
        Trouble::Stop(failure.into())
    }
}

fn is_offline(error: &GitError) -> bool {
    matches!(error, GitError::Remote { trouble: RemoteTrouble::Unreachable, .. })
}

fn exchange_with(
    place: &Place<'_>,
    before: &Before,
    local: &Local,
    remote: &str,
    exchanged: &mut Exchanged,
) -> Result<(), Trouble> {
    for round in 0..TRIES {
        let known = place.repo.ref_id(&place.branch.tracking);
        // With something to push and nothing new known, the push itself asks whether the remote has
        // moved.
        let theirs = if round == 0 && only_ahead(place, known)? {
            known
        } else {
            let fetched = fetch_for(place, remote, known)?;
            exchanged.rewritten |= fetched.rewritten;
            fetched.commit
        };
        if let Some(theirs) = theirs {
            exchanged.merged.extend(merged::take_in(place, before, &local.held, theirs)?);
        }
        let Some(head) = place.repo.head()? else { return Ok(()) };
        if theirs == Some(head) {
            exchanged.published = true;
            return Ok(());
        }
        let ahead = place.repo.commits_between(theirs, head);
        refuse_secret_commits(place, theirs, head)?;
        let access = super::access(place.context, &url_of(place, remote))?;
        match transport::push(&place.repo, remote, &place.branch, head, &access)? {
            Pushed::Accepted(old) => {
                // Somebody set it back while nobody looked; what it lost is there again.
                exchanged.rewritten |= match (&old, theirs) {
                    (Some(old), Some(theirs)) => !theirs.to_string().starts_with(old.as_str()),
                    _ => false,
                };
                exchanged.pushed = ahead;
                exchanged.published = true;
                return Ok(());
            }
            Pushed::Behind => {}
        }
    }
    let message = format!("{remote} moved on {TRIES} times while co was merging");
    Err(Failure::new(Exit::Remote, message).hint("`co identity sync` again in a moment").into())
}

fn url_of(place: &Place<'_>, remote: &str) -> String {
    place.repo.real_url(remote).unwrap_or_else(|| remote.to_owned())
}

fn only_ahead(place: &Place<'_>, known: Option<Id>) -> Result<bool, GitError> {
    match (known, place.repo.head()?) {
        (Some(known), Some(head)) => Ok(known != head && place.repo.is_ancestor(known, head)?),
        _ => Ok(false),
    }
}

/// What the remote has now, in our objects. Fetches only when it is not what we know.
///
/// # Errors
/// When the remote cannot be talked to.
pub(super) fn fetch(
    place: &Place<'_>,
    remote: &str,
    known: Option<Id>,
) -> Result<Fetched, Failure> {
    fetch_for(place, remote, known).map_err(|trouble| match trouble {
        Trouble::Git(error) => error.into(),
        Trouble::Stop(Stop::Failed(failure)) => failure,
        Trouble::Stop(Stop::Again) => {
            Failure::new(Exit::Busy, "the branch moved while co was fetching")
                .hint("run the command again")
        }
    })
}

fn fetch_for(place: &Place<'_>, remote: &str, known: Option<Id>) -> Result<Fetched, Trouble> {
    let access = super::access(place.context, &url_of(place, remote))?;
    let git_dir = place.repo.git_dir();
    let listing = transport::list(git_dir, remote, &place.branch.there, &access)?;
    if listing.branch.is_none() && !place.repo.has_met(remote) {
        follow_other_branch(place, remote)?;
    }
    if listing.branch.is_none() || known == listing.branch {
        return Ok(Fetched { commit: listing.branch, rewritten: false });
    }
    let commit = transport::fetch(&place.repo, remote, &place.branch, &access)?;
    let rewritten = match (known, commit) {
        (Some(known), Some(commit)) => !place.repo.is_ancestor(known, commit)?,
        _ => false,
    };
    Ok(Fetched { commit, rewritten })
}

/// A remote that never had our branch may hold the identity on another one (`master`, where this
/// laptop calls it `main`): then that one is followed. What is no identity is left alone.
fn follow_other_branch(place: &Place<'_>, remote: &str) -> Result<(), Trouble> {
    // In somebody's repository the branches are theirs.
    if !place.repo.prefix.is_empty() {
        return Ok(());
    }
    let other = match recognise::remote(place.context, &url_of(place, remote))? {
        Remote::Nothing(None) => return Ok(()),
        Remote::Nothing(Some(branch)) => branch,
        Remote::Identity(whose) => whose.branch,
    };
    install::follow(&place.repo, &place.branch.local, &other)?;
    Err(Stop::Again.into())
}

/// What a person committed by hand goes out with a push as well, so the guard stands here, too.
fn refuse_secret_commits(place: &Place<'_>, theirs: Option<Id>, head: Id) -> Result<(), Trouble> {
    let (repo, allowed) = (&place.repo, &place.request.allowed);
    for file in repo.brought_since(theirs, head)? {
        let after = repo.blob(file.after)?;
        if secrets::scan_file(file.path.as_str(), &after, allowed).is_empty() {
            continue;
        }
        let before = file.before.iter().map(|id| repo.blob(*id));
        let known = before.collect::<Result<Vec<_>, GitError>>()?.join(&b'\n');
        let found = secrets::new_in(file.path.as_str(), Some(&known), &after, allowed);
        let Some(secret) = found.first() else { continue };
        let (commit, root) = (&file.commit.to_string()[..10], place.context.shown(&repo.root));
        let what = guard::describe(Some(&file.path), secret);
        let message = format!(
            "commit {commit} is not published yet and holds a secret: {what}; nothing was pushed"
        );
        // In somebody's bigger repository the other commits are theirs to keep.
        let back = match theirs {
            _ if !repo.prefix.is_empty() => format!("rebase -i {commit}^"),
            Some(theirs) => format!("reset --soft {}", &theirs.to_string()[..10]),
            None => "update-ref -d HEAD".to_owned(),
        };
        return Err(Failure::new(Exit::Refused, message)
            .hint(format!(
                "`git -C {root} {back}` takes what is unpublished back out of the commits; then \
                 take it out of the file and sync again"
            ))
            .hint(format!(
                "keep it in the keyring (`co secret set NAME`); if it is none: `--allow-secret {}`",
                secret.rule
            ))
            .into());
    }
    Ok(())
}
