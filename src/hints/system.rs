//! What can be done after a failure of the disk, git or the remote.
//!
//! Invariant: every variant is listed by name, so that a new one does not compile without a hint.

use super::{
    phrases::{Hints, NOTHING_CHANGED, SYNC},
    seal,
};
use crate::git::{GitError, LocalErrorKind, RemoteErrorKind, SshLogin};
use crate::identity::{shell, validate::Rejected};
use crate::machine::{SystemError, files};
use crate::workspace::transaction::TransactionError;
use std::{io, path::Path};

pub(super) fn system(error: &SystemError) -> Hints {
    let hint = match error {
        SystemError::Busy { .. } => "wait for it to finish, then run the command again",
        SystemError::NoFolder { .. } => "check the path",
        SystemError::Raised { .. } => {
            "run it again without `sudo`: its owner could not change what root writes there"
        }
        SystemError::Editor { .. } => {
            "set VISUAL or EDITOR to another one, or write the text after the command"
        }
        SystemError::Settings(_) => "correct that line; `co config` shows what can be set",
        SystemError::Damaged { .. } => "fix the file, or move it away, then run the command again",
        SystemError::File { path, source, .. } => match source.kind() {
            io::ErrorKind::PermissionDenied if of_another(path).is_some() => {
                return of_another(path).into_iter().collect();
            }
            io::ErrorKind::PermissionDenied => "check the permissions of the file and its folder",
            io::ErrorKind::StorageFull => {
                "nothing was half-written; free up space, then run the command again"
            }
            io::ErrorKind::NotFound => "check the path",
            _ => "nothing was half-written; the command can be run again",
        },
    };
    vec![hint.to_owned()]
}

/// How to get a file back from another user, such as root after a `sudo co`.
fn of_another(path: &Path) -> Option<String> {
    let mut near = [Some(path), path.parent()].into_iter().flatten();
    let foreign = near.find(|path| files::is_of_another(path))?;
    let folder = if files::is_dir(foreign) { foreign } else { foreign.parent()? };
    let folder = shell::quoted(&folder.display().to_string());
    Some(format!(
        "it belongs to another user: `sudo chown -R \"$(id -un)\" {folder}`; `co doctor` names all \
         such files"
    ))
}

/// `again` is the command that would retry.
pub(super) fn git(error: &GitError, again: &str) -> Hints {
    let hint = match error {
        GitError::Local { error_kind, .. } => local(*error_kind),
        GitError::InProgress { what, .. } => {
            let what = what.trim_start_matches("git ");
            return vec![format!(
                "finish it with `git {what} --continue` or abort it with `git {what} --abort`"
            )];
        }
        GitError::IndexLocked { lock } => {
            return vec![format!(
                "wait for it to finish; if no git is running, remove {}",
                lock.display()
            )];
        }
        GitError::Remote { error_kind, ssh, .. } => {
            let hint = ssh.as_ref().and_then(|ssh| of_ssh(*error_kind, ssh));
            let hint = hint.map(|hint| format!("{hint}; then run {again} again"));
            return vec![hint.unwrap_or_else(|| remote(*error_kind, again))];
        }
        GitError::Filtered { path, .. } => {
            return vec![
                format!("`{path} !filter` in .gitattributes excludes it from the filter"),
                "or keep the identity in a repository of its own, without the filter".to_owned(),
            ];
        }
        GitError::Stopped => return Hints::new(),
        GitError::Sealed(error) => return seal::sealed(error),
        GitError::Nested { inner, outer } => return nested(inner, outer),
        GitError::WhichBranch { remote, branches, .. } => return which_branch(remote, branches),
        GitError::Detached { .. } => {
            "`git switch main` (or your branch) there, then run the command again"
        }
        GitError::Unsafe { .. } => {
            "nothing was written; check what was pushed with `git log -p` on the remote"
        }
        GitError::EnclosingDirty { .. } => "commit or stash those files, then run `co sync` again",
        GitError::EnclosingConflict { .. } => {
            "run `git pull` and resolve them, then run `co sync` again"
        }
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
            "`git fsck` in that folder shows what is missing; `co init URL` into a fresh folder \
             brings back what was pushed"
        }
        LocalErrorKind::Ownership => {
            "it belongs to another user; `sudo chown -R \"$USER\"` it, or `git config --global \
             --add safe.directory` with that folder"
        }
        LocalErrorKind::Configuration => "`git config --list --show-origin` names the bad line",
        LocalErrorKind::RefFormat => {
            "co reads refs that are stored as files: `git clone --ref-format=files` makes such a \
             copy (git 2.45 or newer)"
        }
        LocalErrorKind::HashFormat => {
            "co reads repositories with sha1, and git cannot convert one in place: move its .git \
             folder away, then `co init`; the files stay, the history stays in that folder"
        }
        LocalErrorKind::Permission => {
            "check the permissions of the repository's files; `co doctor` lists those that belong to another user"
        }
        LocalErrorKind::Full => "free up space, then run the command again; nothing is lost",
        LocalErrorKind::Lock => {
            "if no git is running there, remove the named lock file, then run the command again"
        }
        LocalErrorKind::Signing => {
            "`git commit-tree -S HEAD^{tree} -m test` shows what the signing program says; `git \
             config commit.gpgsign false` there turns signing off"
        }
        LocalErrorKind::Other => "run the command again; `co status` shows the repository",
    }
}

