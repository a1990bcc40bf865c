//! What a push would publish besides the files: commits made without co, and all commit messages.
//!
//! Invariant: nothing with a secret leaves this laptop, unless its rule was allowed.

use super::{Stop, committed::Local, context::SyncContext, error::HeldBackError};
use crate::git::{self, GitError, Id};
use crate::secrets;
use crate::workspace::guard;

/// A message is published with its commit, and cannot be taken back.
pub(super) fn refuse_secret_messages(
    cx: &SyncContext<'_>,
    theirs: Option<Id>,
    head: Id,
) -> Result<(), Stop> {
    let (repo, allowed) = (&cx.repo, &cx.request.allowed);
    for (commit, message) in repo.messages_between(theirs, head)? {
        let found = secrets::scan_file("message", message.as_bytes(), allowed);
        let Some(secret) = found.first() else { continue };
        let (short, root) = (git::short(commit), cx.ws.shown(&repo.root));
        let what = guard::describe(None, secret);
        return Err(HeldBackError::InMessage {
            commit: short,
            what,
            rule: secret.rule,
            root,
            is_last: commit == head,
        }
        .into());
    }
    Ok(())
}

/// A push also publishes commits made without co, so they are scanned as well.
pub(super) fn refuse_secret_commits(
    cx: &SyncContext<'_>,
    local: &Local,
    theirs: Option<Id>,
    head: Id,
) -> Result<(), Stop> {
    if local.scanned == Some((theirs, head)) {
        return Ok(());
    }
    let (repo, allowed) = (&cx.repo, &cx.request.allowed);
    for file in repo.brought_since(theirs, head)? {
        let after = repo.blob(file.after)?;
        if secrets::scan_file(file.path.as_str(), &after, allowed).is_empty() {
            continue;
        }
        let before = file.before.iter().map(|id| repo.blob(*id));
        let known = before.collect::<Result<Vec<_>, GitError>>()?.join(&b'\n');
        let found = secrets::new_in(file.path.as_str(), Some(&known), &after, allowed);
        let Some(secret) = found.first() else { continue };
        let (commit, root) = (git::short(file.commit), cx.ws.shown(&repo.root));
        let what = guard::describe(Some(&file.path), secret);
        // In an enclosing repository the user's other commits stay.
        let back = match theirs {
            _ if !repo.prefix.is_empty() => format!("rebase -i {commit}^"),
            Some(theirs) => format!("reset --soft {}", git::short(theirs)),
            None => "update-ref -d HEAD".to_owned(),
        };
        return Err(HeldBackError::InCommit { commit, what, rule: secret.rule, root, back }.into());
    }
    Ok(())
}
