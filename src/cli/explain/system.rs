//! What a person can do after a failure of the disk, git or the remote.
//!
//! Invariant: every variant is listed by name, so that a new one does not compile without a hint.

use super::hints::{Hints, SYNC};
use crate::identity::validate::Rejected;
use crate::ops::transaction::TransactionError;
use crate::system::{
    SystemError,
    git::{GitError, LocalErrorKind, RemoteErrorKind},
};
use std::{io, path::Path};

pub(super) fn system(error: &SystemError, again: &str) -> Hints {
    let hint = match error {
        SystemError::Git(error) => return git(error, again),
        SystemError::Busy { .. } => "wait for it to end and run the command again",
        SystemError::NoFolder { .. } => "look whether the path is right",
        SystemError::Editor { .. } => {
            "VISUAL or EDITOR names another; or say the text behind the command"
        }
        SystemError::Settings(_) => "correct that line; `co config` shows what can be set",
        SystemError::Damaged { .. } => "mend the file, or move it away and run the command again",
        SystemError::File { source, .. } => match source.kind() {
            io::ErrorKind::PermissionDenied => "look at the permissions of the file and its folder",
            io::ErrorKind::StorageFull => {
                "nothing was half-written; make room and run the command again"
            }
            io::ErrorKind::NotFound => "look whether the path is right",
            _ => "nothing was half-written; the command can be run again",
        },
    };
    vec![hint.to_owned()]
}

/// `again` is the command that would retry.
fn git(error: &GitError, again: &str) -> Hints {
    let hint = match error {
        GitError::Local { error_kind, .. } => local(*error_kind),
        GitError::InProgress { what, .. } => {
            let what = what.trim_start_matches("git ");
            return vec![format!(
                "finish it with `git {what} --continue` or drop it with `git {what} --abort`"
            )];
        }
        GitError::IndexLocked { lock } => {
            return vec![format!(
                "wait for it to end; if no git is running, remove {}",
                lock.display()
            )];
        }
        GitError::Remote { error_kind, .. } => return vec![remote(*error_kind, again)],
        GitError::Filtered { path, .. } => {
            return vec![
                format!("`{path} !filter` in .gitattributes takes it out of the filter"),
                "or keep the identity in a repository of its own, without the filter".to_owned(),
            ];
        }
        GitError::Nested { inner, outer } => return nested(inner, outer),
        GitError::WhichBranch { remote, branches, .. } => return which_branch(remote, branches),
        GitError::Detached { .. } => {
            "`git switch main` (or your branch) there, then run the command again"
        }
        GitError::Unsafe { .. } => {
            "nothing was written; look at what was published with `git log -p` on the remote"
        }
        GitError::OutsideDirty { .. } => "commit or stash those files, then `co sync` again",
        GitError::OutsideConflict { .. } => "`git pull` and resolve them, then `co sync` again",
        GitError::NoGit { .. } => "install git 2.30 or newer",
        GitError::BadUrl { .. } => {
            "write it as git@host:path, https://host/path or /path/to/repository.git"
        }
    };
    vec![hint.to_owned()]
}

fn local(kind: LocalErrorKind) -> &'static str {
    match kind {
        LocalErrorKind::Damaged => {
            "`git fsck` in that folder says what is missing; `co init URL` into a fresh folder \
             brings back what was published"
        }
        LocalErrorKind::Ownership => {
            "it belongs to another user; `sudo chown -R \"$USER\"` it, or `git config --global \
             --add safe.directory` with that folder"
        }
        LocalErrorKind::Configuration => "`git config --list --show-origin` names the bad line",
        LocalErrorKind::Format => {
            "co reads repositories with sha1 and files for refs; `git clone` it into one"
        }
        LocalErrorKind::Permission => "look at the permissions of the repository's files",
        LocalErrorKind::Full => "make room and run the command again; nothing is lost",
        LocalErrorKind::Lock => {
            "if no git is running there, remove the lock file that is named, and run the \
             command again"
        }
        LocalErrorKind::Signing => {
            "`git commit-tree -S HEAD^{tree} -m test` shows what the signing program says; \
             `git config commit.gpgsign false` there goes without"
        }
        LocalErrorKind::Other => "run the command again; `co status` shows the repository",
    }
}