/// `again` is the command that would retry.
fn remote(kind: RemoteErrorKind, again: &str) -> String {
    // If the address is what was typed, there is no remote to change.
    let named = if again == SYNC { " (`co identity remote URL`)" } else { "" };
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
            "`ssh -T HOST` once at a terminal shows the key and asks whether to trust it; or \
             `ssh-keyscan HOST >> ~/.ssh/known_hosts`, if the key is the one that the host publishes"
        }
        RemoteErrorKind::HashAlgorithm => {
            return format!(
                "use a remote that was created with `git init --bare --object-format=sha1`{named}; \
                 then run {again} again"
            );
        }
        RemoteErrorKind::MissingRepository => {
            return format!(
                "create it (`gh repo create NAME --private`, or `git init --bare FOLDER`), or use \
                 another{named}; then run {again} again"
            );
        }
        RemoteErrorKind::HookHere => {
            "check the repository's pre-push and reference-transaction hooks"
        }
        RemoteErrorKind::DeadHook => {
            "fix the first line of that file, or `chmod -x` it if the hook is not needed"
        }
        RemoteErrorKind::HangingHook => {
            "find out what it waits for, or remove it if it is not needed (if it is not in the \
             repository, `git config --show-origin core.hooksPath` in the identity's folder shows \
             which file names another folder)"
        }
        RemoteErrorKind::Answered => {
            "whoever runs the remote can tell you why; `git push` in the identity's folder shows \
             its full message"
        }
        RemoteErrorKind::Refused => "the remote has its own rules; ask whoever runs it",
        RemoteErrorKind::ServerError => "wait until whoever runs it has fixed it",
        RemoteErrorKind::Shallow => {
            "complete a shallow clone with `git fetch --unshallow` in the identity's folder"
        }
        RemoteErrorKind::Protocol => {
            "check the address; `git ls-remote` with it shows the full message"
        }
    };
    format!("{hint}; then run {again} again")
}

/// The commands for this host; `None` where ssh does not help.
fn of_ssh(kind: RemoteErrorKind, ssh: &SshLogin) -> Option<String> {
    let port = ssh.port.map_or_else(String::new, |port| format!("-p {port} "));
    let (login, host) = (&ssh.login, &ssh.host);
    let scan = format!("`ssh-keyscan {port}{host} >> ~/.ssh/known_hosts`");
    Some(match kind {
        RemoteErrorKind::Authentication => {
            format!("`ssh -T {port}{login}`, or `git ls-remote` there, shows which login is used")
        }
        RemoteErrorKind::HostKey => {
            let known = match ssh.port {
                Some(port) => format!("'[{host}]:{port}'"),
                None => host.clone(),
            };
            format!(
                "compare the key with the one the host publishes, then `ssh-keygen -R {known}` and \
                 {scan}"
            )
        }
        RemoteErrorKind::UnknownHost => format!(
            "`ssh -T {port}{login}` once at a terminal shows the key and asks whether to trust it; \
             or {scan}, if the key is the one that the host publishes"
        ),
        _ => return None,
    })
}

