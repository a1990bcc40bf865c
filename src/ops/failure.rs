//! Why a verb failed, and what a person can do next.
//!
//! Invariant: exit codes are never renumbered.

use crate::identity::{RelPath, validate::Unfit};
use crate::system::{
    SystemError,
    git::{GitError, LocalTrouble},
};
use serde::Serialize;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exit {
    Done = 0,
    Found = 1,
    Usage = 2,
    Declined = 3,
    NotSetUp = 4,
    NotFound = 5,
    Refused = 6,
    NeedsUser = 7,
    Remote = 8,
    Busy = 9,
    Other = 10,
}

impl Exit {
    /// Every code with its meaning, for help.
    pub const ALL: &[(Exit, &str)] = &[
        (Exit::Done, "done"),
        (Exit::Found, "check or secret scan found something, or diff with --exit-code did"),
        (Exit::Usage, "the command line makes no sense"),
        (Exit::Declined, "declined, or a choice is needed and nobody can be asked"),
        (Exit::NotSetUp, "there is no identity, no repository or no keyring yet"),
        (Exit::NotFound, "what was named is not there"),
        (
            Exit::Refused,
            "refused by a guard: secret, mass deletion, unsafe archive or tree; a file of an agent that cannot be edited safely",
        ),
        (
            Exit::NeedsUser,
            "git needs you first: an open rebase, a detached HEAD, changes on both sides outside \
             the identity",
        ),
        (Exit::Remote, "the remote did not answer or said no"),
        (Exit::Busy, "another co or git is at work"),
        (Exit::Other, "any other failure"),
    ];

    pub const fn code(self) -> u8 {
        self as u8
    }
}

/// The end of hints about a remote.
const AGAIN: &str = "`co sync` again";

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    pub exit: Exit,
    /// What happened, in one sentence without a full stop.
    pub message: String,
    pub hints: Vec<String>,
}

impl Failure {
    pub fn new(exit: Exit, message: impl Into<String>) -> Failure {
        Failure { exit, message: message.into(), hints: Vec::new() }
    }