/// `again` is the command that would retry.
fn remote(kind: RemoteErrorKind, again: &str) -> String {
    let hint = match kind {
        RemoteErrorKind::Unreachable => "check your network",
        RemoteErrorKind::Authentication => {
            "`ssh -T` with that host, or `git ls-remote` there, shows which login is used"
        }
        RemoteErrorKind::HostKey => {
            "compare the key with the one the host publishes, then `ssh-keygen -R HOST` and \
             `ssh-keyscan HOST >> ~/.ssh/known_hosts`"
        }
        RemoteErrorKind::UnknownHost => {
            "`ssh-keyscan HOST >> ~/.ssh/known_hosts`, once the key is the one that the host \
             publishes"
        }
        RemoteErrorKind::MissingRepository => {
            // If the address is what was typed, there is no remote to change.
            let named = if again == SYNC { " (`co identity remote URL`)" } else { "" };
            return format!(
                "make it (`gh repo create NAME --private`, or `git init --bare FOLDER`), or \
                 name another{named}; then {again} again"
            );
        }
        RemoteErrorKind::HookHere => "look at the pre-push hook of the repository",
        RemoteErrorKind::Answered => {
            "whoever keeps the remote can tell why; `git push` in the identity's folder shows all \
             that it says"
        }
        RemoteErrorKind::Refused => "the remote has rules of its own; ask whoever keeps it",
        RemoteErrorKind::ServerError => "wait for whoever keeps it",
        RemoteErrorKind::Shallow => {
            "a shallow clone is made whole by `git fetch --unshallow` in the identity's folder"
        }
        RemoteErrorKind::Protocol => {
            "look whether the address is right; `git ls-remote` with it shows all that is said"
        }
    };
    format!("{hint}; then {again} again")
}

fn which_branch(remote: &str, branches: &[String]) -> Hints {
    let first = branches.first().map_or("NAME", String::as_str);
    vec![
        format!(
            "`git branch --set-upstream-to {remote}/{first}` in the identity's repository, or \
             `sync.branch` in settings.json, says which one to sync with"
        ),
        "`git push` by hand makes a new one there, if that is what you want".to_owned(),
    ]
}

fn nested(inner: &Path, outer: &Path) -> Hints {
    let (inner, outer) = (inner.display(), outer.display());
    vec![
        format!(
            "to keep the identity in {outer}: on the laptop that has its files, move {inner}/.git \
             away, `git -C {outer} rm --cached -f {inner}`, and `co sync`"
        ),
        format!("to keep it apart: `git -C {outer} rm --cached -f {inner}`, and ignore it there"),
    ]
}

pub(super) fn rejected(rejected: &Rejected) -> Hints {
    let hint = match rejected {
        Rejected::Empty => {
            "write it behind the command, or pipe it in with `-`; `co forget` forgets a fact"
        }
        Rejected::TooLong(_) => "long texts belong into a document under knowledge/articles/",
        Rejected::Markers => "indent them, or leave them out",
        Rejected::Nul => "leave it out; a fact is text",
        Rejected::Tag(_) => "a tag is one line of text",
        Rejected::Carried { .. } => "mend the file by hand, for tags as `tags: [python, style]`",
        Rejected::Unreadable(_) => "shorten the text or the tags",
    };
    vec![hint.to_owned()]
}

pub(super) fn transaction(error: &TransactionError) -> Hints {
    let hint = match error {
        TransactionError::Changed { .. } | TransactionError::ChangedInBetween { .. } => {
            "run the command again"
        }
        TransactionError::Unrecordable { log, .. } => {
            return vec![format!("make room, or look at the permissions of {log}")];
        }
        TransactionError::Link { .. } => {
            "make it a folder or file of its own: what co writes there would not travel"
        }
    };
    vec![hint.to_owned()]
}