fn which_branch(remote: &str, branches: &[String]) -> Hints {
    let first = branches.first().map_or("NAME", String::as_str);
    vec![
        format!(
            "`git branch --set-upstream-to {remote}/{first}` in the identity's repository, or \
             `sync.branch` in settings.json, sets which one to sync with"
        ),
        "`git push` by hand creates a new one there, if that is what you want".to_owned(),
    ]
}

fn nested(inner: &Path, outer: &Path) -> Hints {
    let (inner, outer) = (inner.display(), outer.display());
    vec![
        format!(
            "to keep the identity in {outer}: on the laptop that has its files, move {inner}/.git \
             away, `git -C {outer} rm --cached -f {inner}`, and `co sync`"
        ),
        format!(
            "to keep it separate: `git -C {outer} rm --cached -f {inner}`, and ignore it there"
        ),
    ]
}

pub(super) fn rejected(rejected: &Rejected) -> Hints {
    let hint = match rejected {
        Rejected::Empty => "put it after the command, or use `-` to read standard input",
        Rejected::TooLong(_) => "long texts belong in a document under knowledge/articles/",
        Rejected::Markers => "indent them, or remove them",
        Rejected::Nul => "remove it; a fact is text",
        Rejected::Tag(_) => "a tag is one line of text",
        Rejected::Carried { .. } => "fix the file by hand; tags look like `tags: [python, style]`",
        Rejected::Unreadable(_) => "shorten the text or the tags",
    };
    vec![hint.to_owned()]
}

pub(super) fn transaction(error: &TransactionError) -> Hints {
    let hint = match error {
        TransactionError::Changed { .. } | TransactionError::ChangedInBetween { .. } => {
            "run the command again"
        }
        TransactionError::Unrecordable { log, source } => {
            let foreign = match source {
                SystemError::File { path, .. } => of_another(path),
                _ => None,
            };
            let usual = || format!("free up space, or check the permissions of {log}");
            return vec![foreign.unwrap_or_else(usual)];
        }
        TransactionError::Ignored { file, line, .. } => {
            return vec![format!(
                "remove or narrow line {line} of {file}, or let it through with a later line that \
                 begins with `!`"
            )];
        }
        TransactionError::Link { .. } => {
            "replace it with a real folder or file: what co writes there would not be synced"
        }
    };
    vec![hint.to_owned()]
}

pub(super) fn transaction_by_model(error: &TransactionError) -> Hints {
    let hint = match error {
        TransactionError::Changed { .. } => NOTHING_CHANGED,
        TransactionError::ChangedInBetween { .. } => "call it again",
        TransactionError::Unrecordable { .. } => "`co doctor` tells the user what is wrong",
        TransactionError::Ignored { .. } => {
            "tell the user: only they can change the rule; nothing was saved"
        }
        TransactionError::Link { .. } => {
            "only the user can replace the link: anything co writes through it would not be synced"
        }
    };
    vec![hint.to_owned()]
}

pub(super) fn system_by_model(error: &SystemError) -> &'static str {
    match error {
        SystemError::Busy { .. } => "call it again in a moment",
        SystemError::Settings(_) => {
            "only the user can correct that line; `co config` shows what can be set"
        }
        SystemError::Damaged { .. } => {
            "only the user can fix the file; `co check` says what is wrong"
        }
        SystemError::NoFolder { .. } => "check the path",
        SystemError::Raised { .. } => "only the user can start the server without `sudo`",
        SystemError::Editor { .. } | SystemError::File { .. } => {
            "nothing was left half-written; `co doctor` tells the user what is wrong"
        }
    }
}

pub(super) fn rejected_by_model(rejected: &Rejected) -> &'static str {
    match rejected {
        Rejected::Empty => "send some text; to delete a fact, call forget_memory",
        Rejected::TooLong(_) => "save long texts with knowledge_write",
        Rejected::Markers => "indent them, or remove them",
        Rejected::Nul => "remove it",
        Rejected::Tag(_) => "a tag must be a single line of text",
        Rejected::Carried { .. } => "only the user can fix the file",
        Rejected::Unreadable(_) => "shorten the text or the tags",
    }
}