    /// Names the command that failed at the remote, where it was no sync.
    pub fn after(mut self, command: &str) -> Failure {
        for hint in &mut self.hints {
            *hint = hint.replace(AGAIN, command).replace(" (`co identity remote URL`)", "");
        }
        self
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Failure {
        self.hints.push(hint.into());
        self
    }
}

impl From<SystemError> for Failure {
    fn from(error: SystemError) -> Failure {
        let message = error.to_string();
        match error {
            SystemError::Git(git) => git.into(),
            SystemError::Busy { .. } => Failure::new(Exit::Busy, message)
                .hint("wait for it to end and run the command again"),
            SystemError::NoFolder { .. } => {
                Failure::new(Exit::NotFound, message).hint("look whether the path is right")
            }
            SystemError::Editor { .. } => Failure::new(Exit::Other, message)
                .hint("VISUAL or EDITOR names another; or say the text behind the command"),
            SystemError::Settings(_) => Failure::new(Exit::Other, message)
                .hint("correct that line; `co config` shows what can be set"),
            SystemError::Damaged { .. } => Failure::new(Exit::Other, message)
                .hint("mend the file, or move it away and run the command again"),
            SystemError::File { source, .. } => {
                let failure = Failure::new(Exit::Other, message);
                match source.kind() {
                    std::io::ErrorKind::PermissionDenied => {
                        failure.hint("look at the permissions of the file and its folder")
                    }
                    std::io::ErrorKind::StorageFull => failure
                        .hint("nothing was half-written; make room and run the command again"),
                    std::io::ErrorKind::NotFound => failure.hint("look whether the path is right"),
                    _ => failure.hint("nothing was half-written; the command can be run again"),
                }
            }
        }
    }
}

impl From<Unfit> for Failure {
    fn from(unfit: Unfit) -> Failure {
        let failure = Failure::new(Exit::Usage, unfit.to_string());
        match unfit {
            Unfit::Empty => failure.hint(
                "write it behind the command, or pipe it in with `-`; `co forget` forgets a fact",
            ),
            Unfit::TooLong(_) => {
                failure.hint("long texts belong into a document under knowledge/articles/")
            }
            Unfit::Markers => failure.hint("indent them, or leave them out"),
            Unfit::Nul => failure.hint("leave it out; a fact is text"),
            Unfit::Tag(_) => failure.hint("a tag is one line of text"),
            Unfit::Carried { .. } => {
                failure.hint("mend the file by hand, for tags as `tags: [python, style]`")
            }
            Unfit::Unreadable(unusable) => {
                let why = unusable.finding(&RelPath::known("memory")).message;
                Failure { message: format!("{}: {why}", failure.message), ..failure }
                    .hint("shorten the text or the tags")
            }
        }
    }
}

impl From<GitError> for Failure {
    fn from(error: GitError) -> Failure {
        let message = error.to_string();
        let failure = |exit| Failure::new(exit, message.clone());
        match error {
            GitError::Local { trouble: trouble @ LocalTrouble::Lock, .. } => {
                failure(Exit::Busy).hint(trouble.hint())
            }
            GitError::Local { trouble, .. } => failure(Exit::Other).hint(trouble.hint()),
            GitError::Detached { .. } => failure(Exit::NeedsUser).hint(
                "`git switch main` (or \
                your branch) there, then run the command again",
            ),
            GitError::InProgress { what, .. } => failure(Exit::NeedsUser).hint(format!(
                "finish it with `git {0} --continue` or drop it with `git {0} \
                    --abort`",
                what.trim_start_matches("git ")
            )),
            GitError::IndexLocked { lock } => failure(Exit::Busy).hint(format!(
                "wait for it to end; if no git is running, \
                    remove {}",
                lock.display()
            )),
            GitError::Remote { trouble, .. } => {
                failure(Exit::Remote).hint(format!("{}; then {AGAIN}", trouble.hint()))
            }
            GitError::Unsafe { .. } => failure(Exit::Refused).hint(
                "nothing was written; look at \
                what was published with `git log -p` on the remote",
            ),
            GitError::Filtered { path, .. } => failure(Exit::NeedsUser)
                .hint(format!("`{path} !filter` in .gitattributes takes it out of the filter"))
                .hint("or keep the identity in a repository of its own, without the filter"),
            GitError::Nested { inner, outer } => nested(failure(Exit::NeedsUser), &inner, &outer),
            GitError::WhichBranch { remote, branches, .. } => {
                which_branch(failure(Exit::NeedsUser), &remote, &branches)
            }
            GitError::OutsideDirty { .. } => failure(Exit::NeedsUser).hint(
                "commit or stash those \
                files, then `co sync` again",
            ),
            GitError::OutsideConflict { .. } => failure(Exit::NeedsUser).hint(
                "`git pull` and \
                resolve them, then `co sync` again",
            ),
            GitError::NoGit { .. } => failure(Exit::NotSetUp).hint("install git 2.30 or newer"),
            GitError::BadUrl { .. } => failure(Exit::Usage).hint(
                "write it as git@host:path, \
                https://host/path or /path/to/repository.git",
            ),
        }
    }
}

fn which_branch(failure: Failure, remote: &str, branches: &[String]) -> Failure {
    let first = branches.first().map_or("NAME", String::as_str);
    failure
        .hint(format!(
            "`git branch --set-upstream-to {remote}/{first}` in the identity's repository, or \
             `sync.branch` in settings.json, says which one to sync with"
        ))
        .hint("`git push` by hand makes a new one there, if that is what you want")
}

fn nested(failure: Failure, inner: &std::path::Path, outer: &std::path::Path) -> Failure {
    let (inner, outer) = (inner.display(), outer.display());
    failure
        .hint(format!(
            "to keep the identity in {outer}: on the laptop that has its files, move {inner}/.git \
             away, `git -C {outer} rm --cached -f {inner}`, and `co sync`"
        ))
        .hint(format!(
            "to keep it apart: `git -C {outer} rm --cached -f {inner}`, and ignore it there"
        ))
}
